"""Old names of options: understood with a notice, and not shown in the help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from kgpath.cli import app, options
from kgpath.errors import BadStore


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    """A command with an option that was called --colour, and one with an option of that name."""
    monkeypatch.setattr("kgpath.registry._NOTICED", set())
    monkeypatch.setattr(options, "RENAMED", {"--colour": "--color", "--anew": "--restart"})
    small = typer.Typer()

    @small.command(cls=options.Command)
    def paint(color: str = "red", restart: Annotated[bool, typer.Option("--restart")] = False):
        print(color, restart)

    @small.command(cls=options.Command)
    def mix(colour: str = "red"):
        print(colour)

    return small


def test_an_old_name_means_the_new_one(small: typer.Typer) -> None:
    done = CliRunner().invoke(small, ["paint", "--colour", "blue", "--anew"])
    assert done.stdout == "blue True\n"
    assert done.stderr.splitlines() == [
        "kgpath: --colour is called --color now; the old name goes with the next release",
        "kgpath: --anew is called --restart now; the old name goes with the next release",
    ]
    assert CliRunner().invoke(small, ["paint", "--colour=blue"]).stdout == "blue False\n"


def test_a_command_that_has_no_such_option_is_left_alone(small: typer.Typer) -> None:
    done = CliRunner().invoke(small, ["mix", "--colour", "blue"])
    assert (done.stdout, done.stderr) == ("blue\n", "")
    assert CliRunner().invoke(small, ["mix", "--anew"]).exit_code == 2


def option_names(command: Any) -> set[str]:
    """Those of a command, or of all commands of a group."""
    own = {name for parameter in command.params for name in parameter.opts}
    return own.union(*map(option_names, getattr(command, "commands", {}).values()))


@pytest.mark.parametrize(("old", "new"), options.RENAMED.items())
def test_every_old_name_is_gone_from_the_help(old: str, new: str) -> None:
    known = option_names(typer.main.get_command(app))
    assert new in known and old not in known


def test_commands_of_a_group_know_old_names_too(tmp_path: Path) -> None:
    arguments = ["annotate", "tasks", "none.jsonl", "--graph", "none.kg", "-o", str(tmp_path / "x")]
    refused = CliRunner().invoke(app, [*arguments, "--most", "2"])
    assert isinstance(refused.exception, BadStore)  # the option was understood
