"""KG-BERT's objectives: whether a fact is true, and which relation holds."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kgpath.encoders.transformer.base_model import Base
from kgpath.encoders.transformer.kg_bert_objectives import Names, Relations, TrueFacts
from kgpath.encoders.transformer.training_facts import GraphFacts


def test_facts_are_read_as_the_paper_says(base: Base, facts: GraphFacts) -> None:
    names = Names(base, facts)
    graph = facts.graph
    bond, craig = graph.entity("James Bond").id, graph.entity("Daniel Craig").id
    (relation,) = (r.id for r in graph.store.relations if r.iri.endswith("/author"))
    chunk = names.fact(bond, relation, craig)
    words = base.tokenizer.convert_ids_to_tokens(chunk.ids)
    text = "[CLS] james bond [SEP] a ##u ##t ##h ##o ##r [SEP] daniel craig [SEP]"
    assert " ".join(words) == text
    assert chunk.types == [0, *[0] * 3, *[1] * 7, *[0] * 3]
    pair = names.pair(bond, craig)
    assert pair.types == [0, *[0] * 3, *[1] * 3]


def test_half_of_the_facts_are_false(base: Base, facts: GraphFacts) -> None:
    part = TrueFacts(base, facts, Names(base, facts), 0)
    examples = part.sample(np.random.default_rng(0), 9)
    assert [one.target for one in examples] == [1, 0] * 4 + [1]
    again = part.sample(np.random.default_rng(0), 9)
    assert [one.chunk.ids for one in examples] == [one.chunk.ids for one in again]
    (loss,) = part.losses(examples).values()
    assert 0 < float(loss.detach()) < 5


def test_kg_bert_learns_what_there_is_to_learn(base: Base, build_graph) -> None:
    # Heads and tails tell the relation by their letters.
    lines = [f"ex:a{n} ex:likes ex:b{n} . ex:c{n} ex:hates ex:d{n} ." for n in range(8)]
    facts = GraphFacts(build_graph(" ".join(lines)), 0, 0)
    facts.test = facts.train
    part = Relations(base, facts, Names(base, facts), 0)
    before = part.figures()
    tuned = [*base.tuned(0).values(), *part.parameters()]
    optimizer = torch.optim.Adam(tuned, lr=3e-3)
    for step in range(40):
        optimizer.zero_grad()
        part.losses(part.sample(np.random.default_rng(step), 8))["relations"].backward()
        optimizer.step()
    after = part.figures()
    assert after["relation accuracy of always the most frequent"] == pytest.approx(0.5)
    assert before["relation accuracy"] < 0.8 < 0.95 < after["relation accuracy"]
    assert after["relation MRR"] > before["relation MRR"]
