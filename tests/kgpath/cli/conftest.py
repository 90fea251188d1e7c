"""What the tests of commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest


@pytest.fixture
def run(cli: Callable[..., SimpleNamespace]) -> Callable[..., SimpleNamespace]:
    """Runs a command where the test is."""
    return lambda *args: cli(*map(str, args), cwd=Path.cwd())
