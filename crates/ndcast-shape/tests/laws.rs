//! The laws of the algebra on random shapes: a plan does what the definition says, plans compose, the adjoint
//! is one, and whatever a partial answer says holds for every filling.

#![allow(clippy::unwrap_used, reason = "a test says what must hold")]

use ndcast_shape::explain::{Element, Explanation, elsewhere, suggest};
use ndcast_shape::rule::{self, Need, array_api, onnx, stablehlo};
use ndcast_shape::{Dim, Kind, Plan, Request, Shape, Source, oracle, parse_index};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn extent() -> impl Strategy<Value = usize> {
    select(vec![0, 1, 1, 1, 2, 2, 3, 3, 4])
}

/// Shapes that mostly broadcast: parts of one shape with some extents replaced by 1.
fn related(count: usize) -> impl Strategy<Value = Vec<Vec<usize>>> {
    let masks = vec(vec(0u8..20, 5), count);
    (vec(extent(), 0..6), masks).prop_map(|(whole, masks)| {
        let part = |mask: Vec<u8>| {
            let from = usize::from(mask[0] % 3).min(whole.len());
            let pick = |(&e, &m): (&usize, &u8)| match m {
                0..6 => 1,
                19 => e + 1,
                _ => e,
            };
            whole[from..].iter().zip(mask.iter().cycle()).map(pick).collect::<Vec<usize>>()
        };
        masks.into_iter().map(part).collect()
    })
}

fn row_major(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![1isize; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * isize::try_from(shape[axis]).unwrap();
    }
    strides
}

/// For each element of the result, which element of the operand the plan's strides reach.
fn reached(plan: &Plan, operand: usize) -> Vec<usize> {
    let strides = plan.strides(operand, &row_major(&plan.operand_shape(operand)));
    let position = |coordinate: &Vec<usize>| {
        coordinate.iter().zip(&strides).map(|(&c, &s)| isize::try_from(c).unwrap() * s).sum::<isize>()
    };
    oracle::coordinates(plan.shape()).iter().map(|c| usize::try_from(position(c)).unwrap()).collect()
}

fn slices(shapes: &[Vec<usize>]) -> Vec<&[usize]> {
    shapes.iter().map(Vec::as_slice).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_join_is_what_the_page_says(shapes in related(3)) {
        let folded = shapes.iter().try_fold(vec![], |shape, next| oracle::join(&shape, next));
        let plan = array_api::join(&slices(&shapes)).ok();
        prop_assert_eq!(plan.as_ref().map(|plan| plan.shape().to_vec()), folded);
        let Some(plan) = plan else { return Ok(()) };
        for (operand, shape) in shapes.iter().enumerate() {
            let front = plan.rank() - shape.len();
            let map: Vec<usize> = (front..plan.rank()).collect();
            prop_assert_eq!(Some(reached(&plan, operand)), oracle::gather(shape, plan.shape(), &map));
        }
    }

    #[test]
    fn a_mapped_operand_is_what_the_specification_says(
        result in vec(extent(), 0..5),
        order in vec(any::<u32>(), 5),
        ones in vec(any::<bool>(), 5),
        count in 0usize..6,
    ) {
        // A random choice of axes in random order.
        let mut axes: Vec<usize> = (0..result.len()).collect();
        axes.sort_by_key(|&axis| order[axis]);
        axes.truncate(count);
        let operand: Vec<usize> = axes.iter().map(|&axis| if ones[axis] { 1 } else { result[axis] }).collect();
        let dims: Vec<i64> = axes.iter().map(|&axis| i64::try_from(axis).unwrap()).collect();
        let plan = stablehlo::broadcast_in_dim(&operand, &result, &dims).unwrap();
        prop_assert_eq!(Some(reached(&plan, 0)), oracle::gather(&operand, &result, &axes));
    }

    #[test]
    fn identity_changes_nothing(shapes in related(2)) {
        let Ok(plan) = array_api::join(&slices(&shapes)) else { return Ok(()) };
        let after = plan.then(&Plan::identity(plan.shape().to_vec()), 0);
        prop_assert_eq!(after.as_ref(), Some(&plan));
        let before = Plan::identity(shapes[0].clone()).then(&plan, 0);
        prop_assert_eq!(before.as_ref(), Some(&plan));
    }

    #[test]
    fn joins_associate(shapes in related(3)) {
        let all = array_api::join(&slices(&shapes)).ok();
        let left = array_api::join(&slices(&shapes[..2])).ok().and_then(|inner| {
            let outer = array_api::join(&[inner.shape(), &shapes[2]]).ok()?;
            inner.then(&outer, 0)
        });
        let right = array_api::join(&slices(&shapes[1..])).ok().and_then(|inner| {
            let outer = array_api::join(&[&shapes[0], inner.shape()]).ok()?;
            inner.then(&outer, 1)
        });
        prop_assert_eq!(&all, &left);
        prop_assert_eq!(&all, &right);
    }

    #[test]
    fn order_does_not_matter(shapes in related(3)) {
        let mut backwards = shapes.clone();
        backwards.reverse();
        let there = array_api::join(&slices(&shapes)).ok();
        let back = array_api::join(&slices(&backwards)).ok();
        prop_assert_eq!(there.as_ref().map(Plan::shape), back.as_ref().map(Plan::shape));
        let Some((there, back)) = there.zip(back) else { return Ok(()) };
        prop_assert!(there.operands().eq((0..3).rev().map(|operand| back.operand(operand))));
    }

    #[test]
    fn broadcasts_compose(shapes in related(3)) {
        let [a, b, c] = &shapes[..] else { unreachable!() };
        let (Ok(first), Ok(second)) = (array_api::broadcast_to(a, b), array_api::broadcast_to(b, c)) else {
            return Ok(());
        };
        prop_assert_eq!(first.then(&second, 0), array_api::broadcast_to(a, c).ok());
    }

    /// `<Bx, y> = <x, B'y>`, where B' sums over what the adjoint says.
    #[test]
    fn the_adjoint_is_one(shapes in related(2), seed in any::<u64>()) {
        let Ok(plan) = array_api::join(&slices(&shapes)) else { return Ok(()) };
        let number = |n: usize| i64::try_from(seed.rotate_left(u32::try_from(n % 64).unwrap()) % 19).unwrap() - 9;
        for (operand, shape) in shapes.iter().enumerate() {
            let adjoint = plan.adjoint(operand);
            prop_assert!(adjoint.undecided.is_empty());
            let x: Vec<i64> = (0..shape.iter().product()).map(number).collect();
            let coordinates = oracle::coordinates(plan.shape());
            let y: Vec<i64> = (0..coordinates.len()).map(|n| number(n + 7)).collect();
            let broadcast: Vec<i64> = reached(&plan, operand).into_iter().map(|position| x[position]).collect();
            // Sums y over the new and the stretched axes; the others, in order, are the operand's.
            let mut summed = vec![0; x.len()];
            for (coordinate, y) in coordinates.iter().zip(&y) {
                let own = adjoint.order.iter().map(|axis| match adjoint.stretched.contains(axis) {
                    true => 0,
                    false => coordinate[*axis],
                });
                let position = own.zip(shape).fold(0, |position, (c, extent)| position * extent + c);
                prop_assert!(position < summed.len());
                summed[position] += y;
            }
            let dot = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<i64>();
            prop_assert_eq!(dot(&broadcast, &y), dot(&x, &summed));
        }
    }
}

/// An extent: a number, or something that contains it.
fn partial() -> impl Strategy<Value = Dim> {
    let texts = ["?", "?", "N", "M", "1", "1", "2", "3", "3", "4", "0", "..3", "1..3", "2..4", "2..", "3.."];
    select(texts.to_vec()).prop_map(|text| text.parse().unwrap())
}

/// A shape; one in twenty of unknown rank.
fn partial_shape() -> impl Strategy<Value = Shape> {
    (vec(partial(), 0..4), 0..20)
        .prop_map(|(dims, n)| if n == 0 { Shape::UNRANKED } else { Shape::from(dims) })
}

/// Any request that a rule takes, right or wrong.
fn request() -> impl Strategy<Value = Request> {
    let shapes = vec(partial_shape(), 3);
    let index = select(vec!["...", "1, ...", "0", ":2", "None, ..."]);
    let rule = select(rule::ALL.to_vec());
    (rule, shapes, partial_shape(), vec(-1i64..4, 0..4), any::<[bool; 4]>(), -2i64..4, index).prop_map(
        |(rule, shapes, target, mut axes, [sorted, optional, with_index, two], axis, index)| {
            if sorted {
                axes.sort_unstable();
                axes.dedup();
            }
            let count = (1..=3).rev().find(|&n| rule.operands.allows(n) && (n < 3 || !two)).unwrap_or(3);
            let takes = |need| need == Need::Required || need == Need::Optional && optional;
            Request {
                rule,
                shapes: shapes[..count].to_vec(),
                target: (rule.target != Need::Never).then_some(target),
                axes: takes(rule.axes).then_some(axes),
                axis: takes(rule.axis).then_some(axis),
                index: (rule.index != Need::Never && with_index).then(|| parse_index(index).unwrap()),
            }
        },
    )
}

/// One number for an extent: `n` chooses which.
fn fill(dim: &Dim, names: [usize; 2], n: usize, bounded: bool) -> usize {
    match dim {
        Dim::Known(extent) => *extent,
        Dim::Symbol(symbol) => names[usize::from(symbol.name() == "M")],
        Dim::Interval(interval) => match interval.max() {
            // XLA's bounded extents count as their bound.
            Some(max) if bounded => max,
            Some(max) => interval.min() + n % (max - interval.min() + 1),
            None => interval.min() + n % 5,
        },
    }
}

fn filled(
    shape: &Shape,
    names: [usize; 2],
    numbers: &mut impl Iterator<Item = usize>,
    bounded: bool,
) -> Shape {
    let Some(dims) = shape.dims() else {
        let rank = numbers.next().unwrap() % 4;
        return numbers.take(rank).map(|n| n % 4).collect();
    };
    let dims = dims.iter();
    Shape::from_iter(dims.map(|dim| fill(dim, names, numbers.next().unwrap(), bounded)))
}

/// Whether the dialect refuses what is written, whatever the numbers may turn out to be.
fn refuses_as_written(request: &Request, kind: &Kind) -> bool {
    let compares_as_written =
        request.rule.name == "xla.binary" && matches!(kind, Kind::ExtentMismatch { .. });
    let static_types =
        matches!(kind, Kind::ExtentUnknown { .. } | Kind::DynamismMismatch { .. } | Kind::RankUnknown { .. });
    // A bounded result takes no static extent but 1, even that of its bound.
    let dynamic_only =
        request.rule.name == "stablehlo.broadcast-in-dim" && matches!(kind, Kind::ExtentMismatch { .. });
    static_types || compares_as_written || dynamic_only
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn partial_answers_are_sound(request in request(), names in any::<[u8; 2]>(), numbers in vec(0usize..60, 24)) {
        let bounded = ["xla", "hlo", "stablehlo", "chlo"].iter().any(|family| request.rule.name.starts_with(family));
        let names = names.map(|n| usize::from(n % 5));
        let mut numbers = numbers.into_iter().cycle();
        let shapes = request.shapes.iter().map(|shape| filled(shape, names, &mut numbers, bounded)).collect();
        let target = request.target.as_ref().map(|target| filled(target, names, &mut numbers, bounded));
        let concrete = Request { shapes, target, ..request.clone() };
        match (request.answer(), concrete.answer()) {
            (_, Err(_)) => {}
            (Err(error), Ok(answer)) => {
                prop_assert!(refuses_as_written(&request, error.kind()), "{error}\nbut {concrete:?}\nis {answer:?}");
            }
            (Ok(partial), Ok(answer)) => {
                let Some(dims) = partial.shape().dims() else { return Ok(()) };
                let extents = answer.shape().extents().unwrap();
                prop_assert_eq!(dims.len(), extents.len());
                for (dim, &extent) in dims.iter().zip(&extents) {
                    let holds = match dim {
                        Dim::Symbol(symbol) => names[usize::from(symbol.name() == "M")] == extent,
                        dim => dim.contains(extent),
                    };
                    prop_assert!(holds, "{request:?} is {}, but {concrete:?} is {}", partial.shape(), answer.shape());
                }
                let (Some(partial), Some(plan)) = (partial.plan(), answer.plan()) else { return Ok(()) };
                for (said, found) in partial.operands().zip(plan.operands()) {
                    for ((said, found), &extent) in said.iter().zip(found).zip(&extents) {
                        let holds = match (said, found) {
                            (Source::Undecided(a), Source::Axis(b) | Source::Stretched(b)) => a == b,
                            // An extent of 1 laid on 1 both stays and walks.
                            (Source::Stretched(a), Source::Axis(b)) => a == b && extent == 1,
                            (said, found) => said == found,
                        };
                        prop_assert!(holds, "{request:?} reads {said:?}, but {concrete:?} reads {found:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn explanations_never_panic_and_fit(request in request()) {
        let text = Explanation::new(&request).to_string();
        for line in text.lines().skip(1) {
            prop_assert!(line.chars().count() <= 80, "{line:?} of\n{text}");
        }
    }

    #[test]
    fn suggestions_work(request in request()) {
        for suggestion in suggest(&request) {
            let answer = suggestion.request.answer().unwrap();
            prop_assert_eq!(answer.shape(), &suggestion.shape);
            prop_assert!(suggestion.request != request);
        }
    }
}

/// A million axes or a list of a million: answered, or refused with a short message.
#[test]
fn a_million_axes() {
    let of = |extent: usize| Shape::from(vec![extent; 1_000_000]);
    for &rule in rule::ALL {
        let count = (1..=3).find(|&n| rule.operands.allows(n)).unwrap();
        for shape in [of(1), of(2)] {
            let request = Request {
                target: (rule.target != Need::Never).then(|| of(3)),
                axes: (rule.axes != Need::Never).then(|| (0..1_000_000).collect()),
                ..Request::new(rule, vec![shape; count])
            };
            let text = Explanation::new(&request).to_string();
            assert!(text.len() < 20_000, "{} prints {} bytes", rule.name, text.len());
            if let Err(error) = request.answer() {
                assert!(error.to_string().len() < 1000, "{error}");
            }
        }
    }
}

/// What is said in another dialect's words, that dialect takes: HLO has no broadcast of what may turn out to be larger.
#[test]
fn what_is_said_elsewhere_is_taken_there() {
    let said = |rule, shapes: &[&str]| {
        let shapes = shapes.iter().map(|shape| shape.parse().unwrap()).collect();
        let all = elsewhere(&Request::new(rule, shapes), &Element::F32);
        let found = all.into_iter().find(|translation| translation.dialect == rule::Dialect::Hlo).unwrap();
        found.lines.map(|lines| lines.join("; "))
    };
    assert_eq!(
        said(&onnx::MULTIDIRECTIONAL, &["2..4", "2x3"]),
        Err("whether axis 0 of a is 3 is known only at run time".to_owned())
    );
    assert_eq!(
        said(&array_api::JOIN, &["0..3", "2x1"]),
        Ok("f32[2,<=3] broadcast(f32[<=3] a), dimensions={1}; f32[2,<=3] broadcast(f32[2] reshape(f32[2,1] b)), dimensions={0}".to_owned())
    );
}

/// A tool reads each fact by its name.
#[test]
fn no_fact_is_there_twice() {
    let index = Some(parse_index("7").unwrap());
    let request = Request {
        index,
        ..Request::new(&array_api::IN_PLACE, vec!["2x3".parse().unwrap(), "4".parse().unwrap()])
    };
    let facts = request.answer().unwrap_err().facts();
    let mut names: Vec<&str> = facts.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
}
