"""Parameters of the estimator as options of the core, and back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from dtf import _core
from dtf._errors import UsageError

_PYTHON_NAMES = {"seed": "random_state", "threads": "n_jobs"}


def python_name(option: str) -> str:
    return _PYTHON_NAMES.get(option, option.replace("-", "_"))


def to_core(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The options that the parameters set, by the core's names. Raises UsageError for a value of a wrong type."""
    options = {}
    for option in _core.fit_options():
        value = parameters[python_name(option["name"])]
        if option["name"] == "seed":
            value = seed_of(value)
        elif option["name"] == "threads":
            value = threads_of(value)
        elif value is not None:
            value = _to_type(value, option)
        if value is not None:
            options[option["name"]] = value
    return options


def _to_type(value: Any, option: dict[str, Any]) -> Any:
    name, kind = option["name"], option["type"]
    if isinstance(value, np.generic):
        value = value.item()
    if kind == "list":
        if isinstance(value, Mapping):
            value = [f"{column}={bins}" for column, bins in value.items()]
        if isinstance(value, str):
            raise UsageError(f"--{name}: give a list of texts, not one text")
        return list(value)
    if name == "order" and not isinstance(value, str):
        return ",".join(value)
    if name == "layers" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if kind.startswith("float") and isinstance(value, int):
        return float(value)
    return value


def seed_of(random_state: Any) -> int:
    """None and numpy's generators draw one."""
    if random_state is None:
        return int.from_bytes(os.urandom(8), "little")
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(np.iinfo(np.int64).max))
    if isinstance(random_state, (int, np.integer)) and 0 <= random_state < 2**64:
        return int(random_state)
    raise UsageError(f"random_state={random_state!r}: give a whole number from 0 to 2^64 - 1, None, or a generator")


def threads_of(n_jobs: Any) -> int:
    """The core's number of threads; its 0 means all cores."""
    if n_jobs is None:
        return 0
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise UsageError(f"n_jobs={n_jobs!r}: give a number of threads, -1 for all cores, or None")
    if n_jobs > 0:
        return int(n_jobs)
    return 0 if n_jobs == -1 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def from_record(record: list[tuple[str, str]]) -> dict[str, Any]:
    """The parameters that a model file's record of options stands for."""
    parameters: dict[str, Any] = {}
    options = {option["name"]: option for option in _core.fit_options()}
    for name, text in record:
        if name not in options:
            continue
        kind = options[name]["type"]
        key = python_name(name)
        if kind == "list":
            parameters[key] = [*parameters.get(key, []), text]
        elif kind == "bool":
            parameters[key] = text == "true"
        elif kind.startswith("int") or (name == "layers" and text != "auto"):
            parameters[key] = int(text)
        elif kind.startswith("float"):
            parameters[key] = float(text)
        else:
            parameters[key] = text
    return parameters
