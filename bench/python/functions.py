"""Function after function on one thread, beside NumPy and torch: what a megabyte of elements takes."""

import math
import os
import statistics
import time

# What multiplies matrices for NumPy asks when it is loaded.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402

SHAPE = (256, 1024)
DTYPES = ["float32", "float64", "int32", "int64", "uint8", "bool", "complex64"]
# What the functions of torch are called whose names are others.
TORCH = {"bitwise_invert": "bitwise_not", "equal": "eq", "not_equal": "ne", "max": "amax", "min": "amin", "cumulative_sum": "cumsum"}
NUMPY = {"bitwise_invert": "invert", "cumulative_sum": "cumsum"}
UNARY = """abs acos acosh asin asinh atan atanh bitwise_invert ceil cos cosh exp expm1 floor isfinite isinf isnan log log10 log1p log2
    logical_not negative reciprocal round sign sin sinh sqrt square tan tanh trunc""".split()
BINARY = """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_xor copysign divide equal floor_divide greater hypot less
    logaddexp logical_and logical_or maximum minimum multiply nextafter not_equal pow remainder subtract""".split()
FOLDS = "sum prod max min mean std any all argmax argmin count_nonzero cumulative_sum".split()


def elements(dtype):
    """Two arrays of the type, within what every function is defined for."""
    random = np.random.default_rng(0)
    if dtype.kind in "fc":
        first, second = (random.random(SHAPE) * 0.9 + 0.05 for _ in range(2))
        if dtype.kind == "c":
            first, second = first + 1j * second, second + 1j * first
        return first.astype(dtype), second.astype(dtype)
    if dtype.kind == "b":
        return random.random(SHAPE) > 0.5, random.random(SHAPE) > 0.5
    return random.integers(1, 100, SHAPE).astype(dtype), random.integers(1, 7, SHAPE).astype(dtype)


def calls(dtype, namespaces):
    """For each function its name and how each of the namespaces is asked, with its own arrays."""
    first, second = elements(np.dtype(dtype))
    large = first + 1 if np.dtype(dtype).kind in "fc" else first
    own = [[make(array) for array in (first, second, large)] for _, make in namespaces]

    def asked(name, arguments):
        names = [name, NUMPY.get(name, name), TORCH.get(name, name)]
        each = [(getattr(space, named, None), arrays) for (space, _), named, arrays in zip(namespaces, names, own)]
        return [function and (lambda function=function, arrays=arrays: arguments(function, arrays)) for function, arrays in each]

    for name in UNARY:
        place = 2 if name == "acosh" else 0
        yield name, asked(name, lambda function, arrays, place=place: function(arrays[place]))
    for name in BINARY:
        yield name, asked(name, lambda function, arrays: function(arrays[0], arrays[1]))
    for name in FOLDS:
        for axis in (0, 1, None):
            if axis is not None:
                yield f"{name}, axis {axis}", asked(name, lambda function, arrays, axis=axis: function(arrays[0], axis))
            elif name != "cumulative_sum":
                yield name, asked(name, lambda function, arrays: function(arrays[0]))
    for name in ("sort", "argsort"):
        yield name, asked(name, lambda function, arrays: function(arrays[0]))
    yield "product with the transposed", asked("matmul", lambda function, arrays: function(arrays[0], arrays[1].T))


def microseconds(call):
    """The median time of a call; not a number if it cannot be made."""
    try:
        with np.errstate(all="ignore"):
            call()
            start = time.perf_counter()
            call()
            count = max(1, int(2e-4 / (time.perf_counter() - start)))
            times = []
            for _ in range(9):
                start = time.perf_counter()
                for _ in range(count):
                    call()
                times.append((time.perf_counter() - start) / count)
    except Exception:  # noqa: BLE001 - whatever a library does not do is its own
        return math.nan
    return statistics.median(times) * 1e6


def compare(only):
    """Prints a line for each function that NumPy or torch has, those first that are slowest beside them."""
    import ndcast

    ndcast.set_threads(1)
    namespaces = [(ndcast, lambda array: ndcast.asarray(array, copy=True)), (np, np.array)]
    try:
        import torch

        torch.set_num_threads(1)
        namespaces.append((torch, lambda array: torch.from_numpy(np.array(array))))
    except ImportError:
        print("torch: absent")
    lines = []
    for dtype in DTYPES:
        for name, each in calls(dtype, namespaces):
            if each[0] is None or only and only not in f"{dtype} {name}":
                continue
            ours = microseconds(lambda each=each: ndcast.eval(each[0]()))
            others = [microseconds(call) if call else math.nan for call in each[1:]]
            known = [took for took in others if not math.isnan(took)]
            if known and not math.isnan(ours):
                lines.append((min(known) / ours, dtype, name, ours, others))
    lines.sort(key=lambda line: line[0])
    print(f"{'function':44}" + "".join(f"{name:>12}" for name in ["ndcast", "numpy", "torch"][: len(namespaces)]) + f"{'ratio':>9}")
    for ratio, dtype, name, ours, others in lines:
        print(f"{dtype + ' ' + name:44}{ours:12.1f}" + "".join(f"{took:12.1f}" for took in others) + f"{ratio:8.2f}x")
    if lines:
        mean = math.exp(statistics.fmean(math.log(line[0]) for line in lines))
        print(f"\ngeometric mean over {len(lines)} functions: {mean:.2f}x the faster of the others, on one thread")
