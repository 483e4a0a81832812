"""The conventions of scikit-learn, by its own checks."""

import pickle

import numpy as np
import pytest

import dtf
from tables import correlated

pytest.importorskip("sklearn")
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, OrdinalEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

# Checks that ask for something else than what a model of categories promises.
EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": "transforms rows that had weight 0: they are as if they were not "
    "there, so that their values have no codes",
}


def estimators():
    return [
        dtf.DiscreteTreeFlow(model="tsp", layers=1, allow_unique=True),
        dtf.DiscreteTreeFlow(members=1, allow_unique=True),
    ]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(estimators(), expected_failed_checks=lambda estimator: EXPECTED_FAILURES)
def test_check_estimator(estimator, check):
    check(estimator)


def test_clones_have_the_parameters_and_no_model():
    flow = dtf.DiscreteTreeFlow(layers=2, bins={"x": 3}).set_params(random_state=5)
    again = clone(flow)
    assert again.get_params() == flow.get_params()
    assert repr(again) == "DiscreteTreeFlow(bins={'x': 3}, layers=2, random_state=5)"
    assert repr(pickle.loads(pickle.dumps(again))) == repr(again)
    with pytest.raises(ValueError, match="Invalid parameter"):
        flow.set_params(depth=3)


def test_a_pipeline_with_bins():
    numbers = np.random.default_rng(0).normal(size=(300, 3))
    discretizer = KBinsDiscretizer(5, encode="ordinal", strategy="uniform")
    pipeline = make_pipeline(discretizer, dtf.DiscreteTreeFlow(model="tsp")).fit(numbers)
    assert pipeline.score_samples(numbers).shape == (300,)
    codes = pipeline.transform(numbers)
    back = pipeline.inverse_transform(codes)
    assert np.array_equal(discretizer.transform(back), discretizer.transform(numbers))


def test_a_pipeline_with_ordinal_codes():
    frame = correlated().to_pandas()
    encoder = OrdinalEncoder(dtype=np.int64)
    pipeline = make_pipeline(encoder, dtf.DiscreteTreeFlow(model="tsp")).fit(frame)
    plain = dtf.DiscreteTreeFlow(model="tsp").fit(frame)
    assert np.array_equal(pipeline.inverse_transform(pipeline.transform(frame)), frame.to_numpy())
    assert pipeline.score_samples(frame).mean() == pytest.approx(plain.score(frame), rel=1e-2)


def test_a_grid_search_by_mean_log_likelihood():
    frame = correlated(600).to_pandas()
    grid = {"max_depth": [0, 3], "layers": [1, 2]}
    search = GridSearchCV(dtf.DiscreteTreeFlow(model="tsp"), grid, cv=KFold(3)).fit(frame)
    assert search.best_params_["max_depth"] == 3  # the columns depend on each other
    folds = cross_val_score(clone(search.best_estimator_), frame, cv=KFold(3))
    assert search.best_score_ == pytest.approx(folds.mean())
    assert np.array_equal(search.score_samples(frame), search.best_estimator_.score_samples(frame))
