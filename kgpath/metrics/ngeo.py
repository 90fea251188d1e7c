"""NGEO: how many edits, weighed by the ontology, lead from the first path to the true one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from kgpath.errors import BadOption, UnknownName
from kgpath.metrics.edit_distance import edit_distance
from kgpath.metrics.judged_ranking import JudgedRanking
from kgpath.metrics.metric import Metric, Tools
from kgpath.metrics.ontology_paths import Nodes, OntologyPaths, distance, distance_to_root
from kgpath.metrics.top_path import distance_of_first
from kgpath.types import Path

PARTS = ("Ent", "Rel", "full")


class _Step(NamedTuple):
    is_entity: bool
    nodes: Nodes


@dataclass(frozen=True)
class NGEO(Metric):
    """Edits from the first path to the closest true one, by its length; 0 is the true path.

    ``part`` is ``Ent`` (entities), ``Rel`` (relations) or ``full`` (both).
    """

    higher_is_better: ClassVar[bool] = False
    part: str = "full"

    def __post_init__(self) -> None:
        _check(self.part)

    def __str__(self) -> str:
        return f"NGEO({self.part})"

    def values(self, queries: Sequence[JudgedRanking], tools: Tools) -> list[float]:
        ontology = tools.ontology
        if ontology is None:
            raise BadOption(f"{self} needs an ontology: ontology=OntologyPaths.from_graph(kg)")
        return [
            distance_of_first(query, lambda path, true: ngeo(path, true, ontology, self.part))
            for query in queries
        ]


def ngeo(path: Path, truth: Path, ontology: OntologyPaths, part: str = "full") -> float:
    """The edit distance divided by the length of the true path, at most 1."""
    cost = geo(path, truth, ontology, part)
    length = len(_steps(truth, ontology, part))
    return min(cost / length, 1.0) if length else float(cost > 0)


def geo(path: Path, truth: Path, ontology: OntologyPaths, part: str = "full") -> float:
    """The cheapest edits from one path to another: equations 7 to 9 of Lo & Lim (2023).

    Substituting costs the distance of two ontology paths, inserting and deleting the distance to
    the root. The paper prints the distance to the root for the substitution of relations too;
    this is taken for a misprint. An entity is never substituted for a relation.
    """
    _check(part)
    return edit_distance(
        _steps(path, ontology, part), _steps(truth, ontology, part), _substitute, _insert
    )


def _steps(path: Path, ontology: OntologyPaths, part: str) -> list[_Step]:
    entities = [_Step(True, ontology.entity_nodes(node.iri)) for node in path.nodes]
    relations = [
        _Step(False, ontology.relation_nodes(hop.relation.iri, hop.forward)) for hop in path.hops
    ]
    if part != "full":
        return entities if part == "Ent" else relations
    mixed = [step for pair in zip(entities, relations, strict=False) for step in pair]
    return [*mixed, entities[-1]]


def _substitute(one: _Step, other: _Step) -> float:
    return distance(one.nodes, other.nodes) if one.is_entity == other.is_entity else math.inf


def _insert(step: _Step) -> float:
    return distance_to_root(step.nodes)


def _check(part: str) -> None:
    if part not in PARTS:
        raise UnknownName(f"No NGEO({part}). Known: {', '.join(f'NGEO({p})' for p in PARTS)}.")
