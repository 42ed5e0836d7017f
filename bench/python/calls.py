"""Call after call on one thread, beside NumPy: indices, assignments and movements, of a few elements and of many."""

import math
import os
import statistics
import timeit

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402

# The rows and columns of `a` (floats), `k` (integers), `m` (truth values) and `j` (places along an axis); `b` is a row, `i` has places.
EXTENTS = (4, 500)
CALLS = """a + b
a + a[:, :1]
a * 2 + b
-a
a > 0.5
a ** 0.5
a ** 2
k // 7
xp.where(m, a, b)
xp.clip(a, 0.2, 0.8)
xp.sum(a)
xp.sum(a, axis=0)
xp.mean(a, axis=1)
xp.std(a, axis=1)
xp.argmax(a, axis=1)
xp.any(m)
xp.cumulative_sum(a, axis=1)
(a - xp.mean(a, axis=0)) / xp.std(a, axis=0)
float(xp.sum(a))
bool(xp.all(a == a))
a[1]
a[1, 2]
a[:, 1] + 0
a[::-1, ::2] + 0
a[i]
a[:, i]
a[i, i]
a[m]
a[m[:, 0]]
xp.take(a, i, axis=1)
xp.take_along_axis(a, j, axis=0)
xp.take_along_axis(a, j, axis=1)
xp.nonzero(m)
xp.concat([a, a], axis=1)
xp.stack([a, a])
xp.roll(a, 3, axis=1)
xp.tile(a, (2, 2))
xp.repeat(a, 2, axis=1)
xp.repeat(b, i)
xp.tril(a)
xp.diff(a)
xp.sort(a)
xp.unique_values(k)
xp.searchsorted(s, b)
xp.matmul(a, b)
xp.matmul(a, a)
xp.astype(a, xp.float64)
xp.reshape(xp.permute_dims(a, (1, 0)), (-1,))
xp.zeros((3, 4))
xp.arange(100)
xp.asarray([1.0, 2.0, 3.0])
a + n
xp.asarray(n) + a
""".splitlines()
# These change `a`; what they put there is what is there at last.
CHANGES = """a[1] = 1.0
a[1, 2] = 1.0
a[:, 1] = 2.0
a[::2] = b
a[...] = b
a[1:] = a[:-1]
a[m] = 0.5
a[i] = 0.5
a[:, i] = 0.5
a[i, i] = b
a[0] += 1
a[:, 0] *= -1.0
a *= 1.0
a += b""".splitlines()


def arrays(extent, make):
    """The arrays that the calls are about, as this makes them of NumPy's."""
    random = np.random.default_rng(0)
    shape = (extent, extent)
    own = {
        "a": random.random(shape).astype(np.float32),
        "b": random.random(extent).astype(np.float32),
        "k": random.integers(0, 100, shape).astype(np.int32),
        "m": random.random(shape) > 0.5,
        "i": random.integers(0, extent, extent),
        "j": random.integers(0, extent, shape),
    }
    own["s"] = np.sort(own["b"])
    return {"n": own["b"].copy(), **{name: make(array) for name, array in own.items()}}


def microseconds(statement, names):
    """The least time of a run of a statement."""
    once = timeit.timeit(statement, globals=names, number=2) / 2
    count = max(1, min(2000, int(4e-3 / once)))
    return min(timeit.repeat(statement, globals=names, number=count, repeat=5)) / count * 1e6


def computed(call, names, array):
    """The call with its result computed, which may be one array, or several."""
    result = eval(call, names)  # noqa: S307 - one of those above
    if isinstance(result, array):
        return f"looked_at({call})"
    return f"looked_at(*{call})" if isinstance(result, (tuple, list)) else call


def compare(only):
    """Prints a line for each call, those first that are slowest beside NumPy."""
    import ndcast

    ndcast.set_threads(1)

    for extent in EXTENTS:
        ours = {"xp": ndcast, "looked_at": ndcast.eval, **arrays(extent, lambda array: ndcast.asarray(array, copy=True))}
        theirs = {"xp": np, **arrays(extent, np.array)}
        lines = []
        for call in CALLS + CHANGES:
            if only and only not in call:
                continue
            changed = "global a\n" + call
            if call in CHANGES:
                own, other = f"{changed}; looked_at(a)", changed
            else:
                own, other = computed(call, ours, ndcast.Array), call
            lines.append((call, microseconds(own, ours), microseconds(other, theirs)))
        if not lines:
            continue
        print(f"{f'{extent} x {extent}, microseconds':50}{'ndcast':>12}{'numpy':>12}{'ratio':>9}")
        for call, own, other in sorted(lines, key=lambda line: line[2] / line[1]):
            print(f"{call:50}{own:12.1f}{other:12.1f}{other / own:8.2f}x")
        mean = math.exp(statistics.fmean(math.log(other / own) for _, own, other in lines))
        print(f"geometric mean over {len(lines)} calls: {mean:.2f}x NumPy\n")
