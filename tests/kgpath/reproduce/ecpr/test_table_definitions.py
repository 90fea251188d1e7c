"""The ECPR tables: small and real, resumable, honest about experiments that fail."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries
from kgpath.datasets.synthetic.generate import generate
from kgpath.datasets.synthetic.recipe import read_recipe
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.errors import BadOption
from kgpath.io.queries import QueryFile
from kgpath.learning.evaluate import Evaluator
from kgpath.learning.examples import QuerySet
from kgpath.metrics import Evaluation
from kgpath.plugins import RANKERS, REPRODUCTIONS
from kgpath.reproduce.ecpr import benchmark
from kgpath.reproduce.ecpr.data import read_data
from kgpath.reproduce.ecpr.experiments import Experiment, Result
from kgpath.reproduce.ecpr.findings import CLAIMS
from kgpath.reproduce.ecpr.published_figures import METRICS
from kgpath.reproduce.ecpr.query_statistics import mean_ped
from kgpath.reproduce.ecpr.settings import Settings
from kgpath.reproduce.ecpr.strata import stratum
from kgpath.reproduce.ecpr.study import Study
from kgpath.reproduce.ecpr.table_definitions import BASELINES, MODELS, OURS, TABLES, Line
from kgpath.reproduction import Picture, Request, Table

FAST = {
    "contexts": "tfidf, fused-inout", "path": "path-mean", "ped": "path-mean", "limit": "20"
}  # fmt: skip


@pytest.fixture(scope="module")
def graph(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample with vectors beside it."""
    copy = Path(shutil.copy(sample_path, tmp_path_factory.mktemp("ecpr")))
    rng = np.random.default_rng(0)
    with kgpath.open(copy) as kg:
        sizes = len(kg), len(kg.store.relations)
        Embedding(*(rng.normal(size=(n, 8)).astype(np.float32) for n in sizes)).save(
            folder_of(kg), kg.fingerprint
        )
    return copy


@pytest.fixture(scope="module")
def synthetic(graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with splits, candidates and strata."""
    folder = tmp_path_factory.mktemp("data") / "tiny"
    (folder.parent / "tiny.toml").write_text(
        "documents = 40\npairs = 90\n[strata.long]\nmin_hops = 4\n[strata.short]\nmax_hops = 2\n"
    )
    with kgpath.open(graph) as kg:
        generate(kg, read_recipe(str(folder.parent / "tiny.toml")), str(folder), workers=1)
    return folder


@pytest.fixture
def reproduce(graph: Path) -> Iterator[Callable[..., SimpleNamespace]]:
    """Makes a table in this process; tables and pictures, and what was done on the way."""

    def make(
        name: str, *files: str | Path, output: Path | None = None, **options: str
    ) -> SimpleNamespace:
        steps: list[str] = []
        with Request(
            tuple(map(str, files)), str(graph), 42, options,
            lambda what, done, total: steps.append(what),
            str(output) if output else None, True,
        ) as request:  # fmt: skip
            made = list(REPRODUCTIONS.load(name)(request))
            for one in made:
                if isinstance(one, Picture) and output:
                    one.draw(output / f"{one.name}.png")
        tables = [one for one in made if isinstance(one, Table)]
        return SimpleNamespace(table=tables[0], made=made, steps=steps)

    yield make


def rows_of(table: Table) -> list[dict[str, object]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


@pytest.mark.slow
def test_every_table_and_picture_is_made_in_its_quick_version(
    cli: Callable[..., SimpleNamespace],
    graph: Path,
    synthetic: Path,
    tmp_path: Path,
    tiny_bert: str,
) -> None:
    done = cli(
        "reproduce", "ecpr-*", "--graph", graph, "--data", synthetic, "-o", "out", "--quick",
        "--set", f"contexts=tfidf, fused-in, fused-inout, kepler(base={tiny_bert})",
    )  # fmt: skip
    assert done.code == 0, done.err
    written = {path.name for path in (tmp_path / "out").iterdir()}
    tables = {f"ecpr-{name}" for name in ("t2", *(f"t{n}" for n in range(3, 13)), "f4", "s9")}
    assert {f"{name}.{ending}" for name in tables for ending in ("md", "csv")} <= written
    assert {f"ecpr-{name}.png" for name in ("t7", "t11", "t12", "f4")} <= written
    # Every row stands beside the paper's, and one that cannot be made says why.
    page = (tmp_path / "out" / "ecpr-t7.md").read_text()
    assert "| paper, Wiki-film | 0.5580 |" in page
    assert "avg-cosine | window |  | here | failed: " in page  # no --set vectors=FILE
    with (tmp_path / "out" / "ecpr-t5.csv").open() as lines:
        (kepler,) = [row for row in csv.DictReader(lines) if row["figures"] == "here"]
    assert 0 < float(kepler["MRR"]) <= 1
    with (tmp_path / "out" / "ecpr-t4.csv").open() as lines:
        here = [row for row in csv.DictReader(lines) if row["figures"] == "here"]
    assert [row["context"] for row in here] == ["fused-in", "fused-inout"]
    assert all(0 < float(row["MRR"]) <= 1 for row in here)
    assert "A quick run" in page and "randomisation test, by document" in page


@pytest.mark.slow
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
    assert len(kept) == 3 and not any(path.name.endswith(".building") for path in kept)
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


@pytest.mark.slow
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


def test_what_is_learned_from_and_measured_on(synthetic: Path, tmp_path: Path) -> None:
    data = read_data([str(synthetic)])
    assert set(data.splits) == {"train", "dev", "test"} and set(data.strata) >= {"long", "short"}
    plain = data.protocol(Settings())
    assert (plain.folds, plain.name) == (0, "test")
    assert plain.learned == data.splits["train"] and plain.measured == data.splits["test"]
    assert data.protocol(Settings(test="dev")).measured == data.splits["dev"]
    whole = data.protocol(Settings(folds=3))
    assert (whole.folds, len(whole.measured), whole.learned) == (3, len(data.all), [])
    # Strata hold queries of all splits: none may have been learned from.
    assert data.protocol(Settings(), strata=True).folds == 5
    other = data.protocol(Settings(train=str(sample_queries())), strata=True)
    assert (other.folds, other.name, len(other.learned)) == (0, "all", 18)
    # A single file, and files by split, whatever they are called.
    assert read_data([str(sample_queries())]).protocol(Settings()).folds == 5
    named = read_data([f"train={synthetic}/test.jsonl", f"dev={synthetic}/dev.jsonl"])
    assert named.protocol(Settings()).name == "dev"
    shutil.copy(synthetic / "dev.jsonl", tmp_path / "webnlg-train.jsonl")
    shutil.copy(synthetic / "test.jsonl", tmp_path / "webnlg-dev.jsonl")
    assert read_data([str(tmp_path)]).protocol(Settings()).name == "dev"
    # A small version keeps whole documents, and the same ones.
    few = data.protocol(Settings(queries=5))
    assert few.measured == data.protocol(Settings(queries=5)).measured
    kept = {query.document for query in few.measured}
    assert few.measured == [q for q in data.splits["test"] if q.document in kept]


def test_strata_by_the_papers_bounds_or_the_nearest_to_them() -> None:
    statistics = {
        "hops": [1, 2, 3, 4] * 25,
        "candidates": list(range(2, 102)),
        "named": [True, False] * 50,
        "spread": [at / 200 for at in range(100)],
    }
    ids = [str(at) for at in range(100)]

    def chosen(name: str, **known: frozenset[str]) -> tuple[list[int], str]:
        return stratum(name, ids, known, statistics)

    assert chosen("long") == (
        [at for at in range(100) if at % 4 == 3],
        "true path of 4 hops or more",
    )
    assert chosen("short")[1] == "true path of 3 hops or fewer"
    assert chosen("long-unnamed")[0] == [at for at in range(100) if at % 4 == 3 and at % 2]
    assert chosen("alike")[0] == [at for at in range(100) if at / 200 < 0.3 and at >= 3]
    # None lies above 0.5: the fifth that comes nearest.
    assert chosen("apart") == (
        list(range(81, 100)), "the fifth with the largest PED of candidates",
    )  # fmt: skip
    assert chosen("few-candidates")[0] == list(range(33))
    assert chosen("many-candidates")[0] == list(range(67, 100))
    assert chosen("long", long=frozenset(ids[:30])) == (list(range(30)), "strata/long")


def test_the_mean_ped_of_rows_is_that_of_all_pairs() -> None:
    rows = np.random.default_rng(0).normal(size=(7, 5)).astype(np.float32)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    pairs = [(1 - unit[a] @ unit[b]) / 2 for a in range(7) for b in range(a)]
    assert mean_ped(rows) == pytest.approx(np.mean(pairs), abs=1e-4)
    assert mean_ped(np.ones((3, 2), np.float32)) == 0


def test_every_row_of_the_paper_has_figures_and_an_experiment() -> None:
    known = {*MODELS, *BASELINES, OURS}
    for table in TABLES.values():
        rows = {key for figures in table.paper.values() for key in figures}
        assert rows <= set(table.lines)
        for figures in table.paper.values():
            assert all(len(numbers) == len(METRICS) for numbers in figures.values())
            # MRR lies between Hits@1 and 1, and hits grow with k: no slip of the pen.
            assert all(h1 < mrr < 1 and h1 < h3 < h5 for mrr, h1, h3, h5, *_ in figures.values())
    lines = {line for table in TABLES.values() for line in table.lines}
    lines |= {line for claim in CLAIMS for line in (claim.better, claim.worse)}
    assert {line.name for line in lines} <= known
    for line in lines:
        assert line.experiment(Settings()) is not None
    experiment = Line("kepler", "document", "binary").experiment(
        Settings(contexts="kepler(minutes=60)", path="path-mean")
    )
    assert str(experiment) == (
        "binary(context_encoder=kepler(minutes=60, scope=document), path_encoder=path-mean)"
    )
    ours = Line("kepler", "", "ours").experiment(Settings(ours="kgpath-ltr(rounds=1)"))
    assert str(ours) == "kgpath-ltr(rounds=1, encoder=kepler)"
    assert Line("kepler", "", "ours").experiment(Settings(contexts="tfidf")) is None
    assert Line("bert", "window", "ltr").experiment(Settings(contexts="kepler")) is None


def test_what_is_wrong_is_said(
    reproduce: Callable[..., SimpleNamespace], synthetic: Path, tmp_path: Path
) -> None:
    for files, options, complaint in (
        ((), {}, "--data DIR"),
        ((tmp_path / "none",), {}, "There is no dataset"),
        ((synthetic,), {"magic": "1"}, "No option 'magic' here. There are: contexts"),
        ((synthetic,), {"folds": "x"}, "a whole number"),
        ((synthetic,), {"folds": "1"}, "2 folds or more"),
        ((synthetic,), {"scopes": "page"}, "window, document"),
        ((synthetic,), {"candidates": "all"}, "found or given"),
        ((synthetic,), {"test": "exam"}, "no split 'exam' to measure on: dev, test"),
        ((sample_queries(),), {"test": "documents"}, "needs a split 'train'"),
    ):
        with pytest.raises(kgpath.errors.KgpathError, match=complaint):
            reproduce("ecpr-t3", *files, **options)
    with pytest.raises(BadOption, match="--graph"), Request((str(synthetic),)) as request:
        list(REPRODUCTIONS.load("ecpr-t3")(request))


def test_the_old_name_of_a_setting_works_with_a_notice(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgpath.registry._NOTICED", set())
    assert Settings.of({"ranges": "window"}, quick=False).scopes == "window"
    notice = "kgpath: ranges= is called scopes= now; the old name goes with the next release\n"
    assert capsys.readouterr().err == notice


def test_a_graph_without_vectors_gives_what_it_can(
    sample_path: Path, synthetic: Path, tmp_path: Path
) -> None:
    bare = Path(shutil.copy(sample_path, tmp_path))
    options = {"contexts": "tfidf", "scopes": "window", "rankers": "baselines, ltr"}
    with Request((str(synthetic),), str(bare), 0, options, quick=True) as request:
        table = next(iter(REPRODUCTIONS.load("ecpr-t9")(request)))
    here = {row["context"]: row for row in rows_of(table) if row["figures"] == "here"}
    assert here["shortest"]["MRR"] > 0.3 and np.isnan(here["shortest"]["PED"])
    assert "kgpath embed" in here["tfidf"]["MRR"]
    assert table.notes[-1].startswith("No PED: ") and "kgpath embed" in table.notes[-1]
