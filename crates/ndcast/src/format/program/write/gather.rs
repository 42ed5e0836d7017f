//! Gathers and scatters: what takes elements by numbers, and what puts them.

use ndcast_shape::{Dim, Extent, Shape};

use super::extents::Size;
use super::region::Region;
use super::{GatherLies, Says, ScatterLies, Typed, Value, Writer};
use crate::array::Number;
use crate::dialect::hlo::Comparison;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::{Scatter, Take};
use crate::graph::{Id, Kind, Node};
use crate::op::Op;

impl Writer<'_> {
    /// Row indices, negative ones made positive. StableHLO clamps indices itself, so a clamp before is dropped.
    fn row_numbers(&mut self, id: Id, value: Value, rows: Value, axis: usize) -> Result<Value, Error> {
        let node = self.graph.at(id);
        let extent = self.dims(rows)?.get(axis).and_then(Extent::known);
        let number = |id: Id| {
            let mut node = self.graph.at(id);
            while let Kind::Broadcast(_) = node.kind() {
                node = self.graph.at(node.arguments()[0]);
            }
            node.integers().filter(|all| all.len() == 1).map(|all| all[0])
        };
        if let Kind::Apply(apply) = node.kind()
            && apply.0 == Op::Clamp
            && number(node.arguments()[0]) == Some(0)
            && extent.and_then(|extent| i64::try_from(extent).ok()).map(|extent| extent - 1)
                == number(node.arguments()[2])
        {
            return self.of(node.arguments()[1]);
        }
        if node.integers().is_some_and(|all| all.iter().all(|&n| n >= 0)) {
            return Ok(value);
        }
        self.counted_up(value, rows, axis)
    }

    /// Whether numbers are the places of a sort, in whatever order, so that none counts from the end.
    fn are_places(&self, id: Id) -> bool {
        let mut node = self.graph.at(id);
        while let Kind::TakeAlong(_) | Kind::Slice(_) = node.kind() {
            node = self.graph.at(node.arguments()[0]);
        }
        // A narrower type may not hold them all.
        matches!(node.kind(), Kind::Argsort(sort) if sort.to.size().is_some_and(|size| size >= 4))
    }

    /// Negative indices made positive by adding the axis's extent, which a type of a byte or two may not hold.
    fn counted_up(&mut self, numbers: Value, rows: Value, axis: usize) -> Result<Value, Error> {
        let numbers = match self.dtype(numbers) {
            dtype if dtype.class() == Class::Unsigned => return Ok(numbers),
            DType::I64 => numbers,
            _ => self.convert(numbers, DType::I32)?,
        };
        let (dtype, shape) = self.typed(numbers).clone();
        let size = self.size_of(rows, axis)?;
        let size = self.scalar(size)?;
        let size = self.convert(size, dtype)?;
        let zero = self.number(Number::Int(0), dtype)?;
        let rank = self.dims(numbers)?.len();
        let sizes = (0..rank).map(|axis| self.size_of(numbers, axis)).collect::<Result<Vec<_>, _>>()?;
        let (zeros, extents) = (self.laid(zero, &[], &sizes, &shape)?, self.laid(size, &[], &sizes, &shape)?);
        let truths = (DType::Bool, shape.clone());
        let negative = self.operation(
            "compare",
            &[numbers, zeros],
            &Says::Compare("LT", Comparison::of(dtype)),
            truths,
        )?;
        let counted = self.operation("add", &[numbers, extents], &Says::Nothing, (dtype, shape.clone()))?;
        self.operation("select", &[negative, counted, numbers], &Says::Nothing, (dtype, shape))
    }

    /// A gather of whole rows.
    pub(super) fn take(
        &mut self,
        take: &Take,
        node: &Node,
        operands: &[Value],
        typed: Typed,
    ) -> Result<Value, Error> {
        if let Some(numbers) = self.graph.at(node.arguments()[1]).integers()
            && let Some(made) = self.picked(&numbers, operands, &typed)?
        {
            return Ok(made);
        }
        let numbers = self.row_numbers(node.arguments()[1], operands[1], operands[0], take.axis)?;
        let dims = self.dims(operands[0])?;
        let theirs = self.dims(numbers)?.len();
        let sizes = dims.iter().enumerate().map(|(axis, dim)| {
            let one = axis == take.axis || axis < take.batch;
            if one { Some(1) } else { dim.known() }
        });
        let known: Option<Vec<usize>> = sizes.clone().collect();
        let open: Vec<usize> =
            sizes.enumerate().filter(|(_, size)| size.is_none()).map(|(axis, _)| axis).collect();
        // The batch, the axes between it and the rows', the numbers', and what is behind.
        let between = take.axis - take.batch;
        let count = theirs - take.batch;
        let offset: Vec<usize> =
            (take.batch..take.batch + between).chain(take.axis + count..dims.len() - 1 + count).collect();
        let batch: Vec<usize> = (0..take.batch).collect();
        let lies = GatherLies { offset, axis: take.axis, batch, vector: theirs };
        let Some(known) = known else {
            let mut sizes = vec![Size::Known(1); dims.len()];
            for (axis, size) in sizes.iter_mut().enumerate() {
                if open.contains(&axis) || !(axis == take.axis || axis < take.batch) {
                    *size = self.size_of(operands[0], axis)?;
                }
            }
            let sizes = self.shape_of(&sizes)?;
            let all = [operands[0], numbers, sizes];
            return self.operation("dynamic_gather", &all, &Says::Gather(lies, None), typed);
        };
        self.operation("gather", &[operands[0], numbers], &Says::Gather(lies, Some(known)), typed)
    }

    /// A gather of one element at each place.
    pub(super) fn take_along(
        &mut self,
        axis: usize,
        node: &Node,
        operands: &[Value],
        typed: Typed,
    ) -> Result<Value, Error> {
        let rank = self.dims(operands[1])?.len();
        let rows = operands[0];
        let sizes = self.dims(rows)?.iter().map(|dim| usize::from(dim.known() != Some(0))).collect();
        let numbers = match self.are_places(node.arguments()[1]) {
            true => operands[1],
            false => self.counted_up(operands[1], rows, axis)?,
        };
        let batch: Vec<usize> = (0..rank).filter(|&other| other != axis).collect();
        let lies = GatherLies { offset: Vec::new(), axis, batch, vector: rank };
        self.operation("gather", &[rows, numbers], &Says::Gather(lies, Some(sizes)), typed)
    }

    /// A few numbers of an array of one axis, one by one: so shapes are computed, and whoever knows the extents can too. XLA
    /// follows no gather where it does so.
    fn picked(&mut self, numbers: &[i64], operands: &[Value], typed: &Typed) -> Result<Option<Value>, Error> {
        let dims = self.dims(operands[0])?;
        let ([Dim::Known(extent)], Some(to)) = (&dims[..], typed.1.extents()) else { return Ok(None) };
        let extent = *extent;
        let place = |&number: &i64| {
            let signed = i64::try_from(extent).ok()?;
            usize::try_from(if number < 0 { number + signed } else { number }).ok().filter(|&at| at < extent)
        };
        let places: Option<Vec<usize>> = numbers.iter().map(place).collect();
        let Some(places) = places.filter(|places| (1..=16).contains(&places.len())) else { return Ok(None) };
        let mut pieces = Vec::with_capacity(places.len());
        for place in places {
            pieces.push(self.piece(operands[0], place)?);
        }
        let all = match pieces[..] {
            [piece] => piece,
            _ => {
                let typed = (typed.0, Shape::from([pieces.len()]));
                self.operation("concatenate", &pieces, &Says::Axis(0), typed)?
            }
        };
        self.reshaped(all, &to).map(Some)
    }

    /// Elements put, or folded in, each at a place of its own number along an axis.
    pub(super) fn scatter(
        &mut self,
        scatter: &Scatter,
        operands: &[Value],
        typed: Typed,
    ) -> Result<Value, Error> {
        let rank = self.dims(operands[0])?.len();
        let numbers = self.counted_up(operands[1], operands[0], scatter.axis)?;
        let region = match scatter.with {
            None => Region::of_next(typed.0),
            Some(op) => {
                let name = self.spelling.name_of(op, typed.0).map(|(name, _)| name);
                let name = name.ok_or_else(|| Error::value(format!("elements are not put with {op}")))?;
                Region::of_one(name, typed.0)
            }
        };
        let axis = scatter.axis;
        let batch = (0..rank).filter(|&other| other != axis).collect();
        let lies = ScatterLies { axis, batch, vector: rank };
        let all = [operands[0], numbers, operands[2]];
        self.operation("scatter", &all, &Says::Scatter(lies, region), typed)
    }
}
