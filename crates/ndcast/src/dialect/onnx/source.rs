//! Values from nothing: constants, ranges, the unit matrix.

use super::attribute::Attribute;
use super::call::{Built, Call};
use super::element;
use ndcast_shape::Extent;

use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::Range;
use crate::op::Op;
use crate::tensor::Tensor;

/// Exactly one of its attributes is given.
pub(super) fn constant(call: &mut Call<'_>) -> Built {
    let mut found = None;
    for name in ["value", "value_float", "value_floats", "value_int", "value_ints"] {
        if let Some(value) = call.attribute(name)
            && found.replace((name, value)).is_some()
        {
            return Err(Error::value("it has one value, and several are given".to_owned()));
        }
    }
    let tensor = match found {
        Some(("value", Attribute::Tensor(tensor))) => tensor.clone(),
        Some(("value_float", Attribute::Float(value))) => Tensor::scalar(*value)?,
        Some(("value_floats", Attribute::Floats(values))) => Tensor::new(&[values.len()], values)?,
        Some(("value_int", Attribute::Int(value))) => Tensor::scalar(*value)?,
        Some(("value_ints", Attribute::Ints(values))) => Tensor::new(&[values.len()], values)?,
        Some((name, other)) => {
            return Err(Error::value(format!("its attribute {name} is not {}", other.kind())));
        }
        None => {
            return Err(Error::value("it has no value that is a tensor or numbers".to_owned()));
        }
    };
    Ok(vec![call.graph.constant(tensor)?])
}

/// The only element of an attribute everywhere in a shape; 0 of f32 if it is left out.
pub(super) fn constant_of_shape(call: &mut Call<'_>) -> Built {
    let shape = call.input(0)?;
    let value = match call.attribute("value") {
        None => Tensor::scalar(0f32)?,
        Some(Attribute::Tensor(tensor)) if tensor.elements() == 1 => tensor.clone(),
        Some(Attribute::Tensor(tensor)) => {
            let count = tensor.elements();
            return Err(Error::value(format!("its value is one element, and {count} are given")));
        }
        Some(_) => return Err(Error::value("its value is a tensor".to_owned())),
    };
    let value = call.graph.constant(value)?;
    let value = call.reshaped(value, &[])?;
    Ok(vec![call.graph.over(value, shape)?])
}

/// f16 and bf16 are counted in f32 since opset 27, whatever `stash_type` says: here they always are.
pub(super) fn range(call: &mut Call<'_>) -> Built {
    if call.opset >= 27 {
        call.int("stash_type", 1)?;
    }
    let mut ends = [call.input(0)?, call.input(1)?, call.input(2)?];
    for end in &mut ends {
        // Runtimes take an array of one number too, which the functions of other operators give.
        if let Some([extent]) = call.node(*end).dims()
            && extent.known() == Some(1)
        {
            *end = call.reshaped(*end, &[])?;
        }
    }
    Ok(vec![call.add(Range, &ends)?])
}

/// Ones on a diagonal, in the shape of its input and with its element type, unless `dtype` says another.
pub(super) fn eye_like(call: &mut Call<'_>) -> Built {
    let x = call.input(0)?;
    let rank = call.rank(x)?;
    if rank != 2 {
        return Err(Error::value(format!("it takes a matrix, and its input has rank {rank}")));
    }
    let dtype = match call.maybe_int("dtype")? {
        Some(code) => element::dtype(code)?,
        None => call.dtype(x),
    };
    let k = call.int("k", 0)?;
    let distance = super::select::distance(call, x, rank)?;
    let k = call.graph.number(k, DType::I64)?;
    let there = call.op(Op::Equal, &[distance, k])?;
    Ok(vec![call.convert(there, dtype)?])
}

pub(super) fn hann_window(call: &mut Call<'_>) -> Built {
    window(call, [0.5, -0.5, 0.0])
}

pub(super) fn hamming_window(call: &mut Call<'_>) -> Built {
    window(call, [25.0 / 46.0, -21.0 / 46.0, 0.0])
}

pub(super) fn blackman_window(call: &mut Call<'_>) -> Built {
    window(call, [0.42, -0.5, 0.08])
}

/// A sum of cosines of once and twice a turn, which is as long as the window, or ends at its last place.
fn window(call: &mut Call<'_>, [constant, once, twice]: [f64; 3]) -> Built {
    let size = call.input(0)?;
    let size = call.convert(size, DType::I64)?;
    let size = call.reshaped(size, &[])?;
    let code = call.int("output_datatype", 1)?;
    let dtype = element::dtype(code)?;
    let turn =
        if call.truth("periodic", 1)? { size } else { call.graph.with_number(Op::Subtract, size, 1)? };
    let (places, turn) = (call.graph.counted(size)?, call.convert(turn, DType::F64)?);
    let places = call.convert(places, DType::F64)?;
    let angle = call.graph.with_number(Op::Multiply, places, 2.0 * std::f64::consts::PI)?;
    let angle = call.op(Op::Divide, &[angle, turn])?;
    let mut sum = call.graph.full_like(constant, angle)?;
    for (factor, turns) in [(once, 1.0), (twice, 2.0)] {
        if factor != 0.0 {
            let cosine = call.graph.with_number(Op::Multiply, angle, turns)?;
            let cosine = call.graph.apply(Op::Cos, &[cosine])?;
            let cosine = call.graph.with_number(Op::Multiply, cosine, factor)?;
            sum = call.graph.apply(Op::Add, &[sum, cosine])?;
        }
    }
    Ok(vec![call.convert(sum, dtype)?])
}
