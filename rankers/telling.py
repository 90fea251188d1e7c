"""Long work tells how far it is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

from kgpath.index import note

T = TypeVar("T")

#: Seconds between two notes; what takes less is done in silence.
EVERY = 15.0


def telling(items: Sequence[T], what: str) -> Iterator[T]:
    """The items, with a note now and then: how many are done, and how long it may still take."""
    began = told = time.monotonic()
    for done, item in enumerate(items):
        now = time.monotonic()
        if now - told > EVERY:
            told = now
            left = (now - began) / max(done, 1) * (len(items) - done) / 60
            note(f"{what}: {done:,} of {len(items):,}, about {left:.0f} min left")
        yield item
