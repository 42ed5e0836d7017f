//! Kernels that divide by the same numbers again and again: by their inverses, made once, with the same bits.
//!
//! A quotient `x * (1 / c)` is at most a unit or two off in its last place. What it leaves of `x`, `x - q * c`, is computed in
//! one rounding; that times the inverse is what it lacks, and added in one rounding it gives the nearest float. So it was for
//! every pair of numbers of 3 to 12 bits, and for the 29 million of 24 bits whose quotients lie nearest to the middle of two floats. It
//! holds as long as no step leaves the range of floats with all bits: what is farther from 1 than [`REACH`] is divided.

use std::borrow::Cow;
use std::marker::PhantomData;

use bytemuck::{Pod, cast_slice, cast_slice_mut, pod_read_unaligned};
use smallvec::SmallVec;

use super::bounds::{self, Bounds};
use super::{Along, BLOCK, Conversions, Floats, Kernel, Map, Map1, Run, from, of_several, several};
use crate::dtype::DType;
use crate::element::Integer;
use crate::simd::{Body, Isa, Stores, is_wide, simd, wide};

/// The class of what is computed of [`Near`] numbers, and of the [`Bounds`] of numbers.
pub(crate) struct Quotients;

/// A float on its way through operations: its bits, those of its inverse if it is a divisor, and bits that are set if any
/// dividend on the way was not near.
pub(crate) type Near = [u32; 3];

/// The fewest uses of each divisor for which inverses pay.
const OFTEN: usize = 8;
/// The fewest elements for which they do.
const FEWEST: usize = 512;

/// Near are zeros, and what is from `2^-REACH` to `2^REACH`.
pub(super) const REACH: u32 = 60;

/// A number that was computed of near ones.
#[inline(always)]
pub(crate) fn near(value: f32, far: u32) -> Near {
    [value.to_bits(), 0, far]
}

/// The number itself.
#[inline(always)]
pub(crate) fn value([bits, _, _]: Near) -> f32 {
    f32::from_bits(bits)
}

/// Whether something that was divided for it is not near, as bits.
#[inline(always)]
pub(crate) fn far([_, _, far]: Near) -> u32 {
    far
}

/// Whether a number is not near, as a bit.
#[inline(always)]
fn is_far(x: f32) -> u32 {
    const BIAS: u32 = 127;
    let without_sign = x.to_bits() << 1;
    let beyond = without_sign.wrapping_sub((BIAS - REACH) << 24) > (2 * REACH) << 24;
    u32::from(beyond && without_sign != 0)
}

/// A quotient of near numbers.
#[inline(always)]
pub(crate) fn quotient<I: Isa>(x: Near, divisor: Near) -> Near {
    let (dividend, divisor, inverse) = (value(x), value(divisor), f32::from_bits(divisor[1]));
    let rough = dividend * inverse;
    let rest = I::fma32(-rough, divisor, dividend);
    let made = I::fma32(rest, inverse, rough);
    // The steps lose the sign of a zero.
    let sign = rough.to_bits() & (1 << 31);
    near(f32::from_bits(made.to_bits() | sign), far(x) | is_far(dividend))
}

/// A map of `N` arguments that divides by inverses: these follow the arguments, one for each bit of `DIVISORS`. `W` converts
/// what it makes; `KNOWN` says that every dividend is near.
struct ByInverse<O, W, const N: usize, const DIVISORS: usize, const KNOWN: bool>(PhantomData<(O, W)>);

impl<O, W, const N: usize, const M: usize, const DIVISORS: usize, const KNOWN: bool> Map<Floats, f32, M>
    for ByInverse<O, W, N, DIVISORS, KNOWN>
where
    O: Map<Floats, f32, N, Out = f32> + Map<Quotients, Near, N, Out = Near>,
    W: Map1<Conversions, f32>,
{
    type Out = W::Out;
    const EACH: bool = {
        assert!(N + DIVISORS.count_ones() as usize == M, "an inverse for each divisor");
        true
    };

    #[inline(always)]
    fn map<I: Isa>(arguments: [f32; M]) -> W::Out {
        let own: [f32; N] = std::array::from_fn(|n| arguments[n]);
        W::map::<I>(<O as Map<Floats, f32, N>>::map::<I>(own))
    }

    #[inline(always)]
    fn each<I: Isa, const V: usize>(arguments: [&[f32; V]; M], to: &mut [W::Out; V]) {
        let mut is_any_far = 0;
        for place in 0..V {
            let mut all = [[0; 3]; N];
            let mut inverse = N;
            for n in 0..N {
                all[n][0] = arguments[n][place].to_bits();
                if DIVISORS >> n & 1 == 1 {
                    all[n][1] = arguments[inverse][place].to_bits();
                    inverse += 1;
                }
            }
            let made = <O as Map<Quotients, Near, N>>::map::<I>(all);
            is_any_far |= far(made);
            to[place] = W::map::<I>(value(made));
        }
        if !KNOWN && is_any_far != 0 {
            for place in 0..V {
                to[place] =
                    <Self as Map<Floats, f32, M>>::map::<I>(std::array::from_fn(|n| arguments[n][place]));
            }
        }
    }
}

/// As it is.
struct Same;

impl Map1<Conversions, f32> for Same {
    type Out = f32;
    #[inline(always)]
    fn map<I: Isa>(x: f32) -> f32 {
        x
    }
}

/// The kernel of a map of `N` floats of this type. The bits of `DIVISORS` say which are divisors.
pub(crate) fn dividing<O, const N: usize, const M: usize, const DIVISORS: usize>(
    dtype: DType,
) -> Option<Kernel>
where
    O: Map<Floats, f32, N, Out = f32> + Map<Quotients, Near, N, Out = Near> + Map<Floats, f64, N, Out = f64>,
{
    match dtype {
        DType::F32 => Some(Kernel::Several(of_floats::<O, O, Same, N, M, DIVISORS>)),
        // Of twice as many bits the steps to the quotient take as long as the division.
        DType::F64 => Some(several::<O, Floats, f64, N>()),
        _ => None,
    }
}

/// That of a map of f32, and what it makes is converted: by a map that does both.
pub(crate) fn dividing_as<A, O, W, const N: usize, const M: usize, const DIVISORS: usize>() -> Kernel
where
    A: Map<Floats, f32, N, Out = W::Out>,
    O: Map<Floats, f32, N, Out = f32> + Map<Quotients, Near, N, Out = Near>,
    W: Map1<Conversions, f32>,
{
    Kernel::Several(of_floats::<A, O, W, N, M, DIVISORS>)
}

/// That of a map of f32, of which the first is made of an integer.
pub(crate) fn dividing_from<V, U, O, const N: usize, const M: usize, const DIVISORS: usize>() -> Kernel
where
    V: Map1<Conversions, U, Out = f32>,
    O: Map<Floats, f32, N, Out = f32>
        + Map<Quotients, Near, N, Out = Near>
        + Map<Quotients, Bounds, N, Out = Bounds>,
    U: Integer,
{
    Kernel::Several(of_integers::<V, U, O, N, M, DIVISORS>)
}

fn of_floats<A, O, W, const N: usize, const M: usize, const DIVISORS: usize>(
    arguments: &[&Along<'_>],
    columns: usize,
    stores: Stores,
    result: &mut [u8],
) where
    A: Map<Floats, f32, N, Out = W::Out>,
    O: Map<Floats, f32, N, Out = f32> + Map<Quotients, Near, N, Out = Near>,
    W: Map1<Conversions, f32>,
{
    let elements = result.len() / size_of::<W::Out>();
    with_inverses::<M>(arguments, DIVISORS, [elements, columns], |all| {
        let Some(arguments) = all else {
            return of_several::<A, Floats, f32, N>(arguments, columns, stores, result);
        };
        let (out, map) = (cast_slice_mut::<u8, W::Out>(result), PhantomData);
        wide(Run::<ByInverse<O, W, N, DIVISORS, false>, Floats, f32, _, M> {
            arguments,
            columns,
            stores,
            out,
            map,
        });
    });
}

fn of_integers<V, U, O, const N: usize, const M: usize, const DIVISORS: usize>(
    arguments: &[&Along<'_>],
    columns: usize,
    stores: Stores,
    result: &mut [u8],
) where
    V: Map1<Conversions, U, Out = f32>,
    O: Map<Floats, f32, N, Out = f32>
        + Map<Quotients, Near, N, Out = Near>
        + Map<Quotients, Bounds, N, Out = Bounds>,
    U: Integer,
{
    let sizes = [result.len() / size_of::<f32>(), columns];
    with_inverses::<M>(arguments, DIVISORS, sizes, |all| {
        let Some(all) = all else {
            return from::of_several::<V, U, O, Floats, f32, N>(arguments, columns, stores, result);
        };
        let mut known = [bounds::of_integers::<U>(); N];
        for (known, argument) in known.iter_mut().zip(arguments).skip(1) {
            *known = again(argument, sizes).map_or(bounds::NONE, |again| bounds::of_numbers(&again.numbers));
        }
        if bounds::are_near::<O, N>(known) {
            converted::<V, U, ByInverse<O, Same, N, DIVISORS, true>, M>(all, columns, stores, result);
        } else {
            converted::<V, U, ByInverse<O, Same, N, DIVISORS, false>, M>(all, columns, stores, result);
        }
    });
}

/// A map of which the first argument is made of one of another type.
fn converted<V, U, O, const M: usize>(
    arguments: &[&Along<'_>],
    columns: usize,
    stores: Stores,
    result: &mut [u8],
) where
    V: Map1<Conversions, U, Out = f32>,
    O: Map<Floats, f32, M, Out = f32>,
    U: Pod,
{
    let (out, map) = (cast_slice_mut::<u8, f32>(result), PhantomData);
    wide(from::Run::<V, U, O, Floats, f32, _, M> { arguments, columns, stores, out, map });
}

/// Numbers that an argument has along rows again and again.
struct Again<'a> {
    numbers: Cow<'a, [f32]>,
    step: usize,
    width: usize,
}

/// Those of an argument, if each is there often.
fn again<'a>(argument: &Along<'a>, [elements, columns]: [usize; 2]) -> Option<Again<'a>> {
    const SIZE: usize = size_of::<f32>();
    let row = columns.min(elements);
    let count = if argument.step == 0 && argument.width <= row * SIZE {
        argument.width / SIZE
    } else if argument.width == SIZE {
        elements.div_ceil(row.max(1))
    } else {
        return None;
    };
    if count == 0 || count > elements / OFTEN {
        return None;
    }
    if argument.step == 0 {
        let numbers = Cow::Borrowed(cast_slice(argument.memory()));
        return Some(Again { numbers, step: 0, width: argument.width });
    }
    let at = |row: usize| argument.first.wrapping_add_signed(row.cast_signed() * argument.step);
    let number = |row: usize| pod_read_unaligned(&argument.bytes[at(row)..][..SIZE]);
    Some(Again { numbers: (0..count).map(number).collect(), step: SIZE, width: SIZE })
}

/// The inverses of what an argument has along rows, as another has them.
struct Inverses {
    numbers: SmallVec<[f32; BLOCK]>,
    step: usize,
    width: usize,
}

/// Calls `run` with the arguments and, behind them, the inverses of the divisors; with `None` where division is faster, or a
/// divisor is not near. `sizes` are how many elements and columns there are.
fn with_inverses<const M: usize>(
    arguments: &[&Along<'_>],
    divisors: usize,
    sizes: [usize; 2],
    run: impl FnOnce(Option<&[&Along<'_>]>),
) {
    // A division of wider vectors takes as much longer, and nothing else does.
    if sizes[0] < FEWEST || !is_wide() {
        return run(None);
    }
    let mut inverses: SmallVec<[Inverses; 2]> = SmallVec::new();
    for (_, divisor) in arguments.iter().enumerate().filter(|(n, _)| divisors >> n & 1 == 1) {
        match Inverses::of(divisor, sizes) {
            Some(made) => inverses.push(made),
            None => return run(None),
        }
    }
    let along: SmallVec<[Along<'_>; 2]> = inverses.iter().map(Inverses::along).collect();
    let mut all = [&Along::NONE; M];
    let given = arguments.iter().copied().chain(&along);
    all.iter_mut().zip(given).for_each(|(to, argument)| *to = argument);
    run(Some(&all));
}

impl Inverses {
    /// Those of one argument, if each is used often, and all are near.
    fn of(divisor: &Along<'_>, sizes: [usize; 2]) -> Option<Inverses> {
        let Again { numbers, step, width } = again(divisor, sizes)?;
        let (mut numbers, mut is_any_far) = (SmallVec::from_slice(&numbers), 0);
        simd(Invert { numbers: &mut numbers, is_any_far: &mut is_any_far });
        (is_any_far == 0).then_some(Inverses { numbers, step, width })
    }

    fn along(&self) -> Along<'_> {
        Along { bytes: cast_slice(&self.numbers), first: 0, step: self.step.cast_signed(), width: self.width }
    }
}

/// Makes divisors their inverses.
struct Invert<'a> {
    numbers: &'a mut [f32],
    /// Whether one of them is not near, or 0, as bits.
    is_any_far: &'a mut u32,
}

impl Body for Invert<'_> {
    #[inline(always)]
    fn run<I: Isa>(self) {
        let mut is_any_far = 0;
        for number in self.numbers {
            is_any_far |= is_far(*number) | u32::from(*number == 0.0);
            *number = 1.0 / *number;
        }
        *self.is_any_far = is_any_far;
    }
}
