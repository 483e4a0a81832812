#!/usr/bin/env python3
"""How the cost of learning grows, one axis at a time: rows, columns, categories, depth.

Prints a CSV (seconds: the least of --runs fits) and the exponent of each series, the slope of log seconds on log x over
the upper half of its points; draws docs/cost_growth.svg. Takes about two minutes.
"""

import csv
import math
import pathlib
import sys
import tempfile

import tables
from tool import REPOSITORY, Tool, apart, parser

DEPTH = 6

# (panel, series, [(x, shape, depth)])
SERIES = [
    (
        "rows",
        "50 columns, 4 categories",
        [(n, tables.Shape(n, 50, 4), DEPTH) for n in (10_000, 30_000, 100_000, 300_000, 1_000_000)],
    ),
    *(
        (
            "columns",
            f"20,000 rows, {k} categories",
            [(d, tables.Shape(20_000, d, k), DEPTH) for d in (25, 50, 100, 200, 400, 800)],
        )
        for k in (2, 4)
    ),
    (
        "categories",
        "all 20 columns, 50,000 rows",
        [(k, tables.Shape(50_000, 20, k), DEPTH) for k in (2, 4, 8, 16, 32, 64)],
    ),
    (
        "categories",
        "one column of 21, 200,000 rows",
        [(k, tables.Shape(200_000, 20, 4, fat=k), DEPTH) for k in (100, 1_000, 10_000, 100_000)],
    ),
    (
        "depth",
        "300,000 rows, 50 columns, 4 categories",
        [(m, tables.Shape(300_000, 50, 4), m) for m in (2, 4, 6, 8, 10, 12)],
    ),
]
PANELS = {
    "rows": "rows",
    "columns": "columns",
    "categories": "categories a column",
    "depth": "depth (splits from root to leaf)",
}


def fit(tool, table, model, depth):
    return tool.json(
        *("fit", table, "-o", model, "--layers", 2, "--max-depth", depth, "--min-split", 200, "--closed"),
        "--allow-unique",
    )


def measure(tool, folder, shape, depth, runs):
    table = folder / f"{shape.rows}-{shape.columns}-{shape.categories}-{shape.fat}.csv"
    if not table.exists():
        for old in folder.glob("*.csv"):
            old.unlink()
        apart(tables.write, table, shape)
    fits = [fit(tool, table, folder / "model.dtf", depth) for _ in range(runs)]
    return min(fits, key=lambda found: found["seconds"])


def exponent(points):
    """The least-squares slope of log y on log x over the upper half of the points."""
    upper = [(math.log(x), math.log(y)) for x, y in points[(len(points) - 1) // 2 :]]
    mean_x = sum(x for x, _ in upper) / len(upper)
    mean_y = sum(y for _, y in upper) / len(upper)
    return sum((x - mean_x) * (y - mean_y) for x, y in upper) / sum((x - mean_x) ** 2 for x, _ in upper)


def draw(path, measured):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "dtf", "font.size": 8})
    from matplotlib import pyplot, ticker

    figure, axes = pyplot.subplots(2, 2, figsize=(8, 6), layout="constrained")
    for (panel, label), axis in zip(PANELS.items(), axes.flat):
        for of_panel, series, points in measured:
            if of_panel == panel:
                x, y = zip(*points)
                axis.loglog(x, y, "o-", markersize=3, label=f"{series}: exponent {exponent(points):.2f}")
        axis.set_xlabel(label)
        axis.set_ylabel("seconds for 2 layers")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7, frameon=False)
        axis.set_ylim(0.5 * min(axis.get_ylim()), 3 * max(axis.get_ylim()))
        if panel in ("columns", "depth"):
            axis.set_xticks(x, [str(value) for value in x])
        axis.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 3)))
        axis.yaxis.set_major_formatter("{x:g}")
        axis.minorticks_off()
    figure.savefig(path, metadata={"Date": None})


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--runs", type=int, default=3, help="fits of each table, of which the fastest counts (3)")
    arguments.add_argument("--plot", type=pathlib.Path, default=REPOSITORY / "docs/cost_growth.svg")
    options = arguments.parse_args()
    tool = Tool(options.dtf, options.threads)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["axis", "series", "x", "seconds", "nodes", "peak_mb"])
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        for panel, series, plan in SERIES:
            points = []
            for x, shape, depth in plan:
                found = measure(tool, pathlib.Path(folder), shape, depth, options.runs)
                points.append((x, found["seconds"]))
                out.writerow([panel, series, x, f"{found['seconds']:.4f}", found["nodes"], round(found["peak_mb"])])
                sys.stdout.flush()
            measured.append((panel, series, points))
    for panel, series, points in measured:
        print(f"# {panel} ({series}): exponent {exponent(points):.2f}")
    draw(options.plot, measured)


if __name__ == "__main__":
    main()
