"""Filters: relations, types, languages and hubs; and what they say when nothing fits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kgpath.cli import app
from kgpath.errors import BadSource, UnknownName

EX = "http://example.org/"

FACTS = """
ex:f dbo:starring ex:a ; dbo:director ex:d .
ex:f dbo:wikiPageWikiLink ex:x ; dbo:wikiPageRedirects ex:y .
ex:a ex:starring ex:z .
"""


def relations(kg) -> set[str]:
    return {edge.relation.iri.replace("http://", "") for n in range(len(kg)) for edge in
            kg.neighbours(n)}  # fmt: skip


ALL = {
    "dbpedia.org/ontology/starring",
    "dbpedia.org/ontology/director",
    "dbpedia.org/ontology/wikiPageWikiLink",
    "dbpedia.org/ontology/wikiPageRedirects",
    "example.org/starring",
}


@pytest.mark.parametrize(
    ("patterns", "kept"),
    [
        (["dbo:starring"], {"dbpedia.org/ontology/starring"}),
        (["starring"], {"dbpedia.org/ontology/starring", "example.org/starring"}),
        (["http://example.org/starring"], {"example.org/starring"}),
        (["dbo:wiki*"], {r for r in ALL if "wiki" in r}),
        (["*Page*"], {r for r in ALL if "wiki" in r}),
        (["http://example.org/*", "director"],
         {"example.org/starring", "dbpedia.org/ontology/director"}),
    ],
)  # fmt: skip
def test_keep_and_drop_by_iri_prefixed_name_last_part_and_star(
    patterns: list[str], kept: set[str], build_graph
) -> None:
    keeping = build_graph(FACTS, keep=tuple(patterns))
    assert relations(keeping) == kept
    assert keeping.built.reports[0].left_out["relation filter"] == 5 - len(kept)
    dropping = build_graph(FACTS, drop=tuple(patterns), output="other.kg")
    assert relations(dropping) == ALL - kept


def test_drop_wins_over_keep(build_graph) -> None:
    kg = build_graph(FACTS, keep=("starring",), drop=("dbo:starring",))
    assert relations(kg) == {"example.org/starring"}


def test_a_prefix_that_the_source_itself_declares_can_be_used(build_graph) -> None:
    kg = build_graph(FACTS, keep=("ex:starring",))
    assert relations(kg) == {"example.org/starring"}


@pytest.mark.parametrize("option", ["keep", "drop"])
def test_a_pattern_that_fits_nothing_is_noted(option: str, build_graph) -> None:
    kg = build_graph(FACTS, **{option: ("dbo:starring", "dbo:staring")})
    assert kg.built.notes == ["No relation in the sources fits 'dbo:staring'."]


def test_filters_that_leave_nothing_are_an_error(build_graph) -> None:
    # There were edges: it is the filter that must be named, not the sources.
    with pytest.raises(BadSource, match="relation filter leaves no edge"):
        build_graph(FACTS, keep=("dbo:staring",))


TYPED = """
ex:film a dbo:Film ; dbo:starring ex:actor ; dbo:country ex:uk ; ex:near ex:thing .
ex:actor a ex:StageActor ; ex:near ex:film .
ex:uk a dbo:Country ; ex:near ex:actor .
ex:StageActor rdfs:subClassOf dbo:Actor . dbo:Actor rdfs:subClassOf dbo:Person .
"""


@pytest.mark.parametrize(
    ("types", "entities"),
    [
        (("Film", "Person"), {"film", "actor"}),  # a stage actor is a person, two steps up
        (("dbo:Film", "ex:StageActor"), {"film", "actor"}),
        (("http://dbpedia.org/ontology/Country", "dbo:Actor"), {"uk", "actor"}),
        (("film",), {"film", "actor"}),  # the preset of the paper
        (("film", "Country"), {"film", "actor", "uk"}),
        (("*",), {"film", "actor", "uk"}),
    ],
)
def test_only_entities_of_the_types_and_their_subclasses(
    types: tuple[str, ...], entities: set[str], build_graph
) -> None:
    kg = build_graph(TYPED, types=types)
    assert {kg.entity(n).iri for n in range(len(kg))} == {EX + name for name in entities}
    assert kg.built.left_out["type filter"] > 0


def test_types_go_down_a_circle_and_end(build_graph) -> None:
    circle = " dbo:Person rdfs:subClassOf ex:StageActor ."
    assert len(build_graph(TYPED + circle, types=("Film", "Actor"))) == 2


def test_an_unknown_class_lists_the_closest(build_graph) -> None:
    with pytest.raises(UnknownName, match=r"No class 'Flim' in the sources. Closest: Film"):
        build_graph(TYPED, types=("Flim",))


def test_a_class_of_the_preset_may_be_absent(build_graph) -> None:
    kg = build_graph("ex:a a dbo:Film ; ex:p ex:b . ex:b a dbo:Film .", types=("film",))
    assert len(kg) == 2


# hub: 4 facts, a: 3, b: 2, c: 2, d: 1.
HUB = "ex:hub ex:p ex:a, ex:b, ex:c, ex:d . ex:a ex:q ex:b, ex:c ."


@pytest.mark.parametrize(
    ("cap", "entities"), [(0, "abcdh"), (4, "abcdh"), (3, "abc"), (10**9, "abcdh")]
)
def test_entities_with_more_facts_than_the_cap_are_left_out(
    cap: int, entities: str, build_graph
) -> None:
    kg = build_graph(HUB, hub_cap=cap)
    names = {kg.entity(n).label[0] for n in range(len(kg))}
    assert names == set(entities)


def test_the_cap_names_the_hubs_it_left_out(build_graph) -> None:
    kg = build_graph(HUB, hub_cap=3)
    assert kg.built.left_out["hub cap"] == 4
    assert kg.built.notes[0].startswith("The hub cap left out 1 entities: hub (4 facts)")


def test_a_cap_that_leaves_nothing_is_an_error(build_graph) -> None:
    with pytest.raises(BadSource, match=r"Nothing is left of 6 edges \(.*hub cap 6"):
        build_graph(HUB, hub_cap=1)


NAMES = """
ex:a ex:p ex:b ; rdfs:label "Zed"@en, "Untagged", "Deutsch"@de, "British"@en-GB, "Français"@fr ;
    rdfs:comment "English."@en, "Deutscher Text."@de .
ex:b rdfs:label "Nur Deutsch"@de .
"""


@pytest.mark.parametrize(
    ("languages", "label", "aliases", "only_german", "text", "left_out"),
    [
        (("en",), "Zed", {"British", "Untagged"}, "b", "English.", 4),
        (("de", "en"), "Deutsch", {"Zed", "British", "Untagged"}, "Nur Deutsch",
         "Deutscher Text.", 1),
        (("DE",), "Deutsch", {"Untagged"}, "Nur Deutsch", "Deutscher Text.", 4),
        (("it",), "Untagged", set(), "b", "", 7),
        ((), "Untagged", {"Zed", "British", "Deutsch", "Français"}, "Nur Deutsch",
         "English.", 0),
    ],
    ids=["en", "de,en", "DE", "it", "all"],
)  # fmt: skip
def test_languages_in_order_of_preference_and_untagged_last(
    languages, label, aliases, only_german, text, left_out, build_graph
) -> None:
    kg = build_graph(NAMES, languages=languages)
    assert kg.entity(EX + "a").label == label
    assert set(kg.aliases(EX + "a")) == aliases
    assert kg.entity(EX + "b").label == only_german
    assert kg.text(EX + "a") == text
    assert kg.built.reports[0].left_out["language"] == left_out


def test_the_label_does_not_depend_on_the_order_of_the_names(build_graph) -> None:
    # The shortest, then the first in the alphabet.
    names = ["Longest name", "Bb", "Aa", "Cc"]
    for order in (names, names[::-1], names[2:] + names[:2]):
        labels = ", ".join(f'"{name}"@en' for name in order)
        assert build_graph(f"ex:a rdfs:label {labels} ; ex:p ex:b .").entity(EX + "a").label == "Aa"


@pytest.mark.parametrize(("lang", "left_out"), [("all", 0), ("de, en", 1), ("en", 4)])
def test_languages_on_the_command_line(lang: str, left_out: int, source, tmp_path: Path) -> None:
    arguments = [str(source("x.ttl", NAMES)), "-o", str(tmp_path / "x.kg"), "--json"]
    done = CliRunner().invoke(app, ["build", *arguments, "--lang", lang])
    assert json.loads(done.stdout)["left_out"].get("language", 0) == left_out
