//! `reduce`, `reduce_window` and `scatter`: their operands, what their region does, and the door's fold of it.

use super::Attribute;
use super::call::Call;
use super::operations::one;
use super::region::{Folding, Rounded, folding, putting, said};
use crate::dialect::hlo::{Padding, Window};
use crate::dialect::stablehlo::WindowOperands;
use crate::error::Error;
use crate::graph::Id;

/// What a fold does with its operands, and what it rounds them to.
fn found(call: &Call<'_>) -> Result<(Folding, Rounded), Error> {
    if let Some(name) = call.operation.attribute("applies").and_then(Attribute::text) {
        let opcode = name.strip_prefix("stablehlo.").unwrap_or(name);
        return Ok((Folding::Each(vec![opcode.to_owned()]), vec![None]));
    }
    let region =
        call.region().ok_or_else(|| Error::value("it has no region that says what it does".to_owned()))?;
    folding(region).ok_or_else(|| {
        Error::value(format!("its region ({}) is none of the folds that are known", said(region)))
    })
}

/// What a fold does, its operands and the first values of each, rounded as it rounds them.
fn folding_of(call: &mut Call<'_>) -> Result<(Folding, [Vec<Id>; 2]), Error> {
    let count = call.operands.len();
    if count == 0 || count % 2 == 1 {
        let text = format!("there must be a first value for each operand, and there are {count} of both");
        return Err(Error::value(text));
    }
    let (folding, rounded) = found(call)?;
    let operands = call.operands.clone();
    let (operands, inits) = operands.split_at(count / 2);
    let mut both = [operands.to_vec(), inits.to_vec()];
    for (place, &to) in rounded.iter().enumerate().take(count / 2) {
        both[0][place] = call.rounded(operands[place], to)?;
        both[1][place] = call.rounded(inits[place], to)?;
    }
    Ok((folding, both))
}

/// What a fold made of its operands, in their types.
fn unrounded(call: &mut Call<'_>, made: Vec<Id>) -> Result<Vec<Id>, Error> {
    let operands = call.operands.clone();
    made.into_iter().zip(operands).map(|(made, operand)| call.in_type_of(made, operand)).collect()
}

pub(super) fn reduce(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let axes = call.integers("dimensions")?;
    let (folding, [operands, inits]) = folding_of(call)?;
    let made = match (folding, &operands[..], &inits[..]) {
        (Folding::Each(opcodes), ..) if opcodes.len() == operands.len() => {
            let all = operands.iter().zip(&inits).zip(&opcodes);
            all.map(|((&x, &init), opcode)| call.hlo().reduce(x, init, opcode, &axes))
                .collect::<Result<_, _>>()?
        }
        (Folding::Place(which), &[x, places], &[init, first]) => {
            let [axis] = axes[..] else {
                return Err(Error::value("the place of the greatest is found along one axis".to_owned()));
            };
            call.hlo().reduce_place([x, places], [init, first], which, axis)?.to_vec()
        }
        (Folding::Logaddexp, ..) => {
            let text = "its region is the logarithm of a sum of exponentials, which is known of running windows alone";
            return Err(Error::value(text.to_owned()));
        }
        _ => return Err(Error::value("its region is not for so many operands".to_owned())),
    };
    unrounded(call, made)
}

pub(super) fn reduce_window(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let windows = windows(call)?;
    let (folding, [operands, inits]) = folding_of(call)?;
    let made = match folding {
        Folding::Each(opcodes) if opcodes.len() == operands.len() => {
            let all = operands.iter().zip(&inits).zip(&opcodes);
            all.map(|((&x, &init), opcode)| call.hlo().reduce_window(x, init, opcode, &windows))
                .collect::<Result<_, _>>()?
        }
        Folding::Logaddexp if operands.len() == 1 => {
            one(call.hlo().running_logaddexp(operands[0], inits[0], &windows)?)
        }
        _ => return Err(Error::value("windows of such a fold are not known".to_owned())),
    };
    unrounded(call, made)
}

/// Of one array, the windows being operands.
pub(super) fn dynamic_reduce_window(call: &mut Call<'_>) -> Result<Vec<Id>, Error> {
    let [x, init, sizes, strides, base_dilations, dilations, padding] = call.exactly()?;
    let windows = WindowOperands { sizes, strides, base_dilations, dilations, padding };
    match found(call)? {
        (Folding::Each(opcodes), rounded) if opcodes.len() == 1 => {
            let (of, init) = (call.rounded(x, rounded[0])?, call.rounded(init, rounded[0])?);
            let made = call.stablehlo().dynamic_reduce_window(of, init, &opcodes[0], windows)?;
            call.in_type_of(made, x).map(one)
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
    let (opcode, rounded) = putting(region).ok_or_else(|| {
        Error::value(format!(
            "its region ({}) is no instruction on what is there and the update",
            said(region)
        ))
    })?;
    let dimensions = call.scatter_dimensions()?;
    let (into, updates) = (call.rounded(x, rounded)?, call.rounded(updates, rounded)?);
    let made = call.hlo().scatter(into, starts, updates, &dimensions, opcode.as_deref())?;
    call.in_type_of(made, x).map(one)
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
