"""How long work reports its progress: one type for callbacks, and notes on stderr.

What is trained lies deep: ``fit`` of a ranker takes examples and nothing else. So whoever shows
progress says so for a block (:func:`reporting`), and whatever is trained within it tells its steps
(:class:`Steps`, :func:`counted`, :func:`tell`), without a callback that goes through every call.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias, TypeVar

T = TypeVar("T")

#: Called with what is being done, how much of it is done, and how much there is (0: unknown).
Progress: TypeAlias = Callable[[str, int, int], object]

#: Seconds between two notes where nobody shows progress; what takes less is done in silence.
EVERY = 15.0
#: What is to come is estimated from the first steps: so many, or as many as so many seconds hold.
_FIRST, _SECONDS = 3, 1.0


def silent(step: str, done: int, total: int) -> None:
    """The progress of work that nobody watches."""


_shown: ContextVar[Progress] = ContextVar("shown", default=silent)


@contextmanager
def reporting(progress: Progress) -> Iterator[None]:
    """Whatever is trained within the block tells this how far it is."""
    token = _shown.set(progress)
    try:
        yield
    finally:
        _shown.reset(token)


def tell(step: str) -> None:
    """What begins now, of which nobody knows how far it is."""
    _shown.get()(step, 0, 0)


def note(message: str) -> None:
    """Tell the user, on stderr, about work that happens by itself."""
    print(f"kgpath: {message}", file=sys.stderr)


class Steps:
    """Tells what is being done in equal steps, what it will cost, and how far it is.

    ``at`` is called before each step with the number of those done. The first few are timed; then
    their number and the time they all will take are said, such as "training path-vae: 660 steps,
    about 12 s". ``most`` is how many seconds the work may take; ``done`` is how much of it an
    earlier run had done. Where nobody shows progress, there is a note now and then.
    """

    def __init__(
        self, what: str, total: int, unit: str = "steps", *, done: int = 0, most: float = 0
    ) -> None:
        self.what, self.total, self.unit, self.most = what, total, unit, most
        # Looked up now: what comes later may come from a thread, which begins without it.
        self._shown = _shown.get()
        self._first, self._cost = done, ""
        self._began = self._noted = time.monotonic()
        self._timed = self._began, done

    def at(self, done: int) -> None:
        """So many are done."""
        now = time.monotonic()
        taken, here = now - self._began, done - self._first
        if self._shown is silent:
            if now - self._noted > EVERY:
                self._noted = now
                left = in_words(self._of(self.total - done, taken / max(here, 1)))
                note(f"{self.what}: {done:,} of {self.total:,}, about {left} left")
            return
        if here == 1 and taken < _SECONDS:  # the first step also warms up
            self._timed = now, done
        since, before = self._timed
        steps, seconds = done - before, now - since
        if not self._cost and steps and (steps >= _FIRST or seconds >= _SECONDS):
            cost = in_words(self._of(self.total - self._first, seconds / steps))
            self._cost = f": {self.total:,} {self.unit}, about {cost}"
        self._shown(f"{self.what}{self._cost}", done, self.total)

    def _of(self, steps: int, seconds: float) -> float:
        """What so many steps take, at so many seconds each."""
        return min(steps * seconds, self.most) if self.most else steps * seconds


def counted(items: Sequence[T], what: str, unit: str = "steps") -> Iterator[T]:
    """The items; tells what is done with them, what all will cost, and how far it is."""
    steps = Steps(what, len(items), unit)
    for done, item in enumerate(items):
        steps.at(done)
        yield item


def in_words(seconds: float) -> str:
    """A time as somebody who waits says it: "12 s", "4 min"."""
    return f"{seconds / 60:.0f} min" if seconds > 90 else f"{max(seconds, 1):.0f} s"
