"""Tables for the tests, all generated."""

import datetime
import decimal

import numpy as np
import pyarrow as pa


def correlated(rows=400, seed=0, columns=4):
    """Texts, in which each column says something about the next."""
    random = np.random.default_rng(seed)
    letters = np.array(["a", "b", "c", "d"])
    first = random.integers(0, 4, rows)
    cells = {"c0": letters[first]}
    for j in range(1, columns):
        noise = random.integers(0, 4, rows)
        first = np.where(random.random(rows) < 0.7, (first + j) % 4, noise)
        cells[f"c{j}"] = letters[first]
    return pa.table(cells)


def _cycle(values, rows, missing):
    cells = [values[(i * i + i // 3) % len(values)] for i in range(rows)]
    return [None if missing and i % 7 == 3 else cell for i, cell in enumerate(cells)]


def typed(rows=120, missing=True):
    """A column of each type that a model can keep, all with missing cells, and cells that are hard to write."""
    utc = datetime.timezone.utc
    moments = [datetime.datetime(1969, 12, 31, 23, 59, 59, 250_000), datetime.datetime(2020, 1, 31, 10)]
    values = {
        "string": (pa.string(), ["x", "", "NA", "1", "a,b\"c\nd", "ünï"]),
        "large_string": (pa.large_string(), ["p", "q"]),
        "bool": (pa.bool_(), [True, False]),
        "int8": (pa.int8(), [-128, 0, 127]),
        "int64": (pa.int64(), [-(2**63), 2**63 - 1, 5]),
        "uint64": (pa.uint64(), [2**64 - 1, 0]),
        "float": (pa.float32(), [0.1, 1.0, 16777216.0, -0.0, 0.0, 1e-30]),
        "double": (pa.float64(), [0.1, 1.0, 1e300, float("inf"), float("nan"), 5e-324, 2.5]),
        "date32": (pa.date32(), [datetime.date(1, 1, 1), datetime.date(2024, 2, 29)]),
        "date64": (pa.date64(), [datetime.date(1969, 12, 31), datetime.date(2024, 2, 29)]),
        "time32": (pa.time32("s"), [datetime.time(0, 0), datetime.time(23, 59, 59)]),
        "time64": (pa.time64("us"), [datetime.time(1, 2, 3, 45), datetime.time(10)]),
        "timestamp": (pa.timestamp("ms"), moments),
        "zoned": (pa.timestamp("us", "UTC"), [moment.replace(tzinfo=utc) for moment in moments]),
        "decimal": (pa.decimal128(20, 3), [decimal.Decimal("1.500"), decimal.Decimal("-0.001"), decimal.Decimal(7)]),
        "decimal256": (pa.decimal256(60, 2), [decimal.Decimal("12345678901234567890123456789012345678.25")]),
    }
    columns = {name: pa.array(_cycle(cells, rows, missing), kind) for name, (kind, cells) in values.items()}
    columns["half"] = pa.array(np.array([0.5, 2.0, 0.1] * rows, np.float16)[:rows])
    columns["dictionary"] = pa.array(_cycle(["u", "v", "w"], rows, missing)).dictionary_encode()
    columns["null"] = pa.nulls(rows)
    return pa.table(columns)
