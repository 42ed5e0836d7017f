//! Recognises what a fold's region computes: its value as a canonical text, compared with known ones.

use std::collections::HashMap;

use super::{Attribute, Operation, Region, Type};
use crate::array::Array;
use crate::dtype::DType;
use crate::reduction::Reduction;

/// What a region does with what it was given so far and the next element.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Folding {
    /// For each operand the instruction that folds it.
    Each(Vec<String>),
    /// The logarithm of the sum of exponentials, as JAX writes it.
    Logaddexp,
    /// Of two operands the greatest or the least of the first, and what of the second lies there.
    Place(Reduction),
}

/// Longer values are none of those that are known.
const LONGEST: usize = 4096;

/// For each of some values the type that a region rounds it to, if it does. XLA's compiler writes so in f32 what a processor does
/// not have for bf16: before each step there is a conversion, and behind it one back.
///
/// DIFFERENCE: such a value is rounded before the region has it, as it was before the compiler wrote it otherwise, and not where
/// the region says so. Of elements that are of that type already, it is the same.
pub(super) type Rounded = Vec<Option<DType>>;

/// What a region returns.
#[derive(Debug, Default)]
pub(super) struct Returned {
    pub(super) texts: Vec<String>,
    /// What it rounds its arguments to.
    pub(super) rounded: Rounded,
}

/// What a region does, if it is known, and what it rounds the operands to.
pub(super) fn folding(region: &Region) -> Option<(Folding, Rounded)> {
    let count = region.arguments.len() / 2;
    let Returned { texts: results, rounded } = results(region, |_| None)?;
    if results.len() != count || region.arguments.len() % 2 == 1 {
        return None;
    }
    // A fold that rounds only its elements does not round its sum.
    let (so_far, next) = rounded.split_at(count);
    if so_far != next {
        return None;
    }
    folded(&results).map(|folding| (folding, so_far.to_vec()))
}

/// What folds to these values, of which there is one for each operand.
fn folded(results: &[String]) -> Option<Folding> {
    let count = results.len();
    let each = results.iter().enumerate().map(|(place, text)| {
        let opcode = text.strip_suffix(&format!("({place},{})", place + count))?;
        Some(opcode.to_owned())
    });
    if let Some(each) = each.collect() {
        return Some(Folding::Each(each));
    }
    if results == [LOGADDEXP] {
        return Some(Folding::Logaddexp);
    }
    let [value, place] = results else { return None };
    [("0,2", "or", Reduction::Max), ("2,0", "and", Reduction::Min)].into_iter().find_map(
        |(order, of_truths, which)| {
            let is = |[known_value, known_place]: &[&str; 2]| {
                known_value.replace('@', order).replace('#', of_truths) == *value
                    && known_place.replace('@', order) == *place
            };
            PLACES.iter().any(is).then_some(Folding::Place(which))
        },
    )
}

/// What a region of a scatter does with what is there and what is put: the instruction, or nothing if the latter stays. And what
/// it rounds both to.
pub(super) fn putting(region: &Region) -> Option<(Option<String>, Option<DType>)> {
    if region.arguments.len() == 2 && results(region, |_| None)?.texts == ["1"] {
        return Some((None, None));
    }
    match folding(region)? {
        (Folding::Each(mut opcodes), rounded) if opcodes.len() == 1 => Some((opcodes.pop(), rounded[0])),
        _ => None,
    }
}

const LOGADDEXP: &str = "select(NE(subtract(0,1),subtract(0,1)),add(0,1),\
    add(log_plus_one(exponential(negate(abs(subtract(0,1))))),maximum(0,1)))";

/// The values and the places of the greatest, as they are written; with 0 and 2 the other way round, and `and` for `or`, the
/// least. Which of equal ones is found is left open by the order of a fold, and so is what the last two do with NaN.
const PLACES: &[[&str; 2]] = &[
    // JAX: NaN first, then the first of equal ones.
    ["select(or(GT(@),NE(0,0)),0,2)", "select(or(and(EQ(0,2),GT(3,1)),or(GT(@),NE(0,0))),1,3)"],
    // The same of integers, as XLA leaves it.
    ["select(GT(@),0,2)", "select(or(GT(@),and(EQ(0,2),GT(3,1))),1,3)"],
    ["select(GE(@),0,2)", "select(GE(@),1,3)"],
    // The same of truth values.
    ["#(0,2)", "select(or(GT(@),and(EQ(0,2),GT(3,1))),1,3)"],
    // Torch and TensorFlow.
    ["select(GE(@),0,2)", "select(EQ(0,2),minimum(1,3),select(GE(@),1,3))"],
];

/// The operations of a region, in a few words.
pub(super) fn said(region: &Region) -> String {
    let names: Vec<&str> = region.operations.iter().map(Operation::short_name).take(12).collect();
    names.join(", ")
}

/// A value within a region.
#[derive(Clone, Debug, Default)]
struct Value {
    text: String,
    dtype: Option<DType>,
    /// The arguments that it is or is computed of.
    of: Vec<usize>,
}

/// The values that a region returns; of what stands around it constants are known.
pub(super) fn results(region: &Region, around: impl Fn(&str) -> Option<f64>) -> Option<Returned> {
    let mut values: HashMap<&str, Value> = HashMap::new();
    for (place, (name, type_)) in region.arguments.iter().enumerate() {
        let value = Value { text: place.to_string(), dtype: element(Some(type_)), of: vec![place] };
        values.insert(name, value);
    }
    let mut rounded = vec![None; region.arguments.len()];
    for operation in &region.operations {
        let known = |name: &str| {
            let constant = |number| Value { text: constant(number), ..Value::default() };
            values.get(name).cloned().or_else(|| around(name).map(constant))
        };
        let operands: Option<Vec<Value>> = operation.operands.iter().map(|used| known(&used.name)).collect();
        let operands = operands?;
        let texts = operands.iter().map(|operand| operand.text.clone()).collect();
        if operation.name.ends_with(".return") || operation.name == "hlo.tuple" {
            return Some(Returned { texts, rounded });
        }
        let dtype = element(operation.result_types.first());
        let text = match &operands[..] {
            [operand] if is_rounding(operation, operand.dtype, dtype) => {
                operand.of.iter().for_each(|&argument| rounded[argument] = dtype);
                operand.text.clone()
            }
            [operand] if is_rounding(operation, dtype, operand.dtype) => operand.text.clone(),
            _ => value(operation, texts)?,
        };
        let [(name, 1)] = &operation.results[..] else { return None };
        if text.len() > LONGEST {
            return None;
        }
        let compares = operation.short_name().ends_with("compare");
        let mut of: Vec<usize> =
            operands.into_iter().filter(|_| !compares).flat_map(|value| value.of).collect();
        of.sort_unstable();
        of.dedup();
        values.insert(name, Value { text, dtype, of });
    }
    None
}

/// The element type, as far as it is said.
fn element(type_: Option<&Type>) -> Option<DType> {
    if let Type::Tensor(tensor) = type_? { Some(tensor.dtype) } else { None }
}

/// Whether an operation rounds f32 to a shorter type that is computed with.
fn is_rounding(operation: &Operation, from: Option<DType>, to: Option<DType>) -> bool {
    let shorter = matches!(to, Some(DType::F16 | DType::Bf16));
    operation.short_name().trim_start_matches("hlo.") == "convert" && from == Some(DType::F32) && shorter
}

fn constant(number: f64) -> String {
    format!("constant({number:?})")
}

/// What a value is of whose bits this is a whole number that has the total order of floats, as XLA's compiler writes that: the
/// bits themselves, with all but the sign turned round below zero.
fn totally_ordered(text: &str) -> Option<&str> {
    let types = [
        (DType::I8, f64::from(i8::MAX)),
        (DType::I16, f64::from(i16::MAX)),
        (DType::I32, f64::from(i32::MAX)),
        (DType::I64, i64::MAX as f64),
    ];
    types.into_iter().find_map(|(dtype, most)| {
        let ordered = |value: &str| {
            let (bits, zero, most) = (format!("bits_{dtype}({value})"), constant(0.0), constant(most));
            format!("select(GT({zero},{bits}),xor({bits},{most}),{bits})")
        };
        // The value is there three times, and stands last.
        let length = text.len().checked_sub(ordered("").len())? / 3;
        let value = text.strip_suffix("))")?;
        let value = value.get(value.len().checked_sub(length)?..)?;
        (ordered(value) == text).then_some(value)
    })
}

/// What an operation gives.
fn value(operation: &Operation, mut operands: Vec<String>) -> Option<String> {
    let name = operation.short_name();
    let name = name.strip_prefix("hlo.").unwrap_or(name).replace('-', "_");
    let mut shown = name.clone();
    match &name[..] {
        "add" | "multiply" | "maximum" | "minimum" | "and" | "or" | "xor" => operands.sort(),
        "compare" => {
            let word = |name: &str| operation.attribute(name).and_then(Attribute::text);
            let total = operands.iter().map(|bits| totally_ordered(bits).map(str::to_owned));
            let total: Option<Vec<String>> = total.collect();
            let order = match &total {
                Some(_) => "TOTAL_",
                None if word("compare_type") == Some("TOTALORDER") => "TOTAL_",
                None => "",
            };
            operands = total.unwrap_or(operands);
            let direction = word("comparison_direction")?;
            match direction {
                "EQ" | "NE" => operands.sort(),
                "LT" | "LE" => operands.reverse(),
                _ => {}
            }
            shown = order.to_owned() + &direction.replace('L', "G");
        }
        "constant" => {
            let Some(Attribute::Literal(literal)) = operation.attribute("value") else { return None };
            let number = Array::from(literal.elements.clone()).convert(DType::F64).reshape(&[]);
            return number.item::<f64>().ok().map(constant);
        }
        // Both are, of a scalar, the bits that it has, as another type.
        "bitcast" | "bitcast_convert" => {
            let dtype = element(operation.result_types.first())?;
            shown = format!("bits_{dtype}");
        }
        // What only holds a scalar's place.
        "copy" | "optimization_barrier" | "opt_barrier" => return operands.pop(),
        _ => {}
    }
    Some(format!("{shown}({})", operands.join(",")))
}
