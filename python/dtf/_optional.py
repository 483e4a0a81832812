"""Libraries that are used when they are there."""

from __future__ import annotations

import importlib
import sys
from typing import Any


def need(name: str, purpose: str) -> Any:
    """The module ``name``. Raises ImportError that tells what it is for, and how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        distribution = name.partition(".")[0]
        raise ImportError(f"{purpose} needs {distribution}: pip install {distribution}", name=distribution) from error


def is_instance(table: Any, module: str, name: str) -> bool:
    """Whether ``table`` is of this class, or one derived from it, without importing its module."""
    return module in sys.modules and isinstance(table, getattr(sys.modules[module], name, ()))
