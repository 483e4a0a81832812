#!/usr/bin/env python3
"""The paper's tables: test NLL in nats per row, parameters and seconds of learning, beside the paper's figures.

    paper_tables.py DIR

Looks for these public files under DIR, and leaves out, by name, what it does not find:

- mushroom/agaricus-lepiota.data: UCI Machine Learning Repository, Mushroom.
- copula/coup_data_4_2.npy, coup_data_4_2_moderate_corr.npy, coup_data_4_2_weak_corr.npy: COP-H, COP-M and COP-W, from
  the authors' repository, inouye-lab/Discrete-Tree-Flows.
- snp805/805_SNP_1000G_real.csv.gz: FBoyang/li-stephen-hmm-replication, as CSV with the header group,id,snp001,…: 5,008
  haplotypes, shuffled here as pandas' sample(frac=1, random_state=42) shuffles them.
- mnist/train-images-idx3-ubyte.gz: MNIST. Each pixel is made 0 or 1, 1 with probability pixel / 255, from a fixed seed.
  The paper's own draw is not public.
- ../golden/8gauss_f0_test.csv, 8gauss_f0_train.csv: 12,800 rows of 8Gaussian, drawn anew as the authors draw them; in
  the rows' order, the test rows of fold 0 come first. The paper's own draw is not public.
"""

import dataclasses
import gzip
import pathlib
import statistics
import tempfile

import numpy

from tool import Tool, parser

PROTOCOL = ("--contiguous", "--closed", "--alpha", 0.001, "--min-split", 200)
SEEDS = range(10)


@dataclasses.dataclass
class Case:
    data: str
    criterion: str
    layers: int
    depth: int
    paper_nll: str
    authors_seconds: str
    folds: int = 5
    more: tuple = ()  # options besides

    def options(self):
        return (
            "--folds",
            self.folds,
            "--criterion",
            self.criterion,
            "--layers",
            self.layers,
            "--max-depth",
            self.depth,
            *self.more,
        )


# Beyond the paper (docs/paper.md).
SETS = ("--split-values", 20)
LEAVES = ("--base", "conditional")

# Seconds: the authors' program on the machine of docs/performance.md, one core; with an asterisk: as the paper prints them.
CASES = [
    Case("COP-H", "glp-code", 2, 2, "1.33 ± 0.02", "0.03 – 0.08"),
    Case("COP-M", "glp-code", 2, 2, "1.40 ± 0.02", "0.03 – 0.08"),
    Case("COP-W", "glp-code", 2, 2, "2.22 ± 0.02", "0.03 – 0.08"),
    Case("8Gaussian", "glp-code", 9, 2, "6.50 ± 0.03", "4 – 6"),
    Case("8Gaussian", "glp-code", 9, 2, "–", "–", more=SETS),
    Case("8Gaussian", "glp-code", 9, 2, "–", "–", more=LEAVES),
    Case("8Gaussian", "random", 10, 8, "6.94", "0.3 – 0.4"),
    Case("8Gaussian", "random", 10, 8, "–", "–", more=SETS),
    Case("Mushroom", "glp-code", 8, 6, "14.15 ± 2.44", "7"),
    Case("Mushroom", "glp", 8, 6, "–", "7"),
    Case("Mushroom", "glp-aligned", 1, 6, "–", "–"),
    Case("Mushroom", "glp-aligned", 1, 6, "–", "–", more=LEAVES),
    Case("Mushroom", "random", 10, 7, "16.66 ± 2.98", "0.4"),
    Case("Genetic", "glp-code", 6, 3, "437.19 ± 1.02", "411.5*", folds=3),
    Case("Genetic", "glp", 6, 3, "–", "–", folds=3),
    Case("Genetic", "glp", 6, 3, "–", "–", folds=3, more=SETS),
    Case("Genetic", "glp-aligned", 1, 3, "–", "–", folds=3),
    Case("Genetic", "glp-aligned", 1, 3, "–", "–", folds=3, more=LEAVES),
    Case("MNIST", "glp-code", 21, 10, "177.75 ± 0.56", "5213.7*", folds=3),
]


# ---------------------------------------------------------------- The tables. Each: (file, options of reading).


def write_codes(path, codes):
    numpy.savetxt(path, codes, fmt="%d", delimiter=",")
    return path, ("--no-header",)


def mushroom(directory, _):
    return directory / "mushroom/agaricus-lepiota.data", ("--no-header", "--drop", "c12")  # stalk-root


def copula(name):
    return lambda directory, out: write_codes(out, numpy.load(directory / f"copula/{name}.npy").astype(int))


def gaussians(directory, out):
    parts = [directory.parent / f"golden/8gauss_f0_{part}.csv" for part in ("test", "train")]
    out.write_bytes(b"".join(part.read_bytes() for part in parts))
    return out, ("--no-header",)


def genetic(directory, out):
    with gzip.open(directory / "snp805/805_SNP_1000G_real.csv.gz", "rb") as file:
        header, *lines = file.read().splitlines()
    order = numpy.random.RandomState(42).permutation(len(lines))
    out.write_bytes(b"\n".join([header, *(lines[i] for i in order)]) + b"\n")
    return out, ("--drop", "group", "--drop", "id")


def mnist(directory, out):
    with gzip.open(directory / "mnist/train-images-idx3-ubyte.gz", "rb") as file:
        pixels = numpy.frombuffer(file.read(), dtype=numpy.uint8, offset=16).reshape(60000, 784)
    random = numpy.random.RandomState(0)
    with open(out, "wb") as file:
        for part in numpy.split(pixels, 10):
            lines = numpy.full((len(part), 2 * 784), ord(","), dtype=numpy.uint8)
            lines[:, ::2] = ord("0") + (random.random_sample(part.shape) < part / 255)
            lines[:, -1] = ord("\n")
            file.write(lines.tobytes())
    return out, ("--no-header",)


TABLES = {
    "COP-H": copula("coup_data_4_2"),
    "COP-M": copula("coup_data_4_2_moderate_corr"),
    "COP-W": copula("coup_data_4_2_weak_corr"),
    "8Gaussian": gaussians,
    "Mushroom": mushroom,
    "Genetic": genetic,
    "MNIST": mnist,
}


# ---------------------------------------------------------------- The runs


def crossval(tool, runs, table, reading, options):
    """The result of `dtf crossval`, its seconds and CPU seconds the least of several runs."""
    found = [tool.json("crossval", table, *options, *PROTOCOL, *reading) for _ in range(runs)]
    return found[0] | {key: min(one[key] for one in found) for key in ("seconds_mean", "cpu_seconds")}


def run(tool, runs, table, reading, case):
    """Cells of the case's line. Deviation: over folds; of random splits: over seeds, of the mean over folds."""
    if case.criterion != "random":
        found = crossval(tool, runs, table, reading, case.options())
        nll, deviation, parameters = found["nll_mean"], found["nll_std"], found["parameters_mean"]
    else:
        of_seeds = [crossval(tool, 1, table, reading, (*case.options(), "--seed", seed)) for seed in SEEDS]
        of_mean = [one["nll_mean"] for one in of_seeds]
        nll, deviation = statistics.mean(of_mean), statistics.pstdev(of_mean)
        parameters = statistics.mean(one["parameters_mean"] for one in of_seeds)
        found = min(of_seeds, key=lambda one: one["seconds_mean"])
    return (
        case.data,
        f"`{' '.join(map(str, case.options()))}`",
        f"{nll:.4f} ± {deviation:.4f}",
        case.paper_nll,
        f"{parameters:,.1f}",
        f"{found['seconds_mean']:.4f}",
        f"{found['cpu_seconds'] / case.folds:.3f}",
        case.authors_seconds,
    )


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--runs", type=int, default=3, help="runs of each case, of which the fastest counts (3)")
    arguments.add_argument("--only", choices=list(TABLES), help="only this data set")
    arguments.add_argument("directory", type=pathlib.Path, metavar="DIR")
    options = arguments.parse_args()
    tool = Tool(options.dtf, options.threads)
    print(
        f"Every row: `dtf crossval TABLE {' '.join(map(str, PROTOCOL))} OPTIONS`. Random splits: over seeds 0 to 9.\n"
    )
    print("| data | options | test NLL | paper | parameters | s a fold | CPU s a fold | authors' CPU s a fold |")
    print("|---|---|---|---|---|---|---|---|")
    missing = []
    with tempfile.TemporaryDirectory() as folder:
        for name in TABLES:
            if options.only not in (None, name):
                continue
            try:
                table, reading = TABLES[name](options.directory.resolve(), pathlib.Path(folder) / f"{name}.csv")
            except FileNotFoundError as error:
                missing.append(f"{name} is left out: no file {error.filename}")
                continue
            if not table.exists():
                missing.append(f"{name} is left out: no file {table}")
                continue
            for case in CASES:
                if case.data == name:
                    print("| " + " | ".join(run(tool, options.runs, table, reading, case)) + " |", flush=True)
    print("\ns a fold: learning only. CPU s a fold: all of the command, reading and scoring too, over the folds.")
    print("* printed in the paper, on its authors' machine.")
    print("\n".join(missing))


if __name__ == "__main__":
    main()
