"""What a fitted model is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtf._errors import UsageError

if TYPE_CHECKING:
    from dtf import _core
    from dtf._trees import Question, Tree


class Inspection:
    """Looks into the fitted model that ``_fitted()`` gives."""

    if TYPE_CHECKING:

        def _fitted(self) -> _core.Model: ...

    def tree(self, part: int = 0, *, column: str | int | None = None, question: int = 0, number: int = 0) -> Tree:
        """A tree of the model: ``print`` shows it, ``to_networkx()`` and ``plot()`` give a graph and a picture.

        A tsp has one tree for each layer: ``tree(layer)``. A row that passes all tests on the way to a leaf is
        permuted by it. The first layer's tests are of the table's values; those of the others are of the codes that
        the layer before gives.

        An autoregressive model has many small trees, which add up to the log-odds of yes/no questions about a column
        (`questions`): ``tree(member, column=..., question=..., number=...)``.

        Parameters
        ----------
        part : int
            Which layer of a tsp, or which member of a mixture; from 0 on.
        column : str or int, optional
            Name of a fitted column, or its position from 0 on. Needed unless the model is a tsp; not allowed if it is.
        question, number : int
            Which question about the column, and which of its trees; from 0 on.

        Raises
        ------
        UsageError
            When there is no such layer, member, column, question or tree.
        """
        from dtf._trees import layer_tree

        if column is None:
            described = self._fitted().layer(_position("layer", part))
            return layer_tree(described, self._categories(), part == 0)
        trees = _chosen("question", self.questions(column, part), question).trees
        tree: Tree = _chosen("tree of this question", trees, number)
        return tree

    def questions(self, column: str | int, member: int = 0) -> list[Question]:
        """The yes/no questions that an autoregressive model asks about a column, the first one first.

        The probability of a value is the product of the probabilities of the answers that lead to it. A column of k
        values has k - 1 questions.

        Parameters
        ----------
        column : str or int
            Name of a fitted column, or its position from 0 on.
        member : int
            Which member of a mixture; from 0 on.

        Raises
        ------
        UsageError
            For a tsp, which has layers instead; for a column or member that does not exist; and when the questions
            would list more than 20 million categories.
        """
        from dtf._trees import question

        columns = self._categories()
        names = [categories.name for categories in columns]
        if isinstance(column, str):
            if column not in names:
                raise UsageError(f"there is no column `{column}`; the columns are {', '.join(names)}")
            column = names.index(column)
        position = _position("column", column)
        described = self._fitted().questions(position, _position("member", member))
        return [question(entry, position, columns) for entry in described]

    def plot_tree(
        self, part: int = 0, *, column: str | int | None = None, question: int = 0, number: int = 0, ax: Any = None
    ) -> Any:
        """Draws what `tree` gives with matplotlib, and returns the axes."""
        return self.tree(part, column=column, question=question, number=number).plot(ax)

    def _categories(self) -> list[Any]:
        from dtf._categories import Categories

        return [Categories(column) for column in self._fitted().schema]


def _position(what: str, number: Any) -> int:
    if not hasattr(number, "__index__") or number.__index__() < 0:
        raise UsageError(f"{what} {number!r}: give a whole number from 0 on")
    return int(number.__index__())


def _chosen(what: str, items: Any, number: Any) -> Any:
    if _position(what, number) >= len(items):
        raise UsageError(f"there is no {what} {number}: there are {len(items)}, counted from 0")
    return items[number]
