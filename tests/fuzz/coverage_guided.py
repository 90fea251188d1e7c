"""Coverage-guided fuzzing of the readers written in Python, where atheris is installed.

    pip install atheris
    python tests/fuzz/coverage_guided.py dialogues -max_total_time=3600 corpus-folder/

What stands behind the name of the reader goes to libFuzzer. It finds what mutation by chance does
not: inputs that reach a new line of code. A reader may refuse with a KgpathError and nothing else.
What it finds becomes a file of ``tests/fuzz/corpus/``, as any finding does.
"""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

READERS = (
    "nt", "nq", "ttl", "rdf", "tsv", "csv", "wikidata", "wikidata-nt", "codex",
    "jsonl", "articles-tsv", "mediawiki", "queries", "untold", "evidence", "dialogues",
    "opendialkg", "wikinews", "recipe", "vectors", "choice",
)  # fmt: skip


def reader(name: str) -> Callable[[bytes], None]:
    """What reads bytes of a format to the end."""
    from kgpath.plugins import ARTICLE_FORMATS, SOURCES
    from kgpath.registry import parse_choice

    if name == "choice":
        return lambda data: parse_choice(data.decode("utf-8", "replace")) and None
    if name in SOURCES:
        return lambda data: _drain(SOURCES.load(name), data)
    articles = {"jsonl": "jsonl", "articles-tsv": "tsv", "mediawiki": "mediawiki"}
    if name in articles:
        return lambda data: _drain(ARTICLE_FORMATS.load(articles[name]).read, data)
    return lambda data: _from_file(name, data)


def _drain(read: Callable, data: bytes) -> None:
    from kgpath.kg_build.report import Report

    for _ in read(io.BufferedReader(io.BytesIO(data)), Report("fuzz")):
        pass


def _from_file(name: str, data: bytes) -> None:
    from kgpath.datasets.annotation.wikinews import NewsFile
    from kgpath.datasets.opendialkg.dialogues import OpenDialKGFile
    from kgpath.datasets.synthetic.recipe import read_recipe
    from kgpath.dialogue.loading import DialogueFile
    from kgpath.encoders.vectors.word_vectors import read_vectors
    from kgpath.io.evidence import EvidenceFile
    from kgpath.io.queries import QueryFile, UntoldFile

    readers: dict[str, tuple[str, Callable]] = {
        "queries": ("x.jsonl", QueryFile),
        "untold": ("x.jsonl", UntoldFile),
        "evidence": ("x.jsonl", EvidenceFile),
        "dialogues": ("x.json", DialogueFile),
        "opendialkg": ("x.csv", OpenDialKGFile),
        "wikinews": ("x.jsonl", lambda path: list(NewsFile(path))),
        "recipe": ("x.toml", lambda path: read_recipe(str(path))),
        "vectors": ("x.txt", read_vectors),
    }
    file, read = readers[name]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / file
        place.write_bytes(data)
        read(place)


def main() -> None:
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed: pip install atheris (Linux and macOS, CPython).")
    if len(sys.argv) < 2 or sys.argv[1] not in READERS:
        sys.exit(f"Name a reader: {', '.join(READERS)}.")
    name = sys.argv.pop(1)
    with atheris.instrument_imports(include=["kgpath"]):
        read = reader(name)
        from kgpath.errors import KgpathError

        with suppress(KgpathError):
            read(b"")  # loads what is loaded late

    def one(data: bytes) -> None:
        with suppress(KgpathError):
            read(data)

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
