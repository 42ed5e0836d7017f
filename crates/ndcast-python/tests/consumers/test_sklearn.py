"""scikit-learn with array_api_dispatch: it computes with our arrays, decompositions included."""

import numpy as np
import pytest

import ndcast as xp

sklearn = pytest.importorskip("sklearn")
pytest.importorskip("scipy")

from sklearn import discriminant_analysis, linear_model, metrics, mixture, model_selection, naive_bayes, preprocessing
from sklearn.decomposition import PCA
from sklearn.metrics import pairwise

random = np.random.default_rng(0)
A, Y = random.random((50, 4)), random.random(50)
LABELS = (A[:, 0] > 0.5).astype(np.int64)

ARRAYS = {
    "StandardScaler": lambda of: preprocessing.StandardScaler().fit_transform(of(A)),
    "MinMaxScaler": lambda of: preprocessing.MinMaxScaler().fit_transform(of(A)),
    "Normalizer": lambda of: preprocessing.Normalizer().fit_transform(of(A)),
    "Binarizer": lambda of: preprocessing.Binarizer(threshold=0.5).fit_transform(of(A)),
    "PolynomialFeatures": lambda of: preprocessing.PolynomialFeatures().fit_transform(of(A)),
    "LabelEncoder": lambda of: preprocessing.LabelEncoder().fit_transform(of(LABELS)),
    "PCA": lambda of: abs(PCA(2, svd_solver="full").fit_transform(of(A))),
    "PCA of covariances": lambda of: abs(PCA(2, svd_solver="covariance_eigh").fit_transform(of(A))),
    "Ridge": lambda of: linear_model.Ridge(solver="svd").fit(of(A), of(Y)).predict(of(A)),
    "RidgeCV": lambda of: linear_model.RidgeCV().fit(of(A), of(Y)).predict(of(A)),
    "LogisticRegression": lambda of: linear_model.LogisticRegression().fit(of(A), of(LABELS)).predict_proba(of(A)),
    "GaussianNB": lambda of: naive_bayes.GaussianNB().fit(of(A), of(LABELS)).predict_proba(of(A)),
    "LinearDiscriminantAnalysis": lambda of: discriminant_analysis.LinearDiscriminantAnalysis()
    .fit(of(A), of(LABELS))
    .predict(of(A)),
    "GaussianMixture": lambda of: mixture.GaussianMixture(2, init_params="random", random_state=0).fit(of(A)).means_,
    "cross_val_predict": lambda of: model_selection.cross_val_predict(linear_model.Ridge(solver="svd"), of(A), of(Y)),
    "train_test_split": lambda of: model_selection.train_test_split(of(A), random_state=0)[0],
    "euclidean_distances": lambda of: pairwise.euclidean_distances(of(A)),
    "cosine_similarity": lambda of: pairwise.cosine_similarity(of(A)),
    "manhattan_distances": lambda of: pairwise.manhattan_distances(of(A)),
    "rbf_kernel": lambda of: pairwise.rbf_kernel(of(A)),
}
NUMBERS = {
    "mean_squared_error": lambda of: metrics.mean_squared_error(of(Y), of(A[:, 0])),
    "r2_score": lambda of: metrics.r2_score(of(Y), of(Y * 1.1)),
    "mean_poisson_deviance": lambda of: metrics.mean_poisson_deviance(of(Y), of(Y * 1.1)),
    "accuracy_score": lambda of: metrics.accuracy_score(of(LABELS), of(LABELS[::-1])),
    "f1_score": lambda of: metrics.f1_score(of(LABELS), of(LABELS[::-1])),
    "log_loss": lambda of: metrics.log_loss(of(LABELS), of(np.stack([Y, 1 - Y], axis=1))),
}


@pytest.fixture(autouse=True)
def dispatch():
    with sklearn.config_context(array_api_dispatch=True):
        yield


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_stay_ours(same, name):
    same(ARRAYS[name], rtol=1e-5)


@pytest.mark.parametrize("name", NUMBERS)
def test_scores(name):
    score = NUMBERS[name]
    assert float(score(lambda array: xp.asarray(array, copy=True))) == pytest.approx(float(score(np.asarray)))
