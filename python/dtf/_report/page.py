"""The page as a whole."""

from __future__ import annotations

import os
from importlib import resources
from typing import TYPE_CHECKING, Any

from dtf._errors import InputError
from dtf._options import seed_of, threads_of, whole_number
from dtf._report import sections
from dtf._report.compare import compare
from dtf._report.elements import Element, element, to_html, value
from dtf._report.output_file import write_file
from dtf._report.strange import strangest_rows
from dtf._report.structure import structure
from dtf._tables import read_table

if TYPE_CHECKING:
    from dtf._estimator import DiscreteTreeFlow

# Nothing is loaded from anywhere, whatever a table's cells hold.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def write_report(
    flow: DiscreteTreeFlow,
    X: Any,
    path: str | os.PathLike[str],
    *,
    samples: int = 10_000,
    rows: int = 20,
    random_state: Any = 0,
    title: str = "the table",
) -> None:
    """Writes a page about a model and a table: one HTML file that needs nothing else.

    The learning curve; each column's frequencies and each pair's association, in the table and in a sample of the
    model; the strangest rows, with the cells that make them so; and what the model is made of. If the table has the
    column of ``weights`` that the model was fitted with, its rows count by it: whole weights as repeated rows.

    Parameters
    ----------
    flow : DiscreteTreeFlow
        A fitted one.
    X : table
        With the model's columns: the fitted rows, or better others.
    path : str or path
        Where the page goes. An old file stays until the new one is complete, which has its permissions.
    samples : int
        How many rows to sample.
    rows : int
        How many of the strangest rows to show.
    random_state : int or numpy generator
        Seed of the sample. The same seed gives the same page.
    title : str
        What the page calls the table.

    Raises
    ------
    InputError
        For a table that does not fit the model, or has no rows, or weights of which there is no mean.
    OutputError
        When the file cannot be written.
    """
    page = make_report(flow, X, samples=samples, rows=rows, random_state=random_state, title=title)
    write_file(os.fspath(path), page.encode())


def make_report(flow: DiscreteTreeFlow, X: Any, *, samples: int, rows: int, random_state: Any, title: str) -> str:
    """The page that `write_report` writes."""
    samples, rows = whole_number("samples", samples, 1), whole_number("rows", rows, 1)
    seed, threads = seed_of(random_state), threads_of(flow.n_jobs)
    given = read_table(X)
    model, table = flow._fitted(), flow._read(given)
    if table.rows == 0:
        raise InputError(f"{table.source} has no rows to report on")
    weights = flow._column_weights(given)
    scores = model.score(table.to_core(threads), threads, weights)
    columns = compare(model, table, weights, samples, seed, threads)
    strange = strangest_rows(model, table, columns, scores, rows, threads)
    shown = sections.most_different(columns)
    return to_html(
        _page(
            f"{value(title)}: report of a discrete tree flow",
            sections.summary(model, title, scores, weights, samples, seed),
            sections.learning_curve(model),
            sections.frequencies(shown, len(columns)),
            sections.associations(shown, len(columns)),
            sections.strange_rows(strange),
            structure(flow),
        )
    )


def _page(title: str, *parts: Element) -> Element:
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("link", rel="icon", href="data:,"),
        element("style", resources.files("dtf._report").joinpath("style.css").read_text(encoding="utf-8")),
    )
    body = element("body", element("main", element("h1", title), *parts))
    return element("html", head, body, lang="en")
