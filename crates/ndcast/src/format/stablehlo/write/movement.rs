//! What lays, orders and gathers elements, and counts.

use ndcast_shape::rule::{Rule, array_api, hlo, onnx, openvino, stablehlo, xla};
use ndcast_shape::{Dim, Extent, Shape};

use super::extents::Size;
use super::{Typed, Value, Writer, commas};
use crate::array::Number;
use crate::dialect::hlo::Comparison;
use crate::dialect::stablehlo::name_of;
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::graph::kind::{Broadcast, Fit, Lay, Scatter, Take};
use crate::graph::{Id, Kind, Node};
use crate::op::Op;

/// Rules that take a target.
const BY_TARGET: &[&Rule] = &[
    &onnx::EXPAND,
    &array_api::BROADCAST_TO,
    &openvino::BROADCAST_NUMPY,
    &openvino::BROADCAST_EXPLICIT,
    &openvino::BROADCAST_BIDIRECTIONAL,
];

/// Those of them that leave an extent as it is where the target has 1.
const TO_AND_FRO: &[&Rule] = &[&onnx::EXPAND, &openvino::BROADCAST_BIDIRECTIONAL];

/// Rules that lay last axes on last axes, or scalars on all.
const JOINS: &[&Rule] = &[
    &onnx::MULTIDIRECTIONAL,
    &array_api::JOIN,
    &openvino::ELTWISE_NUMPY,
    &stablehlo::CHLO_BROADCAST,
    &hlo::SELECT,
    &hlo::CLAMP,
];

/// The same, one way.
const ONTO_FIRST: &[&Rule] = &[&onnx::UNIDIRECTIONAL, &array_api::IN_PLACE];

impl Writer<'_> {
    pub(super) fn moved(&mut self, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        match node.kind() {
            Kind::Broadcast(broadcast) => self.broadcast(broadcast, operands[0], &typed.1),
            Kind::Fit(fit) => self.fit(fit, node, operands, &typed.1),
            Kind::ShapeOf(shape) => {
                let rank = self.dims(operands[0])?.len();
                let sizes = (0..rank).map(|axis| self.size_of(operands[0], axis));
                let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
                let made = self.shape_of(&sizes)?;
                self.convert(made, shape.0)
            }
            Kind::Reshape(_) => self.reshape(operands[0], typed),
            Kind::ReshapeTo(_) => {
                let entries = node.arguments().get(1).and_then(|&id| self.graph.at(id).integers());
                if entries.is_none_or(|entries| entries.contains(&-1)) && typed.1.dims().is_none() {
                    return Err(Error::value(
                        "the rank of the shape is known only when the graph runs".to_owned(),
                    ));
                }
                self.operation("stablehlo.dynamic_reshape", operands, "", typed)
            }
            Kind::Transpose(transpose) => {
                let tail = format!(", dims = [{}]", commas(&transpose.order));
                self.operation("stablehlo.transpose", operands, &tail, typed)
            }
            Kind::Concatenate(concatenate) => {
                let tail = format!(", dim = {}", concatenate.axis);
                self.operation("stablehlo.concatenate", operands, &tail, typed)
            }
            Kind::Range(_) => self.range(node, operands, typed),
            Kind::Take(take) => self.take(take, node, operands, typed),
            Kind::Scatter(scatter) => self.scatter(scatter, operands, typed),
            Kind::TakeAlong(along) => self.take_along(along.axis, operands, typed),
            _ => Err(Error::value("there is none".to_owned())),
        }
    }

    fn broadcast(&mut self, broadcast: &Broadcast, value: Value, shape: &Shape) -> Result<Value, Error> {
        if broadcast.is_identity() {
            return Ok(value);
        }
        let mut axes = vec![0; broadcast.operand_rank()];
        let mut sizes = Vec::with_capacity(broadcast.axes.len());
        for (place, &lay) in broadcast.axes.iter().enumerate() {
            if let Some(axis) = lay.axis() {
                axes[axis] = place;
            }
            sizes.push(match lay {
                Lay::New(extent) | Lay::Stretched(_, extent) => Size::Known(extent),
                Lay::Axis(axis) => self.size_of(value, axis)?,
            });
        }
        self.laid(value, &axes, &sizes, shape)
    }

    /// A broadcast by a rule whose extents are open.
    fn fit(&mut self, fit: &Fit, node: &Node, operands: &[Value], shape: &Shape) -> Result<Value, Error> {
        let value = operands[fit.operand];
        let dims =
            shape.dims().ok_or_else(|| Error::value("the rank of its result is not known".to_owned()))?;
        let own = self.dims(value)?.len();
        let last: Vec<usize> = (dims.len() - own.min(dims.len())..dims.len()).collect();
        let called = |rules: &[&'static Rule]| rules.contains(&fit.rule);
        if called(BY_TARGET) {
            let mut target = operands[fit.operands];
            if called(TO_AND_FRO) {
                target = self.expanded_target(value, target, dims.len())?;
            }
            let argument =
                || node.arguments().get(fit.operands + 1).and_then(|&id| self.graph.at(id).integers());
            let axes = match (fit.axes.clone().or_else(argument), fit.rule == &openvino::BROADCAST_EXPLICIT) {
                (Some(axes), true) => axes.iter().filter_map(|&axis| usize::try_from(axis).ok()).collect(),
                (None, true) => {
                    return Err(Error::value("its axes are known only when the graph runs".to_owned()));
                }
                _ => last,
            };
            let typed = (self.dtype(value), shape.clone());
            let tail = format!(", dims = [{}]", commas(axes));
            return self.operation("stablehlo.dynamic_broadcast_in_dim", &[value, target], &tail, typed);
        }
        let mut alike = true;
        for &operand in &operands[..fit.operands] {
            let rank = self.dims(operand)?.len();
            alike &= rank == 0 || rank == dims.len();
        }
        let others: Vec<Value> = if called(JOINS) || (alike && fit.rule == &xla::BINARY) {
            operands[..fit.operands].to_vec()
        } else if called(ONTO_FIRST) {
            operands[..1].to_vec()
        } else {
            let text = format!("the rule {} is not known by the extents of its operands", fit.rule.name);
            return Err(Error::value(text));
        };
        let mut sizes = Vec::with_capacity(dims.len());
        for (place, dim) in dims.iter().enumerate() {
            sizes.push(self.joined_size(&others, dims.len() - place, dim)?);
        }
        self.laid(value, &last, &sizes, shape)
    }

    /// The extent of an axis, counted from behind, of values that are broadcast together: the one that is not 1.
    pub(super) fn joined_size(&mut self, values: &[Value], behind: usize, dim: &Dim) -> Result<Size, Error> {
        if let Some(extent) = dim.known() {
            return Ok(Size::Known(extent));
        }
        let mut size: Option<Size> = None;
        for &value in values {
            let Some(axis) = self.dims(value)?.len().checked_sub(behind) else { continue };
            let next = self.size_of(value, axis)?;
            size = Some(match (size, next) {
                (None, next) => next,
                (Some(before), Size::Known(1)) => before,
                (Some(before), next) => self.unless_one(before, next)?,
            });
        }
        Ok(size.unwrap_or(Size::Known(1)))
    }

    /// The first extent, unless that is 1: then the second.
    fn unless_one(&mut self, first: Size, second: Size) -> Result<Size, Error> {
        let (first, second) = (self.scalar(first)?, self.scalar(second)?);
        let one = self.number(1, DType::I32)?;
        let scalar = self.typed(first).1.clone();
        let is_one = self.operation(
            "stablehlo.compare EQ,",
            &[first, one],
            ", SIGNED",
            (DType::Bool, scalar.clone()),
        )?;
        self.operation("stablehlo.select", &[is_one, second, first], "", (DType::I32, scalar))
            .map(Size::Value)
    }

    /// ONNX's target, where a 1 is the operand's own extent.
    fn expanded_target(&mut self, value: Value, target: Value, rank: usize) -> Result<Value, Error> {
        let own = self.dims(value)?.len();
        let length = self.dims(target)?.first().and_then(Extent::known);
        let length = length.ok_or_else(|| Error::value("the rank of its target is not known".to_owned()))?;
        let target = self.convert(target, DType::I32)?;
        let mut sizes = Vec::with_capacity(rank);
        for behind in (1..=rank).rev() {
            let wanted = match length.checked_sub(behind) {
                None => None,
                Some(place) => {
                    let tail = format!(" [{place}:{}]", place + 1);
                    let part = self.operation(
                        "stablehlo.slice",
                        &[target],
                        &tail,
                        (DType::I32, Shape::from([1usize])),
                    )?;
                    Some(Size::Value(self.reshaped(part, &[])?))
                }
            };
            let given = match own.checked_sub(behind) {
                None => None,
                Some(axis) => Some(self.size_of(value, axis)?),
            };
            sizes.push(match (wanted, given) {
                (Some(wanted), Some(given)) => self.unless_one(wanted, given)?,
                (one, other) => one.or(other).unwrap_or(Size::Known(1)),
            });
        }
        self.shape_of(&sizes)
    }

    fn reshape(&mut self, value: Value, typed: Typed) -> Result<Value, Error> {
        let dims = typed.1.dims().unwrap_or_default().to_vec();
        if let Some(extents) = typed.1.extents() {
            // Of an operand with open extents the text wants to be told the shape.
            if self.typed(value).1.extents().is_some() {
                return self.reshaped(value, &extents);
            }
            let sizes: Vec<Size> = extents.into_iter().map(Size::Known).collect();
            let target = self.shape_of(&sizes)?;
            return self.operation("stablehlo.dynamic_reshape", &[value, target], "", typed);
        }
        // What is open is what the others leave.
        let known: usize = dims.iter().filter_map(Extent::known).product();
        let mut whole = Size::Known(1);
        for axis in 0..self.dims(value)?.len() {
            let size = self.size_of(value, axis)?;
            whole = match (whole, size) {
                (Size::Known(1), size) => size,
                (whole, Size::Known(1)) => whole,
                (whole, size) => self.sizes("stablehlo.multiply", whole, size)?,
            };
        }
        let open =
            if known == 1 { whole } else { self.sizes("stablehlo.divide", whole, Size::Known(known))? };
        let sizes: Vec<Size> = dims.iter().map(|dim| dim.known().map_or(open, Size::Known)).collect();
        let target = self.shape_of(&sizes)?;
        self.operation("stablehlo.dynamic_reshape", &[value, target], "", typed)
    }

    /// Numbers in order: an iota, times the step, and the first.
    fn range(&mut self, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        let counted = match typed.1.extents() {
            Some(_) => self.operation("stablehlo.iota dim = 0", &[], "", typed.clone())?,
            None => {
                let from_zero = [0, 2].map(|place| self.graph.at(node.arguments()[place]).integers());
                if from_zero != [Some(vec![0]), Some(vec![1])] {
                    return Err(Error::value(
                        "how many numbers there are is known only when the graph runs".to_owned(),
                    ));
                }
                let stop = self.reshaped(operands[1], &[1])?;
                self.operation("stablehlo.dynamic_iota", &[stop], ", dim = 0", typed.clone())?
            }
        };
        let number = |place: usize| {
            let tensor = self.graph.at(node.arguments()[place]).constant()?;
            crate::array::Array::from(tensor.clone()).convert(DType::F64).item::<f64>().ok()
        };
        let (start, step) = (number(0), number(2));
        let size = [self.size_of(counted, 0)?];
        let mut made = counted;
        if step != Some(1.0) {
            let step = self.laid(operands[2], &[], &size, &typed.1)?;
            made = self.operation("stablehlo.multiply", &[made, step], "", typed.clone())?;
        }
        if start != Some(0.0) {
            let start = self.laid(operands[0], &[], &size, &typed.1)?;
            made = self.operation("stablehlo.add", &[made, start], "", typed)?;
        }
        Ok(made)
    }

    /// The numbers of rows, those that count from the end counted from the start. StableHLO moves others into range, so what
    /// was moved before is taken as it was.
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
        let dtype = self.dtype(value);
        let never = dtype.class() == Class::Unsigned
            || node.integers().is_some_and(|all| all.iter().all(|&n| n >= 0));
        if never {
            return Ok(value);
        }
        self.counted_up(value, rows, axis)
    }

    /// Numbers that count from the end of an axis counted from its start.
    fn counted_up(&mut self, numbers: Value, rows: Value, axis: usize) -> Result<Value, Error> {
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
            "stablehlo.compare LT,",
            &[numbers, zeros],
            &format!(", {}", Comparison::of(dtype)),
            truths,
        )?;
        let counted = self.operation("stablehlo.add", &[numbers, extents], "", (dtype, shape.clone()))?;
        self.operation("stablehlo.select", &[negative, counted, numbers], "", (dtype, shape))
    }

    /// A gather of whole rows.
    fn take(&mut self, take: &Take, node: &Node, operands: &[Value], typed: Typed) -> Result<Value, Error> {
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
        let lies = GatherLies { offset: &offset, axis: take.axis, batch: &batch, vector: theirs };
        let Some(known) = known else {
            let mut sizes = vec![Size::Known(1); dims.len()];
            for (axis, size) in sizes.iter_mut().enumerate() {
                if open.contains(&axis) || !(axis == take.axis || axis < take.batch) {
                    *size = self.size_of(operands[0], axis)?;
                }
            }
            let sizes = self.shape_of(&sizes)?;
            let middle = format!(" <{{dimension_numbers = {}}}>", lies.text());
            return self.generic("stablehlo.dynamic_gather", &[operands[0], numbers, sizes], &middle, typed);
        };
        self.gather([operands[0], numbers], typed, &lies, &known)
    }

    /// A gather of one element at each place.
    fn take_along(&mut self, axis: usize, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        let rank = self.dims(operands[1])?.len();
        let rows = operands[0];
        let numbers = self.counted_up(operands[1], rows, axis)?;
        let batch: Vec<usize> = (0..rank).filter(|&other| other != axis).collect();
        let lies = GatherLies { offset: &[], axis, batch: &batch, vector: rank };
        self.gather([rows, numbers], typed, &lies, &vec![1; rank])
    }

    /// A few numbers of an array of one axis, one by one: so shapes are computed, and whoever knows the extents can too.
    fn picked(&mut self, numbers: &[i64], operands: &[Value], typed: &Typed) -> Result<Option<Value>, Error> {
        let dims = self.dims(operands[0])?;
        let (true, Some(extent)) = (dims.len() == 1 && typed.1.rank() == Some(1), dims[0].known()) else {
            return Ok(None);
        };
        let place = |&number: &i64| {
            let signed = i64::try_from(extent).ok()?;
            usize::try_from(if number < 0 { number + signed } else { number }).ok().filter(|&at| at < extent)
        };
        let places: Option<Vec<usize>> = numbers.iter().map(place).collect();
        let Some(places) = places.filter(|places| (1..=16).contains(&places.len())) else { return Ok(None) };
        let mut pieces = Vec::with_capacity(places.len());
        for place in places {
            let tail = format!(" [{place}:{}]", place + 1);
            let one = (typed.0, Shape::from([1usize]));
            pieces.push(self.operation("stablehlo.slice", &operands[..1], &tail, one)?);
        }
        if let [piece] = pieces[..] {
            return Ok(Some(piece));
        }
        self.operation("stablehlo.concatenate", &pieces, ", dim = 0", typed.clone()).map(Some)
    }

    /// Elements put, or folded in, each at a place of its own number along an axis.
    fn scatter(&mut self, scatter: &Scatter, operands: &[Value], typed: Typed) -> Result<Value, Error> {
        let rank = self.dims(operands[0])?.len();
        let numbers = self.counted_up(operands[1], operands[0], scatter.axis)?;
        let element = super::type_text(&(typed.0, Shape::from([0usize; 0])))?;
        let folded = match scatter.with {
            None => String::new(),
            Some(op) => {
                let name = name_of(op, typed.0).map(|(name, _)| name);
                let name = name.ok_or_else(|| Error::value(format!("elements are not put with {op}")))?;
                format!("      %c = stablehlo.{name} %a, %b : {element}\n")
            }
        };
        let result = if folded.is_empty() { "%b" } else { "%c" };
        let axis = scatter.axis;
        let others = commas((0..rank).filter(|&other| other != axis));
        let batch = match rank {
            1 => String::new(),
            _ => format!("input_batching_dims = [{others}], scatter_indices_batching_dims = [{others}], "),
        };
        let middle = format!(
            " <{{indices_are_sorted = false, scatter_dimension_numbers = \
             #stablehlo.scatter<inserted_window_dims = [{axis}], {batch}scatter_dims_to_operand_dims = [{axis}], \
             index_vector_dim = {rank}>, unique_indices = false}}> ({{\n    ^bb0(%a: {element}, %b: {element}):\n\
             {folded}      stablehlo.return {result} : {element}\n    }})"
        );
        self.generic("stablehlo.scatter", &[operands[0], numbers, operands[2]], &middle, typed)
    }

    fn gather(
        &mut self,
        operands: [Value; 2],
        typed: Typed,
        lies: &GatherLies<'_>,
        sizes: &[usize],
    ) -> Result<Value, Error> {
        let middle = format!(
            " <{{dimension_numbers = {}, slice_sizes = array<i64: {}>}}>",
            lies.text(),
            commas(sizes)
        );
        self.generic("stablehlo.gather", &operands, &middle, typed)
    }
}

/// What lies where in a gather of whole rows along one axis.
struct GatherLies<'l> {
    /// The axes of the result that are of rows.
    offset: &'l [usize],
    /// The axis of the rows.
    axis: usize,
    /// The axes that rows and their numbers have in common.
    batch: &'l [usize],
    /// The rank of the numbers.
    vector: usize,
}

impl GatherLies<'_> {
    fn text(&self) -> String {
        let GatherLies { offset, axis, batch, vector } = self;
        let mut fields = vec![format!("collapsed_slice_dims = [{axis}]")];
        if !offset.is_empty() {
            fields.insert(0, format!("offset_dims = [{}]", commas(*offset)));
        }
        if !batch.is_empty() {
            let list = commas(*batch);
            fields.push(format!("operand_batching_dims = [{list}], start_indices_batching_dims = [{list}]"));
        }
        fields.push(format!("start_index_map = [{axis}], index_vector_dim = {vector}"));
        format!("#stablehlo.gather<{}>", fields.join(", "))
    }
}
