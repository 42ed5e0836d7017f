"""The extension's functions that take matrices apart, beside NumPy's."""

import numpy as np
import pytest

import ndcast as xp

A = np.random.default_rng(0).random((2, 3, 3)) + 3 * np.eye(3)
S = A @ A.swapaxes(1, 2)
B = np.random.default_rng(1).random((2, 3, 2))

CALLS = {
    "cholesky": (S,),
    "det": (A,),
    "eigh": (S,),
    "eigvalsh": (S,),
    "inv": (A,),
    "matrix_norm": (A,),
    "matrix_power": (A, 3),
    "matrix_rank": (A,),
    "pinv": (B,),
    "qr": (B,),
    "slogdet": (A,),
    "solve": (A, B),
    "svd": (B,),
    "svdvals": (B,),
}


def parts(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("name", CALLS)
def test_values_are_numpys(name):
    ours = getattr(xp.linalg, name)(*(xp.asarray(x) if isinstance(x, np.ndarray) else x for x in CALLS[name]))
    theirs = getattr(np.linalg, name)(*CALLS[name])
    assert getattr(ours, "_fields", None) == getattr(theirs, "_fields", None)
    for one, other in zip(parts(ours), parts(theirs), strict=True):
        assert isinstance(one, xp.Array) and one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
        # Its memory is its own: to change it changes nothing else, and it is lazy as others are.
        one += 1


@pytest.mark.parametrize("mode", ["reduced", "complete", "r", "raw"])
def test_every_mode_of_qr_gives_what_numpy_gives(mode):
    ours, theirs = xp.linalg.qr(xp.asarray(B), mode=mode), np.linalg.qr(B, mode=mode)
    assert getattr(ours, "_fields", None) == getattr(theirs, "_fields", None)
    for one, other in zip(parts(ours), parts(theirs), strict=True):
        assert isinstance(one, xp.Array)
        np.testing.assert_array_equal(one, other)


def test_eigenvalues_are_complex():
    values, vectors = xp.linalg.eig(xp.asarray(A))
    assert values.dtype == vectors.dtype == xp.linalg.eigvals(xp.asarray(A)).dtype == xp.complex128
    np.testing.assert_allclose(xp.asarray(A.astype(complex)) @ vectors, vectors * values[:, None, :], atol=1e-12)


def test_what_does_not_fit_is_an_error():
    with pytest.raises(ValueError, match="ingular"):
        xp.linalg.inv(xp.zeros((2, 2)))
    with pytest.raises(TypeError, match="an array is expected here, not a list"):
        xp.linalg.det([[1.0]])
    with pytest.raises(xp.ArrayError, match="linalg.det has no gradient"):
        xp.grad(lambda x: xp.linalg.det(x))(np.eye(2))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_norms_of_nothing(shape):
    for order in (np.inf, 2, 1, 0):
        ours = xp.linalg.vector_norm(xp.zeros(shape), axis=0, ord=order)
        np.testing.assert_array_equal(np.asarray(ours), np.linalg.norm(np.zeros(shape), axis=0, ord=order))
    if shape[0] == 0:
        with pytest.raises(ValueError, match="axis 0 has extent 0"):
            xp.linalg.vector_norm(xp.zeros(shape), axis=0, ord=-np.inf)
