"""The queries of a study: which are learned from, and which are measured on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from kgpath.datasets.statistics import files_of
from kgpath.errors import BadOption, BadSource
from kgpath.io.cache import key_of
from kgpath.io.queries import Query, QueryFile
from kgpath.reproduce.ecpr.settings import QUICK_QUERIES, Settings

TRAIN = "train"
#: What is measured on unless said otherwise: the first of these that is there.
TESTS = ("test", "dev", "valid", "validation")
FOLDS = 5


class Protocol(NamedTuple):
    """What is learned from and measured on; with ``folds``, each part in turn of the measured.

    ``name`` is the split measured on, or ``all``.
    """

    learned: list[Query]
    measured: list[Query]
    folds: int
    said: str
    name: str

    @property
    def key(self) -> str:
        """Tells these queries from others."""
        return key_of(self.folds, _digest(self.learned), _digest(self.measured))


@dataclass(frozen=True)
class Data:
    """Queries by split, the ids of those in each stratum, and the lines left out."""

    splits: dict[str, list[Query]]
    strata: dict[str, frozenset[str]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def all(self) -> list[Query]:
        """The queries of all splits."""
        return [query for queries in self.splits.values() for query in queries]

    def protocol(self, settings: Settings, strata: bool = False) -> Protocol:
        """How to learn and measure; ``strata`` for tables over parts of a dataset.

        Strata hold queries of all splits: without another file to learn from, only
        cross-validation measures all of them on what was not learned.
        """
        test = self._test(settings, strata)
        measured = self.splits[test] if test else self.all
        learned: list[Query] = []
        folds = 0
        if settings.train:
            learned, _ = _told(settings.train)
            said = f"learned from {Path(settings.train).name}, measured on {test or 'all'}"
        elif test:
            learned = self.splits[TRAIN]
            said = f"learned from {TRAIN}, measured on {test}"
        else:
            folds = settings.folds or FOLDS
            said = f"{folds} folds by document, over {', '.join(self.splits)}"
        few = QUICK_QUERIES if settings.quick else 0
        return Protocol(
            _some(learned, few),
            _some(measured, settings.queries or few),
            folds,
            said,
            test or "all",
        )

    def _test(self, settings: Settings, strata: bool) -> str:
        """The split to measure on; empty for all of them."""
        if settings.test:
            if settings.test not in self.splits or settings.test == TRAIN:
                there = ", ".join(name for name in self.splits if name != TRAIN) or "none"
                raise BadOption(f"There is no split {settings.test!r} to measure on: {there}.")
            if settings.folds or (TRAIN not in self.splits and not settings.train):
                raise BadOption(
                    f"Nothing to learn from for test={settings.test}: it needs a split 'train' or "
                    "train=FILE, and no folds=…."
                )
            return settings.test
        if settings.folds or (strata and self.strata):
            return ""
        if TRAIN not in self.splits and not settings.train:
            return ""
        return next((name for name in TESTS if name in self.splits), "")


def read_data(places: Sequence[str]) -> Data:
    """Queries from a folder, from a file, or from several as ``SPLIT=FILE``."""
    if not places:
        raise BadOption(
            "Name the queries: --data DIR (with train.jsonl, test.jsonl), or --data FILE.jsonl"
        )
    splits: dict[str, list[Query]] = {}
    strata: dict[str, frozenset[str]] = {}
    problems: list[str] = []
    for place in places:
        for name, path in _files(place):
            queries, left_out = _told(path)
            problems += left_out
            splits.setdefault(name, []).extend(queries)
        if (Path(place) / "strata").is_dir():
            strata |= {
                path.name.partition(".")[0]: frozenset(q.id for q in QueryFile(path).queries)
                for path in sorted((Path(place) / "strata").iterdir())
                if path.stat().st_size
            }
    return Data(splits, strata, tuple(problems))


def _told(path: str | Path) -> tuple[list[Query], list[str]]:
    """The queries of a file with a true path, as all of the paper's have; and what is left out."""
    file = QueryFile(path)
    left_out = [f"{file.name}:{q.line}: no true path" for q in file.queries if not q.told]
    told = [query for query in file.queries if query.told]
    if not told:
        raise BadSource(f"{file.name} holds untold questions only: none has a true path to find.")
    return told, [*file.problems, *left_out]


def _files(place: str) -> Iterable[tuple[str, Path]]:
    name, equals, path = place.partition("=")
    if equals and not Path(place).exists():
        return [(name, Path(path))]
    return [(_split_of(name), path) for name, path in files_of(place).items()]


def _split_of(name: str) -> str:
    """The split that a file's name ends in, or the name itself.

    >>> _split_of("webnlg-train"), _split_of("queries")
    ('train', 'queries')
    """
    last = re.split(r"[-_]", name.lower())[-1]
    return last if last in (TRAIN, *TESTS) else name


def _some(queries: list[Query], most: int) -> list[Query]:
    """The queries over so many whole documents that there are ``most`` of them or a few more.

    Which documents depends on their text alone.
    """
    if not most or len(queries) <= most:
        return queries
    size: dict[str, int] = {}
    for query in queries:
        size[query.document] = size.get(query.document, 0) + 1
    taken, count = set(), 0
    for document in sorted(size, key=lambda text: _hash([text])):
        if count >= most:
            break
        taken.add(document)
        count += size[document]
    return [query for query in queries if query.document in taken]


def _digest(queries: Iterable[Query]) -> str:
    parts = (
        repr((q.id, q.head, q.tail, q.document, q.paths, q.links, q.candidates)) for q in queries
    )
    return _hash(parts)


def _hash(texts: Iterable[str]) -> str:
    digest = hashlib.blake2b(digest_size=20)
    for text in texts:
        content = text.encode("utf-8", "surrogatepass")
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()
