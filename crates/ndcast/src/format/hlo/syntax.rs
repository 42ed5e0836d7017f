//! The text of a module becomes a [`Program`]: computations and their instructions.

use std::collections::HashMap;

use ndcast_shape::{Dim, Shape};

use super::{attributes, literal};
use crate::dtype::DType;
use crate::error::Error;
use crate::format::program::{
    Attribute, Cursor, Function, Literal, Operation, Place, Program, Region, TensorType, Type, Use,
};

/// The computations of a text.
pub(super) fn program(text: &str) -> Result<Program, Error> {
    let mut c = Cursor::new(text);
    c.expect("HloModule")?;
    name(&mut c)?;
    while c.eat(",") {
        attributes::pass(&mut c)?;
    }
    tables(&mut c)?;
    let (mut functions, mut main) = (Vec::new(), None);
    while !c.at_end() {
        let place = c.place();
        if c.eat("ENTRY") && main.replace(functions.len()).is_some() {
            return Err(place.wrong("there are two computations that are ENTRY"));
        }
        functions.push(computation(&mut c)?);
    }
    let main = main.or(functions.len().checked_sub(1));
    Program::new(
        functions,
        main.ok_or_else(|| c.place().wrong("there is no computation, so nothing to run"))?,
    )
}

/// Past the lines that say where in a program the instructions come from, as XLA writes them of what it has compiled: a
/// heading, and numbers with a text or with fields.
fn tables(c: &mut Cursor<'_>) -> Result<(), Error> {
    while ["FileNames", "FunctionNames", "FileLocations", "StackFrames"].into_iter().any(|table| c.eat(table))
    {
        while matches!(c.peek(), Some('0'..='9')) {
            c.integer()?;
            if c.sees("\"") {
                c.raw_string()?;
            } else {
                c.balanced()?;
            }
        }
    }
    Ok(())
}

/// A name, with or without `%`.
pub(super) fn name(c: &mut Cursor<'_>) -> Result<String, Error> {
    c.eat("%");
    c.skip();
    Ok(c.name()?.to_owned())
}

/// `name (p: T) -> T {..}`, of which what is in brackets may be left out: the parameters say it again.
fn computation(c: &mut Cursor<'_>) -> Result<Function, Error> {
    let place = c.place();
    let name = name(c)?;
    let mut results = Vec::new();
    if c.sees("(") {
        c.balanced()?;
        c.expect("->")?;
        results = types(shape(c)?);
    }
    c.expect("{")?;
    let mut body = Region::default();
    let mut parameters: Vec<(usize, String, Type, Place)> = Vec::new();
    let mut root = None;
    let mut orders = Orders::new();
    while !c.eat("}") {
        if c.at_end() {
            return Err(c.expected("`}`"));
        }
        let is_root = c.eat("ROOT");
        let mut made = instruction(c, &mut orders)?;
        let name = made.results.first().map(|(name, _)| name.clone()).unwrap_or_default();
        if is_root || root.is_none() || !matches!(root, Some((_, true))) {
            root = Some(((name.clone(), made.place), is_root));
        }
        let number = made.attributes.iter().position(|(name, _)| name == PARAMETER);
        match number.map(|at| made.attributes.swap_remove(at).1) {
            Some(number) => {
                let number = number.integer().and_then(|number| usize::try_from(number).ok());
                let number = number.ok_or_else(|| made.place.wrong("a parameter's number is negative"))?;
                let type_ = match made.result_types.len() {
                    1 => made.result_types.swap_remove(0),
                    _ => Type::Tuple(made.result_types),
                };
                parameters.push((number, name, type_, made.place));
            }
            None => body.operations.push(made),
        }
    }
    // Behind the bracket, how it is run.
    while c.eat(",") {
        attributes::pass(c)?;
    }
    parameters.sort_by_key(|(number, ..)| *number);
    for (expected, (number, name, type_, place)) in parameters.into_iter().enumerate() {
        if number != expected {
            return Err(place
                .wrong(format!("this is parameter {number}, and there must be one parameter {expected}")));
        }
        body.arguments.push((name, type_));
    }
    let ((name_of_root, place_of_root), _) = root.ok_or_else(|| place.wrong("the computation is empty"))?;
    body.operations.push(Operation {
        name: "hlo.return".to_owned(),
        place: place_of_root,
        operands: vec![Use { name: name_of_root, part: None, place: place_of_root }],
        ..Operation::default()
    });
    Ok(Function { name, place, inputs: Vec::new(), outputs: Vec::new(), results, body })
}

/// Where the number of a parameter is, until it is an argument.
const PARAMETER: &str = "parameter";

/// The axes of an array as they lie in memory, from the outermost on; none if that is not said.
type Order = Vec<i64>;
/// Those of the values of a computation.
type Orders = HashMap<String, Order>;

/// `name = T opcode(operands), attribute=value`.
fn instruction(c: &mut Cursor<'_>, orders: &mut Orders) -> Result<Operation, Error> {
    let place = c.place();
    let name = name(c)?;
    c.expect("=")?;
    let shape = shape(c)?;
    let order = if let [(_, order)] = &shape[..] { order.clone() } else { Order::new() };
    let mut types = types(shape);
    if types.iter().any(|type_| matches!(type_, Type::Tuple(_))) {
        types = vec![Type::Other("a tuple of tuples".to_owned())];
    }
    c.skip();
    let opcode = c.name()?.to_owned();
    let mut made = Operation { name: format!("hlo.{opcode}"), place, ..Operation::default() };
    made.results = vec![(name.clone(), types.len())];
    match &opcode[..] {
        "parameter" => {
            c.expect("(")?;
            made.attributes.push((PARAMETER.to_owned(), Attribute::Int(c.integer()?)));
            c.expect(")")?;
        }
        "constant" => {
            let (elements, shape) = literal::read(c, types.first(), place)?;
            made.attributes.push(("value".to_owned(), Attribute::Literal(Literal { elements, shape })));
        }
        _ => made.operands = c.listed(["(", ")"], operand)?,
    }
    made.result_types = types;
    while c.eat(",") {
        attributes::read(c, &opcode, &mut made.attributes)?;
    }
    attributes::gathered(&opcode, &mut made.attributes);
    // A bitcast reinterprets memory, so both layouts count; no other instruction needs them.
    if opcode == "bitcast" {
        let read = made.operands.first().and_then(|operand| orders.get(&operand.name)).cloned();
        for (name, order) in [("operand_order", read.unwrap_or_default()), ("order", order.clone())] {
            made.attributes.push((name.to_owned(), Attribute::Integers(order)));
        }
    }
    orders.insert(name, order);
    Ok(made)
}

/// `%x`, `x` or `f32[2] %x`.
fn operand(c: &mut Cursor<'_>) -> Result<Use, Error> {
    let mark = c.start();
    let typed = c.sees("(") || c.word().is_some() && c.rest().starts_with('[');
    c.back(mark);
    if typed {
        shape(c)?;
    }
    let place = c.place();
    Ok(Use { name: name(c)?, part: None, place })
}

/// A shape: one array, or those of a tuple.
fn shape(c: &mut Cursor<'_>) -> Result<Vec<(Type, Order)>, Error> {
    if !c.sees("(") {
        return Ok(vec![array(c)?]);
    }
    c.listed(["(", ")"], |c| {
        if c.sees("(") {
            c.balanced()?;
            return Ok((Type::Tuple(Vec::new()), Order::new()));
        }
        array(c)
    })
}

/// The types of a shape, without layouts.
fn types(shape: Vec<(Type, Order)>) -> Vec<Type> {
    shape.into_iter().map(|(type_, _)| type_).collect()
}

/// `f32[2,<=3]{1,0:T(8,128)}`.
fn array(c: &mut Cursor<'_>) -> Result<(Type, Order), Error> {
    let mark = c.start();
    let Some(word) = c.word() else { return Err(c.expected("a shape, as in `f32[2,3]`,")) };
    let dtype = dtype(word);
    if !c.rest().starts_with('[') {
        return Err(c.expected("`[`"));
    }
    let dims = c.listed(["[", "]"], extent)?;
    let text = c.since(mark).to_owned();
    // It stands close behind, where a body would have a space before it.
    let order = if c.rest().starts_with('{') { order(c)? } else { Order::new() };
    let type_ = match dtype {
        Some(dtype) => Type::Tensor(TensorType { dtype, shape: Shape::from(dims) }),
        None => Type::Other(text),
    };
    Ok((type_, order))
}

/// `{1,0:T(8,128)}`, of which what is behind the axes is passed over.
fn order(c: &mut Cursor<'_>) -> Result<Order, Error> {
    let mark = c.mark();
    c.expect("{")?;
    let mut axes = Order::new();
    while matches!(c.peek(), Some('0'..='9')) {
        axes.push(c.integer()?);
        c.eat(",");
    }
    c.back(mark);
    c.balanced()?;
    // The innermost stands first.
    axes.reverse();
    Ok(axes)
}

/// The element type that HLO calls so.
pub(super) fn dtype(name: &str) -> Option<DType> {
    DType::all().find(|dtype| dtype.element().hlo == Some(name))
}

fn extent(c: &mut Cursor<'_>) -> Result<Dim, Error> {
    let place = c.place();
    let bounded = c.eat("<=");
    if c.eat("?") {
        return Ok(Dim::UNKNOWN);
    }
    let extent = usize::try_from(c.integer()?).ok().filter(|&extent| extent <= ndcast_shape::MAX_EXTENT);
    let extent = extent.ok_or_else(|| place.wrong("an extent is not negative"))?;
    Ok(if bounded { Dim::between(0, Some(extent)).unwrap_or(Dim::UNKNOWN) } else { Dim::Known(extent) })
}
