#!/usr/bin/env python3
"""Bayesian networks, whose truth is known: how far a model is from it, in nats a row.

    bayes_networks.py [NETWORKS...]

Of each network in DTF_TEST_DATA/data/bif (../shared/data/bif by default): 10,000 rows are drawn to learn from, 2,000 to
choose by and 10,000 to test on. The excess is the mean over the test rows of ln P(row) under the network less that
under the model, ± its standard error. Beside the default fit: the paper's model (`--model tsp`), a Chow-Liu tree, and
pyAgrum, which is run with --pyagrum; without, its figures are those of the last such run. Needs nothing but Python, and
--pyagrum that package.
"""

import collections
import dataclasses
import itertools
import math
import os
import pathlib
import random
import re
import statistics
import tempfile

from tool import REPOSITORY, Tool, parser

DATA = pathlib.Path(os.environ.get("DTF_TEST_DATA", REPOSITORY.parent / "shared")).resolve() / "data"
ROWS = {"train": 10_000, "valid": 2_000, "test": 10_000}
ALPHA = 0.5  # rows added to each count of the Chow-Liu tree

# Of pyAgrum: its searches and scores, as the learner's methods call them, and rows added to each count.
SEARCHES = ("GreedyHillClimbing", "LocalSearchWithTabuList")
SCORES = ("AIC", "BIC")
PRIORS = (0.01, 0.1, 0.5, 1)

# What `--pyagrum` printed: pyAgrum 3.3.1 on the same rows.
PYAGRUM = {
    "alarm": "0.0412 ± 0.0031",
    "insurance": "0.0666 ± 0.0042",
    "child": "0.0100 ± 0.0015",
    "sachs": "0.0091 ± 0.0014",
    "asia": "0.0006 ± 0.0005",
    "survey": "0.0010 ± 0.0006",
    "cancer": "0.0003 ± 0.0002",
    "earthquake": "0.0010 ± 0.0003",
}


# ---------------------------------------------------------------- Networks


VARIABLE = re.compile(r"variable\s+(\S+)\s*{\s*type\s+discrete\s*\[\s*\d+\s*\]\s*{([^}]*)}")
PROBABILITY = re.compile(r"probability\s*\(([^)]*)\)\s*{([^}]*)}")
ENTRY = re.compile(r"(?:\(([^)]*)\)|table)([^;]*);")


@dataclasses.dataclass
class Variable:
    values: list
    parents: list = dataclasses.field(default_factory=list)  # names
    chances: dict = dataclasses.field(default_factory=dict)  # values of the parents -> probabilities of the own, sum 1


def words(text):
    return [word.strip() for word in text.split(",")]


def read_network(path):
    """The variables of a .bif file by name, in the file's order. Probabilities are divided by their sum."""
    text = path.read_text()
    network = {name: Variable(words(values)) for name, values in VARIABLE.findall(text)}
    for head, body in PROBABILITY.findall(text):
        name, _, parents = head.partition("|")
        variable = network[name.strip()]
        variable.parents = words(parents) if parents else []
        for given, chances in ENTRY.findall(body):
            chances = [float(chance) for chance in words(chances)]
            total = sum(chances)
            variable.chances[tuple(words(given)) if given else ()] = [chance / total for chance in chances]
    return network


def parents_first(network):
    order = []
    while len(order) < len(network):
        order += [
            name for name in network if name not in order and all(parent in order for parent in network[name].parents)
        ]
    return order


def draw(network, rows, generator):
    """Rows drawn from the network: a tuple of values, in the order of its variables."""
    order = parents_first(network)
    for _ in range(rows):
        row = {}
        for name in order:
            variable = network[name]
            chances = variable.chances[tuple(row[parent] for parent in variable.parents)]
            row[name] = generator.choices(variable.values, chances)[0]
        yield tuple(row[name] for name in network)


def log_probability(network, row):
    """ln P(row), nats."""
    value_of = dict(zip(network, row))
    total = 0.0
    for name, variable in network.items():
        chances = variable.chances[tuple(value_of[parent] for parent in variable.parents)]
        total += math.log(chances[variable.values.index(value_of[name])])
    return total


# ---------------------------------------------------------------- Chow-Liu tree


def mutual_information(a, b):
    """Of two columns of values, nats."""
    n = len(a)
    of_a, of_b = collections.Counter(a), collections.Counter(b)
    pairs = collections.Counter(zip(a, b))
    return sum(count / n * math.log(count * n / (of_a[x] * of_b[y])) for (x, y), count in pairs.items())


class ChowLiuTree:
    """The tree of greatest mutual information (Prim's algorithm, from the first column). Each column's probabilities
    given its parent are counts with ALPHA added to each."""

    def __init__(self, rows, sizes):
        """`sizes`: number of values of each column."""
        self.sizes = sizes
        columns = list(zip(*rows))
        self.parents = self._tree(columns)
        constant = (None,) * len(rows)
        self.counts = []
        for column, parent in zip(columns, self.parents):
            given = constant if parent is None else columns[parent]
            self.counts.append((collections.Counter(zip(given, column)), collections.Counter(given)))

    @staticmethod
    def _tree(columns):
        """The parent of each column; None of the first."""
        parents = [None] * len(columns)
        best = {j: (mutual_information(columns[0], columns[j]), 0) for j in range(1, len(columns))}
        while best:
            added = max(best, key=best.get)
            parents[added] = best.pop(added)[1]
            for j in best:
                best[j] = max(best[j], (mutual_information(columns[added], columns[j]), added))
        return parents

    def log_probability(self, row):
        """ln P(row), nats."""
        total = 0.0
        for value, parent, size, (pairs, of_parent) in zip(row, self.parents, self.sizes, self.counts):
            given = None if parent is None else row[parent]
            total += math.log((pairs[given, value] + ALPHA) / (of_parent[given] + ALPHA * size))
        return total


# ---------------------------------------------------------------- pyAgrum


def learn_pyagrum(table, network, search, score, prior):
    """The network that the search finds by the score, its counts smoothed by the prior."""
    import pyagrum

    empty = pyagrum.BayesNet()
    for name, variable in network.items():
        empty.add(pyagrum.LabelizedVariable(name, name, variable.values))
    learner = pyagrum.BNLearner(str(table), empty)
    getattr(learner, f"use{search}")()
    getattr(learner, f"useScore{score}")()
    learner.useSmoothingPrior(prior)
    return from_pyagrum(learner.learnBN(), network)


def from_pyagrum(learnt, network):
    """The learnt network as Variables, in the order of `network`."""
    found = {}
    for name, variable in network.items():
        parents = [learnt.variable(parent).name() for parent in learnt.parents(name)]
        chances = {}
        for given in itertools.product(*(network[parent].values for parent in parents)):
            of_given = learnt.cpt(name).extract(dict(zip(parents, given)))
            chances[given] = [of_given[{name: value}] for value in variable.values]
        found[name] = Variable(variable.values, parents, chances)
    return found


def best_pyagrum(table, network, valid):
    """The network, of all searches, scores and priors, that gives the rows of `valid` the most probability."""
    choices = itertools.product(SEARCHES, SCORES, PRIORS)
    learnt = [learn_pyagrum(table, network, *choice) for choice in choices]
    return max(learnt, key=lambda one: sum(log_probability(one, row) for row in valid))


# ---------------------------------------------------------------- The runs


def write(path, header, rows):
    path.write_text("".join(",".join(row) + "\n" for row in itertools.chain([header], rows)))
    return path


def excess(truth, scores):
    """The mean of truth - scores, ± its standard error."""
    differences = [true - score for true, score in zip(truth, scores, strict=True)]
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    return f"{statistics.fmean(differences):.4f} ± {error:.4f}"


def fit_and_score(tool, paths, options):
    """ln P of each test row, nats."""
    given = ("--valid", paths["valid"], "--domain", paths["domain"])
    tool.json("fit", paths["train"], "-o", paths["model"], *given, *options)
    text, _ = tool.run("score", paths["model"], paths["test"])
    return [float(line) for line in text.splitlines()[1:]]


def run_network(tool, name, network, folder, chosen, pyagrum):
    """Cells of the network's line. `chosen`: options of the default fit; `pyagrum`: whether to run it."""
    generator = random.Random(0)
    rows = {part: list(draw(network, count, generator)) for part, count in ROWS.items()}
    most = max(len(variable.values) for variable in network.values())
    rows["domain"] = [[v.values[min(i, len(v.values) - 1)] for v in network.values()] for i in range(most)]
    paths = {part: write(folder / f"{part}.csv", network, part_rows) for part, part_rows in rows.items()}
    paths["model"] = folder / "model.dtf"
    truth = [log_probability(network, row) for row in rows["test"]]
    tree = ChowLiuTree(rows["train"], [len(variable.values) for variable in network.values()])
    peer = PYAGRUM.get(name, "–")
    if pyagrum:
        learnt = best_pyagrum(paths["train"], network, rows["valid"])
        peer = excess(truth, [log_probability(learnt, row) for row in rows["test"]])
    return (
        name,
        len(network),
        f"{-statistics.fmean(truth):.4f}",
        excess(truth, fit_and_score(tool, paths, chosen)),
        excess(truth, fit_and_score(tool, paths, ("--model", "tsp"))),
        excess(truth, [tree.log_probability(row) for row in rows["test"]]),
        peer,
    )


COLUMNS = ("network", "columns", "NLL of the truth", "default", "`--model tsp`", "Chow-Liu tree", "pyAgrum")


def run(tool, directory, chosen=(), names=(), pyagrum=False):
    """Prints a line for each network of the folder, the smallest first. `chosen`: options of the default fits."""
    networks = {path.stem: read_network(path) for path in directory.glob("*.bif") if not names or path.stem in names}
    missing = sorted(set(names or PYAGRUM) - set(networks))
    if missing:
        print(f"Left out, for there is no such .bif file in {directory}: {', '.join(missing)}\n")
    print("| " + " | ".join(COLUMNS) + " |")
    print("|" + "---|" * len(COLUMNS), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(networks, key=lambda name: (len(networks[name]), name)):
            cells = run_network(tool, name, networks[name], pathlib.Path(folder), chosen, pyagrum)
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--pyagrum", action="store_true", help="learn networks with it")
    arguments.add_argument("names", nargs="*", metavar="NETWORKS", help="without: all that are there")
    options = arguments.parse_args()
    run(Tool(options.dtf, options.threads), DATA / "bif", names=options.names, pyagrum=options.pyagrum)


if __name__ == "__main__":
    main()
