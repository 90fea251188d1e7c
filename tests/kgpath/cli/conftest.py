"""What the tests of commands share."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from kgpath.cli import main


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., SimpleNamespace]:
    """Runs the command in this process: torch takes seconds to import."""

    def run(*args: str | Path) -> SimpleNamespace:
        capsys.readouterr()
        monkeypatch.setattr("kgpath.cli.output.PATIENCE", math.inf)  # however busy the machine
        monkeypatch.setattr("sys.argv", ["kgpath", *map(str, args)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        message = ended.value.code if isinstance(ended.value.code, str) else ""
        return SimpleNamespace(
            code=1 if message else ended.value.code, out=out, err=err + message + "\n"
        )

    return run
