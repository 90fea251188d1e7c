"""The detector of turns that need no evidence."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from kgpath.dialogue import Dialogue, DialogueFile, Turn
from kgpath.dialogue.evidence_detector import FEATURES, EvidenceDetector
from kgpath.errors import BadOption, BadSource, BadStore


@pytest.fixture
def dialogues() -> list[Dialogue]:
    """Questions are answered from a page, short thanks are not."""
    asked = Turn("What is the history of the bicycle in Europe?", (), grounded=True)
    thanked = Turn("Thanks!", (), grounded=False, history=("Hello there", "Hi"))
    return [Dialogue(str(n), (asked, thanked)) for n in range(20)]


def test_it_learns_what_needs_evidence(dialogues: list[Dialogue]) -> None:
    detector = EvidenceDetector().fit(dialogues)
    asked, thanked = detector.need(dialogues[0].turns)
    assert thanked <= detector.threshold < asked
    assert set(detector.weights()) == set(FEATURES)
    assert detector.weights()["question"] < 0 < detector.weights()["very short query"]


def test_the_same_turns_give_the_same_file(dialogues: list[Dialogue], tmp_path: Path) -> None:
    for name in "ab":
        EvidenceDetector().fit(dialogues).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    again = EvidenceDetector.load(tmp_path / "a")
    turns = dialogues[0].turns
    assert np.array_equal(again.need(turns), EvidenceDetector().fit(dialogues).need(turns))


def test_a_file_of_the_first_release_is_read(tmp_path: Path, dialogues: list[Dialogue]) -> None:
    about = {
        "kind": "kgpath need detector", "l2": 1.0, "threshold": 0.25,
        "weights": dict.fromkeys(FEATURES, 0.0),
    }  # fmt: skip
    (tmp_path / "need.json").write_text(json.dumps(about))
    detector = EvidenceDetector.load(tmp_path / "need.json")
    assert detector.threshold == 0.25
    assert detector.need(dialogues[0].turns).tolist() == [0.5, 0.5]


def test_what_cannot_be_learned_or_read_is_reported(
    dialogues: list[Dialogue], tmp_path: Path
) -> None:
    with pytest.raises(BadOption, match="not trained"):
        EvidenceDetector().need(dialogues[0].turns)
    with pytest.raises(BadSource, match="there are 1 and 0"):
        EvidenceDetector().fit([Dialogue("d", dialogues[0].turns[:1])])
    with pytest.raises(BadStore, match="kgpath dialogue train"):
        EvidenceDetector.load(tmp_path / "none.json")
    for text in ("{}", "[]", "not json", json.dumps({"l2": 1, "threshold": 0, "weights": {}})):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(BadStore, match="Train it again"):
            EvidenceDetector.load(tmp_path / "bad.json")
    with pytest.raises(BadOption, match="l2"):
        EvidenceDetector(l2=0)


def test_on_real_dialogues_it_is_better_than_chance(real_data: Path) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    folder = real_data / "dialogue" / "wow"
    train = DialogueFile(folder / "valid-seen-gold.json.gz")
    test = DialogueFile(folder / "test-seen-gold.json.gz")
    detector = EvidenceDetector().fit(train.dialogues)
    without = [not turn.grounded for turn in test.turns]
    assert (len(without), sum(without)) == (3865, 246)
    assert metrics.roc_auc_score(without, 1 - detector.need(test.turns)) > 0.62


@pytest.mark.parametrize(
    "change",
    [
        {"l2": float("nan")}, {"l2": "1"}, {"l2": 10**400}, {"threshold": [1]}, {"threshold": None},
        {"weights": []}, {"weights": {}}, {"weights": 3}, {"kind": "something"}, {"kind": None},
        {"weights": dict.fromkeys(FEATURES, 1e300)}, {"weights": dict.fromkeys(FEATURES, "1")},
    ],
)  # fmt: skip
def test_a_file_of_other_numbers_is_no_detector(
    dialogues: list[Dialogue], tmp_path: Path, change: dict[str, object]
) -> None:
    path = tmp_path / "d.json"
    EvidenceDetector().fit(dialogues).save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(BadStore) as raised:
        EvidenceDetector.load(path)
    assert str(raised.value).startswith(f"{path} is no detector of this version (")
    assert str(raised.value).endswith("). Train it again.")


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "3", '{"kind": 1, "kind": 2}', " " * 2**21])
def test_no_detector_is_nested_or_long(tmp_path: Path, text: str) -> None:
    (tmp_path / "d.json").write_text(text)
    with pytest.raises(BadStore, match="is no detector of this version"):
        EvidenceDetector.load(tmp_path / "d.json")


def test_a_pipe_in_place_of_a_detector_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "d.json")
    with pytest.raises(BadStore, match="it is not a file"):
        EvidenceDetector.load(tmp_path / "d.json")
