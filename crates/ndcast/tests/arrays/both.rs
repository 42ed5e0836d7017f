//! An array, and the list that it must be: whatever is done is done to both.

use std::num::NonZeroI64;

use ndcast::promote::promote;
use ndcast::reduction::Reduction;
use ndcast::shape::{Index, oracle};
use ndcast::{Array, DType, Keep, Number, Op, Operand, Place};

use super::bits::{Random, elements};
use super::listed::{Listed, coordinates, place, places};

/// Results of more elements are not asked for.
const MOST: usize = 150_000;

/// An array, and what it must be.
#[derive(Clone, Debug)]
pub struct Both {
    pub array: Array,
    pub listed: Listed,
}

/// `start:stop:step`.
pub fn part(start: Option<i64>, stop: Option<i64>, step: i64) -> Index {
    Index::Slice { start, stop, step: NonZeroI64::new(step).unwrap() }
}

/// A number as a list of one.
fn number(number: Number, dtype: DType) -> Listed {
    Listed { shape: vec![], dtype, elements: elements(&number.tensor(dtype).unwrap()) }
}

impl Both {
    /// A ready array that lies in order.
    pub fn new(shape: &[usize], dtype: DType, random: &mut Random) -> Both {
        let count = shape.iter().product();
        let elements = (0..count).map(|_| random.element(dtype)).collect();
        Both::listed(Listed { shape: shape.to_vec(), dtype, elements })
    }

    /// A ready array of numbers that are finite.
    pub fn finite(shape: &[usize], dtype: DType, random: &mut Random) -> Both {
        let count = shape.iter().product();
        let elements = (0..count).map(|_| random.finite(dtype)).collect();
        Both::listed(Listed { shape: shape.to_vec(), dtype, elements })
    }

    pub fn listed(listed: Listed) -> Both {
        Both { array: listed.array(), listed }
    }

    pub fn shape(&self) -> &[usize] {
        &self.listed.shape
    }

    pub fn dtype(&self) -> DType {
        self.listed.dtype
    }

    /// Computes it and says how it is not what it must be.
    pub fn wrong(&self) -> Option<String> {
        assert_eq!(self.array.shape().as_ref().ok(), Some(&self.shape()), "{:?}", self.array);
        assert_eq!(self.array.dtype(), Ok(self.dtype()));
        match self.array.eval() {
            Ok(_) => Listed::of(&self.array).difference(&self.listed),
            Err(error) => Some(error.to_string()),
        }
    }

    pub fn check(&self, what: &str) {
        if let Some(wrong) = self.wrong() {
            panic!("{what}: {wrong}");
        }
    }

    pub fn transpose(&self, order: &[usize]) -> Both {
        let shape = order.iter().map(|&axis| self.shape()[axis]).collect();
        let listed = self.listed.read(shape, |at, from| {
            order.iter().zip(at).for_each(|(&axis, &at)| from[axis] = at);
        });
        Both { array: self.array.transpose(order), listed }
    }

    pub fn select(&self, index: &[Index]) -> Both {
        let (shape, places) = places(self.shape(), index);
        let elements = places.iter().map(|&place| self.listed.elements[place]).collect();
        Both { array: self.array.select(index), listed: Listed { shape, elements, dtype: self.dtype() } }
    }

    pub fn flip(&self, axes: &[usize]) -> Both {
        let shape = self.shape();
        let listed = self.listed.read(shape.to_vec(), |at, from| {
            from.copy_from_slice(at);
            axes.iter().for_each(|&axis| from[axis] = shape[axis] - 1 - at[axis]);
        });
        Both { array: self.array.flip(axes), listed }
    }

    fn reshaped(&self, array: Array, shape: &[usize]) -> Both {
        Both { array, listed: Listed { shape: shape.to_vec(), ..self.listed.clone() } }
    }

    pub fn reshape(&self, shape: &[usize]) -> Both {
        self.reshaped(self.array.reshape(shape), shape)
    }

    pub fn expand(&self, axis: usize) -> Both {
        let mut shape = self.shape().to_vec();
        shape.insert(axis, 1);
        self.reshaped(self.array.expand(axis), &shape)
    }

    /// Without all axes of extent 1.
    pub fn squeeze(&self) -> Both {
        let axes: Vec<usize> = (0..self.shape().len()).filter(|&axis| self.shape()[axis] == 1).collect();
        let shape: Vec<usize> = self.shape().iter().copied().filter(|&extent| extent != 1).collect();
        self.reshaped(self.array.squeeze(&axes), &shape)
    }

    pub fn broadcast_to(&self, shape: &[usize]) -> Both {
        Both { array: self.array.broadcast_to(shape), listed: self.listed.broadcast_to(shape) }
    }

    pub fn convert(&self, dtype: DType) -> Both {
        Both { array: self.array.convert(dtype), listed: self.listed.convert(dtype) }
    }

    /// One behind the other along an axis.
    pub fn concatenate(all: &[&Both], axis: usize) -> Both {
        let arrays: Vec<&Array> = all.iter().map(|both| &both.array).collect();
        let dtype = all.iter().fold(all[0].dtype(), |dtype, both| promote(dtype, both.dtype()).unwrap());
        let mut shape = all[0].shape().to_vec();
        shape[axis] = all.iter().map(|both| both.shape()[axis]).sum();
        let mut elements = vec![];
        let converted: Vec<Listed> = all
            .iter()
            .map(|both| if both.dtype() == dtype { both.listed.clone() } else { both.listed.convert(dtype) })
            .collect();
        coordinates(&shape, |at| {
            let mut at = at.to_vec();
            let own = converted.iter().find(|own| {
                let is_here = at[axis] < own.shape[axis];
                at[axis] -= if is_here { 0 } else { own.shape[axis] };
                is_here
            });
            elements.push(own.unwrap().at(&at));
        });
        Both { array: Array::concatenate(&arrays, axis), listed: Listed { shape, dtype, elements } }
    }

    pub fn stack(all: &[&Both], axis: usize) -> Both {
        let expanded: Vec<Both> = all.iter().map(|both| both.expand(axis)).collect();
        let listed = Both::concatenate(&expanded.iter().collect::<Vec<_>>(), axis).listed;
        let arrays: Vec<&Array> = all.iter().map(|both| &both.array).collect();
        Both { array: Array::stack(&arrays, axis), listed }
    }

    pub fn pad(&self, around: &[(usize, usize)], with: i64) -> Both {
        let own = self.shape();
        let shape: Vec<usize> = own.iter().zip(around).map(|(&extent, &(a, b))| extent + a + b).collect();
        let outside = number(with.into(), self.dtype()).elements[0];
        let mut elements = vec![];
        coordinates(&shape, |at| {
            let inner: Option<Vec<usize>> = (0..own.len())
                .map(|axis| at[axis].checked_sub(around[axis].0).filter(|&at| at < own[axis]))
                .collect();
            elements.push(inner.map_or(outside, |inner| self.listed.at(&inner)));
        });
        Both { array: self.array.pad(around, with), listed: Listed { shape, dtype: self.dtype(), elements } }
    }

    pub fn tile(&self, times: &[usize]) -> Both {
        let rank = self.shape().len().max(times.len());
        let padded = |list: &[usize]| [&vec![1; rank - list.len()], list].concat();
        let (own, all) = (padded(self.shape()), padded(times));
        let shape = own.iter().zip(&all).map(|(&extent, &times)| extent * times).collect();
        let whole = Listed { shape: own.clone(), ..self.listed.clone() };
        let listed = whole.read(shape, |at, from| {
            (0..rank).for_each(|axis| from[axis] = at[axis] % own[axis]);
        });
        Both { array: self.array.tile(times), listed }
    }

    pub fn repeat(&self, times: usize, axis: usize) -> Both {
        let mut shape = self.shape().to_vec();
        shape[axis] *= times;
        let listed = self.listed.read(shape, |at, from| {
            from.copy_from_slice(at);
            from[axis] = at[axis] / times;
        });
        Both { array: self.array.repeat(times, axis), listed }
    }

    pub fn roll(&self, by: i64, axis: usize) -> Both {
        let extent = i64::try_from(self.shape()[axis]).unwrap();
        let listed = self.listed.read(self.shape().to_vec(), |at, from| {
            from.copy_from_slice(at);
            let back = (i64::try_from(at[axis]).unwrap() - by).rem_euclid(extent);
            from[axis] = usize::try_from(back).unwrap();
        });
        Both { array: self.array.roll(by, axis), listed }
    }

    pub fn one_hot(&self, depth: usize, dtype: DType) -> Both {
        let shape = [self.shape(), &[depth]].concat();
        let [on, off] = [3, 1].map(|n| number(n.into(), dtype).elements[0]);
        let mut elements = vec![];
        for &index in &self.listed.elements {
            let at = |place: usize| number(Number::Int(place.try_into().unwrap()), DType::I64);
            let own = Listed { shape: vec![], dtype: self.dtype(), elements: vec![index] };
            let own = own.convert(DType::I64).elements[0];
            elements.extend((0..depth).map(|place| if at(place).elements[0] == own { on } else { off }));
        }
        Both { array: self.array.one_hot(depth, 3, 1, dtype), listed: Listed { shape, dtype, elements } }
    }

    /// An operation with another array or more; nothing if their types or shapes do not go together.
    pub fn apply(op: Op, arguments: &[&Both]) -> Option<Both> {
        let own = usize::from(op == Op::Where);
        if own == 1 && arguments[0].dtype() != DType::Bool {
            return None;
        }
        let mut dtype = arguments[own].dtype();
        let mut shape = vec![];
        for (place, argument) in arguments.iter().enumerate() {
            shape = oracle::join(&shape, argument.shape())?;
            dtype = if place < own { dtype } else { promote(dtype, argument.dtype()).ok()? };
        }
        op.result(dtype).filter(|_| shape.iter().product::<usize>() <= MOST)?;
        let operands: Vec<Operand> = arguments.iter().map(|both| (&both.array).into()).collect();
        let lists: Vec<&Listed> = arguments.iter().map(|both| &both.listed).collect();
        Some(Both { array: Array::apply(op, &operands), listed: Listed::apply(op, &lists) })
    }

    /// An operation with a number.
    pub fn with_number(&self, op: Op, by: i64) -> Option<Both> {
        if self.dtype() == DType::Bool {
            return None;
        }
        op.result(self.dtype())?;
        let listed = Listed::apply(op, &[&self.listed, &number(by.into(), self.dtype())]);
        Some(Both { array: Array::apply(op, &[(&self.array).into(), by.into()]), listed })
    }

    pub fn reduce(&self, reduction: Reduction, axes: &[usize], keep: Keep) -> Option<Both> {
        reduction.result(self.dtype())?;
        if reduction.record().identity.is_none() && axes.iter().any(|&axis| self.shape()[axis] == 0) {
            return None;
        }
        let array = self.array.reduce(reduction, axes, keep);
        Some(Both { array, listed: self.listed.reduce(reduction, axes, keep) })
    }

    /// Where along an axis the greatest is.
    pub fn argmax(&self, axis: usize, keep: Keep) -> Option<Both> {
        Reduction::Max.result(self.dtype()).filter(|_| self.shape()[axis] > 0)?;
        let greatest = self.listed.reduce(Reduction::Max, &[axis], Keep::Axes);
        let is_it = Listed::apply(Op::Equal, &[&self.listed, &greatest]);
        let mut elements = vec![];
        coordinates(&greatest.shape, |at| {
            let mut at = at.to_vec();
            let found = (0..self.shape()[axis]).find(|&i| {
                at[axis] = i;
                let element =
                    Listed { shape: vec![], dtype: self.dtype(), elements: vec![self.listed.at(&at)] };
                is_it.at(&at) == 1 || Listed::apply(Op::NotEqual, &[&element, &element]).elements[0] == 1
            });
            elements.push(found.unwrap() as u128);
        });
        let mut shape = greatest.shape;
        if keep == Keep::Nothing {
            shape.remove(axis);
        }
        let array = self.array.argmax(axis, keep);
        Some(Both { array, listed: Listed { shape, dtype: DType::I64, elements } })
    }

    /// Changes it in place: what an index selects, or all; nothing if the other does not fit.
    pub fn update(&mut self, index: Option<&[Index]>, op: Option<Op>, by: &Both) -> Option<()> {
        let chosen = match index {
            Some(index) => places(self.shape(), index),
            None => (self.shape().to_vec(), (0..self.listed.elements.len()).collect()),
        };
        let fits = promote(self.dtype(), by.dtype()).ok() == Some(self.dtype())
            && by.shape().len() <= chosen.0.len()
            && oracle::join(&chosen.0, by.shape()).as_ref() == Some(&chosen.0)
            && op.is_none_or(|op| op.result(self.dtype()) == Some(self.dtype()));
        if !fits {
            return None;
        }
        self.listed = self.listed.update(&chosen, op, &by.listed);
        match (index, op) {
            (Some(index), Some(op)) => self.array.update(op, Place::At(index), &by.array),
            (Some(index), None) => self.array.set(index, &by.array),
            (None, Some(op)) => self.array.update(op, Place::Whole, &by.array),
            (None, None) => self.array.assign(&by.array),
        }
        Some(())
    }
}

#[test]
fn the_oracle_knows_simple_things() {
    let both = Both::listed(Listed { shape: vec![2, 3], dtype: DType::U8, elements: (0..6).collect() });
    assert_eq!(place(&[2, 3], &[1, 2]), 5);
    assert_eq!(both.transpose(&[1, 0]).listed.elements, [0, 3, 1, 4, 2, 5]);
    assert_eq!(both.select(&[Index::At(-1), part(None, None, -2)]).listed.elements, [5, 3]);
    assert_eq!(both.flip(&[1]).listed.elements, [2, 1, 0, 5, 4, 3]);
    assert_eq!(both.roll(1, 1).listed.elements, [2, 0, 1, 5, 3, 4]);
    assert_eq!(both.pad(&[(0, 0), (1, 0)], 9).listed.elements, [9, 0, 1, 2, 9, 3, 4, 5]);
    assert_eq!(both.reduce(Reduction::Sum, &[0], Keep::Nothing).unwrap().listed.elements, [3, 5, 7]);
    assert_eq!(both.argmax(1, Keep::Nothing).unwrap().listed.elements, [2, 2]);
}
