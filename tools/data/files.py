"""Small files of tensors as NumPy and ml_dtypes write them: the rows of `cases/data_files.txt`.

    python3 tools/data/files.py > cases/data_files.txt        # with numpy and ml_dtypes

A row is fields with tabs between them: what it is, the file's bytes, and its tensors (`name=f32 2x3 1,2,3,4,5,6`).
"""

import io

import ml_dtypes
import numpy as np
from numpy.lib import format as npy

NAMES = {"bool": "bool", "float16": "f16", "float32": "f32", "float64": "f64", "complex64": "c64", "bfloat16": "bf16"}


def name(dtype):
    if dtype.name in NAMES:
        return NAMES[dtype.name]
    return "u8" if "float8" in dtype.name else dtype.name.replace("uint", "u").replace("int", "i")


def tensor(key, x):
    shape = "x".join(str(extent) for extent in x.shape) or "scalar"
    flat = x.reshape(-1)
    if "float8" in x.dtype.name:
        flat = flat.view(np.uint8)
    if x.dtype.kind == "c":
        numbers = [part for z in flat for part in (z.real, z.imag)]
    else:
        numbers = flat.astype(np.float64)
    return f"{key}={name(x.dtype.newbyteorder('='))} {shape} " + ",".join(str(float(n)) for n in numbers)


def row(what, contents, tensors):
    print("\t".join([what, contents.hex(), *(tensor(key, x) for key, x in tensors.items())]))


def saved(x, version=None):
    to = io.BytesIO()
    npy.write_array(to, x, version=version)
    return to.getvalue()


def main():
    table = np.arange(6, dtype=np.float32).reshape(2, 3) - 2
    for what, x in [
        ("f32", table),
        ("f64 in the order of Fortran", np.asfortranarray(table.astype(np.float64))),
        ("three axes in the order of Fortran", np.asfortranarray(np.arange(24, dtype=np.int16).reshape(2, 3, 4))),
        ("big-endian i16", np.array([1, -2, 300], dtype=">i2")),
        ("big-endian f64 of Fortran", np.asfortranarray(table.astype(">f8"))),
        ("big-endian c64", np.array([1 + 2j, -3.5j], dtype=">c8")),
        ("bool", np.array([[True], [False]])),
        ("u8", np.array([0, 255], np.uint8)),
        ("i64, a number", np.array(-7)),
        ("no element", np.zeros((0, 3), np.float16)),
        ("bf16", np.array([1.5, -2.0], ml_dtypes.bfloat16)),
        ("f8e4m3", np.array([1.5, -2.0], ml_dtypes.float8_e4m3fn)),
    ]:
        row(what, saved(x), {"": x})
    row("version 2", saved(table, (2, 0)), {"": table})
    row("version 3", saved(table, (3, 0)), {"": table})
    for what, save in [("stored", np.savez), ("deflated", np.savez_compressed)]:
        to = io.BytesIO()
        tensors = {"a": table, "b/c": np.arange(50, dtype=np.int32), "d": np.array(True)}
        save(to, **tensors)
        row(what, to.getvalue(), tensors)
    to = io.BytesIO()
    np.savez(to)
    row("an archive of nothing", to.getvalue(), {})


if __name__ == "__main__":
    main()
