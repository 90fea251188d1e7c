"""Plug-ins by name: a table of built-ins plus what other packages announce as entry points.

Listing imports nothing: an entry is a name, one line for the user and the place of the
object, which is imported on first use. Another package adds its own with, for example::

    [project.entry-points."kgpath.sources"]
    neo4j = "my_package.neo4j:read"
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from kgpath.errors import MissingExtra, UnknownName


@dataclass(frozen=True)
class Entry:
    """One plug-in: where it lives, the line that helps a user choose, the extra it needs."""

    name: str
    target: str
    line: str = ""
    extra: str = ""
    also: tuple[str, ...] = ()


class Registry:
    """All plug-ins of one kind, by name."""

    def __init__(self, kind: str, *builtin: Entry) -> None:
        self.kind = kind
        self.group = f"kgpath.{kind}"
        self._builtin = builtin
        self._entries: dict[str, Entry] | None = None

    def __iter__(self) -> Iterator[Entry]:
        """Every entry once, by name."""
        entries = self._all()
        return (entry for name, entry in sorted(entries.items()) if name == entry.name)

    def __contains__(self, name: str) -> bool:
        return name in self._all()

    def entry(self, name: str) -> Entry:
        """The entry of that name; an unknown name is answered with the known ones."""
        try:
            return self._all()[name]
        except KeyError:
            known = ", ".join(entry.name for entry in self)
            raise UnknownName(f"No {name!r} among the {self.kind}. Known: {known}.") from None

    def load(self, name: str) -> Any:
        """Import and return the object behind a name."""
        entry = self.entry(name)
        module, _, attribute = entry.target.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ImportError as error:
            if not entry.extra:
                raise
            raise MissingExtra(
                f"{name!r} needs {error.name}, which is not installed: "
                f'pip install "kgpath[{entry.extra}]"'
            ) from error

    def _all(self) -> dict[str, Entry]:
        if self._entries is None:
            entries: dict[str, Entry] = {}
            for entry in self._builtin:
                self._put(entries, entry)
            for point in entry_points(group=self.group):
                origin = point.dist.name if point.dist else "another package"
                self._put(entries, Entry(point.name, point.value, f"from {origin}"))
            self._entries = entries
        return self._entries

    def _put(self, entries: dict[str, Entry], entry: Entry) -> None:
        for name in (entry.name, *entry.also):
            if name in entries:
                raise UnknownName(
                    f"Two {self.kind} are called {name!r}: {entries[name].target} and "
                    f"{entry.target}. Uninstall one of the two packages."
                )
            entries[name] = entry


SOURCES = Registry(
    "sources",
    Entry("nt", "kgpath.kg_build.ntriples:read_ntriples", "N-Triples, one fact a line"),
    Entry("nq", "kgpath.kg_build.ntriples:read_nquads", "N-Quads; graph names are ignored"),
    Entry("ttl", "kgpath.kg_build.rdf:read_turtle", "Turtle", also=("turtle", "n3")),
    Entry(
        "rdf",
        "kgpath.kg_build.rdf:read_rdfxml",
        "RDF/XML, the usual form of ontologies",
        also=("owl", "xml"),
    ),
    Entry(
        "tsv", "kgpath.kg_build.delimited:read_tsv", "head, relation, tail by tabs", also=("txt",)
    ),
    Entry("csv", "kgpath.kg_build.delimited:read_csv", "head, relation, tail by commas"),
)

COSTS = Registry(
    "costs",
    Entry("degree", "kgpath.costs:degree", "hubs are dear"),
    Entry("rarity", "kgpath.costs:rarity", "common relations are dear"),
    Entry("mention", "kgpath.costs:mention", "entities that the text names are free"),
)

METRICS = Registry(
    "metrics",
    Entry("MRR", "kgpath.metrics.mrr:MRR", "1 / rank of the first true path"),
    Entry("Hits@k", "kgpath.metrics.hits:Hits", "whether a true path is among the first k"),
    Entry("Recall", "kgpath.metrics.recall:Recall", "share of true paths among the candidates"),
    Entry("NGEO(Ent)", "kgpath.metrics.ngeo:NGEO", "edits from the first path's entities to true"),
    Entry("NGEO(Rel)", "kgpath.metrics.ngeo:NGEO", "edits from the first path's relations to true"),
    Entry("NGEO(full)", "kgpath.metrics.ngeo:NGEO", "edits from the first path to the true one"),
    Entry("PED", "kgpath.metrics.ped:PED", "distance of path vectors, first path to the true one"),
)

REGISTRIES = {registry.kind: registry for registry in (SOURCES, COSTS, METRICS)}
