#!/usr/bin/env python3
"""Checks that includes point only downwards, and that each third-party library is named in one folder only."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# For each folder, the folders whose headers it may include besides its own. include/dtf holds the public contract, plain
# types that know nothing below: everyone may include it.
ALLOWED = {
    "include/dtf": set(),
    "src/base": {"include/dtf"},
    "src/perm": {"include/dtf", "src/base"},
    "src/table": {"include/dtf", "src/base"},
    "src/io": {"include/dtf", "src/base"},
    "src/tree": {"include/dtf", "src/base", "src/perm", "src/table"},
    "src/count": {"include/dtf", "src/base", "src/perm", "src/table", "src/tree"},
    "src/flow": {"include/dtf", "src/base", "src/perm", "src/table", "src/tree", "src/count"},
    "src/format": {"include/dtf", "src/base", "src/perm", "src/table", "src/tree", "src/flow"},
    "src/learn": {"include/dtf", "src/base", "src/perm", "src/table", "src/tree", "src/count", "src/flow"},
    "src/api": {
        "include/dtf", "src/base", "src/perm", "src/table", "src/tree", "src/flow", "src/format", "src/learn",
    },
    "cli": {"include/dtf"},
    "python/module": {"include/dtf", "src/base"},
}

# The folders that may name a library's headers.
LIBRARIES = {
    r"arrow/|parquet/": {"src/io"},
    r"csv\.h": {"src/io"},
    r"hwy/": {"src/count"},
    r"flatbuffers/": {"src/format"},
    r"xxhash\.h": {"src/format"},
    r"Random123/": {"src/base"},
    r"CLI/": {"cli"},
    r"nlohmann/": {"cli", "tests"},
    r"nanobind/": {"python/module"},
    r"gtest/|rapidcheck": {"tests"},
    r"benchmark/": {"bench"},
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path):
    parts = path.relative_to(ROOT).parts
    return "/".join(parts[:2]) if parts[0] in ("src", "include", "python") else parts[0]


def faults_in(path):
    folder = folder_of(path)
    is_test = "_test" in path.stem or folder in ("tests", "bench")
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(2)
        for pattern, owners in LIBRARIES.items():
            if re.match(pattern, header) and folder not in owners and not (is_test and "tests" in owners):
                yield f"{path.relative_to(ROOT)}:{number}: only {', '.join(sorted(owners))} may include <{header}>"
        target = "include/dtf" if header.startswith("dtf/") else f"src/{header.split('/')[0]}"
        if not (ROOT / target).is_dir() or "/" not in header or target == folder or is_test:
            continue
        if target not in ALLOWED.get(folder, set()):
            yield f"{path.relative_to(ROOT)}:{number}: {folder} must not include {header}"


def main():
    files = [p for top in ("include", "src", "cli", "python", "tests", "bench") for p in sorted((ROOT / top).rglob("*"))]
    faults = [fault for path in files if path.suffix in (".h", ".cc") for fault in faults_in(path)]
    print("\n".join(faults) or "includes point downwards")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
