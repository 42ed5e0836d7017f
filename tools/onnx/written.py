"""Runs with onnxruntime what `onnx_node_tests` wrote of ONNX's node tests; see `nodes.py`.

    python3 tools/onnx/written.py WRITTEN NODES                  # with onnx and onnxruntime
"""

import collections
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper


def tensors(folder, kind):
    found = []
    while (path := folder / f"{kind}_{len(found)}.pb").exists():
        found.append(numpy_helper.to_array(onnx.TensorProto.FromString(path.read_bytes())))
    return found


def outcome(path, case):
    onnx.checker.check_model(onnx.load(path), full_check=False)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001
        # What the runtime has no kernel for, or no such element type, says nothing of the file.
        text = str(error)
        lacks = "NOT_IMPLEMENTED" in text or "not implemented" in text.lower()
        return "no kernel" if lacks else f"not loaded: {text}"
    names = [one.name for one in session.get_inputs()]
    try:
        found = session.run(None, dict(zip(names, tensors(case, "input"))))
    except Exception as error:  # noqa: BLE001
        text = str(error)
        elements = "Numpy_type" in text or "No corresponding Numpy type" in text
        return "no such elements" if elements else f"not run: {text}"
    for one, expected in zip(found, tensors(case, "output")):
        if one.dtype != expected.dtype and expected.dtype.kind == "V":
            return "no such elements"
        same = one.shape == expected.shape and one.dtype == expected.dtype
        if not same or not np.allclose(one.astype(np.complex128), expected.astype(np.complex128), 1e-3, 1e-5, True):
            return "other values"
    return "agrees"


def main():
    written, nodes = map(Path, sys.argv[1:])
    counts = collections.Counter()
    for path in sorted(written.glob("*.onnx")):
        try:
            found = outcome(path, nodes / path.stem / "test_data_set_0")
        except onnx.checker.ValidationError as error:
            found = f"not valid: {error}"
        counts[found.split(":")[0]] += 1
        if found not in ("agrees", "no kernel", "no such elements"):
            print(path.stem, found.replace("\n", " ")[:300])
    print(dict(counts))


if __name__ == "__main__":
    main()
