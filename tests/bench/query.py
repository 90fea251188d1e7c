"""What a question costs on the real graph, from names to the printed answer, once warm.

    python tests/bench/query.py --graph FILE.kg [--queries dev] [--ranker zero-shot | --model DIR]

Needs ../shared/data and the graph of DBpedia with webnlg-facts.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import json
import time

import numpy as np
from common import DATA

import kgpath
from kgpath.cli.query import _show
from kgpath.learning.models import load_model
from kgpath.plugins import RANKERS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--queries", default="dev", choices=("train", "dev"))
    parser.add_argument("--ranker", default="zero-shot")
    parser.add_argument("--model")
    args = parser.parse_args()
    with gzip.open(DATA / f"cpr/webnlg-{args.queries}.jsonl.gz", "rt", encoding="utf-8") as file:
        queries = [json.loads(line) for line in file]
    parts: dict[str, list[float]] = {"whole": [], "candidates": [], "shortest path alone": []}
    with kgpath.open(args.graph) as kg, contextlib.redirect_stdout(io.StringIO()):
        ranker = load_model(args.model, kg) if args.model else RANKERS.make(args.ranker)
        retriever = kg.retriever(ranker)
        for query in [*queries[:20], *queries]:
            start = time.perf_counter()
            answers = kg.query(query["head"], query["tail"], query["document"], ranker=ranker)
            _show(answers, explain=False)
            parts["whole"].append(time.perf_counter() - start)
            head, tail = kg.entity(query["head"]), kg.entity(query["tail"])
            start = time.perf_counter()
            retriever.candidates(kg.context(query["document"]), head, tail)
            parts["candidates"].append(time.perf_counter() - start)
            start = time.perf_counter()
            print(kg.paths(head, tail, limit=5)[:5])
            parts["shortest path alone"].append(time.perf_counter() - start)
    chosen = args.model or args.ranker
    print(f"{len(queries):,} queries ({args.queries}), {chosen}, 4 hops, 300 candidates")
    medians = {name: np.median(seconds[20:]) for name, seconds in parts.items()}
    print(f"whole / candidates {medians['whole'] / medians['candidates']:.2f} (medians of one run)")
    for name, seconds in parts.items():
        milliseconds = np.array(seconds[20:]) * 1e3
        print(
            f"{name:20} {np.median(milliseconds):6.1f} ms median"
            f" {np.percentile(milliseconds, 95):6.1f} ms p95"
        )


if __name__ == "__main__":
    main()
