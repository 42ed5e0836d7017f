"""What ndcast writes for the other dialects, read and evaluated by the systems themselves.

A question is {"dialect", "lines": the text, "operands": [{"name", "shape", "fill", "predicate": whether it is filled
with booleans}] that it may name, "shape": that of the result}. The answer has the form that answers.py describes, with
the shape as plain numbers; whatever exception comes of a text is the answer to it.

A text that is a Python expression, or is one but for its braces, is evaluated as one in which the dialect's own
operations are the only functions: NumPy itself, nodes of an ONNX model, OpenVINO's kernels, calls of the XlaBuilder.
HLO and StableHLO are parsed within the least module that holds them. What XLA builds or parses is translated to
StableHLO by jaxlib and run by StableHLO's interpreter: XLA's compiler takes ten times as long, and has a fault of its
own with transposing broadcasts (hlo-transpose in known.py). No living system has nGraph's two operations, so they are
written down here as its documentation defines them.
"""

import re
from importlib import import_module
from math import prod
from xml.etree import ElementTree

import numpy as np

from answers import fails, fits

# A system that cannot be imported takes only its own dialects with it.
PEERS, ABSENT = {}, {}
for name in ("onnx", "openvino", "xla", "stablehlo"):
    try:
        PEERS[name] = import_module(f"peer_{name}")
    except Exception as problem:
        ABSENT[name] = f"{name} absent: {type(problem).__name__}: {problem}"


class Refused(Exception):
    """A text that is against the rules of a dialect which no living system enforces."""


def version():
    return "; ".join([f"numpy {np.__version__}", *(peer.version() for peer in PEERS.values()), *ABSENT.values()])


def answer(question):
    dialect, lines, operands = question["dialect"], question["lines"], question["operands"]
    try:
        shape, values = EVALUATORS[dialect][0](lines, operands, question["shape"])
    except Exception as error:
        return [fails(dialect, error)]
    return [fits(dialect, list(shape), values)]


def evaluated(text, functions, operands):
    """The value of a Python expression in which the dialect's functions and the operands are all there is."""
    return eval(text, {"__builtins__": {}} | functions | operands)


def array(operand, element=np.int64):
    return np.array(operand["fill"], dtype=bool if operand["predicate"] else element).reshape(operand["shape"])


def of_array(result):
    return result.shape, result.reshape(-1).tolist()


def only(lines):
    (line,) = lines
    return line


def numpy_text(lines, operands, shape):
    return of_array(evaluated(only(lines), {"np": np}, {o["name"]: array(o) for o in operands}))


# ONNX: the expression makes the nodes of a model, each function returning the name of its node's output.


def onnx_text(lines, operands, shape):
    from onnx import TensorProto, helper

    nodes, constants = [], []

    def node(op, *inputs, **attributes):
        nodes.append(helper.make_node(op, inputs, [f"y{len(nodes)}"], **attributes))
        return f"y{len(nodes) - 1}"

    def constant(numbers):
        constants.append(helper.make_tensor(f"c{len(constants)}", TensorProto.INT64, [len(numbers)], numbers))
        return constants[-1].name

    functions = {
        "Add": lambda a, b: node("Add", a, b),
        "Sum": lambda *operands: node("Sum", *operands),
        "Where": lambda a, b, c: node("Where", a, b, c),
        "Max": lambda a, b: node("Max", a, b),
        "Min": lambda a, b: node("Min", a, b),
        "Expand": lambda a, *, shape: node("Expand", a, constant(shape)),
        "Unsqueeze": lambda a, *, axes: node("Unsqueeze", a, constant(axes)),
        "Transpose": lambda a, *, perm: node("Transpose", a, perm=perm),
    }
    # The names that peer_onnx.py feeds.
    evaluated(only(lines), functions, {o["name"]: f"x{i}" for i, o in enumerate(operands)})
    nodes[-1].output[0] = "y"
    types = [TensorProto.BOOL if o["predicate"] else TensorProto.INT64 for o in operands]
    inputs = [helper.make_tensor_value_info(f"x{i}", types[i], o["shape"]) for i, o in enumerate(operands)]
    peer = PEERS["onnx"]
    theirs = peer.ask(
        "model",
        peer.graph_of(nodes, inputs, constants),
        [o["shape"] for o in operands],
        [o["fill"] for o in operands],
    )
    if not theirs["ok"]:
        raise Refused(theirs["message"])
    return [least for least, _ in theirs["shape"]], theirs["values"]


# OpenVINO: each function makes its node for operands of known shapes and runs its kernel at once.


def openvino_text(lines, operands, shape):
    peer = PEERS["openvino"]
    line, data = lines
    attributes = {key: number(value) for key, value in ElementTree.fromstring(data).attrib.items()}
    by_shape = False

    def node(op, arrays, constants=(), attributes=None):
        nonlocal by_shape
        types = [peer.ov.Type.boolean if a.dtype == bool else peer.ov.Type.i64 for a in arrays]
        inputs = [*map(peer.parameter, (a.shape for a in arrays), types), *map(peer.constant, constants)]
        # Version 3 of Broadcast knows all modes; the other operations are those of version 1.
        made = peer.OPSETS["opset3" if op == "Broadcast" else "opset1"].create(op, inputs, attributes or {})
        if ignored := (attributes or {}).keys() - made.get_attributes().keys():
            raise Refused(f"{op} has no attribute {ignored}")
        extents = tuple(made.get_output_shape(0))
        if prod(extents) == 0:
            return np.zeros(extents, dtype=np.int64)  # kernels divide by the extents
        result = peer.evaluate(made, [*arrays, *(np.array(c, dtype=np.int64) for c in constants)])
        by_shape = by_shape or result is None
        return np.zeros(extents, dtype=np.int64) if result is None else result

    def add(first, *others):
        # Add has two inputs, so more operands are added one after the other.
        for other in others:
            first = node("Add", [first, other], attributes=attributes)
        return first

    def broadcast(a, *, target_shape, axes_mapping=None):
        constants = [target_shape] if axes_mapping is None else [target_shape, axes_mapping]
        return node("Broadcast", [a], constants, attributes)

    functions = {
        "Add": add,
        "Select": lambda a, b, c: node("Select", [a, b, c], attributes=attributes),
        "Maximum": lambda a, b: node("Maximum", [a, b], attributes=attributes),
        "Minimum": lambda a, b: node("Minimum", [a, b], attributes=attributes),
        "Broadcast": broadcast,
        "Unsqueeze": lambda a, *, axes: node("Unsqueeze", [a], [axes]),
        "Transpose": lambda a, *, order: node("Transpose", [a], [order]),
    }
    extents, values = of_array(evaluated(line, functions, {o["name"]: array(o) for o in operands}))
    return extents, None if by_shape else values


def number(text):
    return int(text) if text.removeprefix("-").isdigit() else text


# nGraph: "Reshape ... axis order" reads the axes of the argument in the given order and then gives it the shape;
# "Broadcast: the shape of arg must match shape with elements in broadcast_axes removed".


def ngraph_text(lines, operands, shape):
    functions = {"Reshape": reshape, "Broadcast": broadcast, "Shape": tuple, "AxisSet": set, "AxisVector": tuple}
    text = only(lines).replace("{", "([").replace("}", "])")
    return of_array(evaluated(text, functions, {o["name"]: array(o) for o in operands}))


def reshape(arg, order, extents):
    if sorted(order) != list(range(arg.ndim)):
        raise Refused(f"AxisVector {order} is no order of the {arg.ndim} axes")
    if prod(extents) != arg.size:
        raise Refused(f"{arg.shape} has another number of elements than {extents}")
    return arg.transpose(order).reshape(extents)


def broadcast(arg, extents, axes):
    if not axes <= set(range(len(extents))):
        raise Refused(f"AxisSet {axes} is not within {extents}")
    rest = tuple(extent for axis, extent in enumerate(extents) if axis not in axes)
    if arg.shape != rest:
        raise Refused(f"{arg.shape} is not {extents} without {axes}, which is {rest}")
    return np.broadcast_to(np.expand_dims(arg, tuple(axes)), extents)


# XLA: C++ with the comments taken out and the braces made lists.


def xla_text(lines, operands, shape):
    peer = PEERS["xla"]
    builder = peer.xla_client.XlaBuilder("c")
    types = [np.dtype(bool if o["predicate"] else np.int32) for o in operands]
    parameters = {
        o["name"]: peer.ops.Parameter(builder, i, peer.array_shape(o["shape"], types[i]))
        for i, o in enumerate(operands)
    }
    names = ("Add", "Select", "Clamp", "Broadcast", "BroadcastInDim", "Transpose")
    functions = {name: getattr(peer.ops, name) for name in names}
    text = re.sub(r"/\*.*?\*/", "", only(lines)).replace("{", "[").replace("}", "]")
    op = evaluated(text, functions, parameters)
    return interpret(translated(builder.build(op)), [array(o, np.int32) for o in operands])


def hlo_text(lines, operands, shape):
    line = only(lines)
    client = PEERS["xla"].xla_client
    parameters = "".join(f"  {o['name']} = {hlo_type(o['shape'])} parameter({i})\n" for i, o in enumerate(operands))
    module = client._xla.hlo_module_from_text(f"HloModule m\nENTRY e {{\n{parameters}  ROOT y = {line}\n}}\n")
    form = re.fullmatch(r"f32\[([\d,]*)] (broadcast|transpose)\(f32\[([\d,]*)] .*\), dimensions=\{([\d,]*)}", line)
    if not form:
        raise Refused("this is neither a broadcast nor a transpose")
    result, operand, axes = ([int(n) for n in form[group].split(",") if n] for group in (1, 3, 4))
    # The translation lets an extent of 1 stretch in a broadcast, which HLO does not; a transpose it checks.
    if form[2] == "broadcast" and operand != [result[axis] for axis in axes]:
        raise Refused("an extent of the operand is not that of the result")
    return interpret(
        translated(client.XlaComputation(module.as_serialized_hlo_module_proto())),
        [array(o, np.float32) for o in operands],
    )


def hlo_type(shape):
    return f"f32[{','.join(map(str, shape))}]"


def translated(computation):
    return PEERS["xla"].xla_client._xla.mlir.xla_computation_to_mlir_module(computation)


def stablehlo_text(lines, operands, shape):
    types = [stablehlo_type(o["shape"], "i1" if o["predicate"] else "f32") for o in operands]
    parameters = ", ".join(f"%{o['name']}: {type}" for o, type in zip(operands, types))
    result = stablehlo_type(shape)
    text = f"func.func @main({parameters}) -> {result} {{\n  %y = {only(lines)}\n  return %y : {result}\n}}\n"
    return interpret(text, [array(o, np.float32) for o in operands])


def stablehlo_type(shape, element="f32"):
    return f"tensor<{''.join(f'{extent}x' for extent in shape)}{element}>"


def interpret(text, arrays):
    peer = PEERS["stablehlo"]
    with peer.CONTEXT, peer.ir.Location.unknown():
        module = peer.ir.Module.parse(text)
        module.operation.verify()
        (result,) = peer.stablehlo.eval_module(module, [peer.ir.DenseElementsAttr.get(a) for a in arrays])
        return peer.ir.RankedTensorType(result.type).shape, [int(n) for n in np.array(result).reshape(-1)]


# What evaluates a dialect, and the peers that it needs.
EVALUATORS = {
    "NumPy": (numpy_text, ()),
    "ONNX": (onnx_text, ("onnx",)),
    "OpenVINO": (openvino_text, ("openvino",)),
    "nGraph": (ngraph_text, ()),
    "XLA": (xla_text, ("xla", "stablehlo")),
    "HLO": (hlo_text, ("xla", "stablehlo")),
    "StableHLO": (stablehlo_text, ("stablehlo",)),
}
RULES = [dialect for dialect, (_, needed) in EVALUATORS.items() if PEERS.keys() >= set(needed)]
