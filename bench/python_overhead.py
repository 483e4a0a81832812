"""What fitting and scoring cost from Python, beside the command line, on the same tables.

    build/release/python-newest/bin/python bench/python_overhead.py [--repeat N] [--cpu] [NAME ...]

Tables are generated: shaped like Mushroom with each row 100 times, like Adult, and 1,000,000 rows of 50 columns; all
cells are texts. The command line reads a Parquet file. Python has the table at hand in each of the ways in which texts are
held; or pyarrow reads the file first, as texts (its default) or as dictionaries, which is timed alone as well. Times are
the least of N runs, by turns. The tool is the one that DTF names, else the release build.
"""

import argparse
import os
import pathlib
import resource
import subprocess
import tempfile
import time
from functools import partial

import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq

import dtf

PROGRAM = os.environ.get("DTF", pathlib.Path(__file__).resolve().parents[1] / "build" / "release" / "dtf")
LAYERS = 4
COMMAND_LINE = "command line, from the file"
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


def seconds(call, cpu):
    """Elapsed; with ``cpu`` those of all threads, and of the processes that were waited for."""
    start = cpu_seconds() if cpu else time.perf_counter()
    call()
    return (cpu_seconds() if cpu else time.perf_counter()) - start


def cpu_seconds():
    usages = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def tool(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL)


def held(table):
    """The table in each of the ways in which a program may hold it."""
    frame = table.to_pandas()
    return {
        "pyarrow, texts": table,
        "pyarrow, dictionaries": pa.table([column.dictionary_encode() for column in table.columns], table.column_names),
        "pandas, default": frame,
        "pandas, objects": frame.astype(object),
        "pandas, string[python]": frame.astype(pandas.StringDtype("python")),
        "polars, String": polars.from_arrow(table),
    }


def ways(table, file, folder):
    """Of each way to fit and to score: a call for either; of reading alone, the call to read."""
    model = folder / "m.dtf"
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=LAYERS)
    reading = {
        "read by pyarrow": lambda: pq.read_table(file),
        "read by pyarrow as dictionaries": lambda: pq.read_table(file, read_dictionary=table.column_names),
    }
    calls = {
        COMMAND_LINE: (
            lambda: tool("fit", file, "-o", model, "--quiet", "--model", "tsp", "--layers", LAYERS),
            lambda: tool("score", model, file, "-o", folder / "scores.parquet"),
        )
    }
    for name, held_table in held(table).items():
        calls[name] = (partial(flow.fit, held_table), partial(flow.score_samples, held_table))
    for name, read in reading.items():
        calls[name + ", alone"] = (read, read)
        calls[name] = (lambda read=read: flow.fit(read()), lambda read=read: flow.score_samples(read()))
    return calls


def measure(table, folder, repeat, cpu):
    """Of each way the least seconds to fit, and to score."""
    file = folder / "table.parquet"
    pq.write_table(table, file)
    calls = ways(table, file, folder)
    times = {name: [[], []] for name in calls}
    for _ in range(repeat):
        for name, verbs in calls.items():
            for verb, call in enumerate(verbs):
                times[name][verb].append(seconds(call, cpu))
    return {name: [min(runs) for runs in verbs] for name, verbs in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--cpu", action="store_true", help="CPU seconds, which say more on a busy machine")
    parser.add_argument("names", nargs="*", default=list(TABLES))
    arguments = parser.parse_args()
    unit = "CPU s" if arguments.cpu else "s"
    print(f"| table | from | fit, {unit} | score, {unit} |\n|---|---|---|---|")
    for name in arguments.names:
        with tempfile.TemporaryDirectory() as folder:
            times = measure(TABLES[name](), pathlib.Path(folder), arguments.repeat, arguments.cpu)
        reference = times[COMMAND_LINE]
        for way, taken in times.items():
            cells = " | ".join(f"{own:.2f} ({own / least:.2f} x)" for own, least in zip(taken, reference))
            print(f"| {name} | {way} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
