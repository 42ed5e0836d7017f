"""Explanations: fields, text and the drawing."""

from html.parser import HTMLParser

import numpy as np
import pytest

import ndcast as xp


def test_fields_of_what_broadcasts():
    answer = xp.explain("array-api", (8, 1, 6, 1), (7, 1, 5))
    assert answer.ok and bool(answer) and answer.shape == (8, 7, 6, 5)
    assert answer.operands == [[0, {"stretch": 1}, 2, {"stretch": 3}], [None, 0, {"stretch": 1}, 2]]
    assert "8x1x6x1 and 7x1x5 broadcast to 8x7x6x5" in str(answer)
    assert "ONNX" in dict(answer.elsewhere)


def test_fields_of_what_does_not():
    answer = xp.explain("array-api", (15, 3, 5), (15, 3))
    assert not answer and answer.kind == "extent-mismatch" and answer.facts["axis"] == 2
    assert any("15x3x1" in what for what, _ in answer.suggestions)
    assert "What would work" in repr(answer)


def test_partly_known_shapes_arrays_and_arguments():
    assert xp.explain("array-api", (None, 3), ("N", 1)).shape == (None, 3)
    assert xp.explain("array-api", "Nx3x1", "1x4").shape == ("N", 3, 4)
    assert xp.explain("array-api", xp.zeros((2, 1)), ()).shape == (2, 1)
    assert xp.explain("openvino.broadcast.explicit", (16,), target=(1, 16, 50, 50), axes=[1]).shape == (1, 16, 50, 50)
    assert xp.explain("openvino.eltwise.pdpd", (2, 3, 4), (3,), axis=1).shape == (2, 3, 4)
    answer = xp.explain("array-api.in-place", (2, 3, 4), (1, 3, 4), index="1, ...")
    assert answer.kind == "rank-too-high"
    assert xp.explain("array-api", None, (3,)).ok
    assert "f64" in str(xp.explain("array-api", (3,), (1,), dtype=xp.float64))
    with pytest.raises(ValueError):
        xp.explain("no-such-rule", (3,))
    with pytest.raises(ValueError):
        xp.explain("array-api", (-3,))
    assert "chlo.broadcast" in xp.rules()


def test_each_extent_of_a_tuple_is_read_by_itself():
    assert xp.explain("array-api", ("text_len", 3)).shape == ("text_len", 3)
    assert xp.explain("array-api", ("scalar",), ("max", 1)).shape == ("max", "scalar")
    assert xp.explain("array-api", ("2..5", np.int64(3), None, "4")).shape == ("2..5", 3, None, 4)
    assert xp.explain("openvino.broadcast.numpy", (1,), target=("x", 3)).shape == ("x", 3)
    assert xp.explain("array-api", 3, ()).shape == (3,)
    for wrong in ("3x4", "...", "3,4", "(3)", "()", ""):
        with pytest.raises(ValueError, match="an extent is"):
            xp.explain("array-api", (wrong, 2))
    for large in (2**70, (2**70, 2)):
        with pytest.raises(ValueError, match=str(2**70)):
            xp.explain("array-api", large)
    with pytest.raises(TypeError, match="an extent is an integer, a name, an interval or None, not 1.5"):
        xp.explain("array-api", (1.5, 2))


class Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("rule", sorted(xp.rules()))
def test_every_rule_is_drawn(rule):
    for arguments in ({}, {"target": (2, 3)}, {"axes": [1]}, {"target": (2, 3), "axes": [1]}, {"axis": 1}):
        for shapes in (((3,),), ((2, 3), (3,)), ((2, 3), (2, 1), (2, 3)), ((), (None, "N")), ((2, 3), (4, 5)), (None, (3,))):
            answer = xp.explain(rule, *shapes, **arguments)
            parser = Balanced()
            parser.feed(answer._repr_html_())
            assert not parser.open and rule in parser.text
            assert str(answer)
            if not answer.ok:
                assert answer.kind and answer.message


def test_only_what_there_is():
    answer = xp.explain("array-api", (3,), (4,))
    assert answer.shape is None and answer.operands is None
    assert xp.explain("array-api", (3,), (3,)).message is None
    with pytest.raises(AttributeError, match="no eror; it has rule, summary"):
        answer.eror  # noqa: B018
    assert not hasattr(answer, "_repr_png_") and "suggestions" in dir(answer)


def test_the_drawing_says_what_the_text_says():
    html = xp.explain("openvino.eltwise.pdpd", (2, 3, 4), (3, 5), axis=1)._repr_html_()
    assert '<td class="wrong">5</td>' in html and "only 4 or 1 fits" in html
    html = xp.explain("array-api", ("N", 1), (3,))._repr_html_()
    assert '<td class="stretched">1→3</td>' in html and "reads" in html


def test_names_are_escaped():
    with pytest.raises(ValueError):
        xp.explain("array-api", ("<b>", 3))
    assert "<script" not in xp.explain("array-api", ("N", 3), (2, 3))._repr_html_()


def test_an_index_is_written_as_text_or_as_between_brackets():
    for index in ("1, ...", (1, ...), "1"):
        assert xp.explain("array-api.in-place", (2, 3, 4), (3, 4), index=index).shape == (3, 4)
    assert xp.explain("array-api.in-place", (6,), (2,), index=slice(1, 5, 2)).shape == (2,)
    with pytest.raises(ValueError, match="an index of arrays is none of a rule"):
        xp.explain("array-api.in-place", (6,), (2,), index=xp.asarray([1, 2]))
