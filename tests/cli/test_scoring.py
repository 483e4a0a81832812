"""Log-likelihoods: that they are ones, and whose."""

import collections
import gzip
import itertools
import math
import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tables import dependent_rows, parse_csv, product, read_typed

DOMAIN = {"p": "xyz", "q": "01", "r": "kl"}


def small_table(rows=60, seed=1):
    """Rows over DOMAIN whose columns depend on one another; all values occur."""
    draw = random.Random(seed)
    body = [[values[i % len(values)] for values in DOMAIN.values()] for i in range(3)]
    for _ in range(rows):
        p = draw.choice("xxyz")
        body.append([p, "01"[(p == "x") ^ (draw.random() < 0.1)], "kl"[(p == "y") ^ (draw.random() < 0.2)]])
    return [list(DOMAIN), *body]


def mass(scores):
    return math.fsum(math.exp(float(score)) for score in scores)


def assert_log_likelihoods(scores):
    assert all(-math.inf < float(score) <= 0 for score in scores)


# ---------------------------------------------------------------- A distribution


@pytest.mark.parametrize("criterion", ["glp", "glp-code", "glp-aligned", "random"])
@pytest.mark.parametrize("layers", ["1", "3", "10"])
def test_the_mass_of_a_closed_domain_is_one(dtf, layers, criterion):
    options = ("--closed", "--layers", layers, "--criterion", criterion, "--min-split", "2")
    dtf.fit("t.csv", *options, content=small_table())
    scores = dtf.scores("m.dtf", "all.csv", content=[list(DOMAIN), *product(*DOMAIN.values())])
    assert mass(scores) == pytest.approx(1, abs=1e-9)
    assert_log_likelihoods(scores)
    codes = parse_csv(dtf("encode", "m.dtf", "all.csv").out)[1:]
    assert sorted(codes) == sorted([b"%d" % code for code in row] for row in product(range(3), range(2), range(2)))


@pytest.mark.parametrize("layers", ["0", "1", "3", "10"])
def test_the_mass_with_unseen_values_is_one_and_theirs_is_reported(dtf, layers):
    dtf.fit("t.csv", "--layers", layers, "--min-split", "2", content=small_table())
    known = product(*DOMAIN.values())
    everything = product(*(list(values) + ["unseen"] for values in DOMAIN.values()))
    scores = dtf.scores("m.dtf", "all.csv", content=[list(DOMAIN), *everything])
    assert mass(scores) == pytest.approx(1, abs=1e-9)
    assert_log_likelihoods(scores)
    known_mass = mass(dtf.scores("m.dtf", "known.csv", content=[list(DOMAIN), *known]))
    assert known_mass == pytest.approx(1 - dtf.info("m.dtf")["unseen_mass"], abs=1e-9)


def test_the_mass_of_a_given_domain_is_one(dtf):
    dtf.write("domain.csv", "p,q,r\nw,2,k\n,0,l\n")
    dtf.fit("t.csv", "--domain", "domain.csv", "--layers", "4", "--min-split", "2", content=small_table())
    everything = product(["w", "x", "y", "z", None], "012", "kl")
    assert mass(dtf.scores("m.dtf", "all.csv", content=[list(DOMAIN), *everything])) == pytest.approx(1, abs=1e-9)


def test_the_reserved_mass_follows_the_rule(dtf):
    rows, alpha = 40, 0.5
    text = "p,q\n" + "".join(f"{'xyz'[i % 3]},{i % 2}\n" for i in range(rows))
    dtf.fit("t.csv", "--alpha", str(alpha), "--layers", "0", content=text)
    reserved = [alpha / (rows + alpha * (size + 1)) for size in (3, 2)]
    dtf.write("s.csv", "p,q\n?,?\n")
    unseen = dtf("score", "m.dtf", "s.csv", "--per-column").lines[1].split(",")
    assert list(map(float, unseen)) == pytest.approx([math.log(share) for share in reserved], abs=1e-12)


@pytest.mark.parametrize("criterion", ["glp", "glp-code", "glp-aligned", "random"])
def test_a_score_is_the_smoothed_share_of_the_latent_codes(dtf, criterion):
    alpha = 0.25
    options = ("--closed", "--layers", "3", "--min-split", "2", "--criterion", criterion, "--alpha", str(alpha))
    dtf.fit("t.csv", *options, content=small_table())
    codes = parse_csv(dtf("encode", "m.dtf", "t.csv").out)[1:]
    counts = [collections.Counter(column) for column in zip(*codes)]
    sizes = [len(values) for values in DOMAIN.values()]

    def log_share(j, code):
        return math.log((counts[j][code] + alpha) / (len(codes) + alpha * sizes[j]))

    expected = [sum(log_share(j, code) for j, code in enumerate(row)) for row in codes]
    assert list(map(float, dtf.scores("m.dtf", "t.csv"))) == pytest.approx(expected, abs=1e-12)


def test_the_mean_score_lies_between_independence_and_the_entropy_of_the_rows(dtf):
    dtf.write("t.csv", dependent_rows(800, columns=4, seed=2))
    rows = parse_csv(dtf.read("t.csv"))[1:]
    entropy = -sum(n / len(rows) * math.log(n / len(rows)) for n in collections.Counter(map(tuple, rows)).values())
    dtf.fit("t.csv", "--layers", "0", model="independent.dtf")
    for layers in ("1", "5"):
        dtf.fit("t.csv", "--layers", layers)
        nll = dtf("eval", "m.dtf", "t.csv", "--json").json["nll"]
        assert entropy <= nll < dtf.info("independent.dtf")["train_nll"]
        assert nll == pytest.approx(dtf.info("m.dtf")["train_nll"], abs=1e-9)


# ---------------------------------------------------------------- A column of weights


def test_eval_weighs_by_the_column_of_weights_and_the_others_ignore_it(dtf):
    rows = dependent_rows(200, seed=4)
    weights = ["w", *([0.25, 2, 0][i % 3] for i in range(200))]
    weighted = [[str(weight), *row] for weight, row in zip(weights, rows)]
    dtf.fit("weighted.csv", "--weights", "w", "--members", "1", content=weighted)
    dtf.write("plain.csv", rows)
    scores = dtf.scores("m.dtf", "plain.csv")
    assert dtf.scores("m.dtf", "weighted.csv") == scores
    assert dtf("encode", "m.dtf", "weighted.csv").out == dtf("encode", "m.dtf", "plain.csv").out
    assert dtf("score", "m.dtf", "weighted.csv", "--per-column").out == dtf("score", "m.dtf", "plain.csv", "--per-column").out
    plain, found = (dtf("eval", "m.dtf", name, "--json").json for name in ("plain.csv", "weighted.csv"))
    values = [float(score) for score in scores]
    assert plain["nll"] == pytest.approx(-sum(values) / 200, rel=1e-12)
    mean = sum(w * v for w, v in zip(weights[1:], values)) / sum(weights[1:])
    assert found["nll"] == pytest.approx(-mean, rel=1e-12) != plain["nll"]
    assert found["rows"] == plain["rows"] == 200
    assert found["weight"] == pytest.approx(sum(weights[1:])) and "weight" not in plain
    assert found["nll"] == pytest.approx(dtf.info("m.dtf")["train_nll"], rel=1e-9)
    shown = dtf("eval", "m.dtf", "weighted.csv").out.decode()
    assert f"weight              {sum(weights[1:]):.4f}, by `w`" in shown


def test_whole_weights_of_eval_are_repeated_rows(dtf):
    dtf.fit("t.csv", "--weights", "w", "--layers", "1", content="p,w\nx,3\ny,1\n")
    weighted = dtf("eval", "m.dtf", dtf.write("w.csv", "w,p\n2,x\n0,u\n1,y\n"), "--json").json
    repeated = dtf("eval", "m.dtf", dtf.write("r.csv", "p\nx\nx\ny\n"), "--json").json
    assert weighted["nll"] == pytest.approx(repeated["nll"], rel=1e-12)


def test_a_row_of_weight_0_does_not_matter_even_if_it_is_impossible(dtf):
    dtf.fit("t.csv", "--weights", "w", "--layers", "0", "--alpha", "0", content="p,w\nx,3\ny,1\n")
    dtf.write("s.csv", "p,w\nx,1\nu,0\n")
    assert dtf.scores("m.dtf", "s.csv")[1] == "-inf"
    assert math.isfinite(dtf("eval", "m.dtf", "s.csv", "--json").json["nll"])


@pytest.mark.parametrize("cell, shown", [("-1", "`-1`"), ("inf", "`inf`"), ("1e308", "too large"), ("", "missing"), ("two", "`two`")])
def test_a_weight_at_fault_is_named_by_eval(dtf, failure, cell, shown):
    dtf.fit("t.csv", "--weights", "w", "--layers", "1", content="p,w\nx,3\ny,1\n")
    dtf.write("s.csv", f"p,w\nx,1\ny,{cell}\n")
    failure(3, "eval", "m.dtf", "s.csv", words=("s.csv", "line 3", "`w`", shown))


def test_weights_of_eval_that_are_all_zero_are_refused(dtf, failure):
    dtf.fit("t.csv", "--weights", "w", "--layers", "1", content="p,w\nx,3\ny,1\n")
    failure(3, "eval", "m.dtf", dtf.write("s.csv", "p,w\nx,0\ny,0\n"), words=("s.csv", "`w`", "all weights are zero"))


# ---------------------------------------------------------------- Unknown and missing values


def test_a_value_never_seen_is_stranger_than_a_missing_one(dtf):
    dtf.fit("t.csv", content="tree,k\n,a\n,a\n,a\n,b\nelm,a\n")
    missing, rare, unseen = map(float, dtf.scores("m.dtf", "s.csv", content="tree,k\n,a\nelm,a\nyew,a\n"))
    assert missing > rare > unseen > -math.inf


def test_rows_of_nothing_but_unseen_values_are_scored_alike_in_any_company(dtf):
    dtf.fit("t.csv", content="p,q\nx,1\ny,2\n")
    alone = dtf.scores("m.dtf", "alone.csv", content="p,q\nu,8\nv,9\nu,8\n")
    mixed = dtf.scores("m.dtf", "mixed.csv", content="p,q\nx,1\nu,8\ny,2\nv,9\n")
    assert_log_likelihoods(alone)
    assert len(set(alone)) == 1
    assert mixed[1] == mixed[3] == alone[0]


def test_what_means_missing_is_known_to_the_model(dtf):
    rows = [["p", "q"], *([p, q] for p in "xy?" for q in "12-" for _ in range(20))]
    dtf.fit("t.csv", "--missing", "p=?", "--missing", "-", "--members", "1", content=rows)
    first, second = dtf.info("m.dtf")["schema"]
    assert (first["missing_texts"], second["missing_texts"]) == (["-", "?"], ["-"])
    assert "`?` means missing" in dtf("info", "m.dtf").out.decode()
    bare = dtf.write("bare.csv", "p,q\n,1\nx,\n,\n")
    marked = dtf.write("marked.csv", "p,q\n?,1\nx,-\n-,-\n")
    markers = ("--missing", "p=?", "--missing", "-")
    assert dtf.scores("m.dtf", marked) == dtf.scores("m.dtf", bare) == dtf.scores("m.dtf", marked, *markers)
    for verb in (["eval"], ["encode", "-o", "-"]):
        assert dtf(*verb, "m.dtf", marked).out == dtf(*verb, "m.dtf", bare).out
    # What a verb is told itself comes first: x, a value that is known, means missing here.
    told = dtf.scores("m.dtf", "told.csv", "--missing", "p=x", content="p,q\nx,1\nx,-\n?,-\n")
    assert told == dtf.scores("m.dtf", "told.csv", content="p,q\n,1\n,\n,\n")


def test_what_means_missing_changes_nothing_else(dtf):
    rows = dependent_rows(200, seed=3)
    dtf.fit("t.csv", "--layers", "2", "--missing", "?", model="with.dtf", content=rows)
    dtf.fit("t.csv", "--layers", "2", model="without.dtf")
    assert dtf.scores("with.dtf", "t.csv") == dtf.scores("without.dtf", "t.csv")


@pytest.mark.parametrize("verb", ["eval", "score"])
def test_a_column_without_any_known_value_is_warned_of(dtf, verb):
    dtf.fit("t.csv", "--members", "1", content=[["p", "q"], *[["true", "x"], ["false", "y"]] * 20])
    header, row, other = ["p", "q"], ["True", "x"], ["true", "y"]
    dtf.write("other.csv", [header, *[row] * 70_000])
    warned = dtf(verb, "m.dtf", "other.csv").err
    assert "other.csv, column `p`" in warned and "`q`" not in warned
    dtf.write("some.csv", [header, *[row] * 70_000, other])  # the known value is in the second batch
    assert dtf(verb, "m.dtf", "some.csv").err == ""
    dtf.write("few.csv", [header, row])
    assert dtf(verb, "m.dtf", "few.csv").err == ""


@pytest.mark.parametrize("verb", ["eval", "score"])
def test_cells_known_as_missing_tell_nothing_of_how_values_are_spelt(dtf, verb):
    dtf.fit("t.csv", "--members", "1", content=[["p", "q"], *[["true", "x"], ["false", None]] * 20])
    dtf.write("other.csv", [["p", "q"], *[["true", "X"]] * 12, ["true", None]])
    assert "other.csv, column `q`" in dtf(verb, "m.dtf", "other.csv").err
    dtf.write("missing.csv", [["p", "q"], *[["true", None]] * 12])
    assert dtf(verb, "m.dtf", "missing.csv").err == ""


def test_held_out_rows_without_any_known_value_are_warned_of(dtf):
    train = dtf.write("t.csv", [["p", "q"], *[["true", "x"], ["false", "y"]] * 20])
    fit = ["fit", train, "-o", "m.dtf", "--members", "1", "--valid"]
    spelt_otherwise = dtf.write("v.csv", [["p", "q"], *[["True", "x"]] * 12])
    assert "dtf: warning: v.csv, column `p`: no row has a value that the model knows" in dtf(*fit, spelt_otherwise).err
    assert "warning" not in dtf(*fit, dtf.write("w.csv", [["p", "q"], *[["true", "x"]] * 12])).err


def test_missing_where_training_had_none_counts_as_unseen(dtf):
    dtf.fit("t.csv", "--layers", "2", "--min-split", "1", content="p,q\n" + "x,1\nx,2\nx,1\ny,2\n" * 10)
    missing, unseen, seen = dtf.scores("m.dtf", "s.csv", content="p,q\nx,\nx,3\nx,1\n")
    assert missing == unseen
    assert float(missing) < float(seen)


def test_common_rows_score_higher_than_rare_ones(dtf):
    dtf.fit("t.csv", content="p,q\n" + "x,x\n" * 95 + "y,x\n" * 3 + "x,y\n" * 2)
    common, rare, rarer = map(float, dtf.scores("m.dtf", "s.csv", content="p,q\nx,x\ny,x\nx,y\n"))
    assert common > rare > rarer


def test_the_help_says_which_way_is_strange_and_in_which_unit(dtf):
    text = " ".join(dtf("score", "--help").lines)
    assert "nats" in text and "anomaly" in text and "log_likelihood" in text


# ---------------------------------------------------------------- Columns by name, categories by value


def test_the_order_of_columns_does_not_matter(dtf):
    dtf.fit("t.csv", "--layers", "2", "--min-split", "1", content="left,right\n" + "x,y\nx,x\nx,y\ny,y\n" * 10)
    scores = dtf.scores("m.dtf", "s.csv", content="left,right\nx,y\ny,x\nx,x\n")
    assert scores == dtf.scores("m.dtf", "swapped.csv", content="right,left\ny,x\nx,y\nx,x\n")
    assert scores[0] != scores[1]


@pytest.mark.parametrize("verb", ["score", "eval", "encode"])
@pytest.mark.parametrize(
    "text, name", [("p,q\nx,1\n", "`r`"), ("p,q,r,s\nx,1,k,0\n", "`s`"), ("p,q,r,p\nx,1,k,x\n", "`p`")]
)
def test_a_missing_extra_or_repeated_column_is_named(dtf, failure, verb, text, name):
    dtf.fit("t.csv", content=small_table())
    dtf.write("s.csv", text)
    failure(3, verb, "m.dtf", "s.csv", words=("s.csv", name))


def test_an_extra_column_can_be_dropped(dtf):
    dtf.fit("t.csv", content="p,q\nx,1\ny,2\n")
    dtf.write("s.csv", "p,q,id\nx,1,77\n")
    assert dtf.scores("m.dtf", "s.csv", "--drop", "id") == dtf.scores("m.dtf", "s.csv", "--keep", "p", "--keep", "q")


def test_the_score_of_a_row_does_not_depend_on_its_company(dtf):
    table = dependent_rows(200, seed=3)
    dtf.fit("t.csv", "--layers", "3", content=table)
    scores = dtf.scores("m.dtf", "t.csv")
    for i in (0, 17, 199):
        assert dtf.scores("m.dtf", "one.csv", content=[table[0], table[i + 1]]) == [scores[i]]


def test_a_category_is_its_value_whatever_dictionary_it_comes_in(dtf):
    dtf.fit("t.csv", content="port,k\nRiga,a\nKiel,a\nKiel,b\nBrest,b\nVarna,a\nKiel,a\n")
    expected = dtf.scores("m.dtf", "s.csv", content="port,k\nVarna,a\n")
    for dictionary in (["Varna"], ["Varna", "Kiel"], ["Riga", "nowhere", "Varna"]):
        port = pa.DictionaryArray.from_arrays(pa.array([dictionary.index("Varna")]), pa.array(dictionary))
        pq.write_table(pa.table({"port": port, "k": ["a"]}), dtf.path("s.parquet"))
        assert dtf.scores("m.dtf", "s.parquet") == expected


def test_numbers_match_their_canonical_text(dtf):
    dtf.fit("t.csv", content="n,k\n1,a\n2,b\n1,b\n,a\n")
    expected = dtf.scores("m.dtf", "s.csv", content="n,k\n1,a\n2,a\n,a\n")
    whole = [pa.array([1, 2, None], type_) for type_ in (pa.int8(), pa.int64(), pa.uint64(), pa.float32())]
    for numbers in [*whole, pa.array([1.0, 2.0, math.nan])]:
        pq.write_table(pa.table({"n": numbers, "k": ["a"] * 3}), dtf.path("s.parquet"))
        assert dtf.scores("m.dtf", "s.parquet") == expected, numbers.type


def test_truth_does_not_match_one(dtf):
    dtf.fit("t.csv", content="n\n1\n0\n1\n")
    pq.write_table(pa.table({"n": [True, False]}), dtf.path("s.parquet"))
    unseen = dtf.scores("m.dtf", "s.csv", content="n\nother\n")
    assert dtf.scores("m.dtf", "s.parquet") == unseen * 2


def test_a_model_of_numbers_scores_text(dtf):
    pq.write_table(pa.table({"n": [1, 2, 1, None], "x": [0.5, 1.0, 2.0, 1.0]}), dtf.path("t.parquet"))
    dtf.fit("t.parquet")
    assert dtf.scores("m.dtf", "s.csv", content="n,x\n1,0.5\n2,1\n1,2\n,1\n") == dtf.scores("m.dtf", "t.parquet")


# ---------------------------------------------------------------- Numbers as written


@pytest.fixture
def learnt(dtf):
    dtf.fit("t.csv", "--layers", "3", content=dependent_rows(500, seed=4))
    return "m.dtf"


def test_scores_read_back_exactly(dtf, learnt):
    scores = dtf.scores(learnt, "t.csv")
    dtf("score", learnt, "t.csv", "-o", "s.parquet")
    assert [float(score) for score in scores] == pq.read_table(dtf.path("s.parquet"))["log_likelihood"].to_pylist()


def test_scores_are_the_same_after_a_reload_and_with_any_threads(dtf, learnt):
    dtf.path("copy.dtf").write_bytes(dtf.read(learnt))
    scores = dtf.scores(learnt, "t.csv")
    for threads in ("1", "2", "8"):
        assert dtf.scores("copy.dtf", "t.csv", "--threads", threads) == scores
    nlls = {dtf("eval", learnt, "t.csv", "--json", "--threads", threads).out for threads in ("1", "2", "8")}
    assert len(nlls) == 1


@pytest.mark.parametrize("name", ["s.csv", "s.tsv", "s.csv.gz", "s.arrow"])
def test_scores_go_to_files_of_any_format(dtf, learnt, name):
    result = dtf("score", learnt, "t.csv", "-o", name)
    assert result.out == b""
    if name.endswith(".arrow"):
        written = read_typed(dtf.path(name))["log_likelihood"].to_pylist()
    else:
        data = gzip.decompress(dtf.read(name)) if name.endswith(".gz") else dtf.read(name)
        written = [float(line) for line in data.split()[1:]]
    assert written == [float(score) for score in dtf.scores(learnt, "t.csv")]


def test_eval_of_no_rows_is_refused(dtf):
    model = dtf.fit("t.csv", content="up,down\n1,2\n2,1\n")
    table = dtf.write("empty.csv", "up,down\n")
    assert "empty.csv has 0 rows" in dtf("eval", model, table, "--json", code=3).err


def test_eval_is_the_mean_of_the_scores(dtf, learnt):
    scores = [float(score) for score in dtf.scores(learnt, "t.csv")]
    found = dtf("eval", learnt, "t.csv", "--json").json
    nll = -math.fsum(scores) / len(scores)
    assert found["rows"] == len(scores)
    assert found["nll"] == pytest.approx(nll, rel=1e-12)
    assert found["bits_per_dim"] == pytest.approx(nll / math.log(2) / 5, rel=1e-12)


def test_the_summands_of_columns_sum_to_the_score(dtf, learnt):
    header, *lines = dtf("score", learnt, "t.csv", "--per-column").lines
    assert header.split(",") == dtf.names(learnt)
    summands = [[float(cell) for cell in line.split(",")] for line in lines]
    assert all(summand <= 0 for summand in itertools.chain(*summands))
    scores = list(map(float, dtf.scores(learnt, "t.csv")))
    assert [math.fsum(row) for row in summands] == pytest.approx(scores, abs=1e-12)


def test_without_smoothing_a_combination_never_seen_has_no_probability(dtf):
    dtf.write("all.csv", "p\nx\ny\n")
    dtf.fit("t.csv", "--alpha", "0", "--layers", "0", "--domain", "all.csv", content="p\nx\n")
    assert dtf.scores("m.dtf", "all.csv") == ["0", "-inf"]


def test_many_stumps_over_wide_columns_are_scored_fast(dtf):
    draw = random.Random(5)
    body = [[str(draw.randrange(256)) for _ in range(8)] for _ in range(3000)]
    rows = [[f"c{j}" for j in range(8)], *body]
    dtf.fit("t.csv", "--layers", "100", "--max-depth", "1", content=rows)
    dtf.write("s.csv", [rows[0], *body * 10])
    assert len(dtf("score", "m.dtf", "s.csv", "--threads", "1", timeout=10).lines) == 30_001
