"""What the estimator gives out: latent codes as ``set_output`` asked, samples that fit into memory, and files."""

from __future__ import annotations

import os
import sys
from typing import Any

import numpy as np

from dtf._errors import OutOfMemoryError, UsageError
from dtf._optional import is_instance, need

KINDS = ("default", "pandas", "polars")
# Bytes that a sampled cell takes before it is what the table holds: its code in the core, and its position in Python.
_SAMPLED_CELL = 4 + 8


class SetOutput:
    """scikit-learn's ``set_output``, without scikit-learn. The setting has the name by which its ``clone`` knows it."""

    def set_output(self, *, transform: str | None = None) -> Any:
        """What ``transform`` and ``fit_transform`` give.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"}, optional
            default: an array; else a DataFrame with the latent columns' names, of pandas with the index of the rows.
            None changes nothing. scikit-learn's ``set_config(transform_output=...)`` counts where nothing was set.

        Returns
        -------
        DiscreteTreeFlow
            This estimator.
        """
        if transform is not None:
            if transform not in KINDS:
                raise UsageError(f"transform={transform!r}: give one of {', '.join(KINDS)}")
            self._sklearn_output_config = {"transform": transform}
        return self

    def _output_kind(self) -> str:
        own: dict[str, str] = getattr(self, "_sklearn_output_config", {})
        if "transform" in own:
            return own["transform"]
        sklearn = sys.modules.get("sklearn")
        return str(sklearn.get_config()["transform_output"]) if sklearn is not None else "default"

    def _latent_table(self, codes: np.ndarray, names: np.ndarray, X: Any) -> Any:
        """``codes``, of the rows of ``X``, as was asked for."""
        kind = self._output_kind()
        if kind == "default":
            return codes
        library = need(kind, f"set_output(transform={kind!r})")
        if kind == "polars":
            return library.DataFrame(codes, schema=list(names), orient="row")
        index = X.index if is_instance(X, "pandas", "DataFrame") else None
        return library.DataFrame(codes, index=index, columns=names, copy=False)


def check_memory(rows: int, columns: int) -> None:
    """Raises OutOfMemoryError for a sample that is larger than the machine's memory."""
    if rows * columns * _SAMPLED_CELL > _memory():
        raise too_large(rows, columns)


def too_large(rows: int, columns: int) -> OutOfMemoryError:
    """The error to raise for a sample that does not fit into memory."""
    return OutOfMemoryError(
        f"a sample of {rows} rows and {columns} columns needs at least {rows * columns * _SAMPLED_CELL:,} bytes of "
        "memory: draw it in parts, by first_row, or let the command line's dtf sample write it to a file"
    )


def file_name(path: str | bytes | os.PathLike[Any]) -> str:
    """For the core. Raises UsageError for what no file can be called there."""
    text = os.fsdecode(path)
    if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise UsageError(f"{text!r}: no file of a model can have this name, which is no Unicode without NUL")
    return text


def _memory() -> int:
    """Of the machine, in bytes; without bounds where nobody tells."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return sys.maxsize
