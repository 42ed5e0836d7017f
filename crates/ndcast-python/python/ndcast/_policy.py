"""Implicit broadcasting that may be a mistake, forbidden or warned of in a block of code.

Two things are hardly ever meant in some code: operands of different rank (`(3, 4)` with `(4,)`), and operands that stretch
each other (`(n,)` with `(n, 1)`, which gives `(n, n)`).
"""

import os
import sys
import warnings
from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import NamedTuple

from . import _native
from ._errors import BroadcastError

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_LEVELS = ("allow", "warn", "raise")


class BroadcastWarning(UserWarning):
    """A broadcast that a policy warns of."""


class _Levels(NamedTuple):
    rank_promotion: str
    mutual_stretching: str
    outside: "_Levels | None"


_current: ContextVar[_Levels | None] = ContextVar("ndcast_policy", default=None)


class policy(ContextDecorator):
    """Forbids (`"raise"`), warns of (`"warn"`) or allows implicit broadcasting in a block, or in a function that it decorates.

    What is not named stays as it is outside. It holds for this thread and this task, and for operators, elementwise
    functions, assignments, and the axes of products that are broadcast. Arrays that index together are not asked about:
    there it is what they are for. A policy may be used again and again.

    >>> import ndcast
    >>> with ndcast.policy(mutual_stretching="raise"):
    ...     ndcast.ones((3,)) - ndcast.ones((3, 1))
    Traceback (most recent call last):
    ...
    ndcast.BroadcastError: subtract: (3,) and (3, 1) stretch each other to (3, 3), which the policy forbids at ...
    """

    def __init__(self, *, rank_promotion: str | None = None, mutual_stretching: str | None = None) -> None:
        for level in (rank_promotion, mutual_stretching):
            if level is not None and level not in _LEVELS:
                raise ValueError(f"{level!r} is no level of a policy; there are {', '.join(_LEVELS)}")
        self._rank_promotion = rank_promotion
        self._mutual_stretching = mutual_stretching

    def __enter__(self) -> "policy":
        outside = _current.get()
        inherited = outside or _Levels("allow", "allow", None)
        rank_promotion = self._rank_promotion or inherited.rank_promotion
        mutual_stretching = self._mutual_stretching or inherited.mutual_stretching
        _current.set(_Levels(rank_promotion, mutual_stretching, outside))
        _native.has_policies(_current)
        return self

    def __exit__(self, *_: object) -> None:
        inside = _current.get()
        _current.set(inside and inside.outside)


def check(name, whole, but=0):
    """Called before operands of these shapes are broadcast, while there is a policy. The last axes, so many, are not broadcast."""
    current = _current.get()
    if current is None or len(whole) < 2:
        return
    said = " and ".join(map(str, whole))
    shapes = [shape[: max(len(shape) - but, 0)] for shape in whole]
    ranks = {len(shape) for shape in shapes if shape}
    if current.rank_promotion != "allow" and len(ranks) > 1:
        hint = "give the shorter one axes of extent 1: x[None, ...]"
        _report(current.rank_promotion, "rank-promotion", name, whole, f"{said} have different ranks", hint)
    if current.mutual_stretching != "allow" and _mutual(shapes):
        result = _native.broadcast_shapes(*shapes)
        hint = "stretch one of them with broadcast_to, if that is meant"
        text = f"{said} stretch each other to {result}" + (f" before the last {but} axes" if but > 1 else "")
        _report(current.mutual_stretching, "mutual-stretching", name, whole, text, hint)


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
    frame, depth = _caller()
    if level == "raise":
        place = f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else "an unknown line"
        message = f"{name}: {text}, which the policy forbids at {place}; {hint}"
        raise BroadcastError(message, kind, {"shapes": shapes})
    warnings.warn(f"{name}: {text}; {hint}", BroadcastWarning, stacklevel=depth)


def _caller():
    """The frame of whoever called this module, and how far it is above the function that asks."""
    frame, depth = sys._getframe(1), 1
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame, depth = frame.f_back, depth + 1
    return frame, depth
