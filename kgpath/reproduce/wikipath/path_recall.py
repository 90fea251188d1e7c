"""How often the path that a speaker took is among the first that a rule finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from kgpath.dialogue.edges.typed import Typed
from kgpath.dialogue.records import Dialogue, Turn
from kgpath.errors import BadOption
from kgpath.metrics.comparison import bootstrap
from kgpath.paths.finder import PathFinder, PathOptions
from kgpath.reproduce.wikipath.study import study_of
from kgpath.reproduction import Request, Table
from kgpath.types import Path

AT = (1, 3, 5, 10)
_MOST = max(AT)

Ranking = Callable[[int, int, Turn], list[Path]]


class TurnRecall(NamedTuple):
    """A turn with a true path: whether both ends are in the graph, and its rank by each strategy.

    0 for a path that is not among the first ones; ``connected`` says whether any is.
    """

    dialogue: str
    known: bool
    connected: tuple[bool, ...]
    ranks: tuple[int, ...]


def recall(
    dialogues: Iterable[Dialogue], rule: Typed, rankings: Iterable[Ranking]
) -> Iterator[TurnRecall]:
    """The rank of every turn's true path; paths are compared by their entities."""
    strategies = list(rankings)
    for dialogue in dialogues:
        for turn in dialogue.turns:
            if len(turn.path) < 2:
                continue
            entities = [rule.linker.meanings(name) for name in turn.path]
            head, tail = entities[0], entities[-1]
            if not head or not tail or head[0].entity == tail[0].entity:
                yield TurnRecall(
                    dialogue.id, False, (False,) * len(strategies), (0,) * len(strategies)
                )
                continue
            true = [found[0].entity if found else -1 for found in entities]
            lists = [strategy(head[0].entity, tail[0].entity, turn) for strategy in strategies]
            ranks = []
            for paths in lists:
                nodes = [[node.id for node in path.nodes] for path in paths]
                ranks.append(nodes.index(true) + 1 if true in nodes else 0)
            yield TurnRecall(dialogue.id, True, tuple(map(bool, lists)), tuple(ranks))


def rankings(rule: Typed) -> dict[str, Ranking]:
    """Strategies to order paths: by length alone, by the typed rule, by the rule and the text."""
    graph = rule.graph

    def shortest(head: int, tail: int, turn: Turn) -> list[Path]:
        found: dict[tuple[int, ...], Path] = {}
        ends = graph.store.entities([head, tail])
        options = PathOptions(max_hops=rule.hops, limit=8 * _MOST)
        for path in graph.derived(PathFinder).find_by_id(ends[head], ends[tail], options):
            found.setdefault(tuple(node.id for node in path.nodes), path)
        return list(found.values())[:_MOST]

    def typed(head: int, tail: int, turn: Turn) -> list[Path]:
        return rule.paths(head, tail, _MOST)

    def by_text(head: int, tail: int, turn: Turn) -> list[Path]:
        said = "\n".join((*turn.history, turn.query))
        return rule.paths(head, tail, _MOST, "mention + 0.1*degree", said)

    return {"shortest path": shortest, "typed": typed, "typed, by the text": by_text}


def table(request: Request) -> Iterator[Table]:
    """OpenDialKG: is the true path among the first 1, 3, 5, 10, and are its ends connected?"""
    study = study_of(request)
    if study.graph is None:
        raise BadOption("This needs the graph of the dialogues: --graph kg_triples.kg")
    rule = Typed(study.graph)
    strategies = rankings(rule)
    for split in study.splits:
        rows_of = list(recall(split.dialogues, rule, strategies.values()))
        if not rows_of:
            raise BadOption(f"{split.name} has no turns with a true path, as OpenDialKG has.")
        known = [row for row in rows_of if row.known]
        rows: list[tuple[object, ...]] = []
        for some, name in ((rows_of, "all turns"), (known, "both ends in the graph")):
            for at, strategy in enumerate(strategies):
                ranks = np.array([row.ranks[at] for row in some])
                shares = (float(((ranks > 0) & (ranks <= k)).mean()) for k in AT)
                first = bootstrap(
                    (ranks == 1).astype(np.float64), [row.dialogue for row in some],
                    seed=request.seed,
                )  # fmt: skip
                joined = float(np.mean([row.connected[at] for row in some]))
                interval = f"{first.low:.4f} to {first.high:.4f}"
                rows.append((name, len(some), strategy, joined, *shares, interval))
        yield Table(
            f"opendialkg-paths-{split.name}",
            f"True paths among the first k between the ends of a turn's path, {split.name}",
            (
                "turns", "n", "order", "connected", *(f"recall@{k}" for k in AT),
                "recall@1, 95 % over dialogues",
            ),
            tuple(rows),
        )  # fmt: skip
