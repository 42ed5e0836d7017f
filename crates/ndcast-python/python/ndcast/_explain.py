"""What a broadcasting rule does with shapes: as text, as a drawing in a notebook, and as fields."""

from html import escape

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
    result the operand's axis that walks along it, None for an axis that it does not have, or `{"stretch": axis}`. If they
    do not, there are `kind`, `message`, `facts` and `suggestions`.
    """

    def __init__(self, entries):
        self._entries = entries

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self._entries.get(name)

    def __dir__(self):
        return sorted({"rule", "ok", "shapes", "shape", "operands", "kind", "message", "facts", "text", *self._entries})

    def __bool__(self):
        return self.ok

    def __str__(self):
        return self.text

    def __repr__(self):
        return self.text.rstrip("\n")

    def _repr_html_(self):
        return _drawing(self)


_STYLE = """
.ndcast{font:13px/1.5 system-ui,sans-serif;color:#1c2430;max-width:60em}
.ndcast table{border-collapse:separate;border-spacing:3px;margin:.6em 0;background:none;font:inherit}
.ndcast td,.ndcast th{min-width:2.6em;padding:.3em .5em;text-align:center;border:0;background:none;
font-variant-numeric:tabular-nums}
.ndcast th{font-weight:400;color:#6b7684;text-align:left;white-space:nowrap}
.ndcast thead th{text-align:center;font-size:11px;padding-bottom:0}
.ndcast .walk{background:#d8e6f7;border-radius:4px}
.ndcast .result{background:#1f4e8c;color:#fff;border-radius:4px;font-weight:600}
.ndcast .stretch{background:#fde6c4;border-radius:4px}
.ndcast .new{border:1px dashed #b8c1cc;border-radius:4px;color:#8a94a1}
.ndcast .open{background:#ead9f2;border-radius:4px}
.ndcast .clash{background:#f6c9c6;border-radius:4px;font-weight:600;outline:2px solid #c4352b}
.ndcast .head{font-weight:600}.ndcast .bad{color:#b3261e}.ndcast .good{color:#1d6b3a}
.ndcast .quiet{color:#6b7684}.ndcast code{font-size:12px;background:#f2f4f7;padding:.1em .35em;border-radius:3px}
.ndcast pre{margin:.1em 0;font-size:12px;background:#f2f4f7;padding:.3em .6em;border-radius:4px;white-space:pre-wrap}
@media (prefers-color-scheme:dark){.ndcast{color:#e4e8ee}.ndcast th,.ndcast .quiet{color:#9aa5b3}
.ndcast .walk,.ndcast .stretch,.ndcast .open,.ndcast .clash{color:#1c2430}
.ndcast code,.ndcast pre{background:#2a303a}.ndcast .bad{color:#ff8a80}.ndcast .good{color:#7bd59b}}
"""


def _extent(extent):
    return "?" if extent is None else str(extent)


def _text(shape):
    if shape is None:
        return "unknown rank"
    return "×".join(map(_extent, shape)) if shape else "scalar"


def _cell(kind, text, title=""):
    title = f' title="{escape(title)}"' if title else ""
    return f'<td class="{kind}"{title}>{escape(text)}</td>'


def _row(label, cells, note):
    return f"<tr><th>{escape(label)}</th>{''.join(cells)}<th>{escape(note)}</th></tr>"


def _drawing(answer):
    shapes = answer.shapes
    rows, axes = _good(answer) if answer.ok else _bad(answer)
    word = "broadcast" if len(shapes) != 1 else "broadcasts"
    parts = [f"<style>{_STYLE}</style><div class='ndcast'><div><span class='head'>{escape(answer.rule)}</span>: "]
    parts.append(escape(" and ".join(map(_text, shapes))))
    if answer.ok:
        parts.append(f" <span class='good'>{word} to <b>{escape(_text(answer.shape))}</b></span></div>")
    else:
        word = "do not broadcast" if len(shapes) != 1 else "does not broadcast"
        parts.append(f" <span class='bad'>{word}</span></div>")
    if rows:
        head = "".join(f"<th>{axis}</th>" for axis in range(axes))
        parts.append(f"<table><thead><tr><th>axis</th>{head}<th></th></tr></thead><tbody>{''.join(rows)}</tbody></table>")
    if answer.ok:
        if answer.elsewhere:
            parts.append("<details><summary class='quiet'>The same broadcast elsewhere</summary>")
            for dialect, text in answer.elsewhere:
                parts.append(f"<div class='quiet'>{escape(dialect)}</div><pre>{escape(text)}</pre>")
            parts.append("</details>")
    else:
        parts.append(f"<div class='bad'>{escape(answer.message.rsplit(': ', 1)[-1])}</div>")
        if answer.suggestions:
            parts.append("<div class='head'>What would work</div><ul>")
            parts += [
                f"<li>{escape(what)} <span class='quiet'>gives</span> <code>{escape(shape)}</code></li>"
                for what, shape in answer.suggestions
            ]
            parts.append("</ul>")
    parts.append("</div>")
    return "".join(parts)


def _good(answer):
    """The operands under the result, by how they are read."""
    if answer.operands is None or answer.shape is None:
        return [], 0
    rows = [_row("result", [_cell("result", _extent(n)) for n in answer.shape], _text(answer.shape))]
    for number, (sources, shape) in enumerate(zip(answer.operands, answer.shapes)):
        cells = []
        for place, source in enumerate(sources):
            if source is None:
                cells.append(_cell("new", "·", "a new axis"))
            elif isinstance(source, dict) and "stretch" in source:
                cells.append(_cell("stretch", f"1→{_extent(answer.shape[place])}", "an extent of 1 stretches"))
            elif isinstance(source, dict):
                cells.append(_cell("open", "?", "whether it stretches is not known"))
            else:
                extent = shape[source] if shape is not None and source < len(shape) else answer.shape[place]
                cells.append(_cell("walk", _extent(extent), f"axis {source} of the operand"))
        rows.append(_row(f"operand {number}", cells, _text(shape)))
    return rows, len(answer.shape)


def _bad(answer):
    """The operands from the right, with what clashes; nothing where they are laid otherwise."""
    if answer.facts.get("axes") is not None or any(shape is None for shape in answer.shapes):
        return [], 0
    if answer.rule.split(".")[0] not in ("array-api", "onnx") or answer.facts.get("index") is not None:
        return [], 0
    target = answer.facts.get("target")
    rank = max(map(len, [*answer.shapes, target or ()]), default=0)
    clashes = {(side["operand"], side["axis"]) for side in answer.facts.get("clash", [])}
    every = answer.facts.get("axes_clashing") or []
    rows = []
    for number, shape in enumerate(answer.shapes):
        before = rank - len(shape)
        cells = [_cell("new", "·", "no axis")] * before
        for axis, extent in enumerate(shape):
            wrong = (number, axis) in clashes or before + axis in every
            cells.append(_cell("clash" if wrong else "walk", _extent(extent), f"axis {axis} of the operand"))
        rows.append(_row(f"operand {number}", cells, _text(shape)))
    if target is not None:
        cells = [_cell("new", "·")] * (rank - len(target)) + [_cell("result", _extent(n)) for n in target]
        rows.insert(0, _row("target", cells, _text(target)))
    return rows, rank
