"""Parts of arrays: they keep their values when the array is changed, which does not copy all of it for that."""

import random
import threading
from contextlib import contextmanager

import ndcast as xp
import numpy as np
import pytest


@contextmanager
def little_room():
    """Room for one more megabyte."""
    before = xp.set_memory_limit(xp.memory_usage()["in_use"] + (1 << 20))
    try:
        yield
    finally:
        xp.set_memory_limit(before)


@pytest.fixture
def large():
    """An array of 8 MB that may be written, and little room besides."""
    x = xp.zeros((1000, 1000))
    x[0, 0] = 0
    with little_room():
        yield x


def test_rows_that_are_held(large):
    for i in range(1, 1000):
        row = large[i - 1]
        large[i] = row + 1
    assert float(large[999, 3]) == 999 and float(row[0]) == 998


VIEWS = {
    "reshaped": lambda row: xp.reshape(row, (10, 100)),
    "backwards": xp.flip,
    "turned": lambda row: xp.permute_dims(xp.expand_dims(row, axis=0), (1, 0)),
    "squeezed": lambda row: xp.squeeze(xp.expand_dims(row, axis=1), axis=1),
    "moved": lambda row: xp.moveaxis(row[:, None], 0, 1),
    "one of them": lambda row: xp.unstack(xp.reshape(row, (2, 500)))[1],
    "stretched": lambda row: xp.broadcast_to(row, (3, 1000)),
    "one of two": lambda row: xp.broadcast_arrays(row, xp.zeros((2, 1)))[0],
    "as it is": xp.asarray,
    "copied": lambda row: row.copy(),
    "diagonal": lambda row: xp.linalg.diagonal(xp.reshape(row, (10, 100))),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_views_of_each_kind(large, view):
    for i in range(1, 100):
        held = view(large[i - 1])
        values = held.tolist()
        large[i] = i
        large[i - 1] = -1
        assert held.tolist() == values


def test_a_view_of_all_of_it(large):
    flat = xp.reshape(large, (-1,))
    # All of it is copied once, and then there are no others.
    with pytest.raises(MemoryError):
        large[3] = 1
    xp.set_memory_limit(xp.memory_usage()["in_use"] + (9 << 20))
    for i in range(100):
        large[i] = i
        flat[i] = -i
    assert float(flat[1000]) == 0 and float(flat[99]) == -99 and float(large[0, 7]) == 0 and float(large[99, 7]) == 99


def test_parts_of_complex_numbers():
    z = xp.zeros((1000, 500), dtype=xp.complex128)
    z[0, 0] = 0
    with little_room():
        for i in range(1, 100):
            real, imag = z[i - 1].real, xp.imag(z[i - 1])
            z[i] = real + 1 + 2j * (imag + 1)
            assert float(real[5]) == i - 1
    assert complex(z[2, 3]) == 2 + 6j


def test_many_that_are_held(large):
    held = []
    for i in range(25):
        large[i, :] = i
        held += [large[i], large[i, 5:900:2], large[i, 7], large[:, i], large.T[3:5, i], large.mT[i][::-1]]
    large[...] = 7
    for i in range(25):
        rows, columns = held[6 * i], held[6 * i + 3]
        assert rows.shape == (1000,) and bool(xp.all(rows == i)) and bool(xp.all(held[6 * i + 1] == i)) and float(held[6 * i + 2]) == i
        assert bool(xp.all(columns[: i + 1] == xp.arange(i + 1))) and bool(xp.all(columns[i + 1 :] == 0))
        assert held[6 * i + 4].tolist() == [i, i] and float(held[6 * i + 5][999 - i]) == i and float(held[6 * i + 5][0]) == 0


def test_parts_of_parts(large):
    row = large[1:3]
    half = row[0, 500:]
    for i in range(20):
        large[i % 4] = i + 1
    assert bool(xp.all(row == 0)) and bool(xp.all(half == 0)) and row.shape == (2, 1000)
    # The part is the one that is written.
    part = large[2]
    for i in range(20):
        held = part[i]
        part[i] = -1
        assert float(held) == 19
    assert float(xp.sum(part)) == 19 * 980 - 20 and bool(xp.all(large[2] == 19))


def test_a_part_in_place_of_its_array():
    x = xp.zeros((1001, 1000))[1:]
    x[0] = 0
    with little_room():
        for i in range(1, 1000):
            row = x[i - 1]
            x[i] = row + 1
    assert float(x[999, 3]) == 999 and float(row[0]) == 998


def test_copies_of_parts_and_parts_that_are_written(large):
    other = large[999]
    for i in range(100):
        row, copy = large[i].copy(), large[i][::-1].copy()
        other[0] = i
        large[i + 1] = row + 1
        assert float(copy[0]) == i
    assert float(large[100, 5]) == 100 and float(large[999, 0]) == 0 and float(other[0]) == 99


def test_many_parts_take_no_longer(large):
    parts = [large[i % 1000, :10] for i in range(4000)]
    for i in range(300):
        large[i] = i
    assert float(xp.sum(xp.stack(parts[:1000]))) == 0 and float(xp.sum(large)) == 1000 * 299 * 150


def test_rows_one_after_the_other():
    x = xp.zeros((1000, 1000))
    x[0, 0] = 0
    for i, row in enumerate(x):
        # The first change copies all, of which there are parts; the others do not.
        if i == 1:
            before = xp.set_memory_limit(xp.memory_usage()["in_use"] + (1 << 20))
        x[i] = row + i
        assert bool(xp.all(row == 0))
    xp.set_memory_limit(before)
    assert bool(xp.all(x == xp.arange(1000)[:, None]))


def test_one_element_keeps_no_other():
    before = xp.memory_usage()["in_use"]
    ones = [xp.ones((512, 512), dtype=xp.float32)[3, 4] for _ in range(8)]
    assert [float(one) for one in ones] == [1] * 8
    assert xp.memory_usage()["in_use"] <= before + (1 << 16)


def test_one_element_of_what_is_not_computed_yet():
    x = xp.asarray(np.random.default_rng(0).random(200_000), copy=True)
    before = xp.memory_usage()["in_use"]
    made = [xp.sort(x * i)[100_000] for i in range(20)] + [xp.sin(x)[3], xp.cumulative_sum(x)[-1]]
    made += [xp.sort(x)[:5], xp.reshape(xp.cos(x), (400, 500))[:, 7], xp.exp(x)[::1000], (x + 1)[5:5]]
    xp.eval(*made)
    assert xp.memory_usage()["in_use"] <= before + (1 << 18)
    a = np.asarray(x)
    assert float(made[20]) == float(xp.sin(x)[3]) and made[24].shape == (200,) and made[25].shape == (0,)
    np.testing.assert_array_equal(np.asarray(made[22]), np.sort(a)[:5])


def test_sums_of_many_terms_take_little_memory():
    y = xp.asarray(np.random.default_rng(0).random(200_000), copy=True)
    before = xp.set_memory_limit(xp.memory_usage()["in_use"] + 20 * y.nbytes)
    try:
        total, turned, greatest = xp.zeros(200_000), xp.zeros(200_000), xp.zeros(200_000)
        for i in range(400):
            total += y * i
            turned = xp.exp(-((y - i) ** 2)) + turned
            greatest = xp.maximum(greatest, y * i - i)
        xp.eval(total, turned, greatest)
    finally:
        xp.set_memory_limit(before)
    a = np.asarray(y)
    np.testing.assert_allclose(np.asarray(total), a * sum(range(400)), rtol=1e-12)
    assert float(xp.max(xp.abs(turned - sum(np.exp(-((a - i) ** 2)) for i in range(400))))) < 1e-12
    assert bool(xp.all(greatest == 0))


def test_what_numpy_shares_is_copied_when_it_is_written():
    a = np.zeros((100, 100))
    x = xp.asarray(a)
    row = x[3]
    x[4] = 1
    assert a.sum() == 0 and float(xp.sum(row)) == 0 and float(xp.sum(x)) == 100


def random_key(dice, shape):
    def cut(extent):
        return slice(*dice.choices(range(-extent, extent + 1), k=2), dice.choice([None, 1, 2, -1, -3]))

    parts = [dice.choice([cut(extent), slice(None), slice(extent // 3, None), dice.randrange(-extent, extent) if extent else cut(0)]) for extent in shape]
    return tuple(parts[: dice.randint(0, len(parts))])


@pytest.mark.parametrize("seed", range(40))
def test_random_parts_and_changes(seed):
    """Handles, each beside a copy of its own in NumPy: no change of one is seen in another."""
    dice = random.Random(seed)
    base = np.arange(60.0 * 70).reshape(60, 70)
    handles = [(xp.asarray(base, copy=True), base.copy())]
    for _ in range(80):
        ours, theirs = dice.choice(handles)
        index = random_key(dice, theirs.shape)
        step = dice.choice(["part", "part", "turned", "set", "set array", "set part", "in place", "drop", "lazy", "rows"])
        if step == "part":
            handles.append((ours[index], np.array(theirs[index])))
        elif step == "turned" and theirs.ndim == 2:
            handles.append((ours.T, theirs.T.copy()))
        elif step == "set":
            number = dice.randint(-99, 99)
            ours[index] = number
            theirs[index] = number
        elif step == "set array":
            value, other = dice.choice(handles)
            if theirs.ndim and (other.ndim == 0 or other.shape == theirs[index].shape):
                ours[index] = value
                theirs[index] = other
        elif step == "set part" and theirs.ndim:
            held = ours[index]
            handles.append((held, np.array(theirs[index])))
            ours[index] = held[...] - 1
            theirs[index] = theirs[index] - 1
        elif step == "in place" and theirs.ndim:
            ours[index] += 2
            theirs[index] += 2
        elif step == "drop" and len(handles) > 3:
            del handles[dice.randrange(len(handles))]
        elif step == "lazy":
            handles.append((ours * 2 + 1, np.array(theirs * 2 + 1)))
        elif step == "rows" and theirs.ndim == 2 and 0 < len(theirs) < 9:
            handles += [(row, other.copy()) for row, other in zip(ours, theirs)]
        handles = handles[-24:]
    for ours, theirs in handles:
        np.testing.assert_array_equal(np.asarray(ours), theirs)


def test_parts_in_other_threads():
    x = xp.zeros((200, 1000))
    x[0, 0] = 0
    wrong, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            row = x[5]
            first = row[0]
            if not bool(xp.all(row == first)):
                wrong.append(row)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for i in range(300):
        x[5] = i
        x[6] = x[5] + 1
    stop.set()
    for reader in readers:
        reader.join()
    assert not wrong and float(x[6, 9]) == 300


def test_memory_of_dlpack_in_threads():
    """Its deleter waits for the interpreter's lock, which whoever reads has while it waits for the array's."""
    stop = threading.Event()
    arrays = [xp.from_dlpack(np.zeros((400, 400)))]

    def write():
        for i in range(200):
            arrays[0] = xp.from_dlpack(np.zeros((400, 400)))
            arrays[0][0] = i
        stop.set()

    def read():
        while not stop.is_set():
            x = arrays[0]
            assert x.shape == (400, 400) and x[3].shape == (400,)

    threads = [threading.Thread(target=target, daemon=True) for target in (write, read, read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
