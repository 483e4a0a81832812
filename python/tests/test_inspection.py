"""Trees and questions say what the model computes; pictures of them can be drawn."""

import itertools
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import dtf
from tables import correlated


def rows_of(table):
    return [dict(zip(table.column_names, row)) for row in zip(*(column.to_pylist() for column in table.columns))]


def leaf_of(tree, row):
    """The number of the leaf that the row gets to."""
    node = tree.root
    while node >= 0:
        test = tree.splits[node].test
        node = tree.splits[node].yes if row[test.column] in test.values else tree.splits[node].no
    return -1 - node


def log_odds(question, row):
    terms = sum(weight for test, weight in question.terms if row[test.column] in test.values)
    return question.bias + terms + sum(tree.leaves[leaf_of(tree, row)] for tree in question.trees)


def log_probability(questions, row):
    """Of the value of the questions' column, by the answers that lead to it."""
    total = 0.0
    for question in questions:
        text = row[question.column]
        if text in question.yes or text in question.no:
            sign = 1 if text in question.yes else -1
            total -= np.logaddexp(0, -sign * log_odds(question, row))
    return total


@pytest.mark.parametrize("conditioner", ["tree", "linear", "boosted"])
def test_the_questions_give_the_score(conditioner):
    table = correlated(150)
    flow = dtf.DiscreteTreeFlow(members=1, conditioner=conditioner, closed=True).fit(table)
    questions = [flow.questions(name) for name in table.column_names]
    expected = [[log_probability(asked, row) for asked in questions] for row in rows_of(table)]
    np.testing.assert_allclose(flow.score_per_column(table), expected, rtol=1e-6, atol=1e-9)
    assert any(question.trees or question.terms for asked in questions for question in asked)


def test_a_leaf_permutes_each_column():
    """All rows of a leaf are mapped by one permutation for each column: of what comes into the layer to its codes."""
    table = correlated(500)
    before = rows_of(table)
    for layers in (1, 2, 3):
        flow = dtf.DiscreteTreeFlow(model="tsp", layers=layers, max_depth=4).fit(table)
        tree, codes = flow.tree(layers - 1), flow.transform(table)
        assert len(tree.splits) > 3 and len(tree.leaves) == len(tree.splits) + 1
        leaves = np.array([leaf_of(tree, row) for row in before])
        assert set(leaves) == set(range(len(tree.leaves)))
        for leaf, (j, name) in itertools.product(set(leaves), enumerate(table.column_names)):
            pairs = {(before[i][name], codes[i, j]) for i in np.flatnonzero(leaves == leaf)}
            assert len(pairs) == len({source for source, _ in pairs}) == len({code for _, code in pairs})
        before = [{name: f"code {code}" for name, code in zip(table.column_names, row)} for row in codes]


def test_a_leaf_gives_frequent_values_high_codes():
    table = correlated(500)
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=1, max_depth=4).fit(table)
    tree, codes = flow.tree(), flow.transform(table)
    leaves = np.array([leaf_of(tree, row) for row in rows_of(table)])
    for leaf, j in itertools.product(set(leaves), range(4)):
        _, counts = np.unique(codes[leaves == leaf, j], return_counts=True)
        assert (np.diff(counts) >= 0).all()


def test_a_tree_as_text():
    tree = dtf.DiscreteTreeFlow(model="tsp", layers=1, max_depth=1).fit(correlated(300)).tree()
    test = tree.splits[0].test
    assert str(tree) == f"{test.column} = {test.values[0]}\n├─ yes: leaf 0\n└─ no: leaf 1"


def test_a_column_by_name_or_place_and_missing_values():
    table = pa.table({"a": ["x", "y", None, "x"] * 50, "b": ["1", "2", "", "1"] * 50})
    flow = dtf.DiscreteTreeFlow(members=1).fit(table)
    assert flow.questions(0) == flow.questions("a")
    named = {value for question in flow.questions("a") for value in (*question.yes, *question.no)}
    assert named == {"x", "y", "(missing)"}
    assert '""' in {value for question in flow.questions("b") for value in (*question.yes, *question.no)}


def test_bins_are_shown_as_intervals():
    table = pa.table({"n": np.arange(200.0), "t": ["low"] * 100 + ["high"] * 100})
    flow = dtf.DiscreteTreeFlow(members=1, bins={"n": 4}, random_state=1).fit(table)
    names = {value for question in flow.questions("n") for value in (*question.yes, *question.no)}
    assert len(names) == 4 and any(name.startswith("below ") for name in names)


@pytest.mark.parametrize("first, step", [(20200101, 1), (1, 2**-40), (-1e-300, 1e-302), (0, 0.1)])
def test_intervals_of_bins_tell_their_ends_to_the_last_bit(first, step):
    numbers = first + step * np.arange(100.0)
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=1, bins={"n": 5}).fit(pa.table({"n": numbers}))
    below, *inner, last = flow._categories()[0].names
    ends = [tuple(map(float, name.strip("[)").split(", "))) for name in inner]
    cuts = flow._fitted().schema[0]["cuts"]
    assert ends == list(zip(cuts, cuts[1:])) and len(ends) == 3
    assert [float(below.removeprefix("below ")), float(last.removeprefix("from "))] == [cuts[0], cuts[-1]]


@pytest.mark.parametrize(
    "ask",
    [
        lambda tsp, mix: mix.tree(0),
        lambda tsp, mix: tsp.questions("c0"),
        lambda tsp, mix: tsp.tree(2),
        lambda tsp, mix: tsp.tree(-1),
        lambda tsp, mix: mix.questions("d"),
        lambda tsp, mix: mix.questions("c0", 2),
        lambda tsp, mix: mix.tree(0, column=4),
        lambda tsp, mix: mix.tree(0, column=0, question=3),
        lambda tsp, mix: mix.tree(0, column=0, number=10_000),
    ],
)
def test_what_is_not_there_is_a_usage_error(ask):
    table = correlated()
    flows = [dtf.DiscreteTreeFlow(model="tsp", layers=2), dtf.DiscreteTreeFlow(members=2)]
    with pytest.raises(dtf.UsageError):
        ask(*(flow.fit(table) for flow in flows))


# ---------------------------------------------------------------- Graphs and pictures


def test_a_tree_as_a_graph():
    networkx = pytest.importorskip("networkx")
    tree = dtf.DiscreteTreeFlow(model="tsp", layers=1).fit(correlated(500)).tree()
    graph = tree.to_networkx()
    assert networkx.is_arborescence(graph) and graph.number_of_nodes() == len(tree.splits) + len(tree.leaves)
    assert {graph.edges[edge]["answer"] for edge in graph.edges} == {"yes", "no"}
    assert graph.nodes[0]["column"] == tree.splits[0].test.column and graph.nodes[-1]["label"] == "leaf 0"


@pytest.fixture
def pyplot():
    pytest.importorskip("matplotlib").use("agg")
    import matplotlib.pyplot

    yield matplotlib.pyplot
    matplotlib.pyplot.close("all")


def test_pictures(pyplot):
    table = correlated()
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=3).fit(table)
    axes = dtf.plot_learning_curve(flow)
    assert list(axes.lines[0].get_ydata()) == list(flow.learning_curve_["train_nll"])
    images = [ax.images[0].get_array() for ax in dtf.plot_pairs(table, flow.sample(500))]
    assert images[0].shape == images[1].shape == (4, 4)
    tree = flow.tree()
    assert {text.get_text() for text in flow.plot_tree().texts} >= {tree.label(0), "leaf 0", "yes", "no"}
    with pytest.raises(dtf.InputError, match="different columns"):
        dtf.plot_pairs(table, table.drop(["c0"]))


def test_texts_do_not_become_formulas(pyplot):
    table = pa.table({"$a^$": ["$x^$", "y"] * 100, "b": ["$x^$", "y"] * 100})
    dtf.DiscreteTreeFlow(model="tsp", layers=1).fit(table).plot_tree().figure.canvas.draw()
    dtf.plot_pairs(table, table)[0].figure.canvas.draw()


def test_without_matplotlib_the_error_tells_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=1).fit(correlated())
    with pytest.raises(ImportError, match="pip install matplotlib"):
        flow.plot_tree()


def test_pictures_are_loaded_only_when_asked_for():
    program = (
        "import dtf, sys; print([m for m in sys.modules if m.startswith(('matplotlib', 'dtf._plots', 'dtf._report'))])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "[]"
    assert {"plot_pairs", "write_report"} <= set(dir(dtf))
