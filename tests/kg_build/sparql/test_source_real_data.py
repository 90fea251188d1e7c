"""Real data behind Virtuoso: a part of DBpedia, and CoDEx-S as Wikidata would serve it."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from live_servers import Virtuoso

import kgpath
from kgpath.kg_build.sparql.source import live_source

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def lines_of(path: Path, subjects: set[str] | None = None) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if subjects is None or line.partition(" ")[0] in subjects:
                yield line


def part_of_dbpedia(folder: Path, facts: int) -> str:
    """Some facts, and all that is said of their things."""
    objects = list(itertools.islice(lines_of(folder / "mappingbased-objects.nt.gz"), facts))
    things = {part for line in objects for part in line.split()[:3:2]}
    described = ("instance-types", "labels", "short-abstracts")
    more = (line for name in described for line in lines_of(folder / f"{name}.nt.gz", things))
    return "".join([*objects, *more])


def test_films_of_dbpedia(
    virtuoso_server: Virtuoso, real_data: Path, tmp_path: Path,
    same_graph: Callable[[Path, Path], None],
) -> None:  # fmt: skip
    facts, ontology = tmp_path / "facts.nt", tmp_path / "ontology.owl"
    facts.write_text(part_of_dbpedia(real_data / "dbpedia", 6_000), encoding="utf-8")
    with gzip.open(real_data / "dbpedia" / "ontology.owl.gz") as packed:
        ontology.write_bytes(packed.read())
    virtuoso_server.load("http://test/dbpedia", [facts, ontology])
    films = kgpath.Filters(types=("film",))
    live = live_source(virtuoso_server.url, graphs=["http://test/dbpedia"])
    built = kgpath.build((), tmp_path / "live.kg", filters=films, live=live)
    assert built.edges > 500
    kgpath.build([facts, ontology], tmp_path / "files.kg", filters=films)
    same_graph(tmp_path / "live.kg", tmp_path / "files.kg")


def test_people_of_codex(
    virtuoso_server: Virtuoso, real_data: Path, tmp_path: Path,
    same_graph: Callable[[Path, Path], None],
) -> None:  # fmt: skip
    folder = real_data / "wikidata-codex-s"
    lines = []
    with gzip.open(folder / "valid.txt.gz", "rt") as facts:
        for line in facts:
            head, relation, tail = line.split()
            lines.append(f"<{WD}{head}> <{WDT}{relation}> <{WD}{tail}> .")
    known = {part for line in lines for part in line.split()}
    with gzip.open(folder / "entity2types.json.gz", "rt") as types:
        for name, classes in json.load(types).items():
            if f"<{WD}{name}>" in known:
                lines += [f"<{WD}{name}> <{WDT}P31> <{WD}{one}> ." for one in classes]
    with gzip.open(folder / "relations_en.json.gz", "rt") as relations:
        for name, about in json.load(relations).items():
            lines.append(f"<{WD}{name}> <{LABEL}> {json.dumps(about['label'])}@en .")
    source = tmp_path / "codex.nt"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    virtuoso_server.load("http://test/codex", [source])
    people = kgpath.Filters(types=("wd:Q5", "wd:Q6256"))
    live = live_source(virtuoso_server.url, "wikidata", graphs=["http://test/codex"])
    built = kgpath.build((), tmp_path / "live.kg", filters=people, live=live)
    kgpath.build([source], tmp_path / "files.kg", filters=people, format="wikidata-nt")
    assert built.edges > 100
    same_graph(tmp_path / "live.kg", tmp_path / "files.kg")
