"""Tables for the tests: a strict CSV reader and writer that tell `""` from a bare empty cell, and generators."""

import random
import re

import pyarrow as pa
import pyarrow.parquet as pq

QUOTED_WHEN = frozenset(b',"\r\n')


class Malformed(Exception):
    pass


def parse_csv(data, delimiter=b","):
    """All records of a CSV text, as lists of bytes; None is an unquoted empty cell. A blank line is a record, too."""
    records, record, at = [], [], 0
    while at < len(data):
        cell, at = _quoted(data, at + 1) if data[at : at + 1] == b'"' else _bare(data, at, delimiter)
        record.append(cell)
        end = data[at : at + 1]
        if end == delimiter:
            at += 1
            if at == len(data):
                record.append(None)
        elif end in (b"\r", b"\n", b""):
            at += 2 if data[at : at + 2] == b"\r\n" else 1
        else:
            raise Malformed(f"byte {at}: text after a closing quote")
        if end != delimiter or at == len(data):
            records.append(record)
            record = []
    return records


def _bare(data, at, delimiter):
    cell = re.compile(b"[^" + re.escape(delimiter) + b"\r\n]*").match(data, at).group()
    if b'"' in cell:
        raise Malformed(f"byte {at}: a quote in a bare cell")
    return cell or None, at + len(cell)


def _quoted(data, at):
    cell = b""
    while True:
        stop = data.find(b'"', at)
        if stop < 0:
            raise Malformed(f"byte {at}: a quote that is never closed")
        cell += data[at:stop]
        if data[stop + 1 : stop + 2] != b'"':
            return cell, stop + 1
        cell += b'"'
        at = stop + 2


def to_csv(records, delimiter=","):
    """The same in bytes, quoted where it must be; cells are texts, None is missing."""
    lines = [delimiter.join(_cell(cell, delimiter) for cell in record) + "\n" for record in records]
    return "".join(lines).encode()


def _cell(cell, delimiter):
    if cell is None:
        return ""
    needs_quotes = cell == "" or delimiter in cell or any(byte in QUOTED_WHEN for byte in cell.encode())
    return '"' + cell.replace('"', '""') + '"' if needs_quotes else cell


def write_typed(path, table):
    """Writes an Arrow table as Parquet or Arrow, as the path's ending says."""
    if path.suffix == ".parquet":
        pq.write_table(table, path)
        return
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)


def read_typed(path):
    return pq.read_table(path) if path.suffix == ".parquet" else pa.ipc.open_file(path).read_all()


def dependent_rows(rows, columns=5, sizes=(2, 3, 4, 5), seed=1):
    """A header and rows in which each column leans on the one before it."""
    draw = random.Random(seed)
    table = [[f"v{j}" for j in range(columns)]]
    for _ in range(rows):
        code, row = draw.randrange(60), []
        for j in range(columns):
            if draw.random() < 0.3:
                code = draw.randrange(60)
            row.append("pqrstuvwxyz"[code % sizes[j % len(sizes)]])
        table.append(row)
    return table


def product(*columns):
    """Every row that can be made of one value from each column."""
    rows = [[]]
    for values in columns:
        rows = [row + [value] for row in rows for value in values]
    return rows
