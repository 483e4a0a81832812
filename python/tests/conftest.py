"""The tests of the installed package `dtf`, held against the command-line tool: the one that DTF names, else the
release build."""

import os
import pathlib
import subprocess

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("DTF", REPOSITORY / "build" / "release" / "dtf")).resolve()


class Tool:
    """The command-line tool, in a directory of its own."""

    def __init__(self, directory):
        self.directory = directory

    def run(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.directory, capture_output=True)

    def __call__(self, *arguments):
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def path(self, name):
        return self.directory / name


@pytest.fixture
def cli(tmp_path):
    return Tool(tmp_path)


def pytest_sessionstart(session):
    if not os.access(PROGRAM, os.X_OK):
        pytest.exit(f"there is no program {PROGRAM}: build it, or name another in DTF", returncode=1)
