"""Texts of folders and files: what is a text, what it is called, what is left out and why."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from kgpath.errors import BadSource
from kgpath.io.texts import GivenText, TextFiles, text_of


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_lines_with_and_without_a_name_and_a_pair(tmp_path: Path) -> None:
    file = write(
        tmp_path / "t.jsonl",
        '{"text": "One."}',
        "",
        '{"id": "b", "text": "Two.", "head": "A", "tail": "B", "date": 7}',
        '{"id": 3, "document": "Three."}',
    )
    given = TextFiles(file)
    assert given.texts == [
        GivenText("line 1", "One."),
        GivenText("b", "Two.", "A", "B"),
        GivenText("3", "Three."),
    ]
    assert given.problems == []


def test_broken_lines_are_named_and_the_rest_is_read(tmp_path: Path) -> None:
    file = write(tmp_path / "t.jsonl", "{", '{"text": " "}', '{"text": "One."}', "[]")
    given = TextFiles(file)
    assert [text.id for text in given.texts] == ["line 3"]
    assert [problem.split(": ")[0] for problem in given.problems] == [
        "t.jsonl:1", "t.jsonl:2", "t.jsonl:4",
    ]  # fmt: skip


def test_packed_lines_are_read(tmp_path: Path) -> None:
    with gzip.open(tmp_path / "t.jsonl.gz", "wt") as file:
        file.write('{"text": "One."}\n')
    assert TextFiles(tmp_path / "t.jsonl.gz").texts == [GivenText("line 1", "One.")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ([], "not a JSON object"),
        ({}, "no text"),
        ({"text": 3}, "no text"),
        ({"text": "a", "head": "A"}, "it names one entity: give head and tail, or neither"),
        ({"text": "a", "head": "A", "tail": 4}, "head and tail are names or IRIs"),
        ({"text": "a", "head": "A", "tail": " "}, "head and tail are names or IRIs"),
    ],
)
def test_what_is_no_text(line: object, said: str) -> None:
    with pytest.raises(ValueError) as raised:
        text_of(line, 1)
    assert str(raised.value) == said


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("In a folder.")
    (tmp_path / "b.md").write_text("Two.")
    (tmp_path / "a.TXT").write_bytes("\ufeffOne.".encode())
    (tmp_path / "c.pdf").write_text("No text.")
    (tmp_path / "d.txt").write_text(" \n")
    (tmp_path / "e.txt").write_bytes(b"caf\xe9")
    (tmp_path / "f.txt").mkdir()
    given = TextFiles(tmp_path)
    assert given.texts == [
        GivenText("a.TXT", "One."), GivenText("b.md", "Two."),
        GivenText("sub/a.txt", "In a folder."),
    ]  # fmt: skip
    assert given.problems == ["d.txt: it is empty", "e.txt is not utf-8 text (byte 3)"]


def test_another_encoding_is_up_to_who_asks(tmp_path: Path) -> None:
    (tmp_path / "e.txt").write_bytes(b"caf\xe9")
    given = TextFiles(tmp_path, lambda data, name: data.decode("latin-1"))
    assert given.texts == [GivenText("e.txt", "café")]


def test_nothing_to_read_says_what_is_wanted(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match=r"holds no text\. It needs files that end in \.txt"):
        TextFiles(tmp_path)
    with pytest.raises(BadSource, match=r"holds no text\. Write one JSON object.*t.jsonl:1: no te"):
        TextFiles(write(tmp_path / "t.jsonl", "{}"))
    with pytest.raises(BadSource, match="no file"):
        TextFiles(tmp_path / "missing.jsonl")
