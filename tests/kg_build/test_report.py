"""One bad line costs only itself, and is shown with its file and its number."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import kgpath
from kgpath.errors import BadSource
from kgpath.kg_build import delimited
from kgpath.kg_build.rdf import ntriples


def good(number: int) -> str:
    return f"<http://x/{number}> <http://x/p> <http://x/{number + 1}> ."


BAD_LINES = {
    "unterminated literal": '<http://x/a> <http://x/p> "oops .',
    "no object": "<http://x/a> <http://x/p> .",
    "IRI with a space": "<http://x/a b> <http://x/p> <http://x/c> .",
    "no full stop": "<http://x/a> <http://x/p> <http://x/c>",
    "prose": "Once upon a time",
    "relative IRI": "<a> <http://x/p> <http://x/c> .",
    "literal as subject": '"a" <http://x/p> <http://x/c> .',
    "bad escape": r'<http://x/a> <http://x/p> "\q" .',
    "lone surrogate": r'<http://x/a> <http://x/p> "\uD800" .',
    "unterminated IRI": "<http://x/a> <http://x/p> <http://x/c",
    "bad percent": "<http://x/%zz> <http://x/p> <http://x/c> .",
    "half a quoted triple": "<< <http://x/a> <http://x/p> <http://x/c> .",
}


def built_from(lines: list[str | bytes], folder: Path, name: str = "x.nt") -> kgpath.Graph:
    raw = [line.encode() if isinstance(line, str) else line for line in lines]
    (folder / name).write_bytes(b"\n".join(raw) + b"\n")
    return kgpath.build([folder / name], folder / "x.kg")


@pytest.mark.parametrize("bad", BAD_LINES.values(), ids=BAD_LINES.keys())
@pytest.mark.parametrize("block", [1 << 20, 64])
@pytest.mark.parametrize("ending", ["nt", "nq"])
def test_a_bad_line_costs_only_itself(
    bad: str, block: int, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ntriples, "BLOCK", block)
    lines = [good(0), good(1), bad, good(2), '<http://x/0> <http://x/q> "a \\"b\\" c" .', good(3)]
    built = built_from(lines, tmp_path, f"x.{ending}")
    assert (built.edges, built.malformed, built.statements) == (4, 1, 5)
    (example,) = built.reports[0].examples
    assert example.startswith(f"x.{ending}:3: ")
    assert bad in example


def test_an_unterminated_literal_does_not_reach_for_a_later_quote(tmp_path: Path) -> None:
    # Read as one text, the literal would end in the comment and the line between would be lost.
    lines = [good(0), '<http://x/a> <http://x/p> "oops', good(5), '# " .', good(1)]
    built = built_from(lines, tmp_path)
    assert (built.edges, built.malformed) == (3, 1)


@pytest.mark.parametrize("block", [1, 7, 64, 100])
def test_line_numbers_hold_across_blocks_and_skipped_lines(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ntriples, "BLOCK", block)
    monkeypatch.setattr(ntriples, "LONGEST_LINE", 200)
    long = f'<http://x/a> <http://x/p> "{"y" * 5000}" .'
    lines = [
        good(0),
        "",
        "# note",
        "bad four",
        long,
        good(1),
        "bad seven\r",
        long,
        "bad nine",
        good(2),
    ]
    built = built_from(lines, tmp_path)
    assert built.edges == 3
    places = [example.partition(": ")[0] for example in built.reports[0].examples]
    assert places == [f"x.nt:{number}" for number in (4, 5, 7, 8, 9)]


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_the_last_line_needs_no_end(block: int, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(ntriples, "BLOCK", block)
    for end in (b"", b"\n", b"\r\n", b"\n\n  \n"):
        (tmp_path / "x.nt").write_bytes(f"{good(0)}\n{good(1)}".encode() + end)
        built = kgpath.build([tmp_path / "x.nt"], tmp_path / "x.kg")
        assert (built.edges, built.malformed) == (2, 0)


RDF_XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://x/">'
    '<rdf:Description rdf:about="http://x/a"><e:p rdf:resource="http://x/b"/></rdf:Description>'
    "</rdf:RDF>"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.nt", good(0)),
        ("x.nq", good(0)),
        ("x.ttl", good(0)),
        ("x.rdf", RDF_XML),
        ("x.tsv", "a\tp\tb"),
        ("x.csv", '"a",p,b'),
    ],
)
def test_a_byte_order_mark_is_no_error(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + text.encode() + b"\n")
    built = kgpath.build([tmp_path / name], tmp_path / "x.kg")
    assert (built.edges, built.malformed) == (1, 0)
    with kgpath.open(tmp_path / "x.kg") as kg:
        assert kg.entity(0).label in ("0", "a")


def test_only_the_first_bad_lines_are_shown_but_all_are_counted(tmp_path: Path) -> None:
    built = built_from([good(0), *["bad"] * 50], tmp_path)
    assert built.malformed == 50
    assert len(built.reports[0].examples) == 5


def test_strict_stops_at_the_line_and_names_it(tmp_path: Path) -> None:
    (tmp_path / "x.nt").write_text(f"{good(0)}\n{good(1)}\nbad\n{good(2)}\n")
    with pytest.raises(BadSource, match=r"x\.nt:3: .*\n    bad\nStopped by --strict"):
        kgpath.build([tmp_path / "x.nt"], tmp_path / "x.kg", strict=True)
    assert not (tmp_path / "x.kg").exists()


def test_latin1_lines_are_counted_with_the_way_out(tmp_path: Path) -> None:
    latin = '<http://x/a> <http://x/p> "Beyoncé" .'.encode("latin-1")
    built = built_from([good(0), latin, good(1)], tmp_path)
    assert (built.edges, built.malformed) == (2, 1)
    assert "iconv -f latin1 -t utf-8" in built.reports[0].examples[0]
    built = built_from(["a\tp\tb", "Beyoncé\tp\tb".encode("latin-1"), "b\tp\tc"], tmp_path, "x.tsv")
    assert (built.edges, built.malformed) == (2, 1)
    assert "x.tsv:2: invalid UTF-8" in built.reports[0].examples[0]


def test_bad_rows_of_tables_are_shown_with_their_line(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(delimited, "LONGEST_LINE", 100)
    rows = ["a{0}p{0}b", "only{0}two", "a{0}{0}b", "y" * 300, "b{0}p{0}c", "three", "c{0}p{0}d"]
    for name, comma in (("x.tsv", "\t"), ("x.csv", ",")):
        built = built_from([row.format(comma) for row in rows], tmp_path, name)
        assert (built.edges, built.malformed) == (3, 4)
        places = [example.partition(": ")[0] for example in built.reports[0].examples]
        assert places == [f"{name}:{number}" for number in (2, 3, 4, 6)]


def test_a_stray_quote_in_csv_costs_only_its_row(tmp_path: Path) -> None:
    built = built_from(["a,p,b", 'x,"y"z,w', "b,p,c"], tmp_path, "x.csv")
    assert (built.edges, built.malformed) == (2, 1)
    assert built.reports[0].examples[0].startswith("x.csv:2: ")


def test_turtle_goes_on_after_a_bad_statement(tmp_path: Path) -> None:
    text = "@prefix ex: <http://x/> .\nex:a ex:p ex:b .\nex:a nope:p ex:c .\nex:b ex:p ex:c .\n"
    (tmp_path / "x.ttl").write_text(text)
    built = kgpath.build([tmp_path / "x.ttl"], tmp_path / "x.kg")
    assert (built.edges, built.malformed) == (2, 1)
    assert built.reports[0].examples[0].startswith("x.ttl:3: ")
    with pytest.raises(BadSource, match=r"x\.ttl:3: .*nope"):
        kgpath.build([tmp_path / "x.ttl"], tmp_path / "x.kg", strict=True)


def test_rdf_xml_stops_with_the_position(tmp_path: Path) -> None:
    text = (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://x/">\n'
        '<rdf:Description rdf:about="http://x/a"><e:p rdf:resource="http://x/b"/>\n</oops>\n'
    )
    (tmp_path / "x.owl").write_text(text)
    with pytest.raises(BadSource, match=r"x\.owl cannot be read.*(line 3|3:|oops)"):
        kgpath.build([tmp_path / "x.owl"], tmp_path / "x.kg")


# Not by getrusage: its peak is that of the process that started this one, if it was larger.
LONG_LINE_BUILD = """
import sys, kgpath
built = kgpath.build([sys.argv[1]], sys.argv[1] + ".kg")
(line,) = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
peak = int(line.split()[1]) // 1024
print(built.edges, built.malformed, built.reports[0].examples[0].partition(": ")[0], peak)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("x.nt", b'<http://x/a> <http://x/p> "', b'" .\n'),
        ("x.tsv", b"a\tp\t", b"\n"),
        ("x.csv", b'"a","p","', b'"\n'),
    ],
)
def test_a_line_of_50_mb_is_left_out_in_bounded_memory(
    name: str, start: bytes, end: bytes, tmp_path: Path
) -> None:
    first, last = (f"{good(0)}\n".encode(), f"{good(1)}\n".encode())
    if name != "x.nt":
        comma = b"\t" if name == "x.tsv" else b","
        first, last = (comma.join([h, b"p", t]) + b"\n" for h, t in ((b"a", b"b"), (b"b", b"c")))
    path = tmp_path / name
    with path.open("wb") as file:
        file.write(first + start)
        for _ in range(50):
            file.write(b"y" * (1 << 20))
        file.write(end + last)
    done = subprocess.run(
        [sys.executable, "-c", LONG_LINE_BUILD, path], capture_output=True, text=True, check=True
    )
    edges, malformed, place, peak = done.stdout.split()
    assert (edges, malformed, place) == ("2", "1", f"{name}:2")
    assert int(peak) < 250  # megabytes, all of Python, numpy and pandas included


@pytest.mark.parametrize("name", ["x.ttl", "x.rdf"])
def test_a_literal_of_50_mb_in_turtle_or_xml_is_no_traceback(name: str, tmp_path: Path) -> None:
    long = "y" * (50 << 20)
    if name == "x.ttl":
        text = f'<http://x/a> <http://x/p> <http://x/b> .\n<http://x/a> <http://x/q> "{long}" .\n'
    else:
        text = (
            '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://x/">'
            '<rdf:Description rdf:about="http://x/a"><e:p rdf:resource="http://x/b"/>'
            f"<e:q>{long}</e:q></rdf:Description></rdf:RDF>"
        )
    (tmp_path / name).write_text(text)
    # Either it is read, or the message says that it cannot be.
    try:
        assert kgpath.build([tmp_path / name], tmp_path / "x.kg").edges == 1
    except BadSource as error:
        assert name in str(error)
