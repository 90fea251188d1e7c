"""A graph file in the hand: look around, find paths, ask why two things are related in a text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, Self

from kgpath.answer import Answers
from kgpath.errors import AmbiguousEntity, UnknownName
from kgpath.linking.context import Context
from kgpath.storage import names
from kgpath.storage.store import Store
from kgpath.types import Edge, Entity, Match, OntologyClass, Relation

if TYPE_CHECKING:
    import networkx
    import numpy as np
    import rdflib
    from numpy.typing import NDArray

    from kgpath.linking.coreference import Kinds
    from kgpath.linking.mentions import Link, LowerCaseNames, Mention
    from kgpath.linking.relation_words import RelationWords
    from kgpath.paths.finder import PathFinder
    from kgpath.paths.paths import Paths
    from kgpath.rankers.ranker import Ranker
    from kgpath.retriever import Pair, Retriever
    from kgpath.storage.index import Index
    from kgpath.types import Path


def open_graph(path: str | FilePath, tracer: Callable[[str], object] | None = None) -> Graph:
    """Open a graph file for reading. ``tracer=print`` shows every SQL statement."""
    return Graph(Store(path, tracer))


_EDGES = (
    "SELECT h.id, h.iri, h.label, h.description, h.degree, r.id, r.iri, r.label, r.edges,"
    " t.id, t.iri, t.label, t.description, t.degree FROM edge"
    " JOIN entity h ON h.id = edge.head JOIN relation r ON r.id = edge.relation"
    " JOIN entity t ON t.id = edge.tail"
)


class Graph:
    """An open graph file. Read-only, and safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._retrievers: dict[Any, Retriever] = {}

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
        return self.store.meta("fingerprint")

    # Entities

    def find(self, text: str, limit: int = 10) -> list[Match]:
        """Entities whose names fit ``text``: exact, then prefix, then words, else nearly so."""
        return names.find(self.store, text, limit)

    def entity(self, name: str | int | Entity) -> Entity:
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

    def types(self, entity: str | int | Entity) -> list[OntologyClass]:
        """The classes an entity was given, the rarest first."""
        rows = self.store.db.execute(
            "SELECT c.id, c.iri, c.label, c.entities FROM entity_type t JOIN class c"
            " ON c.id = t.class WHERE t.entity = ? ORDER BY c.entities, c.label",
            (self.entity(entity).id,),
        )
        return [OntologyClass(*row) for row in rows]

    def aliases(self, entity: str | int | Entity) -> list[str]:
        """Every name of an entity but its label."""
        entity = self.entity(entity)
        rows = self.store.db.execute(
            "SELECT text FROM name WHERE entity = ? ORDER BY id", (entity.id,)
        )
        return [text for (text,) in rows if text != entity.label]

    def text(self, entity: str | int | Entity) -> str:
        """The introduction of an entity's article, or an empty string."""
        rows = self.store.db.execute(
            "SELECT text FROM passage WHERE entity = ? AND section = 0 ORDER BY position",
            (self.entity(entity).id,),
        )
        return "\n".join(text for (text,) in rows)

    def articles(self, entities: Sequence[int]) -> list[str]:
        """The text of each entity's article, or its label where it has none."""
        texts: dict[int, str] = {}
        for number, text in self.store.rows(
            "SELECT entity, text FROM passage WHERE entity IN ({ids})"
            " ORDER BY entity, section, position",
            entities,
        ):
            texts[number] = f"{texts[number]}\n{text}" if number in texts else text
        labels = self.store.entities(number for number in entities if number not in texts)
        return [texts.get(number) or labels[number].label for number in entities]

    def shorten(self, iri: str) -> str:
        """An IRI as people like to read it, such as ``dbr:Daniel_Craig``."""
        return names.shorten(self.store, iri)

    # Facts

    def neighbours(
        self,
        entity: str | int | Entity,
        relation: str | Relation | None = None,
        direction: str = "both",
        limit: int | None = None,
    ) -> list[Edge]:
        """The facts that touch an entity: those it is the head of first, then by relation.

        ``direction`` is ``out``, ``in`` or ``both``.
        """
        if direction not in ("out", "in", "both"):
            raise UnknownName(f"No direction {direction!r}. Known: out, in, both.")
        number = self.entity(entity).id
        ends = {"out": ("head",), "in": ("tail",), "both": ("head", "tail")}[direction]
        facts: list[Edge] = []
        for end in ends:
            query = f"{_EDGES} WHERE edge.{end} = ?"
            parameters: list[Any] = [number]
            if relation is not None:
                query += " AND edge.relation = ?"
                parameters.append(self.relation(relation).id)
            query += " ORDER BY r.label, r.id, h.label, t.label, h.id, t.id LIMIT ?"
            parameters.append(-1 if limit is None else limit - len(facts))
            facts += map(_edge, self.store.db.execute(query, parameters))
        return facts

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
        links: Iterable[Link] = (),
        expected: Iterable[str | int | Entity] = (),
    ) -> list[Mention]:
        """The entities that a text names, with their places in it."""
        from kgpath.linking.mentions import find_mentions

        return find_mentions(self, text, links, [self.entity(name).id for name in expected])

    # Paths

    def paths(self, head: str | int | Entity, tail: str | int | Entity, **options: Any) -> Paths:
        """The typed paths between two entities; options: :class:`kgpath.paths.finder.PathOptions`.

        >>> kg.paths("Roger Moore", "Daniel Craig", max_hops=2)[0]  # doctest: +SKIP
        Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig
        """
        from kgpath.paths.finder import PathOptions

        return self.finder.find(self.entity(head), self.entity(tail), PathOptions(**options))

    def iter_paths(
        self, head: str | int | Entity, tail: str | int | Entity, **options: Any
    ) -> Iterator[Path]:
        """The same paths one by one, in constant memory; without a ``limit``, all of them."""
        from kgpath.paths.finder import PathOptions

        chosen = PathOptions(**{"limit": None, **options})
        return self.finder.stream(self.entity(head), self.entity(tail), chosen)

    @cached_property
    def finder(self) -> PathFinder:
        """The search engine behind :meth:`paths`."""
        from kgpath.paths.finder import PathFinder

        return PathFinder(self)

    @cached_property
    def lower_case_names(self) -> LowerCaseNames:
        """The few names without any capital, which may stand so in a text."""
        from kgpath.linking.mentions import LowerCaseNames

        return LowerCaseNames(self)

    @cached_property
    def kinds(self) -> Kinds:
        """What texts may call entities by their classes; worked out when first needed."""
        from kgpath.linking.coreference import Kinds

        return Kinds(self)

    @cached_property
    def relation_words(self) -> RelationWords:
        """The words by which a text may tell each relation."""
        from kgpath.linking.relation_words import RelationWords

        return RelationWords(self)

    @cached_property
    def relations_by_id(self) -> list[Relation]:
        """Every relation, at the place of its id."""
        rows = self.store.db.execute("SELECT id, iri, label, edges FROM relation ORDER BY id")
        return [Relation(*row) for row in rows]

    @cached_property
    def relation_ids(self) -> dict[str, int]:
        """The id of every relation, by its IRI."""
        return {relation.iri: relation.id for relation in self.relations_by_id}

    @cached_property
    def labelled_relations(self) -> NDArray[np.bool_]:
        """Whether the graph itself names each relation, at the place of its id."""
        import numpy as np

        rows = self.store.db.execute("SELECT lang IS NOT NULL FROM relation ORDER BY id")
        return np.array([bool(stated) for (stated,) in rows], dtype=np.bool_)

    # Questions

    def query(
        self,
        head: str | int | Entity,
        tail: str | int | Entity,
        context: str | Context,
        k: int = 5,
        *,
        ranker: str | Ranker = "",
        limit: int = 0,
        links: Iterable[Link] = (),
        **options: Any,
    ) -> Answers:
        """The ``k`` paths that best explain, in this text, how two entities are related.

        ``ranker`` is a name (``kgpath ls rankers``) or an object, ``limit`` how many paths are
        ranked; ``max_hops`` and the filters are those of :class:`kgpath.paths.finder.PathOptions`.

        >>> kg.query("Roger Moore", "Daniel Craig", context=article)[0]  # doctest: +SKIP
        Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig
        """
        retriever = self.retriever(ranker, limit, **options)
        text = self.context(context, links)
        return retriever.query(self.entity_in(text, head), self.entity_in(text, tail), text, k)

    def entity_in(self, context: Context, name: str | int | Entity) -> Entity:
        """The entity of this name; of several with it, the one that the text means."""
        try:
            return self.entity(name)
        except AmbiguousEntity as error:
            choices = {self.entity(iri).id: iri for _, _, iri in error.choices}
            meant = {mention.entity for mention in context.mentions()} & choices.keys()
            if len(meant) != 1:
                raise
            return self.entity(choices[meant.pop()])

    def retriever(self, ranker: str | Ranker = "", limit: int = 0, **options: Any) -> Retriever:
        """What answers queries: kept for the next one with the same ranker and options."""
        from kgpath.paths.candidates import LIMIT
        from kgpath.paths.finder import PathOptions
        from kgpath.retriever import DEFAULT, Retriever

        chosen = PathOptions(**options)
        key = (ranker or DEFAULT, limit, repr(chosen))
        if key not in self._retrievers:
            if len(self._retrievers) > 8:
                self._retrievers.clear()
            self._retrievers[key] = Retriever(self, ranker or DEFAULT, chosen, limit or LIMIT)
        return self._retrievers[key]

    def context(self, text: str | Context, links: Iterable[Link] = ()) -> Context:
        """A text prepared for several questions."""
        return text if isinstance(text, Context) else Context(self, text, links)

    def pairs(
        self, text: str | Context, given: Iterable[str | int | Entity] = (), **options: Any
    ) -> list[Pair]:
        """The pairs in a text that can be asked about: mentioned in it, connected in the graph."""
        from kgpath.paths.finder import PathOptions
        from kgpath.retriever import propose_pairs

        context = self.context(text)
        entities = [self.entity_in(context, name) for name in given]
        return propose_pairs(context, entities, PathOptions(**options))

    # Arrays and other tools

    @cached_property
    def index(self) -> Index:
        """The graph as memory-mapped arrays; made now if it is missing."""
        from kgpath.io.progress import note
        from kgpath.storage.index import Index, find_index, keep_index

        key = self.fingerprint
        index = find_index(self.path, key)
        if index is None:
            note(f"making the index of {self.path.name} (once)")
            index = Index.from_store(self.store.db)
            if keep_index(index, self.path, key) is None:
                note("no place to write the index: it is kept in memory for this session")
        return index

    def to_networkx(
        self, entities: Iterable[str | int | Entity] | None = None
    ) -> networkx.MultiDiGraph:
        """All, or the part between some entities, as networkx: nodes and edge keys are IRIs."""
        from kgpath.storage.interop import to_networkx

        return to_networkx(self.store, self._ids(entities))

    def to_rdflib(self, entities: Iterable[str | int | Entity] | None = None) -> rdflib.Graph:
        """All, or the part between some entities, as rdflib: facts, names, types and texts."""
        from kgpath.storage.interop import to_rdflib

        return to_rdflib(self.store, self._ids(entities))

    def _ids(self, entities: Iterable[str | int | Entity] | None) -> list[int] | None:
        return None if entities is None else [self.entity(name).id for name in entities]


def _edge(row: tuple[Any, ...]) -> Edge:
    return Edge(Entity(*row[:5]), Relation(*row[5:9]), Entity(*row[9:14]))
