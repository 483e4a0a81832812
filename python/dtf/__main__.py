"""``python -m dtf report MODEL TABLE -o PAGE.html``; all else is the command line's, ``dtf``."""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Callable, Sequence

import dtf
from dtf._read import ReadOptions, read_file
from dtf._tables import read_table

# As the command line's: dtf/error.h. The first class that fits counts.
_EXIT_CODES = ((dtf.UsageError, 2), (dtf.ModelFileError, 4), (dtf.InputError, 3), (dtf.OutOfMemoryError, 5))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs it and gives the exit code. Messages go to standard error."""
    csv.field_size_limit(sys.maxsize)  # of the process, which is ours
    options = _parser().parse_args(arguments)
    try:
        _report(options)
    except dtf.DtfError as error:
        print(f"dtf: {error.on_command_line}", file=sys.stderr)
        return next((code for kind, code in _EXIT_CODES if isinstance(error, kind)), 1)
    except MemoryError:
        print("dtf: not enough memory", file=sys.stderr)
        return 5
    except KeyboardInterrupt:
        return 130
    return 0


def _report(options: argparse.Namespace) -> None:
    if options.output == "-":
        raise dtf.UsageError("--output -: the page is a file; give its name")
    for source in (options.model, options.table):
        if os.path.exists(options.output) and os.path.exists(source) and os.path.samefile(options.output, source):
            raise dtf.UsageError(f"--output {options.output} would replace an input: give another name")
    flow = dtf.load(options.model)
    flow.set_params(n_jobs=options.threads or None)
    reading = ReadOptions(options.delimiter, not options.no_header, options.missing, options.drop, options.keep)
    # Of a table that comes through a pipe from `dtf report`, the title is its name.
    source = options.table if options.table != "-" else options.title or "standard input"
    table = read_file(options.table, reading, source)
    if options.expect_rows not in (None, table.num_rows):
        raise dtf.InputError(f"{source} ended early")
    dtf.write_report(
        flow,
        read_table(table, source),
        options.output,
        samples=options.samples,
        rows=options.rows,
        random_state=options.seed,
        title=options.title or options.table,
    )


def _parser() -> argparse.ArgumentParser:
    root = argparse.ArgumentParser(prog="python -m dtf", description="Discrete tree flows.", allow_abbrev=False)
    root.add_argument("--version", action="version", version=f"dtf {dtf.__version__}")
    verbs = root.add_subparsers(required=True, metavar="VERB")
    text = "one HTML page about a model and a table, which needs nothing else"
    verb = verbs.add_parser("report", help=text, description=f"Writes {text}.", allow_abbrev=False)
    verb.add_argument("model", metavar="MODEL", help="a model's file")
    verb.add_argument("table", metavar="TABLE", help=".csv .tsv (also .gz), .parquet or .arrow; - is standard input")
    verb.add_argument("-o", "--output", metavar="PAGE.html", required=True, help="where the page goes")
    verb.add_argument(
        "--samples", type=_whole(1), default=10_000, metavar="N", help="rows sampled from the model (10000)"
    )
    verb.add_argument("--rows", type=_whole(1), default=20, metavar="N", help="strange rows shown (20)")
    verb.add_argument("--seed", type=_whole(0, 2**64 - 1), default=0, metavar="S", help="which sample (0)")
    verb.add_argument(
        "--threads", type=_whole(0, 4096), default=0, metavar="T", help="threads; no result depends on them (all)"
    )
    verb.add_argument("--title", metavar="TEXT", help="what the page calls the table (its path)")
    verb.add_argument(
        "--delimiter", type=_delimiter, metavar="C", help="between the cells of a line (comma; tab for .tsv)"
    )
    verb.add_argument("--no-header", action="store_true", help="the first line is a row; columns are c1, c2, …")
    verb.add_argument("--missing", action="append", default=[], metavar="[COL=]TEXT", help="TEXT means missing")
    verb.add_argument("--drop", action="append", default=[], metavar="COL", help="leave this column out")
    verb.add_argument("--keep", action="append", default=[], metavar="COL", help="read these columns only")
    verb.add_argument("--expect-rows", type=int, help=argparse.SUPPRESS)
    return root


def _whole(least: int, most: int = 100_000_000) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from {least} to {most}")
        return int(text)

    return parse


def _delimiter(text: str) -> str:
    text = "\t" if text == "\\t" else text
    if len(text) != 1 or text in '"\r\n':
        raise argparse.ArgumentTypeError(f"{text!r} is not one character, or \\t for the tab")
    return text


if __name__ == "__main__":
    sys.exit(main())
