#!/usr/bin/env python3
"""Columns of many categories that tell others: test NLL beside the truth, on generated tables.

A merchant tells its trade (one of 12) and its country (one of 5); its frequency falls with its rank, as 1 / rank^0.9.
20,000 rows to learn from, and of 4,000 others those with a merchant that these have. Prints nats per row and the CPU
seconds of the fit.
"""

import csv
import math
import pathlib
import random
import tempfile

from tool import Tool, parser

MERCHANTS = (500, 2_000, 5_000)
ROWS, TEST_ROWS = 20_000, 4_000
FITS = ([], ["--members", "1"], ["--model", "tsp"])


def write_tables(merchants, folder):
    """The paths of both tables, and the true NLL of the second."""
    draw = random.Random(merchants)
    weights = [rank**-0.9 for rank in range(1, merchants + 1)]
    trade = [draw.randrange(12) for _ in weights]
    country = [draw.randrange(5) for _ in weights]
    drawn = draw.choices(range(merchants), weights, k=ROWS + TEST_ROWS)
    train, seen = drawn[:ROWS], set(drawn[:ROWS])
    test = [merchant for merchant in drawn[ROWS:] if merchant in seen]
    paths = []
    for name, rows in (("train.csv", train), ("test.csv", test)):
        paths.append(folder / name)
        with open(paths[-1], "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(("merchant", "trade", "country"))
            writer.writerows((f"m{m}", f"t{trade[m]}", f"c{country[m]}") for m in rows)
    return *paths, -sum(math.log(weights[m] / sum(weights)) for m in test) / len(test)


def main():
    options = parser(__doc__).parse_args()
    tool = Tool(options.dtf, options.threads)
    print("| merchants | truth | " + " | ".join(f"`{' '.join(fit) or 'default'}` | CPU s" for fit in FITS) + " |")
    print("|---" * (2 + 2 * len(FITS)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for merchants in MERCHANTS:
            train, test, truth = write_tables(merchants, folder)
            cells = [f"{merchants:,}", f"{truth:.3f}"]
            for fit in FITS:
                used = tool.json("fit", train, "-o", folder / "m.dtf", *fit)
                cells += [f"{tool.eval_nll(folder / 'm.dtf', test):.3f}", f"{used['cpu_seconds']:.1f}"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
