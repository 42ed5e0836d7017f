//! Element types of mixed kinds (integers beside floats, truth values beside numbers). The standard leaves open what becomes
//! of them and the library refuses them; here they are what NumPy makes of them, because programs that were written beside
//! NumPy, Cubed's mean among them, count on it. Two integer types that none holds both stay an error.

use std::cmp::Reverse;

use ndcast::op::Body;
use ndcast::promote::{NoCommonDType, Scalar, promote, with_scalar};
use ndcast::{Array, DType, Error, Number, Op, Operand, dtype::Class};

/// A kind of element types, in widening order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Truths,
    Integers,
    Reals,
    Complex,
}

fn kind(dtype: DType) -> Option<Kind> {
    match dtype.class() {
        _ if !dtype.computes() => None,
        Class::Bool => Some(Kind::Truths),
        Class::Signed | Class::Unsigned => Some(Kind::Integers),
        Class::Float => Some(Kind::Reals),
        Class::Complex => Some(Kind::Complex),
        Class::Text => None,
    }
}

fn kind_of_number(scalar: Scalar) -> Kind {
    match scalar {
        Scalar::Bool => Kind::Truths,
        Scalar::Int => Kind::Integers,
        Scalar::Float => Kind::Reals,
        Scalar::Complex => Kind::Complex,
    }
}

/// The least float type that holds the integers of a type, as far as any does.
fn float_for(integer: DType) -> DType {
    match integer.bits() {
        Some(..=8) => DType::F16,
        Some(..=16) => DType::F32,
        _ => DType::F64,
    }
}

/// Whether elements of a type are of the kind of another, or of one before it.
pub(crate) fn holds(dtype: DType, own: DType) -> bool {
    kind(own).is_some_and(|own| Some(own) <= kind(dtype))
}

/// The type of two that are of different kinds; `None` if they are not, or it is not known here.
pub(crate) fn common(left: DType, right: DType) -> Option<DType> {
    let (less, more) = match (kind(left)?, kind(right)?) {
        (a, b) if a < b => (left, right),
        (a, b) if a > b => (right, left),
        _ => return None,
    };
    match kind(less)? {
        Kind::Truths => Some(more),
        // As f16 it holds the integers of a byte to `ml_dtypes`, if not exactly.
        Kind::Integers if more == DType::Bf16 && float_for(less) == DType::F16 => Some(more),
        Kind::Integers => promote(float_for(less), more).ok(),
        // The standard has it.
        Kind::Reals | Kind::Complex => None,
    }
}

/// The type of an array beside a number of a later kind than its own: NumPy's own type of such numbers.
pub(crate) fn with_number(array: DType, number: Scalar) -> Option<DType> {
    let (own, other) = (kind(array)?, kind_of_number(number));
    match other {
        _ if own >= other => None,
        Kind::Integers => Some(DType::I64),
        Kind::Reals => Some(DType::F64),
        Kind::Complex if own < Kind::Reals => Some(DType::C128),
        Kind::Complex | Kind::Truths => None,
    }
}

/// For an operation on truth values alone: numbers are true where they are not 0.
#[inline]
pub(crate) fn truths(op: Op, operands: &mut [Operand]) {
    for operand in operands {
        if let Operand::Array(array) = operand
            && let Ok(dtype) = array.dtype()
            && dtype != DType::Bool
            && op.result(dtype).is_none()
            && op.result(DType::Bool).is_some()
            && op.result(DType::I64).is_none()
            && !matches!(op.record().body, Body::Select)
        {
            *array = array.convert(DType::Bool);
        }
    }
}

/// Gives operands of mixed kinds one type.
#[inline]
pub(crate) fn alike(operands: &mut [Operand]) {
    let of_array = |operand: &Operand| match operand {
        Operand::Array(array) => Some(array.dtype().ok().and_then(kind)),
        Operand::Number(_) => None,
    };
    let Some(own) = operands.iter().find_map(of_array) else { return numbers_alike(operands) };
    let fits = |operand: &Operand| match operand {
        Operand::Number(number) => match kind_of_number(number.kind()) {
            Kind::Truths => own == Some(Kind::Truths),
            other => Some(other) <= own || own == Some(Kind::Reals),
        },
        array => of_array(array) == Some(own),
    };
    if !operands.iter().all(fits) {
        convert(operands);
    }
}

/// If all operands are Python numbers, all take the widest kind.
#[cold]
fn numbers_alike(operands: &mut [Operand]) {
    let kinds = operands.iter().filter_map(|operand| match operand {
        Operand::Number(number) => Some(kind_of_number(number.kind())),
        Operand::Array(_) => None,
    });
    let Some(last) = kinds.max() else { return };
    for operand in operands {
        if let Operand::Number(number) = operand
            && kind_of_number(number.kind()) < last
        {
            let (whole, real) = match *number {
                Number::Bool(truth) => (i128::from(truth), f64::from(u8::from(truth))),
                #[allow(clippy::cast_precision_loss, reason = "it becomes a float")]
                Number::Int(n) => (n, n as f64),
                Number::Float(x) => (0, x),
                Number::Complex(_) => continue,
            };
            *number = match last {
                Kind::Truths | Kind::Integers => Number::Int(whole),
                Kind::Reals => Number::Float(real),
                Kind::Complex => Number::Complex(real.into()),
            };
        }
    }
}

/// The type of all of these; of the last kind first, so that it does not matter in which order they stand.
pub(crate) fn join(mut dtypes: Vec<DType>) -> Result<Option<DType>, NoCommonDType> {
    dtypes.sort_by_key(|&dtype| Reverse(kind(dtype)));
    let mut all: Option<DType> = None;
    for dtype in dtypes {
        let both = |before| common(before, dtype).map_or_else(|| promote(before, dtype), Ok);
        all = Some(all.map_or(Ok(dtype), both)?);
    }
    Ok(all)
}

#[cold]
fn convert(operands: &mut [Operand]) {
    let own = |operand: &Operand| if let Operand::Array(array) = operand { array.dtype().ok() } else { None };
    let dtypes: Vec<DType> = operands.iter().filter_map(own).collect();
    let Some(&last) = dtypes.iter().max_by_key(|dtype| kind(**dtype)) else { return };
    let Ok(Some(mut wanted)) = join(dtypes) else {
        // The library says which two have none in common: two of the last kind, or one that is only carried.
        for operand in operands {
            if let Operand::Array(array) = operand
                && let Some(own) = array.dtype().ok().and_then(kind)
                && Some(own) < kind(last)
            {
                *array = array.convert(last);
            }
        }
        return;
    };
    let of_arrays = wanted;
    for operand in &*operands {
        if let Operand::Number(number) = operand
            && let Some(both) = with_number(wanted, number.kind())
        {
            wanted = both;
        }
    }
    let to = kind(wanted);
    for operand in operands {
        match operand {
            // What the standard promotes is left to the library.
            Operand::Array(array) if array.dtype().ok().and_then(kind) != to || wanted != of_arrays => {
                *array = array.convert(wanted);
            }
            // A truth value beside numbers is one of them.
            Operand::Number(number) if number.kind() == Scalar::Bool && to > Some(Kind::Truths) => {
                *number = Number::Int(i128::from(*number == Number::Bool(true)));
            }
            _ => {}
        }
    }
}

/// The same for two arrays.
pub(crate) fn pair(left: Array, right: Array) -> [Array; 2] {
    match (left.dtype(), right.dtype()) {
        (Ok(a), Ok(b)) => match common(a, b) {
            Some(both) => [left.convert(both), right.convert(both)],
            None => [left, right],
        },
        _ => [left, right],
    }
}

/// The same for two of which a number may be one: it becomes an array of a type that it has beside the other.
pub(crate) fn both(left: Operand, right: Operand) -> Result<[Array; 2], Error> {
    let mut operands = [left, right];
    outside(&mut operands);
    alike(&mut operands);
    let dtype = operands.iter().find_map(|operand| match operand {
        Operand::Array(array) => Some(array.dtype()),
        Operand::Number(_) => None,
    });
    let [left, right] = operands.map(|operand| match (operand, &dtype) {
        (Operand::Array(array), _) => Ok(array),
        (Operand::Number(number), Some(Ok(dtype))) => {
            Ok(Array::from(number.tensor(with_scalar(*dtype, number.kind())?)))
        }
        (Operand::Number(_), Some(Err(error))) => Err(error.clone()),
        (Operand::Number(number), None) => Ok(Array::from(number.tensor(number.default_dtype()))),
    });
    Ok([left?, right?])
}

/// The same for a list of arrays.
pub(crate) fn arrays_alike(arrays: Vec<Array>) -> Vec<Array> {
    let mut operands: Vec<Operand> = arrays.into_iter().map(Operand::Array).collect();
    alike(&mut operands);
    let array = |operand| if let Operand::Array(array) = operand { Some(array) } else { None };
    operands.into_iter().filter_map(array).collect()
}

/// Integers beside one that their type does not hold: it is greater or less than all of them.
#[inline]
pub(crate) fn beyond(op: Op, operands: &mut [Operand]) {
    match op {
        Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            outside(operands);
        }
        Op::Clip => bounds(operands),
        _ => {}
    }
}

/// An integer beyond the array's type becomes ±infinity, compared with the array as f64.
fn outside(operands: &mut [Operand]) {
    if let [Operand::Array(array), Operand::Number(number)] | [Operand::Number(number), Operand::Array(array)] =
        operands
        && let Number::Int(n) = *number
        && array.dtype().ok().and_then(DType::integers).is_some_and(|held| !held.contains(&n))
    {
        *array = array.convert(DType::F64);
        *number = Number::Float(if n < 0 { f64::NEG_INFINITY } else { f64::INFINITY });
    }
}

/// Clip bounds beyond the type that exclude nothing become the type's own limits.
#[cold]
fn bounds(operands: &mut [Operand]) {
    let [Operand::Array(array), ends @ ..] = operands else { return };
    let Some(held) = array.dtype().ok().and_then(DType::integers) else { return };
    let (least, greatest) = (*held.start(), *held.end());
    for (end, limit) in ends.iter_mut().zip([least, greatest]) {
        if let Operand::Number(Number::Int(n)) = end
            && (*n < least) == (limit == least)
            && !held.contains(n)
        {
            *n = limit;
        }
    }
}

/// Whether an array has a type of an earlier kind, so that it may be put into elements of another.
pub(crate) fn is_earlier(array: &Array, dtype: DType) -> bool {
    let own = array.dtype().ok().and_then(kind);
    own.is_some() && own < kind(dtype)
}

/// What is put into elements of a type, if it is of an earlier kind, as that type.
pub(crate) fn into(dtype: DType, value: Operand) -> Operand {
    match value {
        Operand::Array(array) if is_earlier(&array, dtype) => array.convert(dtype).into(),
        Operand::Number(number) if number.kind() == Scalar::Bool && kind(dtype) > Some(Kind::Truths) => {
            Number::Int(i128::from(number == Number::Bool(true))).into()
        }
        other => other,
    }
}
