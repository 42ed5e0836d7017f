//! The order in which elements are sorted, for every type that can be.
//!
//! Numbers that are not a number come last and are equal among themselves; -0 and 0 are equal; complex numbers go by
//! their real parts, then by their imaginary ones. That is NumPy's order.

use std::cmp::Ordering;
use std::ops::Not;

use bytemuck::Pod;
use half::{bf16, f16};
use num_complex::Complex;

use crate::dtype::{Class, DType};
use crate::engine::Word;
use crate::error::Error;

/// An element that can be sorted.
pub(super) trait Ordered: Pod + PartialEq + Send + Sync {
    /// The sort key: an unsigned integer in the elements' order.
    type Key: Word + Into<u64> + Not<Output = Self::Key>;

    /// How many bits of a key are used; 0 if there are no keys.
    const BITS: usize = 8 * size_of::<Self::Key>();

    /// How it stands to another.
    fn order(&self, other: &Self) -> Ordering;

    /// Its sort key: keys compare as elements do.
    fn key(&self) -> Self::Key;

    /// Whether its key determines it: not of NaN and -0.
    fn is_told(&self) -> bool;

    /// The element of a key.
    fn of_key(key: Self::Key) -> Self;
}

macro_rules! whole {
    ($($type:ident $unsigned:ident)*) => {
        $(impl Ordered for $type {
            type Key = $unsigned;

            fn order(&self, other: &Self) -> Ordering {
                self.cmp(other)
            }

            #[inline(always)]
            fn key(&self) -> $unsigned {
                self.abs_diff($type::MIN)
            }

            #[inline(always)]
            fn is_told(&self) -> bool {
                true
            }

            #[inline(always)]
            fn of_key(key: $unsigned) -> $type {
                bytemuck::cast::<$unsigned, $type>(key).wrapping_add($type::MIN)
            }
        })*
    };
}

whole! { i8 u8 i16 u16 i32 u32 i64 u64 u8 u8 u16 u16 u32 u32 u64 u64 }

fn floats<T: PartialOrd>(a: &T, b: &T) -> Ordering {
    // Only what is not a number is not equal to itself.
    let nan = |x: &T| x.partial_cmp(x).is_none();
    a.partial_cmp(b).unwrap_or_else(|| nan(a).cmp(&nan(b)))
}

macro_rules! real {
    ($($type:ident $bits:ident)*) => {
        $(impl Ordered for $type {
            type Key = $bits;

            fn order(&self, other: &Self) -> Ordering {
                floats(self, other)
            }

            #[inline(always)]
            fn key(&self) -> $bits {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                let bits = self.to_bits();
                // Of one sign the bits have the order of the magnitudes. Both zeros are one, and all that is no number is
                // behind infinity.
                let key = if bits & SIGN == 0 { bits | SIGN } else { !bits };
                let key = if bits == SIGN { SIGN } else { key };
                if self.is_nan() { $bits::MAX } else { key }
            }

            #[inline(always)]
            fn is_told(&self) -> bool {
                !self.is_nan() && self.to_bits() != 1 << ($bits::BITS - 1)
            }

            #[inline(always)]
            fn of_key(key: $bits) -> $type {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                $type::from_bits(if key & SIGN == 0 { !key } else { key ^ SIGN })
            }
        })*
    };
}

real! { f16 u16 bf16 u16 f32 u32 f64 u64 }

macro_rules! complex {
    ($($type:ty)*) => {
        $(impl Ordered for Complex<$type> {
            type Key = u8;

            const BITS: usize = 0;

            fn order(&self, other: &Self) -> Ordering {
                let nan = |z: &Self| z.re.is_nan() || z.im.is_nan();
                let parts = || floats(&self.re, &other.re).then_with(|| floats(&self.im, &other.im));
                nan(self).cmp(&nan(other)).then_with(parts)
            }

            fn key(&self) -> u8 {
                0
            }

            fn is_told(&self) -> bool {
                false
            }

            fn of_key(_: u8) -> Self {
                Self::default()
            }
        })*
    };
}

complex! { f32 f64 }

/// Something that is done for every type that can be sorted.
pub(super) trait ForOrdered {
    /// What it gives.
    type Out;
    /// Does it.
    fn of<T: Ordered>(self) -> Self::Out;
}

/// Does it for the elements of a type; truth values are bytes.
pub(super) fn for_ordered<F: ForOrdered>(dtype: DType, what: F) -> Result<F::Out, Error> {
    Ok(match dtype {
        DType::Bool | DType::U8 => what.of::<u8>(),
        DType::I8 => what.of::<i8>(),
        DType::I16 => what.of::<i16>(),
        DType::I32 => what.of::<i32>(),
        DType::I64 => what.of::<i64>(),
        DType::U16 => what.of::<u16>(),
        DType::U32 => what.of::<u32>(),
        DType::U64 => what.of::<u64>(),
        DType::F16 => what.of::<f16>(),
        DType::Bf16 => what.of::<bf16>(),
        DType::F32 => what.of::<f32>(),
        DType::F64 => what.of::<f64>(),
        DType::C64 => what.of::<Complex<f32>>(),
        DType::C128 => what.of::<Complex<f64>>(),
        other => return Err(no_order(other)),
    })
}

/// An error if elements of a type have no order.
pub(crate) fn check_ordered(dtype: DType) -> Result<(), Error> {
    struct Nothing;
    impl ForOrdered for Nothing {
        type Out = ();
        fn of<T: Ordered>(self) {}
    }
    for_ordered(dtype, Nothing)
}

/// Elements of this type have no order.
pub(super) fn no_order(dtype: DType) -> Error {
    let takes = |dtype: &DType| dtype.computes() && dtype.class() != Class::Text;
    Error::not_taken(dtype, DType::all().filter(takes).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_last() {
        let mut floats = [f64::NAN, 1.0, -0.0, f64::INFINITY, 0.0, -3.0];
        floats.sort_by(Ordered::order);
        assert_eq!(floats[..5], [-3.0, 0.0, 0.0, 1.0, f64::INFINITY]);
        assert!(floats[5].is_nan());
        assert_eq!(0.0f32.order(&-0.0), Ordering::Equal);
        let z = |re: f64, im: f64| Complex::new(re, im);
        assert_eq!(z(1.0, 2.0).order(&z(1.0, 3.0)), Ordering::Less);
        assert_eq!(z(f64::NAN, 0.0).order(&z(9.0, 0.0)), Ordering::Greater);
    }
}
