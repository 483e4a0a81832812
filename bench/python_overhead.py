"""What fitting and scoring cost from Python, beside the command line, on the same tables.

    build/release/python-newest/bin/python bench/python_overhead.py [--repeat N] [NAME ...]

Tables are generated: shaped like Mushroom with each row 100 times, like Adult, and 1,000,000 rows of 50 columns. The
command line reads a Parquet file. Python reads it as well, by pyarrow with dictionaries (both from file to result), or has
a pyarrow Table of texts or a pandas DataFrame at hand. Times are the least of N runs, by turns. The tool is the one that
DTF names, else the release build.
"""

import argparse
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import dtf

PROGRAM = os.environ.get("DTF", pathlib.Path(__file__).resolve().parents[1] / "build" / "release" / "dtf")
LAYERS = 4
MUSHROOM = [6, 4, 10, 2, 9, 2, 2, 2, 12, 2, 5, 4, 4, 9, 9, 1, 4, 3, 5, 9, 6, 7, 2]
ADULT = [74, 9, 500, 16, 16, 7, 15, 6, 5, 2, 120, 98, 96, 42, 2]


def generate(rows, sizes, copies=1):
    """Columns of texts, each a noisy function of the one before, with the more frequent values first."""
    random = np.random.default_rng(0)
    columns = {}
    before = np.zeros(rows, np.int64)
    for j, size in enumerate(sizes):
        drawn = (size * random.random(rows) ** 2).astype(np.int64)
        before = np.where(random.random(rows) < 0.6, (before * 7 + j) % size, drawn)
        names = np.array([f"v{code:03}" for code in range(size)], object)
        columns[f"column {j}"] = pa.array(names[np.repeat(before, copies)], pa.string())
    return pa.table(columns)


TABLES = {
    "mushroom x 100": lambda: generate(8_124, MUSHROOM, copies=100),
    "adult": lambda: generate(48_842, ADULT),
    "1,000,000 x 50": lambda: generate(1_000_000, [2, 3, 5, 8, 12] * 10),
}


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def tool(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def measure(table, folder, repeat):
    """The least seconds of each way to fit and to score."""
    file, model = folder / "table.parquet", folder / "m.dtf"
    pq.write_table(table, file)
    frame = table.to_pandas()
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=LAYERS)

    def read():
        return pq.read_table(file, read_dictionary=table.column_names)

    ways = {
        "fit": {
            "command line": lambda: tool("fit", file, "-o", model, "--quiet", "--model", "tsp", "--layers", LAYERS),
            "file": lambda: flow.fit(read()).save(folder / "python.dtf"),
            "pyarrow": lambda: flow.fit(table),
            "pandas": lambda: flow.fit(frame),
        },
        "score": {
            "command line": lambda: tool("score", model, file, "-o", folder / "scores.parquet"),
            "file": lambda: flow.score_samples(read()),
            "pyarrow": lambda: flow.score_samples(table),
            "pandas": lambda: flow.score_samples(frame),
        },
    }
    return {verb: least(calls, repeat) for verb, calls in ways.items()}


def least(calls, repeat):
    times = [[seconds(call) for call in calls.values()] for _ in range(repeat)]
    return dict(zip(calls, map(min, zip(*times))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("names", nargs="*", default=list(TABLES))
    arguments = parser.parse_args()
    print("| table | | command line, s | Python, same file | pyarrow at hand | pandas at hand |\n|---|---|---|---|---|---|")
    for name in arguments.names:
        with tempfile.TemporaryDirectory() as folder:
            for verb, times in measure(TABLES[name](), pathlib.Path(folder), arguments.repeat).items():
                reference = times["command line"]
                ways = ("file", "pyarrow", "pandas")
                ratios = " | ".join(f"{times[way]:.2f} ({times[way] / reference:.2f} x)" for way in ways)
                print(f"| {name} | {verb} | {reference:.2f} | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
