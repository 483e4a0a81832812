"""The same engine, file and numbers as the command line: to the byte, and to the last bit."""

import json
import pickle

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import dtf
from dtf._encoding import encode
from tables import correlated, typed

TABLES = {
    "texts": correlated(),
    "wide": correlated(200, seed=3, columns=12),
    "typed": typed(),
    "typed, none missing": typed(missing=False),
}
OPTIONS = {
    "tsp": ({"model": "tsp", "layers": 3}, ["--model", "tsp", "--layers", "3"]),
    "member": ({"members": 1}, ["--members", "1"]),
    "forest": ({"members": 2, "random_state": 7}, ["--members", "2", "--seed", "7"]),
    "closed": ({"criterion": "glp", "closed": True, "alpha": 1}, ["--criterion", "glp", "--closed", "--alpha", "1"]),
}


@pytest.fixture(params=TABLES)
def table(request, cli):
    """Also as a file that has all of Arrow's types."""
    table = TABLES[request.param]
    with pa.ipc.new_file(cli.path("table.arrow"), table.schema) as file:
        file.write_table(table, max_chunksize=50)
    return table


def cli_scores(cli, model):
    lines = cli("score", model, "table.arrow").decode().splitlines()
    assert lines[0] == "log_likelihood"
    return np.array(lines[1:], float)


@pytest.mark.parametrize("options", OPTIONS)
def test_the_model_files_and_scores_are_the_same(cli, table, options):
    parameters, arguments = OPTIONS[options]
    cli("fit", "table.arrow", "-o", "cli.dtf", "--quiet", *arguments)
    flow = dtf.DiscreteTreeFlow(**parameters).fit(table)
    flow.save(cli.path("python.dtf"))
    assert cli.path("python.dtf").read_bytes() == cli.path("cli.dtf").read_bytes()
    scores = flow.score_samples(table)
    assert scores.dtype == np.float64
    assert np.array_equal(scores, cli_scores(cli, "cli.dtf"))
    assert np.array_equal(dtf.load(cli.path("cli.dtf")).score_samples(table), scores)


def test_samples_and_codes_are_the_same(cli, table):
    flow = dtf.DiscreteTreeFlow(model="tsp").fit(table)
    flow.save(cli.path("m.dtf"))
    cli("sample", "m.dtf", "-n", "50", "--seed", "3", "-o", "sample.arrow")
    sample = dtf.load(cli.path("m.dtf")).sample(50, random_state=3)
    assert sample.equals(pa.ipc.open_file(cli.path("sample.arrow")).read_all())
    cli("encode", "m.dtf", "table.arrow", "-o", "z.csv")
    codes = np.loadtxt(cli.path("z.csv"), int, delimiter=",", skiprows=1, ndmin=2)
    assert np.array_equal(flow.transform(table), codes)


@pytest.mark.parametrize("name", TABLES)
def test_a_parquet_file_gives_the_same_model(cli, name):
    table = TABLES[name].select([column for column in TABLES[name].column_names if column != "half"])
    pq.write_table(table, cli.path("table.parquet"), row_group_size=50)  # which had no half floats before pyarrow 15
    cli("fit", "table.parquet", "-o", "cli.dtf", "--quiet", "--model", "tsp")
    dtf.DiscreteTreeFlow(model="tsp").fit(pq.read_table(cli.path("table.parquet"))).save(cli.path("python.dtf"))
    assert cli.path("python.dtf").read_bytes() == cli.path("cli.dtf").read_bytes()


def test_the_mean_is_weighted_by_the_column_of_weights(cli):
    weighted = correlated(300).append_column("w", pa.array([0.5, 2, 0] * 100))
    pq.write_table(weighted, cli.path("w.parquet"))
    cli("fit", "w.parquet", "-o", "m.dtf", "--quiet", "--model", "tsp", "--weights", "w")
    cli("score", "m.dtf", "w.parquet", "-o", "s.parquet")
    flow = dtf.load(cli.path("m.dtf"))
    assert np.array_equal(pq.read_table(cli.path("s.parquet"))[0].to_numpy(), flow.score_samples(weighted))
    found = json.loads(cli("eval", "m.dtf", "w.parquet", "--json"))
    assert found["nll"] == pytest.approx(-flow.score(weighted), rel=1e-12)


def test_weights_of_a_column_and_of_rows(cli):
    table = correlated(300)
    weights = np.arange(300) % 4
    pq.write_table(table.append_column("w", pa.array(weights)), cli.path("w.parquet"))
    pq.write_table(table.take(np.repeat(np.arange(300), weights)), cli.path("repeated.parquet"))
    pq.write_table(table, cli.path("table.parquet"))
    cli("fit", "w.parquet", "-o", "column.dtf", "--quiet", "--model", "tsp", "--weights", "w")
    cli("fit", "repeated.parquet", "-o", "repeated.dtf", "--quiet", "--model", "tsp")
    by_column = dtf.DiscreteTreeFlow(model="tsp", weights="w").fit(pq.read_table(cli.path("w.parquet")))
    by_column.save(cli.path("python.dtf"))
    assert cli.path("python.dtf").read_bytes() == cli.path("column.dtf").read_bytes()
    by_rows = dtf.DiscreteTreeFlow(model="tsp").fit(table, sample_weight=weights)
    by_rows.save(cli.path("python.dtf"))
    assert cli.path("python.dtf").read_bytes() == cli.path("repeated.dtf").read_bytes()


def test_bins_domain_and_valid(cli):
    random = np.random.default_rng(1)
    numbers = np.round(random.normal(size=400), 3)
    table = correlated(400).append_column("x", pa.array(numbers))
    pq.write_table(table.slice(0, 300), cli.path("train.parquet"))
    pq.write_table(table.slice(300), cli.path("valid.parquet"))
    pq.write_table(table, cli.path("table.parquet"))
    files = ["--valid", "valid.parquet", "--domain", "table.parquet"]
    cli("fit", "train.parquet", "-o", "cli.dtf", "--quiet", "--bins", "x=5:width", "--model", "tsp", *files)
    flow = dtf.DiscreteTreeFlow(model="tsp", bins={"x": "5:width"})
    flow.fit(table.slice(0, 300), valid=table.slice(300), domain=table).save(cli.path("python.dtf"))
    assert cli.path("python.dtf").read_bytes() == cli.path("cli.dtf").read_bytes()
    cli("sample", "cli.dtf", "-n", "40", "-o", "sample.parquet")
    assert flow.sample(40, random_state=0).equals(pq.read_table(cli.path("sample.parquet")))


def test_the_parameters_of_a_model_come_back_from_its_file(cli):
    parameters = {"model": "tsp", "layers": 2, "min_split": 5, "ordered": ["c1"], "random_state": 4}
    flow = dtf.DiscreteTreeFlow(**parameters).fit(correlated())
    flow.save(cli.path("m.dtf"))
    loaded = dtf.load(cli.path("m.dtf")).get_params()
    assert {name: loaded[name] for name in parameters} == parameters


def test_what_means_missing_to_the_command_line_does_so_here(cli):
    cells = ["x", "y", "?"] * 40
    cli.path("t.csv").write_text("p,n\n" + "".join(f"{cell},{i % 7}\n" for i, cell in enumerate(cells)))
    cli("fit", "t.csv", "-o", "m.dtf", "--quiet", "--missing", "?", "--missing", "n=6", "--bins", "n=3")
    flow = dtf.load(cli.path("m.dtf"))
    marked = pa.table({"p": cells, "n": [i % 7 for i in range(120)]})
    plain = pa.table(
        {
            "p": [None if cell == "?" else cell for cell in cells],
            "n": [None if i % 7 == 6 else i % 7 for i in range(120)],
        }
    )
    assert np.array_equal(flow.score_samples(marked), flow.score_samples(plain))
    assert np.array_equal(flow.transform(marked), flow.transform(plain))
    again = pickle.loads(pickle.dumps(dtf.load(cli.path("m.dtf")))).fit(marked)
    assert np.array_equal(again.score_samples(marked), flow.score_samples(plain))
    again.save(cli.path("again.dtf"))
    cli("score", "again.dtf", "t.csv", "-o", "again.csv")
    cli("score", "m.dtf", "t.csv", "-o", "scores.csv")
    assert cli.path("again.csv").read_bytes() == cli.path("scores.csv").read_bytes()
    for categories, column in zip(flow._categories(), ("p", "n")):
        codes = [categories.codes(*encode(table.column(column))) for table in (marked, plain)]
        assert np.array_equal(*codes) and categories.names[codes[0].max()] == "(missing)"
