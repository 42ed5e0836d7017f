//! In the words of XLA's builder, HLO and StableHLO.

use super::{Lines, Operand, Operation, Wanted, list};
use crate::extent::{Dim, Extent};
use crate::plan::Source;
use crate::rule::xla;

impl Wanted<'_> {
    pub(super) fn xla(&self) -> Lines {
        let names = || list(self.operands.iter().map(|o| &o.name));
        match self.operation() {
            Operation::Select => return Ok(vec![format!("Select({})", names())]),
            Operation::Clamp => return Ok(vec![format!("Clamp({})", names())]),
            Operation::Any => {}
        }
        if let ([a, b], Some(dimensions)) = (self.operands, self.binary_dimensions()) {
            let dimensions = match &dimensions[..] {
                [] => String::new(),
                dimensions => format!(", /*broadcast_dimensions=*/{{{}}}", list(dimensions)),
            };
            return Ok(vec![format!("Add({}, {}{dimensions})", a.name, b.name)]);
        }
        self.numbers("XLA's BroadcastInDim")?;
        let shape = list(self.shape);
        self.each(|o| {
            let arg = if o.is_in_order() {
                o.name.clone()
            } else {
                format!("Transpose({}, {{{}}})", o.name, list(&o.order))
            };
            let front = self.shape.len() - o.dims.len();
            if o.is_right_aligned() && o.walking().len() == o.dims.len() {
                return format!("Broadcast({arg}, {{{}}})", list(&self.shape[..front]));
            }
            let axes = (0..self.shape.len()).filter(|&axis| o.sources[axis] != Source::New);
            format!("BroadcastInDim({arg}, {{{shape}}}, {{{}}})", list(axes))
        })
    }

    /// The broadcast_dimensions with which a binary operation is this broadcast.
    fn binary_dimensions(&self) -> Option<Vec<usize>> {
        let [a, b] = self.operands else { return None };
        let dimensions = match a.dims.len().cmp(&b.dims.len()) {
            std::cmp::Ordering::Equal => vec![],
            std::cmp::Ordering::Less => a.map(),
            std::cmp::Ordering::Greater => b.map(),
        };
        // With an unknown extent the builder aligns to the right, whatever the dimensions are.
        let unbounded =
            |o: &Operand<'_>| o.dims.iter().any(|dim| !dim.is_definite() && dim.bound().is_none());
        let suffix =
            dimensions.iter().rev().zip((0..self.shape.len()).rev()).all(|(&axis, last)| axis == last);
        if [a, b].into_iter().any(unbounded) && !suffix {
            return None;
        }
        let axes: Option<Vec<i64>> = dimensions.iter().map(|&axis| i64::try_from(axis).ok()).collect();
        self.is_same(xla::binary(a.dims, b.dims, &axes?).ok()?).then_some(dimensions)
    }

    pub(super) fn hlo(&self) -> Lines {
        let element = self.element.hlo.ok_or(format!("HLO has no {}", self.element.name))?;
        let bounded = |dim: &Dim| dim.bound().map_or_else(|| dim.to_string(), |bound| format!("<={bound}"));
        self.sizes("HLO's broadcast")?;
        for o in self.operands.iter().filter(|o| !o.is_as_it_is()) {
            let size = |dim: &Dim| dim.bound().unwrap_or_else(|| dim.clone());
            let other = o.sources.iter().zip(self.shape).find_map(|(source, dim)| match source {
                Source::Axis(own) if size(&o.dims[*own]) != size(dim) => Some((*own, dim)),
                _ => None,
            });
            if let Some((own, dim)) = other {
                return Err(format!("whether axis {own} of {} is {dim} is known only at run time", o.name));
            }
        }
        let of = |dims: &[&Dim]| {
            format!("{element}[{}]", dims.iter().map(|dim| bounded(dim)).collect::<Vec<_>>().join(","))
        };
        let result = of(&self.shape.iter().collect::<Vec<_>>());
        self.each(|o| {
            let map = o.map();
            let kept = |own: &usize| matches!(o.sources[map[*own]], Source::Axis(_));
            let walking: Vec<usize> = (0..o.dims.len()).filter(kept).collect();
            let sorted: Vec<usize> = o.order.iter().copied().filter(|own| walking.contains(own)).collect();
            let dims = |axes: &[usize]| axes.iter().map(|&own| &o.dims[own]).collect::<Vec<_>>();
            let mut operand = format!("{} {}", of(&o.dims.iter().collect::<Vec<_>>()), o.name);
            if walking.len() < o.dims.len() {
                operand = format!("{} reshape({operand})", of(&dims(&walking)));
            }
            let listed = |axes: &mut dyn Iterator<Item = usize>| {
                axes.map(|n| n.to_string()).collect::<Vec<_>>().join(",")
            };
            // A broadcast may transpose as well, but at equal ranks XLA's compiler gets some of those wrong.
            if walking.len() == self.shape.len() && sorted != walking {
                let mut order = sorted.iter().filter_map(|own| walking.iter().position(|other| other == own));
                return format!("{result} transpose({operand}), dimensions={{{}}}", listed(&mut order));
            }
            format!(
                "{result} broadcast({operand}), dimensions={{{}}}",
                listed(&mut walking.iter().map(|&own| map[own]))
            )
        })
    }

    pub(super) fn stablehlo(&self) -> Lines {
        let element = self.element.stablehlo.ok_or(format!("StableHLO has no {}", self.element.name))?;
        let of = |dims: &[Dim]| {
            let extents: String =
                dims.iter().map(|dim| dim.known().map_or("?x".to_owned(), |n| format!("{n}x"))).collect();
            let bound = |dim: &Dim| dim.bound().map_or("?".to_owned(), |bound| bound.to_string());
            let bounds = if dims.iter().any(|dim| dim.bound().is_some()) {
                format!(", #stablehlo.bounds<{}>", list(dims.iter().map(bound)))
            } else {
                String::new()
            };
            format!("tensor<{extents}{element}{bounds}>")
        };
        let result = of(self.shape);
        match (self.operation(), self.operands) {
            (Operation::Select, [pred, x, y]) => {
                let pred_type = of(pred.dims).replace(element, "i1");
                let names = format!("%{}, %{}, %{}", pred.name, x.name, y.name);
                return Ok(vec![format!("stablehlo.select {names} : {pred_type}, {result}")]);
            }
            (Operation::Clamp, [min, x, max]) => {
                let types = list([of(min.dims), of(x.dims), of(max.dims)]);
                let names = format!("%{}, %{}, %{}", min.name, x.name, max.name);
                return Ok(vec![format!("stablehlo.clamp {names} : ({types}) -> {result}")]);
            }
            _ => {}
        }
        let bounded = self.shape.iter().filter(|dim| dim.bound().is_some()).count();
        let unknown = self.shape.iter().filter(|dim| dim.known().is_none()).count();
        let is_static = unknown == bounded && bounded <= 1;
        let line = |o: &Operand<'_>| {
            let (name, operand, dims) = (&o.name, of(o.dims), list(o.map()));
            if is_static {
                return format!(
                    "stablehlo.broadcast_in_dim %{name}, dims = [{dims}] : ({operand}) -> {result}"
                );
            }
            let shape = format!("tensor<{}xi64>", self.shape.len());
            format!(
                "stablehlo.dynamic_broadcast_in_dim %{name}, %shape, dims = [{dims}] : \
                 ({operand}, {shape}) -> {result}"
            )
        };
        let mut lines: Vec<String> = self.operands.iter().filter(|o| !o.is_as_it_is()).map(line).collect();
        if !is_static {
            lines.push(format!("where %shape is [{}] at run time", list(self.shape)));
        }
        Ok(lines)
    }
}
