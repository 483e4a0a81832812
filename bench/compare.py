#!/usr/bin/env python3
"""Runs the benchmarks, keeps their results, and compares them with a saved baseline: see `./run bench`.

    bench/compare.py PROGRAM FOLDER [--save] [GOOGLE BENCHMARK'S OPTIONS]

The results go to FOLDER/latest.json. They are compared with FOLDER/baseline.json, which --save makes from them; of
benchmarks that did not run it keeps what it had.
"Of limit" is the share of the bare loop (bench/bare_loop.h), measured in the same run.
"""

import json
import pathlib
import subprocess
import sys


def medians(path):
    """Benchmark -> its aggregate of medians, as Google Benchmark writes it."""
    found = {}
    for one in json.loads(path.read_text())["benchmarks"]:
        if one.get("aggregate_name") == "median":
            found[one["run_name"]] = one
    return found


def microseconds(one):
    return one["cpu_time"] * {"ns": 1e-3, "us": 1, "ms": 1e3}[one["time_unit"]]


def rate(one):
    """What it does a second: '1.23e+09 words/s'."""
    return next((f"{value:.3g} {name}" for name, value in one.items() if name.endswith("/s")), "")


def compare(baseline, latest):
    """Prints a line for each benchmark; `baseline` is empty when none was saved."""
    print("\nMedians of CPU time, in µs. Below 1: faster than the baseline; the bare loop's own ratio is the machine's.")
    print(f"{'new / old':>9} {'old':>12} {'new':>12} {'of limit':>8}  {'a second':<18} benchmark")
    for name, new in latest.items():
        time = microseconds(new)
        old = microseconds(baseline[name]) if name in baseline else None
        ratio = f"{time / old:.2f}" if old else "-"
        before = f"{old:,.2f}" if old else "-"
        share = f"{new['of_bare']:.0%}" if "of_bare" in new else ""
        print(f"{ratio:>9} {before:>12} {time:>12,.2f} {share:>8}  {rate(new):<18} {name}")


def main():
    program, folder, *options = sys.argv[1:]
    folder = pathlib.Path(folder)
    latest, baseline = folder / "latest.json", folder / "baseline.json"
    save = "--save" in options
    fresh = latest.with_suffix(".new")
    command = [
        program,
        "--benchmark_repetitions=5",
        "--benchmark_min_time=0.1",
        "--benchmark_report_aggregates_only",
        f"--benchmark_out={fresh}",
        "--benchmark_out_format=json",
        *(option for option in options if option != "--save"),
    ]
    done = subprocess.run(command)
    if done.returncode != 0:
        sys.exit(done.returncode)
    fresh.replace(latest)
    saved, found = medians(baseline) if baseline.exists() else {}, medians(latest)
    compare(saved, found)
    if save:
        baseline.write_text(json.dumps({"benchmarks": list((saved | found).values())}, indent=1))


if __name__ == "__main__":
    main()
