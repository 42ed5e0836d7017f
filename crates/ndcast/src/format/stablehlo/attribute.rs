//! Attributes: what stands behind a name and `=`, in every form that operations here have, and past those they have not.

use std::collections::HashMap;

use super::{literal, types};
use crate::error::Error;
use crate::format::program::{Attribute, Cursor, Type};

/// What a file gives names to: attributes (`#map`), types (`!vector`), and the bytes of constants.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    pub(super) attributes: HashMap<String, Attribute>,
    pub(super) types: HashMap<String, Type>,
    /// `dense_resource<name>`: the hexadecimal digits.
    pub(super) resources: HashMap<String, String>,
}

/// `{name = value, flag}`.
pub(super) fn dictionary(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Vec<(String, Attribute)>, Error> {
    c.listed(["{", "}"], |c| pair(c, aliases))
}

/// `name = value`, or a name alone. Names may be in quotes, and have a dialect before them.
fn pair(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<(String, Attribute), Error> {
    let name = if c.sees("\"") {
        c.string()?
    } else {
        c.word().ok_or_else(|| c.expected("the name of an attribute"))?.to_owned()
    };
    let value = if c.eat("=") { read(c, aliases)? } else { Attribute::Unit };
    Ok((name, value))
}

/// An attribute.
pub(super) fn read(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Attribute, Error> {
    c.deeper(|c| value(c, aliases))
}

fn value(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Attribute, Error> {
    match c.peek() {
        Some('"') => {
            let text = c.string()?;
            typed(c, aliases)?;
            Ok(Attribute::Text(text))
        }
        Some('[') => c.listed(["[", "]"], |c| read(c, aliases)).map(Attribute::List),
        Some('{') => dictionary(c, aliases).map(Attribute::Fields),
        Some('@') => symbol(c).map(Attribute::Symbol),
        Some('#') => alias_or_dialect(c, aliases),
        Some('(' | '!') => types::read(c, aliases).map(|_| Attribute::Opaque),
        Some('-' | '0'..='9') => number(c, aliases),
        // A structure whose kind the operation's form says.
        Some('<') => {
            c.balanced()?;
            Ok(Attribute::Opaque)
        }
        _ => word(c, aliases),
    }
}

/// `: type`, which says nothing that is needed here.
fn typed(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<(), Error> {
    if c.eat(":") {
        types::read(c, aliases)?;
    }
    Ok(())
}

/// `@name`, `@"name"` and `@outer::@inner`, of which the last counts.
pub(super) fn symbol(c: &mut Cursor<'_>) -> Result<String, Error> {
    loop {
        c.expect("@")?;
        let name = if c.rest().starts_with('"') { c.string()? } else { c.name()?.to_owned() };
        if !c.eat("::") {
            return Ok(name);
        }
    }
}

fn number(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Attribute, Error> {
    let (mark, place) = (c.start(), c.place());
    c.eat("-");
    c.run(|c| c.is_ascii_hexdigit() || matches!(c, '.' | 'x' | '+'));
    // The sign of an exponent.
    if c.since(mark).ends_with(['e', 'E']) && c.rest().starts_with('-') {
        c.step();
        c.run(|c| c.is_ascii_digit());
    }
    let text = c.since(mark).to_owned();
    typed(c, aliases)?;
    if let Ok(n) = text.parse() {
        return Ok(Attribute::Int(n));
    }
    if text.contains('x') || text.bytes().all(|byte| byte.is_ascii_digit()) {
        // Bits, or a number that is beyond what any operation here takes.
        return Ok(Attribute::Opaque);
    }
    match text.parse::<f64>() {
        Ok(_) => Ok(Attribute::Opaque),
        Err(_) => Err(place.wrong(format!("`{text}` is no number"))),
    }
}

fn word(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Attribute, Error> {
    let mark = c.start();
    if c.sees("dense_resource") || c.sees("dense") {
        return literal::read(c, aliases).map(|(literal, _)| Attribute::Literal(literal));
    }
    if c.eat("array") {
        return array(c).map(Attribute::Integers);
    }
    if c.eat("loc") || c.eat("affine_map") || c.eat("affine_set") || c.eat("sparse") || c.eat("opaque") {
        c.balanced()?;
        return Ok(Attribute::Opaque);
    }
    let Some(word) = c.word() else { return Err(c.expected("an attribute")) };
    match word {
        "true" => return Ok(Attribute::Bool(true)),
        "false" => return Ok(Attribute::Bool(false)),
        "unit" => return Ok(Attribute::Unit),
        _ => {}
    }
    let scalar = types::dtype(word).is_some() || word == "none";
    if scalar || c.rest().starts_with('<') {
        c.back(mark);
        return types::read(c, aliases).map(|_| Attribute::Opaque);
    }
    Ok(Attribute::Word(word.to_owned()))
}

/// `<i64: 1, 2>`, `<i1: true>`, `<i64>`.
fn array(c: &mut Cursor<'_>) -> Result<Vec<i64>, Error> {
    c.expect("<")?;
    if c.word().is_none() {
        return Err(c.expected("an element type"));
    }
    if !c.eat(":") {
        c.expect(">")?;
        return Ok(Vec::new());
    }
    c.listed(["", ">"], |c| {
        if c.eat("true") {
            return Ok(1);
        }
        if c.eat("false") { Ok(0) } else { c.integer() }
    })
}

/// `#alias`, `#stablehlo<comparison_direction LT>`, `#stablehlo.gather<offset_dims = [0], ..>`; others are passed.
fn alias_or_dialect(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Attribute, Error> {
    c.expect("#")?;
    let name = c.name()?;
    if !c.rest().starts_with('<') {
        return Ok(aliases.attributes.get(name).cloned().unwrap_or(Attribute::Opaque));
    }
    let mark = c.mark();
    c.balanced()?;
    let end = c.mark();
    if !matches!(name.split('.').next(), Some("stablehlo" | "chlo")) {
        return Ok(Attribute::Opaque);
    }
    c.back(mark);
    c.expect("<")?;
    let first = c.word();
    let known = if c.sees("=") {
        c.back(mark);
        Attribute::Fields(c.listed(["<", ">"], |c| pair(c, aliases))?)
    } else {
        // `<comparison_direction LT>`, or `<DEFAULT>` whose kind is in the name.
        c.word().or(first).map_or(Attribute::Opaque, |word| Attribute::Word(word.to_owned()))
    };
    c.back(end);
    Ok(known)
}
