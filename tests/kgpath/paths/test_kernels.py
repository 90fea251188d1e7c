"""Compiling kernels: the user is told when it happens, and only then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CALLS = """
import numpy as np
from kgpath.paths import kernels
for _ in range(2):
    for kernel in (kernels.forget_distances, kernels.hop_places):
        assert kernels.compiled(kernel) is kernels.compiled(kernel)
    kernels.compiled(kernels.forget_distances)(
        np.zeros(1, np.int32), 1, np.full(1, kernels.FAR, np.int8)
    )
    kernels.compiled(kernels.hop_places)(
        np.zeros(2, np.int64), np.zeros(0, np.int32), np.zeros((0, 3), np.int32),
        np.zeros(0, np.int32), np.zeros((0, 2), np.int64),
    )
"""
OTHER_CODE = """
import numba
numba.njit(lambda x: x + 1)(1)
"""


def said(code: str, cache: Path) -> list[str]:
    """What a new process says that has compiled code in this cache only."""
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )  # fmt: skip
    return done.stderr.splitlines()


@pytest.mark.slow
def test_compiling_is_announced_once_and_loading_compiled_code_is_not(tmp_path: Path) -> None:
    assert said(CALLS, tmp_path) == [
        "kgpath: compiling the walker for this machine (once, some seconds)"
    ]
    assert said(CALLS, tmp_path) == []


@pytest.mark.slow
def test_the_compiling_of_others_is_not_announced(tmp_path: Path) -> None:
    said(CALLS, tmp_path)
    assert said(CALLS + OTHER_CODE, tmp_path) == []
