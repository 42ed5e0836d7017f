"""Cubed computes chunks with ndcast, in threads and in processes, with less memory than the data take."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ndcast as xp

cubed = pytest.importorskip("cubed")
zarr = pytest.importorskip("zarr")

import cubed.array_api as cxp
from cubed.backend_array_api import namespace
from cubed.runtime.create import create_executor
from cubed.runtime.types import Callback

EXECUTORS = ["single-threaded", "threads", "processes"]
ALLOWED = 20_000_000
PAGE = Path(__file__).parents[4] / "docs/cubed.md"


class Peaks(Callback):
    """How much memory tasks took, as the system says."""

    def __init__(self):
        self.grown = []

    def on_task_end(self, event):
        # In threads it is not measured.
        if event.peak_measured_mem_start is not None:
            self.grown.append(event.peak_measured_mem_end - event.peak_measured_mem_start)


def test_the_backend_is_ours():
    assert namespace is xp


@pytest.mark.parametrize("executor", EXECUTORS)
def test_broadcast_and_reduce_of_more_than_the_memory_allowed(tmp_path, executor):
    random = np.random.default_rng(0)
    x = random.random((4000, 2000), dtype=np.float32)
    weights = random.random(2000, dtype=np.float32)
    assert x.nbytes > 1.5 * ALLOWED
    stored = zarr.create_array(tmp_path / "x.zarr", shape=x.shape, chunks=(500, 500), dtype=x.dtype)
    stored[:] = x
    spec = cubed.Spec(work_dir=str(tmp_path / "work"), allowed_mem=ALLOWED)
    lazy = cubed.from_zarr(str(tmp_path / "x.zarr"), spec=spec)
    row = cubed.from_array(weights, chunks=(500,), spec=spec)
    distance = (lazy - cxp.mean(lazy, axis=0)) * row
    peaks = Peaks()
    found = cxp.sum(distance * distance, axis=1).compute(executor=create_executor(executor), callbacks=[peaks])
    wanted = (((x - x.mean(axis=0, dtype=np.float64)) * weights) ** 2).sum(axis=1)
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-4)
    if executor == "processes":
        assert peaks.grown and max(peaks.grown) < ALLOWED + 100_000_000


OPERATIONS = {
    "argmax": lambda a, b: cxp.argmax(a, axis=0),
    "astype": lambda a, b: cxp.astype(a, cxp.float32),
    "broadcast_to": lambda a, b: cxp.broadcast_to(a, (3, 6, 4)),
    "clip": lambda a, b: cxp.clip(a, 0.2, 0.7),
    "concat": lambda a, b: cxp.concat([a, b]),
    "cumulative_sum": lambda a, b: cxp.cumulative_sum(a, axis=0),
    "expand_dims": lambda a, b: cxp.expand_dims(a, axis=1) * b,
    "index": lambda a, b: a[1:5, 2],
    "flip": lambda a, b: cxp.flip(a, axis=0),
    "matmul": lambda a, b: cxp.matmul(a, cxp.permute_dims(b, (1, 0))),
    "max": lambda a, b: cxp.max(a - b, axis=1),
    "mean": lambda a, b: cxp.mean(a, axis=(0, 1)),
    "nansum": lambda a, b: cubed.nansum(a, axis=0),
    "nanmean": lambda a, b: cubed.nanmean(a, axis=0),
    "outer": lambda a, b: cxp.linalg.outer(a[0, :], b[1, :]),
    "pad": lambda a, b: cubed.pad(a, ((1, 0), (0, 0)), mode="symmetric"),
    "repeat": lambda a, b: cxp.repeat(a, 2, axis=0),
    "reshape": lambda a, b: cxp.reshape(a, (24,)),
    "stack": lambda a, b: cxp.stack([a, b]),
    "sum of integers": lambda a, b: cxp.sum(cxp.astype(a * 10, cxp.int32), axis=0),
    "take": lambda a, b: cxp.take(a, cxp.asarray([2, 0]), axis=0),
    "tensordot": lambda a, b: cxp.tensordot(a, b, axes=([0, 1], [0, 1])),
    "tril": lambda a, b: cxp.tril(a),
    "var": lambda a, b: cxp.var(a, axis=0),
    "where": lambda a, b: cxp.where(a > 0.5, a, b),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_operations_are_numpys(name, tmp_path):
    """Each in Cubed with ours, and as NumPy computes it at once."""
    spec = cubed.Spec(work_dir=str(tmp_path), allowed_mem="100MB")
    a, b = np.random.default_rng(1).random((2, 6, 4))
    lazy = OPERATIONS[name](*(cubed.from_array(x, chunks=(2, 3), spec=spec) for x in (a, b)))
    whole = OPERATIONS[name](*(cubed.from_array(x, chunks=(6, 4), spec=spec) for x in (a, b)))
    found = np.asarray(lazy.compute(executor=create_executor("single-threaded")))
    assert found.dtype == np.dtype(lazy.dtype) and found.shape == lazy.shape
    np.testing.assert_allclose(found, np.asarray(whole.compute(executor=create_executor("single-threaded"))))
    direct = getattr(np, name, None)
    if name in ("argmax", "flip", "nansum", "nanmean", "var"):
        np.testing.assert_allclose(found, direct(a, axis=0))


@pytest.mark.skipif(not PAGE.exists(), reason="the page is beside the sources")
@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_the_pages_program(tmp_path, executor):
    text = PAGE.read_text()
    program = re.search(r"```python\n(.*?)```", text, re.DOTALL).group(1)
    shown = re.search(r"```text\n(.*?)```", text, re.DOTALL).group(1)
    (tmp_path / "far.py").write_text(program)
    run = subprocess.run([sys.executable, "far.py", executor], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout == shown
