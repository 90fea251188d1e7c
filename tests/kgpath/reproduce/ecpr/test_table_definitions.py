"""The tables as data: every row of the paper is there."""

from __future__ import annotations

from kgpath.reproduce.ecpr.findings import CLAIMS
from kgpath.reproduce.ecpr.published_figures import METRICS
from kgpath.reproduce.ecpr.settings import Settings
from kgpath.reproduce.ecpr.table_definitions import BASELINES, MODELS, OURS, TABLES, Line


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
