"""How strongly columns hang together, pair by pair: Cramér's V with the bias correction of Bergsma (2013).

V is 0 for independent columns and 1 when one decides the other. The correction takes away what chance alone gives to
columns of many categories, so that tables of different lengths may be compared.
"""

from __future__ import annotations

import numpy as np

MOST_ROWS = 20_000  # of a longer table evenly spaced ones are looked at
MOST_CATEGORIES = 30  # the rarer ones of a column count as one


def cramers_v(a: np.ndarray, b: np.ndarray) -> float:
    """Of two columns of n codes >= 0; NaN where one of them is constant, or n < 2."""
    counts = np.zeros((a.max(initial=0) + 1, b.max(initial=0) + 1))
    np.add.at(counts, (a, b), 1)
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    counts = counts[np.ix_(rows > 0, columns > 0)]
    rows, columns, n = rows[rows > 0], columns[columns > 0], len(a)
    if min(counts.shape) < 2:
        return float("nan")
    phi2 = (counts**2 / np.outer(rows, columns)).sum() - 1
    free_rows, free_columns = counts.shape[0] - 1, counts.shape[1] - 1
    corrected = max(0.0, phi2 - free_rows * free_columns / (n - 1))
    least = min(free_rows - free_rows**2 / (n - 1), free_columns - free_columns**2 / (n - 1))
    return float(np.sqrt(min(1.0, corrected / least))) if least > 0 else float("nan")


def associations(columns: list[np.ndarray]) -> np.ndarray:
    """Of each pair of d columns of n codes; (d, d), symmetric, NaN where there is none and on the diagonal."""
    columns = [_common(_spaced(column)) for column in columns]
    matrix = np.full((len(columns), len(columns)), np.nan)
    for i, a in enumerate(columns):
        for j in range(i):
            matrix[i, j] = matrix[j, i] = cramers_v(a, columns[j])
    return matrix


def _spaced(codes: np.ndarray) -> np.ndarray:
    return codes if len(codes) <= MOST_ROWS else codes[np.arange(MOST_ROWS) * len(codes) // MOST_ROWS]


def _common(codes: np.ndarray) -> np.ndarray:
    """Numbered by frequency, ties by code; from the last of MOST_CATEGORIES on all the same."""
    counts = np.bincount(codes)
    rank = np.empty(len(counts), np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return np.minimum(rank[codes], MOST_CATEGORIES - 1)
