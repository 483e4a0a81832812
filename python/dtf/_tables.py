"""Tables of all kinds on their way into the core: columns of Arrow arrays, dictionary-encoded."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from dtf import _core
from dtf._encoding import cannot_read, encode_column, infer, objects_of, objects_to_arrow
from dtf._errors import InputError
from dtf._kinds import ArrowKind, Kind, NumpyKind, PandasKind, PolarsKind
from dtf._optional import is_instance
from dtf._texts import type_name

_CELLS_WORTH_THREADS = 1_000_000
_ARROW_UNITS = {"Y": "M8[D]", "M": "M8[D]", "W": "M8[D]", "h": "M8[s]", "m": "M8[s]"}


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
        names = names or self.names
        headers = [self._header(i, name) for i, name in enumerate(names)]
        called = [f"{self.source}, column `{name}`" for name in names]
        if self.rows * len(self.columns) < _CELLS_WORTH_THREADS or threads == 1:
            columns = list(map(encode_column, self.columns, called))
        else:
            with ThreadPoolExecutor(threads or None) as pool:
                columns = list(pool.map(encode_column, self.columns, called))
        return _core.Table(self.source, headers, self.rows, columns)

    def without(self, name: str | None) -> Table:
        """This table without the column of that name, if it has one."""
        return self._columns([i for i, own in enumerate(self.names) if own != name])

    def only(self, name: str) -> Table:
        """This table's column of that name."""
        return self._columns([self.names.index(name)])

    def _columns(self, kept: list[int]) -> Table:
        return replace(
            self,
            names=[self.names[i] for i in kept],
            columns=[self.columns[i] for i in kept],
            kind=self.kind.of_columns(kept),
        )

    def _header(self, column: int, name: str) -> tuple[str, str]:
        kind = self.columns[column].type
        known = type_name(kind)
        if not _is_unicode(name):
            raise InputError(f"{self.source} has a column named {name!r}, which is no valid Unicode: rename it")
        if known is None:
            kind = kind.value_type if pa.types.is_dictionary(kind) else kind
            raise _cannot_read_type(self.source, name, kind)
        return name, known


def _cannot_read_type(source: str, name: str, kind: Any) -> InputError:
    return InputError(
        f"{source}, column `{name}`: cells of type {kind} cannot be read; convert the column, for example to text, or "
        "drop it first"
    )


# ---------------------------------------------------------------- Kinds of tables


def read_table(table: Any, called: str | None = None) -> Table:
    """``table`` as columns, whatever it is. ``called``: what messages call it.

    Raises InputError for a table that is at fault, TypeError for what is no table.
    """
    if isinstance(table, Table):
        return table
    if is_instance(table, "pandas", "DataFrame"):
        return _read_pandas(table, called or "the DataFrame")
    if is_instance(table, "polars", "DataFrame"):
        return _read_polars(table, called or "the DataFrame")
    if isinstance(table, (list, tuple)):
        table = np.array(table, object)
    elif not hasattr(table, "__arrow_c_stream__") and hasattr(table, "__array__"):
        table = np.asanyarray(table)
    if isinstance(table, np.ndarray):
        return _read_numpy(table, called or "the array")
    return _read_arrow(_stream(table, called or "the table"), called or "the table", None)


def _stream(table: Any, source: str) -> pa.Table:
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if isinstance(table, pa.RecordBatchReader):
        return table.read_all()
    if is_instance(table, "duckdb", "DuckDBPyRelation"):
        return _stream(table.arrow(), source)
    if hasattr(table, "__arrow_c_stream__"):
        try:
            return pa.table(table)
        except (pa.ArrowException, ValueError) as error:
            if "non-struct" not in str(error):  # a single column has a stream as well
                raise InputError(
                    f"{source} has a type that pyarrow {pa.__version__} cannot read ({error}): convert the columns of "
                    "that type, or install a newer pyarrow"
                ) from error
    hint = "; sparse matrices are not supported, use its toarray()" if hasattr(table, "toarray") else ""
    hint = "; collect() it first" if is_instance(table, "polars", "LazyFrame") else hint
    whose = "" if source == "the table" else f"{source}: "
    raise TypeError(
        f"{whose}a table is needed (of pandas, polars, pyarrow, duckdb, or an array of two dimensions), "
        f"not {type(table)}{hint}"
    )


def _read_arrow(table: pa.Table, source: str, kind: Kind | None) -> Table:
    kind = kind or ArrowKind(list(table.schema.types))
    return Table(source, list(table.column_names), True, list(table.columns), table.num_rows, kind)


def _read_polars(frame: Any, source: str) -> Table:
    kind = PolarsKind(list(frame.dtypes))
    try:
        return _read_arrow(frame.to_arrow(), source, kind)
    except (pa.ArrowException, ValueError, TypeError) as error:
        for series in frame:
            try:
                series.to_arrow()
            except (pa.ArrowException, ValueError, TypeError) as fault:
                raise InputError(
                    f"{source}, column `{series.name}`: cells of type {series.dtype} cannot be read; convert the "
                    "column, for example by cast(polars.String), or drop it first"
                ) from fault
        raise InputError(f"{source} cannot be read: {error}") from error


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
        columns = [_to_arrow(_without_mask(array[name]), name, source) for name in names]
        is_masked = any(np.ma.is_masked(array[name]) for name in names)
        return Table(source, names, True, columns, len(array), NumpyKind(array.dtype, is_masked))
    if np.ma.is_masked(array):
        return replace(_read_numpy(_without_mask(array), source), kind=NumpyKind(array.dtype, is_masked=True))
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


def _without_mask(cells: Any) -> np.ndarray:
    """What is masked as None, NaN or NaT."""
    if not np.ma.is_masked(cells):
        return np.asarray(cells)
    has_place = cells.dtype.kind in "OfmM"
    plain = cells.data.copy() if has_place else cells.data.astype(object)
    plain[cells.mask] = "NaT" if cells.dtype.kind in "mM" else np.nan if cells.dtype.kind == "f" else None
    return np.asarray(plain)


def _to_arrow(cells: Any, name: str, source: str) -> pa.Array | pa.ChunkedArray:
    """None, NaN and NA become null."""
    try:
        array = _plain_to_arrow(_readable(cells))
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise cannot_read(f"{source}, column `{name}`", error) from error
    is_plain = cells.dtype != object and not pa.types.is_dictionary(array.type)
    if is_plain and type_name(array.type) is None:  # pyarrow's name of it would say little
        raise _cannot_read_type(source, name, cells.dtype)
    return array


def _plain_to_arrow(cells: Any) -> pa.Array | pa.ChunkedArray:
    if isinstance(cells, np.ndarray) and cells.dtype.kind == "U":  # which pyarrow cuts at a NUL
        cells = cells.astype(object)
    if (objects := objects_of(cells)) is not None:
        return objects_to_arrow(objects)
    categories = getattr(cells.dtype, "categories", None)
    if categories is None or categories.dtype != object:
        return pa.array(cells, from_pandas=True)
    codes = cells.cat.codes.to_numpy()
    return pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), infer(categories.to_numpy()))


def _readable(cells: Any) -> Any:
    """In the machine's byte order, dense, and dates in a unit that Arrow has."""
    dtype = cells.dtype
    if not isinstance(dtype, np.dtype):
        import pandas

        return cells.sparse.to_dense() if isinstance(dtype, pandas.SparseDtype) else cells
    if dtype.kind == "M":
        unit = np.datetime_data(dtype)[0]
        return cells.astype(_ARROW_UNITS[unit]) if unit in _ARROW_UNITS else cells
    return cells if dtype.isnative else cells.astype(dtype.newbyteorder("="))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
