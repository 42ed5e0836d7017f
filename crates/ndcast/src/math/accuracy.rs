//! How far the functions of floats are from the truth, at every level of instructions.
//!
//! f32 is compared with f64 functions that are correctly rounded or nearly so: those of the crate pxfm. f64 is
//! compared with `reference.txt`, which tools/accuracy/reference.py made with mpmath. The table below holds what each
//! function may err in units of the last place, a little more than what was measured. All 2^32 numbers of f32, and
//! the speeds, are for a release build and an hour:
//!
//! ```sh
//! cargo test --release -p ndcast --lib math::accuracy -- --ignored --nocapture
//! ```

use half::{bf16, f16};

use super::FloatMath;
use crate::simd::{Body, Isa, Level, at};

/// A function of one or two floats; one of one float ignores the second.
trait Function {
    fn at<I: Isa, T: FloatMath>(x: T, y: T) -> T;
}

struct Loop<'a, F, T>(std::marker::PhantomData<F>, &'a [T], &'a [T], &'a mut [T]);

impl<F: Function, T: FloatMath> Body for Loop<'_, F, T> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        for ((out, &x), &y) in self.3.iter_mut().zip(self.1).zip(self.2) {
            *out = F::at::<I, T>(x, y);
        }
    }
}

fn each<F: Function, T: FloatMath>(level: Level, x: &[T], y: &[T], out: &mut [T]) {
    at(level, Loop(std::marker::PhantomData::<F>, x, y, out));
}

type Each<T> = fn(Level, &[T], &[T], &mut [T]);

/// A function with what it may err.
struct Row {
    name: &'static str,
    /// The same of f64, by which f32 is judged.
    exact: fn(f64) -> f64,
    of_f32: Each<f32>,
    of_f64: Each<f64>,
    ulp_f32: f64,
    ulp_f64: f64,
}

macro_rules! table {
    (one: $($name:ident $exact:expr, $ulp_f32:literal $ulp_f64:literal;)* => $($name2:ident $ulp2_f32:literal $ulp2_f64:literal;)*) => {
        #[allow(non_camel_case_types, reason = "one type for each function")]
        mod function {
            $(pub(super) struct $name;)*
            $(pub(super) struct $name2;)*
        }
        $(impl Function for function::$name {
            #[inline(always)]
            fn at<I: Isa, T: FloatMath>(x: T, _: T) -> T { x.$name::<I>() }
        })*
        $(impl Function for function::$name2 {
            #[inline(always)]
            fn at<I: Isa, T: FloatMath>(x: T, y: T) -> T { x.$name2::<I>(y) }
        })*
        const UNARY: &[Row] = &[$(Row {
            name: stringify!($name), exact: $exact, ulp_f32: $ulp_f32, ulp_f64: $ulp_f64,
            of_f32: each::<function::$name, f32>, of_f64: each::<function::$name, f64>,
        }),*];
        const BINARY: &[Row] = &[$(Row {
            name: stringify!($name2), exact: |x| x, ulp_f32: $ulp2_f32, ulp_f64: $ulp2_f64,
            of_f32: each::<function::$name2, f32>, of_f64: each::<function::$name2, f64>,
        }),*];
    };
}

table! {
    one:
    sqrt f64::sqrt, 0.5 0.5;
    rsqrt pxfm::f_rsqrt, 0.51 1.4;
    cbrt pxfm::f_cbrt, 0.67 0.51;
    exp pxfm::f_exp, 0.99 1.0;
    exp2 pxfm::f_exp2, 0.84 1.0;
    expm1 pxfm::f_expm1, 0.51 0.6;
    logistic |x| 1.0 / (1.0 + pxfm::f_exp(-x)), 0.78 0.6;
    log pxfm::f_log, 0.75 0.8;
    log2 pxfm::f_log2, 0.9 0.75;
    log10 pxfm::f_log10, 0.8 0.65;
    log1p pxfm::f_log1p, 0.75 0.75;
    sin pxfm::f_sin, 0.51 0.75;
    cos pxfm::f_cos, 0.51 0.75;
    tan pxfm::f_tan, 0.51 1.0;
    asin pxfm::f_asin, 0.7 0.6;
    acos pxfm::f_acos, 0.8 0.7;
    atan pxfm::f_atan, 0.8 0.6;
    sinh |x| if x == 0.0 { x } else { pxfm::f_sinh(x) }, 0.9 0.6;
    cosh pxfm::f_cosh, 0.9 0.7;
    tanh pxfm::f_tanh, 0.99 1.1;
    asinh pxfm::f_asinh, 0.9 1.0;
    acosh pxfm::f_acosh, 0.9 1.0;
    atanh pxfm::f_atanh, 0.78 0.8;
    erf pxfm::f_erf, 0.95 1.05;
    erfc pxfm::f_erfc, 0.51 1.9;
    erf_inv |x| if x == 0.0 { x } else { pxfm::f_erfinv(x) }, 0.54 1.9;
    lgamma pxfm::f_lgamma, 0.51 1.5;
    digamma |x| if x == 0.0 { -1.0 / x } else { pxfm::f_digamma(x) }, 0.51 1.7;
    bessel_i0e |x| if x.is_infinite() { 0.0 } else { pxfm::f_i0e(x.abs()) }, 0.51 0.51;
    bessel_i1e |x| if x.abs() < 1e-15 { 0.5 * x } else { pxfm::f_i1e(x).copysign(x) }, 0.51 1.0;
    floor f64::floor, 0.0 0.0;
    ceil f64::ceil, 0.0 0.0;
    trunc f64::trunc, 0.0 0.0;
    round_even f64::round_ties_even, 0.0 0.0;
    round_away f64::round, 0.0 0.0;
    =>
    pow 0.55 0.8;
    atan2 0.51 1.1;
    hypot 0.51 0.85;
    logaddexp 0.51 1.5;
    copysign 0.0 0.0;
    next_after 0.0 0.0;
    rem 0.0 0.0;
    zeta 0.51 1.5;
    polygamma 0.51 0.51;
}

/// The distance of a float of so many bits behind its leading one, and such a least exponent, from the truth, in units
/// of the last place of the truth; `rest` is what the truth is more than `exact`, in the same units.
fn ulps(got: f64, exact: f64, rest: f64, digits: i32, least: i32, greatest: f64) -> f64 {
    if got.is_nan() || exact.is_nan() {
        return if got.is_nan() && exact.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == exact && rest == 0.0 {
        return if got == 0.0 && got.is_sign_negative() != exact.is_sign_negative() {
            f64::INFINITY
        } else {
            0.0
        };
    }
    // Infinity counts as the power of two that would be next.
    let bounded = |x: f64| x.clamp(-greatest, greatest);
    let (got, exact) = (bounded(got), bounded(exact));
    let exponent = i32::try_from((exact.to_bits() >> 52) & 0x7ff).unwrap() - 1023;
    let place = exponent.max(least) - digits;
    // The difference of great numbers of opposite signs may overflow, and so may the power.
    let half = if exact.abs() > 1e300 { 0.5 } else { 1.0 };
    let scaled = (got * half - exact * half) * 2f64.powi(-place / 2) * 2f64.powi(-place - -place / 2) / half;
    (scaled - rest).abs()
}

fn ulps_f32(got: f32, exact: f64) -> f64 {
    ulps(f64::from(got), exact, 0.0, 23, -126, 2f64.powi(128))
}

/// The worst of many, with where it is.
#[derive(Default)]
struct Worst {
    ulps: f64,
    place: String,
}

impl Worst {
    fn see(&mut self, ulps: f64, place: impl FnOnce() -> String) {
        if ulps > self.ulps {
            *self = Worst { ulps, place: place() };
        }
    }
}

/// Every so many of all f32.
fn check_f32(row: &Row, level: Level, step: usize) -> Worst {
    let mut worst = Worst::default();
    let mut start = 0_usize;
    let mut out = vec![0.0; 4096];
    while start < 1 << 32 {
        let x: Vec<f32> = (0..4096)
            .map(|k| start + k * step)
            .take_while(|bits| *bits < 1 << 32)
            .map(|bits| f32::from_bits(u32::try_from(bits).unwrap()))
            .collect();
        (row.of_f32)(level, &x, &x, &mut out[..x.len()]);
        for (&x, &got) in x.iter().zip(&out) {
            let exact = (row.exact)(f64::from(x));
            worst
                .see(ulps_f32(got, exact), || format!("{x:e} ({:08x}): {got:e}, not {exact:e}", x.to_bits()));
        }
        start += 4096 * step;
    }
    worst
}

/// The arguments, the value, and what it lacks.
type Line = (f64, f64, f64, f64);

/// The lines of a function in the table made with mpmath.
fn reference(name: &str) -> Vec<Line> {
    let text = include_str!("reference.txt");
    let start = format!("= {name}\n");
    let Some(begin) = text.find(&start) else { return vec![] };
    let body = &text[begin + start.len()..];
    let body = &body[..body.find('=').unwrap_or(body.len())];
    let float = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).unwrap());
    body.lines()
        .map(|line| {
            let words: Vec<_> = line.split(' ').collect();
            let rest = words[words.len() - 1].parse::<f64>().unwrap() / 100.0;
            let y = if words.len() == 4 { float(words[1]) } else { 0.0 };
            (float(words[0]), y, float(words[words.len() - 2]), rest)
        })
        .collect()
}

fn check_f64(row: &Row, level: Level) -> Worst {
    let mut worst = Worst::default();
    let lines = reference(row.name);
    let (x, y): (Vec<f64>, Vec<f64>) = lines.iter().map(|line| (line.0, line.1)).unzip();
    let mut out = vec![0.0; x.len()];
    (row.of_f64)(level, &x, &y, &mut out);
    for (&(x, y, exact, rest), &got) in lines.iter().zip(&out) {
        let ulps = ulps(got, exact, rest, 52, -1022, f64::INFINITY);
        worst.see(ulps, || format!("{x:e}, {y:e}: {got:e}, not {exact:e}"));
    }
    worst
}

#[test]
fn f32_is_within_its_bounds() {
    let mut wrong = vec![];
    for row in UNARY {
        for level in Level::all() {
            let worst = check_f32(row, level, 8209);
            if worst.ulps > row.ulp_f32 {
                wrong.push(format!("{} {level:?}: {:.3} at {}", row.name, worst.ulps, worst.place));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn f64_is_within_its_bounds() {
    let mut wrong = vec![];
    for row in UNARY.iter().chain(BINARY) {
        for level in Level::all() {
            let worst = check_f64(row, level);
            if worst.ulps > row.ulp_f64 {
                wrong.push(format!("{} {level:?}: {:.3} at {}", row.name, worst.ulps, worst.place));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// log(exp(x) + exp(y)) of finite numbers.
fn exact_logaddexp(x: f64, y: f64) -> f64 {
    let (greater, smaller) = if x < y { (y, x) } else { (x, y) };
    if greater == smaller {
        return greater + std::f64::consts::LN_2;
    }
    greater + pxfm::f_log1p(pxfm::f_exp(smaller - greater))
}

/// Pairs of all exponents, and pairs of numbers near 1.
#[test]
fn f32_of_two_is_within_its_bounds() {
    type Exact = (&'static str, fn(f64, f64) -> f64);
    let exact: [Exact; 5] = [
        ("atan2", pxfm::f_atan2),
        ("hypot", pxfm::f_hypot),
        ("logaddexp", exact_logaddexp),
        ("copysign", f64::copysign),
        ("rem", |x, y| x % y),
    ];
    let mut state = 1_u64;
    let mut next = |mask: u32, set: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = f32::from_bits((u32::try_from(state >> 32).unwrap() & mask) | set);
        if x.is_finite() { x } else { 0.5 }
    };
    let (mut x, mut y) = (vec![], vec![]);
    for _ in 0..50_000 {
        x.extend([next(!0, 0), next(0x83ff_ffff, 0x3c00_0000)]);
        y.extend([next(!0, 0), next(0x83ff_ffff, 0x3c00_0000)]);
    }
    let mut out = vec![0.0; x.len()];
    for (name, exact) in exact {
        let row = BINARY.iter().find(|row| row.name == name).unwrap();
        for level in Level::all() {
            (row.of_f32)(level, &x, &y, &mut out);
            let mut worst = Worst::default();
            for ((&x, &y), &got) in x.iter().zip(&y).zip(&out) {
                let exact = exact(f64::from(x), f64::from(y));
                // What cancels in `logaddexp` is relative to the arguments.
                let cancels =
                    name == "logaddexp" && exact.abs() < 1e-5 * f64::from(x).abs().max(f64::from(y).abs());
                let ulps = if cancels { 0.0 } else { ulps_f32(got, exact) };
                worst.see(ulps, || format!("{x:e}, {y:e}: {got:e}, not {exact:e}"));
            }
            assert!(worst.ulps <= row.ulp_f32, "{name} {level:?}: {:.3} at {}", worst.ulps, worst.place);
        }
    }
}

/// A float of 16 bits: its name, how it becomes an f32 and is made from one and from the exact value, and where its
/// digits end.
struct Short {
    name: &'static str,
    widen: fn(u16) -> f32,
    narrow: fn(f32) -> f32,
    exact: fn(f64) -> f64,
    digits: i32,
    least: i32,
    greatest: f64,
}

const SHORT: [Short; 2] = [
    Short {
        name: "f16",
        widen: |bits| f16::from_bits(bits).to_f32(),
        narrow: |x| f16::from_f32(x).to_f32(),
        exact: |x| f16::from_f64(x).to_f64(),
        digits: 10,
        least: -14,
        greatest: 65_536.0,
    },
    Short {
        name: "bf16",
        widen: |bits| bf16::from_bits(bits).to_f32(),
        narrow: |x| bf16::from_f32(x).to_f32(),
        exact: |x| bf16::from_f64(x).to_f64(),
        digits: 7,
        least: -126,
        greatest: 3.402_823_669_209_385e38,
    },
];

/// Every f16 and bf16, computed in f32, is within one unit of the value rounded once.
#[test]
fn every_short_float_is_right() {
    let mut wrong = vec![];
    for short in &SHORT {
        let x: Vec<f32> = (0..=u16::MAX).map(short.widen).collect();
        let mut out = vec![0.0; x.len()];
        for row in UNARY {
            let exact: Vec<f64> = x.iter().map(|&x| (short.exact)((row.exact)(f64::from(x)))).collect();
            for level in Level::all() {
                (row.of_f32)(level, &x, &x, &mut out);
                let mut worst = Worst::default();
                for ((&x, &exact), &got) in x.iter().zip(&exact).zip(&out) {
                    let got = f64::from((short.narrow)(got));
                    let ulps = ulps(got, exact, 0.0, short.digits, short.least, short.greatest);
                    worst.see(ulps, || format!("{x:e}: {got:e}, not {exact:e}"));
                }
                if worst.ulps > 1.0 {
                    wrong.push(format!(
                        "{} {} {level:?}: {:.3} at {}",
                        row.name, short.name, worst.ulps, worst.place
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether two results are of one kind: NaN, an infinity, a zero of one sign, or nearly equal.
fn alike(a: f64, b: f64) -> bool {
    let near = (a - b).abs() <= 4e-7 * a.abs().max(b.abs());
    (a.is_nan() && b.is_nan())
        || (a == b && a.is_sign_negative() == b.is_sign_negative())
        || (near && a != 0.0 && b != 0.0)
}

/// What the tests of each file say of infinities, NaN and zeros at the least level holds at all.
#[test]
fn edges_are_the_same_at_every_level() {
    let mut edges =
        vec![0.0, 1.0, 0.5, 2.0, 3.0, 0.3, 1e-45, 1e-38, 3e-39, 88.0, 104.0, 3e38, 1e10, 16_777_217.0, 5e8];
    edges.extend([f32::INFINITY, f32::NAN, f32::MAX, f32::MIN_POSITIVE]);
    edges.extend(edges.clone().iter().map(|x| -x));
    let (mut x, mut y) = (vec![], vec![]);
    for &first in &edges {
        for &second in &edges {
            x.push(first);
            y.push(second);
        }
    }
    let wide = |x: &[f32]| -> Vec<f64> { x.iter().map(|&x| f64::from(x)).collect() };
    let (wide_x, wide_y) = (wide(&x), wide(&y));
    for row in UNARY.iter().chain(BINARY) {
        let at_level = |level| {
            let (mut out, mut wide_out) = (x.clone(), wide_x.clone());
            (row.of_f32)(level, &x, &y, &mut out);
            (row.of_f64)(level, &wide_x, &wide_y, &mut wide_out);
            (wide(&out), wide_out)
        };
        let (least, wide_least) = at_level(Level::Baseline);
        for level in Level::all() {
            let (got, wide_got) = at_level(level);
            for k in 0..x.len() {
                let place = format!("{} {level:?} {:e} {:e}", row.name, x[k], y[k]);
                assert!(alike(least[k], got[k]), "{place}: {:e}, not {:e}", got[k], least[k]);
                assert!(
                    alike(wide_least[k], wide_got[k]),
                    "{place}: {:e}, not {:e}",
                    wide_got[k],
                    wide_least[k]
                );
            }
        }
    }
}

/// Prints what the bounds of the table come from; for every f32 if `NDCAST_STEP` is 1.
#[test]
#[ignore = "it takes long, and only prints"]
fn worst_of_all() {
    let step = std::env::var("NDCAST_STEP").map_or(40_961, |step| step.parse().unwrap());
    let only = std::env::var("NDCAST_ONLY").unwrap_or_default();
    let only: Vec<_> = only.split_whitespace().collect();
    for row in UNARY.iter().chain(BINARY).filter(|row| only.is_empty() || only.contains(&row.name)) {
        for level in Level::all() {
            let of_f64 = check_f64(row, level);
            println!("{} f64 {level:?}: {:.3} at {}", row.name, of_f64.ulps, of_f64.place);
        }
        let levels = if UNARY.iter().any(|one| one.name == row.name) { 3 } else { 0 };
        // All levels but for all numbers, which take hours.
        let skipped = if step == 1 && std::env::var("NDCAST_BEST").is_ok() { 2 } else { 0 };
        for level in Level::all().take(levels).skip(skipped) {
            let of_f32 = check_f32(row, level, step);
            println!("{} f32 {level:?}: {:.3} at {}", row.name, of_f32.ulps, of_f32.place);
        }
    }
}

/// Prints nanoseconds for each element.
#[test]
#[ignore = "it only prints"]
fn speed() {
    let only = std::env::var("NDCAST_ONLY").unwrap_or_default();
    let only: Vec<_> = only.split_whitespace().collect();
    let x: Vec<f32> = (0_u16..4096).map(|k| f32::from(k) * 0.001 + 0.01).collect();
    let wide: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
    let (mut out, mut out_wide) = (x.clone(), wide.clone());
    let best = |run: &mut dyn FnMut()| {
        let one = |run: &mut dyn FnMut()| {
            let start = std::time::Instant::now();
            (0..8).for_each(|_| run());
            start.elapsed().as_secs_f64() * 1e9 / 8.0 / 4096.0
        };
        (0..60).map(|_| one(run)).fold(f64::INFINITY, f64::min)
    };
    for row in UNARY.iter().chain(BINARY).filter(|row| only.is_empty() || only.contains(&row.name)) {
        let mut times = vec![];
        for level in Level::all() {
            times.push(best(&mut || (row.of_f32)(level, &x, &x, &mut out)));
            times.push(best(&mut || (row.of_f64)(level, &wide, &wide, &mut out_wide)));
        }
        let times: Vec<_> = times.iter().map(|time| format!("{time:6.2}")).collect();
        println!("{:12} {}", row.name, times.join(" "));
    }
}
