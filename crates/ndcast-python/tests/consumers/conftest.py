"""Libraries that take any Array API namespace, where they are installed: `python3 tools/consumers` installs them and runs this.

What goes in as an array comes out as one, with the values that NumPy's arrays give. Both settings are read when SciPy and Cubed
are imported.
"""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")
os.environ.setdefault("CUBED_BACKEND_ARRAY_API_MODULE", "ndcast")

import numpy as np
import pytest

import ndcast as xp


@pytest.fixture
def same():
    """Checks a function of arrays: it gives arrays of ours for ours, with the values and types that it gives for NumPy's."""

    def check(function, rtol=1e-7):
        wanted = np.asarray(function(np.asarray))
        found = function(lambda array: xp.asarray(array, copy=True))
        assert isinstance(found, xp.Array), type(found)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=rtol, atol=1e-12)

    return check
