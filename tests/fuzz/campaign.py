"""Many inputs over many targets, several at once; findings go to a folder, figures into a table."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.base import Base
from fuzz.cases import Bench, Result
from fuzz.endpoint import serving
from fuzz.shrink import shrunk
from fuzz.target import Mutant, Target

Row = dict[str, Any]


class Plan(NamedTuple):
    """How many inputs each target gets, from which seed, by how many processes."""

    inputs: dict[str, int]
    seed: int
    jobs: int


def shares(targets: Sequence[Target], inputs: int) -> dict[str, int]:
    """So many inputs in all, divided among targets."""
    whole = sum(target.share for target in targets)
    return {target.name: -(-inputs * target.share // whole) for target in targets}


def campaign(targets: Sequence[Target], plan: Plan, base: Base, findings: Path) -> list[Row]:
    """Run a plan; returns a row for every input."""
    for target in targets:  # what they need is made before the processes part
        target.seeds(base)
    findings.mkdir(parents=True, exist_ok=True)
    work = base.folder.parent / "work"
    work.mkdir(exist_ok=True)
    with serving(work) as url:
        files = [work / f"rows-{number}.jsonl" for number in range(plan.jobs)]
        children = [
            _forked(targets, plan, Bench(base, work / f"{n}", f"{url}/{n}"), findings, n, file)
            for n, file in enumerate(files)
        ]
        failed = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    if any(failed):
        raise RuntimeError(f"the harness itself failed: exit codes {failed}")
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    shutil.rmtree(work, ignore_errors=True)
    return sorted(rows, key=lambda row: (row["target"], row["number"]))


def refused_seeds(targets: Sequence[Target], base: Base, every: bool) -> list[str]:
    """Seeds that no command takes, and commands that take none: they would prove nothing.

    Without ``every``, only targets of which the first seed is taken by no command.
    """
    work = base.folder.parent / "seeds"
    with serving(work) as url:
        bench = Bench(base, work, url)
        failed = [line for target in targets for line in _refused(target, bench, every)]
    shutil.rmtree(work, ignore_errors=True)
    return failed


def _refused(target: Target, bench: Bench, every: bool) -> Iterable[str]:
    goods = [Mutant(files, target.main or next(iter(files))) for files in target.seeds(bench.base)]
    taken: set[int] = set()

    def takes(command: int, seed: int) -> bool:
        result = bench.try_input(target, command, goods[seed])
        if result.finding:
            raise RuntimeError(f"{target.name}, {result.argv}: {result.finding}")
        if result.accepted:
            taken.add(seed)
        return result.accepted

    commands = range(len(target.commands))
    for command in commands if every else ():
        if not any(takes(command, seed) for seed in range(len(goods))):
            yield f"{target.name}: no seed for {target.commands[command]}"
    for seed in range(len(goods) if every else 1):
        if seed not in taken and not any(takes(command, seed) for command in commands):
            yield f"{target.name}: no command takes seed {seed}"


def _forked(
    targets: Sequence[Target], plan: Plan, bench: Bench, findings: Path, number: int, file: Path
) -> int:
    """A process that takes every n-th input."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        bench.work.mkdir(exist_ok=True)
        with file.open("w", encoding="utf-8") as lines:
            for target in targets:
                for row in _rows(target, plan, bench, findings, number):
                    lines.write(json.dumps(row) + "\n")
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _rows(target: Target, plan: Plan, bench: Bench, findings: Path, worker: int) -> Iterable[Row]:
    mutants = enumerate(islice(target.mutants(bench.base, plan.seed), plan.inputs[target.name]))
    for number, mutant in mutants:
        if number % plan.jobs == worker:
            result = bench.try_input(target, number, mutant)
            if result.finding:
                _keep(target, mutant, result, bench, findings / f"{plan.seed}")
            yield _row(result)


def _row(result: Result) -> Row:
    finding = result.finding._asdict() if result.finding else None
    return {
        "target": result.target, "number": result.number, "accepted": result.accepted,
        "finding": finding, "cpu": result.outcome.cpu,
        "command": [part[:200] for part in result.argv],
    }  # fmt: skip


def _keep(target: Target, mutant: Mutant, result: Result, bench: Bench, findings: Path) -> None:
    """Write down a finding: its files, as small as it is easily had, the command, what was said."""
    assert result.finding
    kept = shrunk(target, mutant, result, bench)
    place = findings / f"{target.name.replace(' ', '-')}-{result.number}"
    shutil.rmtree(place, ignore_errors=True)
    for name, data in kept.files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    about = {"finding": result.finding._asdict(), "command": result.argv, "main": kept.main}
    (place / "finding.json").write_text(json.dumps(about, indent=2), encoding="utf-8")
    (place / "finding.out").write_bytes(result.outcome.out[:100_000])
    (place / "finding.err").write_bytes(result.outcome.err[:100_000])


def table(rows: Sequence[Row]) -> str:
    """Inputs, refusals, answers and findings by target, then the findings by kind."""
    names = list(dict.fromkeys(row["target"] for row in rows))
    width = max(map(len, [*names, "target"]))
    lines = [f"{'target':<{width}}  inputs  refused  accepted  findings  most cpu"]
    for name in [*names, ""]:
        own = [row for row in rows if name in ("", row["target"])]
        accepted = sum(row["accepted"] for row in own)
        findings = sum(row["finding"] is not None for row in own)
        cpu = max(row["cpu"] for row in own)
        lines.append(
            f"{name or 'all':<{width}}  {len(own):>6,}  {len(own) - accepted:>7,}  {accepted:>8,}  "
            f"{findings:>8,}  {cpu:>6.1f} s"
        )
    return "\n".join([*lines, *_by_kind(rows)])


def _by_kind(rows: Sequence[Row]) -> list[str]:
    found = [row for row in rows if row["finding"]]
    kinds = Counter((row["target"], row["finding"]["kind"]) for row in found)
    lines = []
    for (target, kind), count in sorted(kinds.items()):
        of_kind = [r for r in found if (r["target"], r["finding"]["kind"]) == (target, kind)]
        numbers = ", ".join(str(row["number"]) for row in of_kind[:5])
        said = dict.fromkeys(row["finding"]["detail"][:150] for row in of_kind)
        lines.append(f"\n{target}: {kind}, {count:,} (inputs {numbers})")
        lines += [f"  {detail}" for detail in list(said)[:4]]
    return lines


def replay(targets: Sequence[Target], base: Base, every: bool) -> list[Row]:
    """Every past failure of these targets, by each of their commands or by one in turn."""
    from fuzz.corpus import entries

    work = base.folder.parent / "replay"
    rows = []
    with serving(work) as url:
        bench = Bench(base, work, url)
        for target in targets:
            for turn, entry in enumerate(entries(target, base)):
                for number in range(len(target.commands)) if every else [turn]:
                    result = bench.try_input(entry.target, number, entry.mutant)
                    rows.append({**_row(result), "number": entry.name})
    shutil.rmtree(work, ignore_errors=True)
    return rows
