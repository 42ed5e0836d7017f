"""Makes the polynomials of crates/ndcast/src/math: `python3 tools/accuracy/minimax.py [name ...]` prints them.

Remez' exchange in 60 digits (needs mpmath). Each entry says which function is approximated, over which interval, by
how many coefficients, and which error is made small: `weight` multiplies the difference. The coefficients are then
rounded to f64, so a leading coefficient that must be exact is not among them but written in the code.
"""

import sys

from mpmath import mp, mpf, cos, pi, lu_solve, matrix, exp, log, sqrt, sin, erf, erfc, atan, asin, log1p, sinh, cosh, tanh
from mpmath import erfinv, expm1
from mpmath import digamma, euler, loggamma, sinpi, cospi

mp.dps = 60


def remez(function, low, high, count, given_weight, rounds=9, grid=1500):
    """The coefficients of the polynomial, constant first, and the greatest weighted error."""
    # A weight of 0 inside the interval would leave the value there open.
    weight = lambda x: max(given_weight(x), mpf("1e-6"))
    low, high = mpf(low), mpf(high)
    n = count + 1
    spread = lambda k, total: (low + high) / 2 - (high - low) / 2 * cos(pi * k / (total - 1))
    points = [spread(k, n) for k in range(n)]
    nudge = (high - low) / mpf(10) ** 12
    points = [min(max(p, low + nudge), high) for p in points]
    dense = [min(max(spread(k, grid), low + nudge), high) for k in range(grid)]
    values = [(p, function(p), weight(p)) for p in dense]
    for _ in range(rounds):
        rows, right = [], []
        for index, p in enumerate(points):
            rows.append([p**k for k in range(count)] + [(-1) ** index / weight(p)])
            right.append(function(p))
        solved = lu_solve(matrix(rows), matrix(right))
        coefficients = [solved[k] for k in range(count)]

        def error(p, value, scale):
            total = mpf(0)
            for c in reversed(coefficients):
                total = total * p + c
            return (total - value) * scale

        errors = [error(*v) for v in values]
        # The greatest of each run of one sign.
        extremes = []
        for p, e in zip(dense, errors):
            if extremes and (extremes[-1][1] > 0) == (e > 0):
                if abs(e) > abs(extremes[-1][1]):
                    extremes[-1] = (p, e)
            else:
                extremes.append((p, e))
        while len(extremes) > n:
            extremes.pop(0 if abs(extremes[0][1]) < abs(extremes[-1][1]) else -1)
        if len(extremes) < n:
            break
        points = [p for p, _ in extremes]
    return coefficients, max(abs(e) for e in errors)


HALF_LN2 = log(2) / 2 * mpf("1.0001")
one = lambda x: mpf(1)


def exp_rest(r):
    return (exp(r) - 1 - r) / r**2 if abs(r) > mpf(10) ** -15 else mpf(1) / 2 + r / 6


def exp_rest2(r):
    return (exp(r) - 1 - r - r * r / 2) / r**3 if abs(r) > mpf(10) ** -10 else mpf(1) / 6 + r / 24


def exp2_rest(f):
    return (mpf(2)**f - 1 - log(2) * f) / f**2 if abs(f) > mpf(10) ** -15 else log(2)**2 / 2


def erfcx(x):
    return exp(x * x) * erfc(x)


def erf_inv_over(w):
    """The inverse error function of x over x, with w = -log(1 - x^2)."""
    if w < mpf(10) ** -12:
        return sqrt(pi) / 2
    x = sqrt(-expm1(-w))
    if w < 8:
        return erfinv(x) / x
    # Newton's steps from the complement, of which x has too few digits.
    rest, y = exp(-w) / (1 + x), sqrt(w) - mpf("0.5")
    for _ in range(60):
        y += (erfc(y) - rest) * sqrt(pi) / 2 * exp(y * y)
    return y / x


def from_ratio(t, a):
    """x of t = (x - a) / (x + a)."""
    return a * (1 + t) / (1 - t)


def log_remainder(z):
    s = sqrt(z)
    return (log((1 + s) / (1 - s)) - 2 * s) / s / z


def lgamma_rest(t):
    """lgamma(2 + t) = t (1 - euler) + t^2 of it."""
    return (loggamma(2 + t) / t - (1 - euler)) / t if abs(t) > mpf(10) ** -15 else (pi**2 / 6 - 1) / 2


def stirling_rest(z):
    """What lgamma(x) is more than (x - 1/2) log(x) - x + log(2 pi) / 2, times x, with z = 1 / x^2."""
    if z < mpf(10) ** -8:
        return mpf(1) / 12 - z / 360 + z**2 / 1260
    x = 1 / sqrt(z)
    return (loggamma(x) - (x - mpf(1) / 2) * log(x) + x - log(2 * pi) / 2) * x


def digamma_rest(z):
    """What digamma(x) is less than log(x) - 1 / (2 x), times x^2, with z = 1 / x^2."""
    if z < mpf(10) ** -8:
        return mpf(1) / 12 - z / 120 + z**2 / 252
    x = 1 / sqrt(z)
    return (log(x) - 1 / (2 * x) - digamma(x)) * x**2


DIGAMMA_ROOT = mpf("1.46163214496836234126265954232572132846819620400644629512959840")


def digamma_over_root(t):
    """digamma(x) over what x is more than the root, with x = 1.625 + t."""
    return digamma(mpf("1.625") + t) / (mpf("1.625") + t - DIGAMMA_ROOT)


def atan_rest(z):
    return (atan(sqrt(z)) / sqrt(z) - 1) / z


def tanh_rest(z):
    return (tanh(sqrt(z)) / sqrt(z) - 1) / z if z > mpf(10) ** -20 else -mpf(1) / 3


def asin_rest(z):
    return (asin(sqrt(z)) / sqrt(z) - 1) / z


APPROXIMATIONS = {
    # exp(r) = 1 + r + r^2 q(r); the error is one of exp.
    "exp64": (exp_rest, -HALF_LN2, HALF_LN2, 10, lambda r: r**2 / exp(r)),
    # The same, the error being one of exp(r) - 1.
    "exp32": (exp_rest, -HALF_LN2, HALF_LN2, 6, abs),
    # exp(r) = 1 + r + r^2 / 2 + r^3 q(r).
    "exp24": (exp_rest2, -HALF_LN2, HALF_LN2, 5, lambda r: abs(r)**3 / exp(r)),
    # The same, the error being one of exp(r) - 1.
    "expm1_24": (exp_rest2, -HALF_LN2, HALF_LN2, 5, lambda r: r**2),
    # 2^f = 1 + ln 2 f + f^2 q(f).
    "exp2_24": (exp2_rest, mpf("-0.5001"), mpf("0.5001"), 5, lambda f: f**2 / 2**f),
    # log((1 + s) / (1 - s)) = 2 s + s z q(z) with z = s^2.
    "log64": (log_remainder, 0, (3 - 2 * sqrt(2)) ** 2 * mpf("1.0001"), 7, lambda z: z),
    # log((1 + s) / (1 - s)) = 2 s + s z (2 / 3 + z q(z)).
    "log66": (lambda z: (log_remainder(z) - mpf(2) / 3) / z if z > mpf(10) ** -12 else mpf(2) / 5,
        0, (3 - 2 * sqrt(2)) ** 2 * mpf("1.0001"), 7, lambda z: z**2),
    "log36": (log_remainder, 0, (3 - 2 * sqrt(2)) ** 2 * mpf("1.0001"), 4, lambda z: z),
    # The same for a 1 + t up to 2.
    "log44": (log_remainder, 0, mpf(1) / 9 * mpf("1.0001"), 7, lambda z: z),
    # log(1 + f) = f - f^2 / 2 + f^3 q(f).
    "log24": (lambda f: (log1p(f) - f + f * f / 2) / f**3 if abs(f) > mpf(10) ** -12 else mpf(1) / 3 - f / 4,
        1 / sqrt(2) - 1, sqrt(2) - 1, 8, lambda f: f**2),
    # log(1 + f) = f + f^2 q(f).
    "log32": (lambda f: (log1p(f) - f) / f**2, 1 / sqrt(2) - 1, sqrt(2) - 1, 10, lambda f: abs(f)),
    # sin(r) = r + r z q(z), cos(r) = 1 - z / 2 + z^2 q(z), with z = r^2.
    "sin64": (lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, 0, (pi / 4) ** 2 * mpf("1.001"), 6, lambda z: z),
    "sin32": (lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, 0, (pi / 4) ** 2 * mpf("1.001"), 4, lambda z: z),
    # The same up to pi / 2.
    "sin36": (lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, 0, (pi / 2) ** 2 * mpf("1.001"), 5, lambda z: z),
    "cos64": (lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, 0, (pi / 4) ** 2 * mpf("1.001"), 6, lambda z: z**2),
    "cos32": (lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, 0, (pi / 4) ** 2 * mpf("1.001"), 4, lambda z: z**2),
    # sinh(r) = r + r z q(z), cosh(r) = 1 + z / 2 + z^2 q(z), with z = r^2.
    "sinh64": (lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, 0, HALF_LN2**2, 5, lambda z: z),
    "sinh24": (lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, 0, HALF_LN2**2, 2, lambda z: z),
    "cosh24": (lambda z: (cosh(sqrt(z)) - 1 - z / 2) / z**2, 0, HALF_LN2**2, 2, lambda z: z**2),
    "cosh64": (lambda z: (cosh(sqrt(z)) - 1 - z / 2) / z**2, 0, HALF_LN2**2, 4, lambda z: z**2),
    # tanh(x) = x + x z q(z) with z = x^2.
    "tanh24": (tanh_rest, 0, mpf("0.8101"), 7, lambda z: z),
    "tanh64": (tanh_rest, 0, mpf("0.8101"), 14, lambda z: z),
    # erf(x) = x + x q(x^2).
    "erf24": (lambda z: erf(sqrt(z)) / sqrt(z) - 1 if z > mpf(10) ** -20 else 2 / sqrt(pi) - 1, 0, mpf("0.96") ** 2 * mpf("1.0001"), 7, one),
    # erfc(x) = 2^q(x - 1); the error is one of erf.
    "erfc_log2_24": (lambda t: log(erfc(1 + t)) / log(2), mpf("-0.0401"), mpf("2.95"), 7, lambda t: erfc(1 + t)),
    # erf(x) = x q(x^2).
    "erf64": (lambda z: (erf(sqrt(z)) / sqrt(z)) , 0, mpf("0.85") ** 2, 11, one),
    # erfc(x) = exp(-x^2) q(t) / (1 + 2 x) with t = (x - a) / (x + a), a = 2.
    "erfc32": (lambda t: erfcx(from_ratio(t, 2)) * (1 + 2 * from_ratio(t, 2)), -1, mpf("0.68"), 13, one),
    "erfc64": (lambda t: erfcx(from_ratio(t, 2)) * (1 + 2 * from_ratio(t, 2)), mpf("-0.75"), mpf("0.865"), 25, one),
    # erf_inv(x) = x q(w - 2.5), or x q(sqrt(w) - 3), with w = -log(1 - x^2).
    "erf_inv_near32": (lambda t: erf_inv_over(t + mpf("2.5")), mpf("-2.5"), mpf("2.5001"), 12,
        lambda t: 1 / erf_inv_over(t + mpf("2.5"))),
    "erf_inv_far32": (lambda t: erf_inv_over((t + 3) ** 2), sqrt(mpf("4.999")) - 3, mpf("1.09"), 11,
        lambda t: 1 / erf_inv_over((t + 3) ** 2)),
    # The same to the last f64 before 1, less exactly.
    "erf_inv_far64": (lambda t: erf_inv_over((t + 3) ** 2), sqrt(mpf("4.999")) - 3, mpf("3.01"), 9,
        lambda t: 1 / erf_inv_over((t + 3) ** 2)),
    # atan(x) = x + x z q(z) with z = x^2.
    "atan24": (atan_rest, 0, mpf("0.2501"), 5, lambda z: z),
    "atan32": (atan_rest, 0, mpf("0.2501"), 7, lambda z: z),
    "atan64": (atan_rest, 0, mpf("0.2501"), 14, lambda z: z),
    # asin(x) = x + x z q(z) with z = x^2.
    "asin24": (asin_rest, 0, mpf("0.2501"), 5, lambda z: z),
    "asin64": (asin_rest, 0, mpf("0.2501"), 16, lambda z: z),
    # lgamma(2 + t) = t (1 - euler + t q(t)).
    "lgamma64": (lgamma_rest, mpf("-0.5"), mpf("0.5"), 17, abs),
    "stirling64": (stirling_rest, 0, mpf(1) / 64, 7, one),
    "digamma64": (digamma_over_root, mpf("-0.5"), mpf("0.5"), 22, one),
    "digamma_great64": (digamma_rest, 0, mpf(1) / 64, 8, one),
    # sin(pi r) = r q(r^2), cos(pi r) = 1 + r^2 q(r^2).
    # sin(pi r) = pi r + r z q(z), cos(pi r) = 1 - pi^2 z / 2 + z^2 q(z), with z = r^2.
    "sinpi64": (lambda z: (sinpi(sqrt(z)) / sqrt(z) - pi) / z if z > mpf(10) ** -18 else -pi**3 / 6, 0, mpf("0.0626"), 6, lambda z: z / 3),
    "cospi64": (lambda z: (cospi(sqrt(z)) - 1 + pi**2 / 2 * z) / z**2 if z > mpf(10) ** -12 else pi**4 / 24, 0, mpf("0.0626"), 6,
        lambda z: z * z),
}

if __name__ == "__main__":
    for name in sys.argv[1:] or APPROXIMATIONS:
        coefficients, error = remez(*APPROXIMATIONS[name])
        print(f"{name}: error 2^{mp.nstr(log(error, 2), 4)}")
        print("    " + ", ".join(repr(float(c)) for c in coefficients))
