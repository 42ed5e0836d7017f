"""The models of cases/openvino: each a function that gives its outputs, and its inputs with their values."""

import numpy as np
import openvino as ov
from openvino import (PartialShape, Shape, Tensor, Type, opset1, opset2, opset3, opset4, opset5, opset6, opset7, opset8, opset10,
                      opset11, opset12, opset13, opset15)
from openvino.utils.node_factory import NodeFactory

MODELS = {}
random = np.random.default_rng(7)


def floats(*shape):
    return np.round(random.uniform(-2, 2, shape), 3).astype(np.float32)


def ints(*shape, dtype=np.int64, low=-5, high=6):
    return random.integers(low, high, shape).astype(dtype)


def parameter(name, shape, dtype=Type.f32):
    node = opset1.parameter(PartialShape(shape), dtype)
    node.set_friendly_name(name)
    node.output(0).set_names({name})
    return node


def const(values, dtype=np.int64):
    values = np.asarray(values, dtype)
    return ov.op.Constant(Tensor(values)) if values.size else ov.op.Constant(Type.i64, Shape([0]), [])


def f32(values):
    return const(values, np.float32)


def create(opset, kind, inputs, attributes=None):
    return NodeFactory(opset).create(kind, inputs, attributes or {})


def model(function):
    MODELS[function.__name__] = function
    return function


@model
def unary_float():
    x, p = parameter("x", [2, 5]), parameter("p", [4])
    outputs = {}
    for opset, kinds in [
        ("opset1", "Abs Ceiling Cos Cosh Erf Exp Floor Negative Relu Sigmoid Sign Sin Sinh Tan Tanh Atan HardSigmoid"),
        ("opset4", "Asinh HSwish Mish SoftPlus"),
        ("opset5", "HSigmoid"),
        ("opset9", "SoftSign"),
        ("opset10", "IsFinite IsInf IsNaN"),
    ]:
        for kind in kinds.split():
            inputs = [x, f32(0.2), f32(0.5)] if kind == "HardSigmoid" else [x]
            outputs[kind] = create(opset, kind, inputs)
    for kind in ["Log", "Sqrt"]:
        outputs[kind] = create("opset1", kind, [p])
    outputs["Round"] = opset5.round(x, "half_to_even")
    outputs["RoundAway"] = opset5.round(x, "half_away_from_zero")
    outputs["Clamp"] = opset1.clamp(x, -0.5, 1.25)
    outputs["Elu"] = opset1.elu(x, 0.75)
    outputs["Selu"] = opset1.selu(x, f32(1.7), f32(1.1))
    outputs["Swish"] = opset4.swish(x, f32(1.5))
    outputs["SwishPlain"] = opset4.swish(x)
    outputs["Gelu2"] = opset2.gelu(x) if hasattr(opset2, "gelu") else create("opset2", "Gelu", [x])
    outputs["Gelu7"] = opset7.gelu(x, "erf")
    outputs["GeluTanh"] = opset7.gelu(x, "tanh")
    outputs["IsInfUp"] = opset10.is_inf(x, {"detect_negative": False})
    x_value = floats(2, 5)
    x_value[0, :3] = [0.5, -1.5, 2.5]
    return outputs, {"x": (x, x_value), "p": (p, np.abs(floats(4)) + 0.5)}


@model
def binary_numpy():
    a, b = parameter("a", [2, 1, 4]), parameter("b", [3, 1])
    kinds = "Add Subtract Multiply Divide Maximum Minimum SquaredDifference FloorMod Mod Equal NotEqual Less LessEqual Greater GreaterEqual"
    outputs = {kind: create("opset1", kind, [a, b], {"auto_broadcast": "NUMPY"}) for kind in kinds.split()}
    outputs["Power"] = opset1.power(opset1.absolute(a), b)
    outputs["Select"] = opset1.select(outputs["Greater"], a, b)
    return outputs, {"a": (a, floats(2, 1, 4)), "b": (b, floats(3, 1))}


@model
def binary_pdpd():
    a, b = parameter("a", [2, 3, 4]), parameter("b", [3, 1])
    attributes = {"auto_broadcast": "PDPD", "auto_broadcast.auto_broadcast_axis": 1}
    outputs = {kind: create("opset1", kind, [a, b], attributes) for kind in ["Add", "Subtract", "Multiply", "Maximum"]}
    return outputs, {"a": (a, floats(2, 3, 4)), "b": (b, floats(3, 1))}


@model
def integers():
    a, b = parameter("a", [2, 4], Type.i32), parameter("b", [4], Type.i32)
    u, t = parameter("u", [4], Type.u8), parameter("t", [2, 4], Type.boolean)
    kinds = "Add Subtract Multiply Maximum Minimum Equal Less"
    outputs = {kind: create("opset1", kind, [a, b], {"auto_broadcast": "NUMPY"}) for kind in kinds.split()}
    outputs["And"] = opset13.bitwise_and(a, b)
    outputs["Or"] = opset13.bitwise_or(a, b)
    outputs["Xor"] = opset13.bitwise_xor(a, b)
    outputs["Not"] = opset13.bitwise_not(a)
    outputs["Left"] = opset15.bitwise_left_shift(u, const([1, 2, 3, 0], np.uint8))
    outputs["Right"] = opset15.bitwise_right_shift(u, const([1, 2, 3, 0], np.uint8))
    outputs["Clamp"] = opset1.clamp(a, -1.5, 2.5)
    less = outputs["Less"]
    outputs["LogicalAnd"] = opset1.logical_and(t, less)
    outputs["LogicalOr"] = opset1.logical_or(t, less)
    outputs["LogicalXor"] = opset1.logical_xor(t, less)
    outputs["LogicalNot"] = opset1.logical_not(t)
    return outputs, {"a": (a, ints(2, 4, dtype=np.int32)), "b": (b, np.array([3, -2, 4, -3], np.int32)),
                     "u": (u, ints(4, dtype=np.uint8, low=0, high=200)), "t": (t, ints(2, 4, low=0, high=2).astype(bool))}


@model
def integer_division():
    """By the reference kernels alone: the CPU plugin cuts what they round down."""
    a, b = parameter("a", [2, 4], Type.i32), parameter("b", [4], Type.i32)
    outputs = {kind: create("opset1", kind, [a, b], {"auto_broadcast": "NUMPY"}) for kind in ["Divide", "FloorMod", "Mod"]}
    outputs["Truncated"] = create("opset1", "Divide", [a, b], {"auto_broadcast": "NUMPY", "m_pythondiv": False})
    return outputs, {"a": (a, ints(2, 4, dtype=np.int32)), "b": (b, np.array([3, -2, 4, -3], np.int32))}


@model
def folds():
    x, t = parameter("x", ["?", 3, 4]), parameter("t", [2, 3], Type.boolean)
    n = parameter("n", [2, 3], Type.i32)
    outputs = {}
    for opset, kinds in [("opset1", "ReduceSum ReduceProd ReduceMax ReduceMin ReduceMean"), ("opset4", "ReduceL1 ReduceL2")]:
        for kind in kinds.split():
            outputs[kind] = create(opset, kind, [x, const([-1, 0])], {"keep_dims": True})
            outputs[kind + "Gone"] = create(opset, kind, [x, const(1)], {"keep_dims": False})
    outputs["Any"] = opset1.reduce_logical_or(t, const([1]), False)
    outputs["All"] = opset1.reduce_logical_and(t, const([0]), True)
    outputs["MeanOfIntegers"] = opset1.reduce_mean(n, const([1]), False)
    outputs["CumSum"] = opset3.cum_sum(x, const(1))
    outputs["CumSumBack"] = opset3.cum_sum(x, const(-1), exclusive=True, reverse=True)
    return outputs, {"x": (x, floats(2, 3, 4)), "t": (t, ints(2, 3, low=0, high=2).astype(bool)), "n": (n, ints(2, 3, dtype=np.int32))}


@model
def movement():
    x = parameter("x", [2, 3, 4])
    outputs = {
        "Reshape": opset1.reshape(x, const([0, -1, 2]), True),
        "Flat": opset1.reshape(x, const([-1]), False),
        "Transpose": opset1.transpose(x, const([2, 0, 1])),
        "Turned": opset1.transpose(x, const([])),
        "Unsqueeze": opset1.unsqueeze(x, const([0, -1])),
        "Concat": opset1.concat([x, x], -2),
        "StridedSlice": opset1.strided_slice(x, const([1, 0, -1]), const([2, 0, 0]), const([1, 1, -2]), [0, 1, 0], [0, 1, 1]),
        "Shrunk": opset1.strided_slice(x, const([0, 1]), const([0, 2]), const([1, 1]), [1, 0], [1, 0], [0, 0], [0, 1], [0, 0]),
        "NewAxis": opset1.strided_slice(x, const([0, 1]), const([0, 2]), const([1, 1]), [0, 0], [0, 0], [1, 0], [0, 0], [0, 0]),
        "Ellipsis": opset1.strided_slice(x, const([0, 1]), const([0, 3]), const([1, 1]), [0, 0], [0, 0], [0, 0], [0, 0], [1, 0]),
        "Slice": opset8.slice(x, const([-1, 0]), const([-100, 3]), const([-1, 2]), const([2, 1])),
        "SliceAll": opset8.slice(x, const([0]), const([1]), const([1])),
        "Reverse": create("opset1", "Reverse", [x, const([2, 0])], {"mode": "index"}),
        "Tile": opset1.tile(x, const([2, 1, 1, 2])),
        "PadConstant": opset1.pad(x, const([1, 0, 2]), const([0, 1, 0]), "constant", f32(7)),
        "PadEdge": opset1.pad(x, const([1, 0, 2]), const([0, 1, 0]), "edge"),
        "PadReflect": opset1.pad(x, const([1, 0, 2]), const([0, 1, 3]), "reflect"),
        "PadSymmetric": opset1.pad(x, const([1, 0, 2]), const([2, 1, 4]), "symmetric"),
        "PadNegative": opset12.pad(x, const([1, -1, 0]), const([0, 1, -2]), "constant", f32(7)),
        "Convert": opset1.convert(x, "i32"),
        "ConvertLike": opset1.convert_like(x, const([1], np.int8)),
        "MatMul": opset1.matmul(x, x, False, True),
        "MatVec": opset1.matmul(x, f32([1, 2, 3, 4]), False, True),
        "ShapeOf": opset1.shape_of(x),
        "ShapeOf3": opset3.shape_of(x, "i32"),
        "Range": opset4.range(const(1), const(10), const(3), "i64"),
        "RangeDown": opset1.range(f32(5), f32(0), f32(-2)),
        "SliceScatter": opset15.slice_scatter(x, f32(np.arange(6).reshape(2, 3, 1)), const([2]), const([3]), const([1]), const([2])),
    }
    for number, part in enumerate(opset1.split(x, const(2), 2).outputs()):
        outputs[f"Split{number}"] = part
    for number, part in enumerate(opset1.variadic_split(x, const(1), const([1, -1])).outputs()):
        outputs[f"VariadicSplit{number}"] = part
    one = opset1.unsqueeze(x, const([0, 2]))
    outputs["Squeeze"] = opset1.squeeze(one, const([0]))
    outputs["SqueezeAll"] = create("opset1", "Squeeze", [one])
    return outputs, {"x": (x, floats(2, 3, 4))}


@model
def movement_dynamic():
    x, y = parameter("x", ["?", "?", 4]), parameter("y", ["?", 4])
    shape = opset3.shape_of(x)
    first = opset8.gather(shape, const([0]), const(0))
    outputs = {
        "Reshape": opset1.reshape(x, const([0, 0, 2, -1]), True),
        "Joined": opset1.reshape(x, opset1.concat([first, const([-1])], 0), False),
        "Concat": opset1.concat([x, x], 0),
        "Tile": opset1.tile(x, const([2, 1, 2])),
        "Pad": opset1.pad(x, const([1, 0, 0]), const([0, 2, 0]), "constant"),
        "Reflect": opset1.pad(x, const([0, 1, 0]), const([0, 1, 0]), "reflect"),
        "Slice": opset8.slice(x, const([0]), const([-1]), const([1]), const([1])),
        "Add": opset1.add(x, y),
        "Like": opset3.broadcast(y, shape),
        "Back": opset3.broadcast(opset1.unsqueeze(y, const([0])), shape, broadcast_spec="BIDIRECTIONAL"),
        "Softmax": opset8.softmax(x, -2),
        "Mean": opset1.reduce_mean(x, const([0, 1]), False),
        "Count": opset4.range(const(0), opset1.squeeze(first, const([0])), const(1), "i32"),
        "Begin": opset1.strided_slice(x, opset1.concat([first, const([0])], 0), const([0, 2]), const([-1, 1]), [0, 0], [1, 0]),
    }
    return outputs, {"x": (x, floats(2, 3, 4)), "y": (y, floats(3, 4))}


@model
def by_number():
    x, i = parameter("x", [2, 3, 4]), parameter("i", [2, 2], Type.i32)
    outputs = {
        "Gather1": opset1.gather(x, i, const(1)),
        "Gather7": opset7.gather(x, i, const(1), 1),
        "Gather8": opset8.gather(x, const([-1, 0]), const(-1)),
        "GatherBatch": opset8.gather(x, i, const(2), -1),
        "GatherScalar": opset8.gather(x, const(1), const(0)),
        "GatherElements": opset6.gather_elements(x, const(np.ones((2, 1, 4), np.int64)), 1),
        "OneHot": opset1.one_hot(i, const(3), f32(5), f32(-1), 1),
        "Scatter3": opset3.scatter_elements_update(x, const(np.array([[[2]], [[0]]])), f32([[[9]], [[8]]]), const(2)),
    }
    for reduction in ["sum", "prod", "min", "max", "mean"]:
        for initial in [True, False]:
            outputs[f"{reduction}{initial}"] = opset12.scatter_elements_update(
                f32([1, 2, 3, 4]), const([1, 1, -1]), f32([5, 6, 7]), const(0), reduction, initial)
    return outputs, {"x": (x, floats(2, 3, 4)), "i": (i, np.array([[0, 2], [1, 1]], np.int32))}


@model
def composites():
    x, c = parameter("x", [2, 3, 4]), parameter("c", [1, 2, 3, 2])
    low, high = f32(np.full((1, 3, 1), -1)), f32([1.5])
    outputs = {
        "Softmax1": opset1.softmax(x, 1),
        "Softmax8": opset8.softmax(x, -1),
        "LogSoftmax": opset5.log_softmax(x, -1),
        "Mvn1": opset2.mvn(c, False, True, 1e-3),
        "Mvn1Across": opset2.mvn(c, True, True, 1e-3),
        "Mvn1Plain": opset2.mvn(c, False, False, 1e-3),
        "Mvn6In": opset6.mvn(x, const([1, 2]), True, 1e-2, "INSIDE_SQRT"),
        "Mvn6Out": opset6.mvn(x, const([-1]), True, 1e-2, "OUTSIDE_SQRT"),
        "NormalizeL2": opset1.normalize_l2(x, const([1]), 1e-2, "add"),
        "NormalizeL2Max": opset1.normalize_l2(x, const([1, 2]), 30.0, "max"),
        "PRelu": opset1.prelu(x, f32([0.1, 0.2, 0.3])),
        "PReluOne": opset1.prelu(x, f32([0.25])),
        "PReluAll": opset1.prelu(x, f32(np.full((3, 1), 0.5))),
        "FakeQuantize": opset1.fake_quantize(x, low, high, f32(-2), f32(np.full((2, 1, 1), 3)), 16),
        "EinsumProduct": opset7.einsum([x, f32(np.arange(12).reshape(3, 4))], "abc,bc->ab"),
        "EinsumMatrix": opset7.einsum([x, f32(np.arange(8).reshape(4, 2))], "abc,cd->adb"),
        "EinsumOuter": opset7.einsum([f32([1, 2]), f32([3, 4, 5])], "a,b->ab"),
        "EinsumSum": opset7.einsum([x], "abc->c"),
    }
    return outputs, {"x": (x, floats(2, 3, 4)), "c": (c, floats(1, 2, 3, 2))}


@model
def broadcast_1():
    a, b, c = parameter("a", [16, 1, 1]), parameter("b", [16]), parameter("c", ["?", 5])
    factory = NodeFactory("opset1")
    outputs = {
        "Numpy": factory.create("Broadcast", [a, const([1, 16, 2, 5])], {"mode": "NUMPY"}),
        "Explicit": factory.create("Broadcast", [b, const([1, 16, 2, 5], np.int32), const([1])], {"mode": "EXPLICIT"}),
        "TwoAxes": factory.create("Broadcast", [c, const([1, 4, 5, 2]), const([1, 2])], {"mode": "EXPLICIT"}),
        "Zero": factory.create("Broadcast", [f32(3), const([0, 2])], {"mode": "NUMPY"}),
    }
    return outputs, {"a": (a, floats(16, 1, 1)), "b": (b, floats(16)), "c": (c, floats(4, 5))}


@model
def broadcast_3():
    x, y = parameter("x", [1, 3, 1]), parameter("y", [3, 4])
    t = parameter("t", [3], Type.i64)
    outputs = {
        "Bidirectional": opset3.broadcast(x, const([2, 1, 4]), broadcast_spec="BIDIRECTIONAL"),
        "Explicit": opset3.broadcast(y, const([2, 3, 4, 2]), const([1, 2]), "EXPLICIT"),
        "Numpy": opset3.broadcast(y, const([2, 3, 4], np.uint64)),
        "Later": opset3.broadcast(y, t),
        "LaterExplicit": opset3.broadcast(y, t, const([0, 2]), "EXPLICIT"),
    }
    return outputs, {"x": (x, floats(1, 3, 1)), "y": (y, floats(3, 4)), "t": (t, np.array([3, 3, 4]))}


@model
def element_types():
    outputs = {}
    values = {"boolean": [1, 0, 1], "i8": [-128, 127, 3], "i16": [-5, 300, 7], "i32": [-70000, 5, 6], "i64": [-5, 6, 7],
              "u8": [255, 1, 2], "u16": [65535, 1, 2], "u32": [70000, 1, 2], "u64": [5, 6, 7], "f16": [0.5, -2, 65504],
              "bf16": [0.5, -2, 3e38], "f32": [0.1, -2, 1e-40], "f64": [0.25, -2, 3], "i4": [-8, 7, 3], "u4": [15, 1, 2],
              "u2": [3, 1, 2], "u1": [1, 0, 1], "u3": [7, 1, 2], "u6": [63, 1, 2], "f8e4m3": [0.5, -2, 448],
              "f8e5m2": [0.5, -2, 57344], "f8e8m0": [0.5, 2, 1024], "f4e2m1": [0.5, -2, 6], "nf4": [0, 1, -1]}
    for name, elements in values.items():
        try:
            constant = ov.op.Constant(getattr(Type, name), Shape([3]), elements)
            constant.set_friendly_name(name)
            outputs[name] = opset1.convert(constant, "f32")
        except Exception as error:  # the wheel makes no constants of some types
            print("element_types:", name, str(error).splitlines()[0])
    return outputs, {}


@model
def attention():
    x = parameter("x", ["?", "?", 8])
    weights = [f32(floats(8, 8)) for _ in range(3)]
    q, k, v = [opset1.matmul(x, w, False, False) for w in weights]
    shape = opset1.concat([opset8.gather(opset3.shape_of(x), const([0, 1]), const(0)), const([2, 4])], 0)
    heads = [opset1.transpose(opset1.reshape(part, shape, True), const([0, 2, 1, 3])) for part in (q, k, v)]
    scores = opset1.multiply(opset1.matmul(heads[0], heads[1], False, True), f32(0.5))
    mixed = opset1.matmul(opset8.softmax(scores, -1), heads[2], False, False)
    back = opset1.reshape(opset1.transpose(mixed, const([0, 2, 1, 3])), const([0, 0, 8]), True)
    summed = opset1.add(x, back)
    normal = opset6.mvn(summed, const([-1]), True, 1e-5, "INSIDE_SQRT")
    scaled = opset1.add(opset1.multiply(normal, f32(floats(8))), f32(floats(8)))
    return {"y": opset7.gelu(scaled, "tanh")}, {"x": (x, floats(2, 3, 8))}


@model
def half_constants():
    """Saved with its constants as f16, as OpenVINO does unless it is told not to."""
    x = parameter("x", [2, 40])
    return {"y": opset1.add(opset1.multiply(x, f32(floats(40))), f32(floats(2, 1)))}, {"x": (x, floats(2, 40))}


@model
def by_tuples():
    """By the reference kernels alone: the CPU plugin combines what goes to one place in no order."""
    x, t = parameter("x", [2, 3, 4]), parameter("t", [2, 3], Type.boolean)
    pairs = const([[0, 1], [-1, 2], [0, 1]])
    outputs = {
        "ScatterUpdate": opset3.scatter_update(x, const([[2, 0]]), f32(np.arange(16).reshape(2, 1, 2, 4)), const(1)),
        "ScatterNd": opset4.scatter_nd_update(x, const([[1], [0]]), f32(np.arange(24).reshape(2, 3, 4))),
        "NonZero": opset3.non_zero(t, "i32"),
    }
    for reduction in ["none", "sum", "sub", "prod", "min", "max"]:
        outputs[f"Pairs{reduction}"] = opset15.scatter_nd_update(x, pairs, f32(np.arange(12).reshape(3, 4)), reduction)
        outputs[f"Truths{reduction}"] = opset15.scatter_nd_update(
            t, const([[0, 1], [1, 2], [0, 1]]), const([True, False, True], bool), reduction)
    return outputs, {"x": (x, floats(2, 3, 4)), "t": (t, np.array([[1, 0, 1], [0, 1, 1]], bool))}


@model
def places():
    x, d, i = parameter("x", [2, 3, 4]), parameter("d", ["?", "?", 4]), parameter("i", [2, 3, 1], Type.i32)
    sorted_rows = f32(np.sort(np.arange(30).reshape(2, 3, 5) % 7 - 3))
    outputs = {
        "GatherNd5": opset5.gather_nd(x, i, 2),
        "GatherNd8": opset8.gather_nd(x, i, 2),
        "GatherNdRows": opset8.gather_nd(d, const([[[1, 2]], [[0, -1]]])),
        "Roll": opset7.roll(x, const([1, -5]), const([-1, 0])),
        "RollLater": opset7.roll(d, const([2]), const([1])),
        "ReverseSequence": opset1.reverse_sequence(x, const([2, 3]), 0, 1),
        "Shuffled": create("opset3", "ShuffleChannels", [x], {"axis": 2, "group": 2}),
        "Bucketize": opset3.bucketize(x, f32([-1, 0, 1])),
        "BucketizeLeft": opset3.bucketize(x, f32([-1, 0, 1]), "i32", False),
        "SearchSorted": opset15.search_sorted(sorted_rows, x, True),
        "SearchSortedLeft": opset15.search_sorted(f32([-1, 0, 0, 1]), x, False),
        "Eye": create("opset9", "Eye", [const(3), const(4), const(-1), const([2])], {"output_type": "f32"}),
    }
    return outputs, {"x": (x, floats(2, 3, 4)), "d": (d, floats(2, 3, 4)), "i": (i, ints(2, 3, 1, dtype=np.int32, low=0, high=4))}


@model
def channels():
    x, d = parameter("x", [2, 8, 2, 4]), parameter("d", ["?", 8, "?"])
    scale, bias, mean, variance = f32(floats(8)), f32(floats(8)), f32(floats(8)), f32(np.abs(floats(8)) + 0.5)
    outputs = {
        "BatchNorm1": create("opset1", "BatchNormInference", [scale, bias, x, mean, variance], {"epsilon": 0.01}),
        "BatchNorm5": opset5.batch_norm_inference(d, scale, bias, mean, variance, 0.01),
        "GroupNorm": create("opset12", "GroupNormalization", [x, scale, bias], {"num_groups": 4, "epsilon": 0.01}),
        "GroupNormLater": create("opset12", "GroupNormalization", [d, scale, bias], {"num_groups": 2, "epsilon": 0.01}),
        "Lrn": opset1.lrn(x, const([1]), 0.5, 0.75, 2, 5),
        "LrnSquare": opset1.lrn(x, const([2, 3]), 0.5, 0.75, 1, 3),
        "Grn": opset1.grn(d, 0.1),
    }
    for mode in ["blocks_first", "depth_first"]:
        outputs[f"Depth{mode}"] = opset1.depth_to_space(x, mode, 2)
        outputs[f"DepthLine{mode}"] = opset1.depth_to_space(d, mode, 4)
        outputs[f"Space{mode}"] = opset1.space_to_depth(x, mode, 2)
    batches = opset2.space_to_batch(x, const([1, 1, 3, 2]), const([0, 0, 1, 1]), const([0, 0, 0, 1]))
    outputs["SpaceToBatch"] = batches
    outputs["BatchToSpace"] = opset2.batch_to_space(batches, const([1, 1, 3, 2]), const([0, 0, 1, 0]), const([0, 0, 0, 1]))
    return outputs, {"x": (x, floats(2, 8, 2, 4)), "d": (d, floats(2, 8, 3))}


@model
def fused_attention():
    q, k, v = parameter("q", [2, 3, 4, 5]), parameter("k", [2, 1, 6, 5]), parameter("v", [2, 1, 6, 3])
    m, d = parameter("m", [4, 6], Type.boolean), parameter("d", ["?", "?", 8])
    outputs = {
        "Plain": opset13.scaled_dot_product_attention(q, k, v),
        "Causal": opset13.scaled_dot_product_attention(q, k, v, causal=True),
        "Masked": opset13.scaled_dot_product_attention(q, k, v, m),
        "Added": opset13.scaled_dot_product_attention(q, k, v, f32(floats(2, 1, 4, 6))),
        "Scaled": opset13.scaled_dot_product_attention(q, k, v, f32(floats(1, 6)), f32(0.3)),
        "Sink": create("opset13", "ScaledDotProductAttention", [q, k, v, m, f32(0.3), f32(floats(1, 3, 1, 1))], {"causal": False}),
        "Later": opset13.scaled_dot_product_attention(d, d, d, causal=True),
    }
    truths = ints(4, 6, low=0, high=2).astype(bool)
    truths[:, 0] = True
    return outputs, {"q": (q, floats(2, 3, 4, 5)), "k": (k, floats(2, 1, 6, 5)), "v": (v, floats(2, 1, 6, 3)),
                     "m": (m, truths), "d": (d, floats(2, 3, 8))}


@model
def sorting():
    x, y, i = parameter("x", [2, 5]), parameter("y", ["?", 4]), parameter("i", [7], Type.i32)
    same = ov.op.Constant(Tensor(np.array([[1, 0, 1, 0, 1], [2, 2, 2, 0, 1]], np.float32)))
    layers = {
        "Greatest": opset11.topk(x, const(3), 1, "max", "value", "i64", True),
        "Least": opset3.topk(x, const(1), 0, "min", "value", "i64"),
        "ByIndex": opset11.topk(x, const(3), -1, "max", "index", "i32", True),
        "First": opset1.topk(x, const(4), 1, "min", "index"),
        "Integers": opset11.topk(i, const(7), 0, "max", "value", "i32", True),
        "Stable": opset11.topk(same, const(4), 1, "max", "value", "i64", True),
        "StableLeast": opset11.topk(same, const(5), 1, "min", "value", "i32", True),
        "Open": opset11.topk(y, const(2), 0, "max", "value", "i64", True),
        "All": opset11.topk(y, const(4), -1, "min", "value", "i32", True),
    }
    outputs = {}
    for name, layer in layers.items():
        outputs[name], outputs[f"{name}Places"] = layer.output(0), layer.output(1)
    given = {"x": (x, floats(2, 5)), "y": (y, floats(3, 4)), "i": (i, ints(7, dtype=np.int32))}
    return outputs, given
