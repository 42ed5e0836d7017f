"""Exceptions, which know what they are about.

Each is also the exception of Python that a caller expects, so `except ValueError` catches a broadcast that fails.
"""

import errno


class Error(Exception):
    """The base class of every exception of this module.

    `kind` is its stable name, `shapes` the operands' shapes, `axis` where it is; None if there is none. `facts` has
    everything that is known, by name.

    >>> import ndcast
    >>> try:
    ...     ndcast.ones((2, 3)) + ndcast.ones((2,))
    ... except ndcast.BroadcastError as error:
    ...     print(error.kind, error.shapes, error.axis)
    extent-mismatch ((2, 3), (2,)) 1
    """

    def __init__(self, message="", kind="value", facts=None):
        super().__init__(message)
        self.kind = kind
        self.facts = dict(facts or {})
        self.shapes = self.facts.get("shapes")
        self.axis = self.facts.get("axis")

    def __reduce__(self):
        return type(self), (str(self), self.kind, self.facts)


class ArrayError(Error, ValueError):
    """A value is not as it must be."""


class BroadcastError(ArrayError):
    """Shapes do not go together."""


class AxisError(Error, ValueError, IndexError):
    """There is no such axis."""


class IndexingError(Error, IndexError):
    """An index names what is not there."""


class DTypeError(Error, TypeError):
    """Element types do not go together, or an operation does not take them."""


class MemoryLimitError(Error, MemoryError):
    """Memory would pass the limit, or the system has no more."""


class FileError(Error, OSError):
    """The file `filename` cannot be read or written."""

    def __init__(self, message="", kind="file", facts=None):
        super().__init__(message, kind, facts)
        self.filename = self.facts.get("filename")

    def __str__(self):
        # OSError's own makes another text of the parts.
        return BaseException.__str__(self)


class MissingFileError(FileError, FileNotFoundError):
    """A file is not there.

    >>> import ndcast
    >>> try:
    ...     ndcast.load("missing.onnx")
    ... except FileNotFoundError as error:
    ...     print(error)
    ...     print(error.filename)
    at missing.onnx: No such file or directory (os error 2)
    missing.onnx
    """

    def __init__(self, message="", kind="file", facts=None):
        super().__init__(message, kind, facts)
        self.errno = errno.ENOENT


class RangeError(Error, OverflowError):
    """An integer does not fit in an element type."""


# Tracebacks, pickles and help name what callers import.
for _class in [*Error.__subclasses__(), BroadcastError, MissingFileError, Error]:
    _class.__module__ = "ndcast"
