"""kgpath dialogue and kgpath reproduce, as a person and as a program use them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgpath.cli import main

NONE = "no_passages_used __knowledge__ no_passages_used"
TURNS = [
    {
        "id": "a", "topic": "Emma Stone", "post": "Who else is in that musical?", "labels": 2,
        "response": "It is a musical with Ryan Gosling.",
        "knowledge": [
            NONE,
            "Musical theatre __knowledge__ A musical has songs; who else sings in it?",
            "La La Land_gold __knowledge__ It is a musical.",
        ],
    },
    {
        "id": "b", "topic": "Abyssinian cat", "post": "They do like their mice.", "labels": 2,
        "response": "My cat hunts mice too.",
        "knowledge": [
            NONE,
            "List of Madagascar characters __knowledge__ King Julien dances with mice at night.",
            "Cat __knowledge__ A house cat hunts mice at night.",
        ],
    },
]  # fmt: skip


@pytest.fixture
def turns(tmp_path: Path) -> str:
    (tmp_path / "turns.json").write_text(json.dumps(TURNS))
    return "turns.json"


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch, capsys, tmp_path: Path):
    """Runs the command in this process: what it says where its exit code is 1, and its stdout."""

    def run(*arguments: str) -> tuple[str, str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["kgpath", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 1
        said = capsys.readouterr()
        return said.err, said.out

    return run


def test_select_shows_sentence_and_chain(cli, turns: str, sample_path: Path) -> None:
    done = cli("dialogue", "select", turns)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[-3:] == [
        "b: They do like their mice.",
        "  Cat: A house cat hunts mice at night.",
        "  Abyssinian cat → Cat (share “cat”)",
    ]
    typed = cli(
        "dialogue", "select", turns, "--selector", "wikipath(alpha=5)", "--edges", "typed",
        "--graph", sample_path,
    )  # fmt: skip
    assert "  Emma Stone ←starring– La La Land\n" in typed.out
    assert "film.kg knows 1 of 4 titles (25%) and 1 of 2 sources." in typed.err


def test_select_for_programs_is_a_line_for_each_turn(cli, turns: str) -> None:
    first, second = map(json.loads, cli("dialogue", "select", turns, "--json").out.splitlines())
    assert second["chain"]["text"] == "Abyssinian cat → Cat"
    assert second["response"] == second["sentence"] == "A house cat hunts mice at night."
    assert [c["title"] for c in first["candidates"]][2] == "La La Land"
    again = cli("dialogue", "select", turns, "--json", env={"PYTHONHASHSEED": "7"})
    assert list(map(json.loads, again.out.splitlines())) == [first, second]


def test_evaluate_compares_selectors_and_rules(
    cli, turns: str, sample_path: Path, tmp_path
) -> None:
    done = cli(
        "dialogue", "evaluate", turns, "--selector", "bm25", "--selector", "wikipath", "--edges",
        "lexical,typed", "--graph", sample_path, "-o", "runs.jsonl",
    )  # fmt: skip
    assert done.code == 0, done.err
    rows = [line.split("  ")[0] for line in done.out.splitlines()[:4]]
    assert rows == ["run", "bm25", "wikipath lexical", "wikipath typed"]
    assert "difference to bm25, over dialogues" in done.out
    assert "2 turns of 2 dialogues; 0 whose" in done.err and "BLEU-4: nrefs:1" in done.err
    lines = (tmp_path / "runs.jsonl").read_text().splitlines()
    assert len(lines) == 6 and json.loads(lines[0])["run"] == "bm25"
    data = json.loads(cli("dialogue", "evaluate", turns, "--json").out)
    assert [row["run"] for row in data["runs"]] == [
        "random", "bm25", "bm25+continuity", "wikipath lexical"
    ]  # fmt: skip


def test_chat_answers_what_is_typed(cli, turns: str) -> None:
    done = cli("dialogue", "chat", turns, "--dialogue", "2", stdin="who hunts mice\nking julien\n")
    assert done.out.splitlines() == [
        "A house cat hunts mice at night.",
        "  Abyssinian cat → Cat (share “cat”)",
        "King Julien dances with mice at night.",
        "  Cat ⇢ List of Madagascar characters (no path)",
    ]
    assert "About Abyssinian cat" in done.err
    lines = json.dumps({"query": "mice", "topic": "Cat", "candidates": [["Wild cat", "mice"]]})
    piped = cli("dialogue", "chat", "-", stdin=lines + "\n")
    assert piped.out.splitlines() == ["mice", "  Cat → Wild cat (share “cat”)"]
    bad = cli("dialogue", "chat", "-", stdin='{"query": "x"}\n')
    assert (bad.code, bad.err) == (
        1, "kgpath: line 1: not an object with query and candidates\n"
    )  # fmt: skip


def test_train_a_detector_and_use_it(cli, tmp_path: Path, turns: str) -> None:
    said = [["What is the history of it?", "Old."], ["Ok!", "Bye"]]
    gold = [{"meta": [["A page."], []], "dialogue": said}] * 10
    (tmp_path / "gold.json").write_text(json.dumps(gold))
    done = cli("dialogue", "train", "gold.json", "-o", "need.json")
    assert done.code == 0 and "very short query" in done.out
    shown = cli("dialogue", "select", turns, "--detector", "need.json", "--json")
    assert all(0 <= json.loads(line)["need"] <= 1 for line in shown.out.splitlines())
    assert cli("dialogue", "select", "gold.json").code == 1
    assert "kgpath dialogue train" in cli("dialogue", "select", turns, "--detector", "no").err


def test_convert_writes_our_own_form(cli, turns: str, tmp_path: Path) -> None:
    assert cli("dialogue", "convert", turns, "-o", "own.jsonl").code == 0
    one, other = (cli("dialogue", "select", f).out for f in (turns, "own.jsonl"))
    assert one == other
    text = (tmp_path / "own.jsonl").read_bytes()
    assert cli("dialogue", "select", "-", stdin=text).out == one


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("select", "none.json"), "There is no file none.json."),
        (("select", "turns.json", "--edges", "typed"), "needs a graph: --graph film.kg"),
        (("select", "turns.json", "--edges", "magic"), "No 'magic' among the edge_rules."),
        (("select", "turns.json", "--selector", "best"), "No 'best' among the selectors."),
        (("chat", "turns.json", "--dialogue", "9"), "--dialogue is 9, but turns.json has 2."),
        (("evaluate", "turns.json", "-o", "no/where.jsonl"), "There is no folder no"),
    ],
)
def test_what_a_user_can_mend_is_one_line(inside, turns: str, arguments, complaint: str) -> None:
    said, out = inside("dialogue", *arguments)
    assert complaint in said and out == ""


def test_a_graph_that_knows_no_title_is_refused(cli, tmp_path: Path, film_path: Path) -> None:
    turn = {**TURNS[1], "topic": "Tea"}
    (tmp_path / "tea.json").write_text(json.dumps([turn]))
    done = cli("dialogue", "select", "tea.json", "--edges", "typed", "--graph", film_path)
    assert done.code == 1
    assert "film.kg knows none of the 2 titles in tea.json" in done.err


def test_dialogues_without_candidates_take_the_facts_of_a_graph(
    cli, tmp_path: Path, film_path: Path
) -> None:
    turns = [
        {"sender": "user", "text": "Who plays James Bond?"},
        {"sender": "assistant", "text": "Daniel Craig.", "gold_paths": [
            {"triples": [["James Bond", "portrayer", "Daniel Craig"]]}]},
    ]  # fmt: skip
    (tmp_path / "odkg.jsonl").write_text(json.dumps({"n": 1, "turns": turns}))
    assert "have no candidates" in cli("dialogue", "select", "odkg.jsonl").err
    done = cli("dialogue", "evaluate", "odkg.jsonl", "--graph", film_path, "--selector", "bm25")
    assert done.code == 0 and "it knows the source of 1 of 1 turns" in done.err


def test_reproduce_lists_shows_and_writes(cli, turns: str, tmp_path: Path) -> None:
    listed = cli("reproduce", "--list").out
    assert "wikipath-t13" in listed and listed.index("wikipath-t2") < listed.index("wikipath-t10")
    done = cli("reproduce", "wikipath-t5", f"mine={turns}", "--set", "alpha=0.3", "-o", "out")
    assert done.code == 0, done.err
    assert done.out.startswith("Table 5. Test results") and "mine   BM25+WikiPath" in done.out
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "wikipath-t5.md", "wikipath-t5.csv"
    }  # fmt: skip
    assert cli("reproduce", "wikipath-p5", turns, "-o", "out").code == 0
    assert (tmp_path / "out" / "wikipath-p5-turns.png").exists()
    (table,) = json.loads(cli("reproduce", "wikipath-t1", turns, "--json").out)
    assert table["rows"][0]["turns"] == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("wikipath-t5",), "Name the files of dialogues"),
        (("wikipath-t99", "x"), "No 'wikipath-t99' among the reproductions."),
        (("magic-*", "x"), "See: kgpath reproduce --list"),
        (("wikipath-t5", "turns.json", "--set", "alpha"), "--set alpha=0.5"),
        (("wikipath-p5", "turns.json"), "say where to write it, -o FOLDER"),
    ],
)
def test_reproduce_says_what_is_wrong(inside, turns: str, arguments, complaint: str) -> None:
    said, out = inside("reproduce", *arguments)
    assert complaint in said and out == ""
