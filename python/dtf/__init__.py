"""Discrete Tree Flows: the exact probability of every row of a categorical table."""

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

load = DiscreteTreeFlow.load

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
]
