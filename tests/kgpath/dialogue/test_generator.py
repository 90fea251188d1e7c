"""From a selection to a response."""

from __future__ import annotations

from kgpath.dialogue import Candidate, Turn, WikiPath
from kgpath.dialogue.generator import copy, make_generator


def test_copy_says_the_sentence_and_nothing_without_evidence(cats: Turn) -> None:
    assert make_generator("copy")(WikiPath().select(cats)) == "A house cat hunts mice at night."
    none = Turn("zzz", (Candidate("no_passages_used", "no_passages_used"),))
    assert copy(WikiPath().select(none)) == ""
