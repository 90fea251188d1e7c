"""Relations that say the same are found by names and facts, and kept as groups of hop codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgpath
from kgpath.storage.check import problems
from kgpath.storage.hop_codes import codes_of, inverse
from kgpath.storage.hop_groups import SamePair, grouped
from kgpath.storage.index import save_index
from kgpath.storage.same_relations import SameRelations

Found = Callable[..., set[frozenset[str]]]
ONTOLOGY = "http://dbpedia.org/ontology/"


def called(kg: kgpath.Graph) -> set[frozenset[str]]:
    """The groups of a graph, by the last parts of IRIs; backwards with ^ in front."""
    return {
        frozenset(f"{'' if hop.forward else '^'}{hop.relation.iri.rpartition('/')[2]}" for hop in g)
        for g in kg.derived(SameRelations).together()
    }


@pytest.fixture
def found(build_graph) -> Found:
    """The groups of a graph of so many lines, in which * stands for a number."""

    def of(*lines: str, times: int = 6) -> set[frozenset[str]]:
        return called(build_graph("\n".join(facts(*lines, times=times))))

    return of


def facts(*lines: str, times: int = 6) -> list[str]:
    return [line.replace("*", str(number)) for line in lines for number in range(times)]


def group(*names: str) -> frozenset[str]:
    return frozenset(names)


def test_names_near_in_meaning_that_join_the_same_are_the_same(found: Found) -> None:
    assert found("ex:book* dbo:author ex:p* ; dbo:writer ex:p* .") == {group("author", "writer")}


def test_facts_alone_are_not_enough(found: Found) -> None:
    assert found("ex:film* dbo:starring ex:p* ; dbo:composer ex:p* .") == set()


def test_where_people_are_born_and_die_are_two_relations(found: Found) -> None:
    same = "ex:p* dbo:birthPlace ex:town* ; dbo:deathPlace ex:town* ."
    assert found(same, "ex:q* dbo:birthPlace ex:city* ; dbo:deathPlace ex:town* .") == set()


def test_near_names_that_disagree_are_two(found: Found) -> None:
    wrote = "ex:book* dbo:author ex:p* ; dbo:writer ex:p* ."
    assert found(wrote, "ex:play* dbo:author ex:p* ; dbo:writer ex:r* .") == set()


def test_the_same_fact_from_its_other_end_is_the_same(found: Found) -> None:
    before = "ex:k* dbo:predecessor ex:m* . ex:m* dbo:successor ex:k* ."
    assert found(before) == {group("predecessor", "^successor")}


def test_only_facts_say_that_a_relation_is_its_own_inverse(found: Found) -> None:
    assert found("ex:a* dbo:spouse ex:b* . ex:b* dbo:spouse ex:a* .") == {
        group("spouse", "^spouse")
    }
    few = "ex:a* dbo:spouse ex:b* . ex:b* dbo:spouse ex:a* ."
    alone = [f"ex:x{at}* dbo:spouse ex:y{at}* ." for at in range(30)]
    assert found(few, *alone) == set()


def test_twins_by_name_need_no_fact_in_common(found: Found) -> None:
    twins = "ex:town* a dbo:Town ; dbo:leader ex:p* . ex:ville* a dbo:Town ; dbo:leaderName ex:q* ."
    people = "ex:p* a dbo:Person . ex:q* a dbo:Person ."
    assert found(twins, people) == {group("leader", "leaderName")}


def test_twins_by_name_join_entities_of_like_types(found: Found) -> None:
    twins = "ex:a* a dbo:Person ; dbo:partner ex:b* . ex:c* a dbo:Museum ; dbo:partners ex:d* ."
    assert found(twins, "ex:b* a dbo:Person . ex:d* a dbo:Company .") == set()


def test_without_types_other_facts_say_what_twins_join(found: Found) -> None:
    person = (
        "ex:a* dbo:born ex:y . ex:b* dbo:born ex:y . ex:c* dbo:born ex:y . ex:d* dbo:born ex:y ."
    )
    twins = "ex:a* dbo:partner ex:b* . ex:c* dbo:partners ex:d* ."
    assert found(twins, person) == {group("partner", "partners")}
    museum = "ex:c* dbo:opened ex:z . ex:d* dbo:owner ex:w ."
    assert found(twins, "ex:a* dbo:born ex:y . ex:b* dbo:born ex:y .", museum) == set()


def test_twins_by_name_do_not_disagree(found: Found) -> None:
    assert found("ex:a* dbo:order ex:b* ; dbo:orders ex:c* .") == set()


def test_relations_of_one_label_and_two_iris_are_not_the_same_for_that(build_graph) -> None:
    lines = facts(
        "ex:a* a dbo:Animal ; dbo:family ex:b* . ex:c* a dbo:Language ; dbo:languageFamily ex:d* ."
    )
    labels = 'dbo:family rdfs:label "family"@en . dbo:languageFamily rdfs:label "family"@en .'
    assert called(build_graph("\n".join([*lines, labels]))) == set()


def test_what_says_more_is_not_the_same(found: Found) -> None:
    mothers = "ex:k* dbo:mother ex:m* . ex:m* dbo:child ex:k* . ex:f* dbo:child ex:k* ."
    assert found(mothers) == set()
    above = (
        "dbo:authors rdfs:subPropertyOf dbo:author . ex:b* dbo:author ex:p* ; dbo:authors ex:p* ."
    )
    assert found(above) == set()
    assert found("ex:b* dbo:author ex:p* ; dbo:authors ex:p* .") == {group("author", "authors")}


def test_numbers_and_words_that_set_apart_are_heeded(found: Found) -> None:
    assert found("ex:a* dbo:crew1Up ex:b* ; dbo:crew2Up ex:b* .") == set()
    some = "ex:x* dbo:arrivalCraft ex:y* . ex:v* dbo:departureCraft ex:w* ."
    assert found("ex:a* dbo:arrivalCraft ex:b* ; dbo:departureCraft ex:b* .", some) == set()
    some = "ex:x* dbo:president ex:y* . ex:v* dbo:vicePresident ex:w* ."
    assert found("ex:a* dbo:president ex:b* . ex:b* dbo:vicePresident ex:a* .", some) == set()


def test_a_name_that_many_relations_end_in_is_the_name_of_none(build_graph) -> None:
    paths = [f"http://example.org/{part}/currency" for part in "abcdef"]
    for count, expected in ((5, 1), (6, 0)):
        lines = [f"ex:x{n} <{path}> ex:y{n} ." for path in paths[:count] for n in range(6)]
        kg = build_graph("\n".join(lines), output=f"{count}.kg")
        assert len(list(kg.derived(SameRelations).together())) == expected


def test_an_inverse_that_is_marked_is_not_the_relation_itself(build_graph) -> None:
    rows = [f"book{n}\twritten_by\tp{n}\np{n}\t~written_by\tbook{n}\n" for n in range(6)]
    kg = build_graph("".join(rows), name="facts.tsv")
    (hops,) = kg.derived(SameRelations).together()
    assert [hop.forward for hop in hops] == [True, False]


def test_every_code_has_the_smallest_of_its_group(build_graph) -> None:
    kg = build_graph("\n".join(facts("ex:a* dbo:child ex:b* . ex:b* dbo:parent ex:a* .")))
    same = kg.derived(SameRelations)
    assert same.groups.dtype == np.int32 and len(same.groups) == 2 * len(kg.store.relations)
    assert same.groups.tolist() == list(range(4))  # too far apart for near words
    kg = build_graph(
        "\n".join(facts("ex:a* dbo:children ex:b* . ex:b* dbo:parents ex:a* .")), output="more.kg"
    )
    same = kg.derived(SameRelations)
    assert same.groups.tolist() == [0, 1, 1, 0]
    assert same.same(0, 3) and same.same(1, 2) and not same.same(0, 1)


IRIS = [f"{ONTOLOGY}{name}" for name in "abcdef"]
PAIRS = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 11), st.sampled_from([0.5, 0.7, 1.0])).filter(
        lambda pair: pair[0] != pair[1]
    ),
    max_size=25,
)


@given(PAIRS, st.permutations(range(6)))
def test_groups_do_not_depend_on_ids_or_order(
    pairs: list[tuple[int, int, float]], order: Sequence[int]
) -> None:
    """Codes are given by relation and direction; the relations then get other ids."""
    once = {frozenset(min((a, b), (a ^ 1, b ^ 1), key=sorted)): (a, b, s) for a, b, s in pairs}
    given_pairs = [SamePair(*pair) for pair in once.values()]

    def renamed(code: int) -> int:
        return 2 * order[code >> 1] + (code & 1)

    iris = [""] * 6
    for relation, number in enumerate(order):
        iris[number] = IRIS[relation]
    there = [SamePair(renamed(a), renamed(b), sure) for a, b, sure in reversed(given_pairs)]
    first, second = grouped(given_pairs, IRIS), grouped(there, iris)
    for one in range(12):
        assert first[inverse(one)] == first[inverse(int(first[one]))]
        for other in range(12):
            same = first[one] == first[other]
            assert same == (second[renamed(one)] == second[renamed(other)])


def test_a_chain_joins_no_unlike_codes() -> None:
    # a ~ b and b ~ c, but not a ~ c: the surer pair is joined, and c stays alone.
    codes = grouped([SamePair(0, 2, 0.9), SamePair(2, 4, 0.8)], IRIS[:3])
    assert codes.tolist() == [0, 1, 0, 1, 4, 5]
    whole = grouped([SamePair(0, 2, 0.9), SamePair(2, 4, 0.8), SamePair(0, 4, 0.1)], IRIS[:3])
    assert whole.tolist() == [0, 1, 0, 1, 0, 1]
    # Of two that are equally sure, the first by IRI.
    turned = grouped([SamePair(2, 4, 0.9), SamePair(0, 2, 0.9)], IRIS[:3])
    assert turned.tolist() == [0, 1, 0, 1, 4, 5]
    assert grouped([SamePair(2, 4, 0.9), SamePair(0, 2, 0.9)], IRIS[2::-1])[0] == 0
    # A relation that is its own inverse takes no other in that is not.
    assert grouped([SamePair(0, 1, 0.9), SamePair(0, 2, 0.8)], IRIS[:2]).tolist() == [0, 0, 2, 3]


def test_the_order_of_the_sources_changes_nothing(build_graph) -> None:
    lines = facts(
        "ex:book* dbo:author ex:p* ; dbo:writer ex:p* .",
        "ex:k* dbo:predecessor ex:m* . ex:m* dbo:successor ex:k* .",
    )
    one = build_graph(*lines, output="one.kg")
    other = build_graph(*reversed(lines), output="other.kg")
    assert called(one) == called(other) != set()


def test_filtered_facts_keep_their_groups(build_graph) -> None:
    kg = build_graph("\n".join(facts("ex:book* dbo:author ex:p* ; dbo:writer ex:p* .")))
    only = kg.index.only(np.array([True, False]))
    assert only.same_hops.tolist() == kg.index.same_hops.tolist() == [0, 1, 0, 1]


def test_a_check_finds_groups_that_are_not_those_of_the_graph(build_graph) -> None:
    kg = build_graph("\n".join(facts("ex:book* dbo:author ex:p* ; dbo:writer ex:p* .")))
    assert list(problems(kg.store)) == []
    alone = np.arange(4, dtype=np.int32)
    save_index(replace(kg.index, same_hops=alone), kg.path, kg.fingerprint)
    said = f"the index does not fit the content: delete {kg.path}.index"
    assert list(problems(kg.store)) == [said]


def test_groups_of_another_number_of_relations_are_made_again(build_graph) -> None:
    kg = build_graph("\n".join(facts("ex:book* dbo:author ex:p* ; dbo:writer ex:p* .")))
    more = np.append(kg.index.same_hops, [4, 5]).astype(np.int32)
    save_index(replace(kg.index, same_hops=more), kg.path, kg.fingerprint)
    with kgpath.open(kg.path) as again:
        assert again.index.same_hops.tolist() == [0, 1, 0, 1]


def test_groups_are_shown_as_hops_in_the_order_of_iris(build_graph) -> None:
    kg = build_graph(
        "\n".join(
            facts(
                "ex:book* dbo:author ex:p* ; dbo:writer ex:p* .",
                "ex:k* dbo:predecessor ex:m* . ex:m* dbo:successor ex:k* .",
            )
        )
    )
    groups = list(kg.derived(SameRelations).together())
    assert [[str(hop) for hop in hops] for hops in groups] == [
        ["–author→", "–writer→"],
        ["–predecessor→", "←successor–"],
    ]
    assert [codes_of(hops) for hops in groups] == [[0, 6], [2, 5]]
