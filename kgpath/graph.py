"""A graph file in the hand: look around, find paths, ask why two things are related in a text."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

from kgpath.answer import Answers
from kgpath.errors import BadOption, UnknownName
from kgpath.lexicon.text import fold
from kgpath.linking.context import Context
from kgpath.linking.mentions import Link
from kgpath.paths import DEFAULT_LIMIT
from kgpath.plugins import DEFAULT_RANKER
from kgpath.storage import names
from kgpath.storage.facts import facts_touching
from kgpath.storage.store import Store
from kgpath.types import Edge, Entity, Match, OntologyClass, Relation

if TYPE_CHECKING:
    import networkx
    import rdflib

    from kgpath.linking.mentions import Mention
    from kgpath.paths.paths import Paths
    from kgpath.rankers.ranker import Ranker
    from kgpath.retriever import Pair, Retriever
    from kgpath.storage.index import Index
    from kgpath.types import Path


T = TypeVar("T")
#: How an entity is named: by IRI, prefixed name, label, alias or id, or as an object.
EntityName: TypeAlias = str | int | Entity


def open_graph(path: str | FilePath, tracer: Callable[[str], object] | None = None) -> Graph:
    """Open a graph file for reading. ``tracer=print`` shows every SQL statement."""
    return Graph(path, tracer)


class Graph:
    """An open graph file. Read-only, and safe to share between threads."""

    def __init__(self, path: str | FilePath, tracer: Callable[[str], object] | None = None) -> None:
        self.store = Store(path, tracer)
        self._retrievers: dict[Any, Retriever] = {}
        self._derived: dict[Any, Any] = {}
        self._lock = threading.RLock()  # what is derived may ask for something else that is

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __len__(self) -> int:
        return int(self.store.one("SELECT count(*) FROM entity")[0])

    def __repr__(self) -> str:
        (edges,) = self.store.one("SELECT count(*) FROM edge")
        return f"<kgpath.Graph {self.store.path}: {len(self):,} entities, {edges:,} edges>"

    def close(self) -> None:
        """Close the file; the graph cannot be used after."""
        self.store.close()

    @property
    def path(self) -> FilePath:
        return self.store.path

    @property
    def fingerprint(self) -> str:
        """A hash of all that the graph says; equal facts, equal fingerprint."""
        return self.store.fingerprint

    # Entities

    def find(self, text: str, limit: int = 10) -> list[Match]:
        """Entities whose names fit ``text``: exact, then prefix, then words, else nearly so."""
        return names.find(self.store, text, limit)

    def entity(self, name: EntityName) -> Entity:
        """The one entity with this IRI, prefixed name, label or alias, or this id."""
        if isinstance(name, Entity):
            return name
        if isinstance(name, str):
            return names.resolve(self.store, name)
        row = self.store.one(
            "SELECT id, iri, label, description, degree FROM entity WHERE id = ?", int(name)
        )
        if row is None:
            raise UnknownName(f"No entity with id {name}: ids run from 0 to {len(self) - 1}.")
        return Entity(*row)

    def types(self, entity: EntityName) -> list[OntologyClass]:
        """The classes an entity was given, the rarest first."""
        rows = self.store.db.execute(
            "SELECT c.id, c.iri, c.label, c.entities FROM entity_type t JOIN class c"
            " ON c.id = t.class WHERE t.entity = ? ORDER BY c.entities, c.label",
            (self.entity(entity).id,),
        )
        return [OntologyClass(*row) for row in rows]

    def aliases(self, entity: EntityName) -> list[str]:
        """Every name of an entity but its label."""
        entity = self.entity(entity)
        rows = self.store.db.execute(
            "SELECT text FROM name WHERE entity = ? ORDER BY id", (entity.id,)
        )
        return [text for (text,) in rows if text != entity.label]

    def text(self, entity: EntityName) -> str:
        """The introduction of an entity's article, or an empty string."""
        rows = self.store.db.execute(
            "SELECT text FROM passage WHERE entity = ? AND section = 0 ORDER BY position",
            (self.entity(entity).id,),
        )
        return "\n".join(text for (text,) in rows)

    def shorten(self, iri: str) -> str:
        """An IRI as people like to read it, such as ``dbr:Daniel_Craig``."""
        return names.shorten(self.store, iri)

    # Facts

    def neighbours(
        self,
        entity: EntityName,
        relation: str | Relation | None = None,
        direction: str = "both",
        limit: int | None = None,
    ) -> list[Edge]:
        """The facts that touch an entity: those it is the head of first, then by relation.

        ``direction`` is ``out``, ``in`` or ``both``.
        """
        chosen = None if relation is None else self.relation(relation)
        return facts_touching(self.store, self.entity(entity), chosen, direction, limit)

    def relations(self) -> list[Relation]:
        """All relations that occur, the most frequent first."""
        rows = self.store.db.execute(
            "SELECT id, iri, label, edges FROM relation WHERE edges > 0 ORDER BY edges DESC, iri"
        )
        return [Relation(*row) for row in rows]

    def relation(self, name: str | Relation) -> Relation:
        """The relation with this IRI, prefixed name, label or last part."""
        if isinstance(name, Relation):
            return name
        return names.resolve_relation(self.store, name)

    def classes(self) -> list[OntologyClass]:
        """All classes, the most frequent first."""
        rows = self.store.db.execute(
            "SELECT id, iri, label, entities FROM class ORDER BY entities DESC, iri"
        )
        return [OntologyClass(*row) for row in rows]

    # Texts

    def mentions(
        self,
        text: str,
        links: Iterable[tuple[EntityName, str]] = (),
        expected: Iterable[EntityName] = (),
    ) -> list[Mention]:
        """The entities that a text names, with their places in it."""
        from kgpath.linking.mentions import find_mentions

        wanted = [self.entity(name).id for name in expected]
        return find_mentions(self, text, self._links(links), wanted)

    # Paths

    def paths(
        self,
        head: EntityName,
        tail: EntityName,
        *,
        max_hops: int = 4,
        strategy: str = "shortest",
        limit: int | None = 100,
        keep: Sequence[str] = (),
        drop: Sequence[str] = (),
        types: Sequence[str] = (),
        hub_cap: int | None = None,
        exclude: Sequence[EntityName] = (),
        through: Sequence[EntityName] = (),
        cost: str = "degree",
        text: str = "",
        seed: int = 0,
        budget: int | None = None,
        merged: bool = False,
    ) -> Paths:
        """The typed paths between two entities, whatever any text says.

        The shortest come first; of these, those over rarer relations and less connected entities
        (:mod:`kgpath.paths.information`). ``merged`` makes paths over the same entities one, whose
        hops show all relations there; ``limit`` and ``total`` then count such paths.

        ``strategy`` is ``shortest``, ``all``, ``sample``, ``top`` (cheapest by ``cost``:
        ``kgpath ls costs``; ``text`` is for the cost ``mention``) or ``random-walk``.
        ``keep`` and ``drop`` name relations, ``types`` the classes of inner entities; ``hub_cap``
        avoids entities with more facts than that, ``exclude`` avoids entities by name, and every
        path leads through all that ``through`` names.
        ``budget`` is the number of search steps after which a search stops and says so.

        >>> kg.paths("Roger Moore", "Daniel Craig", max_hops=2)[0]  # doctest: +SKIP
        Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig
        """
        from kgpath.paths.finder import PathFinder, PathOptions

        options = PathOptions(
            max_hops=max_hops, strategy=strategy, limit=limit, seed=seed, cost=cost, text=text,
            keep=keep, drop=drop, types=types, hub_cap=hub_cap, exclude=exclude, through=through,
            budget=budget, merged=merged,
        )  # fmt: skip
        return self.derived(PathFinder).find(self.entity(head), self.entity(tail), options)

    def iter_paths(
        self,
        head: EntityName,
        tail: EntityName,
        *,
        max_hops: int = 4,
        limit: int | None = None,
        keep: Sequence[str] = (),
        drop: Sequence[str] = (),
        types: Sequence[str] = (),
        hub_cap: int | None = None,
        exclude: Sequence[EntityName] = (),
        through: Sequence[EntityName] = (),
        budget: int | None = None,
    ) -> Iterator[Path]:
        """The paths one by one, the shortest first, in constant memory; all without a ``limit``."""
        from kgpath.paths.finder import PathFinder, PathOptions

        options = PathOptions(
            max_hops=max_hops, limit=limit, keep=keep, drop=drop, types=types, hub_cap=hub_cap,
            exclude=exclude, through=through, budget=budget,
        )  # fmt: skip
        return self.derived(PathFinder).stream(self.entity(head), self.entity(tail), options)

    # Queries

    def query(
        self,
        head: EntityName,
        tail: EntityName,
        context: str | Context,
        k: int = 5,
        *,
        ranker: str | Ranker = DEFAULT_RANKER,
        limit: int = DEFAULT_LIMIT,
        max_hops: int = 4,
        keep: Sequence[str] = (),
        drop: Sequence[str] = (),
        types: Sequence[str] = (),
        hub_cap: int | None = None,
        exclude: Sequence[EntityName] = (),
        through: Sequence[EntityName] = (),
        links: Iterable[tuple[EntityName, str]] = (),
    ) -> Answers:
        """The ``k`` paths that best explain, in this text, how two entities are related.

        ``ranker`` is a name (``kgpath ls rankers``) or an object, such as a trained one from
        :func:`kgpath.load_model`; ``limit`` is how many paths are ranked. Of several entities with
        one name, the one that the text means is taken. ``links`` are mentions that the text brings
        along.
        ``keep`` and ``drop`` name relations, ``types`` the classes of inner entities; ``hub_cap``
        avoids entities with more facts than that, ``exclude`` avoids entities by name, and every
        path leads through all that ``through`` names.

        >>> kg.query("Roger Moore", "Daniel Craig", context=article)[0]  # doctest: +SKIP
        Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig
        """
        retriever = self.retriever(
            ranker, limit=limit, max_hops=max_hops, keep=keep, drop=drop, types=types,
            hub_cap=hub_cap, exclude=exclude, through=through,
        )  # fmt: skip
        text = self.context(context, links)
        return retriever.query(text.entity(head), text.entity(tail), text, k)

    def retriever(
        self,
        ranker: str | Ranker = DEFAULT_RANKER,
        *,
        limit: int = DEFAULT_LIMIT,
        max_hops: int = 4,
        keep: Sequence[str] = (),
        drop: Sequence[str] = (),
        types: Sequence[str] = (),
        hub_cap: int | None = None,
        exclude: Sequence[EntityName] = (),
        through: Sequence[EntityName] = (),
    ) -> Retriever:
        """What answers queries with one ranker and one set of options, for many queries in a row.

        The same options give the same object.
        """
        from kgpath.paths.finder import PathOptions
        from kgpath.retriever import Retriever

        options = PathOptions(
            max_hops=max_hops, keep=keep, drop=drop, types=types, hub_cap=hub_cap,
            exclude=exclude, through=through,
        )  # fmt: skip
        key = (ranker, limit, repr(options))
        if key not in self._retrievers:
            if len(self._retrievers) > 8:
                self._retrievers.clear()
            self._retrievers[key] = Retriever(self, ranker, options, limit)
        return self._retrievers[key]

    def context(self, text: str | Context, links: Iterable[tuple[EntityName, str]] = ()) -> Context:
        """A text prepared for several queries.

        ``links`` are (entity, words) pairs: what the text's own links say its words mean.
        """
        known = self._links(links)
        if not isinstance(text, Context):
            return Context(self, text, known)
        if known:
            raise BadOption("links belong to a text: give them to kg.context(text, links).")
        return text

    def pairs(
        self,
        text: str | Context,
        given: Iterable[EntityName] = (),
        *,
        max_hops: int = 4,
        keep: Sequence[str] = (),
        drop: Sequence[str] = (),
        types: Sequence[str] = (),
        hub_cap: int | None = None,
        exclude: Sequence[EntityName] = (),
    ) -> list[Pair]:
        """The pairs in a text that can be asked about: mentioned in it, connected in the graph.

        With ``given`` entities, only pairs with one of them.
        """
        from kgpath.paths.finder import PathOptions
        from kgpath.retriever import propose_pairs

        options = PathOptions(
            max_hops=max_hops, keep=keep, drop=drop, types=types, hub_cap=hub_cap, exclude=exclude
        )
        context = self.context(text)
        return propose_pairs(context, map(context.entity, given), options)

    # Arrays and other tools

    def derived(self, kind: Callable[[Graph], T]) -> T:
        """The one object of a kind that is worked out from this graph, on first use.

        ``kg.derived(PathFinder)`` is the same finder for everybody, in all threads.
        """
        if kind not in self._derived:
            with self._lock:
                if kind not in self._derived:
                    self._derived[kind] = kind(self)
        made: T = self._derived[kind]
        return made

    @cached_property
    def index(self) -> Index:
        """The graph as memory-mapped arrays; made now if it is missing."""
        from kgpath.io.progress import note
        from kgpath.storage.index import Index, find_index, save_index

        key = self.fingerprint
        index = find_index(self.path, key)
        (last,) = self.store.one("SELECT max(id) FROM entity")
        codes = 2 * len(self.store.relations)
        if index is None or index.entities != last + 1 or len(index.same_hops) != codes:
            note(f"making the index of {self.path.name} (once)")
            index = Index.from_store(self.store.db)
            if save_index(index, self.path, key) is None:
                note("no place to write the index: it is kept in memory for this session")
        return index

    def to_networkx(self, entities: Iterable[EntityName] | None = None) -> networkx.MultiDiGraph:
        """All, or the part between some entities, as networkx: nodes and edge keys are IRIs."""
        from kgpath.storage.interop import to_networkx

        return to_networkx(self.store, self._ids(entities))

    def to_rdflib(self, entities: Iterable[EntityName] | None = None) -> rdflib.Graph:
        """All, or the part between some entities, as rdflib: facts, names, types and texts."""
        from kgpath.storage.interop import to_rdflib

        return to_rdflib(self.store, self._ids(entities))

    def _links(self, links: Iterable[tuple[EntityName, str]]) -> list[Link]:
        known: dict[str, Entity] = {}
        found = []
        for name, words in links:
            entity = self.entity(name)
            other = known.setdefault(fold(words), entity)
            if other.id != entity.id:
                raise BadOption(
                    f"The words {words!r} are linked to two entities, {other.iri} and"
                    f" {entity.iri}: keep the link that the text means."
                )
            found.append(Link(entity.id, words))
        return found

    def _ids(self, entities: Iterable[EntityName] | None) -> list[int] | None:
        return None if entities is None else [self.entity(name).id for name in entities]
