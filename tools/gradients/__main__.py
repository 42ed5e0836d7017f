"""Writes what JAX says of the gradients of 24 expressions, for a test of ndcast's.

    python3 tools/gradients > crates/ndcast/tests/gradients.txt      with jax installed (0.10.2 wrote what is there)

Why: finite differences show that a gradient is about right; another system's gradient, in 64 bits, shows it to the last
digits, corners included (ties, zeros in products, several uses of one input).

Each block is a comment with the expression, the graph as ndcast writes it, then for each input its elements (`x = [...]`)
and the gradient of the sum of the output (`d x = [...]`).
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

# What is written, what JAX computes, the shapes of the inputs, the graph without its inputs.
EXPRESSIONS = [
    ("x * row", lambda x, row: x * row, ["2x3", "3"], "%b = broadcast(%row) axes=[:2, 0]\n%y = multiply(%x, %b)"),
    ("column / row", lambda a, b: a / b, ["4x1", "3"],
     "%p = broadcast(%x) axes=[0, 1:3]\n%q = broadcast(%row) axes=[:4, 0]\n%y = divide(%p, %q)"),
    ("exp(-(x - row)**2)", lambda x, row: jnp.exp(-((x - row) ** 2)), ["2x3", "3"],
     "%b = broadcast(%row) axes=[:2, 0]\n%d = squared_difference(%x, %b)\n%n = negative(%d)\n%y = exp(%n)"),
    ("softmax squared", lambda x: jax.nn.softmax(x, axis=1) ** 2, ["3x4"],
     "%m = max(%x) axes=[1] keep=axes\n%n = broadcast(%m) axes=[0, 1:4]\n%d = subtract(%x, %n)\n%e = exp(%d)\n"
     "%s = sum(%e) axes=[1] keep=axes\n%t = broadcast(%s) axes=[0, 1:4]\n%p = divide(%e, %t)\n%y = square(%p)"),
    ("logsumexp", lambda x: jnp.log(jnp.sum(jnp.exp(x), axis=0)), ["3x4"],
     "%e = exp(%x)\n%s = sum(%e) axes=[0] keep=nothing\n%y = log(%s)"),
    ("layer norm", lambda x, row: (x - x.mean(1, keepdims=True)) / jnp.sqrt(x.var(1, keepdims=True) + 1e-5) * row,
     ["2x5", "5"],
     "%five = constant dtype=f64 shape=scalar values=[5.0]\n%fives = broadcast(%five) axes=[:2, :1]\n"
     "%eps = constant dtype=f64 shape=scalar values=[1e-5]\n%epss = broadcast(%eps) axes=[:2, :1]\n"
     "%s = sum(%x) axes=[1] keep=axes\n%m = divide(%s, %fives)\n%mm = broadcast(%m) axes=[0, 1:5]\n"
     "%c = subtract(%x, %mm)\n%q = square(%c)\n%v = sum(%q) axes=[1] keep=axes\n%w = divide(%v, %fives)\n"
     "%u = add(%w, %epss)\n%r = sqrt(%u)\n%rr = broadcast(%r) axes=[0, 1:5]\n%n = divide(%c, %rr)\n"
     "%b = broadcast(%row) axes=[:2, 0]\n%y = multiply(%n, %b)"),
    ("matmul", lambda a, b: jnp.tanh(a @ b), ["2x3", "3x4"], "%p = matmul(%x, %row)\n%y = tanh(%p)"),
    ("matmul with a batch", lambda a, b: (a @ b) ** 2, ["2x3x2", "2x4"], "%p = matmul(%x, %row)\n%y = square(%p)"),
    ("matrix times vector", lambda a, b: jnp.sin(a @ b), ["3x2", "2"], "%p = matmul(%x, %row)\n%y = sin(%p)"),
    ("pairwise distances", lambda a, b: jnp.sqrt(((a[:, None] - b[None]) ** 2).sum(-1)), ["3x2", "4x2"],
     "%p = broadcast(%x) axes=[0, :4, 1]\n%q = broadcast(%row) axes=[:3, 0, 1]\n%d = squared_difference(%p, %q)\n"
     "%s = sum(%d) axes=[2] keep=nothing\n%y = sqrt(%s)"),
    ("erf and sigmoid", lambda x: jax.scipy.special.erf(x) * jax.nn.sigmoid(x), ["5"],
     "%e = erf(%x)\n%s = sigmoid(%x)\n%y = multiply(%e, %s)"),
    ("gelu", lambda x: jax.nn.gelu(x, approximate=False), ["5"], "%y = gelu(%x)"),
    ("softplus of swish", lambda x: jax.nn.softplus(jax.nn.silu(x)), ["5"],
     "%one = constant dtype=f64 shape=scalar values=[1.0]\n%ones = broadcast(%one) axes=[:5]\n"
     "%w = swish(%x, %ones)\n%y = softplus(%w)"),
    ("power", lambda a, b: jnp.exp(a) ** b, ["2x3", "3"],
     "%e = exp(%x)\n%b = broadcast(%row) axes=[:2, 0]\n%y = pow(%e, %b)"),
    ("atan2 and hypot", lambda a, b: jnp.arctan2(a, b) + jnp.hypot(a, b), ["2x3", "3"],
     "%b = broadcast(%row) axes=[:2, 0]\n%t = atan2(%x, %b)\n%h = hypot(%x, %b)\n%y = add(%t, %h)"),
    ("where", lambda a, b: jnp.where(a > b, a * b, jnp.cos(a)), ["2x3", "3"],
     "%b = broadcast(%row) axes=[:2, 0]\n%g = greater(%x, %b)\n%p = multiply(%x, %b)\n%c = cos(%x)\n%y = where(%g, %p, %c)"),
    ("maximum and minimum", lambda a, b: jnp.maximum(a, b) * jnp.minimum(a, 2 * b), ["2x3", "3"],
     "%b = broadcast(%row) axes=[:2, 0]\n%m = maximum(%x, %b)\n%t = add(%b, %b)\n%n = minimum(%x, %t)\n%y = multiply(%m, %n)"),
    ("max over an axis", lambda x: x.max(0) ** 2, ["3x4"], "%m = max(%x) axes=[0] keep=nothing\n%y = square(%m)"),
    ("product", lambda x: x.prod(1), ["2x4"], "%y = prod(%x) axes=[1] keep=nothing"),
    ("cumulative sum", lambda x: jnp.cumsum(x, 1) ** 2, ["2x4"],
     "%c = accumulate(%x) with=sum axis=1 direction=forward start=with\n%y = square(%c)"),
    ("rows by number", lambda x: jnp.exp(x[jnp.array([2, 0, 2])]), ["3x2"],
     "%i = constant dtype=i64 shape=3 values=[2, 0, 2]\n%t = take(%x, %i) axis=0\n%y = exp(%t)"),
    ("parts together", lambda a, b: jnp.concatenate([a[:, ::-2], b], 1) ** 3, ["2x3", "2x2"],
     "%p = slice(%x) index=[:, ::-2]\n%c = concatenate(%p, %row) axis=1\n%q = square(%c)\n%y = multiply(%q, %c)"),
    ("a turned matrix in another shape", lambda x: jnp.log1p(x.T.reshape(2, 6) ** 2), ["4x3"],
     "%t = transpose(%x) order=[1, 0]\n%r = reshape(%t) to=[2, 6]\n%q = square(%r)\n%y = log1p(%q)"),
    ("lgamma and cbrt", lambda x: jax.scipy.special.gammaln(jnp.exp(x)) + jnp.cbrt(x), ["5"],
     "%e = exp(%x)\n%l = lgamma(%e)\n%c = cbrt(%x)\n%y = add(%l, %c)"),
]


def text(array):
    return "[" + ", ".join(repr(float(n)) for n in np.asarray(array).ravel()) + "]"


def main():
    random = np.random.default_rng(7)
    for title, function, shapes, nodes in EXPRESSIONS:
        print(f"# {title}")
        names = ["x", "row"][: len(shapes)]
        arrays = [jnp.asarray(random.uniform(-1.5, 1.5, [int(n) for n in shape.split("x")])) for shape in shapes]
        gradients = jax.grad(lambda *args: function(*args).sum(), argnums=tuple(range(len(arrays))))(*arrays)
        for name, shape in zip(names, shapes):
            print(f'%{name} = input "{name}" dtype=f64 shape={shape}')
        print(nodes)
        print('output "y" = %y')
        for name, array, gradient in zip(names, arrays, gradients):
            print(f"{name} = {text(array)}\nd {name} = {text(gradient)}")
        print()


if __name__ == "__main__":
    sys.exit(main())
