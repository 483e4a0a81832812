"""Threads, forks, signals, memory and locales."""

import concurrent.futures
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import threading

import numpy as np
import pyarrow as pa
import pytest

import dtf
from tables import correlated

TABLE = correlated()


def fit_and_score(seed):
    flow = dtf.DiscreteTreeFlow(members=2, random_state=seed, n_jobs=2).fit(TABLE)
    return flow.score_samples(TABLE).tobytes()


@pytest.fixture(scope="module")
def expected():
    return [fit_and_score(seed) for seed in range(4)]


@pytest.mark.timeout(60)
def test_forked_workers(expected):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(fit_and_score, range(4)) == expected


@pytest.mark.timeout(60)
def test_threads(expected):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(fit_and_score, range(4))) == expected


@pytest.mark.timeout(60)
def test_one_model_for_many_threads():
    flow = dtf.DiscreteTreeFlow(members=2).fit(TABLE)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        scores = {array.tobytes() for array in pool.map(lambda _: flow.score_samples(TABLE), range(16))}
    assert len(scores) == 1


@pytest.mark.timeout(60)
def test_loky_workers(tmp_path):
    joblib = pytest.importorskip("joblib")
    flow = dtf.DiscreteTreeFlow(members=1).fit(TABLE)
    scores = joblib.Parallel(n_jobs=2, backend="loky")(joblib.delayed(flow.score)(TABLE) for _ in range(4))
    assert scores == [flow.score(TABLE)] * 4
    joblib.dump(flow, tmp_path / "flow.joblib")
    assert joblib.load(tmp_path / "flow.joblib").score(TABLE) == flow.score(TABLE)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("parameters", [{"layers": 5_000, "max_depth": 8}, {"members": 500}], ids=["tsp", "forest"])
def test_ctrl_c_ends_a_fit(parameters):
    """At once: it is pressed after the first of many steps, and there are few more."""
    steps = []

    def press(step):
        steps.append(step)
        if len(steps) == 1:
            threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()

    flow = dtf.DiscreteTreeFlow(**parameters)
    with pytest.raises(KeyboardInterrupt):
        flow.fit(correlated(20_000, columns=12), callbacks=[press])
    assert len(steps) < 100
    assert not [thread for thread in threading.enumerate() if thread.name == "dtf-fit"]
    assert fit_and_score(0) == fit_and_score(0)


def test_other_threads_run_during_a_fit():
    """The interpreter's lock is released: while steps are told of, some at a time, this thread's loop goes on."""
    turns, at_steps = 0, []
    flow = dtf.DiscreteTreeFlow(layers=40)
    arguments = {"callbacks": [lambda step: at_steps.append(turns)]}
    fitting = threading.Thread(target=flow.fit, args=(correlated(20_000, columns=8),), kwargs=arguments)
    fitting.start()
    while fitting.is_alive():
        turns += 1
    assert flow.score(correlated(20_000, columns=8)) < 0
    assert len(at_steps) >= 40 and len(set(at_steps)) > 2 and at_steps[-1] > at_steps[0] + 1_000


def test_memory_does_not_grow_with_calls(tmp_path):
    table = pa.table({"a": list("xyxy") * 500, "b": list("ppqq") * 500})
    dtf.DiscreteTreeFlow(model="tsp").fit(table).save(tmp_path / "m.dtf")
    bad = table.select(["a"])
    for turn in range(1_500):
        flow = dtf.load(tmp_path / "m.dtf")
        flow.score_samples(table)
        flow.transform(table)
        with pytest.raises(dtf.InputError):
            flow.score_samples(bad)
        if turn == 300:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < 5e6


def test_the_locale_does_not_matter(tmp_path):
    try:
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"], check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no locale with a decimal comma can be made: localedef or Debian's package locales is missing")
    script = """
import locale
import dtf
import pyarrow as pa
locale.setlocale(locale.LC_ALL, "")
table = pa.table({"a": [0.5, 1.25] * 20, "b": ["x", "y"] * 20})
flow = dtf.DiscreteTreeFlow(model="tsp", alpha=0.5).fit(table)
print(locale.localeconv()["decimal_point"], flow._model.serialize().hex(), flow.score_samples(table).tobytes().hex())
"""
    points, results = set(), set()
    for name in ("C", "de_DE.UTF-8"):
        environment = os.environ | {"LC_ALL": name, "LOCPATH": str(tmp_path)}
        point, *result = subprocess.check_output([sys.executable, "-c", script], env=environment, text=True).split()
        points.add(point)
        results.add(tuple(result))
    assert points == {".", ","} and len(results) == 1


def test_importing_is_light():
    heavy = ["pandas", "polars", "sklearn", "tqdm", "duckdb", "pyarrow", "matplotlib"]
    code = f"import sys, dtf; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_the_package_is_small():
    folder = os.path.dirname(dtf.__file__)
    files = [os.path.join(folder, name) for name in os.listdir(folder)]
    assert sum(os.path.getsize(file) for file in files if os.path.isfile(file)) < 10_000_000
