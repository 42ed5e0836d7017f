"""Random programs, against NumPy: values, types and shapes of all that is computed, lazily, fused, and in place."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import ndcast as xp

FLOATS = st.floats(-100, 100, width=32).map(lambda x: round(x, 2))
UNARY = [("negative", np.negative), ("abs", np.abs), ("square", np.square), ("sin", np.sin), ("tanh", np.tanh), ("floor", np.floor)]
BINARY = [("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply), ("maximum", np.maximum), ("minimum", np.minimum)]


def same(ours, theirs, tolerance=1e-6):
    theirs = np.asarray(theirs)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, (ours.dtype, theirs.dtype, ours.shape, theirs.shape)
    if theirs.dtype.kind in "fc":
        scale = np.max(np.abs(theirs[np.isfinite(theirs)]), initial=1)
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=tolerance, atol=tolerance * scale)
    else:
        np.testing.assert_array_equal(np.asarray(ours), theirs)


def together(count, **sides):
    return hnp.mutually_broadcastable_shapes(num_shapes=count, max_dims=4, **sides)


@given(st.data(), together(3, min_side=0, max_side=4))
def test_programs(data, shapes):
    """Steps of operators, functions, reductions, views and changes in place, on both sides alike."""
    theirs = [data.draw(hnp.arrays(np.float64, shape, elements=FLOATS)) for shape in shapes.input_shapes]
    ours = [xp.asarray(a, copy=data.draw(st.booleans())) for a in theirs]
    theirs = [a.copy() for a in theirs]
    for _ in range(data.draw(st.integers(1, 8))):
        i, j = data.draw(st.tuples(*[st.integers(0, len(theirs) - 1)] * 2))
        a, b, x, y = theirs[i], theirs[j], ours[i], ours[j]
        step = data.draw(st.sampled_from(["unary", "binary", "number", "sum", "mean", "view", "transpose", "in place", "set"]))
        try:
            if step == "unary":
                name, function = data.draw(st.sampled_from(UNARY))
                a, x = function(a), getattr(xp, name)(x)
            elif step == "binary":
                name, function = data.draw(st.sampled_from(BINARY))
                a, x = function(a, b), getattr(xp, name)(x, y)
            elif step == "number":
                a, x = a * 0.5 + 1, x * 0.5 + 1
            elif step in ("sum", "mean") and a.ndim and a.size:
                axis, keep = data.draw(st.integers(-a.ndim, a.ndim - 1)), data.draw(st.booleans())
                a = np.asarray(getattr(np, step)(a, axis=axis, keepdims=keep))
                x = getattr(xp, step)(x, axis=axis, keepdims=keep)
            elif step == "view" and a.ndim:
                index = data.draw(hnp.basic_indices(a.shape))
                a, x = np.array(a[index]), x[index]
            elif step == "transpose":
                order = data.draw(st.permutations(range(a.ndim)))
                a, x = np.transpose(a, order).copy(), xp.permute_dims(x, tuple(order))
            elif step == "in place":
                before = a
                a += b
                x += y
                assert a is before
                continue
            elif step == "set" and a.ndim:
                index = data.draw(hnp.basic_indices(a.shape))
                value = data.draw(FLOATS)
                a[index] = value
                x[index] = value
                continue
            else:
                continue
        except ValueError:
            # What NumPy refuses is refused here. (Of sides with more axes the standard refuses more.)
            with pytest.raises(ValueError):
                x += y
            continue
        theirs.append(np.asarray(a))
        ours.append(x)
    if data.draw(st.booleans()):
        xp.eval(*ours)
    for x, a in zip(reversed(ours), reversed(theirs)):
        same(x, a, 1e-9)


@given(st.data(), together(2, min_side=0, max_side=4))
def test_what_broadcasts_in_numpy_broadcasts_here(data, shapes):
    a, b = (np.arange(np.prod(shape, dtype=int)).reshape(shape) for shape in shapes.input_shapes)
    same(xp.asarray(a) + xp.asarray(b), a + b)
    assert xp.broadcast_shapes(a.shape, b.shape) == shapes.result_shape
    for ours, theirs in zip(xp.broadcast_arrays(xp.asarray(a), xp.asarray(b)), np.broadcast_arrays(a, b)):
        same(ours, theirs)
    for wide, one in ((a, b), (b, a)):
        changed, expected = xp.asarray(wide, copy=True), wide.copy()
        fits = np.broadcast_shapes(a.shape, b.shape) == wide.shape and one.ndim <= wide.ndim
        if fits:
            expected += one
            changed += xp.asarray(one)
        else:
            with pytest.raises(ValueError):
                changed += xp.asarray(one)
        same(changed, expected)


@given(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3), hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))
def test_what_does_not_does_not(left, right):
    try:
        shape = np.broadcast_shapes(left, right)
    except ValueError:
        with pytest.raises(xp.BroadcastError):
            xp.zeros(left) + xp.zeros(right)
        with pytest.raises(xp.BroadcastError):
            xp.broadcast_shapes(left, right)
    else:
        assert (xp.zeros(left) + xp.zeros(right)).shape == shape
    try:
        np.broadcast_to(np.zeros(left), right)
    except ValueError:
        with pytest.raises(xp.BroadcastError):
            xp.broadcast_to(xp.zeros(left), right)
    else:
        assert xp.broadcast_to(xp.zeros(left), right).shape == right


AXES = ["sum", "prod", "max", "min", "mean", "std", "var", "any", "all", "nansum", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd"]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", AXES)
@given(data=st.data())
def test_reductions(name, data):
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=4, min_side=1, max_side=4))
    numbers = st.one_of(st.just(float("nan")), FLOATS) if name.startswith("nan") else FLOATS
    a = data.draw(hnp.arrays(np.float64, shape, elements=numbers))
    axis = data.draw(st.none() | st.lists(st.integers(0, max(len(shape) - 1, 0)), max_size=len(shape), unique=True).map(tuple))
    how = {"axis": axis, "keepdims": data.draw(st.booleans())}
    if name.endswith(("std", "var")):
        how["correction"] = data.draw(st.integers(0, 3))
    for source in (xp.asarray(a), xp.asarray(a, copy=True) * 1):
        same(getattr(xp, name)(source, **how), getattr(np, name)(a, **how), 1e-9)


@given(st.data(), hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4))
def test_movement_sorting_and_sets(data, shape):
    a = data.draw(hnp.arrays(np.int64, shape, elements=st.integers(-5, 5)))
    x, axis = xp.asarray(a), data.draw(st.integers(-len(shape), len(shape) - 1))
    same(xp.sort(x, axis=axis), np.sort(a, axis=axis, stable=True))
    same(xp.argsort(x, axis=axis), np.argsort(a, axis=axis, stable=True))
    same(xp.sort(x, axis=axis, descending=True), np.flip(np.sort(a, axis=axis), axis=axis))
    shift = data.draw(st.integers(-6, 6))
    same(xp.roll(x, shift), np.roll(a, shift))
    same(xp.roll(x, (shift, 1), axis=(axis, axis)), np.roll(a, (shift, 1), axis=(axis, axis)))
    same(xp.flip(x, axis=axis), np.flip(a, axis=axis))
    same(xp.repeat(x, 2, axis=axis), np.repeat(a, 2, axis=axis))
    counts = data.draw(hnp.arrays(np.int64, shape[axis], elements=st.integers(0, 3)))
    same(xp.repeat(x, xp.asarray(counts), axis=axis), np.repeat(a, counts, axis=axis))
    times = data.draw(st.lists(st.integers(0, 2), min_size=0, max_size=4).map(tuple))
    same(xp.tile(x, times), np.tile(a, times))
    same(xp.concat([x, x + 1], axis=axis), np.concat([a, a + 1], axis=axis))
    same(xp.stack([x, x], axis=axis), np.stack([a, a], axis=axis))
    same(xp.cumulative_sum(x, axis=axis, include_initial=True), np.cumulative_sum(a, axis=axis, include_initial=True))
    same(xp.count_nonzero(x, axis=axis), np.asarray(np.count_nonzero(a, axis=axis)))
    if shape[axis]:
        same(xp.diff(x, axis=axis), np.diff(a, axis=axis))
        same(xp.diff(x, axis=axis, prepend=xp.asarray(3), append=x), np.diff(a, axis=axis, prepend=3, append=a))
        same(xp.diff(x, axis=axis, prepend=-2, append=0.5), np.diff(a, axis=axis, prepend=-2, append=0.5))
    for ours, theirs in zip(xp.nonzero(x), np.nonzero(a), strict=True):
        same(ours, theirs)
    for ours, theirs in zip(xp.unique_all(x), np.unique_all(a), strict=True):
        same(ours, theirs)
    others = data.draw(hnp.arrays(np.int64, 3, elements=st.integers(-5, 5)))
    same(xp.isin(x, xp.asarray(others)), np.isin(a, others))
    line = np.sort(a.reshape(-1))
    for side in ("left", "right"):
        same(xp.searchsorted(xp.asarray(line), xp.asarray(others), side=side), np.searchsorted(line, others, side=side))
    same(xp.pad(x, 1, constant_values=7), np.pad(a, 1, constant_values=7))
    widths = data.draw(st.lists(st.tuples(*[st.integers(0, 7)] * 2), min_size=a.ndim, max_size=a.ndim))
    numbers = [(axis, -axis) for axis in range(a.ndim)]
    same(xp.pad(x, widths, constant_values=numbers), np.pad(a, widths, constant_values=numbers))
    for mode in ("edge", "reflect", "symmetric", "wrap") if a.size else ():
        same(xp.pad(x, widths, mode=mode), np.pad(a, widths, mode=mode))
        same(xp.pad(x, np.asarray(widths), mode), np.pad(a, widths, mode))
    same(xp.tril(xp.stack([x, x])), np.tril(np.stack([a, a])))


@given(st.data(), together(2, min_side=1, max_side=3))
def test_products(data, batches):
    n, k, m = data.draw(st.tuples(*[st.integers(0, 4)] * 3))
    kind = data.draw(st.sampled_from([np.float64, np.int32, np.complex128]))
    a = data.draw(hnp.arrays(np.float64, batches.input_shapes[0] + (n, k), elements=FLOATS)).astype(kind)
    b = data.draw(hnp.arrays(np.float64, batches.input_shapes[1] + (k, m), elements=FLOATS)).astype(kind)
    x, y = xp.asarray(a), xp.asarray(b)
    same(x @ y, a @ b)
    same(xp.vecdot(x, y.mT[..., :1, :]), np.vecdot(a, b.swapaxes(-1, -2)[..., :1, :])) if m else None
    if len(batches.input_shapes[0]) == len(batches.input_shapes[1]) == 0:
        same(xp.tensordot(x, y, axes=1), np.tensordot(a, b, axes=1))
        same(xp.einsum("ij,jk->ik", x, y), np.einsum("ij,jk->ik", a, b))
        same(xp.einsum("ij,jk->k", x, y), np.einsum("ij,jk->k", a, b))
        same(xp.tensordot(x, y, axes=0), np.tensordot(a, b, axes=0))


EINSUMS = ["...i,...i->...", "...ij->...ji", "...ij,...jk->...ik", "...ij,...ij->...", "...ij->...", "...ij,...ij->...ij", "...ij->i..."]


@pytest.mark.parametrize("text", EINSUMS)
@given(data=st.data())
def test_einsum(text, data):
    batch = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, max_side=3))
    extent = {letter: data.draw(st.integers(1, 3)) for letter in "ijk"}
    operands = []
    for part in text.split("->")[0].split(","):
        shape = batch + tuple(extent[letter] for letter in part.strip("."))
        operands.append(data.draw(hnp.arrays(np.float64, shape, elements=FLOATS)))
    same(xp.einsum(text, *map(xp.asarray, operands)), np.einsum(text, *operands))


@given(st.data(), together(3, min_side=0, max_side=3))
def test_clip_and_where_and_take_along_axis(data, shapes):
    a, low, high = (data.draw(hnp.arrays(np.float64, shape, elements=FLOATS)) for shape in shapes.input_shapes)
    high = np.abs(high) + np.max(low, initial=0)
    same(xp.clip(xp.asarray(a), xp.asarray(low), xp.asarray(high)), np.clip(a, low, high))
    same(xp.clip(xp.asarray(a), max=xp.asarray(high)), np.clip(a, None, high))
    same(xp.clip(xp.asarray(a), -1, None), np.clip(a, -1, None))
    same(xp.where(xp.asarray(a) > 0, xp.asarray(low), xp.asarray(high)), np.where(a > 0, low, high))
    same(xp.where(xp.asarray(a) > 0, 1.5, xp.asarray(high)), np.where(a > 0, 1.5, high))
    if a.ndim and a.size:
        places = np.argsort(a, axis=-1, stable=True)[..., :1]
        same(xp.take_along_axis(xp.asarray(a), xp.asarray(places)), np.take_along_axis(a, places, axis=-1))


def test_long_chains():
    x = xp.zeros(10)
    for _ in range(3000):
        x = x + 1
    assert x.tolist() == [3000] * 10
    y = xp.zeros(3)
    for n in range(1000):
        y += n
        y[n % 3] = 0
    assert y.shape == (3,)


def test_big_arrays():
    a = np.random.default_rng(1).random((700, 800))
    x, row = xp.asarray(a), xp.asarray(a[0])
    same((x - row) / (xp.std(x, axis=0) + 1), (a - a[0]) / (a.std(axis=0) + 1))
    same(xp.sum(xp.sqrt((x[:, None, :5] - x[None, :, :5]) ** 2)), np.sqrt((a[:, None, :5] - a[None, :, :5]) ** 2).sum())
    x += row
    same(x, a + a[0])
