"""The options of a fit are described once, in the core."""

import importlib.util
import inspect
import pathlib
import re

import dtf

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("generate", ROOT / "tools" / "generate_parameters.py")
generate = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(generate)


def test_the_parameters_are_those_of_the_core():
    assert generate.PARAMETERS.read_text(encoding="utf-8") == generate.parameters()


def test_the_document_lists_them():
    text = generate.DOCUMENT.read_text(encoding="utf-8")
    assert generate.BEGIN in text and generate.document(text) == text


def test_the_signature_is_that_of_the_command_line(cli):
    text = cli("fit", "--help").decode()
    for name in inspect.signature(dtf.DiscreteTreeFlow).parameters:
        option = {"random_state": "seed", "n_jobs": "threads"}.get(name, name.replace("_", "-"))
        assert re.search(rf"--{option}[ ,]", text), option
