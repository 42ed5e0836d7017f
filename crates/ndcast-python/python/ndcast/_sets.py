"""The four functions of different elements: the parts that each names of what is found."""

from typing import NamedTuple

from ._native import Array, different, different_values, unique


class UniqueAll(NamedTuple):
    """The different elements, where each is first, the number of each element among them, how often each is there."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple):
    """The different elements, and how often each is there."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple):
    """The different elements, and the number of each element among them."""

    values: Array
    inverse_indices: Array


def unique_all(x, /):
    """The different elements, in order, and all that is to be known of them.

    >>> import ndcast
    >>> ndcast.unique_all(ndcast.asarray([3, 1, 3])).indices
    Array([1, 0])
    """
    return UniqueAll(*unique(x))


def unique_counts(x, /):
    """The different elements, in order, and how often each is there.

    >>> import ndcast
    >>> ndcast.unique_counts(ndcast.asarray([3, 1, 3])).counts
    Array([1, 2])
    """
    return UniqueCounts(*different(x))


def unique_inverse(x, /):
    """The different elements, in order, and the number of each element among them.

    >>> import ndcast
    >>> ndcast.unique_inverse(ndcast.asarray([3, 1, 3])).inverse_indices
    Array([1, 0, 1])
    """
    values, _, inverse, _ = unique(x)
    return UniqueInverse(values, inverse)


def unique_values(x, /):
    """The different elements, in order.

    >>> import ndcast
    >>> ndcast.unique_values(ndcast.asarray([3, 1, 3]))
    Array([1, 3])
    """
    return different_values(x)
