//! Folds: whole, running, the place of the greatest, and products of matrices.

use ndcast_shape::{Dim, Extent, Shape};

use super::extents::Size;
use super::region::{Region, opcode};
use super::{Dot, Says, Typed, Value, Writer};
use crate::array::Keep;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Accumulate, Direction, Find, Reduce, Start, nothing};
use crate::graph::{Kind, Node};
use crate::layout::as_i64;

impl Writer<'_> {
    pub(super) fn folded(&mut self, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        match node.kind() {
            Kind::Reduce(reduce) => match self.pieces_of_shape(node, operands[0])? {
                Some(pieces) => self.joined_by(opcode(reduce.reduction), &pieces, &typed),
                None => self.reduce(reduce, operands[0], &typed),
            },
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
        let region = Region::of_one(opcode(reduce.reduction), dtype);
        let says = Says::Reduce(reduce.axes.clone(), region);
        let value = self.operation("reduce", &[x, init], &says, (dtype, rest))?;
        if reduce.keep == Keep::Nothing { Ok(value) } else { self.with_axes(value, &reduce.axes, &typed.1) }
    }

    /// The elements one by one, if a shape is computed from them and they are few: XLA cannot evaluate a reduce while it infers shapes.
    fn pieces_of_shape(&mut self, node: &Node, x: Value) -> Result<Option<Vec<Value>>, Error> {
        let operand = self.graph.at(node.arguments()[0]);
        let dims = self.dims(x)?;
        let (Some(_), Some(_), [Dim::Known(count @ 1..=16)]) = (node.entries(), operand.entries(), &dims[..])
        else {
            return Ok(None);
        };
        (0..*count).map(|place| self.piece(x, place)).collect::<Result<Vec<_>, _>>().map(Some)
    }

    /// Arrays of one element, folded by an instruction.
    fn joined_by(&mut self, name: &str, pieces: &[Value], typed: &Typed) -> Result<Value, Error> {
        let one = (typed.0, Shape::from([1usize]));
        let mut made = pieces[0];
        for &piece in &pieces[1..] {
            made = self.operation(name, &[made, piece], &Says::Nothing, one.clone())?;
        }
        self.reshaped(made, &typed.1.extents().unwrap_or_default())
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
            Start::With => (extent - 1, 0),
            Start::Before => (extent, -1),
        };
        let reach = as_i64(reach);
        let (mut sizes, mut padding) = (vec![1; dims.len()], vec![[0, 0]; dims.len()]);
        sizes[accumulate.axis] = extent;
        padding[accumulate.axis] = match accumulate.direction {
            Direction::Forward => [reach, behind],
            Direction::Backward => [behind, reach],
        };
        let region = Region::of_one(opcode(accumulate.reduction), dtype);
        self.operation("reduce_window", &[x, init], &Says::Window(sizes, padding, region), typed)
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
        let reach = self.sizes("subtract", extent, Size::Known(1))?;
        let mut sizes = vec![Size::Known(1); rank];
        sizes[accumulate.axis] = extent;
        let mut padding = vec![Size::Known(0); 2 * rank];
        padding[2 * accumulate.axis + usize::from(accumulate.direction == Direction::Backward)] = reach;
        let [sizes, ones, padding] =
            [sizes, vec![Size::Known(1); rank], padding].map(|all| self.shape_of(&all));
        let (ones, padding) = (ones?, self.reshaped(padding?, &[rank, 2])?);
        let says = Says::OpenWindow(Region::of_one(opcode(accumulate.reduction), typed.0));
        self.operation("custom_call", &[x, init, sizes?, ones, ones, ones, padding], &says, typed)
    }

    /// As JAX writes it: the first of equal ones, or the first NaN.
    fn find(&mut self, find: &Find, x: Value, typed: &Typed) -> Result<Value, Error> {
        let (dtype, to) = (self.dtype(x), DType::I32);
        let places = self.places_along(x, find.axis)?;
        let init = self.number(nothing(find.which, dtype), dtype)?;
        let zero = self.number(0, to)?;
        let dims: Vec<Dim> = self.dims(x)?;
        let rest: Shape =
            (0..dims.len()).filter(|&axis| axis != find.axis).map(|axis| dims[axis].clone()).collect();
        let says = Says::Reduce(vec![find.axis], Region::of_place(find.which, dtype, to));
        // The greatest itself, which nothing uses, and its place.
        let types = [(dtype, rest.clone()), (to, rest)];
        let value = self.second("reduce", &[x, places, init, zero], &says, types)?;
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
        let says = Says::Dot(Dot { batch: (0..batch).collect(), contracting });
        self.operation("dot_general", &sides, &says, typed)
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
