//! Layouts of an addition and of folds, each against the same of as many dense elements: none may fall off a cliff.

use ndcast::reduction::Reduction;
use ndcast::shape::parse_index;
use ndcast::{Array, DType, Keep};

use crate::Bench;
use crate::data::Source;
use crate::report::{Kind, Line};
use crate::timing::in_turns;

/// A layout: its name, and the two operands with so many elements, the first of a result.
type Layout = (&'static str, fn(&mut Source, usize) -> (Array, Array));

fn select(array: &Array, index: &str) -> Array {
    array.select(&parse_index(index).unwrap_or_default())
}

const LAYOUTS: &[Layout] = &[
    ("a row", |data, n| (data.floats(&[n / 1024, 1024]), data.floats(&[1024]))),
    ("a column", |data, n| (data.floats(&[n / 1024, 1024]), data.floats(&[n / 1024, 1]))),
    ("2 channels last", |data, n| (data.floats(&[n / 2, 2]), data.floats(&[2]))),
    ("3 channels last", |data, n| (data.floats(&[n / 3, 3]), data.floats(&[3]))),
    ("7 channels last", |data, n| (data.floats(&[n / 7, 7]), data.floats(&[7]))),
    ("columns of 2", |data, n| (data.floats(&[n / 2, 2]), data.floats(&[n / 2, 1]))),
    ("columns of 3", |data, n| (data.floats(&[n / 3, 3]), data.floats(&[n / 3, 1]))),
    ("columns of 5", |data, n| (data.floats(&[n / 5, 5]), data.floats(&[n / 5, 1]))),
    ("columns of 17", |data, n| (data.floats(&[n / 17, 17]), data.floats(&[n / 17, 1]))),
    ("columns of 100", |data, n| (data.floats(&[n / 100, 100]), data.floats(&[n / 100, 1]))),
    ("channels in the middle", |data, n| (data.floats(&[n / 6272, 32, 196]), data.floats(&[32, 1]))),
    ("rows of 5 in 3 axes", |data, n| (data.floats(&[n / 300, 60, 5]), data.floats(&[n / 300, 1, 5]))),
    ("one transposed", |data, n| {
        (data.floats(&[n / 1024, 1024]), data.floats(&[1024, n / 1024]).transpose(&[1, 0]))
    }),
    ("one transposed, in steps of 2", |data, n| {
        let wide = data.floats(&[1024, n / 512]);
        (data.floats(&[n / 1024, 1024]), select(&wide, ":, ::2").transpose(&[1, 0]))
    }),
    ("one transposed, backwards", |data, n| {
        let backwards = select(&data.floats(&[1024, n / 1024]), ":, ::-1");
        (data.floats(&[n / 1024, 1024]), backwards.transpose(&[1, 0]))
    }),
    ("both transposed", |data, n| {
        let mut make = || data.floats(&[1024, n / 1024]).transpose(&[1, 0]);
        (make(), make())
    }),
    ("nchw + nhwc", |data, n| {
        let last = data.floats(&[n / 50_176, 56, 56, 16]);
        (data.floats(&[n / 50_176, 16, 56, 56]), last.transpose(&[0, 3, 1, 2]))
    }),
    ("one in steps of 2", |data, n| (data.floats(&[n]), select(&data.floats(&[n * 2]), "::2"))),
    ("one in steps of 3, rows", |data, n| {
        (data.floats(&[n / 1024, 1024]), select(&data.floats(&[n / 1024, 3072]), ":, ::3"))
    }),
    ("one backwards", |data, n| (data.floats(&[n]), select(&data.floats(&[n]), "::-1"))),
    ("both backwards", |data, n| (select(&data.floats(&[n]), "::-1"), select(&data.floats(&[n]), "::-1"))),
    ("rows backwards", |data, n| {
        (data.floats(&[n / 1024, 1024]), select(&data.floats(&[n / 1024, 1024]), "::-1"))
    }),
    ("a window", |data, n| {
        (data.floats(&[n / 1000, 1000]), select(&data.floats(&[n / 1000, 1024]), ":, 7:1007"))
    }),
    ("rank 8 alternating", |data, n| {
        let rows = n >> 14;
        (data.floats(&[rows, 1, 16, 1, 8, 1, 4, 1]), data.floats(&[1, 8, 1, 2, 1, 2, 1, 1]))
    }),
    ("f32 + u8", |data, n| {
        let bytes = data.integers(&[n], 200).convert(DType::U8);
        (data.floats(&[n]), Array::from(bytes.eval()).convert(DType::F32))
    }),
];

/// A fold of what is permuted, or a part: its name, the shape of so many elements in memory, the order of the axes, an index, and
/// what is folded.
type Fold = (&'static str, fn(usize) -> [usize; 3], [usize; 3], &'static str, fn(&Array) -> Array);

fn sum(array: &Array, axes: &[usize]) -> Array {
    array.sum(axes, Keep::Nothing)
}

const FOLDS: &[Fold] = &[
    ("all, axes backwards", |n| [8, 256, n / 2048], [2, 1, 0], "...", |x| sum(x, &[0, 1, 2])),
    ("all, channels in the middle", |n| [n / 672, 224, 3], [0, 2, 1], "...", |x| sum(x, &[0, 1, 2])),
    ("first axis of a transposed matrix", |n| [1, n / 1024, 1024], [0, 2, 1], "...", |x| sum(x, &[1])),
    ("last axis of a transposed matrix", |n| [1, n / 1024, 1024], [0, 2, 1], "...", |x| sum(x, &[2])),
    ("middle axis, axes backwards", |n| [8, 256, n / 2048], [2, 1, 0], "...", |x| sum(x, &[1])),
    ("last axis, axes backwards", |n| [8, 256, n / 2048], [2, 1, 0], "...", |x| sum(x, &[2])),
    ("every second row", |n| [2, n / 1024, 1024], [1, 0, 2], ":, 1", |x| sum(x, &[1])),
    ("half of each row", |n| [1, n / 1024, 2048], [0, 1, 2], "0, :, :1024", |x| sum(x, &[1])),
    (
        "running sum, half of each row",
        |n| [1, n / 1024, 2048],
        [0, 1, 2],
        "0, :, :1024",
        |x| x.cumulative_sum(1),
    ),
    (
        "greatest, axes backwards",
        |n| [8, 256, n / 2048],
        [2, 1, 0],
        "...",
        |x| x.reduce(Reduction::Max, [0, 1], Keep::Nothing),
    ),
    (
        "greatest, rows of 8 apart",
        |n| [n / 2048, 256, 8],
        [1, 0, 2],
        "...",
        |x| x.reduce(Reduction::Max, [1, 2], Keep::Nothing),
    ),
    (
        "place of the greatest, axes backwards",
        |n| [8, 256, n / 2048],
        [2, 1, 0],
        "...",
        |x| x.argmax(1, Keep::Nothing),
    ),
];

pub(crate) fn measure(bench: &mut Bench) {
    for &(name, shape, order, index, fold) in FOLDS {
        let name = format!("fold (not dense): {name}");
        if !bench.wants(&name) {
            continue;
        }
        bench.guarded(&name, "1 MiB", |bench| {
            let permuted = select(&Source::default().floats(&shape(1 << 18)).transpose(&order), index);
            let dense = Array::from(permuted.copy().eval());
            compare(bench, &name, "1 MiB", &|| fold(&permuted), &|| fold(&dense))
        });
    }
    for &(name, make) in LAYOUTS {
        let name = format!("layout (not dense): {name}");
        if !bench.wants(&name) {
            continue;
        }
        for (label, elements) in [("1 MiB", 1usize << 18), ("64 MiB", 1 << 24)] {
            bench.guarded(&name, label, |bench| {
                layout(bench, &name, label, make(&mut Source::default(), elements))
            });
        }
    }
}

fn layout(bench: &mut Bench, name: &str, label: &str, (a, b): (Array, Array)) -> Result<(), String> {
    let sum = (&a + &b).eval().map_err(|error| error.to_string())?;
    let mut data = Source::default();
    // A broadcast operand reads nothing more, so that its dense equivalent is an addition of a number.
    let small = |array: &Array| array.shape().map_or(0, |shape| shape.iter().product()) < sum.elements() / 2;
    let dense = data.floats(&[sum.elements()]);
    let other = if small(&a) || small(&b) { data.floats(&[1]) } else { data.floats(&[sum.elements()]) };
    if small(&a) && small(&b) {
        return compare(bench, name, label, &|| &a + &b, &|| dense_fill(sum.elements()));
    }
    compare(bench, name, label, &|| &a + &b, &|| &dense + &other)
}

/// A result that reads nothing.
fn dense_fill(elements: usize) -> Array {
    Array::full(&[1], 1, DType::F32) + &Array::full(&[elements], 1, DType::F32)
}

fn compare(
    bench: &mut Bench,
    name: &str,
    label: &str,
    layout: &dyn Fn() -> Array,
    dense: &dyn Fn() -> Array,
) -> Result<(), String> {
    dense().eval().map_err(|error| error.to_string())?;
    let [ours, limit] = in_turns(
        bench.budget,
        [&mut || drop(std::hint::black_box(layout().eval())), &mut || {
            drop(std::hint::black_box(dense().eval()));
        }],
    );
    bench.report.add(Line {
        kind: Kind::Cliff,
        name: name.to_owned(),
        scale: label.to_owned(),
        ours,
        theirs: None,
        there: None,
        by_hand: None,
        limit: Some(limit),
    });
    Ok(())
}
