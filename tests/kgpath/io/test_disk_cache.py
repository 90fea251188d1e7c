"""What is cached between runs: the same numbers with it and without it, whatever befalls it."""

from __future__ import annotations

import os
import sqlite3
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
from kgpath.encoders.tfidf import Tfidf
from kgpath.encoders.vectors import word_vectors
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.encoders.vectors.word_vectors import WordVectors
from kgpath.io import cache, disk_cache, model_cache
from kgpath.io.disk_cache import cached_array
from kgpath.io.model_cache import fit_cached
from kgpath.linking.context import Context
from kgpath.paths.path_arrays import PathArrays

TEXT = "Daniel Craig follows Roger Moore as James Bond, who was made up by Ian Fleming."
TINY: dict[str, Any] = {"hidden": 8, "latent": 4, "paths": 200, "epochs": 1}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in use."""
    monkeypatch.setenv("KGPATH_KEEP", "1")
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def kg(film_turtle: str, build_graph: Callable[..., kgpath.Graph]) -> kgpath.Graph:
    graph = build_graph(film_turtle.partition("ex: <http://example.org/> .")[2], name="film.ttl")
    embed(graph, 0)
    return graph


def embed(graph: kgpath.Graph, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = len(graph), len(graph.relations_by_id)
    rows = (rng.normal(size=(size, 6)).astype(np.float32) for size in sizes)
    Embedding(*rows).save(folder_of(graph), graph.fingerprint)


def counted(make: np.ndarray) -> tuple[Callable[[], np.ndarray], list[int]]:
    calls: list[int] = []

    def made() -> np.ndarray:
        calls.append(1)
        return make

    return made, calls


def test_an_array_is_made_once_to_the_last_bit(folder: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
    make, calls = counted(rows)
    for _ in range(3):
        assert cached_array("00" * 20, (5, 3), make).tobytes() == rows.tobytes()
    assert len(calls) == 1
    cached_array("01" * 20, (5, 3), make)  # another key
    assert len(calls) == 2
    assert cached_array("02" * 20, (0, 3), lambda: np.zeros((0, 3), np.float32)).shape == (0, 3)


def test_without_the_cache_nothing_is_written(folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_KEEP", "0")
    make, calls = counted(np.ones((2, 2), np.float32))
    for _ in range(2):
        cached_array("00" * 20, (2, 2), make)
    part = Tfidf()
    fit_cached(part, learn=lambda: None)
    assert len(calls) == 2 and not folder.exists()


@pytest.mark.parametrize("kind", ["a file in the way", "not a database", "another shape"])
def test_whatever_befalls_the_file_the_numbers_are_the_same(folder: Path, kind: str) -> None:
    if kind == "a file in the way":
        folder.write_text("")
    elif kind == "not a database":
        folder.mkdir()
        (folder / "arrays.sqlite").write_bytes(b"something else " * 100)
    else:
        cached_array("00" * 20, (1, 1), lambda: np.zeros((1, 1), np.float32))
    make, _ = counted(np.full((2, 2), 7, np.float32))
    for _ in range(2):
        assert cached_array("00" * 20, (2, 2), make).tolist() == [[7, 7], [7, 7]]


def test_a_file_that_has_grown_too_large_is_emptied(folder: Path, monkeypatch) -> None:
    make, calls = counted(np.zeros((100, 100), np.float32))
    cached_array("00" * 20, (100, 100), make)
    monkeypatch.setattr(disk_cache, "LARGEST", 1000)
    monkeypatch.setattr(disk_cache, "_OPEN", {})  # as in another process
    cached_array("00" * 20, (100, 100), make)
    assert len(calls) == 2
    with sqlite3.connect(folder / "arrays.sqlite") as db:
        assert db.execute("SELECT count(*) FROM vector").fetchone() == (1,)
    db.close()


def test_a_key_tells_all_parts_apart() -> None:
    keys = {cache.key_of(*parts) for parts in ((), ("a",), ("a", ""), ("", "a"), (b"a",), (1,))}
    assert len(keys) == 6
    assert cache.key_of("a") == cache.key_of("a")


def test_another_version_learns_again(folder: Path, kg, monkeypatch) -> None:
    learned = []

    def fit() -> None:
        component = Tfidf()
        fit_cached(component, "texts", learn=lambda: learned.append(component.fit(kg, [])))

    fit()
    fit()
    assert len(learned) == 1
    monkeypatch.setattr(Tfidf, "version", 2)
    fit()
    assert len(learned) == 2


def test_vectors_of_another_version_are_not_taken(kg, folder: Path, monkeypatch) -> None:
    before = vectors_of_texts(FusedInOut(), kg)
    monkeypatch.setattr(fused, "retrofit", lambda bonds, terms: bonds.start)
    assert vectors_of_texts(FusedInOut(), kg) == before  # nobody raised the version
    monkeypatch.setattr(FusedInOut, "version", 2)
    assert vectors_of_texts(FusedInOut(), kg) != before


def test_a_file_of_words_is_read_again_by_another_version(folder: Path, monkeypatch) -> None:
    folder.mkdir()
    path = folder / "words.txt"
    path.write_text("london 1 0\nparis 0 1\n")
    assert list(WordVectors(path).space.rows) == ["london", "paris"]
    monkeypatch.setattr(word_vectors, "_folded", lambda words: {"only": 0})
    assert list(WordVectors(path).space.rows) == ["london", "paris"]
    monkeypatch.setattr(WordVectors, "version", 2)
    assert list(WordVectors(path).space.rows) == ["only"]


def vectors_of_texts(encoder: Any, kg: kgpath.Graph) -> list[list[float]]:
    context = Context(kg, TEXT)  # another one, of which nothing is known
    return [encoder.encode(context, one).tolist() for one in range(len(kg))]


def test_fused_vectors_are_those_without_the_cache(kg, folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_KEEP", "0")
    plain = vectors_of_texts(FusedInOut(), kg)
    monkeypatch.setenv("KGPATH_KEEP", "1")
    assert vectors_of_texts(FusedInOut(), kg) == plain
    other = vectors_of_texts(FusedInOut(w_cna=0.9), kg)
    monkeypatch.setattr(fused, "retrofit", None)  # nothing is moved again
    assert vectors_of_texts(FusedInOut(), kg) == plain
    assert vectors_of_texts(FusedInOut(w_cna=0.9), kg) == other != plain


def test_word_vectors_of_a_graph_are_trained_once(kg, folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_KEEP", "0")

    def learned(**options: Any) -> list[list[float]]:
        monkeypatch.setattr(learned_space, "_TRAINED", {})  # as in another process
        encoder = AvgWord(dim=4, **options)
        encoder.fit(kg, [])
        return vectors_of_texts(encoder, kg)

    plain = learned()
    monkeypatch.setenv("KGPATH_KEEP", "1")
    assert learned() == plain
    other = learned(seed=1)
    monkeypatch.setattr(AvgWord, "train", None)
    assert learned() == plain
    assert learned(seed=1) == other != plain


def some_paths(kg: kgpath.Graph) -> PathArrays:
    rows = random_paths(kg.index, 60, seed=3)
    return rows.bound(kg, kg.entity(0), kg.entity(1))


@pytest.mark.skipif(not find_spec("torch"), reason="needs torch")
def test_path_vae_learns_and_encodes_once(kg, folder: Path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_KEEP", "0")

    def encoded(**options: Any) -> list[list[float]]:
        encoder = PathVAE(**{**TINY, **options})
        encoder.fit(kg, [some_paths(kg)])
        assert encoder.report()["latent"] == 4
        return encoder.encode(some_paths(kg)).tolist()

    plain = encoded()
    monkeypatch.setenv("KGPATH_KEEP", "1")
    assert encoded() == plain
    other = encoded(seed=1)
    monkeypatch.setattr(PathVAE, "_learn", None)
    monkeypatch.setattr(PathVAE, "_encode", None)
    assert encoded() == plain
    assert encoded(seed=1) == other != plain
    monkeypatch.undo()
    monkeypatch.setenv("KGPATH_KEEP", "1")
    monkeypatch.setenv("KGPATH_CACHE", str(folder))
    for damaged in folder.glob("learned/*/path_vae.safetensors"):
        damaged.write_bytes(b"?")
    assert encoded() == plain


def test_other_vectors_beside_the_graph_are_not_mixed_up(
    film_turtle: str, build_graph, folder: Path
) -> None:
    found = []
    for seed in (0, 1, 0):
        graph = build_graph(film_turtle, output=f"{seed}{len(found)}.kg")
        embed(graph, seed)
        found.append(vectors_of_texts(FusedInOut(), graph))
    assert found[0] == found[2] != found[1]


def test_what_was_not_in_use_for_longest_is_deleted(folder: Path, monkeypatch) -> None:
    monkeypatch.setattr(model_cache, "LATEST", 2)
    places = [folder / "learned" / name for name in ("one", "two", "three")]
    for number, place in enumerate(places[:2]):
        model_cache.save_cached(place, lambda to: (to / "file").touch())
        os.utime(place, (number, number))
    assert model_cache.load_cached(places[0], lambda path: None)  # in use again
    model_cache.save_cached(places[2], lambda to: (to / "file").touch())
    assert sorted(path.name for path in (folder / "learned").iterdir()) == ["one", "three"]
