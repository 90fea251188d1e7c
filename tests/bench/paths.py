"""Candidate paths against five other libraries, on the same pairs, in one run.

    python tests/bench/paths.py [--graph FILE.kg | --large] [--seconds 60] [--json]
    python tests/bench/paths.py --graph FILE.kg --order [--hops 4] [--limit 100]

Needs ../shared/data. Every library works through the same pairs in a process of its own until it
is done or its seconds are over; a ratio compares medians over the pairs that both finished.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from common import DATA

from kgpath.paths.walks import Walker
from kgpath.storage.index import Index

HERE = Path(__file__).parent
SETTINGS = ((3, 0), (4, 0), (5, 10_000), (6, 10_000))
PEERS = ("networkit", "rustworkx", "igraph", "graph-tool", "networkx")


def simple_edges(args: argparse.Namespace, folder: Path) -> np.ndarray:
    """The undirected simple edges of the graph to measure on."""
    import kgpath

    if args.graph:
        path = Path(args.graph)
    else:
        path = folder / "graph.kg"
        sources = (
            [DATA / "large-triples.tsv.gz"]
            if args.large
            else [*sorted((DATA / "dbpedia").glob("*.gz")), DATA / "cpr/webnlg-facts.nt.gz"]
        )
        if not DATA.exists():
            sys.exit(f"This benchmark needs the real data at {DATA}.")
        kgpath.build(sources, path)
    with kgpath.open(path) as kg:
        edges = np.sort(kg.store.edges()[:, [0, 2]], axis=1)
        print(kg, file=sys.stderr)
    return np.unique(edges, axis=0)


def connected_pairs(edges: np.ndarray, number: int, seed: int = 1) -> list[tuple[int, int]]:
    """Random pairs at distance 2 to 4."""
    labelled = np.column_stack([edges[:, 0], np.zeros(len(edges), dtype=np.int32), edges[:, 1]])
    walker = Walker(Index.from_edges(labelled.astype(np.int32), int(edges.max()) + 1))
    rng = np.random.default_rng(seed)
    pairs: list[tuple[int, int]] = []
    while len(pairs) < number:
        one, other = rng.integers(0, walker.index.entities, 2).tolist()
        if one != other:
            with walker.search(one, other, 4) as search:
                if 2 <= search.shortest <= 4:
                    pairs.append((one, other))
    return pairs


def run(name: str, edges: Path, pairs: Path, hops: int, limit: int, seconds: float) -> list:
    """Seconds, paths and neighbourhood seconds of each pair that a library finished in time."""
    python = sys.executable
    if name == "graph-tool":  # a system package, for the system's Python
        python = shutil.which("python3", path="/usr/bin") or python
    command = [python, str(HERE / "peers.py"), name, str(edges), str(pairs), str(hops), str(limit)]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, text=True)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        out.seek(0)
        rows = [json.loads(line) for line in out if line.endswith("\n")]
        err.seek(0)
        message = err.read().strip().splitlines()
    if not rows and message and process.returncode > 0:
        print(f"{name}: {message[-1]}", file=sys.stderr)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", help="a graph file; otherwise DBpedia is built")
    parser.add_argument("--large", action="store_true", help="measure on large-triples.tsv.gz")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60, help="for each library and setting")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--order", action="store_true", help="only what the order of --graph costs")
    parser.add_argument("--hops", type=int, default=4, help="with --order")
    parser.add_argument("--limit", type=int, default=100, help="with --order")
    args = parser.parse_args()
    if args.order:
        order_costs(args.graph, args.pairs, args.hops, args.limit)
        return
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        edges = simple_edges(args, folder)
        np.save(folder / "edges.npy", edges)
        pairs = connected_pairs(edges, args.pairs)
        (folder / "pairs.json").write_text(json.dumps(pairs))
        for hops, limit in SETTINGS:
            task = folder / "edges.npy", folder / "pairs.json", hops, limit, args.seconds
            ours = run("kgpath", *task)
            if len(ours) < len(pairs):
                sys.exit("kgpath itself did not finish in time; give it more --seconds")
            results.append(row("kgpath", hops, limit, ours, ours))
            for peer in PEERS:
                theirs = run(peer, *task)
                results.append(row(peer, hops, limit, theirs, ours))
                wrong = sum(one[1] != other[1] for one, other in zip(ours, theirs, strict=False))
                if wrong and not limit:
                    print(f"{peer}: {wrong} counts differ at {hops} hops", file=sys.stderr)
    if args.json:
        print(json.dumps(results, indent=2))
        return
    print(
        "hops  paths     library     pairs  median ms    p95 ms    times ours  nearby ms  search ms"
    )
    for r in results:
        print(
            f"{r['hops']:>4}  {'all' if not r['limit'] else '1st ' + str(r['limit']):<9} "
            f"{r['library']:<11} {r['pairs']:>5} {r['median']:>10} {r['p95']:>9} {r['ratio']:>13}"
            f" {r['nearby']:>10} {r['search']:>10}"
        )


def order_costs(graph: str, number: int, hops: int, limit: int) -> None:
    """What kg.paths costs by its order of information, beside the order by ids; paths made too.

    CPU time, the least of five rounds, over random pairs at distance 2 to 4, and over those of them
    with more paths than the limit: all of the last length are looked at there.
    """
    import kgpath
    from kgpath.paths.finder import PathFinder, PathOptions

    with kgpath.open(graph) as kg:
        finder = kg.derived(PathFinder)
        edges = np.unique(np.sort(kg.store.edges()[:, [0, 2]], axis=1), axis=0)
        ends = [(kg.entity(a), kg.entity(b)) for a, b in connected_pairs(edges, number)]
        plain = PathOptions(max_hops=hops, limit=limit)
        ways = [
            ("by ids", finder.find_by_id, plain),
            ("by information", finder.find, plain),
            ("merged", finder.find, replace(plain, merged=True)),
        ]
        seconds = np.full((len(ways), len(ends)), np.inf)
        for _ in range(5):
            for at, (head, tail) in enumerate(ends):
                for way, (_, find, options) in enumerate(ways):
                    start = time.process_time()
                    list(find(head, tail, options))
                    seconds[way, at] = min(seconds[way, at], time.process_time() - start)
        cut = [finder.find(head, tail, plain).truncated != "" for head, tail in ends]
    for name, some in (("all", [True] * len(ends)), ("more than the limit", cut)):
        ours = seconds[:, np.flatnonzero(some)] * 1e3
        print(f"{name}: {ours.shape[1]} pairs")
        for way, (label, _, _) in enumerate(ways):
            median, p90 = np.percentile(ours[way], [50, 90])
            times = np.median(ours[way] / ours[0])
            print(
                f"  {label:<14}  median {median:.3f} ms  p90 {p90:.3f} ms  "
                f"mean {ours[way].mean():.3f} ms  times by ids {times:.2f}"
            )


def row(name: str, hops: int, limit: int, theirs: list, ours: list) -> dict:
    """A line of the table: milliseconds, and how many times our median on the same pairs."""
    result = {"library": name, "hops": hops, "limit": limit, "pairs": len(theirs)}
    result |= dict.fromkeys(("median", "p95", "ratio", "nearby", "search"), "")
    if len(theirs) < 3:
        return result | {"ratio": "not finished"}
    seconds = np.array([t[0] for t in theirs])
    same = np.array([o[0] for o in ours[: len(theirs)]])
    result["median"] = f"{np.median(seconds) * 1e3:.3f}"
    result["p95"] = f"{np.percentile(seconds, 95) * 1e3:.3f}"
    result["ratio"] = f"{np.median(seconds) / np.median(same):,.1f}"
    if name == "kgpath":
        nearby = np.array([t[2] for t in theirs])
        result["nearby"] = f"{np.median(nearby) * 1e3:.3f}"
        result["search"] = f"{np.median(seconds - nearby) * 1e3:.3f}"
    return result


if __name__ == "__main__":
    main()
