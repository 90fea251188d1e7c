"""What a dataset of contextual paths holds: the figures of Table 2 of Lo & Lim (2023)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kgpath.errors import BadSource
from kgpath.io.lines import read_lines
from kgpath.io.plain_data import from_json
from kgpath.io.queries import Query, query_of

_LONGEST_PATH = 1_000
_ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.bz2")
#: The rows of the table: key, title, number of decimals.
ROWS = (
    ("documents", "documents", 0),
    ("pairs", "pairs", 0),
    ("untold", "pairs whose text tells no path", 0),
    ("max_hops", "longest true path", 0),
    ("graph_entities", "entities in the graph", 0),
    ("graph_relations", "relations in the graph", 0),
    ("document_hops", "true path of a document: hops on average", 2),
    ("hops", "true path of a pair: hops on average", 2),
    ("entities", "true paths: entities", 0),
    ("relations", "true paths: relations", 0),
    ("candidates", "candidates on average", 2),
    ("candidate_hops", "candidate: hops on average", 2),
    ("candidate_entities", "candidates: entities", 0),
    ("candidate_relations", "candidates: relations", 0),
    ("single", "pairs with one candidate", 0),
    ("named", "pairs whose text names the whole path", 0),
    ("words", "words of a document on average", 1),
)


class Row(NamedTuple):
    """A record in short, to choose by: its file, its line's place, and what strata ask for."""

    file: int
    start: int
    hops: int
    candidates: int
    named: bool | None
    distance: float | None


class Tally:
    """Counts records; those of several files can be put together."""

    def __init__(self) -> None:
        self.pairs = self.untold = 0
        self.hops: Counter[int] = Counter()
        self.candidates: Counter[int] = Counter()
        self.candidate_hops: Counter[int] = Counter()
        self.kinds: Counter[str] = Counter()
        self.named: Counter[bool] = Counter()
        self._parts: tuple[set[str], ...] = set(), set(), set(), set()
        self._documents: dict[bytes, tuple[int, int]] = {}

    def add(self, query: Query, record: Mapping[str, Any]) -> None:
        """Count one record."""
        self.pairs += 1
        self.untold += not query.told
        lengths = [len(path) // 2 for path in query.paths]
        self.hops.update(lengths)
        # Where it is not said, the path of a document is the longest of its pairs.
        said = record.get("document_hops")
        believed = isinstance(said, int) and 0 < said <= _LONGEST_PATH
        length = int(said) if believed and said else max(lengths, default=0)
        for paths, place in ((query.paths, 0), (query.candidates, 2)):
            for path in paths:
                self._parts[place].update(path[::2])
                self._parts[place + 1].update(one.removeprefix("^") for one in path[1::2])
        if query.candidates:
            self.candidates[len(query.candidates)] += 1
            self.candidate_hops.update(len(path) // 2 for path in query.candidates)
        if isinstance(record.get("named"), bool):
            self.named[record["named"]] += 1
        key = hashlib.blake2b(query.document.encode("utf-8", "replace"), digest_size=12).digest()
        if key not in self._documents:
            self._documents[key] = length, len(query.document.split())
            if isinstance(record.get("text_kind"), str):
                self.kinds[record["text_kind"]] += 1
        elif self._documents[key][0] < length:
            self._documents[key] = length, self._documents[key][1]

    def merge(self, other: Tally) -> None:
        """Take in what another has counted."""
        self.pairs += other.pairs
        self.untold += other.untold
        for mine, theirs in (
            (self.hops, other.hops), (self.candidates, other.candidates),
            (self.candidate_hops, other.candidate_hops), (self.kinds, other.kinds),
            (self.named, other.named),
        ):  # fmt: skip
            mine.update(theirs)  # type: ignore[arg-type]
        for ours, others in zip(self._parts, other._parts, strict=True):
            ours |= others
        for key, (length, words) in other._documents.items():
            self._documents[key] = max(self._documents.get(key, (0, 0))[0], length), words

    def figures(self) -> dict[str, Any]:
        """Every figure that is known; without candidates, none on them."""
        made: dict[str, Any] = {
            "documents": len(self._documents),
            "pairs": self.pairs,
            "max_hops": max(self.hops, default=0),
            "hops": _mean(self.hops),
            "entities": len(self._parts[0]),
            "relations": len(self._parts[1]),
            # A document that is only asked about what it does not tell has no path.
            "document_hops": _mean(Counter(hops for hops, _ in self._documents.values() if hops)),
            "words": _mean(Counter(words for _, words in self._documents.values())),
        }
        if self.untold:
            made["untold"] = self.untold
        if self.candidates:
            made |= {
                "candidates": _mean(self.candidates),
                "candidate_hops": _mean(self.candidate_hops),
                "candidate_entities": len(self._parts[2]),
                "candidate_relations": len(self._parts[3]),
                "single": self.candidates[1],
            }
        if self.named:
            made["named"] = self.named[True]
        if self.kinds:
            made["texts"] = dict(sorted(self.kinds.items()))
        made["by_hops"] = dict(sorted(self.hops.items()))
        made["by_candidates"] = dict(sorted(self.candidates.items()))
        return made


def files_of(place: str | Path) -> dict[str, Path]:
    """The files of a dataset by the name of their split: a folder's, or a single file."""
    path = Path(place)
    if path.is_dir():
        found = [one for one in sorted(path.iterdir()) if one.name.endswith(_ENDINGS)]
        if not found:
            raise BadSource(f"{place} holds no JSON lines: train.jsonl, dev.jsonl, test.jsonl …")
        usual = {"train": 0, "dev": 1, "test": 2}
        named = {one.name.partition(".")[0]: one for one in found}
        return dict(sorted(named.items(), key=lambda item: (usual.get(item[0], 3), item[0])))
    if not path.exists():
        raise BadSource(f"There is no dataset {place}.")
    return {path.name.partition(".")[0]: path}


def tally_of(
    path: Path,
    problems: list[str],
    row: Callable[[int, Query, Mapping[str, Any]], object] = lambda start, query, record: None,
) -> Tally:
    """The tally of a file; lines that are no query are named in ``problems``.

    ``row`` is called with where the line of each query begins, the query and its record.
    """
    tally = Tally()
    for start, query, record in _records(path, problems):
        tally.add(query, record)
        row(start, query, record)
    return tally


def table(figures: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Rows of text: a title, then a figure for each column; those known of none are left out."""
    rows = []
    for key, title, decimals in ROWS:
        if any(key in column for column in figures.values()):
            cells = (
                f"{column[key]:,.{decimals}f}" if column.get(key) is not None else ""
                for column in figures.values()
            )
            rows.append((title, *cells))
    return rows


def _records(path: Path, problems: list[str]) -> Iterator[tuple[int, Query, Mapping[str, Any]]]:
    def bad(number: int, reason: str) -> None:
        problems.append(f"{path.name}:{number}: {reason}")

    at = 0
    for number, line in enumerate(read_lines(path, bad), 1):
        start, at = at, at + len(line.encode("utf-8", "surrogatepass"))
        if not line.strip():
            continue
        try:
            record = from_json(line)
            query = query_of(record, number)
        except ValueError as error:
            bad(number, str(error))
            continue
        yield start, query, record


def _mean(counted: Mapping[int, int]) -> float | None:
    total = sum(counted.values())
    return sum(value * often for value, often in counted.items()) / total if total else None


def together(tallies: Iterable[Tally]) -> Tally:
    """One tally for all."""
    whole = Tally()
    for tally in tallies:
        whole.merge(tally)
    return whole
