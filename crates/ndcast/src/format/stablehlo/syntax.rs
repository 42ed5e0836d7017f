//! The text of a module becomes a [`Program`]: functions, regions and operations in their generic form; the forms that
//! operations have of their own are in [`pretty`](super::pretty).
//!
//! Modules and functions are operations with regions here too, because the generic form has them so.

use super::attribute::{Aliases, dictionary, read};
use super::{pretty, types};
use crate::error::Error;
use crate::format::program::{Attribute, Cursor, Function, Operation, Program, Region, Type, Use, field};

/// Refuses MLIR's bytecode, whose third byte begins no character: it is another one where a text was made of it.
pub(super) fn check_is_text(bytes: &[u8]) -> Result<(), Error> {
    let starts: [&[u8]; 3] = [b"ML\xefR", "ML\u{ef}R".as_bytes(), "ML\u{fffd}R".as_bytes()];
    if starts.iter().any(|start| bytes.starts_with(start)) {
        let text = "this is MLIR's bytecode, and not its text, which `stablehlo-translate --deserialize` makes of it";
        return Err(Error::value(text.to_owned()));
    }
    Ok(())
}

/// The functions of a text.
pub(super) fn program(text: &str) -> Result<Program, Error> {
    check_is_text(text.as_bytes())?;
    let mut c = Cursor::new(text);
    let mut aliases = Aliases { resources: resources(text)?, ..Aliases::default() };
    let mut functions = Vec::new();
    while !c.at_end() && !c.sees("{-#") {
        if alias(&mut c, &mut aliases)? {
            continue;
        }
        let operation = operation(&mut c, &aliases)?;
        if operation.name == "builtin.module" {
            for inner in operation.regions.into_iter().flat_map(|region| region.operations) {
                functions.extend(function(inner)?);
            }
        } else {
            functions.extend(function(operation)?);
        }
    }
    let main = functions.iter().position(|function: &Public| function.inner.name == "main");
    let public = || functions.iter().position(|function| function.public);
    let Some(main) = main.or_else(public) else {
        return Err(c.place().wrong("there is no function, so nothing to run"));
    };
    Program::new(functions.into_iter().map(|function| function.inner).collect(), main)
}

/// What stands in the brackets behind an argument.
type Fields = Vec<(String, Attribute)>;

/// A function, and whether others than this file may call it.
struct Public {
    inner: Function,
    public: bool,
}

/// A function, if an operation is one that has a body.
fn function(operation: Operation) -> Result<Option<Public>, Error> {
    let place = operation.place;
    match &operation.name[..] {
        "func.func" => {}
        // What devices there are, which no value depends on.
        "sdy.mesh" => return Ok(None),
        name => return Err(place.wrong(format!("{name} stands outside of every function"))),
    }
    let name = operation.attribute("sym_name").and_then(Attribute::text);
    let name = name.ok_or_else(|| place.wrong("the function has no name"))?.to_owned();
    let private = operation.attribute("sym_visibility").and_then(Attribute::text) == Some("private");
    let [inputs, outputs] = ["arg_attrs", "res_attrs"].map(|all| given_names(operation.attribute(all)));
    let results = operation.result_types;
    let Some(body) = operation.regions.into_iter().next() else { return Ok(None) };
    Ok(Some(Public { inner: Function { name, place, inputs, outputs, results, body }, public: !private }))
}

/// The names that are said of a function's inputs or outputs.
fn given_names(all: Option<&Attribute>) -> Vec<Option<String>> {
    let Some(Attribute::List(all)) = all else { return Vec::new() };
    let name = |one: &Attribute| field(one.fields()?, super::NAME)?.text().map(str::to_owned);
    all.iter().map(name).collect()
}

/// `#name = attribute` or `!name = type`, if one comes next.
fn alias(c: &mut Cursor<'_>, aliases: &mut Aliases) -> Result<bool, Error> {
    if c.eat("#") {
        let name = c.name()?.to_owned();
        c.expect("=")?;
        let value = read(c, aliases)?;
        aliases.attributes.insert(name, value);
    } else if c.eat("!") {
        let name = c.name()?.to_owned();
        c.expect("=")?;
        let value = types::read(c, aliases)?;
        aliases.types.insert(name, value);
    } else {
        return Ok(false);
    }
    Ok(true)
}

/// `{-# dialect_resources: { builtin: { name: "0x.." } } #-}` at the end of a file: the digits by their names.
fn resources(text: &str) -> Result<std::collections::HashMap<String, String>, Error> {
    let mut found = std::collections::HashMap::new();
    let Some(start) = text.rfind("{-#") else { return Ok(found) };
    let mut c = Cursor::new(text);
    c.back(start);
    c.expect("{-#")?;
    let mut name = None;
    while !c.eat("#-}") {
        if c.sees("\"") {
            let digits = c.raw_string()?;
            if let (Some(name), Some(digits)) = (name.take(), digits.strip_prefix("0x")) {
                found.insert(name, digits.to_owned());
            }
        } else if let Some(word) = c.word() {
            name = Some(word.to_owned());
        } else if c.at_end() {
            return Err(c.expected("`#-}`"));
        } else {
            c.step();
        }
    }
    Ok(found)
}

/// An operation, in whichever form, with what stands behind it.
pub(super) fn operation(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Operation, Error> {
    c.deeper(|c| {
        let results = if c.sees("%") { results(c)? } else { Vec::new() };
        let place = c.place();
        let mut made = if c.sees("\"") { generic(c, aliases)? } else { pretty::read(c, aliases)? };
        (made.place, made.results) = (place, results);
        location(c)?;
        Ok(made)
    })
}

/// `%a, %b:2 =`.
fn results(c: &mut Cursor<'_>) -> Result<Vec<(String, usize)>, Error> {
    let mut all = Vec::new();
    loop {
        c.expect("%")?;
        let name = c.name()?.to_owned();
        let mut count = Some(1);
        let place = c.place();
        if c.eat(":") {
            count = usize::try_from(c.integer()?).ok().filter(|count| (1..=65536).contains(count));
        }
        all.push((name, count.ok_or_else(|| place.wrong("there is no operation of so many results"))?));
        if c.eat("=") {
            return Ok(all);
        }
        if !c.eat(",") {
            return Err(c.expected("`=`"));
        }
    }
}

/// `loc(..)`, if it is there.
pub(super) fn location(c: &mut Cursor<'_>) -> Result<(), Error> {
    if c.eat("loc") { c.balanced() } else { Ok(()) }
}

/// `%a` or `%a#1`.
pub(super) fn operand(c: &mut Cursor<'_>) -> Result<Use, Error> {
    let place = c.place();
    c.expect("%")?;
    let name = c.name()?.to_owned();
    let mut part = None;
    if c.rest().starts_with('#') {
        c.step();
        part = usize::try_from(c.integer()?).ok();
    }
    Ok(Use { name, part, place })
}

/// `"dialect.name"(%a) <{..}> ({..}) {..} : (..) -> ..`.
fn generic(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Operation, Error> {
    let mut made = Operation { name: c.string()?, ..Operation::default() };
    made.operands = c.listed(["(", ")"], operand)?;
    if c.eat("<") {
        made.attributes = dictionary(c, aliases)?;
        c.expect(">")?;
    }
    if c.sees("(") {
        made.regions = c.listed(["(", ")"], |c| region(c, aliases))?;
    }
    if c.sees("{") {
        made.attributes.extend(dictionary(c, aliases)?);
    }
    c.expect(":")?;
    let place = c.place();
    let Type::Function(inputs, outputs) = types::read(c, aliases)? else {
        return Err(place.wrong("the type of an operation is one of a function"));
    };
    (made.operand_types, made.result_types) = (inputs, outputs);
    Ok(made)
}

/// `{ ^bb0(%a: T): operations }`.
pub(super) fn region(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Region, Error> {
    c.expect("{")?;
    let mut arguments = Vec::new();
    if c.eat("^") {
        c.name()?;
        if c.sees("(") {
            arguments = c.listed(["(", ")"], |c| argument(c, aliases))?;
        }
        c.expect(":")?;
    }
    Ok(Region { arguments, operations: operations(c, aliases)? })
}

/// Operations up to the bracket that closes their region.
pub(super) fn operations(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Vec<Operation>, Error> {
    let mut all = Vec::new();
    while !c.eat("}") {
        if c.sees("^") {
            let place = c.place();
            return Err(place.wrong("a region of several blocks is not read"));
        }
        if c.at_end() {
            return Err(c.expected("`}`"));
        }
        all.push(operation(c, aliases)?);
    }
    Ok(all)
}

/// `%a: T {..} loc(..)`.
pub(super) fn argument(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<(String, Type), Error> {
    argument_with_fields(c, aliases).map(|(name, type_, _)| (name, type_))
}

/// The same, with what stands in the brackets.
pub(super) fn argument_with_fields(
    c: &mut Cursor<'_>,
    aliases: &Aliases,
) -> Result<(String, Type, Fields), Error> {
    c.expect("%")?;
    let name = c.name()?.to_owned();
    c.expect(":")?;
    let type_ = types::read(c, aliases)?;
    let fields = if c.sees("{") { dictionary(c, aliases)? } else { Vec::new() };
    location(c)?;
    Ok((name, type_, fields))
}
