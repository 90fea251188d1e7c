"""Titles of articles in RDF: written as Wikidata does, and read back as titles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kgpath
from kgpath.storage import statements as st

TITLES = ["Dr. No (film)", "AC/DC", "50%", "What? #1", "Être", "C++", "a & b", "“x”", "日本"]


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("language", ["en", "zh-classical"])
def test_the_address_of_a_page_gives_its_title_back(title: str, language: str) -> None:
    page = st.wikipedia_page(title, language)
    assert page.startswith(f"https://{language}.wikipedia.org/wiki/") and " " not in page
    assert st.wikipedia_title(page) == (title, language)


@pytest.mark.parametrize(
    ("title", "language"), [("a_b", "en"), (" a", "en"), ("a", ""), ("a", "EN"), ("a", "x/y")]
)
def test_what_no_wikipedia_has_gets_no_address(title: str, language: str) -> None:
    assert st.wikipedia_page(title, language) == ""


@pytest.mark.parametrize(
    "page", ["https://en.wiktionary.org/wiki/a", "https://en.wikipedia.org/x", "urn:x", "http://x/"]
)
def test_other_pages_have_no_title(page: str) -> None:
    assert st.wikipedia_title(page) is None


def entity(number: int, title: str) -> str:
    claim = {"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": {
        "type": "wikibase-entityid", "value": {"id": f"Q{number + 1}"}}}}  # fmt: skip
    return json.dumps({
        "type": "item", "id": f"Q{number}",
        "labels": {"en": {"language": "en", "value": f"Thing {number}"}},
        "claims": {"P1": [claim]},
        "sitelinks": {"enwiki": {"site": "enwiki", "title": title}},
    })  # fmt: skip


def names(path: Path) -> set[tuple[str, str, int]]:
    with kgpath.open(path) as kg:
        return set(kg.store.db.execute("SELECT text, lang, label FROM name"))


def test_a_graph_of_wikidata_keeps_its_titles_over_n_triples(tmp_path: Path, cli) -> None:
    lines = [entity(number, title) for number, title in enumerate([*TITLES, "Thing 9"], 1)]
    (tmp_path / "w.json").write_text("\n".join(lines))
    first = kgpath.build([tmp_path / "w.json"], tmp_path / "first.kg")
    assert cli("export", "first.kg", "-o", "x.nt").code == 0
    text = (tmp_path / "x.nt").read_text()
    about = "<http://schema.org/about> <http://www.wikidata.org/entity/Q1> ."
    assert f"<https://en.wikipedia.org/wiki/Dr._No_(film)> {about}\n" in text
    second = kgpath.build([tmp_path / "x.nt"], tmp_path / "second.kg")
    assert names(tmp_path / "second.kg") == names(tmp_path / "first.kg")
    assert ("Dr. No (film)", "en", st.IS_TITLE) in names(tmp_path / "second.kg")
    assert second.edges == first.edges


def test_a_page_that_is_not_of_wikipedia_is_an_entity_as_before(tmp_path: Path) -> None:
    (tmp_path / "x.nt").write_text("<http://x/page> <http://schema.org/about> <http://x/a> .\n")
    assert kgpath.build([tmp_path / "x.nt"], tmp_path / "x.kg").edges == 1
