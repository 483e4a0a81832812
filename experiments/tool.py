"""Runs the command line tool, and measures it. Nothing here knows the library."""

import argparse
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent


class Tool:
    def __init__(self, path, threads=0):
        self.path = str(path)
        self.threads = threads

    def run(self, *arguments, output=subprocess.PIPE):
        """Runs `dtf ARGUMENTS`; its standard output and what it used (resource.getrusage). On failure: exits."""
        command = [self.path, *map(str, arguments), "--threads", str(self.threads)]
        process = subprocess.Popen(command, stdout=output)
        text = process.stdout.read().decode() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
        return text, usage

    def json(self, *arguments):
        """The JSON object that `dtf ARGUMENTS --json --quiet` prints, with "peak_mb" and "cpu_seconds" added."""
        text, usage = self.run(*arguments, "--json", "--quiet")
        used = {"peak_mb": usage.ru_maxrss / 1024, "cpu_seconds": usage.ru_utime + usage.ru_stime}
        return json.loads(text) | used

    def eval_nll(self, model, table, *options):
        text, _ = self.run("eval", model, table, "--json", *options)
        return json.loads(text)["nll"]


def parser(description):
    """A parser of arguments with --dtf and --threads."""
    arguments = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--dtf", default=REPOSITORY / "build/release/dtf", help="the tool (build/release/dtf)")
    arguments.add_argument("--threads", type=int, default=0, help="0, the default: all cores")
    return arguments


def apart(function, *arguments):
    """Calls the function in a process of its own. A command counts as peak memory also what the process that starts it
    ever used, so this one stays small."""
    process = multiprocessing.Process(target=function, args=arguments)
    process.start()
    process.join()
    if process.exitcode != 0:
        sys.exit(f"{function.__name__} failed")
