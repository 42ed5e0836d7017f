//! What cannot be done is said, in whole sentences, by the array, by what is made of it, and by everything that looks.

use ndcast::error::ErrorKind;
use ndcast::layout::LayoutError;
use ndcast::shape::{Index, parse_index};
use ndcast::{Array, DType, Element, Keep, Op, Place, Tensor};

fn index(text: &str) -> Vec<Index> {
    parse_index(text).unwrap()
}

fn message(array: &Array) -> String {
    array.check().unwrap_err().to_string()
}

fn of<T: Element>(elements: &[T]) -> Array {
    Array::new(&[elements.len()], elements)
}

#[test]
fn shapes_and_types_that_do_not_go_together() {
    let (a, f) = (Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]), of(&[1.0f32, 2.0]));
    for (array, text) in [
        (
            &a + &of(&[1, 2]),
            "add: array-api: 2x3 and 2 do not broadcast: on axis 1 of the result, axis 1 of operand 0 is 3 and axis \
             0 of operand 1 is 2; they must be equal, or one of them 1",
        ),
        (
            &a + &f,
            "add: i32 and f32 have no common element type: the Array API leaves mixed kinds undefined; convert one \
             of them",
        ),
        (
            &a + 1.5,
            "add: a real number does not go with i32: the Array API leaves mixed kinds undefined; convert one of \
             them",
        ),
        (
            of(&[1u64]) * &of(&[1i8]),
            "multiply: u64 and i8 have no common element type: no integer type holds both; convert one of them",
        ),
        (
            a.sin(),
            "sin: it takes no elements of type i32; convert them to one of f16, bf16, f32, f64, c64, c128",
        ),
        (of(&[1u8]) + 300, "add: 300 is not between 0 and 255, which u8 holds"),
        (of(&[1u8]) - -1, "subtract: -1 is not between 0 and 255, which u8 holds"),
        (a.choose(&a, &a), "where: the elements are i32, not bool"),
        (a.broadcast_to(&[1 << 40, 1 << 40, 2, 3]), {
            "broadcast_to: 1099511627776x1099511627776x2x3 has more elements than can be addressed"
        }),
        (
            a.broadcast_to(&[3, 3]),
            "broadcast_to: array-api.broadcast-to: 2x3 does not broadcast to 3x3: on axis 0 of the result, axis 0 \
             of operand 0 is 2 and axis 0 of the target is 3; only 3 or 1 fits on the target",
        ),
        (a.convert(DType::String), {
            "convert: elements of type string have no fixed size, so there is no tensor of them"
        }),
        (Array::new(&[2, 2], &[1]), "2x2 has 4 elements, and 1 were given"),
    ] {
        assert_eq!(message(&array), text);
    }
    for (arguments, op) in [(0, Op::Add), (1, Op::Add), (3, Op::Add), (0, Op::Negative), (2, Op::Negative)] {
        let wrong = Array::apply(op, &vec![(&a).into(); arguments]);
        let takes = op.arity();
        assert_eq!(message(&wrong), format!("{op}: it takes {takes} arguments, and {arguments} are given"));
    }
    let column = of(&[1i8; 3]).reshape(&[3, 1]).broadcast_to(&[3, 1 << 40]);
    let row = of(&[1i8]).broadcast_to(&[1 << 40, 1, 1]);
    assert_eq!(
        message(&(&column + &row)),
        "add: 1099511627776x3x1099511627776 has more elements than can be addressed"
    );
}

#[test]
fn axes_and_views() {
    let a = Array::new(&[2, 3], &[1, 2, 3, 4, 5, 6]);
    for (array, text) in [
        (a.sum([2], Keep::Nothing), "sum: there is no axis 2: the rank is 2"),
        (a.sum([1, 0, 1], Keep::Axes), "sum: axis 1 is named twice"),
        (a.argmax(5, Keep::Axes), "argmax: there is no axis 5: the rank is 2"),
        (a.transpose(&[0]), "transpose: [0] does not name each of the 2 axes once"),
        (a.transpose(&[1, 1]), "transpose: [1, 1] does not name each of the 2 axes once"),
        (a.expand(3), "expand: there is no axis 3: the rank is 2"),
        (a.move_axes(&[2], &[0]), "move_axes: there is no axis 2: the rank is 2"),
        (a.move_axes(&[0, 1], &[1, 1]), "move_axes: axis 1 is named twice"),
        (a.move_axes(&[0, 1], &[1]), "move_axes: 2 axes cannot be put at 1 places"),
        (a.squeeze([0]), "squeeze: axis 0 has extent 2; only an axis of extent 1 can be dropped"),
        (a.flip([0, 2]), "flip: there is no axis 2: the rank is 2"),
        (a.flip([1, 1]), "flip: axis 1 is named twice"),
        (a.reshape(&[4]), "reshape: 2x3 and 4 have not the same number of elements"),
        (a.roll(1, 2), "roll: there is no axis 2: the rank is 2"),
        (a.repeat(2, 2), "repeat: there is no axis 2: the rank is 2"),
        (a.pad(&[(1, 1)], 0), "pad: 1 pairs are given for 2 axes; the shape is 2x3"),
        (Array::concatenate(&[] as &[Array], 0), "concatenate: there is no array"),
        (Array::concatenate(&[&a, &a], 2), "concatenate: there is no axis 2: the rank is 2"),
        (
            Array::concatenate(&[&a, &a.transpose(&[1, 0])], 0),
            "concatenate: the shapes must be equal besides on axis 0, and they are 2x3 and 3x2",
        ),
        (
            of(&[1]).matrix_transpose(),
            "matrix_transpose: it takes an array of at least 2 axes, and this has 1",
        ),
    ] {
        assert_eq!(message(&array), text);
    }
    let lazy = a.negative();
    assert_eq!(message(&lazy.flip([7])), "flip: there is no axis 7: the rank is 2");
    assert_eq!(message(&lazy.reshape(&[5])), "reshape: 2x3 and 5 have not the same number of elements");
    for (wrong, part) in [
        (a.select(&index("2")), "index 2 is outside axis 0"),
        (lazy.select(&index("0, -4")), "index -4 is outside axis 1"),
        (a.select(&index("0, 0, 0")), "the index takes 3 axes"),
    ] {
        let text = message(&wrong);
        assert!(text.starts_with("select: ") && text.contains(part) && !text.contains("  "), "{text}");
    }
    let kind = a.expand(9).check().unwrap_err().kind().clone();
    assert_eq!(kind, ErrorKind::Layout(LayoutError::NoAxis { axis: 9, rank: 2 }));
}

#[test]
fn folds_of_nothing() {
    let none = Array::new::<f32>(&[2, 0], &[]);
    let text = "max: axis 1 has extent 0, and of no elements there is none; the shape is 2x0";
    assert_eq!(message(&none.max([1], Keep::Axes)), text);
    assert!(none.min([0, 1], Keep::Nothing).eval().is_err());
    assert!(none.argmax(1, Keep::Axes).eval().is_err());
    assert!(none.logsumexp([1], Keep::Axes).eval().is_err());
    // Nothing of something is nothing.
    assert_eq!(none.max([0], Keep::Axes).eval().unwrap().shape(), [1, 0]);
    assert_eq!(none.sum([1], Keep::Nothing).to_vec::<f32>(), Ok(vec![0.0; 2]));
    assert_eq!(none.prod([0, 1], Keep::Nothing).item::<f32>(), Ok(1.0));
    assert_eq!(none.all([1], Keep::Nothing).to_vec::<bool>(), Ok(vec![true; 2]));
}

#[test]
fn in_place() {
    let t = Array::new(&[3, 4], &[0i32; 12]);
    let changed = |change: &dyn Fn(&mut Array)| {
        let mut x = t.clone();
        change(&mut x);
        assert_eq!(t.to_vec::<i32>().unwrap(), [0; 12], "the other handle changed");
        message(&x)
    };
    let zeros = |shape: &[usize]| Array::full(shape, 0, DType::I32);
    let mut narrow = zeros(&[1, 3]);
    narrow += &zeros(&[2, 3]);
    assert_eq!(
        message(&narrow),
        "add: array-api.in-place: 1x3 and 2x3 do not broadcast: on axis 0 of the result, axis 0 of operand 0 is 1 \
         and axis 0 of operand 1 is 2; only 1 fits on operand 0"
    );
    assert_eq!(
        changed(&|x| x.assign(zeros(&[1, 3, 4]))),
        "assign: array-api.in-place: 3x4 and 1x3x4 do not broadcast: operand 1 has rank 3, and 2 is the most that fits"
    );
    assert_eq!(
        changed(&|x| x.set(&index("1"), zeros(&[1, 4]))),
        "set: array-api.in-place: 4 and 1x4 do not broadcast: operand 1 has rank 2, and 1 is the most that fits"
    );
    assert_eq!(
        changed(&|x| x.update(Op::Less, Place::Whole, 3)),
        "less: its result is bool, and the array stays i32"
    );
    assert_eq!(
        changed(&|x| *x += 1.5),
        "add: a real number does not fit into i32, which the left side stays"
    );
    assert_eq!(
        changed(&|x| *x += &of(&[1i64])),
        "add: i64 does not fit into i32, which the left side stays; convert it"
    );
    assert_eq!(changed(&|x| *x += i64::MAX), {
        "add: 9223372036854775807 is not between -2147483648 and 2147483647, which i32 holds"
    });
    assert_eq!(
        changed(&|x| *x /= 2),
        "divide: it takes no elements of type i32; convert them to one of f16, bf16, f32, f64, c64, c128"
    );
    assert!(changed(&|x| x.set(&index("3"), 1)).contains("index 3 is outside axis 0"));
    assert!(changed(&|x| x.set(&index("0, 0, 0"), 1)).contains("the index takes 3 axes"));
    changed(&|x| x.update(Op::Clip, Place::Whole, 3));
    changed(&|x| x.update(Op::Negative, Place::Whole, 3));
    // What is wrong stays wrong, whatever is done to it afterwards.
    let text = changed(&|x| {
        *x += 1.5;
        *x += 1;
        x.set(&index("7"), 1);
        x.assign(3);
    });
    assert!(text.starts_with("add: a real number"));
    // The value's error, too.
    assert!(changed(&|x| *x += &t.transpose(&[7])).contains("does not name each of the 2 axes"));
}

/// Everything that looks at an array returns its error, and everything that is made of it has it.
#[test]
fn errors_are_carried() {
    let wrong = of(&[1.0f32, 2.0]).sum([3], Keep::Nothing);
    let error = wrong.check().unwrap_err();
    assert_eq!(
        (error.operation(), error.to_string().as_str()),
        (Some("sum"), "sum: there is no axis 3: the rank is 1")
    );
    assert_eq!(wrong.shape().unwrap_err(), error);
    assert_eq!(wrong.rank().unwrap_err(), error);
    assert_eq!(wrong.dtype().unwrap_err(), error);
    assert_eq!(wrong.eval().unwrap_err(), error);
    assert_eq!(wrong.to_vec::<f32>().unwrap_err(), error);
    assert_eq!(wrong.item::<f32>().unwrap_err(), error);
    assert_eq!(ndcast::eval(&[&of(&[1]), &wrong]).unwrap_err(), error);
    assert!(wrong.is_ready());
    let fine = of(&[true, false]);
    for made in [
        &wrong + 1.0,
        1.0 - &wrong,
        &wrong + &wrong,
        wrong.exp().sqrt(),
        wrong.clip(0.0, 1.0),
        fine.choose(&wrong, 0.0),
        fine.choose(0.0, &wrong),
        wrong.choose(1.0, 0.0),
        wrong.convert(DType::I8),
        wrong.sum([9], Keep::Axes),
        wrong.mean([9], Keep::Axes),
        wrong.std([], 0.0, Keep::Axes),
        wrong.logsumexp([0], Keep::Axes),
        wrong.argmin(9, Keep::Axes),
        wrong.l1([0], Keep::Axes),
        wrong.l2([0], Keep::Axes),
        wrong.transpose(&[4]),
        wrong.matrix_transpose(),
        wrong.expand(9),
        wrong.move_axes(&[7], &[8]),
        wrong.flatten(),
        wrong.squeeze([9]),
        wrong.select(&index("9")),
        wrong.flip([9]),
        wrong.reshape(&[9]),
        wrong.broadcast_to(&[9]),
        wrong.roll(1, 9),
        wrong.repeat(2, 9),
        wrong.tile(&[2, 2]),
        wrong.pad(&[(1, 1)], 0),
        wrong.one_hot(3, 1, 0, DType::F32),
        Array::concatenate(&[&of(&[1.0f32]), &wrong], 0),
        Array::concatenate(&[&wrong, &fine], 9),
        Array::stack(&[&wrong, &of(&[1.0f32])], 0),
    ] {
        assert_eq!(made.eval().unwrap_err(), error);
    }
    let mut changed = wrong.clone();
    changed += 1.0;
    changed.set(&index("9"), 1.0);
    assert_eq!(changed.check().unwrap_err(), error);
}

#[test]
fn looking_in_the_wrong_way() {
    let a = Array::new(&[2], &[1, 2]);
    assert_eq!(a.to_vec::<f32>().unwrap_err().to_string(), "the elements are i32, not f32");
    assert_eq!(a.to_vec::<u32>().unwrap_err().to_string(), "the elements are i32, not u32");
    assert!(a.item::<i32>().is_err());
    // Before anything is computed: there is not so much memory.
    let many = Array::full(&[1 << 45], 1, DType::I32) + 1;
    assert_eq!(
        many.item::<i32>().unwrap_err().to_string(),
        "item: an item is one element; the shape is 35184372088832"
    );
    assert!(Tensor::zeros(&[usize::MAX, 2], DType::F32).is_err());
    assert!(Tensor::zeros(&[usize::MAX / 2], DType::F32).is_err());
    assert!(Tensor::zeros(&[1], DType::String).is_err());
    assert!(Array::iota(usize::MAX, DType::F32).check().is_err());
    let n = 1 << 30;
    let error = Tensor::new(&[n, n, 0], &[1]).unwrap_err();
    assert_eq!(error.to_string(), "1073741824x1073741824x0 has 0 elements, and 1 were given");
}

/// What would lose something on the way is refused, and nothing is changed.
#[test]
fn what_does_not_fit() {
    let x = of(&[1, 2, 3]);
    let (places, values) = (of(&[0i64]), of(&[7]));
    let put = |places: &Array, values: &Array, op| x.put_along_axis(places, values, 0, op);
    for (array, text) in [
        (x.pad(&[(1, 1)], 1.5), "pad: a real number does not fit into i32"),
        (
            of(&[1.5f32]).pad(&[(0, 1)], num_complex::Complex::new(1.0, 1.0)),
            "pad: a complex number does not fit into f32",
        ),
        (of(&[true]).pad(&[(1, 0)], f64::NAN), "pad: a real number does not fit into bool"),
        (
            x.pad(&[(1, 1)], 3_000_000_000i64),
            "pad: 3000000000 is not between -2147483648 and 2147483647, which i32 holds",
        ),
        (of(&[0]).one_hot(2, 1.5, 0, DType::I32), "one_hot: a real number does not fit into i32"),
        (
            put(&places, &of(&[2.5]), None),
            "put_along_axis: f64 does not fit into i32, which the left side stays; convert it",
        ),
        (put(&of(&[0.5]), &values, None), "put_along_axis: the numbers are integers, not f64"),
        (put(&of(&[true]), &values, None), "put_along_axis: the numbers are integers, not bool"),
        (
            of(&[1.0f32]).put_along_axis(&places, of(&[2.0f32]), 0, Some(Op::LeakyRelu)),
            "put_along_axis: leaky_relu is no operation of one kernel on f32",
        ),
        (Array::iota(129, DType::I8), "iota: 128 is not between -128 and 127, which i8 holds"),
        (
            x.vecdot(&x, 2),
            "vecdot: there is no axis 2 counted from the end, where 1 is the last: the rank is 1",
        ),
    ] {
        assert_eq!(message(&array), text);
    }
    let mut runs = x.clone();
    let wrong = runs.put_runs(&of(&[1.9]), 1, 7).unwrap_err().to_string();
    assert_eq!(wrong, "put: the numbers are integers, not f64");
    assert_eq!(runs.to_vec::<i32>().unwrap(), [1, 2, 3]);
    // More bytes than there are addresses.
    let bytes = message(&Array::zeros(&[1 << 61], DType::F64).exp().bitcast(DType::U8));
    assert!(bytes.contains("2305843009213693952x8"), "{bytes}");
    // What fits is no error.
    assert_eq!(of(&[true]).pad(&[(1, 1)], 0).to_vec::<bool>().unwrap(), [false, true, false]);
    assert_eq!(Array::iota(128, DType::I8).max(.., Keep::Nothing).item::<i8>().unwrap(), 127);
    assert_eq!(Array::range(-100, 100, 1, DType::I8).max(.., Keep::Nothing).item::<i8>().unwrap(), 99);
    assert!(of(&[1.0, 2.0]).var(.., f64::NAN, Keep::Nothing).item::<f64>().unwrap().is_nan());
    assert!(of(&[1.0, 2.0]).std(.., 3.0, Keep::Nothing).item::<f64>().unwrap().is_infinite());
    assert_eq!(of(&[i16::MIN, 1]).l1(.., Keep::Nothing).item::<i64>().unwrap(), 32_769);
    assert_eq!(of(&[300u16, 300]).sum_square(.., Keep::Nothing).item::<u64>().unwrap(), 180_000);
}

#[test]
fn sizes_beside_arrays() {
    let x = of(&[2.0, 4.0]);
    let count = x.shape().unwrap()[0];
    assert_eq!((&x / count).to_vec::<f64>().unwrap(), [1.0, 2.0]);
    assert_eq!((count * &x - 1isize).to_vec::<f64>().unwrap(), [3.0, 7.0]);
    assert_eq!((of(&[1i64]) + 5i128).to_vec::<i64>().unwrap(), [6]);
    assert!((of(&[1i64]) + i128::MAX).check().is_err() && (of(&[1u8]) * usize::MAX).check().is_err());
}
