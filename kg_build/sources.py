"""Read what a build is given: files and endpoints, each with its row in the list of sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kgpath.errors import BadSource
from kgpath.io.progress import Progress
from kgpath.kg_build.collect import Collector
from kgpath.kg_build.files import EmptySource, SourceFile, format_by_name
from kgpath.kg_build.filters import Filters
from kgpath.kg_build.report import Report
from kgpath.plugins import ARTICLE_FORMATS, SOURCES
from kgpath.types import Source

if TYPE_CHECKING:
    from kgpath.kg_build.sparql.source import LiveSource

#: Formats in which a file without a statement is a whole one.
_MAY_BE_EMPTY = ("nt", "nq", "ttl", "wikidata-nt")


def source_files(sources: Iterable[str | Path], format: str | None) -> list[SourceFile]:
    """The files to read, by path; a folder stands for its files where the format is given."""
    name = format and SOURCES.entry(format).name
    files = [SourceFile(path, name) for source in sources for path in _paths(str(source), name)]
    if not files:
        raise BadSource("No source given. Name at least one file, or - for standard input.")
    return files


def _paths(source: str, format: str | None) -> list[str]:
    """A source; where the format is given, a folder stands for all files in it."""
    if not format or not Path(source).is_dir():
        return [source]
    return sorted(
        str(path)
        for path in Path(source).iterdir()
        if path.is_file() and not path.name.startswith(".")
    )


def article_files(articles: Iterable[str | Path]) -> list[SourceFile]:
    """The files of articles, by path."""
    files = [SourceFile(str(path), known=ARTICLE_FORMATS) for path in articles]
    for file in files:
        file.size()  # they are read last: complain about a missing one before the work
    return files


def read_files(
    files: list[SourceFile],
    collector: Collector,
    action: str,
    strict: bool,
    progress: Progress,
) -> list[tuple[Source, Report]]:
    """Add the statements of all files to what is collected, or remove them."""
    take = collector.add if action == "add" else collector.remove

    def read(file: SourceFile, stream: IO[bytes], report: Report) -> None:
        report.languages = collector.filters.languages
        take(SOURCES.load(file.format or "")(stream, report), report)

    return read_each(files, read, action, strict, progress)


def read_each(
    files: Sequence[SourceFile],
    read: Callable[[SourceFile, IO[bytes], Report], object],
    action: str,
    strict: bool,
    progress: Progress,
) -> list[tuple[Source, Report]]:
    """Read one file after the other; ``progress`` is in bytes, of all files together."""
    total = sum(file.size() for file in files)
    before = 0
    done = []
    nothing: list[BadSource] = []
    for file in files:
        report = Report(file.name, strict=strict)
        try:
            with file.open(_after(before, total, progress)) as stream:
                read(file, stream, report)
            if not report.statements:
                raise _NothingIn(file, report)
        except (EmptySource, _NothingIn) as error:
            # It says nothing, in a valid way: no harm, if another file says something.
            without_a_sign = isinstance(error, EmptySource)
            if report.malformed or not _may_be_empty(file, without_a_sign):
                raise
            nothing.append(error)
        before += file.bytes
        done.append((_source(file, report, action), report))
    if nothing and len(nothing) == len(files):
        raise nothing[0]
    return done


def _may_be_empty(file: SourceFile, without_a_sign: bool) -> bool:
    """Whether a file is a whole one although it says nothing."""
    file.format = file.format or format_by_name(file.name, file.known)
    if file.known is not SOURCES:
        return False
    return file.format in _MAY_BE_EMPTY or (file.format == "rdf" and not without_a_sign)


def _after(before: int, total: int, progress: Progress) -> Progress:
    """The progress of a part as that of the whole."""
    return lambda step, done, _: progress(step, before + done, total)


def read_live(
    live: LiveSource,
    collector: Collector,
    filters: Filters,
    strict: bool,
    progress: Progress,
) -> tuple[Source, Report]:
    """Add what an endpoint says to what is collected."""
    report = Report(live.name, strict=strict)
    collector.add(live.statements(report, filters, progress), report)
    collector.notes += live.notes
    collector.applied.update(live.filters(filters).drop)
    if live.client.hits:
        collector.notes.append(
            f"{live.client.hits:,} answers of {live.name} were taken from {live.client.folder}; "
            "--refresh asks again."
        )
    return Source(
        name=live.name,
        format="sparql",
        action="add",
        loaded_at=_now(),
        sha256="",
        bytes=0,
        statements=report.statements,
        edges=report.edges,
        malformed=report.malformed,
        left_out=dict(report.left_out),
    ), report


def _source(file: SourceFile, report: Report, action: str) -> Source:
    return Source(
        name=file.name,
        format=file.format or "",
        action=action,
        loaded_at=_now(),
        sha256=file.sha256,
        bytes=file.bytes,
        statements=report.statements,
        edges=report.edges,
        malformed=report.malformed,
        left_out=dict(report.left_out),
    )


def removed_entity(iri: str, degree: int) -> Source:
    """What the list of sources says of an entity that was taken out."""
    return Source(iri, "entity", "remove", _now(), "", 0, degree, degree, 0, {})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class _NothingIn(BadSource):
    """A file was read, and there was no statement in it."""

    def __init__(self, file: SourceFile, report: Report) -> None:
        super().__init__(_nothing_in(file, report))


def _nothing_in(file: SourceFile, report: Report) -> str:
    what = "article" if file.known is ARTICLE_FORMATS else "statement"
    text = f"{file.name} holds no {what} in the format {file.format!r}."
    if report.examples:
        text += f" {report.malformed:,} malformed lines, the first:\n  {report.examples[0]}"
    if file.known is ARTICLE_FORMATS:
        return text
    known = ", ".join(entry.name for entry in SOURCES)
    return f"{text}\nIf it has another format, say it with --format: {known}."
