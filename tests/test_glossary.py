"""docs/glossary.md tells the truth: every place that it names exists, every term stands once."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path

import pytest

ROW = re.compile(r"(?m)^\| (?!term |---)(.+?) \| (.+?) \| (.+?) \|$")


@pytest.fixture(scope="module")
def rows(root: Path) -> list[tuple[str, str, str]]:
    return ROW.findall((root / "docs" / "glossary.md").read_text(encoding="utf-8"))


def exists(place: str) -> bool:
    """Whether it is a module, or an attribute of one, however deep."""
    try:
        pkgutil.resolve_name(place)
    except (ImportError, AttributeError):
        return False
    return True


def test_the_check_itself() -> None:
    assert exists("kgpath.types") and exists("kgpath.component.Component.version")
    assert not exists("kgpath.types.Nothing") and not exists("kgpath.nowhere")
    assert not exists("kgpath.component.Component.nothing")


def test_every_place_of_the_glossary_exists(rows: list[tuple[str, str, str]]) -> None:
    places = [(term, place) for term, _, where in rows for place in re.findall("`(.+?)`", where)]
    assert [one for one in places if not exists(one[1])] == []
    assert len(places) >= len(rows) > 40


def test_every_term_stands_once_and_is_explained_in_a_sentence(
    rows: list[tuple[str, str, str]],
) -> None:
    terms = [term for term, _, _ in rows]
    assert len(terms) == len(set(terms))
    assert [term for term, meaning, _ in rows if not meaning.endswith((".", "…"))] == []
