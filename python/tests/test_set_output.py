"""`set_output`: latent codes as a table."""

import copy
import subprocess
import sys

import numpy as np
import pytest

import dtf
from tables import correlated

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


def fitted(**parameters):
    return dtf.DiscreteTreeFlow(**{"model": "tsp", "layers": 2} | parameters).fit(correlated())


def test_codes_come_as_was_asked_for():
    flow = fitted()
    table = correlated()
    codes = flow.transform(table)
    assert isinstance(codes, np.ndarray)
    assert flow.set_output(transform="pandas") is flow
    frame = flow.transform(table)
    assert isinstance(frame, pd.DataFrame) and list(frame.columns) == list(flow.get_feature_names_out())
    assert np.array_equal(frame, codes) and (frame.dtypes == np.int64).all()
    polars = flow.set_output(transform="polars").transform(table)
    assert isinstance(polars, pl.DataFrame) and polars.columns == list(frame.columns)
    assert np.array_equal(polars.to_numpy(), codes)
    assert flow.set_output().transform(table).equals(polars)  # None changes nothing
    assert isinstance(flow.set_output(transform="default").transform(table), np.ndarray)
    for latent in (frame, polars):
        assert flow.inverse_transform(latent).equals(table)


def test_rows_keep_their_index():
    frame = correlated().to_pandas()
    frame.index = [f"row {i}" for i in range(len(frame))]
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=1).set_output(transform="pandas")
    codes = flow.fit_transform(frame)
    assert list(codes.index) == list(frame.index)
    assert list(flow.transform(frame[5:9]).index) == list(frame.index[5:9])
    assert list(flow.transform(correlated()).index) == list(range(len(frame)))


def test_no_rows():
    flow = fitted()
    for kind in ("pandas", "polars"):
        assert flow.set_output(transform=kind).transform(correlated().slice(0, 0)).shape == (0, 4)


def test_copies_keep_it():
    flow = fitted().set_output(transform="polars")
    assert isinstance(copy.deepcopy(flow).transform(correlated()), pl.DataFrame)


def test_it_does_not_need_scikit_learn():
    script = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import dtf, pandas\n"
        "frame = pandas.DataFrame({'a': ['x', 'y'] * 10, 'b': ['p', 'q'] * 10})\n"
        "flow = dtf.DiscreteTreeFlow(members=1).fit(frame)\n"
        "assert type(flow.transform(frame)).__name__ == 'ndarray'\n"
        "assert type(flow.set_output(transform='pandas').transform(frame)).__name__ == 'DataFrame'\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_scikit_learn_s_settings_count():
    sklearn = pytest.importorskip("sklearn")
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    table = correlated().to_pandas()
    with sklearn.config_context(transform_output="polars"):
        assert isinstance(fitted().transform(table), pl.DataFrame)
        assert isinstance(fitted().set_output(transform="pandas").transform(table), pd.DataFrame)
    assert isinstance(sklearn.clone(fitted().set_output(transform="pandas")).fit_transform(table), pd.DataFrame)
    pipeline = make_pipeline(FunctionTransformer(), dtf.DiscreteTreeFlow(model="tsp", layers=1))
    assert isinstance(pipeline.set_output(transform="pandas").fit(table).transform(table), pd.DataFrame)
