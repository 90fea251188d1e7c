"""Wikidata's JSON dump: one entity a line, read by several processes, the same with any number.

Of the statements, those of the best rank between items become edges; P31, P279 and P1647 are the
ontology. Labels, descriptions and aliases are taken in the wanted languages, and the title of the
page in Wikipedia as the name of an article.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain, islice
from typing import IO

import orjson

from kgpath.errors import BadSource
from kgpath.io.limits import limits
from kgpath.kg_build.rdf.ntriples import whole_lines
from kgpath.kg_build.report import Report
from kgpath.kg_build.wikidata.entity import ParsedBlock, read_block
from kgpath.storage import statements as st

_BLOCK = 1 << 22
_LONGEST = 1 << 26  # the largest entities have some megabytes
_MOST_WORKERS = 8

Block = tuple[int, bytes]


def read_wikidata(stream: IO[bytes], report: Report) -> st.Statements:
    """Statements of a JSON dump."""
    blocks = whole_lines(stream, report, _BLOCK, limits().longest(_LONGEST))
    first = list(islice(blocks, 2))
    workers = min(len(os.sched_getaffinity(0)), _MOST_WORKERS)
    blocks = chain(first, blocks)
    alone = workers == 1 or len(first) < 2
    found = _here(blocks, report) if alone else _elsewhere(blocks, report, workers)
    for one in found:
        report.statements += one.entities
        report.left_out.update(one.left_out)
        for line, reason, text in one.bad:
            report.bad(line, reason, text)
        yield from map(_statement, one.statements)


def _statement(statement: list[object] | st.Statement) -> st.Statement:
    return tuple(statement)  # type: ignore[return-value]


def _here(blocks: Iterator[Block], report: Report) -> Iterator[ParsedBlock]:
    for line, block in blocks:
        yield read_block(block, line, report.languages)


def _elsewhere(blocks: Iterator[Block], report: Report, workers: int) -> Iterator[ParsedBlock]:
    """Blocks go round the workers and are taken back in the same order."""
    with ExitStack() as closing:
        idle = deque(closing.enter_context(_Worker(report.languages)) for _ in range(workers))
        busy: deque[_Worker] = deque()
        for block in blocks:
            if not idle:
                worker = busy.popleft()
                found = worker.take()
                worker.give(*block)
                busy.append(worker)
                yield found
            else:
                worker = idle.popleft()
                worker.give(*block)
                busy.append(worker)
        for worker in busy:
            yield worker.take()


class _Worker:
    """A process that reads blocks. Plain pipes: a pool would run the caller's script again."""

    def __init__(self, languages: tuple[str, ...]) -> None:
        code = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import work; work()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code, *languages], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def give(self, line: int, block: bytes) -> None:
        assert self._process.stdin
        _send(self._process.stdin, orjson.dumps(line), block)

    def take(self) -> ParsedBlock:
        assert self._process.stdout
        message = _receive(self._process.stdout)
        if message is None:
            raise BadSource("A process that read the dump was killed. Was there memory enough?")
        return ParsedBlock(*orjson.loads(message))


def work() -> None:
    """The other end of a worker: blocks come in, what they say goes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides, and closes the pipe
    languages = tuple(sys.argv[1:])
    while (line := _receive(sys.stdin.buffer)) is not None:
        block = _receive(sys.stdin.buffer)
        assert block is not None
        found = read_block(block, orjson.loads(line), languages)
        _send(sys.stdout.buffer, orjson.dumps(tuple(found)))


def _send(pipe: IO[bytes], *parts: bytes) -> None:
    try:
        for part in parts:
            pipe.write(len(part).to_bytes(8, "little"))
            pipe.write(part)
        pipe.flush()
    except BrokenPipeError:
        pass  # the other end is gone; the next receive tells


def _receive(pipe: IO[bytes]) -> bytes | None:
    size = pipe.read(8)
    if len(size) < 8:
        return None
    data = pipe.read(int.from_bytes(size, "little"))
    return data if len(data) == int.from_bytes(size, "little") else None
