"""Readers beside a writer: every answer is that of one of the whole states of a graph.

python tests/fuzz/soak.py --rounds 200 --readers 3
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# Its folder kgpath would be taken for the package, were that not found first.
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fuzz import forked, seeds
from fuzz.base import Base
from fuzz.verdicts import judge

_CEILING = 2048
_CPU = 120
_ASK = ("paths", "shared.kg", "Roger Moore", "Daniel Craig", "--max-hops", "3", "--json")
_WRITE = (
    ("add", "shared.kg", "more.nt"),
    ("remove", "shared.kg", "more.nt"),
    ("build", "other.ttl", "-o", "shared.kg"),
    ("build", "tiny.ttl", "-o", "shared.kg"),
)
_MORE = (
    "<http://dbpedia.org/resource/Roger_Moore> <http://dbpedia.org/ontology/knows> "
    "<http://dbpedia.org/resource/Daniel_Craig> .\n"
)
#: A refusal that tells the truth: between two looks, the file was replaced.
_REPLACED = b"was replaced while it was open"


def soak(base: Base, rounds: int, readers: int) -> list[str]:
    """Write so many times while others read; returns what was wrong."""
    states = _states(base)
    results = [base.folder / f"reader-{number}.jsonl" for number in range(readers)]
    done = base.folder / "soak-done"
    children = [_reader(base, states, result, done) for result in results]
    wrong = list(_written(base, rounds))
    done.write_text("")
    for child in children:
        if os.waitpid(child, 0)[1]:
            wrong.append("a reader of the harness failed")
    told = [json.loads(line) for result in results for line in result.read_text().splitlines()]
    counts = Counter(one["state"] for one in told)
    print(f"{rounds} writes, {len(told)} answers: {dict(sorted(counts.items()))}")
    return wrong + [one["said"] for one in told if one["state"] == "wrong"]


def _states(base: Base) -> dict[bytes, str]:
    """The answers of the whole states, each by its name."""
    assert base.tiny
    (base.folder / "more.nt").write_text(_MORE)
    (base.folder / "other.ttl").write_text(seeds.TURTLE.replace("portrayer", "played"))
    found = {}
    for name, argv in (("tiny", _WRITE[3]), ("more", _WRITE[0]), ("other", _WRITE[2])):
        if name == "more":
            base.command(*_WRITE[3])
        base.command(*argv)
        found[base.command(*_ASK)] = name
    base.command(*_WRITE[3])
    assert len(found) == 3
    return found


def _written(base: Base, rounds: int) -> Iterator[str]:
    for argv in islice(cycle(_WRITE), rounds):
        done = _run(base, argv)
        if done.code != 0:
            yield f"kgpath {' '.join(argv)}: {done.err.decode()[-300:]}"


def _run(base: Base, argv: tuple[str, ...]) -> forked.Outcome:
    return forked.run(list(argv), base.folder, ceiling=_CEILING, cpu=_CPU, env=base.env)


def _reader(base: Base, states: dict[bytes, str], result: Path, done: Path) -> int:
    """A process that asks until the writer is done, and once more."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        with result.open("w", encoding="utf-8") as lines:
            last = False
            while not last:
                last = done.exists()
                lines.write(json.dumps(_asked(base, states)) + "\n")
        code = 0
    finally:
        os._exit(code)


def _asked(base: Base, states: dict[bytes, str]) -> dict[str, str]:
    outcome = _run(base, _ASK)
    if outcome.code == 0 and outcome.out in states:
        return {"state": states[outcome.out]}
    finding = judge(outcome, list(_ASK))
    if finding is None and outcome.code == 1 and _REPLACED in outcome.err:
        return {"state": "replaced meanwhile"}
    said = outcome.said.decode("utf-8", "replace")[-500:]
    return {"state": "wrong", "said": f"{finding} code {outcome.code}: {said}"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=200, help="how often the graph is written")
    parser.add_argument("--readers", type=int, default=3)
    options = parser.parse_args()
    forked.import_everything(neural=False)
    with tempfile.TemporaryDirectory(prefix="kgpath-soak-") as folder:
        wrong = soak(Base(Path(folder) / "base"), options.rounds, options.readers)
    print("\n".join(wrong) or "Every answer was that of a whole state.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
