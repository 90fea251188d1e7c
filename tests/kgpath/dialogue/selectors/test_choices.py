"""Selectors by name, one for each edge rule, and with a detector before them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgpath.dialogue import Dialogue, Turn
from kgpath.dialogue.evidence_detector import EvidenceDetector
from kgpath.dialogue.selectors.choices import DEFAULT, make_selector, selectors_by_rule
from kgpath.errors import BadStore


def test_a_selector_that_goes_by_edges_comes_once_for_each_rule() -> None:
    made = selectors_by_rule(DEFAULT, "lexical,none", seed=3)
    assert list(made) == [
        "random", "bm25", "bm25+continuity", "wikipath lexical", "wikipath none"
    ]  # fmt: skip
    assert made["random"].seed == 3 and made["wikipath none"].edges == "none"


def test_a_name_that_says_its_rule_keeps_it() -> None:
    assert list(selectors_by_rule(["wikipath(edges=full)"], "lexical,none")) == [
        "wikipath(edges=full)"
    ]


def test_the_file_of_a_detector_is_asked_first(tmp_path: Path, cats: Turn) -> None:
    asked = Turn("What is the history of the bicycle in Europe?", (), grounded=True)
    thanked = Turn("Thanks!", (), grounded=False, history=("Hello there", "Hi"))
    EvidenceDetector().fit([Dialogue(str(n), (asked, thanked)) for n in range(9)]).save(
        tmp_path / "need.json"
    )
    chosen = make_selector("bm25", detector=tmp_path / "need.json")
    assert chosen.name == "detector, bm25" and chosen.select(cats).need is not None
    with pytest.raises(BadStore, match="There is no detector"):
        make_selector("bm25", detector=tmp_path / "other.json")
