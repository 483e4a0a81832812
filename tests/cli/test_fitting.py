"""What a model is learnt from, and that nothing else decides what it becomes."""

import gzip
import math
import random
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tables import dependent_rows, parse_csv, to_csv

MIB = 2**20
LAYERED = ("--layers", "3", "--max-depth", "3")


@pytest.fixture
def fit_refused(dtf, failure):
    """Fits a table that must be refused with this code and these words."""

    def fit(content, *options, code=3, words=()):
        dtf.write("t.csv", content)
        return failure(code, "fit", "t.csv", "-o", "m.dtf", "--quiet", *options, words=words)

    return fit


# ---------------------------------------------------------------- Weights


def repeated_and_weighted(weights=(3, 0, 1, 2), copies=40):
    header, *rows = dependent_rows(copies * len(weights), seed=2)
    weighted = [row + [str(weights[i % len(weights)])] for i, row in enumerate(rows)]
    repeated = [row[:-1] for row in weighted for _ in range(int(row[-1]))]
    return [header, *repeated], [header + ["times"], *weighted]


@pytest.mark.parametrize(
    "options", [(), LAYERED, ("--criterion", "random", "--layers", "2"), ("--valid-fraction", "0.3", "--no-refit")]
)
def test_whole_weights_are_repeated_rows(dtf, options):
    repeated, weighted = repeated_and_weighted()
    dtf.fit("repeated.csv", *options, model="repeated.dtf", content=repeated)
    dtf.fit("weighted.csv", *options, "--weights", "times", model="weighted.dtf", content=weighted)
    assert dtf.info("weighted.dtf")["rows"] == len(repeated) - 1
    assert dtf.names("weighted.dtf") == repeated[0]
    assert dtf.scores("weighted.dtf", "repeated.csv") == dtf.scores("repeated.dtf", "repeated.csv")


def test_halves_of_a_row_make_one(dtf):
    header, *rows = dependent_rows(60, columns=3, seed=3)
    halves = [header + ["w"]] + [row + ["0.5"] for row in rows for _ in range(2)]
    dtf.fit("whole.csv", *LAYERED, model="whole.dtf", content=[header, *rows])
    dtf.fit("halves.csv", *LAYERED, "--weights", "w", model="halves.dtf", content=halves)
    whole = [float(score) for score in dtf.scores("whole.dtf", "whole.csv")]
    assert [float(score) for score in dtf.scores("halves.dtf", "whole.csv")] == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize("weight, shown", [("-1", "`-1`"), ("nan", "`nan`"), ("", "missing"), ("two", "`two`")])
def test_a_bad_weight_is_refused_with_its_line(fit_refused, weight, shown):
    fit_refused(f"p,w\nx,1\ny,{weight}\n", "--weights", "w", words=("t.csv", "line 3", "`w`", shown))


def test_a_weight_that_would_be_lost_is_refused_with_its_line(fit_refused):
    for weight in ("1e-9", "0.0000076"):
        fit_refused(f"p,w\nx,1\ny,{weight}\n", "--weights", "w", words=("line 3", "`w`", f"`{weight}`", "scale all"))


def test_a_weight_that_is_kept_badly_is_warned_of(dtf):
    fit = ("fit", "t.csv", "-o", "m.dtf", "--weights", "w", *LAYERED)
    dtf.write("t.csv", "p,w\nx,1\ny,0.00001\nx,0.0001\n")
    assert "t.csv, line 3: the weight 1e-05 counts as 1.52587890625e-05" in dtf(*fit).err
    dtf.write("t.csv", "p,w\nx,1\ny,0.01\n")
    assert "warning" not in dtf(*fit).err


def test_what_a_fit_warns_of_crossval_warns_of_too(dtf):
    rows = [["id", "w"], *([f"row {i}", "0.00002"] for i in range(150))]
    dtf.write("t.csv", rows)
    lines = dtf("crossval", "t.csv", "--folds", "2", "--layers", "1", "--weights", "w").err.splitlines()
    assert any("150 different values in 150 rows" in line for line in lines)
    assert any("counts as" in line for line in lines)


def test_crossval_warns_of_weights_that_sum_to_little(dtf):
    dtf.write("t.csv", [["p", "w"], *([str(i % 3), "0.0625"] for i in range(200))])
    for verb in (("crossval", "t.csv", "--folds", "2"), ("fit", "t.csv", "-o", "m.dtf")):
        assert "weights of 200 rows sum to 12.5," in dtf(*verb, "--layers", "1", "--weights", "w").err


def test_a_row_of_weight_0_may_have_anything(dtf):
    rows = "p,w\n1,1\n2,1\n3,2\n4,1\n"
    dtf.fit("t.csv", "--bins", "p=2", "--weights", "w", *LAYERED, content=rows)
    dtf.fit("odd.csv", "--bins", "p=2", "--weights", "w", *LAYERED, model="odd.dtf", content=rows + "tall,0\n")
    assert dtf.path("m.dtf").read_bytes() == dtf.path("odd.dtf").read_bytes()
    assert dtf("eval", "odd.dtf", "odd.csv", "--json").json["nll"] == dtf("eval", "odd.dtf", "t.csv", "--json").json["nll"]
    dtf("score", "odd.dtf", "odd.csv", code=3)


def test_a_bad_bin_is_named_by_a_row_that_counts(fit_refused):
    rows = "p,w\ntall,0\n1,1\n2,1\ntall,1\n"
    fit_refused(rows, "--bins", "p=2", "--weights", "w", words=("line 5", "`tall`"))


def test_weights_that_sum_to_too_much_are_refused(fit_refused):
    fit_refused("p,w\nx,1\ny,1e12\n", "--weights", "w", words=("t.csv", "`w`", "2^36"))


def test_infinite_weights_are_refused(fit_refused):
    fit_refused("p,w\nx,1\ny,inf\n", "--weights", "w")
    fit_refused("p,w\nx,1\ny,1e300\n", "--weights", "w")


def test_weights_that_are_all_zero_are_refused(fit_refused):
    fit_refused("p,w\nx,0\ny,0\n", "--weights", "w", words=("`w`", "zero"))


def test_the_column_of_weights_must_be_there(fit_refused):
    fit_refused("p,w\nx,1\n", "--weights", "weight", code=2, words=("`weight`",))


# ---------------------------------------------------------------- Columns of many values


def ids(rows, distinct):
    return "id,k\n" + "".join(f"u{i % distinct},{i % 2}\n" for i in range(rows))


def test_a_column_of_ids_is_refused_with_the_ways_out(dtf, fit_refused):
    ways_out = ("`id`", "1001", "1900", "--drop", "--allow-unique")
    assert "--bins" not in fit_refused(ids(1900, 1001), words=ways_out)
    fit_refused(ids(1900, 1001).replace("u", ""), words=(*ways_out, "--bins"))
    dtf.fit("t.csv", "--drop", "id")
    dtf.fit("t.csv", "--allow-unique")


def test_many_values_that_come_back_are_no_ids(dtf):
    dtf.fit("t.csv", content=ids(4004, 1500))
    assert len(dtf.categories("m.dtf")["id"]) == 1500


def test_a_column_that_may_be_ids_is_warned_of_unless_quiet(dtf):
    dtf.write("t.csv", ids(150, 100))
    assert "`id`" in dtf("fit", "t.csv", "-o", "m.dtf").err
    assert dtf("fit", "t.csv", "-o", "m.dtf", "--quiet").err == ""
    dtf.write("t.csv", ids(150, 60))
    assert "`id`" not in dtf("fit", "t.csv", "-o", "m.dtf").err


def test_rare_values_keep_categories_of_their_own(dtf):
    text = "v,k\n" + "".join(f"w{i},{'ab'[i % 2]}\n" * 2 for i in range(1600)) + "single,a\n"
    dtf.fit("t.csv", content=text)
    assert len(dtf.categories("m.dtf")["v"]) == 1601
    twice, once, never = map(float, dtf.scores("m.dtf", "s.csv", content="v,k\nw4,a\nsingle,a\nother,a\n"))
    assert twice > once > never


# ---------------------------------------------------------------- Bins


def numbers(rows=400):
    draw = random.Random(4)
    return "size,k\n" + "".join(f"{draw.gauss(50, 20):.1f},{draw.choice('ab')}\n" for _ in range(rows))


@pytest.mark.parametrize("request_", ["size=8", "size=8:quantile", "size=8:width"])
def test_bins_cut_a_numeric_column(dtf, request_):
    dtf.fit("t.csv", "--bins", request_, content=numbers())
    column = dtf.info("m.dtf")["schema"][0]
    assert len(column["categories"]) == 8
    assert column["bins"]["cuts"] == sorted(column["bins"]["cuts"]) and len(column["bins"]["cuts"]) == 7
    assert column["ordered"]


def test_quantile_bins_hold_equal_shares_and_width_bins_are_equally_wide(dtf):
    flat = ("--layers", "0", "--alpha", "0", "--closed", "--drop", "k")
    text = "size,k\n" + "".join(f"{i * i},a\n" for i in range(400))
    dtf.fit("t.csv", "--bins", "size=4", *flat, content=text)
    shares = {math.exp(float(score)) for score in dtf.scores("m.dtf", "t.csv", "--drop", "k")}
    assert all(share == pytest.approx(0.25, abs=0.01) for share in shares)
    dtf.fit("t.csv", "--bins", "size=4:width", *flat)
    assert dtf.info("m.dtf")["schema"][0]["bins"]["cuts"] == pytest.approx([399**2 * i / 4 for i in (1, 2, 3)])


def test_a_binned_column_is_decoded_to_a_representative_of_its_bin(dtf):
    dtf.fit("t.csv", "--bins", "size=5", content=numbers())
    dtf("encode", "m.dtf", "t.csv", "-o", "z.csv")
    dtf("decode", "m.dtf", "z.csv", "-o", "back.csv")
    representatives = set(dtf.categories("m.dtf")["size"])
    assert {row[0].decode() for row in parse_csv(dtf.read("back.csv"))[1:]} == representatives
    assert dtf("encode", "m.dtf", "back.csv").out == dtf.read("z.csv")
    assert dtf.scores("m.dtf", "back.csv") == dtf.scores("m.dtf", "t.csv")


def test_samples_of_a_binned_column_are_drawn_within_its_bins(dtf):
    dtf.fit("t.csv", "--bins", "size=3", content=numbers())
    seen = [float(row[0]) for row in parse_csv(dtf.read("t.csv"))[1:]]
    drawn = [row[0] for row in parse_csv(dtf("sample", "m.dtf", "-n", "500").out)[1:]]
    assert len(set(drawn)) > 100
    assert min(seen) <= min(map(float, drawn)) and max(map(float, drawn)) <= max(seen)
    assert all(len(value.split(b".")[-1]) == 1 for value in drawn if b"." in value)


def test_numbers_never_seen_fall_into_a_bin(dtf):
    dtf.fit("t.csv", "--bins", "size=3", content=numbers())
    low, lowest, high, highest = dtf.scores("m.dtf", "s.csv", content="size,k\n-900,a\n-1e9,a\n900,a\n1e9,a\n")
    assert (low, high) == (lowest, highest)


def test_a_text_cannot_be_binned(fit_refused):
    fit_refused("n,k\n1,a\n2,a\nmany,b\n", "--bins", "n=2", words=("t.csv", "line 4", "`n`", "`many`"))


def test_missing_cells_have_no_bin_but_a_category(dtf):
    dtf.fit("t.csv", "--bins", "n=2", "--missing", "n=none", content="n\n1\n2\n3\n4\nnone\n\n")
    assert dtf.categories("m.dtf")["n"][-1] is None
    assert len(dtf.categories("m.dtf")["n"]) == 3


@pytest.mark.parametrize("request_", ["n", "n=", "n=0", "n=-2", "n=two", "n=2:equal", "m=2"])
def test_a_request_for_bins_that_makes_no_sense_is_a_usage_error(fit_refused, request_):
    fit_refused("n,k\n1,a\n2,a\n", "--bins", request_, code=2)


# ---------------------------------------------------------------- Known and unknown values


def test_a_closed_model_refuses_unknown_values_with_their_place(dtf, failure):
    dtf.fit("t.csv", "--closed", content="p,q\nx,1\ny,2\n")
    assert dtf.info("m.dtf")["closed"] is True and dtf.info("m.dtf")["unseen_mass"] == 0
    dtf.write("s.csv", "p,q\nx,1\nz,2\n")
    for verb in ("score", "eval", "encode"):
        failure(3, verb, "m.dtf", "s.csv", words=("s.csv", "line 3", "`p`", "`z`"))
    dtf.write("s.csv", "p,q\nx,1\nx,\n")
    failure(3, "score", "m.dtf", "s.csv", words=("s.csv", "line 3", "`q`", "missing"))


def test_a_domain_adds_values_and_closes(dtf, failure):
    dtf.write("all.csv", "q,p\n1,x\n2,y\n3,\n")
    dtf.fit("t.csv", "--domain", "all.csv", content="p,q\nx,1\nz,2\nx,2\n")
    assert dtf.categories("m.dtf") == {"p": ["x", "y", "z", None], "q": ["1", "2", "3"]}
    assert dtf.info("m.dtf")["closed"] is True
    assert all(float(score) < 0 for score in dtf.scores("m.dtf", "s.csv", content="p,q\ny,3\n,1\n"))
    dtf.write("s.csv", "p,q\nw,1\n")
    failure(3, "score", "m.dtf", "s.csv", words=("s.csv", "line 2", "`w`"))


def test_a_domain_of_other_columns_is_refused(dtf, fit_refused):
    dtf.write("all.csv", "p\nx\n")
    fit_refused("p,q\nx,1\n", "--domain", "all.csv", words=("all.csv", "`q`"))


def test_closed_and_domain_exclude_each_other(dtf, fit_refused):
    fit_refused("p\nx\n", "--closed", "--domain", "t.csv", code=2)


# ---------------------------------------------------------------- Held-out rows


def test_held_out_rows_choose_the_layers_and_are_not_learnt_from(dtf):
    dtf.write("held.csv", dependent_rows(300, seed=5))
    rows = dependent_rows(900, seed=6)
    dtf.fit("t.csv", "--model", "tsp", "--valid", "held.csv", content=rows)
    layers = dtf.info("m.dtf")["layers"]
    curve = dtf.info("m.dtf")["learning_curve"]
    assert layers > 0 and layers == min(curve, key=lambda point: point["valid_nll"])["layers"]
    dtf.fit("t.csv", "--layers", str(layers), model="fixed.dtf")
    assert dtf.scores("m.dtf", "held.csv") == dtf.scores("fixed.dtf", "held.csv")


def test_a_value_of_held_out_rows_alone_is_not_known(dtf):
    dtf.write("held.csv", "p\nz\n")
    dtf.fit("t.csv", "--valid", "held.csv", content="p\n" + "x\ny\n" * 20)
    assert dtf.categories("m.dtf")["p"] == ["x", "y"]


def test_a_domain_has_numbers_where_a_column_is_cut_into_bins(dtf, failure):
    dtf.write("t.csv", "x\n" + "1\n2\n3\n" * 10)
    dtf.write("d.csv", "x\n1\n7\nfoo\n")
    options = ("--bins", "x=2", "--domain", "d.csv")
    failure(3, "fit", "t.csv", "-o", "m.dtf", *options, words=("d.csv", "`x`", "`foo` is not a number"))
    dtf.write("d.csv", "x\n1\n7\n")
    dtf.fit("t.csv", *options)
    assert len(dtf.scores("m.dtf", "d.csv")) == 2


def test_what_a_column_of_many_categories_tells_is_learnt_before_it(dtf):
    draw = random.Random(3)
    cities = [draw.randrange(300) for _ in range(3_000)]
    rows = [["city", "state"], *[[f"c{city}", f"s{city * 7 % 12}"] for city in cities]]
    dtf.fit("t.csv", "--members", "1", content=rows)
    assert dtf.info("m.dtf")["structure"]["order"] == ["state", "city"]
    drawn = [line.split(",") for line in dtf("sample", "m.dtf", "-n", "2000").lines[1:]]
    seen = [(city, state) for city, state in drawn if city and state]
    assert sum(state == f"s{int(city[1:]) * 7 % 12}" for city, state in seen) > 0.99 * len(seen)
    dtf.fit("t.csv", "--members", "1", "--order", "natural")
    assert dtf.info("m.dtf")["structure"]["order"] == ["city", "state"]


def test_what_a_key_tells_does_not_rule_out_its_categories_without_rows(dtf):
    draw = random.Random(4)
    state = [draw.randrange(12) for _ in range(300)]
    pair = lambda city: [f"c{city}", f"s{state[city]}"]
    train = draw.choices(range(300), [1 / (city + 1) for city in range(300)], k=1_500)
    dtf.write("all.csv", [["city", "state"], *map(pair, range(300))])
    never = [pair(city) for city in range(300) if city not in train]
    dtf.fit("t.csv", "--domain", "all.csv", "--members", "1", content=[["city", "state"], *map(pair, train)])
    assert dtf.info("m.dtf")["structure"]["order"] == ["state", "city"]
    scores = dtf.scores("m.dtf", "never.csv", content=[["city", "state"], *never])
    assert min(map(float, scores)) > math.log(0.5 / 1_500 / 12) - 2  # half a row each, in a state of twelve


def test_an_order_of_texts_that_are_no_numbers_is_told(dtf):
    rows = [["size", "n"], *[["low", "1"], ["mid", "2"], ["high", "10"]] * 10]
    warned = dtf("fit", dtf.write("t.csv", rows), "-o", "m.dtf", "--layers", "0", "--ordered", "size", "--ordered", "n").err
    assert "column `size` is ordered as its texts are: `high`, `low`, `mid`" in warned and "`n`" not in warned


def test_weights_of_a_population_are_warned_of(dtf):
    rows = [["p", "w"], *[[p, str(w)] for p, w in zip("xyzx" * 10, range(20_000, 20_040))]]
    options = ("--weights", "w", "--layers", "0")
    assert "a population" in dtf("fit", dtf.write("t.csv", rows), "-o", "m.dtf", *options).err
    rows = [["p", "w"], *[[p, "3"] for p in "xyzx" * 10]]
    assert "warning" not in dtf("fit", dtf.write("t.csv", rows), "-o", "m.dtf", *options).err


def test_what_is_warned_of_is_known_before_the_work_begins(dtf):
    ids = [["id", "p"], *[[str(i), "xy"[i % 2]] for i in range(900)]]
    dtf.write("t.csv", ids)
    first, *rest = dtf("fit", "t.csv", "-o", "m.dtf", "--layers", "1").err.splitlines()
    assert "`id` has 900 different values" in first and rest and not any("`id`" in line for line in rest)


def test_bins_are_advised_of_numbers_only(dtf, failure):
    dtf.write("t.csv", [["x"], *[[f"{i}.5"] for i in range(1_200)] * 3])
    assert "(--bins)" in dtf("fit", "t.csv", "-o", "m.dtf", "--layers", "0").err
    dtf.write("t.csv", [["x"], *[[f"2024-01-01T{i}"] for i in range(1_200)]])
    assert "--bins" not in failure(3, "fit", "t.csv", "-o", "m.dtf", words=("--drop", "--allow-unique"))


def test_what_was_insisted_on_is_recorded(dtf):
    ids = "id\n" + "".join(f"{i}\n" for i in range(1_500))
    dtf.fit("t.csv", "--allow-unique", "--layers", "0", content=ids)
    assert dtf.info("m.dtf")["options"]["allow-unique"] == "true"


def test_independent_columns_get_no_layers(dtf):
    draw = random.Random(7)
    rows = [["p", "q", "r"]] + [[draw.choice("xyz") for _ in range(3)] for _ in range(2000)]
    dtf.fit("t.csv", "--model", "tsp", content=rows)
    assert dtf.info("m.dtf")["layers"] == 0


def test_the_final_model_is_learnt_from_all_rows_unless_told_otherwise(dtf):
    rows = dependent_rows(1000, seed=12)
    refitted = dtf.scores(dtf.fit("t.csv", "--model", "tsp", content=rows), "t.csv")
    layers = str(dtf.info("m.dtf")["layers"])
    assert refitted == dtf.scores(dtf.fit("t.csv", "--layers", layers), "t.csv")
    assert refitted != dtf.scores(dtf.fit("t.csv", "--model", "tsp", "--no-refit"), "t.csv")
    assert dtf.info("m.dtf")["options"]["refit"] == "false"


# ---------------------------------------------------------------- Shapes


def test_a_table_of_one_row_one_column_and_one_value(dtf):
    dtf.fit("t.csv", *LAYERED, content="only\nx\n")
    assert float(dtf.scores("m.dtf", "t.csv")[0]) == pytest.approx(0, abs=0.02)
    assert dtf("sample", "m.dtf", "-n", "2").lines == ["only", "x", "x"]


@pytest.mark.parametrize("criterion", ["glp", "glp-code", "glp-aligned", "random"])
@pytest.mark.parametrize("options", [("--layers", "0"), ("--max-depth", "0"), ("--min-split", "1e9"), ("--alpha", "0")])
def test_degenerate_options_still_make_a_model(dtf, criterion, options):
    dtf.fit("t.csv", "--criterion", criterion, *options, content=dependent_rows(80))
    assert all(float(score) < 0 for score in dtf.scores("m.dtf", "t.csv"))


def test_dependence_is_learnt(dtf):
    dtf.write("t.csv", dependent_rows(2000, seed=8))
    nll = {}
    for criterion in ("glp", "glp-aligned"):
        for layers in ("0", "3"):
            dtf.fit("t.csv", "--criterion", criterion, "--layers", layers)
            nll[criterion, layers] = dtf.info("m.dtf")["train_nll"]
        assert nll[criterion, "3"] < nll[criterion, "0"] - 0.1


def test_thousands_of_columns(dtf):
    columns, rows = 3000, 50
    text = ",".join(f"c{j}" for j in range(columns)) + "\n"
    text += "".join(",".join("01"[(i * (j + 5) + j // 3) % 7 == 0] for j in range(columns)) + "\n" for i in range(rows))
    dtf.write("t.csv", text)
    assert dtf.peak_memory("fit", "t.csv", "-o", "m.dtf", "--quiet", "--layers", "2", "--max-depth", "2") < 600 * MIB
    assert len(dtf.scores("m.dtf", "t.csv")) == rows


def test_a_column_of_many_values_does_not_weigh_on_the_others(dtf):
    values, columns, rows = 15_000, 40, 30_000
    text = "many," + ",".join(f"b{j}" for j in range(columns)) + "\n"
    for i in range(rows):
        text += f"v{i * 7907 % values}," + ",".join("ny"[(i >> (j % 14)) & 1] for j in range(columns)) + "\n"
    dtf.fit("t.csv", "--layers", "3", "--max-depth", "5", content=text)
    assert dtf.info("m.dtf")["nodes"] > 20
    assert dtf.path("m.dtf").stat().st_size < 2_000_000


def test_names_like_those_of_our_own_output_do_no_harm(dtf):
    text = "log_likelihood,score,row,member,y,_weight,index\na,1,0,i,x,p,k\nb,2,1,i,y,q,k\na,1,1,j,x,q,k\n"
    dtf.fit("t.csv", "--members", "1", content=text)
    assert len(dtf.scores("m.dtf", "t.csv")) == 3
    dtf("encode", "m.dtf", "t.csv", "-o", "z.csv")
    assert dtf("decode", "m.dtf", "z.csv").out == text.encode()


def test_the_latents_of_several_members_begin_with_the_member(dtf, failure):
    rows = dependent_rows(400, columns=4, seed=31)
    dtf.fit("t.csv", content=rows)
    members = len(dtf.info("m.dtf")["structure"]["members"])
    codes = parse_csv(dtf("encode", "m.dtf", "t.csv", "-o", "-").out)
    assert codes[0] == [b"member"] + [name.encode() for name in rows[0]]
    assert {int(code[0]) for code in codes[1:]} <= set(range(members)) and members > 1
    dtf.write("codes.csv", dtf("encode", "m.dtf", "t.csv").out)
    assert dtf("decode", "m.dtf", "codes.csv").out == dtf.read("t.csv")
    failure(2, "score", "m.dtf", "t.csv", "--per-column", words=("per column",))


def test_names_full_of_signs_survive(dtf):
    names = ["mass, g", "<p>[1].{q}", '{"key": [2]}', "имя", "tab\tand\\n", "new\nline", " ", "'"]
    rows = [names] + [[f"{i * j % 3}" for j in range(len(names))] for i in range(6)]
    dtf.fit("t.csv", "--members", "1", content=rows)
    assert dtf.names("m.dtf") == names
    expected = parse_csv(to_csv([names]))[0]
    assert parse_csv(dtf("sample", "m.dtf", "-n", "3").out)[0] == expected
    assert parse_csv(dtf("encode", "m.dtf", "t.csv").out)[0] == expected


# ---------------------------------------------------------------- Determinism


@pytest.fixture(scope="module")
def rows():
    return dependent_rows(600, seed=9)


@pytest.mark.parametrize("options", [(), ("--criterion", "glp", *LAYERED), ("--criterion", "random", "--layers", "3")])
def test_threads_do_not_change_the_model(dtf, rows, options):
    dtf.write("t.csv", rows)
    models = {dtf.read(dtf.fit("t.csv", *options, "--threads", threads)) for threads in ("1", "2", "3", "8")}
    assert len(models) == 1


@pytest.mark.parametrize("options", [(), ("--criterion", "random", "--layers", "3")])
def test_the_order_of_rows_does_not_change_the_model(dtf, rows, options):
    header, *body = rows
    shuffled = random.Random(10).sample(body, len(body))
    orders = (body, sorted(body), shuffled)
    models = {dtf.read(dtf.fit("t.csv", *options, content=[header, *order])) for order in orders}
    assert len(models) == 1


def test_other_names_of_the_categories_do_not_change_the_scores(dtf, rows):
    header, *body = rows
    renamed = [[f"{99 - ord(cell[0])}{cell}" for cell in row] for row in body]
    dtf.fit("t.csv", *LAYERED, content=rows)
    dtf.fit("r.csv", *LAYERED, model="r.dtf", content=[header, *renamed])
    scores = [float(score) for score in dtf.scores("m.dtf", "t.csv")]
    assert [float(score) for score in dtf.scores("r.dtf", "r.csv")] == pytest.approx(scores, abs=1e-9)


def test_a_seed_repeats_and_another_one_does_not(dtf, rows):
    dtf.write("t.csv", rows)

    def model(seed):
        dtf.fit("t.csv", "--criterion", "random", "--layers", "3", "--seed", seed)
        return dtf.scores("m.dtf", "t.csv")

    assert model("7") == model("7") != model("8")


def test_neither_place_nor_time_is_in_the_model(dtf, rows):
    dtf.path("deep").mkdir()
    first = dtf.read(dtf.fit("t.csv", content=rows))
    second = dtf.read(dtf.fit("deep/other.csv", model="deep/other.dtf", content=rows))
    assert first == second
    assert b"t.csv" not in first and str(dtf.directory).encode() not in first


def test_fitting_again_forgets_the_first_table(dtf):
    rows = dependent_rows(300, seed=11)
    fresh = dtf.read(dtf.fit("t.csv", model="fresh.dtf", content=rows))
    dtf.fit("o.csv", content="p\nx\ny\n")
    assert dtf.read(dtf.fit("t.csv")) == fresh


def test_every_format_makes_the_same_model(dtf, rows):
    header, *body = rows
    table = pa.table({name: [row[j] for row in body] for j, name in enumerate(header)})
    expected = dtf.read(dtf.fit("t.csv", *LAYERED, content=rows))
    dtf.write("t.tsv", rows)
    dtf.write("t.csv.gz", gzip.compress(dtf.read("t.csv")))
    dtf.write("t.tsv.gz", gzip.compress(dtf.read("t.tsv")))
    pq.write_table(table, dtf.path("t.parquet"), row_group_size=140)
    for name, open_file in (("t.arrow", pa.ipc.new_file), ("stream.arrow", pa.ipc.new_stream)):
        with open_file(dtf.path(name), table.schema) as writer:
            writer.write_table(table, max_chunksize=100)
    for name in ("t.tsv", "t.csv.gz", "t.tsv.gz", "t.parquet", "t.arrow", "stream.arrow"):
        assert dtf.read(dtf.fit(name, *LAYERED)) == expected, name


def test_pipes_make_the_same_model(dtf, rows):
    expected = dtf.read(dtf.fit("t.csv", *LAYERED, content=rows))
    dtf("fit", "-", "-o", "p.dtf", "--quiet", *LAYERED, input=dtf.read("t.csv"))
    assert dtf.read("p.dtf") == expected
    piped = dtf.command("fit", "/dev/stdin", "-o", "q.dtf", "--quiet", *LAYERED)
    with subprocess.Popen(["cat", "t.csv"], cwd=dtf.directory, stdout=subprocess.PIPE) as cat:
        subprocess.run(piped, cwd=dtf.directory, stdin=cat.stdout)
    assert dtf.read("q.dtf") == expected


def test_a_row_of_weight_zero_is_as_if_it_were_not_there(dtf):
    header, rows = ["n", "k"], [["1", "a"], ["2", "b"], ["3", "a"]]
    weighted = [header + ["w"], ["1000", "new", "0"], *[row + ["1"] for row in rows]]
    for bins in ((), ("--bins", "n=2:width")):
        dtf.fit("with.csv", "--weights", "w", *bins, model="with.dtf", content=weighted)
        dtf.fit("without.csv", *bins, model="without.dtf", content=[header, *rows])
        assert dtf.scores("with.dtf", "without.csv") == dtf.scores("without.dtf", "without.csv")


def test_a_column_cut_twice_is_refused(fit_refused):
    fit_refused("p\n1\n2\n", "--bins", "p=2", "--bins", "p=3", code=2)


def test_an_output_that_would_replace_an_input_is_refused(dtf):
    dtf.fit("t.csv", content="p,q\nx,1\ny,2\n")
    for arguments in (("fit", "t.csv", "-o", "t.csv"), ("score", "m.dtf", "t.csv", "-o", "./m.dtf")):
        dtf(*arguments, code=2)
    assert dtf.scores("m.dtf", "t.csv")
