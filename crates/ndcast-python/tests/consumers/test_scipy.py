"""SciPy's functions that take any namespace (SCIPY_ARRAY_API=1)."""

import numpy as np
import pytest

import ndcast as xp

scipy = pytest.importorskip("scipy")
cluster = pytest.importorskip("scipy.cluster")
differentiate = pytest.importorskip("scipy.differentiate")

import scipy.fft
import scipy.integrate
import scipy.ndimage
import scipy.optimize.elementwise
import scipy.signal
import scipy.special
import scipy.stats
from scipy.cluster import hierarchy, vq
from scipy.spatial.transform import Rotation

integrate, ndimage, signal, special, stats = scipy.integrate, scipy.ndimage, scipy.signal, scipy.special, scipy.stats
elementwise = scipy.optimize.elementwise

random = np.random.default_rng(0)
A, B, V = random.random((20, 3)), random.random((20, 3)), random.random(30)


def mean(x, axis):
    return x.__array_namespace__().mean(x, axis=axis)


FUNCTIONS = {
    "expit": lambda of: special.expit(of(A)),
    "entr": lambda of: special.entr(of(A)),
    "rel_entr": lambda of: special.rel_entr(of(A), of(B)),
    "xlogy": lambda of: special.xlogy(of(A), of(B)),
    "logsumexp": lambda of: special.logsumexp(of(A), axis=1),
    "softmax": lambda of: special.softmax(of(A), axis=1),
    "log_softmax": lambda of: special.log_softmax(of(A), axis=1),
    "gammaln": lambda of: special.gammaln(of(A)),
    "betainc": lambda of: special.betainc(of(A), of(B), of(A)),
    "zscore": lambda of: stats.zscore(of(A)),
    "skew": lambda of: stats.skew(of(A)),
    "kurtosis": lambda of: stats.kurtosis(of(A)),
    "moment": lambda of: stats.moment(of(A), order=3),
    "gmean": lambda of: stats.gmean(of(A)),
    "pmean": lambda of: stats.pmean(of(A), 2),
    "variation": lambda of: stats.variation(of(A)),
    "entropy": lambda of: stats.entropy(of(A)),
    "ttest_ind": lambda of: stats.ttest_ind(of(A), of(B)).pvalue,
    "ttest_1samp": lambda of: stats.ttest_1samp(of(A), 0.5).pvalue,
    "pearsonr": lambda of: stats.pearsonr(of(A), of(B)).statistic,
    "normaltest": lambda of: stats.normaltest(of(A)).pvalue,
    "chisquare": lambda of: stats.chisquare(of(V)).pvalue,
    "f_oneway": lambda of: stats.f_oneway(of(A), of(B)).pvalue,
    "mannwhitneyu": lambda of: stats.mannwhitneyu(of(A), of(B)).pvalue,
    "rankdata": lambda of: stats.rankdata(of(V)),
    "quantile": lambda of: stats.quantile(of(V), of(np.array([0.2, 0.5]))),
    "differential_entropy": lambda of: stats.differential_entropy(of(V)),
    "bootstrap": lambda of: stats.bootstrap((of(V),), mean, vectorized=True, n_resamples=20, rng=1).standard_error,
    "trapezoid": lambda of: integrate.trapezoid(of(A), axis=0),
    "cumulative_trapezoid": lambda of: integrate.cumulative_trapezoid(of(A), axis=0),
    "tanhsinh": lambda of: integrate.tanhsinh(lambda t: t * t, of(np.zeros(2)), of(np.array([1.0, 2.0]))).integral,
    "gaussian_filter": lambda of: ndimage.gaussian_filter(of(A), 1.0),
    "zoom": lambda of: ndimage.zoom(of(A), 2),
    "detrend": lambda of: signal.detrend(of(A), axis=0),
    "fftconvolve": lambda of: signal.fftconvolve(of(V), of(V[:5])),
    "lfilter": lambda of: signal.lfilter(of(V[:3]), of(V[:2]), of(V)),
    "resample": lambda of: signal.resample(of(V), 15),
    "fft": lambda of: scipy.fft.fft(of(A)),
    "irfftn": lambda of: scipy.fft.irfftn(of(A)),
    "whiten": lambda of: vq.whiten(of(A)),
    "vq": lambda of: vq.vq(of(A), of(B[:4]))[1],
    "linkage": lambda of: hierarchy.linkage(of(A)),
    "find_root": lambda of: elementwise.find_root(
        lambda t, c: t**3 - c, (of(np.zeros(2)), of(np.full(2, 3.0))), args=(of(np.array([1.0, 2.0])),)
    ).x,
    "find_minimum": lambda of: elementwise.find_minimum(
        lambda t: (t - 1) ** 2, (of(np.zeros(2)), of(np.full(2, 0.5)), of(np.full(2, 3.0)))
    ).x,
    "derivative": lambda of: differentiate.derivative(lambda t: t**3, of(V[:3])).df,
    "jacobian": lambda of: differentiate.jacobian(lambda t: t**2, of(V[:3])).df,
    "Rotation": lambda of: Rotation.from_rotvec(of(A)).apply(of(B)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_arrays_stay_ours(same, name):
    same(FUNCTIONS[name], rtol=1e-6 if name == "find_minimum" else 1e-9)


def test_float32_stays_float32():
    x = xp.asarray(A, dtype=xp.float32)
    assert special.logsumexp(x, axis=0).dtype == xp.float32 and stats.zscore(x).dtype == xp.float32
