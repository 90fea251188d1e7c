"""What kgpath-ltr is worth on topics it was never trained on: one category left out at a time.

    python tests/bench/topics.py --graph FILE.kg [--texts]

Needs ../shared/data and the graph of DBpedia with webnlg-facts. Trains and tests within the
training queries; about an hour for all, some minutes for each --topic. With --texts the ranker also
learns from the texts of the topic that was left out, and the pairs that are asked about in them,
without their answers.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Sequence

import numpy as np
from common import DATA
from numpy.typing import NDArray

import kgpath
from kgpath.features.path_features import PathFeatures
from kgpath.io.queries import Query, QueryFile
from kgpath.io.texts import GivenText
from kgpath.learning.examples import QuerySet, true_places
from kgpath.learning.self_training import self_train
from kgpath.learning.text_questions import questions_of
from kgpath.learning.text_training import thinned
from kgpath.linking.context import Context
from kgpath.metrics import JudgedRanking, evaluate
from kgpath.rankers.kgpath_ltr import KgpathLTR
from kgpath.rankers.ltr.fact_examples import FactExample, fact_example


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--topic", action="append", help="only these; each takes some minutes")
    parser.add_argument("--rounds", type=int, default=4, help="1 takes a quarter of the time")
    parser.add_argument("--texts", action="store_true", help="then learn from the topic's texts")
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
        means: list[list[NDArray[np.float64]]] = []
        for topic in args.topic or sorted(set(topics)):
            others, left_out = (
                [one for one, own in zip(examples, topics, strict=True) if (own == topic) is wanted]
                for wanted in (False, True)
            )
            ranker = KgpathLTR(rounds=args.rounds)
            ranker.learn(others)
            rankers = [ranker]
            if args.texts:
                asked = [one.query for one in query_set if topic_of[one.query.id] == topic]
                rankers.append(_taught(kg, ranker, others, asked))
            figures = [np.mean([_figures(r, one) for one in left_out], axis=0) for r in rankers]
            means.append(figures)
            print(f"{topic:22} {len(left_out):5,} queries{_said(figures)}", flush=True)
    print(f"{'mean over topics':36}{_said(list(np.mean(means, axis=0)))}")


def _taught(
    kg: kgpath.Graph, ranker: KgpathLTR, others: Sequence[FactExample], asked: Sequence[Query]
) -> KgpathLTR:
    """A ranker that learned from texts as well, as kgpath train does with --texts."""
    texts = [GivenText(one.id, one.document, one.head, one.tail) for one in asked]
    taught = self_train(questions_of(kg, texts, ranker).asked, before=ranker.statistics_)
    answered = []
    for one in thinned(taught.learned):
        context, group = Context(kg, one.question.text.text), one.question.example.group
        features = PathFeatures(context, one.question.candidates)
        answered.append(fact_example(features, (one.answer,), group))
    pupil = KgpathLTR(rounds=ranker.rounds)
    pupil.learn([*others, *answered])
    return pupil


def _said(figures: Sequence[NDArray[np.float64]]) -> str:
    """Before, and with the texts."""
    said = [f"MRR {mrr:.4f}  Hits@1 {hits:.4f}" for mrr, hits in figures]
    return "  " + "  with texts: ".join(said)


def _figures(ranker: KgpathLTR, example: FactExample) -> tuple[float, float]:
    missing = 0 if example.true else 1
    judged = JudgedRanking("", tuple(ranker.score_example(example).total), example.true, missing)
    mrr, hits = evaluate([judged], ["MRR", "Hits@1"]).means().values()
    return mrr, hits


if __name__ == "__main__":
    main()
