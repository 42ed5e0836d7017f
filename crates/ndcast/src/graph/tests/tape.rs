//! Gradients of what was done to arrays, beside differences of it.

use ndcast_shape::parse_index;

use crate::array::lend;
use crate::graph::Tape;
use crate::reduction::Reduction;
use crate::{Array, DType, Direction, Error, Keep, Op};

type Function = fn(&Array) -> Array;

fn index(text: &str) -> Vec<ndcast_shape::Index> {
    parse_index(text).unwrap_or_default()
}

fn whole(x: &Array) -> Array {
    let axes: Vec<usize> = (0..x.rank().unwrap_or(0)).collect();
    x.sum(&axes, Keep::Nothing)
}

/// A sum in which every element counts differently.
fn weighed(x: &Array) -> Array {
    let shape = x.shape().unwrap_or_default().to_vec();
    let weights = Array::iota(shape.iter().product(), DType::F64).reshape(&shape) * 0.7 + 1.0;
    whole(&(x * &weights))
}

fn gradient(of: impl Fn(&Array) -> Array, at: &Array) -> Result<Array, Error> {
    let tape = Tape::new(&[at])?;
    let result = of(&tape.watched()[0]);
    Ok(tape.gradients(&result)?.remove(0))
}

/// The elements of the gradient as differences say.
fn differences(of: &dyn Fn(&Array) -> Array, at: &Array) -> Result<Vec<f64>, Error> {
    const STEP: f64 = 1e-5;
    let (elements, shape) = (at.to_vec::<f64>()?, at.shape()?.to_vec());
    let moved = |place: usize, by: f64| {
        let mut elements = elements.clone();
        elements[place] += by;
        of(&Array::new(&shape, &elements)).item::<f64>()
    };
    (0..elements.len()).map(|place| Ok((moved(place, STEP)? - moved(place, -STEP)?) / (2.0 * STEP))).collect()
}

const FUNCTIONS: &[(&str, Function)] = &[
    ("broadcast", |x| x * &x.sum([1], Keep::Axes) + x.select(&index("0"))),
    ("stretched", |x| x.expand(1).broadcast_to(&[2, 4, 3]).exp()),
    ("transposed", |x| x.transpose(&[1, 0]).reshape(&[2, 3]) * x),
    ("squeezed", |x| x.expand(0).expand(2).squeeze([0]).sin() * 2.0),
    ("slices", |x| x.select(&index("1, ::-2")) * x.select(&index("0, 1:")) + x.select(&index("1:, :1"))),
    ("nothing", |x| x.select(&index("5:")).sum([0], Keep::Nothing) + x),
    ("rows", |x| x.select(&index("0")).tanh() * x.select(&index("-1")) + x.select(&index("0")).square()),
    ("columns", |x| {
        x.select(&index(":, 2")) * x.select(&index(":, 0")) + x.select(&index(":, 1:")).select(&index(":, 0"))
    }),
    ("parts that overlap", |x| {
        x.select(&index(":, :2")) * x.select(&index(":, 1:")) * x.select(&index(":, :1"))
    }),
    ("rows and columns", |x| {
        x.select(&index("0, 1"))
            * x.select(&index("1"))
            * x.select(&index("0, ::2")).exp().select(&index("1"))
    }),
    ("flipped", |x| x.flip([0, 1]) * x),
    ("diagonal", |x| x.diagonal(1).exp()),
    ("rolled", |x| x.roll(1, 1) * x),
    ("stacked", |x| Array::stack(&[x, &x.exp()], 1)),
    ("padded", |x| x.pad(&[(1, 0), (0, 2)], 3).square()),
    ("tiled", |x| x.tile(&[2, 2]).reshape(&[24]).square()),
    ("converted", |x| x.convert(DType::F32).convert(DType::F64) + x),
    ("mean and deviation", |x| (x - &x.mean([0], Keep::Axes)) / x.std([1], 1.0, Keep::Axes)),
    ("greatest", |x| x.max([1], Keep::Nothing) - x.min([0, 1], Keep::Nothing)),
    ("product", |x| x.prod([1], Keep::Nothing)),
    ("logarithm of a sum", |x| x.logsumexp([1], Keep::Nothing)),
    ("matrices", |x| x.matmul(&x.transpose(&[1, 0])).matmul(x)),
    ("vectors", |x| x.matmul(&x.select(&index("0"))) + x.select(&index("1")).matmul(&x.transpose(&[1, 0]))),
    ("crossed", |x| x.cross(&x.flip([0]), 1)),
    ("contracted", |x| x.tensordot(&x.exp(), &[0], &[0]) + x.vecdot(x, 1).sum([0], Keep::Nothing)),
    ("einsum", |x| Array::einsum("ij,ij,kj->ik", &[x, x, &x.exp()])),
    ("running", |x| x.cumulative_sum(1).square()),
    ("running greatest", |x| x.accumulate(Reduction::Max, 0).square()),
    ("taken", |x| x.take(&Array::new(&[4], &[2i64, 0, 2, -1]), 1).square()),
    ("taken along", |x| x.take_along_axis(&Array::new(&[2, 2], &[2i64, 0, 1, 1]), 1).square()),
    ("sorted", |x| x.sort(1, Direction::Descending)),
    ("put", |x| x.put(&[4, 0], x.select(&index("0, :2")).exp())),
    ("chosen", |x| x.greater(Array::scalar(1.0)).choose(x.square(), x.exp())),
    ("clipped", |x| x.maximum(1.0).minimum(x.select(&index("0, 1")))),
    ("several uses", |x| x + x * x - x / (x + 3.0)),
    ("powers", |x| x.square().pow(1.5) + Array::apply(Op::Pow, &[2.0.into(), x.into()])),
    ("without numbers", |x| x.nansum([0], Keep::Nothing) * x.nanmean([0, 1], Keep::Nothing)),
    ("folded of nothing", |x| x.sum([], Keep::Nothing)),
    ("set", |x| {
        let mut y = x.square();
        y.set(&index("0, 1:"), x.select(&index("1, :2")));
        y.update(Op::Multiply, crate::Place::At(&index("1")), x.select(&index("0")));
        y += x;
        y *= 2.0;
        y
    }),
    ("assigned", |x| {
        let mut y = x.clone();
        y.assign(x.select(&index("0")).exp());
        y.update(Op::Add, crate::Place::Whole, x);
        y
    }),
    ("looked at", |x| {
        let y = x.exp();
        let sum = whole(&y).item::<f64>().unwrap_or(0.0);
        if sum > 0.0 { y.reshape(&[6]) * &x.reshape(&[6]) } else { y }
    }),
    ("deep", |x| (0..600).fold(x.clone(), |y, _| y.sin() * 1.01 + 0.001)),
];

#[test]
fn gradients_are_what_differences_say() -> Result<(), Error> {
    let at = Array::new(&[2, 3], &[0.9, 1.3, -0.4, 1.7, 0.6, 2.2]);
    let mut wrong = vec![];
    for (name, function) in FUNCTIONS {
        // A conversion to f32 and back is no smooth function.
        let near = if *name == "converted" { 1e-2 } else { 1e-6 };
        let of = |x: &Array| weighed(&function(x));
        let found = gradient(of, &at).and_then(|gradient| gradient.to_vec::<f64>());
        let wanted = differences(&of, &at)?;
        let same = |found: &Vec<f64>| {
            found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() <= near * (1.0 + b.abs()))
        };
        if !found.as_ref().is_ok_and(same) {
            wrong.push(format!("{name}: {found:?}, not {wanted:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn gradients_of_gradients() -> Result<(), Error> {
    let at = Array::new(&[3], &[0.5, -1.0, 2.0]);
    let cube = |x: &Array| whole(&(x * x * x));
    let of_gradient =
        |x: &Array| gradient(cube, x).map_or_else(|error| Err(error).into(), |g| whole(&(&g * x)));
    // d(sum of 3x^3) = 9x^2.
    assert_eq!(gradient(of_gradient, &at)?.to_vec::<f64>()?, [2.25, 9.0, 36.0]);
    // An outer array is a constant to the inner tape, and none to the outer one.
    let mixed =
        |y: &Array| gradient(|x| whole(&(x * y * y)), &at).map_or_else(|e| Err(e).into(), |g| whole(&g));
    assert_eq!(gradient(mixed, &at)?.to_vec::<f64>()?, [1.0, -2.0, 4.0]);
    // What a tangent that no longer grows is multiplied with is finite, also where its square would not be.
    let far = Array::new(&[3], &[-300.0, 0.0, 300.0]).convert(DType::F16);
    let slope = gradient(|x| whole(&Array::apply(Op::GeluTanh, &[x.into()])), &far)?;
    assert_eq!(slope.convert(DType::F64).to_vec::<f64>()?, [0.0, 0.5, 1.0]);
    // The second of three is 0, by whose derivative it is differentiated.
    let second = |of: Function, at: &[f64]| {
        let of_second =
            |x: &Array| gradient(of, x).map_or_else(|e| Err(e).into(), |g| whole(&g.between(0, 1, 2)));
        gradient(of_second, &Array::new(&[3], at))?.to_vec::<f64>()
    };
    let norm: Function = |x| x.vector_norm([0], 2.0, Keep::Nothing);
    assert_eq!(second(norm, &[3.0, 0.0, 4.0])?, [0.0, 0.2, 0.0]);
    assert_eq!(second(|x| whole(&x.cumulative_prod(0)), &[2.0, 0.0, 3.0])?, [4.0, 0.0, 2.0]);
    Ok(())
}

#[test]
fn what_has_no_gradient_says_so() -> Result<(), Error> {
    let x = Array::new(&[2, 2], &[1.0, 2.0, 3.0, 4.0]);
    let refused = |of: Function| gradient(of, &x).map_err(|error| error.to_string());
    assert!(refused(|x| x.bitcast(DType::F64)).is_err_and(|text| text.contains("gradient of bitcast")));
    assert!(refused(|x| x.convert(DType::C128).abs()).is_err_and(|text| text.contains("complex")));
    assert!(refused(|x| x.convert(DType::I64)).is_err_and(|text| text.contains("i64")));
    let whole = Array::new(&[1], &[1i64]);
    assert!(Tape::new(&[&whole]).is_err_and(|error| error.to_string().contains("array 0 is i64")));
    // What does not change with it, or only by jumps, has zeros.
    for of in [
        |_: &Array| Array::scalar(3.0),
        |x: &Array| x.floor(),
        |x: &Array| x.convert(DType::I64).convert(DType::F64),
    ] {
        assert_eq!(gradient(of, &x)?.to_vec::<f64>()?, [0.0; 4]);
    }
    Ok(())
}

#[test]
fn an_array_is_watched_as_long_as_its_tape_is_there() -> Result<(), Error> {
    let x = Array::scalar(2.0);
    let tape = Tape::new(&[&x])?;
    let y = tape.watched()[0].exp();
    assert!(y.is_watched() && !x.is_watched() && !y.unwatched().is_watched());
    assert!(!y.greater(&x).is_watched());
    drop(tape);
    assert!(!y.is_watched() && !(&y + 1.0).is_watched());
    assert_eq!(y.item::<f64>()?, 2f64.exp());
    Ok(())
}

/// What is made of a watched array and of a lent one has the gradient that it would have without the loan.
#[test]
fn gradients_beside_what_is_lent() -> Result<(), Error> {
    let gradient = |x: &Array, f: fn(&Array, &Array) -> Array| -> Result<Vec<f64>, Error> {
        let tape = Tape::new(&[&Array::new(&[3], &[0.5, -1.0, 2.0])])?;
        let value = f(x, &tape.watched()[0]).sum(.., Keep::Nothing);
        tape.gradients(&value)?[0].to_vec()
    };
    let floats = |x: &Array| x.convert(DType::F64);
    let functions: [fn(&Array, &Array) -> Array; 6] = [
        |x, w| Array::as_one_operation(&[x], || x.convert(DType::F64) * w),
        |x, w| Array::as_one_operation(&[x], || x.convert(DType::F64).matmul(w)),
        |x, w| Array::as_one_operation(&[x], || x.convert(DType::F64).vecdot(w, 1)),
        |x, w| Array::as_one_operation(&[x], || x.convert(DType::F64).tensordot(w, &[1], &[0])),
        |x, w| Array::as_one_operation(&[x], || Array::einsum("ij,j->i", &[&x.convert(DType::F64), w])),
        |x, w| Array::as_one_operation(&[x], || (x.convert(DType::F64) * w).sum([1], Keep::Nothing).square()),
    ];
    for rows in [2, 9_000] {
        let (_shared, x) = lend(rows)?;
        let own = Array::from(floats(&x).eval()?);
        for (place, f) in functions.into_iter().enumerate() {
            let (found, expected) = (gradient(&x, f)?, gradient(&own, f)?);
            assert_eq!(found, expected, "{place} of {rows} rows");
            assert!(found.iter().all(|&d| d != 0.0), "{place}: {found:?}");
        }
    }
    Ok(())
}
