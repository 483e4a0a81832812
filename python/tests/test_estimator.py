"""What the estimator promises besides its numbers."""

import copy
import itertools
import math
import pickle

import numpy as np
import pyarrow as pa
import pytest

import dtf
from tables import correlated


def tsp(**parameters):
    return dtf.DiscreteTreeFlow(**{"model": "tsp", "layers": 2} | parameters)


@pytest.mark.parametrize("parameters", [{"layers": 2}, {"members": 1}, {"members": 2}, {"layers": 1, "base": None}])
def test_scores_of_a_closed_domain_sum_to_one(parameters):
    table = correlated(80, columns=3)
    flow = dtf.DiscreteTreeFlow(closed=True, **parameters).fit(table)
    domain = list(itertools.product(*(sorted(set(column.to_pylist())) for column in table.columns)))
    scores = flow.score_samples(pa.table(dict(zip(table.column_names, map(list, zip(*domain))))))
    assert (scores <= 0).all()
    assert math.isclose(np.exp(scores).sum(), 1, rel_tol=1e-9)


def test_score_is_the_mean_log_likelihood():
    table = correlated()
    flow = tsp().fit(table)
    scores = flow.score_samples(table)
    assert flow.score(table) == scores.mean()
    assert flow.score(table, sample_weight=np.arange(400)) == np.average(scores, weights=np.arange(400))
    assert flow.score(table, sample_weight=[1.7e308] * 400) == pytest.approx(scores.mean())
    assert math.isclose(-flow.train_nll_, scores.mean(), rel_tol=1e-12)
    np.testing.assert_allclose(flow.score_per_column(table).sum(axis=1), scores, rtol=1e-12)


def test_a_mixture_has_no_scores_per_column():
    with pytest.raises(dtf.UsageError, match="per column"):
        dtf.DiscreteTreeFlow(members=2).fit(correlated()).score_per_column(correlated())


def test_a_sample_is_one_long_list():
    flow = tsp().fit(correlated())
    assert flow.sample(100, random_state=5).slice(0, 10).equals(flow.sample(10, random_state=5))
    parts = [flow.sample(40, random_state=5, first_row=first) for first in (0, 40, 80)]
    assert pa.concat_tables(parts).equals(flow.sample(120, random_state=5))
    assert not flow.sample(100, random_state=6).equals(flow.sample(100, random_state=5))
    assert flow.sample(10).equals(flow.sample(10, random_state=flow.random_state))


def test_sampled_frequencies_are_the_scores():
    flow = tsp(closed=True).fit(correlated(200, columns=2))
    sample = flow.sample(20_000, random_state=1)
    rows, counts = np.unique(np.array([column.to_pylist() for column in sample.columns]).T, axis=0, return_counts=True)
    probability = np.exp(flow.score_samples(pa.table({"c0": rows[:, 0], "c1": rows[:, 1]})))
    deviation = (counts - 20_000 * probability) / np.sqrt(20_000 * probability)
    assert np.abs(deviation).max() < 5


def test_no_result_depends_on_threads():
    table = correlated(2_000)
    flows = [dtf.DiscreteTreeFlow(members=2, n_jobs=n_jobs).fit(table) for n_jobs in (1, 3, -1, None)]
    assert len({pickle.dumps(flow._model.serialize()) for flow in flows}) == 1
    assert len({flow.score_samples(table).tobytes() for flow in flows}) == 1


@pytest.mark.parametrize(
    "clone", [copy.deepcopy, lambda flow: pickle.loads(pickle.dumps(flow))], ids=["deepcopy", "pickle"]
)
def test_copies_are_whole(clone):
    frame = pytest.importorskip("pandas").DataFrame({"a": [1, 2, 2, 1], "b": ["x", None, "x", "x"]})
    flow = tsp(random_state=3).fit(frame)
    again = clone(flow)
    assert again.get_params() == flow.get_params()
    assert np.array_equal(again.score_samples(frame), flow.score_samples(frame))
    assert again.sample(20).equals(flow.sample(20))
    assert again.choices_ == flow.choices_ and again.n_features_in_ == 2


def test_a_pickle_holds_the_file_and_no_code(tmp_path):
    flow = tsp().fit(correlated())
    flow.save(tmp_path / "m.dtf")
    assert (tmp_path / "m.dtf").read_bytes() in pickle.dumps(flow)
    damaged = flow.__getstate__()
    damaged["_model"] = damaged["_model"][:-1]
    with pytest.raises(dtf.ModelFileError, match="the pickled model"):
        tsp().__setstate__(damaged)


def test_a_second_fit_replaces_the_first_and_a_failed_one_nothing():
    flow = tsp().fit(correlated())
    with pytest.raises(dtf.UsageError):
        flow.set_params(layers=-1).fit(correlated(columns=2))
    assert flow.n_features_in_ == 4
    assert flow.set_params(layers=1).fit(correlated(columns=2)).n_features_in_ == 2
    alone = tsp(layers=1).fit(correlated(columns=2))
    assert np.array_equal(alone.score_samples(correlated(columns=2)), flow.score_samples(correlated(columns=2)))


def test_before_fit_everything_says_so(tmp_path):
    table = correlated()
    calls = [
        lambda flow: flow.score_samples(table),
        lambda flow: flow.score(table),
        lambda flow: flow.sample(3),
        lambda flow: flow.transform(table),
        lambda flow: flow.inverse_transform([[0, 0, 0, 0]]),
        lambda flow: flow.save(tmp_path / "m.dtf"),
        lambda flow: flow.learning_curve_,
        lambda flow: flow.get_feature_names_out(),
    ]
    for call in calls:
        with pytest.raises(dtf.NotFittedError, match="not fitted yet: call fit"):
            call(tsp())


def test_decoding_is_possible_straight_after_loading(tmp_path):
    table = correlated()
    flow = tsp().fit(table)
    flow.save(tmp_path / "m.dtf")
    codes = flow.transform(table)
    assert dtf.load(tmp_path / "m.dtf").inverse_transform(codes).equals(table)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_called_as_those_of_an_array_are_matched_by_name(tmp_path, library):
    """Also where nobody knows whether the fitted table had names: in a loaded model."""
    table = correlated().rename_columns(["c1", "c2", "c3", "c4"])
    array = table.to_pandas().to_numpy(object)
    flow = tsp().fit(table)
    flow.save(tmp_path / "m.dtf")

    def turned(columns):
        held = columns.select(["c4", "c2", "c1", "c3"])
        if library == "pandas":
            return held.to_pandas()
        return pytest.importorskip("polars").from_arrow(held) if library == "polars" else held

    for model in (flow, dtf.load(tmp_path / "m.dtf"), tsp().fit(array)):
        assert np.array_equal(model.score_samples(turned(table)), flow.score_samples(table))
        codes = model.transform(turned(table))
        assert np.array_equal(codes, flow.transform(table))
        latent = turned(pa.table(dict(zip(model.get_feature_names_out(), codes.T))))
        assert np.array_equal(model.inverse_transform(latent), model.inverse_transform(codes))
    assert np.array_equal(tsp().fit(array, valid=turned(table)).score_samples(array), flow.score_samples(table))


def test_files_at_fault_are_named(tmp_path):
    with pytest.raises(dtf.ModelFileError, match="no-such-file"):
        dtf.load(tmp_path / "no-such-file")
    (tmp_path / "text").write_text("no model")
    with pytest.raises(dtf.ModelFileError, match="text"):
        dtf.load(tmp_path / "text")
    with pytest.raises(dtf.OutputError, match="no/such/folder"):
        tsp().fit(correlated()).save(tmp_path / "no/such/folder")


def test_codes_at_fault_are_named():
    flow = tsp().fit(correlated())
    for codes, words in [
        ([[0, 0, 0, 0], [0, 0, 4, 0]], "record 2, column `c2`: 4 is no code"),
        ([[0, 0, -1, 0]], "column `c2`: -1 is no code"),
        ([[0, 0, 0, 0], [0, 0, 0.5, 0]], "record 2, column `c2`: 0.5 is no code; they are whole numbers from 0 to 3"),
        ([[0, 0, 0, float("nan")]], "record 1, column `c3`: nan is no code"),
        ([[0, float("inf"), 0, 0]], "record 1, column `c1`: inf is no code"),
        ([[0, 0, 0, 0], [None, 0, 0, 0]], "record 2, column `c0`: None is no code"),
        (np.array([[0, 1.0, True, 0]], object), "record 1, column `c2`: True is no code"),
        ([[0, 0, 0, 10**30]], "column `c3`: 1000"),
        ([[0, 0]], "4 columns"),
        ([["a", "b", "c", "d"]], "whole numbers"),
    ]:
        with pytest.raises(dtf.InputError, match=words):
            flow.inverse_transform(codes)


def test_unseen_values_have_scores_but_no_codes():
    flow = tsp().fit(correlated())
    stranger = correlated().slice(0, 1).set_column(0, "c0", pa.array(["stranger"]))
    assert np.isfinite(flow.score_samples(stranger)).all()
    with pytest.raises(dtf.InputError, match="record 1, column `c0`: `stranger`"):
        flow.transform(stranger)
    with pytest.raises(dtf.InputError, match="`stranger`"):
        tsp(closed=True).fit(correlated()).score_samples(stranger)


@pytest.mark.parametrize(
    "parameters, words",
    [
        ({"layers": "many"}, "layers many"),
        ({"max_depth": 1000}, "max_depth must lie"),
        ({"max_depth": "deep"}, "max_depth='deep': give a whole number, or None"),
        ({"max_depth": 2.0}, "max_depth=2.0: give a whole number"),
        ({"layers": 2.0}, "layers=2.0: give auto or a whole number"),
        ({"layers": True}, "layers=True: give auto or a whole number"),
        ({"closed": None}, "closed=None: give True or False"),
        ({"model": None}, "model=None: give auto or tsp or autoregressive$"),
        ({"criterion": b"glp"}, "criterion=b'glp': give glp or"),
        ({"alpha": "1"}, "alpha='1': give a number, or None"),
        ({"split_values": 2**70}, "split_values must be below 1.8e.19$"),
        ({"min_split": 10**400}, "min_split must be below 1.8e.308$"),
        ({"alpha": -1}, "alpha must be 0 or more$"),
        ({"features_per_node": -1}, "features_per_node must be 0 or more$"),
        ({"weights": 3}, "weights=3: give a text"),
        ({"model": "autoregressive", "layers": None, "members": True}, "members=True: give a whole number"),
        ({"model": "autoregressive", "layers": None, "order": 5}, "order=5: give a text, or a list"),
        ({"bins": 5}, "bins=5: give numbers of bins by column"),
        ({"bins": {"c1": 2.5}}, "bins=.*2.5.*: give numbers of bins by column"),
        ({"bins": {1: 2}}, "give numbers of bins by column"),
        ({"ordered": [1]}, "ordered=.*: give a list of texts"),
        ({"criterion": "gini"}, "criterion gini"),
        ({"model": "tree"}, "model tree"),
        ({"members": 3}, "members"),
        ({"bins": {"c9": 3}}, "bins: .* no column `c9`"),
        ({"ordered": "c1"}, "a list of texts"),
        ({"random_state": -1}, "random_state"),
        ({"random_state": True}, "random_state=True"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"n_jobs": True}, "n_jobs=True"),
        ({"n_jobs": 10**30}, "n_jobs must lie"),
        ({"valid_fraction": 2}, "valid_fraction must lie"),
    ],
)
def test_parameters_at_fault_are_named_as_in_python(parameters, words):
    with pytest.raises(dtf.UsageError, match=words) as caught:
        tsp(**parameters).fit(correlated())
    assert "--" not in str(caught.value)


def test_parameters_may_be_numpy_numbers():
    plain = tsp(max_depth=3, alpha=1, min_split=5, ordered=["c1"]).fit(correlated())
    numbers = {"max_depth": np.int8(3), "alpha": np.float64(1), "min_split": np.int64(5), "ordered": np.array(["c1"])}
    assert tsp(**numbers).fit(correlated())._model.serialize() == plain._model.serialize()


def test_arguments_at_fault_are_named():
    flow = tsp().fit(correlated())
    for call, words in [
        (lambda: flow.sample(-1), "n_samples=-1: give a whole number from 0 on"),
        (lambda: flow.sample(2.0), "n_samples=2.0"),
        (lambda: flow.sample(True), "n_samples=True"),
        (lambda: flow.sample(1, first_row=-1), "first_row=-1"),
        (lambda: flow.sample(1, first_row=2**63), "2.63 rows"),
        (lambda: flow.fit(correlated(), callbacks=3), "callbacks=3: give a list of functions"),
        (lambda: flow.fit(correlated(), callbacks=["loud"]), "callbacks: 'loud' cannot be called"),
        (lambda: tsp(weights="c1").fit(correlated(), sample_weight=[1] * 400), "sample_weight and weights exclude"),
        (lambda: dtf.load("a\0b"), "name"),
        (lambda: flow.save("\udcff"), "name"),
        (lambda: flow.set_output(transform="arrow"), "give one of default, pandas, polars"),
    ]:
        with pytest.raises(dtf.UsageError, match=words):
            call()
    with pytest.raises(TypeError, match="valid: a table is needed"):
        flow.fit(correlated(), valid=5)


@pytest.mark.parametrize("rows", [10**12, 2**63])
def test_a_sample_that_no_memory_holds_names_its_size_and_the_ways_out(rows):
    with pytest.raises(dtf.OutOfMemoryError, match=f"{rows} rows and 4 columns .* {rows * 48:,} bytes .* first_row"):
        tsp().fit(correlated()).sample(rows)


def test_weights_at_fault_are_named():
    flow = tsp().fit(correlated())
    for weights, words in [
        ([1] * 399, "shape"),
        ([-1] + [1] * 399, "record 1"),
        ([float("nan")] * 400, "is no weight"),
        ([0] * 400, "all weights are zero"),
        (["a"] * 400, "not all numbers"),
        (np.ones(400, complex), "not all numbers"),
        (np.zeros(400, "M8[D]"), "not all numbers"),
        ([1, [2]], "sample_weight"),
    ]:
        with pytest.raises(dtf.InputError, match=words):
            tsp().fit(correlated(), sample_weight=weights)
        with pytest.raises(dtf.InputError, match=words):
            flow.score(correlated(), sample_weight=weights)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_a_column_of_weights_is_no_column_of_the_model(library):
    columns = {"w": [1, 2] * 20, "half": [0.5, 1.5] * 20, "ok": [True, False] * 20, "name": ["bob", "eve"] * 20}
    table = pa.table(columns)
    if library == "pandas":
        table = pytest.importorskip("pandas").DataFrame(columns)
    if library == "polars":
        table = pytest.importorskip("polars").DataFrame(columns)
    flow = dtf.DiscreteTreeFlow(members=1, weights="w").fit(table)
    back = flow.inverse_transform(flow.transform(table))
    expected = table[["half", "ok", "name"]] if library == "pandas" else table.select(["half", "ok", "name"])
    assert back.equals(expected)
    assert type(flow.sample(4)) is type(table)
    scores = flow.score_samples(expected)
    assert (flow.score_samples(table) == scores).all()
    flow.set_params(weights=None)  # it is the fitted model that counts
    for model in (flow, pickle.loads(pickle.dumps(flow))):
        assert model.score(table) == np.average(scores, weights=[1, 2] * 20) != model.score(expected)
        assert model.score(table, sample_weight=[1] * 40) == model.score(expected)


def test_a_column_of_weights_of_an_array_is_known_by_its_place():
    cells = np.array([[0, 5, 1], [1, 7, 1], [1, 5, 2]] * 20)
    flow = dtf.DiscreteTreeFlow(members=1, weights="c3").fit(cells)
    scores = flow.score_samples(cells[:, :2])
    assert (flow.score_samples(cells) == scores).all()
    assert flow.score(cells) == np.average(scores, weights=cells[:, 2])
    middle = dtf.DiscreteTreeFlow(members=1, weights="c2").fit(cells[:, [0, 2, 1]])
    assert (middle.score_samples(cells[:, [0, 2, 1]]) == scores).all()
    assert (middle.score_samples(cells[:, :2]) == scores).all()


def test_a_row_of_weight_0_does_not_matter_even_if_it_is_impossible():
    flow = tsp(layers=0, alpha=0, weights="w").fit(pa.table({"a": ["x", "y"], "w": [3, 1]}))
    table = pa.table({"a": ["x", "u"], "w": [1, 0]})
    assert np.isneginf(flow.score_samples(table)[1])
    assert flow.score(table) == flow.score(table, sample_weight=[2, 0]) == flow.score_samples(table)[0]
    for cells, words in [([-1, 1], "record 1, column `w`: `-1` is no weight"), ([0, 0], "column `w`: all weights are")]:
        with pytest.raises(dtf.InputError, match=words):
            flow.score(pa.table({"a": ["x", "y"], "w": cells}))


def test_a_row_of_weight_0_may_have_values_that_cannot_be():
    table = pa.table({"a": ["x", "y", "x", "u"], "w": [3, 1, 2, 0]})
    flow = tsp(weights="w", closed=True).fit(table)
    assert flow.score(table) == flow.score(table[:3]) == flow.score(table.drop_columns("w"), sample_weight=[3, 1, 2, 0])
    with pytest.raises(dtf.InputError, match="`u` is not a value"):
        flow.score(table, sample_weight=[1, 1, 1, 1])


def test_a_reader_is_read_once():
    table = correlated()
    codes = tsp().fit_transform(table.to_reader())
    assert np.array_equal(codes, tsp().fit_transform(table)) and len(codes) == table.num_rows


def test_masked_cells_come_back_masked():
    masked = np.ma.array([[0, 1], [2, 1], [0, 2]] * 4, mask=[[0, 1], [0, 0], [1, 0]] * 4)
    flow = dtf.DiscreteTreeFlow(members=1).fit(masked)
    again = flow.inverse_transform(flow.transform(masked))
    assert np.array_equal(again.mask, masked.mask)
    assert np.array_equal(again.filled(9), masked.filled(9))
    assert again.dtype == masked.dtype
    sample = flow.sample(200, random_state=1)
    assert sample.mask.any() and np.isfinite(flow.score_samples(sample)).all()


def test_masked_fields_of_a_structured_array_are_missing_and_come_back_masked():
    cells = [("x", 1), ("x", 2), ("y", 1)] * 10
    masked = np.ma.array(cells, dtype=[("s", "U1"), ("k", "i4")], mask=[(True, False), (False, False), (False, True)] * 10)
    flow = dtf.DiscreteTreeFlow(members=1).fit(masked)
    again = flow.inverse_transform(flow.transform(masked))
    for field, filled in (("s", "z"), ("k", 9)):
        assert np.array_equal(again[field].filled(filled), masked[field].filled(filled))


def test_what_is_missing_in_types_without_a_value_for_it_is_never_a_zero():
    """As in a table fitted without missing cells, of which a domain has some."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"i": np.array([0, 1] * 20, "i2"), "b": [True, False] * 20})
    domain = pandas.DataFrame({"i": pandas.array([0, 1, None], "Int16"), "b": pandas.array([True, False, None])})
    sample = tsp(alpha=30).fit(frame, domain=domain).sample(200, random_state=1)
    assert list(map(str, sample.dtypes)) == ["Int16", "boolean"]
    assert sample.isna().any().all() and 50 < (sample["i"] == 0).sum() < 90

    cells = np.array([[0, 1], [1, 0]] * 20)
    closed = np.ma.array([[0, 0], [1, 1], [0, 0]], mask=[[0, 0], [0, 0], [1, 1]])
    sample = tsp(alpha=30).fit(cells, domain=closed).sample(200, random_state=1)
    assert sample.dtype == cells.dtype and sample.mask.any(axis=0).all()
    records = cells.copy().view([("a", int), ("b", int)])[:, 0]
    sample = tsp(alpha=30).fit(records, domain=closed).sample(200, random_state=1)
    assert all(sample[field].mask.any() and not sample[field].mask.all() for field in "ab")


@pytest.mark.skipif(not hasattr(np, "dtypes") or not hasattr(np.dtypes, "StringDType"), reason="of numpy 2")
@pytest.mark.parametrize("missing", [None, np.nan])
def test_missing_texts_of_numpy_come_back_missing(missing):
    cells = np.array([["x", missing], ["y", "2"]] * 5, np.dtypes.StringDType(na_object=missing))
    flow = dtf.DiscreteTreeFlow(members=1).fit(cells)
    again = flow.inverse_transform(flow.transform(cells))
    assert again.dtype == cells.dtype
    assert np.array_equal(flow.score_samples(again), flow.score_samples(cells))


def test_texts_of_a_fixed_width_keep_their_nuls():
    cells = np.array([["a\0b", "x"], ["a\0c", "y"], ["a", "y"]] * 4)
    flow = dtf.DiscreteTreeFlow(members=1).fit(cells)
    assert np.array_equal(flow.inverse_transform(flow.transform(cells)), cells)


def test_masked_cells_are_missing():
    cells = np.array([[1, 2], [3, 2], [1, 4], [3, 4]] * 20)
    mask = np.zeros(cells.shape, bool)
    mask[::3, 1] = True
    missing = cells.astype(object)
    missing[mask] = None
    masked = np.ma.array(cells, mask=mask)
    scores = dtf.DiscreteTreeFlow(members=1).fit(masked).score_samples(masked)
    assert (scores == dtf.DiscreteTreeFlow(members=1).fit(missing).score_samples(missing)).all()


def test_codes_in_a_frame_are_matched_by_name():
    pandas = pytest.importorskip("pandas")
    table = correlated()
    flow = tsp().fit(table)
    names = flow.get_feature_names_out()
    codes = pandas.DataFrame(flow.transform(table), columns=names)
    assert flow.inverse_transform(codes[names[::-1]]).equals(table)
    assert flow.inverse_transform(pa.table({name: codes[name] for name in names[::-1]})).equals(table)
    assert flow.inverse_transform(codes.convert_dtypes()).equals(table)
    assert flow.inverse_transform(codes.convert_dtypes().astype({names[0]: float})).equals(table)
    with pytest.raises(dtf.InputError, match="QQ"):
        flow.inverse_transform(codes.rename(columns={names[0]: "QQ"}))


@pytest.mark.parametrize(
    "parameters, words",
    [({"valid_fraction": 0.2}, "no effect of valid_fraction:"), ({"refit": False}, "no effect of refit=False:")],
)
def test_options_without_effect_are_warned_of(parameters, words):
    with pytest.warns(UserWarning, match=words) as caught:
        dtf.DiscreteTreeFlow(members=1, **parameters).fit(correlated())
    assert "given as valid are never learnt from" in str(caught[0].message) and "--" not in str(caught[0].message)


def test_the_way_out_of_a_cell_that_is_no_number_is_one_of_python():
    with pytest.raises(dtf.InputError, match="column `n`: `it's` is not a number.* replace it by None first$") as caught:
        tsp(bins={"n": 2}).fit(pa.table({"n": ["1", "2", "it's"]}))
    assert "--" not in str(caught.value) and "command line" not in str(caught.value)


def test_warnings_are_warnings():
    ids = pa.table({"id": [f"row {i}" for i in range(150)], "a": ["x", "y"] * 75})
    with pytest.warns(UserWarning, match="column `id` has 150 different values in 150 rows"):
        tsp().fit(ids)


def test_callbacks_hear_each_step_and_can_end_the_fit():
    steps = []
    flow = tsp(layers=3).fit(correlated(), callbacks=[steps.append])
    assert [step.step for step in steps] == [0, 1, 2, 3]
    curve = flow.learning_curve_
    assert [step.train_nll for step in steps] == list(curve["train_nll"])
    assert all(step.kind == "layer" and step.of == 3 for step in steps)

    class Enough(Exception):
        pass

    def stop(step):
        raise Enough

    fitted = pickle.dumps(flow)
    with pytest.raises(Enough):
        flow.fit(correlated(columns=2), callbacks=[stop])
    assert pickle.dumps(flow) == fitted


def test_callbacks_hear_of_phases_between_members():
    steps = []
    flow = dtf.DiscreteTreeFlow().fit(correlated(), callbacks=[steps.append], progress=True)
    members = [step for step in steps if step.kind == "member"]
    assert [step.step for step in members] == list(range(1, len(members) + 1))
    assert [step.valid_nll for step in members] == list(flow.learning_curve_["valid_nll"])
    phases = [step for step in steps if step.kind == "phase"]
    assert phases[0].note == "trying kinds of members" and phases[-1].note == "learning latent models"
    assert all(step.step in (0, *(member.step for member in members)) and step.valid_nll is None for step in phases)
    assert str(phases[0]).startswith("trying kinds of members, from ")


def test_progress_goes_to_standard_error(capfd):
    tsp(layers=3).fit(correlated(), progress=True)
    out, err = capfd.readouterr()
    assert out == "" and ("3/3" in err or "layer 3 of 3" in err)
    tsp(layers=3).fit(correlated())
    assert capfd.readouterr() == ("", "")


def test_latent_columns_have_names():
    assert list(tsp().fit(correlated()).get_feature_names_out()) == ["c0", "c1", "c2", "c3"]
    forest = dtf.DiscreteTreeFlow(members=2).fit(correlated())
    assert list(forest.get_feature_names_out()) == ["member", "c0", "c1", "c2", "c3"]
    assert forest.transform(correlated()).shape == (400, 5)


@pytest.mark.parametrize("sizes", [(1, 2), (2, 3), (16, 37), (64, 255), (256, 257)])
def test_awkward_numbers_of_categories(sizes):
    rows = 3 * max(sizes)
    table = pa.table({f"k{k}": [f"v{(i * 7 + k) % k}" for i in range(rows)] for k in (*sizes, 3)})
    flow = tsp(allow_unique=True).fit(table)
    assert flow.inverse_transform(flow.transform(table)).equals(table)
