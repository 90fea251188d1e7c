"""Learning without answers: what it learns, and when it keeps its teacher."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from shops import EX, FOUNDING, OWNING, built, person, preference, question, said, shop, texts

import kgpath
from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.io.texts import GivenText
from kgpath.learning.self_training import departures, self_train
from kgpath.learning.text_questions import log_chances, questions_of
from kgpath.learning.train import train
from kgpath.paths.candidates import candidates_for
from kgpath.paths.finder import PathOptions
from kgpath.rankers.kgpath_general import KgpathGeneral


@pytest.fixture(scope="module")
def shops_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("shops"))


@pytest.fixture
def shops(shops_path: Path) -> Iterator[kgpath.Graph]:
    with kgpath.open(shops_path) as kg:
        yield kg


def test_texts_ask_about_the_pairs_that_they_surely_relate(shops: kgpath.Graph) -> None:
    silent = [GivenText("s1", "It rained."), GivenText("s2", said(3, "was not seen near"))]
    found = questions_of(shops, [*texts(4), *silent], KgpathGeneral())
    assert [one.text.id for one in found.asked] == ["t0", "t1", "t2", "t3"]
    assert (found.texts, found.silent, found.notes) == (6, 2, [])
    for one in found.asked:
        assert len(one.candidates) == len(one.log_chances) == 2
        assert np.exp(one.log_chances).sum() == pytest.approx(1)


def test_a_pair_that_a_text_brings_along_is_asked_about(shops: kgpath.Graph) -> None:
    given = GivenText("t", said(3, "was not seen near"), person(3), shop(3))
    found = questions_of(shops, [given], KgpathGeneral())
    assert [one.candidates.head.label for one in found.asked] == [person(3)]
    wrong = GivenText("t", f"{person(3)}.", person(3), "Nobody")
    found = questions_of(shops, [wrong], KgpathGeneral())
    assert not found.asked
    assert found.notes[0].startswith("t: No entity 'Nobody'.")


def test_a_word_beside_one_that_is_known_is_learned(shops: kgpath.Graph, tmp_path: Path) -> None:
    made = train(shops, None, tmp_path / "m", texts=texts())
    assert made.ranker == "kgpath-general" and made.examples == len(made.answered)
    assert {query.paths[0][1] for query in made.answered} == {f"{EX}founder_of", f"{EX}owner_of"}
    model = kgpath.load_model(made.path, shops)
    for words, founded in ((FOUNDING, True), (OWNING, False)):
        before, after = (preference(shops, words, one) for one in ("kgpath-general", model))
        assert (after > before + 0.03) if founded else (after < before - 0.03)


def test_learned_words_score_alike_from_both_ends_and_in_any_order(
    shops: kgpath.Graph, tmp_path: Path
) -> None:
    model = kgpath.load_model(train(shops, None, tmp_path / "m", texts=texts()).path, shops)
    text = f"{said(2, FOUNDING)} {said(3, OWNING)}"
    context = shops.context(text)
    head, tail = shops.entity(person(2)), shops.entity(shop(2))
    found = candidates_for(context, head, tail, PathOptions(), 40)
    scores = model.score(PathFeatures(context, found)).total
    turned = found.take(np.arange(len(found))[::-1]).reversed()
    assert model.score(PathFeatures(context, turned)).total[::-1].tolist() == scores.tolist()


def test_the_order_of_texts_changes_nothing(shops: kgpath.Graph) -> None:
    teacher = KgpathGeneral()
    one, other = (
        self_train(questions_of(shops, some, teacher).asked) for some in (texts(), texts()[::-1])
    )
    assert one.words.statistics.expressed == other.words.statistics.expressed
    assert one.report() == other.report()
    assert sorted(query.id for query in one.queries) == sorted(query.id for query in other.queries)


def test_too_few_texts_are_said(shops: kgpath.Graph, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"^3 of the texts surely tell how two .* it takes 8"):
        train(shops, None, tmp_path / "m", texts=texts(3))
    with pytest.raises(BadOption, match=r"^None of the texts"):
        train(shops, None, tmp_path / "m", texts=[GivenText("a", "It rained in Rome.")])
    assert not (tmp_path / "m").exists()


def test_answers_that_depart_more_than_the_teacher_errs_are_refused() -> None:
    sure = [log_chances(np.array([4.0, 0.0, 0.0]))] * 100
    kept = np.zeros(100, dtype=np.int64)
    departed, doubted = departures(sure, kept)
    assert departed == 0 and doubted == pytest.approx(1 - np.exp(sure[0][0]))
    wild = np.where(np.arange(100) % 2 == 0, 1, 0)
    with pytest.raises(BadOption, match="departs from 50% of the teacher's surer answers"):
        departures(sure, wild)


def test_known_answers_teach_beside_the_texts(shops: kgpath.Graph, tmp_path: Path) -> None:
    """What texts never say beside a known word, questions with answers do."""
    own = [question(n, "took up", "owner_of") for n in range(30)]
    made = train(shops, own, tmp_path / "m", texts=texts(), ranker="kgpath-general(trees=5)")
    model = kgpath.load_model(made.path, shops)
    alone = train(shops, own, tmp_path / "n", ranker="kgpath-general(trees=5)")
    before = kgpath.load_model(alone.path, shops)
    ranked = [preference(shops, "took up", one, number=40) for one in (before, model)]
    assert ranked[1] < ranked[0] - 0.03
    assert made.queries == 30 and made.report["texts"]["texts"] == len(texts())
