"""kgpath query --texts: a line for every text of a folder or file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "news"
    folder.mkdir()
    (folder / "a.txt").write_text("Roger Moore of London was James Bond before Daniel Craig was.")
    (folder / "b.txt").write_text("It rained.")
    (folder / "c.txt").write_bytes(b"\xff\xfe\xff")
    return folder


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_folder_to_standard_output(cli, film, texts: Path) -> None:
    done = cli("query", film.path, "--texts", texts, "-k", "1", "--workers", "1")
    assert done.code == 0
    one, other = lines(done.out)
    assert one["id"] == "a.txt" and all(len(some["answers"]) <= 1 for some in one["answers"])
    assert other == {"id": "b.txt", "answers": []}
    assert "Texts that were left out: 1\n  c.txt is not utf-8 text" in done.err


def test_a_file_to_a_file(cli, film, texts: Path, tmp_path: Path) -> None:
    file, output = tmp_path / "t.jsonl", tmp_path / "out.jsonl"
    file.write_text('{"id": "x", "text": "Roger Moore was James Bond."}\nno JSON\n')
    done = cli("query", film.path, "--texts", file, "-o", output, "--workers", "1")
    assert done.code == 0 and done.out == ""
    assert "t.jsonl:2" in done.err and f"{output}: 1 text\n" in done.err
    assert [record["id"] for record in lines(output.read_text())] == ["x"]


def test_one_pair_in_all_texts_or_the_pairs_of_a_file(cli, film, texts, tmp_path: Path) -> None:
    done = cli("query", film.path, "London", "Daniel Craig", "--texts", texts, "--workers", "1")
    assert [len(record["answers"]) for record in lines(done.out)] == [1, 0]
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("London\tDaniel Craig\nLondon\tJames Bond\n")
    done = cli("query", film.path, "--texts", texts, "--pairs", pairs, "--workers", "1")
    assert [len(record["answers"]) for record in lines(done.out)] == [2, 0]


def test_all_pairs_are_more(cli, film, texts: Path) -> None:
    few = cli("query", film.path, "--texts", texts, "--workers", "1", "--max-hops", "6")
    every = cli(
        "query", film.path, "--texts", texts, "--workers", "1", "--max-hops", "6", "--pairs", "all"
    )
    counts = [len(lines(done.out)[0]["answers"]) for done in (few, every)]
    assert counts[0] <= 10 and counts[0] <= counts[1]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--pairs", "all"], "--pairs and -o go with --texts"),
        (["-o", "x"], "--pairs and -o go with --texts"),
        (["--texts", "t", "--text", "x"], "in place of --context"),
        (["London", "--texts", "t"], "a HEAD and a TAIL, or neither"),
        (["London", "Jaws", "--texts", "t", "--pairs", "all"], "in place of a HEAD and a TAIL"),
    ],
)
def test_options_that_do_not_go_together(cli, film, more: list[str], said: str) -> None:
    done = cli("query", film.path, *more)
    assert done.code == 2 and said in " ".join(done.err.split())


def test_an_empty_folder_and_an_unknown_entity(cli, film, texts: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    done = cli("query", film.path, "--texts", empty)
    assert done.code == 1 and "holds no text" in done.err
    done = cli("query", film.path, "Nobody", "London", "--texts", texts)
    assert done.code == 1 and "No entity 'Nobody'" in done.err and done.out == ""


def test_what_is_read_is_not_overwritten(cli, film, texts: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_text('{"text": "a"}\n')
    done = cli("query", film.path, "--texts", file, "-o", file)
    assert done.code == 1 and file.read_text() == '{"text": "a"}\n'
