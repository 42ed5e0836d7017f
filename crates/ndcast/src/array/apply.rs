//! Operations on arrays: the common element type, the common shape, and then a node.

use ndcast_shape::rule::array_api;
use smallvec::{SmallVec, smallvec};

use super::expression::{Common, axes};
use super::quick::{self, Seen};
use super::{Array, Expression, Extents, Form, Number, Operand, lent};
use crate::convert::{self, Overflow};
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::op::{Body, Op};
use crate::promote::{promote, with_scalar};
use crate::tensor::Tensor;

impl Array {
    /// The result of an operation, its arguments promoted and broadcast as the Array API does. Numbers take the
    /// arrays' element type; arguments with a default may be left out.
    ///
    /// ```
    /// use ndcast::{Array, Op};
    /// let x = Array::new(&[3], &[1.5f32, -2.0, 0.5]);
    /// assert_eq!(Array::apply(Op::Abs, &[(&x).into()]).to_vec::<f32>()?, [1.5, 2.0, 0.5]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn apply(op: Op, operands: &[Operand]) -> Array {
        let wrong = |operand: &Operand| match operand {
            Operand::Array(array) if array.check().is_err() => Some(array.clone()),
            _ => None,
        };
        if let Some(wrong) = operands.iter().find_map(wrong) {
            return wrong;
        }
        if let (Op::Pow, [base @ Operand::Array(array), Operand::Number(exponent)]) = (op, operands) {
            let class = array.node().dtype().class();
            let of_base =
                |op: Op| Array::apply(op, std::slice::from_ref(base)).called(op.record().name, "pow");
            // The same, rounded once, at a fraction of the cost.
            match (class, Exponent::of(*exponent, class)) {
                (Class::Signed | Class::Unsigned | Class::Float | Class::Complex, Some(Exponent::Two)) => {
                    return of_base(Op::Square);
                }
                (Class::Float, Some(Exponent::MinusOne)) => return of_base(Op::Reciprocal),
                (Class::Float, Some(Exponent::Half)) if array.dtype().is_ok_and(DType::computes) => {
                    return Array::as_one_operation(&[array], || array.power_of_half());
                }
                _ => {}
            }
        }
        applied(op, operands).unwrap_or_else(|error| Array::of_error(error.of(op.record().name)))
    }

    /// As [`Array::apply`] on two small computed arrays of one element type: the result is computed immediately. `None` if there
    /// is more to do. Neither array is cloned, so borrowed ones will do.
    ///
    /// ```
    /// use ndcast::{Array, Op};
    /// let (x, row) = (Array::new(&[2, 2], &[1, 2, 3, 4]), Array::new(&[2], &[10, 20]));
    /// let sum = Array::apply_at_once(Op::Add, [&x, &row]).unwrap();
    /// assert_eq!(sum.to_vec::<i32>()?, [11, 22, 13, 24]);
    /// assert!(Array::apply_at_once(Op::Add, [&x, &Array::new(&[2], &[0.5, 1.5])]).is_none());
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn apply_at_once(op: Op, operands: [&Array; 2]) -> Option<Array> {
        let dtype = operands[0].node().at_hand()?.as_ref().ok()?.dtype();
        if op.record().arguments.len() != operands.len() {
            return None;
        }
        let seen = operands.map(Seen::Array);
        quick::applied(op, [dtype, op.result(dtype)?], &seen, 0)?.ok()
    }

    /// Floats to the power of a half: their roots, but that of -0 is 0, and that of negative infinity infinity.
    fn power_of_half(&self) -> Array {
        let root = (self + 0.0).sqrt();
        self.equal(f64::NEG_INFINITY).choose(f64::INFINITY, root)
    }

    /// The elements as another type. Floats become integers by cutting off the fraction, and what does not fit becomes
    /// the nearest that does; integers wrap; NaN becomes 0.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// let x = Array::new(&[3], &[1.9f32, -1.9, 300.0]);
    /// assert_eq!(x.convert(DType::I8).to_vec::<i8>()?, [1, -1, 127]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias("astype", "cast"))]
    pub fn convert(&self, dtype: DType) -> Array {
        self.convert_as(dtype, Overflow::Numpy)
    }

    /// The elements as another type, with what does not fit as a dialect has it.
    ///
    /// ```
    /// use ndcast::{Array, DType, convert::Overflow};
    /// let x = Array::scalar(1000.0f32).convert_as(DType::F8E4M3, Overflow::OnnxSaturate);
    /// assert_eq!(x.convert(DType::F32).item::<f32>()?, 448.0);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn convert_as(&self, dtype: DType, how: Overflow) -> Array {
        if self.check().is_err() || self.node().dtype() == dtype {
            return self.clone().settled();
        }
        if dtype.size().is_none() {
            return Array::of_error(Error::no_memory_form(dtype).of("convert"));
        }
        if let Some(array) = convert::kernel(self.node().dtype(), dtype, how)
            .and_then(|kernel| quick::converted(self, dtype, kernel))
        {
            return array.unwrap_or_else(Array::of_error);
        }
        let expression = Expression { form: Form::Convert(how), arguments: smallvec![self.clone()] };
        Array::lazy(self.node().shape().into(), dtype, expression)
    }

    pub(super) fn lazy(shape: Extents, dtype: DType, expression: Expression) -> Array {
        if let Some(wrong) = expression.arguments.iter().find(|argument| argument.check().is_err()) {
            return wrong.clone();
        }
        let marks = super::tape::written(&expression, &shape, dtype);
        let array = if expression.arguments.iter().any(Array::reads_lent) {
            lent::settled(shape, dtype, expression)
        } else {
            Array(super::Node::lazy(shape, dtype, expression))
        };
        let array = match marks {
            Some(marks) => Array(array.0.with_marks(marks)),
            None => array,
        };
        super::pending::remember(array.node());
        array
    }
}

/// Exponents that are operations of their own.
enum Exponent {
    Two,
    MinusOne,
    Half,
}

impl Exponent {
    /// An integer goes with elements of every type, and a float with floats and complex numbers.
    fn of(exponent: Number, class: Class) -> Option<Exponent> {
        let is_float = matches!(class, Class::Float | Class::Complex);
        match exponent {
            Number::Int(2) => Some(Exponent::Two),
            Number::Int(-1) => Some(Exponent::MinusOne),
            Number::Float(2.0) if is_float => Some(Exponent::Two),
            Number::Float(-1.0) if is_float => Some(Exponent::MinusOne),
            Number::Float(0.5) if is_float => Some(Exponent::Half),
            _ => None,
        }
    }
}

fn applied(op: Op, operands: &[Operand]) -> Result<Array, Error> {
    let record = op.record();
    let expected = record.arguments;
    let is_needed = |place: usize| expected.get(place).is_none_or(|argument| argument.default.is_none());
    let lacks = operands.len() < expected.len() && is_needed(operands.len());
    if lacks || operands.len() > expected.len() {
        let needed = (0..expected.len()).take_while(|&place| is_needed(place)).count();
        let takes = if needed == expected.len() {
            needed.to_string()
        } else {
            format!("{needed} to {}", expected.len())
        };
        return Err(Error::value(format!("it takes {takes} arguments, and {} are given", operands.len())));
    }
    // The condition of a selection has a type of its own.
    let own = usize::from(matches!(record.body, Body::Select));
    let dtype = common_type(&operands[own..])?;
    let result = op.result(dtype).ok_or_else(|| {
        Error::not_taken(dtype, DType::all().filter(|&other| op.result(other).is_some()).collect())
    })?;
    if operands.len() == expected.len() {
        let seen: SmallVec<[Seen<'_>; 3]> = operands.iter().map(Seen::from).collect();
        if let Some(array) = quick::applied(op, [dtype, result], &seen, own) {
            return array;
        }
    }
    let mut arguments: SmallVec<[Array; 3]> = SmallVec::new();
    for (place, operand) in operands.iter().enumerate() {
        let dtype = if place < own { DType::Bool } else { dtype };
        arguments.push(match operand {
            Operand::Array(array) if place < own && array.dtype()? != DType::Bool => {
                return Err(Error::other_type(array.dtype()?, DType::Bool));
            }
            Operand::Array(array) => Array::as_operands(|| array.convert(dtype)),
            Operand::Number(number) => number.tensor(dtype)?.into(),
        });
    }
    for argument in &expected[operands.len()..] {
        arguments.push(default(argument.default.unwrap_or_default(), dtype)?.into());
    }
    let (shape, read) = common_shape(&arguments)?;
    if let Some(array) = quick::broadcast(op, [dtype, result], &arguments, &shape, read.as_deref()) {
        return array;
    }
    Ok(Array::lazy(shape, result, Expression { form: Form::Apply(op, read), arguments }))
}

/// A default as an element of a type: an infinity is the least or the greatest one there is.
pub(super) fn default(n: f64, dtype: DType) -> Result<Tensor, Error> {
    let number = match dtype.integers() {
        Some(all) if n.is_infinite() => Number::Int(if n > 0.0 { *all.end() } else { *all.start() }),
        _ => Number::Float(n),
    };
    number.tensor(dtype)
}

/// The element type that operands are computed in.
fn common_type(operands: &[Operand]) -> Result<DType, Error> {
    let mut common = None;
    for operand in operands {
        if let Operand::Array(array) = operand {
            let dtype = array.dtype()?;
            common = Some(common.map_or(Ok(dtype), |common| promote(common, dtype))?);
        }
    }
    let mut from_numbers = common;
    for operand in operands {
        if let Operand::Number(number) = operand {
            from_numbers = Some(match from_numbers {
                Some(dtype) => with_scalar(dtype, number.kind())?,
                None => number.default_dtype(),
            });
        }
    }
    from_numbers.ok_or_else(|| Error::value("there is no argument".to_owned()))
}

/// The shape of the result, and how each argument is read if not every one has it.
pub(super) fn common_shape(arguments: &[Array]) -> Result<Common, Error> {
    let first = arguments.first().map_or(&[][..], |argument| argument.node().shape());
    if arguments.iter().all(|argument| argument.node().shape() == first) {
        return Ok((Extents::from_slice(first), None));
    }
    let shapes: SmallVec<[&[usize]; 3]> = arguments.iter().map(|argument| argument.node().shape()).collect();
    let plan = array_api::join(&shapes)?;
    addressable(plan.shape())?;
    let read = (0..arguments.len()).map(|operand| axes(&plan, operand)).collect();
    Ok((Extents::from_slice(plan.shape()), Some(read)))
}

/// Checks that arrays have one shape, where nothing is to broadcast.
pub(crate) fn equal_shapes<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Result<(), Error> {
    let shapes = arrays.into_iter().map(Array::shape).collect::<Result<SmallVec<[&[usize]; 4]>, _>>()?;
    if shapes.windows(2).all(|two| two[0] == two[1]) {
        return Ok(());
    }
    Err(Error::new(ErrorKind::Unequal { shapes: shapes.iter().map(|&shape| shape.into()).collect() }))
}

/// Checks that a shape's elements can be counted.
pub(super) fn addressable(shape: &[usize]) -> Result<(), Error> {
    Ok(crate::layout::checked_count(shape).map(|_| ())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some powers are operations of their own: with the special cases of all, and the exact result rounded once.
    #[test]
    fn powers_that_are_other_operations() -> Result<(), Error> {
        let special =
            [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0, 4.0, -4.0, 5e-324, 1e300, 0.3];
        let x = Array::new(&[special.len()], &special);
        for (exponent, exact) in [(0.5, f64::sqrt as fn(f64) -> f64), (-1.0, f64::recip), (2.0, |x| x * x)] {
            let apply = |exponent: Operand| Array::apply(Op::Pow, &[(&x).into(), exponent]).to_vec::<f64>();
            let (by_number, by_array) = (apply(exponent.into())?, apply((&Array::scalar(exponent)).into())?);
            for ((x, found), other) in special.iter().zip(by_number).zip(by_array) {
                if x.is_finite() && *x > 0.0 {
                    assert_eq!(found.to_bits(), exact(*x).to_bits(), "{x} to the power of {exponent}");
                } else {
                    assert_eq!(
                        (found.is_nan(), found.is_sign_negative() && !found.is_nan()),
                        (other.is_nan(), other.is_sign_negative() && !other.is_nan()),
                        "{x} to the power of {exponent}"
                    );
                    assert!(
                        found == other || found.is_nan(),
                        "{x} to the power of {exponent} is {found}, not {other}"
                    );
                }
            }
        }
        let half = Array::apply(Op::Pow, &[(&x.convert(DType::F16)).into(), 0.5.into()]);
        assert_eq!(half.dtype()?, DType::F16);
        assert_eq!(half.convert(DType::F64).to_vec::<f64>()?[6], 2.0);
        // Integers have no such powers.
        let whole = Array::new(&[1], &[4]);
        assert!(Array::apply(Op::Pow, &[(&whole).into(), 0.5.into()]).check().is_err());
        assert_eq!(Array::apply(Op::Pow, &[(&whole).into(), 2.into()]).to_vec::<i32>()?, [16]);
        Ok(())
    }
}
