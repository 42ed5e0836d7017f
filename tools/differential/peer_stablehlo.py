"""StableHLO and CHLO through jaxlib's MLIR: the verifier, the type inference, and StableHLO's own interpreter for
values.

HLO's select and clamp are asked here too: StableHLO verifies them as HLO does (only the predicate and the bounds may
be scalars), while the XlaBuilder's Select and Clamp first broadcast scalars in every position. CHLO's inference
reports most faults only when the op is lowered, so its answer is that of inference and lowering together; concrete
requests are compiled and run in the sample that is to be executed.
"""

import re

import jaxlib.version
import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jaxlib import xla_client
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo, func, stablehlo
from jaxlib.mlir.passmanager import PassManager

from answers import fails, fits, interval

RULES = ("stablehlo.broadcast-in-dim", "hlo.select", "hlo.clamp", "chlo.broadcast")

KINDS = (
    (r"broadcast_dimensions size \(\d+\) does not match operand rank", "axes-count"),
    (r"should not have duplicates", "axes-repeated"),
    (r"contains invalid value -\d+", "axis-negative"),
    (r"contains invalid value \d+", "axis-out-of-range"),
    (r"size of operand dimension \d+ \(-?\d+\) is not equal to 1", "extent-mismatch"),
    (r"must be statically shaped or single bounded", "extent-unknown"),
)

CONTEXT = jax_mlir.make_ir_context()
CLIENT = xla_client.make_cpu_client()
stablehlo.register_stablehlo_passes()


class Refused(Exception):
    """An answer of no that MLIR gives without an exception of its own."""


def version():
    return f"jaxlib {jaxlib.version.__version__}"


def answer(question):
    request = question["request"]
    by, build = {
        "stablehlo.broadcast-in-dim": ("broadcast_in_dim", broadcast_in_dim),
        "hlo.select": ("select", select),
        "hlo.clamp": ("clamp", clamp),
        "chlo.broadcast": ("broadcast_add", broadcast_add),
    }[request["rule"]]
    try:
        with CONTEXT, ir.Location.unknown():
            module, shape = build(request)
            values = None
            if question["fills"] is not None:
                if request["rule"] != "chlo.broadcast":
                    values = interpret(module, question)
                elif question["execute"]:
                    values = compile_and_run(module, question)
    except (ir.MLIRError, ValueError, xla_client.XlaRuntimeError, Refused) as error:
        return [fails(by, error, KINDS)]
    return [fits(by, shape, values)]


def broadcast_in_dim(request):
    (shape,), target = request["shapes"], request["target"]
    a, b, dims = mlir_type(shape), mlir_type(target), ", ".join(map(str, request.get("axes", [])))
    module = ir.Module.parse(
        f"func.func @main(%x: {a}) -> {b} {{\n"
        f"  %y = stablehlo.broadcast_in_dim %x, dims = [{dims}] : ({a}) -> {b}\n"
        f"  return %y : {b}\n"
        "}"
    )
    return module, [list(interval(extent)) for extent in target]


def select(request):
    pred, *branches = request["shapes"]
    return infer([mlir_type(pred, "i1")] + [mlir_type(s) for s in branches], stablehlo.select)


def clamp(request):
    return infer([mlir_type(s) for s in request["shapes"]], stablehlo.clamp)


def broadcast_add(request):
    axes = ir.DenseI64ArrayAttr.get(request["axes"]) if "axes" in request else None
    add = lambda a, b: chlo.broadcast_add(a, b, broadcast_dimensions=axes)
    module, shape = infer([mlir_type(s) for s in request["shapes"]], add)
    # Lowering rewrites the module; what is compiled later is the text from before.
    lowered = ir.Module.parse(str(module))
    PassManager.parse("builtin.module(func.func(chlo-legalize-to-stablehlo))").run(lowered.operation)
    lowered.operation.verify()
    return module, shape


def infer(types, op):
    """A module with one function that applies `op` to parameters of the given types, and its inferred result shape."""
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        main = func.FuncOp("main", ir.FunctionType.get(types, []))
        block = main.add_entry_block()
        with ir.InsertionPoint(block):
            result = op(*block.arguments)
            func.ReturnOp([result])
        main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, [result.type]))
    module.operation.verify()
    text = str(result.type)
    if text.startswith("tensor<*"):
        raise Refused(f"inferred {text}")
    extents = re.match(r"tensor<((?:[?\d]+x)*)", text).group(1).split("x")[:-1]
    return module, [[0, None] if extent == "?" else [int(extent), int(extent)] for extent in extents]


def interpret(module, question):
    arguments = [ir.DenseElementsAttr.get(a) for a in arrays(question)]
    (result,) = stablehlo.eval_module(module, arguments)
    return np.array(result).reshape(-1).tolist()


def compile_and_run(module, question):
    program = CLIENT.compile(str(module))
    (result,) = program.execute([CLIENT.buffer_from_pyval(a) for a in arrays(question)])
    return np.asarray(result).reshape(-1).tolist()


def arrays(question):
    request = question["request"]
    operands = [
        np.array(fill, dtype=np.int32).reshape(shape) for shape, fill in zip(request["shapes"], question["fills"])
    ]
    if request["rule"] == "hlo.select":
        operands[0] = operands[0] % 2 == 1  # as compare.py reads a predicate
    return operands


def mlir_type(shape, element="i32"):
    """`tensor<2x?xi32>`, with #stablehlo.bounds where an extent is bounded."""
    extents = "".join(f"{extent}x" if isinstance(extent, int) else "?x" for extent in shape)
    bounds = ""
    if any(isinstance(extent, str) for extent in shape):
        numbers = (extent.removeprefix("<=") if isinstance(extent, str) else "?" for extent in shape)
        bounds = f", #stablehlo.bounds<{', '.join(numbers)}>"
    return ir.Type.parse(f"tensor<{extents}{element}{bounds}>")
