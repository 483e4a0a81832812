#!/usr/bin/env python3
"""One boosted order beside LightGBM, on the tables of density.py: test NLL, CPU seconds, and seconds a tree.

    against_lightgbm.py [NAMES...]

1. `dtf fit --conditioner boosted --members 1`, CPU seconds of the whole command, beside a LightGBM classifier for each
   column on the columns before it, whose clock runs only while it makes its data sets and trains: not while Python
   starts, reads tables or predicts. Learning rate 0.1, stopped after 20 rounds without gain on the held-out rows (at
   most 1,000), the rest its defaults. Both: one thread, in turns; the least of --runs.
2. Trees alone: the last column of a 0/1 table learnt from all others, in 100 rounds at rate 0.1 without held-out rows,
   no row or column left out. A round is all that it takes: derivatives, a tree, new logits. Of ours: the benchmark
   BoostRounds, if --bench is there (`./run bench` builds it). The limit is that of counting each cell once: gradient
   and Hessian of a row are eight bits, each an AND + popcount + add of 64 rows at the bare loop's speed.

A column of two values is a number for LightGBM (what it splits is the same), any other one categorical. A value that no
training row has cannot be its class: with n training rows and k values in the column's domain each such value gets
0.5 / (n + 0.5 k), and what LightGBM predicts for the others shares the rest. The first column, and one that is constant
in training, has (count + 0.5) / (n + 0.5 k).

Needs numpy and lightgbm.
"""

import csv
import dataclasses
import json
import multiprocessing
import os
import pathlib
import subprocess
import tempfile
import time

from bayes_networks import DATA
from density import CASES, opened, print_row
from tool import REPOSITORY, Tool, parser

NAMES = ("plants", "jester", "dna", "msnbc", "adult")
ALPHA = 0.5
TRAINING = {"learning_rate": 0.1, "num_threads": 1, "verbosity": -1}
PATIENCE = 20
MOST_ROUNDS = 1000
TREES = 100
SHAPES = ((4, 16), (-1, 31))  # depth (-1: any) and leaves: all of four levels; LightGBM's default
PLANES = 8  # bits of gradient and Hessian that we sum for each row and column


# ---------------------------------------------------------------- LightGBM, in a process of its own


def in_child(function, *arguments):
    """What the function returns, called in a fresh process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def read_codes(paths, domain, has_header):
    """The tables as arrays of rows × columns, column-major, a cell's value by its number in its column of `domain`; and
    the number of values of each column."""
    import numpy

    def columns_of(path):
        with opened(path) as file:
            rows = list(csv.reader(line.decode() for line in file))
        return list(zip(*rows[has_header:]))

    numbers = [{value: i for i, value in enumerate(sorted(set(column)))} for column in columns_of(domain)]
    tables = []
    for path in paths:
        columns = columns_of(path)
        table = numpy.empty((len(columns[0]), len(columns)), dtype=numpy.float32, order="F")
        for j, (column, number_of) in enumerate(zip(columns, numbers, strict=True)):
            table[:, j] = [number_of[value] for value in column]
        tables.append(table)
    return tables, [len(number_of) for number_of in numbers]


@dataclasses.dataclass
class LightGbmFit:
    nll: float  # nats a row
    seconds: float  # CPU, of data sets and training
    seconds_of_data: float  # CPU, of the former
    trees: int  # one a class and round


class Column:
    """A classifier of column j on the columns before it."""

    def __init__(self, j, sizes, train, valid):
        import numpy

        self.j = j
        self.size = sizes[j]
        self.counts = numpy.bincount(train[:, j].astype(int), minlength=self.size)
        self.classes = numpy.flatnonzero(self.counts)  # that training rows have
        self.booster = None
        self.seconds = self.seconds_of_data = 0.0
        if j > 0 and len(self.classes) > 1:
            self._fit(sizes, train, valid[numpy.isin(valid[:, j], self.classes)])

    def _fit(self, sizes, train, valid):
        import lightgbm

        start = time.process_time()
        options = dict(TRAINING, objective="binary")
        if len(self.classes) > 2:
            options |= {"objective": "multiclass", "num_class": len(self.classes)}
        categorical = [i for i in range(self.j) if sizes[i] > 2]
        making = {"categorical_feature": categorical, "params": options, "free_raw_data": False}
        data = lightgbm.Dataset(*self._split(train), **making).construct()
        held_out = lightgbm.Dataset(*self._split(valid), reference=data, **making).construct()
        self.seconds_of_data = time.process_time() - start
        stop = lightgbm.early_stopping(PATIENCE, verbose=False)
        self.booster = lightgbm.train(options, data, MOST_ROUNDS, valid_sets=[held_out], callbacks=[stop])
        self.seconds = time.process_time() - start

    def _split(self, rows):
        return rows[:, : self.j], self._class_of(rows[:, self.j])

    def _class_of(self, values):
        import numpy

        return numpy.searchsorted(self.classes, values)

    def log_probabilities(self, rows):
        """ln P of each row's value, nats."""
        import numpy

        values = rows[:, self.j].astype(int)
        total = self.counts.sum() + ALPHA * self.size
        if self.booster is None:
            return numpy.log((self.counts[values] + ALPHA) / total)
        raw = self.booster.predict(rows[:, : self.j], raw_score=True)
        if raw.ndim == 1:
            raw = numpy.stack([numpy.zeros_like(raw), raw], axis=1)
        logs = raw - numpy.logaddexp.reduce(raw, axis=1, keepdims=True)
        known = self.counts[values] > 0
        of_class = logs[numpy.arange(len(rows)), numpy.where(known, self._class_of(values), 0)]
        unknown = (self.size - len(self.classes)) * ALPHA / total
        return numpy.where(known, of_class + numpy.log1p(-unknown), numpy.log(ALPHA / total))


def fit_lightgbm(tables):
    """LightGbmFit of a density.Tables."""
    paths = (tables.train, tables.valid, tables.test)
    (train, valid, test), sizes = read_codes(paths, tables.domain, has_header="--no-header" not in tables.reading)
    total = LightGbmFit(0.0, 0.0, 0.0, 0)
    for j in range(len(sizes)):
        column = Column(j, sizes, train, valid)
        total.nll -= column.log_probabilities(test).mean()
        total.seconds += column.seconds
        total.seconds_of_data += column.seconds_of_data
        total.trees += column.booster.num_trees() if column.booster else 0
    return total


def time_trees(tables, depth, leaves):
    """CPU seconds a round when LightGBM learns the last column of a 0/1 table from the others, and leaves a tree."""
    import lightgbm

    (train,), _ = read_codes([tables.train], tables.domain, has_header=False)
    options = dict(TRAINING, objective="binary", max_depth=depth, num_leaves=leaves)
    data = lightgbm.Dataset(train[:, :-1], train[:, -1], params=options).construct()
    booster = lightgbm.Booster(options, data)
    start = time.process_time()
    for _ in range(TREES):
        booster.update()
    seconds = time.process_time() - start
    trees = booster.dump_model()["tree_info"]
    return seconds / TREES, sum(tree["num_leaves"] for tree in trees) / len(trees)


# ---------------------------------------------------------------- The runs


def fit_ours(tool, tables, model):
    """CPU seconds of the fit, and the test NLL."""
    boosted = ("--conditioner", "boosted", "--members", 1)
    found = tool.json("fit", tables.train, "-o", model, *tables.reading, *tables.fitting(), *boosted)
    return found["cpu_seconds"], tool.eval_nll(model, tables.test, *tables.reading)


def compare_fits(tool, name, tables, runs, folder):
    """Cells of a table's line."""
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(fit_ours(tool, tables, folder / "model.dtf"))
        theirs.append(in_child(fit_lightgbm, tables))
    seconds, nll = min(ours)
    peer = min(theirs, key=lambda fit: fit.seconds)
    return (
        name,
        f"{nll:.4f}",
        f"{peer.nll:.4f}",
        f"{seconds:.2f}",
        f"{peer.seconds:.1f}",
        f"{peer.seconds_of_data:.1f}",
        f"{peer.trees:,}",
        f"{peer.seconds / seconds:.1f}",
    )


def our_rounds(bench, table):
    """Of each of SHAPES: row × columns a second, and leaves a tree. And the bare loop's words a second."""
    command = [bench, "--benchmark_filter=^BareLoop$|^BoostRounds/", "--benchmark_format=json"]
    done = subprocess.run(command, env=os.environ | {"DTF_BENCH_TABLE": str(table)}, stdout=subprocess.PIPE, check=True)
    found = json.loads(done.stdout)["benchmarks"]
    rounds = [(one["row-columns/s"], one["leaves"]) for one in found if "leaves" in one]
    return rounds, next(one["words/s"] for one in found if one["name"] == "BareLoop")


def compare_rounds(bench, name, tables, runs):
    """Cells of a line for each of SHAPES."""
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(our_rounds(bench, tables.train))
        theirs.append([in_child(time_trees, tables, *shape) for shape in SHAPES])
    with opened(tables.train) as table:
        columns = table.readline().count(b",")  # the last one is learnt
        rows = 1 + sum(1 for _ in table)
    limit = max(bare for _, bare in ours) * 64 / PLANES
    for i, (depth, leaves) in enumerate(SHAPES):
        rate, our_leaves = max(shapes[i] for shapes, _ in ours)
        seconds, peer_leaves = min(shapes[i] for shapes in theirs)
        peer_rate = rows * columns / seconds
        yield (
            f"{name} {rows:,} × {columns}",
            f"{leaves}" + (f", depth {depth}" if depth > 0 else ""),
            f"{our_leaves:.1f}",
            f"{peer_leaves:.1f}",
            f"{rows * columns / rate * 1e6:,.0f}",
            f"{seconds * 1e6:,.0f}",
            f"{rate / 1e9:.2f}",
            f"{peer_rate / 1e9:.3f}",
            f"{limit / 1e9:.0f}",
            f"{rate / peer_rate:.1f}",
        )


FITS = (
    *("table", "our NLL", "LightGBM's NLL", "our CPU s", "LightGBM's CPU s", "of these, data sets"),
    *("LightGBM's trees", "its seconds over ours"),
)
ROUNDS = (
    *("table", "leaves at most", "leaves, ours", "LightGBM's", "µs a round, ours", "LightGBM's"),
    *("10⁹ row × columns a second, ours", "LightGBM's", "limit", "ours over LightGBM's"),
)


def print_head(columns):
    print_row(columns)
    print_row(["---"] * len(columns))


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--bench", type=pathlib.Path, default=REPOSITORY / "build/bench/bench/dtf_bench")
    arguments.add_argument("--runs", type=int, default=2, help="of each side, in turns (2)")
    arguments.add_argument("names", nargs="*", default=NAMES, metavar="NAMES", help=", ".join(NAMES))
    options = arguments.parse_args()
    cases = {case.name: case for case in CASES if case.name in NAMES}
    for name in options.names:
        if name not in cases:
            arguments.error(f"there is no table {name} here; there are {', '.join(NAMES)}")
    tool = Tool(options.dtf, threads=1)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        try:
            tables = {name: cases[name].tables(DATA, folder) for name in options.names}
        except FileNotFoundError as error:
            arguments.error(f"{error.args[0]} is not there: a table lies where DTF_TEST_DATA points, by default ../shared")
        print_head(FITS)
        for name in tables:
            print_row(compare_fits(tool, name, tables[name], options.runs, folder))
        print()
        if not options.bench.exists():
            print(f"No trees alone: {options.bench} is not there; `./run bench` builds it.")
            return
        print_head(ROUNDS)
        for name in tables:
            if name == "adult":  # not of 0 and 1
                continue
            for cells in compare_rounds(options.bench, name, tables[name], options.runs):
                print_row(cells)


if __name__ == "__main__":
    main()
