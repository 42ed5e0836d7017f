//! Every way to write a broadcast of two axes: rows and columns, short and long, of every element size, against a
//! plain loop over as many bytes: a fill, unless what is repeated is as large as what is written.

use ndcast::{Array, Tensor};
use num_complex::Complex;

use crate::Bench;
use crate::data::Source;
use crate::limit::Traffic;
use crate::peer::Close;
use crate::report::{Kind, Line};
use crate::timing::in_turns;

const EXTENTS: [usize; 8] = [1, 2, 3, 4, 8, 16, 64, 1024];

/// Which way an operand is stretched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// `(k,)` to `(n, k)`.
    Row,
    /// `(n, 1)` to `(n, k)`.
    Column,
}

pub(crate) fn measure(bench: &mut Bench) {
    for way in [Way::Row, Way::Column] {
        for bytes in [1usize << 20, 64 << 20] {
            for extent in EXTENTS {
                one(bench, way, bytes, extent, |unit| unit < 0.5);
                one(bench, way, bytes, extent, |unit| i16::from(unit < 0.5));
                one(bench, way, bytes, extent, |unit| unit);
                one(bench, way, bytes, extent, f64::from);
                one(bench, way, bytes, extent, |unit| Complex::new(f64::from(unit), 1.0));
            }
        }
    }
}

fn one<T: Close>(bench: &mut Bench, way: Way, bytes: usize, extent: usize, each: impl Fn(f32) -> T) {
    let size = size_of::<T>();
    let name = match way {
        Way::Row => format!("materialise {size} B: [{extent}] to [n,{extent}]"),
        Way::Column => format!("materialise {size} B: [n,1] to [n,{extent}]"),
    };
    if !bench.wants(&name) {
        return;
    }
    let label = format!("{} MiB", bytes >> 20);
    let count = bytes / size / extent;
    let from =
        Source::default().of(if way == Way::Row { vec![1, extent] } else { vec![count, 1] }.as_slice(), each);
    bench.guarded(&name, &label, |bench| repeated::<T>(bench, &name, &label, &from, [count, extent]));
}

fn repeated<T: Close>(
    bench: &mut Bench,
    name: &str,
    label: &str,
    from: &Array,
    shape: [usize; 2],
) -> Result<(), String> {
    let mut to = Array::from(Tensor::zeros(&shape, T::DTYPE));
    to.assign(from);
    let result = to.to_vec::<T>().map_err(|error| error.to_string())?;
    let source = from.to_vec::<T>().map_err(|error| error.to_string())?;
    let is_column = from.shape().is_ok_and(|own| own[0] == shape[0]);
    let from_place = |place: usize| if is_column { place / shape[1] } else { place % shape[1] };
    if let Some(place) = (0..result.len()).find(|&place| !result[place].is_close(source[from_place(place)])) {
        return Err(format!("element {place} of {shape:?} is {:?}", result[place]));
    }
    let traffic = Traffic { read: source.len() * size_of::<T>(), written: result.len() * size_of::<T>() };
    drop(result);
    let way = bench.limits.best(traffic);
    let limits = &mut bench.limits;
    let mut ours = || {
        to.assign(from);
        drop(std::hint::black_box(to.eval()));
    };
    let [ours, limit] = in_turns(bench.budget, [&mut ours, &mut || limits.run(way)]);
    bench.report.add(Line {
        kind: Kind::Materialise,
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
