"""Training TransE with PyKEEN: a vector for every entity and relation of a graph."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kgpath.encoders.vectors.embedding import Embedding
from kgpath.encoders.vectors.transe_checkpoint import Checkpoint
from kgpath.encoders.vectors.transe_training import Configuration, Training, quiet
from kgpath.encoders.vectors.triple_split import split
from kgpath.errors import BadOption, BadSource, UnknownName
from kgpath.io.progress import Progress, reporting, silent

if TYPE_CHECKING:
    from kgpath.graph import Graph

FEWEST_EDGES = 10
#: Raise it when the same graph and configuration give other vectors: a training that another
#: version began is not resumed. Vectors themselves are told apart by their numbers.
VERSION = 1

CONFIGURATIONS = {
    "quick": Configuration(),
    # What Lo & Lim say: 64 dimensions, Adam at 0.001, 500 epochs, early stopping. What they do not
    # say (batch, negatives, margin, patience) is usual.
    "paper": Configuration(
        batch=1024, negatives=1, epochs=500, minutes=None, every=10, patience=5, test=5000
    ),
}


def train_transe(
    graph: Graph,
    *,
    configuration: str = "quick",
    minutes: float | None = None,
    epochs: int | None = None,
    seed: int = 0,
    folder: Path | None = None,
    progress: Progress = silent,
) -> Embedding:
    """Vectors such that head + relation is close to tail, for every fact of the graph.

    A few facts are left for validation and test; ``about`` of the result has the figures.
    ``minutes`` and ``epochs`` bound the training instead of what the configuration says; a training
    that ends by time has a different number of epochs on every machine, so the same vectors come
    again only with ``epochs``. An interrupted training goes on from its checkpoint in ``folder``.
    """
    chosen = _bounded(configuration_of(configuration), minutes, epochs)
    edges = graph.store.edges()
    _refuse_small(graph, edges)
    parts = split(edges, len(graph), chosen.validation, chosen.test, seed)
    plan = {
        "version": VERSION, "configuration": configuration, "seed": seed,
        "fingerprint": graph.fingerprint,
        **{key: value for key, value in asdict(chosen).items() if key not in _BOUNDS},
    }  # fmt: skip
    with quiet(), reporting(progress):
        training = Training(graph, parts, chosen, seed)
        training.run(Checkpoint(folder, plan))
        figures = training.measure(parts.test, "measuring TransE")
    assert training.state.best is not None
    about = {
        "model": "TransE", **plan, "epochs": training.state.epoch,
        "best_epoch": training.state.best_epoch, "stopped_by": training.stopped_by,
        "seconds": round(training.state.seconds), "loss": training.state.loss,
        "facts": len(edges), "trained_on": len(parts.train), "test": figures,
        "validation": training.state.best_figures,
    }  # fmt: skip
    return Embedding(*training.state.best, about)


_BOUNDS = ("epochs", "minutes")


def configuration_of(name: str) -> Configuration:
    """The configuration of that name; an unknown name is answered with the known ones."""
    if name not in CONFIGURATIONS:
        raise UnknownName(f"No configuration {name!r}. Known: {', '.join(CONFIGURATIONS)}.")
    return CONFIGURATIONS[name]


def _bounded(chosen: Configuration, minutes: float | None, epochs: int | None) -> Configuration:
    for name, value in (("minutes", minutes), ("epochs", epochs)):
        if value is not None and not value > 0:
            raise BadOption(f"{name} is {value}; it must be more than 0.")
    if epochs is not None:
        return replace(chosen, epochs=epochs, minutes=minutes)
    return chosen if minutes is None else replace(chosen, minutes=minutes)


def _refuse_small(graph: Graph, edges: np.ndarray[Any, Any]) -> None:
    pairs = len(np.unique(np.sort(edges[:, [0, 2]], axis=1), axis=0))
    if len(edges) < FEWEST_EDGES or pairs < 2:
        raise BadSource(
            f"{graph.path} has {len(edges):,} facts between {pairs:,} pairs of entities; TransE "
            f"needs at least {FEWEST_EDGES} facts and more than one pair. Add facts: kgpath add"
        )
