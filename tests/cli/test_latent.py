"""encode and decode: one-to-one, exact, and never out of range."""

import datetime
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tables import dependent_rows, parse_csv, read_typed, to_csv, write_typed


def round_trip(dtf, table, *options):
    """Fits, encodes and decodes a table; the text that comes back."""
    dtf.fit(table, "--allow-unique", *options)
    dtf("encode", "m.dtf", table, "-o", "z.csv")
    return dtf("decode", "m.dtf", "z.csv").out


# ---------------------------------------------------------------- There and back


def test_every_kind_of_cell_comes_back_to_the_byte(dtf):
    cells = ["", None, " x ", "a,b", "l\nf", "cr\r\nlf", "c\rr", '"', 'say ""', "NA", "nan", "é", "\0", "-0", "1.0"]
    table = to_csv([["na,me", "k"]] + [[cell, str(i % 3)] for i, cell in enumerate(cells * 3)])
    dtf.write("t.csv", table)
    assert round_trip(dtf, "t.csv", "--layers", "2", "--min-split", "2") == table


def test_missing_and_the_empty_text_stay_apart_in_one_column(dtf):
    table = b'p\nx\n""\n\n\n""\ny\n'
    dtf.write("t.csv", table)
    assert round_trip(dtf, "t.csv") == table


def test_markers_come_back_as_missing_cells(dtf):
    dtf.write("t.csv", "p,q\nNA,NA\nx,y\n")
    dtf.fit("t.csv", "--missing", "p=NA")
    dtf("encode", "m.dtf", "t.csv", "--missing", "p=NA", "-o", "z.csv")
    assert dtf("decode", "m.dtf", "z.csv").out == b"p,q\n,NA\nx,y\n"


def test_labels_full_of_digits_come_back(dtf):
    table = b"v,k\n1,0\n10,1\n100,0\n0x1,1\n1-1,0\nT8b,1\n10,10\n"
    dtf.write("t.csv", table)
    assert round_trip(dtf, "t.csv", "--min-split", "1", "--layers", "2") == table


@pytest.mark.parametrize("locales", [("C", "C.UTF-8"), ("C.UTF-8", "C")])
def test_labels_that_look_like_syntax_come_back_in_any_locale(dtf, locales):
    labels = ["</v>", "[1]", "{ a: b };", "#", "\\n", "layer=0", "null", "日本 🐟", "\u00a0", "%s", "$HOME"]
    table = to_csv([["v", "k"]] + [[label, str(i % 2)] for i, label in enumerate(labels)])
    dtf.write("t.csv", table)
    dtf("fit", "t.csv", "-o", "m.dtf", env={"LC_ALL": locales[0]})
    dtf("encode", "m.dtf", "t.csv", "-o", "z.csv", env={"LC_ALL": locales[0]})
    assert dtf("decode", "m.dtf", "z.csv", env={"LC_ALL": locales[1]}).out == table


@pytest.mark.parametrize("size", [1, 2, 3, 16, 37, 255, 256, 257, 1000])
def test_columns_of_any_size_come_back(dtf, size):
    rows = [["v", "t"]] + [[f"n{i * 7 % size:04}", "abc"[(i * 7 % size + i // size) % 3]] for i in range(4 * size)]
    table = to_csv(rows)
    dtf.write("t.csv", table)
    assert round_trip(dtf, "t.csv", "--layers", "3", "--min-split", "2") == table
    codes = parse_csv(dtf.read("z.csv"))[1:]
    assert len(set(map(tuple, codes))) == len(set(map(tuple, rows[1:])))
    assert all(int(code) < size for code, _ in codes) and all(int(code) < 3 for _, code in codes)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("criterion", ["glp", "glp-code", "glp-aligned", "random"])
def test_random_tables_come_back(dtf, seed, criterion):
    draw = random.Random(seed)
    sizes = [draw.choice([1, 2, 3, 5, 20]) for _ in range(draw.randint(1, 9))]
    table = dependent_rows(draw.randint(1, 300), columns=len(sizes), sizes=[min(size, 11) for size in sizes], seed=seed)
    dtf.write("t.csv", table)
    options = ("--criterion", criterion, "--layers", str(draw.randint(1, 5)), "--max-depth", "8", "--min-split", "1")
    assert round_trip(dtf, "t.csv", *options) == to_csv(table)


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_typed_tables_come_back(dtf, ending):
    day = datetime.date(1985, 10, 26)
    table = pa.table(
        {
            "n": pa.array([3, 1, None, 3] * 5, pa.int16()),
            "x": pa.array([0.25, 1e300, -0.0, None] * 5),
            "b": pa.array([True, None, False, True] * 5),
            "d": pa.array([day, None, day.replace(month=1), day] * 5),
            "s": pa.array(["", None, "3", "true"] * 5),
        }
    )
    write_typed(dtf.path(f"t.{ending}"), table)
    dtf.fit(f"t.{ending}", "--layers", "2", "--min-split", "2")
    dtf("encode", "m.dtf", f"t.{ending}", "-o", f"z.{ending}")
    dtf("decode", "m.dtf", f"z.{ending}", "-o", f"back.{ending}")
    assert read_typed(dtf.path(f"back.{ending}")).equals(table)


@pytest.mark.parametrize("ending", ["tsv", "csv.gz", "parquet", "arrow"])
def test_codes_travel_in_any_format(dtf, ending):
    table = to_csv(dependent_rows(200, seed=3))
    dtf.fit("t.csv", content=table)
    dtf("encode", "m.dtf", "t.csv", "-o", f"z.{ending}")
    assert dtf("decode", "m.dtf", f"z.{ending}").out == table
    if ending == "parquet":
        assert set(pq.read_table(dtf.path("z.parquet")).schema.types) == {pa.int64()}


def test_pipes_from_encode_to_decode(dtf):
    table = to_csv(dependent_rows(200, seed=4))
    dtf.fit("t.csv", content=table)
    codes = dtf("encode", "m.dtf", "-", input=table).out
    assert dtf("decode", "m.dtf", "-", input=codes).out == table


def test_more_rows_than_one_batch_come_back(dtf):
    rows = dependent_rows(500, seed=5)
    dtf.fit("t.csv", content=rows)
    table = to_csv([rows[0]] + rows[1:] * 300)
    codes = {dtf("encode", "m.dtf", "-", "--threads", threads, input=table).out for threads in ("1", "8")}
    assert len(codes) == 1
    assert dtf("decode", "m.dtf", "-", input=codes.pop()).out == table


def test_no_rows_are_a_header(dtf):
    dtf.fit("t.csv", content="p,q\nx,1\n")
    assert dtf("encode", "m.dtf", "-", input=b"p,q\n").out == b"p,q\n"
    assert dtf("decode", "m.dtf", "-", input=b"p,q\n").out == b"p,q\n"


# ---------------------------------------------------------------- Codes


@pytest.mark.parametrize("layers", ["0", "1", "4"])
def test_the_highest_code_is_the_most_frequent(dtf, layers):
    dtf.fit("t.csv", "--layers", layers, "--min-split", "2", content="p\n" + "x\n" * 2 + "y\n" * 9 + "z\n" * 5)
    codes = dict(zip("xyz", dtf("encode", "m.dtf", "-", input=b"p\nx\ny\nz\n").lines[1:]))
    if layers != "0":
        assert codes == {"x": "0", "z": "1", "y": "2"}
    assert sorted(codes.values()) == ["0", "1", "2"]


def test_columns_of_codes_are_matched_by_name(dtf):
    dtf.fit("t.csv", "--members", "1", content="p,q\nx,1\ny,2\nz,1\n")
    codes = parse_csv(dtf("encode", "m.dtf", "t.csv").out)
    assert codes[0] == [b"p", b"q"]
    swapped = b"".join(b"%s,%s\n" % (q, p) for p, q in codes)
    assert dtf("decode", "m.dtf", "-", input=swapped).out == dtf.read("t.csv")


@pytest.mark.parametrize("text, name", [("p\n0\n", "`q`"), ("p,q,r\n0,0,0\n", "`r`"), ("p,q,q\n0,0,0\n", "`q`")])
def test_a_missing_extra_or_repeated_column_of_codes_is_named(dtf, failure, text, name):
    dtf.fit("t.csv", "--members", "1", content="p,q\nx,1\ny,2\n")
    dtf.write("z.csv", text)
    failure(3, "decode", "m.dtf", "z.csv", words=("z.csv", name))


@pytest.mark.parametrize("code", ["-1", "3", "2.0", "1.5", "", '""', "x", "+1", "01", " 1", "1e0", "0x1", "1" * 40])
@pytest.mark.parametrize("output", [(), ("-o", "back.csv")])
def test_a_bad_code_is_refused_with_place_and_range(dtf, failure, code, output):
    dtf.fit("t.csv", "--members", "1", content="p,q\nx,1\ny,2\nz,1\n")
    dtf.write("z.csv", f"p,q\n0,0\n{code},1\n1,1\n")
    shown = "missing" if code == "" else "`" + code.strip('"') + "`"
    failure(3, "decode", "m.dtf", "z.csv", *output, words=("z.csv", "line 3", "`p`", shown, "0..2"))


def test_a_bad_code_at_the_end_is_found_before_any_row_is_written(dtf, failure):
    dtf.fit("t.csv", "--members", "1", content="p,q\nx,1\ny,2\nz,1\n")
    dtf.write("z.csv", "p,q\n" + "0,0\n" * 150_000 + "0,2\n")
    failure(3, "decode", "m.dtf", "z.csv", words=("line 150002", "`q`", "`2`", "0..1"))


def test_a_bad_code_in_parquet_is_refused_with_its_record(dtf, failure):
    dtf.fit("t.csv", content="p\nx\ny\n")
    for codes in ([0, 1, 2], [0, 1, -1], [0, 1, None], [0.0, 1.0, 0.5]):
        pq.write_table(pa.table({"p": codes}), dtf.path("z.parquet"))
        failure(3, "decode", "m.dtf", "z.parquet", words=("z.parquet", "record 3", "`p`", "0..1"))


@pytest.mark.parametrize("closed", [(), ("--closed",)])
def test_encode_refuses_a_value_never_seen(dtf, failure, closed):
    dtf.fit("t.csv", *closed, content="p,q\nx,1\ny,2\n")
    dtf.write("s.csv", "p,q\nx,1\ny,3\n")
    failure(3, "encode", "m.dtf", "s.csv", words=("s.csv", "line 3", "`q`", "`3`"))
    dtf.write("s.csv", "p,q\nx,1\n,1\n")
    failure(3, "encode", "m.dtf", "s.csv", "-o", "z.csv", words=("s.csv", "line 3", "`p`", "missing"))
