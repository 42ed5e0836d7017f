//! Runs one stage: makes its job, gives it memory, and hands it to the engine.

use smallvec::SmallVec;

use super::order::{Loops, Order, Strides};
use super::program::{Program, Typed};
use super::schedule::{Schedule, gone};
use crate::array::expression::Axes;
use crate::array::{Array, Form};
use crate::dtype::DType;
use crate::engine::{self, Extents, Out, SHORT, Walk};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::layout::Layout;
use crate::op::Op;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// Computes one item into memory.
pub(super) fn run(schedule: &mut Schedule, place: usize) -> Result<(), Error> {
    if schedule.items[place].array.is_ready() {
        return Ok(());
    }
    let form = schedule.items[place].form.clone();
    let value = match form {
        Some(Form::Reduce(reduction, axes)) => reduced(schedule, place, reduction, &axes),
        Some(Form::Update(layout, op, read)) => updated(schedule, place, &layout, op, &read),
        Some(Form::View(layout)) => viewed(schedule, place, &layout),
        Some(Form::Read(axes)) => read(schedule, place, &axes),
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

fn shape(schedule: &Schedule, place: usize) -> Loops {
    schedule.items[place].array.node().shape().into()
}

/// Every axis as it is.
fn as_it_is(rank: usize) -> Axes {
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
fn stored(program: &mut Program<'_>, value: Typed, shape: &[usize], dtype: DType) -> Result<Tensor, Error> {
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

/// A copy whose elements lie one behind the other.
pub(crate) fn compact(tensor: &Tensor) -> Result<Tensor, Error> {
    if tensor.layout().is_row_major() && tensor.layout().offset() == 0 {
        return Ok(tensor.clone());
    }
    let mut result = Tensor::uninitialised(tensor.shape(), tensor.dtype())?;
    if result.elements() == 0 {
        return Ok(result);
    }
    let layout = tensor.layout();
    let walk = Walk::new(
        tensor.shape().iter().copied(),
        layout.strides().iter().copied(),
        layout.offset().cast_signed(),
    );
    let operand = engine::Operand { bytes: tensor.memory(), size: tensor.size(), walk };
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
    let layout = tensor.layout();
    let strides = layout.strides().iter().copied();
    let walk = Walk::new(tensor.shape().iter().copied(), strides, layout.offset().cast_signed());
    let arguments = smallvec::smallvec![engine::Argument::Operand(0)];
    let job = engine::Job {
        elements: tensor.elements(),
        operands: vec![engine::Operand { bytes: tensor.memory(), size: tensor.size(), walk }],
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

/// An item's elements read otherwise: a view.
fn read(schedule: &Schedule, place: usize, axes: &Axes) -> Result<Tensor, Error> {
    let item = &schedule.items[place];
    let tensor = ready(schedule, item.arguments[0])?;
    Ok(tensor.with_layout(tensor.layout().read(item.array.node().shape(), axes)))
}

/// A fold along axes.
fn reduced(schedule: &Schedule, place: usize, reduction: Reduction, axes: &[usize]) -> Result<Tensor, Error> {
    let argument = schedule.items[place].arguments[0];
    let dtype = schedule.items[place].array.node().dtype();
    let loops = shape(schedule, argument);
    let rank = loops.len();
    let count: usize = axes.iter().map(|&axis| loops[axis]).product();
    if count == 0 {
        let number = reduction.record().of_nothing.unwrap_or_default();
        let one = crate::array::Number::Float(number).tensor(dtype)?;
        let shape = shape(schedule, place);
        let mut program = Program::new(schedule, shape.clone());
        let value = program.operand(one, &smallvec::smallvec![None; rank]);
        return stored(&mut program, value, &shape, dtype);
    }
    let mut result = Tensor::uninitialised(&shape(schedule, place), dtype)?;
    if result.elements() == 0 {
        return Ok(result);
    }
    let mut program = Program::new(schedule, loops.clone());
    let value = program.item(argument, &as_it_is(rank))?;
    let refused = || Error::not_taken(dtype, vec![]).of(reduction.record().name);
    let fold = program.end_folded(value, reduction).ok_or_else(refused)?;
    let (extents, order) =
        fold_order_beside(&program, &loops, axes).unwrap_or_else(|| fold_order(&loops, axes));
    let job = program.job(&order);
    if let Some(bytes) = result.memory_mut() {
        engine::reduce(&job, extents, fold, &mut bytes[..extents.outer * extents.inner * fold.size])?;
    }
    Ok(result)
}

/// How the loops of a fold along these axes are nested.
pub(super) fn fold_order(loops: &[usize], axes: &[usize]) -> (Extents, Order) {
    // The kept axes behind the last reduced one are the inner loops; those before it are the outer ones.
    let kept = |axis: &usize| !axes.contains(axis);
    let last = axes.last().map_or(0, |axis| axis + 1);
    let (outer, inner): (Vec<usize>, Vec<usize>) =
        (0..loops.len()).filter(kept).partition(|&axis| axis < last);
    let extent = |axes: &[usize]| axes.iter().map(|&axis| loops[axis]).product::<usize>();
    let extents =
        Extents { outer: extent(&outer), reduced: extent(axes), inner: extent(&inner), beside: false };
    if extents.reduced < SHORT {
        // Short folds are done for many results at once.
        let inner_extent = extents.outer * extents.inner;
        let order = Order::of(axes.iter().copied().chain(outer).chain(inner));
        return (Extents { outer: 1, inner: inner_extent, ..extents }, order);
    }
    (extents, Order::of(outer.into_iter().chain(axes.iter().copied()).chain(inner)))
}

/// The same for folds along the innermost loops that lie beside each other in memory: rows of elements of many folds are read
/// straight on. What is computed is better computed along each fold, from blocks.
fn fold_order_beside(program: &Program<'_>, loops: &[usize], axes: &[usize]) -> Option<(Extents, Order)> {
    let (extents, _) = fold_order(loops, axes);
    if extents.inner > 1 || extents.reduced < SHORT || !program.is_plain() {
        return None;
    }
    let (mut kept, alone): (Loops, Loops) =
        (0..loops.len()).filter(|axis| !axes.contains(axis)).partition(|&axis| loops[axis] > 1);
    let last = *axes.iter().rfind(|&&axis| loops[axis] > 1)?;
    let operands = program.strides();
    // The kept loops along which every operand goes straight on, the innermost of them last.
    let mut beside = Loops::new();
    while let Some(&axis) = kept.last() {
        let goes_on = operands.iter().all(|strides| {
            let whole = beside.first().map_or(1, |&next| strides[next] * loops[next].cast_signed());
            strides[axis] == whole || strides[axis] == 0 && beside.iter().all(|&next| strides[next] == 0)
        });
        if !goes_on {
            break;
        }
        beside.insert(0, axis);
        kept.pop();
    }
    let inner = beside.iter().map(|&axis| loops[axis]).product::<usize>();
    let across = |strides: &Strides| {
        strides[last].unsigned_abs() >= inner && beside.iter().any(|&axis| strides[axis] != 0)
    };
    (inner > 1 && operands.iter().any(across)).then(|| {
        let outer = extents.outer / inner;
        let order = alone.into_iter().chain(kept).chain(axes.iter().copied()).chain(beside);
        (Extents { outer, inner, beside: true, ..extents }, Order::of(order))
    })
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
    // Nobody comes to the argument through this expression while it is locked; whoever waits for it finds a value.
    let node = schedule.items[place].array.node().clone();
    let mut expression = node.expression();
    if let Some(value) = node.value() {
        return value.clone();
    }
    if let Some(tensor) = expression.as_mut().and_then(|own| taken(schedule, base, &mut own.arguments[0])) {
        let value = written(schedule, place, tensor, layout, op, read);
        node.fill_taken(value.clone());
        let made = expression.take();
        drop(expression);
        drop(made);
        return value;
    }
    // A schedule that is kept has no expressions; what it holds is its own.
    let is_kept = expression.is_none();
    drop(expression);
    if is_kept && let Some(tensor) = taken_last(schedule, place, base) {
        return written(schedule, place, tensor, layout, op, read);
    }
    let tensor = ready(schedule, base)?;
    let whole = layout.shape() == tensor.shape() && layout.is_row_major();
    if !whole {
        return written(schedule, place, fresh(&tensor)?, layout, op, read);
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

/// Writes what an update puts into a tensor that nobody else has.
fn written(
    schedule: &Schedule,
    place: usize,
    mut base: Tensor,
    layout: &Layout,
    op: Option<Op>,
    read: &Axes,
) -> Result<Tensor, Error> {
    let dtype = base.dtype();
    if layout.elements() == 0 {
        return Ok(base);
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
    Ok(base)
}

/// The tensor of an argument, if only the schedule and the expression have it: then the expression's is gone.
fn taken(schedule: &mut Schedule, place: usize, own: &mut Array) -> Option<Tensor> {
    let item = &mut schedule.items[place];
    // Equal arrays are one item, and the others still need its value.
    if !is_compact(own) || own.node().address() != item.array.node().address() || !item.also.is_empty() {
        return None;
    }
    // While it is looked whether somebody else has it, the schedule must not.
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
    let compact = |tensor: &Tensor| tensor.layout().is_row_major() && tensor.layout().offset() == 0;
    matches!(array.node().value(), Some(Ok(tensor)) if compact(tensor))
}

/// A copy that shares nothing.
fn fresh(tensor: &Tensor) -> Result<Tensor, Error> {
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
