"""Trees and questions of a model as data: texts, networkx graphs, pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dtf._categories import Categories

_MOST_VALUES = 4  # of a set, in a label


@dataclass(frozen=True)
class Test:
    """Whether a row's value of ``column`` is among ``values``. A value never seen never is."""

    column: str
    values: tuple[str, ...]
    is_range: bool = False  # of an ordered column: consecutive ones

    def __str__(self) -> str:
        values = self.values
        if len(values) == 1:
            return f"{self.column} = {values[0]}"
        if self.is_range:
            return f"{self.column} in {values[0]} … {values[-1]}"
        more = f", … {len(values) - _MOST_VALUES} more" if len(values) > _MOST_VALUES else ""
        return f"{self.column} in {{{', '.join(values[:_MOST_VALUES])}{more}}}"


@dataclass(frozen=True)
class Split:
    """A row that passes ``test`` goes to ``yes``, another one to ``no``: a split from 0 on, or leaf ``-1 - child``."""

    test: Test
    yes: int
    no: int


@dataclass(frozen=True)
class Tree:
    """A tree of tests.

    Attributes
    ----------
    splits : tuple of Split
        The root first, children after their parent.
    leaves : tuple of float or None
        One more than splits. What a row that gets there adds to a question's log-odds, nats; None in a layer, whose
        leaves permute.
    """

    splits: tuple[Split, ...]
    leaves: tuple[float | None, ...]

    @property
    def root(self) -> int:
        return 0 if self.splits else -1

    def label(self, node: int) -> str:
        """The test of a split, or what a leaf (< 0) holds."""
        if node >= 0:
            return str(self.splits[node].test)
        value = self.leaves[-1 - node]
        return f"leaf {-1 - node}" if value is None else f"{value:+.4f} nats"

    def children(self, node: int) -> tuple[tuple[str, int], ...]:
        """The answers and where they lead; none of a leaf."""
        return (("yes", self.splits[node].yes), ("no", self.splits[node].no)) if node >= 0 else ()

    def __str__(self) -> str:
        return "\n".join(self._lines(self.root, "", ""))

    def _lines(self, node: int, first: str, rest: str) -> Iterator[str]:
        yield first + self.label(node)
        for answer, child in self.children(node):
            is_last = answer == "no"
            yield from self._lines(
                child, f"{rest}{'└' if is_last else '├'}─ {answer}: ", rest + ("   " if is_last else "│  ")
            )

    def to_networkx(self) -> Any:
        """A networkx.DiGraph. Nodes are numbered as here and have a ``label``; edges have an ``answer``.

        Splits also have ``column`` and ``values``, leaves a ``value``.
        """
        from dtf._optional import need

        graph = need("networkx", "a tree as a graph").DiGraph()
        for node in range(-len(self.leaves), len(self.splits)):
            graph.add_node(node, label=self.label(node), **self._facts(node))
        for node in range(len(self.splits)):
            for answer, child in self.children(node):
                graph.add_edge(node, child, answer=answer)
        return graph

    def _facts(self, node: int) -> dict[str, Any]:
        if node < 0:
            return {"value": self.leaves[-1 - node]}
        return {"column": self.splits[node].test.column, "values": self.splits[node].test.values}

    def plot(self, ax: Any = None) -> Any:
        """Draws it with matplotlib, and returns the axes."""
        from dtf._plots import plot_tree

        return plot_tree(self, ax)


@dataclass(frozen=True)
class Question:
    """A yes/no question about a column: is its value among ``yes``, given that it is among ``yes`` or ``no``?

    Attributes
    ----------
    column : str
    yes, no : tuple of str
    bias : float
        Log-odds before anything else is known, nats.
    terms : tuple of (Test, float)
        Nats added to the log-odds of a row that passes the test.
    trees : tuple of Tree
        Each adds what the leaf holds that the row gets to.
    """

    column: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    bias: float
    terms: tuple[tuple[Test, float], ...]
    trees: tuple[Tree, ...]

    def tested(self) -> Counter[str]:
        """How many tests look at each column."""
        tests = [test for test, _ in self.terms] + [split.test for tree in self.trees for split in tree.splits]
        return Counter(test.column for test in tests)

    def __str__(self) -> str:
        asked, else_ = Test(self.column, self.yes), Test("not", self.no)
        return f"{asked}, {else_}? {self.bias:+.4f} nats, {len(self.terms)} terms, {len(self.trees)} trees"


# ---------------------------------------------------------------- From the core


def layer_tree(described: dict[str, Any], columns: list[Categories], is_first: bool) -> Tree:
    """``described``: of _core.Model.layer. Only the first layer is given categories; the others get codes."""

    def test(column: int, codes: list[int]) -> Test:
        if is_first:
            return _test(columns[column], codes)
        return Test(columns[column].name, tuple(f"code {code}" for code in codes))

    splits = tuple(Split(test(column, codes), yes, no) for column, codes, yes, no in described["splits"])
    return Tree(splits, (None,) * len(described["leaves"]))


def question(described: dict[str, Any], column: int, columns: list[Categories]) -> Question:
    """``described``: of _core.Model.questions about ``column``."""
    names = columns[column].names
    return Question(
        columns[column].name,
        tuple(names[code] for code in described["yes"]),
        tuple(names[code] for code in described["no"]),
        described["bias"],
        tuple((_test(columns[j], codes), weight) for j, codes, weight in described["terms"]),
        tuple(_question_tree(tree, columns) for tree in described["trees"]),
    )


def _question_tree(described: dict[str, Any], columns: list[Categories]) -> Tree:
    splits = (Split(_test(columns[j], codes), yes, no) for j, codes, yes, no in described["splits"])
    return Tree(tuple(splits), tuple(described["leaves"]))


def _test(column: Categories, codes: list[int]) -> Test:
    is_range = column.is_ordered and len(codes) > 1 and codes[-1] - codes[0] == len(codes) - 1
    return Test(column.name, tuple(column.names[code] for code in codes), is_range)
