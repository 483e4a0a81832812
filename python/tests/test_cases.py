"""What went wrong in other tools of this field, as reported by their users."""

import itertools
import pathlib

import numpy as np
import pyarrow as pa
import pytest

import dtf
from tables import correlated


def fit(**cells):
    return dtf.DiscreteTreeFlow(model="tsp", layers=1).fit(pa.table(cells))


def scores(flow, **cells):
    return flow.score_samples(pa.table(cells))


def test_names_and_values_that_look_like_syntax_survive(tmp_path):
    names = ['a,b"c', "{}[]:", "ünï\tçødé", "y", "member", "weight", "line\nbreak", " "]
    values = ['"', "{", "\\", "'", "#", "é", "\x01", "​", "null", "NaN", "-inf", "0x1"]
    table = pa.table({name: values for name in names})
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=1).fit(table)
    flow.save(tmp_path / "m.dtf")
    loaded = dtf.load(tmp_path / "m.dtf")
    assert list(loaded.feature_names_in_) == names
    assert loaded.inverse_transform(flow.transform(table)).equals(table)
    assert set(loaded.sample(100)[names[0]].to_pylist()) <= set(values)


def test_never_seen_is_not_missing_and_is_rarer():
    flow = fit(a=["x", None, None, None, "y", None] * 5)
    missing, unseen = scores(flow, a=[None, "fig"])
    assert unseen < missing


def test_missing_that_never_was_is_never_seen():
    flow = fit(a=["x", "y"] * 10, k=["p", "q"] * 10)
    first, second = scores(flow, a=[None, "fig"], k=["p", "p"])
    assert first == second
    with pytest.raises(dtf.InputError, match="record 1, column `a`: a missing cell"):
        flow.transform(pa.table({"a": pa.array([None], pa.string()), "k": ["p"]}))


def test_a_batch_of_strangers_has_scores():
    flow = fit(a=["x", "y"] * 10)
    alone = scores(flow, a=["u", "v"])
    assert np.isfinite(alone).all() and alone[0] == alone[1]
    assert scores(flow, a=["x", "u"])[1] == alone[0]


def test_paths_with_odd_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    flow = fit(a=["x", "y"])
    for name in ["Ćwiczenie.dtf", "a b.dtf", "-x.dtf", "-", pathlib.Path("path.dtf")]:
        flow.save(name)
        assert (tmp_path / name).exists()
        assert scores(dtf.load(tmp_path / name), a=["x"]) == scores(flow, a=["x"])
    with pytest.raises(dtf.OutputError, match=str(tmp_path)):
        flow.save(tmp_path)


def test_a_failed_save_leaves_the_old_file(tmp_path):
    flow = fit(a=["x", "y"])
    flow.save(tmp_path / "m.dtf")
    old = (tmp_path / "m.dtf").read_bytes()
    (tmp_path / "m.dtf").chmod(0o400)
    with pytest.raises(dtf.OutputError, match="m.dtf"):
        flow.save(tmp_path / "m.dtf")
    assert (tmp_path / "m.dtf").read_bytes() == old


@pytest.mark.parametrize("value", ["False", "no", 0, 1.0])
def test_a_switch_is_true_or_false_and_nothing_else(value):
    with pytest.raises(dtf.UsageError, match="closed"):
        dtf.DiscreteTreeFlow(closed=value).fit(correlated())


@pytest.mark.parametrize("parameters", [{"layers": 3}, {"members": 2}])
def test_the_order_of_rows_does_not_matter(parameters):
    table = correlated(500)
    shuffled = table.take(np.random.default_rng(3).permutation(500))
    first, second = (dtf.DiscreteTreeFlow(**parameters).fit(rows) for rows in (table, shuffled))
    assert first._model.serialize() == second._model.serialize()


def test_a_table_of_mixed_chunks_has_one_category_for_each_value():
    cells = ["1", "2"] * 3_000 + ["A"]
    chunked = pa.chunked_array([cells[i : i + 100] for i in range(0, len(cells), 100)])
    flow = dtf.DiscreteTreeFlow(model="tsp").fit(pa.table({"code": chunked, "t": ["x"] * 6_000 + ["y"]}))
    assert flow._model.schema[0]["categories"] == ["1", "2", "A"]


def test_rare_values_are_kept():
    cells = ["often"] * 3_000 + [f"once {i}" for i in range(2_000)]
    flow = fit(v=cells, k=["a", "b"] * 2_500)
    assert flow.inverse_transform(flow.transform(pa.table({"v": ["once 7"], "k": ["a"]}))).to_pylist() == [
        {"v": "once 7", "k": "a"}
    ]


def test_weights_change_the_model():
    table = correlated()
    weights = np.where(np.array(table["c0"]) == "a", 10, 1)
    plain, weighted = (
        dtf.DiscreteTreeFlow(model="tsp").fit(table, sample_weight=given) for given in (None, weights)
    )
    share = [np.mean(np.array(flow.sample(2_000)["c0"]) == "a") for flow in (plain, weighted)]
    assert share[1] > share[0] + 0.2


def test_no_category_is_invented():
    table = pa.table({"a": ["x", "y", None, "x"] * 10, "n": [1, 2, None, 1] * 10})
    sample = dtf.DiscreteTreeFlow(members=2).fit(table).sample(500)
    for name, column in itertools.product(table.column_names, [sample]):
        assert set(column[name].to_pylist()) <= set(table[name].to_pylist())


def test_thousands_of_columns():
    random = np.random.default_rng(0)
    cells = random.integers(0, 2, (60, 3_000)).astype(np.int8)
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=1).fit(cells)
    assert np.array_equal(flow.inverse_transform(flow.transform(cells)), cells)
