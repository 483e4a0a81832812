"""Columns dictionary-encoded: distinct texts, and each cell's position among them."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa

from dtf import _core
from dtf._errors import InputError
from dtf._texts import is_text, to_texts


def encode_column(column: pa.Array | pa.ChunkedArray, called: str) -> _core.Column:
    """For the core. ``called``: what messages call the column. Raises InputError for cells without a text."""
    try:
        return _core.Column(*encode(column))
    except (UnicodeError, pa.ArrowException) as error:
        raise cannot_read(called, error) from error


def cannot_read(called: str, error: Exception) -> InputError:
    """The error to raise for a column in which Python or pyarrow found ``error``."""
    reason = str(error).partition("\n")[0]
    if isinstance(error, UnicodeError):
        return InputError(
            f"{called}: a text is no valid Unicode ({reason}); replace it, for example by None, or drop the column "
            "first"
        )
    return InputError(
        f"{called}: its cells are not all of one type that can be read ({reason}); convert the column, for example by "
        "astype(str), or drop it first"
    )


def encode(column: pa.Array | pa.ChunkedArray) -> tuple[list[str | None], np.ndarray]:
    """Distinct texts (None: missing), and the position of each cell's among them; -1 where it is missing."""
    kind = column.type
    if pa.types.is_null(kind) or len(column) == 0:
        return [], np.full(len(column), -1, np.int8)
    if pa.types.is_float16(kind):  # no text changes by that; older pyarrow cannot cast it
        column = pa.array(np.asarray(column).astype(np.float32), from_pandas=True)
    if str(kind) == "string_view":
        column = column.cast(pa.large_string())
    if is_text(column.type):
        return _encode_texts(column)
    if not pa.types.is_dictionary(kind):
        column = column.dictionary_encode()
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries()
        chunks = column.chunks
    else:
        chunks = [column]
    indices = [_positions(chunk.indices) for chunk in chunks]
    return _entries(chunks[0].dictionary), indices[0] if len(indices) == 1 else np.concatenate(indices)


def _encode_texts(column: pa.Array | pa.ChunkedArray) -> tuple[list[str | None], np.ndarray]:
    """Several times as fast as by pyarrow where the texts are short."""
    encoder = _core.TextEncoder()
    width = np.int64 if pa.types.is_large_string(column.type) else np.int32
    for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
        if len(chunk) == 0:  # it may have no buffers
            continue
        valid, offsets, data = chunk.buffers()
        encoder.add(
            np.frombuffer(offsets, width)[chunk.offset : chunk.offset + len(chunk) + 1],
            np.frombuffer(data or b"", np.uint8),
            np.frombuffer(valid, np.uint8) if chunk.null_count else None,
            chunk.offset,
        )
    return encoder.finish()


def _entries(dictionary: pa.Array) -> list[str | None]:
    if str(dictionary.type) == "string_view":
        dictionary = dictionary.cast(pa.large_string())
    return to_texts(dictionary)


def _positions(indices: pa.Array) -> np.ndarray:
    """Without a copy where none is missing."""
    if indices.null_count:
        is_wide = indices.type.bit_width > 32 or indices.type == pa.uint32()
        indices = indices.cast(pa.int64() if is_wide else pa.int32()).fill_null(-1)
    positions: np.ndarray = indices.to_numpy(zero_copy_only=False)
    return positions


def objects_of(cells: Any) -> np.ndarray | None:
    """The Python objects that a column consists of, if it does, without a copy."""
    is_python = cells.dtype == object or getattr(cells.dtype, "storage", "") == "python"  # pandas' StringDtype
    return np.asarray(cells, object) if is_python and cells.ndim == 1 else None


def objects_to_arrow(objects: np.ndarray) -> pa.Array:
    """Objects that are there again and again, as texts are in most tables, are looked at once."""
    found = _core.distinct_objects(objects, max(1_024, len(objects) // 8))
    if found is None:
        return infer(objects)
    first, positions = found
    return pa.DictionaryArray.from_arrays(positions, infer(objects[first]))


def infer(objects: np.ndarray) -> pa.Array:
    """As pyarrow does, which would cut pandas' moments to microseconds, take those without a time zone for UTC's, and
    forget the time zones of times of day."""
    _check_mixture(objects)
    array = pa.array(objects, from_pandas=True)
    if not pa.types.is_temporal(array.type):
        return array
    cells = objects[np.asarray(array.is_valid())]
    with_zone = [getattr(cell, "tzinfo", None) is not None for cell in cells]
    if pa.types.is_time(array.type) and any(with_zone):
        raise TypeError(f"{cells[with_zone.index(True)]!r} has a time zone, which a time of day cannot keep")
    if len(set(with_zone)) > 1:
        raise TypeError("moments with a time zone and without one")
    if any(getattr(cell, "nanosecond", 0) for cell in cells):
        return pa.array(objects, pa.timestamp("ns", array.type.tz), from_pandas=True)
    return array


# Classes whose objects pyarrow takes together as they are. Of others it may turn the later ones into what the first is
# (moments into dates, True into 1.0, half floats into whole numbers), or crash. The first that fits counts.
_KINDS: tuple[tuple[type, ...], ...] = (
    (bool, np.bool_),  # which Python derives from its numbers
    (timedelta, np.timedelta64),  # which numpy derives from its numbers
    (int, float, Decimal, np.integer, np.float32, np.float64),
    (datetime,),  # which Python derives from its dates
    (date,),
    (str,),
)


def _kind(cls: type) -> Any:
    return next((kind for kind in _KINDS if issubclass(cls, kind)), cls)


def _check_mixture(objects: np.ndarray) -> None:
    """Raises TypeError for values of two kinds. Missing ones are of any."""
    if len(set(map(_kind, set(map(type, objects))))) < 2:
        return
    cells: dict[type, list[Any]] = {}
    for cell in objects:
        cells.setdefault(type(cell), []).append(cell)
    values = {}  # of each kind one
    for cls, alike in cells.items():
        are_there = pa.array(alike, from_pandas=True).is_valid().to_pylist()
        if any(are_there):
            values[_kind(cls)] = alike[are_there.index(True)]
    if len(values) > 1:
        raise TypeError(" beside ".join(f"{value!r:.40}" for value in values.values()))
