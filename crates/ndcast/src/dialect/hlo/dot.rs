//! `dot`: products of arrays, any axes batched and any contracted, as products of matrices.

use ndcast_shape::{Dim, Extent, Index};

use super::elementwise::check_same;
use super::{Builder, axes};
use crate::array::Keep;
use crate::dtype::DType;
use crate::error::Error;
use crate::graph::kind::{Broadcast, Lay, MatMul, Reduce, Reshape, ReshapeTo, Slice, Transpose};
use crate::graph::{Arguments, Id};
use crate::layout::saturating_count;
use crate::reduction::Reduction;

/// Which axes of two operands go together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DotDimensions {
    /// Axes of the left that both have in common, and that stay.
    pub left_batch: Vec<i64>,
    /// Those of the right.
    pub right_batch: Vec<i64>,
    /// Axes of the left along which products are summed.
    pub left_contracting: Vec<i64>,
    /// Those of the right.
    pub right_contracting: Vec<i64>,
}

/// The axes of one operand, checked.
struct Side {
    operand: Id,
    batch: Vec<usize>,
    free: Vec<usize>,
    contracting: Vec<usize>,
}

impl Builder<'_> {
    /// `dot`: the axes of the result are those that are batched, then the others of the left, then those of the right.
    /// The result has the operands' element type, or another that they are converted to before.
    ///
    /// # Errors
    /// If the element types differ; if there is no such axis, or one is named twice; if there are not as many of the one
    /// as of the other, or their extents differ.
    pub fn dot_general(
        &mut self,
        left: Id,
        right: Id,
        dimensions: &DotDimensions,
        to: Option<DType>,
    ) -> Result<Id, Error> {
        self.product(left, right, dimensions, to).map_err(|error| error.called("dot_general"))
    }

    fn product(
        &mut self,
        left: Id,
        right: Id,
        dimensions: &DotDimensions,
        to: Option<DType>,
    ) -> Result<Id, Error> {
        let dtype = check_same(self.graph, &[left, right])?;
        let DotDimensions { left_batch, right_batch, left_contracting, right_contracting } = dimensions;
        axes::count(left_batch.len(), right_batch.len())?;
        axes::count(left_contracting.len(), right_contracting.len())?;
        let mut sides = [
            self.side(left, left_batch, left_contracting)?,
            self.side(right, right_batch, right_contracting)?,
        ];
        self.check_together(&sides)?;
        if let Some(to) = to.filter(|&to| to != dtype) {
            for side in &mut sides {
                side.operand = self.convert(side.operand, to)?;
            }
        }
        let [left, right] = sides;
        let a = self.matrix(&left, [&left.batch, &left.free, &left.contracting])?;
        let b = self.matrix(&right, [&right.batch, &right.contracting, &right.free])?;
        let product = self.graph.add(MatMul, &[a, b])?;
        self.apart(product, [&left, &right])
    }

    fn side(&self, operand: Id, batch: &[i64], contracting: &[i64]) -> Result<Side, Error> {
        let rank = axes::rank(self.graph, operand)?;
        let all = axes::axes(&[batch, contracting].concat(), rank)?;
        let (batch, contracting) = all.split_at(batch.len());
        Ok(Side {
            operand,
            batch: batch.to_vec(),
            free: (0..rank).filter(|axis| !all.contains(axis)).collect(),
            contracting: contracting.to_vec(),
        })
    }

    /// The extents of axes that go together are equal.
    fn check_together(&self, [left, right]: &[Side; 2]) -> Result<(), Error> {
        let (l, r) = (axes::dims(self.graph, left.operand)?, axes::dims(self.graph, right.operand)?);
        let pairs = left.batch.iter().zip(&right.batch);
        for (&a, &b) in pairs.chain(left.contracting.iter().zip(&right.contracting)) {
            if l[a].meet(&r[b]).is_none() {
                let text = format!(
                    "axis {a} of the left has extent {} and axis {b} of the right has {}, and they must be equal",
                    l[a], r[b]
                );
                return Err(Error::value(text));
            }
        }
        Ok(())
    }

    /// An operand as matrices: the batch's axes, then one axis for each of two groups.
    fn matrix(&mut self, side: &Side, [batch, rows, columns]: [&[usize]; 3]) -> Result<Id, Error> {
        let order = [batch, rows, columns].concat();
        let mut turned = side.operand;
        if !order.iter().copied().eq(0..order.len()) {
            turned = self.graph.add(Transpose::new(order), &[turned])?;
        }
        let groups = [rows.len(), columns.len()];
        if groups == [1, 1] {
            return Ok(turned);
        }
        let dims = axes::dims(self.graph, turned)?;
        let first = batch.len();
        let known = |range: std::ops::Range<usize>| -> Option<Vec<usize>> {
            dims[range].iter().map(Extent::known).collect()
        };
        if let Some(all) = known(0..dims.len()) {
            let (batch, rest) = all.split_at(first);
            let (rows, columns) = rest.split_at(groups[0]);
            let whole = [saturating_count(rows), saturating_count(columns)];
            return self.sized(turned, &[batch, &whole].concat());
        }
        if groups.iter().all(|&count| count <= 1) {
            // An axis that is not there is one of extent 1.
            let mut lays: Vec<Lay> = (0..first + groups[0]).map(Lay::Axis).collect();
            lays.extend((groups[0] == 0).then_some(Lay::New(1)));
            lays.extend((first + groups[0]..dims.len()).map(Lay::Axis));
            lays.extend((groups[1] == 0).then_some(Lay::New(1)));
            return self.graph.add(Broadcast::new(lays), &[turned]);
        }
        let mut pieces = Arguments::new();
        for axis in 0..first {
            pieces.push(self.graph.extent_of(turned, axis)?);
        }
        let mut start = first;
        for count in groups {
            pieces.push(self.extents_product(turned, start..start + count)?);
            start += count;
        }
        let to = self.concatenate(&pieces, 0)?;
        self.graph.add(ReshapeTo, &[turned, to])
    }

    /// The product of the extents of some axes, as an array of one integer.
    fn extents_product(&mut self, operand: Id, range: std::ops::Range<usize>) -> Result<Id, Error> {
        let mut pieces = Arguments::new();
        for axis in range {
            pieces.push(self.graph.extent_of(operand, axis)?);
        }
        if pieces.is_empty() {
            return self.graph.integers(&[1]);
        }
        let all = self.concatenate(&pieces, 0)?;
        self.graph.add(Reduce { reduction: Reduction::Prod, axes: vec![0], keep: Keep::Axes }, &[all])
    }

    /// The product's two last axes as the free axes that they are made of.
    fn apart(&mut self, product: Id, [left, right]: [&Side; 2]) -> Result<Id, Error> {
        let counts = [left.free.len(), right.free.len()];
        if counts == [1, 1] {
            return Ok(product);
        }
        let (l, r) = (axes::dims(self.graph, left.operand)?, axes::dims(self.graph, right.operand)?);
        let batch = axes::dims(self.graph, product)?[..left.batch.len()].to_vec();
        let of = |dims: &[Dim], free: &[usize]| -> Vec<Dim> {
            free.iter().map(|&axis| dims[axis].clone()).collect()
        };
        let dims = [batch, of(&l, &left.free), of(&r, &right.free)].concat();
        if let Some(sizes) = dims.iter().map(Extent::known).collect::<Option<Vec<_>>>() {
            return self.graph.add(Reshape::new(&sizes), &[product]);
        }
        if counts.iter().all(|&count| count <= 1) {
            let mut index = vec![Index::WHOLE; left.batch.len()];
            index.extend(counts.map(|count| if count == 0 { Index::At(0) } else { Index::WHOLE }));
            return self.graph.add(Slice { index }, &[product]);
        }
        let mut pieces = Arguments::new();
        for axis in 0..left.batch.len() {
            pieces.push(self.graph.extent_of(product, axis)?);
        }
        for side in [left, right] {
            for &axis in &side.free {
                pieces.push(self.graph.extent_of(side.operand, axis)?);
            }
        }
        let to = self.concatenate(&pieces, 0)?;
        self.graph.add(ReshapeTo, &[product, to])
    }
}
