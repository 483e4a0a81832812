"""The sections that tell of the table. All numbers of likelihood are in nats."""

from __future__ import annotations

from typing import Any

import numpy as np

from dtf._association import MOST_CATEGORIES, MOST_ROWS
from dtf._association import associations as associations_of
from dtf._categories import MISSING, shown
from dtf._report.charts import bar, heat_map, line_chart
from dtf._report.compare import ComparedColumn
from dtf._report.elements import Content, Element, cell, details, element, nats, note, percent, section, table
from dtf._report.strange import MOST_VALUES, StrangeCell, StrangeRow
from dtf._weights import mean_score

MOST_COLUMNS = 50  # of a wider table those that differ most
_MOST_BARS = 12
_MOST_PAIRS = 10
_MOST_CELLS = 5


def most_different(columns: list[ComparedColumn]) -> list[ComparedColumn]:
    """The `MOST_COLUMNS` of the largest distance, ties by place; in the model's order."""
    order = np.argsort([-column.distance for column in columns], kind="stable")[:MOST_COLUMNS]
    return [columns[j] for j in sorted(order)]


def _choice(shown_count: int, count: int) -> str:
    if shown_count == count:
        return ""
    return f" Of {count} columns the {shown_count} are shown whose frequencies differ most."


# ---------------------------------------------------------------- Summary


def summary(
    model: Any, title: str, scores: np.ndarray, weights: np.ndarray | None, samples: int, seed: int
) -> Element:
    record, structure = model.record, model.structure
    mean = mean_score(scores, weights)
    rows_of_table = str(len(scores))
    if weights is not None:
        scores = scores[weights > 0]
        rows_of_table += f" (weight {weights.sum():g}, by the column {model.weights_column})"
    impossible = int(np.isneginf(scores).sum())
    rows: list[tuple[Content, Content]] = [
        ("table", cell(title)),
        ("rows of the table", cell(rows_of_table)),
        ("columns", str(len(model.headers))),
        ("mean ln P of its rows", f"{nats(mean)} nats per row"),
        ("of all rows the least, the greatest", f"{nats(float(scores.min()))}, {nats(float(scores.max()))} nats"),
        ("model", _kind(structure)),
        ("rows (weight) the model was fitted to", f"{record['rows']:g}"),
        ("mean ln P of those", f"{nats(-record['train_nll'])} nats per row"),
        ("parameters", str(structure["parameters"])),
        ("probability kept for values never seen", f"{model.unseen_mass:.4g}"),
        ("sample", f"{samples} rows, seed {seed}"),
    ]
    if impossible:
        rows.append(("rows without any probability", str(impossible)))
    return section("Summary", table("The model and the table", ("what", "value"), rows))


def _kind(structure: dict[str, Any]) -> str:
    members = len(structure["members"])
    if members:
        return f"mixture of {members} flows"
    layers = f", {structure['layers']} layers" if structure["kind"] == "tsp" else ""
    return f"{structure['kind']}, {structure['base']} base{layers}"


# ---------------------------------------------------------------- Learning curve


def learning_curve(model: Any) -> Element:
    curve = model.record["curve"]
    if not curve:
        return section("Learning curve", note("The model has none."))
    steps, train, valid = (list(column) for column in zip(*curve))
    kind = "layers" if model.structure["kind"] == "tsp" else "members"
    title = f"Mean negative log-likelihood by number of {kind}, nats per row"
    lines = {"train": train, "valid": valid}
    known = {name: line for name, line in lines.items() if any(number is not None for number in line)}
    words = {"train": "rows learnt from", "valid": "rows held out"}
    legend = [element("span", words[name], class_=f"key {name}") for name in known]
    chart = [line_chart(title, kind, steps, known)] if known and len(steps) > 1 else []
    rows = [(str(step), nats(a), nats(b)) for step, a, b in curve]
    return section(
        "Learning curve",
        note("Of the fit that chose their number. The lower, the better."),
        element("figure", element("figcaption", title), element("p", *legend, class_="legend"), *chart),
        details("The numbers", table(title, (kind, words["train"], words["valid"]), rows, (1, 2))),
    )


# ---------------------------------------------------------------- Frequencies


def frequencies(columns: list[ComparedColumn], count: int) -> Element:
    return section(
        "Columns, real and sampled",
        note(
            "How frequent each value is in the table and in rows sampled from the model. Distance: total variation, half "
            "the sum of the differences; a sample has a little of it by chance." + _choice(len(columns), count)
        ),
        element("p", *(element("span", kind, class_=f"key {kind}") for kind in ("real", "sampled")), class_="legend"),
        element("div", *(_column_table(column) for column in columns), class_="grid"),
    )


def _column_table(column: ComparedColumn) -> Element:
    real, sampled = column.frequencies()
    order = _bars(column, real, sampled)
    rows = [_bar_row(cell(column.names[code]), real[code], sampled[code]) for code in order]
    rest = np.setdiff1d(np.flatnonzero(real + sampled), order)
    if len(rest):
        rows.append(_bar_row(f"{len(rest)} others", real[rest].sum(), sampled[rest].sum()))
    caption = element("span", cell(column.categories.name), f", distance {column.distance:.3f}")
    return table(caption, ("value", "real", "sampled", "bars"), rows, (1, 2))


def _bars(column: ComparedColumn, real: np.ndarray, sampled: np.ndarray) -> np.ndarray:
    """The table's most frequent codes: in their order where they have one, else by frequency."""
    order = np.lexsort((-sampled, -real))[:_MOST_BARS]
    order = order[(real + sampled)[order] > 0]
    return np.sort(order) if column.categories.is_ordered else order


def _bar_row(name: Content, real: float, sampled: float) -> tuple[Content, ...]:
    bars = element("span", bar("real", real), bar("sampled", sampled), class_="bars", aria_hidden="true")
    return name, percent(real), percent(sampled), bars


# ---------------------------------------------------------------- Associations


def associations(columns: list[ComparedColumn], count: int) -> Element:
    names = [column.categories.name for column in columns]
    real, sampled = associations_of([(column.real, column.sampled) for column in columns], columns[0].weights)
    title = "Association of each pair of columns"
    maps = [
        element("figure", element("figcaption", f"{title}, {kind}"), heat_map(f"{title}, {kind}", names, matrix))
        for kind, matrix in (("real", real), ("sampled", sampled))
    ]
    return section(
        "Pairs of columns, real and sampled",
        note(
            "Cramér's V, with Bergsma's correction of its bias: 0 (faint) for independent columns, 1 (full colour) where "
            "one decides the other; none where a column is constant. Of more than "
            f"{MOST_ROWS} rows evenly spaced ones are counted, and of more than {MOST_CATEGORIES} values those that are "
            "rarer in the table as one." + _choice(len(columns), count)
        ),
        element("div", *maps, class_="maps"),
        _pair_table(names, real, sampled),
    )


def _pair_table(names: list[str], real: np.ndarray, sampled: np.ndarray) -> Element:
    difference = np.tril(np.abs(np.nan_to_num(real) - np.nan_to_num(sampled)), -1)
    order = np.argsort(-difference, axis=None, kind="stable")[:_MOST_PAIRS]
    rows = []
    for i, j in zip(*np.unravel_index(order, difference.shape)):
        if i > j:
            pair = element("span", cell(names[j]), " and ", cell(names[i]))
            rows.append((pair, _number(real[i, j]), _number(sampled[i, j])))
    return table("Pairs that differ most, Cramér's V", ("pair", "real", "sampled"), rows, (1, 2))


def _number(number: float) -> str:
    return "–" if np.isnan(number) else f"{number:.3f}"


# ---------------------------------------------------------------- Strange rows


def strange_rows(rows: list[StrangeRow]) -> Element:
    return section(
        "Strangest rows",
        note(
            "The rows of the lowest probability, and the cells that make them so: what ln P of the row would win, in "
            "nats, if this cell alone had its best value (the one after the arrow). It is exact for every kind of model. "
            f"Of each column the {MOST_VALUES} most frequent values are tried. Rows are counted from 1, a header not "
            "among them."
        ),
        table(
            "Rows of the lowest log-likelihood",
            ("row", "ln P, nats", f"cells with the largest gain (at most {_MOST_CELLS})"),
            [(str(row.number), nats(row.score), _cells(row.cells[:_MOST_CELLS])) for row in rows],
            (0, 1),
        ),
    )


def _cells(cells: list[StrangeCell]) -> Element:
    return element("ul", *(element("li", *_gain(found)) for found in cells)) if cells else element("span", "none")


def _gain(found: StrangeCell) -> list[Content]:
    texts = [MISSING if text is None else shown(text) for text in (found.text, found.best)]
    return [cell(found.column), " = ", cell(texts[0]), " → ", cell(texts[1]), f": +{nats(found.gain)}"]
