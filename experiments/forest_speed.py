#!/usr/bin/env python3
"""Cells a second and core of scoring and sampling by forests: pairs of a model and a table without a header.

CPU seconds of one thread, less those of one row, which are the model's loading: the least of --runs runs each. Tables are
repeated until they have a million cells; samples have ten times as many rows.
"""

import math
import os
import pathlib
import tempfile

from tool import Tool, parser

CELLS = 1_000_000


def seconds(tool, runs, *arguments):
    with open(os.devnull, "wb") as nowhere:
        return min(tool.run(*arguments, output=nowhere)[1].ru_utime for _ in range(runs))


def main():
    arguments = parser(__doc__)
    arguments.add_argument("pairs", nargs="+", metavar="MODEL TABLE")
    arguments.add_argument("--against", action="append", default=[], metavar="DTF", help="another dtf, for comparison")
    arguments.add_argument("--header", action="store_true", help="the tables' first lines name the columns")
    arguments.add_argument("--runs", type=int, default=3, help="runs, of which the fastest counts (3)")
    options = arguments.parse_args()
    if len(options.pairs) % 2 != 0:
        arguments.error("a table is missing: models and tables go in pairs")
    reading = [] if options.header else ["--no-header"]
    tools = [Tool(dtf, 1) for dtf in [*options.against, options.dtf]]
    print("| model | dtf | loading, s | score, million cells/s | sample, million cells/s |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        one_row = pathlib.Path(folder) / "one_row.csv"
        for model, table in zip(options.pairs[::2], options.pairs[1::2]):
            lines = pathlib.Path(table).read_text().splitlines(keepends=True)
            names, rows = lines[: options.header], lines[options.header :]
            one_row.write_text("".join(names) + rows[0])
            rows *= math.ceil(CELLS / len(rows) / len(rows[0].split(",")))
            cells = len(rows) * len(rows[0].split(",")) / 1e6
            many_rows = pathlib.Path(folder) / "many_rows.csv"
            many_rows.write_text("".join(names + rows))
            for tool in tools:
                loading = seconds(tool, options.runs, "score", model, one_row, *reading)
                score = seconds(tool, options.runs, "score", model, many_rows, *reading) - loading
                sample = seconds(tool, options.runs, "sample", model, "-n", 10 * len(rows)) - loading
                name = pathlib.Path(model).stem
                print(f"| {name} | {tool.path} | {loading:.2f} | {cells / score:.2f} | {10 * cells / sample:.2f} |", flush=True)


if __name__ == "__main__":
    main()
