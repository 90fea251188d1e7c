"""LightGBM where it is needed: imported late, its models written and read as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadStore
from kgpath.extras import require
from kgpath.io.progress import Steps
from kgpath.rankers.ltr.tree_text import MOST_LETTERS, checked_text

if TYPE_CHECKING:
    from lightgbm import Booster


def lightgbm() -> Any:
    """The library, or an error that says how to get it."""
    return require("lightgbm", "learn", "This ranker", "use zero-shot")


def of_data(settings: dict[str, Any]) -> dict[str, Any]:
    """Those settings that say how data are read, which LightGBM wants before the others."""
    wanted = ("max_bin", "feature_pre_filter", "min_data_in_leaf", "verbose")
    return {name: settings[name] for name in wanted if name in settings}


def grown(settings: dict[str, Any], data: Any, trees: int, ranker: str) -> Booster:
    """So many trees; the ranker that learns them is told of."""
    steps = Steps(f"learning {ranker}", trees, "trees")
    told = [lambda now: steps.at(now.iteration)]
    model: Booster = lightgbm().train(settings, data, trees, callbacks=told)
    return model


def write_model(path: Path, model: Booster) -> None:
    """Write trees as text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(model.model_to_string(), encoding="utf-8")


def read_model(path: Path, most_trees: int) -> Booster:
    """Read trees from text, every number of which is checked before LightGBM sees it."""
    library = lightgbm()
    try:
        with path.open(encoding="utf-8") as file:
            text = checked_text(file.read(MOST_LETTERS + 1), most_trees)
        model: Booster = library.Booster(model_str=text)
    except FileNotFoundError:
        raise BadStore(f"{path} is missing: the model is not whole. Train it again.") from None
    except (library.basic.LightGBMError, OSError, ValueError) as error:
        raise BadStore(f"{path} cannot be read ({error}). Train the model again.") from error
    return model


def predicted(model: Booster, rows: NDArray[Any]) -> NDArray[np.float64]:
    """The score of each row; a model that was trained on rows of another width is refused."""
    if rows.shape[1] != model.num_feature():
        raise BadStore(
            f"The model scores rows of {model.num_feature():,} numbers, and here a row has "
            f"{rows.shape[1]:,}. Train it again."
        )
    return np.asarray(model.predict(rows, raw_score=True, num_threads=1), dtype=np.float64)
