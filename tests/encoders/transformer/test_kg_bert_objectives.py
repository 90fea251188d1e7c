"""What the contextualised encoders learn from a graph: examples, losses and figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.component import GraphReader
from kgpath.encoders.transformer.training_facts import GraphFacts, descriptions_of, introductions_of
from kgpath.io.queries import QueryFile
from kgpath.learning.evaluate import Evaluator
from kgpath.plugins import TEXT_ENCODERS, text_encoder
from kgpath.rankers.kgpath_ltr import KgpathLTR

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from kgpath.datasets.sample_files import sample_questions  # noqa: E402
from kgpath.encoders.transformer.base_model import Base, load_base  # noqa: E402
from kgpath.encoders.transformer.joint_objective import Joint  # noqa: E402
from kgpath.encoders.transformer.kepler_objective import DescribedFacts  # noqa: E402
from kgpath.encoders.transformer.kg_bert_objectives import Names, Relations, TrueFacts  # noqa: E402
from kgpath.encoders.transformer.masked_lm import MaskedLM  # noqa: E402
from kgpath.encoders.transformer.reading import hidden_states, means  # noqa: E402
from kgpath.errors import BadOption  # noqa: E402


@pytest.fixture
def base(tiny_bert: str) -> Base:
    return load_base(tiny_bert)


@pytest.fixture
def facts(film: kgpath.Graph) -> GraphFacts:
    return GraphFacts(film, 0, 0)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# Facts, true and false


def test_no_corrupted_fact_is_true(facts: GraphFacts) -> None:
    known = {tuple(fact) for fact in facts.every.tolist()}
    for alike in (0.0, 0.5, 1.0):
        drawn = facts.drawn(rng(), 300)
        false = facts.corrupted(rng(1), drawn, alike)
        assert {tuple(fact) for fact in drawn.tolist()} <= known
        same = (drawn == false).sum(axis=1)
        assert not known & {tuple(fact) for fact in false.tolist()}
        assert (drawn[:, 1] == false[:, 1]).all() and (same == 2).all()


def test_a_like_end_has_the_relation_elsewhere(sample: kgpath.Graph) -> None:
    facts = GraphFacts(sample, 0, 0)
    ends = {(r, place, e) for h, r, t in facts.every.tolist() for place, e in ((0, h), (2, t))}
    drawn = facts.drawn(rng(), 400)
    false = facts.corrupted(rng(1), drawn, alike=1.0)
    alike = [
        (new[1], place, new[place]) in ends
        for old, new in zip(drawn.tolist(), false.tolist(), strict=True)
        for place in (0, 2)
        if old[place] != new[place]
    ]
    assert np.mean(alike) > 0.9  # all but where there is none
    any_end = facts.corrupted(rng(1), drawn, alike=0.0)
    assert np.mean([(f[1], 0, f[0]) in ends and (f[1], 2, f[2]) in ends for f in any_end]) < 0.5


def test_held_out_facts_are_not_learned_from(sample: kgpath.Graph) -> None:
    facts = GraphFacts(sample, 5, 0)
    learned = {tuple(fact) for fact in facts.train.tolist()}
    assert len(facts.test) and not learned & {tuple(fact) for fact in facts.test.tolist()}
    assert facts.are_true(*facts.test.T).all()


def test_descriptions_and_introductions(film: kgpath.Graph) -> None:
    craig, moore = film.entity("Daniel Craig").id, film.entity("Roger Moore").id
    assert set(descriptions_of(film)) == {craig, moore}
    texts = introductions_of(film)
    assert texts[craig] == "Daniel Craig is an English actor. He has played James Bond."
    assert texts[moore] == "An English actor. He was born in London."


# KG-BERT


def test_facts_are_read_as_the_paper_says(base: Base, facts: GraphFacts) -> None:
    names = Names(base, facts)
    graph = facts.graph
    bond, craig = graph.entity("James Bond").id, graph.entity("Daniel Craig").id
    (relation,) = (r.id for r in graph.store.relations if r.iri.endswith("/author"))
    piece = names.fact(bond, relation, craig)
    words = base.tokenizer.convert_ids_to_tokens(piece.ids)
    text = "[CLS] james bond [SEP] a ##u ##t ##h ##o ##r [SEP] daniel craig [SEP]"
    assert " ".join(words) == text
    assert piece.types == [0, *[0] * 3, *[1] * 7, *[0] * 3]
    pair = names.pair(bond, craig)
    assert pair.types == [0, *[0] * 3, *[1] * 3]


def test_half_of_the_facts_are_false(base: Base, facts: GraphFacts) -> None:
    part = TrueFacts(base, facts, Names(base, facts), 0)
    examples = part.sample(rng(), 9)
    assert [one.answer for one in examples] == [1, 0] * 4 + [1]
    again = part.sample(rng(), 9)
    assert [one.piece.ids for one in examples] == [one.piece.ids for one in again]
    (loss,) = part.losses(examples).values()
    assert 0 < float(loss.detach()) < 5


def test_kg_bert_learns_what_there_is_to_learn(base: Base, build_graph) -> None:
    # Heads and tails tell the relation by their letters.
    lines = [f"ex:a{n} ex:likes ex:b{n} . ex:c{n} ex:hates ex:d{n} ." for n in range(8)]
    facts = GraphFacts(build_graph(" ".join(lines)), 0, 0)
    facts.test = facts.train
    part = Relations(base, facts, Names(base, facts), 0)
    before = part.figures()
    tuned = [*base.tuned(0).values(), *part.parameters()]
    optimizer = torch.optim.Adam(tuned, lr=3e-3)
    for step in range(40):
        optimizer.zero_grad()
        part.losses(part.sample(rng(step), 8))["relations"].backward()
        optimizer.step()
    after = part.figures()
    assert after["relation accuracy of always the most frequent"] == pytest.approx(0.5)
    assert before["relation accuracy"] < 0.8 < 0.95 < after["relation accuracy"]
    assert after["relation MRR"] > before["relation MRR"]


# KEPLER


def kepler_part(base: Base, kg: kgpath.Graph, entity: str = "mean") -> DescribedFacts:
    return DescribedFacts(base, GraphFacts(kg, 0, 0), entity, 0)


@pytest.fixture
def chain(build_graph) -> kgpath.Graph:
    described = " ".join(
        f'ex:{name} rdfs:comment "The {name} {word}."@en .'
        for name, word in zip("abcd", ("actor", "english", "james", "london"), strict=True)
    )
    graph: kgpath.Graph = build_graph(described + " ex:a ex:p ex:b . ex:c ex:p ex:d .")
    return graph


def test_the_transe_loss_by_hand(base: Base, chain: kgpath.Graph) -> None:
    part = kepler_part(base, chain)
    one, two = ([chain.entity(name).id for name in pair] for pair in ("ab", "cd"))
    relation = chain.store.relations[0].id
    facts = [(one[0], relation, one[1]), (two[0], relation, two[1])]
    with torch.no_grad():
        part.relations += 0.1
        loss = float(part.losses(facts)["TransE"])
        vectors = {e: means(base, [part._piece(e)])[0].numpy() for e in (*one, *two)}

    def apart(head: int, tail: int) -> float:
        return float(np.abs(vectors[head] + 0.1 - vectors[tail]).mean() * part.scale)

    def nats(x: float) -> float:
        return float(np.logaddexp(0, -x))

    every = [*one, *two]
    expected = 0.0
    for (head, tail), margin in ((one, 9.0), (two, 9.0)):
        expected += nats(margin - apart(head, tail)) / 2
        tails = [nats(apart(head, other) - margin) for other in every if other != tail]
        heads = [nats(apart(other, tail) - margin) for other in every if other != head]
        expected += (np.mean(tails) / 2 + np.mean(heads) / 2) / 2
    assert loss == pytest.approx(expected, rel=1e-4)


def test_entities_start_as_far_apart_as_margins_expect(base: Base, chain: kgpath.Graph) -> None:
    part = kepler_part(base, chain)
    with torch.inference_mode():
        vectors = part._encoded(sorted(part.texts))
        apart = part._apart(vectors[:, None] - vectors[None]).numpy()
    assert apart[~np.eye(4, dtype=bool)].mean() == pytest.approx(12, rel=1e-4)
    first = kepler_part(base, chain, "cls")
    with torch.inference_mode():
        one = first._encoded([0])[0]
        assert torch.allclose(one, hidden_states(base, [first._piece(0)])[0, 0])


def test_a_vector_does_not_depend_on_its_batch(base: Base, chain: kgpath.Graph) -> None:
    part = kepler_part(base, chain)
    entities = sorted(part.texts)
    with torch.inference_mode():
        together = part._encoded(entities[::-1])
        for at, entity in enumerate(entities[::-1]):
            assert torch.allclose(together[at], part._encoded([entity])[0], atol=1e-5)


def test_the_rank_of_a_held_out_end(base: Base, chain: kgpath.Graph, monkeypatch) -> None:
    part = kepler_part(base, chain)
    part.facts.test = part.facts.train
    places = {name: chain.entity(name).id for name in "abcd"}
    vectors = torch.zeros(4, base.size)
    for name, number in (("a", 0.0), ("b", 1.0), ("c", 5.0), ("d", 9.0)):
        vectors[sorted(places.values()).index(places[name])] = number
    part.among = np.array(sorted(places.values()))
    monkeypatch.setattr(part, "_encoded", lambda entities: vectors)
    with torch.no_grad():
        part.relations += 1.0
    # a + 1 is b, rank 1; c + 1 = 6 is nearest to c, then d: rank 2.
    # b - 1 is a, rank 1; d - 1 = 8 is nearest to d, then c: rank 2.
    found = part.figures()
    assert found["link MRR among 4"] == pytest.approx((1 + 0.5 + 1 + 0.5) / 4)


# Masked words


def test_masks_are_as_usual(base: Base, sample: kgpath.Graph) -> None:
    part = MaskedLM(base, sample, 0)
    examples = part.sample(rng(), 300)
    mask = base.tokenizer.mask_token_id
    asked = hidden = kept = words = 0
    for one in examples:
        assert len(one.piece.ids) == len(one.true) <= 64
        words += len(one.true) - 2
        for token, true in zip(one.piece.ids, one.true, strict=True):
            asked += true >= 0
            hidden += true >= 0 and token == mask
            kept += true >= 0 and token == true
            assert true >= 0 or token != mask
        assert one.true[0] == one.true[-1] == -100 and max(one.true) >= 0
    assert asked / words == pytest.approx(0.16, abs=0.03)
    assert hidden / asked == pytest.approx(0.8, abs=0.05)
    assert kept / asked == pytest.approx(0.1, abs=0.05)


def test_the_same_words_are_asked_each_time(base: Base, sample: kgpath.Graph) -> None:
    part = MaskedLM(base, sample, 0)
    with torch.inference_mode():
        assert part.figures() == part.figures()
    assert not {entity for entity, _ in part.held_out} & {entity for entity, _ in part.texts}


def test_a_batch_is_shared(base: Base, film: kgpath.Graph, facts: GraphFacts) -> None:
    names = Names(base, facts)
    joint = Joint(
        TrueFacts(base, facts, names, 0),
        Relations(base, facts, names, 0),
        MaskedLM(base, film, 0),
    )
    examples = joint.sample(rng(), 8)
    assert [part for part, _ in examples] == [0, 1, 2, 0, 1, 2, 0, 1]
    assert set(joint.losses(examples)) == {"true facts", "relations", "masked words"}
    assert set(joint.losses(examples[:2])) == {"true facts", "relations"}


# Sentences for kgpath-ltr


@pytest.fixture
def examples(sample: kgpath.Graph) -> list:
    return list(
        Evaluator(sample, QueryFile(sample_questions()).queries, limit=20).examples(range(5))
    )


@pytest.mark.parametrize("name", ["bert", "kepler", "k-bert"])
def test_kgpath_ltr_reads_with_a_contextualised_encoder(
    name: str, tiny_bert: str, examples: list, sample, tmp_path: Path
) -> None:
    more = "" if name == "bert" else ", layers=1"
    options = f"{name}(base={tiny_bert}, steps=2, batch=4{more})"
    ranker = KgpathLTR(encoder=options, trees=5, hop_trees=5, rounds=1)
    assert isinstance(ranker.reader, GraphReader)
    ranker.fit(examples)
    scores = ranker.score(examples[0].features).total
    ranker.save(tmp_path)
    assert (tmp_path / "encoder" / "tuned.safetensors").exists() == (name != "bert")
    loaded = KgpathLTR(encoder=options, trees=5, hop_trees=5, rounds=1)
    loaded.load(tmp_path)
    assert loaded.check_requirements(sample) == ranker.check_requirements(sample)
    assert loaded.report() == ranker.report()
    assert ("masked-word loss" in ranker.report()["encoder"]) == (name != "bert")
    assert np.array_equal(loaded.score(examples[0].features).total, scores)


def test_sentences_are_unit_means(tiny_bert: str, film: kgpath.Graph) -> None:
    reader = text_encoder(f"bert(base={tiny_bert})").of(film)
    rows = reader.encode(["james bond", "", "daniel craig has played james bond"])
    assert rows.shape == (3, 16) and not rows[1].any()
    assert np.linalg.norm(rows[[0, 2]], axis=1) == pytest.approx(1, abs=1e-2)
    assert np.allclose(rows[0], reader.encode(["james bond"])[0], atol=1e-2)


def test_what_has_no_sentences_says_so(film: kgpath.Graph) -> None:
    with pytest.raises(BadOption, match="tfidf has no sentence vectors"):
        text_encoder("tfidf").of(film)
    with pytest.raises(BadOption, match="reads the texts of a graph"):
        TEXT_ENCODERS.make("contextual").encode(["a"])
