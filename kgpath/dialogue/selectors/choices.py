"""Selectors by name, with or without a detector before them; and one for each edge rule."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgpath.dialogue.evidence_detector import EvidenceDetector
from kgpath.dialogue.selectors.detected import Detected
from kgpath.dialogue.selectors.selector import Selector
from kgpath.plugins import SELECTORS
from kgpath.registry import parse_choice

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: What is compared where nobody says otherwise.
DEFAULT = ("random", "bm25", "bm25+continuity", "wikipath")


def make_selector(
    choice: str | type | Selector,
    graph: Graph | None = None,
    *,
    detector: str | Path | None = None,
    **options: Any,
) -> Selector:
    """A selector from a name (``kgpath ls selectors``), a class, or the selector itself.

    ``detector`` is the file of a trained one, which is asked first whether a turn needs evidence;
    ``options`` count where the selector has them.
    """
    given = options if graph is None else {**options, "graph": graph}
    made: Selector = SELECTORS.make(choice, **given)
    return made if detector is None else Detected(EvidenceDetector.load(detector), made)


def selectors_by_rule(
    choices: Iterable[str], edges: str, graph: Graph | None = None, **options: Any
) -> dict[str, Selector]:
    """Selectors by name; one that goes by edges comes once for each rule of a list with commas.

    >>> list(selectors_by_rule(["bm25", "wikipath"], "lexical,none"))
    ['bm25', 'wikipath lexical', 'wikipath none']
    """
    made = {}
    for choice in choices:
        for rule in _rules(edges) if _takes_edges(choice) else [""]:
            name = f"{choice} {rule}".strip()
            made[name] = make_selector(choice, graph, edges=rule, **options)
    return made


def _rules(edges: str) -> list[str]:
    # A comma within brackets parts options, not rules.
    return re.split(r",(?![^(]*\))", edges)


def _takes_edges(choice: str) -> bool:
    """Whether a selector goes by edges, and its name does not say by which."""
    name, said = parse_choice(choice)
    return "edges" in inspect.signature(SELECTORS.load(name)).parameters and "edges" not in said
