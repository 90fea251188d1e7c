"""How the time and memory of kgpath generate grow with the number of documents.

    python tests/bench/generate.py [--graph film.kg] [--documents 2000 20000 80000] [--workers 2]

Without --graph, builds the film graph from ../shared/data first. Two and a half pairs a document,
each with up to 10 candidates and the true path, as in synthetic-s and synthetic-l. Ratios are to
the first row of the same run; memory is that of all processes together, shared pages once.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from common import ROOT, real_files

import kgpath

COMMAND = [sys.executable, "-c", "from kgpath.cli import main; main()"]


class Run(NamedTuple):
    documents: int
    seconds: float
    cpu: float
    megabytes: float


def memory(process: int) -> int:
    """The proportional set size of a process and all it started, in kilobytes."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return 0  # it has ended
    own = sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return own + sum(memory(int(child)) for child in children)


def measure(graph: Path, documents: int, workers: int, folder: Path) -> Run:
    recipe = folder / f"{documents}.toml"
    recipe.write_text(f"documents = {documents}\npairs = {documents * 5 // 2}\n")
    output = folder / str(documents)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    args = [recipe, "--graph", graph, "-o", output, "--workers", str(workers)]
    with subprocess.Popen(
        [*COMMAND, "generate", *args], cwd=ROOT, stdout=subprocess.DEVNULL
    ) as running:
        peak = 0
        while running.poll() is None:
            peak = max(peak, memory(running.pid))
            time.sleep(0.25)
    if running.returncode:
        sys.exit(f"generating {documents} documents failed")
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(documents, seconds, cpu, peak / 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", type=Path)
    parser.add_argument("--documents", type=int, nargs="+", default=[2_000, 20_000, 80_000])
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        graph = args.graph.absolute() if args.graph else folder / "film.kg"
        if args.graph is None:
            kgpath.build(real_files(), graph)
        print("| documents | seconds | CPU seconds | CPU a document, to the first row | peak MB |")
        print("|---:|---:|---:|---:|---:|")
        first = None
        for documents in args.documents:
            run = measure(graph, documents, args.workers, folder)
            each = run.cpu / run.documents
            first = first or each
            print(
                f"| {documents:,} | {run.seconds:.0f} | {run.cpu:.0f} | {each / first:.2f} "
                f"| {run.megabytes:.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
