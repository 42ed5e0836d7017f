//! FakeQuantize: numbers moved to the nearest of some levels.

use super::broadcast::AutoBroadcast;
use super::{Builder, Call, Layer};
use crate::error::Error;
use crate::graph::Id;
use crate::graph::kind::Apply;
use crate::op::Op;

pub(super) const LAYERS: &[Layer] = &[Layer {
    name: "FakeQuantize",
    since: 1,
    build: |builder, call| Ok(vec![fake_quantize(builder, call)?]),
}];

/// "if x <= min(input_low, input_high): output_low; elif x > max(input_low, input_high): output_high; else
/// round((x - input_low) / (input_high - input_low) * (levels - 1)) / (levels - 1) * (output_high - output_low) + output_low".
fn fake_quantize(builder: &mut Builder<'_>, call: &Call<'_>) -> Result<Id, Error> {
    call.takes(5, 5)?;
    let levels = call.attributes.needed_integer("levels")?;
    let Ok(steps) = u32::try_from(levels.saturating_sub(1)) else {
        return Err(Error::value(format!("levels is {levels}")));
    };
    if steps == 0 {
        return Err(Error::value("there is one level, and 2 are the least".to_owned()));
    }
    let steps = f64::from(steps);
    let dtypes = call.inputs.iter().map(|&id| builder.dtype(id)).collect::<Result<Vec<_>, _>>()?;
    crate::promote::same(&dtypes)?;
    let auto = AutoBroadcast::of(call.attributes)?;
    let laid = builder.laid(call.inputs, auto)?;
    let &[x, low, high, to_low, to_high] = &laid[..] else { return call.input(4) };
    let op = |builder: &mut Builder<'_>, op, operands: &[Id]| builder.graph.add(Apply(op), operands);
    let (width, to_width) =
        (op(builder, Op::Subtract, &[high, low])?, op(builder, Op::Subtract, &[to_high, to_low])?);
    let above = op(builder, Op::Subtract, &[x, low])?;
    let part = op(builder, Op::Divide, &[above, width])?;
    let level = builder.graph.with_number(Op::Multiply, part, steps)?;
    let level = op(builder, Op::Round, &[level])?;
    let part = builder.graph.with_number(Op::Divide, level, steps)?;
    let part = op(builder, Op::Multiply, &[part, to_width])?;
    let within = op(builder, Op::Add, &[part, to_low])?;
    let (least, most) = (op(builder, Op::Minimum, &[low, high])?, op(builder, Op::Maximum, &[low, high])?);
    let (is_below, is_above) =
        (op(builder, Op::LessEqual, &[x, least])?, op(builder, Op::Greater, &[x, most])?);
    let limited = op(builder, Op::Where, &[is_above, to_high, within])?;
    op(builder, Op::Where, &[is_below, to_low, limited])
}
