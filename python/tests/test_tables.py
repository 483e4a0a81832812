"""Tables of all kinds go in, and come out as they were."""

import datetime

import numpy as np
import pyarrow as pa
import pytest

import dtf
from tables import correlated, typed

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")


def fit(table, **parameters):
    return dtf.DiscreteTreeFlow(**{"model": "tsp", "layers": 2} | parameters).fit(table)


def model_bytes(flow, path):
    flow.save(path)
    return path.read_bytes()


def not_unicode():
    offsets = pa.py_buffer(np.array([0, 1, 2], np.int32))
    return pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"\xffx")])


def make_frame():
    return pd.DataFrame(
        {
            "i": [1, 2, 2, 1],
            "f": [0.5, np.nan, 0.5, 1.0],
            "b": [True, False, True, True],
            "s": ["x", "y", None, "x"],
            "o": np.array(["x", "y", None, "x"], object),
            "t": np.array([True, None, False, True], object),
            "c": pd.Categorical(["u", "v", None, "u"], categories=["z", "v", "u"], ordered=True),
            "n": pd.Categorical([3, 1, 3, 3], categories=[3, 2, 1]),
            "I": pd.array([1, None, 2, 1], "Int64"),
            "B": pd.array([True, None, True, False], "boolean"),
            "S": pd.array(["p", None, "q", "q"], "string"),
            "d": pd.to_datetime(["2020-01-01", "2020-01-02", None, "2020-01-01"]),
            "z": pd.to_datetime(["2020-01-01", "2020-01-02", None, "2020-01-01"]).tz_localize("Europe/Rome"),
            "a": pd.array(["k", None, "l", "k"], pd.ArrowDtype(pa.string())),
            "A": pd.array([1, None, 2, 1], pd.ArrowDtype(pa.int32())),
        },
        index=[5, 5, 7, 9],
    )


def test_the_model_is_the_same_whatever_holds_the_table(tmp_path):
    table = correlated()
    frame = table.to_pandas()
    relation = duckdb.from_arrow(table)
    tables = [
        table,
        pa.Table.from_batches(table.to_batches(max_chunksize=7)),
        table.to_batches()[0],
        pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=50)),
        frame,
        frame.astype(object),
        frame.astype("category"),
        frame.astype("string"),
        frame.astype(pd.StringDtype("python")),
        pl.from_arrow(table),
        pl.from_arrow(table).with_columns(pl.all().cast(pl.Categorical)),
        relation,
        frame.to_records(index=False),
    ]
    models = {model_bytes(fit(held), tmp_path / "m") for held in tables}
    assert len(models) == 1


def test_dictionaries_may_differ_between_chunks(tmp_path):
    chunks = [pa.array(cells).dictionary_encode() for cells in (["rome", "oslo"], ["oslo", None, "bonn"])]
    whole = pa.array(["rome", "oslo", "oslo", None, "bonn"])
    chunked = fit(pa.table({"city": pa.chunked_array(chunks)}))
    assert model_bytes(chunked, tmp_path / "m") == model_bytes(fit(pa.table({"city": whole})), tmp_path / "m")


def test_pandas_types_come_back():
    frame = make_frame()
    before = frame.copy(deep=True)
    flow = fit(frame)
    sample = flow.sample(200, random_state=1)
    assert list(sample.dtypes) == list(frame.dtypes)
    for name in frame:
        seen = {None if pd.isna(value) else value for value in frame[name]}
        assert {None if pd.isna(value) else value for value in sample[name]} <= seen
    pd.testing.assert_frame_equal(flow.inverse_transform(flow.transform(frame)), frame.reset_index(drop=True))
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("kind", ["pandas", "polars", "numpy"])
def test_no_rows_come_back_as_no_rows(kind):
    table = correlated()
    held = {"pandas": table.to_pandas(), "polars": pl.from_arrow(table), "numpy": table.to_pandas().to_numpy()}[kind]
    flow = fit(held)
    assert flow.sample(0).shape == (0, 4)
    assert flow.score_samples(held[:0]).shape == (0,)
    assert flow.transform(held[:0]).shape == (0, 4)


def test_polars_types_come_back():
    frame = pl.from_arrow(typed().drop_columns(["half", "decimal256", "date64"]))
    frame = frame.with_columns(pl.col("string").cast(pl.Categorical).alias("category"))
    frame = frame.with_columns(pl.col("large_string").cast(pl.Enum(["r", "q", "p"])).alias("enum"))
    flow = fit(frame)
    back = flow.inverse_transform(flow.transform(frame))
    assert back.schema == frame.schema
    plain = pl.col("double").fill_nan(None)  # NaN is missing, and comes back as such
    assert back.equals(frame.with_columns(plain, pl.col("float") + 0))
    assert flow.sample(10, random_state=2).schema == frame.schema


def test_arrow_types_come_back():
    table = typed()
    flow = fit(table)
    back = flow.inverse_transform(flow.transform(table))
    assert back.schema.types == table.schema.types
    for name in table.column_names:
        expected = [None if cell != cell else cell for cell in table[name].to_pylist()]  # NaN is missing
        assert back[name].to_pylist() == expected, name


@pytest.mark.parametrize(
    "cells",
    [
        np.array([[0, 1], [1, 1], [0, 0]]),
        np.array([[0, 255], [1, 0]], np.uint8),
        np.array([[True, False], [True, True]]),
        np.array([[0.5, 1], [2, np.nan]]),
        np.array([[0.1, 1], [2, 0.1]], np.float32),
        np.array([["a", "long text"], ["b", ""]]),
        np.array([["a", 1], [None, 2]], object),
        np.array([["2020-01-01", "NaT"]], "datetime64[D]"),
        np.array([["2020", "NaT"]], "datetime64[Y]"),
        np.array([["2020-01-01T05"]], "datetime64[h]"),
        np.array([[1, 2]], ">i4"),
        np.array([(1, "a"), (2, "b")], [("n", np.int32), ("t", "U3")]),
    ],
    ids=lambda cells: str(cells.dtype),
)
def test_numpy_arrays_come_back(cells):
    flow = fit(cells)
    back = flow.inverse_transform(flow.transform(cells))
    assert back.dtype == cells.dtype
    np.testing.assert_array_equal(back, cells)
    assert hasattr(flow, "feature_names_in_") == (cells.dtype.names is not None)


def test_unused_categories_and_their_order_do_not_matter():
    frame = pd.DataFrame({"a": pd.Categorical(["x", "y", "x", "x"], categories=["z", "y", "x"]), "b": list("pqpq")})
    flow, plain = fit(frame), fit(frame.astype(str))
    assert np.array_equal(flow.score_samples(frame), plain.score_samples(frame.astype(str)))
    assert flow.sample(5).dtypes.equals(frame.dtypes)
    one = pd.DataFrame({"a": pd.Categorical(["y"]), "b": ["q"]})
    other = pd.DataFrame({"a": pd.Categorical(["y"], categories=["y", "x"]), "b": pd.Categorical(["q"])})
    assert flow.score_samples(one) == flow.score_samples(other) == flow.score_samples(frame)[1]


def binned(held, column="a"):
    return fit(held, bins={column: 3}).sample(40, random_state=1)


def test_values_within_bins_are_kept_where_the_fitted_type_has_no_place_for_them():
    cells = [i / 2 for i in range(60)]
    texts = [str(cell) for cell in cells]
    expected = binned(pa.table({"a": cells}))["a"].to_pylist()
    assert not set(expected) <= set(cells)
    categories = pd.DataFrame({"a": pd.Categorical(cells)})
    assert binned(categories)["a"].tolist() == expected
    missing = pd.DataFrame({"a": pd.Categorical([*cells, None])})
    assert binned(missing)["a"].isna().sum() == binned(pa.table({"a": [*cells, None]}))["a"].null_count > 0
    assert [float(text) for text in binned(np.array([texts]).T, "c1")[:, 0]] == expected
    records = np.array([(text, 1) for text in texts], [("a", "U4"), ("n", int)])
    assert [float(text) for text in binned(records)["a"]] == expected
    assert binned(records).dtype["n"] == records.dtype["n"]
    enum = pl.DataFrame({"a": texts}, schema={"a": pl.Enum(texts)})
    assert [float(text) for text in binned(enum)["a"]] == expected


def test_values_match_by_what_they_are():
    flow = fit(pd.DataFrame({"n": ["1", "1", "2", None], "k": ["a", "b", "a", "b"]}))
    score = {}
    for cells in ([1, 2], ["1", "2"], [1.0, 2.0], [True, False], [1.0, None], [7, 7]):
        score[str(cells)] = flow.score_samples(pd.DataFrame({"n": cells, "k": ["a", "a"]}))
    assert np.array_equal(score["[1, 2]"], score["['1', '2']"])
    assert np.array_equal(score["[1, 2]"], score["[1.0, 2.0]"])
    assert score["[1.0, None]"][0] == score["[1, 2]"][0]
    assert np.array_equal(score["[True, False]"], score["[7, 7]"])  # never seen


def test_texts_that_look_missing_are_not():
    frame = pd.DataFrame({"a": np.array(["nan", "NaN", None, "None", "<NA>"], object), "k": list("11122")})
    flow = fit(frame)
    assert len(set(flow.transform(frame)[:, 0])) == 5
    assert list(flow.inverse_transform(flow.transform(frame))["a"]) == list(frame["a"])


def test_columns_are_matched_by_name():
    table = correlated()
    flow = fit(table)
    assert np.array_equal(flow.score_samples(table.select(["c3", "c1", "c0", "c2"])), flow.score_samples(table))
    with pytest.raises(dtf.InputError, match="c2"):
        flow.score_samples(table.drop_columns(["c2"]))
    with pytest.raises(dtf.InputError, match="more"):
        flow.score_samples(table.append_column("more", table["c0"]))
    with pytest.warns(UserWarning, match="feature names"):
        assert np.array_equal(flow.score_samples(table.to_pandas().to_numpy()), flow.score_samples(table))


@pytest.mark.parametrize("cells", [[0, 0, 5, 0], [0.0, np.nan, 2.5, 0.0], [False, False, True, False]])
def test_sparse_columns_are_as_dense_ones(cells):
    dense = pd.DataFrame({"a": cells * 10, "b": list("xyxx") * 10})
    sparse = dense.astype({"a": pd.SparseDtype(dense["a"].dtype)})
    flow = fit(sparse)
    assert flow._model.serialize() == fit(dense)._model.serialize()
    assert flow.inverse_transform(flow.transform(sparse)).equals(sparse)


MIXED = [datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 23, 59)]


def test_tables_at_fault_are_refused_by_name():
    levels = pd.MultiIndex.from_tuples([("a", "b"), ("a", "c")])
    for frame, words in [
        (pd.DataFrame([[1, 2]], columns=levels), "MultiIndex of its columns"),
        (pd.DataFrame({"a": [1, 2]}, index=levels), "MultiIndex of its rows"),
        (pd.DataFrame({"a": np.array([1, "x"], object)}), "column `a`: its cells are not all of one type"),
        (pd.DataFrame({"a": np.array([True, 1], object)}), "column `a`: its cells are not all of one type"),
        (pd.DataFrame({"a": np.array(MIXED, object)}), "column `a`: its cells .*date.2020, 1, 1. beside datetime"),
        (pd.DataFrame({"a": pd.arrays.SparseArray(np.array(MIXED, object))}), "column `a`: its cells are not all"),
        (pd.DataFrame({"a": pd.Categorical(MIXED, pd.Index(MIXED, dtype=object))}), "column `a`: its cells are not"),
        (pd.DataFrame({"a": [[1], [2]]}), "column `a`: cells of type list"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "column `a` twice"),
        (pd.DataFrame({"a": [], "b": []}), "0 rows"),
        (pd.DataFrame(index=range(5)), "0 columns"),
        (pd.DataFrame({"a": pd.to_timedelta([1, 2])}), "column `a`: cells of type timedelta64"),
        (pd.DataFrame({"a": pd.period_range("2020", periods=3, freq="M")}), r"column `a`: cells of type period\[M\]"),
        (pd.DataFrame({"a": pd.interval_range(0, 3)}), "column `a`: cells of type interval"),
        (pd.DataFrame({"a": pd.Categorical([b"x"])}), "column `a`: cells of type binary"),
        (pd.DataFrame({"a": np.array([b"x"], object)}), "column `a`: cells of type binary"),
        (pd.DataFrame({"a": np.array([2**70, 1], object)}), "column `a`: its cells are not all of one type"),
        (pd.DataFrame({"a": pd.Series(["\ud800", "x"], dtype=object)}), "column `a`: a text is no valid Unicode"),
        (np.array([["x", "\ud800"]]), "column `c2`: a text is no valid Unicode"),
        (np.array([["x", "\ud800"]], object), "column `c2`: a text is no valid Unicode"),
        (pl.DataFrame({"a": [[1], [2]]}), "column `a`: cells of type large_list"),
        (pa.table({"a": pa.array([{"x": 1}])}), "column `a`: cells of type struct"),
        (pa.table({"a": not_unicode()}), "column `a`: a text is no valid Unicode"),
        (pa.table({"a": not_unicode().dictionary_encode()}), "column `a`: a text is no valid Unicode"),
        (pd.DataFrame([[1]], columns=pd.Index(["\ud800"], dtype=object)), "column named '.ud800'"),
        (np.zeros(2, [("a", complex)]), "column `a`: its cells"),
        (np.zeros(2, [("a", [("b", int)])]), "column `a`: its cells"),
        (np.zeros(2, [("a", object, 2)]), "column `a`: its cells"),
        (np.empty((3, 0)), "0 columns"),
        (pa.table({"a": pa.chunked_array([], pa.string())}), "0 rows"),
        (np.arange(4), "Reshape your data"),
        (np.array([[1j]]), "Complex data not supported"),
    ]:
        with pytest.raises(dtf.InputError, match=words):
            fit(frame)
    for table, words in [
        (pd.DataFrame([[1, 2]], columns=["a", 1]), "string names"),
        (pl.LazyFrame({"a": [1]}), "collect"),
        (7, "a table is needed"),
    ]:
        with pytest.raises(TypeError, match=words):
            fit(table)


@pytest.mark.skipif(not hasattr(pl, "Int128"), reason="this polars has no Int128")
def test_types_of_polars_that_arrow_lacks_are_refused_by_name():
    frame = pl.DataFrame({"a": [1], "b": [2**100]}, schema={"a": pl.Int64, "b": pl.Int128})
    with pytest.raises(dtf.InputError, match="column `b`: cells of type Int128"):
        fit(frame)


def test_a_stream_of_a_type_that_pyarrow_lacks_is_refused():
    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            raise pa.ArrowNotImplementedError("of the future")

    with pytest.raises(dtf.InputError, match="of the future.*newer pyarrow"):
        fit(Stream())


@pytest.mark.parametrize("column", [pd.Series([1, 2]), pl.Series([1, 2]), pa.array([1, 2]), pa.chunked_array([[1]])])
def test_a_single_column_is_no_table(column):
    with pytest.raises((TypeError, dtf.InputError), match="a table is needed|Reshape your data"):
        fit(column)


def test_columns_numbered_by_pandas_come_back():
    frame = pd.DataFrame([[1, "x"], [2, "y"], [2, "x"]])
    flow = fit(frame)
    assert not hasattr(flow, "feature_names_in_")
    pd.testing.assert_frame_equal(flow.inverse_transform(flow.transform(frame)), frame)


def test_anything_with_an_arrow_stream_is_a_table():
    class Stream:
        def __init__(self, table):
            self.table = table

        def __arrow_c_stream__(self, requested_schema=None):
            return self.table.__arrow_c_stream__(requested_schema)

    flow = fit(Stream(correlated()))
    assert isinstance(flow.sample(3), pa.Table)
    assert np.array_equal(flow.score_samples(Stream(correlated())), flow.score_samples(correlated()))


def test_duckdb_relations_are_tables():
    table = correlated()
    relation = duckdb.from_arrow(table)
    assert np.array_equal(fit(table).score_samples(relation), fit(relation).score_samples(table))
    assert isinstance(fit(relation).sample(3), pa.Table)
