"""An answer: a path, its score part by part, the sentences that express it, and a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from kgpath.features.evidence import shown_sentences
from kgpath.features.path_features import PathFeatures
from kgpath.features.relation_matches import word_places
from kgpath.lexicon.stop_words import STOP_WORDS
from kgpath.lexicon.text import fold, folded_words
from kgpath.linking.context import Context
from kgpath.linking.occurrences import Occurrences
from kgpath.rankers.ranker import Numbers, Scores
from kgpath.types import Entity, Path

RELEVANT, DOUBTFUL, NONE = "relevant", "doubtful", "none"
#: The probability from which a path counts as relevant, and as doubtful; set by hand.
RELEVANT_FROM, DOUBTFUL_FROM = 0.5, 0.2
#: Ends of a hop so many tokens apart still count as close: the window of the paper.
CLOSE = 15
#: What it is worth that the text names all on a path; of a single hop these are only its ends.
NAMED, ENDS_NAMED = 0.4, 0.15
#: What it is worth at most that ends stand close together, and again that relation words do.
EXPRESSED = 0.3


class Mark(NamedTuple):
    """A span ``text[start:end]`` of the document that shows a part of the path."""

    start: int
    end: int
    what: str


class Quote(NamedTuple):
    """A sentence of the document, where it stands in it, and what of it is marked."""

    text: str
    start: int
    marks: tuple[Mark, ...]

    def marked(self, left: str = "[", right: str = "]") -> str:
        """The sentence with its marked parts between two strings."""
        pieces, at = [], 0
        for start, end, _ in self.marks:
            start, end = start - self.start, end - self.start
            pieces += [self.text[at:start], left, self.text[start:end], right]
            at = end
        return " ".join("".join([*pieces, self.text[at:]]).split())


@dataclass(frozen=True)
class Answer:
    """A path that may explain the pair in this text.

    Its hops also show other relations that mean the same, see :mod:`kgpath.paths.same_meaning`.
    ``parts`` sum up to ``score``; ``support`` is the probability that the text expresses the path
    where the ranker has one, and else says from 0 to 1 how much of it the text expresses. The
    ``verdict`` is read off it: relevant, doubtful or none.
    """

    path: Path
    score: float
    parts: dict[str, float]
    support: float
    quotes: tuple[Quote, ...]

    @property
    def verdict(self) -> str:
        return verdict_of(self.support)

    def __str__(self) -> str:
        return str(self.path)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data; ``also`` has the relations shown with that of each hop."""
        also = [[other.iri for other in hop.also] for hop in self.path.hops]
        return {
            "path": self.path.iris(),
            **({"also": also} if any(also) else {}),
            "text": str(self.path),
            "score": self.score,
            "parts": self.parts,
            "verdict": self.verdict,
            "support": self.support,
            "evidence": [
                {
                    "sentence": quote.text,
                    "start": quote.start,
                    "marks": [mark._asdict() for mark in quote.marks],
                }
                for quote in self.quotes
            ],
        }


@dataclass(frozen=True)
class Answers(Sequence[Answer]):
    """The best paths for a query, best first; ``note`` says why there is none, or none fits.

    ``candidates`` paths were ranked; ``truncated`` says whether the graph has more.
    """

    head: Entity
    tail: Entity
    ranker: str
    answers: tuple[Answer, ...]
    candidates: int
    truncated: bool
    note: str = ""

    @property
    def verdict(self) -> str:
        """That of the best path; none if there is no path at all."""
        return self.answers[0].verdict if self.answers else NONE

    def __len__(self) -> int:
        return len(self.answers)

    @overload
    def __getitem__(self, at: int) -> Answer: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Answer]: ...
    def __getitem__(self, at: int | slice) -> Answer | Sequence[Answer]:
        return self.answers[at]

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "head": self.head.iri,
            "tail": self.tail.iri,
            "ranker": self.ranker,
            "verdict": self.verdict,
            "note": self.note,
            "candidates": self.candidates,
            "truncated": self.truncated,
            "answers": [answer.to_json() for answer in self.answers],
        }

    def __repr__(self) -> str:
        lines = [f"<{self.head} … {self.tail}: {self.verdict}, {self.candidates} candidates>"]
        lines += [f"  {answer.score:6.2f}  {answer.verdict:8}  {answer}" for answer in self]
        return "\n".join([*lines, *filter(None, [self.note])])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{answer.score:.2f}</td><td>{answer.verdict}</td>"
            f"<td style='text-align:left'>{escape(str(answer))}</td></tr>"
            for answer in self
        )
        return (
            f"<p><b>{escape(f'{self.head} … {self.tail}')}</b> {escape(self.note)}</p>"
            f"<table><tr><th>score</th><th>verdict</th><th>path</th></tr>{rows}</table>"
        )


def verdict_of(support: float) -> str:
    """What is made of a path's support."""
    if support >= RELEVANT_FROM:
        return RELEVANT
    return DOUBTFUL if support >= DOUBTFUL_FROM else NONE


def probabilities(features: PathFeatures, scores: Scores, order: NDArray[np.int64]) -> Numbers:
    """How surely the text expresses each of the best paths, from 0 to 1.

    ``order`` has their places, from the best down. Where the ranker has no probability, it is how
    much of a path the text expresses.
    """
    if scores.probability is None:
        sure = np.array([support_of(features, int(place)) for place in order], dtype=np.float64)
    else:
        sure = np.clip(scores.probability[order], 0, 1)
    # A verdict may not contradict the ranking: what is ranked lower is not more surely told.
    return np.minimum.accumulate(sure).round(6)


def support_of(features: PathFeatures, place: int) -> float:
    """How much of a path the text expresses, from 0 to 1.

    First, that the text names what lies on the path, down to the least clear of it; then, that the
    two ends of each hop stand close together, and that words of its relation stand near them.
    """
    facts, found, seen = features.facts, features.evidence, features.occurrences
    hops = facts.along[place][facts.along[place] >= 0]
    on_path = np.searchsorted(seen.entities, np.union1d(facts.heads[hops], facts.tails[hops]))
    apart = np.where(found.same_sentence[hops], 1, found.gap[hops])
    close = np.where(found.seen[hops], CLOSE / np.maximum(apart, CLOSE), 0).mean()
    worth = NAMED if len(hops) > 1 else ENDS_NAMED
    near = found.near[hops].mean()
    return float(seen.named[on_path].min() * (worth + EXPRESSED * close + EXPRESSED * near))


def quotes_of(
    features: PathFeatures,
    place: int,
    path: Path,
    shown: Sequence[tuple[int, ...]] | None = None,
) -> tuple[Quote, ...]:
    """The sentences that show the hops of a path, with its entities and relation words marked.

    ``shown`` has the sentences of each fact, as a ranker gives them; without it, those where the
    ends of a hop stand closest.
    """
    context, along = features.context, features.facts.along[place]
    shown = shown_sentences(features) if shown is None else shown
    numbers = sorted({number for fact in along[along >= 0].tolist() for number in shown[fact]})
    if not numbers:
        return ()
    marks = _marks(features, path, features.occurrences)
    quotes = []
    for number in numbers:
        start, end = context.sentences[number]
        here = tuple(mark for mark in marks if start <= mark.start and mark.end <= end)
        quotes.append(Quote(context.text[start:end], start, here))
    return tuple(quotes)


def _marks(features: PathFeatures, path: Path, seen: Occurrences) -> list[Mark]:
    """Entities first; of what overlaps, the longer and then the earlier one."""
    context = features.context
    tokens, graph = context.tokens, context.graph
    named = seen.by_name()
    entities = []
    for node in path.nodes:
        parts = set(folded_words(fold(" ".join([node.label, *graph.aliases(node)]))))
        spans = set(named.of(node.id))
        whole = {_whole_name(context, parts, span) for span in spans}
        pronouns = set(seen.of(node.id)) - spans
        entities += [(*span, node.label) for span in (whole | pronouns) if span[0] < span[1]]
    relations = [
        (token, token + 1, hop.relation.label)
        for hop in path.hops
        for token in word_places(context, hop.relation.id)
    ]
    taken: set[int] = set()
    marks = []
    for group in (entities, relations):
        for first, last, what in sorted(group, key=lambda span: (span[0] - span[1], span)):
            if taken.isdisjoint(range(first, last)):
                taken.update(range(first, last))
                marks.append(Mark(tokens.starts[first], tokens.ends[last - 1], what))
    return sorted(marks)


def _whole_name(context: Context, parts: set[str], span: tuple[int, int]) -> tuple[int, int]:
    """A word of a name with those beside it in its sentence; empty if they are all stop words.

    What was found as a name of several words is one: "The Who".
    """
    first, last = span
    words, sentence = context.tokens.words, context.sentence_of
    if last - first == 1:
        while first and words[first - 1] in parts and sentence[first - 1] == sentence[span[0]]:
            first -= 1
        while last < len(words) and words[last] in parts and sentence[last] == sentence[span[0]]:
            last += 1
        while first < last and words[first] in STOP_WORDS:
            first += 1
        while first < last and words[last - 1] in STOP_WORDS:
            last -= 1
    return first, last
