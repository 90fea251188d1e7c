"""Which sentences tell a fact: what is known of each sentence that may, as named numbers.

A fact is not always told where its ends stand closest: behind "he", the sentence that says who
he is belongs to it, and what follows from two sentences is told by both. All numbers are about the
two ends, the relation and the text, whichever other facts are asked for at the same time, and none
depends on ids or on the order in which a graph was loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.features.evidence import UNSEEN
from kgpath.features.feature_table import FeatureTable, behind_best
from kgpath.features.relation_matches import relation_matches
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.linking.assertion_cues import SAID
from kgpath.linking.coreference import Kind, Kinds, coreference
from kgpath.linking.occurrences import CLEAR

if TYPE_CHECKING:
    from kgpath.features.path_features import PathFeatures

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
Mask = NDArray[np.bool_]
Columns = dict[str, NDArray[Any]]
Span = tuple[int, int]

#: The same is known of the head and of the tail.
_OF_AN_END = {
    "named": "how often the sentence names the {end}",
    "partly": "how often it has a word of a name that the text has for the {end}",
    "meant": "how often it means the {end} by another word, such as 'he'",
    "pronouns": "how many pronouns it has that fit the {end}",
    "since": "how many sentences ago the {end} was shown; {far} if never",
    "until": "in how many sentences it is shown again; {far} if never",
    "begun": "how many sentences ago it was named first; less than 0 before that",
    "opens": "whether no other name stands before that of the {end} in the sentence",
    "opened": "whether that was so in the sentence before",
    "clear": "how clearly the text names the {end}",
    "total": "in how many sentences the text shows the {end}, as a logarithm",
    "order": "how many other entities the text names before the {end}",
    "person": "1 if the {end} is a person, 0 if it is none, half where no class says so",
}
#: What lies farther away counts as so many sentences.
FAR = 10
#: Another entity that comes later counts as coming so late.
_LAST = 20
SENTENCE_FEATURES = {
    f"{end} {name}": line.format(end=end, far=FAR)
    for end in ("head", "tail")
    for name, line in _OF_AN_END.items()
} | {
    "ends": "how many of the two ends it shows in any way",
    "ends named": "how many of them it names",
    "less shown": "how the less clearly shown end is: 3 named, 2 in part, 1 meant, 0 not at all",
    "gap": "tokens between the closest names of the two, as a logarithm; many if one is missing",
    "gap behind": "the same, less that of the best sentence",
    "others between": "how many other names stand between these; -1 if one is missing",
    "away": "how many sentences lie between it and the ends, summed",
    "away behind": "the same, less that of the best sentence",
    "both": "how many sentences name both ends",
    "both shown": "how many sentences show both in any way",
    "both before": "how many earlier ones name both",
    "both shown before": "how many earlier ones show both in any way",
    "near both": "sentences from here to the nearest one that names both",
    "words": "the relation's words in the sentence, by share and nearness",
    "words behind": "the same, less that of the best sentence",
    "unsaid": "share of its words that it denies, asks or supposes",
    "names": "how many names it has",
    "length": "its number of words, as a logarithm",
    "place": "how many sentences stand before it, as a logarithm",
    "sentences": "how many sentences the text has, as a logarithm",
    "pronoun opens": "whether one of its first three words is a pronoun",
}
_HE = frozenset("he him his she her hers".split())
_IT = frozenset("it its".split())
_THEY = frozenset("they their them".split())
#: What taggers of names call people.
_PERSON_TAGS = frozenset({"per"})
_LONG_WORD = 3


class SentenceRows(NamedTuple):
    """A row for each fact and each sentence that may tell it, by number, in ascending order.

    ``asked`` are all facts that were asked for, in their order, also those without a sentence.
    """

    asked: Places
    fact: Places
    sentence: Places
    table: FeatureTable


def sentence_table(features: PathFeatures, facts: NDArray[np.integer]) -> SentenceRows:
    """The sentences that may tell some of ``features.facts``, given by their places.

    They show an end of the fact, or stand next to one that does.
    """
    asked = np.asarray(facts, dtype=np.int64)
    reading = _Reading(features, np.unique(asked))
    return SentenceRows(asked, reading.wanted[reading.fact], reading.sentence, reading.table())


def told_sentences(
    rows: SentenceRows, probability: NDArray[np.floating], threshold: float
) -> list[tuple[int, ...]]:
    """For each fact that was asked for, the sentences that tell it as these probabilities say.

    Those above the threshold, and the most probable one in any case: none only where the text does
    not show both ends.
    """
    best = behind_best(np.asarray(probability, dtype=np.float64), rows.fact) == 0
    # Of equals, the first one.
    first = np.flatnonzero(best)
    best[:] = False
    best[first[np.unique(rows.fact[first], return_index=True)[1]]] = True
    seen = (rows.table["head total"] > 0) & (rows.table["tail total"] > 0)
    shown = seen & (best | (probability > threshold))
    told: dict[int, list[int]] = {}
    for fact, sentence in zip(
        rows.fact[shown].tolist(), rows.sentence[shown].tolist(), strict=True
    ):
        told.setdefault(fact, []).append(sentence)
    return [tuple(told.get(fact, ())) for fact in rows.asked.tolist()]


class _Reading:
    """A text read for some facts: matrices of their ends, and of the facts, by sentences."""

    def __init__(self, features: PathFeatures, wanted: Places) -> None:
        self.features = features
        self.context = features.context
        self.wanted = wanted
        known = features.facts
        self.relations = known.relations[wanted]
        pairs = np.stack([known.heads[wanted], known.tails[wanted]])
        self.ends, numbers = np.unique(pairs, return_inverse=True)
        #: The head and the tail of each fact, by their place in ``ends``.
        self.pair = np.asarray(numbers).reshape(2, -1)
        self.count = len(self.context.sentences)
        self.of_token = self.context.sentence_of
        self.bounds = np.searchsorted(self.of_token, np.arange(self.count + 1))
        self.fact, self.sentence = self._rows()

    def _rows(self) -> tuple[Places, Places]:
        near = self.shown.copy()
        near[:, 1:] |= self.shown[:, :-1]
        near[:, :-1] |= self.shown[:, 1:]
        fact, sentence = np.nonzero(near[self.pair].any(axis=0))
        return fact, sentence

    def table(self) -> FeatureTable:
        """All features of all rows."""
        if not len(self.fact):
            return FeatureTable(
                tuple(SENTENCE_FEATURES), np.empty((0, len(SENTENCE_FEATURES)), dtype=np.float64)
            )
        columns = {**self._of_ends(), **self._of_both(), **self._of_the_relation(), **self._alone()}
        return FeatureTable.of(SENTENCE_FEATURES, columns)

    # Where the text shows the ends and others: matrices of ends by sentences

    @cached_property
    def _spans(self) -> list[list[Span]]:
        """Where each end is named."""
        seen = self.features.occurrences.by_name()
        return [seen.of(entity) for entity in self.ends.tolist()]

    @cached_property
    def _clear(self) -> Numbers:
        seen = self.features.occurrences
        return seen.named[np.searchsorted(seen.entities, self.ends)]

    @cached_property
    def _clear_spans(self) -> list[list[Span]]:
        """The same, but for ends that the text may not name: what is clear to other facts too."""
        return [
            spans if clear >= CLEAR else []
            for spans, clear in zip(self._spans, self._clear.tolist(), strict=True)
        ]

    @cached_property
    def _others(self) -> list[tuple[int, int, int]]:
        """What else the text names: first and last token, entity; as the text has them."""
        taken = _tokens_of(span for spans in self._clear_spans for span in spans)
        return [
            (one.first, one.last, one.entity)
            for one in self.context.mentions()
            if taken.isdisjoint(range(one.first, one.last))
        ]

    @cached_property
    def _name_starts(self) -> Places:
        """Where clear names begin, of ends and others."""
        starts = {first for spans in self._clear_spans for first, _ in spans}
        starts.update(first for first, _, _ in self._others)
        return np.array(sorted(starts), dtype=np.int64)

    def _by_sentence(self, spans: Iterable[Iterable[Span]]) -> Numbers:
        """How often each end has a span in each sentence."""
        counts = np.zeros((len(self.ends), self.count))
        for row, of_end in zip(counts, spans, strict=True):
            places = [first for first, _ in of_end]
            np.add.at(row, self.of_token[places], 1)
        return counts

    @cached_property
    def _named(self) -> Numbers:
        return self._by_sentence(self._spans)

    @cached_property
    def _partly(self) -> Numbers:
        """Words of a longer name that stand alone, with a capital letter, outside of all names."""
        words, text = self.context.tokens.words, self.context.text
        starts = self.context.tokens.starts
        taken = _tokens_of((first, last) for first, last, _ in self._others)
        taken |= _tokens_of(span for spans in self._spans for span in spans)
        found = []
        for spans in self._spans:
            parts = {
                word for first, last in spans if last - first > 1 for word in words[first:last]
            }
            parts = {word for word in parts - STOP_WORDS if len(word) >= _LONG_WORD}
            found.append(
                [
                    (place, place + 1)
                    for word in parts
                    for place in self.context.places.get(word, ())
                    if place not in taken and text[starts[place]].isupper()
                ]
            )
        return self._by_sentence(found)

    @cached_property
    def _kinds(self) -> dict[int, Kind]:
        """The kinds of the ends and of the others."""
        entities = {*self.ends.tolist(), *(entity for _, _, entity in self._others)}
        kinds = self.context.graph.derived(Kinds).of(sorted(entities))
        return {
            entity: kind._replace(person=kind.person or bool(kind.nouns & _PERSON_TAGS))
            for entity, kind in kinds.items()
        }

    @cached_property
    def _meant(self) -> Numbers:
        """By words that stand for a name, of all that the text names."""
        spans: dict[int, list[Span]] = {
            entity: of_end
            for entity, of_end in zip(self.ends.tolist(), self._clear_spans, strict=True)
            if of_end
        }
        for first, last, entity in self._others:
            spans.setdefault(entity, []).append((first, last))
        # Numbered by where they stand, the longer name first; what cannot be told apart is one.
        looks = {entity: _look(spans[entity], self._kinds.get(entity)) for entity in spans}
        numbers = {look: number for number, look in enumerate(sorted(set(looks.values())))}
        number_of = {entity: numbers[look] for entity, look in looks.items()}
        kinds = {
            number: self._kinds[entity]
            for entity, number in number_of.items()
            if entity in self._kinds
        }
        found = coreference(
            self.context, kinds, {number_of[entity]: spans[entity] for entity in spans}
        )
        return self._by_sentence(
            found.get(number_of.get(entity, -1), ()) for entity in self.ends.tolist()
        )

    @cached_property
    def shown(self) -> Mask:
        """Whether a sentence shows an end, in any way."""
        return (self._named + self._partly + self._meant) > 0

    @cached_property
    def _how(self) -> Numbers:
        return np.where(self._named > 0, 3, np.where(self._partly > 0, 2, self._meant > 0))

    @cached_property
    def _since_until(self) -> tuple[Numbers, Numbers]:
        """Sentences from the last one that shows an end, and to the next."""
        return _since_until(self.shown)

    @cached_property
    def _person(self) -> Numbers:
        kinds = [self._kinds.get(entity) for entity in self.ends.tolist()]
        return np.array([0.5 if kind is None else kind.person for kind in kinds])

    def _words_of(self, words: frozenset[str]) -> Numbers:
        places = [place for word in words for place in self.context.places.get(word, ())]
        return np.bincount(self.of_token[places], minlength=self.count).astype(np.float64)

    @cached_property
    def _pronouns(self) -> Numbers:
        he, it, they = map(self._words_of, (_HE, _IT, _THEY))
        person = self._person[:, None]
        fitting = np.where(person == 1, he, np.where(person == 0, it, he + it))
        return np.asarray(fitting + they)

    @cached_property
    def _first_last(self) -> tuple[Numbers, Numbers]:
        """The first and the last token at which a sentence names an end; nothing if nowhere."""
        first = np.full((len(self.ends), self.count), np.inf)
        last = np.full((len(self.ends), self.count), -np.inf)
        for row, of_end in enumerate(self._spans):
            places = np.array([begin for begin, _ in of_end], dtype=np.int64)
            np.minimum.at(first[row], self.of_token[places], places)
            np.maximum.at(last[row], self.of_token[places], places)
        return first, last

    @cached_property
    def _opens(self) -> Mask:
        at = np.searchsorted(self._name_starts, self.bounds[:-1])
        starts = np.append(self._name_starts, len(self.of_token))[at]
        first = self._first_last[0]
        return np.asarray(np.isfinite(first) & (first <= starts))

    # The features, by what they are about

    def _of_ends(self) -> Columns:
        begins = np.argmax(self._named > 0, axis=1)
        never = np.asarray(self._named.sum(axis=1) == 0)
        since, until = self._since_until
        opened = np.zeros_like(self._opens)
        opened[:, 1:] = self._opens[:, :-1]
        order = np.array([min((a for a, _ in spans), default=-1) for spans in self._spans])
        first_names = self._first_names
        order = np.where(never, _LAST, np.minimum(np.searchsorted(first_names, order), _LAST))
        total = np.log1p(self.shown.sum(axis=1))
        columns: Columns = {}
        for side, name in enumerate(("head", "tail")):
            end = self.pair[side][self.fact]
            at = end, self.sentence
            begun = np.where(never[end], -FAR, self.sentence - begins[end])
            columns |= {
                f"{name} named": self._named[at],
                f"{name} partly": self._partly[at],
                f"{name} meant": self._meant[at],
                f"{name} pronouns": self._pronouns[at],
                f"{name} since": since[at],
                f"{name} until": until[at],
                f"{name} begun": np.clip(begun, -FAR, FAR),
                f"{name} opens": self._opens[at],
                f"{name} opened": opened[at],
                f"{name} clear": self._clear[end],
                f"{name} total": total[end],
                f"{name} order": order[end],
                f"{name} person": self._person[end],
            }
        return columns

    @cached_property
    def _first_names(self) -> Places:
        """Where each entity that the text names is named first, in order."""
        first = [min(begin for begin, _ in spans) for spans in self._clear_spans if spans]
        seen: dict[int, int] = {}
        for begin, _, entity in self._others:
            seen.setdefault(entity, begin)
        return np.unique(np.array([*first, *seen.values()], dtype=np.int64))

    def _of_both(self) -> Columns:
        head, tail = self.pair
        named = (self._named[head] > 0) & (self._named[tail] > 0)
        shown = self.shown[head] & self.shown[tail]
        at = self.fact, self.sentence
        how = self._how[self.pair[:, self.fact], self.sentence]
        gap, between = self._gaps
        since, until = self._since_until
        near = np.minimum(since, until)
        away = near[head][at] + near[tail][at]
        return {
            "ends": (how > 0).sum(axis=0),
            "ends named": (how == 3).sum(axis=0),
            "less shown": how.min(axis=0),
            "gap": gap,
            "gap behind": -behind_best(-gap, self.fact),
            "others between": between,
            "away": away,
            "away behind": -behind_best(-away, self.fact),
            "both": named.sum(axis=1)[self.fact],
            "both shown": shown.sum(axis=1)[self.fact],
            "both before": (np.cumsum(named, axis=1) - named)[at],
            "both shown before": (np.cumsum(shown, axis=1) - shown)[at],
            "near both": np.minimum(*_since_until(named))[at],
        }

    @cached_property
    def _gaps(self) -> tuple[Numbers, Numbers]:
        """Tokens between the names of both ends in a row's sentence, and other names between."""
        first, last = self._first_last
        head, tail = self.pair[:, self.fact]
        s = self.sentence
        one = np.stack([first[head, s], first[head, s], last[head, s], last[head, s]])
        other = np.stack([first[tail, s], last[tail, s], first[tail, s], last[tail, s]])
        with np.errstate(invalid="ignore"):
            apart = np.abs(one - other)
        both = np.isfinite(apart[0])
        gap, between = np.full(len(s), np.log1p(UNSEEN)), np.full(len(s), -1.0)
        if both.any():
            best = apart[:, both].argmin(axis=0)
            ends = np.sort(
                [np.take_along_axis(x[:, both], best[None], 0)[0] for x in (one, other)], axis=0
            )
            gap[both] = np.log1p(ends[1] - ends[0])
            within = np.searchsorted(self._name_starts, ends[1])
            between[both] = within - np.searchsorted(self._name_starts, ends[0], "right")
        return gap, between

    def _of_the_relation(self) -> Columns:
        first, last = self.bounds[self.sentence], self.bounds[self.sentence + 1]
        _, words = relation_matches(self.context, self.relations[self.fact], first, last)
        return {"words": words, "words behind": behind_best(words, self.fact)}

    def _alone(self) -> Columns:
        tokens = np.maximum(np.diff(self.bounds), 1)
        unsaid = np.bincount(self.of_token, self.context.assertion != SAID, minlength=self.count)
        names = np.bincount(self.of_token[self._name_starts], minlength=self.count)
        pronouns = [
            place for word in _HE | _IT | _THEY for place in self.context.places.get(word, ())
        ]
        opens = np.zeros(self.count, dtype=np.bool_)
        places = np.array(pronouns, dtype=np.int64)
        own = self.of_token[places]
        opens[own[places - self.bounds[own] < 3]] = True
        return {
            "unsaid": (unsaid / tokens)[self.sentence],
            "names": names[self.sentence],
            "length": np.log(tokens)[self.sentence],
            "place": np.log1p(self.sentence),
            "sentences": np.full(len(self.sentence), np.log1p(self.count)),
            "pronoun opens": opens[self.sentence],
        }


def _tokens_of(spans: Iterable[Span]) -> set[int]:
    return {at for first, last in spans for at in range(first, last)}


def _look(spans: list[Span], kind: Kind | None) -> tuple[Any, ...]:
    """All that is known of an entity in a text but for its id, to be sorted by."""
    reverse = tuple((first, -last) for first, last in spans)
    nouns = tuple(sorted(kind.nouns)) if kind else ()
    return reverse, kind is None, bool(kind and kind.person), nouns


def _since_until(there: Mask) -> tuple[Numbers, Numbers]:
    """How many columns ago a row was there last, and in how many it will be; no more than FAR."""
    count = there.shape[1]
    here = np.arange(count)
    last = np.maximum.accumulate(np.where(there, here, -FAR), axis=1)
    after = np.where(there, here, count + FAR)[:, ::-1]
    following = np.minimum.accumulate(after, axis=1)[:, ::-1]
    return np.minimum(here - last, FAR), np.minimum(following - here, FAR)
