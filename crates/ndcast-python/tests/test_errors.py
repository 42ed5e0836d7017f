"""Errors: at the line that made them, of the class that callers expect, with what they are about."""

import errno
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import ndcast as xp
from ndcast._otherwise import INSTEAD


def test_a_broadcast_that_fails():
    with pytest.raises(ValueError) as caught:
        xp.ones((2, 3)) + xp.ones((2,))
    error = caught.value
    assert isinstance(error, xp.BroadcastError) and isinstance(error, xp.Error)
    assert (error.kind, error.shapes, error.axis) == ("extent-mismatch", ((2, 3), (2,)), 1)
    assert error.facts["clash"][0] == {"operand": 0, "axis": 1, "extent": 3}
    assert "2x3 and 2 do not broadcast" in str(error) and str(error).startswith("add: ")
    assert f"{type(error).__module__}.{type(error).__qualname__}" == f"ndcast.{type(error).__name__}"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.shapes) == (type(error), str(error), error.shapes)


def test_one_shape_alone_is_no_broadcast():
    for make in (lambda: xp.max(xp.asarray([])), lambda: xp.argmin(xp.zeros((0, 2)), axis=0), lambda: xp.ones(2).item()):
        with pytest.raises(xp.ArrayError) as caught:
            make()
        assert not isinstance(caught.value, xp.BroadcastError) and len(caught.value.shapes) == 1


@pytest.mark.parametrize(
    "make",
    [
        lambda: xp.sum([1, 2]),
        lambda: xp.stack([(1, 2), (3, 4)]),
        lambda: xp.take([1, 2], xp.asarray([0])),
        lambda: xp.sqrt([4.0]),
        lambda: xp.where([True], 1, 2),
        lambda: xp.linalg.det([[1.0]]),
    ],
)
def test_lists_are_no_arrays_and_the_message_says_what_makes_one(make):
    with pytest.raises(TypeError, match=r"arrays?\b.* not a (list|tuple); asarray\(\) makes an array of"):
        make()


@pytest.mark.parametrize(
    ("classes", "make"),
    [
        ((ValueError, xp.BroadcastError), lambda x: xp.broadcast_to(x, (3, 2))),
        ((ValueError, xp.BroadcastError), lambda x: xp.broadcast_to(x, (3,))),
        ((ValueError, xp.BroadcastError), lambda x: xp.broadcast_shapes((2,), (3,))),
        ((ValueError, xp.BroadcastError), lambda x: xp.where(x > 0, xp.ones(2), x)),
        ((ValueError, xp.BroadcastError), lambda x: xp.broadcast_arrays(x, xp.ones(2))),
        ((ValueError,), lambda x: xp.reshape(x, (4,))),
        ((ValueError,), lambda x: xp.reshape(x, (-1, 4))),
        ((ValueError,), lambda x: xp.reshape(x, (-1, -1))),
        ((ValueError,), lambda x: xp.reshape(x, (-1, 2**32 + 1, 2**32 + 1))),
        ((ValueError,), lambda x: xp.broadcast_to(x, (-1, 3))),
        ((ValueError, IndexError, xp.AxisError), lambda x: xp.sum(x, axis=2)),
        ((ValueError, IndexError, xp.AxisError), lambda x: xp.sum(x, axis=-3)),
        ((IndexError, xp.AxisError), lambda x: xp.expand_dims(x, axis=4)),
        ((IndexError, xp.AxisError), lambda x: xp.sort(x, axis=5)),
        ((ValueError,), lambda x: xp.sum(x, axis=(0, 0))),
        ((ValueError,), lambda x: xp.squeeze(x, axis=0)),
        ((ValueError,), lambda x: xp.concat([x, xp.ones((2, 4))])),
        ((ValueError,), lambda x: xp.stack([x, xp.ones((2, 4))])),
        ((ValueError,), lambda x: xp.permute_dims(x, (0, 0))),
        ((ValueError,), lambda x: x @ x),
        ((ValueError,), lambda x: xp.ones((3, 1)) @ xp.ones((3, 4))),
        ((ValueError,), lambda x: xp.vecdot(x, xp.ones((2, 1)))),
        ((ValueError,), lambda x: xp.tensordot(x, x, axes=1)),
        ((ValueError,), lambda x: xp.max(xp.zeros((0, 3)), axis=0)),
        ((ValueError,), lambda x: xp.argmax(xp.zeros((0,)))),
        ((ValueError,), lambda x: xp.einsum("ij,jk->ik", x, x)),
        ((TypeError, xp.DTypeError), lambda x: xp.asarray([1, 2]).__iadd__(1.5)),
        ((TypeError, xp.DTypeError), lambda x: x & x),
        ((TypeError, xp.DTypeError), lambda x: xp.asarray([1], dtype=xp.uint64) + xp.asarray([1])),
        ((TypeError,), lambda x: xp.sum("text")),
        ((TypeError,), lambda x: xp.sum([1, 2])),
        ((TypeError,), lambda x: xp.astype(xp.asarray(1j), xp.float64)),
        ((TypeError,), lambda x: xp.zeros(2, dtype="no such type")),
        ((IndexError,), lambda x: xp.take(x, xp.asarray([3]), axis=1)),
        ((IndexError,), lambda x: xp.take(x, xp.asarray([0.5]), axis=1)),
        ((ValueError,), lambda x: xp.zeros(2, device="gpu")),
        ((ValueError,), lambda x: xp.arange(0, 1, 0)),
        ((ValueError,), lambda x: xp.pad(x, 1, mode="no such mode")),
        ((ValueError,), lambda x: xp.pad(x, 1, mode="edge", constant_values=1)),
        ((ValueError, xp.ArrayError), lambda x: xp.pad(xp.ones((0, 2)), 1, mode="wrap")),
        ((ValueError,), lambda x: xp.pad(x, ((1, 1), (1, 1), (1, 1)))),
        ((TypeError,), lambda x: xp.pad(x, -1)),
        ((TypeError,), lambda x: xp.repeat(x, xp.asarray([1.5, 2.0]), axis=0)),
        ((TypeError,), lambda x: xp.asarray([1j], dtype=xp.float32)),
        ((TypeError,), lambda x: xp.asarray(1j, dtype=xp.int8)),
        ((ValueError,), lambda x: xp.full((2,), 1j, dtype=xp.float32)),
        ((IndexError, xp.IndexingError), lambda x: x[..., 0, ...]),
        ((IndexError, xp.IndexingError), lambda x: x[[0, 1], [0, 1, 2]]),
        ((ValueError,), lambda x: xp.sum(x, axis=2**70)),
        ((FileNotFoundError, xp.FileError, xp.MissingFileError), lambda x: xp.load("no such file.onnx")),
    ],
)
def test_each_is_raised_at_once(classes, make):
    with pytest.raises(Exception) as caught:
        make(xp.ones((2, 3)))
    for one in classes:
        assert isinstance(caught.value, one), type(caught.value)


def test_a_missing_file_has_a_number_and_a_name(tmp_path):
    with pytest.raises(FileNotFoundError, match="no.onnx: No such file") as caught:
        xp.load(tmp_path / "no.onnx")
    assert caught.value.errno == errno.ENOENT and caught.value.kind == "file"
    assert caught.value.filename == str(tmp_path / "no.onnx")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(copy, xp.MissingFileError) and (str(copy), copy.errno) == (str(caught.value), errno.ENOENT)
    assert copy.filename == caught.value.filename
    with pytest.raises(xp.FileError) as caught:
        (tmp_path / "folder.onnx").mkdir()
        xp.load(tmp_path / "folder.onnx")
    assert not isinstance(caught.value, FileNotFoundError)
    assert str(caught.value) and caught.value.filename == str(tmp_path / "folder.onnx")


@pytest.mark.parametrize(
    ("make", "kind", "shapes", "axis"),
    [
        (lambda x: x @ x, "contracted-extents", ((2, 3), (2, 3)), None),
        (lambda x: xp.ones((2, 3, 3)) @ xp.ones((4, 3, 3)), "shapes", ((2, 3, 3), (4, 3, 3)), None),
        (lambda x: xp.vecdot(x, xp.ones((2, 1))), "shapes", ((2, 3), (2, 1)), None),
        (lambda x: xp.linalg.cross(x, xp.ones((2, 2))), "shapes", ((2, 3), (2, 2)), None),
        (lambda x: xp.tensordot(x, x, axes=1), "shapes", ((2, 3), (2, 3)), 1),
        (lambda x: xp.einsum("ij,jk->ik", x, x), "shapes", ((2, 3), (2, 3)), None),
        (lambda x: xp.concat([x, xp.ones((2, 4))]), "unequal-besides-axis", ((2, 3), (2, 4)), 0),
        (lambda x: xp.stack([x, xp.ones((2, 4))]), "unequal-shapes", ((2, 3), (2, 4)), None),
        (lambda x: xp.max(xp.zeros((0, 3)), axis=0), "shapes", ((0, 3),), 0),
        (lambda x: xp.take_along_axis(x, xp.asarray([0]), axis=0), "shapes", ((2, 3), (1,)), None),
        (lambda x: xp.pad(x, ((1, 1), (1, 1), (1, 1))), "shapes", ((2, 3),), None),
        (lambda x: x[[0, 1], [0, 1, 2]], "index-shapes", ((2,), (3,)), None),
        (lambda x: xp.sum(x, axis=2), "axis-out-of-range", None, 2),
        (lambda x: xp.reshape(x, (-1, 4)), "value", None, None),
    ],
)
def test_they_know_the_shapes_and_the_axis(make, kind, shapes, axis):
    with pytest.raises(xp.Error) as caught:
        make(xp.ones((2, 3)))
    assert (caught.value.kind, caught.value.shapes, caught.value.axis) == (kind, shapes, axis), caught.value
    for shape in shapes or ():
        assert "x".join(map(str, shape)) in str(caught.value)


def test_more_than_there_is_memory_for_is_an_error():
    many = xp.broadcast_to(xp.asarray(0), (10**10,))
    x = xp.asarray([0.0, 1.0, 2.0])
    for make in (
        lambda: xp.repeat(x, xp.asarray([2**62] * 3)),
        lambda: xp.repeat(x, xp.asarray([2**40, 0, 0])),
        lambda: xp.take(x, many, axis=0),
        lambda: x[many],
        lambda: x.__setitem__(many, 1.0),
        lambda: xp.take_along_axis(x, many, axis=0),
        lambda: xp.pad(x, 2**60, mode="wrap"),
    ):
        before = xp.set_memory_limit(50_000_000)
        try:
            with pytest.raises(xp.MemoryLimitError):
                xp.eval(make())
        finally:
            xp.set_memory_limit(before)
    assert xp.set_memory_limit(None) == before and xp.memory_usage()["limit"] == before


def test_what_nobody_looked_at_does_not_hold_all_that_it_is_of():
    before = xp.set_memory_limit(xp.memory_usage()["in_use"] + (64 << 20))
    try:
        means, greatest = [], []
        for i in range(40):
            x = xp.ones((1024, 1024)) * i
            xp.eval(x)
            means.append(xp.mean(x, axis=0))
            greatest.append(xp.max((x - 1) ** 2) + xp.min(x))
        assert xp.memory_usage()["in_use"] < 64 << 20
        assert [float(mean[7]) for mean in means] == list(range(40))
        assert [float(one) for one in greatest] == [(i - 1) ** 2 + i for i in range(40)]
    finally:
        xp.set_memory_limit(before)


def test_too_much_memory_is_an_error_and_nothing_is_lost():
    before = xp.set_memory_limit(xp.memory_usage()["in_use"] + (1 << 20))
    try:
        x = xp.ones((1024, 1024)) + 1
        with pytest.raises(MemoryError) as caught:
            xp.eval(x)
        assert caught.value.kind == "memory" and caught.value.shapes == ((1024, 1024),)
        assert x.shape == (1024, 1024) and x.dtype == xp.float64
        with pytest.raises((MemoryError, ValueError)):
            xp.eval(xp.zeros((1 << 40, 1 << 40)) + 1)
    finally:
        xp.set_memory_limit(before)
    assert xp.memory_usage()["limit"] == before
    assert float(xp.sum(xp.ones((1024, 1024)) + 1)) == 2 * 1024 * 1024
    assert float(xp.sum(x)) == 2 * 1024 * 1024


@pytest.mark.parametrize("name", ["int8", "int16", "float16", "float64"])
def test_what_there_was_no_memory_for_is_computed_later(name):
    x = xp.asarray(np.ones((147, 520), name), copy=True)
    own = xp.asarray(np.ones((300, 300)), copy=True) * 2
    before = xp.set_memory_limit(xp.memory_usage()["in_use"])
    try:
        waiting = [xp.sum(x, axis=0), xp.prod(x, axis=1), x + x, own + 1]
        for array in waiting:
            with pytest.raises(MemoryError):
                xp.eval(array)
        for look in (lambda: print(own), lambda: np.asarray(own), lambda: xp.eval(xp.sort(own)), lambda: xp.unique_values(own)):
            with pytest.raises(MemoryError):
                look()
        with pytest.raises(MemoryError):
            own[0, ...] = 1
            xp.eval(own)
    finally:
        xp.set_memory_limit(before)
    expected = [np.sum(np.asarray(x), axis=0), np.prod(np.asarray(x), axis=1), np.full((147, 520), 2, name), np.full((300, 300), 3.0)]
    for array, theirs in zip(waiting, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(array), theirs)
    assert float(own[1, 1]) == 2


def test_what_numpy_shares_is_folded_where_it_lies():
    shared = np.tile(np.arange(250, dtype=np.uint8), (4000, 8))
    x, ones = xp.asarray(shared), np.ones(2000)
    wide = shared.astype(np.float64)
    before = xp.set_memory_limit(xp.memory_usage()["in_use"] + (2 << 20))
    try:
        found = [
            xp.sum(x), xp.sum(x, axis=0), xp.sum(x, axis=1, dtype=xp.float64), xp.prod(x[:, :3], axis=1), xp.nansum(x, axis=1),
            xp.mean(x), xp.mean(x, axis=1), xp.var(x, axis=1), xp.std(x), x @ xp.asarray(ones), xp.einsum("ij->i", x),
        ]
        xp.eval(*found)
    finally:
        xp.set_memory_limit(before)
    expected = [
        wide.sum(), wide.sum(axis=0), wide.sum(axis=1), wide[:, :3].prod(axis=1), wide.sum(axis=1),
        wide.mean(), wide.mean(axis=1), wide.var(axis=1), wide.std(), wide @ ones, wide.sum(axis=1) % 256,
    ]
    for number, (ours, theirs) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-12, err_msg=str(number))


def test_what_cannot_be_computed_of_shared_memory_is_said_at_once():
    x, one = xp.asarray(np.ones((300, 3670), np.uint8)), xp.asarray(np.ones(1), copy=True)
    before = xp.set_memory_limit(xp.memory_usage()["in_use"])
    try:
        for make in (
            lambda: x + x,
            lambda: x + one,
            lambda: xp.sum(x, axis=0),
            lambda: xp.cumulative_sum(x, axis=0),
            lambda: xp.mean(x, axis=0),
            lambda: xp.any(x, axis=0),
            lambda: xp.einsum("ij->j", x),
        ):
            with pytest.raises(MemoryError):
                make()
    finally:
        xp.set_memory_limit(before)
    assert xp.sum(x, axis=0).tolist() == [300] * 3670 and (x + one).tolist() == [[2.0] * 3670] * 300


def test_an_error_leaves_other_arrays_alone():
    x = xp.arange(3)
    with pytest.raises(ValueError):
        x[:2] = xp.arange(3)
    with pytest.raises(ValueError):
        x += xp.arange(4)
    assert x.tolist() == [0, 1, 2]


def test_element_types_are_called_as_numpy_calls_them():
    with pytest.raises(xp.DTypeError, match=r"^sin: it takes no elements of type int8; convert them to one of float16, ") as caught:
        xp.sin(xp.ones(2, dtype=xp.int8))
    assert caught.value.facts["dtype"] == "int8" and "float32" in caught.value.facts["takes"]
    with pytest.raises(xp.DTypeError, match="int64 and uint64 have no common element type"):
        xp.ones(2, dtype=xp.int64) + xp.ones(2, dtype=xp.uint64)
    with pytest.raises(IndexError, match="indices are integers, not float64"):
        xp.take(xp.arange(3), xp.asarray([0.5]))
    with pytest.raises(TypeError, match="numbers of times are integers, not float64"):
        xp.repeat(xp.arange(2), xp.asarray([0.5, 1.5]))
    ml_dtypes = pytest.importorskip("ml_dtypes")
    with pytest.raises(BufferError, match="buffers know no elements of type bfloat16"):
        memoryview(xp.ones(2, dtype=xp.bfloat16))
    with pytest.raises(BufferError, match="DLPack has no elements of type int4"):
        xp.asarray(np.zeros(2, ml_dtypes.int4)).__dlpack__()


def test_what_does_not_go_beside_lines_is_refused_by_diff():
    x = xp.ones((2, 3))
    with pytest.raises(xp.BroadcastError, match="^diff: the shapes must be equal besides on axis 0, and they are 3x4 and 2x3$"):
        xp.diff(x, axis=0, prepend=xp.ones((3, 4)))
    with pytest.raises(TypeError, match="an array or a number is expected here"):
        xp.diff(x, append=[1.0])
    with pytest.raises(xp.Error):
        xp.diff(xp.ones(2, dtype=xp.int8), prepend=300)
    assert x.tolist() == [[1.0] * 3] * 2


def test_numbers_of_things_are_not_negative():
    x = xp.ones(3)
    for call in (lambda: xp.linspace(0, 1, -1), lambda: xp.eye(-1), lambda: xp.diff(x, n=-1), lambda: xp.set_threads(-1)):
        with pytest.raises(ValueError, match="a count is not negative, and -1 is"):
            call()
    square = xp.ones((2, 2))
    for call in (lambda: xp.eye(1.5), lambda: xp.eye(2, k=0.5), lambda: xp.tril(square, k=0.5), lambda: xp.triu(square, k=0.5)):
        with pytest.raises(TypeError, match="an integer is expected here, not a float"):
            call()
    for function in (xp.linalg.diagonal, xp.linalg.trace):
        with pytest.raises(TypeError, match="an integer is expected here, not a str"):
            function(square, offset="1")
    with pytest.raises(ValueError, match=r"one extent of a shape may be -1, and 2 of \[-1, -1\] are"):
        xp.reshape(x, (-1, -1))
    # What 64 bits hold of the others' product may divide the elements: of the second one it is 1.
    for extent in (2**32 + 1, 2**63 - 1):
        with pytest.raises(ValueError, match="3 elements leave no extent for -1"):
            xp.reshape(x, (-1, extent, extent))


def test_padding_is_by_a_pair_for_each_axis():
    x = xp.ones((2, 2))
    for pairs in (((1, 2), (3, 4), (5, 6)), ((5, 5), (5, 5), (5, 5)), np.ones((3, 2))):
        with pytest.raises(ValueError, match="constant_values= has 3 pairs for 2 axes; it is a number, a pair of them, or a pair for each"):
            xp.pad(x, 1, constant_values=pairs)
    with pytest.raises(ValueError, match="3 pairs are given for 2 axes"):
        xp.pad(x, ((1, 1), (1, 1), (1, 1)), constant_values=((1, 2), (3, 4)))


def test_there_are_no_more_axes_to_contract_than_an_array_has():
    for axes in (2, -1):
        with pytest.raises(ValueError, match=f"axes={axes}: the arrays have 2 and 1 axes to contract"):
            xp.tensordot(xp.ones((2, 3)), xp.ones(3), axes=axes)


def test_a_sorter_names_each_place():
    line = xp.asarray([3.0, 1.0])
    assert xp.searchsorted(line, 2.0, sorter=xp.asarray([1, 0])).item() == 1
    for sorter, text in (([0], "does not order a line"), ([0, 1, 1], "does not order"), ([-1, -2], "from 0 on"), ([0, 2], "index 2")):
        with pytest.raises((ValueError, IndexError), match=text):
            xp.searchsorted(line, 2.0, sorter=xp.asarray(sorter))


def test_functions_are_called_as_the_caller_calls_them():
    for name, call in {
        "concat": lambda: xp.concat([xp.ones((2, 3)), xp.ones((2, 4))], axis=0),
        "tril": lambda: xp.tril(xp.ones(3)),
        "triu": lambda: xp.triu(xp.ones(3)),
        "permute_dims": lambda: xp.permute_dims(xp.ones((2, 3)), (0, 0)),
        "isin": lambda: xp.isin(xp.ones(2, dtype=xp.int64), xp.ones(2, dtype=xp.uint64)),
    }.items():
        with pytest.raises(xp.Error, match=f"^{name}: "):
            call()
    model = xp.load(Path(__file__).parents[3] / "cases/openvino/minimal.xml")
    with pytest.raises(xp.DTypeError, match="the input x is float32, and float64 was given; convert it first"):
        model(xp.ones((2, 3)))


def test_names_of_numpy_are_answered_with_ours():
    for name, instead in INSTEAD.items():
        assert not hasattr(xp, name)
        first, *_ = re.match(r"[\w.]+", instead)[0].removeprefix("linalg.").split(".")
        assert first == "x" or hasattr(xp.linalg if instead.startswith("linalg.") else xp, first), instead
    with pytest.raises(AttributeError, match="ndcast has no concatenate; write concat$"):
        xp.concatenate
    with pytest.raises(AttributeError, match="ndcast has no cumulative_su; did you mean cumulative_sum"):
        xp.cumulative_su
    with pytest.raises(AttributeError, match="ndcast has no __wrapped__$"):
        xp.__wrapped__
    for function in (xp.take, lambda x, _: xp.cumulative_sum(x)):
        with pytest.raises(ValueError, match="(take|cumulative_sum): axis= says along which axis, .*; this has 2"):
            function(xp.ones((2, 3)), xp.asarray([0]))


def test_what_is_no_extent_and_no_number_of_times():
    with pytest.raises(TypeError, match="an extent is an integer, a name, an interval or None, not True"):
        xp.explain("array-api", (True,), (3,))
    with pytest.raises(TypeError, match="repeats is an integer, or an array or a list of integers, not a float"):
        xp.repeat(xp.arange(3), 1.5)
    with pytest.raises(TypeError, match="there are no elements of the type object"):
        xp.asarray(np.array([1, 2], dtype=object))


def test_functions_that_are_no_methods_are_said():
    x = xp.ones((2, 2))
    for name, said in (
        ("sum", r"write ndcast\.sum\(x\)"),
        ("reshape", r"write ndcast\.reshape\(x\)"),
        ("svd", r"write ndcast\.linalg\.svd\(x\)"),
        ("flatten", r"write reshape\(x, \(-1,\)\)"),
        ("nothing_like_it", "an array has no nothing_like_it$"),
        ("__array_interface__", "an array has no __array_interface__$"),
    ):
        with pytest.raises(AttributeError, match=said):
            getattr(x, name)
    assert not hasattr(x, "sum")


def test_arrays_that_numpy_has_not_are_printed():
    many = xp.ones((1,) * 65)
    assert repr(many).startswith("Array(") and "65 axes" in repr(many) and "65 axes" in str(many)
    large = xp.broadcast_to(xp.asarray(1.5), (2**40, 2**20))
    assert "..." in repr(large) and "1.5" in str(large)
    for array in (many, large):
        with pytest.raises(ValueError, match="no array of NumPy has the shape"):
            np.asarray(array)


def test_lapack_takes_no_halves():
    pytest.importorskip("ml_dtypes")
    for dtype in (xp.float16, xp.bfloat16):
        with pytest.raises(xp.DTypeError, match=f"linalg.det takes no elements of type {np.dtype(dtype)}"):
            xp.linalg.det(xp.ones((2, 2), dtype=dtype))


def test_strides_beyond_all_addresses_are_no_memory_to_share():
    far = np.lib.stride_tricks.as_strided(np.zeros(64, bool), (2**60,), (16,))
    with pytest.raises(ValueError, match="reach beyond what has addresses"):
        xp.asarray(far, copy=False)


def test_an_argument_is_given_once():
    with pytest.raises(TypeError, match='leaky_relu.. has the argument "alpha" twice'):
        xp.leaky_relu(xp.ones(2), 0.5, alpha=0.5)
    with pytest.raises(TypeError, match="exp.. takes 1 argument, and 2 are given"):
        xp.exp(xp.ones(2), xp.ones(2))
