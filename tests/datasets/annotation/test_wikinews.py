"""Wikinews: links at their places from both forms, and Algorithm 1 worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kgpath
from kgpath.datasets.annotation.context_documents import ContextDocument, EntityLink, Linker
from kgpath.datasets.annotation.network_completion import Completion
from kgpath.datasets.annotation.wikinews import NewsArticle, NewsFile
from kgpath.errors import BadSource

DBR = "http://dbpedia.org/resource/"
# Children of Men, as in the paper's example: Mexico City joins, by way of the director's article.
GRAPH = """
dbr:Children_of_Men dbo:director dbr:Alfonso_Cuarón ; rdfs:label "Children of Men"@en ;
    dbo:shotIn dbr:Mexico_City ; dbo:author dbr:P_D_James .
dbr:Alfonso_Cuarón dbo:birthPlace dbr:Mexico_City ; rdfs:label "Alfonso Cuarón"@en ;
    dbo:abstract "A director. Alfonso Cuarón was born in Mexico City. He likes film."@en .
dbr:Mexico_City rdfs:label "Mexico City"@en ; dbo:country dbr:Mexico .
dbr:P_D_James rdfs:label "P. D. James"@en ; dbo:country dbr:England .
dbr:Clive_Owen rdfs:label "Clive Owen"@en ; dbo:country dbr:England .
dbr:England rdfs:label "England"@en ;
    dbo:abstract "England is a country. It has many writers."@en .
"""
TEXT = (
    "Children of Men has won a prize. The director is Alfonso Cuarón.\n\n"
    "Alfonso Cuarón and Clive Owen were there. So was P. D. James."
)


@pytest.fixture
def kg(build_graph: Callable[..., kgpath.Graph]) -> kgpath.Graph:
    return build_graph(GRAPH)


@pytest.fixture
def document(kg: kgpath.Graph) -> ContextDocument:
    names = ("Children of Men", "Alfonso Cuarón", "Alfonso Cuarón", "Clive Owen", "P. D. James")
    links, at = [], 0
    for name in names:
        at = TEXT.index(name, at)
        links.append(EntityLink(at, at + len(name), kg.entity(name).id))
        at += len(name)
    return ContextDocument("d", "A prize", TEXT, tuple(links))


def read(path: Path, *articles: object) -> list[NewsArticle]:
    path.write_text("\n".join(map(json.dumps, articles)), encoding="utf-8")
    return list(NewsFile(path))


def words_of(article: NewsArticle) -> list[tuple[str, str]]:
    return [(article.text[link.start : link.end], link.title) for link in article.links]


def test_spots_are_found_in_the_text(tmp_path: Path) -> None:
    (article,) = read(
        tmp_path / "n.jsonl",
        {
            "docId": 3,
            "wikiTitle": "A_vote",
            "title": "A vote",
            "paragraphs": [
                "The U.N. Security  Council met &mdash; in New York.", "New York was hot.",
            ],
            "entities": [
                {"title": "United_Nations", "spots": ["u.n, un"]},
                {
                    "title": "United_Nations_Security_Council",
                    "spots": ["u.n security council, council"],
                },
                {"title": "New_York_(state)", "spots": ["new york"]},
                {"title": "Heat_(film)", "spots": []},
                {"title": "Security", "spots": []},
            ],
        },
    )  # fmt: skip
    assert article.id == "A_vote"
    assert article.text == "The U.N. Security Council met — in New York.\n\nNew York was hot."
    assert words_of(article) == [
        ("U.N. Security Council", "United Nations Security Council"),
        ("New York", "New York (state)"),
        ("New York", "New York (state)"),
    ]
    assert article.unplaced == ("United Nations", "Heat (film)", "Security")


DUMP = """<mediawiki xml:lang="en"><page><title>A vote</title><ns>0</ns><id>1</id><revision><text>
{{date|May 1, 2010}} The {{w|United Nations|UN}} met in [[w:New York City|New York]].

[[Ban Ki-moon]] spoke.
== Sources ==
* {{source|url=http://x.org|title=T}}
</text></revision></page>
<page><title>Talk:A vote</title><ns>1</ns><revision><text>[[x]]</text></revision></page>
<page><title>Old</title><ns>0</ns><redirect title="A vote"/><revision><text>#REDIRECT [[A vote]]
</text></revision></page>
<page><title>Bare</title><ns>0</ns><revision><text>No links.</text></revision></page></mediawiki>"""


def test_a_dump_gives_text_and_links(tmp_path: Path) -> None:
    (tmp_path / "n.xml").write_text(DUMP)
    file = NewsFile(tmp_path / "n.xml")
    (article,) = file
    assert (article.id, file.without_links) == ("A_vote", 1)
    assert article.text == "The UN met in New York.\n\nBan Ki-moon spoke."
    assert words_of(article) == [
        ("UN", "United Nations"), ("New York", "New York City"), ("Ban Ki-moon", "Ban Ki-moon"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "Expecting"),
        ("[]", "not a JSON object"),
        ('{"paragraphs": "x", "entities": []}', "paragraphs is not a list of texts"),
        ('{"paragraphs": ["x"]}', "entities is not a list"),
        ('{"paragraphs": ["x"], "entities": [{"spots": []}]}', "an entity has no title"),
    ],
)
def test_a_bad_line_is_reported_and_left_out(tmp_path: Path, line: str, words: str) -> None:
    good = json.dumps({"paragraphs": ["Heat."], "entities": [{"title": "Heat", "spots": []}]})
    path = tmp_path / "n.jsonl"
    path.write_text(f"{line}\n{good}\n")
    file = NewsFile(path)
    assert len(list(file)) == 1
    assert len(file.problems) == 1 and words in file.problems[0]
    path.write_text(line)
    with pytest.raises(BadSource, match="holds no article with links"):
        list(NewsFile(path))


def test_links_lead_to_entities_by_title(kg: kgpath.Graph, tmp_path: Path) -> None:
    entities = [
        {"title": title, "spots": []} for title in ("Children_of_Men", "P. D. James", "Nobody", "X")
    ]
    data = {"paragraphs": ["Nobody read Children of Men by P. D. James."], "entities": entities}
    (article,) = read(tmp_path / "n.jsonl", data)
    linker = Linker(kg)
    found = linker.document(article)
    assert [kg.entity(number).label for number in found.entities] == [
        "Children of Men", "P. D. James",
    ]  # fmt: skip
    assert (linker.links, linker.mapped, linker.unplaced) == (4, 2, 1)


def test_the_papers_example(kg: kgpath.Graph, document: ContextDocument) -> None:
    whole, (added,) = Completion(kg).complete(document)
    names = (kg.entity(n).label for n in (added.entity, added.article, added.after))
    assert tuple(names) == ("Mexico City", "Alfonso Cuarón", "Alfonso Cuarón")
    # After the first sentence that names the director. England joins two as well, but no
    # sentence names it and one of them.
    assert whole.text == TEXT.replace(
        "The director is Alfonso Cuarón.",
        "The director is Alfonso Cuarón. Alfonso Cuarón was born in Mexico City.",
    )
    assert [whole.text[start:end] for start, end, _ in whole.links] == [
        "Children of Men", "Alfonso Cuarón", "Alfonso Cuarón", "Mexico City", "Alfonso Cuarón",
        "Clive Owen", "P. D. James",
    ]  # fmt: skip
    assert all(
        whole.text[start:end] == kg.entity(entity).label for start, end, entity in whole.links
    )


def test_limits_of_the_completion(kg: kgpath.Graph, document: ContextDocument) -> None:
    assert Completion(kg, max_added=0).complete(document) == (document, [])
    assert Completion(kg, hub_cap=1).complete(document)[1] == []  # all have more neighbours
    assert len(Completion(kg, hub_cap=0).complete(document)[1]) == 1
    one = ContextDocument("d", "", TEXT, document.links[:1])
    assert Completion(kg).complete(one) == (one, [])  # nothing to join it with


def chain(size: int) -> Iterator[str]:
    """Every new entity joins two that are named, and says so."""
    for number in range(size):
        yield (
            f'ex:n{number} ex:of ex:a{number}, ex:b{number} ; rdfs:label "New{number}"@en ; '
            f'dbo:abstract "One. New{number} is of Anna{number}. Two."@en . '
            f'ex:a{number} rdfs:label "Anna{number}"@en . '
            f'ex:b{number} rdfs:label "Bert{number}"@en .'
        )


def test_every_link_stays_on_its_words_whatever_is_put_in(build_graph) -> None:
    kg = build_graph("\n".join(chain(4)))

    @settings(max_examples=40)
    @given(st.permutations(range(4)), st.sampled_from([" ", ". ", ".\n\n", "! And "]))
    def holds(order: list[int], gap: str) -> None:
        text, links = "", []
        for number in order:
            for name in (f"Bert{number}", f"Anna{number}"):
                links.append(EntityLink(len(text), len(text) + len(name), kg.entity(name).id))
                text += name + gap
        before = ContextDocument("d", "", text, tuple(links))
        whole, added = Completion(kg, max_added=9).complete(before)
        assert len(added) == 4
        assert all(
            whole.text[start:end] == kg.entity(entity).label for start, end, entity in whole.links
        )
        for one in added:
            assert whole.text.count(one.sentence.text) == 1
        without = whole.text
        for one in added:
            without = without.replace(" " + one.sentence.text, "")
        assert without == before.text

    holds()


def test_a_seed_draws_the_same_sentences_again(build_graph) -> None:
    sentences = " ".join(f"Anna met Carl in {year}." for year in range(1900, 1950))
    kg = build_graph(
        "ex:a ex:knows ex:c . ex:b ex:knows ex:c . ex:a rdfs:label 'Anna'@en . "
        f"ex:b rdfs:label 'Bert'@en . ex:c rdfs:label 'Carl'@en ; dbo:abstract '{sentences}'@en ."
    )
    ends = EntityLink(0, 4, kg.entity("Anna").id), EntityLink(9, 13, kg.entity("Bert").id)
    document = ContextDocument("d", "", "Anna and Bert won.", ends)
    texts = {seed: Completion(kg, seed=seed).complete(document)[0].text for seed in range(8)}
    assert Completion(kg, seed=3).complete(document)[0].text == texts[3]
    assert len(set(texts.values())) > 3


def test_real_news_over_the_sample_of_dbpedia(real_data: Path, sample: kgpath.Graph) -> None:
    articles = list(NewsFile(real_data / "wikinews" / "articles.jsonl.gz"))
    assert len(articles) == 365
    linker = Linker(sample)
    documents = [linker.document(article) for article in articles]
    assert linker.links == 4344
    completion = Completion(sample)
    for document in documents:
        whole, added = completion.complete(document)
        assert len(whole.links) >= len(document.links)
        assert bool(added) == (whole != document)
