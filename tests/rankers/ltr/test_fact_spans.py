"""The words of a fact in a text: around its ends and between them, without names."""

from __future__ import annotations

import pytest

from kgpath.features.path_features import PathFeatures
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for
from kgpath.rankers.ltr.fact_spans import FactSpan, fact_spans


@pytest.fixture
def graph(build_graph):
    return build_graph(
        """
        ex:ann rdfs:label "Ann Lee" ; a ex:Person ; ex:birthPlace ex:ulm .
        ex:ulm rdfs:label "Ulm" ; a ex:Town .
        """
    )


def span(graph, text: str) -> FactSpan:
    context = Context(graph, text)
    found = candidates_for(context, graph.entity("Ann Lee"), graph.entity("Ulm"))
    (one,) = fact_spans(PathFeatures(context, found), ["birthPlace"])
    return one


def test_words_stand_around_and_between_the_ends(graph) -> None:
    found = span(graph, "In fact Ann Lee came into being at Ulm long ago.")
    words = {"came", "into", "being", "at"}
    assert found.between == words | {"· came", "came into", "into being", "being at", "at ·"}
    assert found.around == {"fact", "came", "into", "being", "long", "ago"}
    assert (found.head, found.tail) == ("http://example.org/Person", "http://example.org/Town")


def test_ends_far_apart_or_unseen_have_no_words(graph) -> None:
    for text in ("Ann Lee was born.", f"Ann Lee {'and so on ' * 9} Ulm."):
        found = span(graph, text)
        assert not found.around and not found.between
