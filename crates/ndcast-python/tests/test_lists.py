"""Lists and tuples of numbers become what NumPy makes of them, whether they are read here or by NumPy."""

import ndcast as xp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

LISTS = [
    [1.5, -0.0, float("nan"), float("inf")],
    [1, -2, 2**63 - 1, -(2**63)],
    [True, False],
    (1, 2, 3),
    [(1, 2), (3, 4)],
    ([1.0], [2.0]),
    [[[1], [2]], [[3], [4]]],
    # Of several kinds.
    [1, 2.5],
    [2.5, 1],
    [True, 2],
    [True, 2.5],
    [1, 2 + 3j],
    # Beyond 64 bits with a sign.
    [2**63, 2**64 - 1],
    # Without numbers.
    [],
    [[], []],
    [[[]]],
    # Of numbers that are not Python's own.
    [np.float32(1.5), np.float32(2.5)],
    [np.int8(3), 4],
    [np.ones(2), np.zeros(2)],
    [1.5, np.float64(2.5)],
]


@pytest.mark.parametrize("numbers", LISTS, ids=repr)
@pytest.mark.parametrize("dtype", [None, "float32", "float64", "complex128"])
def test_as_numpy_reads_them(numbers, dtype):
    if dtype != "complex128" and any(isinstance(n, complex) for n in numbers) and dtype is not None:
        with pytest.raises(TypeError, match="complex number is no real one"):
            xp.asarray(numbers, dtype=dtype)
        return
    expected = np.asarray(numbers, dtype=dtype)
    made = xp.asarray(numbers, dtype=dtype)
    assert made.dtype == expected.dtype and made.shape == expected.shape
    np.testing.assert_array_equal(np.asarray(made), expected)


@given(st.recursive(st.integers(-(2**63), 2**63 - 1) | st.floats() | st.booleans(), st.lists, max_leaves=12))
def test_any_lists(numbers):
    try:
        expected = np.asarray(numbers)
    except (ValueError, OverflowError):
        with pytest.raises((ValueError, OverflowError)):
            xp.asarray(numbers)
        return
    made = xp.asarray(numbers)
    assert made.dtype == expected.dtype and made.shape == expected.shape
    np.testing.assert_array_equal(np.asarray(made), expected)


@pytest.mark.parametrize("numbers", [[1, 300], [[300], [1]], [-129]])
def test_an_integer_that_the_type_does_not_hold(numbers):
    with pytest.raises((ValueError, OverflowError), match="int8"):
        xp.asarray(numbers, dtype=xp.int8)


def test_integers_of_a_type():
    made = xp.asarray([[1, 2], [3, 127]], dtype=xp.int8)
    assert made.dtype == xp.int8 and made.tolist() == [[1, 2], [3, 127]]
    assert xp.asarray([0.5, 2.5], dtype=xp.int32).tolist() == [0, 2]


@pytest.mark.parametrize("numbers, dtype", [
    ([2**63 + 5, 1], "uint64"), ([2**53 + 1, 0.5], "int64"), ([np.uint64(2**53 + 1), np.int64(3)], "int64"), ([2**64], "float64"),
    ([2**63 + 5], None),
])
def test_numbers_of_no_common_type_become_the_one_that_is_asked_for(numbers, dtype):
    made, expected = xp.asarray(numbers, dtype=dtype), np.asarray(numbers, dtype=dtype)
    assert made.dtype == expected.dtype and made.tolist() == expected.tolist()


def test_numbers_that_become_none_of_a_type():
    for numbers, dtype in (([300, 0.5], "uint8"), ([float("nan")], "int8"), ([2**64], "int64"), ([300.5], "uint8"), ([-float("inf")], "int64")):
        with pytest.raises((ValueError, OverflowError)):
            xp.asarray(numbers, dtype=dtype)
    assert xp.asarray(2**63 + 5).dtype == xp.uint64 and int(xp.asarray(2**63 + 5)) == 2**63 + 5


@pytest.mark.parametrize("numbers", [[[1, 2], [3]], [[1], 2], [1, [2]], [1.0, "a"], [None], [1, None]])
def test_what_is_no_array_of_numbers(numbers):
    with pytest.raises((ValueError, TypeError)):
        xp.asarray(numbers)


def test_a_list_in_itself():
    numbers = [1]
    numbers[0] = numbers
    with pytest.raises((ValueError, TypeError)):
        xp.asarray(numbers)


def test_a_list_is_never_shared():
    with pytest.raises(ValueError, match="copy=False"):
        xp.asarray([1.0, 2.0], copy=False)
    numbers = [1.0, 2.0]
    made = xp.asarray(numbers)
    numbers[0] = 9.0
    assert made.tolist() == [1.0, 2.0]
