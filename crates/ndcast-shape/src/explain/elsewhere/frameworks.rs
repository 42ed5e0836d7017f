//! In the words of NumPy, ONNX, OpenVINO and nGraph.

use std::fmt::Display;

use super::{Lines, Operand, Operation, Wanted, list};
use crate::extent::Dim;
use crate::plan::Source;
use crate::rule::openvino;

impl Wanted<'_> {
    pub(super) fn numpy(&self) -> Lines {
        let operand = |o: &Operand<'_>| {
            let base = if o.is_in_order() {
                o.name.clone()
            } else {
                format!("np.transpose({}, {})", o.name, tuple(&o.order))
            };
            if o.dims.is_empty() || o.is_right_aligned() {
                return base;
            }
            let part = |source: &Source| if *source == Source::New { "None" } else { ":" };
            format!("{base}[{}]", list(o.sources.iter().map(part)))
        };
        if self.needs_target() {
            self.numbers("np.broadcast_to")?;
            let shape = tuple(self.shape);
            return Ok(self
                .operands
                .iter()
                .map(|o| format!("np.broadcast_to({}, {shape})", operand(o)))
                .collect());
        }
        let operands: Vec<String> = self.operands.iter().map(operand).collect();
        Ok(vec![match (&operands[..], self.operation()) {
            ([pred, on_true, on_false], Operation::Select) => {
                format!("np.where({pred}, {on_true}, {on_false})")
            }
            ([min, x, max], Operation::Clamp) => format!("np.clip({x}, {min}, {max})"),
            _ => operands.join(" + "),
        }])
    }

    /// The shape, or its name and what it is at run time.
    fn shape_or_name(&self) -> (String, Option<String>) {
        match self.numbers("") {
            Ok(()) => (format!("[{}]", list(self.shape)), None),
            Err(_) => {
                ("shape".to_owned(), Some(format!("where shape is [{}] at run time", list(self.shape))))
            }
        }
    }

    pub(super) fn onnx(&self) -> Vec<String> {
        let operands: Vec<String> = self.operands.iter().map(|o| unsqueezed(o, "perm")).collect();
        match &operands[..] {
            [one] => {
                let (shape, at_run_time) = self.shape_or_name();
                [format!("Expand({one}, shape={shape})")].into_iter().chain(at_run_time).collect()
            }
            [_, _] => vec![format!("Add({})", list(&operands))],
            [min, x, max] if self.operation() == Operation::Clamp => {
                vec![format!("Min(Max({x}, {min}), {max})")]
            }
            _ if self.operation() == Operation::Select => vec![format!("Where({})", list(&operands))],
            _ => vec![format!("Sum({})", list(&operands))],
        }
    }

    pub(super) fn openvino(&self) -> Vec<String> {
        if let [a] = self.operands {
            let data = transposed(a, "order");
            let axes: Vec<usize> =
                (0..self.shape.len()).filter(|&axis| a.sources[axis] != Source::New).collect();
            let (mode, mapping) = if a.is_right_aligned() {
                ("numpy", String::new())
            } else {
                ("explicit", format!(", axes_mapping=[{}]", list(axes)))
            };
            let (shape, at_run_time) = self.shape_or_name();
            let call = format!("Broadcast({data}, target_shape={shape}{mapping})");
            return [call, format!("<data mode=\"{mode}\"/>")].into_iter().chain(at_run_time).collect();
        }
        if let Some(axis) = self.pdpd_axis() {
            let attributes = format!("auto_broadcast=\"pdpd\" auto_broadcast.auto_broadcast_axis=\"{axis}\"");
            return vec![sum(self.operands.iter().map(|o| o.name.clone())), format!("<data {attributes}/>")];
        }
        let operands: Vec<String> = self.operands.iter().map(|o| unsqueezed(o, "order")).collect();
        let call = match (&operands[..], self.operation()) {
            ([min, x, max], Operation::Clamp) => format!("Minimum(Maximum({x}, {min}), {max})"),
            (_, Operation::Select) => format!("Select({})", list(&operands)),
            _ => sum(operands.into_iter()),
        };
        vec![call, "<data auto_broadcast=\"numpy\"/>".to_owned()]
    }

    /// The axis from which PDPD lays the others on the first, if that is this broadcast and numpy's is not.
    fn pdpd_axis(&self) -> Option<i64> {
        let plain = self.operands.iter().all(|o| o.is_right_aligned() && o.is_in_order());
        // The first operand is never enlarged.
        if plain || !self.operands[0].is_as_it_is() {
            return None;
        }
        let first = self.operands[1].sources.iter().position(|source| *source != Source::New)?;
        let axis = i64::try_from(first).ok()?;
        let shapes: Vec<&[Dim]> = self.operands.iter().map(|o| o.dims).collect();
        self.is_same(openvino::eltwise_pdpd(&shapes, axis).ok()?).then_some(axis)
    }

    pub(super) fn ngraph(&self) -> Lines {
        self.numbers("nGraph's Shape")?;
        let shape = list(self.shape);
        self.each(|o| {
            let walking = o.walking();
            // nGraph stretches nothing: an axis of extent 1 is dropped, and made anew.
            let kept: Vec<&Dim> =
                o.order.iter().filter(|own| walking.contains(own)).map(|&own| &o.dims[own]).collect();
            let arg = if walking.len() == o.dims.len() && o.is_in_order() {
                o.name.clone()
            } else {
                format!("Reshape({}, AxisVector{{{}}}, Shape{{{}}})", o.name, list(&o.order), list(kept))
            };
            let repeated = |source: &Source| matches!(source, Source::New | Source::Stretched(_));
            let axes = (0..o.sources.len()).filter(|&axis| repeated(&o.sources[axis]));
            format!("Broadcast({arg}, Shape{{{shape}}}, AxisSet{{{}}})", list(axes))
        })
    }
}

/// An operand with its axes in the order of the result's.
fn transposed(o: &Operand<'_>, attribute: &str) -> String {
    if o.is_in_order() {
        o.name.clone()
    } else {
        format!("Transpose({}, {attribute}=[{}])", o.name, list(&o.order))
    }
}

/// An operand with an axis for each of the result's that matters: those in front need not be there.
fn unsqueezed(o: &Operand<'_>, attribute: &str) -> String {
    let operand = transposed(o, attribute);
    if o.dims.is_empty() || o.is_right_aligned() {
        operand
    } else {
        format!("Unsqueeze({operand}, axes=[{}])", list(o.new_axes()))
    }
}

/// `Add(Add(a, b), c)`
fn sum(operands: impl Iterator<Item = String>) -> String {
    operands.reduce(|sum, operand| format!("Add({sum}, {operand})")).unwrap_or_default()
}

fn tuple<T: Display>(items: &[T]) -> String {
    if let [one] = items { format!("({one},)") } else { format!("({})", list(items)) }
}
