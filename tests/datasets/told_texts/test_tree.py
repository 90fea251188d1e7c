"""Which facts a text is about: relations that a sentence can tell, and of parallel ones which."""

from __future__ import annotations

import numpy as np
import pytest

from kgpath.datasets.told_texts.things import Things
from kgpath.datasets.told_texts.tree import Trees, is_usable, same_words


@pytest.mark.parametrize(
    "label", ["title", "name", "northwest", "image caption", "after", "rd1 team"]
)
def test_a_label_that_says_too_little_is_not_used(label: str) -> None:
    assert not is_usable(label)


@pytest.mark.parametrize(
    "label", ["film director", "contains administrative territorial entity", "continent", "capital"]
)
def test_a_label_of_plain_words_is_used(label: str) -> None:
    assert is_usable(label)


def test_words_tell_bands_from_artists_but_not_leaders_from_leader_names() -> None:
    assert same_words("leader name") == same_words("leaders")
    assert same_words("associated band") != same_words("associated musical artist")


def test_of_parallel_facts_with_the_same_words_the_most_common_is_meant(build_graph) -> None:
    labels = 'ex:leader rdfs:label "leader" . ex:leaderName rdfs:label "leader name" . '
    names = "".join(f'ex:{w} rdfs:label "{w.title()} Land" . ' for w in ("north", "south", "mid"))
    facts = (
        "ex:north ex:leader ex:mid ; ex:leaderName ex:mid . ex:south ex:leaderName ex:mid . "
        "ex:south ex:leaderName ex:north ."
    )
    with build_graph(labels + names + facts) as kg:
        trees = Trees(kg, Things(kg))
        told = {
            kg.store.relations[one.relation].label
            for seed in range(80)
            for one in trees.draw(np.random.default_rng(seed), own_words=False)
        }
    assert told == {"leader name"}
