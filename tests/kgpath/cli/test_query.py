"""kgpath query, as a person and as a program use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgpath.datasets.sample_files import sample_text

DBR = "http://dbpedia.org/resource/"
PAIR = ("Roger Moore", "Daniel Craig")
TEXT = "Roger Moore and Daniel Craig both played James Bond."
BOND = "Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig"
ACCENTS = "Beyoncé’s café. " + TEXT


@pytest.fixture
def graph(sample_path: Path) -> Path:
    return sample_path


def test_people_read_paths_verdicts_and_the_evidence_of_the_first(cli, graph: Path) -> None:
    done = cli("query", graph, *PAIR, "--text", TEXT, "-k", "2")
    assert done.code == 0
    first, quote, second = done.out.splitlines()
    assert first.split(maxsplit=2)[1:] == ["relevant", BOND]
    assert quote == "        “[Roger Moore] and [Daniel Craig] both [played] [James Bond].”"
    assert float(second.split()[0]) < float(first.split()[0])
    assert done.err == (
        "2 of 300 paths (the graph has more) of at most 4 hops, ranked by kgpath-general\n"
    )


def test_a_file_and_a_pipe_say_the_same_as_the_text_itself(
    cli, graph: Path, tmp_path: Path
) -> None:
    (tmp_path / "news.txt").write_text(ACCENTS, encoding="utf-8")
    (tmp_path / "marked.txt").write_text(ACCENTS, encoding="utf-8-sig")
    itself = cli("query", graph, *PAIR, "--text", ACCENTS, "--json")
    assert itself.code == 0
    assert cli("query", graph, *PAIR, "--context", "news.txt", "--json").out == itself.out
    assert cli("query", graph, *PAIR, "--context", "marked.txt", "--json").out == itself.out
    piped = cli("query", graph, *PAIR, "--context", "-", "--json", stdin=ACCENTS)
    assert piped.out == itself.out


def test_programs_read_json(cli, graph: Path) -> None:
    done = cli("query", graph, *PAIR, "--text", TEXT, "--json", "-k", "3", "--limit", "20")
    data = json.loads(done.out)
    assert set(data) == {
        "head", "tail", "ranker", "verdict", "note", "candidates", "truncated", "answers",
    }  # fmt: skip
    assert (data["head"], data["tail"]) == (DBR + "Roger_Moore", DBR + "Daniel_Craig")
    assert (data["ranker"], data["candidates"], data["truncated"]) == ("kgpath-general", 20, True)
    assert (data["verdict"], data["note"], len(data["answers"])) == ("relevant", "", 3)
    best = data["answers"][0]
    assert set(best) == {"path", "text", "score", "parts", "verdict", "support", "evidence"}
    assert best["text"] == BOND
    assert sum(best["parts"].values()) == pytest.approx(best["score"])
    (quote,) = best["evidence"]
    assert TEXT[quote["start"] :] == quote["sentence"]
    marked = [TEXT[mark["start"] : mark["end"]] for mark in quote["marks"]]
    assert marked == ["Roger Moore", "Daniel Craig", "played", "James Bond"]


def test_relations_that_mean_the_same_are_one_answer_with_both_names(cli, graph: Path) -> None:
    films = ("Die Another Day", "The World Is Not Enough")
    asked = ("query", graph, *films, "--text", f"{films[0]} came after {films[1]}.", "-k", "2")
    said = "Die Another Day –previous work, ^subsequent work→ The World Is Not Enough"
    first, *others = [line for line in cli(*asked).out.splitlines() if "→" in line]
    assert first.endswith(said) and len(others) == 1 and "work" not in others[0]
    best, other = json.loads(cli(*asked, "--json").out)["answers"]
    assert best["text"] == said
    assert best["also"] == [["^http://dbpedia.org/ontology/subsequentWork"]]
    assert "also" not in other


def test_an_explanation_has_the_parts_of_every_score(cli, graph: Path) -> None:
    done = cli("query", graph, *PAIR, "--text", TEXT, "-k", "3", "--explain")
    lines = done.out.splitlines()
    paths = [at for at, line in enumerate(lines) if " Roger Moore " in line and "→" in line]
    assert len(paths) == 3
    for at in paths:
        score = float(lines[at].split()[0])
        parts = [float(part.split()[-1]) for part in lines[at + 1].split(",")]
        # Rounded to two digits, and less than half a hundredth is not said.
        assert sum(parts) == pytest.approx(score, abs=0.06)
        assert [abs(part) for part in parts] == sorted(map(abs, parts), reverse=True)


def test_the_text_decides(cli, graph: Path, tmp_path: Path) -> None:
    for name, through in (("sample-06", "One America Appeal"), ("sample-08", "Democratic Party")):
        (tmp_path / "news.txt").write_text(sample_text(name), encoding="utf-8")
        done = cli("query", graph, "Barack Obama", "Bill Clinton", "--context", "news.txt")
        assert through in done.out.splitlines()[0]


def test_entities_on_the_way_may_be_asked_for_and_excluded(cli, graph: Path) -> None:
    asked = ("query", graph, "Barack Obama", "Bill Clinton", "--text", sample_text("sample-06"))
    through = cli(*asked, "--through", "Democratic Party").out.splitlines()
    assert through and all("Democratic Party" in line for line in through if "–" in line)
    assert "One America Appeal" not in cli(*asked, "--exclude", "One America Appeal").out
    few = cli(*asked, "--hub-cap", "10").err
    assert few != cli(*asked).err
    done = cli("query", graph, "Barack Obama", "--text", "Barack Obama.", "--through", "Ohio")
    assert done.code == 2 and "--through needs both entities" in done.err
    done = cli(*asked, "--types", "no such class")
    assert done.code == 1 and "no such class" in done.err


def test_a_name_of_several_is_settled_by_the_text(cli, graph: Path) -> None:
    ends = ("Casino Royale", "Charlie and the Chocolate Factory")
    done = cli("query", graph, *ends, "--text", sample_text("sample-04"), "--json")
    assert json.loads(done.out)["head"] == DBR + "Casino_Royale_(2006_film)"
    done = cli("query", graph, *ends, "--text", "It rained.")
    assert done.code == 1 and "names 3 entities. Say which by its IRI" in done.err


def test_an_old_encoding_is_named_and_then_works(cli, graph: Path, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_bytes(ACCENTS.encode("cp1252"))
    done = cli("query", graph, *PAIR, "--context", "old.txt")
    assert (done.code, done.out) == (1, "")
    assert "old.txt is not utf-8 text" in done.err and "--encoding cp1252" in done.err
    done = cli("query", graph, *PAIR, "--context", "old.txt", "--encoding", "cp1252", "-k", "1")
    assert done.code == 0 and BOND in done.out
    (tmp_path / "wide.txt").write_bytes(ACCENTS.encode("utf-16"))
    assert "--encoding utf-16" in cli("query", graph, *PAIR, "--context", "wide.txt").err
    done = cli("query", graph, *PAIR, "--context", "wide.txt", "--encoding", "utf-16")
    assert done.code == 0 and BOND in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        ((*PAIR, "--text", TEXT, "--ranker", "best"), 1, "No 'best' among the rankers. Known: avg"),
        ((*PAIR, "--text", TEXT, "--ranker", ""), 1, "Write it like: name(option=value"),
        (
            (*PAIR, "--text", TEXT, "--ranker", "tfidf-cosine(alpha=x)"),
            1,
            "alpha is 'x'; it can be a number.",
        ),
        ((*PAIR, "--text", TEXT, "--ranker", "zero-shot(x=1)"), 1, "zero-shot has no option 'x'"),
        ((*PAIR, "--text", TEXT, "--ranker", "avg-cosine"), 1, "--vectors FILE"),
        (
            (*PAIR, "--text", TEXT, "--ranker", "avg-cosine", "--vectors", "a, b.txt"),
            1,
            "There is no file a, b.txt of word vectors",
        ),
        ((*PAIR, "--text", TEXT, "--context", "x.txt"), 2, "exclude each other"),
        (PAIR, 2, "give the text: --context FILE"),
        ((*PAIR, "--text", " \n"), 1, "The text is empty"),
        ((*PAIR, "--context", "-"), 1, "The text is empty"),
        ((*PAIR, "--context", "nowhere.txt"), 1, "There is no file nowhere.txt"),
        ((*PAIR, "--context", "."), 1, "is a folder"),
        ((*PAIR, "--context", "-", "--encoding", "klingon"), 1, "no encoding 'klingon'"),
        ((*PAIR, "--context", "-", "--encoding", "undefined"), 1, "no encoding 'undefined'"),
        (("Roger Moore", "Danil Crag", "--text", TEXT), 1, "Closest: Daniel Craig"),
        (("Roger Moore", "dbr:Roger_Moore", "--text", TEXT), 1, "Both ends are Roger Moore"),
        ((*PAIR, "--text", TEXT, "-k", "0"), 2, "-k"),
        ((*PAIR, "--text", TEXT, "--max-hops", "7"), 2, "--max-hops"),
        ((*PAIR, "--text", TEXT, "--drop", "nonsense"), 1, "nonsense"),
    ],
)
def test_bad_input_is_one_message(cli, graph: Path, arguments, code: int, word: str) -> None:
    done = cli("query", graph, *arguments)
    assert (done.code, done.out) == (code, "")
    assert word in " ".join(done.err.split())
    assert "Traceback" not in done.err


def test_no_path_is_no_error(cli, graph: Path) -> None:
    done = cli("query", graph, *PAIR, "--text", TEXT, "--max-hops", "1")
    assert (done.code, done.out) == (0, "")
    assert done.err == (
        "The graph has no path of at most 1 hop between Roger Moore and Daniel Craig: more hops "
        "may find one.\n"
    )
    data = json.loads(cli("query", graph, *PAIR, "--text", TEXT, "--max-hops", "1", "--json").out)
    assert (data["answers"], data["verdict"], data["candidates"]) == ([], "none", 0)


def test_a_text_about_something_else_is_said_to_be(cli, graph: Path) -> None:
    done = cli("query", graph, *PAIR, "--text", "It rained in the valley.", "-k", "1")
    assert done.code == 0
    assert done.out.split()[1] == "none"
    assert done.err.startswith("The text does not name Roger Moore or Daniel Craig. No path ")


def test_without_entities_the_pairs_of_the_text_are_shown(cli, graph: Path, tmp_path: Path) -> None:
    (tmp_path / "the news.txt").write_text(TEXT)
    done = cli("query", graph, "--context", "the news.txt")
    assert done.code == 0
    header, *rows = done.out.splitlines()
    assert header.split() == ["head", "tail", "hops", "IRIs"]
    assert len(rows) == 3
    assert rows[-1].split("  ")[0] == "Roger Moore" and rows[-1].endswith("dbr:Daniel_Craig")
    assert f"Ask: kgpath query {graph} " in done.err
    assert done.err.endswith("--context 'the news.txt'\n")
    assert cli("query", graph, "--text", "It rained.").err.startswith("The text mentions no two")


def test_with_one_entity_its_pairs_are_shown(cli, graph: Path) -> None:
    data = json.loads(cli("query", graph, "Daniel Craig", "--text", TEXT, "--json").out)
    assert data == {
        "pairs": [
            {
                "head": DBR + "Daniel_Craig",
                "tail": DBR + "James_Bond_(literary_character)",
                "hops": 1,
                "gap": 2,
            },
            {"head": DBR + "Daniel_Craig", "tail": DBR + "Roger_Moore", "hops": 2, "gap": 1},
        ]
    }
    none = cli("query", graph, "Daniel Craig", "--text", "It rained.", "--json")
    assert json.loads(none.out) == {"pairs": []}


def test_word_vectors_come_from_a_file_of_any_name(cli, graph: Path, tmp_path: Path) -> None:
    (tmp_path / "a, b.txt").write_text("bond 1 0\nplayed 0 1\nactor 1 1\n")
    done = cli(
        "query", graph, *PAIR, "--text", TEXT, "--ranker", "avg-cosine(alpha=0.9)",
        "--vectors", "a, b.txt", "--json",
    )  # fmt: skip
    data = json.loads(done.out)
    assert data["ranker"] == "avg-cosine(alpha=0.9)"
    assert [set(answer["parts"]) for answer in data["answers"]] == [{"cosine"}] * 5
    assert data["answers"][0]["score"] > 0.9


@pytest.mark.slow
def test_a_long_text_works(cli, graph: Path, tmp_path: Path) -> None:
    filler = "The weather was fine and nobody said a word about Paris or London. "
    text = filler * 15_000 + TEXT + " " + filler * 15_000
    assert len(text) > 2_000_000
    (tmp_path / "long.txt").write_text(text)
    done = cli("query", graph, *PAIR, "--context", "long.txt", "-k", "1")
    assert done.code == 0
    first, quote = done.out.splitlines()
    assert BOND in first
    assert quote == "        “[Roger Moore] and [Daniel Craig] both [played] [James Bond].”"


def test_bytes_that_are_no_text_do_no_harm(cli, graph: Path) -> None:
    done = cli("query", graph, *PAIR, "--text", TEXT.encode() + b" \xff\xfe", "-k", "1")
    assert done.code == 0 and BOND in done.out
    done = cli("query", graph, b"\xff", "Daniel Craig", "--text", TEXT)
    assert done.code == 1 and "Traceback" not in done.err
