"""JSON and TOML of strangers: every text that is none is a ValueError in words."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.io.limits import limited
from kgpath.io.plain_data import check_texts, from_json, from_toml

TOO_DEEP = (
    "lists and objects nested over 500 deep. If it is meant to be so: kgpath --max-nesting 1000 …"
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
)  # fmt: skip


@given(values)
def test_what_is_json_is_read_as_it_is(value: object) -> None:
    assert from_json(json.dumps(value)) == value
    assert from_json(json.dumps(value, ensure_ascii=False).encode("utf-8-sig")) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[" * 5_000, TOO_DEEP),
        ("[" * 10_000_000, TOO_DEEP),
        ("[" * 501 + "]" * 501, TOO_DEEP),
        ('{"a":' * 501 + "1" + "}" * 501, TOO_DEEP),
        ("NaN", "NaN is not a number of JSON"),
        ('{"a": -Infinity}', "-Infinity is not a number of JSON"),
        ("1e999", "a number too large to be one"),
        ("9" * 5_000, "a number of thousands of digits"),
        ('"\\ud83d"', "half of a surrogate pair, \\ud83d, is no character"),
        ('{"\\udc00": 1}', "half of a surrogate pair, \\udc00, is no character"),
        ('[[["a \\uDBFF b"]]]', "half of a surrogate pair, \\udbff, is no character"),
        ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("", "Expecting value: line 1 column 1 (char 0)"),
    ],
    ids=lambda text: text[:20],
)
def test_what_is_no_json_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        from_json(text)
    assert str(caught.value) == reason


def test_just_deep_enough_is_read() -> None:
    assert from_json("[" * 500 + "]" * 500)
    assert from_json('"' + "[" * 5_000 + '"') == "[" * 5_000
    with limited(nesting=4_000):
        assert from_json("[" * 4_000 + "]" * 4_000)
        assert from_toml("a = " + "[" * 3_900 + "]" * 3_900)
    with limited(nesting=2), pytest.raises(ValueError, match="over 2 deep"):
        from_json("[[[]]]")


def test_whole_surrogate_pairs_are_characters() -> None:
    assert from_json('"\\ud83d\\ude00"') == "😀"
    assert from_json('"\\\\ud83d"') == "\\ud83d"


def test_items_can_be_checked_one_by_one() -> None:
    good, bad = from_json('["a", ["\\ud83d"]]', whole_texts=False)
    check_texts(good)
    with pytest.raises(ValueError, match="half of a surrogate pair"):
        check_texts(bad)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = " + "[" * 5_000 + "]" * 5_000, TOO_DEEP),
        ("a = " + "{a=" * 5_000 + "1" + "}" * 5_000, TOO_DEEP),
        ("a" + ".a" * 5_000 + " = 1", TOO_DEEP),
        ("[a" + ".a" * 5_000 + "]", TOO_DEEP),
        ("a = " + "9" * 5_000, "a number of thousands of digits"),
        ("a =", "Invalid value (at end of document)"),
    ],
    ids=lambda text: text[:9],
)
def test_what_is_no_toml_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as caught:
        from_toml(text)
    assert str(caught.value) == reason
