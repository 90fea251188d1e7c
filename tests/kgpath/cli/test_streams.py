"""What reaches a terminal, a pipe, a full disk and nobody at all."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kgpath
from kgpath.cli.streams import clean_streams

EVIL = "Red \\u001B[31m\\u001B]0;title\\u0007 \\u202Eabc [bold]x[/] :cat: é 😀 \\u007F"
SHOWN = "Red \\u001b[31m\\u001b]0;title\\u0007 \\u202eabc [bold]x[/] :cat: é 😀 \\u007f"
#: What styles of our own may be: bold, colours, and back.
OUR_STYLES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def evil(source: Callable[..., Path], tmp_path: Path) -> Path:
    """A graph whose names, relations and texts try to write on a terminal."""
    facts = source(
        "evil.ttl",
        f'ex:a rdfs:label "{EVIL}" ; rdfs:comment "Over\\rwritten [/b] \\u2028." ; ex:p ex:b .\n'
        f'ex:b rdfs:label "b \\u009B2J" . ex:p rdfs:label "knows \\u001B[2J" .\n'
        f'ex:a ex:q ex:b . ex:q rdfs:label "beside \\u001B[2J" .\n'
        f'ex:a a ex:C . ex:C a owl:Class ; rdfs:label "class \\u2067" .\n',
    )
    kgpath.build([facts], tmp_path / "evil.kg")
    return tmp_path / "evil.kg"


LINES = [
    ("info", "evil.kg"),
    ("find", "evil.kg", "red"),
    ("show", "evil.kg", "http://example.org/a"),
    ("paths", "evil.kg", "ex:a", "ex:b"),
    ("paths", "evil.kg", "ex:a", "ex:b", "--table"),
    ("paths", "evil.kg", "ex:a", "ex:b", "--dot"),
    ("query", "evil.kg", "ex:a", "ex:b", "--explain", "--text", "Red \x1b[31m is b \x9b2J."),
    ("query", "evil.kg", "--text", "Red and b."),
    ("find", "evil.kg", "no \x1b[31m such"),
    ("show", "evil.kg", "no \x1b[31m such"),
    ("show", "no\x1b[31mfile", "x"),
    ("show", "evil.kg", "x", "--no\x1b[31moption"),
    ("no\x1b[31mcommand",),
    ("export", "evil.kg", "-o", "-"),
    ("export", "evil.kg", "-o", "-", "--format", "graphml"),
]  # fmt: skip


# Many commands in one process: starting one takes longer than most commands.
ALL = """
import json, sys
from kgpath.cli import main
for line in json.loads(sys.argv[1]):
    sys.argv[1:] = line
    try:
        main()
    except SystemExit as ended:
        assert ended.code in (0, 1, 2), (line, ended.code)
print("all were run")
"""


def test_nothing_of_a_stranger_reaches_a_terminal(evil: Path) -> None:
    said = on_terminal([sys.executable, "-c", ALL, json.dumps(LINES)], evil.parent)
    ours = OUR_STYLES.sub("", said.replace("\r\n", "\n"))
    assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", ours) == []
    assert "Traceback" not in said
    assert said.endswith("all were run\r\n")
    assert ours.count("\\u001b[31m") > 8
    assert "\x1b[1m" in said  # what is bold is ours


def test_our_own_styles_do_reach_a_terminal(evil: Path, command: list[str]) -> None:
    said = on_terminal([*command, "show", "evil.kg", "http://example.org/a"], evil.parent)
    assert said.splitlines()[0] == f"\x1b[1m{SHOWN}\x1b[0m  (class \\u2067)"
    said = on_terminal(
        [*command, "query", "evil.kg", "ex:a", "ex:b", "--text", "Here is B [/] again."],
        evil.parent,
    )
    assert "Traceback" not in said


def test_a_progress_bar_shows_names_of_files_as_they_are(
    talking_command: list[str], tmp_path: Path
) -> None:
    name = "[bold]x[red]\x1b[31m:cat:.nt"
    (tmp_path / name).write_text("<http://x/a> <http://x/p> <http://x/b> .\n" * 2000 + "bad\n")
    said = on_terminal([*talking_command, "build", name, "-o", "x.kg"], tmp_path)
    assert "[bold]x[red]\\u001b[31m:cat:.nt" in said
    assert "\x1b[31m" not in said
    assert "x.kg: 2 entities, 1 edges" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16", "ascii:strict"])
def test_no_encoding_of_stdout_is_a_traceback(evil: Path, encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALL, json.dumps(LINES[:-2])],
        capture_output=True, cwd=evil.parent,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    name = encoding.partition(":")[0]
    out, err = done.stdout.decode(name), done.stderr.decode(name)
    assert done.returncode == 0, err
    assert out.endswith("all were run\n")
    assert "Traceback" not in err
    assert "\x1b" not in out + err


def test_json_is_the_same_in_every_encoding(evil: Path) -> None:
    found = []
    for encoding in ("utf-8", "ascii", "cp1252"):
        done = subprocess.run(
            [sys.executable, "-c", "from kgpath.cli import main; main()",
             "show", "evil.kg", "http://example.org/a", "--json"],
            capture_output=True, cwd=evil.parent, check=True,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )  # fmt: skip
        assert b"\x1b" not in done.stdout and "\u202e".encode() not in done.stdout
        found.append(json.loads(done.stdout.decode(encoding)))
    assert found[0]["label"] == "Red \x1b[31m\x1b]0;title\x07 \u202eabc [bold]x[/] :cat: é 😀 \x7f"
    assert found[0] == found[1] == found[2]


def test_exported_data_in_a_pipe_is_utf_8_as_its_format_says(
    evil: Path, cli: Callable[..., Any]
) -> None:
    for format in ("nt", "graphml"):
        assert cli("export", "evil.kg", "-o", f"x.{format}").code == 0
        done = subprocess.run(
            [sys.executable, "-c", "from kgpath.cli import main; main()",
             "export", "evil.kg", "-o", "-", "--format", format],
            capture_output=True, cwd=evil.parent, check=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )  # fmt: skip
        assert done.stdout == (evil.parent / f"x.{format}").read_bytes()


def test_a_table_is_aligned_by_what_is_shown(evil: Path, cli: Callable[..., Any]) -> None:
    head, row = cli("find", "evil.kg", "red").out.splitlines()
    assert row.startswith(SHOWN)
    assert head.index("type") == row.index("class \\u2067") + 1  # the emoji is two cells wide


@pytest.mark.parametrize("line", [("find", "film.kg", "b"), ("export", "film.kg", "-o", "-")])
def test_a_full_standard_output_is_said(
    sample_path: Path, command: list[str], line: tuple[str, ...]
) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*command, *line],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=sample_path.parent,
            text=True,
        )
    assert (done.returncode, done.stderr) == (
        1,
        "kgpath: Standard output cannot be written: No space left on device. Results are missing "
        "there.\n",
    )


def test_a_closed_standard_output_is_said(sample_path: Path, command: list[str]) -> None:
    done = closed(">&-", [*command, "find", "film.kg", "bond"], sample_path.parent)
    assert (done.returncode, done.stderr) == (
        1,
        "kgpath: Standard output cannot be written: it is closed. Results are missing there.\n",
    )


def test_a_closed_standard_error_loses_only_notes(sample_path: Path, command: list[str]) -> None:
    done = closed("2>&-", [*command, "find", "film.kg", "no such"], sample_path.parent)
    assert done.returncode == 0
    done = closed("2>/dev/full", [*command, "find", "none.kg", "x"], sample_path.parent)
    assert done.returncode == 1


def test_a_closed_standard_input_is_empty(sample_path: Path, command: list[str]) -> None:
    line = [*command, "build", "-", "--format", "nt", "-o", "new.kg"]
    done = closed("<&-", line, sample_path.parent)
    assert (done.returncode, done.stderr) == (1, "kgpath: standard input is empty.\n")


def test_no_output_gets_the_number_of_a_closed_stream(
    tmp_path: Path, command: list[str], source: Callable[..., Path]
) -> None:
    # Else what a library prints to 1 or 2 would be written into the graph file.
    source("x.nt", b"<http://x/a> <http://x/p> <http://x/b> .\n")
    line = [*command, "build", "x.nt", "-o", "x.kg"]
    assert closed("<&- >&- 2>&-", line, tmp_path).returncode == 1
    with kgpath.open(tmp_path / "x.kg") as kg:
        assert len(kg) == 2


def test_the_streams_are_as_before_afterwards() -> None:
    before = sys.stdin, sys.stdout, sys.stderr
    with pytest.raises(ValueError, match="x"), clean_streams():
        assert sys.stdout is not before[1]
        raise ValueError("x")
    assert (sys.stdin, sys.stdout, sys.stderr) == before


def closed(how: str, line: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a command in a shell that closes a stream for it."""
    return subprocess.run(
        ["sh", "-c", f'"$@" {how}', "sh", *line], capture_output=True, text=True, cwd=folder
    )


def on_terminal(line: list[str], folder: Path) -> str:
    """All that a command writes on a terminal of its own."""
    ours, its = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "300"}
    env.pop("NO_COLOR", None)
    process = subprocess.Popen(
        line, stdin=subprocess.DEVNULL, stdout=its, stderr=its, cwd=folder, env=env
    )
    os.close(its)
    said = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not data:
            break
        said += data
    process.wait()
    os.close(ours)
    return said.decode()
