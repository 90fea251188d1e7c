"""Worker processes: work in order, each prepared once, and what happens when one dies."""

from __future__ import annotations

import os
import time

import pytest

from kgpath.errors import KgpathError
from kgpath.io.processes import in_order, worker_processes

_factor = 0


def begin(factor: int) -> None:
    global _factor
    _factor = factor


def times(number: int) -> int:
    time.sleep(0.02 * (number % 3))  # later ones may be done first
    return _factor * number


def die(number: int) -> int:
    os._exit(number)


@pytest.mark.slow
def test_results_come_in_the_order_of_the_jobs() -> None:
    with worker_processes(2, begin, 3) as pool:
        assert list(in_order(pool, times, range(20), 2)) == [3 * number for number in range(20)]


@pytest.mark.slow
def test_a_worker_that_dies_is_told_in_a_sentence() -> None:
    with (
        pytest.raises(KgpathError, match=r"ended without a word.*--workers 1"),
        worker_processes(1, begin, 3) as pool,
    ):
        list(in_order(pool, die, [3], 1))
