"""The page's sections. All numbers of likelihood are in nats."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from dtf._association import MOST_CATEGORIES, MOST_ROWS
from dtf._association import associations as associations_of
from dtf._categories import MISSING, shown
from dtf._report.charts import bar, heat_map, line_chart
from dtf._report.compare import ComparedColumn
from dtf._report.elements import Content, Element, cell, element, nats, percent, table
from dtf._report.strange import MOST_VALUES, StrangeCell, StrangeRow

if TYPE_CHECKING:
    from dtf._estimator import DiscreteTreeFlow

MOST_COLUMNS = 50  # of a wider table those that differ most
_MOST_BARS = 12
_MOST_PAIRS = 10
_MOST_CELLS = 5
_MOST_OPTIONS = 60
_MOST_LEAVES = 64  # of a tree that is shown whole
_MOST_LAYERS = 5


def most_different(columns: list[ComparedColumn]) -> list[ComparedColumn]:
    """The `MOST_COLUMNS` of the largest distance, ties by place; in the model's order."""
    order = np.argsort([-column.distance for column in columns], kind="stable")[:MOST_COLUMNS]
    return [columns[j] for j in sorted(order)]


def _section(title: str, *contents: Content) -> Element:
    return element("section", element("h2", title), *contents)


def _note(*contents: Content) -> Element:
    return element("p", *contents, class_="note")


def _choice(shown_count: int, count: int) -> str:
    if shown_count == count:
        return ""
    return f" Of {count} columns the {shown_count} are shown whose frequencies differ most."


# ---------------------------------------------------------------- Summary


def summary(model: Any, title: str, scores: np.ndarray, samples: int, seed: int) -> Element:
    record, structure = model.record, model.structure
    impossible = int(np.isneginf(scores).sum())
    rows: list[tuple[Content, Content]] = [
        ("table", cell(title)),
        ("rows, columns of the table", f"{len(scores)}, {len(model.headers)}"),
        ("mean ln P of its rows", f"{nats(float(scores.mean()))} nats per row"),
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
    return _section("Summary", table("The model and the table", ("what", "value"), rows))


def _kind(structure: dict[str, Any]) -> str:
    members = len(structure["members"])
    if members:
        return f"mixture of {members} autoregressive flows"
    layers = f", {structure['layers']} layers" if structure["kind"] == "tsp" else ""
    return f"{structure['kind']}, {structure['base']} base{layers}"


# ---------------------------------------------------------------- Learning curve


def learning_curve(model: Any) -> Element:
    curve = model.record["curve"]
    if not curve:
        return _section("Learning curve", _note("The model has none."))
    steps, train, valid = (list(column) for column in zip(*curve))
    kind = "layers" if model.structure["kind"] == "tsp" else "members"
    title = f"Mean negative log-likelihood by number of {kind}, nats per row"
    lines = {"train": train, "valid": valid}
    known = {name: line for name, line in lines.items() if any(number is not None for number in line)}
    words = {"train": "rows learnt from", "valid": "rows held out"}
    legend = [element("span", words[name], class_=f"key {name}") for name in known]
    chart = [line_chart(title, kind, steps, known)] if known and len(steps) > 1 else []
    rows = [(str(step), nats(a), nats(b)) for step, a, b in curve]
    return _section(
        "Learning curve",
        _note("Of the fit that chose their number. The lower, the better."),
        element("figure", element("figcaption", title), element("p", *legend, class_="legend"), *chart),
        _details("The numbers", table(title, (kind, words["train"], words["valid"]), rows, (1, 2))),
    )


def _details(title: str, *contents: Content) -> Element:
    return element("details", element("summary", title), *contents)


# ---------------------------------------------------------------- Frequencies


def frequencies(columns: list[ComparedColumn], count: int) -> Element:
    return _section(
        "Columns, real and sampled",
        _note(
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
    real, sampled = associations_of([(column.real, column.sampled) for column in columns])
    title = "Association of each pair of columns"
    maps = [
        element("figure", element("figcaption", f"{title}, {kind}"), heat_map(f"{title}, {kind}", names, matrix))
        for kind, matrix in (("real", real), ("sampled", sampled))
    ]
    return _section(
        "Pairs of columns, real and sampled",
        _note(
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
    return _section(
        "Strangest rows",
        _note(
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


# ---------------------------------------------------------------- Structure


def structure(flow: DiscreteTreeFlow) -> Element:
    described = flow._fitted().structure
    parts = _layers(flow) if described["kind"] == "tsp" else _members(flow)
    options = [(f"--{name}", cell(text)) for name, text in flow._fitted().record["options"][:_MOST_OPTIONS]]
    return _section("Structure", *parts, _details("Options of the fit", table("Options", ("option", "value"), options)))


def _layers(flow: DiscreteTreeFlow) -> list[Element]:
    layers = flow._fitted().structure["layers"]
    parts = [
        _note(
            "Each layer is a tree: a row goes down by its tests, and the leaf permutes its values. Layers after the first "
            f"test the codes that the one before gives. The first {_MOST_LAYERS} layers are shown."
        )
    ]
    for layer in range(min(layers, _MOST_LAYERS)):
        tree = flow.tree(layer)
        is_small = len(tree.leaves) <= _MOST_LEAVES
        text = str(tree) if is_small else "\n".join(str(tree).splitlines()[: 2 * _MOST_LEAVES]) + "\n…"
        lines = "\n".join(map(_safe_line, text.splitlines()))
        parts.append(_details(f"Layer {layer + 1}: {len(tree.leaves)} leaves", element("pre", lines)))
    return parts


def _safe_line(line: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)


def _members(flow: DiscreteTreeFlow) -> list[Element]:
    described = flow._fitted().structure
    members = described["members"] or [described]
    rows = [
        (
            str(m),
            f"{member['weight']:.4f}",
            *(str(member[key]) for key in ("conditioners", "questions", "trees", "nodes")),
        )
        for m, member in enumerate(members)
    ]
    header = ("member", "weight", "columns learnt from others", "questions", "trees", "nodes")
    heaviest = int(np.argmax([member["weight"] for member in members]))
    return [
        _note(
            "Each column is asked as yes/no questions, and each question is learnt from the columns before it, by small "
            "trees and terms whose numbers add up to its log-odds."
        ),
        table("Members", header, rows, range(1, 6)),
        _order_table(flow, members[heaviest]["order"], heaviest),
    ]


def _order_table(flow: DiscreteTreeFlow, order: list[int], member: int) -> Element:
    names = [name for name, _ in flow._fitted().headers]
    rows = []
    for position in order[:MOST_COLUMNS]:
        questions = flow.questions(position, member)
        tested: Counter[str] = sum((question.tested() for question in questions), Counter())
        most = sorted(tested.items(), key=lambda item: (-item[1], names.index(item[0])))[:_MOST_CELLS]
        rows.append((cell(names[position]), str(len(questions)), str(sum(tested.values())), _tested(most)))
    which = f", the first {MOST_COLUMNS}" if len(order) > MOST_COLUMNS else ""
    caption = f"Columns in the order of member {member}, the heaviest{which}"
    return table(caption, ("column", "questions", "tests", "tested most often"), rows, (1, 2))


def _tested(tested: list[tuple[str, int]]) -> Element:
    contents: list[Content] = []
    for name, count in tested:
        contents += [", " if contents else "", cell(name), f" {count}"]
    return element("span", *contents) if tested else element("span", "none: learnt from its own frequencies")
