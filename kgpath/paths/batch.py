"""Paths for many pairs: in order, on several threads, as JSON lines that can be resumed."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from kgpath.errors import BadSource, KgpathError
from kgpath.io.growing_lines import write_growing
from kgpath.io.plain_data import from_json
from kgpath.io.progress import Progress, silent
from kgpath.paths.finder import PathFinder, PathOptions

if TYPE_CHECKING:
    from kgpath.graph import Graph

Pair = tuple[str, str]


def read_pairs(lines: Iterable[str], name: str) -> list[Pair]:
    """Pairs from lines of ``head TAB tail``, or JSON with ``head`` and ``tail``."""
    pairs = []
    for number, line in enumerate(lines, 1):
        line = line.strip("\r\n")
        if not line.strip():
            continue
        if line.lstrip().startswith("{"):
            try:
                record = from_json(line)
                pairs.append((_name(record["head"]), _name(record["tail"])))
            except (ValueError, KeyError) as error:
                raise BadSource(
                    f"{name}:{number}: no JSON with head and tail ({error})."
                ) from error
        else:
            cells = [cell.strip() for cell in line.split("\t")]
            if len(cells) != 2 or not all(cells):
                raise BadSource(f"{name}:{number}: needs a head, a tab and a tail: {line[:80]!r}")
            pairs.append((cells[0], cells[1]))
    if not pairs:
        raise BadSource(f"{name} holds no pair. Write one a line: head, a tab, tail.")
    return pairs


def _name(value: Any) -> str:
    """A name or an IRI; a number may be a name, a list is none."""
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise ValueError("head and tail are texts")
    return str(value)


def many(
    graph: Graph, pairs: Iterable[Pair], options: PathOptions, workers: int = 2
) -> Iterator[dict[str, Any]]:
    """One record per pair, in order: its paths as plain data, or an ``error`` in words."""

    def answer(pair: Pair) -> dict[str, Any]:
        try:
            head, tail = graph.entity(pair[0]), graph.entity(pair[1])
            return graph.derived(PathFinder).find(head, tail, options).to_json()
        except KgpathError as error:
            return {"head": pair[0], "tail": pair[1], "error": str(error)}

    # At most a few results wait: memory does not grow with the number of pairs.
    waiting: deque[Future[dict[str, Any]]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for pair in pairs:
                waiting.append(pool.submit(answer, pair))
                if len(waiting) > 4 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def write_many(
    graph: Graph,
    pairs: list[Pair],
    options: PathOptions,
    output: FilePath,
    workers: int = 2,
    progress: Progress = silent,
) -> int:
    """Write a JSON line per pair to ``output``; returns how many an earlier run had done.

    Until all are done they are in ``output.part``: an interrupted run goes on from there.
    """

    def lines(done: int) -> Iterator[str]:
        for number, record in enumerate(many(graph, pairs[done:], options, workers), done + 1):
            yield json.dumps(record, ensure_ascii=False)
            progress("finding paths", number, len(pairs))

    request = {"pairs": pairs, "options": asdict(options), "graph": graph.fingerprint}
    return write_growing(output, request, "kgpath paths", lines)
