"""No command destroys what it reads, whatever the name it is called by."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from typer.main import get_command

from kgpath.cli import app
from kgpath.cli.own_input import Reads, Writes, _roles

#: Names of things other than files: plug-ins, entities, relations, texts, addresses.
NO_FILES = {
    "budget", "candidates", "configuration", "context_encoder", "cost", "drop", "edges", "encoding",
    "entity", "exclude", "format", "head", "keep", "kind", "kinds", "lang", "metric", "name",
    "named_graph", "option", "path_encoder", "preset", "ranker", "seed", "selector", "sparql",
    "strategy", "tail", "teacher", "text", "through", "types",
}  # fmt: skip
#: Parameters that are a file in one command and a name in another.
BOTH = {("convert", "dataset"), ("build", "graph"), ("train", "path_encoder")}


def commands(group: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, command in (group or get_command(app)).commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


@pytest.mark.parametrize(("name", "command"), list(commands()))
def test_every_parameter_says_whether_it_is_read_or_written(name: str, command: Any) -> None:
    roles = _roles(command.callback)
    hints = get_type_hints(inspect.unwrap(command.callback))
    texts = {name for name, hint in hints.items() if "str" in str(hint)}
    files = {n for n, role in roles.items() if isinstance(role, Reads | Writes)}
    unsaid = texts - files - NO_FILES
    assert not {n for n in unsaid if (name, n) not in BOTH}, name
    for parameter in command.params:
        if "--output" in parameter.opts:
            assert isinstance(roles[parameter.name], Writes)


@pytest.fixture
def place(tmp_path: Path, sample_path: Path, cli: Callable[..., Any]) -> Path:
    """A folder with an input of every kind; what is in them matters to no refusal."""
    shutil.copy(sample_path, tmp_path / "film.kg")
    shutil.copytree(f"{sample_path}.index", tmp_path / "film.kg.index")
    for name in (
        "x.nt", "articles.jsonl", "text.txt", "pairs.tsv", "q.jsonl", "vectors.txt", "recipe.toml",
        "other.jsonl", "other.md", "tasks.jsonl", "answers.jsonl", "results.json", "turns.json",
        "need.json", "data.png", "select.rq",
    ):  # fmt: skip
        (tmp_path / name).write_text(f"precious {name}\n")
    for name, manifest in (("model", "model.json"), ("data", "SHA256SUMS")):
        (tmp_path / name).mkdir()
        (tmp_path / name / manifest).write_text("precious\n")
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


OWN_INPUTS = [
    ("build x.nt -o x.nt", "x.nt"),
    ("build film.kg --format nt -o film.kg", "film.kg"),
    ("build x.nt --articles articles.jsonl -o articles.jsonl", "articles.jsonl"),
    ("build --sparql http://localhost:1/ --query select.rq -o select.rq", "select.rq"),
    ("export film.kg --format nt -o film.kg", "film.kg"),
    ("export film.kg --format nt -o ./film.kg", "film.kg"),
    ("paths film.kg --pairs pairs.tsv -o film.kg", "film.kg"),
    ("paths film.kg --pairs pairs.tsv -o pairs.tsv", "pairs.tsv"),
    ("paths film.kg --pairs pairs.tsv --context text.txt -o text.txt", "text.txt"),
    ("query film.kg --texts other.jsonl -o other.jsonl", "other.jsonl"),
    ("query film.kg --texts other.jsonl --pairs pairs.tsv -o pairs.tsv", "pairs.tsv"),
    ("query film.kg --texts other.jsonl --model model -o model", "model"),
    ("evaluate film.kg q.jsonl -o film.kg", "film.kg"),
    ("evaluate film.kg q.jsonl -o q.jsonl", "q.jsonl"),
    ("evaluate film.kg q.jsonl --vectors vectors.txt -o vectors.txt", "vectors.txt"),
    ("evaluate film.kg q.jsonl --ranker avg-word(vectors=vectors.txt) -o vectors.txt",
     "vectors.txt"),
    ("evaluate film.kg q.jsonl --model model -o model", "model"),
    ("train film.kg q.jsonl -o film.kg", "film.kg"),
    ("train film.kg q.jsonl -o q.jsonl", "q.jsonl"),
    ("train x.nt q.jsonl --also film.kg other.jsonl -o film.kg", "film.kg"),
    ("train x.nt q.jsonl --also film.kg other.jsonl -o other.jsonl", "other.jsonl"),
    ("train film.kg q.jsonl -o film.kg.index", "film.kg.index"),
    ("generate recipe.toml --graph film.kg -o recipe.toml", "recipe.toml"),
    ("generate synthetic-s --graph film.kg -o film.kg", "film.kg"),
    ("convert opendialkg other.jsonl -o other.jsonl", "other.jsonl"),
    ("convert opendialkg other.md -o other.jsonl", "other.md"),
    ("annotate tasks articles.jsonl --graph film.kg -o articles.jsonl", "articles.jsonl"),
    ("annotate tasks articles.jsonl --graph film.kg -o film.kg", "film.kg"),
    ("annotate agree answers.jsonl --tasks tasks.jsonl -o answers.jsonl", "answers.jsonl"),
    ("annotate agree answers.jsonl --tasks tasks.jsonl -o tasks.jsonl", "tasks.jsonl"),
    ("dialogue evaluate turns.json -o turns.json", "turns.json"),
    ("dialogue evaluate turns.json --detector need.json -o need.json", "need.json"),
    ("dialogue evaluate turns.json --graph film.kg -o film.kg", "film.kg"),
    ("dialogue train turns.json -o turns.json", "turns.json"),
    ("dialogue convert turns.json -o turns.json", "turns.json"),
    ("reproduce wikipath-t5 turns.json --graph film.kg -o film.kg", "film.kg"),
    ("reproduce wikipath-t5 test=turns.json -o turns.json", "turns.json"),
    ("reproduce ecpr-t7 --graph film.kg --data data -o data", "data"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "lost"), OWN_INPUTS)
def test_an_output_that_is_an_input_is_refused(
    place: Path, cli: Callable[..., Any], line: str, lost: str
) -> None:
    before = content(place)
    done = cli(*line.split(), cwd=place)
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        f"kgpath: {lost} is read by this command and would be lost. Choose another -o.\n"
    )
    assert content(place) == before


def test_a_picture_too(place: Path, cli: Callable[..., Any]) -> None:
    before = content(place)
    done = cli("describe", "data.png", "--picture", "data.png", cwd=place)
    assert done.err == (
        "kgpath: data.png is read by this command and would be lost. Choose another --picture.\n"
    )
    assert content(place) == before


def test_every_command_that_writes_is_tried() -> None:
    writing = {
        name
        for name, command in commands()
        if any(isinstance(role, Writes) for role in _roles(command.callback).values())
    }
    tried = {name for name in writing for line, _ in OWN_INPUTS if line.startswith(f"{name} ")}
    assert writing - tried == {"demo", "describe"}  # one reads nothing, the other is tried above


@pytest.mark.parametrize("alias", ["link.jsonl", "hard.jsonl", "sub/../q.jsonl"])
def test_links_and_detours_are_seen_through(
    place: Path, cli: Callable[..., Any], alias: str
) -> None:
    (place / "sub").mkdir()
    (place / "link.jsonl").symlink_to("q.jsonl")
    os.link(place / "q.jsonl", place / "hard.jsonl")
    before = content(place)
    done = cli("evaluate", "film.kg", "q.jsonl", "-o", alias, cwd=place)
    assert done.err == (
        f"kgpath: {alias} is read by this command and would be lost. Choose another -o.\n"
    )
    assert content(place) == before


def test_a_file_on_standard_input_is_an_input(
    place: Path, command: list[str], film_path: Path
) -> None:
    with (place / "q.jsonl").open() as stdin:
        done = subprocess.run(
            [*command, "evaluate", "film.kg", "-", "-o", "q.jsonl"],
            stdin=stdin, capture_output=True, text=True, cwd=place,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "kgpath: q.jsonl is read by this command and would be lost. Choose another -o.\n"
    )


@pytest.mark.parametrize(
    ("line", "output", "folder"),
    [
        ("export film.kg -o film.kg.index/x.nt", "film.kg.index/x.nt", "film.kg.index"),
        ("evaluate film.kg q.jsonl --model model -o model/new.jsonl", "model/new.jsonl", "model"),
        ("reproduce ecpr-t7 --graph film.kg --data data -o data/out", "data/out", "data"),
        ("reproduce ecpr-t7 --graph film.kg --data . -o x.nt", "x.nt", "."),
    ],
)
def test_an_output_within_an_input_is_refused(
    place: Path, cli: Callable[..., Any], line: str, output: str, folder: str
) -> None:
    before = content(place)
    done = cli(*line.split(), cwd=place)
    assert done.err == (
        f"kgpath: {output} lies in {folder}, which is read by this command. Choose another -o.\n"
    )
    assert content(place) == before


@pytest.mark.parametrize(
    "line",
    [
        "export film.kg --format nt -o other.kg",
        "paths film.kg --pairs pairs.tsv -o other.kg",
        "evaluate film.kg queries.jsonl --ranker shortest -o other.kg",
        "dialogue convert dialogues.jsonl -o other.kg",
        "dialogue train dialogues.jsonl -o other.kg",
        "dialogue evaluate dialogues.jsonl -o other.kg",
    ],
)
def test_a_graph_file_is_lost_to_nothing_that_is_none(
    tmp_path: Path, sample_path: Path, cli: Callable[..., Any], line: str
) -> None:
    from kgpath.datasets.sample_files import sample_dialogues, sample_queries

    for name in ("film.kg", "other.kg"):
        shutil.copy(sample_path, tmp_path / name)
    (tmp_path / "pairs.tsv").write_text("Emma Stone\tAndrew Garfield\n")
    shutil.copy(sample_queries(), tmp_path / "queries.jsonl")
    shutil.copy(sample_dialogues(), tmp_path / "dialogues.jsonl")
    before = (tmp_path / "other.kg").read_bytes()
    done = cli(*line.split())
    assert done.code == 1
    assert done.err.splitlines()[-1] == (
        "kgpath: other.kg is a database, such as a graph file; it stays. Choose another -o."
    )
    assert (tmp_path / "other.kg").read_bytes() == before
    assert not list(tmp_path.glob("*.part*")) + list(tmp_path.glob(".*kgpath*"))


def test_a_name_that_is_also_that_of_an_older_output_is_no_input(
    place: Path, cli: Callable[..., Any]
) -> None:
    (place / "synthetic-s").mkdir()
    (place / "shortest").write_text("an older output\n")
    for line in (
        "generate synthetic-s --graph film.kg -o synthetic-s --seed x",
        "evaluate film.kg q.jsonl --ranker shortest -o shortest",
    ):
        assert "is read by this command" not in cli(*line.split(), cwd=place).err
