"""The rows of the lowest probability, and the cells that make them so.

A cell's *gain* is ln max over v of P(the row with v in the cell) - ln P(the row): what the row would win if that cell
alone had its best value. It is exact for every kind of model, mixtures included, and needs nothing but scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dtf import _core
from dtf._encoding import encode
from dtf._report.compare import ComparedColumn
from dtf._tables import Table

MOST_VALUES = 50  # values that are tried in a cell: a column's most frequent ones


@dataclass(frozen=True)
class StrangeCell:
    column: str
    text: str | None  # the cell's; None: missing
    best: str | None  # of the best value
    gain: float  # nats; infinite where the row has no probability and the best value gives it one


@dataclass(frozen=True)
class StrangeRow:
    number: int  # 1-based, among the table's rows
    score: float  # ln P, nats
    cells: list[StrangeCell]  # those with a gain above 0, the largest first


def strangest_rows(
    model: Any, table: Table, columns: list[ComparedColumn], scores: np.ndarray, count: int, threads: int
) -> list[StrangeRow]:
    """The ``count`` rows of the lowest of ``scores``, the lowest first; of equal ones the first rows. None of weight 0."""
    rows = np.argsort(scores, kind="stable")
    if columns[0].weights is not None:
        rows = rows[columns[0].weights[rows] > 0]
    rows = rows[:count]
    candidates = [_frequent(column) for column in columns]
    texts = [_texts_at(table, column, rows) for column in columns]
    headers = model.headers
    strange = []
    for i, row in enumerate(rows):
        cells = [column_texts[i] for column_texts in texts]
        changed = _score_changes(model, headers, cells, candidates, threads)
        found = [
            StrangeCell(column.categories.name, cell, *_best(tried, gained, float(scores[row])))
            for column, cell, tried, gained in zip(columns, cells, candidates, changed)
            if len(tried)
        ]
        found = sorted((cell for cell in found if cell.gain > 0), key=lambda cell: -cell.gain)
        strange.append(StrangeRow(int(row) + 1, float(scores[row]), found))
    return strange


def _frequent(column: ComparedColumn) -> list[str | None]:
    """Texts of the column's most frequent categories, real and sampled rows taken together; ties by code."""
    weights = np.add(*column.frequencies())[:-1]
    return [column.categories.texts[code] for code in np.argsort(-weights, kind="stable")[:MOST_VALUES]]


def _texts_at(table: Table, column: ComparedColumn, rows: np.ndarray) -> list[str | None]:
    texts, positions = encode(table.columns[table.names.index(column.categories.name)])
    return [texts[position] if 0 <= position < len(texts) else None for position in positions[rows].tolist()]


def _score_changes(
    model: Any,
    headers: list[tuple[str, str]],
    cells: list[str | None],
    candidates: list[list[str | None]],
    threads: int,
) -> list[np.ndarray]:
    """For each column the scores of the row with each candidate in that column's place."""
    count = sum(map(len, candidates))
    first = 0
    columns = []
    for cell, tried in zip(cells, candidates):
        positions = np.full(count, len(tried), np.int32)
        positions[first : first + len(tried)] = np.arange(len(tried))
        first += len(tried)
        columns.append(_core.Column([*tried, cell], positions))
    scores = model.score(_core.Table("the changed rows", headers, count, columns), threads)
    return np.split(scores, np.cumsum([len(tried) for tried in candidates])[:-1])


def _best(tried: list[str | None], scores: np.ndarray, score: float) -> tuple[str | None, float]:
    best = int(np.argmax(scores))
    return tried[best], 0.0 if scores[best] == score else float(scores[best]) - score
