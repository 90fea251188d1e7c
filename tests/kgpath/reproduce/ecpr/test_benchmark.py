"""Experiments: resumable, of one version, with the same figures as train and evaluate."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from types import SimpleNamespace

import pytest

from kgpath.datasets.sample_files import sample_queries
from kgpath.io.queries import QueryFile
from kgpath.learning.evaluate import Evaluator
from kgpath.learning.examples import QuerySet
from kgpath.metrics import Evaluation
from kgpath.plugins import CONTEXT_ENCODERS, RANKERS, TEXT_ENCODERS
from kgpath.plugins import METRICS as METRIC_CLASSES
from kgpath.registry import Registry
from kgpath.reproduce.ecpr import benchmark
from kgpath.reproduce.ecpr.experiments import Experiment, Result
from kgpath.reproduce.ecpr.published_figures import METRICS
from kgpath.reproduce.ecpr.study import Study
from kgpath.reproduction import Request

pytestmark = pytest.mark.slow

FAST = {
    "contexts": "tfidf, fused-inout", "path": "path-mean", "ped": "path-mean", "limit": "20"
}  # fmt: skip


def test_experiments_that_were_made_are_not_made_again_and_a_killed_run_goes_on(
    reproduce: Callable[..., SimpleNamespace],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    most = 3
    whole = benchmark.Benchmark._made

    def counted(self: benchmark.Benchmark, experiment: Experiment, said: str) -> object:
        if len(made) == most:
            raise KeyboardInterrupt
        made.append(str(experiment))
        return whole(self, experiment, said)

    monkeypatch.setattr(benchmark.Benchmark, "_made", counted)
    with pytest.raises(KeyboardInterrupt):
        reproduce("ecpr-t9", sample_queries(), output=tmp_path, **FAST)
    kept = sorted((tmp_path / "cells").iterdir())
    assert len(kept) == 3 and not any(path.name.startswith(".") for path in kept)
    before, most = set(made), 1000
    made.clear()
    first = reproduce("ecpr-t9", sample_queries(), output=tmp_path, **FAST)
    assert len(made) == 2 and not before & set(made)
    made.clear()
    second = reproduce("ecpr-t9", sample_queries(), output=tmp_path, **FAST)
    # Not even candidates are looked for.
    assert not made and "finding candidates" not in second.steps
    assert second.table.rows == first.table.rows
    made.clear()
    options = {**FAST, "max_hops": "3", "rankers": "baselines", "scopes": "window"}
    reproduce("ecpr-t9", sample_queries(), output=tmp_path, **options)
    assert "random" in made  # other candidates: another figure


def test_a_damaged_result_is_made_again(
    reproduce: Callable[..., SimpleNamespace], tmp_path: Path
) -> None:
    options = {**FAST, "rankers": "baselines"}
    first = reproduce("ecpr-t9", sample_queries(), output=tmp_path, **options)
    for path in (tmp_path / "cells").iterdir():
        path.write_text(path.read_text()[:40])
    assert reproduce("ecpr-t9", sample_queries(), output=tmp_path, **options).table == first.table
    for path in (tmp_path / "cells").iterdir():
        json.loads(path.read_text())


def test_a_result_is_that_of_the_versions_that_made_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    experiment = Experiment("xendcg", "kepler", "path-vae(epochs=2)")
    found = benchmark._versions(experiment)
    for part in ("XendcgRanker 1", "Kepler 1", "DescribedFacts 1", "PathVAE 1"):
        assert part in found
    assert "Tfidf" not in benchmark._versions(Experiment("shortest"))
    assert "TfidfCosine 1" in benchmark._versions(Experiment("score-ltr(of=tfidf-cosine)"))
    assert "SentenceTransformer 1" in benchmark._versions(Experiment("kgpath-ltr(encoder=minilm)"))
    monkeypatch.setattr(RANKERS.load("xendcg"), "version", 2)
    assert benchmark._versions(experiment) == found.replace("XendcgRanker 1", "XendcgRanker 2")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (TEXT_ENCODERS, "contextual"),  # what reads with kepler, though only kepler was named
        (CONTEXT_ENCODERS, "kepler"),
        (RANKERS, "kgpath-ltr"),
        (METRIC_CLASSES, "MRR"),
    ],
)
def test_another_version_is_another_key(
    graph: Path, kind: Registry, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment("kgpath-ltr(encoder=kepler)")
    one = kind.load(name)
    with Request((str(sample_queries()),), str(graph), 0, FAST) as request:
        made = Study(request).benchmark()
        before = made._key_of(experiment)
        assert made._key_of(experiment) == before
        monkeypatch.setattr(one, "version", one.version + 1)
        assert made._key_of(experiment) != before


@pytest.mark.parametrize(
    "experiment",
    [
        Experiment("xendcg", "avg-word(vectors={})", "path-mean"),
        Experiment("avg-cosine(vectors={})"),
        Experiment("score-ltr(of=avg-cosine(vectors={}))"),
        Experiment("xendcg", "tfidf", "path-text(encoder=word-vectors(path={}))"),
    ],
)
def test_a_file_counts_by_what_it_holds(graph: Path, tmp_path: Path, experiment) -> None:
    words = tmp_path / "words.txt"
    chosen = Experiment(*(part.format(words) for part in astuple(experiment)))

    def key() -> str:
        with Request((str(sample_queries()),), str(graph), 0, FAST) as request:
            return Study(request).benchmark()._key_of(chosen)

    words.write_text("bond 1 0\n")
    before = key()
    assert key() == before
    words.write_text("bond 0 1\n")
    assert key() != before


@pytest.mark.parametrize("scope", ["window", "document"])
def test_an_experiment_has_the_figures_of_train_and_evaluate(
    graph: Path, synthetic: Path, scope: str
) -> None:
    # A judge from outside, and a scope that the encoder was not fitted for.
    with Request((str(synthetic),), str(graph), 0, FAST) as request:
        study = Study(request)
        experiments = [
            Experiment("shortest"),
            *(
                Experiment("xendcg(trees=5)", f"tfidf(scope={r})", "path-mean")
                for r in ("window", scope)
            ),
        ]
        made = measured(study, experiments)
        train, test = (QueryFile(synthetic / f"{n}.jsonl").queries for n in ("train", "test"))
        learned = QuerySet(study.graph, train, candidates="given")
        ranker = RANKERS.make(str(experiments[-1]))
        ranker.fit(list(learned.examples()))
        evaluator = Evaluator(
            study.graph, test, candidates="given", metrics=METRICS, path_encoder=study.ped[0]
        )
        runs = evaluator.run({"shortest": RANKERS.make("shortest")}, {"cell": ranker})
        for experiment, run in zip((experiments[0], experiments[-1]), runs, strict=True):
            assert_same(made[experiment].evaluation, run.paths)


def test_an_experiment_in_folds_has_the_figures_of_cross_validation(graph: Path) -> None:
    # With encoders that learn nothing: those that do, learn once for all folds here.
    experiment = Experiment("xendcg(trees=5)", "fused-none", "path-mean")
    with Request((str(sample_queries()),), str(graph), 0, FAST) as request:
        study = Study(request)
        made = measured(study, [experiment])[experiment]
        queries = QueryFile(sample_queries()).queries
        evaluator = Evaluator(
            study.graph, queries, limit=20, metrics=METRICS, path_encoder=study.ped[0]
        )
        (run,) = evaluator.run({"cell": RANKERS.make(str(experiment))}, folds=5)
        assert_same(made.evaluation, run.paths)


def measured(study: Study, experiments: list[Experiment]) -> dict[Experiment, Result]:
    results = study.benchmark().results(experiments, "")
    assert all(isinstance(result, Result) for result in results.values()), results
    return results  # type: ignore[return-value]


def assert_same(one: Evaluation, other: Evaluation) -> None:
    assert one.queries == other.queries and one.groups == other.groups
    for metric in METRICS:
        assert one[metric] == pytest.approx(other[metric], abs=1e-9)
