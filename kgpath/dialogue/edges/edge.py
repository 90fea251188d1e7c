"""What an edge rule yields, and how one is chosen by name.

A rule is a function, or a class with ``__call__``, from the nodes of a turn to edges::

    def same_initial(nodes):
        for one, other in combinations(range(len(nodes)), 2):
            if nodes.titles[one][0] == nodes.titles[other][0]:
                yield Edge(one, other, f"both begin with {nodes.titles[one][0]}")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from kgpath.dialogue.nodes import Nodes
from kgpath.errors import BadOption
from kgpath.plugins import EDGE_RULES
from kgpath.registry import parse_choice

if TYPE_CHECKING:
    from kgpath.graph import Graph


class Edge(NamedTuple):
    """Two nodes that are connected, why, and how long the step is.

    ``reason`` is a text, or anything that is one when printed; see :class:`Arrow`.
    """

    one: int
    other: int
    reason: object
    length: float = 1.0


EdgeRule = Callable[[Nodes], Iterable[Edge]]


@runtime_checkable
class Arrow(Protocol):
    """A reason that knows how to be read from either side."""

    def arrow(self, backwards: bool) -> str:
        """What stands between the two titles in a chain."""

    def towards(self, backwards: bool) -> object:
        """The reason as read from that side."""


def edge_rule(choice: str | type | EdgeRule, graph: Graph | None = None) -> EdgeRule:
    """A rule from a name (``kgpath ls edge_rules``), a class, or the rule itself.

    A name may bring options in brackets: ``typed(hops=3, hub_cap=200)``.
    """
    options: dict[str, Any] = {} if graph is None else {"graph": graph}
    if isinstance(choice, str):
        name, said = parse_choice(choice)
        loaded = EDGE_RULES.load(name)
        if not isinstance(loaded, type):
            if said:
                raise BadOption(f"{name} has no options.")
            rule: EdgeRule = loaded
            return rule
        needed = signature(loaded).parameters.get("graph")
        if graph is None and needed is not None and needed.default is needed.empty:
            raise BadOption(f"The edge rule {name!r} needs a graph: --graph film.kg, graph=kg.")
    made: EdgeRule = EDGE_RULES.make(choice, **options)
    return made
