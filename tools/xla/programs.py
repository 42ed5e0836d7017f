"""Writes programs of JAX into cases/stablehlo, with inputs and what JAX gives for them.

    pip install jax==0.10.2 jaxlib==0.10.2
    JAX_PLATFORMS=cpu python3 tools/xla/programs.py [NAME...]

A program is NAME.mlir, and for some NAME.hlo, or NAME_compiled.hlo as XLA has compiled it; NAME.npz has the inputs as arg0, arg1, ... and the outputs as 0, 1, ...
"""

import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, lax
from jax.scipy import special

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "cases" / "stablehlo"
RANDOM = np.random.default_rng(7)


def f32(*shape):
    return RANDOM.normal(size=shape).astype(np.float32)


def ints(low, high, *shape, dtype=np.int32):
    return RANDOM.integers(low, high, shape).astype(dtype)


NAN = np.array([[1.0, np.nan, 3.0, np.nan], [-np.inf, -np.inf, -np.inf, -np.inf], [2.0, 5.0, 5.0, -1.0]], np.float32)
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.7, 88.0, -104.0, np.inf, -np.inf, np.nan], np.float32)
POSITIVE = np.array([0.1, 0.5, 1.0, 1.5, 2.0, 3.25, 7.0, 20.0], np.float32)
INTS = np.array([0, 1, -1, 7, -7, 2**31 - 1, -(2**31)], np.int32)
BY = np.array([0, 2, -1, -2, 3, 0, -1], np.int32)


def gelu(x):
    return jax.nn.gelu(x, approximate=False), jax.nn.gelu(x, approximate=True)


def layer_norm(x, scale, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * scale + bias


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -jnp.inf), axis=-1), v)


def mlp(params, x):
    (a, b), (c, d) = params
    return jnp.tanh(x @ a + b) @ c + d


def loss(a, b, c, d, x, y):
    return jnp.mean((mlp(((a, b), (c, d)), x) - y) ** 2)


def windows(x):
    ones = (1, 2, 2)
    average = lax.reduce_window(x, 0.0, lax.add, ones, ones, "VALID") / 4
    greatest = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3), (1, 2, 2), "SAME")
    dilated = lax.reduce_window(x, jnp.inf, lax.min, (1, 2, 2), (1, 1, 1), "VALID", (1, 1, 2), (1, 2, 1))
    return average, greatest, dilated


def reducers(x, i, b):
    return (x.max(1), x.min(0), x.prod(1), i.sum(), i.max(0), i.min(1), b.any(0), b.all(1), jnp.argmax(i, 1),
            jnp.argmin(i, 0), x.sum(initial=2.0))


def bits(a, b, u):
    return (a & b, a | b, a ^ b, ~a, lax.shift_left(a, b), lax.shift_right_arithmetic(a, b),
            lax.shift_right_logical(a, b), lax.population_count(a), lax.clz(a), lax.bitcast_convert_type(a, np.float32),
            lax.bitcast_convert_type(u, np.int16), lax.bitcast_convert_type(lax.bitcast_convert_type(u, np.int16), np.int32))


def complexes(x, y):
    z = lax.complex(x, y)
    return (z.real, z.imag, jnp.abs(z), jnp.conj(z), z * z + (1 - 2j), jnp.exp(z), z / (z + 3), z == z, lax.integer_pow(z, 2))


def errors(x):
    return special.erf(x), special.erfc(x), special.erfinv(x / 200), lax.is_finite(x)


def gammas(x):
    return (special.gammaln(x), special.digamma(x), special.zeta(x + 1, x), special.polygamma(1, x), special.i0e(x),
            special.i1e(x))


def angles(x):
    y = x / 25
    return (jnp.sin(x), jnp.cos(x), jnp.tan(x), jnp.arcsin(y), jnp.arccos(y), jnp.arctan(x), jnp.sinh(y), jnp.cosh(y),
            jnp.tanh(x), jnp.arcsinh(x), jnp.arccosh(x + 1), jnp.arctanh(y), jnp.arctan2(x, 1 - x))


def unaries(x):
    return (jnp.exp(x), jnp.expm1(x), jnp.log(x), jnp.log1p(x), jnp.sqrt(x), lax.rsqrt(x), jnp.cbrt(x), jnp.floor(x),
            jnp.ceil(x), jnp.round(x), lax.round(x), jnp.sign(x), jax.nn.sigmoid(x), jnp.square(x), -x, abs(x),
            jnp.isinf(x), jnp.isposinf(x), jnp.isneginf(x), jnp.isnan(x), lax.reduce_precision(x, 5, 10))


def integers(a, b):
    return (a + b, a * b, lax.div(a, b), lax.rem(a, b), a // b, a % b, jnp.sign(a), abs(a),
            jnp.maximum(a, b), jnp.minimum(a, b), lax.mulhi(a, b))


def converts(x, i):
    return (x.astype(np.int8), x.astype(np.uint8), x.astype(np.int64), x.astype(bool), x.astype(np.float16),
            i.astype(np.uint8), i.astype(np.float64), i.astype(bool), x.astype(jnp.bfloat16).astype(np.float32))


def constants(x):
    table = np.arange(240, dtype=np.float32).reshape(2, 120) / 7
    odd = np.arange(160) % 3 == 1
    return (x + table, jnp.where(odd[:120], x, 0), x * np.float32(np.pi), jnp.array([1 + 2j, -0.5j]),
            jnp.array([2**63 + 5, 1], np.uint64), jnp.array([-128, 127], np.int8), jnp.array([np.nan, np.inf, -np.inf, -0.0]),
            jnp.array([1.5, -2.0], np.float16), jnp.zeros((0, 3)), jnp.full((2, 3), True))


def movement(x):
    return (x[::-1], x[:, 1::2], x.T, jnp.roll(x, 1, 1), jnp.tile(x, (2, 1)), jnp.repeat(x, 2, 0), jnp.stack([x, x + 1], 1),
            x.reshape(2, 6), jnp.flip(x), jnp.concatenate([x, x[:1]], 0),
            jnp.tril(x), x[..., None] * x[:, None, :], jnp.squeeze(x[1:2]), jnp.triu(x, 1))


def pads(x):
    return (jnp.pad(x, ((1, 2), (0, 3)), constant_values=7), lax.pad(x, np.float32(9), ((1, -1, 2), (-1, 2, 0))),
            jnp.pad(x, 1, mode="edge"), jnp.pad(x, ((1, 1), (2, 2)), mode="reflect"))


def indexing(x, i, j):
    return (x[i], x[:, i], x[i, j], x[-1], x[1, 2], x[i][:, j], jnp.take(x, i, axis=1), jnp.take_along_axis(x, i[None], 1),
            x[i, None, :], x.at[1].get(), x[jnp.array([[0, 1], [2, 2]])], jnp.take(x, i, mode="clip", axis=0),
            jax.vmap(lambda row, at: row[at])(x, i))


def slices(x, i):
    return (lax.dynamic_slice(x, (i, 0), (2, 3)), lax.dynamic_update_slice(x, x[:1, :2] * 0, (i, i)),
            lax.dynamic_index_in_dim(x, i, 0), lax.dynamic_slice_in_dim(x, i, 2, 1))


def cumulative(x, i):
    return (jnp.cumsum(x, 0), jnp.cumsum(x, 1), lax.cumsum(x, 1, reverse=True), jnp.cumprod(x, 1), lax.cummax(x, 0),
            lax.cummin(i, 1, reverse=True), lax.cumlogsumexp(x, 1), lax.cumlogsumexp(x * 100, 0, reverse=True),
            jnp.cumsum(i, 0), lax.cummax(i, 0))


def products(a, b, v, i):
    return (a @ b, a @ v, v @ v, jnp.outer(v, v), jnp.einsum("ij,kj->ik", a, a), jnp.tensordot(a, b, 1),
            lax.dot_general(i, i, (((1,), (1,)), ((), ())), preferred_element_type=np.int32), jnp.kron(a, v),
            jnp.einsum("ij,jk,k->i", a, b, jnp.ones(b.shape[1], np.float32)))


def batched(a, b):
    return (jnp.einsum("bij,bjk->bik", a, b), jnp.einsum("bij,bjk->ikb", a, b), jnp.einsum("bij,bji->b", a, b),
            lax.dot_general(a, b, (((1, 2), (2, 1)), ((0,), (0,)))), jnp.matmul(a[:1], b))


def scatters(x, i, j, u):
    return (x.at[i].set(u), x.at[i].add(u), x.at[1].set(0), x.at[i, j].add(2), x.at[:, i].mul(u.T[:4, :]), x.at[i].min(u),
            x.at[i].max(u, mode="clip"), x.at[1:3, ::2].set(0), x.at[..., -1].add(1), x.at[i, 1:3].add(u[:, :2]),
            x.at[jnp.array([[0, 9], [2, 2]])].add(1, mode="drop"), x.at[i].get(mode="fill", fill_value=7),
            jax.ops.segment_sum(u, i, num_segments=3), jnp.bincount(i, length=5), x.astype(bool).at[i].set(True),
            lax.scatter_add(x, jnp.array([[3], [0]]), u[:2].reshape(2, 1, 5)[:, :, :4],
                            lax.ScatterDimensionNumbers((1, 2), (), (0,), (), ())),
            lax.scatter(x, jnp.array([[1, 3], [0, 0], [-1, 0]]), u[:3, :4].reshape(3, 2, 2),
                        lax.ScatterDimensionNumbers((1, 2), (), (0, 1), (), ()), mode="drop"))


def gather_gradients(x, i, j):
    def of(f):
        return jax.grad(lambda x: jnp.sum(f(x) ** 2))(x)
    return (of(lambda x: x[i]), of(lambda x: x[:, i]), of(lambda x: x[i, j]), of(lambda x: jnp.take_along_axis(x, i[None], 1)),
            of(lambda x: x[1:, ::2]), of(lambda x: lax.dynamic_slice(x, (j[0], 0), (2, 3))),
            of(lambda x: jax.vmap(lambda row, at: row[at])(x, i)), of(lambda x: x[-1]),
            of(lambda x: jnp.max(x, 1)))


def branches(n, p, x):
    def two(x):
        return x + 1, x.sum(0)
    inner = lax.cond(p, lambda x: lax.switch(n, [jnp.sin, jnp.cos], x), lambda x: x, x)
    return (*lax.switch(n, [two, lambda x: (x * 2, x[0]), lambda x: (-x, x.max(0))], x), inner,
            lax.cond(p, lambda: 1, lambda: 2), lax.switch(1, [jnp.sin, jnp.cos], x), jnp.diag(x), jnp.trace(x), jnp.diagonal(x, 1))


def halves(x):
    x = (x * 3 % 7 - 2).astype(jnp.bfloat16)
    return (x.max(1), x.min(0), jnp.argmax(x, 1), jnp.argmin(x, 0), jnp.sort(x, 1), jnp.argsort(x, 0), *lax.top_k(x, 2),
            jnp.cumsum(x, 0), lax.cummax(x, 1), *lax.sort((x, x[::-1]), num_keys=2), x.at[jnp.array([2, 0, 2])].add(x[1:]),
            lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 2), "VALID"), jnp.median(x, 1), jnp.cumsum(x.ravel()), x.at[1].add(2),
            lax.reduce_precision(x, 8, 7), lax.reduce_precision(x + 0.0625, 5, 2))


def loops(x):
    def step(h, row):
        h = jnp.tanh(h * 0.5 + row)
        return h, h + row
    return (*lax.scan(step, x[0], x), *lax.scan(step, x[0], x, reverse=True), *lax.scan(step, x[0], x, unroll=2),
            lax.fori_loop(0, 3, lambda i, x: lax.fori_loop(i, 4, lambda j, x: x * 0.5 + i * j, x), x), lax.map(jnp.sort, x),
            lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 2, c[1] * 2), (0, x))[1], lax.fori_loop(3, 3, lambda i, x: x * i, x),
            jax.grad(lambda x: jnp.sum(lax.scan(step, x[0], x)[1] ** 2))(x))


COUNTED = np.arange(20, dtype=np.float32).reshape(4, 5)

# Both zeros, NaN of both signs, and equal ones.
MIXED = np.array([[1.0, np.nan, -0.0, 0.0, 3.0, 1.0], [-np.inf, 2.0, 2.0, -np.nan, 0.0, -0.0]], np.float32)


def sorting(x, i):
    return (jnp.sort(x), jnp.sort(x, 0, descending=True), jnp.argsort(x), jnp.argsort(i, descending=True), *lax.top_k(x, 2),
            *lax.top_k(i, 4), jnp.sort(i > 0), jnp.sort(x.astype(jnp.bfloat16)))


def sorting_pairs(x, i):
    return (*lax.sort((i, x), num_keys=2), *lax.sort((x, i, x + 1), num_keys=3), jnp.lexsort((x, i)), *lax.sort_key_val(x, i),
            jnp.sort(lax.complex(x, x[::-1])))


PROGRAMS = {
    "gelu": (gelu, f32(3, 5)),
    "layer_norm": (layer_norm, f32(4, 6), f32(6), f32(6)),
    "log_softmax": (jax.nn.log_softmax, f32(3, 5)),
    "logsumexp": (lambda x: special.logsumexp(x, axis=1), f32(3, 5)),
    "attention": (attention, f32(2, 3, 2, 4), f32(2, 3, 2, 4), f32(2, 3, 2, 4)),
    "mlp_gradient": (jax.grad(loss, argnums=(0, 1, 2, 3)), f32(3, 4), f32(4), f32(4, 2), f32(2), f32(5, 3), f32(5, 2)),
    "argmax": (lambda x: (jnp.argmax(x, 1), jnp.argmin(x, 1), jnp.argmax(x), jnp.argmax(x, 0, keepdims=True)), NAN),
    "windows": (windows, f32(2, 6, 8)),
    "reducers": (reducers, f32(3, 4), ints(-9, 9, 3, 4), ints(0, 2, 3, 4, dtype=bool)),
    "bits": (bits, ints(-99, 99, 7), np.array([0, 1, 5, 31, 32, 40, -1], np.int32), ints(0, 2**31, 3, dtype=np.uint32)),
    "complex": (complexes, f32(4), f32(4)),
    "errors": (errors, SPECIAL),
    "gammas": (gammas, POSITIVE),
    "angles": (angles, POSITIVE),
    "unaries": (unaries, SPECIAL),
    "integers": (integers, INTS, BY),
    "unsigned": (integers, np.array([0, 1, 200, 255], np.uint8), np.array([3, 0, 7, 255], np.uint8)),
    "converts": (converts, np.array([0.5, -1.5, 300.0, -300.0, 1e20, np.nan, np.inf, -np.inf, 2.5], np.float32),
                 np.array([-1, 0, 255, 256, 2**31 - 1], np.int32)),
    "literals": (constants, f32(2, 120)),
    "movement": (movement, f32(3, 4)),
    "pads": (pads, f32(3, 4)),
    "indexing": (indexing, f32(3, 4), np.array([2, 0, -1], np.int32), np.array([1, -2, 3], np.int32)),
    "slices": (slices, f32(4, 5), np.int32(3)),
    "cumulative": (cumulative, f32(3, 5), ints(-9, 9, 3, 5)),
    "products": (products, f32(3, 4), f32(4, 5), f32(4), ints(-9, 9, 3, 4, dtype=np.int8)),
    "batched": (batched, f32(2, 3, 4), f32(2, 4, 3)),
    "next_after": (lambda a, b: (jnp.nextafter(a, b), jnp.hypot(a, b), jnp.copysign(a, b), a ** b, jnp.fmod(a, b)),
                   SPECIAL, SPECIAL[::-1].copy()),
    "scatters": (scatters, COUNTED, np.array([2, 0, -1, 2], np.int32), np.array([1, -2, 3, 1], np.int32), COUNTED / 4 - 2),
    "gather_gradients": (gather_gradients, COUNTED - 7, np.array([2, 0, -1, 2], np.int32), np.array([1, -2, 3, 1], np.int32)),
    "branches": (branches, np.int32(2), np.bool_(True), COUNTED - 3),
    "branches_beyond": (branches, np.int32(-5), np.bool_(False), COUNTED - 3),
    "loops": (loops, COUNTED / 8 - 1),
    "halves": (halves, COUNTED),
    "sorting": (sorting, MIXED, np.array([3, -1, 3, 0, -1, 7], np.int32)),
    "sorting_pairs": (sorting_pairs, MIXED, np.array([[3, -1, 3, 0, -1, 7], [0, 0, 1, 1, 0, 0]], np.int32)),
    "topk": (lambda x: (*lax.top_k(x, 2), *lax.top_k(x[0], 3)), MIXED),
    "clipped": (lambda x: (jnp.clip(x, -1, 2), jax.nn.relu6(x), jax.nn.silu(x), jax.nn.softplus(x), jax.nn.elu(x),
                           jax.nn.hard_swish(x), jnp.where(x > 0, x, 2)), SPECIAL[:-1]),
}

# With types of 64 bits, which JAX has only if it is told so.
WIDE = ["literals", "converts"]

# Symbolic shapes of the inputs, and inputs.
POLYMORPHIC = {
    "poly_softmax": (lambda x, b: jax.nn.softmax(x + b, -1), ("b, 4", "4"), f32(3, 4), f32(4)),
    "poly_outer": (lambda x, y: (x[:, None] + y[None]).sum(1), ("b", "b*2"), f32(2), f32(4)),
    "poly_index": (lambda x, i: (x[:, i], x[i], x[i, i]), ("b, 4", "3"), f32(5, 4), np.array([3, 0, -2], np.int32)),
    "poly_strided": (lambda x: (x[::2], x[1:], x[-1] + x[0]), ("b, 4",), f32(5, 4)),
    "poly_flatten": (lambda x: (x.reshape(-1), x.reshape((x.shape[0], 2, 2)), x.T), ("b, 4",), f32(3, 4)),
    "poly_products": (lambda x, w: (jnp.concatenate([x, x + 1]) @ w, x @ x.T, jnp.einsum("bi,bj->ij", x, x)), ("b, 4", "4, 2"),
                      f32(3, 4), f32(4, 2)),
    "poly_pad": (lambda x: jnp.pad(x, ((0, 1), (1, 0))) + jnp.arange(x.shape[0] + 1)[:, None], ("b, 4",), f32(2, 4)),
    "poly_norm": (lambda x: (x - x.mean(0)) / (x.std(0) + 1), ("b, 4",), f32(6, 4)),
    "poly_scatter": (lambda x, i, u: (x.at[i].set(u), x.at[i, 1].add(u[:, 0]), jax.grad(lambda x: (x[i] ** 2).sum())(x)),
                     ("b, 5", "n", "n, 5"), COUNTED, np.array([3, 0, -2], np.int32), COUNTED[:3] + 50),
    "poly_cumulative": (lambda x: (jnp.cumsum(x, 0), lax.cummax(x, 0, reverse=True), lax.cumprod(x, 1), jnp.cumsum(x)),
                        ("b, 5",), COUNTED / 8 - 1),
    "poly_sort": (lambda x: (jnp.sort(x, 0), jnp.argsort(x, 0), jnp.argsort(x), *lax.top_k(x, 2)), ("b, 4",), f32(3, 4)),
    "poly_along": (lambda x, i: jnp.take_along_axis(x, i, 0), ("b, 4", "1, 4"), f32(3, 4), ints(0, 3, 1, 4)),
}

# What is written as HLO as well.
AS_HLO = ["gelu", "layer_norm", "attention", "argmax", "windows", "reducers", "bits", "complex", "unaries", "integers",
          "converts", "literals", "movement", "pads", "indexing", "slices", "cumulative", "products", "batched", "mlp_gradient",
          "scatters", "gather_gradients", "sorting", "sorting_pairs", "branches", "branches_beyond", "loops"]

# What is written as XLA has compiled it for this machine, too: with fusions, layouts, and comparisons of bits.
AS_COMPILED = ["batched", "movement", "branches", "loops", "halves", "sorting_pairs", "topk"]


def write(name, text, inputs, outputs, ending="mlir"):
    outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
    arrays = {f"arg{n}": np.asarray(array) for n, array in enumerate(inputs)}
    arrays |= {str(n): np.asarray(array) for n, array in enumerate(outputs)}
    # Places in the source are said by files of the project, wherever that lies.
    text = text.replace(f'"{ROOT}/', '"')
    (FOLDER / f"{name}.{ending}").write_text(text.rstrip() + "\n")
    np.savez_compressed(FOLDER / f"{name}.npz", **arrays)


def main(names):
    FOLDER.mkdir(exist_ok=True)

    def wanted(programs):
        return {name: program for name, program in programs.items() if not names or name in names}

    for name, (function, *inputs) in wanted(PROGRAMS).items():
        jax.config.update("jax_enable_x64", name in WIDE)
        lowered = jax.jit(function).lower(*inputs)
        compiled = lowered.compile()
        outputs = jax.tree.leaves(compiled(*inputs))
        write(name, lowered.as_text(), inputs, outputs)
        if name in AS_COMPILED:
            write(f"{name}_compiled", compiled.as_text(), inputs, outputs, "hlo")
        if name in AS_HLO:
            (FOLDER / f"{name}.hlo").write_text(lowered.as_text(dialect="hlo").rstrip() + "\n")
    jax.config.update("jax_enable_x64", False)
    for name, (function, shapes, *inputs) in wanted(POLYMORPHIC).items():
        scope = export.SymbolicScope()
        arguments = [jax.ShapeDtypeStruct(export.symbolic_shape(shape, scope=scope), array.dtype)
                     for shape, array in zip(shapes, inputs)]
        exported = export.export(jax.jit(function))(*arguments)
        write(name, exported.mlir_module(), inputs, jax.tree.leaves(exported.call(*inputs)))
    if names:
        return
    # The same program in the generic form, and with places in the source.
    function, *inputs = PROGRAMS["argmax"]
    lowered = jax.jit(function).lower(*inputs)
    outputs = jax.tree.leaves(lowered.compile()(*inputs))
    module = lowered.compiler_ir("stablehlo")
    write("generic", module.operation.get_asm(print_generic_op_form=True), inputs, outputs)
    write("generic_places", module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True), inputs, outputs)


if __name__ == "__main__":
    main(sys.argv[1:])
