//! Products of complex numbers, a vector of them at once.
//!
//! The compiler takes real and imaginary parts apart before it multiplies and puts them together after, which takes longer than all
//! the rest.

#[cfg(target_arch = "x86_64")]
use bytemuck::cast;
#[cfg(target_arch = "x86_64")]
use num_complex::Complex;

/// The product of each two.
#[inline(always)]
pub(super) fn products<T: Copy + std::ops::Mul<Output = T>, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    std::array::from_fn(|place| a[place] * b[place])
}

/// The same with the instructions of AVX2.
#[cfg(target_arch = "x86_64")]
macro_rules! products {
    ($($avx:ident $part:ty, $count:literal: [$evens:expr, $odds:expr, $crossed:expr, $times:ident $add_and_subtract:ident];)*) => {$(
        use std::arch::x86_64::{$times, $add_and_subtract};

        #[target_feature(enable = "avx2")]
        #[inline]
        pub(super) fn $avx(a: [Complex<$part>; $count], b: [Complex<$part>; $count]) -> [Complex<$part>; $count] {
            let (a, b) = (cast(a), cast(b));
            let (by_real, by_imaginary) = ($times(a, $evens(b)), $times($crossed(a), $odds(b)));
            cast($add_and_subtract(by_real, by_imaginary))
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    _mm256_movedup_pd, _mm256_movehdup_ps, _mm256_moveldup_ps, _mm256_permute_pd, _mm256_permute_ps,
};

#[cfg(target_arch = "x86_64")]
products! {
    products32_avx2 f32, 4: [
        _mm256_moveldup_ps, _mm256_movehdup_ps, _mm256_permute_ps::<0b10_11_00_01>, _mm256_mul_ps _mm256_addsub_ps
    ];
    products64_avx2 f64, 2: [
        _mm256_movedup_pd, _mm256_permute_pd::<0b1111>, _mm256_permute_pd::<0b0101>, _mm256_mul_pd _mm256_addsub_pd
    ];
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::super::{Body, Isa, Level, at};
    use crate::element::Number;

    struct Products<'a, T>(&'a [T; 64], &'a [T; 64], &'a mut [T; 64]);

    impl<T: Number> Body for Products<'_, T> {
        #[inline(always)]
        fn run<I: Isa>(self) {
            T::products::<I, 64>(self.0, self.1, self.2);
        }
    }

    fn check<T: Number>(number: impl Fn(i8, i8) -> T) {
        let each = |by: i8| {
            let mut place = 0i8;
            std::array::from_fn(|_| {
                place += 1;
                number(by.wrapping_mul(place), by ^ place)
            })
        };
        let (a, b) = (each(11), each(-87));
        for level in Level::all() {
            let mut products = [T::ZERO; 64];
            at(level, Products(&a, &b, &mut products));
            for place in 0..64 {
                assert!(products[place] == a[place].mul(b[place]), "{level:?}: product {place}");
            }
        }
    }

    #[test]
    fn products_of_many_as_of_one() {
        check(|re, im| Complex::new(f32::from(re) / 7.0, f32::from(im) / 3.0));
        check(|re, im| Complex::new(f64::from(re) / 7.0, f64::from(im) / 3.0));
        check(|re, _| f32::from(re));
        check(|re, im| i64::from(re) - i64::from(im));
    }
}
