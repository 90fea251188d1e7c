"""From what a person types to an entity: exact, by prefix, by words, or nearly so."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from kgpath.errors import AmbiguousEntity, UnknownEntity, UnknownName
from kgpath.lexicon.text import fold, local_name, without_qualifier
from kgpath.storage.store import Store
from kgpath.types import Entity, Match, OntologyClass, Relation

_COLUMNS = "e.id, e.iri, e.label, e.description, e.degree"
_NAMES = f"SELECT {_COLUMNS}, n.text, n.label FROM name n JOIN entity e ON e.id = n.entity"
_FUZZY_CUTOFF = 70


def resolve(store: Store, name: str) -> Entity:
    """The one entity that a name, IRI or prefixed name stands for.

    An IRI wins over a name, a label over an alias, the exact spelling over a folded one. Where
    nothing is called so in full, a name without its bracket will do: "Queen" for "Queen (band)".
    Raises UnknownEntity, or AmbiguousEntity where several remain.
    """
    name = _readable(name)
    by_iri = _by_iri(store, name)
    if by_iri:
        return by_iri
    rows = store.db.execute(
        f"{_NAMES} WHERE n.folded = ? ORDER BY e.degree DESC, e.iri", (fold(name),)
    ).fetchall()
    rows = rows or _without_bracket(store, fold(name))
    tests: tuple[Callable[[tuple[Any, ...]], bool], ...] = (
        lambda row: row[6] and name in (row[5], without_qualifier(row[5])),
        lambda row: row[6],
        lambda row: name in (row[5], without_qualifier(row[5])),
        lambda row: True,
    )
    for wanted in tests:
        found = list(dict.fromkeys(Entity(*row[:5]) for row in rows if wanted(row)))
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousEntity(
                name, [(e.label, ", ".join(types_of(store, e.id)), e.iri) for e in found[:20]]
            )
    closest = [match.entity.label for match in find(store, name, limit=3)]
    raise UnknownEntity(name, closest, where=str(store.path))


def find(store: Store, text: str, limit: int = 10) -> list[Match]:
    """Entities whose names fit ``text``, the better kind of match first, then by degree."""
    text = _readable(text)
    matches: dict[int, Match] = {}
    for entity, name, how in _search(store, text, limit):
        if len(matches) >= limit:
            break
        if entity.id not in matches:
            matches[entity.id] = Match(entity, name, how, types_of(store, entity.id))
    return list(matches.values())


def types_of(store: Store, entity: int) -> tuple[str, ...]:
    """The labels of an entity's types, the most specific (rarest) first."""
    rows = store.db.execute(
        "SELECT c.label FROM entity_type t JOIN class c ON c.id = t.class WHERE t.entity = ?"
        " ORDER BY c.entities, c.label",
        (entity,),
    )
    return tuple(label for (label,) in rows)


def resolve_relation(store: Store, name: str) -> Relation:
    """The one relation that a name, IRI or prefixed name stands for."""
    found = relations_named(store, name)
    if len(found) == 1:
        return found[0]
    if found:
        choices = "\n".join(f"  {r.iri}  ({r.edges:,} edges)" for r in found)
        raise UnknownName(f"{name!r} names {len(found)} relations. Say which:\n{choices}")
    labels = [relation.label for relation in _relations(store)]
    raise UnknownName(f"No relation {name!r}." + _closest_labels(name, labels))


def relations_named(store: Store, name: str) -> list[Relation]:
    """The relations that a name may stand for, the most common first: several may share a label."""
    candidates = set(_iris(store, name))
    rows = _relations(store)
    wanted = fold(name)
    tests: tuple[Callable[[Relation], bool], ...] = (
        lambda r: r.iri in candidates,
        lambda r: local_name(r.iri) == name,
        lambda r: fold(r.label) == wanted,
    )
    for fits in tests:
        if found := [relation for relation in rows if fits(relation)]:
            return found
    return []


def _relations(store: Store) -> list[Relation]:
    """All relations, the most common first."""
    rows = store.db.execute("SELECT id, iri, label, edges FROM relation ORDER BY edges DESC, iri")
    return [Relation(*row) for row in rows]


def matching_relations(store: Store, pattern: str) -> list[Relation]:
    """The relations a pattern means: one by name, or all that fit it where it has a ``*``."""
    if "*" not in pattern:
        return [resolve_relation(store, pattern)]
    found = []
    for row in store.db.execute("SELECT id, iri, label, edges FROM relation ORDER BY id"):
        relation = Relation(*row)
        spellings = (relation.iri, shorten(store, relation.iri), local_name(relation.iri))
        if any(fnmatchcase(spelling, pattern) for spelling in spellings):
            found.append(relation)
    if not found:
        raise UnknownName(f"No relation fits {pattern!r}. See: kgpath info {store.path}")
    return found


def resolve_class(store: Store, name: str) -> OntologyClass:
    """The one class that a name, IRI or prefixed name stands for."""
    candidates = set(_iris(store, name))
    wanted = fold(name)
    classes = [
        OntologyClass(*row)
        for row in store.db.execute(
            "SELECT id, iri, label, entities FROM class ORDER BY entities DESC, iri"
        )
    ]
    tests: tuple[Callable[[OntologyClass], bool], ...] = (
        lambda c: c.iri in candidates,
        lambda c: local_name(c.iri) == name,
        lambda c: fold(c.label) == wanted,
    )
    for fits in tests:
        for class_ in classes:
            if fits(class_):
                return class_
    known = [spelling for c in classes for spelling in (c.label, local_name(c.iri))]
    raise UnknownName(f"No class {name!r}." + _closest_labels(name, known))


def _closest_labels(name: str, labels: list[str]) -> str:
    from rapidfuzz import process

    spellings = list(dict.fromkeys(labels))
    close = [match[0] for match in process.extract(name, spellings, limit=3, score_cutoff=60)]
    return f" Closest: {', '.join(close)}." if close else ""


def _readable(text: str) -> str:
    """Without the marks that Python leaves for bytes of another encoding on the command line."""
    return text.encode("utf-8", "replace").decode()


def _without_bracket(store: Store, folded: str) -> list[tuple[Any, ...]]:
    """Names that fold so but for what is in brackets at their end, those with most facts first."""
    if any(map(str.isalnum, folded)):
        # What is in the brackets follows after a space, and "!" is the next sign after that.
        condition, parameters = "n.folded > ? AND n.folded < ?", [folded + " ", folded + "!"]
    else:  # "!!! (band)" folds to "band" alone
        condition, parameters = "instr(n.text, ?) = 1", [folded + " ("]
    rows = store.db.execute(
        f"{_NAMES} WHERE {condition} AND n.text LIKE '%(%)' ORDER BY e.degree DESC, e.iri",
        parameters,
    )
    return [row for row in rows if fold(without_qualifier(row[5])) == folded]


def _search(store: Store, text: str, limit: int) -> Iterator[tuple[Entity, str, str]]:
    """Every match of each kind in turn; a kind is looked up only if it is reached."""
    by_iri = _by_iri(store, text)
    if by_iri:
        yield by_iri, by_iri.label, "exact"
    folded = fold(text)
    if not folded:
        return
    seen = False
    for how, rows in _by_kind(store, folded, 2 * limit):
        for row in rows:
            seen = True
            yield Entity(*row[:5]), row[5], how
    if not seen:
        yield from _nearly(store, folded, limit)


def _by_kind(store: Store, folded: str, limit: int) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    def rows(condition: str, *parameters: str) -> list[tuple[Any, ...]]:
        return store.db.execute(
            f"SELECT {_COLUMNS}, min(n.text) FROM name n JOIN entity e ON e.id = n.entity"
            f" WHERE {condition} GROUP BY e.id ORDER BY e.degree DESC, e.iri LIMIT ?",
            (*parameters, limit),
        ).fetchall()

    yield "exact", rows("n.folded = ?", folded)
    yield "exact", _without_bracket(store, folded)
    yield "prefix", rows("n.folded > ? AND n.folded < ?", folded, folded + "\U0010ffff")
    words = " ".join('"' + word.replace('"', '""') + '"*' for word in folded.split())
    try:
        found = rows("n.id IN (SELECT rowid FROM name_fts WHERE name_fts MATCH ?)", words)
    except sqlite3.OperationalError:
        found = []  # letters younger than the tokeniser, or a name of symbols
    yield "words", found


def _nearly(store: Store, folded: str, limit: int) -> Iterator[tuple[Entity, str, str]]:
    """Names within a few letters of the one asked for, or with words that are; then by degree."""
    from rapidfuzz import fuzz, process

    names = dict(
        store.db.execute(
            "SELECT id, folded FROM name WHERE length(folded) BETWEEN ? AND ?",
            _about_as_long(folded),
        )
    )
    best = process.extract(
        folded, names, scorer=fuzz.ratio, score_cutoff=_FUZZY_CUTOFF, limit=10 * limit
    )
    found = {name: score for _, score, name in best}
    for name, score in _with_like_words(store, folded, 10 * limit):
        found[name] = max(found.get(name, 0), score)
    rows = []
    for name, score in found.items():
        row = store.one(f"{_NAMES} WHERE n.id = ?", name)
        rows.append((-score, -row[4], row[1], row))
    for _, _, _, row in sorted(rows):
        yield Entity(*row[:5]), row[5], "fuzzy"


def _with_like_words(store: Store, folded: str, limit: int) -> Iterator[tuple[int, float]]:
    """The names with a word like each of those asked for, and how like they are on average.

    How many other words a name has does not count: "tarntino" is as near to "Quentin Tarantino"
    as to "Tarantino", and the one with more facts is more likely to be meant.
    """
    words = folded.split()
    like = _like_words(store, words)
    if not all(like):
        return
    query = " AND ".join("(" + " OR ".join(f'"{term}"' for term in one) + ")" for one in like)
    rows = store.db.execute(
        "SELECT n.id, n.folded, e.degree FROM name n JOIN entity e ON e.id = n.entity"
        " WHERE n.id IN (SELECT rowid FROM name_fts WHERE name_fts MATCH ?)",
        (query,),
    )
    scored = []
    for name, other, degree in rows:
        parts = other.split()
        # The tokeniser of the full text may cut a name otherwise than folding does.
        score = sum(max(one.get(part, 0.0) for part in parts) for one in like) / len(words)
        scored.append((-score, -degree, name))
    yield from ((name, -score) for score, _, name in sorted(scored)[:limit])


def _like_words(store: Store, words: list[str]) -> list[dict[str, float]]:
    """For each word, up to three words of names that are most like it, and how like they are."""
    from rapidfuzz import fuzz, process

    store.db.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.term USING fts5vocab(main, name_fts, row)"
    )
    terms = [term for (term,) in store.db.execute("SELECT term FROM temp.term")]
    return [
        {
            term: score
            for term, score, _ in process.extract(
                word, terms, scorer=fuzz.ratio, score_cutoff=75, limit=3
            )
        }
        for word in words
    ]


def _about_as_long(folded: str) -> tuple[int, int]:
    slack = max(2, len(folded) // 3)
    return len(folded) - slack, len(folded) + slack


def shorten(store: Store, iri: str) -> str:
    """An IRI as a prefixed name that finds the same thing, or the IRI itself."""
    best = ""
    short = iri
    for name, namespace in store.prefixes():
        if iri.startswith(namespace) and len(namespace) > len(best):
            best, short = namespace, f"{name}:{iri[len(namespace) :]}"
    return short


def _by_iri(store: Store, name: str) -> Entity | None:
    """An entity named by ``<iri>``, ``iri`` or ``prefix:local``, if there is one."""
    for iri in _iris(store, name):
        row = store.one(f"SELECT {_COLUMNS} FROM entity e WHERE e.iri = ?", iri)
        if row:
            return Entity(*row)
    return None


def _iris(store: Store, name: str) -> list[str]:
    """The IRIs that ``name`` could be a way of writing."""
    iris = [name[1:-1]] if name.startswith("<") and name.endswith(">") else [name]
    prefix, colon, local = name.partition(":")
    row = store.one("SELECT iri FROM prefix WHERE name = ?", prefix) if colon else None
    if row:
        iris += [row[0] + local, row[0] + local.replace(" ", "_")]
    return iris
