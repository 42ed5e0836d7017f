"""What a broadcasting rule does with shapes: as text, as a drawing in a notebook, and as fields."""

import html
from collections.abc import Sequence

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
        raise AttributeError(f"{type(self).__name__} has no {name}; it has {', '.join(self._FIELDS)}")

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


class Broadcast(Explanation):
    """One broadcast of a model: what an Explanation has, and whose it is.

    `node` is what the model's file calls the node that needs it, `operation` what that does with what is broadcast (None if it
    only broadcasts), `line` where the file says it if that is a text, and `dtype` what the operands hold (None if NumPy has no
    such type: `ml_dtypes` adds some). `bytes` has what is `read` of each operand, what one copy to the result's shape would take
    (`written`), and copies of all operands that are not read as they are (`materialised`); what is not known is None.
    """

    _FIELDS = ("title", "node", "operation", "line", "dtype", "bytes", *Explanation._FIELDS)


class ModelExplanation(Sequence):
    """Every broadcast of a model, in order. It prints as pictures, and is drawn in notebooks.

    `total` says how many there are, and what copies of all would take.
    """

    def __init__(self, entries, total, text):
        self._broadcasts = tuple(Broadcast(one) for one in entries)
        self.total = total
        self._text = text

    def __getitem__(self, place):
        return self._broadcasts[place]

    def __len__(self):
        return len(self._broadcasts)

    def __str__(self):
        pictures = [f"{one.title}\n{one._entries[self._text]}" for one in self]
        return "\n".join([*pictures, f"{self.total}\n"])

    def __repr__(self):
        return str(self).rstrip("\n")

    def _repr_html_(self):
        drawn = [f"<h4>{html.escape(one.title)}</h4>{one._repr_html_()}" for one in self]
        return "".join([*drawn, f"<p>{html.escape(self.total)}</p>"])
