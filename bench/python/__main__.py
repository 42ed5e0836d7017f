"""ndcast from Python beside NumPy, numexpr, torch, jax and OpenVINO: medians of one run.

    python3 bench/python                        the module built from this tree for release
    python3 bench/python --wheel FILE           the module of a wheel
    python3 bench/python --only softmax --quick
    python3 bench/python --functions            function after function, on one thread
    python3 bench/python --calls                call after call, of a few elements and of many, on one thread

The peers are installed into an environment of this script's own, `target/bench-venv`; one that cannot be is listed as absent. Each
gets its arrays as it likes them best and computes the same expression, compiled where it compiles (jax.jit, OpenVINO), and every
result is compared with NumPy's before it is timed. All use as many threads as they want. Ratios of one run count; times of two
runs do not.
"""

import argparse
import importlib.util
import math
import os
import statistics
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PACKAGES = {"numpy": "numpy", "ml_dtypes": "ml_dtypes", "array_api_compat": "array-api-compat", "numexpr": "numexpr", "jax": "jax", "openvino": "openvino", "torch": "torch"}


# How often each peer has its turn at a workload.
TURNS = 5
# The seconds of a pause before all turns, of one between two turns, of the calls that do not count, and of a sample, which is one
# call at least.
SETTLE, PAUSE, WARM, SAMPLE = 0.5, 0.05, 0.03, 0.004


def environment(wheel):
    """The interpreter of the script's own environment, with what could be installed."""
    folder = TARGET / "bench-venv"
    python = str(folder / "bin/python")
    if not Path(python).exists():
        venv.create(folder, with_pip=True)
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for module, package in PACKAGES.items():
        found = subprocess.run([python, "-c", f"import importlib.util as u; exit(u.find_spec('{module}') is None)"], check=False)
        if found.returncode != 0:
            subprocess.run([*install, package], check=False, stderr=subprocess.DEVNULL)
    subprocess.run([*install, "--force-reinstall", "--no-deps", wheel or str(ROOT)], check=True)
    return python


def seconds(function, calls):
    """How long a call takes."""
    start = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - start) / calls


def medians(runs, repetitions):
    """The median time of a call of each, in microseconds.

    They take turns, so that what else the machine does hits all, with pauses in which the threads of the one before go to sleep. A turn
    begins with calls that do not count: whoever ran before had the caches, and a processor that slept is slow at first.
    """
    times = {name: [] for name in runs}
    # What compiles goes on with something of its own when it has answered.
    time.sleep(SETTLE)
    for _ in range(TURNS):
        for name, run in runs.items():
            time.sleep(PAUSE)
            start, calls = time.perf_counter(), 0
            while calls < 2 or time.perf_counter() - start < WARM:
                run()
                calls += 1
            calls = max(1, int(calls * SAMPLE / (time.perf_counter() - start)))
            times[name] += [seconds(run, calls) for _ in range(repetitions)]
    return {name: statistics.median(each) * 1e6 for name, each in times.items()}


def measure(workload, peers, repetitions):
    """The time of each peer that can do it; what it said that cannot."""
    import numpy as np

    exact = workload.function(peers["numpy"].namespace, *[np.array(a) for a in workload.arrays])
    runs, failures = {}, {}
    for name, peer in peers.items():
        try:
            run = peer.prepared(workload)
            if run is None:
                continue
            found = np.asarray(peer.looked_at(run()))
            np.testing.assert_allclose(found.astype(exact.dtype), exact, rtol=workload.near, atol=workload.near)
            runs[name] = run
        except Exception as failure:  # noqa: BLE001 - whatever a peer does not do is its own
            failures[name] = f"{type(failure).__name__}: {str(failure).strip().splitlines()[0][:90] if str(failure).strip() else ''}"
    return medians(runs, repetitions), failures


def compare(arguments):
    from peers import present
    from workloads import WORKLOADS

    peers = present()
    names = list(peers)
    for name in ("numexpr", "torch", "jax", "openvino"):
        if name not in peers:
            print(f"{name}: absent")
    repetitions = 2 if arguments.quick else 7
    print(f"{os.cpu_count()} processors; microseconds, medians of {TURNS * repetitions}; the ratio is to the fastest peer\n")
    print(f"{'workload':46}" + "".join(f"{name:>12}" for name in names) + f"{'ratio':>9}")
    ratios, slower = {}, []
    for make in WORKLOADS:
        workload = make()
        if arguments.only and arguments.only not in workload.name:
            continue
        times, failures = measure(workload, peers, repetitions)
        others = {name: took for name, took in times.items() if name != "ndcast"}
        ratio = min(others.values()) / times["ndcast"] if "ndcast" in times and others else math.nan
        line = "".join(f"{times[name]:12.1f}" if name in times else f"{'-':>12}" for name in names)
        print(f"{workload.name:46}{line}{ratio:8.2f}x", flush=True)
        for name, failure in failures.items():
            print(f"    {name}: {failure}")
        ratios[workload.name] = ratio
        if ratio < 1:
            best = min(others, key=others.get)
            slower.append(f"{workload.name}: {best} takes {ratio:.2f} of the time")
    good = [ratio for ratio in ratios.values() if ratio == ratio]
    if not good:
        print(f"no workload has {arguments.only!r} in its name" if arguments.only and not ratios else "nothing could be compared")
        return
    print(f"\ngeometric mean over {len(good)} workloads: {math.exp(statistics.fmean(map(math.log, good))):.2f}x the fastest peer")
    print("slower than the fastest peer: " + ("\n    ".join(["", *slower]) if slower else "nothing"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--only", help="workloads whose name has this in it")
    parser.add_argument("--functions", action="store_true", help="function after function, on one thread, beside NumPy and torch")
    parser.add_argument("--calls", action="store_true", help="call after call of few and of many elements, on one thread, beside NumPy")
    parser.add_argument("--wheel", help="a wheel of ndcast, instead of building one")
    parser.add_argument("--here", action="store_true", help="in this environment, without installing anything")
    arguments = parser.parse_args()
    if arguments.here or importlib.util.find_spec("ndcast") and Path(sys.prefix).resolve() == (TARGET / "bench-venv").resolve():
        if arguments.functions:
            import functions

            functions.compare(arguments.only)
        elif arguments.calls:
            import calls

            calls.compare(arguments.only)
        else:
            compare(arguments)
        return 0
    python = environment(arguments.wheel)
    return subprocess.run([python, __file__, "--here", *sys.argv[1:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
