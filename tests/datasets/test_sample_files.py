"""The sample that ships: large enough, complete, and true to its documents and the paper."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import networkx
import pytest

import kgpath
from kgpath.lexicon.text import fold
from kgpath.storage.check import problems

DBR = "http://dbpedia.org/resource/"


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    sample = root / "datasets" / "sample"
    if not (sample / "film.ttl").exists():
        pytest.skip("the sample is not written yet")
    return sample


@pytest.fixture(scope="module")
def built(folder: Path, tmp_path_factory: pytest.TempPathFactory):
    from kgpath.datasets.sample_files import sample_files

    output = tmp_path_factory.mktemp("sample") / "film.kg"
    return kgpath.build(sample_files(), output, strict=True)


@pytest.fixture(scope="module")
def kg(built) -> Iterator[kgpath.Graph]:
    with kgpath.open(built.path) as graph:
        yield graph


@pytest.fixture(scope="module")
def documents(folder: Path) -> list[dict]:
    lines = (folder / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_it_is_as_large_as_promised_and_sound(built, kg: kgpath.Graph) -> None:
    assert built.entities >= 300
    assert built.edges >= 1500
    assert (built.malformed, built.notes) == (0, [])
    assert list(problems(kg.store)) == []
    # A duplicate or self-loop in a hand-made file is a slip.
    assert (built.left_out["duplicate"], built.left_out["self-loop"]) == (0, 0)


def test_it_hangs_together(kg: kgpath.Graph) -> None:
    # From anywhere a newcomer can walk anywhere.
    assert networkx.is_weakly_connected(kg.to_networkx())


def test_every_entity_has_a_label_a_type_and_a_description(kg: kgpath.Graph) -> None:
    stated = {n for (n,) in kg.store.db.execute("SELECT entity FROM name WHERE label = 1")}
    for number in range(len(kg)):
        entity = kg.entity(number)
        assert number in stated, f"{entity.iri} has no label"
        assert kg.types(number), f"{entity.iri} has no type"
        assert entity.description, f"{entity.iri} has no description"


def test_every_iri_is_one_of_dbpedia(kg: kgpath.Graph) -> None:
    for number in range(len(kg)):
        assert kg.entity(number).iri.startswith(DBR)


def test_every_class_and_relation_is_described_by_the_ontology(
    kg: kgpath.Graph, folder: Path, tmp_path: Path
) -> None:
    ontology = (folder / "ontology.ttl").read_text(encoding="utf-8")
    for part in (*kg.classes(), *kg.relations()):
        assert part.iri in ontology or kg.shorten(part.iri) in ontology, part.iri


def hops(document: dict) -> Iterator[tuple[str, str, str]]:
    """The facts along a path, as stated: a relation with ^ is walked backwards."""
    path = document["path"]
    for here, relation, there in zip(path[:-2:2], path[1:-1:2], path[2::2], strict=True):
        if relation.startswith("^"):
            yield there, relation[1:], here
        else:
            yield here, relation, there


def test_every_path_exists_edge_by_edge(kg: kgpath.Graph, documents: list[dict], edges_of) -> None:
    facts = edges_of(kg)
    for document in documents:
        assert document["path"][0] == document["head"], document["id"]
        assert document["path"][-1] == document["tail"], document["id"]
        for fact in hops(document):
            assert fact in facts, f"{document['id']}: {fact} is no fact of the sample"


def test_no_path_repeats_an_entity(documents: list[dict]) -> None:
    for document in documents:
        entities = document["path"][::2]
        assert len(set(entities)) == len(entities)


def test_both_ends_are_named_in_the_text(kg: kgpath.Graph, documents: list[dict]) -> None:
    for document in documents:
        text = f" {fold(document['document'])} "
        for end in ("head", "tail"):
            entity = kg.entity(document[end])
            names = [entity.label, *kg.aliases(entity)]
            assert any(f" {fold(name)} " in text for name in names), (document["id"], names)


def test_the_documents_are_some_ten_or_more_and_different(documents: list[dict]) -> None:
    assert all(set(d) == {"id", "title", "document", "head", "tail", "path"} for d in documents)
    assert len({d["id"] for d in documents}) == len(documents)
    assert len({d["document"] for d in documents}) >= 10
    assert min(len(d["document"].split()) for d in documents) >= 50


def test_a_pair_has_different_answers_in_different_texts(documents: list[dict]) -> None:
    # The very point of the task: the text decides.
    answers: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for document in documents:
        pair = document["head"], document["tail"]
        answers.setdefault(pair, set()).add(tuple(document["path"]))
    assert max(map(len, answers.values())) >= 2


# The cases of the paper, each by its ends and something that the true path goes through.
CASES = [
    ("Roger_Moore", "Daniel_Craig", "James_Bond"),
    ("Emma_Stone", "Andrew_Garfield", "Academy_Awards"),
    ("Casino_Royale_(2006_film)", "Charlie_and_the_Chocolate_Factory_(film)", ""),
    ("Alfred_Hitchcock", "United_Kingdom", ""),
    ("Barack_Obama", "Bill_Clinton", "One_America_Appeal"),
]


@pytest.mark.parametrize(("head", "tail", "via"), CASES)
def test_the_cases_of_the_paper_have_their_path_and_rivals(
    head: str, tail: str, via: str, kg: kgpath.Graph, documents: list[dict]
) -> None:
    ends = {DBR + head, DBR + tail}
    mine = [d for d in documents if {d["head"], d["tail"]} == ends]
    assert any(via in "".join(d["path"][2:-2]) for d in mine)
    # Undirected and without parallel relations: rivals differ in where they lead through.
    graph = networkx.Graph(kg.to_networkx().to_undirected(as_view=True))
    longest = max(len(d["path"]) // 2 for d in mine)
    walks = networkx.all_simple_paths(graph, DBR + head, DBR + tail, cutoff=max(3, longest))
    others = [walk for walk in islice(walks, 5000) if walk not in [d["path"][::2] for d in mine]]
    assert len(others) >= 3, f"{head} and {tail} have too few rival paths"
