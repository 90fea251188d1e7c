"""What ``make model`` asks, and what it may write over."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgpath.errors import NotWritable
from kgpath.io.evidence import MarkedFact, MarkedText
from kgpath.learning.general_model import Data, make_model, one_hop_questions
from kgpath.rankers.general.model import SHIPPED, is_part_of_a_model

FACTS = (
    MarkedFact("ex:ann", "ex:knows", "ex:bob", (0,)),
    MarkedFact("ex:bob", "ex:likes", "ex:ann", (0,)),
    MarkedFact("ex:cid", "ex:knows", "ex:bob", (1,)),
)


def test_one_marked_fact_is_asked_by_itself_with_all_that_joins_its_ends() -> None:
    texts = [MarkedText(f"t{number}", "Ann knows Bob.", FACTS) for number in range(4)]
    asked = list(one_hop_questions(texts, every=3))
    assert [query.id for query in asked] == ["t0-one", "t3-one"]
    assert {asked[0].head, asked[0].tail} == {"ex:ann", "ex:bob"}
    assert len(asked[0].paths) == 2


def test_nothing_but_a_model_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine")
    nowhere = Data(*[tmp_path / "none"] * 4, dbpedia=())
    with pytest.raises(NotWritable, match=r"holds letters\.txt, which is no part of a model"):
        make_model(nowhere, tmp_path)
    assert (tmp_path / "letters.txt").read_text() == "mine"


def test_all_that_ships_is_part_of_a_model() -> None:
    assert all(map(is_part_of_a_model, SHIPPED.iterdir()))


def test_data_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"graph\.nt\.gz is not there: no model"):
        Data.of(tmp_path)
