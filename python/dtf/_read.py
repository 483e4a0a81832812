"""Tables from files, by pyarrow alone, with the command line's rules: every cell of a text file is a text, and only an
unquoted empty one is missing. (The command line has a reader of its own, which names the line of a fault.)
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from dtf._encoding import encode
from dtf._errors import InputError, UsageError
from dtf._texts import type_name

# Bytes of a text file that are parsed at once: no record may be longer, and more take more memory.
_BLOCK = 2**20
_LARGEST_BLOCK = 2**31 - 1


@dataclass(frozen=True)
class ReadOptions:
    """As the command line's: see ``dtf score --help``."""

    delimiter: str | None = None  # default: tab for .tsv, comma otherwise
    header: bool = True  # without: columns are c1, c2, …
    missing: Sequence[str] = ()  # TEXT, or COL=TEXT of the longest COL that fits; =TEXT where the text has an =
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()


def read_file(path: str, options: ReadOptions, called: str | None = None) -> pa.Table:
    """The table in a file; ``-`` is standard input. ``called``: what messages call it, by default the path.

    Raises InputError when it cannot be read, UsageError for options that name a column that it has not.
    """
    called = called or path
    name = path.lower()
    try:
        if name.endswith((".parquet", ".arrow")):
            table = _read_typed(path)
        else:
            delimiter = options.delimiter or ("\t" if name.endswith((".tsv", ".tsv.gz")) else ",")
            table = _read_text(path, called, delimiter, options.header)
    except (OSError, pa.ArrowException, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"cannot read {called}: {str(error).partition(chr(10))[0]}") from error
    return _with_missing(_chosen(table, called, options), called, options.missing, table.column_names)


def _read_typed(path: str) -> pa.Table:
    if path.lower().endswith(".parquet"):
        import pyarrow.parquet

        return pyarrow.parquet.read_table(path)
    with pa.memory_map(path) as file:
        is_stream = file.read(6) != b"ARROW1"
        file.seek(0)
        return (pa.ipc.open_stream(file) if is_stream else pa.ipc.open_file(file)).read_all()


def _read_text(path: str, called: str, delimiter: str, header: bool) -> pa.Table:
    data = _bytes_of(path)
    lines = io.TextIOWrapper(io.BytesIO(data), "utf-8-sig", newline="")
    first = next(csv.reader(lines, delimiter=delimiter), None)
    if not first:
        raise InputError(f"{called} is empty")
    try:
        table = _parse(data, len(first), delimiter, _BLOCK)
    except pa.ArrowInvalid:  # as of a record that is longer
        table = _parse(data, len(first), delimiter, min(len(data), _LARGEST_BLOCK))
    return table.slice(1).rename_columns(first) if header else table


def _bytes_of(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    data: bytes = pa.input_stream(path, compression="gzip" if path.lower().endswith(".gz") else None).read()
    return data


def _parse(data: bytes, columns: int, delimiter: str, block_size: int) -> pa.Table:
    """All records, a header among them, as texts in columns c1, c2, …; pyarrow takes ``block_size`` bytes at a time."""
    import pyarrow.csv

    names = [f"c{i + 1}" for i in range(columns)]
    return pyarrow.csv.read_csv(
        pa.BufferReader(data),
        # With threads a process may abort at its end (pyarrow 14).
        pyarrow.csv.ReadOptions(column_names=names, use_threads=False, block_size=block_size),
        pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=columns > 1),
        pyarrow.csv.ConvertOptions(
            column_types={name: pa.string() for name in names},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def _chosen(table: pa.Table, source: str, options: ReadOptions) -> pa.Table:
    names = table.column_names
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{source}: there are two columns `{name}`")
    for name in (*options.drop, *options.keep):
        if name not in names:
            raise UsageError(f"{source}: there is no column `{name}`; the columns are {', '.join(names)}")
    kept = [name for name in names if name not in options.drop and (not options.keep or name in options.keep)]
    return table.select(kept)


def _with_missing(table: pa.Table, source: str, markers: Sequence[str], names: Sequence[str]) -> pa.Table:
    """``names``: of all columns of the file, those left out too."""
    for marker in markers:
        name, text = _marker(source, marker, names)
        for j, column in enumerate(table.column_names):
            if name in (None, column):
                table = table.set_column(j, column, _without(table.column(j), text))
    return table


def _marker(source: str, marker: str, names: Sequence[str]) -> tuple[str | None, str]:
    """The column, None for all of them, and the text: the longest name that fits is the column's."""
    name = max((name for name in names if name and marker.startswith(f"{name}=")), key=len, default=None)
    if name is not None:
        return name, marker[len(name) + 1 :]
    before, equals, after = marker.partition("=")
    if before and equals:
        raise UsageError(f"--missing {marker}: {source} has no column `{before}`; the columns are {', '.join(names)}")
    return None, after if equals else marker


def _without(cells: pa.ChunkedArray, text: str) -> pa.ChunkedArray:
    """With null in place of values of this text. (By take: if_else of pyarrow 14 reads beyond the slices of a table.)"""
    if type_name(cells.type) is None:
        return cells  # which is refused later on, by name
    texts, positions = encode(cells)
    if text not in texts:
        return cells
    is_marked = positions.astype(np.int64) == texts.index(text)
    return cells.take(pa.array(np.arange(len(cells)), mask=is_marked))
