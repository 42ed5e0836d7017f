//! Rounding to integers, the next float, and the sign: all exact.

use crate::simd::Isa;

/// The functions of this file, of one type; they differ in nothing but the bits.
macro_rules! exact {
    ($float:ident $bits:ident $floor:ident $ceil:ident $trunc:ident $even:ident $away:ident $sign:ident $next:ident $rem:ident) => {
        /// The greatest integer that is not greater.
        #[inline(always)]
        pub(crate) fn $floor<I: Isa>(x: $float) -> $float {
            x.floor()
        }

        /// The smallest integer that is not smaller.
        #[inline(always)]
        pub(crate) fn $ceil<I: Isa>(x: $float) -> $float {
            x.ceil()
        }

        /// Without what is behind the point.
        #[inline(always)]
        pub(crate) fn $trunc<I: Isa>(x: $float) -> $float {
            x.trunc()
        }

        /// The nearest integer, of two the even one.
        #[inline(always)]
        pub(crate) fn $even<I: Isa>(x: $float) -> $float {
            x.round_ties_even()
        }

        /// The nearest integer, of two the one farther from 0.
        #[inline(always)]
        pub(crate) fn $away<I: Isa>(x: $float) -> $float {
            x.round()
        }

        /// The first with the sign of the second, NaN or not.
        #[inline(always)]
        pub(crate) fn $sign<I: Isa>(x: $float, sign: $float) -> $float {
            x.copysign(sign)
        }

        /// C's `nextafter`: the float next to the first on the way to the second, which itself if they are equal.
        #[inline(always)]
        pub(crate) fn $next<I: Isa>(x: $float, to: $float) -> $float {
            let bits = x.to_bits();
            // Of one sign, the bits of floats are in the order of their magnitudes.
            let away = (to > x) == (x > 0.0);
            let next = if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
            let least = $float::from_bits(1).copysign(to);
            let next = if x == 0.0 { least } else { $float::from_bits(next) };
            let next = if x == to { to } else { next };
            if x.is_nan() | to.is_nan() { $float::NAN } else { next }
        }

        /// C's `fmod`: what the quotient rounded towards 0 leaves, with the sign of the first. Exact.
        #[inline(always)]
        pub(crate) fn $rem<I: Isa>(x: $float, divisor: $float) -> $float {
            x % divisor
        }
    };
}

exact! { f32 u32 floor_f32 ceil_f32 trunc_f32 round_even_f32 round_away_f32 copysign_f32 next_after_f32 rem_f32 }
exact! { f64 u64 floor_f64 ceil_f64 trunc_f64 round_even_f64 round_away_f64 copysign_f64 next_after_f64 rem_f64 }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Baseline as B;

    fn is_minus_zero(x: f64) -> bool {
        x == 0.0 && x.is_sign_negative()
    }

    #[test]
    fn halves_and_zeros() {
        assert_eq!(
            (round_even_f64::<B>(2.5), round_even_f64::<B>(-3.5), round_away_f64::<B>(-2.5)),
            (2.0, -4.0, -3.0)
        );
        assert_eq!((round_away_f32::<B>(0.499_999_97), round_even_f32::<B>(1.5)), (0.0, 2.0));
        for x in
            [round_even_f64::<B>(-0.3), round_away_f64::<B>(-0.3), ceil_f64::<B>(-0.3), trunc_f64::<B>(-0.3)]
        {
            assert!(is_minus_zero(x));
        }
        assert_eq!((floor_f64::<B>(-0.3), floor_f32::<B>(f32::NEG_INFINITY)), (-1.0, f32::NEG_INFINITY));
        assert!(ceil_f32::<B>(f32::NAN).is_nan());
    }

    #[test]
    fn signs_of_nan() {
        assert!(copysign_f64::<B>(f64::NAN, -1.0).is_sign_negative());
        assert_eq!(copysign_f64::<B>(2.0, f64::NAN.copysign(-1.0)), -2.0);
        assert!(copysign_f32::<B>(f32::NAN.copysign(-1.0), 1.0).is_sign_positive());
    }

    #[test]
    fn steps() {
        let (inf, least) = (f64::INFINITY, 5e-324);
        assert_eq!((next_after_f64::<B>(0.0, 1.0), next_after_f64::<B>(0.0, -inf)), (least, -least));
        assert!(
            is_minus_zero(next_after_f64::<B>(-least, 1.0)) && is_minus_zero(next_after_f64::<B>(0.0, -0.0))
        );
        assert_eq!((next_after_f64::<B>(f64::MAX, inf), next_after_f64::<B>(inf, 0.0)), (inf, f64::MAX));
        assert_eq!(
            (next_after_f64::<B>(1.0, 2.0), next_after_f64::<B>(-1.0, -2.0)),
            (1.0 + f64::EPSILON, -1.0 - f64::EPSILON)
        );
        assert_eq!(
            (next_after_f32::<B>(1.0, 0.0), next_after_f32::<B>(-1.0, 0.0)),
            (0.999_999_94, -0.999_999_94)
        );
        assert_eq!(next_after_f64::<B>(f64::MIN_POSITIVE, 0.0), 2.225_073_858_507_201e-308);
        assert!(next_after_f64::<B>(f64::NAN, 1.0).is_nan() && next_after_f32::<B>(1.0, f32::NAN).is_nan());
    }

    #[test]
    fn rests() {
        assert_eq!(
            (rem_f64::<B>(5.5, -2.0), rem_f64::<B>(-5.5, 2.0), rem_f64::<B>(2.0, f64::INFINITY)),
            (1.5, -1.5, 2.0)
        );
        assert!(rem_f64::<B>(1.0, 0.0).is_nan() && rem_f64::<B>(f64::INFINITY, 1.0).is_nan());
        assert!(rem_f32::<B>(1.0, f32::NAN).is_nan() && is_minus_zero(rem_f64::<B>(-4.0, 2.0)));
    }
}
