"""How far a graph covers the titles of dialogues, and how often rules connect what it covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kgpath.dialogue.edges.edge import EdgeRule
from kgpath.dialogue.loading import DialogueFile
from kgpath.dialogue.nodes import SOURCE, Nodes, nodes_of
from kgpath.dialogue.records import NO_PASSAGE, Dialogue, Turn
from kgpath.dialogue.selectors.selector import Selector
from kgpath.dialogue.title_linker import TitleLinker
from kgpath.dialogue.turn_graph import FAR, TurnGraph
from kgpath.errors import BadOption


class Coverage(NamedTuple):
    """How many titles (of each turn, each once) and sources are linked to an entity."""

    turns: int
    sources: int
    titles: int
    linked: int


def coverage(linker: TitleLinker, turns: Iterable[Turn]) -> Coverage:
    """What a graph knows of the titles that turns choose between."""
    number = sources = titles = linked = 0
    for turn in turns:
        nodes = nodes_of(turn, turn.source or turn.topic)
        entities = linker.link(nodes)
        own = pages(nodes)
        number += 1
        sources += entities[SOURCE] >= 0
        titles += len(own)
        linked += sum(entities[node] >= 0 for node in own)
    return Coverage(number, sources, titles, linked)


def pages(nodes: Nodes) -> list[int]:
    """The nodes that are pages of candidates, not the source alone or "no passage used"."""
    return [
        node
        for node, title in enumerate(nodes.titles)
        if nodes.sentences[node] and title != NO_PASSAGE
    ]


def linker_of(selector: Selector) -> TitleLinker | None:
    """The linker behind a selector's edge rule, if it has one."""
    inner = getattr(selector, "selector", selector)
    linker = getattr(getattr(inner, "rule", None), "linker", None)
    return linker if isinstance(linker, TitleLinker) else None


def check_coverage(selectors: Iterable[Selector], file: DialogueFile) -> str:
    """Say how many titles of a file a typed rule finds in its graph; refuse if there are none.

    Empty where no selector goes by a graph.
    """
    linker = next(filter(None, map(linker_of, selectors)), None)
    if linker is None:
        return ""
    name = linker.graph.path.name
    found = coverage(linker, file.turns)
    if not found.linked:
        raise BadOption(
            f"{name} knows none of the {found.titles:,} titles in {file.name}: typed edges need a "
            "graph that covers the topics. See: kgpath find, or use --edges lexical"
        )
    return (
        f"{name} knows {found.linked:,} of {found.titles:,} titles "
        f"({found.linked / found.titles:.0%}) and {found.sources:,} of {found.turns:,} sources."
    )


class Pair(NamedTuple):
    """A source and a linked title: which rules find no chain between them, and their facts."""

    dialogue: str
    turn: str
    source: int
    title: int
    no_path: tuple[bool, ...]


def pairs(
    dialogues: Iterable[Dialogue], linker: TitleLinker, rules: Mapping[str, EdgeRule]
) -> list[Pair]:
    """All pairs of a source and a title that both are in the graph, in turns with two or more.

    The source of a later turn is the true title of the one before, so that all rules start from
    the same place. A title that means the source itself is not counted: no rule can miss it.
    """
    found = []
    for dialogue in dialogues:
        at = ""
        for turn in dialogue.turns:
            nodes = nodes_of(turn, at or turn.source or turn.topic)
            entities = linker.link(nodes)
            source = entities[SOURCE]
            others = [n for n in pages(nodes) if entities[n] >= 0 and entities[n] != source]
            if source >= 0 and len(others) > 1:
                graphs = [TurnGraph(nodes, rule(nodes)).distances for rule in rules.values()]
                for node in others:
                    missed = tuple(far[node] == FAR for far in graphs)
                    found.append(Pair(dialogue.id, turn.id, source, entities[node], missed))
            if turn.gold_title not in (None, NO_PASSAGE):
                at = turn.gold_title or ""
    return found
