"""What the Array API says of broadcasting and its official test suite does not look at, as checks of any namespace.

Each check is a function of a namespace that raises `AssertionError`, or whatever the namespace raises, if it does not do what
the standard says. The suite draws only shapes that broadcast, never extents of 0 for operators, no values of `broadcast_to`
and `broadcast_arrays`, and no assignment that broadcasts; so libraries that are wrong there pass it.

A check says how binding the clause behind it is: `must`, `should`, or `choice` where the standard leaves it open and libraries
differ.
"""

from dataclasses import dataclass
from typing import Any, Callable

CHECKS: list["Check"] = []


@dataclass
class Check:
    """One check: its name, its group, how binding the clause is, and the function."""

    name: str
    group: str
    level: str
    function: Callable[[Any], None]

    @property
    def text(self):
        return (self.function.__doc__ or "").strip().splitlines()[0]


def check(group, level="must"):
    def add(function):
        CHECKS.append(Check(function.__name__, group, level, function))
        return function

    return add


def values(array):
    """The elements as nested lists of Python's numbers, by indices alone."""
    if array.ndim == 0:
        kind = complex if "complex" in str(array.dtype) else float
        return kind(array)
    return [values(array[n, ...]) for n in range(array.shape[0])]


def counted(xp, shape, start=0):
    """An array whose elements are different numbers."""
    size = 1
    for extent in shape:
        size *= extent
    return xp.reshape(xp.arange(start, start + size, dtype=xp.float64), shape)


def definition(shape, operands):
    """The value at each place of a broadcast, straight from the definition: a list of what each operand has there."""

    def at(operand, place):
        own = place[len(place) - operand.ndim :]
        return float(operand[tuple(0 if n == 1 else i for i, n in zip(own, operand.shape))])

    def places(left):
        return [()] if not left else [(i, *rest) for i in range(left[0]) for rest in places(left[1:])]

    return {place: [at(operand, place) for operand in operands] for place in places(shape)}


def read(array, place):
    return float(array[place]) if place else float(array)


def refuses(what, *exceptions):
    """The namespace raises, at the latest when the result is looked at."""
    try:
        result = what()
        for array in result if isinstance(result, (tuple, list)) else (result,):
            if hasattr(array, "shape"):
                values(array)
    except exceptions or Exception:
        return
    raise AssertionError(f"it is accepted, and gives {result!r}")


# The page's own examples, and extents of 0.
SHAPES = [
    ((8, 1, 6, 1), (7, 1, 5), (8, 7, 6, 5)),
    ((5, 4), (1,), (5, 4)),
    ((5, 4), (4,), (5, 4)),
    ((15, 3, 5), (15, 1, 5), (15, 3, 5)),
    ((15, 3, 5), (3, 5), (15, 3, 5)),
    ((15, 3, 5), (3, 1), (15, 3, 5)),
    ((), (2, 3), (2, 3)),
    ((2, 1), (1, 3), (2, 3)),
]
EMPTY = [
    ((0,), (1,), (0,)),
    ((1,), (0,), (0,)),
    ((0,), (), (0,)),
    ((0, 5), (1, 5), (0, 5)),
    ((3, 0), (1,), (3, 0)),
    ((0, 1), (1, 4), (0, 4)),
    ((2, 0, 1), (0, 3), (2, 0, 3)),
]
CLASHES = [((3,), (4,)), ((2, 1), (8, 4, 3)), ((15, 3, 5), (15, 3)), ((0,), (2,)), ((2, 0), (3,)), ((2, 3), (3, 2))]


@check("operators")
def operators_give_the_definitions_values(xp):
    """`+` gives at every place what the definition says, for the examples of the page."""
    for left, right, shape in SHAPES:
        a, b = counted(xp, left), counted(xp, right, 1000)
        result = a + b
        assert tuple(result.shape) == shape, (left, right, result.shape)
        if len(shape) < 4:
            for place, (x, y) in definition(shape, (a, b)).items():
                assert read(result, place) == x + y, (left, right, place)


@check("operators")
def operators_of_extent_0(xp):
    """0 against 1 gives 0: `+`, `<`, `==` and a function."""
    for left, right, shape in EMPTY:
        a, b = xp.ones(left), xp.ones(right)
        for result in (a + b, b + a, a < b, a == b, xp.maximum(a, b), xp.where(a > b, a, b)):
            assert tuple(result.shape) == shape, (left, right, result.shape)


@check("operators")
def operators_refuse_what_does_not_broadcast(xp):
    """Shapes that do not broadcast are refused in either order, and never computed."""
    for left, right in CLASHES:
        a, b = xp.ones(left), xp.ones(right)
        refuses(lambda: a + b)
        refuses(lambda: b * a)
        refuses(lambda: xp.maximum(a, b))
        refuses(lambda: xp.where(a > 0, a, b))


@check("operators", "should")
def they_are_refused_with_a_value_error(xp):
    """The error is a ValueError."""
    for left, right in CLASHES:
        refuses(lambda: xp.ones(left) + xp.ones(right), ValueError)


@check("operators")
def three_operands_in_any_order(xp):
    """`where` and `clip` broadcast all three; the result of `clip` may be larger than its first argument."""
    condition = xp.reshape(xp.asarray([True, False]), (2, 1))
    result = xp.where(condition, counted(xp, (3,)), counted(xp, (1, 1), 50))
    assert values(result) == [[0, 1, 2], [50, 50, 50]]
    clipped = xp.clip(counted(xp, (3,)), xp.reshape(xp.asarray([0.5, 1.5]), (2, 1)), 1.75)
    assert values(clipped) == [[0.5, 1, 1.75], [1.5, 1.5, 1.75]]


@check("operators")
def high_ranks(xp):
    """Arrays of eight axes broadcast."""
    a, b = xp.ones((2, 1) * 4), xp.ones((1, 2) * 4)
    assert tuple((a + b).shape) == (2,) * 8


@check("operators")
def arrays_without_axes_promote(xp):
    """An array without axes takes part in promotion as any other."""
    assert (xp.ones(2, dtype=xp.float32) + xp.ones((), dtype=xp.float64)).dtype == xp.float64
    assert (xp.ones(2, dtype=xp.int8) + xp.ones((), dtype=xp.int32)).dtype == xp.int32


@check("broadcast_to")
def broadcast_to_gives_values(xp):
    """Every element of `broadcast_to` is the definition's, in the type of the operand."""
    for own, shape in [((3,), (2, 3)), ((2, 1), (2, 3)), ((), (2, 2)), ((1, 3, 1), (2, 3, 2)), ((1,), (4,))]:
        a = counted(xp, own)
        result = xp.broadcast_to(a, shape)
        assert tuple(result.shape) == shape and result.dtype == a.dtype
        for place, (x,) in definition(shape, (a,)).items():
            assert read(result, place) == x, (own, shape, place)


@check("broadcast_to")
def broadcast_to_is_one_way(xp):
    """The shape stays what it is: no axis of it stretches, none is added, none is left out."""
    for own, shape in [((2, 2), (2, 1, 2)), ((3,), (1,)), ((1,), ()), ((0,), (1,)), ((2, 3), (3,)), ((1, 3), (3,)), ((2,), (4,))]:
        refuses(lambda: xp.broadcast_to(xp.ones(own), shape))


@check("broadcast_to")
def broadcast_to_of_extent_0(xp):
    """1 stretches to 0, and 0 stays."""
    for own, shape in [((1,), (0,)), ((0,), (0,)), ((3, 1), (3, 0)), ((0, 3), (2, 0, 3)), ((), (0,))]:
        assert tuple(xp.broadcast_to(xp.ones(own), shape).shape) == shape


@check("broadcast_arrays")
def broadcast_arrays_gives_values_and_types(xp):
    """Each array has its own elements and its own type, in the common shape."""
    a, b = counted(xp, (2, 1)), xp.asarray([10, 20, 30], dtype=xp.int32)
    wide = xp.broadcast_arrays(a, b)
    assert [tuple(one.shape) for one in wide] == [(2, 3), (2, 3)]
    assert wide[0].dtype == a.dtype and wide[1].dtype == b.dtype
    assert values(wide[0]) == [[0, 0, 0], [1, 1, 1]] and values(wide[1]) == [[10, 20, 30]] * 2


@check("broadcast_arrays")
def broadcast_arrays_is_a_tuple(xp):
    """The result is a tuple, since 2025.12."""
    assert isinstance(xp.broadcast_arrays(xp.ones(2), xp.ones(1)), tuple)


@check("broadcast_arrays")
def broadcast_arrays_refuses(xp):
    """Arrays that do not broadcast are refused."""
    for left, right in CLASHES:
        refuses(lambda: xp.broadcast_arrays(xp.ones(left), xp.ones(right)))


@check("broadcast_arrays")
def broadcast_shapes_folds(xp):
    """`broadcast_shapes` of none is `()`, and of several what operators give."""
    assert tuple(xp.broadcast_shapes()) == ()
    assert tuple(xp.broadcast_shapes((2, 1), (1, 3), (4, 1, 1))) == (4, 2, 3)
    for left, right, shape in SHAPES + EMPTY:
        assert tuple(xp.broadcast_shapes(left, right)) == shape
    for left, right in CLASHES:
        refuses(lambda: xp.broadcast_shapes(left, right), ValueError)


@check("in place")
def in_place_keeps_the_shape(xp):
    """`x += y` never changes the shape of x: it is refused."""
    for left, right in [((1, 3), (2, 3)), ((), (1,)), ((3,), (1, 3)), ((1,), (0,)), ((3,), (4,))]:
        x, y = xp.ones(left), xp.ones(right)

        def change():
            z = x
            z += y
            assert tuple(z.shape) != tuple(left), "it is accepted and keeps the shape"
            raise AssertionError(f"x of shape {left} has become {tuple(z.shape)}")

        try:
            change()
        except AssertionError:
            raise
        except Exception:  # noqa: BLE001
            pass
        assert tuple(x.shape) == left


@check("in place")
def in_place_broadcasts_the_right_side(xp):
    """`x += y` is `x[...] = x + y`, with y broadcast to x."""
    for right in [(3,), (2, 1), (1,), (), (1, 3), (2, 3)]:
        x, y = counted(xp, (2, 3)), counted(xp, right, 10)
        expected = values(x + y)
        x += y
        assert values(x) == expected, right


@check("in place")
def in_place_of_extent_0(xp):
    """An array without elements may be changed in place by anything that broadcasts to it."""
    for right in [(), (1,), (0, 1), (0, 3), (1, 3)]:
        x = xp.ones((0, 3))
        x += xp.ones(right)
        assert tuple(x.shape) == (0, 3)


@check("in place")
def in_place_reads_the_right_side_first(xp):
    """The two sides may overlap."""
    x = counted(xp, (5,))
    x += xp.flip(x)
    assert values(x) == [4] * 5
    x = counted(xp, (5,))
    x += x[::-1]
    assert values(x) == [4] * 5


@check("in place")
def in_place_product_of_matrices(xp):
    """`x @= y` changes x, and does not change its shape."""
    x = counted(xp, (2, 2))
    x @= xp.asarray([[0.0, 1.0], [1.0, 0.0]])
    assert values(x) == [[1, 0], [3, 2]]
    refused = xp.ones((2, 2))
    try:
        refused @= xp.ones((2, 3))
    except Exception:  # noqa: BLE001
        return
    raise AssertionError(f"the shape has become {tuple(refused.shape)}")


@check("assignment")
def assignment_broadcasts(xp):
    """The page's example that is allowed: `x[...] = a`, of (1, 3, 4) into (2, 3, 4); and others."""
    x = xp.zeros((2, 3, 4))
    x[...] = counted(xp, (1, 3, 4))
    assert values(x[1, ...]) == values(counted(xp, (3, 4)))
    x[0, :, :] = counted(xp, (4,), 100)
    assert values(x[0, 2, :]) == [100, 101, 102, 103]
    x[:, 1:, 0] = xp.reshape(counted(xp, (2,), 7), (2, 1))
    assert values(x[:, 1:, 0]) == [[7, 7], [8, 8]]
    x[1, 1, 1] = xp.asarray(-1.0)
    assert float(x[1, 1, 1]) == -1


@check("assignment", "should")
def assignment_refuses_surplus_axes(xp):
    """The page's example that is not allowed: `x[1, ...] = a`, of (1, 3, 4) into (3, 4)."""
    x, a = xp.zeros((2, 3, 4)), xp.ones((1, 3, 4))
    try:
        x[1, ...] = a
    except Exception:  # noqa: BLE001
        assert float(xp.sum(x)) == 0
        return
    raise AssertionError("it is accepted")


@check("assignment")
def assignment_refuses_what_does_not_broadcast(xp):
    """A value that does not broadcast to what is indexed is refused, and nothing changes."""
    x = xp.zeros((2, 3))
    for index, shape in [((0, ...), (2,)), ((..., 0), (3,)), ((slice(None), slice(1, 2)), (2, 3)), ((...,), (2, 2, 3))]:
        try:
            x[index] = xp.ones(shape)
        except Exception:  # noqa: BLE001
            assert float(xp.sum(x)) == 0
            continue
        raise AssertionError(f"{shape} is accepted for {index}")


@check("assignment")
def assignment_of_nothing(xp):
    """What is indexed may have no elements; the value must broadcast to it all the same."""
    x = counted(xp, (3,))
    x[1:1] = xp.ones((0,))
    x[1:1] = xp.ones((1,))
    assert values(x) == [0, 1, 2]
    refuses_two = xp.zeros((3,))
    try:
        refuses_two[1:1] = xp.ones((2,))
    except Exception:  # noqa: BLE001
        return
    raise AssertionError("two elements are accepted for none")


@check("assignment")
def assignment_reads_the_value_first(xp):
    """The value may overlap what is assigned."""
    x = counted(xp, (5,))
    x[1:] = x[:-1]
    assert values(x) == [0, 0, 1, 2, 3]
    x = counted(xp, (5,))
    x[:] = x[::-1]
    assert values(x) == [4, 3, 2, 1, 0]


@check("assignment")
def assignment_by_mask(xp):
    """A mask takes one value for all; one of another shape is an IndexError."""
    x = counted(xp, (2, 3))
    x[x > 2] = -1.0
    assert values(x) == [[0, 1, 2], [-1, -1, -1]]
    refuses(lambda: x[xp.asarray([True, False, True])], IndexError)


@check("assignment", "choice")
def broadcast_views_are_not_written(xp):
    """What `broadcast_to` gives is either refused to be written, or a value of its own."""
    x = xp.zeros((1,))
    wide = xp.broadcast_to(x, (3,))
    try:
        wide[0] = 5.0
    except Exception:  # noqa: BLE001
        assert values(x) == [0]
        return
    assert values(wide) == [5, 0, 0] and values(x) == [0], f"one write is seen at {values(wide)}, and in {values(x)}"


@check("products")
def matmul_broadcasts_batches_alone(xp):
    """Only the axes before the last two broadcast; the contracted ones do not stretch."""
    a, b = counted(xp, (2, 1, 2, 3)), counted(xp, (4, 3, 2))
    result = a @ b
    assert tuple(result.shape) == (2, 4, 2, 2)
    assert values(result[1, 2, ...]) == values(a[1, 0, ...] @ b[2, ...])
    refuses(lambda: xp.ones((3, 1)) @ xp.ones((3, 4)))
    refuses(lambda: xp.ones((2, 3)) @ xp.ones((1, 4)))
    refuses(lambda: xp.ones((2, 2, 3)) @ xp.ones((3, 3, 2)))
    refuses(lambda: xp.ones(()) @ xp.ones((2,)))


@check("products")
def matmul_of_extent_0(xp):
    """Of nothing the product is 0; batches of 0 are kept."""
    assert values(xp.ones((2, 0)) @ xp.ones((0, 3))) == [[0, 0, 0], [0, 0, 0]]
    assert float(xp.ones((0,)) @ xp.ones((0,))) == 0
    assert tuple((xp.ones((0, 2, 3)) @ xp.ones((1, 3, 4))).shape) == (0, 2, 4)


@check("products")
def vecdot_stretches_no_vectors(xp):
    """The axis of the vectors is not stretched; the others are."""
    a, b = counted(xp, (2, 1, 3)), counted(xp, (4, 3))
    result = xp.vecdot(a, b)
    assert tuple(result.shape) == (2, 4)
    assert float(result[1, 3]) == sum(float(a[1, 0, k]) * float(b[3, k]) for k in range(3))
    refuses(lambda: xp.vecdot(xp.ones((2, 3)), xp.ones((2, 1))))


@check("products")
def tensordot_stretches_nothing(xp):
    """Axes that are contracted have equal extents."""
    assert tuple(xp.tensordot(xp.ones((2, 3)), xp.ones((3, 4)), axes=1).shape) == (2, 4)
    refuses(lambda: xp.tensordot(xp.ones((2, 3)), xp.ones((1, 4)), axes=1))


@check("taking")
def take_along_axis_broadcasts(xp):
    """The other axes of the array and of the indices broadcast, in both directions."""
    x = counted(xp, (2, 3))
    result = xp.take_along_axis(x, xp.asarray([[2, 0]]), axis=1)
    assert values(result) == [[2, 0], [5, 3]]
    row = counted(xp, (1, 3))
    assert values(xp.take_along_axis(row, xp.asarray([[2], [0]]), axis=1)) == [[2], [0]]


@check("taking")
def integer_indices_broadcast(xp):
    """Integer arrays that cover all axes are broadcast together, integers too."""
    x = counted(xp, (3, 4))
    assert values(x[xp.asarray([[0], [2]]), xp.asarray([1, 3])]) == [[1, 3], [9, 11]]
    assert values(x[1, xp.asarray([0, 3])]) == [4, 7]


@check("taking")
def meshgrid_is_a_broadcast(xp):
    """Grids have the values of the lines they are made of, in either indexing."""
    grids = xp.meshgrid(counted(xp, (2,)), counted(xp, (3,), 10), indexing="ij")
    assert isinstance(grids, tuple)
    assert values(grids[0]) == [[0, 0, 0], [1, 1, 1]] and values(grids[1]) == [[10, 11, 12]] * 2


@check("reductions")
def kept_axes_broadcast_back(xp):
    """With `keepdims` the result broadcasts with what it was made of."""
    x = counted(xp, (2, 3, 4))
    for axis in (0, -1, (0, 2), (0, 1, 2), ()):
        total = xp.sum(x, axis=axis, keepdims=True)
        assert tuple((x - total).shape) == (2, 3, 4), axis


@check("reductions")
def folds_of_nothing(xp):
    """The sum of nothing is 0, the product 1, `any` False and `all` True, along an axis of extent 0."""
    x = xp.ones((2, 0))
    assert values(xp.sum(x, axis=1)) == [0, 0] and values(xp.prod(x, axis=1)) == [1, 1]
    assert [bool(n) for n in values(xp.any(x, axis=1))] == [False] * 2
    assert [bool(n) for n in values(xp.all(x, axis=1))] == [True] * 2
    assert tuple(xp.sum(x, axis=0).shape) == (0,)
