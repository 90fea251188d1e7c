"""What kgpath-ltr is worth on topics it was never trained on: one category left out at a time.

    python tests/bench/topics.py --graph FILE.kg

Needs ../shared/data and the graph of DBpedia with webnlg-facts. Trains and tests within the
training queries; about an hour for all, some minutes for each --topic.
"""

from __future__ import annotations

import argparse
import gzip
import json

import numpy as np
from common import DATA

import kgpath
from kgpath.io.queries import QueryFile
from kgpath.learning.examples import QuerySet, true_places
from kgpath.metrics import JudgedRanking, evaluate
from kgpath.rankers.kgpath_ltr import KgpathLTR
from kgpath.rankers.ltr.fact_examples import FactExample, fact_example


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--topic", action="append", help="only these; each takes some minutes")
    parser.add_argument("--rounds", type=int, default=4, help="1 takes a quarter of the time")
    args = parser.parse_args()
    path = DATA / "cpr/webnlg-train.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        topic_of = {record["id"]: record["category"] for record in map(json.loads, file)}
    examples: list[FactExample] = []
    topics: list[str] = []
    with kgpath.open(args.graph) as kg:
        query_set = QuerySet(kg, QueryFile(path).queries)
        for query in query_set:
            features = query_set.features(query)
            assert features is not None
            true = true_places(features.candidates, query.truths)
            examples.append(fact_example(features, true, query.group))
            topics.append(topic_of[query.query.id])
    means = []
    for topic in args.topic or sorted(set(topics)):
        ranker = KgpathLTR(rounds=args.rounds)
        ranker.learn([one for one, own in zip(examples, topics, strict=True) if own != topic])
        left_out = [one for one, own in zip(examples, topics, strict=True) if own == topic]
        figures = np.mean([_figures(ranker, example) for example in left_out], axis=0)
        means.append(figures)
        print(
            f"{topic:22} {len(left_out):5,} queries  MRR {figures[0]:.4f}  Hits@1 {figures[1]:.4f}",
            flush=True,
        )
    mrr, hits = np.mean(means, axis=0)
    print(f"{'mean over topics':36}  MRR {mrr:.4f}  Hits@1 {hits:.4f}")


def _figures(ranker: KgpathLTR, example: FactExample) -> tuple[float, float]:
    missing = 0 if example.true else 1
    judged = JudgedRanking("", tuple(ranker.score_example(example).total), example.true, missing)
    mrr, hits = evaluate([judged], ["MRR", "Hits@1"]).means().values()
    return mrr, hits


if __name__ == "__main__":
    main()
