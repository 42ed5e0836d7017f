"""The interpreter that the peers run in: a virtual environment of this tool's own, made on first use.

The versions are pinned because answers and messages change with them. A package that cannot be installed is reported
and left out; its peer is then absent and the others still run.
"""

import subprocess
import sys
import venv
from pathlib import Path

# jax 0.5.3 is the last minor version that carries the XlaBuilder; it has wheels for Python 3.10 to 3.13.
PACKAGES = ("numpy==2.4.6", "jax==0.5.3", "jaxlib==0.5.3", "openvino==2026.4.1", "onnx==1.23.2")


def peers_python(folder):
    """The interpreter of the environment in `folder`, made if it is not there."""
    python = Path(folder) / "bin" / "python"
    finished = Path(folder) / "installed"
    if finished.exists() and finished.read_text().split() == list(PACKAGES):
        return str(python)
    print(f"making {folder} with {', '.join(PACKAGES)}", file=sys.stderr)
    venv.create(folder, with_pip=True)
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    failed = []
    if subprocess.run([*install, *PACKAGES]).returncode != 0:
        # One that fails keeps all from being installed, so ask for each by itself.
        failed = [package for package in PACKAGES if subprocess.run([*install, package]).returncode != 0]
        print(f"not installed: {', '.join(failed) or 'nothing'}", file=sys.stderr)
    if not failed:
        finished.write_text("\n".join(PACKAGES) + "\n")
    return str(python)
