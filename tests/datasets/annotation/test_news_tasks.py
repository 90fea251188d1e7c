"""Annotation: tasks over a small network, agreement by hand, and the way from news to queries."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgpath
from kgpath.datasets.annotation.agreement import agree, fleiss_kappa, majority, read_answers
from kgpath.datasets.annotation.context_documents import ContextDocument, EntityLink
from kgpath.datasets.annotation.news_tasks import accepted_queries, prepare, read_tasks
from kgpath.datasets.annotation.tasks import (
    Network,
    facts_of,
    multi_hop_tasks,
    one_hop_tasks,
)
from kgpath.errors import BadSource, NotWritable
from kgpath.io.queries import query_of

EX = "http://example.org/"
# A square a–b–c–d–a with a second fact between a and b; e stands apart.
GRAPH = """
ex:a ex:p ex:b ; ex:q ex:b . ex:b ex:p ex:c . ex:d ex:p ex:c . ex:d ex:p ex:a . ex:e ex:p ex:f .
ex:a rdfs:label "Anna"@en . ex:b rdfs:label "Bert"@en . ex:c rdfs:label "Carl"@en .
ex:d rdfs:label "Dora"@en . ex:e rdfs:label "Emil"@en .
"""
TEXT = "Anna met Bert. Carl and Dora saw Emil and Anna."


@pytest.fixture
def kg(build_graph: Callable[..., kgpath.Graph]) -> kgpath.Graph:
    return build_graph(GRAPH)


@pytest.fixture
def document(kg: kgpath.Graph) -> ContextDocument:
    links = []
    for name in ("Anna", "Bert", "Carl", "Dora", "Emil"):
        at = -1
        while (at := TEXT.find(name, at + 1)) >= 0:
            links.append(EntityLink(at, at + 4, kg.entity(name).id))
    return ContextDocument("d", "A meeting", TEXT, tuple(sorted(links)))


def test_one_hop_tasks_ask_about_every_fact(kg: kgpath.Graph, document: ContextDocument) -> None:
    tasks = list(one_hop_tasks(kg, document))
    assert [task["path_text"] for task in tasks] == [
        "Anna –p→ Bert", "Anna –q→ Bert", "Anna ←p– Dora", "Bert –p→ Carl", "Carl ←p– Dora",
    ]  # fmt: skip
    first = tasks[0]
    assert first["id"] == "d#one-hop-1"
    assert first["path"] == [EX + "a", EX + "p", EX + "b"]
    assert tasks[2]["path"] == [EX + "a", "^" + EX + "p", EX + "d"]
    assert first["choices"] == ["yes", "no"]
    assert [first["document"][s:e] for s, e in first["head"]["places"]] == ["Anna", "Anna"]
    assert [first["document"][s:e] for s, e in first["sentences"]] == [
        "Anna met Bert.", "Carl and Dora saw Emil and Anna.",
    ]  # fmt: skip
    assert {"title", "question", "tail"} <= set(first)


def test_multi_hop_tasks_ask_where_no_fact_joins_two(
    kg: kgpath.Graph, document: ContextDocument
) -> None:
    anna_carl, bert_dora = multi_hop_tasks(kg, document)
    assert anna_carl["paths_text"] == [
        "Anna –p→ Bert –p→ Carl", "Anna –q→ Bert –p→ Carl", "Anna ←p– Dora –p→ Carl",
    ]  # fmt: skip
    assert anna_carl["choices"] == ["1", "2", "3", "none"]
    assert (bert_dora["head"]["label"], bert_dora["tail"]["label"]) == ("Bert", "Dora")
    (short, _) = multi_hop_tasks(kg, document, most=1)
    assert short["choices"] == ["1", "none"]


def test_only_accepted_facts_make_longer_paths(kg: kgpath.Graph, document: ContextDocument) -> None:
    facts = facts_of(kg, [[EX + "a", EX + "q", EX + "b"], [EX + "b", EX + "p", EX + "c"]])
    (task,) = multi_hop_tasks(kg, document, facts)
    assert task["paths_text"] == ["Anna –q→ Bert –p→ Carl"]


def test_paths_of_a_network_are_those_of_networkx(build_graph) -> None:
    import networkx

    edges = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 3), (3, 4), (4, 5), (5, 0), (2, 5)]
    kg = build_graph(" ".join(f"ex:n{a} ex:p ex:n{b} ." for a, b in edges))
    network = Network(kg, range(6))
    other = networkx.Graph(edges)
    for head in range(6):
        for tail in range(6):
            if head != tail:
                ours = [
                    (path[0].head, *(fact.tail for fact in path))
                    for path in network.paths(head, tail, 4, 1000)
                ]
                theirs = map(tuple, networkx.all_simple_paths(other, head, tail, cutoff=4))
                assert sorted(ours) == sorted(theirs)
                assert [len(path) for path in ours] == sorted(map(len, ours))


# Fleiss' kappa, the example that textbooks print: 14 raters, 10 items, 5 answers, kappa 0.210.
TEXTBOOK = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def test_kappa_of_the_textbook() -> None:
    assert fleiss_kappa(TEXTBOOK) == pytest.approx(0.2099, abs=5e-5)


def test_kappa_by_hand() -> None:
    # Three items, three raters: P = (1 + 1 + 1/3) / 3 = 7/9; p = 5/9 and 4/9; Pe = 41/81.
    assert fleiss_kappa([[3, 0], [0, 3], [2, 1]]) == pytest.approx((7 / 9 - 41 / 81) / (40 / 81))
    assert fleiss_kappa([[2, 0], [0, 2]]) == 1
    assert fleiss_kappa([[1, 1], [1, 1]]) == -1
    assert math.isnan(fleiss_kappa([[3, 0], [3, 0]]))


@pytest.mark.parametrize("table", [[], [[1, 0]], [[2, 0], [3, 0]]])
def test_kappa_needs_the_same_number_of_answers(table: list[list[int]]) -> None:
    with pytest.raises((ValueError, IndexError)):
        fleiss_kappa(table)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=12))
def test_kappa_lies_between_minus_one_and_one_and_names_do_not_matter(
    rows: list[tuple[int, int]],
) -> None:
    table = [[a, min(b, 4 - a), 4 - a - min(b, 4 - a)] for a, b in rows]
    kappa = fleiss_kappa(table)
    assert math.isnan(kappa) or -1 <= kappa <= 1 + 1e-12
    again = fleiss_kappa([row[::-1] for row in reversed(table)])
    assert again == pytest.approx(kappa, nan_ok=True)


@pytest.mark.parametrize(
    ("answers", "answer"),
    [
        (["yes", "yes", "no"], "yes"), (["yes", "no"], None), (["yes"], None), ([], None),
        (["1", "2", "3"], None), (["1", "1", "2", "2"], None), (["2"] * 3 + ["1"] * 2, "2"),
        (["yes", "yes"], "yes"), (["1", "1", "2", "none"], None),
    ],
)  # fmt: skip
def test_the_majority(answers: list[str], answer: str | None) -> None:
    assert majority(answers) == answer


def write_answers(path: Path, *rows: tuple[object, ...]) -> Path:
    lines = [
        json.dumps({"task": task, "annotator": who, "answer": said}) for task, who, said in rows
    ]
    path.write_text("\n".join(lines))
    return path


def votes(task: str, *answers: object) -> list[tuple[object, ...]]:
    return [(task, f"w{number}", answer) for number, answer in enumerate(answers)]


def test_what_three_agree_on(tmp_path: Path) -> None:
    rows = votes("a", "yes", "yes", "no") + votes("b", "no", "no", "no") + votes("c", "yes", "yes")
    found = agree(read_answers(write_answers(tmp_path / "a.jsonl", *rows)))
    assert found.decided == {"a": "yes", "b": "no", "c": "yes"}
    assert (found.tasks, found.answers, found.annotators, found.unanimous) == (3, 8, 3, 2)
    # Items (2, 1) and (0, 3): P = 2/3, Pe = 1/9 + 4/9.
    assert found.kappa == pytest.approx((2 / 3 - 5 / 9) / (4 / 9))
    assert (found.kappa_items, found.kappa_left_out) == (2, 1)


def test_kappa_of_paths_asks_of_each_whether_it_was_chosen(tmp_path: Path) -> None:
    choices = {"a": ["1", "2", "none"], "b": ["1", "none"]}
    rows = votes("a", "1", 1, "2") + votes("b", "none", "none", "1")
    found = agree(read_answers(write_answers(tmp_path / "a.jsonl", *rows), choices), choices)
    assert found.decided == {"a": "1", "b": "none"}
    assert found.kappa_items == 3
    assert found.kappa == pytest.approx(fleiss_kappa([[2, 1], [1, 2], [1, 2]]))


def test_bad_answers_are_reported(tmp_path: Path) -> None:
    path = write_answers(
        tmp_path / "a.jsonl", ("a", "w", "yes"), ("a", "w", "no"), ("b", "w", "yes"),
        ("a", "v", "perhaps"), ("a", "", "yes"), ("a", "v", None),
    )  # fmt: skip
    path.write_text(path.read_text() + "\n{\n[]\n")
    given = read_answers(path, {"a": ["yes", "no"]})
    assert given.by_task == {"a": {"w": "no"}}
    for problem, words in zip(
        given.problems,
        ("answered a before", "no task b", "'perhaps' is none of: yes, no", "no annotator",
         "no answer", "Expecting", "not a JSON object"),
        strict=True,
    ):  # fmt: skip
        assert words in problem
    path.write_text("{")
    with pytest.raises(BadSource, match="holds no answer"):
        read_answers(path)


NEWS = {
    "wikiTitle": "A_meeting",
    "title": "A meeting",
    "paragraphs": [TEXT],
    "entities": [{"title": name, "spots": []} for name in ("Anna", "Bert", "Carl", "Dora", "Zoe")],
}


def test_from_news_to_queries(
    kg: kgpath.Graph, cli: Callable[..., SimpleNamespace], tmp_path: Path
) -> None:
    (tmp_path / "news.jsonl").write_text(json.dumps(NEWS))
    done = cli("annotate", "tasks", "news.jsonl", "--graph", "graph.kg", "-o", "out", "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["figures"] == {
        "documents": 1, "entities added": 0, "documents with an entity added": 0,
        "one-hop tasks": 5, "multi-hop tasks": 2, "articles without links": 0,
        "links by title": 5, "links to an entity of the graph": 4,
        "links without words in the text": 1,
    }  # fmt: skip
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {
        "documents.jsonl", "one-hop.jsonl", "multi-hop.jsonl", "README.md",
    }  # fmt: skip
    assert "| one-hop tasks | 5 |" in (out / "README.md").read_text()

    rows = [
        *votes("A_meeting#one-hop-1", "yes", "yes", "no"),
        *votes("A_meeting#one-hop-2", "yes", "yes", "yes"),
        *votes("A_meeting#one-hop-4", "yes", "no", "yes"),
        *votes("A_meeting#one-hop-5", "no", "no", "yes"),
    ]
    write_answers(tmp_path / "answers.jsonl", *rows)
    done = cli(
        "annotate", "agree", "answers.jsonl", "--tasks", "out/one-hop.jsonl", "-o", "q.jsonl"
    )
    assert done.code == 0 and "q.jsonl: 2 queries" in done.err
    assert "decided by a majority" in done.out
    queries = [query_of(json.loads(line)) for line in (tmp_path / "q.jsonl").open()]
    assert [len(query.paths) for query in queries] == [2, 1]
    assert queries[0].links == ((EX + "a", "Anna"), (EX + "b", "Bert"))
    assert cli("evaluate", "graph.kg", "q.jsonl", "--ranker", "shortest").code == 0

    done = cli(
        "annotate", "tasks", "news.jsonl", "--graph", "graph.kg", "-o", "second", "--answers",
        "answers.jsonl", "--tasks", "out/one-hop.jsonl",
    )  # fmt: skip
    assert done.code == 0, done.err
    (task,) = read_tasks(tmp_path / "second" / "multi-hop.jsonl").values()
    assert task["paths_text"] == ["Anna –p→ Bert –p→ Carl", "Anna –q→ Bert –p→ Carl"]


def test_a_chosen_path_becomes_a_query(
    kg: kgpath.Graph, document: ContextDocument, tmp_path: Path
) -> None:
    tasks = {task["id"]: task for task in multi_hop_tasks(kg, document)}
    rows = votes("d#multi-hop-1", "3", "3", "1") + votes("d#multi-hop-2", "none", "none", "1")
    answers = read_answers(write_answers(tmp_path / "a.jsonl", *rows))
    (query,) = accepted_queries(tasks, answers)
    assert query["paths"] == [[EX + "a", "^" + EX + "p", EX + "d", EX + "p", EX + "c"]]
    assert query_of(query).head == EX + "a"


def test_the_same_input_gives_the_same_files(kg: kgpath.Graph, tmp_path: Path) -> None:
    (tmp_path / "news.jsonl").write_text(json.dumps(NEWS))
    for name in ("one", "two"):
        prepare(kg, tmp_path / "news.jsonl", tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_a_failure_leaves_no_folder(kg: kgpath.Graph, tmp_path: Path) -> None:
    (tmp_path / "news.jsonl").write_text("{}")
    with pytest.raises(BadSource):
        prepare(kg, tmp_path / "news.jsonl", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_a_killed_run_left_is_deleted(kg: kgpath.Graph, tmp_path: Path) -> None:
    (tmp_path / "news.jsonl").write_text(json.dumps(NEWS))
    (tmp_path / ".kgpath-building-1").mkdir()
    (tmp_path / ".kgpath-building-1" / "documents.jsonl").write_text("half a li")
    prepare(kg, tmp_path / "news.jsonl", tmp_path / "out")
    assert len(list((tmp_path / "out").iterdir())) == 4
    assert sorted(path.name for path in tmp_path.iterdir() if path.name[0] == ".") == []


def test_a_folder_filled_meanwhile_by_another_process_stays(
    kg: kgpath.Graph, tmp_path: Path
) -> None:
    (tmp_path / "news.jsonl").write_text(json.dumps(NEWS))

    def other(*progress: object) -> None:
        (tmp_path / "out").mkdir(exist_ok=True)
        (tmp_path / "out" / "mine").write_text("")

    with pytest.raises(NotWritable, match="is not empty"):
        prepare(kg, tmp_path / "news.jsonl", tmp_path / "out", progress=other)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]


def test_a_folder_with_something_in_it_stays_as_it_is(kg: kgpath.Graph, tmp_path: Path) -> None:
    (tmp_path / "news.jsonl").write_text(json.dumps(NEWS))
    with pytest.raises(NotWritable, match="is not empty"):
        prepare(kg, tmp_path / "news.jsonl", tmp_path)
    with pytest.raises(NotWritable, match="is a file"):
        prepare(kg, tmp_path / "news.jsonl", tmp_path / "news.jsonl")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("tasks", "no.jsonl", "--graph", "graph.kg", "-o", "x"), 1, "There is no file no.jsonl"),
        (("tasks", "n", "--graph", "graph.kg", "-o", "x", "--answers", "a"), 2, "belong together"),
        (("agree", "no.jsonl"), 1, "There is no file no.jsonl"),
        (("agree", "a.jsonl", "-o", "q.jsonl"), 2, "-o needs --tasks"),
        (("agree", "a.jsonl", "--tasks", "a.jsonl"), 1, "a.jsonl:1 is no task"),
    ],
)
def test_what_is_wrong_is_said(
    kg: kgpath.Graph,
    cli: Callable[..., SimpleNamespace],
    tmp_path: Path,
    arguments: tuple[str, ...],
    code: int,
    words: str,
) -> None:
    write_answers(tmp_path / "a.jsonl", *votes("a", "yes", "no"))
    done = cli("annotate", *arguments)
    assert done.code == code
    assert words in done.err and "Traceback" not in done.err
    assert not (tmp_path / "x").exists()
