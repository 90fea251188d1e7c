"""CoDEx: each of its files is known by what is in it; a folder of them is a graph with texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import kgpath
from kgpath.errors import BadSource

WD = "http://www.wikidata.org/entity/"
FILES = {
    "train.txt": "Q1\tP27\tQ30\nQ2\tP27\tQ30\n",
    "valid.txt": "Q1\tP737\tQ2\n",
    "relations.json": json.dumps({"P27": {"label": "citizen of", "description": "a country"}}),
    "types.json": json.dumps({"Q5": {"label": "human", "description": ""}}),
    "entity2types.json": json.dumps({"Q1": ["Q5"], "Q2": ["Q5"]}),
    "entity_text.tsv": (
        "id\tqid\tname\tent_type\tdescription\textract\n"
        "0\tQ1\tAda\thuman\tEnglish writer\t"
        '"Ada wrote ""notes"" in London.They were read.  Later too."\n'
        "1\tQ2\tBob\thuman\t\tBob was born in the U.S. in 1900.\n"
        "2\tQ30\tUSA\tcountry\tcountry in America\t\n"
    ),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "codex"
    place.mkdir()
    for name, text in FILES.items():
        (place / name).write_text(text, encoding="utf-8")
    (place / ".hidden").write_text("no")
    return place


def test_a_folder_becomes_a_graph_with_names_types_and_texts(folder: Path, tmp_path: Path) -> None:
    built = kgpath.build([folder], tmp_path / "c.kg", format="codex")
    assert (built.entities, built.edges, built.relations, built.malformed) == (3, 3, 2, 0)
    with kgpath.open(tmp_path / "c.kg") as kg:
        ada = kg.entity("Ada")
        assert (ada.iri, ada.description) == (WD + "Q1", "English writer")
        assert [c.label for c in kg.types("Ada")] == ["human"]
        assert kg.text("Ada") == 'Ada wrote "notes" in London.\nThey were read.\nLater too.'
        assert kg.text("Bob") == "Bob was born in the U.S. in 1900."
        assert kg.entity("Bob").description == "Bob was born in the U.S. in 1900."
        assert kg.relation("citizen of").iri == "http://www.wikidata.org/prop/direct/P27"
        paths = [str(path) for path in kg.paths("Ada", "Bob", max_hops=2)]
        assert paths == ["Ada –P737→ Bob", "Ada –citizen of→ USA ←citizen of– Bob"]
        best = kg.query("Ada", "Bob", context="Ada and Bob are both citizens of the USA.")[0]
        assert str(best.path) == paths[1]


def test_files_can_be_added_and_taken_out_again(folder: Path, tmp_path: Path) -> None:
    names = ("entity_text.tsv", "train.txt")
    files = [folder / name for name in FILES if name not in names]
    path = tmp_path / "c.kg"
    alone = kgpath.build([folder / "train.txt", *files], path, format="codex").fingerprint
    whole = kgpath.build([folder], tmp_path / "whole.kg", format="codex").fingerprint
    kgpath.add(path, [folder / "entity_text.tsv"], format="codex")
    with kgpath.open(path) as kg:
        assert kg.fingerprint == whole
    kgpath.remove(path, [folder / "entity_text.tsv"], format="codex")
    with kgpath.open(path) as kg:
        assert kg.fingerprint == alone


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("train.txt", "Q1\tQ2\n", "not of the form Q1, P2, Q3"),
        ("train.txt", "Q1\tQ27\tQ2\n", "not of the form Q1, P2, Q3"),
        ("types.json", '{"x": {"label": "y"}}', "not the name of an entity"),
        ("types.json", '{"Q1": 3}', "neither types nor a label"),
        ("entity2types.json", '{"Q1": ["human"]}', "a type of Q1"),
        ("entity_text.tsv", "qid\tname\nAda\tAda\n", "a row without a qid"),
        ("entity_text.tsv", "qid\tname\nQ1\tAda\tmore\n", "too many cells"),
    ],
)
def test_what_cannot_be_read_is_counted_and_shown(
    folder: Path, tmp_path: Path, name: str, text: str, words: str
) -> None:
    good = {"train.txt": FILES["train.txt"], "types.json": '{"Q9": {"label": "z"}}',
            "entity2types.json": '{"Q2": ["Q5"]}', "entity_text.tsv": "Q2\tBob\n"}  # fmt: skip
    bad = text[:-1] + ", " + good[name][1:] if name.endswith("json") else text + good[name]
    (folder / name).write_text(bad, encoding="utf-8")
    built = kgpath.build([folder], tmp_path / "c.kg", format="codex")
    (report,) = [report for report in built.reports if report.malformed]
    assert (report.name, report.malformed) == (name, 1)
    assert words in report.examples[0]


def test_broken_json_stops_the_build(folder: Path, tmp_path: Path) -> None:
    (folder / "types.json").write_text('{"Q5": ')
    with pytest.raises(BadSource, match=r"types\.json is not whole JSON"):
        kgpath.build([folder], tmp_path / "c.kg", format="codex")


def test_a_folder_without_a_format_is_refused_with_the_way_out(
    folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadSource, match="say with --format"):
        kgpath.build([folder], tmp_path / "c.kg")


def test_the_real_release_is_read_whole(real_data: Path, tmp_path: Path) -> None:
    built = kgpath.build([real_data / "wikidata-codex-s"], tmp_path / "c.kg", format="codex")
    assert (built.entities, built.edges, built.malformed) == (2034, 36543, 0)
    with kgpath.open(tmp_path / "c.kg") as kg:
        (texts,) = kg.store.one("SELECT count(DISTINCT entity) FROM passage WHERE kind = 12")
        assert texts == 1984
