"""Queries with their true paths, one JSON object a line: what evaluation and training read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from sys import intern
from typing import Any

from kgpath.errors import BadSource
from kgpath.io.lines import read_lines
from kgpath.io.plain_data import from_json

#: Fields of a query line that mean something; others are counted and left alone.
FIELDS = (
    "id", "document", "head", "tail", "path", "paths", "links", "title", "candidates",
    # what kgpath generate says of a record, for statistics and people
    "document_hops", "distance", "named", "text_kind", "sources",
)  # fmt: skip


@dataclass(frozen=True)
class Query:
    """Two entities, the text they appear in, and the paths that are true there, by IRI.

    A path is entity, relation, entity, …; a relation with ``^`` in front is walked backwards.
    ``links`` are (entity, words) pairs that the text brings along; ``line`` is where it stood.
    ``candidates`` are the paths to rank, where the file brings its own.
    """

    id: str
    head: str
    tail: str
    document: str = field(repr=False)
    paths: tuple[tuple[str, ...], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    line: int = 0
    candidates: tuple[tuple[str, ...], ...] = field(default=(), repr=False)


class QueryFile:
    """The queries of a file. ``problems`` names the lines that could not be used, and why."""

    def __init__(self, path: str | FilePath) -> None:
        self.name = "standard input" if str(path) == "-" else FilePath(path).name
        self.problems: list[str] = []
        self.ignored: Counter[str] = Counter()
        self.queries = list(self._read(read_lines(path, self._bad)))
        if not self.queries:
            first = f" First problem: {self.problems[0]}" if self.problems else ""
            raise BadSource(
                f"{self.name} holds no query. Write one JSON object a line, with document, head, "
                f"tail and path.{first}"
            )

    def _bad(self, number: int, reason: str) -> None:
        self.problems.append(f"{self.name}:{number}: {reason}")

    def _read(self, lines: Iterable[str]) -> Iterator[Query]:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                data = from_json(line)
                query = query_of(data, number)
            except ValueError as error:
                self._bad(number, str(error))
                continue
            self.ignored.update(key for key in data if key not in FIELDS)
            yield query


def read_queries(source: str | FilePath | Sequence[Query]) -> tuple[Sequence[Query], list[str]]:
    """The queries of a file and what is wrong with its other lines; queries pass as they are."""
    if not isinstance(source, str | FilePath):
        return source, []
    file = QueryFile(source)
    return file.queries, file.problems


def query_of(data: Any, line: int = 0) -> Query:
    """A query from plain data; ValueError says what is wrong with it."""
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    missing = [name for name in ("document", "head", "tail") if not _is_text(data.get(name))]
    if missing:
        raise ValueError(f"no {' and no '.join(missing)}")
    paths = data.get("paths") or ([data["path"]] if data.get("path") else [])
    if not paths:
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
