"""kgpath-general: one number that ranks and is sure, what it shows, and what it does untrained."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries, sample_text
from kgpath.errors import BadOption, BadStore
from kgpath.features.evidence import shown_sentences
from kgpath.features.path_features import PathFeatures
from kgpath.io.queries import Query, QueryFile
from kgpath.learning.examples import QuerySet
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for
from kgpath.rankers.general import model as models
from kgpath.rankers.kgpath_general import KgpathGeneral
from kgpath.rankers.ranker import Ranker, Scores
from kgpath.rankers.zero_shot import ZeroShot

CHOICE = "kgpath-general(trees=10, fact_trees=10)"
FILM, DIRECTOR = "La La Land", "Damien Chazelle"


@pytest.fixture(scope="module")
def kg(sample_path: Path) -> Iterator[kgpath.Graph]:
    with kgpath.open(sample_path) as graph:
        yield graph


def features_of(
    kg: kgpath.Graph, text: str, head: str = FILM, tail: str = DIRECTOR
) -> PathFeatures:
    context = Context(kg, text)
    return PathFeatures(context, candidates_for(context, kg.entity(head), kg.entity(tail)))


def oscars(kg: kgpath.Graph) -> PathFeatures:
    return features_of(kg, sample_text("sample-02"), "Emma Stone", "Andrew Garfield")


def chances(scores: Scores) -> np.ndarray:
    assert scores.probability is not None
    return scores.probability


class Letters:
    """A text encoder: how often a text has each of the first letters."""

    identity = "letters"

    def encode(self, texts) -> np.ndarray:
        counts = [[text.lower().count(letter) for letter in "abcdefgh"] for text in texts]
        return np.array(counts, dtype=np.float32)


@pytest.mark.parametrize("encoder", ["", Letters()], ids=["alone", "with an encoder"])
def test_its_parts_sum_to_the_score(kg, encoder) -> None:
    features = oscars(kg)
    total, parts, _ = KgpathGeneral(encoder).score(features)
    hops = [f"hop {at + 1}" for at in range(int(features.candidates.lengths.max()))]
    assert list(parts) == [*hops, *(["read"] if encoder else []), "whole path"]
    assert sum(parts.values()) == pytest.approx(total, abs=1e-9)
    assert np.isfinite(total).all() and len(total) == len(features.candidates) > 50
    # The part of a hop is the logarithm of a chance, and 0 after the end of a path.
    for at, name in enumerate(hops):
        there = features.candidates.lengths > at
        assert (parts[name][there] < 0).all() and not parts[name][~there].any()


def test_the_probability_is_that_of_the_score_and_never_contradicts_the_rank(kg) -> None:
    scores = KgpathGeneral().score(oscars(kg))
    total, probability = scores.total, chances(scores)
    assert probability == pytest.approx(1 / (1 + np.exp(-total)), abs=1e-12)
    assert ((probability >= 0) & (probability <= 1)).all()
    order = np.argsort(-total, kind="stable")
    assert (np.diff(probability[order]) <= 0).all()
    answers = kg.query("Emma Stone", "Andrew Garfield", sample_text("sample-02"), k=20)
    supports = [answer.support for answer in answers]
    assert supports == sorted(supports, reverse=True)


def test_an_encoder_adds_what_it_read_and_no_more(kg) -> None:
    features = oscars(kg)
    plain, read = KgpathGeneral().score(features), KgpathGeneral(Letters()).score(features)
    assert read.total - read.parts["read"] == pytest.approx(plain.total, abs=1e-9)
    assert read.parts["read"].max() == 0 > read.parts["read"].min()


@pytest.mark.parametrize(
    ("said", "unsaid"),
    [
        (
            "La La Land was directed by Damien Chazelle.",
            "La La Land was not directed by Damien Chazelle.",
        ),
        ("Damien Chazelle directed La La Land.", "Damien Chazelle never directed La La Land."),
        ("Damien Chazelle directed La La Land.", "Did Damien Chazelle direct La La Land?"),
    ],
)
def test_what_is_denied_or_asked_is_less_probable_than_the_same_said(
    kg, said: str, unsaid: str
) -> None:
    ranker = KgpathGeneral()
    one, other = (features_of(kg, text) for text in (said, unsaid))
    told, untold = chances(ranker.score(one)), chances(ranker.score(other))
    best = int(told.argmax())
    path = one.candidates[best].iris()
    assert path[1].endswith("director")
    same = [found.iris() for found in other.candidates].index(path)
    assert told[best] > 0.5 > untold.max()
    assert untold[same] < told[best] - 0.3


def shown_for(kg, ranker: Ranker, text: str) -> tuple[int, ...]:
    """The sentences shown for the fact of the best path, which has one hop."""
    features = features_of(kg, text)
    along = features.facts.along[int(ranker.score(features).total.argmax())]
    assert (along >= 0).sum() == 1
    asked = along[:1]
    shown = ranker.evidence(features, asked)
    assert len(shown) == len(features.facts.heads)
    assert ranker.evidence(features)[asked[0]] == shown[asked[0]]  # whatever else is asked
    assert not any(of for at, of in enumerate(shown) if at != asked[0])
    return shown[asked[0]]


def test_behind_he_the_sentence_with_the_name_is_shown_too(kg) -> None:
    ranker = KgpathGeneral()
    text = "Damien Chazelle is an American filmmaker. He directed La La Land. Rain fell."
    assert shown_for(kg, ranker, text) == (0, 1)
    by_name = "Rain fell. La La Land was directed by Damien Chazelle. Nobody came."
    assert shown_for(kg, ranker, by_name) == (1,)


# What ships may be spoiled


def spoil(folder: Path, how: str) -> None:
    if how == "missing":
        shutil.rmtree(folder)
    elif how == "a file is missing":
        (folder / "paths-leaves.npy").unlink()
    elif how == "empty":
        shutil.rmtree(folder)
        folder.mkdir()
    else:
        altered = bytearray((folder / "facts-leaves.npy").read_bytes())
        altered[-3] ^= 1
        (folder / "facts-leaves.npy").write_bytes(altered)


@pytest.mark.parametrize("how", ["missing", "a file is missing", "empty", "altered"])
def test_where_what_ships_is_spoiled_zero_shot_answers_and_a_note_says_so_once(
    kg, tmp_path: Path, monkeypatch, capsys, how: str
) -> None:
    folder = Path(shutil.copytree(models.SHIPPED, tmp_path / "shipped"))
    monkeypatch.setattr(models, "SHIPPED", folder)
    spoil(folder, how)
    features, ranker = oscars(kg), KgpathGeneral()
    expected = ZeroShot().score(features)
    for _ in range(2):
        found = ranker.score(features)
        assert found.total.tolist() == expected.total.tolist()
        assert list(found.parts) == list(expected.parts) and found.probability is None
        assert ranker.evidence(features) == shown_sentences(features)
    out, said = capsys.readouterr()
    assert out == "" and said.count("\n") == 1
    assert said.startswith("kgpath: the model that ships with kgpath cannot be used: ")
    assert str(folder) in said
    assert "zero-shot answers in its place. Install kgpath again to mend it." in said


def test_where_what_ships_is_whole_nothing_is_said(kg, capsys) -> None:
    KgpathGeneral().score(oscars(kg))
    assert capsys.readouterr() == ("", "")


def test_what_was_learned_needs_nothing_that_ships(kg, trained, tmp_path, monkeypatch, capsys):
    expected = kgpath.load_model(trained, kg).score(oscars(kg)).total.tolist()
    monkeypatch.setattr(models, "SHIPPED", tmp_path / "nowhere")
    assert kgpath.load_model(trained, kg).score(oscars(kg)).total.tolist() == expected
    assert capsys.readouterr().err == ""


# Untrained


def test_without_what_ships_it_says_that_it_has_to_be_trained(kg, tmp_path: Path) -> None:
    ranker = KgpathGeneral(shipped=False)
    assert not ranker.ready and KgpathGeneral().ready
    said = (
        r"^kgpath-general\(shipped=false\) has to be trained first: "
        r"kgpath train GRAPH QUERIES --ranker kgpath-general -o MODEL$"
    )
    features = oscars(kg)
    with pytest.raises(BadOption, match=said):
        ranker.score(features)
    with pytest.raises(BadOption, match=said):
        ranker.evidence(features)
    with pytest.raises(BadOption, match=r"^kgpath-general has learned nothing yet, so there is"):
        ranker.save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("name", ["trees", "fact_trees"])
def test_there_are_one_or_more_trees(name: str) -> None:
    with pytest.raises(BadOption, match=rf"^{name} is 0; it can be 1 or more\.$"):
        KgpathGeneral(**{name: 0})


def test_where_there_are_no_paths_there_are_no_scores(film) -> None:
    context = Context(film, "James Bond met Beyoncé.")
    ends = film.entity("James Bond"), film.entity("Beyoncé")
    features = PathFeatures(context, candidates_for(context, *ends))
    for ranker in (KgpathGeneral(), KgpathGeneral(Letters())):
        scores = ranker.score(features)
        assert scores.total.shape == chances(scores).shape == (0,)
        assert ranker.evidence(features) == []


# Trained


@pytest.fixture(scope="module")
def trained(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model that learned from the sample's queries."""
    pytest.importorskip("lightgbm")
    output = tmp_path_factory.mktemp("general") / "model"
    with kgpath.open(sample_path) as graph:
        made = kgpath.train(graph, sample_queries(), output, ranker=CHOICE)
    assert made.examples == made.queries == 18 and not made.notes
    return output


def test_an_encoder_that_has_to_learn_does_so_and_is_part_of_the_model(
    kg, tiny_bert: str, tmp_path: Path
) -> None:
    pytest.importorskip("lightgbm")
    encoder = f"kg-bert(base={tiny_bert}, steps=2, batch=4, layers=1)"
    ranker = KgpathGeneral(encoder=encoder, trees=10, fact_trees=10)
    ranker.fit(QuerySet(kg, QueryFile(sample_queries()).queries, limit=20).examples(untold=True))
    ranker.save(tmp_path / "own")
    assert (tmp_path / "own" / "encoder" / "tuned.safetensors").is_file()
    again = KgpathGeneral(encoder=encoder, trees=10, fact_trees=10)
    again.load(tmp_path / "own")
    features = oscars(kg)
    assert again.score(features).total.tolist() == ranker.score(features).total.tolist()


def test_a_model_that_was_saved_and_loaded_gives_the_same_scores(kg, trained, tmp_path) -> None:
    query_set = QuerySet(kg, QueryFile(sample_queries()).queries)
    ranker = KgpathGeneral(trees=10, fact_trees=10)
    ranker.fit(query_set.examples(untold=True))
    ranker.save(tmp_path / "own")
    again = KgpathGeneral(trees=10, fact_trees=10)
    again.load(tmp_path / "own")
    loaded, features = kgpath.load_model(trained, kg), oscars(kg)
    expected = ranker.score(features)
    for other in (again, loaded):
        found = other.score(features)
        assert found.total.tolist() == expected.total.tolist()
        assert chances(found).tolist() == chances(expected).tolist()
        assert {name: part.tolist() for name, part in found.parts.items()} == {
            name: part.tolist() for name, part in expected.parts.items()
        }
    assert again.ready and again.model_ is not None
    # It learned, and no longer is what ships.
    assert KgpathGeneral().score(features).total.tolist() != expected.total.tolist()


def test_questions_teach_no_sentences_so_those_of_what_ships_are_shown(kg, trained) -> None:
    features = oscars(kg)
    ranker = KgpathGeneral(shipped=False)
    ranker.load(next(path.parent for path in trained.rglob("told.json")))
    assert ranker.model_ is not None and ranker.model_.sentences is None
    assert ranker.evidence(features) == KgpathGeneral().evidence(features)


def test_a_model_that_was_altered_is_refused_in_words(kg, trained, tmp_path) -> None:
    copy = Path(shutil.copytree(trained, tmp_path / "model"))
    leaves = next(copy.rglob("facts-leaves.npy"))
    leaves.write_bytes(leaves.read_bytes()[:-1])
    with pytest.raises(
        BadStore, match=r"facts-leaves\.npy was altered since it was trained\. Train it again\.$"
    ):
        kgpath.load_model(copy, kg)


def untold() -> list[Query]:
    """The sample's pairs, each beside a text that says nothing of both."""
    queries = QueryFile(sample_queries()).queries
    return [
        replace(
            query,
            id=f"untold-{at}",
            paths=(),
            document=f"Nothing happened in week {at}. {query.head}",
            evidence=(),
        )
        for at, query in enumerate(queries)
    ]


def test_untold_questions_are_learned_from(kg, trained, tmp_path: Path) -> None:
    assert KgpathGeneral.learns_from_untold
    queries = QueryFile(sample_queries()).queries
    made = kgpath.train(kg, [*queries, *untold()], tmp_path / "model", ranker=CHOICE)
    assert made.examples == made.queries == 36
    told_only, both = kgpath.load_model(trained, kg), kgpath.load_model(made.path, kg)
    query_set = QuerySet(kg, untold())
    found = [query_set.features(query) for query in query_set]
    best = {
        name: np.mean([chances(ranker.score(one)).max() for one in found if one is not None])
        for name, ranker in (("told only", told_only), ("both", both))
    }
    # It learned that a text may tell nothing, without unlearning what is told.
    assert best["both"] < 0.3 < best["told only"]
    told = QuerySet(kg, queries)
    sure = [chances(both.score(one)).max() for one in map(told.features, told) if one is not None]
    assert np.mean(sure) > 0.5
