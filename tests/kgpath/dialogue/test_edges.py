"""Edge rules: what connects two titles, why, and the chains that follow."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.dialogue import Candidate, Turn, WikiPath
from kgpath.dialogue.edges.edge import Edge, edge_rule
from kgpath.dialogue.nodes import nodes_of
from kgpath.dialogue.turn_graph import FAR, TurnGraph
from kgpath.dialogue.words import title_words
from kgpath.errors import BadOption, UnknownName
from kgpath.plugins import EDGE_RULES

TITLES = st.lists(
    st.lists(st.sampled_from("cat dog of the Cat new york 猫".split()), min_size=1, max_size=3)
    .map(" ".join), min_size=1, max_size=8,
)  # fmt: skip


def nodes(*titles: str, source: str = "Abyssinian cat"):
    return nodes_of(Turn("?", tuple(Candidate(t, f"About {t}.") for t in titles)), source)


def reasons(rule: str, made) -> dict[tuple[str, str], str]:
    return {
        (made.titles[edge.one], made.titles[edge.other]): str(edge.reason)
        for edge in edge_rule(rule)(made)
    }


def test_titles_that_share_a_word_are_connected() -> None:
    made = nodes("Cat", "Dog", "Cat of the year", "Year of the dog")
    assert reasons("lexical", made) == {
        ("Abyssinian cat", "Cat"): "share “cat”",
        ("Abyssinian cat", "Cat of the year"): "share “cat”",
        ("Cat", "Cat of the year"): "share “cat”",
        ("Dog", "Year of the dog"): "share “dog”",
        ("Cat of the year", "Year of the dog"): "share “year”",
    }


@given(TITLES)
def test_the_token_index_finds_what_comparing_all_pairs_finds(titles: list[str]) -> None:
    made = nodes(*titles)
    found = {(edge.one, edge.other) for edge in edge_rule("lexical")(made)}
    assert found == {
        (one, other)
        for one, other in combinations(range(len(made)), 2)
        if set(title_words(made.titles[one])) & set(title_words(made.titles[other]))
    }


def test_a_title_that_a_sentence_names_is_connected() -> None:
    turn = Turn("?", (Candidate("Cat", "A cat hunts a mouse."), Candidate("Mouse", "Small.")))
    made = nodes_of(turn, "Dog")
    assert reasons("mention", made) == {("Cat", "Mouse"): "a sentence of Cat names Mouse"}
    assert reasons("none", made) == {}


def test_full_is_both() -> None:
    turn = Turn("?", (Candidate("Cat", "It hunts a mouse."), Candidate("Mouse", "Small.")))
    made = nodes_of(turn, "House cat")
    assert reasons("full", made) == reasons("lexical", made) | reasons("mention", made)
    assert len(reasons("full", made)) == 2


def test_one_title_in_several_spellings_is_one_node() -> None:
    made = nodes("Cat", "CAT", "Abyssinian  Cat", "Dog")
    assert made.titles == ("Abyssinian cat", "Cat", "Dog")
    assert made.of_candidate.tolist() == [1, 1, 0, 2]
    assert made.sentences[1] == ("About Cat.", "About CAT.")


EDGES = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.sampled_from([0.5, 1.0, 2.0])), max_size=20
)


@given(EDGES)
def test_distances_are_those_of_networkx(edges: list[tuple[int, int, float]]) -> None:
    made = nodes(*"ABCDEFG", source="S")
    graph = TurnGraph(made, [Edge(a, b, "", w) for a, b, w in edges if a != b])
    judge = networkx.Graph()
    judge.add_nodes_from(range(8))
    for a, b, weight in edges:
        if a != b and weight < judge.get_edge_data(a, b, {"weight": FAR})["weight"]:
            judge.add_edge(a, b, weight=weight)
    far = networkx.single_source_dijkstra_path_length(judge, 0, cutoff=6)
    assert graph.distances == [far.get(node, FAR) for node in range(8)]
    for node in range(8):
        chain = graph.chain(node)
        assert (chain is None) == (node not in far)
        if chain is not None:
            assert chain.steps == () if node == 0 else chain.steps[-1].title == made.titles[node]


def test_six_steps_count_and_seven_do_not() -> None:
    made = nodes(*"ABCDEFG", source="S")
    graph = TurnGraph(made, [Edge(at, at + 1, "next") for at in range(7)])
    assert graph.distances == [0, 1, 2, 3, 4, 5, 6, FAR]
    assert str(graph.chain(2)) == "S → A → B"
    assert graph.chain(7) is None


def test_of_equal_chains_the_one_through_the_earliest_title_is_taken() -> None:
    made = nodes("A", "B", "C", source="S")
    edges = [Edge(2, 3, ""), Edge(1, 3, ""), Edge(0, 2, ""), Edge(0, 1, "")]
    assert str(TurnGraph(made, edges).chain(3)) == "S → A → C"


def same_initial(nodes):
    for one, other in combinations(range(len(nodes)), 2):
        if nodes.titles[one][0] == nodes.titles[other][0]:
            yield Edge(one, other, f"both begin with {nodes.titles[one][0]}")


def test_a_rule_of_ones_own_is_five_lines(cats: Turn) -> None:
    turn = Turn(
        "mice", (*cats.candidates, Candidate("Aardvark", "It eats mice.")), "Abyssinian cat"
    )
    chain = WikiPath(edges=same_initial, alpha=9).select(turn, ()).graph.chain(4)
    assert str(chain) == "Abyssinian cat → Aardvark"
    assert str(chain.steps[0].reason) == "both begin with A"


def test_another_package_brings_a_rule(tmp_path: Path, root: Path) -> None:
    (tmp_path / "initials.py").write_text(
        "from itertools import combinations\n"
        "from kgpath.dialogue.edges.edge import Edge\n"
        "def same_initial(nodes):\n"
        "    for one, other in combinations(range(len(nodes)), 2):\n"
        "        if nodes.titles[one][0] == nodes.titles[other][0]:\n"
        "            yield Edge(one, other, 'same initial')\n"
    )
    info = tmp_path / "initials-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: initials\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[kgpath.edge_rules]\ninitial = initials:same_initial\n")
    code = (
        "from kgpath.dialogue import Candidate, Turn, WikiPath\n"
        "turn = Turn('x', (Candidate('Bat', 'a'), Candidate('Cow', 'b')), 'Bear')\n"
        "print(WikiPath(edges='initial').select(turn).chain)"
    )
    paths = os.pathsep.join([str(tmp_path), str(root)])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert done.stdout == "Bear → Bat\n", done.stderr


def test_unknown_rules_and_missing_graphs_are_reported() -> None:
    with pytest.raises(UnknownName, match="lexical"):
        edge_rule("magic")
    with pytest.raises(BadOption, match="needs a graph: --graph"):
        edge_rule("typed")
    with pytest.raises(BadOption, match="lexical has no options"):
        edge_rule("lexical(x=1)")


@pytest.mark.parametrize("entry", list(EDGE_RULES), ids=lambda entry: entry.name)
def test_every_rule_keeps_the_contract(entry, sample) -> None:
    rule = edge_rule(entry.name, sample)
    made = nodes("Emma Stone", "La La Land", "Stone", "猫", source="Andrew Garfield")
    first, again = ([(e.one, e.other, str(e.reason), e.length) for e in rule(made)] for _ in "ab")
    assert first == again
    for one, other, reason, length in first:
        assert 0 <= one < len(made) and 0 <= other < len(made) and one != other
        assert reason and length >= 0
    assert list(rule(nodes_of(Turn("?", ()), "Emma Stone"))) == []
