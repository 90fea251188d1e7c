"""A killed command leaves the old output or the new one, whole; and the next run succeeds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main
from fuzz.kills import WRITERS

from kgpath.cli import app

#: Some of each kind: a graph, a folder, a file, several files. ``make fuzz`` kills all of them.
QUICK = ("build again", "add", "train again", "export nt.gz", "paths --pairs", "annotate tasks")


@pytest.mark.slow
def test_killed_commands_leave_the_old_or_the_new() -> None:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("kills.py"), "--kills", "2", "--writer", *QUICK],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_every_command_with_an_output_is_killed() -> None:
    killed = {writer.argv[:1] for writer in WRITERS} | {writer.argv[:2] for writer in WRITERS}
    writing = set(commands_with_output(typer.main.get_command(app)))
    assert len(writing) > 10
    assert writing - killed == set()


def commands_with_output(command, name: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words that call each command with an option ``--output``."""
    for word, sub in getattr(command, "commands", {}).items():
        yield from commands_with_output(sub, (*name, word))
    if any("--output" in parameter.opts for parameter in command.params):
        yield name
