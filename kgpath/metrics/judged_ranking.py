"""A query's ranking with its judgement: what every metric reads."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from kgpath.errors import BadOption
from kgpath.metrics.overlap import Overlap
from kgpath.types import Path

#: What makes two paths the same: equal keys.
Key = Callable[[Path], Hashable]


@dataclass(frozen=True)
class JudgedRanking:
    """The scores of a query's candidates, and which of these are true.

    ``true`` holds places in ``scores``; ``missing`` counts the true paths that are not among the
    candidates. ``paths`` (in the order of ``scores``) and ``truths`` are needed by the metrics
    that look at the paths themselves, and may be left out for the others. ``group`` names what
    the query belongs to, such as its document. ``evidence`` compares the sentences shown for the
    first path with those marked for its facts; None where nothing is marked.
    """

    query: str
    scores: tuple[float, ...]
    true: tuple[int, ...] = ()
    missing: int = 0
    # Any sequence, also one that makes its paths when asked: only the first ones are read.
    paths: Sequence[Path] = field(default=(), repr=False, compare=False)
    truths: tuple[Path, ...] = field(default=(), repr=False)
    group: str = ""
    evidence: Overlap | None = None

    def __post_init__(self) -> None:
        scores = tuple(map(float, self.scores))
        true = tuple(sorted({int(place) for place in self.true}))
        if any(map(math.isnan, scores)):
            raise BadOption(f"Query {self.query}: a score is not a number, so nothing has a rank.")
        if true and not 0 <= true[0] <= true[-1] < len(scores):
            raise BadOption(
                f"Query {self.query}: true places {true}, but there are {len(scores)} candidates."
            )
        if self.missing < 0 or (not true and not self.missing):
            raise BadOption(
                f"Query {self.query} has no true path: give its place in 'true', "
                "or missing=1 if it is not among the candidates."
            )
        if len(self.paths) not in (0, len(scores)):
            raise BadOption(
                f"Query {self.query}: {len(self.paths)} paths, but {len(scores)} scores."
            )
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "true", true)
        object.__setattr__(self, "truths", tuple(self.truths))

    @property
    def complete(self) -> bool:
        """Whether every true path is among the candidates."""
        return self.missing == 0

    def top(self) -> list[int]:
        """Places of the candidates with the best score: one, more if they tie, none if empty."""
        best = max(self.scores, default=None)
        return [place for place, score in enumerate(self.scores) if score == best]


def whole_path(path: Path) -> Hashable:
    """Paths are the same if entities, relations and directions are."""
    return tuple(path.iris())


def judge(
    query: str,
    paths: Iterable[Path],
    scores: Iterable[float],
    truths: Iterable[Path],
    *,
    same: Key = whole_path,
    group: str = "",
) -> JudgedRanking:
    """Find the true paths among scored candidates.

    Candidates that are the same become one, with the best of their scores. ``same`` says which
    are: with ``lambda path: path.nodes``, entity sequences are ranked.
    """
    best: dict[Hashable, tuple[float, Path]] = {}
    for path, score in zip(paths, scores, strict=True):
        key = same(path)
        if key not in best or score > best[key][0]:
            best[key] = float(score), path
    true_paths = tuple(truths)
    wanted = set(map(same, true_paths))
    return JudgedRanking(
        query,
        tuple(score for score, _ in best.values()),
        tuple(place for place, key in enumerate(best) if key in wanted),
        missing=sum(key not in best for key in wanted),
        paths=tuple(path for _, path in best.values()),
        truths=true_paths,
        group=group,
    )


def by_chance(query: JudgedRanking) -> JudgedRanking:
    """The same query ranked by chance: all candidates tie, so metrics give the expected value."""
    return replace(query, scores=(0.0,) * len(query.scores))
