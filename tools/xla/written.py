"""Has jaxlib run what `ndcast convert` writes as StableHLO and as HLO, and compares it with what is recorded of the models.

    pip install jax==0.10.2 jaxlib==0.10.2
    cargo build && JAX_PLATFORMS=cpu python3 tools/xla/written.py [NAME...]

Models are the programs of cases/stablehlo, in both texts, and the models of cases/openvino. HLO says every extent, so models
with open ones must be refused as that.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import jax
import numpy as np

import run as oracle

ROOT = pathlib.Path(__file__).parents[2]
COMMAND = ROOT / "target" / "debug" / "ndcast"
NUMPY = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bool": np.bool_, "i8": np.int8, "i16": np.int16,
         "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64}


# What StableHLO does not have, or XLA does not run.
KNOWN = {
    "cases/openvino/element_types.xml": "elements of types u1, u3 and u6",
    "cases/openvino/broadcast_3.xml": "a target that is an input",
    "cases/openvino/movement_dynamic.xml": "steps that are an input",
}

# What HLO does not have: words of our error, by the models.
UNSAID = {
    "element_types.xml": "has no elements of type u6",
    "errors.mlir": "= erf_inv: no operation does this",
    "gammas.mlir": "= lgamma: no operation does this",
    "next_after.mlir": "= nextafter: no operation does this",
}
OPEN = "has extents that are not known"
# What XLA reads, and jaxlib does not make StableHLO of to run it.
NOT_RUN = "mulhi"


def ndcast(*arguments):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def recorded_by_jax(path):
    arrays = np.load(path.with_suffix(".npz"))
    inputs = sum(name.startswith("arg") for name in arrays)
    return ([arrays[f"arg{place}"] for place in range(inputs)],
            [arrays[str(place)] for place in range(len(arrays.files) - inputs)])


def recorded_by_openvino(path):
    tensors = {}
    for line in path.with_suffix(".txt").read_text().splitlines():
        kind, name, dtype, shape, *values = line.split(" ")
        dims = [] if shape == "scalar" else [int(extent) for extent in shape.split("x")]
        if dtype in NUMPY:
            tensors[kind, name] = np.array([float(value) for value in values]).astype(NUMPY[dtype]).reshape(dims)
    text = ndcast("convert", path, "-")
    inputs = [tensors["input", name] for name in re.findall(r'^%\d+ = input "([^"]*)"', text, re.M)]
    return inputs, [tensors["output", name] for name in re.findall(r'^output "([^"]*)"', text, re.M)]


def same(found, expected):
    if found.shape != expected.shape or found.dtype != expected.dtype:
        return False
    if expected.dtype.kind not in "fc":
        return bool((found == expected).all())
    near = 3e-3 if expected.dtype == np.float16 else 1e-5
    return np.allclose(found, expected, rtol=near, atol=near * 0.1, equal_nan=True)


def check(path, ending, folder):
    """What is wrong with a model written as a file of this ending, and `None` if it cannot be."""
    inputs, outputs = (recorded_by_openvino if path.suffix == ".xml" else recorded_by_jax)(path)
    written = folder / f"{path.stem}.{ending}"
    try:
        ndcast("convert", path, written)
    except RuntimeError as error:
        if ending == "hlo" and (OPEN in str(error) or UNSAID.get(path.name, OPEN) in str(error)):
            return None
        raise
    found = oracle.run(oracle.module_of(written), inputs)
    return [f"output {place}: {a.dtype}{a.shape} {a.ravel()[:6]} and not {b.dtype}{b.shape} {b.ravel()[:6]}"
            for place, (a, b) in enumerate(zip(found, outputs, strict=True)) if not same(a, b)]


def main(names):
    paths = [*ROOT.glob("cases/stablehlo/*.mlir"), *ROOT.glob("cases/stablehlo/*.hlo"), *ROOT.glob("cases/openvino/*.xml")]
    paths = sorted(path for path in paths if not names or path.stem in names)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for ending in ["mlir", "hlo"]:
            runs = 0
            for path in paths:
                try:
                    differences = check(path, ending, pathlib.Path(folder))
                except Exception as error:  # noqa: BLE001: whatever jaxlib says is told
                    unrun = ending == "hlo" and f'"{NOT_RUN}.' in str(error)
                    differences = None if unrun else [str(error)[:600]]
                known = ending == "mlir" and KNOWN.get(str(path.relative_to(ROOT)))
                runs += differences == []
                if differences is not None and bool(known) != bool(differences):
                    told = "; ".join(differences) or f"it runs in spite of {known}"
                    print(f"{path.relative_to(ROOT)} as .{ending}: {told}")
                    wrong += 1
            print(f".{ending}: {runs} of {len(paths)} models run")
    print(f"{wrong} of them wrong")
    return bool(wrong)


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    sys.exit(main(sys.argv[1:]))
