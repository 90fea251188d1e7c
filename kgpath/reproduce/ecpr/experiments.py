"""An experiment: a ranker with its encoders, what came out of it, and the cache of results."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kgpath.io.atomic import replacing
from kgpath.metrics import Evaluation, parse
from kgpath.reproduce.ecpr.settings import with_options


@dataclass(frozen=True)
class Experiment:
    """What is measured: a ranker, and for those of the paper the encoders it reads with."""

    ranker: str
    context: str = ""
    path: str = ""

    def __str__(self) -> str:
        if not self.context:
            return self.ranker
        encoders = {"context_encoder": self.context, "path_encoder": self.path}
        return with_options(self.ranker, **encoders)


@dataclass(frozen=True)
class Result:
    """The figures of an experiment by query; ``hops`` is the length of the path ranked first."""

    experiment: str
    evaluation: Evaluation
    hops: tuple[int, ...]
    seconds: dict[str, float] = field(default_factory=dict)
    report: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        found = self.evaluation
        return {
            "cell": self.experiment,
            "means": found.means(),
            "seconds": self.seconds,
            "report": self.report,
            "queries": found.queries,
            "groups": found.groups,
            "candidates": found.candidates,
            "hops": self.hops,
            "values": {str(metric): values for metric, values in found.values.items()},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Result:
        """What :meth:`to_json` gave."""
        evaluation = Evaluation(
            tuple(data["queries"]),
            tuple(data["groups"]),
            tuple(data["candidates"]),
            {parse(name): tuple(values) for name, values in data["values"].items()},
        )
        return cls(data["cell"], evaluation, tuple(data["hops"]), data["seconds"], data["report"])


@dataclass(frozen=True)
class Failed:
    """An experiment that could not be made, and why."""

    experiment: str
    why: str

    @classmethod
    def of(cls, experiment: str, error: Exception) -> Failed:
        """The reason in one line."""
        said = " ".join(str(error).split()) or "no reason given"
        kind = "" if type(error).__module__.startswith("kgpath") else f"{type(error).__name__}: "
        return cls(experiment, f"failed: {kind}{said}"[:300])


class ResultCache:
    """Results by key, a file each; without a folder, nothing is cached."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get(self, name: str, key: str) -> dict[str, Any] | None:
        """What was cached, if it is there and whole."""
        if self._folder is None:
            return None
        try:
            data = json.loads(self._file(name, key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return data if isinstance(data, dict) else None

    def put(self, name: str, key: str, data: dict[str, Any]) -> None:
        """Write a file that appears whole or not at all."""
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            with replacing(self._file(name, key)) as temporary:
                temporary.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")

    def _file(self, name: str, key: str) -> Path:
        assert self._folder is not None
        slug = re.sub(r"[^A-Za-z0-9.=-]+", "_", name).strip("_")[:120]
        return self._folder / f"{slug}-{key[:12]}.json"
