"""How far a graph covers dialogues, and whether its edges connect what lexical edges do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kgpath.dialogue.coverage import Pair, coverage, pages, pairs
from kgpath.dialogue.edges.edge import edge_rule
from kgpath.dialogue.nodes import nodes_of
from kgpath.dialogue.title_linker import TitleLinker
from kgpath.errors import BadOption
from kgpath.metrics.comparison import bootstrap
from kgpath.reproduce.wikipath.study import Split, study_of
from kgpath.reproduction import Request, Table

RULES = (
    "lexical", "mention", "full", "typed", "typed(class_cap=0)", "typed(hops=1)", "typed(hops=3)",
    "typed+lexical",
)  # fmt: skip
#: Bounds of the number of facts that the lesser known of two entities has.
FACTS = (5, 30)
_RESAMPLES = 1000


def tables(request: Request) -> Iterator[Table]:
    """Titles that the graph knows; pairs without a path by rule; the same by number of facts."""
    study = study_of(request)
    if study.graph is None:
        raise BadOption("This needs a graph: --graph film.kg")
    linker = TitleLinker(study.graph)
    yield _known(study.splits, linker)
    rules = {name: edge_rule(name, study.graph) for name in RULES}
    found = [
        pair._replace(dialogue=f"{split.name}/{pair.dialogue}")
        for split in study.splits
        for pair in pairs(split.dialogues, linker, rules)
    ]
    if not found:
        raise BadOption("No turn has a source and two other titles that the graph knows.")
    yield _no_path(found, request.seed)
    yield _by_facts(found, linker)


def _known(splits: Sequence[Split], linker: TitleLinker) -> Table:
    labels = {label for (label,) in linker.graph.store.db.execute("SELECT label FROM entity")}
    rows: list[tuple[object, ...]] = []
    for split in splits:
        known = coverage(linker, split.turns)
        exact = 0
        for turn in split.turns:
            nodes = nodes_of(turn, turn.source or turn.topic)
            exact += sum(nodes.titles[node] in labels for node in pages(nodes))
        rows.append(
            (
                split.name, known.turns, known.sources / known.turns, known.titles,
                exact / known.titles, known.linked / known.titles,
            )
        )  # fmt: skip
    columns = ("split", "turns", "sources linked", "titles", "exact label", "linked")
    return Table("wikipath-coverage", "Titles that the graph knows", columns, tuple(rows))


def _no_path(found: Sequence[Pair], seed: int) -> Table:
    missed = np.array([pair.no_path for pair in found], dtype=np.float64)
    groups = [pair.dialogue for pair in found]
    ratios = _ratios(missed, groups, seed)
    rows: list[tuple[object, ...]] = []
    for at, name in enumerate(RULES):
        interval = bootstrap(missed[:, at], groups, seed=seed)
        low, high = np.nanquantile(ratios[:, at], [0.025, 0.975])
        rows.append(
            (
                name, len(found), interval.mean, f"{interval.low:.4f} to {interval.high:.4f}",
                float(missed[:, at].mean() / missed[:, 0].mean()), f"{low:.4f} to {high:.4f}",
            )
        )  # fmt: skip
    turns = len({(pair.dialogue, pair.turn) for pair in found})
    return Table(
        "wikipath-no-path",
        f"Pairs of a source and a linked title without a path, {turns:,} turns",
        ("rule", "pairs", "NoPath", "95 % over dialogues", "ratio to lexical", "95 %"),
        tuple(rows),
    )


def _ratios(missed: NDArray[np.float64], groups: Sequence[str], seed: int) -> NDArray[np.float64]:
    """Each rule's NoPath over that of the first, in resamples of whole dialogues."""
    units = np.unique(groups, return_inverse=True)[1]
    sums = np.array([np.bincount(units, missed[:, at]) for at in range(missed.shape[1])])
    drawn = np.random.default_rng(seed).integers(sums.shape[1], size=(_RESAMPLES, sums.shape[1]))
    totals = sums[:, drawn].sum(axis=2)
    ratios: NDArray[np.float64] = (totals / np.where(totals[0] == 0, np.nan, totals[0])).T
    return ratios


def _by_facts(found: Sequence[Pair], linker: TitleLinker) -> Table:
    facts = linker.graph.index.degrees()
    least = np.array([min(facts[pair.source], facts[pair.title]) for pair in found])
    missed = np.array([pair.no_path for pair in found], dtype=np.float64)
    group = np.searchsorted(FACTS, least)
    names = (f"up to {FACTS[0]}", f"{FACTS[0] + 1} to {FACTS[1]}", f"more than {FACTS[1]}")
    rows = [
        (name, int((group == at).sum()), *map(float, missed[group == at].mean(axis=0)))
        for at, name in enumerate(names)
        if (group == at).any()
    ]
    return Table(
        "wikipath-no-path-by-facts",
        "The same, by the number of facts of the lesser known of the two",
        ("facts", "pairs", *RULES),
        tuple(rows),
    )
