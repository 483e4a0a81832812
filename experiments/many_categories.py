#!/usr/bin/env python3
"""Columns of many categories or numbers that tell each other: test NLL beside the truth, on generated tables.

keys: a merchant tells its trade (one of 12) and its country (one of 5); its frequency falls with its rank, as
1 / rank^0.9. 20,000 rows to learn from, and of 4,000 others those with a merchant that these have.
pairs: a product, of as many as the table says, alike often; in two of three rows the category that is its own, else any
of as many; and its price class, one of 5, which tells nothing. 20,000 rows to learn from, 4,000 others.
stays: a day of 365, the day of the end, of three in ten the same and else up to 60 days later, n days in proportion to
1 / n^0.8, and its weekday. walk: ten numbers, each the one before and a normal difference of deviation 6, rounded.
total: six grades of 5, of different shares, and their sum. All columns are --ordered; 4,000 rows to learn from, and of
4,000 others those with values that these have.
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
FEW_ROWS = 4_000  # of numbers
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


def write_numbers(names, draw_row, folder):
    """draw_row: a row of numbers and its ln P. The paths of both tables, and the true NLL of the second."""
    drawn = [draw_row() for _ in range(FEW_ROWS + TEST_ROWS)]
    train = [row for row, _ in drawn[:FEW_ROWS]]
    seen = [set(column) for column in zip(*train)]
    test = [pair for pair in drawn[FEW_ROWS:] if all(map(set.__contains__, seen, pair[0]))]
    paths = write(folder, names, train, [row for row, _ in test])
    return *paths, -sum(ln_p for _, ln_p in test) / len(test)


def write_stays(folder):
    draw = random.Random(1)
    later = [n**-0.8 for n in range(1, 61)]
    shares = [0.3] + [0.7 * weight / sum(later) for weight in later]

    def draw_row():
        begin = draw.randrange(365)
        days = draw.choices(range(61), shares)[0]
        return (begin, begin + days, (begin + days) % 7), math.log(shares[days] / 365)

    return write_numbers(("begin", "end", "weekday"), draw_row, folder)


def write_walk(folder):
    draw = random.Random(2)

    def ln_p(value, mean, deviation):
        ends = [math.erf((value + half - mean) / deviation / math.sqrt(2)) for half in (-0.5, 0.5)]
        return math.log((ends[1] - ends[0]) / 2)

    def draw_row():
        row, total = [], 0
        for step in range(10):
            mean, deviation = (row[-1], 6) if step > 0 else (100, 25)
            row.append(round(draw.gauss(mean, deviation)))
            total += ln_p(row[-1], mean, deviation)
        return row, total

    return write_numbers([f"at{step}" for step in range(10)], draw_row, folder)


def write_total(folder):
    draw = random.Random(3)
    shares = [[draw.expovariate(1) for _ in range(5)] for _ in range(6)]

    def draw_row():
        grades = [draw.choices(range(5), of_item)[0] for of_item in shares]
        ln_p = sum(math.log(of_item[grade] / sum(of_item)) for of_item, grade in zip(shares, grades))
        return (*grades, sum(grades)), ln_p

    return write_numbers((*(f"item{item}" for item in range(6)), "total"), draw_row, folder)


def ordered(train):
    with open(train, newline="", encoding="utf-8") as file:
        return [option for name in next(csv.reader(file)) for option in ("--ordered", name)]


def list_tables(folder):
    """Name, paths, truth and options of each."""
    for name, write_tables in (("keys", write_keys), ("pairs", write_pairs)):
        for size in SIZES[name]:
            yield f"{name} {size:,}", *write_tables(size, folder), []
    for name, write_tables in (("stays", write_stays), ("walk", write_walk), ("total", write_total)):
        train, test, truth = write_tables(folder)
        yield name, train, test, truth, ordered(train)


def main():
    options = parser(__doc__).parse_args()
    tool = Tool(options.dtf, options.threads)
    print("| table | truth | " + " | ".join(f"`{' '.join(fit) or 'default'}` | CPU s" for fit in FITS) + " |")
    print("|---" * (2 + 2 * len(FITS)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, train, test, truth, of_table in list_tables(folder):
            cells = [name, f"{truth:.3f}"]
            for fit in FITS:
                used = tool.json("fit", train, "-o", folder / "m.dtf", *of_table, *fit)
                cells += [f"{tool.eval_nll(folder / 'm.dtf', test):.3f}", f"{used['cpu_seconds']:.1f}"]
            print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
