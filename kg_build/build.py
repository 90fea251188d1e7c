"""Build a graph file from sources; add sources to one, or take them out of it again.

All three make a new file that replaces the old one at the end. So entities are numbered in the
order of their IRIs whatever came first, adding gives the same graph as building from everything,
and whoever has the old file open keeps reading it undisturbed.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from kgpath.errors import BadStore, NotWritable
from kgpath.io.atomic import replacing
from kgpath.io.progress import Progress, silent
from kgpath.kg_build.collect import Collector
from kgpath.kg_build.files import SourceFile
from kgpath.kg_build.filters import Filters
from kgpath.kg_build.report import Report
from kgpath.kg_build.sources import (
    article_files,
    read_each,
    read_files,
    read_live,
    removed_entity,
    source_files,
)
from kgpath.kg_build.wikimedia.articles import ArticleCounts, ArticleLoader
from kgpath.kg_build.writer import write
from kgpath.storage.connection import connect_readonly, schema_version
from kgpath.storage.index import Index, find_index, folder_beside, remove_others, write_index
from kgpath.storage.names import resolve
from kgpath.storage.store import Store, remember_written
from kgpath.types import Source

if TYPE_CHECKING:
    from kgpath.kg_build.sparql.source import LiveSource


@dataclass
class Built:
    """What a build made, and all it left out."""

    path: Path
    fingerprint: str
    entities: int
    edges: int
    relations: int
    classes: int
    reports: list[Report]
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    articles: list[ArticleCounts] = field(default_factory=list)

    @property
    def statements(self) -> int:
        return sum(report.statements for report in self.reports)

    @property
    def malformed(self) -> int:
        return sum(report.malformed for report in self.reports)


def build(
    sources: Iterable[str | Path],
    output: str | Path,
    *,
    filters: Filters | None = None,
    format: str | None = None,
    articles: Iterable[str | Path] = (),
    live: LiveSource | None = None,
    strict: bool = False,
    progress: Progress = silent,
) -> Built:
    """Read any mix of source files (``-``: standard input) into a new graph file.

    ``articles`` are files with the text of entities: :mod:`kgpath.kg_build.wikimedia.articles`.
    ``live`` is an endpoint to take from: :mod:`kgpath.kg_build.sparql.source`; it needs no files.
    """
    output = Path(output)
    files = source_files(sources, format) if sources or not live else []
    texts = article_files(articles)
    _refuse_overwriting_other_files(output)
    with replacing(output, database=True) as temporary:
        filters = filters or Filters()
        collector = Collector(live.filters(filters) if live else filters)
        try:
            done = read_files(files, collector, "add", strict, progress)
            if live:
                done.append(read_live(live, collector, filters, strict, progress))
            built = _finish(collector, temporary, output, done, [], texts, strict, progress)
        finally:
            collector.close()
        written = temporary.stat()
    remember_written(output, written)
    remove_others(folder_beside(output, built.fingerprint))
    return built


def add(
    path: str | Path,
    sources: Iterable[str | Path] = (),
    *,
    filters: Filters | None = None,
    format: str | None = None,
    articles: Iterable[str | Path] = (),
    strict: bool = False,
    progress: Progress = silent,
) -> Built:
    """Add sources or articles to a graph file, in one step that succeeds or changes nothing."""
    texts = article_files(articles)
    files = source_files(sources, format) if sources or not texts else []
    return _change(path, files, (), "add", filters, strict, progress, texts)


def remove(
    path: str | Path,
    sources: Iterable[str | Path] = (),
    *,
    entities: Sequence[str] = (),
    format: str | None = None,
    strict: bool = False,
    progress: Progress = silent,
) -> Built:
    """Take the statements of sources, or whole entities, out of a graph file in one step.

    An entity left without any edge leaves the graph.
    """
    files = source_files(sources, format) if sources or not entities else []
    return _change(path, files, entities, "remove", None, strict, progress)


def _change(
    path: str | Path,
    files: list[SourceFile],
    entities: Sequence[str],
    action: str,
    filters: Filters | None,
    strict: bool,
    progress: Progress,
    texts: Sequence[SourceFile] = (),
) -> Built:
    path = Path(path)
    Store(path).close()  # complain about a missing or foreign file before locking anything
    with replacing(path, given=True, database=True) as temporary:
        store = Store(path)
        languages = tuple(filter(None, store.meta("languages").split(",")))
        collector = Collector(replace(filters or Filters(), languages=languages))
        try:
            gone = [resolve(store, name) for name in entities]
            collector.add_store(store, Filters(languages=languages))
            former = store.sources()
            for entity in gone:
                collector.remove_entity(entity.iri)
                former.append(removed_entity(entity.iri, entity.degree))
            done = read_files(files, collector, action, strict, progress)
            if action == "remove" and files and not gone and not any(r.edges for _, r in done):
                collector.notes.append("None of the edges to remove was in the graph.")
            built = _finish(collector, temporary, path, done, former, texts, strict, progress)
        finally:
            store.close()
            collector.close()
        written = temporary.stat()
    remember_written(path, written)
    remove_others(folder_beside(path, built.fingerprint))
    return built


def _finish(
    collector: Collector,
    temporary: Path,
    output: Path,
    done: list[tuple[Source, Report]],
    former: list[Source],
    texts: Sequence[SourceFile],
    strict: bool,
    progress: Progress,
) -> Built:
    progress("sorting", 0, 0)
    content = collector.content()
    counts: list[ArticleCounts] = []
    if texts:
        loader = ArticleLoader(collector, content)
        counts = loader.counts
        for file in texts:
            progress(f"looking for redirects in {file.name}", 0, 0)
            loader.note_redirects(file)
        done = [*done, *read_each(texts, loader.read, "add", strict, progress)]
    progress(f"writing {output.name}", 0, 0)
    db = sqlite3.connect(temporary, isolation_level=None)
    try:
        # No journal: the file is not in its place yet, and if this fails it never will be.
        db.execute("PRAGMA journal_mode = OFF")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -100000")  # 100 MB
        fingerprint = write(db, collector, content, [*former, *(source for source, _ in done)])
        progress("writing the index", 0, 0)
        if find_index(output, fingerprint) is None:
            index = Index.from_store(db, content.edges.astype(np.int32))
            write_index(index, output, fingerprint)
    finally:
        db.close()
    return Built(
        path=output,
        fingerprint=fingerprint,
        entities=len(content.entities),
        edges=len(content.edges),
        relations=len(np.unique(content.edges[:, 1])),
        classes=len(content.classes),
        reports=[report for _, report in done],
        left_out=collector.left_out,
        notes=[*collector.notes, *map(str, counts)],
        articles=counts,
    )


def _refuse_overwriting_other_files(output: Path) -> None:
    if output.is_dir():
        raise NotWritable(f"{output} is a folder. Name a file in it: -o {output / 'film.kg'}")
    if not output.exists() or not output.stat().st_size:
        return
    db = connect_readonly(output)
    try:
        known = schema_version(db)
    except sqlite3.DatabaseError:
        known = 0
    finally:
        db.close()
    if not known:
        raise BadStore(f"{output} exists and is not a graph file; it stays. Choose another -o.")
