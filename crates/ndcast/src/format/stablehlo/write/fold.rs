//! Folds: whole, running, the place of the greatest, and products of matrices.

use ndcast_shape::{Dim, Extent, Shape};

use super::extents::Size;
use super::{Typed, Value, Writer, commas, type_text};
use crate::array::Keep;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::{Accumulate, Direction, Find, Reduce, Start, nothing};
use crate::graph::{Kind, Node};
use crate::reduction::Reduction;

/// The instruction that folds.
fn opcode(reduction: Reduction) -> &'static str {
    match reduction {
        Reduction::Sum => "add",
        Reduction::Prod => "multiply",
        Reduction::Max => "maximum",
        Reduction::Min => "minimum",
        Reduction::Any => "or",
        Reduction::All => "and",
    }
}

fn scalar() -> Shape {
    Shape::from([0usize; 0])
}

impl Writer<'_> {
    pub(super) fn folded(&mut self, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        match node.kind() {
            Kind::Reduce(reduce) => self.reduce(reduce, operands[0], &typed),
            Kind::Accumulate(accumulate) => self.accumulate(accumulate, operands[0], typed),
            Kind::Find(find) => self.find(find, operands[0], &typed),
            _ => self.matrix_product(operands, typed),
        }
    }

    fn reduce(&mut self, reduce: &Reduce, x: Value, typed: &Typed) -> Result<Value, Error> {
        if reduce.axes.is_empty() {
            return Ok(x);
        }
        let dtype = typed.0;
        let dims = self.dims(x)?;
        let init = self.number(nothing(reduce.reduction, dtype), dtype)?;
        let rest: Shape = (0..dims.len())
            .filter(|axis| !reduce.axes.contains(axis))
            .map(|axis| dims[axis].clone())
            .collect();
        let (of, result) = (self.types(&[x, init])?, type_text(&(dtype, rest.clone()))?);
        let names = [self.names(&[x]), self.names(&[init])];
        let value = self.fresh((dtype, rest));
        self.text.push_str(&format!(
            "    %{} = stablehlo.reduce({} init: {}) applies stablehlo.{} across dimensions = [{}] : ({of}) -> {result}\n",
            value.0,
            names[0],
            names[1],
            opcode(reduce.reduction),
            commas(&reduce.axes),
        ));
        if reduce.keep == Keep::Nothing { Ok(value) } else { self.with_axes(value, &reduce.axes, &typed.1) }
    }

    /// With axes of extent 1 put in.
    fn with_axes(&mut self, value: Value, new: &[usize], shape: &Shape) -> Result<Value, Error> {
        let rank = self.dims(value)?.len() + new.len();
        let axes: Vec<usize> = (0..rank).filter(|axis| !new.contains(axis)).collect();
        let mut sizes = vec![Size::Known(1); rank];
        for (own, &axis) in axes.iter().enumerate() {
            sizes[axis] = self.size_of(value, own)?;
        }
        self.laid(value, &axes, &sizes, shape)
    }

    /// Windows that reach back to the first element, or on to the last.
    fn accumulate(&mut self, accumulate: &Accumulate, x: Value, typed: Typed) -> Result<Value, Error> {
        let dims = self.dims(x)?;
        let Some(extent) = dims.get(accumulate.axis).and_then(Extent::known) else {
            return self.open_accumulate(accumulate, x, typed);
        };
        if extent == 0 {
            return Ok(x);
        }
        let dtype = typed.0;
        let init = self.number(nothing(accumulate.reduction, dtype), dtype)?;
        let (reach, behind) = match accumulate.start {
            Start::With => (extent - 1, "0"),
            Start::Before => (extent, "-1"),
        };
        let list = |own: String, other: &str| {
            commas(
                (0..dims.len())
                    .map(|axis| if axis == accumulate.axis { own.clone() } else { other.to_owned() }),
            )
        };
        let padding = match accumulate.direction {
            Direction::Forward => format!("[{reach}, {behind}]"),
            Direction::Backward => format!("[{behind}, {reach}]"),
        };
        let ones = list("1".to_owned(), "1");
        let element = type_text(&(dtype, scalar()))?;
        let middle = format!(
            " <{{base_dilations = array<i64: {ones}>, padding = dense<[{}]> : tensor<{}x2xi64>, \
             window_dilations = array<i64: {ones}>, window_dimensions = array<i64: {}>, \
             window_strides = array<i64: {ones}>}}> ({{\n    ^bb0(%a: {element}, %b: {element}):\n      \
             %c = stablehlo.{} %a, %b : {element}\n      stablehlo.return %c : {element}\n    }})",
            list(padding, "[0, 0]"),
            dims.len(),
            list(extent.to_string(), "1"),
            opcode(accumulate.reduction),
        );
        self.generic("stablehlo.reduce_window", &[x, init], &middle, typed)
    }

    /// Along an axis whose extent is open, as JAX writes it: the windows are operands, and the instruction is a function.
    fn open_accumulate(&mut self, accumulate: &Accumulate, x: Value, typed: Typed) -> Result<Value, Error> {
        if accumulate.start == Start::Before {
            return Err(Error::value(
                "the extent along which it runs must be known where it begins with nothing".to_owned(),
            ));
        }
        let rank = self.dims(x)?.len();
        let init = self.number(nothing(accumulate.reduction, typed.0), typed.0)?;
        let extent = self.size_of(x, accumulate.axis)?;
        let reach = self.sizes("stablehlo.subtract", extent, Size::Known(1))?;
        let mut sizes = vec![Size::Known(1); rank];
        sizes[accumulate.axis] = extent;
        let mut padding = vec![Size::Known(0); 2 * rank];
        padding[2 * accumulate.axis + usize::from(accumulate.direction == Direction::Backward)] = reach;
        let [sizes, ones, padding] =
            [sizes, vec![Size::Known(1); rank], padding].map(|all| self.shape_of(&all));
        let (ones, padding) = (ones?, self.reshaped(padding?, &[rank, 2])?);
        let element = type_text(&(typed.0, scalar()))?;
        let name = format!("fold_{}", self.functions.len());
        self.functions.push(format!(
            "  func.func private @{name}(%a: {element}, %b: {element}) -> {element} {{\n    \
             %c = stablehlo.{} %a, %b : {element}\n    return %c : {element}\n  }}\n",
            opcode(accumulate.reduction)
        ));
        let middle = format!(
            " <{{api_version = 2 : i32, call_target_name = \"stablehlo.dynamic_reduce_window\", \
             called_computations = [@{name}]}}>"
        );
        self.generic("stablehlo.custom_call", &[x, init, sizes?, ones, ones, ones, padding], &middle, typed)
    }

    /// As JAX writes it: the first of equal ones, or the first NaN.
    fn find(&mut self, find: &Find, x: Value, typed: &Typed) -> Result<Value, Error> {
        let (dtype, shape) = self.typed(x).clone();
        let to = DType::I32;
        let extents = shape.extents();
        let places = match &extents {
            Some(_) => {
                self.operation(&format!("stablehlo.iota dim = {}", find.axis), &[], "", (to, shape.clone()))?
            }
            None => {
                let rank = self.dims(x)?.len();
                let sizes = (0..rank).map(|axis| self.size_of(x, axis)).collect::<Result<Vec<_>, _>>()?;
                let target = self.shape_of(&sizes)?;
                self.operation(
                    "stablehlo.dynamic_iota",
                    &[target],
                    &format!(", dim = {}", find.axis),
                    (to, shape.clone()),
                )?
            }
        };
        let init = self.number(nothing(find.which, dtype), dtype)?;
        let zero = self.number(0, to)?;
        let dims: Vec<Dim> = self.dims(x)?;
        let rest: Shape =
            (0..dims.len()).filter(|&axis| axis != find.axis).map(|axis| dims[axis].clone()).collect();
        let all = [x, places, init, zero];
        let (of, names) = (self.types(&all)?, all.map(|value| self.names(&[value])));
        let results =
            format!("({}, {})", type_text(&(dtype, rest.clone()))?, type_text(&(to, rest.clone()))?);
        let (e, p, t) = (type_text(&(dtype, scalar()))?, type_text(&(to, scalar()))?, "tensor<i1>");
        let direction = if find.which == Reduction::Max { "GT" } else { "LT" };
        let as_what = match dtype.class() {
            Class::Float => "FLOAT",
            Class::Signed => "SIGNED",
            _ => "UNSIGNED",
        };
        // The greatest itself, which nothing uses, and its place.
        let pair = self.values.len();
        let value = self.value(format!("{pair}#1"), (to, rest));
        let [x, places, init, zero] = names;
        let axis = find.axis;
        self.text.push_str(&format!(
            "    %{pair}:2 = stablehlo.reduce({x} init: {init}), ({places} init: {zero}) across dimensions = [{axis}] : ({of}) -> {results}\n     \
             reducer(%a: {e}, %b: {e}) (%i: {p}, %j: {p})  {{\n      \
             %c = stablehlo.compare {direction}, %a, %b, {as_what} : ({e}, {e}) -> {t}\n      \
             %d = stablehlo.compare NE, %a, %a, {as_what} : ({e}, {e}) -> {t}\n      \
             %e = stablehlo.or %c, %d : {t}\n      \
             %f = stablehlo.compare EQ, %a, %b, {as_what} : ({e}, {e}) -> {t}\n      \
             %g = stablehlo.compare LT, %i, %j, SIGNED : ({p}, {p}) -> {t}\n      \
             %h = stablehlo.and %f, %g : {t}\n      \
             %k = stablehlo.or %e, %h : {t}\n      \
             %l = stablehlo.select %e, %a, %b : {t}, {e}\n      \
             %m = stablehlo.select %k, %i, %j : {t}, {p}\n      \
             stablehlo.return %l, %m : {e}, {p}\n    }}\n",
        ));
        let found = self.convert(value, find.to)?;
        if find.keep == Keep::Nothing { Ok(found) } else { self.with_axes(found, &[find.axis], &typed.1) }
    }

    /// Of matrices and rows of them, whose other axes are broadcast before.
    fn matrix_product(&mut self, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        let [left, right] = [operands[0], operands[1]];
        let (l, r) = (self.dims(left)?, self.dims(right)?);
        let batch = l.len().max(r.len()).saturating_sub(2);
        let mut sides = [left, right];
        for (side, dims) in sides.iter_mut().zip([&l, &r]) {
            // A single axis has no batch of its own.
            *side = self.batched(*side, dims, batch, operands)?;
        }
        let own = |value: Value| self.dims(value).map(|dims| dims.len());
        let (left_rank, right_rank) = (own(sides[0])?, own(sides[1])?);
        let contracting = [left_rank - 1, right_rank - if r.len() == 1 { 1 } else { 2 }];
        let list = commas(0..batch);
        let batching =
            if batch == 0 { String::new() } else { format!(", batching_dims = [{list}] x [{list}]") };
        let tail = format!("{batching}, contracting_dims = [{}] x [{}]", contracting[0], contracting[1]);
        self.operation("stablehlo.dot_general", &sides, &tail, typed)
    }

    /// An operand with as many leading axes as the product has.
    fn batched(
        &mut self,
        value: Value,
        dims: &[Dim],
        batch: usize,
        operands: &[Value],
    ) -> Result<Value, Error> {
        let inner = dims.len().min(2);
        // What both have in front, as it is, if they have the same.
        let (l, r) = (self.dims(operands[0])?, self.dims(operands[1])?);
        if batch == 0 || (l.len() == r.len() && l[..batch] == r[..batch]) {
            return Ok(value);
        }
        let (mut shape, mut sizes): (Vec<Dim>, Vec<Size>) = (Vec::new(), Vec::new());
        for place in 0..batch {
            let along = |dims: &[Dim]| (dims.len() + place).checked_sub(batch + 2).map(|at| dims[at].clone());
            let all: Vec<Dim> = [&l, &r].into_iter().filter_map(|dims| along(dims)).collect();
            let known = all.iter().find(|dim| dim.known().is_some_and(|extent| extent != 1));
            let open = all.iter().find(|dim| dim.known().is_none());
            let dim = known.or(open).cloned().unwrap_or(Dim::Known(1));
            sizes.push(self.joined_size(operands, batch + 2 - place, &dim)?);
            shape.push(dim);
        }
        for (axis, dim) in dims.iter().enumerate().skip(dims.len() - inner) {
            shape.push(dim.clone());
            sizes.push(self.size_of(value, axis)?);
        }
        let axes: Vec<usize> = (batch + inner - dims.len()..batch + inner).collect();
        self.laid(value, &axes, &sizes, &Shape::from(shape))
    }
}
