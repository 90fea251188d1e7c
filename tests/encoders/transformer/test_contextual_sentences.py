"""Sentence vectors of a contextualised encoder, and kgpath-ltr that reads with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.component import GraphReader
from kgpath.datasets.sample_files import sample_queries
from kgpath.errors import BadOption
from kgpath.io.queries import QueryFile
from kgpath.learning.examples import QuerySet
from kgpath.plugins import TEXT_ENCODERS, text_encoder
from kgpath.rankers.kgpath_ltr import KgpathLTR


@pytest.fixture
def examples(sample: kgpath.Graph) -> list:
    return list(QuerySet(sample, QueryFile(sample_queries()).queries, limit=20).examples(range(5)))


@pytest.mark.parametrize("name", ["bert", "kepler", "k-bert"])
def test_kgpath_ltr_reads_with_a_contextualised_encoder(
    name: str, tiny_bert: str, examples: list, sample, tmp_path: Path
) -> None:
    more = "" if name == "bert" else ", layers=1"
    options = f"{name}(base={tiny_bert}, steps=2, batch=4{more})"
    ranker = KgpathLTR(encoder=options, trees=5, hop_trees=5, rounds=1)
    assert isinstance(ranker.reader, GraphReader)
    ranker.fit(examples)
    scores = ranker.score(examples[0].features).total
    ranker.save(tmp_path)
    assert (tmp_path / "encoder" / "tuned.safetensors").exists() == (name != "bert")
    loaded = KgpathLTR(encoder=options, trees=5, hop_trees=5, rounds=1)
    loaded.load(tmp_path)
    assert loaded.check_requirements(sample) == ranker.check_requirements(sample)
    assert loaded.report() == ranker.report()
    assert ("masked-word loss" in ranker.report()["encoder"]) == (name != "bert")
    assert np.array_equal(loaded.score(examples[0].features).total, scores)


def test_sentences_are_unit_means(tiny_bert: str, film: kgpath.Graph) -> None:
    reader = text_encoder(f"bert(base={tiny_bert})").of(film)
    rows = reader.encode(["james bond", "", "daniel craig has played james bond"])
    assert rows.shape == (3, 16) and not rows[1].any()
    assert np.linalg.norm(rows[[0, 2]], axis=1) == pytest.approx(1, abs=1e-2)
    assert np.allclose(rows[0], reader.encode(["james bond"])[0], atol=1e-2)


def test_what_has_no_sentences_says_so(film: kgpath.Graph) -> None:
    with pytest.raises(BadOption, match="tfidf has no sentence vectors"):
        text_encoder("tfidf").of(film)
    with pytest.raises(BadOption, match="reads the texts of a graph"):
        TEXT_ENCODERS.make("contextual").encode(["a"])
