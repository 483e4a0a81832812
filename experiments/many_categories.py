#!/usr/bin/env python3
"""Columns of many categories that tell each other: test NLL beside the truth, on generated tables.

keys: a merchant tells its trade (one of 12) and its country (one of 5); its frequency falls with its rank, as
1 / rank^0.9. 20,000 rows to learn from, and of 4,000 others those with a merchant that these have.
pairs: a product, of as many as the table says, alike often; in two of three rows the category that is its own, else any
of as many; and its price class, one of 5, which tells nothing. 20,000 rows to learn from, 4,000 others.
Prints nats per row and the CPU seconds of the fit.
"""

import csv
import math
import pathlib
import random
import tempfile

from tool import Tool, parser

SIZES = {"keys": (500, 2_000, 5_000), "pairs": (100, 300, 1_000)}
ROWS, TEST_ROWS = 20_000, 4_000
FITS = ([], ["--members", "1"], ["--model", "tsp"])


def write(folder, names, train, test):
    paths = []
    for file_name, rows in (("train.csv", train), ("test.csv", test)):
        paths.append(folder / file_name)
        with open(paths[-1], "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([names, *rows])
    return paths


def write_keys(merchants, folder):
    """The paths of both tables, and the true NLL of the second."""
    draw = random.Random(merchants)
    weights = [rank**-0.9 for rank in range(1, merchants + 1)]
    trade = [draw.randrange(12) for _ in weights]
    country = [draw.randrange(5) for _ in weights]
    drawn = draw.choices(range(merchants), weights, k=ROWS + TEST_ROWS)
    train, seen = drawn[:ROWS], set(drawn[:ROWS])
    test = [merchant for merchant in drawn[ROWS:] if merchant in seen]
    rows_of = [[(f"m{m}", f"t{trade[m]}", f"c{country[m]}") for m in rows] for rows in (train, test)]
    paths = write(folder, ("merchant", "trade", "country"), *rows_of)
    return *paths, -sum(math.log(weights[m] / sum(weights)) for m in test) / len(test)


def write_pairs(products, folder):
    """Likewise."""
    draw = random.Random(products)
    own = draw.sample(range(products), products)
    rows, nll = [], 0
    for number in range(ROWS + TEST_ROWS):
        product = draw.randrange(products)
        category = own[product] if draw.random() < 2 / 3 else draw.randrange(products)
        share = (2 / 3 if category == own[product] else 0) + 1 / 3 / products
        nll -= math.log(share / products / 5) / TEST_ROWS if number >= ROWS else 0
        rows.append((f"p{product}", f"c{category}", f"d{draw.randrange(5)}"))
    return *write(folder, ("product", "category", "price"), rows[:ROWS], rows[ROWS:]), nll


def main():
    options = parser(__doc__).parse_args()
    tool = Tool(options.dtf, options.threads)
    print("| table | truth | " + " | ".join(f"`{' '.join(fit) or 'default'}` | CPU s" for fit in FITS) + " |")
    print("|---" * (2 + 2 * len(FITS)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, write_tables in (("keys", write_keys), ("pairs", write_pairs)):
            for size in SIZES[name]:
                train, test, truth = write_tables(size, folder)
                cells = [f"{name} {size:,}", f"{truth:.3f}"]
                for fit in FITS:
                    used = tool.json("fit", train, "-o", folder / "m.dtf", *fit)
                    cells += [f"{tool.eval_nll(folder / 'm.dtf', test):.3f}", f"{used['cpu_seconds']:.1f}"]
                print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
