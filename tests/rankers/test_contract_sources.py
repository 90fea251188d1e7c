"""No score knows which file a fact came from, in which order, or what the files were called."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyoxigraph
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_files, sample_queries
from kgpath.encoders.vectors.embedding import folder_of
from kgpath.io.queries import QueryFile
from kgpath.learning.examples import QuerySet
from kgpath.learning.models import load_model, read_about
from kgpath.learning.train import train

VAE = "path-vae(hidden=8, latent=4, paths=300, epochs=1)"
RANKERS = {
    "kgpath-ltr": "kgpath-ltr(trees=10, hop_trees=10)",
    "xendcg": f"xendcg(trees=10, context_encoder=fused-inout, path_encoder={VAE})",
    "binary": "binary(epochs=2, context_encoder=avg-transe, path_encoder=path-mean)",
    "listwise": "listwise(epochs=2, context_encoder=avg-transe, path_encoder=path-mean)",
}
LIMIT = 40

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("torch"), reason="needs torch"),
]


def shuffled_sources(folder: Path) -> list[Path]:
    """The statements of the sample, dealt to three files of two formats in random order."""
    statements = sorted(
        {
            f"{found.subject} {found.predicate} {found.object} .\n"
            for file in sample_files()
            for found in pyoxigraph.parse(path=str(file))
        }
    )
    random.Random(7).shuffle(statements)
    paths = [folder / name for name in ("z-last.nt", "a-first.ttl", "middle.nt.gz")]
    for number, path in enumerate(paths):
        lines = "".join(statements[number::3]).encode()
        path.write_bytes(gzip.compress(lines) if path.suffix == ".gz" else lines)
    return paths


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[kgpath.Graph]]:
    """The sample from its own files and from shuffled ones, each with TransE trained on it."""
    from kgpath.encoders.vectors.transe import train_transe

    opened = []
    for name in ("film.kg", "other-name.kg"):
        folder = tmp_path_factory.mktemp("sources")
        sources = sample_files() if name == "film.kg" else shuffled_sources(folder)
        kgpath.build(sources, folder / name)
        graph = kgpath.open(folder / name)
        made = train_transe(
            graph, configuration="quick", epochs=1, seed=0, folder=folder / "training"
        )
        made.save(folder_of(graph), graph.fingerprint)
        opened.append(graph)
    yield opened
    for graph in opened:
        graph.close()


def test_the_sources_are_really_others(graphs: list[kgpath.Graph]) -> None:
    one, other = ([row[0] for row in g.store.db.execute("SELECT name FROM source")] for g in graphs)
    assert len(one) == 2 and len(other) == 3 and not set(one) & set(other)
    assert graphs[0].fingerprint == graphs[1].fingerprint


@pytest.mark.parametrize("name", RANKERS)
def test_scores_are_the_same_to_the_last_digit(
    name: str,
    graphs: list[kgpath.Graph],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    queries = QueryFile(sample_queries()).queries[:8]
    files, scores = [], []
    for number, graph in enumerate(graphs):
        made = train(graph, queries, tmp_path / str(number), ranker=RANKERS[name], limit=LIMIT)
        files.append(read_about(made.path)["files"])
        capsys.readouterr()
        ranker = load_model(made.path, graph)
        assert capsys.readouterr().err == ""  # no note: the same graph and the same version
        query_set = QuerySet(graph, queries, limit=LIMIT)
        found = (query_set.features(query) for query in query_set)
        scores.append(
            {
                tuple(path.iris()): score
                for features in found
                if features is not None
                for path, score in zip(
                    features.candidates, ranker.score(features).total.tolist(), strict=True
                )
            }
        )
    assert scores[0] == scores[1]  # not only nearly
    assert len(scores[0]) > 200 and np.ptp(list(scores[0].values())) > 0
    # What was learned is the same too, but for how long it took.
    assert {k: v for k, v in files[0].items() if "path_vae" not in k} == {
        k: v for k, v in files[1].items() if "path_vae" not in k
    }
