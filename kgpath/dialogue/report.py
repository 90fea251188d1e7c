"""An evaluation as plain data: means, intervals over turns and dialogues, paired differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kgpath.dialogue.evaluation import METRICS, Run, difference
from kgpath.dialogue.run_analysis import buckets, diversity, errors, no_passage
from kgpath.dialogue.scores import bleu4
from kgpath.errors import MissingExtra
from kgpath.metrics.comparison import Interval

SHOWN = ("KnowF1", "EntityAcc", "RespGroundF1", "UserScore")


def as_json(runs: Sequence[Run], seed: int = 42) -> dict[str, Any]:
    """All that is known of some runs over the same turns; differences are to the first one."""
    first = runs[0]
    bleu = [bleu_of(one) for one in runs]
    return {
        "turns": len(first.outcomes),
        "dialogues": len({outcome.dialogue for outcome in first.outcomes}),
        "missing": sum(outcome.selection.turn.gold is None for outcome in first.outcomes),
        "seed": seed,
        "bleu": bleu[0][1],
        "runs": [
            {
                "run": one.name,
                "means": {
                    **{name: _plain(one.mean(name)) for name in METRICS},
                    "BLEU-4": bleu[at][0],
                },
                "intervals": {
                    unit: {m: _listed(one.interval(m, whole, seed=seed)) for m in SHOWN}
                    for unit, whole in (("turns", False), ("dialogues", True))
                },
                "differences": {
                    unit: {m: _listed(difference(one, first, m, whole, seed=seed)) for m in SHOWN}
                    for unit, whole in (("turns", False), ("dialogues", True))
                },
                "errors": _record(errors(one)),
                "no_passage": _record(no_passage(one)),
                "diversity": _record(diversity(one)),
                "path_lengths": [_record(bucket) for bucket in buckets(one)],
            }
            for at, one in enumerate(runs)
        ],
    }


def bleu_of(run: Run) -> tuple[float | None, str]:
    """BLEU-4 of a run and how it was computed; None, and why, where it cannot be."""
    pairs = [(o.response, o.selection.turn.response) for o in run.outcomes]
    known = [pair for pair in pairs if pair[1]]
    if not known:
        return None, "BLEU-4 needs responses, which these turns do not have."
    try:
        value, signature = bleu4([made for made, _ in known], [true for _, true in known])
    except MissingExtra as error:
        return None, str(error)
    return value, f"BLEU-4: {signature}."


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value


def _record(record: Any) -> dict[str, Any]:
    return {name: _plain(value) for name, value in record._asdict().items()}


def _listed(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
