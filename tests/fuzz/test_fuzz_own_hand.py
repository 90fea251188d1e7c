"""Nothing is lost by our own hand: each way that once destroyed something of the user's."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from fuzz import seeds

Cli = Callable[..., SimpleNamespace]

FILES = {
    "facts.nt": seeds.NTRIPLES.encode(), "pairs.tsv": seeds.PAIRS.encode(),
    "texts.jsonl": seeds.TEXTS.encode(),
    "gold.json": seeds.DIALOGUES["gold"], "r.toml": seeds.RECIPE.encode(), **seeds.TASKS,
}  # fmt: skip
#: Commands whose output is one of their inputs.
ONTO_THEMSELVES = (
    "export film.kg --format nt -o film.kg",
    "export film.kg --format tsv -o film.kg",
    "evaluate film.kg queries.jsonl --ranker shortest -o film.kg",
    "evaluate film.kg queries.jsonl --ranker shortest -o queries.jsonl",
    "paths film.kg --pairs pairs.tsv -o film.kg",
    "paths film.kg --pairs pairs.tsv -o pairs.tsv",
    "query film.kg --texts texts.jsonl -o texts.jsonl",
    "query film.kg --texts texts.jsonl --pairs pairs.tsv -o pairs.tsv",
    "build facts.nt -o facts.nt",
    "convert cpr queries.jsonl -o queries.jsonl",
    "train film.kg queries.jsonl -o film.kg --ranker score-ltr(trees=2) --limit 5",
    "generate r.toml --graph film.kg -o film.kg --workers 1",
    "dialogue convert gold.json -o gold.json",
    "dialogue train gold.json -o gold.json",
    "dialogue evaluate dialogues.jsonl --selector bm25 -o dialogues.jsonl",
    "annotate agree answers.jsonl --tasks one-hop.jsonl -o one-hop.jsonl",
    "annotate agree answers.jsonl --tasks one-hop.jsonl -o answers.jsonl",
)


@pytest.fixture
def folder(tmp_path: Path, sample_path: Path, root: Path) -> Path:
    """A user's folder, with an input of each kind."""
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    shutil.copy(sample_path, tmp_path / "film.kg")
    shutil.copytree(f"{sample_path}.index", tmp_path / "film.kg.index")
    sample = root / "datasets" / "sample"
    shutil.copy(sample / "dialogues.jsonl", tmp_path / "dialogues.jsonl")
    shutil.copy(sample / "documents.jsonl", tmp_path / "queries.jsonl")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".index" not in str(path)
    }


@pytest.mark.parametrize("by", ["name", "symlink", "hard link"])
@pytest.mark.parametrize("line", ONTO_THEMSELVES)
def test_an_output_that_is_an_input_is_refused(folder: Path, cli: Cli, line: str, by: str) -> None:
    argv = line.split()
    place = argv.index("-o") + 1
    if by != "name":
        # Of the same ending: some formats go by it.
        link = folder / f"link{Path(argv[place]).suffix}"
        target = folder / argv[place]
        link.symlink_to(target) if by == "symlink" else link.hardlink_to(target)
        argv[place] = link.name
    before = contents(folder)
    done = cli(*argv)
    assert (done.code, contents(folder)) == (1, before)
    assert done.err.startswith("kgpath: ")


def test_a_folder_with_any_model_json_is_not_replaced(folder: Path, cli: Cli) -> None:
    mine = folder / "mine"
    mine.mkdir()
    (mine / "model.json").write_text('{"files": {}}')
    (mine / "thesis.txt").write_text("years of work")
    before = contents(folder)
    done = cli("train", "film.kg", "queries.jsonl", "-o", "mine", "--ranker", "score-ltr(trees=2)")
    assert (done.code, contents(folder)) == (1, before)


@pytest.mark.parametrize("name", ["out.kg.building", ".out.kg.building", "out.kg.lock"])
def test_a_symlink_that_lies_in_wait_is_not_followed(folder: Path, cli: Cli, name: str) -> None:
    (folder / "precious.txt").write_text("years of work")
    (folder / name).symlink_to("precious.txt")
    cli("build", "facts.nt", "-o", "out.kg")
    assert (folder / "precious.txt").read_text() == "years of work"


def test_a_changed_graph_keeps_its_mode_and_its_symlink(folder: Path, cli: Cli) -> None:
    (folder / "film.kg").chmod(0o640)
    (folder / "link.kg").symlink_to("film.kg")
    (folder / "more.nt").write_text("<x:a> <x:knows> <x:b> .\n")
    before = (folder / "film.kg").read_bytes()
    assert cli("add", "link.kg", "more.nt").code == 0
    assert os.readlink(folder / "link.kg") == "film.kg"
    assert (folder / "film.kg").read_bytes() != before
    assert (folder / "film.kg").stat().st_mode & 0o777 == 0o640


def test_a_model_behind_a_symlink_is_replaced_there(folder: Path, cli: Cli) -> None:
    train = ("train", "film.kg", "queries.jsonl", "--limit", "5", "--ranker")
    assert cli(*train, "score-ltr(trees=2)", "-o", "m").code == 0
    (folder / "link").symlink_to("m")
    assert cli(*train, "score-ltr(trees=3)", "-o", "link").code == 0
    assert os.readlink(folder / "link") == "m"
    assert "trees=3" in (folder / "m" / "model.json").read_text()


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
@pytest.mark.parametrize("json", [(), ("--json",)])
def test_any_encoding_of_stdout_will_do(
    folder: Path, cli: Cli, command: list[str], encoding: str, json: tuple[str, ...]
) -> None:
    (folder / "b.ttl").write_text(
        '<x:a> <x:b> <x:c> ; <http://www.w3.org/2000/01/rdf-schema#label> "Beyoncé → Ж 𝄞" .',
        encoding="utf-8",
    )
    assert cli("build", "b.ttl", "-o", "b.kg").code == 0
    done = subprocess.run(
        [*command, "show", "b.kg", "x:a", *json],
        cwd=folder, capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    assert "Beyonc" in done.stdout.decode(encoding)


@pytest.mark.parametrize("argv", [("info", "film.kg"), ("find", "film.kg", "stone")])
def test_little_memory_ends_with_a_sentence_or_an_answer(
    folder: Path, command: list[str], argv: tuple[str, ...]
) -> None:
    done = subprocess.run(
        ["bash", "-c", 'ulimit -v 300000; exec "$@"', "kgpath", *command, *argv],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 0 or "kgpath: " in done.stderr
