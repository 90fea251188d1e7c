"""A trained ranker as a folder: damaged, of another graph, or of an older kgpath."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.errors import BadStore, NotWritable
from kgpath.io.queries import Query, QueryFile
from kgpath.learning.examples import QuerySet
from kgpath.learning.models import check_place, load_model, read_about
from kgpath.learning.train import Trained, train
from kgpath.plugins import RANKERS

#: Trained by version 0.1 on the first three queries of the sample, and its scores of two others.
OLD = Path(__file__).parent / "old_models"


@pytest.mark.parametrize("damage", ["missing", "altered", "no model.json", "not JSON", "old"])
def test_a_damaged_model_is_refused(
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
    sample_path: Path, queries: list[Query], tmp_path: Path
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
        sample, queries[:3], tmp_path / "m", limit=30,
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


def test_a_model_over_another_file_of_word_vectors_is_refused(
    sample: kgpath.Graph, queries: list[Query], tmp_path: Path
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("bond 1 0\nfilm 0 1\n")
    ranker = f"score-ltr(of=avg-cosine(vectors={words}), trees=2)"
    made = train(sample, queries[:3], tmp_path / "m", limit=20, ranker=ranker)
    load_model(made.path, sample, vectors=str(words))
    words.write_text("bond 1 0\nfilm 1 1\n")
    with pytest.raises(BadStore, match="trained with other word vectors"):
        load_model(made.path, sample, vectors=str(words))
    rewrite(made.path, needs={})  # as an older kgpath wrote it
    load_model(made.path, sample, vectors=str(words))


@pytest.mark.parametrize("written", [True, False])
def test_a_model_of_another_version_of_its_ranker_says_so(
    sample: kgpath.Graph,
    trained: Trained,
    tmp_path: Path,
    written: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = Path(shutil.copytree(trained.path, tmp_path / "m"))
    kind = RANKERS.load("kgpath-ltr")
    if written:
        assert read_about(folder)["versions"] == f"KgpathLTR {kind.version}"
    else:
        rewrite(folder, versions=None)
    if not written:  # what was written before versions were is of the first one
        monkeypatch.setattr(kind, "version", 1)
    trained_by = kind.version
    load_model(folder, sample)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(kind, "version", trained_by + 1)
    load_model(folder, sample)
    said = capsys.readouterr().err
    versions = f"(KgpathLTR {trained_by}, now {trained_by + 1})"
    assert f"m was trained by another version of the ranker {versions}" in said
    assert f"kgpath train {sample.path.name} QUERIES -o {folder} --ranker 'kgpath-ltr(" in said


def rewrite(folder: Path, **changes: object) -> None:
    """Other entries in model.json; without those that are None."""
    about = json.loads((folder / "model.json").read_text()) | changes
    kept = {name: value for name, value in about.items() if value is not None}
    (folder / "model.json").write_text(json.dumps(kept))


def test_a_folder_that_is_no_model_is_not_overwritten(
    sample: kgpath.Graph, queries: list[Query], tiny: str, tmp_path: Path
) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(NotWritable, match="is no model"):
        train(sample, queries[:2], tmp_path, ranker=tiny, limit=30)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


# Models that an older kgpath wrote


@pytest.mark.parametrize("name", ["kgpath-ltr", "score-ltr"])
def test_an_old_model_scores_as_it_did(sample: kgpath.Graph, name: str) -> None:
    """Its trees are read as they were; what other texts say of names has changed since."""
    ranker = load_model(OLD / name, sample)
    query_set = QuerySet(sample, QueryFile(sample_queries()).queries[3:4], limit=15)
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
    assert (ranker.relevance, ranker.fitted_context_encoder.scope) == ("truncated", "document")


def test_a_model_is_replaced_but_nothing_beside_it(trained: Trained, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    shutil.copytree(trained.path, folder)
    check_place(folder)
    (folder / "hops-0.txt").unlink()
    check_place(folder)  # damaged: may be trained again
    (folder / "notes").mkdir()
    (folder / "notes" / "thesis.txt").write_text("years of work")
    with pytest.raises(NotWritable, match=r"would be lost: notes/thesis.txt\. Name another"):
        check_place(folder)
    (tmp_path / "n").mkdir()
    (tmp_path / "n" / "model.json").write_text("{}")
    with pytest.raises(NotWritable, match="is no model"):
        check_place(tmp_path / "n")
