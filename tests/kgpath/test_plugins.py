"""A plug-in chosen in one line: a name, and options in brackets."""

from __future__ import annotations

from fractions import Fraction

import pytest

from kgpath.errors import BadOption, UnknownName
from kgpath.plugins import RANKERS, TEXT_ENCODERS
from kgpath.rankers.shortest import Shortest
from kgpath.rankers.tfidf_cosine import TfidfCosine
from kgpath.registry import Entry, Registry, parse_choice

TOYS = Registry(
    "toys", Entry("fraction", "fractions:Fraction"), Entry("template", "string:Template")
)


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("zero-shot", "zero-shot", {}),
        ("  zero-shot ( ) ", "zero-shot", {}),
        ("a(n=3)", "a", {"n": 3}),
        ("a(x=0.5, y=-2, z=1e3)", "a", {"x": 0.5, "y": -2, "z": 1000.0}),
        ("a(yes=true,no=False,)", "a", {"yes": True, "no": False}),
        ("a( file = my vectors.txt )", "a", {"file": "my vectors.txt"}),
        ("a(file=x=y.txt)", "a", {"file": "x=y.txt"}),
        ("a(encoder=b(path=c.txt))", "a", {"encoder": "b(path=c.txt)"}),
        ("a(empty=)", "a", {"empty": ""}),
    ],
)
def test_a_choice_is_a_name_and_options(text: str, name: str, options: dict[str, object]) -> None:
    read = parse_choice(text)
    assert read == (name, options)
    assert list(map(type, read[1].values())) == list(map(type, options.values()))


@pytest.mark.parametrize("text", ["", "(n=3)", "a(n=3", "a)", "a(n=3) b", "a()()x"])
def test_what_cannot_be_read_is_shown_how_to_write(text: str) -> None:
    with pytest.raises(BadOption, match=r"Cannot read .* Write it like: name\(option=value"):
        parse_choice(text)


def test_an_option_without_a_value_is_named() -> None:
    with pytest.raises(BadOption, match=r"Cannot read 'fast' in 'a\(n=3, fast\)'"):
        parse_choice("a(n=3, fast)")


def test_a_name_a_class_and_an_object_will_do() -> None:
    made = RANKERS.make("tfidf-cosine(scope=window)")
    assert isinstance(made, TfidfCosine)
    assert (made.scope, made.alpha) == ("window", 0.5)
    assert isinstance(RANKERS.make(Shortest), Shortest)
    assert RANKERS.make(made) is made


def test_options_count_where_the_plug_in_has_them_and_the_name_says_nothing_else() -> None:
    assert TOYS.make("fraction", numerator=3, denominator=4) == Fraction(3, 4)
    assert TOYS.make("fraction(numerator=1)", numerator=3, denominator=4) == Fraction(1, 4)
    assert TOYS.make("fraction(numerator=1)", colour="red") == 1
    assert TOYS.make(Fraction, numerator=3, colour="red") == 3


def test_an_unknown_option_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadOption, match=r"has no option 'bogus'; it has: scope, alpha\."):
        RANKERS.make("tfidf-cosine(bogus=1)")
    with pytest.raises(BadOption, match=r"random has no option 'seed'; it has none\."):
        RANKERS.make("random(seed=1)")


def test_an_option_that_cannot_be_left_out_is_asked_for() -> None:
    with pytest.raises(BadOption, match=r"template needs template: template\(template=…\)"):
        TOYS.make("template")
    assert TOYS.make("template", template="$x").substitute(x=1) == "1"
    with pytest.raises(BadOption, match=r"word-vectors needs path"):
        TEXT_ENCODERS.make("word-vectors")


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"No 'zero' among the rankers\. Known: avg-cosine, "):
        RANKERS.make("zero(n=3)")
    with pytest.raises(BadOption, match="Cannot read ''"):
        RANKERS.make("")
