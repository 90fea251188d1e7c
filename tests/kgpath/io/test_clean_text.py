"""Text of strangers: harmless on a terminal, the same within JSON, writable in any encoding."""

from __future__ import annotations

import io
import json

import pytest

from kgpath.io.clean_text import ESCAPED, CleanStream, clean, displayed, unescaped


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("\x1b[2J\x07", "\\u001b[2J\\u0007"),
        ("over\rwritten", "over\\u000dwritten"),
        ("\x00\x0b\x1f\x7f\x80\x9b\x9f", "\\u0000\\u000b\\u001f\\u007f\\u0080\\u009b\\u009f"),
        ("\u202aa\u202eb\u202c", "\\u202aa\\u202eb\\u202c"),
        ("\u2066a\u2069", "\\u2066a\\u2069"),
        ("\u2028\u2029", "\\u2028\\u2029"),
        ("\udcff", "\\udcff"),
        ("né 😀 \u200e \xa0", "né 😀 \u200e \xa0"),
    ],
)
def test_what_does_harm_is_shown_and_nothing_else_changes(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_json_says_the_same_after_cleaning() -> None:
    everything = "".join(map(chr, [*range(0x3000), 0xDFFF, 0xD800, 0xFFFF, 0x1F600]))
    text = json.dumps({everything: everything}, ensure_ascii=False)
    assert json.loads(clean(text)) == {everything: everything}
    in_ascii = clean(text).encode("ascii", ESCAPED).decode()
    assert json.loads(in_ascii) == {everything: everything}


def test_what_an_encoding_does_not_have_is_escaped() -> None:
    assert "né 😀".encode("ascii", ESCAPED) == rb"n\u00e9 \ud83d\ude00"
    assert "né €\udc80".encode("cp1252", ESCAPED) == b"n\xe9 \x80\\udc80"
    assert "\ud800".encode("utf-8", ESCAPED) == rb"\ud800"
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", ESCAPED)


def test_a_clean_stream_has_no_way_round_but_the_one_behind_it() -> None:
    behind = io.TextIOWrapper(io.BytesIO(), "utf-8")
    stream = CleanStream(behind)
    print("a\x1bb", file=stream)
    stream.writelines(["c\x1b", "d"])
    stream.flush()
    unescaped(stream).write("\x1b[1m")
    behind.flush()
    assert behind.buffer.getvalue() == b"a\\u001bb\nc\\u001bd\x1b[1m"
    assert stream.encoding == "utf-8" and not stream.isatty()
    assert not hasattr(stream, "buffer") and not hasattr(stream, "reconfigure")
    assert unescaped(behind) is behind


def test_the_width_of_what_will_be_shown_is_known_before() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    assert displayed("é\x1b", stream) == "\\u00e9\\u001b"
    assert displayed("é\x1b", io.StringIO()) == "é\\u001b"
