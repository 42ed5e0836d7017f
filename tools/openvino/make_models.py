#!/usr/bin/env python3
"""Makes the models of cases/openvino with OpenVINO itself, each with inputs and the outputs that it gives.

    python3 -m venv target/openvino-venv && target/openvino-venv/bin/pip install openvino==2026.4.1 numpy
    target/openvino-venv/bin/python tools/openvino/make_models.py

A model NAME is NAME.xml, NAME.bin and NAME.txt; the last has a line a tensor: `input|output NAME DTYPE SHAPE VALUES...`.
Outputs are those of the reference kernels (Model.evaluate) where they run, else of the CPU plugin in f32.
`--check FOLDER` loads every model of a folder (as ndcast writes them) and compares its outputs with those of cases/openvino.
"""

import pathlib
import sys

import numpy as np
import openvino as ov
from openvino import Core, Model, Shape, Tensor, opset1

from models import MODELS

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "cases" / "openvino"
NAMES = {"float32": "f32", "float64": "f64", "float16": "f16", "bool": "bool"}


def line(kind, name, value):
    value = np.asarray(value)
    dtype = NAMES.get(value.dtype.name, value.dtype.name.replace("uint", "u").replace("int", "i"))
    shape = "x".join(map(str, value.shape)) or "scalar"
    elements = " ".join(str(int(n)) if value.dtype.kind in "biu" else repr(float(n)) for n in value.ravel())
    return f"{kind} {name} {dtype} {shape} {elements}".rstrip()


def evaluated(graph, values):
    # The reference kernels write where they should not in this one.
    if graph.get_friendly_name() == "attention":
        return compiled(graph, values)
    outputs = [Tensor(output.get_element_type(), Shape([])) for output in graph.outputs]
    try:
        if graph.evaluate(outputs, [Tensor(np.ascontiguousarray(value) if value.ndim else value) for value in values]):
            return [np.array(output.data) for output in outputs]
    except RuntimeError as error:
        print("  evaluate:", str(error).splitlines()[-1])
    return compiled(graph, values)


def compiled(graph, values):
    settings = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    return list(Core().compile_model(graph, "CPU", settings)(list(values)).values())


def make(name, function):
    outputs, inputs = function()
    results = []
    for key, output in outputs.items():
        output = output if isinstance(output, ov.Output) else output.output(0)
        output.get_tensor().add_names({key})
        results.append(opset1.result(output))
    graph = Model(results, [node for node, _ in inputs.values()], name)
    path = FOLDER / f"{name}.xml"
    if name == "half_constants":
        ov.save_model(graph, path, compress_to_fp16=True)
        graph = Core().read_model(path)
    else:
        ov.serialize(graph, path, path.with_suffix(".bin"))
    values = evaluated(graph, [value for _, value in inputs.values()])
    lines = [line("input", key, value) for key, (_, value) in inputs.items()]
    lines += [line("output", key, value) for key, value in zip(outputs, values)]
    path.with_suffix(".txt").write_text("\n".join(lines) + "\n")
    print(name, len(outputs))


def read(path):
    tensors = {"input": [], "output": []}
    for text in path.read_text().splitlines():
        kind, name, dtype, shape, *elements = text.split(" ")
        shape = () if shape == "scalar" else tuple(map(int, shape.split("x")))
        names = {short: long for long, short in NAMES.items()}
        dtype = names.get(dtype, dtype.replace("u", "uint").replace("i", "int") if dtype[0] == "i" else "uint" + dtype[1:])
        tensors[kind].append((name, np.array([float(n) for n in elements]).astype(dtype).reshape(shape)))
    return tensors


def check(folder):
    failed = 0
    for path in sorted(pathlib.Path(folder).glob("*.xml")):
        recorded = read(FOLDER / f"{path.stem}.txt")
        try:
            graph = Core().read_model(path)
            assert [output.get_any_name() for output in graph.outputs] == [name for name, _ in recorded["output"]]
            found = evaluated(graph, [value for _, value in recorded["input"]])
            for (name, expected), value in zip(recorded["output"], found):
                np.testing.assert_allclose(value.astype(np.float64), expected.astype(np.float64), 1e-4, 1e-5, err_msg=name)
            print("ok", path.stem)
        except Exception as error:
            failed += 1
            print("FAILED", path.stem, str(error)[:600])
    return failed


if __name__ == "__main__":
    if sys.argv[1:2] == ["--check"]:
        sys.exit(check(sys.argv[2]))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for chosen in sys.argv[1:] or MODELS:
        make(chosen, MODELS[chosen])
