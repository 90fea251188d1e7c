"""Every format, plain or packed, from a file or a pipe, gives the same graph."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path

import pytest
import rdflib

import kgpath
from kgpath.errors import BadSource, UnknownName
from kgpath.kg_build.delimited import name_iri
from kgpath.kg_build.files import format_by_name, sniff

RDFLIB_FORMATS = {"nt": "nt", "nq": "nquads", "ttl": "turtle", "rdf": "xml"}


@pytest.fixture(scope="session")
def texts(film_turtle: str) -> dict[str, bytes]:
    """The film graph in each RDF format, written by rdflib."""
    plain = rdflib.Graph().parse(data=film_turtle, format="turtle")
    triples = plain.serialize(format="nt", encoding="utf-8")
    return {
        "nt": triples,
        "nq": triples.replace(b" .\n", b" <http://example.org/g> .\n"),
        "ttl": plain.serialize(format="turtle", encoding="utf-8"),
        "rdf": plain.serialize(format="xml", encoding="utf-8"),
    }


@pytest.mark.parametrize("format", ["nt", "nq", "ttl", "rdf"])
def test_every_rdf_format_gives_the_same_graph(
    format: str, texts: dict[str, bytes], film: kgpath.Graph, source, tmp_path: Path
) -> None:
    path = source("film.data", texts[format])
    built = kgpath.build([path], tmp_path / "x.kg", format=format, strict=True)
    assert built.fingerprint == film.fingerprint
    assert built.malformed == 0


@pytest.mark.parametrize("format", ["nt", "nq", "ttl", "rdf"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress], ids=["plain", "gz", "bz2"])
def test_packed_or_not_and_whatever_it_is_called(
    format: str, pack, texts: dict[str, bytes], film: kgpath.Graph, source, tmp_path: Path
) -> None:
    # No ending at all: compression and format are both told by the first bytes.
    path = source("film", pack(texts[format]))
    assert kgpath.build([path], tmp_path / "x.kg").fingerprint == film.fingerprint


def test_gzip_of_several_members_is_read_to_its_end(
    texts: dict[str, bytes], film: kgpath.Graph, source, tmp_path: Path
) -> None:
    lines = texts["nt"].splitlines(keepends=True)
    half = len(lines) // 2
    packed = gzip.compress(b"".join(lines[:half])) + gzip.compress(b"".join(lines[half:]))
    path = source("film.nt.gz", packed)
    assert kgpath.build([path], tmp_path / "x.kg").fingerprint == film.fingerprint


def test_a_mix_of_files_in_one_call(
    texts: dict[str, bytes], film: kgpath.Graph, source, tmp_path: Path
) -> None:
    lines = texts["nt"].splitlines(keepends=True)
    one = source("one.nt", b"".join(lines[::2]))
    two = source("two.nq.bz2", bz2.compress(b"".join(lines[1::2])))
    three = source("three.owl.gz", gzip.compress(texts["rdf"]))
    assert kgpath.build([one, two, three], tmp_path / "x.kg").fingerprint == film.fingerprint


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # rdflib's own, about itself
@pytest.mark.parametrize("format", list(RDFLIB_FORMATS))
def test_the_edges_are_those_that_rdflib_reads(
    format: str, texts: dict[str, bytes], source, tmp_path: Path, edges_of
) -> None:
    path = source(f"film.{format}", texts[format])
    kgpath.build([path], tmp_path / "x.kg")
    judge = rdflib.Dataset()
    judge.parse(data=texts[format].decode(), format=RDFLIB_FORMATS[format])
    with kgpath.open(tmp_path / "x.kg") as kg:
        judged = {
            (str(s), str(p), str(o))
            for s, p, o, _ in judge.quads()
            if isinstance(o, rdflib.URIRef) and not str(p).startswith("http://www.w3.org/")
        }
        assert edges_of(kg) == judged != set()


@pytest.mark.parametrize("format", ["nt", "ttl", "rdf", "nq"])
def test_standard_input_with_and_without_a_format(
    format: str, texts: dict[str, bytes], film: kgpath.Graph, cli
) -> None:
    options = ["--format", format] if format in ("nt", "rdf") else []
    data = texts[format] if format != "rdf" else gzip.compress(texts[format])
    done = cli("build", "-", "-o", "x.kg", "--json", *options, stdin=data)
    assert json.loads(done.out)["fingerprint"] == film.fingerprint
    assert done.code == 0


TABLE = [
    ("LCD Soundsystem", "dbo:genre", "Dance-punk"),
    ("Alien: Covenant", "directed by", "Ridley Scott"),
    ("dbr:AC/DC", "dbo:genre", "http://example.org/rock"),
    ("Beyoncé", "knows, well", 'The "Boss"'),
]
TABLE_EDGES = {
    ("urn:kg:LCD_Soundsystem", "http://dbpedia.org/ontology/genre", "urn:kg:Dance-punk"),
    ("urn:kg:Alien:_Covenant", "urn:kg:directed_by", "urn:kg:Ridley_Scott"),
    (
        "http://dbpedia.org/resource/AC/DC",
        "http://dbpedia.org/ontology/genre",
        "http://example.org/rock",
    ),
    ("urn:kg:Beyoncé", "urn:kg:knows,_well", "urn:kg:The_%22Boss%22"),
}


def as_tsv(rows: list[tuple[str, ...]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def as_csv(rows: list[tuple[str, ...]]) -> str:
    return "".join(",".join('"' + c.replace('"', '""') + '"' for c in row) + "\r\n" for row in rows)


@pytest.mark.parametrize(("write", "name"), [(as_tsv, "x.tsv"), (as_csv, "x.csv")])
@pytest.mark.parametrize(
    "header", [None, ("head", "relation", "tail"), ("Subject", "Predicate", "Object")]
)
def test_tables_give_the_edges_of_their_names(
    write, name: str, header, build_graph, edges_of
) -> None:
    rows = [header, *TABLE] if header else TABLE
    kg = build_graph(write(rows), name=name)
    assert edges_of(kg) == TABLE_EDGES
    # What people typed is what they see and can ask for.
    for row in TABLE:
        assert kg.entity(row[2]).degree == 1
    assert kg.entity('The "Boss"').label == 'The "Boss"'


@pytest.mark.parametrize(("write", "format"), [(as_tsv, "tsv"), (as_csv, "csv")])
def test_tables_without_an_ending_are_recognised(write, format: str) -> None:
    assert sniff(write(TABLE).encode(), "x") == format


def test_a_table_with_blank_lines_a_fourth_column_and_windows_line_ends(
    build_graph, edges_of
) -> None:
    kg = build_graph("\ufeffa\tp\tb\t0.9\r\n\r\n  \t\t\r\nb\tp\tc\r\n", name="x.tsv")
    assert edges_of(kg) == {
        ("urn:kg:a", "urn:kg:p", "urn:kg:b"),
        ("urn:kg:b", "urn:kg:p", "urn:kg:c"),
    }
    assert kg.built.malformed == 0


def test_different_cells_stay_different_things() -> None:
    cells = ["a b", "a%20b", "a_b", "a/b", "a:b", "A b", "a&b", "a?b", "a#b", 'a"b', "a<b", "ä b"]
    iris = {name_iri(cell) for cell in cells}
    # Only spaces and underscores mean the same, as in Wikipedia's titles.
    assert len(iris) == len(cells) - 1
    for iri in iris:
        rdflib.URIRef(iri).n3()


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.nt", "nt"),
        ("a.NT.GZ", "nt"),
        ("x.y.owl.bz2", "rdf"),
        ("a.turtle", "ttl"),
        ("a.xml", "rdf"),
        ("a.txt", "tsv"),
        ("a.json", None),
        ("a", None),
    ],
)
def test_the_ending_tells_the_format(name: str, format: str | None) -> None:
    assert format_by_name(name) == format


def test_a_format_given_wins_over_the_ending(source, tmp_path: Path) -> None:
    path = source("x.ttl", b"a\tp\tb\n")
    assert kgpath.build([path], tmp_path / "x.kg", format="tsv").edges == 1


def test_an_unknown_format_lists_the_known(source, tmp_path: Path) -> None:
    path = source("x.ttl", "ex:a ex:p ex:b .")
    with pytest.raises(
        UnknownName, match=r"No 'json-ld' among the sources\. Known: codex, csv, nq, nt"
    ):
        kgpath.build([path], tmp_path / "x.kg", format="json-ld")


def test_a_file_of_no_known_look_asks_for_the_format(source, tmp_path: Path) -> None:
    path = source("x.data", b"hello world\n")
    with pytest.raises(BadSource, match=r"Cannot tell the format of x\.data\. Say it with"):
        kgpath.build([path], tmp_path / "x.kg")
