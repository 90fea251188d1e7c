"""Names fold to one form, sentences are cut cleanly, IRIs read like names."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kgpath.lexicon.text import (
    entity_label,
    first_sentence,
    fold,
    local_name,
    relation_label,
    tokenize,
)

DBR = "http://dbpedia.org/resource/"


@given(st.text())
@example("ŉ")  # decomposes to an apostrophe and n
@example("ẞ'!")
def test_fold_is_idempotent(name: str) -> None:
    assert fold(fold(name)) == fold(name)


@given(st.text())
def test_a_folded_name_has_no_outer_or_double_spaces(name: str) -> None:
    assert fold(name) == " ".join(fold(name).split(" ")).strip()
    assert bool(fold(name)) == bool(name.strip())


@given(st.text(st.characters(categories=["L", "Nd", "Zs"])))
def test_fold_ignores_case(name: str) -> None:
    assert fold(name.upper().casefold()) == fold(name.casefold().upper())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Beyoncé", "BEYONCE"),
        ("Beyoncé", unicodedata.normalize("NFD", "Beyoncé")),
        ("Ocean’s Eleven", "Oceans Eleven"),
        ("Spider-Man:  Homecoming", "spider man homecoming"),
        ("Straße", "STRASSE"),
        ("Rock ‘n’ Roll", "rock n roll"),
        ("L`Été", "L`Ete"),  # an accent elsewhere in a name must not change what ` does
        ("Ａmélie", "amelie"),
    ],
)
def test_names_that_people_take_for_the_same_fold_alike(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize("name", ["!!!", "☆", "'", "¿?"])
def test_a_name_of_symbols_alone_is_kept(name: str) -> None:
    assert fold(f" {name} ") == name


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ocean's ’Eleven’", ["oceans", "eleven"]),
        ("l'e\u0301te\u0301's", ["letes"]),
        ("\u0301a 'b c'", ["a", "b", "c"]),
        ("\U0001f3ac𝔄\ud800x", ["a", "x"]),
        ("İstanbul AND İzmir’s ÇOK", ["istanbul", "and", "izmirs", "cok"]),
        ("", []),
    ],
)
def test_tokens(text: str, words: list[str]) -> None:
    assert tokenize(text).words == words
    assert tokenize(text).words == words  # also when all its characters are known


def test_writing_small_moves_no_letter() -> None:
    # Else the tokenizer would cut words at the wrong places.
    grows = [code for code in range(sys.maxunicode + 1) if len(chr(code).lower()) != 1]
    assert list(map(chr, grows)) == ["İ"]


TEXTS = st.lists(
    st.sampled_from(["Dr.", "word", "A", "end.", "No!", "…", ",", "x.y", ")", "(J.", "ca.", '"'])
    | st.text(max_size=5)
).map(" ".join)


@given(TEXTS, st.integers(min_value=12, max_value=40))
@example("aaaa bbbb. ccccccccc ddddddd", 14)  # the cut must not look like a sentence's end
@example(",,,,,,,,,,,,,,,,,,,,,,,,,", 12)
def test_first_sentence_of_a_first_sentence_is_itself(text: str, limit: int) -> None:
    # Else an exported description would come back shorter from a rebuild.
    once = first_sentence(text, limit)
    assert first_sentence(once, limit) == once


@given(TEXTS, st.integers(min_value=12, max_value=40))
def test_first_sentence_is_a_prefix_and_within_the_limit(text: str, limit: int) -> None:
    sentence = first_sentence(text, limit)
    assert len(sentence) <= limit
    plain = " ".join(text.split())
    assert plain.startswith(sentence) or plain.startswith(sentence.removesuffix("…").rstrip())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", ""),
        ("One. Two.", "One."),
        ("J. R. R. Tolkien wrote. He did.", "J. R. R. Tolkien wrote."),
        ("The U.S. Army film. More.", "The U.S. Army film."),
        ("St. Vincent is a film. More.", "St. Vincent is a film."),
        ("Made approx. ten times! Then no more.", "Made approx. ten times!"),
        ('He said "stop." Then he left.', 'He said "stop."'),
        ("No full stop", "No full stop"),
        ("Two\nlines. Next.", "Two lines."),
    ],
)
def test_first_sentences(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


def test_a_long_sentence_is_cut_at_a_word() -> None:
    assert first_sentence("alpha beta gamma delta", limit=18) == "alpha beta …"


@pytest.mark.parametrize(
    ("iri", "label"),
    [
        (DBR + "Daniel_Craig", "Daniel Craig"),
        (DBR + "AC/DC", "AC/DC"),
        (DBR + "Alien:_Covenant", "Alien: Covenant"),
        (DBR + "Beyonc%C3%A9", "Beyoncé"),
        ("http://www.wikidata.org/entity/Q42", "Q42"),
        ("urn:kg:LCD_Soundsystem", "LCD Soundsystem"),
        ("http://example.org/onto#Jane_Doe", "Jane Doe"),
        ("http://example.org/", "example.org"),
        ("urn:isbn:0451450523", "0451450523"),
    ],
)
def test_an_entity_without_a_label_is_named_by_its_iri(iri: str, label: str) -> None:
    assert entity_label(iri) == label


@pytest.mark.parametrize(
    ("iri", "label"),
    [
        ("http://dbpedia.org/ontology/musicComposer", "music composer"),
        ("http://example.org/IMDB_id", "IMDB id"),
        ("http://example.org/vocab#birthPlace", "birth place"),
    ],
)
def test_a_relation_without_a_label_is_named_by_its_iri(iri: str, label: str) -> None:
    assert relation_label(iri) == label


@given(st.text(min_size=1))
def test_every_iri_has_some_name(iri: str) -> None:
    for name in (entity_label(iri), relation_label(iri), local_name(iri)):
        assert name
