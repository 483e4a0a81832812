"""Sphinx: the documents of docs/, the tutorials, and the package's docstrings. `./run docs` builds them."""

import pathlib
import re
import shutil

import dtf
import jupytext

project = "dtf"
author = "the authors of dtf"
version = release = dtf.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "alabaster"
html_title = "dtf"
autodoc_typehints = "none"  # numpydoc has them
myst_heading_anchors = 3

# The documents and tutorials are written for readers of the repository. Here they are copied in, links to scripts made
# links to pages; of links out of docs/ only the text is left.
DOCS = pathlib.Path(__file__).resolve().parents[1]
COPIED = DOCS / "site" / "copied"


def as_page(tutorial: pathlib.Path) -> str:
    """As Markdown, without jupytext's metadata."""
    text = jupytext.writes(jupytext.read(tutorial), fmt="md")
    return text.partition("---\n")[2].partition("---\n")[2] if text.startswith("---\n") else text


shutil.rmtree(COPIED, ignore_errors=True)  # what was renamed must not stay
(COPIED / "tutorials").mkdir(parents=True)
for document in DOCS.glob("*.md"):
    text = re.sub(r"\((tutorials/\w+)\.py\)", r"(\1.md)", document.read_text(encoding="utf-8"))
    text = re.sub(r"\[([^\]]+)\]\(\.\./[^)]*\)", r"\1", text)
    (COPIED / document.name).write_text(text, encoding="utf-8")
for picture in DOCS.glob("*.svg"):
    shutil.copy(picture, COPIED)
for tutorial in DOCS.glob("tutorials/*.py"):
    (COPIED / "tutorials" / f"{tutorial.stem}.md").write_text(as_page(tutorial), encoding="utf-8")
