"""Algorithm 3: where the sentences of a context document come from, and what stands in for them."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kgpath
from kgpath.datasets.synthetic.entity_articles import EntityArticles
from kgpath.datasets.synthetic.generate import generate
from kgpath.datasets.synthetic.recipe import Recipe, recipe_of
from kgpath.datasets.synthetic.text import Composer, Facts
from kgpath.errors import BadOption
from kgpath.storage.fingerprint import fingerprint, read_edges
from kgpath.storage.hop_codes import code_of

WORDS = "one two three four five six seven eight nine ten".split()


def sentences(start: str, number: int) -> str:
    return " ".join(f"{start} {first} {second}." for first in WORDS for second in WORDS[:number])


@pytest.fixture(scope="module")
def described_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ann knows Bob and Ben. Ann's article names Bob in a paragraph, Ben nowhere; Zoe has none."""
    folder = tmp_path_factory.mktemp("described")
    (folder / "facts.ttl").write_text(
        "@prefix ex: <http://example.org/> . @prefix dbo: <http://dbpedia.org/ontology/> ."
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
        'ex:ann rdfs:label "Ann Lee"@en ; ex:knows ex:bob, ex:ben ; '
        f'dbo:abstract "{sentences("Ann Lee", 10)}"@en .'
        f'ex:bob rdfs:label "Bob Ray"@en ; dbo:abstract "{sentences("Bob Ray", 10)}"@en .'
        f'ex:ben rdfs:label "Ben Orr"@en ; dbo:abstract "{sentences("He", 10)}"@en .'
        'ex:zoe rdfs:label "Zoe Poe"@en ; ex:knows ex:ann ; a ex:Singer .'
    )
    kgpath.build([folder / "facts.ttl"], folder / "described.kg")
    db = sqlite3.connect(folder / "described.kg")
    (ann,) = db.execute("SELECT id FROM entity WHERE label = 'Ann Lee'").fetchone()
    both = sentences("Ann Lee meets Bob Ray", 10)
    for position, text in enumerate((both, sentences("Later", 10))):
        db.execute("INSERT INTO passage VALUES (?, 1, ?, ?, 'en', 4)", (ann, position, text))
    # Else the file is one that another program changed.
    key = fingerprint(db, read_edges(db))
    db.execute("UPDATE meta SET value = ? WHERE key = 'fingerprint'", (key,))
    db.commit()
    db.close()
    return folder / "described.kg"


@pytest.fixture
def described(described_path: Path) -> Iterator[kgpath.Graph]:
    with kgpath.open(described_path) as kg:
        yield kg


def recipe(**knobs: Any) -> Recipe:
    return recipe_of({"name": "t", "documents": 1, "pairs": 1, **knobs})


def composer(kg: kgpath.Graph, *names: str, seed: int = 0, **knobs: Any) -> Composer:
    """A composer for a path of ``knows`` through these entities."""
    vertices = tuple(kg.entity(f"http://example.org/{name}").id for name in names)
    (relation,) = (r.id for r in kg.relations())
    facts = {(h, t) for h, _, t in kg.store.edges().tolist()}
    codes = tuple(code_of(relation, (one, other) not in facts) for one, other in pairwise(vertices))
    made = Composer(
        EntityArticles(kg), Facts(kg.index, kg.store.relations), recipe(**knobs), vertices, codes,
        np.random.default_rng(seed),
    )  # fmt: skip
    made.write()
    return made


def sources(made: Composer) -> Counter[str]:
    return Counter(sentence.source for sentence in made.sentences)


def test_the_die_falls_as_stated(described: kgpath.Graph) -> None:
    counted: Counter[str] = Counter()
    for seed in range(120):
        counted += sources(composer(described, "ann", "bob", seed=seed, sentences=20))
    assert set(counted) == {"pair", "introduction", "rest"}  # each has a hundred sentences
    number = counted.total()
    assert number == 120 * 20
    shares = {"pair": 0.6, "introduction": 0.3, "rest": 0.1}
    chi = sum((counted[s] - p * number) ** 2 / (p * number) for s, p in shares.items())
    assert chi < 13.8  # 2 degrees, p = 0.001


def test_a_pair_is_expressed_by_a_paragraph_that_names_both(described: kgpath.Graph) -> None:
    made = composer(described, "ann", "bob", p_sent=1.0, p_intro=0.0, sentences=20)
    assert sources(made) == {"pair": 20}
    text, places = made.read()
    assert all(part.startswith(" meets") for part in text.split("Ann Lee")[1:])
    assert len(places) == 40
    assert {text[p.start : p.end] for p in places} == {"Ann Lee", "Bob Ray"}


def test_without_such_a_paragraph_the_introduction_speaks(described: kgpath.Graph) -> None:
    made = composer(described, "ann", "ben", p_sent=1.0, p_intro=0.0, sentences=20)
    assert sources(made) == {"pair>introduction": 20}


def test_no_sentence_comes_twice_and_the_text_ends_where_all_is_said(
    described: kgpath.Graph,
) -> None:
    made = composer(described, "bob", "ann", text="required", sentences=1000)
    texts = [sentence.text for sentence in made.sentences]
    assert len(texts) == len(set(texts)) == 400
    assert sources(made)["pair"] <= 100


def test_hops_are_drawn_alike(described: kgpath.Graph) -> None:
    made = [
        composer(described, "bob", "ann", "ben", seed=seed, p_sent=0.0, p_intro=1.0, sentences=20)
        for seed in range(30)
    ]
    about = Counter(s.text.split()[0] for one in made for s in one.sentences)
    assert about.total() == 600
    # Half of the sentences are on each hop, and half of these on Ann.
    assert 250 < about["Ann"] < 350
    assert 100 < about["Bob"] < 200


def test_where_there_is_no_article_facts_are_expressed(described: kgpath.Graph) -> None:
    made = composer(described, "zoe", "ann", text="facts", sentences=20)
    assert {source.partition(">")[2] for source in sources(made)} == {"fact"}
    assert made.kind() == "facts"
    told_facts = {sentence.text for sentence in made.sentences}
    assert len(told_facts) == 4, told_facts  # three facts and Zoe's kind, each once
    assert any("singer" in text for text in told_facts)


def test_an_end_that_is_not_named_gets_a_sentence(described: kgpath.Graph) -> None:
    made = composer(described, "ann", "ben", p_sent=0.0, p_intro=0.0, sentences=1)
    ben, ann = (described.entity(f"http://example.org/{name}").id for name in ("ben", "ann"))
    assert made.named() == set()  # "Later …": the rest of Ann's article
    assert made.name(ann)
    assert made.name(ben)
    assert [s.source for s in made.sentences] == ["rest", "end>introduction", "end>fact"]
    assert made.named() == {ben, ann}
    assert made.kind() == "mixed"


def test_articles_only_cannot_name_what_no_article_names(described: kgpath.Graph) -> None:
    made = composer(described, "ann", "ben", text="required", sentences=3)
    assert not made.name(described.entity("http://example.org/ben").id)


def test_required_text_walks_only_where_there_are_articles(
    described: kgpath.Graph, tmp_path: Path
) -> None:
    made = generate(described, recipe(text="required", max_hops=1), tmp_path / "out")
    assert "documents: articles" in made.counted
    assert made.counted["pairs"] == 1
    # Only Ann and Bob can be described: nothing names Ben, and Zoe has no article.
    (line,) = (tmp_path / "out" / "train.jsonl").read_text().splitlines()
    assert {"http://example.org/ann", "http://example.org/bob"} == set(
        json.loads(line)["path"][::2]
    )


def test_a_graph_without_text_and_text_required(
    build_graph: Callable[..., kgpath.Graph], tmp_path: Path
) -> None:
    graph = build_graph("ex:a ex:r ex:b .")
    with pytest.raises(BadOption, match=r'has no texts.*text = "required".*text = "auto"'):
        generate(graph, recipe(text="required"), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    made = generate(graph, recipe(), tmp_path / "out")
    assert made.counted["documents: facts"] == 1


def test_a_name_within_a_word_or_a_common_word_is_no_name(
    build_graph: Callable[..., kgpath.Graph],
) -> None:
    graph = build_graph(
        'ex:a rdfs:label "Ann"@en ; skos:altLabel "It"@en ; ex:r ex:b .'
        'ex:b rdfs:label "Up (2009 film)"@en .'
    )
    material = EntityArticles(graph)
    ann = material[graph.entity("Ann").id]
    assert ann.names == ("Ann",)
    assert ann.places("Anna and Ann. It rained on Ann-Marie.") == [(9, 12), (27, 30)]
    film = material[graph.entity("http://example.org/b").id]
    assert film.names == ("Up (2009 film)",)
