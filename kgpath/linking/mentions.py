"""Which entities of the graph a text names, where, and which homonym is meant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.name_index import LOWER_CASE
from kgpath.lexicon.text import (
    BEFORE_COMMA,
    FULL,
    MOST_WORDS,
    QUALIFIED,
    Tokens,
    folded_words,
    is_sign,
    short_forms,
    tokenize,
    without_qualifier,
)
from kgpath.linking.common_words import CommonWords, has_later_capital
from kgpath.linking.disambiguation import CandidateMention, disambiguate
from kgpath.linking.name_hits import (
    NameHit,
    is_never_a_name,
    is_plain_word,
    name_hits,
    without_ending,
)
from kgpath.storage.store import RowCache

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.storage.index import Index

WINDOW = 15


class Mention(NamedTuple):
    """The span ``text[start:end]`` that names an entity; ``first`` to ``last`` are its tokens."""

    start: int
    end: int
    entity: int
    first: int
    last: int


class Link(NamedTuple):
    """An entity that the document's own links name, with the words they use for it."""

    entity: int
    words: str


def find_mentions(
    graph: Graph, text: str, links: Iterable[Link] = (), expected: Iterable[int] = ()
) -> list[Mention]:
    """The entities named in a text, from left to right; the longest name wins.

    Case and accents do not count, except that a name written with a capital must have one in the
    text; a plural or possessive ending is allowed. Of several entities with the name, the one with
    most neighbours among the others found is taken, then one of a type found more often, then the
    one with most facts. A name cut short at its bracket or comma, and what may be a common word
    (:mod:`kgpath.linking.common_words`), counts only if a neighbour is found too. ``links`` are
    taken as they are; ``expected`` entities count as found.
    """
    tokens = tokenize(text)
    wanted = set(expected)
    capital = _capitals(text, tokens)
    hits = [
        hit
        for hit in name_hits(graph, tokens, capital)
        if _is_written_as_a_name(tokens.words, capital, hit.first, hit.last)
    ]
    names = _longest(list(_linked(tokens, links)), hits)
    found = _called(graph, text, tokens, names, capital)
    found = _doubted(graph, tokens, capital, found)
    chosen = disambiguate(graph, found, wanted)
    while (kept := _verified(graph, tokens, found, chosen)) != found:
        found, chosen = kept, disambiguate(graph, kept, wanted)
    return [
        Mention(tokens.starts[one.first], tokens.ends[one.last - 1], entity, one.first, one.last)
        for one, entity in zip(found, chosen, strict=True)
        if entity >= 0
    ]


def _capitals(text: str, tokens: Tokens) -> NDArray[np.bool_]:
    """Which tokens do not begin with a small letter: a capital, a digit, a sign without case."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    codes = codes[np.fromiter(tokens.starts, np.int64, len(tokens))]
    small = (codes >= ord("a")) & (codes <= ord("z"))
    for place in np.flatnonzero(codes > ord("z")).tolist():
        small[place] = text[tokens.starts[place]].islower()
    return ~small


def _is_written_as_a_name(
    words: list[str], capital: NDArray[np.bool_], first: int, last: int
) -> bool:
    """Whether tokens look like a name: not a number, not just little words ("This is")."""
    if not is_plain_word(words[first]):  # as most are not
        return True
    group = words[first:last]
    if not all(map(is_plain_word, group)):
        return True
    if all(map(str.isdigit, group)):
        return False
    if all(is_never_a_name(word) for word in group):
        return last - first > 1 and bool(capital[first:last].all())
    return True


def _linked(tokens: Tokens, links: Iterable[Link]) -> Iterator[CandidateMention]:
    """Where the words of a link stand; those of one without any letter stand nowhere."""
    given = ((tuple(tokenize(link.words).words), link.entity) for link in links)
    linked = {words: entity for words, entity in given if 0 < len(words) <= MOST_WORDS}
    places: dict[str, list[int]] = {words[0]: [] for words in linked}
    for place, word in enumerate(tokens.words if places else ()):
        if word in places:
            places[word].append(place)
    for words, entity in linked.items():
        for first in places[words[0]]:
            last = first + len(words)
            if tuple(tokens.words[first:last]) == words:
                yield CandidateMention(first, last, (entity,), safe=True, given=True)


def _longest(
    given: list[CandidateMention], hits: list[NameHit]
) -> list[CandidateMention | NameHit]:
    """Those that do not overlap: links first, else from the left, the longest at each place."""
    taken = {token for one in given for token in range(one.first, one.last)}
    free = [hit for hit in hits if taken.isdisjoint(range(hit.first, hit.last))] if taken else hits
    names: list[CandidateMention | NameHit] = [*given, *free]
    kept: list[CandidateMention | NameHit] = []
    for one in sorted(names, key=lambda one: (one.first, -one.last)):
        if not kept or one.first >= kept[-1].last:
            kept.append(one)
        elif one.last - one.first > kept[-1].last - kept[-1].first:
            kept[-1] = one  # "New York" gives way to "York Minster Choir"
    return kept


def _called(
    graph: Graph,
    text: str,
    tokens: Tokens,
    names: list[CandidateMention | NameHit],
    capital: NDArray[np.bool_],
) -> list[CandidateMention]:
    """The entities with each name: those whose full name it is, else those it is short for."""
    known: dict[tuple[int, int, bool], tuple[tuple[int, ...], int]] = {}
    common = graph.derived(CommonWords)
    large = capital.tolist()
    small = set(compress(tokens.words, (~capital).tolist()))
    found = []
    for one in names:
        if isinstance(one, CandidateMention):
            found.append(one)
            continue
        upper = True in large[one.first : one.last]
        key = one.low, one.high, upper
        if key not in known:
            known[key] = _with_best_form(graph.index, one, lower=not upper)
        entities, form = known[key]
        safe = form == FULL or (form == QUALIFIED and _has_bracket(text, tokens, one))
        if safe and upper and one.last - one.first == 1:
            word = tokens.words[one.first]
            safe = not (word in small or is_sign(word) or common.is_common(word, entities))
        found.append(CandidateMention(one.first, one.last, entities, safe))
    return found


def _has_bracket(text: str, tokens: Tokens, hit: NameHit) -> bool:
    """Whether the text has a bracket where the name has its qualifier: "Rocky (film)"."""
    return "(" in text[max(tokens.starts[hit.first] - 1, 0) : tokens.ends[hit.last - 1]]


def _with_best_form(index: Index, hit: NameHit, lower: bool) -> tuple[tuple[int, ...], int]:
    """The entities whose name it is with the least left out, and in which form."""
    if hit.high - hit.low == 1:
        return (int(index.name_entities[hit.low]),), int(index.name_forms[hit.low]) % LOWER_CASE
    forms = index.name_forms[hit.low : hit.high].tolist()
    entities = index.name_entities[hit.low : hit.high].tolist()
    rows = [
        (form % LOWER_CASE, entity)
        for form, entity in zip(forms, entities, strict=True)
        if form >= LOWER_CASE or not lower
    ]
    best = min(rows)[0]
    return tuple(dict.fromkeys(entity for form, entity in rows if form == best)), best


def _doubted(
    graph: Graph, tokens: Tokens, capital: NDArray[np.bool_], found: list[CandidateMention]
) -> list[CandidateMention]:
    """What is found; a name without any of its capitals but the first is not safe any more."""
    # How many tokens up to each have a capital: within a name, at most the first one.
    sofar = [0, *np.cumsum(capital).tolist()]
    places = [
        place
        for place, one in enumerate(found)
        if one.safe and not one.given and one.last - one.first > 1
        if sofar[one.last] == sofar[one.first + 1]
    ]
    if not places:
        return found
    spellings = _SPELLINGS.of(graph.store, {e for place in places for e in found[place].entities})
    for place in places:
        one = found[place]
        words = tokens.words[one.first : one.last]
        if all(
            has_capital
            for entity in one.entities
            for folded, has_capital in spellings[entity]
            if _is_written(words, folded)
        ):
            found[place] = one._replace(safe=False)
    return found


def _verified(
    graph: Graph, tokens: Tokens, found: list[CandidateMention], chosen: list[int]
) -> list[CandidateMention]:
    """What is found, less what was chosen by its hash although its letters differ."""
    spellings = _SPELLINGS.of(graph.store, {entity for entity in chosen if entity >= 0})
    kept = []
    for one, entity in zip(found, chosen, strict=True):
        words = tokens.words[one.first : one.last]
        if one.given or entity < 0 or _are_among(words, spellings[entity]):
            kept.append(one)
        elif others := tuple(other for other in one.entities if other != entity):
            kept.append(one._replace(entities=others))
    return kept


def _are_among(words: list[str], spellings: frozenset[_Spelling]) -> bool:
    return any(_is_written(words, folded) for folded, _ in spellings)


def _is_written(words: list[str], folded: str) -> bool:
    """Whether words are a folded name, as they stand or without their last ending."""
    *before, last = words
    return " ".join(words) == folded or " ".join([*before, without_ending(last)]) == folded


#: A folded name, and whether a word after its first has a capital.
_Spelling = tuple[str, bool]


def _spellings(name: str, full: str) -> Iterator[_Spelling]:
    yield _spaced(full), has_later_capital(name)
    plain = without_qualifier(name)
    for form, short in short_forms(name, full):
        said = plain.partition(",")[0] if form == BEFORE_COMMA else plain
        yield _spaced(short), has_later_capital(said)


def _spaced(folded: str) -> str:
    return folded if folded.isascii() else " ".join(folded_words(folded))


_SPELLINGS: RowCache[_Spelling] = RowCache("name", "text, folded", _spellings)
