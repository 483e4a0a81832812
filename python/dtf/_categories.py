"""A column's categories as people read them, and cells as positions among them."""

from __future__ import annotations

from typing import Any

import numpy as np

MISSING = "(missing)"
UNSEEN = "(never seen)"


class Categories:
    """The categories of one column of a model's schema.

    Attributes
    ----------
    name : str
        The column's.
    texts : list of str or None
        Of a value of each category; None is missing.
    names : list of str
        What people read, in code order: values, intervals of a binned column, and `MISSING`.
    """

    def __init__(self, column: dict[str, Any]) -> None:
        self.name: str = column["name"]
        self.texts: list[str | None] = list(column["categories"])
        self.names: list[str] = [shown(text) for text in column["categories"]]
        self.is_ordered: bool = column["ordered"]
        self._cuts: list[float] | None = column["cuts"]
        if self._cuts is not None and len(self._cuts) == len(self.names) - 1:
            self.names = _intervals(self._cuts)
        if column["missing"]:
            self.texts.append(None)
            self.names.append(MISSING)
        self._code_of = {text: code for code, text in enumerate(self.texts)}
        self._missing_texts = frozenset[str](column["missing_texts"])

    def codes(self, texts: list[str | None], positions: np.ndarray) -> np.ndarray:
        """The code of each cell, (n,) int64: ``len(names)`` for a value never seen.

        ``positions``: of each cell's text in ``texts``; beyond them where the cell is missing.
        """
        entries = np.array([self._code(text) for text in [*texts, None]], np.int64)
        inside = (positions >= 0) & (positions < len(texts))
        return entries[np.where(inside, positions, len(texts))]

    def _code(self, text: str | None) -> int:
        if text is None or text in self._missing_texts:
            return self._code_of.get(None, len(self.texts))
        if self._cuts is not None:
            try:
                number = float(text)
            except ValueError:  # in a row of weight 0, which may have anything
                return len(self.texts)
            return int(np.searchsorted(self._cuts, number, side="right"))
        return self._code_of.get(text, len(self.texts))


def shown(text: str) -> str:
    """An empty text would not be seen."""
    return text or '""'


def _intervals(cuts: list[float]) -> list[str]:
    if not cuts:
        return ["any number"]
    ends = [repr(cut).removesuffix(".0") for cut in cuts]  # the shortest text that only this number has
    return [f"below {ends[0]}", *(f"[{low}, {high})" for low, high in zip(ends, ends[1:])), f"from {ends[-1]}"]
