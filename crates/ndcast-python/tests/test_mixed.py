"""Element types of mixed kinds: what the standard leaves open is as NumPy has it."""

import itertools
import operator

import numpy as np
import pytest

import ndcast as xp

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


def refused(*dtypes):
    """Two integer types that none holds both; NumPy takes floats, which hold neither."""
    return {dtype.kind for dtype in dtypes} == {"i", "u"} and any(dtype.name == "uint64" for dtype in dtypes)


@pytest.mark.parametrize("left, right", list(itertools.product(NAMES, NAMES)))
def test_common_types_are_numpys(left, right):
    a, b = np.array([0, 1, 1], left), np.array([1, 1, 0], right)
    if refused(a.dtype, b.dtype):
        with pytest.raises(xp.DTypeError, match="no integer type holds both"):
            xp.asarray(a) + b
        return
    wanted = np.result_type(a, b)
    assert xp.result_type(a.dtype, b.dtype) == wanted
    x, y = xp.asarray(a), xp.asarray(b)
    for ours, theirs in (
        (xp.equal(x, y), a == b),
        (xp.where(xp.asarray([True, False, True]), x, y), np.where([True, False, True], a, b)),
        (xp.concat([x, y]), np.concat([a, b])),
        (xp.stack([x, y]), np.stack([a, b])),
    ):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    if wanted != bool:
        for ours, theirs in ((x * y, a * b), (a * y, a * b), (x @ y, a @ b)):
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("number", [True, 2, 0.5, 1j])
def test_numbers_are_weak_within_their_kind(name, number):
    a = np.array([0, 1, 1], name)
    if name == "bool" and number is True:
        return
    ours, theirs = xp.asarray(a) * number, a * number
    assert ours.dtype == theirs.dtype == xp.result_type(a.dtype, number)
    np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(number + xp.asarray(a), number + a)


def test_what_is_changed_keeps_its_type():
    for name in NAMES[9:]:
        x = xp.ones(3, dtype=name)
        x += xp.asarray([1, 2, 3])
        x[0] = True
        x[1:] = xp.asarray([4, 5], dtype=xp.uint8)
        x[xp.asarray([False, False, True])] = xp.asarray([7])
        assert x.dtype.name == name
        np.testing.assert_array_equal(x, np.array([1, 4, 7], name))
    counts = xp.asarray([1, 2])
    for change in (lambda: counts.__iadd__(0.5), lambda: counts.__setitem__(0, 0.5), lambda: counts.__imul__(xp.ones(2))):
        with pytest.raises(xp.DTypeError):
            change()
    np.testing.assert_array_equal(counts, [1, 2])


def test_what_is_changed_is_computed_in_the_type_of_both():
    for own, numbers, dtype in (([0.5, 0.0], 70000, "float16"), ([1.0, 3.0], 2**24 + 1, "float32")):
        x, a, others = xp.asarray(own, dtype=dtype), np.array(own, dtype), np.full(2, numbers)
        for change in (operator.imul, operator.isub):
            with np.errstate(over="ignore"):
                x, a = change(x, xp.asarray(others)), change(a, others)
            assert x.dtype == a.dtype
            np.testing.assert_array_equal(x, a)
    x = xp.ones(2, dtype=xp.float32)
    with pytest.raises(xp.BroadcastError):
        x += xp.asarray([[1, 2], [3, 4]])
    assert x.tolist() == [1, 1]


@pytest.mark.parametrize("names", list(itertools.permutations(["int16", "uint16", "float32"])) + list(itertools.permutations(["int64", "uint64", "float64"])))
def test_the_order_of_several_does_not_matter(names):
    arrays = [np.array([1], name) for name in names]
    wanted = np.result_type(*arrays)
    assert xp.result_type(*names) == wanted
    for made in (xp.concat([xp.asarray(array) for array in arrays]), xp.stack([xp.asarray(array) for array in arrays])):
        assert made.dtype == wanted
    assert xp.clip(*(xp.asarray(array) for array in arrays)).dtype == wanted
    with pytest.raises(xp.DTypeError, match="(int8 and uint64|uint64 and int8) have no common element type"):
        xp.concat([xp.ones(1, dtype=name) for name in ("bool", "int8", "uint64")])


def test_what_is_only_carried_has_no_common_type():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    short = xp.asarray(np.array([0.5, 1], ml_dtypes.float8_e4m3fn))
    for call in (
        lambda: xp.add(short, xp.asarray([1, 2])), lambda: xp.concat([short, xp.asarray([True])]),
        lambda: xp.where(xp.asarray([True, False]), short, xp.ones(2)), lambda: xp.isin(short, xp.asarray([1])),
        lambda: xp.ones(2).__iadd__(short), lambda: xp.ones(2).__setitem__(0, short[0]),
    ):
        with pytest.raises(xp.DTypeError):
            call()


def test_numbers_are_looked_up_in_mixed_kinds():
    assert xp.isin(xp.asarray([1, 2]), xp.asarray([2.0])).tolist() == [False, True]
    assert xp.isin(xp.asarray([1.0, 2.5]), 2).tolist() == [False, False] and xp.isin(2, xp.asarray([1.0, 2.0])).item()
    assert xp.searchsorted(xp.asarray([1, 3]), 2.5).item() == 1
    assert xp.searchsorted(xp.asarray([1.0, 3.0]), xp.asarray([2, 3])).tolist() == [1, 1]


def test_products_and_differences_of_mixed_kinds():
    a, b = np.arange(6).reshape(2, 3), np.linspace(0, 1, 6, dtype="f4").reshape(2, 3)
    x, y = xp.asarray(a), xp.asarray(b)
    for ours, theirs in (
        (xp.einsum("ij,ij->i", x, y), np.einsum("ij,ij->i", a, b)), (xp.tensordot(x, y), np.tensordot(a, b)),
        (xp.vecdot(x, y), np.sum(a * b, axis=1)), (xp.linalg.cross(x, y), np.cross(a, b)),
        (xp.linalg.outer(x[0], y[0]), np.outer(a[0], b[0])), (xp.matmul(x, y.T), a @ b.T),
        (xp.diff(x, axis=0, prepend=y[:1]), np.diff(a, axis=0, prepend=b[:1])),
        (xp.diff(y, append=x[:, :1] > 0), np.diff(b, append=a[:, :1] > 0)),
    ):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_truth_values_count():
    x = xp.asarray([[True, False, True], [True, True, True]])
    for name in ("sum", "prod", "mean", "var", "std", "max", "min", "nanmax", "nanmin", "argmax", "argmin"):
        for axis in (None, 0, 1):
            ours, theirs = getattr(xp, name)(x, axis=axis), getattr(np, name)(np.asarray(x), axis=axis)
            assert ours.dtype == theirs.dtype
            np.testing.assert_allclose(ours, theirs)
    np.testing.assert_array_equal(xp.cumulative_sum(x, axis=1), np.cumsum(np.asarray(x), axis=1))
    assert xp.mean(xp.asarray([1, 2])).dtype == xp.float64 and float(xp.mean(xp.asarray([1, 2]))) == 1.5
    assert xp.mean(xp.ones(2), dtype=xp.float32).dtype == xp.float32


def test_numbers_are_true_where_they_are_not_0():
    x = np.array([0.0, 2.0, np.nan, -0.0])
    for name in ("logical_and", "logical_or", "logical_xor"):
        np.testing.assert_array_equal(getattr(xp, name)(xp.asarray(x), xp.asarray([1, 1, 0, 0])), getattr(np, name)(x, [1, 1, 0, 0]))
    np.testing.assert_array_equal(xp.logical_not(xp.asarray(x)), np.logical_not(x))


def test_what_has_no_common_type():
    x = xp.ones(2, dtype=xp.float32)
    assert xp.result_type(x, 1, xp.float64) == xp.float64 and xp.result_type(1, 2.5) == xp.float64
    assert xp.result_type(np.float64(1.5)) == xp.float64 and xp.result_type("int8", np.ones(2, np.int16)) == xp.int16
    with pytest.raises(ValueError, match="no array and no element type"):
        xp.result_type()
    with pytest.raises(TypeError, match="None is no element type"):
        xp.result_type(x, None)
    with pytest.raises(TypeError, match="NumPy's object"):
        xp.result_type(np.array([None]))
    with pytest.raises(xp.DTypeError, match="int64"):
        xp.result_type(xp.int64, xp.uint64)


def test_choices_between_numbers_in_any_order():
    condition = xp.asarray([True, False])
    numbers = [True, 2, 3.5, 1j]
    for one, other in itertools.product(numbers, numbers):
        expected = np.where([True, False], one, other)
        found = xp.where(condition, one, other)
        assert found.dtype == expected.dtype, (one, other)
        np.testing.assert_array_equal(found, expected)


def test_complex_numbers_do_not_become_real():
    z = xp.asarray([1 + 2j])
    functions = [xp.sum, xp.prod, xp.mean, xp.nansum, xp.nanmean, xp.nanvar, xp.nanstd, xp.cumulative_sum, xp.cumulative_prod]
    for function in functions:
        for dtype in (xp.float64, xp.int32):
            with pytest.raises(TypeError, match="a complex number is no real one"):
                function(z, dtype=dtype)
    with pytest.raises(TypeError, match="no real one"):
        xp.linalg.trace(xp.ones((2, 2)) * 1j, dtype=xp.float32)
    with pytest.raises(TypeError, match="no real one"):
        xp.linspace(0, 1j, 3, dtype=xp.float64)
    assert complex(xp.sum(z, dtype=xp.complex128)) == 1 + 2j


def test_bounds_that_are_left_out_are_of_the_type_of_all():
    truths = np.array([True, False])
    array = xp.asarray(truths)
    for most in (1.9, 0.5, 5, 0, np.array(0.5), np.array(-3)):
        clipped = xp.clip(array, None, most)
        expected = np.clip(truths, None, most)
        np.testing.assert_array_equal(np.asarray(clipped), expected)
        assert clipped.dtype == expected.dtype


def test_integers_that_a_type_does_not_hold():
    small = np.array([1, 2, 250], dtype=np.uint8)
    array = xp.asarray(small)
    for number in (300, -1, 2**70, -(2**70), 2):
        assert xp.isin(array, number).tolist() == [int(n) == number for n in small]
        assert bool(xp.isin(number, array)) == (number in small.tolist())
        for side in ("left", "right"):
            assert int(xp.searchsorted(array, number, side=side)) == np.searchsorted([1, 2, 250], number, side=side)
    assert xp.clip(array, -3, 300).tolist() == [1, 2, 250]
    assert xp.clip(array, -(2**70), 100).tolist() == [1, 2, 100] and xp.clip(array, 2, 2**70).tolist() == [2, 2, 250]
    signed = xp.asarray([-128, 5, 127], dtype=xp.int8)
    assert xp.clip(signed, -129, 6).tolist() == [-128, 5, 6] and xp.clip(signed, -2, 128).tolist() == [-2, 5, 127]
    assert xp.clip(array, -3, 300).dtype == xp.uint8
    # No element is within these, so there is no answer of the type.
    for bounds in ((300, None), (None, -1)):
        with pytest.raises(xp.RangeError, match="not between 0 and 255"):
            xp.clip(array, *bounds)


def test_what_numpy_shares_is_converted_with_the_operation():
    shared = np.tile(np.arange(250, dtype=np.uint8), (1000, 4))
    kept = shared.copy()
    x, line = xp.asarray(shared), np.linspace(0, 1, 1000)
    # Room for the result of 8 MB alone, and not for the elements converted besides.
    before = xp.set_memory_limit(xp.memory_usage()["in_use"] + (9 << 20))
    made = []
    try:
        for function in (
            lambda a: a * 0.5, lambda a: a / 255.0, lambda a: line - a, lambda a: a * line, lambda a: a + True * 0.25,
            lambda a: xp.where(a > 99, a, line), lambda a: xp.clip(a, 0.5, 9.5), lambda a: xp.pow(a, 0.5),
            lambda a: a @ line, lambda a: xp.vecdot(a, line), lambda a: xp.tensordot(a, line, axes=1), lambda a: xp.einsum("ij,j->i", a, line),
            lambda a: a[:, :1] * line,
        ):
            found = function(x)
            xp.eval(found)
            shared[:] = 7
            ours = np.asarray(found).copy()
            shared[:] = kept
            del found
            made.append((function, ours))
    finally:
        xp.set_memory_limit(before)
    for place, (function, ours) in enumerate(made):
        theirs = np.asarray(function(xp.asarray(kept, copy=True)))
        assert ours.dtype == theirs.dtype == np.float64
        np.testing.assert_allclose(ours, theirs, rtol=1e-14, err_msg=str(place))


def test_what_is_shared_in_another_kind_stands_beside_what_is_watched():
    for count in (3, 200):
        shared, weights = np.arange(count * count, dtype=np.uint8).reshape(count, count), np.linspace(1, 2, count)
        for function in (
            lambda x: lambda w: xp.sum((x * w) ** 2), lambda x: lambda w: xp.sum((x @ w) ** 2), lambda x: lambda w: xp.sum(xp.vecdot(w, x)),
            lambda x: lambda w: xp.sum(xp.where(x > 3, x, w) * w), lambda x: lambda w: xp.sum(w[:, None] ** 2 / (x + 0.5)),
        ):
            ours, theirs = (np.asarray(xp.grad(function(x))(weights)) for x in (xp.asarray(shared), xp.asarray(shared, copy=True)))
            np.testing.assert_allclose(ours, theirs, rtol=1e-12)
            assert np.all(theirs != 0)


@pytest.mark.parametrize("name", ["bool", "int8", "uint8", "float32", "float64", "complex64"])
def test_common_types_with_bfloat16_are_those_of_ml_dtypes(name):
    pytest.importorskip("ml_dtypes")
    wanted = np.result_type(np.dtype(name), xp.bfloat16)
    assert xp.result_type(np.dtype(name), xp.bfloat16) == wanted
    assert xp.where(True, xp.ones(2, dtype=name), xp.ones(2, dtype=xp.bfloat16)).dtype == wanted
