"""Parameters of the estimator as options of the core, and back."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dtf import _core
from dtf._errors import UsageError

_MOST_WRITTEN = 1e15  # of greater numbers the digits would say little
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
        elif value is not None or not option["type"].endswith(" | None"):
            value = _to_type(value, option)
        if value is not None:
            _check_range(value, option)
            options[option["name"]] = value
    return options


# Of each type of the core's options: whether a value is of it, and what a message asks for.
_TYPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "bool": (lambda value: isinstance(value, bool), "True or False"),
    "int": (lambda value: is_whole(value), "a whole number"),
    "float": (lambda value: is_whole(value) or isinstance(value, float), "a number"),
    "str": (lambda value: isinstance(value, str), "a text"),
    "list": (lambda value: _are_texts(value), "a list of texts"),
}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"' if "," in name or name.startswith('"') else name


def _to_type(value: Any, option: dict[str, Any]) -> Any:
    """``value`` as the core takes this option, if its description says that it may be that."""
    name, kind = option["name"], option["type"].removesuffix(" | None")
    if isinstance(value, np.generic):
        value = value.item()
    given, (is_of_type, wanted) = value, _TYPES[kind]
    if name == "bins":
        wanted = "numbers of bins by column, as in {'age': 10, 'pay': '20:width'}"
        value = _bins(value)
    elif name == "order":
        wanted = "a text, or a list of columns' names"
        value = ",".join(map(_quoted, value)) if _are_texts(value) else value
    elif kind == "str" and option["range"] and is_whole(value):
        value = str(value)
    elif kind == "str" and option["choices"]:
        wanted = " or ".join([*option["choices"], "a whole number"] if option["range"] else option["choices"])
    if not is_of_type(value):
        none = ", or None" if option["type"].endswith(" | None") else ""
        raise UsageError(f"{python_name(name)}={given!r}: give {wanted}{none}")
    return list(value) if kind == "list" else value


def _check_range(value: Any, option: dict[str, Any]) -> None:
    """Of whole numbers, which the core could not even take if they are too large."""
    if option["range"] and is_whole(value):
        least, most = option["range"]
        if not least <= value <= most:
            raise UsageError(f"{python_name(option['name'])} must {_range(least, most, value)}")


def _range(least: float, most: float, value: int) -> str:
    """Where ``value`` ought to lie; a bound that hardly anyone comes near is told only to who does."""
    if most <= _MOST_WRITTEN:
        return f"lie between {least:g} and {most:.15g}"
    return f"be {least:g} or more" if value < least else f"be below {most:.2g}"


def _bins(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    fits = all(isinstance(column, str) and (is_whole(bins) or isinstance(bins, str)) for column, bins in value.items())
    return [f"{column}={bins}" for column, bins in value.items()] if fits else None


def _are_texts(value: Any) -> bool:
    is_list = isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes))
    return is_list and all(isinstance(text, str) for text in value)


def is_whole(value: Any) -> bool:
    """Whether it is a whole number, True and False not being numbers."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def whole_number(name: str, value: Any, least: int) -> int:
    """``value``. Raises UsageError, which names the parameter, for all but whole numbers from ``least`` on."""
    if not is_whole(value) or value < least:
        raise UsageError(f"{name}={value!r}: give a whole number from {least} on")
    return int(value)


def seed_of(random_state: Any) -> int:
    """None and numpy's generators draw one."""
    if random_state is None:
        return int.from_bytes(os.urandom(8), "little")
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(np.iinfo(np.int64).max))
    if is_whole(random_state) and 0 <= random_state < 2**64:
        return int(random_state)
    raise UsageError(f"random_state={random_state!r}: give a whole number from 0 to 2^64 - 1, None, or a generator")


def threads_of(n_jobs: Any) -> int:
    """The core's number of threads; its 0 means all cores."""
    if n_jobs is None:
        return 0
    if not is_whole(n_jobs) or n_jobs == 0:
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
