"""Discrete Tree Flows: the exact probability of every row of a categorical table."""

from typing import TYPE_CHECKING

from dtf._core import version as __version__
from dtf._errors import (
    DtfError,
    InputError,
    Interrupted,
    ModelFileError,
    NotFittedError,
    OutOfMemoryError,
    OutputError,
    UsageError,
)
from dtf._estimator import DiscreteTreeFlow
from dtf._progress import FitProgress

if TYPE_CHECKING:
    from dtf._plots import plot_learning_curve, plot_pairs
    from dtf._report import write_report

load = DiscreteTreeFlow.load

# What needs more than numpy and pyarrow, or is seldom needed: loaded when asked for.
_LATER = {
    "plot_learning_curve": "dtf._plots",
    "plot_pairs": "dtf._plots",
    "write_report": "dtf._report",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'dtf' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_LATER[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATER])

__all__ = [
    "DiscreteTreeFlow",
    "DtfError",
    "FitProgress",
    "InputError",
    "Interrupted",
    "ModelFileError",
    "NotFittedError",
    "OutOfMemoryError",
    "OutputError",
    "UsageError",
    "__version__",
    "load",
    "plot_learning_curve",
    "plot_pairs",
    "write_report",
]
