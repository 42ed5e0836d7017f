"""Dask holds NumPy's chunks, and functions of ours compute them, in threads and in processes."""

import numpy as np
import pytest

import ndcast as xp

da = pytest.importorskip("dask.array")

NUMBERS = np.random.default_rng(0).random((400, 300))
ROW = NUMBERS[0]


def scaled(block, row):
    """One fused pass of ours over a chunk."""
    x = xp.asarray(block)
    assert isinstance(x, xp.Array)
    return np.asarray(xp.exp(-((x - row) ** 2)) * 2 + 1)


@pytest.mark.parametrize("scheduler", ["synchronous", "threads", "processes"])
def test_map_blocks(scheduler):
    x = da.from_array(NUMBERS, chunks=(100, 300))
    found = x.map_blocks(scaled, ROW, dtype=np.float64).sum(axis=0).compute(scheduler=scheduler)
    np.testing.assert_allclose(found, (np.exp(-((NUMBERS - ROW) ** 2)) * 2 + 1).sum(axis=0))


def test_chunks_of_ours():
    """A chunk that is an array of ours stays one."""
    x = da.from_array(NUMBERS, chunks=(100, 300)).map_blocks(xp.asarray, dtype=np.float64, meta=np.empty((0, 0)))
    y = x.map_blocks(lambda block: xp.sqrt(block) + block, dtype=np.float64, meta=np.empty((0, 0)))
    chunks = y.to_delayed().ravel()
    assert isinstance(chunks[0].compute(), xp.Array)
    np.testing.assert_allclose(y.compute(), np.sqrt(NUMBERS) + NUMBERS)


def test_xarray_over_dask():
    xarray = pytest.importorskip("xarray")
    a = xarray.DataArray(NUMBERS, dims=("a", "b")).chunk({"a": 100})
    row = xarray.DataArray(ROW, dims="b")
    found = xarray.apply_ufunc(scaled, a, row, dask="parallelized", output_dtypes=[np.float64]).mean("a")
    np.testing.assert_allclose(found.values, (np.exp(-((NUMBERS - ROW) ** 2)) * 2 + 1).mean(axis=0))
