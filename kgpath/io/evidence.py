"""The sentences that say a fact, as people marked them: JSON lines, one text each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from kgpath.errors import BadSource
from kgpath.io.lines import read_lines
from kgpath.io.plain_data import from_json

#: Fields of a line that mean something; others are counted and left alone.
FIELDS = ("id", "document", "sentence_starts", "facts", "title")


class MarkedFact(NamedTuple):
    """A fact by IRI, and the numbers of the sentences that say it, in ascending order."""

    head: str
    relation: str
    tail: str
    sentences: tuple[int, ...]


@dataclass(frozen=True)
class MarkedText:
    """A text, where its sentences start, and the facts whose sentences are marked.

    Without ``sentence_starts`` the numbers mean kgpath's own sentences.
    """

    id: str
    document: str = field(repr=False)
    facts: tuple[MarkedFact, ...]
    sentence_starts: tuple[int, ...] = ()
    line: int = 0


class EvidenceFile:
    """The marked texts of a file. ``problems`` names the lines that could not be used, and why."""

    def __init__(self, path: str | Path) -> None:
        self.name = "standard input" if str(path) == "-" else Path(path).name
        self.problems: list[str] = []
        self.ignored: Counter[str] = Counter()
        self.texts = list(self._read(path))
        if not self.texts:
            first = f" First problem: {self.problems[0]}" if self.problems else ""
            raise BadSource(
                f"{self.name} holds no marked text. Write one JSON object a line, with document, "
                f"facts and, if you have them, sentence_starts.{first}"
            )

    def _bad(self, number: int, reason: str) -> None:
        self.problems.append(f"{self.name}:{number}: {reason}")

    def _read(self, path: str | Path) -> Iterator[MarkedText]:
        for number, line in enumerate(read_lines(path, self._bad), 1):
            if not line.strip():
                continue
            try:
                data = from_json(line)
                text = marked_text_of(data, number)
            except ValueError as error:
                self._bad(number, str(error))
                continue
            self.ignored.update(key for key in data if key not in FIELDS)
            yield text


def read_evidence(
    source: str | Path | Sequence[MarkedText],
) -> tuple[Sequence[MarkedText], list[str]]:
    """The marked texts of a file and what is wrong with its other lines; texts pass as they are."""
    if not isinstance(source, str | Path):
        return source, []
    file = EvidenceFile(source)
    return file.texts, file.problems


def marked_text_of(data: Any, line: int = 0) -> MarkedText:
    """A marked text from plain data; ValueError says what is wrong with it."""
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    document = data.get("document")
    if not isinstance(document, str) or not document.strip():
        raise ValueError("no document")
    starts = starts_of(data.get("sentence_starts"), document)
    if data.get("facts") is None:
        raise ValueError("no facts")
    facts = facts_of(data["facts"], starts, "facts")  # none may be said at all
    name = data.get("id")
    called = f"line {line}" if name in (None, "") else str(name)
    return MarkedText(called, document, facts, starts, line)


def starts_of(data: Any, document: str) -> tuple[int, ...]:
    """Where the sentences of a text start, in characters; ValueError if they cannot be there."""
    if data is None:
        return ()
    if not isinstance(data, list) or not data or not all(map(_is_number, data)):
        raise ValueError("sentence_starts is not a list of numbers: where each sentence starts")
    if any(one >= other for one, other in pairwise(data)):
        raise ValueError("sentence_starts do not ascend")
    if data[-1] >= len(document):
        raise ValueError(
            f"a sentence starts at {data[-1]}, but the document has {len(document)} characters"
        )
    return tuple(data)


def facts_of(data: Any, starts: Sequence[int], called: str) -> tuple[MarkedFact, ...]:
    """Facts with their sentences, of a list that messages call so; ValueError says what is wrong.

    Without ``starts`` it is not known here how many sentences there are.
    """
    if data is None:
        return ()
    if not isinstance(data, list):
        raise ValueError(f"{called} is not a list of facts")
    return tuple(_fact(one, starts, called) for one in data)


def _fact(data: Any, starts: Sequence[int], called: str) -> MarkedFact:
    sentences = data.get("sentences", data.get("evidence")) if isinstance(data, dict) else None
    if not isinstance(sentences, list) or not all(
        isinstance(data.get(part), str) and data[part].strip()
        for part in ("head", "relation", "tail")
    ):
        raise ValueError(
            f'one of {called} is not {{"head": IRI, "relation": IRI, "tail": IRI, '
            '"sentences": [0, 3]}'
        )
    if not all(map(_is_number, sentences)):
        raise ValueError(f"the sentences of one of {called} are not numbers from 0 on")
    if starts and sentences and max(sentences) >= len(starts):
        raise ValueError(no_such_sentence(max(sentences), len(starts)))
    return MarkedFact(data["head"], data["relation"], data["tail"], tuple(sorted(set(sentences))))


def no_such_sentence(number: int, count: int) -> str:
    """What is said of a number that no sentence has."""
    last = f"0 to {count - 1}" if count > 1 else "only 0"
    return f"a fact names sentence {number}, but the document has {last}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
