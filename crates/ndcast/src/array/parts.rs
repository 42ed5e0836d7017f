//! An array part by part, for one that is larger than memory.
//!
//! A part is some rows along the first axis. Its expression is the array's own with fewer rows in it: what is computed
//! element by element, read along another axis, folded along others or viewed needs only the rows of the part. What a part
//! needs all of (what is stretched over the rows, a fold along them, a product of matrices) is computed whole, once, before.
//! A part that does not fit is halved; one row that does not is taken apart along the next axis.

use std::collections::HashMap;

use super::movement::along;
use super::{Array, Expression, Extents, Form, evaluate};
use crate::buffer::Pool;
use crate::error::{Error, ErrorKind};
use crate::layout::Layout;
use crate::tensor::Tensor;

/// A part has so many bytes at most; more at once is not faster.
const PART: usize = 64 << 20;
/// And this part of the memory that there may be: what is computed on the way needs some too.
const SHARE: usize = 8;

/// Some of the rows along an axis.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Rows {
    axis: usize,
    start: usize,
    stop: usize,
}

impl Array {
    /// Computes the array in parts, each of which is dropped before the next: their elements one behind the other, the last
    /// axis fastest, are the array's. The array itself is not kept, so it may be larger than memory.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// let x = Array::full(&[300, 100], 0.5, DType::F64) + Array::iota(100, DType::F64);
    /// let mut sum = 0.0;
    /// x.in_parts(&mut |part| Ok(sum += part.to_vec::<f64>()?.iter().sum::<f64>()))?;
    /// assert_eq!(sum, 300.0 * (50.0 + 4950.0));
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    ///
    /// # Errors
    /// That of the array or of `each`; or if what cannot be taken apart does not fit into memory.
    pub fn in_parts(&self, each: &mut dyn FnMut(&Tensor) -> Result<(), Error>) -> Result<(), Error> {
        self.check()?;
        // What is there needs no room, unless its elements must be brought in order.
        let mut array = self.clone();
        if self.is_ready() {
            let tensor = self.eval()?;
            if tensor.as_bytes().is_some() {
                return each(&tensor);
            }
            array = self.copy();
        }
        let pool = Pool::global();
        let room = pool.limit().saturating_sub(pool.usage().in_use);
        parts(&array, PART.min(room / SHARE), each)
    }
}

fn parts(
    array: &Array,
    bytes: usize,
    each: &mut dyn FnMut(&Tensor) -> Result<(), Error>,
) -> Result<(), Error> {
    let shape = array.node().shape().to_vec();
    let Some(axis) = shape.iter().position(|&extent| extent != 1) else { return each(&array.eval()?) };
    if shape.contains(&0) {
        return each(&array.eval()?);
    }
    let size = array.node().dtype().size().unwrap_or(1);
    let row = shape[axis + 1..].iter().fold(size, |all, &extent| all.saturating_mul(extent));
    let mut count = (bytes / row.max(1)).clamp(1, shape[axis]);
    let mut start = 0;
    while start < shape[axis] {
        let rows = Rows { axis, start, stop: (start + count).min(shape[axis]) };
        match part(array, rows)?.eval() {
            Ok(tensor) => {
                each(&tensor)?;
                start = rows.stop;
            }
            Err(error) if !matches!(error.kind(), ErrorKind::Memory { .. }) => return Err(error),
            Err(_) if count > 1 => count /= 2,
            // The failed one keeps its error, so it is made again.
            Err(_) if axis + 1 < shape.len() => {
                parts(&part(array, rows)?, bytes, each)?;
                start = rows.stop;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Some rows of an array, with all that is computed before them.
fn part(array: &Array, rows: Rows) -> Result<Array, Error> {
    let mut narrower = Narrower::default();
    let part = narrower.narrowed(array, rows)?;
    let whole: Vec<&Array> = narrower.whole.iter().filter(|array| !array.is_ready()).collect();
    if whole.is_empty() {
        return Ok(part);
    }
    let computed = evaluate::evaluate(&whole).and_then(|()| whole.iter().try_for_each(|array| array.check()));
    computed.map_err(|error| Error::new(ErrorKind::NeededWhole { error: Box::new(error) }))?;
    // Again, now that the rows of what is whole are views of it.
    Narrower::default().narrowed(array, rows)
}

/// Makes expressions with fewer rows.
#[derive(Default)]
struct Narrower {
    /// Those that were made: of which array, by its address, and which rows.
    made: HashMap<(usize, Rows), Array>,
    /// What is needed as a whole.
    whole: Vec<Array>,
}

impl Narrower {
    /// Only these rows of an array. Expressions are not deep, so this may call itself.
    fn narrowed(&mut self, array: &Array, rows: Rows) -> Result<Array, Error> {
        let key = (array.node().address(), rows);
        if let Some(made) = self.made.get(&key) {
            return Ok(made.clone());
        }
        let expression = match array.node().value() {
            Some(_) => None,
            None => array.node().expression().clone(),
        };
        let made = match expression {
            Some(expression) => self.with_rows(array, &expression, rows)?,
            // It is there, or somebody computed it meanwhile.
            None => cut(array, rows),
        };
        made.check()?;
        self.made.insert(key, made.clone());
        Ok(made)
    }

    fn with_rows(&mut self, array: &Array, expression: &Expression, rows: Rows) -> Result<Array, Error> {
        let Rows { axis, start, stop } = rows;
        let arguments = &expression.arguments;
        let mut shape: Extents = array.node().shape().into();
        let extent = shape[axis];
        shape[axis] = stop - start;
        let mut form = expression.form.clone();
        let mut narrow = arguments.clone();
        match &expression.form {
            Form::Apply(_, read) => {
                for (place, argument) in arguments.iter().enumerate() {
                    let own = read.as_ref().map_or(Some(axis), |read| read[place][axis]);
                    narrow[place] = self.along(argument, own, rows)?;
                }
            }
            Form::Convert(_) => narrow[0] = self.along(&arguments[0], Some(axis), rows)?,
            Form::Read(axes) => {
                let argument = self.along(&arguments[0], axes[axis], rows)?;
                return Ok(argument.laid(shape, axes.clone()));
            }
            Form::Reduce(_, folded) if !folded.contains(&axis) => {
                narrow[0] = self.along(&arguments[0], Some(axis), rows)?;
            }
            Form::View(layout) => {
                let Some((layout, argument)) = self.view(layout, &arguments[0], extent, rows)? else {
                    return Ok(self.cut_whole(array, rows));
                };
                form = Form::View(layout);
                narrow[0] = argument;
            }
            Form::Reduce(..) | Form::Update(..) | Form::Call(_) => return Ok(self.cut_whole(array, rows)),
        }
        Ok(Array::lazy(shape, array.node().dtype(), Expression { form, arguments: narrow }))
    }

    /// The rows of an argument along its own axis, or all of it if the rows of the result do not walk along it.
    fn along(&mut self, argument: &Array, own: Option<usize>, rows: Rows) -> Result<Array, Error> {
        match own {
            Some(axis) => self.narrowed(argument, Rows { axis, ..rows }),
            None => {
                self.whole.push(argument.clone());
                Ok(argument.clone())
            }
        }
    }

    /// A view with fewer rows, of those rows of the argument that it reaches; none if a few rows reach all of them.
    fn view(
        &mut self,
        layout: &Layout,
        argument: &Array,
        extent: usize,
        rows: Rows,
    ) -> Result<Option<(Layout, Array)>, Error> {
        let layout = layout.select(&along(rows.axis, Some(place(rows.start)), Some(place(rows.stop))))?;
        let own = argument.node().shape();
        let Some(axis) = own.iter().position(|&extent| extent != 1) else { return Ok(None) };
        let row: usize = own[axis + 1..].iter().product();
        let reach = layout.reach();
        if row == 0 || reach.is_empty() {
            return Ok(None);
        }
        let (start, stop) = (reach.start / row, reach.end.div_ceil(row));
        if stop - start == own[axis] && rows.stop - rows.start < extent {
            return Ok(None);
        }
        let elements = (stop - start) * row;
        let offset = layout.offset() - start * row;
        let Some(layout) = Layout::strided(layout.shape(), layout.strides(), offset, elements) else {
            return Ok(None);
        };
        let argument = self.narrowed(argument, Rows { axis, start, stop })?;
        Ok(Some((layout, argument)))
    }

    /// Some rows of what is computed whole.
    fn cut_whole(&mut self, array: &Array, rows: Rows) -> Array {
        self.whole.push(array.clone());
        cut(array, rows)
    }
}

/// A place on an axis as an index has it.
fn place(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn cut(array: &Array, rows: Rows) -> Array {
    array.between(rows.axis, place(rows.start), place(rows.stop))
}
