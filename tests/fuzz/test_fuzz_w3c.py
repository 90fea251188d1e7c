"""W3C's own tests of RDF syntaxes: what is valid is read whole, what is not is refused."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from pyoxigraph import RdfFormat, parse
from rdflib import RDF, Graph, Namespace, URIRef

from kgpath.errors import KgpathError
from kgpath.kg_build.report import Report
from kgpath.plugins import SOURCES

MF = Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
READERS = {".nt": "nt", ".nq": "nq", ".ttl": "ttl", ".rdf": "rdf"}
EXPECTED = {".nt": RdfFormat.N_TRIPLES, ".nq": RdfFormat.N_QUADS, ".ttl": RdfFormat.TURTLE}

#: Where we do not do as W3C says, by name.
DISAGREEMENTS = {
    # The same annotation stands there twice; duplicates go when a graph is built, not before.
    "rdf12/rdf-turtle/eval/turtle12-eval-annotation-07.ttl": "6 statements, not 5",
}


class W3CTest(NamedTuple):
    """A file, whether it is valid, and the file with the statements it stands for, if any."""

    name: str
    action: Path
    valid: bool
    result: Path | None


@pytest.fixture(scope="module")
def tests(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[W3CTest]:
    archive = root.parent / "shared" / "data" / "w3c-rdf-tests.tar.gz"
    if not archive.exists():
        pytest.skip(f"W3C's tests are not at {archive}")
    folder = tmp_path_factory.mktemp("w3c")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    return [test for manifest in sorted(folder.rglob("manifest.ttl")) for test in of(manifest)]


def of(manifest: Path) -> Iterator[W3CTest]:
    """The tests of a manifest that are about syntax or statements."""
    base = manifest.as_uri()
    graph = Graph().parse(manifest, format="turtle", publicID=base)

    def file(test: object, what: URIRef) -> Path | None:
        place = graph.value(test, what)
        name = str(place).removeprefix(f"{manifest.parent.as_uri()}/")
        return manifest.parent / name if place else None

    for test, kind in sorted(graph.subject_objects(RDF.type)):
        action = file(test, MF.action)
        if action is None or not action.exists() or action.suffix not in READERS:
            continue
        name = f"{manifest.parent.relative_to(manifest.parents[3])}/{action.name}"
        yield W3CTest(name, action, "Negative" not in str(kind), file(test, MF.result))


def read(test: W3CTest) -> tuple[int, int]:
    """How many statements we read, and how many malformed lines we met."""
    report = Report(test.action.name)
    stream = io.BufferedReader(io.BytesIO(test.action.read_bytes()))
    for _ in SOURCES.load(READERS[test.action.suffix])(stream, report):
        pass
    return report.statements, report.malformed


def expected(test: W3CTest) -> int:
    """How many statements there are: by the result that W3C gives, or by another reader."""
    if test.result and test.result.suffix in EXPECTED:
        return len(set(parse(path=test.result, format=EXPECTED[test.result.suffix])))
    format = {**EXPECTED, ".rdf": RdfFormat.RDF_XML}[test.action.suffix]
    return len(list(parse(path=test.action, format=format, base_iri="http://example.org/x/y")))


def complaint(test: W3CTest) -> str:
    """What we do otherwise than the test says; empty if nothing."""
    try:
        statements, malformed = read(test)
    except KgpathError as error:
        return f"refused: {error}" if test.valid else ""
    if not test.valid:
        return "" if malformed else "not refused"
    if malformed:
        return f"{malformed} malformed lines"
    there = expected(test)
    return "" if statements == there else f"{statements} statements, not {there}"


def test_valid_files_are_read_whole_and_others_are_refused(tests: list[W3CTest]) -> None:
    assert len(tests) > 800
    complaints = {test.name: said for test in tests if (said := complaint(test))}
    assert complaints == DISAGREEMENTS


def test_valid_files_without_a_statement_are_fine_beside_others(
    tests: list[W3CTest], tmp_path: Path, cli: Callable[..., SimpleNamespace]
) -> None:
    facts = tmp_path / "facts.nt"
    facts.write_text("<x:a> <x:knows> <x:b> .\n")
    empty = [test for test in tests if test.valid and not expected(test)]
    assert len(empty) >= 3
    said = {}
    for test in empty:
        done = cli("build", facts, test.action, "-o", tmp_path / "x.kg")
        if done.code:
            said[test.name] = done.err
    assert said == {}
