"""Plain data out of a stranger's JSON or TOML: bounded in depth, every text fit to be written.

One way for every reader. What cannot be used is a ValueError that says why: nesting without end,
numbers that are none, and half of a surrogate pair (a text cut in the middle of an emoji), which no
file and no terminal takes.
"""

from __future__ import annotations

import json
import math
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from kgpath.io.limits import beyond, limits

_OTHER_CALLS = 1_000
_SHALLOW = 100
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")


def from_json(text: str | bytes, *, whole_texts: bool = True, keys_once: bool = False) -> Any:
    """What a JSON text says.

    Without ``whole_texts`` a text in it may hold half of a surrogate pair: where one bad item
    should not cost all others, each is shown to :func:`check_texts`. With ``keys_once`` an object
    that has a key twice is refused; otherwise the last one counts, as everywhere.

    >>> from_json('{"a": ["b"]}')
    {'a': ['b']}
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig")
    decoder = _DECODER_OF_KEYS_ONCE if keys_once else _DECODER
    data = _read(decoder.decode, text, text.count("[") + text.count("{"))
    if whole_texts and _ESCAPED_HALF.search(text):
        check_texts(data)
    return data


def check_texts(data: Any) -> None:
    """Refuse plain data with half of a surrogate pair in a text."""
    level: list[Any] = [data]
    while level:
        for text in (key for one in level if isinstance(one, dict) for key in one):
            _check_text(text)
        for text in level:
            if isinstance(text, str):
                _check_text(text)
        level = [child for one in level for child in _children(one)]


def _check_text(text: str) -> None:
    if not text.isascii() and (half := _HALF.search(text)):
        raise ValueError(f"half of a surrogate pair, \\u{ord(half.group()):04x}, is no character")


def from_toml(text: str) -> dict[str, Any]:
    """What a TOML text says."""
    # A dot in a key nests as a bracket does.
    data: dict[str, Any] = _read(tomllib.loads, text, sum(map(text.count, "[{.")))
    return data


def _read(parse: Callable[[str], Any], text: str, brackets: int) -> Any:
    """Parse a text with so many brackets; what has few cannot be nested deeply."""
    if brackets <= min(_SHALLOW, limits().nesting):
        with _explained():
            return parse(text)
    most = limits().nesting
    before = sys.getrecursionlimit()
    # Python's own parsers need up to two calls a level.
    sys.setrecursionlimit(max(before, 2 * most + _OTHER_CALLS))
    try:
        with _explained():
            data = parse(text)
    except RecursionError:
        raise ValueError(_too_deep()) from None
    finally:
        sys.setrecursionlimit(before)
    _check_depth(data, most)
    return data


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except (json.JSONDecodeError, tomllib.TOMLDecodeError):
        raise
    except ValueError as error:
        # Python's own word on this is for programmers.
        large = "digits" in str(error)
        raise ValueError("a number of thousands of digits" if large else str(error)) from None


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not a number of JSON")


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError("a number too large to be one")
    return value


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
_DECODER_OF_KEYS_ONCE = json.JSONDecoder(
    parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_once_each
)


def _too_deep() -> str:
    return beyond("lists and objects nested", "nesting")


def _check_depth(data: Any, most: int) -> None:
    level: list[Any] = [data]
    depth = 0
    while level := [one for one in level if isinstance(one, dict | list)]:
        depth += 1
        if depth > most:
            raise ValueError(_too_deep())
        level = [child for one in level for child in _children(one)]


def _children(data: Any) -> Iterable[Any]:
    if isinstance(data, dict):
        return data.values()
    return data if isinstance(data, list) else ()
