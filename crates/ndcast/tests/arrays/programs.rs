//! Random programs: arrays of all layouts and types go through everything there is, and what comes out is what index
//! loops say, whatever was computed when, and whoever has a handle on what.

use ndcast::reduction::Reduction;
use ndcast::shape::Index;
use ndcast::{Array, DType, Keep, Op};

use super::bits::{DTYPES, Random};
use super::both::{Both, part};

/// What most programs are about: the shape that leaves broadcast to.
const SMALL: [&[usize]; 12] = [
    &[],
    &[5],
    &[3, 4],
    &[4, 1, 3],
    &[2, 3, 2, 3],
    &[0, 3],
    &[2, 0],
    &[1, 1, 1],
    &[2, 2, 2, 2, 2],
    &[7, 5],
    &[33, 3],
    &[2, 1, 2, 1, 3, 1],
];

/// Past a tile, past a pattern, past what one thread does alone, past the length from which rows are read across.
const LARGE: [&[usize]; 10] = [
    &[1300],
    &[5, 700],
    &[40, 3, 9],
    &[300, 11],
    &[4, 520],
    &[17, 3, 40],
    &[70_001],
    &[260, 270],
    &[3, 300, 30],
    &[9000, 4],
];

/// Any operation with so many arguments; of many elements a cheap one.
fn operation(random: &mut Random, arity: usize, elements: usize) -> Op {
    const CHEAP: [Op; 12] = [
        Op::Add,
        Op::Subtract,
        Op::Multiply,
        Op::Maximum,
        Op::Minimum,
        Op::Negative,
        Op::Square,
        Op::Less,
        Op::BitwiseXor,
        Op::LogicalNot,
        Op::Exp,
        Op::Where,
    ];
    loop {
        let op = random.of(if elements > 2000 { &CHEAP } else { Op::ALL });
        // What takes long for nothing.
        let slow = matches!(op, Op::Zeta | Op::Polygamma | Op::ReducePrecision);
        if op.arity() == arity && !slow {
            return op;
        }
    }
}

/// A leaf: the shape with some axes left out or of extent 1, in a layout that may be anything.
pub fn leaf(shape: &[usize], dtype: DType, random: &mut Random) -> Both {
    let first = if random.once_in(4) { random.below(shape.len() + 1) } else { 0 };
    let mut own = shape[first..].to_vec();
    own.iter_mut().for_each(|extent| *extent = if random.once_in(5) { 1 } else { *extent });
    let order = if random.once_in(2) { random.order(own.len()) } else { (0..own.len()).collect() };
    // In memory the axes are in another order, some longer than what is seen of them, some backwards.
    let steps: Vec<i64> = own.iter().map(|_| random.of(&[1, 1, 1, 2, -1, -2, 3])).collect();
    let inside: Vec<usize> =
        order.iter().map(|&axis| own[axis] * usize::try_from(steps[axis].unsigned_abs()).unwrap()).collect();
    let memory = Both::new(&inside, dtype, random);
    let index: Vec<Index> = order.iter().map(|&axis| part(None, None, steps[axis])).collect();
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
    let mut seen = memory.select(&index).transpose(&back);
    if random.once_in(2) {
        // What is made of a copy that is put off is put off too, also if it is small.
        seen.array = seen.array.copy();
    }
    if random.once_in(6) { seen.broadcast_to(&shape[first..]) } else { seen }
}

/// What a program has.
struct Machine {
    random: Random,
    shape: Vec<usize>,
    values: Vec<Both>,
    trace: Vec<String>,
}

impl Machine {
    fn any(&mut self) -> Both {
        let at = self.random.below(self.values.len());
        self.values[at].clone()
    }

    /// Mostly of a type that goes with another's.
    fn like(&mut self, dtype: DType) -> Both {
        let other = self.any();
        let alike = other.dtype() == dtype || self.random.once_in(4);
        if alike { other } else { other.convert(dtype) }
    }

    fn index(&mut self, shape: &[usize]) -> Vec<Index> {
        let random = &mut self.random;
        let mut index = vec![];
        for &extent in shape {
            let around = i64::try_from(extent).unwrap() + 1;
            if random.once_in(10) {
                index.push(Index::New);
            }
            index.push(match random.below(8) {
                0 if extent > 0 => Index::At(random.between(1 - around, around - 2)),
                1 | 2 => part(None, None, random.of(&[1, -1, 2, -2, 3])),
                3 => part(Some(1), None, 1),
                4 => part(None, Some(-1), 1),
                5 => {
                    let [start, stop] = [0; 2].map(|_| random.between(-around, around));
                    part(Some(start), Some(stop), random.of(&[1, 1, -1, 2, -3]))
                }
                _ => Index::WHOLE,
            });
        }
        if random.once_in(3) {
            let cut = random.below(index.len() + 1);
            index.truncate(cut);
            index.push(Index::Ellipsis);
        }
        index
    }

    fn keep(&mut self) -> Keep {
        self.random.of(&[Keep::Axes, Keep::Nothing])
    }

    /// One more value, or one changed; nothing if what was drawn cannot be.
    fn step(&mut self) -> Option<()> {
        let x = self.any();
        let (rank, count, dtype) = (x.shape().len(), x.listed.elements.len(), x.dtype());
        let axis = if rank > 0 { self.random.below(rank) } else { 0 };
        let small = count <= 500;
        let choice = self.random.below(26);
        let made = match choice {
            0..=3 => Both::apply(operation(&mut self.random, 1, count), &[&x])?,
            4..=7 => Both::apply(operation(&mut self.random, 2, count), &[&x, &self.like(dtype)])?,
            8 => {
                let number = self.random.between(0, 3);
                x.with_number(operation(&mut self.random, 2, count), number)?
            }
            9 => {
                let other = self.like(dtype);
                let condition = Both::apply(Op::LessEqual, &[&x, &other]);
                Both::apply(Op::Where, &[&condition?, &other, &x])?
            }
            10 => x.convert(self.random.of(&DTYPES)),
            11 => x.transpose(&self.random.order(rank)),
            12 => x.select(&self.index(x.shape())),
            13 => x.flip(&self.random.axes(rank)),
            14 if count > 0 => x.reshape(&self.random.of(&[vec![count], vec![1, count, 1], vec![count, 1]])),
            14 => x.reshape(&[3, 0]),
            15 if rank < 8 => x.expand(self.random.below(rank + 1)),
            15 => x.squeeze(),
            16 => x.broadcast_to(&[&[if small { 2 } else { 1 }], x.shape()].concat()),
            17 | 18 => {
                let axes = self.random.axes(rank);
                let keep = self.keep();
                x.reduce(self.random.of(&Reduction::ALL), &axes, keep)?
            }
            19 if rank > 0 && small => x.argmax(axis, self.keep())?,
            20 if rank > 0 && small => {
                let other = self.like(dtype);
                let fits = other.shape().len() == rank
                    && (0..rank).all(|other_axis| {
                        other_axis == axis || other.shape()[other_axis] == x.shape()[other_axis]
                    })
                    && ndcast::promote::promote(dtype, other.dtype()).is_ok();
                fits.then(|| Both::concatenate(&[&x, &other, &x], axis))?
            }
            20 => Both::stack(&[&x, &x.flip(&(0..rank).collect::<Vec<_>>())], self.random.below(rank + 1)),
            21 if small => {
                let around: Vec<_> =
                    (0..rank).map(|_| (self.random.below(3), self.random.below(2))).collect();
                let number = if dtype == DType::Bool { return None } else { 7 };
                x.pad(&around, number)
            }
            21 if rank > 0 => x.roll(self.random.between(-9, 9), axis),
            22 if small => x.tile(&self.random.of(&[vec![2], vec![2, 1], vec![1, 3], vec![0], vec![]])),
            22 if rank > 0 && small => x.repeat(self.random.of(&[0, 1, 3]), axis),
            23 if small && dtype != DType::Bool && !matches!(dtype, DType::C64 | DType::C128) => {
                // Whole numbers: floats between them are on nowhere.
                x.convert(DType::I8).one_hot(self.random.of(&[0, 1, 5]), self.random.clone().of(&DTYPES))
            }
            _ => return self.change(),
        };
        self.trace.push(format!("{choice}: {:?} {dtype} -> {:?} {}", x.shape(), made.shape(), made.dtype()));
        // What grew too large is left.
        if made.listed.elements.len() <= 80_000 {
            self.values.push(made);
        }
        Some(())
    }

    /// Changes a value in place, with others or with itself on the right; its clones stay as they are.
    fn change(&mut self) -> Option<()> {
        let at = self.random.below(self.values.len());
        let keep = self.values[at].clone();
        let shape = keep.shape().to_vec();
        let whole = self.random.once_in(3);
        let index = if whole { vec![] } else { self.index(&shape) };
        let by = match self.random.below(4) {
            // A part of the same size, from elsewhere in the same array: `x[1:] += x[:-1]`, `x = x[::-1]`.
            0 | 1 => {
                let own = if whole { keep.clone() } else { keep.select(&index) };
                let there = own.shape().to_vec();
                match self.random.below(3) {
                    0 => own.flip(&(0..there.len()).collect::<Vec<_>>()),
                    1 if !there.is_empty() && there[0] > 0 => own.roll(1, 0),
                    _ => own,
                }
            }
            2 => self.any(),
            _ => Both::new(&[], keep.dtype(), &mut self.random),
        };
        let by =
            if by.dtype() == keep.dtype() || self.random.once_in(3) { by } else { by.convert(keep.dtype()) };
        let op = self.random.once_in(2).then(|| operation(&mut self.random, 2, keep.listed.elements.len()));
        // Half of the time nobody else has it.
        let mut x = if self.random.once_in(2) {
            keep
        } else {
            drop(keep);
            self.values.swap_remove(at)
        };
        if self.random.once_in(2) {
            x.array.eval().unwrap();
        }
        let done = x.update(if whole { None } else { Some(&index) }, op, &by);
        self.trace.push(format!(
            "change {done:?}: {shape:?} {} at {index:?} by {op:?} {:?}",
            x.dtype(),
            by.shape()
        ));
        self.values.push(x);
        Some(())
    }

    fn check(&self, at: usize, seed: u64) {
        if let Some(wrong) = self.values[at].wrong() {
            panic!("program {seed}, value {at}: {wrong}\n{}", self.trace.join("\n"));
        }
    }
}

fn program(seed: u64, shapes: &[&[usize]]) {
    let mut random = Random(seed);
    let shape = random.of(shapes).to_vec();
    let types = [random.of(&DTYPES), random.of(&DTYPES)];
    let mut machine = Machine { random, shape, values: vec![], trace: vec![] };
    for _ in 0..3 {
        let dtype = machine.random.of(&types);
        let leaf = leaf(&machine.shape, dtype, &mut machine.random);
        machine.trace.push(format!("leaf {:?} {dtype}", leaf.shape()));
        machine.values.push(leaf);
    }
    for _ in 0..12 {
        let _ = machine.step();
        let at = machine.random.below(machine.values.len());
        match machine.random.below(12) {
            0 => machine.check(at, seed),
            1 => drop(machine.values[at].array.eval()),
            2 => {
                let roots: Vec<&Array> = machine.values[at..].iter().map(|both| &both.array).collect();
                ndcast::eval(&roots).unwrap();
            }
            _ => {}
        }
        if machine.values.is_empty() {
            return;
        }
    }
    if machine.random.once_in(2) {
        let roots: Vec<&Array> = machine.values.iter().map(|both| &both.array).collect();
        if let Err(error) = ndcast::eval(&roots) {
            panic!("program {seed}: {error}\n{}", machine.trace.join("\n"));
        }
    }
    (0..machine.values.len()).for_each(|at| machine.check(at, seed));
}

#[test]
fn small_programs() {
    (0..15_000).for_each(|seed| program(seed, &SMALL));
}

#[test]
fn large_programs() {
    (0..400).for_each(|seed| program(1_000_000 + seed, &LARGE));
}
