"""The README's examples print what it says, and the conformance checks hold."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_readmes_examples(monkeypatch):
    monkeypatch.chdir(ROOT)
    text = (ROOT / "README.md").read_text()
    examples = "\n".join(re.findall(r"```pycon\n(.*?)```", text, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(examples, {}, "README.md", None, 0)
    said = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.append)
    assert result.attempted > 8 and result.failed == 0, "".join(said)


def conformance(*modules):
    command = [sys.executable, str(ROOT / "tests/conformance"), "--markdown"]
    for module in modules:
        command += ["--module", module]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_conformance():
    run = conformance("ndcast")
    assert run.returncode == 0 and "| no |" not in run.stdout, run.stdout + run.stderr


def test_the_kit_finds_what_is_wrong(tmp_path, monkeypatch):
    """A namespace with the faults that the official suite passes is caught."""
    (tmp_path / "faulty.py").write_text(
        "from ndcast import *\n"
        "import ndcast\n"
        "def broadcast_arrays(*arrays):\n"
        "    return tuple(ndcast.zeros_like(x) for x in ndcast.broadcast_arrays(*arrays))\n"
        "def broadcast_to(x, shape):\n"
        "    return ndcast.broadcast_arrays(x, ndcast.empty(shape))[0]\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    run = conformance("faulty")
    wrong = [line for line in run.stdout.splitlines() if "| no |" in line]
    assert run.returncode == 1
    assert any("own elements" in line for line in wrong) and any("The shape stays" in line for line in wrong), wrong
