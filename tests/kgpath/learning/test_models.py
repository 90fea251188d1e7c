"""Models that an older kgpath wrote: they open, and score as they did then."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kgpath
from kgpath.datasets.sample_files import sample_questions
from kgpath.io.queries import QueryFile
from kgpath.learning.examples import QuerySet
from kgpath.learning.models import load_model
from kgpath.plugins import RANKERS

#: Trained by version 0.1 on the first three queries of the sample, and its scores of two others.
OLD = Path(__file__).parent / "old_models"


@pytest.mark.parametrize("name", ["kgpath-ltr", "score-ltr"])
def test_an_old_model_scores_as_it_did(sample: kgpath.Graph, name: str) -> None:
    ranker = load_model(OLD / name, sample)
    query_set = QuerySet(sample, QueryFile(sample_questions()).queries[3:5], limit=15)
    scores = []
    for query in query_set:
        features = query_set.features(query)
        assert features is not None
        total = ranker.score(features).total.tolist()
        paths = [" ".join(path.iris()) for path in features.candidates]
        scores.append([score for _, score in sorted(zip(paths, total, strict=True))])
    known = json.loads((OLD / "scores.json").read_text())[name]
    assert scores == [pytest.approx(some, rel=1e-12) for some in known]


def test_old_options_of_a_model_are_read_by_their_new_names() -> None:
    old = "xendcg(context_encoder=tfidf(range=document, top=20), labels=truncated, trees=2)"
    ranker = RANKERS.make(old)
    assert (ranker.relevance, ranker.contexts.scope) == ("truncated", "document")
