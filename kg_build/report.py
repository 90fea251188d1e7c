"""What happened to the statements of a source: counts, and the first of the bad lines."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from kgpath.errors import BadSource

SHOWN = 5


@dataclass
class Report:
    """Counts for one source. ``left_out`` maps a reason to how many statements it cost."""

    name: str
    strict: bool = False
    languages: tuple[str, ...] = ()  # those wanted: a reader need not give others; none: all
    statements: int = 0
    edges: int = 0
    malformed: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def bad(self, line: int | None, reason: str, text: str = "") -> None:
        """Count a malformed line; with ``strict`` stop the build there."""
        self.malformed += 1
        where = f"{self.name}:{line}" if line else self.name
        shown = f"{where}: {reason}"
        if text:
            shown += f"\n    {text[:120]}{' …' if len(text) > 120 else ''}"
        if self.strict:
            raise BadSource(f"{shown}\nStopped by --strict; without it the line is left out.")
        if len(self.examples) < SHOWN:
            self.examples.append(shown)
