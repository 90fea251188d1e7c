"""Several objectives share a batch."""

from __future__ import annotations

import numpy as np

import kgpath
from kgpath.encoders.transformer.base_model import Base
from kgpath.encoders.transformer.joint_objective import Joint
from kgpath.encoders.transformer.kg_bert_objectives import Names, Relations, TrueFacts
from kgpath.encoders.transformer.masked_lm import MaskedLM
from kgpath.encoders.transformer.training_facts import GraphFacts


def test_a_batch_is_shared(base: Base, film: kgpath.Graph, facts: GraphFacts) -> None:
    names = Names(base, facts)
    joint = Joint(
        TrueFacts(base, facts, names, 0),
        Relations(base, facts, names, 0),
        MaskedLM(base, film, 0),
    )
    examples = joint.sample(np.random.default_rng(0), 8)
    assert [part for part, _ in examples] == [0, 1, 2, 0, 1, 2, 0, 1]
    assert set(joint.losses(examples)) == {"true facts", "relations", "masked words"}
    assert set(joint.losses(examples[:2])) == {"true facts", "relations"}
