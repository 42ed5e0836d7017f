"""Policies: what they forbid, what they warn of, and where they hold."""

import threading
import warnings

import pytest

import ndcast as xp


def test_rank_promotion():
    x, row = xp.ones((2, 3)), xp.ones(3)
    with xp.policy(rank_promotion="raise"):
        for wrong in (lambda: x + row, lambda: row * x, lambda: xp.maximum(x, row), lambda: xp.where(x > 0, x, row)):
            with pytest.raises(xp.BroadcastError) as caught:
                wrong()
            assert caught.value.kind == "rank-promotion" and "(2, 3)" in str(caught.value)
        # Numbers and arrays without axes are no accident.
        assert (x + 1).shape == (x + xp.asarray(1.0)).shape == (x + row[None]).shape == (2, 3)
        y = xp.ones((2, 3))
        with pytest.raises(xp.BroadcastError):
            y += row
    assert (x + row).shape == (2, 3)


def test_mutual_stretching():
    column, row = xp.ones((3, 1)), xp.ones((3,))
    with xp.policy(mutual_stretching="raise"):
        with pytest.raises(xp.BroadcastError) as caught:
            column - row
        assert caught.value.kind == "mutual-stretching" and caught.value.shapes == ((3, 1), (3,))
        assert "(3, 3)" in str(caught.value)
        assert (xp.ones((3, 3)) - row).shape == (3, 3)
        # What does not broadcast says so.
        with pytest.raises(xp.BroadcastError) as caught:
            xp.ones(2) + row
        assert caught.value.kind == "extent-mismatch"


def test_warnings_name_the_line():
    with xp.policy(mutual_stretching="warn"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = xp.ones((3, 1)) - xp.ones(3)
    assert result.shape == (3, 3)
    assert len(caught) == 1 and caught[0].category is xp.BroadcastWarning
    assert caught[0].filename == __file__ and "subtract" in str(caught[0].message)


def test_products_and_assignments():
    x, row, column = xp.ones((2, 3)), xp.ones(3), xp.ones((2, 1))

    def assign(index, value):
        y = xp.ones((2, 3))
        y[index] = value

    many = xp.ones((4, 3, 3))
    promoted = (
        lambda: assign(..., row),
        lambda: assign(xp.asarray([0, 1]), row),
        lambda: xp.vecdot(x, row),
        lambda: xp.linalg.cross(x, row),
        lambda: many @ xp.ones((2, 4, 3, 3)),
    )
    with xp.policy(rank_promotion="raise"):
        for wrong in promoted:
            with pytest.raises(xp.BroadcastError) as caught:
                wrong()
            assert caught.value.kind == "rank-promotion", caught.value
        # A matrix beside many is what the product is for.
        assert (many @ xp.ones((3, 3))).shape == (4, 3, 3) and (x @ row).shape == (2,)
        assign(0, row)
        assign(..., 1)
    with xp.policy(mutual_stretching="raise"):
        for wrong in (
            lambda: xp.vecdot(xp.ones((2, 1, 3)), xp.ones((1, 4, 3))),
            lambda: xp.matmul(xp.ones((2, 1, 3, 3)), many),
            lambda: xp.ones((2, 1, 3, 3)) @ many,
        ):
            with pytest.raises(xp.BroadcastError) as caught:
                wrong()
            assert caught.value.kind == "mutual-stretching", caught.value
        assign(..., column)


def test_the_line_is_the_callers_with_numpy_on_the_left_too():
    import numpy as np

    with xp.policy(rank_promotion="warn"), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        np.ones((2, 3)) + xp.ones(3)
        np.add(np.ones((2, 3)), xp.ones(3))
        xp.ones((2, 3)) @ xp.ones((1, 3, 2))
    lines = [warning.lineno for warning in caught]
    assert [warning.filename for warning in caught] == [__file__] * 2, caught
    assert lines[1] == lines[0] + 1
    with xp.policy(rank_promotion="raise"), pytest.raises(xp.BroadcastError) as raised:
        xp.ones((2, 3)) + xp.ones(3)
    assert f"{__file__}:" in str(raised.value)


def test_it_holds_in_its_block_and_thread_alone():
    row, x, others = xp.ones(3), xp.ones((2, 3)), []

    def other():
        others.append((x + row).shape)

    with xp.policy(rank_promotion="raise"):
        with xp.policy(rank_promotion="allow"):
            assert (x + row).shape == (2, 3)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        with pytest.raises(ValueError):
            x + row
    with pytest.raises(ValueError):
        xp.policy(rank_promotion="sometimes")
    assert others == [(2, 3)] and (x + row).shape == (2, 3)


def test_it_may_be_used_again_within_itself_in_threads_and_as_a_decorator():
    strict, row, x, raised = xp.policy(rank_promotion="raise"), xp.ones(3), xp.ones((2, 3)), []

    def strictly():
        for _ in range(50):
            with strict, pytest.raises(ValueError):
                x + row
        raised.append(x + row)

    threads = [threading.Thread(target=strictly) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(raised) == 4
    with strict:
        with strict, pytest.raises(ValueError):
            x + row
        with pytest.raises(ValueError):
            x + row
    assert (x + row).shape == (2, 3)

    @strict
    def decorated():
        return x + row

    for _ in range(2):
        with pytest.raises(ValueError):
            decorated()
    assert (x + row).shape == (2, 3)


def test_it_holds_in_the_tasks_made_within():
    import asyncio

    async def promoted():
        return (xp.ones((2, 3)) + xp.ones(3)).shape

    async def all_of_them():
        outside = asyncio.create_task(promoted())
        with xp.policy(rank_promotion="raise"):
            inside = asyncio.create_task(promoted())
        # Both run after the block.
        assert await outside == (2, 3)
        with pytest.raises(xp.BroadcastError):
            await inside

    asyncio.run(all_of_them())


def test_who_leaves_without_having_entered_changes_nothing():
    strict = xp.policy(rank_promotion="raise")
    strict.__exit__(None, None, None)
    with strict, pytest.raises(xp.BroadcastError):
        xp.ones((2, 3)) + xp.ones(3)
    assert (xp.ones((2, 3)) + xp.ones(3)).shape == (2, 3)


def test_products_are_said_with_their_whole_shapes():
    with xp.policy(mutual_stretching="raise"), pytest.raises(xp.BroadcastError) as caught:
        xp.ones((2, 1, 2, 3)) @ xp.ones((4, 3, 2))
    assert caught.value.shapes == ((2, 1, 2, 3), (4, 3, 2))
    assert "(2, 1, 2, 3) and (4, 3, 2) stretch each other to (2, 4) before the last 2 axes" in str(caught.value)
