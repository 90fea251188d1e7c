"""Numbers that cannot be meant are refused before any room is made for them."""

from __future__ import annotations

from typing import Any

import pytest

from kgpath.errors import BadOption
from kgpath.paths.finder import PathOptions
from kgpath.retriever import Retriever


@pytest.mark.parametrize("strategy", ["sample", "top", "random-walk"])
def test_a_limit_beyond_all_memory_is_refused(strategy: str) -> None:
    with pytest.raises(BadOption) as caught:
        PathOptions(strategy=strategy, limit=10**18)
    assert str(caught.value) == ("limit is 1,000,000,000,000,000,000; it can be 0 to 10,000,000.")
    with pytest.raises(BadOption, match=r"^limit is 100,000,000; it can be 1 to 10,000,000\.$"):
        Retriever("shortest", limit=10**8)


@pytest.mark.parametrize("seed", [-1, 0.5, None, "x"])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(BadOption, match=r"it can be 0 or more\.$"):
        PathOptions(seed=seed)
