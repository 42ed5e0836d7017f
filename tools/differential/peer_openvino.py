"""OpenVINO: shape inference of Broadcast-1, Broadcast-3 and Add, and their reference kernels for values.

Both versions of Broadcast are asked wherever they have the mode. A target with unknown extents reaches the inference
as the ShapeOf another parameter. Several operands are added one after the other, as a model would. The CPU plugin is
not asked: it differs from OpenVINO's own reference in rank, element types and the pdpd axis.
"""

import numpy as np
import openvino as ov
from openvino.utils.node_factory import NodeFactory

from answers import fails, fits, interval

RULES = (
    "openvino.broadcast.numpy",
    "openvino.broadcast.explicit",
    "openvino.broadcast.bidirectional",
    "openvino.broadcast.pdpd",
    "openvino.eltwise.none",
    "openvino.eltwise.numpy",
    "openvino.eltwise.pdpd",
)

# "Argument shapes are inconsistent" is what every elementwise failure says; it identifies no kind.
KINDS = (
    (r"doesn't match rank of input tensor", "axes-count"),
    (r"not in sorted order", "axes-order"),
    (r"axes_mapping\[\d+\]: \d{19,} exceeds target rank", "axis-negative"),
    (r"exceeds target rank", "axis-out-of-range"),
    (r"Broadcast target\[axes_mapping\[0\]\]\. Expected 1\.", "scalar-axes"),
    (r"Broadcast target\[axes_mapping\[\d+\]\] Expected", "extent-mismatch"),
    (r"has smaller rank", "rank-too-high"),
    (r"cannot be broadcasted \(numpy mode\)", "extent-mismatch"),
    (r"Expecting either 1 or", "extent-mismatch"),
    (r"start_axis must be greater than 0", "axis-negative"),
)

OPSETS = {"opset1": NodeFactory("opset1"), "opset3": NodeFactory("opset3")}


def version():
    return f"openvino {ov.__version__}"


def answer(question):
    request, fills = question["request"], question["fills"]
    if request["rule"].startswith("openvino.eltwise."):
        return [elementwise(request, fills)]
    if request["rule"].endswith(".bidirectional"):
        return [broadcast("opset3", request, fills)]
    return [broadcast(opset, request, fills) for opset in OPSETS]


def elementwise(request, fills):
    mode = request["rule"].rsplit(".", 1)[1]
    attributes = {"auto_broadcast": mode}
    if "axis" in request:
        attributes["auto_broadcast.auto_broadcast_axis"] = request["axis"]
    operands = [parameter(shape) for shape in request["shapes"]]
    steps = []
    try:
        node = operands[0]
        for operand in operands[1:]:
            node = OPSETS["opset1"].create("Add", [node, operand], attributes)
            steps.append(node)
    except RuntimeError as error:
        return fails("Add", error)
    values = None
    if fills is not None:
        arrays = [array(shape, fill) for shape, fill in zip(request["shapes"], fills)]
        values = arrays[0]
        for step, operand in zip(steps, arrays[1:]):
            values = None if values is None else evaluate(step, [values, operand])
    return fits("Add", shape_of(node), flat(values))


def broadcast(opset, request, fills):
    mode = request["rule"].rsplit(".", 1)[1]
    (shape,), target = request["shapes"], request["target"]
    inputs = [parameter(shape), target_node(target)]
    attributes = {"mode": mode}
    if mode == "explicit":
        inputs.append(constant(request["axes"]))
    if mode == "pdpd" and opset == "opset1":
        # This version wants three inputs in every mode.
        inputs.append(ov.op.Constant(ov.Type.u8, ov.Shape([]), [0]))
    if "axis" in request:
        # Each version spells it in its own way; without it OpenVINO's own default is asked.
        attributes["mode.auto_broadcast_axis" if opset == "opset1" else "mode.mode.axis"] = request["axis"]
    try:
        node = OPSETS[opset].create("Broadcast", inputs, attributes)
    except RuntimeError as error:
        return fails(opset, error, broadcast_kinds(mode))
    # The kernel writes outside its buffer when an axis is named twice; that must not be run even in a child.
    safe = len(set(request.get("axes", []))) == len(request.get("axes", []))
    values = None
    if fills is not None and safe:
        tensors = [array(shape, fills[0]), np.array(target, dtype=np.int64)]
        if mode == "explicit":
            tensors.append(np.array(request["axes"], dtype=np.int64))
        elif mode == "pdpd" and opset == "opset1":
            tensors.append(np.array(0, dtype=np.uint8))
        values = evaluate(node, tensors)
    return fits(opset, shape_of(node), flat(values))


def broadcast_kinds(mode):
    """The kinds of this mode: "out-of-range dimension" is what two different checks run into."""
    beyond = "operand-too-short" if mode == "pdpd" else "axis-out-of-range"
    return KINDS + ((r"Accessing out-of-range dimension", beyond),)


def parameter(shape, element=ov.Type.i64):
    return ov.op.Parameter(element, partial(shape))


def constant(numbers):
    # The opset's own helper refuses an empty list.
    return ov.op.Constant(ov.Type.i64, ov.Shape([len(numbers)]), numbers)


def target_node(target):
    if target is not None and all(isinstance(extent, int) for extent in target):
        return constant(target)
    return OPSETS["opset1"].create("ShapeOf", [parameter(target)], {})


def partial(shape):
    if shape is None:
        return ov.PartialShape.dynamic()
    bounds = [interval(extent) for extent in shape]
    return ov.PartialShape([ov.Dimension(least, -1 if most is None else most) for least, most in bounds])


def shape_of(node):
    shape = node.get_output_partial_shape(0)
    if shape.rank.is_dynamic:
        return None
    most = lambda d: None if d.get_max_length() == -1 else d.get_max_length()
    return [[d.get_min_length(), most(d)] for d in shape]


def array(shape, fill):
    return np.array(fill, dtype=np.int64).reshape(shape)


def evaluate(node, arrays):
    """What the reference kernel computes, or None where it refuses (it knows fewer cases than the inference)."""
    result = ov.Tensor(ov.Type.i64, ov.Shape([]))
    try:
        done = node.evaluate([result], [ov.Tensor(a) for a in arrays])
    except RuntimeError:
        return None
    return result.data.copy() if done else None


def flat(values):
    return None if values is None else values.reshape(-1).tolist()
