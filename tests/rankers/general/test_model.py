"""A model as a folder: saved and read back the same; spoiled, it is refused in words."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from told_examples_by_hand import told

from kgpath.errors import BadStore
from kgpath.rankers.general import model as models
from kgpath.rankers.general.model import ToldModel, load_shipped, write_checksums
from kgpath.rankers.general.tree_arrays import MOST_LEAVES, TreeArrays

EXAMPLE = told(
    facts={"gap": [0, 3], "said": [1, 0]},
    paths={"length": [1, 2]},
    along=[[0, -1], [0, 1]],
    entity_pair=[0, 1],
    zero_shot=[0, 1],
)


def one_node(features: int, feature: int, threshold: float, *scores: float) -> TreeArrays:
    """The first score up to the threshold, else the second."""
    leaves = np.zeros((1, MOST_LEAVES), dtype=np.float32)
    leaves[0, : len(scores)] = scores
    return TreeArrays(
        features,
        np.zeros(1, np.int32),
        np.array([feature], np.int32),
        np.array([threshold], np.float32),
        np.ones(1, np.uint16),
        leaves,
    )


def by_hand(**changed: Any) -> ToldModel:
    made: dict[str, Any] = {
        "facts": one_node(2, 0, 0.5, -4, 4),  # a fact is told where it is said
        "paths": one_node(1, 0, 1.5, 2, -2),  # and a path of one hop
        "sentences": None,
        "slope": 0.5,
        "shift": 0.25,
        "threshold": 0.5,
        "fact_names": ("said", "gap"),
        "path_names": ("length",),
        "sentence_names": (),
    }
    return ToldModel(**{**made, **changed})


def test_features_are_read_by_name_and_scores_are_calibrated() -> None:
    model = by_hand()
    odds = model.fact_odds(EXAMPLE)
    assert odds.tolist() == [4, -4]
    assert model.path_odds(EXAMPLE, odds).tolist() == [2 * 0.5 + 0.25, -2 * 0.5 + 0.25]


def test_features_that_are_not_known_are_told() -> None:
    with pytest.raises(BadStore) as raised:
        by_hand(fact_names=("said", "hop read")).fact_odds(EXAMPLE)
    assert str(raised.value) == (
        "The model reads 'hop read', which is not known here. Train the model again."
    )
    with pytest.raises(BadStore, match=r"^The model reads 'age', which is not known here\."):
        by_hand(path_names=("age",)).path_odds(EXAMPLE, np.zeros(2))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("sentences", [False, True])
def test_a_saved_model_scores_the_same_and_has_the_same_bytes(tmp_path, sentences: bool) -> None:
    more = {"sentences": one_node(1, 0, 0, 1, 2), "sentence_names": ("gap",)} if sentences else {}
    model = by_hand(slope=0.1 + 0.2, **more)
    model.save(tmp_path / "one")
    loaded = ToldModel.load(tmp_path / "one")
    odds = loaded.fact_odds(EXAMPLE)
    assert odds.tolist() == model.fact_odds(EXAMPLE).tolist()
    assert loaded.path_odds(EXAMPLE, odds).tolist() == model.path_odds(EXAMPLE, odds).tolist()
    assert (loaded.slope, loaded.shift, loaded.threshold) == (0.1 + 0.2, 0.25, 0.5)
    assert loaded.sentence_names == (("gap",) if sentences else ())
    assert (loaded.sentences is not None) is sentences
    loaded.save(tmp_path / "other")
    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    assert len(contents(tmp_path / "one")) == (16 if sentences else 11)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    by_hand().save(tmp_path / "model")
    return tmp_path / "model"


def refused(folder: Path) -> str:
    """What is said of a folder, less the folder's own name."""
    with pytest.raises(BadStore) as raised:
        ToldModel.load(folder)
    return str(raised.value).replace(f"{folder}/", "")


def about(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "told.json"
    held = json.loads(path.read_text())
    change(held)
    path.write_text(json.dumps(held))


@pytest.mark.parametrize("name", ["told.json", "facts-tree.npy", "paths-leaves.npy"])
def test_a_folder_that_is_not_whole_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    said = refused(folder)
    assert said.startswith(name) and said.endswith("Train the model again.")
    assert "missing" in said or "No such file" in said


@pytest.mark.parametrize(
    ("name", "array", "reason"),
    [
        ("facts-tree", np.zeros(1, np.int64), "it holds numbers of kind int64, not int32"),
        ("facts-left", np.zeros(1, np.uint8), "it holds numbers of kind uint8, not uint16"),
        ("paths-leaves", np.zeros((1, 16)), "it holds numbers of kind float64, not float32"),
        ("facts-tree", np.zeros(2, np.int32), "arrays of nodes do not fit together"),
        ("facts-tree", np.ones(1, np.int32), "a node belongs to no tree"),
        ("facts-feature", np.full(1, 2, np.int32), "a node asks for a number that no row has"),
        ("paths-feature", np.full(1, 1, np.int32), "a node asks for a number that no row has"),
        ("facts-leaves", np.zeros((1, 8), np.float32), "trees do not have 16 places for leaves"),
        (
            "facts-leaves",
            np.zeros((5001, 16), np.float32),
            "there are 5,001 trees, not 1 to 5,000",
        ),
        ("paths-leaves", np.full((1, 16), 1e9, np.float32), "a threshold or a score is out of"),
        ("paths-leaves", np.full((1, 16), np.nan, np.float32), "holds numbers that are not finite"),
        ("facts-threshold", np.full(1, np.inf, np.float32), "holds numbers that are not finite"),
    ],
)
def test_altered_arrays_are_refused(folder: Path, name: str, array: Any, reason: str) -> None:
    np.save(folder / f"{name}.npy", array)
    said = refused(folder)
    assert reason in said and said.endswith("Train the model again.")


@pytest.mark.parametrize("name", ["facts-tree.npy", "paths-threshold.npy", "facts-leaves.npy"])
def test_arrays_that_were_cut_or_made_longer_are_refused(folder: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    for spoiled in (whole[:-1], whole[:40], b"", whole + b"\0", b"[0, 1]"):
        (folder / name).write_bytes(spoiled)
        said = refused(folder)
        assert said.startswith(f"{name} cannot be read (it ")


def test_an_array_of_objects_is_refused(folder: Path) -> None:
    np.save(folder / "facts-tree.npy", np.array([{}], dtype=object), allow_pickle=True)
    assert refused(folder) == (
        "facts-tree.npy cannot be read (it is not an array of numbers). Train the model again."
    )


@pytest.mark.parametrize("part", ["facts", "paths"])
@pytest.mark.parametrize("names", [None, "said", {"said": 1}, [1, 2], ["said", None], [["said"]]])
def test_names_that_are_no_words_are_refused(folder: Path, part: str, names: Any) -> None:
    about(folder, lambda held: held.update({part: names}))
    assert refused(folder) == (
        f"told.json cannot be read ({part} are no list of names). Train the model again."
    )


@pytest.mark.parametrize("part", ["facts", "paths"])
def test_a_model_without_names_of_features_is_refused(folder: Path, part: str) -> None:
    about(folder, lambda held: held.update({part: []}))
    assert refused(folder) == (
        f"told.json cannot be read (it names no {part}). Train the model again."
    )


@pytest.mark.parametrize("part", ["slope", "shift", "threshold"])
@pytest.mark.parametrize("value", [None, "1", True, [1], 1e301, 10**400])
def test_numbers_that_are_none_are_refused(folder: Path, part: str, value: Any) -> None:
    about(folder, lambda held: held.update({part: value}))
    said = refused(folder)
    assert said.startswith("told.json cannot be read (") and "number" in said


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_number_in_json_is_refused(folder: Path, text: str) -> None:
    path = folder / "told.json"
    path.write_text(re.sub(r'"slope": [^,]+', f'"slope": {text}', path.read_text()))
    assert refused(folder).startswith("told.json cannot be read (")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"told"', "{}", '{"a": 1, "a": 2}', "\0"])
def test_a_description_that_is_none_is_refused(folder: Path, text: str) -> None:
    (folder / "told.json").write_text(text)
    assert refused(folder).startswith("told.json cannot be read (")


def test_fewer_names_than_the_trees_ask_for_are_refused(folder: Path) -> None:
    about(folder, lambda held: held.update(facts=["gap"]))
    np.save(folder / "facts-feature.npy", np.ones(1, np.int32))
    assert "a node asks for a number that no row has" in refused(folder)


def test_a_folder_in_the_place_of_a_file_is_refused(folder: Path) -> None:
    (folder / "facts-tree.npy").unlink()
    (folder / "facts-tree.npy").mkdir()
    assert refused(folder).startswith("facts-tree.npy cannot be read (")


# What ships


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(models, "SHIPPED", tmp_path)
    by_hand().save(tmp_path / "words")
    write_checksums(tmp_path / "words")
    return tmp_path / "words"


def not_shipped(folder: Path) -> str:
    with pytest.raises(BadStore) as raised:
        load_shipped("words")
    return str(raised.value).replace(str(folder), "words")


def test_what_was_shipped_is_loaded(shipped: Path) -> None:
    assert load_shipped("words").fact_odds(EXAMPLE).tolist() == [4, -4]
    sums = json.loads((shipped / "checksums.json").read_text())
    assert len(sums) == 11 and list(sums) == sorted(sums)


def test_checksums_written_twice_are_the_same(shipped: Path) -> None:
    before = contents(shipped)
    write_checksums(shipped)
    assert contents(shipped) == before


def test_a_model_that_does_not_ship_is_told(shipped: Path) -> None:
    with pytest.raises(BadStore, match=r"other is not whole \(.*No such file"):
        load_shipped("other")


@pytest.mark.parametrize("name", ["told.json", "facts-tree.npy", "checksums.json"])
def test_a_shipped_model_of_which_a_file_is_missing_is_told(shipped: Path, name: str) -> None:
    (shipped / name).unlink()
    said = not_shipped(shipped)
    assert said.startswith("words is not whole (") and name in said


def test_altered_files_of_a_shipped_model_are_told(shipped: Path) -> None:
    by_hand(shift=0.5, paths=one_node(1, 0, 1.5, 3, 1)).save(shipped)
    assert not_shipped(shipped) == "words is not what was shipped (paths-leaves.npy, told.json)"


def test_a_shipped_model_whose_checksums_say_nothing_is_told(shipped: Path) -> None:
    (shipped / "checksums.json").write_text("{}")
    assert not_shipped(shipped) == "words is not what was shipped (empty)"
    (shipped / "checksums.json").write_text("[]")
    assert not_shipped(shipped) == "words is not whole (it holds a list, not an object)"
