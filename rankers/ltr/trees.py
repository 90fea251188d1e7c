"""LightGBM where it is needed: imported late, its models written and read as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgpath.errors import BadStore
from kgpath.extras import require

if TYPE_CHECKING:
    from lightgbm import Booster


def lightgbm() -> Any:
    """The library, or an error that says how to get it."""
    return require("lightgbm", "learn", "This ranker", "use zero-shot")


def of_data(settings: dict[str, Any]) -> dict[str, Any]:
    """Those settings that say how data are read, which LightGBM wants before the others."""
    wanted = ("max_bin", "feature_pre_filter", "min_data_in_leaf", "verbose")
    return {name: settings[name] for name in wanted if name in settings}


def write_model(path: Path, model: Booster) -> None:
    """Write trees as text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(model.model_to_string(), encoding="utf-8")


def read_model(path: Path) -> Booster:
    """Read trees from text."""
    library = lightgbm()
    try:
        model: Booster = library.Booster(model_str=path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadStore(f"{path} is missing: the model is not whole. Train it again.") from None
    except (library.basic.LightGBMError, UnicodeDecodeError) as error:
        raise BadStore(f"{path} cannot be read ({error}). Train the model again.") from error
    return model
