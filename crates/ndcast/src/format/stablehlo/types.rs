//! Types: `tensor<?x3xf32, #stablehlo.bounds<4, ?>>`, `(tensor<f32>) -> tensor<f32>`, and what is no tensor.

use ndcast_shape::{Dim, Shape};

use super::attribute::Aliases;
use crate::dtype::DType;
use crate::error::Error;
use crate::format::program::{Cursor, TensorType, Type};

/// The largest extent there is.
const GREATEST: usize = ndcast_shape::MAX_EXTENT;

/// A type.
pub(super) fn read(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Type, Error> {
    c.deeper(|c| {
        if c.sees("(") {
            let inputs = list(c, aliases)?;
            c.expect("->")?;
            return Ok(Type::Function(inputs, one_or_list(c, aliases)?));
        }
        let mark = c.start();
        if c.eat("tensor") {
            return tensor(c, aliases, mark);
        }
        if c.eat("tuple") {
            return c.listed(["<", ">"], |c| read(c, aliases)).map(Type::Tuple);
        }
        if c.eat("!") {
            let name = c.name()?;
            if let Some(alias) = aliases.types.get(name) {
                return Ok(alias.clone());
            }
        } else if c.word().is_none() {
            return Err(c.expected("a type"));
        }
        if c.rest().starts_with('<') {
            c.balanced()?;
        }
        Ok(Type::Other(c.since(mark).to_owned()))
    })
}

/// Types in round brackets.
pub(super) fn list(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Vec<Type>, Error> {
    c.listed(["(", ")"], |c| read(c, aliases))
}

/// Types in round brackets, or one without.
pub(super) fn one_or_list(c: &mut Cursor<'_>, aliases: &Aliases) -> Result<Vec<Type>, Error> {
    if c.sees("(") { list(c, aliases) } else { Ok(vec![read(c, aliases)?]) }
}

fn tensor(c: &mut Cursor<'_>, aliases: &Aliases, mark: usize) -> Result<Type, Error> {
    c.expect("<")?;
    let place = c.place();
    let mut dims: Option<Vec<Dim>> = Some(Vec::new());
    if c.eat("*") {
        by(c)?;
        dims = None;
    } else {
        while let Some(dim) = extent(c)? {
            dims.get_or_insert_default().push(dim);
        }
    }
    let element = element(c)?;
    if c.eat(",") {
        if c.eat("#stablehlo.bounds") {
            bounds(c, dims.get_or_insert_default())?;
        } else {
            super::attribute::read(c, aliases)?;
        }
    }
    c.expect(">")?;
    let Some(dtype) = element else { return Ok(Type::Other(c.since(mark).to_owned())) };
    let shape = dims.map_or(Shape::UNRANKED, Shape::from);
    if shape.rank().is_some_and(|rank| rank > 1024) {
        return Err(place.wrong("a tensor has at most 1024 axes here"));
    }
    Ok(Type::Tensor(TensorType { dtype, shape }))
}

/// An extent and the `x` behind it, if there is one.
fn extent(c: &mut Cursor<'_>) -> Result<Option<Dim>, Error> {
    let place = c.place();
    let dim = if c.eat("?") {
        Dim::UNKNOWN
    } else {
        let digits = c.run(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        let extent = digits.parse().ok().filter(|&extent: &usize| extent <= GREATEST);
        Dim::Known(extent.ok_or_else(|| place.wrong(format!("an extent is at most {GREATEST}")))?)
    };
    by(c)?;
    Ok(Some(dim))
}

/// `x`, close behind which more may stand.
fn by(c: &mut Cursor<'_>) -> Result<(), Error> {
    if !c.rest().starts_with('x') {
        return Err(c.expected("`x`"));
    }
    c.step();
    Ok(())
}

/// The element type; `None` for one that there is not here.
fn element(c: &mut Cursor<'_>) -> Result<Option<DType>, Error> {
    let mark = c.start();
    if c.eat("!") {
        c.name()?;
    } else if c.word().is_none() {
        return Err(c.expected("an element type"));
    }
    if c.rest().starts_with('<') {
        c.balanced()?;
    }
    let name: String = c.since(mark).split_whitespace().collect();
    Ok(dtype(&name))
}

/// The element type that StableHLO calls so. An `index` is as wide as an extent.
pub(super) fn dtype(name: &str) -> Option<DType> {
    if name == "index" {
        return Some(DType::I64);
    }
    DType::all().find(|dtype| dtype.element().stablehlo == Some(name))
}

/// `<4, ?>`: the most that each extent can be.
fn bounds(c: &mut Cursor<'_>, dims: &mut [Dim]) -> Result<(), Error> {
    let place = c.place();
    let list = c.listed(["<", ">"], |c| {
        if c.eat("?") {
            return Ok(None);
        }
        let place = c.place();
        usize::try_from(c.integer()?).map(Some).map_err(|_| place.wrong("a bound is not negative"))
    })?;
    if list.len() != dims.len() {
        return Err(place.wrong(format!("there are {} bounds for {} axes", list.len(), dims.len())));
    }
    for (dim, bound) in dims.iter_mut().zip(list) {
        if let Some(bound) = bound {
            *dim = Dim::between(0, Some(bound)).unwrap_or(Dim::UNKNOWN);
        }
    }
    Ok(())
}
