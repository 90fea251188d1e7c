"""Chunks of documents made by one process or several; finished ones are not made again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgpath.datasets.synthetic.document import DocumentMaker
from kgpath.datasets.synthetic.paths import DocumentPlan
from kgpath.datasets.synthetic.recipe import Recipe
from kgpath.datasets.synthetic.work_folder import WorkFolder
from kgpath.errors import BadStore
from kgpath.graph import Graph
from kgpath.io.processes import worker_processes


@dataclass(frozen=True)
class Chunk:
    """Some documents to be made, and the name under which their documents are stored."""

    name: str
    plans: tuple[DocumentPlan, ...]


def make_chunks(
    graph: Graph, recipe: Recipe, work: WorkFolder, chunks: list[Chunk], workers: int
) -> Iterator[tuple[Chunk, dict[str, Any], bool]]:
    """Each chunk when it is done, with its note, and whether it was made just now."""
    waiting = []
    for chunk in chunks:
        note = work.note(chunk.name)
        if note is None:
            waiting.append(chunk)
        else:
            yield chunk, note, False
    if workers == 1 or len(waiting) < 2:
        maker = ChunkMaker(graph, recipe, work) if waiting else None
        for chunk in waiting:
            assert maker
            yield chunk, maker.make(chunk), True
        return
    given = (graph.path, graph.fingerprint, recipe, work.output)
    with worker_processes(min(workers, len(waiting)), _begin, *given) as pool:
        futures = {pool.submit(_make, chunk): chunk for chunk in waiting}
        for future in as_completed(futures):
            yield futures[future], future.result(), True


class ChunkMaker:
    """Makes the documents of chunks and writes them to the work folder."""

    def __init__(self, graph: Graph, recipe: Recipe, work: WorkFolder) -> None:
        self._recipe, self._work = recipe, work
        self._documents = DocumentMaker(graph, recipe)

    def make(self, chunk: Chunk) -> dict[str, Any]:
        """Write a chunk; returns its note: what was counted, and which slots got no pair."""
        documents = self._documents
        documents.counted.clear()
        documents.prepare(list(chunk.plans))
        lines: dict[str, list[str]] = {split: [] for split in self._recipe.splits}
        empty = []
        for plan in chunk.plans:
            records = documents.make(plan)
            documents.counted["pairs"] += len(records)
            if not records:
                empty.append(plan.slot.number)
            lines[plan.slot.split] += (json.dumps(one, ensure_ascii=False) for one in records)
        texts = {
            f"{chunk.name}.{split}.jsonl": "".join(f"{line}\n" for line in some)
            for split, some in lines.items()
        }
        note = {"counted": dict(sorted(documents.counted.items())), "empty": empty}
        self._work.finish(chunk.name, texts, note)
        return note


_maker: ChunkMaker | None = None  # of a worker process


def _begin(path: Path, fingerprint: str, recipe: Recipe, output: Path) -> None:
    """Prepare a worker process."""
    global _maker
    graph = Graph(path)
    if graph.fingerprint != fingerprint:
        raise BadStore(f"{path} was replaced while it was open. Start again.")
    _maker = ChunkMaker(graph, recipe, WorkFolder(output))


def _make(chunk: Chunk) -> dict[str, Any]:
    assert _maker is not None
    return _maker.make(chunk)
