"""Writes what Python tells of the options of a fit, from the core's own table of them.

python/dtf/_parameters.py, and the table in docs/python.md. A test checks that both are what this would write; run it
with a Python that has the package, after a change of src/api/fit_option.cc: python tools/generate_parameters.py
"""

from __future__ import annotations

import pathlib
import re
import textwrap

from dtf import _core
from dtf._errors import in_python

ROOT = pathlib.Path(__file__).resolve().parents[1]
PARAMETERS = ROOT / "python" / "dtf" / "_parameters.py"
DOCUMENT = ROOT / "docs" / "python.md"
BEGIN, END = "<!-- options: by tools/generate_parameters.py -->", "<!-- end of options -->"

# Where Python says it in its own way: name, type, default, and what is to be said besides.
NAMES = {"seed": "random_state", "threads": "n_jobs"}
TYPES = {
    "seed": "int | None",
    "threads": "int | None",
    "layers": 'int | Literal["auto"] | None',
    "order": "str | Sequence[str] | None",
    "bins": "Mapping[str, int | str] | Sequence[str]",
    "ordered": "Sequence[str]",
}
DEFAULTS = {"threads": "None"}
FALLBACKS = {"threads": "all cores, as -1 does", "bins": "none", "ordered": "none"}
NOTES = {
    "seed": "``--seed`` of the command line. None draws one anew for each fit.",
    "threads": "``--threads`` of the command line. -2 means all cores but one.",
    "bins": 'By column: ``{"age": 10, "pay": "20:width"}``.',
}

HEADER = '''"""The parameters of the estimator. Written by tools/generate_parameters.py: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal


class FitParameters:
    """What every option of a fit is called, and its default."""

    def __init__(
        self,
        *,
'''


def python_name(option: dict) -> str:
    return NAMES.get(option["name"], option["name"].replace("-", "_"))


def annotation(option: dict) -> str:
    if option["name"] in TYPES:
        return TYPES[option["name"]]
    kind = option["type"]
    if option["choices"]:
        kind = kind.replace("str", "Literal[" + ", ".join(f'"{choice}"' for choice in option["choices"]) + "]")
    return kind


def default(option: dict) -> str:
    value = option["default"]
    value = repr(() if value == [] else value).replace("'", '"')
    return DEFAULTS.get(option["name"], value)


def explanation(option: dict) -> str:
    text = in_python(option["help"])
    if not text.startswith(tuple(f"{choice}:" for choice in option["choices"])):
        text = text[0].upper() + text[1:]
    text += "."
    fallback = FALLBACKS.get(option["name"], option["fallback"])
    if fallback:
        text += f" Default: {fallback}."
    return (text + " " + NOTES.get(option["name"], "")).strip()


def docstring(options: list[dict]) -> str:
    lines = ["Parameters", "----------"]
    for option in options:
        lines.append(f"{python_name(option)} : {annotation(option)}".replace('"', "'"))
        lines += textwrap.wrap(explanation(option), 100, initial_indent="    ", subsequent_indent="    ")
    return textwrap.indent('"""' + "\n".join(lines) + '\n"""', "        ")


def parameters() -> str:
    options = _core.fit_options()
    text = HEADER
    for option in options:
        text += f"        {python_name(option)}: {annotation(option)} = {default(option)},\n"
    text += "    ) -> None:\n" + docstring(options) + "\n"
    for option in options:
        text += f"        self.{python_name(option)} = {python_name(option)}\n"
    return text


def table() -> str:
    lines = ["| parameter | on the command line | type | meaning |", "|---|---|---|---|"]
    for option in _core.fit_options():
        kind = annotation(option).replace("|", "\\|")
        lines.append(f"| `{python_name(option)}` | `--{option['name']}` | `{kind}` | {explanation(option)} |")
    return "\n".join(lines)


def document(text: str) -> str:
    """``text`` with the table of options in its place."""
    return re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}\n{table()}\n{END}", text, flags=re.DOTALL)


if __name__ == "__main__":
    PARAMETERS.write_text(parameters(), encoding="utf-8")
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
