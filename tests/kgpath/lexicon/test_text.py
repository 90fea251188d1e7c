"""Names fold to one form, sentences are cut cleanly, IRIs read like names."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kgpath.lexicon.text import (
    entity_label,
    first_sentence,
    fold,
    folded_words,
    local_name,
    relation_label,
    sentence_spans,
    tokenize,
    windows,
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


WORD = re.compile(r"[^\W_](?:['’ʼ`´]?[^\W_]|[\u0300-\u036f])*")


LATIN = st.characters(max_codepoint=0x3FF, exclude_characters="\u034f")


@given(st.text(LATIN, max_size=80) | st.text(alphabet="aé1'’ _.-\u0301ʼ", max_size=20))
def test_tokens_are_those_of_a_plain_regular_expression(text: str) -> None:
    tokens = tokenize(text)
    assert list(zip(tokens.starts, tokens.ends, strict=True)) == [
        match.span() for match in WORD.finditer(text)
    ]
    for word, start, end in zip(tokens.words, tokens.starts, tokens.ends, strict=True):
        assert word == fold(text[start:end])


PIECES = "李 安 カ ﾞ ガ ー 서 울 한국 दि ल्ली กรุง เทพ القاهرة Αθήνα Москва Éric O'Neal . -".split()


@given(st.lists(st.sampled_from([*PIECES, " ", ", "]), max_size=12))
def test_a_text_has_the_words_that_its_folded_name_has(pieces: list[str]) -> None:
    text = "x" + "".join(pieces)
    for form in ("NFC", "NFD", "NFKC"):
        written = unicodedata.normalize(form, text)
        assert tokenize(written).words == folded_words(fold(written)) == folded_words(fold(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("李安导演了《卧虎藏龙》。", "李 安 导 演 了 卧 虎 藏 龙"),
        ("在Pulp Fiction中", "在 pulp fiction 中"),
        ("1994年の映画", "1994 年 の 映 画"),
        ("トトロ", "ト ト ロ"),
        ("กบ", "ก บ"),
        ("Ærø og Ålborg", "ærø og alborg"),
        ("القاهرة في مصر", "القاهرة في مصر"),
        ("Москва, Россия", "москва россия"),
        ("Αθήνα", "αθηνα"),
    ],
)
def test_signs_are_words_where_no_spaces_are_written(text: str, words: str) -> None:
    tokens = tokenize(text)
    assert tokens.words == words.split()
    assert [len(tokens.words[place]) for place in tokens.signs] == [1] * len(tokens.signs)


def test_korean_is_read_by_syllables() -> None:
    tokens = tokenize("서울은 크다")
    assert len(tokens) == len(tokens.signs) == 5
    assert tokens.words[:2] == folded_words(fold("서울"))


@given(st.text(alphabet="ab .!?\n", max_size=60))
def test_sentences_cover_all_but_white_space(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert spans == sorted(spans)
    assert first_sentence(text) == (" ".join(text[slice(*spans[0])].split()) if spans else "")


def test_windows_around_mentions_are_merged(film) -> None:
    text = "James Bond " + "word " * 20 + "James Bond " + "word " * 40 + "James Bond"
    mentions = film.mentions(text)
    bond = film.entity("James Bond").id
    count = len(tokenize(text))
    assert [(m.first, m.last) for m in mentions] == [(0, 2), (22, 24), (64, 66)]
    assert {m.entity for m in mentions} == {bond}
    spans = [(m.first, m.last) for m in mentions]
    assert windows(spans, 15, count) == [(0, 39), (49, 66)]
    assert windows(spans, 5, count) == [(0, 7), (17, 29), (59, 66)]
    assert windows([], 5, 10) == []
