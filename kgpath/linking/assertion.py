"""Which words of a text stand in what it denies, asks or supposes, rather than says.

Plain rules for plain English, in the spirit of NegEx (Chapman et al., 2001): a cue such as "never"
or "turned down" reaches to the end of its clause, a few such as "is a myth" or "was ruled out"
reach back to its beginning, and what only looks like a cue ("not only", "no longer") reaches
nowhere.
What stands before a cue stays said: "Moore was never in Jaws but sang in Ulm" still tells of Moore.
So a fact is told only where neither of its ends is denied, asked or supposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.linking.assertion_cues import (
    AFTER_ASKING,
    AHEAD,
    AROUND,
    ASKED,
    AUXILIARY,
    BACK,
    BE,
    BEGINNING,
    CLOSING,
    CONDITIONAL,
    DENIED,
    FOREIGN,
    INNER,
    INVERTED,
    JOINS,
    KNOWN,
    NAMES,
    NEW_CLAUSE,
    PARTICIPLES,
    PAST,
    PRONOUNS,
    QUESTION,
    QUESTION_WORDS,
    RELATIVE,
    SHARED,
    SMALL,
    SUPPOSED,
    TABLE,
    TAKE_PART,
    TURNS,
    Cue,
)

if TYPE_CHECKING:
    from kgpath.linking.context import Context

#: No clause is taken to be longer; a text without any full stop would else be read again and again.
LONGEST = 40
#: Names and question words so many words behind their cue still belong to it.
NEAR = 4


def assertion(context: Context) -> NDArray[np.int8]:
    """For each token of a text, whether it is SAID, DENIED, ASKED or SUPPOSED."""
    found = np.zeros(len(context.tokens), dtype=np.int8)
    if not _is_english(context):
        return found
    reading = _Reading(context)
    spans = sorted([*reading.cues(), *reading.conditions(), *reading.questions()], key=_weight)
    for state, first, last in spans:
        found[first:last] = state
    return found


_Span = tuple[int, int, int]
#: What is asked is asked, whatever else is in it; what is supposed not to be is supposed.
_ORDER = {DENIED: 0, SUPPOSED: 1, ASKED: 2}


def _weight(span: _Span) -> int:
    return _ORDER[span[0]]


def _is_english(context: Context) -> bool:
    def places(words: Iterable[str]) -> list[int]:
        return [at for word in words for at in context.places.get(word, ())]

    english = len(places((STOP_WORDS | PAST | TABLE.keys()) - SHARED))
    # With a capital, a foreign word may be part of a name: "La La Land".
    foreign = sum(context.text[context.tokens.starts[at]].islower() for at in places(FOREIGN))
    if english or foreign:
        return english >= foreign
    # "Did Moore sing?" and "Moore directed Jaws?"
    first = context.tokens.words[:1]
    return any(word.endswith("ed") for word in context.places) or not BEGINNING.isdisjoint(first)


class _Reading:
    """The cues of a text and how far they reach."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.text = context.text
        self.words = context.tokens.words
        self.starts, self.ends = context.tokens.starts, context.tokens.ends
        self.sentence = context.sentence_of
        numbers = np.arange(len(context.sentences) + 1)
        self.bounds: list[int] = np.searchsorted(self.sentence, numbers).tolist()
        self.named = np.zeros(len(self.words), dtype=np.bool_)
        self.titles: list[tuple[int, int]] = []  # the end and the entity of each mention
        for mention in context.mentions():
            self.named[mention.first : mention.last] = True
            self.titles.append((mention.last, mention.entity))

    # What the text looks like

    def gap(self, at: int) -> str:
        """What stands between a token and the one before."""
        return self.text[self.ends[at - 1] if at else 0 : self.starts[at]]

    def capital(self, at: int) -> bool:
        return self.text[self.starts[at]].isupper()

    def name(self, at: int) -> bool:
        """Whether a token is part of a name, as far as can be seen; "I" is none."""
        return bool(self.named[at]) or (self.capital(at) and self.words[at] not in PRONOUNS)

    def begin(self, at: int) -> int:
        """The first token of a token's sentence."""
        return self.bounds[int(self.sentence[at])]

    def stop(self, at: int) -> int:
        """The token after a token's sentence."""
        return self.bounds[int(self.sentence[at]) + 1]

    def starts_speech(self, at: int) -> bool:
        """Whether a token begins a sentence, or one within it: He asked, "Did …"."""
        gap = self.gap(at).strip()
        return at == self.begin(at) or ":" in gap or (gap[:1] in ",;—–" and gap != gap[:1])

    def in_title(self, at: int) -> bool:
        """Whether a token belongs to a name, known or not: never a cue."""
        if self.named[at]:
            return True
        surface = self.text[self.starts[at] : self.ends[at]]
        if not surface[0].isupper() or (len(surface) > 1 and surface.isupper()):
            return False
        if not self.starts_speech(at):
            return True
        after = at + 1
        if after >= self.stop(at) or self.named[after] or self.words[at] in AUXILIARY:
            return False
        # "Never Let Me Go stars …", but "No Englishman …": a title has more than one capital.
        return (
            self.name(after)
            and after + 1 < self.stop(at)
            and self.name(after + 1)
            and self.gap(after).isspace()
            and self.gap(after + 1).isspace()
            and self.words[at] not in ("if", "unless")
        ) or (self.words[at] in QUESTION_WORDS and self.name(after) and self.gap(after).isspace())

    def verb(self, at: int) -> bool:
        """Whether a token looks like the verb of a clause."""
        if at >= len(self.words) or self.name(at):
            return False
        word = self.words[at]
        return word in AUXILIARY or word in PAST or (len(word) > 4 and word.endswith("ed"))

    def asks(self, number: int) -> bool:
        """Whether a sentence ends in a question mark."""
        start, stop = self.context.sentences[number]
        return self.text[max(start, stop - NEAR) : stop].rstrip(CLOSING).endswith("?")

    # How far a cue reaches

    def end(self, place: int, relative: bool = False) -> int:
        """Where the clause ends that goes on at a token; ``relative`` ones may belong to it."""
        last = min(self.stop(place - 1), place + LONGEST) if place else 0
        aside = place < last and "," in self.gap(place)
        for at in range(place, last):
            gap = self.gap(at)
            if at > place and not gap.isspace() and self._breaks(gap, at):
                if "," in gap and aside:  # "did not, in 1975, direct"
                    aside = False
                elif not (gap.strip() == "," and self._is_list(at, last)):
                    return at
            if at > place and (
                (self.words[at] in TURNS and not self.name(at))
                or (self.words[at] == "and" and self._is_clause(at + 1, last))
                or (not relative and self.words[at] in RELATIVE and self._goes_on(at))
            ):
                return at
        return last

    def _breaks(self, gap: str, at: int) -> bool:
        if ("(" in gap or ")" in gap) and "," not in gap and ";" not in gap:
            return not (self.words[at].isdigit() or self.words[at - 1].isdigit())
        return any(sign in gap for sign in ",;:()[]—?!") or " –" in gap or " - " in gap

    def _is_list(self, at: int, last: int) -> bool:
        """Whether the words after a comma go on a list that ends in "or"."""
        for place in range(at, min(at + 3 * NEAR, last)):
            if self.words[place] in ("or", "nor"):
                return True
            if self.words[place] in PRONOUNS or self.words[place] in AUXILIARY:
                return False
        return False

    def _is_clause(self, at: int, last: int) -> bool:
        """Whether a new clause begins: "and he …", "and was …", "and Ann Lee wrote …"."""
        if at >= last:
            return False
        if self.words[at] in PRONOUNS or self.words[at] in ("later", "then", "instead"):
            return True
        while at < last and (self.name(at) or self.words[at] in ("the", "his", "her")):
            at += 1
        return at < last and self.verb(at)

    def _goes_on(self, at: int) -> bool:
        """Whether "that", "who" and the like open a clause of their own."""
        return self.words[at] != "that" or self.words[at - 1] in ("know", "realise", "realize")

    def names_from(self, place: int) -> tuple[int, int]:
        """The next names, with what "and" or "or" joins to them; none, if no name is near."""
        last = self.stop(place - 1)
        first = place
        while first < min(place + NEAR, last) and not self.name(first):
            if (
                self.verb(first)
                or self.words[first] in SMALL
                or (first > place and "," in self.gap(first))
            ):
                return place, place
            first += 1
        at = first
        while at < last and (self.name(at) or (at > first and self._joins(at, last))):
            if at > first and "," in self.gap(at):
                break
            at += 1
        return (place, at) if at > first else (place, place)

    def _joins(self, at: int, last: int) -> bool:
        return self.words[at] in ("and", "or") and at + 1 < last and self.name(at + 1)

    def back(self, place: int) -> int:
        """Where the part of the sentence begins that a cue looks back on."""
        first = max(self.begin(place), place - LONGEST)
        for at in range(place, first, -1):
            if self.words[at - 1] in ("but", "however", "although", "though") or ";" in self.gap(
                at
            ):
                return at
        return first

    def clause(self, place: int) -> int:
        """Where the clause begins that a cue ends: "…, but Lee was not"."""
        first = max(self.begin(place), place - LONGEST)
        for at in range(place, first, -1):
            if self._breaks(self.gap(at), at) or self.words[at - 1] in TURNS | {"and", "or"}:
                return at
        return first

    def opener(self, place: int) -> int:
        """The word that opens the clause of a cue: "which Ann Lee did not write"; else the cue."""
        first = max(self.begin(place), place - 3 * NEAR)
        for at in range(place - 1, first - 1, -1):
            if self.words[at] in RELATIVE and at > self.begin(place):
                return at
            helps = self.words[at] in AUXILIARY and at > place - 3
            if not helps and (self.verb(at) or "," in self.gap(at + 1)):
                return place
        return place

    # What is found

    def at(self, words: Iterable[str]) -> Iterator[int]:
        """Where words stand that are not part of a name, in order."""
        places = self.context.places
        for place in sorted(place for word in words for place in places.get(word, ())):
            if not self.in_title(place):
                yield place

    def cues(self) -> Iterator[_Span]:
        consumed = 0
        for place in self.at(TABLE):
            if place < consumed:
                continue
            for cue in TABLE[self.words[place]]:
                after = place + 1 + len(cue.more)
                if after > self.stop(place) or not self._matches(cue, place):
                    continue
                if cue.reach == QUESTION and not self._question_at(after):
                    continue
                consumed = after
                yield from self._reached(cue, place, after)
                break

    def _matches(self, cue: Cue, place: int) -> bool:
        return all(
            self.words[place + 1 + n] in words and "," not in self.gap(place + 1 + n)
            for n, words in enumerate(cue.more)
        )

    def _question_at(self, after: int) -> int:
        """Where, next to a word of asking, the question begins; 0 if there is none."""
        for at in range(after, min(after + NEAR, self.stop(after - 1))):
            if "." in self.gap(at) or ";" in self.gap(at):
                return 0
            if self.words[at] in AFTER_ASKING and not self.name(at):
                return at
        return 0

    def _reached(self, cue: Cue, place: int, after: int) -> Iterator[_Span]:
        if cue.reach == QUESTION:
            first = self._question_at(after)
            yield ASKED, first, self.end(first + 1, relative=True)
        elif cue.reach == BACK:
            yield cue.state, self.back(place), after
        elif cue.reach == AROUND:
            yield cue.state, self.back(place), self.end(after)
        elif cue.reach == NAMES:
            yield cue.state, *self.names_from(after)
        elif cue.reach == AHEAD:
            yield from self._ahead(cue, place, after)

    def _ahead(self, cue: Cue, place: int, after: int) -> Iterator[_Span]:
        word = self.words[place]
        if word == "not" and self._contrasts(place):
            yield DENIED, *self.names_from(after)
            return
        identity = word in BE or (place and self.words[place - 1] in BE)
        end = self.end(after, relative=bool(identity) or cue.state == SUPPOSED)
        rest = self.words[after:end]
        if cue.state == DENIED and self.words[end : min(end + 1, self.stop(place))] == ["until"]:
            return  # "did not win until 1994": it was won
        first = place
        if cue.state == DENIED and (word in AUXILIARY or word in ("not", "never", "cannot")):
            first = self.opener(place)
            if all(w in AUXILIARY or w in INNER or w in TAKE_PART for w in rest):
                first = self.clause(place)
        yield cue.state, first, end

    def _contrasts(self, place: int) -> bool:
        """Whether "not" only sets one name against another: "Lee, not Ann Moore, …"."""
        if place == self.begin(place):
            return False
        joined = "," in self.gap(place) or self.words[place - 1] == "and" or "(" in self.gap(place)
        first, last = self.names_from(place + 1)
        return bool(joined and last > first)

    def conditions(self) -> Iterator[_Span]:
        """What would be, if something were; and "Had she directed it, …"."""
        suppose = {int(self.sentence[place]) for place in self.at(("if", "unless"))}
        for place in self.at(INVERTED):
            begins = self.capital(place) and self.starts_speech(place)
            if begins and not self.asks(int(self.sentence[place])):
                suppose.add(int(self.sentence[place]))
                yield SUPPOSED, place, self.end(place + 1)
        for place in self.at(("almost", "nearly")):
            if place + 1 < self.stop(place) and self.verb(place + 1):
                yield SUPPOSED, place, self.end(place + 1)
        for place in self.at((*CONDITIONAL, "may", "should")):
            after = place + 1
            if after < self.stop(place):
                perfect = self.words[after] == "have" and self._participle(after + 1)
                conditional = (
                    self.words[place] in CONDITIONAL and int(self.sentence[place]) in suppose
                )
                if perfect or conditional or (self.words[place] == "may" and self._may(place)):
                    yield SUPPOSED, place, self.end(after, relative=True)

    def _participle(self, at: int) -> bool:
        if at >= len(self.words):
            return False
        word = self.words[at]
        return word in PARTICIPLES or word.endswith(("ed", "en"))

    def _may(self, place: int) -> bool:
        return place > 0 and not self.words[place - 1].isdigit() and self.words[place - 1] != "in"

    def questions(self) -> Iterator[_Span]:
        """What a sentence with a question mark at its end asks."""
        titles: dict[int, int] | None = None
        for number, (_, stop) in enumerate(self.context.sentences):
            if not self.asks(number):
                continue
            first, last = self.bounds[number], self.bounds[number + 1]
            if first == last:
                continue
            at = self._question_opens(first, last)
            if at is not None:
                if self.words[at : at + 3] not in KNOWN:
                    yield ASKED, at, last
                continue
            if titles is None:
                titles = dict(self.titles)
            marked = last in titles and self.context.graph.entity(titles[last]).label.endswith("?")
            going_on = self.text[stop : stop + 10].lstrip()[:1].islower()
            title = all(map(self.in_title, range(first, last)))
            if not (marked or going_on or title):
                yield ASKED, first, last

    def _question_opens(self, first: int, last: int) -> int | None:
        """Where the question of a sentence begins; None where no word of asking opens it."""
        for at in range(first, last):
            begins = at == first or any(sign in self.gap(at) for sign in NEW_CLAUSE)
            aside = at > first and "," in self.gap(at) and self.words[at] in RELATIVE | {"when"}
            if not begins or aside:  # "Lee, who wrote it, won?"
                continue
            at = self._past_small_words(at, last)
            if self.words[at] in AUXILIARY | QUESTION_WORDS and not self.in_title(at):
                # "She wrote it, didn't she?" asks all of it.
                return first if self._is_tag(at, last) else at
        return None

    def _past_small_words(self, at: int, last: int) -> int:
        """The token after those that may stand before a question: "And in which …"."""
        if at + 1 < last and self.words[at] in JOINS:
            at += 1
        if at + 1 < last and self.words[at] in SMALL and self.words[at + 1] in QUESTION_WORDS:
            at += 1
        return at

    def _is_tag(self, at: int, last: int) -> bool:
        return (
            last - at <= NEAR - 1
            and self.words[last - 1] in PRONOUNS
            and self.words[at] in AUXILIARY
        )
