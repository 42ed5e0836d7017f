//! The same broadcast in every other dialect: what to write there, or why it cannot be said.
//!
//! Everything is read from the plan. The operands are called a, b, c, ...; `Add` stands for any elementwise
//! operation. Where a dialect's own implicit rule is offered (PDPD, XLA's binary operations), the rule was
//! asked and gave the same plan.

use std::fmt::Display;

use super::{Element, Role, Style, is_small, wrap};
use crate::extent::{Dim, Extent};
use crate::plan::{Plan, Source};
use crate::rule::{Dialect, openvino, xla};
use crate::shape::Shape;

/// One dialect's way to say a broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The dialect.
    pub dialect: Dialect,
    /// What to write, line by line; or why it cannot be written.
    pub lines: Result<Vec<String>, String>,
}

impl Translation {
    pub(super) fn text(&self, style: &Style) -> String {
        let lines = match &self.lines {
            Ok(lines) => lines.clone(),
            Err(reason) => vec![format!("cannot: {reason}")],
        };
        let room = style.width.saturating_sub(LABEL + 4);
        let mut text = String::new();
        for (number, line) in lines.iter().enumerate() {
            // A line may break at any space: none of these languages minds.
            let line = wrap(line, room);
            for (part, line) in line.lines().enumerate() {
                let label = if number + part == 0 { self.dialect.name() } else { "" };
                let indent = if part == 0 { "" } else { "    " };
                let role = if self.lines.is_ok() { Role::Plain } else { Role::Quiet };
                let line = style.paint.on(role, &format!("{indent}{line}"));
                text.push_str(&format!("  {label:<width$}{line}\n", width = LABEL - 2));
            }
        }
        text
    }
}

/// The columns before what is written.
const LABEL: usize = 13;

/// What operand number `operand` is called.
pub(super) fn name(operand: usize) -> String {
    let letter = u8::try_from(operand).ok().filter(|&n| n < 26).map(|n| char::from(b'a' + n));
    letter.map_or_else(|| format!("x{operand}"), String::from)
}

/// One operand, and what the plan does with it.
struct Operand<'a> {
    name: String,
    dims: &'a [Dim],
    sources: &'a [Source],
    /// Its own axes in the order of the result's.
    order: Vec<usize>,
}

impl Operand<'_> {
    fn is_as_it_is(&self) -> bool {
        self.sources.iter().enumerate().all(|(axis, source)| *source == Source::Axis(axis))
    }

    fn is_in_order(&self) -> bool {
        self.order.iter().enumerate().all(|(i, &own)| i == own)
    }

    /// The axes of the result that it does not have.
    fn new_axes(&self) -> Vec<usize> {
        (0..self.sources.len()).filter(|&axis| self.sources[axis] == Source::New).collect()
    }

    /// Whether its last axis lies on the result's last, and so on.
    fn is_right_aligned(&self) -> bool {
        self.sources.iter().skip(self.sources.len() - self.dims.len()).all(|source| *source != Source::New)
    }

    /// For each of its own axes, the result's axis it lies on.
    fn map(&self) -> Vec<usize> {
        let mut map = vec![0; self.dims.len()];
        for (axis, source) in self.sources.iter().enumerate() {
            if let Some(own) = source.axis() {
                map[own] = axis;
            }
        }
        map
    }

    /// Its own axes that walk, which is what is left once those of extent 1 are dropped.
    fn walking(&self) -> Vec<usize> {
        let stretched: Vec<usize> = self
            .sources
            .iter()
            .filter_map(|source| if let Source::Stretched(own) = source { Some(*own) } else { None })
            .collect();
        (0..self.dims.len()).filter(|own| !stretched.contains(own)).collect()
    }

    /// Which axis is only known at run time to walk or to stretch.
    fn undecided(&self) -> Option<String> {
        let axis = self.sources.iter().position(|source| matches!(source, Source::Undecided(_)))?;
        let own = self.sources[axis].axis()?;
        Some(format!("whether axis {own} of {} stretches is known only at run time", self.name))
    }
}

/// The same broadcast in each dialect but `from`. The operands' shapes are those the plan reads.
///
/// ```
/// use ndcast_shape::{Shape, explain::{Element, elsewhere}, rule::{Dialect, openvino}};
/// let plan = openvino::broadcast_explicit(&[16], &[1, 16, 50, 50], &[1])?.to_dims();
/// let all = elsewhere(&plan, &[Shape::from([16])], Dialect::OpenVino, &Element::F32);
/// assert_eq!(all[0].lines, Ok(vec!["np.broadcast_to(a[None, :, None, None], (1, 16, 50, 50))".to_owned()]));
/// # Ok::<(), ndcast_shape::Error>(())
/// ```
pub fn elsewhere(plan: &Plan<Dim>, shapes: &[Shape], from: Dialect, element: &Element) -> Vec<Translation> {
    let shape = Shape::from(plan.shape());
    if plan.operand_count() == 0 || !is_small(shapes) || !is_small(&[shape]) {
        return vec![];
    }
    let order = |sources: &[Source]| sources.iter().filter_map(|source| source.axis()).collect();
    let operands: Vec<Operand<'_>> = plan
        .operands()
        .zip(shapes)
        .enumerate()
        .map(|(operand, (sources, shape))| {
            let dims = shape.dims().unwrap_or(&[]);
            Operand { name: name(operand), dims, sources, order: order(sources) }
        })
        .collect();
    let wanted = Wanted { plan, shape: plan.shape(), operands: &operands, element };
    let others = Dialect::ALL.into_iter().filter(|&dialect| dialect != from);
    others.map(|dialect| Translation { dialect, lines: wanted.in_dialect(dialect) }).collect()
}

struct Wanted<'a> {
    plan: &'a Plan<Dim>,
    shape: &'a [Dim],
    operands: &'a [Operand<'a>],
    element: &'a Element,
}

type Lines = Result<Vec<String>, String>;

impl Wanted<'_> {
    fn in_dialect(&self, dialect: Dialect) -> Lines {
        if self.operands.iter().all(Operand::is_as_it_is) {
            return Ok(vec!["nothing to write".to_owned()]);
        }
        match dialect {
            Dialect::ArrayApi => self.numpy(),
            Dialect::Onnx => Ok(vec![self.onnx()]),
            Dialect::OpenVino => Ok(self.openvino()),
            Dialect::NGraph => self.ngraph(),
            Dialect::Xla => self.xla(),
            Dialect::Hlo => self.hlo(),
            Dialect::StableHlo => self.stablehlo(),
        }
    }

    /// Whether the operands alone do not give the shape, so it must be named.
    fn needs_target(&self) -> bool {
        let walked = |axis: usize| {
            self.operands.iter().any(|o| matches!(o.sources[axis], Source::Axis(_) | Source::Undecided(_)))
        };
        (0..self.shape.len()).any(|axis| !walked(axis)) || self.operands.len() == 1
    }

    /// Whether every extent is a number.
    fn numbers(&self, what: &str) -> Result<(), String> {
        match self.shape.iter().position(|dim| dim.known().is_none()) {
            None => Ok(()),
            Some(axis) => Err(format!("{what} needs every extent, and axis {axis} is {}", self.shape[axis])),
        }
    }

    fn numpy(&self) -> Lines {
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
        Ok(vec![self.operands.iter().map(operand).collect::<Vec<_>>().join(" + ")])
    }

    fn onnx(&self) -> String {
        let operands: Vec<String> = self.operands.iter().map(|o| unsqueezed(o, "perm")).collect();
        match &operands[..] {
            [one] => format!("Expand({one}, shape=[{}])", list(self.shape)),
            [_, _] => format!("Add({})", list(&operands)),
            _ => format!("Sum({})", list(&operands)),
        }
    }

    fn openvino(&self) -> Vec<String> {
        if let [a] = self.operands {
            let data = transposed(a, "order");
            let axes: Vec<usize> =
                (0..self.shape.len()).filter(|&axis| a.sources[axis] != Source::New).collect();
            let (mode, mapping) = if a.is_right_aligned() {
                ("numpy", String::new())
            } else {
                ("explicit", format!(", axes_mapping=[{}]", list(axes)))
            };
            return vec![
                format!("Broadcast({data}, target_shape=[{}]{mapping})", list(self.shape)),
                format!("<data mode=\"{mode}\"/>"),
            ];
        }
        if let Some(axis) = self.pdpd_axis() {
            let attributes = format!("auto_broadcast=\"pdpd\" auto_broadcast.auto_broadcast_axis=\"{axis}\"");
            return vec![sum(self.operands.iter().map(|o| o.name.clone())), format!("<data {attributes}/>")];
        }
        let operands = self.operands.iter().map(|o| unsqueezed(o, "order"));
        vec![sum(operands), "<data auto_broadcast=\"numpy\"/>".to_owned()]
    }

    /// The axis from which PDPD lays the others on the first, if that is this broadcast and numpy's is not.
    fn pdpd_axis(&self) -> Option<i64> {
        if self.operands.iter().all(|o| o.is_right_aligned() && o.is_in_order()) {
            return None;
        }
        let first = self.operands[1].sources.iter().position(|source| *source != Source::New)?;
        let axis = i64::try_from(first).ok()?;
        let shapes: Vec<&[Dim]> = self.operands.iter().map(|o| o.dims).collect();
        self.is_same(openvino::eltwise_pdpd(&shapes, axis).ok()?).then_some(axis)
    }

    #[expect(clippy::needless_pass_by_value, reason = "the plan is asked for only to be compared")]
    fn is_same(&self, plan: Plan<Dim>) -> bool {
        plan.operands().eq(self.plan.operands())
    }

    fn ngraph(&self) -> Lines {
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

    fn xla(&self) -> Lines {
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
        let axes: Option<Vec<i64>> = dimensions.iter().map(|&axis| i64::try_from(axis).ok()).collect();
        self.is_same(xla::binary(a.dims, b.dims, &axes?).ok()?).then_some(dimensions)
    }

    fn hlo(&self) -> Lines {
        let element = self.element.hlo.ok_or(format!("HLO has no {}", self.element.name))?;
        self.numbers("HLO's broadcast")?;
        let of = |dims: &[&Dim]| {
            format!("{element}[{}]", dims.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
        };
        let result = of(&self.shape.iter().collect::<Vec<_>>());
        self.each(|o| {
            let walking = o.walking();
            let own: Vec<&Dim> = o.dims.iter().collect();
            let kept: Vec<&Dim> = walking.iter().map(|&own| &o.dims[own]).collect();
            let operand = format!("{} {}", of(&own), o.name);
            let operand =
                if kept.len() == own.len() { operand } else { format!("{} reshape({operand})", of(&kept)) };
            let map = o.map();
            format!(
                "{result} broadcast({operand}), dimensions={{{}}}",
                walking.iter().map(|&own| map[own].to_string()).collect::<Vec<_>>().join(",")
            )
        })
    }

    fn stablehlo(&self) -> Lines {
        let element = self.element.stablehlo.ok_or(format!("StableHLO has no {}", self.element.name))?;
        let of = |dims: &[Dim]| {
            let extents: String =
                dims.iter().map(|dim| dim.known().map_or("?x".to_owned(), |n| format!("{n}x"))).collect();
            format!("tensor<{extents}{element}>")
        };
        let result = of(self.shape);
        let is_static = self.numbers("").is_ok();
        let line = |o: &Operand<'_>| {
            let (name, operand, dims) = (&o.name, of(o.dims), list(o.map()));
            if is_static {
                format!("stablehlo.broadcast_in_dim %{name}, dims = [{dims}] : ({operand}) -> {result}")
            } else {
                let shape = format!("tensor<{}xi64>", self.shape.len());
                format!(
                    "stablehlo.dynamic_broadcast_in_dim %{name}, %shape, dims = [{dims}] : ({operand}, {shape}) -> {result}"
                )
            }
        };
        Ok(self.operands.iter().filter(|o| !o.is_as_it_is()).map(line).collect())
    }

    /// A line for each operand that is broadcast, all of whose axes must be decided.
    fn each(&self, line: impl Fn(&Operand<'_>) -> String) -> Lines {
        let broadcast = self.operands.iter().filter(|o| !o.is_as_it_is());
        broadcast.map(|o| o.undecided().map_or_else(|| Ok(line(o)), Err)).collect()
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

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

fn tuple<T: Display>(items: &[T]) -> String {
    if let [one] = items { format!("({one},)") } else { format!("({})", list(items)) }
}
