"""Answers whose relations mean the same are one, which shows them all."""

from __future__ import annotations

import json

import numpy as np
import pytest

import kgpath
from kgpath.paths.same_meaning import best_of_each_meaning
from kgpath.rankers.ranker import Ranker, Scores
from kgpath.storage.hop_codes import code_of, inverse
from kgpath.storage.same_relations import SameRelations

EDGES = (
    "ex:book1 dbo:author ex:ann1 ; dbo:writer ex:ann1 . ex:ann1 dbo:child ex:bea1 ."
    " ex:bea1 dbo:parent ex:ann1 ; dbo:birthPlace ex:town1 ; dbo:deathPlace ex:town1 ."
    " ex:ann2 dbo:author ex:bea2 ."
)
DBO = "http://dbpedia.org/ontology/"
TEXT = "Book1 is by Ann1, the mother of Bea1 of Town1."


@pytest.fixture
def kg(build_graph) -> kgpath.Graph:
    """Here author and writer say the same, and child what parent says the other way."""
    kg = build_graph(EDGES)
    author, writer, child, parent = (
        code_of(kg.relation(DBO + name).id, backward=name == "parent")
        for name in ("author", "writer", "child", "parent")
    )
    groups = np.arange(2 * len(kg.store.relations), dtype=np.int32)
    for one, other in ((author, writer), (child, parent)):
        groups[[one, other]] = min(one, other)
        groups[[inverse(one), inverse(other)]] = min(inverse(one), inverse(other))
    kg.derived(SameRelations).groups = groups
    return kg


class ByName(Ranker):
    """Paths whose relations come late in the alphabet first."""

    def score(self, features):
        relations = features.candidates.graph.store.relations
        last = [max(relations[r].iri for r in row if r >= 0) for row in self.rows(features)]
        return Scores.sum_of({"name": np.unique(last, return_inverse=True)[1].astype(float)})

    def rows(self, features):
        return features.candidates.relations.tolist()


def test_the_best_of_those_that_mean_the_same_shows_the_others_relations(kg) -> None:
    for ranker, said in (("shortest", "author, writer"), (ByName(), "writer, author")):
        answers = kg.query("book1", "ann1", TEXT, ranker=ranker)
        assert [str(answer) for answer in answers] == [f"book1 –{said}→ ann1"]
        assert answers.candidates == 2
        back = kg.query("ann1", "book1", TEXT, ranker=ranker)
        assert [answer.path.reversed() for answer in back] == [answers[0].path]


def test_one_of_them_may_point_the_other_way(kg) -> None:
    (answer,) = kg.query("book1", "bea1", TEXT, ranker="shortest")
    assert str(answer) == "book1 –author, writer→ ann1 –child, ^parent→ bea1"
    assert "–author, writer→" in kg.query("book1", "bea1", TEXT)._repr_html_()
    data = json.loads(json.dumps(answer.to_json()))
    assert data["path"][1::2] == [f"{DBO}author", f"{DBO}child"]
    assert data["also"] == [[f"{DBO}writer"], [f"^{DBO}parent"]]
    assert data["text"] == str(answer)


def test_relations_that_only_lie_side_by_side_stay_answers_of_their_own(kg) -> None:
    answers = kg.query("bea1", "town1", TEXT, ranker="shortest")
    assert [str(answer) for answer in answers] == [
        "bea1 –birth place→ town1",
        "bea1 –death place→ town1",
    ]
    assert "also" not in answers[0].to_json()


def test_there_are_as_many_different_answers_as_asked_for(kg) -> None:
    two = kg.query("book1", "town1", TEXT, k=2, ranker="shortest")
    assert [str(answer) for answer in two] == [
        "book1 –author, writer→ ann1 –child, ^parent→ bea1 –birth place→ town1",
        "book1 –author, writer→ ann1 –child, ^parent→ bea1 –death place→ town1",
    ]
    assert (len(kg.query("book1", "town1", TEXT, k=0)), two.candidates) == (0, 8)


@pytest.mark.parametrize("ranker", ["shortest", "zero-shot", "kgpath-general"])
def test_score_parts_and_quotes_are_those_of_the_best_one(kg, ranker: str) -> None:
    retriever = kg.retriever(ranker)
    ends, text = (kg.entity("book1"), kg.entity("town1")), kg.context(TEXT)
    ranked = retriever.rank(text, *ends)
    rows = best_of_each_meaning(ranked.features.candidates, ranked.order, 9)
    assert sorted(np.concatenate(rows).tolist()) == list(range(8))
    answers = retriever.query(*ends, text, k=9)
    best = [int(group[0]) for group in rows]
    assert [answer.score for answer in answers] == ranked.scores.total[best].tolist()
    paths = ranked.features.candidates.paths(best)
    assert [answer.path.iris() for answer in answers] == [path.iris() for path in paths]
    assert best[0] == ranked.order[0]


def test_where_there_is_no_path_there_is_nothing_to_put_together(kg) -> None:
    answers = kg.query("book1", "ann2", TEXT)
    assert (len(answers), answers.candidates) == (0, 0)
