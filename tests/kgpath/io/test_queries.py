"""Files of queries: what a line may say, and what is said about a line that cannot be used."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kgpath.errors import BadOption, BadSource
from kgpath.io.queries import QueryFile, UntoldFile, query_of, read_untold

GOOD = {"document": "A met B.", "head": "ex:a", "tail": "ex:b", "path": ["ex:a", "ex:r", "ex:b"]}
LONG = ["ex:a", "^ex:r", "ex:c", "ex:r", "ex:b"]

Write = Callable[..., QueryFile]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Reads a file of these lines, records as JSON."""

    def made(*lines: object) -> QueryFile:
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        (tmp_path / "q.jsonl").write_text("\n".join(texts), encoding="utf-8")
        return QueryFile(tmp_path / "q.jsonl")

    return made


def test_one_path_or_several(write: Write) -> None:
    one, several = write(GOOD, {**GOOD, "path": None, "paths": [GOOD["path"], LONG]}).queries
    assert one.paths == (("ex:a", "ex:r", "ex:b"),)
    assert several.paths == (("ex:a", "ex:r", "ex:b"), tuple(LONG))
    assert (one.head, one.tail, one.document) == ("ex:a", "ex:b", "A met B.")


def test_a_query_without_paths_is_untold_if_it_says_so(write: Write) -> None:
    bare = {**GOOD, "paths": []}
    untold, empty, told = write({**bare, "path": None}, {**bare, "path": []}, bare).queries
    assert [query.told for query in (untold, empty, told)] == [False, False, True]
    for change in ({"path": []}, {"path": None}, {"path": None, "paths": None}):
        with pytest.raises(ValueError, match=r"^no path: give the true one as path, or several as"):
            query_of({**GOOD, **change})


def test_a_file_of_untold_questions_needs_no_paths_and_may_have_none(tmp_path: Path) -> None:
    pair = {"document": "A met B.", "head": "ex:a", "tail": "ex:b"}
    file = tmp_path / "u.jsonl"
    many = {**GOOD, "paths": [LONG]}
    lines = [pair, {**pair, "paths": []}, GOOD, {**pair, "tail": ""}, [1], many]
    file.write_text("\n".join(map(json.dumps, lines)) + "\n{")
    read = UntoldFile(file)
    assert [(query.line, query.paths) for query in read.queries] == [(1, ()), (2, ())]
    true = "it has a true path, so it is not untold: it belongs to the queries"
    assert read.problems[:4] == [
        f"u.jsonl:3: {true}",
        "u.jsonl:4: no tail",
        "u.jsonl:5: not a JSON object",
        f"u.jsonl:6: {true}",
    ]
    assert read.problems[4].startswith("u.jsonl:7: ")
    file.write_text(json.dumps(GOOD))
    with pytest.raises(BadSource) as refused:
        UntoldFile(file)
    assert str(refused.value) == (
        "u.jsonl holds no untold question. Write one JSON object a line, with document, head and "
        f"tail. First problem: u.jsonl:1: {true}"
    )
    file.write_text("")
    with pytest.raises(BadSource, match=r"u\.jsonl holds no untold question\..* and tail\.$"):
        UntoldFile(file)


def test_queries_as_they_are_may_be_untold_if_none_has_a_path() -> None:
    untold = query_of({**GOOD, "path": None, "paths": []})
    assert read_untold([untold]) == ([untold], [])
    with pytest.raises(BadOption, match=r"^line 7 has a true path, so it is not untold\.$"):
        read_untold([untold, query_of(GOOD, 7)])


def test_a_query_has_its_id_or_the_number_of_its_line(write: Write) -> None:
    file = write({**GOOD, "id": "first"}, "", GOOD, {**GOOD, "id": 0}, {**GOOD, "id": ""})
    assert [query.id for query in file.queries] == ["first", "line 3", "0", "line 5"]
    assert [query.line for query in file.queries] == [1, 3, 4, 5]


def test_links_have_words_or_a_list_of_words() -> None:
    links = [{"entity": "ex:c", "words": "Carl"}, {"entity": "ex:d", "words": ["Dora", "Ms D."]}]
    assert query_of({**GOOD, "links": links}).links == (
        ("ex:c", "Carl"),
        ("ex:d", "Dora"),
        ("ex:d", "Ms D."),
    )
    assert query_of({**GOOD, "links": None}).links == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"document": None}, "no document"),
        ({"document": "  "}, "no document"),
        ({"head": None, "tail": 7}, "no head and no tail"),
        ({"path": None}, "no path"),
        ({"path": []}, "no path"),
        ({"path": "ex:a ex:r ex:b"}, "a path is a list: entity, relation, entity"),
        ({"path": ["ex:a"]}, "a path is a list"),
        ({"path": ["ex:a", "ex:r", "ex:c", "ex:b"]}, "a path is a list"),
        ({"path": ["ex:a", None, "ex:b"]}, "not a name"),
        ({"path": ["ex:b", "ex:r", "ex:a"]}, "leads from ex:b to ex:a, not from head to tail"),
        ({"paths": [GOOD["path"], ["ex:a", "ex:r", "ex:c"]]}, "leads from ex:a to ex:c"),
        ({"paths": 5}, "paths is not a list"),
        ({"paths": "ex:a"}, "paths is not a list"),
        ({"tail": "ex:a", "path": ["ex:a", "ex:r", "ex:a"]}, "head and tail are the same: ex:a"),
        ({"links": ["ex:c"]}, "a link is an object"),
        ({"links": 5}, "a link is an object"),
        ({"links": [{"entity": "ex:c"}]}, "a link is an object"),
        ({"links": [{"entity": "ex:c", "words": ["x", ""]}]}, "a link is an object"),
        ({"links": [{"words": "x"}]}, "a link is an object"),
    ],
)
def test_what_is_wrong_with_a_query_is_said(change: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        query_of({**GOOD, **change})


def test_a_broken_line_is_named_and_the_rest_is_read(write: Write) -> None:
    file = write(GOOD, '{"document": ', [1, 2], {**GOOD, "head": ""}, "[" * 100_000, GOOD)
    assert [query.line for query in file.queries] == [1, 6]
    assert [problem.split(": ")[0] for problem in file.problems] == [
        "q.jsonl:2",
        "q.jsonl:3",
        "q.jsonl:4",
        "q.jsonl:5",
    ]
    assert file.problems[1:3] == ["q.jsonl:3: not a JSON object", "q.jsonl:4: no head"]


def test_fields_without_a_meaning_are_counted(write: Write) -> None:
    file = write({**GOOD, "mood": 1, "title": "x"}, {**GOOD, "mood": 2, "score": 0.5})
    assert (len(file.queries), file.problems) == (2, [])
    assert file.ignored == {"mood": 2, "score": 1}


@pytest.mark.parametrize("line", ["", "\n \n"])
def test_an_empty_file_says_what_belongs_in_it(write: Write, line: str) -> None:
    with pytest.raises(BadSource, match=r"q\.jsonl holds no query\. Write one JSON object a line"):
        write(line)


def test_a_file_without_one_good_line_names_the_first_problem(write: Write) -> None:
    with pytest.raises(BadSource, match=r"First problem: q\.jsonl:1: no tail$"):
        write({**GOOD, "tail": ""}, "x")


def test_a_missing_file_and_a_wrong_encoding(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match=r"There is no file .*nowhere\.jsonl"):
        QueryFile(tmp_path / "nowhere.jsonl")
    line = json.dumps({**GOOD, "document": "Beyoncé"}, ensure_ascii=False)
    (tmp_path / "old.jsonl").write_bytes(line.encode("cp1252"))
    with pytest.raises(BadSource, match=r"old\.jsonl is not UTF-8 text .* iconv"):
        QueryFile(tmp_path / "old.jsonl")


def test_the_mark_that_some_editors_put_first_is_no_matter(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text(json.dumps(GOOD), encoding="utf-8-sig")
    assert QueryFile(tmp_path / "q.jsonl").queries[0].head == "ex:a"


def test_compressed_files(tmp_path: Path) -> None:
    line = json.dumps({**GOOD, "document": "Beyoncé"}).encode()
    (tmp_path / "q.jsonl.gz").write_bytes(gzip.compress(line))
    (tmp_path / "q.jsonl.bz2").write_bytes(bz2.compress(line))
    for name in ("q.jsonl.gz", "q.jsonl.bz2"):
        assert QueryFile(tmp_path / name).queries[0].document == "Beyoncé"


def test_damaged_files(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps({**GOOD, "id": n}) for n in range(50)).encode()
    packed = gzip.compress(lines)
    broken = bytearray(packed)
    broken[30:40] = bytes(10)
    for name, content in {
        "cut.gz": packed[:-20],
        "bits.gz": bytes(broken),
        "plain.gz": lines,
        "plain.bz2": lines,
        "cut.bz2": bz2.compress(lines)[:-8],
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadSource, match=rf"{name} is damaged .*Fetch it again"):
            QueryFile(tmp_path / name)


def test_a_file_that_may_not_be_read_is_the_systems_matter(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        QueryFile(tmp_path)


def test_candidates_are_read_and_must_join_the_ends(write: Write) -> None:
    brought = {**GOOD, "candidates": [GOOD["path"], LONG], "text_kind": "facts", "sources": []}
    file = write(brought, {**GOOD, "candidates": [["ex:a", "ex:r", "ex:c"]]})
    assert [query.candidates for query in file.queries] == [(tuple(GOOD["path"]), tuple(LONG))]
    assert file.problems == ["q.jsonl:2: the path leads from ex:a to ex:c, not from head to tail"]
    assert not file.ignored
    with pytest.raises(BadSource, match="candidates is not a list of paths"):
        write({**GOOD, "candidates": "all"})
