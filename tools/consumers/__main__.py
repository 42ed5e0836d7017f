"""Runs the tests of what takes ndcast's arrays: SciPy, scikit-learn, xarray, Dask, Cubed and array-api-compat.

    python3 tools/consumers            the module as it is built from this tree
    python3 tools/consumers WHEEL      the module of a wheel

Why: an Array API namespace is worth what the libraries make of it that take one. They are installed into an environment of
this tool's own, `target/consumers-venv`; one that cannot be installed is named, and its tests are skipped. Arguments behind
`--` go to pytest.
"""

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PEERS = ("scipy", "scikit-learn", "xarray", "dask[array]", "cubed", "zarr", "array-api-compat")


def installed(python, *packages):
    """Whether packages could be installed."""
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
    return subprocess.run(command, check=False).returncode == 0


def main():
    given = sys.argv[1:]
    behind = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="Arguments behind -- go to pytest.")
    parser.add_argument("wheel", nargs="?", help="a wheel of ndcast, instead of building one")
    arguments = parser.parse_args(given[:behind])
    folder = TARGET / "consumers-venv"
    python = str(folder / "bin/python")
    if not Path(python).exists():
        venv.create(folder, with_pip=True)
    if not installed(python, "numpy", "pytest", "hypothesis", "ml_dtypes", *PEERS):
        missing = [peer for peer in PEERS if not installed(python, peer)]
        print(f"not installed: {', '.join(missing) or 'nothing'}", file=sys.stderr)
    if not installed(python, "--force-reinstall", "--no-deps", arguments.wheel or str(ROOT)):
        return 2
    tests = ROOT / "crates/ndcast-python/tests/consumers"
    return subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", str(tests), *given[behind + 1 :]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
