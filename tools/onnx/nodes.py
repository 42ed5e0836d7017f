"""ONNX's own tests of nodes, and of models that PyTorch wrote, as a folder of models, each with its inputs and outputs as `onnx` lays them out:

    python3 tools/onnx/nodes.py target/onnx-nodes                # with onnx 1.23.2
    NDCAST_ONNX_NODES=target/onnx-nodes cargo test -p ndcast --lib -- --ignored --nocapture onnx_node_tests

With NDCAST_ONNX_WRITTEN=FOLDER what is written of each case goes there, and

    python3 tools/onnx/written.py FOLDER target/onnx-nodes       # with onnxruntime

runs it with onnxruntime. The path is relative to `crates/ndcast` unless it is absolute. Cases of sequences and optional values are left out.
"""

import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases


def main():
    folder = Path(sys.argv[1])
    written = left_out = 0
    for case in collect_testcases(None):
        path = folder / case.name
        try:
            sets = [
                [[value if isinstance(value, onnx.TensorProto) else numpy_helper.from_array(np.asarray(value))
                  for value in values] for values in pair]
                for pair in case.data_sets
            ]
        except Exception as error:  # noqa: BLE001: sequences, optional values and text that is no array
            left_out += 1
            print(f"{case.name}: {error}", file=sys.stderr)
            continue
        if case.model is None:
            left_out += 1
            continue
        path.mkdir(parents=True, exist_ok=True)
        (path / "model.onnx").write_bytes(case.model.SerializeToString())
        for number, (inputs, outputs) in enumerate(sets):
            data = path / f"test_data_set_{number}"
            data.mkdir(exist_ok=True)
            for kind, tensors in (("input", inputs), ("output", outputs)):
                for place, tensor in enumerate(tensors):
                    (data / f"{kind}_{place}.pb").write_bytes(tensor.SerializeToString())
        written += 1
    # Most of these are of opset 6, in which attributes say what is broadcast.
    data = Path(onnx.__file__).parent / "backend" / "test" / "data"
    for case in sorted(data.glob("pytorch-*/*")):
        shutil.copytree(case, folder / case.name, dirs_exist_ok=True)
        written += 1
    print(f"{written} cases, {left_out} left out")


if __name__ == "__main__":
    main()
