"""A query as kgpath-general sees it: the same from both ends, and what is kept to learn from."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from told_examples_by_hand import told

from kgpath.datasets.sample_files import sample_text
from kgpath.features.feature_table import FeatureTable
from kgpath.features.path_features import PathFeatures
from kgpath.features.told_features import TOLD_FEATURES
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for
from kgpath.rankers.general import told_example as told_examples_module
from kgpath.rankers.general.told_example import (
    LEARNED_FROM,
    PATHS,
    READING,
    ToldExample,
    told_example,
    told_examples,
    told_masks,
)
from kgpath.rankers.general.told_paths import told_paths
from kgpath.rankers.ranker import Example
from kgpath.rankers.zero_shot_text import WEIGHTS

A, B, C = ("a", "r", "b"), ("b", "r", "c"), ("a", "s", "c")


def query(facts: list, paths: list[list[int]], true: list[int], group: str) -> ToldExample:
    width = max(map(len, paths))
    return told(
        facts={"said": range(len(facts))},
        paths={"length": [len(path) for path in paths]},
        along=[path + [-1] * (width - len(path)) for path in paths],
        entity_pair=range(len(facts)),
        zero_shot=range(len(paths)),
        true=true,
        names=facts,
        group=group,
    )


def test_a_text_tells_what_lies_on_a_true_path_of_any_of_its_queries() -> None:
    one = query([A, B, C], [[2], [0, 1]], [1], "text")
    other = query([C, A], [[0], [1]], [1], "text")
    elsewhere = query([A, C], [[0], [1]], [1], "another text")
    untold = query([A, B], [[0, 1]], [], "a third")
    masks = [mask.tolist() for mask in told_masks([one, other, elsewhere, untold])]
    assert masks == [[True, True, False], [False, True], [False, True], [False, False]]


def test_only_the_best_paths_the_true_ones_and_their_facts_are_kept() -> None:
    count = LEARNED_FROM + 3
    facts = [(f"e{number}", "r", "end") for number in range(count + 1)]
    # Zero-shot likes later paths more: 0, 1 and 2 are beyond what is kept, and 1 is true.
    kept = query(facts, [[number, number + 1] for number in range(count)], [1], "t").learnable()
    assert kept.zero_shot.tolist() == [1, *range(3, count)]
    assert kept.true.tolist() == [True] + [False] * LEARNED_FROM
    assert len(kept.facts) == len(kept.entity_pair) == len(kept.names) == count
    assert kept.facts["said"].tolist() == kept.entity_pair.tolist() == list(range(1, count + 1))
    assert kept.along[0].tolist() == [0, 1] and kept.along[-1].tolist() == [count - 2, count - 1]
    assert kept.names[0] == facts[1]


def test_what_is_short_is_kept_whole() -> None:
    one = query([A, B, C], [[2], [0, 1]], [1], "text")
    kept = one.learnable()
    assert kept.along.tolist() == one.along.tolist() == [[2, -1], [0, 1]]
    assert kept.facts.values.tolist() == one.facts.values.tolist()
    assert kept.names == one.names


def features_of(graph, head: str, tail: str, text: str) -> PathFeatures:
    context = Context(graph, text)
    return PathFeatures(context, candidates_for(context, graph.entity(head), graph.entity(tail)))


def path_rows(features: PathFeatures) -> dict[tuple, list[float]]:
    """The row of each path by its facts, which are the same from both ends."""
    example = told_example(features)
    odds = example.facts["best named"].astype(np.float64) - example.facts["gap"]
    facts = features.facts
    names = list(
        zip(facts.heads.tolist(), facts.relations.tolist(), facts.tails.tolist(), strict=True)
    )
    rows = told_paths(example, odds).values.tolist()
    return {
        tuple(sorted(names[fact] for fact in along if fact >= 0)): row
        for along, row in zip(example.along.tolist(), rows, strict=True)
    }


def test_the_end_from_which_a_query_is_asked_changes_no_row_of_a_path(sample) -> None:
    text = sample_text("sample-02")
    one = path_rows(features_of(sample, "Emma Stone", "Andrew Garfield", text))
    other = path_rows(features_of(sample, "Andrew Garfield", "Emma Stone", text))
    assert len(one) > 50
    assert one == other


def test_the_order_of_the_candidates_changes_no_row_of_a_path(sample) -> None:
    features = features_of(sample, "Emma Stone", "Andrew Garfield", sample_text("sample-02"))
    order = np.random.default_rng(0).permutation(len(features.candidates))
    shuffled = PathFeatures(features.context, features.candidates.take(order))
    assert path_rows(shuffled) == path_rows(features)


def test_the_tables_have_the_names_that_they_should(film) -> None:
    features = features_of(film, "James Bond", "London", "Roger Moore of London was James Bond.")
    example = told_example(features)
    assert example.facts.names == tuple(TOLD_FEATURES)
    assert example.paths.names == PATHS
    assert not {"frequency", "degree", "head degree"} & {*PATHS, *TOLD_FEATURES}
    assert example.facts.values.dtype == example.paths.values.dtype == np.float32
    assert np.isfinite(example.facts.values).all() and np.isfinite(example.paths.values).all()


def test_the_length_of_the_text_and_its_names_are_known_of_every_path(film) -> None:
    text = "Roger Moore was James Bond. London is a city. It rained."
    example = told_example(features_of(film, "James Bond", "London", text))
    paths = told_paths(example, np.zeros(len(example.facts)))
    for name, size in (("sentences", 3), ("names", 3)):
        assert set(example.facts[name].tolist()) == {np.float32(np.log1p(size))}
        assert paths[name].tolist() == [np.float32(np.log1p(size))] * len(example.along)


class Letters:
    """A text as how often it has each of the first letters."""

    def encode(self, texts):
        counts = [[text.lower().count(letter) for letter in "abcdefgh"] for text in texts]
        return np.array(counts, dtype=np.float32)


def test_a_sentence_encoder_adds_what_it_read_and_nothing_that_is_no_number(sample) -> None:
    features = features_of(sample, "Emma Stone", "Andrew Garfield", sample_text("sample-02"))
    example = told_example(features, Letters())
    # The tables are as without one.
    plain = told_example(features)
    assert example.facts.names == tuple(TOLD_FEATURES)
    assert example.facts.values.tolist() == plain.facts.values.tolist()
    assert example.paths.values.tolist() == plain.paths.values.tolist()
    assert example.reading.shape == (len(features.candidates),)
    assert np.isfinite(example.reading).all()
    assert example.reading.max() == 0 > example.reading.min()  # behind the best


def test_without_a_sentence_encoder_nothing_is_added(sample) -> None:
    features = features_of(sample, "Emma Stone", "Andrew Garfield", sample_text("sample-02"))
    example = told_example(features)
    assert example.reading.tolist() == [0] * len(features.candidates)
    assert example.read.tolist() == [0] * len(example.facts)


def test_what_an_encoder_adds_is_worked_out_by_hand(film, monkeypatch) -> None:
    text = "Roger Moore of London was James Bond."
    features = features_of(film, "James Bond", "London", text)
    hops = np.linspace(-0.5, 1, len(features.facts.heads))
    hops[0] = np.nan  # not read: as far from the text as can be
    read = FeatureTable(("hop read", "relation read"), np.stack([hops, hops / 2], axis=1))
    monkeypatch.setattr(told_examples_module, "read_table", lambda *given: read)
    known, relations = np.where(np.isnan(hops), -1, hops), np.where(np.isnan(hops), -1, hops / 2)
    totals = []
    for along in features.facts.along.tolist():
        own = [fact for fact in along if fact >= 0]
        parts = (np.mean(known[own]), np.min(known[own]), np.mean(relations[own]))
        weights = (WEIGHTS["hop read"], WEIGHTS["weakest hop read"], WEIGHTS["relation read"])
        totals.append(np.dot(weights, parts))
    example = told_example(features, Letters())
    # Paths over the same entities are read as the best of them is.
    best = {path: -np.inf for path in example.entity_path.tolist()}
    for path, total in zip(example.entity_path.tolist(), totals, strict=True):
        best[path] = max(best[path], total)
    expected = [READING * (best[path] - max(totals)) for path in example.entity_path.tolist()]
    assert example.reading == pytest.approx(expected, abs=1e-6)
    assert example.read[0] == told_examples_module._UNREAD
    assert example.read[1:] == pytest.approx(1.5 * hops[1:])


@pytest.mark.parametrize("text", ["London.", ""])
@pytest.mark.parametrize("value", [0.0, -1.0])
def test_an_encoder_that_tells_nothing_apart_adds_only_numbers(
    film, text: str, value: float
) -> None:
    class Same:
        def encode(self, texts):
            return np.full((len(texts), 4), value, dtype=np.float32)

    reading = told_example(features_of(film, "James Bond", "London", text), Same()).reading
    assert np.isfinite(reading).all() and reading.max() == 0


def test_what_was_read_stays_with_its_path() -> None:
    count = LEARNED_FROM + 3
    long = query([A], [[0]] * count, [1], "text")
    kept = dataclasses.replace(long, reading=-np.arange(count, dtype=np.float64)).learnable()
    assert kept.reading.tolist() == [-1, *range(-3, -count, -1)]


def test_examples_say_which_paths_are_true_and_leave_out_what_has_no_paths(film) -> None:
    text = "Roger Moore of London was James Bond."
    some = features_of(film, "James Bond", "London", text)
    none = features_of(film, "James Bond", "Beyoncé", text)
    assert len(some.candidates) and not len(none.candidates)
    made = told_examples(
        [Example(some, (0,), "one"), Example(none, (), "one"), Example(some, (), "two")]
    )
    assert [one.group for one in made] == ["one", "two"]
    assert made[0].true.tolist() == [True] + [False] * (len(some.candidates) - 1)
    assert not made[1].true.any()
    masks = told_masks(made)
    hops = int(some.candidates.lengths[0])
    assert masks[0].sum() == hops and not masks[1].any()
    moore, bond, portrayer = "Roger Moore", "James Bond", "portrayer"
    heads = {film.entity(int(head)).label for head, _, _ in made[0].names}
    assert {moore, bond} <= heads
    assert any(iri.endswith(portrayer) for _, iri, _ in made[0].names)


@pytest.mark.parametrize("text", ["", "!!!", "2001", "李安导演了电影。"])
def test_a_text_that_says_nothing_has_an_example_too(film, text: str) -> None:
    example = told_example(features_of(film, "James Bond", "London", text))
    assert np.isfinite(told_paths(example, np.zeros(len(example.facts))).values).all()
