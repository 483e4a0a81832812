"""Between typed values and the texts that stand for them in a model.

The texts are those of the C++ reader of Parquet and Arrow files, so that a value is the same category wherever it comes
from: 1.0 is ``1``, true is ``true``, dates and times are ISO 8601. Missing is None; so is NaN.
"""

from __future__ import annotations

import re
from decimal import Decimal

import numpy as np
import pyarrow as pa

from dtf import _core

_TICKS = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}
_MS_PER_DAY = 86_400_000
_PLAIN_TYPES = {
    str(kind): kind
    for kind in (
        *(pa.null(), pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64()),
        *(pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float16(), pa.float32(), pa.float64()),
        *(pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")),
    )
}
_TIMESTAMP = re.compile(r"timestamp\[(s|ms|us|ns)(?:, tz=(.*))?\]")
_DECIMAL = re.compile(r"decimal(128|256)\((\d+), (-?\d+)\)")


def is_text(kind: pa.DataType) -> bool:
    return str(kind) in ("string", "large_string", "string_view")


def type_name(kind: pa.DataType) -> str | None:
    """The name by which a model knows this type; None for one whose values have no texts."""
    if pa.types.is_dictionary(kind):
        return None if pa.types.is_dictionary(kind.value_type) else type_name(kind.value_type)
    if is_text(kind):
        return "string"
    name = str(kind)
    return name if name in _PLAIN_TYPES or _TIMESTAMP.fullmatch(name) or _DECIMAL.fullmatch(name) else None


def type_named(name: str) -> pa.DataType:
    """The type that ``type_name`` gives this name; text for every other name."""
    if name in _PLAIN_TYPES:
        return _PLAIN_TYPES[name]
    if match := _TIMESTAMP.fullmatch(name):
        return pa.timestamp(match[1], match[2])
    if match := _DECIMAL.fullmatch(name):
        return (pa.decimal128 if match[1] == "128" else pa.decimal256)(int(match[2]), int(match[3]))
    return pa.string()


def to_texts(values: pa.Array) -> list[str | None]:
    """The text of each value; None where it is missing. ``values``: of a type that ``type_name`` knows."""
    kind = values.type
    if is_text(kind) or pa.types.is_null(kind):
        texts: list[str | None] = values.to_pylist()
        return texts
    if pa.types.is_boolean(kind):
        return [None if value is None else "true" if value else "false" for value in values.to_pylist()]
    if pa.types.is_integer(kind):
        return [None if value is None else str(value) for value in values.to_pylist()]
    if pa.types.is_floating(kind):
        return _float_texts(values)
    if pa.types.is_decimal(kind):
        return _decimal_texts(values)
    return _temporal_texts(values)


def _float_texts(values: pa.Array) -> list[str | None]:
    if pa.types.is_float16(values.type):
        values = pa.array(values.to_numpy(zero_copy_only=False).astype(np.float32), from_pandas=True)
    return _core.float_texts(np.ascontiguousarray(values.to_numpy(zero_copy_only=False)))


def _decimal_texts(values: pa.Array) -> list[str | None]:
    """By digits and exponent: arithmetic of decimals would round."""
    texts: list[str | None] = []
    for value in values.to_pylist():
        if value is None:
            texts.append(None)
            continue
        sign, digits, exponent = value.as_tuple()
        texts.append(_core.decimal_text(("-" if sign else "") + "".join(map(str, digits)), -exponent))
    return texts


def _temporal_texts(values: pa.Array) -> list[str | None]:
    kind = values.type
    width = pa.int32() if kind.bit_width == 32 else pa.int64()
    ticks = values.view(width).cast(pa.int64()).fill_null(0).to_numpy()
    if pa.types.is_date32(kind):
        texts = _core.date_texts(ticks)
    elif pa.types.is_date64(kind):
        whole = np.mod(ticks, _MS_PER_DAY) == 0
        moments = _core.timestamp_texts(ticks, 1_000, False)
        days = _core.date_texts(np.floor_divide(ticks, _MS_PER_DAY))
        texts = [day if is_day else moment for is_day, day, moment in zip(whole, days, moments)]
    elif pa.types.is_time(kind):
        texts = _core.time_texts(ticks, _TICKS[kind.unit])
    else:
        texts = _core.timestamp_texts(ticks, _TICKS[kind.unit], kind.tz is not None)
    if values.null_count:
        texts = [text if valid else None for text, valid in zip(texts, values.is_valid().to_pylist())]
    return texts


def from_texts(texts: list[str], kind: pa.DataType) -> pa.Array:
    """The values of that type which the texts stand for; the way back from ``to_texts``."""
    if is_text(kind):
        return pa.array(texts, kind)
    if pa.types.is_null(kind):
        return pa.nulls(len(texts))
    if pa.types.is_boolean(kind):
        return pa.array([text == "true" for text in texts], kind)
    if pa.types.is_integer(kind):
        return pa.array([int(text) for text in texts], kind)
    if pa.types.is_float64(kind):
        return pa.array(np.array(_core.parse_doubles(texts), np.float64))
    if pa.types.is_floating(kind):
        return pa.array(np.array(_core.parse_singles(texts), kind.to_pandas_dtype()))
    if pa.types.is_decimal(kind):
        return pa.array([Decimal(text) for text in texts], kind)
    return _temporal_values(texts, kind)


def _temporal_values(texts: list[str], kind: pa.DataType) -> pa.Array:
    if pa.types.is_date32(kind):
        ticks = _core.parse_dates(texts)
    elif pa.types.is_date64(kind):
        moments = _core.parse_timestamps(texts, 1_000, False)
        days = _core.parse_dates(texts)
        ticks = [moment if day is None else day * _MS_PER_DAY for day, moment in zip(days, moments)]
    elif pa.types.is_time(kind):
        ticks = _core.parse_times(texts, _TICKS[kind.unit])
    else:
        ticks = _core.parse_timestamps(texts, _TICKS[kind.unit], kind.tz is not None)
    width = pa.int32() if kind.bit_width == 32 else pa.int64()
    return pa.array(ticks, width).view(kind)
