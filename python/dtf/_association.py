"""How strongly columns hang together, pair by pair: Cramér's V with the bias correction of Bergsma (2013).

V is 0 for independent columns and 1 when one decides the other. The correction takes away what chance alone gives to
columns of many categories, so that tables of different lengths may be compared.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

MOST_ROWS = 20_000  # of a longer table evenly spaced ones are looked at
MOST_CATEGORIES = 30  # the rarer ones of a column count as one


def cramers_v(a: np.ndarray, b: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Of two columns of n codes >= 0, each of which counts as often as its weight says; NaN where one of them is
    constant, or the weights sum to 1 or less."""
    counts = np.zeros((a.max(initial=0) + 1, b.max(initial=0) + 1))
    np.add.at(counts, (a, b), 1 if weights is None else weights)
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    counts = counts[np.ix_(rows > 0, columns > 0)]
    rows, columns, n = rows[rows > 0], columns[columns > 0], counts.sum()
    if min(counts.shape) < 2 or n <= 1:
        return float("nan")
    phi2 = (counts**2 / np.outer(rows, columns)).sum() - 1
    free_rows, free_columns = counts.shape[0] - 1, counts.shape[1] - 1
    corrected = max(0.0, phi2 - free_rows * free_columns / (n - 1))
    least = min(free_rows - free_rows**2 / (n - 1), free_columns - free_columns**2 / (n - 1))
    return float(np.sqrt(min(1.0, corrected / least))) if least > 0 else float("nan")


def associations(
    pairs: list[tuple[np.ndarray, np.ndarray]], weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Of each two of d columns in two tables; (d, d) each, symmetric, NaN where there is none and on the diagonal.

    Parameters
    ----------
    pairs : list of d pairs of arrays
        Of each column the codes of both tables, (n,) and (m,); rare categories are those of the first.
    weights : array of shape (n,), optional
        How often each row of the first table counts.
    """
    weights = None if weights is None else _spaced(weights)
    kept = [_common(_spaced(first), weights, _spaced(second)) for first, second in pairs]
    firsts, seconds = zip(*kept)
    return _matrix(firsts, weights), _matrix(seconds, None)


def _matrix(columns: Sequence[np.ndarray], weights: np.ndarray | None) -> np.ndarray:
    matrix = np.full((len(columns), len(columns)), np.nan)
    for i, a in enumerate(columns):
        for j in range(i):
            matrix[i, j] = matrix[j, i] = cramers_v(a, columns[j], weights)
    return matrix


def _spaced(rows: np.ndarray) -> np.ndarray:
    return rows if len(rows) <= MOST_ROWS else rows[np.arange(MOST_ROWS) * len(rows) // MOST_ROWS]


def _common(
    first: np.ndarray, weights: np.ndarray | None, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Numbered by frequency in ``first``, ties by that in ``second``; from MOST_CATEGORIES - 1 on all the same."""
    count = 1 + max(first.max(initial=0), second.max(initial=0))
    counts = [np.bincount(first, weights, count), np.bincount(second, None, count)]
    rank = np.empty(count, np.int64)
    rank[np.lexsort((-counts[1], -counts[0]))] = np.arange(count)
    rank = np.minimum(rank, MOST_CATEGORIES - 1)
    return rank[first], rank[second]
