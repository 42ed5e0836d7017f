//! The one list of reductions that are folds of one operation. What is made of them (a mean, a norm, the place of the
//! greatest) is written with them, in `array`.

use std::fmt;

use crate::dtype::{Class, DType};
use crate::element::Real;
use crate::engine::Fold;
use crate::kernel::{
    Folding, FoldsComplexes, FoldsFloats, FoldsIntegers, FoldsWords, fold_complexes, fold_floats,
    fold_integers, fold_truths, fold_words, sums,
};
use crate::op::folded::{Add, LogicalAnd, LogicalOr, Maximum, Minimum, Multiply};
use crate::op::{self, Names, Op};

/// All there is to know of a reduction.
#[derive(Debug)]
pub struct Record {
    /// Its name here, which is the Array API's.
    pub name: &'static str,
    /// What it computes, in a line.
    pub summary: &'static str,
    /// What the dialects call it.
    pub names: Names,
    /// The element type that it is computed in and that the result has.
    pub result: ResultType,
    /// The identity element, the result for no elements; `None` if there is none.
    pub identity: Option<f64>,
    /// How far the result is from the exact one, for floats.
    pub accuracy: &'static str,
    /// Examples, which are tests: `"i8: 100, 100 -> 200"`.
    pub examples: &'static [&'static str],
}

/// The element type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// The argument's; small integers become 64 bits wide.
    Widened,
    /// The argument's.
    Same,
    /// Truth values, to which the argument is converted first.
    Truth,
}

/// A reduction: a fold with one binary operation.
///
/// ```
/// use ndcast::{DType, reduction::Reduction};
/// assert_eq!(Reduction::Sum.result(DType::I8), Some(DType::I64));
/// assert_eq!(Reduction::named("max"), Some(Reduction::Max));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// `x1 + x2 + ...`
    Sum,
    /// `x1 * x2 * ...`
    Prod,
    /// The greatest; NaN if one is.
    Max,
    /// The least; NaN if one is.
    Min,
    /// Whether one is true.
    Any,
    /// Whether all are true.
    All,
}

impl Reduction {
    /// Every one.
    pub const ALL: [Reduction; 6] =
        [Reduction::Sum, Reduction::Prod, Reduction::Max, Reduction::Min, Reduction::Any, Reduction::All];

    /// All there is to know of it.
    pub fn record(self) -> &'static Record {
        match self {
            Reduction::Sum => &Record {
                name: "sum",
                summary: "The sum. Small integers are added as 64 bits.",
                names: Names {
                    array_api: "sum",
                    onnx: "ReduceSum",
                    openvino: "ReduceSum",
                    stablehlo: "reduce[add]",
                    hlo: "reduce[add]",
                },
                result: ResultType::Widened,
                identity: Some(0.0),
                accuracy: "added pairwise in blocks: an error of about log2(n) ULP of the sum of the magnitudes",
                examples: &[
                    "f32: 1, 2, 3 -> 6",
                    "i8: 100, 100 -> 200",
                    "f64: inf, -inf -> nan",
                    "c64: 1+2j, 3 -> 4+2j",
                    "f16: 2048, 1, 1 -> 2050",
                ],
            },
            Reduction::Prod => &Record {
                name: "prod",
                summary: "The product. Small integers are multiplied as 64 bits.",
                names: Names {
                    array_api: "prod",
                    onnx: "ReduceProd",
                    openvino: "ReduceProd",
                    stablehlo: "reduce[multiply]",
                    hlo: "reduce[multiply]",
                },
                result: ResultType::Widened,
                identity: Some(1.0),
                accuracy: "multiplied pairwise in blocks: an error of about log2(n) ULP, and no overflow in between is undone",
                examples: &[
                    "f32: 2, 3, 4 -> 24",
                    "i8: 100, 100 -> 10000",
                    "f64: 0, inf -> nan",
                    "c64: 2j, 2j -> -4",
                ],
            },
            Reduction::Max => &Record {
                name: "max",
                summary: "The greatest; NaN if one is.",
                names: Names {
                    array_api: "max",
                    onnx: "ReduceMax",
                    openvino: "ReduceMax",
                    stablehlo: "reduce[maximum]",
                    hlo: "reduce[maximum]",
                },
                result: ResultType::Same,
                identity: None,
                accuracy: "exact",
                examples: &[
                    "f32: 1, 3, 2 -> 3",
                    "f32: 1, nan, 2 -> nan",
                    "i8: -128, -1 -> -1",
                    "f64: -0, 0 -> 0",
                ],
            },
            Reduction::Min => &Record {
                name: "min",
                summary: "The least; NaN if one is.",
                names: Names {
                    array_api: "min",
                    onnx: "ReduceMin",
                    openvino: "ReduceMin",
                    stablehlo: "reduce[minimum]",
                    hlo: "reduce[minimum]",
                },
                result: ResultType::Same,
                identity: None,
                accuracy: "exact",
                examples: &[
                    "f32: 1, 3, 2 -> 1",
                    "f32: 1, nan, 2 -> nan",
                    "u8: 255, 1 -> 1",
                    "f64: 0, -0 -> -0",
                ],
            },
            Reduction::Any => &Record {
                name: "any",
                summary: "Whether one is true, or not 0.",
                names: Names {
                    array_api: "any",
                    onnx: "",
                    openvino: "ReduceLogicalOr",
                    stablehlo: "reduce[or] reduce[add,bool] reduce[maximum,bool]",
                    hlo: "reduce[or] reduce[add,bool] reduce[maximum,bool]",
                },
                result: ResultType::Truth,
                identity: Some(0.0),
                accuracy: "exact",
                examples: &[
                    "bool: false, true -> true",
                    "f32: 0, nan -> true",
                    "i32: 0, 0 -> false",
                    "c64: 0, 1j -> true",
                ],
            },
            Reduction::All => &Record {
                name: "all",
                summary: "Whether all are true, or not 0.",
                names: Names {
                    array_api: "all",
                    onnx: "",
                    openvino: "ReduceLogicalAnd",
                    stablehlo: "reduce[and] reduce[multiply,bool] reduce[minimum,bool]",
                    hlo: "reduce[and] reduce[multiply,bool] reduce[minimum,bool]",
                },
                result: ResultType::Truth,
                identity: Some(1.0),
                accuracy: "exact",
                examples: &[
                    "bool: false, true -> false",
                    "f32: 1, nan -> true",
                    "i32: 1, 0 -> false",
                    "c64: 1, 1j -> true",
                ],
            },
        }
    }

    /// The reduction of this name.
    pub fn named(name: &str) -> Option<Reduction> {
        Reduction::ALL.into_iter().find(|reduction| reduction.record().name == name)
    }

    /// The reduction that a dialect calls so, where these conditions hold; see [`Op::called`](crate::Op::called).
    ///
    /// ```
    /// use ndcast::reduction::Reduction;
    /// let called = |conditions: &[&str]| Reduction::called(|names| names.hlo, "reduce", conditions);
    /// assert_eq!(called(&["add", "float"]), Some(Reduction::Sum));
    /// assert_eq!(called(&["add", "bool"]), Some(Reduction::Any));
    /// ```
    pub fn called(dialect: fn(&Names) -> &'static str, name: &str, conditions: &[&str]) -> Option<Reduction> {
        let all = Reduction::ALL.into_iter().map(|one| (one, dialect(&one.record().names)));
        crate::op::called(all, name, conditions)
    }

    /// The elementwise operation of which it is a fold, where that is one of numbers.
    pub(crate) fn op(self) -> Option<Op> {
        match self {
            Reduction::Sum => Some(Op::Add),
            Reduction::Prod => Some(Op::Multiply),
            Reduction::Max => Some(Op::Maximum),
            Reduction::Min => Some(Op::Minimum),
            Reduction::Any | Reduction::All => None,
        }
    }

    /// The element type of the result for elements of this type; `None` if it does not take them.
    pub fn result(self, dtype: DType) -> Option<DType> {
        let result = match (self.record().result, dtype.class()) {
            (ResultType::Widened, Class::Signed) => DType::I64,
            (ResultType::Widened, Class::Unsigned) => DType::U64,
            (ResultType::Widened | ResultType::Same, _) => dtype,
            (ResultType::Truth, _) => DType::Bool,
        };
        (dtype.computes() && self.fold(result.computed_in()).is_some()).then_some(result)
    }

    /// The equivalent reduction for this element type: the maximum of truth values is `any`, the minimum `all`.
    pub(crate) fn of(self, dtype: DType) -> Reduction {
        match self {
            Reduction::Max if dtype == DType::Bool => Reduction::Any,
            Reduction::Min if dtype == DType::Bool => Reduction::All,
            other => other,
        }
    }

    /// Whether the result is one of the elements.
    fn chooses(self) -> bool {
        matches!(self, Reduction::Max | Reduction::Min)
    }

    /// Whether elements of this type can be folded in any order: nothing is rounded.
    pub(crate) fn is_free(self, dtype: DType) -> bool {
        self.chooses() || !matches!(dtype.class(), Class::Float | Class::Complex)
    }

    /// Its kernels for elements of this type, a compute type.
    pub(crate) fn fold(self, dtype: DType) -> Option<Fold> {
        let size = dtype.size()?;
        let folding = match self {
            Reduction::Sum => numbers::<Add>(dtype),
            Reduction::Prod => numbers::<Multiply>(dtype),
            Reduction::Max => reals::<Maximum>(dtype),
            Reduction::Min => reals::<Minimum>(dtype),
            Reduction::Any => fold_truths::<LogicalOr>(dtype),
            Reduction::All => fold_truths::<LogicalAnd>(dtype),
        }?;
        let (chooses, any_order) = (self.chooses(), self.is_free(dtype));
        // Which of several NaNs comes out is all that an order decides.
        let one_nan: Option<fn(&mut [u8])> = match dtype {
            DType::F32 if chooses => Some(|values| one_nan(values, f32::NAN)),
            DType::F64 if chooses => Some(|values| one_nan(values, f64::NAN)),
            _ => None,
        };
        Some(Fold { folding, of: None, size, any_order, one_nan })
    }

    /// As [`Self::fold`], fused with the chain of operations that makes the elements; or, if there are none, with their
    /// conversion from a type.
    pub(crate) fn fold_of(self, from: DType, ops: &[Op], dtype: DType) -> Option<Fold> {
        let of = match self {
            Reduction::Sum if ops.is_empty() => sums::<Add>(from, dtype),
            Reduction::Sum => op::folding_of::<Add>(ops, dtype),
            _ => None,
        };
        self.fold(dtype).map(|fold| Fold { of, ..fold })
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.record().name)
    }
}

/// Makes one NaN of all.
fn one_nan<T: Real>(values: &mut [u8], nan: T) {
    for value in bytemuck::cast_slice_mut::<u8, T>(values) {
        *value = if value.is_nan() { nan } else { *value };
    }
}

fn reals<O: FoldsIntegers + FoldsFloats>(dtype: DType) -> Option<Folding> {
    fold_integers::<O>(dtype).or(fold_floats::<O>(dtype))
}

fn numbers<O: FoldsWords + FoldsFloats + FoldsComplexes>(dtype: DType) -> Option<Folding> {
    fold_words::<O>(dtype).or(fold_floats::<O>(dtype)).or(fold_complexes::<O>(dtype))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reduction_is_found_by_its_name_and_takes_something() {
        for reduction in Reduction::ALL {
            assert_eq!(Reduction::named(reduction.record().name), Some(reduction));
            assert!(reduction.record().summary.ends_with('.'));
            assert!(reduction.result(DType::F32).is_some());
            assert_eq!(reduction.result(DType::String), None);
            assert_eq!(reduction.result(DType::F8E4M3), None);
        }
        assert_eq!(Reduction::Sum.result(DType::U16), Some(DType::U64));
        assert_eq!(Reduction::Sum.result(DType::F16), Some(DType::F16));
        assert_eq!(Reduction::Max.result(DType::C64), None);
        assert_eq!(Reduction::Any.result(DType::C64), Some(DType::Bool));
    }

    /// Wherever the one element is that decides, also behind where it is first asked for.
    #[test]
    fn one_truth_value_decides() {
        for (count, place) in [(1, 0), (70, 69), (9000, 0), (9000, 4500), (9000, 8999), (400_000, 399_999)] {
            for (reduction, most) in [(Reduction::Any, false), (Reduction::All, true)] {
                let mut truths = vec![most; count];
                let of = |truths: &[bool]| {
                    let fold = reduction.fold(DType::Bool).unwrap();
                    let bytes: Vec<u8> = truths.iter().map(|&truth| truth.into()).collect();
                    let mut result = [7];
                    fold.run(&bytes, &mut result);
                    result[0] == 1
                };
                assert_eq!(of(&truths), most);
                truths[place] = !most;
                assert_eq!(of(&truths), !most, "{reduction} of {count}, {place}");
            }
        }
    }
}
