//! One operation or function of ready arrays: the commonest expression there is, computed without a schedule. One of
//! the arrays may be such an operation itself, if a schedule would compute it before the other in any case.
//!
//! The result is that of a schedule; only the search for common sub-expressions and fusion is left out, because there is
//! nothing to find.

use std::sync::Arc;

use smallvec::SmallVec;

use super::order::{Order, Strides};
use super::schedule::is_repeated;
use super::stage::into_new;
use crate::array::expression::{Axes, Expression};
use crate::array::{Array, Form};
use crate::convert;
use crate::dtype::DType;
use crate::engine::{Argument, By, Job, Operand, Step};
use crate::error::Error;
use crate::kernel::Kernel;
use crate::tensor::Tensor;

/// Computes an array that is one operation on or function of arrays that are ready, or that are so when this returns;
/// `None` of any other.
pub(super) fn run(array: &Array) -> Option<Result<(), Error>> {
    let node = array.node();
    let Expression { form, arguments } = *one_of_few(array)?;
    if let Some(before) = arguments.iter().find(|argument| !argument.is_ready())
        && let Err(error) = run(before)?
    {
        return Some(Err(error));
    }
    let tensors: SmallVec<[&Tensor; 3]> =
        arguments.iter().map(|argument| argument.node().value()?.as_ref().ok()).collect::<Option<_>>()?;
    let (kernel, read) = match form {
        Form::Call(call) => {
            let tensors: Vec<Tensor> = tensors.into_iter().cloned().collect();
            let value = (call.function)(&tensors, node.shape());
            node.fill(value.clone());
            return Some(value.map(drop));
        }
        Form::Apply(op, read) => (op.kernel(tensors.last()?.dtype())?, read),
        // A copy is another thing: it lies one behind the other.
        Form::Convert(how) if tensors.first()?.dtype() != node.dtype() => {
            (convert::kernel(tensors.first()?.dtype(), node.dtype(), how)?, None)
        }
        _ => return None,
    };
    let value = computed(node.shape(), node.dtype(), kernel, &tensors, read.as_ref());
    node.fill(value.clone());
    Some(value.map(drop))
}

/// How an array is made, if it has elements and is of ready arrays alone, or of one besides that would be computed again
/// and again, were it not computed before.
fn one_of_few(array: &Array) -> Option<Box<Expression>> {
    let expression = array.node().expression()?;
    let made = expression.as_ref()?;
    let elements: usize = array.node().shape().iter().product();
    let mut open = made.arguments.iter().filter(|argument| !argument.is_ready());
    let before = open.next().is_none_or(|argument| is_repeated(argument, elements));
    let is_one = matches!(made.form, Form::Apply(..) | Form::Convert(_) | Form::Call(_))
        && before
        && open.next().is_none()
        && elements > 0;
    is_one.then(|| made.clone())
}

fn computed(
    shape: &[usize],
    dtype: DType,
    kernel: Kernel,
    tensors: &[&Tensor],
    read: Option<&Arc<[Axes]>>,
) -> Result<Tensor, Error> {
    // For each loop the tensor's own stride.
    let strides: SmallVec<[Strides; 3]> = (0..tensors.len())
        .map(|number| {
            let own = tensors[number].layout().strides();
            match read {
                Some(read) => read[number].iter().map(|axis| axis.map_or(0, |axis| own[axis])).collect(),
                None => own.into(),
            }
        })
        .collect();
    let order = Order::alike(shape, strides.iter());
    let operand = |(number, strides): (usize, &Strides)| {
        let tensor = tensors[number];
        let walk = order.walk(shape, strides, tensor.layout().offset().cast_signed());
        Operand { bytes: tensor.memory(), size: tensor.size(), walk }
    };
    let steps = [Step {
        kernel,
        arguments: (0..tensors.len()).map(Argument::Operand).collect(),
        size: dtype.size().unwrap_or(1),
    }];
    let job = Job {
        elements: shape.iter().product(),
        operands: strides.iter().enumerate().map(operand).collect(),
        steps: &steps,
        by: By::Threads,
    };
    order.tensor(shape, dtype, |result| into_new(&job, result))
}
