"""Worked out once for a graph, whoever asks, and gone with it."""

from __future__ import annotations

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import kgpath
from kgpath.io.once_per_graph import once_per_graph


class Size:
    def __init__(self, graph: kgpath.Graph) -> None:
        self.graph, self.entities = graph, len(graph)


def test_once_for_each_graph_and_for_all_threads(film_path: Path, sample_path: Path) -> None:
    calls = []

    @once_per_graph
    def size(graph: kgpath.Graph) -> Size:
        calls.append(graph)
        return Size(graph)

    with kgpath.open(film_path) as film, kgpath.open(sample_path) as sample:
        with ThreadPoolExecutor(8) as pool:
            sizes = list(pool.map(size, [film, sample] * 20))
        assert calls == [film, sample]
        assert {one.entities for one in sizes} == {len(film), len(sample)}


def test_what_refers_to_its_graph_does_not_keep_it_alive(film_path: Path) -> None:
    size = once_per_graph(Size)
    graph = kgpath.open(film_path)
    made = weakref.ref(size(graph))
    graph.close()
    del graph
    gc.collect()
    assert made() is None
