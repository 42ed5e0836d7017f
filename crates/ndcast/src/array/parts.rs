//! An array part by part, for one that is larger than memory.
//!
//! A part is some rows along the first axis. Its expression is the array's own, of so much of what it is made of as the part
//! needs. A part that does not fit is halved; one row that does not is taken apart along the next axis. Its elements have
//! the bits of the whole array's: all that bits depend on is the same in a part.
//!
//! Taken apart along any axis are
//! - operations element by element, conversions, broadcasts, transpositions;
//! - folds, along the axes that they keep. The form of a fold depends on how many elements lie beside each other in it, so
//!   at least as many are folded as have the same form, and of a short row all;
//! - what an index selects, flips and changes of shape; of a change of shape that goes on from row to row, what lies between
//!   the first and the last element of the part;
//! - what is changed in place where an index selects it, so also what is joined, stacked, rolled and padded, and elements put
//!   where numbers say;
//! - products of matrices, along the axes before, rows and columns; in whole blocks of both, because bits depend on these;
//! - running folds. Along their own axis a part goes on from the last row of the one before, with the same bits because they
//!   are done one step after the other. Parts that are not in this order (backwards) are led up to from a part before;
//! - rows taken by their numbers: for the rows of a part, what lies between the least and the greatest of its numbers;
//! - sorted lines and their order, and elements put along an axis, along the other axes; elements looked up in a line, and
//!   bits read as another type.
//!
//! Computed as a whole, once, before, is what every part needs all of: what is stretched over the axis that is cut, folds
//! along it, lines that are sorted along it or in which elements are looked up, what is put along it, the values that are put
//! by numbers, and what rows are taken of if it is small. If that does not fit, there is an error that says so.

mod call;
mod carried;
mod cut;
mod narrower;

use carried::{Carried, Last};
use cut::{Cut, Span};
use narrower::Narrower;

use super::{Array, Extents};
use crate::buffer::Pool;
use crate::error::{Error, ErrorKind};
use crate::tensor::Tensor;

/// A part has so many bytes at most; more at once is not faster.
const PART: usize = 64 << 20;
/// And this part of the memory that there may be: what is computed on the way needs some too.
const SHARE: usize = 8;

impl Array {
    /// Computes the array part by part, and hands each part to `each`, in row-major order, before the next is computed. The
    /// array is not kept, so it may be larger than memory.
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
        let shape = array.node().shape();
        match shape.iter().position(|&extent| extent != 1) {
            Some(axis) if !shape.contains(&0) => {
                let walk = &mut Walk::new(&array, PART.min(room / SHARE), each);
                walk.along(axis, &Cut::none(shape.len()))
            }
            _ => each(&array.eval()?),
        }
    }
}

/// The walk over an array, part by part.
struct Walk<'w> {
    array: &'w Array,
    /// The bytes that a part has at most.
    bytes: usize,
    /// How many rows of each axis a part has; 0 if one does not fit.
    counts: Extents,
    /// Whether parts were aligned to blocks already (see [`Part::together`]).
    grouped: bool,
    carried: Carried,
    each: &'w mut dyn FnMut(&Tensor) -> Result<(), Error>,
}

impl<'w> Walk<'w> {
    fn new(
        array: &'w Array,
        bytes: usize,
        each: &'w mut dyn FnMut(&Tensor) -> Result<(), Error>,
    ) -> Walk<'w> {
        let shape = array.node().shape();
        let mut row = array.node().dtype().size().unwrap_or(1);
        let mut counts: Extents = shape.into();
        for (count, &extent) in counts.iter_mut().zip(shape).rev() {
            *count = (bytes / row.max(1)).clamp(1, extent.max(1));
            row = row.saturating_mul(extent);
        }
        Walk { array, bytes, counts, grouped: false, carried: Carried::default(), each }
    }

    /// The parts along an axis, of what a cut of the axes before it leaves.
    fn along(&mut self, axis: usize, outer: &Cut) -> Result<(), Error> {
        let shape = self.array.node().shape();
        let next = (axis + 1..shape.len()).find(|&axis| shape[axis] != 1);
        let mut cut = outer.clone();
        let mut start = 0;
        while start < shape[axis] {
            let count = self.counts[axis];
            let stop = (start + count.max(1)).min(shape[axis]);
            cut.0[axis] = Some(Span { start, stop });
            if let (0, Some(next)) = (count, next) {
                self.along(next, &cut)?;
                start = stop;
                continue;
            }
            match self.computed(axis, &cut) {
                Ok(Some(tensor)) => {
                    (self.each)(&tensor)?;
                    start = stop;
                }
                Ok(None) => {}
                Err(error) if !matches!(error.kind(), ErrorKind::Memory { .. }) => return Err(error),
                Err(_) if count > 1 || next.is_some() => self.counts[axis] = count / 2,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// A part; none if another number of rows is better.
    fn computed(&mut self, axis: usize, cut: &Cut) -> Result<Option<Tensor>, Error> {
        let part = part(self.array, cut, self.bytes, &mut self.carried)?;
        // Only once: if so many do not fit, it is fewer.
        if let (Some(together), false) = (part.together, self.grouped) {
            self.grouped = true;
            let count = self.counts[axis];
            let whole =
                if count < together && count > together / 4 { together } else { count - count % together };
            if whole != count && whole > 0 {
                self.counts[axis] = whole;
                return Ok(None);
            }
        }
        let mut roots = vec![&part.array];
        roots.extend(part.lasts.iter().map(|last| &last.row));
        super::eval(&roots)?;
        let tensor = part.array.eval()?;
        self.carried.keep(part.lasts);
        Ok(Some(tensor))
    }
}

/// A part that is still to be computed.
struct Part {
    array: Array,
    /// The last rows of running folds, from which the next part goes on.
    lasts: Vec<Last>,
    /// The rows of a block, which are computed together in any case.
    together: Option<usize>,
}

/// A part of an array of so many bytes at most, with all that is computed before it.
fn part(array: &Array, cut: &Cut, bytes: usize, carried: &mut Carried) -> Result<Part, Error> {
    loop {
        let mut narrower = Narrower::new(carried, bytes);
        let part = narrower.narrowed(array, cut)?;
        let Narrower { whole, lasts, together, .. } = narrower;
        let whole: Vec<&Array> = whole.iter().filter(|array| !array.is_ready()).collect();
        if whole.is_empty() {
            return Ok(Part { array: part, lasts, together });
        }
        // Once more, now that what is cut of it is a view.
        super::eval(&whole).map_err(|error| match error.kind() {
            ErrorKind::Memory { .. } => Error::new(ErrorKind::NeededWhole { error: Box::new(error) }),
            _ => error,
        })?;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test says what must hold")]

    use super::*;
    use crate::array::{Direction, Keep, Side};
    use crate::dtype::DType;
    use crate::op::Op;
    use crate::reduction::Reduction;

    /// Numbers that are all a little different, not computed yet.
    fn numbers(shape: &[usize]) -> Array {
        let count: usize = shape.iter().product();
        ((Array::iota(count, DType::F64) * 0.618_034).remainder(1.0) - 0.37).reshape(shape) * 3.0
    }

    /// Places on an axis, in no order, some counted from the end.
    fn places(shape: &[usize], extent: usize) -> Array {
        let count: usize = shape.iter().product();
        let extent = i64::try_from(extent).unwrap();
        (Array::iota(count, DType::I64) * 7919).remainder(2 * extent).reshape(shape) - extent
    }

    fn index(text: &str) -> Vec<ndcast_shape::Index> {
        ndcast_shape::parse_index(text).unwrap()
    }

    type Form = fn([usize; 3]) -> Array;

    /// An array of rank 3 of each form; the extents are 2 at least.
    const FORMS: &[(&str, Form)] = &[
        ("elementwise", |s| numbers(&s).exp() * numbers(&[s[1], 1]) + numbers(&s[2..])),
        ("transposed", |[a, b, c]| numbers(&[c, a, b]).transpose(&[1, 2, 0]) + 1.0),
        ("selected", |[a, b, c]| {
            numbers(&[a * 2, b + 3, c * 3 + 2]).select(&index("::2, :2:-1, 2::3")).exp()
        }),
        ("selected once more", |[a, b, c]| numbers(&[a, 4, b, c]).exp().select(&index("::-1, 2")) + 1.0),
        ("reshaped", |[a, b, c]| numbers(&[a * b, c]).exp().reshape(&[a, b, c]) + 1.0),
        ("reshaped across", |[a, b, c]| numbers(&[c, a, b]).exp().reshape(&[a, b, c]) + 1.0),
        ("fold along the first", |[a, b, c]| numbers(&[40, a, b, c]).sum([0], Keep::Nothing)),
        ("fold along the middle", |[a, b, c]| numbers(&[a, b, 3, c, 50]).sum([2, 4], Keep::Nothing)),
        ("fold along the second", |[a, b, c]| numbers(&[a, 70, b, c]).sum([1], Keep::Nothing)),
        ("joined with nothing", |s| Array::concatenate(&[&numbers(&[0, s[1], s[2]]), &numbers(&s).exp()], 0)),
        ("short fold", |[a, b, c]| numbers(&[a, 7, b, c]).sum([1], Keep::Nothing)),
        ("place of the greatest", |[a, b, c]| numbers(&[a, b, 33, c]).argmax(2, Keep::Nothing)),
        ("fold of a fold", |s| {
            numbers(&s) - numbers(&s).mean([1], Keep::Axes) / numbers(&s).std([0, 2], 0.0, Keep::Axes)
        }),
        ("joined first", |s| {
            Array::concatenate(&[&numbers(&[1, s[1], s[2]]), &numbers(&[s[0] - 1, s[1], s[2]]).exp()], 0)
        }),
        ("joined in the middle", |s| {
            Array::concatenate(&[&numbers(&[s[0], s[1] - 1, s[2]]).exp(), &numbers(&[s[0], 1, s[2]])], 1)
                * 2.0
        }),
        ("joined last", |s| {
            Array::concatenate(&[&numbers(&s), &numbers(&[s[0], s[1], 1]), &numbers(&s).cos()], 2)
        }),
        ("stacked", |s| Array::stack(&[&numbers(&s[1..]), &numbers(&s[1..]).exp(), &numbers(&s[1..])], 1)),
        ("rolled", |s| numbers(&s).exp().roll(3, 0).roll(-1, 2)),
        ("padded", |s| numbers(&s).exp().pad(&[(1, 2), (0, 3), (2, 0)], 7)),
        ("tiled", |s| numbers(&s).exp().tile(&[2, 1, 2])),
        ("repeated", |s| numbers(&s).exp().repeat(2, 1)),
        ("flipped", |s| numbers(&s).exp().flip([0, 2])),
        ("one-hot", |[a, b, c]| places(&[a, b], c).one_hot(c, 2, -1, DType::F32)),
        ("changed", |s| {
            let mut x = numbers(&s).exp();
            x.set(&index("1:, ::-2, 1"), numbers(&[s[1].div_ceil(2)]).cos());
            x.update(Op::Multiply, crate::array::Place::At(&index("0")), numbers(&s[1..]));
            x.set(&index("..., 0"), 9.5);
            x
        }),
        ("changed in places", |s| {
            let last = s[0] * s[1] * s[2] - 1;
            numbers(&s).exp().put(&[last, 0, last / 2, last / 3, 0], numbers(&[5]).cos())
        }),
        ("sorted first", |s| numbers(&s).sort(0, Direction::Descending) + 1.0),
        ("sorted in the middle", |s| numbers(&s).sort(1, Direction::Ascending)),
        ("order along the last", |s| numbers(&s).argsort(2, Direction::Ascending)),
        ("looked up", |s| {
            numbers(&[17]).sort(0, Direction::Ascending).search_sorted(&numbers(&s), Side::Right)
        }),
        ("found", |s| (numbers(&s) * 10.0).floor().is_in(&Array::new(&[3], &[1.0, 4.0, 7.0]))),
        ("running sum first", |s| numbers(&s).cumulative_sum(0) * 2.0),
        ("running sum in the middle", |s| numbers(&s).cumulative_sum(1)),
        ("running product last", |s| numbers(&s).cumulative_prod(2) + 1.0),
        ("running sum backwards", |s| numbers(&s).flip([0]).cumulative_sum(0).flip([0])),
        ("part of a running sum", |s| {
            numbers(&[s[0] * 3 + 5, s[1], s[2]]).cumulative_sum(0).select(&index("5::3")) + 1.0
        }),
        ("running sums", |s| numbers(&s).cumulative_sum(0).cumulative_sum(1).accumulate(Reduction::Max, 0)),
        ("running sum of halves", |s| numbers(&s).convert(DType::F16).cumulative_sum(0)),
        ("running sum of a line", |[a, b, c]| numbers(&[a * b * c]).cumulative_sum(0).reshape(&[a, b, c])),
        ("taken first", |s| numbers(&[9, s[1], s[2]]).exp().take(&places(&[s[0]], 9), 0)),
        ("taken in the middle", |s| numbers(&[s[0], 9, s[2]]).exp().take(&places(&[s[1]], 9), 1)),
        ("taken by a matrix", |[a, b, c]| numbers(&[9, c]).exp().take(&places(&[a, b], 9), 0)),
        ("taken along the first", |s| numbers(&[9, s[1], s[2]]).exp().take_along_axis(&places(&s, 9), 0)),
        ("taken along the last", |s| numbers(&[s[0], s[1], 9]).exp().take_along_axis(&places(&s, 9), 2)),
        ("put along the middle", |s| {
            let at = [s[0], 3, s[2]];
            numbers(&s).put_along_axis(&places(&at, s[1]), numbers(&at).exp(), 1, Some(Op::Add))
        }),
        ("bits, narrower", |[a, b, c]| numbers(&[a, b, c]).bitcast(DType::U16).reshape(&[a, b, c * 4])),
        ("bits, wider", |[a, b, c]| numbers(&[a, b, c, 2]).convert(DType::F32).bitcast(DType::U64)),
        ("product of matrices", |[a, b, c]| numbers(&[a, b, 40]).matmul(&numbers(&[40, c]).exp())),
        ("deep product", |[a, b, c]| numbers(&[a, b, 1500]).matmul(&numbers(&[a, 1500, c]))),
        ("product of transposed ones", |[a, b, c]| {
            let x = numbers(&[70, b]).transpose(&[1, 0]).exp();
            x.matmul(&numbers(&[a, c, 70]).transpose(&[0, 2, 1]).cos())
        }),
        ("product of several blocks", |[a, b, _]| numbers(&[a, b, 300]).matmul(&numbers(&[300, 513]).exp())),
        ("product with a row left over", |[a, b, _]| {
            let x = numbers(&[70, 129]).transpose(&[1, 0]).exp();
            x.matmul(&numbers(&[a, b + 513, 70]).cos().transpose(&[0, 2, 1]))
        }),
        ("product with a vector", |[a, b, c]| numbers(&[a, b, c, 600]).matmul(&numbers(&[600]).exp())),
        ("product of integers", |[a, b, c]| places(&[a, b, 5], 9).matmul(&places(&[5, c], 11))),
        ("outer product", |[a, b, c]| numbers(&[a * b]).outer(&numbers(&[c])).reshape(&[a, b, c])),
        ("triangle", |s| numbers(&s).exp().lower_triangle(1)),
        ("differences", |s| numbers(&[s[0] + 1, s[1], s[2]]).exp().diff(0)),
    ];

    fn bytes(array: &Array) -> Vec<u8> {
        array.copy().eval().unwrap().as_bytes().unwrap().to_vec()
    }

    /// Random numbers below a limit.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((self.0 >> 33) % limit as u64).unwrap()
        }
    }

    #[test]
    fn any_part_of_any_form() {
        let mut random = Random(7);
        let shapes = [[5, 4, 6], [2, 9, 3], [2, 3, 300], [3, 140, 2]];
        for (name, form) in FORMS {
            for shape in
                shapes.into_iter().chain([[2 + random.below(7), 2 + random.below(9), 2 + random.below(5)]])
            {
                let whole = form(shape);
                let expected = Array::from(whole.copy().eval().unwrap());
                for _ in 0..6 {
                    let mut cut = Cut::none(3);
                    for (span, &extent) in cut.0.iter_mut().zip(expected.shape().unwrap()) {
                        if random.below(3) > 0 {
                            let start = random.below(extent);
                            *span = Some(Span { start, stop: start + 1 + random.below(extent - start) });
                        }
                    }
                    let array = form(shape);
                    let part = part(&array, &cut, 1 << random.below(16), &mut Carried::default()).unwrap();
                    let same = bytes(&part.array) == bytes(&cut.of(&expected, &Cut::none(3)));
                    assert!(same, "{name} of {shape:?}: {cut:?}");
                }
            }
        }
    }

    /// Another thread may compute all of a running fold while its parts are asked for.
    #[test]
    fn the_row_before_is_taken_of_what_is_computed_by_now() {
        let array = numbers(&[6, 4]).exp().cumulative_sum(0);
        array.eval().unwrap();
        for others in [Cut::none(2), Cut(smallvec::smallvec![None, Some(Span { start: 1, stop: 3 })])] {
            let fold = carried::Fold { array: array.clone(), axis: 0, others: others.clone() };
            let row = Carried::default().before(&fold, Span { start: 3, stop: 5 }, 1 << 10).unwrap();
            assert_eq!(bytes(&row), bytes(&others.of(&array.select(&index("2:3")), &Cut::none(2))));
        }
    }

    #[test]
    fn parts_along_any_axis() {
        for (name, form) in FORMS {
            for shape in [[5, 4, 6], [2, 2, 17]] {
                let expected = Array::from(form(shape).copy().eval().unwrap());
                let own = expected.shape().unwrap();
                // Of products in many blocks each row is a whole block.
                if own.iter().product::<usize>() > 2000 {
                    continue;
                }
                for axis in 0..3 {
                    // Along the others in one go, so each part is a few rows along this one.
                    let array = form(shape);
                    let mut order = vec![axis];
                    order.extend((0..3).filter(|&other| other != axis));
                    let array = array.transpose(&order);
                    let row =
                        own.iter().product::<usize>() / own[axis] * array.node().dtype().size().unwrap();
                    for most in [1, row, 2 * row + 1, 1 << 20] {
                        let (mut found, mut count) = (vec![], 0);
                        let mut each = |part: &Tensor| {
                            found.extend(bytes(&Array::from(part.clone())));
                            count += 1;
                            Ok(())
                        };
                        let mut walk = Walk::new(&array, most, &mut each);
                        if most == 1 {
                            // As if one row did not fit.
                            walk.counts[0] = 0;
                        }
                        walk.along(0, &Cut::none(3)).unwrap();
                        let same = found == bytes(&expected.transpose(&order));
                        assert!(same, "{name} of {shape:?} along {axis}, {most} bytes");
                        assert!(count > 1 || most > row || name.contains("product"), "{name} along {axis}");
                    }
                }
            }
        }
    }
}
