"""Training a ranker, the folder it becomes, and what happens when that folder is damaged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.errors import BadOption, BadStore, NotWritable
from kgpath.io.queries import Query, QueryFile
from kgpath.learning.evaluate import Evaluator
from kgpath.learning.models import load_model, read_about
from kgpath.learning.train import Trained, train

TINY = "kgpath-ltr(trees=20, hop_trees=20, rounds=1)"
#: Hops are scored by a model for each of five parts of the texts.
MODELS = (("hops", 5), ("paths", 1))


@pytest.fixture(scope="module")
def questions() -> list[Query]:
    return QueryFile(sample_queries()).queries


@pytest.fixture(scope="module")
def trained(sample_path: Path, questions: list[Query], tmp_path_factory) -> Trained:
    with kgpath.open(sample_path) as kg:
        return train(kg, questions, tmp_path_factory.mktemp("model") / "m", ranker=TINY, limit=60)


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
    questions: list[Query],
    trained: Trained,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ranker = load_model(trained.path, sample)
    assert capsys.readouterr().err == ""
    (run,) = Evaluator(sample, questions, limit=60).run({}, {"model": ranker})
    assert run.paths.means()["MRR"] > 0.95


def test_trained_twice_it_is_the_same(
    sample: kgpath.Graph, questions: list[Query], trained: Trained, tmp_path: Path
) -> None:
    again = train(sample, questions, tmp_path / "m", ranker=TINY, limit=60)
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


@pytest.mark.parametrize("damage", ["missing", "altered", "no model.json", "not JSON", "old"])
def test_a_damaged_model_is_told(
    sample: kgpath.Graph, trained: Trained, tmp_path: Path, damage: str
) -> None:
    folder = tmp_path / "m"
    shutil.copytree(trained.path, folder)
    if damage == "missing":
        (folder / "hops-3.txt").unlink()
    elif damage == "altered":
        (folder / "hops-0.txt").write_text("tree")
    elif damage == "no model.json":
        (folder / "model.json").unlink()
    elif damage == "not JSON":
        (folder / "model.json").write_text("{")
    else:
        about = json.loads((folder / "model.json").read_text())
        (folder / "model.json").write_text(json.dumps({**about, "format": 0}))
    with pytest.raises(BadStore, match=r"Train it again|Make one"):
        load_model(folder, sample)


def test_a_model_of_another_graph_says_so(
    film: kgpath.Graph, trained: Trained, capsys: pytest.CaptureFixture[str]
) -> None:
    ranker = load_model(trained.path, film)
    assert "another graph" in capsys.readouterr().err
    assert len(film.query("Roger Moore", "Daniel Craig", "Bond", ranker=ranker)) > 0


def test_a_model_over_other_vectors_is_refused(
    sample_path: Path, questions: list[Query], tmp_path: Path
) -> None:
    copy = shutil.copy(sample_path, tmp_path)  # vectors are put beside it
    rng = np.random.default_rng(0)
    sample = kgpath.open(copy)
    sizes = len(sample), len(sample.store.relations)

    def embed() -> None:
        rows = (rng.normal(size=(size, 4)).astype(np.float32) for size in sizes)
        Embedding(*rows).save(folder_of(sample), sample.fingerprint)

    embed()
    made = train(
        sample, questions[:3], tmp_path / "m", limit=30,
        ranker="xendcg(context_encoder=fused-none, path_encoder=path-mean, trees=5)",
    )  # fmt: skip
    with kgpath.open(copy) as again:
        load_model(made.path, again)
    embed()  # as after another kgpath embed
    with (
        kgpath.open(copy) as again,
        pytest.raises(BadStore, match="trained with other TransE vectors"),
    ):
        load_model(made.path, again)


def test_what_cannot_be_learned_from(
    sample: kgpath.Graph, film: kgpath.Graph, questions: list[Query], tmp_path: Path
) -> None:
    with pytest.raises(BadOption, match="nothing to learn"):
        train(sample, questions, tmp_path / "m", ranker="shortest")
    with pytest.raises(BadOption, match="No query to learn from"):
        train(film, questions[:3], tmp_path / "m", ranker=TINY)  # their paths are not in this graph
    assert not (tmp_path / "m").exists()
    with pytest.raises(BadOption, match="has to be trained"):
        sample.query("Roger Moore", "Daniel Craig", "Bond", ranker="kgpath-ltr")


def test_two_texts_are_enough_and_one_is_not(
    sample: kgpath.Graph, questions: list[Query], tmp_path: Path
) -> None:
    assert train(sample, questions[:2], tmp_path / "m", ranker=TINY, limit=60).examples == 2
    with pytest.raises(BadOption, match="over one text"):
        train(sample, questions[:1], tmp_path / "n", ranker=TINY, limit=60)
    assert not (tmp_path / "n").exists()


def test_a_folder_that_is_no_model_is_not_overwritten(
    sample: kgpath.Graph, questions: list[Query], tmp_path: Path
) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(NotWritable, match="is no model"):
        train(sample, questions[:2], tmp_path, ranker=TINY, limit=30)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_three_functions_are_enough(
    sample: kgpath.Graph, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "queries.jsonl"
    file.write_text("".join([*sample_queries().open(), "{}\n"]), encoding="utf-8")
    made = kgpath.train(sample, file, tmp_path / "m", ranker=TINY, limit=60)
    assert made.examples == made.queries == len(QueryFile(sample_queries()).queries)
    assert "no document" in made.notes[0]
    runs = kgpath.evaluate(sample, file, ["shortest"], models=[made.path], limit=60)
    assert [run.ranker for run in runs] == ["shortest", str(made.path)]
    assert runs[0].paths.means()["MRR"] < runs[1].paths.means()["MRR"]
    assert "no document" in capsys.readouterr().err
    model = kgpath.load_model(made.path, sample)
    assert sample.query("Roger Moore", "Daniel Craig", "James Bond.", ranker=model).candidates
