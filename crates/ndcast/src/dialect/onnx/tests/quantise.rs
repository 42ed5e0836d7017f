//! Floats quantised to integers whose limits are no floats of their type.

use super::{Attributes, Given, Try, floats};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::tensor::Tensor;

#[test]
fn what_a_long_integer_does_not_hold_is_its_limit() -> Result<(), Error> {
    let x = [0f32, 1.5, 2.5, -7.4, 2_147_483_648.0, 3e9, -3e9, 4_294_967_296.0, 1e30, -1e30];
    for (to, least, most) in [
        (DType::I32, f64::from(i32::MIN), f64::from(i32::MAX)),
        (DType::U32, 0.0, f64::from(u32::MAX)),
        (DType::I16, f64::from(i16::MIN), f64::from(i16::MAX)),
        (DType::U8, 0.0, 255.0),
    ] {
        let inputs = vec![floats(&[x.len()], &x), Tensor::scalar(1f32)?, Tensor::zeros(&[], to)?];
        let wanted = x.map(|n| f64::from(n).round_ties_even().clamp(least, most));
        for given in [Given::Known, Given::Unknown] {
            let made =
                Try::new(21, "QuantizeLinear", inputs.clone(), Attributes::new()).run(given)?.remove(0);
            assert_eq!(made.dtype(), to);
            assert_eq!(Array::from(made).convert(DType::F64).to_vec::<f64>()?, wanted, "{to}");
        }
    }
    Ok(())
}
