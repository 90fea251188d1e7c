"""Wizard of Wikipedia as ParlAI keeps it: chosen_topic, chosen_topic_passage, dialog.

The candidates of a wizard's turn are made as ParlAI's own teacher makes them: "no passage used",
then the passage of the chosen topic, then what was retrieved for the apprentice's last turn and for
the wizard's own last turn, a title that comes twice only once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kgpath.dialogue.formats.knowledge import text_of, with_gold
from kgpath.dialogue.records import NO_PASSAGE, Candidate, Dialogue, Turn
from kgpath.dialogue.titles import clean_title

NAME = "parlai"
LINE = "ParlAI's raw list of dialogues with chosen_topic, chosen_topic_passage and dialog"
_NONE = Candidate(NO_PASSAGE, NO_PASSAGE)


def fits(item: dict[str, Any]) -> bool:
    return isinstance(item.get("dialog"), list) and "chosen_topic" in item


def dialogue_of(item: dict[str, Any], number: int) -> Dialogue:
    """A dialogue from plain data; ValueError says what is wrong with it."""
    topic = text_of(item, "chosen_topic")
    name = str(item.get("id") or f"dialogue {number}")
    return Dialogue(name, tuple(_turns(item, name, topic)), topic)


def _turns(item: dict[str, Any], name: str, topic: str) -> Iterator[Turn]:
    said: list[dict[str, Any]] = item["dialog"]
    number = 0
    for at, entry in enumerate(said):
        if not isinstance(entry, dict):
            raise ValueError("dialog holds something that is no object")
        if "wizard" not in str(entry.get("speaker", "")).lower():
            continue
        number += 1
        try:
            passages = _passages(item, topic, said, at)
            candidates = (
                _NONE,
                *(Candidate(clean_title(t), s) for t, lines in passages.items() for s in lines),
            )
            before = text_of(said[at - 1], "text") if at else ""
            turn = Turn(
                before or topic, candidates, topic, response=text_of(entry, "text"),
                history=tuple(text_of(one, "text") for one in said[: max(at - 1, 0)]),
                id=f"{name}, turn {number}",
            )  # fmt: skip
            yield with_gold(turn, _gold(entry, passages, candidates))
        except ValueError as error:
            raise ValueError(f"turn {number}: {error}") from None


def _passages(
    item: dict[str, Any], topic: str, said: list[dict[str, Any]], at: int
) -> dict[str, list[str]]:
    """The sentences to choose from, by title."""
    passages: dict[str, list[str]] = {}
    if topic:
        passages[topic] = _sentences(item.get("chosen_topic_passage") or [])
    for back in (1, 2):
        retrieved = said[at - back].get("retrieved_passages") or [] if at >= back else []
        if not isinstance(retrieved, list):
            raise ValueError("retrieved_passages is not a list")
        for passage in retrieved:
            if not isinstance(passage, dict):
                raise ValueError("retrieved_passages holds something that is no object")
            for title, lines in passage.items():
                passages.setdefault(title, _sentences(lines))
    return passages


def _sentences(lines: Any) -> list[str]:
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise ValueError("a passage is not a list of sentences")
    return [line.strip() for line in lines]


def _gold(
    entry: dict[str, Any], passages: dict[str, list[str]], candidates: tuple[Candidate, ...]
) -> int:
    """The place of the sentence the wizard checked; -1 where it is not among the candidates."""
    checked = entry.get("checked_sentence") or {}
    if not isinstance(checked, dict):
        raise ValueError("checked_sentence is no object")
    sentences = [s.strip() for s in checked.values() if isinstance(s, str)]
    if not sentences or sentences[0] == NO_PASSAGE:
        return 0
    pages = entry.get("checked_passage") or {}
    page = next(iter(pages.values()), "") if isinstance(pages, dict) and len(pages) == 1 else ""
    if not isinstance(page, str):
        raise ValueError("checked_passage is not a text")
    chosen = [Candidate(clean_title(page), sentences[0])] if page else []
    chosen += [Candidate(clean_title(t), sentences[0]) for t in passages]
    return next((candidates.index(one) for one in chosen if one in candidates), -1)
