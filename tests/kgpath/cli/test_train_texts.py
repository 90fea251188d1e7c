"""kgpath train --texts and --from: what is printed and written, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shops import FOUNDING, built, person, preference, question, said, shop, texts

import kgpath


@pytest.fixture
def shops(tmp_path: Path) -> Path:
    """A graph, a file of texts and one of questions in the folder of the test."""
    lines = [json.dumps({"id": one.id, "text": one.text}) for one in texts()]
    (tmp_path / "texts.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    own = [question(n, "took up", "owner_of") for n in range(30)]
    (tmp_path / "own.jsonl").write_text(
        "".join(
            json.dumps(
                {"document": q.document, "head": q.head, "tail": q.tail, "path": [*q.paths[0]]}
            )
            + "\n"
            for q in own
        )
    )
    return built(tmp_path)


def test_texts_teach_and_what_they_were_answered_can_be_read(
    cli, shops: Path, tmp_path: Path
) -> None:
    done = cli("train", shops, "--texts", "texts.jsonl", "-o", "m", "--answered", "a.jsonl")
    assert done.code == 0, done.err
    assert done.out.startswith("m: kgpath-general, from 96 of 96 questions that 96 texts ask in ")
    assert "a.jsonl written" in done.err
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert len(lines) == 96 and lines[0].keys() == {"id", "document", "head", "tail", "path"}
    asked = ("query", shops, person(0), shop(0), "--model", "m", "-k", "1")
    done = cli(*asked, "--text", said(0, FOUNDING), "--explain")
    assert "learned words" in done.out
    # What was answered is a file of questions as any other.
    done = cli("evaluate", shops, "a.jsonl", "--model", "m", "--metric", "MRR")
    assert done.code == 0 and "1.0000" in done.out


def test_a_folder_with_broken_texts_is_learned_from_all_the_same(
    cli, shops: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "news"
    folder.mkdir()
    for one in texts():
        (folder / f"{one.id}.txt").write_text(one.text, encoding="utf-8")
    (folder / "empty.txt").write_text(" ")
    (folder / "latin.txt").write_bytes("Caf\u00e9".encode("latin-1"))
    done = cli("train", shops, "--texts", "news", "-o", "m", "--json")
    assert done.code == 0, done.err
    data = json.loads(done.out)
    assert data["notes"] == ["empty.txt: it is empty", "latin.txt is not utf-8 text (byte 3)"]
    assert (data["answered"], data["report"]["texts"]["texts"]) == (96, 96)


def test_a_model_is_gone_on_from_with_own_questions(
    cli, shops: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("train", shops, "--texts", "texts.jsonl", "-o", "m").code == 0
    done = cli("train", shops, "own.jsonl", "--from", "m", "-o", "n")
    assert done.code == 0, done.err
    assert done.out.startswith("n: kgpath-general")
    with kgpath.open(shops) as kg:
        ranked = [preference(kg, "took up", kgpath.load_model(m, kg), 40) for m in ("m", "n")]
    assert ranked[1] < ranked[0] - 0.03


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "There is nothing to learn from: give queries with answers, or texts."),
        (("--texts", "none"), "There is no file none."),
        (("--texts", "hollow"), "hollow holds no text."),
        (("--texts", "foreign"), "None of the texts surely tell how two entities of the graph"),
        (("own.jsonl", "--answered", "a.jsonl"), "--answered writes what texts were answered"),
        (("own.jsonl", "--from", "nowhere"), "nowhere is not a model."),
        (("own.jsonl", "--teacher", "shortest"), "A teacher answers texts: give texts, too."),
    ],
)
def test_what_cannot_be_learned_from_is_one_message(
    cli, shops: Path, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "hollow").mkdir()
    (tmp_path / "foreign").mkdir()
    for number in range(9):
        (tmp_path / "foreign" / f"{number}.txt").write_text("It rained in Rome.")
    done = cli("train", shops, *arguments, "-o", "m")
    assert (done.code, done.out) == (1, "")
    assert message in " ".join(done.err.split()) and "Traceback" not in done.err
    assert not (tmp_path / "m").exists() and not (tmp_path / "a.jsonl").exists()


def test_a_model_that_is_read_is_not_written_over(cli, shops: Path, tmp_path: Path) -> None:
    assert cli("train", shops, "--texts", "texts.jsonl", "-o", "m").code == 0
    before = (tmp_path / "m" / "words.json").read_bytes()
    done = cli("train", shops, "own.jsonl", "--from", "m", "-o", "m")
    assert done.code == 1 and "Choose another -o" in done.err
    assert (tmp_path / "m" / "words.json").read_bytes() == before
    done = cli("train", shops, "--texts", "texts.jsonl", "-o", "n", "--answered", "texts.jsonl")
    assert done.code == 1 and "Choose another --answered" in done.err


def test_a_model_of_words_needs_its_counts(cli, shops: Path, tmp_path: Path) -> None:
    assert cli("train", shops, "--texts", "texts.jsonl", "-o", "m").code == 0
    (tmp_path / "m" / "words.json").write_text("{}")
    with kgpath.open(shops) as kg, pytest.raises(kgpath.errors.BadStore):
        kgpath.load_model(tmp_path / "m", kg)
