"""Wikitext: prose by section and paragraph, links in their places, and no text that breaks it."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgpath.kg_build.wikimedia.markup import link_words, shown_by_template
from kgpath.kg_build.wikimedia.wikitext import read_wikitext

ARTICLE = """\
{{Infobox film|name=Heat|director=[[A Director]]
| starring = {{ubl|[[One]]|[[Two]]}}}}
'''''Heat''''' is a 1995 [[crime film]]<ref name="a">{{cite web|url=http://x.org|title=T}}</ref> by
[[Michael Mann (director)|Michael Mann]],<ref name="a" /> with [[Al Pacino]]&nbsp;and others
({{lang-it|Calore}}; <!-- a note --> ).

[[File:Heat.jpg|thumb|left|A still with [[Al Pacino]] and {{nowrap|others}}]]
It was {{nowrap|shot}} in ''[[Los Angeles]]''.
== Plot ==
A thief [http://example.org plans a robbery]. [[#Cast|They]] fail.
* first [[item]]
** second item
=== End ===
{| class="wikitable"
! a !! b
|-
| [[c]] || d
|}
The end.<br />Really. H<sub>2</sub>O & more.
== See also ==
* [[Thief (film)]]
=== More ===
Nothing.
== Reception ==
Good{{snd}}very good.
[[Category:Films]]
[[de:Heat]]
"""


def test_an_article() -> None:
    paragraphs = read_wikitext(ARTICLE)
    assert [(p.section, p.position, p.text) for p in paragraphs] == [
        (0, 0, "Heat is a 1995 crime film by Michael Mann, with Al Pacino and others."),
        (0, 1, "It was shot in Los Angeles."),
        (1, 0, "A thief plans a robbery. They fail."),
        (1, 1, "first item"),
        (1, 2, "second item"),
        (2, 0, "The end. Really. H2O & more."),
        (5, 0, "Good – very good."),
    ]
    links = [(p.text[x.start : x.end], x.title) for p in paragraphs for x in p.links]
    assert links == [
        ("crime film", "crime film"),
        ("Michael Mann", "Michael Mann (director)"),
        ("Al Pacino", "Al Pacino"),
        ("Los Angeles", "Los Angeles"),
        ("item", "item"),
    ]


@pytest.mark.parametrize(
    ("inside", "words", "title"),
    [
        ("Heat", "Heat", "Heat"),
        ("Heat (film)|", "Heat", "Heat (film)"),
        ("Heat_(film)#Plot|the plot", "the plot", "Heat (film)"),
        ("#Plot|below", "below", ""),
        ("File:A.jpg|thumb|B", "", ""),
        ("Category:Films", "", ""),
        (":Category:Films", "Category:Films", "Category:Films"),
        ("fr:Chaleur", "", ""),
        ("w:Heat (film)|Heat", "Heat", "Heat (film)"),
        (":w:en:Heat", "Heat", "Heat"),
        ("2001: A Space Odyssey", "2001: A Space Odyssey", "2001: A Space Odyssey"),
        ("", "", ""),
    ],
)
def test_links(inside: str, words: str, title: str) -> None:
    assert link_words(inside) == (words, title)


@pytest.mark.parametrize(
    ("inside", "words", "title"),
    [
        ("w|Al Pacino", "Al Pacino", "Al Pacino"),
        ("w|Al Pacino|Pacino", "Pacino", "Al Pacino"),
        ("W|Al_Pacino#Life|Pacino|lang=en", "Pacino", "Al Pacino"),
        ("w", "", ""),
        ("Nowrap| 5 km ", "5 km", ""),
        ("nowrap|1=a=b", "a=b", ""),
        ("lang|fr|Chaleur", "Chaleur", ""),
        ("ndash", "–", ""),
        ("Infobox|a|b", "", ""),
        ("", "", ""),
    ],
)
def test_templates(inside: str, words: str, title: str) -> None:
    assert shown_by_template(inside) == (words, title)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("A [[B and C.", "A [[B and C."),
        ("A {{b and C.", "A {{b and C."),
        ("A ]] and }} C.", "A ]] and }} C."),
        ("A <ref>b and C.", "A b and C."),
        ("A <!-- b and C.", "A"),
        ("A {{b [[c}} d.", "A d."),
        ("A {{{arg}}} b.", "A } b."),
        ("A '''b''' ''''c'''' d.", "A b 'c' d."),
        ("A | b {| c |} d.", "A | b {| c |} d."),
        ("A < b and b > c.", "A < b and b > c."),
        ("__NOTOC__A&amp;B", "A&B"),
        ("[1] A [b] c.", "[1] A [b] c."),
    ],
)
def test_what_is_left_open_or_means_nothing_is_text(markup: str, text: str) -> None:
    assert " ".join(p.text for p in read_wikitext(markup)) == text


PIECES = [
    "{{", "}}", "{|", "|}", "[[", "]]", "[http://a ", "]", "|", "<ref>", "</ref>", "<!--", "-->",
    "''", "'''", "== A ==", "\n", "\n\n", "* ", "word ", "Ärger, ", "( ", ") ", "&nbsp;", "w|", ".",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_any_markup_gives_ordered_paragraphs_with_links_inside_them(pieces: list[str]) -> None:
    paragraphs = read_wikitext("".join(pieces))
    places = [(p.section, p.position) for p in paragraphs]
    assert places == sorted(set(places))
    for p in paragraphs:
        assert p.text == p.text.strip() != ""
        assert "\n" not in p.text and "  " not in p.text
        assert all(0 <= x.start < x.end <= len(p.text) and x.title for x in p.links)
        ends = [x.end for x in p.links]
        assert all(x.start >= end for end, x in zip(ends, p.links[1:], strict=False))


@pytest.mark.slow
@pytest.mark.parametrize("piece", [*PIECES, "{{a|[[b|", "<ref>{{", "( , ", "[[a|b "])
def test_time_grows_with_the_length_whatever_is_in_it(piece: str) -> None:
    def seconds(times: int) -> float:
        start = time.process_time()  # of this process alone, however busy the machine
        read_wikitext(piece * times)
        return time.process_time() - start

    # Quadratic, ten times the length would take a hundred times as long.
    short, long = (min(seconds(times) for _ in range(3)) for times in (2_000, 20_000))
    assert long < 40 * (short + 0.002)


def test_the_words_are_those_that_another_parser_finds() -> None:
    parser = pytest.importorskip("mwparserfromhell")
    markup = re.sub(
        r"(?s)\[\[(File|Category|de):.*?\]\]\n|\{\|.*?\|\}|== See.*(?==== R)", "", ARTICLE
    )
    markup = markup.replace("{{nowrap|shot}}", "shot").replace("{{snd}}", " – ")
    markup = markup.replace("{{nowrap|others}}]]", "").replace("<br />", " ")
    theirs = re.findall(r"\w+", parser.parse(markup).strip_code())
    ours = re.findall(r"\w+", " ".join(p.text for p in read_wikitext(markup)))
    headings = {"Plot", "End", "See", "also", "Thief", "film", "Reception", "More", "Nothing"}
    assert [w for w in theirs if w not in headings] == [w for w in ours if w not in headings]
