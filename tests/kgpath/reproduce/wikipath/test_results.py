"""The tables of the paper: what it prints adds up, and what we make adds up the same way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgpath.errors import BadOption
from kgpath.plugins import REPRODUCTIONS
from kgpath.reproduce.report import csv_text, markdown
from kgpath.reproduce.wikipath.published_figures import (
    ABLATION,
    BUCKETS,
    DATA,
    ERRORS,
    RESULTS,
    published_split,
)
from kgpath.reproduction import Picture, Request, Table

NONE = "no_passages_used __knowledge__ no_passages_used"
TURNS = DATA["test-seen"][1]


# What the paper prints


def test_the_turns_by_path_length_are_all_turns() -> None:
    assert sum(row[0] for row in BUCKETS.values()) == TURNS == 3865


def test_the_accuracy_by_path_length_is_the_accuracy() -> None:
    weighted = sum(row[0] * row[3] for row in BUCKETS.values()) / TURNS
    assert round(weighted, 4) == RESULTS["test-seen", "BM25+WikiPath"][2] == 0.2828


def test_every_error_is_of_one_kind() -> None:
    for shares in ERRORS.values():
        assert sum(shares[:3]) == pytest.approx(100, abs=0.011)  # each is rounded


def test_the_gain_is_37_turns() -> None:
    gain = RESULTS["test-seen", "BM25+WikiPath"][2] - RESULTS["test-seen", "BM25"][2]
    assert round(gain * TURNS) == 37


def test_the_tables_agree_with_each_other() -> None:
    assert ABLATION["BM25"][0] == RESULTS["test-seen", "BM25"][0]
    assert ABLATION["WikiPath (lexical)"][1] == RESULTS["test-seen", "BM25+WikiPath"][2]
    for method, shares in ERRORS.items():
        assert shares[0] == pytest.approx(100 * RESULTS["test-seen", method][1])
    assert BUCKETS[None][0] / TURNS == pytest.approx(0.767, abs=0.0005)


def test_user_score_lies_below_groundedness_as_rouge_does() -> None:
    for row in RESULTS.values():
        assert row[4] < row[3]


# What we make


@pytest.fixture
def file(tmp_path: Path) -> Path:
    def dialogue(topic: str, other: str) -> dict[str, object]:
        page = f"{topic} __knowledge__ The {topic} lives in a house."
        return {
            "topics": [topic],
            "post": [f"Tell me of the {topic}.", f"And the {other}?", "Fine."],
            "response": ["It lives in a house.", "It does too.", "Bye."],
            "knowledge": [[NONE, page, f"{other} __knowledge__ A {other} barks."]] * 3,
            "labels": [1, 2, 0],
        }

    data = [dialogue("Cat", "Wild cat"), dialogue("Dog", "Wolf"), dialogue("Emma Stone", "Oscar")]
    for knowledge in data[2]["knowledge"]:  # type: ignore[attr-defined]
        knowledge += ["La La Land __knowledge__ A film.", "Andrew Garfield __knowledge__ A man."]
    path = tmp_path / "pets.json"
    path.write_text(json.dumps(data))
    return path


def made(name: str, file: Path, **options: object) -> list[Table | Picture]:
    with Request((str(file),), **options) as request:  # type: ignore[arg-type]
        return list(REPRODUCTIONS.load(name)(request))


WIKIPATH = [entry.name for entry in REPRODUCTIONS if entry.name.startswith("wikipath")]


def test_all_tables_and_pictures_of_the_paper_are_there() -> None:
    numbers = [f"wikipath-t{n}" for n in range(1, 14)] + [f"wikipath-p{n}" for n in range(1, 7)]
    assert set(WIKIPATH) == {*numbers, "wikipath-coverage"}


@pytest.mark.parametrize("name", WIKIPATH)
def test_every_reproduction_works_on_a_users_file(
    name: str, file: Path, sample_path: Path, tmp_path: Path
) -> None:
    results = made(name, file, graph=str(sample_path))
    assert results
    for result in results:
        if isinstance(result, Picture):
            result.draw(tmp_path / "one.png")
            result.draw(tmp_path / "two.png")
            assert (tmp_path / "one.png").read_bytes()[:4] == b"\x89PNG"
            assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
        else:
            assert all(len(row) == len(result.columns) for row in result.rows)
            assert markdown(result).count("\n|") == len(result.rows) + 2
            assert len(csv_text(result).splitlines()) == len(result.rows) + 1
            json.dumps(result.to_json(), allow_nan=False)


def test_our_own_tables_add_up_too(file: Path) -> None:
    (lengths,) = made("wikipath-t13", file)
    assert sum(row[1] for row in lengths.rows) == 9
    (errors,) = made("wikipath-t8", file)
    for row in errors.rows:
        assert sum(map(float, row[2:5])) == pytest.approx(100, abs=0.02)
    (main,) = made("wikipath-t5", file)
    accuracy = dict(zip(main.columns, main.rows[-1], strict=True))["EntityAcc"]
    assert sum(row[1] * row[4] for row in lengths.rows) / 9 == pytest.approx(accuracy)


def test_the_paper_stands_beside_its_own_split_only(file: Path) -> None:
    (table,) = made("wikipath-t5", file)
    assert not any("the paper" in str(row[0]) for row in table.rows)
    assert published_split("test_seen_collected") == "test-seen"
    assert published_split("valid_random_split-unseen") == "valid-unseen"
    assert published_split("pets") == ""


def test_what_is_missing_is_reported(file: Path, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="Name the files"):
        list(REPRODUCTIONS.load("wikipath-t5")(Request()))
    with pytest.raises(BadOption, match=r"No option 'alfa' here. There are: alpha, b, beta"):
        made("wikipath-t5", file, options={"alfa": "1"})
    with pytest.raises(BadOption, match="needs the graph"):
        made("opendialkg-paths", file)
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps([{"meta": [["A."]], "dialogue": [["Hi", "A."]]}]))
    with pytest.raises(BadOption, match="no candidates"):
        made("wikipath-t5", gold)


def test_options_reach_the_selectors(file: Path) -> None:
    (plain,) = made("wikipath-t5", file)
    (strong,) = made("wikipath-t5", file, options={"alpha": "9"})
    assert plain.rows[1] == strong.rows[1]  # BM25 has no alpha
    assert plain.rows[-1] != strong.rows[-1]


def test_true_paths_among_the_first(sample_path: Path, tmp_path: Path) -> None:
    def dialogue(*path: str) -> str:
        triples = [list(step) for step in zip(path[:-1], ["in"] * 9, path[1:], strict=False)]
        said = {"sender": "assistant", "text": "So.", "gold_paths": [{"triples": triples}]}
        turns = [{"sender": "user", "text": "Well?"}, said]
        return json.dumps({"n": path[0], "turns": turns})

    file = tmp_path / "odkg.jsonl"
    file.write_text("\n".join([
        dialogue("Emma Stone", "La La Land"),
        dialogue("Emma Stone", "The Amazing Spider-Man", "Andrew Garfield"),
        dialogue("Nobody", "Nowhere"),
    ]))  # fmt: skip
    (table,) = made("opendialkg-paths", file, graph=str(sample_path))
    rows = {(row[0], row[2]): row for row in table.rows}
    assert rows["all turns", "typed"][1] == 3
    known = rows["both ends in the graph", "typed"]
    assert known[1] == 2 and known[3] == 1.0  # both are connected
    assert known[4] <= known[5] <= known[6] <= known[7] == 1.0
