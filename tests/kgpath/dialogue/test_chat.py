"""A dialogue that goes on line by line."""

from __future__ import annotations

import json

import pytest

from kgpath.dialogue import Dialogue, Turn, WikiPath
from kgpath.dialogue.chat import Chat
from kgpath.errors import BadSource


def test_every_reply_starts_where_the_last_one_ended(cats: Turn) -> None:
    talk = Chat(WikiPath(), about=Dialogue("d", (cats, cats), "Abyssinian cat"))
    first, second = talk.reply(cats.query), talk.reply("And then?")
    assert first.response == first.selection.sentence == "A house cat hunts mice at night."
    assert first.selection.source == "Abyssinian cat" and second.selection.source == "Cat"
    assert second.selection.turn.history == (cats.query, first.response)
    assert second.selection.turn.id == "turn 2"
    # What two turns of the dialogue share can be chosen once.
    assert first.selection.turn.candidates == cats.candidates


def test_without_a_dialogue_every_line_brings_its_candidates(cats: Turn) -> None:
    talk = Chat(WikiPath())
    line = {"query": "Tea?", "candidates": [["Tea", "Tea is hot."]], "topic": "Tea", "id": "x"}
    assert talk.reply(json.dumps(line)).selection.turn.id == "x"
    assert talk.reply(json.dumps(line)).selection.turn.history == ("Tea?", "Tea is hot.")
    with pytest.raises(BadSource, match="line 3: not an object with query and candidates"):
        talk.reply("{}")
