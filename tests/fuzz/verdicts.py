"""What is wrong with how a command ended: a finding, or nothing."""

from __future__ import annotations

import json
import re
import signal
from typing import NamedTuple

from fuzz.forked import Outcome

LONGEST_MESSAGE = 1_000_000  # bytes, besides what the user typed
# All control characters but line feed and tab, and what turns the direction of a line.
_UNCLEAN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff]"
)
_NO_MEMORY = re.compile(rb"MemoryError|not enough memory|out of memory|bad_alloc", re.IGNORECASE)
_UNEXPECTED = re.compile(rb"should not have happened", re.IGNORECASE)


class Finding(NamedTuple):
    """A kind to count by, and what was seen."""

    kind: str
    detail: str


def judge(outcome: Outcome, argv: list[str]) -> Finding | None:
    """What no input may lead to, whatever it is."""
    if outcome.hung:
        return Finding("hang", "no end, and no processor time used")
    if outcome.signal == signal.SIGXCPU or (outcome.signal == signal.SIGKILL and outcome.cpu > 5):
        return Finding("cpu", f"over {outcome.cpu:.0f} s of processor time")
    if outcome.signal is not None:
        memory = _NO_MEMORY.search(outcome.err)
        name = signal.Signals(outcome.signal).name
        return Finding("memory" if memory else "signal", f"{name}: {_last_line(outcome.err)}")
    if _NO_MEMORY.search(outcome.err):
        return Finding("memory", _last_line(outcome.err))
    if b"Traceback (most recent call last)" in outcome.err or _UNEXPECTED.search(outcome.err):
        return Finding("traceback", _last_line(outcome.err))
    if b"RuntimeWarning" in outcome.err:
        return Finding("warning", _last_line(outcome.err))
    return _unclear_end(outcome, argv) or _unclean_output(outcome) or _broken_json(outcome, argv)


def _unclear_end(outcome: Outcome, argv: list[str]) -> Finding | None:
    if outcome.code not in (0, 1, 2):
        return Finding("exit code", str(outcome.code))
    says_problems = argv[:1] == ["check"]
    if outcome.code == 1 and b"kgpath: " not in outcome.err and not says_problems:
        return Finding("no message", _last_line(outcome.err))
    if outcome.code == 2 and b"Usage: " not in outcome.err:
        return Finding("no message", _last_line(outcome.err))
    typed = sum(len(part.encode("utf-8", "surrogateescape")) for part in argv)
    if len(outcome.err) > LONGEST_MESSAGE + 2 * typed:
        return Finding("flood", f"{len(outcome.err):,} bytes on stderr")
    return None


def _unclean_output(outcome: Outcome) -> Finding | None:
    for name, said in (("stdout", outcome.out), ("stderr", outcome.err)):
        try:
            text = said.decode()
        except UnicodeDecodeError as error:
            return Finding("unclean", f"{name} is not UTF-8: {error}")
        if found := _UNCLEAN.search(text):
            around = text[max(0, found.start() - 40) : found.end() + 20]
            return Finding("unclean", f"{name} has {found.group()!r}: {around!r}")
    return None


def _broken_json(outcome: Outcome, argv: list[str]) -> Finding | None:
    """With --json a program reads along: NaN, or half an object, is of no use to it."""
    if "--json" not in argv or outcome.code != 0:
        return None
    text = outcome.out.decode()
    try:
        json.loads(text, parse_constant=_refuse)
    except ValueError:
        try:
            for line in text.splitlines():
                json.loads(line, parse_constant=_refuse)
        except ValueError as error:
            return Finding("broken json", str(error))
    return None


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _last_line(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:300] if lines else "nothing was said"
