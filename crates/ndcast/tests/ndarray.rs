//! Exchange with ndarray: whose memory it is, and that every view shows the same elements on both sides.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test says what must hold")]

use ndarray::{Array3, ArrayD, Axis, IxDyn, ShapeBuilder, Slice, array};
use ndcast::buffer::Pool;
use ndcast::shape::parse_index;
use ndcast::{Array, DType, Element, Tensor};
use num_complex::Complex;

/// Elements of both sides in order, one by one.
fn same<T: Element>(tensor: &Tensor) {
    let view = tensor.view_ndarray::<T>().unwrap();
    assert_eq!(view.shape(), tensor.shape());
    assert_eq!(view.iter().copied().collect::<Vec<_>>(), tensor.to_vec::<T>().unwrap());
    if tensor.elements() > 0 {
        assert_eq!(view.strides(), tensor.layout().strides());
    }
}

#[test]
fn views_with_any_strides() {
    let numbers: Vec<i16> = (0..4 * 5 * 6).collect();
    let whole = Tensor::new(&[4, 5, 6], &numbers).unwrap();
    let start = whole.as_slice::<i16>().unwrap().as_ptr();
    for index in [
        "...",
        "::-1",
        "::-1, ::-2, ::-3",
        "1, ::-1",
        "..., 2",
        "3, 4, 5",
        "2:2",
        "None, 1::2, ..., ::-5",
        ":, 0:0, ::-1",
    ] {
        let view = whole.select(&parse_index(index).unwrap()).unwrap();
        same::<i16>(&view);
        let order: Vec<usize> = (0..view.rank()).rev().collect();
        same::<i16>(&view.transpose(&order).unwrap());
    }
    assert_eq!(whole.view_ndarray::<i16>().unwrap().as_ptr(), start);
    // Stretched, backwards too, and truth values.
    let stretched = Array::from(Tensor::new(&[3, 1], &[true, false, true]).unwrap()).broadcast_to(&[2, 3, 4]);
    let stretched = stretched.eval().unwrap();
    same::<bool>(&stretched);
    same::<bool>(&stretched.flip(1).unwrap());
    assert_eq!(whole.view_ndarray::<i32>().unwrap_err().to_string(), "the elements are i16, not i32");
}

#[test]
fn arrays_are_taken_over() {
    let base = || Array3::from_shape_fn((3, 4, 5), |(i, j, k)| (i * 100 + j * 10 + k) as f64);
    let mut backwards = base();
    backwards.invert_axis(Axis(1));
    let mut sliced = base();
    sliced.slice_axis_inplace(Axis(0), Slice::from(1..));
    sliced.slice_axis_inplace(Axis(2), Slice::new(1, None, -2));
    let mut collapsed = base();
    collapsed.collapse_axis(Axis(1), 2);
    let columns = Array3::from_shape_vec((2, 3, 2).f(), (0..12).map(f64::from).collect()).unwrap();
    for array in [base(), base().permuted_axes([2, 0, 1]), backwards, sliced, collapsed, columns] {
        let (place, elements) = (array.as_ptr(), array.iter().copied().collect::<Vec<_>>());
        // The stride of an axis of extent 1 may be any number.
        let strides = array.shape().iter().zip(array.strides());
        let strides: Vec<isize> =
            strides.map(|(&extent, &stride)| if extent == 1 { 0 } else { stride }).collect();
        let shape = array.shape().to_vec();
        let tensor = Tensor::from_ndarray(array).unwrap();
        let view = tensor.view_ndarray::<f64>().unwrap();
        assert_eq!((view.as_ptr(), tensor.shape()), (place, &shape[..]));
        assert_eq!((tensor.layout().strides(), tensor.to_vec::<f64>().unwrap()), (&strides[..], elements));
        same::<f64>(&tensor);
    }
    let scalar = Tensor::try_from(ndarray::arr0(7u8)).unwrap();
    assert_eq!((scalar.rank(), scalar.to_vec::<u8>().unwrap()), (0, vec![7]));
    let empty = Tensor::from_ndarray(ArrayD::<i64>::zeros(IxDyn(&[2, 0, 3]))).unwrap();
    assert_eq!((empty.shape(), empty.dtype()), (&[2, 0, 3][..], DType::I64));
    same::<i64>(&empty);
}

#[test]
fn every_type() {
    fn both<T: Element>(elements: [T; 3]) {
        let array = ndarray::Array1::from(elements.to_vec());
        let tensor = Tensor::from_ndarray(array).unwrap();
        assert_eq!((tensor.dtype(), tensor.to_vec::<T>().unwrap()), (T::DTYPE, elements.to_vec()));
        same::<T>(&tensor);
    }
    both([true, false, true]);
    both([1u8, 2, 3]);
    both([half::f16::ONE, half::f16::NEG_ONE, half::f16::ZERO]);
    both([1u64, 2, u64::MAX]);
    both([Complex::new(1.0f32, 2.0), Complex::new(3.0, 4.0), Complex::new(5.0, 6.0)]);
    both([Complex::new(1.0f64, 2.0), Complex::new(3.0, 4.0), Complex::new(5.0, 6.0)]);
}

/// What was taken over is computed with, and written in place, like any other memory.
#[test]
fn computed_with() {
    for offset in 0..4 {
        let mut array = ndarray::Array1::from_iter((0..40_000u16).map(f32::from));
        array.slice_axis_inplace(Axis(0), Slice::from(offset..));
        let doubled: Vec<f32> = array.iter().map(|x| x * 2.0 + 1.0).collect();
        let x = Array::from(array.clone());
        assert_eq!((x * 2 + 1).to_vec::<f32>().unwrap(), doubled);
        let reversed: Vec<f32> = doubled.iter().rev().copied().collect();
        array.invert_axis(Axis(0));
        assert_eq!((Array::from(array) * 2 + 1).to_vec::<f32>().unwrap(), reversed);
    }
    let mut tensor = Tensor::from_vec(&[2, 2], vec![1i32, 2, 3, 4]).unwrap();
    tensor.as_slice_mut::<i32>().unwrap()[3] = 9;
    assert_eq!(tensor.view_ndarray::<i32>().unwrap(), array![[1, 2], [3, 9]].into_dyn());
    let c64: Vec<_> = (0..101u8).map(|n| Complex::new(f32::from(n), 1.0)).collect();
    let sum = Array::from(Tensor::from_vec(&[101], c64).unwrap()) + 1;
    assert_eq!(sum.to_vec::<Complex<f32>>().unwrap()[100], Complex::new(101.0, 1.0));
}

#[test]
fn vectors() {
    let wrong = Tensor::from_vec(&[2, 3], vec![1, 2, 3]).unwrap_err();
    assert_eq!(wrong.to_string(), "2x3 has 6 elements, and 3 were given");
    let empty = Tensor::from_vec::<Complex<f32>>(&[0, 4], vec![]).unwrap();
    assert_eq!(empty.to_string(), "[]");
    assert_eq!((Array::from(empty) + 1).to_vec::<Complex<f32>>().unwrap(), []);
    // Half a gibibyte that the pool does not see.
    let in_use = Pool::global().usage().in_use;
    let large = Tensor::from_vec(&[1 << 29], vec![0u8; 1 << 29]).unwrap();
    assert!(Pool::global().usage().in_use < in_use + (1 << 28));
    drop(large);
}
