"""Queries with their true paths, one JSON object a line: what evaluation and training read.

``"paths": []`` says that the text tells no path between the two: an untold question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from sys import intern
from typing import Any, ClassVar

from kgpath.errors import BadOption, BadSource
from kgpath.io.evidence import MarkedFact, facts_of, starts_of
from kgpath.io.lines import read_lines
from kgpath.io.plain_data import from_json

#: Fields of a query line that mean something; others are counted and left alone.
FIELDS = (
    "id", "document", "head", "tail", "path", "paths", "links", "title", "candidates",
    "evidence", "sentence_starts",
    # what kgpath generate says of a record, for statistics and people
    "document_hops", "distance", "named", "text_kind", "sources",
)  # fmt: skip


@dataclass(frozen=True)
class Query:
    """Two entities, the text they appear in, and the paths that are true there, by IRI or name.

    A path is entity, relation, entity, …; a relation with ``^`` in front is walked backwards.
    ``links`` are (entity, words) pairs that the text brings along; ``line`` is where it stood.
    ``candidates`` are the paths to rank, where the file brings its own. ``evidence`` names the
    sentences that say facts, which start at ``sentence_starts``, else as kgpath splits the text.
    """

    id: str
    head: str
    tail: str
    document: str = field(repr=False)
    paths: tuple[tuple[str, ...], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    line: int = 0
    candidates: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    evidence: tuple[MarkedFact, ...] = field(default=(), repr=False)
    sentence_starts: tuple[int, ...] = field(default=(), repr=False)

    @property
    def told(self) -> bool:
        """Whether the text tells a path; of an untold question there is none to be found."""
        return bool(self.paths)


class QueryFile:
    """The queries of a file. ``problems`` names the lines that could not be used, and why."""

    WHAT: ClassVar[str] = "query"
    FIELDS: ClassVar[str] = "document, head, tail and path"

    def __init__(self, path: str | FilePath) -> None:
        self.name = "standard input" if str(path) == "-" else FilePath(path).name
        self.problems: list[str] = []
        self.ignored: Counter[str] = Counter()
        self.queries = list(self._read(read_lines(path, self._bad)))
        if not self.queries:
            first = f" First problem: {self.problems[0]}" if self.problems else ""
            raise BadSource(
                f"{self.name} holds no {self.WHAT}. Write one JSON object a line, with "
                f"{self.FIELDS}.{first}"
            )

    def _bad(self, number: int, reason: str) -> None:
        self.problems.append(f"{self.name}:{number}: {reason}")

    def _read(self, lines: Iterable[str]) -> Iterator[Query]:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                data = from_json(line)
                query = self._query(data, number)
            except ValueError as error:
                self._bad(number, str(error))
                continue
            self.ignored.update(key for key in data if key not in FIELDS)
            yield query

    def _query(self, data: Any, line: int) -> Query:
        return query_of(data, line)


class UntoldFile(QueryFile):
    """Pairs whose text tells no path between them: lines without a true path."""

    WHAT: ClassVar[str] = "untold question"
    FIELDS: ClassVar[str] = "document, head and tail"

    def _query(self, data: Any, line: int) -> Query:
        if not isinstance(data, dict):
            raise ValueError("not a JSON object")
        if data.get("path") or data.get("paths"):
            raise ValueError("it has a true path, so it is not untold: it belongs to the queries")
        return query_of({**data, "paths": []}, line)


def read_queries(source: str | FilePath | Sequence[Query]) -> tuple[Sequence[Query], list[str]]:
    """The queries of a file and what is wrong with its other lines; queries pass as they are."""
    if not isinstance(source, str | FilePath):
        return source, []
    file = QueryFile(source)
    return file.queries, file.problems


def read_untold(source: str | FilePath | Sequence[Query]) -> tuple[Sequence[Query], list[str]]:
    """The same for untold questions: none of them may have a true path."""
    if isinstance(source, str | FilePath):
        file = UntoldFile(source)
        return file.queries, file.problems
    for query in source:
        if query.told:
            raise BadOption(f"{query.id} has a true path, so it is not untold.")
    return source, []


def query_of(data: Any, line: int = 0) -> Query:
    """A query from plain data; ValueError says what is wrong with it."""
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    missing = [name for name in ("document", "head", "tail") if not _is_text(data.get(name))]
    if missing:
        raise ValueError(f"no {' and no '.join(missing)}")
    paths = data.get("paths") or ([data["path"]] if data.get("path") else [])
    if not paths and data.get("paths") != []:
        raise ValueError("no path: give the true one as path, or several as paths")
    if not isinstance(paths, list):
        raise ValueError("paths is not a list of paths")
    for path in paths:
        _check_path(path, data["head"], data["tail"])
    candidates = data.get("candidates") or []
    if not isinstance(candidates, list):
        raise ValueError("candidates is not a list of paths")
    for path in candidates:
        _check_path(path, data["head"], data["tail"])
    if data["head"] == data["tail"]:
        raise ValueError(f"head and tail are the same: {data['head']}")
    starts = starts_of(data.get("sentence_starts"), data["document"])
    name = data.get("id")
    return Query(
        f"line {line}" if name in (None, "") else str(name),
        data["head"],
        data["tail"],
        data["document"],
        tuple(tuple(path) for path in paths),
        tuple(_links(data.get("links") or [])),
        line,
        # The same few names come again and again: each is kept once.
        tuple(tuple(map(intern, path)) for path in candidates),
        facts_of(data.get("evidence"), starts, "evidence"),
        starts,
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _check_path(path: Any, head: str, tail: str) -> None:
    if not isinstance(path, list) or len(path) < 3 or len(path) % 2 == 0:
        raise ValueError("a path is a list: entity, relation, entity, …")
    if not all(map(_is_text, path)):
        raise ValueError("a path holds something that is not a name")
    if (path[0], path[-1]) != (head, tail):
        raise ValueError(f"the path leads from {path[0]} to {path[-1]}, not from head to tail")


def _links(links: Any) -> Iterator[tuple[str, str]]:
    for link in links if isinstance(links, list) else [links]:
        if not isinstance(link, dict) or not _is_text(link.get("entity")):
            raise ValueError('a link is an object: {"entity": IRI, "words": "as in the text"}')
        words = link.get("words")
        for form in words if isinstance(words, list) else [words]:
            if not _is_text(form):
                raise ValueError('a link is an object: {"entity": IRI, "words": "as in the text"}')
            yield link["entity"], str(form)
