"""Writes `__init__.pyi`: what type checkers and editors read. `python -m ndcast._stubs` writes it anew.

Elementwise functions come from the library's list of operations; everything else is read from the functions themselves, so
that a stub can say nothing that is not so. A test compares the file with what this writes.
"""

import inspect
from pathlib import Path

import numpy as np

import ndcast

from . import _native

_HEADER = '''"""Made by `python -m ndcast._stubs`; do not change by hand."""

import builtins
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import linalg as linalg
from ._dtypes import FloatInfo, IntegerInfo
from ._dtypes import __array_namespace_info__ as __array_namespace_info__
from ._dtypes import can_cast as can_cast
from ._dtypes import finfo as finfo
from ._dtypes import iinfo as iinfo
from ._dtypes import isdtype as isdtype
from ._errors import ArrayError as ArrayError
from ._errors import AxisError as AxisError
from ._errors import BroadcastError as BroadcastError
from ._errors import DTypeError as DTypeError
from ._errors import Error as Error
from ._errors import FileError as FileError
from ._errors import IndexingError as IndexingError
from ._errors import MemoryLimitError as MemoryLimitError
from ._errors import MissingFileError as MissingFileError
from ._errors import RangeError as RangeError
from ._explain import Explanation as Explanation
from ._explain import ModelExplanation as ModelExplanation
from ._explain import explain as explain
from ._explain import rules as rules
from ._grad import grad as grad
from ._grad import value_and_grad as value_and_grad
from ._model import Model as Model
from ._model import Port as Port
from ._model import load as load
from ._policy import BroadcastWarning as BroadcastWarning
from ._policy import policy as policy
from ._sets import unique_all as unique_all
from ._sets import unique_counts as unique_counts
from ._sets import unique_inverse as unique_inverse
from ._sets import unique_values as unique_values

_Operand = Array | npt.NDArray[Any] | np.generic | builtins.complex
_Array = Array | npt.NDArray[Any]
_Axis = int | tuple[int, ...]
_DType = npt.DTypeLike
_Scalar = builtins.complex | np.generic

__array_api_version__: str
__version__: str
e: float
pi: float
inf: float
nan: float
newaxis: None
'''

# What each argument is, by its name: they mean the same everywhere.
_ARGUMENTS = {
    "x": "_Array", "x1": "_Array", "x2": "_Array", "axis": "_Axis", "axes": "Any", "keepdims": "builtins.bool", "dtype": "_DType",
    "device": "str", "copy": "builtins.bool", "correction": "float", "ddof": "float", "shape": "int | Sequence[int]", "fill_value": "_Scalar | Array",
    "start": "_Scalar", "stop": "_Scalar", "step": "_Scalar", "num": "int", "endpoint": "builtins.bool", "k": "int",
    "offset": "int", "n": "int", "n_rows": "int", "n_cols": "int", "prepend": "_Operand", "append": "_Operand",
    "descending": "builtins.bool", "stable": "builtins.bool", "side": "str", "sorter": "_Array", "invert": "builtins.bool",
    "include_initial": "builtins.bool", "indices": "_Array", "indexing": "str", "ord": "float", "obj": "Any",
    "arrays": "Sequence[_Array]", "repeats": "int | Sequence[int] | _Array", "repetitions": "Sequence[int]",
    "shift": "_Axis", "source": "_Axis", "destination": "_Axis", "subscripts": "str", "operands": "_Array",
    "pad_width": "Any", "mode": "str", "constant_values": "Any", "bytes": "int | None", "optimize": "Any", "threads": "int",
    "shapes": "Sequence[int | None] | int", "upper": "builtins.bool", "rtol": "float | _Array", "full_matrices": "builtins.bool",
    "arrays_and_dtypes": "Any",
}  # fmt: skip
# What functions give that is not an array.
_RESULTS = {
    "broadcast_arrays": "tuple[Array, ...]", "broadcast_shapes": "tuple[int | None, ...]", "meshgrid": "tuple[Array, ...]",
    "unstack": "tuple[Array, ...]", "nonzero": "tuple[Array, ...]", "eval": "None", "set_memory_limit": "int",
    "eig": "_Eig", "eigh": "_Eigh", "qr": "_Qr", "slogdet": "_Slogdet", "svd": "_Svd",
    "memory_usage": "dict[str, int]", "set_threads": "None", "result_type": "np.dtype[Any]",
}  # fmt: skip
# What an argument is in one function only.
_ARGUMENTS_OF = {
    ("take", "indices"): "_Operand", ("searchsorted", "x2"): "_Operand", ("isin", "x1"): "_Operand", ("isin", "x2"): "_Operand",
    ("matrix_norm", "ord"): 'float | Literal["fro", "nuc"]',
}  # fmt: skip
# Functions of `linalg` that give a tuple whose parts have names, as NumPy's have.
_OF_PARTS = "eig eigh qr slogdet svd".split()
# Functions whose axis is one.
_OF_ONE_AXIS = """argmax argmin argsort concat cross cumulative_prod cumulative_sum diff repeat sort stack take take_along_axis
unstack vecdot""".split()
_BINARY = "add sub mul truediv floordiv mod pow and or xor lshift rshift matmul".split()
_COMPARED = "lt le gt ge eq ne".split()


def _parameter(function, parameter):
    name = parameter.name
    kind = _ARGUMENTS_OF.get((function, name)) or _ARGUMENTS[name]
    if name == "axis" and function in _OF_ONE_AXIS:
        kind = "int"
    if parameter.kind is parameter.VAR_POSITIONAL:
        return f"*{name}: {'_Array' if name == 'arrays' else kind}"
    if parameter.default is parameter.empty:
        return f"{name}: {kind}"
    if parameter.default is None:
        return f"{name}: {kind} | None = None"
    default = "..." if parameter.default is Ellipsis else repr(parameter.default)
    return f"{name}: {kind}{' | None' if name == 'axis' and function == 'concat' else ''} = {default}"


def _function(name, function):
    parts, kinds = [], []
    for parameter in inspect.signature(function).parameters.values():
        if kinds and kinds[-1] == parameter.POSITIONAL_ONLY and parameter.kind != parameter.POSITIONAL_ONLY:
            parts.append("/")
        star = parameter.VAR_POSITIONAL in kinds or "*" in parts
        if parameter.kind == parameter.KEYWORD_ONLY and not star:
            parts.append("*")
        parts.append(_parameter(name, parameter))
        kinds.append(parameter.kind)
    if kinds and kinds[-1] == inspect.Parameter.POSITIONAL_ONLY:
        parts.append("/")
    return f"def {name}({', '.join(parts)}) -> {_RESULTS.get(name, 'Array')}: ..."


def _elementwise():
    lines = []
    for name, signature, summary in _native.elementwise_functions():
        parts = []
        for part in signature.split(", "):
            part = part.removesuffix("=None") + (": _Operand | None = None" if "=" in part else ": _Operand")
            parts.append("/" if part.startswith("/") else part)
        lines.append(f"def {name}({', '.join(parts)}) -> Array:")
        lines.append(f'    """{summary}"""')
    return lines


def _array():
    first, *_ = inspect.getdoc(_native.Array).split("\n\n")
    lines = ["class Array:", f'    """{" ".join(first.split())}"""']
    properties = {
        "T": "Array", "mT": "Array", "real": "Array", "imag": "Array", "device": "str", "dtype": "np.dtype[Any]",
        "itemsize": "int", "nbytes": "int", "ndim": "int", "shape": "tuple[int, ...]", "size": "int",
    }  # fmt: skip
    for name in sorted(vars(_native.Array)):
        if name in properties:
            lines += ["    @property", f"    def {name}(self) -> {properties[name]}: ..."]
    for name in _BINARY:
        kind = "_Array" if name == "matmul" else "_Operand"
        for prefix in ("", "r", "i"):
            lines.append(f"    def __{prefix}{name}__(self, other: {kind}, /) -> Array: ...")
    for name in ("divmod", "rdivmod"):
        lines.append(f"    def __{name}__(self, other: _Operand, /) -> tuple[Array, Array]: ...")
    for name in _COMPARED:
        ignore = "  # type: ignore[override]" if name in ("eq", "ne") else ""
        lines.append(f"    def __{name}__(self, other: _Operand, /) -> Array: ...{ignore}")
    for name in ("neg", "pos", "abs", "invert"):
        lines.append(f"    def __{name}__(self) -> Array: ...")
    for name, result in (("bool", "builtins.bool"), ("int", "int"), ("float", "float"), ("complex", "builtins.complex"), ("index", "int"), ("len", "int"), ("hash", "int")):
        lines.append(f"    def __{name}__(self) -> {result}: ...")
    return lines + [
        "    @overload",
        "    def __round__(self, ndigits: None = None) -> int: ...",
        "    @overload",
        "    def __round__(self, ndigits: int) -> float: ...",
        "    def __iter__(self) -> Iterator[Array]: ...",
        "    def __reversed__(self) -> Iterator[Array]: ...",
        "    def __contains__(self, value: _Operand, /) -> builtins.bool: ...",
        "    def __getitem__(self, key: Any, /) -> Array: ...",
        "    def __setitem__(self, key: Any, value: _Operand, /) -> None: ...",
        "    def __buffer__(self, flags: int, /) -> memoryview: ...",
        "    def __array__(self, dtype: _DType | None = None, *, copy: builtins.bool | None = None) -> npt.NDArray[Any]: ...",
        "    def __array_namespace__(self, *, api_version: str | None = None) -> Any: ...",
        "    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **named: Any) -> Any: ...",
        "    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None, "
        "dl_device: tuple[int, int] | None = None, copy: builtins.bool | None = None) -> Any: ...",
        "    def __dlpack_device__(self) -> tuple[int, int]: ...",
        "    def astype(self, dtype: _DType, /, *, copy: builtins.bool = True) -> Array: ...",
        "    def copy(self) -> Array: ...",
        "    def item(self) -> builtins.complex: ...",
        "    def to_device(self, device: str, /, *, stream: Any = None) -> Array: ...",
        "    def tolist(self) -> Any: ...",
    ]


def text():
    """What the file holds."""
    dtypes = [name for name in dir(ndcast) if isinstance(getattr(ndcast, name), np.dtype)]
    # bfloat16 depends on another package, and is there for type checkers all the same.
    lines = [_HEADER] + [f"{name}: np.dtype[Any]" for name in sorted({*dtypes, "bfloat16"})] + [""]
    lines += _array() + [""]
    lines += ["class Function:", '    """A function that is one elementwise operation."""',
              "    def __call__(self, *given: _Operand, **named: _Operand | None) -> Array: ...", ""]  # fmt: skip
    lines += _elementwise() + [""]
    for name in sorted(vars(_native)):
        function = getattr(_native, name)
        if inspect.isbuiltin(function) and getattr(ndcast, name, None) is function:
            lines.append(_function(name, function))
    return "\n".join(lines) + "\n"


def linalg_text():
    """What the stub of `linalg` holds."""
    from . import linalg

    lines = ['"""Made by `python -m ndcast._stubs`; do not change by hand."""', "", "import builtins",
             "from typing import Any, Literal, NamedTuple", "", "import numpy.typing as npt", "", "from . import Array", "",
             "_Array = Array | npt.NDArray[Any]", "_Axis = int | tuple[int, ...]", "_DType = npt.DTypeLike", ""]  # fmt: skip
    for name in _OF_PARTS:
        fields = getattr(linalg, name)(ndcast.ones((1, 1)))._fields
        lines += [f"class {_RESULTS[name]}(NamedTuple):", *(f"    {field}: Array" for field in fields), ""]
    lines += [_function(name, getattr(linalg, name)) for name in linalg.__all__]
    return "\n".join(lines) + "\n"


FILES = {"__init__.pyi": text, "linalg.pyi": linalg_text}

if __name__ == "__main__":
    for name, make in FILES.items():
        Path(__file__).with_name(name).write_text(make())
