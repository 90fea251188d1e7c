"""Which entities of the graph a text names, where, and which homonym is meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.name_table import (
    BEFORE_COMMA,
    FULL,
    LONGEST,
    LOWER_CASE,
    PLAIN,
    combine,
    forms,
    word_hashes,
)
from kgpath.text import Tokens, tokenize, windows

if TYPE_CHECKING:
    from kgpath.graph import Graph

WINDOW = 15
# A single word of these is no name, however it is written: "It", "Who", "Yes".
_FUNCTION_WORDS = frozenset(
    "a about above after again against all also am an and any are as at be because been before "
    "being below between both but by can could did do does doing down during each even few first "
    "for from further had has have having he her here hers him his how however i if in into is it "
    "its just last later like many may me might more most much must my new next no nor not now of "
    "off on once one only or other our out over own part people same second she should since so "
    "some such than that the their them then there these they this those three through to today "
    "too two under until up upon us very was we were what when where which while who whom why will "
    "with would yes yesterday yet you your "
    "monday tuesday wednesday thursday friday saturday sunday january february march april may "
    "june july august september october november december".split()
)


class Mention(NamedTuple):
    """A stretch ``text[start:end]`` that names an entity; ``first`` to ``last`` are its tokens."""

    start: int
    end: int
    entity: int
    first: int
    last: int


class Link(NamedTuple):
    """An entity that the document's own links name, with the words they use for it."""

    entity: int
    words: str


class NameHit(NamedTuple):
    """Tokens that can be a name, and the rows of the name table that have it."""

    first: int
    last: int
    low: int
    high: int


def find_mentions(
    graph: Graph, text: str, links: Iterable[Link] = (), expected: Iterable[int] = ()
) -> list[Mention]:
    """The entities named in a text, from left to right; the longest name wins.

    Case and accents do not count, except that a name written with a capital must have one in the
    text; a plural or possessive ending is allowed. Of several entities with the name, the one with
    most neighbours among the others found is taken, then one of a type found more often, then the
    one with most facts. A name cut short to one word, or at its comma, counts only if a neighbour
    is found too. ``links`` are taken as they are; ``expected`` entities count as found.
    """
    tokens = tokenize(text)
    capital = [not text[start].islower() for start in tokens.starts]
    linked = {tuple(tokenize(link.words).words): link.entity for link in links}
    found = [
        _Found(first, last, (entity,), safe=True, given=True)
        for first, last, entity in _linked(tokens, linked)
    ]
    names = _Names(graph)
    for hit in name_hits(graph, tokens, capital):
        if _is_written_as_a_name(tokens.words, capital, hit.first, hit.last):
            found += names.called(hit, lower=not any(capital[hit.first : hit.last]))
    kept = names.verified(_longest(found), tokens)
    chosen = _settle(graph, kept, set(expected))
    return [
        Mention(tokens.starts[one.first], tokens.ends[one.last - 1], entity, one.first, one.last)
        for one, entity in zip(kept, chosen, strict=True)
        if entity >= 0
    ]


def context_window(
    mentions: Iterable[Mention], entity: int, tokens: int, size: int = WINDOW
) -> list[tuple[int, int]]:
    """The tokens around every mention of an entity, overlapping windows merged."""
    return windows(((m.first, m.last) for m in mentions if m.entity == entity), size, tokens)


class _Found(NamedTuple):
    """Tokens that are a name, the entities that have it, and whether it is safe to believe."""

    first: int
    last: int
    entities: tuple[int, ...]
    safe: bool
    given: bool = False  # by a link of the document


class LowerCaseNames:
    """Names without any capital ("k.d. lang"): their hashes, places in the table, first words."""

    def __init__(self, graph: Graph) -> None:
        index = graph.index
        self.places = np.flatnonzero(index.name_forms >= LOWER_CASE)
        self.hashes = index.name_hashes[self.places]
        entities = set(index.name_entities[self.places].tolist())
        self.first_words = {
            form.split()[0]
            for _, name in _rows_of(graph, "name", "text", entities)
            if name.islower()
            for form in forms(name)
            if form
        }


class _Names:
    """The names of a graph by their place in the table; looked up once per text."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._called: dict[tuple[int, int, bool], tuple[tuple[int, ...], bool]] = {}

    def called(self, hit: NameHit, lower: bool) -> list[_Found]:
        """The entities with that name: those whose full name it is, else those it is short for."""
        alone = hit.last - hit.first == 1
        key = hit.low, lower, alone
        if key not in self._called:
            index = self._graph.index
            forms_here = index.name_forms[hit.low : hit.high]
            entities = index.name_entities[hit.low : hit.high]
            if lower:
                entities = entities[forms_here >= LOWER_CASE]
                forms_here = forms_here[forms_here >= LOWER_CASE]
            form = forms_here % LOWER_CASE
            best = form.min(initial=BEFORE_COMMA)
            safe = best == FULL or (best == PLAIN and not alone)
            self._called[key] = tuple(dict.fromkeys(entities[form == best].tolist())), bool(safe)
        entities_, safe = self._called[key]
        return [_Found(hit.first, hit.last, entities_, safe)] if entities_ else []

    def verified(self, found: list[_Found], tokens: Tokens) -> list[_Found]:
        """What is left if names are compared by their letters and not by a hash."""
        spelled: dict[int, set[str]] = {}
        wanted = {entity for one in found for entity in one.entities}
        for entity, name in _rows_of(self._graph, "name", "text", wanted):
            spelled.setdefault(entity, set()).update(forms(name))
        kept = []
        for one in found:
            words = tokens.words[one.first : one.last]
            names = {" ".join(words), " ".join([*words[:-1], _without_ending(words[-1])])}
            sure = tuple(entity for entity in one.entities if one.given or names & spelled[entity])
            if sure:
                kept.append(one._replace(entities=sure))
        return kept


def name_hits(
    graph: Graph, tokens: Tokens, capital: Sequence[bool] | None = None
) -> Iterator[NameHit]:
    """Word groups whose hash is in the table, as they stand or without their last ending."""
    index = graph.index
    small = graph.lower_case_names
    vocabulary = list(dict.fromkeys(tokens.words))
    place = {word: number for number, word in enumerate(vocabulary)}
    at = np.fromiter((place[word] for word in tokens.words), np.int64, len(tokens))
    words = word_hashes(vocabulary)[at]
    endings = word_hashes([_without_ending(word) for word in vocabulary])[at]
    plain = np.array([_is_plain(word) for word in vocabulary], dtype=np.bool_)[at]
    begins = np.array([word in small.first_words for word in vocabulary], dtype=np.bool_)[at]
    # Without knowing better, every token may have the capital that most names have.
    large = np.array([True] * len(tokens) if capital is None else capital, dtype=np.bool_)
    # Most names have a capital, and few tokens of a text do: the others are looked up only
    # among the names that have none.
    for hit in _lookup(index.name_hashes, words, endings, np.flatnonzero(large), plain):
        yield NameHit(*hit)
    starts = np.flatnonzero(~large & begins)
    for first, last, low, high in _lookup(small.hashes, words, endings, starts, plain):
        yield NameHit(first, last, int(small.places[low]), int(small.places[high - 1]) + 1)


def _lookup(
    table: NDArray[np.uint64],
    words: NDArray[np.uint64],
    endings: NDArray[np.uint64],
    starts: NDArray[np.int64],
    plain: NDArray[np.bool_],
) -> Iterator[tuple[int, int, int, int]]:
    """(first token, one past the last, first row, one past the last) of groups in the table.

    Tokens that are ``plain`` are no name on their own.
    """
    if not len(table) or not len(starts):
        return
    sofar = np.zeros(len(starts), dtype=np.uint64)
    firsts, lasts, groups = [], [], []
    for size in range(1, LONGEST + 1):
        inside = starts + size <= len(words)
        starts, sofar = starts[inside], sofar[inside]
        last = starts + size - 1
        ended = endings[last] != words[last]
        whole = combine(sofar, words[last])
        asked = np.flatnonzero(~plain[starts]) if size == 1 else np.arange(len(starts))
        # As it stands before the form without an ending: of two hits the first one counts.
        firsts += [starts[asked], starts[ended]]
        lasts += [last[asked] + 1, last[ended] + 1]
        groups += [whole[asked], combine(sofar[ended], endings[last[ended]])]
        sofar = whole
    hashes = np.concatenate(groups)
    lows = np.searchsorted(table, hashes)
    lows[lows == len(table)] = 0
    hit = np.flatnonzero(table[lows] == hashes)
    yield from zip(
        np.concatenate(firsts)[hit].tolist(),
        np.concatenate(lasts)[hit].tolist(),
        lows[hit].tolist(),
        np.searchsorted(table, hashes[hit], side="right").tolist(),
        strict=True,
    )


def _is_plain(word: str) -> bool:
    return word.isdigit() or word in _FUNCTION_WORDS


def _is_written_as_a_name(words: list[str], capital: list[bool], first: int, last: int) -> bool:
    """Whether tokens look like a name: not a number, not just little words ("This is")."""
    group = words[first:last]
    if all(word.isdigit() for word in group):
        return False
    if all(word in _FUNCTION_WORDS for word in group):
        return last - first > 1 and all(capital[first:last])
    return True


def _linked(tokens: Tokens, linked: dict[tuple[str, ...], int]) -> Iterator[tuple[int, int, int]]:
    for words, entity in linked.items():
        for first in range(len(tokens) - len(words) + 1):
            if tuple(tokens.words[first : first + len(words)]) == words:
                yield first, first + len(words), entity


def _without_ending(word: str) -> str:
    """A word less its plural or possessive s; folding has removed the apostrophe."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _longest(found: list[_Found]) -> list[_Found]:
    """Those that do not overlap: links first, else from the left, the longest at each place."""
    given = {token for one in found if one.given for token in range(one.first, one.last)}
    kept: list[_Found] = []
    for one in sorted(found, key=lambda one: (one.first, -one.last)):
        if not one.given and not given.isdisjoint(range(one.first, one.last)):
            continue
        if not kept or one.first >= kept[-1].last:
            kept.append(one)
        elif one.last - one.first > kept[-1].last - kept[-1].first:
            kept[-1] = one  # "New York" gives way to "York Minster Choir"
    return kept


def _settle(graph: Graph, found: list[_Found], expected: set[int]) -> list[int]:
    """Which of its possible entities each name stands for; -1 for a name not to be believed."""
    index = graph.index
    certain = expected | {one.entities[0] for one in found if one.safe and len(one.entities) == 1}
    around = np.array(sorted(certain), dtype=np.int32)
    everyone = {entity for one in found for entity in one.entities} | certain
    types: dict[int, list[int]] = {}
    for entity, class_ in _rows_of(graph, "entity_type", "class", everyone):
        types.setdefault(entity, []).append(class_)
    common = Counter(class_ for entity in certain for class_ in types.get(entity, ()))

    def neighbours(entity: int) -> int:
        row = index.neighbours[index.offsets[entity] : index.offsets[entity + 1]]
        places = np.minimum(np.searchsorted(row, around), len(row) - 1)
        return int((row[places] == around).sum()) if len(row) else 0

    def worth(entity: int) -> tuple[bool, int, int, int, int]:
        facts = index.label_offsets[index.offsets[[entity, entity + 1]]]
        shared = max((common[class_] for class_ in types.get(entity, ())), default=0)
        known = entity in expected
        return known, neighbours(entity), shared, int(facts[1] - facts[0]), -entity

    answers: dict[tuple[tuple[int, ...], bool], int] = {}
    for one in found:
        key = one.entities, one.safe
        if key not in answers:
            best = max(one.entities, key=worth) if len(one.entities) > 1 else one.entities[0]
            believed = one.safe or best in certain or neighbours(best) > 0
            answers[key] = best if believed else -1
    return [answers[one.entities, one.safe] for one in found]


def _rows_of(
    graph: Graph, table: str, column: str, entities: set[int]
) -> Iterator[tuple[int, Any]]:
    wanted = sorted(entities)
    for at in range(0, len(wanted), 500):
        some = ",".join(map(str, wanted[at : at + 500]))
        yield from graph.store.db.execute(
            f"SELECT entity, {column} FROM {table} WHERE entity IN ({some})"
        )
