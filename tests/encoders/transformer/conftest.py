"""What the tests of transformers share: a tiny base, and the facts of the film graph."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

import kgpath
from kgpath.encoders.transformer.training_facts import GraphFacts

if TYPE_CHECKING:
    from kgpath.encoders.transformer.base_model import Base

# These import modules over torch.
if not (find_spec("torch") and find_spec("transformers")):
    collect_ignore_glob = ["test_*_objective.py", "test_*_objectives.py", "test_masked_lm.py"]


@pytest.fixture
def base(tiny_bert: str) -> Base:
    from kgpath.encoders.transformer.base_model import load_base

    return load_base(tiny_bert)


@pytest.fixture
def facts(film: kgpath.Graph) -> GraphFacts:
    return GraphFacts(film, 0, 0)
