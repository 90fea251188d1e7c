"""How near the meanings of words are, and the vectors that ship."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.lexicon.near_words import FOLDER, FORM, nearness, parts_of, word_vectors
from kgpath.lexicon.text import fold

SHIPPED = (FOLDER / "words.txt").read_text(encoding="utf-8").split("\n")
WORDS = st.lists(
    st.sampled_from([*SHIPPED[:-1:40], "", "s", "zzqx", "zzqxes", "zzqxing", "李", "安", "москва"])
    | st.text(max_size=6).map(fold),
    max_size=6,
)


def near(one: str, other: str) -> float:
    return float(nearness([one], [other])[0, 0])


@given(WORDS, WORDS)
def test_nearness_goes_both_ways_and_lies_between_0_and_1(words, others) -> None:
    there, back = nearness(words, others), nearness(others, words)
    assert there.shape == (len(words), len(others)) and there.dtype == np.float32
    assert np.array_equal(there, back.T)  # to the last digit
    assert ((there >= 0) & (there <= 1)).all()


@given(WORDS)
def test_the_same_word_is_nearest_whether_it_is_known_or_not(words) -> None:
    found = nearness(words, words)
    assert np.diag(found).tolist() == [1] * len(words)
    assert found.shape == (len(words), len(words))


@pytest.mark.parametrize(
    ("word", "nearer", "farther"),
    [
        ("spouse", "married", "stadium"),
        ("spouse", "wife", "album"),
        ("location", "situated", "married"),
        ("arena", "stadium", "wife"),
        ("birth", "born", "goal"),
        ("capital", "city", "husband"),
        ("author", "novel", "football"),
    ],
)
def test_words_of_one_meaning_are_nearer_than_others(word, nearer, farther) -> None:
    assert near(word, nearer) > near(word, farther) + 0.1
    assert near(word, nearer) > 0.25


def test_forms_of_a_word_are_near_even_if_no_vector_is_known() -> None:
    assert np.linalg.norm(word_vectors(["zzqxa", "zzqxing"])) == 0
    assert near("zzqxa", "zzqxing") == pytest.approx(FORM)
    assert near("directed", "director") >= FORM - 1e-6
    # Short words have no forms: "cars" and "cart" say nothing of each other.
    assert near("zzqx", "zzqxing") == 0


def test_unknown_words_and_other_scripts_are_near_to_themselves_alone() -> None:
    words = ["李", "安", "москва", "qqvvw", ""]
    assert np.array_equal(nearness(words, words), np.eye(5))
    assert not nearness(words, ["spouse", "film", "born"]).any()
    assert not word_vectors(words).any()
    assert near("москва", "москве") == pytest.approx(FORM)  # forms of one word


def test_vectors_have_length_1_and_a_plural_that_of_its_word() -> None:
    known = word_vectors(SHIPPED[:-1:100])
    assert np.linalg.norm(known, axis=1) == pytest.approx(np.ones(len(known)), abs=1e-6)
    assert known.dtype == np.float32
    unknown = next(word for word in SHIPPED[5000:] if f"{word}s" not in set(SHIPPED))
    assert np.array_equal(*word_vectors([unknown, f"{unknown}s"]))


def test_a_word_has_the_same_nearness_to_the_last_digit_whichever_others_are_asked_for() -> None:
    words, others = SHIPPED[100:130], SHIPPED[9000:9060]
    whole = nearness(words, others)
    assert np.array_equal(nearness(words[::-1], others[::-1]), whole[::-1, ::-1])
    for row, word in enumerate(words):
        assert np.array_equal(nearness([word], others)[0], whole[row])
        assert nearness([word], others[row : row + 1]).tolist() == [[whole[row, row]]]


def test_sums_of_products_are_exact() -> None:
    # 32 bits hold whole numbers up to 2^24.
    vectors = np.load(FOLDER / "vectors.npy", allow_pickle=False).astype(np.int64)
    assert (vectors**2).sum(axis=1).max() < 2**24


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("youthclub", ("youth", "club")),
        ("stadium", ("stadium",)),
        ("zzqxzzqx", ("zzqxzzqx",)),
        ("李安", ("李安",)),
        ("", ("",)),
        ("youthcl", ("youthcl",)),  # no part is that short
    ],
)
def test_names_of_relations_are_taken_apart(word, parts) -> None:
    assert parts_of(word) == parts


@given(st.text(alphabet="abelnotrsu", max_size=12) | st.sampled_from(SHIPPED[:-1]))
def test_parts_make_up_the_word_again(word) -> None:
    parts = parts_of(word)
    assert "".join(parts) == word
    assert len(parts) == 1 or (len(parts) == 2 and all(word_vectors(parts).any(axis=1)))


# What ships


def test_the_words_that_ship_are_folded_once_each_and_in_order() -> None:
    *words, last = SHIPPED
    assert last == "" and len(words) > 10_000
    assert words == sorted(set(words))
    assert [word for word in words if fold(word) != word or " " in word] == []


def test_the_vectors_that_ship_are_small_whole_numbers_one_for_each_word() -> None:
    vectors = np.load(FOLDER / "vectors.npy", allow_pickle=False)
    assert vectors.dtype == np.int8
    assert len(vectors) == len(SHIPPED) - 1 and vectors.ndim == 2
    assert vectors.any(axis=1).all()  # each has a direction


def test_both_files_together_are_small() -> None:
    sizes = [(FOLDER / name).stat().st_size for name in ("words.txt", "vectors.npy")]
    assert sum(sizes) < 1_000_000


def test_nothing_is_read_before_it_is_asked_for(root: Path) -> None:
    code = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda name, given: name == 'open' and opened.append(str(given[0])))\n"
        "from kgpath.lexicon import near_words\n"
        "before = any('english' in path for path in opened)\n"
        "near_words.nearness(['a'], ['b'])\n"
        "print(before, any('vectors.npy' in path for path in opened))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False True\n", "")
