"""A recipe is read whole or refused, with the knob at fault and what it could be."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from kgpath.datasets.synthetic.recipe import FOLDER, Recipe, Stratum, read_recipe, recipe_of
from kgpath.errors import BadOption, BadSource


def test_the_recipes_that_ship_are_those_of_the_paper() -> None:
    small, large = read_recipe("synthetic-s"), read_recipe("synthetic-l.toml")
    assert (small.name, small.documents, small.pairs) == ("synthetic-s", 2_000, 5_000)
    assert (large.documents, large.pairs) == (80_000, 200_000)
    for recipe in (small, large):
        assert (recipe.stop, recipe.max_hops, recipe.repeat) == (0.2, 6, False)
        assert (recipe.p_sent, recipe.p_intro) == (0.6, 0.3)
        assert (recipe.candidates, recipe.candidate_limit) == ("random-walk", 10)
    assert {"alike", "apart", "long", "short"} <= set(small.strata)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_a_resolved_recipe_reads_as_the_same(path: Path, tmp_path: Path) -> None:
    recipe = read_recipe(path)
    (tmp_path / "other-name.toml").write_text(recipe.to_toml())
    assert read_recipe(tmp_path / "other-name.toml") == recipe


def test_every_knob_survives_toml(tmp_path: Path) -> None:
    recipe = recipe_of(
        {
            "name": 'a "name"\\', "documents": 3, "pairs": 4, "repeat": True, "keep": ["a", "b"],
            "sentences": 5, "stop": 0, "licence": "CC BY\n4.0",
            "splits": {"train": 1}, "strata": {"x-1": {"named": False, "below": 0.3}},
        }
    )  # fmt: skip
    assert recipe.sentences == (5, 5)
    assert recipe.strata["x-1"] == Stratum(named=False, below=0.3)
    (tmp_path / "r.toml").write_text(recipe.to_toml(), encoding="utf-8")
    assert read_recipe(tmp_path / "r.toml") == recipe


def test_a_seed_from_outside_takes_precedence() -> None:
    assert read_recipe("synthetic-s", seed=9).seed == 9


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"p_sents": 0.5}, "no knob 'p_sents'. Known: name, documents, pairs, seed"),
        ({"stop": 1.5}, "stop is 1.5; it can be 0 to 1."),
        ({"stop": "often"}, "stop is 'often'; it is a number."),
        ({"repeat": 1}, "repeat is 1; it is true or false."),
        ({"documents": 2.5}, "documents is 2.5; it is a whole number."),
        ({"documents": 0}, "documents is 0; it can be 1 or more."),
        ({"pairs": 5}, "pairs is 5; it can be 10 or more."),
        ({"max_hops": 9}, "max_hops is 9; it can be 1 to 6."),
        ({"min_hops": 4, "max_hops": 3}, "min_hops is 4; it can be 1 to 3."),
        ({"p_sent": 0.8, "p_intro": 0.3}, "p_sent + p_intro is 1.1; it can be 0 to 1."),
        ({"text": "some"}, "text is 'some'; it can be auto, required, facts."),
        ({"start": "hub"}, "start is 'hub'; it can be uniform, degree."),
        ({"candidates": "best"}, "candidates is 'best'; it can be none, shortest"),
        ({"sentences": [9, 3]}, "sentences is 3; it can be 9 or more."),
        ({"sentences": [1, 2, 3]}, "a number or a range such as [10, 20]"),
        ({"keep": "director"}, "keep is 'director'; it is a list of texts in quotes."),
        ({"min_candidates": 12}, "min_candidates is 12; it can be 1 to 11."),
        ({"hard_negatives": 11}, "hard_negatives is 11; it can be 0 to 10."),
        ({"candidates": "none", "min_candidates": 2}, "need candidates other than none"),
        ({"splits": {"train": 0.5}}, "add up to 0.5, not to 1"),
        ({"splits": {"a/b": 1}}, "called by letters and digits"),
        ({"splits": 3}, "splits is 3; it is a table"),
        ({"strata": {"x": {"hops": 3}}}, "no knob in strata.x 'hops'. Known: queries, min_hops"),
        ({"strata": {"x": {"min_hops": 5, "max_hops": 3}}}, "strata.x can hold no query"),
        ({"strata": {"../x": {}}}, "called by letters"),
        ({"seed": -1}, "seed is -1; it can be 0 or more."),
    ],
)
def test_an_impossible_knob_is_named(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadOption) as caught:
        recipe_of({"name": "x", "documents": 10, "pairs": 20, **given})
    assert said in str(caught.value)


def test_a_recipe_must_say_how_much() -> None:
    with pytest.raises(BadOption, match="how many pairs"):
        recipe_of({"name": "x", "documents": 10})


def test_a_recipe_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match=r"no recipe nowhere\.toml.*synthetic-l, synthetic-s"):
        read_recipe("nowhere.toml")
    (tmp_path / "bad.toml").write_text("documents = = 3")
    with pytest.raises(BadSource, match=r"bad\.toml is not TOML"):
        read_recipe(tmp_path / "bad.toml")
    with pytest.raises(BadSource, match="is a folder"):
        read_recipe(tmp_path)
    (tmp_path / "odd.toml").write_text("documents = 3\npairs = 5\nwonder = 1\n")
    with pytest.raises(BadOption, match=r"odd\.toml: there is no knob 'wonder'"):
        read_recipe(tmp_path / "odd.toml")


def test_a_recipe_is_plain_data() -> None:
    recipe = Recipe("x", 1, 1)
    assert recipe_of(recipe.to_json()) == recipe


def test_the_page_on_recipes_names_every_knob(root: Path) -> None:
    page = (root / "docs" / "synthetic.md").read_text(encoding="utf-8")
    tables = ("splits", "strata")
    for knob in fields(Recipe):
        assert f"[{knob.name}" in page if knob.name in tables else f"`{knob.name}`" in page
    for knob in fields(Stratum):
        assert f"`{knob.name}`" in page
    for recipe in FOLDER.glob("*.toml"):
        assert f"`{recipe.stem}`" in page
