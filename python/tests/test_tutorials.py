"""The tutorials run as they stand, and what they assert holds."""

import pathlib
import subprocess
import sys

import pytest

TUTORIALS = sorted((pathlib.Path(__file__).resolve().parents[2] / "docs" / "tutorials").glob("*.py"))


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_it_runs(tmp_path, tutorial):
    pytest.importorskip("pandas")
    done = subprocess.run([sys.executable, tutorial], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=lambda path: path.stem)
def test_it_is_a_notebook(tutorial):
    """In jupytext's percent format: cells of text and code in turn, a title first."""
    lines = tutorial.read_text(encoding="utf-8").splitlines()
    assert lines[:1] == ["# %% [markdown]"] and lines[1].startswith("# # ")
    in_text = False
    for line in lines:
        in_text = line == "# %% [markdown]" or (in_text and line != "# %%")
        assert not in_text or line == "" or line.startswith("#"), line


def test_there_is_one_for_each_use():
    assert [tutorial.stem for tutorial in TUTORIALS] == ["encode_decode", "odd_rows", "synthetic_data"]
