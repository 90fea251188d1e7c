"""Weights of words by how many texts have them, alone and within the index."""

from __future__ import annotations

import json
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.lexicon.idf import idf_table, term_weights
from kgpath.lexicon.text import word_hashes
from kgpath.linking.verbalise import fact_in_words
from kgpath.storage.index import FORMAT, Index, folder_beside

NO_EDGES = np.zeros((0, 3), dtype=np.int32)


def weights(index: Index, *words: str) -> list[float]:
    return [round(weight, 5) for weight in term_weights(index, words).tolist()]


def weight(texts: int, found: int) -> float:
    return round(log((1 + texts) / (1 + found)) + 1, 5)


def test_a_word_weighs_by_the_texts_that_have_it() -> None:
    texts = ["The film, the film!", "the FILM Noir", "The café"]
    index = Index.from_edges(NO_EDGES, 0, texts=texts)
    assert weights(index, "the", "film", "noir", "cafe") == pytest.approx(
        [1, weight(3, 2), weight(3, 1), weight(3, 1)]
    )


def test_a_word_that_stands_nowhere_weighs_most() -> None:
    index = Index.from_edges(NO_EDGES, 0, texts=["a b", "a"])
    nowhere = weight(2, 0)
    assert weights(index, "zebra", "", "aa", "A") == pytest.approx([nowhere] * 4)
    assert nowhere > weights(index, "b")[0] > weights(index, "a")[0] == 1
    assert term_weights(index, []).tolist() == []


def test_without_any_text_all_words_weigh_the_same() -> None:
    table = idf_table([])
    assert (table.keys.tolist(), table.weights.tolist()) == ([0], [1])
    assert weights(Index.from_edges(NO_EDGES, 0), "one", "other") == [1, 1]


@given(st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=6).map(" ".join), max_size=8))
def test_the_table_agrees_with_counting(texts: list[str]) -> None:
    table = idf_table(texts)
    assert table.keys.tolist() == sorted(set(table.keys.tolist()))
    assert (table.keys.dtype, table.weights.dtype) == (np.uint64, np.float32)
    known = dict(zip(table.keys.tolist(), table.weights.tolist(), strict=True))
    words = sorted({word for text in texts for word in text.split()})
    assert known.keys() == {0, *word_hashes(words).tolist()}
    assert known[0] == pytest.approx(log(1 + len(texts)) + 1)
    for word, key in zip(words, word_hashes(words).tolist(), strict=True):
        held = sum(word in text.split() for text in texts)
        assert known[key] == pytest.approx(log((1 + len(texts)) / (1 + held)) + 1)
    if any(text.strip() for text in texts):
        index = Index.from_edges(NO_EDGES, 0, texts=texts)
        assert term_weights(index, words).tolist() == [known[k] for k in word_hashes(words)]


def test_a_graph_counts_its_texts(film) -> None:
    # Two introductions: "An English actor. He was born in London." and that of Daniel Craig.
    assert weights(film.index, "english", "actor", "he") == [1, 1, 1]
    assert weights(film.index, "london", "craig") == pytest.approx([weight(2, 1)] * 2)
    assert weights(film.index, "fleming") == pytest.approx([weight(2, 0)])


def test_a_graph_without_texts_counts_its_names(build_graph) -> None:
    graph = build_graph(
        """
        ex:a rdfs:label "Casino Royale" ; ex:knows ex:b .
        ex:b rdfs:label "Casino" ; skos:altLabel "The Casino" ; ex:knows ex:a .
        """
    )
    assert weights(graph.index, "casino", "royale", "the", "knows") == pytest.approx(
        [1, weight(3, 1), weight(3, 1), weight(3, 0)]
    )


def test_the_weights_are_part_of_the_index_on_disk(film) -> None:
    folder = folder_beside(film.path, film.fingerprint)
    assert json.loads((folder / "index.json").read_text())["format"] == FORMAT
    loaded = Index.load(folder)
    made = Index.from_store(film.store.db)
    for index in (loaded, film.index):
        assert np.array_equal(index.term_keys, made.term_keys)
        assert np.array_equal(index.term_weights, made.term_weights)
    assert loaded.term_keys.tolist() == sorted(loaded.term_keys.tolist())
    words = ["london", "english", "nowhere"]
    assert term_weights(loaded, words).tolist() == term_weights(made, words).tolist()


def test_a_filter_on_relations_leaves_the_weights_as_they_are(film) -> None:
    part = film.index.only(np.zeros(len(film.store.relations), dtype=np.bool_))
    assert np.array_equal(part.term_weights, film.index.term_weights)
    assert np.array_equal(part.term_keys, film.index.term_keys)


def test_a_fact_in_words_leaves_qualifiers_out() -> None:
    assert fact_in_words("Bond (band)", "hometown", "London (city)") == "Bond hometown London"
    assert fact_in_words("(Sandy) Alex G", "is a", "(band)") == "(Sandy) Alex G is a (band)"
