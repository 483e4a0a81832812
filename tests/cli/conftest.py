"""Runs the program under test: the one that DTF names, else the release build of this repository."""

import json
import os
import pathlib
import subprocess
import typing

import pytest

from tables import to_csv

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("DTF", REPOSITORY / "build" / "release" / "dtf")).resolve()


class Result(typing.NamedTuple):
    code: int
    out: bytes
    err: str

    @property
    def lines(self):
        return self.out.decode().splitlines()

    @property
    def json(self):
        return json.loads(self.out)


class Tool:
    """The program in a directory of its own, where it finds and leaves its files."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)

    def __call__(self, *arguments, code=0, input=b"", **options):
        """Runs it and expects this exit code; of a failure also one message, no output and no new file."""
        before = self.files()
        options = self.process_options(options) | {"input": input}
        done = subprocess.run(self.command(*arguments), capture_output=True, **options)
        result = Result(done.returncode, done.stdout, done.stderr.decode())
        assert result.code == code, f"{arguments}: exit code {result.code}, not {code}\n{result.err}"
        if code != 0:
            assert result.out == b"", f"{arguments} failed and wrote to standard output"
            assert result.err.splitlines()[-1].startswith("dtf: "), f"{arguments} failed without a message"
            assert self.files() == before, f"{arguments} failed and left a file"
        return result

    def start(self, *arguments, **options):
        """Starts it with pipes; the caller waits for it."""
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return subprocess.Popen(self.command(*arguments), **pipes | self.process_options(options))

    def peak_memory(self, *arguments, code=0):
        """The most bytes of memory it took (or this process, if more), with its output thrown away."""
        with subprocess.Popen(self.command(*arguments), cwd=self.directory, stdout=subprocess.DEVNULL) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == code
        return usage.ru_maxrss * 1024

    def command(self, *arguments):
        return [PROGRAM, *map(str, arguments)]

    def process_options(self, options):
        environment = os.environ | options.pop("env", {})
        return {"cwd": self.directory, "env": environment} | options

    def path(self, name):
        return self.directory / name

    def files(self):
        return sorted(os.listdir(self.directory))

    def read(self, name):
        return self.path(name).read_bytes()

    def write(self, name, content):
        """Writes bytes, a text, or records as CSV (tab-separated when the name says so)."""
        if isinstance(content, list):
            content = to_csv(content, "\t" if ".tsv" in name else ",")
        self.path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    def fit(self, table, *options, model="m.dtf", content=None):
        """Fits quietly and returns the model's name; `content` is written to `table` first."""
        if content is not None:
            self.write(table, content)
        self("fit", table, "-o", model, "--quiet", *options)
        return model

    def scores(self, model, table, *options, content=None):
        """One text a row, just as written."""
        if content is not None:
            self.write(table, content)
        header, *rows = self("score", model, table, *options).lines
        assert header == "log_likelihood"
        return rows

    def info(self, model):
        return self("info", model, "--json").json

    def names(self, model):
        return [column["name"] for column in self.info(model)["schema"]]

    def categories(self, model):
        """Each column's categories in the order of their codes; None is missing."""
        return {
            column["name"]: column["categories"] + [None] * column["missing"] for column in self.info(model)["schema"]
        }


def pytest_sessionstart(session):
    if not os.access(PROGRAM, os.X_OK):
        pytest.exit(f"there is no program {PROGRAM}: build it, or name another in DTF", returncode=1)


@pytest.fixture
def dtf(tmp_path):
    return Tool(tmp_path)


@pytest.fixture
def failure(dtf):
    """Runs a command that must fail with this code; the words must all stand in its message, which comes back."""

    def run(code, *arguments, words=(), **options):
        message = dtf(*arguments, code=code, **options).err
        missing = [word for word in words if word not in message]
        assert not missing, f"{message!r} does not say {missing}"
        return message

    return run
