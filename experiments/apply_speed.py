#!/usr/bin/env python3
"""Applying a model to a file: MB of CSV a second, and peak memory, for score, encode, decode and sample.

The table: 1,000,000 rows x 100 columns x 10 categories, 200 MB of CSV. The model is learnt from other 100,000 rows. Wall
seconds: the least of --runs runs. CPU seconds: of the same run, all threads together. Output goes to /dev/null.
"""

import os
import pathlib
import tempfile
import time

import tables
from tool import Tool, apart, parser

ROWS = 1_000_000


def timed(tool, runs, *arguments):
    found = []
    with open(os.devnull, "wb") as nowhere:
        for _ in range(runs):
            start = time.monotonic()
            _, usage = tool.run(*arguments, output=nowhere)
            found.append((time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
    return min(found)


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--runs", type=int, default=3, help="runs of each verb, of which the fastest counts (3)")
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        train, table, codes, model = (pathlib.Path(folder) / name for name in ("a.csv", "b.csv", "z.csv", "m.dtf"))
        apart(tables.write, train, tables.Shape(100_000, 100, 10), 1, 2)
        apart(tables.write, table, tables.Shape(ROWS, 100, 10), 1, 3)
        Tool(options.dtf).json("fit", train, "-o", model, "--layers", 4, "--max-depth", 6, "--closed")
        Tool(options.dtf).run("encode", model, table, "-o", codes)
        size = table.stat().st_size / 1e6
        print(f"{size:.0f} MB, {ROWS:,} rows\n")
        print(
            "| verb | threads | seconds | MB/s | CPU seconds | MB/s of CPU time | peak MB |\n|---|---|---|---|---|---|---|"
        )
        for threads in (1, os.cpu_count()):
            tool = Tool(options.dtf, threads)
            for verb in (
                ("score", model, table),
                ("encode", model, table),
                ("decode", model, codes),
                ("sample", model, "-n", ROWS),
            ):
                wall, cpu, peak = timed(tool, options.runs, *verb)
                print(
                    f"| {verb[0]} | {threads} | {wall:.2f} | {size / wall:.0f} | {cpu:.2f} | {size / cpu:.0f} | {peak:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
