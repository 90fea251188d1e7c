"""Vectors moved by a text: each term of the cost, what it does to three entities, real texts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kgpath
from kgpath.encoders.fused.fused import FusedIn, FusedInOut, FusedNone
from kgpath.encoders.fused.retrofit import RP, VSP, Constraints, Terms, retrofit, total
from kgpath.encoders.fused.retrofit_constraints import constraints_of
from kgpath.encoders.vectors.embedding import Embedding, embedding_of, folder_of
from kgpath.errors import BadOption, BadStore
from kgpath.io.arrays import write_array
from kgpath.linking.context import Context
from kgpath.plugins import CONTEXT_ENCODERS

TEXT = "Daniel Craig follows Roger Moore as James Bond, who was made up by Ian Fleming."
NOTHING = Terms(0, 0, 0, 0)
ALL = Terms(0.3, 0.1, 0.2, 0.2, 0.2)


def cosine(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def random_bonds(seed: int, mentions: int, size: int = 5) -> Constraints:
    """All that can occur: padding, mentions without company, facts between mentions."""
    rng = np.random.default_rng(seed)

    def units(*shape: int) -> np.ndarray:
        vectors = rng.normal(size=(*shape, size))
        return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)

    start = units(mentions)
    tails = rng.integers(-1, mentions, size=(mentions, 3))
    tails[tails == np.arange(mentions)[:, None]] = -1
    relations = rng.normal(size=(mentions, 3, size))
    tail_vectors = np.where((tails >= 0)[..., None], start[tails], units(mentions, 3))
    apart = 1 - np.eye(mentions)
    return Constraints(
        start=start,
        close=rng.random((mentions, mentions)) * apart,
        distant=rng.random((mentions, mentions)) * apart,
        outside=units(mentions, 4),
        outside_weights=rng.random((mentions, 4)) * (rng.random((mentions, 4)) < 0.8),
        near=units(mentions, 2),
        near_weights=rng.random((mentions, 2)),
        targets=tail_vectors - relations,
        target_weights=rng.random((mentions, 3)),
        target_mentions=tails,
    )


TERMS = [
    *(replace(NOTHING, **{name: 1.0}) for name in ("cna", "sda", "ncr")),
    *(replace(NOTHING, vsp=1.0, how_vsp=how) for how in VSP),
    *(replace(NOTHING, rp=1.0, how_rp=how) for how in RP),
    ALL,
]


@pytest.mark.parametrize("terms", TERMS, ids=str)
@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), mentions=st.integers(1, 4))
def test_gradients_are_those_of_finite_differences(terms: Terms, seed: int, mentions: int) -> None:
    bonds = random_bonds(seed, mentions)
    rng = np.random.default_rng(seed + 1)
    at = bonds.start + 0.3 * rng.normal(size=bonds.start.shape)
    direction = rng.normal(size=at.shape)
    step = 1e-6
    (above, rise), (below, fall) = (total(bonds, at + s * direction, terms) for s in (step, -step))
    # A corner of the cost may lie between: its slope is then between those of both sides.
    low, high = sorted(float((gradient * direction).sum()) for gradient in (rise, fall))
    assert low - 1e-4 <= (above - below) / (2 * step) <= high + 1e-4


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6), mentions=st.integers(1, 5), steps=st.integers(1, 40))
def test_the_cost_never_ends_higher_than_it_began(seed: int, mentions: int, steps: int) -> None:
    bonds = random_bonds(seed, mentions)
    for terms in TERMS:
        before, after = total(bonds, bonds.start, terms)[0], retrofit(bonds, terms, steps)
        assert total(bonds, after, terms)[0] <= before
        assert np.linalg.norm(after, axis=1) == pytest.approx(1)  # as at the start


# Three entities by hand: two mentions at right angles, and a neighbour outside the text.


def three(**changes: object) -> Constraints:
    """x and y are mentions; y - r is where x fits its fact; z, at 45° to x, is near and outside."""
    x, y = np.eye(3)[:2]
    z = np.array([1.0, 0.0, 1.0]) / np.sqrt(2)
    other = np.array([[0.0, 1.0], [1.0, 0.0]])
    bonds = Constraints(
        start=np.array([x, y]),
        close=other,
        distant=0 * other,
        outside=np.array([[z], [z]]),
        outside_weights=np.array([[1.0], [0.0]]),
        near=np.array([[z], [z]]),
        near_weights=np.array([[1.0], [0.0]]),
        targets=np.array([[x], [x]]),
        target_weights=np.array([[1.0], [0.0]]),
        target_mentions=np.array([[-1], [-1]]),
    )
    return replace(bonds, **changes)


def test_the_terms_cost_what_they_should_at_the_start() -> None:
    bonds = three()
    cost = {
        name: total(bonds, bonds.start, replace(NOTHING, **{name: 1.0}))[0]
        for name in ("cna", "sda", "ncr", "vsp", "rp")
    }
    # Two mentions at distance 1, each of which is drawn; z is closer than a right angle to x.
    assert cost == pytest.approx({"cna": 2, "sda": 0, "ncr": np.cos(np.pi / 4), "vsp": 0, "rp": 0})


def test_close_neighbours_come_together_and_meet_half_way() -> None:
    x, y = retrofit(three(), replace(NOTHING, cna=1.0))
    assert cosine(x, y) > 0.999
    assert cosine(x, np.array([1.0, 1.0, 0.0])) > 0.999  # neither went all the way
    x, y = retrofit(three(distant=three().close), replace(NOTHING, sda=1.0))
    assert cosine(x, y) > 0.999


def test_what_is_outside_is_pushed_up_to_a_right_angle_and_no_further() -> None:
    bonds = three()
    z = bonds.outside[0, 0]
    x, y = retrofit(bonds, replace(NOTHING, ncr=1.0))
    assert -0.2 < cosine(x, z) <= 1e-6  # but for the last step
    assert np.array_equal(y, bonds.start[1])  # it has no neighbour outside
    far = replace(bonds, outside=-bonds.outside)
    assert np.array_equal(retrofit(far, replace(NOTHING, ncr=1.0)), far.start)


def test_what_was_near_and_known_facts_resist() -> None:
    bonds = three()
    (x, _), (held, _), (fact, _) = (
        retrofit(bonds, terms)
        for terms in (
            replace(NOTHING, cna=0.3),
            replace(NOTHING, cna=0.3, vsp=5.0),
            replace(NOTHING, cna=0.3, rp=5.0),
        )
    )
    z, start = bonds.near[0, 0], bonds.start[0]
    assert abs(cosine(held, z) - cosine(start, z)) < 0.02 < abs(cosine(x, z) - cosine(start, z))
    assert np.linalg.norm(fact - start) < 0.05 < np.linalg.norm(x - start)


@pytest.mark.parametrize(
    ("moved", "abs_", "printed", "counterfit"),
    [
        ((1.0, 0.0, 1.0), 0.2929, 0.2929, 0.0),  # closer to z
        ((1.0, 0.0, -1.0), 0.7071, 0.0, 0.7071),  # away from it
    ],
)
def test_distances_kept_in_three_meanings(
    moved: tuple[float, ...], abs_: float, printed: float, counterfit: float
) -> None:
    bonds = three()
    vectors = np.array([moved, bonds.start[1]])
    for how, cost in {"abs": abs_, "printed": printed, "counterfit": counterfit}.items():
        terms = replace(NOTHING, vsp=1.0, how_vsp=how)
        assert total(bonds, vectors, terms)[0] == pytest.approx(cost, abs=1e-4)


@pytest.mark.parametrize(
    ("moved", "residual", "printed"), [((2.5, 0.0, 0.0), 0.5, 0.0), ((1.5, 0.0, 0.0), 0.0, 0.5)]
)
def test_relations_kept_in_three_meanings(
    moved: tuple[float, ...], residual: float, printed: float
) -> None:
    bonds = three(targets=np.array([[[0.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]]]))
    bonds = replace(bonds, start=np.array([[2.0, 0.0, 0.0], bonds.start[1]]))  # residual 2
    vectors = np.array([moved, bonds.start[1]])
    for how, cost in {"residual": residual, "printed": printed, "abs": 0.5}.items():
        terms = replace(NOTHING, rp=1.0, how_rp=how)
        assert total(bonds, vectors, terms)[0] == pytest.approx(cost)


def test_a_fact_between_two_mentions_holds_both_and_lets_both_move() -> None:
    bonds = three()
    relation = bonds.start[1] - bonds.start[0]  # x + r = y
    bonds = replace(
        bonds,
        targets=np.array([[bonds.start[1] - relation]] * 2),
        target_mentions=np.array([[1], [-1]]),
    )
    terms = replace(NOTHING, rp=1.0)
    assert total(bonds, bonds.start + 0.5, terms)[0] == pytest.approx(0)  # moved alike
    alone = bonds.start + np.array([[0.0, 0.0, 0.5], [0.0, 0.0, 0.0]])
    assert total(bonds, alone, terms)[0] == pytest.approx(0.5)
    gradient = total(bonds, alone, terms)[1]
    assert gradient[0] == pytest.approx(-gradient[1])


# Real texts.


@pytest.fixture
def embedded(film_path: Path, tmp_path: Path) -> Iterator[kgpath.Graph]:
    """A copy of the film graph, since vectors are put beside it."""
    with kgpath.open(shutil.copy(film_path, tmp_path)) as graph:
        embed(graph)
        yield graph


def embed(graph: kgpath.Graph, size: int = 16) -> None:
    """Vectors by IRI, so that they are the same in every graph."""

    def vector(iri: str) -> np.ndarray:
        numbers = np.random.default_rng(list(iri.encode())).normal(size=size)
        return numbers / np.linalg.norm(numbers)

    rows = graph.store.entities(range(len(graph)))
    Embedding(
        np.array([vector(rows[i].iri) for i in range(len(graph))], dtype=np.float32),
        np.array([vector(r.iri) for r in graph.store.relations], dtype=np.float32),
    ).save(folder_of(graph), graph.fingerprint)


@pytest.mark.parametrize("shape", [(3, 16), (12, 8), (12, 0), (0, 16), (13, 16)])
def test_vectors_of_another_graph_are_refused(
    embedded: kgpath.Graph, shape: tuple[int, int]
) -> None:
    write_array(folder_of(embedded), "entities", np.zeros(shape, np.float32))
    with pytest.raises(BadStore) as raised:
        embedding_of(embedded)
    assert str(raised.value) == (
        f"The TransE vectors in {folder_of(embedded)} are not those of film.kg. Make them again: "
        "kgpath embed GRAPH"
    )


@pytest.mark.parametrize("text", ["[]", "3", "[" * 100_000, '{"fingerprint": NaN}', ""])
def test_what_is_said_of_vectors_may_be_anything(embedded: kgpath.Graph, text: str) -> None:
    (folder_of(embedded) / "transe.json").write_text(text)
    with pytest.raises(BadStore, match="There are no TransE vectors in"):
        embedding_of(embedded)


@pytest.mark.parametrize(
    "weights",
    [
        "[]",
        "{}",
        '{"w_cna": -1}',
        '{"w_cna": 1e9}',
        '{"w_cna": null}',
        '{"w_cna": NaN}',
        "[" * 9999,
    ],
)
def test_weights_of_a_stranger_that_make_no_sense_are_refused(tmp_path: Path, weights: str) -> None:
    usual = {"w_sda": 0.1, "w_vsp": 0.1, "w_rp": 0.1}
    if weights.startswith('{"'):
        weights = f"{json.dumps(usual)[:-1]}, {weights[1:]}"
    (tmp_path / "weights.json").write_text(weights)
    with pytest.raises(
        BadStore, match=r"weights.json cannot be read \(.*\)\. Train the model again"
    ):
        FusedIn(weights="grid").load(tmp_path)


def test_fused_none_is_transe_whatever_the_text(embedded: kgpath.Graph) -> None:
    entity = embedded.entity("Daniel Craig").id
    stored = np.load(folder_of(embedded) / "entities.npy")[entity]
    for text in ("", TEXT):
        vector = FusedNone().encode(Context(embedded, text), entity)
        assert vector.dtype == np.float32
        assert np.array_equal(vector, stored)


@pytest.mark.parametrize("name", ["fused-none", "fused-in", "fused-inout"])
def test_who_is_not_named_keeps_its_vector(embedded: kgpath.Graph, name: str) -> None:
    encoder = CONTEXT_ENCODERS.make(name)
    for entity, text in (("Chester", TEXT), ("Chester", ""), ("Daniel Craig", "Nobody.")):
        context, number = Context(embedded, text), embedded.entity(entity).id
        vector = encoder.encode(context, number)
        assert np.array_equal(vector, FusedNone().encode(context, number))


@pytest.mark.parametrize("make", [FusedIn, FusedInOut])
def test_a_text_draws_those_it_names_together(
    embedded: kgpath.Graph, make: Callable[[], FusedIn]
) -> None:
    context = Context(embedded, TEXT)
    ends = [embedded.entity(name).id for name in ("Daniel Craig", "Roger Moore")]
    before = [FusedNone().encode(context, end) for end in ends]
    after = [make().encode(context, end) for end in ends]
    assert after[0].shape == before[0].shape
    assert after[0].dtype == np.float32
    assert cosine(*after) > cosine(*before) + 0.3
    swapped = make()
    assert np.array_equal(swapped.encode(context, ends[1]), after[1])
    assert np.array_equal(swapped.encode(context, ends[0]), after[0])
    assert np.array_equal(make().encode(Context(embedded, TEXT), ends[0]), after[0])


def test_what_lies_outside_the_text_is_farther_with_the_push(embedded: kgpath.Graph) -> None:
    # Next to nothing but the push: London is where Roger Moore was born, and not in the text.
    context = Context(embedded, "Roger Moore spoke.")
    moore, london = (embedded.entity(name).id for name in ("Roger Moore", "London"))
    start, other = (FusedNone().encode(context, e) for e in (moore, london))
    free = FusedInOut(w_ncr=1, w_vsp=0, w_rp=0).encode(context, moore)
    assert cosine(free, other) <= max(cosine(start, other), 1e-3)
    still = FusedIn(w_vsp=0, w_rp=0).encode(context, moore)
    assert np.array_equal(still, start)


def test_both_ends_share_one_optimisation(
    embedded: kgpath.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kgpath.encoders.fused import fused

    calls = []
    monkeypatch.setattr(fused, "retrofit", lambda *a: calls.append(1) or retrofit(*a))
    encoder, context = FusedIn(), Context(embedded, TEXT)
    for name in ("Daniel Craig", "Roger Moore", "Daniel Craig"):
        encoder.encode(context, embedded.entity(name).id)
    assert len(calls) == 1
    encoder.encode(Context(embedded, TEXT), embedded.entity("Daniel Craig").id)
    assert len(calls) == 2


def test_mentions_of_one_entity_differ_and_their_mean_counts(embedded: kgpath.Graph) -> None:
    gap = " and then a good deal happened of which nobody would ever speak aloud again," * 3
    text = f"Daniel Craig met Roger Moore{gap} until Daniel Craig met Ian Fleming."
    context = Context(embedded, text)
    craig = embedded.entity("Daniel Craig").id
    mentions = context.mentions([craig])
    from kgpath.encoders.vectors.embedding import embedding_of

    bonds = constraints_of(embedded, embedding_of(embedded), mentions)
    terms = Terms(0.45, 0.1, 0.25, 0.2)
    rows = retrofit(bonds, terms)[[m.entity == craig for m in mentions]]
    assert len(rows) == 2
    assert cosine(*rows) < 0.9999
    assert FusedIn().encode(context, craig) == pytest.approx(rows.mean(axis=0), abs=1e-6)


def test_windows_hold_entities_once_and_the_rest_is_the_document(embedded: kgpath.Graph) -> None:
    gap = " so" * 20
    text = f"Daniel Craig, Roger Moore, Roger Moore and James Bond{gap} Ian Fleming."
    mentions = Context(embedded, text).mentions()
    names = [embedded.entity(m.entity).label for m in mentions]
    assert names == ["Daniel Craig", "Roger Moore", "Roger Moore", "James Bond", "Ian Fleming"]
    from kgpath.encoders.vectors.embedding import embedding_of

    bonds = constraints_of(embedded, embedding_of(embedded), mentions)
    # Two entities in Craig's window; the two mentions of one of them share its half.
    assert bonds.close[0].tolist() == [0, 0.25, 0.25, 0.5, 0]
    assert bonds.distant[0].tolist() == [0, 0, 0, 0, 1]
    assert bonds.close[1].tolist() == [0.5, 0, 0, 0.5, 0]
    assert bonds.distant[4] == pytest.approx([1 / 3, 1 / 6, 1 / 6, 1 / 3, 0])


def test_a_larger_graph_with_other_ids_gives_the_same_vector(
    film_turtle: str, build_graph: Callable[..., kgpath.Graph]
) -> None:
    # The new entities are first and last in the order of IRIs, and touch nobody of the text.
    more = "<http://aaa.org/a> ex:knows <http://zzz.org/z> ."
    plain = build_graph(film_turtle)
    grown = build_graph(film_turtle, more, output="more.kg")
    vectors = []
    for graph in (plain, grown):
        embed(graph)
        entity = graph.entity("Daniel Craig")
        vectors.append(FusedInOut().encode(Context(graph, TEXT), entity.id))
    assert plain.entity("Daniel Craig").id != grown.entity("Daniel Craig").id
    assert np.array_equal(*vectors)


@pytest.mark.parametrize(
    ("choice", "complaint"),
    [
        ("fused-in(vsp=cosine)", "vsp is 'cosine'; it can be abs, printed, counterfit."),
        ("fused-inout(rp=norm)", "rp is 'norm'; it can be residual, printed, abs."),
        ("fused-in(w_cna=-1)", "w_cna is -1; it can be 0 or more."),
        ("fused-inout(w_ncr=nan)", "w_ncr is nan; it can be 0 or more."),
        ("fused-in(scope=window)", "fused-in has no option 'scope'"),
    ],
)
def test_options_that_make_no_sense_are_refused(choice: str, complaint: str) -> None:
    with pytest.raises(BadOption, match=complaint.replace("(", r"\(")):
        CONTEXT_ENCODERS.make(choice)


def test_options_can_be_read_back() -> None:
    assert FusedNone().options() == {}
    assert FusedInOut(w_ncr=0.5).options() == {
        "w_ncr": 0.5, "w_cna": 0.3, "w_sda": 0.1, "w_vsp": 0.2, "w_rp": 0.2,
        "vsp": "abs", "rp": "residual", "weights": "given",
    }  # fmt: skip
    options = FusedIn().options()
    assert [options[f"w_{term}"] for term in ("cna", "sda", "vsp", "rp")] == [0.45, 0.1, 0.25, 0.2]
