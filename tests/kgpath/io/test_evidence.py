"""Files of marked texts: what a line may say, and what is said about one that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgpath.errors import BadSource
from kgpath.io.evidence import EvidenceFile, MarkedFact, marked_text_of
from kgpath.io.queries import query_of

FACT = {"head": "ex:a", "relation": "ex:r", "tail": "ex:b", "sentences": [1, 0, 1]}
TEXT = {"document": "A met B. They left.", "sentence_starts": [0, 9], "facts": [FACT]}


def test_the_sentences_of_a_fact_are_called_sentences_or_evidence() -> None:
    other = {**FACT, "sentences": None, "evidence": [1]}
    del other["sentences"]
    text = marked_text_of({**TEXT, "facts": [FACT, other]}, 3)
    one, two = text.facts
    assert one == MarkedFact("ex:a", "ex:r", "ex:b", (0, 1))
    assert two.sentences == (1,)
    assert (text.id, text.sentence_starts) == ("line 3", (0, 9))
    assert marked_text_of({**TEXT, "id": "d1", "sentence_starts": None}).sentence_starts == ()
    assert marked_text_of({**TEXT, "facts": []}).facts == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"document": " "}, "no document"),
        ({"facts": None}, "no facts"),
        ({"facts": {}}, "facts is not a list of facts"),
        (
            {"facts": ["a"]},
            'one of facts is not {"head": IRI, "relation": IRI, "tail": IRI, "sentences": [0, 3]}',
        ),
        (
            {"facts": [{**FACT, "tail": ""}]},
            'one of facts is not {"head": IRI, "relation": IRI, "tail": IRI, "sentences": [0, 3]}',
        ),
        (
            {"facts": [{**FACT, "sentences": [-1]}]},
            "the sentences of one of facts are not numbers from 0 on",
        ),
        (
            {"facts": [{**FACT, "sentences": [True]}]},
            "the sentences of one of facts are not numbers from 0 on",
        ),
        (
            {"facts": [{**FACT, "sentences": [2]}]},
            "a fact names sentence 2, but the document has 0 to 1",
        ),
        (
            {"sentence_starts": [0]},
            "a fact names sentence 1, but the document has only 0",
        ),
        (
            {"sentence_starts": []},
            "sentence_starts is not a list of numbers: where each sentence starts",
        ),
        (
            {"sentence_starts": ["0"]},
            "sentence_starts is not a list of numbers: where each sentence starts",
        ),
        ({"sentence_starts": [9, 0]}, "sentence_starts do not ascend"),
        (
            {"sentence_starts": [0, 19]},
            "a sentence starts at 19, but the document has 19 characters",
        ),
    ],
)
def test_what_is_wrong_with_a_marked_text_is_said(change: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError) as refused:
        marked_text_of({**TEXT, **change})
    assert str(refused.value) == said


def test_a_broken_line_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    file.write_text("\n".join(["[1]", json.dumps({**TEXT, "mood": 1}), "", '{"document": "x"}']))
    read = EvidenceFile(file)
    assert [text.line for text in read.texts] == [2]
    assert read.problems == ["e.jsonl:1: not a JSON object", "e.jsonl:4: no facts"]
    assert read.ignored == {"mood": 1}
    file.write_text("{}\n")
    with pytest.raises(BadSource) as refused:
        EvidenceFile(file)
    assert str(refused.value) == (
        "e.jsonl holds no marked text. Write one JSON object a line, with document, facts and, if "
        "you have them, sentence_starts. First problem: e.jsonl:1: no document"
    )


def test_a_query_may_bring_evidence_with_or_without_where_sentences_start() -> None:
    line = {"document": TEXT["document"], "head": "ex:a", "tail": "ex:b", "paths": []}
    asked = query_of({**line, "evidence": [FACT], "sentence_starts": [0, 9]})
    assert asked.evidence == (MarkedFact("ex:a", "ex:r", "ex:b", (0, 1)),)
    assert asked.sentence_starts == (0, 9)
    assert query_of({**line, "evidence": [FACT]}).sentence_starts == ()
    with pytest.raises(ValueError, match=r"^evidence is not a list of facts$"):
        query_of({**line, "evidence": {"head": "ex:a"}})
    with pytest.raises(ValueError, match=r"^a fact names sentence 1, but the document has only 0$"):
        query_of({**line, "evidence": [FACT], "sentence_starts": [0]})
