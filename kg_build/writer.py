"""Writes the content of a graph into an empty database: rows, names, indexes, fingerprint."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from kgpath.kg_build.collect import Collector, Content
from kgpath.lexicon.text import entity_label, first_sentence, fold, relation_label
from kgpath.storage import statements as st
from kgpath.storage.fingerprint import checksum, fingerprint
from kgpath.storage.migrations import create_tables, upgrade
from kgpath.types import Source

_NAMES = {st.LABEL: st.IS_LABEL, st.ALIAS: st.IS_ALIAS, st.TITLE: st.IS_TITLE}


def write(
    db: sqlite3.Connection, collector: Collector, content: Content, sources: Iterable[Source]
) -> str:
    """Fill a database and return the fingerprint of what it holds."""
    create_tables(db)
    db.execute("BEGIN")
    labels = _write_names(db, collector, content)
    descriptions = _write_passages(db, collector)
    degrees = np.bincount(content.edges[:, [0, 2]].ravel(), minlength=len(content.entities))
    db.executemany(
        "INSERT INTO entity VALUES (?, ?, ?, ?, ?)",
        (
            (number, iri, labels[number], descriptions.get(number, ""), degree)
            for number, (iri, degree) in enumerate(
                zip(content.entities, degrees.tolist(), strict=True)
            )
        ),
    )
    _write_relations(db, collector, content)
    _write_classes(db, collector, content)
    _write_rows(db, "edge", content.edges)
    _write_rows(db, "entity_type", content.types)
    _write_rows(db, "class_parent", content.class_parents)
    _write_rows(db, "relation_parent", content.relation_parents)
    db.executemany("INSERT INTO prefix VALUES (?, ?)", sorted(content.prefixes.items()))
    db.executemany(
        "INSERT INTO source VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((*source[:9], json.dumps(source.left_out, sort_keys=True)) for source in sources),
    )
    key = fingerprint(db, content.edges.astype(np.int32))
    db.executemany(
        "INSERT INTO meta VALUES (?, ?)",
        [("fingerprint", key), ("languages", ",".join(collector.filters.languages))],
    )
    db.execute("INSERT INTO meta VALUES ('checksum', ?)", (checksum(db),))
    db.execute("COMMIT")
    upgrade(db)  # the remaining step: indexes and full-text search over the rows
    return key


def _write_rows(db: sqlite3.Connection, table: str, rows: NDArray[np.int64]) -> None:
    """Insert rows of integers, a hundred to a statement: twice as fast as one by one."""
    width, many = rows.shape[1], 100
    row = f"({', '.join('?' * width)})"
    whole = len(rows) // many * many
    db.executemany(
        f"INSERT INTO {table} VALUES {', '.join([row] * many)}",
        rows[:whole].reshape(-1, many * width).tolist(),
    )
    db.executemany(f"INSERT INTO {table} VALUES {row}", rows[whole:].tolist())


def _write_names(db: sqlite3.Connection, collector: Collector, content: Content) -> list[str]:
    """Fill the name table and return the label of every entity.

    The label is the name in the most welcome language, then the shortest, then the first in the
    alphabet; an entity without one gets a name from its IRI.
    """
    labels = [""] * len(content.entities)

    def rows() -> Iterator[tuple[int, str, str, str, int]]:
        stated: set[str] = set()
        current = -1
        for number, kind, _, lang, text in collector.literals.texts("entity", tuple(_NAMES)):
            text = " ".join(text.split())
            if number != current:
                current, stated = number, set()
            if not text or (text in stated and kind != st.TITLE):
                continue  # an alias that repeats the label says nothing new, a title does
            stated.add(text)
            if kind == st.LABEL and not labels[number]:
                labels[number] = text
            yield number, text, fold(text), lang, _NAMES[kind]
        for number, iri in enumerate(content.entities):
            if not labels[number]:
                labels[number] = text = entity_label(iri)
                yield number, text, fold(text), "", st.FROM_IRI

    db.executemany(
        "INSERT INTO name (entity, text, folded, lang, label) VALUES (?, ?, ?, ?, ?)", rows()
    )
    return labels


def _write_passages(db: sqlite3.Connection, collector: Collector) -> dict[int, str]:
    """Fill the passage table and return a sentence on each entity that has text.

    The introduction is the abstract, the sentence comes from the comment; either serves for both.
    An article is kept by its paragraphs, and its introduction takes the place of the abstract.
    """
    descriptions: dict[int, str] = {}
    literals = collector.literals
    texts = (
        (number, kind, 0, 0, lang, text)
        for number, kind, _, lang, text in literals.texts("entity", (st.COMMENT, st.ABSTRACT))
    )
    paragraphs = (
        (number, st.PASSAGE, section, position, lang, text)
        for number, section, position, lang, text in literals.passages()
    )

    def rows() -> Iterator[tuple[int, int, int, str, str, int]]:
        merged = merge(texts, paragraphs, key=lambda row: row[0])
        for number, group in groupby(merged, key=lambda row: row[0]):
            chosen: dict[int, tuple[str, str]] = {}
            for _, kind, section, position, lang, text in group:
                if not text.strip():
                    continue
                if kind == st.PASSAGE:
                    yield number, section, position, text, lang, kind
                chosen.setdefault(kind, (text.strip(), lang))
            if st.PASSAGE in chosen:
                chosen.pop(st.ABSTRACT, None)
            if chosen:
                descriptions[number] = first_sentence(chosen[min(chosen)][0])
                for section, kind in zip((0, -1), sorted(chosen, reverse=True), strict=False):
                    if kind != st.PASSAGE:
                        yield number, section, 0, *chosen[kind], kind

    db.executemany("INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?)", rows())
    return descriptions


def _write_relations(db: sqlite3.Connection, collector: Collector, content: Content) -> None:
    labels = _labels(collector, "relation", content.relations)
    uses = np.bincount(content.edges[:, 1], minlength=len(content.relations)).tolist()
    db.executemany(
        "INSERT INTO relation VALUES (?, ?, ?, ?, ?)",
        (
            (number, iri, *labels[number], uses[number])
            for number, iri in enumerate(content.relations)
        ),
    )


def _write_classes(db: sqlite3.Connection, collector: Collector, content: Content) -> None:
    labels = _labels(collector, "class", content.classes)
    uses = np.bincount(content.types[:, 1], minlength=len(content.classes)).tolist()
    db.executemany(
        "INSERT INTO class VALUES (?, ?, ?, ?, ?, ?)",
        (
            (number, iri, *labels[number], iri in content.declared, uses[number])
            for number, iri in enumerate(content.classes)
        ),
    )


def _labels(collector: Collector, of: str, iris: list[str]) -> list[tuple[str, str | None]]:
    """The label of every relation or class, with its language; made from the IRI if there is none.

    Of several in one language, the one that the IRI spells ("writer", not "auteur") is chosen.
    """
    labels: list[tuple[str, str | None]] = []
    made = [relation_label(iri) for iri in iris]
    stated: dict[int, tuple[tuple[object, ...], str, str]] = {}
    for number, _, rank, lang, text in collector.literals.texts(of, (st.LABEL,)):
        text = " ".join(text.split())
        worth = (rank, fold(text) != fold(made[number]), len(text), text, lang)
        if text and (number not in stated or worth < stated[number][0]):
            stated[number] = worth, text, lang
    for number, name in enumerate(made):
        labels.append(stated[number][1:] if number in stated else (name, None))
    return labels
