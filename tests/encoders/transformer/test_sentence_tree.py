"""K-BERT's sentence tree: soft positions, and who sees whom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.encoders.transformer.contextual import Named
from kgpath.encoders.transformer.k_bert import KBert
from kgpath.errors import BadOption
from kgpath.linking.context import Context

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from kgpath.encoders.transformer.base_model import Base, load_base  # noqa: E402
from kgpath.encoders.transformer.hidden_states import (  # noqa: E402
    Chunk,
    chunks_of,
    hidden_states,
)
from kgpath.encoders.transformer.sentence_tree import FactsOf, tree_chunks  # noqa: E402

TEXT = "daniel craig has played james bond."
CRAIG, BOND = Named(0, 12, 1), Named(24, 34, 2)
FACTS = {1: ["actor london", "the english"], 2: ["played roger moore"]}


@pytest.fixture(scope="module")
def base(tiny_bert: str) -> Base:
    return load_base(tiny_bert)


def tree(
    base: Base, facts: dict[int, list[str]] = FACTS, named: Sequence[Named] = (CRAIG, BOND)
) -> Chunk:
    (chunk,) = tree_chunks(base, TEXT, named, lambda entity: facts[entity])
    return chunk


def states(base: Base, *chunks: Chunk) -> np.ndarray:
    with torch.inference_mode():
        return hidden_states(base, chunks).numpy()


def test_the_tree_by_hand(base: Base) -> None:
    chunk = tree(base)
    words = base.tokenizer.convert_ids_to_tokens(chunk.ids)
    assert " ".join(words) == (
        "[CLS] daniel craig actor london the english has played james bond played roger moore"
        " . [SEP]"
    )
    assert chunk.positions == [0, 1, 2, 3, 4, 3, 4, 3, 4, 5, 6, 7, 8, 9, 7, 8]
    assert chunk.visible is not None
    seen = {
        word: "".join("x" if sees else "." for sees in row)
        for word, row in zip(enumerate(words), chunk.visible, strict=True)
    }
    trunk, craig, bond = "xxx....xxxx...xx", "xxxxxxxxxxx...xx", "xxx....xxxxxxxxx"
    first, second, third = ".xxxx...........", ".xx..xx.........", ".........xxxxx.."
    expected = [trunk, craig, craig, first, first, second, second, trunk, trunk, bond, bond]
    expected += [third, third, third, trunk, trunk]
    assert list(seen.values()) == expected
    assert np.array_equal(chunk.visible, chunk.visible.T)
    assert [tuple(p) for p in chunk.places.tolist() if p[0] >= 0] == [
        (0, 6), (7, 12), (13, 16), (17, 23), (24, 29), (30, 34), (34, 35),
    ]  # fmt: skip


def test_a_branch_is_invisible_to_other_words_in_one_layer(base: Base, tiny_bert: str) -> None:
    one = load_base(tiny_bert)
    del one.model.encoder.layer[1:]
    other = {1: ["moore roger", "the english"], 2: FACTS[2]}
    before, after = states(one, tree(one))[0], states(one, tree(one, other))[0]
    changed = {at for at in range(len(before)) if not np.array_equal(before[at], after[at])}
    # The name and the branch itself: not the other branch of the name, nor any other word.
    assert changed == {1, 2, 3, 4}


def test_in_two_layers_it_reaches_others_only_through_its_name(base: Base) -> None:
    other = {1: ["moore roger", "the english"], 2: FACTS[2]}
    before, after = states(base, tree(base))[0], states(base, tree(base, other))[0]
    changed = {at for at in range(len(before)) if not np.array_equal(before[at], after[at])}
    # The text sees the name; the other branch of the name too; that of james bond does not.
    assert changed == set(range(len(before))) - {11, 12, 13}


def test_without_facts_a_tree_is_a_text(base: Base) -> None:
    (plain,) = chunks_of(base, TEXT)
    bare = tree(base, {1: [], 2: []})
    assert bare.ids == plain.ids and bare.positions == list(range(len(plain.ids)))
    assert bare.visible is not None and bare.visible.all()
    assert states(base, bare) == pytest.approx(states(base, plain), abs=1e-5)


def test_positions_are_soft(base: Base) -> None:
    # Where each branch stands in the sequence makes no difference: positions and sight do.
    chunk = tree(base)
    order = [0, 1, 2, 7, 8, 9, 10, 14, 15, 3, 4, 5, 6, 11, 12, 13]
    assert chunk.positions is not None and chunk.visible is not None
    moved = Chunk(
        [chunk.ids[at] for at in order], chunk.places[order], None,
        [chunk.positions[at] for at in order], chunk.visible[np.ix_(order, order)],
    )  # fmt: skip
    assert states(base, moved)[0] == pytest.approx(states(base, chunk)[0][order], abs=1e-5)


def test_company_makes_no_difference(base: Base) -> None:
    alone, (short,) = tree(base), chunks_of(base, "james bond")
    both = states(base, short, alone)
    assert both[1] == pytest.approx(states(base, alone)[0], abs=1e-5)
    assert both[0, : len(short.ids)] == pytest.approx(states(base, short)[0], abs=1e-5)
    assert np.isfinite(both).all()


def test_a_long_text_has_its_branches_where_the_names_are(base: Base) -> None:
    text = "the " * 40 + "james bond " + "the " * 40
    named = [Named(160, 170, 2)]
    chunks = tree_chunks(base, text, named, lambda _: ["a very long fact of many letters"])
    assert len(chunks) > 2
    hung = [chunk for chunk in chunks if (chunk.places[:, 0] < 0).sum() > 2]
    assert 1 <= len(hung) < len(chunks)
    longest = [len(chunk.ids) for chunk in chunks]
    assert max(max(chunk.positions or [0]) for chunk in chunks) < 64, longest


def test_a_model_without_positions_is_refused(base: Base) -> None:
    class Without:
        name, takes = "some model", frozenset({"input_ids"})

    with pytest.raises(BadOption, match="takes no positions"):
        tree_chunks(Without(), TEXT, [], lambda _: [])  # type: ignore[arg-type]


def test_which_facts_are_read_along(build_graph) -> None:
    kg = build_graph(
        "ex:film ex:starring ex:a, ex:b, ex:c ; ex:director ex:d ; ex:rare ex:e ."
        " ex:other ex:director ex:d . ex:third ex:likes ex:film ."
    )
    film = kg.entity("film").id
    # Single values first, the more usual relation of these first; then one of the many.
    assert FactsOf(kg, 2)(film) == ["director d", "rare e"]
    assert FactsOf(kg, 4)(film) == ["director d", "rare e", "starring a", "starring b"]
    assert FactsOf(kg, 0)(film) == []
    assert FactsOf(kg, 2)(kg.entity("a").id) == []  # nothing is said of it


def test_vectors_with_other_facts_are_not_loaded_from_the_cache(
    tiny_bert: str, film: kgpath.Graph, cache_folder: Path
) -> None:
    def vector(facts: int) -> list[float]:
        encoder = KBert(base=tiny_bert, facts=facts)
        encoder.set_tuned({})  # the same weights for all
        return encoder.encode(Context(film, "Daniel Craig is an actor."), 0).tolist()

    assert vector(2) != vector(0)
    assert vector(2) == vector(2)


def test_facts_of_the_graph_change_the_vector(tiny_bert: str, film: kgpath.Graph) -> None:
    context = Context(film, "Daniel Craig has played James Bond.")
    craig = film.entity("Daniel Craig").id
    vectors = []
    for facts in (0, 2):
        encoder = KBert(base=tiny_bert, facts=facts, steps=1, batch=2, layers=1)
        encoder.set_tuned({})  # untrained: the facts alone make the difference
        vectors.append(encoder.encode(context, craig))
    assert not np.allclose(*vectors)


def test_masked_words_are_predicted_with_and_without_facts(tiny_bert: str, sample) -> None:
    encoder = KBert(base=tiny_bert, steps=1, batch=2, layers=1)
    encoder.fit(sample)
    report = encoder.report()
    assert {"masked-word loss", "masked-word without facts loss"} <= set(report)
    assert report["masked-word loss"] != report["masked-word without facts loss"]
