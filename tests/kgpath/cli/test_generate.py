"""kgpath generate and describe, and measuring and training on what they made."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kgpath.datasets.histograms import draw
from kgpath.datasets.sample_files import sample_queries
from kgpath.errors import BadOption, NotWritable

Cli = Callable[..., SimpleNamespace]
RECIPE = """
documents = 30
pairs = 60
candidate_hops = 4

[strata.long]
min_hops = 4
queries = 5
"""


@pytest.fixture(scope="module")
def made(
    sample_path: Path, command: list[str], tmp_path_factory: pytest.TempPathFactory
) -> SimpleNamespace:
    """A small dataset; to be read only."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "small.toml").write_text(RECIPE)
    args = ["generate", "small.toml", "--graph", str(sample_path), "-o", "small", "--seed", "3"]
    done = subprocess.run([*command, *args], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return SimpleNamespace(path=folder / "small", out=done.stdout, err=done.stderr)


def table(out: str) -> dict[str, list[str]]:
    """The rows of a printed table by their title."""
    return {row[0]: row[1:] for line in out.splitlines() if (row := re.split(r"\s{2,}", line))}


def test_it_prints_table_2_and_writes_all_files(made: SimpleNamespace) -> None:
    rows = table(made.out)
    assert rows["documents"] == ["30", "24", "3", "3"]
    assert rows["pairs"][0] == "60"
    assert rows["entities in the graph"][0] == "448"
    assert "kgpath evaluate" in made.err
    assert sorted(path.name for path in made.path.rglob("*")) == [
        "README.md", "SHA256SUMS", "about.json", "dev.jsonl", "long.jsonl", "recipe.toml",
        "strata", "test.jsonl", "train.jsonl",
    ]  # fmt: skip
    assert "seed = 3" in (made.path / "recipe.toml").read_text()
    checked = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=made.path, capture_output=True)
    assert checked.returncode == 0


def test_the_card_tells_what_it_is(made: SimpleNamespace, sample_path: Path) -> None:
    about = json.loads((made.path / "about.json").read_text())
    card = (made.path / "README.md").read_text()
    assert about["graph"] in card
    assert "seed: 3" in card
    assert "film.ttl" in card
    assert "## Licence" in card
    assert "| documents | 30 | 24 | 3 | 3 |" in card
    assert "| long | 5 |" in card
    assert "None yet." in card


def test_programs_read_json(cli: Cli, sample_path: Path, tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text("documents = 4\npairs = 6\ncandidate_hops = 3\n")
    done = cli("generate", "r.toml", "-g", sample_path, "-o", "out", "--json", "--workers", "1")
    data = json.loads(done.out)
    assert set(data) == {"path", "figures", "counted", "notes", "resumed"}
    assert data["figures"]["all"]["pairs"] == 6


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ("documents = 3\npairs = 5\nstopp = 0.1\n", "no knob 'stopp'. Known: name, documents"),
        ("documents = 3\npairs = 5\nmax_hops = 7\n", "max_hops is 7; it can be 1 to 6."),
        ("documents = 3\npairs = 5\nkeep = ['directed']\n", "No relation 'directed'."),
        ("documents = 3\npairs = 5\ntypes = ['Flim']\n", "Closest: Film"),
        ("documents = 99\npairs = 9999\n", "99 documents have only"),
        ("documents = 3000\npairs = 3000\nmax_hops = 1\n", "graph has 2,822 different paths of 1"),
    ],
)
def test_a_bad_recipe_is_one_message_and_nothing_is_left(
    cli: Cli, sample_path: Path, tmp_path: Path, recipe: str, said: str
) -> None:
    (tmp_path / "r.toml").write_text(recipe)
    done = cli("generate", "r.toml", "--graph", sample_path, "-o", "out")
    assert done.code == 1
    assert said in " ".join(done.err.split())
    assert "Traceback" not in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["r.toml"]


def test_places_that_cannot_be_used(
    cli: Cli, film_path: Path, tmp_path: Path, made: SimpleNamespace
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("keep")
    done = cli("generate", "synthetic-s", "--graph", film_path, "-o", "full")
    assert done.code == 1
    assert "full is not empty. Name a new folder with -o." in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
    done = cli("generate", "nowhere.toml", "--graph", film_path, "-o", "out")
    assert done.code == 1
    assert "Those that ship: synthetic-hard, synthetic-l, synthetic-s." in done.err
    done = cli("generate", "synthetic-s", "--graph", "nowhere.kg", "-o", "out")
    assert done.code == 1
    assert "There is no graph file nowhere.kg" in done.err


def test_a_full_disk_leaves_no_dataset(
    cli: Cli, sample_path: Path, tmp_path: Path, small_disk: Callable[..., Path]
) -> None:
    disk = small_disk(options="size=200k")
    (tmp_path / "r.toml").write_text('documents = 200\npairs = 300\ncandidates = "none"\n')
    done = cli("generate", "r.toml", "-g", sample_path, "-o", disk / "out", "--workers", "1")
    assert done.code == 1
    assert "No space left while writing" in done.err
    assert not (disk / "out").exists()


def test_two_at_once_are_refused(cli: Cli, sample_path: Path, tmp_path: Path) -> None:
    from kgpath.io.lock import lock

    (tmp_path / "r.toml").write_text("documents = 3\npairs = 3\n")
    (tmp_path / "out.part").mkdir()
    held = lock(tmp_path / "out.part" / "lock")
    done = cli("generate", "r.toml", "--graph", sample_path, "-o", "out")
    assert held is not None
    os.close(held)
    assert done.code == 1
    assert "out is being written by another kgpath" in done.err


def test_evaluate_and_train_take_it_as_it_is(
    cli: Cli, made: SimpleNamespace, sample_path: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    ranker = "kgpath-ltr(trees=10, hop_trees=10)"
    train = ("train", sample_path, made.path / "train.jsonl", "-o", model, "--ranker", ranker)
    done = cli(*train, "--candidates", "given")
    assert done.code == 0, done.err
    done = cli(
        "evaluate", sample_path, made.path / "test.jsonl", "--candidates", "given",
        "--model", model, "--ranker", "random", "--ranker", "zero-shot", "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert "without a meaning" not in done.err
    data = json.loads(done.out)
    assert data["asked"]["candidates"] == "given"
    assert (data["problems"], data["notes"]) == ([], [])
    tested = [json.loads(line) for line in (made.path / "test.jsonl").open()]
    mean = sum(len(record["candidates"]) for record in tested) / len(tested)
    assert data["candidates"] == pytest.approx(mean)
    by_name = {row["ranker"]: row["all"] for row in data["rankers"]}
    assert all(row["Recall"] == 1 for row in by_name.values())
    assert by_name["zero-shot"]["MRR"] > by_name["random"]["MRR"]
    done = cli("evaluate", sample_path, sample_queries(), "--candidates", "given")
    assert done.code == 1
    assert "brings no candidates" in done.err


# describe


def test_describe_says_the_same_as_generate(cli: Cli, made: SimpleNamespace) -> None:
    done = cli("describe", made.path)
    assert done.code == 0, done.err
    assert done.out == made.out


def test_describe_any_file_of_queries(cli: Cli, sample_path: Path) -> None:
    done = cli("describe", sample_queries(), "--graph", sample_path)
    rows = table(done.out)
    assert (rows["documents"], rows["pairs"]) == (["14"], ["18"])
    assert rows["entities in the graph"] == ["448"]
    data = json.loads(cli("describe", sample_queries(), "--json").out)
    assert data["figures"]["all"]["by_hops"] and data["problems"] == []


def test_describe_draws_histograms(cli: Cli, made: SimpleNamespace, tmp_path: Path) -> None:
    done = cli("describe", made.path, "--picture", "p.png")
    assert done.code == 0, done.err
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_is_the_same_again_and_goes_where_it_can(tmp_path: Path) -> None:
    figures = {"by_hops": {1: 4, 3: 2}, "by_candidates": {}}
    for name in ("one.svg", "two.svg"):
        draw(figures, "title", tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()
    with pytest.raises(BadOption, match="should end in the name of a format"):
        draw(figures, "title", tmp_path / "p.word")
    with pytest.raises(NotWritable, match="mkdir -p"):
        draw(figures, "title", tmp_path / "no" / "p.png")


def test_a_picture_without_matplotlib_says_what_to_install(
    made: SimpleNamespace, tmp_path: Path
) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; sys.argv = ['kgpath', 'describe', "
        f"{str(made.path)!r}, '--picture', 'p.png']\nfrom kgpath.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert 'pip install "kgpath[plot]"' in done.stderr
    assert not (tmp_path / "p.png").exists()


def test_results_go_into_the_card(
    cli: Cli, sample_path: Path, made: SimpleNamespace, tmp_path: Path
) -> None:
    import shutil

    shutil.copytree(made.path, tmp_path / "copy")
    asked: tuple[Any, ...] = ("evaluate", sample_path, "copy/test.jsonl", "--json")
    rankers = ("--ranker", "random", "--ranker", "shortest")
    given = cli(*asked, *rankers, "--candidates", "given")
    (tmp_path / "r.json").write_text(given.out)
    done = cli("describe", "copy", "--results", "r.json")
    assert done.code == 0, done.err
    card = (tmp_path / "copy" / "README.md").read_text()
    assert "### test.jsonl, candidates given" in card
    assert "| ranker | MRR | Hits@1 |" in card
    random = json.loads(given.out)["rankers"][0]["all"]["MRR"]
    assert f"| random | {random:.4f} |" in card
    assert "None yet." not in card
    folder = tmp_path / "copy"
    checked = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=folder, capture_output=True)
    assert checked.returncode == 0
    # Another table beside it; the same one again takes its place.
    (tmp_path / "f.json").write_text(cli(*asked, *rankers, "--limit", "20").out)
    cli("describe", "copy", "--results", "r.json", "--results", "f.json")
    card = (folder / "README.md").read_text()
    assert card.count("### test.jsonl") == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "There is no dataset nowhere."),
        (("empty.jsonl",), "empty.jsonl: no query there."),
        (("bad.jsonl",), "First problem: bad.jsonl:1"),
        ((".", "--results", "bad.jsonl"), "has no about.json"),
    ],
)
def test_bad_input_is_one_message(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "bad.jsonl").write_text("no JSON\n")
    done = cli("describe", *arguments)
    assert done.code == 1
    assert said in done.err
    assert "Traceback" not in done.err


def test_results_that_are_none(cli: Cli, made: SimpleNamespace, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_text('{"queries": 3}')
    before = (made.path / "README.md").read_bytes()
    done = cli("describe", made.path, "--results", "r.json")
    assert done.code == 1
    assert "not what kgpath evaluate prints" in done.err
    assert (made.path / "README.md").read_bytes() == before
