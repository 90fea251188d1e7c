"""Typed edges over the graphs of the tests, and the linker that finds titles in them."""

from __future__ import annotations

from itertools import combinations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.dialogue import Candidate, Turn, WikiPath
from kgpath.dialogue.edges.edge import edge_rule
from kgpath.dialogue.edges.typed import Typed
from kgpath.dialogue.nodes import nodes_of
from kgpath.dialogue.title_linker import TitleLinker
from kgpath.errors import BadOption, UnknownName
from kgpath.paths.finder import PathOptions, finder_of
from kgpath.paths.walks import Walker
from kgpath.storage.index import Index


def nodes(source: str, *titles: str | tuple[str, str]):
    pairs = [t if isinstance(t, tuple) else (t, f"About {t}.") for t in titles]
    return nodes_of(Turn("?", tuple(Candidate(*pair) for pair in pairs)), source)


def edges(rule: Typed, made) -> dict[tuple[str, str], tuple[str, float]]:
    return {
        (made.titles[e.one], made.titles[e.other]): (str(e.reason), e.length) for e in rule(made)
    }


def linked(graph, made) -> list[str]:
    found = TitleLinker(graph).link(made)
    return [graph.entity(entity).iri.rpartition("/")[2] if entity >= 0 else "" for entity in found]


# The walker's count of hops between many

GRAPHS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)


@given(GRAPHS, st.integers(1, 4), st.sets(st.integers(0, 9), max_size=4))
def test_hops_between_many_are_those_of_networkx(
    pairs: list[tuple[int, int]], hops: int, blocked: set[int]
) -> None:
    facts = np.array([(a, 0, b) for a, b in pairs if a != b], dtype=np.int32).reshape(-1, 3)
    mask = np.zeros(10, dtype=np.bool_)
    mask[list(blocked)] = True
    ends = [7, 0, 3, 9, 5]
    walker = Walker(Index.from_edges(facts, 10))
    found = walker.hops_between(ends, hops, mask)
    for i, j in combinations(range(len(ends)), 2):
        judge = networkx.Graph(facts[:, [0, 2]].tolist())
        judge.add_nodes_from(ends)
        judge.remove_nodes_from(blocked - {ends[i], ends[j]})
        try:
            far = networkx.shortest_path_length(judge, ends[i], ends[j])
        except networkx.NetworkXNoPath:
            far = 99
        assert found[i, j] == found[j, i] == (far if far <= hops else 0)
    # Nothing is left behind for the next search.
    assert np.array_equal(walker.hops_between(ends, hops, mask), found)


def test_hops_between_more_than_fit_into_one_search() -> None:
    chain = np.array([(at, 0, at + 1) for at in range(99)], dtype=np.int32)
    found = Walker(Index.from_edges(chain, 100)).hops_between(range(100), 3)
    apart = np.abs(np.subtract.outer(np.arange(100), np.arange(100)))
    assert np.array_equal(found, np.where(apart <= 3, apart, 0))


def test_compiled_and_plain_agree() -> None:
    rng = np.random.default_rng(0)
    facts = np.array([(a, 0, b) for a, b in rng.integers(200, size=(400, 2)) if a != b], np.int32)
    mask = rng.random(200) < 0.1
    plain = Walker(Index.from_edges(facts, 200))
    compiled = Walker(Index.from_edges(facts, 200))
    compiled.tiny = False
    ends = list(range(0, 200, 3))
    for hops in (1, 2, 3, 4):
        found = compiled.hops_between(ends, hops, mask)
        assert np.array_equal(found, plain.hops_between(ends, hops, mask)) and found.any()


def test_hops_between_one_or_none() -> None:
    walker = Walker(Index.from_edges(np.array([(0, 0, 1)], dtype=np.int32), 2))
    assert walker.hops_between([1], 2).tolist() == [[0]]
    assert walker.hops_between([], 2).shape == (0, 0)


# Edges


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


# Titles


def test_labels_aliases_and_debris(film) -> None:
    titles = ("Roger Moore", "Sir Roger Moore", "roger moore_gold", "Alien  Covenant", "BEYONCE",
              "no_passages_used", "Nobody", "猫")  # fmt: skip
    assert linked(film, nodes("Daniel Craig", "Alien: covenant"))[1] == ""  # another page
    assert linked(film, nodes("Daniel_Craig", *titles)) == [
        "Daniel_Craig", "Roger_Moore", "Roger_Moore", "Alien:_Covenant", "Beyoncé", "", "", "",
    ]  # fmt: skip


def test_homonyms_are_settled_by_the_titles_around(film) -> None:
    # Two entities are called Casino Royale; two mean Bond, one of them by an alias.
    assert linked(film, nodes("Daniel Craig", "Casino Royale"))[1] == "Casino_Royale_(2006_film)"
    assert linked(film, nodes("Ian Fleming", "Casino Royale"))[1] == "Casino_Royale_(novel)"
    text = ("Casino Royale", "A book by an author who was a spy.")
    assert linked(film, nodes("Beyoncé", text))[1] == "Casino_Royale_(novel)"


def test_lost_apostrophes_redirects_and_qualifiers(build_graph) -> None:
    kg = build_graph(
        """
        ex:Ocean rdfs:label "Ocean's Eleven"@en ; ex:by ex:A .
        ex:USA rdfs:label "USA"@en ; dbo:wikiPageRedirects ex:US .
        ex:US rdfs:label "United States"@en ; ex:has ex:A .
        ex:Mercury rdfs:label "Mercury"@en ; dbo:wikiPageDisambiguates ex:Planet, ex:Singer .
        ex:Planet rdfs:label "Mercury (planet)"@en ; ex:near ex:Sun .
        ex:Singer rdfs:label "Freddie Mercury"@en ; ex:in ex:Queen .
        ex:Queen rdfs:label "Queen"@en .
        ex:Orphan rdfs:label "Orphan Black (TV series)"@en ; ex:by ex:A .
        ex:Skunk rdfs:label "Skunk (band)"@en ; ex:by ex:A .
        ex:Rocky rdfs:label "Rocky"@en ; a dbo:Film ; ex:by ex:A .
        dbo:Film a owl:Class ; rdfs:label "film"@en .
        """
    )
    told = (
        "Oceans Eleven",
        "Ocean s Eleven",
        "USA",
        "Mercury",
        "Queen",
        ("Orphan Black", "Orphan Black is a Canadian science fiction television series."),
        ("Skunk", "Skunks are mammals known for their spray."),
        "Rocky (film)",
        "Rocky (squirrel)",
    )
    assert linked(kg, nodes("Queen", *told)) == [
        "Queen", "Ocean", "Ocean", "US", "Singer", "Orphan", "", "Rocky", ""
    ]  # fmt: skip


def test_a_graph_that_knows_no_title_connects_nothing(film) -> None:
    assert edges(Typed(film), nodes("Yoga", "Tea", "猫")) == {}


def test_hops_between_obeys_the_filters_of_the_finder(film) -> None:
    ids = [film.entity(name).id for name in ("Roger Moore", "Daniel Craig", "London")]
    assert finder_of(film).hops_between(ids, PathOptions(max_hops=2)).tolist() == [
        [0, 2, 1], [2, 0, 0], [1, 0, 0]
    ]  # fmt: skip
    some = finder_of(film).hops_between(ids, PathOptions(max_hops=2, drop=("portrayer",)))
    assert some.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
