"""K-BERT's sentence tree (Liu et al., 2020): facts hang as branches on the entities of a text.

The tree is read as one sequence. Soft positions count along the text and along each branch from
its entity on, so that a branch moves nothing that comes after it. The visible matrix lets a branch
see itself and its entity only, and be seen by them only: no fact changes the sense of other words.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.transformer.base_model import Base
from kgpath.encoders.transformer.contextual import Named
from kgpath.encoders.transformer.hidden_states import CHUNK, Chunk, Places, overlapping, tokens_of
from kgpath.errors import BadOption

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: A fact is read up to so many tokens.
_BRANCH = 12
FactsInWords = Callable[[int], list[str]]


def tree_chunks(
    base: Base, text: str, named: Sequence[Named], facts_of: FactsInWords
) -> list[Chunk]:
    """A text with facts of the entities it names; a long one in chunks that overlap.

    ``facts_of`` gives the facts of an entity, each as words that follow its name.
    """
    if "position_ids" not in base.takes:
        raise BadOption(
            f"{base.name!r} takes no positions, and k-bert gives each branch its own. Take a "
            "model of the kind of BERT."
        )
    ids, places = tokens_of(base, text)
    branches: dict[int, list[list[int]]] = {}
    for one in named:
        if one.entity not in branches:
            branches[one.entity] = [_cut(base, words) for words in facts_of(one.entity)]
    # Half of the places are for branches, half for the text.
    size = max(1, min(CHUNK, base.longest) // 2 - 2)
    return [
        _chunk(base, ids[first:last], places[first:last], named, branches)
        for first, last in overlapping(len(ids), size)
    ]


def _cut(base: Base, words: str) -> list[int]:
    found = base.tokenizer(words, add_special_tokens=False, truncation=True, max_length=_BRANCH)
    return list(found["input_ids"])


def _chunk(
    base: Base,
    ids: list[int],
    places: Places,
    named: Sequence[Named],
    branches: dict[int, list[list[int]]],
) -> Chunk:
    """[CLS] text [SEP], with the branches of each entity behind its name."""
    trunk = [base.tokenizer.cls_token_id, *ids, base.tokenizer.sep_token_id]
    spots = np.pad(places, ((1, 1), (0, 0)), constant_values=-1)
    after: dict[int, list[tuple[NDArray[np.int64], list[int]]]] = {}
    for one in named:
        own = np.flatnonzero(
            (spots[:, 0] >= 0) & (spots[:, 0] < one.end) & (spots[:, 1] > one.start)
        )
        if len(own):
            for branch in branches[one.entity]:
                after.setdefault(int(own[-1]), []).append((own, branch))
    flat: list[int] = []
    positions: list[int] = []
    spread: list[tuple[int, int]] = []
    at_of = np.zeros(len(trunk), dtype=np.int64)  # where each token of the text comes to stand
    hung: list[tuple[NDArray[np.int64], int, int]] = []
    for place, token in enumerate(trunk):
        at_of[place] = len(flat)
        flat.append(token)
        positions.append(place)
        spread.append((int(spots[place, 0]), int(spots[place, 1])))
        for own, branch in after.get(place, ()):
            some = branch[: max(0, base.longest - 1 - place)]
            hung.append((own, len(flat), len(flat) + len(some)))
            flat += some
            positions += range(place + 1, place + 1 + len(some))
            spread += [(-1, -1)] * len(some)
    return Chunk(
        flat, np.array(spread, np.int64).reshape(-1, 2), None, positions,
        _visible(len(flat), at_of, hung),
    )  # fmt: skip


def _visible(
    length: int, trunk: NDArray[np.int64], hung: Sequence[tuple[NDArray[np.int64], int, int]]
) -> NDArray[np.bool_]:
    """Which token sees which: the text itself; a branch itself and its entity."""
    visible = np.eye(length, dtype=np.bool_)
    visible[np.ix_(trunk, trunk)] = True
    for own, first, last in hung:
        branch = np.arange(first, last)
        entity = trunk[own]
        visible[np.ix_(branch, branch)] = True
        visible[np.ix_(branch, entity)] = True
        visible[np.ix_(entity, branch)] = True
    return visible


class FactsOf:
    """What a graph states of an entity, in few words: up to so many facts that it is the head of.

    One of each relation first; those that say one thing ("birth place") before those that list
    many ("starring"), and of these the more usual in the graph.
    """

    def __init__(self, graph: Graph, most: int) -> None:
        self.graph, self.most = graph, most
        self._known: dict[int, list[str]] = {}

    def __call__(self, entity: int) -> list[str]:
        if entity not in self._known:
            self._known[entity] = self._chosen(entity)
        return self._known[entity]

    def _chosen(self, entity: int) -> list[str]:
        tails: dict[int, list[str]] = {}
        # By IRI, not by id: what is chosen must not depend on the order in which files were read.
        for relation, label in self.graph.store.db.execute(
            "SELECT relation, label FROM edge JOIN entity ON entity.id = tail"
            " WHERE head = ? ORDER BY iri",
            (entity,),
        ):
            tails.setdefault(relation, []).append(label)
        relations = self.graph.store.relations
        usual = sorted(
            tails, key=lambda one: (len(tails[one]), -relations[one].edges, relations[one].iri)
        )
        chosen = sorted(
            (turn, order, f"{relations[relation].label} {label}")
            for order, relation in enumerate(usual)
            for turn, label in enumerate(tails[relation][: self.most])
        )
        return [words for *_, words in chosen[: self.most]]
