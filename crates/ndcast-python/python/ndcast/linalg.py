"""The functions of the Array API's extension `linalg` that are broadcasting at heart."""

from ._native import (
    cross,
    diagonal,
    matmul,
    matrix_transpose,
    outer,
    tensordot,
    trace,
    vecdot,
    vector_norm,
)

__all__ = [
    "cross",
    "diagonal",
    "matmul",
    "matrix_transpose",
    "outer",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]
