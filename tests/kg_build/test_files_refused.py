"""What is no source at all is refused with its name, the reason and the next thing to try."""

from __future__ import annotations

import bz2
import gzip
import os
import random
from pathlib import Path

import pytest

import kgpath
from kgpath.errors import BadSource

FACTS = b"".join(b"<http://x/%d> <http://x/p> <http://x/%d> .\n" % (n, n + 1) for n in range(9999))
RDF_XML = (
    b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://x/">\n'
    + b"".join(
        b'<rdf:Description rdf:about="http://x/%d"><e:p rdf:resource="http://x/%d"/>'
        b"</rdf:Description>\n" % (n, n + 1)
        for n in range(9999)
    )
    + b"</rdf:RDF>\n"
)
TEXTS = {
    "nt": FACTS,
    "nq": FACTS,
    "ttl": FACTS,
    "rdf": RDF_XML,
    "tsv": b"a\tp\tb\n" * 9999,
    "csv": b"a,p,b\n" * 9999,
}
ENDINGS = list(TEXTS)
PROSE = b"It was a bright cold day in April, and the clocks were striking thirteen.\n" * 30
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + random.Random(1).randbytes(5000)


def refused(folder: Path, name: str, content: bytes, *more: Path) -> str:
    """Builds over an older file and gives the message; the older file must stay."""
    (folder / name).write_bytes(content)
    (folder / "old.nt").write_bytes(FACTS[:200].rpartition(b"\n")[0])
    before = kgpath.build([folder / "old.nt"], folder / "x.kg").fingerprint
    with pytest.raises(BadSource) as caught:
        kgpath.build([folder / name, *more], folder / "x.kg")
    with kgpath.open(folder / "x.kg") as kg:
        assert kg.fingerprint == before
    left = {path.name for path in folder.iterdir()}
    assert left == {name, "old.nt", "x.kg", "x.kg.index"} | {path.name for path in more}
    return str(caught.value)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("content", [b"", b" \n\t\r\n  \n"], ids=["empty", "blank"])
@pytest.mark.parametrize("pack", [None, gzip.compress])
def test_an_empty_file_is_called_empty(ending: str, content: bytes, pack, tmp_path: Path) -> None:
    name = f"x.{ending}.gz" if pack else f"x.{ending}"
    packed = pack(content) if pack else content
    assert refused(tmp_path, name, packed) == f"{name} is empty."


@pytest.mark.parametrize("content", [PROSE, PNG], ids=["prose", "png"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_not_the_format_at_all_is_reported_with_an_example(
    ending: str, content: bytes, tmp_path: Path
) -> None:
    message = refused(tmp_path, f"x.{ending}", content)
    assert message.startswith(f"x.{ending} ")
    assert "cannot be read" in message or f"x.{ending}:" in message
    assert len(message) < 1000


@pytest.mark.parametrize("content", [PROSE, PNG], ids=["prose", "png"])
def test_what_looks_like_nothing_known_asks_for_the_format(content: bytes, tmp_path: Path) -> None:
    assert "Say it with --format" in refused(tmp_path, "x", content)


def test_a_comment_alone_holds_no_statement(tmp_path: Path) -> None:
    message = refused(tmp_path, "x.nt", b"# nothing here\n")
    assert message.startswith("x.nt holds no statement in the format 'nt'.")
    assert (
        "say it with --format: codex, csv, nq, nt, rdf, tsv, ttl, wikidata, wikidata-nt" in message
    )


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress], ids=["gz", "bz2"])
def test_a_cut_off_archive_is_reported(ending: str, pack, tmp_path: Path) -> None:
    packed = pack(TEXTS[ending])
    name = f"x.{ending}.{'gz' if pack is gzip.compress else 'bz2'}"
    message = refused(tmp_path, name, packed[: len(packed) * 2 // 3])
    assert message == (
        f"{name} is cut off: the compressed file ends too early. Fetch or copy it again."
    )


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_damaged_archive_is_reported(ending: str, tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(TEXTS[ending]))
    packed[-8] ^= 0xFF  # the checksum
    message = refused(tmp_path, f"x.{ending}.gz", bytes(packed))
    assert message.startswith(f"x.{ending}.gz is a damaged gzip file (CRC check failed")
    middle = len(packed) // 2
    packed[middle : middle + 40] = b"\xff" * 40
    message = refused(tmp_path, f"x.{ending}.gz", bytes(packed))
    assert message.startswith(f"x.{ending}.gz is a damaged gzip file (")


def test_a_damaged_bzip2_archive_is_reported(tmp_path: Path) -> None:
    packed = bytearray(bz2.compress(FACTS))
    packed[len(packed) // 2] ^= 0xFF
    assert refused(tmp_path, "x.nt.bz2", bytes(packed)).startswith("Cannot read x.nt.bz2: ")


@pytest.mark.parametrize("ending", ["nt", "ttl", "tsv", "csv"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_utf_16_is_reported_with_the_way_out(ending: str, encoding: str, tmp_path: Path) -> None:
    text = TEXTS[ending].decode()[:3000]
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    mark = b"\xff\xfe" if encoding == "utf-16-le" else mark
    message = refused(tmp_path, f"x.{ending}", mark + text.encode(encoding))
    assert message.startswith(f"x.{ending} is UTF-16 text.")
    assert "iconv -f utf-16 -t utf-8" in message


def test_latin1_in_xml_is_reported(tmp_path: Path) -> None:
    bad = RDF_XML.replace(b"http://x/5000", b"http://x/\xe9", 1)
    assert refused(tmp_path, "x.rdf", bad).startswith("x.rdf cannot be read: ")


def test_xml_that_says_latin1_is_read_or_refused_but_never_garbled(tmp_path: Path) -> None:
    text = (
        '<?xml version="1.0" encoding="ISO-8859-1"?>\n'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://x/"'
        ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><rdf:Description'
        ' rdf:about="http://x/a"><e:p rdf:resource="http://x/b"/><rdfs:label>Beyoncé</rdfs:label>'
        "</rdf:Description></rdf:RDF>"
    )
    (tmp_path / "x.rdf").write_bytes(text.encode("latin-1"))
    try:
        kgpath.build([tmp_path / "x.rdf"], tmp_path / "x.kg")
    except BadSource as error:
        assert "x.rdf" in str(error)
    else:
        with kgpath.open(tmp_path / "x.kg") as kg:
            assert kg.entity("http://x/a").label == "Beyoncé"


def test_a_missing_file_is_reported_before_anything_is_read(tmp_path: Path) -> None:
    good = tmp_path / "good.nt"
    good.write_bytes(FACTS)
    with pytest.raises(BadSource, match=r"There is no file .*nowhere\.nt\."):
        kgpath.build([good, tmp_path / "nowhere.nt"], tmp_path / "x.kg")
    assert [path.name for path in tmp_path.iterdir()] == ["good.nt"]


def test_a_folder_is_reported_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match=r"is a folder. Name the files in it: .*/\*"):
        kgpath.build([tmp_path], tmp_path / "x.kg")


def test_a_source_that_may_not_be_read_is_reported(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    path = tmp_path / "secret.nt"
    path.write_bytes(FACTS)
    path.chmod(0)
    with pytest.raises(BadSource, match=r"Cannot read .*secret\.nt: Permission denied"):
        kgpath.build([path], tmp_path / "x.kg")


def test_no_source_at_all_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="No source given"):
        kgpath.build([], tmp_path / "x.kg")


@pytest.mark.parametrize(
    "statement",
    [
        b'<http://x/a> <http://www.w3.org/2000/01/rdf-schema#label> "A"@en .\n',
        b"<http://x/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x/T> .\n",
        b'<http://x/a> <http://x/height> "180" .\n',
    ],
    ids=["labels", "types", "literals"],
)
def test_a_source_without_an_edge_is_an_error(statement: bytes, tmp_path: Path) -> None:
    assert refused(tmp_path, "x.nt", statement).startswith("The sources give no edge at all")


def test_only_self_loops_are_an_error_that_says_so(tmp_path: Path) -> None:
    message = refused(tmp_path, "x.nt", b"<http://x/a> <http://x/p> <http://x/a> .\n")
    assert "Nothing is left of 1 edges (self-loop 1)" in message


def test_one_bad_source_among_good_ones_stops_the_build(tmp_path: Path) -> None:
    # Else a graph would be half of what was asked for.
    good = tmp_path / "good.nt"
    good.write_bytes(FACTS)
    assert refused(tmp_path, "x.ttl", PROSE, good)
