//! What an index with arrays selects: elements one by one.
//!
//! Integers and arrays of integers are broadcast together, and a mask is the numbers of its elements that are true. Each has
//! its axes, and the axes that are left are what the basic parts select of them. So what is selected is runs: one for each
//! number, of the elements along the axes that are left.

use ndcast::shape::rule::array_api;
use ndcast::shape::{Index, Kind};
use ndcast::{Array, DType, Error, Layout, Number, Operand};
use pyo3::prelude::*;

use crate::error::{self, exception};
use crate::index::{Key, Part, Wrong, checked, taken};

/// What can be wrong with an index of arrays.
pub(crate) enum Failure {
    Library(Error),
    /// A mask of another shape than the axes it lies on.
    Mask {
        mask: Vec<usize>,
        shape: Vec<usize>,
    },
    /// A number that is not there.
    Number {
        number: i64,
        axis: usize,
        extent: usize,
    },
    TooMany {
        found: usize,
        rank: usize,
    },
    /// Arrays that index together and do not broadcast.
    Apart {
        shapes: Vec<Vec<usize>>,
    },
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Library(error.into())
    }
}

impl Failure {
    pub(crate) fn raised(self, py: Python<'_>) -> PyErr {
        let kind = match self {
            Failure::Library(error) => return exception(py, &error),
            Failure::Mask { mask, shape } => {
                let text = format!(
                    "a mask of shape {mask:?} does not lie on the axes of an array of shape {shape:?}"
                );
                return error::own(py, "IndexingError", "mask-mismatch", &text);
            }
            Failure::Number { number, axis, extent } => {
                Kind::IndexOutOfRange { index: number, axis, extent: extent.into() }
            }
            Failure::Apart { shapes } => return error::index_shapes(py, &shapes),
            Failure::TooMany { found, rank } => Kind::TooManyIndices { found, rank },
        };
        error::of_rule(py, &kind.into())
    }
}

/// Numbers of elements along axes of what the basic parts select.
struct Along {
    numbers: Array,
    /// The axis of the array that they are on, for messages; none if they are known to be there, counted from the front.
    unknown: Option<usize>,
    /// The first of the axes, and how many there are: those of a mask are counted as one.
    first: usize,
    axes: usize,
}

impl Along {
    fn axes(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.axes
    }
}

/// What an index with arrays selects of arrays of a shape.
pub(crate) struct Picked {
    /// The basic parts, and how what they select lies in an array in order.
    basic: Vec<Index>,
    layout: Layout,
    along: Vec<Along>,
    /// The broadcast shape of the index arrays.
    together: Vec<usize>,
    /// Where in the result their axes begin.
    front: usize,
}

impl Picked {
    pub(crate) fn of(array: &Array, key: Key) -> Result<Picked, Failure> {
        let own = array.shape()?;
        if let [Part::Mask(mask)] = &key.0[..] {
            check_mask(mask, own)?;
        }
        let takes = |part: &Part| match part {
            Part::Basic(Index::At(_) | Index::Slice { .. }) | Part::Numbers(_) => 1,
            Part::Basic(_) => 0,
            Part::Mask(mask) => mask.rank().unwrap_or(0),
        };
        let (found, rank) = (key.0.iter().map(takes).sum(), own.len());
        let rest = rank.checked_sub(found).ok_or(Failure::TooMany { found, rank })?;
        let has_ellipsis = key.0.iter().any(|part| matches!(part, Part::Basic(Index::Ellipsis)));
        let mut parts = key.0;
        if !has_ellipsis {
            parts.push(Part::Basic(Index::Ellipsis));
        }
        let mut reading = Reading::default();
        for (place, part) in parts.into_iter().enumerate() {
            reading.part(own, place, part, rest)?;
        }
        let Reading { basic, arrays, places, before, .. } = reading;
        let layout = Layout::row_major(own).map_err(Error::from)?.select(&basic)?;
        let along = arrays;
        let shapes = along.iter().map(|along| along.numbers.shape()).collect::<Result<Vec<_>, _>>()?;
        let apart = |_| Failure::Apart { shapes: shapes.iter().map(|shape| shape.to_vec()).collect() };
        let together = array_api::join(&shapes).map_err(apart)?.shape().to_vec();
        // Neighbours' axes stand where they stood, others in front.
        let neighbours = places.windows(2).all(|pair| pair[1] <= pair[0] + 1);
        let front = if neighbours { before.first().copied().unwrap_or(0) } else { 0 };
        Ok(Picked { basic, layout, along, together, front })
    }

    /// The axes that no array is on.
    fn others(&self) -> Vec<usize> {
        let is_taken = |axis: &usize| self.along.iter().any(|along| along.axes().contains(axis));
        (0..self.layout.rank()).filter(|axis| !is_taken(axis)).collect()
    }

    /// The order of the result's axes, of which those of the numbers come first where it is made.
    fn order(&self) -> Vec<usize> {
        self.order_of(self.front, self.others().len())
    }

    /// As `order`, with `front` of `others` remaining axes before the axes of the index arrays.
    fn order_of(&self, front: usize, others: usize) -> Vec<usize> {
        let (new, all) = (self.together.len(), self.together.len() + others);
        (new..new + front).chain(0..new).chain(new + front..all).collect()
    }

    /// The result's shape before its axes are in order.
    fn unordered(&self) -> Vec<usize> {
        let others = self.others().into_iter().map(|axis| self.layout.shape()[axis]);
        self.together.iter().copied().chain(others).collect()
    }

    /// The shape of what is selected.
    pub(crate) fn shape(&self) -> Vec<usize> {
        let shape = self.unordered();
        self.order().into_iter().map(|axis| shape[axis]).collect()
    }

    /// The same with numbers that are all there.
    pub(crate) fn known(mut self) -> Result<Picked, Failure> {
        for along in &mut self.along {
            if let Some(axis) = along.unknown.take() {
                along.numbers = known(&along.numbers, axis, self.layout.shape()[along.first])?;
            }
        }
        Ok(self)
    }

    /// What is selected.
    fn get(&self, array: &Array) -> Array {
        // The axes of a mask as one.
        let shape = self.layout.shape();
        let (mut merged, mut axes, mut next) = (vec![], vec![], 0);
        while next < shape.len() {
            let along = self.along.iter().position(|along| along.first == next);
            let end = along.map_or(next + 1, |along| self.along[along].axes().end);
            axes.extend(along.map(|along| (merged.len(), &self.along[along].numbers)));
            merged.push(shape[next..end].iter().product());
            next = end;
        }
        let lines = array.select(&self.basic);
        let lines = if merged.len() < shape.len() { lines.reshape(&merged) } else { lines };
        lines.take_together(&axes).transpose(&self.order())
    }

    /// Puts a value into what is selected.
    pub(crate) fn put(&self, array: &mut Array, value: Operand) -> Result<(), Failure> {
        // The last axes that are left and lie one behind the other are runs; what is around them says where each begins.
        let (shape, strides) = (self.layout.shape(), self.layout.strides());
        let (mut others, mut run) = (self.others(), 1usize);
        while let Some(&axis) = others.last()
            && (shape[axis] == 1 || strides[axis] == run.cast_signed())
        {
            run *= shape[axis];
            others.pop();
        }
        // In the order of memory: the axes in front of the numbers, unless they are in the runs, and then the numbers.
        let front = if others.len() < self.front { 0 } else { self.front };
        let order = self.order_of(front, others.len());
        let is_in_order = order.is_sorted();
        // What changes nothing is not done: of a few numbers each step takes as long as all of them.
        let laid = |term: Array, own: &[usize], step: i64| -> Result<Array, Error> {
            let mut term = if step == 1 { term } else { term * step };
            if term.shape()? != own {
                term = term.reshape(own);
            }
            Ok(if is_in_order { term } else { term.transpose(&order) })
        };
        let whole = |number: isize| i64::try_from(number).unwrap_or(i64::MAX);
        let (new, mut terms) = (self.together.len(), vec![]);
        for along in &self.along {
            // Axes that are counted as one are all of the array's own.
            let stride = along.axes().rfind(|&axis| shape[axis] > 1).map_or(0, |axis| strides[axis]);
            let numbers = along.numbers.shape()?;
            let own = [&vec![1; new - numbers.len()], numbers, &vec![1; others.len()]].concat();
            terms.push(laid(along.numbers.clone(), &own, whole(stride))?);
        }
        for (place, &axis) in others.iter().enumerate() {
            let mut own = vec![1; order.len()];
            own[new + place] = shape[axis];
            terms.push(laid(Array::iota(shape[axis], DType::I64), &own, whole(strides[axis]))?);
        }
        let first = whole(self.layout.offset().cast_signed());
        let starts = terms.into_iter().reduce(|starts, term| starts + term);
        let starts = match starts {
            Some(starts) if first == 0 => starts,
            Some(starts) => starts + first,
            None => Array::scalar(first),
        };
        let count = starts.shape()?.iter().product();
        let value = match value {
            Operand::Array(value) => {
                let shape = self.shape();
                array_api::in_place(&shape, value.shape()?)?;
                let made = self.order();
                let mut back = vec![0; made.len()];
                made.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
                let order: Vec<usize> =
                    self.order_of(front, self.others().len()).iter().map(|&axis| back[axis]).collect();
                let value = value.broadcast_to(&shape).transpose(&order);
                Operand::Array(value.reshape(&[count, run]))
            }
            number @ Operand::Number(_) => number,
        };
        Ok(array.put_runs(&starts, run, value)?)
    }
}

/// `x[key]`.
pub(crate) fn get(array: &Array, key: Key) -> Result<Array, Failure> {
    // Most such indices are one array, of rows or of all elements.
    let selected = match (&key.0[..], array.shape()?) {
        ([Part::Numbers(numbers)], &[extent, ..]) => match taken(array, [numbers], || array.take(numbers, 0))
        {
            Some(rows) => rows,
            None => array.take(&known(numbers, 0, extent)?, 0),
        },
        ([Part::Mask(mask)], own) if mask.shape()? == own && !own.is_empty() => {
            let numbers = mask.nonzero_numbers()?;
            let all = own.iter().product();
            array.reshape(&[all]).take(&Array::new(&[numbers.len()], &numbers), 0)
        }
        _ => match along_one(array, &key)? {
            Some(rows) => rows,
            None => {
                let picked = Picked::of(array, key)?;
                let numbers = || picked.along.iter().map(|along| &along.numbers);
                // Where nothing is selected nothing looks at the numbers.
                let is_some = !picked.together.contains(&0);
                match is_some.then(|| taken(array, numbers(), || picked.get(array))).flatten() {
                    Some(selected) => return Ok(selected),
                    None => picked.known()?.get(array),
                }
            }
        },
    };
    selected.check()?;
    Ok(selected)
}

/// What an index with one array of numbers selects, beside slices alone: what they select, along one axis of it.
fn along_one(array: &Array, key: &Key) -> Result<Option<Array>, Failure> {
    let (mut basic, mut along) = (Vec::with_capacity(key.0.len() + 1), None);
    for part in &key.0 {
        basic.push(match part {
            Part::Basic(index @ (Index::Slice { .. } | Index::Ellipsis)) => *index,
            Part::Numbers(numbers) if along.is_none() => {
                along = Some((numbers, basic.len()));
                Index::WHOLE
            }
            _ => return Ok(None),
        });
    }
    let (rank, count) = (array.rank()?, basic.len());
    let is_ellipsis = |index: &Index| *index == Index::Ellipsis;
    let ellipses = basic.iter().filter(|index| is_ellipsis(index)).count();
    let Some((numbers, place)) = along.filter(|_| ellipses <= 1 && count - ellipses <= rank) else {
        return Ok(None);
    };
    // Behind an ellipsis the axes are counted from the end.
    let axis = if basic[..place].iter().any(is_ellipsis) { rank - (count - place) } else { place };
    let extent = array.shape()?[axis];
    let is_whole = |index: &Index| is_ellipsis(index) || *index == Index::WHOLE;
    let lines = if basic.iter().all(is_whole) { array.clone() } else { array.select(&basic) };
    if let Some(rows) = taken(&lines, [numbers], || lines.take(numbers, axis)) {
        return Ok(Some(rows));
    }
    Ok(Some(lines.take(&known(numbers, axis, extent)?, axis)))
}

/// Rows of an array: where each begins among its elements, and how many these are.
pub(crate) struct Rows {
    starts: Array,
    run: usize,
}

impl Rows {
    /// What an index selects, if it is one array of numbers.
    pub(crate) fn of(array: &Array, key: &Key) -> Result<Option<Rows>, Failure> {
        let ([Part::Numbers(numbers)], &[extent, ref row @ ..]) = (&key.0[..], array.shape()?) else {
            return Ok(None);
        };
        let run: usize = row.iter().product();
        let starts = known(numbers, 0, extent)? * i64::try_from(run).unwrap_or(i64::MAX);
        Ok(Some(Rows { starts, run }))
    }

    /// Puts a number into all of them.
    pub(crate) fn put(&self, array: &mut Array, number: Number) -> Result<(), Failure> {
        Ok(array.put_runs(&self.starts, self.run, number)?)
    }
}

/// Numbers from the front of an axis, each of which is there.
fn known(numbers: &Array, axis: usize, extent: usize) -> Result<Array, Failure> {
    checked(numbers, extent).map_err(|wrong| match wrong {
        Wrong::Number(number) => Failure::Number { number, axis, extent },
        Wrong::Library(error) => Failure::Library(error),
    })
}

/// What is known after some parts of an index.
#[derive(Default)]
struct Reading {
    /// Axes of the array, and of what the basic parts select.
    axis: usize,
    out: usize,
    basic: Vec<Index>,
    arrays: Vec<Along>,
    /// Which parts the arrays are, and before how many other axes each stands.
    places: Vec<usize>,
    before: Vec<usize>,
    has_ellipsis: bool,
}

impl Reading {
    fn part(&mut self, shape: &[usize], place: usize, part: Part, rest: usize) -> Result<(), Failure> {
        match part {
            Part::Basic(Index::Ellipsis) => {
                let axes = if std::mem::replace(&mut self.has_ellipsis, true) { 0 } else { rest };
                self.basics(Index::WHOLE, axes);
            }
            Part::Basic(Index::New) => {
                self.basic.push(Index::New);
                self.out += 1;
            }
            Part::Basic(slice @ Index::Slice { .. }) => self.basics(slice, 1),
            // An integer is an array without axes here.
            Part::Basic(Index::At(number)) => self.array(place, Array::scalar(number), true, 1),
            Part::Numbers(array) => self.array(place, array, true, 1),
            Part::Mask(mask) if mask.rank()? == 0 => {
                // One more axis, of extent 1 or 0.
                let count = usize::from(mask.item::<bool>()?);
                self.basic.push(Index::New);
                self.array(place, Array::new(&[count], &vec![0i64; count]), false, 0);
            }
            Part::Mask(mask) => {
                let rank = mask.rank()?;
                check_mask(&mask, &shape[self.axis..self.axis + rank])?;
                let numbers = mask.nonzero_numbers()?;
                self.array(place, Array::new(&[numbers.len()], &numbers), false, rank);
            }
        }
        Ok(())
    }

    /// An index of so many axes.
    fn basics(&mut self, index: Index, axes: usize) {
        self.basic.extend(std::iter::repeat_n(index, axes));
        self.axis += axes;
        self.out += axes;
    }

    /// Numbers on so many axes of the array, none if they are on a new one; and whether they have to be looked at.
    fn array(&mut self, place: usize, numbers: Array, unknown: bool, axes: usize) {
        let own = axes.max(1);
        let taken: usize = self.arrays.iter().map(|along| along.axes).sum();
        self.places.push(place);
        self.before.push(self.out - taken);
        self.arrays.push(Along {
            numbers,
            unknown: unknown.then_some(self.axis),
            first: self.out,
            axes: own,
        });
        if axes == 0 {
            self.out += 1;
        } else {
            self.basics(Index::WHOLE, axes);
        }
    }
}

/// A mask lies on axes of its extents; an extent of 0 lies on any.
fn check_mask(mask: &Array, shape: &[usize]) -> Result<(), Failure> {
    let own = mask.shape()?;
    let fits =
        own.len() <= shape.len() && own.iter().zip(shape).all(|(&own, &extent)| own == extent || own == 0);
    if fits { Ok(()) } else { Err(Failure::Mask { mask: own.to_vec(), shape: shape.to_vec() }) }
}
