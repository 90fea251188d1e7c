"""Source files as byte streams: plain, gzip or bzip2, or standard input, with what was read."""

from __future__ import annotations

import gzip
import hashlib
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from kgpath.errors import BadSource
from kgpath.io.progress import Progress, silent
from kgpath.io.streams import Counted, unpacked
from kgpath.plugins import ARTICLE_FORMATS, SOURCES
from kgpath.registry import Registry

_OTHER_TEXT = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


class EmptySource(BadSource):
    """A file with nothing in it: for some formats that is a valid one."""


class _Hashed(Counted):
    """Also hashes the bytes, and reports how many there were."""

    def __init__(self, raw: IO[bytes], progress: Progress, step: str) -> None:
        super().__init__(raw)
        self.sha256 = hashlib.sha256()
        self._progress, self._step = progress, step

    def passed(self, data: bytes) -> None:
        self.sha256.update(data)
        self._progress(self._step, self.bytes, 0)


@dataclass
class SourceFile:
    """One source by path, or ``-`` for standard input; ``format`` None means: find out.

    ``known`` are the formats it may have.
    """

    path: str
    format: str | None = None
    known: Registry = SOURCES

    def __post_init__(self) -> None:
        self.name = "standard input" if self.path == "-" else Path(self.path).name
        self.bytes = 0
        self.sha256 = ""

    def size(self) -> int:
        """Bytes on disk, 0 for standard input; complains about what cannot be read."""
        if self.path == "-":
            return 0
        path = Path(self.path)
        if path.is_dir():
            raise BadSource(
                f"{path} is a folder. Name the files in it: {path}/*, or say with --format what "
                "all of them are."
            )
        try:
            with path.open("rb"):
                return path.stat().st_size
        except FileNotFoundError:
            raise BadSource(f"There is no file {path}.") from None
        except OSError as error:
            raise BadSource(f"Cannot read {path}: {error.strerror}.") from error

    @contextmanager
    def open(self, progress: Progress = silent) -> Iterator[IO[bytes]]:
        """The decompressed bytes. Sets ``format``; after reading, ``bytes`` and ``sha256``."""
        raw = sys.stdin.buffer if self.path == "-" else Path(self.path).open("rb")  # noqa: SIM115
        counted = _Hashed(raw, progress, f"reading {self.name}")
        try:
            with _complaints(self.name):
                stream = unpacked(counted, self.name)
                start = stream.peek(4096)
                if start[:2] in _OTHER_TEXT:
                    raise BadSource(
                        f"{self.name} is {_OTHER_TEXT[start[:2]]} text. Convert it first: "
                        f"iconv -f utf-16 -t utf-8 {self.name} > utf8-{self.name}"
                    )
                if start.startswith(b"\xef\xbb\xbf"):
                    stream.read(3)
                if not start.removeprefix(b"\xef\xbb\xbf").strip():
                    raise EmptySource(f"{self.name} is empty.")
                self.format = (
                    self.format
                    or format_by_name(self.name, self.known)
                    or sniff(start, self.name, self.known)
                )
                yield stream
        finally:
            self.bytes, self.sha256 = counted.bytes, counted.sha256.hexdigest()
            if self.path != "-":
                raw.close()


def format_by_name(name: str, known: Registry = SOURCES) -> str | None:
    """The format that a file's ending stands for, compression set aside."""
    stem = name.lower()
    for ending in (".gz", ".bz2"):
        stem = stem.removesuffix(ending)
    ending = stem.rpartition(".")[2]
    return known.entry(ending).name if ending in known else None


def sniff(start: bytes, name: str, known: Registry = SOURCES) -> str:
    """The format that the first bytes look like."""
    text = start.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    look = _look_of_articles if known is ARTICLE_FORMATS else _look_of_graph
    format = look(lines[0] if lines else "")
    if format is None:
        names = ", ".join(entry.name for entry in known)
        way = "by the ending of its name" if known is ARTICLE_FORMATS else "with --format"
        raise BadSource(f"Cannot tell the format of {name}. Say it {way}, one of: {names}.")
    return format


def _look_of_graph(first: str) -> str | None:
    if first.startswith(("<?xml", "<rdf:RDF", "<!DOCTYPE rdf")):
        return "rdf"
    if first == "[" or first.startswith(('{"type":', '{"id":', '[{"type":', '[{"id":')):
        return "wikidata"
    if first.lower().startswith(("@prefix", "@base", "prefix ", "base ")):
        return "ttl"
    if first.startswith(("<", "_:")) and first.rstrip().endswith("."):
        return "nq"  # every N-Triples file is an N-Quads file
    if first.count("\t") >= 2:
        return "tsv"
    return "csv" if first.count(",") >= 2 else None


def _look_of_articles(first: str) -> str | None:
    if first.startswith(("<?xml", "<mediawiki")):
        return "mediawiki"
    if first.startswith("{"):
        return "jsonl"
    return "tsv" if "\t" in first else None


@contextmanager
def _complaints(name: str) -> Iterator[None]:
    try:
        yield
    except EOFError as error:
        raise BadSource(
            f"{name} is cut off: the compressed file ends too early. Fetch or copy it again."
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise BadSource(
            f"{name} is a damaged gzip file ({error}). Fetch or copy it again."
        ) from error
    except OSError as error:
        raise BadSource(f"Cannot read {name}: {error.strerror or error}.") from error
