"""Where a text shows the entities of some paths: by a name, initials, a part of it, or "he".

Mentions ask what a span of text names; this asks, for entities that a path leads through, where
the text may mean them. It is less strict: a path would not lead there by chance.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.demonyms import DEMONYMS
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.lexicon.text import (
    MOST_WORDS,
    fold,
    folded_words,
    initials_of,
    short_forms,
    word_hashes,
)
from kgpath.lexicon.word_index import SIMILAR
from kgpath.linking.context import BEGINNING, Context
from kgpath.linking.coreference import Kinds, coreference
from kgpath.linking.name_scores import DEMONYM, SOME_WORDS
from kgpath.linking.namesakes import told_apart
from kgpath.linking.one_meaning import with_one_meaning

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: Words of one name may stand so many tokens farther apart than the name has words.
APART = 3
#: What is named so clearly, other words may stand for.
CLEAR = 0.8
#: What is left of a name where the text means another entity that is called the same.
MEANT_OTHERWISE = 0.4
#: How clearly "the film" names the film whose name the text uses for the song.
MEANT_AS_NAMESAKE = 0.75
#: Of a word that a long text has often, so many places are looked at.
MOST_PLACES = 100

Span = tuple[int, int]


class Occurrences(NamedTuple):
    """Spans of tokens: those of ``entities[k]`` are ``first[offsets[k]:offsets[k + 1]]`` on.

    Entities and, for each, spans are in ascending order. ``named[k]`` says from 0 to 1 how clearly
    the text names the entity at the clearest of them; unlike
    :func:`~kgpath.linking.name_scores.name_match_scores` it asks that the words of a name stand
    close together.
    """

    entities: NDArray[np.int64]
    named: NDArray[np.float64]
    offsets: NDArray[np.int64]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    is_coreference: NDArray[np.bool_]  # whether another word, such as "he", is meant for a name

    def by_name(self) -> Occurrences:
        """The same without words that stand for a name."""
        names = ~self.is_coreference
        before = np.concatenate([[0], np.cumsum(names)])
        return self._replace(
            offsets=before[self.offsets],
            first=self.first[names],
            last=self.last[names],
            is_coreference=self.is_coreference[names],
        )

    def of(self, entity: int) -> list[Span]:
        """The spans of one of the entities."""
        at = int(np.searchsorted(self.entities, entity))
        here = slice(self.offsets[at], self.offsets[at + 1])
        return list(zip(self.first[here].tolist(), self.last[here].tolist(), strict=True))


def find_occurrences(
    context: Context, entities: Iterable[int], ends: Iterable[int] = ()
) -> Occurrences:
    """All places where the text may show these entities; a name that some share shows only one.

    The ``ends`` of a query are given, so they win.
    """
    wanted = sorted(set(entities))
    linked: dict[int, list[str]] = {}
    for link in context.links:
        linked.setdefault(link.entity, []).append(fold(link.words))
    names = {
        entity: [*linked.get(entity, ()), *forms]
        for entity, forms in _names(context.graph, wanted).items()
    }
    rarity = _rarity(context.graph, {word for forms in names.values() for word in _words(forms)})
    by_name = {entity: _named_at(context, names[entity]) for entity in wanted}
    kept = with_one_meaning(context, by_name, set(ends))
    found = [
        (kept[entity], 1.0)
        if kept[entity]
        else _as_namesake(context, entity, by_name, kept)
        if by_name[entity]
        else _by_demonym(context, names[entity]) or _by_some_words(context, names[entity], rarity)
        for entity in wanted
    ]
    longer = {(a, b) for places, _ in found for a, b in places if b - a > 1}
    longer |= {(m.first, m.last) for m in context.mentions(wanted) if m.last - m.first > 1}
    holder = _reach(longer, len(context.tokens))
    spans: list[Span] = []
    offsets, named = [0], []
    shown: dict[int, list[Span]] = {}
    for entity, (places, share) in zip(wanted, found, strict=True):
        # "Blues" is not meant where "rhythm and blues" stands, if it stands elsewhere too.
        free = [span for span in places if not _is_within(span, holder)]
        shown[entity] = sorted(set(free or places))
        named.append(min(share, float(context.name_scores[entity])))
    clear = [entity for entity, how in zip(wanted, named, strict=True) if how >= CLEAR]
    others = coreference(
        context, context.graph.derived(Kinds).of(clear), {e: shown[e] for e in clear}
    )
    is_coreference: list[bool] = []
    for entity in wanted:
        names_here = set(shown[entity])
        both = sorted(names_here.union(others.get(entity, ())))
        spans += both
        is_coreference += [span not in names_here for span in both]
        offsets.append(len(spans))
    first, last = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    return Occurrences(
        np.array(wanted, dtype=np.int64), np.array(named), np.array(offsets), first, last,
        np.array(is_coreference, dtype=np.bool_),
    )  # fmt: skip


def _reach(spans: Iterable[Span], tokens: int) -> tuple[list[int], list[int]]:
    """How far the spans reach that begin at each token, and those that begin before it."""
    here = [0] * (tokens + 1)
    for first, last in spans:
        here[first] = max(here[first], last)
    return here, list(accumulate(here, max, initial=0))


def _is_within(span: Span, reach: tuple[list[int], list[int]]) -> bool:
    """Whether a longer span holds this one."""
    here, before = reach
    return here[span[0]] > span[1] or before[span[0]] >= span[1]


def _named_at(context: Context, forms: list[str]) -> list[Span]:
    """Where a name stands in full or cut short, or else its initials."""
    found = [span for form in forms for span in _phrase(context, folded_words(form))]
    if not found:
        found = [span for form in forms for span in context.initials.get(_initials(form), ())]
    return found


def _as_namesake(
    context: Context, entity: int, named_at: dict[int, list[Span]], kept: dict[int, list[Span]]
) -> tuple[list[Span], float]:
    """Where the text means an entity whose name another has taken; "the film" for the song's."""
    lost = set(named_at[entity])
    takers = [other for other, spans in kept.items() if lost.intersection(spans)]
    rows = list(
        context.graph.store.rows(
            "SELECT entity, text FROM name WHERE entity IN ({ids})", [entity, *takers]
        )
    )
    own = [name for one, name in rows if one == entity]
    spans, share = told_apart(context, own, (name for one, name in rows if one != entity))
    return spans, MEANT_OTHERWISE + (MEANT_AS_NAMESAKE - MEANT_OTHERWISE) * share


def _by_demonym(context: Context, forms: list[str]) -> tuple[list[Span], float] | None:
    """Where "German" stands for Germany, and is not a part of another name."""
    words = [words for form in forms for words in DEMONYMS.get(form, ())]
    spans = {span for one in words for span in _phrase(context, one.split())}
    if not spans:
        return None
    reach = _reach(((m.first, m.last) for m in context.mentions()), len(context.tokens))
    found = sorted(span for span in spans if not _is_within(span, reach))
    return (found, DEMONYM) if found else None


def _by_some_words(
    context: Context, forms: list[str], rarity: dict[str, float]
) -> tuple[list[Span], float]:
    """By the rarest word of a name, with the most that this says of how clearly it is named."""
    best: tuple[list[Span], float] = [], 0.0
    for form in forms:
        spans, share = _some_words(context, list(dict.fromkeys(folded_words(form))), rarity)
        if share > best[1]:
            best = spans, share
    return best[0], SOME_WORDS * best[1]


def _some_words(
    context: Context, words: list[str], rarity: dict[str, float]
) -> tuple[list[Span], float]:
    """Where the rarest known word of a name stands; the share of the name that is there at best."""
    places = {word: _forms_of(context, word) for word in words}
    known = [word for word in words if places[word][1]]
    telling = [word for word in known if word not in STOP_WORDS]
    if not telling:
        return [], 0.0  # an "in" does not show "In Bloom"
    rarest = max(telling, key=lambda word: (rarity[word], word))
    reach = len(words) + APART
    share = max(
        sum(
            rarity[word] * places[word][0]
            for word in known
            if _is_near(places[word][1], place, reach)
        )
        for place in places[rarest][1][:MOST_PLACES]
    )
    total = sum(rarity[word] for word in words)
    return [(place, place + 1) for place in places[rarest][1]], share / total if total else 0.0


def _is_near(places: list[int], place: int, reach: int) -> bool:
    """Whether one of some ascending places is within reach."""
    at = bisect_left(places, place - reach)
    return at < len(places) and places[at] <= place + reach


def _forms_of(context: Context, word: str) -> tuple[float, list[int]]:
    """The tokens that are a word, or else those that begin like it, and how much these count."""
    places = context.places.get(word)
    if places:
        return 1.0, places
    return SIMILAR, context.beginnings.get(word[:BEGINNING], []) if len(word) > BEGINNING else []


def _phrase(context: Context, words: list[str]) -> Iterator[Span]:
    """Where words stand in a row; the last may have a plural or possessive ending."""
    if not 0 < len(words) <= MOST_WORDS:
        return
    *before, last = words
    tokens = context.tokens.words
    for ending in (last, last + "s", _plural(last)):
        for place in context.places.get(ending, ()):
            first = place - len(before)
            if first >= 0 and tokens[first:place] == before:
                yield first, place + 1


def _plural(word: str) -> str:
    """The plural of a word that adds more than an s; empty for other words."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "es" if word.endswith(("o", "s", "x", "ch", "sh")) else ""


def _names(graph: Graph, entities: list[int]) -> dict[int, list[str]]:
    """The folded forms of each entity's names."""
    forms: dict[int, list[str]] = {entity: [] for entity in entities}
    for entity, name, folded in graph.store.rows(
        "SELECT entity, text, folded FROM name WHERE entity IN ({ids}) ORDER BY id", entities
    ):
        forms[entity] += [folded, *(short for _, short in short_forms(name, folded))]
    return forms


def _words(forms: Iterable[str]) -> set[str]:
    return {word for form in forms for word in folded_words(form)}


def _initials(form: str) -> str:
    parts = folded_words(form)
    return initials_of(parts) if len(parts) > 1 else ""


def _rarity(graph: Graph, words: Iterable[str]) -> dict[str, float]:
    """How rare each word is among the names of the graph; 0 for one that no name has."""
    known = list(words)
    index = graph.index
    if not known or not len(index.word_keys):
        return dict.fromkeys(known, 0.0)
    hashes = word_hashes(known)
    places = np.minimum(np.searchsorted(index.word_keys, hashes), len(index.word_keys) - 1)
    counts = (index.word_offsets[places + 1] - index.word_offsets[places]).astype(np.float64)
    rarity = np.log((len(index.word_entities) + 1) / np.maximum(counts, 1))
    rarity[index.word_keys[places] != hashes] = 0
    return dict(zip(known, rarity.tolist(), strict=True))
