"""JSON and JSON lines: values of other types, keys dropped or doubled, deep nesting, surrogates."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

_DEEP = "fuzz: put something deep here"
_TWICE = "fuzz: this key comes twice"
_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 2**31, 2**63, 10**400, 1e308, float("nan"), float("inf"), "",
    " ", "\ud800", "\x00", "\x1b[2J", "‮abc", "x" * 70_000, "/etc/passwd", "../x", "-1", "[b]", [],
    {}, [None], [[]], {"": ""}, [1, "a"], {"a": [{}]},
)  # fmt: skip


def mutated(rng: Random, data: bytes) -> bytes | None:
    """One to three changes to a document, or to one of its lines; None if it is no JSON."""
    lines = data.split(b"\n")
    places = [at for at, line in enumerate(lines) if _is_object(line)]
    try:
        if not places:
            return _document(rng, data)
        at = rng.choice(places)
        comma = b"," * lines[at].rstrip().endswith(b",")
        lines[at] = _document(rng, lines[at].rstrip().removesuffix(b",")) + comma
    except (ValueError, RecursionError):
        return None
    return b"\n".join(lines)


def _is_object(line: bytes) -> bool:
    """Whether a line is an object of its own, perhaps one of a list."""
    try:
        return isinstance(json.loads(line.rstrip().removesuffix(b",")), dict)
    except (ValueError, RecursionError):
        return False


def _document(rng: Random, data: bytes) -> bytes:
    root = [json.loads(data)]
    for _ in range(rng.choice((1, 1, 2, 3))):
        _change(rng, root)
    text = json.dumps(root[0])
    if _DEEP in text:
        depth, kind = rng.choice((100, 990, 5000, 100_000)), rng.choice(("[]", "{}"))
        opening = "[" if kind == "[]" else '{"a":'
        closing = "]" if kind == "[]" else "}"
        middle = "0" if kind == "{}" else ""
        text = text.replace(f'"{_DEEP}"', opening * depth + middle + closing * depth)
    if _TWICE in text:
        text = text.replace(_TWICE, rng.choice(("id", "title", "turns", "files")))
    # A text of its own spells what JSON spells with escapes, but for halves of characters.
    if rng.random() < 0.3:
        text = json.dumps(json.loads(text), ensure_ascii=False) if "ud800" not in text else text
    return text.encode("utf-8", "surrogatepass")


def _change(rng: Random, root: list[Any]) -> None:
    places = list(_places(root))
    # What is far down is as likely as what is far up.
    holder, key = rng.choice(places)
    match rng.randrange(6):
        case 0 | 1:
            holder[key] = deepcopy(rng.choice(_VALUES))  # it may be changed itself, later
        case 2:
            if holder is not root:
                del holder[key]
        case 3:
            other, place = rng.choice(places)
            holder[key] = other[place] if isinstance(other[place], str | int | float) else None
        case 4:
            holder[key] = _DEEP
        case 5:
            if isinstance(holder, dict):
                holder[_TWICE] = holder[key]
            elif holder is not root:
                holder.insert(key, holder[key])


def _places(node: Any) -> list[tuple[Any, Any]]:
    """Every value below a node, as its holder and its key there."""
    found: list[tuple[Any, Any]] = []
    waiting = [node]
    while waiting:
        one = waiting.pop()
        keys = list(one) if isinstance(one, dict) else range(len(one))
        for key in keys:
            found.append((one, key))
            if isinstance(one[key], dict | list):
                waiting.append(one[key])
    return found
