//! Arrays changed in place: what the right side was before, who sees the change, and what shape and type stay.

use ndcast::shape::{Index, parse_index};
use ndcast::{Array, DType, Keep, Number, Op, Operand, Place};

use super::bits::Random;
use super::both::Both;

fn index(text: &str) -> Vec<Index> {
    parse_index(text).unwrap()
}

/// Changes an array in each way in which it may be held, and says what it is afterwards.
fn each_way(x: &Both, change: impl Fn(&mut Both)) {
    let mut held = x.clone();
    change(&mut held);
    held.check("another handle has it");
    let mut alone = Both::listed(x.listed.clone());
    change(&mut alone);
    alone.check("nobody else has it");
    // Not computed yet, by itself and as a part of something else.
    let mut lazy = x.clone();
    lazy.array = lazy.array.copy().bitwise_invert().bitwise_invert();
    change(&mut lazy);
    lazy.check("not computed yet");
    let (mut first, mut both) = (x.clone(), x.clone());
    first.array = first.array.copy().bitwise_invert();
    both.array = first.array.bitwise_invert();
    let other = both.clone();
    change(&mut both);
    ndcast::eval(&[&other.array, &both.array, &first.array]).unwrap();
    both.check("with others at once");
    other.check("not computed yet, and had by another");
    x.check("the other handle");
}

#[test]
fn the_right_side_is_read_first() {
    for count in [2, 9, 513, 5000] {
        let x = Both::finite(&[count], DType::I32, &mut Random(1));
        for (left, right) in [
            ("1:", ":-1"),
            (":-1", "1:"),
            (":", "::-1"),
            ("::-1", ":"),
            ("1:", "-2::-1"),
            ("::2", "::-2"),
            ("0", "-1"),
            ("0", "0"),
        ] {
            for op in [None, Some(Op::Add), Some(Op::Subtract)] {
                each_way(&x, |x| {
                    let by = x.select(&index(right));
                    x.update(Some(&index(left)), op, &by).unwrap();
                });
            }
        }
        // The whole array from itself.
        for op in [None, Some(Op::Multiply)] {
            each_way(&x, |x| {
                let backwards = x.flip(&[0]);
                x.update(None, op, &backwards).unwrap();
                let (same, greatest) =
                    (x.clone(), x.reduce(ndcast::reduction::Reduction::Max, &[0], Keep::Axes));
                x.update(None, op, &same).unwrap();
                x.update(Some(&index("::3")), op, &greatest.unwrap()).unwrap();
            });
        }
    }
    let square = Both::finite(&[70, 70], DType::I32, &mut Random(2));
    each_way(&square, |x| {
        let turned = x.transpose(&[1, 0]);
        x.update(None, Some(Op::Subtract), &turned).unwrap();
        let turned = x.transpose(&[1, 0]);
        x.update(None, None, &turned).unwrap();
        let row = x.select(&index("0"));
        x.update(Some(&index(":, ::-1")), Some(Op::Add), &row).unwrap();
    });
}

#[test]
fn what_an_index_selects() {
    let x = Both::finite(&[3, 4, 5], DType::I16, &mut Random(3));
    for (left, shape) in [
        ("1", vec![4, 5]),
        ("1", vec![5]),
        ("...", vec![4, 1]),
        ("..., 2", vec![3, 4]),
        (":, None, 1:3", vec![1, 1, 5]),
        ("None, ..., None", vec![3, 1, 1, 1]),
        ("::-1, ::-1, ::-1", vec![3, 4, 5]),
        ("::2, ::-3, 1::2", vec![2, 2, 2]),
        ("2, 3, 4", vec![]),
        ("-1, ..., -1", vec![4]),
        ("5:, 1", vec![1]),
        ("0:0", vec![]),
        (":, 3:1:-1, 0", vec![3, 2]),
    ] {
        let by = Both::finite(&shape, DType::I8, &mut Random(4));
        for op in [None, Some(Op::Multiply)] {
            each_way(&x, |x| x.update(Some(&index(left)), op, &by).unwrap());
        }
    }
}

/// All elements through an index that drops or adds axes: the array keeps its shape.
#[test]
fn all_of_it_by_another_rank() {
    for (shape, left) in [
        (vec![1, 3], "0"),
        (vec![1, 3], "-1, :"),
        (vec![3], "None"),
        (vec![3], ":, None"),
        (vec![1, 1], "0, 0"),
        (vec![1], "0"),
        (vec![2, 1, 3], ":, 0"),
        (vec![600, 1], ":, 0"),
        (vec![4, 0], "1:2"),
        (vec![0, 3], ":, 1"),
        (vec![0], "None"),
        (vec![], "..."),
        (vec![], "None, None"),
    ] {
        let x = Both::finite(&shape, DType::I64, &mut Random(5));
        for op in [None, Some(Op::Add)] {
            let by = Both::finite(&[], DType::I64, &mut Random(6));
            each_way(&x, |x| x.update(Some(&index(left)), op, &by).unwrap());
        }
    }
}

/// An array that is a view of memory that nobody else has.
#[test]
fn views_of_own_memory() {
    let views: [fn(&Both) -> Both; 8] = [
        |x| x.transpose(&[1, 0]),
        |x| x.flip(&[0]),
        |x| x.flip(&[0, 1]),
        |x| x.select(&index("1:")),
        |x| x.select(&index(":, ::2")),
        |x| x.select(&index("1")),
        |x| x.select(&index("0:1")).broadcast_to(&[5, 4]),
        |x| x.broadcast_to(&[2, 3, 4]),
    ];
    for view in views {
        for (left, op) in [("...", Some(Op::Add)), ("...", None), ("0", None), ("::-1", Some(Op::Subtract))] {
            let mut x = view(&Both::finite(&[3, 4], DType::I32, &mut Random(7)));
            let by = Both::finite(&[], DType::I32, &mut Random(8));
            x.update(Some(&index(left)), op, &by).unwrap();
            x.check(left);
            let mut x = view(&Both::finite(&[3, 4], DType::I32, &mut Random(7)));
            x.update(None, op, &by).unwrap();
            x.check("whole");
        }
    }
    let mut full = Array::full(&[2, 2], 7, DType::U8);
    full.set(&index("0, 1"), 9);
    full += 1;
    assert_eq!(full.to_vec::<u8>().unwrap(), [8, 10, 8, 8]);
}

/// Numbers that are equal are one in an expression; one of them changed is none of the other's business.
#[test]
fn equal_scalars() {
    let (mut a, b) = (Array::scalar(5.0), Array::scalar(5.0));
    a += 1.0;
    let c = &b * 2.0;
    ndcast::eval(&[&a, &c]).unwrap();
    assert_eq!((a.item::<f64>(), b.item::<f64>(), c.item::<f64>()), (Ok(6.0), Ok(5.0), Ok(10.0)));
    let mut x = Array::scalar(5);
    x += 5;
    x += &Array::scalar(10);
    x.update(Op::Multiply, Place::At(&[]), 20);
    assert_eq!(x.item::<i32>(), Ok(400));
    let mut rows = Array::new(&[1, 2], &[1, 2]);
    let equal = Array::new(&[1, 2], &[1, 2]);
    rows += &equal;
    ndcast::eval(&[&rows, &(&equal + 1)]).unwrap();
    assert_eq!(rows.to_vec::<i32>().unwrap(), [2, 4]);
}

/// What nobody else has is changed where it lies; what somebody has is not.
#[test]
fn memory_is_used_again() {
    let mut x = Array::new(&[1000], &[1i32; 1000]);
    let place = |x: &Array| x.eval().unwrap().as_slice::<i32>().unwrap().as_ptr();
    let first = place(&x);
    x += 1;
    assert_eq!(place(&x), first);
    x.set(&index("::3"), 5);
    x.update(Op::Multiply, Place::At(&index("5:")), 3);
    assert_eq!(place(&x), first);
    let held = x.clone();
    x += 1;
    assert_ne!(place(&x), first);
    assert_eq!(place(&held), first);
    assert_eq!(held.to_vec::<i32>().unwrap()[..7], [5, 2, 2, 5, 2, 6, 15]);
    // A view has the memory too.
    let second = place(&held);
    let (view, mut held) = (held.select(&index("3:")), held);
    held.set(&index("4"), 0);
    assert_ne!(place(&held), second);
    assert_eq!(view.to_vec::<i32>().unwrap()[1], 2);
    // A tensor somebody looks at is not changed under their eyes.
    let mut y = Array::new(&[2], &[1, 2]);
    let tensor = y.eval().unwrap();
    y += 1;
    assert_eq!(y.to_vec::<i32>().unwrap(), [2, 3]);
    assert_eq!(tensor.to_vec::<i32>().unwrap(), [1, 2]);
}

/// A part is changed where it lies, though it is read from the array itself: in one step, or as Python writes it, where
/// the part is changed first and put back then.
#[test]
fn parts_of_itself() {
    for (rows, columns) in [(7, 9), (200, 150)] {
        let x = Both::finite(&[rows, columns], DType::I32, &mut Random(11));
        let y = Both::finite(&[rows, columns], DType::I32, &mut Random(12));
        for (left, right) in [
            (":, -1", ":, 0"),
            ("::-1, 1", ":, 2"),
            (":, ::2", ":, ::2"),
            ("1:, :", ":-1, :"),
            ("3, :", "2, :"),
            ("...", "::-1, :"),
            ("..., None", "..., None"),
            ("0:0", "0:0"),
        ] {
            let (left, right) = (index(left), index(right));
            each_way(&x, |x| {
                let from = x.select(&right);
                x.update(Some(&left), None, &from).unwrap();
            });
            for op in [Op::Add, Op::Subtract, Op::Multiply] {
                each_way(&x, |x| {
                    let mut part = x.select(&left);
                    part.update(None, Some(op), &y.select(&left)).unwrap();
                    x.update(Some(&left), None, &part).unwrap();
                    // Both have the new value, and what one is given now the other does not see.
                    part.check("the part");
                    x.update(Some(&left), Some(Op::BitwiseXor), &part).unwrap();
                    part.check("the part, when the array is changed again");
                });
                each_way(&x, |x| {
                    let mut part = x.select(&left);
                    part.update(None, Some(op), &x.select(&right)).unwrap();
                    x.update(Some(&left), None, &part).unwrap();
                    // It is put elsewhere too, and once more.
                    let mut other = y.clone();
                    other.update(Some(&left), None, &part).unwrap();
                    other.check("the part in another array");
                    x.update(Some(&left), None, &part).unwrap();
                });
            }
        }
    }
}

/// A part of a view of something lies elsewhere in memory than the same part of an array of its own.
#[test]
fn parts_of_a_view() {
    for columns in [3, 9000] {
        let whole = Both::finite(&[4, columns], DType::I32, &mut Random(13));
        let y = Both::finite(&[columns], DType::I32, &mut Random(14));
        for (from, to) in [("0", "1"), ("1", "0"), ("1", "1"), ("0", "0")] {
            let mut view = whole.select(&index("1:"));
            let mut part = view.select(&index(from));
            part.update(None, Some(Op::Add), &y).unwrap();
            view.update(Some(&index(to)), None, &part).unwrap();
            view.check(to);
            part.check(from);
            whole.check("what it is a view of");
        }
    }
}

/// None of these copies the array, whose memory nobody else has.
#[test]
fn parts_of_itself_where_they_lie() {
    let place = |x: &Array| x.eval().unwrap().as_slice::<f32>().unwrap().as_ptr();
    let mut x = Array::full(&[300, 400], 1.5, DType::F32).copy();
    let first = place(&x);
    x.set(&index(":, 0"), x.select(&index(":, 1")));
    x.update(Op::Add, Place::At(&index("1:")), x.select(&index(":-1")));
    x.set(&index("1:-1, 1:-1"), x.select(&index(":-2, 1:-1")) + x.select(&index("1:-1, 2:")));
    x.set(&index("2, :"), x.select(&index("1, :")) * 2.0);
    for part in [":, -1", "::2, ::-3", "...", "5"] {
        let part = index(part);
        let mut changed = x.select(&part);
        changed *= 0.5;
        changed += 1.0;
        x.set(&part, changed);
    }
    assert_eq!(place(&x), first);
    // Zeros are one number in memory until a part of them is another.
    let mut zeros = Array::zeros(&[300, 400], DType::F32);
    zeros.set(&index("0"), 1.0);
    let first = place(&zeros);
    for row in 1..300 {
        zeros.set(&[Index::At(row)], zeros.select(&[Index::At(row - 1)]) + 1.0);
    }
    assert_eq!((place(&zeros), zeros.max([0, 1], Keep::Nothing).item::<f32>()), (first, Ok(300.0)));
    // What is computed of an array that is not there yet is put there once it is.
    let mut made = x.exp();
    made.set(&index("0"), made.select(&index("1")));
    let first = place(&made);
    made.set(&index("1"), made.select(&index("2")));
    assert_eq!(place(&made), first);
}

/// What cannot be done changes nothing, whether it would be done on the spot or put off.
#[test]
fn what_fails_leaves_the_array() {
    let ready = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    for x in [ready.clone(), ready.copy()] {
        let mut own = x.clone();
        let row = Array::new(&[2], &[1, 2]);
        let wrong = own.try_update(Some(Op::Add), Place::Whole, &row).unwrap_err().to_string();
        assert!(wrong.starts_with("add: ") && wrong.contains("2x3 and 2 do not broadcast"), "{wrong}");
        let wrong = own.try_update(None, Place::At(&index("0")), &row).unwrap_err().to_string();
        assert!(wrong.starts_with("set: ") && wrong.contains("3 and 2 do not broadcast"), "{wrong}");
        let wrong = own.try_update(None, Place::At(&index("2")), 1).unwrap_err().to_string();
        assert!(wrong.starts_with("set: ") && wrong.contains('2'), "{wrong}");
        let floats = Array::new(&[3], &[1.5, 2.5, 3.5]);
        let wrong = own.try_update(None, Place::Whole, &floats).unwrap_err().to_string();
        assert!(
            wrong.starts_with("assign: ")
                && wrong.contains("f64 does not fit into i32, which the left side stays"),
            "{wrong}"
        );
        assert!(own.try_update(Some(Op::Divide), Place::Whole, 2).is_err());
        let failed = &ready + &row;
        assert_eq!(own.try_update(Some(Op::Add), Place::Whole, &failed), failed.check());
        assert_eq!(own.to_vec::<i32>().unwrap(), [1, 2, 3, 4, 5, 6]);
        own.try_update(Some(Op::Add), Place::At(&index(":, 1")), 10).unwrap();
        assert_eq!(own.to_vec::<i32>().unwrap(), [1, 12, 3, 4, 15, 6]);
        assert_eq!(x.to_vec::<i32>().unwrap(), [1, 2, 3, 4, 5, 6]);
    }
}

#[test]
fn one_element() {
    for dtype in [DType::Bool, DType::I8, DType::U64, DType::F16, DType::F32, DType::C128] {
        let zeros = || Array::zeros(&[3, 4], dtype).copy();
        let one: Number = if dtype == DType::Bool { true.into() } else { 1.into() };
        for x in [zeros(), zeros().eval().unwrap().clone().into(), Array::zeros(&[3, 4], dtype)] {
            let (mut y, before) = (x.clone(), x);
            y.set(&[Index::At(1), Index::At(-1)], one);
            y.set(&[Index::At(-3), Index::At(0)], one);
            let ones: Vec<f64> = (0..12).map(|n| f64::from(u8::from(n == 0 || n == 7))).collect();
            assert_eq!(y.convert(DType::F64).to_vec::<f64>().unwrap(), ones, "{dtype}");
            assert_eq!(before.convert(DType::F64).to_vec::<f64>().unwrap(), [0.0; 12]);
            for index in [[3, 0], [0, -5], [i64::MAX, 0], [i64::MIN, 0]] {
                let changed = y.try_update(None, Place::At(&index.map(Index::At)), one);
                assert!(changed.unwrap_err().to_string().starts_with("set: "), "{index:?}");
            }
            assert_eq!(y.convert(DType::F64).to_vec::<f64>().unwrap(), ones, "{dtype}");
        }
    }
    let mut small = Array::new(&[2], &[1i8, 2]);
    assert!(small.try_update(None, Place::At(&[Index::At(0)]), 300).is_err());
    assert!(small.try_update(None, Place::At(&[Index::At(0)]), 0.5).is_err());
    assert_eq!(small.to_vec::<i8>().unwrap(), [1, 2]);
}

#[test]
fn where_a_mask_is_true() {
    for shape in [vec![], vec![3, 4], vec![100, 300]] {
        let x = Both::finite(&shape, DType::F32, &mut Random(11));
        let mask = x.array.greater(0);
        let expected = mask.choose(7, &x.array).to_vec::<f32>().unwrap();
        for held in [x.array.clone(), x.array.copy(), x.array.copy().eval().unwrap().clone().into()] {
            for value in [Operand::from(7), Array::full(&[], 7, DType::F32).into()] {
                let mut changed = held.clone();
                changed.try_set_where(&mask, value).unwrap();
                assert_eq!(changed.to_vec::<f32>().unwrap(), expected);
                x.check("the other handle");
            }
        }
        let mut same = x.clone();
        assert!(same.array.try_set_where(&mask, Number::Complex(1.0f64.into())).is_err());
        assert!(same.array.try_set_where(&x.array, 1).is_err());
        assert!(same.array.try_set_where(&Array::new(&[2], &[true, true]), 1).is_err());
        same.check("what failed");
    }
}

/// Small parts of what is large are changed where they lie, and only they.
#[test]
fn small_parts_of_large_arrays() {
    let mut x = Both::finite(&[300, 100], DType::F64, &mut Random(9));
    let place = |x: &Both| x.array.eval().unwrap().as_slice::<f64>().unwrap().as_ptr();
    let first = place(&x);
    for (left, shape) in [
        ("5", vec![]),
        ("5", vec![100]),
        ("299, 99", vec![]),
        (":, 7", vec![]),
        (":, 7", vec![300]),
        ("::-1, 98", vec![300]),
        ("10:20, ::3", vec![34]),
        ("10:20, ::-1", vec![10, 1]),
        ("20:60", vec![40, 1]),
        ("20:60", vec![100]),
    ] {
        let by = Both::finite(&shape, DType::F64, &mut Random(10));
        for op in [None, Some(Op::Add), Some(Op::Multiply)] {
            x.update(Some(&index(left)), op, &by).unwrap();
            x.check(left);
            assert_eq!(place(&x), first, "{left}");
        }
    }
}

/// Parts whose rows are apart, so that tiles begin in the middle of rounds of short loops.
#[test]
fn parts_of_short_rows() {
    let mut random = Random(11);
    for shape in [[31, 3, 20], [133, 27, 3], [60, 5, 7], [2000, 3, 2], [40, 4, 50]] {
        for dtype in [DType::U8, DType::F32, DType::C128] {
            for left in [":, ::2", ":, 1:", "..., ::2", "1::2, :, 1:", ":, ::-2"] {
                let mut x = Both::finite(&shape, dtype, &mut random);
                let part = x.select(&index(left));
                let columns =
                    [part.array.shape().unwrap()[0], 1, *part.array.shape().unwrap().last().unwrap()];
                let by = Both::finite(&columns, dtype, &mut random);
                x.update(Some(&index(left)), Some(Op::Add), &by).unwrap();
                x.check(&format!("{left} of {shape:?}"));
            }
        }
    }
}
