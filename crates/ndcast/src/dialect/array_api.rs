//! The Python Array API standard (2025.12) as functions of Rust: broadcasting, the elementwise functions by the standard's
//! names, and changes in place.
//!
//! What each function computes is said in the record of its operation, which holds the standard's name for it too; a test
//! proves that none is missing. As with all [`Array`]s, what cannot be done is an error that the result holds.
//!
//! Not here: graph functions, since arrays are lazy; and calls with numbers alone, because the standard says that "at
//! least one of `x1` or `x2` must be an array".

use ndcast_shape::rule::array_api;
use ndcast_shape::{Extent, Index};

use crate::array::{Array, Operand, Place};
use crate::error::Error;
use crate::op::Op;

/// The common shape of several; `()` of none. Extents may be unknown ones ([`ndcast_shape::Dim`]), as far as an answer
/// follows.
///
/// ```
/// use ndcast::dialect::array_api;
/// assert_eq!(array_api::broadcast_shapes(&[&[8, 1, 6, 1][..], &[7, 1, 5]])?, [8, 7, 6, 5]);
/// # Ok::<(), ndcast::Error>(())
/// ```
///
/// # Errors
/// If they do not go together.
pub fn broadcast_shapes<E: Extent>(shapes: &[&[E]]) -> Result<Vec<E>, Error> {
    Ok(array_api::join(shapes)?.shape().to_vec())
}

/// An array in a shape, to which it is broadcast one way: the result has exactly this shape. Nothing is copied.
pub fn broadcast_to(x: &Array, shape: &[usize]) -> Array {
    x.broadcast_to(shape)
}

/// Arrays in their common shape, each with its own element type. Nothing is copied.
///
/// ```
/// use ndcast::{Array, dialect::array_api};
/// let row = Array::new(&[2], &[1, 2]);
/// let column = Array::new(&[2, 1], &[0.5, 1.5]);
/// let both = array_api::broadcast_arrays(&[&row, &column])?;
/// assert_eq!(both[0].to_vec::<i32>()?, [1, 2, 1, 2]);
/// assert_eq!(both[1].to_vec::<f64>()?, [0.5, 0.5, 1.5, 1.5]);
/// # Ok::<(), ndcast::Error>(())
/// ```
///
/// # Errors
/// If their shapes do not go together, or one holds an error.
pub fn broadcast_arrays(arrays: &[&Array]) -> Result<Vec<Array>, Error> {
    let shapes = arrays.iter().map(|array| array.shape()).collect::<Result<Vec<_>, _>>()?;
    let plan = array_api::join(&shapes)?;
    let broadcast: Vec<Array> =
        arrays.iter().enumerate().map(|(operand, array)| array.broadcast(&plan, operand)).collect();
    broadcast.iter().try_for_each(Array::check)?;
    Ok(broadcast)
}

/// The elementwise function of this name.
///
/// ```
/// use ndcast::{Array, dialect::array_api};
/// let x = Array::new(&[3], &[1.0, 4.0, 9.0]);
/// assert_eq!(array_api::call("sqrt", &[x.into()]).to_vec::<f64>()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), ndcast::Error>(())
/// ```
pub fn call(name: &str, operands: &[Operand]) -> Array {
    match Op::called(|names| names.array_api, name, &[]) {
        Some(op) => apply(op, operands),
        None => Err(Error::value(format!("the standard has no elementwise function called {name}"))).into(),
    }
}

/// "At least one of x1 or x2 must be an array": numbers alone have no element type.
fn apply(op: Op, operands: &[Operand]) -> Array {
    if !operands.iter().any(|operand| matches!(operand, Operand::Array(_))) {
        let error = Error::value("at least one argument must be an array, and all are numbers".to_owned());
        return Err(error.of(op.record().name)).into();
    }
    Array::apply(op, operands)
}

/// Makes functions, and the list of all.
macro_rules! functions {
    ($($function:ident $op:ident $($argument:ident)*;)*) => {
        $(
            #[doc = concat!("The operation [`", stringify!($op), "`](Op), of which the table there says what it computes.")]
            pub fn $function($($argument: impl Into<Operand>),*) -> Array {
                apply(Op::$op, &[$($argument.into()),*])
            }
        )*

        /// Each function with its operation and how many arguments it has.
        #[cfg(test)]
        const FUNCTIONS: &[(&str, Op, usize)] =
            &[$((stringify!($function), Op::$op, [$(stringify!($argument)),*].len()),)*];
    };
}

functions! {
    abs Abs x;
    acos Acos x;
    acosh Acosh x;
    add Add x1 x2;
    asin Asin x;
    asinh Asinh x;
    atan Atan x;
    atan2 Atan2 x1 x2;
    atanh Atanh x;
    bitwise_and BitwiseAnd x1 x2;
    bitwise_invert BitwiseInvert x;
    bitwise_left_shift BitwiseLeftShift x1 x2;
    bitwise_or BitwiseOr x1 x2;
    bitwise_right_shift BitwiseRightShift x1 x2;
    bitwise_xor BitwiseXor x1 x2;
    ceil Ceil x;
    conj Conj x;
    copysign Copysign x1 x2;
    cos Cos x;
    cosh Cosh x;
    divide Divide x1 x2;
    equal Equal x1 x2;
    exp Exp x;
    expm1 Expm1 x;
    floor Floor x;
    floor_divide FloorDivide x1 x2;
    greater Greater x1 x2;
    greater_equal GreaterEqual x1 x2;
    hypot Hypot x1 x2;
    imag Imag x;
    isfinite Isfinite x;
    isinf Isinf x;
    isnan Isnan x;
    less Less x1 x2;
    less_equal LessEqual x1 x2;
    log Log x;
    log10 Log10 x;
    log1p Log1p x;
    log2 Log2 x;
    logaddexp Logaddexp x1 x2;
    logical_and LogicalAnd x1 x2;
    logical_not LogicalNot x;
    logical_or LogicalOr x1 x2;
    logical_xor LogicalXor x1 x2;
    maximum Maximum x1 x2;
    minimum Minimum x1 x2;
    multiply Multiply x1 x2;
    negative Negative x;
    nextafter Nextafter x1 x2;
    not_equal NotEqual x1 x2;
    positive Positive x;
    pow Pow x1 x2;
    real Real x;
    reciprocal Reciprocal x;
    remainder Remainder x1 x2;
    round Round x;
    sign Sign x;
    signbit Signbit x;
    sin Sin x;
    sinh Sinh x;
    sqrt Sqrt x;
    square Square x;
    subtract Subtract x1 x2;
    tan Tan x;
    tanh Tanh x;
    trunc Trunc x;
    where_ Where condition x1 x2;
}

/// Each element put between two bounds, either of which may be left out. All three are broadcast, so the result may have
/// more elements than the array.
///
/// ```
/// use ndcast::{Array, dialect::array_api};
/// let x = Array::new(&[3], &[-2, 0, 5]);
/// assert_eq!(array_api::clip(&x, None, Some(3.into())).to_vec::<i32>()?, [-2, 0, 3]);
/// # Ok::<(), ndcast::Error>(())
/// ```
pub fn clip(x: &Array, min: Option<Operand>, max: Option<Operand>) -> Array {
    match (min, max) {
        // "If both are None, the elements of the returned array must equal the respective elements in x."
        (None, None) => x.clone(),
        (Some(min), None) => Array::apply(Op::Maximum, &[x.into(), min]),
        (None, Some(max)) => Array::apply(Op::Minimum, &[x.into(), max]),
        (Some(min), Some(max)) => Array::apply(Op::Clip, &[x.into(), min, max]),
    }
}

/// `x[index] = value`: the value is broadcast one way to what the index selects, whose shape and element type stay.
///
/// ```
/// use ndcast::{Array, dialect::array_api, shape::parse_index};
/// let mut x = Array::full(&[2, 3, 4], 0.0, ndcast::DType::F64);
/// let a = Array::full(&[1, 3, 4], 1.0, ndcast::DType::F64);
/// array_api::set_item(&mut x, &parse_index("...")?, &a)?;
/// assert_eq!(x.to_vec::<f64>()?, [1.0; 24]);
/// assert!(array_api::set_item(&mut x, &parse_index("1, ...")?, &a).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the value does not broadcast to what is selected, or its element type does not fit; the array is as it was.
pub fn set_item(x: &mut Array, index: &[Index], value: impl Into<Operand>) -> Result<(), Error> {
    let value = value.into();
    changed(x, |x| x.set(index, value))
}

/// The same array if a change fails. What is lazy costs nothing to keep, and what is ready is not copied before its change
/// runs, when the second handle is gone.
fn changed(x: &mut Array, change: impl FnOnce(&mut Array)) -> Result<(), Error> {
    let before = x.clone();
    change(x);
    x.check().inspect_err(|_| *x = before)
}

/// Makes functions of operators in place.
macro_rules! in_place {
    ($($function:ident $op:ident $operator:literal;)*) => {
        $(
            #[doc = concat!("`x1 ", $operator, " x2`: the right side is broadcast one way to the left, whose shape and \
                element type stay.")]
            ///
            /// # Errors
            /// If it does not broadcast so, or the result has another element type; the left side is as it was.
            pub fn $function(x1: &mut Array, x2: impl Into<Operand>) -> Result<(), Error> {
                let x2 = x2.into();
                changed(x1, |x1| x1.update(Op::$op, Place::Whole, x2))
            }
        )*

        /// Each operator's function.
        #[cfg(test)]
        const IN_PLACE: &[(&str, fn(&mut Array, Operand) -> Result<(), Error>)] =
            &[$(($operator, |x1, x2| $function(x1, x2)),)*];
    };
}

in_place! {
    iadd Add "+=";
    isub Subtract "-=";
    imul Multiply "*=";
    itruediv Divide "/=";
    ifloordiv FloorDivide "//=";
    imod Remainder "%=";
    ipow Pow "**=";
    iand BitwiseAnd "&=";
    ior BitwiseOr "|=";
    ixor BitwiseXor "^=";
    ilshift BitwiseLeftShift "<<=";
    irshift BitwiseRightShift ">>=";
}

/// `x1 @= x2`: the product of matrices in place of the left one, whose shape and element type stay.
///
/// # Errors
/// If the product has another shape or element type; the left side is as it was.
pub fn imatmul(x1: &mut Array, x2: &Array) -> Result<(), Error> {
    let product = x1.matmul(x2);
    if x1.shape()? != product.shape()? {
        let (left, product) = (ndcast_shape::Shape::from(x1.shape()?), product.shape()?.into());
        return Err(
            Error::new(crate::error::ErrorKind::Unequal { shapes: vec![left, product] }).of("imatmul")
        );
    }
    changed(x1, |x1| x1.assign(&product))
}

#[cfg(test)]
mod tests {
    use ndcast_shape::{Dim, Shape, parse_index};

    use super::*;
    use crate::dtype::DType;

    fn zeros(shape: &[usize]) -> Array {
        Array::full(shape, 0.0, DType::F64)
    }

    fn shape(text: &str) -> Vec<usize> {
        text.parse::<Shape>().unwrap().extents().unwrap()
    }

    #[test]
    fn every_elementwise_function_of_the_standard_is_there() {
        let own = |op: Op| FUNCTIONS.iter().find(|(_, other, _)| *other == op);
        for &op in Op::ALL {
            let name = op.record().names.array_api;
            match own(op) {
                Some((function, _, arity)) => {
                    assert_eq!((function.trim_end_matches('_'), *arity), (name, op.arity()));
                }
                // Its bounds may be left out one by one.
                None => assert!(name.is_empty() || op == Op::Clip, "{name}"),
            }
        }
        assert_eq!(FUNCTIONS.len(), 67);
    }

    /// The pairs of the page "Broadcasting", as operands of a function and by themselves.
    #[test]
    fn the_examples_of_the_page() {
        for (a, b, result) in [
            ("8x1x6x1", "7x1x5", Some("8x7x6x5")),
            ("5x4", "1", Some("5x4")),
            ("5x4", "4", Some("5x4")),
            ("15x3x5", "15x1x5", Some("15x3x5")),
            ("15x3x5", "3x5", Some("15x3x5")),
            ("15x3x5", "3x1", Some("15x3x5")),
            ("3", "4", None),
            ("2x1", "8x4x3", None),
            ("15x3x5", "15x3", None),
        ] {
            let (a, b, result) = (shape(a), shape(b), result.map(shape));
            assert_eq!(broadcast_shapes(&[&a[..], &b]).ok(), result, "{a:?} {b:?}");
            assert_eq!(add(zeros(&a), zeros(&b)).shape().ok(), result.as_deref(), "{a:?} {b:?}");
            let both = broadcast_arrays(&[&zeros(&a), &zeros(&b)]);
            match (both, result) {
                (Ok(both), Some(result)) => {
                    assert!(both.iter().all(|array| array.shape().unwrap() == result));
                }
                (both, result) => assert!(both.is_err() && result.is_none()),
            }
        }
    }

    #[test]
    fn assignments_of_the_page() {
        let (mut x, a) = (zeros(&[2, 3, 4]), Array::full(&[1, 3, 4], 1.0, DType::F64));
        set_item(&mut x, &parse_index("...").unwrap(), &a).unwrap();
        assert_eq!(x.to_vec::<f64>().unwrap(), [1.0; 24]);
        let error = set_item(&mut x, &parse_index("1, ...").unwrap(), &a).unwrap_err();
        assert!(error.to_string().starts_with("set: array-api.in-place: "), "{error}");
        assert_eq!(x.to_vec::<f64>().unwrap(), [1.0; 24], "the array is as it was");
    }

    #[test]
    fn the_left_side_stays() {
        let two = || Operand::from(Array::new(&[2], &[3i64, 2]));
        for (operator, function) in IN_PLACE {
            let mut x = Array::new(&[2, 2], &[12i64, 5, 7, 4]);
            let made = function(&mut x, two());
            assert_eq!(made.is_ok(), *operator != "/=", "{operator}: {made:?}");
            assert_eq!((x.shape().unwrap(), x.dtype().unwrap()), (&[2, 2][..], DType::I64), "{operator}");
            // A larger right side, by an extent or an axis.
            for larger in [zeros(&[2, 2, 2]), zeros(&[1, 2, 2])] {
                let mut x = zeros(&[2, 2]);
                assert!(function(&mut x, larger.into()).is_err(), "{operator}");
                assert_eq!(x.to_vec::<f64>().unwrap(), [0.0; 4]);
            }
        }
        let mut x = Array::new(&[2, 2], &[12i64, 5, 7, 4]);
        iadd(&mut x, two()).unwrap();
        imod(&mut x, 10).unwrap();
        assert_eq!(x.to_vec::<i64>().unwrap(), [5, 7, 0, 6]);
        imatmul(&mut x, &Array::new(&[2, 2], &[0i64, 1, 1, 0])).unwrap();
        assert_eq!(x.to_vec::<i64>().unwrap(), [7, 5, 6, 0]);
        assert!(imatmul(&mut x, &Array::new(&[2, 1], &[0i64, 1])).is_err());
        let mut x = Array::new(&[2], &[1.5f32, 2.5]);
        itruediv(&mut x, 0.5).unwrap();
        assert!(iadd(&mut x, zeros(&[2])).is_err(), "f64 does not fit into f32");
        assert_eq!(x.to_vec::<f32>().unwrap(), [3.0, 5.0]);
    }

    #[test]
    fn shapes_and_numbers_at_the_edges() {
        assert_eq!(broadcast_shapes::<usize>(&[]).unwrap(), []);
        assert_eq!(broadcast_shapes(&[&[0][..], &[1], &[]]).unwrap(), [0]);
        assert!(broadcast_shapes(&[&[0][..], &[2]]).is_err());
        let unknown: Shape = "Nx1x?".parse().unwrap();
        let joined = broadcast_shapes(&[unknown.dims().unwrap(), &[Dim::Known(4), Dim::Known(3)]]).unwrap();
        assert_eq!(Shape::from(joined).to_string(), "Nx4x3");
        assert!(broadcast_to(&zeros(&[2, 2]), &[2, 1, 2]).check().is_err());
        assert_eq!(broadcast_to(&zeros(&[1]), &[0]).shape().unwrap(), [0]);
        assert!(broadcast_to(&zeros(&[1]), &[]).check().is_err());
        assert!(broadcast_arrays(&[]).unwrap().is_empty());
        assert!(
            add(1, 2).check().unwrap_err().to_string().contains("at least one argument must be an array")
        );
        assert!(call("tangent", &[zeros(&[1]).into()]).check().is_err());
        // The bounds may make it larger.
        let x = Array::new(&[3], &[1.0, 5.0, 9.0]);
        let min = Array::new(&[2, 1], &[2.0, 6.0]);
        assert_eq!(
            clip(&x, Some(min.into()), Some(8.into())).to_vec::<f64>().unwrap(),
            [2.0, 5.0, 8.0, 6.0, 6.0, 8.0]
        );
        assert_eq!(clip(&x, None, None).to_vec::<f64>().unwrap(), [1.0, 5.0, 9.0]);
    }
}
