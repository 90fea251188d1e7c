"""A trained ranker as a folder: what it is, for which graph, and a checksum of each file."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kgpath import __version__
from kgpath.errors import BadOption, BadStore, NotWritable
from kgpath.graph import Graph
from kgpath.io.atomic import explained, replacing_folder, target_of, write_whole
from kgpath.io.progress import note
from kgpath.plugins import PATH_ENCODERS, RANKERS
from kgpath.rankers.ranker import Ranker
from kgpath.registry import parse_choice, without_notices

FORMAT = 2
ABOUT = "model.json"


def save_model(
    folder: str | Path, ranker: Ranker, choice: str, graph: Graph, about: dict[str, Any]
) -> Path:
    """Write a trained ranker so that the folder appears whole or not at all.

    ``choice`` names the ranker with its options; ``about`` is kept beside it for people.
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


def read_about(folder: str | Path) -> dict[str, Any]:
    """What a model is, after a look at every file of it."""
    place = Path(folder)
    try:
        about: dict[str, Any] = json.loads((place / ABOUT).read_text(encoding="utf-8"))
        files, version = about["files"], about["format"]
    except (OSError, ValueError, KeyError, TypeError):
        raise BadStore(
            f"{place} is not a model. Make one: kgpath train GRAPH QUERIES -o {place}"
        ) from None
    if version != FORMAT:
        raise BadStore(f"{place} was written by another kgpath (format {version}). Train it again.")
    found = _checksums(place)
    for name, checksum in files.items():
        if name not in found:
            raise BadStore(f"{place / name} is missing: the model is not whole. Train it again.")
        if found[name] != checksum:
            raise BadStore(f"{place / name} was altered since it was trained. Train it again.")
    return about


def load_model(folder: str | Path, graph: Graph) -> Ranker:
    """A trained ranker, read from its folder, to ask with: ``kg.query(…, ranker=model)``.

    If it was trained on a graph with another content, or by another version of the ranker, a note
    on stderr says so.
    """
    about = read_about(folder)
    with without_notices():
        ranker = RANKERS.make(about["ranker"])
        if not isinstance(ranker, Ranker):
            raise BadOption(f"{about['ranker']!r} is not a ranker.")
        ranker.load(Path(folder))
    for name, own in ranker.check_requirements(graph).items():
        if about["needs"].get(name, own) != own:  # an older kgpath did not ask for all of them
            raise BadStore(
                f"{Path(folder).name} was trained with other {name} than {graph.path.name} has "
                "now. Train it again."
            )
    changed = _changed(about.get("versions", ""), ranker.versions())
    if changed:
        note(
            f"{Path(folder).name} was trained by another version of the ranker ({changed}): its "
            f"figures do not hold here. Train it again: kgpath train {graph.path.name} QUERIES "
            f"-o {folder} --ranker '{about['ranker']}'"
        )
    if about["fingerprint"] != graph.fingerprint:
        note(
            f"{Path(folder).name} was trained on another graph, or another content of it "
            f"({about['graph']}): its figures do not hold here."
        )
    return ranker


def path_encoder_of(choice: Any, graph: Graph) -> Any:
    """A fitted path encoder: that of a model, by its folder; or by name, learned from the graph.

    An object is taken as it is.
    """
    if not choice:
        raise BadOption(
            "PED needs a path encoder: --path-encoder NAME (kgpath ls path_encoders) or the "
            "folder of a model that has one."
        )
    if not isinstance(choice, str | Path):
        return choice
    if parse_choice(str(choice))[0] not in PATH_ENCODERS and Path(choice).is_dir():
        ranker = load_model(choice, graph)
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
