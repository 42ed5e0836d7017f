"""NumPy: the Array API's rules, and ONNX's unidirectional rule, which is NumPy's broadcast_to.

In-place has two forms and they differ: `x += a` follows the Array API page; `x[index] = a` also accepts surplus
leading axes of extent 1 on the right, which the page calls an error. So the first is asked without an index, the
second with one.
"""

import numpy as np

from answers import fails, fits, static

RULES = ("array-api", "array-api.broadcast-to", "array-api.in-place", "onnx.unidirectional")

KINDS = (("too many indices", "too-many-indices"), ("is out of bounds for axis", "index-out-of-range"))


def version():
    return f"numpy {np.__version__}"


def answer(question):
    request, fills = question["request"], question["fills"]
    by, ask = {
        "array-api": ("broadcast_shapes, +", several),
        "array-api.broadcast-to": ("broadcast_to", broadcast_to),
        "array-api.in-place": ("x[i] = a" if "index" in request else "x += a", in_place),
        "onnx.unidirectional": ("broadcast_to", unidirectional),
    }[request["rule"]]
    try:
        shape, values = ask(request, fills)
    except (ValueError, IndexError) as error:
        return [fails(by, error, KINDS)]
    return [fits(by, static(shape), None if fills is None else values.reshape(-1).tolist())]


def several(request, fills):
    shape = np.broadcast_shapes(*(tuple(s) for s in request["shapes"]))
    if fills is None:
        return shape, None
    return shape, sum(arrays(request, fills))


def broadcast_to(request, fills):
    (operand,) = arrays(request, fills)
    result = np.broadcast_to(operand, tuple(request["target"]))
    return result.shape, result


def unidirectional(request, fills):
    a, b = arrays(request, fills)
    result = a + np.broadcast_to(b, a.shape)
    return result.shape, result


def in_place(request, fills):
    """The left side starts as zeros, so what it holds afterwards is the right side as it was laid over it."""
    left = np.zeros(request["shapes"][0], dtype=np.int64)
    right = arrays(request, fills)[1]
    if "index" not in request:
        left += right
        return left.shape, left
    index = python_index(request["index"])
    left[index] = right
    return left[index].shape, left[index]


def arrays(request, fills):
    if fills is None:
        return [np.zeros(shape, dtype=np.int64) for shape in request["shapes"]]
    return [
        np.zeros(shape, dtype=np.int64) if fill is None else np.array(fill, dtype=np.int64).reshape(shape)
        for shape, fill in zip(request["shapes"], fills)
    ]


def python_index(text):
    """The index as Python writes it between the brackets, from the few forms that the generator makes."""
    def item(part):
        if part == "...":
            return Ellipsis
        if ":" in part:
            return slice(*(int(n) if n else None for n in part.split(":")))
        return int(part)

    return tuple(item(part.strip()) for part in text.split(","))
