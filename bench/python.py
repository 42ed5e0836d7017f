"""ndcast from Python beside NumPy, and numexpr, torch and jax where they are installed: medians of one run.

    python bench/python.py            all of it
    python bench/python.py --quick    fewer repetitions

Ratios of one run count; times of two runs do not. What is not installed is listed as absent. Every result is compared with
NumPy's before it is timed.
"""

import argparse
import importlib
import statistics
import time

import numpy as np

import ndcast as xp


def absent(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


numexpr, torch, jax = absent("numexpr"), absent("torch"), absent("jax")


def workloads(rng):
    """Name, arrays, and the function for namespaces of NumPy's kind; the text for numexpr."""
    small = [rng.random((3, 4)), rng.random(4)]
    image = [rng.random((100_000, 3), dtype=np.float32), rng.random(3, dtype=np.float32)]
    points = [rng.random((2000, 1)), rng.random((1, 2000))]
    rows = [rng.random((4000, 1000), dtype=np.float32)]
    planes = [rng.random((64, 256, 256), dtype=np.float32), rng.random((64, 1, 1), dtype=np.float32)]
    yield "small add (3,4)+(4,)", small, lambda xp, a, b: a + b, "a + b"
    yield "small function add((3,4), (4,))", small, lambda xp, a, b: xp.add(a, b), None
    yield "(100000,3) + (3,)", image, lambda xp, a, b: a + b, "a + b"
    yield "(64,256,256) * (64,1,1) + 1", planes, lambda xp, a, b: a * b + 1, "a * b + 1"
    yield "sum of sqrt((x - y)^2 + 1), (2000,1) (1,2000)", points, lambda xp, a, b: xp.sum(xp.sqrt((a - b) ** 2 + 1)), "sum(sqrt((a - b)**2 + 1))"
    yield "softmax of rows (4000,1000)", rows, softmax, None
    yield "normal rows (4000,1000)", rows, normal, None


def softmax(xp, x):
    e = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return e / xp.sum(e, axis=1, keepdims=True)


def normal(xp, x):
    return (x - xp.mean(x, axis=1, keepdims=True)) / xp.std(x, axis=1, keepdims=True)


def once(function, repetitions):
    """The median time of a call, in microseconds."""
    start = time.perf_counter()
    function()
    single = time.perf_counter() - start
    inner = max(1, int(0.002 / max(single, 1e-8)))
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        for _ in range(inner):
            function()
        times.append((time.perf_counter() - start) / inner)
    return statistics.median(times) * 1e6


def ours(arrays, function, lazy):
    arrays = [xp.asarray(a, copy=True) for a in arrays]
    if lazy:
        return lambda: function(xp, *arrays)

    def run():
        result = function(xp, *arrays)
        xp.eval(result)
        return result

    return run


def peers(arrays, function, text):
    yield "numpy", lambda: function(np, *arrays)
    if numexpr and text:
        named = dict(zip("ab", arrays))
        yield "numexpr", lambda: numexpr.evaluate(text, local_dict=named)
    if torch:
        theirs = [torch.from_numpy(a) for a in arrays]
        if function not in (softmax, normal):
            yield "torch", lambda: function(torch, *theirs)
    if jax:
        jax.config.update("jax_enable_x64", True)
        theirs = [jax.numpy.asarray(a) for a in arrays]
        compiled = jax.jit(lambda *arrays: function(jax.numpy, *arrays))
        yield "jax", lambda: compiled(*theirs).block_until_ready()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    repetitions = 7 if parser.parse_args().quick else 31
    for name, module in (("numexpr", numexpr), ("torch", torch), ("jax", jax)):
        if module is None:
            print(f"{name}: absent")
    print(f"numpy {np.__version__}; microseconds, medians of {repetitions}\n")
    for name, arrays, function, text in workloads(np.random.default_rng(0)):
        mine = ours(arrays, function, lazy=False)
        exact = np.asarray(function(np, *arrays))
        np.testing.assert_allclose(np.asarray(mine()), exact, rtol=2e-4, atol=1e-5)
        times = {"ndcast": once(mine, repetitions)}
        if arrays[0].size < 100:
            times["ndcast, not looked at"] = once(ours(arrays, function, lazy=True), repetitions)
        times |= {peer: once(run, repetitions) for peer, run in peers(arrays, function, text)}
        print(name)
        for peer, took in times.items():
            note = "" if peer == "ndcast" else f"{took / times['ndcast']:8.2f} x"
            print(f"  {peer:24}{took:12.2f}{note}")


if __name__ == "__main__":
    main()
