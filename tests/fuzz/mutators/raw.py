"""Bytes of any kind: flipped, cut, moved, repeated, nested, with numbers at their boundaries."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

NUMBERS = (
    b"0", b"-1", b"1", b"127", b"255", b"32767", b"65536", b"2147483647", b"2147483648",
    b"-2147483649", b"4294967295", b"9223372036854775807", b"9223372036854775808",
    b"1" * 400, b"1e308", b"1e999", b"-0.0", b"NaN", b"Infinity", b"0x7f", b"1_000", b"\xd9\xa3",
)  # fmt: skip
STRANGE = (
    b"\x00", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\x1b[31m",
    b"\x1b]0;title\x07", b"\xed\xa0\x80", b"\xff\xfe", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\\ud800",
    b"\\u0000", b"\x85", b"\xc2\x85", b"\xcc\x81" * 50, b"[bold]", b"[/]", b"%s%n", b"{0}",
)  # fmt: skip
PAIRS = ((b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<<", b">>"), (b"<a>", b"</a>"), (b'"', b'"'))
DEPTHS = (3, 60, 1200, 6000)
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_TOKEN = re.compile(rb"[A-Za-z0-9_]+|[^\sA-Za-z0-9_]+")

Operation = Callable[[Random, bytes], bytes]


def mutated(rng: Random, data: bytes, tokens: Sequence[bytes] = ()) -> bytes:
    """One to four operations, one after the other; ``tokens`` are words of the format."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 4))):
        if tokens and rng.random() < 0.25:
            at = rng.randint(0, len(data))
            data = data[:at] + rng.choice(tokens) + data[at:]
        else:
            data = rng.choice(OPERATIONS)(rng, data)
    return data


def flip_bits(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8, 64))):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def set_bytes(rng: Random, data: bytes) -> bytes:
    begin, end = _chunk(rng, data, 8)
    return data[:begin] + bytes([rng.choice((0, 0x7F, 0x80, 0xFF))]) * (end - begin) + data[end:]


def insert_strange(rng: Random, data: bytes) -> bytes:
    at = rng.randint(0, len(data))
    return data[:at] + rng.choice(STRANGE) * rng.choice((1, 1, 3)) + data[at:]


def delete_chunk(rng: Random, data: bytes) -> bytes:
    begin, end = _chunk(rng, data)
    return data[:begin] + data[end:]


def duplicate_chunk(rng: Random, data: bytes) -> bytes:
    begin, end = _chunk(rng, data)
    return data[:end] + data[begin:end] * rng.choice((1, 2, 20)) + data[end:]


def move_chunk(rng: Random, data: bytes) -> bytes:
    begin, end = _chunk(rng, data)
    rest = data[:begin] + data[end:]
    at = rng.randint(0, len(rest))
    return rest[:at] + data[begin:end] + rest[at:]


def truncate(rng: Random, data: bytes) -> bytes:
    return data[: rng.randint(0, len(data))]


def change_number(rng: Random, data: bytes) -> bytes:
    return _replaced(rng, data, _NUMBER, lambda _: rng.choice(NUMBERS))


def repeat_token(rng: Random, data: bytes) -> bytes:
    times = rng.choice((2, 100, 5000))
    return _replaced(rng, data, _TOKEN, lambda token: token[:100] * times)


def nest_token(rng: Random, data: bytes) -> bytes:
    (opening, closing), depth = rng.choice(PAIRS), rng.choice(DEPTHS)
    left_open = rng.random() < 0.3
    return _replaced(
        rng, data, _TOKEN, lambda t: opening * depth + t + (b"" if left_open else closing * depth)
    )


OPERATIONS: tuple[Operation, ...] = (
    flip_bits, set_bytes, insert_strange, delete_chunk, duplicate_chunk, move_chunk, truncate,
    change_number, repeat_token, nest_token,
)  # fmt: skip


def _chunk(rng: Random, data: bytes, longest: int = 400) -> tuple[int, int]:
    begin = rng.randint(0, len(data))
    return begin, min(len(data), begin + rng.randint(1, longest))


def _replaced(
    rng: Random, data: bytes, pattern: re.Pattern[bytes], new: Callable[[bytes], bytes]
) -> bytes:
    found = list(pattern.finditer(data))
    if not found:
        return data
    match = rng.choice(found)
    return data[: match.start()] + new(match.group()) + data[match.end() :]
