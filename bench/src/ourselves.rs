//! What is compared with ourselves: all threads with one, and whole expressions with one operation at a time. And how
//! much memory a fused sum takes.

use ndcast::buffer::Pool;
use ndcast::{Array, DType, Keep};

use crate::Bench;
use crate::data::Source;
use crate::report::{Kind, Line};
use crate::timing::in_turns;

/// A chain of operations, made with something done between each two.
type Chain = fn(&Inputs, &dyn Fn(Array) -> Array) -> Array;

/// What chains are made of.
struct Inputs {
    matrix: Array,
    row: Array,
    column: Array,
}

impl Inputs {
    fn new(rows: usize) -> Inputs {
        let mut data = Source::default();
        Inputs {
            matrix: data.floats(&[rows, 1024]),
            row: data.positive(&[1024]),
            column: data.positive(&[rows, 1]),
        }
    }
}

/// All threads against one, where memory is not what is slow.
const SCALING: &[(&str, Chain)] = &[
    ("exp chain", |x, _| (((&x.matrix * 0.5).exp() + 1.0).log() * 2.0).tanh()),
    ("rbf", |x, _| (-(&x.column - &x.row).square()).exp()),
    ("positional encoding", |x, _| (&x.column * &x.row).sin()),
];

/// And where it is.
const BANDWIDTH: (&str, Chain) = ("add", |x, _| &x.matrix + &x.row);

/// Fused against one by one.
const FUSED: &[(&str, Chain)] = &[
    ("x * s + t", |x, step| step(step(&x.matrix * &x.row) + &x.column)),
    ("layer norm apply", |x, step| {
        step(step(step(step(&x.matrix - &x.column) * &x.column) * &x.row) + &x.row)
    }),
    ("exp(row) * x", |x, step| step(step(x.row.exp()) * &x.matrix)),
    ("exp(column) * x", |x, step| step(step(x.column.exp()) * &x.matrix)),
    ("sum of squares", |x, step| step(step(step(&x.matrix - &x.row).square()).sum([1], Keep::Nothing))),
    ("gelu by hand", |x, step| {
        let inner = step(step(step(&x.matrix * &x.matrix) * 0.044_715) + 1.0);
        let inner = step(step(step(inner * &x.matrix) * 0.797_884_6).tanh());
        step(step(step(inner + 1.0) * &x.matrix) * 0.5)
    }),
];

pub(crate) fn measure(bench: &mut Bench, threads: usize) {
    let scaled = SCALING.iter().map(|scaling| (scaling, Kind::Threads(threads)));
    for (&(name, chain), kind) in scaled.chain([(&BANDWIDTH, Kind::Ourselves)]) {
        let name = format!("{threads} threads (not 1): {name}");
        if threads > 1 && bench.wants(&name) {
            for rows in [256, 4096] {
                let label = format!("{rows}x1024");
                bench.guarded(&name, &label, |bench| {
                    scaling(bench, [&name, &label], kind, chain, &Inputs::new(rows), threads)
                });
                ndcast::threads::set_threads(threads);
            }
        }
    }
    for &(name, chain) in FUSED {
        let name = format!("fused (not one by one): {name}");
        if bench.wants(&name) {
            for rows in [256, 4096] {
                let label = format!("{rows}x1024");
                bench.guarded(&name, &label, |bench| fused(bench, &name, &label, chain, &Inputs::new(rows)));
            }
        }
    }
}

fn compute(array: &Array) {
    drop(std::hint::black_box(array.eval()));
}

/// Ourselves in two ways, the second in the place of the peer.
fn compared(bench: &mut Bench, [name, label]: [&str; 2], kind: Kind, ways: [&mut dyn FnMut(); 2]) {
    let [ours, theirs] = in_turns(bench.budget, ways);
    bench.report.add(Line {
        kind,
        name: name.to_owned(),
        scale: label.to_owned(),
        ours,
        theirs: Some(theirs),
        there: None,
        by_hand: None,
        limit: None,
    });
}

fn scaling(
    bench: &mut Bench,
    names: [&str; 2],
    kind: Kind,
    chain: Chain,
    inputs: &Inputs,
    threads: usize,
) -> Result<(), String> {
    chain(inputs, &|array| array).eval().map_err(|error| error.to_string())?;
    let by = |threads: usize| {
        move || {
            ndcast::threads::set_threads(threads);
            compute(&chain(inputs, &|array| array));
        }
    };
    compared(bench, names, kind, [&mut by(threads), &mut by(1)]);
    Ok(())
}

fn fused(bench: &mut Bench, name: &str, label: &str, chain: Chain, inputs: &Inputs) -> Result<(), String> {
    let step = |array: Array| {
        compute(&array);
        array
    };
    let (one, other) = (chain(inputs, &|array| array), chain(inputs, &step));
    let difference =
        (&one - &other).abs().max((0..one.rank().unwrap_or(0)).collect::<Vec<_>>(), Keep::Nothing);
    let difference = difference.item::<f32>().map_err(|error| error.to_string())?;
    if difference > 1e-3 {
        return Err(format!("fused and one by one differ by {difference}"));
    }
    compared(
        bench,
        [name, label],
        Kind::Ourselves,
        [&mut || compute(&chain(inputs, &|array| array)), &mut || compute(&chain(inputs, &step))],
    );
    Ok(())
}

/// The points of which all distances are computed.
const POINTS: usize = 6000;

/// How much memory their sums take. The peak is of the whole process, so nothing else may come before.
pub(crate) fn memory(bench: &mut Bench) {
    let name = "memory of pairwise distances";
    if bench.wants(name) {
        bench.guarded(name, "6000", distances);
    }
}

fn distances(bench: &mut Bench) -> Result<(), String> {
    let mut data = Source::default();
    let (a, b) = (data.floats(&[POINTS, 1, 64]), data.floats(&[1, POINTS, 64]));
    let before = Pool::global().usage();
    let start = std::time::Instant::now();
    let distances = (&a - &b).square().sum([2], Keep::Nothing);
    distances.eval().map_err(|error| error.to_string())?;
    let took = start.elapsed();
    let after = Pool::global().usage();
    let result = POINTS * POINTS * DType::F32.size().unwrap_or(4);
    bench.report.say(&format!(
        "memory of pairwise distances of {POINTS}: in use before {} MiB, peak {} MiB, the result {} MiB; {took:?}",
        before.in_use >> 20,
        after.peak >> 20,
        result >> 20,
    ));
    Ok(())
}
