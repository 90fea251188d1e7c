"""What is known of queries and their candidates."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.reproduce.ecpr.query_statistics import mean_ped


def test_the_mean_ped_of_rows_is_that_of_all_pairs() -> None:
    rows = np.random.default_rng(0).normal(size=(7, 5)).astype(np.float32)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    pairs = [(1 - unit[a] @ unit[b]) / 2 for a in range(7) for b in range(a)]
    assert mean_ped(rows) == pytest.approx(np.mean(pairs), abs=1e-4)
    assert mean_ped(np.ones((3, 2), np.float32)) == 0
