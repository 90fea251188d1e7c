"""Candidates for turns that bring none: the facts of a graph about where the dialogue is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kgpath.dialogue.loading import DialogueFile
from kgpath.dialogue.records import Candidate, Dialogue, Turn
from kgpath.dialogue.title_linker import TitleLinker
from kgpath.errors import BadOption
from kgpath.graph import Graph

_MOST = 100  # facts about one entity


def give_candidates(file: DialogueFile, graph: Graph | None) -> str:
    """Let turns choose between facts of a graph where a file brings no candidates at all.

    Returns what there is to say about it, or an empty text.
    """
    if any(turn.candidates for turn in file.turns):
        return ""
    if graph is None:
        raise BadOption(
            f"The turns of {file.name} have no candidates. With a graph its facts are the "
            "candidates: --graph film.kg"
        )
    before = len(file.turns)
    file.dialogues = with_facts(file.dialogues, graph)
    if not file.dialogues:
        raise BadOption(f"{graph.path.name} knows no source of any turn in {file.name}.")
    return (
        f"The candidates are facts of {graph.path.name}; it knows the source of "
        f"{len(file.turns):,} of {before:,} turns."
    )


def with_facts(dialogues: Iterable[Dialogue], graph: Graph) -> list[Dialogue]:
    """The same dialogues, each turn with the facts about its source to choose from.

    The title of a candidate is what the fact leads to. A turn whose source the graph does not
    know is left out, and so is a dialogue without any other turn.
    """
    linker = TitleLinker(graph)
    found = []
    for dialogue in dialogues:
        turns = tuple(
            with_some
            for turn in dialogue.turns
            if (with_some := _with_facts(turn, linker)).candidates
        )
        if turns:
            found.append(replace(dialogue, turns=turns))
    return found


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
    gold = None
    if turn.path:
        titles = [candidate.title for candidate in candidates]
        gold = titles.index(turn.path[-1]) if turn.path[-1] in titles else None
    sentence = candidates[gold].sentence if gold is not None else turn.gold_sentence
    return replace(turn, candidates=tuple(candidates), gold=gold, gold_sentence=sentence)
