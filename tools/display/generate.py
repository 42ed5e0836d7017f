"""Writes arrays as NumPy prints them: crates/ndcast/tests/display.txt.

    python3 -m venv target/display-venv && target/display-venv/bin/pip install numpy==2.4.* ml_dtypes
    target/display-venv/bin/python tools/display/generate.py > crates/ndcast/tests/display.txt

With `--count` there are more random cases than the committed ones; the test reads them from the file that
`NDCAST_DISPLAY` names. A case is a line `dtype shape`, a line of the elements' bits in hexadecimal, which are repeated
to fill the shape, and the text, each of its lines behind a `|`.

What NumPy does not print in columns itself is given to it as something that it does: bf16 as the f32 nearest to its own
shortest digits, the smaller floats as f32, the smaller integers as int8 or uint8.
"""

import argparse
from fractions import Fraction

import ml_dtypes
import numpy as np

PLAIN = {
    "bool": np.bool_, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8,
    "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "f32": np.float32, "f64": np.float64,
    "c64": np.complex64, "c128": np.complex128,
}
SMALL_FLOATS = {
    "f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2, "f8e8m0": ml_dtypes.float8_e8m0fnu,
    "f4e2m1": ml_dtypes.float4_e2m1fn,
}
SMALL_INTEGERS = {"i4": (-8, 7), "u4": (0, 15), "i2": (-2, 1), "u2": (0, 3), "u1": (0, 1), "u3": (0, 7), "u6": (0, 63)}
FLOATS = ["f16", "bf16", "f32", "f64"]
UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def shortest(number):
    """The f32 nearest to the shortest digits of a bf16."""
    bits = int(number.view(np.uint16))
    if not np.isfinite(number) or bits & 0x7FFF == 0:
        return np.float32(number)
    at = lambda bits: Fraction(float(np.uint16(bits).view(ml_dtypes.bfloat16)))
    size, own = bits & 0x7FFF, at(bits & 0x7FFF)
    below = (at(size - 1) + own) / 2
    above = (at(size + 1) + own) / 2 if size < 0x7F7F else own + (own - at(size - 1)) / 2
    for digits in range(1, 6):
        power = int(f"{float(own):.20e}".split("e")[1]) - digits + 1
        unit = Fraction(10) ** power
        near = [n * unit for n in (own // unit, own // unit + 1)]
        even = size % 2 == 0
        near = [n for n in near if below < n < above or even and n in (below, above)]
        if near:
            best = min(near, key=lambda n: (abs(n - own), n // unit % 2))
            return np.float32(float(best)) * np.float32(1 if bits < 0x8000 else -1)
    raise AssertionError(bits)


def bits(array):
    """The elements' bits, both parts of a complex number in one word."""
    if array.dtype.kind == "c":
        part = UNSIGNED[array.itemsize // 2]
        pairs = array.view(part).reshape(-1, 2).tolist()
        return " ".join(f"{re:x},{im:x}" for re, im in pairs)
    return " ".join(f"{n:x}" for n in array.view(UNSIGNED[array.itemsize]).tolist())


def case(dtype, shape, elements):
    """Prints a case; the elements are a list or an array of the type."""
    if dtype in PLAIN:
        elements = shown = np.array(elements).astype(PLAIN[dtype])
    elif dtype == "bf16":
        elements = np.array(elements).astype(ml_dtypes.bfloat16)
        shown = np.array([shortest(n) for n in elements], np.float32)
    elif dtype in SMALL_FLOATS:
        elements = np.array(elements).astype(SMALL_FLOATS[dtype])
        shown = elements.astype(np.float32)
    else:
        least, greatest = SMALL_INTEGERS[dtype]
        elements = np.array(elements, np.int64).clip(least, greatest)
        elements = shown = elements.astype(np.int8 if least < 0 else np.uint8)
    assert elements.ndim == 1
    print(dtype, "x".join(map(str, shape)) or "-")
    print(bits(elements))
    text = str(np.resize(shown, shape)) if 0 not in shape else str(np.zeros(shape))
    print("".join(f"|{line}\n" for line in text.split("\n")))


def fixed():
    shapes = [(), (1,), (2, 3), (2, 2, 1, 2), (2, 0, 3)]
    numbers = [0, 1, -2, 3.5, 100, -0.25, 7, 12]
    for dtype in [*PLAIN, "bf16", *SMALL_FLOATS, *SMALL_INTEGERS]:
        integers = dtype[0] in "biu" and dtype != "bf16"
        some = [int(n) for n in numbers] if integers else numbers
        if dtype[0] == "u":
            some = [abs(n) for n in some]
        for shape in shapes if dtype in PLAIN else [(), (3,), (2, 3)]:
            case(dtype, shape, some)
        case(dtype, (40,), some)
        case(dtype, (11, 101), some)
    for dtype in PLAIN:
        if dtype[0] in "iu":
            limits = np.iinfo(PLAIN[dtype])
            for shape in [(), (2,), (3, 9)]:
                case(dtype, shape, np.array([limits.max, limits.min, 0], PLAIN[dtype]))
            case(dtype, (), [1])
    inf, nan = np.inf, np.nan
    for dtype in FLOATS:
        for some in [
            [nan], [inf], [-inf], [nan, inf], [nan, -inf], [0.0], [-0.0], [0, -0.0, nan], [1, nan], [1, inf], [1, -inf],
            [1.5, nan, -inf], [123.5, nan, inf], [1e-5, nan], [1e-5, -inf, 1], [0.1], [0.1, 0.2, 0.3], [1 / 3, 2 / 3],
            [1e-4, 1], [9.999e-5, 1], [1e-4, 2e-4], [1000, 1], [1000.5, 1], [1001, 1], [999.5, 1], [999.9, 0.9], [12345.0],
            [99999.0, 999.5], [999999.0, 5000], [1e6, 5e5], [1e7, 9e6], [99999999.0, 1e6], [1e8, 5e7],
            [1e-10, 1.2345678], [1e-10, 3, 1234.5], [6e-8, 1], [5e-324, 1e308], [1e100, 1e-100], [1e10], [3e20, 5],
            [0.001953125, 0.00390625], [0.5 + 2.0**-9, 1.5], [1.000000005, 2], [1.0000000050000001, 1],
            [0.123456785, 0.5], [0.999999999, 0.5], [9.999999999e-6, 1], [-1.5, -22.25], [2.5e-8, 0], [0, 0, 0],
            [1e9, nan], [-1e9, inf], [1e9, -inf], [1.5e300, nan, 2.25],
        ]:
            case(dtype, (len(some),), some)
        for n in [0, -0.0, 1, -1.5, 0.1, 1e-4, 9.99e-5, 1e-5, 999, 999.5, 1000, 1e4, 999999, 1e6, 1e7, 1e15, 1e16, 1e17, nan,
                  inf, -inf, 1 / 3, 65504, 3e38, 1e-45, 123456789.123]:
            case(dtype, (), [n])
    for dtype in ["c64", "c128"]:
        pairs = [(0, 2), (-0.0, 2), (1, -0.0), (1.5, nan), (nan, 1), (inf, -inf), (nan, nan), (1e20, 1e-5), (1e6, 1e16), (1, 2),
                 (-1.25, -3), (0, 0), (0, nan), (0, -inf), (1e-4, 1e-5)]
        for re, im in pairs:
            case(dtype, (), [complex(re, im)])
        for length in (1, 2, 4):
            for start in range(len(pairs) - length + 1):
                case(dtype, (length,), [complex(*pair) for pair in pairs[start:start + length]])
        case(dtype, (3, 9), [complex(1.5, -2), complex(100, 0.125), complex(-7, nan)])
    # Rows that wrap, at every width around the limit.
    for length in [*range(15, 26), 33, 37, 38, 39, 73, 74, 75]:
        case("i64", (length,), range(20))
        case("u8", (1, length), [7])
        case("f32", (2, length), [0.5, 2.25, 10])
    case("bool", (3, 30), [1, 0, 0, 1, 1])
    case("f64", (2, 2, 9), [1 / 3, 1e-9, 2])
    case("f64", (30,), [1.5, 2.125, 3])
    case("f64", (1, 1, 1, 1, 14), [1.5, 2.125, 3])
    # Summarised.
    for shape in [(1000,), (1001,), (7, 200), (200, 7), (6, 200), (200, 6), (11, 11, 11), (2, 600), (600, 2), (5, 5, 5, 9), (1, 1001),
                  (1001, 1), (4, 3, 100), (12, 1, 100)]:
        if shape != (1000,):
            case("f32", shape, [1, 2.5, 1e3, -4, 0.125])
            case("i32", shape, [*range(97)])
    case("i16", (1000,), range(10))


def any_float(random):
    """Floats of several kinds, with their shape."""
    kind = random.integers(6)
    shape = tuple(int(n) for n in random.integers(1, 5, random.integers(4)))
    if random.random() < 0.1:
        shape = (int(random.integers(1, 40)),)
    count = min(max(1, int(np.prod(shape))), 12)
    sign = random.choice([-1, 1], count)
    if kind == 0:
        some = sign * 10.0 ** random.uniform(-12, 12, count)
    elif kind == 1:
        some = random.integers(-2000, 2000, count) / 2.0 ** random.integers(0, 12)
    elif kind == 2:
        some = np.round(random.normal(size=count) * 100, int(random.integers(0, 10)))
    elif kind == 3:
        some = random.normal(size=count)
    elif kind == 4:
        some = sign * 2.0 ** random.integers(-30, 30, count)
    else:
        some = random.integers(1, 10, count) * 10.0 ** random.integers(-6, 9, count)
    if random.random() < 0.2:
        some[random.integers(count)] = random.choice([np.nan, np.inf, -np.inf, 0.0, -0.0])
    return shape, some


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=250, help="random cases")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--halves", action="store_true", help="every f16 and bf16 alone instead")
    options = parser.parse_args()
    print(f"# Made by tools/display/generate.py with NumPy {np.__version__} and ml_dtypes {ml_dtypes.__version__}.\n")
    np.seterr(all="ignore")
    if options.halves:
        for n in range(1 << 16):
            case("f16", (), np.array([n], np.uint16).view(np.float16))
            case("bf16", (), np.array([n], np.uint16).view(ml_dtypes.bfloat16))
        return
    fixed()
    random = np.random.default_rng(options.seed)
    for _ in range(options.count):
        dtype = str(random.choice([*FLOATS, *FLOATS, "c64", "c128", *SMALL_FLOATS]))
        shape, some = any_float(random)
        if dtype in ("c64", "c128"):
            some = some + 1j * any_float(random)[1][0]
        case(dtype, shape, some)


main()
