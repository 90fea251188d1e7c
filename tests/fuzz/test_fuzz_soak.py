"""Whoever reads a graph while it is written reads one of its whole states."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_readers_beside_a_writer_read_whole_states() -> None:
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("soak.py"), "--rounds", "12", "--readers", "2"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
