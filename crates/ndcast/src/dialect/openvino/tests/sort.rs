//! TopK in its opsets: which are chosen and in which order, and what each check refuses.

use super::*;

/// What TopK makes of an array: the elements and their places, or why there are none.
fn top_k(
    opset: u32,
    x: &Tensor,
    k: Tensor,
    attributes: &[(&str, &str)],
) -> Result<(Vec<f32>, Vec<i64>, DType), Error> {
    let mut graph = Graph::new();
    let input = graph.input("x", x.dtype(), vec![ndcast_shape::Dim::UNKNOWN; x.rank()].into())?;
    let k = graph.constant(k)?;
    let made =
        Builder::new(&mut graph).layer("TopK", opset, &[input, k], &attributes.iter().copied().collect())?;
    for (place, id) in made.into_iter().enumerate() {
        graph.output(&place.to_string(), id)?;
    }
    let made = graph.run(std::slice::from_ref(x))?;
    let [elements, places] = [&made[0], &made[1]].map(|tensor| crate::Array::from(tensor.clone()));
    Ok((elements.convert(DType::F32).to_vec()?, places.convert(DType::I64).to_vec()?, made[1].dtype()))
}

#[test]
fn which_and_in_which_order() {
    let x = Tensor::new(&[5], &[2.0f32, 5.0, 2.0, 7.0, 1.0]).unwrap();
    let of = |opset, k: i64, attributes: &[(&str, &str)]| {
        let mut all = vec![("axis", "-1")];
        all.extend(attributes);
        top_k(opset, &x, Tensor::scalar(k).unwrap(), &all).unwrap()
    };
    type Row<'a> = (&'a [(&'a str, &'a str)], [f32; 3], [i64; 3]);
    let rows: &[Row<'_>] = &[
        (&[("mode", "max"), ("sort", "value")], [7.0, 5.0, 2.0], [3, 1, 0]),
        (&[("mode", "MAX"), ("sort", "index")], [2.0, 5.0, 7.0], [0, 1, 3]),
        (&[("mode", "max")], [7.0, 5.0, 2.0], [3, 1, 0]),
        (&[("mode", "min"), ("sort", "value")], [1.0, 2.0, 2.0], [4, 0, 2]),
        (&[("mode", "min"), ("sort", "index")], [2.0, 2.0, 1.0], [0, 2, 4]),
        (&[("mode", "min"), ("sort", "none")], [1.0, 2.0, 2.0], [4, 0, 2]),
    ];
    for (attributes, elements, places) in rows {
        for opset in [1, 3, 11, 17] {
            let found = of(opset, 3, attributes);
            assert_eq!(found, (elements.to_vec(), places.to_vec(), DType::I32), "{opset} {attributes:?}");
        }
    }
    let long = [("mode", "min"), ("sort", "value"), ("index_element_type", "i64"), ("stable", "true")];
    assert_eq!(of(11, 5, &long), (vec![1.0, 2.0, 2.0, 5.0, 7.0], vec![4, 0, 2, 1, 3], DType::I64));
    assert_eq!(of(11, 0, &long), (vec![], vec![], DType::I64));
}

#[test]
fn what_is_refused() {
    let x = counted(&[2, 3]);
    let plain = [("axis", "1"), ("mode", "max"), ("sort", "value")];
    let with = |name: &'static str, value: &'static str| {
        let mut all: Vec<(&str, &str)> = plain.iter().copied().filter(|(other, _)| *other != name).collect();
        all.push((name, value));
        all
    };
    let number = |k: i64| Tensor::scalar(k).unwrap();
    for (k, attributes, message) in [
        (number(4), plain.to_vec(), "4 elements are wanted along axis 1, which has extent 3"),
        (number(-1), plain.to_vec(), "TopK: -1 elements are wanted"),
        (
            number(1),
            plain[..2].iter().copied().chain([("sort", "size")]).collect(),
            "none of value, index, none",
        ),
        (number(1), with("axis", "2"), "TopK: there is no axis 2: the rank is 2"),
        (number(1), with("axis", "-3"), "TopK: there is no axis -3: the rank is 2"),
        (number(1), with("mode", "most"), "none of max, min"),
        (number(1), plain[..1].to_vec(), "TopK: the attribute mode is missing"),
        (number(1), plain[1..].to_vec(), "TopK: the attribute axis is missing"),
        (number(1), with("index_element_type", "f32"), "TopK: it takes no elements of type f32"),
        (
            number(1),
            [("axis", "0"), ("mode", "max"), ("sort", "none"), ("stable", "true")].to_vec(),
            "TopK: what is stable is sorted by value or by index",
        ),
        (
            Tensor::new(&[1], &[1i64]).unwrap(),
            plain.to_vec(),
            "TopK: k is one number without axes, and no array of 1",
        ),
        (
            Tensor::scalar(1.0f32).unwrap(),
            plain.to_vec(),
            "TopK: how many are wanted is an integer, and no f32",
        ),
    ] {
        let error = top_k(11, &x, k, &attributes).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
