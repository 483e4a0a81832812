"""The model on disk: whole or refused, old or new, and the same everywhere."""

import concurrent.futures
import os
import resource
import signal
import subprocess

import pytest

from tables import dependent_rows

MIB = 2**20


@pytest.fixture
def learnt(dtf):
    return dtf.fit("t.csv", "--layers", "2", content=dependent_rows(300, seed=1))


# ---------------------------------------------------------------- Damage


def refused_codes(dtf, contents):
    """The exit codes of `info` on models of these contents; each must come with one message about the file."""

    def code(numbered):
        number, content = numbered
        name = dtf.write(f"damaged{number}.dtf", content)
        done = subprocess.run(dtf.command("info", name), cwd=dtf.directory, capture_output=True)
        assert done.stdout == b"" and done.stderr.startswith(b"dtf: ") and name.encode() in done.stderr, done
        return done.returncode

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(code, enumerate(contents)))


@pytest.fixture
def small(dtf):
    """The bytes of a model of one small tree."""
    text = "p,q\n" + "x,0\nx,0\ny,1\n" * 5
    dtf.fit("t.csv", "--layers", "1", "--max-depth", "1", "--min-split", "1", content=text)
    assert dtf.info("m.dtf")["nodes"] == 3
    return dtf.read("m.dtf")


def test_every_truncation_is_refused(dtf, small):
    codes = refused_codes(dtf, [small[:size] for size in range(len(small))])
    assert codes == [4] * len(small)


def test_every_flipped_byte_is_refused(dtf, small):
    flipped = [small[:i] + bytes([small[i] ^ (1 << i % 8)]) + small[i + 1 :] for i in range(len(small))]
    assert refused_codes(dtf, flipped) == [4] * len(small)


def test_anything_behind_the_end_is_refused(dtf, small):
    assert refused_codes(dtf, [small + b"\0", small + b"\n", small + small]) == [4] * 3


@pytest.mark.parametrize("model", ["t.csv", "nowhere.dtf", "."])
@pytest.mark.parametrize(
    "verb, rest",
    [("info", []), ("sample", ["-n", "1"])] + [(verb, ["t.csv"]) for verb in ("score", "eval", "encode", "decode")],
)
def test_what_is_no_model_is_refused_by_every_verb(dtf, failure, verb, rest, model):
    dtf.write("t.csv", "p\nx\n")
    failure(4, verb, model, *rest, words=(model,))
    if verb not in ("info", "eval"):
        failure(4, verb, model, *rest, "-o", "out.csv")


def test_a_newer_format_is_called_so(dtf, small, failure):
    newer = bytearray(small)
    newer[8] = 99
    dtf.write("newer.dtf", bytes(newer))
    failure(4, "info", "newer.dtf", words=("newer.dtf", "99"))


def test_an_empty_model_is_refused(dtf, failure):
    dtf.write("empty.dtf", b"")
    failure(4, "info", "empty.dtf", words=("empty.dtf",))


def test_a_long_file_that_is_no_model_is_not_read_in_full(dtf):
    dtf.write("long.dtf", b"\x89DTF\r\n\x1a\n")
    os.truncate(dtf.path("long.dtf"), 512 * MIB)
    assert dtf.peak_memory("info", "long.dtf", code=4) < 300 * MIB


# ---------------------------------------------------------------- Saving


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


def test_a_model_that_does_not_fit_on_the_disk_leaves_the_old_one(dtf, failure):
    scores = dtf.scores(dtf.fit("old.csv", content="p\nx\ny\n"), "old.csv")
    dtf.write("t.csv", dependent_rows(400))
    message = failure(1, "fit", "t.csv", "-o", "m.dtf", "--quiet", preexec_fn=limit_file_size)
    assert message == "dtf: cannot write m.dtf: File too large\n"
    assert dtf.scores("m.dtf", "old.csv") == scores


def test_a_full_device_is_reported(dtf, failure):
    dtf.write("t.csv", "p\nx\n")
    message = failure(1, "fit", "t.csv", "-o", "/dev/full", "--quiet")
    assert message == "dtf: cannot write /dev/full: No space left on device\n"


def test_a_read_only_model_is_not_replaced(dtf, learnt, failure):
    old = dtf.read(learnt)
    dtf.path(learnt).chmod(0o444)
    dtf.write("o.csv", "p\nx\n")
    failure(1, "fit", "o.csv", "-o", learnt, "--quiet", words=(f"cannot write {learnt}",))
    assert dtf.read(learnt) == old


def test_the_old_model_is_there_until_the_new_one_is_whole(dtf, learnt):
    old = dtf.read(learnt)
    fitting = dtf.start("fit", "t.csv", "-o", learnt, "--layers", "100000")
    assert fitting.stderr.readline()
    fitting.send_signal(signal.SIGKILL)
    fitting.communicate()
    assert dtf.read(learnt) == old


def test_replacing_a_model_keeps_its_permissions_and_its_name(dtf, learnt):
    dtf.path(learnt).chmod(0o640)
    os.symlink(learnt, dtf.path("link.dtf"))
    dtf.fit("o.csv", model="link.dtf", content="p\nx\ny\n")
    assert dtf.path("link.dtf").is_symlink()
    assert dtf.names(learnt) == ["p"]
    assert dtf.path(learnt).stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "name", ["Łódź.dtf", "two words.dtf", "-x.dtf", "a,b;c.dtf", "new\nline.dtf", "日本", "'$HOME'.dtf"]
)
def test_models_have_just_the_name_they_were_given(dtf, name):
    dtf.write("in,put.csv", "p\nx\ny\n")
    dtf("fit", "in,put.csv", f"--output={name}", "--quiet")
    assert dtf.files() == sorted([name, "in,put.csv"])
    assert dtf("info", "--json", "--", name).json["columns"] == 1


def test_a_name_that_starts_with_a_dash_can_follow_the_option(dtf):
    dtf.write("t.csv", "p\nx\ny\n")
    dtf("fit", "t.csv", "-o", "./-x.dtf", "--quiet")
    assert "-x.dtf" in dtf.files()


@pytest.mark.parametrize(
    "name",
    ["no/such/place/m.dtf", "directory", "directory/", "t.csv/m.dtf", "no/../m.dtf", "dangling", "protected", "m" * 300],
)
def test_a_place_where_no_model_can_be_is_named_before_the_fit(dtf, failure, name):
    dtf.path("directory").mkdir()
    dtf.path("dangling").symlink_to("no/m.dtf")
    dtf.path("protected").touch(0o444)
    dtf.write("t.csv", "p\nx\n")
    failure(1, "fit", "t.csv", "-o", name, words=("cannot write", name))
    assert "member" not in dtf("fit", "t.csv", "-o", name, code=1).err.replace(name, "")


def test_an_empty_name_is_refused(dtf):
    dtf.write("t.csv", "p\nx\n")
    dtf("fit", "t.csv", "-o", "", code=1)


# ---------------------------------------------------------------- The same everywhere


@pytest.fixture
def same_in(dtf):
    """Checks that a model and all that is said of it are the same to the byte in this environment and under C."""
    dtf.write("t.csv", dependent_rows(200, seed=2))

    def results(environment):
        dtf("fit", "t.csv", "-o", "m.dtf", "--quiet", "--alpha", "0.125", env=environment)
        yield dtf.read("m.dtf")
        for arguments in (["score", "m.dtf", "t.csv"], ["eval", "m.dtf", "t.csv", "--json"], ["info", "m.dtf"]):
            yield dtf(*arguments, env=environment).out

    def check(environment):
        assert list(results(environment)) == list(results({"LC_ALL": "C"}))

    return check


@pytest.mark.parametrize("name", ["C.UTF-8", "no_SUCH.locale", ""])
def test_the_locale_changes_nothing(same_in, name):
    same_in({"LC_ALL": name})


def test_a_decimal_comma_changes_nothing(same_in, tmp_path):
    name = "de_DE.UTF-8"
    try:
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / name], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip(f"no {name} can be made here: localedef or Debian's package locales is missing")
    environment = {"LOCPATH": str(tmp_path), "LC_ALL": name}
    point = subprocess.check_output(["locale", "decimal_point"], env=os.environ | environment)
    assert point == b",\n"
    same_in(environment)
