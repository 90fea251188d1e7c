"""Figure 4 and section 9.1: path vectors in the plane, with clusters and the paper's six paths."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.path.random_paths import random_paths
from kgpath.errors import BadOption, KgpathError
from kgpath.extras import require
from kgpath.graph import Graph
from kgpath.paths.path_arrays import PathArrays
from kgpath.reproduce.ecpr.pictures import open_plot
from kgpath.reproduce.ecpr.study import Study, study_of
from kgpath.reproduction import Picture, Request, Table
from kgpath.types import Hop, Path

#: From Francis Ford Coppola, by one fact to each of these; D by another relation than the others.
_HEAD = "http://dbpedia.org/resource/Francis_Ford_Coppola"
_TAILS = {
    "A": "The_Godfather",
    "B": "The_Godfather_Part_II",
    "C": "Apocalypse_Now",
    "D": "Sofia_Coppola",
    "E": "The_Godfather_(film_series)",
    "F": "The_Godfather_Saga",
}
_DIRECTOR = "http://dbpedia.org/ontology/director"
_CHILD = "http://dbpedia.org/ontology/child"
SAMPLE, QUICK_SAMPLE, CLUSTERS = 800, 100, 8


def figure_4(request: Request) -> Iterator[Table | Picture]:
    """Path vectors by t-SNE, clusters by K-means, and the distances of section 9.1."""
    study = study_of(request)
    named = named_paths(study.graph)
    rows = random_paths(study.graph.index, QUICK_SAMPLE if request.quick else SAMPLE, request.seed)
    drawn = PathArrays.from_paths(study.graph, list(named.values()))
    sample = replace(rows, source=study.graph)
    encoder, why = study.ped
    if encoder is None:
        raise BadOption(why)
    vectors = np.vstack([encoder.encode(sample), encoder.encode(drawn)])
    places, clusters = _plane(vectors, request.seed)
    own = dict(zip(named, range(len(sample), len(vectors)), strict=True))
    yield _distances(study, named, {name: vectors[at] for name, at in own.items()}, clusters, own)
    yield _picture(places, clusters, own)


def named_paths(graph: Graph) -> dict[str, Path]:
    """Those of the paths A to F that the graph has the entities for.

    A path need not be a fact of the graph: F is to be placed without having been seen.
    """
    relations = {relation.iri: relation for relation in graph.store.relations}
    found = {}
    for name, tail in _TAILS.items():
        relation = relations.get(_CHILD if name == "D" else _DIRECTOR)
        try:
            ends = graph.entity(_HEAD), graph.entity(f"http://dbpedia.org/resource/{tail}")
        except KgpathError:
            continue
        if relation is not None:
            found[name] = Path(ends, (Hop(relation, name == "D"),))
    return found


def _plane(
    vectors: NDArray[np.float32], seed: int
) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    require("sklearn threadpoolctl", "learn", "t-SNE")
    from sklearn.cluster import KMeans
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    if len(vectors) < CLUSTERS + 2:
        raise BadOption("The graph has too few paths for a picture of them.")
    near = min(30, (len(vectors) - 1) // 3)
    # One thread: sums come out the same on every machine, and on a busy one threads only wait.
    with threadpool_limits(1):
        places = TSNE(perplexity=near, init="pca", random_state=seed).fit_transform(vectors)
        clusters = KMeans(CLUSTERS, n_init=4, random_state=seed).fit_predict(vectors)
    return places, clusters


def _distances(
    study: Study, named: dict[str, Path], vectors: dict[str, Any], clusters: Any,
    own: dict[str, int],
) -> Table:  # fmt: skip
    """PED of each to each, and which of the paper's remarks hold."""

    def apart(one: str, other: str) -> float:
        a, b = vectors[one].astype(np.float64), vectors[other].astype(np.float64)
        cosine = a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-12)
        return max(float((1 - cosine) / 2), 0.0)

    rows = [
        (
            name, str(path), int(clusters[own[name]]),
            *(apart(name, other) for other in named),
        )
        for name, path in named.items()
    ]  # fmt: skip
    notes = [f"PED of paths by {study.settings.ped}; clusters by K-means, {CLUSTERS} of them."]
    for said, near, far in _REMARKS:
        if all(letter in named for letter in (*near, *far)):
            holds = apart(*near) < apart(*far)
            notes.append(f"{said}: {'holds' if holds else 'does not hold'}.")
    if "F" in named:
        notes.append("Whether F was among the paths learned from is left to chance here.")
    if not named:
        notes.append("The graph has none of the paper's six paths: the picture has chance ones.")
    return Table(
        "ecpr-f4", "Figure 4. The paths of section 9.1", ("", "path", "cluster", *named),
        tuple(rows), tuple(notes),
    )  # fmt: skip


_REMARKS: Sequence[tuple[str, str, str]] = (
    ("A is nearer to B than to C", "AB", "AC"),
    ("A is nearer to C than to D, another relation", "AC", "AD"),
    ("E is nearer to A than D is", "AE", "AD"),
    ("F is nearer to A than C is", "AF", "AC"),
)


def _picture(places: Any, clusters: Any, own: dict[str, int]) -> Picture:
    def paint(axes: Any) -> None:
        axes.scatter(*places.T, c=clusters, cmap="tab10", s=9, alpha=0.6, linewidths=0)
        for name, at in own.items():
            axes.scatter(*places[at], color="black", s=22, zorder=3)
            axes.annotate(
                name, places[at], xytext=(4, 4), textcoords="offset points", weight="bold"
            )
        axes.set_xticks([])
        axes.set_yticks([])
        axes.spines[:].set_visible(False)

    return open_plot("ecpr-f4", "Path vectors by t-SNE, coloured by K-means", paint, (6, 6))
