"""What the walker does at its limits: a cold start, memory of a stream, the worst pair of hubs.

python tests/bench/limits.py --graph FILE.kg
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time

import numpy as np

import kgpath
from kgpath.paths.walks import BUDGET


def hubs(kg: kgpath.Graph) -> tuple[int, int]:
    """The two entities with the most facts."""
    one, other = np.argsort(kg.index.degrees())[-2:].tolist()
    return one, other


def stream(graph: str, number: int) -> None:
    """Take so many paths off a stream and print the peak memory."""
    with kgpath.open(graph) as kg:
        paths = kg.iter_paths(*hubs(kg), max_hops=6)
        for _ in range(number):
            next(paths)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def first_query(graph: str) -> None:
    """From nothing loaded to the first paths, in a new process with compiled code in the cache."""
    code = (
        "import time; start = time.perf_counter(); import kgpath;"
        f"kg = kgpath.open({graph!r}); list(kg.paths(0, 1)); print(time.perf_counter() - start)"
    )
    command = [sys.executable, "-c", code]
    seconds = [
        float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(6)
    ]
    print(f"first query in a new process: {np.median(seconds[1:]):.2f} s, median of 5")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--stream", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.stream:
        stream(args.graph, args.stream)
        return
    first_query(args.graph)
    peaks = []
    for number in (1000, 10_000, 100_000, 1_000_000):
        command = [sys.executable, __file__, "--graph", args.graph, "--stream", str(number)]
        peaks.append(float(subprocess.run(command, capture_output=True, check=True).stdout))
        print(
            f"stream of {number:>9,} paths: peak {peaks[-1]:.0f} MB, {peaks[-1] / peaks[0]:.2f} ×"
        )
    with kgpath.open(args.graph) as kg:
        one, other = map(kg.entity, hubs(kg))
        kg.paths(one, other, max_hops=2)  # compiled code, caches
        start = time.perf_counter()
        found = kg.paths(one, other, max_hops=6, strategy="all", limit=None)
        seconds = time.perf_counter() - start
        print(
            f"{one} … {other}, 6 hops, all: {found.entity_paths:,} entity paths in {seconds:.1f} s,"
            f" truncated by the {found.truncated} of {BUDGET:,} steps;"
            f" in all about {found.total:,}"
        )
        print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
