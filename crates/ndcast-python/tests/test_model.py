"""Models from files: called, differentiated, written, and used wrongly."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ndcast as xp

CASES = Path(__file__).parents[3] / "cases"
TEXT = """%0 = input "a" dtype=f32 shape=Nx1
%1 = input "b" dtype=f32 shape=?
%2 = fit(%0, %1) rule=array-api operands=2 operand=0
%3 = fit(%0, %1) rule=array-api operands=2 operand=1
%4 = multiply(%2, %3)
%5 = sum(%4) axes=[1] keep=nothing
output "product" = %4
output "sum" = %5
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "outer.graph"
    path.write_text(TEXT)
    return xp.load(path)


A = np.array([[1], [2]], np.float32)
B = np.array([3, 4, 5], np.float32)


def test_inputs_come_in_order_or_by_name(model):
    assert [(port.name, port.dtype, port.shape) for port in model.inputs] == [
        ("a", np.dtype("float32"), ("N", 1)),
        ("b", np.dtype("float32"), (None,)),
    ]
    assert [port.name for port in model.outputs] == ["product", "sum"]
    for product, total in (model(A, B), model(a=A, b=B), model(A, b=xp.asarray(B)), model([[1], [2]], [3, 4, 5])):
        assert isinstance(product, xp.Array)
        np.testing.assert_array_equal(product, A * B)
        np.testing.assert_array_equal(total, (A * B).sum(axis=1))
    # Other shapes, and shapes seen before.
    for n in (1, 3, 1):
        np.testing.assert_array_equal(model(A, B[:n])[0], A * B[:n])


def test_an_input_may_have_any_name(tmp_path):
    path = tmp_path / "own.graph"
    path.write_text('%0 = input "self" dtype=f32 shape=2\n%1 = input "given" dtype=f32 shape=2\n%2 = add(%0, %1)\noutput "named" = %2\n')
    model = xp.load(path)
    assert model(self=[1, 2], given=[3, 4]).tolist() == model([1, 2], given=[3, 4]).tolist() == [4, 6]


def test_gradients_are_models_of_the_same_inputs(model):
    grad = model.grad("sum")
    assert [port.name for port in grad.outputs] == ["a", "b"]
    da, db = grad(A, B)
    np.testing.assert_array_equal(da, [[12], [12]])
    np.testing.assert_array_equal(db, [3, 3, 3])
    np.testing.assert_array_equal(model.grad("product", wrt="b")(A, B), [3, 3, 3])
    with pytest.raises(TypeError, match="say of which output; the model's outputs: product, sum"):
        model.grad()
    with pytest.raises(xp.Error, match="produkt"):
        model.grad("produkt")


@pytest.mark.parametrize("ending", ["xml", "onnx", "graph"])
def test_what_is_written_is_read(model, tmp_path, ending):
    for number, one in enumerate((model, model.grad("product"))):
        path = tmp_path / f"{number}.{ending}"
        one.save(path)
        for found, wanted in zip(xp.load(path)(A, B), one(A, B)):
            np.testing.assert_array_equal(found, wanted)


def test_what_is_wrong_is_said(model, tmp_path):
    for call, message in (
        (lambda: model(A), "the inputs b are missing"),
        (lambda: model(A, B, B), r"the model has 2 inputs \(a, b\), and 3 are given"),
        (lambda: model(A, B, c=B), "there is no input c; the model's inputs: a, b"),
        (lambda: model(A, B, b=B), "the input b is given by its place and by its name"),
        (lambda: model(None, B), "the input a is None"),
    ):
        with pytest.raises(TypeError, match=message):
            call()
    with pytest.raises(xp.Error, match="a"):
        model(A.astype(np.float64), B)
    with pytest.raises(xp.Error, match="2x3.*Nx1|Nx1.*2x3"):
        model(np.ones((2, 3), np.float32), B)
    with pytest.raises((xp.Error, OSError), match="missing.xml"):
        xp.load(tmp_path / "missing.xml")
    with pytest.raises(xp.Error, match="a model's file ends in"):
        xp.load(tmp_path / "model.pdf")
    (tmp_path / "broken.graph").write_text("%0 = input\n")
    with pytest.raises(xp.Error, match="line 1"):
        xp.load(tmp_path / "broken.graph")


def test_what_fails_while_it_runs_is_named(tmp_path):
    (tmp_path / "rows.graph").write_text(
        '%0 = input "x" dtype=f64 shape=Nx3\n%1 = input "rows" dtype=i64 shape=2\n'
        '%2 = exp(%0)\n%3 = take(%2, %1) axis=0 batch=0\noutput "y" = %3\n'
    )
    model = xp.load(tmp_path / "rows.graph")
    np.testing.assert_array_equal(model(np.zeros((2, 3)), [1, 0]), np.ones((2, 3)))
    with pytest.raises(xp.Error, match="line 4: take: there is no row 2: axis 0 has extent 2"):
        model(np.zeros((2, 3)), [1, 2])


def test_models_are_pickled_and_copied(model):
    assert copy.copy(model) is model and copy.deepcopy([model])[0] is model
    again = pickle.loads(pickle.dumps(model))
    assert (again.inputs, again.outputs, str(again)) == (model.inputs, model.outputs, str(model))
    for found, wanted in zip(again(A, B), model(A, B)):
        np.testing.assert_array_equal(found, wanted)


def test_an_output_that_is_an_input_is_no_view_of_it(tmp_path):
    (tmp_path / "same.graph").write_text('%0 = input "x" dtype=f64 shape=3\noutput "y" = %0\n')
    given = np.arange(3.0)
    y = xp.load(tmp_path / "same.graph")(given)
    given[0] = 7
    np.testing.assert_array_equal(y, [0, 1, 2])


@pytest.mark.skipif(not CASES.exists(), reason="the models are beside the sources")
def test_models_of_openvino_and_jax_run(tmp_path):
    model = xp.load(CASES / "openvino/minimal.xml")
    y = model(**{port.name: np.ones([1 if n is None else n for n in port.shape], np.float32) for port in model.inputs})
    assert y.shape == (2, 4, 3)
    values = np.load(CASES / "stablehlo/bias_add.npz")
    model = xp.load(CASES / "stablehlo/bias_add.mlir")
    found = model(*(values[port.name] for port in model.inputs))
    np.testing.assert_array_equal(found, values[model.outputs[0].name])
    model.save(tmp_path / "again.hlo")
    again = xp.load(tmp_path / "again.hlo")
    np.testing.assert_array_equal(again(*(values[port.name] for port in again.inputs)), found)


def test_every_broadcast_of_a_model_is_explained():
    answer = xp.load(CASES / "openvino" / "minimal.xml").explain()
    assert [one.title for one in answer] == ["add (line 8)", "bc (line 15)"]
    assert answer.total == "In all 2 broadcasts; materialised, 1 would take 96 B, and the extents of 1 are not known"
    add, bc = answer
    assert (add.rule, add.operation, add.shape, add.bytes["written"]) == ("openvino.eltwise.numpy", "add", (None, 3), None)
    assert (bc.node, bc.line, bc.dtype) == ("bc", 15, np.dtype("float32"))
    assert bc.bytes == {"read": [None], "written": 96, "materialised": 96}
    # As the command prints it: briefly all, and one in full.
    assert str(answer).startswith("add (line 8)\nopenvino.eltwise.numpy: ?x3 and 3 broadcast to ?x3\n")
    assert str(answer).endswith(f"\n\n{answer.total}\n") and "elsewhere" not in str(answer)
    assert answer[-1:] == (bc,) and len(answer) == 2


def test_the_broadcasts_of_one_node_are_explained_in_full(model):
    product, *others = model.explain("%4")
    assert not others and product.operation == "multiply"
    assert product.shapes == (("N", 1), (None,)) and product.operands == [[0, {"stretch": 1}], [None, 0]]
    assert "The same broadcast elsewhere" in str(model.explain("%4"))
    with pytest.raises(xp.Error, match="no broadcasting node called prduct; there is %4"):
        model.explain("prduct")
    with pytest.raises(ValueError, match="nothing is broadcast for the node b"):
        model.explain("b")
    html = model.explain()._repr_html_()
    assert html.count("<h4>") == 1 and "%4 (multiply" in html and "<table>" in html


def test_broadcasts_are_explained_without_a_name_for_their_type(tmp_path):
    path = tmp_path / "short.graph"
    path.write_text(
        '%0 = input "x" dtype=bf16 shape=2x3\n%1 = input "y" dtype=bf16 shape=3\n'
        '%2 = fit(%1, %0) rule=array-api operands=2 operand=0\n%3 = add(%0, %2)\noutput "sum" = %3\n'
    )
    program = (
        "import sys; sys.modules['ml_dtypes'] = None; import ndcast; "
        f"(one,) = ndcast.load({str(path)!r}).explain(); print(one.dtype, one.shape, one.bytes['written'])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.stdout == "None (2, 3) 12\n", run.stderr
    pytest.importorskip("ml_dtypes")
    assert [one.dtype for one in xp.load(path).explain()] == [xp.bfloat16]


def test_a_model_without_broadcasts_says_so(tmp_path):
    path = tmp_path / "same.graph"
    path.write_text('%0 = input "<x>" dtype=f32 shape=3\n%1 = add(%0, %0)\noutput "y" = %1\n')
    answer = xp.load(path).explain()
    assert len(answer) == 0 and repr(answer) == "no broadcasts" and answer._repr_html_() == "<p>no broadcasts</p>"
