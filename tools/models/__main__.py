"""Writes the models under `cases/` and their gradients in every format, and has the systems whose formats they are run them.

    pip install . onnxruntime openvino jax && python3 tools/models [NAME ...]

Each must load what is written and give what ndcast gives. What a format or a system is known not to have is counted by its
reason; anything else is printed, and fails.
"""

import collections
import sys
import tempfile
from pathlib import Path

import numpy as np

import ndcast

CASES = Path(__file__).parents[2] / "cases"


def onnxruntime_gives(path, inputs):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return session.run(None, dict(zip([one.name for one in session.get_inputs()], inputs)))


def openvino_gives(path, inputs):
    import openvino

    core = openvino.Core()
    # As precise as the model says, and not as a machine prefers.
    compiled = core.compile_model(core.read_model(path), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    found = compiled(list(inputs))
    return [found[output] for output in compiled.outputs]


def jaxlib_gives(path, inputs):
    sys.path.insert(0, str(Path(__file__).parents[1] / "xla"))
    import jax
    import run

    # Or integers of 64 bits are made smaller.
    jax.config.update("jax_enable_x64", True)
    return run.run(path.read_text(), inputs)


SYSTEMS = {"onnx": onnxruntime_gives, "xml": openvino_gives, "mlir": jaxlib_gives}

# Words of an error, and what they are the reason for.
KNOWN = {
    "cannot say": "the format cannot say it",
    "OpenVINO has no layers": "the format cannot say it",
    "StableHLO has no operations": "the format cannot say it",
    "has no elements": "the format cannot say it",
    "NOT_IMPLEMENTED": "the system has no kernel for it",
    "Could not find an implementation": "the system has no kernel for it",
    "doesn't support": "the system has no kernel for it",
    "not supported": "the system has no kernel for it",
    "Unsupported": "the system has no kernel for it",
    "unsupported": "the system has no kernel for it",
    "no Numpy type": "Python cannot hold its elements",
    "Unable to cast": "Python cannot hold its elements",
    "dynamic": "the system wants every extent",
}


# What a system is known to compute otherwise.
OTHER = {("integer_division.xml", "xml"): "OpenVINO's CPU cuts quotients of integers, which its reference rounds down"}


def inputs_of(path, model):
    """The inputs that the model's own system was given when its answers were recorded."""
    if path.suffix == ".mlir":
        held = np.load(path.with_suffix(".npz"))
        return [held[port.name].view(port.dtype) if held[port.name].dtype.kind == "V" else held[port.name] for port in model.inputs]
    held = {}
    for line in path.with_suffix(".txt").read_text().splitlines():
        kind, name, _, shape, *values = line.split(" ")
        if kind == "input":
            port = next(port for port in model.inputs if port.name == name)
            extents = [] if shape == "scalar" else [int(extent) for extent in shape.split("x")]
            numbers = [{"true": 1.0, "false": 0.0}.get(value) or float(value.replace("true", "1").replace("false", "0")) for value in values]
            held[name] = np.array(numbers).astype(port.dtype).reshape(extents)
    return [held[port.name] for port in model.inputs]


def difference(found, wanted):
    """How results differ, if they do."""
    for place, (one, other) in enumerate(zip(found, wanted)):
        one, other = np.asarray(one), np.asarray(other)
        if one.shape != other.shape:
            return f"output {place} has the shape {one.shape}, not {other.shape}"
        wide = np.complex128 if other.dtype.kind == "c" else np.float64
        one, other = one.astype(wide), other.astype(wide)
        if not np.allclose(one, other, 2e-3 if "16" in str(wanted[place].dtype) else 1e-4, 1e-5, equal_nan=True):
            return f"output {place} is other by up to {np.nanmax(np.abs(one - other))}"
    return None


def outcome(model, inputs, ending, folder):
    try:
        wanted = model(*inputs)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        path = folder / f"model.{ending}"
        model.save(path)
        wrong = difference(SYSTEMS[ending](path, inputs), [np.asarray(one) for one in wanted])
    except Exception as error:  # noqa: BLE001
        text = str(error)
        known = next((why for words, why in KNOWN.items() if words in text), None)
        return known, None if known else f"{type(error).__name__}: {text}"
    return ("agrees", None) if wrong is None else (None, wrong)


def models(names):
    for path in sorted([*CASES.glob("openvino/*.xml"), *CASES.glob("stablehlo/*.mlir")]):
        if names and path.stem not in names:
            continue
        model = ndcast.load(path)
        try:
            inputs = inputs_of(path, model)
        except (TypeError, ValueError, KeyError, StopIteration) as error:
            print(f"{path.name}: no inputs for it in Python: {error}")
            continue
        yield path.name, model, inputs
        for output in model.outputs:
            try:
                gradient = model.grad(output.name)
            except ndcast.Error:
                continue  # Of integers, or not differentiable.
            if gradient.outputs:
                yield f"{path.name}, gradient of {output.name}", gradient, inputs


def main():
    counts, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for name, model, inputs in models(sys.argv[1:]):
            for ending in SYSTEMS:
                found, why = outcome(model, inputs, ending, Path(folder))
                if why and (name, ending) in OTHER:
                    found, why = OTHER[name, ending], None
                counts[ending, found or "WRONG"] += 1
                if why:
                    wrong += 1
                    print(f"{name} as .{ending}: {' '.join(why.split())[:300]}", flush=True)
    for (ending, found), count in sorted(counts.items()):
        print(f".{ending:5} {count:4}  {found}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
