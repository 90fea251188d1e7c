"""What every source yields and every graph file consists of: ``(kind, subject, value, extra)``.

A plain tuple per statement and no class: a dump has a million of them. Subjects and values are
IRIs, or text for names and descriptions; ``extra`` is the tail of an edge or a language tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias
from urllib.parse import quote, unquote

from kgpath.storage.namespaces import SCHEMA
from kgpath.storage.store import Store

Statement: TypeAlias = tuple[int, str, str, str]
Statements: TypeAlias = Iterator[Statement]

EDGE: Final = 0  #        head, relation, tail
LABEL: Final = 1  #       entity, class or relation; text; language
ALIAS: Final = 2  #       the same
COMMENT: Final = 3  #     entity; short text; language
ABSTRACT: Final = 4  #    entity; introduction of its article; language
TYPE: Final = 5  #        entity, class
SUBCLASS: Final = 6  #    class, its parent
SUBPROPERTY: Final = 7  # relation, its parent
CLASS: Final = 8  #       declares a class
PROPERTY: Final = 9  #    declares a relation
ONTOLOGY: Final = 10  #   declares an ontology document: it describes itself, it is no entity
PREFIX: Final = 11  #     prefix, namespace
PASSAGE: Final = 12  #    entity; paragraph of its article; place and language, see passage()
TITLE: Final = 13  #      entity; title of its article; language

#: Values of the column ``name.label``: how a name was stated.
IS_ALIAS, IS_LABEL, FROM_IRI, IS_TITLE = 0, 1, 2, 3
_KIND_OF_NAME = {IS_ALIAS: ALIAS, IS_LABEL: LABEL, IS_TITLE: TITLE}

#: Leads from a page of Wikipedia to the entity it is about.
ABOUT: Final = SCHEMA + "about"
_LANGUAGE = re.compile(r"[a-z]{2,}(-[a-z]+)*")


def passage(iri: str, section: int, position: int, text: str, lang: str) -> Statement:
    """A paragraph of an entity's article; those of one article come together and in order."""
    return PASSAGE, iri, text, f"{section} {position} {lang}"


def place_of(extra: str) -> tuple[int, int, str]:
    """Section, position and language of a passage."""
    section, position, lang = extra.split(" ", 2)
    return int(section), int(position), lang


def for_rdf(statements: Statements) -> Statements:
    """The same for formats that know neither paragraphs nor titles of articles.

    Of an article, its introduction in one; its title is said as Wikidata does, by the address of
    its page.
    """
    introduction: list[str] = []
    about: tuple[str, str] = ("", "")
    for kind, subject, value, extra in statements:
        section, _, lang = place_of(extra) if kind == PASSAGE else (-1, 0, "")
        if introduction and (section != 0 or (subject, lang) != about):
            yield ABSTRACT, about[0], "\n".join(introduction), about[1]
            introduction.clear()
        if kind == TITLE:
            page = wikipedia_page(value, extra)
            yield (EDGE, page, ABOUT, subject) if page else (ALIAS, subject, value, extra)
        elif kind != PASSAGE:
            yield kind, subject, value, extra
        elif section == 0:
            about = subject, lang
            introduction.append(value)
    if introduction:
        yield ABSTRACT, about[0], "\n".join(introduction), about[1]


def wikipedia_page(title: str, language: str) -> str:
    """The address of an article; empty if no Wikipedia can have one of that title.

    >>> wikipedia_page("Dr. No (film)", "en")
    'https://en.wikipedia.org/wiki/Dr._No_(film)'
    """
    if not _LANGUAGE.fullmatch(language) or "_" in title or " ".join(title.split()) != title:
        return ""
    return f"https://{language}.wikipedia.org/wiki/{quote(title.replace(' ', '_'), safe='(),:!')}"


def wikipedia_title(page: str) -> tuple[str, str] | None:
    """The title of an article and its language, by the address of its page.

    >>> wikipedia_title("https://en.wikipedia.org/wiki/Dr._No_(film)")
    ('Dr. No (film)', 'en')
    """
    site, slash, title = page.partition("/wiki/")
    language, dot, rest = site.rpartition("//")[2].partition(".")
    if not slash or not dot or rest != "wikipedia.org":
        return None
    return unquote(title).replace("_", " "), language


def edges_of(store: Store, entities: Sequence[int] | None = None) -> Iterator[tuple[str, str, str]]:
    """(head, relation, tail) by IRI: all, or those between the given entities."""
    iris = _column(store, "entity")
    relations = _column(store, "relation")
    chosen = None if entities is None else set(entities)
    rows = _rows(store, "SELECT head, relation, tail FROM edge", "head", entities)
    for head, relation, tail in rows:
        if chosen is None or tail in chosen:
            yield iris[head], relations[relation], iris[tail]


def statements_of(store: Store, entities: Sequence[int] | None = None) -> Statements:
    """All that a graph file says, or only what it says of some entities, and the ontology.

    Building a file from these gives the same graph again.
    """
    for edge in edges_of(store, entities):
        yield EDGE, *edge
    yield from descriptions_of(store, entities)


def descriptions_of(store: Store, entities: Sequence[int] | None = None) -> Statements:
    """All that a graph file says besides its edges: names, texts, types, ontology, prefixes."""
    iris, classes = _column(store, "entity"), _column(store, "class")
    relations = _column(store, "relation")
    for entity, text, lang, how in _rows(
        store, "SELECT entity, text, lang, label FROM name", "entity", entities
    ):
        if how != FROM_IRI:
            yield _KIND_OF_NAME[how], iris[entity], text, lang
    columns = "entity, section, position, kind, text, lang"
    for entity, section, position, kind, text, lang in _rows(
        store, f"SELECT {columns} FROM passage", "entity", entities
    ):
        if kind == PASSAGE:
            yield passage(iris[entity], section, position, text, lang)
        else:
            yield kind, iris[entity], text, lang
    for entity, class_ in _rows(store, "SELECT entity, class FROM entity_type", "entity", entities):
        yield TYPE, iris[entity], classes[class_], ""
    for (iri,) in store.db.execute("SELECT iri FROM class WHERE declared ORDER BY id"):
        yield CLASS, iri, "", ""
    for table, parts in (("class", classes), ("relation", relations)):
        for iri, label, lang in store.db.execute(
            f"SELECT iri, label, lang FROM {table} WHERE lang IS NOT NULL ORDER BY id"
        ):
            yield LABEL, iri, label, lang
        kind = SUBCLASS if table == "class" else SUBPROPERTY
        for child, parent in store.db.execute(f"SELECT child, parent FROM {table}_parent"):
            yield kind, parts[child], parts[parent], ""
    for name, iri in store.db.execute("SELECT name, iri FROM prefix ORDER BY name"):
        yield PREFIX, name, iri, ""


def _column(store: Store, table: str) -> list[str]:
    return [iri for (iri,) in store.db.execute(f"SELECT iri FROM {table} ORDER BY id")]


def _rows(store: Store, query: str, column: str, chosen: Sequence[int] | None) -> Iterator[Any]:
    if chosen is None:
        cursors = iter([store.db.execute(query)])
    else:
        one = f"{query} WHERE {column} = ?"
        cursors = (store.db.execute(one, (number,)) for number in sorted(set(chosen)))
    for cursor in cursors:
        # Not `yield from`: whoever stops early would close the cursor, maybe of a closed file.
        for row in cursor:  # noqa: UP028
            yield row
