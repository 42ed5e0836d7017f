//! Gradients of what was done to arrays: the steps of a tape become a graph, which is differentiated as any other and run on
//! the same arrays. So there is one list of gradients, whatever is differentiated.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroI64;

use ndcast_shape::Index;

use super::gradient::{Differentiated, differentiated};
use super::kind::{
    Accumulate, Broadcast, Convert, Direction, Insert, Lay, MatMul, Recur, Reduce, Reshape, Scatter, Slice,
    Start, Take, TakeAlong,
};
use super::run::Program;
use super::{Graph, Id};
use crate::array::{Argument, Array, Axes, Called, Form, Keep, Step, Steps};
use crate::dtype::{Class, DType};
use crate::error::Error;
use crate::layout::{Layout, as_i64};

/// Arrays that are watched, so that what is made of them can be differentiated by them.
///
/// ```
/// use ndcast::{Array, Keep, graph::Tape};
/// let (x, scale) = (Array::new(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), Array::new(&[3], &[1.0, 0.5, 2.0]));
/// let tape = Tape::new(&[&x, &scale])?;
/// let [x, scale] = tape.watched() else { unreachable!() };
/// let y = (x * scale).sum(&[0, 1], Keep::Nothing);
/// let gradients = tape.gradients(&y)?;
/// assert_eq!(gradients[0].to_vec::<f64>()?, [1.0, 0.5, 2.0, 1.0, 0.5, 2.0]);
/// // What was repeated is summed.
/// assert_eq!(gradients[1].to_vec::<f64>()?, [5.0, 7.0, 9.0]);
/// # Ok::<(), ndcast::Error>(())
/// ```
pub struct Tape {
    steps: Steps,
    watched: Vec<Array>,
}

impl fmt::Debug for Tape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tape").field("watched", &self.watched).finish_non_exhaustive()
    }
}

impl Tape {
    /// Watches arrays.
    ///
    /// # Errors
    /// If one is an error, or not of real floats.
    pub fn new(arrays: &[&Array]) -> Result<Tape, Error> {
        let mut own = Vec::with_capacity(arrays.len());
        for (place, array) in arrays.iter().enumerate() {
            let dtype = array.dtype()?;
            if dtype.class() != Class::Float {
                let text = format!("array {place} is {dtype}, and there are gradients by floats alone");
                return Err(Error::value(text).of("gradient"));
            }
            // What somebody lends may be another value before anything is differentiated.
            own.push(if array.is_lent() { array.copy() } else { (*array).clone() });
        }
        let (steps, watched) = Steps::watching(&own);
        Ok(Tape { steps, watched })
    }

    /// The same arrays, watched: what is made of these is differentiated.
    pub fn watched(&self) -> &[Array] {
        &self.watched
    }

    /// The gradients of an array's sum by each watched array; zeros where it does not depend on one. They are lazy arrays,
    /// and can be differentiated again by a tape that was made before this one.
    ///
    /// # Errors
    /// If the array is one, or not of real floats; or if there is no gradient of something that was done.
    pub fn gradients(self, of: &Array) -> Result<Vec<Array>, Error> {
        let doing = "gradient";
        let dtype = of.dtype()?;
        if dtype.class() != Class::Float {
            let text = format!("the result is {dtype}, and there are gradients of floats alone");
            return Err(Error::value(text).of(doing));
        }
        let Tape { steps, watched } = self;
        let result = steps.step_of(of);
        let steps = steps.ended();
        let Some(result) = result else { return Ok(watched.iter().map(zeros).collect()) };
        let written = Written::over(&steps, &watched, result)?;
        let inputs: Vec<Id> = written.graph.inputs().iter().take(watched.len()).copied().collect();
        let of = written.step(result)?;
        let Differentiated { mut graph, by, .. } = differentiated(&written.graph, of, &inputs)?;
        let mut found = vec![];
        for (number, (_, d)) in by.iter().enumerate() {
            if let Some(d) = *d {
                graph.output(&number.to_string(), d)?;
                found.push(number);
            }
        }
        let mut gradients: Vec<Array> = watched.iter().map(zeros).collect();
        let outputs = Program::new(graph).arrays(watched.into_iter().chain(written.constants).collect())?;
        for (number, gradient) in found.into_iter().zip(outputs) {
            gradients[number] = gradient;
        }
        Ok(gradients)
    }
}

/// Zeros in an array's shape.
fn zeros(like: &Array) -> Array {
    match (like.shape(), like.dtype()) {
        (Ok(shape), Ok(dtype)) => Array::full(shape, 0, dtype),
        _ => like.clone(),
    }
}

/// Steps as a graph, whose inputs are the watched arrays and then the constants.
struct Written {
    graph: Graph,
    ids: Vec<Option<Id>>,
    constants: Vec<Array>,
    /// Which input a constant is, by its node.
    inputs: BTreeMap<usize, Id>,
}

impl Written {
    /// What one step needs of them.
    fn over(steps: &[Step], watched: &[Array], of: usize) -> Result<Written, Error> {
        let mut needed = vec![false; steps.len()];
        needed[of] = true;
        for (place, step) in steps.iter().enumerate().rev().filter(|(_, step)| step.made.is_some()) {
            if needed[place] {
                for argument in step.made.iter().flat_map(|made| &made.arguments) {
                    if let Argument::Step(step) = argument {
                        needed[*step] = true;
                    }
                }
            }
        }
        let mut written = Written {
            graph: Graph::new(),
            ids: vec![None; steps.len()],
            constants: vec![],
            inputs: BTreeMap::new(),
        };
        for (place, step) in steps.iter().enumerate().take(watched.len()) {
            written.ids[place] = Some(written.input(step.dtype, &step.shape)?);
        }
        for (place, step) in steps.iter().enumerate() {
            if needed[place] && step.made.is_some() {
                written.ids[place] = Some(written.write(step)?);
            }
        }
        Ok(written)
    }

    fn input(&mut self, dtype: DType, shape: &[usize]) -> Result<Id, Error> {
        let name = self.graph.inputs().len().to_string();
        self.graph.input(&name, dtype, shape.into())
    }

    fn step(&self, place: usize) -> Result<Id, Error> {
        self.ids[place].ok_or_else(|| Error::value(format!("step {place} is not written yet")))
    }

    /// The node of an argument.
    fn argument(&mut self, argument: &Argument) -> Result<Id, Error> {
        let array = match argument {
            Argument::Step(place) => return self.step(*place),
            Argument::Constant(array) => array,
        };
        if let Some(&id) = self.inputs.get(&array.node().address()) {
            return Ok(id);
        }
        let id = self.input(array.dtype()?, array.shape()?)?;
        self.inputs.insert(array.node().address(), id);
        self.constants.push(array.clone());
        Ok(id)
    }

    /// The node of a step that is made of others.
    fn write(&mut self, step: &Step) -> Result<Id, Error> {
        let Some(made) = &step.made else {
            return Err(Error::value("a watched array is made of none".to_owned()));
        };
        if step.dtype.class() == Class::Complex {
            return Err(Error::value("there is no gradient of complex numbers".to_owned()).of("gradient"));
        }
        let ids =
            made.arguments.iter().map(|argument| self.argument(argument)).collect::<Result<Vec<_>, _>>()?;
        match &made.form {
            Form::Apply(op, None) => self.graph.apply(*op, &ids),
            Form::Apply(op, Some(read)) => {
                let laid = ids.iter().zip(read.iter()).map(|(&id, axes)| self.laid(id, axes, &step.shape));
                let laid = laid.collect::<Result<Vec<_>, _>>()?;
                self.graph.apply(*op, &laid)
            }
            // A copy is no step of its own.
            Form::Convert(_) if self.graph.at(ids[0]).dtype() == step.dtype => Ok(ids[0]),
            Form::Convert(overflow) => self.graph.add(Convert { to: step.dtype, overflow: *overflow }, &ids),
            Form::Read(axes) => self.laid(ids[0], axes, &step.shape),
            Form::View(layout) => self.shown(ids[0], layout),
            Form::Reduce(reduction, axes) => {
                let fold = Reduce { reduction: *reduction, axes: axes.to_vec(), keep: Keep::Axes };
                self.graph.add(fold, &ids)
            }
            Form::Update(layout, op, read) => {
                let mut value = self.laid(ids[1], read, layout.shape())?;
                if let Some(op) = op {
                    let before = self.shown(ids[0], layout)?;
                    value = self.graph.apply(*op, &[before, value])?;
                }
                self.replaced(ids[0], layout, value)
            }
            Form::Call(call) => self.called(&call.called, &ids),
        }
    }

    fn extents(&self, id: Id) -> Result<Vec<usize>, Error> {
        let extents = self.graph.at(id).shape().extents();
        extents.ok_or_else(|| Error::value("a step has no known shape".to_owned()))
    }

    fn reshaped(&mut self, id: Id, shape: &[usize]) -> Result<Id, Error> {
        if self.extents(id)? == shape { Ok(id) } else { self.graph.add(Reshape::new(shape), &[id]) }
    }

    /// Read so to fill a shape.
    fn laid(&mut self, id: Id, axes: &Axes, shape: &[usize]) -> Result<Id, Error> {
        let own = self.extents(id)?;
        // What is not walked along has extent 1, and goes away first.
        let walked: Vec<usize> = (0..own.len()).filter(|axis| axes.contains(&Some(*axis))).collect();
        let extents: Vec<usize> = walked.iter().map(|&axis| own[axis]).collect();
        let id = self.reshaped(id, &extents)?;
        let lay = |(axis, &extent): (&Option<usize>, &usize)| {
            let place = axis.and_then(|axis| walked.iter().position(|&other| other == axis));
            place.map_or(Lay::New(extent), Lay::Axis)
        };
        let laid = Broadcast::new(axes.iter().zip(shape).map(lay));
        if laid.is_identity() { Ok(id) } else { self.graph.add(laid, &[id]) }
    }

    /// What a layout shows of elements that lie one behind the other.
    fn shown(&mut self, id: Id, layout: &Layout) -> Result<Id, Error> {
        let own = self.extents(id)?;
        let part = match part(&own, layout) {
            Part::Whole => id,
            Part::At(index) => self.graph.add(Slice { index }, &[id])?,
            Part::Places => {
                let line = self.reshaped(id, &[own.iter().product()])?;
                let places =
                    Array::iota(own.iter().product(), DType::I64).eval()?.with_layout(layout.clone());
                let places = self.graph.constant(places)?;
                self.graph.add(Take { axis: 0, batch: 0 }, &[line, places])?
            }
        };
        self.reshaped(part, layout.shape())
    }

    /// The same with a value in place of what a layout shows.
    fn replaced(&mut self, id: Id, layout: &Layout, value: Id) -> Result<Id, Error> {
        let own = self.extents(id)?;
        match part(&own, layout) {
            Part::Whole => self.reshaped(value, &own),
            Part::At(index) => {
                let place = Layout::row_major(&own)?.select(&index)?;
                let value = self.reshaped(value, place.shape())?;
                self.graph.add(Insert { index }, &[id, value])
            }
            Part::Places if layout.elements() == 0 => Ok(id),
            Part::Places => Err(none_of("a change of what no index selects")),
        }
    }

    /// A function of tensors.
    fn called(&mut self, called: &Called, ids: &[Id]) -> Result<Id, Error> {
        match called {
            Called::MatMul(_) => self.graph.add(MatMul, ids),
            Called::Accumulate(reduction, axis) => {
                let (direction, start) = (Direction::Forward, Start::With);
                self.graph.add(Accumulate { reduction: *reduction, axis: *axis, direction, start }, ids)
            }
            Called::Recur(axis) => self.graph.add(Recur { axis: *axis }, ids),
            Called::Take(axis) => self.graph.add(Take { axis: *axis, batch: 0 }, ids),
            Called::TakeAlong(axis) => self.graph.add(TakeAlong { axis: *axis }, ids),
            Called::PutAlong(axis, op) => self.graph.add(Scatter { axis: *axis, with: *op }, ids),
            Called::Put(numbers) => {
                let own = self.extents(ids[0])?;
                let line = self.reshaped(ids[0], &[own.iter().product()])?;
                // Of several values for one element the last stays.
                let last: BTreeMap<usize, usize> =
                    numbers.iter().enumerate().map(|(place, &number)| (number, place)).collect();
                let mut values = ids[1];
                let mut put: Vec<i64> = numbers.iter().map(|&number| as_i64(number)).collect();
                if last.len() < numbers.len() {
                    let places: Vec<i64> = last.values().map(|&place| as_i64(place)).collect();
                    let places = self.graph.integers(&places)?;
                    values = self.graph.add(Take { axis: 0, batch: 0 }, &[values, places])?;
                    put = last.keys().map(|&number| as_i64(number)).collect();
                }
                let numbers = self.graph.integers(&put)?;
                let put = self.graph.add(Scatter { axis: 0, with: None }, &[line, numbers, values])?;
                self.reshaped(put, &own)
            }
            Called::Unwritten => Err(none_of("memory that is not written")),
            Called::Other(name) => Err(none_of(name)),
        }
    }
}

fn none_of(what: &str) -> Error {
    Error::value(format!("there is no gradient of {what}")).of("gradient")
}

/// What a layout shows of the elements of a shape, one behind the other.
enum Part {
    /// All of them, in order.
    Whole,
    /// What an index selects, but for axes of extent 1.
    At(Vec<Index>),
    /// Something else.
    Places,
}

fn part(shape: &[usize], layout: &Layout) -> Part {
    let Ok(own) = Layout::row_major(shape) else { return Part::Places };
    if layout.is_compact() && layout.elements() == own.elements() {
        return Part::Whole;
    }
    index_of(&own, layout).map_or(Part::Places, Part::At)
}

/// The index that selects what a layout shows, but for axes of extent 1; `None` if there is none.
fn index_of(own: &Layout, layout: &Layout) -> Option<Vec<Index>> {
    if layout.elements() == 0 {
        return None;
    }
    // The first element's place on each axis.
    let mut rest = layout.offset();
    let mut index = vec![];
    for &stride in own.strides() {
        let stride = stride.cast_unsigned().max(1);
        index.push((rest / stride, 1, 1));
        rest %= stride;
    }
    // Each stride is a multiple of that of the only axis along which it leads.
    let mut next = 0;
    for (&extent, &stride) in layout.shape().iter().zip(layout.strides()).filter(|(extent, _)| **extent > 1) {
        let leads = |axis: &usize| {
            let (own_extent, own_stride) = (own.shape()[*axis].cast_signed(), own.strides()[*axis]);
            own_extent > 1 && stride % own_stride == 0 && (stride / own_stride).abs() < own_extent
        };
        let axis = (next..own.rank()).find(leads)?;
        index[axis].1 = stride / own.strides()[axis];
        index[axis].2 = extent;
        next = axis + 1;
    }
    let index: Vec<Index> = index
        .into_iter()
        .map(|(start, step, count)| {
            let start = start.cast_signed();
            let stop = start + step * count.cast_signed();
            let (start, stop) = (i64::try_from(start).ok()?, i64::try_from(stop).ok()?);
            let step = NonZeroI64::new(i64::try_from(step).ok()?)?;
            Some(Index::Slice { start: Some(start), stop: (stop >= 0).then_some(stop), step })
        })
        .collect::<Option<_>>()?;
    let selected = own.select(&index).ok()?;
    let walked = |layout: &Layout| -> Vec<(usize, isize)> {
        let axes = layout.shape().iter().copied().zip(layout.strides().iter().copied());
        axes.filter(|(extent, _)| *extent > 1).collect()
    };
    let same = selected.offset() == layout.offset() && walked(&selected) == walked(layout);
    same.then_some(index)
}
