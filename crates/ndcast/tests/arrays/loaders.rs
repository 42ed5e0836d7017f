//! Every way in which an operand can lie: read as it is, computed with, folded, and written to.

use ndcast::reduction::Reduction;
use ndcast::shape::{Index, parse_index};
use ndcast::{Array, DType, Keep, Op};

use super::bits::Random;
use super::both::{Both, part};
use super::listed::Listed;

/// An operand: the shape of its memory, the index that is seen of it, the order of the axes of that, and the shape that
/// it is broadcast to.
struct Case(&'static str, &'static [usize], &'static str, &'static [usize], &'static [usize]);

const CASES: [Case; 93] = [
    Case("dense, less than a tile", &[300], "...", &[0], &[300]),
    Case("dense, a tile", &[512], "...", &[0], &[512]),
    Case("dense, more than a tile", &[10, 1000], "...", &[0, 1], &[10, 1000]),
    Case("dense, from further on", &[6000], "37:", &[0], &[5963]),
    Case("dense, axes that become one", &[4, 5, 300], "1:3", &[0, 1, 2], &[2, 5, 300]),
    Case("one element", &[], "...", &[], &[]),
    Case("constant", &[], "...", &[], &[5000]),
    Case("constant, an element from the middle", &[9, 9], "4:5, 3:4", &[0, 1], &[70, 90]),
    Case("long rows", &[5, 6000], ":, 3:5003", &[0, 1], &[5, 5000]),
    Case("long rows, backwards", &[5, 6000], "::-1, 3:5003", &[0, 1], &[5, 5000]),
    Case("long rows, the same again", &[1, 5000], "...", &[0, 1], &[4, 5000]),
    Case("long rows, of two outer axes", &[2, 3, 5000], ":, :, :4500", &[1, 0, 2], &[3, 2, 4500]),
    Case("rows of a tile of the smallest type", &[9, 4100], ":, :4096", &[0, 1], &[9, 4096]),
    Case("rows just short of a tile", &[20, 600], ":, :511", &[0, 1], &[20, 511]),
    Case("rows of just a tile", &[20, 600], ":, :512", &[0, 1], &[20, 512]),
    Case("column", &[7, 1], "...", &[0, 1], &[7, 2000]),
    Case("long column of long rows", &[3, 1], "...", &[0, 1], &[3, 9000]),
    Case("column, repeated a quarter of a tile", &[60, 1], "...", &[0, 1], &[60, 128]),
    Case("column, repeated less than that", &[60, 1], "...", &[0, 1], &[60, 127]),
    Case("column of every second, backwards", &[30, 1], "::-2", &[0, 1], &[15, 1111]),
    Case("columns of rows just too short to be rows", &[90, 1], "...", &[0, 1], &[90, 127]),
    Case("columns of the shortest rows", &[90, 1], "...", &[0, 1], &[90, 128]),
    Case("columns of rows, every second one, backwards", &[90, 1], "::-2", &[0, 1], &[45, 200]),
    Case("columns of rows, other ones around", &[6, 1, 7, 1], "...", &[0, 1, 2, 3], &[6, 5, 7, 130]),
    Case("columns of several rows each", &[9, 1, 1], "...", &[0, 1, 2], &[9, 3, 150]),
    Case("rows apart, backwards", &[60, 200], "::-1, 3:140", &[0, 1], &[60, 137]),
    Case("rows apart, again and again", &[5, 1, 300], ":, :, 7:207", &[0, 1, 2], &[5, 12, 200]),
    Case("column of rows of two runs", &[9, 1], "...", &[0, 1], &[9, 1024]),
    Case("column of rows of a run and a half", &[9, 1], "...", &[0, 1], &[9, 768]),
    Case("column of rows of many runs and a little more", &[4, 1], "...", &[0, 1], &[4, 3136]),
    Case(
        "a number for some rows of a run, and others for the next",
        &[5, 1, 1],
        "...",
        &[0, 1, 2],
        &[5, 3, 512],
    ),
    Case("64 again and again, others around", &[6, 1, 64], "...", &[0, 1, 2], &[6, 21, 64]),
    Case("rows of two runs, each again and again", &[3, 1, 1024], "...", &[0, 1, 2], &[3, 7, 1024]),
    Case("column inside", &[3, 5, 1], "...", &[0, 1, 2], &[3, 5, 700]),
    Case("column of a matrix, across", &[4, 6, 1], "...", &[1, 0, 2], &[6, 4, 700]),
    Case("columns that come back, with few whole tiles", &[2, 1], "...", &[0, 1], &[4, 2, 5000]),
    Case("more columns that come back", &[4, 1], "...", &[0, 1], &[3, 4, 1250]),
    Case("channels behind", &[3], "...", &[0], &[4000, 3]),
    Case("channels behind, backwards", &[3], "::-1", &[0], &[4000, 3]),
    Case("2 channels behind, which blocks of 64 repeat", &[2], "...", &[0], &[4000, 2]),
    Case("64 channels behind, from further on", &[100], "5:69", &[0], &[300, 64]),
    Case("32 of a matrix, each row again and again", &[7, 1, 32], "...", &[0, 1, 2], &[7, 40, 32]),
    Case("the same, and all of it again", &[1, 7, 1, 32], "...", &[0, 1, 2, 3], &[3, 7, 40, 32]),
    Case(
        "a transposed block of 4 again and again, backwards",
        &[9, 1, 2, 2],
        "::-1",
        &[0, 1, 3, 2],
        &[9, 200, 2, 2],
    ),
    Case("channels before", &[3, 1, 1], "...", &[0, 1, 2], &[2, 3, 40, 50]),
    Case("row of 512", &[512], "...", &[0], &[20, 512]),
    Case("row of 1023", &[1023], "...", &[0], &[20, 1023]),
    Case("row that is just a pattern", &[4096], "...", &[0], &[5, 4096]),
    Case("row too long for a pattern", &[4097], "...", &[0], &[5, 4097]),
    Case("pattern, other ones outside", &[2, 1, 7], "...", &[0, 1, 2], &[2, 3000, 7]),
    Case("pattern, many of them", &[50, 1, 7], "...", &[0, 1, 2], &[50, 280, 7]),
    Case("pattern of a transposed block", &[5, 3], "...", &[1, 0], &[2000, 3, 5]),
    Case("pattern with columns in it", &[3, 1], "...", &[0, 1], &[1000, 3, 4]),
    Case("pattern of patterns", &[3, 1, 4], "...", &[0, 1, 2], &[5, 3, 700, 4]),
    Case("pattern of a slice", &[20], "1::3", &[0], &[900, 7]),
    Case("pattern, too few times for a tile", &[50], "...", &[0], &[9, 50]),
    Case("matrix again and again", &[1, 40, 50], "...", &[0, 1, 2], &[8, 40, 50]),
    Case("across", &[300, 400], "...", &[1, 0], &[400, 300]),
    Case("across, long rows", &[1700, 70], "...", &[1, 0], &[70, 1700]),
    Case("across, one left over", &[513, 65], "...", &[1, 0], &[65, 513]),
    Case("across, one left over of a long tile", &[4097, 9], "...", &[1, 0], &[9, 4097]),
    Case("across, just long enough", &[256, 64], "...", &[1, 0], &[64, 256]),
    Case("across, just too short", &[255, 64], "...", &[1, 0], &[64, 255]),
    Case("across, few columns", &[1000, 4], "...", &[1, 0], &[4, 1000]),
    Case("across, too few columns", &[1000, 3], "...", &[1, 0], &[3, 1000]),
    Case("across, few columns of many", &[1000, 40], ":, 8:16", &[1, 0], &[8, 1000]),
    Case("across, columns backwards", &[300, 130], ":, ::-1", &[1, 0], &[130, 300]),
    Case("across, rows backwards", &[300, 130], "::-1", &[1, 0], &[130, 300]),
    Case("across, every second", &[300, 260], ":, ::2", &[1, 0], &[130, 300]),
    Case("across, every third backwards", &[300, 390], "::-1, ::-3", &[1, 0], &[130, 300]),
    Case("across, all backwards", &[300, 130], "::-1, ::-1", &[1, 0], &[130, 300]),
    Case("across, last axis first", &[3, 300, 70], "...", &[2, 0, 1], &[70, 3, 300]),
    Case("across, first axis last", &[300, 3, 70], "...", &[1, 2, 0], &[3, 70, 300]),
    Case("across, all axes turned", &[300, 5, 20], "...", &[2, 1, 0], &[20, 5, 300]),
    Case("across in each of several", &[4, 300, 20], "...", &[0, 2, 1], &[4, 20, 300]),
    Case("across, four axes", &[2, 270, 3, 12], "...", &[0, 3, 2, 1], &[2, 12, 3, 270]),
    Case("across, again and again", &[300, 20], "...", &[1, 0], &[3, 20, 300]),
    Case("across, again in between", &[300, 1, 20], "...", &[2, 1, 0], &[20, 3, 300]),
    Case("across every second column", &[300, 40], ":, ::2", &[1, 0], &[20, 300]),
    Case("each twice", &[900, 1], "...", &[0, 1], &[900, 2]),
    Case("each three times", &[900, 1], "...", &[0, 1], &[900, 3]),
    Case("each four times", &[900, 1], "...", &[0, 1], &[900, 4]),
    Case("each five times", &[900, 1], "...", &[0, 1], &[900, 5]),
    Case("each eight times", &[900, 1], "...", &[0, 1], &[900, 8]),
    Case("each sixteen times", &[300, 1], "...", &[0, 1], &[300, 16]),
    Case("each twenty times, backwards", &[300, 1], "::-1", &[0, 1], &[300, 20]),
    Case("every second", &[5001], "::2", &[0], &[2501]),
    Case("every third, backwards", &[9000], "::-3", &[0], &[3000]),
    Case("every fourth of short rows", &[300, 40], ":, ::4", &[0, 1], &[300, 10]),
    Case("every fifth", &[9001], "::5", &[0], &[1801]),
    Case("short rows", &[700, 9], ":, 1:6", &[0, 1], &[700, 5]),
    Case("short rows beside each other", &[3, 1000], "...", &[1, 0], &[1000, 3]),
    Case("backwards in all axes", &[20, 30, 10], "::-1, ::-1, ::-1", &[0, 1, 2], &[20, 30, 10]),
];

fn operand(case: &Case, dtype: DType, random: &mut Random) -> Both {
    let Case(_, memory, index, order, shape) = *case;
    let seen = Both::finite(memory, dtype, random).select(&parse_index(index).unwrap());
    seen.transpose(order).broadcast_to(shape)
}

/// One type of each size.
const SIZES: [DType; 5] = [DType::U8, DType::I16, DType::F32, DType::I64, DType::C128];

#[test]
fn read_as_it_is() {
    for (seed, case) in (0..).zip(&CASES) {
        for dtype in SIZES {
            let x = operand(case, dtype, &mut Random(seed));
            let mut copy = Both::new(x.shape(), dtype, &mut Random(seed));
            copy.update(None, None, &x).unwrap();
            copy.check(case.0);
            let flat = x.reshape(&[x.listed.elements.len()]);
            flat.check(case.0);
        }
    }
}

#[test]
fn computed_with() {
    for (seed, case) in (0..).zip(&CASES) {
        for dtype in SIZES {
            let mut random = Random(seed);
            let x = operand(case, dtype, &mut random);
            let dense = Both::finite(x.shape(), dtype, &mut random);
            let sum = Both::apply(Op::Add, &[&x, &dense]).unwrap();
            sum.check(case.0);
            // The same memory read in two ways, and an operand that lies in another way beside it.
            let backwards = x.flip(&(0..x.shape().len()).collect::<Vec<_>>());
            let both = Both::apply(Op::Subtract, &[&x, &backwards]).unwrap();
            let narrow = operand(case, DType::U8, &mut random).convert(dtype);
            Both::apply(Op::Multiply, &[&both, &narrow]).unwrap().check(case.0);
            let condition = Both::apply(Op::NotEqual, &[&x, &backwards]).unwrap();
            Both::apply(Op::Where, &[&condition, &dense, &x]).unwrap().check(case.0);
            // One kernel of all of these, and one that changes its first argument in place.
            let distance = Both::apply(Op::Subtract, &[&dense, &x]).unwrap();
            let scaled = Both::apply(Op::Multiply, &[&distance, &narrow]).unwrap();
            Both::apply(Op::Add, &[&scaled, &x]).unwrap().check(case.0);
            let mut changed = Both::listed(dense.listed.clone());
            changed.update(None, Some(Op::Multiply), &x).unwrap();
            changed.check(case.0);
        }
    }
}

#[test]
fn folded() {
    for (seed, case) in (0..).zip(&CASES) {
        for dtype in [DType::F32, DType::I64, DType::U8] {
            let mut random = Random(seed);
            let x = operand(case, dtype, &mut random);
            let product = Both::apply(Op::Multiply, &[&x, &x.flip(&[])]).unwrap();
            let rank = x.shape().len();
            let mut choices: Vec<Vec<usize>> = (0..rank).map(|axis| vec![axis]).collect();
            choices.push((0..rank).collect());
            choices.push((0..rank).step_by(2).collect());
            for axes in choices {
                product.reduce(Reduction::Sum, &axes, Keep::Nothing).unwrap().check(case.0);
                x.reduce(Reduction::Max, &axes, Keep::Axes).unwrap().check(case.0);
            }
        }
    }
}

/// Long rows that lie apart are folded as if they lay one behind the other: bit for bit what comes of a copy that does.
#[test]
fn folded_over_the_ends_of_rows() {
    // Few folds, and so many that some are done together; of the last ones each is several segments.
    for shape in [[5, 3, 700], [4, 2, 1024], [300, 2, 513], [5, 41, 700], [3, 70, 1024], [190, 21, 700]] {
        let order = [1, 0, 2];
        for dtype in [DType::F32, DType::F64, DType::I16, DType::F16] {
            let x = Both::finite(&shape, dtype, &mut Random(9));
            for reduction in [Reduction::Sum, Reduction::Max] {
                x.reduce(reduction, &[0, 2], Keep::Nothing).unwrap().check("rows that lie apart");
            }
            // As they are written, each row is folded by itself.
            let wide = if dtype == DType::F16 { x.array.convert(DType::F32) } else { x.array.clone() };
            let planes = wide.sum([2], Keep::Nothing).sum([0], Keep::Nothing);
            let difference = Listed::of(&wide.sum([0, 2], Keep::Nothing)).difference(&Listed::of(&planes));
            assert_eq!(difference, None, "{shape:?} {dtype}");
            let apart = x.array.transpose(&order);
            let beside = apart.copy();
            for form in [|x: &Array| x.clone(), |x: &Array| x.square(), |x: &Array| x.maximum(x.flip([1]))] {
                let folded = |x: &Array| form(x).sum([1, 2], Keep::Nothing);
                let (apart, beside) = (folded(&apart), folded(&beside));
                let difference = Listed::of(&apart).difference(&Listed::of(&beside));
                assert_eq!(difference, None, "{shape:?} {dtype}");
            }
        }
    }
}

/// What lies across the order of memory is folded as if it did not: bit for bit what comes of a copy that does not.
#[test]
fn folded_across_the_order_of_memory() {
    let cases: [(&[usize], &[usize]); 15] = [
        (&[40, 7], &[1, 0]),
        (&[6, 100, 3, 5], &[0, 2, 3, 1]),
        (&[700, 300], &[1, 0]),
        (&[256, 1025], &[1, 0]),
        (&[3000, 5], &[1, 0]),
        (&[140_000, 4], &[1, 0]),
        (&[17_000, 3], &[1, 0]),
        (&[6, 300, 70], &[0, 2, 1]),
        (&[300, 9, 40], &[2, 1, 0]),
        (&[9, 40, 300], &[2, 1, 0]),
        (&[9, 70, 40], &[2, 0, 1]),
        (&[40, 33, 9], &[1, 0, 2]),
        (&[50, 60, 3], &[0, 2, 1]),
        (&[50, 60, 3], &[2, 1, 0]),
        (&[4, 40, 5, 70], &[3, 1, 2, 0]),
    ];
    for (number, (shape, order)) in cases.into_iter().enumerate() {
        for dtype in [DType::F32, DType::F64, DType::I16, DType::F16] {
            let x = Both::finite(shape, dtype, &mut Random(5));
            let across = x.array.transpose(order);
            // Every other one is also walked through backwards.
            let across = if number % 2 == 0 { across } else { across.flip([0, 1]) };
            let along = Both::listed(Listed::of(&across)).array;
            let row = Array::iota(*across.shape().unwrap().last().unwrap(), DType::I64);
            let row = row.convert(DType::I8).convert(dtype);
            let rank = shape.len();
            for chosen in 1..1 << rank {
                let axes: Vec<usize> = (0..rank).filter(|axis| chosen >> axis & 1 == 1).collect();
                let folds = |x: &Array| {
                    let (shifted, product) = (x.abs().add(&row), x * &row);
                    let sums = [x.clone(), shifted.clone(), product].map(|x| x.sum(&axes, Keep::Nothing));
                    let greatest = [x.clone(), shifted].map(|x| x.reduce(Reduction::Max, &axes, Keep::Axes));
                    sums.into_iter().chain(greatest).collect::<Vec<_>>()
                };
                for (across, along) in folds(&across).iter().zip(&folds(&along)) {
                    let difference = Listed::of(across).difference(&Listed::of(along));
                    assert_eq!(difference, None, "{shape:?} {dtype} over {axes:?}");
                }
            }
        }
    }
}

/// Which of several NaNs is the greatest does not depend on where they lie, or how many threads look.
#[test]
fn one_nan_of_many() {
    let nan = |at: usize| {
        f32::from_bits(if at % 3 == 1 { 0xff80_0001 } else { 0x7fc0_0000 } + u32::try_from(at).unwrap())
    };
    for shape in [[3, 5], [40, 70], [700, 300]] {
        let elements: Vec<f32> =
            (0..shape[0] * shape[1]).map(|at| if at % 11 == 2 { 1.0 } else { nan(at) }).collect();
        let x = Array::from(ndarray::Array1::from(elements)).reshape(&shape);
        let across = x.transpose(&[1, 0]).copy();
        across.eval().unwrap();
        // With an axis that is kept between those that are folded: first the innermost, a few elements, then the others.
        let between = x.reshape(&[shape[0], shape[1] / 5, 5]);
        for axes in [&[0][..], &[1], &[0, 1]] {
            for reduction in [Reduction::Max, Reduction::Min] {
                let swapped: Vec<usize> = axes.iter().rev().map(|axis| 1 - axis).collect();
                for folded in [
                    x.reduce(reduction, axes, Keep::Nothing),
                    across.reduce(reduction, &swapped, Keep::Nothing),
                    between.reduce(reduction, [0, 2], Keep::Nothing),
                ] {
                    let bits: Vec<u32> =
                        folded.to_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect();
                    assert_eq!(bits, vec![f32::NAN.to_bits(); bits.len()], "{shape:?} {axes:?}");
                }
            }
        }
    }
}

/// What is folded as it is computed is, bit for bit, what is computed and then folded.
#[test]
fn folded_as_it_is_computed() {
    for (seed, case) in (0..).zip(&CASES) {
        for dtype in [DType::F32, DType::F64] {
            let mut random = Random(seed);
            let x = operand(case, dtype, &mut random).array;
            let dense = Both::finite(case.4, dtype, &mut random).array;
            let forms: [fn(&Array, &Array) -> Array; 5] = [
                |x, y| x * y,
                |x, y| (x - y).square(),
                |x, y| (x - y).abs(),
                |x, _| x.square(),
                |x, _| x.abs(),
            ];
            let rank = case.4.len();
            for form in forms {
                for axes in [rank.saturating_sub(1)..rank, 0..rank] {
                    let axes: Vec<usize> = axes.collect();
                    // What is made of a copy is put off, also if it is small.
                    let made = form(&x.copy(), &dense);
                    let at_once = Listed::of(&made.sum(&axes, Keep::Nothing));
                    made.eval().unwrap();
                    let apart = Listed::of(&made.sum(&axes, Keep::Nothing));
                    assert_eq!(at_once.difference(&apart), None, "{} over {axes:?}", case.0);
                }
            }
        }
    }
}

/// The same for rows of every length around whole blocks, beside what is read in every way.
#[test]
fn rows_of_any_length_are_folded_as_they_are_computed() {
    for columns in [63, 64, 65, 100, 127, 128, 197, 500, 511, 512, 513, 575, 576, 577, 700, 1030, 1089, 4200]
    {
        for dtype in [DType::F32, DType::F64] {
            let mut random = Random(13);
            let rows = 37;
            let x = Both::finite(&[rows, columns], dtype, &mut random).array;
            // A pattern that fits into blocks and into no rows, a part of each row, and rows that lie apart.
            let pattern = Both::finite(&[4], dtype, &mut random).array;
            let others = [
                x.flip([0]),
                Both::finite(&[columns], dtype, &mut random).array,
                Both::finite(&[rows, 1], dtype, &mut random).array,
                Both::finite(&[], dtype, &mut random).array,
                Both::finite(&[rows, columns + 3], dtype, &mut random)
                    .array
                    .select(&[Index::WHOLE, part(None, Some(-3), 1)]),
            ];
            for (number, other) in others.iter().enumerate() {
                for form in [|x: &Array, y: &Array| x * y, |x: &Array, y: &Array| (x - y).square()] {
                    let made = form(&x.copy(), other);
                    let at_once = Listed::of(&made.sum([1], Keep::Nothing));
                    made.eval().unwrap();
                    let apart = Listed::of(&made.sum([1], Keep::Nothing));
                    assert_eq!(at_once.difference(&apart), None, "{columns} {dtype}, other {number}");
                }
            }
            if columns % 4 == 0 {
                let quarters = x.reshape(&[rows, columns / 4, 4]);
                let made = quarters.copy() * &pattern;
                let at_once = Listed::of(&made.sum([1, 2], Keep::Nothing));
                made.eval().unwrap();
                let apart = Listed::of(&made.sum([1, 2], Keep::Nothing));
                assert_eq!(at_once.difference(&apart), None, "{columns} {dtype}, a pattern");
            }
        }
        let mut random = Random(14);
        for dtype in [DType::Bool, DType::U8, DType::I16, DType::I32] {
            let short = Both::finite(&[37, columns], dtype, &mut random).array;
            let at_once = Listed::of(&short.copy().convert(DType::I64).sum([1], Keep::Nothing));
            let long = Array::from(short.convert(DType::I64).eval().unwrap());
            let apart = Listed::of(&long.sum([1], Keep::Nothing));
            assert_eq!(at_once.difference(&apart), None, "{columns} {dtype}");
        }
    }
}

/// The same layouts on the left of an assignment: what is not seen stays.
#[test]
fn written_to() {
    for (seed, case) in (0..).zip(&CASES) {
        let Case(name, memory, index, order, _) = *case;
        let index = parse_index(index).unwrap();
        for dtype in SIZES {
            let mut random = Random(seed);
            let x = Both::finite(memory, dtype, &mut random);
            let seen = x.select(&index);
            let shape: Vec<usize> = order.iter().map(|&axis| seen.shape()[axis]).collect();
            // The right side lies across, or is the same array backwards.
            let mut back = vec![0; order.len()];
            order.iter().enumerate().for_each(|(place, &axis)| back[axis] = place);
            let across = Both::finite(&shape, dtype, &mut random).transpose(&back);
            let mirrored = seen.flip(&(0..shape.len()).collect::<Vec<_>>());
            for by in [&across, &mirrored] {
                for op in [None, Some(Op::Add)] {
                    // With another handle on it, and without.
                    let mut changed = x.clone();
                    changed.update(Some(&index), op, by).unwrap();
                    changed.check(name);
                    let mut alone = Both::listed(x.listed.clone());
                    alone.update(Some(&index), op, by).unwrap();
                    alone.check(name);
                }
            }
            x.check(name);
        }
    }
}

/// Operands that each lie in another way, several of them across in ways of their own.
#[test]
fn many_at_once() {
    for (shape, orders) in [
        (vec![70, 300], vec![vec![1, 0], vec![0, 1], vec![1, 0]]),
        (vec![300, 280], vec![vec![1, 0], vec![1, 0], vec![0, 1]]),
        (vec![5, 9, 300], vec![vec![2, 1, 0], vec![2, 0, 1], vec![1, 0, 2], vec![0, 2, 1]]),
        (vec![300, 4, 30], vec![vec![2, 1, 0], vec![1, 2, 0], vec![2, 0, 1], vec![0, 1, 2]]),
    ] {
        for dtype in SIZES {
            let mut random = Random(7);
            let mut sum = Both::finite(&[1], dtype, &mut random);
            for order in &orders {
                let mut memory = vec![0; shape.len()];
                order.iter().enumerate().for_each(|(place, &axis)| memory[axis] = shape[place]);
                let x = Both::finite(&memory, dtype, &mut random).transpose(order);
                sum = Both::apply(Op::Add, &[&sum, &x]).unwrap();
            }
            let row = Both::finite(&[shape[shape.len() - 1]], dtype, &mut random);
            Both::apply(Op::Multiply, &[&sum, &row]).unwrap().check("many");
        }
    }
}

/// Small results, which are computed at once: of operands that kernels read as they lie, and of others.
#[test]
fn computed_at_once() {
    let shapes: [&[usize]; 12] = [
        &[3, 4],
        &[2, 3, 4],
        &[3, 2, 64],
        &[64, 64],
        &[32, 32],
        &[5, 700],
        &[100, 16],
        &[3, 7, 40],
        &[2, 1, 100],
        &[65, 64],
        &[70, 3, 5],
        &[2000],
    ];
    for shape in shapes {
        for dtype in SIZES {
            let mut random = Random(3);
            let dense = Both::finite(shape, dtype, &mut random);
            let rank = shape.len();
            let last = [shape[rank - 1]];
            let mut columns = shape.to_vec();
            columns[rank - 1] = 1;
            let mut every = vec![dense.clone(), dense.flip(&[0])];
            for own in [&[][..], &last, &columns, &shape[rank.min(1)..], &vec![1; rank]] {
                let other = Both::finite(own, dtype, &mut random);
                every.push(other.flip(&(0..own.len()).collect::<Vec<_>>()));
                every.push(other);
            }
            for a in &every {
                for b in &every {
                    let sum = Both::apply(Op::Add, &[a, b]).unwrap();
                    sum.check("sum");
                    let condition = Both::apply(Op::Equal, &[b, &dense]).unwrap();
                    condition.check("condition");
                    Both::apply(Op::Where, &[&condition, a, &sum]).unwrap().check("selection");
                }
                Both::apply(Op::Negative, &[a]).unwrap_or_else(|| a.clone()).check("negative");
            }
        }
    }
}
