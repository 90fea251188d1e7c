"""kill -9 at chosen moments of every command that writes: the output is the old or the new, whole.

A moment is the n-th call of a function, counted by a profiler in the child: the same number stops
at the same place, however busy the machine is. A third of the moments are drawn from all calls, a
third lie around those that change files, and a third are a share of the processor time: they may
fall into the middle of a native function.

    python tests/fuzz/kills.py --kills 50
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# Its folder kgpath would be taken for the package, were that not found first.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fuzz import forked, seeds
from fuzz.base import Base, files_in
from fuzz.verdicts import judge

_CEILING = 4096
_CPU = 300
#: Functions written in C after or before which files are different.
_CHANGING = frozenset(
    "replace rename unlink remove mkdir rmdir fsync ftruncate truncate write writelines close open "
    "link symlink chmod commit execute executemany executescript flock renameat2 utime".split()
)


@dataclass(frozen=True)
class Writer:
    """A command that writes ``output``, over what ``before`` made there."""

    name: str
    argv: tuple[str, ...]
    output: str
    before: tuple[tuple[str, ...], ...] = ()
    neural: bool = False


_MODEL = ("train", "film.kg", "few.jsonl", "-o", "m", "--limit", "10", "--ranker")
_GENERATE = ("generate", "r.toml", "--graph", "film.kg", "-o", "d", "--workers", "1")
_EVALUATE = ("evaluate", "film.kg", "few.jsonl", "-o", "e.jsonl", "--ranker")
WRITERS = (
    Writer("build", ("build", "facts.nt", "-o", "x.kg"), "x.kg"),
    Writer("build again", ("build", "facts.nt", "-o", "x.kg"), "x.kg",
           (("build", "tiny.ttl", "-o", "x.kg"),)),
    Writer("add", ("add", "tiny.kg", "more.nt"), "tiny.kg"),
    Writer("remove", ("remove", "tiny.kg", "few.nt"), "tiny.kg"),
    Writer("check --upgrade", ("check", "tiny.kg", "--upgrade"), "tiny.kg"),
    Writer("first use", ("paths", "bare.kg", "Roger Moore", "Daniel Craig"), "bare.kg"),
    Writer("train", (*_MODEL, "score-ltr(trees=3)"), "m"),
    Writer("train again", (*_MODEL, "score-ltr(trees=3)"), "m",
           ((*_MODEL, "score-ltr(trees=2)"),)),
    Writer("train --texts", ("train", "film.kg", "--texts", "queries.jsonl", "-o", "m"), "m"),
    Writer("train a network again",
           (*_MODEL, "binary(context_encoder=tfidf, path_encoder=path-mean)"), "m",
           ((*_MODEL, "score-ltr(trees=2)"),), neural=True),
    Writer("embed", ("embed", "film.kg", "--epochs", "1", "--restart"), "film.kg.transe",
           neural=True),
    Writer("generate", _GENERATE, "d"),
    Writer("export nt", ("export", "film.kg", "-o", "x.nt"), "x.nt"),
    Writer("export nt.gz", ("export", "film.kg", "-o", "x.nt.gz"), "x.nt.gz"),
    Writer("export graphml", ("export", "tiny.kg", "-o", "x.graphml"), "x.graphml",
           (("export", "film.kg", "-o", "x.graphml"),)),
    Writer("evaluate", (*_EVALUATE, "shortest"), "e.jsonl", ((*_EVALUATE, "random"),)),
    Writer("paths --pairs", ("paths", "film.kg", "--pairs", "pairs.tsv", "-o", "p.jsonl"),
           "p.jsonl"),
    Writer("query --texts", ("query", "film.kg", "--texts", "texts.jsonl", "-o", "a.jsonl"),
           "a.jsonl"),
    Writer("convert", ("convert", "cpr", "few.jsonl", "-o", "c.jsonl"), "c.jsonl"),
    Writer("annotate tasks",
           ("annotate", "tasks", "news.jsonl", "--graph", "film.kg", "-o", "t"), "t"),
    Writer("annotate agree",
           ("annotate", "agree", "answers.jsonl", "--tasks", "one-hop.jsonl", "-o", "q.jsonl"),
           "q.jsonl"),
    Writer("dialogue convert", ("dialogue", "convert", "gold.json", "-o", "d.jsonl"), "d.jsonl"),
    Writer("dialogue train", ("dialogue", "train", "gold.json", "-o", "need.json"), "need.json"),
    Writer("dialogue evaluate",
           ("dialogue", "evaluate", "dialogues.jsonl", "--selector", "bm25", "-o", "s.jsonl"),
           "s.jsonl"),
    Writer("reproduce", ("reproduce", "wikipath-t1", "gold.json", "-o", "r"), "r"),
    Writer("demo", ("demo", "-o", "demo.kg"), "demo.kg"),
)  # fmt: skip


class Timer:
    """Ends a child after some processor time, wherever it is then."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def start(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, self._seconds)  # nobody handles it: the end

    def finish(self) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)

    def __str__(self) -> str:
        return f"after {self._seconds:.3f} s"


class Profile:
    """Counts calls in a child, and ends it at one of them."""

    def __init__(self, stop: int = -1, record: Path | None = None) -> None:
        self.stop, self.record = stop, record
        self.count = 0
        self.changing: list[int] = []

    def start(self) -> None:
        threading.setprofile(self._called)
        sys.setprofile(self._called)

    def _called(self, frame: FrameType, event: str, argument: Any) -> None:
        if event not in ("call", "c_call", "c_return"):
            return
        self.count += 1
        if self.count == self.stop:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.record and event == "c_call" and argument.__name__ in _CHANGING:
            self.changing.append(self.count)

    def __str__(self) -> str:
        return f"at call {self.stop:,}"

    def finish(self) -> None:
        sys.setprofile(None)
        if self.record:
            self.record.write_text(json.dumps([self.count, self.changing]))


class Workshop:
    """A folder with all that the writers need, copied for each kill."""

    def __init__(self, base: Base) -> None:
        self.base = base
        self.good = base.folder.parent / "good"
        self.place = base.folder.parent / "kill"

    def prepare(self) -> None:
        """Make what every writer reads."""
        assert self.base.film and self.base.tiny and self.base.transe
        folder = self.base.folder
        text = {
            "facts.nt": seeds.NTRIPLES, "more.nt": "<x:a> <x:knows> <x:b> .\n",
            "few.nt": seeds.NTRIPLES.splitlines(keepends=True)[0], "pairs.tsv": seeds.PAIRS * 20,
            "news.jsonl": seeds.WIKINEWS, "r.toml": seeds.RECIPE,
            "texts.jsonl": seeds.TEXTS * 5,
        }  # fmt: skip
        files = {name: data.encode() for name, data in text.items()}
        files |= {**seeds.TASKS, "gold.json": seeds.DIALOGUES["gold"]}
        for name, data in files.items():
            (folder / name).write_bytes(data)
        shutil.copy(folder / "tiny.kg", folder / "bare.kg")

    def reset(self, writer: Writer) -> None:
        """The folder as it is before the command."""
        shutil.rmtree(self.place, ignore_errors=True)
        shutil.copytree(self.base.folder, self.place, ignore=shutil.ignore_patterns("cache*"))
        for argv in writer.before:
            self.run(argv)

    def run(
        self, argv: Sequence[str], watch: Profile | Timer | None = None, good: bool = True
    ) -> forked.Outcome:
        """Run a command in the folder."""
        env = {**self.base.env, "KGPATH_CACHE": str(self.place / "cache")}
        done = forked.run(
            list(argv), self.place, ceiling=_CEILING, cpu=_CPU, env=env,
            before=watch.start if watch else None, after=watch.finish if watch else None,
        )  # fmt: skip
        if good and (done.code != 0 or judge(done, list(argv))):
            raise RuntimeError(f"kgpath {' '.join(argv)}: {done.code} {done.err.decode()[-500:]}")
        return done

    def state(self, writer: Writer) -> Any:
        """What the output says now, without times; None if it is not there."""
        output = self.place / writer.output
        if not output.exists():
            return None
        if output.suffix == ".kg":
            checked = self.run(("check", writer.output), good=False)
            told = self.run(("info", writer.output, "--json"), good=False)
            if checked.code or told.code:
                return f"damaged: {checked.said.decode()}{told.err.decode()}"
            about = json.loads(told.out)
            return about["entities"], about["edges"], about["names"], about["relations"]
        files = files_in(output) if output.is_dir() else {output.name: output.read_bytes()}
        whole = {n: _content(n, d) for n, d in sorted(files.items()) if not _is_temporary(n)}
        return whole or None


def _is_temporary(name: str) -> bool:
    return name.endswith(".building") or Path(name).name.startswith(".")


def _content(name: str, data: bytes) -> Any:
    """A file without the time that it took; a hash for what is large."""
    if name in ("model.json", "transe.json"):
        about = json.loads(data)
        return {k: v for k, v in about.items() if k not in ("seconds", "report")}
    if name.endswith(".gz"):
        import gzip

        data = gzip.decompress(data)
    return hashlib.sha256(data).hexdigest()


def kill_writer(
    writer: Writer, workshop: Workshop, kills: int, seed: int, say: Callable[[str], object] = print
) -> list[str]:
    """Kill a command so many times; returns what was not whole afterwards."""
    rng = Random(f"{seed}/{writer.name}")
    workshop.reset(writer)
    old = workshop.state(writer)
    record = workshop.base.folder.parent / "calls.json"
    workshop.run(writer.argv, Profile(record=record))
    new = workshop.state(writer)
    there = {path.name for path in workshop.place.iterdir()}
    total, changing = json.loads(record.read_text())
    workshop.reset(writer)
    seconds = workshop.run(writer.argv).cpu
    problems = []
    for number in range(kills):
        watch = _moment(rng, number, total, changing, seconds)
        workshop.reset(writer)
        done = workshop.run(writer.argv, watch, good=False)
        where = f"{writer.name}, ended {watch} (signal {done.signal})"
        state = workshop.state(writer)
        if state != old and state != new:
            problems.append(f"{where}: the output is neither the old nor the new: {state!r:.300}")
            continue
        again = workshop.run(writer.argv, good=False)
        # Some refuse an output that is there: it is whole already.
        if (again.code != 0 and state != new) or workshop.state(writer) != new:
            problems.append(f"{where}: the same command then fails: {again.err.decode()[-300:]}")
        left = {path.name for path in workshop.place.iterdir()} - there
        if left and again.code == 0:
            problems.append(f"{where}: left behind after the next run: {sorted(left)}")
    say(f"{writer.name:<22} {kills:>5} kills  {len(problems):>3} problems  {total:>9,} calls")
    return problems


def _moment(
    rng: Random, number: int, total: int, changing: list[int], seconds: float
) -> Profile | Timer:
    if number % 3 == 0 and changing:
        return Profile(rng.choice(changing) + rng.choice((0, 1, 2)))
    return Profile(rng.randint(1, total)) if number % 3 == 1 else Timer(rng.random() * seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50, help="of each command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--writer", nargs="*", help="only these commands")
    options = parser.parse_args()
    chosen = [w for w in WRITERS if not options.writer or w.name in options.writer]
    forked.import_everything(neural=any(writer.neural for writer in chosen))
    with tempfile.TemporaryDirectory(prefix="kgpath-kills-") as folder:
        workshop = Workshop(Base(Path(folder) / "base"))
        workshop.prepare()
        problems = [
            line for w in chosen for line in kill_writer(w, workshop, options.kills, options.seed)
        ]
    print("\n".join(problems) or "Every output was the old or the new, whole.")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
