"""Memory both ways: NumPy, buffers, DLPack, pickles. Who sees what, and who may write."""

import array as stdlib_array
import copy
import ctypes
import gc
import hashlib
import pickle
import threading

import numpy as np
import pytest

import ndcast as xp

DTYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()


@pytest.mark.parametrize("name", DTYPES)
def test_every_type_there_and_back(name):
    numbers = np.arange(6).reshape(2, 3).astype(name)
    for source in (numbers, numbers[:, ::-1], numbers.T, numbers[:0], numbers[0, 0], np.broadcast_to(numbers[0], (2, 3))):
        array = xp.asarray(source)
        assert array.dtype == source.dtype and array.dtype is np.dtype(name)
        assert array.shape == source.shape
        for back in (np.asarray(array), np.asarray(memoryview(array)), np.from_dlpack(array)):
            assert back.dtype == source.dtype
            np.testing.assert_array_equal(back, source)
        np.testing.assert_array_equal(np.asarray(xp.from_dlpack(np.array(source))), source)


def test_memory_is_shared_both_ways():
    numbers = np.arange(10000.0)
    array = xp.asarray(numbers)
    assert np.shares_memory(np.asarray(array), numbers)
    assert np.shares_memory(np.asarray(array[10:20]), numbers)
    assert np.shares_memory(np.from_dlpack(array), numbers)
    assert np.shares_memory(np.asarray(xp.from_dlpack(numbers)), numbers)
    assert not np.shares_memory(np.asarray(xp.asarray(numbers, copy=True)), numbers)
    own = array + 1
    assert np.shares_memory(np.asarray(own), np.asarray(own))


def test_what_numpy_writes_changes_no_result():
    numbers = np.arange(6.0).reshape(2, 3)
    array = xp.asarray(numbers)
    row = array[0]
    same, larger, smaller = array + 1, xp.ones((4, 1, 1)) * array, xp.sum(array)
    operand = xp.zeros(3) + numbers
    numbers[0, 0] = 100
    assert float(array[0, 0]) == 100 and float(row[0]) == 100
    assert float(same[0, 0]) == 1 and float(larger[3, 0, 0]) == 0 and float(smaller) == 15
    assert float(operand[0, 0]) == 0


def test_what_is_changed_here_numpy_does_not_see():
    numbers = np.arange(3.0)
    array = xp.asarray(numbers)
    array += 1
    array[0] = 50
    assert numbers.tolist() == [0, 1, 2]
    shown = np.asarray(array)
    array[1] = 60
    assert shown.tolist() == [50, 2, 3]
    assert array.tolist() == [50, 60, 3]


def test_shown_memory_is_read_only():
    array = xp.arange(3) + 0
    with pytest.raises(ValueError):
        np.asarray(array)[0] = 1
    with pytest.raises(ValueError):
        np.from_dlpack(array)[0] = 1
    assert memoryview(array).readonly
    # A copy is the caller's.
    copied = np.array(array)
    copied[0] = 7
    assert array.tolist() == [0, 1, 2]
    assert np.asarray(array, copy=True).flags.writeable


def test_strides_are_kept():
    wide = xp.broadcast_to(xp.asarray([1.0, 2.0]), (3, 2))
    assert memoryview(wide).strides == (0, 8)
    assert np.from_dlpack(wide).strides == (0, 8)
    assert np.asarray(xp.flip(xp.arange(4))).strides == (-8,)
    # Constants are one element; there is one for each place where somebody may write them.
    assert np.from_dlpack(xp.ones((2, 3))).strides == (24, 8)
    assert np.from_dlpack(xp.ones((2, 3)), copy=False).strides == (0, 0)
    # Some libraries take nothing by DLPack that lies backwards.
    assert np.from_dlpack(xp.flip(xp.arange(4))).strides == (8,)
    assert np.from_dlpack(xp.flip(xp.arange(4)), copy=False).strides == (-8,)
    # Who takes no strides gets the elements one behind the other.
    assert bytes(xp.flip(xp.asarray([1, 2], dtype=xp.uint8))) == b"\x02\x01"


class View(ctypes.Structure):
    """A view as C has it."""

    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p),
                ("shape", ctypes.POINTER(ctypes.c_ssize_t)), ("strides", ctypes.POINTER(ctypes.c_ssize_t)),
                ("suboffsets", ctypes.POINTER(ctypes.c_ssize_t)), ("internal", ctypes.c_void_p)]


def seen(array, flags, look):
    """What is seen of a view that is asked for with C's flags, and given back."""
    view = View()
    get, release = ctypes.pythonapi.PyObject_GetBuffer, ctypes.pythonapi.PyBuffer_Release
    get.argtypes = [ctypes.py_object, ctypes.POINTER(View), ctypes.c_int]
    release.argtypes, release.restype = [ctypes.POINTER(View)], None
    get(array, ctypes.byref(view), flags)
    made = look(view)
    release(ctypes.byref(view))
    return made


def contiguous(array, flags):
    """The strides, and the bytes as they lie."""
    return seen(array, flags, lambda view: (tuple(view.strides[: view.ndim]), ctypes.string_at(view.buf, view.len)))


def address(array):
    """Where the bytes of an array are, which is one line of them for who asks for no shape."""

    def look(view):
        assert view.ndim == 1 and not view.shape and not view.strides
        return view.buf

    return seen(array, 0, look)


def test_who_asks_for_elements_in_rows_or_columns_gets_them_so():
    rows, columns, either = 0x38, 0x58, 0x98

    def wide():
        return xp.broadcast_to(xp.asarray([1, 2], dtype=xp.uint8), (3, 2))

    def turned():
        return xp.asarray([[1, 2], [3, 4], [5, 6]], dtype=xp.uint8).T

    for make, in_either in ((wide, (2, 1)), (turned, (1, 2)), (lambda: turned().T, (2, 1)), (lambda: turned()[:, ::-1], (3, 1))):
        expected = np.asarray(make())
        height, width = expected.shape
        assert contiguous(make(), rows) == ((width, 1), expected.tobytes())
        assert contiguous(make(), columns) == ((1, height), expected.tobytes(order="F"))
        assert contiguous(make(), either) == (in_either, expected.tobytes(order="F" if in_either[0] == 1 else "C"))


def test_views_of_bytes():
    array = xp.asarray([[1, 2, 3], [4, 5, 6]], dtype=xp.uint8)
    for turned in (array, array.T, array[:, ::-1], array[::2]):
        bytes_of = np.asarray(turned).tobytes()
        assert hashlib.sha256(turned).digest() == hashlib.sha256(bytes_of).digest()
        # Who gives the view back at once may read on as long as there is the array, which has the copy now.
        seen = (ctypes.c_uint8 * len(bytes_of)).from_address(address(turned))
        assert bytes(seen) == bytes_of
        assert turned.tolist() == np.frombuffer(bytes_of, np.uint8).reshape(turned.shape).tolist()
    # What somebody else lends stays theirs.
    lent = np.arange(6, dtype=np.uint8)[::-1]
    shared = xp.asarray(lent)
    assert bytes(shared) == lent.tobytes() and hashlib.md5(shared).digest() == hashlib.md5(lent.tobytes()).digest()
    lent[0] = 77
    assert shared[0] == 77


def test_dlpack_capsules():
    array = xp.arange(3)
    assert "dltensor_versioned" in repr(array.__dlpack__(max_version=(1, 0)))
    assert '"dltensor"' in repr(array.__dlpack__())
    assert np.from_dlpack(array, copy=True).flags.writeable
    assert array.__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError):
        array.__dlpack__(dl_device=(2, 0))
    with pytest.raises((TypeError, AttributeError)):
        xp.from_dlpack([1, 2])

    class Old:
        def __dlpack__(self):
            return np.arange(3).__dlpack__()

        def __dlpack_device__(self):
            return (1, 0)

    assert xp.from_dlpack(Old()).tolist() == [0, 1, 2]


class DlTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64), ("context", ctypes.c_void_p),
                ("deleter", ctypes.c_void_p)]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({}, None),
        ({"strides": None}, None),
        ({"ndim": -1}, "that no memory has"),
        ({"shape": None}, "that no memory has"),
        ({"shape": [2, -1]}, "that no memory has"),
        ({"strides": [2**62, 1]}, "that no memory has"),
        ({"strides": [-(2**63), 1]}, "that no memory has"),
        ({"shape": [2**62, 2**62], "strides": None}, "more elements than can be addressed"),
        ({"data": None, "offset": 8}, "points nowhere"),
    ],
)
def test_capsules_that_cannot_be(wrong, message):
    numbers = (ctypes.c_float * 4)(1, 2, 3, 4)
    fields = {"data": ctypes.addressof(numbers), "device": (1, 0), "ndim": 2, "code": 2, "bits": 32, "lanes": 1,
              "shape": [2, 2], "strides": [1, 2], **wrong}
    for name in ("shape", "strides"):
        fields[name] = fields[name] and (ctypes.c_int64 * 2)(*fields[name])
    tensor = DlTensor(**fields)
    make = ctypes.pythonapi.PyCapsule_New
    make.argtypes, make.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p], ctypes.py_object

    class Lender:
        def __dlpack__(self):
            return make(ctypes.addressof(tensor), b"dltensor", None)

        def __dlpack_device__(self):
            return (1, 0)

    if message is None:
        expected = [[1, 3], [2, 4]] if wrong == {} else [[1, 2], [3, 4]]
        assert xp.from_dlpack(Lender(), copy=True).tolist() == expected
        return
    with pytest.raises(Exception, match=message):
        xp.from_dlpack(Lender())


def test_truth_values_of_a_capsule_are_0_or_1():
    for count in (4, 8000):
        truths = np.tile(np.array([2, 0, 255, 1], dtype=np.uint8), count // 4).view(bool)[::-1]
        array = xp.from_dlpack(truths)
        assert int(xp.sum(array)) == 3 * count // 4 == xp.nonzero(array)[0].size
        np.testing.assert_array_equal(np.asarray(~array), ~(truths.view(np.uint8) != 0))
        assert bool(array[0]) and not array[2]
        with pytest.raises(xp.ArrayError, match="not all of its truth values are 0 or 1"):
            xp.from_dlpack(truths, copy=False)
    own = np.array([True, False] * 4000)
    shared = xp.from_dlpack(own, copy=False)
    own[0] = False
    assert not shared[0] and shared[2]


def test_a_capsule_outlives_its_array_and_may_be_dropped_unused():
    def make():
        return np.from_dlpack(xp.arange(1000) * 2)

    taken = make()
    for _ in range(100):
        (xp.arange(1000) * 3).__dlpack__(max_version=(1, 0))
    assert taken[999] == 1998


def test_other_bytes_and_odd_places():
    assert xp.asarray(np.arange(3, dtype=">i4")).tolist() == [0, 1, 2]
    record = np.zeros(3, dtype=[("a", "i1"), ("b", "<f8")])
    record["b"] = [1, 2, 3]
    assert xp.asarray(record["b"]).tolist() == [1, 2, 3]
    odd = np.frombuffer(b"\x00" + np.arange(3.0).tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert xp.asarray(odd).tolist() == [0, 1, 2]
    truths = np.array([0, 1, 2, 255], dtype=np.uint8).view(bool)
    assert xp.asarray(truths).tolist() == [False, True, True, True]
    assert xp.sum(xp.asarray(truths), dtype=xp.int64).item() == 3
    with pytest.raises(ValueError):
        xp.asarray(odd, copy=False)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16", "float32"])
def test_rows_that_lie_as_no_word_does(dtype):
    for columns in (2, 4, 8):
        numbers = np.arange(1 + 5 * columns).astype(dtype)[1:].reshape(5, columns)
        x, order = xp.asarray(numbers), [4, 0, 2]
        np.testing.assert_array_equal(x[order], numbers[order])
        np.testing.assert_array_equal(xp.take(x, xp.asarray(order), axis=0), numbers[order])
        np.testing.assert_array_equal(xp.repeat(x, [0, 2, 1, 0, 3], axis=0), np.repeat(numbers, [0, 2, 1, 0, 3], axis=0))
        mask = np.array([True, False, True, True, False])
        np.testing.assert_array_equal(x[mask], numbers[mask])


def test_what_has_nothing_to_do_is_nobodys_memory_either():
    numbers = np.arange(4.0)
    x = xp.asarray(numbers)
    results = [xp.roll(x, 4), xp.roll(x, 0, axis=0), xp.sum(x, axis=()), xp.max(x, axis=()), xp.repeat(x, 1), xp.tile(x, (1,))]
    numbers[:] = -1
    for result in results:
        assert result.tolist() == [0, 1, 2, 3]


def test_more_bytes_than_a_buffer_has():
    x = xp.broadcast_to(xp.ones(1), (2**60,))
    for look in (memoryview, np.asarray):
        with pytest.raises((BufferError, ValueError)):
            look(x)
    assert "..." in repr(x)


def test_anything_becomes_an_array():
    assert xp.asarray(True).dtype == xp.bool
    assert xp.asarray(1).dtype == xp.int64
    assert xp.asarray([1, 2.5]).dtype == xp.float64
    assert xp.asarray([[1j], [2]]).dtype == xp.complex128
    assert xp.asarray([xp.asarray(1), xp.asarray(2)]).tolist() == [1, 2]
    assert xp.asarray(stdlib_array.array("i", [1, 2])).tolist() == [1, 2]
    assert xp.asarray(memoryview(b"ab")).tolist() == [97, 98]
    assert xp.asarray(range(3)).tolist() == [0, 1, 2]
    assert xp.asarray([]).shape == (0,)
    x = xp.asarray([1, 2])
    assert xp.asarray(x) is x and xp.asarray(x, copy=True) is not x
    for wrong in (object(), "text", [[1], [1, 2]], None, [None], np.array(["a"])):
        with pytest.raises((TypeError, ValueError)):
            xp.asarray(wrong)
    with pytest.raises(ValueError):
        xp.asarray([1, 2], copy=False)
    with pytest.raises(OverflowError):
        xp.asarray([1, 300], dtype=xp.uint8)
    with pytest.raises(OverflowError):
        xp.asarray(-1, dtype=xp.uint8)


def test_pickles_and_copies():
    for array in (xp.arange(6) + 1, xp.broadcast_to(xp.ones(()), (2, 2)), xp.zeros((0, 3)), xp.asarray([True])):
        for other in (pickle.loads(pickle.dumps(array)), copy.copy(array), copy.deepcopy(array), array.copy()):
            assert other is not array and other.dtype == array.dtype and other.shape == array.shape
            np.testing.assert_array_equal(np.asarray(other), np.asarray(array))
    for function in (xp.add, xp.where, xp.sum, xp.linalg.cross, xp.unique_all):
        assert pickle.loads(pickle.dumps(function)) is function


def test_integers_of_fewer_bits_than_a_byte():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for name, least in (("int4", -8), ("int2", -2), ("uint4", 0), ("uint2", 0)):
        numbers = list(range(least, -least or 4))
        a = np.array(numbers, getattr(ml_dtypes, name))
        for x in (xp.asarray(a), xp.asarray(a[::-1])[::-1], xp.asarray(np.tile(a, 2000))[: len(numbers)]):
            assert xp.astype(x, xp.float32).tolist() == numbers
            assert np.asarray(x).astype(np.float32).tolist() == numbers
        short = xp.astype(xp.asarray(numbers), a.dtype)
        assert np.asarray(short).astype(np.int64).tolist() == numbers


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    numbers = np.array([1.5, -2.0, 3.0], dtype=ml_dtypes.bfloat16)
    array = xp.asarray(numbers)
    assert array.dtype == xp.bfloat16 == numbers.dtype
    assert np.asarray(array + 1).tolist() == [2.5, -1.0, 4.0]
    assert xp.asarray([1, 2], dtype=xp.bfloat16).dtype == xp.bfloat16
    assert xp.asarray(np.broadcast_to(numbers, (1000, 3)))[5, 0].item() == 1.5
    assert pickle.loads(pickle.dumps(array)).dtype == xp.bfloat16
    assert (array + xp.ones(3, dtype=xp.float16)).dtype == xp.float32
    assert xp.from_dlpack(array).dtype == xp.bfloat16


def test_lent_memory_is_kept_and_let_go():
    import gc
    import weakref

    numbers = np.zeros(100000)
    gone = weakref.ref(numbers)
    array = xp.asarray(numbers)
    part = array[1:]
    del numbers, array
    gc.collect()
    assert gone() is not None and float(part[0]) == 0
    del part
    gc.collect()
    assert gone() is None


def test_many_threads_share_arrays():
    x = xp.arange(200000, dtype=xp.float64)
    y = xp.sqrt(x + 1) * 2
    found, errors = [], []

    def work(number):
        try:
            for _ in range(10):
                found.append(float(xp.sum(y)))
                z = y + number
                z += 1
                z[0] = 0
                np.asarray(z)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not errors and len(set(found)) == 1 and len(found) == 80


def test_one_array_changed_by_many_threads():
    x = xp.zeros(1000, dtype=xp.int64)

    def work():
        nonlocal x
        for _ in range(200):
            x += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert xp.unique_values(x).tolist() == [800]


def test_others_run_while_arrays_are_computed():
    import time

    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    x = xp.asarray(np.random.default_rng(0).random((2000, 2000)), copy=True)
    thread = threading.Thread(target=tick)
    thread.start()
    time.sleep(0.02)
    before = len(ticks)
    xp.eval(xp.sort(x, axis=0) + xp.exp(x))
    after = len(ticks)
    done.set()
    thread.join()
    assert after - before >= 5


def test_a_capsule_is_for_one():
    class Once:
        def __init__(self, capsule):
            self.capsule = capsule

        def __dlpack__(self, **named):
            return self.capsule

        def __dlpack_device__(self):
            return 1, 0

    for numbers in (np.arange(1e5), xp.arange(1e5)):
        for named in ({}, {"max_version": (1, 0)}):
            once = Once(numbers.__dlpack__(**named))
            array = xp.from_dlpack(once)
            assert "used_dltensor" in repr(once.capsule)
            for take in (np.from_dlpack, xp.from_dlpack):
                with pytest.raises((BufferError, ValueError)):
                    take(once)
            del once
            gc.collect()
            assert float(xp.sum(array)) == 1e5 * (1e5 - 1) / 2
    # One that fails is given back, too.
    once = Once(np.arange(4).astype("M8[s]").view("i8").__dlpack__())
    assert xp.from_dlpack(once).shape == (4,)


def test_an_exporter_may_bring_it_here():
    class Elsewhere:
        def __dlpack__(self, *, dl_device=None, **named):
            if dl_device != (1, 0):
                raise BufferError("it is elsewhere")
            return np.arange(3.0).__dlpack__()

        def __dlpack_device__(self):
            return 2, 0

    assert xp.from_dlpack(Elsewhere(), device="cpu").tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(BufferError, match="device of kind 2"):
        xp.from_dlpack(Elsewhere())


def test_ufuncs_that_write_into_their_argument():
    x = xp.asarray([0.0, 0.0, 0.0])
    same, view, zeros = x.copy(), x[1:], xp.zeros(3)
    np.add.at(x, [0, 0, 2], xp.asarray([1.0, 2.0, 4.0]))
    np.add.at(zeros, xp.asarray([1, 1]), 1)
    assert x.tolist() == [3.0, 0.0, 4.0] and zeros.tolist() == [0.0, 2.0, 0.0]
    assert same.tolist() == [0.0, 0.0, 0.0] and view.tolist() == [0.0, 0.0]
    theirs = np.zeros((2, 2))
    np.add.at(theirs, (xp.asarray([0, 0]), xp.asarray([1, 1])), 1)
    assert theirs.tolist() == [[0.0, 2.0], [0.0, 0.0]]


def test_masks_of_ufuncs():
    mask = xp.asarray([True, False, True])
    for out in (np.full(3, 7.0), xp.asarray([7.0, 7.0, 7.0])):
        np.add(np.ones(3), 1, where=mask, out=out)
        assert out.tolist() == [2.0, 7.0, 2.0]
    assert float(np.sum(np.ones(3), where=mask)) == 2.0
