"""The list of stop words is written once."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import kgpath
from kgpath.lexicon.stop_words import LITTLE_WORDS, STOP_WORDS
from kgpath.lexicon.text import fold


def test_stop_words_are_folded_words() -> None:
    assert {fold(word) for word in STOP_WORDS} == STOP_WORDS
    assert LITTLE_WORDS < STOP_WORDS
    assert {"the", "of", "who"} < STOP_WORDS
    assert not STOP_WORDS & {"film", "new", "monday"}


def lists_of_stop_words(source: str) -> list[str]:
    """String constants that hold many different words, nearly all of them stop words."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            stop = [word for word in words if word in STOP_WORDS]
            if len(set(words)) == len(words) >= 14 and len(stop) > 0.8 * len(words):
                found.append(node.value)
    return found


def test_nobody_else_has_a_list_of_them() -> None:
    package = Path(kgpath.__file__).parent
    listing = [
        Path(folder, name).relative_to(package).as_posix()
        for folder, _, names in os.walk(package, followlinks=True)
        for name in names
        if name.endswith(".py") and lists_of_stop_words(Path(folder, name).read_text("utf-8"))
    ]
    assert listing == ["lexicon/stop_words.py"]
