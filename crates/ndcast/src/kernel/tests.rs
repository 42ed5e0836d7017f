//! The loops of kernels of several arguments against one element at a time: however the arguments lie, at every length, in the
//! cache and past it.

use std::ops::{BitXor, Shl};

use bytemuck::{Pod, bytes_of, cast_slice, cast_slice_mut, pod_read_unaligned};

use super::*;
use crate::simd::store_fence;

/// Of two elements what tells which came first.
fn mixed<T: Shl<u32, Output = T> + BitXor<Output = T>>(a: T, b: T) -> T {
    (a << 1) ^ b
}

struct Mix;

impl<T: Pod + Shl<u32, Output = T> + BitXor<Output = T>> Map2<Integers, T> for Mix {
    type Out = T;
    fn map<I: Isa>(a: T, b: T) -> T {
        mixed(a, b)
    }
}

/// The same, called by the block.
struct MixCalled;

impl<T: Pod + Shl<u32, Output = T> + BitXor<Output = T>> Map2<Integers, T> for MixCalled {
    type Out = T;
    const IS_LONG: bool = true;
    fn map<I: Isa>(a: T, b: T) -> T {
        mixed(a, b)
    }
}

/// The same of five.
struct MixFive;

impl Map5<Integers, u32> for MixFive {
    type Out = u32;
    fn map<I: Isa>(a: u32, b: u32, c: u32, d: u32, e: u32) -> u32 {
        mixed(mixed(mixed(mixed(a, b), c), d), e)
    }
}

/// Longer than it was.
struct Longer;

impl Map1<Conversions, u16> for Longer {
    type Out = u32;
    fn map<I: Isa>(x: u16) -> u32 {
        u32::from(x)
    }
}

/// A kernel, how many bytes an element of each argument has and one of its result, and what it makes of one of each.
struct Probe {
    kernel: Kernel,
    arguments: Vec<usize>,
    result: usize,
    one: fn(&[&[u8]]) -> Vec<u8>,
}

fn of_two<T: Pod + Shl<u32, Output = T> + BitXor<Output = T>>(kernel: Kernel) -> Probe {
    let one =
        |x: &[&[u8]]| bytes_of(&mixed::<T>(pod_read_unaligned(x[0]), pod_read_unaligned(x[1]))).to_vec();
    Probe { kernel, arguments: vec![size_of::<T>(); 2], result: size_of::<T>(), one }
}

fn of_every_size<O>() -> Vec<Probe>
where
    O: Map2<Integers, u8, Out = u8>
        + Map2<Integers, u16, Out = u16>
        + Map2<Integers, u32, Out = u32>
        + Map2<Integers, u64, Out = u64>
        + Map2<Integers, u128, Out = u128>,
{
    vec![
        of_two::<u8>(run2::<O, Integers, u8>()),
        of_two::<u16>(run2::<O, Integers, u16>()),
        of_two::<u32>(run2::<O, Integers, u32>()),
        of_two::<u64>(run2::<O, Integers, u64>()),
        of_two::<u128>(run2::<O, Integers, u128>()),
    ]
}

fn selecting(size: usize) -> Probe {
    let one = |x: &[&[u8]]| x[if x[0][0] != 0 { 1 } else { 2 }].to_vec();
    Probe { kernel: select(size).unwrap(), arguments: vec![1, size, size], result: size, one }
}

fn probes() -> Vec<Probe> {
    let mut probes = of_every_size::<Mix>();
    probes.extend(of_every_size::<MixCalled>());
    probes.extend([1, 2, 4, 8, 16].map(selecting));
    probes.push(Probe {
        kernel: from::<Longer, u16, Mix, Integers, u32, 2>(),
        arguments: vec![2, 4],
        result: 4,
        one: |x| {
            let first = u32::from(pod_read_unaligned::<u16>(x[0]));
            bytes_of(&mixed(first, pod_read_unaligned(x[1]))).to_vec()
        },
    });
    probes.push(Probe {
        kernel: run5::<MixFive, Integers, u32>(),
        arguments: vec![4; 5],
        result: 4,
        one: |x| {
            let all = x.iter().map(|x| pod_read_unaligned::<u32>(x));
            bytes_of(&all.reduce(mixed).unwrap()).to_vec()
        },
    });
    probes
}

/// The ways in which an argument can lie.
const WAYS: usize = 6;

/// An argument that lies in one of these, in rows of so many columns; and where its element for a row and a column is.
fn lying(
    bytes: &[u8],
    way: usize,
    size: usize,
    [rows, columns]: [usize; 2],
) -> (Along<'_>, impl Fn(usize, usize) -> usize) {
    let (first, step, width) = match way {
        // All rows, one behind the other, from the first byte or later.
        0 => (0, 0, rows * columns),
        1 => (3, 0, rows * columns),
        // Rows with something between them, or the last row first.
        2 => (1, columns.cast_signed() + 5, columns),
        3 => ((rows - 1) * columns, -columns.cast_signed(), columns),
        // One for each row.
        4 => (2, 1, 1),
        // A block again and again.
        _ if columns > BLOCK => (7, 0, BLOCK),
        _ => (7, 0, columns),
    };
    let along = Along { bytes, first: first * size, step: step * size.cast_signed(), width: width * size };
    let place = move |row: usize, column: usize| {
        let step = if width > columns { columns.cast_signed() } else { step };
        let begin = first.checked_add_signed(row.cast_signed() * step).unwrap();
        (begin + column % width.min(columns)) * size
    };
    (along, place)
}

/// Memory for any type of element, with these bytes and some more.
fn memory(bytes: usize, seed: usize) -> Vec<u128> {
    let mut memory = vec![0; bytes.div_ceil(size_of::<u128>()) + 64];
    for (place, byte) in cast_slice_mut::<u128, u8>(&mut memory).iter_mut().enumerate() {
        // Some are zero, as conditions are.
        *byte = u8::try_from((place * 131 + seed * 89) % 251 % 201).unwrap();
    }
    memory
}

/// Runs a probe on arguments that lie in some ways, and compares each element.
fn check(probe: &Probe, sizes @ [rows, columns]: [usize; 2], ways: usize, stores: Stores, in_place: bool) {
    let (Probe { kernel, arguments, result, one }, count) = (probe, rows * columns);
    let Kernel::Several(kernel) = *kernel else { panic!("a kernel of several arguments") };
    let way = |n: usize| (ways + n * (ways / WAYS + 1)) % WAYS;
    let memories: Vec<Vec<u128>> =
        arguments.iter().enumerate().map(|(n, size)| memory((count + 5 * rows) * size, n)).collect();
    let (mut alongs, mut places) = (Vec::new(), Vec::new());
    for (n, (memory, size)) in memories.iter().zip(arguments).enumerate() {
        let (along, place) = lying(cast_slice(memory), way(n), *size, sizes);
        alongs.push(along);
        places.push(place);
    }
    // The result begins on no line of the cache, unless an element is as long.
    let begin = 3 * result;
    let mut out = memory(begin + count * result, 7);
    let before = out.clone();
    let before: &[u8] = cast_slice(&before);
    if in_place {
        alongs[0] = Along::NONE;
    }
    let all: Vec<&Along<'_>> = alongs.iter().collect();
    let out: &mut [u8] = cast_slice_mut(&mut out);
    kernel(&all, columns, stores, &mut out[begin..][..count * result]);
    store_fence();
    let mut expected = before.to_vec();
    for (number, expected) in expected[begin..].chunks_mut(*result).take(count).enumerate() {
        let (row, column) = (number / columns, number % columns);
        let elements: Vec<&[u8]> = (0..arguments.len())
            .map(|n| match n {
                0 if in_place => &before[begin + number * result..][..*result],
                _ => &cast_slice::<u128, u8>(&memories[n])[places[n](row, column)..][..arguments[n]],
            })
            .collect();
        expected.copy_from_slice(&one(&elements));
    }
    assert!(
        *out == *expected,
        "{rows} rows of {columns}, arguments of {arguments:?} bytes in ways {:?}, {stores:?}, in place: {in_place}",
        (0..arguments.len()).map(way).collect::<Vec<_>>()
    );
}

#[test]
fn rows_are_computed_however_the_arguments_lie() {
    for (probe, ways) in probes().iter().flat_map(|probe| (0..WAYS * WAYS).map(move |ways| (probe, ways))) {
        for columns in [1, 5, 16, 63, 64, 65, 150, 1100] {
            for stores in [Stores::Cached, Stores::Streamed] {
                check(probe, [3, columns], ways, stores, false);
            }
        }
    }
}

#[test]
fn every_length_is_computed() {
    for (probe, columns) in probes().iter().flat_map(|probe| (1..150).map(move |columns| (probe, columns))) {
        for ways in [0, 2, 4, 5, 11] {
            check(probe, [2, columns], ways, Stores::Cached, false);
            // A kernel that converts its first argument never finds that in its result.
            let fits = probe.arguments[0] == probe.result;
            if fits {
                check(probe, [2, columns], ways, Stores::Cached, true);
            }
        }
    }
}

#[test]
fn no_elements_are_computed() {
    for probe in probes() {
        let Kernel::Several(kernel) = probe.kernel else { panic!("a kernel of several arguments") };
        let (all, mut memory) = (vec![&Along::NONE; probe.arguments.len()], memory(0, 0));
        kernel(&all, usize::MAX, Stores::Streamed, cast_slice_mut(&mut memory[..0]));
        kernel(&all, 0, Stores::Cached, cast_slice_mut(&mut memory[..0]));
    }
}
