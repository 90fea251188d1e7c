"""One text from facts to tell and facts to leave untold: sentences joined as prose joins them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from kgpath.datasets.told_texts import unsaid
from kgpath.datasets.told_texts.clauses import (
    apposition,
    as_clause,
    asked,
    denied,
    ends_in_name,
    participle,
    plural,
    predicate,
    subject_of,
    tidy,
)
from kgpath.datasets.told_texts.patterns import (
    Pattern,
    is_noun,
    label_clauses,
    says_label,
    spelled,
    wordings,
)
from kgpath.datasets.told_texts.things import (
    GROUP,
    OTHER,
    PERSON,
    PLACE,
    UNKNOWN,
    WORK,
    Things,
    common_noun,
    with_article,
)
from kgpath.datasets.told_texts.tree import Fact

_T = TypeVar("_T")
#: Words of a pattern, not of a name, that lose their capital within a sentence.
_OPENING = re.compile(
    r"^(The|In|As|For|When|Among|Many|One|No|People|Critics|Most|Everybody|Prices) (?=[a-z])"
)
#: Relations between things of one kind.
_ALIKE = re.compile(
    r"success|predecess|influenc|preced|succeed|spouse|partner|relati|deputy|advisor"
)
_DEEPEST = 2  # clauses within clauses
#: How a fact is left untold: mostly both ends are named, and nothing is said that relates them.
_WAYS = (
    *("together",) * 3, *("apart",) * 3, "denied", "denied", "asked", "supposed", "talks",
)  # fmt: skip


class Style(NamedTuple):
    """How often a text does what; drawn once for each text, so that texts differ."""

    own_words: bool  # never the words of a relation's label, where there are others
    joins: float  # clauses within clauses
    pronouns: float
    filler: float
    labels: float  # of sentences in the label's words


def draw_style(rng: np.random.Generator) -> Style:
    """A style at random."""
    joins, pronouns, filler = rng.uniform(0.1, 0.75), rng.uniform(0.2, 0.8), rng.uniform(0, 0.45)
    return Style(bool(rng.random() < 0.45), joins, pronouns, filler, rng.choice([0.15, 0.4, 0.8]))


class Writer:
    """Writes one text; used once."""

    def __init__(
        self,
        things: Things,
        rng: np.random.Generator,
        style: Style,
        by_label: Callable[[Fact], bool] = lambda fact: False,
    ) -> None:
        self.things = things
        self.rng = rng
        self.style = style
        self.by_label = by_label  # whether only the label's words can tell a fact from others
        self.sentences: list[str] = []
        self._seen: set[int] = set()
        self._subject: int | None = None
        self._waiting: list[Fact] = []
        self._left_out: list[Fact] = []
        self._common: set[int] = set()
        self._told_last = False
        self._kinds: dict[int, str] = {}
        self._said: set[str] = set()
        # kgpath overlooks many a name in small letters ("hard rock"): both ways are to be met.
        self._small_words = self._chance(0.5)

    def write(self, told: Sequence[Fact], untold: Sequence[Fact]) -> str:
        """The text."""
        for fact in (*told, *untold):
            self._learn_kinds(fact)
        for fact in (*told, *untold):
            self._share_kind(fact)
        self._waiting = list(told)
        self._left_out = left_out = list(untold)
        if told and self._chance(self.style.filler):
            self._add_filler(told[0].head)
        while self._waiting or left_out:
            share = len(left_out) / (len(left_out) + len(self._waiting))
            if left_out and self._chance(share):
                self._leave_untold(left_out.pop(0))
            else:
                self._tell(self._next_fact())
            if self._chance(self.style.filler * 0.5):
                self._add_filler(self._one(sorted(self._seen)))
        return " ".join(self.sentences)

    # What is told

    def _next_fact(self) -> Fact:
        """What is known already comes first: prose goes on from there."""
        near = [f for f in self._waiting if self._subject in (f.head, f.tail)]
        known = [f for f in self._waiting if not self._seen.isdisjoint((f.head, f.tail))]
        fact = (near or known or self._waiting)[0]
        self._waiting.remove(fact)
        return fact

    def _tell(self, fact: Fact) -> None:
        if self._chance(self.style.joins * 0.25) and self._tell_in_passing(fact):
            return
        pattern = self._clause(fact)
        role = subject_of(pattern)
        subject = self._end(fact, role) if role else None
        front = self._front(subject, pattern) if subject is not None else ""
        listed = {} if front else self._listed(fact, pattern)
        introduced = "" if front or listed else self._introduced(fact, pattern)
        said = introduced or self._fill(pattern, fact, 0, listed=listed, may_be_pronoun=not front)
        denied_too = "" if listed or introduced else self._contrast(fact, pattern)
        said += denied_too
        if subject is not None and not listed.get(role) and said.count(",") < 3 and not denied_too:
            said += self._coordinated(subject, fact, "," in said)
        self._add_told(f"{front}{said}.", bool(front))
        self._subject = subject if not listed.get(role) else None

    def _tell_in_passing(self, fact: Fact) -> bool:
        """A fact in a name alone, in a sentence on other things; False if none can carry it."""
        ways = self._noun_phrases(fact, "h") + self._noun_phrases(fact, "t")
        if self.by_label(fact) or not ways:
            return False
        pattern = self._one(ways)
        entity = self._end(fact, pattern.core)
        phrase = self._plainly(pattern.words, fact)
        filler = self._filler(entity)
        ending = "," if pattern.words.endswith(",") else ""
        self.sentences.append(tidy(filler.replace("{h}", phrase + ending) + "."))
        self._subject, self._told_last = entity, True
        return True

    def _noun_phrases(self, fact: Fact, role: str) -> list[Pattern]:
        """The noun phrases for one end that tell the fact."""
        label = self.things.relation_labels[fact.relation]
        return [
            pattern
            for pattern in self._own(fact)
            if pattern.core == role
            and not (self.style.own_words and says_label(pattern.words, label))
        ]

    def _add_told(self, sentence: str, has_front: bool) -> None:
        """A sentence of its own, or one that goes on from the one before."""
        before = self.sentences[-1] if self._told_last else ""
        short = len(before) + len(sentence) < 150 and ";" not in before and ", while " not in before
        if before and not has_front and short and self._chance(self.style.joins * 0.25):
            lowered = _OPENING.sub(_lower, sentence)
            link = self._one(("; ", "; ", ", while ", ", and "))
            self.sentences[-1] = before[:-1] + link + tidy(f". {lowered}")[2:]
        else:
            self.sentences.append(tidy(sentence))
        self._told_last = True

    def _introduced(self, fact: Fact, pattern: str) -> str:
        """What a thing is and the fact in one: "Gilda is a film directed by …"."""
        role = subject_of(pattern)
        entity = self._end(fact, role) if role else fact.head
        noun = self.things.noun(entity)
        if not role or not noun or entity in self._seen or not self._chance(0.4):
            return ""
        said = predicate(pattern)
        who = "who" if self._kinds[entity] == PERSON else "that"
        short = participle(said)
        year = f"{self.rng.integers(1920, 2020)} " if self._kinds[entity] == WORK else ""
        article = self._one(("a", "a", "a", "a well-known"))
        name = self._name(entity, fact, role)
        year = year if article == "a" and self._chance(0.5) else ""
        rest = self._fill(short or f"{who} {said}", fact, 0)
        return f"{name} is {article} {year}{noun} {rest}"

    def _contrast(self, fact: Fact, pattern: str) -> str:
        """What is not so beside what is: "…, not Michael Mann"."""
        role = pattern[-2:-1] if ends_in_name(pattern) else ""
        if not role:
            return ""
        keep = "h" if role == "t" else "t"
        for other in self._left_out:
            same = other.relation == fact.relation
            if same and self._end(other, keep) == self._end(fact, keep) and self._chance(0.5):
                self._left_out.remove(other)
                link = self._one((", not ", " rather than ", " instead of ", ", and not "))
                return link + self._name(self._end(other, role), other, role)
        return ""

    def _clause(self, fact: Fact, subject: int | None = None) -> str:
        """A clause for a fact, of a certain subject if one is asked for; else empty."""
        label = self.things.relation_labels[fact.relation]
        own = [p.words for p in self._own(fact) if not p.core]
        by_label = [pattern.words for pattern in label_clauses(label)]
        if self.style.own_words:
            own = [words for words in own if not says_label(words, label)] or own
        if subject is not None:
            wanted = "h" if subject == fact.head else "t"
            own = [words for words in own if subject_of(words) == wanted]
            by_label = [words for words in by_label if subject_of(words) == wanted]
        chosen = own
        if (
            self.by_label(fact)
            or not own
            or (not self.style.own_words and by_label and self._chance(self.style.labels))
        ):
            chosen = by_label
        if not chosen:
            return ""
        if chosen is by_label and self._chance(0.5):
            chosen = by_label[:4]  # the plainest ones
        return self._one(chosen).replace("{r}", spelled(label))

    def _own(self, fact: Fact) -> list[Pattern]:
        """The hand-written patterns that fit the kinds of both ends."""
        kinds = (self._kinds[fact.head], self._kinds[fact.tail])
        found = wordings(self.things.relation_labels[fact.relation])
        return [p for wording in found if _fits(wording.kinds, kinds) for p in wording.patterns]

    def _front(self, subject: int, pattern: str) -> str:
        """What stands before the subject: "Directed by …," or a date."""
        if self._chance(self.style.joins * 0.3):
            for other in self._waiting:
                if subject in (other.head, other.tail):
                    said = participle(predicate(self._clause(other, subject)))
                    if said and ends_in_name(said):
                        self._waiting.remove(other)
                        return self._fill(said, other, 1) + ", "
        if self._chance(0.12):
            present = re.match(r"(?!was |has )\w+s ", predicate(pattern))
            return self._one(unsaid.PRESENT if present else unsaid.PAST)
        if self._chance(0.15) and re.match(r"(was \w+ed|\w+ed) ", predicate(pattern)):
            return self._dated(self._one(unsaid.DATED))
        return ""

    def _listed(self, fact: Fact, pattern: str) -> dict[str, list[int]]:
        """Entities that share the fact's relation to one of its ends, for a list of names."""
        for role, keep in (("t", "h"), ("h", "t")):
            more = [
                other
                for other in self._waiting
                if other.relation == fact.relation
                and self._end(other, keep) == self._end(fact, keep)
                and self._end(other, role) not in self._seen
                and self._kinds[self._end(other, role)] == self._kinds[self._end(fact, role)]
            ]
            is_subject = subject_of(pattern) == role
            single = is_subject and not plural(predicate(pattern))
            odd = re.search(
                rf"\{{{role}\}}('s| as | is | has )|(: |\b(is|was) )\{{{role}\}}$", pattern
            )
            if more and not single and (is_subject or not odd) and self._chance(0.8):
                if subject_of(pattern) == "" and pattern.startswith(f"{{{role}}}"):
                    continue
                for other in more:
                    self._waiting.remove(other)
                return {role: [self._end(fact, role), *(self._end(o, role) for o in more)]}
        return {}

    def _coordinated(self, subject: int, fact: Fact, has_comma: bool) -> str:
        if not self._chance(self.style.joins * 0.5):
            return ""
        for other in self._waiting:
            if subject in (other.head, other.tail) and other.relation != fact.relation:
                clause = self._clause(other, subject)
                if clause:
                    self._waiting.remove(other)
                    link = ", and " if has_comma else " and "
                    return link + self._fill(predicate(clause), other, 1)
        return ""

    def _fill(
        self,
        pattern: str,
        fact: Fact,
        depth: int,
        listed: dict[str, list[int]] | None = None,
        may_be_pronoun: bool = False,
    ) -> str:
        """A pattern with names for its ends; each name may carry a clause of its own."""
        listed = listed or {}
        role = subject_of(pattern)
        if listed.get(role):
            pattern = f"{{{role}}} {plural(predicate(pattern))}"
        made = ""
        for part in re.split(r"(\{[ht]\}(?:'s)?)", pattern):
            match = re.fullmatch(r"\{([ht])\}('s)?", part)
            if not match:
                made += part
            elif match[1] in listed:
                names = [self._name(one, fact, match[1]) for one in listed[match[1]]]
                made += f"{', '.join(names[:-1])} and {names[-1]}"
            else:
                entity = self._end(fact, match[1])
                first = may_be_pronoun and not made and ": {" not in pattern
                if first and entity == self._subject and self._chance(self.style.pronouns):
                    made += self._instead(entity, bool(match[2]))
                    continue
                plain = bool(match[2]) or not self._is_free(pattern, part)
                made += self._mention(entity, fact, match[1], depth, plain) + (match[2] or "")
        return made

    def _is_free(self, pattern: str, part: str) -> bool:
        """Whether a clause can follow the name here: at the end, or as the subject."""
        return pattern.endswith(part) or (pattern.startswith(part) and bool(subject_of(pattern)))

    def _mention(self, entity: int, fact: Fact, role: str, depth: int, plain: bool) -> str:
        first = entity not in self._seen
        name = self._name(entity, fact, role)
        about = [f for f in self._waiting if entity in (f.head, f.tail)]
        if plain or not first or not about or depth >= _DEEPEST:
            return name
        if not self._chance(self.style.joins):
            return name
        other = self._one(about)
        self._waiting.remove(other)
        joined = self._joined(entity, name, other, depth + 1)
        if not joined:
            self._waiting.append(other)
            return name
        return joined

    def _joined(self, entity: int, name: str, fact: Fact, depth: int) -> str:
        """A name with a fact about it: noun phrase, apposition, participle or relative clause."""
        role = "h" if entity == fact.head else "t"
        ways = [] if self.by_label(fact) else self._noun_phrases(fact, role)
        other = "t" if role == "h" else "h"
        if ways and self._chance(0.6):
            made = self._one(ways).words.replace(f"{{{role}}}", name)
            far = self._end(fact, other)
            within = ends_in_name(made) and not made.endswith(f"{{{role}}}")
            said = self._mention(far, fact, other, depth, plain=not within)
            return made.replace(f"{{{other}}}", said)
        clause = self._clause(fact, entity)
        if not clause:
            label = self.things.relation_labels[fact.relation]
            if role == "h" and is_noun(label) and not self.style.own_words:
                tail = self._mention(fact.tail, fact, "t", depth, plain=False)
                return f"{name}, whose {spelled(label)} is {tail},"
            if role == "t" and is_noun(label) and self._kinds[entity] == PERSON:
                head = self._mention(fact.head, fact, "h", depth, plain=False)
                return f"{name}, {spelled(label)} of {head},"
            return ""
        said = predicate(clause)
        short = apposition(said) or participle(said)
        who = "who" if self._kinds[entity] == PERSON else "which"
        opening = short if short and self._chance(0.5) else f"{who} {said}"
        return f"{name}, {self._fill(opening, fact, depth)},"

    # What is not told

    def _leave_untold(self, fact: Fact) -> None:
        way = self._one(_WAYS)
        self._subject = None
        self._told_last = False
        if way == "apart":
            for entity in (fact.head, fact.tail):
                if entity not in self._seen or self._chance(0.3):
                    self._add_filler(entity)
            return
        if way in ("together", "talks"):
            wording = unsaid.TOGETHER if way == "together" else unsaid.CAME_TO_NOTHING
            pattern = self._one(wording)
            if self._chance(0.5):
                pattern = _swapped(pattern)
            self.sentences.append(tidy(self._plainly(pattern, fact) + "."))
            return
        clause = next(filter(None, (as_clause(self._clause(fact)) for _ in range(8))), "")
        if not clause:
            pattern = self._one(unsaid.TOGETHER)
            self.sentences.append(tidy(self._plainly(pattern, fact) + "."))
            return
        question = asked(clause)
        if way == "denied" and subject_of(clause) and self._chance(0.55):
            word = self._one(("not", "never"))
            role = subject_of(clause)
            pattern = f"{{{role}}} {denied(predicate(clause), word)}"
            said = self._one(unsaid.BEFORE_DENIAL) + self._plainly(pattern, fact) + "."
        elif way == "denied":
            said = self._one(unsaid.DENIED).replace("{s}", self._plainly(clause, fact)) + "."
        elif way == "asked" and question and self._chance(0.5):
            said = self._plainly(question, fact) + "?"
        else:
            wraps = unsaid.ASKED if way == "asked" else unsaid.SUPPOSED
            said = self._one(wraps).replace("{s}", self._plainly(clause, fact))
        self.sentences.append(tidy(said))

    def _plainly(self, pattern: str, fact: Fact) -> str:
        """A pattern with nothing but the names."""
        parts = re.split(r"(\{[ht]\})", pattern)
        return "".join(
            self._name(self._end(fact, part[1]), fact, part[1]) if part in ("{h}", "{t}") else part
            for part in parts
        )

    def _add_filler(self, entity: int) -> None:
        said = self._filler(entity)
        name = self._name(entity, None, "")
        if self._subject == entity and said.startswith("{h} ") and self._chance(0.5):
            name = self._instead(entity, False)
        self.sentences.append(tidy(said.replace("{h}", name) + "."))
        self._subject = entity
        self._told_last = False

    def _filler(self, entity: int) -> str:
        """A sentence about {h} that tells no fact; none comes twice in a text."""
        kind = self._kinds[entity]
        choices = unsaid.FILLER.get(kind) or unsaid.FILLER[""]
        if kind in (GROUP, WORK, PLACE) and self._chance(0.2):
            choices = unsaid.FILLER[""]
        fresh = [one for one in choices if one not in self._said] or choices
        chosen = self._one(fresh)
        self._said.add(chosen)
        return self._dated(chosen)

    # Names

    def _name(self, entity: int, fact: Fact | None, role: str) -> str:
        """How an entity is called here; the full name the first time."""
        things, name = self.things, self.things.name(entity)
        again = entity in self._seen
        self._seen.add(entity)
        kind = self._kinds[entity]
        if again and kind == PERSON and self._chance(0.5):
            last = things.last_name(entity)
            others = [one for one in self._kinds if one != entity]
            if last and not any(last in things.name(one).split() for one in others):
                return last
        before, comma, _ = name.partition(",")
        if comma and kind in (PLACE, UNKNOWN) and (again or self._chance(0.4)):
            return before
        if comma and kind in (PLACE, UNKNOWN):
            return name + ","
        if entity in self._common and self._small_words:
            return common_noun(name)
        if kind in (PERSON, WORK) or things.noun(entity) == "band":
            return name  # "House of the Dragon"
        return with_article(name)

    def _instead(self, entity: int, owns: bool) -> str:
        """A pronoun, or "the film"; of the one that the sentence before was about."""
        noun = self.things.noun(entity)
        others = {self.things.noun(one) for one in self._kinds if one != entity}
        if noun and noun not in others and self._chance(0.35):
            return f"the {noun}'s" if owns else f"the {noun}"
        pronoun = self.things.pronoun(entity, self._kinds[entity])
        if pronoun == "they" and not owns:
            pronoun = "it"  # the verb is in the singular
        owner = {"he": "his", "she": "her", "they": "their"}.get(pronoun, "its")
        return owner if owns else pronoun

    def _learn_kinds(self, fact: Fact) -> None:
        """What classes do not say, the relation may: who was born is a person."""
        found = wordings(self.things.relation_labels[fact.relation])
        for at, entity in enumerate((fact.head, fact.tail)):
            kind = self._kinds.get(entity) or self.things.kind(entity)
            expected = {wording.kinds[at] for wording in found}
            if kind == UNKNOWN and len(expected) == 1 and expected <= set("plgw"):
                kind = next(iter(expected))
            self._kinds[entity] = kind
            is_word = at == 1 and any(wording.kinds[1] == "c" for wording in found)
            if self.things.is_common(entity) or (is_word and kind in (OTHER, UNKNOWN)):
                self._common.add(entity)

    def _share_kind(self, fact: Fact) -> None:
        """Who follows or influences a person is one."""
        ends = {fact.head, fact.tail}
        if _ALIKE.search(self.things.relation_labels[fact.relation].lower()) and PERSON in {
            self._kinds[end] for end in ends
        }:
            for end in ends:
                if self._kinds[end] == UNKNOWN:
                    self._kinds[end] = PERSON

    # Chance

    def _end(self, fact: Fact, role: str) -> int:
        return fact.head if role == "h" else fact.tail

    def _chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def _one(self, choices: Sequence[_T]) -> _T:
        return choices[int(self.rng.integers(len(choices)))]

    def _dated(self, words: str) -> str:
        for gap, value in (
            ("{year}", str(self.rng.integers(1890, 2020))),
            ("{number}", str(self.rng.integers(3, 400))),
            ("{day}", str(self.rng.integers(1, 29))),
            ("{month}", str(self._one(unsaid.MONTHS))),
        ):
            words = words.replace(gap, value)
        return words


def _fits(wanted: str, kinds: tuple[str, str]) -> bool:
    return all(
        want in (".", have) or have == UNKNOWN or (want in "cx" and have == OTHER)
        for want, have in zip(wanted, kinds, strict=True)
    )


def _lower(match: re.Match[str]) -> str:
    return match[0].lower()


def _swapped(pattern: str) -> str:
    return pattern.replace("{h}", "{o}").replace("{t}", "{h}").replace("{o}", "{t}")
