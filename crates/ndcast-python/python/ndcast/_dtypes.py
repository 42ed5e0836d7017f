"""Element types as the Array API asks for them, and what there is of them here."""

import functools
from typing import NamedTuple

import numpy as np

from ._native import Array, result_type

_BOOL = {"bool": np.dtype("bool")}
_SIGNED = {name: np.dtype(name) for name in ("int8", "int16", "int32", "int64")}
_UNSIGNED = {name: np.dtype(name) for name in ("uint8", "uint16", "uint32", "uint64")}
_REAL = {name: np.dtype(name) for name in ("float32", "float64")}
_COMPLEX = {name: np.dtype(name) for name in ("complex64", "complex128")}
_KINDS = {
    "bool": _BOOL,
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": _SIGNED | _UNSIGNED,
    "real floating": _REAL,
    "complex floating": _COMPLEX,
    "numeric": _SIGNED | _UNSIGNED | _REAL | _COMPLEX,
}
# float16 and bfloat16 are not in the standard; they are real floating.
_MORE_REAL = ("float16", "bfloat16")


def _dtype_of(x):
    return x.dtype if isinstance(x, (Array, np.ndarray, np.generic)) else np.dtype(x)


def can_cast(from_, to, /):
    """Whether promoting both gives `to`; where they have no common type, whether NumPy casts safely.

    >>> import ndcast
    >>> ndcast.can_cast(ndcast.int8, ndcast.int16), ndcast.can_cast(ndcast.float64, ndcast.float32)
    (True, False)
    """
    from_, to = _dtype_of(from_), np.dtype(to)
    try:
        return result_type(from_, to) == to
    except TypeError:
        return np.can_cast(from_, to)


def isdtype(dtype, kind):
    """Whether an element type is another, or of a kind.

    >>> import ndcast
    >>> ndcast.isdtype(ndcast.float32, ("integral", "real floating"))
    True
    """
    dtype = np.dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, one) for one in kind)
    if not isinstance(kind, str):
        return dtype == np.dtype(kind)
    if kind not in _KINDS:
        raise ValueError(f"{kind!r} is no kind of element types; there are {', '.join(_KINDS)}")
    more = kind in ("real floating", "numeric") and dtype.name in _MORE_REAL
    return more or dtype in _KINDS[kind].values()


class FloatInfo(NamedTuple):
    """What a type of floats holds."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: np.dtype


class IntegerInfo(NamedTuple):
    """What a type of integers holds."""

    bits: int
    max: int
    min: int
    dtype: np.dtype


def finfo(type, /):
    """What a type of floats holds; of a complex type, what its parts hold.

    >>> import ndcast
    >>> ndcast.finfo(ndcast.float32).bits
    32
    """
    return _float_info(_dtype_of(type))


@functools.cache
def _float_info(dtype):
    if dtype.name == "bfloat16":
        import ml_dtypes

        info = ml_dtypes.finfo(dtype)
    else:
        info = np.finfo(dtype)
    numbers = (float(info.eps), float(info.max), float(info.min), float(info.smallest_normal))
    return FloatInfo(info.bits, *numbers, np.dtype(info.dtype))


def iinfo(type, /):
    """What a type of integers holds.

    >>> import ndcast
    >>> ndcast.iinfo(ndcast.int8).max
    127
    """
    return _integer_info(_dtype_of(type))


@functools.cache
def _integer_info(dtype):
    info = np.iinfo(dtype)
    return IntegerInfo(info.bits, int(info.max), int(info.min), dtype)


class _Info:
    """What there is: devices, element types, and what arrays can do."""

    def capabilities(self):
        """Which optional parts of the standard are supported."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        """The device of new arrays."""
        return "cpu"

    def default_dtypes(self, *, device=None):
        """The element types of new arrays."""
        _check_device(device)
        return {
            "real floating": np.dtype("float64"),
            "complex floating": np.dtype("complex128"),
            "integral": np.dtype("int64"),
            "indexing": np.dtype("int64"),
        }

    def devices(self):
        """The devices there are."""
        return ("cpu",)

    def dtypes(self, *, device=None, kind=None):
        """The standard's element types, or those of some kinds."""
        _check_device(device)
        if kind is None:
            return _BOOL | _KINDS["numeric"]
        kinds = kind if isinstance(kind, tuple) else (kind,)
        found = {}
        for one in kinds:
            if one not in _KINDS:
                raise ValueError(f"{one!r} is no kind of element types; there are {', '.join(_KINDS)}")
            found |= _KINDS[one]
        return found


def _check_device(device):
    if device not in (None, "cpu"):
        raise ValueError(f'there is only the device "cpu", not {device!r}')


def __array_namespace_info__():
    """What this namespace has.

    >>> import ndcast
    >>> ndcast.__array_namespace_info__().devices()
    ('cpu',)
    """
    return _Info()
