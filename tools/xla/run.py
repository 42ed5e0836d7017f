"""Runs texts of StableHLO and HLO with jaxlib, as they are: python3 tools/xla/run.py MODEL.mlir IN.npz OUT.npz

    pip install jax==0.10.2 jaxlib==0.10.2

Inputs are arg0, arg1, ... and outputs 0, 1, ... An extent that a text leaves open is that of the input.
"""

import os
import pathlib
import sys

# As JAX itself runs programs: NaN goes through min and max.
os.environ["XLA_FLAGS"] = "--xla_cpu_enable_fast_min_max=false"

import jax
import numpy as np
from jax._src import xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib import _jax, xla_client
from jax._src.lib.mlir import ir
from jaxlib import _hlo


def module_of(path):
    """The module of a text, as StableHLO."""
    text = pathlib.Path(path).read_text()
    if str(path).endswith(".hlo"):
        computation = xla_client.XlaComputation(_hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto())
        return _jax.mlir.xla_computation_to_mlir_module(computation)
    return text


def refined(text, arguments):
    """The same module with the extents of these arguments."""
    with mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        main = ir.SymbolTable(module.operation)["main"]
        inputs = main.type.inputs
        if all(ir.RankedTensorType(type_).has_static_shape for type_ in inputs):
            return text
        static = [ir.RankedTensorType.get(argument.shape, ir.RankedTensorType(type_).element_type)
                  for argument, type_ in zip(arguments, inputs)]
        main.attributes["sym_name"] = ir.StringAttr.get("inner")
        main.attributes["sym_visibility"] = ir.StringAttr.get("private")
        names = [f"%a{n}" for n in range(len(static))]
        results = ", ".join(map(str, main.type.results))
        head = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, static))
        casts = "\n".join(f"%c{n} = stablehlo.convert %a{n} : ({static[n]}) -> {inputs[n]}" for n in range(len(static)))
        made = ", ".join(f"%r#{n}" for n in range(len(main.type.results)))
        wrapper = (f"func.func public @main({head}) -> ({results}) {{\n{casts}\n"
                   f"%r:{len(main.type.results)} = func.call @inner({', '.join(f'%c{n}' for n in range(len(static)))}) : "
                   f"({', '.join(map(str, inputs))}) -> ({results})\nreturn {made} : {results}\n}}\n")
        text = str(module)
        end = text.rindex("}")
        module = ir.Module.parse(text[:end] + wrapper + text[end:])
        bytecode = mlir.module_to_bytecode(module)
        return _jax.mlir.refine_polymorphic_shapes(bytecode, enable_shape_assertions=True, validate_static_shapes=True)


def run(text, arguments):
    """What jaxlib gives for a module of StableHLO."""
    client = xla_bridge.get_backend("cpu")
    devices = xla_client.DeviceList(tuple(client.local_devices()[:1]))
    options = xla_client.CompileOptions()
    text = refined(text, arguments)
    if isinstance(text, bytes):
        with mlir.make_ir_context():
            text = str(ir.Module.parse(text))
    executable = client.compile_and_load(text, devices, options)
    results = executable.execute_sharded([jax.device_put(argument) for argument in arguments])
    results = results.disassemble_into_single_device_arrays()
    return [np.asarray(result[0]) for result in results]


def main(model, given, to):
    given = np.load(given)
    arguments = [given[f"arg{n}"] for n in range(sum(name.startswith("arg") for name in given))]
    outputs = run(module_of(model), arguments)
    np.savez(to, **{f"arg{n}": argument for n, argument in enumerate(arguments)},
             **{str(n): output for n, output in enumerate(outputs)})


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    main(*sys.argv[1:])
