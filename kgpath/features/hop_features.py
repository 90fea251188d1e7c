"""What is known of each fact on the candidate paths, as named numbers: the graph's and the text's.

None of them depends on ids, on the order in which a graph was loaded, or on which other file a
fact stood in.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.features.feature_table import FeatureTable, behind_best
from kgpath.features.path_features import PathFeatures
from kgpath.storage.hop_codes import code_of

Numbers = NDArray[np.float64]
Columns = dict[str, NDArray[Any]]

HOP_FEATURES = {
    "least named": "how clearly the text names the less clear end",
    "best named": "the same of the clearer end",
    "head named": "the same of the fact's head",
    "tail named": "the same of the fact's tail",
    "gap": "tokens between the ends where they are closest, as a logarithm",
    "together": "whether they stand in one sentence there",
    "seen": "whether the text shows both",
    "head first": "1 if the head is shown before the tail, -1 if after it",
    "head order": "how many other entities the text names before the head",
    "tail order": "the same of the tail",
    "order apart": "how many entities the text names between their first mentions",
    "first order": "the order of the earlier one",
    "head shown": "how often the text shows the head",
    "tail shown": "the same of the tail",
    "relation words": "share of the relation's words in the text",
    "relation near": "share of them close to the two ends",
    "frequency": "how common the relation is, as a logarithm",
    "labelled": "whether the graph itself names the relation",
    "head degree": "how many facts the head has, as a logarithm",
    "tail degree": "the same of the tail",
    "less degree": "that of the end with fewer",
    "head choices": "how many such facts the head has, as a logarithm",
    "tail choices": "how many such facts the tail has",
    "parallels": "how many relations join the two ends, as a logarithm",
    "words behind": "relation words, less those of the best parallel relation",
    "near behind": "relation near, less that of the best parallel relation",
    "frequency behind": "frequency, less that of the most common parallel relation",
    "labelled behind": "labelled, less that of the best parallel relation",
    "sentences apart": "how many sentences lie from one end to the other where they are closest",
    "others between": "how many other names stand between them there",
    "opens": "how many names stand before them in that sentence",
    "head nearer": "how much closer another partner of the head stands to it, as gap",
    "tail nearer": "the same of the tail",
    "head partners": "to how many named entities facts join the head, as a logarithm",
    "tail partners": "the same of the tail",
    "words elsewhere": "relation near, less that of the best fact of this relation at either end",
}
#: An entity that the text does not name comes after so many others.
_LAST = 20
_NAMED = 0.8


class HopFeatures:
    """The features of all distinct facts on the candidate paths, a row each."""

    def __init__(self, features: PathFeatures) -> None:
        self.features = features
        self.facts = features.facts
        self.evidence = features.evidence

    def table(self) -> FeatureTable:
        """All features of all facts."""
        columns = {
            **self._how_named(),
            **self._where_the_ends_stand(),
            **self._in_the_text(),
            **self._in_the_graph(),
            **self._relation_and_parallels(),
        }
        return FeatureTable.of(HOP_FEATURES, columns)

    # The features, by what they are about

    def _how_named(self) -> Columns:
        head, tail = self._of_ends(self.features.occurrences.named)
        named = np.stack([head, tail])
        head_partners, tail_partners = self._partners(named)
        return {
            "least named": named.min(axis=0),
            "best named": named.max(axis=0),
            "head named": head,
            "tail named": tail,
            "head partners": head_partners,
            "tail partners": tail_partners,
        }

    def _where_the_ends_stand(self) -> Columns:
        found = self.evidence
        sentences_apart, others_between, opens = self._standing
        head_nearer, tail_nearer = self._nearer
        return {
            "gap": np.log1p(found.gap),
            "together": found.same_sentence,
            "seen": found.seen,
            "sentences apart": sentences_apart,
            "others between": others_between,
            "opens": opens,
            "head nearer": head_nearer,
            "tail nearer": tail_nearer,
        }

    def _in_the_text(self) -> Columns:
        head, tail = self._of_ends(self._order)
        head_shown, tail_shown = self._of_ends(np.diff(self.features.occurrences.offsets))
        return {
            "head first": np.sign(tail - head),
            "head order": head,
            "tail order": tail,
            "order apart": np.abs(head - tail),
            "first order": np.minimum(head, tail),
            "head shown": head_shown,
            "tail shown": tail_shown,
        }

    def _in_the_graph(self) -> Columns:
        index, ends = self.features.context.graph.index, self._entities
        offsets = index.hop_offsets[index.offsets[np.stack([ends, ends + 1])]]
        head, tail = np.log1p(np.diff(offsets, axis=0)[0])
        head_choices, tail_choices = np.log1p(self._choices)
        return {
            "head degree": head,
            "tail degree": tail,
            "less degree": np.minimum(head, tail),
            "head choices": head_choices,
            "tail choices": tail_choices,
            "parallels": np.log(self._parallels),
        }

    def _relation_and_parallels(self) -> Columns:
        words, near = self.evidence.words, self.evidence.near
        frequency, labelled = np.log1p(self._edges), self._labelled.astype(np.float64)
        return {
            "relation words": words,
            "relation near": near,
            "frequency": frequency,
            "labelled": labelled,
            "words behind": behind_best(words, self.entity_pair),
            "near behind": behind_best(near, self.entity_pair),
            "frequency behind": behind_best(frequency, self.entity_pair),
            "labelled behind": behind_best(labelled, self.entity_pair),
            "words elsewhere": self._elsewhere,
        }

    # What the features are made of

    @cached_property
    def _entities(self) -> NDArray[np.int64]:
        """The head and the tail of each fact."""
        return np.stack([self.facts.heads, self.facts.tails])

    def _of_ends(self, of_occurring: NDArray[Any]) -> NDArray[Any]:
        """What is known of the entities of ``occurrences``, for the head and the tail of a fact."""
        places = np.searchsorted(self.features.occurrences.entities, self._entities)
        return of_occurring[places] if len(of_occurring) else np.zeros(places.shape)

    @cached_property
    def entity_pair(self) -> NDArray[np.int64]:
        """The number of the pair of entities that each fact joins, in whichever direction."""
        _, pair = np.unique(np.sort(self._entities, axis=0), axis=1, return_inverse=True)
        return np.asarray(pair).reshape(-1)

    @cached_property
    def _standing(self) -> Numbers:
        """Where the ends are closest: sentences apart, names between them, and names before.

        -1 where the text does not show both.
        """
        found, sentence = self.evidence, self.features.context.sentence_of
        seen = found.seen
        rows = np.full((3, len(seen)), -1.0)
        if seen.any():
            begin, end = found.first[seen], found.last[seen]
            first, last = self._clear
            # Names within the span, but for the two ends.
            within = np.searchsorted(last, end, "right") - np.searchsorted(first, begin)
            opening = np.searchsorted(sentence, sentence[begin])
            rows[:, seen] = [
                sentence[end - 1] - sentence[begin],
                np.maximum(within - 2, 0),
                np.searchsorted(first, begin) - np.searchsorted(first, opening),
            ]
        return rows

    @cached_property
    def _clear(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Where the text names something clearly: spans of tokens, none within another."""
        seen = self.features.occurrences
        clear = np.repeat(seen.named >= _NAMED, np.diff(seen.offsets)) & ~seen.is_coreference
        first, last = seen.first[clear], seen.last[clear]
        order = np.lexsort((-last, first))
        first, last = first[order], last[order]
        reach = np.concatenate([[-1], np.maximum.accumulate(last)[:-1]]) if len(last) else last
        return first[last > reach], last[last > reach]

    @cached_property
    def _nearer(self) -> Numbers:
        """How much closer the head has another partner than this one, and the tail."""
        gap = np.log1p(self.evidence.gap)
        least = np.full(self._end_numbers.max(initial=-1) + 1, np.inf)
        for end in self._end_numbers:
            np.minimum.at(least, end, gap)
        return np.asarray(gap - least[self._end_numbers])

    def _partners(self, named: Numbers) -> Numbers:
        """To how many clearly named entities facts join the head, and the tail."""
        both = np.concatenate([self._end_numbers, self._end_numbers[::-1]], axis=1)
        clear = np.concatenate([named[1], named[0]]) >= _NAMED
        joined = np.unique(both[:, clear], axis=1)
        counts = np.bincount(joined[0], minlength=int(self._end_numbers.max(initial=-1)) + 1)
        return np.asarray(np.log1p(counts[self._end_numbers]))

    @cached_property
    def _elsewhere(self) -> Numbers:
        """How far relation near is behind the best fact of the relation that shares an end."""
        near = self.evidence.near
        best = np.full(len(near), -np.inf)
        for end in self._end_numbers:
            pairs = np.stack([self.facts.relations, end])
            _, group = np.unique(pairs, axis=1, return_inverse=True)
            group = group.reshape(-1)
            most = np.full(int(group.max(initial=-1)) + 1, -np.inf)
            np.maximum.at(most, group, near)
            best = np.maximum(best, most[group])
        return np.asarray(near - best)

    @cached_property
    def _end_numbers(self) -> NDArray[np.int64]:
        """The head and the tail of each fact, numbered among the entities of all facts."""
        _, numbers = np.unique(self._entities, return_inverse=True)
        return np.asarray(numbers).reshape(2, -1)

    @cached_property
    def _order(self) -> NDArray[np.int64]:
        """How many named entities the text shows before each of the entities that occur in it."""
        seen = self.features.occurrences
        shown = np.diff(seen.offsets) > 0
        first = np.full(len(seen.entities), np.iinfo(np.int64).max)
        first[shown] = seen.first[seen.offsets[:-1][shown]]
        known = shown & (seen.named >= _NAMED)
        order = np.searchsorted(np.sort(first[known]), first)
        return np.where(known, np.minimum(order, _LAST), _LAST)

    @cached_property
    def _parallels(self) -> NDArray[np.int64]:
        """How many facts join the same two entities."""
        return np.asarray(np.bincount(self.entity_pair, minlength=1)[self.entity_pair])

    @cached_property
    def _edges(self) -> Numbers:
        relations = self.features.context.graph.store.relations
        return np.array(
            [relations[r].edges for r in self.facts.relations.tolist()], dtype=np.float64
        )

    @cached_property
    def _labelled(self) -> NDArray[np.bool_]:
        return self.features.context.graph.store.labelled_relations[self.facts.relations]

    @cached_property
    def _choices(self) -> Numbers:
        """How many facts with its relation the head of each fact has, and how many its tail."""
        index, facts = self.features.context.graph.index, self.facts
        counts = np.zeros((2, len(facts.heads)))
        for side, (ends, back) in enumerate(((facts.heads, 0), (facts.tails, 1))):
            for entity in np.unique(ends).tolist():
                first, stop = index.hop_offsets[index.offsets[[entity, entity + 1]]]
                here = np.flatnonzero(ends == entity)
                wanted = code_of(facts.relations[here], back)
                # The hop codes of an entity are sorted only within each neighbour.
                codes = np.sort(index.hop_codes[first:stop])
                counts[side, here] = np.searchsorted(codes, wanted, "right") - np.searchsorted(
                    codes, wanted
                )
        return counts
