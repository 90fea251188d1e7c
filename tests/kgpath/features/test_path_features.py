"""Every feature by hand, and that none depends on direction, order, ids or sources."""

from __future__ import annotations

import json
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgpath.datasets.sample_files import FOLDER
from kgpath.features.path_features import PATH_FEATURES, PathFeatures
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for
from kgpath.paths.finder import PathOptions

FACTS = """
    ex:moore rdfs:label "Roger Moore" ; ex:birthPlace ex:london .
    ex:craig rdfs:label "Daniel Craig" ; ex:birthPlace ex:london ; ex:knows ex:moore .
    ex:bond rdfs:label "James Bond" ; ex:portrayer ex:moore, ex:craig .
    ex:london rdfs:label "London" .
"""
KNOWS, BOND, LONDON = (
    "Roger Moore ←knows– Daniel Craig",
    "Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig",
    "Roger Moore –birth place→ London ←birth place– Daniel Craig",
)
# Without texts, words are weighed by the four names: those of a name, and all others.
NAME, OTHER = log(5 / 2) + 1, log(5 / 1) + 1


def features(graph, text: str, head: str, tail: str, **options: object) -> PathFeatures:
    context = Context(graph, text)
    ends = graph.entity(head), graph.entity(tail)
    return PathFeatures(context, candidates_for(context, *ends, PathOptions(**options)))


def by_path(found: PathFeatures) -> dict[str, dict[str, float]]:
    """path → feature → number."""
    table = found.table()
    return {
        str(path): {feature: float(values[row]) for feature, values in table.items()}
        for row, path in enumerate(found.candidates)
    }


def test_three_paths_by_hand(build_graph) -> None:
    text = "Roger Moore and Daniel Craig played James Bond. London is far."
    #       0     1     2   3      4     5      6     7     8      9  10
    found = by_path(features(build_graph(FACTS), text, "ex:moore", "ex:craig", max_hops=2))
    in_text = sqrt(7 * NAME**2 + 4 * OTHER**2)  # and, played, is, far
    assert found == {
        KNOWS: pytest.approx(
            {
                "length": 1,
                "unnamed": 0,
                "least named": 1,
                "together": 1,
                "gap": log(1 + 1),
                "widest gap": log(1 + 1),
                "relation words": 0,
                "weakest relation": 0,
                "relation near": 0,
                "tfidf": 0,
                "frequency": log(1 + 1),
                "degree": 0,
            }
        ),
        BOND: pytest.approx(
            {
                "length": 2,
                "unnamed": 0,
                "least named": 1,
                "together": 1,
                "gap": (log(1 + 4) + log(1 + 1)) / 2,
                "widest gap": log(1 + 4),
                "relation words": 0.7,  # "played"
                "weakest relation": 0.7,
                "relation near": 0.7,  # between the ends of either hop
                # james, bond, twice portrayer
                "tfidf": 2 * NAME**2 / sqrt(2 * NAME**2 + 4 * OTHER**2) / in_text,
                "frequency": log(1 + 2),
                "degree": log(1 + 2),
            },
            abs=1e-6,
        ),
        LONDON: pytest.approx(
            {
                "length": 2,
                "unnamed": 0,
                "least named": 1,
                "together": 0,
                "gap": (log(1 + 6) + log(1 + 3)) / 2,
                "widest gap": log(1 + 6),
                "relation words": 0,
                "weakest relation": 0,
                "relation near": 0,
                # london, twice birth and twice place
                "tfidf": NAME**2 / sqrt(NAME**2 + 8 * OTHER**2) / in_text,
                "frequency": log(1 + 2),
                "degree": log(1 + 2),
            },
            abs=1e-6,
        ),
    }


def test_two_paths_by_hand_with_an_entity_half_named_and_one_not_at_all(build_graph) -> None:
    text = "James was played by Roger Moore. Daniel Craig was born later."
    #       0     1   2      3  4     5      6      7     8   9    10
    graph = build_graph(FACTS)
    found = by_path(features(graph, text, "ex:moore", "ex:craig", max_hops=2, drop=["knows"]))
    in_text = sqrt(5 * NAME**2 + (2**2 + 4) * OTHER**2)  # twice was; played, by, born, later
    half = 0.85 / 2  # one of two words that are equally rare
    assert found == {
        BOND: pytest.approx(
            {
                "length": 2,
                "unnamed": 1 - half,
                "least named": half,
                "together": 1 / 2,
                "gap": (log(1 + 3) + log(1 + 5)) / 2,
                "widest gap": log(1 + 5),
                "relation words": 0.7,
                "weakest relation": 0.7,
                "relation near": 0.7,
                "tfidf": NAME**2 / sqrt(2 * NAME**2 + 4 * OTHER**2) / in_text,
                "frequency": log(3),
                "degree": log(3),
            },
            abs=1e-6,
        ),
        LONDON: pytest.approx(
            {
                "length": 2,
                "unnamed": 1,
                "least named": 0,
                "together": 0,
                "gap": log(1 + 60),
                "widest gap": log(1 + 60),
                "relation words": 0.7 / 2,  # "born" for birth, nothing for place
                "weakest relation": 0.7 / 2,
                "relation near": 0.7 / 2,  # London is not seen: near is anywhere
                "tfidf": 0,
                "frequency": log(3),
                "degree": log(3),
            },
            abs=1e-6,
        ),
    }


def test_the_weakest_hop_and_the_means_of_a_longer_path(build_graph) -> None:
    graph = build_graph(
        """
        ex:a rdfs:label "Ann" ; ex:knows ex:b . ex:b rdfs:label "Bob" .
        ex:c rdfs:label "Cid" ; ex:spouse ex:b ; ex:creator ex:d, ex:e . ex:d rdfs:label "Dot" .
        """
    )
    text = "Ann knows Bob. He married Cid. She created it."
    #       0   1     2    3  4       5    6   7       8
    (found,) = by_path(features(graph, text, "ex:a", "ex:d", max_hops=3)).values()
    assert found == pytest.approx(
        {
            "length": 3,
            "unnamed": 0,
            "least named": 1,
            "together": 1 / 3,
            "gap": (log(2) + log(3) + log(61)) / 3,
            "widest gap": log(61),
            "relation words": (1 + 0.7 + 0.8) / 3,
            "weakest relation": 0.7,
            "relation near": (1 + 0.7 + 0.8) / 3,
            "tfidf": found["tfidf"],
            "frequency": (log(2) + log(2) + log(3)) / 3,
            "degree": (log(3) + log(4)) / 2,
        }
    )
    # The path: bob, cid, knows, spouse, creator; the text: ann, bob, cid and six others, of the
    # five names that there are ("e" has none but its own).
    name, other = log(6 / 2) + 1, log(6 / 1) + 1
    assert found["tfidf"] == pytest.approx(
        (2 * name**2 + other**2)
        / sqrt(2 * name**2 + 3 * other**2)
        / sqrt(3 * name**2 + 6 * other**2),
        abs=1e-6,
    )


@pytest.mark.parametrize("text", ["", "Roger Moore knows Daniel Craig."])
def test_without_a_path_every_feature_is_empty(build_graph, text) -> None:
    graph = build_graph(FACTS + "ex:far ex:knows ex:away .")
    found = features(graph, text, "ex:moore", "ex:far")
    assert len(found.candidates) == 0
    for name, values in found.table().items():
        assert (name, values.shape, values.dtype) == (name, (0,), np.float64)


def test_without_a_text_nothing_is_expressed(build_graph) -> None:
    found = features(build_graph(FACTS), "", "ex:moore", "ex:craig", max_hops=2)
    for path in by_path(found).values():
        inner = path["length"] - 1
        assert (path["unnamed"], path["least named"]) == (inner, 1 - inner)
        assert path["gap"] == path["widest gap"] == pytest.approx(log(61))
        for name in ("together", "relation words", "weakest relation", "relation near", "tfidf"):
            assert path[name] == 0


def test_every_feature_is_there_by_its_name_and_made_once(build_graph) -> None:
    found = features(build_graph(FACTS), "Roger Moore", "ex:moore", "ex:craig")
    assert found.table().keys() == PATH_FEATURES.keys()
    for name, line in PATH_FEATURES.items():
        assert line
        assert found[name] is getattr(found, name.replace(" ", "_")) is found[name]
        assert found[name].shape == (len(found.candidates),)
        assert np.isfinite(found[name]).all()
    with pytest.raises(AttributeError):
        found["no such feature"]


# What must make no difference


@pytest.fixture(scope="session")
def records() -> list[dict[str, str]]:
    """The texts of the sample, each with its two entities."""
    return [json.loads(line) for line in (FOLDER / "documents.jsonl").read_text().splitlines()]


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.allclose(one[name], other[name], rtol=0, atol=1e-12) for name in PATH_FEATURES)


def test_swapped_ends_have_the_same_features(sample, records) -> None:
    for record in records[::4]:
        head, tail, text = record["head"], record["tail"], record["document"]
        there, back = features(sample, text, head, tail), features(sample, text, tail, head)
        assert len(there.candidates) > 1
        assert same(there.table(), back.table())


@settings(max_examples=10)
@given(data=st.data())
def test_the_order_of_the_candidates_makes_no_difference(
    sample, records, data: st.DataObject
) -> None:
    record = data.draw(st.sampled_from(records))
    found = features(sample, record["document"], record["head"], record["tail"])
    every = found.candidates
    order = data.draw(st.permutations(range(len(every))))
    mixed = every.take(np.array(order))
    table = found.table()
    again = PathFeatures(Context(sample, record["document"]), mixed).table()
    assert same(again, {name: values[order] for name, values in table.items()})


MORE = """
    ex:film rdfs:label "Casino Royale" ; ex:starring ex:craig ; ex:basedOn ex:bond ;
        rdfs:comment "A film with James Bond, shot in London." .
    ex:moore ex:residence ex:london . ex:bond skos:altLabel "007" ; ex:residence ex:london .
"""
ASKED = "In Casino Royale, Daniel Craig stars as 007. Roger Moore lived in London, as James did."


def test_the_order_of_the_sources_makes_no_difference(build_graph) -> None:
    one = build_graph(FACTS, MORE, output="one.kg")
    other = build_graph(MORE, FACTS, output="other.kg")
    tables = [by_path(features(kg, ASKED, "ex:moore", "ex:craig")) for kg in (one, other)]
    assert len(tables[0]) == 10
    assert tables[0] == tables[1]


def test_ids_make_no_difference(build_graph) -> None:
    """The same names with IRIs that sort the other way round."""
    plain = FACTS + MORE
    renamed = plain
    for number, name in enumerate(("bond", "craig", "film", "london", "moore")):
        renamed = renamed.replace(f"ex:{name}", f"ex:e{9 - number}")
    one, other = build_graph(plain, output="one.kg"), build_graph(renamed, output="other.kg")
    assert one.entity("James Bond").id < one.entity("London").id
    assert other.entity("James Bond").id > other.entity("London").id
    tables = [by_path(features(kg, ASKED, "Roger Moore", "Daniel Craig")) for kg in (one, other)]
    assert len(tables[0]) == 10
    assert tables[0].keys() == tables[1].keys()
    for path, values in tables[0].items():
        assert tables[1][path] == pytest.approx(values, abs=1e-12)
