"""GEO and NGEO by hand, over the paper's little ontology."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.errors import BadOption, UnknownName
from kgpath.metrics import NGEO, JudgedRanking, OntologyPaths, evaluate, geo, judge, ngeo
from kgpath.types import Path

MakePath = Callable[..., Path]
# Root distances: a film 3/4, Al Pacino 3/4, a nobody 1/2; starring and director 2/3, spouse 1/2.


def test_a_substituted_entity(ontology: OntologyPaths, path: MakePath) -> None:
    truth = path("Al Pacino", "^starring", "The Godfather")
    other = path("Al Pacino", "^starring", "Skyfall")
    assert geo(other, truth, ontology, "Ent") == 2 / 5
    assert ngeo(other, truth, ontology, "Ent") == 1 / 5
    assert ngeo(other, truth, ontology, "Rel") == 0
    assert ngeo(other, truth, ontology, "full") == pytest.approx(2 / 5 / 3)


def test_a_substituted_relation(ontology: OntologyPaths, path: MakePath) -> None:
    truth = path("The Godfather", "starring", "Al Pacino")
    other = path("The Godfather", "director", "Al Pacino")
    assert geo(other, truth, ontology, "Rel") == 1 / 2
    assert ngeo(other, truth, ontology, "Rel") == 1 / 2
    assert ngeo(other, truth, ontology, "full") == pytest.approx(1 / 2 / 3)


def test_an_inserted_hop_costs_its_distance_to_the_root(
    ontology: OntologyPaths, path: MakePath
) -> None:
    short = path("Nobody", "spouse", "Somebody")
    long = path("Nobody", "spouse", "Al Pacino", "spouse", "Somebody")
    assert geo(short, long, ontology, "Ent") == geo(long, short, ontology, "Ent") == 3 / 4
    assert geo(short, long, ontology, "Rel") == 1 / 2
    assert geo(short, long, ontology, "full") == 3 / 4 + 1 / 2
    assert ngeo(short, long, ontology, "full") == pytest.approx(1.25 / 5)
    assert ngeo(long, short, ontology, "full") == pytest.approx(1.25 / 3)  # by the true one's


def test_the_direction_of_a_relation_counts_unless_told_otherwise(path: MakePath) -> None:
    one, other = path("a", "spouse", "b"), path("a", "^spouse", "b")
    assert ngeo(one, other, OntologyPaths.from_dicts({}), "Rel") == 1 / 3
    assert ngeo(one, other, OntologyPaths.from_dicts({}, inverse="same"), "Rel") == 0


def test_as_leaves_two_relations_are_further_apart_backwards(path: MakePath) -> None:
    one, other = path("a", "spouse", "b"), path("a", "friend", "b")
    leaf = OntologyPaths.from_dicts({})
    assert ngeo(one, other, leaf, "Rel") == 2 / 3
    assert ngeo(one.reversed(), other.reversed(), leaf, "Rel") == 4 / 5


def test_it_is_at_most_one(ontology: OntologyPaths, path: MakePath) -> None:
    long = path("x", "r", "y", "s", "z", "t", "w")
    assert geo(long, path("x", "u", "w"), ontology, "Rel") > 1
    assert ngeo(long, path("x", "u", "w"), ontology, "Rel") == 1


def test_a_true_path_without_relations(ontology: OntologyPaths, path: MakePath) -> None:
    assert ngeo(path("a"), path("b"), ontology, "Rel") == 0
    assert ngeo(path("a", "r", "b"), path("a"), ontology, "Rel") == 1


def test_an_entity_is_not_substituted_for_a_relation(path: MakePath) -> None:
    # r for e would cost 1/2 only, as both are below something called X.
    ontology = OntologyPaths.from_dicts({"e": ["X"]}, {}, {"r": ["X"]})
    assert geo(path("a", "r", "b"), path("e"), ontology) == 3 / 4 + 2 / 3 + 1 / 2


@pytest.mark.parametrize("part", ["Ent", "Rel", "full"])
@given(data=st.data())
def test_whichever_end_one_starts_from(path: MakePath, part: str, data: st.DataObject) -> None:
    entity = st.sampled_from(["Skyfall", "Yungblud", "Al Pacino", "Nobody"])
    relation = st.sampled_from(["starring", "director", "spouse", "^spouse"])

    def draw() -> Path:
        hops = data.draw(st.integers(0, 3))
        names = [data.draw(entity)]
        for _ in range(hops):
            names += [data.draw(relation), data.draw(entity)]
        return path(*names)

    ontology = OntologyPaths.from_dicts({"Skyfall": ["Film"]}, {"Film": ["Work"]}, inverse="same")
    one, other = draw(), draw()
    forth = geo(one, other, ontology, part)
    assert forth == pytest.approx(geo(one.reversed(), other.reversed(), ontology, part))
    assert forth == pytest.approx(geo(other, one, ontology, part))


def test_only_the_first_path_is_judged(ontology: OntologyPaths, path: MakePath) -> None:
    truth, near, far = path("Skyfall"), path("The Godfather"), path("Yungblud")
    for scores, expected in [((3, 2, 1), 0), ((2, 3, 1), 2 / 5), ((1, 2, 3), 7 / 8)]:
        judged = judge("q", [truth, near, far], scores, [truth])
        assert evaluate([judged], [NGEO("Ent")], ontology=ontology)["NGEO(Ent)"] == (expected,)


def test_tied_first_paths_are_averaged(ontology: OntologyPaths, path: MakePath) -> None:
    truth, near, far = path("Skyfall"), path("The Godfather"), path("Yungblud")
    judged = judge("q", [truth, near, far], [1, 2, 2], [truth])
    (value,) = evaluate([judged], ["NGEO(Ent)"], ontology=ontology)["NGEO(Ent)"]
    assert value == pytest.approx((2 / 5 + 7 / 8) / 2)


def test_of_several_true_paths_the_closest_counts(ontology: OntologyPaths, path: MakePath) -> None:
    truths = [path("Skyfall"), path("Yungblud")]
    judged = judge("q", [path("The Godfather")], [1], truths)
    assert evaluate([judged], ["NGEO(Ent)"], ontology=ontology)["NGEO(Ent)"] == (2 / 5,)


def test_what_is_missing_is_named(ontology: OntologyPaths, path: MakePath) -> None:
    judged = JudgedRanking("q7", (1.0,), (0,))
    with pytest.raises(BadOption, match=r"NGEO\(Ent\) needs an ontology"):
        evaluate([judged], ["NGEO(Ent)"])
    with pytest.raises(BadOption, match=r"q7 has scores only.*'paths' and 'truths'"):
        evaluate([judged], ["NGEO(Ent)"], ontology=ontology)
    with pytest.raises(UnknownName, match=r"No NGEO\(ent\). Known: NGEO\(Ent\)"):
        NGEO("ent")
    with pytest.raises(UnknownName, match=r"No NGEO\(ent\)"):
        geo(path("a"), path("a"), ontology, "ent")
