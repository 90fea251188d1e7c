"""TransE: what is held out, what is learned, and that an interrupted training goes on the same."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgpath
from kgpath.encoders.vectors import transe
from kgpath.encoders.vectors.embedding import Embedding
from kgpath.encoders.vectors.transe import CONFIGURATIONS, Configuration, train_transe
from kgpath.encoders.vectors.triple_split import split
from kgpath.errors import BadOption, BadSource, UnknownName


def ring(size: int, steps: tuple[int, ...] = (1, 2, 3)) -> str:
    """Facts with a simple law: relation k leads k entities on, around a circle."""
    facts = [f"ex:e{n:02} ex:r{k} ex:e{(n + k) % size:02} ." for n in range(size) for k in steps]
    return "\n".join(facts)


@pytest.fixture(autouse=True)
def one_thread() -> None:
    import torch

    torch.set_num_threads(1)


@pytest.fixture
def graph(build_graph: Callable[..., kgpath.Graph]) -> kgpath.Graph:
    return build_graph(ring(30))


EDGES = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 2), st.integers(0, 7)), unique=True, max_size=60
)


@given(EDGES, st.integers(0, 5), st.integers(0, 5), st.integers(0, 3))
def test_nothing_to_validate_or_test_on_is_known_from_elsewhere(
    facts: list[tuple[int, int, int]], validation: int, test: int, seed: int
) -> None:
    edges = np.array(sorted(facts), dtype=np.int32).reshape(-1, 3)
    parts = split(edges, 8, validation, test, seed)
    assert len(parts.validation) <= min(validation, len(edges) // 20)
    assert len(parts.test) <= min(test, len(edges) // 20)
    together = np.concatenate([parts.train, parts.validation, parts.test])
    assert sorted(map(tuple, together.tolist())) == sorted(facts)
    assert set(parts.train[:, [0, 2]].ravel().tolist()) == {e for h, _, t in facts for e in (h, t)}
    assert set(parts.train[:, 1].tolist()) == {r for _, r, _ in facts}
    known = {frozenset((h, t)) for h, _, t in parts.train.tolist()}
    for head, _, tail in np.concatenate([parts.validation, parts.test]).tolist():
        assert head != tail
        assert frozenset((head, tail)) not in known


def test_facts_are_left_for_validation_where_there_are_enough() -> None:
    edges = np.array([(n, k, (n + k + 1) % 50) for n in range(50) for k in range(4)], np.int32)
    parts = split(edges, 50, 6, 9, seed=1)
    assert (len(parts.validation), len(parts.test), len(parts.train)) == (6, 9, 185)
    again = split(edges, 50, 6, 9, seed=1)
    assert all(np.array_equal(a, b) for a, b in zip(parts, again, strict=True))
    assert not np.array_equal(parts.test, split(edges, 50, 6, 9, seed=2).test)


@pytest.mark.slow
def test_a_circle_is_learned(graph: kgpath.Graph) -> None:
    steps: list[tuple[str, int, int]] = []
    made = train_transe(graph, epochs=50, progress=lambda *what: steps.append(what))
    assert made.entities.shape == (30, 64) and made.relations.shape == (3, 64)
    assert made.entities.dtype == made.relations.dtype == np.float32
    assert np.linalg.norm(made.entities, axis=1) == pytest.approx(1, abs=1e-5)
    # head + relation is nearer to the true tail than to most entities; by chance it is the 15th.
    head, relation, tail = graph.store.edges().T
    ends = made.entities[head] + made.relations[relation]
    distances = np.linalg.norm(ends[:, None] - made.entities[None], axis=2)
    true = distances[np.arange(len(tail)), tail]
    assert (distances < true[:, None]).sum(axis=1).mean() < 6
    about = made.about
    assert about["epochs"] <= 50 and about["stopped_by"] in ("epochs", "validation")
    assert about["best_epoch"] <= about["epochs"]
    assert about["facts"] == 90 and about["trained_on"] == 82
    assert about["test"]["facts"] == about["validation"]["facts"] == 4
    assert 0 <= about["test"]["Hits@1"] <= about["test"]["MRR"] <= 1
    json.dumps(about)
    assert steps[0] == ("training TransE", 0, 50)
    assert steps[-1][0] == "measuring TransE"
    assert [done for what, done, _ in steps if what.startswith("training")] == list(
        range(about["epochs"])
    )


def test_figures_are_filtered_ranks_with_ties_by_the_mean(graph: kgpath.Graph) -> None:
    made = train_transe(graph, epochs=20)
    edges = graph.store.edges()
    test = split(edges, 30, 250, 2000, seed=0).test
    facts = set(map(tuple, edges.tolist()))
    found = []
    for head, relation, tail in test.tolist():
        for at in (0, 2):
            true, fact = (head, relation, tail)[at], [head, relation, tail]
            scores = {}
            for other in range(30):
                fact[at] = other
                if other == true or tuple(fact) not in facts:
                    h, r, t = fact
                    gap = made.entities[h] + made.relations[r] - made.entities[t]
                    scores[other] = float(np.linalg.norm(gap))
            better = sum(score < scores[true] for score in scores.values())
            same = sum(score == scores[true] for score in scores.values())
            found.append(better + (1 + same) / 2)
    ranks = np.array(found)
    figures = made.about["test"]
    assert figures["MRR"] == pytest.approx((1 / ranks).mean(), abs=1e-6)
    assert figures["Hits@1"] == pytest.approx((ranks <= 1).mean())
    assert figures["Hits@10"] == pytest.approx((ranks <= 10).mean())


def same(one: Embedding, other: Embedding) -> bool:
    return np.array_equal(one.entities, other.entities) and np.array_equal(
        one.relations, other.relations
    )


def test_a_seed_gives_the_same_vectors_and_leaves_others_their_chance(graph: kgpath.Graph) -> None:
    import torch

    before = torch.random.get_rng_state()
    one = train_transe(graph, epochs=3, seed=5)
    assert torch.equal(before, torch.random.get_rng_state())
    assert same(one, train_transe(graph, epochs=3, seed=5))
    assert not same(one, train_transe(graph, epochs=3, seed=6))


class Stop(Exception):
    pass


@pytest.mark.slow
@pytest.mark.parametrize("interrupted", [(1,), (4, 9), (21,)])
def test_an_interrupted_training_goes_on_the_same(
    graph: kgpath.Graph, tmp_path: Path, interrupted: tuple[int, ...]
) -> None:
    # Over a look at the validation part at epochs 10 and 20.
    whole = train_transe(graph, epochs=23)
    began = []
    for stop in interrupted:

        def seen(what: str, done: int, total: int, stop: int = stop) -> None:
            began.append(done)
            if done == stop:
                raise Stop

        with pytest.raises(Stop):
            train_transe(graph, epochs=23, folder=tmp_path / "t", progress=seen)
    assert any((tmp_path / "t").iterdir())
    began.clear()
    resumed = train_transe(
        graph,
        epochs=23,
        folder=tmp_path / "t",
        progress=lambda what, done, total: began.append(done),
    )
    assert began[0] > 0
    assert same(whole, resumed)
    without_time = [{**made.about, "seconds": 0} for made in (whole, resumed)]
    assert without_time[0] == without_time[1]


def interrupt(graph: kgpath.Graph, folder: Path, **options: object) -> None:
    def seen(what: str, done: int, total: int) -> None:
        if done == 3:
            raise Stop

    with pytest.raises(Stop):
        train_transe(graph, folder=folder, progress=seen, **options)  # type: ignore[arg-type]


def test_a_damaged_checkpoint_starts_again(graph: kgpath.Graph, tmp_path: Path) -> None:
    whole = train_transe(graph, epochs=5)
    other = io.BytesIO()
    np.save(other, np.zeros((3, 4), np.float32))
    for number, (name, content) in enumerate(
        (
            ("training.json", b"{"),
            ("training.json", b"[" * 9999),
            ("entities.npy", b"x"),
            ("entities.npy", None),
            ("entities.npy", other.getvalue()),
            ("relations-exp_avg.npy", other.getvalue()),
        )
    ):
        folder = tmp_path / str(number)
        interrupt(graph, folder, epochs=5)
        (state,) = folder.iterdir()
        if content is None:
            (state / name).unlink()
        else:
            (state / name).write_bytes(content)
        assert same(whole, train_transe(graph, epochs=5, folder=folder))


def test_other_options_do_not_resume(
    graph: kgpath.Graph, tmp_path: Path, build_graph: Callable[..., kgpath.Graph]
) -> None:
    interrupt(graph, tmp_path / "t", epochs=5)
    with pytest.raises(BadOption, match=r"with seed 0\. Give the same again.*--restart"):
        train_transe(graph, epochs=5, seed=1, folder=tmp_path / "t")
    with pytest.raises(BadOption, match="configuration quick, batch 8192"):
        train_transe(graph, epochs=5, configuration="paper", folder=tmp_path / "t")
    other = build_graph(ring(20), name="other.ttl", output="other.kg")
    with pytest.raises(BadOption, match="another content of the graph"):
        train_transe(other, epochs=5, folder=tmp_path / "t")
    longer = train_transe(graph, epochs=6, folder=tmp_path / "t")  # bounds may change
    assert same(longer, train_transe(graph, epochs=6))


def test_what_another_version_began_is_not_resumed(
    graph: kgpath.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupt(graph, tmp_path / "t", epochs=5)
    monkeypatch.setattr(transe, "VERSION", transe.VERSION + 1)
    with pytest.raises(BadOption, match=r"another version of kgpath\. Drop it with --restart\."):
        train_transe(graph, epochs=5, folder=tmp_path / "t")
    with pytest.raises(BadOption, match=r"with seed 0\. Give the same again"):
        train_transe(graph, epochs=5, seed=1, folder=tmp_path / "t")


def test_it_stops_when_it_gets_no_better(
    graph: kgpath.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    never = Configuration(every=2, patience=2, least_gain=100.0)
    monkeypatch.setitem(CONFIGURATIONS, "never", never)
    about = train_transe(graph, configuration="never").about
    assert (about["epochs"], about["best_epoch"], about["stopped_by"]) == (6, 2, "validation")


def test_it_stops_in_time(graph: kgpath.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    # Every look at the clock is a second later than the one before: two for each epoch.
    clock = SimpleNamespace(monotonic=count().__next__)
    monkeypatch.setattr("kgpath.encoders.vectors.transe_training.time", clock)
    about = train_transe(graph, minutes=0.1).about
    assert (about["stopped_by"], about["epochs"], about["seconds"]) == ("time", 3, 5)


def test_a_small_graph_has_no_figures(film: kgpath.Graph) -> None:
    made = train_transe(film, epochs=2)
    assert made.entities.shape == (12, 64)
    assert made.about["test"] is None and made.about["validation"] is None
    assert made.about["best_epoch"] == 2


def test_relations_without_facts_have_a_place(film: kgpath.Graph) -> None:
    assert len(film.relations()) < len(film.store.relations)  # dbo:participant
    made = train_transe(film, epochs=1)
    assert len(made.relations) == len(film.store.relations)


@pytest.mark.parametrize(
    "facts",
    [
        "ex:a ex:knows ex:b .",
        "\n".join(f"ex:a ex:r{n} ex:b . ex:b ex:r{n} ex:a ." for n in range(9)),
    ],
)
def test_too_small_a_graph_is_refused(build_graph: Callable[..., kgpath.Graph], facts: str) -> None:
    with pytest.raises(BadSource, match=r"between 1 pairs of entities; TransE needs at least 10"):
        train_transe(build_graph(facts))


def test_bad_options_are_refused(graph: kgpath.Graph) -> None:
    with pytest.raises(UnknownName, match=r"No configuration 'best'. Known: quick, paper\."):
        train_transe(graph, configuration="best")
    with pytest.raises(BadOption, match="minutes is 0; it must be more than 0"):
        train_transe(graph, minutes=0)
    with pytest.raises(BadOption, match="epochs is -1"):
        train_transe(graph, epochs=-1)


def test_the_paper_is_followed() -> None:
    paper = CONFIGURATIONS["paper"]
    assert (paper.dimensions, paper.learning_rate, paper.epochs) == (64, 1e-3, 500)
    assert paper.minutes is None
    assert CONFIGURATIONS["quick"].minutes <= 30
