//! The forms that operations have of their own: one reader for all of them, and one table of the words in which a form
//! differs from the names of its attributes.
//!
//! `op @symbol(%a) %b, word, name = value, [0:2:1], dense<..> {attributes} : types`: each form is some of these in order.
//! What cannot be read of an operation that is not known here is passed, so that all such operations can be told at once.

use super::attribute::{self, Aliases};
use super::{literal, syntax, types};
use crate::error::Error;
use crate::format::program::{Attribute, Cursor, Operation, Region, Type, knows};

/// Attribute names in an operation's pretty form, and in the generic form. Values without a name take the entries
/// named "", in order.
pub(super) const FORMS: &[(&str, &[(&str, &str)])] = &[
    ("stablehlo.broadcast", &[("sizes", "broadcast_sizes")]),
    ("stablehlo.broadcast_in_dim", &[("dims", "broadcast_dimensions")]),
    ("stablehlo.dynamic_broadcast_in_dim", &[("dims", "broadcast_dimensions")]),
    ("stablehlo.transpose", &[("dims", "permutation")]),
    ("stablehlo.reverse", &[("dims", "dimensions")]),
    ("stablehlo.iota", &[("dim", "iota_dimension")]),
    ("stablehlo.dynamic_iota", &[("dim", "iota_dimension")]),
    ("stablehlo.concatenate", &[("dim", "dimension")]),
    ("stablehlo.get_dimension_size", &[("dim", "dimension")]),
    ("stablehlo.dynamic_slice", &[("sizes", "slice_sizes")]),
    (
        "stablehlo.pad",
        &[("low", "edge_padding_low"), ("high", "edge_padding_high"), ("interior", "interior_padding")],
    ),
    ("stablehlo.compare", &[("", "comparison_direction"), ("", "compare_type")]),
    ("func.call", &[("", "callee")]),
    ("stablehlo.custom_call", &[("", "call_target_name")]),
    ("stablehlo.composite", &[("", "name")]),
    ("stablehlo.constant", &[("", "value")]),
];

/// The words of an operation's form.
pub(super) fn form(name: &str) -> &'static [(&'static str, &'static str)] {
    FORMS.iter().find(|(other, _)| *other == name).map_or(&[], |(_, words)| words)
}

/// An operation in its own form.
pub(super) fn read(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Operation, Error> {
    let mark = c.start();
    let Some(word) = c.word() else { return Err(c.expected("an operation")) };
    match word {
        "module" | "builtin.module" => return module(c, aliases),
        "func.func" | "func" => return function(c, aliases),
        _ => {}
    }
    let name = match word {
        "return" => "func.return",
        "call" => "func.call",
        // Within functions of old texts the dialect may be left out of no other.
        word if !word.contains('.') => {
            c.back(mark);
            return Err(c.expected("an operation, with its dialect before it,"));
        }
        word => word,
    };
    let mut made = Operation { name: name.to_owned(), ..Operation::default() };
    let behind = c.mark();
    match items(c, aliases, &mut made) {
        Ok(()) if knows(name) || c.sees("loc") || ends_here(c) => Ok(made),
        Err(error) if knows(name) => Err(error),
        _ => {
            c.back(behind);
            pass(c)?;
            Ok(Operation { name: name.to_owned(), ..Operation::default() })
        }
    }
}

/// `@name attributes {..} {..}`.
fn module(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Operation, Error> {
    if c.sees("@") {
        attribute::symbol(c)?;
    }
    if c.eat("attributes") {
        attribute::dictionary(c, aliases)?;
    }
    c.expect("{")?;
    let region = Region { arguments: Vec::new(), operations: syntax::operations(c, aliases)? };
    Ok(Operation { name: "builtin.module".to_owned(), regions: vec![region], ..Operation::default() })
}

/// `private @name(%a: T {..}) -> (T {..}) attributes {..} {..}`, without the last if it is only declared.
fn function(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Operation, Error> {
    let mut made = Operation { name: "func.func".to_owned(), ..Operation::default() };
    let visibility = ["public", "private", "nested"].into_iter().find(|word| c.eat(word));
    made.attributes
        .extend(visibility.map(|word| ("sym_visibility".to_owned(), Attribute::Text(word.to_owned()))));
    made.attributes.push(("sym_name".to_owned(), Attribute::Text(attribute::symbol(c)?)));
    let (mut arguments, mut fields) = (Vec::new(), Vec::new());
    c.listed(["(", ")"], |c| {
        if c.sees("%") {
            let (name, type_, own) = syntax::argument_with_fields(c, aliases)?;
            arguments.push((name, type_));
            fields.push(Attribute::Fields(own));
        } else {
            types::read(c, aliases)?;
        }
        Ok(())
    })?;
    made.attributes.push(("arg_attrs".to_owned(), Attribute::List(fields)));
    if c.eat("->") {
        let (types, fields) = results(c, aliases)?.into_iter().unzip();
        made.result_types = types;
        made.attributes.push(("res_attrs".to_owned(), Attribute::List(fields)));
    }
    if c.eat("attributes") {
        attribute::dictionary(c, aliases)?;
    }
    if c.eat("{") {
        made.regions.push(Region { arguments, operations: syntax::operations(c, aliases)? });
    }
    Ok(made)
}

/// `T`, or `(T {..}, T)`.
fn results(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Vec<(Type, Attribute)>, Error> {
    if !c.sees("(") {
        return Ok(vec![(types::read(c, aliases)?, Attribute::Unit)]);
    }
    c.listed(["(", ")"], |c| {
        let type_ = types::read(c, aliases)?;
        let fields = if c.sees("{") { attribute::dictionary(c, aliases)? } else { Vec::new() };
        Ok((type_, Attribute::Fields(fields)))
    })
}

/// What stands behind the name.
fn items(c: &mut Cursor<'_>, aliases: &Aliases, made: &mut Operation) -> Result<(), Error> {
    let mut words = form(&made.name).iter().filter(|(word, _)| word.is_empty());
    let places = made.name.starts_with("sdy.");
    let mut unnamed = || words.next().map_or("", |(_, attribute)| *attribute).to_owned();
    let mut arguments = Vec::new();
    loop {
        match c.peek() {
            Some('%') => made.operands.push(syntax::operand(c)?),
            Some('@') => made.attributes.push((unnamed(), Attribute::Symbol(attribute::symbol(c)?))),
            Some('"') => made.attributes.push((unnamed(), Attribute::Text(c.string()?))),
            Some('(') => arguments.extend(operands(c, aliases, made)?),
            Some('[') => ranges(c, made)?,
            // Where a value lies: `<@mesh, [{"d"}, {}]>`.
            Some('<') if places => c.balanced()?,
            Some(':' | '{') | None => break,
            _ if c.sees("dense") || c.sees("dense_resource") => {
                let (literal, type_) = literal::read(c, aliases)?;
                made.attributes.push((unnamed(), Attribute::Literal(literal)));
                made.result_types.push(type_);
                return Ok(());
            }
            // `applies stablehlo.add across dimensions = [0]`
            _ if c.eat("across") => continue,
            _ if c.eat("applies") => {
                let word = c.word().ok_or_else(|| c.expected("an operation"))?;
                made.attributes.push(("applies".to_owned(), Attribute::Word(word.to_owned())));
                continue;
            }
            _ => {
                let Some(word) = c.word() else { break };
                if !c.eat("=") {
                    made.attributes.push((unnamed(), Attribute::Word(word.to_owned())));
                } else {
                    let renamed = form(&made.name).iter().find(|(other, _)| *other == word);
                    let name = renamed.map_or(word, |(_, attribute)| *attribute).to_owned();
                    made.attributes.push((name, paired(c, aliases)?));
                }
            }
        }
        let opens = ["(", "[", "%"].into_iter().any(|next| c.sees(next)) || (places && c.sees("<"));
        if !opens && !c.eat(",") && !goes_on(c) {
            break;
        }
    }
    if c.sees("{") {
        made.attributes.extend(attribute::dictionary(c, aliases)?);
    }
    if c.eat(":") {
        signature(c, aliases, made)?;
    }
    if c.eat("reducer") {
        reducer(c, aliases, made)?;
    }
    if c.eat("attributes") {
        made.attributes.extend(attribute::dictionary(c, aliases)?);
    }
    // A loop: what asks whether there is another round, and what is done in each.
    for word in ["cond", "do"] {
        if c.eat(word) {
            c.expect("{")?;
            let arguments = arguments.iter().cloned().zip(made.operand_types.iter().cloned()).collect();
            made.regions.push(Region { arguments, operations: syntax::operations(c, aliases)? });
        }
    }
    Ok(())
}

/// Whether a word follows that belongs to the operation without a comma.
fn goes_on(c: &mut Cursor<'_>) -> bool {
    c.sees("applies") || c.sees("across") || c.sees("dense") || c.sees("dense_resource")
}

/// A value, or two with `x` between: `[1] x [0]`. A number has no type behind it: that is the operation's.
fn paired(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Attribute, Error> {
    if matches!(c.peek(), Some('-' | '0'..='9')) {
        return c.integer().map(Attribute::Int);
    }
    let first = attribute::read(c, aliases)?;
    if !c.eat("x") {
        return Ok(first);
    }
    Ok(Attribute::List(vec![first, attribute::read(c, aliases)?]))
}

/// `(%a, %b)`, `(%a, name = value)`, or `(%a init: %b)`: all operands, then all initial values. In
/// `(%a = %b)` the first are not operands but what its regions call these; they are given back.
fn operands(c: &mut Cursor<'_>, aliases: &Aliases, made: &mut Operation) -> Result<Vec<String>, Error> {
    let (mut arguments, mut inits, mut attributes) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let all = c.listed(["(", ")"], |c| {
            if let (false, Some(word)) = (c.sees("%"), c.word()) {
                c.expect("=")?;
                attributes.push((word.to_owned(), paired(c, aliases)?));
                return Ok(None);
            }
            let mut operand = syntax::operand(c)?;
            if c.eat("=") {
                arguments.push(operand.name);
                operand = syntax::operand(c)?;
            }
            if c.eat("init") {
                c.expect(":")?;
                inits.push(syntax::operand(c)?);
            }
            Ok(Some(operand))
        })?;
        made.operands.extend(all.into_iter().flatten());
        let mark = c.mark();
        if !(c.eat(",") && c.sees("(")) {
            c.back(mark);
            made.operands.extend(inits);
            made.attributes.extend(attributes);
            return Ok(arguments);
        }
    }
}

/// `[0:2:1, 1:12]`: starts, limits and strides.
fn ranges(c: &mut Cursor<'_>, made: &mut Operation) -> Result<(), Error> {
    let all = c.listed(["[", "]"], |c| {
        let start = c.integer()?;
        c.expect(":")?;
        let limit = c.integer()?;
        Ok([start, limit, if c.eat(":") { c.integer()? } else { 1 }])
    })?;
    for (place, name) in ["start_indices", "limit_indices", "strides"].into_iter().enumerate() {
        let list = all.iter().map(|range| range[place]).collect();
        made.attributes.push((name.to_owned(), Attribute::Integers(list)));
    }
    Ok(())
}

/// `(T, T) -> T`; `T -> T`; or `T, T`, of which the last is the result's unless nothing is, or each operand is a result.
fn signature(c: &mut Cursor<'_>, aliases: &Aliases, made: &mut Operation) -> Result<(), Error> {
    let mut all = Vec::new();
    loop {
        match types::read(c, aliases)? {
            Type::Function(inputs, outputs) => {
                (made.operand_types, made.result_types) = (inputs, outputs);
                return Ok(());
            }
            type_ => all.push(type_),
        }
        if !c.eat(",") {
            break;
        }
    }
    if c.eat("->") {
        made.operand_types = all;
        made.result_types = types::one_or_list(c, aliases)?;
    } else if made.name.ends_with(".return") {
        made.operand_types = all;
    } else if [".optimization_barrier", ".while"].iter().any(|name| made.name.ends_with(name)) {
        (made.operand_types, made.result_types) = (all.clone(), all);
    } else {
        made.result_types.extend(all.pop());
    }
    Ok(())
}

/// `(%a: T, %b: T) (%c: T, %d: T) {..}`: the two of each input. In the generic form the first of all stand first.
fn reducer(c: &mut Cursor<'_>, aliases: &Aliases, made: &mut Operation) -> Result<(), Error> {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    while c.sees("(") {
        let place = c.place();
        let pair = c.listed(["(", ")"], |c| syntax::argument(c, aliases))?;
        let Ok([a, b]) = <[_; 2]>::try_from(pair) else {
            return Err(place.wrong("a reducer takes two values for each input"));
        };
        first.push(a);
        second.push(b);
    }
    c.expect("{")?;
    let arguments = first.into_iter().chain(second).collect();
    made.regions.push(Region { arguments, operations: syntax::operations(c, aliases)? });
    Ok(())
}

/// Whether what comes next is no more of an operation: another one, or the end of those around it.
fn ends_here(c: &mut Cursor<'_>) -> bool {
    let next = c.peek();
    let mark = c.mark();
    let word = c.word();
    c.back(mark);
    match word {
        Some(word) => word.contains('.') || matches!(word, "return" | "call"),
        None => matches!(next, None | Some('%' | '"' | '}' | '^')),
    }
}

/// Past an operation whose form is not known: to the end of a line behind which another operation stands.
fn pass(c: &mut Cursor<'_>) -> Result<(), Error> {
    loop {
        match c.rest().chars().next() {
            None => return Ok(()),
            Some('(' | '[' | '{' | '<') => c.balanced()?,
            Some('"') => {
                c.raw_string()?;
            }
            Some('\n') => {
                if ends_here(c) {
                    return Ok(());
                }
            }
            Some('}') => return Ok(()),
            Some('-') if c.rest().starts_with("->") => {
                c.step();
                c.step();
            }
            Some('/') if c.rest().starts_with("//") => {
                c.run(|c| c != '\n');
            }
            Some(_) => c.step(),
        }
    }
}
