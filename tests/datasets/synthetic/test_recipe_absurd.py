"""Recipes with numbers that cannot be meant: refused in a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from kgpath.datasets.synthetic.recipe import read_recipe
from kgpath.errors import BadOption, BadSource

START = "documents = 10\npairs = 20\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("documents = 1000000000000000000\npairs = 1",
         "documents is a number of over 15 digits; it can be 1 to 1,000,000,000."),
        ("documents = 1\npairs = " + "9" * 4000,
         "pairs is a number of over 15 digits; it can be 1 to 1,000,000,000."),
        ("documents = -1\npairs = 1", "documents is -1; it can be 1 or more."),
        ("documents = true\npairs = 1", "documents is True; it is a whole number."),
        ("documents = 1.5\npairs = 2", "documents is 1.5; it is a whole number."),
        ("documents = nan\npairs = 2", "documents is nan; it is a whole number."),
        (START + "stop = nan", "stop is nan; it can be 0 to 1."),
        (START + "p_sent = inf", "p_sent is inf; it can be 0 to 1."),
        (START + "sentences = 10000000", "sentences is 10,000,000; it can be 1 to 1,000,000."),
        (START + "candidate_limit = 99999999",
         "candidate_limit is 99,999,999; it can be 1 to 1,000,000."),
        (START + "seed = -3", "seed is -3; it can be 0 or more."),
        (START + "[strata.a]\nbelow = nan", "strata.a.below is nan; it can be -1e+09 to 1e+09."),
        (START + "[strata.a]\nmin_hops = -1", "strata.a.min_hops is -1; it can be 0 or more."),
        (START + "[splits]\ntrain = nan", "splits.train is nan; it can be 0 to 1."),
    ],
)  # fmt: skip
def test_an_absurd_number_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(BadOption) as caught:
        read_recipe(tmp_path / "r.toml")
    said = str(caught.value).removeprefix("r.toml: ")
    assert said.replace("-1,000,000,000 to 1,000,000,000", "-1e+09 to 1e+09") == message


def test_a_recipe_nested_without_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text(START + "keep = " + "[" * 5_000 + "]" * 5_000)
    with pytest.raises(BadSource) as caught:
        read_recipe(tmp_path / "r.toml")
    assert str(caught.value) == (
        f"{tmp_path / 'r.toml'} is not TOML: lists and objects nested over 500 deep. If it is "
        "meant to be so: kgpath --max-nesting 1000 …."
    )


def test_long_values_are_not_said_back_in_full(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text(START + f'start = "{"x" * 10_000}"')
    with pytest.raises(BadOption) as caught:
        read_recipe(tmp_path / "r.toml")
    assert len(str(caught.value)) < 200
