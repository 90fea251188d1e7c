"""The same statements give the same graph, whatever order they come in."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgpath

EX = "http://example.org/"
NAMES = "abcd"
TEXTS = st.sampled_from(["Ann", "ann", "Äon", "B.", "One. Two.", "Zed", ""])
LANGUAGES = st.sampled_from(["", "@en", "@de", "@en-GB"])


def iri(name: str) -> str:
    return f"<{EX}{name}>"


def literal_lines(predicate: str) -> st.SearchStrategy[str]:
    return st.builds(
        lambda s, text, tag: f'{iri(s)} <{predicate}> "{text}"{tag} .',
        st.sampled_from([*NAMES, "p", "T"]), TEXTS, LANGUAGES,
    )  # fmt: skip


W3 = "http://www.w3.org"
EDGE_LINES = st.builds(
    lambda s, p, o: f"{iri(s)} {iri(p)} {iri(o)} .",
    st.sampled_from(NAMES), st.sampled_from("pq"), st.sampled_from(NAMES),
)  # fmt: skip
NAME_LINES = literal_lines(f"{W3}/2000/01/rdf-schema#label") | literal_lines(
    f"{W3}/2004/02/skos/core#altLabel"
)
TEXT_LINES = literal_lines(f"{W3}/2000/01/rdf-schema#comment") | literal_lines(
    "http://dbpedia.org/ontology/abstract"
)
TYPE_LINES = st.builds(
    lambda s, t: f"{iri(s)} <{W3}/1999/02/22-rdf-syntax-ns#type> {iri(t)} .",
    st.sampled_from(NAMES), st.sampled_from(["T", "U"]),
)  # fmt: skip
SCHEMA_LINES = st.builds(
    lambda s, p, o: f"{iri(s)} <{W3}/2000/01/rdf-schema#sub{p}Of> {iri(o)} .",
    st.sampled_from(["T", "U", "p", "q"]),
    st.sampled_from(["Class", "Property"]),
    st.sampled_from(["T", "V", "p", "r"]),
)
LINES = EDGE_LINES | NAME_LINES | TEXT_LINES | TYPE_LINES | SCHEMA_LINES
ONE_EDGE = f"{iri('a')} {iri('p')} {iri('b')} ."


def written(folder: Path, name: str, lines: list[str]) -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@given(lines=st.lists(LINES, max_size=25), seed=st.integers(0, 2**16), languages=st.sampled_from(
    [("en",), ("de", "en"), ()]
))  # fmt: skip
def test_ids_and_fingerprint_do_not_depend_on_order(
    lines: list[str], seed: int, languages: tuple[str, ...], tmp_path: Path
) -> None:
    lines = [ONE_EDGE, *lines]
    filters = kgpath.Filters(languages=languages)
    whole = written(tmp_path, "whole.nt", lines)
    first = kgpath.build([whole], tmp_path / "one.kg", filters=filters)
    mixed = random.Random(seed).sample(lines, len(lines))
    half = 1 + seed % len(lines)
    parts = [written(tmp_path, "x.nt", mixed[:half])]
    if mixed[half:]:
        parts.insert(seed % 2, written(tmp_path, "y.nt", mixed[half:]))
    second = kgpath.build(parts, tmp_path / "two.kg", filters=filters)
    assert second.fingerprint == first.fingerprint
    with kgpath.open(tmp_path / "one.kg") as one, kgpath.open(tmp_path / "two.kg") as two:
        for query in ("SELECT * FROM entity", "SELECT * FROM name", "SELECT * FROM edge"):
            assert one.store.db.execute(query).fetchall() == two.store.db.execute(query).fetchall()


@given(lines=st.lists(EDGE_LINES, max_size=15))
def test_the_fingerprint_changes_with_the_facts(lines: list[str], tmp_path: Path) -> None:
    # Else the test above would hold for a constant.
    edges = [ONE_EDGE, *lines]
    more = f"{iri('a')} {iri('p')} {iri('new')} ."
    one = kgpath.build([written(tmp_path, "x.nt", edges)], tmp_path / "one.kg")
    two = kgpath.build([written(tmp_path, "x.nt", [*edges, more])], tmp_path / "two.kg")
    assert one.fingerprint != two.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        'ex:a rdfs:label "Other"@en .',
        'ex:a skos:altLabel "Ay"@en .',
        'ex:a rdfs:comment "Text."@en .',
        "ex:a a ex:T .",
        "ex:T rdfs:subClassOf ex:U .",
        "ex:p rdfs:subPropertyOf ex:q .",
        'ex:p rdfs:label "Pee"@en .',
        "ex:b ex:p ex:a .",
    ],
)
def test_every_kind_of_statement_changes_the_fingerprint(change: str, build_graph) -> None:
    before = build_graph("ex:a ex:p ex:b .")
    after = build_graph(f"ex:a ex:p ex:b . {change}", output="after.kg")
    assert before.fingerprint != after.fingerprint


def test_where_and_when_it_was_built_does_not_change_the_fingerprint(
    film: kgpath.Graph, film_turtle: str, tmp_path: Path
) -> None:
    path = tmp_path / "other-name.data"
    path.write_text("# a comment\n" + film_turtle, encoding="utf-8")
    built = kgpath.build([path], tmp_path / "other.kg", format="ttl")
    assert built.fingerprint == film.fingerprint
