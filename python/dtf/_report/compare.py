"""The table's cells beside sampled ones, as codes of the model's categories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dtf._categories import UNSEEN, Categories
from dtf._encoding import encode
from dtf._tables import Table


@dataclass(frozen=True)
class ComparedColumn:
    """Codes are those of ``categories``, or ``len(categories.names)`` for a value never seen."""

    categories: Categories
    real: np.ndarray  # (n,) int64
    weights: np.ndarray | None  # (n,) how often each of them counts; None: once
    sampled: np.ndarray  # (m,) int64

    @property
    def names(self) -> list[str]:
        return [*self.categories.names, UNSEEN]

    def frequencies(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each of ``names``, in the table and in the sample; each sums to 1, if there are rows."""
        real, sampled = (
            np.bincount(codes, weights, minlength=len(self.names))
            for codes, weights in ((self.real, self.weights), (self.sampled, None))
        )
        return real / (real.sum() or 1), sampled / (sampled.sum() or 1)

    @property
    def distance(self) -> float:
        """Total variation: the largest difference that any set of values has, from 0 to 1."""
        real, sampled = self.frequencies()
        return float(np.abs(real - sampled).sum() / 2)


def compare(
    model: Any, table: Table, weights: np.ndarray | None, samples: int, seed: int, threads: int
) -> list[ComparedColumn]:
    """One for each of the model's columns, in its order. ``table``: with the model's names."""
    sampled = model.sample(seed, 0, samples, threads)
    columns = []
    for entry, (texts, cells) in zip(model.schema, sampled):
        categories = Categories(entry)
        real = categories.codes(*encode(table.columns[table.names.index(categories.name)]))
        columns.append(ComparedColumn(categories, real, weights, categories.codes(texts, cells.astype(np.int64))))
    return columns
