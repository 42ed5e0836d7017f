//! Everything there is, called with anything: what cannot be is an error, and nothing panics.

use std::num::NonZeroI64;

use ndcast::reduction::Reduction;
use ndcast::shape::Index;
use ndcast::shape::rule::array_api;
use ndcast::{Array, DType, Direction, Keep, Number, Op, Operand, Padding, Place, Side, Tensor};

use super::bits::{DTYPES, Random};
use super::both::Both;

/// Larger ones are not computed: it would take long, and that is no error.
const MOST: usize = 20_000;

struct Fuzz {
    random: Random,
    /// Arrays, and whether computing them is out of the question.
    arrays: Vec<(Array, bool)>,
}

impl Fuzz {
    fn extent(&mut self) -> usize {
        const HUGE: [usize; 6] =
            [1 << 40, 1 << 62, 1 << 63, usize::MAX, usize::MAX - 1, isize::MAX.unsigned_abs()];
        if self.random.once_in(12) { self.random.of(&HUGE) } else { self.random.of(&[0, 1, 1, 2, 3, 4]) }
    }

    fn extents(&mut self) -> Vec<usize> {
        (0..self.random.below(5)).map(|_| self.extent()).collect()
    }

    fn axis(&mut self) -> usize {
        if self.random.once_in(20) { usize::MAX } else { self.random.below(5) }
    }

    fn axes(&mut self) -> Vec<usize> {
        (0..self.random.below(4)).map(|_| self.axis()).collect()
    }

    fn whole(&mut self) -> i64 {
        if self.random.once_in(8) {
            self.random.of(&[i64::MIN, i64::MAX, i64::MIN + 1, 1 << 40, -(1 << 62)])
        } else {
            self.random.between(-5, 5)
        }
    }

    fn index(&mut self) -> Vec<Index> {
        let part = |fuzz: &mut Fuzz| match fuzz.random.below(6) {
            0 => Index::New,
            1 => Index::Ellipsis,
            2 => Index::At(fuzz.whole()),
            3 => Index::WHOLE,
            _ => {
                let end = |fuzz: &mut Fuzz| fuzz.random.once_in(2).then(|| fuzz.whole());
                let step = NonZeroI64::new(fuzz.whole()).unwrap_or(NonZeroI64::MIN);
                Index::Slice { start: end(fuzz), stop: end(fuzz), step }
            }
        };
        (0..self.random.below(5)).map(|_| part(self)).collect()
    }

    fn number(&mut self) -> Number {
        match self.random.below(6) {
            0 => Number::Bool(true),
            1 => Number::Float(self.random.of(&[0.5, f64::NAN, f64::INFINITY, -1e300])),
            2 => Number::Complex(num_complex::Complex::new(1.0, f64::NAN)),
            3 => Number::Int(self.random.of(&[i128::MIN, i128::MAX, 1 << 64, 255, -1])),
            _ => Number::Int(self.random.between(-3, 9).into()),
        }
    }

    fn dtype(&mut self) -> DType {
        let all: Vec<DType> = DType::all().collect();
        if self.random.once_in(3) { self.random.of(&all) } else { self.random.of(&DTYPES) }
    }

    fn keep(&mut self) -> Keep {
        self.random.of(&[Keep::Axes, Keep::Nothing])
    }

    fn any(&mut self) -> (Array, bool) {
        let at = self.random.below(self.arrays.len());
        self.arrays[at].clone()
    }

    fn operand(&mut self, large: &mut bool) -> Operand {
        if self.random.once_in(3) {
            return self.number().into();
        }
        let (array, is_large) = self.any();
        *large |= is_large;
        array.into()
    }

    fn leaf(&mut self) -> Array {
        let dtype = self.random.of(&DTYPES);
        let shape = self.extents();
        let count = shape.iter().fold(1usize, |count, &extent| count.saturating_mul(extent));
        let shape = if count > MOST { [&shape[..], &[0]].concat() } else { shape };
        match self.random.below(4) {
            0 => Array::full(&self.extents(), self.number(), self.dtype()),
            1 => Array::iota(self.extent(), self.dtype()),
            2 => Tensor::zeros(&shape, self.dtype()).into(),
            _ if shape.contains(&0) => Array::new::<f32>(&shape, &[]),
            _ => Both::new(&shape, dtype, &mut self.random).array,
        }
    }

    /// What goes by places, sorts, or contracts.
    fn gathered(&mut self, x: &Array, y: &Array, large: bool) -> Array {
        let numbers = if self.random.once_in(3) { y.clone() } else { y.convert(DType::I64) };
        let (axis, direction) = (self.axis(), self.random.of(&[Direction::Ascending, Direction::Descending]));
        match self.random.below(22) {
            0 | 1 => x.take(&numbers, axis),
            2 | 3 => x.take_along_axis(&numbers, axis),
            4 => {
                let places: Vec<usize> = (0..self.random.below(4)).map(|_| self.extent()).collect();
                let value = self.operand(&mut true);
                x.put(&places, value)
            }
            5 => x.put_along_axis(&numbers, y, axis, self.random.of(&[None, Some(Op::Add), Some(Op::Equal)])),
            6 => x.sort(axis, direction),
            7 => x.argsort(axis, direction),
            8 => x.search_sorted(y, self.random.of(&[Side::Left, Side::Right])),
            9 => x.is_in(y),
            10 => x.diff(axis),
            11 => x.diagonal(self.random.of(&[0, 1, -2, isize::MIN, isize::MAX])),
            12 => x.lower_triangle(self.whole()),
            13 => x.matmul(y),
            14 => x.vecdot(y, axis),
            15 => x.cross(y, axis),
            16 => x.outer(y),
            17 => x.tensordot(y, &self.axes(), &self.axes()),
            18 => Array::einsum(
                self.random.of(&["ij,jk->ik", "ii", "...i,...i", "ij->ji", "a,b->ba", "i->k", ",->", "..."]),
                &[x, y][..self.random.below(3)],
            ),
            19 => x.accumulate(self.random.of(&Reduction::ALL), axis),
            20 => {
                let rank = x.rank().unwrap_or(0);
                let around: Vec<_> = (0..rank).map(|_| (self.extent(), self.extent())).collect();
                let (_, padding) = self.random.of(&Padding::ALL);
                x.pad_with(&around, padding)
            }
            _ if large => x.nanmax(self.axes(), self.keep()),
            // These look at the elements at once.
            _ => {
                let _ = (x.unique(), x.nonzero());
                x.vector_norm(
                    self.axes(),
                    self.random.of(&[0.0, 1.0, 2.5, f64::NAN, f64::INFINITY]),
                    self.keep(),
                )
            }
        }
    }

    fn step(&mut self) {
        let (mut x, mut large) = self.any();
        let made = match self.random.below(52) {
            0..=3 => self.leaf(),
            4..=8 => {
                let op = self.random.of(Op::ALL);
                let count = if self.random.once_in(9) { self.random.below(5) } else { op.arity() };
                let operands: Vec<Operand> = (0..count).map(|_| self.operand(&mut large)).collect();
                Array::apply(op, &operands)
            }
            9 | 10 => x.reduce(self.random.of(&Reduction::ALL), self.axes(), self.keep()),
            11 => x.mean(self.axes(), self.keep()),
            12 => x.var(self.axes(), self.random.of(&[0.0, 1.0, f64::NAN, -1e300]), self.keep()),
            13 => x.std(self.axes(), 1.0, self.keep()),
            14 => x.logsumexp(self.axes(), self.keep()),
            15 => x.l1(self.axes(), self.keep()).maximum(x.l2(self.axes(), self.keep())),
            16 => x.sum_square(self.axes(), self.keep()),
            17 => x.argmax(self.axis(), self.keep()),
            18 => x.argmin(self.axis(), self.keep()),
            19 => x.convert(self.dtype()),
            20 => x.transpose(&self.axes()),
            21 => {
                let rank = x.rank().unwrap_or(0);
                x.transpose(&self.random.order(rank))
            }
            22 if self.random.once_in(2) => x.move_axes(&self.axes(), &self.axes()),
            22 => x.matrix_transpose(),
            23 => x.expand(self.axis()),
            24 => x.squeeze(self.axes()),
            25 | 26 => x.select(&self.index()),
            27 => x.flip(self.axes()),
            28 if self.random.once_in(4) => x.flatten(),
            28 => x.reshape(&self.extents()),
            29 => x.broadcast_to(&self.extents()),
            30 => {
                let own = x.shape().map(<[usize]>::to_vec).unwrap_or_default();
                let (other, target) = (self.extents(), self.random.below(3));
                match array_api::join(&[&own[..], &other]) {
                    Ok(plan) => x.broadcast(&plan, target),
                    Err(_) => return,
                }
            }
            31 => x.roll(self.whole(), self.axis()),
            32 | 33 => {
                let (y, is_large) = self.any();
                large |= is_large;
                let axis = self.axis();
                if self.random.once_in(2) {
                    Array::concatenate(&[&x, &y, &x], axis)
                } else {
                    Array::stack(&[&x, &y], axis)
                }
            }
            34 => {
                let rank = x.rank().unwrap_or(0);
                let count = if self.random.once_in(4) { self.random.below(4) } else { rank };
                let around: Vec<_> = (0..count).map(|_| (self.extent(), self.extent())).collect();
                x.pad(&around, self.number())
            }
            35 => x.tile(&self.extents()),
            36 => x.repeat(self.extent(), self.axis()),
            37 => x.one_hot(self.extent(), self.number(), self.number(), self.dtype()),
            38..=49 => {
                let (y, is_large) = self.any();
                large |= is_large;
                self.gathered(&x, &y, large)
            }
            _ => {
                let value = self.operand(&mut large);
                let index = self.index();
                match self.random.below(4) {
                    0 => x.assign(value),
                    1 => x.set(&index, value),
                    2 => x.update(self.random.of(Op::ALL), Place::At(&index), value),
                    _ => x.update(self.random.of(&[Op::Add, Op::Multiply]), Place::Whole, value),
                }
                x
            }
        };
        let count =
            |shape: &[usize]| shape.iter().fold(1usize, |count, &extent| count.saturating_mul(extent));
        large |= made.shape().is_ok_and(|shape| !shape.contains(&0) && count(shape) > MOST);
        self.look(&made, large);
        self.arrays.push((made, large));
        if self.arrays.len() > 40 {
            let at = self.random.below(self.arrays.len());
            self.arrays.swap_remove(at);
        }
    }

    /// Whatever can be asked of an array.
    fn look(&mut self, array: &Array, large: bool) {
        if let Err(error) = array.check() {
            assert!(!error.to_string().is_empty());
        }
        assert_eq!(array.shape().is_ok(), array.dtype().is_ok());
        if large || self.random.once_in(3) {
            return;
        }
        let Ok(tensor) = array.eval() else { return };
        assert_eq!(array.shape().ok(), Some(tensor.shape()));
        assert_eq!(array.dtype().ok(), Some(tensor.dtype()));
        let _ = (array.to_vec::<f32>(), array.item::<bool>(), tensor.as_slice::<i64>(), tensor.as_bytes());
        let views = [
            tensor.transpose(&self.axes()),
            tensor.flip(self.axis()),
            tensor.expand(self.axis()),
            tensor.squeeze(self.axis()),
            tensor.select(&self.index()),
            tensor.reshape(&self.extents()).map(|view| view.unwrap_or(tensor)),
        ];
        for view in views.into_iter().flatten() {
            let count = view.elements();
            assert!(count == 0 || view.layout().reach().end <= view.layout().reach().start + 4 * MOST * MOST);
            if count <= MOST {
                let _ = view.to_vec::<i32>();
            }
        }
    }
}

#[test]
fn whatever_is_called() {
    for seed in 0..10_000 {
        let mut fuzz = Fuzz { random: Random(seed), arrays: vec![] };
        let first = fuzz.leaf();
        // A constant may be as large as can be addressed.
        let small = first.shape().is_ok_and(|shape| shape.iter().all(|&extent| extent < 9));
        fuzz.arrays.push((first, !small));
        for _ in 0..60 {
            fuzz.step();
        }
    }
}
