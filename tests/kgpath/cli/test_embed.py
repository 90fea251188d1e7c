"""kgpath embed, as a person and as a program use it; also when it is stopped half way."""

from __future__ import annotations

import fcntl
import json
import re
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import kgpath
from kgpath.encoders.vectors.embedding import embedding_of

EPOCHS = ("--epochs", "40")


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of 90 facts; to be read only."""
    folder = tmp_path_factory.mktemp("ring")
    lines = [f"e{n:02}\tr{k}\te{(n + k) % 30:02}\n" for n in range(30) for k in (1, 2, 3)]
    (folder / "ring.tsv").write_text("".join(lines))
    kgpath.build([folder / "ring.tsv"], folder / "ring.kg")
    return folder / "ring.kg"


@pytest.fixture
def graph(ring: Path, tmp_path: Path) -> Path:
    """The same graph in the test's own folder."""
    return Path(shutil.copy(ring, tmp_path / "ring.kg"))


@pytest.fixture
def whole(run, graph: Path, tmp_path: Path) -> SimpleNamespace:
    """What comes of a training that nobody interrupts."""
    (tmp_path / "whole").mkdir()
    path = Path(shutil.copy(graph, tmp_path / "whole"))
    done = run("embed", path, *EPOCHS, "--json")
    assert done.code == 0
    return SimpleNamespace(path=path, data=json.loads(done.out))


def folder_of(path: Path) -> Path:
    return path.with_name(path.name + ".transe")


def left_behind(path: Path) -> set[str]:
    """What a training writes beside a graph file."""
    return {one.name for one in path.parent.iterdir() if ".transe" in one.name}


def vectors(path: Path) -> list[bytes]:
    return [(folder_of(path) / f"{name}.npy").read_bytes() for name in ("entities", "relations")]


# A training sends itself a signal once it has written how far it is.
STOP = """
import os, signal
from kgpath.encoders.vectors.transe_checkpoint import Checkpoint
write = Checkpoint.write
def then_stop(self, state):
    write(self, state)
    os.kill(os.getpid(), {signal})
Checkpoint.write = then_stop
"""


def reached(graph: Path) -> int:
    """The epoch from which a training would go on."""
    written = graph.with_name("ring.kg.transe.training").glob("*/training.json")
    return max((int(path.parent.name) for path in written), default=0)


@pytest.mark.slow
def test_vectors_lie_beside_the_graph_in_place_of_older_ones(
    run, graph: Path, whole: SimpleNamespace
) -> None:
    data = whole.data
    assert data["path"] == str(folder_of(whole.path))
    assert data["entities"] == 30 and data["dimensions"] == 64 and data["facts"] == 90
    assert data["epochs"] <= 40 and data["configuration"] == "quick" and data["seed"] == 0
    assert set(data["test"]) == {"facts", "MRR", "Hits@1", "Hits@10"}
    assert left_behind(whole.path) == {"ring.kg.transe"}
    with kgpath.open(whole.path) as kg:
        made = embedding_of(kg)
    assert made.entities.shape == (30, 64) and made.relations.shape == (3, 64)
    assert made.about["test"] == data["test"]
    before = vectors(whole.path)
    (folder_of(whole.path) / "leftover.npy").write_bytes(b"")
    done = run("embed", whole.path, "--epochs", "1")
    assert done.code == 0
    assert left_behind(whole.path) == {"ring.kg.transe"}
    assert {path.name for path in folder_of(whole.path).iterdir()} == {
        "entities.npy", "relations.npy", "transe.json"
    }  # fmt: skip
    assert vectors(whole.path) != before


@pytest.mark.slow
def test_a_training_that_is_stopped_goes_on_where_it_was(
    run, command_after: Callable[[str], list[str]], graph: Path, whole: SimpleNamespace
) -> None:
    def stopped_by(sent: int) -> subprocess.CompletedProcess[str]:
        command = [*command_after(STOP.format(signal=int(sent))), "embed", graph, *EPOCHS]
        return subprocess.run(command, capture_output=True, text=True)

    assert stopped_by(signal.SIGKILL).returncode == -signal.SIGKILL
    assert left_behind(graph) == {"ring.kg.transe.training"} and reached(graph) == 1

    interrupted = stopped_by(signal.SIGINT)
    assert interrupted.returncode == 130 and reached(graph) == 2
    assert "Interrupted. The same command goes on where it stopped" in interrupted.stderr
    assert "Traceback" not in interrupted.stderr

    other = run("embed", graph, *EPOCHS, "--seed", "1")
    assert other.code == 1 and other.err.startswith("kgpath: An interrupted training is in ")
    assert "with seed 0. Give the same again to resume it, or drop it with --restart." in other.err

    done = run("embed", graph, *EPOCHS, "--json")
    assert done.code == 0
    assert vectors(graph) == vectors(whole.path)
    assert json.loads(done.out)["test"] == whole.data["test"]
    assert left_behind(graph) == {"ring.kg.transe"}


def test_people_read_a_table_and_may_start_again(run, graph: Path) -> None:
    state = graph.with_name("ring.kg.transe.training") / "000003"
    state.mkdir(parents=True)
    plan = {"fingerprint": "another"}
    (state / "training.json").write_text(json.dumps({"plan": plan, "state": {}}))
    refused = run("embed", graph, "--epochs", "2")
    assert refused.code == 1 and "with another content of the graph" in refused.err
    done = run("embed", graph, "--epochs", "2", "--restart")
    assert done.code == 0
    first, *table = done.out.splitlines()
    assert first == f"{folder_of(graph)}: 30 entities, 3 relations, 64 dimensions"
    assert table[0].split() == ["held", "out", "facts", "MRR", "Hits@1", "Hits@10"]
    assert [line.split()[:2] for line in table[1:]] == [["validation", "4"], ["test", "4"]]
    said = r"2 epochs in \d+\.\d minutes, ended by epochs; the best was epoch 2\."
    assert re.search(said, done.err)
    assert left_behind(graph) == {"ring.kg.transe"}


def test_the_old_name_of_an_option_works_with_a_notice(
    run, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kgpath.registry._NOTICED", set())
    done = run("embed", graph, "--epochs", "1", "--anew")
    assert done.code == 0
    notice = "kgpath: --anew is called --restart now; the old name goes with the next release\n"
    assert done.err.startswith(notice)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--configuration", "best"), "No configuration 'best'. Known: quick, paper."),
        (("--minutes", "0"), "minutes is 0.0; it must be more than 0."),
        (("--epochs", "-3"), "epochs is -3; it must be more than 0."),
    ],
)
def test_bad_options_are_one_message(
    cli, graph: Path, options: tuple[str, ...], message: str
) -> None:
    done = cli("embed", graph, *options)
    assert (done.code, done.out, done.err) == (1, "", f"kgpath: {message}\n")
    assert left_behind(graph) == set()


def test_a_graph_that_is_too_small(cli, build_graph: Callable[..., kgpath.Graph]) -> None:
    path = build_graph("ex:a ex:knows ex:b .").path
    done = cli("embed", path)
    assert done.code == 1
    assert "has 1 facts between 1 pairs of entities; TransE needs at least 10 facts" in done.err
    assert left_behind(path) == set()


def test_a_graph_that_is_not_there(cli) -> None:
    done = cli("embed", "no.kg")
    assert done.code == 1 and "There is no graph file no.kg" in done.err


def test_one_training_at_a_time(cli, graph: Path) -> None:
    training = graph.with_name("ring.kg.transe.training")
    training.mkdir()
    with (training / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = cli("embed", graph)
    assert done.code == 1
    assert done.err == f"kgpath: Another kgpath is training in {training}. Wait for it.\n"


def test_a_place_that_cannot_be_written(cli, ring: Path, small_disk: Callable[..., Path]) -> None:
    disk = small_disk()
    shutil.copy(ring, disk / "ring.kg")
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    done = cli("embed", disk / "ring.kg")
    assert done.code == 1
    assert done.err.startswith("kgpath: Cannot write ")
    assert done.err.endswith("copy it to a place that can be written.\n")


def test_a_full_disk(run, ring: Path, small_disk: Callable[..., Path]) -> None:
    room = 4 * (ring.stat().st_size // 4096 + 4)
    disk = small_disk(options=f"size={room}k")
    shutil.copy(ring, disk / "ring.kg")
    done = run("embed", disk / "ring.kg", "--epochs", "2")
    assert done.code == 1
    assert done.err.splitlines()[-1].startswith("kgpath: No space left while writing ")
