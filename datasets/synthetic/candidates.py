"""The candidate paths of a pair, the true one among them, and how far apart they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from kgpath.datasets.synthetic.recipe import Recipe
from kgpath.paths.finder import PathFinder
from kgpath.storage.hop_codes import hops_of
from kgpath.types import Path

#: A path by IRI: entity, relation, entity, …
Iris = tuple[str, ...]
#: Hard negatives are chosen among so many times the candidates wanted.
_POOL = 5
_LARGEST_SEED = 1 << 31


def candidates_of(
    finder: PathFinder, recipe: Recipe, true: Path, rng: np.random.Generator
) -> list[Iris]:
    """Up to the recipe's number of paths between the ends of the true one, and that one.

    Sorted by length, then IRIs: the order says nothing of which is true.
    """
    if recipe.candidates == "none":
        return []
    options = recipe.path_options(int(rng.integers(_LARGEST_SEED)))
    head, tail = true.nodes[0], true.nodes[-1]
    truth = tuple(true.iris())
    if not recipe.hard_negatives:
        found = [tuple(path.iris()) for path in finder.find_by_id(head, tail, options)]
        return _ordered({truth, *found})
    more_options = recipe.path_options(options.seed, _POOL)
    # Short paths too: what random walks meet is long, and so unlike a short true path.
    shortest = replace(more_options, strategy="shortest")
    pool = [
        *finder.find_by_id(head, tail, more_options),
        *finder.find_by_id(head, tail, shortest),
        *_relabelled(finder, recipe, true),
    ]
    others = list(dict.fromkeys(iris for path in pool if (iris := tuple(path.iris())) != truth))
    likest = sorted(others, key=lambda iris: (apart(iris, truth), iris))[: recipe.hard_negatives]
    rest = [iris for iris in others if iris not in likest]
    more = min(recipe.candidate_limit - len(likest), len(rest))
    chosen = rng.permutation(len(rest))[:more].tolist()
    return _ordered({truth, *likest, *(rest[at] for at in chosen)})


def apart(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of inner entities and directed relations that two paths do not have in common.

    >>> apart(["a", "r", "b", "s", "c"], ["a", "r", "b", "^t", "c"])
    0.5
    """
    these, those = set(one[1:-1]), set(other[1:-1])
    return 1 - len(these & those) / len(these | those)


def mean_distance(candidates: Sequence[Sequence[str]]) -> float | None:
    """How far apart candidates are on average, two by two; None where there are not two.

    On the scale of PED: 0 for the same, 0.5 for paths that have nothing in common.
    """
    if len(candidates) < 2:
        return None
    pairs = [apart(one, other) for one, other in combinations(candidates, 2)]
    return round(sum(pairs) / len(pairs) / 2, 4)


def _ordered(paths: set[Iris]) -> list[Iris]:
    return sorted(paths, key=lambda iris: (len(iris), iris))


def _relabelled(finder: PathFinder, recipe: Recipe, true: Path) -> Iterator[Path]:
    """The true path with one of its relations changed for a parallel one."""
    index = finder.walker(recipe.path_options()).index
    relations = finder.graph.store.relations
    for at, hop in enumerate(true.hops):
        codes = index.codes_between(true.nodes[at].id, true.nodes[at + 1].id)
        for other in hops_of(codes.tolist(), relations):
            if other != hop:
                yield Path(true.nodes, (*true.hops[:at], other, *true.hops[at + 1 :]))
