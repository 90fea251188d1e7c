"""What carries kgpath-ltr: one kind of feature left out at a time, and its figures by hops.

    python tests/bench/ablation.py --graph FILE.kg [--rounds 4]

Needs ../shared/data and the graph of DBpedia with webnlg-facts. Trains on the training queries,
as often as there are rows, and tests on dev; with one round a few minutes for each row.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from common import DATA

import kgpath
from kgpath.features.feature_table import FeatureTable
from kgpath.io.queries import QueryFile
from kgpath.learning.examples import QuerySet, true_places
from kgpath.metrics import JudgedRanking, evaluate
from kgpath.rankers.kgpath_ltr import KgpathLTR
from kgpath.rankers.ltr.fact_examples import FactExample, fact_example
from kgpath.rankers.ltr.fact_spans import FactSpan

#: Words of the features' names by which they belong to a kind.
KINDS = {
    "how clearly entities are named": ("named", "unnamed", "shown"),
    "where they stand": (
        "gap", "together", "seen", "first", "order", "apart", "between", "opens", "nearer",
    ),
    "words of relations": ("words", "near", "relation", "tfidf"),
    "the graph": ("frequency", "labelled", "degree", "choices", "parallels", "partners"),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--rounds", type=int, default=1)
    args = parser.parse_args()
    with kgpath.open(args.graph) as kg:
        train, dev = (_examples(kg, name) for name in ("train", "dev"))
    everything = _figures(train, dev, args.rounds, lambda example: example)
    print(f"{'all':34} MRR {everything[0]:.4f}  Hits@1 {everything[1]:.4f}", flush=True)
    for kind, words in KINDS.items():
        _print_without(kind, _figures(train, dev, args.rounds, _blanked(words)), everything)
    _print_without("statistics", _figures(train, dev, args.rounds, _uncounted), everything)


def _print_without(
    kind: str, figures: tuple[float, float], everything: tuple[float, float]
) -> None:
    print(
        f"without {kind:26} MRR {figures[0]:.4f} ({figures[0] - everything[0]:+.4f})"
        f"  Hits@1 {figures[1]:.4f} ({figures[1] - everything[1]:+.4f})",
        flush=True,
    )


def _examples(kg: kgpath.Graph, name: str) -> list[FactExample]:
    query_set = QuerySet(kg, QueryFile(DATA / f"cpr/webnlg-{name}.jsonl.gz").queries)
    made = []
    for query in query_set:
        features = query_set.features(query)
        assert features is not None
        true = true_places(features.candidates, query.truths)
        made.append(fact_example(features, true, query.group))
    return made


def _blanked(words: tuple[str, ...]) -> Callable[[FactExample], FactExample]:
    def blank(table: FeatureTable) -> FeatureTable:
        left_out = [any(word in words for word in name.split()) for name in table.names]
        return FeatureTable(table.names, np.where(left_out, np.float32(0), table.values))

    return lambda example: replace(example, hops=blank(example.hops), paths=blank(example.paths))


def _uncounted(example: FactExample) -> FactExample:
    nothing = tuple(FactSpan("", frozenset(), frozenset()) for _ in example.spans)
    nowhere = np.full_like(example.pairs_along, -1)
    return replace(example, spans=nothing, relation_pairs=(), pairs_along=nowhere)


def _figures(
    train: list[FactExample],
    dev: list[FactExample],
    rounds: int,
    change: Callable[[FactExample], FactExample],
) -> tuple[float, float]:
    ranker = KgpathLTR(rounds=rounds)
    ranker.learn([change(example) for example in train])
    whole, hops = [], []
    for example in dev:
        scores = ranker.score_example(change(example))
        whole.append(_judged(example, scores.total))
        hops.append(_judged(example, scores.total - scores.parts["whole path"]))
    if change(dev[0]) is dev[0]:
        mrr, hits = np.mean(hops, axis=0)
        print(f"{'the sum over hops alone':34} MRR {mrr:.4f}  Hits@1 {hits:.4f}")
        lengths = np.array([one.lengths[one.true[0]] if one.true else 0 for one in dev])
        for length in np.unique(lengths).tolist():
            rows = np.array(whole)[lengths == length]
            mrr, hits = rows.mean(axis=0)
            print(f"{f'{length} hops, {len(rows)} queries':34} MRR {mrr:.4f}  Hits@1 {hits:.4f}")
    mrr, hits = np.mean(whole, axis=0)
    return float(mrr), float(hits)


def _judged(example: FactExample, scores: np.ndarray) -> tuple[float, float]:
    missing = 0 if example.true else 1
    judged = JudgedRanking("", tuple(scores.tolist()), example.true, missing)
    mrr, hits = evaluate([judged], ["MRR", "Hits@1"]).means().values()
    return mrr, hits


if __name__ == "__main__":
    main()
