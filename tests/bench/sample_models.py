"""What it costs to train each model of the papers on the sample: CPU seconds, 60 at the most.

    python tests/bench/sample_models.py [--only kepler --only binary]

Every context encoder with every path encoder under each ranker that takes both, and every other
ranker that learns, with each encoder that it takes: one `kgpath train` each, a fresh process on one
thread, nothing loaded from the cache. TransE (`kgpath embed`) is trained once, before, and stands
in a line of its own. Ends with 1 if a model takes too long, or is not made. Not part of the tests.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kgpath.datasets.sample_files import sample_files, sample_queries
from kgpath.plugins import CONTEXT_ENCODERS, PATH_ENCODERS

MOST = 60.0  # CPU seconds of one training
OF_VECTORS = ("xendcg", "binary", "listwise")
READERS = ("minilm", "bert", "kg-bert", "k-bert", "kepler", "word-vectors(path=words.txt)")
SCORED = ("tfidf-cosine", "avg-cosine(vectors=words.txt)", "shortest", "zero-shot",
          "zero-shot-minilm", "kgpath-general")  # fmt: skip


class Model(NamedTuple):
    """What is trained: a ranker, and its encoders where it takes them by option."""

    context: str
    path: str
    ranker: str

    def command(self) -> list[str]:
        given = {"--context-encoder": self.context, "--path-encoder": self.path}
        options = [part for name, value in given.items() if value for part in (name, value)]
        return ["train", "film.kg", str(sample_queries()), "-o", "m", "--ranker", self.ranker,
                *options]  # fmt: skip


def models() -> Iterator[Model]:
    for ranker in OF_VECTORS:
        for path in PATH_ENCODERS:
            for context in CONTEXT_ENCODERS:
                yield Model(context.name, path.name, ranker)
    for name in ("kgpath-ltr", "kgpath-general"):
        for option in ("", *(f"(encoder={reader})" for reader in READERS)):
            yield Model("", "", f"{name}{option}")
    yield from (Model("", "", f"score-ltr(of={scored})") for scored in SCORED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], help="a name that must be part")
    parser.add_argument("--most", type=float, default=MOST, help="CPU seconds of one training")
    args = parser.parse_args()
    chosen = [one for one in models() if all(_has(one, name) for name in args.only)]
    costs = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _run(folder, ["build", *map(str, sample_files()), "-o", "film.kg"])
        _written_words(folder)
        seconds, _ = _run(folder, ["embed", "film.kg"])
        print(f"TransE, for all that need it: {seconds:.1f} CPU seconds\n")
        print(f"{'context encoder':16}{'path encoder':14}{'ranker':50}{'CPU s':>6}  ")
        for one in chosen:
            seconds, said = _run(folder, one.command())
            costs.append((seconds, one, said))
            ended = said or ("ok" if seconds <= args.most else f"more than {args.most:.0f}")
            print(
                f"{one.context:16}{one.path:14}{one.ranker:50}{seconds:6.1f}  {ended}", flush=True
            )
    if costs:
        most, one, _ = max(costs)
        print(f"\n{len(costs)} models; at most {most:.1f} s: {' '.join(filter(None, one))}")
    sys.exit(any(said or seconds > args.most for seconds, _, said in costs))


def _has(one: Model, name: str) -> bool:
    """Whether a name is that of a part of a model, whole: bert is not in kg-bert."""
    return name in {word for part in one for word in re.split(r"[(),=]", part)}


def _run(folder: Path, command: list[str]) -> tuple[float, str]:
    """The CPU seconds of a command with all its processes, and what went wrong."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "KGPATH_USE_CACHE": "0", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "kgpath", *command], cwd=folder, env=environment,
        capture_output=True, text=True,
    )  # fmt: skip
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = now.ru_utime - before.ru_utime + now.ru_stime - before.ru_stime
    return seconds, done.stderr.strip().splitlines()[-1] if done.returncode else ""


def _written_words(folder: Path) -> None:
    """A file of word vectors for the words of the texts; what they say does not count here."""
    words = sorted(set(re.findall(r"[a-z]+", sample_queries().read_text("utf-8").lower())))
    numbers = np.random.default_rng(0).normal(size=(len(words), 50)).round(3).tolist()
    rows = zip(words, numbers, strict=True)
    lines = (f"{word} {' '.join(map(str, row))}\n" for word, row in rows)
    (folder / "words.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
