"""Selectors: what they choose, how ties fall, and the audit trail."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from kgpath.dialogue import Candidate, Dialogue, Turn, WikiPath
from kgpath.dialogue.evidence_detector import FEATURES, EvidenceDetector
from kgpath.dialogue.selection import Selection
from kgpath.dialogue.selectors.choices import make_selector
from kgpath.dialogue.selectors.detected import Detected
from kgpath.errors import BadOption, UnknownName
from kgpath.plugins import SELECTORS

NAMES = [entry.name for entry in SELECTORS]


def test_the_papers_case(cats: Turn) -> None:
    # BM25 ties and takes the first page; WikiPath knows that the cats belong together.
    assert make_selector("bm25").select(cats).title == "List of Madagascar characters"
    chosen = WikiPath().select(cats)
    assert chosen.title == "Cat"
    assert str(chosen.chain) == "Abyssinian cat → Cat"
    assert chosen.path_length == 1
    assert str(chosen.chain.steps[0].reason) == "share “cat”"
    # alpha .2 over one step: .2 / 2; staying is worth .2; no chain, no bonus
    assert chosen.bonus.tolist() == [0, 0, 0.1, 0.2]


def test_continuity_rewards_only_the_title_chosen_last(cats: Turn) -> None:
    selector = make_selector("bm25+continuity")
    assert selector.select(cats).bonus.tolist() == [0, 0, 0, 0]  # nothing was chosen before
    first = WikiPath().select(cats)
    assert selector.select(cats, [first]).bonus.tolist() == [0, 0, 0.2, 0]
    known = replace(cats, source="CAT")
    assert selector.select(known).bonus.tolist() == [0, 0, 0.2, 0]


def test_each_choice_is_the_source_of_the_next_turn(turn) -> None:
    dialogue = Dialogue("d", (
        turn("purr", ("Dog", "bark"), ("Cat", "purr"), topic="Pet"),
        turn("nothing", ("Dog", "bark"), ("House cat", "sleep"), topic="Pet"),
    ))  # fmt: skip
    first, second = WikiPath().select_all(dialogue)
    assert (first.source, first.title) == ("Pet", "Cat")
    assert (second.source, second.title) == ("Cat", "House cat")


def test_ties_fall_to_the_first_candidate(turn) -> None:
    tied = turn("nothing in common", ("A", "x"), ("B", "x"), ("A", "x"), topic="Z")
    for name in ("bm25", "bm25+continuity", "wikipath"):
        assert make_selector(name).select(tied).chosen == 0


def test_a_bonus_for_titles_not_used_yet(turn) -> None:
    dialogue = Dialogue("d", (turn("x", ("A", "x"), ("B", "x")),) * 3)
    assert [s.title for s in WikiPath(beta=0.5).select_all(dialogue)] == ["A", "B", "B"]
    assert [s.title for s in WikiPath().select_all(dialogue)] == ["A", "A", "A"]


def test_titles_may_be_scored_with_their_sentences(turn) -> None:
    asked = turn("cat", ("Dog", "It is a pet."), ("Cat", "It is a pet."))
    assert make_selector("bm25").select(asked).title == "Dog"
    assert make_selector("bm25(scored=title+sentence)").select(asked).title == "Cat"
    with pytest.raises(BadOption, match="sentence or title"):
        make_selector("bm25(scored=title)").select(asked)


def test_chance_is_the_same_on_every_run_and_differs_by_seed(turn) -> None:
    turns = [turn(f"q{n}", *(("T", f"s{m}") for m in range(20)), id=str(n)) for n in range(40)]
    draw = [make_selector("random").select(t).chosen for t in turns]
    assert draw == [make_selector("random(seed=42)").select(t).chosen for t in turns]
    assert draw != [make_selector("random(seed=1)").select(t).chosen for t in turns]
    assert len(set(draw)) > 10


@pytest.mark.parametrize("name", NAMES)
def test_every_selector_keeps_the_contract(name: str, cats: Turn) -> None:
    selector = make_selector(name)
    one, again = selector.select(cats), selector.select(cats)
    assert one.to_json() == again.to_json()
    assert one.selector == name == selector.name
    assert one.chosen == int(one.scores.argmax())
    assert len(one.relevance) == len(one.bonus) == len(cats.candidates)
    with pytest.raises(BadOption, match="no candidates"):
        selector.select(Turn("x", ()))
    # Nothing of it needs letters that the tokeniser knows.
    foreign = Turn("猫は?", (Candidate("猫", "猫です。"), Candidate("犬", "犬です。")), "猫")
    assert selector.select(foreign).chosen in (0, 1)


def test_other_scripts_are_nodes_of_their_own() -> None:
    foreign = Turn("?", (Candidate("犬", "犬です。"), Candidate("猫", "猫です。")), "猫")
    assert WikiPath().select(foreign).title == "猫"


def test_the_audit_trail_tells_everything(cats: Turn) -> None:
    trail = json.loads(json.dumps(WikiPath().select(cats).to_json()))
    assert set(trail) == {
        "turn", "selector", "query", "source", "chosen", "title", "sentence", "need", "chain",
        "candidates", "graph",
    }  # fmt: skip
    assert trail["query"] == "They do like their mice."
    assert trail["chain"] == {
        "text": "Abyssinian cat → Cat",
        "source": "Abyssinian cat",
        "steps": [{"title": "Cat", "reason": "share “cat”"}],
    }
    assert trail["graph"]["nodes"][0] == "Abyssinian cat"
    assert trail["graph"]["edges"] == [
        {"one": "Abyssinian cat", "other": "Cat", "length": 1.0, "reason": "share “cat”"}
    ]
    (none, _, cat, stays) = trail["candidates"]
    assert (none["distance"], cat["distance"], stays["distance"]) == (None, 1, 0)
    assert cat["score"] == pytest.approx(cat["relevance"] + 0.1)


def detector(threshold: float) -> EvidenceDetector:
    """One that finds each turn needs evidence with probability one half."""
    made = EvidenceDetector()
    made._weights = np.zeros(len(FEATURES))
    made.threshold = threshold
    return made


def test_the_detector_goes_before_the_selector(cats: Turn) -> None:
    skipped = Detected(detector(0.9), WikiPath()).select(cats)
    assert (skipped.chosen, skipped.skipped, skipped.need) == (0, True, 0.5)
    kept = Detected(detector(0.1), WikiPath()).select(cats)
    assert (kept.title, kept.skipped, kept.need) == ("Cat", False, 0.5)
    # Without a no-passage entry there is nothing else to choose.
    only = replace(cats, candidates=cats.candidates[1:], gold=None)
    assert not Detected(detector(0.9), WikiPath()).select(only).skipped


def test_where_nothing_was_chosen_the_source_stays(cats: Turn) -> None:
    first = Detected(detector(0.9), WikiPath()).select(cats)
    assert WikiPath().select(cats, [first]).source == "Abyssinian cat"


def test_names_and_options_are_checked() -> None:
    with pytest.raises(UnknownName, match="bm25\\+continuity"):
        make_selector("best")
    with pytest.raises(BadOption, match="depth is -1"):
        WikiPath(depth=-1)
    with pytest.raises(BadOption, match="has no option 'alfa'"):
        make_selector("wikipath(alfa=1)")
    assert isinstance(WikiPath(edges="none").select(Turn("x", (Candidate("A", "b"),))), Selection)
