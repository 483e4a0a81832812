"""What holds of every kind of model: one tsp, one autoregressive flow, each with either base; a mixture."""

import itertools
import math

import pytest

from tables import dependent_rows, parse_csv, to_csv

FAMILY = {"ranks": "autoregressive", "leaves": "tsp"}  # of the others: their name
KINDS = {
    "tsp": ["--model", "tsp", "--layers", "2"],
    "leaves": ["--model", "tsp", "--layers", "2", "--base", "conditional", "--split-values", "2"],
    "autoregressive": ["--model", "autoregressive", "--members", "1"],
    "ranks": ["--model", "autoregressive", "--members", "1", "--base", "independent"],
    "mixture": ["--model", "autoregressive", "--members", "3"],
}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def learnt(dtf, kind):
    return dtf.fit("t.csv", *KINDS[kind], content=dependent_rows(300, columns=3, sizes=[3, 2, 4], seed=6))


def domain(dtf, extra=()):
    """All combinations of the fitted values, and of `extra` ones."""
    categories = dtf.categories("m.dtf")
    values = [[*values, *extra] for values in categories.values()]
    return [list(categories), *map(list, itertools.product(*values))]


def test_probabilities_of_the_domain_and_of_all_that_is_unseen_sum_to_one(dtf, learnt):
    unseen = dtf.info(learnt)["unseen_mass"]
    assert 0 < unseen < 0.1
    known = [float(score) for score in dtf.scores(learnt, "d.csv", content=domain(dtf))]
    assert math.fsum(map(math.exp, known)) == pytest.approx(1 - unseen, abs=1e-9)
    everything = [float(score) for score in dtf.scores(learnt, "d.csv", content=domain(dtf, ["never seen"]))]
    assert math.fsum(map(math.exp, everything)) == pytest.approx(1, abs=1e-9)
    assert max(everything) <= 0


def test_the_domain_is_encoded_one_to_one_and_comes_back(dtf, learnt, kind):
    table = dtf.write("d.csv", domain(dtf))
    dtf("encode", learnt, table, "-o", "z.csv")
    names, *codes = parse_csv(dtf.read("z.csv"))
    assert names == [b"member"] * (kind == "mixture") + [name.encode() for name in dtf.names(learnt)]
    assert len(set(map(tuple, codes))) == len(codes)
    for column, size in zip(zip(*codes), [3] * (kind == "mixture") + [3, 2, 4]):
        assert set(map(int, column)) <= set(range(size))
    assert dtf("decode", learnt, "z.csv").out == dtf.read("d.csv")


def test_a_code_of_no_member_is_refused(dtf, failure):
    dtf.fit("t.csv", *KINDS["mixture"], content=dependent_rows(100, columns=2, sizes=[2, 2], seed=7))
    dtf.write("z.csv", "member,v0,v1\n2,0,0\n3,0,0\n")
    failure(3, "decode", "m.dtf", "z.csv", words=("z.csv", "line 3", "`member`", "`3`", "0..2"))
    dtf.write("z.csv", "v0,v1\n0,0\n")
    failure(3, "decode", "m.dtf", "z.csv", words=("z.csv", "`member`"))


def test_results_depend_neither_on_threads_nor_on_how_a_sample_is_cut(dtf, learnt):
    many = [dtf("sample", learnt, "-n", "3000", "--threads", threads).out for threads in ("1", "2", "5")]
    assert many[0] == many[1] == many[2]
    few = dtf("sample", learnt, "-n", "700").out
    assert many[0].startswith(few)
    dtf.write("s.csv", many[0])
    for verb in ("score", "encode"):
        outputs = {dtf(verb, learnt, "s.csv", "--threads", threads).out for threads in ("1", "2", "5")}
        assert len(outputs) == 1
    together = dtf.scores(learnt, "s.csv")
    header, *lines = many[0].splitlines(keepends=True)
    assert dtf.scores(learnt, "one.csv", content=header + lines[1234]) == together[1234:1235]


def test_samples_have_the_models_probabilities(dtf, learnt):
    draws = 20_000
    sample = dtf("sample", learnt, "-n", draws).lines[1:]
    table = domain(dtf)
    scores = dtf.scores(learnt, "d.csv", content=table)
    unseen = dtf.info(learnt)["unseen_mass"]
    seen = {row: sample.count(row) for row in set(sample)}
    assert set(seen) <= {",".join(row) for row in table[1:]}
    for row, score in zip(table[1:], map(float, scores)):
        p = math.exp(score) / (1 - unseen)
        assert seen.get(",".join(row), 0) == pytest.approx(draws * p, abs=5 * math.sqrt(draws * p * (1 - p)) + 2)


def test_columns_have_summands_unless_the_model_is_a_mixture(dtf, failure, learnt, kind):
    if kind == "mixture":
        failure(2, "score", learnt, "t.csv", "--per-column", words=("mixture of 3 models", "per column"))
        return
    header, *lines = dtf("score", learnt, "t.csv", "--per-column").lines
    assert header.split(",") == dtf.names(learnt)
    sums = [math.fsum(map(float, line.split(","))) for line in lines]
    assert sums == pytest.approx(list(map(float, dtf.scores(learnt, "t.csv"))), abs=1e-12)


def test_info_tells_what_the_model_is_made_of(dtf, learnt, kind):
    info = dtf.info(learnt)
    structure = info["structure"]
    family = FAMILY.get(kind, kind)
    assert structure["kind"] == family
    base = {"tsp": "independent", "ranks": "independent", "mixture": None}.get(kind, "conditional")
    assert structure["base"] == base
    assert (structure["nodes"], structure["parameters"]) == (info["nodes"], info["parameters"])
    assert info["layers"] == structure["layers"] == (2 if family == "tsp" else 0)
    assert len(structure["members"]) == (3 if kind == "mixture" else 0)
    for member in structure["members"]:
        assert set(member) == set(structure) | {"weight"}
    flows = structure["members"] or [structure]
    if family != "tsp":
        assert all(sorted(flow["order"]) == dtf.names(learnt) and flow["questions"] == 6 for flow in flows)
    if kind == "mixture":
        assert math.fsum(flow["weight"] for flow in flows) == pytest.approx(1)
    text = dtf("info", learnt).out.decode()
    assert structure["kind"] in text and str(structure["nodes"]) in text


def test_where_all_members_say_the_same_there_is_one(dtf):
    for name, rows in (("equal.csv", [["a", "b"], *[["x", "y"]] * 500]), ("few.csv", [["a"], ["x"], ["y"], ["z"]])):
        result = dtf("fit", dtf.write(name, rows), "-o", "m.dtf")
        assert "kind          autoregressive, conditional base" in result.out.decode()


def test_a_conditional_base_of_a_tsp_changes_scores_but_no_latent_code(dtf):
    table = dtf.write("t.csv", dependent_rows(300, columns=3, sizes=[3, 2, 4], seed=6))
    tsp = ["--model", "tsp", "--layers", "1"]
    dtf.fit(table, *tsp, model="independent.dtf")
    dtf.fit(table, *tsp, "--base", "conditional", model="conditional.dtf")
    models = ("independent.dtf", "conditional.dtf")
    assert len({dtf("encode", model, table).out for model in models}) == 1
    nll = [dtf("eval", model, table, "--json").json["nll"] for model in models]
    assert nll[1] < nll[0]
    assert [dtf.info(model)["options"]["base"] for model in models] == ["independent", "conditional"]


def test_several_values_may_go_left(dtf, failure):
    rows = dependent_rows(300, columns=3, sizes=[5, 5, 5], seed=6)
    dtf.fit("t.csv", "--layers", "1", content=rows, model="one.dtf")
    dtf.fit("t.csv", "--layers", "1", "--split-values", "3", model="three.dtf")
    nll = [dtf.info(model)["train_nll"] for model in ("one.dtf", "three.dtf")]
    assert nll[1] < nll[0]
    assert dtf.info("three.dtf")["options"]["split-values"] == "3"
    failure(2, "fit", "t.csv", "-o", "m.dtf", "--model", "autoregressive", "--split-values", "2", words=("--split-values",))


@pytest.mark.parametrize(
    "members, names, latents",
    [
        ("1", ["member", "v1"], ["member", "v1"]),
        ("3", ["member", "v1"], ["member_2", "member", "v1"]),
        ("3", ["member_2", "member"], ["member_3", "member_2", "member"]),
    ],
)
def test_a_column_may_have_the_name_of_the_member_of_a_mixture(dtf, members, names, latents):
    rows = dependent_rows(100, columns=2, sizes=[2, 3], seed=8)
    rows[0] = names
    dtf.write("t.csv", rows)
    dtf("fit", "t.csv", "-o", "m.dtf", "--model", "autoregressive", "--members", members, "--quiet")
    dtf("encode", "m.dtf", "t.csv", "-o", "z.csv")
    assert parse_csv(dtf.read("z.csv"))[0] == [name.encode() for name in latents]
    assert dtf("decode", "m.dtf", "z.csv").out == to_csv(rows)
