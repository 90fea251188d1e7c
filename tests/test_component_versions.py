"""Caches cannot lie: what a component makes changes only together with its version."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import component_versions as versions
import numpy as np
import pytest
from component_versions import CASES, Bench, complaint, numbers_of, read_table

import kgpath
from kgpath.component import Component, versions_of
from kgpath.datasets.sample_files import sample_queries
from kgpath.encoders.fused import fused
from kgpath.encoders.fused.fused import FusedInOut
from kgpath.encoders.transformer.kg_bert import KgBert
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.io.queries import QueryFile
from kgpath.learning.examples import QuerySet
from kgpath.lexicon.text import tokenize
from kgpath.linking.context import Context
from kgpath.plugins import CONTEXT_ENCODERS, PATH_ENCODERS, RANKERS, TEXT_ENCODERS

NEEDS = {"objectives": "transformers", "training": "transformers", "vectors": "pykeen"}


def embedded(stack: ExitStack, path: Path, folder: Path) -> kgpath.Graph:
    """A copy with vectors beside it that depend on nothing but IRIs."""
    graph = stack.enter_context(kgpath.open(shutil.copy(path, folder)))

    def rows(things: Any) -> np.ndarray:
        seeds = (list(thing.iri.encode()) for thing in things)
        drawn = [np.random.default_rng(seed).normal(size=6) for seed in seeds]
        return np.array(drawn, dtype=np.float32)

    entities = graph.store.entities(range(len(graph)))
    Embedding(rows(entities[i] for i in range(len(graph))), rows(graph.store.relations)).save(
        folder_of(graph), graph.fingerprint
    )
    return graph


@pytest.fixture(scope="module")
def bench(
    film_path: Path,
    sample_path: Path,
    tiny_bert: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Bench]:
    with ExitStack() as stack:
        film, sample = (
            embedded(stack, path, tmp_path_factory.mktemp("versions"))
            for path in (film_path, sample_path)
        )
        queries = QueryFile(sample_queries()).queries[:4]
        known = sorted({w for q in queries for w in tokenize(q.document).words} | {"bond", "is"})
        words = tmp_path_factory.mktemp("versions") / "words.txt"
        words.write_text(
            "".join(f"{w} {len(w)} {w.count('e')} {ord(w[0]) % 7}\n" for w in known if w.isascii())
        )

        def examples() -> list[Any]:
            return list(QuerySet(sample, queries, limit=20).examples())

        yield Bench(film, sample, tiny_bert, words, examples)


def check(name: str, bench: Bench) -> str:
    made_by, made = CASES[name](bench)
    return complaint(name, made_by, numbers_of(made), read_table())


@pytest.mark.parametrize("name", CASES)
def test_what_a_component_makes_is_what_its_version_made(name: str, bench: Bench) -> None:
    needed = NEEDS.get(name.partition("/")[0])
    if needed and not find_spec(needed):
        pytest.skip(f"needs {needed}")
    if os.environ.get(versions.RECORD):
        made_by, made = CASES[name](bench)
        versions.record(name, made_by, numbers_of(made))
    said = check(name, bench)
    assert not said, said


def test_every_registered_component_is_in_the_table() -> None:
    for registry in (CONTEXT_ENCODERS, PATH_ENCODERS, TEXT_ENCODERS, RANKERS):
        own = {e.name for e in registry if e.target.startswith("kgpath.")}
        assert {name.partition("/")[2] for name in CASES if name.startswith(registry.kind)} == own
    assert read_table().keys() == CASES.keys()


def test_every_objective_is_in_the_table() -> None:
    pytest.importorskip("transformers")
    from kgpath.encoders.transformer import (  # noqa: F401
        joint_objective,
        kepler_objective,
        kg_bert_objectives,
        masked_lm,
    )
    from kgpath.encoders.transformer.training import Objective

    def below(kind: type) -> set[type]:
        return {kind, *(one for child in kind.__subclasses__() for one in below(child))}

    own = {one.__name__ for one in below(Objective) - {Objective} if "kgpath" in one.__module__}
    assert {name.partition("/")[2] for name in CASES if name.startswith("objectives/")} == own


@pytest.mark.parametrize("choice", ["bert(configuration=paper)", "kg-bert", "k-bert", "kepler"])
def test_a_tuned_model_depends_on_every_objective_in_use(choice: str, bench: Bench) -> None:
    pytest.importorskip("transformers")
    from kgpath.encoders.transformer.training import Objective

    encoder = CONTEXT_ENCODERS.make(choice, base=bench.bert)
    used = {type(m) for m in encoder.objective(bench.film).modules() if isinstance(m, Objective)}
    assert used <= set(encoder.made_of())
    assert all(f"{kind.__name__} 1" in encoder.versions() for kind in used)


def test_a_change_without_a_new_version_is_noticed(bench, tmp_path, monkeypatch) -> None:
    name = "context_encoders/fused-inout"
    monkeypatch.setattr(versions, "TABLE", Path(shutil.copy(versions.TABLE, tmp_path)))
    assert not check(name, bench)
    monkeypatch.setattr(fused, "retrofit", lambda bonds, terms: bonds.start * 1.01)
    assert "gives other numbers than FusedInOut 1 did: raise the version" in check(name, bench)
    made_by, made = CASES[name](bench)
    versions.record(name, made_by, numbers_of(made))  # refused: the version is the same
    assert "gives other numbers" in check(name, bench)
    monkeypatch.setattr(FusedInOut, "version", 2)
    assert "has no numbers for FusedInOut 2 yet" in check(name, bench)
    made_by, made = CASES[name](bench)
    versions.record(name, made_by, numbers_of(made))
    assert not check(name, bench)


def test_another_objective_of_kg_bert_is_not_answered_with_a_stale_model(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers")
    from kgpath.encoders.transformer.kg_bert_objectives import TrueFacts

    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path))
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")

    def vector() -> list[float]:
        encoder = KgBert(base=bench.bert, steps=2, batch=4, layers=1)
        encoder.fit(bench.film)
        return encoder.encode(Context(bench.film, versions.TEXTS[0]), 0).tolist()

    name = "objectives/TrueFacts"
    before = vector()
    usual = TrueFacts.losses
    monkeypatch.setattr(
        TrueFacts, "losses", lambda self, some: {k: -v for k, v in usual(self, some).items()}
    )
    assert "raise the version" in check(name, bench)  # a test tells, before anybody is misled
    monkeypatch.setattr(TrueFacts, "version", 2)
    assert vector() != before
    monkeypatch.undo()
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path))
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    monkeypatch.setattr(KgBert, "objective", lambda *_: pytest.fail("trained again"))
    assert vector() == before  # what the first version made is still there


def test_versions_of_what_a_component_is_made_of_are_in_its_own() -> None:
    class Inner:
        version = 3

    class Outer(Component):
        version = 2

        def made_of(self) -> tuple[type, ...]:
            return (Inner,)

    where = f"{__name__}.{test_versions_of_what_a_component_is_made_of_are_in_its_own.__name__}"
    assert Outer().versions() == f"{where}.<locals>.Outer 2, {where}.<locals>.Inner 3"


def test_a_class_of_another_package_has_versions_of_its_own() -> None:
    class Tfidf(Component):
        """Called as one of ours."""

    ours = CONTEXT_ENCODERS.load("tfidf")
    assert versions_of(ours) == f"Tfidf {ours.version}"
    assert versions_of(Tfidf).endswith(f".Tfidf {Tfidf.version}")
    assert versions_of(Tfidf) != versions_of(ours)
