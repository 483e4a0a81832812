"""What a table means, and what is said of a table that is none."""

import datetime
import gzip
import importlib
import io
import math
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tables import write_typed

BOM = b"\xef\xbb\xbf"
FLAT = ("--layers", "0", "--alpha", "0", "--closed")  # a model of shares: exp(score) counts rows


@pytest.fixture
def categories(dtf):
    """The categories that a fit finds in a table with this content."""

    def fit(content, *options, name="t.csv"):
        return dtf.categories(dtf.fit(name, *options, content=content))

    return fit


@pytest.fixture
def refused(dtf, failure):
    """Fits a table that must be refused; the message must name the file and hold these words."""

    def fit(content, *words, options=(), name="t.csv", code=3):
        dtf.write(name, content)
        return failure(code, "fit", name, "-o", "m.dtf", "--quiet", *options, words=(name, *words))

    return fit


# ---------------------------------------------------------------- Header


def test_a_byte_order_mark_is_no_part_of_the_first_name(dtf):
    text = b"shape,tone\nring,dark\ncube,pale\nring,pale\n"
    with_mark = dtf.fit("with.csv", model="with.dtf", content=BOM + text)
    without = dtf.fit("without.csv", model="without.dtf", content=text)
    assert dtf.names(with_mark) == ["shape", "tone"]
    assert dtf.read(with_mark) == dtf.read(without)


def test_a_quoted_name_after_a_byte_order_mark_loses_its_quotes_and_keeps_its_comma(categories):
    assert list(categories(BOM + b'"length, m",tone\n3,dark\n4,pale\n')) == ["length, m", "tone"]


def test_only_the_first_line_is_the_header_whatever_the_cells_look_like(categories):
    assert categories("fruit\npear\nplum\npear\n") == {"fruit": ["pear", "plum"]}
    assert categories("1998,1999\n5,6\n6,5\n") == {"1998": ["5", "6"], "1999": ["5", "6"]}


def test_without_header_the_columns_get_numbers_and_the_first_line_is_a_row(categories):
    assert categories("fruit\npear\nplum\n", "--no-header") == {"c1": ["fruit", "pear", "plum"]}
    assert list(categories("x,y,z\n", "--no-header")) == ["c1", "c2", "c3"]


def test_names_may_differ_in_case_alone(dtf):
    model = dtf.fit("t.csv", content="Kind,kind\nX,x\nY,x\nX,y\n")
    assert dtf.categories(model) == {"Kind": ["X", "Y"], "kind": ["x", "y"]}
    swapped = dtf.scores(model, "s.csv", content="kind,Kind\nx,X\nx,Y\ny,X\n")
    assert swapped == dtf.scores(model, "t.csv")


def test_a_name_given_twice_is_refused_with_both_places(refused):
    refused("side,top,side\nl,m,r\nl,n,r\n", "line 1", "`side`", "1 and 3")


def test_a_header_without_rows_can_be_scored_but_not_learnt_from(dtf, refused):
    model = dtf.fit("t.csv", content="up,down\n1,2\n2,1\n")
    for text in ("up,down\n", "up,down"):
        refused(text, "0 rows", name="empty.csv")
        assert dtf.scores(model, "empty.csv") == []


def test_a_missing_last_line_end_changes_nothing(dtf):
    ended = dtf.fit("ended.csv", model="ended.dtf", content="up,down\n1,2\n2,1\n")
    bare = dtf.fit("bare.csv", model="bare.dtf", content="up,down\n1,2\n2,1")
    assert dtf.read(ended) == dtf.read(bare)


# ---------------------------------------------------------------- Cells


def test_words_for_missing_are_ordinary_categories(categories):
    text = "land,k\nNA,1\nnan,2\nNone,1\nnull,2\n?,1\n,2\n"
    assert categories(text)["land"] == ["?", "NA", "None", "nan", "null", None]


def test_a_marker_means_missing_everywhere(categories):
    found = categories("p,q\nNA,NA\nx,y\n", "--missing", "NA")
    assert found == {"p": ["x", None], "q": ["y", None]}


def test_a_marker_of_one_column_leaves_the_others_alone(categories):
    found = categories("p,q\nNA,NA\nx,y\n-,-\n", "--missing", "p=NA", "--missing", "q=-")
    assert found == {"p": ["-", "x", None], "q": ["NA", "y", None]}


def test_a_marker_with_an_equals_sign_is_written_after_another(categories):
    assert categories("p\nx=y\nx\n", "--missing", "=x=y") == {"p": ["x", None]}


def test_a_column_with_an_equals_sign_in_its_name_has_markers_too(categories):
    table = "a,a=b,q\nx,x,x\n1,1,1\n"
    assert categories(table, "--missing", "a=b=x") == {"a": ["1", "x"], "a=b": ["1", None], "q": ["1", "x"]}
    assert categories(table, "--missing", "a=x") == {"a": ["1", None], "a=b": ["1", "x"], "q": ["1", "x"]}
    assert categories(table, "--missing", "a=b=x", "--drop", "a=b") == {"a": ["1", "x"], "q": ["1", "x"]}


def test_what_a_message_says_of_markers_can_be_done(dtf, failure):
    text = "n=m,q\n1,a\n2,b\n3,a\nn/a,b\n"
    message = failure(3, "fit", dtf.write("t.csv", text), "-o", "m.dtf", "--bins", "n=m=2", words=("'n=m=n/a'",))
    marker = message.split("say --missing '")[1].split("'")[0]
    dtf.fit("t.csv", "--bins", "n=m=2", "--missing", marker)
    assert dtf.info("m.dtf")["schema"][0]["missing"]


def test_a_marker_that_stands_nowhere_is_warned_of(dtf):
    def warnings(name, *options):
        lines = dtf("fit", name, "-o", "m.dtf", "--layers", "1", *options).err.splitlines()
        return [line for line in lines if "--missing" in line]

    dtf.write("t.csv", "p,q\nNA,x\ny,x\n")
    dtf.write("v.csv", "p,q\ny,-\n")
    assert warnings("t.csv", "--missing", "NA") == warnings("t.csv", "--missing", "p=NA") == []
    (warning,) = warnings("t.csv", "--missing", "q=NA", "--missing", "p=NA")
    assert warning.startswith("dtf: warning: --missing q=NA: `NA` stands in no cell of column `q` of t.csv")
    assert "shortest" not in warning
    (warning,) = warnings("t.csv", "--missing", "-")
    assert "`-` stands in no cell of t.csv" in warning
    assert warnings("t.csv", "--missing", "q=-", "--valid", "v.csv") == []
    assert warnings("t.csv", "--missing", "q=NA", "--drop", "q") == []
    assert dtf("fit", "t.csv", "-o", "m.dtf", "--quiet", "--missing", "-").err == ""
    crossval = ("crossval", "t.csv", "--folds", "2", "--layers", "1", "--missing", "-")
    assert "`-` stands in no cell of t.csv" in dtf(*crossval).err
    assert dtf(*crossval, "--quiet").err == ""


def test_a_marker_of_typed_cells_is_the_shortest_text_of_a_value(dtf):
    pq.write_table(pa.table({"n": [-999.0, 0.5, 1.0] * 4}), dtf.path("t.parquet"))
    fit = ("fit", "t.parquet", "-o", "m.dtf", "--members", "1", "--missing")
    error = dtf(*fit, "n=-999.0").err
    assert "--missing n=-999.0: `-999.0` stands in no cell" in error and "shortest text, as -999" in error
    assert dtf.categories("m.dtf") == {"n": ["-999", "0.5", "1"]}
    assert "stands in no cell" not in dtf(*fit, "-999").err
    assert dtf.categories("m.dtf") == {"n": ["0.5", "1", None]}


def test_a_marker_of_a_column_that_is_not_there_is_refused(refused):
    refused("p,q\nNA,x\n", "`r`", options=("--missing", "r=NA"), code=2)


def test_the_empty_text_is_a_category_and_an_empty_cell_is_missing(categories):
    assert categories('memo,k\n"",1\n,2\nx,1\n') == {"memo": ["", "x", None], "k": ["1", "2"]}


def test_the_texts_nan_and_na_stay_apart_from_missing(dtf):
    model = dtf.fit("t.csv", *FLAT, content="w,k\nnan,0\n,0\n,0\n__NA__,0\n,0\n")
    assert dtf.categories(model)["w"] == ["__NA__", "nan", None]
    scores = dtf.scores(model, "s.csv", content="w,k\nnan,0\n__NA__,0\n,0\n")
    assert [math.exp(float(score)) for score in scores] == pytest.approx([0.2, 0.2, 0.6])


def test_one_late_letter_makes_no_second_category_of_a_number(dtf):
    text = "mark,k\n" + "7,x\n8,x\n" * 100_000 + "B,y\n" + "7,x\n8,x\n" * 100_000
    for threads in ("1", "4"):
        dtf.fit("t.csv", *FLAT, "--threads", threads, model=f"{threads}.dtf", content=text)
    assert dtf.read("1.dtf") == dtf.read("4.dtf")
    assert dtf.categories("1.dtf")["mark"] == ["7", "8", "B"]
    score_of = dict(zip("78B", map(float, dtf.scores("1.dtf", "s.csv", content="mark,k\n7,y\n8,y\nB,y\n"))))
    assert math.exp(score_of["7"] - score_of["B"]) == pytest.approx(200_000)
    assert score_of["7"] == score_of["8"]


def test_line_breaks_in_quotes_belong_to_the_cell(dtf):
    text = 'place,k\n"1 Quay\nPort",a\n"1 Quay\r\nPort",a\nhere,b\n"1 Quay\nPort",b\n'
    model = dtf.fit("t.csv", content=text)
    assert dtf.categories(model)["place"] == ["1 Quay\nPort", "1 Quay\r\nPort", "here"]
    assert len(dtf.scores(model, "t.csv")) == 4


@pytest.mark.parametrize("border", [4096, 8192, 65536, 131072, 262144, 1048576, 2097152])
def test_a_crlf_in_quotes_outlives_a_buffer_border(categories, border):
    start = b'pad,place,k\n%s,"left'
    for offset in (border - 2, border - 1, border):
        pad = b"z" * (offset - len(start) + 2)
        found = categories(start % pad + b'\r\nright",1\n' + b"z,level,1\n" * 5)
        assert found["place"] == ["left\r\nright", "level"], f"CR at byte {offset}"


def test_a_doubled_quote_is_understood_however_late(categories):
    found = categories("k,text\n" + "".join(f"g{i % 4},plain\n" for i in range(5000)) + 'g0,"u"",w"\n')
    assert found["text"] == ["plain", 'u",w']


def test_blanks_in_cells_are_kept(categories):
    text = 'town,note\nPort Lux,"here, there"\nPort Lou,flat\n Port Lux,flat\nPort  Lux,"here, there"\n'
    found = categories(text)
    assert found == {"town": [" Port Lux", "Port  Lux", "Port Lou", "Port Lux"], "note": ["flat", "here, there"]}


def test_categories_are_sorted_as_numbers_only_if_all_are_canonical(categories):
    found = categories("n,t\n10,10\n9,9\n-1.5,-1.5\n2,02\n")
    assert found == {"n": ["-1.5", "2", "9", "10"], "t": ["-1.5", "02", "10", "9"]}


# ---------------------------------------------------------------- Lines and delimiters


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_at_lf_crlf_or_cr(dtf, end):
    text = "p,q\nx,1\nx,2\ny,2\n"
    plain = dtf.fit("plain.csv", model="plain.dtf", content=text)
    other = dtf.fit("other.csv", model="other.dtf", content=text.replace("\n", end))
    assert dtf.read(plain) == dtf.read(other)


def test_blank_lines_are_skipped_in_a_table_of_several_columns(dtf):
    model = dtf.fit("t.csv", content="p,q\n\nx,1\n\r\n\ny,2\n\n")
    assert dtf.info(model)["rows"] == 2
    assert dtf.categories(model) == {"p": ["x", "y"], "q": ["1", "2"]}


def test_a_blank_line_is_a_missing_cell_in_a_table_of_one_column(dtf):
    model = dtf.fit("t.csv", content="p\nx\n\ny\n\n")
    assert dtf.info(model)["rows"] == 4
    assert dtf.categories(model) == {"p": ["x", "y", None]}


def test_the_delimiter_is_the_comma_whatever_the_cells_hold(categories):
    assert categories("way\nin\nout\nin;out\n") == {"way": ["in", "in;out", "out"]}
    assert categories("way\nin\nin\tout\n") == {"way": ["in", "in\tout"]}


@pytest.mark.parametrize("option, delimiter", [(";", ";"), ("|", "|"), ("\\t", "\t"), ("\t", "\t")])
def test_another_delimiter_has_to_be_told(categories, option, delimiter):
    text = "p,q;r\n1,2;3\n".replace(";", delimiter)
    assert categories(text, "--delimiter", option) == {"p,q": ["1,2"], "r": ["3"]}


def test_tsv_is_separated_by_tabs(categories):
    assert categories("p\tq\n1,2\t3\n", name="t.tsv") == {"p": ["1,2"], "q": ["3"]}


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n", "é"])
def test_a_delimiter_is_one_character(dtf, delimiter):
    dtf.write("t.csv", "p\n1\n")
    dtf("fit", "t.csv", "-o", "m.dtf", "--delimiter", delimiter, code=2)


# ---------------------------------------------------------------- Choice of columns


def test_columns_can_be_dropped_and_kept(categories):
    text = "p,q,r\n1,2,3\n4,5,6\n"
    assert list(categories(text, "--drop", "q")) == ["p", "r"]
    assert list(categories(text, "--drop", "q", "--drop", "p")) == ["r"]
    assert list(categories(text, "--keep", "r", "--keep", "p")) == ["p", "r"]


@pytest.mark.parametrize("option", ["--drop", "--keep"])
def test_a_column_that_is_not_there_can_be_neither_dropped_nor_kept(refused, option):
    refused("p,q\n1,2\n", option, "`P`", "`p`, `q`", options=(option, "P"), code=2)


def test_one_column_must_be_left(refused):
    refused("p,q\n1,2\n", options=("--drop", "p", "--drop", "q"), code=2)


def test_dropped_columns_need_not_be_text_but_must_be_there(categories, refused):
    assert categories(b"p,q\n\xe9,1\n\xe8,2\n", "--drop", "p") == {"q": ["1", "2"]}
    refused(b"p,q\n\xe9,1\n\xe8\n", "line 3", options=("--drop", "p"))


# ---------------------------------------------------------------- Faults of text


def test_a_row_too_short_is_refused(refused):
    refused("p,q,r\n1,2,3\n4,5\n6,7,8\n", "line 3", "2 fields", "3 columns")


def test_a_row_too_long_is_refused(refused):
    refused("p,q\n1,2\n3,4\n5,6,7\n", "line 4", "3 fields", "2 columns")


def test_a_quote_never_closed_is_reported_where_it_was_opened(refused):
    refused('p,q\n1,2\n3,"4\n5,6\n7,8\n', "line 3", "never closed")
    refused('p,q\n"1\n1",2\n3,4\n"5\n5","6\n7,8\n9,9\n', "line 6", "never closed")


def test_text_after_a_closing_quote_is_refused(refused):
    refused('p,q\n1,2\n3,"4"5\n', "line 3", "`q`")


def test_a_quote_inside_a_bare_cell_is_refused(refused):
    refused('p,q\n1,2\n3"3,4\n', "line 3", "`p`")


def test_bytes_that_are_not_utf8_are_shown_with_the_way_out(dtf, refused, categories):
    text = "k,city\n1,Aix\n2,Évian\n3,Évian\n"
    message = refused(text.encode("latin-1"), "line 3", "`city`", "0xC9", "UTF-8")
    assert "iconv" in message
    assert categories(text)["city"] == ["Aix", "Évian"]


def test_line_numbers_count_line_breaks_in_quotes(refused):
    refused(b'p,q\n"one\ntwo\nthree",x\ny,x\ny,\xf1\n', "line 6", "record 3", "0xF1")
    refused('p,q\n"one\r\ntwo",x\ny\n', "line 4", "record 2")


def test_sixteen_bit_text_is_refused_with_the_way_out(refused):
    message = refused("p,q\n1,2\n".encode("utf-16"), "UTF-16")
    assert "iconv" in message


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_sixteen_bit_text_needs_no_mark_to_be_recognised(refused, order):
    assert "iconv" in refused("p,q\n1,2\n".encode(order), "UTF-16")


@pytest.mark.parametrize(
    ("module", "way_out"), [("bz2", "bzip2 -dc"), ("lzma", "xz -dc"), ("zipfile", "unzip -p"), ("pyarrow", "zstd -dc")]
)
def test_what_is_compressed_otherwise_is_named_with_the_way_out(refused, module, way_out):
    text = b"p,q\n1,2\n" * 100
    if module == "zipfile":
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr("t.csv", text)
        content = archive.getvalue()
    elif module == "pyarrow":
        content = pa.compress(text, codec="zstd", asbytes=True)
    else:
        content = importlib.import_module(module).compress(text)
    refused(content, way_out)


@pytest.mark.parametrize("content", [b"", BOM, b"\n\r\n\n"])
def test_a_file_without_header_and_rows_is_refused(refused, content):
    refused(content)


def test_a_file_that_is_not_there_is_named(failure):
    failure(3, "fit", "nowhere.csv", "-o", "m.dtf", words=("nowhere.csv", "No such file"))


def test_a_directory_is_no_table(failure):
    failure(3, "fit", ".", "-o", "m.dtf", words=("directory",))


# ---------------------------------------------------------------- Compressed text


@pytest.mark.parametrize("name", ["t.csv.gz", "t.tsv.gz"])
def test_gzip_is_read_by_name(dtf, name):
    rows = [["p", "q"], ["x", "1"], ["x", "2"], ["y", "2"]]
    plain = dtf.fit("plain.csv", model="plain.dtf", content=rows)
    dtf.write(name, gzip.compress(dtf.read(dtf.write("tmp.tsv" if "tsv" in name else "tmp.csv", rows))))
    assert dtf.read(dtf.fit(name)) == dtf.read(plain)


def test_damaged_gzip_is_refused(refused):
    whole = gzip.compress(b"p,q\n" + b"x,1\ny,2\n" * 1000)
    refused(whole[:-5], name="t.csv.gz")
    refused(whole[: len(whole) // 2], name="t.csv.gz")
    refused(whole[:20] + bytes([whole[20] ^ 255]) + whole[21:], name="t.csv.gz")
    refused(b"p,q\nx,1\n", name="t.csv.gz")


# ---------------------------------------------------------------- Parquet and Arrow


def test_dictionaries_of_row_groups_are_not_mixed_up(dtf):
    groups = [["teal", "gold", "teal"], ["plum", "lime", "plum"], ["gold", "navy", "rust", "teal"]]
    schema = pa.schema([("hue", pa.dictionary(pa.int32(), pa.string()))])
    tables = [pa.table({"hue": pa.array(group).dictionary_encode()}, schema=schema) for group in groups]
    with pq.ParquetWriter(dtf.path("t.parquet"), schema) as writer:
        for table in tables:
            writer.write_table(table)
    with pa.ipc.new_stream(dtf.path("t.arrow"), schema) as writer:
        for table in tables:
            writer.write_table(table)
    text = dtf.fit("t.csv", model="text.dtf", content="hue\n" + "\n".join(sum(groups, [])) + "\n")
    for name in ("t.parquet", "t.arrow"):
        model = dtf.fit(name)
        assert dtf.categories(model)["hue"] == ["gold", "lime", "navy", "plum", "rust", "teal"]
        assert dtf.read(model) == dtf.read(text), name
        assert dtf.scores(model, name) == dtf.scores(text, "t.csv"), name


def test_a_dictionary_too_large_for_its_pages_changes_nothing(dtf):
    values = [f"value {i % 800:04}" for i in range(4000)]
    pq.write_table(pa.table({"v": values}), dtf.path("t.parquet"), dictionary_pagesize_limit=2000, data_page_size=500)
    from_text = dtf.fit("t.csv", model="text.dtf", content="v\n" + "\n".join(values) + "\n")
    assert dtf.read(dtf.fit("t.parquet")) == dtf.read(from_text)


def test_values_of_a_dictionary_that_no_row_has_are_no_categories(dtf):
    column = pa.DictionaryArray.from_arrays(pa.array([0, 2, 0]), pa.array(["a", "unused", "c"]))
    write_typed(dtf.path("t.arrow"), pa.table({"v": column}))
    assert dtf.categories(dtf.fit("t.arrow")) == {"v": ["a", "c"]}


def typed_table():
    day = datetime.date(2031, 5, 4)
    return pa.table(
        {
            "whole": pa.array([10, 9, None, 9], pa.int32()),
            "real": pa.array([1.0, 2.5, math.nan, 1.0], pa.float64()),
            "truth": pa.array([True, False, None, True]),
            "day": pa.array([day, day.replace(year=2030), None, day]),
            "text": pa.array(["1", "", None, "1"]),
        }
    )


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_typed_values_have_canonical_texts(dtf, name):
    write_typed(dtf.path(name), typed_table())
    model = dtf.fit(name)
    assert dtf.categories(model) == {
        "whole": ["9", "10", None],
        "real": ["1", "2.5", None],
        "truth": ["false", "true", None],
        "day": ["2030-05-04", "2031-05-04", None],
        "text": ["", "1", None],
    }
    assert [column["ordered"] for column in dtf.info(model)["schema"]] == [True, True, False, True, False]


def test_text_columns_are_not_in_order_unless_told(dtf):
    model = dtf.fit("t.csv", "--ordered", "n", content="n,m\n1,1\n2,2\n")
    assert [column["ordered"] for column in dtf.info(model)["schema"]] == [True, False]


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_a_file_that_is_not_what_its_name_says_is_refused(refused, name):
    refused("p,q\n1,2\n", name=name)
    refused("", name=name)


def test_parquet_named_csv_is_refused_and_recognised(dtf, failure):
    pq.write_table(pa.table({"p": ["x"]}), dtf.path("t.csv"))
    failure(3, "fit", "t.csv", "-o", "m.dtf", words=("t.csv", "Parquet"))


def test_cut_parquet_and_arrow_files_are_refused(dtf, refused):
    table = pa.table({"p": ["x", "y"] * 500, "q": list(range(1000))})
    for ending in ("parquet", "arrow"):
        write_typed(dtf.path(f"whole.{ending}"), table)
        whole = dtf.read(f"whole.{ending}")
        for size in (4, len(whole) // 2, len(whole) - 1):
            refused(whole[:size], name=f"t.{ending}", options=("--allow-unique",))


def test_a_column_type_that_is_no_category_is_refused_by_name(dtf, failure):
    pq.write_table(pa.table({"p": ["x"], "list": [[1, 2]]}), dtf.path("t.parquet"))
    failure(3, "fit", "t.parquet", "-o", "m.dtf", words=("t.parquet", "`list`"))
    dtf.fit("t.parquet", "--drop", "list")
