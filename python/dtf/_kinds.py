"""Kinds of tables: each makes a table like the one that a model was fitted to.

A kind is given decoded columns: their distinct values, and each cell's position among them, -1 where it is missing. Values
that are drawn within a column's bins may be others than the table had: where its type has no place for them (a closed list
of categories, texts of a fixed width), the column gets the next type that has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa


@dataclass(frozen=True)
class DecodedColumn:
    values: pa.Array  # (k,) distinct, none missing
    codes: np.ndarray  # (n,) int64

    def to_arrow(self, kind: pa.DataType) -> pa.Array:
        if pa.types.is_dictionary(kind):
            values = self.values.cast(kind.value_type)
            return pa.DictionaryArray.from_arrays(self._indices(kind.index_type), values, ordered=kind.ordered)
        if str(kind) == "string_view":  # which pyarrow cannot take from
            return self.values.take(self._indices(pa.int64())).cast(kind)
        return self.values.cast(kind).take(self._indices(pa.int64()))

    def lacks_place(self, dtype: np.dtype) -> bool:
        """Whether cells are missing, and the type has no value for those."""
        has_place = dtype.kind in "OfmM" or (dtype.kind == "T" and hasattr(dtype, "na_object"))
        return not has_place and bool((self.codes < 0).any())

    def to_numpy(self, dtype: np.dtype) -> np.ndarray:
        """Missing cells are zeros or empty where the type lacks a place for them."""
        values = np.zeros(len(self.values) + 1, dtype)  # and one for missing cells, which position -1 finds
        if dtype == object:
            values[:] = [*self.values.to_pylist(), None]
        else:
            values[:-1] = self.values.to_numpy(zero_copy_only=False).astype(dtype)
            if dtype.kind in "fmM":
                values[-1] = np.array("NaT", dtype) if dtype.kind in "mM" else np.nan
            elif dtype.kind == "T" and hasattr(dtype, "na_object"):
                values[-1] = dtype.na_object
        cells: np.ndarray = values[self.codes]
        return cells

    def wide_enough(self, dtype: np.dtype) -> np.dtype:
        """``dtype``; of texts that are wider a wider one."""
        if dtype.kind != "U":
            return dtype
        return np.result_type(dtype, f"U{max(map(len, self.values.to_pylist()), default=1)}")

    def _indices(self, kind: pa.DataType) -> pa.Array:
        return pa.array(self.codes, pa.int64(), mask=self.codes < 0).cast(kind)


class Kind(Protocol):
    def of_columns(self, kept: list[int]) -> Kind:
        """The kind of a table that has only these columns."""

    def make(self, names: list[str], columns: list[DecodedColumn]) -> Any: ...


@dataclass(frozen=True)
class ArrowKind:
    """A pyarrow.Table."""

    types: list[pa.DataType]

    def of_columns(self, kept: list[int]) -> ArrowKind:
        return ArrowKind([self.types[i] for i in kept])

    def make(self, names: list[str], columns: list[DecodedColumn]) -> pa.Table:
        arrays = [column.to_arrow(kind) for column, kind in zip(columns, self.types)]
        return pa.table(arrays, names=names)


@dataclass(frozen=True)
class NumpyKind:
    """An array of two dimensions, or a structured one of one, masked or not.

    It is masked, too, when cells are missing and its type has no value for those.
    """

    dtype: np.dtype
    is_masked: bool = False

    def of_columns(self, kept: list[int]) -> NumpyKind:
        if not self.dtype.names:
            return self
        names = [self.dtype.names[i] for i in kept]
        return NumpyKind(np.dtype([(name, self.dtype[name]) for name in names]), self.is_masked)

    def make(self, names: list[str], columns: list[DecodedColumn]) -> np.ndarray:
        rows = len(columns[0].codes)
        if self.dtype.names:
            fields = {name: column.wide_enough(self.dtype[name]) for name, column in zip(self.dtype.names, columns)}
            is_same = all(self.dtype[name] == field for name, field in fields.items())
            records = np.zeros(rows, self.dtype if is_same else list(fields.items()))
            for (name, field), column in zip(fields.items(), columns):
                records[name] = column.to_numpy(field)
            if self.is_masked or any(column.lacks_place(field) for field, column in zip(fields.values(), columns)):
                mask: Any = np.zeros(rows, np.ma.make_mask_descr(records.dtype))
                for name, column in zip(fields, columns):
                    mask[name] = column.codes < 0
                return np.ma.masked_array(records, mask)
            return records
        dtype = max((column.wide_enough(self.dtype) for column in columns), key=lambda dtype: dtype.itemsize)
        cells = np.zeros((rows, len(columns)), dtype)
        for j, column in enumerate(columns):
            cells[:, j] = column.to_numpy(dtype)
        if self.is_masked or any(column.lacks_place(dtype) for column in columns):
            return np.ma.masked_array(cells, np.stack([column.codes < 0 for column in columns], axis=1))
        return cells


@dataclass(frozen=True)
class PandasKind:
    """A pandas.DataFrame with a new index."""

    labels: Any  # pandas.Index of the columns
    dtypes: list[Any]

    def of_columns(self, kept: list[int]) -> PandasKind:
        return PandasKind(self.labels[kept], [self.dtypes[i] for i in kept])

    def make(self, names: list[str], columns: list[DecodedColumn]) -> Any:
        import pandas

        series = {j: _pandas_cells(column, dtype) for j, (column, dtype) in enumerate(zip(columns, self.dtypes))}
        frame = pandas.DataFrame(series)
        frame.columns = self.labels
        return frame


def _nullable(dtype: np.dtype) -> str:
    """pandas' type of the same numbers that has a value for missing cells."""
    if dtype.kind == "b":
        return "boolean"
    return f"{'UInt' if dtype.kind == 'u' else 'Int'}{8 * dtype.itemsize}"


def _pandas_cells(column: DecodedColumn, dtype: Any) -> Any:
    import pandas

    if isinstance(dtype, np.dtype):
        cells = column.to_numpy(dtype)
        if not column.lacks_place(dtype):
            return cells
        objects = cells.astype(object)
        objects[column.codes < 0] = None
        return pandas.array(objects, dtype=_nullable(dtype))  # pandas' own types have a value for missing cells
    if isinstance(dtype, pandas.CategoricalDtype):
        plain = column.values.to_pandas()
        are_categories = (dtype.categories.get_indexer(plain) >= 0).all()
        values = pandas.Categorical(plain, dtype=dtype) if are_categories else pandas.array(plain)
    elif isinstance(dtype, pandas.ArrowDtype):
        values = dtype.__from_arrow__(column.values.cast(dtype.pyarrow_dtype))
    elif hasattr(dtype, "__from_arrow__"):
        values = dtype.__from_arrow__(column.values)
    else:  # of pandas before 2.2, moments with a time zone
        values = column.values.to_pandas().astype(dtype).array
    return values.take(column.codes, allow_fill=True)


@dataclass(frozen=True)
class PolarsKind:
    """A polars.DataFrame."""

    dtypes: list[Any]

    def of_columns(self, kept: list[int]) -> PolarsKind:
        return PolarsKind([self.dtypes[i] for i in kept])

    def make(self, names: list[str], columns: list[DecodedColumn]) -> Any:
        import polars

        series = []
        for name, column, dtype in zip(names, columns, self.dtypes):
            cells = polars.Series(name, column.to_arrow(column.values.type))
            is_closed = isinstance(dtype, polars.Enum) and not set(cells.drop_nulls()) <= set(dtype.categories)
            series.append(cells if is_closed else cells.cast(dtype))
        return polars.DataFrame(series)
