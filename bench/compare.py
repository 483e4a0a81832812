#!/usr/bin/env python3
"""Runs the benchmarks, keeps their results, and compares them with a saved baseline: see `./run bench`.

    bench/compare.py PROGRAM FOLDER [--save] [GOOGLE BENCHMARK'S OPTIONS]

The results go to FOLDER/latest.json; FOLDER/baseline.json, made from them by --save, is what they are compared with.
Times are medians of five repetitions.
"""

import json
import pathlib
import shutil
import subprocess
import sys


def medians(path):
    """Benchmark -> (median of CPU time, unit)."""
    found = {}
    for one in json.loads(path.read_text())["benchmarks"]:
        if one.get("aggregate_name") == "median":
            found[one["run_name"]] = one["cpu_time"], one["time_unit"]
    return found


def compare(baseline, latest):
    print(f"\n{'new / old':>10} {'old':>12} {'new':>12}      CPU time, medians; below 1: faster than the baseline")
    for name, (new, unit) in medians(latest).items():
        old = medians(baseline).get(name)
        ratio = f"{new / old[0]:.2f}" if old else "new"
        before = f"{old[0]:.4g}" if old else "-"
        print(f"{ratio:>10} {before:>12} {new:>12.4g} {unit}   {name}")


def main():
    program, folder, *options = sys.argv[1:]
    folder = pathlib.Path(folder)
    latest, baseline = folder / "latest.json", folder / "baseline.json"
    save = "--save" in options
    fresh = latest.with_suffix(".new")
    command = [
        program,
        "--benchmark_repetitions=5",
        "--benchmark_report_aggregates_only",
        f"--benchmark_out={fresh}",
        "--benchmark_out_format=json",
        *(option for option in options if option != "--save"),
    ]
    done = subprocess.run(command)
    if done.returncode != 0:
        sys.exit(done.returncode)
    fresh.replace(latest)
    if baseline.exists():
        compare(baseline, latest)
    if save:
        shutil.copyfile(latest, baseline)


if __name__ == "__main__":
    main()
