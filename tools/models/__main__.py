"""Writes the models under `cases/` and their gradients in every format, and has the systems whose formats they are run them.

    pip install . onnxruntime openvino jax && python3 tools/models [--known] [NAME ...]

Each must load what is written and give what ndcast gives. What a format or a system is known not to have is counted by its
reason, and printed with `--known`; anything else is printed, and fails.
"""

import collections
import sys
import tempfile
from pathlib import Path

import ndcast
import numpy as np
from system import SYSTEMS, Failed, System

CASES = Path(__file__).parents[2] / "cases"


# Words of an error of ours, and what they are the reason for.
UNSAID = {
    "ONNX cannot say it": "the format cannot say it",
    "OpenVINO has no layers for": "the format cannot say it",
    "StableHLO has no operations for": "the format cannot say it",
    "HLO says them all": "the format wants every extent",
    "HLO has no operations for": "the format cannot say it",
}

# Words of an error of a system's.
REFUSED = {
    "NOT_IMPLEMENTED": "the system has no kernel for it",
    "Could not find an implementation": "the system has no kernel for it",
    "doesn't support": "the system has no kernel for it",
    "not supported": "the system has no kernel for it",
    "Unsupported": "the system has no kernel for it",
    "unsupported": "the system has no kernel for it",
    "not currently registered": "the system has no kernel for it",
    "'mhlo.unknown'": "the system has no kernel for it",
    "no Numpy type": "Python cannot hold its elements",
    "Unable to cast": "Python cannot hold its elements",
    "can't be translated to XLA HLO": "the system wants every extent",
    "has dynamic shapes": "the system wants every extent",
}

# What a system is known to compute otherwise.
CUT = "OpenVINO's CPU cuts quotients of integers, which its reference rounds down"
ARGMAX = "onnxruntime's ArgMax and ArgMin do not see NaN"
BEYOND = "which integer a float becomes that none is equal to, the format leaves open"
NAN = "OpenVINO's CPU gives numbers for NaN"
UNSORTED = "OpenVINO's CPU has no order of elements among which there is NaN"
INFINITE = "OpenVINO's CPU gives NaN for the remainder by an infinity"
OTHER = {
    ("integer_division.xml", "xml"): CUT,
    ("argmax.mlir", "onnx"): ARGMAX,
    ("generic.mlir", "onnx"): ARGMAX,
    ("generic_places.mlir", "onnx"): ARGMAX,
    ("converts.mlir", "onnx"): BEYOND,
    ("converts.mlir", "xml"): BEYOND,
    ("sorting.mlir", "xml"): UNSORTED,
    ("errors.mlir, gradient of 0", "xml"): NAN,
    ("errors.mlir, gradient of 1", "xml"): NAN,
    ("unaries.mlir, gradient of 0", "xml"): NAN,
    ("unaries.mlir, gradient of 1", "xml"): NAN,
    ("next_after.mlir, gradient of 1", "xml"): NAN,
    ("next_after.mlir, gradient of 4", "xml"): INFINITE,
}


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


def reason(error, table):
    """The outcome that an error is by a table: why, and the words of what is in none."""
    found = next((why for words, why in table.items() if words in str(error)), None)
    return found, str(error)


def outcome(model, inputs, system, folder):
    """In a word what came of a model, None if it is wrong; and the words behind it."""
    wanted = model(*inputs)
    wanted = [np.asarray(one) for one in (wanted if isinstance(wanted, tuple) else (wanted,))]
    path = folder / f"model.{system.ending}"
    try:
        model.save(path)
    except ndcast.Error as error:
        return reason(error, UNSAID)
    try:
        found = system.gives(path, inputs)
    except Failed as error:
        return reason(error, REFUSED)
    wrong = difference(found, wanted)
    return ("agrees", "") if wrong is None else (None, wrong)


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
    names = sys.argv[1:]
    shown = "--known" in names
    counts = collections.Counter()
    systems = [System(ending) for ending in SYSTEMS]
    with tempfile.TemporaryDirectory() as folder:
        for name, model, inputs in models([name for name in names if name != "--known"]):
            for system in systems:
                found, words = outcome(model, inputs, system, Path(folder))
                found = found or OTHER.get((name, system.ending))
                counts[system.ending, found or "WRONG"] += 1
                if found is None or (shown and found != "agrees"):
                    print(f"{found or 'WRONG'}: {name} as .{system.ending}: {' '.join(words.split())[:300]}", flush=True)
    for system in systems:
        system.close()
    for (ending, found), count in sorted(counts.items()):
        print(f".{ending:5} {count:4}  {found}")
    sys.exit(any(found == "WRONG" for _, found in counts))


if __name__ == "__main__":
    main()
