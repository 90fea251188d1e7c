"""Small dialogues worked out by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kgpath.dialogue import Candidate, Turn

NONE = Candidate("no_passages_used", "no_passages_used")


def _turn(query: str, *candidates: tuple[str, str], **fields: object) -> Turn:
    return Turn(query, tuple(Candidate(*pair) for pair in candidates), **fields)  # type: ignore[arg-type]


@pytest.fixture(scope="session")
def turn() -> Callable[..., Turn]:
    """Makes a turn: ``turn("What is it?", ("Cat", "Cats purr."), topic="Pets")``."""
    return _turn


@pytest.fixture
def cats() -> Turn:
    """The paper's case: the dialogue is at "Abyssinian cat", and the answer is on the page "Cat".

    Both other pages share "mice" with the query and are equally long, so that BM25 ties.
    """
    return _turn(
        "They do like their mice.",
        NONE,
        ("List of Madagascar characters", "King Julien dances with mice at night."),
        ("Cat", "A house cat hunts mice at night."),
        ("Abyssinian cat", "The Abyssinian is a breed with a ticked coat."),
        topic="Abyssinian cat",
        gold=2,
        grounded=True,
        response="My cat hunts mice too.",
    )
