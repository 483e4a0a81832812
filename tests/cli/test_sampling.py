"""Rows drawn from a model: which, how often, of what type, and how they are written."""

import collections
import datetime
import gzip
import math
import os
import random
import resource
import signal
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tables import dependent_rows, parse_csv, product, read_typed, write_typed

MIB = 2**20


@pytest.fixture
def learnt(dtf):
    return dtf.fit("t.csv", "--layers", "3", content=dependent_rows(400, seed=1))


def sample(dtf, model, rows, *options):
    header, *body = parse_csv(dtf("sample", model, "-n", str(rows), *options).out)
    return body


# ---------------------------------------------------------------- Which rows


def test_a_seed_stands_for_one_sample(dtf, learnt):
    first = dtf("sample", learnt, "-n", "1000", "--seed", "7").out
    assert dtf("sample", learnt, "-n", "1000", "--seed", "7").out == first
    assert dtf("sample", learnt, "-n", "1000", "--seed", "8").out != first
    assert dtf("sample", learnt, "-n", "1000").out == dtf("sample", learnt, "-n", "1000", "--seed", "0").out


def test_threads_do_not_change_a_sample(dtf, learnt):
    rows = "100000"  # more than one batch
    samples = {dtf("sample", learnt, "-n", rows, "--threads", threads).out for threads in ("1", "2", "3", "8")}
    assert len(samples) == 1


@pytest.mark.parametrize("rows", [1, 100, 65_536, 65_537])
def test_a_shorter_sample_is_the_start_of_a_longer_one(dtf, learnt, rows):
    assert sample(dtf, learnt, 70_000)[:rows] == sample(dtf, learnt, rows)


def test_the_help_says_how_samples_of_one_seed_relate(dtf):
    assert "same seed gives the same rows" in " ".join(dtf("sample", "--help").lines)


def test_no_rows_are_a_header(dtf, learnt):
    assert dtf("sample", learnt, "-n", "0").lines == ["v0,v1,v2,v3,v4"]


@pytest.mark.parametrize("rows", ["-1", "1.5", "many", "", "99999999999999999999999"])
def test_the_number_of_rows_is_a_whole_number(dtf, learnt, rows):
    dtf("sample", learnt, "-n", rows, code=2)


def test_the_number_of_rows_is_needed(dtf, learnt):
    dtf("sample", learnt, code=2)


# ---------------------------------------------------------------- How often


def test_only_known_values_are_drawn(dtf):
    draw = random.Random(2)
    columns = {"single": ["s"], "pair": ["n", "y"], "three": list("abc"), "fifty": [f"f{i}" for i in range(50)]}
    body = [[values[(i + draw.randrange(2)) % len(values)] for values in columns.values()] for i in range(300)]
    dtf.fit("t.csv", "--layers", "6", "--min-split", "2", content=[list(columns), *body])
    drawn = sample(dtf, "m.dtf", 20_000)
    for j, values in enumerate(columns.values()):
        assert {row[j] for row in drawn} == {value.encode() for value in values}


def test_missing_is_drawn_where_it_was_and_nowhere_else(dtf):
    dtf.fit("t.csv", content="p,q\nx,1\n,1\n,2\ny,2\n" + "x,1\n" * 40)
    drawn = sample(dtf, "m.dtf", 2000)
    assert {row[0] for row in drawn} == {b"x", b"y", None}
    assert {row[1] for row in drawn} == {b"1", b"2"}


def test_frequencies_agree_with_the_scores(dtf):
    draw = random.Random(3)
    body = [[p, q, draw.choice("kl")] for p, q in (draw.choice(["x0", "x0", "y1", "z1", "z0"]) for _ in range(500))]
    dtf.fit("t.csv", "--layers", "3", "--closed", content=[["p", "q", "r"], *body])
    everything = product("xyz", "01", "kl")
    scores = map(float, dtf.scores("m.dtf", "all.csv", content=[["p", "q", "r"], *everything]))
    rows = 50_000
    counts = collections.Counter(b"".join(row) for row in sample(dtf, "m.dtf", rows))
    for row, score in zip(everything, scores):
        share = math.exp(score)
        sigma = math.sqrt(rows * share * (1 - share))
        assert abs(counts["".join(row).encode()] - rows * share) <= 4.5 * sigma + 1, row


def test_pairs_never_seen_are_drawn_as_often_as_the_model_believes(dtf):
    seen = ["Oslo,N"] * 8 + ["Moss,N"] * 5 + ["Lund,S"] * 6 + ["Umea,S"] * 4 + ["Vik,I"] * 2
    options = ("--alpha", "0", "--layers", "8", "--min-split", "1", "--closed")
    dtf.fit("t.csv", *options, content="town,land\n" + "\n".join(seen) + "\n")
    unseen = [pair for pair in product(["Oslo", "Moss", "Lund", "Umea", "Vik"], "NSI") if ",".join(pair) not in seen]
    scores = map(float, dtf.scores("m.dtf", "u.csv", content=[["town", "land"], *unseen]))
    share, rows = math.fsum(map(math.exp, scores)), 20_000
    drawn = sum(b",".join(row).decode() not in seen for row in sample(dtf, "m.dtf", rows))
    assert abs(drawn - rows * share) <= 4 * math.sqrt(rows * share * (1 - share))


# ---------------------------------------------------------------- Types


def typed_table():
    day, hour = datetime.date(2031, 5, 4), datetime.datetime(2031, 5, 4, 12, 30)
    return pa.table(
        {
            "byte": pa.array([1, -2, 1, None], pa.int8()),
            "whole": pa.array([10, 9, 9, 10], pa.int64()),
            "real": pa.array([0.5, 1.0, None, 1e-7]),
            "truth": pa.array([True, False, None, True]),
            "day": pa.array([day, day.replace(year=1999), day, None]),
            "hour": pa.array([hour, hour.replace(year=1999), hour, None], pa.timestamp("us")),
            "text": pa.array(["1", "", None, "a,b"]),
        }
    )


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_types_come_back(dtf, ending):
    table = typed_table()
    write_typed(dtf.path(f"t.{ending}"), table)
    dtf.fit(f"t.{ending}")
    dtf("sample", "m.dtf", "-n", "400", "-o", f"s.{ending}")
    drawn = read_typed(dtf.path(f"s.{ending}"))
    assert drawn.num_rows == 400
    assert [(field.name, field.type) for field in drawn.schema] == [(field.name, field.type) for field in table.schema]
    for name in table.column_names:
        assert set(drawn[name].to_pylist()) == set(table[name].to_pylist()), name


def test_all_kinds_of_text_come_back_as_plain_text(dtf):
    texts = pa.array(["red", "blue", "red", None])
    kinds = {"large": texts.cast(pa.large_string()), "coded": texts.dictionary_encode(), "plain": texts}
    pq.write_table(pa.table(kinds), dtf.path("t.parquet"))
    dtf.fit("t.parquet")
    dtf("sample", "m.dtf", "-n", "100", "-o", "s.parquet")
    drawn = pq.read_table(dtf.path("s.parquet"))
    for name in kinds:
        assert drawn[name].type == pa.string()
        assert set(drawn[name].to_pylist()) == {"red", "blue", None}


def test_samples_as_text_have_the_canonical_spelling(dtf):
    pq.write_table(typed_table().select(["whole", "real", "truth", "day"]), dtf.path("t.parquet"))
    dtf.fit("t.parquet")
    columns = zip(*sample(dtf, "m.dtf", 200))
    numbers = [{b"9", b"10"}, {b"0.5", b"1", b"0.0000001", None}]
    others = [{b"true", b"false", None}, {b"2031-05-04", b"1999-05-04", None}]
    assert [set(column) for column in columns] == numbers + others


# ---------------------------------------------------------------- Text


AWKWARD = ["", " lead", "p,q", "lf\nend", "crlf\r\nend", "cr\rend", 'say "so"', '"', "NA", "ü\t;", None]


@pytest.mark.parametrize("name", ["s.csv", "s.tsv", "s.csv.gz"])
def test_what_is_drawn_can_be_read_back(dtf, name):
    dtf.fit("t.csv", content=[["v,w", "k"]] + [[value, str(i % 2)] for i, value in enumerate(AWKWARD)])
    dtf("sample", "m.dtf", "-n", "500", "-o", name)
    data = gzip.decompress(dtf.read(name)) if name.endswith(".gz") else dtf.read(name)
    header, *drawn = parse_csv(data, b"\t" if name == "s.tsv" else b",")
    assert header == [b"v,w", b"k"] and len(drawn) == 500
    assert {row[0] for row in drawn} == {None if value is None else value.encode() for value in AWKWARD}
    dtf.fit(name, model="again.dtf")
    assert dtf.categories("again.dtf") == dtf.categories("m.dtf")


def test_what_is_drawn_of_one_column_can_be_read_back(dtf):
    dtf.fit("t.csv", content='p\nx\n\n""\n\n')
    dtf("sample", "m.dtf", "-n", "300", "-o", "s.csv")
    dtf.fit("s.csv", model="again.dtf")
    assert dtf.info("again.dtf")["rows"] == 300
    assert dtf.categories("again.dtf")["p"] == ["", "x", None]


# ---------------------------------------------------------------- Streams


@pytest.fixture
def wide(dtf):
    """A model whose rows are long: a quarter of a kilobyte each as text."""
    names = [f"c{j}" for j in range(20)]
    rows = [[f"{'ab'[i % 2]} long value {(i + j) % 5}" for j in range(20)] for i in range(100)]
    return dtf.fit("w.csv", "--layers", "1", "--max-depth", "1", content=[names, *rows])


@pytest.mark.parametrize("output", [(), ("-o", "s.csv"), ("-o", "s.parquet")])
def test_memory_does_not_grow_with_the_sample(dtf, wide, output):
    less = dtf.peak_memory("sample", wide, "-n", "70000", *output)
    more = dtf.peak_memory("sample", wide, "-n", "1000000", *output)
    assert more < less + 80 * MIB


def test_head_ends_the_sample_without_a_word(dtf, wide):
    sampling = dtf.start("sample", wide, "-n", str(10**12))
    head = subprocess.run(["head", "-n", "3"], stdin=sampling.stdout, capture_output=True, timeout=20)
    sampling.stdout.close()
    assert sampling.stderr.read() == b""
    assert sampling.wait(timeout=20) in (141, -signal.SIGPIPE)  # what a shell calls 141
    assert head.stdout == dtf("sample", wide, "-n", "2").out


@pytest.mark.parametrize("verb", ["score", "encode", "decode"])
def test_any_verb_ends_when_nobody_reads_it(dtf, wide, verb):
    dtf("sample", wide, "-n", "90000", "-o", "rows.csv")
    dtf("encode", wide, "rows.csv", "-o", "codes.csv")
    process = dtf.start(verb, wide, "codes.csv" if verb == "decode" else "rows.csv")
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=20) in (141, -signal.SIGPIPE)


@pytest.mark.parametrize("rows", ["0", "1", "100000"])
def test_a_full_device_is_reported(dtf, learnt, rows):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(dtf.command("sample", learnt, "-n", rows), cwd=dtf.directory, stdout=full, stderr=-1)
    assert done.returncode == 1
    assert done.stderr == b"dtf: cannot write to standard output: No space left on device\n"
    message = dtf("sample", learnt, "-n", rows, "-o", "/dev/full", code=1).err
    assert message == "dtf: cannot write /dev/full: No space left on device\n"


@pytest.mark.parametrize(
    "arguments", [["info", "m.dtf"], ["eval", "m.dtf", "t.csv"], ["score", "m.dtf", "t.csv"], ["--help"], ["--version"]]
)
def test_no_result_is_lost_without_a_word(dtf, learnt, arguments):
    command = dtf.command(*arguments)
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, cwd=dtf.directory, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert b"No space left on device" in done.stderr


@pytest.mark.parametrize("name", ["s.csv", "s.csv.gz", "s.parquet", "s.arrow"])
def test_an_output_cut_short_leaves_the_old_one(dtf, learnt, name):
    dtf.write(name, "old")

    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

    result = dtf("sample", learnt, "-n", "100000", "-o", name, code=1, preexec_fn=limit_files)
    assert f"cannot write {name}: File too large" in result.err
    assert dtf.read(name) == b"old"


def test_an_output_that_is_a_pipe_is_written_to(dtf, learnt):
    os.mkfifo(dtf.path("pipe"))
    process = dtf.start("sample", learnt, "-n", "5", "-o", "pipe")
    assert dtf.path("pipe").read_bytes() == dtf("sample", learnt, "-n", "5").out
    assert process.wait() == 0
