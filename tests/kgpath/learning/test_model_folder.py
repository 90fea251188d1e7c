"""A model of a stranger, checksums right: only what it lists is read, and nothing outside of it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import kgpath
from kgpath.errors import BadStore, NotWritable
from kgpath.learning import model_folder
from kgpath.learning.model_folder import checked_copy, read_about
from kgpath.learning.models import load_model
from kgpath.learning.train import Trained


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model of one file, written by hand."""
    folder = tmp_path / "m"
    folder.mkdir()
    (folder / "trees.txt").write_text("tree")
    write_about(folder)
    return folder


def write_about(folder: Path, **changes: Any) -> None:
    """A model.json with the right checksums, and other entries; without those that are None."""
    files = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file() and path != folder / "model.json"
    }
    about = {
        "format": 2, "kgpath": "0.1", "ranker": "shortest", "versions": "Shortest 1",
        "fingerprint": "f", "graph": "film.kg", "needs": {}, "files": files, **changes,
    }  # fmt: skip
    kept = {name: value for name, value in about.items() if value is not None}
    (folder / "model.json").write_text(json.dumps(kept))


def refusal(folder: Path) -> str:
    with pytest.raises(BadStore) as raised:
        read_about(folder)
    message = str(raised.value)
    assert "\n" not in message
    return message.replace(str(folder), "m")


def test_a_model_is_read_from_a_copy_that_is_gone_afterwards(model: Path) -> None:
    (model / "encoder" / "deep").mkdir(parents=True)
    (model / "encoder" / "deep" / "words.json").write_text("[]")
    write_about(model)
    with checked_copy(model) as (about, copy):
        assert about["ranker"] == "shortest"
        found = {path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file()}
        assert found == {"trees.txt", "encoder/deep/words.json"} == set(about["files"])
        (model / "trees.txt").write_text("another")  # meanwhile
        assert (copy / "trees.txt").read_text() == "tree"
        assert copy.stat().st_mode & 0o777 == 0o700
    assert not copy.exists()


def test_what_goes_wrong_with_the_copy_is_said_of_the_model(model: Path) -> None:
    with pytest.raises(BadStore) as raised, checked_copy(model) as (_, copy):
        raise BadStore(f"{copy / 'trees.txt'} cannot be read.")
    assert str(raised.value) == f"{model / 'trees.txt'} cannot be read."


NO_MODEL = "m is not a model. Make one: kgpath train GRAPH QUERIES -o m"
WRONG = "m/model.json does not say what it should of a model. Train it again."


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 3}, "m was written by another kgpath (format 3). Train it again."),
        ({"format": [[]]}, "m was written by another kgpath (format unknown). Train it again."),
        ({"format": None}, NO_MODEL),
        ({"files": None}, NO_MODEL),
        ({"files": ["trees.txt"]}, WRONG),
        ({"files": {"trees.txt": 5}}, WRONG),
        ({"files": {"trees.txt": "../../etc/passwd"}}, WRONG),
        ({"ranker": ["shortest"]}, WRONG),
        ({"ranker": None}, WRONG),
        ({"ranker": "x" * 10_001}, WRONG),
        ({"versions": 1}, WRONG),
        ({"versions": "Shortest"}, WRONG),
        ({"fingerprint": {}}, WRONG),
        ({"graph": 3}, WRONG),
        ({"needs": []}, WRONG),
        ({"needs": {"word vectors": 1}}, WRONG),
    ],
)
def test_a_manifest_of_other_types_is_refused(model: Path, changes: Any, message: str) -> None:
    write_about(model, **changes)
    assert refusal(model) == message


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000, '{"format": NaN}', "[]", "3", "null", '"model"', "\xff", "",
        '{"format": 2, "format": 2}', '{"files": ' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}",
    ],
)  # fmt: skip
def test_a_manifest_that_is_no_object_is_no_model(model: Path, text: str) -> None:
    (model / "model.json").write_bytes(text.encode("latin-1"))
    assert refusal(model) == NO_MODEL


def test_a_manifest_of_gigabytes_is_not_read(model: Path) -> None:
    os.truncate(model / "model.json", 8 * 2**30)
    assert refusal(model) == NO_MODEL


@pytest.mark.parametrize("name", ["../secret.txt", "/etc/hostname", "a/../trees.txt", "", "."])
def test_a_name_outside_of_the_model_is_not_read(model: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    checksum = hashlib.sha256(b"secret").hexdigest()
    about = json.loads((model / "model.json").read_text())
    write_about(model, files={**about["files"], name: checksum})
    assert refusal(model).endswith(" is missing: the model is not whole. Train it again.")


@pytest.mark.parametrize("name", ["notes.txt", "sub/model.json", ".hidden"])
def test_a_file_that_is_not_listed_is_refused(model: Path, name: str) -> None:
    (model / name).parent.mkdir(exist_ok=True)
    (model / name).write_text("more")
    assert refusal(model) == (
        f"m/{name} is not part of the model: model.json does not list it. Move it elsewhere, or "
        "get the model again."
    )


@pytest.mark.parametrize("kind", ["link to a file", "link to a folder", "pipe", "deep"])
def test_only_plain_files_have_a_place_in_a_model(model: Path, tmp_path: Path, kind: str) -> None:
    place = model / "extra"
    if kind == "link to a file":
        (tmp_path / "real").write_text("tree")
        place.symlink_to(tmp_path / "real")
    elif kind == "link to a folder":
        place.symlink_to(tmp_path)
    elif kind == "pipe":
        os.mkfifo(place)  # whoever opened it would wait for ever
    else:
        place = model / "/".join("a" * 8)
        place.mkdir(parents=True)
    if kind != "pipe":
        write_about(model)
    said = refusal(model).partition(" has no place ")
    assert said[0] == f"m/{place.relative_to(model)}"
    assert said[2] == "in a model, which holds plain files. Get the model again."


def test_a_manifest_that_is_a_link_or_a_pipe_is_no_model(model: Path, tmp_path: Path) -> None:
    (model / "model.json").rename(tmp_path / "real.json")
    (model / "model.json").symlink_to(tmp_path / "real.json")
    assert refusal(model) == NO_MODEL
    (model / "model.json").unlink()
    os.mkfifo(model / "model.json")
    assert refusal(model) == NO_MODEL


def test_a_model_of_many_gigabytes_is_not_read(model: Path) -> None:
    os.truncate(model / "trees.txt", 2**40)  # all of it a hole
    assert refusal(model) == "m is larger than 2,147,483,648 bytes: it is no model of kgpath."


def test_a_folder_that_is_replaced_while_it_is_read_is_read_again(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = tmp_path / "new"
    shutil.copytree(model, new)
    (new / "trees.txt").write_text("new tree")
    write_about(new, graph="new.kg")
    sizes = model_folder._sizes

    def replaced_meanwhile(place: Path) -> dict[str, int]:
        if new.exists():  # after the old model.json was read
            model.rename(tmp_path / "old")
            new.rename(model)
        return sizes(place)

    monkeypatch.setattr(model_folder, "_sizes", replaced_meanwhile)
    with checked_copy(model) as (about, copy):
        assert (about["graph"], (copy / "trees.txt").read_text()) == ("new.kg", "new tree")


def test_without_a_place_for_the_copy_the_user_is_told(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_folder.tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(NotWritable) as raised, checked_copy(model):
        pass
    assert str(raised.value) == (
        f"{model} cannot be copied to a folder for what is temporary, from which it is read: "
        "No such file or directory. Set TMPDIR to a folder with space."
    )


def test_trees_that_lead_astray_are_refused_though_their_checksum_is_right(
    sample: kgpath.Graph, trained: Trained, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(trained.path, tmp_path / "m"))
    path = folder / "hops-0.txt"
    before, line, after = path.read_text().partition("\nsplit_feature=")
    path.write_text(f"{before}{line}2147483647{after[after.index(' ') :]}")
    about = json.loads((folder / "model.json").read_text())
    about["files"]["hops-0.txt"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "model.json").write_text(json.dumps(about))
    with pytest.raises(BadStore) as raised:
        load_model(folder, sample)
    features = before.partition("max_feature_idx=")[2].partition("\n")[0]
    assert str(raised.value) == (
        f"{path} cannot be read (a tree asks for a feature that is none of {int(features) + 1}). "
        "Train the model again."
    )
