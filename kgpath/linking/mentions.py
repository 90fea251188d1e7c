"""Which entities of the graph a text names, where, and which homonym is meant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.name_index import LOWER_CASE, NameHit, WordGroups, without_ending
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.lexicon.text import FULL, PLAIN, Tokens, forms, short_forms, tokenize

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.storage.index import Index

T = TypeVar("T")

WINDOW = 15
# So many neighbours of an entity are read one by one; those of a hub are searched.
_FEW = 200
# A single word of these is no name, however it is written: "It", "Who", "Yes", "Monday".
_NO_NAMES = STOP_WORDS | frozenset(
    "also even first however last later like many may might much must new next now one part people "
    "second since three today two upon us yes yesterday yet "
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
    wanted = set(expected)
    lower = map(str.islower, map(text.__getitem__, tokens.starts))
    capital = ~np.fromiter(lower, np.bool_, len(tokens))
    hits = [
        hit
        for hit in name_hits(graph, tokens, capital)
        if _is_written_as_a_name(tokens.words, capital, hit.first, hit.last)
    ]
    found = _called(graph, _longest(list(_linked(tokens, links)), hits), capital)
    chosen = _settle(graph, found, wanted)
    while (kept := _verified(graph, tokens, found, chosen)) != found:
        found, chosen = kept, _settle(graph, kept, wanted)
    return [
        Mention(tokens.starts[one.first], tokens.ends[one.last - 1], entity, one.first, one.last)
        for one, entity in zip(found, chosen, strict=True)
        if entity >= 0
    ]


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
            for (name,) in graph.store.rows(
                "SELECT text FROM name WHERE entity IN ({ids})", entities
            )
            if name.islower()
            for form in forms(name)
            if form
        }


def name_hits(
    graph: Graph, tokens: Tokens, capital: Sequence[bool] | NDArray[np.bool_] | None = None
) -> Iterator[NameHit]:
    """Word groups whose hash is in the table, as they stand or without their last ending."""
    groups = WordGroups(tokens.words)
    # Without knowing better, every token may have the capital that most names have.
    large = np.asarray([True] * len(tokens) if capital is None else capital, dtype=np.bool_)
    # Most names have a capital, and few tokens of a text do: the others are looked up only
    # among the names that have none.
    starts = np.flatnonzero(large)
    yield from groups.lookup(graph.index.name_hashes, starts, _can_stand_alone(tokens, starts))
    small = graph.derived(LowerCaseNames)
    if small.first_words.isdisjoint(tokens.words):
        return
    begins = map(small.first_words.__contains__, tokens.words)
    starts = np.flatnonzero(np.fromiter(begins, np.bool_, len(tokens)) & ~large)
    for hit in groups.lookup(small.hashes, starts, _can_stand_alone(tokens, starts)):
        low, high = small.places[hit.low], small.places[hit.high - 1] + 1
        yield hit._replace(low=int(low), high=int(high))


def _can_stand_alone(tokens: Tokens, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    return ~np.array(
        [is_plain_word(tokens.words[place]) for place in places.tolist()], dtype=np.bool_
    )


def is_plain_word(word: str) -> bool:
    """Whether a word alone is no name, however it is written: a number, "it", "Monday"."""
    return word.isdigit() or word in _NO_NAMES


def _is_written_as_a_name(
    words: list[str], capital: NDArray[np.bool_], first: int, last: int
) -> bool:
    """Whether tokens look like a name: not a number, not just little words ("This is")."""
    group = words[first:last]
    if not all(map(is_plain_word, group)):
        return True
    if all(map(str.isdigit, group)):
        return False
    if all(word in _NO_NAMES for word in group):
        return last - first > 1 and bool(capital[first:last].all())
    return True


def _linked(tokens: Tokens, links: Iterable[Link]) -> Iterator[_Found]:
    """Where the words of a link stand; those of one without any letter stand nowhere."""
    linked = {tuple(tokenize(link.words).words): link.entity for link in links}
    for words, entity in linked.items():
        for first in range(len(tokens) - len(words) + 1 if words else 0):
            if tokens.words[first] == words[0]:
                last = first + len(words)
                if tuple(tokens.words[first:last]) == words:
                    yield _Found(first, last, (entity,), safe=True, given=True)


def _longest(given: list[_Found], hits: list[NameHit]) -> list[_Found | NameHit]:
    """Those that do not overlap: links first, else from the left, the longest at each place."""
    taken = {token for one in given for token in range(one.first, one.last)}
    free = [hit for hit in hits if taken.isdisjoint(range(hit.first, hit.last))] if taken else hits
    names: list[_Found | NameHit] = [*given, *free]
    kept: list[_Found | NameHit] = []
    for one in sorted(names, key=lambda one: (one.first, -one.last)):
        if not kept or one.first >= kept[-1].last:
            kept.append(one)
        elif one.last - one.first > kept[-1].last - kept[-1].first:
            kept[-1] = one  # "New York" gives way to "York Minster Choir"
    return kept


def _called(
    graph: Graph, names: list[_Found | NameHit], capital: NDArray[np.bool_]
) -> list[_Found]:
    """The entities with each name: those whose full name it is, else those it is short for."""
    known: dict[tuple[int, int, bool], tuple[tuple[int, ...], int]] = {}
    found = []
    for one in names:
        if isinstance(one, _Found):
            found.append(one)
            continue
        upper = bool(capital[one.first] or capital[one.first : one.last].any())
        key = one.low, one.high, upper
        if key not in known:
            known[key] = _with_best_form(graph.index, one, lower=not upper)
        entities, form = known[key]
        safe = form == FULL or (form == PLAIN and one.last - one.first > 1)
        found.append(_Found(one.first, one.last, entities, safe))
    return found


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


def _verified(graph: Graph, tokens: Tokens, found: list[_Found], chosen: list[int]) -> list[_Found]:
    """What is found, less what was chosen by its hash although its letters differ."""
    spellings = _SPELLINGS.of(graph, {entity for entity in chosen if entity >= 0})
    kept = []
    for one, entity in zip(found, chosen, strict=True):
        words = tokens.words[one.first : one.last]
        if one.given or entity < 0 or _are_among(words, spellings[entity]):
            kept.append(one)
        elif others := tuple(other for other in one.entities if other != entity):
            kept.append(one._replace(entities=others))
    return kept


def _are_among(words: list[str], spellings: frozenset[str]) -> bool:
    *before, last = words
    return " ".join(words) in spellings or " ".join([*before, without_ending(last)]) in spellings


def _settle(graph: Graph, found: list[_Found], expected: set[int]) -> list[int]:
    """Which of its possible entities each name stands for; -1 for a name not to be believed."""
    certain = expected | {one.entities[0] for one in found if one.safe and len(one.entities) == 1}
    unclear = {entity for one in found if len(one.entities) > 1 for entity in one.entities}
    company = _Company(graph, certain, unclear)
    worths = expected.__contains__, company.neighbours, company.types, company.facts
    answers: dict[tuple[tuple[int, ...], bool], int] = {}
    for one in found:
        key = one.entities, one.safe
        if key not in answers:
            best = _best(one.entities, worths)
            believed = one.safe or best in certain or company.neighbours(best) > 0
            answers[key] = best if believed else -1
    return [answers[one.entities, one.safe] for one in found]


def _best(entities: Sequence[int], worths: Iterable[Callable[[int], int]]) -> int:
    """The entity worth most; what is asked later only decides among equals, last of all the id."""
    if len(entities) == 1:
        return entities[0]
    for worth in worths:
        values = list(map(worth, entities))
        most = max(values)
        entities = [e for e, value in zip(entities, values, strict=True) if value == most]
        if len(entities) == 1:
            break
    return min(entities)


class _Company:
    """What an entity has to do with those that a text names for certain."""

    def __init__(self, graph: Graph, certain: set[int], unclear: set[int]) -> None:
        self._graph = graph
        self._certain = certain
        self._unclear = unclear
        self._around = np.array(sorted(certain), dtype=np.int32)

    def neighbours(self, entity: int) -> int:
        """How many of them are its neighbours."""
        index = self._graph.index
        row = index.neighbours[index.offsets[entity] : index.offsets[entity + 1]]
        if len(row) <= _FEW:
            return len(self._certain.intersection(row.tolist()))
        places = np.minimum(np.searchsorted(row, self._around), len(row) - 1)
        return int((row[places] == self._around).sum())

    def types(self, entity: int) -> int:
        """How many of them have its type; of several types, the one found most often."""
        return max(map(self._common.__getitem__, self._types[entity]), default=0)

    def facts(self, entity: int) -> int:
        """How many facts it has, whoever they are about."""
        index = self._graph.index
        first, stop = index.offsets[entity], index.offsets[entity + 1]
        return int(index.hop_offsets[stop] - index.hop_offsets[first])

    @cached_property
    def _types(self) -> dict[int, frozenset[int]]:
        # Not before they are asked for: often neighbours tell enough.
        return _TYPES.of(self._graph, self._certain | self._unclear)

    @cached_property
    def _common(self) -> Counter[int]:
        return Counter(class_ for entity in self._certain for class_ in self._types[entity])


class _Lately(Generic[T]):
    """Something about entities, read from the file but for those that were asked for lately.

    Most texts name some of the same. Threads may share it: at worst they read something twice.
    """

    def __init__(self, table: str, columns: str, values: Callable[..., Iterable[T]]) -> None:
        self._table, self._columns, self._values = table, columns, values
        self._known: WeakKeyDictionary[Graph, dict[int, frozenset[T]]] = WeakKeyDictionary()

    def of(self, graph: Graph, entities: set[int], most: int = 1 << 16) -> dict[int, frozenset[T]]:
        """The values of all rows of each entity."""
        known = self._known.setdefault(graph, {})
        # Another thread may empty it meanwhile, hence not "if entity in known".
        found = {e: values for e in entities if (values := known.get(e)) is not None}
        if len(found) < len(entities):
            unknown = entities.difference(found)
            read: dict[int, set[T]] = {entity: set() for entity in unknown}
            for entity, *row in graph.store.rows(
                f"SELECT entity, {self._columns} FROM {self._table} WHERE entity IN ({{ids}})",
                unknown,
            ):
                read[entity].update(self._values(*row))
            new = {entity: frozenset(values) for entity, values in read.items()}
            if len(known) + len(new) > most:
                known.clear()
            known.update(new)
            found.update(new)
        return found


def _spellings(name: str, full: str) -> Iterator[str]:
    yield full
    for _, short in short_forms(name, full):
        yield short


_SPELLINGS: _Lately[str] = _Lately("name", "text, folded", _spellings)
_TYPES: _Lately[int] = _Lately("entity_type", "class", lambda class_: (class_,))
