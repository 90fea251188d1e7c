"""Wikidata: the JSON dump, truthy N-Triples and a live endpoint give one and the same graph."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as some
from live_servers import Virtuoso

import kgpath
from kgpath.errors import BadSource
from kgpath.kg_build.report import Report
from kgpath.kg_build.sparql.source import live_source
from kgpath.kg_build.wikidata import dump as wikidata
from kgpath.kg_build.wikidata.entity import read_block

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
RDFS, SKOS = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2004/02/skos/core#"
SCHEMA = "http://schema.org/"


def claim(value: str | None, rank: str = "normal") -> dict[str, Any]:
    """A statement about an item, about a property, or that there is none."""
    if value is None:
        return {"mainsnak": {"snaktype": "novalue", "datatype": "wikibase-item"}, "rank": rank}
    kind = {"Q": "item", "P": "property"}.get(value[0])
    data = {"type": "string", "value": value}
    if kind:
        data = {"type": "wikibase-entityid", "value": {"entity-type": kind, "id": value}}
    return {"mainsnak": {"snaktype": "value", "datavalue": data}, "rank": rank}


def entity(
    name: str, texts: dict[str, str], claims: dict[str, list[dict]] | None = None,
    sitelinks: dict[str, str] | None = None, aliases: dict[str, list[str]] | None = None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "type": "item" if name.startswith("Q") else "property",
        "id": name,
        "labels": {lang: {"language": lang, "value": text} for lang, text in texts.items()},
        "descriptions": {"en": {"language": "en", "value": f"about {name}"}},
        "aliases": {
            lang: [{"language": lang, "value": one} for one in some_aliases]
            for lang, some_aliases in (aliases or {}).items()
        },
        "claims": claims or [],  # Wikidata writes an empty list for an empty object
        "sitelinks": {
            site: {"site": site, "title": title} for site, title in (sitelinks or {}).items()
        },
    }


ENTITIES = [
    entity(
        "Q4573", {"en": "Sean Connery", "de": "Sean Connery"},
        {"P31": [claim("Q5")], "P106": [claim("Q33999")], "P27": [claim("Q145")]},
        {"enwiki": "Sean Connery", "dewiki": "Sean Connery (Schauspieler)", "commonswiki": "Sean"},
        {"en": ["Sir Sean Connery", "Thomas Connery"], "en-gb": ["Big Tam"]},
    ),
    entity(
        "Q102754", {"en": "Dr. No"},
        {
            "P31": [claim("Q11424")],
            # only the preferred ones are truthy, and never deprecated ones
            "P161": [claim("Q4573", "preferred"), claim("Q33999"), claim("Q145", "deprecated")],
            "P57": [claim("Q40069", "deprecated"), claim("Q4573")],
            "P364": [claim("Q1860"), claim(None, "preferred")],
            "P345": [claim("tt0055928")],
            "P1687": [claim("P161")],
        },
        {"enwiki": "Dr. No (film)"},
    ),
    entity("Q5", {"en": "human"}, {"P279": [claim("Q215627")], "P31": [claim("Q16889133")]}),
    entity("Q11424", {"en": "film", "fr": "film"}, {"P279": [claim("Q11086742")]}),
    entity("Q33999", {"mul": "actor"}, {"P279": [claim("Q483501")], "P425": [claim("Q11424")]}),
    entity("Q145", {"en": "United Kingdom"}, {"P36": [claim("Q84")]}),
    entity("Q84", {"de": "London"}),
    entity("P161", {"en": "cast member"}, {"P1647": [claim("P3092")], "P31": [claim("Q22965078")]}),
    entity("P57", {"en": "director"}),
]  # fmt: skip

EDGES = {
    ("Q4573", "P106", "Q33999"), ("Q4573", "P27", "Q145"), ("Q102754", "P161", "Q4573"),
    ("Q102754", "P57", "Q4573"), ("Q33999", "P425", "Q11424"), ("Q145", "P36", "Q84"),
}  # fmt: skip


def dump(entities: list[dict]) -> bytes:
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in entities)
    return f"[\n{lines}\n]\n".encode()


def triples(entities: list[dict]) -> str:
    """The same as Wikidata writes it in truthy N-Triples."""
    lines = []
    for one in entities:
        me = f"<{WD}{one['id']}>"
        for lang, text in one["labels"].items():
            for predicate in (RDFS + "label", SKOS + "prefLabel", SCHEMA + "name"):
                lines.append(f'{me} <{predicate}> "{text["value"]}"@{lang} .')
        for lang, text in one["descriptions"].items():
            lines.append(f'{me} <{SCHEMA}description> "{text["value"]}"@{lang} .')
        for lang, texts in one["aliases"].items():
            lines += [f'{me} <{SKOS}altLabel> "{text["value"]}"@{lang} .' for text in texts]
        for relation, claims in dict(one["claims"] or {}).items():
            ranks = {claim["rank"] for claim in claims}
            best = "preferred" if "preferred" in ranks else "normal"
            for claim_ in claims:
                value = claim_["mainsnak"].get("datavalue")
                if claim_["rank"] == best and value:
                    written = (
                        f"<{WD}{value['value']['id']}>"
                        if isinstance(value["value"], dict)
                        else f'"{value["value"]}"'
                    )
                    lines.append(f"{me} <{WDT}{relation}> {written} .")
        for site, link in one["sitelinks"].items():
            language = site.removesuffix("wiki")
            host = f"{language}.wikimedia" if language == "commons" else f"{language}.wikipedia"
            page = f"<https://{host}.org/wiki/{quote(link['title'].replace(' ', '_'))}>"
            lines.append(f"{page} <{SCHEMA}about> {me} .")
            lines.append(f'{page} <{SCHEMA}name> "{link["title"]}"@{language} .')
    return "\n".join(lines) + "\n"


@pytest.fixture
def json_graph(tmp_path: Path) -> Path:
    (tmp_path / "dump.json").write_bytes(dump(ENTITIES))
    kgpath.build([tmp_path / "dump.json"], tmp_path / "json.kg")
    return tmp_path / "json.kg"


def test_the_dump_gives_truthy_edges_names_types_and_ontology(json_graph: Path) -> None:
    with kgpath.open(json_graph) as kg:
        found = {(h, r, t) for h, t, r in kg.to_networkx().edges(keys=True)}
        assert found == {(WD + h, WDT + r, WD + t) for h, r, t in EDGES}
        names = set(kg.store.db.execute("SELECT text, lang, name.label FROM name"))
        assert ("Sean Connery", "en", 1) in names
        assert ("Sir Sean Connery", "en", 0) in names
        assert ("Big Tam", "en-gb", 0) in names
        assert ("Dr. No (film)", "en", 3) in names  # its article
        assert ("actor", "", 1) in names  # mul: for every language
        assert ("Q84", "", 2) in names  # it has a German name only
        assert not any("Schauspieler" in name[0] for name in names)
        parents = set(
            kg.store.db.execute(
                "SELECT a.iri, b.iri FROM class_parent"
                " JOIN class AS a ON child = a.id JOIN class AS b ON parent = b.id"
            )
        )
        assert (WD + "Q5", WD + "Q215627") in parents
        relations = dict(kg.store.db.execute("SELECT iri, label FROM relation"))
        assert relations[WDT + "P161"] == "cast member"
        assert relations[WDT + "P3092"] == "P3092"
        assert kg.entity("Sean Connery").description == "about Q4573"
        assert kg.store.one("SELECT count(*) FROM entity_type")[0] == 2


def test_truthy_triples_give_the_same_graph(
    json_graph: Path, tmp_path: Path, same_graph: Callable[[Path, Path], None]
) -> None:
    (tmp_path / "truthy.nt").write_text(triples(ENTITIES), encoding="utf-8")
    kgpath.build([tmp_path / "truthy.nt"], tmp_path / "nt.kg", format="wikidata-nt")
    same_graph(tmp_path / "nt.kg", json_graph)


def test_a_live_endpoint_gives_the_same_graph(
    virtuoso_server: Virtuoso, tmp_path: Path, same_graph: Callable[[Path, Path], None]
) -> None:
    (tmp_path / "truthy.nt").write_text(triples(ENTITIES), encoding="utf-8")
    virtuoso_server.load("http://test/wikidata", [tmp_path / "truthy.nt"])
    for number, (types, languages) in enumerate(
        [(("wd:Q11424", "wd:Q5"), ("en",)), (("wd:Q215627", "wd:Q11086742"), ("de", "en"))]
    ):
        filters = kgpath.Filters(types=types, languages=languages)
        live = live_source(virtuoso_server.url, "wikidata", graphs=["http://test/wikidata"])
        one, other = tmp_path / f"live{number}.kg", tmp_path / f"files{number}.kg"
        kgpath.build((), one, filters=filters, live=live)
        (tmp_path / "dump.json").write_bytes(dump(ENTITIES))
        kgpath.build([tmp_path / "dump.json"], other, filters=filters)
        with kgpath.open(one) as first, kgpath.open(other) as second:
            assert len(first) == len(second) == 2
            for table in ("entity", "name", "edge", "relation", "passage"):
                query = f"SELECT * FROM {table} ORDER BY 1, 2, 3"
                got, wanted = (list(kg.store.db.execute(query)) for kg in (first, second))
                assert got == wanted, table


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress])
def test_dumps_come_packed_and_without_brackets_too(
    packed: Callable[[bytes], bytes], json_graph: Path, tmp_path: Path, cli: Callable
) -> None:
    name = "all.json." + packed.__module__.replace("gzip", "gz").replace("bz2", "bz2")
    (tmp_path / name).write_bytes(packed(dump(ENTITIES)))
    built = kgpath.build([tmp_path / name], tmp_path / "packed.kg")
    lines = "\n".join(map(json.dumps, ENTITIES)).encode()
    piped = cli("build", "-", "-o", "piped.kg", "--json", stdin=lines)
    with kgpath.open(json_graph) as kg:
        assert built.fingerprint == kg.fingerprint
        assert json.loads(piped.out)["fingerprint"] == kg.fingerprint


def test_articles_find_their_item_by_the_title_of_its_page(
    json_graph: Path, tmp_path: Path
) -> None:
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"title": "Dr. No (film)", "text": "A spy film of 1962."}\n')
    kgpath.kg_build.build.add(json_graph, articles=[texts])
    with kgpath.open(json_graph) as kg:
        found = kg.store.one("SELECT iri FROM passage JOIN entity ON entity = entity.id"
                             " WHERE text = 'A spy film of 1962.'")  # fmt: skip
        assert found == (WD + "Q102754",)


def test_bad_lines_cost_only_themselves(tmp_path: Path) -> None:
    good = dump(ENTITIES).decode().splitlines()
    bad = [
        good[1][: len(good[1]) // 2],  # cut off
        '{"id": "Q1"',
        "[1, 2]",
        '{"labels": {}},',
        '{"id": "Q1", "labels": {"en": {"language": "en"}}},',
        '{"id": "Q1", "labels": {"en": {"language": "en", "value": 7}}},',
        '{"id": "Q1", "claims": {"P1": [{"mainsnak": {}}]}},',
        '{"id": 12},',
        '{"id": "Q1", "labels": {"en": {"language": "en", "value": "\\ud800"}}},',
    ]
    (tmp_path / "bad.json").write_text("\n".join([good[0], *bad, *good[1:]]), encoding="utf-8")
    (tmp_path / "good.json").write_bytes(dump(ENTITIES))
    built = kgpath.build([tmp_path / "bad.json"], tmp_path / "bad.kg")
    clean = kgpath.build([tmp_path / "good.json"], tmp_path / "good.kg")
    assert built.fingerprint == clean.fingerprint
    assert built.malformed == len(bad)
    assert "bad.json:2: not whole JSON" in built.reports[0].examples[0]
    with pytest.raises(BadSource, match=r"(?s)bad\.json:2: not whole JSON.*--strict"):
        kgpath.build([tmp_path / "bad.json"], tmp_path / "no.kg", strict=True)


def test_an_entity_of_five_megabytes_is_read(tmp_path: Path) -> None:
    texts = {f"x{n}": "y" * 1000 for n in range(5000)}
    large = entity("Q9", {"en": "large", **texts}, {"P27": [claim("Q145")]})
    (tmp_path / "large.json").write_bytes(dump([*ENTITIES, large]))
    assert (tmp_path / "large.json").stat().st_size > 5_000_000
    built = kgpath.build([tmp_path / "large.json"], tmp_path / "large.kg")
    assert built.malformed == 0
    with kgpath.open(tmp_path / "large.kg") as kg:
        assert kg.entity("large").iri == WD + "Q9"


def test_a_line_without_end_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wikidata, "_BLOCK", 1000)
    monkeypatch.setattr(wikidata, "_LONGEST", 3000)
    large = entity("Q9", {"en": "x" * 9000}, {"P27": [claim("Q145")]})
    (tmp_path / "large.json").write_bytes(dump([large, *ENTITIES]))
    report = Report("large.json")
    with (tmp_path / "large.json").open("rb") as stream:
        found = list(wikidata.read_wikidata(stream, report))
    assert report.malformed == 1
    assert report.statements == len(ENTITIES)
    assert found


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_processes_gives_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(wikidata, "_BLOCK", 700)
    monkeypatch.setattr(wikidata.os, "sched_getaffinity", lambda pid: range(workers))
    (tmp_path / "dump.json").write_bytes(dump(ENTITIES) + b'{"broken\n')
    report = Report("dump.json", languages=("en",))
    with (tmp_path / "dump.json").open("rb") as stream:
        found = list(wikidata.read_wikidata(stream, report))
    whole = read_block(dump(ENTITIES), 1, ("en",))
    assert found == whole.statements
    assert (report.statements, report.malformed) == (len(ENTITIES), 1)
    assert report.left_out == whole.left_out
    assert f"dump.json:{len(ENTITIES) + 3}" in report.examples[0]


_KEYS = (
    "id labels aliases claims sitelinks en value rank mainsnak snaktype datavalue type P1 enwiki "
    "title"
).split()
_ANY = some.recursive(
    some.none() | some.integers() | some.text(max_size=3) | some.sampled_from(["Q1", "normal"]),
    lambda inner: (
        some.lists(inner, max_size=2)
        | some.dictionaries(some.sampled_from(_KEYS), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(_ANY)
def test_no_json_however_strange_is_an_accident(data: object) -> None:
    found = read_block(json.dumps(data).encode(), 1, ())
    for statement in found.statements:
        assert list(map(type, statement)) == [int, str, str, str]
