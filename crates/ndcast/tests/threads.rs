//! Many threads, and any number of them: the same bits come out, nobody waits for ever, nobody sees what another one
//! changes, and memory goes back.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says what must hold")]

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use ndcast::buffer::Pool;
use ndcast::shape::parse_index;
use ndcast::threads::set_threads;
use ndcast::{Array, DType, Keep, Op, Place};

/// The number of threads and the pool are everybody's, so one test runs at a time.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Numbers that are all a little different, as f32.
fn numbers(shape: &[usize]) -> Array {
    let count: usize = shape.iter().product();
    let places = Array::iota(count, DType::F32);
    let x = (places * 0.618_034).remainder(1.0) - 0.37;
    x.eval().unwrap();
    // What is made of a copy that is put off is put off too, also if it is small.
    x.reshape(shape).copy()
}

/// What is done to every node of an expression while it is built.
type Each<'a> = &'a dyn Fn(Array) -> Array;

/// Expressions of three matrices: the first two of one shape, the third a row.
type Made = fn(&Array, &Array, &Array, Each<'_>) -> Array;

const EXPRESSIONS: [(&str, Made); 11] = [
    ("polynomial", |x, y, r, each| {
        let square = each(x * x);
        let sum = each(&square + r);
        each(each(sum * y) - x)
    }),
    ("softmax", |x, _, _, each| {
        let greatest = each(x.max([1], Keep::Axes));
        let powers = each(each(x - &greatest).exp());
        let sum = each(powers.sum([1], Keep::Axes));
        each(powers / sum)
    }),
    ("layer norm", |x, y, r, each| {
        let (mean, var) = (each(x.mean([1], Keep::Axes)), each(x.var([1], 0.0, Keep::Axes)));
        let unit = each(each(x - &mean) * each(each(var + 1e-5).rsqrt()));
        each(each(unit * r) + y)
    }),
    ("columns", |x, y, _, each| each(each(x * y).sum([0], Keep::Nothing))),
    ("everything", |x, y, r, each| each(each(each(x * r) + y).sum([0, 1], Keep::Nothing))),
    ("distances", |x, y, _, each| {
        let (few, others) = (part(x, ":40, :17").expand(1), part(y, ":60, :17").expand(0));
        each(each(each(&few - &others).square()).sum([2], Keep::Nothing))
    }),
    ("across", |x, y, _, each| each(each(x.transpose(&[1, 0]).exp()) * y.transpose(&[1, 0]) + 1.0)),
    ("rows with each other", |x, _, _, each| each(x.matmul(&each(x.matrix_transpose())))),
    ("few long columns with each other", |x, _, _, each| {
        let long = each(x.reshape(&[x.shape().unwrap().iter().product::<usize>() / 5, 5]));
        each(each(long.matrix_transpose()).matmul(&long))
    }),
    ("half precision", |x, y, _, each| {
        let half = each(each(x.convert(DType::F16)) * each(y.convert(DType::F16)));
        each(half.sum([0], Keep::Axes))
    }),
    ("in place", |x, y, r, each| {
        let mut z = each(x + y);
        z.update(Op::Multiply, Place::At(&parse_index("::-2, 3:").unwrap()), part(r, "3:"));
        z = each(z);
        z.set(&parse_index(":, ::3").unwrap(), part(y, ":, ::3"));
        each(z)
    }),
];

fn part(x: &Array, index: &str) -> Array {
    x.select(&parse_index(index).unwrap())
}

fn bits(x: &Array) -> (Vec<usize>, Vec<u8>) {
    let tensor = x.eval().unwrap();
    let bytes = match tensor.as_bytes() {
        Some(bytes) => bytes.to_vec(),
        None => bytemuck::cast_slice(&tensor.to_vec::<f32>().unwrap()).to_vec(),
    };
    (tensor.shape().to_vec(), bytes)
}

/// Fused or one by one, by one thread or by several, of arrays in order or of views of others.
#[test]
fn the_same_bits_any_way() {
    let _alone = alone();
    for shape in [[3, 5], [260, 700], [1100, 300]] {
        let (x, y, r) = (numbers(&shape), numbers(&shape) + 0.1, numbers(&shape[1..]));
        // The same values as views: across, backwards, every second.
        let across = x.transpose(&[1, 0]).reshape(&[shape[0] * shape[1]]);
        let across = across.reshape(&[shape[1], shape[0]]).transpose(&[1, 0]);
        let backwards = part(&part(&y, "::-1, ::-1").reshape(&shape), "::-1, ::-1");
        let second = part(&r.repeat(2, 0), "1::2");
        for (name, make) in EXPRESSIONS {
            if name == "distances" && shape[0] < 60 {
                continue;
            }
            set_threads(1);
            let fused = bits(&make(&x, &y, &r, &|node| node));
            let by_itself = |node: Array| {
                node.eval().unwrap();
                node
            };
            assert_eq!(bits(&make(&x, &y, &r, &by_itself)), fused, "{name} {shape:?}, node by node");
            assert_eq!(bits(&make(&across, &backwards, &second, &|node| node)), fused, "{name}, views");
            set_threads(4);
            for _ in 0..3 {
                assert_eq!(bits(&make(&x, &y, &r, &|node| node)), fused, "{name} {shape:?}, 4 threads");
            }
            assert_eq!(bits(&make(&across, &y, &second, &by_itself)), fused, "{name}, views, 4 threads");
        }
    }
    set_threads(2);
}

/// A result so large that it is stored past the cache, written by several threads.
#[test]
fn a_large_result() {
    let _alone = alone();
    set_threads(3);
    let (rows, columns) = (3000, 3001);
    let column = Array::iota(rows, DType::I32).expand(1);
    let sum = &column * 10_000 + Array::iota(columns, DType::I32);
    let elements = sum.to_vec::<i32>().unwrap();
    assert_eq!(elements.len(), rows * columns);
    let expected = (0..3000).flat_map(|row| (0..3001).map(move |column| row * 10_000 + column));
    assert!(elements.into_iter().eq(expected));
    let turned = sum.transpose(&[1, 0]).convert(DType::U32).select(&parse_index("7, 5:8").unwrap());
    assert_eq!(turned.to_vec::<u32>().unwrap(), [50_007, 60_007, 70_007]);
    // One element further on in memory, where no row begins on a line of the cache, and a function of one argument.
    let last = rows * columns;
    let mut shifted = Array::full(&[last + 1], 9, DType::I32);
    shifted.set(&parse_index("1:").unwrap(), (&sum - 1).reshape(&[last]));
    let negative = (-&shifted).to_vec::<i32>().unwrap();
    let expected = (0..3000).flat_map(|row| (0..3001).map(move |column| 1 - row * 10_000 - column));
    assert!(negative.into_iter().eq(std::iter::once(-9).chain(expected)));
    // Short elements, in rows of an odd length, which a column and a row of them make.
    let (rows, columns) = (5000, 5003);
    let short = |count, by| (Array::iota(count, DType::I32) % by).convert(DType::U8);
    let bytes = (short(rows, 200).expand(1) + short(columns, 56)).to_vec::<u8>().unwrap();
    let row = |row: usize| (0..columns).map(move |column| row % 200 + column % 56);
    assert!(bytes.into_iter().map(usize::from).eq((0..rows).flat_map(row)));
    set_threads(2);
}

/// Operands so large that what is read and written next is asked for ahead: up to the last element, in rows and folds.
#[test]
fn more_than_the_caches_hold() {
    let _alone = alone();
    let (a, b, c) = (7, 100, 3143);
    let x = Array::iota(a * b * c, DType::I64).reshape(&[a, b, c]);
    let y = &x * 3 - 5_000_000;
    ndcast::eval(&[&x, &y]).unwrap();
    let (xs, ys) = (x.to_vec::<i64>().unwrap(), y.to_vec::<i64>().unwrap());
    let pairs = || xs.iter().zip(&ys);
    let twice = Array::iota(2 * a * b * c, DType::I64);
    twice.eval().unwrap();
    for threads in [1, 3] {
        set_threads(threads);
        assert!((&x + &y).to_vec::<i64>().unwrap().into_iter().eq(pairs().map(|(x, y)| x + y)));
        let row = part(&y, "0, 0");
        let rows = ((&x - &row) * &y).to_vec::<i64>().unwrap();
        assert!(rows.into_iter().eq(pairs().zip(ys[..c].iter().cycle()).map(|((x, y), r)| (x - r) * y)));
        let backwards = part(&x, "::-1, ::-1, ::-1") * &y;
        assert!(
            backwards.to_vec::<i64>().unwrap().into_iter().eq(xs.iter().rev().zip(&ys).map(|(x, y)| x * y))
        );
        let steps = part(&twice, "1::2").reshape(&[a, b, c]) + &y;
        assert!(steps.to_vec::<i64>().unwrap().into_iter().eq(pairs().map(|(x, y)| 2 * x + 1 + y)));
        let mut changed = y.clone();
        changed.update(Op::Multiply, Place::Whole, &x);
        assert!(changed.to_vec::<i64>().unwrap().into_iter().eq(pairs().map(|(x, y)| x * y)));
        let folded = |axes: &[usize]| (&x * &y).sum(axes, Keep::Nothing).to_vec::<i64>().unwrap();
        let (mut columns, mut rows, mut middle) = (vec![0; b * c], vec![0; a * b], vec![0; b]);
        for (at, (x, y)) in pairs().enumerate() {
            columns[at % (b * c)] += x * y;
            rows[at / c] += x * y;
            middle[at / c % b] += x * y;
        }
        assert!(folded(&[0]) == columns && folded(&[2]) == rows && folded(&[0, 2]) == middle);
        assert_eq!(folded(&[0, 1, 2]), [pairs().map(|(x, y)| x * y).sum::<i64>()]);
    }
    set_threads(2);
}

/// Sixteen threads evaluate the same expressions at once, from both ends.
#[test]
fn shared_expressions() {
    let _alone = alone();
    set_threads(3);
    for round in 0..20u8 {
        let x = Array::iota(3000, DType::I64) + i64::from(round);
        let mut nodes = vec![x];
        for step in 0..30usize {
            let last = &nodes[step];
            let next = match step % 4 {
                0 => last + &nodes[step / 2],
                1 => part(last, "::-1"),
                2 => last - &last.min([0], Keep::Axes),
                _ => last.bitwise_xor(last.roll(7, 0)),
            };
            nodes.push(next);
        }
        let results: Vec<Vec<i64>> = thread::scope(|scope| {
            let nodes = &nodes;
            let run = |first: usize| {
                move || {
                    let mut all = vec![];
                    for at in 0..nodes.len() {
                        let at = (at * 7 + first) % nodes.len();
                        all.push((at, nodes[at].to_vec::<i64>().unwrap()[at * 9]));
                    }
                    all.sort_unstable();
                    all.into_iter().map(|(_, value)| value).collect()
                }
            };
            let threads: Vec<_> = (0..16).map(|thread| scope.spawn(run(thread * 2))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(results.iter().all(|result| *result == results[0]), "round {round}");
    }
    set_threads(2);
}

/// Threads change their own handles of one lazy array in place, while others read it.
#[test]
fn own_handles_changed_in_place() {
    let _alone = alone();
    set_threads(3);
    let usage = Pool::global().usage().in_use;
    {
        let lazy = Array::iota(2000, DType::I64) * 3;
        thread::scope(|scope| {
            for thread in 0..12i64 {
                let mut own = lazy.clone();
                let shared = &lazy;
                scope.spawn(move || {
                    for round in 0..60 {
                        own.update(Op::Add, Place::At(&parse_index("1::2").unwrap()), thread);
                        if round % 3 == 0 {
                            let before = part(&own, ":-1");
                            own.update(Op::Maximum, Place::At(&parse_index("1:").unwrap()), &before);
                            assert_eq!(before.to_vec::<i64>().unwrap()[0], 0);
                        }
                        if round % 5 == 0 {
                            own.eval().unwrap();
                        }
                        if round % 20 == 0 {
                            own = shared.clone();
                        }
                    }
                    // Since the last fresh start: 19 rounds.
                    let elements = own.to_vec::<i64>().unwrap();
                    assert_eq!(elements[1], 3 + 19 * thread);
                    assert_eq!(shared.to_vec::<i64>().unwrap()[1999], 1999 * 3);
                });
            }
        });
    }
    assert_eq!(Pool::global().usage().in_use, usage, "memory was not given back");
    set_threads(2);
}

/// One update of an array that nobody else has, evaluated by many threads at once: done once, seen by all.
#[test]
fn one_update_wanted_by_many() {
    let _alone = alone();
    set_threads(2);
    for round in 0..200 {
        let mut x = Array::new(&[1500], &[1i64; 1500]);
        for _ in 0..3 {
            x.update(Op::Add, Place::At(&parse_index("::2").unwrap()), round);
        }
        let twice = &x * 2;
        thread::scope(|scope| {
            for thread in 0..6 {
                let wanted = if thread % 2 == 0 { &x } else { &twice };
                let factor = 1 + i64::from(thread % 2);
                scope.spawn(move || {
                    let elements = wanted.to_vec::<i64>().unwrap();
                    assert_eq!(elements[..2], [factor * (1 + 3 * round), factor]);
                });
            }
        });
    }
}

/// Chains that are far deeper than a stack, grown lazily, evaluated and dropped, on a thread with the usual stack.
#[test]
fn deep_chains() {
    let _alone = alone();
    let usage = Pool::global().usage().in_use;
    let chain = || {
        let mut x = Array::new(&[3], &[0i64, 1, 2]);
        let first = x.clone();
        for _ in 0..100_000 {
            x = &x + 1;
        }
        assert_eq!(x.to_vec::<i64>().unwrap(), [100_000, 100_001, 100_002]);
        for _ in 0..100_000 {
            x += &first;
        }
        assert_eq!(x.to_vec::<i64>().unwrap(), [100_000, 200_001, 300_002]);
        // Never looked at.
        for step in 0..20_000 {
            x = if step % 2 == 0 { part(&x, "::-1") } else { x.negative() };
        }
        drop(x);
        let mut in_place = first.clone();
        let index = parse_index("1").unwrap();
        for _ in 0..20_000 {
            in_place.update(Op::Add, Place::At(&index), 2);
        }
        assert_eq!(in_place.to_vec::<i64>().unwrap(), [0, 40_001, 2]);
        assert_eq!(first.to_vec::<i64>().unwrap(), [0, 1, 2]);
        // Every node is used twice: as a tree it would have 2^1000 leaves.
        let mut wide = first.clone();
        for _ in 0..1000 {
            wide = wide.bitwise_xor(&wide + 1);
        }
        wide.eval().unwrap();
        // All kept, and dropped from the first on.
        let mut kept = vec![first];
        for at in 0..20_000 {
            let next = &kept[at] + 1;
            kept.push(next);
        }
        assert_eq!(kept[20_000].to_vec::<i64>().unwrap()[0], 20_000);
        drop(kept);
    };
    thread::spawn(chain).join().unwrap();
    assert_eq!(Pool::global().usage().in_use, usage, "memory was not given back");
}

/// Several blocks of rows are computed as one where there are few threads.
#[test]
fn products_are_the_same_in_blocks_of_any_height() {
    let _alone = alone();
    for (rows, depth, columns) in
        [(128, 128, 128), (300, 700, 70), (600, 520, 260), (520, 5000, 130), (1090, 20, 258), (1100, 9, 1030)]
    {
        for dtype in [DType::F32, DType::F64, DType::C64, DType::I16] {
            let of = |shape: &[usize]| (numbers(shape) * 100.0).convert(dtype).copy();
            let (a, b) = (of(&[rows, depth]), of(&[depth, columns]));
            let made = [1, 2, 64].map(|threads| {
                set_threads(threads);
                a.matmul(&b).eval().unwrap().as_bytes().unwrap().to_vec()
            });
            assert!(
                made.iter().all(|bytes| *bytes == made[0]),
                "{dtype} {rows}x{depth} with {depth}x{columns}"
            );
        }
    }
    set_threads(2);
}
