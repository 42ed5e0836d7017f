//! Products of matrices, and running folds: what is not done element by element.

use ndcast_shape::Shape;
use ndcast_shape::rule::array_api;

use super::evaluate::{compact, operand};
use super::{Array, Called, Extents, Keep};
use crate::dtype::{Class, DType};
use crate::engine::{self, Blocks, Matrix, Product};
use crate::error::{Error, ErrorKind};
use crate::promote::promote;
use crate::reduction::Reduction;
use crate::tensor::Tensor;

impl Array {
    /// The matrix product over the last two axes; the others are broadcast. A vector is a row on the left and a column on
    /// the right, and the result lacks that axis.
    ///
    /// ```
    /// use ndcast::Array;
    /// let a = Array::new(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    /// assert_eq!(a.matmul(&Array::new(&[2], &[10.0, 1.0])).to_vec::<f64>()?, [12.0, 34.0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn matmul(&self, other: &Array) -> Array {
        self.product(other, || Ok(promote(self.dtype()?, other.dtype()?)?))
    }

    /// As [`Array::matmul`] of both converted to an element type, as by [`Array::convert`]: beside a vector, a matrix is converted
    /// on the fly, without a converted copy.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// let bytes = Array::new(&[2, 2], &[1u8, 2, 3, 4]);
    /// let product = bytes.matmul_as(&Array::new(&[2], &[0.5, 0.25]), DType::F64);
    /// assert_eq!(product.to_vec::<f64>()?, [1.0, 2.5]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn matmul_as(&self, other: &Array, dtype: DType) -> Array {
        self.product(other, || Ok(dtype))
    }

    fn product(&self, other: &Array, dtype: impl FnOnce() -> Result<DType, Error>) -> Array {
        let made = || {
            let product = dtype().and_then(|dtype| self.multiplied(other, dtype));
            product.unwrap_or_else(|error| Array::of_error(error.of("matmul")))
        };
        Array::as_one_operation(&[self, other], made)
    }

    fn multiplied(&self, other: &Array, dtype: DType) -> Result<Array, Error> {
        if !dtype.computes() || dtype.class() == Class::Bool {
            let takes = |dtype: &DType| dtype.computes() && dtype.class() != Class::Bool;
            return Err(Error::not_taken(dtype, DType::all().filter(takes).collect()));
        }
        let (rank, other_rank) = (self.rank()?, other.rank()?);
        if rank == 0 || other_rank == 0 {
            let what = "it takes arrays of at least one axis";
            return Err(Error::shapes(what, &[self.shape()?, other.shape()?], None));
        }
        let (l, r) = (self.shape()?, other.shape()?);
        let (depth, other_depth) = (l[rank - 1], r[other_rank.max(2) - 2]);
        if depth != other_depth {
            let shapes = vec![Shape::from(l), Shape::from(r)];
            return Err(Error::new(ErrorKind::MatMul { shapes }));
        }
        if rank == 1 || other_rank == 1 {
            let left = if rank == 1 { self.expand(0) } else { self.clone() };
            let right = if other_rank == 1 { other.expand(1) } else { other.clone() };
            let product = left.multiplied(&right, dtype)?;
            let last = product.rank()? - 1;
            let gone = [(rank == 1).then_some(last - 1), (other_rank == 1).then_some(last)];
            return Ok(product.squeeze(&*gone.into_iter().flatten().collect::<Extents>()));
        }
        let batch = array_api::join(&[&l[..rank - 2], &r[..other_rank - 2]])
            .map_err(|_| Error::shapes("the axes before the last two do not broadcast", &[l, r], None))?;
        let (rows, columns) = (l[rank - 2], r[other_rank - 1]);
        let (last, within) = (batch.rank(), dtype.computed_in());
        // A matrix with a vector, unless there is a loop of its own for it as it is, is folded as it is multiplied and converted.
        let matrix = if columns == 1 { self } else { other };
        let is_read_as_it_is = engine::has_vectors(dtype, depth) && matrix.dtype()? == dtype;
        if !is_read_as_it_is && (rows == 1 || columns == 1) {
            let (left, right) = (self.convert(within), other.convert(within));
            let folded = if columns == 1 {
                (left * right.matrix_transpose()).sum([last + 1], Keep::Axes)
            } else {
                (left.matrix_transpose() * right).sum([last], Keep::Axes)
            };
            return Ok(folded.convert(dtype));
        }
        let mut shape: Extents = batch.shape().into();
        shape.extend([rows, columns]);
        super::apply::addressable(&shape)?;
        // Of as many axes as the result; those that are stretched are not walked.
        let argument = |array: &Array, ends: [Option<usize>; 2]| -> Result<_, Error> {
            let mut array = array.convert(within);
            while array.rank()? < shape.len() {
                array = array.expand(0);
            }
            let own = array.shape()?;
            let walked = (0..last).map(|axis| (own[axis] == shape[axis]).then_some(axis));
            Ok((array.clone(), walked.chain(ends).collect()))
        };
        let arguments = [argument(self, [Some(last), None])?, argument(other, [None, Some(last + 1)])?];
        let blocks = Blocks::of(rows, depth, columns);
        let product = Array::call(Called::MatMul(blocks), arguments, shape, within, move |tensors, shape| {
            matrices(shape, blocks, tensors)
        });
        Ok(product.convert(dtype))
    }

    /// The running sum along an axis: each element with all before it. Small integers are added as 64 bits.
    ///
    /// ```
    /// use ndcast::Array;
    /// let x = Array::new(&[4], &[1, 2, 3, 4]);
    /// assert_eq!(x.cumulative_sum(0).to_vec::<i64>()?, [1, 3, 6, 10]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias = "cumsum")]
    pub fn cumulative_sum(&self, axis: usize) -> Array {
        self.accumulate(Reduction::Sum, axis).called("accumulate", "cumulative_sum")
    }

    /// The running product along an axis. Small integers are multiplied as 64 bits.
    #[doc(alias = "cumprod")]
    pub fn cumulative_prod(&self, axis: usize) -> Array {
        self.accumulate(Reduction::Prod, axis).called("accumulate", "cumulative_prod")
    }

    /// A cumulative reduction (scan): each element folded with all before it.
    ///
    /// ```
    /// use ndcast::{Array, reduction::Reduction};
    /// let x = Array::new(&[4], &[1, 5, 2, 7]);
    /// assert_eq!(x.accumulate(Reduction::Max, 0).to_vec::<i32>()?, [1, 5, 5, 7]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn accumulate(&self, reduction: Reduction, axis: usize) -> Array {
        let doing = "accumulate";
        if self.check().is_err() {
            return self.clone();
        }
        let shape: Extents = self.node().shape().into();
        if axis >= shape.len() {
            return self.no_axis(doing, axis);
        }
        let dtype = self.node().dtype();
        let Some(result) = reduction.result(dtype) else {
            let takes = DType::all().filter(|&other| reduction.result(other).is_some()).collect();
            return Array::of_error(Error::not_taken(dtype, takes).of(doing));
        };
        let within = result.computed_in();
        let walked = (0..shape.len()).map(|other| (other != axis).then_some(other)).collect();
        let arguments = [(self.convert(within), walked)];
        let called = Called::Accumulate(reduction, axis);
        let call = Array::call(called, arguments, shape, within, move |tensors, _| {
            let in_order =
                engine::is_scanned_in_order(&operand(&tensors[0]).walk).then(|| compact(&tensors[0]));
            let all = in_order.transpose()?.unwrap_or_else(|| tensors[0].clone());
            let mut out = Tensor::uninitialised(all.shape(), within)?;
            let extents = around(all.shape(), axis);
            if let (Some(fold), Some(to)) = (reduction.fold(within), out.memory_mut()) {
                engine::scan(&operand(&all), extents, fold, &mut to[..all.elements() * fold.size])?;
            }
            Ok(out)
        });
        call.convert(result)
    }
}

/// The extents before an axis, of it, and behind it.
pub(super) fn around(shape: &[usize], axis: usize) -> engine::Extents {
    engine::Extents::new(shape[..axis].iter().product(), shape[axis], shape[axis + 1..].iter().product())
}

/// From so many rows of the left matrix on it takes less time to copy a right one whose rows lie apart than to gather them
/// for each block.
const MANY: usize = 128;

/// The right matrices, copied if their rows lie backwards, or if it is worth it and there is memory for it.
fn rows_together(right: &Tensor, rows: usize) -> Result<Tensor, Error> {
    let layout = right.layout();
    let [.., step, along] = *layout.strides() else { return Ok(right.clone()) };
    if step < 0 {
        return compact(right);
    }
    let copy = (rows >= MANY && along != 1 && !layout.repeats()).then(|| compact(right));
    Ok(copy.and_then(Result::ok).unwrap_or_else(|| right.clone()))
}

/// Whether the right matrices are the left ones transposed, in the same memory.
fn are_mirrors(left: &Tensor, right: &Tensor) -> Result<bool, Error> {
    if left.memory().as_ptr() != right.memory().as_ptr() {
        return Ok(false);
    }
    let mut order: Extents = (0..right.shape().len()).collect();
    let rows = order.len() - 2;
    order.swap(rows, rows + 1);
    Ok(right.transpose(&order)?.layout() == left.layout())
}

/// The products of matrices whose other axes are those of the result, or 1.
fn matrices(shape: &[usize], blocks: Blocks, tensors: &[Tensor]) -> Result<Tensor, Error> {
    let left = &tensors[0];
    let mut out = Tensor::uninitialised(shape, left.dtype())?;
    if out.elements() == 0 {
        // There may be no memory for the places of so many empty matrices.
        return Ok(out);
    }
    let batch = shape.len() - 2;
    let right = if blocks.are_elements() { &tensors[1] } else { &rows_together(&tensors[1], shape[batch])? };
    let matrix = |tensor: &Tensor| Matrix {
        row_stride: tensor.layout().strides()[batch],
        column_stride: tensor.layout().strides()[batch + 1],
    };
    // The first element of each matrix, pair by pair: two numbers of each, and those of the axes before while they are made.
    let pairs: usize = shape[..batch].iter().product();
    super::places::allowed(pairs.saturating_mul(if batch > 1 { 4 } else { 2 }), "matmul")?;
    let mut starts = vec![(left.layout().offset().cast_signed(), right.layout().offset().cast_signed())];
    for (axis, &extent) in shape[..batch].iter().enumerate() {
        // One that is stretched stays where it is.
        let stride = |of: &Tensor| if of.shape()[axis] == extent { of.layout().strides()[axis] } else { 0 };
        let (l, r) = (stride(left), stride(right));
        let steps = 0..extent.cast_signed();
        starts = starts
            .iter()
            .flat_map(|&(a, b)| steps.clone().map(move |step| (a + step * l, b + step * r)))
            .collect();
    }
    let product = Product {
        rows: shape[batch],
        depth: left.shape()[batch + 1],
        columns: shape[batch + 1],
        blocks,
        left: matrix(left),
        right: matrix(right),
        left_memory: left.memory(),
        right_memory: right.memory(),
        starts: &starts,
        mirrored: are_mirrors(left, &tensors[1])?,
    };
    let dtype = left.dtype();
    let bytes = out.elements() * out.size();
    let Some(to) = out.memory_mut() else { return Ok(out) };
    match engine::multiply(dtype, &product, &mut to[..bytes]) {
        Ok(true) => Ok(out),
        Ok(false) => Err(Error::not_taken(dtype, vec![]).of("matmul")),
        Err(error) => Err(Error::memory(error, shape, dtype)),
    }
}
