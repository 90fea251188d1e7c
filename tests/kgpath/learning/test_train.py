"""Training a ranker: what it learns, and from what it cannot learn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries
from kgpath.errors import BadOption
from kgpath.io.queries import Query, QueryFile
from kgpath.learning.evaluate import Evaluator
from kgpath.learning.models import load_model, read_about
from kgpath.learning.train import Trained, train

#: Hops are scored by a model for each of five folds of the texts.
MODELS = (("hops", 5), ("paths", 1))


def test_a_model_is_a_folder_without_code(trained: Trained) -> None:
    names = sorted(path.name for path in trained.path.iterdir())
    hops, paths = ([f"{name}-{n}.txt" for n in range(count)] for name, count in MODELS)
    assert names == sorted([*hops, *paths, "model.json", "statistics.json"])
    about = json.loads((trained.path / "model.json").read_text())
    assert about["ranker"].startswith("kgpath-ltr(trees=20, hop_trees=20")
    assert about["examples"] == trained.examples == 18
    assert set(about["files"]) == set(names) - {"model.json"}


def test_a_model_learns_what_it_was_shown(
    sample: kgpath.Graph,
    queries: list[Query],
    trained: Trained,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ranker = load_model(trained.path, sample)
    assert capsys.readouterr().err == ""
    (run,) = Evaluator(sample, queries, limit=60).run({}, {"model": ranker})
    assert run.paths.means()["MRR"] > 0.95


def test_what_is_learned_tells_how_far_it_is(sample: kgpath.Graph, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    train(
        sample, sample_queries(), tmp_path / "m", ranker="score-ltr(of=shortest, trees=5)",
        limit=20, progress=lambda *what: seen.append(what),
    )  # fmt: skip
    assert seen[0] == ("reading queries", 0, 18)
    assert seen[18:20] == [("learning", 0, 0), ("learning score-ltr", 0, 5)]
    assert [done for what, done, _ in seen if what.startswith("learning score-ltr")] == list(
        range(5)
    )


def test_trained_twice_it_is_the_same(
    sample: kgpath.Graph, queries: list[Query], trained: Trained, tiny: str, tmp_path: Path
) -> None:
    again = train(sample, queries, tmp_path / "m", ranker=tiny, limit=60)
    assert read_about(again.path)["files"] == read_about(trained.path)["files"]


def test_scores_do_not_depend_on_direction_and_parts_sum_up(
    sample: kgpath.Graph, trained: Trained
) -> None:
    ranker = load_model(trained.path, sample)
    text = QueryFile(sample_queries()).queries[0].document
    one = sample.query("Roger Moore", "Daniel Craig", text, ranker=ranker, k=20)
    other = sample.query("Daniel Craig", "Roger Moore", text, ranker=ranker, k=20)
    assert [a.path for a in one] == [a.path.reversed() for a in other]
    assert np.allclose([a.score for a in one], [a.score for a in other])
    for answer in one:
        assert sum(answer.parts.values()) == pytest.approx(answer.score)
        assert len(answer.parts) == 5  # four hops at most, and the whole path


def test_what_cannot_be_learned_from(
    sample: kgpath.Graph, film: kgpath.Graph, queries: list[Query], tiny: str, tmp_path: Path
) -> None:
    with pytest.raises(BadOption, match="nothing to learn"):
        train(sample, queries, tmp_path / "m", ranker="shortest")
    with pytest.raises(BadOption, match="No query to learn from"):
        train(film, queries[:3], tmp_path / "m", ranker=tiny)  # their paths are not in this graph
    assert not (tmp_path / "m").exists()
    with pytest.raises(BadOption, match="has to be trained"):
        sample.query("Roger Moore", "Daniel Craig", "Bond", ranker="kgpath-ltr")


def test_two_texts_are_enough_and_one_is_not(
    sample: kgpath.Graph, queries: list[Query], tiny: str, tmp_path: Path
) -> None:
    assert train(sample, queries[:2], tmp_path / "m", ranker=tiny, limit=60).examples == 2
    with pytest.raises(BadOption, match="over one text"):
        train(sample, queries[:1], tmp_path / "n", ranker=tiny, limit=60)
    assert not (tmp_path / "n").exists()


def test_three_functions_are_enough(
    sample: kgpath.Graph, tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "queries.jsonl"
    file.write_text("".join([*sample_queries().open(), "{}\n"]), encoding="utf-8")
    made = kgpath.train(sample, file, tmp_path / "m", ranker=tiny, limit=60)
    assert made.examples == made.queries == len(QueryFile(sample_queries()).queries)
    assert "no document" in made.notes[0]
    runs = kgpath.evaluate(sample, file, ["shortest"], models=[made.path], limit=60)
    assert [run.ranker for run in runs] == ["shortest", str(made.path)]
    assert runs[0].paths.means()["MRR"] < runs[1].paths.means()["MRR"]
    assert "no document" in capsys.readouterr().err
    model = kgpath.load_model(made.path, sample)
    assert sample.query("Roger Moore", "Daniel Craig", "James Bond.", ranker=model).candidates
