"""What NumPy has, and this module has by another name: said to whoever asks for it."""

from ._native import other_names

# NumPy's function, and what is written here; those first that are written so in expressions too.
INSTEAD = dict(other_names()) | {
    "allclose": "all(abs(x - y) <= 1e-8 + 1e-5 * abs(y))",
    "argwhere": "stack(nonzero(x), axis=1)",
    "array": "asarray(x, copy=True)",
    "array_equal": "x.shape == y.shape and all(x == y)",
    "asanyarray": "asarray",
    "ascontiguousarray": "asarray",
    "atleast_1d": "reshape",
    "average": "mean, or sum(x * weights) / sum(weights)",
    "bincount": "unique_counts",
    "column_stack": "stack(arrays, axis=1), or concat(arrays, axis=1)",
    "copy": "asarray(x, copy=True), or x.copy()",
    "cross": "linalg.cross",
    "degrees": "multiply(x, 180 / pi)",
    "diag": "linalg.diagonal",
    "diagonal": "linalg.diagonal",
    "dot": "matmul, tensordot or vecdot",
    "dstack": "stack(arrays, axis=2), or concat(arrays, axis=2)",
    "flatnonzero": "nonzero(reshape(x, (-1,)))[0]",
    "fliplr": "flip(x, axis=1)",
    "flipud": "flip(x, axis=0)",
    "hstack": "concat(arrays, axis=1)",
    "identity": "eye",
    "in1d": "isin",
    "isclose": "abs(x - y) <= 1e-8 + 1e-5 * abs(y)",
    "inner": "vecdot",
    "isneginf": "is_neg_inf",
    "isposinf": "is_pos_inf",
    "flatten": "reshape(x, (-1,))",
    "median": "sort(x) and take the middle one",
    "nanargmax": "argmax(where(isnan(x), -inf, x))",
    "nanargmin": "argmin(where(isnan(x), inf, x))",
    "nanprod": "prod(where(isnan(x), 1, x))",
    "ptp": "max(x) - min(x)",
    "put": "x[numbers] = values",
    "tolist": "x.tolist()",
    "matvec": "matmul(a, x[..., None])[..., 0]",
    "ndim": "x.ndim",
    "norm": "linalg.vector_norm",
    "outer": "linalg.outer",
    "radians": "multiply(x, pi / 180)",
    "ravel": "reshape(x, (-1,))",
    "row_stack": "stack(arrays, axis=0), or concat(arrays, axis=0)",
    "shape": "x.shape",
    "size": "x.size",
    "swapaxes": "moveaxis, or permute_dims",
    "trace": "linalg.trace",
    "transpose": "permute_dims(x, axes), x.T or x.mT",
    "unique": "unique_values, unique_counts, unique_inverse or unique_all",
    "vdot": "vecdot",
    "vstack": "concat(arrays, axis=0)",
}


def missing_method(name: str) -> AttributeError:
    """The error of a name that an array has not."""
    import ndcast

    if hasattr(ndcast, name):
        return AttributeError(f"an array has no {name}; functions are the module's: write ndcast.{name}(x)")
    if hasattr(ndcast.linalg, name):
        return AttributeError(f"an array has no {name}; write ndcast.linalg.{name}(x)")
    if name in INSTEAD:
        return AttributeError(f"an array has no {name}; write {INSTEAD[name]}")
    return AttributeError(f"an array has no {name}")


def missing(name: str, names: list[str]) -> AttributeError:
    """The error of a name that the module has not."""
    if name in INSTEAD:
        return AttributeError(f"ndcast has no {name}; write {INSTEAD[name]}")
    from difflib import get_close_matches

    near = get_close_matches(name, names, cutoff=0.75)
    return AttributeError(f"ndcast has no {name}" + (f"; did you mean {' or '.join(near)}?" if near else ""))
