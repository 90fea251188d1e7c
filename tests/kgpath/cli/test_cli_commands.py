"""Every command: help with an example, JSON for programs, one message for every mistake."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import kgpath
from kgpath.cli import app

COMMANDS = sorted(get_command(app).commands)
DBR = "http://dbpedia.org/resource/"


def run(*args: str | Path) -> object:
    """The command in this process: quick, for what is said when all goes well."""
    return CliRunner().invoke(app, [str(arg) for arg in args], catch_exceptions=False)


def test_the_commands_are_those_of_the_design() -> None:
    first = {"demo", "build", "info", "find", "show", "check", "add", "remove", "export", "ls"}
    assert first <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_every_help_has_a_ready_example(command: str, option: str) -> None:
    done = run(command, option)
    assert done.exit_code == 0
    assert f"Example: kgpath {command}" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_explained(command: str) -> None:
    for parameter in get_command(app).commands[command].params:
        assert parameter.help, parameter.name


def test_every_command_is_listed_with_a_line_that_fits(cli) -> None:
    done = cli("--help", env={"COLUMNS": "80"})
    assert done.code == 0
    for command in COMMANDS:
        (line,) = (line for line in done.out.splitlines() if line.split()[:1] == [command])
        assert not line.endswith("..."), f"the first line of {command} is cut: {line}"


def test_the_version(cli) -> None:
    done = cli("--version")
    assert (done.code, done.out, done.err) == (0, f"kgpath {kgpath.__version__}\n", "")


def test_without_arguments_the_help_is_shown(cli) -> None:
    done = cli()
    assert "Usage: " in done.out + done.err
    assert "Traceback" not in done.err


# Tables for people.


def test_show_for_people(film_path: Path) -> None:
    lines = run("show", film_path, "Daniel Craig").stdout.splitlines()
    assert lines[:2] == ["Daniel Craig  (person, actor)", DBR + "Daniel_Craig"]
    assert "Daniel Craig is an English actor. He has played James Bond." in lines
    table = [line.split(maxsplit=1) for line in lines[-4:]]
    assert lines[-4] == "3 facts"
    assert [row[0] for row in table[1:]] == ["–birth", "←portrayer–", "←starring–"]


def test_show_says_how_many_more_there_are(build_graph) -> None:
    kg = build_graph("ex:a ex:p ex:b, ex:c, ex:d .")
    assert "–p→      b, c … and 1 more" in run("show", kg.path, "a", "-n", "2").stdout


def test_find_for_people(film_path: Path) -> None:
    lines = run("find", film_path, "bond").stdout.splitlines()
    assert [line.split() for line in lines] == [
        ["entity", "type", "facts", "match", "IRI"],
        ["James", "Bond", "(Bond)", "fictional", "character", "3", "exact", "dbr:James_Bond"],
        ["Bond", "1", "exact", "dbr:Bond_(band)"],
    ]


def test_markup_in_names_is_shown_as_it_stands(build_graph) -> None:
    kg = build_graph(
        'ex:a rdfs:label "[bold]x[/bold] [/]" ; rdfs:comment "[red]y[/]" ; ex:p ex:b .'
    )
    for command in ("show", "find"):
        assert "[bold]x[/bold] [/]" in run(command, kg.path, "[bold]x[/bold] [/]").stdout
    assert "[red]y[/]" in run("show", kg.path, "http://example.org/a").stdout


# Where things are said.


def test_results_go_to_stdout_and_notes_to_stderr(process, source) -> None:
    source(
        "x.nt", b"<http://x/a> <http://x/p> <http://x/b> .\nbad\n<http://x/a> <http://x/q> 'x' .\n"
    )
    done = process("build", "x.nt", "-o", "x.kg")
    assert done.out == "x.kg: 2 entities, 1 edges, 1 relations, 0 classes\n"
    assert "x.nt: 2 malformed lines left out, such as" in done.err
    assert "x.nt:2: " in done.err


def test_a_build_without_trouble_is_silent_on_stderr(process, source) -> None:
    source("x.nt", b"<http://x/a> <http://x/p> <http://x/b> .\n")
    assert process("build", "x.nt", "-o", "x.kg").err == ""


def test_a_find_without_result_says_so_on_stderr(film_path: Path, cli) -> None:
    done = cli("find", film_path, "zzzzz")
    assert (done.code, done.out) == (0, "")
    assert "Nothing like 'zzzzz'" in done.err
    done = cli("find", film_path, "danial crag")
    assert "Did you mean:" in done.err
    assert "Daniel Craig" in done.out


def test_export_to_stdout(film_path: Path) -> None:
    with kgpath.open(film_path) as kg:
        facts = kg.store.one("SELECT count(*) FROM edge")[0]
    done = run("export", film_path, "-o", "-", "--format", "tsv")
    assert len(done.stdout.splitlines()) == facts
    assert done.stderr == ""
    assert run("export", film_path, "-o", "-").stdout.startswith("<http://dbpedia.org/resource/")


def test_a_closed_pipe_is_no_traceback(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "x.nt").write_text(
        "".join(f"<http://x/{n}> <http://x/p> <http://x/{n + 1}> .\n" for n in range(20_000))
    )
    kgpath.build([tmp_path / "x.nt"], tmp_path / "x.kg")
    done = subprocess.Popen(
        [*command, "export", tmp_path / "x.kg", "-o", "-"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert done.stdout and done.stderr
    done.stdout.readline()
    done.stdout.close()
    err = done.stderr.read()
    done.stderr.close()
    done.wait()
    assert b"Traceback" not in err


# Mistakes: what a user can mend is one message and exit code 1; a wrong call is 2.


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("show", "FILM", "Danial Craig"), "No entity 'Danial Craig'. Closest: Daniel Craig"),
        (
            ("show", "FILM", "casino royale"),
            "'casino royale' names 2 entities. Say which by its IRI",
        ),
        (("show", "FILM", ""), "No entity ''."),
        (("show", "FILM", b"\xff\xfe"), "No entity"),
        (("find", "none.kg", "x"), "There is no graph file none.kg. Make one: kgpath build"),
        (("info", "."), ". is a folder, not a graph file."),
        (("ls", "flavours"), "No kind of plug-in 'flavours'. Known: rankers"),
        (("export", "FILM", "-o", "x.xlsx"), "No export format 'xlsx'. Known: nt, graphml, tsv."),
        (("export", "FILM", "-o", "no/x.nt"), "There is no folder no: mkdir -p no"),
        (("build", "none.nt", "-o", "x.kg"), "There is no file none.nt."),
        (("add", "none.kg", "none.nt"), "There is no graph file none.kg."),
        (("remove", "FILM", "--entity", "Nobody"), "No entity 'Nobody'."),
    ],
)
def test_a_mistake_is_one_message_and_exit_code_1(args, message: str, cli, film_path: Path) -> None:
    done = cli(*(film_path if arg == "FILM" else arg for arg in args))
    assert done.code == 1
    assert done.out == ""
    assert "Traceback" not in done.err
    assert done.err.strip().startswith("kgpath: ")
    assert message in done.err


def test_find_takes_bytes_that_are_no_text(cli, film_path: Path) -> None:
    done = cli("find", film_path, b"caf\xe9")  # a terminal that speaks latin-1
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "args",
    [
        ("nonsense",),
        ("build",),
        ("build", "x.nt"),
        ("build", "-o", "x.kg"),
        ("build", "x.nt", "-o", "x.kg", "--hub-cap", "-1"),
        ("build", "x.nt", "-o", "x.kg", "--hub-cap", "many"),
        ("find", "FILM"),
        ("find", "FILM", "x", "-n", "0"),
        ("show", "FILM", "x", "--nonsense"),
        ("remove", "FILM"),
        ("export", "FILM"),
    ],
    ids=" ".join,
)
def test_a_wrong_call_is_exit_code_2(args: tuple[str, ...], film_path: Path) -> None:
    done = run(*(film_path if arg == "FILM" else arg for arg in args))
    assert done.exit_code == 2
    assert "Usage:" in done.stderr


def test_a_damaged_graph_file_is_exit_code_1_at_check(film_path: Path, cli, tmp_path: Path) -> None:
    shutil.copy(film_path, tmp_path / "x.kg")
    db = sqlite3.connect(tmp_path / "x.kg")
    db.execute("UPDATE entity SET degree = 99 WHERE id = 0")
    db.commit()
    db.close()
    done = cli("check", "x.kg", "--json")
    assert done.code == 1
    data = json.loads(done.out)
    assert (data["sound"], data["problems"]) == (False, ["1 entities have a wrong degree"])
    assert "Build the file again" in done.err


@pytest.mark.slow
def test_the_demo_works_in_an_empty_folder(process, root: Path, tmp_path: Path) -> None:
    if not (root / "datasets" / "sample" / "film.ttl").exists():
        pytest.skip("the sample is not written yet")
    folder = tmp_path / "empty"
    folder.mkdir()
    done = process("demo", cwd=folder)
    assert done.code == 0, done.err
    for command in ("build", "find", "show", "paths", "query", "dialogue", "info"):
        assert f"$ kgpath {command} " in done.out
    assert "Daniel Craig" in done.out
    texts = ["casting-news.txt", "dialogues.jsonl", "oscar-news.txt", "queries.jsonl"]
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["film.kg", "film.kg.index", *texts]
    )
    assert process("demo", cwd=folder).code == 0  # and again, over its own file
    # Nobody's own file of that name is lost.
    (folder / "queries.jsonl").write_text("mine")
    done = process("demo", cwd=folder)
    assert done.code == 0 and "kgpath-queries.jsonl" in done.err
    assert (folder / "queries.jsonl").read_text() == "mine"


@pytest.mark.slow
def test_the_demo_trains_a_model_of_the_paper_and_asks_with_it(process, tmp_path: Path) -> None:
    pytest.importorskip("pykeen")
    pytest.importorskip("lightgbm")
    done = process("demo", "--train", cwd=tmp_path, env={"OMP_NUM_THREADS": "1"})
    assert done.code == 0, done.err
    trained = (
        "$ kgpath train film.kg queries.jsonl --context-encoder fused-inout --path-encoder "
        "path-vae --ranker xendcg -o fused-model"
    )
    assert "$ kgpath embed film.kg" in done.out and trained in done.out
    asked = done.out.partition("--model fused-model\n")[2]
    assert "Emma Stone ←starring– The Amazing Spider-Man –starring→ Andrew Garfield" in asked
    assert (tmp_path / "fused-model" / "path_encoder").is_dir()
