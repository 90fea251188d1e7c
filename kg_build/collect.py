"""Gathers the statements of all sources as arrays, and finds out what the graph consists of.

Edges are three integers each and texts wait in a temporary database
(:mod:`kgpath.kg_build.literals`), so memory grows with the number of entities, not with the size of
the dumps.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadSource
from kgpath.kg_build.filters import Filters, matcher, wanted_classes
from kgpath.kg_build.literals import Literals
from kgpath.kg_build.numbering import (
    Rows,
    distinct_rows,
    in_order,
    renumber,
    renumbered,
    rows_in,
    rows_of,
)
from kgpath.kg_build.report import Report
from kgpath.lexicon.text import local_name
from kgpath.storage import statements as st
from kgpath.storage.namespaces import PREFIXES
from kgpath.storage.ontology import closure, find_cycle, group
from kgpath.storage.store import Store


@dataclass
class Content:
    """What the graph consists of; numbers are final ids, in the order of the IRIs."""

    entities: list[str]
    relations: list[str]
    classes: list[str]
    edges: Rows  # (e, 3), sorted
    types: Rows  # entity, class
    class_parents: Rows
    relation_parents: Rows
    prefixes: dict[str, str]
    declared: set[str]  # classes that were stated to be one


class Collector:
    """Takes statements in, gives the content of a graph and its texts out."""

    def __init__(self, filters: Filters) -> None:
        self.filters = filters
        self.left_out: Counter[str] = Counter()
        self.notes: list[str] = []
        self.applied: set[str] = set()  # relation patterns that a source has applied itself
        self._nodes: dict[str, int] = {}  # every IRI that is not only a relation
        self._relations: dict[str, int] = {}
        self._edges = array("i")
        self._removed_edges = array("i")
        self._types = array("i")
        self._removed_types = array("i")
        self._seen_relations: set[str] = set()  # also those that the filters leave out
        self._class_parents: set[tuple[int, int]] = set()
        self._relation_parents: set[tuple[int, int]] = set()
        self._classes: set[int] = set()
        self._ontologies: set[int] = set()
        self._removed_entities: set[int] = set()
        self._prefixes: dict[str, str] = {}
        self.literals = Literals()

    def close(self) -> None:
        self.literals.close()

    # Taking in

    def add(
        self, statements: st.Statements, report: Report, filters: Filters | None = None
    ) -> None:
        """Take in the statements of one source, under the build's filters or its own."""
        filters = filters or self.filters
        rank_of = filters.language_rank()
        nodes, relations, edges = self._nodes, self._relations, self._edges
        literals = self.literals
        literals.end_article()
        allowed: dict[str, bool] = {}
        for kind, subject, value, extra in statements:
            if kind == st.EDGE:
                if value not in allowed:
                    allowed[value] = self._is_allowed(value, filters)
                if not allowed[value]:
                    report.left_out["relation filter"] += 1
                    continue
                report.edges += 1
                edges.append(nodes.setdefault(subject, len(nodes)))
                edges.append(relations.setdefault(value, len(relations)))
                edges.append(nodes.setdefault(extra, len(nodes)))
            elif kind <= st.ABSTRACT or kind == st.TITLE:
                rank = rank_of(extra)
                if rank is None:
                    report.left_out["language"] += 1
                    continue
                literals.add(nodes.setdefault(subject, len(nodes)), kind, rank, extra, value)
            elif kind == st.PASSAGE:
                section, position, lang = st.place_of(extra)
                rank = rank_of(lang)
                if rank is None:
                    report.left_out["language"] += 1
                    continue
                node = nodes.setdefault(subject, len(nodes))
                literals.add_passage(node, rank, lang, section, position, value)
            else:
                self._add_schema(kind, subject, value)
        self._seen_relations.update(allowed)

    def add_store(self, store: Store, filters: Filters) -> None:
        """Take in a whole graph file, before anything else; its edges as they are, by number."""
        for table, numbers in (("entity", self._nodes), ("relation", self._relations)):
            rows = store.db.execute(f"SELECT iri, id FROM {table} ORDER BY id")
            numbers.update(rows)
        self._edges.frombytes(store.edges().tobytes())
        self.add(st.descriptions_of(store), Report(store.path.name), filters)

    def remove(self, statements: st.Statements, report: Report) -> None:
        """Take back every statement of a source, and count those that were there."""
        before = set(map(tuple, rows_of(self._edges, 3).tolist()))
        gone: list[tuple[int, str]] = []
        for kind, subject, value, extra in statements:
            node = self._nodes.get(subject, -1)
            if kind == st.EDGE:
                edge = (node, self._relations.get(value, -1), self._nodes.get(extra, -1))
                if edge in before:
                    report.edges += 1
                    self._removed_edges.extend(edge)
                else:
                    report.left_out["not in the graph"] += 1
            elif kind <= st.ABSTRACT or kind == st.TITLE:
                is_text = kind in (st.COMMENT, st.ABSTRACT)
                stored = value.strip() if is_text else " ".join(value.split())
                gone.append((node, stored))
            elif kind == st.PASSAGE:
                gone.append((node, value))
            elif kind == st.CLASS:
                self._classes.discard(node)
            else:
                pair = (node, self._nodes.get(value, -1))
                if kind == st.TYPE:
                    self._removed_types.extend(pair)
                self._class_parents.discard(pair)
                self._relation_parents.discard(
                    (self._relations.get(subject, -1), self._relations.get(value, -1))
                )
        self.literals.forget(gone)

    def remove_entity(self, iri: str) -> None:
        """Take back every edge of an entity."""
        self._removed_entities.add(self._nodes[iri])

    # Giving out

    def content(self) -> Content:
        """Filter, number and sort what was taken in."""
        edges = self._wanted_edges()
        if not len(edges):
            raise BadSource(self._why_empty())
        nodes = list(self._nodes)
        entity_of = renumber(nodes, np.unique(edges[:, [0, 2]]).tolist())
        relations = list(self._relations)
        relation_of = renumber(
            relations, closure(np.unique(edges[:, 1]).tolist(), group(self._relation_parents))
        )

        types = distinct_rows(rows_of(self._types, 2))
        types = types[
            (entity_of[types[:, 0]] >= 0) & ~rows_in(types, rows_of(self._removed_types, 2))
        ]
        class_nodes = (
            self._classes
            | set(chain.from_iterable(self._class_parents))
            | set(types[:, 1].tolist())
        )
        class_of = renumber(nodes, class_nodes)
        self._number_texts(entity_of, relation_of, class_of)
        self._note_cycles()
        self._note_unused_patterns()
        return Content(
            entities=in_order(nodes, entity_of),
            relations=in_order(relations, relation_of),
            classes=in_order(nodes, class_of),
            edges=distinct_rows(
                np.column_stack(
                    [entity_of[edges[:, 0]], relation_of[edges[:, 1]], entity_of[edges[:, 2]]]
                )
            ),
            types=distinct_rows(np.column_stack([entity_of[types[:, 0]], class_of[types[:, 1]]])),
            class_parents=renumbered(self._class_parents, class_of),
            relation_parents=renumbered(self._relation_parents, relation_of),
            prefixes=PREFIXES | self._prefixes,
            declared={nodes[number] for number in self._classes},
        )

    def _number_texts(self, entity_of: Rows, relation_of: Rows, class_of: Rows) -> None:
        """Tell the texts the final numbers of what they belong to."""
        relations = np.full(len(self._nodes), -1, dtype=np.int64)
        for iri, number in self._relations.items():
            if iri in self._nodes:
                relations[self._nodes[iri]] = relation_of[number]
        for of, ids in (("entity", entity_of), ("relation", relations), ("class", class_of)):
            self.literals.number(of, ids)

    # Details

    def _add_schema(self, kind: int, subject: str, value: str) -> None:
        nodes, relations = self._nodes, self._relations
        if kind == st.PREFIX:
            self._prefixes[subject] = value
        elif kind == st.SUBPROPERTY:
            if subject != value:
                self._relation_parents.add(
                    (
                        relations.setdefault(subject, len(relations)),
                        relations.setdefault(value, len(relations)),
                    )
                )
        elif kind in (st.TYPE, st.SUBCLASS):
            pair = nodes.setdefault(subject, len(nodes)), nodes.setdefault(value, len(nodes))
            if kind == st.TYPE:
                self._types.extend(pair)
            elif subject != value:
                self._class_parents.add(pair)
        elif kind == st.CLASS:
            self._classes.add(nodes.setdefault(subject, len(nodes)))
        elif kind == st.ONTOLOGY:
            self._ontologies.add(nodes.setdefault(subject, len(nodes)))

    def _is_allowed(self, relation: str, filters: Filters) -> bool:
        prefixes = {**PREFIXES, **self._prefixes}
        kept = not filters.keep or matcher(filters.keep, prefixes)(relation)
        return kept and not matcher(filters.drop, prefixes)(relation)

    def _wanted_edges(self) -> Rows:
        edges = rows_of(self._edges, 3)
        edges = self._drop(edges, edges[:, 0] == edges[:, 2], "self-loop")
        edges = self._drop(
            edges, np.isin(edges[:, 0], list(self._ontologies)), "about an ontology document"
        )
        total = len(edges)
        edges = distinct_rows(edges)
        self.left_out["duplicate"] += total - len(edges)
        if self._removed_edges:
            edges = edges[~rows_in(edges, rows_of(self._removed_edges, 3))]
        if self._removed_entities:
            edges = edges[~np.isin(edges[:, [0, 2]], list(self._removed_entities)).any(axis=1)]
        if self.filters.types:
            edges = self._drop(
                edges, ~self._has_type()[edges[:, [0, 2]]].all(axis=1), "type filter"
            )
        if self.filters.hub_cap:
            degrees = np.bincount(edges[:, [0, 2]].ravel(), minlength=len(self._nodes))
            hubs = degrees > self.filters.hub_cap
            edges = self._drop(edges, hubs[edges[:, [0, 2]]].any(axis=1), "hub cap")
            self._note_hubs(np.flatnonzero(hubs), degrees)
        return edges

    def _drop(self, edges: Rows, bad: Any, reason: str) -> Rows:
        count = int(bad.sum())
        if not count:
            return edges
        self.left_out[reason] += count
        return np.asarray(edges[~bad])

    def _has_type(self) -> NDArray[np.bool_]:
        names = list(self._nodes)
        types = rows_of(self._types, 2)
        known = set(types[:, 1].tolist()) | set(chain.from_iterable(self._class_parents))
        wanted = wanted_classes(self.filters.types, (names[n] for n in known), self._prefixes)
        children = group((parent, child) for child, parent in self._class_parents)
        below = closure((self._nodes[iri] for iri in wanted), children)
        has = np.zeros(len(names), dtype=bool)
        has[types[np.isin(types[:, 1], list(below)), 0]] = True
        return has

    def _note_unused_patterns(self) -> None:
        prefixes = {**PREFIXES, **self._prefixes}
        for pattern in (*self.filters.keep, *self.filters.drop):
            if pattern not in self.applied and not any(
                map(matcher((pattern,), prefixes), self._seen_relations)
            ):
                self.notes.append(f"No relation in the sources fits {pattern!r}.")

    def _note_cycles(self) -> None:
        names, relations = list(self._nodes), list(self._relations)
        for what, pairs, iris in (
            ("subClassOf", self._class_parents, names),
            ("subPropertyOf", self._relation_parents, relations),
        ):
            cycle = find_cycle(group(sorted(pairs)))
            if cycle:
                path = " → ".join(local_name(iris[node]) for node in reversed(cycle))
                self.notes.append(f"{what} runs in a circle: {path}. It is kept, and does no harm.")

    def _note_hubs(self, hubs: Rows, degrees: Rows) -> None:
        names = list(self._nodes)
        largest = sorted(hubs.tolist(), key=lambda node: (-degrees[node], names[node]))
        shown = ", ".join(f"{local_name(names[n])} ({degrees[n]:,} facts)" for n in largest[:5])
        if shown:
            self.notes.append(f"The hub cap left out {len(largest):,} entities: {shown} …")

    def _why_empty(self) -> str:
        if self._removed_edges or self._removed_entities:
            return "That would leave a graph without any edge. To be rid of it, delete the file."
        if not self._edges and self._seen_relations:
            known = ", ".join(sorted(set(map(local_name, self._seen_relations)))[:10])
            return f"The relation filter leaves no edge at all. The sources have: {known} …"
        if not self._edges:
            return (
                "The sources give no edge at all: no statement links two things by a relation. "
                "Files of labels or types need a file of facts beside them."
            )
        reasons = ", ".join(
            f"{reason} {count:,}" for reason, count in self.left_out.items() if count
        )
        return (
            f"Nothing is left of {len(self._edges) // 3:,} edges ({reasons}). Loosen the filters."
        )
