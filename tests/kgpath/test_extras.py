"""Optional dependencies that are there, and those that are not."""

from __future__ import annotations

import sys

import pytest

from kgpath.errors import MissingExtra
from kgpath.extras import require


def test_what_is_there_is_imported() -> None:
    assert require("json csv", "neural", "A test").__name__ == "json"


@pytest.mark.parametrize(
    ("extra", "otherwise", "message"),
    [
        (
            "neural",
            "use tfidf",
            r'^minilm needs torch: pip install "kgpath\[neural\]", or use tfidf$',
        ),
        ("", "", "minilm needs torch: pip install torch$"),
    ],
)
def test_what_is_missing_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, extra: str, otherwise: str, message: str
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=message):
        require("json torch", extra, "minilm", otherwise)
