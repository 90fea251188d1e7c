"""How commands end: a sentence for everything, details in a file, no traceback."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kgpath.cli.ending import exit_code_of
from kgpath.errors import BadOption

NO_MEMORY = (
    "kgpath: there is not enough memory for this. Close other programs, or raise the limit "
    "(ulimit -v), and try again.\n"
)


def raising(error: BaseException) -> Callable[[], None]:
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (SystemExit(), 0, ""),
        (SystemExit(3), 3, ""),
        (SystemExit("a last word"), 1, "a last word\n"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 1, ""),
        (BadOption("That is wrong."), 1, "kgpath: That is wrong.\n"),
        (MemoryError(), 1, NO_MEMORY),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), 1, NO_MEMORY),
        (ImportError("x.so: failed to map segment from shared object"), 1, NO_MEMORY),
        (RuntimeError("can't start new thread"), 1, NO_MEMORY),
        (OSError(errno.ENOENT, "No such file or directory", "x"), 1,
         "kgpath: No such file or directory: x\n"),
    ],
)  # fmt: skip
def test_an_ending_is_a_code_and_a_sentence(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, said: str
) -> None:
    assert exit_code_of(raising(error)) == code
    assert capsys.readouterr() == ("", said)


def test_memory_that_ran_out_deeper_down_counts_too(capsys: pytest.CaptureFixture[str]) -> None:
    error = OSError("Could not find/load shared object file")
    error.__context__ = OSError(errno.ENOMEM, "Cannot allocate memory")
    assert exit_code_of(raising(error)) == 1
    assert capsys.readouterr().err == NO_MEMORY


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ZeroDivisionError("division by zero"), "ZeroDivisionError: division by zero"),
        (RecursionError("maximum recursion depth"), "something is nested too deeply"),
        (AssertionError(), "AssertionError"),
        (ValueError("one\ntwo"), "ValueError: one"),
        (OSError("no number"), "OSError: no number"),
    ],
)
def test_what_should_not_happen_is_reported_with_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    error: Exception, said: str,
) -> None:  # fmt: skip
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("sys.argv", ["kgpath", "info", "a b\udcff"])
    assert exit_code_of(raising(error)) == 1
    (file,) = tmp_path.iterdir()
    assert capsys.readouterr().err == (
        f"kgpath: this should not have happened: {said}. Please report it, with the details in "
        f"{file}\n"
    )
    assert file.stat().st_mode & 0o777 == 0o600  # a command line may hold what is private
    first, line, empty, begin, *rest = file.read_text().splitlines()
    assert re.match(r"kgpath [\d.]+\S*, Python 3\.\d+\.\d+\S*, \S", first)
    assert (line, empty, begin) == (
        "kgpath info 'a b\\udcff'", "", "Traceback (most recent call last):"
    )  # fmt: skip
    assert rest[-1].startswith(type(error).__name__) or "two" in rest


def test_without_a_place_for_the_file_the_sentence_says_what_to_do(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    assert exit_code_of(raising(ValueError("x"))) == 1
    assert capsys.readouterr().err == (
        "kgpath: this should not have happened: ValueError: x. Please report it, with what "
        "KGPATH_DEBUG=1 shows.\n"
    )


def test_a_debug_switch_shows_the_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGPATH_DEBUG", "1")
    assert exit_code_of(raising(BadOption("That is wrong."))) == 1
    said = capsys.readouterr().err
    assert said.startswith("Traceback (most recent call last):")
    assert said.endswith("kgpath.errors.BadOption: That is wrong.\nkgpath: That is wrong.\n")


def test_the_plug_in_in_which_it_happened_is_named(
    command_after: Callable[[str], list[str]], sample_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad_ranker.py").write_text(
        "from kgpath.rankers.ranker import Ranker\n"
        "class Bad(Ranker):\n"
        "    def score(self, features):\n"
        "        return 1 / 0\n"
    )
    info = tmp_path / "my_plug_ins-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plug-ins\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kgpath.rankers]\nbad = bad_ranker:Bad\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*command_after(""), "query", sample_path, "Emma Stone", "Andrew Garfield", "--ranker",
         "bad", "--text", "Oscars"],
        capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith(
        "kgpath: this should not have happened in the plug-in bad (rankers, from my-plug-ins): "
        "ZeroDivisionError: division by zero. Please report it, with the details in "
    )


@pytest.mark.parametrize("moment", ["find", "open"])
def test_ctrl_c_is_no_traceback_at_any_moment(
    command_after: Callable[[str], list[str]], sample_path: Path, moment: str
) -> None:
    before = "import kgpath.graph\ndef stop(*a, **k): raise KeyboardInterrupt\n"
    before += f"kgpath.graph.Graph.{'find' if moment == 'find' else '__init__'} = stop"
    done = subprocess.run(
        [*command_after(before), "find", sample_path, "bond"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.skipif(sys.platform != "linux", reason="macOS has no limit on memory")
@pytest.mark.parametrize(
    "line",
    [
        "info film.kg",
        "query film.kg Emma_Stone Andrew_Garfield --text Oscars",
        "build x.nt -o x.kg",
        "export film.kg -o x.nt",
    ],
)
def test_little_memory_is_enough_or_said(
    sample_path: Path, tmp_path: Path, command: list[str], line: str
) -> None:
    # What of it is enough differs from machine to machine; a traceback or a crash never does.
    (tmp_path / "film.kg").symlink_to(sample_path)
    (tmp_path / "x.nt").write_text("<http://x/a> <http://x/p> <http://x/b> .\n")
    done = subprocess.run(
        ["bash", "-c", 'ulimit -v 300000; exec "$@"', "bash", *command, *line.split()],
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert done.stderr.splitlines()[-1] == NO_MEMORY.rstrip()
