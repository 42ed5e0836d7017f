"""What a broadcasting rule does with shapes: as text, as a drawing in a notebook, and as fields."""

from . import _native


def rules():
    """The names of the rules of all dialects, with what each does.

    >>> import ndcast
    >>> ndcast.rules()["array-api"]
    'operands of an elementwise function, last axis on last axis, extents of 1 stretch'
    """
    return dict(_native.rules())


def explain(rule, *shapes, target=None, axes=None, axis=None, index=None, dtype=None):
    """What a rule does with these shapes, or why it does not and what would work.

    A shape is a tuple, in which None is an extent that is not known and a text is a name or an interval; a text such as
    `"8x1x6"`; or an array.

    >>> import ndcast
    >>> answer = ndcast.explain("xla.binary", (4,), (1, 2), axes=[0])
    >>> answer.shape, answer.operands
    ((4, 2), [[0, None], [{'stretch': 0}, 1]])
    >>> ndcast.explain("array-api", (3,), (4,)).kind
    'extent-mismatch'
    """
    return Explanation(
        _native.explain(rule, shapes, target=target, axes=axes, axis=axis, index=index, dtype=dtype)
    )


class Explanation:
    """What a rule does with shapes. It prints as a picture, and is drawn in notebooks.

    `ok` says whether they broadcast; then there are `shape` and `operands`, which has for each operand and each axis of the
    result the operand's axis that walks along it, None for an axis that it does not have, or `{"stretch": axis}`, and
    `elsewhere`, how other dialects write it: pairs of a dialect and lines. If they do not, there are `kind`, `message`,
    `facts` and `suggestions`. What there is not is None.
    """

    _FIELDS = ("rule", "summary", "shapes", "ok", "shape", "operands", "elsewhere", "kind", "message", "facts", "suggestions", "text")

    def __init__(self, entries):
        self._entries = entries

    def __getattr__(self, name):
        if name in self._FIELDS:
            return self._entries.get(name)
        raise AttributeError(f"an Explanation has no {name}; it has {', '.join(self._FIELDS)}")

    def __dir__(self):
        return sorted([*self._FIELDS, *super().__dir__()])

    def __bool__(self):
        return self.ok

    def __str__(self):
        return self.text

    def __repr__(self):
        return self.text.rstrip("\n")

    def _repr_html_(self):
        return self._entries["html"]
