"""Training that goes on from a model, and pupils that learn what texts were answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from shops import EX, FOUNDING, built, preference, question, texts

import kgpath
from kgpath.errors import BadOption
from kgpath.io.texts import GivenText
from kgpath.learning import text_training
from kgpath.learning.models import load_model, read_about
from kgpath.learning.self_training import Learned
from kgpath.learning.text_questions import questions_of
from kgpath.learning.text_training import thinned
from kgpath.learning.train import Trained, train
from kgpath.rankers.kgpath_general import KgpathGeneral

TINY = "kgpath-ltr(trees=6, hop_trees=6, rounds=1)"


@pytest.fixture
def shops(tmp_path: Path) -> Iterator[kgpath.Graph]:
    with kgpath.open(built(tmp_path)) as kg:
        yield kg


@pytest.fixture
def own() -> list:
    """Questions in words that no text has."""
    return [question(n, "took up", "owner_of") for n in range(30)]


def test_a_model_that_goes_on_keeps_its_trees_and_counts(
    sample: kgpath.Graph, trained: Trained, shops: kgpath.Graph, own: list, tmp_path: Path
) -> None:
    made = train(shops, own, tmp_path / "m", start=trained.path)
    before, after = load_model(trained.path, sample), load_model(made.path, shops)
    assert read_about(made.path)["ranker"].startswith("kgpath-ltr(trees=26, hop_trees=26, rounds=1")
    assert [model.num_trees() for model in after.hop_models_] == [26] * 5
    assert after.path_models_[0].num_trees() == 26
    owner = f"{EX}owner_of"
    assert before.statistics_.expressed[owner] == 0 < after.statistics_.expressed[owner]
    assert before.statistics_.expressed <= after.statistics_.expressed


def test_going_on_twice_from_the_same_is_the_same(
    trained: Trained, shops: kgpath.Graph, own: list, tmp_path: Path
) -> None:
    one, other = (train(shops, own, tmp_path / name, start=trained.path) for name in "ab")
    assert read_about(one.path)["files"] == read_about(other.path)["files"]


def test_kgpath_general_goes_on_with_words(shops: kgpath.Graph, own: list, tmp_path: Path) -> None:
    first = train(shops, None, tmp_path / "a", texts=texts())
    made = train(shops, own, tmp_path / "b", start=first.path)
    default, model = "kgpath-general", load_model(made.path, shops)
    taken = [preference(shops, "took up", one, number=40) for one in (default, model)]
    assert taken[1] < taken[0] - 0.03
    # What the texts taught is not lost.
    founded = [preference(shops, FOUNDING, one, number=40) for one in (default, model)]
    assert founded[1] > founded[0] + 0.03
    asked = question(40, FOUNDING, "")
    best = shops.query(asked.head, asked.tail, asked.document, ranker=model, k=1)[0]
    assert sum(best.parts.values()) == pytest.approx(best.score)


def test_what_cannot_go_on_says_so(sample, queries, shops, own, tmp_path: Path) -> None:
    made = train(
        sample, queries, tmp_path / "m", ranker="score-ltr(of=zero-shot, trees=2)", limit=20
    )
    with pytest.raises(BadOption, match="ScoreLTR cannot go on from what it learned before"):
        train(shops, own, tmp_path / "n", start=made.path)
    with pytest.raises(BadOption, match="is a ranker already"):
        train(shops, own, tmp_path / "n", start=made.path, ranker="kgpath-ltr")
    assert not (tmp_path / "n").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"queries": None}, "There is nothing to learn from"),
        ({"teacher": "shortest"}, "A teacher answers texts"),
        ({"texts": texts(), "candidates": "given"}, "Texts bring no candidates along"),
        ({"queries": None, "texts": texts(), "teacher": "longest"}, "No 'longest' among"),
        ({"texts": texts(), "ranker": "shortest"}, "shortest has nothing to learn"),
        (
            {"queries": None, "texts": texts(), "ranker": "kgpath-general(shipped=false)"},
            "its trees from questions with answers",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    shops: kgpath.Graph, own: list, tmp_path: Path, options: dict, said: str
) -> None:
    with pytest.raises(kgpath.errors.KgpathError, match=said):
        train(shops, output=tmp_path / "m", **{"queries": own, **options})
    assert not (tmp_path / "m").exists()


def test_texts_belong_to_one_graph(shops, sample, own, queries, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="over one graph"):
        train(shops, own, tmp_path / "m", texts=texts(), also=[(sample, queries)])
    with pytest.raises(BadOption, match="give queries of the first one"):
        train(shops, None, tmp_path / "m", texts=texts(), also=[(sample, queries)])


def test_another_ranker_learns_from_the_answers(shops: kgpath.Graph, tmp_path: Path) -> None:
    made = train(shops, None, tmp_path / "m", texts=texts(), ranker=TINY)
    assert made.examples == len(made.answered) > 8
    assert [path.name for path in made.path.glob("statistics.json")]
    rows = list(made.rows())
    assert rows[0].keys() == {"id", "document", "head", "tail", "path"}
    again = train(shops, None, tmp_path / "n", texts=texts(), ranker=TINY)
    assert read_about(again.path)["files"] == read_about(made.path)["files"]


def test_a_pupil_goes_on_from_its_model(
    trained: Trained, shops: kgpath.Graph, tmp_path: Path
) -> None:
    """It is its own teacher, and keeps what it knew."""
    made = train(shops, None, tmp_path / "m", texts=texts(), start=trained.path)
    model = load_model(made.path, shops)
    assert model.hop_models_[0].num_trees() == 26
    assert model.statistics_.expressed.keys() > {f"{EX}founder_of"}


def test_a_pupil_that_is_worse_than_its_teacher_is_not_written(
    shops: kgpath.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ranker that learned nothing and chooses against its teacher."""

    class Contrary(KgpathGeneral):
        def score(self, features):
            scores = super().score(features)
            return scores._replace(total=-scores.total)

    monkeypatch.setattr(text_training.copy, "deepcopy", lambda ranker: Contrary())
    monkeypatch.setattr(Contrary, "fit", lambda self, examples: None)
    with pytest.raises(BadOption, match="What was learned is worse than its teacher"):
        train(shops, None, tmp_path / "m", texts=texts(), ranker=TINY)
    assert not (tmp_path / "m").exists()


def test_direct_facts_are_few_where_there_is_more_to_learn_from(
    sample: kgpath.Graph, queries: list
) -> None:
    given = [GivenText(query.id, query.document) for query in queries]
    asked = questions_of(sample, given, KgpathGeneral(), limit=40).asked
    learned = [Learned(one, int(one.log_chances.argmax()), one.log_chances) for one in asked]
    lengths = [one.question.candidates.lengths[one.answer] for one in learned]
    longer = sum(length > 1 for length in lengths)
    kept = [one.question.candidates.lengths[one.answer] for one in thinned(learned)]
    assert lengths.count(1) > max(1, longer // 7) == kept.count(1)
    assert sum(length > 1 for length in kept) == longer
    direct = [one for one, length in zip(learned, lengths, strict=True) if length == 1]
    assert thinned(direct) == direct
