"""Libraries that are used when they are there."""

from __future__ import annotations

import importlib
from typing import Any


def need(name: str, purpose: str) -> Any:
    """The module ``name``. Raises ImportError that tells what it is for, and how to get it."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        distribution = name.partition(".")[0]
        raise ImportError(f"{purpose} needs {distribution}: pip install {distribution}", name=distribution) from error
