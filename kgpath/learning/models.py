"""A trained ranker as a folder: what it is, for which graph, and a checksum of each file."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kgpath import __version__
from kgpath.errors import BadOption, BadStore, NotWritable
from kgpath.graph import Graph
from kgpath.io.atomic import explained, replacing_folder, target_of, write_whole
from kgpath.io.progress import note
from kgpath.learning.model_folder import ABOUT, FORMAT, checked_copy
from kgpath.learning.model_folder import read_about as read_about
from kgpath.learning.stored_choice import chosen_again
from kgpath.plugins import PATH_ENCODERS, RANKERS
from kgpath.rankers.ranker import Ranker
from kgpath.registry import parse_choice, without_notices


def save_model(
    folder: str | Path,
    ranker: Ranker,
    choice: str,
    graph: Graph,
    about: dict[str, Any],
    *,
    also: Sequence[Graph] = (),
) -> Path:
    """Write a trained ranker so that the folder appears whole or not at all.

    ``choice`` names the ranker with its options; ``about`` is kept beside it for people. ``also``
    are further graphs that it learned from.
    """
    target = Path(folder)
    check_place(target)
    with _refusals(target), replacing_folder(target, durable=True) as building:
        ranker.save(building)
        data = {
            "format": FORMAT,
            "kgpath": __version__,
            "ranker": choice,
            "versions": ranker.versions(),
            "fingerprint": graph.fingerprint,
            "graph": graph.path.name,
            "also": {one.fingerprint: one.path.name for one in also},
            "needs": ranker.check_requirements(graph),
            **about,
            "files": _checksums(building),
        }
        write_whole(building / ABOUT, json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    return target


def check_place(folder: str | Path) -> None:
    """Refuse a place where a model cannot be written, before the work is done."""
    target = Path(folder)
    if target.is_file() or (target.is_dir() and any(target.iterdir())):
        _refuse_other_files(target)
    with _refusals(target):
        parent = target_of(target).parent
        parent.mkdir(parents=True, exist_ok=True)
        Path(tempfile.mkdtemp(dir=parent)).rmdir()


@contextmanager
def _refusals(target: Path) -> Iterator[None]:
    """Whatever stands in the way of writing, in words."""
    try:
        with explained(target, "Choose another -o."):
            yield
    except OSError as error:
        raise NotWritable(f"Cannot write {target}: {error.strerror}. Choose another -o.") from error


def _refuse_other_files(folder: Path) -> None:
    """A model may be replaced, but nothing that is not part of it may be lost."""
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        own = {ABOUT, *about["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise NotWritable(
            f"{folder} is there already and is no model. Name another place with -o."
        ) from None
    there = {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    }
    others = there - own
    if others:
        raise NotWritable(
            f"{folder} is a model with other files beside it, which would be lost: "
            f"{', '.join(sorted(others)[:3])}. Name another place with -o."
        )


def load_model(folder: str | Path, graph: Graph, *, vectors: str = "", base: str = "") -> Ranker:
    """A trained ranker, read from its folder, to ask with: ``kg.query(…, ranker=model)``.

    A model names no files outside its folder: one that was trained with a file of word vectors, or
    with the folder of a language model, needs it again as ``vectors`` or ``base``. If it was
    trained on a graph with another content, or by another version of the ranker, a note on stderr
    says so.
    """
    with checked_copy(folder) as (about, copy), without_notices():
        choice = chosen_again(about["ranker"], str(folder), {"vectors": vectors, "base": base})
        ranker = RANKERS.make(choice)
        if not isinstance(ranker, Ranker):
            raise BadOption(f"{about['ranker']!r} is not a ranker.")
        ranker.load(copy)
    for name, own in ranker.check_requirements(graph).items():
        if about["needs"].get(name, own) != own:  # an older kgpath did not ask for all of them
            raise BadStore(
                f"{Path(folder).name} was trained with other {name} than {graph.path.name} has "
                "now. Train it again."
            )
    changed = _changed(about["versions"], ranker.versions())
    if changed:
        note(
            f"{Path(folder).name} was trained by another version of the ranker ({changed}): its "
            f"figures do not hold here. Train it again: kgpath train {graph.path.name} QUERIES "
            f"-o {folder} --ranker '{about['ranker']}'"
        )
    if graph.fingerprint not in (about["fingerprint"], *about["also"]):
        graphs = " and ".join([about["graph"], *about["also"].values()])
        note(
            f"{Path(folder).name} was trained on another graph, or another content of it "
            f"({graphs}): its figures do not hold here."
        )
    return ranker


def path_encoder_of(choice: Any, graph: Graph, *, vectors: str = "", base: str = "") -> Any:
    """A fitted path encoder: that of a model, by its folder; or by name, learned from the graph.

    An object is taken as it is. ``vectors`` and ``base`` are as for :func:`load_model`.
    """
    if not choice:
        raise BadOption(
            "PED needs a path encoder: --path-encoder NAME (kgpath ls path_encoders) or the "
            "folder of a model that has one."
        )
    if not isinstance(choice, str | Path):
        return choice
    if parse_choice(str(choice))[0] not in PATH_ENCODERS and Path(choice).is_dir():
        ranker = load_model(choice, graph, vectors=vectors, base=base)
        encoder = getattr(ranker, "fitted_path_encoder", None)
        if encoder is None:
            raise BadOption(
                f"{choice} is a model without a path encoder: xendcg and binary have one."
            )
        return encoder
    encoder = PATH_ENCODERS.make(str(choice))
    encoder.fit(graph, ())
    return encoder


def _changed(before: str, now: str) -> str:
    """What has another version than it had; what was not written down had the first one."""
    old, new = (
        dict(part.rsplit(" ", 1) for part in text.split(", ") if part) for text in (before, now)
    )
    return ", ".join(
        f"{name} {old.get(name, '1')}, now {version}"
        for name, version in new.items()
        if old.get(name, "1") != version
    )


def _checksums(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ABOUT
    }
