//! The attributes of instructions, by the names that StableHLO has for them.

use crate::error::Error;
use crate::format::program::{Attribute, Cursor};

/// What an attribute is called in StableHLO, for one opcode or (`""`) for all.
const NAMES: &[(&str, &str, &str)] = &[
    ("transpose", "dimensions", "permutation"),
    ("concatenate", "dimensions", "dimension"),
    ("get-dimension-size", "dimensions", "dimension"),
    ("sort", "dimensions", "dimension"),
    ("dynamic-slice", "dynamic_slice_sizes", "slice_sizes"),
    ("compare", "direction", "comparison_direction"),
    ("compare", "type", "compare_type"),
    ("call", "to_apply", "callee"),
    ("fusion", "calls", "callee"),
    ("custom-call", "custom_call_target", "call_target_name"),
    ("dot", "lhs_batch_dims", "lhs_batching_dimensions"),
    ("dot", "rhs_batch_dims", "rhs_batching_dimensions"),
    ("dot", "lhs_contracting_dims", "lhs_contracting_dimensions"),
    ("dot", "rhs_contracting_dims", "rhs_contracting_dimensions"),
];

/// Attributes that StableHLO groups into one: the opcode, the group's name, its members.
const GATHERED: &[(&str, &str, &[&str])] = &[
    (
        "dot",
        "dot_dimension_numbers",
        &[
            "lhs_batching_dimensions",
            "rhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "rhs_contracting_dimensions",
        ],
    ),
    (
        "gather",
        "dimension_numbers",
        &[
            "offset_dims",
            "collapsed_slice_dims",
            "start_index_map",
            "operand_batching_dims",
            "start_indices_batching_dims",
            "index_vector_dim",
        ],
    ),
    (
        "scatter",
        "scatter_dimension_numbers",
        &[
            "update_window_dims",
            "inserted_window_dims",
            "scatter_dims_to_operand_dims",
            "input_batching_dims",
            "scatter_indices_batching_dims",
            "index_vector_dim",
        ],
    ),
];

type Attributes = Vec<(String, Attribute)>;

/// `name=value`, passed over.
pub(super) fn pass(c: &mut Cursor<'_>) -> Result<(), Error> {
    read(c, "", &mut Vec::new())
}

/// `name=value` of an instruction.
pub(super) fn read(c: &mut Cursor<'_>, opcode: &str, to: &mut Attributes) -> Result<(), Error> {
    if !c.peek().is_some_and(|first| first.is_ascii_alphabetic()) {
        return Err(c.expected("an attribute, as in `name=value`,"));
    }
    let name = c.name()?;
    if !c.eat("=") {
        to.push((name.to_owned(), Attribute::Unit));
        return Ok(());
    }
    match (opcode, name) {
        // What is computed first is not said here.
        (_, "control-predecessors") => return c.balanced(),
        ("slice", "slice") => return ranges(c, to),
        ("pad", "padding") => return padding(c, to),
        ("reduce-window", "window") => return window(c, to),
        ("conditional", "branch_computations") | ("custom-call", "called_computations") => {
            let all = c.listed(["{", "}"], |c| super::syntax::name(c).map(Attribute::Symbol))?;
            to.push((name.to_owned(), Attribute::List(all)));
            return Ok(());
        }
        _ => {}
    }
    let renamed = NAMES.iter().find(|(of, other, _)| *of == opcode && *other == name);
    let name = renamed.map_or(name, |(.., renamed)| *renamed);
    let mut value = value(c)?;
    // One axis in brackets is an axis.
    if name == "dimension"
        && let Some([axis]) = value.integers().as_deref()
    {
        value = Attribute::Int(*axis);
    }
    to.push((name.to_owned(), value));
    Ok(())
}

/// What is one attribute in StableHLO becomes one.
pub(super) fn gathered(opcode: &str, attributes: &mut Attributes) {
    let Some((_, whole, parts)) = GATHERED.iter().find(|(of, ..)| *of == opcode) else { return };
    let all = std::mem::take(attributes);
    let (inside, outside): (Attributes, Attributes) =
        all.into_iter().partition(|(name, _)| parts.contains(&&name[..]));
    *attributes = outside;
    attributes.push(((*whole).to_owned(), Attribute::Fields(inside)));
}

/// `{0,1}`, `3`, `GT`, `%region`, `"text"`; anything else in brackets is passed over.
fn value(c: &mut Cursor<'_>) -> Result<Attribute, Error> {
    match c.peek() {
        Some('"') => c.string().map(Attribute::Text),
        Some('%') => super::syntax::name(c).map(Attribute::Symbol),
        Some('{') => {
            let mark = c.mark();
            if let Ok(list) = c.listed(["{", "}"], Cursor::integer) {
                return Ok(Attribute::Integers(list));
            }
            c.back(mark);
            c.balanced()?;
            Ok(Attribute::Opaque)
        }
        Some('[' | '(' | '<') => {
            c.balanced()?;
            Ok(Attribute::Opaque)
        }
        _ => {
            let mark = c.start();
            c.run(|c| !matches!(c, ',' | ' ' | '\n' | '\r' | '\t' | '{' | '}' | '(' | ')'));
            let text = c.since(mark);
            if text.is_empty() {
                return Err(c.expected("a value"));
            }
            Ok(match (text, text.parse()) {
                ("true", _) => Attribute::Bool(true),
                ("false", _) => Attribute::Bool(false),
                (_, Ok(n)) => Attribute::Int(n),
                (_, Err(_)) => Attribute::Word(text.to_owned()),
            })
        }
    }
}

/// `{[0:2:1], [1:3]}`: starts, limits and strides.
fn ranges(c: &mut Cursor<'_>, to: &mut Attributes) -> Result<(), Error> {
    let all = c.listed(["{", "}"], |c| {
        c.expect("[")?;
        let start = c.integer()?;
        c.expect(":")?;
        let limit = c.integer()?;
        let stride = if c.eat(":") { c.integer()? } else { 1 };
        c.expect("]")?;
        Ok([start, limit, stride])
    })?;
    for (at, name) in ["start_indices", "limit_indices", "strides"].into_iter().enumerate() {
        to.push((name.to_owned(), Attribute::Integers(all.iter().map(|range| range[at]).collect())));
    }
    Ok(())
}

/// Numbers with `between` between them, for each axis, with `x` between: `0_1x2_3`.
fn by_axis(c: &mut Cursor<'_>) -> Result<Vec<Vec<i64>>, Error> {
    let mut axes = vec![Vec::new()];
    loop {
        axes.last_mut().unwrap_or(&mut Vec::new()).push(c.integer()?);
        if c.rest().starts_with('x') {
            axes.push(Vec::new());
        } else if !c.rest().starts_with('_') {
            return Ok(axes);
        }
        c.step();
    }
}

/// `low_high` or `low_high_interior` of each axis.
fn padding(c: &mut Cursor<'_>, to: &mut Attributes) -> Result<(), Error> {
    let axes = by_axis(c)?;
    for (at, name) in ["edge_padding_low", "edge_padding_high", "interior_padding"].into_iter().enumerate() {
        let list = axes.iter().map(|axis| axis.get(at).copied().unwrap_or(0)).collect();
        to.push((name.to_owned(), Attribute::Integers(list)));
    }
    Ok(())
}

/// `{size=1x5 stride=1x1 pad=0_0x4_0 lhs_dilate=1x1 rhs_dilate=1x1}`.
fn window(c: &mut Cursor<'_>, to: &mut Attributes) -> Result<(), Error> {
    c.expect("{")?;
    while !c.eat("}") {
        let Some(word) = c.word() else { return Err(c.expected("what a window has")) };
        let name = match word {
            "size" => "window_dimensions",
            "stride" => "window_strides",
            "pad" => "padding",
            "lhs_dilate" => "base_dilations",
            "rhs_dilate" => "window_dilations",
            // Backwards is the same to a fold.
            "rhs_reversal" => "",
            _ => return Err(c.place().wrong(format!("a window has no {word}"))),
        };
        c.expect("=")?;
        to.push((name.to_owned(), Attribute::Integers(by_axis(c)?.concat())));
    }
    Ok(())
}
