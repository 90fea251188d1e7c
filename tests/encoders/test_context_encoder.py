"""Context encoders: what all must do, and small cases worked out by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kgpath
from kgpath.encoders.averaged.avg_transe import AvgTransE
from kgpath.encoders.averaged.avg_wiki2vec import ENTITY, AvgWiki2vec
from kgpath.encoders.averaged.avg_word import AvgWord
from kgpath.encoders.context_encoder import ContextEncoder
from kgpath.encoders.context_scope import entities_in_scope, spans_in_scope, text_in_scope
from kgpath.encoders.tfidf import Tfidf
from kgpath.encoders.transformer import context_sentences
from kgpath.encoders.transformer.context_sentences import ContextSentences
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.errors import BadOption, BadSource, BadStore
from kgpath.linking.context import Context
from kgpath.plugins import CONTEXT_ENCODERS

CONTEXTUAL = ("bert", "kg-bert", "k-bert", "kepler")
NAMES = ("tfidf", "avg-transe", "avg-word", "avg-wiki2vec", "minilm", *CONTEXTUAL)
SCOPES = ("window", "document")

FILLER = " ".join(f"filler{n}" for n in range(40))
# Daniel Craig and James Bond stand together, Roger Moore and London far away.
TEXT = f"Daniel Craig has played James Bond. {FILLER}. Roger Moore was born in London."
OTHER = "Ian Fleming wrote about James Bond. Nobody played him."


class Letters:
    """A text encoder without a model: how often a text has some letters."""

    identity = "letters"

    def encode(self, texts: list[str]) -> np.ndarray:
        rows = [[text.count(letter) for letter in "aeiourn"] for text in texts]
        return np.array(rows, dtype=np.float32).reshape(-1, 7)


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_sentences.TEXT_ENCODERS, "make", lambda choice: Letters())


@pytest.fixture(autouse=True)
def tiny(tiny_bert: str) -> None:
    TINY["base"] = tiny_bert


# For those that have a language model: a tiny one, hardly trained.
TINY: dict[str, Any] = {"steps": 2, "batch": 4, "layers": 1}


def made(choice: str) -> ContextEncoder:
    encoder: ContextEncoder = CONTEXT_ENCODERS.make(choice, **TINY)
    return encoder


@pytest.fixture
def kg(film_turtle: str, build_graph: Callable[..., kgpath.Graph]) -> Iterator[kgpath.Graph]:
    """The film graph with TransE vectors: entity n has n in its first dimension."""
    graph = build_graph(film_turtle.partition("ex: <http://example.org/> .")[2], name="film.ttl")
    entities = np.zeros((len(graph), 3), dtype=np.float32)
    entities[:, 0] = np.arange(len(graph))
    entities[:, 1] = 1
    relations = np.zeros((len(graph.store.relations), 3), dtype=np.float32)
    Embedding(entities, relations).save(folder_of(graph), graph.fingerprint)
    return graph


@pytest.fixture
def texts(kg: kgpath.Graph) -> list[Context]:
    return [Context(kg, TEXT), Context(kg, OTHER)]


def entity(kg: kgpath.Graph, name: str) -> int:
    return kg.entity(name).id


def fitted(name: str, kg: kgpath.Graph, texts: list[Context]) -> ContextEncoder:
    encoder = made(name)
    encoder.fit(kg, texts)
    return encoder


def vectors(encoder: ContextEncoder, kg: kgpath.Graph, texts: list[Context]) -> np.ndarray:
    return np.stack([encoder.encode(text, one) for text in texts for one in range(len(kg))])


# What all must do


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("name", NAMES)
def test_every_vector_is_as_long_and_the_same_again(name, scope, kg, texts, tmp_path) -> None:
    encoder = fitted(f"{name}(scope={scope})", kg, texts)
    unseen = Context(kg, "Ian Fleming lived in London and Chester, with unheard words.")
    found = vectors(encoder, kg, [*texts, unseen, Context(kg, "")])
    assert found.dtype == np.float32 and found.ndim == 2
    assert np.isfinite(found).all()
    assert found[: len(kg)].any()
    assert np.array_equal(found, vectors(encoder, kg, [*texts, unseen, Context(kg, "")]))
    again = fitted(f"{name}(scope={scope})", kg, list(reversed(texts)))
    assert np.array_equal(found, vectors(again, kg, [*texts, unseen, Context(kg, "")]))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_loaded_is_what_was_saved(name, kg, texts, tmp_path) -> None:
    encoder = fitted(name, kg, texts)
    folder = tmp_path / "model"
    folder.mkdir()
    encoder.save(folder)
    assert {path.suffix for path in folder.iterdir()} <= {".npy", ".json", ".safetensors"}
    loaded = made(name)
    assert loaded.options() == encoder.options()
    loaded.load(folder)
    assert np.array_equal(vectors(encoder, kg, texts), vectors(loaded, kg, texts))


@pytest.mark.parametrize("name", NAMES)
def test_a_window_is_not_the_document(name, kg, texts) -> None:
    window, document = (fitted(f"{name}(scope={one})", kg, texts) for one in SCOPES)
    craig, moore = entity(kg, "Daniel Craig"), entity(kg, "Roger Moore")
    text = texts[0]
    assert not np.array_equal(window.encode(text, craig), document.encode(text, craig))
    assert not np.array_equal(window.encode(text, craig), window.encode(text, moore))
    # An entity that is not mentioned has all of the text.
    band = entity(kg, "http://dbpedia.org/resource/Bond_(band)")
    if name != "avg-transe":  # which leaves the entity itself out
        assert np.array_equal(document.encode(text, craig), document.encode(text, moore))
        assert np.array_equal(window.encode(text, band), document.encode(text, band))


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_in_scope_is_zeros(name, scope, kg, texts) -> None:
    encoder = fitted(f"{name}(scope={scope})", kg, texts)
    empty = encoder.encode(Context(kg, ""), 0)
    assert empty.shape == encoder.encode(texts[0], 0).shape
    assert not empty.any()


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_scope_is_refused(name) -> None:
    with pytest.raises(BadOption, match=r"scope is 'page'; it can be window or document\."):
        made(f"{name}(scope=page)")


@pytest.mark.parametrize("name", ["tfidf", "avg-word", "avg-wiki2vec"])
def test_what_must_learn_says_so(name, kg, texts, tmp_path) -> None:
    encoder: ContextEncoder = CONTEXT_ENCODERS.make(name)
    with pytest.raises(BadStore, match=f"{name} has no .* yet"):
        encoder.encode(texts[0], 0)
    with pytest.raises(BadStore, match=r"words\.json cannot be read"):
        encoder.load(tmp_path)
    encoder.fit(kg, texts)
    encoder.save(tmp_path / "model")
    (tmp_path / "model" / "words.json").write_text('["one"]')
    with pytest.raises(BadStore, match="has 1 words and other"):
        encoder.load(tmp_path / "model")


# What is in scope


def test_the_scope_of_an_entity(kg, texts) -> None:
    text = texts[0]
    craig, bond = entity(kg, "Daniel Craig"), entity(kg, "James Bond")
    moore, london = entity(kg, "Roger Moore"), entity(kg, "London")
    assert len(text.tokens) == 6 + 40 + 6
    assert spans_in_scope(text, craig, "window") == [(0, 17)]
    assert spans_in_scope(text, moore, "window") == [(31, 52)]
    assert spans_in_scope(text, entity(kg, "Chester"), "window") == [(0, 52)]
    assert spans_in_scope(text, craig, "document") == [(0, 52)]
    assert entities_in_scope(text, craig, "window") == sorted([craig, bond])
    assert entities_in_scope(text, craig, "document") == sorted([craig, bond, moore, london])
    assert text_in_scope(text, craig, "window") == (
        "Daniel Craig has played James Bond. " + " ".join(f"filler{n}" for n in range(11))
    )
    assert text_in_scope(text, craig, "document") == TEXT
    twice = Context(kg, f"James Bond! {FILLER}. “James Bond” it is.")
    assert text_in_scope(twice, bond, "window") == (
        "James Bond! " + " ".join(f"filler{n}" for n in range(15))
        + " " + " ".join(f"filler{n}" for n in range(25, 40)) + ". “James Bond” it is"
    )  # fmt: skip


# AVG-TransE


def test_avg_transe_is_the_mean_of_the_others(kg, texts) -> None:
    craig, bond = entity(kg, "Daniel Craig"), entity(kg, "James Bond")
    moore, london = entity(kg, "Roger Moore"), entity(kg, "London")
    window, document = AvgTransE(), AvgTransE(scope="document")
    assert window.encode(texts[0], craig).tolist() == [bond, 1, 0]
    assert window.encode(texts[0], moore).tolist() == [london, 1, 0]
    assert document.encode(texts[0], craig).tolist() == pytest.approx(
        [(bond + moore + london) / 3, 1, 0]
    )
    alone = Context(kg, "James Bond, and James Bond again.")
    assert window.encode(alone, bond).tolist() == [0, 0, 0]
    # An entity counts once, however often it is named.
    often = Context(kg, "James Bond met Roger Moore and Daniel Craig and Roger Moore.")
    assert window.encode(often, bond).tolist() == pytest.approx([(moore + craig) / 2, 1, 0])


def test_avg_transe_needs_the_vectors(film) -> None:
    with pytest.raises(BadStore, match="Make them: kgpath embed"):
        AvgTransE().encode(Context(film, TEXT), 0)


# TF-IDF


def test_tfidf_by_hand(build_graph) -> None:
    kg = build_graph(
        'ex:a ex:knows ex:b . ex:a rdfs:label "Red Fox"@en . '
        'ex:b rdfs:label "The Owl"@en . ex:a rdfs:label "Fox of Snow"@en .'
    )
    one = Context(kg, "The Red Fox saw The Owl and saw the moon.")
    two = Context(kg, "A moon saw nothing.")
    encoder = Tfidf(scope="document", top=1)
    encoder.fit(kg, [one, two, two])  # a text counts once
    # "saw" weighs most: 3 · (ln(3/3) + 1); "red", "fox" and "owl" are words of names that are
    # mentioned; "snow" is in no text, "the" and "of" are stop-words.
    encoder.save(kg.path.parent / "m")
    words = json.loads((kg.path.parent / "m" / "words.json").read_text())
    assert words == ["fox", "owl", "red", "saw"]
    rare = math.log(3 / 2) + 1
    expected = np.array([rare, rare, rare, 2.0])
    found = encoder.encode(one, 0)
    assert found == pytest.approx(expected / np.linalg.norm(expected), abs=1e-6)
    assert encoder.encode(two, 0).tolist() == [0, 0, 0, 1]
    assert not encoder.encode(Context(kg, "Something else."), 0).any()


def test_tfidf_takes_the_weightiest_words(kg, texts) -> None:
    def size(top: int) -> int:
        encoder = Tfidf(top=top)
        encoder.fit(kg, texts)
        return len(encoder.encode(texts[0], 0))

    names = size(0)  # daniel craig james bond roger moore london ian fleming
    assert names == 9
    # bond, james and played weigh 2; of the others, ln(3/2) + 1 each, born and craig come first.
    assert size(5) == names + 2
    assert size(10_000) > 40 + names
    with pytest.raises(BadOption, match="top is -1"):
        Tfidf(top=-1)


# Words, and words with entities


VECTORS = """\
james 1 0 0
bond 0 1 0
craig 0 0 4
ENTITY/James_Bond 5 5 5
ENTITY/Daniel_Craig -1 -1 -1
ENTITY/Casino_Royale_(novel) 9 9 9
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "vectors.txt").write_text("6 3\n" + VECTORS)
    return str(tmp_path / "vectors.txt")


def test_words_from_a_file(kg, file: str) -> None:
    text = Context(kg, "James Bond, Bond of James, and Craig.")
    encoder = AvgWord(vectors=file, dim=7)
    encoder.fit(kg, [])
    assert encoder.encode(text, entity(kg, "James Bond")).tolist() == pytest.approx(
        [2 / 5, 2 / 5, 4 / 5]
    )
    assert encoder.encode(Context(kg, "Nothing known"), 0).tolist() == [0, 0, 0]


def test_words_and_entities_from_a_file(kg, file: str) -> None:
    text = Context(kg, "James Bond is Daniel Craig.")
    bond = entity(kg, "James Bond")
    encoder = AvgWiki2vec(vectors=file)
    encoder.fit(kg, [])
    # james, bond, craig and both entities
    assert encoder.encode(text, bond).tolist() == pytest.approx(
        [(1 + 5 - 1) / 5, (1 + 5 - 1) / 5, (4 + 5 - 1) / 5]
    )
    loaded = AvgWiki2vec(vectors=file)
    encoder.save(kg.path.parent / "m")
    loaded.load(kg.path.parent / "m")
    assert np.array_equal(loaded.encode(text, bond), encoder.encode(text, bond))


def test_words_alone_are_no_wikipedia2vec(kg, tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("james 1 0 0\n")
    with pytest.raises(BadSource, match=r"words without entities\. Use it with avg-word"):
        AvgWiki2vec(vectors=str(tmp_path / "glove.txt")).encode(Context(kg, TEXT), 0)


@pytest.mark.parametrize("kind", [AvgWord, AvgWiki2vec])
def test_trained_vectors(kind, kg, texts) -> None:
    def made(**options: int) -> np.ndarray:
        encoder = kind(**options)
        encoder.fit(kg, texts)
        return encoder.encode(texts[0], entity(kg, "Daniel Craig"))

    assert made().shape == (100,)
    assert made(dim=12).shape == (12,)
    assert not np.array_equal(made(dim=12), made(dim=12, seed=1))
    with pytest.raises(BadOption, match="dim is 0"):
        kind(dim=0)


def test_words_and_entities_are_trained_in_one_space(kg, tmp_path: Path) -> None:
    encoder = AvgWiki2vec(dim=8)
    encoder.fit(kg, [])
    encoder.save(tmp_path)
    words = set(json.loads((tmp_path / "words.json").read_text(encoding="utf-8")))
    assert {"actor", "english", "played", "bond"} <= words
    assert {one for one in words if one.startswith(ENTITY)} == {
        ENTITY + iri.removeprefix("http://dbpedia.org/resource/")
        for iri in (one.iri for one in map(kg.entity, range(len(kg))))
    }


@pytest.mark.parametrize("name", ["avg-word", "avg-wiki2vec"])
def test_a_graph_without_texts_says_what_to_use(name, build_graph) -> None:
    bare = build_graph("ex:a ex:knows ex:b . ex:b ex:knows ex:c .")
    encoder = CONTEXT_ENCODERS.make(name)
    with pytest.raises(BadSource, match=r"--vectors, or use tfidf or avg-transe\."):
        encoder.fit(bare, [])
    tfidf = Tfidf()
    tfidf.fit(bare, [Context(bare, "some text")])
    assert tfidf.encode(Context(bare, "some text"), 0).any()


# Sentences


def test_sentences_read_what_is_in_range(kg, texts) -> None:
    bond = entity(kg, "James Bond")
    encoder = ContextSentences()
    expected = Letters().encode([text_in_scope(texts[1], bond, "window")])[0]
    assert encoder.encode(texts[1], bond).tolist() == expected.tolist()
    assert ContextSentences(scope="document").encode(texts[1], 0).tolist() == (
        Letters().encode([OTHER])[0].tolist()
    )
    assert encoder.options() == {"scope": "window", "encoder": "minilm"}
