"""Every command that writes: on a full disk, in a read-only place, through links, one at a time."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kgpath
from kgpath.datasets.sample_files import sample_dialogues, sample_queries

Cli = Callable[..., Any]

RECIPE = "documents = 4\npairs = 4\n"
TURNS = [
    {"id": "d", "turns": [
        {"query": "Which animals hunt mice?", "candidates": [["Cat", "A cat hunts mice."]],
         "label": 0, "gold": "A cat hunts mice.", "grounded": True},
        {"query": "Hi!", "candidates": [["Cat", "A cat hunts mice."]], "grounded": False},
    ]}
]  # fmt: skip
TASK = {
    "id": "t1", "choices": ["yes", "no"], "document": "A met B.", "document_id": "1",
    "head": {"iri": "http://x/a", "places": [[0, 1]]},
    "tail": {"iri": "http://x/b", "places": [[6, 7]]},
    "path": ["http://x/a", "http://x/met", "http://x/b"],
}  # fmt: skip

#: What writes a file, by what it writes; OUT is the output.
FILES = {
    "build x.nt -o OUT": "x.kg",
    "demo -o OUT": "demo.kg",
    "export film.kg -o OUT": "x.nt",
    "export film.kg --format graphml -o OUT": "x.graphml.gz",
    "paths film.kg --pairs pairs.tsv -o OUT": "paths.jsonl",
    "query film.kg --texts texts.jsonl --workers 1 -o OUT": "answered.jsonl",
    "evaluate film.kg queries.jsonl --ranker shortest --limit 5 -o OUT": "runs.jsonl",
    "annotate agree answers.jsonl --tasks tasks.jsonl -o OUT": "accepted.jsonl",
    "dialogue convert dialogues.jsonl -o OUT": "own.jsonl",
    "dialogue train turns.json -o OUT": "need.json",
    "dialogue evaluate dialogues.jsonl --selector bm25 -o OUT": "turns.jsonl",
    "describe queries.jsonl --picture OUT": "lengths.png",
    "train film.kg --texts queries.jsonl --limit 5 -o m --answered OUT": "asked.jsonl",
}
TINY = "kgpath-ltr(trees=2,hop_trees=2)"
FOLDERS = {
    f"train film.kg queries.jsonl --ranker {TINY} --limit 5 -o OUT": "model",
    "train film.kg --texts queries.jsonl --limit 5 -o OUT": "learned",
    "generate small.toml --graph film.kg --workers 1 -o OUT": "data",
    "reproduce wikipath-t5 dialogues.jsonl -o OUT": "tables",
}
ALL = {**FILES, **FOLDERS}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory, sample_path: Path) -> Path:
    """What all of them read; to be read only."""
    folder = tmp_path_factory.mktemp("inputs")
    shutil.copy(sample_path, folder / "film.kg")
    shutil.copytree(f"{sample_path}.index", folder / "film.kg.index")
    shutil.copy(sample_queries(), folder / "queries.jsonl")
    shutil.copy(sample_dialogues(), folder / "dialogues.jsonl")
    (folder / "x.nt").write_text(
        "".join(f"<http://x/{n}> <http://x/p> <http://x/{n + 1}> .\n" for n in range(2000))
    )
    (folder / "pairs.tsv").write_text("Emma Stone\tAndrew Garfield\n" * 3)
    (folder / "texts.jsonl").write_text('{"text": "Emma Stone was in La La Land."}\n' * 3)
    (folder / "small.toml").write_text(RECIPE)
    (folder / "turns.json").write_text("\n".join(map(json.dumps, TURNS * 6)))
    (folder / "tasks.jsonl").write_text(json.dumps(TASK))
    (folder / "answers.jsonl").write_text(
        "".join(
            json.dumps({"task": "t1", "annotator": name, "answer": "yes"}) + "\n" for name in "abc"
        )
    )
    return folder


def run(cli: Cli, inputs: Path, line: str, output: Path) -> Any:
    return cli(*(output if word == "OUT" else word for word in line.split()), cwd=inputs)


def listing(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def old(line: str, inputs: Path, output: Path) -> None:
    """What was written there before."""
    if " OUT" in line and line in FOLDERS:
        return
    if output.suffix == ".kg":
        shutil.copy(inputs / "film.kg", output)
    else:
        output.write_text("old\n")


@pytest.mark.parametrize(("line", "name"), ALL.items(), ids=[line[:18] for line in ALL])
def test_all_of_them_write_where_there_is_room(
    cli: Cli, inputs: Path, tmp_path: Path, line: str, name: str
) -> None:
    done = run(cli, inputs, line, tmp_path / name)
    assert done.code == 0, done.err
    assert (tmp_path / name).exists()
    assert [path for path in tmp_path.rglob(".*")] == []


@pytest.mark.parametrize(("line", "name"), ALL.items(), ids=[line[:18] for line in ALL])
def test_a_full_disk_leaves_what_was_there(
    cli: Cli, inputs: Path, small_disk: Callable[..., Path], line: str, name: str
) -> None:
    disk = small_disk("disk", "size=2m")
    old(line, inputs, disk / name)
    with (disk / "filler").open("wb", buffering=0) as filler, pytest.raises(OSError):
        while True:
            filler.write(bytes(4096))
    before = listing(disk)
    done = run(cli, inputs, line, disk / name)
    assert done.code == 1
    last = done.err.splitlines()[-1]
    assert last.startswith("kgpath: No space left while writing "), done.err
    after = listing(disk)
    if line.startswith("generate"):  # parts may be left to go on from
        after = {name: data for name, data in after.items() if ".part" not in name}
    if line.startswith("reproduce"):  # its empty folder
        after.pop("tables", None)
    assert after == before


@pytest.mark.parametrize(("line", "name"), ALL.items(), ids=[line[:18] for line in ALL])
def test_a_read_only_place_is_one_sentence(
    cli: Cli, inputs: Path, small_disk: Callable[..., Path], line: str, name: str
) -> None:
    disk = small_disk("disk", "size=1m,ro")
    done = run(cli, inputs, line, disk / name)
    assert done.code == 1
    last = done.err.splitlines()[-1]
    assert last.startswith("kgpath: Cannot write ") and ": Read-only file system. " in last
    assert listing(disk) == {}


@pytest.mark.parametrize(("line", "name"), FILES.items(), ids=[line[:18] for line in FILES])
def test_mode_and_links_of_what_is_replaced_stay(
    cli: Cli, inputs: Path, tmp_path: Path, line: str, name: str
) -> None:
    (tmp_path / "there").mkdir()
    real = tmp_path / "there" / name
    old(line, inputs, real)
    real.chmod(0o640)
    link = tmp_path / name
    link.symlink_to(Path("there") / name)
    before = real.read_bytes()
    done = run(cli, inputs, line, link)
    assert done.code == 0, done.err
    assert link.is_symlink() and os.readlink(link) == f"there/{name}"
    assert real.read_bytes() != before
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(("line", "name"), ALL.items(), ids=[line[:18] for line in ALL])
def test_a_dangling_link_is_filled(
    cli: Cli, inputs: Path, tmp_path: Path, line: str, name: str
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / name).symlink_to(Path("there") / name)
    done = run(cli, inputs, line, tmp_path / name)
    assert done.code == 0, done.err
    assert (tmp_path / name).is_symlink()
    assert (tmp_path / "there" / name).exists() and not (tmp_path / "there" / name).is_symlink()


@pytest.mark.parametrize(("line", "name"), FILES.items(), ids=[line[:18] for line in FILES])
def test_what_is_no_ordinary_file_stays(
    cli: Cli, inputs: Path, tmp_path: Path, line: str, name: str
) -> None:
    os.mkfifo(tmp_path / name)
    done = run(cli, inputs, line, tmp_path / name)
    assert done.code == 1
    assert done.err.splitlines()[-1] == (
        f"kgpath: {tmp_path / name} is no ordinary file; it stays. Name another one."
    )
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_trap_of_links_beside_the_output_catches_nothing(
    cli: Cli, inputs: Path, tmp_path: Path
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious\n")
    (tmp_path / "out").mkdir()
    for name in ("x.kg.building", f".x.kg.{os.getpid()}", ".x.kg.kgpath-0123456789abcdef"):
        (tmp_path / "out" / name).symlink_to(precious)
    assert run(cli, inputs, "build x.nt -o OUT", tmp_path / "out" / "x.kg").code == 0
    assert precious.read_text() == "precious\n"
    with kgpath.open(tmp_path / "out" / "x.kg") as kg:
        assert len(kg) == 2001
    (tmp_path / "out" / ".y.kg.kgpath-lock").symlink_to(precious)
    done = run(cli, inputs, "build x.nt -o OUT", tmp_path / "out" / "y.kg")
    assert (done.code, done.err) == (
        1,
        f"kgpath: {tmp_path}/out/.y.kg.kgpath-lock is a symbolic link where a lock belongs. Remove "
        "it.\n",
    )
    assert precious.read_text() == "precious\n"


def test_adding_to_a_link_keeps_it_and_the_mode(cli: Cli, inputs: Path, tmp_path: Path) -> None:
    shutil.copy(inputs / "film.kg", tmp_path / "real.kg")
    (tmp_path / "real.kg").chmod(0o600)
    (tmp_path / "link.kg").symlink_to("real.kg")
    assert cli("add", tmp_path / "link.kg", "x.nt", cwd=inputs).code == 0
    assert os.readlink(tmp_path / "link.kg") == "real.kg"
    assert (tmp_path / "real.kg").stat().st_mode & 0o777 == 0o600
    with kgpath.open(tmp_path / "real.kg") as kg:
        assert kg.entity("http://x/7").label == "7"


def test_a_model_behind_a_link_is_replaced_there(cli: Cli, inputs: Path, tmp_path: Path) -> None:
    (line,) = (line for line in FOLDERS if line.startswith("train film.kg queries.jsonl"))
    assert run(cli, inputs, line, tmp_path / "real").code == 0
    before = (tmp_path / "real" / "model.json").stat().st_ino
    (tmp_path / "real").chmod(0o750)
    (tmp_path / "link").symlink_to("real")
    done = run(cli, inputs, line, tmp_path / "link")
    assert done.code == 0, done.err
    assert os.readlink(tmp_path / "link") == "real"
    assert (tmp_path / "real" / "model.json").stat().st_ino != before
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o750
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]
