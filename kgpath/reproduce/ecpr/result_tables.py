"""Tables 3 to 9: models by every metric, each beside what the paper prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import nan

from kgpath.metrics import bootstrap, compare
from kgpath.reproduce.ecpr.benchmark import Benchmark
from kgpath.reproduce.ecpr.experiments import Experiment, Failed, Result
from kgpath.reproduce.ecpr.pictures import bars
from kgpath.reproduce.ecpr.published_figures import METRICS
from kgpath.reproduce.ecpr.study import study_of
from kgpath.reproduce.ecpr.table_definitions import TABLES, Line, TableDefinition, experiments_of
from kgpath.reproduction import Picture, Reproduction, Request, Table

COLUMNS = ("model", "context", "scope", "ranker", "figures", *METRICS, "MRR, 95 %", "fit, CPU s",
           "query, CPU ms")  # fmt: skip


def _table(name: str) -> Reproduction:
    """The reproduction that makes a table of this name."""

    def make(request: Request) -> Iterator[Table | Picture]:
        return _made(request, TABLES[name])

    return make


table_3, table_4, table_5 = _table("ecpr-t3"), _table("ecpr-t4"), _table("ecpr-t5")
table_6, table_7, table_8 = _table("ecpr-t6"), _table("ecpr-t7"), _table("ecpr-t8")
table_9, ours = _table("ecpr-t9"), _table("ecpr-ours")


def _made(request: Request, table: TableDefinition) -> Iterator[Table | Picture]:
    benchmark = study_of(request).benchmark()
    experiments = experiments_of(table.lines, benchmark.study.settings)
    results = benchmark.results(experiments.values(), table.name)
    rows: list[tuple[object, ...]] = []
    for line in table.lines:
        if line in experiments:
            rows.append(_row(line, experiments[line], results[experiments[line]], request.seed))
        for dataset, figures in table.paper.items():
            if line in figures:
                head = (line.model, *line, f"paper, {dataset}")
                rows.append((*head, *figures[line], "", "", ""))
    done = {line: r for line, c in experiments.items() if isinstance(r := results[c], Result)}
    notes = [*about(benchmark), *_best(done, request.seed)]
    if any("PED" not in result.evaluation.means() for result in done.values()):
        notes.append(benchmark.study.ped[1])
    yield Table(table.name, table.title, COLUMNS, tuple(rows), tuple(notes))
    if done:
        yield bars(table.name, table.title.partition(".")[0], done, table.paper, request.seed)


def _row(
    line: Line, experiment: Experiment, result: Result | Failed, seed: int
) -> tuple[object, ...]:
    ranker = experiment.ranker if experiment.context or line.ranker else ""
    head = (line.model, line.name, line.scope, ranker, "here")
    if isinstance(result, Failed):
        return (*head, result.why, *[""] * (len(COLUMNS) - len(head) - 1))
    means = result.evaluation.means()
    found = result.evaluation
    _, low, high = bootstrap(found["MRR"], found.groups, seed=seed)
    return (
        *head,
        *(means.get(metric, nan) for metric in METRICS),
        f"{low:.4f} – {high:.4f}",
        f"{result.seconds['fit']:.1f}",
        f"{1000 * result.seconds['score'] / max(len(found), 1):.1f}",
    )


def about(benchmark: Benchmark) -> Iterator[str]:
    """What the figures of a table rest on."""
    protocol, study = benchmark.protocol, benchmark.study
    documents = len({query.document for query in protocol.measured})
    learned = f", learned from {len(protocol.learned):,}" if protocol.learned else ""
    yield (
        f"{len(protocol.measured):,} queries over {documents:,} documents{learned}: "
        f"{protocol.said}. Graph {study.graph.path.name}, fingerprint {study.graph.fingerprint}."
    )
    yield f"Paths by {study.settings.path}; PED by {study.settings.ped}."
    if protocol.folds:
        yield "Encoders learned once, from all texts and candidates, never from which is true."
    if study.settings.quick:
        yield "A quick run: small parts, few queries. The figures mean nothing."
    if study.data.problems:
        yield f"{len(study.data.problems):,} lines left out. First: {study.data.problems[0]}"


def _best(done: Mapping[Line, Result], seed: int) -> Iterator[str]:
    """Whether the best by MRR is better than the next, paired, by document."""
    ranked = sorted(done.values(), key=lambda result: -result.evaluation.means()["MRR"])
    if len(ranked) > 1:
        best, second = ranked[:2]
        found = compare(best.evaluation, second.evaluation, "MRR", by_group=True, seed=seed)
        gap = found.difference
        yield (
            f"Best by MRR: {best.experiment}; next: {second.experiment}. "
            f"Difference {gap.mean:+.4f} ({gap.low:+.4f} to {gap.high:+.4f}, 95 %), "
            f"p {found.p:.4f} (randomisation test, by document)."
        )
