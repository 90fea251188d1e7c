"""How much is trained on a graph: a share by its facts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from kgpath.encoders.budget import budget_for
from kgpath.encoders.transformer.bert import Bert
from kgpath.encoders.transformer.k_bert import KBert
from kgpath.encoders.transformer.kepler import Kepler
from kgpath.encoders.transformer.kg_bert import KgBert


def graph_of(*edges: int) -> Any:
    """A graph with so many facts of each relation."""
    return SimpleNamespace(
        store=SimpleNamespace(relations=[SimpleNamespace(edges=count) for count in edges])
    )


@pytest.mark.parametrize(
    ("facts", "steps", "paths"),
    [
        (800_398, 300, 100_000),
        (40_000, 300, 100_000),
        (39_999, 299, 99_997),
        (2_822, 21, 7_055),
        (1_000, 7, 2_500),
        (11, 7, 2_500),
        (0, 7, 2_500),
    ],
)
def test_a_budget_grows_with_the_facts_up_to_that_of_a_large_graph(facts, steps, paths) -> None:
    graph = graph_of(facts // 2, facts - facts // 2)
    assert budget_for(graph, 300) == steps
    assert budget_for(graph, 100_000) == paths
    assert budget_for(graph, 1) == 1


def test_language_models_take_their_share_unless_told_the_steps() -> None:
    sample, dbpedia = graph_of(2_822), graph_of(800_398)
    kinds = (Kepler, KBert, KgBert, Bert)
    assert [kind().steps_on(sample) for kind in kinds] == [21, 21, 70, 42]
    assert [kind().steps_on(dbpedia) for kind in kinds] == [300, 300, 1000, 600]
    assert [kind(steps=5000).steps_on(sample) for kind in kinds] == [5000] * 4
