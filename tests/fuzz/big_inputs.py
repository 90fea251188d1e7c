"""Past failures that are too large to keep as files: made when they are needed, by name."""

from __future__ import annotations

import bz2
from collections.abc import Callable

from fuzz import seeds
from fuzz.mutators.packed import gzip_bytes

_MIB = 1 << 20


def gzip_bomb(letter: bytes = b"\0") -> bytes:
    """4 GiB of one letter in 4 MB."""
    return gzip_bytes(letter * (64 * _MIB)) * 64


def bzip2_bomb() -> bytes:
    """4 GiB in some kilobytes."""
    return bz2.compress(b"a" * (64 * _MIB)) * 64


def bzip2_bomb_of_lines(line: bytes) -> bytes:
    """3 GiB of lines in less than a megabyte, each of them whole."""
    return bz2.compress(line * (32 * _MIB // len(line))) * 96


def quoted_triples(depth: int = 18_000) -> bytes:
    return b"<x:a> <x:b> " + b"<<( <x:a> <x:b> " * depth + b"<x:c> " + b")>> " * depth + b".\n"


def old_quoted_triples(depth: int = 18_000) -> bytes:
    return b"<< <x:a> <x:b> " * depth + b"<x:c> " + b">> <x:b> <x:c> " * depth + b".\n"


def turtle_nested(opening: bytes, closing: bytes, depth: int = 100_000) -> bytes:
    return b"<x:a> <x:b> " + opening * depth + closing * depth + b" .\n"


def rdfxml_nested(depth: int = 200_000) -> bytes:
    start = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="x:">'
    one = b"<rdf:Description><x:p>"
    return start + one * depth + b"</x:p></rdf:Description>" * depth + b"</rdf:RDF>"


def json_nested(depth: int, before: bytes = b"", after: bytes = b"") -> bytes:
    return before + b"[" * depth + b"]" * depth + after


def wikitext_nested(opening: bytes, depth: int = 50_000) -> bytes:
    text = opening * depth
    return seeds.MEDIAWIKI.encode().replace(b"'''Roger Moore'''", text)


_TURN = b'{"id": "d", "turns": [{"query": "a", "candidates": [["London", "x"]], "x": '
_QUERY = b'{"document": "b", "head": "c", "tail": "d", "path": ["c", "r", "d"]}\n'

#: By target: the name of a file, which says what it does, and how it is made.
BIG: dict[str, dict[str, Callable[[], bytes]]] = {
    "source nt": {
        "quoted-triples-18000-deep.nt": quoted_triples,
        "endless-line.nt": lambda: b"<x:" + b"a" * (200 * _MIB),
        "bomb.nt.gz": gzip_bomb,
        "bomb.nt.bz2": bzip2_bomb,
    },
    "source nq": {"quoted-triples-18000-deep.nq": quoted_triples, "bomb.nq.gz": gzip_bomb},
    "source ttl": {
        "quoted-triples-18000-deep.ttl": old_quoted_triples,
        "collections-100000-deep.ttl": lambda: turtle_nested(b"(", b")"),
        "blank-nodes-100000-deep.ttl": lambda: turtle_nested(b"[ <x:b> ", b"]"),
        "endless-literal.ttl": lambda: b'<x:a> <x:b> "' + b"a" * (200 * _MIB),
        "bomb.ttl.gz": lambda: gzip_bomb(b"#"),
    },
    "source rdf": {
        "elements-200000-deep.rdf": rdfxml_nested,
        "bomb.rdf.gz": lambda: gzip_bomb(b" "),
    },
    "source tsv": {
        "bomb.tsv.gz": gzip_bomb,
        "lines.tsv.bz2": lambda: bzip2_bomb_of_lines(b"a\tb\tc\n"),
    },
    "source csv": {
        "bomb.csv.gz": gzip_bomb,
        "open-quote.csv": lambda: b'a,b,"' + b"x" * (50 * _MIB),
    },
    "source wikidata": {
        "bomb.json.gz": gzip_bomb,
        "nested-5000-deep.json": lambda: (
            b'[\n{"id": "Q1", "labels": ' + json_nested(5000) + b"}\n]"
        ),
    },
    "source wikidata-nt": {"quoted-triples-18000-deep.nt": quoted_triples},
    "source codex": {"nested-5000-deep.json": lambda: json_nested(5000, b'{"Q1": ', b"}")},
    "articles jsonl": {
        "bomb.jsonl.gz": gzip_bomb,
        "nested-5000-deep.jsonl": lambda: json_nested(
            5000, b'{"title": "London", "text": ', b"}\n"
        ),
        "nested-5000-deep-redirect.jsonl": lambda: json_nested(5000, b'{"redirect": ', b"}\n"),
    },
    "articles tsv": {"bomb.tsv.gz": gzip_bomb},
    "articles mediawiki": {
        "bomb.xml.gz": gzip_bomb,
        "templates-50000-deep.xml": lambda: wikitext_nested(b"{{a|"),
        "links-50000-deep.xml": lambda: wikitext_nested(b"[[a|"),
        "tables-50000-deep.xml": lambda: wikitext_nested(b"\n{|\n|\n"),
        "tags-50000-deep.xml": lambda: wikitext_nested(b"&lt;ref&gt;&lt;div&gt;"),
        "comments-50000-open.xml": lambda: wikitext_nested(b"&lt;!--"),
    },
    "queries": {
        "bomb.jsonl.gz": gzip_bomb,
        "lines.jsonl.bz2": lambda: bzip2_bomb_of_lines(_QUERY),
        "nested-5000-deep.jsonl": lambda: json_nested(5000, b'{"document": ', b"}\n"),
    },
    "pairs": {
        "bomb.tsv.gz": gzip_bomb,
        "lines.tsv.bz2": lambda: bzip2_bomb_of_lines(b"Emma Stone\tLondon\n"),
    },
    "contexts": {
        "20000-dots.txt": lambda: b"." * 20_000,
        "2000000-dots.txt": lambda: b"." * 2_000_000,
        "200000-open-quotes.txt": lambda: "“".encode() * 200_000,
        "200000-brackets.txt": lambda: b"(" * 200_000,
        "200000-initials.txt": lambda: b"A. " * 200_000,
        "100000-names.txt": lambda: b"Emma Stone and Andrew Garfield. He. " * 30_000,
        "one-word-of-two-megabytes.txt": lambda: b"a" * 2_000_000,
        "500000-line-feeds.txt": lambda: b"\n" * 500_000,
    },
    "word vectors": {"bomb.txt.gz": gzip_bomb, "bomb.bin.gz": lambda: gzip_bomb(b"1")},
    "recipes": {
        "arrays-5000-deep.toml": lambda: json_nested(5000, b"documents = "),
        "tables-5000-deep.toml": lambda: b"[" + b".".join([b"a"] * 5000) + b"]\n",
    },
    "choices": {"plug-ins-5000-deep": lambda: b"score-ltr(of=" * 5000 + b"a" + b")" * 5000},
    "dialogues kgpath": {
        "bomb.jsonl.gz": gzip_bomb,
        "nested-5000-deep.jsonl": lambda: json_nested(5000, _TURN, b"}]}\n"),
        "lines.jsonl.bz2": lambda: bzip2_bomb_of_lines(_TURN + b"1}]}\n"),
    },
    "dialogues parlai": {"nested-5000-deep.json": lambda: json_nested(5000)},
    "chat": {"nested-5000-deep.jsonl": lambda: json_nested(5000, b'{"candidates": ', b"}\n")},
    "opendialkg": {
        "bomb.csv.gz": gzip_bomb,
        "nested-5000-deep.jsonl": lambda: json_nested(5000, b'{"sender": 1, "turns": ', b"}\n"),
    },
    "wikinews": {
        "bomb.jsonl.gz": gzip_bomb,
        "nested-5000-deep.jsonl": lambda: json_nested(5000, b'{"paragraphs": ', b"}\n"),
    },
    "evidence detector": {
        "nested-5000-deep.json": lambda: json_nested(5000, b'{"weights": ', b"}")
    },
    "annotators' answers": {
        "nested-5000-deep.jsonl": lambda: json_nested(5000, b'{"id": ', b"}\n")
    },
}
