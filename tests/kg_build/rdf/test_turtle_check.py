"""Brackets and quoted triples too deep for a parser are refused before it sees them."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.errors import BadSource
from kgpath.io.limits import limited
from kgpath.kg_build.checked import checked
from kgpath.kg_build.rdf.documents import read_turtle
from kgpath.kg_build.rdf.ntriples import read_nquads, read_ntriples
from kgpath.kg_build.rdf.turtle_check import TurtleCheck, depth_of_line
from kgpath.kg_build.report import Report

TOO_DEEP = (
    "x.ttl: brackets or quoted triples nested over 500 deep. If it is meant to be so: "
    "kgpath --max-nesting 1000 …"
)
DEEP = 400_000


def quoted(depth: int) -> bytes:
    return b"<a:a> <a:p> " + b"<<( <a:a> <a:p> " * depth + b"<a:a>" + b" )>>" * depth + b" ."


@pytest.mark.parametrize(
    "text",
    [
        quoted(DEEP),
        b"<< " * DEEP + b"<a:a> <a:p> <a:o>" + b" >> <a:p> <a:o>" * DEEP + b" .",
        quoted(DEEP).replace(b"<<(", b"<<(\n"),
        quoted(DEEP).replace(b"<<(", b"<<( # )>> ) ] }\n"),
        quoted(DEEP).replace(b"<a:a>", b'")>>"'),
        b"<a:a> <a:p> " + b"(" * DEEP + b")" * DEEP + b" .",
        b"<a:a> <a:p> " + b"[ <a:p> " * DEEP + b"1" + b"]" * DEEP + b" .",
        b"))))" * DEEP + b"((((" * DEEP,
    ],
    ids=["object", "subject", "lines", "comments", "texts", "lists", "nodes", "closed first"],
)
def test_turtle_nested_without_end_is_refused(text: bytes) -> None:
    report = Report("x.ttl")
    with pytest.raises(BadSource) as caught:
        list(read_turtle(io.BytesIO(b"<a:a> <a:p> <a:b> .\n" + text), report))
    assert str(caught.value) == TOO_DEEP


@pytest.mark.parametrize("read", [read_ntriples, read_nquads])
def test_a_line_of_ntriples_nested_without_end_costs_only_itself(read) -> None:
    report = Report("x.nt")
    good = b"<a:a> <a:p> <a:b> .\n"
    found = list(read(io.BytesIO(good + quoted(DEEP) + b"\n" + good + quoted(400)), report))
    assert [text[1:] for text in found] == [("a:a", "a:p", "a:b")] * 2
    assert report.examples == [
        "x.nt:2: quoted triples nested over 500 deep. If it is meant to be so: "
        "kgpath --max-nesting 1000 …"
    ]


def test_deeper_nesting_can_be_allowed() -> None:
    with limited(nesting=1_500):
        report = Report("x.ttl")
        assert list(read_turtle(io.BytesIO(quoted(1_400)), report)) == []
        assert (report.statements, report.malformed) == (1, 0)


HIDDEN = [
    b'"[[[["', b"'(((('", b'"""[[ " ""\n((\n"""', b"'''<< << '\n((('''", b"<http://x/a_((((>",
    b"# [[[[[[\n", b"ex:a\\(\\(\\(\\#", b'"\\"(((("', b'""', b"''",
]  # fmt: skip


@pytest.mark.parametrize("token", HIDDEN)
def test_brackets_in_texts_names_and_comments_do_not_count(token: bytes) -> None:
    assert depth_of_line(b"<a:a> <a:p> ( " + token + b" ) .") == 1


@given(
    st.lists(st.sampled_from([*HIDDEN, b" ", b"\n", b"(", b")", b"[", b"]", b"<< ", b" >>"])),
    st.integers(1, 30),
)
def test_the_depth_does_not_depend_on_the_blocks_in_which_a_file_is_read(
    tokens: list[bytes], size: int
) -> None:
    text = b" ".join(tokens) + b"\n"

    class Slow(io.BytesIO):
        def read(self, number: int | None = -1) -> bytes:
            return super().read(size)

    for most in (1, 2, 4):
        with limited(nesting=most):
            outcomes = []
            for stream in (io.BytesIO(text), Slow(text)):
                try:
                    outcomes.append(checked(stream, TurtleCheck("x"), "x").read())
                except BadSource as error:
                    outcomes.append(str(error).encode())
            assert outcomes[0] == outcomes[1]
            assert outcomes[0] == text or b"nested over" in outcomes[0]


def test_a_file_full_of_quoted_triples_is_not_read_past_an_error() -> None:
    # What a check takes for a text may be triples to a parser that lost its place.
    text = (
        b"<< <a:a> <a:p> <a:b> >> <a:p> <a:c> .\n" * 6_000 + b"? ? ?\n" + b"<a:a> <a:p> <a:b> .\n"
    )
    with pytest.raises(BadSource, match=r"x\.ttl cannot be read: at line 6001"):
        list(read_turtle(io.BytesIO(text), Report("x.ttl")))
