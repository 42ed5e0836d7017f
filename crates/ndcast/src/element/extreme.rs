//! The greatest and the least of many floats, with half the instructions that it takes to look at every two of them for a
//! NaN and for zeros of either sign.

use super::{Float, Real};

/// So many sums are kept.
const SUMS: usize = 16;

/// Each lane with what the chunks have at its place, one after the other.
#[inline(always)]
pub(super) fn one_by_one<'c, T: Real + 'c, const N: usize>(
    lanes: [T; N],
    chunks: impl Iterator<Item = &'c [T; N]>,
    two: impl Fn(T, T) -> T,
) -> [T; N] {
    let mut lanes = lanes;
    for chunk in chunks {
        lanes = each(&lanes, chunk, &two);
    }
    lanes
}

/// For each lane the outermost of it and of what the chunks have at its place; `None` if there may be a NaN among them.
///
/// `outer` gives either of two zeros, and `zero` a zero with the sign that is wanted of several: it is asked for all, and
/// its answer counts where the outermost is a zero. Whether there is a NaN is seen by sums: one of many is a NaN if one of them
/// is, and otherwise only if there are infinities of both signs.
#[inline(always)]
pub(super) fn outermost<'c, T: Float + 'c, const N: usize>(
    lanes: [T; N],
    chunks: impl Iterator<Item = &'c [T; N]>,
    outer: impl Fn(T, T) -> T,
    zero: impl Fn(T, T) -> T,
) -> Option<[T; N]> {
    let (mut most, mut zeros) = (lanes, lanes);
    let mut sums = added(&[T::ZERO; SUMS], &lanes);
    for chunk in chunks {
        most = each(&most, chunk, &outer);
        zeros = each(&zeros, chunk, &zero);
        sums = added(&sums, chunk);
    }
    if sums.iter().fold(false, |nan, sum| nan | sum.is_nan()) {
        return None;
    }
    Some(each(&most, &zeros, |most, zero| if most == T::ZERO { zero } else { most }))
}

/// A function of what is at each place. (Arrays that are made anew stay in registers.)
#[inline(always)]
fn each<T: Copy, const N: usize>(one: &[T; N], other: &[T; N], function: impl Fn(T, T) -> T) -> [T; N] {
    let mut made = *one;
    for place in 0..N {
        made[place] = function(one[place], other[place]);
    }
    made
}

/// Sums with those of a chunk, which is whole pairs of as many, besides.
#[inline(always)]
fn added<T: Float, const N: usize>(sums: &[T; SUMS], chunk: &[T; N]) -> [T; SUMS] {
    let mut sums = *sums;
    let (pairs, _) = chunk.as_chunks::<SUMS>().0.as_chunks::<2>();
    for [one, other] in pairs {
        sums = each(&sums, &each(one, other, T::add), T::add);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of all kinds, in an order without a pattern.
    fn numbers(kinds: &[f32], count: usize) -> Vec<[f32; 64]> {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            kinds[(state >> 16) as usize % kinds.len()]
        };
        (0..count).map(|_| std::array::from_fn(|_| next())).collect()
    }

    #[test]
    fn the_same_as_one_by_one() {
        let inf = f32::INFINITY;
        let every: [&[f32]; 8] = [
            &[0.0, -0.0],
            &[-0.0],
            &[-1.5, -0.0, 0.0, -1e-45],
            &[1.5, -0.0, 0.0, 1e-45],
            &[3e38, -3e38, 1.0],
            &[inf, 2.0],
            &[-inf, inf, 0.0],
            &[1.0, 2.0, 3.0, 4.0, 5.0, -7.0, -0.0, 0.0, f32::NAN, -f32::NAN],
        ];
        for kinds in every {
            for count in 1..10 {
                let numbers = numbers(kinds, count);
                let (first, rest) = (numbers[0], &numbers[1..]);
                let bits = |lanes: [f32; 64]| lanes.map(f32::to_bits);
                let greatest = one_by_one(first, rest.iter(), Real::max);
                assert_eq!(bits(Real::greatest(first, rest.iter())), bits(greatest), "{kinds:?} x {count}");
                let least = one_by_one(first, rest.iter(), Real::min);
                assert_eq!(bits(Real::least(first, rest.iter())), bits(least), "{kinds:?} x {count}");
            }
        }
    }
}
