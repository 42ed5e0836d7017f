//! Small work, done at once: it costs less than to remember it.

use super::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::op::Op;
use crate::tensor::Tensor;

/// The most elements that are computed at once.
const MOST: usize = 64;

/// Room for so many elements of any type.
type Room = [[u64; 2]; MOST];

/// The result of an operation on a few elements of ready arrays, each of which has the result's shape or one element
/// alone; `None` if it is other work than that.
pub(super) fn applied(
    op: Op,
    dtype: DType,
    result: DType,
    arguments: &[Array],
) -> Option<Result<Array, Error>> {
    if dtype.computed_in() != dtype {
        return None;
    }
    let mut shape: &[usize] = &[];
    for argument in arguments {
        let own = argument.node().shape();
        if own.len() > shape.len() {
            shape = own;
        }
    }
    let elements = shape.iter().try_fold(1usize, |product, &extent| product.checked_mul(extent))?;
    if elements > MOST || elements == 0 || arguments.len() > 3 {
        return None;
    }
    // Room for an argument's one element, as often as it takes; it is filled only where there is one.
    let mut repeated: [Option<Room>; 3] = [None, None, None];
    let mut bytes: [&[u8]; 3] = [&[]; 3];
    for ((argument, bytes), repeated) in arguments.iter().zip(&mut bytes).zip(&mut repeated) {
        let tensor = argument.node().value()?.as_ref().ok()?;
        if tensor.shape() == shape {
            *bytes = tensor.as_bytes()?;
        } else if tensor.rank() == 0 {
            *bytes = repeat(tensor, elements, bytemuck::cast_slice_mut(repeated.insert([[0; 2]; MOST])));
        } else {
            return None;
        }
    }
    let kernel = op.kernel(dtype)?;
    Some(Tensor::uninitialised(shape, result).map(|mut out| {
        let size = elements * out.size();
        if let Some(to) = out.memory_mut() {
            kernel(&bytes[..arguments.len()], &mut to[..size]);
        }
        out.into()
    }))
}

/// The only element of a tensor so many times.
fn repeat<'r>(tensor: &Tensor, times: usize, room: &'r mut [u8]) -> &'r [u8] {
    let size = tensor.size();
    let element = &tensor.memory()[tensor.layout().offset() * size..][..size];
    let room = &mut room[..times * size];
    for to in room.chunks_exact_mut(size) {
        to.copy_from_slice(element);
    }
    room
}
