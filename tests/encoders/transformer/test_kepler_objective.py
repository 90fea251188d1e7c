"""KEPLER's objective: TransE over descriptions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import kgpath
from kgpath.encoders.transformer.base_model import Base
from kgpath.encoders.transformer.hidden_states import hidden_states, means
from kgpath.encoders.transformer.kepler_objective import DescribedFacts
from kgpath.encoders.transformer.training_facts import GraphFacts


def kepler_part(base: Base, kg: kgpath.Graph, entity: str = "mean") -> DescribedFacts:
    return DescribedFacts(base, GraphFacts(kg, 0, 0), entity, 0)


@pytest.fixture
def chain(build_graph) -> kgpath.Graph:
    described = " ".join(
        f'ex:{name} rdfs:comment "The {name} {word}."@en .'
        for name, word in zip("abcd", ("actor", "english", "james", "london"), strict=True)
    )
    graph: kgpath.Graph = build_graph(described + " ex:a ex:p ex:b . ex:c ex:p ex:d .")
    return graph


def test_the_transe_loss_by_hand(base: Base, chain: kgpath.Graph) -> None:
    part = kepler_part(base, chain)
    one, two = ([chain.entity(name).id for name in pair] for pair in ("ab", "cd"))
    relation = chain.store.relations[0].id
    facts = [(one[0], relation, one[1]), (two[0], relation, two[1])]
    with torch.no_grad():
        part.relations += 0.1
        loss = float(part.losses(facts)["TransE"])
        vectors = {e: means(base, [part._chunk(e)])[0].numpy() for e in (*one, *two)}

    def apart(head: int, tail: int) -> float:
        return float(np.abs(vectors[head] + 0.1 - vectors[tail]).mean() * part.scale)

    def nats(x: float) -> float:
        return float(np.logaddexp(0, -x))

    every = [*one, *two]
    expected = 0.0
    for (head, tail), margin in ((one, 9.0), (two, 9.0)):
        expected += nats(margin - apart(head, tail)) / 2
        tails = [nats(apart(head, other) - margin) for other in every if other != tail]
        heads = [nats(apart(other, tail) - margin) for other in every if other != head]
        expected += (np.mean(tails) / 2 + np.mean(heads) / 2) / 2
    assert loss == pytest.approx(expected, rel=1e-4)


def test_entities_start_as_far_apart_as_margins_expect(base: Base, chain: kgpath.Graph) -> None:
    part = kepler_part(base, chain)
    with torch.inference_mode():
        vectors = part._encoded(sorted(part.texts))
        apart = part._apart(vectors[:, None] - vectors[None]).numpy()
    assert apart[~np.eye(4, dtype=bool)].mean() == pytest.approx(12, rel=1e-4)
    first = kepler_part(base, chain, "cls")
    with torch.inference_mode():
        one = first._encoded([0])[0]
        assert torch.allclose(one, hidden_states(base, [first._chunk(0)])[0, 0])


def test_a_vector_does_not_depend_on_its_batch(base: Base, chain: kgpath.Graph) -> None:
    part = kepler_part(base, chain)
    entities = sorted(part.texts)
    with torch.inference_mode():
        together = part._encoded(entities[::-1])
        for at, entity in enumerate(entities[::-1]):
            assert torch.allclose(together[at], part._encoded([entity])[0], atol=1e-5)


def test_the_rank_of_the_end_of_a_test_fact(base: Base, chain: kgpath.Graph, monkeypatch) -> None:
    part = kepler_part(base, chain)
    part.facts.test = part.facts.train
    places = {name: chain.entity(name).id for name in "abcd"}
    vectors = torch.zeros(4, base.size)
    for name, number in (("a", 0.0), ("b", 1.0), ("c", 5.0), ("d", 9.0)):
        vectors[sorted(places.values()).index(places[name])] = number
    part.among = np.array(sorted(places.values()))
    monkeypatch.setattr(part, "_encoded", lambda entities: vectors)
    with torch.no_grad():
        part.relations += 1.0
    # a + 1 is b, rank 1; c + 1 = 6 is nearest to c, then d: rank 2.
    # b - 1 is a, rank 1; d - 1 = 8 is nearest to d, then c: rank 2.
    found = part.figures()
    assert found["link MRR among 4"] == pytest.approx((1 + 0.5 + 1 + 0.5) / 4)
