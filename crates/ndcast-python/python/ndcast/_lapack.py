"""The functions of the extension `linalg` that take matrices apart. NumPy computes them, with LAPACK.

Nothing in them broadcasts that NumPy would not do as well, so they are here for those who expect the whole extension.
"""

import numpy as np

from ._errors import ArrayError, DTypeError
from ._native import Array, asarray


def _ours(result):
    """NumPy's result, also one of several parts, as arrays in memory of their own."""
    if isinstance(result, tuple):
        parts = map(_ours, result)
        return type(result)._make(parts) if hasattr(result, "_make") else tuple(parts)
    return asarray(result, copy=True)


def _theirs(x, name):
    if not isinstance(x, (Array, np.ndarray)):
        raise TypeError(f"an array is expected here, not a {type(x).__name__}; asarray() makes an array of lists")
    try:
        theirs = np.asarray(x)
        # LAPACK has none of them, and NumPy would take these for others.
        if theirs.dtype.kind == "V" or theirs.dtype.itemsize < 4 and theirs.dtype.kind == "f":
            raise DTypeError(f"linalg.{name} takes no elements of type {theirs.dtype}; astype() makes others of them")
        return theirs
    except ArrayError as error:
        if error.kind != "watched":
            raise
        text = f"linalg.{name} has no gradient: NumPy computes it; ndcast.stop_gradient makes its argument a constant"
        raise ArrayError(text, "watched") from None


def cholesky(x, /, *, upper=False):
    """The triangular matrix whose product with its adjoint is the given one.

    >>> import ndcast
    >>> ndcast.linalg.cholesky(ndcast.asarray([[4.0, 0.0], [0.0, 9.0]]))
    Array([[2., 0.],
           [0., 3.]])
    """
    return _ours(np.linalg.cholesky(_theirs(x, "cholesky"), upper=upper))


def det(x, /):
    """The determinant.

    >>> import ndcast
    >>> ndcast.linalg.det(ndcast.asarray([[2.0, 0.0], [0.0, 3.0]]))
    Array(6.)
    """
    return _ours(np.linalg.det(_theirs(x, "det")))


def eig(x, /):
    """The eigenvalues and eigenvectors, which are complex.

    >>> import ndcast
    >>> ndcast.linalg.eig(ndcast.asarray([[0.0, -1.0], [1.0, 0.0]])).eigenvalues
    Array([0.+1.j, 0.-1.j])
    """
    values, vectors = np.linalg.eig(_theirs(x, "eig"))
    # NumPy gives real ones where all are.
    kind = np.result_type(values.dtype, np.complex64)
    return _EIG(asarray(values.astype(kind)), asarray(vectors.astype(kind)))


_EIG = type(np.linalg.eig(np.eye(1)))


def eigh(x, /):
    """The eigenvalues and eigenvectors of a symmetric or Hermitian matrix.

    >>> import ndcast
    >>> ndcast.linalg.eigh(ndcast.asarray([[3.0, 0.0], [0.0, 2.0]])).eigenvalues
    Array([2., 3.])
    """
    return _ours(np.linalg.eigh(_theirs(x, "eigh")))


def eigvals(x, /):
    """The eigenvalues, which are complex.

    >>> import ndcast
    >>> ndcast.linalg.eigvals(ndcast.asarray([[0.0, -4.0], [1.0, 0.0]]))
    Array([0.+2.j, 0.-2.j])
    """
    values = np.linalg.eigvals(_theirs(x, "eigvals"))
    return asarray(values.astype(np.result_type(values.dtype, np.complex64)))


def eigvalsh(x, /):
    """The eigenvalues of a symmetric or Hermitian matrix.

    >>> import ndcast
    >>> ndcast.linalg.eigvalsh(ndcast.asarray([[3.0, 0.0], [0.0, 2.0]]))
    Array([2., 3.])
    """
    return _ours(np.linalg.eigvalsh(_theirs(x, "eigvalsh")))


def inv(x, /):
    """The inverse.

    >>> import ndcast
    >>> ndcast.linalg.inv(ndcast.asarray([[2.0, 0.0], [0.0, 4.0]]))
    Array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return _ours(np.linalg.inv(_theirs(x, "inv")))


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """The norm of matrices: Frobenius' one, the sum of the singular values (`"nuc"`), or an operator norm.

    >>> import ndcast
    >>> ndcast.linalg.matrix_norm(ndcast.asarray([[3.0, 0.0], [0.0, 4.0]]))
    Array(5.)
    """
    return _ours(np.linalg.matrix_norm(_theirs(x, "matrix_norm"), keepdims=keepdims, ord=ord))


def matrix_power(x, n, /):
    """The product of a matrix with itself so many times, of its inverse if they are negative.

    >>> import ndcast
    >>> ndcast.linalg.matrix_power(ndcast.asarray([[1, 1], [0, 1]]), 3)
    Array([[1, 3],
           [0, 1]])
    """
    return _ours(np.linalg.matrix_power(_theirs(x, "matrix_power"), n))


def matrix_rank(x, /, *, rtol=None):
    """How many singular values are not about 0.

    >>> import ndcast
    >>> ndcast.linalg.matrix_rank(ndcast.ones((3, 3)))
    Array(1)
    """
    x = _theirs(x, "matrix_rank")
    return _ours(np.asarray(np.linalg.matrix_rank(x) if rtol is None else np.linalg.matrix_rank(x, rtol=np.asarray(rtol))))


def pinv(x, /, *, rtol=None):
    """The pseudo-inverse.

    >>> import ndcast
    >>> ndcast.linalg.pinv(ndcast.asarray([[2.0, 0.0], [0.0, 4.0]]))
    Array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    x = _theirs(x, "pinv")
    return _ours(np.linalg.pinv(x) if rtol is None else np.linalg.pinv(x, rtol=np.asarray(rtol)))


def qr(x, /, *, mode="reduced"):
    """An orthonormal and an upper triangular matrix whose product is the given one.

    >>> import ndcast
    >>> q, r = ndcast.linalg.qr(ndcast.asarray([[0.0, 2.0], [3.0, 4.0]]))
    >>> ndcast.matmul(q, r)
    Array([[0., 2.],
           [3., 4.]])
    """
    return _ours(np.linalg.qr(_theirs(x, "qr"), mode=mode))


def slogdet(x, /):
    """The sign of the determinant and the logarithm of its absolute value.

    >>> import ndcast
    >>> ndcast.linalg.slogdet(ndcast.asarray([[0.0, 1.0], [1.0, 0.0]])).sign
    Array(-1.)
    """
    return _ours(np.linalg.slogdet(_theirs(x, "slogdet")))


def solve(x1, x2, /):
    """What the first, multiplied by it, gives the second; that is a vector only if it has one axis.

    >>> import ndcast
    >>> ndcast.linalg.solve(ndcast.asarray([[2.0, 0.0], [0.0, 4.0]]), ndcast.asarray([2.0, 2.0]))
    Array([1. , 0.5])
    """
    return _ours(np.linalg.solve(_theirs(x1, "solve"), _theirs(x2, "solve")))


def svd(x, /, *, full_matrices=True):
    """Two orthonormal matrices with the singular values between them.

    >>> import ndcast
    >>> ndcast.linalg.svd(ndcast.asarray([[0.0, 2.0], [1.0, 0.0]])).S
    Array([2., 1.])
    """
    return _ours(np.linalg.svd(_theirs(x, "svd"), full_matrices=full_matrices))


def svdvals(x, /):
    """The singular values, the greatest first.

    >>> import ndcast
    >>> ndcast.linalg.svdvals(ndcast.asarray([[0.0, 2.0], [1.0, 0.0]]))
    Array([2., 1.])
    """
    return _ours(np.linalg.svdvals(_theirs(x, "svdvals")))
