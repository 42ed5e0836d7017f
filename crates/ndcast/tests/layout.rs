//! Views against a naive model: the list of positions of all elements, made anew at every step.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test says what must hold")]

use std::num::NonZeroI64;

use ndcast::Layout;
use ndcast::layout::LayoutError;
use ndcast::shape::{Index, Kind, oracle, parse_index, rule::array_api, slice};
use proptest::collection::vec;
use proptest::prelude::*;

/// The naive model: a shape and the position of every element, in order.
#[derive(Clone, Debug, PartialEq)]
struct Listed {
    shape: Vec<usize>,
    positions: Vec<usize>,
}

impl Listed {
    fn of(layout: &Layout) -> Listed {
        let positions = oracle::coordinates(layout.shape()).iter().map(|c| layout.position(c)).collect();
        Listed { shape: layout.shape().to_vec(), positions }
    }

    fn at(&self, coordinate: &[usize]) -> usize {
        let place = coordinate.iter().zip(&self.shape).fold(0, |place, (&c, &extent)| place * extent + c);
        self.positions[place]
    }

    /// The list of another shape that reads this one at another coordinate.
    fn read(&self, shape: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Listed {
        let positions = oracle::coordinates(&shape).iter().map(|c| self.at(&from(c))).collect();
        Listed { shape, positions }
    }
}

#[derive(Clone, Debug)]
enum Step {
    Transpose(u32),
    Flip(usize),
    Expand(usize),
    Squeeze(usize),
    Slice(usize, Option<i64>, Option<i64>, i64),
    At(usize, i64),
    Merge(usize),
    Stretch(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let end = || proptest::option::of(-5i64..6);
    prop_oneof![
        any::<u32>().prop_map(Step::Transpose),
        (0usize..4).prop_map(Step::Flip),
        (0usize..4).prop_map(Step::Expand),
        (0usize..4).prop_map(Step::Squeeze),
        (0usize..4, end(), end(), prop_oneof![1i64..4, -3i64..0])
            .prop_map(|(a, b, c, d)| Step::Slice(a, b, c, d)),
        (0usize..4, -4i64..4).prop_map(|(axis, i)| Step::At(axis, i)),
        (0usize..4).prop_map(Step::Merge),
        (0usize..4).prop_map(Step::Stretch),
    ]
}

/// The step done on the layout and on the list; nothing if it cannot be done.
fn apply(step: &Step, layout: &Layout, listed: &Listed) -> Option<(Layout, Listed)> {
    let shape = listed.shape.clone();
    let rank = shape.len();
    Some(match *step {
        Step::Transpose(seed) => {
            let mut order: Vec<usize> = (0..rank).collect();
            // Round and round: there may be more axes than the seed has room for.
            order.sort_by_key(|&axis| seed.rotate_right(u32::try_from(axis * 5).unwrap()) & 31);
            let back =
                |c: &[usize]| (0..rank).map(|a| c[order.iter().position(|&o| o == a).unwrap()]).collect();
            let shape = order.iter().map(|&axis| shape[axis]).collect();
            (layout.transpose(&order).unwrap(), listed.read(shape, back))
        }
        Step::Flip(axis) if axis < rank => {
            let flipped = |c: &[usize]| {
                let mut c = c.to_vec();
                c[axis] = shape[axis] - 1 - c[axis];
                c
            };
            (layout.flip(axis).unwrap(), listed.read(shape.clone(), flipped))
        }
        Step::Expand(axis) if axis <= rank => {
            let mut longer = shape;
            longer.insert(axis, 1);
            let without = |c: &[usize]| [&c[..axis], &c[axis + 1..]].concat();
            (layout.expand(axis).unwrap(), listed.read(longer, without))
        }
        Step::Squeeze(axis) if shape.get(axis) == Some(&1) => {
            let with = |c: &[usize]| [&c[..axis], &[0], &c[axis..]].concat();
            (layout.squeeze(axis).unwrap(), listed.read([&shape[..axis], &shape[axis + 1..]].concat(), with))
        }
        Step::Slice(axis, start, stop, step) if axis < rank => {
            let step = NonZeroI64::new(step).unwrap();
            // Python's rule, element by element.
            let span = slice(shape[axis], start, stop, step);
            let mut index = vec![parse_index(":").unwrap()[0]; axis];
            index.push(Index::Slice { start, stop, step });
            let mut shorter = shape.clone();
            shorter[axis] = span.count;
            let from = |c: &[usize]| {
                let mut c = c.to_vec();
                let at = i64::try_from(span.first).unwrap() + i64::try_from(c[axis]).unwrap() * step.get();
                c[axis] = usize::try_from(at).unwrap();
                c
            };
            (layout.select(&index).unwrap(), listed.read(shorter, from))
        }
        Step::At(axis, i) if axis < rank => {
            let index =
                [vec![parse_index(":").unwrap()[0]; axis], vec![Index::At(i), Index::Ellipsis]].concat();
            let extent = i64::try_from(shape[axis]).unwrap();
            if !(-extent..extent).contains(&i) {
                let kind = layout.select(&index).unwrap_err().kind().clone();
                assert_eq!(kind, Kind::IndexOutOfRange { index: i, axis, extent: shape[axis].into() });
                return None;
            }
            let at = usize::try_from(if i < 0 { i + extent } else { i }).unwrap();
            let with = |c: &[usize]| [&c[..axis], &[at], &c[axis..]].concat();
            (layout.select(&index).unwrap(), listed.read([&shape[..axis], &shape[axis + 1..]].concat(), with))
        }
        Step::Merge(axis) if axis + 1 < rank => {
            let merged = [&shape[..axis], &[shape[axis] * shape[axis + 1]], &shape[axis + 2..]].concat();
            let positions = listed.positions.clone();
            (layout.reshape(&merged).unwrap()?, Listed { shape: merged, positions })
        }
        Step::Stretch(axis) if shape.get(axis) == Some(&1) => {
            let mut target = shape.clone();
            target[axis] = 3;
            let plan = array_api::broadcast_to(&shape, &target).unwrap();
            let from =
                |c: &[usize]| c.iter().zip(&shape).map(|(&c, &e)| if e == 1 { 0 } else { c }).collect();
            (layout.broadcast(&plan, 0).unwrap(), listed.read(target, from))
        }
        _ => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn views_are_what_the_list_says(shape in vec(0usize..4, 0..4), steps in vec(step(), 0..8)) {
        let mut layout = Layout::row_major(&shape).unwrap();
        let mut listed = Listed { positions: (0..layout.elements()).collect(), shape };
        let buffer = layout.elements();
        for step in &steps {
            let Some((next, expected)) = apply(step, &layout, &listed) else { continue };
            prop_assert_eq!(&Listed::of(&next), &expected, "{:?} of {:?}", step, layout);
            (layout, listed) = (next, expected);
            let touched = (listed.positions.iter().min(), listed.positions.iter().max());
            let reach = layout.reach();
            match touched {
                (Some(&first), Some(&last)) => {
                    prop_assert_eq!(reach, first..last + 1);
                    prop_assert!(last < buffer);
                }
                _ => prop_assert!(reach.is_empty()),
            }
            let in_order = listed.positions.windows(2).all(|pair| pair[0] + 1 == pair[1]);
            prop_assert_eq!(layout.is_row_major(), in_order || listed.positions.len() < 2);
            let mut unique = listed.positions.clone();
            unique.sort_unstable();
            unique.dedup();
            prop_assert_eq!(layout.repeats(), unique.len() < listed.positions.len());
        }
    }

    /// Where the elements lie in order every reshape is free, and only strides that cannot say it are refused.
    #[test]
    fn reshapes(shape in vec(1usize..5, 0..5), cut in vec(any::<bool>(), 5)) {
        let layout = Layout::row_major(&shape).unwrap();
        let mut other = vec![];
        for (extent, join) in shape.iter().zip(cut) {
            match other.last_mut() {
                Some(last) if join => *last *= extent,
                _ => other.push(*extent),
            }
        }
        let merged = layout.reshape(&other).unwrap().unwrap();
        prop_assert_eq!(&Listed::of(&merged).positions, &Listed::of(&layout).positions);
        prop_assert_eq!(merged.reshape(&shape).unwrap().map(|l| Listed::of(&l)), Some(Listed::of(&layout)));
    }
}

#[test]
fn what_cannot_be() {
    let layout = Layout::row_major(&[2, 3]).unwrap();
    assert_eq!(
        Layout::row_major(&[usize::MAX, 2]),
        Err(LayoutError::TooLarge { shape: vec![usize::MAX, 2] })
    );
    // As NumPy: an extent of 0 does not make the others smaller.
    assert!(Layout::row_major(&[usize::MAX, 0]).is_err());
    assert!(Layout::row_major(&[isize::MAX.unsigned_abs(), 0]).is_ok());
    assert_eq!(layout.flip(2), Err(LayoutError::NoAxis { axis: 2, rank: 2 }));
    assert_eq!(layout.expand(3), Err(LayoutError::NoAxis { axis: 3, rank: 2 }));
    assert_eq!(layout.squeeze(1), Err(LayoutError::NotOne { axis: 1, extent: 3 }));
    assert_eq!(layout.transpose(&[0, 0]), Err(LayoutError::NoOrder { order: vec![0, 0], rank: 2 }));
    let message = layout.reshape(&[4]).unwrap_err().to_string();
    assert_eq!(message, "2x3 and 4 have not the same number of elements");
    let plan = array_api::broadcast_to(&[3], &[2, 3]).unwrap();
    let message = layout.broadcast(&plan, 0).unwrap_err().to_string();
    assert_eq!(message, "the plan reads an operand of shape 3, not 2x3");
    assert_eq!(layout.select(&parse_index("0,0,0").unwrap()).unwrap_err().kind().name(), "too-many-indices");
    let huge = array_api::broadcast_to(&[1, 1], &[usize::MAX / 4, 16]).unwrap();
    assert!(matches!(
        Layout::row_major(&[1, 1]).unwrap().broadcast(&huge, 0),
        Err(LayoutError::TooLarge { .. })
    ));
}
