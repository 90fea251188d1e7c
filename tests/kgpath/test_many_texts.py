"""Many texts at once: the pairs of each, in order, whatever the workers; begun and gone on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kgpath
from kgpath.errors import BadOption, UnknownEntity
from kgpath.io.texts import GivenText
from kgpath.many_texts import CLOSEST, TextQuestions, answer_texts, write_answers

BOND = "Roger Moore of London was James Bond before Daniel Craig was."
TEXTS = [
    GivenText("bond", BOND),
    GivenText("pair", "Roger Moore was James Bond.", "Roger Moore", "James Bond"),
    GivenText("none", "It rained."),
    GivenText("unknown", "Nobody was there.", "Nobody", "James Bond"),
]


def plain(records) -> str:
    return json.dumps(list(records))


def pairs_of(record: dict) -> list[tuple[str, str]]:
    return [(one["head"].split("/")[-1], one["tail"].split("/")[-1]) for one in record["answers"]]


def test_every_text_gets_a_record_in_order(film: kgpath.Graph) -> None:
    bond, pair, none, unknown = answer_texts(film, TEXTS)
    proposed = film.pairs(BOND)
    assert [one["head"] for one in bond["answers"]] == [
        pair.head.iri for pair in proposed[:CLOSEST]
    ]
    assert len(pair["answers"]) == 1 and pair["answers"][0]["answers"][0]["path"]
    assert none == {"id": "none", "answers": []}
    assert unknown["id"] == "unknown" and unknown["error"].startswith("No entity 'Nobody'")


def test_an_answer_is_that_of_a_single_question(film: kgpath.Graph) -> None:
    (record,) = answer_texts(film, TEXTS[1:2], TextQuestions(k=3, options={"max_hops": 2}))
    alone = film.query("Roger Moore", "James Bond", TEXTS[1].text, 3, max_hops=2)
    assert record["answers"] == [alone.to_json()]


def test_the_pairs_of_a_text_are_the_closest_all_or_those_that_are_given(film) -> None:
    every = len(film.pairs(BOND))
    assert every > 2
    (two,) = answer_texts(film, TEXTS[:1], TextQuestions(proposed=2))
    (whole,) = answer_texts(film, TEXTS[:1], TextQuestions(proposed=None))
    assert len(two["answers"]) == 2 and len(whole["answers"]) == every
    asked = TextQuestions(pairs=(("London", "Daniel Craig"), ("London", "Beyoncé")))
    named, other = answer_texts(film, [TEXTS[0], TEXTS[2]], asked)
    # Beyoncé is not named by the text, and nothing by the other one.
    assert pairs_of(named) == [("London", "Daniel_Craig")] and other["answers"] == []


def test_a_pair_of_nobody_is_refused_before_the_work(film: kgpath.Graph) -> None:
    with pytest.raises(UnknownEntity):
        next(answer_texts(film, TEXTS, TextQuestions(pairs=(("Nobody", "London"),))))


def test_a_name_of_several_is_asked_where_the_text_says_which(build_graph) -> None:
    graph = build_graph(
        """
        ex:band rdfs:label "Queen (band)" ; ex:singer ex:freddie .
        ex:film rdfs:label "Queen (film)" ; ex:star ex:kangana .
        ex:freddie rdfs:label "Freddie Mercury" . ex:kangana rdfs:label "Kangana Ranaut" .
        """
    )
    texts = [
        GivenText("band", "Freddie Mercury sang for Queen, a band."),
        GivenText("none", "Freddie Mercury slept."),
    ]
    asked = TextQuestions(pairs=(("Queen", "Freddie Mercury"),))
    band, none = answer_texts(graph, texts, asked)
    assert pairs_of(band) == [("band", "freddie")] and none["answers"] == []


def test_the_same_entity_twice_stops_no_other_pair(film: kgpath.Graph) -> None:
    asked = TextQuestions(pairs=(("London", "London"), ("London", "Roger Moore")))
    (record,) = answer_texts(film, TEXTS[:1], asked)
    same, other = record["answers"]
    assert "error" in same and other["verdict"]


def test_any_ranker_by_name_or_as_what_makes_it(film: kgpath.Graph) -> None:
    from kgpath.rankers.shortest import Shortest

    by_name = plain(answer_texts(film, TEXTS, ranker="shortest"))
    made = plain(answer_texts(film, TEXTS, ranker=lambda graph: Shortest(), name="shortest"))
    assert by_name == made and '"ranker": "shortest"' in by_name


def test_workers_have_to_be_there(film: kgpath.Graph) -> None:
    with pytest.raises(BadOption, match="workers is 0"):
        next(answer_texts(film, TEXTS, workers=0))


@pytest.mark.slow
def test_several_processes_write_the_same_bytes(film: kgpath.Graph, tmp_path: Path) -> None:
    texts = TEXTS * 5
    write_answers(film, texts, tmp_path / "one.jsonl")
    write_answers(film, texts, tmp_path / "two.jsonl", workers=2)
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert len((tmp_path / "one.jsonl").read_text().splitlines()) == 20


def test_an_interrupted_run_goes_on(film: kgpath.Graph, tmp_path: Path) -> None:
    write_answers(film, TEXTS, tmp_path / "whole.jsonl")
    output = tmp_path / "out.jsonl"

    def stop_at_two(step: str, done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_answers(film, TEXTS, output, progress=stop_at_two)
    assert not output.exists()
    part = tmp_path / "out.jsonl.part"
    with part.open("a") as file:
        file.write('{"id": "half a li')  # killed while it wrote
    with pytest.raises(BadOption, match=r"another run \(other texts, options, ranker or graph\)"):
        write_answers(film, TEXTS[:3], output)
    with pytest.raises(BadOption, match="another run"):
        write_answers(film, TEXTS, output, ranker="shortest")
    with pytest.raises(BadOption, match="another run"):
        write_answers(film, TEXTS, output, content="trained anew")
    assert write_answers(film, TEXTS, output) == 2
    assert output.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir() if "out" in path.name) == ["out.jsonl"]
