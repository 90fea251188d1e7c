"""What --json promises: it parses, and has these keys and these values."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from kgpath.cli import app

DBR = "http://dbpedia.org/resource/"
DBO = "http://dbpedia.org/ontology/"


def run(*args: str | Path) -> object:
    return CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=False)


FACT = {"head", "relation", "tail"}
ENTITY = {"iri", "label", "description", "degree"}


def test_info_as_json(film_path: Path) -> None:
    data = json.loads(run("info", film_path, "--json", "--top", "2").stdout)
    assert set(data) == {
        "path", "bytes", "fingerprint", "languages", "entities", "edges", "relations", "classes",
        "names", "passages", "entities_with_text", "typed_entities", "degree", "hubs",
        "top_relations", "top_types", "sources",
    }  # fmt: skip
    assert (data["entities"], data["edges"], data["relations"], data["classes"]) == (12, 11, 8, 5)
    assert (data["passages"], data["typed_entities"], data["languages"]) == (2, 6, ["en"])
    # 22 ends over 12 entities: degrees 1 1 1 1 2 2 2 2 2 2 3 3.
    assert data["degree"] == {"mean": 1.83, "min": 1, "median": 2, "p99": 3, "max": 3}
    assert [r["label"] for r in data["top_relations"]] == ["birth place", "country"]
    assert [r["label"] for r in data["top_types"]] == ["actor", "film"]
    (source,) = data["sources"]
    assert (source["name"], source["format"], source["action"]) == ("film.ttl", "ttl", "add")
    assert (source["edges"], source["malformed"]) == (11, 0)


def test_relations_that_mean_the_same_as_json(sample_path: Path, film_path: Path) -> None:
    groups = json.loads(run("info", sample_path, "--same-relations", "--json").stdout)
    assert groups[0] == [
        {"iri": DBO + "previousWork", "forward": True, "label": "previous work", "facts": 31},
        {"iri": DBO + "subsequentWork", "forward": False, "label": "subsequent work", "facts": 31},
    ]
    names = [{hop["iri"].removeprefix(DBO) for hop in hops} for hops in groups]
    assert {"predecessor", "successor"} in names and {"spouse"} in names
    assert json.loads(run("info", film_path, "--same-relations", "--json").stdout) == []


def test_relations_that_mean_the_same_as_a_table(sample_path: Path, film_path: Path) -> None:
    lines = run("info", sample_path, "--same-relations").stdout.splitlines()
    assert lines[0].split() == ["group", "relation", "facts", "IRI"]
    assert lines[1].split() == ["1", "previous", "work", "31", "dbo:previousWork"]
    assert lines[2].split() == ["1", "^", "subsequent", "work", "31", "dbo:subsequentWork"]
    none = run("info", film_path, "--same-relations")
    assert none.stdout == ""
    assert none.stderr == f"No relations of {film_path} were found to mean the same.\n"


def test_find_as_json(film_path: Path) -> None:
    data = json.loads(run("find", film_path, "casino roy", "--json").stdout)
    assert all(set(match) == ENTITY | {"types", "name", "match"} for match in data)
    assert [(m["iri"], m["match"], m["types"]) for m in data] == [
        (DBR + "Casino_Royale_(2006_film)", "prefix", ["film"]),
        (DBR + "Casino_Royale_(novel)", "prefix", ["book"]),
    ]
    assert json.loads(run("find", film_path, "zzzz", "--json").stdout) == []


def test_show_as_json(film_path: Path) -> None:
    data = json.loads(run("show", film_path, "007", "--json").stdout)
    assert set(data) == ENTITY | {"aliases", "types", "text", "facts"}
    assert (data["label"], data["aliases"]) == ("James Bond", ["007", "Bond"])
    assert data["types"] == [
        {"iri": "http://dbpedia.org/ontology/FictionalCharacter", "label": "fictional character"}
    ]
    assert all(set(fact) == FACT for fact in data["facts"])
    assert {fact["tail"] for fact in data["facts"]} == {
        DBR + "Ian_Fleming", DBR + "Roger_Moore", DBR + "Daniel_Craig"
    }  # fmt: skip


def test_check_as_json(film_path: Path) -> None:
    data = json.loads(run("check", film_path, "--json").stdout)
    assert data == {"path": str(film_path), "sound": True, "problems": [], "index_fresh": True}


def test_ls_as_json() -> None:
    data = json.loads(run("ls", "sources", "--json").stdout)
    assert [row["name"] for row in data] == [
        "codex", "csv", "nq", "nt", "rdf", "tsv", "ttl", "wikidata", "wikidata-nt",
    ]  # fmt: skip
    assert all(set(row) == {"kind", "name", "what", "extra"} for row in data)
    everything = json.loads(run("ls", "--json").stdout)
    assert [row for row in everything if row["kind"] == "sources"] == data


BUILT = {
    "path", "entities", "edges", "relations", "classes", "statements", "malformed", "left_out",
    "articles", "notes", "fingerprint",
}  # fmt: skip


def test_build_add_and_remove_as_json(source, tmp_path: Path) -> None:
    a = source("a.ttl", "ex:a ex:p ex:b, 'x' . ex:a ex:p ex:a .")
    b = source("b.ttl", "ex:b ex:p ex:c .")
    graph = tmp_path / "x.kg"
    for command, edges, left_out in (
        (("build", a, "-o", graph, "--drop", "ex:q"), 1, {"literal": 1, "self-loop": 1}),
        (("add", graph, b), 2, {}),
        (("remove", graph, b), 1, {}),
        (("add", graph, b), 2, {}),
        (("remove", graph, "--entity", "http://example.org/c"), 1, {}),
    ):
        data = json.loads(run(*command, "--json").stdout)
        assert set(data) == BUILT
        assert (data["path"], data["edges"], data["left_out"]) == (str(graph), edges, left_out)
