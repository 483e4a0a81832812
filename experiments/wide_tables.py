#!/usr/bin/env python3
"""Wide tables and big ones: seconds of learning, peak memory, and what --features-per-node costs in test NLL.

    wide_tables.py [TABLE [READING OPTIONS]]

1. 2,000 rows x 20,000 binary columns: F columns are drawn for each split; F = 0 takes all. The last line has no split:
   independent columns, what trees have to beat.
2. 1,000,000 rows x 100 columns x 10 categories, and a column of 100,000 values among 20 thin ones (1,000,000 rows).
3. With TABLE: `dtf crossval` on it in three folds, for each F below its number of columns. Options after TABLE go to dtf.
"""

import pathlib
import tempfile

import tables
from tool import Tool, apart, parser

FEATURES = (0, 2000, 500, 100)
WIDE = tables.Shape(rows=2_000, columns=20_000, categories=2)
BIG = tables.Shape(rows=1_000_000, columns=100, categories=10)
FAT = tables.Shape(rows=1_000_000, columns=20, categories=10, fat=100_000)
FIT = ("--layers", 4, "--max-depth", 6, "--min-split", 200, "--closed")


def row(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def heading(title, *columns):
    print(f"\n{title}\n")
    row(*columns)
    row(*["---"] * len(columns))


def fastest(tool, runs, *arguments):
    """Of several runs of a verb: the figures of the first, with the least seconds."""
    found = [tool.json(*arguments) for _ in range(runs)]
    return found[0] | {"seconds": min(one.get("seconds", 0) for one in found)}


def wide(tool, folder, runs):
    train, test, model = folder / "train.csv", folder / "test.csv", folder / "model.dtf"
    apart(tables.write, train, WIDE)
    apart(tables.write, test, WIDE, 1, 3)
    title = f"{WIDE.rows:,} rows x {WIDE.columns:,} binary columns, {' '.join(map(str, FIT))}; 2,000 other rows for the test"
    heading(title, "F", "seconds", "peak MB", "nodes", "train NLL", "test NLL")
    independent = ("--layers", 1, "--min-split", WIDE.rows, "--closed")
    for name, options in (*((f, (*FIT, "--features-per-node", f)) for f in FEATURES), ("no split", independent)):
        found = fastest(tool, runs, "fit", train, "-o", model, *options)
        nll = tool.eval_nll(model, test)
        seconds, peak = f"{found['seconds']:.2f}", f"{found['peak_mb']:.0f}"
        row(name, seconds, peak, found["nodes"], f"{found['train_nll']:.2f}", f"{nll:.2f}")


def big(tool, folder):
    heading(
        f"Big tables, {' '.join(map(str, FIT))}", "table", "MB of CSV", "seconds of learning", "peak MB", "train NLL"
    )
    for name, shape in (("1,000,000 x 100 x 10", BIG), ("1,000,000 x (20 x 10 + one of 100,000)", FAT)):
        table = folder / "big.csv"
        apart(tables.write, table, shape)
        found = tool.json("fit", table, "-o", folder / "model.dtf", *FIT, "--allow-unique")
        size = table.stat().st_size / 1e6
        row(name, f"{size:.0f}", f"{found['seconds']:.2f}", f"{found['peak_mb']:.0f}", f"{found['train_nll']:.3f}")
        table.unlink()


def real(tool, runs, table, options):
    heading(f"{pathlib.Path(table).name}, crossval in three folds", "F", "seconds a fold", "peak MB", "test NLL")
    for features in FEATURES:
        arguments = (table, "--folds", 3, *FIT, "--features-per-node", features, *options)
        found = fastest(tool, runs, "crossval", *arguments)
        if features >= found["folds"][0]["columns"]:
            continue
        seconds = min(fold["seconds"] for fold in found["folds"])
        nll = f"{found['nll_mean']:.3f} ± {found['nll_std']:.3f}"
        row(features, f"{seconds:.3f}", f"{found['peak_mb']:.0f}", nll)


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--runs", type=int, default=3, help="runs of each fit, of which the fastest counts (3)")
    arguments.add_argument("table", nargs="?")
    options, reading = arguments.parse_known_args()
    tool = Tool(options.dtf, options.threads)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        wide(tool, folder, options.runs)
        big(tool, folder)
    if options.table:
        real(tool, options.runs, options.table, reading)


if __name__ == "__main__":
    main()
