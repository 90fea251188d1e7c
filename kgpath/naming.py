"""How clearly a text names each entity of a graph, from 0 to 1.

Mentions say which stretch of a text is which entity; this asks the other way round, and softly:
the text may shorten a name, inflect it or use its initials. The numbers are set by hand: 1 for a
name in full, .93 for the part before a comma, .9 for initials, up to .85 for some of its words,
weighed by rarity, and .15 less for what stands only within a longer name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.mentions import NameHit, name_hits
from kgpath.name_table import BEFORE_COMMA, LOWER_CASE, word_hashes
from kgpath.text import Tokens, tokenize
from kgpath.word_table import initials_key, similar_key

if TYPE_CHECKING:
    from kgpath.graph import Graph

IN_FULL, CUT_SHORT, INITIALS, SOME_WORDS, WITHIN_A_LONGER_NAME = 1.0, 0.93, 0.9, 0.85, 0.15


def naming(graph: Graph, text: str) -> NDArray[np.float64]:
    """A number for every entity: 1 if the text names it in full, 0 if nothing points to it."""
    tokens = tokenize(text)
    scores = np.zeros(graph.index.entities)
    _by_words(graph, tokens, scores)
    _by_initials(graph, text, tokens, scores)
    _by_name(graph, tokens, scores)
    return scores


def _by_words(graph: Graph, tokens: Tokens, scores: NDArray[np.float64]) -> None:
    index = graph.index
    words = dict.fromkeys(tokens.words)
    keys = [*words, *dict.fromkeys(filter(None, map(similar_key, words)))]
    spans = [(index.word_offsets[k], index.word_offsets[k + 1]) for k in _places(graph, keys)]
    if not spans:
        return
    rows = np.concatenate([index.word_rows[first:stop] for first, stop in spans])
    weights = np.concatenate([index.word_weights[first:stop] for first, stop in spans])
    found = np.bincount(rows, weights=weights)
    named = np.flatnonzero(found)
    share = np.minimum(found[named] / index.word_totals[named], 1)
    np.maximum.at(scores, index.word_entities[named], SOME_WORDS * share)


def _by_initials(graph: Graph, text: str, tokens: Tokens, scores: NDArray[np.float64]) -> None:
    index = graph.index
    keys = [initials_key(letters) for letters in dict.fromkeys(initials_in(text, tokens))]
    for place in _places(graph, keys):
        rows = index.word_rows[index.word_offsets[place] : index.word_offsets[place + 1]]
        np.maximum.at(scores, index.word_entities[rows], INITIALS)


def _by_name(graph: Graph, tokens: Tokens, scores: NDArray[np.float64]) -> None:
    index = graph.index
    hits = list(name_hits(graph, tokens))
    for hit in hits:
        rows = slice(hit.low, hit.high)
        cut = index.name_forms[rows] % LOWER_CASE == BEFORE_COMMA
        score = np.where(cut, CUT_SHORT, IN_FULL)
        if any(_within(hit, other) for other in hits):
            score -= WITHIN_A_LONGER_NAME
        np.maximum.at(scores, index.name_entities[rows], score)


def initials_in(text: str, tokens: Tokens) -> Iterator[str]:
    """Words in capitals, and single capitals in a row with dots: "UK", "U.S.", "J. R. R."."""
    run, end = "", -1
    for start, stop in zip(tokens.starts, tokens.ends, strict=True):
        surface = text[start:stop]
        if len(surface) == 1 and surface.isupper():
            joined = run and text[end:start].strip() == "."
            if not joined and len(run) > 1:
                yield run.lower()
            run = run + surface if joined else surface
            end = stop
            continue
        if len(run) > 1:
            yield run.lower()
        run = ""
        if 2 <= len(surface) <= 5 and surface.isupper():
            yield surface.lower()
    if len(run) > 1:
        yield run.lower()


def _places(graph: Graph, keys: list[str]) -> list[int]:
    """Where the keys that are known stand in the table of words."""
    table = graph.index.word_keys
    if not len(table) or not keys:
        return []
    hashes = word_hashes(keys)
    places = np.minimum(np.searchsorted(table, hashes), len(table) - 1)
    return [int(place) for place in places[table[places] == hashes]]


def _within(hit: NameHit, other: NameHit) -> bool:
    inside = other.first <= hit.first and hit.last <= other.last
    return inside and other.last - other.first > hit.last - hit.first
