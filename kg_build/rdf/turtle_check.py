"""Turtle and N-Triples before they are parsed: how deep their brackets and quoted triples are.

A triple about a triple about a triple … ends in a stack overflow of the parser, which no Python
can catch.
"""

from __future__ import annotations

import re

import numpy as np

from kgpath.io.limits import limits, too_much

# All that is no bracket, and what may hide one; the start of a long text left open stays.
_NO_BRACKET = re.compile(
    rb"(?:[^\"'<>#\\\[\](){}]++|"
    rb"<(?:[^\x00-\x20<>\"{}|^`\\]++|\\[uU])*+>|"
    rb'(?<!")"(?!"")(?:[^"\\\r\n]++|\\[^\r\n])*+"|'
    rb"(?<!')'(?!'')(?:[^'\\\r\n]++|\\[^\r\n])*+'|"
    rb'"""(?:[^"\\]++|\\.|"(?!""))*+"""|'
    rb"'''(?:[^'\\]++|\\.|'(?!''))*+'''|"
    rb"#[^\r\n]*+|\\.)++",
    re.DOTALL,
)
_LEFT_OPEN = re.compile(rb"\"\"\"|'''")
_STEP = np.zeros(256, dtype=np.int8)
_STEP[list(b"[({")] = 1
_STEP[list(b"])}")] = -1


class TurtleCheck:
    """A check for streams of Turtle; see :mod:`kgpath.kg_build.checked`.

    ``quoted`` counts what looks like a quoted triple: where there are many, a parser must not go on
    after an error, since what is text to us may then be a triple to it.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._nesting = limits().nesting
        self._depth = 0
        self.quoted = 0

    def __call__(self, data: bytes, ended: bool) -> int:
        end = len(data) if ended else data.rfind(b"\n") + 1
        brackets = _NO_BRACKET.sub(b"", data[:end])
        if not ended and _LEFT_OPEN.search(brackets):
            end = _left_open(data, end)
            brackets = _NO_BRACKET.sub(b"", data[:end])
        self._depth, deepest = walked(brackets, self._depth)
        if deepest > self._nesting:
            raise too_much("brackets or quoted triples nested", "nesting", self._name)
        self.quoted += data.count(b"<<", 0, end)
        return end


def depth_of_line(line: bytes) -> int:
    """How deep the quoted triples of a line of N-Triples are."""
    return walked(_NO_BRACKET.sub(b"", line), 0)[1]


def _left_open(data: bytes, end: int) -> int:
    """Where a long text begins that does not end here."""
    at = 0
    while at < end:
        if token := _NO_BRACKET.match(data, at, end):
            at = token.end()
        elif _LEFT_OPEN.match(data, at, end):
            return at
        else:
            at += 1  # a bracket, or a quote that opens nothing
    return end


def walked(brackets: bytes, depth: int) -> tuple[int, int]:
    """The depth after some brackets, and the greatest on the way; what closes nothing is nothing.

    >>> walked(b"))(([", 1)
    (3, 3)
    """
    if b"<" in brackets or b">" in brackets:
        brackets = brackets.replace(b"<<(", b"(").replace(b")>>", b")")
        brackets = brackets.replace(b"<<", b"(").replace(b">>", b")")
    if not brackets:
        return depth, depth
    walk = depth + np.cumsum(_STEP[np.frombuffer(brackets, dtype=np.uint8)], dtype=np.int64)
    walk -= np.minimum(np.minimum.accumulate(walk), 0)
    return int(walk[-1]), int(walk.max())
