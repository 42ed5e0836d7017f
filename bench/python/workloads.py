"""What is measured: expressions in which broadcasting decides, written once for every namespace."""

from typing import Any, Callable, NamedTuple

import ml_dtypes
import numpy as np

random = np.random.default_rng(0)


class Workload(NamedTuple):
    """A function of a namespace and arrays, the same as numexpr's text where it has one, whether OpenVINO can say it,
    how near the results are, and whether the result must be in memory as a whole."""

    name: str
    arrays: list[Any]
    function: Callable[..., Any]
    text: str | None = None
    models: bool = True
    near: float = 1e-3
    written: bool = False


def floats(*shape, dtype=np.float32):
    return (random.random(shape, dtype=np.float32) + 0.5).astype(dtype)


def layer_norm(xp, x, scale, shift):
    mean = xp.mean(x, axis=1, keepdims=True)
    return (x - mean) / xp.std(x, axis=1, keepdims=True) * scale + shift


def softmax(xp, x):
    e = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return e / xp.sum(e, axis=1, keepdims=True)


def in_place(xp, x, s):
    x *= s
    return x


def quantised(xp, x, s):
    return xp.astype(xp.clip(xp.round(x * s), -128.0, 127.0), xp.int8)


def signs(*shape, dtype=np.float32):
    return random.choice([-1, 1], shape).astype(dtype)


def plus(xp, a, b):
    return a + b


WORKLOADS = [
    lambda: Workload("small add (3,4)+(4,)", [floats(3, 4), floats(4)], plus, "a + b"),
    lambda: Workload("tiny (64,64)+(64,)", [floats(64, 64), floats(64)], plus, "a + b"),
    lambda: Workload("tiny (3,)+(3,)", [floats(3), floats(3)], plus, "a + b"),
    lambda: Workload("NCHW bias (32,64,56,56)", [floats(32, 64, 56, 56), floats(1, 64, 1, 1)], plus, "a + b"),
    lambda: Workload("NCHW scale and shift", [floats(32, 64, 56, 56), floats(64, 1, 1), floats(64, 1, 1)],
                     lambda xp, a, b, c: a * b + c, "a * b + c"),
    lambda: Workload("(100000,3)+(3,)", [floats(100_000, 3), floats(3)], plus, "a + b"),
    lambda: Workload("HWC normalise (1024,1024,3)", [floats(1024, 1024, 3), floats(3), floats(3)],
                     lambda xp, a, b, c: (a - b) * c, "(a - b) * c"),
    lambda: Workload("u8 image to f32 (1080,1920,3)",
                     [random.integers(0, 256, (1080, 1920, 3), dtype=np.uint8), floats(3), floats(3)],
                     lambda xp, a, b, c: (xp.astype(a, xp.float32) / 255.0 - b) / c, "(a / 255 - b) / c"),
    lambda: Workload("layer norm, applied (4096,1024)",
                     [floats(4096, 1024), floats(4096, 1), floats(4096, 1), floats(1024), floats(1024)],
                     lambda xp, a, b, c, d, e: (a - b) * c * d + e, "(a - b) * c * d + e"),
    lambda: Workload("layer norm, whole (4096,1024)", [floats(4096, 1024), floats(1024), floats(1024)], layer_norm),
    lambda: Workload("softmax of rows (8192,1024)", [floats(8192, 1024)], softmax),
    lambda: Workload("attention mask (8,12,512,512)", [floats(8, 12, 512, 512), floats(8, 1, 1, 512)], plus, "a + b"),
    lambda: Workload("causal where (8,12,512,512)",
                     [np.tril(np.ones((512, 512), bool)), floats(8, 12, 512, 512)],
                     lambda xp, a, b: xp.where(a, b, -1e9), "where(a, b, -1e9)"),
    lambda: Workload("outer (4096,1)*(1,4096)", [floats(4096, 1), floats(1, 4096)], lambda xp, a, b: a * b, "a * b"),
    lambda: Workload("RBF exp(-(a-b)^2) 4096^2", [floats(4096, 1), floats(1, 4096)],
                     lambda xp, a, b: xp.exp((a - b) * (b - a)), "exp((a - b) * (b - a))"),
    lambda: Workload("hoist sin(row)+exp(column)", [floats(1, 2048), floats(2048, 1)],
                     lambda xp, a, b: xp.sin(a) + xp.exp(b), "sin(a) + exp(b)"),
    lambda: Workload("pairwise distances (1024,1024,128)", [floats(1024, 1, 128), floats(1, 1024, 128)],
                     lambda xp, a, b: xp.sum((a - b) * (a - b), axis=2), "sum((a - b) * (a - b), axis=2)"),
    lambda: Workload("(1,32,32,2)-(1024,1,1,2)", [floats(1, 32, 32, 2), floats(1024, 1, 1, 2)],
                     lambda xp, a, b: a - b, "a - b"),
    lambda: Workload("x + y.T 2048^2", [floats(2048, 2048), floats(2048, 2048)], lambda xp, a, b: a + b.T, None, False),
    lambda: Workload("strided x[::2,::3]+b", [floats(4096, 4096), floats(1366)], lambda xp, a, b: a[::2, ::3] + b, None, False),
    lambda: Workload("one-hot (65536,1)==(32,)",
                     [random.integers(0, 32, (65536, 1), dtype=np.int32), np.arange(32, dtype=np.int32)],
                     lambda xp, a, b: xp.equal(a, b), "a == b"),
    lambda: Workload("vocabulary (1024,1)==(32000,)",
                     [random.integers(0, 32000, (1024, 1), dtype=np.int32), np.arange(32000, dtype=np.int32)],
                     lambda xp, a, b: xp.equal(a, b), "a == b"),
    lambda: Workload("positions sin(p*f) (2048,1),(1,512)", [floats(2048, 1) * 100, floats(1, 512)],
                     lambda xp, a, b: xp.sin(a * b), "sin(a * b)"),
    lambda: Workload("clip by channel (32,64,56,56)", [floats(32, 64, 56, 56), floats(64, 1, 1) - 0.3, floats(64, 1, 1)],
                     lambda xp, a, b, c: xp.clip(a, xp.minimum(b, c), xp.maximum(b, c))),
    lambda: Workload("gradient: NCHW to C", [floats(32, 64, 56, 56)], lambda xp, a: xp.sum(a, axis=(0, 2, 3))),
    lambda: Workload("gradient: (16384,1024) over rows", [floats(16384, 1024)], lambda xp, a: xp.sum(a, axis=0), "sum(a, axis=0)"),
    lambda: Workload("gradient: sum(dy*x) to C", [floats(32, 64, 56, 56), floats(32, 64, 56, 56)],
                     lambda xp, a, b: xp.sum(a * b, axis=(0, 2, 3))),
    lambda: Workload("int8 (4096,1024)+(1024,)",
                     [random.integers(-60, 60, (4096, 1024), dtype=np.int8), random.integers(-60, 60, 1024, dtype=np.int8)],
                     plus, "a + b"),
    lambda: Workload("quantise f32 to int8 (4096,1024)", [(floats(4096, 1024) - 1) * 20, floats(1024)], quantised, near=1),
    lambda: Workload("bf16 NHWC (32,56,56,256)",
                     [floats(32, 56, 56, 256, dtype=ml_dtypes.bfloat16), floats(256, dtype=ml_dtypes.bfloat16), floats(256, dtype=ml_dtypes.bfloat16)],
                     lambda xp, a, b, c: a * b + c, None, False, 0.05),
    lambda: Workload("f16 NHWC (32,56,56,256)",
                     [floats(32, 56, 56, 256, dtype=np.float16), floats(256, dtype=np.float16), floats(256, dtype=np.float16)],
                     lambda xp, a, b, c: a * b + c, None, False, 0.01),
    lambda: Workload("written out (64,) to (65536,64)", [floats(1, 64)], lambda xp, a: xp.tile(a, (65536, 1)), written=True),
    lambda: Workload("written out (65536,1) to (65536,64)", [floats(65536, 1)], lambda xp, a: xp.tile(a, (1, 64)), written=True),
    lambda: Workload("written out (224,224,1) to (32,224,224,3)", [floats(1, 224, 224, 1)], lambda xp, a: xp.tile(a, (32, 1, 1, 3)), written=True),
    lambda: Workload("written out: one number to 64 MiB", [floats(1)], lambda xp, a: xp.tile(a, (1 << 24,)), written=True),
    lambda: Workload("written out: bool (512,512) to (8,12,512,512)", [np.tril(np.ones((1, 1, 512, 512), bool))],
                     lambda xp, a: xp.tile(a, (8, 12, 1, 1)), written=True),
    lambda: Workload("alternating 6-D (8,8,16,16,32,32)", [floats(8, 1, 16, 1, 32, 1), floats(1, 8, 1, 16, 1, 32)],
                     lambda xp, a, b: a * b, "a * b"),
    lambda: Workload("in place x *= s[:,None] f32", [floats(4096, 1024), signs(4096, 1)], in_place, "a * b", False),
    lambda: Workload("in place x *= s[:,None] f64", [floats(4096, 1024, dtype=np.float64), signs(4096, 1, dtype=np.float64)],
                     in_place, "a * b", False),
    lambda: Workload("in place x *= s[:,None] c64", [floats(4096, 1024).astype(np.complex64), signs(4096, 1, dtype=np.complex64)],
                     in_place, None, False),
    lambda: Workload("u8 + f32 row (4096,1024)", [random.integers(0, 256, (4096, 1024), dtype=np.uint8), floats(1024)],
                     lambda xp, a, b: xp.astype(a, xp.float32) + b, "a + b"),
    lambda: Workload("f32 * f64 column (4096,1024)", [floats(4096, 1024), floats(4096, 1, dtype=np.float64)],
                     lambda xp, a, b: a * b, "a * b", False),
]
