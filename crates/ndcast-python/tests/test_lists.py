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


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float16", "float32", "float64", "complex64"])
def test_numbers_of_a_list_are_as_weak_as_one_alone(dtype):
    x = xp.zeros((2, 2), dtype=dtype)
    x[0] = [1, 2]
    x[:, 1] = (3, True)
    assert x.dtype == dtype and xp.all(x == xp.asarray([[1, 3], [0, 1]], dtype=dtype))
    if x.dtype.kind in "fc":
        x[1] = [0.5, 2]
        x[:1] = [[1.5, 2.5]]
        assert x.dtype == dtype and xp.all(x == xp.asarray([[1.5, 2.5], [0.5, 2]], dtype=dtype))
    else:
        with pytest.raises(xp.DTypeError, match="float64 does not fit"):
            x[0] = [1.5, 2]
    if x.dtype.kind == "c":
        x[0] = [1j, 2]
        assert x[0, 0] == 1j
    if dtype == "int8":
        with pytest.raises(OverflowError, match="300 is not between -128 and 127"):
            x[0] = [1, 300]
        with pytest.raises(OverflowError, match="300 is not between -128 and 127"):
            x[0] = [np.int64(1), 300]
        assert xp.all(x == xp.asarray([[1, 3], [0, 1]], dtype=dtype)), "it stays as it was"


def test_numbers_that_no_type_holds():
    for numbers in ([2**64], [2**64, 1], [[1], [-(2**63) - 1]]):
        with pytest.raises(xp.RangeError, match="is not between"):
            xp.asarray(numbers)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_integer_becomes_none(number):
    for make in (
        lambda: xp.asarray([number], dtype=xp.int32),
        lambda: xp.asarray([1, [number][0]], dtype=xp.int32),
        lambda: xp.asarray(number, dtype=xp.int32),
        lambda: xp.full(2, number, dtype=xp.int32),
        lambda: xp.full_like(xp.asarray([1, 2]), number),
    ):
        with pytest.raises((ValueError, OverflowError), match="(?i)integer"):
            make()
    for make in (lambda: xp.asarray(300.0, dtype=xp.int8), lambda: xp.full(2, 300.0, dtype=xp.int8)):
        with pytest.raises(OverflowError, match="300 is not between -128 and 127"):
            make()
    assert xp.full(1, -2.7, dtype=xp.int8)[0] == -2 == xp.asarray(-2.7, dtype=xp.int8)


def test_lists_of_arrays_of_types_that_numpy_has_not():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    one = xp.asarray(1, dtype=xp.bfloat16)
    assert xp.asarray([one]).dtype == xp.bfloat16
    x = xp.asarray([[one, 2], (3, one)], dtype=xp.bfloat16)
    assert x.dtype == xp.bfloat16 and x.astype(xp.float32).tolist() == [[1, 2], [3, 1]]
    y = xp.asarray([xp.ones(2, dtype=xp.bfloat16), [1, 2]], dtype=xp.float32)
    assert y.tolist() == [[1, 1], [1, 2]]
    x[0] = [one, 5]
    assert x.astype(xp.float32).tolist() == [[1, 5], [3, 1]]
    assert np.asarray(x).dtype == ml_dtypes.bfloat16


def test_arrays_without_axes_are_numbers():
    one, three = xp.asarray(1), xp.asarray(3)
    assert xp.arange(three).tolist() == [0, 1, 2] and xp.arange(one, 4.0, three - 1).tolist() == [1.0, 3.0]
    assert xp.linspace(xp.asarray(0.5), three, 2).tolist() == [0.5, 3.0]
    assert xp.pad(xp.ones(1), 1, constant_values=three).tolist() == [3, 1, 3]
    for wrong in (xp.ones(2), xp.ones((1,))):
        with pytest.raises(TypeError, match="a number is expected here, not an Array"):
            xp.arange(wrong)
