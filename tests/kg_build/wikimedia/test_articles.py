"""Articles: every format gives the same passages; titles find their entities; nothing is lost."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace

import pytest

import kgpath
from kgpath.errors import BadSource
from kgpath.kg_build.files import sniff
from kgpath.kg_build.wikimedia.articles import Titles
from kgpath.plugins import ARTICLE_FORMATS

DBR = "http://dbpedia.org/resource/"
XML = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">
  <siteinfo><sitename>Wikipedia</sitename></siteinfo>
{pages}
</mediawiki>
"""
CRAIG = ["Craig is an actor.", "He was born in Chester."], ["He played Bond.", "Five times."]

Rows = list[tuple[int, int, str, str]]


def page(title: str, text: str, ns: int = 0, redirect: str = "") -> str:
    element = f'\n    <redirect title="{redirect}" />' if redirect else ""
    return (
        f"  <page>\n    <title>{title}</title>\n    <ns>{ns}</ns>\n    <id>1</id>{element}\n"
        f'    <revision><id>2</id><text xml:space="preserve">{text}</text></revision>\n  </page>\n'
    )


def dump(*pages: str) -> str:
    return XML.format(pages="".join(pages))


WIKITEXT = "'''Craig''' is an [[actor]].\n\nHe was born in [[Chester]].\n== Career ==\n" + (
    "He played Bond.\n\nFive times.\n"
)
PLAIN = "Craig is an actor.\n\nHe was born in Chester.\n== Career ==\nHe played Bond.\nFive times."
FORMATS = {
    "a.xml": dump(page("Daniel Craig", WIKITEXT)),
    "a.jsonl": json.dumps({"title": "Daniel Craig", "extract": PLAIN, "lang": "en"}),
    "b.jsonl": json.dumps({"title": "Daniel_Craig", "sections": CRAIG, "lang": "en"}),
    "c.jsonl": json.dumps({
        "iri": DBR + "Daniel_Craig", "lang": "en", "title": "Someone else",
        "sections": [{"paragraphs": CRAIG[0]}, {"title": "Career", "text": "\n".join(CRAIG[1])}],
    }),
    "d.jsonl": json.dumps(
        {"url": "https://en.wikipedia.org/wiki/Daniel_Craig", "lang": "en", "text": PLAIN}
    ),
    "a.tsv": "lang\ttitle\ttext\nen\tDaniel Craig\t" + PLAIN.replace("\n", "\\n") + "\n",
}  # fmt: skip
PASSAGES = [
    (0, 0, "Craig is an actor.", "en"),
    (0, 1, "He was born in Chester.", "en"),
    (1, 0, "He played Bond.", "en"),
    (1, 1, "Five times.", "en"),
]


def passages(kg: kgpath.Graph, entity: str) -> Rows:
    return kg.store.db.execute(
        "SELECT section, position, text, lang FROM passage WHERE entity = ?"
        " ORDER BY section, position",
        (kg.entity(entity).id,),
    ).fetchall()


@pytest.fixture
def build(source: Callable[..., Path], film_turtle: str, tmp_path: Path) -> Iterable[object]:
    """Builds the film graph with articles and opens it."""
    opened = []

    def made(*articles: Path, **options: object) -> kgpath.Graph:
        (tmp_path / "film.ttl").write_text(film_turtle, encoding="utf-8")
        built = kgpath.build(
            [tmp_path / "film.ttl"], tmp_path / "film.kg", articles=articles, **options
        )
        kg = kgpath.open(tmp_path / "film.kg")
        kg.built = built
        opened.append(kg)
        return kg

    yield made
    for kg in opened:
        kg.close()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_sections_and_paragraphs(name: str, build, source) -> None:
    kg = build(source(name, FORMATS[name]))
    assert passages(kg, "Daniel Craig") == PASSAGES
    assert kg.text("Daniel Craig") == "Craig is an actor.\nHe was born in Chester."
    assert kg.entity("Daniel Craig").description == "Craig is an actor."
    (counts,) = kg.built.articles
    assert (counts.read, counts.matched) == (1, 1)


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_a_packed_dump_gives_the_same(ending: str, pack, build, source) -> None:
    kg = build(source("a.xml" + ending, pack(FORMATS["a.xml"].encode())))
    assert passages(kg, "Daniel Craig") == PASSAGES


@pytest.mark.parametrize(
    ("start", "format"),
    [
        (b"<mediawiki>", "mediawiki"), (b"<?xml version='1.0'?>", "mediawiki"),
        (b'{"title": 1}', "jsonl"), (b"title\ttext\n", "tsv"),
    ],
)  # fmt: skip
def test_the_format_is_recognised_by_the_beginning(start: bytes, format: str) -> None:
    assert sniff(start, "x", ARTICLE_FORMATS) == format
    with pytest.raises(BadSource, match="one of: jsonl, mediawiki, tsv"):
        sniff(b"plain words", "x", ARTICLE_FORMATS)


def test_other_entities_keep_their_texts_and_a_comment_stays_beside_an_article(
    build, source
) -> None:
    moore = json.dumps({"title": "Roger Moore", "text": "Moore was an actor.\nHe was the third."})
    kg = build(source("a.jsonl", moore))
    assert passages(kg, "Daniel Craig") == [
        (0, 0, "Daniel Craig is an English actor. He has played James Bond.", "en")
    ]
    assert passages(kg, "Roger Moore") == [
        (-1, 0, "An English actor. He was born in London.", "en"),
        (0, 0, "Moore was an actor.", ""),
        (0, 1, "He was the third.", ""),
    ]
    assert kg.entity("Roger Moore").description == "An English actor."


def test_adding_articles_later_gives_the_same_file(build, source, tmp_path: Path) -> None:
    article = source("a.xml", FORMATS["a.xml"])
    together = build(article).fingerprint
    build()
    kgpath.add(tmp_path / "film.kg", articles=[article])
    with kgpath.open(tmp_path / "film.kg") as kg:
        assert kg.fingerprint == together
        assert [(s.name, s.format) for s in kg.store.sources()][-1] == ("a.xml", "mediawiki")
    more = source("more.ttl", "dbr:Daniel_Craig dbo:spouse dbr:Rachel_Weisz .")
    kgpath.add(tmp_path / "film.kg", [more])
    with kgpath.open(tmp_path / "film.kg") as kg:
        assert passages(kg, "Daniel Craig") == PASSAGES


def test_of_two_articles_the_longer_wins_whatever_the_order(build, source) -> None:
    short = source("short.jsonl", json.dumps({"title": "Daniel Craig", "text": "Short.\nTwo."}))
    long = source("long.xml", FORMATS["a.xml"])
    one, other = build(short, long).fingerprint, build(long, short).fingerprint
    assert one == other == build(long).fingerprint


def test_languages_are_chosen_as_for_names(build, source) -> None:
    german = source("de.xml", FORMATS["a.xml"].replace('"en"', '"de"'))
    kg = build(german)
    assert kg.text("Daniel Craig").startswith("Daniel Craig is an English actor")
    assert kg.built.articles[0].matched == 1
    filters = kgpath.Filters(languages=("de", "en"))
    assert passages(build(german, filters=filters), "Daniel Craig")[0][3] == "de"


TITLES = [
    DBR + "Casino_Royale_(novel)", DBR + "Daniel_Craig", DBR + "IPod", "http://x.org/1",
    "http://x.org/2", "http://x.org/3",
]  # fmt: skip
LABELS = [
    (0, "Casino Royale"), (1, "Craig"), (3, "Q"), (4, "M"), (5, "M"), (5, "Moneypenny"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("Casino Royale (novel)", 0), ("Casino_Royale_(novel)", 0), ("iPod", 2), ("Craig", 1),
        ("Casino Royale", None), ("Q", 3), ("M", -1), ("Moneypenny", 5), ("daniel craig", None),
        ("Nobody", None), ("", None),
    ],
)  # fmt: skip
def test_titles(title: str, number: int | None) -> None:
    assert Titles(TITLES, iter(LABELS)).find(title) == number


def test_an_iri_is_believed_before_a_title() -> None:
    assert Titles(TITLES, iter(LABELS)).find("Daniel Craig", "http://x.org/2") == 4
    assert Titles(TITLES, iter(LABELS)).find("Daniel Craig", "http://x.org/none") == 1


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_redirects_lead_to_the_entity_wherever_they_stand(order, build, source) -> None:
    # The graph knows Casino_Royale_(2006_film); the article has moved since.
    pages = (
        page("Casino Royale (2006 film)", "#REDIRECT [[CR]]", redirect="CR (2006)"),
        page("CR (2006)", "A film.\n\nWith Craig."),
    )
    kg = build(source("a.xml", dump(*(pages[place] for place in order))))
    assert kg.text(DBR + "Casino_Royale_(2006_film)") == "A film.\nWith Craig."
    lines = [
        json.dumps({"title": "Casino Royale (2006 film)", "redirect": "CR (2006)"}),
        json.dumps({"title": "CR (2006)", "text": "A film.\nWith Craig."}),
    ]
    kg = build(source("a.jsonl", "\n".join(lines[place] for place in order)))
    assert kg.text(DBR + "Casino_Royale_(2006_film)") == "A film.\nWith Craig."


def test_a_redirect_takes_no_text_from_an_entity_that_has_its_own(build, source) -> None:
    pages = (
        page("Alien: Covenant", "", redirect="James Bond"), page("James Bond", "A spy."),
        page("London", "#REDIRECT [[Chester]]"),  # as old dumps have it
    )  # fmt: skip
    kg = build(source("a.xml", dump(*pages)))
    assert kg.text("James Bond") == "A spy."
    assert kg.text("Alien: Covenant") == kg.text("London") == ""


def test_what_is_about_nothing_is_counted_and_reported(
    build, source, cli: Callable[..., SimpleNamespace], tmp_path: Path
) -> None:
    pages = (
        page("Nobody", "Text."), page("Talk:London", "Hi.", ns=1), page("Chester", "{{stub}}"),
        page("Casino Royale", "Several."), page("London", "A city."), page("No one", "Text."),
    )  # fmt: skip
    article = source("a.xml", dump(*pages))
    build()
    done = cli("add", "film.kg", "--articles", article, "--json")
    data = json.loads(done.out)
    assert data["articles"] == [
        {
            "name": "a.xml",
            "read": 5,
            "matched": 1,
            "examples": ["Nobody", "Casino Royale", "No one"],
        }
    ]
    assert data["left_out"] == {
        "article about nothing in the graph": 3, "article without text": 1,
        "page that is no article": 1,
    }  # fmt: skip
    assert "a.xml: 1 of 5 articles are about an entity; not these, such as Nobody" in done.err
    assert kgpath.open(tmp_path / "film.kg").text("London") == "A city."


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.tsv", "qid\tname\textract\nQ1\tChester\t\nQ2\tLondon\tA city.\n"),
        ("a.jsonl", '{"title": "Chester", "text": ""}\n{"title": "London", "text": "A city."}\n'),
    ],
)
def test_an_empty_text_is_no_mistake(name: str, content: str, build, source) -> None:
    kg = build(source(name, content))
    report = kg.built.reports[-1]
    assert (report.malformed, report.left_out) == (0, {"article without text": 1})
    assert (kg.text("Chester"), kg.text("London")) == ("", "A city.")


def test_of_several_revisions_the_last_counts(build, source) -> None:
    text = page("London", "Old.").replace(
        "</revision>", "</revision><revision><text>New.</text></revision>"
    )
    assert build(source("a.xml", dump(text))).text("London") == "New."


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{broken", "Expecting property name"),
        ("[1]", "not a JSON object"),
        ('{"text": "No title."}', "no title and no iri"),
        ('{"title": "London"}', "no text, extract, paragraphs or sections"),
        ('{"title": 3, "text": "x"}', "title is not a text"),
        ('{"title": "London", "sections": [[1]]}', "a section is not a list of texts"),
        ('{"title": "London", "paragraphs": {"a": 1}}', "paragraphs and sections are lists"),
    ],
)
def test_a_bad_line_is_counted_shown_and_left_out(line: str, words: str, build, source) -> None:
    good = json.dumps({"title": "London", "text": "A city."})
    kg = build(source("a.jsonl", f"{line}\n\n{good}\n"))
    assert kg.text("London") == "A city."
    report = kg.built.reports[-1]
    assert report.malformed == 1 and words in report.examples[0]
    with pytest.raises(BadSource, match="Stopped by --strict"):
        build(source("a.jsonl", line), strict=True)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.xml", dump(page("London", "A city."))[:-60], "not whole XML"),
        ("a.xml", "<rdf:RDF xmlns:rdf='x'/>", "no dump of a MediaWiki: it begins with <RDF>"),
        ("a.xml", dump(), "holds no article"),
        ("a.tsv", "one cell\n", "holds no article"),
        ("a.dat", "words", "Cannot tell the format"),
        ("a.jsonl", "", "is empty"),
        ("a.xml.gz", gzip.compress(dump(page("London", "x" * 999)).encode())[:-20], "cut off"),
    ],
)
def test_a_bad_file_stops_the_build_and_leaves_nothing(
    name: str, content: str | bytes, words: str, build, source, tmp_path: Path
) -> None:
    with pytest.raises(BadSource, match=words):
        build(source(name, content))
    assert not (tmp_path / "film.kg").exists()
    assert not list(tmp_path.glob(".*kgpath*"))


def test_a_missing_file_is_reported_before_any_work(cli, source) -> None:
    done = cli("build", source("a.ttl", "ex:a ex:p ex:b ."), "-o", "x.kg", "--articles", "no.xml")
    assert (done.code, done.err) == (1, "kgpath: There is no file no.xml.\n")
    assert cli("add", "x.kg").code == 2


def test_a_dump_may_come_through_a_pipe(cli, source, tmp_path: Path) -> None:
    facts = source("a.ttl", "dbr:London dbo:country dbr:England .")
    done = cli("build", facts, "-o", "x.kg", "--articles", "-", stdin=dump(page("London", "City.")))
    assert done.code == 0
    with kgpath.open(tmp_path / "x.kg") as kg:
        assert kg.text("London") == "City."


def test_export_writes_the_introduction(build, source) -> None:
    from kgpath.storage.export import lines

    kg = build(source("a.xml", FORMATS["a.xml"]))
    abstracts = [line for line in lines(kg.store, "nt") if "ontology/abstract" in line]
    assert abstracts == [
        f"<{DBR}Daniel_Craig> <http://dbpedia.org/ontology/abstract> "
        '"Craig is an actor.\\nHe was born in Chester."@en .\n'
    ]
    assert len(kg.to_rdflib()) == len([*lines(kg.store, "nt")])
