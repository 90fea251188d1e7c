"""Parts of a dataset for comparisons: long and short paths, candidates alike and apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.datasets.statistics import Row
from kgpath.datasets.synthetic.paths import STRATA
from kgpath.datasets.synthetic.recipe import Recipe, Stratum
from kgpath.graph import Graph
from kgpath.io.progress import Progress
from kgpath.io.queries import query_of
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import PATH_ENCODERS


class Chosen(NamedTuple):
    """The places of a stratum's records among all, and what there is to say of it."""

    places: list[int]
    about: dict[str, Any]


def encoder_of(graph: Graph, recipe: Recipe) -> Any:
    """The path encoder by which candidates are apart; None for their overlap.

    Says so at once if there is none of the name, or if the graph lacks what it needs.
    """
    if recipe.distance_by == "overlap":
        return None
    encoder = PATH_ENCODERS.make(recipe.distance_by)
    encoder.check_requirements(graph)
    return encoder


def choose(
    graph: Graph, recipe: Recipe, encoder: Any, folder: Path, rows: list[Row], progress: Progress
) -> dict[str, Chosen]:
    """The records of every stratum, by lot among those that fit."""
    distances = [row.distance for row in rows]
    asked = any(
        bound is not None for one in recipe.strata.values() for bound in (one.below, one.above)
    )
    if asked and encoder is not None:
        progress(f"fitting {recipe.distance_by}", 0, 0)
        encoder.fit(graph, _candidates(graph, recipe, folder))
        distances = list(_encoded(encoder, graph, recipe, folder, len(rows), progress))
    rng = np.random.default_rng([recipe.seed, STRATA])
    return {name: _chosen(stratum, rows, distances, rng) for name, stratum in recipe.strata.items()}


def write_strata(
    folder: Path, splits: list[str], rows: list[Row], strata: dict[str, Chosen]
) -> None:
    """A file of records for each stratum, in the order of the dataset."""
    if not strata:
        return
    (folder / "strata").mkdir()
    files = [(folder / f"{split}.jsonl").open("rb") for split in splits]
    try:
        for name, chosen in strata.items():
            with (folder / "strata" / f"{name}.jsonl").open("wb") as out:
                for place in chosen.places:
                    files[rows[place].file].seek(rows[place].start)
                    out.write(files[rows[place].file].readline())
    finally:
        for file in files:
            file.close()


def _chosen(
    stratum: Stratum,
    rows: list[Row],
    distances: list[float | None],
    rng: np.random.Generator,
) -> Chosen:
    most = stratum.max_candidates
    fitting = [
        at
        for at, row in enumerate(rows)
        if stratum.min_hops <= row.hops <= stratum.max_hops
        and stratum.min_candidates <= row.candidates
        and (most is None or row.candidates <= most)
        and (stratum.named is None or row.named is stratum.named)
    ]
    note = ""
    if stratum.below is not None or stratum.above is not None:
        fitting, note = _by_distance(stratum, fitting, distances)
    if len(fitting) > stratum.queries:
        fitting = sorted(rng.permutation(fitting)[: stratum.queries].tolist())
    about: dict[str, Any] = {"queries": len(fitting)}
    if fitting:
        about["hops"] = round(float(np.mean([rows[at].hops for at in fitting])), 2)
        about["candidates"] = round(float(np.mean([rows[at].candidates for at in fitting])), 2)
        known = [d for at in fitting if (d := distances[at]) is not None]
        about["distance"] = round(float(np.mean(known)), 3) if known else None
    if len(fitting) < stratum.queries and not note:
        note = f"{stratum.queries:,} were asked for"
    if note:
        about["note"] = note
    return Chosen(fitting, about)


def _by_distance(
    stratum: Stratum, fitting: list[int], distances: list[float | None]
) -> tuple[list[int], str]:
    """Those within the bounds, or the nearest to a bound where they are too few."""
    low = -np.inf if stratum.above is None else stratum.above
    high = np.inf if stratum.below is None else stratum.below
    known = [(d, at) for at in fitting if (d := distances[at]) is not None]
    within = [at for d, at in known if low < d < high]
    if len(within) >= stratum.queries or (stratum.above is not None and stratum.below is not None):
        return within, ""
    nearest = sorted(known, key=lambda one: (one[0] if stratum.above is None else -one[0], one[1]))
    taken = sorted(at for _, at in nearest[: stratum.queries])
    if len(taken) <= len(within):
        return taken, ""
    last = nearest[len(taken) - 1][0]
    bound = f"below {high:g}" if stratum.above is None else f"above {low:g}"
    return taken, f"only {len(within):,} lie {bound}; taken up to {last:.3f}"


def _encoded(
    encoder: Any, graph: Graph, recipe: Recipe, folder: Path, total: int, progress: Progress
) -> Iterator[float | None]:
    """The mean PED of the candidates of every record, two by two."""
    for number, found in enumerate(_candidates(graph, recipe, folder)):
        progress("measuring candidates", number, total)
        yield _mean_ped(encoder.encode(found)) if len(found) > 1 else None


def _candidates(graph: Graph, recipe: Recipe, folder: Path) -> Iterator[PathArrays]:
    for split in recipe.splits:
        with (folder / f"{split}.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                yield PathArrays.from_iris(graph, query_of(json.loads(line)).candidates)


def _mean_ped(vectors: NDArray[np.float32]) -> float:
    rows = vectors.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows /= np.where(lengths > 0, lengths, 1)
    cosines = (rows @ rows.T)[np.triu_indices(len(rows), 1)]
    return round(float((1 - cosines).mean() / 2), 4)
