"""kg.paths: what a user gets, option by option."""

from __future__ import annotations

import json
import tracemalloc
from concurrent.futures import ThreadPoolExecutor

import networkx
import pytest

from kgpath.errors import BadOption, BadStore, SameEntity, UnknownName
from kgpath.paths.finder import STRATEGIES

BOND = "Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig"


def drawn(paths) -> list[str]:
    return [str(path) for path in paths]


def test_the_paths_of_a_hand_made_graph(film) -> None:
    paths = film.paths("Roger Moore", "Daniel Craig", max_hops=5)
    assert drawn(paths) == [
        BOND,
        "Roger Moore ←portrayer– James Bond –creator→ Ian Fleming ←author– Casino Royale"
        " ←based on– Casino Royale –starring→ Daniel Craig",
    ]
    assert (paths.total, paths.total_exact, paths.truncated) == (2, True, "")
    assert [path.length for path in paths] == [2, 5]


def test_parallel_relations_give_one_path_each_counted_without_expansion(build_graph) -> None:
    kg = build_graph(
        "ex:a ex:likes ex:b ; ex:knows ex:b .ex:b ex:likes ex:a ; ex:near ex:c ; ex:far ex:c ."
    )
    paths = kg.paths("ex:a", "ex:c")
    assert len(paths) == 6
    assert paths.entity_paths == 1
    assert set(drawn(paths)) == {
        f"a {first} b {second} c"
        for first in ("–knows→", "–likes→", "←likes–")
        for second in ("–far→", "–near→")
    }
    assert drawn(paths[1:3]) == drawn(paths)[1:3]
    assert str(paths[-1]) == drawn(paths)[-1]
    with pytest.raises(IndexError):
        paths[6]
    cut = kg.paths("ex:a", "ex:c", limit=4)
    assert drawn(cut) == drawn(paths)[:4]
    assert (cut.truncated, cut.total, cut.total_exact) == ("limit", 6, True)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_swapping_the_ends_gives_the_same_paths_reversed(sample, strategy: str) -> None:
    options = {"strategy": strategy, "limit": 40, "max_hops": 4, "seed": 3, "cost": "rarity"}
    one = sample.paths("Emma Stone", "Andrew Garfield", **options)
    other = sample.paths("Andrew Garfield", "Emma Stone", **options)
    assert len(one) == 40
    assert [path.reversed() for path in one] == list(other)
    assert [path.nodes[0].label for path in one] == ["Emma Stone"] * 40


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_question_has_the_same_answer(sample, strategy: str) -> None:
    options = {"strategy": strategy, "limit": 30, "seed": 11}
    again = [sample.paths("The Beatles", "Queen", **options) for _ in range(2)]
    assert drawn(again[0]) == drawn(again[1])
    if strategy in ("sample", "random-walk"):
        other_seed = sample.paths("The Beatles", "Queen", **{**options, "seed": 12})
        assert drawn(other_seed) != drawn(again[0])


def test_no_path_repeats_an_entity_and_every_hop_is_a_fact(sample, edges_of) -> None:
    facts = edges_of(sample)
    for strategy in STRATEGIES:
        for path in sample.paths("Adele", "Alfred Hitchcock", strategy=strategy, limit=50):
            assert len({node.id for node in path.nodes}) == len(path.nodes)
            for one, hop, other in zip(path.nodes, path.hops, path.nodes[1:], strict=False):
                head, tail = (one, other) if hop.forward else (other, one)
                assert (head.iri, hop.relation.iri, tail.iri) in facts


@pytest.mark.slow
def test_streaming_gives_the_same_set_in_constant_memory(sample) -> None:
    ends = "Emma Stone", "Andrew Garfield"
    listed = sample.paths(*ends, limit=None, strategy="all")
    assert sorted(drawn(sample.iter_paths(*ends))) == sorted(drawn(listed))
    assert len(list(sample.iter_paths(*ends, limit=7))) == 7

    def peak(number: int) -> int:
        tracemalloc.start()
        stream = sample.iter_paths(*ends, max_hops=6, budget=10**9)
        for _ in range(number):
            next(stream)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        stream.close()
        return size

    peak(10)  # fills caches
    assert peak(8000) < 1.5 * peak(2500)


def test_filters(sample) -> None:
    ends = "Roger Moore", "Daniel Craig"
    only = sample.paths(*ends, keep=["dbo:portrayer"])
    assert drawn(only) == [BOND]
    without = sample.paths(*ends, drop=["portrayer"], max_hops=2)
    assert BOND not in drawn(without) and len(without) == 3
    films = sample.paths(*ends, types=["dbo:Work"], max_hops=3)
    inner = {n.id for path in films for n in path.nodes[1:-1]}
    assert all("movie" in [c.label for c in sample.types(number)] for number in inner)
    capped = sample.paths(*ends, hub_cap=40, limit=None)
    assert {n.label for path in capped for n in path.nodes}.isdisjoint({"United Kingdom", "Actor"})
    assert all(node.degree <= 40 for path in capped for node in path.nodes[1:-1])
    through = sample.paths(*ends, through=["Skyfall (film)"], limit=5, max_hops=4)
    assert len(through) == 5
    assert all("Skyfall" in [n.label for n in path.nodes] for path in through)
    excluded = sample.paths(*ends, exclude=["dbr:James_Bond_(literary_character)"], max_hops=2)
    assert BOND not in drawn(excluded)
    assert excluded.options.filters() == "exclude dbr:James_Bond_(literary_character)"


def test_the_cheapest_by_mention_are_those_the_text_names(sample) -> None:
    text = "The Godfather Part II won Robert De Niro an Oscar under Francis Ford Coppola."
    top = sample.paths(
        "Francis Ford Coppola", "Robert De Niro", strategy="top", cost="mention", text=text, limit=1
    )
    assert "The Godfather Part II" in [node.label for node in top[0].nodes]
    assert top[0].cost == pytest.approx(0.1 * top[0].length)


@pytest.mark.parametrize(
    ("options", "error", "word"),
    [
        ({"max_hops": 0}, BadOption, "1 to 6"),
        ({"max_hops": 7}, BadOption, "1 to 6"),
        ({"max_hops": "four"}, BadOption, "1 to 6"),
        ({"max_hops": True}, BadOption, "1 to 6"),
        ({"limit": -1}, BadOption, "0 or more"),
        ({"hub_cap": -5}, BadOption, "0 or more"),
        ({"strategy": "longest"}, UnknownName, "shortest, all, sample, top, random-walk"),
        ({"strategy": "sample", "limit": None}, BadOption, "needs a limit"),
        ({"strategy": "top", "cost": "degree - 1"}, BadOption, "degree + 0.5*mention"),
        ({"strategy": "top", "cost": "price"}, UnknownName, "degree, mention, rarity"),
        ({"strategy": "top", "cost": "mention"}, BadOption, "needs a text"),
        ({"strategy": "top", "through": ["London"]}, BadOption, "through"),
        ({"exclude": ["Daniel Craig"]}, BadOption, "cannot be excluded"),
        ({"keep": ["nosuchrelation"]}, UnknownName, "No relation"),
        ({"drop": ["nosuch*"]}, UnknownName, "No relation fits"),
        ({"types": ["Filmm"]}, UnknownName, "Closest"),
    ],
)
def test_bad_options_say_what_is_possible(sample, options, error, word: str) -> None:
    with pytest.raises(error) as caught:
        sample.paths("Roger Moore", "Daniel Craig", **options)
    assert word in str(caught.value)


def test_the_same_entity_twice_and_no_path_are_told_apart(film) -> None:
    with pytest.raises(SameEntity, match="Roger Moore"):
        film.paths("Roger Moore", "Sir Roger Moore")
    nothing = film.paths("Roger Moore", "Beyoncé", max_hops=6)
    assert (len(nothing), list(nothing), nothing.total, nothing.truncated) == (0, [], 0, "")


def test_a_spent_budget_is_said(sample) -> None:
    paths = sample.paths("Roger Moore", "Daniel Craig", max_hops=6, limit=None, budget=2000)
    assert paths.truncated == "budget"
    assert not paths.total_exact
    assert paths.total > len(paths) > 0


def test_other_forms(sample) -> None:
    paths = sample.paths("Roger Moore", "Daniel Craig", max_hops=2)
    data = json.loads(json.dumps(paths.to_json()))
    assert set(data) == {"head", "tail", "paths", "count", "count_exact", "truncated"}
    assert data["paths"][0].keys() == {"nodes", "relations", "length"}
    graph = paths.to_networkx()
    assert isinstance(graph, networkx.MultiDiGraph)
    assert graph.number_of_nodes() == 6 and graph.number_of_edges() == 8
    frame = paths.to_frame()
    assert list(frame.path) == drawn(paths)
    assert frame.relations[0] == paths[0].iris()[1::2]
    assert repr(paths).splitlines()[0] == "<4 paths Roger Moore … Daniel Craig>"
    assert BOND in repr(paths)
    assert "<td>2</td>" in paths._repr_html_()
    assert paths.to_dot().count("->") == 8


def test_a_graph_replaced_while_open_still_answers_from_the_old_one(tmp_path, source) -> None:
    import kgpath

    facts = source("facts.ttl", "ex:a ex:knows ex:b . ex:b ex:knows ex:c .")
    more = source("more.ttl", "ex:a ex:knows ex:c . ex:aa ex:knows ex:b .")
    kgpath.build([facts], tmp_path / "g.kg")
    with kgpath.open(tmp_path / "g.kg") as kg:
        kgpath.add(tmp_path / "g.kg", [more])
        assert drawn(kg.paths("ex:a", "ex:c")) == ["a –knows→ b –knows→ c"]
        # A thread that comes only now would read the new file beside the old arrays.
        with ThreadPoolExecutor(1) as pool, pytest.raises(BadStore, match="was replaced"):
            pool.submit(kg.entity, "ex:a").result()
    with kgpath.open(tmp_path / "g.kg") as kg:
        assert len(kg.paths("ex:a", "ex:c")) == 2
