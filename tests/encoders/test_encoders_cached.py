"""What encoders learn and compute is the same with the cache and without it."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kgpath
from kgpath.encoders.averaged import learned_space
from kgpath.encoders.averaged.avg_word import AvgWord
from kgpath.encoders.fused import fused
from kgpath.encoders.fused.fused import FusedInOut
from kgpath.encoders.path.random_paths import random_paths
from kgpath.encoders.path.vae import PathVAE
from kgpath.encoders.vectors import word_vectors
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.encoders.vectors.word_vectors import WordVectors
from kgpath.linking.context import Context
from kgpath.paths.path_arrays import PathArrays

TEXT = "Daniel Craig follows Roger Moore as James Bond, who was made up by Ian Fleming."


TINY: dict[str, Any] = {"hidden": 8, "latent": 4, "paths": 200, "epochs": 1}


@pytest.fixture
def kg(film_turtle: str, build_graph: Callable[..., kgpath.Graph]) -> kgpath.Graph:
    graph = build_graph(film_turtle.partition("ex: <http://example.org/> .")[2], name="film.ttl")
    embed(graph, 0)
    return graph


def embed(graph: kgpath.Graph, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = len(graph), len(graph.store.relations)
    rows = (rng.normal(size=(size, 6)).astype(np.float32) for size in sizes)
    Embedding(*rows).save(folder_of(graph), graph.fingerprint)


def vectors_of_texts(encoder: Any, kg: kgpath.Graph) -> list[list[float]]:
    context = Context(kg, TEXT)  # another one, so that nothing is known of it
    return [encoder.encode(context, one).tolist() for one in range(len(kg))]


def test_fused_vectors_are_those_without_the_cache(kg, cache_folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_USE_CACHE", "0")
    plain = vectors_of_texts(FusedInOut(), kg)
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    assert vectors_of_texts(FusedInOut(), kg) == plain
    other = vectors_of_texts(FusedInOut(w_cna=0.9), kg)
    monkeypatch.setattr(fused, "retrofit", None)  # nothing is moved again
    assert vectors_of_texts(FusedInOut(), kg) == plain
    assert vectors_of_texts(FusedInOut(w_cna=0.9), kg) == other != plain


def test_word_vectors_of_a_graph_are_trained_once(kg, cache_folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_USE_CACHE", "0")

    def learned(**options: Any) -> list[list[float]]:
        monkeypatch.setattr(learned_space, "_TRAINED", {})  # as in another process
        encoder = AvgWord(dim=4, **options)
        encoder.fit(kg, [])
        return vectors_of_texts(encoder, kg)

    plain = learned()
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    assert learned() == plain
    other = learned(seed=1)
    monkeypatch.setattr(AvgWord, "train", None)
    assert learned() == plain
    assert learned(seed=1) == other != plain


def some_paths(kg: kgpath.Graph) -> PathArrays:
    rows = random_paths(kg.index, 60, seed=3)
    return rows.bound(kg, kg.entity(0), kg.entity(1))


@pytest.mark.slow
@pytest.mark.skipif(not find_spec("torch"), reason="needs torch")
def test_path_vae_learns_and_encodes_once(kg, cache_folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_USE_CACHE", "0")

    def encoded(**options: Any) -> list[list[float]]:
        encoder = PathVAE(**{**TINY, **options})
        encoder.fit(kg, [some_paths(kg)])
        assert encoder.report()["latent"] == 4
        return encoder.encode(some_paths(kg)).tolist()

    plain = encoded()
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    assert encoded() == plain
    other = encoded(seed=1)
    monkeypatch.setattr(PathVAE, "_learn", None)
    monkeypatch.setattr(PathVAE, "_encode", None)
    assert encoded() == plain
    assert encoded(seed=1) == other != plain
    monkeypatch.undo()
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    monkeypatch.setenv("KGPATH_CACHE", str(cache_folder))
    for damaged in cache_folder.glob("learned/*/path_vae.safetensors"):
        damaged.write_bytes(b"?")
    assert encoded() == plain


def test_other_vectors_beside_the_graph_are_not_mixed_up(
    film_turtle: str, build_graph, cache_folder: Path
) -> None:
    found = []
    for seed in (0, 1, 0):
        graph = build_graph(film_turtle, output=f"{seed}{len(found)}.kg")
        embed(graph, seed)
        found.append(vectors_of_texts(FusedInOut(), graph))
    assert found[0] == found[2] != found[1]


def test_vectors_of_another_version_are_not_taken(kg, cache_folder: Path, monkeypatch) -> None:
    before = vectors_of_texts(FusedInOut(), kg)
    monkeypatch.setattr(fused, "retrofit", lambda bonds, terms: bonds.start)
    assert vectors_of_texts(FusedInOut(), kg) == before  # nobody raised the version
    monkeypatch.setattr(FusedInOut, "version", 2)
    assert vectors_of_texts(FusedInOut(), kg) != before


def test_a_file_of_words_is_read_again_by_another_version(cache_folder, monkeypatch) -> None:
    cache_folder.mkdir()
    path = cache_folder / "words.txt"
    path.write_text("london 1 0\nparis 0 1\n")
    assert list(WordVectors(path).space.rows) == ["london", "paris"]
    monkeypatch.setattr(word_vectors, "_folded", lambda words: {"only": 0})
    assert list(WordVectors(path).space.rows) == ["london", "paris"]
    monkeypatch.setattr(WordVectors, "version", 2)
    assert list(WordVectors(path).space.rows) == ["only"]
