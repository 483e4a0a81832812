"""Laws of any small table."""

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest

import dtf

pytest.importorskip("hypothesis")
from hypothesis import given, settings
from hypothesis import strategies as st

CELLS = st.one_of(
    st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=1, max_size=4).map(lambda cells: (pa.string(), cells)),
    st.lists(st.one_of(st.none(), st.booleans()), min_size=1, max_size=3).map(lambda cells: (pa.bool_(), cells)),
    st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=4).map(lambda cells: (pa.int64(), cells)),
    st.lists(st.floats(allow_nan=False), min_size=1, max_size=4).map(lambda cells: (pa.float64(), cells)),
    st.lists(st.floats(allow_nan=False, width=32), min_size=1, max_size=4).map(lambda cells: (pa.float32(), cells)),
    st.lists(st.dates(), min_size=1, max_size=3).map(lambda cells: (pa.date32(), cells)),
    st.lists(st.datetimes(), min_size=1, max_size=3).map(lambda cells: (pa.timestamp("us"), cells)),
)


@st.composite
def tables(draw):
    rows = draw(st.integers(1, 12))
    columns = {}
    for j in range(draw(st.integers(1, 4))):
        kind, cells = draw(CELLS)
        picks = draw(st.lists(st.integers(0, len(cells) - 1), min_size=rows, max_size=rows))
        columns[f"c{j}"] = pa.array([cells[pick] for pick in picks], kind)
    return pa.table(columns)


PARAMETERS = st.sampled_from([{"layers": 2, "min_split": 1}, {"members": 1}, {"layers": 1, "criterion": "random"}])


@settings(deadline=None, max_examples=60)
@given(tables(), PARAMETERS)
def test_there_and_back(table, parameters):
    flow = dtf.DiscreteTreeFlow(n_jobs=1, **parameters).fit(table)
    back = flow.inverse_transform(flow.transform(table))
    assert back.schema == table.schema
    assert back.to_pylist() == table.to_pylist()  # 0.0 == -0.0


@settings(deadline=None, max_examples=40)
@given(tables(), PARAMETERS)
def test_probabilities_sum_to_one(table, parameters):
    flow = dtf.DiscreteTreeFlow(closed=True, n_jobs=1, **parameters).fit(table)
    values = [column.combine_chunks().unique().to_pylist() for column in table.columns]
    domain = list(itertools.product(*[sorted(set(column), key=repr) for column in values]))
    cells = [pa.array(column, kind) for column, kind in zip(zip(*domain), table.schema.types)]
    scores = flow.score_samples(pa.table(cells, names=table.column_names))
    assert (scores <= 0).all()
    assert math.isclose(np.exp(scores).sum(), 1, rel_tol=1e-9)


@settings(deadline=None, max_examples=20)
@given(tables())
def test_samples_have_seen_values(table):
    sample = dtf.DiscreteTreeFlow(layers=1, n_jobs=1).fit(table).sample(20, random_state=1)
    for name in table.column_names:
        assert set(sample[name].to_pylist()) <= set(table[name].to_pylist())
