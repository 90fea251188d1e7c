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
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.lexicon.stop_words import STOP_WORDS

if TYPE_CHECKING:
    from kgpath.linking.context import Context

SAID, DENIED, ASKED, SUPPOSED = range(4)
#: How far a cue reaches: nowhere, to the end of its clause, to the names next to it, back to the
#: beginning, back and to the end, or on from the next question word.
NOWHERE, AHEAD, NAMES, BACK, AROUND, QUESTION = range(6)
#: No clause is taken to be longer; a text without any full stop would else be read again and again.
LONGEST = 40
#: Names and question words so many words behind their cue still belong to it.
NEAR = 4

#: Cues, split by commas; words with a slash between them may stand for each other.
_CUES = {
    (DENIED, AHEAD): (
        "not, never, cannot, cant, couldnt, didnt, doesnt, dont, hadnt, hasnt, havent, isnt, "
        "arent, wasnt, werent, wont, wouldnt, no, none, nobody, nothing, nowhere, neither, nor, "
        "no one, has/have/had/is/are yet to, fail/fails/failed/failing to, "
        "refuse/refuses/refused/refusing to, deny/denies/denied/denying, "
        "falsely/wrongly/mistakenly/erroneously/incorrectly "
        "said/stated/claimed/credited/listed/named/reported/attributed/thought/believed, "
        "contrary to, far from, in no way, "
        "myth/lie/misconception/hoax that, "
        "is/was/are/were a/an myth/lie/misconception/hoax that, is/was false/untrue/wrong that"
    ),
    (DENIED, NAMES): "instead of, rather than, except, except for, without",
    (DENIED, BACK): (
        "is/was/are/were/be/been false/untrue/wrong/fictitious, "
        "is/was/are/were/be/been/being denied/refuted/debunked, "
        "is/was/are/were/be/been a/an myth/lie/hoax/misconception"
    ),
    (SUPPOSED, AROUND): (
        "is/was/are/were/be/been/being ruled out, is/was/are/were/be/been/being turned down, "
        "is/was/are/were/be/been/being passed over, fell/fall/falls through, came to nothing, "
        "never materialised, never materialized, is/was/were shelved"
    ),
    (SUPPOSED, AHEAD): (
        "if, unless, might, perhaps, maybe, possibly, allegedly, supposedly, purportedly, "
        "suppose, supposing, imagine that, imagine if, assuming, hypothetically, "
        "rumour/rumours/rumoured/rumor/rumors/rumored, speculation, speculated, gossip, "
        "consider/considers/considered/considering for, under/in consideration for, "
        "considered/considers/considering casting/hiring/directing/playing/making/writing, "
        "turn/turns/turned/turning down, pass/passes/passed on, "
        "decline/declines/declined/declining to, doubt/doubts/doubted that, "
        "decline/declines/declined/declining the/a/an/his/her "
        "role/part/offer/award/honour/honor/invitation/chance/job/lead, "
        "reject/rejects/rejected/rejecting, was/were/been offered, offered him/her/them, "
        "in talks, "
        "in line for, in the running for/to, shortlisted for, "
        "audition/auditions/auditioned/auditioning, "
        "want/wants/wanted/wanting to, hope/hopes/hoped/hoping to, "
        "plan/plans/planned/planning to/for/on, intend/intends/intended/intending to, "
        "wish/wishes/wished/wishing to, dream/dreams/dreamed/dreamt/dreaming of, "
        "would like/love to, would rather, was/were supposed/meant/due to, "
        "come/comes/came/coming close to, try/tries/tried/trying to, "
        "attempt/attempts/attempted to, expected to, proposed that/for, proposal/proposals to/for, "
        "lobbied, was/were approached, toyed with"
    ),
    (ASKED, AHEAD): "whether",
    (ASKED, QUESTION): (
        "ask/asks/asked/asking, wonder/wonders/wondered/wondering, unclear, unknown, uncertain, "
        "unsure, debate/debates/debated, doubt/doubts/doubted, "
        "question/questions/questioned, not known/clear/certain/sure/say/said, nobody knows/knew, "
        "no one knows/knew, never known/learned/learnt, know/knows if, inquired, enquired"
    ),
}  # fmt: skip
#: What looks like a cue and is none: a fact may well be told with it.
_NO_CUES = (
    "not only, not just, not merely, not simply, not solely, not alone, not least, "
    "not to mention, not until, not till, not before, not surprisingly, not unlike, not without, "
    "not far, not long, not uncommon, not uncommonly, not unusual, "
    "not the/his/her/its/their only/first/last/sole, "
    "not be confused/mistaken, not to be confused/mistaken, might/may be best/most, "
    "not know/knew/realise/realize/regret/forget/mention that, "
    "dont/didnt/doesnt know/realise/realize/regret/forget/mention that, didnt/dont only/just, "
    "not deny/denies/denied, not fail to, didnt deny, never denied, never failed/fails/fail to, "
    "no doubt, no longer, no later, no less, no more than, no fewer, no earlier, no sooner, "
    "no wonder, no surprise, no secret, no exception, no stranger, no matter, no other than, "
    "none other than, nothing but, nothing less, nothing short, never before, never again, "
    "never mind, with no, of no, not more than, not less than, "
    "last but not least, more often than not, "
    "if not, if any, as if, even if not, whether or not, perhaps/possibly best/most, perhaps the, "
    "without doubt, without question, "
    "was/were/been offered with/in/by/at/for/as/on/to/free, passed on to, passed on in, "
    "rejected by, "
    "ask for, asked for"
)  # fmt: skip

_BE = frozenset("is are was were be been isnt arent wasnt werent".split())
_AUXILIARY = _BE | frozenset(
    "did does do has have had can could will would should shall may might didnt doesnt dont hasnt "
    "havent hadnt cant couldnt wont wouldnt".split()
)
_QUESTION_WORDS = frozenset("who whom whose what which when where why how".split())
_AFTER_ASKING = _QUESTION_WORDS | {"if", "whether"}
_RELATIVE = frozenset("who whom whose which where that".split())
_JOINS = frozenset("and but so or then well yet".split())
_SMALL = frozenset("in on at for by with from to of under".split())
_PRONOUNS = frozenset("he she it they we i you there".split())
#: A cue reaches no further than one of these.
_TURNS = frozenset(
    "but however although though whereas while yet because when after before since until instead"
    " despite".split()
)
_PAST = frozenset(
    "wrote won made sang played became left went took gave began got met wed led ran shot cut "
    "built"
    " sold told did was were had died grew founded".split()
)
_PARTICIPLES = frozenset(
    "been made won sung become gone done had shot cut met left put led run sold told built".split()
)
#: They are denied where they stand at the very end: "In Jaws, she did not appear."
_TAKE_PART = frozenset(
    "appear appears appeared act acted star starred feature featured take part so".split()
)
_INNER = frozenset("ever even actually really in it there at all either".split())
_CONDITIONAL = frozenset("would could might".split())
_INVERTED = frozenset("had were should".split())
#: What stands in other languages too ("no", "was") tells nothing of the language.
_SHARED = frozenset("all am an as her in so was will".split()) | frozenset(  # German
    "a at do he i me no we".split()  # Romance and Slavic languages
)
#: A few of the commonest words of languages that share a cue or two with English.
_FOREIGN = frozenset(
    "el los las una del por con para que y est les des dans et un une du der und ist ein eine den "
    "mit von nicht il di della che da uma em nao foi fue se su na van het een och att som av je "
    "w z "
    "la le en".split()
)
#: "Did you know that …?" tells it.
_KNOWN = (["did", "you", "know"], ["do", "you", "remember"], ["have", "you", "heard"])
#: A text that begins with one of these is English where nothing else tells.
_BEGINNING = frozenset("did does has have who which nobody neither never unless perhaps".split())
_NEW_CLAUSE = ',;:—"“('
_CLOSING = "\"'”’)] "


class _Cue(NamedTuple):
    """What a cue says and how far it reaches; its words, after the first."""

    more: tuple[frozenset[str], ...]
    state: int
    reach: int


def _table() -> dict[str, list[_Cue]]:
    """The cues by their first word, the longest first."""
    table: dict[str, list[_Cue]] = {}
    # Of two cues of one length, the first: what is none stands before what is.
    for (state, reach), cues in {(SAID, NOWHERE): _NO_CUES, **_CUES}.items():
        for cue in cues.split(", "):
            first, *more = (frozenset(word.split("/")) for word in cue.split())
            for word in first:
                table.setdefault(word, []).append(_Cue(tuple(more), state, reach))
    return {word: sorted(cues, key=lambda cue: -len(cue.more)) for word, cues in table.items()}


_TABLE = _table()


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

    english = len(places((STOP_WORDS | _PAST | _TABLE.keys()) - _SHARED))
    # With a capital, a foreign word may be part of a name: "La La Land".
    foreign = sum(context.text[context.tokens.starts[at]].islower() for at in places(_FOREIGN))
    if english or foreign:
        return english >= foreign
    # "Did Moore sing?" and "Moore directed Jaws?"
    first = context.tokens.words[:1]
    return any(word.endswith("ed") for word in context.places) or not _BEGINNING.isdisjoint(first)


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
        return bool(self.named[at]) or (self.capital(at) and self.words[at] not in _PRONOUNS)

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
        if after >= self.stop(at) or self.named[after] or self.words[at] in _AUXILIARY:
            return False
        # "Never Let Me Go stars …", but "No Englishman …": a title has more than one capital.
        return (
            self.name(after)
            and after + 1 < self.stop(at)
            and self.name(after + 1)
            and self.gap(after).isspace()
            and self.gap(after + 1).isspace()
            and self.words[at] not in ("if", "unless")
        ) or (self.words[at] in _QUESTION_WORDS and self.name(after) and self.gap(after).isspace())

    def verb(self, at: int) -> bool:
        """Whether a token looks like the verb of a clause."""
        if at >= len(self.words) or self.name(at):
            return False
        word = self.words[at]
        return word in _AUXILIARY or word in _PAST or (len(word) > 4 and word.endswith("ed"))

    def asks(self, number: int) -> bool:
        """Whether a sentence ends in a question mark."""
        start, stop = self.context.sentences[number]
        return self.text[max(start, stop - NEAR) : stop].rstrip(_CLOSING).endswith("?")

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
                (self.words[at] in _TURNS and not self.name(at))
                or (self.words[at] == "and" and self._is_clause(at + 1, last))
                or (not relative and self.words[at] in _RELATIVE and self._goes_on(at))
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
            if self.words[place] in _PRONOUNS or self.words[place] in _AUXILIARY:
                return False
        return False

    def _is_clause(self, at: int, last: int) -> bool:
        """Whether a new clause begins: "and he …", "and was …", "and Ann Lee wrote …"."""
        if at >= last:
            return False
        if self.words[at] in _PRONOUNS or self.words[at] in ("later", "then", "instead"):
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
                or self.words[first] in _SMALL
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
            if self._breaks(self.gap(at), at) or self.words[at - 1] in _TURNS | {"and", "or"}:
                return at
        return first

    def opener(self, place: int) -> int:
        """The word that opens the clause of a cue: "which Ann Lee did not write"; else the cue."""
        first = max(self.begin(place), place - 3 * NEAR)
        for at in range(place - 1, first - 1, -1):
            if self.words[at] in _RELATIVE and at > self.begin(place):
                return at
            helps = self.words[at] in _AUXILIARY and at > place - 3
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
        for place in self.at(_TABLE):
            if place < consumed:
                continue
            for cue in _TABLE[self.words[place]]:
                after = place + 1 + len(cue.more)
                if after > self.stop(place) or not self._matches(cue, place):
                    continue
                if cue.reach == QUESTION and not self._question_at(after):
                    continue
                consumed = after
                yield from self._reached(cue, place, after)
                break

    def _matches(self, cue: _Cue, place: int) -> bool:
        return all(
            self.words[place + 1 + n] in words and "," not in self.gap(place + 1 + n)
            for n, words in enumerate(cue.more)
        )

    def _question_at(self, after: int) -> int:
        """Where, next to a word of asking, the question begins; 0 if there is none."""
        for at in range(after, min(after + NEAR, self.stop(after - 1))):
            if "." in self.gap(at) or ";" in self.gap(at):
                return 0
            if self.words[at] in _AFTER_ASKING and not self.name(at):
                return at
        return 0

    def _reached(self, cue: _Cue, place: int, after: int) -> Iterator[_Span]:
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

    def _ahead(self, cue: _Cue, place: int, after: int) -> Iterator[_Span]:
        word = self.words[place]
        if word == "not" and self._contrasts(place):
            yield DENIED, *self.names_from(after)
            return
        identity = word in _BE or (place and self.words[place - 1] in _BE)
        end = self.end(after, relative=bool(identity) or cue.state == SUPPOSED)
        rest = self.words[after:end]
        if cue.state == DENIED and self.words[end : min(end + 1, self.stop(place))] == ["until"]:
            return  # "did not win until 1994": it was won
        first = place
        if cue.state == DENIED and (word in _AUXILIARY or word in ("not", "never", "cannot")):
            first = self.opener(place)
            if all(w in _AUXILIARY or w in _INNER or w in _TAKE_PART for w in rest):
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
        for place in self.at(_INVERTED):
            begins = self.capital(place) and self.starts_speech(place)
            if begins and not self.asks(int(self.sentence[place])):
                suppose.add(int(self.sentence[place]))
                yield SUPPOSED, place, self.end(place + 1)
        for place in self.at(("almost", "nearly")):
            if place + 1 < self.stop(place) and self.verb(place + 1):
                yield SUPPOSED, place, self.end(place + 1)
        for place in self.at((*_CONDITIONAL, "may", "should")):
            after = place + 1
            if after < self.stop(place):
                perfect = self.words[after] == "have" and self._participle(after + 1)
                conditional = (
                    self.words[place] in _CONDITIONAL and int(self.sentence[place]) in suppose
                )
                if perfect or conditional or (self.words[place] == "may" and self._may(place)):
                    yield SUPPOSED, place, self.end(after, relative=True)

    def _participle(self, at: int) -> bool:
        if at >= len(self.words):
            return False
        word = self.words[at]
        return word in _PARTICIPLES or word.endswith(("ed", "en"))

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
                if self.words[at : at + 3] not in _KNOWN:
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
            begins = at == first or any(sign in self.gap(at) for sign in _NEW_CLAUSE)
            aside = at > first and "," in self.gap(at) and self.words[at] in _RELATIVE | {"when"}
            if not begins or aside:  # "Lee, who wrote it, won?"
                continue
            at = self._past_small_words(at, last)
            if self.words[at] in _AUXILIARY | _QUESTION_WORDS and not self.in_title(at):
                # "She wrote it, didn't she?" asks all of it.
                return first if self._is_tag(at, last) else at
        return None

    def _past_small_words(self, at: int, last: int) -> int:
        """The token after those that may stand before a question: "And in which …"."""
        if at + 1 < last and self.words[at] in _JOINS:
            at += 1
        if at + 1 < last and self.words[at] in _SMALL and self.words[at + 1] in _QUESTION_WORDS:
            at += 1
        return at

    def _is_tag(self, at: int, last: int) -> bool:
        return (
            last - at <= NEAR - 1
            and self.words[last - 1] in _PRONOUNS
            and self.words[at] in _AUXILIARY
        )
