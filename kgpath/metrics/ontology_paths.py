"""Where entities and relations stand in an ontology, and how far apart that is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from kgpath.errors import UnknownName
from kgpath.storage.namespaces import OWL, RDFS
from kgpath.storage.ontology import closure, group

if TYPE_CHECKING:
    from kgpath.graph import Graph

ROOT = "root"
#: What ontologies call the class (or relation) above all others: it is the root itself.
TOPS = frozenset({f"{OWL}Thing", f"{RDFS}Resource", f"{OWL}topObjectProperty"})
INVERSES = ("leaf", "same")
_TYPES = (
    "SELECT class.iri FROM entity JOIN entity_type ON entity_type.entity = entity.id"
    " JOIN class ON class.id = entity_type.class WHERE entity.iri = ?"
)
_PARENTS = (
    "SELECT child.iri, parent.iri FROM {0}_parent JOIN {0} child ON child.id = child"
    " JOIN {0} parent ON parent.id = parent"
)

Nodes = frozenset[str]
Parents = Mapping[str, Iterable[str]]


def distance(one: Nodes, other: Nodes) -> float:
    """Co-topic distance: the share of the nodes of two ontology paths that only one of them has.

    >>> film = {"root", "Work", "Film"}
    >>> distance(frozenset(film | {"The Godfather"}), frozenset(film | {"Skyfall"}))
    0.4
    """
    return len(one ^ other) / len(one | other)


def distance_to_root(nodes: Nodes) -> float:
    """The distance of an ontology path to the root alone."""
    return (len(nodes) - 1) / len(nodes)


class Hierarchy:
    """The longest way from the root down to each class (or relation).

    Of equally long ways the one whose last node comes first in the alphabet. A cycle says that
    its members are equal: each stands below whatever is above any of them.
    """

    def __init__(self, read: Callable[[], Parents]) -> None:
        self._read = read
        self._paths: dict[str, tuple[str, ...]] = {top: (ROOT,) for top in TOPS}

    @cached_property
    def parents(self) -> Parents:
        return self._read()

    def path(self, name: str) -> tuple[str, ...]:
        """All nodes from the root to ``name``; an unknown name stands directly below the root."""
        if name not in self._paths:
            new = closure([name], self.parents) - self._paths.keys()
            above = {node: closure([node], self.parents) for node in new}
            # Whatever is strictly above a node has strictly fewer nodes above it.
            for node in sorted(new, key=lambda node: len(above[node])):
                equals = {other for other in above[node] & new if node in above[other]}
                parents = {p for other in equals for p in self.parents.get(other, ())} - equals
                self._paths[node] = (*self.deepest(parents), node)
        return self._paths[name]

    def deepest(self, names: Iterable[str]) -> tuple[str, ...]:
        """The longest of several paths; just the root if there are none."""
        paths = [self.path(name) for name in names]
        return min(paths, key=lambda path: (-len(path), path[-1]), default=(ROOT,))


class OntologyPaths:
    """The ontology path of every entity and relation: root, classes, and itself at the end.

    An entity with several types stands below the deepest of them (then the first in the
    alphabet), one without types directly below the root. Relations follow their super-relations,
    and are all below the root if nothing is known. A relation walked backwards is a leaf below
    its base (``inverse="leaf"``) or no different from it (``inverse="same"``). As leaves, two
    relations are a little further apart backwards (4/5) than forwards (2/3), so that figures
    depend on the end a path is read from; with ``same`` they do not.
    """

    def __init__(
        self,
        types: Callable[[str], Iterable[str]],
        classes: Hierarchy,
        relations: Hierarchy,
        inverse: str = "leaf",
    ) -> None:
        if inverse not in INVERSES:
            raise UnknownName(f"No inverse {inverse!r}. Known: {', '.join(INVERSES)}.")
        self.inverse = inverse
        self._types = types
        self._classes = classes
        self._relations = relations
        self._entity_nodes: dict[str, Nodes] = {}
        self._relation_nodes: dict[tuple[str, bool], Nodes] = {}

    @classmethod
    def from_graph(cls, graph: Graph, inverse: str = "leaf") -> OntologyPaths:
        """The ontology of a graph file, read when first needed."""

        def read(kind: str) -> Parents:
            return group(graph.store.db.execute(_PARENTS.format(kind)))

        def types(iri: str) -> list[str]:
            return [name for (name,) in graph.store.db.execute(_TYPES, (iri,))]

        classes = Hierarchy(lambda: read("class"))
        return cls(types, classes, Hierarchy(lambda: read("relation")), inverse)

    @classmethod
    def from_dicts(
        cls,
        types: Parents,
        class_parents: Parents | None = None,
        relation_parents: Parents | None = None,
        inverse: str = "leaf",
    ) -> OntologyPaths:
        """An ontology that is in no graph file: entity to types, class and relation to parents.

        >>> ontology = OntologyPaths.from_dicts({"Skyfall": ["Film"]}, {"Film": ["Work"]})
        >>> ontology.entity("Skyfall")
        ('root', 'Work', 'Film', '<Skyfall>')
        """
        return cls(
            lambda iri: types.get(iri, ()),
            Hierarchy(lambda: class_parents or {}),
            Hierarchy(lambda: relation_parents or {}),
            inverse,
        )

    def entity(self, iri: str) -> tuple[str, ...]:
        """Root, classes, and the entity in angle brackets, never to be taken for a class."""
        return (*self._classes.deepest(self._types(iri)), f"<{iri}>")

    def relation(self, iri: str, forward: bool = True) -> tuple[str, ...]:
        """Root, super-relations, the relation, and ``^relation`` if it is walked backwards."""
        path = self._relations.path(iri)
        return path if forward or self.inverse == "same" else (*path, f"^{iri}")

    def entity_nodes(self, iri: str) -> Nodes:
        """The nodes of an entity's path; cached."""
        if iri not in self._entity_nodes:
            self._entity_nodes[iri] = frozenset(self.entity(iri))
        return self._entity_nodes[iri]

    def relation_nodes(self, iri: str, forward: bool = True) -> Nodes:
        """The nodes of a relation's path; cached."""
        key = iri, forward
        if key not in self._relation_nodes:
            self._relation_nodes[key] = frozenset(self.relation(iri, forward))
        return self._relation_nodes[key]
