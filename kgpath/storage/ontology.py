"""Hierarchies of classes and relations: what lies below or above one, and whether it loops."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def group(pairs: Iterable[tuple[Node, Node]]) -> dict[Node, list[Node]]:
    """(a, b) pairs as a map from each a to all of its b."""
    grouped: dict[Node, list[Node]] = {}
    for key, value in pairs:
        grouped.setdefault(key, []).append(value)
    return grouped


def closure(start: Iterable[Node], following: Mapping[Node, Iterable[Node]]) -> set[Node]:
    """Everything reachable from ``start``, itself included; a cycle does no harm.

    >>> sorted(closure(["Film"], {"Film": ["Work"], "Work": ["Thing"]}))
    ['Film', 'Thing', 'Work']
    """
    seen = set(start)
    waiting = list(seen)
    while waiting:
        for node in following.get(waiting.pop(), ()):
            if node not in seen:
                seen.add(node)
                waiting.append(node)
    return seen


def find_cycle(parents: Mapping[Node, Iterable[Node]]) -> list[Node]:
    """One cycle of a hierarchy, as the nodes along it, or an empty list."""
    try:
        TopologicalSorter(parents).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []
