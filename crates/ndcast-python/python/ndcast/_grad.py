"""Gradients of functions of arrays.

The function is called with arrays that are watched: whatever it does to them is written down, and differentiated by the
gradients of the library's operations. So a function may branch on values, loop, and change arrays in place.
"""

import operator
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from . import _native


def _flat(tree, leaves):
    """Puts the arrays of nested tuples, lists and dicts into a list; gives back what makes such a nest of others."""
    if isinstance(tree, dict):
        makes = {key: _flat(value, leaves) for key, value in tree.items()}
        return lambda arrays: {key: make(arrays) for key, make in makes.items()}
    if isinstance(tree, (list, tuple)):
        makes = [_flat(value, leaves) for value in tree]
        # A named tuple takes its parts one by one.
        kind = type(tree)._make if hasattr(tree, "_make") else type(tree)
        return lambda arrays: kind([make(arrays) for make in makes])
    leaves.append(tree)
    return lambda arrays: next(arrays)


def _watchable(leaf, argument):
    array = leaf if isinstance(leaf, _native.Array) else _native.asarray(leaf)
    if array.dtype.kind != "f" and array.dtype.name != "bfloat16":
        raise TypeError(
            f"there are gradients by arrays of real floats, and argument {argument} holds {array.dtype}; "
            "convert it with astype, or leave it out of argnums"
        )
    return array


def _places(argnums):
    """The places of arguments as a tuple, and whether it was one place that was given."""
    try:
        return (operator.index(argnums),), True
    except TypeError:
        pass
    try:
        return tuple(map(operator.index, argnums)), False
    except TypeError:
        raise TypeError(f"argnums is the place of an argument, or a tuple of places, not {argnums!r}") from None


def _differentiated(name, function, argnums, has_aux, wanted):
    """The function that calls another one with watched arguments, and gives what is wanted of value and gradients."""
    if not callable(function):
        raise TypeError(f"{name} takes a function, not a {type(function).__name__}")
    places, single = _places(argnums)

    @wraps(function)
    def differentiated(*given, **named):
        given, leaves, makes = list(given), [], {}
        for place in places:
            if not -len(given) <= place < len(given):
                raise TypeError(
                    f"argnums has {place}, but {len(given)} arguments are passed by position: an argument to differentiate by "
                    "cannot be passed by name"
                )
            own = []
            # An argument that is named twice is one.
            if place % len(given) not in makes:
                makes[place % len(given)] = _flat(given[place], own)
            leaves += [_watchable(leaf, place) for leaf in own]
        tape, watched = _native.watch(leaves)
        rest = iter(watched)
        for place, make in makes.items():
            given[place] = make(rest)
        result = function(*given, **named)
        if has_aux and not (isinstance(result, (tuple, list)) and len(result) == 2):
            count = f" of {len(result)}" if isinstance(result, (tuple, list)) else ""
            raise TypeError(
                "with has_aux a function gives a value and what else there is, as a pair, not a "
                f"{type(result).__name__}{count}"
            )
        value, aux = result if has_aux else (result, None)
        if not isinstance(value, _native.Array):
            if not isinstance(value, (float, np.floating, np.ndarray)):
                raise TypeError(f"a function that is differentiated gives an array, not a {type(value).__name__}")
            value = _native.asarray(value)
        if value.shape != ():
            raise ValueError(
                f"there is a gradient of one number, and the function gave an array of shape {value.shape}; "
                "sum it up, or take its mean"
            )
        found = iter(tape.gradients(value))
        by_place = {place: make(found) for place, make in makes.items()}
        gradients = tuple(by_place[place % len(given)] for place in places)
        return wanted((value, aux) if has_aux else value, gradients[0] if single else gradients)

    return differentiated


def value_and_grad(
    fun: Callable[..., Any], argnums: int | tuple[int, ...] = 0, *, has_aux: bool = False
) -> Callable[..., Any]:
    """The function that gives the value of another one and its gradient, both computed in one go.

    What the arguments mean, and what the function may do, is said at `grad`. With `has_aux` the function gives a pair, of
    which the second part is handed on as it is.

    >>> import ndcast as xp
    >>> loss = lambda w, x: xp.mean((x @ w) ** 2)
    >>> xp.value_and_grad(loss)(xp.asarray([1.0, 2.0]), xp.asarray([[1.0, 0.0], [1.0, 1.0]]))
    (Array(5.), Array([4., 3.]))
    """

    def wanted(value, gradients):
        computed = []
        _flat((value[0] if has_aux else value, gradients), computed)
        _native.eval(*computed)
        return value, gradients

    return _differentiated("value_and_grad", fun, argnums, has_aux, wanted)


def grad(
    fun: Callable[..., Any], argnums: int | tuple[int, ...] = 0, *, has_aux: bool = False
) -> Callable[..., Any]:
    """The function that gives the gradient of another one, which gives one number: an array without axes.

    It is by the argument whose place is `argnums`, or by several, and has the form of that argument: an array, or nested
    tuples, lists and dicts of arrays. Gradients are functions of arrays as well, so there are second ones.

    The function is called with arrays, on which it may do everything that this namespace has: branch on their values, loop,
    and change them in place. Where something has no gradient (complex numbers, say) the error names it, and where an array
    would become numbers of Python or an array of NumPy, which would lose its gradient, that is an error; see
    `stop_gradient`. What changes by jumps alone (`floor`, comparisons, integers) has the gradient 0.

    >>> import ndcast as xp
    >>> x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> xp.grad(lambda x, row: xp.sum(x * row), argnums=1)(x, xp.asarray([1.0, 10.0]))
    Array([4., 6.])
    >>> xp.grad(xp.grad(lambda x: x**3))(2.0)
    Array(12.)
    >>> def loss(model, x):
    ...     return xp.mean((x @ model["w"] + model["b"]) ** 2)
    >>> xp.grad(loss)({"w": xp.asarray([1.0, -1.0]), "b": xp.asarray(0.5)}, x)
    {'w': Array([-2., -3.]), 'b': Array(-1.)}
    """
    return _differentiated(
        "grad", fun, argnums, has_aux, lambda value, gradients: (gradients, value[1]) if has_aux else gradients
    )
