"""What holds for every path encoder: a row a path, the same from either end, and saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.encoders.path.mean import PathMean
from kgpath.encoders.path.random_paths import random_paths
from kgpath.encoders.path.text import PathText
from kgpath.encoders.path_encoder import PathEncoder
from kgpath.encoders.vectors.embedding import Embedding, embedding_of, folder_of
from kgpath.linking.context import Context
from kgpath.linking.verbalise import path_in_words
from kgpath.metrics.ped import unit_vectors
from kgpath.paths.candidates import candidates_for
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import PATH_ENCODERS
from kgpath.storage.hop_codes import is_backward, relation_of

# Each registered encoder, as it is chosen here; {vectors} is a file of word vectors.
CASES = {
    "path-mean": "path-mean",
    "path-text": "path-text(encoder=word-vectors(path={vectors}))",
    "path-vae": "path-vae(hidden=8, latent=4, epochs=2, paths=200)",
}
SIZE = 6
needs_torch = pytest.mark.skipif(not find_spec("torch"), reason="needs torch")
every_encoder = pytest.mark.parametrize(
    "name", [pytest.param(n, marks=needs_torch) if n == "path-vae" else n for n in CASES]
)


def embed(graph: kgpath.Graph) -> kgpath.Graph:
    """Vectors by IRI, so that they are the same in every graph."""

    def vector(iri: str) -> np.ndarray:
        return np.random.default_rng(list(iri.encode())).normal(size=SIZE)

    rows = graph.store.entities(range(len(graph)))
    Embedding(
        np.array([vector(rows[i].iri) for i in range(len(graph))], dtype=np.float32),
        np.array([vector(r.iri) for r in graph.store.relations], dtype=np.float32),
    ).save(folder_of(graph), graph.fingerprint)
    return graph


@pytest.fixture
def kg(film_turtle: str, build_graph: Callable[..., kgpath.Graph]) -> kgpath.Graph:
    return embed(build_graph(film_turtle))


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Tiny matrices: on a busy machine, several threads mostly wait for each other."""
    if not find_spec("torch"):
        yield
        return
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture
def make(tmp_path: Path, kg: kgpath.Graph) -> Callable[[str], PathEncoder]:
    """An encoder that has learned from the film graph."""
    words = sorted({word for path in every_path(kg) for word in path_in_words(path).split()})
    numbers = np.random.default_rng(0).normal(size=(len(words), 4)).round(3)
    lines = (
        f"{w.lower().strip('.')} {' '.join(map(str, row))}\n"
        for w, row in zip(words, numbers, strict=True)
    )
    (tmp_path / "vectors.txt").write_text("".join(lines))

    def made(name: str) -> PathEncoder:
        encoder: PathEncoder = PATH_ENCODERS.make(
            CASES[name].format(vectors=tmp_path / "vectors.txt")
        )
        encoder.fit(kg, [PathArrays.from_paths(kg, every_path(kg)[:5])])
        return encoder

    return made


def every_path(graph: kgpath.Graph) -> list[kgpath.types.Path]:
    """Many paths of different ends and lengths, in an order that has nothing to do with them."""
    rows = random_paths(graph.index, 150, seed=1)
    return list(replace(rows, source=graph))


def iris(path: kgpath.types.Path) -> tuple[str, ...]:
    return tuple(path.iris())


def test_every_registered_encoder_is_tested_here() -> None:
    builtin = {e.name for e in PATH_ENCODERS if e.target.startswith("kgpath.")}
    assert builtin == set(CASES)


@every_encoder
def test_a_path_is_a_row_of_finite_numbers(kg, make, name: str) -> None:
    paths = every_path(kg)
    assert len({path.length for path in paths}) > 3
    rows = make(name).encode(PathArrays.from_paths(kg, paths))
    assert rows.dtype == np.float32
    assert rows.ndim == 2
    assert len(rows) == len(paths)
    assert np.isfinite(rows).all()
    assert len(np.unique(rows.round(4), axis=0)) > len(paths) / 4
    none = make(name).encode(PathArrays.from_paths(kg, []))
    assert none.shape == (0, rows.shape[1])
    assert none.dtype == np.float32


@every_encoder
def test_what_is_learned_twice_is_the_same(kg, make, name: str) -> None:
    candidates = PathArrays.from_paths(kg, every_path(kg))
    encoder = make(name)
    first = encoder.encode(candidates)
    assert np.array_equal(first, encoder.encode(candidates))
    assert np.array_equal(first, make(name).encode(candidates))


@every_encoder
def test_alone_and_in_company_a_path_has_the_same_vector(kg, make, name: str) -> None:
    paths, encoder = every_path(kg), make(name)
    together = encoder.encode(PathArrays.from_paths(kg, paths))
    alone = [encoder.encode(PathArrays.from_paths(kg, [path]))[0] for path in paths]
    assert np.allclose(together, alone, atol=1e-6)
    backwards = encoder.encode(PathArrays.from_paths(kg, paths[::-1]))
    assert np.allclose(together, backwards[::-1], atol=1e-6)


@every_encoder
def test_from_either_end_a_path_has_the_same_vector(kg, make, name: str) -> None:
    paths, encoder = every_path(kg), make(name)
    one = encoder.encode(PathArrays.from_paths(kg, paths))
    other = encoder.encode(PathArrays.from_paths(kg, [path.reversed() for path in paths]))
    assert np.array_equal(one, other)


@every_encoder
def test_padding_does_not_count(kg, make, name: str) -> None:
    encoder, candidates = make(name), PathArrays.from_paths(kg, every_path(kg))
    wide = replace(
        candidates,
        vertices=np.pad(candidates.vertices, ((0, 0), (0, 3)), constant_values=-1),
        hop_codes=np.pad(candidates.hop_codes, ((0, 0), (0, 3)), constant_values=-1),
    )
    assert np.array_equal(encoder.encode(candidates), encoder.encode(wide))


@every_encoder
def test_what_is_saved_encodes_the_same(kg, make, name: str, tmp_path: Path) -> None:
    encoder, candidates = make(name), PathArrays.from_paths(kg, every_path(kg))
    encoder.save(tmp_path / "model")
    again = type(encoder)(**encoder.options())
    again.load(tmp_path / "model")
    assert np.array_equal(encoder.encode(candidates), again.encode(candidates))
    kinds = {path.suffix for path in (tmp_path / "model").glob("*")}
    assert kinds <= {".json", ".npy", ".safetensors"}


@every_encoder
def test_ids_and_the_order_of_loading_do_not_count(
    kg, make, name: str, film_turtle: str, build_graph: Callable[..., kgpath.Graph]
) -> None:
    # The new entities are first and last in the order of IRIs: all ids change.
    more = "<http://aaa.org/a> dbo:country <http://zzz.org/z> ."
    grown = embed(build_graph(more, film_turtle, name="other.ttl", output="more.kg"))
    encoder = make(name)
    rows = encoder.encode(PathArrays.from_paths(kg, every_path(kg)))
    vectors = dict(zip(map(iris, every_path(kg)), rows, strict=True))
    head, tail = grown.entity("Roger Moore"), grown.entity("Daniel Craig")
    assert head.id != kg.entity("Roger Moore").id
    checked = 0
    for path in every_path(grown):
        known = vectors.get(iris(path), vectors.get(iris(path.reversed())))
        if known is not None:
            (row,) = encoder.encode(PathArrays.from_paths(grown, [path]))
            assert np.allclose(row, known, atol=1e-6)
            checked += 1
    assert checked > 20
    found = candidates_for(Context(grown, "Moore and Craig"), head, tail)
    assert len(encoder.encode(found)) == len(found) > 0


@every_encoder
def test_path_objects_are_encoded_as_ped_asks_for_it(kg, make, name: str) -> None:
    paths, encoder = every_path(kg), make(name)
    rows = unit_vectors(encoder.of_paths(kg), paths)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.array_equal(
        encoder.of_paths(kg)(paths), encoder.encode(PathArrays.from_paths(kg, paths))
    )


def test_candidates_from_paths_are_these_paths(kg) -> None:
    paths = every_path(kg)
    assert list(PathArrays.from_paths(kg, paths)) == paths
    assert len(PathArrays.from_paths(kg, [])) == 0
    head, tail = kg.entity("Roger Moore"), kg.entity("Daniel Craig")
    found = candidates_for(Context(kg, "Moore and Craig"), head, tail)
    again = PathArrays.from_paths(kg, list(found))
    assert (again.head, again.tail) == (head, tail)
    assert np.array_equal(again.vertices, found.vertices[:, : again.vertices.shape[1]])
    assert np.array_equal(again.hop_codes, found.hop_codes[:, : again.hop_codes.shape[1]])


def test_path_mean_by_hand(kg) -> None:
    (path,) = kg.paths("Roger Moore", "Daniel Craig", max_hops=2)
    embedding = embedding_of(kg)
    (row,) = PathMean().encode(PathArrays.from_paths(kg, [path]))
    entities = [embedding.entities[node.id] for node in path.nodes]
    assert row[:SIZE] == pytest.approx(np.mean(entities, axis=0), abs=1e-6)
    # Both hops are "portrayer", one of them backwards.
    assert row[SIZE:] == pytest.approx(embedding.relations[path.hops[0].relation.id], abs=1e-6)


def test_a_path_in_words_says_its_facts_as_they_are_stated(kg) -> None:
    (path,) = kg.paths("Roger Moore", "Daniel Craig", max_hops=2)
    assert (
        path_in_words(path)
        == "James Bond portrayer Roger Moore. James Bond portrayer Daniel Craig."
    )
    assert PathText().encoder == "minilm"

    class Spy:
        identity = "spy"

        def encode(self, texts: list[str]) -> np.ndarray:
            self.texts = list(texts)
            return np.zeros((len(texts), 2), dtype=np.float32)

    spy = Spy()
    PathText(spy).encode(PathArrays.from_paths(kg, [path, path.reversed()]))
    first = "James Bond portrayer Daniel Craig. James Bond portrayer Roger Moore."
    assert spy.texts == [first, first]  # …/Daniel_Craig comes before …/Roger_Moore


def test_random_paths_are_facts_without_repetition(kg) -> None:
    facts = {tuple(row) for row in kg.store.edges().tolist()}
    rows = random_paths(kg.index, 300, seed=0)
    assert np.array_equal(rows.vertices, random_paths(kg.index, 300, seed=0).vertices)
    seen = set()
    arrays = rows.vertices, rows.hop_codes, rows.lengths
    for vertices, codes, length in zip(*arrays, strict=True):
        walk, hops = vertices[: length + 1].tolist(), codes[:length].tolist()
        assert (vertices[length + 1 :] == -1).all()
        assert (codes[length:] == -1).all()
        assert 1 <= length <= 6
        assert len(set(walk)) == length + 1
        for head, code, tail in zip(walk, hops, walk[1:], strict=False):
            relation = relation_of(code)
            fact = (tail, relation, head) if is_backward(code) else (head, relation, tail)
            assert fact in facts
        seen.add((*walk, *hops))
    assert len(seen) == len(rows.lengths)


def test_ids_are_in_the_order_of_iris(kg) -> None:
    # Random paths and samples of neighbours are drawn by id, and count on it.
    names = [iri for (iri,) in kg.store.db.execute("SELECT iri FROM entity ORDER BY id")]
    assert names == sorted(names)
