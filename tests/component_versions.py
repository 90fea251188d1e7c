"""A few numbers that each component makes, by its version: whoever changes them raises it.

``python tests/component_versions.py`` writes the numbers of new versions to
component_versions.json. It refuses other numbers under an old version: those would be loaded from
caches although nobody makes them any more.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import kgpath
from kgpath.component import Component, versions_of
from kgpath.encoders.path.random_paths import random_paths
from kgpath.encoders.path.vae import CELLS
from kgpath.linking.context import Context
from kgpath.metrics.judged_ranking import JudgedRanking, judge
from kgpath.metrics.metric import Tools, parse
from kgpath.metrics.ontology_paths import OntologyPaths
from kgpath.metrics.overlap import Overlap
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import CONTEXT_ENCODERS, PATH_ENCODERS, RANKERS, TEXT_ENCODERS
from kgpath.rankers.ranker import Example, TrainableRanker
from kgpath.rankers.xendcg import RELEVANCES
from kgpath.types import Path as GraphPath

TABLE = Path(__file__).with_suffix(".json")
RECORD = "KGPATH_RECORD_VERSIONS"
#: Numbers are stored with three digits; machines differ in the last ones of what they make.
TOLERANCE = 0.002

TEXTS = (
    "Daniel Craig has played James Bond. Roger Moore was born in London.",
    "Ian Fleming wrote about James Bond.",
)
TINY = "steps=2, batch=4, layers=1, base={bert}"


@dataclass(frozen=True)
class Bench:
    """What the numbers are made from: small graphs with vectors, files, and a tiny model."""

    film: kgpath.Graph
    sample: kgpath.Graph
    bert: Callable[[], str]  # made when a choice needs it: that takes long
    words: Path
    examples: Callable[[], list[Any]]

    def choice(self, text: str) -> str:
        """A choice with the places of files and of the tiny model."""
        text = text.replace("{words}", str(self.words))
        return text.replace("{bert}", self.bert()) if "{bert}" in text else text


#: The versions of a component, and some of what it makes.
Made = tuple[str, np.ndarray]


@dataclass(frozen=True)
class Case:
    """Choices of one component, whose numbers stand one after the other."""

    make: Callable[[Bench, str], Made]
    choices: tuple[str, ...]
    trains: bool = False

    @property
    def slow(self) -> bool:
        """Whether it takes more than a second or two."""
        return self.trains or any("{bert}" in choice for choice in self.choices)

    def __call__(self, bench: Bench) -> tuple[str, list[float]]:
        made = [self.make(bench, bench.choice(choice)) for choice in self.choices]
        versions = dict.fromkeys(part for own, _ in made for part in own.split(", "))
        return ", ".join(versions), [number for _, found in made for number in numbers_of(found)]


def _context(*choices: str) -> Case:
    def make(bench: Bench, choice: str) -> Made:
        encoder = CONTEXT_ENCODERS.make(choice)
        contexts = [Context(bench.film, text) for text in TEXTS]
        encoder.fit(bench.film, contexts)
        ends = range(len(bench.film))
        rows = [encoder.encode(context, entity) for context in contexts for entity in ends]
        return encoder.versions(), np.stack(rows)

    return Case(make, choices)


def _paths(bench: Bench) -> PathArrays:
    ends = (bench.film.entity(name) for name in ("Roger Moore", "Daniel Craig"))
    return random_paths(bench.film.index, 60, seed=3).bound(bench.film, *ends)


def _path(*choices: str) -> Case:
    def make(bench: Bench, choice: str) -> Made:
        encoder = PATH_ENCODERS.make(choice)
        encoder.fit(bench.film, [_paths(bench)])
        return encoder.versions(), encoder.encode(_paths(bench))

    return Case(make, choices)


def _text(*choices: str) -> Case:
    def make(bench: Bench, choice: str) -> Made:
        encoder = TEXT_ENCODERS.make(choice)
        inner = getattr(encoder, "encoder", encoder)
        own = encoder.versions() if isinstance(encoder, Component) else versions_of(type(inner))
        reader = encoder.of(bench.film) if hasattr(encoder, "of") else encoder
        return own, reader.encode(list(TEXTS))

    return Case(make, choices)


def _ranker(*choices: str) -> Case:
    """The scores of a query's paths, in the order of their IRIs."""

    def make(bench: Bench, choice: str) -> Made:
        ranker = RANKERS.make(choice)
        *learned, asked = bench.examples()
        if isinstance(ranker, TrainableRanker):
            ranker.fit(learned)
        paths = [tuple(path.iris()) for path in asked.features.candidates]
        order = sorted(range(len(paths)), key=paths.__getitem__)
        return ranker.versions(), ranker.score(asked.features).total[order]

    return Case(make, choices)


def _metric(*names: str) -> Case:
    """The figures of some rankings with ties, by scores that depend on nothing but IRIs."""

    def make(bench: Bench, name: str) -> Made:
        metric = parse(name)
        judged = [_judged(str(number), one) for number, one in enumerate(bench.examples())]
        tools = Tools(OntologyPaths.from_graph(bench.sample), _rows_by_iri)
        return versions_of(type(metric)), np.array(metric.values(judged, tools))

    return Case(make, names)


def _judged(name: str, example: Example) -> JudgedRanking:
    paths = list(example.features.candidates)
    # The true ones come a little before others, but not always first, nor alone.
    scores = [
        len(" ".join(path.iris())) % 5 + 2 * (place in example.true)
        for place, path in enumerate(paths)
    ]
    judged = judge(name, paths, scores, [paths[place] for place in example.true])
    shown = Overlap(common=int(name) % 2, shown=2, named=1 + int(name) % 3)
    # More of them are missing from query to query.
    return replace(judged, missing=int(name), evidence=shown)


def _rows_by_iri(paths: Sequence[GraphPath]) -> np.ndarray:
    seeds = (list(" ".join(path.iris()).encode()) for path in paths)
    return np.array([np.random.default_rng(seed).normal(size=6) for seed in seeds])


def _objective(choice: str, name: str) -> Case:
    """What an objective of a contextual encoder costs on its first examples."""

    def make(bench: Bench, choice: str) -> Made:
        import torch

        from kgpath.encoders.transformer.training import Objective

        encoder = CONTEXT_ENCODERS.make(choice)
        made = [
            one for one in encoder.objective(bench.film).modules() if isinstance(one, Objective)
        ]
        (objective,) = (one for one in made if type(one).__name__ == name)
        examples = objective.sample(np.random.default_rng(0), 4)
        with torch.inference_mode():
            numbers = [*objective.losses(examples).values(), *objective.figures().values()]
        return versions_of(type(objective)), np.array([float(number) for number in numbers])

    return Case(make, (choice,))


def _tuning(bench: Bench, choice: str) -> Made:
    """How far the weights of a layer go, in the size of a step."""
    from kgpath.encoders.transformer.training import Tuning

    encoder = CONTEXT_ENCODERS.make(choice)
    before = {name: weight.detach().clone() for name, weight in encoder.tuned().items()}
    encoder.fit(bench.film, [])
    name = next(name for name in before if name.endswith("output.dense.weight"))
    moved = (encoder.tuned()[name].detach() - before[name]) / 1e-4
    return versions_of(Tuning), np.asarray(moved.numpy())


def _transe(bench: Bench, _: str) -> Made:
    from kgpath.encoders.vectors.transe import VERSION, train_transe

    found = train_transe(bench.film, epochs=2)
    return f"TransE {VERSION}", found.entities


def _study(bench: Bench, _: str) -> Made:
    from kgpath.datasets.sample_files import sample_queries
    from kgpath.reproduce.ecpr.benchmark import VERSION
    from kgpath.reproduce.ecpr.experiments import Experiment
    from kgpath.reproduce.ecpr.study import Study
    from kgpath.reproduction import Request

    options = {"ped": "path-mean", "limit": "20", "queries": "12", "folds": "2"}
    with Request((str(sample_queries()),), str(bench.sample.path), 0, options) as request:
        experiments = [
            Experiment("shortest"),
            Experiment("xendcg(trees=2)", "fused-none", "path-mean"),
        ]
        found = Study(request).benchmark().results(experiments, "").values()
    means = [value for result in found for value in result.evaluation.means().values()]
    return f"Study {VERSION}", np.array(means, dtype=np.float64)


CASES: dict[str, Case] = {
    "context_encoders/tfidf": _context("tfidf", "tfidf(scope=document)"),
    "context_encoders/avg-transe": _context("avg-transe", "avg-transe(scope=document)"),
    "context_encoders/avg-word": _context(
        "avg-word(dim=4)", "avg-word(dim=4, scope=document)", "avg-word(vectors={words})"
    ),
    "context_encoders/avg-wiki2vec": _context("avg-wiki2vec(dim=4)"),
    "context_encoders/fused-none": _context("fused-none"),
    "context_encoders/fused-in": _context("fused-in"),
    "context_encoders/fused-inout": _context("fused-inout"),
    "context_encoders/minilm": _context(
        "minilm(encoder=minilm(model={bert}))",
        "minilm(encoder=minilm(model={bert}), scope=document)",
    ),
    "context_encoders/bert": _context(
        "bert(base={bert})",
        "bert(base={bert}, scope=document)",
        "bert(base={bert}, pooling=mention)",
        "bert(base={bert}, pooling=cls)",
    ),
    "context_encoders/kg-bert": _context(f"kg-bert({TINY})"),
    "context_encoders/k-bert": _context(f"k-bert({TINY})"),
    "context_encoders/kepler": _context(f"kepler({TINY})"),
    "path_encoders/path-mean": _path("path-mean"),
    "path_encoders/path-text": _path("path-text(encoder=word-vectors(path={words}))"),
    "path_encoders/path-vae": _path(
        *(f"path-vae(hidden=8, latent=4, epochs=1, paths=200, cell={cell})" for cell in CELLS)
    ),
    "text_encoders/minilm": _text("minilm(model={bert})"),
    "text_encoders/word-vectors": _text("word-vectors(path={words})"),
    "text_encoders/contextual": _text("contextual(encoder=bert(base={bert}))"),
    "rankers/kgpath-general": _ranker(
        "kgpath-general(trees=2, fact_trees=2)",
        "kgpath-general(trees=2, fact_trees=2, encoder=word-vectors(path={words}))",
    ),
    "rankers/zero-shot": _ranker("zero-shot"),
    "rankers/zero-shot-minilm": _ranker("zero-shot-minilm(encoder=word-vectors(path={words}))"),
    "rankers/shortest": _ranker("shortest"),
    "rankers/tfidf-cosine": _ranker("tfidf-cosine", "tfidf-cosine(scope=window)"),
    "rankers/avg-cosine": _ranker("avg-cosine(vectors={words})"),
    "rankers/random": _ranker("random"),
    "rankers/kgpath-ltr": _ranker(
        "kgpath-ltr(trees=2, hop_trees=2)",
        "kgpath-ltr(trees=2, hop_trees=2, encoder=word-vectors(path={words}))",
    ),
    "rankers/xendcg": _ranker(
        *(f"xendcg(trees=2, context_encoder=fused-none, relevance={one})" for one in RELEVANCES)
    ),
    "rankers/binary": _ranker("binary(epochs=1, context_encoder=fused-none)"),
    "rankers/listwise": _ranker("listwise(epochs=1, context_encoder=fused-none)"),
    "rankers/score-ltr": _ranker("score-ltr(of=tfidf-cosine, trees=2)"),
    "metrics/MRR": _metric("MRR"),
    "metrics/Hits@k": _metric("Hits@1", "Hits@3", "Hits@5"),
    "metrics/Recall": _metric("Recall"),
    "metrics/Evidence(P)": _metric("Evidence(P)"),
    "metrics/Evidence(R)": _metric("Evidence(R)"),
    "metrics/Evidence(F1)": _metric("Evidence(F1)"),
    "metrics/NGEO(Ent)": _metric("NGEO(Ent)"),
    "metrics/NGEO(Rel)": _metric("NGEO(Rel)"),
    "metrics/NGEO(full)": _metric("NGEO(full)"),
    "metrics/PED": _metric("PED"),
    "objectives/TrueFacts": _objective(f"kg-bert({TINY})", "TrueFacts"),
    "objectives/Relations": _objective(f"kg-bert({TINY})", "Relations"),
    "objectives/Joint": _objective(f"kg-bert({TINY})", "Joint"),
    "objectives/DescribedFacts": _objective(f"kepler({TINY})", "DescribedFacts"),
    "objectives/MaskedLM": _objective(f"kepler({TINY})", "MaskedLM"),
    "objectives/MaskedTrees": _objective(f"k-bert({TINY})", "MaskedTrees"),
    "training/Tuning": Case(_tuning, (f"kg-bert({TINY})",)),
    "vectors/transe": Case(_transe, ("",), trains=True),
    "studies/ecpr": Case(_study, ("",), trains=True),
}


def numbers_of(made: np.ndarray) -> list[float]:
    """The shape, means (the last one by place), and some of the numbers, with three digits."""
    flat = np.asarray(made, dtype=np.float64).ravel()
    by_place = flat @ np.cos(np.arange(len(flat))) / np.sqrt(len(flat))
    means = flat.mean(), np.abs(flat).mean(), by_place
    found = [*made.shape, *means, *flat[:5], *flat[-3:]]
    return [round(float(number), 3) for number in found]


def complaint(name: str, versions: str, numbers: list[float], table: dict[str, Any]) -> str:
    """What is wrong with the numbers of a component; empty if they are those of its version."""
    again = "run `python tests/component_versions.py`"
    known = table.get(name)
    if known is None or known["versions"] != versions:
        return f"{name} has no numbers for {versions} yet: {again}"
    before = known["numbers"]
    if len(before) == len(numbers) and np.allclose(before, numbers, rtol=0, atol=TOLERANCE):
        return ""
    return (
        f"{name} gives other numbers than {versions} did: raise the version of what you changed "
        f"and {again}"
    )


def read_table() -> dict[str, Any]:
    """The numbers by name of the component."""
    table: dict[str, Any] = json.loads(TABLE.read_text()) if TABLE.exists() else {}
    return table


def record(name: str, versions: str, numbers: list[float]) -> None:
    """Write the numbers of a new version."""
    table = read_table()
    if name in table and table[name]["versions"] == versions:
        return
    table[name] = {"versions": versions, "numbers": numbers}
    write_table(table, CASES)


def write_table(table: dict[str, Any], names: Iterable[str]) -> None:
    """A line for each component, so that a change shows as one."""
    lines = (f"{json.dumps(name)}: {json.dumps(table[name])}" for name in names if name in table)
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    import pytest

    os.environ[RECORD] = "1"
    here = str(Path(__file__).with_name("test_component_versions.py"))
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", here]))
