"""What kgpath-general learned, as a folder of JSON and arrays, and the models that ship."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadStore
from kgpath.features.fact_sentences import sentence_table, told_sentences
from kgpath.features.feature_table import FeatureTable
from kgpath.features.path_features import PathFeatures
from kgpath.io.arrays import read_array, write_array
from kgpath.io.saved_json import finite, read_json
from kgpath.rankers.general.parallels import chosen_among_parallels
from kgpath.rankers.general.told_example import ToldExample
from kgpath.rankers.general.told_paths import told_paths
from kgpath.rankers.general.tree_arrays import TreeArrays

Numbers = NDArray[np.float64]

#: The model that ships.
SHIPPED = Path(__file__).parent / "shipped"
_ABOUT = "told.json"
_SUMS = "checksums.json"
_ARRAYS: dict[str, type[np.generic]] = {
    "tree": np.int32, "feature": np.int32, "threshold": np.float32, "left": np.uint16,
    "leaves": np.float32,
}  # fmt: skip
_PARTS = ("facts", "paths", "sentences")
_AGAIN = "Train the model again."


@dataclass(frozen=True)
class ToldModel:
    """Trees over facts, paths and sentences, and the line that makes a score a probability.

    ``fact_names`` and ``path_names`` are the features that the trees read, in their order.
    """

    facts: TreeArrays
    paths: TreeArrays
    sentences: TreeArrays | None
    slope: float
    shift: float
    threshold: float
    fact_names: tuple[str, ...]
    path_names: tuple[str, ...]
    sentence_names: tuple[str, ...]

    def fact_odds(self, example: ToldExample) -> Numbers:
        """The logarithms of the odds that each fact is told."""
        return self.facts.scores(_read(example.facts, self.fact_names))

    def path_odds(self, example: ToldExample, odds: Numbers) -> Numbers:
        """The logarithms of the odds that each path is told, calibrated."""
        rows = _read(told_paths(example, odds), self.path_names)
        scores = chosen_among_parallels(example, self.paths.scores(rows))
        return np.asarray(self.slope * scores + self.shift + example.reading)

    def shown(self, features: PathFeatures, asked: NDArray[np.int64]) -> list[tuple[int, ...]]:
        """For each of some facts, by place, the sentences that tell it; needs ``sentences``."""
        assert self.sentences is not None
        rows = sentence_table(features, asked)
        odds = self.sentences.scores(_read(rows.table, self.sentence_names))
        return told_sentences(rows, 1 / (1 + np.exp(-np.clip(odds, -50, 50))), self.threshold)

    def save(self, folder: Path) -> None:
        """Write the folder; the same model has the same bytes."""
        folder.mkdir(parents=True, exist_ok=True)
        about = {
            "slope": self.slope,
            "shift": self.shift,
            "threshold": self.threshold,
            "facts": self.fact_names,
            "paths": self.path_names,
            "sentences": self.sentence_names,
        }
        (folder / _ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        for part in _PARTS:
            trees = getattr(self, part)
            for name, array in {} if trees is None else trees.arrays().items():
                write_array(folder, f"{part}-{name}", array)

    @classmethod
    def load(cls, folder: Path) -> ToldModel:
        """Read what was saved; BadStore says what is wrong with it."""
        try:
            about = read_json(folder / _ABOUT, dict)
            names = {part: _names(about, part) for part in _PARTS}
            trees = {part: _trees(folder, part, names[part]) for part in names if names[part]}
            return cls(
                trees["facts"],
                trees["paths"],
                trees.get("sentences"),
                finite(about.get("slope"), "slope"),
                finite(about.get("shift"), "shift"),
                finite(about.get("threshold"), "threshold"),
                names["facts"],
                names["paths"],
                names["sentences"],
            )
        except (OSError, ValueError, KeyError) as error:
            raise BadStore(f"{folder / _ABOUT} cannot be read ({error}). {_AGAIN}") from error


def _read(table: FeatureTable, names: tuple[str, ...]) -> NDArray[Any]:
    """The columns that trees read; a model may come from a stranger, or from another version."""
    unknown = next((name for name in names if name not in table.names), None)
    if unknown is not None:
        raise BadStore(f"The model reads {unknown!r}, which is not known here. {_AGAIN}")
    return table.select(names).values


def _names(about: dict[str, Any], part: str) -> tuple[str, ...]:
    names = about.get(part)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{part} are no list of names")
    if not names and part != "sentences":
        raise ValueError(f"it names no {part}")
    return tuple(names)


def _trees(folder: Path, part: str, names: tuple[str, ...]) -> TreeArrays:
    arrays = {
        name: read_array(folder, f"{part}-{name}", _AGAIN, kind=kind)
        for name, kind in _ARRAYS.items()
    }
    return TreeArrays.from_arrays(len(names), arrays)


def is_part_of_a_model(path: Path) -> bool:
    """Whether a file is called as those that are written here."""
    part, _, array = path.stem.partition("-")
    is_array = path.suffix == ".npy" and part in _PARTS and array in _ARRAYS
    return path.name in {_ABOUT, _SUMS} or is_array


def is_saved_in(folder: Path) -> bool:
    """Whether a folder has a model: one that only learned words has none of its own."""
    return (folder / _ABOUT).exists()


def write_checksums(folder: Path) -> None:
    """Say what each file of a shipped model has to be."""
    sums = {path.name: _sum(path) for path in sorted(folder.iterdir()) if path.name != _SUMS}
    (folder / _SUMS).write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")


def load_shipped() -> ToldModel:
    """The model that ships; BadStore if it is not there, or not what was shipped."""
    folder = SHIPPED
    try:
        sums = read_json(folder / _SUMS, dict)
        altered = [file for file, own in sums.items() if _sum(folder / file) != own]
    except (OSError, ValueError) as error:
        raise BadStore(f"{folder} is not whole ({error})") from error
    if altered or not sums:
        raise BadStore(f"{folder} is not what was shipped ({', '.join(altered) or 'empty'})")
    return ToldModel.load(folder)


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
