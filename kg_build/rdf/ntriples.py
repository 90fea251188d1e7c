"""N-Triples and N-Quads, in blocks of whole lines so that one bad line costs only itself.

A parser given the whole file may lose everything after an unterminated literal, and runs out of
memory on an endless line. Blocks are as fast on clean data; a block that fails is read again
line by line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from pyoxigraph import Quad, RdfFormat, parse

from kgpath.io.limits import beyond, limits
from kgpath.kg_build.checked import PARSER_GIVES_UP
from kgpath.kg_build.rdf.turtle_check import depth_of_line
from kgpath.kg_build.rdf.vocabulary import interpret
from kgpath.kg_build.report import Report
from kgpath.storage.statements import Statements

BLOCK = 1 << 20
LONGEST_LINE = 1 << 23
_BOM = b"\xef\xbb\xbf"


def read_ntriples(stream: IO[bytes], report: Report) -> Statements:
    """Statements of an N-Triples stream."""
    return interpret(read_quads(stream, report, RdfFormat.N_TRIPLES), report)


def read_nquads(stream: IO[bytes], report: Report) -> Statements:
    """Statements of an N-Quads stream, in whichever graph they stand."""
    return interpret(read_quads(stream, report, RdfFormat.N_QUADS), report)


def read_quads(stream: IO[bytes], report: Report, format: RdfFormat) -> Iterator[Quad]:
    """What an N-Triples or N-Quads stream says, before it means anything to a graph."""
    longest = min(limits().longest(LONGEST_LINE), PARSER_GIVES_UP)
    for line, block in whole_lines(stream, report, BLOCK, longest):
        if block.count(b"<<") > limits().nesting:
            block = _without_deep_lines(block, line, report)
        try:
            quads = list(parse(block, format=format))
        except (SyntaxError, ValueError):
            quads = list(_line_by_line(block, line, report, format))
        report.statements += len(quads)
        yield from quads


def _without_deep_lines(block: bytes, line: int, report: Report) -> bytes:
    """A block less the lines whose quoted triples are too deep for the parser to survive."""
    most = limits().nesting
    lines = block.split(b"\n")
    for at, text in enumerate(lines):
        if text.count(b"<<") > most and depth_of_line(text) > most:
            report.bad(line + at, beyond("quoted triples nested", "nesting"))
            lines[at] = b""
    return b"\n".join(lines)


def _line_by_line(block: bytes, line: int, report: Report, format: RdfFormat) -> Iterator[Quad]:
    for number, text in enumerate(block.split(b"\n"), line):
        try:
            yield from parse(text, format=format)
        except (SyntaxError, ValueError) as error:
            # "Parser error at line 1 column 24: Invalid UTF-8 (line 1)": the line is ours to tell.
            reason = str(getattr(error, "msg", error)).partition(": ")[2] or str(error)
            if "UTF-8" in reason:
                reason += " (if the file is in another encoding: iconv -f latin1 -t utf-8)"
            report.bad(number, reason, text.decode("utf-8", "replace").strip())


def whole_lines(
    stream: IO[bytes], report: Report, size: int, longest: int
) -> Iterator[tuple[int, bytes]]:
    """Blocks that end at a line's end, each with the number of its first line.

    Lines too long to parse are counted as malformed and skipped without being held in memory.
    """
    line = 1
    rest = b""
    skipping = False
    data = stream.read(size).removeprefix(_BOM)
    while data:
        if skipping:
            newline = data.find(b"\n") + 1
            skipping = not newline
            line += not skipping
            data = data[newline:] if newline else b""
        rest += data
        end = rest.rfind(b"\n") + 1
        if end:
            yield line, rest[:end]
            line += rest.count(b"\n", 0, end)
            rest = rest[end:]
        if len(rest) > longest:
            report.bad(line, beyond("a line of", "line", longest))
            rest, skipping = b"", True
        data = stream.read(size)
    if rest.strip():
        yield line, rest
