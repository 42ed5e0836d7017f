//! Runs one stage: makes its job, gives it memory, and hands it to the engine.

use smallvec::SmallVec;

use super::fold;
use super::order::{Loops, Order};
use super::program::{Program, Typed};
use super::schedule::{Schedule, gone};
use crate::array::expression::Axes;
use crate::array::{Array, Form};
use crate::dtype::DType;
use crate::engine::{self, Out, Walk};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::layout::Layout;
use crate::op::Op;
use crate::tensor::Tensor;

/// So many bytes are copied in a loop of their own: to make a job takes longer.
const SMALL: usize = 4 << 10;

/// A view of more memory than `LARGE`, and of at most a `SMALL_PART`th of it, becomes a copy.
const LARGE: usize = 64 << 10;
const SMALL_PART: usize = 16;

/// Computes one item into memory.
pub(super) fn run(schedule: &mut Schedule, place: usize) -> Result<(), Error> {
    if schedule.items[place].array.is_ready() {
        return Ok(());
    }
    let form = schedule.items[place].form.clone();
    let value = match form {
        Some(Form::Reduce(reduction, axes)) => fold::reduced(schedule, place, reduction, &axes),
        Some(Form::Update(layout, op, read)) => updated(schedule, place, &layout, op, &read),
        Some(Form::View(layout)) => viewed(schedule, place, &layout).and_then(|view| apart(&view)),
        Some(Form::Read(axes)) => read(schedule, place, &axes).and_then(|view| apart(&view)),
        Some(Form::Call(call)) => {
            let arguments = schedule.items[place].arguments.clone();
            arguments
                .iter()
                .map(|&argument| ready(schedule, argument))
                .collect::<Result<Vec<_>, _>>()
                .and_then(|tensors| (call.function)(&tensors, schedule.items[place].array.node().shape()))
        }
        _ => mapped(schedule, place),
    };
    finish(schedule, place, value)
}

/// Gives an item its value.
fn finish(schedule: &mut Schedule, place: usize, value: Result<Tensor, Error>) -> Result<(), Error> {
    schedule.fill(place, &value);
    value.map(drop)
}

fn ready(schedule: &Schedule, place: usize) -> Result<Tensor, Error> {
    match schedule.items[place].array.node().value() {
        Some(value) => value.clone(),
        None => Err(Error::value("a value was not computed before it was needed".to_owned())),
    }
}

pub(super) fn shape(schedule: &Schedule, place: usize) -> Loops {
    schedule.items[place].array.node().shape().into()
}

/// The identity axis map.
pub(super) fn as_it_is(rank: usize) -> Axes {
    (0..rank).map(Some).collect()
}

/// Element by element.
fn mapped(schedule: &Schedule, place: usize) -> Result<Tensor, Error> {
    let loops = shape(schedule, place);
    let dtype = schedule.items[place].array.node().dtype();
    let rank = loops.len();
    let mut program = Program::new(schedule, loops.clone());
    let value = program.root(place, &as_it_is(rank))?;
    program.end(value);
    // A copy lies one behind the other: that is what it is for.
    let item = &schedule.items[place];
    let is_copy = matches!(item.form, Some(Form::Convert(_)))
        && schedule.items[item.arguments[0]].array.node().dtype() == dtype;
    let order = if is_copy { Order::of(0..rank) } else { program.order() };
    let job = program.job(&order);
    order.tensor(&loops, dtype, |result| into_new(&job, result))
}

/// A program's value for every element of its loops, in new memory.
pub(super) fn stored(
    program: &mut Program<'_>,
    value: Typed,
    shape: &[usize],
    dtype: DType,
) -> Result<Tensor, Error> {
    let mut result = Tensor::uninitialised(shape, dtype)?;
    program.end(value);
    let job = program.job(&Order::of(0..shape.len()));
    into_new(&job, &mut result)?;
    Ok(result)
}

/// Runs a job into memory whose elements lie one behind the other.
pub(super) fn into_new(job: &engine::Job<'_>, result: &mut Tensor) -> Result<(), Error> {
    let walk = Walk::new([job.elements].into_iter(), [1].into_iter(), 0);
    let size = result.size();
    let whole = job.elements * size;
    if let (Some(bytes), true) = (result.memory_mut(), job.elements > 0) {
        engine::map(job, Out { bytes, size, walk, whole })?;
    }
    Ok(())
}

/// The walk over the elements of a layout in their order.
pub(crate) fn walk(layout: &Layout) -> Walk {
    let (extents, strides) = (layout.shape().iter().copied(), layout.strides().iter().copied());
    Walk::new(extents, strides, layout.offset().cast_signed())
}

/// A tensor's elements in their order.
pub(crate) fn operand(tensor: &Tensor) -> engine::Operand<'_> {
    engine::Operand { bytes: tensor.memory(), size: tensor.size(), walk: walk(tensor.layout()) }
}

/// A copy whose elements lie one behind the other.
pub(crate) fn compact(tensor: &Tensor) -> Result<Tensor, Error> {
    if tensor.layout().is_compact() {
        return Ok(tensor.clone());
    }
    let mut result = Tensor::uninitialised(tensor.shape(), tensor.dtype())?;
    if result.elements() == 0 {
        return Ok(result);
    }
    let operand = operand(tensor);
    let bytes = tensor.elements() * operand.size;
    if let (true, Some(to)) = (bytes <= SMALL, result.memory_mut()) {
        engine::gather_all(operand.size, operand.bytes, &operand.walk, &mut to[..bytes]);
        return Ok(result);
    }
    let job = engine::Job {
        elements: tensor.elements(),
        operands: vec![operand],
        steps: &[],
        by: engine::By::Threads,
    };
    into_new(&job, &mut result)?;
    Ok(result)
}

/// A tensor's elements as another type, which this kernel makes of them.
pub(super) fn converted(tensor: &Tensor, kernel: Kernel, dtype: DType) -> Result<Tensor, Error> {
    let mut result = Tensor::uninitialised(tensor.shape(), dtype)?;
    let arguments = smallvec::smallvec![engine::Argument::Operand(0)];
    let job = engine::Job {
        elements: tensor.elements(),
        operands: vec![operand(tensor)],
        steps: &[engine::Step { kernel, arguments, size: result.size() }],
        by: engine::By::Threads,
    };
    into_new(&job, &mut result)?;
    Ok(result)
}

/// A view of an item's elements as they lie one behind the other.
fn viewed(schedule: &Schedule, place: usize, layout: &Layout) -> Result<Tensor, Error> {
    let tensor = ready(schedule, schedule.items[place].arguments[0])?;
    Ok(compact(&tensor)?.with_layout(layout.clone()))
}

/// A view, or a copy if it is a small part of a large result, which it would keep alive.
fn apart(view: &Tensor) -> Result<Tensor, Error> {
    let (bytes, memory) = (view.elements().saturating_mul(view.size()), view.memory().len());
    let is_small = memory > LARGE && bytes <= memory / SMALL_PART && !view.is_lent();
    if is_small { fresh(view) } else { Ok(view.clone()) }
}

/// An item's elements read otherwise: a view.
fn read(schedule: &Schedule, place: usize, axes: &Axes) -> Result<Tensor, Error> {
    let item = &schedule.items[place];
    let tensor = ready(schedule, item.arguments[0])?;
    Ok(tensor.with_layout(tensor.layout().read(item.array.node().shape(), axes)))
}

/// The first argument with another in place of a part of it: in its own memory if nobody else has that.
fn updated(
    schedule: &mut Schedule,
    place: usize,
    layout: &Layout,
    op: Option<Op>,
    read: &Axes,
) -> Result<Tensor, Error> {
    let base = schedule.items[place].arguments[0];
    // The lock keeps other threads from taking the argument out of this expression; after it they find a value.
    let node = schedule.items[place].array.node().clone();
    let mut expression = node.expression();
    if let Some(value) = node.value() {
        return value.clone();
    }
    let own = expression.as_mut().and_then(|own| own.as_mut());
    if let Some(mut tensor) = own.and_then(|own| taken(schedule, base, &mut own.arguments[0])) {
        if let Err(error) = written(schedule, place, &mut tensor, layout, op, read) {
            // Nothing is written, and the argument is what it was.
            if let Some(own) = expression.as_mut().and_then(|own| own.as_mut()) {
                own.arguments[0] = tensor.into();
            }
            return Err(error);
        }
        node.fill_taken(Ok(tensor.clone()));
        let made = expression.as_mut().and_then(|own| own.take());
        drop(expression);
        drop(made);
        return Ok(tensor);
    }
    // A schedule that is kept has no expressions; what it holds is its own.
    let is_kept = expression.as_deref().is_none_or(Option::is_none);
    drop(expression);
    if is_kept && let Some(mut tensor) = taken_last(schedule, place, base) {
        written(schedule, place, &mut tensor, layout, op, read)?;
        return Ok(tensor);
    }
    let tensor = ready(schedule, base)?;
    let whole = layout.shape() == tensor.shape() && layout.is_row_major();
    if !whole {
        let mut copy = fresh(&tensor)?;
        drop(tensor);
        written(schedule, place, &mut copy, layout, op, read)?;
        return Ok(copy);
    }
    // All of it is new, so it need not be copied first.
    let loops: Loops = layout.shape().into();
    let rank = loops.len();
    let dtype = tensor.dtype();
    let mut program = Program::new(schedule, loops);
    let mut value = program.item(schedule.items[place].arguments[1], read)?;
    value = program.convert(value, dtype)?;
    if let Some(op) = op {
        let before = program.operand(tensor, &as_it_is(rank));
        value = program.apply(op, &[before, value])?;
    }
    stored(&mut program, value, layout.shape(), dtype)
}

/// Performs an update in place, in a tensor that nobody else has: completely, or not at all on an error.
fn written(
    schedule: &Schedule,
    place: usize,
    base: &mut Tensor,
    layout: &Layout,
    op: Option<Op>,
    read: &Axes,
) -> Result<(), Error> {
    let dtype = base.dtype();
    if layout.elements() == 0 {
        return Ok(());
    }
    let loops: Loops = layout.shape().into();
    let mut program = Program::new(schedule, loops.clone());
    let mut value = program.item(schedule.items[place].arguments[1], read)?;
    value = program.convert(value, dtype)?;
    if let Some(op) = op {
        let before = program.before(dtype);
        value = program.apply(op, &[before, value])?;
    }
    // The loops in the order of memory, forwards.
    let strides = layout.strides();
    let mut axes: SmallVec<[usize; 6]> = (0..loops.len()).collect();
    axes.sort_by_key(|&axis| std::cmp::Reverse(strides[axis].unsigned_abs()));
    let backwards: SmallVec<[bool; 6]> = axes.iter().map(|&axis| strides[axis] < 0).collect();
    let walk = Walk::new(
        axes.iter().map(|&axis| loops[axis]),
        axes.iter().map(|&axis| strides[axis].unsigned_abs().cast_signed()),
        layout.reach().start.cast_signed(),
    );
    program.end(value);
    let job = program.job(&Order { axes, backwards });
    let size = base.size();
    let whole = job.elements * size;
    if let Some(bytes) = base.memory_mut() {
        engine::map(&job, Out { bytes, size, walk, whole })?;
    }
    Ok(())
}

/// Moves an argument's tensor out, if only the schedule and the expression have it.
fn taken(schedule: &mut Schedule, place: usize, own: &mut Array) -> Option<Tensor> {
    let item = &mut schedule.items[place];
    // Equal arrays are one item, and the others still need its value.
    if !is_compact(own) || own.node().address() != item.array.node().address() || !item.duplicates.is_empty()
    {
        return None;
    }
    // The schedule's own handle must not count as another owner.
    item.array = gone();
    let tensor = own.take_alone();
    if tensor.is_none() {
        schedule.items[place].array = own.clone();
    }
    tensor
}

/// The tensor of an argument, if only the schedule has it and nothing else needs it.
fn taken_last(schedule: &mut Schedule, place: usize, base: usize) -> Option<Tensor> {
    if !schedule.may_change(place) || !is_compact(&schedule.items[base].array) {
        return None;
    }
    schedule.items[base].array.take_alone()
}

/// Whether it lies one behind the other; anything else is copied in any case.
fn is_compact(array: &Array) -> bool {
    matches!(array.node().value(), Some(Ok(tensor)) if tensor.layout().is_compact())
}

/// A contiguous copy in memory of its own.
pub(crate) fn fresh(tensor: &Tensor) -> Result<Tensor, Error> {
    let copy = compact(tensor)?;
    if !copy.shares_memory(tensor) {
        return Ok(copy);
    }
    let mut copy = Tensor::uninitialised(tensor.shape(), tensor.dtype())?;
    let bytes = tensor.elements() * tensor.size();
    if let Some(to) = copy.memory_mut() {
        to[..bytes].copy_from_slice(&tensor.memory()[..bytes]);
    }
    Ok(copy)
}
