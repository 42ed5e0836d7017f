//! Expressions in NumPy's notation, over a few arrays.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ndcast::notation::Expression;
use ndcast::{Array, DType};
use ndcast_fuzz::{array, limit, value};

fuzz_target!(|text: &str| {
    limit();
    let Some(expression) = value(text.parse::<Expression>()) else { return };
    assert_eq!(expression.to_string(), text);
    let arrays = [
        ("x".to_owned(), Array::new(&[2, 3], &[1.0f32, -2.0, 0.5, 0.0, 7.0, -1.5])),
        ("n".to_owned(), Array::new(&[3], &[2i32, 0, -1])),
        ("m".to_owned(), Array::new(&[2, 1], &[true, false])),
        ("z".to_owned(), Array::full(&[0, 3], 0, DType::F64)),
    ];
    if let Some(result) = value(expression.compute(&arrays)) {
        array(&result);
    }
});
