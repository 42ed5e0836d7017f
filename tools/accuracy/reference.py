"""Makes crates/ndcast/src/math/reference.txt, the values that the functions of f64 are tested against.

    python3 tools/accuracy/reference.py > crates/ndcast/src/math/reference.txt

Complex functions have names that begin with `c_`, two words for each number, and no hundredths; their values at
infinities, NaN and signed zeros are those of numpy, which calls the C library.

A line `= name` begins a function; each line after it has the bits of the arguments, those of the f64 nearest to the
value, and how much that is less than the value, in hundredths of its ULP. Needs mpmath and numpy; the precision is chosen so
that all of it is right. The choice of arguments is fixed by a seed.
"""

import math
import random
import struct

from mpmath import mp, mpf
import mpmath

random.seed(20240229)
mp.prec = 250


def bits(x):
    return f"{struct.unpack('<Q', struct.pack('<d', x))[0]:016x}"


def nearest(value):
    """The nearest f64, overflow and subnormal numbers included, and the rest in hundredths of an ULP."""
    value = mpmath.re(value)
    if not mpmath.isfinite(value):
        return float(value), 0
    if abs(value) >= mpf(2) ** 1024 - mpf(2) ** 970:
        return math.copysign(math.inf, value), 0
    if value == 0:
        return 0.0, 0
    exponent = max(int(mpmath.floor(mpmath.log(abs(value), 2))), -1022)
    if mpf(2) ** exponent > abs(value) and exponent > -1022:
        exponent -= 1
    ulp = mpf(2) ** (exponent - 52)
    near = mpmath.nint(value / ulp)
    as_float = math.copysign(math.ldexp(int(near), exponent - 52), value)
    return (as_float, int(mpmath.nint((value / ulp - near) * 100)))


def magnitudes(low, high, count):
    """Spread over the exponents of 2."""
    return [random.uniform(1, 2) * 2.0 ** random.randint(low, high) for _ in range(count)]


def both_signs(values):
    return [random.choice((-x, x)) for x in values]


def around(points, count=6):
    """Near some numbers: their neighbours, and some at random distances."""
    found = []
    for p in points:
        found += [p, math.nextafter(p, math.inf), math.nextafter(p, -math.inf)]
        found += [p + random.uniform(-1, 1) * 2.0 ** -random.randint(3, 40) for _ in range(count)]
    return found


def uniform(low, high, count):
    return [random.uniform(low, high) for _ in range(count)]


TINY = [5e-324, 1.5e-323, 1e-310, 2.2250738585072014e-308, 1e-300]
ANY = both_signs(magnitudes(-60, 5, 90)) + both_signs(TINY)

LN2 = math.log(2)
steps = lambda limit: around([LN2 * (k + 0.5) for k in random.choices(range(-limit, limit), k=12)], 2)
quarters = lambda: around([math.pi / 4 * k for k in list(range(1, 9)) + random.sample(range(9, 600000), 12)], 2)

UNARY = {
    "rsqrt": (lambda x: 1 / mpmath.sqrt(x), magnitudes(-1022, 1023, 120) + TINY),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), both_signs(magnitudes(-1022, 1023, 220) + TINY)),
    "exp": (mpmath.exp, ANY + uniform(-745, 709.7, 160) + uniform(-745.2, -708, 20) + steps(900)),
    "exp2": (lambda x: mpf(2) ** x, ANY + uniform(-1074, 1024, 160) + uniform(-1075, -1022, 20)),
    "expm1": (mpmath.expm1, ANY + uniform(-3, 3, 120) + uniform(-50, 709.7, 60) + uniform(709, 709.78, 9) + steps(5)),
    "logistic": (lambda x: 1 / (1 + mpmath.exp(-x)), ANY + uniform(-745, 40, 100) + uniform(-5, 5, 120)),
    "log": (mpmath.log, magnitudes(-1074, 1023, 120) + around([1, 0.5, 2, math.sqrt(2), math.sqrt(0.5)], 16) + TINY),
    "log2": (lambda x: mpmath.log(x, 2), magnitudes(-1074, 1023, 120) + around([1, 0.5, 2, 0.7, 1.4], 16) + TINY),
    "log10": (mpmath.log10, magnitudes(-1074, 1023, 120) + around([1, 0.5, 2, 0.7, 1.4], 16) + TINY + [1e15, 1e-5]),
    "log1p": (mpmath.log1p, [x for x in ANY if x > -1] + uniform(-1, 1, 120) + around([-0.29, 0.41, 1, 1.83, -0.8], 9) + magnitudes(3, 1023, 30)),
    "sin": (mpmath.sin, ANY + quarters() + both_signs(magnitudes(0, 19, 80)) + both_signs(magnitudes(20, 1023, 30))),
    "cos": (mpmath.cos, ANY + quarters() + both_signs(magnitudes(0, 19, 80)) + both_signs(magnitudes(20, 1023, 30))),
    "tan": (mpmath.tan, ANY + quarters() + both_signs(magnitudes(0, 19, 30)) + both_signs(magnitudes(20, 1023, 30))),
    "asin": (mpmath.asin, both_signs(magnitudes(-40, -1, 60)) + uniform(-1, 1, 60) + [-1, 1]),
    "acos": (mpmath.acos, both_signs(magnitudes(-40, -1, 60)) + uniform(-1, 1, 60) + [-1, 1, 1 - 2.0**-53]),
    "atan": (mpmath.atan, ANY + both_signs(magnitudes(0, 1023, 40))),
    "sinh": (mpmath.sinh, ANY + uniform(-3, 3, 150) + both_signs(uniform(3, 710.47, 60)) + steps(4)),
    "cosh": (mpmath.cosh, ANY + uniform(-3, 3, 100) + both_signs(uniform(3, 710.47, 60))),
    "tanh": (mpmath.tanh, ANY + uniform(-3, 3, 180) + uniform(-20, 20, 40) + [0.8 + k / 601 for k in range(150)]),
    "asinh": (mpmath.asinh, ANY + both_signs(magnitudes(0, 1023, 40))),
    "acosh": (mpmath.acosh, magnitudes(0, 1023, 60) + [1 + 2.0**-k for k in range(1, 53, 2)]),
    "atanh": (mpmath.atanh, both_signs(magnitudes(-40, -1, 60)) + uniform(-1, 1, 60) + [1 - 2.0**-53]),
    "erf": (mpmath.erf, ANY + uniform(-6, 6, 120) + uniform(0.2, 1.5, 120)),
    "erfc": (mpmath.erfc, ANY + uniform(-6, 27.3, 160) + uniform(-1, 1.5, 120) + uniform(26.5, 27.3, 20)),
    "erf_inv": (None, both_signs(magnitudes(-60, -1, 60)) + uniform(-1, 1, 60) + [1 - 2.0**-k for k in range(2, 53, 3)]),
    "lgamma": (lambda x: mpmath.re(mpmath.loggamma(x)) if x > 0 else mpmath.log(abs(mpmath.gamma(x))),
        ANY + uniform(-20, 30, 60) + magnitudes(4, 900, 40) + around([1, 2, -0.5], 4) + uniform(-2.5, -2.4, 9)),
    "digamma": (mpmath.digamma, ANY + uniform(-20, 30, 60) + magnitudes(4, 900, 40) + around([1], 6) + [1.4616321449683623 + x for x in uniform(-0.01, 0.01, 9)]),
    # Chosen without the generator, on which the arguments of those behind it depend.
    "bessel_i0e": (lambda x: mpmath.besseli(0, x) * mpmath.exp(-abs(x)),
        ANY + [k * 0.7311 - 40 for k in range(110)] + [1.6180339887 * 2.0**k for k in range(4, 600, 13)]),
    "bessel_i1e": (lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)), ANY + uniform(-40, 40, 60) + magnitudes(4, 600, 30)),
}


def pairs(first, second, count):
    return [(random.choice(first), random.choice(second)) for _ in range(count)]


def zeta(x, q):
    return mpmath.zeta(x, q)


WIDE = both_signs(magnitudes(-1074, 1023, 150))
SMALL = both_signs(magnitudes(-6, 6, 150))
POSITIVE = [abs(x) for x in SMALL]
BINARY = {
    "pow": (mpmath.power, pairs(POSITIVE, SMALL, 120) + [(1 + x * 2.0**-30, y * 2.0**30) for x, y in pairs(SMALL, SMALL, 40)]
        + [(-abs(x), float(random.randint(-30, 30))) for x in SMALL[:30]]),
    "atan2": (mpmath.atan2, pairs(SMALL, SMALL, 80) + pairs(WIDE, WIDE, 40)),
    "hypot": (lambda x, y: mpmath.sqrt(mpf(x) ** 2 + mpf(y) ** 2), pairs(SMALL, SMALL, 120)
        + [(x, x * random.uniform(0.001, 3)) for x in WIDE]),
    "logaddexp": (lambda x, y: mpmath.log(mpmath.exp(x) + mpmath.exp(y)),
        [(abs(x), y) for x, y in pairs(SMALL, SMALL, 80)] + [(x, x + random.uniform(-40, 40)) for x in uniform(50, 700, 80)]),
    "rem": (lambda x, y: mpmath.sign(x) * (abs(x) - abs(y) * mpmath.floor(abs(x) / abs(y))), pairs(WIDE, SMALL, 60)),
    "zeta": (zeta, [(1 + abs(x), y) for x, y in pairs(SMALL, POSITIVE, 80)]
        + [(float(random.randint(2, 12)), -random.uniform(0, 30)) for _ in range(20)]
        + [(random.uniform(1.001, 60), q) for q in magnitudes(-8, 12, 30)]),
    "polygamma": (lambda n, x: (-1) ** (int(n) + 1) * mpmath.factorial(int(n)) * mpmath.zeta(int(n) + 1, x),
        [(float(random.randint(1, 12)), abs(x)) for x in SMALL[:60]]
        + [(float(random.randint(1, 8)), -random.uniform(0, 20)) for _ in range(20)]
        + [(float(random.randint(20, 170)), random.uniform(0.5, 500)) for _ in range(20)]),
}


def precisely(function, *arguments):
    """With so many bits as a great argument of a periodic function needs."""
    # mpmath's zeta function takes the precision for an absolute one.
    mp.prec = 1200 if len(arguments) == 2 else 250 if all(abs(a) < 1e15 for a in arguments) else 2300
    return function(*arguments)


for name, (function, arguments) in UNARY.items():
    print("=", name)
    for x in arguments:
        if name == "erf_inv":
            mp.prec = 250
            value = mpmath.erfinv(mpf(x))
        else:
            value = precisely(function, mpf(x))
        near, rest = nearest(value)
        print(bits(x), bits(near), rest)
for name, (function, arguments) in BINARY.items():
    print("=", name)
    for x, y in arguments:
        near, rest = nearest(precisely(function, mpf(x), mpf(y)))
        print(bits(x), bits(y), bits(near), rest)


COMPLEX = {
    "exp": mpmath.exp, "expm1": mpmath.expm1, "log": mpmath.log, "log1p": mpmath.log1p,
    "log2": lambda z: mpmath.log(z) / mpmath.log(2), "log10": lambda z: mpmath.log(z) / mpmath.log(10),
    "sqrt": mpmath.sqrt, "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "asin": mpmath.asin,
    "acos": mpmath.acos, "atan": mpmath.atan, "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh,
    "asinh": mpmath.asinh, "acosh": mpmath.acosh, "atanh": mpmath.atanh,
}
PERIODIC = {"exp", "expm1", "sin", "cos", "tan", "sinh", "cosh", "tanh"}


def complex_line(*words):
    print(*(bits(float(w)) for w in words))


def complex_numbers(name):
    small = [(random.uniform(-3, 3), random.uniform(-3, 3)) for _ in range(30)]
    parts = both_signs(magnitudes(-30, 4, 60))
    wide = both_signs(magnitudes(-1020, 9 if name in PERIODIC else 1020, 60))
    circle = [(math.cos(t), math.sin(t)) for t in uniform(-3, 3, 8)]
    return small + list(zip(parts[::2], parts[1::2])) + list(zip(wide[::2], wide[1::2])) + circle


mp.prec = 2600
for name, function in COMPLEX.items():
    print("= c_" + name)
    for re, im in complex_numbers(name):
        value = mpmath.mpc(function(mpmath.mpc(re, im)))
        complex_line(re, im, nearest(value.real)[0], nearest(value.imag)[0])

print("= c_div")
for _ in range(120):
    limit = random.choice([3, 200])
    a, b, c, d = both_signs(magnitudes(-limit, limit, 4))
    if random.random() < 0.5:
        b, d = a * random.uniform(0.2, 3), c * random.uniform(0.2, 3)
    value = mpmath.mpc(a, b) / mpmath.mpc(c, d)
    complex_line(a, b, c, d, nearest(value.real)[0], nearest(value.imag)[0])
print("= c_pow")
for _ in range(60):
    a, b, c, d = both_signs(magnitudes(-2, 2, 4))
    value = mpmath.power(mpmath.mpc(a, b), mpmath.mpc(c, d))
    complex_line(a, b, c, d, nearest(value.real)[0], nearest(value.imag)[0])

import numpy as np

np.seterr(all="ignore")
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, math.inf, -math.inf, math.nan]
NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}
for name in COMPLEX:
    if name in ("expm1", "log1p", "log2", "log10"):
        continue
    print("= e_" + name)
    for re in EDGES:
        for im in EDGES:
            z = np.array([complex(re, im)])
            value = getattr(np, NAMES.get(name, name))(z)[0]
            complex_line(re, im, value.real, value.imag)
