"""Small ONNX nodes and what the reference implementation of ONNX makes of them: the rows of `cases/onnx_nodes.txt`.

    python3 tools/onnx/values.py > cases/onnx_nodes.txt        # with onnx 1.23.2 and ml_dtypes

A row is fields with tabs between them: the operator, the opset, its attributes (`@axis=1`, `@alpha=1.5f`, `@mode="edge"`),
its inputs (`<f32 2x3 1,2,3,4,5,6`, or `<` for one left out) and its outputs (`>...`).

Where the reference is wrong or does not know an opset, the row is not here but a test of its own beside the builder.
"""

import sys

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

NAMES = {
    np.dtype(kind): name
    for kind, name in [
        (np.bool_, "bool"), (np.int8, "i8"), (np.int16, "i16"), (np.int32, "i32"), (np.int64, "i64"),
        (np.uint8, "u8"), (np.uint16, "u16"), (np.uint32, "u32"), (np.uint64, "u64"), (np.float16, "f16"),
        (np.float32, "f32"), (np.float64, "f64"), (ml_dtypes.bfloat16, "bf16"),
        (ml_dtypes.float8_e4m3fn, "f8e4m3"), (ml_dtypes.float8_e5m2, "f8e5m2"), (ml_dtypes.int4, "i4"),
        (ml_dtypes.uint4, "u4"), (ml_dtypes.float4_e2m1fn, "f4e2m1"), (ml_dtypes.float8_e8m0fnu, "f8e8m0"),
    ]
}


def number(x):
    """A number as Rust reads it."""
    if isinstance(x, (int, np.integer, np.bool_)):
        return str(int(x))
    return repr(float(x)) if np.isfinite(x) else str(float(x))


def tensor(x):
    x = np.asarray(x)
    flat = x.reshape(-1)
    if x.dtype.kind not in "biuf":
        flat = flat.astype(np.int64 if "int" in x.dtype.name else np.float32)
    shape = "x".join(str(extent) for extent in x.shape) or "scalar"
    return f"{NAMES[x.dtype]} {shape} " + ",".join(number(n) for n in flat)


def attribute(value):
    if isinstance(value, np.ndarray):
        return f"<{tensor(value)}"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(attribute(n) for n in value) + "]"
    return f"{value!r}f" if isinstance(value, float) else str(int(value))


def row(op, opset, inputs, outputs=1, **attributes):
    named = {
        name: numpy_helper.from_array(value) if isinstance(value, np.ndarray) else value
        for name, value in attributes.items()
    }
    given = [f"i{n}" if x is not None else "" for n, x in enumerate(inputs)]
    wanted = [f"o{n}" for n in range(outputs)]
    node = helper.make_node(op, given, wanted, **named)
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.asarray(x).dtype), np.asarray(x).shape)
        for name, x in zip(given, inputs)
        if x is not None
    ]
    results = [helper.make_tensor_value_info(name, TensorProto.UNDEFINED, None) for name in wanted]
    graph = helper.make_graph([node], "row", infos, results)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    feeds = {name: np.asarray(x) for name, x in zip(given, inputs) if x is not None}
    try:
        found = ReferenceEvaluator(model).run(None, feeds)
    except Exception as error:  # noqa: BLE001: the reference raises what it likes
        print(f"{op} {opset}: {type(error).__name__}: {error}", file=sys.stderr)
        return
    fields = [op, str(opset)]
    fields += [f"@{name}={attribute(value)}" for name, value in attributes.items()]
    fields += ["<" if x is None else f"<{tensor(x)}" for x in inputs]
    fields += [f">{tensor(x)}" for x in found]
    print("\t".join(fields))


def f32(*shape, start=-2.0, step=0.75):
    count = int(np.prod(shape))
    return (start + step * np.arange(count)).astype(np.float32).reshape(shape)


def mixed(*shape):
    """Numbers of both signs in no order."""
    count = int(np.prod(shape))
    return (((np.arange(count) * 37) % 23 - 11) / 4).astype(np.float32).reshape(shape)


def i64(*values):
    return np.array(values, dtype=np.int64)


def main():
    x, row3, column = mixed(2, 3), mixed(3), mixed(2, 1)
    ints = np.array([[7, -7, 5], [-5, 0, 100]], dtype=np.int32)
    others = np.array([3, -3, -7], dtype=np.int32)
    truth = np.array([[True, False, True], [False, False, True]])

    # Elementwise, broadcast against each other.
    for op in ["Add", "Sub", "Mul", "Div", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", "Equal"]:
        row(op, 16, [x, row3])
        row(op, 16, [column, row3])
        row(op, 16, [x, np.float32(2)])
    row("Div", 14, [ints[:, :2], others[:2]])
    row("Mod", 13, [ints, others])
    row("Mod", 13, [ints, others], fmod=1)
    row("Mod", 13, [x, row3 + np.float32(0.1)], fmod=1)
    row("Pow", 15, [np.abs(x), row3])
    row("Pow", 15, [x, np.array([2, 3, 0], dtype=np.int64)])
    row("Pow", 15, [ints[:1], np.array([2.0, 1.0, 3.0], dtype=np.float32)])
    row("Pow", 15, [ints, np.array([2, 1, 3], dtype=np.int64)])
    for op in ["And", "Or", "Xor"]:
        row(op, 7, [truth, np.array([True, False, False])])
    row("Not", 1, [truth])
    row("BitShift", 11, [np.array([16, 4, 1], np.uint8), np.array([1, 2, 3], np.uint8)], direction="RIGHT")
    row("BitShift", 11, [np.array([16, 4, 1], np.uint8), np.array([1, 2, 3], np.uint8)], direction="LEFT")
    for op in ["BitwiseAnd", "BitwiseOr", "BitwiseXor"]:
        row(op, 18, [ints, others])
    row("BitwiseNot", 18, [ints])
    row("Where", 16, [truth, x, np.float32(9)])
    row("Where", 16, [truth[:, :1], row3, column])
    for op in ["Max", "Min", "Sum", "Mean"]:
        row(op, 13, [x, row3, column])
        row(op, 13, [x])
    row("Max", 13, [ints, others])
    row("Clip", 13, [x, np.float32(-1), np.float32(1)])
    row("Clip", 13, [x, None, np.float32(1)])
    row("Clip", 13, [x, np.float32(-1)])
    row("Clip", 13, [ints, np.int32(-5), np.int32(6)])
    row("Clip", 6, [x], min=-1.0, max=1.0)
    row("PRelu", 16, [x, row3])
    row("PRelu", 16, [x, column])
    for op in ["Abs", "Neg", "Exp", "Sigmoid", "Tanh", "Sign", "Relu", "Ceil", "Floor", "Softplus", "Softsign", "Erf",
               "Reciprocal", "Sin", "Cos", "Tan", "Atan", "Sinh", "Cosh", "Asinh", "Round", "Identity", "HardSwish",
               "IsNaN", "IsInf"]:
        row(op, 21, [x + np.float32(0.1)])
    for op in ["Log", "Sqrt", "Acosh"]:
        row(op, 21, [np.abs(x) + np.float32(1.1)])
    for op in ["Asin", "Acos", "Atanh"]:
        row(op, 21, [x / np.float32(4)])
    row("Mish", 18, [x])
    row("Gelu", 20, [x])
    row("Gelu", 20, [x], approximate="tanh")
    row("Swish", 24, [x], alpha=1.5)
    row("Elu", 6, [x], alpha=2.0)
    row("Elu", 6, [x])
    row("Celu", 12, [x], alpha=2.0)
    row("Selu", 6, [x], alpha=2.0, gamma=3.0)
    row("Selu", 6, [x])
    row("LeakyRelu", 16, [x], alpha=0.1)
    row("LeakyRelu", 16, [x])
    row("ThresholdedRelu", 10, [x], alpha=0.5)
    row("HardSigmoid", 6, [x], alpha=0.5, beta=0.6)
    row("HardSigmoid", 6, [x])
    row("Shrink", 9, [x], lambd=1.5, bias=0.5)
    special = np.array([1.0, np.inf, -np.inf, np.nan], np.float32)
    row("IsInf", 10, [special])
    row("IsInf", 10, [special], detect_negative=0)
    row("IsInf", 10, [special], detect_positive=0)
    row("IsNaN", 13, [special])

    # Other element types.
    row("Cast", 13, [x], to=TensorProto.INT32)
    row("Cast", 13, [x], to=TensorProto.BOOL)
    row("Cast", 13, [ints], to=TensorProto.INT8)
    row("Cast", 13, [x], to=TensorProto.FLOAT16)
    large = np.array([1.0, 449.0, -1000.0, 1e6, np.inf, np.nan], np.float32)
    row("Cast", 19, [large], to=TensorProto.FLOAT8E4M3FN)
    row("Cast", 19, [large], to=TensorProto.FLOAT8E4M3FN, saturate=0)
    row("Cast", 19, [large], to=TensorProto.FLOAT8E5M2)
    row("Cast", 19, [large], to=TensorProto.FLOAT8E5M2, saturate=0)
    row("CastLike", 15, [x, ints])

    # Folds.
    cube = mixed(2, 3, 2)
    for op in ["ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2",
               "ReduceSumSquare", "ReduceLogSumExp", "ReduceLogSum"]:
        data = np.abs(cube) + np.float32(0.5) if op == "ReduceLogSum" else cube
        row(op, 11, [data], axes=[1], keepdims=0)
        row(op, 11, [data], axes=[-1, 0])
        row(op, 11, [data])
        row(op, 18, [data, i64(1)], keepdims=0)
        row(op, 18, [data, i64()])
        row(op, 18, [data])
        row(op, 18, [data, i64(-1)])
    row("ReduceSum", 13, [cube, i64()], noop_with_empty_axes=1)
    row("ReduceSum", 13, [cube, i64(0, 2)], keepdims=0)
    row("ReduceSum", 13, [ints, i64(1)])
    row("ReduceMax", 20, [truth, i64(1)], keepdims=0)
    row("ReduceMin", 20, [truth, i64(1)], keepdims=0)
    row("ReduceSum", 13, [np.zeros((2, 0), np.float32), i64(1)])
    row("ReduceLogSumExp", 18, [np.array([[-np.inf, 0.0], [1000.0, 1001.0]], np.float32), i64(1)])
    row("ReduceLogSumExp", 18, [np.zeros((2, 0), np.float32), i64(1)])
    same = np.array([[2, 2, 1], [3, 10, 10]], np.float32)
    for op in ["ArgMax", "ArgMin"]:
        row(op, 13, [same])
        row(op, 13, [same], axis=1, keepdims=0)
        row(op, 13, [same], axis=-1, keepdims=0, select_last_index=1)
    some = np.array([[3, -1, 2, 7, -5], [0, 4, -4, 9, 1]])
    for kind in [np.float32, np.float16, np.int8, np.int32, np.int64]:
        row("TopK", 11, [some.astype(kind), i64(3)], outputs=2)
        row("TopK", 11, [some.astype(kind), i64(2)], outputs=2, axis=0, largest=0)
    row("TopK", 1, [some.astype(np.float32)], outputs=2, axis=-1, k=2)
    row("TopK", 10, [some.astype(np.float32), i64(5)], outputs=2, axis=-1)
    row("TopK", 11, [some.astype(np.uint8), i64(4)], outputs=2, axis=1, largest=1)
    row("TopK", 24, [mixed(2, 3, 2), i64(2)], outputs=2, axis=-2, largest=0, sorted=1)
    row("TopK", 11, [np.array([1, 1, 0, 1, 0], np.float32), i64(4)], outputs=2)
    row("TopK", 11, [np.array([1, 1, 0, 1, 0], np.float32), i64(4)], outputs=2, largest=0)
    row("TopK", 11, [some.astype(np.float32), i64(0)], outputs=2)
    for exclusive in (0, 1):
        for reverse in (0, 1):
            row("CumSum", 14, [cube, np.int64(1)], exclusive=exclusive, reverse=reverse)
            row("CumProd", 26, [cube, np.int64(-1)], exclusive=exclusive, reverse=reverse)
    for op in ["Softmax", "LogSoftmax", "Hardmax"]:
        row(op, 13, [cube])
        row(op, 13, [cube], axis=1)
        row(op, 13, [cube * np.float32(1000)], axis=0)
    row("GlobalAveragePool", 1, [mixed(1, 2, 3, 2)])
    row("GlobalMaxPool", 1, [mixed(1, 2, 3, 2)])

    # Movement.
    row("Expand", 13, [column, i64(2, 1, 6)])
    row("Expand", 13, [mixed(3, 1), i64(3, 4)])
    row("Expand", 13, [mixed(3, 4), i64(1)])
    row("Reshape", 14, [cube, i64(3, -1)])
    row("Reshape", 14, [cube, i64(0, -1)])
    row("Reshape", 14, [cube, i64(2, 0, 2)])
    row("Reshape", 14, [np.zeros((0, 3), np.float32), i64(3, 0)], allowzero=1)
    row("Transpose", 13, [cube])
    row("Transpose", 13, [cube], perm=[1, 2, 0])
    row("Squeeze", 13, [mixed(1, 3, 1)])
    row("Squeeze", 13, [mixed(1, 3, 1), i64(-1)])
    row("Squeeze", 11, [mixed(1, 3, 1)], axes=[0])
    row("Unsqueeze", 13, [x, i64(0, -1)])
    row("Unsqueeze", 11, [x], axes=[0, 2])
    row("Flatten", 13, [cube])
    row("Flatten", 13, [cube], axis=0)
    row("Flatten", 13, [cube], axis=3)
    row("Flatten", 13, [cube], axis=-1)
    row("Shape", 13, [cube])
    row("Shape", 15, [cube], start=1)
    row("Shape", 15, [cube], start=-2, end=-1)
    row("Shape", 15, [cube], start=-10, end=10)
    row("Size", 13, [cube])
    row("Tile", 13, [x, i64(2, 3)])
    row("Tile", 13, [x, i64(1, 0)])
    row("Concat", 13, [x, x, x], axis=-1)
    row("Concat", 13, [x, mixed(1, 3)], axis=0)
    row("Split", 13, [f32(7), i64(2, 4, 1)], outputs=3)
    row("Split", 13, [f32(2, 6)], outputs=3, axis=1)
    row("Split", 18, [f32(7)], outputs=3, num_outputs=3)
    line = f32(4, 6)
    row("Slice", 13, [line, i64(1, 0), i64(3, 5)])
    row("Slice", 13, [line, i64(1), i64(1000), i64(-1), i64(2)])
    row("Slice", 13, [line, i64(-1, 3), i64(-1000, 0), i64(0, 1), i64(-1, -2)])
    row("Slice", 13, [line, i64(3), i64(np.iinfo(np.int64).min), i64(0), i64(-1)])
    row("Gather", 13, [line, np.array([[0, 2], [-1, 1]])], axis=1)
    row("Gather", 13, [line, np.int64(2)])
    row("GatherElements", 13, [line, np.array([[1, -1, 2], [0, 0, 5]])], axis=1)
    row("GatherElements", 13, [line, np.array([[3, 1, 0, 0, 1, -4]])], axis=0)
    row("GatherND", 12, [cube, np.array([[0, 1], [-1, 2]])])
    row("GatherND", 12, [cube, np.array([[[0, 1, 1]], [[1, 0, 0]]])])
    row("GatherND", 12, [cube, np.array([[2], [0]])], batch_dims=1)
    row("ScatterElements", 18, [line, np.array([[1, 5]]), np.array([[9, 8]], np.float32)], axis=1)
    for reduction in ["add", "mul", "max", "min"]:
        row("ScatterElements", 18, [np.ones((1, 5), np.float32), np.array([[1, 1]]), np.array([[5, -2]], np.float32)],
            axis=1, reduction=reduction)
        row("ScatterND", 18, [cube, np.array([[1], [1]]), mixed(2, 3, 2) + np.float32(1)], reduction=reduction)
    row("ScatterND", 18, [line, np.array([[0, 1], [3, 5]]), np.array([7, 8], np.float32)])
    row("ScatterND", 18, [line, np.array([[1], [2]]), f32(2, 6, start=50.0)])
    for mode in ["constant", "edge", "reflect", "wrap"]:
        row("Pad", 19, [x, i64(1, 2, 0, 1)], mode=mode)
        row("Pad", 19, [x, i64(2, 1), None, i64(1)], mode=mode)
    row("Pad", 13, [x, i64(0, 1, 1, 0), np.float32(5)])
    row("Pad", 13, [x, i64(-1, 1, 0, -1), np.float32(5)])
    row("OneHot", 11, [i64(0, 2, -1, 5), np.int64(3), np.array([2.0, 5.0], np.float32)])
    row("OneHot", 11, [np.array([[0, 1]]), np.int64(3), i64(0, 1)], axis=1)
    row("Trilu", 14, [f32(2, 3, 4)])
    row("Trilu", 14, [f32(3, 4), np.int64(1)], upper=0)
    row("Trilu", 14, [f32(3, 4), np.int64(-1)])
    row("EyeLike", 9, [ints])
    row("EyeLike", 9, [ints], k=1, dtype=TensorProto.FLOAT)
    row("Range", 11, [np.float32(1), np.float32(5), np.float32(1.5)])
    row("Range", 11, [np.int32(10), np.int32(4), np.int32(-2)])
    row("ConstantOfShape", 20, [i64(2, 3)])
    row("ConstantOfShape", 20, [i64(2)], value=np.array([7], np.int32))
    row("ConstantOfShape", 20, [i64()], value=np.array([7], np.int32))
    row("Constant", 13, [], value=np.array([[1.5, 2.5]], np.float32))
    row("Constant", 13, [], value_int=3)
    row("Constant", 13, [], value_floats=[1.0, 2.5])
    row("DepthToSpace", 13, [mixed(1, 8, 2, 3)], blocksize=2)
    row("DepthToSpace", 13, [mixed(1, 8, 2, 3)], blocksize=2, mode="CRD")
    row("SpaceToDepth", 13, [mixed(1, 2, 4, 6)], blocksize=2)
    row("CenterCropPad", 18, [f32(5, 4), i64(2, 7)])
    row("CenterCropPad", 18, [f32(5, 4), i64(8)], axes=[0])

    # Products.
    row("MatMul", 13, [mixed(2, 3), mixed(3, 4)])
    row("MatMul", 13, [mixed(2, 1, 2, 3), mixed(3, 3, 2)])
    row("MatMul", 13, [mixed(3), mixed(3, 2)])
    row("Gemm", 13, [mixed(2, 3), mixed(3, 4), mixed(4)], alpha=0.5, beta=2.0)
    row("Gemm", 13, [mixed(3, 2), mixed(4, 3), mixed(2, 1)], transA=1, transB=1)
    row("Gemm", 13, [mixed(2, 3), mixed(3, 4)])
    row("MatMulInteger", 10, [np.array([[11, 7], [3, 10]], np.uint8), np.array([[1, 4], [2, 5]], np.uint8),
                              np.array(12, np.uint8), np.array(3, np.uint8)])
    for equation, shapes in [
        ("ij,jk->ik", [(2, 3), (3, 4)]), ("bij,bjk->bik", [(2, 2, 3), (2, 3, 2)]), ("ij->ji", [(2, 3)]), ("ij->i", [(2, 3)]),
        ("ij->", [(2, 3)]), ("i,i", [(3,), (3,)]), ("i,j->ij", [(3,), (2,)]), ("...ii->...i", [(2, 3, 3)]),
        ("ii", [(3, 3)]), ("...ij,...jk", [(2, 2, 3), (3, 2)]), ("ijk,jk,k->i", [(2, 3, 2), (3, 2), (2,)]),
        ("b...->...b", [(2, 3, 2)]), ("ik,jk->ji", [(2, 3), (4, 3)]), (" i j , j k -> i k ", [(2, 3), (3, 2)]),
    ]:
        row("Einsum", 12, [mixed(*shape) for shape in shapes], equation=equation)

    # Normalisation.
    image = mixed(2, 4, 3)
    scale, bias = f32(4, start=0.5), f32(4, start=-1.0)
    row("LayerNormalization", 17, [x, row3, row3], outputs=3)
    row("LayerNormalization", 17, [cube, mixed(3, 2)], axis=1, epsilon=0.1)
    row("RMSNormalization", 23, [cube, mixed(3, 2)], axis=1, epsilon=0.1)
    row("InstanceNormalization", 6, [image, scale, bias], epsilon=0.01)
    row("GroupNormalization", 21, [image, scale, bias], num_groups=2)
    row("BatchNormalization", 15, [image, scale, bias, f32(4), f32(4, start=1.0)])
    row("MeanVarianceNormalization", 13, [mixed(2, 2, 2, 2)])
    row("LpNormalization", 22, [x], axis=0)
    row("Dropout", 13, [x])
    # The reference takes as many channels as there are in the batch.
    row("LRN", 13, [mixed(3, 3, 2, 1)], size=3, alpha=0.5, beta=0.75, bias=2.0)
    row("LRN", 13, [mixed(2, 2, 1, 1)], size=4)

    # Attention, and what belongs to it.
    q, k, v = mixed(2, 4, 3, 2), f32(2, 2, 5, 2, step=0.1), mixed(2, 2, 5, 3)
    row("Attention", 23, [q[:, :2], k, v])
    row("Attention", 23, [q, k, v], is_causal=1, scale=0.5)
    row("Attention", 24, [q, k, v, mixed(3, 5)], softcap=1.5, outputs=4, qk_matmul_output_mode=1)
    row("Attention", 24, [q, k, v, mixed(2, 1, 3, 5) > 0], outputs=4, qk_matmul_output_mode=2)
    row("Attention", 24, [q, k, v, np.array([[True], [False], [True]])], outputs=4, qk_matmul_output_mode=3)
    row("Attention", 24, [q, k, v, None, f32(2, 2, 4, 2, step=-0.1), mixed(2, 2, 4, 3)], is_causal=1, outputs=3)
    row("Attention", 24, [q, k, v, None, None, None, i64(5, 2)], is_causal=1)
    row("Attention", 25, [q, k, v], left_window_size=1, right_window_size=2, softmax_precision=TensorProto.DOUBLE)
    flat = [mixed(2, 3, 8), f32(2, 5, 4, step=0.1), mixed(2, 5, 6)]
    row("Attention", 23, flat, q_num_heads=4, kv_num_heads=2)
    row("Attention", 23, [mixed(1, 3, 4).astype(np.float16)] * 3, q_num_heads=2, kv_num_heads=2)
    angles = [f32(5, 2, step=0.1), f32(5, 2, step=-0.1)]
    row("RotaryEmbedding", 23, [mixed(2, 2, 3, 4), *angles, np.array([[0, 4, 1], [2, 2, 3]])])
    row("RotaryEmbedding", 23, [mixed(2, 3, 12), *angles, np.array([[0, 4, 1], [2, 2, 3]])], num_heads=2, rotary_embedding_dim=4,
        interleaved=1)
    row("RotaryEmbedding", 23, [mixed(1, 2, 5, 4), angles[0][None], angles[1][None]], interleaved=1)
    row("TensorScatter", 24, [f32(2, 4, 3), mixed(2, 2, 3), i64(1, 2)])
    row("TensorScatter", 24, [f32(2, 3, 4), mixed(2, 3, 3), i64(3, 2)], axis=-1, mode="circular")
    row("TensorScatter", 24, [f32(2, 4, 3), mixed(2, 2, 3)], axis=1)

    # Where elements are, and sequences.
    row("NonZero", 13, [mixed(2, 3) > 0])
    row("NonZero", 13, [np.array([[[0, 3], [-1, 0]]], np.int32)])
    row("NonZero", 13, [np.zeros((2, 2), np.float32)])
    row("Compress", 11, [line, np.array([False, True, True])], axis=-1)
    row("Compress", 11, [line, np.array([False, True, True, False, True])])
    row("Compress", 11, [line, np.array([False] * 4)], axis=0)
    row("ReverseSequence", 10, [line, i64(0, 1, 2, 3, 4, 4)])
    row("ReverseSequence", 10, [cube, i64(3, 2)], batch_axis=0, time_axis=1)

    # Losses.
    classes, labels = mixed(3, 4, 2), np.array([[0, 3], [1, 1], [2, 0]])
    for op in ["NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"]:
        row(op, 13, [classes, labels])
        row(op, 13, [classes, labels, np.array([1, 2, 0.5, 3], np.float32)], ignore_index=1)
        row(op, 13, [classes[:, :, 0], labels[:, 0].astype(np.int32)], reduction="none")
        row(op, 13, [classes, labels], reduction="sum", ignore_index=3)
    row("SoftmaxCrossEntropyLoss", 13, [classes, labels], outputs=2)

    # Windows, and bits.
    for op in ["HannWindow", "HammingWindow", "BlackmanWindow"]:
        row(op, 17, [np.array(5)])
        row(op, 17, [np.array(6, np.int32)], periodic=0, output_datatype=TensorProto.FLOAT16)
    row("BitCast", 26, [x], to=TensorProto.INT32)
    row("BitCast", 26, [np.array([255, 1, 128], np.uint8)], to=TensorProto.INT8)

    # Quantisation.
    row("QuantizeLinear", 13, [mixed(6) * np.float32(40), np.float32(0.5), np.uint8(128)])
    row("QuantizeLinear", 13, [mixed(6) * np.float32(40), np.float32(0.5)])
    row("QuantizeLinear", 13, [mixed(2, 3), np.array([0.1, 0.2, 0.3], np.float32), np.array([1, 2, 3], np.int8)], axis=1)
    row("QuantizeLinear", 21, [mixed(2, 4), np.array([[0.1, 0.2], [0.3, 0.4]], np.float32)], axis=1, block_size=2,
        output_dtype=TensorProto.INT8)
    row("DequantizeLinear", 19, [np.array([0, 3, 128, 255], np.uint8), np.float32(2), np.uint8(128)])
    row("DequantizeLinear", 19, [np.array([[0, 3, 12], [4, 5, 6]], np.int8), np.array([0.5, 1, 2], np.float32),
                                 np.array([1, 2, 3], np.int8)], axis=1)
    row("DequantizeLinear", 21, [np.array([[0, 3, 12, 1]], np.int8), np.array([[0.5, 1]], np.float32)], axis=1, block_size=2)
    row("DynamicQuantizeLinear", 11, [np.array([0, 2, -3, -2.5, 1.34, 0.5], np.float32)], outputs=3)


if __name__ == "__main__":
    assert onnx.__version__
    main()
