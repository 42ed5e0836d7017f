"""Writes cases/xla_operations.jsonl: what the real XlaBuilder makes of its operations, and what it refuses.

    pip install jax==0.5.3 jaxlib==0.5.3      # the last minor version with xla_client.ops
    JAX_PLATFORMS=cpu python3 tools/xla/operations.py > cases/xla_operations.jsonl

A row: `op`, the operation by the name of its method here; `inputs`, each `[element type, shape, numbers]`; `arguments`, what the
operation takes besides; then `out` in the form of an input, or `error` in XLA's words. Numbers that JSON does not have are text.
"""

import json
import os
import sys

# Without these a bare client takes no NaN along through min and max, as JAX itself has it.
os.environ["XLA_FLAGS"] = "--xla_cpu_enable_fast_min_max=false"

import numpy as np
from jaxlib import xla_client

ops = xla_client.ops
TYPES = {"f32": np.float32, "f64": np.float64, "s32": np.int32, "s8": np.int8, "u8": np.uint8, "s64": np.int64,
         "u32": np.uint32, "pred": np.bool_, "c64": np.complex64, "f16": np.float16}


def called(dtype):
    return next(name for name, other in TYPES.items() if np.dtype(other) == dtype)


def number(n):
    if isinstance(n, complex):
        return [number(n.real), number(n.imag)]
    if isinstance(n, float) and (n != n or n in (float("inf"), float("-inf")) or (n == 0 and np.signbit(n))):
        return "-0" if n == 0 else str(n)
    return n


def listed(array):
    return [called(array.dtype), list(array.shape), [number(n) for n in array.reshape(-1).tolist()]]


def element_type(name):
    return xla_client.dtype_to_etype(np.dtype(TYPES[name]))


def computation(name, etype):
    builder = xla_client.XlaBuilder(name)
    shape = xla_client.Shape.array_shape(etype, ())
    a, b = (ops.Parameter(builder, n, shape) for n in range(2))
    return builder.build({"add": ops.Add, "multiply": ops.Mul, "maximum": ops.Max, "minimum": ops.Min,
                          "and": ops.And, "or": ops.Or}[name](a, b))


def padding(pairs):
    config = xla_client.PaddingConfig()
    for low, high, interior in pairs:
        dimension = xla_client.PaddingConfigDimension()
        dimension.edge_padding_low, dimension.edge_padding_high, dimension.interior_padding = low, high, interior
        config.dimensions.append(dimension)
    return config


def dot(a):
    numbers = xla_client.DotDimensionNumbers()
    numbers.lhs_batch_dimensions.extend(a[0]), numbers.rhs_batch_dimensions.extend(a[1])
    numbers.lhs_contracting_dimensions.extend(a[2]), numbers.rhs_contracting_dimensions.extend(a[3])
    return numbers


def gather(a):
    numbers = xla_client.GatherDimensionNumbers()
    numbers.offset_dims.extend(a["offset"]), numbers.collapsed_slice_dims.extend(a["collapsed"])
    numbers.start_index_map.extend(a["map"])
    numbers.index_vector_dim = a["vector"]
    return numbers


BINARY = {"add": ops.Add, "sub": ops.Sub, "mul": ops.Mul, "div": ops.Div, "rem": ops.Rem, "max": ops.Max, "min": ops.Min,
          "pow": ops.Pow, "atan2": ops.Atan2, "and": ops.And, "or": ops.Or, "xor": ops.Xor, "shift_left": ops.ShiftLeft,
          "shift_right_arithmetic": ops.ShiftRightArithmetic, "shift_right_logical": ops.ShiftRightLogical, "eq": ops.Eq,
          "ne": ops.Ne, "lt": ops.Lt, "le": ops.Le, "gt": ops.Gt, "ge": ops.Ge, "complex": ops.Complex}
UNARY = {"abs": ops.Abs, "neg": ops.Neg, "sign": ops.Sign, "floor": ops.Floor, "ceil": ops.Ceil, "round": ops.Round,
         "exp": ops.Exp, "expm1": ops.Expm1, "log": ops.Log, "log1p": ops.Log1p, "logistic": ops.Logistic, "sqrt": ops.Sqrt,
         "rsqrt": ops.Rsqrt, "cbrt": ops.Cbrt, "sin": ops.Sin, "cos": ops.Cos, "tan": ops.Tan, "tanh": ops.Tanh,
         "erf": ops.Erf, "real": ops.Real, "imag": ops.Imag, "not": ops.Not, "population_count": ops.PopulationCount,
         "clz": ops.Clz, "is_finite": ops.IsFinite}
OTHERS = {
    "select": lambda b, x, a: ops.Select(*x),
    "clamp": lambda b, x, a: ops.Clamp(*x),
    "broadcast": lambda b, x, a: ops.Broadcast(x[0], a),
    "broadcast_in_dim": lambda b, x, a: ops.BroadcastInDim(x[0], a[0], a[1]),
    "convert_element_type": lambda b, x, a: ops.ConvertElementType(x[0], element_type(a)),
    "bitcast_convert_type": lambda b, x, a: ops.BitcastConvertType(x[0], element_type(a)),
    "reshape": lambda b, x, a: ops.Reshape(x[0], a),
    "collapse": lambda b, x, a: ops.Collapse(x[0], a),
    "transpose": lambda b, x, a: ops.Transpose(x[0], a),
    "rev": lambda b, x, a: ops.Rev(x[0], a),
    "slice": lambda b, x, a: ops.Slice(x[0], *a),
    "pad": lambda b, x, a: ops.Pad(x[0], x[1], padding(a)),
    "concat_in_dim": lambda b, x, a: ops.ConcatInDim(b, x, a),
    "dynamic_slice": lambda b, x, a: ops.DynamicSlice(x[0], x[1:], a),
    "dynamic_update_slice": lambda b, x, a: ops.DynamicUpdateSlice(x[0], x[1], x[2:]),
    "reduce": lambda b, x, a: ops.Reduce(b, [x[0]], [x[1]],
                                         computation(a[0], b.get_shape(x[0]).xla_element_type()), a[1]),
    "iota": lambda b, x, a: ops.Iota(b, xla_client.Shape.array_shape(element_type(a[0]), a[1]), a[2]),
    "dot": lambda b, x, a: ops.Dot(*x),
    "dot_general": lambda b, x, a: ops.DotGeneral(x[0], x[1], dot(a)),
    "gather": lambda b, x, a: ops.Gather(x[0], x[1], gather(a), a["sizes"]),
    "get_dimension_size": lambda b, x, a: ops.GetDimensionSize(x[0], a),
    "reduce_precision": lambda b, x, a: ops.ReducePrecision(x[0], *a),
}


def row(op, inputs, arguments=None):
    found = {"op": op, "inputs": [listed(x) for x in inputs]}
    if arguments is not None:
        found["arguments"] = arguments
    sys.stdout.flush()
    child = os.fork()
    if child:
        # Some of what is wrong aborts the process.
        if os.waitpid(child, 0)[1] != 0:
            print(json.dumps(found | {"error": "the process aborts"}))
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        client = xla_client.make_cpu_client()
        builder = xla_client.XlaBuilder("row")
        parameters = [ops.Parameter(builder, n, xla_client.shape_from_pyval(x)) for n, x in enumerate(inputs)]
        if op in BINARY:
            result = BINARY[op](*parameters, arguments or [])
        elif op in UNARY:
            result = UNARY[op](*parameters)
        else:
            result = OTHERS[op](builder, parameters, arguments)
        module = xla_client._xla.mlir.xla_computation_to_mlir_module(builder.build(result))
        out = client.compile(module).execute([client.buffer_from_pyval(x) for x in inputs])[0]
        found["out"] = listed(np.asarray(out))
    except Exception as error:
        found["error"] = str(error).split("\n")[0]
    print(json.dumps(found))
    sys.stdout.flush()
    os._exit(0)


def of(name, numbers, shape=None):
    array = np.array(numbers, dtype=TYPES[name])
    return array if shape is None else array.reshape(shape)


def counted(name, *shape):
    return np.arange(1, 1 + int(np.prod(shape)), dtype=TYPES[name]).reshape(shape)


FLOATS = [0.0, -0.0, 1.0, -1.5, 2.5, float("inf"), float("-inf"), float("nan"), 3e38]
INTEGERS = [0, 1, -1, 7, -7, 2, 31, 127, -128]


def main():
    floats = of("f32", FLOATS)
    pairs = (np.repeat(floats, len(FLOATS)), np.tile(floats, len(FLOATS)))
    for op in BINARY:
        row(op, pairs)
        for name in ("s8", "u8"):
            numbers = [n for n in INTEGERS if name == "s8" or n >= 0]
            a = of(name, numbers)
            row(op, (np.repeat(a, len(numbers)), np.tile(a, len(numbers))))
        row(op, (of("pred", [0, 0, 1, 1]), of("pred", [0, 1, 0, 1])))
        row(op, (of("c64", [1 + 2j, 0, -1j]), of("c64", [1 + 2j, 3, 0.5])))
        row(op, (of("f32", [1]), of("s32", [1])))
    for op in UNARY:
        row(op, (of("f32", [0.0, -0.0, 0.5, -0.5, 1.5, -2.5, 0.1, 3.0, float("inf"), float("-inf"), float("nan")]),))
        row(op, (of("s8", INTEGERS),))
        row(op, (of("pred", [0, 1]),))
        row(op, (of("c64", [1 + 2j, -0.5j, 3]),))
    numbers = of("f32", [0.0, -0.0, 0.5, -1.5, 300, -300, 3e9, -3e9, 1e20, float("inf"), float("-inf"), float("nan")])
    for name in TYPES:
        row("convert_element_type", (numbers,), name)
        row("convert_element_type", (of("s32", [0, 1, -1, 127, 128, 255, 256, -129, 70000, 2**31 - 1, -2**31]),), name)
        row("convert_element_type", (of("pred", [0, 1]),), name)
    for name in TYPES:
        row("bitcast_convert_type", (of("f32", [1.0, -0.0, 1e-40]),), name)
        row("bitcast_convert_type", (counted("u8", 2, 4),), name)
    truths, yes = of("pred", [1, 0, 1, 0, 0, 1], (2, 3)), of("pred", 1)
    m, n, scalar = counted("f32", 2, 3), counted("f32", 2, 3) * 10, of("f32", 5)
    for inputs in [(truths, m, n), (yes, m, n), (truths, scalar, n), (truths, m, scalar), (truths, scalar, scalar),
                   (yes, scalar, n), (yes, scalar, scalar), (truths, m, counted("f32", 3, 2)), (truths, counted("f32", 2, 1), n),
                   (of("pred", [1, 0, 1]), m, n), (m, m, n), (truths, m, counted("s32", 2, 3)), (truths, m, counted("f32", 1))]:
        row("select", inputs)
    low, high = np.full((2, 3), 2.0, np.float32), np.full((2, 3), 4.0, np.float32)
    for inputs in [(low, m, high), (of("f32", 2), m, of("f32", 4)), (low, scalar, high), (low, m, of("f32", 4)),
                   (low, scalar, scalar), (scalar, scalar, high), (of("f32", 4), m, of("f32", 2)),
                   (low, m, counted("f32", 3, 2)), (counted("f32", 3), m, high), (of("s32", 2), m, of("f32", 4)),
                   (of("f32", 0), of("f32", float("nan")), of("f32", 1)), (of("s8", -1), of("s8", [-128, 0, 127]), of("s8", 1)),
                   (of("c64", 1), of("c64", [1j]), of("c64", 2))]:
        row("clamp", inputs)
    for sizes in [[], [2], [2, 0], [0, 2], [-1], [2, 3]]:
        row("broadcast", (of("f32", 2.25),), sizes)
        row("broadcast", (counted("s32", 3),), sizes)
        row("broadcast", (counted("s32", 0),), sizes)
    for shape, sizes, dims in [([2], [2, 2], [1]), ([2], [2, 2], [0]), ([2], [3, 2], [1]), ([2, 2], [2, 2, 2], [0, 1]),
                               ([2, 2], [2, 2, 2], [0, 2]), ([], [2, 3], []), ([1], [3], [0]), ([3], [1], [0]), ([1], [0], [0]),
                               ([0], [1], [0]), ([3], [0], [0]), ([3], [3, 4], []), ([3], [3, 4], [2]), ([3], [3, 4], [-1]),
                               ([3], [3, 4], [1]), ([3, 4], [4, 3], [1, 0]), ([2, 2], [2, 2], [0, 0]), ([2, 3], [3], [0, 0]),
                               ([2, 1, 4], [2, 3, 4], [0, 1, 2]), ([3], [-1, 3], [1]), ([2, 3], [6], [0])]:
        row("broadcast_in_dim", (counted("s32", *shape),), [sizes, dims])
    x = counted("s32", 2, 3, 4)
    for sizes in [[4, 6], [24], [2, 3, 2, 2], [2, 3, 4], [5], [-1, 24], []]:
        row("reshape", (x,), sizes)
    row("reshape", (of("s32", [7]),), [])
    for dims in [[0, 1], [1, 2], [0, 1, 2], [1], [], [0, 2], [1, 0], [2, 3]]:
        row("collapse", (x,), dims)
    for order in [[1, 0, 2], [2, 1, 0], [0, 1, 2], [0, 1], [0, 0, 1], [0, 1, 3], [0, 1, -1]]:
        row("transpose", (x,), order)
    for dims in [[0], [2, 0], [], [3], [-1], [1, 1]]:
        row("rev", (x,), dims)
    for a in [([0, 0, 0], [2, 3, 4], [1, 1, 1]), ([0, 1, 1], [2, 3, 4], [1, 1, 2]), ([1, 0, 0], [1, 3, 4], [1, 1, 1]),
              ([0, 0], [2, 3], [1, 1]), ([0, 0, 0], [3, 3, 4], [1, 1, 1]), ([-1, 0, 0], [2, 3, 4], [1, 1, 1]),
              ([2, 0, 0], [1, 3, 4], [1, 1, 1]), ([0, 0, 0], [2, 3, 4], [0, 1, 1]), ([0, 0, 0], [2, 3, 4], [1, 1, 5])]:
        row("slice", (x,), list(a))
    v = counted("s32", 4)
    for pairs in [[(1, 2, 0)], [(0, 0, 1)], [(-1, -1, 0)], [(1, -2, 2)], [(-2, 3, 1)], [(-3, 0, 1)], [(-4, 0, 0)], [(-5, 2, 0)],
                  [(0, 0, -1)], [(-3, -3, 0)], [(0, 0, 0), (0, 0, 0)], [(-3, -4, 2)], [(5, -6, 0)], [(-6, 7, 0)]]:
        row("pad", (v, of("s32", 9)), pairs)
    row("pad", (counted("s32", 2, 3), of("s32", 9)), [(1, 0, 1), (-1, 2, 0)])
    row("pad", (counted("s32", 0), of("s32", 9)), [(1, 2, 3)])
    row("pad", (v, of("s32", [9])), [(1, 1, 0)])
    row("pad", (v, of("f32", 9)), [(1, 1, 0)])
    row("concat_in_dim", (counted("s32", 2, 3), counted("s32", 2, 1)), 1)
    row("concat_in_dim", (counted("s32", 2, 3), counted("s32", 1, 3), counted("s32", 0, 3)), 0)
    row("concat_in_dim", (counted("s32", 2, 3),), 0)
    row("concat_in_dim", (counted("s32", 2, 3), counted("s32", 1, 3)), 1)
    row("concat_in_dim", (counted("s32", 2, 3), counted("f32", 2, 3)), 1)
    row("concat_in_dim", (counted("s32", 2, 3), counted("s32", 2, 3)), 2)
    row("concat_in_dim", (of("s32", 1), of("s32", 1)), 0)
    y = counted("s32", 3, 4)
    for starts in [(0, 0), (1, 2), (2, 3), (-1, 9)]:
        row("dynamic_slice", (y, of("s32", starts[0]), of("s32", starts[1])), [2, 2])
        row("dynamic_update_slice", (y, of("s32", [[90, 91]]), of("s32", starts[0]), of("s32", starts[1])))
    row("dynamic_slice", (y, of("u8", 200), of("u8", 1)), [2, 2])
    for inputs, a in [((y, of("s32", 0)), [2, 2]), ((y, of("f32", 0), of("f32", 0)), [2, 2]), ((y, of("s32", [0]), of("s32", [0])), [2, 2]),
                      ((y, of("s32", 0), of("s32", 0)), [4, 2]), ((y, of("s32", 0), of("s32", 0)), [2]), ((y, of("s32", 0), of("s32", 0)), [-1, 2])]:
        row("dynamic_slice", inputs, a)
    row("dynamic_update_slice", (y, counted("s32", 4, 1), of("s32", 0), of("s32", 0)))
    row("dynamic_update_slice", (y, counted("f32", 1, 1), of("s32", 0), of("s32", 0)))
    row("dynamic_update_slice", (y, counted("s32", 2), of("s32", 0), of("s32", 0)))
    for name, init in [("add", 0), ("add", 5), ("multiply", 1), ("maximum", -2**31), ("maximum", 20), ("minimum", 2**31 - 1)]:
        for dims in [[0], [1, 2], [0, 1, 2], []]:
            row("reduce", (x, of("s32", init)), [name, dims])
    for name in ("and", "or", "add", "multiply", "maximum", "minimum"):
        row("reduce", (truths, of("pred", name in ("and", "multiply", "minimum"))), [name, [1]])
        row("reduce", (truths, of("pred", name not in ("and", "multiply", "minimum"))), [name, [1]])
    row("reduce", (counted("f32", 0, 2), of("f32", 3)), ["add", [0]])
    row("reduce", (floats, of("f32", float("-inf"))), ["maximum", [0]])
    for inputs, a in [((x, of("s32", 0)), ["add", [3]]), ((x, of("s32", 0)), ["add", [1, 1]]), ((x, of("s32", 0)), ["add", [-1]]),
                      ((x, of("f32", 0)), ["add", [0]]), ((x, of("s32", [0])), ["add", [0]])]:
        row("reduce", inputs, a)
    for a in [["s32", [3], 0], ["f32", [2, 3], 1], ["f32", [2, 3], 0], ["u8", [2, 0], 1], ["c64", [2], 0], ["s32", [2], 1],
              ["s32", [2], -1], ["s32", [], 0]]:
        row("iota", (), a)
    row("dot", (counted("f32", 3), counted("f32", 3)))
    row("dot", (counted("f32", 2, 3), counted("f32", 3)))
    row("dot", (counted("f32", 3), counted("f32", 3, 2)))
    row("dot", (counted("s32", 2, 3), counted("s32", 3, 4)))
    row("dot", (counted("f32", 2, 3), counted("f32", 2, 3)))
    row("dot", (counted("f32", 2, 3), counted("f32", 3, 1, 1)))
    row("dot", (of("f32", 1), counted("f32", 3)))
    row("dot", (counted("f32", 3), counted("s32", 3)))
    p, q = counted("f32", 2, 3, 4), counted("f32", 2, 4, 5)
    for inputs, a in [((p, q), [[0], [0], [2], [1]]), ((p, q), [[], [], [2], [1]]), ((p, p), [[], [], [0, 1, 2], [0, 1, 2]]),
                      ((p, p), [[0, 1], [0, 1], [2], [2]]), ((p, p), [[0, 1, 2], [0, 1, 2], [], []]), ((p, q), [[], [], [], []]),
                      ((p, p), [[1], [1], [], []]), ((p, q), [[0], [0], [1], [1]]), ((p, q), [[0], [], [2], [1]]),
                      ((p, q), [[0], [0], [0], [0]]), ((p, q), [[0], [0], [3], [1]])]:
        row("dot_general", inputs, a)
    g = counted("s32", 3, 4, 5)
    for starts, a in [
        (of("s32", [2, 0, 9, -3]), {"offset": [1, 2], "collapsed": [0], "map": [0], "vector": 1, "sizes": [1, 4, 5]}),
        (of("s32", [[2], [0]]), {"offset": [0, 2], "collapsed": [1], "map": [1], "vector": 1, "sizes": [3, 1, 5]}),
        (of("s32", [[2, 1], [0, 3], [9, 9]]), {"offset": [1], "collapsed": [0, 1], "map": [0, 1], "vector": 1, "sizes": [1, 1, 5]}),
        (of("s32", [[2, 1], [0, 3]]), {"offset": [1], "collapsed": [0, 2], "map": [2, 0], "vector": 1, "sizes": [1, 4, 1]}),
        (of("s32", [[1, 2], [0, 3]]), {"offset": [1, 2, 3], "collapsed": [], "map": [0, 1], "vector": 1, "sizes": [2, 3, 5]}),
        (of("s32", [[1, 2], [0, 3]]), {"offset": [0, 1, 2], "collapsed": [], "map": [0, 1], "vector": 1, "sizes": [2, 2, 2]}),
        (of("s32", [[1, 2], [0, 3]]), {"offset": [0, 1], "collapsed": [1], "map": [1], "vector": 2, "sizes": [3, 1, 2]}),
        (of("s32", [[1, 2, 0], [0, 3, 1]]), {"offset": [0], "collapsed": [0, 1], "map": [1, 0], "vector": 0, "sizes": [1, 1, 4]}),
        (of("s32", 1), {"offset": [0, 1], "collapsed": [0], "map": [0], "vector": 0, "sizes": [1, 4, 5]}),
        (of("s32", [1, 2, 3]), {"offset": [0, 1, 2], "collapsed": [], "map": [0, 1, 2], "vector": 0, "sizes": [2, 2, 2]}),
        (of("s32", [], (2, 0)), {"offset": [1, 2, 3], "collapsed": [], "map": [], "vector": 1, "sizes": [2, 4, 5]}),
        (of("s32", [], (0,)), {"offset": [1, 2], "collapsed": [0], "map": [0], "vector": 1, "sizes": [1, 4, 5]}),
        (of("f32", [1]), {"offset": [1, 2], "collapsed": [0], "map": [0], "vector": 1, "sizes": [1, 4, 5]}),
        (of("s32", [1]), {"offset": [1, 2], "collapsed": [0], "map": [0, 1], "vector": 1, "sizes": [1, 4, 5]}),
        (of("s32", [1]), {"offset": [1, 2], "collapsed": [0], "map": [3], "vector": 1, "sizes": [1, 4, 5]}),
        (of("s32", [1]), {"offset": [1, 2], "collapsed": [0], "map": [0], "vector": 2, "sizes": [1, 4, 5]}),
        (of("s32", [1]), {"offset": [1, 2], "collapsed": [0], "map": [0], "vector": 1, "sizes": [2, 4, 5]}),
        (of("s32", [1]), {"offset": [1, 2], "collapsed": [0], "map": [0], "vector": 1, "sizes": [1, 4, 6]}),
        (of("s32", [1]), {"offset": [1], "collapsed": [0], "map": [0], "vector": 1, "sizes": [1, 4, 5]}),
        (of("s32", [1]), {"offset": [1, 1], "collapsed": [0], "map": [0], "vector": 1, "sizes": [1, 4, 5]}),
        (of("s32", [1]), {"offset": [2, 1], "collapsed": [0], "map": [0], "vector": 1, "sizes": [1, 4, 5]}),
    ]:
        row("gather", (g, starts), a)
    for axis in (0, 1, 2, -1):
        row("get_dimension_size", (counted("f32", 2, 3),), axis)
    for bits in ([5, 10], [8, 7], [8, 23], [1, 0], [0, 5], [5, -1]):
        row("reduce_precision", (of("f32", [1.1, 70000, -1e-20, float("nan"), float("inf"), 0.75]),), bits)


main()
