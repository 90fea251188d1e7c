"""Every known format of dialogues, and what is wrong with files in none of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kgpath.dialogue import DialogueFile
from kgpath.dialogue.formats.jsonl import lines_of
from kgpath.dialogue.records import NO_PASSAGE, Candidate
from kgpath.dialogue.titles import clean_title, title_key
from kgpath.errors import BadSource

NONE = f"{NO_PASSAGE} __knowledge__ {NO_PASSAGE}"
CAT = "Cat __knowledge__ Cats hunt mice."
COLLECTED = {
    "topics": ["Cat"],
    "post": ["Cat\nDo cats hunt?", "And dogs?"],
    "response": ["They hunt mice.", "I do not know."],
    "knowledge": [[NONE, CAT, "Dog __knowledge__ Dogs bark."], [NONE, CAT]],
    "labels": [1, 0],
}
SINGLE = {
    "id": "a1", "topic": "Cat", "history": ["Hello."], "post": "Do cats hunt?", "labels": -1,
    "response": "Yes.", "knowledge": [NONE, CAT], "gold_sentence": "They do.",
}  # fmt: skip
RAW = {
    "chosen_topic": "Cat",
    "chosen_topic_passage": ["Cats hunt mice.", "Cats purr."],
    "dialog": [
        {"speaker": "0_Apprentice", "text": "Do cats hunt?",
         "retrieved_passages": [{"Dog": ["Dogs bark."]}, {"Cat": ["ignored: known already"]}]},
        {"speaker": "1_Wizard", "text": "They hunt mice.",
         "checked_sentence": {"chosen_Cat_0": "Cats hunt mice."},
         "checked_passage": {"chosen_topic_0_Cat": "Cat"},
         "retrieved_passages": [{"Mouse": ["Mice squeak."]}]},
        {"speaker": "0_Apprentice", "text": "And dogs?",
         "retrieved_passages": [{"Wolf": ["Wolves howl."]}]},
        {"speaker": "1_Wizard", "text": "I do not know.", "checked_sentence": {},
         "checked_passage": {}, "retrieved_passages": []},
    ],
}  # fmt: skip
GOLD = {"meta": [["Cats hunt."], []], "dialogue": [["Hi", "Cats hunt."], ["Ok", "Bye"]]}
OPENDIALKG = {
    "n": 7,
    "turns": [
        {"sender": "user", "text": "Who wrote Emma?", "gold_paths": []},
        {"sender": "assistant", "text": "Jane Austen.",
         "gold_paths": [{"triples": [["Emma", "written_by", "Jane Austen"]]}]},
        {"sender": "user", "text": "Thanks.", "gold_paths": []},
    ],
}  # fmt: skip


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., DialogueFile]:
    """Writes data as JSON, or text as it is, and reads it back."""

    def load(data: Any, name: str = "d.json") -> DialogueFile:
        text = data if isinstance(data, str) else json.dumps(data)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return DialogueFile(tmp_path / name)

    return load


def test_lists_by_turn(read) -> None:
    file = read([COLLECTED])
    first, second = file.turns
    assert file.format.NAME == "collected" and not file.problems
    assert (first.query, first.topic, first.gold, first.gold_sentence) == (
        "Do cats hunt?", "Cat", 1, "Cats hunt mice."
    )  # fmt: skip
    assert first.candidates[2] == Candidate("Dog", "Dogs bark.")
    assert (second.grounded, second.gold_sentence, second.gold_title) == (False, "", NO_PASSAGE)
    assert second.history == ("Do cats hunt?", "They hunt mice.")


def test_the_first_line_is_the_topic_where_none_is_given(read) -> None:
    data = {k: v for k, v in COLLECTED.items() if k != "topics"}
    assert read([data]).turns[0].topic == "Cat"
    # A wizard who opens is asked with the topic.
    opened = read([{**data, "post": ["Cat", "And dogs?"]}]).turns[0]
    assert (opened.query, opened.topic) == ("Cat", "Cat")


def test_single_turns_keep_a_true_sentence_that_is_no_candidate(read) -> None:
    (turn,) = read([SINGLE]).turns
    assert (turn.gold, turn.gold_sentence, turn.grounded, turn.gold_title) == (
        None,
        "They do.",
        True,
        None,
    )
    assert (turn.topic, turn.source, turn.history) == ("Cat", "", ("Hello.",))
    assert read([{**SINGLE, "source": "Dog_gold"}]).turns[0].source == "Dog"


def test_parlai_makes_the_candidates_of_its_own_teacher(read) -> None:
    first, second = read([RAW]).turns
    assert [c.title for c in first.candidates] == [NO_PASSAGE, "Cat", "Cat", "Dog"]
    assert [c.title for c in second.candidates] == [NO_PASSAGE, "Cat", "Cat", "Wolf", "Mouse"]
    assert (first.gold, second.gold) == (1, 0)
    assert (first.query, second.query) == ("Do cats hunt?", "And dogs?")
    unknown = {
        **RAW,
        "dialog": [RAW["dialog"][0], {**RAW["dialog"][1], "checked_sentence": {"a": "Else."}}],
    }
    assert read([unknown]).turns[0].gold is None


def test_gold_files_have_turns_without_candidates(read) -> None:
    first, second = read([GOLD]).turns
    assert (first.grounded, second.grounded) == (True, False)
    assert first.candidates == () and second.history == ("Hi", "Cats hunt.")


def test_opendialkg_through_its_own_reader(read) -> None:
    file = read(json.dumps(OPENDIALKG), "d.jsonl")
    first, second = file.turns
    assert file.format.NAME == "opendialkg"
    assert (first.query, first.source, first.path) == (
        "Who wrote Emma?",
        "Emma",
        ("Emma", "Jane Austen"),
    )
    assert (second.source, second.path, second.grounded) == ("Jane Austen", (), False)


def test_our_own_form_is_a_round_trip(read) -> None:
    for data in (COLLECTED, SINGLE, RAW):
        file = read([data])
        again = read("".join(lines_of(file.dialogues)), "own.jsonl")
        assert again.format.NAME == "kgpath"
        assert again.dialogues == file.dialogues


def test_compressed_and_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "d.json.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps([COLLECTED]).encode()))
    assert len(DialogueFile(path).turns) == 2


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"knowledge": [["Cats hunt."], [NONE, CAT]]}, "turn 1: candidate 0 has no __knowledge__"),
        ({"knowledge": [[NONE, CAT], []], "labels": [1, -1]}, "turn 2 has no candidates"),
        ({"labels": [7, 0]}, "turn 1: the label is 7, but there are 3 candidates"),
        ({"labels": [-2, 0]}, "turn 1: the label is -2"),
        ({"labels": ["x", 0]}, "turn 1: the label 'x' is not a whole number"),
        ({"labels": [1]}, "the lists differ in length: 2 post, 2 knowledge, 1 labels"),
        ({"post": ["", "x"], "topics": [""]}, "turn 1 has no text and no topic"),
        ({"post": [None, "x"]}, "post is not a text"),
        ({"knowledge": [[NONE, 5], [NONE]]}, "turn 1: candidate 1 is not a text"),
        ({"knowledge": [[" __knowledge__ x"], [NONE]]}, "turn 1: candidate 0 has no title"),
    ],
)
def test_a_bad_dialogue_is_left_out_and_named(read, change: dict[str, Any], complaint: str) -> None:
    file = read([COLLECTED, {**COLLECTED, **change}])
    assert len(file.dialogues) == 1
    (problem,) = file.problems
    assert problem.startswith("d.json, dialogue 2: ") and complaint in problem


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ([{"a": 1, "b": 2}], "begins with an object with a, b"),
        ([[1, 2]], "begins with a list"),
        ("not json", "is not JSON"),
        ("", "is empty"),
        ([], "is empty"),
        ([{**COLLECTED, "labels": [9, 9]}], "holds no dialogue that can be read. First problem: "),
    ],
)
def test_a_file_in_no_known_form_says_which_there_are(read, data: Any, complaint: str) -> None:
    with pytest.raises(BadSource) as raised:
        read(data)
    assert complaint in str(raised.value)
    if "First problem" not in complaint:
        for form in ("kgpath", "collected", "single", "parlai", "gold", "opendialkg"):
            assert form in str(raised.value)


def test_copies_of_a_candidate_are_one_answer(read) -> None:
    (turn,) = read([{**SINGLE, "knowledge": [NONE, CAT, CAT], "labels": 2}]).turns
    assert turn.gold == 1


def test_titles_lose_what_files_leave_in_them() -> None:
    assert clean_title("Ballet_gold") == "Ballet"
    assert clean_title(" no_passages_used ") == NO_PASSAGE
    assert clean_title("BeyoncÃ©") == "Beyoncé"
    assert clean_title("Workâ  life balance") == "Work – life balance"
    assert clean_title("AC/DC") == "AC/DC"
    assert title_key("Sgt  Pepper") == title_key("Sgt. Pepper")
    assert title_key("猫") == "猫" != title_key("犬")


def test_the_two_public_forms_of_the_same_dialogues_agree(real_data: Path) -> None:
    folder = real_data / "dialogue" / "wow"
    collected = DialogueFile(folder / "sample-dialogues.json.gz")
    raw = DialogueFile(folder / "sample-raw.json.gz")
    assert len(collected.turns) == 24
    for one, other in zip(collected.turns, raw.turns, strict=True):
        assert one.candidates == other.candidates
        assert (one.gold, one.query, one.response) == (other.gold, other.query, other.response)


def test_the_198_single_turns(real_data: Path) -> None:
    file = DialogueFile(real_data / "dialogue" / "wow" / "test-seen-198.json.gz")
    assert (len(file.turns), len(file.problems)) == (198, 0)
    assert sum(turn.gold is None for turn in file.turns) == 16
