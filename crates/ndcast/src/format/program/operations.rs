//! The operations of StableHLO, CHLO and HLO: one table, each row a name and its call of the dialect's door. Elementwise
//! operations are not in it: they are read from their records.
//!
//! A name is StableHLO's without its dialect; `chlo.` and `hlo.` stand before what only those have, or have otherwise.

use super::call::Call;
use super::{Attribute, fold, sort};
use crate::dialect::hlo::{DotDimensions, Padding};
use crate::dtype::Class;
use crate::error::Error;
use crate::format::formula::number;
use crate::graph::kind::{Apply, Broadcast, Transpose};
use crate::graph::{Graph, Id, Kind};
use crate::op::{Op, entries};

type Make = fn(&mut Call<'_>) -> Result<Vec<Id>, Error>;

/// Every operation that is not elementwise.
const TABLE: &[(&str, Make)] = &[
    ("constant", constant),
    ("iota", |call| {
        let dtype = call.result_dtype()?;
        let (sizes, axis) = (call.result_sizes()?, call.integer("iota_dimension")?);
        call.hlo().iota(dtype, &sizes, axis).map(one)
    }),
    ("dynamic_iota", |call| {
        let (dtype, [shape]) = (call.result_dtype()?, call.exactly()?);
        let axis = call.integer("iota_dimension")?;
        call.stablehlo().dynamic_iota(dtype, shape, axis).map(one)
    }),
    ("convert", |call| {
        let (to, [x]) = (call.result_dtype()?, call.exactly()?);
        // To the type that it has: what JAX writes a great many of.
        call.converted(x, to).map(one)
    }),
    ("bitcast_convert", |call| {
        let (to, [x]) = (call.result_dtype()?, call.exactly()?);
        call.hlo().bitcast_convert(x, to).map(one)
    }),
    ("reshape", |call| {
        let (sizes, [x]) = (call.result_sizes()?, call.exactly()?);
        call.hlo().reshape(x, &sizes).map(one)
    }),
    ("dynamic_reshape", |call| {
        let [x, shape] = call.exactly()?;
        call.stablehlo().dynamic_reshape(x, shape).map(one)
    }),
    ("broadcast_in_dim", |call| {
        let [x] = call.exactly()?;
        let (shape, dims) = (call.result()?.shape.clone(), call.integers("broadcast_dimensions")?);
        call.stablehlo().broadcast_in_dim(x, &shape, &dims).map(one)
    }),
    ("dynamic_broadcast_in_dim", |call| {
        let [x, shape] = call.exactly()?;
        let dims = call.integers("broadcast_dimensions")?;
        call.stablehlo().dynamic_broadcast_in_dim(x, shape, &dims).map(one)
    }),
    ("broadcast", |call| {
        let [x] = call.exactly()?;
        let sizes = call.integers("broadcast_sizes")?;
        crate::dialect::xla::Builder::new(call.graph).broadcast(x, &sizes).map(one)
    }),
    ("hlo.broadcast", |call| {
        let [x] = call.exactly()?;
        let (shape, dims) = (call.result()?.shape.clone(), call.integers_or("dimensions", Vec::new)?);
        call.hlo().broadcast(x, &shape, &dims).map(one)
    }),
    ("transpose", |call| {
        let [x] = call.exactly()?;
        let order = call.integers("permutation")?;
        call.hlo().transpose(x, &order).map(one)
    }),
    ("reverse", |call| {
        let [x] = call.exactly()?;
        let dims = call.integers("dimensions")?;
        call.hlo().reverse(x, &dims).map(one)
    }),
    ("slice", |call| {
        let [x] = call.exactly()?;
        let [starts, limits] = ["start_indices", "limit_indices"].map(|name| call.integers(name));
        let (starts, limits) = (starts?, limits?);
        let strides = call.integers_or("strides", || vec![1; starts.len()])?;
        call.hlo().slice(x, &starts, &limits, &strides).map(one)
    }),
    ("real_dynamic_slice", |call| {
        let [x, starts, limits, strides] = call.exactly()?;
        call.stablehlo().real_dynamic_slice(x, [starts, limits, strides]).map(one)
    }),
    ("dynamic_slice", |call| {
        let (x, starts) = call.first()?;
        let sizes = call.integers("slice_sizes")?;
        call.hlo().dynamic_slice(x, &starts, &sizes).map(one)
    }),
    ("dynamic_update_slice", |call| {
        let (x, rest) = call.first()?;
        let Some((&update, starts)) = rest.split_first() else {
            return Err(Error::value("there is no update".to_owned()));
        };
        call.hlo().dynamic_update_slice(x, update, starts).map(one)
    }),
    ("concatenate", |call| {
        let axis = call.integer("dimension")?;
        let operands = call.operands.clone();
        call.hlo().concatenate(&operands, axis).map(one)
    }),
    ("pad", |call| {
        let [x, value] = call.exactly()?;
        let low = call.integers("edge_padding_low")?;
        let high = call.integers("edge_padding_high")?;
        let interior = call.integers_or("interior_padding", || vec![0; low.len()])?;
        let padding = Padding::of_axes([&low, &high, &interior])?;
        call.hlo().pad(x, value, &padding).map(one)
    }),
    ("dynamic_pad", |call| {
        let [x, value, low, high, interior] = call.exactly()?;
        call.stablehlo().dynamic_pad(x, value, [low, high, interior]).map(one)
    }),
    ("get_dimension_size", |call| {
        let [x] = call.exactly()?;
        let axis = call.integer("dimension")?;
        call.hlo().get_dimension_size(x, axis).map(one)
    }),
    ("compare", |call| {
        let operands = call.exactly()?;
        let (direction, comparison) = call.comparison()?;
        call.hlo().compare(direction, comparison, operands).map(one)
    }),
    ("select", |call| {
        let [predicate, on_true, on_false] = call.exactly()?;
        call.hlo().select(predicate, on_true, on_false).map(one)
    }),
    ("clamp", |call| {
        let [min, x, max] = call.exactly()?;
        call.hlo().clamp(min, x, max).map(one)
    }),
    ("reduce_precision", |call| {
        let [x] = call.exactly()?;
        let [exponent, mantissa] = call.precision()?;
        call.hlo().reduce_precision(x, exponent, mantissa).map(one)
    }),
    ("dot", |call| {
        let [left, right] = call.exactly()?;
        let to = call.result_dtype()?;
        let last = call.graph.known_rank(left)?.checked_sub(1);
        let last = last.and_then(|last| i64::try_from(last).ok()).unwrap_or(0);
        let dimensions = DotDimensions {
            left_contracting: vec![last],
            right_contracting: vec![0],
            ..DotDimensions::default()
        };
        call.hlo().dot_general(left, right, &dimensions, Some(to)).map(one)
    }),
    ("dot_general", dot_general),
    ("hlo.dot", dot_general),
    ("gather", |call| {
        let [x, starts] = call.exactly()?;
        let (dimensions, sizes) = (call.gather_dimensions()?, call.integers("slice_sizes")?);
        call.hlo().gather(x, starts, &dimensions, &sizes).map(one)
    }),
    ("dynamic_gather", |call| {
        let [x, starts, sizes] = call.exactly()?;
        let dimensions = call.gather_dimensions()?;
        call.stablehlo().dynamic_gather(x, starts, sizes, &dimensions).map(one)
    }),
    ("scatter", fold::scatter),
    ("reduce", fold::reduce),
    ("reduce_window", fold::reduce_window),
    ("sort", sort::sort),
    ("chlo.top_k", sort::top_k),
    ("hlo.topk", sort::top_k),
    ("optimization_barrier", |call| Ok(call.operands.clone())),
    ("hlo.opt_barrier", |call| Ok(call.operands.clone())),
    ("sdy.sharding_constraint", |call| Ok(call.operands.clone())),
    ("custom_call", |call| {
        let target = call.operation.attribute("call_target_name").and_then(Attribute::text);
        let custom = CUSTOM.iter().find(|(name, _)| target == Some(name));
        let (_, make) = custom.ok_or_else(|| Error::value("such a call is not known".to_owned()))?;
        make(call)
    }),
    ("chlo.constant", constant),
    ("chlo.broadcast_compare", |call| {
        let operands = call.exactly()?;
        let (direction, comparison) = call.comparison()?;
        let dims = call.broadcast_dimensions()?;
        call.stablehlo().broadcast_compare(direction, comparison, operands, dims.as_deref()).map(one)
    }),
    ("chlo.broadcast_select", |call| {
        let operands = call.exactly()?;
        call.stablehlo().broadcast_select(operands).map(one)
    }),
    ("hlo.bitcast", bitcast),
    ("hlo.tuple", |call| Ok(call.operands.clone())),
    ("hlo.get_tuple_element", |call| {
        let index = call.integer("index")?;
        let found = usize::try_from(index).ok().and_then(|index| call.operands.get(index));
        let count = call.operands.len();
        let wrong = || Error::value(format!("there is no element {index} of a tuple of {count}"));
        found.copied().map(one).ok_or_else(wrong)
    }),
];

/// The same memory as another array: what lies there in the order of the operand's axes, as it lies in that of the result's.
fn bitcast(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let (to, sizes, [mut x]) = (call.result_dtype()?, call.result_sizes()?, call.exactly()?);
    // The axes from the outermost on in memory, where that is said and not how they stand.
    let [from, into] = ["operand_order", "order"].map(|name| call.integers(name));
    let [from, into] = [from?, into?]
        .map(|order| Some(order).filter(|order| order.iter().zip(0..).any(|(&axis, place)| axis != place)));
    if let Some(from) = from {
        x = call.hlo().transpose(x, &from)?;
    }
    let Some(into) = into else { return call.reinterpreted(x, to, &sizes).map(one) };
    let into: Vec<usize> = into.into_iter().filter_map(|axis| usize::try_from(axis).ok()).collect();
    let mut back: Vec<usize> = (0..into.len()).collect();
    back.sort_by_key(|&place| into[place]);
    if into.len() != sizes.len() || back.iter().enumerate().any(|(axis, &place)| into[place] != axis) {
        return Err(Error::value(format!("its layout has not each of its {} axes once", sizes.len())));
    }
    let lying: Vec<i64> = into.iter().map(|&axis| sizes[axis]).collect();
    let x = call.reinterpreted(x, to, &lying)?;
    call.graph.add(Transpose::new(back), &[x]).map(one)
}

/// The custom calls that are known, by their targets; all others are foreign.
pub(super) const CUSTOM: &[(&str, Make)] = &[
    // JAX checks in them what its polymorphic shapes assume.
    ("shape_assertion", |_| Ok(Vec::new())),
    ("stablehlo.dynamic_reduce_window", fold::dynamic_reduce_window),
    // On which devices a value lies changes nothing of it.
    ("Sharding", |call| Ok(call.operands.clone())),
    // As older exporters write CHLO's.
    ("mhlo.topk", sort::top_k),
    // What XLA's compiler makes of one.
    ("TopK", sort::top_k_as_compiled),
];

/// What the builder itself does with other functions.
const CALLS: [&str; 13] = [
    "func.call",
    "func.return",
    "stablehlo.return",
    "stablehlo.composite",
    "stablehlo.case",
    "stablehlo.if",
    "stablehlo.while",
    "stablehlo.map",
    "hlo.call",
    "hlo.fusion",
    "hlo.conditional",
    "hlo.while",
    "hlo.map",
];

/// Whether there is an operation of this name.
pub(in crate::format) fn knows(name: &str) -> bool {
    CALLS.contains(&name) || name == "hlo.return" || row(name).is_some() || is_elementwise(name)
}

/// Every operation that is read: of HLO by its opcodes, else of StableHLO, CHLO and what holds their functions.
pub(in crate::format) fn names(is_hlo: bool) -> Vec<String> {
    let rows = TABLE.iter().filter_map(|(name, _)| match name.split_once('.') {
        Some(("hlo", opcode)) => is_hlo.then(|| opcode.replace('_', "-")),
        Some(_) => (!is_hlo).then(|| (*name).to_owned()),
        None if is_hlo => is_opcode(name).then(|| name.replace('_', "-")),
        None => Some((*name).to_owned()),
    });
    let records =
        Op::ALL.iter().map(|op| if is_hlo { op.record().names.hlo } else { op.record().names.stablehlo });
    let elementwise = records.flat_map(entries).map(|(name, _)| name.to_owned());
    let calls = CALLS.iter().filter_map(|name| match name.split_once('.') {
        Some(("hlo", opcode)) => is_hlo.then(|| opcode.to_owned()),
        Some(("stablehlo", short)) => (!is_hlo).then(|| short.to_owned()),
        _ => (!is_hlo).then(|| (*name).to_owned()),
    });
    let mut names: Vec<String> = rows.chain(elementwise).chain(calls).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Whether HLO has a row's operation by its name.
fn is_opcode(name: &str) -> bool {
    const OTHERS: [&str; 9] = [
        "dynamic_iota",
        "dynamic_reshape",
        "broadcast_in_dim",
        "dynamic_broadcast_in_dim",
        "real_dynamic_slice",
        "dynamic_pad",
        "dynamic_gather",
        "dot_general",
        "optimization_barrier",
    ];
    !OTHERS.contains(&name)
}

fn row(name: &str) -> Option<Make> {
    let short = name.strip_prefix("stablehlo.").map(str::to_owned);
    let hlo = name.strip_prefix("hlo.").map(|name| name.replace('-', "_"));
    let own = hlo.as_ref().map(|name| format!("hlo.{name}"));
    let other = ["chlo.", "sdy."].iter().any(|dialect| name.starts_with(dialect)).then(|| name.to_owned());
    let mut names = [own, hlo, short, other].into_iter().flatten();
    names.find_map(|name| TABLE.iter().find(|(row, _)| *row == name).map(|(_, make)| *make))
}

/// An elementwise operation's name in the records, and which of their names it is.
fn elementwise(name: &str) -> (&str, fn(&crate::op::Names) -> &'static str) {
    match name.strip_prefix("hlo.") {
        Some(name) => (name, |names| names.hlo),
        None => (name.strip_prefix("stablehlo.").unwrap_or(name), |names| names.stablehlo),
    }
}

fn is_elementwise(name: &str) -> bool {
    let (short, names) = elementwise(name.strip_prefix("chlo.broadcast_").unwrap_or(name));
    let called = |short: &str| {
        Op::ALL.iter().any(|op| entries(names(&op.record().names)).any(|(entry, _)| entry == short))
    };
    match name.strip_prefix("chlo.broadcast_") {
        Some(binary) => called(binary) || called(&format!("chlo.{binary}")),
        // What is neither StableHLO's nor CHLO's has a dialect before it that is not taken off.
        None => called(short),
    }
}

/// What an operation makes.
pub(super) fn make(mut call: Call<'_>) -> Result<Vec<Id>, Error> {
    let name = &call.operation.name[..];
    if let Some(make) = row(name) {
        return make(&mut call);
    }
    let operands = call.operands.clone();
    if let Some(binary) = name.strip_prefix("chlo.broadcast_") {
        let dims = call.broadcast_dimensions()?;
        let operands = call.exactly()?;
        return call.stablehlo().broadcast_binary(binary, operands, dims.as_deref()).map(one);
    }
    if let Some(x) = logistic(call.graph, call_name(name), &operands) {
        return call.graph.apply(Op::Sigmoid, &[x]).map(one);
    }
    match name.strip_prefix("hlo.") {
        Some(opcode) => call.hlo().elementwise(opcode, &operands).map(one),
        None => call.stablehlo().elementwise(call_name(name), &operands).map(one),
    }
}

/// What `1 / (1 + exp(-x))` is the logistic function of, as JAX lowers that: its gradient is one where the exponential is infinite.
fn logistic(graph: &Graph, name: &str, operands: &[Id]) -> Option<Id> {
    let is_one = |id: Id| number(graph, id) == Some(1.0);
    let applied = |id: Id, wanted: Op| match graph.at(id).kind() {
        Kind::Apply(Apply(op)) if *op == wanted => Some(graph.at(id).arguments()),
        _ => None,
    };
    let (&[dividend, divisor], "divide") = (operands, name) else { return None };
    let sum = applied(divisor, Op::Add).filter(|_| is_one(dividend))?;
    let power = match *sum {
        [a, b] if is_one(a) => b,
        [a, b] if is_one(b) => a,
        _ => return None,
    };
    let x = *applied(*applied(power, Op::Exp)?.first()?, Op::Negative)?.first()?;
    (graph.at(x).dtype().class() == Class::Float && graph.at(x).shape() == graph.at(divisor).shape())
        .then_some(x)
}

fn call_name(name: &str) -> &str {
    elementwise(name).0
}

pub(super) fn one(id: Id) -> Vec<Id> {
    vec![id]
}

fn dot_general(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let [left, right] = call.exactly()?;
    let (to, dimensions) = (call.result_dtype()?, call.dot_dimensions()?);
    call.hlo().dot_general(left, right, &dimensions, Some(to)).map(one)
}

/// A constant; one element for all is laid over the shape and not repeated in memory.
fn constant(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let Some(Attribute::Literal(literal)) = call.operation.attribute("value") else {
        return Err(Error::value("the constant has no value".to_owned()));
    };
    let id = call.graph.constant(literal.elements.clone())?;
    if !literal.is_splat() {
        return Ok(one(id));
    }
    call.graph.add(Broadcast::scalar(&literal.shape), &[id]).map(one)
}
