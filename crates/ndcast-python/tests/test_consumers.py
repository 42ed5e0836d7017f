"""Libraries that take any Array API namespace, where they are installed: what goes in as an array comes out as one."""

import os

import numpy as np
import pytest

os.environ.setdefault("SCIPY_ARRAY_API", "1")
import ndcast as xp  # noqa: E402

NUMBERS = np.random.default_rng(0).random((20, 3))


@pytest.mark.parametrize("name", ["special.expit", "special.logsumexp", "stats.zscore", "stats.skew", "cluster.vq.whiten", "fft.fft"])
def test_scipy(name):
    pytest.importorskip("scipy")
    module, function = name.rsplit(".", 1)
    function = getattr(pytest.importorskip(f"scipy.{module}"), function)
    ours, theirs = function(xp.asarray(NUMBERS, copy=True)), function(NUMBERS)
    assert isinstance(ours, xp.Array)
    np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-9)


@pytest.mark.parametrize(
    "compute",
    [
        lambda a, row: a + row,
        lambda a, row: 1 + a,
        lambda a, row: a.mean("a"),
        lambda a, row: a.std("b"),
        lambda a, row: a.max(),
        lambda a, row: a.isel(a=[1, 2]),
        lambda a, row: a.where(a > 0.5).fillna(0),
        lambda a, row: a.transpose("b", "a"),
        lambda a, row: a.astype("float32"),
        lambda a, row: a.dot(row, dim="b"),
        lambda a, row: a.shift(a=1),
        lambda a, row: a.pad(a=1, constant_values=0.0),
        lambda a, row: np.sin(a),
    ],
)
def test_xarray(compute):
    xarray = pytest.importorskip("xarray")

    def of(numbers, row):
        return compute(xarray.DataArray(numbers, dims=("a", "b")), xarray.DataArray(row, dims=("b",)))

    ours = of(xp.asarray(NUMBERS, copy=True), xp.asarray(NUMBERS[0], copy=True))
    assert isinstance(ours.data, xp.Array)
    np.testing.assert_allclose(ours.values, of(NUMBERS, NUMBERS[0]).values, rtol=1e-6)


def test_array_api_compat():
    compat = pytest.importorskip("array_api_compat")
    x = xp.asarray([1.0, 2.0])
    assert compat.array_namespace(x, x) is xp and compat.is_array_api_obj(x) and compat.device(x) == "cpu"
    assert compat.size(x) == 2 and compat.to_device(x, "cpu") is x
