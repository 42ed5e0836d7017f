"""Operators with arrays, numbers and NumPy on either side; NumPy's functions; numbers of Python from arrays."""

import operator

import numpy as np
import pytest

import ndcast as xp

BINARY = [
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
]  # fmt: skip
BITS = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]
IN_PLACE = [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.ipow]


def same(ours, theirs):
    assert type(ours) is xp.Array
    theirs = np.asarray(theirs)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-6)


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("size", [3, 3000])
def test_both_orders_with_numpy_arrays_and_scalars(op, size):
    a = np.linspace(0.5, 4, size, dtype=np.float32)
    b = np.linspace(2, 1, size, dtype=np.float32)
    ours = xp.asarray(a, copy=True)
    same(op(ours, b), op(a, b))
    same(op(b, ours), op(b, a))
    same(op(ours, np.float32(2)), op(a, np.float32(2)))
    same(op(np.float32(2), ours), op(np.float32(2), a))
    same(op(ours, np.float64(2)), op(a, np.float64(2)))
    same(op(np.float64(2), ours), op(np.float64(2), a))
    same(op(ours, 2), op(a, 2))
    same(op(2, ours), op(2, a))
    same(op(ours, 2.5), op(a, 2.5))
    same(op(2.5, ours), op(2.5, a))


@pytest.mark.parametrize("op", BITS)
def test_bits(op):
    a, b = np.array([1, 2, 3], dtype=np.int16), np.array([3, 2, 1], dtype=np.int16)
    same(op(xp.asarray(a), xp.asarray(b)), op(a, b))
    same(op(xp.asarray(a), b), op(a, b))
    same(op(a, xp.asarray(b)), op(a, b))
    same(op(2, xp.asarray(b)), op(2, b))


@pytest.mark.parametrize("op", IN_PLACE)
def test_in_place(op):
    a, b = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([2.0, 1, 3])
    ours, other = xp.asarray(a, copy=True), xp.asarray(b)
    before = ours
    after = op(ours, other)
    assert after is before
    same(after, op(a.copy(), b))
    theirs = a.copy()
    result = op(theirs, other)
    assert result is theirs
    np.testing.assert_allclose(theirs, op(a.copy(), b))


def test_quotients_with_what_they_leave():
    a = np.asarray([7, -7, 8])
    for ours, theirs in ((divmod(xp.asarray(a), 3), divmod(a, 3)), (divmod(22, xp.asarray(a)), divmod(22, a))):
        assert all(np.array_equal(x, y) for x, y in zip(ours, theirs, strict=True))
    with pytest.raises(TypeError):
        divmod(xp.asarray(a), "3")


def test_in_place_keeps_the_shape_and_the_type_or_nothing_changes():
    x = xp.asarray([[1, 2, 3]])
    for wrong in (
        lambda: operator.iadd(x, xp.ones((2, 3), dtype=xp.int64)),
        lambda: operator.iadd(x, xp.ones((1, 1, 3), dtype=xp.int64)),
        lambda: operator.iadd(x, 1.5),
        lambda: operator.itruediv(x, 2),
        lambda: operator.iadd(x, "text"),
        lambda: operator.imatmul(x, xp.ones((3, 2), dtype=xp.int64)),
        lambda: operator.iadd(x, xp.asarray([1.0])),
    ):
        with pytest.raises((ValueError, TypeError)):
            wrong()
        assert x.tolist() == [[1, 2, 3]] and x.dtype == xp.int64
    small = xp.asarray([1], dtype=xp.int8)
    small += xp.asarray([1], dtype=xp.int8)
    with pytest.raises(TypeError):
        small += xp.asarray([1], dtype=xp.int16)
    assert small.tolist() == [2]


def test_in_place_product_of_matrices():
    x = xp.asarray([[1.0, 2], [3, 4]])
    y = x
    x @= xp.asarray([[0.0, 1], [1, 0]])
    assert y is x and x.tolist() == [[2, 1], [4, 3]]
    assert (np.eye(2) @ x).tolist() == x.tolist() == (x @ np.eye(2)).tolist()
    with pytest.raises(TypeError):
        x @ 2


def test_in_place_product_of_mixed_kinds_is_one_of_the_left():
    for name in ("float32", "float64", "complex64", "int64"):
        ours, theirs = xp.asarray([[1, 2], [3, 4]], dtype=name), np.asarray([[1, 2], [3, 4]], name)
        y = ours
        for right in (np.asarray([[0, 2], [1, 0]]), np.asarray([[True, True], [False, True]])):
            ours @= xp.asarray(right)
            theirs @= right
            assert y is ours
            same(ours, theirs)
    x = xp.asarray([[1, 2], [3, 4]])
    with pytest.raises(TypeError):
        x @= xp.ones((2, 2))
    assert x.tolist() == [[1, 2], [3, 4]] and x.dtype == xp.int64


def test_the_right_side_is_read_first():
    x = xp.arange(5)
    x += xp.flip(x)
    assert x.tolist() == [4] * 5
    x = xp.arange(5)
    x[1:] = x[:-1]
    assert x.tolist() == [0, 0, 1, 2, 3]
    x = xp.arange(5)
    x[...] = x[::-1]
    assert x.tolist() == [4, 3, 2, 1, 0]
    x += x
    assert x.tolist() == [8, 6, 4, 2, 0]


def test_parts_are_changed_where_they_lie():
    x = xp.asarray(np.arange(1_000_000.0).reshape(1000, 1000), copy=True)
    expected = np.arange(1_000_000.0).reshape(1000, 1000)
    row = xp.asarray(np.arange(1000.0), copy=True)
    before = xp.memory_usage()["in_use"]
    for array, y in [(x, row), (expected, np.asarray(row))]:
        array[:, -1] += 1.5
        array[:, 0] = array[:, 1]
        array[1:, ...] -= array[:-1, ...]
        array[...] *= y
        array[1:-1, 2:] = array[:-2, 2:] + array[2:, :-2]
        for i in range(10):
            array[i + 1, ...] = array[i, ...] + y
    assert np.array_equal(np.asarray(x), expected)
    assert xp.memory_usage()["in_use"] <= before
    # A part that has a name is a value of its own.
    part = x[:, ::2]
    part += 1
    x[:, ::2] = part
    x[:, ::2] *= 2
    assert np.array_equal(np.asarray(part), expected[:, ::2] + 1)
    assert np.array_equal(np.asarray(x)[:, ::2], (expected[:, ::2] + 1) * 2)
    with pytest.raises(ValueError):
        x[0, ...] = x
    x[...] = x
    assert np.array_equal(np.asarray(x)[:, 1::2], expected[:, 1::2])


def test_arrays_are_values():
    x = xp.arange(4)
    view, same_value, lazy = x[1:], xp.asarray(x, copy=True), x + 0
    x[2] = 50
    x *= 2
    assert x.tolist() == [0, 2, 100, 6]
    assert view.tolist() == [1, 2, 3] and same_value.tolist() == [0, 1, 2, 3] and lazy.tolist() == [0, 1, 2, 3]
    wide = xp.broadcast_to(xp.asarray([1]), (3,))
    wide[0] = 5
    assert wide.tolist() == [5, 1, 1]
    y = x
    y += 1
    assert y is x


@pytest.mark.parametrize("function", [np.sin, np.exp, np.abs, np.negative, np.arcsin, np.isnan, np.square, np.conj])
def test_numpys_functions(function):
    a = np.array([0.5, -0.25])
    same(function(xp.asarray(a)), function(a))


def test_numpys_functions_with_out_and_methods():
    x, out = xp.asarray([1.0, 2.0]), np.zeros(2)
    assert np.add(x, 1, out=out) is out and out.tolist() == [2, 3]
    ours = xp.zeros(2)
    assert np.multiply(x, 3, out=ours) is ours and ours.tolist() == [3, 6]
    same(np.add.reduce(x), 3.0)
    same(np.add.outer(x, np.ones(2)), np.add.outer([1.0, 2.0], [1.0, 1.0]))
    quotient, rest = np.divmod(x, 2.0)
    same(quotient, [0.0, 1.0])
    same(rest, [1.0, 0.0])
    same(np.cbrt(x), np.cbrt([1.0, 2.0]))


def test_what_is_nothing_to_compute_with():
    x = xp.asarray([1.0])
    for other in (None, "a", object(), {}):
        with pytest.raises(TypeError):
            x + other
        with pytest.raises(TypeError):
            other - x
        assert (x == other) is False and (x != other) is True
    for other in ([1, 2], (1,), [x]):
        for call in (lambda: x == other, lambda: other != x, lambda: x * other, lambda: other * x, lambda: x.__iadd__(other)):
            with pytest.raises(TypeError, match="takes an array or a number, not a (list|tuple)"):
                call()
    with pytest.raises(TypeError):
        xp.add(1, 2)
    with pytest.raises(TypeError):
        xp.add(x)
    with pytest.raises(TypeError):
        xp.add(x, x, x)
    with pytest.raises(TypeError):
        xp.add(x, x2=x)


def test_numbers_are_weak():
    small = xp.asarray([1], dtype=xp.int8)
    assert (small + 1).dtype == xp.int8
    with pytest.raises(OverflowError):
        small + 1000
    with pytest.raises(OverflowError):
        small + 10**40
    assert (xp.ones(2, dtype=xp.float32) + 1j).dtype == xp.complex64
    assert (small + 1.5).dtype == xp.float64 and (small + True).dtype == xp.int8
    assert (xp.ones(1, dtype=xp.float32) + xp.ones((), dtype=xp.float64)).dtype == xp.float64


@pytest.mark.parametrize("compare", [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_comparisons_with_integers_that_the_type_does_not_hold(compare, dtype):
    info = np.iinfo(dtype)
    a = np.array([info.min, 0, 5, info.max], dtype)
    for number in (info.max, info.max + 1, info.min, info.min - 1, 2**100, -(2**100)):
        expected = [compare(int(element), number) for element in a]
        assert compare(xp.asarray(a), number).tolist() == expected
        assert compare(number, xp.asarray(a)).tolist() == [compare(number, int(element)) for element in a]


def test_numbers_of_python():
    assert float(xp.asarray(1.5)) == 1.5 and int(xp.asarray(2.7)) == 2 and complex(xp.asarray(1j)) == 1j
    assert bool(xp.asarray(3)) and not bool(xp.asarray(0.0))
    assert [10, 20, 30][xp.asarray(1)] == 20 and operator.index(xp.asarray(7, dtype=xp.uint8)) == 7
    assert xp.asarray([[5]]).item() == 5
    for wrong in (
        lambda: float(xp.asarray([1.0])),
        lambda: bool(xp.asarray([True])),
        lambda: operator.index(xp.asarray(1.0)),
        lambda: float(xp.asarray(1j)),
        lambda: int(xp.zeros(0)),
        lambda: len(xp.asarray(1)),
        lambda: iter(xp.asarray(1)),
    ):
        with pytest.raises(TypeError):
            wrong()
    assert f"{xp.asarray(1.5):.2f}" == "1.50"


def test_iteration_length_membership_hash():
    x = xp.asarray([[1, 2], [3, 4]])
    assert len(x) == 2 and [row.tolist() for row in x] == [[1, 2], [3, 4]]
    assert 3 in x and 7 not in x
    assert len({x, x, xp.asarray(x, copy=True)}) == 2
    a, b = x
    assert a.tolist() == [1, 2]


def test_elements_in_sets_and_dicts():
    x = xp.asarray([1, 1, 2])
    assert len(set(x)) == 2 and x[0] in {1, 2} and {0: "a", 1: "b"}[x[1]] == "b"
    assert hash(xp.asarray(2.5)) == hash(2.5) and hash(xp.asarray(True)) == hash(True)
    assert hash(xp.asarray(1 + 2j)) == hash(1 + 2j)
    # Not by what it is computed of, and not of something that is differentiated.
    y = xp.ones(3)
    assert hash(xp.sum(y)) == hash(3.0) and hash(y) == hash(y)


def test_iteration_is_step_by_step():
    x = xp.zeros((1_000_000, 2))
    x[0, 0] = 1
    before = xp.memory_usage()["in_use"]
    parts = iter(x)
    assert iter(parts) is parts and parts.__length_hint__() == 1_000_000
    first = next(parts)
    # What is written later is not seen by whoever began before.
    x[1, 0] = 5
    assert first.tolist() == [1, 0] and next(parts).tolist() == [0, 0] and float(x[1, 0]) == 5
    assert parts.__length_hint__() == 999_998
    del parts, first
    assert xp.memory_usage()["in_use"] <= before + (1 << 16)
    assert any(bool(row[0] == 5) for row in x)
    assert list(xp.zeros((0, 3))) == [] and next(iter(xp.zeros((0, 3))), None) is None
    assert [int(n) for n in xp.arange(5)] == [0, 1, 2, 3, 4] and [int(n) for n in reversed(xp.arange(3))] == [2, 1, 0]


def test_rounded_elements():
    x = xp.asarray([2.675, -1.5, 12345.0])
    assert (round(x[0], 2), round(x[1]), round(x[2], -2)) == (round(2.675, 2), -2, 12300.0)
    assert round(xp.asarray(17), -1) == 20 and type(round(x[1])) is int
    with pytest.raises(TypeError, match="only an array without axes"):
        round(x)


def test_arrays_with_masks_keep_them():
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    for result in (xp.ones(2) + masked, masked + xp.ones(2), xp.ones(2) * masked):
        assert isinstance(result, np.ma.MaskedArray) and result.mask.tolist() == [False, True]
    with pytest.raises(TypeError, match="not a MaskedArray"):
        xp.add(xp.ones(2), masked)


def test_text_is_as_numpys():
    for a in (
        np.arange(3), np.array(1.5), np.zeros((0, 2)), np.array([1.5, 2], dtype=np.float32), np.eye(2),
        np.arange(2000), np.array([True, False]), np.array([1 + 2j]), np.array([[1.0, np.nan], [np.inf, -0.0]]),
    ):  # fmt: skip
        assert repr(xp.asarray(a)) == repr(a).replace("array(", "Array(")
        assert str(xp.asarray(a)) == str(a)


def test_attributes():
    x = xp.zeros((2, 3, 4), dtype=xp.float32)
    assert (x.shape, x.ndim, x.size, x.device, x.nbytes, x.itemsize) == ((2, 3, 4), 3, 24, "cpu", 96, 4)
    assert x.mT.shape == (2, 4, 3) and x[0].T.shape == (4, 3)
    with pytest.raises(ValueError):
        x.T
    assert x.to_device("cpu") is x
    with pytest.raises(ValueError):
        x.to_device("gpu")
    assert x.__array_namespace__() is xp and x.__array_namespace__(api_version="2024.12") is xp
    with pytest.raises(ValueError):
        x.__array_namespace__(api_version="1999.01")
    assert xp.asarray(1 + 2j).real.item() == 1 and xp.asarray(1 + 2j).imag.item() == 2


def test_integers_of_more_than_128_bits_are_compared():
    for array in (xp.asarray([-5, 0, 2**62]), xp.asarray([250, 0], dtype=xp.uint8), xp.asarray([1e300, -1.5, np.nan])):
        numbers = np.asarray(array).tolist()
        for large in (2**200, -(2**200), 2**5000, -(2**5000)):
            for compare in (operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge):
                assert compare(array, large).tolist() == [compare(n, large) for n in numbers], (numbers, large, compare)
    with pytest.raises(OverflowError):
        xp.asarray([1]) + 2**200


def test_parts_backwards():
    array = xp.asarray([[1, 2], [3, 4], [5, 6]])
    assert [part.tolist() for part in reversed(array)] == [[5, 6], [3, 4], [1, 2]]
    assert list(reversed(array[:0])) == []
    with pytest.raises(TypeError, match="an array without axes has no parts"):
        reversed(xp.asarray(1))


def test_a_limit_is_a_number_of_bytes():
    with pytest.raises(ValueError, match="a limit is a number of bytes from 0 on, or None, not -1"):
        xp.set_memory_limit(-1)
