"""Columns become distinct texts and positions: by brute force, over all the ways in which texts are held."""

import numpy as np
import pyarrow as pa
import pytest

import dtf
from dtf._encoding import encode, objects_of, objects_to_arrow

# Of every length that is treated in its own way, with texts that differ in one place only, and NULs.
LENGTHS = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 25, 40]
TEXTS = sorted(
    {
        "".join("b" if i == place else letter for i in range(length))
        for length in LENGTHS
        for place in range(-1, length)
        for letter in "a\0"
    }
    | {"ünï", "日本語の文字列です", "1"}
)


def cells(rows=3_000, missing=True, seed=0):
    """Texts in an order by chance, some missing; each is there, and is an object of its own."""
    random = np.random.default_rng(seed)
    drawn = [*range(len(TEXTS)), *random.integers(0, len(TEXTS), rows)]
    return [None if missing and random.random() < 0.1 else "".join(list(TEXTS[i])) for i in drawn]


def decode(texts, positions):
    assert len(set(texts)) == len(texts)
    return [texts[position] if position >= 0 else None for position in positions]


def in_order_of_appearance(values):
    return list(dict.fromkeys(value for value in values if value is not None))


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()], ids=str)
def test_texts_are_encoded_in_order_of_appearance(kind, missing):
    values = cells(missing=missing)
    texts, positions = encode(pa.array(values, kind))
    assert decode(texts, positions) == values
    assert texts == in_order_of_appearance(values)


def test_chunks_and_slices_share_their_texts():
    values = cells()
    array = pa.array(values)
    for cuts in ([0, 1, 9, 9, 70, len(values)], [13, 29], [5, 5]):
        column = pa.chunked_array([array[a:b] for a, b in zip(cuts, cuts[1:])], pa.string())
        assert decode(*encode(column)) == values[cuts[0] : cuts[-1]]
    assert decode(*encode(array[77:1_001])) == values[77:1_001]


@pytest.mark.skipif(not hasattr(pa, "string_view"), reason="this pyarrow has no views")
def test_views_are_texts():
    values = cells()
    column = pa.array(values, pa.string_view())
    assert decode(*encode(column)) == values
    table = pa.table({"a": column[:50], "b": pa.array(values[:50])})
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=1, allow_unique=True).fit(table)
    assert flow.inverse_transform(flow.transform(table)).equals(table)


@pytest.mark.parametrize("value", ["", None], ids=["empty", "missing"])
def test_columns_without_a_byte(value):
    texts, positions = encode(pa.array([value] * 3, pa.string()))
    assert decode(texts, positions) == [value] * 3


def test_objects_are_what_pyarrow_takes_them_for():
    values = np.array(cells(), object)
    values[::50] = np.nan
    strided = np.stack([values, values[::-1]], axis=1)
    for objects in (values, values[::-1], strided[:, 1], np.array([], object)):
        found = objects_to_arrow(objects_of(objects))
        assert found.to_pylist() == pa.array(objects, from_pandas=True).to_pylist()


@pytest.mark.parametrize(
    "values",
    [[1, 2, None], [1, 2.5, np.nan], [True, False, None], [0.1 * i for i in range(3_000)]],
    ids=["int", "float", "bool", "different"],
)
def test_objects_that_are_no_texts(values):
    objects = np.array(values, object)
    expected = pa.array(objects, from_pandas=True)
    found = objects_to_arrow(objects)
    assert found.to_pylist() == expected.to_pylist()
    assert (found.type.value_type if pa.types.is_dictionary(found.type) else found.type) == expected.type


def test_texts_beside_other_objects_are_no_column():
    with pytest.raises(pa.ArrowException):
        objects_to_arrow(np.array(["x", 1, "x"], object))


def test_moments_keep_their_nanoseconds_and_have_time_zones_or_none():
    pandas = pytest.importorskip("pandas")
    moment = pandas.Timestamp("2020-01-01")
    objects = np.array([moment, moment + pandas.Timedelta(1, "ns"), None, pandas.NaT] * 3, object)
    found = objects_to_arrow(objects)
    ticks = (found.dictionary_decode() if pa.types.is_dictionary(found.type) else found).cast(pa.int64()).to_pylist()
    assert ticks == [moment.value, moment.value + 1, None, None] * 3
    with pytest.raises(TypeError, match="without one"):
        objects_to_arrow(np.array([moment, moment.tz_localize("UTC")], object))
