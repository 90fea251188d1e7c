"""kgpath embed: TransE vectors of a graph, for the encoders that need them."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from kgpath.cli.output import (
    AsJson,
    GraphFile,
    interruptible,
    note,
    print_json,
    print_table,
    progress,
)
from kgpath.errors import NotWritable

if TYPE_CHECKING:
    from pathlib import Path

    from kgpath.encoders.vectors.embedding import Embedding


def embed(
    graph: GraphFile,
    configuration: Annotated[
        str, typer.Option(help="quick, or paper: 500 epochs in small steps, for hours.")
    ] = "quick",
    minutes: Annotated[
        float | None, typer.Option(help="Stop training after this time; quick: 20.")
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(help="Stop after so many epochs, whatever time they take.")
    ] = None,
    seed: Annotated[int, typer.Option(help="For the same vectors again, with --epochs.")] = 0,
    anew: Annotated[
        bool, typer.Option("--anew", help="Drop an interrupted training instead of resuming it.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Train TransE vectors of a graph, for encoders that need them.

    They are written beside the graph file. A training that was interrupted goes on where it
    stopped. The figures tell how well held-out facts are found: the rank of the true entity among
    all, other true ones left out.

    Example: kgpath embed film.kg --minutes 10
    """
    import kgpath
    from kgpath.encoders.vectors.embedding import folder_of
    from kgpath.encoders.vectors.transe import train_transe

    with kgpath.open(graph) as kg, progress() as report:
        folder = folder_of(kg)
        training = folder.with_name(folder.name + ".training")
        resumed = "The same command goes on where it stopped; --anew starts again."
        with interruptible(resumed), _alone(training, anew):
            made = train_transe(
                kg, configuration=configuration, minutes=minutes, epochs=epochs, seed=seed,
                folder=training, progress=report,
            )  # fmt: skip
            _put(made, folder, kg.fingerprint)
            _drop(training)
    if json:
        print_json({"path": str(folder), "entities": len(made.entities), **made.about})
    else:
        _show(made, folder)


@contextmanager
def _alone(training: Path, anew: bool) -> Iterator[None]:
    """The folder of a training, for one process at a time; refusals say what to do."""
    with _explained(training):
        training.mkdir(exist_ok=True)
        try:
            with (training / "lock").open("w") as lock:
                _lock(lock.fileno(), training)
                if anew:
                    _drop(training)
                yield
        finally:
            # Nothing to resume: nothing is left behind.
            if {path.name for path in training.iterdir()} == {"lock"}:
                shutil.rmtree(training, ignore_errors=True)


def _drop(training: Path) -> None:
    """Delete what could be resumed."""
    for state in training.iterdir():
        if state.is_dir():
            shutil.rmtree(state)


@contextmanager
def _explained(training: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
            raise NotWritable(
                f"Cannot write {training}: {error.strerror}. The vectors lie beside the graph "
                "file: copy it to a place that can be written."
            ) from error
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise NotWritable(
                f"No space left while writing {training}. Free some space (df -h "
                f"{training.parent.absolute()}); the same command then goes on where it stopped."
            ) from error
        raise


def _lock(descriptor: int, training: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise NotWritable(f"Another kgpath is training in {training}. Wait for it.") from None


def _put(made: Embedding, folder: Path, fingerprint: str) -> None:
    """Write the vectors in place of older ones, all or nothing."""
    new, old = (folder.with_name(folder.name + ending) for ending in (".new", ".old"))
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    made.save(new, fingerprint)
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _show(made: Embedding, folder: Path) -> None:
    about = made.about
    print(
        f"{folder}: {len(made.entities):,} entities, {len(made.relations):,} relations, "
        f"{made.size} dimensions"
    )
    rows = [(name, about[name]) for name in ("validation", "test") if about[name]]
    if rows:
        print_table(
            ("held out", "facts", *_FIGURES),
            [(name, row["facts"], *(f"{row[key]:.4f}" for key in _FIGURES)) for name, row in rows],
            right=("facts", *_FIGURES),
        )
    else:
        note("The graph is too small to hold out facts: there are no figures.")
    note(
        f"{about['epochs']:,} epochs in {about['seconds'] / 60:.1f} minutes, ended by "
        f"{about['stopped_by']}; the best was epoch {about['best_epoch']:,}. Ranks are filtered, "
        "both ends, among all entities; ties by the mean."
    )


_FIGURES = ("MRR", "Hits@1", "Hits@10")

COMMANDS = (embed,)
