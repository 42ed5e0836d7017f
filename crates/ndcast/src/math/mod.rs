//! The elementary and special functions, of one number.
//!
//! The functions of floats are made to be called in a loop that becomes vectors: straight lines without tables and
//! without branches, and the same results for each number wherever it stands. Whoever calls the system's mathematics
//! gets other bits on another system; nothing here does. f32 errs by at most 1 ULP and f64 by at most 2, at every
//! level of instructions; each function says what was measured, and `accuracy` measures again.
//!
//! What is rare and long (Bessel functions, angles far from 0) is that of the crate pxfm, which is nearly always
//! correctly rounded, but computes one number at a time.

#[cfg(test)]
mod accuracy;
mod bits;
mod complex;
#[cfg(test)]
mod complex_accuracy;
mod complex_inverse;
mod complex_near;
mod complex_trigonometric;
mod each;
mod error_function;
mod exponential;
mod gamma;
mod hyperbolic;
mod inverse_trigonometric;
mod logarithm;
mod power;
mod reflected;
mod root;
mod rounding;
pub(crate) mod small_float;
mod special;
mod trigonometric;
mod zeta;

use crate::simd::Isa;

macro_rules! declare {
    ($($name:ident)*; $($name2:ident)*; $($each:ident)*) => {
        /// Functions of a float.
        pub(crate) trait FloatMath: Copy {
            $(fn $name<I: Isa>(self) -> Self;)*
            $(fn $name2<I: Isa>(self, other: Self) -> Self;)*

            /// Whether `rem_near` is not what `rem` is: there are few such numbers.
            fn is_far_quotient(self, other: Self) -> bool;
            /// Whether `pow_near` is not what `pow` is, with this exponent.
            fn is_far_exponent(self) -> bool;

            $(
                /// Of each number, by vectors but for those that are far.
                fn $each<I: Isa>(x: &[Self], out: &mut [Self]);
            )*
        }
    };
}

declare! {
    sqrt rsqrt cbrt exp exp2 expm1 log log2 log10 log1p
    sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
    logistic erf erfc erf_inv lgamma digamma bessel_i0e bessel_i1e
    floor ceil trunc round_even round_away;
    pow pow_near atan2 hypot logaddexp copysign next_after rem rem_near zeta polygamma;
    sin_each cos_each tan_each lgamma_each digamma_each
}

/// Functions of a complex number.
pub(crate) trait ComplexMath: Copy {
    fn div(self, other: Self) -> Self;
    /// The same in a straight line, where the quotient is not far.
    fn div_near<I: Isa>(self, other: Self) -> Self;
    /// Whether `div_near` is not what `div` is: there are few such numbers.
    fn is_far_quotient(self, other: Self) -> bool;
    fn pow(self, other: Self) -> Self;
    // Of each number, by vectors but for those that are far.
    fn exp_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn expm1_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn log_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn log1p_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn log2_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn log10_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn sqrt_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn sin_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn cos_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn tan_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn asin_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn acos_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn atan_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn sinh_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn cosh_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn tanh_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn asinh_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn acosh_each<I: Isa>(x: &[Self], out: &mut [Self]);
    fn atanh_each<I: Isa>(x: &[Self], out: &mut [Self]);
}

/// What a function of many numbers makes of one.
#[inline(always)]
pub(crate) fn of_one<T: Copy>(x: T, each: impl FnOnce(&[T], &mut [T])) -> T {
    let mut out = [x];
    each(&[x], &mut out);
    out[0]
}

/// One list of the functions of one float, one of those of two, and one of those of many.
macro_rules! floats {
    ($float:ident: $($name:ident $module:ident $function:ident;)* => $($name2:ident $module2:ident $function2:ident;)*
        => $($each:ident $module3:ident $function3:ident;)*) => {
        impl FloatMath for $float {
            $(
                #[inline(always)]
                fn $name<I: Isa>(self) -> Self {
                    $module::$function::<I>(self)
                }
            )*
            $(
                #[inline(always)]
                fn $name2<I: Isa>(self, other: Self) -> Self {
                    $module2::$function2::<I>(self, other)
                }
            )*

            #[inline(always)]
            fn is_far_quotient(self, other: Self) -> bool {
                rounding::is_far(f64::from(self), f64::from(other))
            }

            #[inline(always)]
            fn is_far_exponent(self) -> bool {
                !power::is_product(f64::from(self))
            }

            $(
                #[inline(always)]
                fn $each<I: Isa>(x: &[Self], out: &mut [Self]) {
                    each::each::<I, Self, $module3::$function3>(x, out);
                }
            )*
        }
    };
}

floats! { f32:
    sqrt root sqrt_f32;
    rsqrt root rsqrt_f32;
    cbrt root cbrt_f32;
    exp exponential exp_f32;
    exp2 exponential exp2_f32;
    expm1 exponential expm1_f32;
    logistic exponential logistic_f32;
    log logarithm log_f32;
    log2 logarithm log2_f32;
    log10 logarithm log10_f32;
    log1p logarithm log1p_f32;
    sin trigonometric sin_f32;
    cos trigonometric cos_f32;
    tan trigonometric tan_f32;
    asin inverse_trigonometric asin_f32;
    acos inverse_trigonometric acos_f32;
    atan inverse_trigonometric atan_f32;
    sinh hyperbolic sinh_f32;
    cosh hyperbolic cosh_f32;
    tanh hyperbolic tanh_f32;
    asinh hyperbolic asinh_f32;
    acosh hyperbolic acosh_f32;
    atanh hyperbolic atanh_f32;
    erf error_function erf_f32;
    erfc error_function erfc_f32;
    erf_inv error_function erf_inv_f32;
    lgamma reflected lgamma_f32;
    digamma reflected digamma_f32;
    bessel_i0e special bessel_i0e_f32;
    bessel_i1e special bessel_i1e_f32;
    floor rounding floor_f32;
    ceil rounding ceil_f32;
    trunc rounding trunc_f32;
    round_even rounding round_even_f32;
    round_away rounding round_away_f32;
    =>
    pow power pow_f32;
    pow_near power product_f32;
    logaddexp power logaddexp_f32;
    atan2 inverse_trigonometric atan2_f32;
    hypot root hypot_f32;
    copysign rounding copysign_f32;
    next_after rounding next_after_f32;
    rem rounding rem_f32;
    rem_near rounding rem_near_f32;
    zeta zeta zeta_f32;
    polygamma zeta polygamma_f32;
    =>
    sin_each trigonometric Sin;
    cos_each trigonometric Cos;
    tan_each trigonometric Tan;
    lgamma_each reflected Lgamma;
    digamma_each reflected Digamma;
}

floats! { f64:
    sqrt root sqrt_f64;
    rsqrt root rsqrt_f64;
    cbrt root cbrt_f64;
    exp exponential exp_f64;
    exp2 exponential exp2_f64;
    expm1 exponential expm1_f64;
    logistic exponential logistic_f64;
    log logarithm log_f64;
    log2 logarithm log2_f64;
    log10 logarithm log10_f64;
    log1p logarithm log1p_f64;
    sin trigonometric sin_f64;
    cos trigonometric cos_f64;
    tan trigonometric tan_f64;
    asin inverse_trigonometric asin_f64;
    acos inverse_trigonometric acos_f64;
    atan inverse_trigonometric atan_f64;
    sinh hyperbolic sinh_f64;
    cosh hyperbolic cosh_f64;
    tanh hyperbolic tanh_f64;
    asinh hyperbolic asinh_f64;
    acosh hyperbolic acosh_f64;
    atanh hyperbolic atanh_f64;
    erf error_function erf_f64;
    erfc error_function erfc_f64;
    erf_inv error_function erf_inv_f64;
    lgamma reflected lgamma_f64;
    digamma reflected digamma_f64;
    bessel_i0e special bessel_i0e_f64;
    bessel_i1e special bessel_i1e_f64;
    floor rounding floor_f64;
    ceil rounding ceil_f64;
    trunc rounding trunc_f64;
    round_even rounding round_even_f64;
    round_away rounding round_away_f64;
    =>
    pow power pow_f64;
    pow_near power product_f64;
    logaddexp power logaddexp_f64;
    atan2 inverse_trigonometric atan2_f64;
    hypot root hypot_f64;
    copysign rounding copysign_f64;
    next_after rounding next_after_f64;
    rem rounding rem_f64;
    rem_near rounding rem_near_f64;
    zeta zeta zeta_f64;
    polygamma zeta polygamma_f64;
    =>
    sin_each trigonometric Sin;
    cos_each trigonometric Cos;
    tan_each trigonometric Tan;
    lgamma_each reflected Lgamma;
    digamma_each reflected Digamma;
}
