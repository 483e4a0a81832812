"""Tables of all kinds on their way into the core: columns of Arrow arrays, dictionary-encoded."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from dtf import _core
from dtf._errors import InputError
from dtf._kinds import ArrowKind, Kind, NumpyKind, PandasKind, PolarsKind, is_instance
from dtf._texts import to_texts, type_name

_CELLS_WORTH_THREADS = 1_000_000


@dataclass(frozen=True)
class Table:
    source: str  # what messages call it
    names: list[str]
    is_named: bool  # else `names` are c1, c2, … for want of others
    columns: list[pa.Array | pa.ChunkedArray]
    rows: int
    kind: Kind

    def to_core(self, threads: int, names: list[str] | None = None) -> _core.Table:
        """Dictionary-encoded. ``names``: other names for the columns, in their order."""
        headers = [self._header(i, name) for i, name in enumerate(names or self.names)]
        if self.rows * len(self.columns) < _CELLS_WORTH_THREADS or threads == 1:
            columns = [_encode(column) for column in self.columns]
        else:
            with ThreadPoolExecutor(threads or None) as pool:
                columns = list(pool.map(_encode, self.columns))
        return _core.Table(self.source, headers, self.rows, columns)

    def without(self, name: str | None) -> Table:
        """This table without the column of that name, if it has one."""
        kept = [i for i, own in enumerate(self.names) if own != name]
        if len(kept) == len(self.names):
            return self
        return replace(
            self,
            names=[self.names[i] for i in kept],
            columns=[self.columns[i] for i in kept],
            kind=self.kind.of_columns(kept),
        )

    def _header(self, column: int, name: str) -> tuple[str, str]:
        kind = self.columns[column].type
        known = type_name(kind)
        if known is None:
            raise InputError(
                f"{self.source}, column `{name}`: cells of type {kind} cannot be read; convert the column, for example "
                "to text, or drop it first"
            )
        return name, known


def _encode(column: pa.Array | pa.ChunkedArray) -> _core.Column:
    return _core.Column(*encode(column))


def encode(column: pa.Array | pa.ChunkedArray) -> tuple[list[str | None], np.ndarray]:
    """Distinct texts (None: missing), and the position of each cell's among them; -1 where it is missing."""
    kind = column.type
    if pa.types.is_null(kind) or len(column) == 0:
        return [], np.full(len(column), -1, np.int8)
    if pa.types.is_float16(kind):  # no text changes by that; older pyarrow cannot cast it
        column = pa.array(np.asarray(column).astype(np.float32), from_pandas=True)
    if str(kind) == "string_view":
        column = column.cast(pa.large_string())
    if not pa.types.is_dictionary(kind):
        column = column.dictionary_encode()
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries()
        chunks = column.chunks
    else:
        chunks = [column]
    indices = [_positions(chunk.indices) for chunk in chunks]
    return _entries(chunks[0].dictionary), indices[0] if len(indices) == 1 else np.concatenate(indices)


def _entries(dictionary: pa.Array) -> list[str | None]:
    if str(dictionary.type) == "string_view":
        dictionary = dictionary.cast(pa.large_string())
    return to_texts(dictionary)


def _positions(indices: pa.Array) -> np.ndarray:
    """Without a copy where none is missing."""
    if indices.null_count:
        is_wide = indices.type.bit_width > 32 or indices.type == pa.uint32()
        indices = indices.cast(pa.int64() if is_wide else pa.int32()).fill_null(-1)
    return indices.to_numpy(zero_copy_only=False)


# ---------------------------------------------------------------- Kinds of tables


def read_table(table: Any, called: str | None = None) -> Table:
    """``table`` as columns, whatever it is. ``called``: what messages call it.

    Raises InputError for a table that is at fault, TypeError for what is no table.
    """
    if is_instance(table, "pandas", "DataFrame"):
        return _read_pandas(table, called or "the DataFrame")
    if is_instance(table, "polars", "DataFrame"):
        return _read_arrow(table.to_arrow(), called or "the DataFrame", PolarsKind(list(table.dtypes)))
    if isinstance(table, (list, tuple)):
        table = np.array(table, object)
    elif not hasattr(table, "__arrow_c_stream__") and hasattr(table, "__array__"):
        table = np.asanyarray(table)
    if isinstance(table, np.ndarray):
        return _read_numpy(table, called or "the array")
    return _read_arrow(_stream(table), called or "the table", None)


def _stream(table: Any) -> pa.Table:
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if isinstance(table, pa.RecordBatchReader):
        return table.read_all()
    if is_instance(table, "duckdb", "DuckDBPyRelation"):
        return _stream(table.arrow())
    if hasattr(table, "__arrow_c_stream__"):
        try:
            return pa.table(table)
        except (pa.ArrowInvalid, ValueError):  # a single column has a stream as well
            pass
    hint = "; sparse matrices are not supported, use its toarray()" if hasattr(table, "toarray") else ""
    hint = "; collect() it first" if is_instance(table, "polars", "LazyFrame") else hint
    raise TypeError(
        "a table is needed (of pandas, polars, pyarrow, duckdb, or an array of two dimensions), "
        f"not {type(table)}{hint}"
    )


def _read_arrow(table: pa.Table, source: str, kind: Kind | None) -> Table:
    kind = kind or ArrowKind(list(table.schema.types))
    return Table(source, list(table.column_names), True, list(table.columns), table.num_rows, kind)


def _read_pandas(frame: Any, source: str) -> Table:
    for axis, what in ((frame.columns, "columns"), (frame.index, "rows")):
        if axis.nlevels > 1:
            raise InputError(
                f"{source} has a MultiIndex of its {what}, which a model cannot keep; "
                + ("flatten the columns' names first" if what == "columns" else "reset_index() it first")
            )
    names, is_named = _names(list(frame.columns))
    columns = [_to_arrow(frame.iloc[:, j], names[j], source) for j in range(frame.shape[1])]
    return Table(source, names, is_named, columns, len(frame), PandasKind(frame.columns, list(frame.dtypes)))


def _names(labels: list[Any]) -> tuple[list[str], bool]:
    is_text = [isinstance(label, str) for label in labels]
    if all(is_text):
        return labels, True
    if any(is_text):
        kinds = sorted({type(label).__name__ for label in labels})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{kinds} as feature name / column name types: rename the columns, for example by "
            "X.columns = X.columns.astype(str)"
        )
    return _numbered(len(labels)), False


def _numbered(count: int) -> list[str]:
    return [f"c{i + 1}" for i in range(count)]


def _read_numpy(array: np.ndarray, source: str) -> Table:
    if array.dtype.names and array.ndim == 1:
        names = list(array.dtype.names)
        columns = [_to_arrow(array[name], name, source) for name in names]
        return Table(source, names, True, columns, len(array), NumpyKind(array.dtype))
    if isinstance(array, np.ma.MaskedArray) and array.mask.any():
        cells = array.data.astype(object)
        cells[array.mask] = None
        return replace(_read_numpy(cells, source), kind=NumpyKind(array.dtype))
    if array.ndim != 2:
        raise InputError(
            f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: array.reshape(-1, 1) if it has a "
            "single column, array.reshape(1, -1) if it is a single row"
        )
    if array.dtype.kind == "c":
        raise InputError(f"Complex data not supported: {source} has cells of type {array.dtype}")
    names = _numbered(array.shape[1])
    columns = [_to_arrow(array[:, j], name, source) for j, name in enumerate(names)]
    return Table(source, names, False, columns, len(array), NumpyKind(array.dtype))


def _to_arrow(cells: Any, name: str, source: str) -> pa.Array | pa.ChunkedArray:
    """None, NaN and NA become null."""
    try:
        return pa.array(cells, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        reason = str(error).partition("\n")[0]
        raise InputError(
            f"{source}, column `{name}`: its cells are not all of one type that can be read ({reason}); convert the "
            "column, for example by astype(str), or drop it first"
        ) from error
