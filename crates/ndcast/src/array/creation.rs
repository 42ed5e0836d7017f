//! Arrays made from nothing but numbers.

use num_complex::Complex;

use super::{Array, Number};
use crate::dtype::DType;
use crate::error::Error;

/// Whether the last number of a range belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// It does.
    Included,
    /// It does not.
    Excluded,
}

impl Array {
    /// The numbers `start`, `start + step`, ..., without `stop`.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// assert_eq!(Array::range(5, 0, -2, DType::I32).to_vec::<i32>()?, [5, 3, 1]);
    /// assert_eq!(Array::range(0.0, 1.0, 0.25, DType::F64).to_vec::<f64>()?, [0.0, 0.25, 0.5, 0.75]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    #[doc(alias = "arange")]
    pub fn range(
        start: impl Into<Number>,
        stop: impl Into<Number>,
        step: impl Into<Number>,
        dtype: DType,
    ) -> Array {
        let made = match (start.into(), stop.into(), step.into()) {
            (Number::Int(start), Number::Int(stop), Number::Int(step)) => integers(start, stop, step, dtype),
            (start, stop, step) => match (real(start), real(stop), real(step)) {
                (Some(start), Some(stop), Some(step)) => floats(start, stop, step, dtype),
                _ => Err(Error::value("a range is of real numbers".to_owned())),
            },
        };
        made.unwrap_or_else(|error| Array::of_error(error.of("range")))
    }

    /// `count` evenly spaced numbers from `start` to `stop`.
    ///
    /// ```
    /// use ndcast::{Array, DType, End};
    /// let x = Array::linspace(0.0, 1.0, 3, End::Included, DType::F64);
    /// assert_eq!(x.to_vec::<f64>()?, [0.0, 0.5, 1.0]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn linspace(
        start: impl Into<Number>,
        stop: impl Into<Number>,
        count: usize,
        end: End,
        dtype: DType,
    ) -> Array {
        let steps = if end == End::Included { count.saturating_sub(1) } else { count };
        #[allow(clippy::cast_precision_loss, reason = "rounded to the nearest")]
        let steps = steps as f64;
        let (start, stop) = (start.into(), stop.into());
        let is_real = real(start).is_some() && real(stop).is_some();
        let complex_ends = [start, stop].into_iter().filter(|&end| real(end).is_none());
        if let Some(error) = complex_ends.filter_map(|end| end.tensor(dtype).err()).next() {
            return Array::of_error(error.of("linspace"));
        }
        let between = (complex(stop) - complex(start)) / steps;
        let (wide, step) = match is_real {
            true => (DType::F64, Number::Float(between.re)),
            false => (DType::C128, Number::Complex(between)),
        };
        let mut line = Array::counted(count, wide, "linspace");
        // Of one number there is no step.
        if steps > 0.0 {
            line = line.multiply(step);
        }
        line = line.add(start);
        if end == End::Included && count > 1 {
            line.set(&[ndcast_shape::Index::At(-1)], stop);
        }
        if dtype.is_integer() {
            line = line.floor();
        }
        line.convert(dtype)
    }

    /// 1 on a diagonal of a matrix, `offset` columns to the right, and 0 elsewhere.
    ///
    /// ```
    /// use ndcast::{Array, DType};
    /// assert_eq!(Array::eye(2, 3, 1, DType::I8).to_vec::<i8>()?, [0, 1, 0, 0, 0, 1]);
    /// # Ok::<(), ndcast::Error>(())
    /// ```
    pub fn eye(rows: usize, columns: usize, offset: i64, dtype: DType) -> Array {
        let rows =
            Array::counted(rows, DType::I64, "eye").expand(1) + super::diagonal::near(offset, rows, columns);
        rows.equal(Array::counted(columns, DType::I64, "eye")).convert(dtype)
    }
}

/// How many integers a range has.
pub(crate) fn count_integers(start: i128, stop: i128, step: i128) -> Result<usize, Error> {
    if step == 0 {
        return Err(Error::value(format!("there is no range from {start} to {stop} by 0")));
    }
    let span = if (stop > start) == (step > 0) { start.abs_diff(stop) } else { 0 };
    let count = span.div_ceil(step.unsigned_abs());
    usize::try_from(count).map_err(|_| Error::value(format!("these are {count} numbers")))
}

fn integers(start: i128, stop: i128, step: i128, dtype: DType) -> Result<Array, Error> {
    let count = count_integers(start, stop, step)?;
    if count == 0 {
        return Ok(Array::counted(0, dtype, "range"));
    }
    if !dtype.is_integer() {
        let wide = [start, step].iter().all(|n| i64::try_from(*n).is_ok());
        let line = Array::counted(count, DType::I64, "range");
        let numbers = if wide {
            line.multiply(Number::Int(step)).add(Number::Int(start))
        } else {
            line.convert(DType::F64).multiply(step as f64).add(start as f64)
        };
        return Ok(numbers.convert(dtype));
    }
    // The last number must be one of the type; what lies between then is too, and a step may wrap.
    Number::Int(start).tensor(dtype)?;
    // It lies within the range, whatever the step times the count is.
    let last = start.wrapping_add(step.wrapping_mul(i128::try_from(count - 1).unwrap_or(0)));
    Number::Int(last).tensor(dtype)?;
    let mut line = Array::counted(count, dtype, "range");
    if step != 1 {
        let step = Array::from(Number::Int(step & i128::from(u64::MAX)).tensor(DType::U64)).convert(dtype);
        line = line.multiply(&step);
    }
    Ok(if start == 0 { line } else { line.add(Number::Int(start)) })
}

fn floats(start: f64, stop: f64, step: f64, dtype: DType) -> Result<Array, Error> {
    let count = ((stop - start) / step).ceil();
    if step == 0.0 || !count.is_finite() {
        return Err(Error::value(format!("there is no number of steps of {step} from {start} to {stop}")));
    }
    if count >= i64::MAX as f64 {
        return Err(Error::value(format!("these are {count:e} numbers")));
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it saturates, and below 0 is 0"
    )]
    let count = count as usize;
    Ok((Array::counted(count, DType::F64, "range") * step + start).convert(dtype))
}

#[allow(clippy::cast_precision_loss, reason = "rounded to the nearest")]
fn real(number: Number) -> Option<f64> {
    match number {
        Number::Bool(truth) => Some(f64::from(u8::from(truth))),
        Number::Int(n) => Some(n as f64),
        Number::Float(n) => Some(n),
        Number::Complex(_) => None,
    }
}

fn complex(number: Number) -> Complex<f64> {
    match number {
        Number::Complex(n) => n,
        other => Complex::new(real(other).unwrap_or(f64::NAN), 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() -> Result<(), Error> {
        assert_eq!(Array::range(3, 0, 1, DType::I64).shape()?, [0]);
        assert_eq!(Array::range(250u8, 256i32, 2, DType::U8).to_vec::<u8>()?, [250, 252, 254]);
        assert_eq!(Array::range(10, 3, -3, DType::U8).to_vec::<u8>()?, [10, 7, 4]);
        assert_eq!(Array::range(0, 3, 1, DType::F32).to_vec::<f32>()?, [0.0, 1.0, 2.0]);
        assert!(Array::range(0, 300, 1, DType::U8).check().is_err());
        assert!(Array::range(0, 3, 0, DType::I64).check().is_err());
        assert!(Array::range(0.0, f64::INFINITY, 1.0, DType::F64).check().is_err());
        let top = Array::range(u64::MAX - 1, Number::Int(1 << 64), 1, DType::U64);
        assert_eq!(top.to_vec::<u64>()?, [u64::MAX - 1, u64::MAX]);
        let far = Array::range(-i128::MAX, i128::MAX, 1, DType::I64).check();
        assert!(far.is_err_and(|error| error.to_string().contains("numbers")));
        assert_eq!(Array::range(i128::MAX, i128::MIN, 1, DType::I64).shape()?, [0]);
        let two = Array::range(-1, i128::MAX, i128::MAX, DType::F64).to_vec::<f64>()?;
        assert_eq!(two, [-1.0, i128::MAX as f64]);
        Ok(())
    }

    #[test]
    fn lines() -> Result<(), Error> {
        assert_eq!(Array::linspace(1.0, 2.0, 1, End::Included, DType::F64).to_vec::<f64>()?, [1.0]);
        assert_eq!(Array::linspace(1.0, 2.0, 2, End::Excluded, DType::F64).to_vec::<f64>()?, [1.0, 1.5]);
        assert_eq!(Array::linspace(1.0, 2.0, 0, End::Included, DType::F32).shape()?, [0]);
        let z = Array::linspace(Complex::new(0.0, 0.0), 2.0, 3, End::Included, DType::C128);
        assert_eq!(z.to_vec::<Complex<f64>>()?[1], Complex::new(1.0, 0.0));
        Ok(())
    }
}
