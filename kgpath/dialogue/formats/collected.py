"""Wizard of Wikipedia as lists by turn: post, response, knowledge, labels.

The format of the ``*_collected.json`` files. The first post may begin with a line that is the
topic; it is not part of the query. A turn where nothing is left to ask with (the wizard opens) asks
with the topic.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kgpath.dialogue.formats.knowledge import candidates_of, plain_text, with_gold
from kgpath.dialogue.records import Dialogue, Turn
from kgpath.dialogue.titles import title_key

NAME = "collected"
LINE = "a list of dialogues with post, response, knowledge and labels, each a list by turn"
_LISTS = ("post", "knowledge", "labels")


def fits(item: dict[str, Any]) -> bool:
    return all(isinstance(item.get(name), list) for name in _LISTS)


def dialogue_of(item: dict[str, Any], number: int) -> Dialogue:
    """A dialogue from plain data; ValueError says what is wrong with it."""
    sizes = {name: len(item[name]) for name in _LISTS}
    responses = item.get("response") or [""] * sizes["post"]
    if not isinstance(responses, list):
        raise ValueError("response is not a list")
    if len({*sizes.values(), len(responses)}) > 1:
        said = ", ".join(f"{count} {name}" for name, count in sizes.items())
        raise ValueError(f"the lists differ in length: {said}, {len(responses)} response")
    topic, first = _topic(item)
    name = str(item.get("id") or f"dialogue {number}")
    posts = [first, *item["post"][1:]]
    return Dialogue(name, tuple(_turns(item, name, topic, posts, responses)), topic)


def _turns(
    item: dict[str, Any], name: str, topic: str, posts: list[Any], responses: list[Any]
) -> Iterator[Turn]:
    history: list[str] = []
    for at, (post, knowledge, label) in enumerate(
        zip(posts, item["knowledge"], item["labels"], strict=True)
    ):
        try:
            said = plain_text(post, "post")
            response = plain_text(responses[at], "response")
            turn = Turn(
                said or topic, candidates_of(knowledge), topic, response=response,
                history=tuple(history), id=f"{name}, turn {at + 1}",
            )  # fmt: skip
            yield with_gold(turn, label)
        except ValueError as error:
            raise ValueError(f"turn {at + 1}: {error}") from None
        history += [said, response] if said else [response]


def _topic(item: dict[str, Any]) -> tuple[str, str]:
    """The topic, and the first post without the line that repeats it."""
    post = item["post"][0] if item["post"] else ""
    if not isinstance(post, str):
        raise ValueError("post is not a text")
    given = item.get("topic") or item.get("topics") or item.get("chosen_topic") or ""
    topic = given[0] if isinstance(given, list) and given else given
    line, _, rest = post.partition("\n")
    if not isinstance(topic, str):
        raise ValueError("topic is not a text")
    if not topic:
        return line.strip(), rest
    return topic.strip(), rest if title_key(line) == title_key(topic) else post
