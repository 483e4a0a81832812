"""The section that tells what the model is made of."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from dtf._errors import UsageError
from dtf._report.elements import Content, Element, cell, details, element, note, section, table

if TYPE_CHECKING:
    from dtf._estimator import DiscreteTreeFlow

_MOST_COLUMNS = 50
_MOST_TESTED = 5  # columns, of a conditioner
_MOST_OPTIONS = 60
_MOST_LEAVES = 64  # of a tree that is shown whole
_MOST_LAYERS = 5


def structure(flow: DiscreteTreeFlow) -> Element:
    described = flow._fitted().structure
    parts = _layers(flow) if described["kind"] == "tsp" else _members(flow)
    options = [(f"--{name}", cell(text)) for name, text in flow._fitted().record["options"][:_MOST_OPTIONS]]
    return section("Structure", *parts, details("Options of the fit", table("Options", ("option", "value"), options)))


def _layers(flow: DiscreteTreeFlow) -> list[Element]:
    layers = flow._fitted().structure["layers"]
    parts = [
        note(
            "Each layer is a tree: a row goes down by its tests, and the leaf permutes its values. Layers after the first "
            f"test the codes that the one before gives. The first {_MOST_LAYERS} layers are shown."
        )
    ]
    for layer in range(min(layers, _MOST_LAYERS)):
        tree = flow.tree(layer)
        is_small = len(tree.leaves) <= _MOST_LEAVES
        text = str(tree) if is_small else "\n".join(str(tree).splitlines()[: 2 * _MOST_LEAVES]) + "\n…"
        lines = "\n".join(map(_safe_line, text.splitlines()))
        title = f"Layer {layer + 1}: {len(tree.leaves)} leaves"
        parts.append(details(title, element("pre", lines), is_open=layer == 0))
    return parts


def _safe_line(line: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in line)


def _members(flow: DiscreteTreeFlow) -> list[Element]:
    described = flow._fitted().structure
    members = described["members"] or [described]
    counts = ("conditioners", "questions", "trees", "nodes", "terms")
    rows = [
        (_title(m, member), f"{member['weight']:.4f}", *(str(member[count]) for count in counts))
        for m, member in enumerate(members)
        if not member["is_class"]
    ]
    classes = [member for member in members if member["is_class"]]
    if classes:
        totals = (sum(member[count] for member in classes) for count in counts)
        weight = sum(member["weight"] for member in classes)
        rows.append((f"{len(classes)} latent classes", f"{weight:.4f}", *map(str, totals)))
    header = ("member", "weight", "columns learnt from others", "questions", "trees", "nodes", "terms")
    asking = [m for m, member in enumerate(members) if member["kind"] == "autoregressive"]
    heaviest = max(asking, key=lambda m: members[m]["weight"], default=None)
    return [
        note(
            "Each column is asked as yes/no questions, and each question is learnt from the columns before it, by small "
            "trees and terms whose numbers add up to its log-odds. Latent classes have no trees, and the same terms if any. "
            "A hidden tree has no questions."
        ),
        table("Members", header, rows, range(1, 7)),
        *([] if heaviest is None else [_order_table(flow, members[heaviest]["order"], heaviest)]),
    ]


def _title(position: int, member: dict[str, Any]) -> str:
    return f"{position}, a hidden tree" if member["kind"] == "hidden-tree" else str(position)


def _order_table(flow: DiscreteTreeFlow, order: list[int], member: int) -> Element:
    names = [name for name, _ in flow._fitted().headers]
    rows = []
    for position in order[:_MOST_COLUMNS]:
        try:
            questions = flow.questions(position, member)
        except UsageError:
            too_many = element("span", "too many categories to be told one by one")
            rows.append((cell(names[position]), "–", "–", too_many))
            continue
        tested: Counter[str] = sum((question.tested() for question in questions), Counter())
        most = sorted(tested.items(), key=lambda item: (-item[1], names.index(item[0])))[:_MOST_TESTED]
        rows.append((cell(names[position]), str(len(questions)), str(sum(tested.values())), _tested(most)))
    which = f", the first {_MOST_COLUMNS}" if len(order) > _MOST_COLUMNS else ""
    caption = f"Columns in the order of member {member}, the heaviest{which}"
    return table(caption, ("column", "questions", "tests", "tested most often"), rows, (1, 2))


def _tested(tested: list[tuple[str, int]]) -> Element:
    contents: list[Content] = []
    for name, count in tested:
        contents += [", " if contents else "", cell(name), f" {count}"]
    return element("span", *contents) if tested else element("span", "none: learnt from its own frequencies")
