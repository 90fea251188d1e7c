"""A model as a folder: saved and read back the same; spoiled, it is refused in words."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from told_examples_by_hand import told

import kgpath
from kgpath.errors import BadStore
from kgpath.features.fact_sentences import SENTENCE_FEATURES
from kgpath.features.path_features import PathFeatures
from kgpath.features.told_features import TOLD_FEATURES
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for
from kgpath.rankers.general import model as models
from kgpath.rankers.general.model import SHIPPED, ToldModel, load_shipped, write_checksums
from kgpath.rankers.general.told_example import told_example
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


def test_what_an_encoder_read_is_added_to_the_calibrated_odds() -> None:
    model, odds = by_hand(), np.array([4.0, -4.0])
    read = dataclasses.replace(EXAMPLE, reading=np.array([-1.5, 0.0]))
    plain = model.path_odds(EXAMPLE, odds)
    assert model.path_odds(read, odds).tolist() == [plain[0] - 1.5, plain[1]]


PLACES = """
    ex:lind rdfs:label "Astrid Lind" ; ex:birthPlace ex:ulm ; ex:award ex:medal .
    ex:ulm rdfs:label "Ulm" ; ex:museum ex:medal .
    ex:medal rdfs:label "Gold Medal" .
"""


def test_sentences_are_shown_for_the_facts_that_were_asked_for(build_graph) -> None:
    # A sentence tells a fact if it names both ends; else the odds are 1 to 55.
    naming = one_node(1, 0, 1.5, -4, 4)
    model = by_hand(sentences=naming, sentence_names=("ends named",), threshold=0.5)
    graph = build_graph(PLACES)
    text = "Astrid Lind paints. Astrid Lind was born in Ulm. Rain fell. Ulm adores Astrid Lind."
    context = Context(graph, text)
    features = PathFeatures(
        context, candidates_for(context, graph.entity("Astrid Lind"), graph.entity("Ulm"))
    )
    known, lind = features.facts, graph.entity("Astrid Lind").id
    ulm, medal = graph.entity("Ulm").id, graph.entity("Gold Medal").id
    place = {
        frozenset(ends): at
        for at, ends in enumerate(zip(known.heads.tolist(), known.tails.tolist(), strict=True))
    }
    told, untold = place[frozenset({lind, ulm})], place[frozenset({lind, medal})]
    assert model.shown(features, np.array([told])) == [(1, 3)]
    assert model.shown(features, np.array([untold])) == [()]  # the text has no medal
    assert model.shown(features, np.array([untold, told])) == [(), (1, 3)]
    assert model.shown(features, np.array([told, untold])) == [(1, 3), ()]
    assert model.shown(features, np.zeros(0, dtype=np.int64)) == []
    # Below the threshold the best one is shown in any case.
    strict = dataclasses.replace(model, threshold=0.999)
    assert strict.shown(features, np.array([told])) == [(1,)]
    loose = dataclasses.replace(model, threshold=0.001)
    assert loose.shown(features, np.array([told])) == [(0, 1, 2, 3)]


def test_sentences_by_features_that_are_not_known_are_told(film) -> None:
    model = by_hand(sentences=one_node(1, 0, 0, 0, 1), sentence_names=("mood",))
    context = Context(film, "Roger Moore was James Bond.")
    ends = film.entity("James Bond"), film.entity("Roger Moore")
    features = PathFeatures(context, candidates_for(context, *ends))
    with pytest.raises(BadStore, match=r"^The model reads 'mood', which is not known here\."):
        model.shown(features, np.array([0]))


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
    monkeypatch.setattr(models, "SHIPPED", tmp_path / "words")
    by_hand().save(tmp_path / "words")
    write_checksums(tmp_path / "words")
    return tmp_path / "words"


def not_shipped(folder: Path) -> str:
    with pytest.raises(BadStore) as raised:
        load_shipped()
    return str(raised.value).replace(str(folder), "words")


def test_what_was_shipped_is_loaded(shipped: Path) -> None:
    assert load_shipped().fact_odds(EXAMPLE).tolist() == [4, -4]
    sums = json.loads((shipped / "checksums.json").read_text())
    assert len(sums) == 11 and list(sums) == sorted(sums)


def test_checksums_written_twice_are_the_same(shipped: Path) -> None:
    before = contents(shipped)
    write_checksums(shipped)
    assert contents(shipped) == before


def test_a_model_that_does_not_ship_is_told(shipped: Path, monkeypatch) -> None:
    monkeypatch.setattr(models, "SHIPPED", shipped.parent / "other")
    with pytest.raises(BadStore, match=r"other is not whole \(.*No such file"):
        load_shipped()


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


def test_the_model_that_ships_is_whole_and_reads_what_is_known_here(film) -> None:
    model = load_shipped()
    assert set(model.fact_names) <= set(TOLD_FEATURES)
    assert set(model.sentence_names) <= set(SENTENCE_FEATURES)
    assert model.sentences is not None and model.slope > 0 and 0 < model.threshold < 1
    sums = json.loads((SHIPPED / "checksums.json").read_text())
    assert sums.keys() | {"checksums.json"} == {path.name for path in SHIPPED.iterdir()}
    context = Context(film, "Roger Moore of London was James Bond.")
    ends = film.entity("James Bond"), film.entity("London")
    features = PathFeatures(context, candidates_for(context, *ends))
    example = told_example(features)
    odds = model.fact_odds(example)
    assert np.isfinite(odds).all() and np.isfinite(model.path_odds(example, odds)).all()


def test_what_ships_is_small() -> None:
    words = Path(kgpath.__file__).parent / "lexicon" / "english"
    sizes = [
        [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
        for folder in (SHIPPED, words)
    ]
    assert all(sizes)
    assert sum(map(sum, sizes)) < 2_000_000


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what ships, in its place."""
    copy = shutil.copytree(SHIPPED, tmp_path / "words")
    monkeypatch.setattr(models, "SHIPPED", copy)
    return Path(copy)


FILES = sorted(path.name for path in SHIPPED.iterdir() if path.name != "checksums.json")


@pytest.mark.parametrize("name", FILES)
def test_one_altered_byte_of_what_ships_is_noticed(copied: Path, name: str) -> None:
    assert load_shipped().fact_names  # an unaltered copy is as good
    whole = (copied / name).read_bytes()
    for at in (0, len(whole) // 2, len(whole) - 1):
        altered = bytearray(whole)
        altered[at] ^= 1
        (copied / name).write_bytes(altered)
        assert not_shipped(copied) == f"words is not what was shipped ({name})"


def test_an_altered_checksum_of_what_ships_is_noticed(copied: Path) -> None:
    path = copied / "checksums.json"
    whole = path.read_text()
    first = json.loads(whole)["facts-tree.npy"]
    path.write_text(whole.replace(first, ("1" if first[0] == "0" else "0") + first[1:]))
    assert not_shipped(copied) == "words is not what was shipped (facts-tree.npy)"
    path.write_bytes(b"\xff" + whole.encode()[1:])
    assert not_shipped(copied).startswith("words is not whole (")


@pytest.mark.parametrize("name", [*FILES, "checksums.json"])
def test_a_missing_file_of_what_ships_is_noticed(copied: Path, name: str) -> None:
    (copied / name).unlink()
    said = not_shipped(copied)
    assert said.startswith("words is not whole (") and name in said


def test_an_empty_folder_in_the_place_of_what_ships_is_noticed(copied: Path) -> None:
    shutil.rmtree(copied)
    copied.mkdir()
    said = not_shipped(copied)
    assert said.startswith("words is not whole (") and "checksums.json" in said
