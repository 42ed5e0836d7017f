//! What NumPy prints, case by case, and the views of one array.

use super::*;
use crate::convert::Overflow;
use ndcast_shape::parse_index;

/// What NumPy 2.4 prints; `tools/display/generate.py` made it.
const CASES: &str = include_str!("../../tests/display.txt");

/// The bytes of elements given as bits in hexadecimal, both parts of a complex number in one word.
fn bytes(dtype: DType, line: &str) -> Vec<u8> {
    let size = dtype.part().size().unwrap();
    let bits = |word: &str| u64::from_str_radix(word, 16).unwrap().to_le_bytes();
    line.split([' ', ',']).flat_map(|word| bits(word)[..size].to_vec()).collect()
}

fn tensor(header: &str, elements: &str) -> Tensor {
    let (dtype, shape) = header.split_once(' ').unwrap();
    let dtype: DType = dtype.parse().unwrap();
    let shape: Vec<usize> = shape.split('x').filter(|n| *n != "-").map(|n| n.parse().unwrap()).collect();
    let mut tensor = Tensor::zeros(&shape, dtype).unwrap();
    let bytes = bytes(dtype, elements);
    for (to, from) in tensor.memory_mut().unwrap().iter_mut().zip(bytes.iter().cycle()) {
        *to = *from;
    }
    tensor
}

#[test]
fn as_numpy_prints() {
    let other = std::env::var("NDCAST_DISPLAY").map(|path| std::fs::read_to_string(path).unwrap());
    let text = other.as_deref().unwrap_or(CASES);
    let (mut cases, mut wrong) = (0, vec![]);
    for case in
        text.split("\n\n").map(str::trim_start).filter(|case| !case.starts_with('#') && !case.is_empty())
    {
        let mut lines = case.lines();
        let (header, elements) = (lines.next().unwrap(), lines.next().unwrap());
        let wanted: Vec<&str> = lines.map(|line| line.strip_prefix('|').unwrap()).collect();
        let (wanted, found) = (wanted.join("\n"), tensor(header, elements).to_string());
        cases += 1;
        if found != wanted {
            wrong.push(format!("{header}\n{elements}\nNumPy:\n{wanted}\nhere:\n{found}\n"));
        }
    }
    assert!(cases > 500);
    let first = &wrong[..wrong.len().min(10)];
    assert!(wrong.is_empty(), "{} of {cases}:\n{}", wrong.len(), first.join("\n"));
}

/// A view is printed as its copy is.
#[test]
fn views() {
    let numbers: Vec<i32> = (0..11 * 5 * 30).collect();
    let whole = Tensor::new(&[11, 5, 30], &numbers).unwrap();
    let views = [
        whole.transpose(&[2, 0, 1]).unwrap(),
        whole.flip(0).unwrap().flip(2).unwrap(),
        whole.select(&parse_index("::-2, 1, 3::4").unwrap()).unwrap(),
        whole.select(&parse_index("3, ..., None, ::7").unwrap()).unwrap(),
        whole.select(&parse_index("3, 4, 2").unwrap()).unwrap(),
        whole.select(&parse_index("3:3").unwrap()).unwrap(),
    ];
    for view in views {
        let copy = Tensor::new(view.shape(), &view.to_vec::<i32>().unwrap()).unwrap();
        assert_eq!(view.to_string(), copy.to_string());
    }
    // A broadcast array of more elements than there is memory.
    let large = Array::full(&[1 << 20, 1 << 20], 1.5, DType::F32);
    let row = "[1.5 1.5 1.5 ... 1.5 1.5 1.5]";
    let rows = format!("{row}\n {row}\n {row}");
    assert_eq!(large.eval().unwrap().to_string(), format!("[{rows}\n ...\n {rows}]"));
}

#[test]
fn every_type_has_a_text() {
    for dtype in DType::all().filter(|dtype| *dtype != DType::String) {
        let zeros = Tensor::zeros(&[2], dtype).unwrap().to_string();
        assert!(zeros.starts_with('[') && zeros.len() > 3, "{dtype}: {zeros}");
    }
    // Nobody else prints nf4.
    let mut codes = Tensor::zeros(&[16], DType::Nf4).unwrap();
    let mut wide = [0f32; 16];
    for (code, byte) in codes.memory_mut().unwrap().iter_mut().enumerate() {
        *byte = u8::try_from(code).unwrap();
    }
    kernel(DType::Nf4, DType::F32, Overflow::Numpy)
        .unwrap()
        .run(&[codes.memory()], bytemuck::cast_slice_mut(&mut wide));
    assert_eq!(codes.to_string(), Tensor::new(&[16], &wide).unwrap().to_string());
}

#[test]
fn what_is_too_much_is_counted() {
    let flat = Tensor::zeros(&[1; 65], DType::F32).unwrap();
    assert_eq!(flat.to_string(), "Tensor(65 axes, 1 elements of f32)");
    let large = Array::full(&[2; 40], 1, DType::I8).eval().unwrap();
    assert_eq!(large.to_string(), "Tensor(40 axes, 1099511627776 elements of i8)");
}
