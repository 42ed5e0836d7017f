"""Lazy n-dimensional arrays that broadcast, fuse and run on all cores: an Array API 2025.12 namespace.

>>> import ndcast as xp
>>> x = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 9.0]])
>>> (x - xp.mean(x, axis=1, keepdims=True)) * 2
Array([[-2.,  0.,  2.],
       [-4., -2.,  6.]])

Nothing is computed before somebody looks; then the whole expression goes over memory once. Errors are raised in the line
that made them. Arrays are values: what is changed in place changes in this array and in no other, views included.

Element types are `numpy.dtype` objects. NumPy's arrays and scalars may stand wherever an array may, and the result is an
array of this module. `numpy.asarray(x)` shares memory, read-only.
"""

import math as _math
from typing import Any as _Any

import numpy as _np

from . import _native, linalg
from ._dtypes import (
    __array_namespace_info__,
    can_cast,
    finfo,
    iinfo,
    isdtype,
)
from ._errors import (
    ArrayError,
    AxisError,
    BroadcastError,
    DTypeError,
    Error,
    FileError,
    IndexingError,
    MemoryLimitError,
    MissingFileError,
    RangeError,
)
from ._explain import Explanation, ModelExplanation, explain, rules
from ._grad import grad, value_and_grad
from ._model import Model, Port, load
from ._native import Array, Function
from ._policy import BroadcastWarning, policy
from ._sets import unique_all, unique_counts, unique_inverse, unique_values

__array_api_version__ = "2025.12"
__version__ = "0.1.0"

e = _math.e
pi = _math.pi
inf = _math.inf
nan = _math.nan
newaxis = None

# Element types. bfloat16 is there if ml_dtypes is installed.
bool = _np.dtype("bool")
for _name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64"):
    globals()[_name] = _np.dtype(_name)
complex64 = _np.dtype("complex64")
complex128 = _np.dtype("complex128")
try:
    import ml_dtypes as _ml_dtypes

    bfloat16 = _np.dtype(_ml_dtypes.bfloat16)
except ImportError:
    pass

# What is not for users: parts that the functions above are made of.
_HIDDEN = {"has_policies", "restore", "unique", "different", "different_values", "explain", "rules", "other_names", "open_model", "parsed_model", "Program", "watch", "Tape", "elementwise_functions"}
# What the standard has in its extension alone.
_LINALG_ONLY = {"cross", "outer", "trace", "diagonal", "vector_norm"}
for _name in dir(_native):
    if not _name.startswith("_") and _name not in _HIDDEN | _LINALG_ONLY:
        globals()[_name] = getattr(_native, _name)
del _name

__all__ = sorted(name for name in globals() if not name.startswith("_")) + [
    "__array_api_version__",
    "__array_namespace_info__",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> _Any:
    from ._otherwise import missing

    raise missing(name, [] if name.startswith("_") else __all__)
