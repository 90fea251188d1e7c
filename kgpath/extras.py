"""Optional dependencies: imported where they are used, or an error that says what to install."""

from __future__ import annotations

import importlib
from typing import Any

from kgpath.errors import MissingExtra


def require(modules: str, extra: str, purpose: str, otherwise: str = "") -> Any:
    """The (first) module, if all of them can be imported; several are separated by spaces.

    ``purpose`` is what needs it, as the beginning of a sentence; ``extra`` the extra of kgpath that
    brings it, or an empty string if none does; ``otherwise`` what can be done without it.

    >>> require("json", "neural", "The test").dumps([1])
    '[1]'
    """
    try:
        first, *_ = [importlib.import_module(module) for module in modules.split()]
        return first
    except ImportError as error:
        missing = (error.name or modules).partition(".")[0]
        install = f'"kgpath[{extra}]"' if extra else missing
        hint = f", or {otherwise}" if otherwise else ""
        raise MissingExtra(f"{purpose} needs {missing}: pip install {install}{hint}") from error
