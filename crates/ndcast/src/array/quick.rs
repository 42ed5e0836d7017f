//! Small work, done at once: it costs less than to remember it.

use ndcast_shape::Index;
use smallvec::SmallVec;

use super::evaluate::{self, Order, Strides, fresh, walk};
use super::expression::Axes;
use super::{Array, Number, Operand};
use crate::buffer::Scratch;
use crate::dtype::DType;
use crate::engine::{Walk, gather_all, scatter_all};
use crate::error::Error;
use crate::kernel::{Along, BLOCK, Kernel};
use crate::layout::Layout;
use crate::op::Op;
use crate::promote::scalar_fits;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

/// To gather so few elements takes less time than to analyse their strides.
const FEW: usize = 64;

/// The most elements that are computed at once where arguments have to be gathered before.
const GATHERED: usize = 4096;

/// The most bytes of a result that is computed eagerly where a kernel reads its arguments in place: to schedule such operations
/// together takes longer, and their results stay in the cache in between.
const MOST: usize = 64 << 10;

/// A kernel goes row by row over at most so many rows, or over rows of at least so many elements.
const ROWS: usize = 64;

/// Room for the elements of an argument as a kernel reads them: for so many, of so many bytes each; `None` if they are too many,
/// or if there is no memory for them.
fn room_for(room: &mut Option<Scratch>, elements: usize, size: usize) -> Option<&mut [u8]> {
    if elements > GATHERED {
        return None;
    }
    Some(room.insert(Scratch::take(elements * size).ok()?).bytes_mut())
}

/// A borrowed operand.
#[derive(Clone, Copy)]
pub(super) enum Seen<'o> {
    Array(&'o Array),
    Number(&'o Number),
}

impl<'o> From<&'o Operand> for Seen<'o> {
    fn from(operand: &'o Operand) -> Seen<'o> {
        match operand {
            Operand::Array(array) => Seen::Array(array),
            Operand::Number(number) => Seen::Number(number),
        }
    }
}

/// An operation on small computed arrays, each of the result's shape, of one element, or of a suffix of that shape, and
/// on numbers, done eagerly; `None` if the work is of another kind. The first `own` operands are
/// truth values.
pub(super) fn applied(
    op: Op,
    [dtype, result]: [DType; 2],
    operands: &[Seen<'_>],
    own: usize,
) -> Option<Result<Array, Error>> {
    let shapes = operands.iter().filter_map(|operand| match operand {
        Seen::Array(array) => Some(array.node().shape()),
        Seen::Number(_) => None,
    });
    // A shape that is somewhere: to compare an empty slice of nowhere takes longer than all the rest.
    let shape = shapes.max_by_key(|shape| shape.len())?;
    let kernel = kernel(op, dtype, operands.len(), shape)?;
    // The length of the suffix that is repeated.
    let mut columns = usize::MAX;
    let mut numbers = [[0; 2]; 3];
    let mut rooms = [const { None }; 3];
    let mut arguments = [Along::NONE; 3];
    let places = operands.iter().zip(&mut arguments).zip(numbers.iter_mut().zip(&mut rooms)).enumerate();
    for (place, ((operand, argument), (element, room))) in places {
        let dtype = if place < own { DType::Bool } else { dtype };
        *argument = match operand {
            Seen::Array(array) => argument_of(array, dtype, shape, &mut columns, room)?,
            // A number that the type cannot hold is reported by the general path.
            Seen::Number(number) => {
                *element = number.element(dtype).ok()?;
                Along::run(&bytemuck::cast_slice(element)[..dtype.size()?])
            }
        };
    }
    // A block is repeated without taking rows one by one.
    let columns = if columns == BLOCK { usize::MAX } else { columns };
    computed(kernel, result, shape, &arguments[..operands.len()], columns)
}

/// The elements of a computed array where they lie, as a kernel reads them for a result of a shape; in some room, if they have to
/// be gathered before. `columns` is the length of the suffix that is repeated, of all arguments; `None` if it is another, or if
/// the array is of another type or broadcast otherwise.
#[inline]
fn argument_of<'a>(
    array: &'a Array,
    dtype: DType,
    shape: &[usize],
    columns: &mut usize,
    room: &'a mut Option<Scratch>,
) -> Option<Along<'a>> {
    let tensor = array.node().at_hand()?.as_ref().ok()?;
    if tensor.dtype() != dtype {
        return None;
    }
    let size = dtype.size()?;
    let Some(bytes) = tensor.as_bytes() else {
        if tensor.shape() != shape || shape.len() > 1 {
            return None;
        }
        // Along one axis there is only one order to write them in.
        let apart = room_for(room, shape[0], size)?;
        gather_all(size, tensor.memory(), &walk(tensor.layout()), apart);
        return Some(Along::run(apart));
    };
    if tensor.shape() == shape || bytes.len() == size {
        return Some(Along::run(bytes));
    }
    if !shape.ends_with(tensor.shape()) {
        return None;
    }
    let elements: usize = shape.iter().product();
    let row = bytes.len() / size;
    let fits = *columns == usize::MAX || *columns == row;
    if elements > FEW && fits && are_few(elements, row) {
        *columns = row;
        return Some(Along::run(bytes));
    }
    Some(repeated(bytes, room_for(room, elements, size)?))
}

/// The same for any strides, each argument read by its axis map; without maps all have the result's shape.
pub(super) fn broadcast(
    op: Op,
    [dtype, result]: [DType; 2],
    arguments: &[Array],
    shape: &[usize],
    read: Option<&[Axes]>,
) -> Option<Result<Array, Error>> {
    let kernel = kernel(op, dtype, arguments.len(), shape)?;
    let mut tensors: SmallVec<[&Tensor; 3]> = SmallVec::new();
    for argument in arguments {
        tensors.push(argument.node().at_hand()?.as_ref().ok()?);
    }
    let elements: usize = shape.iter().product();
    let whole = |tensor: &&&Tensor| tensor.elements() == elements;
    // A result lies as what is as large as it does.
    let is_straight = tensors.iter().filter(whole).any(|tensor| tensor.layout().is_row_major())
        || !tensors.iter().any(|tensor| whole(&tensor));
    if elements <= FEW && is_straight {
        return of_few(kernel, result, shape, &tensors, read);
    }
    let read_so: SmallVec<[(&Tensor, Layout); 3]> = tensors
        .iter()
        .enumerate()
        .map(|(place, tensor)| {
            let layout = tensor.layout();
            (*tensor, read.map_or_else(|| layout.clone(), |read| layout.read(shape, &read[place])))
        })
        .collect();
    let as_written = Order::of(0..shape.len());
    in_order(kernel, result, shape, &as_written, &read_so, 0).or_else(|| {
        let strides: SmallVec<[Strides; 3]> =
            read_so.iter().map(|(_, layout)| Strides::from_slice(layout.strides())).collect();
        let order = Order::alike(shape, strides.iter());
        in_order(kernel, result, shape, &order, &read_so, GATHERED)
    })
}

/// The same of so few elements that each argument is gathered if it does not lie as the result does.
fn of_few(
    kernel: Kernel,
    result: DType,
    shape: &[usize],
    tensors: &[&Tensor],
    read: Option<&[Axes]>,
) -> Option<Result<Array, Error>> {
    let elements: usize = shape.iter().product();
    let mut rooms = [const { None }; 3];
    let mut all = [Along::NONE; 3];
    for (place, ((tensor, along), room)) in tensors.iter().zip(&mut all).zip(&mut rooms).enumerate() {
        let (layout, size) = (tensor.layout(), tensor.size());
        let first = layout.offset();
        if layout.is_row_major() && layout.elements() == elements {
            *along = Along::run(&tensor.memory()[first * size..][..elements * size]);
            continue;
        }
        let own = layout.strides();
        let strides: Strides = match read {
            Some(read) => read[place].iter().map(|axis| axis.map_or(0, |axis| own[axis])).collect(),
            None => own.into(),
        };
        let walk = Walk::new(shape.iter().copied(), strides.into_iter(), first.cast_signed());
        let room = room_for(room, elements, size)?;
        gather_all(size, tensor.memory(), &walk, room);
        *along = Along::run(room);
    }
    computed(kernel, result, shape, &all[..tensors.len()], usize::MAX)
}

/// What a kernel makes of arguments that are read as these layouts say, written in this order of the axes; so many elements are
/// gathered at most.
fn in_order(
    kernel: Kernel,
    result: DType,
    shape: &[usize],
    order: &Order,
    arguments: &[(&Tensor, Layout)],
    most: usize,
) -> Option<Result<Array, Error>> {
    let mut gathered = [const { None }; 3];
    let mut all = [Along::NONE; 3];
    let mut by_rows = false;
    for (((tensor, layout), all), room) in arguments.iter().zip(&mut all).zip(&mut gathered) {
        let (along, rows) = along(tensor, &layout.transpose(&order.axes).ok()?, kernel, (room, most))?;
        *all = along;
        by_rows |= rows;
    }
    let columns = if by_rows { shape[*order.axes.last()?] } else { usize::MAX };
    let result = order.tensor(shape, result, |out| {
        run(kernel, &all[..arguments.len()], columns, out);
        Ok(())
    });
    at_once(result)
}

/// The elements as another type, which this kernel makes of them.
pub(super) fn converted(array: &Array, dtype: DType, kernel: Kernel) -> Option<Result<Array, Error>> {
    let tensor = array.node().at_hand()?.as_ref().ok()?;
    let bytes = tensor.as_bytes().filter(|_| is_small(tensor.shape(), dtype))?;
    computed(kernel, dtype, tensor.shape(), &[Along::run(bytes)], usize::MAX)
}

/// A small array that is written before it is read.
pub(super) fn unwritten(shape: &[usize], dtype: DType) -> Option<Result<Array, Error>> {
    is_small(shape, dtype).then(|| Tensor::uninitialised(shape, dtype)).and_then(at_once)
}

/// A fold of a small array along axes into the shape that comes of it.
pub(super) fn folded(
    array: &Array,
    reduction: Reduction,
    axes: &[usize],
    shape: &[usize],
) -> Option<Result<Array, Error>> {
    let tensor = array.node().at_hand()?.as_ref().ok()?;
    if !is_small(tensor.shape(), tensor.dtype()) {
        return None;
    }
    evaluate::folded(tensor, reduction, axes, shape).and_then(at_once)
}

/// What a function makes of small arrays.
pub(super) fn called(
    arguments: &[Array],
    shape: &[usize],
    dtype: DType,
    function: impl FnOnce(&[Tensor], &[usize]) -> Result<Tensor, Error>,
) -> Option<Result<Array, Error>> {
    if arguments.is_empty() || !is_small(shape, dtype) {
        return None;
    }
    let at_hand = |array: &Array| {
        let tensor = array.node().at_hand()?.as_ref().ok()?;
        is_small(tensor.shape(), tensor.dtype()).then(|| tensor.clone())
    };
    let tensors: SmallVec<[Tensor; 3]> = arguments.iter().map(at_hand).collect::<Option<_>>()?;
    at_once(function(&tensors, shape))
}

/// Replaces the part of an array that a layout over its row-major elements selects, by a value or an operation on both: in
/// place, or in a copy if the memory is shared and small. `None` if the work is of another kind; then
/// nothing is changed.
pub(super) fn changed(
    own: &mut Array,
    layout: &Layout,
    op: Option<Op>,
    value: &Array,
    read: &Axes,
) -> Option<()> {
    let value = value.node().at_hand()?.as_ref().ok()?;
    own.node().at_hand()?;
    let (shape, size) = (layout.shape(), value.size());
    if !is_small(shape, value.dtype()) {
        return None;
    }
    let bytes = layout.elements() * size;
    let from = value.layout().read(shape, read);
    let kernel = match op {
        Some(op) => Some(kernel(op, value.dtype(), 2, shape)?),
        None => None,
    };
    let mut room = None;
    let (arguments, columns) = match kernel {
        Some(kernel) => {
            let (along, by_rows) = along(value, &from, kernel, (&mut room, GATHERED))?;
            ([Along::NONE, along], if by_rows { *shape.last()? } else { usize::MAX })
        }
        None => ([Along::NONE; 2], usize::MAX),
    };
    let put = |to: &mut [u8]| match kernel {
        Some(kernel) => kernel.run_along(&arguments, columns, to),
        None => gather_all(size, value.memory(), &walk(&from), to),
    };
    if own.own_memory().is_none() {
        let base = own.node().at_hand()?.as_ref().ok()?;
        if !is_small(base.shape(), base.dtype()) {
            return None;
        }
        if let (Some(kernel), true) = (kernel, layout.is_row_major() && shape == base.shape()) {
            // All of it is new, so it need not be copied first.
            let mut room = None;
            let (before, by_rows) = along(base, base.layout(), kernel, (&mut room, GATHERED))?;
            let columns = if by_rows { *shape.last()? } else { columns };
            *own = computed(kernel, base.dtype(), shape, &[before, arguments[1]], columns)?.ok()?;
            return Some(());
        }
        *own = fresh(base).ok()?.into();
    }
    let memory = own.own_memory()?;
    if layout.is_row_major() {
        put(&mut memory[layout.offset() * size..][..bytes]);
        return Some(());
    }
    let mut aside = Scratch::take(bytes).ok()?;
    let (aside, walk) = (aside.bytes_mut(), walk(layout));
    if kernel.is_some() {
        gather_all(size, memory, &walk, aside);
    }
    put(aside);
    scatter_all(size, memory, &walk, aside);
    Some(())
}

/// Puts a number where an index says, in the array's own memory, if that is few elements, or some one behind the other. `None`
/// if that is other work; then nothing is changed.
pub(super) fn put_number(own: &mut Array, index: &[Index], number: Number) -> Option<()> {
    let tensor = own.node().at_hand()?.as_ref().ok()?;
    let (layout, dtype, size) = (tensor.layout(), tensor.dtype(), tensor.size());
    if scalar_fits(number.kind(), dtype).is_err() {
        return None;
    }
    let element = number.element(dtype).ok()?;
    let element = &bytemuck::cast_slice(&element)[..size];
    if let Some(place) = place_of_one(index, layout.shape()) {
        own.own_memory()?[place * size..][..size].copy_from_slice(element);
        return Some(());
    }
    if !layout.is_row_major() || layout.offset() > 0 {
        return None;
    }
    let part = layout.select(index).ok()?;
    let bytes = part.elements() * size;
    if part.is_row_major() && bytes <= MOST {
        let memory = own.own_memory()?;
        if bytes > 0 {
            repeated(element, &mut memory[part.offset() * size..][..bytes]);
        }
    } else {
        let mut room = None;
        let room = room_for(&mut room, part.elements(), size)?;
        repeated(element, room);
        scatter_all(size, own.own_memory()?, &walk(&part), room);
    }
    Some(())
}

/// The flat (row-major) position of an index of integers only; `None` for another index, or out of range.
fn place_of_one(index: &[Index], shape: &[usize]) -> Option<usize> {
    if index.len() != shape.len() {
        return None;
    }
    let mut place = 0;
    for (index, &extent) in index.iter().zip(shape) {
        let &Index::At(at) = index else { return None };
        let from_front = if at < 0 { at.checked_add_unsigned(extent as u64)? } else { at };
        place = place * extent + usize::try_from(from_front).ok().filter(|&at| at < extent)?;
    }
    Some(place)
}

/// The kernel of an operation on few elements; `None` if they are many, or if it is none of its own.
fn kernel(op: Op, dtype: DType, arguments: usize, shape: &[usize]) -> Option<Kernel> {
    if arguments <= 3 && is_small(shape, dtype) { op.kernel(dtype) } else { None }
}

/// Whether there are elements, and they are few.
pub(super) fn is_small(shape: &[usize], dtype: DType) -> bool {
    let size = dtype.size().unwrap_or(0);
    let bytes = shape.iter().try_fold(size, |product, &extent| product.checked_mul(extent));
    bytes.is_some_and(|bytes| (1..=MOST).contains(&bytes))
}

/// How a kernel reads a tensor through a layout: in place, or gathered into `room` if it must be and has at most `most`
/// elements; and whether it goes row by row.
fn along<'t>(
    tensor: &'t Tensor,
    layout: &Layout,
    kernel: Kernel,
    (room, most): (&'t mut Option<Scratch>, usize),
) -> Option<(Along<'t>, bool)> {
    let (elements, size) = (layout.elements(), tensor.size());
    let first = layout.offset() * size;
    if layout.is_row_major() {
        return Some((Along::run(&tensor.memory()[first..][..elements * size]), false));
    }
    let by_row = |_: &_| elements > FEW && matches!(kernel, Kernel::Several(_));
    if let Some((step, count)) = rows(layout).filter(by_row) {
        let by_rows = step != 0 || count > 1 && count != BLOCK;
        let step = step * size.cast_signed();
        return Some((Along { bytes: tensor.memory(), first, step, width: count * size }, by_rows));
    }
    let room = (elements <= most).then(|| room_for(room, elements, size))??;
    gather_all(size, tensor.memory(), &walk(layout), room);
    Some((Along::run(room), false))
}

/// The stride from one row along the last axis to the next, and how many elements a row has in memory: all, or one that is
/// repeated. `None` if rows are many and short, or not evenly spaced.
fn rows(layout: &Layout) -> Option<(isize, usize)> {
    let (&columns, outer) = layout.shape().split_last()?;
    let (&along, strides) = layout.strides().split_last()?;
    let count = match along {
        0 => 1,
        1 => columns,
        _ => return None,
    };
    // The step of one row, and how many rows the axes so far are.
    let (mut step, mut so_far) = (None, 1);
    for (&extent, &stride) in outer.iter().zip(strides).rev().filter(|axis| *axis.0 > 1) {
        let step = *step.get_or_insert(stride);
        if stride != step * so_far {
            return None;
        }
        so_far *= extent.cast_signed();
    }
    let is_one = step.unwrap_or(0) == 0 && count == 1;
    (is_one || are_few(layout.elements(), columns)).then_some((step.unwrap_or(0), count))
}

/// Whether rows of so many elements are taken one by one.
fn are_few(elements: usize, columns: usize) -> bool {
    columns >= ROWS || elements / columns <= ROWS
}

/// The result; `None` on a lack of memory, so that it becomes lazy and is tried again later.
fn at_once(result: Result<Tensor, Error>) -> Option<Result<Array, Error>> {
    match result {
        Err(error) if error.is_lack_of_memory() => None,
        result => Some(result.map(Array::from)),
    }
}

fn computed(
    kernel: Kernel,
    result: DType,
    shape: &[usize],
    arguments: &[Along<'_>],
    columns: usize,
) -> Option<Result<Array, Error>> {
    let result = Tensor::written_by(shape, result, |out| kernel.run_along(arguments, columns, out));
    at_once(result)
}

/// Writes what a kernel makes of its arguments to all of a new tensor's memory.
fn run(kernel: Kernel, arguments: &[Along<'_>], columns: usize, out: &mut Tensor) {
    let size = out.elements() * out.size();
    if let Some(to) = out.memory_mut() {
        kernel.run_along(arguments, columns, &mut to[..size]);
    }
}

/// The same elements again and again.
fn repeated<'r>(bytes: &[u8], room: &'r mut [u8]) -> Along<'r> {
    let mut done = bytes.len();
    room[..done].copy_from_slice(bytes);
    while done < room.len() {
        let more = done.min(room.len() - done);
        room.copy_within(..more, done);
        done += more;
    }
    Along::run(room)
}
