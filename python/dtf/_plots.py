"""Pictures, by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dtf._errors import InputError
from dtf._optional import need

if TYPE_CHECKING:
    from dtf._estimator import DiscreteTreeFlow
    from dtf._trees import Tree


def _axes(ax: Any, **figure: Any) -> Any:
    """``ax``, or those of a new figure."""
    pyplot = need("matplotlib.pyplot", "a picture")
    return pyplot.subplots(layout="constrained", **figure)[1] if ax is None else ax


def plot_learning_curve(flow: DiscreteTreeFlow, ax: Any = None) -> Any:
    """Draws how the mean negative log-likelihood fell from layer to layer, or member to member.

    Parameters
    ----------
    flow : DiscreteTreeFlow
        A fitted one.
    ax : matplotlib Axes, optional
        Where to; else a new figure.

    Returns
    -------
    matplotlib Axes
    """
    steps, train, valid = zip(*flow._fitted().record["curve"])
    ax = _axes(ax)
    for nlls, label in ((train, "rows learnt from"), (valid, "rows held out")):
        if any(nll is not None for nll in nlls):
            ax.plot(steps, [np.nan if nll is None else nll for nll in nlls], marker="o", label=label)
    kind = "layers" if flow._fitted().structure["kind"] == "tsp" else "members"
    ax.set(xlabel=kind, ylabel="mean negative log-likelihood, nats per row")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend()
    return ax


def plot_pairs(real: Any, sample: Any, axes: Any = None) -> Any:
    """Draws the association of each pair of columns in two tables, side by side: bias-corrected Cramér's V, 0 to 1.

    Parameters
    ----------
    real, sample : tables
        With the same columns, in the same order.
    axes : two matplotlib Axes, optional
        Where to; else a new figure.

    Returns
    -------
    array of two matplotlib Axes

    Raises
    ------
    InputError
        When the columns differ.
    """
    from dtf._association import associations
    from dtf._encoding import encode
    from dtf._tables import read_table

    tables = [read_table(table) for table in (real, sample)]
    names = tables[0].names
    if tables[1].names != names:
        raise InputError(f"the two tables have different columns: {names} and {tables[1].names}")
    axes = _axes(axes, ncols=2, figsize=(4 + 0.5 * len(names), 2 + 0.25 * len(names)))
    pairs = zip(tables[0].columns, tables[1].columns)
    matrices = associations([_common_codes(encode(first), encode(second)) for first, second in pairs])
    for ax, matrix, title in zip(axes, matrices, ("real", "sample")):
        image = ax.imshow(matrix, vmin=0, vmax=1)
        ax.set_title(title)
        ax.set_xticks(range(len(names)), names, rotation=90, parse_math=False)
        ax.set_yticks(range(len(names)), names, parse_math=False)
    axes[1].figure.colorbar(image, ax=list(axes), label="Cramér's V, bias-corrected", shrink=0.7)
    return axes


def _common_codes(*columns: tuple[list[str | None], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Codes of two columns of texts and positions in them: equal for equal texts, 0 for a missing cell."""
    code_of: dict[str | None, int] = {None: 0}
    codes = []
    for texts, positions in columns:
        entries = [code_of.setdefault(text, len(code_of)) for text in [*texts, None]]
        codes.append(np.array(entries)[positions])
    return codes[0], codes[1]


def plot_tree(tree: Tree, ax: Any = None) -> Any:
    """Draws a tree: the root above, leaves below; yes to the left."""
    places: dict[int, tuple[float, float]] = {}

    def place(node: int, depth: int) -> None:
        for _, child in tree.children(node):
            place(child, depth + 1)
        below = [places[child][0] for _, child in tree.children(node)]
        leaves = sum(placed < 0 for placed in places)
        places[node] = (sum(below) / len(below) if below else float(leaves), -float(depth))

    place(tree.root, 0)
    depth = 1 - min(y for _, y in places.values())
    ax = _axes(ax, figsize=(2 + 1.6 * len(tree.leaves), 1 + 1.2 * depth))
    for node, (x, y) in places.items():
        for answer, child in tree.children(node):
            ax.plot([x, places[child][0]], [y, places[child][1]], color="0.6", zorder=1)
            ax.text((x + places[child][0]) / 2, (y + places[child][1]) / 2, answer, fontsize="x-small", ha="center")
        ax.text(x, y, tree.label(node), ha="center", va="center", fontsize="small", parse_math=False,
                bbox={"boxstyle": "round", "facecolor": "white" if node >= 0 else "0.93", "edgecolor": "0.5"})  # fmt: skip
    ax.set(xlim=(-0.7, len(tree.leaves) - 0.3), ylim=(0.5 - depth, 0.5))
    ax.set_axis_off()
    return ax
