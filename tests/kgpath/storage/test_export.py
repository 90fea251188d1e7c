"""What is exported comes back as the same graph, and other programs can read it."""

from __future__ import annotations

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import networkx
import pytest
import rdflib
from hypothesis import example, given
from hypothesis import strategies as st
from rdflib import Literal

import kgpath
from kgpath.errors import UnknownName
from kgpath.storage.export import lines
from kgpath.storage.store import Store

# Everything that has to be escaped somewhere, and names that XML cannot write at all.
ODD = r"""
<http://example.org/a%20b> rdfs:label "a \"quoted\" \\ back\\slash & <tag> 'x' ]]>"@en ;
    rdfs:comment "First\tline.\nSecond \u0001 line.\r\nThird."@en ; ex:p <urn:isbn:123> .
<http://example.org/ü> rdfs:label "Ünïcode ☆ 🎬"@en ; ex:q <http://example.org/a?b=c&d=e#f> .
<http://example.org/c> rdfs:label "c" ; skos:altLabel "\u0007bell", "\\u0041"@en ;
    a ex:Kind ; ex:p <http://example.org/ü>, <http://example.org/a%20b> .
ex:Kind rdfs:label "a & b < c"@en ; rdfs:subClassOf ex:Thing .
ex:p rdfs:subPropertyOf ex:related ; rdfs:label "is \"p\" of"@en .
"""


def text_of(kg: kgpath.Graph, format: str) -> str:
    return "".join(lines(kg.store, format))


def rebuilt(kg: kgpath.Graph, folder: Path, format: str) -> kgpath.Graph:
    path = folder / f"exported.{format}"
    path.write_text(text_of(kg, format), encoding="utf-8", newline="")
    kgpath.build([path], folder / "rebuilt.kg", strict=True)
    return kgpath.open(folder / "rebuilt.kg")


def test_the_film_graph_comes_back_from_ntriples(film: kgpath.Graph, tmp_path: Path) -> None:
    with rebuilt(film, tmp_path, "nt") as again:
        assert again.fingerprint == film.fingerprint


def test_odd_characters_come_back_from_ntriples(build_graph, tmp_path: Path) -> None:
    kg = build_graph(ODD)
    with rebuilt(kg, tmp_path, "nt") as again:
        assert again.fingerprint == kg.fingerprint
        assert "\u0001" in again.text("http://example.org/a%20b")


def test_rdflib_reads_the_ntriples_as_we_mean_them(build_graph) -> None:
    kg = build_graph(ODD)
    read = rdflib.Graph().parse(data=text_of(kg, "nt"), format="nt")
    assert set(read) == set(kg.to_rdflib())


def test_every_export_ends_each_line_once(build_graph) -> None:
    # A reader may take U+2028, U+0085 or a lone \r for a line's end; \n alone ends ours.
    kg = build_graph('ex:a rdfs:comment "one\\u2028two\\u0085three\\rfour" ; ex:p ex:b .')
    text = text_of(kg, "nt")
    assert text.count("\n") == len(text.splitlines()) or "\u2028" in text
    assert "\r" not in text
    assert len(rdflib.Graph().parse(data=text, format="nt")) == text.count("\n")


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=15)
MORE_TEXT = st.lists(st.sampled_from(["Mr.", "Go. ", "end.\n", "…", " ,"]) | TEXT).map("".join)


@pytest.mark.slow
@given(label=TEXT, alias=TEXT, comment=MORE_TEXT, abstract=MORE_TEXT, relation=TEXT)
@example(label="\0", alias="\x1f", comment="\x85", abstract="\u2028", relation="\\")
@example(label='"', alias="'", comment='"\\"', abstract="\\u0000", relation='"@en')
@example(label="", alias="", comment="x." + " word, and" * 40, abstract="", relation="")
@example(label="", alias="", comment="aa bb. " + "c" * 400, abstract="", relation="")
@example(label="", alias="", comment=", " * 200, abstract="", relation="")
def test_any_text_comes_back_from_ntriples(
    label: str, alias: str, comment: str, abstract: str, relation: str, build_graph, tmp_path: Path
) -> None:
    text = (
        f"ex:a rdfs:label {Literal(label).n3()} ; skos:altLabel {Literal(alias).n3()} ;\n"
        f"  rdfs:comment {Literal(comment).n3()} ; dbo:abstract {Literal(abstract).n3()} .\n"
        f"ex:p rdfs:label {Literal(relation).n3()} . ex:a ex:p ex:b ."
    )
    with build_graph(text, strict=True) as kg, rebuilt(kg, tmp_path, "nt") as again:
        assert again.fingerprint == kg.fingerprint
        assert set(rdflib.Graph().parse(data=text_of(kg, "nt"), format="nt")) == set(kg.to_rdflib())


@pytest.mark.parametrize("languages", [("en",), ("de", "en"), ()], ids=["en", "de,en", "all"])
def test_the_graph_comes_back_in_the_languages_it_was_built_in(
    languages: tuple[str, ...], source, tmp_path: Path
) -> None:
    # ex:Kind is a class and, in one fact, a thing too.
    path = source(
        "x.ttl",
        'ex:a a ex:Kind ; rdfs:label "Ay"@en, "Ah"@de, "A" ; ex:p ex:b, ex:Kind .'
        ' ex:Kind rdfs:label "sort"@en, "Art"@de . ex:p rdfs:label "pee"@en, "Peh"@de .'
        ' ex:a rdfs:comment "English."@en, "Deutsch."@de .',
    )
    filters = kgpath.Filters(languages=languages)
    first = kgpath.build([path], tmp_path / "x.kg", filters=filters)
    with kgpath.open(tmp_path / "x.kg") as kg:
        (tmp_path / "x.nt").write_text(text_of(kg, "nt"))
    again = kgpath.build([tmp_path / "x.nt"], tmp_path / "y.kg", filters=filters)
    assert again.fingerprint == first.fingerprint


def test_networkx_reads_the_graphml(build_graph, tmp_path: Path) -> None:
    kg = build_graph(ODD)
    (tmp_path / "x.graphml").write_text(text_of(kg, "graphml"), encoding="utf-8")
    read = networkx.read_graphml(tmp_path / "x.graphml")
    own = kg.to_networkx()
    assert {(h, t, data["relation"]) for h, t, data in read.edges(data=True)} == set(own.edges)
    labels = {node: data["label"] for node, data in read.nodes(data=True)}
    assert labels == {
        iri: data["label"].translate({code: None for code in range(32)})
        for iri, data in own.nodes(data=True)
    }
    assert read.nodes["http://example.org/c"]["types"] == "a & b < c"


@given(label=TEXT)
@example(label="\ufffe")
@example(label="\uffff\x7f\x85")
def test_graphml_can_be_read_whatever_the_label(label: str, build_graph) -> None:
    with build_graph(f"ex:a rdfs:label {Literal(label).n3()} ; ex:p ex:b .") as kg:
        read = networkx.parse_graphml(text_of(kg, "graphml"))
    assert set(read.nodes) == {"http://example.org/a", "http://example.org/b"}


IRIS = [
    "http://dbpedia.org/resource/Alien:_Covenant",
    "https://example.org/a?b=c#d",
    "urn:isbn:0451450523",
    "http://example.org/ünï",
    "http://example.org/a%20b",
    "mailto:someone@example.org",
    "tag:example.org,2020:thing",
]


@pytest.mark.parametrize("iri", IRIS)
def test_a_table_of_any_iris_has_the_same_edges(
    iri: str, build_graph, edges_of, tmp_path: Path
) -> None:
    kg = build_graph(f"<{iri}> ex:p ex:b . ex:b <{iri}> ex:c .")
    with rebuilt(kg, tmp_path, "tsv") as again:
        assert edges_of(again) == edges_of(kg)


def test_the_film_graph_comes_back_from_a_table(
    film: kgpath.Graph, film_edges, edges_of, tmp_path: Path
) -> None:
    with rebuilt(film, tmp_path, "tsv") as again:
        assert edges_of(again) == film_edges


CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\r\n"), max_size=12)


@given(cells=st.tuples(CELLS, CELLS, CELLS).filter(lambda row: all(cell.strip() for cell in row)))
@example(cells=("http://a/[b]", "http://a/%zz", "http://a/\x01"))
@example(cells=("urn:x y", "<b>", '"c"'))
def test_a_graph_of_any_table_comes_back_from_ntriples(
    cells: tuple[str, ...], build_graph, tmp_path: Path
) -> None:
    text = "\t".join(cells) + "\nAnn\tknows\tBob\n"
    with build_graph(text, name="x.tsv") as kg, rebuilt(kg, tmp_path, "nt") as again:
        assert again.fingerprint == kg.fingerprint


def test_an_unknown_format_lists_the_known(film: kgpath.Graph) -> None:
    with pytest.raises(UnknownName, match=r"No export format 'xlsx'\. Known: nt, graphml, tsv"):
        lines(film.store, "xlsx")


def test_a_gzipped_export_has_the_same_bytes_twice(cli, film_path: Path, tmp_path: Path) -> None:
    for name in ("one.nt.gz", "two.nt.gz"):
        assert cli("export", film_path, "-o", name).code == 0
    one, two = ((tmp_path / name).read_bytes() for name in ("one.nt.gz", "two.nt.gz"))
    assert one == two
    with kgpath.open(film_path) as kg:
        assert gzip.decompress(one).decode() == text_of(kg, "nt")


@pytest.mark.parametrize("format", ["nt", "tsv"])
def test_no_iri_of_an_altered_file_ends_a_line_or_begins_a_fact(
    build_graph, tmp_path: Path, format: str
) -> None:
    path = build_graph("ex:a ex:p ex:b .").path
    evil = "http://x/a> <http://x/p> <http://x/b> .\n<http://x/evil\t\\u0041"
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE entity SET iri = ? WHERE id = 0", (evil,))
    db.close()
    with closing(Store(path, checked=False)) as store:
        written = "".join(lines(store, format)).splitlines()
    facts = [line for line in written if "example.org/p" in line]
    escaped = (
        "<http://x/a\\u003E\\u0020\\u003Chttp://x/p\\u003E\\u0020\\u003Chttp://x/b\\u003E"
        "\\u0020.\\u000A\\u003Chttp://x/evil\\u0009\\u005Cu0041>"
    )
    rest = ("<http://example.org/p>", "<http://example.org/b>")
    line = {"nt": " ".join((escaped, *rest)) + " .", "tsv": "\t".join((escaped, *rest))}
    assert facts == [line[format]]


def test_graphml_of_an_altered_iri_can_still_be_read(build_graph, tmp_path: Path) -> None:
    path = build_graph("ex:a ex:p ex:b .").path
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE entity SET iri = ? WHERE id = 0", ('http://x/"\x01\x1b<&\ufffe',))
    db.close()
    with closing(Store(path, checked=False)) as store:
        (tmp_path / "x.graphml").write_text("".join(lines(store, "graphml")), encoding="utf-8")
    read = networkx.read_graphml(tmp_path / "x.graphml")
    assert sorted(read.nodes) == ["http://example.org/b", 'http://x/"<&']
