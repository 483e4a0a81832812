"""What dtf raises."""

from __future__ import annotations

import re
import sys

_MARKER = re.compile(r"say --missing '.*'", re.DOTALL)  # which a fit from Python has not
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)")
_PYTHON_NAMES = {"seed": "random_state", "threads": "n_jobs"}
# Ways out that a command line has, in the words of a program that holds the table itself.
_WAYS_OUT = {
    "leave it out with --drop": "drop it first",
    "leave it out (--drop)": "drop it first",
    "leave the column out (--drop)": "drop the column first",
    "use --drop or --bins": "drop the column, or use bins",
    "--no-refit": "refit=False",
}


def in_python(message: str) -> str:
    """A message of the core with options by their Python names. What stands in backquotes is the user's, and stays."""
    for way, own in _WAYS_OUT.items():
        message = message.replace(way, own)
    message = _MARKER.sub("replace it by None first", message)
    parts = message.split("`")
    for i in range(0, len(parts), 2):
        parts[i] = _OPTION.sub(lambda m: _PYTHON_NAMES.get(m[1], m[1].replace("-", "_")), parts[i])
    return "`".join(parts)


class DtfError(Exception):
    """The base of all errors of this package; its text names column, row and value, and the way out."""

    def __init__(self, message: str = "") -> None:
        super().__init__(in_python(message))
        self.on_command_line = message  # with the names that options have there


class UsageError(DtfError, ValueError):
    """Options that make no sense: alone, together, or for this table (a column that it has not)."""


class InputError(DtfError, ValueError):
    """A table that cannot be read, or does not fit the model."""


class ModelFileError(DtfError, ValueError):
    """A model file that is missing, damaged, hostile, or newer than this package."""


class OutputError(DtfError, OSError):
    """A file that cannot be written."""


class OutOfMemoryError(DtfError, MemoryError):
    """Not enough memory."""


class Interrupted(DtfError):
    """A fit that was asked to stop."""


class NotFittedError(DtfError, ValueError, AttributeError):
    """The model is asked for something before ``fit``."""


def not_fitted(name: str) -> NotFittedError:
    """The error to raise; scikit-learn's own is a base of it where scikit-learn is in use."""
    kind: type[NotFittedError] = NotFittedError
    sklearn_exceptions = sys.modules.get("sklearn.exceptions")
    if sklearn_exceptions is not None:
        kind = type("NotFittedError", (NotFittedError, sklearn_exceptions.NotFittedError), {})
    return kind(f"this {name} is not fitted yet: call fit, or load a model")
