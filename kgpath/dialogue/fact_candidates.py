"""Candidates for turns that bring none: the facts of a graph about where the dialogue is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kgpath.dialogue.records import Candidate, Dialogue, Turn
from kgpath.dialogue.title_linker import TitleLinker
from kgpath.graph import Graph

_MOST = 100  # facts about one entity


def with_facts(dialogues: Iterable[Dialogue], graph: Graph) -> list[Dialogue]:
    """The same dialogues, each turn with the facts about its source to choose from.

    The title of a candidate is what the fact leads to. A turn whose source the graph does not
    know is left out, and so is a dialogue without any other turn.
    """
    linker = TitleLinker(graph)
    kept = []
    for dialogue in dialogues:
        turns = tuple(
            with_some
            for turn in dialogue.turns
            if (with_some := _with_facts(turn, linker)).candidates
        )
        if turns:
            kept.append(replace(dialogue, turns=turns))
    return kept


def _with_facts(turn: Turn, linker: TitleLinker) -> Turn:
    known = linker.meanings(turn.source or turn.topic)
    if turn.candidates or not known:
        return turn
    source = known[0].entity
    candidates = []
    for edge in linker.graph.neighbours(source, limit=_MOST):
        other = edge.tail if edge.head.id == source else edge.head
        text = f"{edge.head.label} {edge.relation.label} {edge.tail.label}"
        candidates.append(Candidate(other.label, text))
    label = None
    if turn.path:
        titles = [candidate.title for candidate in candidates]
        label = titles.index(turn.path[-1]) if turn.path[-1] in titles else None
    gold = candidates[label].sentence if label is not None else turn.gold
    return replace(turn, candidates=tuple(candidates), label=label, gold=gold)
