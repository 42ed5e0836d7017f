//! Any number of axes, and none of anything.

use ndcast::reduction::Reduction;
use ndcast::{Array, DType, Keep, Op};

use super::bits::{DTYPES, Random};
use super::both::{Both, part};

#[test]
fn from_no_axes_to_ten() {
    for rank in 0..=10 {
        let mut random = Random(rank);
        let rank = usize::try_from(rank).unwrap();
        for _ in 0..12 {
            let shape: Vec<usize> = (0..rank).map(|_| random.of(&[1, 1, 2, 2, 3])).collect();
            let x = Both::finite(&shape, DType::I32, &mut random).transpose(&random.order(rank));
            let shape = x.shape().to_vec();
            let ones: Vec<usize> = shape.iter().map(|&n| if random.once_in(2) { 1 } else { n }).collect();
            let y = Both::finite(&ones[random.below(rank + 1)..], DType::I32, &mut random);
            let sum = Both::apply(Op::Add, &[&x, &y]).unwrap();
            sum.check("sum");
            let axes = random.axes(rank);
            sum.reduce(Reduction::Sum, &axes, Keep::Axes).unwrap().check("reduced");
            let folded = sum.reduce(Reduction::Max, &axes, Keep::Nothing).unwrap();
            folded.expand(random.below(folded.shape().len() + 1)).check("expanded");
            sum.flip(&axes).squeeze().check("squeezed");
            sum.tile(&vec![2; rank.min(3)]).check("tiled");
            Both::stack(&[&sum, &x], random.below(rank + 1)).check("stacked");
            let every = vec![part(None, None, -1); rank];
            let mut changed = sum.clone();
            changed.update(Some(&every), Some(Op::Multiply), &y).unwrap();
            changed.check("changed");
        }
    }
}

#[test]
fn nothing_of_anything() {
    for shape in [vec![0], vec![0, 3], vec![3, 0], vec![2, 0, 4], vec![0, 0], vec![1, 0, 1], vec![0, 1]] {
        for dtype in DTYPES {
            let mut random = Random(1);
            let x = Both::new(&shape, dtype, &mut random);
            let rank = shape.len();
            x.check("itself");
            x.convert(DType::F16).check("converted");
            x.transpose(&random.order(rank)).check("transposed");
            x.flip(&(0..rank).collect::<Vec<_>>()).check("flipped");
            x.reshape(&[7, 0, 2]).check("reshaped");
            x.expand(rank).broadcast_to(&[&shape[..], &[5]].concat()).check("stretched");
            x.tile(&[2, 3]).check("tiled");
            x.tile(&[0]).check("tiled none times");
            x.squeeze().check("squeezed");
            x.roll(3, 0).check("rolled");
            Both::concatenate(&[&x, &x], 0).check("concatenated");
            Both::stack(&[&x, &x], rank).check("stacked");
            if dtype != DType::Bool {
                x.pad(&vec![(1, 1); rank], 3).check("padded");
                let sum = Both::apply(Op::Add, &[&x, &Both::new(&[1], dtype, &mut random)]).unwrap();
                sum.check("sum");
                for chosen in 0..1usize << rank {
                    let axes: Vec<usize> = (0..rank).filter(|axis| chosen >> axis & 1 == 1).collect();
                    for reduction in Reduction::ALL {
                        if let Some(folded) = sum.reduce(reduction, &axes, Keep::Nothing) {
                            folded.check("folded");
                        }
                    }
                }
            }
            let mut changed = x.clone();
            changed.update(None, None, &x).unwrap();
            changed.update(Some(&[part(None, None, -1)]), None, &Both::new(&[], dtype, &mut random)).unwrap();
            changed.check("changed");
        }
    }
    let none = Array::new::<f32>(&[0], &[]);
    assert!(none.mean([0], Keep::Nothing).item::<f32>().unwrap().is_nan());
    assert!(none.var([0], 0.0, Keep::Nothing).item::<f32>().unwrap().is_nan());
    assert_eq!(none.one_hot(3, 1, 0, DType::U8).shape().unwrap(), [0, 3]);
    assert_eq!(Array::iota(0, DType::F32).to_vec::<f32>().unwrap(), []);
    assert_eq!(Array::new(&[2], &[0, 1]).one_hot(0, 1, 0, DType::U8).shape().unwrap(), [2, 0]);
    assert_eq!(Array::new(&[2], &[0, 1]).repeat(0, 0).shape().unwrap(), [0]);
}

/// Extents whose product is no number, and a 0 among them.
#[test]
fn huge_and_nothing() {
    // An extent of 0 makes the others no smaller, so together they must be addressable.
    let n = 1usize << 30;
    for shape in [[n, n, 0], [n, 0, n], [0, n, n], [2, 1 << 61, 0], [1, isize::MAX.unsigned_abs(), 0]] {
        let x = Array::new::<i32>(&shape, &[]);
        let sum = &x + 1;
        assert_eq!(sum.shape().unwrap(), shape);
        assert_eq!(sum.to_vec::<i32>().unwrap(), []);
        assert_eq!(x.flip([0, 1, 2]).to_vec::<i32>().unwrap(), []);
        assert_eq!(x.transpose(&[2, 0, 1]).negative().to_vec::<i32>().unwrap(), []);
        for axis in 0..3 {
            let mut index = vec![part(None, None, 1); axis];
            index.push(part(None, None, -3));
            assert_eq!((x.select(&index) * 2).to_vec::<i32>().unwrap(), []);
            // What is left is nothing, one 0 for each of nothing, or too much to be addressed.
            let folded = x.sum([axis], Keep::Nothing);
            assert_eq!(x.sum([axis], Keep::Axes).eval().is_ok(), folded.eval().is_ok());
            let left: Vec<usize> = (0..3).filter(|&other| other != axis).map(|other| shape[other]).collect();
            assert_eq!(folded.eval().is_ok(), left.contains(&0), "{shape:?} {axis}");
        }
        let mut changed = x.clone();
        changed += &x;
        changed.set(&[part(None, None, -2)], 3);
        assert_eq!(changed.to_vec::<i32>().unwrap(), []);
        assert_eq!(x.sum([0, 1, 2], Keep::Nothing).item::<i64>(), Ok(0));
    }
}

#[test]
fn one_hot_of_small_integers() {
    // More places than the type of the indices counts.
    let x = Array::new(&[3], &[0u8, 255, 44]);
    let rows = x.one_hot(300, 1, 0, DType::I32);
    assert_eq!(rows.sum([1], Keep::Nothing).to_vec::<i64>().unwrap(), [1, 1, 1]);
    let negative = Array::new(&[2], &[-1i8, 7]).one_hot(260, 1, 0, DType::I32);
    assert_eq!(negative.sum([1], Keep::Nothing).to_vec::<i64>().unwrap(), [0, 1]);
    let half = Array::new(&[1], &[half::f16::from_f32(2048.0)]).one_hot(3000, 1, 0, DType::I32);
    assert_eq!(half.sum([1], Keep::Nothing).to_vec::<i64>().unwrap(), [1]);
    let random = Both::finite(&[5, 3], DType::I8, &mut Random(9));
    random.one_hot(10, DType::Bf16).check("one hot");
}

/// The mean and what is made of it against plain loops.
#[test]
fn means_and_more() {
    for shape in [[6, 7, 5], [2, 300, 3], [1, 40, 600]] {
        let x = Both::finite(&shape, DType::F64, &mut Random(2));
        for axes in [vec![0], vec![1], vec![2], vec![2, 0], vec![0, 1, 2], vec![]] {
            let (_, folds) = x.listed.folds(&axes);
            let near = |array: Array, of: &dyn Fn(&[f64]) -> f64| {
                for (got, fold) in array.to_vec::<f64>().unwrap().into_iter().zip(&folds) {
                    let fold: Vec<f64> = fold.iter().map(|&bits| f64::from_bits(bits as u64)).collect();
                    let expected = of(&fold);
                    let near = (got - expected).abs() <= 1e-11 * (1.0 + expected.abs());
                    assert!(near || (got.is_nan() && expected.is_nan()), "{axes:?}: {got}, {expected}");
                }
            };
            #[allow(clippy::cast_precision_loss, reason = "small")]
            let count = |fold: &[f64]| fold.len() as f64;
            let mean = |fold: &[f64]| fold.iter().sum::<f64>() / count(fold);
            let var = |fold: &[f64], less: f64| {
                let mean = mean(fold);
                fold.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count(fold) - less)
            };
            let array = &x.array;
            near(array.mean(&axes, Keep::Axes), &mean);
            near(array.var(&axes, 0.0, Keep::Nothing), &|fold| var(fold, 0.0));
            if !axes.is_empty() {
                near(array.std(&axes, 1.0, Keep::Axes), &|fold| {
                    if fold.len() == 1 { f64::NAN } else { var(fold, 1.0).sqrt() }
                });
            }
            near(array.logsumexp(&axes, Keep::Nothing), &|fold| {
                fold.iter().map(|x| x.exp()).sum::<f64>().ln()
            });
            near(array.l1(&axes, Keep::Nothing), &|fold| fold.iter().map(|x| x.abs()).sum());
            near(array.l2(&axes, Keep::Nothing), &|fold| fold.iter().map(|x| x * x).sum::<f64>().sqrt());
            near(array.sum_square(&axes, Keep::Axes), &|fold| fold.iter().map(|x| x * x).sum());
        }
    }
}
