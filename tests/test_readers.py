"""The contract of all readers: a stranger's file is read, or refused in a sentence; never more.

Whatever the file holds, a reader ends with what it read or with a KgpathError, within the limits.
"""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kgpath.cli.texts import read_text
from kgpath.datasets.annotation.agreement import read_answers
from kgpath.datasets.annotation.news_tasks import accepted_queries, read_tasks
from kgpath.datasets.annotation.wikinews import NewsFile
from kgpath.datasets.opendialkg.queries import OpenDialKG
from kgpath.datasets.statistics import tally_of
from kgpath.datasets.synthetic.recipe import read_recipe
from kgpath.dialogue import DialogueFile
from kgpath.encoders.vectors.word_vectors import read_vectors
from kgpath.errors import BadSource, KgpathError
from kgpath.io.evidence import EvidenceFile
from kgpath.io.limits import limited
from kgpath.io.lines import read_lines
from kgpath.io.queries import QueryFile, UntoldFile
from kgpath.io.texts import TextFiles
from kgpath.kg_build.files import SourceFile
from kgpath.kg_build.report import Report
from kgpath.kg_build.wikimedia.article import Article
from kgpath.paths.batch import read_pairs
from kgpath.plugins import ARTICLE_FORMATS, SOURCES

A, P, B = "http://x/a", "http://x/p", "http://x/b"


class Reader(NamedTuple):
    """How a kind of file is read, giving what was wrong with it; a whole file, and its name."""

    read: Callable[[Path], list[str]]
    name: str
    whole: bytes
    lines: bool = True  # whether it is read line by line


def source(path: Path, known: Any = SOURCES, format: str | None = None) -> list[str]:
    report = Report(path.name)
    file = SourceFile(str(path), format, known=known)
    with file.open() as stream:
        read = known.load(file.format)
        for found in (read if known is SOURCES else read.read)(stream, report):
            if isinstance(found, Article):
                found.paragraphs()
    return report.examples


def problems(make: Callable[[Path], Any], path: Path) -> list[str]:
    found: list[str] = make(path).problems
    return found


def nothing(make: Callable[[Path], Any], path: Path) -> list[str]:
    make(path)
    return []


def news(path: Path) -> list[str]:
    file = NewsFile(path)
    list(file)
    return file.problems


def tasks(path: Path) -> list[str]:
    found = read_tasks(path)
    answers = path.with_name("answers.jsonl")
    answers.write_text('{"task": "t", "annotator": "a", "answer": "1"}\n')
    accepted_queries(found, read_answers(answers))
    return []


def described(path: Path) -> list[str]:
    found: list[str] = []
    tally_of(path, found).figures()
    return found


def line(data: Any) -> bytes:
    return json.dumps(data).encode() + b"\n"


PASSAGE = "Cat __knowledge__ A cat hunts mice."
QUERY = {"id": "q", "document": "a b", "head": A, "tail": B, "path": [A, P, B],
         "links": [{"entity": A, "words": ["a"]}], "candidates": [[A, P, B]],
         "sentence_starts": [0], "evidence": [{"head": A, "relation": P, "tail": B,
                                               "sentences": [0]}]}  # fmt: skip
UNTOLD = {"id": "u", "document": "a b", "head": A, "tail": B}
MARKED = {"head": A, "relation": P, "tail": B, "sentences": [0]}
STEPS = [["A", "p", "B"]]
DIALOGUES: dict[str, Any] = {
    "kgpath": {"id": "d", "topic": "Cat", "turns": [
        {"query": "Cats?", "candidates": [["Cat", "It hunts."]], "label": 0, "history": ["x"],
         "gold": "x", "grounded": True, "response": "y", "source": "Cat", "path": ["a"]}]},
    "collected": {"post": ["Cat\nCats?"], "response": ["Yes."], "knowledge": [[PASSAGE]],
                  "labels": [0], "topic": "Cat"},
    "single": {"post": "Cats?", "knowledge": [PASSAGE], "labels": 0, "topic": "Cat",
               "response": "y", "history": ["x"], "source": "Cat"},
    "parlai": {"chosen_topic": "Cat", "chosen_topic_passage": ["It hunts."], "dialog": [
        {"speaker": "0_Apprentice", "text": "Cats?", "retrieved_passages": [{"Dog": ["Barks."]}]},
        {"speaker": "1_Wizard", "text": "Yes.", "checked_sentence": {"k": "It hunts."},
         "checked_passage": {"k": "Cat"}, "retrieved_passages": [{"Dog": ["Barks."]}]}]},
    "gold": {"meta": [["x"]], "dialogue": [["a", "b"]]},
    "opendialkg": {"n": 1, "turns": [
        {"sender": "u", "text": "A?", "gold_paths": [{"triples": STEPS}]},
        {"sender": "a", "text": "B.", "gold_paths": [{"triples": STEPS}]}]},
}  # fmt: skip
MESSAGES = [
    {"type": "action", "sender": "u", "action_id": "kgwalk/choose_path",
     "metadata": {"path": [0.5, STEPS, "A p B"]}},
    {"type": "chat", "sender": "u", "message": "A and B."},
]  # fmt: skip
END = {"iri": A, "places": [[0, 1]]}
ENTITY = {"type": "item", "id": "Q1", "labels": {"en": {"language": "en", "value": "One"}},
          "descriptions": {}, "aliases": {"en": [{"language": "en", "value": "1"}]},
          "claims": {"P1": [{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": {
              "type": "wikibase-entityid", "value": {"id": "Q2"}}}}]},
          "sitelinks": {"enwiki": {"site": "enwiki", "title": "One"}}}  # fmt: skip
#: JSON records by the reader that takes lines of them.
RECORDS: dict[str, tuple[Callable[[Path], list[str]], str, Any]] = {
    "queries": (partial(problems, QueryFile), "q.jsonl", QUERY),
    "untold": (partial(problems, UntoldFile), "u.jsonl", {**UNTOLD, "paths": []}),
    "evidence": (partial(problems, EvidenceFile), "e.jsonl",
                 {"document": "A and B.", "sentence_starts": [0], "facts": [MARKED]}),
    "pairs": (partial(nothing, lambda path: read_pairs(read_lines(path), path.name)), "p.jsonl",
              {"head": A, "tail": B}),
    "texts": (partial(problems, TextFiles), "t.jsonl",
              {"id": "t", "text": "A and B.", "head": A, "tail": B}),
    **{f"dialogues, {name}": (partial(problems, DialogueFile), "d.jsonl", data)
       for name, data in DIALOGUES.items()},
    "describe": (described, "q.jsonl", {**QUERY, "document_hops": 2, "named": True,
                                        "text_kind": "facts"}),
    "opendialkg": (partial(problems, OpenDialKG().convert), "o.jsonl", DIALOGUES["opendialkg"]),
    "wikinews": (news, "n.jsonl", {"title": "T", "paragraphs": ["A and B."], "entities": [
        {"title": "A", "spots": ["A"]}]}),
    "answers": (partial(problems, read_answers), "a.jsonl",
                {"task": "t", "annotator": "x", "answer": "1"}),
    "tasks": (tasks, "t.jsonl", {"id": "t", "choices": ["1", "none"], "document": "a b",
                                 "head": END, "tail": END, "paths": [[A, P, B]]}),
    "articles": (partial(source, known=ARTICLE_FORMATS), "a.jsonl",
                 {"title": "A", "sections": [["x"], {"text": "y"}], "lang": "en", "url": "u"}),
    "wikidata": (source, "w.wikidata", ENTITY),
    "codex": (partial(source, format="codex"), "c.json",
              {"Q1": {"label": "One", "description": "1"}, "Q2": ["Q1"]}),
}  # fmt: skip
XML = (
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/">%s'
    b"</rdf:RDF>"
)
WIKI = (
    b"<mediawiki><page><title>A</title><ns>0</ns><revision><text>x</text></revision></page>%s"
    b"</mediawiki>"
)
READERS: dict[str, Reader] = {
    **{name: Reader(read, file, line(data), lines=file not in ("c.json", "d.jsonl"))
       for name, (read, file, data) in RECORDS.items()},
    "nt": Reader(source, "x.nt", b"<a:a> <a:p> <a:b> .\n"),
    "nq": Reader(source, "x.nq", b"<a:a> <a:p> <a:b> <a:g> .\n"),
    "wikidata-nt": Reader(partial(source, format="wikidata-nt"), "x.nt", b"<a:a> <a:p> <a:b> .\n"),
    "ttl": Reader(source, "x.ttl", b"<a:a> <a:p> <a:b> .\n"),
    "rdf": Reader(source, "x.rdf", XML % b'<x:A rdf:about="a:a"/>\n', lines=False),
    "tsv": Reader(source, "x.tsv", b"a\tp\tb\n"),
    "csv": Reader(source, "x.csv", b"a,p,b\n"),
    "codex triples": Reader(partial(source, format="codex"), "x.txt", b"Q1\tP2\tQ3\n"),
    "codex texts": Reader(partial(source, format="codex"), "x.tsv", b"qid\tname\nQ1\tOne\n"),
    "mediawiki": Reader(partial(source, known=ARTICLE_FORMATS), "x.xml", WIKI % b"\n", lines=False),
    "article table": Reader(partial(source, known=ARTICLE_FORMATS), "x.tsv", b"A\tx\n"),
    "opendialkg csv": Reader(
        partial(problems, OpenDialKG().convert), "o.csv",
        b'Messages,x\n"%s",y\n' % json.dumps(MESSAGES).replace('"', '""').encode()),
    "dialogues, list": Reader(partial(problems, DialogueFile), "d.json",
                              line([DIALOGUES["gold"]]), lines=False),
    "pair table": Reader(RECORDS["pairs"][0], "p.tsv", b"a\tb\n"),
    "vectors": Reader(partial(nothing, read_vectors), "v.txt", b"a 1 2\nb 3 4\n"),
    "binary vectors": Reader(partial(nothing, read_vectors), "v.bin", b"1 2\na " + bytes(8),
                             lines=False),
    "recipe": Reader(partial(nothing, read_recipe), "r.toml", b"documents = 1\npairs = 1\n",
                     lines=False),
    "text": Reader(partial(nothing, lambda path: read_text(str(path), None, "utf-8")), "t.txt",
                   b"A text.\n", lines=False),
}  # fmt: skip
JSON_READERS = list(RECORDS)
every_reader = pytest.mark.parametrize("reader", READERS.values(), ids=READERS.keys())


def told(reader: Reader, folder: Path, content: bytes, ending: str = "") -> str:
    """What a reader says of a file: its problems, or the one sentence that refuses it."""
    path = folder / (reader.name + ending)
    path.write_bytes(content)
    try:
        return "\n".join(reader.read(path))
    except KgpathError as error:
        assert len(str(error)) < 3_000
        return str(error)


@every_reader
def test_a_whole_file_is_read_plain_or_packed(reader: Reader, tmp_path: Path) -> None:
    assert told(reader, tmp_path, reader.whole) == ""
    assert told(reader, tmp_path, gzip.compress(reader.whole), ".gz") == ""


@every_reader
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xef\xbb\xbf",
        b"\0",
        b"\r",
        b"\n\n",
        b"\xff\xfe\0",
        "é".encode("latin-1"),
        b"\x1f\x8b",
    ],
    ids=["empty", "mark", "zero", "return", "lines", "utf-16", "latin-1", "gzip head"],
)
def test_next_to_nothing_is_no_traceback(reader: Reader, content: bytes, tmp_path: Path) -> None:
    told(reader, tmp_path, content)
    told(reader, tmp_path, reader.whole + content)
    told(reader, tmp_path, content + reader.whole)


@every_reader
def test_a_file_cut_off_anywhere_is_no_traceback(reader: Reader, tmp_path: Path) -> None:
    for size in range(0, len(reader.whole), max(1, len(reader.whole) // 50)):
        told(reader, tmp_path, reader.whole[:size])


@every_reader
def test_a_damaged_archive_is_refused_in_a_sentence(reader: Reader, tmp_path: Path) -> None:
    packed = gzip.compress(reader.whole)
    assert told(reader, tmp_path, packed[:-9], ".gz").startswith(reader.name) or told(
        reader, tmp_path, packed[:-9], ".gz"
    ).startswith(str(tmp_path / reader.name))


@every_reader
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
def test_a_bomb_is_refused_with_the_way_out(
    reader: Reader, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    if pack is bz2.compress and "vectors" in reader.name + str(reader.read):
        pytest.skip("vectors are packed with gzip only")
    ending = ".gz" if pack is gzip.compress else ".bz2"
    with limited(unpacked="64K"):
        message = told(reader, tmp_path, pack(reader.whole + b" " * (1 << 23)), ending)
    assert (
        f"{reader.name}{ending} unpacks to more than 100 times its size, and to over 64 KB. If "
        in (message)
    )
    assert "kgpath --max-unpacked 128K …" in message


@every_reader
def test_a_line_without_end_is_named_with_the_way_out(reader: Reader, tmp_path: Path) -> None:
    if not reader.lines:
        pytest.skip("it is not read line by line")
    with limited(line=2_000):
        # Longer than the blocks in which some are read: within one, a line is as good as read.
        endless = b"x" * (5 << 20)
        message = told(reader, tmp_path, reader.whole + endless + b"\n" + reader.whole)
        assert "of over 2,000 bytes. If it is meant to be so: kgpath --max-line 4000 …" in message
    with limited(line=20_000):
        assert "--max-line" not in told(reader, tmp_path, reader.whole + b"x" * 10_000 + b"\n")


@every_reader
def test_what_is_held_in_memory_is_bounded(reader: Reader, tmp_path: Path) -> None:
    if reader.lines or reader.name.startswith(("x.", "v.")):
        pytest.skip("it is not held in memory as a whole")
    with limited(file=1_000):
        message = told(reader, tmp_path, reader.whole + b" " * 10_000)
    assert message.startswith(reader.name)
    assert (
        "read into memory as a whole, and is over 1,000 bytes. If it is meant to be so: " in message
    )


DEEP = [b"[" * 5_000, b"[" * 100_000, b'{"a":' * 5_000, b'{"a":[' * 5_000 + b"]}" * 5_000,
        b'{"id": ' + b"[" * 900 + b"]" * 900 + b"}"]  # fmt: skip


@pytest.mark.parametrize("deep", DEEP, ids=range(len(DEEP)))
@pytest.mark.parametrize("name", JSON_READERS)
def test_json_nested_without_end_is_no_traceback(name: str, deep: bytes, tmp_path: Path) -> None:
    reader = READERS[name]
    told(reader, tmp_path, deep + b"\n")
    told(reader, tmp_path, reader.whole + deep + b"\n")


ODD = [None, True, -1, 1 << 70, 0.5, "", "x", [], [[]], [1], {}, {"a": 1}, "\ud83d", ["\udc00"]]


def places(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where each value of plain data stands."""
    yield at
    if not isinstance(data, dict | list):
        return
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield from places(value, (*at, key))


def _value(data: Any, at: tuple[Any, ...]) -> Any:
    for key in at:
        data = data[key]
    return data


def changed(data: Any, at: tuple[Any, ...], value: Any) -> Any:
    """The data with another value in one place."""
    if not at:
        return value
    data = deepcopy(data)
    inner = data
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = value
    return data


@pytest.mark.parametrize("name", JSON_READERS)
def test_a_wrong_type_anywhere_is_no_traceback(name: str, tmp_path: Path) -> None:
    read, file, data = RECORDS[name]
    reader = Reader(read, file, b"")
    for at in places(data):
        for value in ODD:
            told(reader, tmp_path, line(changed(data, at, value)))
        if name != "codex":
            told(reader, tmp_path, line(data) + line(changed(data, at, [{}])))


def test_a_wrong_type_in_the_messages_of_opendialkg_is_no_traceback(tmp_path: Path) -> None:
    reader = READERS["opendialkg csv"]
    for at in places(MESSAGES):
        for value in ODD:
            cell = json.dumps(changed(MESSAGES, at, value)).replace('"', '""')
            told(reader, tmp_path, f'Messages,x\n"{cell}",y\n'.encode())


@pytest.mark.parametrize("name", [name for name in JSON_READERS if name not in ("tasks", "pairs")])
def test_half_of_a_surrogate_pair_costs_its_record_and_is_named(name: str, tmp_path: Path) -> None:
    read, file, data = RECORDS[name]
    at = next(at for at in places(data) if at and isinstance(_value(data, at), str))
    half = json.dumps(changed(data, at, "\ud83d"))
    message = told(Reader(read, file, b""), tmp_path, half.encode() + b"\n")
    assert "surrogate" in message


def test_other_dialogues_of_a_list_survive_half_of_a_surrogate_pair(tmp_path: Path) -> None:
    good = DIALOGUES["gold"]
    (tmp_path / "d.json").write_text(json.dumps([good, {**good, "meta": [["\ud83d"]]}]))
    file = DialogueFile(tmp_path / "d.json")
    assert [dialogue.id for dialogue in file.dialogues] == ["dialogue 1"]
    assert file.problems == [
        "d.json, dialogue 2: half of a surrogate pair, \\ud83d, is no character"
    ]


def test_a_line_separator_within_a_text_ends_no_json_line(tmp_path: Path) -> None:
    data = deepcopy(DIALOGUES["gold"])
    data["dialogue"][0][0] = "one\u2028two\x85three"
    (tmp_path / "d.jsonl").write_text(json.dumps(data, ensure_ascii=False) + "\r\n", "utf-8")
    (turn,) = DialogueFile(tmp_path / "d.jsonl").turns
    assert turn.query == "one\u2028two\x85three"


def test_a_carriage_return_in_a_text_of_codex_is_a_blank(tmp_path: Path) -> None:
    reader = READERS["codex texts"]
    text = b"qid\tname\textract\nQ1\tOne\tIt is\rone.\nQ2\tTwo\tIt is two.\r\n"
    assert told(reader, tmp_path, text) == ""
    report = Report("x")
    with SourceFile(str(tmp_path / "x.tsv"), "codex").open() as stream:
        found = list(SOURCES.load("codex")(stream, report))
    assert [text for _, _, text, _ in found] == ["One", "It is one.", "Two", "It is two."]


def test_vectors_that_promise_64_gib_are_refused_before_any_memory_is_taken(
    tmp_path: Path,
) -> None:
    (tmp_path / "v.bin").write_bytes(b"100000000 160\na " + bytes(640))
    with pytest.raises(BadSource, match=r"it ends after 1 of 100000000 words"):
        read_vectors(tmp_path / "v.bin")
    (tmp_path / "v.bin").write_bytes(b"1 9999999999\na " + bytes(640))
    with pytest.raises(BadSource, match=r"promises 1 words of 9,999,999,999 numbers"):
        read_vectors(tmp_path / "v.bin")


def test_vectors_with_other_counts_than_they_promise_are_refused(tmp_path: Path) -> None:
    (tmp_path / "v.vec").write_bytes(b"3 2\na 1 2\nb 3 4\n")
    with pytest.raises(BadSource) as caught:
        read_vectors(tmp_path / "v.vec")
    assert (
        "its first line promises 3 words of 2 numbers, but there are 2 of 2; without that line it "
        "can be read" in str(caught.value)
    )
