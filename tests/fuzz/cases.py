"""One input, one command, one folder: what was said, what was written, what is wrong with it."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from fuzz.base import Base
from fuzz.endpoint import be_impatient
from fuzz.forked import Outcome, run
from fuzz.target import Mutant, Target, filled
from fuzz.verdicts import Finding, judge

#: Files of the user that no command may touch, some of them like those of kgpath.
BYSTANDERS = {
    "kept/notes.txt": b"mine", "kept/model.json": b'{"files": {}}', "kept/index.json": b"{}",
    "kept/a.npy": b"mine",
}  # fmt: skip
#: Where a command may write. An index and what is cached can be made again.
_WRITABLE = ("out", "out/*", "*.index", "*.index/*", "cache", "cache/*")
_MADE_AGAIN = ("cache*", "used*", "*.index", "*.index/*")
_TEMPORARY = ("*.building", ".*", "*/.*", "*.tmp")
_RESUMED_LATER = "*.part*"

Snapshot = dict[str, tuple[int, int, int]]


@dataclass(frozen=True)
class Result:
    """How one input went."""

    target: str
    number: int
    argv: list[str]
    outcome: Outcome
    finding: Finding | None

    @property
    def accepted(self) -> bool:
        return self.outcome.code == 0


@dataclass
class Bench:
    """Where cases are laid out and run."""

    base: Base
    work: Path
    url: str = ""
    _answers: dict[tuple[str, int], Any] = field(default_factory=dict)

    def try_input(self, target: Target, number: int, mutant: Mutant) -> Result:
        """Run the n-th input of a target; its folder stays if there is a finding."""
        folder = self.work / f"{re.sub('[^a-z]+', '-', target.name)}-{number}"
        self.lay_out(folder, mutant)
        places = {"{base}": str(self.base.folder), "{url}": f"{self.url}/{folder.name}/sparql"}
        argv = target.argv(number, mutant, places)
        before, base_before = snapshot(folder), snapshot(self.base.folder, _MADE_AGAIN)
        outcome = self.command(target, argv, folder)
        finding = (
            judge(outcome, argv)
            or self._wrong(target, number, mutant, outcome, argv, folder)
            or _harm(before, folder, outcome, mutant.main if _changes(argv) else "")
            or _touched(base_before, snapshot(self.base.folder, _MADE_AGAIN))
            or self._unsound(target, number, mutant, outcome, places, folder)
        )
        if finding is None:
            shutil.rmtree(folder, ignore_errors=True)
        return Result(target.name, number, argv, outcome, finding)

    def command(self, target: Target, argv: list[str], folder: Path) -> Outcome:
        """Run a command of a target; ``< FILE`` at its end is what it reads from stdin."""
        stdin = b""
        if "<" in argv[-2:-1]:
            stdin, argv = (folder / argv[-1]).read_bytes(), argv[:-2]
        env = {**self.base.env, **target.env}
        return run(
            argv, folder, ceiling=target.ceiling, env=env, stdin=stdin, before=be_impatient
        )  # fmt: skip

    def lay_out(self, folder: Path, mutant: Mutant) -> None:
        """Write the files of an input, and those beside it."""
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "out").mkdir(parents=True)
        for name, data in {**mutant.files, **BYSTANDERS}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)

    def _wrong(
        self, target: Target, number: int, mutant: Mutant, outcome: Outcome, argv: list[str],
        folder: Path,
    ) -> Finding | None:  # fmt: skip
        """Answers that should have been refusals, or other answers."""
        if outcome.code != 0:
            return None
        if mutant.must_refuse:
            return Finding("not refused", "altered files that do not fit their checksums")
        if target.same:
            expected, found = self._good_answer(target, number), answer(argv, outcome, folder)
            if expected != found:
                return Finding("wrong answer", _difference(expected, found))
        return None

    def _good_answer(self, target: Target, number: int) -> Any:
        key = target.name, number % len(target.commands)
        if key not in self._answers:
            files = target.seeds(self.base)[0]
            good = Mutant(files, next(iter(files)))
            folder = self.work / "good"
            self.lay_out(folder, good)
            argv = target.argv(number, good, {"{base}": str(self.base.folder)})
            outcome = self.command(target, argv, folder)
            if outcome.code != 0:
                raise RuntimeError(f"{argv} fails without a mutation: {outcome.err.decode()}")
            self._answers[key] = answer(argv, outcome, folder)
            shutil.rmtree(folder)
        return self._answers[key]

    def _unsound(
        self, target: Target, number: int, mutant: Mutant, outcome: Outcome,
        places: dict[str, str], folder: Path,
    ) -> Finding | None:  # fmt: skip
        """What was written has to be whole, and fit to be looked at."""
        if outcome.code != 0 or not target.then:
            return None
        argv = filled(target.then[number % len(target.then)].split(), mutant, places)
        after = self.command(target, argv, folder)
        if found := judge(after, argv):
            return Finding(found.kind, f"then {argv[0]}: {found.detail}")
        if argv[0] == "check" and after.code:
            return Finding("unsound", after.out.decode("utf-8", "replace")[:300])
        return None


def answer(argv: list[str], outcome: Outcome, folder: Path) -> Any:
    """What a command answered, without what is no content of a graph; None: not to be compared."""
    if argv[0] == "check":
        return None
    if argv[0] == "info":
        if "--json" not in argv:
            return None
        data = json.loads(outcome.out)
        return {k: v for k, v in data.items() if k not in ("sources", "bytes", "path")}
    written = {path.name: path.read_bytes() for path in sorted((folder / "out").iterdir())}
    return outcome.out.decode("utf-8", "replace"), written


def snapshot(folder: Path, ignored: tuple[str, ...] = ()) -> Snapshot:
    """Every file and folder below, with its size, its time and its mode."""
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if not any(fnmatch(name, pattern) for pattern in ignored):
            stat = path.lstat()
            size, time = (0, 0) if path.is_dir() else (stat.st_size, stat.st_mtime_ns)
            found[name] = size, time, stat.st_mode
    return found


def _changes(argv: list[str]) -> bool:
    """Whether a command changes the graph file that it is given."""
    return argv[0] in ("add", "remove") or "--upgrade" in argv


def _harm(before: Snapshot, folder: Path, outcome: Outcome, given: str) -> Finding | None:
    """Files that are gone, changed or left behind."""
    after = snapshot(folder)
    graph = next((name for name in before if given and name.endswith(".kg")), "")
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    harmed = sorted(n for n in changed if n != graph and not any(fnmatch(n, w) for w in _WRITABLE))
    if harmed:
        return Finding("harm", f"changed outside of the output: {', '.join(harmed)[:200]}")
    written = sorted(name.removeprefix("out/") for name in after if name.startswith("out/"))
    left = [n for n in written if any(fnmatch(n, pattern) for pattern in _TEMPORARY)]
    if outcome.code:
        left = [name for name in written if not fnmatch(name, _RESUMED_LATER)]
    if left:
        return Finding("leftover", ", ".join(left)[:200])
    return None


def _touched(before: Snapshot, after: Snapshot) -> Finding | None:
    changed = [n for n in before.keys() | after.keys() if before.get(n) != after.get(n)]
    return (
        Finding("harm", f"changed elsewhere: {', '.join(sorted(changed))[:200]}")
        if changed
        else None
    )


def _difference(expected: Any, found: Any) -> str:
    one, other = (json.dumps(value, default=repr) for value in (expected, found))
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    begin = max(0, at - 60)
    return f"{one[begin : at + 60]!r} became {other[begin : at + 60]!r}"
