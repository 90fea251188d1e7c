"""OpenDialKG: both forms of the file, the paths of the turns, and the queries made of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import kgpath
from kgpath.datasets.conversion import write_conversion
from kgpath.datasets.cpr import Cpr
from kgpath.datasets.opendialkg.dialogues import OpenDialKGFile, Step, Turn
from kgpath.datasets.opendialkg.queries import IN_KG_TRIPLES, OpenDialKG, path_iris
from kgpath.errors import BadOption, BadSource, NotWritable
from kgpath.io.queries import QueryFile

UP = [["Skyfall", "starred_actors", "Daniel Craig"]]
DOWN = [
    ["Daniel Craig", "~starred_actors", "Spectre"],
    ["Spectre", "directed_by", "Sam Mendes"],
]
DIALOGUE = {
    "n": 7,
    "turns": [
        {"sender": sender, "text": text, "gold_paths": [{"triples": path}] if path else []}
        for sender, text, path in (
            ("user", "Did you like Skyfall? ", None),
            ("assistant", "Yes, Daniel Craig is in it.", UP),
            ("user", "What else did he do with Mendes?", DOWN),
        )
    ],
}
GRAPH = (
    "Skyfall\tactor\tDaniel Craig\nSpectre\tactor\tDaniel Craig\nSpectre\tdirector\tSam Mendes\n"
)

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def made(text: str) -> Path:
        path = tmp_path / "dialogues"
        path.write_text(text, encoding="utf-8")
        return path

    return made


def published(*messages: object) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["Messages", "User Rating", "Assistant Rating"])
    writer.writerow([json.dumps(messages), "{}", "{}"])
    return file.getvalue()


def chose(sender: str, triples: object) -> dict[str, object]:
    return {
        "type": "action",
        "sender": sender,
        "action_id": "kgwalk/choose_path",
        "metadata": {"path": [0.0, triples, "in words"]},
    }


def said(sender: str, message: str) -> dict[str, object]:
    return {"type": "chat", "sender": sender, "message": message}


def test_turns_have_their_path_and_where_the_dialogue_stood(write: Write) -> None:
    (dialogue,) = OpenDialKGFile(write(json.dumps(DIALOGUE))).dialogues
    first, second, third = dialogue.turns
    assert dialogue.id == "7"
    assert first == Turn("user", "Did you like Skyfall?")
    assert first.entities == ()
    assert second.path == (Step("Skyfall", "starred_actors", "Daniel Craig"),)
    assert second.previous == ()
    assert third.path == (
        Step("Daniel Craig", "^starred_actors", "Spectre"),
        Step("Spectre", "directed_by", "Sam Mendes"),
    )
    assert third.entities == ("Daniel Craig", "Spectre", "Sam Mendes")
    assert third.previous == ("Skyfall", "Daniel Craig")


def test_an_entity_met_again_moves_to_its_latest_place(write: Write) -> None:
    back = {"sender": "user", "text": "And?", "gold_paths": [{"triples": [["Skyfall", "r", "X"]]}]}
    data = {"turns": [*DIALOGUE["turns"], back, {"sender": "user", "text": "Thanks"}]}
    (dialogue,) = OpenDialKGFile(write(json.dumps(data))).dialogues
    assert dialogue.turns[-1].previous == ("Daniel Craig", "Spectre", "Sam Mendes", "Skyfall", "X")


def test_the_published_form_says_the_same(write: Write) -> None:
    messages = [
        said("user", "Did you like Skyfall? "),
        chose("assistant", UP),
        {"type": "action", "sender": "user", "action_id": "meta_thread/send_meta_message"},
        said("assistant", "Yes, Daniel Craig is in it."),
        chose("user", [["Skyfall", "r", "forsaken"]]),
        chose("user", DOWN),
        said("user", "What else did he do with Mendes?"),
    ]
    (there,) = OpenDialKGFile(write(published(*messages))).dialogues
    (here,) = OpenDialKGFile(write(json.dumps(DIALOGUE))).dialogues
    assert there.turns == here.turns
    assert there.id == "1"


def test_a_path_chosen_by_one_is_not_given_to_the_other(write: Write) -> None:
    text = published(chose("assistant", UP), said("user", "Hm."), said("assistant", "Yes."))
    (dialogue,) = OpenDialKGFile(write(text)).dialogues
    assert [len(turn.path) for turn in dialogue.turns] == [0, 1]


@pytest.mark.parametrize(
    ("triples", "words"),
    [
        ([["a", "r", "b"], ["c", "r", "d"]], "breaks off at b and goes on at c"),
        ([["a", "r"]], "not head, relation and tail"),
        ([["a", " ", "b"]], "not head, relation and tail"),
        ([["a", None, "b"]], "not head, relation and tail"),
    ],
)
def test_a_bad_path_is_reported_and_left_out(write: Write, triples: object, words: str) -> None:
    data = {"n": 3, "turns": [{"sender": "u", "text": "t", "gold_paths": [{"triples": triples}]}]}
    file = OpenDialKGFile(write(json.dumps(data)))
    (problem,) = file.problems
    assert "dialogue 3, turn 1" in problem and words in problem
    assert file.dialogues[0].turns[0].path == ()


def test_bad_lines_and_turns_are_reported_and_left_out(write: Write) -> None:
    lines = [json.dumps(DIALOGUE), "{broken", '{"n": 1}', '{"n": 2, "turns": [{"sender": "u"}]}']
    file = OpenDialKGFile(write("\n".join(lines)))
    assert len(file.dialogues) == 1
    assert [p.partition(": ")[0] for p in file.problems] == [
        "dialogues:2", "dialogues:3", "dialogues, dialogue 2, turn 1", "dialogues, dialogue 2",
    ]  # fmt: skip


def test_bad_rows_of_the_published_form_are_reported(write: Write) -> None:
    good = published(said("user", "Hello"))
    file = OpenDialKGFile(write(good + "not json,,\n" + '"{}",,\n' + good.splitlines()[1] + "\n"))
    assert len(file.dialogues) == 2
    assert len(file.problems) == 2 and "dialogue 2" in file.problems[0]


@pytest.mark.parametrize("text", ["", "head\trelation\ttail\n", "{]"])
def test_another_file_is_answered_with_the_known_forms(write: Write, text: str) -> None:
    with pytest.raises(BadSource, match="Messages, and JSON lines with turns"):
        OpenDialKGFile(write(text))


def test_a_turn_with_a_path_becomes_a_query_of_the_dialogue_so_far(write: Write) -> None:
    made = OpenDialKG().convert(write(json.dumps(DIALOGUE)))
    assert made.records == [
        {
            "id": "7-2",
            "document": "Did you like Skyfall?\n\nYes, Daniel Craig is in it.",
            "head": "urn:kg:Skyfall",
            "tail": "urn:kg:Daniel_Craig",
            "path": ["urn:kg:Skyfall", "urn:kg:actor", "urn:kg:Daniel_Craig"],
        },
        {
            "id": "7-3",
            "document": "Did you like Skyfall?\n\nYes, Daniel Craig is in it.\n\n"
            "What else did he do with Mendes?",
            "head": "urn:kg:Daniel_Craig",
            "tail": "urn:kg:Sam_Mendes",
            "path": [
                "urn:kg:Daniel_Craig", "^urn:kg:actor", "urn:kg:Spectre", "urn:kg:director",
                "urn:kg:Sam_Mendes",
            ],
        },
    ]  # fmt: skip
    stated = OpenDialKG("stated").convert(write(json.dumps(DIALOGUE)))
    assert stated.records[0]["path"][1] == "urn:kg:starred_actors"
    with pytest.raises(BadOption, match="stated"):
        OpenDialKG("freebase")


def test_a_path_in_a_circle_is_no_query(write: Write) -> None:
    triples = [["a", "r", "b"], ["b", "r", "a"]]
    turn = {"sender": "u", "text": "t", "gold_paths": [{"triples": triples}]}
    made = OpenDialKG().convert(write(json.dumps({"turns": [turn]})))
    assert made.records == []
    assert made.left_out == {"paths that visit an entity twice": 1}


def test_converted_queries_are_answered_on_the_graph(
    write: Write, source: Callable[..., Path], cli: Callable[..., SimpleNamespace]
) -> None:
    file = write(json.dumps(DIALOGUE))
    done = cli("convert", "opendialkg", file, "-o", "q.jsonl")
    assert (done.code, done.err) == (0, "")
    assert done.out == ("q.jsonl: 2 queries over 2 documents, 4 entities, 2 relations; card q.md\n")
    cli("build", source("kg.tsv", GRAPH), "-o", "g.kg")
    done = cli("evaluate", "g.kg", "q.jsonl", "--ranker", "shortest", "--json")
    (row,) = json.loads(done.out)["rankers"]
    assert row["all"]["Recall"] == 1.0
    card = (file.parent / "q.md").read_text()
    assert "CC BY-NC 4.0" in card and "| paths of 1 hop | 1 |" in card


def test_cpr_lines_are_checked_and_written_again(write: Write, tmp_path: Path) -> None:
    query = {
        "id": "q", "document": "A met B.", "head": "ex:a", "tail": "ex:b",
        "path": ["ex:a", "ex:r", "ex:b"], "links": [{"entity": "ex:a", "words": "A"}],
    }  # fmt: skip
    many = {**query, "path": None, "paths": [query["path"], query["path"]], "noise": 1}
    marked = {"head": "ex:a", "relation": "ex:r", "tail": "ex:b", "sentences": [0]}
    untold = {**query, "path": None, "paths": [], "evidence": [marked], "sentence_starts": [0]}
    file = write("\n".join([json.dumps(query), "{", json.dumps(many), json.dumps(untold)]))
    made = Cpr().convert(file)
    card = write_conversion(made, tmp_path / "out.jsonl")
    assert "CC BY-NC-SA" in card.read_text()
    assert made.left_out == {"field noise": 1} and len(made.problems) == 1
    before, after = QueryFile(file).queries, QueryFile(tmp_path / "out.jsonl").queries
    assert [q.paths for q in after] == [q.paths for q in before]
    assert [q.links for q in after] == [q.links for q in before]
    assert [q.told for q in after] == [True, True, False]
    assert after[-1].evidence == before[-1].evidence and after[-1].sentence_starts == (0,)


@pytest.mark.parametrize("output", ["", "card.md"])
def test_a_place_that_cannot_be_written_is_reported_before_anything_is(
    write: Write, tmp_path: Path, output: str
) -> None:
    made = OpenDialKG().convert(write(json.dumps(DIALOGUE)))
    with pytest.raises(NotWritable):
        write_conversion(made, tmp_path / output)
    assert [path.name for path in tmp_path.iterdir()] == ["dialogues"]


def test_nothing_to_convert_writes_nothing(
    write: Write, cli: Callable[..., SimpleNamespace], tmp_path: Path
) -> None:
    file = write('{"turns": [{"sender": "u", "text": "Hello"}]}')
    done = cli("convert", "opendialkg", file, "-o", "q.jsonl")
    assert done.code == 1 and "no query with a true path" in done.err
    assert cli("convert", "opendialogue", file, "-o", "q.jsonl").err.startswith(
        "kgpath: No 'opendialogue' among the datasets. Known: cpr, opendialkg"
    )
    assert not (tmp_path / "q.jsonl").exists() and not (tmp_path / "q.md").exists()


def test_real_paths_are_facts_of_the_graph(real_data: Path, tmp_path: Path) -> None:
    folder = real_data / "dialogue" / "opendialkg"
    dialogues = OpenDialKGFile(folder / "dialogues.jsonl.gz").dialogues
    assert sum(bool(turn.path) for d in dialogues for turn in d.turns) == 8538
    kgpath.build([folder / "kg_triples.tsv.gz"], tmp_path / "g.kg")
    with kgpath.open(tmp_path / "g.kg") as kg:
        edges = {(h, r, t) for h, t, r in kg.to_networkx().edges(keys=True)}
    there = 0
    for turn in (turn for d in dialogues for turn in d.turns if turn.path):
        path = path_iris(turn, IN_KG_TRIPLES)
        steps = zip(path[::2], path[1::2], path[2::2], strict=False)
        there += all(((t, r[1:], h) if r[0] == "^" else (h, r, t)) in edges for h, r, t in steps)
    assert there == 5625
