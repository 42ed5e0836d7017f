"""array-api-compat finds the namespace of an array."""

import pytest

import ndcast as xp

compat = pytest.importorskip("array_api_compat")


def test_the_namespace_is_found():
    x = xp.asarray([1.0, 2.0])
    assert compat.array_namespace(x, x) is xp and compat.is_array_api_obj(x) and compat.device(x) == "cpu"
    assert compat.size(x) == 2 and compat.to_device(x, "cpu") is x
