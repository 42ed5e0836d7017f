"""Examples run, stubs are what they would be made now, and every name of the standard is there."""

import doctest
import inspect
import re
from pathlib import Path

import pytest

import ndcast as xp
from ndcast import _stubs, linalg

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
PUBLIC = [(name, getattr(xp, name)) for name in xp.__all__] + [(name, getattr(linalg, name)) for name in linalg.__all__]
METHODS = [(f"Array.{name}", thing) for name, thing in vars(xp.Array).items() if callable(thing) and name[0] != "_"]
OF_MODELS = [("Model.explain", xp.Model.explain)]
# Type checkers take copies without these, and nothing is deleted from an array.
NOT_ASKED_FOR = ("__copy__", "__deepcopy__", "__delitem__")


def run(name, text):
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    said = []
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(example, out=said.append)
    assert result.failed == 0, "".join(said)
    return result.attempted


def test_examples_run():
    attempted = run("ndcast", xp.__doc__)
    for name, thing in PUBLIC + METHODS + OF_MODELS:
        if callable(thing) or inspect.isclass(thing):
            attempted += run(name, inspect.getdoc(thing) or "")
    assert attempted > 100


def test_everything_says_what_it_is():
    for name, thing in PUBLIC:
        if callable(thing) and thing is not xp.Function:
            assert (thing.__doc__ or "").strip(), name


def test_every_function_and_method_shows_an_example():
    for name, thing in PUBLIC + METHODS:
        if callable(thing) and not inspect.isclass(thing) and type(thing) is not xp.Function:
            assert ">>>" in (thing.__doc__ or ""), name


def test_elementwise_functions_are_the_librarys():
    listed = xp._native.elementwise_functions()
    assert len(listed) >= 119
    for name, _, summary in listed:
        function = getattr(xp, name)
        assert type(function) is xp.Function and function.__name__ == name and summary in function.__doc__
        assert inspect.signature(function)


@pytest.mark.parametrize("name", _stubs.FILES)
def test_stubs_are_up_to_date(name):
    path = Path(xp.__file__).with_name(name)
    if not path.exists():
        path = Path(__file__).parents[1] / "python/ndcast" / name
    assert path.read_text() == _stubs.FILES[name](), "run python -m ndcast._stubs"
    compile(path.read_text(), name, "exec")


def test_stubs_name_everything():
    stub = _stubs.text()
    for name in xp.__all__:
        assert f"{name}" in stub, name


def test_stubs_say_whole_sentences():
    for text in re.findall(r'"""(.*?)"""', _stubs.text(), re.DOTALL)[1:]:
        assert text.endswith("."), text


def test_stubs_have_what_operators_and_functions_of_python_ask_for():
    stub = _stubs.text()
    for name in vars(xp.Array):
        if not hasattr(object, name) and name not in NOT_ASKED_FOR:
            assert f"    def {name}(" in stub, name


def test_stubs_name_the_parts_that_functions_give():
    stub = _stubs.linalg_text()
    for name in linalg.__all__:
        if name in ("eig", "eigh", "qr", "slogdet", "svd"):
            kind = re.search(rf"^def {name}\(.* -> (\w+): ...$", stub, re.MULTILINE)[1]
            fields = re.search(rf"^class {kind}\(NamedTuple\):\n((?:    .*\n)+)", stub, re.MULTILINE)[1]
            given = getattr(linalg, name)(xp.asarray([[2.0, 0.0], [0.0, 3.0]]))
            assert fields.split() == " ".join(f"{field}: Array" for field in given._fields).split()
        elif name != "matrix_norm":
            assert re.search(rf"^def {name}\(.* -> Array: ...$", stub, re.MULTILINE), name
    assert linalg.matrix_norm(xp.asarray([[3.0, 0.0], [0.0, 4.0]]), ord="nuc").item() == 7
    assert 'ord: float | Literal["fro", "nuc"] = \'fro\'' in stub


STANDARD = """
    e inf nan newaxis pi bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128
    __array_api_version__ __array_namespace_info__ arange asarray empty empty_like eye from_dlpack full full_like linspace
    meshgrid ones ones_like tril triu zeros zeros_like astype can_cast finfo iinfo isdtype result_type add atan2
    bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide equal floor_divide greater
    greater_equal hypot less less_equal logaddexp logical_and logical_or logical_xor maximum minimum multiply nextafter
    not_equal pow remainder subtract clip abs acos acosh asin asinh atan atanh bitwise_invert ceil conj cos cosh exp expm1
    floor imag isfinite isinf isnan log log1p log2 log10 logical_not negative positive real reciprocal round sign signbit
    sin sinh square sqrt tan tanh trunc take take_along_axis matmul matrix_transpose tensordot vecdot broadcast_arrays
    broadcast_shapes broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile
    unstack argmax argmin count_nonzero nonzero searchsorted where isin unique_all unique_counts unique_inverse
    unique_values argsort sort cumulative_prod cumulative_sum max mean min prod std sum var all any diff
    nansum nanmax nanmin nanmean nanvar nanstd pad einsum float16
""".split()


@pytest.mark.parametrize("name", STANDARD)
def test_names(name):
    assert hasattr(xp, name) and name in xp.__all__
