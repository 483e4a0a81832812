"""The paper's numbers, and what becomes of tables as they are found. The tables are not part of this project."""

import gzip
import os
import pathlib

import pytest

from conftest import REPOSITORY
from tables import Malformed, parse_csv

DATA = pathlib.Path(os.environ.get("DTF_TEST_DATA", REPOSITORY.parent / "shared")).resolve() / "data"


@pytest.fixture
def table():
    def find(name):
        path = DATA / name
        if not path.is_file():
            pytest.skip(f"{name} is not in DTF_TEST_DATA/data")
        return path

    return find


@pytest.fixture
def crossval(dtf, table):
    def run(name, *options):
        paper = ("--folds", "5", "--contiguous", "--closed", "--alpha", "0.001", "--min-split", "200")
        return dtf("crossval", table(name), *paper, "--quiet", "--json", *options).json

    return run


# ---------------------------------------------------------------- The paper's numbers


@pytest.mark.parametrize(
    "name, nll",
    [("coup_data_4_2", "1.3254"), ("coup_data_4_2_moderate_corr", "1.3991"), ("coup_data_4_2_weak_corr", "2.2200")],
)
def test_the_copula_tables_give_the_papers_numbers(crossval, name, nll):
    options = ("--no-header", "--criterion", "glp-code", "--layers", "2", "--max-depth", "2")
    assert f"{crossval(f'copula/{name}.csv', *options)['nll_mean']:.4f}" == nll


MUSHROOM = ("mushroom/mushroom.csv", "--drop", "stalk-root", "--layers", "8", "--max-depth", "6")


def test_mushroom_gives_the_papers_numbers(crossval):
    found = crossval(*MUSHROOM, "--criterion", "glp-code")
    folds = [f"{fold['nll']:.6f}" for fold in found["folds"]]
    assert folds == ["14.493333", "11.982676", "11.980025", "13.683058", "18.614689"]
    assert (f"{found['nll_mean']:.4f}", f"{found['nll_std']:.4f}") == ("14.1508", "2.4362")
    assert f"{found['parameters_mean']:.1f}" == "7604.0"


def test_mushroom_by_the_papers_text(crossval):
    found = crossval(*MUSHROOM, "--criterion", "glp")
    assert (f"{found['nll_mean']:.4f}", f"{found['nll_std']:.4f}") == ("14.6132", "2.9391")
    assert f"{found['parameters_mean']:.1f}" == "8767.2"


# ---------------------------------------------------------------- Tables as they are found


TABLES = {
    "messy/cabinet_turnover/cabinet-turnover.csv": (),
    "messy/chipotle_orders/chipotle.tsv": (),
    "messy/comma_survey/comma-survey.csv": (),
    "messy/food_world_cup/food-world-cup-data.csv": (),
    "messy/marvel_characters/marvel-wikia-data.csv.gz": (),
    "messy/masculinity_survey/raw-responses.csv.gz": (),
    "messy/police_deaths/all_data.csv.gz": (),
    "messy/starwars_survey/StarWars.csv": (),
    "titanic/titanic_train.csv": (),
    "adult/adult.data.gz": ("--no-header",),
    "adult/adult.test.gz": ("--no-header",),
    "mushroom/agaricus-lepiota.data": ("--no-header",),
    "balance-scale/balance-scale.csv": (),
    "breast-cancer/breast-cancer.csv": (),
    "car/car.csv": (),
    "house-votes-84/house-votes-84.csv": (),
    "lymphography/lymph_words.csv": (),
    "lymphography/lymphography.csv": (),
    "monks/monks-1_train.csv": (),
    "monks/monks-3_test.csv": (),
    "nursery/nursery.csv.gz": (),
    "splits/adult.valid.csv": (),
    "splits/votes.train.csv": (),
    "tic-tac-toe/tic-tac-toe.csv": (),
    "zoo/zoo.csv": (),
    "debd/dna/dna.train.csv": ("--no-header",),
    "debd/nltcs/nltcs.test.csv": ("--no-header",),
}


def rows_of(data, delimiter, has_header):
    """The rows a table should have, or nothing if it is none."""
    try:
        data.decode()
        records = parse_csv(data.removeprefix(b"\xef\xbb\xbf"), delimiter)
    except (Malformed, UnicodeDecodeError):
        return None
    if len(max(records, key=len)) > 1:
        records = [record for record in records if record != [None]]
    header = records[0]
    names = set(name or b"" for name in header) if has_header else header
    is_table = all(len(record) == len(header) for record in records) and len(names) == len(header)
    return records[has_header:] if is_table else None


@pytest.mark.parametrize("name", TABLES)
def test_a_found_table_comes_back_or_is_refused_with_the_line(dtf, table, failure, name):
    path, options = table(name), TABLES[name]
    data = gzip.decompress(path.read_bytes()) if name.endswith(".gz") else path.read_bytes()
    rows = rows_of(data, b"\t" if ".tsv" in name else b",", "--no-header" not in options)
    fit = ("fit", path, "-o", "m.dtf", "--quiet", "--allow-unique", "--criterion", "random", "--layers", "2", *options)
    if rows is None:
        failure(3, *fit, words=(path.name, "line "))
        return
    dtf(*fit)
    dtf("encode", "m.dtf", path, "-o", "z.csv", *options)
    header, *decoded = parse_csv(dtf("decode", "m.dtf", "z.csv").out)
    assert decoded == rows
