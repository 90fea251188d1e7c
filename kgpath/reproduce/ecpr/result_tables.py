"""Tables 3 to 9: models by every metric, each beside what the paper prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import nan

from kgpath.metrics import bootstrap, compare
from kgpath.reproduce.ecpr.cells import Cell, Failed, Result
from kgpath.reproduce.ecpr.pictures import bars
from kgpath.reproduce.ecpr.printed import METRICS
from kgpath.reproduce.ecpr.recipes import RECIPES, Line, Recipe
from kgpath.reproduce.ecpr.runner import Arena, study_of
from kgpath.reproduction import Picture, Request, Table

COLUMNS = ("model", "context", "range", "ranker", "figures", *METRICS, "MRR, 95 %", "fit, CPU s",
           "query, CPU ms")  # fmt: skip


def table_3(request: Request) -> Iterator[Table | Picture]:
    """Averaged embeddings as context."""
    yield from _made(request, RECIPES["ecpr-t3"])


def table_4(request: Request) -> Iterator[Table | Picture]:
    """Context-fused entity embeddings."""
    yield from _made(request, RECIPES["ecpr-t4"])


def table_5(request: Request) -> Iterator[Table | Picture]:
    """Contextualized embeddings."""
    yield from _made(request, RECIPES["ecpr-t5"])


def table_6(request: Request) -> Iterator[Table | Picture]:
    """Binary classification and learning to rank."""
    yield from _made(request, RECIPES["ecpr-t6"])


def table_7(request: Request) -> Iterator[Table | Picture]:
    """All models, beside the figures for Wiki-film."""
    yield from _made(request, RECIPES["ecpr-t7"])


def table_8(request: Request) -> Iterator[Table | Picture]:
    """All models, beside the figures for Wiki-music."""
    yield from _made(request, RECIPES["ecpr-t8"])


def table_9(request: Request) -> Iterator[Table | Picture]:
    """All models, beside the figures for Synthetic (L)."""
    yield from _made(request, RECIPES["ecpr-t9"])


def ours(request: Request) -> Iterator[Table | Picture]:
    """Our own ranker, reading with each contextualized encoder."""
    yield from _made(request, RECIPES["ecpr-ours"])


def _made(request: Request, recipe: Recipe) -> Iterator[Table | Picture]:
    arena = study_of(request).arena()
    settings = arena.study.settings
    cells = {line: cell for line in recipe.lines if (cell := line.cell(settings)) is not None}
    results = arena.results(cells.values(), recipe.name)
    rows: list[tuple[object, ...]] = []
    for line in recipe.lines:
        if line in cells:
            rows.append(_row(line, cells[line], results[cells[line]], request.seed))
        for dataset, figures in recipe.paper.items():
            if line in figures:
                head = (line.model, *line, f"paper, {dataset}")
                rows.append((*head, *figures[line], "", "", ""))
    done = {line: r for line, c in cells.items() if isinstance(r := results[c], Result)}
    notes = [*about(arena), *_best(done, request.seed)]
    if any("PED" not in result.evaluation.means() for result in done.values()):
        notes.append(arena.study.ped[1])
    yield Table(recipe.name, recipe.title, COLUMNS, tuple(rows), tuple(notes))
    if done:
        yield bars(recipe.name, recipe.title.partition(".")[0], done, recipe.paper, request.seed)


def _row(line: Line, cell: Cell, result: Result | Failed, seed: int) -> tuple[object, ...]:
    ranker = cell.ranker if cell.context or line.ranker else ""
    head = (line.model, line.name, line.range, ranker, "here")
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


def about(arena: Arena) -> Iterator[str]:
    """What the figures of a table rest on."""
    protocol, study = arena.protocol, arena.study
    documents = len({query.document for query in protocol.measured})
    learned = f", learned from {len(protocol.learned):,}" if protocol.learned else ""
    yield (
        f"{len(protocol.measured):,} questions over {documents:,} documents{learned}: "
        f"{protocol.said}. Graph {study.graph.path.name}, fingerprint {study.graph.fingerprint}."
    )
    yield f"Paths by {study.settings.path}; PED by {study.settings.ped}."
    if protocol.folds:
        yield "Encoders learned once, from all texts and candidates, never from which is true."
    if study.settings.quick:
        yield "A quick run: small parts, few questions. The figures mean nothing."
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
            f"Best by MRR: {best.cell}; next: {second.cell}. Difference {gap.mean:+.4f} "
            f"({gap.low:+.4f} to {gap.high:+.4f}, 95 %), p {found.p:.4f} (randomisation test, "
            "by document)."
        )
