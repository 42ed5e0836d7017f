//! Small work, done at once: it costs less than to remember it.

use smallvec::smallvec;

use super::expression::Axes;
use super::{Array, Extents, Operand};
use crate::dtype::DType;
use crate::error::Error;
use crate::layout::Layout;
use crate::op::Op;
use crate::tensor::Tensor;

/// The most elements that are computed at once.
const MOST: usize = 64;

/// Room for so many elements of any type.
type Room = [[u64; 2]; MOST];

/// The result of an operation on a few elements of ready arrays, each of which has the result's shape or one element
/// alone, and of numbers; `None` if it is other work than that. The first `own` operands are truth values.
pub(super) fn applied(
    op: Op,
    [dtype, result]: [DType; 2],
    operands: &[Operand],
    own: usize,
) -> Option<Result<Array, Error>> {
    if dtype.computed_in() != dtype || operands.len() > 3 {
        return None;
    }
    let shapes = operands.iter().filter_map(|operand| match operand {
        Operand::Array(array) => Some(array.node().shape()),
        Operand::Number(_) => None,
    });
    // A shape that is somewhere: to compare an empty slice of nowhere takes longer than all the rest.
    let shape = shapes.max_by_key(|shape| shape.len())?;
    let elements = shape.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))?;
    if elements > MOST || elements == 0 {
        return None;
    }
    // Room for an argument's one element, as often as it takes; it is filled only where there is one.
    let mut repeated: [Option<Room>; 3] = [None, None, None];
    let mut bytes: [&[u8]; 3] = [&[]; 3];
    for (place, ((operand, bytes), repeated)) in
        operands.iter().zip(&mut bytes).zip(&mut repeated).enumerate()
    {
        let dtype = if place < own { DType::Bool } else { dtype };
        let size = dtype.size()?;
        let mut repeat = |element: &[u8]| {
            let room: &mut [u8] = bytemuck::cast_slice_mut(repeated.insert([[0; 2]; MOST]));
            room[..elements * size].chunks_exact_mut(size).for_each(|to| to.copy_from_slice(element));
        };
        match operand {
            Operand::Array(array) => {
                let tensor = array.node().at_hand()?.as_ref().ok()?;
                if tensor.dtype() != dtype {
                    return None;
                }
                if tensor.shape() == shape {
                    *bytes = tensor.as_bytes()?;
                    continue;
                }
                if tensor.rank() > 0 {
                    return None;
                }
                repeat(&tensor.memory()[tensor.layout().offset() * size..][..size]);
            }
            // What is no element of the type is an error that somebody else words.
            Operand::Number(number) => {
                repeat(&bytemuck::cast_slice(&number.element(dtype).ok()?)[..size]);
            }
        }
        *bytes = &bytemuck::cast_slice(repeated.as_ref()?)[..elements * size];
    }
    computed(op, dtype, result, shape, &bytes[..operands.len()])
}

/// The same of a few elements that are broadcast, as it was decided how each argument is read.
pub(super) fn broadcast(
    op: Op,
    [dtype, result]: [DType; 2],
    arguments: &[Array],
    shape: &[usize],
    read: &[Axes],
) -> Option<Result<Array, Error>> {
    let elements = shape.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))?;
    if elements > MOST || elements == 0 || arguments.len() > 3 || dtype.computed_in() != dtype {
        return None;
    }
    let mut gathered: [Option<Room>; 3] = [None, None, None];
    let mut bytes: [&[u8]; 3] = [&[]; 3];
    for (((argument, axes), bytes), gathered) in arguments.iter().zip(read).zip(&mut bytes).zip(&mut gathered)
    {
        let tensor = argument.node().at_hand()?.as_ref().ok()?;
        let (layout, size) = (tensor.layout().read(shape, axes), tensor.size());
        *bytes = if layout.is_row_major() {
            &tensor.memory()[layout.offset() * size..][..elements * size]
        } else {
            gather(tensor, &layout, bytemuck::cast_slice_mut(gathered.insert([[0; 2]; MOST])))
        };
    }
    computed(op, dtype, result, shape, &bytes[..arguments.len()])
}

fn computed(
    op: Op,
    dtype: DType,
    result: DType,
    shape: &[usize],
    bytes: &[&[u8]],
) -> Option<Result<Array, Error>> {
    let kernel = op.kernel(dtype)?;
    Some(Tensor::uninitialised(shape, result).map(|mut out| {
        let size = out.elements() * out.size();
        if let Some(to) = out.memory_mut() {
            kernel.run(bytes, &mut to[..size]);
        }
        out.into()
    }))
}

/// The elements in order, one behind the other.
fn gather<'r>(tensor: &Tensor, layout: &Layout, room: &'r mut [u8]) -> &'r [u8] {
    let size = tensor.size();
    let room = &mut room[..layout.elements() * size];
    let mut counts: Extents = smallvec![0; layout.rank()];
    let mut position = layout.offset().cast_signed();
    for to in room.chunks_exact_mut(size) {
        to.copy_from_slice(&tensor.memory()[position.cast_unsigned() * size..][..size]);
        for (axis, count) in counts.iter_mut().enumerate().rev() {
            let (extent, stride) = (layout.shape()[axis], layout.strides()[axis]);
            *count += 1;
            position += stride;
            if *count < extent {
                break;
            }
            position -= extent.cast_signed() * stride;
            *count = 0;
        }
    }
    room
}
