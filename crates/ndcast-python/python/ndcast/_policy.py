"""Implicit broadcasting that may be a mistake, forbidden or warned of in a block of code.

Two things are hardly ever meant in some code: operands of different rank (`(3, 4)` with `(4,)`), and operands that stretch
each other (`(n,)` with `(n, 1)`, which gives `(n, n)`).
"""

import warnings
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from . import _native
from ._errors import BroadcastError

_LEVELS = ("allow", "warn", "raise")


class BroadcastWarning(UserWarning):
    """A broadcast that a policy warns of."""


class _Policy(NamedTuple):
    rank_promotion: str
    mutual_stretching: str


_current: ContextVar[_Policy | None] = ContextVar("ndcast_policy", default=None)


@contextmanager
def policy(*, rank_promotion=None, mutual_stretching=None):
    """Forbids (`"raise"`), warns of (`"warn"`) or allows implicit broadcasting in a block.

    What is not named stays as it is outside. It holds for this thread and this task.

    >>> import ndcast
    >>> with ndcast.policy(mutual_stretching="raise"):
    ...     ndcast.ones((3,)) - ndcast.ones((3, 1))
    Traceback (most recent call last):
    ...
    ndcast._errors.BroadcastError: subtract: (3,) and (3, 1) stretch each other to (3, 3), which the policy forbids; ...
    """
    outside = _current.get() or _Policy("allow", "allow")
    inside = _Policy(rank_promotion or outside.rank_promotion, mutual_stretching or outside.mutual_stretching)
    for level in inside:
        if level not in _LEVELS:
            raise ValueError(f"{level!r} is no level of a policy; there are {', '.join(_LEVELS)}")
    token = _current.set(inside)
    _native.enter_policy()
    try:
        yield
    finally:
        _native.leave_policy()
        _current.reset(token)


def check(name, shapes):
    """Called before operands are broadcast, while there is a policy in any thread."""
    current = _current.get()
    if current is None or len(shapes) < 2:
        return
    ranks = {len(shape) for shape in shapes if shape}
    said = " and ".join(map(str, shapes))
    if current.rank_promotion != "allow" and len(ranks) > 1:
        hint = "give the shorter one axes of extent 1: x[None, ...]"
        _report(current.rank_promotion, "rank-promotion", name, shapes, f"{said} have different ranks", hint)
    if current.mutual_stretching != "allow" and _mutual(shapes):
        result = _native.broadcast_shapes(*shapes)
        hint = "stretch one of them with broadcast_to, if that is meant"
        text = f"{said} stretch each other to {result}"
        _report(current.mutual_stretching, "mutual-stretching", name, shapes, text, hint)


def _mutual(shapes):
    """Whether no operand has the result's shape, and they broadcast."""
    try:
        result = _native.broadcast_shapes(*shapes)
    except BroadcastError:
        # The operation says that better.
        return False
    trimmed = [tuple(shape) for shape in shapes]
    return all(_extents(shape, len(result)) != result for shape in trimmed)


def _extents(shape, rank):
    return (1,) * (rank - len(shape)) + shape


def _report(level, kind, name, shapes, text, hint):
    shapes = tuple(map(tuple, shapes))
    if level == "raise":
        message = f"{name}: {text}, which the policy forbids; {hint}"
        raise BroadcastError(message, kind, {"shapes": shapes})
    # The line of the caller: this function, `check`, and the operation, which has no frame of its own.
    warnings.warn(f"{name}: {text}; {hint}", BroadcastWarning, stacklevel=3)
