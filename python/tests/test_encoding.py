"""Columns become distinct texts and positions: by brute force, over all the ways in which texts are held."""

import itertools
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal

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


# Of each kind values that are all different; those of several kinds are no column.
EAST = timezone(timedelta(hours=5))
KINDS = {
    "truth": [True, np.bool_(False)],
    "number": [1, 2.5, np.int8(3), np.float32(0.1), np.float64(0.1)],
    "half": [np.float16(0.1), np.float16(1)],
    "date": [date(2020, 1, 1), date(1970, 1, 2)],
    "moment": [datetime(2020, 1, 1), datetime(2020, 1, 1, 23, 59)],
    "moment somewhere": [datetime(2020, 1, 1, tzinfo=EAST), datetime(2020, 1, 1, tzinfo=timezone.utc)],
    "moment of numpy": [np.datetime64("2020-01-01T00:00:00"), np.datetime64("1970-01-01T00:00:01")],
    "time": [time(9), time(0, 0, 0, 1)],
    "duration": [timedelta(1), timedelta(0, 0, 1)],
    "text": ["1", np.str_("x")],
    "bytes": [b"1", b"x"],
}


def object_array(values):
    array = np.empty(len(values), object)
    array[:] = values
    return array


@pytest.mark.parametrize("kind", KINDS)
def test_values_of_several_kinds_are_no_column(kind):
    """Whichever comes first: pyarrow makes the later ones what the first is, or crashes."""
    others = [value for other in KINDS if other != kind for value in KINDS[other]]
    for value, other in itertools.product(KINDS[kind], others):
        with pytest.raises((TypeError, pa.ArrowException)):
            objects_to_arrow(object_array([None, value, np.nan, other]))
    for value, other in itertools.permutations(KINDS[kind], 2):
        assert len(set(objects_to_arrow(object_array([value, None, other])).to_pylist())) == 3


def test_numbers_without_a_common_type_are_no_column():
    pairs = [(0.5, Decimal("0.5")), (np.longdouble(1) / 3, 1 / 3), (0.5, 2**53 + 1)]
    for cells in itertools.chain(*map(itertools.permutations, pairs)):
        with pytest.raises((TypeError, pa.ArrowException)):
            objects_to_arrow(object_array(cells))


@pytest.mark.parametrize("zone", [EAST, timezone.utc])
def test_times_of_day_have_no_time_zones(zone):
    for cells in ([time(9), time(9, tzinfo=zone)], [time(9, tzinfo=zone), None]):
        with pytest.raises(TypeError, match="time zone"):
            objects_to_arrow(object_array(cells))


def test_what_is_missing_is_so_beside_values_of_any_kind():
    pandas = pytest.importorskip("pandas")
    missing = [None, np.nan, np.float64("nan"), Decimal("nan"), pandas.NaT, pandas.NA]
    for values in KINDS.values():
        alone = objects_to_arrow(object_array(values[:1])).to_pylist()
        assert objects_to_arrow(object_array([*missing, values[0]])).to_pylist() == [None] * len(missing) + alone
        assert objects_to_arrow(object_array([values[0], *missing])).to_pylist() == alone + [None] * len(missing)


def test_moments_keep_their_nanoseconds_and_have_time_zones_or_none():
    pandas = pytest.importorskip("pandas")
    moment = pandas.Timestamp("2020-01-01")
    objects = np.array([moment, moment + pandas.Timedelta(1, "ns"), None, pandas.NaT, pandas.NA] * 3, object)
    found = objects_to_arrow(objects)
    ticks = (found.dictionary_decode() if pa.types.is_dictionary(found.type) else found).cast(pa.int64()).to_pylist()
    assert ticks == [moment.value, moment.value + 1, None, None, None] * 3
    with pytest.raises(TypeError, match="without one"):
        objects_to_arrow(np.array([moment, moment.tz_localize("UTC")], object))
