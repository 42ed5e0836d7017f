"""NumPy's functions on arrays of this module: whatever side they stand on, the result is an array of this module."""

import numpy as np

from . import _native
from ._native import Array

# NumPy's function objects, with the ones here that do the same: those of the same name, which NumPy also has where its
# own older name differs.
_SAME = {}
for _name in dir(_native):
    _theirs = getattr(np, _name, None)
    if isinstance(_theirs, np.ufunc):
        _SAME[_theirs] = getattr(_native, _name)


def _to_numpy(x):
    return np.asarray(x) if isinstance(x, Array) else x


def _from_numpy(x):
    if isinstance(x, tuple):
        return tuple(map(_from_numpy, x))
    return _native.asarray(x) if isinstance(x, (np.ndarray, np.generic)) else x


def array_ufunc(ufunc, method, inputs, named):
    """What `Array.__array_ufunc__` does. Functions that have no counterpart here are computed by NumPy."""
    named = dict(named or {})
    outputs = named.pop("out", ())
    # A mask may be an array as well. Where it is false an output stays what it is.
    named = {name: _to_numpy(value) for name, value in named.items()}
    if "where" in named and outputs:
        named["out"] = tuple(None if out is None else np.array(out) for out in outputs)
    if method == "at":
        return _at(ufunc, *inputs)
    same = _SAME.get(ufunc) if method == "__call__" and not named else None
    if same is not None:
        result = same(*inputs)
    else:
        result = _from_numpy(getattr(ufunc, method)(*map(_to_numpy, inputs), **named))
    if not outputs:
        return result
    results = result if isinstance(result, tuple) else (result,)
    written = tuple(_write(out, one) for out, one in zip(outputs, results, strict=True))
    return written if isinstance(result, tuple) else written[0]


def _at(ufunc, changed, *inputs):
    """`ufunc.at`, which writes into its first argument: an array of this module shares its memory with nobody who writes."""
    memory = np.array(changed) if isinstance(changed, Array) else changed
    ufunc.at(memory, *map(_indices, inputs))
    if memory is not changed:
        changed[...] = memory


def _indices(x):
    return tuple(map(_to_numpy, x)) if isinstance(x, tuple) else _to_numpy(x)


def _write(out, result):
    """Puts a result into an array that the caller names."""
    if out is None:
        return result
    if isinstance(out, Array):
        out[...] = result
    else:
        np.copyto(out, np.asarray(result), casting="same_kind")
    return out
