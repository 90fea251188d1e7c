"""Which part of a text counts for an entity, as tokens, as entities and as it is written."""

from __future__ import annotations

from kgpath.errors import BadOption
from kgpath.lexicon.text import windows
from kgpath.linking.context import Context
from kgpath.linking.mentions import WINDOW

SCOPES = ("window", "document")


def check_scope(scope: str) -> str:
    """The scope itself, or an error that says which ones there are."""
    if scope not in SCOPES:
        raise BadOption(f"scope is {scope!r}; it can be {' or '.join(SCOPES)}.")
    return scope


def spans_in_scope(context: Context, entity: int, scope: str) -> list[tuple[int, int]]:
    """The tokens that count: around the mentions of the entity; all without one, or if so asked."""
    everything = [(0, len(context.tokens))]
    if scope == "document":
        return everything
    spans = [(m.first, m.last) for m in context.mentions([entity]) if m.entity == entity]
    return windows(spans, WINDOW, len(context.tokens)) or everything


def entities_in_scope(context: Context, entity: int, scope: str) -> list[int]:
    """The entities that are mentioned in scope, also itself, each once and in ascending order."""
    spans = spans_in_scope(context, entity, scope)
    found = {
        mention.entity
        for mention in context.mentions([entity])
        if any(mention.first < last and mention.last > first for first, last in spans)
    }
    return sorted(found)


def text_in_scope(context: Context, entity: int, scope: str) -> str:
    """The text in scope as it is written; spans that do not touch are joined by a space."""
    if scope == "document":
        return context.text
    tokens = context.tokens
    return " ".join(
        context.text[tokens.starts[first] : tokens.ends[last - 1]]
        for first, last in spans_in_scope(context, entity, scope)
        if last > first
    )
