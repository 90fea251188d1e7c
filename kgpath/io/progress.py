"""How long work reports its progress: one type for callbacks, and notes on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias, TypeVar

T = TypeVar("T")

#: Called with what is being done, how much of it is done, and how much there is (0: unknown).
Progress: TypeAlias = Callable[[str, int, int], object]

#: Seconds between two notes; what takes less is done in silence.
EVERY = 15.0


def silent(step: str, done: int, total: int) -> None:
    """The progress of work that nobody watches."""


def note(message: str) -> None:
    """Tell the user, on stderr, about work that happens by itself."""
    print(f"kgpath: {message}", file=sys.stderr)


def with_notes(items: Sequence[T], what: str) -> Iterator[T]:
    """The items, with a note now and then: how many are done, and how long it may still take."""
    began = last = time.monotonic()
    for done, item in enumerate(items):
        now = time.monotonic()
        if now - last > EVERY:
            last = now
            left = (now - began) / max(done, 1) * (len(items) - done) / 60
            note(f"{what}: {done:,} of {len(items):,}, about {left:.0f} min left")
        yield item
