"""The page about a model and a table: what is on it is true, and nothing on it is taken for HTML."""

import csv
import html.parser
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tracemalloc

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import dtf
from dtf._association import associations
from dtf._read import ReadOptions, read_file
from dtf._report.compare import compare
from dtf._report.elements import value
from dtf._report.output_file import write_file
from dtf._report.strange import strangest_rows
from dtf._tables import read_table
from tables import correlated, typed

SCRIPT = "<script>document.title='taken over'; console.error('taken over')</script>"
SECTIONS = [
    "Summary",
    "Learning curve",
    "Columns, real and sampled",
    "Pairs of columns, real and sampled",
    "Strangest rows",
    "Structure",
]


def hostile(rows=200):
    """Texts that would be markup, in names and cells."""
    table = correlated(rows)
    cells = {"a": None, "b": SCRIPT, "c": "</td></table>\"'&amp;\x07\u202e", "d": ""}
    column = pa.array([cells[text] for text in table["c1"].to_pylist()])
    return table.set_column(1, "<img src=x onerror=alert(1)>", column)


def page_of(flow, table, path, **options):
    dtf.write_report(flow, table, path, **options)
    return path.read_text(encoding="utf-8")


class Page(html.parser.HTMLParser):
    """Elements, their attributes and texts."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        self.texts.append(text)

    def named(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


# ---------------------------------------------------------------- What it says


@pytest.mark.parametrize("parameters", [{"model": "tsp", "layers": 2}, {"members": 2}, {"members": 1, "closed": True}])
def test_a_gain_is_that_of_the_best_value(parameters):
    """By brute force: every value of every cell."""
    table = correlated(120, columns=3)
    flow = dtf.DiscreteTreeFlow(**parameters).fit(table)
    model, read = flow._fitted(), flow._read(table)
    scores = flow.score_samples(table)
    found = strangest_rows(model, read, compare(model, read, None, 50, 0, 1), scores, 4, 1)
    assert [row.score for row in found] == sorted(scores)[:4]
    for row in found:
        cells = [column[row.number - 1].as_py() for column in table.columns]
        gains = {}
        for j, name in enumerate(table.column_names):
            tried = [cells[:j] + [text] + cells[j + 1 :] for text in "abcd"]
            changed = flow.score_samples(pa.table(dict(zip(table.column_names, map(list, zip(*tried))))))
            gains[name] = changed.max() - row.score
        assert {cell.column: cell.gain for cell in row.cells} == {
            name: gain for name, gain in gains.items() if gain > 0
        }
        assert [cell.gain for cell in row.cells] == sorted((cell.gain for cell in row.cells), reverse=True)


def test_a_value_never_seen_is_the_strangest():
    table = correlated(300, columns=3)
    flow = dtf.DiscreteTreeFlow(members=1).fit(table)
    odd = table.slice(0, 50).set_column(1, "c1", pa.array(["new"] + table["c1"].to_pylist()[1:50]))
    model, read = flow._fitted(), flow._read(odd)
    columns = compare(model, read, None, 50, 0, 1)
    row = strangest_rows(model, read, columns, flow.score_samples(odd), 1, 1)[0]
    assert row.number == 1 and (row.cells[0].column, row.cells[0].text) == ("c1", "new")
    real, _ = columns[1].frequencies()
    assert columns[1].names[-1] == "(never seen)" and real[-1] == 1 / 50


def test_frequencies_are_those_of_the_table_and_the_sample():
    table = typed(200)
    flow = dtf.DiscreteTreeFlow(members=1, allow_unique=True).fit(table)
    model, read = flow._fitted(), flow._read(table)
    sample = flow.sample(500, random_state=3)
    for column, real, sampled in zip(compare(model, read, None, 500, 3, 1), table.columns, sample.columns):
        for codes, cells in ((column.real, real), (column.sampled, sampled)):
            assert (codes < len(column.categories.names)).all()
            is_missing = np.array([column.names[code] == "(missing)" for code in codes])
            assert is_missing.sum() == sum(cell is None or cell != cell for cell in cells.to_pylist())


def test_bins_are_counted_as_bins():
    table = pa.table({"n": np.arange(100.0), "t": ["x", "y"] * 50})
    flow = dtf.DiscreteTreeFlow(members=1, bins={"n": 4}).fit(table)
    column = compare(flow._fitted(), flow._read(table), None, 100, 0, 1)[0]
    assert np.bincount(column.real).tolist() == [25, 25, 25, 25] and column.sampled.max() < 4


def test_whole_weights_count_as_repeated_rows(tmp_path):
    weights = np.random.default_rng(1).integers(0, 4, 400)
    table = correlated(400, columns=4).append_column("w", pa.array(weights))
    flow = dtf.DiscreteTreeFlow(members=1, weights="w").fit(table)
    repeated = table.drop_columns("w").take(np.repeat(np.arange(400), weights))
    model = flow._fitted()
    weighted = compare(model, flow._read(table), flow._column_weights(read_table(table)), 50, 0, 1)
    plain = compare(model, flow._read(repeated), None, 50, 0, 1)
    for one, other in zip(weighted, plain):
        assert [part.tolist() for part in one.frequencies()] == [part.tolist() for part in other.frequencies()]
    matrices = [
        associations([(column.real, column.sampled) for column in columns], columns[0].weights)
        for columns in (weighted, plain)
    ]
    np.testing.assert_array_equal(matrices[0], matrices[1])
    scores = flow.score_samples(table)
    rows = strangest_rows(model, flow._read(table), weighted, scores, 400, 1)
    assert len(rows) == (weights > 0).sum() and all(weights[row.number - 1] > 0 for row in rows)
    pages = [Page(page_of(flow, one, tmp_path / "page.html")).texts for one in (table, repeated)]
    assert f"400 (weight {weights.sum()}, by the column w)" in pages[0] and str(weights.sum()) in pages[1]
    means = [texts[texts.index("mean ln P of its rows") + 1] for texts in pages]
    assert means[0] == means[1]


def test_weights_without_a_mean_are_no_report(tmp_path):
    table = correlated(100).append_column("w", pa.array([1.0] * 100))
    flow = dtf.DiscreteTreeFlow(members=1, weights="w").fit(table)
    nothing = table.set_column(table.num_columns - 1, "w", pa.array([0.0] * 100))
    with pytest.raises(dtf.InputError, match="column `w`: all weights are zero"):
        dtf.write_report(flow, nothing, tmp_path / "page.html")
    assert not (tmp_path / "page.html").exists()


def test_a_row_of_weight_0_may_have_values_that_cannot_be(tmp_path):
    table = correlated(100).append_column("n", pa.array([str(i) for i in range(100)]))
    table = table.append_column("w", pa.array([1.0, 2.0] * 50))
    flow = dtf.DiscreteTreeFlow(members=1, weights="w", closed=True, bins={"n": 4}).fit(table)
    stranger = pa.table({name: ["stranger"] for name in table.column_names[:-1]} | {"w": [0.0]})
    pages = [
        Page(page_of(flow, held, tmp_path / "page.html")).texts
        for held in (table, pa.concat_tables([table, stranger]))
    ]
    assert [text.replace("101 (weight", "100 (weight") for text in pages[1]] == pages[0]
    with pytest.raises(dtf.InputError, match="column `c0`: `stranger` is not a value"):
        page_of(flow, stranger.set_column(5, "w", pa.array([1.0])), tmp_path / "page.html")


def test_columns_may_come_in_any_order(tmp_path):
    table = correlated()
    flow = dtf.DiscreteTreeFlow(members=1).fit(table)
    turned = table.select(table.column_names[::-1])
    assert page_of(flow, table, tmp_path / "a") == page_of(flow, turned, tmp_path / "b")


@pytest.mark.parametrize("parameters", [{"model": "tsp", "layers": 2}, {"members": 2}])
def test_the_page_is_well_formed_and_needs_nothing(tmp_path, parameters):
    table = hostile()
    text = page_of(
        dtf.DiscreteTreeFlow(**parameters).fit(table), table, tmp_path / "page.html", title="<i>my table</i>"
    )
    page = Page(text)
    assert page.open == [] and page.named("script") == [] and page.named("img") == [] and page.named("i") == []
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    assert re.findall(r"https?://[^\"' ]*", text) == ["http://www.w3.org/2000/svg"] * len(page.named("svg"))
    assert set(SECTIONS) <= set(page.texts) and "<img src=x onerror=alert(1)>" in page.texts
    assert value(SCRIPT) in page.texts and "<i>my table</i>: report of a discrete tree flow" in page.texts
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", text)
    assert len(page.named("caption")) == len(page.named("table")) and "(missing)" in page.texts
    assert all(attributes["role"] == "img" for attributes in page.named("svg"))
    assert {attributes.get("scope") for attributes in page.named("th")} == {"col", "row"}


def test_the_same_seed_gives_the_same_page(tmp_path):
    table = correlated()
    flow = dtf.DiscreteTreeFlow(members=2).fit(table)
    pages = []
    for jobs, seed in ((1, 1), (2, 1), (1, 2)):
        flow.set_params(n_jobs=jobs)
        pages.append(page_of(flow, table, tmp_path / "p", random_state=seed))
    assert pages[0] == pages[1] != pages[2]


def test_of_a_wide_table_the_columns_that_differ_most_are_shown(tmp_path):
    random = np.random.default_rng(0)
    wide = pa.table({f"w{j:02}": random.integers(0, 2, 100) for j in range(60)})
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=1).fit(wide)
    changed = wide.set_column(7, "w07", pa.array(np.zeros(100, np.int64)))
    text = page_of(flow, changed, tmp_path / "p")
    assert text.count("Of 60 columns the 50 are shown whose frequencies differ most.") == 2
    captions = re.findall(r"<caption><span><bdi class=\"cell\">(w\d\d)</bdi>", text)
    assert len(captions) == 50 and "w07" in captions and captions == sorted(captions)


def test_questions_that_are_too_many_to_be_told_leave_the_rest_of_the_page(tmp_path, monkeypatch):
    frame = correlated(100)
    flow = dtf.DiscreteTreeFlow(members=1).fit(frame)
    told = dtf.DiscreteTreeFlow.questions

    def questions(self, column, member=0):
        if column == 1:
            raise dtf.UsageError("too many")
        return told(self, column, member)

    monkeypatch.setattr(dtf.DiscreteTreeFlow, "questions", questions)
    page = tmp_path / "page.html"
    dtf.write_report(flow, frame, page)
    assert page.read_text(encoding="utf-8").count("too many categories to be told one by one") == 1


def test_rows_without_probability(tmp_path):
    table = pa.table({"a": ["x", "y"] * 20, "b": ["x", "y"] * 20})
    flow = dtf.DiscreteTreeFlow(model="tsp", layers=1, alpha=0, closed=True).fit(table)
    impossible = pa.table({"a": ["x", "x"], "b": ["y", "x"]})
    text = page_of(flow, impossible, tmp_path / "p")
    assert math.isinf(flow.score_samples(impossible)[0]) and "+∞" in text and "-∞" in text and "nan" not in text


def test_faults_are_errors_and_leave_no_file(tmp_path):
    table = correlated()
    flow = dtf.DiscreteTreeFlow(members=1).fit(table)
    with pytest.raises(dtf.InputError, match="no rows"):
        dtf.write_report(flow, table.slice(0, 0), tmp_path / "p")
    with pytest.raises(dtf.UsageError, match="samples=0"):
        dtf.write_report(flow, table, tmp_path / "p", samples=0)
    with pytest.raises(dtf.OutputError, match="cannot write"):
        dtf.write_report(flow, table, tmp_path / "none" / "p")
    with pytest.raises(dtf.NotFittedError):
        dtf.write_report(dtf.DiscreteTreeFlow(), table, tmp_path / "p")
    assert list(tmp_path.iterdir()) == []


def test_the_page_goes_where_a_link_points(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "page")
    write_file(str(tmp_path / "link"), b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "page").read_bytes() == b"new"
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    with pytest.raises(dtf.OutputError, match="cannot write .*circle: Too many levels of symbolic links"):
        write_file(str(tmp_path / "circle"), b"new")
    assert (tmp_path / "circle").is_symlink() and len(list(tmp_path.iterdir())) == 3


def test_an_old_file_keeps_its_permissions_and_a_new_one_gets_the_usual_ones(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "umask", None)  # which is the whole process's
    (tmp_path / "other").touch()
    usual = (tmp_path / "other").stat().st_mode
    page = tmp_path / "page"
    write_file(str(page), b"first")
    assert page.stat().st_mode == usual
    for mode in (0o600, 0o640, 0o755):
        page.chmod(mode)
        write_file(str(page), b"new")
        assert page.stat().st_mode & 0o7777 == mode and page.read_bytes() == b"new"


def test_a_file_that_is_read_only_stays(tmp_path):
    page = tmp_path / "page"
    page.write_bytes(b"old")
    page.chmod(0o444)
    with pytest.raises(dtf.OutputError, match="cannot write .*/page: Permission denied"):
        write_file(str(page), b"new")
    assert page.read_bytes() == b"old" and list(tmp_path.iterdir()) == [page]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_what_ends_the_writing_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, error):
    def end(*arguments):
        raise error

    page = tmp_path / "page"
    page.write_bytes(b"old")
    monkeypatch.setattr(os, "replace", end)
    with pytest.raises((KeyboardInterrupt, dtf.OutputError)):
        write_file(str(page), b"new")
    assert page.read_bytes() == b"old" and list(tmp_path.iterdir()) == [page]


def test_what_is_no_regular_file_is_written_to(tmp_path):
    write_file("/dev/null", b"new")
    assert not pathlib.Path("/dev/null").is_file()
    with pytest.raises(dtf.OutputError, match="No space left"):
        write_file("/dev/full", b"new")
    with pytest.raises(dtf.OutputError, match="Is a directory"):
        write_file(str(tmp_path), b"new")
    program = "from dtf._report.output_file import write_file; write_file('/dev/stdout', b'new')"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"new"
    log = tmp_path / "log"
    log.write_bytes(b"old, ")
    with log.open("ab") as file:
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
    assert log.read_bytes() == b"old, new"


def test_no_input_is_replaced(tmp_path):
    table, model = tmp_path / "t.csv", tmp_path / "m.dtf"
    pyarrow.csv.write_csv(correlated(), table)
    dtf.DiscreteTreeFlow(members=1).fit(correlated()).save(model)
    before = [table.read_bytes(), model.read_bytes()]
    for output in (table, model, "-"):
        command = [sys.executable, "-m", "dtf", "report", str(model), str(table), "-o", str(output)]
        assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 2
    assert [table.read_bytes(), model.read_bytes()] == before and len(list(tmp_path.iterdir())) == 2


# ---------------------------------------------------------------- By the command line


@pytest.fixture
def here(monkeypatch):
    monkeypatch.setenv("DTF_PYTHON", sys.executable)


def module(cli, *arguments, code=0):
    command = [sys.executable, "-m", "dtf", "report", *map(str, arguments)]
    done = subprocess.run(command, cwd=cli.directory, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stderr


READINGS = {
    "plain": ("t.csv", ",", True, []),
    "tabs": ("t.tsv", "\t", True, []),
    "semicolons": ("t.txt", ";", True, ["--delimiter", ";"]),
    "marked": ("t.csv", ",", True, ["--missing", "c1=x", "--missing", "=a=b"]),
    "dropped": ("t.csv", ",", True, ["--drop", "c1"]),
    "kept": ("t.csv", ",", True, ["--keep", "c0", "--keep", "c1"]),
    "nameless": ("t.csv", ",", False, ["--no-header"]),
}


@pytest.mark.parametrize("reading", READINGS)
def test_the_tool_and_the_module_write_the_same_page(cli, here, reading):
    name, delimiter, header, options = READINGS[reading]
    cells = ["x", "", None, "a=b", 'quoted "text"; with, all', "two\nlines"]
    table = correlated(120).set_column(1, "c1", pa.array([cells[i * i % 6] for i in range(120)]))
    writing = pyarrow.csv.WriteOptions(include_header=header, delimiter=delimiter)
    pyarrow.csv.write_csv(table, cli.path(name), writing)
    cli("fit", name, "-o", "m.dtf", "--members", "1", *options)
    cli("report", "m.dtf", name, "-o", "tool.html", "--samples", "300", *options)
    assert module(cli, "m.dtf", name, "-o", "module.html", "--samples", "300", *options) == ""  # no warning
    assert cli.path("tool.html").read_bytes() == cli.path("module.html").read_bytes()
    assert (cli.path("t.csv").name in cli.path("tool.html").read_text(encoding="utf-8")) == (name == "t.csv")


def test_a_typed_file_gives_the_same_page_whatever_its_format(cli, here):
    table = typed().select(["string", "bool", "int64", "double", "date32", "timestamp", "decimal", "dictionary"])
    with pa.ipc.new_file(cli.path("file.arrow"), table.schema) as file:
        file.write_table(table, max_chunksize=50)
    with pa.ipc.new_stream(cli.path("stream.arrow"), table.schema) as file:
        file.write_table(table)
    pyarrow.parquet.write_table(table, cli.path("t.parquet"))
    cli("fit", "t.parquet", "-o", "m.dtf", "--members", "1")
    pages = set()
    for name in ("file.arrow", "stream.arrow", "t.parquet"):
        cli("report", "m.dtf", name, "-o", "tool.html")
        module(cli, "m.dtf", name, "-o", "module.html")
        assert cli.path("tool.html").read_bytes() == cli.path("module.html").read_bytes()
        pages.add(cli.path("tool.html").read_text(encoding="utf-8").replace(name, "t"))
    assert len(pages) == 1


def write_file_named(path, table):
    """In the format that the name, in small letters, means."""
    name = path.name.lower()
    if name.endswith(".parquet"):
        pyarrow.parquet.write_table(table, path)
    elif name.endswith(".arrow"):
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    else:
        delimiter = "\t" if name.endswith((".tsv", ".tsv.gz")) else ","
        with pa.output_stream(path, compression="gzip" if name.endswith(".gz") else None) as file:
            pyarrow.csv.write_csv(table, file, pyarrow.csv.WriteOptions(delimiter=delimiter))


NAMES = ["t.csv", "T.CSV.GZ", "t.Tsv", "T.TSV.gz", "t.PARQUET", "T.Arrow", "t.parquet.gz", "t.zst"]


@pytest.mark.parametrize("name", NAMES)
def test_the_format_is_that_of_the_file_s_ending_in_any_case(cli, name):
    table = correlated(60)
    write_file_named(cli.path(name), table)
    assert read_file(str(cli.path(name)), ReadOptions()).to_pydict() == table.to_pydict()
    cli("fit", name, "-o", "m.dtf", "--model", "tsp")  # which the tool takes so, too
    assert dtf.load(cli.path("m.dtf")).n_features_in_ == 4


@pytest.mark.parametrize("header", [True, False])
def test_a_record_may_be_of_any_length(tmp_path, header):
    """Longer than a block that pyarrow parses, and over many lines."""
    cells = ["x", 'a "line"\n' * 2**17, "y" * 2**21, "z"] * 2
    columns = {"c1": cells[::-1] if header else cells[1:], "c2": ["ü"] * (8 if header else 7)}
    with open(tmp_path / "t.csv", "w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([*([columns] if header else []), *zip(*columns.values())])
    reading = [] if header else ["--no-header"]
    if header:
        assert read_file(str(tmp_path / "t.csv"), ReadOptions()).to_pydict() == columns
    dtf.DiscreteTreeFlow(members=1).fit(pa.table(columns)).save(tmp_path / "m.dtf")
    command = [sys.executable, "-m", "dtf", "report", "m.dtf", "t.csv", "-o", "page.html", *reading]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True).stderr == b""


def test_a_text_file_is_in_memory_once(tmp_path):
    """Besides what the table takes, which pyarrow holds."""
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "some text,and more\n" * 200_000)
    read_file(str(path), ReadOptions(keep=["a"]))  # modules are loaded
    tracemalloc.start()
    table = read_file(str(path), ReadOptions())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert table.num_rows == 200_000 and peak < 1.5 * path.stat().st_size


def test_markers_mean_what_they_mean_to_the_tool(tmp_path):
    columns = {"a": ["x", "1", "b=x"], "a=b": ["x", "1", None], "n": [-999.0, 0.5, 1.0], "t": [["u"], [], ["v"]]}
    pyarrow.parquet.write_table(pa.table(columns), tmp_path / "t.parquet")

    def read(*missing):
        return read_file(str(tmp_path / "t.parquet"), ReadOptions(missing=missing)).to_pydict()

    assert read() == columns
    assert read("a=x") == columns | {"a": [None, "1", "b=x"]}
    assert read("a=b=x") == columns | {"a=b": [None, "1", None]}
    assert read("=b=x") == columns | {"a": ["x", "1", None]}
    assert read("-999", "n=1") == columns | {"n": [None, 0.5, None]}
    assert read("1") == columns | {"a": ["x", None, "b=x"], "a=b": ["x", None, None], "n": [-999.0, 0.5, None]}
    assert read("n=-999.0") == columns
    with pytest.raises(dtf.UsageError, match="has no column `c`"):
        read("c=x")


def test_typed_tables(cli, here):
    table = typed()
    pyarrow.parquet.write_table(table.drop(["half", "null", "decimal256"]), cli.path("t.parquet"))
    cli("fit", "t.parquet", "-o", "m.dtf", "--members", "1", "--allow-unique")
    cli("report", "m.dtf", "t.parquet", "-o", "tool.html")
    module(cli, "m.dtf", "t.parquet", "-o", "module.html")
    assert cli.path("tool.html").read_bytes() == cli.path("module.html").read_bytes()


@pytest.mark.parametrize(
    "code, arguments, message",
    [
        (2, ["m.dtf", "t.csv"], "-o/--output"),
        (2, ["m.dtf", "t.csv", "-o", "p", "--rows", "0"], "argument --rows: '0' is no whole number from 1"),
        (2, ["m.dtf", "t.csv", "-o", "p", "--seed", "-1"], "argument --seed: '-1' is no whole number from 0"),
        (2, ["m.dtf", "t.csv", "-o", "p", "--delimiter", "ab"], "not one character"),
        (3, ["m.dtf", "none.csv", "-o", "p"], "cannot read none.csv"),
        (2, ["m.dtf", "t.csv", "-o", "p", "--drop", "c9"], "no column `c9`"),
        (3, ["m.dtf", "t.csv", "-o", "p", "--drop", "c1"], "t.csv has no column `c1`"),
        (3, ["m.dtf", "more.csv", "-o", "p"], "more.csv has the column `more`, which is not known; leave it out with -"),
        (3, ["m.dtf", "-", "-o", "p", "--title", "rows.csv"], "rows.csv is empty"),
        (3, ["m.dtf", "-", "-o", "p"], "standard input is empty"),
        (4, ["t.csv", "t.csv", "-o", "p"], "not a dtf model file"),
        (1, ["m.dtf", "t.csv", "-o", "none/p"], "cannot write none/p"),
        (3, ["m.dtf", "ragged.csv", "-o", "p"], "cannot read ragged.csv"),
        (3, ["m.dtf", "t.csv", "-o", "p", "--expect-rows", "7"], "t.csv ended early"),
    ],
)
def test_exit_codes(cli, code, arguments, message):
    pyarrow.csv.write_csv(correlated(60), cli.path("t.csv"))
    cli.path("ragged.csv").write_text("c0,c1,c2,c3\na,b,c,d\na,b\n")
    pyarrow.csv.write_csv(correlated(60).append_column("more", correlated(60)["c0"]), cli.path("more.csv"))
    cli("fit", "t.csv", "-o", "m.dtf", "--members", "1")
    assert message in module(cli, *arguments, code=code)
    assert not cli.path("p").exists()


def test_the_tool_s_messages_name_the_file_and_its_own_options(cli, here):
    table = correlated(60)
    pyarrow.csv.write_csv(table, cli.path("t.csv"))
    pyarrow.csv.write_csv(table.append_column("more", table["c0"]), cli.path("more.csv"))
    cli("fit", "t.csv", "-o", "m.dtf", "--members", "1")
    done = cli.run("report", "m.dtf", "more.csv", "-o", "p.html")
    assert (done.returncode, done.stderr.decode()) == (
        3,
        "dtf: more.csv has the column `more`, which is not known; leave it out with --drop\n",
    )


def test_what_lies_in_the_working_directory_is_not_run(cli, here):
    pyarrow.csv.write_csv(correlated(60), cli.path("t.csv"))
    cli("fit", "t.csv", "-o", "m.dtf", "--members", "1")
    if sys.version_info >= (3, 11):  # which knows PYTHONSAFEPATH
        cli.path("dtf.py").write_text("raise SystemExit('not this one')")
    cli("report", "m.dtf", "t.csv", "-o", "p.html")


# ---------------------------------------------------------------- In a browser

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture
def browser(tmp_path):
    """Chromium's standard output and console for a page."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium to open the page in")

    def run(page, *options):
        fixed = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            f"--user-data-dir={tmp_path}/c",
        ]
        done = subprocess.run([CHROMIUM, *fixed, *options, page.as_uri()], capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode(), [line for line in done.stderr.decode().splitlines() if ":CONSOLE" in line]

    return run


@pytest.mark.parametrize("parameters", [{"model": "tsp", "layers": 2}, {"members": 2}])
def test_a_browser_shows_it(tmp_path, browser, parameters):
    table = hostile()
    path = tmp_path / "page.html"
    dtf.write_report(dtf.DiscreteTreeFlow(**parameters).fit(table), table, path, title="<i>my table</i>")
    dom, console = browser(path, "--dump-dom")
    assert console == []
    page = Page(dom)
    assert page.texts.count("<i>my table</i>: report of a discrete tree flow") == 2  # the title, and the heading
    assert all(title in page.texts for title in SECTIONS) and value(SCRIPT) in page.texts
    assert page.named("script") == [] and page.named("img") == []
    assert len(page.named("table")) == path.read_text(encoding="utf-8").count("<table>") >= 8
    picture = tmp_path / "page.png"
    _, console = browser(path, f"--screenshot={picture}", "--window-size=1000,1500")
    assert console == [] and picture.stat().st_size > 20_000
