"""Train the TransE vectors of a graph file and put them beside it; a stopped training goes on.

While it trains, checkpoints lie in a folder beside the graph file, ``film.kg.transe.training``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.encoders.vectors.transe import train_transe
from kgpath.errors import NotWritable
from kgpath.io.atomic import explained, replacing_folder
from kgpath.io.lock import locked
from kgpath.io.progress import Progress, silent

if TYPE_CHECKING:
    from kgpath.graph import Graph


_ELSEWHERE = "The vectors lie beside the graph file: copy it to a place that can be written."
_FULL = ". Free some space ({df}); the same command then goes on where it stopped."


def embed_graph(
    graph: Graph,
    *,
    configuration: str = "quick",
    minutes: float | None = None,
    epochs: int | None = None,
    seed: int = 0,
    restart: bool = False,
    progress: Progress = silent,
) -> Embedding:
    """Train vectors (see :func:`train_transe`) and write them in place of the graph's older ones.

    A training that was interrupted goes on where it stopped; ``restart`` drops it instead.
    """
    folder = folder_of(graph)
    training = folder.with_name(folder.name + ".training")
    _refuse_other_files(folder)
    with _locked(training):
        if restart:
            _drop_checkpoints(training)
        made = train_transe(
            graph, configuration=configuration, minutes=minutes, epochs=epochs, seed=seed,
            folder=training, progress=progress,
        )  # fmt: skip
        with replacing_folder(folder, durable=True) as building:
            made.save(building, graph.fingerprint)
        _drop_checkpoints(training)
    return made


@contextmanager
def _locked(training: Path) -> Iterator[None]:
    """The folder of a training, for one process at a time; refusals say what to do."""
    with explained(training, _ELSEWHERE, _FULL):
        training.mkdir(exist_ok=True)
        busy = f"Another kgpath is training in {training}. Wait for it."
        with locked(training / "lock", busy):
            try:
                yield
            finally:
                # Nothing to resume: nothing is left behind. Only whoever has the lock may say so.
                if {path.name for path in training.iterdir()} == {"lock"}:
                    shutil.rmtree(training, ignore_errors=True)


def _drop_checkpoints(training: Path) -> None:
    for state in training.iterdir():
        if state.is_dir() and state.name.isdigit():  # the epoch: nothing else is ours
            shutil.rmtree(state)


def _refuse_other_files(folder: Path) -> None:
    """Older vectors are replaced, but nothing that is not part of them may be lost."""
    if folder.is_dir():
        others = [
            path.name
            for path in sorted(folder.iterdir())
            if path.is_dir() or (path.suffix != ".npy" and path.name != "transe.json")
        ]
        if others:
            raise NotWritable(
                f"{folder} holds more than vectors, which would be lost: {', '.join(others[:3])}. "
                "Move it elsewhere first."
            )
