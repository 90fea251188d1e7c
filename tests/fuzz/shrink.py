"""A finding with less around it: parts of its file are left out as long as it stays the same."""

from __future__ import annotations

from dataclasses import replace

from fuzz.cases import Bench, Result
from fuzz.target import Mutant, Target

_TRIES = 24
_SMALL = 1 << 20


def shrunk(target: Target, mutant: Mutant, result: Result, bench: Bench) -> Mutant:
    """The same finding from a smaller main file, where that is quickly found."""
    if result.finding is None or result.finding.kind in ("cpu", "hang", "memory"):
        return mutant
    data = mutant.files.get(mutant.main, b"")
    if len(mutant.files) > 2 or not data or len(data) > _SMALL:
        return mutant
    tries = _TRIES
    parts = 2
    while parts <= 16 and tries:
        size = max(1, len(data) // parts)
        for begin in range(0, len(data), size):
            smaller = data[:begin] + data[begin + size :]
            tries -= 1
            if smaller and _finds(target, mutant, result, bench, smaller):
                data, parts = smaller, max(1, parts // 2)
                break
            if not tries:
                break
        parts *= 2
    return _with(mutant, data)


def _with(mutant: Mutant, data: bytes) -> Mutant:
    return replace(mutant, files={**mutant.files, mutant.main: data})


def _finds(target: Target, mutant: Mutant, result: Result, bench: Bench, data: bytes) -> bool:
    again = bench.try_input(target, result.number, _with(mutant, data))
    return bool(again.finding and result.finding and again.finding.kind == result.finding.kind)
