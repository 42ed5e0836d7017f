"""XLA: the real XlaBuilder (the last jaxlib that has it is 0.5.3), and HLO's broadcast through HLO text.

`?` and bounded extents go in through Shape.array_shape. On the sample that is to be executed, the computation is
compiled and run on the CPU. Broadcast and BroadcastInDim take target extents as plain numbers (and the latter copies
the operand's bounds), so a request with other bounds in the target cannot be put to them. HLO text is verified by
the translation to StableHLO, which is the only check of an HLO module that jaxlib offers.
"""

import jaxlib.version
import numpy as np
from jaxlib import xla_client

from answers import fails, fits, static

RULES = ("xla.binary", "xla.broadcast", "xla.broadcast-in-dim", "hlo.broadcast")

KINDS = (
    (r"identity on binary operations", "axes-identity"),
    (r"Shapes must be equal rank", "rank-mismatch"),
    (r"Size of broadcast_dimensions has to match", "axes-count"),
    (r"cannot be negative", "axis-negative"),
    (r"Broadcast dimension number \(\d+\) too large", "axis-out-of-range"),
    (r"Broadcast dimension -\d+ is out of bound", "axis-negative"),
    (r"Broadcast dimension \d+ is out of bound", "axis-out-of-range"),
    (r"dynamism mismatch", "dynamism-mismatch"),
    (r"Broadcast dimension \d+ mismatch", "extent-mismatch"),
    (r"Input dimension should be either 1 or equal", "extent-mismatch"),
    (r"with incompatible shapes|Binary op .*incompatible", "extent-mismatch"),
    (r"order is wrong", "axes-order"),
    (r"equal or higher ranked shape", "rank-too-high"),
    (r"Non-broadcast dimensions must not be dynamic", "extent-unknown"),
    (r"must shape be static or bounded dynamic", "extent-unknown"),
    # HLO text:
    (r"broadcast_dimensions size \(\d+\) does not match operand rank", "axes-count"),
    (r"should not have duplicates", "axes-repeated"),
    (r"contains invalid value -\d+", "axis-negative"),
    (r"contains invalid value \d+", "axis-out-of-range"),
    (r"size of operand dimension \d+ \(\d+\) is not equal to 1", "extent-mismatch"),
)

ops = xla_client.ops
# XLA's own mark for an extent without a number.
UNKNOWN = -(2**63)
CLIENT = xla_client.make_cpu_client()


def version():
    return f"jaxlib {jaxlib.version.__version__}"


def answer(question):
    request = question["request"]
    if request["rule"] == "hlo.broadcast":
        return [hlo_broadcast(question)]
    if "target" in request and not same_bounds(request):
        return []
    by = {"xla.binary": "Add", "xla.broadcast": "Broadcast", "xla.broadcast-in-dim": "BroadcastInDim"}[request["rule"]]
    builder = xla_client.XlaBuilder("c")
    try:
        operands = [ops.Parameter(builder, i, array_shape(shape)) for i, shape in enumerate(request["shapes"])]
        if by == "Add":
            op = ops.Add(*operands, request.get("axes", []))
        elif by == "Broadcast":
            op = ops.Broadcast(*operands, [size(extent) for extent in request["target"]])
        else:
            op = ops.BroadcastInDim(*operands, [size(extent) for extent in request["target"]], request.get("axes", []))
        shape = shape_of(builder.get_shape(op))
    except xla_client.XlaRuntimeError as error:
        return [fails(by, error, KINDS)]
    values = None
    if question["execute"] and question["fills"] is not None:
        values = run(builder.build(op), request["shapes"], question["fills"])
    return [fits(by, shape, values)]


def hlo_broadcast(question):
    request = question["request"]
    (shape,), target = request["shapes"], request["target"]
    write = lambda extents: f"s32[{','.join(map(str, extents))}]"
    text = (
        "HloModule m\n"
        "ENTRY e {\n"
        f"  x = {write(shape)} parameter(0)\n"
        f"  ROOT y = {write(target)} broadcast(x), dimensions={{{','.join(map(str, request.get('axes', [])))}}}\n"
        "}\n"
    )
    by = "HLO text"
    try:
        module = xla_client._xla.hlo_module_from_text(text)
        computation = xla_client.XlaComputation(module.as_serialized_hlo_module_proto())
        xla_client._xla.mlir.xla_computation_to_mlir_module(computation)
        values = None
        if question["execute"] and question["fills"] is not None:
            values = run(computation, request["shapes"], question["fills"])
    except xla_client.XlaRuntimeError as error:
        return fails(by, error, KINDS)
    return fits(by, static(target), values)


def run(computation, shapes, fills):
    program = CLIENT.compile(xla_client._xla.mlir.xla_computation_to_mlir_module(computation))
    arrays = [np.array(fill, dtype=np.int32).reshape(shape) for shape, fill in zip(shapes, fills)]
    (result,) = program.execute([CLIENT.buffer_from_pyval(a) for a in arrays])
    return np.asarray(result).reshape(-1).tolist()


def array_shape(shape, element=np.dtype(np.int32)):
    layout = list(range(len(shape)))[::-1]
    dynamic = [not isinstance(extent, int) for extent in shape]
    return xla_client.Shape.array_shape(element, [size(e) for e in shape], layout, dynamic)


def size(extent):
    if extent is None:
        return UNKNOWN
    return extent if isinstance(extent, int) else int(extent.removeprefix("<="))


def shape_of(shape):
    def bounds(axis, extent):
        if extent == UNKNOWN:
            return [0, None]
        return [0 if shape.is_dynamic_dimension(axis) else extent, extent]

    return [bounds(axis, extent) for axis, extent in enumerate(shape.dimensions())]


def same_bounds(request):
    """Whether the target is bounded exactly where an operand axis on it is: the only form the builder takes."""
    bounded = lambda extent: isinstance(extent, str)
    (shape,), target = request["shapes"], request["target"]
    laid = [(axis, extent) for axis, extent in zip(request.get("axes", []), shape) if 0 <= axis < len(target)]
    reached = {axis for axis, _ in laid}
    return all(bounded(extent) == bounded(target[axis]) for axis, extent in laid) and not any(
        bounded(extent) for axis, extent in enumerate(target) if axis not in reached
    )
