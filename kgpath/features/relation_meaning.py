"""Does the text near a fact mean its relation? By words near in meaning, not by spelling alone.

"Was married to" says *spouse*, and "lies in" *location*, though they share no letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.features.feature_table import FeatureTable, behind_best
from kgpath.features.path_features import PathFeatures
from kgpath.features.relation_matches import ANOTHER, REACH
from kgpath.lexicon.near_words import nearness, parts_of, word_vectors
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.linking.context import Context
from kgpath.linking.relation_words import SYNONYMS, RelationWords

MEANING_FEATURES = {
    "meant near": "how near in meaning words close to both ends are to the relation's, by rarity",
    "best meant near": "the same of the one word of the relation that is met best",
    "meant in sentence": "the same, anywhere in the sentences where the ends are closest",
    "meant between": "cosine of the words between the ends, together, and the relation",
    "meant near behind": "meant near, less that of the best parallel relation",
    "meant in sentence behind": "meant in sentence, less that of the best parallel relation",
    "best meant behind": "best meant near, less that of the best parallel relation",
    "meant elsewhere": "meant near, less that of the best fact of this relation at either end",
}
#: So many tokens before and after the ends of a fact are looked at, and so many words in all.
AROUND, MOST_WORDS = 24, 64

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


def relation_meaning(features: PathFeatures, entity_pair: Places) -> FeatureTable:
    """A row for each fact; ``entity_pair`` numbers the pair of entities that each one joins."""
    facts = features.facts
    columns = dict.fromkeys(MEANING_FEATURES, np.zeros(len(facts.heads)))
    text = _free_words(features.context)
    meant = _meant(features, text) if len(text.places) and len(facts.heads) else None
    if meant is not None:
        near, best, sentence, between = meant
        columns = {
            "meant near": near,
            "best meant near": best,
            "meant in sentence": sentence,
            "meant between": between,
            "meant near behind": behind_best(near, entity_pair),
            "meant in sentence behind": behind_best(sentence, entity_pair),
            "best meant behind": behind_best(best, entity_pair),
            "meant elsewhere": _behind_elsewhere(near, facts.relations, facts.heads, facts.tails),
        }
    return FeatureTable.of(MEANING_FEATURES, columns)


class _Words(NamedTuple):
    """Words of a text that may say a relation: no stop words, numbers, or parts of names."""

    places: Places
    words: list[str]  # the distinct ones
    word: Places  # which of them stands at each place


def _free_words(context: Context) -> _Words:
    tokens = context.tokens.words
    free = np.ones(len(tokens), dtype=np.bool_)
    for mention in context.mentions():
        free[mention.first : mention.last] = False
    places = [at for at in np.flatnonzero(free).tolist() if _speaks(tokens[at])]
    numbers: dict[str, int] = {}
    word = [numbers.setdefault(tokens[at], len(numbers)) for at in places]
    return _Words(np.array(places, np.int64), list(numbers), np.array(word, np.int64))


def _speaks(word: str) -> bool:
    return word not in STOP_WORDS and not word.isdigit()


class _Names(NamedTuple):
    """The spellings of relations, one after another, as numbers of words."""

    words: list[str]
    word: Places
    weight: Numbers  # of each word within its spelling; they sum to 1
    spelling: Places  # of each word
    relation: Places  # of each spelling, by its place among those asked for


def _names(known: RelationWords, relations: Sequence[int]) -> _Names:
    numbers: dict[str, int] = {}
    word: list[int] = []
    weight: list[float] = []
    spelling: list[int] = []
    relation: list[int] = []
    for place, number in enumerate(relations):
        for spelled in known.spellings[number]:
            parts = [(part, known.rarity[one]) for one in spelled for part in parts_of(one)]
            whole = sum(rarity for _, rarity in parts) or 1.0
            for part, rarity in parts:
                word.append(numbers.setdefault(part, len(numbers)))
                weight.append(rarity / whole)
                spelling.append(len(relation))
            relation.append(place)
    return _Names(
        list(numbers), np.array(word, np.int64), np.array(weight),
        np.array(spelling, np.int64), np.array(relation, np.int64),
    )  # fmt: skip


def _meant(
    features: PathFeatures, text: _Words
) -> tuple[Numbers, Numbers, Numbers, Numbers] | None:
    """Near, best near, in the sentence, and between, for each fact."""
    facts = features.facts
    relations, relation_of = np.unique(facts.relations, return_inverse=True)
    names = _names(features.context.graph.derived(RelationWords), relations.tolist())
    if not names.words:
        return None
    window = _windows(features, text.places)
    used, word = np.unique(text.word[window.at], return_inverse=True)
    seen_words = [text.words[number] for number in used.tolist()]
    word = word.reshape(window.at.shape)
    near = _with_synonyms(nearness(names.words, seen_words), names.words, seen_words)
    decay = np.exp(-window.away / REACH)
    # Each fact once for every word of every spelling of its relation.
    rows, fact = _expanded(names.relation[names.spelling], relation_of)
    cells = near[names.word[rows][:, None], word[fact]]
    cells = np.where(window.there[fact], cells, 0)
    close = (cells * decay[fact]).max(axis=1, initial=0)
    anywhere = (cells * window.in_sentence[fact]).max(axis=1, initial=0)
    count, spellings = len(facts.heads), int(names.spelling[-1]) + 1
    key = fact * spellings + names.spelling[rows]

    def by_spelling(values: Numbers) -> Numbers:
        """The weighed sum over the words of a spelling, and of the spellings the best."""
        sums = np.bincount(key, values * names.weight[rows], count * spellings)
        return np.asarray(sums.reshape(count, spellings).max(axis=1), dtype=np.float64)

    best = np.zeros(count)
    np.maximum.at(best, fact, close)
    between = _between(seen_words, np.where(window.between, word, -1), names, relation_of)
    return by_spelling(close), best, by_spelling(anywhere), between


class _Window(NamedTuple):
    """The words around the ends of each fact: which, how far away, and where."""

    at: Places
    there: NDArray[np.bool_]
    away: Places
    in_sentence: NDArray[np.bool_]
    between: NDArray[np.bool_]


def _windows(features: PathFeatures, places: Places) -> _Window:
    found, sentence = features.evidence, features.context.sentence_of
    first, last = found.first[:, None], found.last[:, None]
    low = np.searchsorted(places, found.first - AROUND)
    high = np.where(found.seen, np.searchsorted(places, found.last + AROUND), low)
    width = int(min((high - low).max(initial=1), MOST_WORDS))
    # Of what is too much, the middle is looked at: it lies between the ends.
    low = np.maximum(low, (low + high - width) // 2)
    at = low[:, None] + np.arange(max(width, 1))
    there = at < high[:, None]
    at = np.minimum(at, len(places) - 1)
    token = places[at]
    own = sentence[token]
    return _Window(
        at,
        there,
        np.maximum(np.maximum(first - token, token - last + 1), 0),
        there & ((own == sentence[first]) | (own == sentence[last - 1])),
        there & (first <= token) & (token < last),
    )


def _with_synonyms(
    near: NDArray[np.float32], words: Sequence[str], others: Sequence[str]
) -> NDArray[np.float32]:
    """Words that are known by hand to stand for each other count at least so much."""
    place = {other: at for at, other in enumerate(others)}
    for row, word in enumerate(words):
        for other in SYNONYMS.get(word, ()):
            if (column := place.get(other)) is not None:
                near[row, column] = max(near[row, column], ANOTHER)
    return near


def _expanded(group: Places, chosen: Places) -> tuple[Places, Places]:
    """The rows of each chosen group, rows being in the order of groups, and whose each one is."""
    sizes = np.bincount(group, minlength=int(chosen.max(initial=-1)) + 1)
    starts = np.cumsum(sizes) - sizes
    owner = np.repeat(np.arange(len(chosen)), sizes[chosen])
    begun = np.cumsum(sizes[chosen]) - sizes[chosen]
    return starts[chosen[owner]] + np.arange(len(owner)) - begun[owner], owner


def _between(words: Sequence[str], between: Places, names: _Names, relation_of: Places) -> Numbers:
    """Cosine of the sum of the words between the ends with that of the relation's words.

    ``between`` has the words of each fact by number, and -1.
    """
    count = len(between)
    key = (np.arange(count)[:, None] * len(words) + between)[between >= 0]
    times = np.bincount(key, minlength=count * len(words)).reshape(count, len(words))
    of_facts = times.astype(np.float64) @ word_vectors(words).astype(np.float64)
    known = word_vectors(names.words).astype(np.float64)
    of_names = np.zeros((int(relation_of.max()) + 1, known.shape[1]))
    weighed = known[names.word] * names.weight[:, None]
    np.add.at(of_names, names.relation[names.spelling], weighed)
    of_names = of_names[relation_of]
    lengths = np.linalg.norm(of_facts, axis=1) * np.linalg.norm(of_names, axis=1)
    cosines = (of_facts * of_names).sum(axis=1) / np.where(lengths > 1e-9, lengths, 1)
    return np.asarray(cosines.round(6))


def _behind_elsewhere(near: Numbers, relations: Places, heads: Places, tails: Places) -> Numbers:
    """How far near is behind the best fact of the relation that shares an end."""
    best = np.full(len(near), -np.inf)
    for end in (heads, tails):
        _, group = np.unique(np.stack([relations, end]), axis=1, return_inverse=True)
        best = np.maximum(best, near - behind_best(near, group.reshape(-1)))
    return np.asarray(near - best)
