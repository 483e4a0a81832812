#!/usr/bin/env python3
"""Density benchmark: test NLL, seconds and memory of the default fit, beside the best that is known of each table.

    density.py [NAMES...]

Sets are looked for under DTF_TEST_DATA/data (../shared/data by default); those that are not there are named at the end.
NAMES: of sets, or `networks` for the Bayesian networks (bayes_networks.py); without: all, those that take long last.
One default for all tables: --members, --time and --seed go to every fit but those of the flows in the paper's sense,
which are `--base independent --members 1`. Needs nothing but Python.
"""

import dataclasses
import gzip
import json
import pathlib
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable

import bayes_networks
from bayes_networks import DATA
from tool import Tool, apart, parser

PARTS = ("train", "valid", "test")
FOLD = ("train", "test", "domain")
FLOW = ("--base", "independent", "--members", 1)  # a flow in the paper's sense: a discrete latent, independent columns


@dataclasses.dataclass
class Tables:
    """A set made ready. With `folds`: `train` is the whole table, for `dtf crossval`."""

    train: pathlib.Path
    test: pathlib.Path | None = None
    valid: pathlib.Path | None = None  # held-out rows
    domain: pathlib.Path | None = None  # a table of all values
    reading: tuple = ()  # options that every verb needs
    closed: bool = False  # over the values of `train`
    folds: int = 0

    def fitting(self):
        """Options of the fit besides."""
        valid = ("--valid", self.valid) if self.valid else ()
        domain = ("--domain", self.domain) if self.domain else ()
        return (*valid, *domain, *(("--closed",) if self.closed else ()))


@dataclasses.dataclass
class Record:
    printed: str  # test NLL, nats a row, with the decimals it was published with
    by: str

    @property
    def nll(self):
        return float(self.printed)

    @property
    def rounding(self):
        """Half of its last decimal."""
        return 0.5 * 10.0 ** -len(self.printed.partition(".")[2])

    def __str__(self):
        return f"{self.printed} {self.by}"


@dataclasses.dataclass
class Case:
    name: str  # on the command line
    tables: Callable  # of the folder of data sets and a temporary one: Tables. FileNotFoundError: the set is missing
    published: Record | None
    tool: Record | None
    options: tuple = ()  # of the fit; none: the default


@dataclasses.dataclass
class Result:
    size: str  # training rows × columns
    nll: float  # nats a row
    deviation: float | None  # of the NLL over folds
    seconds: float  # wall, of the whole command; these two of crossval: a fold
    cpu_seconds: float
    peak_mb: float
    members: str
    model_mb: str


# ---------------------------------------------------------------- The tables


def existing(path):
    """The path, or with a * in its name the first that fits it. FileNotFoundError if there is none."""
    found = sorted(path.parent.glob(path.name))
    if not found:
        raise FileNotFoundError(path)
    return found[0]


def opened(path):
    return gzip.open(path, "rb") if path.suffix == ".gz" else open(path, "rb")


def join(paths, out):
    """Writes the rows of tables of the same header one after the other."""
    with open(out, "wb") as joined:
        for i, path in enumerate(paths):
            with opened(path) as table:
                header = table.readline()
                if i == 0:
                    joined.write(header)
                shutil.copyfileobj(table, joined)


def zeros_and_ones(columns, out):
    """A table of two rows in which each column is 0, then 1: a domain."""
    out.write_text("".join(",".join([value] * columns) + "\n" for value in "01"))
    return out


def binary(name):
    """A set of the DEBD collection: 0 and 1 without a header. The domain is closed over both."""

    def tables(data, folder):
        train, valid, test = (existing(data / f"debd/{name}/{name}.{part}.*") for part in PARTS)
        with opened(test) as table:
            columns = table.readline().count(b",") + 1
        domain = zeros_and_ones(columns, folder / f"{name}.domain.csv")
        return Tables(train, test, valid, domain, ("--no-header",))

    return tables


def split(name):
    """A table of data/splits. The domain: the values of all three parts, for one of adult's is only tested."""

    def tables(data, folder):
        train, valid, test = parts = [existing(data / f"splits/{name}.{part}.csv*") for part in PARTS]
        domain = folder / f"{name}.domain.csv"
        apart(join, parts, domain)
        return Tables(train, test, valid, domain)

    return tables


def mushroom(data, _):
    """The paper's protocol: 22 columns, five contiguous folds."""
    table = existing(data / "mushroom/agaricus-lepiota.data")
    return Tables(table, reading=("--no-header", "--drop", "c12"), closed=True, folds=5)  # c12: stalk-root


def write_first_fold(table, headers, order, folds, paths):
    """Cuts fold 0 of contiguous folds, as dtf crossval does. Paths: of the other rows, of the fold, and of all rows.
    `headers`: lines before the rows; `order`: of the number of rows, the order they are taken in."""
    with opened(table) as file:
        lines = file.read().splitlines(keepends=True)
    header, rows = lines[:headers], lines[headers:]
    rows = [rows[i] for i in order(len(rows))]
    tested = len(rows) // folds
    for path, chosen in zip(paths, (rows[tested:], rows[:tested], rows)):
        path.write_bytes(b"".join(header + chosen))


def first_fold(table, headers, order, folds, paths, reading):
    train, test, domain = paths
    if not domain.exists():
        apart(write_first_fold, table, headers, order, folds, paths)
    return Tables(train, test, domain=domain, reading=reading)


def paths_of(folder, name, parts):
    return [folder / f"{name}.{part}.csv" for part in parts]


def mushroom_fold(data, folder):
    """The first fifth in file order, all 23 columns: what the other tools were measured on."""
    table = existing(data / "mushroom/agaricus-lepiota.data")
    return first_fold(table, 0, range, 5, paths_of(folder, "mushroom0", FOLD), ("--no-header",))


def genetic(data, folder):
    """Fold 0 of the paper's three, shuffled as in paper_tables.py."""
    table = existing(data / "snp805/805_SNP_1000G_real.csv.gz")
    names = ("--drop", "group", "--drop", "id")
    return first_fold(table, 1, shuffled, 3, paths_of(folder, "genetic", FOLD), names)


def mnist(data, folder):
    """50,000 / 10,000 / 10,000 images, a pixel 1 with probability pixel / 255 (of train as in paper_tables.py)."""
    images = [existing(data / f"mnist/{part}-images-idx3-ubyte.gz") for part in ("train", "t10k")]
    train, valid, test = paths_of(folder, "mnist", PARTS)
    if not test.exists():
        apart(write_mnist, images, [(train, 50_000), (valid, 10_000), (test, 10_000)])
    domain = zeros_and_ones(784, folder / "mnist.domain.csv")
    return Tables(train, test, valid, domain, ("--no-header",))


def write_mnist(images, parts):
    """Writes the images of the files, one after the other, as 0/1 tables. `parts`: their paths and numbers of rows."""
    draw = random_state(0).random
    chances = [pixel / 255 for pixel in range(256)]
    line = bytearray(b"0," * 783 + b"0\n")
    pixels = images_of(images)
    for out, rows in parts:
        with open(out, "wb") as table:
            for _ in range(rows):
                line[::2] = bytes([48 + (draw() < chances[pixel]) for pixel in next(pixels)])
                table.write(line)


def images_of(paths):
    """The pixels of each image of idx files."""
    for path in paths:
        with gzip.open(path, "rb") as file:
            file.read(16)  # magic number and shape
            while image := file.read(784):
                yield image


def random_state(seed):
    """random.Random in the state of numpy's RandomState(seed), so that both draw the same numbers from [0, 1)."""
    state = [seed]
    for i in range(1, 624):
        state.append(1812433253 * (state[-1] ^ state[-1] >> 30) + i & 0xFFFFFFFF)
    generator = random.Random()
    generator.setstate((3, (*state, 624), None))
    return generator


def shuffled(n):
    """numpy's RandomState(42).permutation(n)."""
    generator = random_state(42)
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        mask = (1 << i.bit_length()) - 1
        j = generator.getrandbits(32) & mask
        while j > i:
            j = generator.getrandbits(32) & mask
        order[i], order[j] = order[j], order[i]
    return order


# ---------------------------------------------------------------- What is known of them: test NLL, nats a row


# Rooshenas & Lowd 2014 (ACMN, WinMine); Dang et al. 2020 (LearnPSDD); Di Mauro et al. 2021 (XCNet, EXPC, CNet); Watson
# et al. 2023 (CMCLT, and MADE as printed there); Peharz et al. 2020 (EiNet); Geh 2022 (LearnRP). The best of each set.
PUBLISHED = {
    "nltcs": Record("5.99", "CMCLT, LearnPSDD-BEM"),
    "tretail": Record("10.72", "LearnPSDD-BEM"),
    "kosarek": Record("10.52", "LearnPSDD-BEM"),
    "dna": Record("80.03", "ACMN"),
    "plants": Record("11.99", "XCNet40"),
    "jester": Record("51.94", "CMCLT"),  # LearnPSDD-BEM's 51.29 is doubtful
    "msnbc": Record("6.03", "OBMM, EiNet"),
    "kdd": Record("2.07", "MADE"),
    "baudio": Record("38.95", "MADE"),
    "bnetflix": Record("55.16", "MADE"),
    "accidents": Record("26.32", "WinMine"),
    "pumsb_star": Record("21.72", "WinMine"),
    "msweb": Record("9.59", "MADE"),
    "book": Record("33.41", "LearnRP-100"),
    "tmovie": Record("48.70", "MADE"),
    "cwebkb": Record("147.77", "CMCLT"),
    "cr52": Record("81.17", "CMCLT"),
    "c20ng": Record("148.17", "CMCLT"),
    "bbc": Record("237.42", "CNet40"),
    "ad": Record("13.45", "EXPC"),
}

# Measured for this project on one core of such a machine: LightGBM 4.7 and XGBoost 3.2, a classifier per column on the
# columns before it; pyAgrum 3.3; arfpy 0.1.1. The best of each set.
TOOLS = {
    "nltcs": Record("6.006", "LightGBM"),
    "plants": Record("12.051", "LightGBM"),
    "jester": Record("51.873", "LightGBM"),
    "dna": Record("78.479", "LightGBM"),
    "msnbc": Record("6.036", "LightGBM"),
    "adult": Record("14.556", "LightGBM"),
    "car": Record("7.479", "LightGBM"),
    "nursery": Record("9.480", "LightGBM, XGBoost"),
    "votes": Record("9.975", "arfpy"),
    "mushroom0": Record("12.997", "arfpy"),
}

# The paper's table of real data (Elkady, Lim, Inouye 2022): DDF is by Tran et al. 2019. DARN: Gregor et al. 2014.
PAPER_MUSHROOM = Record("14.15", "DTF (the paper)")
PAPER_GENETIC = Record("437.19", "DTF (the paper)")
PAPER_MNIST = Record("144.78", "DDF (in the paper)")
MNIST = Record("84.1", "DARN")

CASES = [
    *(Case(name, split(name), None, TOOLS[name]) for name in ("car", "votes", "nursery", "adult")),
    *(Case(name, binary(name), record, TOOLS.get(name)) for name, record in PUBLISHED.items()),
    Case("mushroom0", mushroom_fold, None, TOOLS["mushroom0"]),
    Case("mushroom", mushroom, PAPER_MUSHROOM, None),
    Case("mushroom", mushroom, PAPER_MUSHROOM, None, FLOW),
    Case("genetic", genetic, PAPER_GENETIC, None, FLOW),
    Case("genetic", genetic, PAPER_GENETIC, None),
    Case("mnist", mnist, PAPER_MNIST, None, FLOW),
    Case("mnist", mnist, MNIST, None),
]
NAMES = list(dict.fromkeys(case.name for case in CASES))


# ---------------------------------------------------------------- The runs


def timed(tool, *arguments):
    """What Tool.json gives of a verb, with "wall_seconds" of the whole command added."""
    start = time.perf_counter()
    found = tool.json(*arguments)
    return found | {"wall_seconds": time.perf_counter() - start}


def fit_and_test(tool, tables, options, model):
    found = timed(tool, "fit", tables.train, "-o", model, *tables.reading, *tables.fitting(), *options)
    info = json.loads(subprocess.check_output([tool.path, "info", model, "--json"]))
    return Result(
        size=f"{found['rows']:,} × {found['columns']}",
        nll=tool.eval_nll(model, tables.test, *tables.reading),
        deviation=None,
        seconds=found["wall_seconds"],
        cpu_seconds=found["cpu_seconds"],
        peak_mb=found["peak_mb"],
        members=str(max(1, len(info["structure"]["members"]))),
        model_mb=f"{model.stat().st_size / 1e6:.1f}",
    )


def cross_validate(tool, tables, options):
    folds = ("--folds", tables.folds, "--contiguous")
    found = timed(tool, "crossval", tables.train, *folds, *tables.reading, *tables.fitting(), *options)
    return Result(
        size=f"{found['folds'][0]['rows']:,} × {found['folds'][0]['columns']}",
        nll=found["nll_mean"],
        deviation=found["nll_std"],
        seconds=found["wall_seconds"] / tables.folds,
        cpu_seconds=found["cpu_seconds"] / tables.folds,
        peak_mb=found["peak_mb"],
        members="–",
        model_mb="–",
    )


def standing(nll, records):
    """Whether the NLL is ahead of the best of the records, and its distance from it (nats a row)."""
    best = min(records, key=lambda record: record.nll)
    gap = nll - best.nll
    word = "level" if abs(gap) <= best.rounding else "yes" if gap < 0 else "no"
    return f"{word} ({gap:+.3f})"


COLUMNS = (
    *("set", "rows × columns", "test NLL", "s", "CPU s", "peak MB", "members", "model MB"),
    *("best published", "best other tool", "ahead (nats)"),
)


def print_row(cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def run(tool, case, tables, chosen, model):
    """Cells of the case's line. `chosen`: options of default fits."""
    options = case.options or chosen
    result = cross_validate(tool, tables, options) if tables.folds else fit_and_test(tool, tables, options, model)
    return (
        case.name + (f" `{' '.join(map(str, case.options))}`" if case.options else ""),
        result.size,
        f"{result.nll:.4f}" + (f" ± {result.deviation:.4f}" if tables.folds else ""),
        f"{result.seconds:.1f}",
        f"{result.cpu_seconds:.1f}",
        f"{result.peak_mb:.0f}",
        result.members,
        result.model_mb,
        case.published or "–",
        case.tool or "–",
        standing(result.nll, [record for record in (case.published, case.tool) if record]),
    )


def run_sets(tool, names, chosen):
    """Prints a line for each case, and at the end which sets are missing."""
    print_row(COLUMNS)
    print_row(["---"] * len(COLUMNS))
    missing = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for case in CASES:
            if case.name not in names:
                continue
            try:
                tables = case.tables(DATA, folder)
            except FileNotFoundError as error:
                missing[case.name] = error.args[0].relative_to(DATA)
                continue
            print_row(run(tool, case, tables, chosen, folder / "model.dtf"))
    if missing:
        print(f"\nLeft out, for there is no such file in {DATA}:")
        print("\n".join(f"- {name}: {path}" for name, path in missing.items()))


def main():
    arguments = parser(__doc__)
    arguments.add_argument("--members", type=int, metavar="K", help="of every default fit")
    arguments.add_argument("--time", type=float, metavar="SECONDS", help="of every default fit, at most")
    arguments.add_argument("--seed", type=int, metavar="S", help="of every default fit")
    arguments.add_argument("names", nargs="*", metavar="NAMES", help=", ".join([*NAMES, "networks"]))
    options = arguments.parse_args()
    names = options.names or [*NAMES, "networks"]
    for name in names:
        if name not in (*NAMES, "networks"):
            arguments.error(f"there is no set {name}; there are {', '.join([*NAMES, 'networks'])}")
    given = ((f"--{key}", getattr(options, key)) for key in ("members", "time", "seed"))
    chosen = tuple(word for option, value in given if value is not None for word in (option, value))
    tool = Tool(options.dtf, options.threads)
    if names != ["networks"]:
        run_sets(tool, names, chosen)
    if "networks" in names:
        print()
        bayes_networks.run(tool, DATA / "bif", chosen)


if __name__ == "__main__":
    main()
