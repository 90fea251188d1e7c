"""Typed edges over the graphs of the tests."""

from __future__ import annotations

from itertools import combinations

import pytest

from kgpath.dialogue import Candidate, Turn, WikiPath
from kgpath.dialogue.edges.edge import edge_rule
from kgpath.dialogue.edges.typed import Typed
from kgpath.dialogue.nodes import nodes_of
from kgpath.errors import BadOption, UnknownName


def nodes(source: str, *titles: str | tuple[str, str]):
    pairs = [t if isinstance(t, tuple) else (t, f"About {t}.") for t in titles]
    return nodes_of(Turn("?", tuple(Candidate(*pair) for pair in pairs)), source)


def edges(rule: Typed, made) -> dict[tuple[str, str], tuple[str, float]]:
    return {
        (made.titles[e.one], made.titles[e.other]): (str(e.reason), e.length) for e in rule(made)
    }


def test_an_edge_is_a_typed_path(film) -> None:
    made = nodes("Roger Moore", "Daniel Craig", "Chester", "London", "Beyoncé")
    assert edges(Typed(film, class_cap=0), made) == {
        ("Roger Moore", "Daniel Craig"): (
            "Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig", 2.0
        ),
        ("Roger Moore", "London"): ("Roger Moore –birth place→ London", 1.0),
        ("Daniel Craig", "Chester"): ("Daniel Craig –birth place→ Chester", 1.0),
    }  # fmt: skip


def test_the_chain_shows_the_path_hop_by_hop(film) -> None:
    turn = Turn(
        "chester", (Candidate("Chester", "It is chester."), Candidate("Daniel Craig", "A")),
        "Roger Moore",
    )  # fmt: skip
    chain = WikiPath(edges="typed(class_cap=0)", graph=film).select(turn).chain
    assert (
        str(chain)
        == "Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig –birth place→ Chester"
    )
    assert [step.title for step in chain.steps] == ["Daniel Craig", "Chester"]
    assert str(chain.steps[1].reason) == "Daniel Craig –birth place→ Chester"


def test_filters_hubs_and_hops_are_those_of_the_walker(film) -> None:
    made = nodes("Roger Moore", "Daniel Craig")
    assert edges(Typed(film, hops=1, class_cap=0), made) == {}
    assert edges(Typed(film, drop="portrayer", class_cap=0), made) == {}
    assert edges(Typed(film, keep="birthPlace|creator", class_cap=0), made) == {}
    assert edges(Typed(film, hub_cap=2, class_cap=0), made) == {}  # James Bond has three facts
    assert len(edges(Typed(film, hub_cap=3, class_cap=0), made)) == 1
    far = edges(
        Typed(film, hops=3, drop="portrayer", class_cap=0),
        nodes("James Bond", "Casino Royale (2006 film)"),
    )
    ((path, length),) = far.values()
    assert length == 3 and path.startswith("James Bond –creator→ Ian Fleming ←author– Casino")


def test_two_of_a_small_class_are_two_hops_apart(film) -> None:
    made = nodes("Roger Moore", "Daniel Craig")
    rule = Typed(film, drop="portrayer")
    assert edges(rule, made) == {
        ("Roger Moore", "Daniel Craig"): ("Roger Moore –is a→ actor ←is a– Daniel Craig", 2.0)
    }
    assert edges(Typed(film, drop="portrayer", class_cap=1), made) == {}
    assert edges(Typed(film, drop="portrayer", hops=1), made) == {}


def test_lengths_by_hops_by_score_or_one(film) -> None:
    made = nodes("Roger Moore", "Daniel Craig", "London")
    lengths = {
        weight: [length for _, length in edges(Typed(film, weight=weight), made).values()]
        for weight in ("hops", "one", "score")
    }
    assert lengths["hops"] == [2.0, 1.0] and lengths["one"] == [1.0, 1.0]
    for hops, score in zip(lengths["hops"], lengths["score"], strict=True):
        assert 0.5 * hops <= score <= 1.5 * hops
    with pytest.raises(BadOption, match="hops, score, one"):
        Typed(film, weight="heavy")
    with pytest.raises(UnknownName, match="No relation 'nothing'"):
        edges(Typed(film, keep="nothing"), made)


def test_two_names_of_one_thing_are_no_step_apart(film) -> None:
    made = nodes("007", "James Bond")
    assert edges(Typed(film), made) == {("007", "James Bond"): ("two names of one thing", 0.0)}


def test_typed_and_lexical_together(film) -> None:
    made = nodes("Roger Moore", "Daniel Craig", "Moore (name)")
    found = edges(edge_rule("typed+lexical", film), made)
    assert found["Roger Moore", "Moore (name)"] == ("share “moore”", 1.0)
    assert "James Bond" in found["Roger Moore", "Daniel Craig"][0]


def test_an_edge_is_there_exactly_where_the_finder_has_a_path(sample) -> None:
    labels = [label for (label,) in sample.store.db.execute(
        "SELECT label FROM entity GROUP BY label HAVING count(*) = 1 ORDER BY label LIMIT 40"
    )]  # fmt: skip
    made = nodes(labels[0], *labels[1:])
    rule = Typed(sample, class_cap=0, hub_cap=30)
    found = edges(rule, made)
    assert len(found) > 10
    for one, other in combinations(made.titles, 2):
        paths = sample.paths(one, other, max_hops=2, hub_cap=30)
        assert ((one, other) in found) == bool(len(paths))
        if paths:
            assert found[one, other][1] == paths[0].length
            assert found[one, other][0] in {str(path) for path in paths}


def test_the_best_paths_come_by_hops_then_cost(film) -> None:
    rule = Typed(film, hops=3)
    ids = [film.entity(name).id for name in ("James Bond", "Daniel Craig")]
    paths = rule.paths(*ids, k=10)
    assert [path.length for path in paths] == sorted(path.length for path in paths)
    assert str(paths[0]) == "James Bond –portrayer→ Daniel Craig"
    assert len({tuple(path.nodes) for path in paths}) == len(paths)
    assert rule.paths(*ids, k=1) == paths[:1]


def test_a_path_reads_the_same_from_both_ends(sample) -> None:
    rule = Typed(sample)
    one, other = (sample.entity(name).id for name in ("Emma Stone", "Andrew Garfield"))
    assert rule.path(one, other) == rule.path(other, one).reversed()


def test_the_typed_case_of_the_sample(sample) -> None:
    turn = Turn(
        "Who else is in that musical?",
        (
            Candidate("Musical theatre", "A musical has songs; who else sings in it?"),
            Candidate("La La Land", "It is a musical."),
        ),
        "Emma Stone",
    )
    plain = WikiPath(edges="lexical", alpha=5).select(turn)
    typed = WikiPath(edges="typed", graph=sample, alpha=5).select(turn)
    assert (plain.title, plain.chain) == ("Musical theatre", None)
    assert typed.title == "La La Land"
    assert str(typed.chain) == "Emma Stone ←starring– La La Land"


def test_a_graph_that_knows_no_title_connects_nothing(film) -> None:
    assert edges(Typed(film), nodes("Yoga", "Tea", "猫")) == {}
