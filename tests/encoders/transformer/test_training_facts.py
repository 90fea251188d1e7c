"""Facts to learn from: true ones, false ones, and the texts about them."""

from __future__ import annotations

import numpy as np

import kgpath
from kgpath.encoders.transformer.training_facts import GraphFacts, descriptions_of, introductions_of


def test_no_corrupted_fact_is_true(facts: GraphFacts) -> None:
    known = {tuple(fact) for fact in facts.every.tolist()}
    for alike in (0.0, 0.5, 1.0):
        drawn = facts.drawn(np.random.default_rng(0), 300)
        false = facts.corrupted(np.random.default_rng(1), drawn, alike)
        assert {tuple(fact) for fact in drawn.tolist()} <= known
        same = (drawn == false).sum(axis=1)
        assert not known & {tuple(fact) for fact in false.tolist()}
        assert (drawn[:, 1] == false[:, 1]).all() and (same == 2).all()


def test_a_like_end_has_the_relation_elsewhere(sample: kgpath.Graph) -> None:
    facts = GraphFacts(sample, 0, 0)
    ends = {(r, place, e) for h, r, t in facts.every.tolist() for place, e in ((0, h), (2, t))}
    drawn = facts.drawn(np.random.default_rng(0), 400)
    false = facts.corrupted(np.random.default_rng(1), drawn, alike=1.0)
    alike = [
        (new[1], place, new[place]) in ends
        for old, new in zip(drawn.tolist(), false.tolist(), strict=True)
        for place in (0, 2)
        if old[place] != new[place]
    ]
    assert np.mean(alike) > 0.9  # all but where there is none
    any_end = facts.corrupted(np.random.default_rng(1), drawn, alike=0.0)
    assert np.mean([(f[1], 0, f[0]) in ends and (f[1], 2, f[2]) in ends for f in any_end]) < 0.5


def test_test_facts_are_not_learned_from(sample: kgpath.Graph) -> None:
    facts = GraphFacts(sample, 5, 0)
    learned = {tuple(fact) for fact in facts.train.tolist()}
    assert len(facts.test) and not learned & {tuple(fact) for fact in facts.test.tolist()}
    assert facts.are_true(*facts.test.T).all()


def test_descriptions_and_introductions(film: kgpath.Graph) -> None:
    craig, moore = film.entity("Daniel Craig").id, film.entity("Roger Moore").id
    assert set(descriptions_of(film)) == {craig, moore}
    texts = introductions_of(film)
    assert texts[craig] == "Daniel Craig is an English actor. He has played James Bond."
    assert texts[moore] == "An English actor. He was born in London."
