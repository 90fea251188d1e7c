"""Writes a graph for other programs: N-Triples, GraphML or a table, line by line."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from kgpath.errors import UnknownName
from kgpath.io.atomic import open_text, replacing
from kgpath.io.clean_text import ESCAPED
from kgpath.io.progress import Progress, silent
from kgpath.io.standard_output import write_data
from kgpath.storage import statements as st
from kgpath.storage.interop import CLASS_OF_CLASSES, LITERALS, PREDICATES
from kgpath.storage.store import Store


def write_graph(
    store: Store, output: str, format: str | None = None, progress: Progress = silent
) -> None:
    """Write a graph to a file, which appears whole or not at all; ``-`` is standard output.

    Without a format the file's name tells it, ``.gz`` left aside; standard output is N-Triples.
    """
    name = output.removesuffix(".gz")
    chosen = format or ("nt" if output == "-" else Path(name).suffix.lstrip("."))
    text = lines(store, chosen)
    if output == "-":
        with closing(text):  # before the file is, also when the reader of the pipe has gone
            write_data(text)
        return
    with replacing(Path(output)) as temporary:
        counted = _counted(text, store, f"writing {Path(output).name}", progress)
        if output.endswith(".gz"):
            # No time stamp: the same graph gives the same bytes.
            with temporary.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
                packed.writelines(chunk.encode("utf-8", ESCAPED) for chunk in counted)
        else:
            with open_text(temporary) as file:
                file.writelines(counted)


def _counted(chunks: Iterator[str], store: Store, what: str, progress: Progress) -> Iterator[str]:
    """Pass the chunks on; their number is about that of edges, names and types."""
    total = sum(
        store.one(f"SELECT count(*) FROM {table}")[0] for table in ("edge", "name", "entity_type")
    )
    for number, chunk in enumerate(chunks):
        if number % 10_000 == 0:
            progress(what, min(number, total), total)
        yield chunk


def lines(store: Store, format: str) -> Generator[str, None, None]:
    """The text of a graph in a format, in chunks that end with a line."""
    try:
        return FORMATS[format](store)
    except KeyError:
        raise UnknownName(f"No export format {format!r}. Known: {', '.join(FORMATS)}.") from None


def ntriples(store: Store) -> Generator[str, None, None]:
    """Facts, names, types, texts and ontology; building from it gives the same graph.

    Of an article, only the introduction is written.
    """
    for kind, subject, value, extra in st.for_rdf(st.statements_of(store)):
        if kind == st.EDGE:
            yield f"{_iri(subject)} {_iri(value)} {_iri(extra)} .\n"
        elif kind in LITERALS:
            tag = f"@{extra}" if extra else ""
            said = value.translate(_QUOTED)
            yield f'{_iri(subject)} <{PREDICATES[kind]}> "{said}"{tag} .\n'
        elif kind != st.PREFIX:
            yield f"{_iri(subject)} <{PREDICATES[kind]}> {_iri(value or CLASS_OF_CLASSES)} .\n"


def tsv(store: Store) -> Generator[str, None, None]:
    """Head, relation and tail of every fact, by IRI."""
    for edge in st.edges_of(store):
        yield "\t".join(map(_iri, edge)) + "\n"


def graphml(store: Store) -> Generator[str, None, None]:
    """Entities and facts with their labels, for Gephi, yEd, Cytoscape, networkx, igraph."""
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
        '<key id="label" for="node" attr.name="label" attr.type="string"/>\n'
        '<key id="types" for="node" attr.name="types" attr.type="string"/>\n'
        '<key id="relation" for="edge" attr.name="relation" attr.type="string"/>\n'
        '<key id="name" for="edge" attr.name="label" attr.type="string"/>\n'
        '<graph edgedefault="directed">\n'
    )
    rows = store.db.execute(
        "SELECT iri, label, (SELECT group_concat(c.label, ', ') FROM entity_type t"
        " JOIN class c ON c.id = t.class WHERE t.entity = entity.id) FROM entity ORDER BY id"
    )
    for iri, label, types in rows:
        yield (
            f'<node id={_xml_attribute(iri)}><data key="label">{_xml(label)}</data>'
            f'<data key="types">{_xml(types or "")}</data></node>\n'
        )
    labels = dict(store.db.execute("SELECT iri, label FROM relation"))
    for head, relation, tail in st.edges_of(store):
        yield (
            f"<edge source={_xml_attribute(head)} target={_xml_attribute(tail)}>"
            f'<data key="relation">{_xml(relation)}</data>'
            f'<data key="name">{_xml(labels[relation])}</data></edge>\n'
        )
    yield "</graph>\n</graphml>\n"


FORMATS: dict[str, Callable[[Store], Generator[str, None, None]]] = {
    "nt": ntriples,
    "graphml": graphml,
    "tsv": tsv,
}

# XML has no way at all to write most control characters.
_NOT_XML = {code: None for code in (*range(32), 0xFFFE, 0xFFFF) if code not in (9, 10, 13)}
_QUOTED = {code: f"\\u{code:04X}" for code in range(32)} | {
    ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t",
}  # fmt: skip


# No IRI can have these, whatever a file says: raw, one could end a line and begin another fact.
_NOT_IRI = re.compile(r"[\x00-\x20<>\\]")


def _iri(text: str) -> str:
    return "<" + _NOT_IRI.sub(lambda found: f"\\u{ord(found[0]):04X}", text) + ">"


def _xml(text: str) -> str:
    return escape(text.translate(_NOT_XML))


def _xml_attribute(text: str) -> str:
    return quoteattr(text.translate(_NOT_XML))
