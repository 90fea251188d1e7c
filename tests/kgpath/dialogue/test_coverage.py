"""How far a graph covers dialogues, and candidates taken from its facts."""

from __future__ import annotations

from kgpath.dialogue import Candidate, Dialogue, Turn, WikiPath
from kgpath.dialogue.coverage import coverage, linker_of, pairs
from kgpath.dialogue.edges.edge import edge_rule
from kgpath.dialogue.evidence_detector import EvidenceDetector
from kgpath.dialogue.fact_candidates import with_facts
from kgpath.dialogue.selectors.detected import Detected
from kgpath.dialogue.title_linker import TitleLinker


def turn(topic: str, *titles: str, gold: int | None = None) -> Turn:
    candidates = tuple(Candidate(title, f"About {title}.") for title in titles)
    return Turn("?", candidates, topic, gold=gold, id=topic)


def test_titles_and_sources_that_the_graph_knows(film) -> None:
    turns = [turn("Roger Moore", "Daniel Craig", "Tea", "no_passages_used"), turn("Tea", "London")]
    assert coverage(TitleLinker(film), turns) == (2, 1, 3, 2)


def test_pairs_are_counted_where_source_and_two_titles_are_known(film) -> None:
    dialogue = Dialogue("d", (
        turn("Roger Moore", "Roger Moore", "London", "Beyoncé", "Tea", gold=1),
        turn("Roger Moore", "Chester", "Bond (band)"),  # at London now, and only one is known
        turn("Tea", "London", "Chester"),
    ))  # fmt: skip
    rules = {"typed": edge_rule("typed", film), "lexical": edge_rule("lexical")}
    found = pairs([dialogue], TitleLinker(film), rules)
    known = [(film.entity(p.source).label, film.entity(p.title).label, p.no_path) for p in found]
    assert known[:2] == [
        ("Roger Moore", "London", (False, True)), ("Roger Moore", "Beyoncé", (True, True))
    ]  # fmt: skip
    assert {source for source, _, _ in known[2:]} <= {"London"}


def test_the_linker_behind_a_selector(film) -> None:
    typed = WikiPath(edges="typed", graph=film)
    assert linker_of(typed) is typed.rule.linker
    assert linker_of(Detected(EvidenceDetector(), typed)) is typed.rule.linker
    assert linker_of(WikiPath()) is None


def test_facts_become_candidates(film) -> None:
    asked = Turn("Who plays Bond?", (), source="James Bond", path=("James Bond", "Daniel Craig"))
    unknown = Turn("Tea?", (), source="Tea")
    (dialogue,) = with_facts([Dialogue("d", (asked, unknown)), Dialogue("e", (unknown,))], film)
    (filled,) = dialogue.turns
    assert Candidate("Daniel Craig", "James Bond portrayer Daniel Craig") in filled.candidates
    assert filled.gold_title == "Daniel Craig"
    own = turn("James Bond", "Tea")
    assert with_facts([Dialogue("d", (own,))], film)[0].turns == (own,)
