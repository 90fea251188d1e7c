"""How often the true path is among the candidates for a text, and what finding them costs.

    python tests/bench/candidates.py --graph FILE.kg [--queries dev] [--limit 300]

Needs ../shared/data and the graph of DBpedia with webnlg-facts. Candidates are the cheapest paths
by how clearly the text names what lies between the two ends.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time

import numpy as np
from common import DATA

import kgpath


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--queries", default="dev", choices=("train", "dev"))
    parser.add_argument("--limit", type=int, default=300)
    args = parser.parse_args()
    with gzip.open(DATA / f"cpr/webnlg-{args.queries}.jsonl.gz", "rt", encoding="utf-8") as file:
        queries = [json.loads(line) for line in file]
    ranks, seconds = [], []
    with kgpath.open(args.graph) as kg:
        for query in queries:
            start = time.perf_counter()
            paths = kg.paths(
                query["head"], query["tail"], strategy="top", cost="mention", limit=args.limit,
                text=query["document"],
            )  # fmt: skip
            seconds.append(time.perf_counter() - start)
            found = (at for at, path in enumerate(paths, 1) if path.iris() == query["path"])
            ranks.append(next(found, 0))
    rank = np.array(ranks)
    milliseconds = np.array(seconds[1:]) * 1e3
    print(f"{len(queries):,} queries ({args.queries}), at most 4 hops, {args.limit} candidates")
    for limit in (10, 40, 100, args.limit):
        print(f"true path among the first {limit:>3}: {((rank > 0) & (rank <= limit)).mean():.4f}")
    print(
        f"{np.median(milliseconds):.1f} ms median, {np.percentile(milliseconds, 95):.1f} ms p95,"
        " from names to candidates"
    )


if __name__ == "__main__":
    main()
