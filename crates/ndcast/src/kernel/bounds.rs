//! What is known of numbers before they are computed: how small and how large those are that are no zero.

use super::Map;
use super::quotients::{Quotients, REACH};
use crate::element::Integer;
use crate::simd::{Baseline, Body, Isa, simd};

/// Powers of 2: numbers are whole multiples of the first, and at most the second.
pub(crate) type Bounds = [i32; 2];

/// Numbers of which nothing is known; also of what is computed of them.
pub(crate) const NONE: Bounds = [-UNKNOWN, UNKNOWN];

/// More than any exponent that is computed from those of floats.
const UNKNOWN: i32 = 1 << 20;

/// The bits of a float behind the first.
const FRACTION: i32 = 23;

/// Those of all elements of a type.
pub(super) fn of_integers<U: Integer>() -> Bounds {
    [0, U::BITS.cast_signed()]
}

/// Those of numbers.
pub(super) fn of_numbers(numbers: &[f32]) -> Bounds {
    const BIAS: i32 = 127;
    let (mut least, mut most) = (u32::MAX, 0);
    simd(Extremes { numbers, least: &mut least, most: &mut most });
    let power = |bits: u32| (bits >> 24).cast_signed() - BIAS;
    // One that is no number, or infinite, is beyond all powers.
    [power(least) - FRACTION, power(most) + 1]
}

/// Finds the bits without sign of the greatest magnitude, and of the least that is not zero, less one.
struct Extremes<'a> {
    numbers: &'a [f32],
    least: &'a mut u32,
    most: &'a mut u32,
}

impl Body for Extremes<'_> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let (mut least, mut most) = (*self.least, *self.most);
        for number in self.numbers {
            let bits = number.to_bits() << 1;
            least = least.min(bits.wrapping_sub(1));
            most = most.max(bits);
        }
        (*self.least, *self.most) = (least, most);
    }
}

/// Whether all that a map divides is known to be near, given the bounds of its arguments.
pub(super) fn are_near<O: Map<Quotients, Bounds, N, Out = Bounds>, const N: usize>(
    arguments: [Bounds; N],
) -> bool {
    let [least, most] = O::map::<Baseline>(arguments);
    least > -UNKNOWN / 2 && most < UNKNOWN / 2
}

/// Those of sums and differences.
#[inline(always)]
pub(crate) fn of_sums([least, most]: Bounds, [other_least, other_most]: Bounds) -> Bounds {
    [least.min(other_least), most.max(other_most) + 1]
}

/// Those of products.
#[inline(always)]
pub(crate) fn of_products([least, most]: Bounds, [other_least, other_most]: Bounds) -> Bounds {
    [least + other_least, most + other_most]
}

/// Those of quotients; nothing is known of them if what is divided need not be near.
#[inline(always)]
pub(crate) fn of_quotients([least, most]: Bounds, [divisor_least, divisor_most]: Bounds) -> Bounds {
    if least < -REACH.cast_signed() || most > REACH.cast_signed() {
        return NONE;
    }
    [least - divisor_most - FRACTION, most - divisor_least]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Floats with so many powers of 2 on each side of 1, and zeros.
    fn floats(count: usize, powers: u32, mut state: u32) -> Vec<f32> {
        let mut next = || {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            let bits = state ^ state >> 13;
            let power = 127 - powers + (bits >> 5 & 0xff) % (2 * powers + 1);
            // Some have few bits.
            let fraction = if bits & 4 == 0 { bits >> 9 & 0x7f_0000 } else { bits >> 9 };
            if bits & 0x1f00 == 0 { 0.0 } else { f32::from_bits(bits << 31 | power << 23 | fraction) }
        };
        (0..count).map(|_| next()).collect()
    }

    fn assert_within(x: f32, [least, most]: Bounds, what: &str) {
        let x = f64::from(x);
        assert!((x / 2_f64.powi(least)).fract() == 0.0, "{what}: {x} is no multiple of 2^{least}");
        assert!(x.abs() <= 2_f64.powi(most), "{what}: {x} is more than 2^{most}");
    }

    #[test]
    fn numbers_and_what_is_computed_of_them_are_within() {
        for (seed, powers) in (0..8).flat_map(|seed| [0, 1, 5, 20, 30].map(|powers| (seed, powers))) {
            let (some, others) = (floats(300, powers, seed), floats(300, powers / 2, seed + 100));
            let (bounds, other) = (of_numbers(&some), of_numbers(&others));
            for (&a, &b) in some.iter().zip(&others) {
                assert_within(a, bounds, "number");
                assert_within(a + b, of_sums(bounds, other), "sum");
                assert_within(a - b, of_sums(bounds, other), "difference");
                assert_within(a * b, of_products(bounds, other), "product");
                if b != 0.0 {
                    assert_within(a / b, of_quotients(bounds, other), "quotient");
                }
            }
        }
    }

    #[test]
    fn bounds_are_those_of_the_numbers_that_are_no_zero() {
        assert_eq!(of_numbers(&[0.0, 1.5, -0.0, -9.0]), [-23, 4]);
        let [least, most] = of_numbers(&[0.0, -0.0]);
        assert!(least > most, "{least} {most}");
        assert_eq!(of_integers::<u8>(), [0, 8]);
    }

    #[test]
    fn of_what_is_not_near_no_quotient_is_known() {
        let tenth = of_numbers(&[0.1]);
        for far in [1e-30, 1e30, f32::INFINITY, f32::NAN] {
            let far = of_sums(of_numbers(&[1.0, far]), tenth);
            let quotient = of_quotients(far, tenth);
            assert_eq!(quotient, NONE);
            assert_eq!(of_quotients(of_products(of_sums(quotient, tenth), tenth), tenth), NONE);
        }
    }

    #[test]
    fn of_a_picture_that_is_scaled_and_normalised_all_is_known() {
        let [means, deviations] = [[0.485, 0.0, 0.406], [0.229, 0.224, 1e-3]].map(|all| of_numbers(&all));
        for scaled in [
            of_quotients(of_integers::<u8>(), of_numbers(&[255.0])),
            of_products(of_integers::<i8>(), of_numbers(&[1.0 / 255.0])),
        ] {
            assert_ne!(of_quotients(of_sums(scaled, means), deviations), NONE);
        }
    }
}
