"""From a selection to a response: the copy generator, and a neural one by the same call."""

from __future__ import annotations

from collections.abc import Callable

from kgpath.dialogue.selection import Selection

Generator = Callable[[Selection], str]


def copy(selection: Selection) -> str:
    """The chosen sentence as it stands; nothing where the turn needs no evidence."""
    return selection.sentence if selection.candidate.is_evidence else ""


def make_generator(choice: str | Generator) -> Generator:
    """A generator: ``copy``, or the name or folder of a transformers model, or a function."""
    if not isinstance(choice, str):
        return choice
    if choice == "copy":
        return copy
    from kgpath.dialogue.neural_generator import NeuralGenerator

    return NeuralGenerator(choice)
