"""Sentence patterns: well-formed, and enough of them for the relations that graphs have most."""

from __future__ import annotations

import re

import pytest

from kgpath.datasets.told_texts import unsaid
from kgpath.datasets.told_texts.clauses import as_clause, plain_form, subject_of
from kgpath.datasets.told_texts.patterns import _by_label, label_clauses, says_label, wordings

EVERY = [
    (label, wording, pattern)
    for label, found in _by_label().items()
    for wording in found
    for pattern in wording.patterns
]


def gaps(words: str) -> list[str]:
    return sorted(re.findall(r"\{(\w+)\}", words.replace("{r}", "")))


def test_every_pattern_names_both_ends_once() -> None:
    assert [(label, p.words) for label, _, p in EVERY if gaps(p.words) != ["h", "t"]] == []
    assert all(pattern.core in ("", "h", "t") for _, _, pattern in EVERY)
    assert all(not pattern.words.endswith((".", "?")) for _, _, pattern in EVERY)


def test_every_wording_says_of_which_kinds_it_speaks() -> None:
    assert {kind for _, wording, _ in EVERY for kind in wording.kinds} <= set("plgwxc.")
    assert all(len(wording.kinds) == 2 for _, wording, _ in EVERY)


def test_no_wording_has_only_noun_phrases() -> None:
    assert all(any(not p.core for p in wording.patterns) for _, wording, _ in EVERY)


def test_a_hundred_labels_and_more_have_words_of_their_own() -> None:
    assert len(_by_label()) > 250
    without = [
        label
        for label, found in _by_label().items()
        if all(says_label(p.words, label) for w in found for p in w.patterns)
    ]
    assert without == []


@pytest.mark.parametrize(
    ("label", "kinds", "words"),
    [
        ("film director", ".p", "{t} staged {h}"),
        ("Birth Place", "pl", "{h} came into the world in {t}"),
        ("capital", "ll", "{t} is the capital of {h}"),
        ("president", "pp", "{h} served under {t}"),
        ("crew members", ".p", "{t} flew on {h}"),
        ("river mouth", "..", "{h} flows into {t}"),
        ("country of citizenship", "pl", "{h} is a citizen of {t}"),
    ],
)
def test_a_relation_has_wordings_for_its_kinds(label: str, kinds: str, words: str) -> None:
    found = [wording for wording in wordings(label) if wording.kinds == kinds]
    assert words in {pattern.words for wording in found for pattern in wording.patterns}


def test_a_relation_without_wordings_goes_by_its_label() -> None:
    assert wordings("speed limit of") == ()
    clauses = {pattern.words for pattern in label_clauses("patron saint")}
    assert {"The patron saint of {h} is {t}", "{h}'s patron saint is {t}"} <= clauses
    assert all(gaps(pattern) == ["h", "t"] for pattern in clauses)


def test_there_are_a_dozen_ways_and_more_to_leave_a_fact_untold() -> None:
    for wordings_of in (unsaid.TOGETHER, unsaid.CAME_TO_NOTHING):
        assert len(set(wordings_of)) >= 12
        assert all(gaps(words) == ["h", "t"] for words in wordings_of)
    for wraps in (unsaid.DENIED, unsaid.ASKED, unsaid.SUPPOSED):
        assert len(set(wraps)) >= 12
        assert all(gaps(words) == ["s"] for words in wraps)
    for filler in unsaid.FILLER.values():
        assert len(set(filler)) >= 12
        assert all(words.count("{h}") == 1 for words in filler)


def test_what_is_denied_is_a_clause_that_can_follow_that() -> None:
    assert as_clause("{h}, founder: {t}") == ""
    assert as_clause("In {h} people speak {t}") == "in {h} people speak {t}"


def test_most_patterns_begin_with_a_subject() -> None:
    # Relative clauses, participles and coordination all need one.
    subjects = [bool(subject_of(p.words)) for _, _, p in EVERY if not p.core]
    assert sum(subjects) / len(subjects) > 0.85


def test_every_verb_has_a_plain_form_that_english_has() -> None:
    verbs = {p.words.split()[1] for _, _, p in EVERY if not p.core and subject_of(p.words)}
    made = {plain_form(verb) for verb in verbs - {"is", "was", "are", "were", "can"}}
    endings = ("ed", "nn", "pp", "is", "ut", "dl", "tl", "ot", "om", "ir", "or")
    odd = {one for one in made if one.endswith(endings)}
    assert odd <= {"succeed", "cut", "put", "shoot", "air"}
    assert {"direct", "produce", "play", "lie", "write", "succeed", "publish", "edit"} <= made
