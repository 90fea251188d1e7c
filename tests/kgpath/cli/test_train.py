"""kgpath train, and asking and measuring with what it made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgpath.datasets.sample_files import sample_queries, sample_text

TINY = "kgpath-ltr(trees=10, hop_trees=10)"


@pytest.fixture
def graph(sample_path: Path) -> Path:
    return sample_path


@pytest.fixture
def model(cli, graph: Path, tmp_path: Path) -> Path:
    done = cli("train", graph, sample_queries(), "-o", "model", "--ranker", TINY, "--limit", "40")
    assert done.code == 0, done.err
    assert done.out.startswith(f"model: {TINY}, from 18 of 18 queries in ")
    return tmp_path / "model"


@pytest.mark.slow
def test_a_model_ranks_explains_and_is_measured(cli, graph: Path, model: Path) -> None:
    text = sample_text("sample-01")
    asked = ("query", graph, "Roger Moore", "Daniel Craig", "--text", text, "--model", model)
    done = cli(*asked, "--explain", "-k", "1")
    assert done.code == 0, done.err
    assert "James Bond" in done.out and "whole path" in done.out and "hop 1" in done.out
    assert "ranked by" in done.err and "model" in done.err
    data = json.loads(cli(*asked, "--json").out)
    assert data["answers"][0]["parts"].keys() >= {"hop 1", "hop 2", "whole path"}
    done = cli(
        "evaluate", graph, sample_queries(), "--ranker", "shortest", "--model", model, "--json"
    )
    rows = json.loads(done.out)["rankers"]
    assert [row["ranker"] for row in rows] == ["shortest", str(model)]
    assert rows[1]["all"]["MRR"] > rows[0]["all"]["MRR"]


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("--ranker", "shortest"), 1, "nothing to learn"),
        (("--ranker", "kgpath-ltr(leaves=3)"), 1, "has no option 'leaves'"),
        (("--ranker", "xendcg", "--context-encoder", "gpt"), 1, "No 'gpt' among"),
        (("--ranker", "xendcg"), 1, "kgpath embed"),  # path-mean needs TransE
    ],
)
def test_bad_input_is_one_message(
    cli, graph: Path, tmp_path: Path, arguments, code: int, word: str
) -> None:
    done = cli("train", graph, sample_queries(), "-o", "m", *arguments)
    assert done.code == code
    assert word in " ".join(done.err.split())
    assert "Traceback" not in done.err
    assert not (tmp_path / "m").exists()


def test_a_file_without_questions_or_a_model_that_is_none(cli, graph: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    done = cli("train", graph, "empty.jsonl", "-o", "m")
    assert done.code == 1 and "holds no query" in done.err
    done = cli("query", graph, "Roger Moore", "Daniel Craig", "--text", "Bond", "--model", "m")
    assert done.code == 1 and "m is not a model" in done.err


def test_a_model_over_word_vectors_is_given_them_again(cli, graph: Path, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("bond 1 0\nfilm 0 1\n")
    ranker = "score-ltr(of=avg-cosine(vectors=words.txt), trees=2)"
    assert cli("train", graph, sample_queries(), "-o", "m", "--ranker", ranker).code == 0
    asked = ("query", graph, "Roger Moore", "Daniel Craig", "--text", "Bond", "--model", "m")
    done = cli(*asked)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "kgpath: m was trained with a file of word vectors, which is not part of it. Give it "
        "again: --vectors VECTORS\n"
    )
    done = cli(*asked, "--vectors", "words.txt")
    assert done.code == 0 and "James Bond" in done.out
    done = cli("evaluate", graph, sample_queries(), "--model", "m", "--vectors", "words.txt")
    assert done.code == 0, done.err


@pytest.mark.parametrize(
    ("ranker", "message"),
    [
        ("kgpath-ltr(trees=1000000000000)", "trees is 1000000000000; it can be at most 100,000."),
        ("kgpath-ltr(trees=10**12)", "trees is '10**12'; it can be a whole number."),
        ("binary(hidden=1000000000)", "binary has no option 'hidden'; it has: "),
        (
            "a(" * 5000,
            f"Cannot read {'a(' * 20!r}…: it is longer than 20,000 letters, or nested more than "
            "10 deep.",
        ),
    ],
)
def test_absurd_options_are_one_sentence(cli, graph: Path, ranker: str, message: str) -> None:
    done = cli("train", graph, sample_queries(), "-o", "m", "--ranker", ranker)
    assert done.code == 1
    assert done.err.startswith(f"kgpath: {message}")
    assert done.err.count("\n") == 1


def test_a_model_of_two_graphs(cli, graph: Path, film, tmp_path: Path) -> None:
    one = {"document": "Roger Moore was James Bond.", "head": "Roger Moore", "tail": "James Bond"}
    lines = (
        {**one, "path": ["Roger Moore", "^portrayer", "James Bond"]},
        {
            **one,
            "document": "Moore played Bond.",
            "path": ["Roger Moore", "^portrayer", "James Bond"],
        },
    )
    (tmp_path / "more.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    given = ("train", graph, sample_queries(), "-o", "both", "--limit", "20", "--ranker")
    trees = "score-ltr(of=zero-shot, trees=2)"
    done = cli(*given, trees, "--also", film.path, "more.jsonl")
    assert done.code == 0, done.err
    assert "from 20 of 20 queries" in done.out
    for other, queries in (("nowhere.kg", "more.jsonl"), (film.path, "nowhere.jsonl")):
        done = cli(*given, trees, "--also", other, queries)
        assert done.code == 1 and "nowhere" in done.err
    done = cli(
        "train", graph, sample_queries(), "-o", "more.jsonl", "--also", film.path, "more.jsonl"
    )
    assert done.code == 1 and "read by this command" in done.err


@pytest.mark.parametrize(
    ("use", "left"),
    [
        ("1", ", but its encoders go on where they were: what they learned and made is cached."),
        ("0", ": KGPATH_USE_CACHE=0 keeps nothing."),
    ],
)
def test_an_interruption_says_what_is_left(
    cli, graph: Path, monkeypatch: pytest.MonkeyPatch, use: str, left: str
) -> None:
    def interrupted(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("KGPATH_USE_CACHE", use)
    monkeypatch.setattr("kgpath.learning.train.train", interrupted)
    done = cli("train", graph, sample_queries(), "-o", "m")
    said = f"Interrupted. m was not written. The same command begins again{left}\n"
    assert (done.code, done.out, done.err) == (130, "", said)
