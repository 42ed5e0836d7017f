//! Products of matrices.

use ndcast_shape::rule::{Count, array_api};
use ndcast_shape::{Dim, Extent, Shape};

use super::{Apply, Broadcast, Fit, Inferred, Lay, Operation, Reduce, Transpose, Unfit};
use crate::array::{Array, Keep};
use crate::dtype::{Class, DType};
use crate::error::{Error, ErrorKind};
use crate::graph::attributes::Attributes;
use crate::graph::gradient::{Backward, Gradients};
use crate::graph::node::{Id, Node};
use crate::op::Op;
use crate::reduction::Reduction;

/// See [`Kind::MatMul`](super::Kind::MatMul): of the last two axes; the others are broadcast as the Array API does. One
/// axis alone is a row on the left and a column on the right, and goes away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatMul;

impl MatMul {
    pub(super) fn read(_: &mut Attributes<'_>) -> Result<MatMul, Error> {
        Ok(MatMul)
    }
}

impl Operation for MatMul {
    fn count(&self) -> Count {
        Count::Exactly(2)
    }

    fn infer(&self, arguments: &[&Node]) -> Result<Inferred, Error> {
        let dtype = super::elementwise::one_type(arguments)?;
        let takes = |dtype: &DType| dtype.computes() && dtype.class() != Class::Bool;
        if !takes(&dtype) {
            return Err(Error::not_taken(dtype, DType::all().filter(takes).collect()));
        }
        let shapes = || vec![arguments[0].shape.clone(), arguments[1].shape.clone()];
        let (Some(left), Some(right)) = (arguments[0].dims(), arguments[1].dims()) else {
            return Ok(Inferred { dtype, shape: Shape::UNRANKED });
        };
        let wrong = || Error::new(ErrorKind::MatMul { shapes: shapes() });
        let (rows, depth, left_batch) = match left {
            [] => return Err(wrong()),
            [depth] => (None, depth, &left[..0]),
            [batch @ .., rows, depth] => (Some(rows), depth, batch),
        };
        let (other_depth, columns, right_batch) = match right {
            [] => return Err(wrong()),
            [depth] => (depth, None, &right[..0]),
            [batch @ .., depth, columns] => (depth, Some(columns), batch),
        };
        depth.meet(other_depth).ok_or_else(wrong)?;
        let batch = array_api::join(&[left_batch, right_batch])?;
        let shape: Vec<Dim> = batch.shape().iter().chain(rows).chain(columns).cloned().collect();
        Ok(Inferred { dtype, shape: shape.into() })
    }

    fn run(&self, arguments: &[Array]) -> Array {
        arguments[0].matmul(&arguments[1])
    }

    fn gradient(&self, back: &mut Backward<'_>) -> Result<Gradients, Error> {
        let (left_rank, right_rank) = (back.argument_rank(0)?, back.argument_rank(1)?);
        let (left, right, d) = (back.argument(0), back.argument(1), back.d());
        let mut gradients = back.none();
        if left_rank == 1 && right_rank == 1 {
            // d is a number.
            for (place, other) in [(0, right), (1, left)] {
                let d = back.add(Fit::join(2, 0), &[d, other])?;
                gradients[place] = Some(back.add(Apply(Op::Multiply), &[d, other])?);
            }
            return Ok(gradients);
        }
        // Rows and columns that were left out are there again.
        let left = if left_rank == 1 { with_axis(back, left, 1, 0)? } else { left };
        let right = if right_rank == 1 { with_axis(back, right, 1, 1)? } else { right };
        let rank = back.result_rank()?;
        let d = match (left_rank, right_rank) {
            (1, _) => with_axis(back, d, rank, rank - 1)?,
            (_, 1) => with_axis(back, d, rank, rank)?,
            _ => d,
        };
        let turned = turned(back, right)?;
        let of_left = back.add(MatMul, &[d, turned])?;
        gradients[0] = Some(without(back, of_left, left, (left_rank == 1).then_some(0))?);
        let turned = self::turned(back, left)?;
        let of_right = back.add(MatMul, &[turned, d])?;
        gradients[1] = Some(without(back, of_right, right, (right_rank == 1).then_some(1))?);
        Ok(gradients)
    }
}

/// With an axis of extent 1 before this one.
fn with_axis(back: &mut Backward<'_>, of: Id, rank: usize, before: usize) -> Result<Id, Error> {
    let mut axes: Vec<Lay> = (0..rank).map(Lay::Axis).collect();
    axes.insert(before, Lay::New(1));
    back.add(Broadcast::new(axes), &[of])
}

/// The last two axes exchanged.
fn turned(back: &mut Backward<'_>, of: Id) -> Result<Id, Error> {
    let rank = back.rank(of)?;
    back.add(Transpose::new((0..rank - 2).chain([rank - 1, rank - 2])), &[of])
}

/// The gradient of a matrix that was broadcast: summed to its own shape, without the axis that it did not have.
fn without(back: &mut Backward<'_>, d: Id, of: Id, axis: Option<usize>) -> Result<Id, Error> {
    let d = back.add(Unfit(Fit::join(2, 0)), &[d, of, d])?;
    match axis {
        None => Ok(d),
        Some(axis) => {
            let sum = Reduce { reduction: Reduction::Sum, axes: vec![axis], keep: Keep::Nothing };
            back.add(sum, &[d])
        }
    }
}
