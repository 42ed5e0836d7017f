"""Indices read and assigned, against NumPy; and where the standard says otherwise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ndcast as xp


def same(ours, theirs):
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
    np.testing.assert_array_equal(np.asarray(ours), theirs)


shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)


@given(st.data(), shapes)
def test_basic_indices(data, shape):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    index = data.draw(hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    same(xp.asarray(a)[index], np.asarray(a[index]))
    # Of a lazy array too.
    same((xp.asarray(a) + 0)[index], np.asarray(a[index]))


@given(st.data(), shapes)
def test_basic_indices_assigned(data, shape):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    ours = xp.asarray(a, copy=True)
    index = data.draw(hnp.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    selected = np.asarray(a[index]).shape
    drop = data.draw(st.integers(0, len(selected)))
    ones = data.draw(st.lists(st.booleans(), min_size=len(selected), max_size=len(selected)))
    value_shape = tuple(1 if one else n for n, one in zip(selected, ones))[drop:]
    value = -np.arange(np.prod(value_shape, dtype=int)).reshape(value_shape) - 1
    a[index] = value
    ours[index] = xp.asarray(value)
    same(ours, a)


@given(st.data(), hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4))
def test_masks(data, shape):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    axes = data.draw(st.integers(0, len(shape)))
    mask = data.draw(hnp.arrays(bool, shape[:axes]))
    ours = xp.asarray(a, copy=True)
    same(ours[xp.asarray(mask)], a[mask])
    a[mask] = 7
    ours[xp.asarray(mask)] = 7
    same(ours, a)
    a[mask] = a[mask] * 2
    ours[xp.asarray(mask)] = ours[xp.asarray(mask)] * 2
    same(ours, a)


@given(st.data(), hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4))
def test_arrays_of_integers_with_everything_else(data, shape):
    a = np.arange(np.prod(shape)).reshape(shape)
    together = data.draw(hnp.array_shapes(min_dims=1, max_dims=2, max_side=3))
    index, some = [], False
    for extent in shape:
        kind = data.draw(st.sampled_from(["slice", "array", "integer", "new"]))
        if kind == "new":
            index.append(None)
            kind = "array"
        if kind == "slice":
            index.append(data.draw(st.slices(extent)))
        elif kind == "integer":
            index.append(data.draw(st.integers(-extent, extent - 1)))
        else:
            own = together[data.draw(st.integers(0, len(together))) :]
            index.append(data.draw(hnp.arrays(np.int64, own, elements=st.integers(-extent, extent - 1))))
            some = True
    place = data.draw(st.integers(0, len(index)))
    if data.draw(st.booleans()):
        index.insert(place, Ellipsis)
    theirs = a[tuple(index)]
    ours = tuple(xp.asarray(part) if isinstance(part, np.ndarray) else part for part in index)
    same(xp.asarray(a)[ours], np.asarray(theirs))
    if some:
        changed = xp.asarray(a, copy=True)
        held = changed[...]
        changed[ours] = -1
        before = a.copy()
        a[tuple(index)] = -1
        same(changed, a)
        same(held, before)
        # A value of the selected shape, or of the end of it, some axes of which are stretched.
        ones = data.draw(st.lists(st.booleans(), min_size=theirs.ndim, max_size=theirs.ndim))
        own = tuple(1 if one else n for n, one in zip(theirs.shape, ones))[data.draw(st.integers(0, theirs.ndim)) :]
        value = np.arange(np.prod(own, dtype=int)).reshape(own) + 100
        changed[ours] = xp.asarray(value)
        a[tuple(index)] = value
        same(changed, a)


@given(st.data(), hnp.array_shapes(min_dims=2, max_dims=4, min_side=0, max_side=4))
def test_masks_beside_other_parts(data, shape):
    a = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    first = data.draw(st.integers(0, len(shape) - 1))
    last = data.draw(st.integers(first + 1, len(shape)))
    mask = data.draw(hnp.arrays(bool, shape[first:last]))
    parts = [data.draw(st.slices(extent)) for extent in shape]
    index = (*parts[:first], mask, *parts[last:])
    ours = (*parts[:first], xp.asarray(mask), *parts[last:])
    x = xp.asarray(a, copy=True)
    same(x[ours], a[index])
    value = np.arange(a[index].size).reshape(a[index].shape) - 50
    a[index] = value
    x[ours] = xp.asarray(value)
    same(x, a)


@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float32, np.complex64, np.complex128])
def test_many_rows_and_columns(dtype):
    random = np.random.default_rng(0)
    a = random.integers(0, 100, (300, 70)).astype(dtype)
    rows, columns = random.integers(-300, 300, 500), random.integers(-70, 70, 90)
    mask = a.real > 50
    x, r, c, m = xp.asarray(a, copy=True), xp.asarray(rows), xp.asarray(columns), xp.asarray(mask)
    b = a.copy()
    for ours, theirs in [(r, rows), ((slice(None), c), (slice(None), columns)), ((r[:90], c), (rows[:90], columns)), (m, mask), (m[:, 0], mask[:, 0])]:
        same(x[ours], b[theirs])
        value = random.integers(0, 100, b[theirs].shape).astype(dtype)
        x[ours] = xp.asarray(value)
        b[theirs] = value
        same(x, b)
        x[ours] = 3
        b[theirs] = 3
        same(x, b)
    # What is not there changes nothing.
    for wrong in [xp.asarray([0, 300]), (slice(None), xp.asarray([-71]))]:
        with pytest.raises(IndexError):
            x[wrong] = 9
    with pytest.raises(ValueError):
        x[r] = xp.zeros((500, 71), dtype=x.dtype)
    same(x, b)


@pytest.mark.parametrize("numbers", [[2, 0, -1], [[1, 1], [0, -2]], [], 1])
@pytest.mark.parametrize(
    "before, behind",
    [((), ()), ((), (...,)), ((...,), ()), ((slice(None, None, -2),), ()), ((), (slice(1, None),)), ((slice(1, 1),), (...,)),
     ((...,), (slice(None, None, -1),)), ((slice(None),), (slice(0, 2), ...))],
)
def test_one_array_beside_slices(numbers, before, behind):
    a = np.arange(3 * 4 * 3).reshape(3, 4, 3)
    n = np.asarray(numbers, dtype=np.int64)
    x = xp.asarray(a, copy=True)
    index, ours = (*before, n, *behind), (*before, xp.asarray(n), *behind)
    same(x[ours], a[index])
    # Of an array that is still to be computed, too.
    same((x + 1)[ours], (a + 1)[index])
    a[index] = -7
    x[ours] = -7
    same(x, a)
    with pytest.raises(IndexError, match="4"):
        x[(*before, xp.asarray([4]), *behind)]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
@pytest.mark.parametrize("part", [(), (slice(2, None),), (slice(None), slice(3, None)), (slice(None, None, -2), ..., slice(None, None, 3))])
def test_indices_of_views(order, part):
    base = np.arange(12 * 14 * 16).reshape(12, 14, 16)
    a, x = (np.transpose(base, order)[part], xp.permute_dims(xp.asarray(base, copy=True), order)[part])
    i, j, k = np.array([0, -1, 2]), np.array([[1], [3]]), np.array(-2)
    mask, square = a[:, 0, 0] % 3 == 1, a[:, :, 0] % 3 == 1
    for key in [
        (i,), (slice(None), i), (..., i), (i, i), (j, i), (i, slice(None), i), (i, slice(1, None, 2), j), (slice(None), i, i),
        (i, i, i), (j, k, i), (k, i), (0, i), (i, 1, ...), (i, None, i), (..., j, i), (slice(None, None, -1), i, -1), (i, ..., k),
        (mask,), (mask, 0, i[:1]), (square,), (square, i[:1]), (mask, ..., k),
    ]:
        ours = tuple(xp.asarray(part) if isinstance(part, np.ndarray) else part for part in key)
        same(x[ours], a[key])
        same((x * 2)[ours], (a * 2)[key])
    for wrong in [(i, i + 20), (i - 30, slice(None), i), (0, i, i + 20)]:
        with pytest.raises(IndexError, match="is outside axis"):
            x[tuple(xp.asarray(part) if isinstance(part, np.ndarray) else part for part in wrong)]


def test_numbers_that_are_not_there_where_nothing_is_selected():
    for shape, key in [((3, 4), ([], 7)), ((0, 0), ([], 0)), ((3, 4), ([], [-5])), ((2, 3, 4), ([], slice(None), 4))]:
        x, arrays = xp.zeros(shape), tuple(xp.asarray(part, dtype=xp.int64) if isinstance(part, list) else part for part in key)
        for y in (x, x + 1):
            with pytest.raises(IndexError, match="is outside axis"):
                y[arrays]
    assert xp.zeros((3, 4))[xp.asarray([], dtype=xp.int64), 3].shape == (0,)


def test_lists_and_scalars_of_numpy():
    x = xp.arange(5)
    assert x[[0, -1]].tolist() == [0, 4] and x[[]].shape == (0,)
    assert x[[True, False, False, False, True]].tolist() == [0, 4]
    assert x[(0, -1),].tolist() == [0, 4] and x[range(1, 3)].tolist() == [1, 2]
    square = xp.reshape(xp.arange(9), (3, 3))
    assert square[(0, 1), (1, 2)].tolist() == [1, 5]
    square[0] = range(3)
    square[(1, 2), (1, 2)] = (7, 8)
    assert square.tolist() == [[0, 1, 2], [3, 7, 5], [6, 7, 8]]
    assert x[np.int64(2)].item() == 2 and x[np.array([1, 2])].tolist() == [1, 2]
    assert x[xp.asarray(3)].item() == 3
    assert x[True].shape == (1, 5) and x[False].shape == (0, 5)
    assert x[10**30 :].shape == (0,) and x[-(10**30) :].shape == (5,)


@pytest.mark.parametrize(
    "index",
    [5, -6, (0, 0), 10**30, (slice(None), 0), 1.5, "a", (0, Ellipsis, 0), np.array([True]), np.array([5]), np.array([0.5]), [-6]],
)
def test_indices_that_are_not_there(index):
    x = xp.arange(5)
    with pytest.raises(IndexError):
        x[index]
    with pytest.raises(IndexError):
        x[index] = 1
    assert x.tolist() == [0, 1, 2, 3, 4]


def test_of_several_values_for_one_place_the_last_stays():
    for shape, key in (
        ((3, 4), (slice(None), [2, 0, 2])), ((5, 1), (slice(None), [0, 0])), ((2, 3, 4), (slice(None), [1, 1], slice(None))),
        ((2, 3, 4), ([1, 1], slice(None), [0, 0])), ((2, 1, 4), (slice(None), slice(None, None, -1), [[3, 1], [3, 0]])),
    ):
        arrays = [np.asarray(part) if isinstance(part, list) else part for part in key]
        theirs, ours = np.zeros(shape), xp.zeros(shape)
        values = np.arange(1.0, theirs[tuple(arrays)].size + 1).reshape(theirs[tuple(arrays)].shape)
        theirs[tuple(arrays)] = values
        ours[tuple(xp.asarray(part) if isinstance(part, np.ndarray) else part for part in arrays)] = values
        np.testing.assert_array_equal(ours, theirs)


def test_assignment_is_one_way():
    x = xp.zeros((2, 3, 4))
    a = xp.ones((1, 3, 4))
    x[...] = a
    assert float(xp.sum(x)) == 24
    # NumPy takes this; the standard's page says that it is not allowed.
    with pytest.raises(ValueError) as caught:
        x[1, ...] = a
    assert caught.value.kind == "rank-too-high" and "1x3x4" in str(caught.value) and "3x4" in str(caught.value)
    for index, value in [(0, xp.ones((2, 3, 4))), ((0, 0, 0), xp.ones(1)), (slice(0, 1), xp.ones((2, 3, 4)))]:
        with pytest.raises(ValueError):
            x[index] = value
    with pytest.raises(ValueError):
        x[xp.asarray([0, 1])] = xp.ones((1, 2, 3, 4))
    assert float(xp.sum(x)) == 24


def test_assigned_values_take_the_arrays_type():
    x = xp.zeros(3, dtype=xp.float32)
    x[0] = 1
    x[1] = xp.asarray(2.5, dtype=xp.float16)
    x[2] = True if False else 3
    assert x.tolist() == [1, 2.5, 3] and x.dtype == xp.float32
    for wrong in (1j, xp.asarray(1.0, dtype=xp.float64), xp.asarray(1j), "a", None):
        with pytest.raises(TypeError):
            x[0] = wrong
    whole = xp.zeros(2, dtype=xp.int8)
    with pytest.raises(OverflowError):
        whole[0] = 200
    with pytest.raises(TypeError):
        whole[0] = 1.5
    whole[:] = [1, 2] if False else xp.asarray([1, 2], dtype=xp.int8)
    assert whole.tolist() == [1, 2]
    whole[1] = np.int8(9)
    assert whole.tolist() == [1, 9]


def test_an_index_of_many_parts():
    ours, theirs = xp.reshape(xp.arange(2**10), (2,) * 10), np.arange(2**10).reshape((2,) * 10)
    for key in [(1,) * 10, (0, slice(None, None, -1)) * 5, (None,) * 9 + (0,), (..., *(1,) * 9), (np.int64(1),) * 9]:
        np.testing.assert_array_equal(np.asarray(ours[key]), theirs[key])
    for key in [(0,) * 11, (..., 0, ...), (..., *(0,) * 8, ...)]:
        with pytest.raises(IndexError):
            ours[key]


def test_numbers_without_a_sign_are_not_counted_from_the_end():
    beyond = np.asarray([2**64 - 1, 2**63], dtype="uint64")
    for numbers in (beyond, beyond[0], beyond.reshape(1, 2)):
        x = xp.arange(3)
        for call in (lambda: x[xp.asarray(numbers)], lambda: x.__setitem__(xp.asarray(numbers), 9)):
            with pytest.raises(IndexError, match="9223372036854775807 is outside axis 0"):
                call()
        same(x, np.arange(3))
    for take in (xp.take, xp.take_along_axis):
        with pytest.raises(IndexError, match="9223372036854775807 is outside axis 0"):
            xp.eval(take(xp.arange(3), xp.asarray(beyond), axis=0))
    inside = xp.asarray([2, 0], dtype="uint64")
    same(xp.take(xp.arange(3), inside), np.asarray([2, 0]))
    same(xp.arange(3)[inside], np.asarray([2, 0]))


@pytest.mark.parametrize("index", [slice(1, 2.0), slice("a", None), slice(None, None, 0.5)])
def test_slices_are_of_integers(index):
    with pytest.raises(TypeError):
        np.arange(5)[index]
    with pytest.raises(TypeError, match="from integer to integer"):
        xp.arange(5)[index]


@pytest.mark.parametrize("count", [10, 1000, 200000])
def test_truth_values_that_others_wrote_are_true(count):
    own = np.zeros(count, bool)
    shared = xp.asarray(own)
    own.view(np.uint8)[::2] = 2
    assert xp.count_nonzero(shared) == count // 2
    assert xp.all(xp.count_nonzero(xp.reshape(shared, (5, -1)), axis=1) == count // 10)
    assert xp.all(xp.nonzero(shared)[0] == xp.arange(0, count, 2))
