//! The oracle: a shape, and the elements in order. Every operation is an index loop straight from its definition.

use ndcast::promote::promote;
use ndcast::reduction::Reduction;
use ndcast::shape::{Index, oracle};
use ndcast::{Array, DType, Keep, Op};

use super::bits::{Value, array, elements, same, value, wrapped};

/// An array as a list.
#[derive(Clone, Debug)]
pub struct Listed {
    pub shape: Vec<usize>,
    pub dtype: DType,
    pub elements: Vec<u128>,
}

/// Calls `each` with all coordinates of a shape, the last axis fastest.
pub fn coordinates(shape: &[usize], mut each: impl FnMut(&[usize])) {
    if shape.contains(&0) {
        return;
    }
    let mut at = vec![0; shape.len()];
    loop {
        each(&at);
        let Some(axis) = (0..shape.len()).rev().find(|&axis| at[axis] + 1 < shape[axis]) else { return };
        at[axis] += 1;
        at[axis + 1..].fill(0);
    }
}

/// The place of a coordinate in the list.
pub fn place(shape: &[usize], at: &[usize]) -> usize {
    at.iter().zip(shape).fold(0, |place, (&at, &extent)| place * extent + at)
}

/// What `start:stop:step` takes of an axis, as Python's definition has it.
fn taken(extent: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Vec<usize> {
    let extent = i64::try_from(extent).unwrap();
    // Going backwards, the place before the first element is an end too.
    let (lowest, highest) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
    let clip = |end: i64| (if end < 0 { end + extent } else { end }).clamp(lowest, highest);
    let (first, last) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (mut at, stop) = (start.map_or(first, clip), stop.map_or(last, clip));
    let mut taken = vec![];
    while (step > 0 && at < stop) || (step < 0 && at > stop) {
        taken.push(usize::try_from(at).unwrap());
        at += step;
    }
    taken
}

/// The shape that an index selects, and the places of its elements.
pub fn places(shape: &[usize], index: &[Index]) -> (Vec<usize>, Vec<usize>) {
    let used = index.iter().filter(|part| matches!(part, Index::At(_) | Index::Slice { .. })).count();
    let mut full: Vec<Index> = index.to_vec();
    let rest = vec![Index::WHOLE; shape.len() - used];
    match full.iter().position(|part| *part == Index::Ellipsis) {
        Some(at) => drop(full.splice(at..=at, rest)),
        None => full.extend(rest),
    }
    let (mut axis, mut chosen, mut kept) = (0, vec![], vec![]);
    for part in full {
        match part {
            Index::New => kept.push((None, 1)),
            Index::Ellipsis => {}
            Index::At(i) => {
                let extent = i64::try_from(shape[axis]).unwrap();
                chosen.push(vec![usize::try_from(if i < 0 { i + extent } else { i }).unwrap()]);
                axis += 1;
            }
            Index::Slice { start, stop, step } => {
                chosen.push(taken(shape[axis], start, stop, step.get()));
                kept.push((Some(axis), chosen[axis].len()));
                axis += 1;
            }
        }
    }
    let selected: Vec<usize> = kept.iter().map(|&(_, extent)| extent).collect();
    let mut places = vec![];
    let mut own: Vec<usize> = chosen.iter().map(|chosen| chosen.first().copied().unwrap_or(0)).collect();
    coordinates(&selected, |at| {
        for (&(axis, _), &at) in kept.iter().zip(at) {
            if let Some(axis) = axis {
                own[axis] = chosen[axis][at];
            }
        }
        places.push(place(shape, &own));
    });
    (selected, places)
}

impl Listed {
    pub fn of(array: &Array) -> Listed {
        let tensor = array.eval().unwrap();
        Listed { shape: tensor.shape().to_vec(), dtype: tensor.dtype(), elements: elements(&tensor) }
    }

    /// A ready array of these elements, one behind the other.
    pub fn array(&self) -> Array {
        array(&self.shape, self.dtype, &self.elements)
    }

    pub fn at(&self, at: &[usize]) -> u128 {
        self.elements[place(&self.shape, at)]
    }

    /// The list of another shape that has at each coordinate the element at another one here.
    pub fn read(&self, shape: Vec<usize>, from: impl Fn(&[usize], &mut [usize])) -> Listed {
        let mut elements = vec![];
        let mut own = vec![0; self.shape.len()];
        coordinates(&shape, |at| {
            from(at, &mut own);
            elements.push(self.at(&own));
        });
        Listed { shape, dtype: self.dtype, elements }
    }

    /// The first way in which it is not the other one.
    pub fn difference(&self, other: &Listed) -> Option<String> {
        if (&self.shape, self.dtype) != (&other.shape, other.dtype) {
            return Some(format!("{:?} {} and {:?} {}", self.shape, self.dtype, other.shape, other.dtype));
        }
        let mut pairs = self.elements.iter().zip(&other.elements);
        let at = pairs.position(|(&a, &b)| !same(self.dtype, a, b))?;
        let [a, b] = [self, other].map(|listed| value(self.dtype, listed.elements[at]));
        Some(format!("element {at} of {:?} {}: {a:?} and {b:?}", self.shape, self.dtype))
    }

    pub fn convert(&self, dtype: DType) -> Listed {
        let flat = array(&[self.elements.len()], self.dtype, &self.elements).convert(dtype);
        Listed { shape: self.shape.clone(), dtype, elements: elements(&flat.eval().unwrap()) }
    }

    pub fn broadcast_to(&self, shape: &[usize]) -> Listed {
        let own = &self.shape;
        self.read(shape.to_vec(), |at, from| {
            let at = &at[at.len() - own.len()..];
            for ((from, &at), &extent) in from.iter_mut().zip(at).zip(own) {
                *from = if extent == 1 { 0 } else { at };
            }
        })
    }

    /// An operation, by the elements that meet, each list flat; the values are the business of other tests.
    pub fn apply(op: Op, arguments: &[&Listed]) -> Listed {
        let own = usize::from(op == Op::Where);
        let mut dtype = arguments[own].dtype;
        let mut shape = vec![];
        for (number, argument) in arguments.iter().enumerate() {
            shape = oracle::join(&shape, &argument.shape).unwrap();
            if number >= own {
                dtype = promote(dtype, argument.dtype).unwrap();
            }
        }
        let flat = |(number, argument): (usize, &&Listed)| {
            let stretched = argument.broadcast_to(&shape);
            let dtype = if number < own { DType::Bool } else { dtype };
            let converted = if argument.dtype == dtype { stretched } else { stretched.convert(dtype) };
            array(&[converted.elements.len()], dtype, &converted.elements).into()
        };
        let operands: Vec<_> = arguments.iter().enumerate().map(flat).collect();
        let result = Array::apply(op, &operands).eval().unwrap();
        Listed { shape, dtype: result.dtype(), elements: elements(&result) }
    }

    /// The elements at these places replaced, by an operation on them if there is one.
    pub fn update(&self, (shape, places): &(Vec<usize>, Vec<usize>), op: Option<Op>, by: &Listed) -> Listed {
        let mut value = by.broadcast_to(shape);
        if value.dtype != self.dtype {
            value = value.convert(self.dtype);
        }
        let old = places.iter().map(|&place| self.elements[place]).collect();
        let old = Listed { shape: shape.clone(), dtype: self.dtype, elements: old };
        let new = op.map_or(value.clone(), |op| Listed::apply(op, &[&old, &value]));
        let mut updated = self.clone();
        for (&place, &element) in places.iter().zip(&new.elements) {
            updated.elements[place] = element;
        }
        updated
    }

    /// What is folded into each element of the result: its shape with the axes kept, and the elements.
    pub fn folds(&self, axes: &[usize]) -> (Vec<usize>, Vec<Vec<u128>>) {
        let mut shape = self.shape.clone();
        axes.iter().for_each(|&axis| shape[axis] = 1);
        let mut folds = vec![vec![]; shape.iter().product()];
        let mut to = vec![0; shape.len()];
        coordinates(&self.shape, |at| {
            to.copy_from_slice(at);
            axes.iter().for_each(|&axis| to[axis] = 0);
            folds[place(&shape, &to)].push(self.at(at));
        });
        (shape, folds)
    }

    /// A reduction. Sums and products of floats are within a bound of the plain loop's, and then taken as they come
    /// from an array that lies in order and was computed alone: no other way to it may differ in a single bit.
    pub fn reduce(&self, reduction: Reduction, axes: &[usize], keep: Keep) -> Listed {
        let dtype = reduction.result(self.dtype).unwrap();
        let (kept, folds) = self.folds(axes);
        let shape = if keep == Keep::Axes {
            kept
        } else {
            (0..kept.len()).filter(|axis| !axes.contains(axis)).map(|axis| kept[axis]).collect()
        };
        let ordered = match reduction {
            Reduction::Sum | Reduction::Prod if !matches!(value(self.dtype, 0), Value::Int(_)) => {
                let reference = Listed::of(&self.array().reduce(reduction, axes, keep));
                for (&element, fold) in reference.elements.iter().zip(&folds) {
                    check(reduction, self.dtype, element, fold);
                }
                reference.elements
            }
            _ => folds.iter().map(|fold| exact(reduction, self.dtype, dtype, fold)).collect(),
        };
        Listed { shape, dtype, elements: ordered }
    }
}

/// A fold that is exact.
fn exact(reduction: Reduction, dtype: DType, result: DType, fold: &[u128]) -> u128 {
    let is_true = |&bits: &u128| match value(dtype, bits) {
        Value::Int(n) => n != 0,
        Value::Float(x) => x != 0.0,
        Value::Complex(re, im) => re != 0.0 || im != 0.0,
    };
    let ints = fold.iter().map(|&bits| if let Value::Int(n) = value(dtype, bits) { n } else { 0 });
    // The greater of two: NaN before all, 0 before -0; or with the sign turned the smaller.
    let key = |&bits: &u128, turn: f64| match value(dtype, bits) {
        Value::Float(x) if x.is_nan() => (true, 0.0, 0),
        Value::Float(x) => (false, turn * x, i128::from((turn * x).is_sign_positive())),
        Value::Int(n) => (false, 0.0, if turn < 0.0 { -n } else { n }),
        Value::Complex(..) => panic!("no order"),
    };
    let extreme = |turn: f64| {
        let greater = |a: u128, b: &u128| if key(b, turn) > key(&a, turn) { *b } else { a };
        fold[1..].iter().fold(fold[0], greater)
    };
    match reduction {
        Reduction::Sum => wrapped(ints.fold(0, |a, b| (a + b) & i128::from(u64::MAX)), result),
        Reduction::Prod => wrapped(ints.fold(1, |a, b| a.wrapping_mul(b) & i128::from(u64::MAX)), result),
        Reduction::Max => extreme(1.0),
        Reduction::Min => extreme(-1.0),
        Reduction::Any => fold.iter().any(is_true).into(),
        Reduction::All => fold.iter().all(is_true).into(),
    }
}

/// How much one operation rounds at most, relative to its result; small floats are rounded once, at the end.
fn rounding(dtype: DType) -> f64 {
    match dtype.part() {
        DType::F16 => 2f64.powi(-11),
        DType::Bf16 => 2f64.powi(-8),
        DType::F32 => 2f64.powi(-24),
        _ => 2f64.powi(-53),
    }
}

/// A sum or product of floats against the plain loop: real and imaginary parts each for itself.
fn check(reduction: Reduction, dtype: DType, element: u128, fold: &[u128]) {
    let parts = |bits| match value(dtype, bits) {
        Value::Complex(re, im) => [re, im],
        Value::Float(x) => [x, 0.0],
        Value::Int(_) => panic!("not a float"),
    };
    let mut all = if reduction == Reduction::Sum { [0.0, 0.0] } else { [1.0, 0.0] };
    let mut size = all.map(f64::abs);
    for &bits in fold {
        let [re, im] = parts(bits);
        (all, size) = match reduction {
            Reduction::Sum => ([all[0] + re, all[1] + im], [size[0] + re.abs(), size[1] + im.abs()]),
            _ => {
                // In another order a part of the product may be larger than all of it.
                let own = re.abs() + im.abs();
                let grown = size[0] * if own < 1.0 { 1.0 } else { own };
                ([all[0] * re - all[1] * im, all[0] * im + all[1] * re], [grown, grown])
            }
        };
    }
    let greatest = if dtype.part() == DType::F64 {
        1e300
    } else if dtype == DType::F16 {
        6e4
    } else {
        1e38
    };
    // Beyond what the type holds the order of the additions decides; and tiny products lose bits.
    if size.iter().any(|size| size.is_nan() || *size >= greatest)
        || (reduction == Reduction::Prod && fold.len() > 16)
    {
        return;
    }
    #[allow(clippy::cast_precision_loss, reason = "small")]
    let steps = fold.len().max(1) as f64;
    let within = if matches!(dtype, DType::F16 | DType::Bf16) { 2f64.powi(-24) } else { rounding(dtype) };
    // Pairwise: the error grows with the logarithm, but for the first 64 rows and the 16 steps of a lane.
    let depth = if reduction == Reduction::Sum { steps.min(90.0 + steps.log2()) } else { 4.0 * steps };
    for ((got, all), size) in parts(element).into_iter().zip(all).zip(size) {
        // What the loop itself rounds, in f64, and what the last rounding does to a small float.
        let loops = steps * 2f64.powi(-53) * size;
        let bound = depth * within * size + loops + 2.0 * rounding(dtype) * all.abs() + 1e-37;
        let bound = if dtype == DType::F16 { bound + 2f64.powi(-24) } else { bound };
        assert!((got - all).abs() <= bound, "{reduction} of {steps} {dtype}: {got} and not {all}, {bound}");
    }
}
