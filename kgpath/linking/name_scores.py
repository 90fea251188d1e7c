"""How clearly a text names each entity of a graph, from 0 to 1.

Mentions say which span of a text is which entity; this asks the other way round, and softly:
the text may shorten a name, inflect it or use its initials. The numbers are set by hand: 1 for a
name in full, .93 for the part before a comma, .9 for the initials of the best known entity that has
them and less for others, .85 for a country by what comes from it ("German"), up to .85 for some of
its words, weighed by rarity, and .15 less for what stands only within a longer name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.demonyms import COUNTRIES
from kgpath.lexicon.name_index import LOWER_CASE
from kgpath.lexicon.text import (
    BEFORE_COMMA,
    Tokens,
    initials_in,
    initials_key,
    name_hash,
    similar_key,
    tokenize,
    word_hashes,
)
from kgpath.linking.name_hits import name_hits, rows_between

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.storage.index import Index

#: Entities, some of them more than once, and how clearly each is named.
_Scores = tuple[NDArray[np.int32], NDArray[np.float64]]
_NONE: _Scores = np.zeros(0, dtype=np.int32), np.zeros(0)
IN_FULL, CUT_SHORT, INITIALS, DEMONYM, SOME_WORDS = 1.0, 0.93, 0.9, 0.85, 0.85
WITHIN_A_LONGER_NAME = 0.15


def name_match_scores(graph: Graph, text: str, tokens: Tokens | None = None) -> NDArray[np.float64]:
    """A number for every entity: 1 if the text names it in full, 0 if nothing points to it.

    ``tokens`` are those of the text, if they are at hand.
    """
    tokens = tokenize(text) if tokens is None else tokens
    found = [
        _by_words(graph, tokens),
        _by_initials(graph, text, tokens),
        _by_demonyms(graph, tokens),
        _by_name(graph, tokens),
    ]
    # Made last: what was found by words needs as much memory, but only for a moment.
    scores = np.zeros(graph.index.entities)
    for entities, values in found:
        np.maximum.at(scores, entities, values)
    return scores


def _by_words(graph: Graph, tokens: Tokens) -> _Scores:
    words = dict.fromkeys(tokens.words)
    index = graph.index
    spans = _postings(graph, [*words, *dict.fromkeys(filter(None, map(similar_key, words)))])
    if not spans:
        return _NONE
    rows = np.concatenate([index.word_rows[span] for span in spans])
    weights = np.concatenate([index.word_weights[span] for span in spans])
    found = np.bincount(rows, weights=weights)
    named = np.flatnonzero(found > 0)
    share = np.minimum(found[named] / index.word_totals[named], 1)
    return index.word_entities[named], SOME_WORDS * share


def _by_initials(graph: Graph, text: str, tokens: Tokens) -> _Scores:
    index = graph.index
    letters = dict.fromkeys(letters for letters, _, _ in initials_in(text, tokens))
    spans = _postings(graph, [initials_key(some) for some in letters])
    if not spans:
        return _NONE
    groups = [index.word_entities[index.word_rows[span]] for span in spans]
    return np.concatenate(groups), np.concatenate(
        [_prominence(index, g) for g in groups]
    ) * INITIALS


def _by_demonyms(graph: Graph, tokens: Tokens) -> _Scores:
    countries = sorted({name for word in set(tokens.words) for name in COUNTRIES.get(word, ())})
    if not countries:
        return _NONE
    index = graph.index
    hashes = np.array([name_hash(name.split()) for name in countries], dtype=np.uint64)
    low = np.searchsorted(index.name_hashes, hashes, side="left")
    high = np.searchsorted(index.name_hashes, hashes, side="right")
    entities = index.name_entities[rows_between(low, high)]
    return entities, np.full(len(entities), DEMONYM)


def _prominence(index: Index, entities: NDArray[np.int32]) -> NDArray[np.float64]:
    """How well known each of some entities is: 1 for the one with the most facts."""
    facts = (
        index.hop_offsets[index.offsets[entities + 1]] - index.hop_offsets[index.offsets[entities]]
    )
    known = np.log1p(facts)
    return np.asarray(known / known.max())


def _by_name(graph: Graph, tokens: Tokens) -> _Scores:
    hits = list(name_hits(graph, tokens))
    if not hits:
        return _NONE
    first, last, low, high = np.array(hits, dtype=np.int64).T
    # How far the names reach that begin at each token, and those that begin before it.
    reach = np.zeros(len(tokens) + 1, dtype=np.int64)
    np.maximum.at(reach, first + 1, last)
    within = (np.maximum.accumulate(reach)[first] >= last) | (reach[first + 1] > last)
    rows = rows_between(low, high)
    cut = graph.index.name_forms[rows] % LOWER_CASE == BEFORE_COMMA
    less = np.repeat(np.where(within, WITHIN_A_LONGER_NAME, 0.0), high - low)
    return graph.index.name_entities[rows], np.where(cut, CUT_SHORT, IN_FULL) - less


def _postings(graph: Graph, keys: list[str]) -> list[slice]:
    """Where the postings of the keys that are known stand in the table of words."""
    index = graph.index
    if not len(index.word_keys) or not keys:
        return []
    hashes = word_hashes(keys)
    places = np.searchsorted(index.word_keys, hashes)
    places = places[index.word_keys.take(places, mode="clip") == hashes]
    firsts, stops = index.word_offsets[places], index.word_offsets[places + 1]
    return list(map(slice, firsts.tolist(), stops.tolist()))
