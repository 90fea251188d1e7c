"""Old names of options: understood with a notice, and not shown in the help."""

from __future__ import annotations

from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from kgpath.cli import app, options


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


@pytest.mark.parametrize(("old", "new"), options.RENAMED.items())
def test_every_old_name_is_gone_from_the_help(old: str, new: str) -> None:
    command = typer.main.get_command(app)
    known = {name for one in command.commands.values() for opt in one.params for name in opt.opts}  # type: ignore[attr-defined]
    assert new in known and old not in known
