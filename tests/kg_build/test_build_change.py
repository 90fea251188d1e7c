"""Adding and removing: the same graph as building from scratch, in one step, or no change."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kgpath
from kgpath.errors import BadSource, BadStore, UnknownEntity
from kgpath.storage.index import Index, folder_beside

A = "ex:a ex:p ex:b . ex:a a ex:T ; rdfs:label 'Ay'@en . ex:T rdfs:subClassOf ex:U ."
B = """
ex:0 ex:q ex:a ; skos:altLabel 'zero' . ex:c ex:p ex:0 ; a ex:T ; rdfs:label 'Cee'@en .
"""


def fingerprint(path: Path) -> str:
    with kgpath.open(path) as kg:
        return kg.fingerprint


@pytest.fixture
def both(source, tmp_path: Path):
    """Two sources, and what each and both of them together would give."""

    def prepare(one: str, other: str, **filters: object):
        a, b = source("a.ttl", one), source("b.ttl", other)
        chosen = kgpath.Filters(**filters)
        alone = kgpath.build([a], tmp_path / "a.kg", filters=chosen).fingerprint
        together = kgpath.build([a, b], tmp_path / "ab.kg", filters=chosen).fingerprint
        return a, b, tmp_path / "a.kg", alone, together

    return prepare


def test_adding_gives_what_building_from_everything_gives(both) -> None:
    _, b, path, alone, together = both(A, B)
    built = kgpath.add(path, [b])
    assert built.fingerprint == fingerprint(path) == together != alone
    with kgpath.open(path) as kg:
        assert kg.entity("zero").iri == "http://example.org/0"
        assert kg.entity(0).iri == "http://example.org/0"  # numbered anew, by IRI


def test_removing_brings_back_what_was_there(both) -> None:
    _, b, path, alone, _ = both(A, B)
    kgpath.add(path, [b])
    assert kgpath.remove(path, [b]).fingerprint == fingerprint(path) == alone


TEXTS = ["One.", "One. Two.", "A longer one. With more.", "Über."]
STATEMENTS = {
    "edge": ["ex:a ex:p ex:c .", "ex:c ex:q ex:b .", "ex:b ex:p ex:a ."],
    "label": ['ex:a rdfs:label "A1"@en .', 'ex:a rdfs:label "A2"@en .', 'ex:b rdfs:label "B" .',
              'ex:a rdfs:label "A3"@de .'],
    "alias": ['ex:a skos:altLabel "A1"@en .', 'ex:a skos:altLabel "x  y" .'],
    "text": [f'ex:a {p} "{t}"{lang} .' for t in TEXTS for lang in ("", "@en", "@de")
             for p in ("rdfs:comment", "dbo:abstract")],
    "type": ["ex:a a ex:T .", "ex:b a ex:U ."],
    "class": ["ex:T rdfs:subClassOf ex:U .", "ex:V a owl:Class ."],
    "class label": ['ex:T rdfs:label "tee"@en .', 'ex:T rdfs:label "T"@en .',
                    'ex:T rdfs:label "te"@de .', 'ex:T rdfs:label "thing" .'],
    "relation label": ['ex:p rdfs:label "pee"@en .', 'ex:p rdfs:label "P"@en .'],
    "relation": ["ex:p rdfs:subPropertyOf ex:q ."],
}  # fmt: skip
BASE = "ex:a ex:p ex:b . ex:a a ex:T .\n"


def samples(kinds: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from([line for kind in kinds for line in STATEMENTS[kind]]))


def languages() -> st.SearchStrategy[tuple[str, ...]]:
    return st.sampled_from([("en",), ("de", "en"), ()])


@pytest.mark.parametrize(
    "kinds",
    [["edge"], ["label", "alias"], ["text"], ["type", "class"], ["class label"],
     ["relation", "relation label"]],
    ids=" and ".join,
)  # fmt: skip
def test_adding_any_statements_equals_building_from_everything(kinds: list[str], both) -> None:
    @settings(max_examples=25)
    @given(one=samples(kinds), other=samples(kinds), langs=languages())
    def holds(one: list[str], other: list[str], langs: tuple[str, ...]) -> None:
        _, b, path, _, together = both(
            BASE + "\n".join(one), BASE + "\n".join(other), languages=langs
        )
        assert kgpath.add(path, [b]).fingerprint == together

    holds()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('ex:a rdfs:label "A1"@en .', 'ex:a rdfs:label "A2"@en .'),
        ('ex:a rdfs:comment "A1."@en .', 'ex:a rdfs:comment "A2."@en .'),
        ('ex:a rdfs:comment "One. Two."@en .', 'ex:a rdfs:comment "One."@en .'),
        ('ex:a dbo:abstract "One."@en .', 'ex:a dbo:abstract "Longer one."@en .'),
        ('ex:T rdfs:label "tee"@en .', 'ex:T rdfs:label "sort"@en .'),
        ('ex:p rdfs:label "pee"@en .', 'ex:p rdfs:label "link"@en .'),
    ],
    ids=["label", "comment", "longer comment", "abstract", "class label", "relation label"],
)
def test_of_rival_names_and_texts_the_same_one_wins_by_adding(one: str, other: str, both) -> None:
    for first, second in ((one, other), (other, one)):
        _, b, path, _, together = both(BASE + first, BASE + second)
        assert kgpath.add(path, [b]).fingerprint == together


@pytest.mark.parametrize(
    "more",
    [
        "ex:a ex:p ex:new .",
        "ex:a ex:other ex:b .",
        'ex:a rdfs:label "Other name"@en .',
        'ex:b rdfs:label "Two  spaces "@en .',
        'ex:a rdfs:comment "One sentence."@en .',
        'ex:a rdfs:comment "Two. Sentences."@en .',
        'ex:a dbo:abstract "Two. Sentences."@en .',
        "ex:b a ex:T .",
        "ex:b a ex:NewClass .",
        "ex:NewClass a owl:Class .",
        "ex:T rdfs:subClassOf ex:NewClass .",
        'ex:T rdfs:label "tee"@en .',
        'ex:p rdfs:label "pee"@en .',
        "ex:p rdfs:subPropertyOf ex:new .",
    ],
)
def test_every_kind_of_statement_can_be_added_and_removed_again(more: str, both) -> None:
    _, b, path, alone, together = both(BASE, more)
    assert together != alone
    kgpath.add(path, [b])
    assert kgpath.remove(path, [b]).fingerprint == alone


@pytest.mark.slow
@given(lines=st.lists(st.sampled_from(sorted({*STATEMENTS["edge"], *STATEMENTS["label"]}))))
@example(lines=["ex:a ex:p ex:c ."])
def test_adding_twice_is_adding_once(lines: list[str], both) -> None:
    _, b, path, _, together = both(BASE, BASE + "\n".join(lines))
    kgpath.add(path, [b])
    assert kgpath.add(path, [b]).fingerprint == together


def test_removing_an_entity_takes_all_of_its_facts(build_graph, edges_of) -> None:
    kg = build_graph("ex:a ex:p ex:b . ex:b ex:p ex:c . ex:c ex:q ex:d . ex:b ex:q ex:a .")
    kgpath.remove(kg.path, entities=["ex:b"])
    with kgpath.open(kg.path) as after:
        assert edges_of(after) == {
            ("http://example.org/c", "http://example.org/q", "http://example.org/d")
        }
        assert len(after) == 2  # a has no edge left and is gone too


def test_an_unknown_entity_changes_nothing(film_path: Path, tmp_path: Path, source) -> None:
    path = tmp_path / "x.kg"
    kgpath.build([source("a.ttl", A)], path)
    before = path.read_bytes()
    with pytest.raises(UnknownEntity, match="No entity 'Nobody'"):
        kgpath.remove(path, entities=["Ay", "Nobody"])
    assert path.read_bytes() == before


def test_removing_everything_is_an_error_and_keeps_the_file(both) -> None:
    a, _, path, _, _ = both(A, B)
    before = path.read_bytes()
    with pytest.raises(BadSource) as caught:
        kgpath.remove(path, [a])
    assert path.read_bytes() == before
    # Nobody set a filter, so the advice must not be to loosen one.
    assert "filter" not in str(caught.value)


def test_removing_what_is_not_there_is_noted(both) -> None:
    _, b, path, alone, _ = both(A, B)
    built = kgpath.remove(path, [b])
    assert built.fingerprint == alone
    assert built.notes == ["None of the edges to remove was in the graph."]
    assert built.reports[0].left_out["not in the graph"] == 2


def test_a_bad_source_changes_nothing(both, source) -> None:
    _, _, path, _, _ = both(A, B)
    before = path.read_bytes()
    bad = source("bad.nt", b"no triples at all\n")
    for change in (kgpath.add, kgpath.remove):
        with pytest.raises(BadSource):
            change(path, [bad])
    assert path.read_bytes() == before
    assert not list(path.parent.glob(".*kgpath*"))


def test_an_open_reader_keeps_reading_the_old_content(both) -> None:
    _, b, path, alone, together = both(A, B)
    with kgpath.open(path) as reader:
        assert len(reader) == 2
        kgpath.add(path, [b])
        assert (len(reader), reader.fingerprint) == (2, alone)
        assert reader.find("Cee") == []
        assert reader.index.entities == 2  # its index was replaced; it makes its own
    assert fingerprint(path) == together


def test_the_index_follows_and_the_old_one_is_gone(both) -> None:
    _, b, path, _, together = both(A, B)
    kgpath.add(path, [b])
    folder = folder_beside(path, together)
    assert list(folder.parent.iterdir()) == [folder]
    with kgpath.open(path) as kg:
        assert Index.load(folder).equals(Index.from_store(kg.store.db))


def test_the_languages_of_the_build_hold_for_what_is_added(both) -> None:
    _, b, path, _, together = both(A, B + 'ex:c rdfs:label "Zeh"@de .', languages=("de",))
    assert kgpath.add(path, [b]).fingerprint == together


def test_relation_filters_hold_for_what_is_added_only(both, edges_of) -> None:
    _, b, path, _, _ = both(A, B)
    kgpath.add(path, [b], filters=kgpath.Filters(drop=("p",)))
    with kgpath.open(path) as kg:
        relations = sorted(r.rpartition("/")[2] for _, r, _ in edges_of(kg))
    assert relations == ["p", "q"]  # the old p stays, the new p does not come


def test_the_sources_tell_the_story(both) -> None:
    _, b, path, _, _ = both(A, B)
    kgpath.add(path, [b])
    kgpath.remove(path, entities=["zero"])
    with kgpath.open(path) as kg:
        story = [(s.name, s.action, s.format, s.edges) for s in kg.store.sources()]
    assert story == [
        ("a.ttl", "add", "ttl", 1),
        ("b.ttl", "add", "ttl", 2),
        ("http://example.org/0", "remove", "entity", 2),
    ]


def test_changing_what_is_no_graph_file_is_refused(source, tmp_path: Path) -> None:
    path = source("a.ttl", A)
    for change in (kgpath.add, kgpath.remove):
        with pytest.raises(BadStore, match="There is no graph file"):
            change(tmp_path / "none.kg", [path])
        with pytest.raises(BadStore, match="is not a graph file"):
            change(path, [path])
    assert [p.name for p in tmp_path.iterdir()] == ["a.ttl"]
