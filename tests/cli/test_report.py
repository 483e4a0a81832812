"""`dtf report` without the Python package; with it, python/tests/test_report.py."""

import stat
import sys

import pytest

from tables import dependent_rows


@pytest.fixture
def learnt(dtf):
    return dtf.fit("t.csv", content=dependent_rows(60, seed=1))


def interpreter(dtf, script):
    """A program in place of Python."""
    dtf.write("python", f"#!{sys.executable} -S\n{script}")
    dtf.path("python").chmod(stat.S_IRWXU)
    return {"DTF_PYTHON": str(dtf.path("python"))}


@pytest.mark.parametrize("program", ["false", "no-such-python"])
def test_without_the_package_the_error_tells_what_to_do(failure, learnt, program):
    arguments = ("report", learnt, "t.csv", "-o", "p.html")
    failure(1, *arguments, env={"DTF_PYTHON": program}, words=(program, "pip install", "DTF_PYTHON"))


def test_the_table_is_read_before_anything_else_starts(dtf, failure, learnt):
    dtf.write("bad.csv", 'a,b\n"x,y\n')
    failure(3, "report", learnt, "bad.csv", "-o", "p.html", env={"DTF_PYTHON": "true"}, words=("bad.csv",))


def test_the_package_gets_the_table_as_csv(dtf, learnt):
    """Quoted where the empty text is none, and with the number of rows that must arrive."""
    script = "import sys\nif sys.argv[1] == '-m': print(*sys.argv[1:]); print(sys.stdin.read(), end='')"
    table = dtf.write("u.csv", 'a;b;c\n1;"";x,y\n;2;"q""r"\n')
    options = ("--delimiter", ";", "--drop", "c", "--seed", "7", "--rows", "3")
    done = dtf("report", learnt, table, "-o", "p.html", *options, env=interpreter(dtf, script))
    command, *lines = done.lines
    assert command.startswith("-m dtf report ") and command.endswith(f" -- {learnt} -")
    for word in ("--output=p.html", "--title=u.csv", "--seed=7", "--rows=3", "--samples=10000", "--expect-rows=2"):
        assert word in command.split()
    assert lines == ["a,b", '1,""', ",2"]


@pytest.mark.parametrize("code", [0, 1, 3, 4])
def test_the_package_s_exit_code_is_passed_on(dtf, learnt, code):
    """Also when it ends without reading a table that no pipe holds."""
    dtf.write("long.csv", "a\n" + "some text\n" * 50_000)
    script = f"import sys\nif sys.argv[1] == '-m':\n  print('dtf: why', file=sys.stderr)\n  sys.exit({code})"
    environment = interpreter(dtf, script)
    assert dtf("report", learnt, "long.csv", "-o", "p.html", code=code, env=environment).err == "dtf: why\n"


def test_the_output_does_not_replace_an_input(failure, learnt):
    failure(2, "report", learnt, "t.csv", "-o", "t.csv", words=("t.csv", "replace"))
