"""What a command prints where, what it ends with, and how its options are spelt."""

import math
import os
import resource
import signal
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tables import dependent_rows

VERBS = ["fit", "eval", "score", "sample", "encode", "decode", "crossval", "info", "report"]
FIT_KEYS = {"rows", "columns", "layers", "nodes", "parameters", "train_nll", "valid_nll", "seconds"}


@pytest.fixture
def table(dtf):
    return dtf.write("t.csv", dependent_rows(300, seed=1))


@pytest.fixture
def learnt(dtf, table):
    return dtf.fit(table, "--layers", "2")


# ---------------------------------------------------------------- Help and usage


def test_the_version_is_printed(dtf):
    assert dtf("--version").lines[0].startswith("dtf ")


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_verb_has_help(dtf, verb, option):
    result = dtf(verb, option)
    assert f"Usage: dtf {verb}" in result.out.decode() and result.err == ""


def test_the_help_lists_the_verbs(dtf):
    text = dtf("--help").out.decode()
    assert all(f"  {verb} " in text for verb in VERBS)


@pytest.mark.parametrize(
    "arguments", [[], ["learn"], ["--verbose"], ["fit"], ["fit", "t.csv"], ["score", "m.dtf"], ["info"]]
)
def test_a_command_that_lacks_something_is_a_usage_error(dtf, table, arguments):
    assert "--help" in dtf(*arguments, code=2).err


def test_fit_without_a_table_does_not_wait_for_one(dtf):
    process = dtf.start("fit", "-o", "m.dtf")
    assert process.wait(timeout=10) == 2
    process.communicate()


@pytest.mark.parametrize(
    "arguments, near",
    [
        (["fit", "t.csv", "-o", "n.dtf", "--layer", "3"], "--layers"),
        (["fit", "t.csv", "-o", "n.dtf", "--close"], "--closed"),
        (["score", "m.dtf", "t.csv", "--per-colum"], "--per-column"),
        (["sample", "m.dtf", "-n", "1", "--sed", "1"], "--seed"),
        (["scor", "m.dtf", "t.csv"], "score"),
    ],
)
def test_an_unknown_word_is_refused_with_the_nearest(dtf, failure, learnt, arguments, near):
    failure(2, *arguments, words=(near,))


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_takes_an_unknown_option(dtf, failure, verb):
    failure(2, verb, "--no-such-option", words=("--no-such-option",))


def test_an_argument_too_many_is_refused(dtf, failure, table):
    failure(2, "fit", table, "u.csv", "-o", "m.dtf", words=("u.csv",))


@pytest.mark.parametrize(
    "option",
    [
        ("--layers", "some"), ("--layers", "-1"), ("--max-depth", "-1"), ("--min-split", "x"), ("--alpha", "-0.1"),
        ("--alpha", "nan"), ("--criterion", "gini"), ("--model", "forest"), ("--base", "x"), ("--valid-fraction", "1"),
        ("--seed", "-1"), ("--threads", "-1"), ("--threads", "two"), ("--features-per-node", "-2"), ("--split-values", "0"),
        ("--ordered", "no"), ("--order", ""),
    ],
)  # fmt: skip
def test_a_value_that_an_option_cannot_have_is_a_usage_error(dtf, failure, table, option):
    failure(2, "fit", table, "-o", "m.dtf", *option, words=(option[0],))


def test_a_model_cannot_go_to_standard_output(dtf, table):
    dtf("fit", table, "-o", "-", code=2)


# ---------------------------------------------------------------- On and off


ON = ["{}", "{}=true", "{}=True", "{}=TRUE", "{}=1", "{}=yes", "{}=on"]
OFF = ["--no-{}", "{}=false", "{}=False", "{}=FALSE", "{}=0", "{}=no", "{}=off"]


def spell(pattern, name):
    return pattern.format(name) if pattern.startswith("--no-") else pattern.format("--" + name)


@pytest.mark.parametrize("pattern", ON + OFF)
def test_true_words_switch_on_and_false_words_off(dtf, table, pattern):
    is_on = pattern in ON
    dtf.fit(table, "--members", "1", spell(pattern, "closed"), spell(pattern, "refit"))
    info = dtf.info("m.dtf")
    assert info["closed"] is is_on and info["options"]["refit"] == ("true" if is_on else "false")
    assert dtf.names(dtf.fit(table, "--members", "1", spell(pattern, "header")))[0] == ("v0" if is_on else "c1")
    header = dtf("score", "m.dtf", table, "--header=" + str(is_on), spell(pattern, "per-column")).lines[0]
    assert ("," in header) is is_on


@pytest.mark.parametrize("pattern", ON + OFF)
def test_json_and_quiet_can_be_switched(dtf, table, pattern):
    is_on = pattern in ON
    result = dtf("fit", table, "-o", "m.dtf", "--layers", "1", spell(pattern, "json"), spell(pattern, "quiet"))
    assert result.out.startswith(b"{") is is_on
    assert (result.err == "") is is_on


FLAGS = {
    "fit": ["json", "quiet", "closed", "allow-unique", "refit", "header"],
    "crossval": ["json", "quiet", "closed", "allow-unique", "refit", "header", "contiguous"],
    "eval": ["json", "header"],
    "score": ["per-column", "header"],
    "encode": ["header"],
    "decode": ["header"],
    "info": ["json"],
}


@pytest.mark.parametrize("verb, name", [(verb, name) for verb, names in FLAGS.items() for name in names])
@pytest.mark.parametrize("word", ["maybe", "2", "-1"])
def test_any_other_word_is_refused(dtf, failure, learnt, verb, name, word):
    arguments = {"fit": ["t.csv", "-o", "n.dtf"], "crossval": ["t.csv", "--folds", "2"], "info": ["m.dtf"]}
    failure(2, verb, *arguments.get(verb, ["m.dtf", "t.csv"]), f"--{name}={word}", words=(name,))


@pytest.mark.parametrize("word", ["--no-{}", "--{}=no"])
def test_an_option_switched_off_excludes_no_other(dtf, table, word):
    dtf("fit", table, "-o", "m.dtf", "--domain", table, word.format("closed"))
    folds = ("crossval", table, "--folds", "2", "--shuffle-seed", "1", "--layers", "1", "--json")
    switched_off = dtf(*folds, word.format("contiguous")).json
    assert switched_off["nll_mean"] == dtf(*folds).json["nll_mean"]


def test_the_last_word_counts(dtf, table):
    dtf.fit(table, "--closed", "--no-closed")
    assert dtf.info("m.dtf")["closed"] is False
    dtf.fit(table, "--closed=no", "--closed")
    assert dtf.info("m.dtf")["closed"] is True


# ---------------------------------------------------------------- Failure


@pytest.mark.parametrize(
    "code, arguments",
    [
        (2, []),
        (2, ["nosuchverb"]),
        (2, ["fit", "--nosuchoption", "t.csv"]),
        (3, ["fit", "nowhere.csv", "-o", "n.dtf"]),
        (3, ["fit", "torn.csv", "-o", "n.dtf"]),
        (3, ["fit", ".", "-o", "n.dtf"]),
        (3, ["crossval", "torn.csv", "--folds", "2"]),
        (3, ["score", "m.dtf", "nowhere.csv"]),
        (3, ["score", "m.dtf", "torn.csv", "-o", "out.csv"]),
        (3, ["encode", "m.dtf", "torn.csv", "-o", "out.parquet"]),
        (3, ["decode", "m.dtf", "torn.csv", "-o", "out.csv.gz"]),
        (4, ["score", "nowhere.dtf", "t.csv"]),
        (4, ["score", "t.csv", "t.csv"]),
        (4, ["sample", "t.csv", "-n", "3", "-o", "out.csv"]),
        (1, ["sample", "m.dtf", "-n", "3", "-o", "no/where.csv"]),
        (1, ["score", "m.dtf", "t.csv", "-o", "."]),
    ],
)
def test_failures_have_codes_and_leave_nothing(dtf, learnt, code, arguments):
    dtf.write("torn.csv", "v0,v1,v2,v3,v4\np,p,p,p,p\np,p\n")
    result = dtf(*arguments, code=code)
    assert len(result.err.splitlines()) == 1


READING_OPTIONS = ["--drop={}", "--keep={}", "--missing={}=x"]
COLUMN_OPTIONS = [*READING_OPTIONS, "--ordered={}", "--bins={}=2", "--weights={}", "--order={},v0"]


@pytest.mark.parametrize("verb", [["fit", "-o", "n.dtf"], ["crossval", "--folds", "2"]])
@pytest.mark.parametrize("option", COLUMN_OPTIONS)
def test_an_option_that_names_no_column_of_the_table_is_at_fault_not_the_table(failure, table, verb, option):
    failure(2, *verb, table, option.format("V"), words=(option.split("=")[0], "`V`"))


@pytest.mark.parametrize("verb", [["eval"], ["score"], ["encode", "-o", "z.csv"]])
@pytest.mark.parametrize("option", READING_OPTIONS)
def test_so_it_is_for_every_verb(failure, learnt, verb, option):
    failure(2, *verb, learnt, "t.csv", option.format("V"), words=(option.split("=")[0], "t.csv", "`V`", "`v0`"))


def test_the_column_of_weights_is_neither_cut_nor_ordered(failure, table):
    for option in ("--bins=v0=2", "--ordered=v0"):
        failure(2, "fit", table, "-o", "n.dtf", "--weights", "v0", option, words=("`v0` holds the weights",))


@pytest.mark.parametrize("option", ["--valid", "--domain"])
def test_an_empty_file_name_is_none(failure, table, option):
    failure(3, "fit", table, "-o", "m.dtf", option, "")


def test_a_file_called_as_standard_input_is_another(dtf, learnt, table):
    scores = dtf("score", learnt, table).out
    dtf("encode", learnt, table, "-o", "z.csv")
    rows = dtf("decode", learnt, "z.csv").out
    dtf.write("-", "not a table")
    assert dtf("score", learnt, "-", input=dtf.read(table)).out == scores
    dtf("decode", learnt, "-", "-o", "back.csv", input=dtf.read("z.csv"))
    assert dtf.read("back.csv") == rows


def test_pipes_that_do_not_block_are_waited_for(dtf, learnt):
    expected = dtf("sample", learnt, "-n", "30000").out
    sampling = dtf.start("sample", learnt, "-n", "30000", preexec_fn=lambda: os.set_blocking(1, False))
    assert sampling.communicate(timeout=60)[0] == expected and sampling.returncode == 0
    dtf.write("rows.csv", expected)
    scores = dtf("score", learnt, "rows.csv").out
    scoring = dtf.start("score", learnt, "-", preexec_fn=lambda: os.set_blocking(0, False))
    assert scoring.communicate(expected, timeout=60)[0] == scores and scoring.returncode == 0


def test_a_nul_does_not_end_a_message(dtf, failure):
    dtf.fit("t.csv", "--closed", "--members", "1", content=[["p"], *[["x"], ["y"]] * 20])
    dtf.write("nul.csv", "p\nx\0y\n")
    failure(3, "score", "m.dtf", "nul.csv", words=("nul.csv", "`x\\0y` is not a value"))


def test_one_column_that_looks_like_several_is_warned_of(dtf):
    dtf.write("t.csv", "p;q\n" + "x;1\ny;2\n" * 20)
    assert "--delimiter ';'" in dtf("fit", "t.csv", "-o", "m.dtf", "--members", "1").err
    assert "--delimiter" not in dtf("fit", "t.csv", "-o", "m.dtf", "--members", "1", "--delimiter", ";").err


def test_an_order_names_columns_that_hold_commas(dtf):
    rows = [["a", "a,b", "b", ""], *[["1", "2", "3", "4"], ["5", "6", "7", "8"]] * 20]
    dtf.fit("t.csv", "--order", 'b,"a,b",,a', "--members", "1", content=rows)
    assert dtf.info("m.dtf")["structure"]["order"] == ["b", "a,b", "", "a"]


def test_what_a_column_is_called_does_not_control_the_terminal(dtf):
    dtf.fit("t.csv", "--members", "1", content=[["a\x1b[31m", "b"], *[["x", "y"], ["z", "w"]] * 20])
    assert b"\x1b" not in dtf("info", "m.dtf").out


def test_a_late_fault_of_the_input_leaves_the_old_output(dtf, learnt, failure):
    good = dtf.read("t.csv")
    dtf.write("torn.csv", good + good.split(b"\n", 1)[1] * 400 + b"p,p\n")
    for name in ("out.csv", "out.parquet", "out.csv.gz"):
        dtf.write(name, "old")
        failure(3, "score", learnt, "torn.csv", "-o", name, words=("torn.csv", "line 120302"))
        assert dtf.read(name) == b"old"


@pytest.mark.parametrize("verb", ["fit", "score", "encode", "decode", "eval"])
def test_empty_standard_input_is_called_so(dtf, learnt, verb):
    arguments = ["-", "-o", "n.dtf"] if verb == "fit" else [learnt, "-"]
    assert "standard input is empty" in dtf(verb, *arguments, code=3).err


def test_little_memory_ends_no_finished_run_by_a_signal(dtf, learnt):
    whole = dtf("info", learnt).out
    pq.write_table(pa.table({"p": [f"a long text {i}" for i in range(200_000)]}), dtf.path("t.parquet"))
    finished, refused = 0, 0
    for megabytes in range(50, 250, 8):
        limit = (megabytes * 2**20, megabytes * 2**20)
        for arguments in (["info", learnt], ["fit", "t.parquet", "-o", "n.dtf", "--allow-unique"]):
            done = subprocess.run(
                dtf.command(*arguments),
                cwd=dtf.directory,
                capture_output=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
            )
            if done.stdout == whole:
                assert done.returncode == 0
                finished += 1
            message = done.stderr.rstrip().rpartition(b"\n")[-1]
            if message.startswith(b"dtf: "):
                assert (done.returncode, message) == (5, b"dtf: not enough memory")
                refused += 1
    if finished == 0:
        pytest.skip("this build of the program does not even start in so little memory")
    assert refused > 0


def test_not_enough_memory_has_a_code_of_its_own(dtf):
    dtf.write("t.csv", "p,q\n" + "".join(f"{i % 50000},{i}\n" for i in range(100_001)))

    def limit_memory():
        resource.setrlimit(resource.RLIMIT_DATA, (24 * 2**20, 24 * 2**20))

    start = subprocess.run(dtf.command("--version"), preexec_fn=limit_memory, capture_output=True)
    if start.returncode != 0:
        pytest.skip("this build of the program does not even start in so little memory")
    options = ("--allow-unique", "--threads", "1")
    message = dtf("fit", "t.csv", "-o", "m.dtf", *options, code=5, preexec_fn=limit_memory).err
    assert message == "dtf: not enough memory\n"


# ---------------------------------------------------------------- Results


def test_fit_prints_its_keys(dtf, table):
    result = dtf("fit", table, "-o", "m.dtf", "--json")
    found = result.json
    assert set(found) == FIT_KEYS
    assert (found["rows"], found["columns"]) == (300, 5)
    info = dtf.info("m.dtf")
    for key in ("rows", "columns", "layers", "nodes", "parameters", "train_nll"):
        assert found[key] == info[key]
    assert found["valid_nll"] > 0 and found["seconds"] > 0
    assert dtf("fit", table, "-o", "m.dtf", "--json", "--layers", "1").json["valid_nll"] is None


def test_eval_prints_its_keys(dtf, table, learnt):
    found = dtf("eval", learnt, table, "--json").json
    assert set(found) == {"rows", "nll", "bits_per_dim"}


def test_crossval_prints_its_keys_and_means(dtf, table):
    found = dtf("crossval", table, "--folds", "3", "--json", "--layers", "2").json
    assert set(found) == {"folds", "nll_mean", "nll_std", "seconds_mean", "parameters_mean"}
    folds = found["folds"]
    assert len(folds) == 3 and all(set(fold) == FIT_KEYS | {"nll"} for fold in folds)
    nll = [fold["nll"] for fold in folds]
    mean = math.fsum(nll) / 3
    assert found["nll_mean"] == pytest.approx(mean, rel=1e-12)
    assert found["nll_std"] == pytest.approx(math.sqrt(sum((x - mean) ** 2 for x in nll) / 3), rel=1e-9)
    assert found["parameters_mean"] == pytest.approx(sum(fold["parameters"] for fold in folds) / 3)
    assert found["seconds_mean"] == pytest.approx(sum(fold["seconds"] for fold in folds) / 3)


def test_crossval_tells_layers_of_models_that_have_some(dtf, table):
    assert "1 layers" in dtf("crossval", table, "--folds", "2", "--layers", "1").lines[0]
    assert "layers" not in dtf("crossval", table, "--folds", "2", "--members", "1").lines[0]


def test_info_tells_schema_options_size_and_curve(dtf, table, learnt):
    found = dtf.info(learnt)
    assert {"schema", "options", "layers", "nodes", "parameters", "learning_curve"} <= set(found)
    assert found["options"]["layers"] == "2" and found["options"]["seed"] == "0"
    assert [point["layers"] for point in found["learning_curve"]] == [0, 1, 2]
    losses = [point["train_nll"] for point in found["learning_curve"]]
    assert losses == sorted(losses, reverse=True) and losses[-1] == pytest.approx(found["train_nll"], abs=1e-9)
    text = dtf("info", learnt).out.decode()
    assert all(f"v{j}: " in text for j in range(5))


def test_results_without_json_are_for_people(dtf, table, learnt):
    for verb in (["eval", learnt, table], ["crossval", table, "--folds", "2"], ["fit", table, "-o", "m.dtf"]):
        result = dtf(*verb)
        assert "nats" in result.out.decode() and not result.out.startswith(b"{")


def test_contiguous_folds_are_those_of_the_file(dtf, table):
    header, *rows = dependent_rows(301, seed=2)
    dtf.write("t.csv", [header, *rows])
    options = ("--layers", "2", "--alpha", "0.5")
    found = dtf("crossval", "t.csv", "--folds", "3", "--contiguous", "--closed", "--json", *options).json
    assert [fold["rows"] for fold in found["folds"]] == [201] * 3
    for i, fold in enumerate(found["folds"]):
        test, train = rows[i * 100 : (i + 1) * 100], rows[: i * 100] + rows[(i + 1) * 100 :]
        dtf.fit("train.csv", "--domain", "t.csv", *options, content=[header, *train])
        dtf.write("test.csv", [header, *test])
        assert fold["nll"] == pytest.approx(dtf("eval", "m.dtf", "test.csv", "--json").json["nll"], abs=1e-12)


def test_shuffled_folds_follow_their_seed(dtf, table):
    def nll(*options):
        found = dtf("crossval", table, "--folds", "3", "--json", "--layers", "1", *options).json
        return [fold["nll"] for fold in found["folds"]]

    assert nll("--shuffle-seed", "1") == nll("--shuffle-seed", "1") != nll("--shuffle-seed", "2")
    assert nll() != nll("--contiguous")


@pytest.mark.parametrize("folds, code", [("0", 2), ("1", 2), ("-2", 2), ("x", 2), ("301", 2)])
def test_folds_that_cannot_be_made_are_refused(dtf, table, folds, code):
    dtf("crossval", table, "--folds", folds, code=code)


# ---------------------------------------------------------------- Progress


def test_progress_is_one_line_a_layer_on_standard_error(dtf, table):
    result = dtf("fit", table, "-o", "m.dtf", "--layers", "4", "--valid-fraction", "0.2", "--no-refit")
    lines = [line for line in result.err.splitlines() if line.startswith("layer ")]
    assert [line.split(":")[0] for line in lines] == [f"layer {i} of 4" for i in range(5)]
    curve = dtf.info("m.dtf")["learning_curve"]
    for line, point in zip(lines, curve):
        assert f"train {point['train_nll']:.4f} nats, held-out {point['valid_nll']:.4f} nats" in line
        assert line.endswith(" s") and "\r" not in line and "\x1b" not in line


def test_progress_is_one_line_a_member_of_an_autoregressive_model(dtf, table):
    lines = dtf("fit", table, "-o", "m.dtf", "--members", "3").err.splitlines()
    members = [line for line in lines if line.startswith("member ")]
    assert [line.split(" (")[0] for line in members] == [f"member {i} of 3" for i in (1, 2, 3)]
    curve = dtf.info("m.dtf")["learning_curve"]
    for line, point in zip(members, curve):
        assert f"held-out {point['valid_nll']:.4f} nats" in line


def test_progress_tells_of_work_that_gives_no_member(dtf, table):
    lines = dtf("fit", table, "-o", "m.dtf").err.splitlines()
    phases = [line.split(", from ") for line in lines if ", from " in line]
    assert [phase for phase, _ in phases] == [
        "relating columns",
        "trying kinds of members",
        "trying columns in the table's order",
        "trying columns in reverse order",
        "trying columns in an order drawn",
        "trying columns in an order drawn",
        "looking for Bayesian networks",
        "learning latent models",
    ]
    seconds = [float(end.removesuffix(" s")) for _, end in phases]
    assert seconds == sorted(seconds)
    assert ", from " not in dtf("fit", table, "-o", "m.dtf", "--conditioner", "tree", "--members", "1").err


def test_a_fit_tells_what_it_tried_and_then_what_it_chose(dtf, table):
    result = dtf("fit", table, "-o", "m.dtf")
    lines = result.err.splitlines()
    tried = next(i for i, line in enumerate(lines) if line.startswith("dtf: tried, and judged by rows"))
    assert lines[tried + 1].startswith("dtf:   ") and "nats per row" in lines[tried + 1]
    structure = dtf.info("m.dtf")["structure"]
    classes = sum(member["is_class"] for member in structure["members"])
    kind = f"mixture of {len(structure['members']) - classes} models and {classes} latent classes"
    assert lines[-1] == f"dtf: chose: {kind}" and classes > 1
    assert f"kind          {kind}" in result.lines
    assert not any(line.startswith("layers") for line in result.lines)
    assert "layers        2" in dtf("fit", table, "-o", "m.dtf", "--layers", "2").lines


def test_info_tells_latent_classes_from_models(dtf, table):
    dtf.fit(table)
    members = dtf.info("m.dtf")["structure"]["members"]
    classes = [member for member in members if member["is_class"]]
    assert classes and all(member["trees"] == 0 for member in classes)
    text = dtf("info", "m.dtf").out.decode()
    weight = sum(member["weight"] for member in classes)
    assert f"{weight:.4f}: {len(classes)} latent classes, alike but for the odds of their columns" in text
    assert text.count("; order ") == len(members) - len(classes)


@pytest.mark.parametrize(
    "options, named",
    [
        (["--no-refit"], "--no-refit"),
        (["--valid-fraction", "0.1"], "--valid-fraction"),
        (["--valid-fraction", "0", "--no-refit"], "--valid-fraction and --no-refit"),
    ],
)
def test_holding_rows_out_without_effect_is_warned_of(dtf, table, options, named):
    fit = ("fit", table, "-o", "m.dtf", "--members", "1", *options)
    assert f"dtf: warning: no effect of {named}: " in dtf(*fit).err
    assert "warning" not in dtf(*fit, "--quiet").err
    assert "no effect" not in dtf(*fit[:-len(options)]).err
    assert "no effect" not in dtf("fit", table, "-o", "m.dtf", "--model", "tsp", *options).err
    crossval = ("crossval", table, "--folds", "2", "--members", "1", *options)
    assert f"dtf: warning: no effect of {named}: " in dtf(*crossval).err
    assert "warning" not in dtf(*crossval, "--quiet").err
    if options == ["--no-refit"]:
        assert "no effect" not in dtf(*fit, "--valid", table).err


@pytest.mark.parametrize("conditioner", ["tree", "linear", "boosted"])
def test_a_conditioner_that_nothing_judges_is_warned_of(dtf, conditioner):
    dtf.write("big.csv", dependent_rows(40_000, columns=8, sizes=[11], seed=4))
    fit = ("fit", "big.csv", "-o", "m.dtf", "--members", "1", "--conditioner", conditioner, "--valid-fraction", "0")
    warned = f"dtf: warning: no effect of --conditioner {conditioner}: " in dtf(*fit).err
    assert warned == (conditioner != "tree")


@pytest.mark.parametrize(
    "options",
    [("--model", "tsp", "--members", "2"), ("--model", "autoregressive", "--layers", "2"), ("--layers", "2", "--order", "random")],
)
def test_options_of_two_models_exclude_each_other(dtf, failure, table, options):
    failure(2, "fit", table, "-o", "m.dtf", *options, words=("--model tsp",) if "--order" in options else ("--model",))


def test_crossval_tells_of_each_fold(dtf, table):
    lines = dtf("crossval", table, "--folds", "3").err.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"fold {i} of 3" for i in (1, 2, 3)]


def test_quiet_says_nothing(dtf, table):
    for arguments in (["fit", table, "-o", "m.dtf"], ["crossval", table, "--folds", "2"]):
        assert dtf(*arguments, "--quiet").err == ""
    assert dtf("fit", table, "-o", "m.dtf", "--quiet").out == b""
    assert set(dtf("fit", table, "-o", "m.dtf", "--quiet", "--json").json) == FIT_KEYS


def test_on_a_terminal_progress_is_one_line_with_the_time_left(dtf, table):
    ours, theirs = os.openpty()
    fitting = dtf.start("fit", table, "-o", "m.dtf", "--layers", "50", stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = b""
    while chunk := read_terminal(ours):
        text += chunk
    os.close(ours)
    assert fitting.wait() == 0
    assert b"\r" in text and b"\n" not in text and b" left" in text


def read_terminal(descriptor):
    try:
        return os.read(descriptor, 4096)
    except OSError:  # how the end of a terminal is told
        return b""


# ---------------------------------------------------------------- Interruption


@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_ends_a_long_fit_and_leaves_nothing(dtf, old, stop):
    dtf.write("t.csv", dependent_rows(20_000, columns=14, seed=3))
    if old is not None:
        dtf.write("m.dtf", old)
    before = dtf.files()
    fitting = dtf.start("fit", "t.csv", "-o", "m.dtf", "--layers", "100000", "--max-depth", "12", "--min-split", "2")
    assert fitting.stderr.readline().startswith(b"layer ")
    fitting.send_signal(stop)
    fitting.communicate(timeout=20)
    assert fitting.returncode == 128 + stop
    assert dtf.files() == before
    assert old is None or dtf.read("m.dtf") == old


def test_an_interrupt_that_was_ignored_stays_so(dtf, learnt):
    """As a script's shell ignores it for what it starts by `&`."""
    ignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
    sampling = dtf.start("sample", learnt, "-n", "50000", preexec_fn=ignore)
    assert sampling.stdout.read(1000)
    sampling.send_signal(signal.SIGINT)
    sampling.communicate(timeout=60)
    assert sampling.returncode == 0


def test_an_interrupt_ends_a_stream(dtf, learnt):
    sampling = dtf.start("sample", learnt, "-n", str(10**12))
    assert sampling.stdout.read(1000)
    sampling.send_signal(signal.SIGINT)
    sampling.communicate(timeout=20)
    assert sampling.returncode == 130
