"""xarray wraps arrays of ours, and they stay what they are."""

import numpy as np
import pytest

import ndcast as xp

xarray = pytest.importorskip("xarray")

NUMBERS = np.random.default_rng(0).random((20, 3))

COMPUTATIONS = {
    "a row": lambda a, row: a + row,
    "a number": lambda a, row: 1 + a,
    "mean": lambda a, row: a.mean("a"),
    "std": lambda a, row: a.std("b"),
    "max": lambda a, row: a.max(),
    "isel": lambda a, row: a.isel(a=[1, 2]),
    "slice": lambda a, row: a.isel(a=slice(1, 9, 2), b=0),
    "where": lambda a, row: a.where(a > 0.5).fillna(0),
    "transpose": lambda a, row: a.transpose("b", "a"),
    "astype": lambda a, row: a.astype("float32"),
    "dot": lambda a, row: a.dot(row, dim="b"),
    "shift": lambda a, row: a.shift(a=1),
    "pad": lambda a, row: a.pad(a=1, constant_values=0.0),
    "a function of NumPy": lambda a, row: np.sin(a),
    "stack": lambda a, row: a.stack(z=("a", "b")),
    "concat": lambda a, row: xarray.concat([a, a * 2], dim="a"),
    "broadcast": lambda a, row: xarray.broadcast(row, a)[0],
    "weighted": lambda a, row: (a * (a > 0.5)).sum("b"),
    "expand_dims": lambda a, row: a.expand_dims("c").squeeze("c"),
    "apply_ufunc": lambda a, row: xarray.apply_ufunc(lambda x, y: x * y, a, row),
    "clip": lambda a, row: a.clip(0.2, 0.7),
    "diff": lambda a, row: a.diff("a"),
    "argmax": lambda a, row: a.argmax("a", skipna=False),
    "dataset": lambda a, row: xarray.Dataset({"numbers": a, "row": row}).mean("b")["numbers"],
}


@pytest.mark.parametrize("name", COMPUTATIONS)
def test_arrays_stay_ours(name):
    def of(numbers, row):
        return COMPUTATIONS[name](xarray.DataArray(numbers, dims=("a", "b")), xarray.DataArray(row, dims=("b",)))

    ours = of(xp.asarray(NUMBERS, copy=True), xp.asarray(NUMBERS[0], copy=True))
    theirs = of(NUMBERS, NUMBERS[0])
    assert isinstance(ours.data, xp.Array) and ours.dims == theirs.dims
    np.testing.assert_allclose(ours.values, theirs.values, rtol=1e-6)


def test_names_of_axes_are_aligned():
    a = xarray.DataArray(xp.asarray([[1.0, 2.0], [3.0, 4.0]]), dims=("x", "y"), coords={"x": [10, 20]})
    b = xarray.DataArray(xp.asarray([5.0, 7.0]), dims=("x",), coords={"x": [20, 30]})
    total = a + b
    assert total.dims == ("x", "y") and isinstance(total.data, xp.Array)
    np.testing.assert_array_equal(total.values, [[8, 9]])
