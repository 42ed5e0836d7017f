//! `reduce`, `reduce_window` and `scatter`: their operands, what their region does, and the door's fold of it.

use super::Attribute;
use super::call::Call;
use super::operations::one;
use super::region::{Folding, folding, putting, said};
use crate::dialect::hlo::{Padding, Window};
use crate::dialect::stablehlo::WindowOperands;
use crate::error::Error;
use crate::graph::Id;

/// What a fold does with its operands.
fn found(call: &Call<'_>) -> Result<Folding, Error> {
    if let Some(name) = call.operation.attribute("applies").and_then(Attribute::text) {
        let opcode = name.strip_prefix("stablehlo.").unwrap_or(name);
        return Ok(Folding::Each(vec![opcode.to_owned()]));
    }
    let region =
        call.region().ok_or_else(|| Error::value("it has no region that says what it does".to_owned()))?;
    folding(region).ok_or_else(|| {
        Error::value(format!("its region ({}) is none of the folds that are known", said(region)))
    })
}

/// The operands, and the first values of each.
fn halves<'a>(call: &'a Call<'_>) -> Result<(&'a [Id], &'a [Id]), Error> {
    let count = call.operands.len();
    if count == 0 || count % 2 == 1 {
        let text = format!("there must be a first value for each operand, and there are {count} of both");
        return Err(Error::value(text));
    }
    Ok(call.operands.split_at(count / 2))
}

pub(super) fn reduce(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let axes = call.integers("dimensions")?;
    let (operands, inits) = halves(call)?;
    let (operands, inits) = (operands.to_vec(), inits.to_vec());
    match (found(call)?, &operands[..], &inits[..]) {
        (Folding::Each(opcodes), ..) if opcodes.len() == operands.len() => {
            let all = operands.iter().zip(&inits).zip(&opcodes);
            all.map(|((&x, &init), opcode)| call.hlo().reduce(x, init, opcode, &axes)).collect()
        }
        (Folding::Place(which), &[x, places], &[init, first]) => {
            let [axis] = axes[..] else {
                return Err(Error::value("the place of the greatest is found along one axis".to_owned()));
            };
            call.hlo().reduce_place([x, places], [init, first], which, axis).map(|pair| pair.to_vec())
        }
        _ => Err(Error::value("its region is not for so many operands".to_owned())),
    }
}

pub(super) fn reduce_window(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let (operands, inits) = halves(call)?;
    let (operands, inits) = (operands.to_vec(), inits.to_vec());
    let windows = windows(call)?;
    match found(call)? {
        Folding::Each(opcodes) if opcodes.len() == operands.len() => {
            let all = operands.iter().zip(&inits).zip(&opcodes);
            all.map(|((&x, &init), opcode)| call.hlo().reduce_window(x, init, opcode, &windows)).collect()
        }
        Folding::Logaddexp if operands.len() == 1 => {
            call.hlo().running_logaddexp(operands[0], inits[0], &windows).map(one)
        }
        _ => Err(Error::value("windows of such a fold are not known".to_owned())),
    }
}

/// Of one array, the windows being operands.
pub(super) fn dynamic_reduce_window(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let [x, init, sizes, strides, base_dilations, dilations, padding] = call.exactly()?;
    let windows = WindowOperands { sizes, strides, base_dilations, dilations, padding };
    match found(call)? {
        Folding::Each(opcodes) if opcodes.len() == 1 => {
            call.stablehlo().dynamic_reduce_window(x, init, &opcodes[0], windows).map(one)
        }
        _ => Err(Error::value("windows of such a fold are not known".to_owned())),
    }
}

pub(super) fn scatter(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let [x, starts, updates] = call.operands[..] else {
        let count = call.operands.len();
        return Err(Error::value(format!("scatters of one array are known, and there are {count} operands")));
    };
    let region = call.region();
    let region = region.ok_or_else(|| Error::value("it has no region that says what it does".to_owned()))?;
    let opcode = putting(region).ok_or_else(|| {
        Error::value(format!("its region ({}) is no instruction with what is there", said(region)))
    })?;
    let dimensions = call.scatter_dimensions()?;
    call.hlo().scatter(x, starts, updates, &dimensions, opcode.as_deref()).map(one)
}

/// The window along each axis.
fn windows(call: &Call<'_>) -> Result<Vec<Window>, Error> {
    let sizes = call.integers("window_dimensions")?;
    let ones = || vec![1; sizes.len()];
    let strides = call.integers_or("window_strides", ones)?;
    let base = call.integers_or("base_dilations", ones)?;
    let dilations = call.integers_or("window_dilations", ones)?;
    let padding = match call.operation.attribute("padding") {
        None => vec![0; 2 * sizes.len()],
        Some(attribute) => {
            pairs(attribute).ok_or_else(|| Error::value("padding is no list of pairs".to_owned()))?
        }
    };
    let [low, high]: [Vec<i64>; 2] =
        [0, 1].map(|at| padding.chunks(2).filter_map(|pair| pair.get(at).copied()).collect());
    if [&strides, &base, &dilations, &low, &high].iter().any(|list| list.len() != sizes.len()) {
        return Err(Error::value(format!("not everything is said of all {} axes", sizes.len())));
    }
    let interior: Vec<i64> = base.iter().map(|base| base.saturating_sub(1)).collect();
    let padding = Padding::of_axes([&low, &high, &interior])?;
    let all = sizes.iter().zip(&strides).zip(&dilations).zip(padding);
    Ok(all
        .map(|(((&size, &stride), &dilation), padding)| Window { size, stride, dilation, padding })
        .collect())
}

/// Pairs one behind the other.
fn pairs(attribute: &Attribute) -> Option<Vec<i64>> {
    match attribute {
        Attribute::List(pairs) if pairs.iter().all(|pair| matches!(pair, Attribute::List(_))) => {
            pairs.iter().map(Attribute::integers).collect::<Option<Vec<_>>>().map(|all| all.concat())
        }
        other => other.integers(),
    }
}
