"""XML that would grow, nest or run without end is refused before a parser sees it."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from pathlib import Path

import pytest

from kgpath.errors import BadSource
from kgpath.io.limits import limited
from kgpath.kg_build.rdf.documents import read_rdfxml
from kgpath.kg_build.report import Report
from kgpath.kg_build.wikimedia.mediawiki import read_pages

HEAD = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/">'
FACT = b'<rdf:Description rdf:about="http://x/a"><x:p rdf:resource="%s"/></rdf:Description>'
LAUGHS = b'<!ENTITY l0 "lol">' + b"".join(
    b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10)
)


def read(text: bytes) -> list[tuple[int, str, str, str]]:
    return [one for one in read_rdfxml(io.BytesIO(text), Report("x.rdf")) if one[0] != 11]


def refused(text: bytes) -> str:
    with pytest.raises(BadSource) as caught:
        read(text)
    return str(caught.value)


def declared(entities: bytes, used: bytes = b"http://x/b") -> bytes:
    return b"<!DOCTYPE rdf:RDF [%s]>" % entities + HEAD + FACT % used + b"</rdf:RDF>"


def test_short_names_for_namespaces_are_read_as_ontologies_write_them() -> None:
    text = declared(b'\n  <!ENTITY x "http://x/">\n', b"&x;b")
    assert read(b'<?xml version="1.0"?>\n' + text) == [
        (0, "http://x/a", "http://x/p", "http://x/b")
    ]


@pytest.mark.parametrize(
    "entities",
    [
        LAUGHS,
        b" " * 3_000_000 + LAUGHS,
        b"<!-- " + b"x" * 3_000_000 + b" -->" + LAUGHS,
        b'<!ENTITY l1 "&#38;l0;">',
        b'<!ENTITY l1 "<x/>">',
        b'<!ENTITY l1 "%s">' % (b"x" * 201),
        b'<!ENTITY l1 SYSTEM "file:///etc/passwd">',
        b'<!ENTITY l1 PUBLIC "x" "http://x/y">',
        b'<!ENTITY % l1 "x">',
        b'<!ENTITY % l1 SYSTEM "http://x/y"> %l1;',
    ],
    ids=["laughs", "late", "comment", "made", "markup", "long", "file", "public", "part", "parts"],
)
def test_other_entities_are_refused(entities: bytes) -> None:
    message = refused(declared(entities))
    assert message == (
        "x.rdf declares the entity 'l1' in a way that is not safe to read: allowed are up to 1,000 "
        "short texts without other entities in them. If you trust the file, write them out first: "
        "xmllint --noent x.rdf"
    )


def test_too_many_entities_are_refused() -> None:
    many = b"".join(b'<!ENTITY l%d "x">' % n for n in range(1_001))
    assert refused(declared(many)).startswith("x.rdf declares the entity 'l1000' in a way that")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "cp037"])
def test_no_other_encoding_hides_an_entity(encoding: str) -> None:
    hidden = declared(LAUGHS).decode().encode(encoding)
    said = f'<?xml version="1.0" encoding="{encoding}"?>'
    assert "cannot be read" in refused(hidden)
    assert "cannot be read" in refused(said.encode() + hidden)
    assert "cannot be read" in refused(said.encode(encoding) + hidden)


def test_elements_nested_without_end_are_refused() -> None:
    # 200,000 took minutes, and ten times as many a hundred times longer.
    message = refused(HEAD + b"<x:b>" * 2_000_000)
    assert message == (
        "x.rdf: elements nested over 500 deep. If it is meant to be so: kgpath --max-nesting 1000 …"
    )
    with pytest.raises(BadSource, match=r"^w\.xml: elements nested over 500 deep"):
        list(read_pages(io.BytesIO(b"<mediawiki>" + b"<a>" * 1_000_000), "w.xml"))


def test_a_dump_of_a_wiki_declares_nothing_either() -> None:
    text = b"<!DOCTYPE mediawiki [%s]><mediawiki><page><title>&l9;</title></page></mediawiki>"
    with pytest.raises(BadSource, match=r"^w\.xml declares the entity 'l1' in a way"):
        list(read_pages(io.BytesIO(text % LAUGHS), "w.xml"))


@pytest.mark.parametrize("begin", [HEAD + b"<x:a>", HEAD + b"<!-- ", HEAD + b'<x:a x:b="', b"<?x "])
def test_a_text_without_end_is_refused(begin: bytes) -> None:
    with limited(line="2M"):
        message = refused(begin + b"x" * (8 << 20))
    assert message == (
        "x.rdf: a text of over 2 MB. If it is meant to be so: kgpath --max-line 4M …"
    )


def test_blanks_before_the_first_line_are_forgiven() -> None:
    text = b'\n <?xml version="1.0"?>' + HEAD + FACT % b"http://x/b" + b"</rdf:RDF>"
    assert len(read(text)) == 1


CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
from kgpath.cli import main
sys.argv = ["kgpath", "build", sys.argv[1], "-o", "x.kg"]
main()
"""


@pytest.mark.parametrize("name", ["laughs.rdf", "deep.ttl", "deep.nt", "bomb.nt.gz", "text.rdf"])
def test_a_hostile_file_costs_less_than_a_gigabyte_and_no_traceback(
    name: str, tmp_path: Path
) -> None:
    deep = b"<a:a> <a:p> " + b"<<( <a:a> <a:p> " * 200_000 + b"<a:a>" + b" )>>" * 200_000 + b" ."
    content = {
        "laughs.rdf": declared(LAUGHS, b"&l9;"),
        "deep.ttl": deep,
        "deep.nt": deep,
        "bomb.nt.gz": gzip.compress(bytes(300 << 20)),
        "text.rdf": HEAD + b"<x:a>" + b"x" * (100 << 20),
    }[name]
    (tmp_path / name).write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, name], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert f"\nkgpath: {name}" in f"\n{done.stderr}"
    assert [path.name for path in tmp_path.iterdir()] == [name]
