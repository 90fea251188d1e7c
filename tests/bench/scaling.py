"""How the cost of candidate paths grows with the graph and the hop limit.

    python tests/bench/scaling.py [-o docs]

Needs ../shared/data/large-triples.tsv.gz. Takes growing random parts of its facts and finds the
paths of 100 pairs (distance 2 to 4) in each; prints a table, and writes it with a plot to -o.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from paths import DATA, connected_pairs, simple_edges

from kgpath.paths.walks import Walker
from kgpath.storage.index import Index

SIZES = (100_000, 200_000, 400_000, 800_000, 1_500_000)
HOPS = (2, 3, 4, 5, 6)
LIMIT = 10_000
PAGE = """\
# How the cost of candidate paths grows

Median time to find the paths between two entities (up to 10,000, shortest first) over 100 random
pairs at distance 2 to 4, on growing random parts of a mixture of DBpedia, Freebase and YAGO; all of
it, the last row, is 1.5 million facts. The unit is the smallest graph at 3 hops,
{first:.2f} ms on the machine that made this page.

{table}

![the same as a plot](scaling.png)

Time grows with the neighbourhoods of the two entities, not with the graph: the arrays of a search
are reused, so nothing is paid for entities out of reach.

Made by `python tests/bench/scaling.py -o docs`.
"""


def measure(edges: np.ndarray) -> tuple[int, int, list[float]]:
    """Entities, neighbour pairs, and the median milliseconds for each hop limit."""
    used, edges = np.unique(edges, return_inverse=True)
    edges = edges.reshape(-1, 2)
    labelled = np.column_stack([edges[:, 0], np.zeros(len(edges), dtype=np.int32), edges[:, 1]])
    walker = Walker(Index.from_edges(labelled.astype(np.int32), len(used)))
    pairs = connected_pairs(edges, 100)
    medians = []
    for hops in HOPS:
        seconds = []
        for one, other in pairs:
            start = time.perf_counter()
            with walker.search(one, other, hops) as search:
                search.enumerate(LIMIT, 10**12)
            seconds.append(time.perf_counter() - start)
        medians.append(float(np.median(seconds) * 1e3))
    return len(used), len(edges), medians


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", help="a folder for scaling.md and scaling.png")
    args = parser.parse_args()
    if not DATA.exists():
        sys.exit(f"This benchmark needs the real data at {DATA}.")
    with tempfile.TemporaryDirectory() as folder:
        edges = simple_edges(argparse.Namespace(graph=None, large=True), Path(folder))
    rng = np.random.default_rng(0)
    edges = edges[rng.permutation(len(edges))]
    rows = [measure(edges[:size]) for size in SIZES]
    first = rows[0][2][1]  # everything as a multiple of the smallest graph at 3 hops
    lines = [
        "| neighbour pairs | entities | " + " | ".join(f"{hops} hops" for hops in HOPS) + " |",
        "|---:|---:|" + "---:|" * len(HOPS),
    ]
    for entities, number, medians in rows:
        cells = " | ".join(f"{ms / first:,.1f}" for ms in medians)
        lines.append(f"| {number:,} | {entities:,} | {cells} |")
    table = "\n".join(lines)
    print(table)
    print(f"1.0 is {first:.3f} ms here.")
    if args.output:
        write(Path(args.output), table, rows, first)


def write(folder: Path, table: str, rows: list, first: float) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.2))
    for at, hops in enumerate(HOPS):
        axes.plot(
            [number for _, number, _ in rows], [medians[at] / first for _, _, medians in rows],
            marker="o", label=f"{hops} hops",
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks([number for _, number, _ in rows], [f"{n / 1e3:,.0f}k" for _, n, _ in rows])
    axes.minorticks_off()
    axes.set_xlabel("neighbour pairs of the graph")
    axes.set_ylabel("median time, 1 = smallest graph at 3 hops")
    axes.set_title(f"Finding up to {LIMIT:,} paths between two entities")
    axes.grid(alpha=0.3)
    axes.legend(title="hop limit", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.tight_layout()
    figure.savefig(folder / "scaling.png", dpi=120)
    (folder / "scaling.md").write_text(PAGE.format(first=first, table=table))


if __name__ == "__main__":
    main()
