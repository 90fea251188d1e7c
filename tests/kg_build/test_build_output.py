"""A graph file appears whole or not at all: full disks, kills, rivals and wrong places."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kgpath
from kgpath.errors import BadStore, NotWritable
from kgpath.storage.check import problems

FACTS = "".join(f"<http://x/{n}> <http://x/p> <http://x/{n + 1}> .\n" for n in range(5))
# More than the reader takes at one go, so that it is certainly in the middle when it waits.
MANY = "".join(f"<http://x/{n}> <http://x/p> <http://x/{n * 7}> .\n" for n in range(1, 20_000))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """An older graph file, where the next build is to go."""
    (tmp_path / "old.nt").write_text(FACTS)
    kgpath.build([tmp_path / "old.nt"], tmp_path / "x.kg")
    return tmp_path / "x.kg"


def sound(path: Path) -> int:
    """How many facts a file holds that is as good as new."""
    with kgpath.open(path) as kg:
        assert list(problems(kg.store)) == []
        return kg.store.one("SELECT count(*) FROM edge")[0]


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 600
    while not condition():
        assert time.monotonic() < end, "waited ten minutes in vain"
        time.sleep(0.01)


@pytest.fixture
def waiting_build(command: list[str], tmp_path: Path) -> Iterator[Callable[[], subprocess.Popen]]:
    """Starts builds that have read thousands of facts and now wait for more on their stdin."""
    started: list[subprocess.Popen] = []

    def start() -> subprocess.Popen:
        process = subprocess.Popen(
            [*command, "build", "-", "-o", "x.kg", "--format", "nt"],
            cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        started.append(process)
        assert process.stdin
        # The pipe holds 64 kB: when all of this is written, most of it has been read.
        process.stdin.write(MANY.encode())
        process.stdin.flush()
        wait_until((tmp_path / ".x.kg.kgpath-lock").exists)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_killed_in_the_middle_the_old_file_is_whole_and_the_next_build_works(
    old: Path, waiting_build, tmp_path: Path
) -> None:
    before = old.read_bytes()
    process = waiting_build()
    process.kill()
    process.wait()
    assert old.read_bytes() == before
    assert sound(old) == 5
    (tmp_path / "next.nt").write_text(MANY)
    assert kgpath.build([tmp_path / "next.nt"], old).edges == sound(old) == 19_999
    assert not list(tmp_path.glob(".*kgpath*"))


def test_killed_without_an_old_file_leaves_no_graph_file(waiting_build, tmp_path: Path) -> None:
    process = waiting_build()
    process.kill()
    process.wait()
    assert not (tmp_path / "x.kg").exists()


def test_interrupted_by_ctrl_c_a_build_leaves_nothing(old: Path, waiting_build) -> None:
    before, listing = old.read_bytes(), sorted(old.parent.rglob("*"))
    process = waiting_build()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode not in (0, None)
    assert b"Traceback" not in err
    assert old.read_bytes() == before
    assert sorted(old.parent.rglob("*")) == listing


def test_a_second_build_to_the_same_file_is_refused_and_the_first_finishes(
    old: Path, waiting_build, cli
) -> None:
    first = waiting_build()
    second = cli("build", "old.nt", "-o", "x.kg")
    assert second.code == 1
    assert second.err.strip() == (
        "kgpath: x.kg is being written by another kgpath. Wait for it, or choose another -o."
    )
    assert sound(old) == 5
    out, _ = first.communicate(FACTS.encode())
    assert first.returncode == 0
    assert b"x.kg: " in out
    assert sound(old) > 19_999


def test_adding_while_a_build_runs_is_refused(old: Path, waiting_build, tmp_path: Path) -> None:
    waiting_build()
    with pytest.raises(NotWritable, match="is being written by another kgpath"):
        kgpath.add(old, [tmp_path / "old.nt"])
    assert sound(old) == 5


def test_a_missing_folder_says_how_to_make_it(old: Path, tmp_path: Path) -> None:
    output = tmp_path / "no" / "such" / "x.kg"
    with pytest.raises(NotWritable, match=r"There is no folder .*/no/such: mkdir -p .*/no/such"):
        kgpath.build([tmp_path / "old.nt"], output)


def test_a_folder_as_output_is_refused(old: Path, tmp_path: Path) -> None:
    with pytest.raises(NotWritable, match=r"is a folder. Name a file in it: -o .*/film\.kg"):
        kgpath.build([tmp_path / "old.nt"], tmp_path)


def test_a_read_only_folder_is_reported(old: Path, small_disk, cli) -> None:
    if os.geteuid() == 0:
        folder = small_disk("disk", "size=1m,ro")
    else:
        folder = old.parent / "disk"
        folder.mkdir(mode=0o555)
    done = cli("build", "old.nt", "-o", folder / "x.kg")
    assert done.code == 1
    assert done.err.strip().startswith(f"kgpath: Cannot write {folder}/x.kg: ")
    assert done.err.strip().endswith("Choose another place with -o.")
    assert list(folder.iterdir()) == []


def other_database(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE mine (x)")
    db.commit()
    db.close()


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_text("my thesis\n"),
        lambda path: path.write_bytes(b"x"),
        lambda path: path.write_bytes(bytes(5000)),
        other_database,
    ],
    ids=["text", "one byte", "zeros", "another database"],
)
def test_a_file_that_is_no_graph_is_never_overwritten(make, old: Path, tmp_path: Path) -> None:
    thesis = tmp_path / "thesis"
    make(thesis)
    before = thesis.read_bytes()
    with pytest.raises(BadStore, match="exists and is not a graph file; it stays"):
        kgpath.build([tmp_path / "old.nt"], thesis)
    assert thesis.read_bytes() == before
    assert {p.name for p in tmp_path.iterdir()} == {"old.nt", "x.kg", "x.kg.index", "thesis"}


def test_an_empty_file_may_be_overwritten(old: Path, tmp_path: Path) -> None:
    (tmp_path / "new.kg").touch()  # mktemp makes such files
    assert kgpath.build([tmp_path / "old.nt"], tmp_path / "new.kg").edges == 5


def test_the_source_itself_is_never_overwritten(old: Path, tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="it stays"):
        kgpath.build([tmp_path / "old.nt"], tmp_path / "old.nt")
    assert (tmp_path / "old.nt").read_text() == FACTS


def test_a_full_disk_is_reported_and_changes_nothing(small_disk, cli, tmp_path: Path) -> None:
    disk = small_disk("disk", "size=400k")
    (tmp_path / "few.nt").write_text(FACTS)
    (tmp_path / "many.nt").write_text(MANY)
    kgpath.build([tmp_path / "few.nt"], disk / "x.kg")
    before, listing = (disk / "x.kg").read_bytes(), sorted(disk.rglob("*"))
    done = cli("build", "many.nt", "-o", disk / "x.kg")
    assert done.code == 1
    assert done.out == ""
    assert done.err.strip() == (
        f"kgpath: No space left while writing {disk}/x.kg; nothing was changed. "
        f"Free some space (df -h {disk}) or choose another place with -o."
    )
    assert (disk / "x.kg").read_bytes() == before
    assert sorted(disk.rglob("*")) == listing


def test_wherever_the_disk_fills_up_the_message_is_the_same(small_disk, tmp_path: Path) -> None:
    """The store, its search index and the arrays are written one after the other."""
    disk = small_disk("disk", "size=4m")
    (tmp_path / "many.nt").write_text(MANY[: len(MANY) // 16].rpartition("\n")[0])
    (tmp_path / "few.nt").write_text(FACTS)
    kgpath.build([tmp_path / "few.nt"], disk / "x.kg")
    before, listing = (disk / "x.kg").read_bytes(), sorted(disk.rglob("*"))
    filler = disk / "filler"
    failed = 0
    free = 16
    while True:
        filler.unlink(missing_ok=True)
        left = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
        filler.write_bytes(bytes(left - free * 1024))
        try:
            kgpath.build([tmp_path / "many.nt"], disk / "x.kg")
            break
        except NotWritable as error:
            assert "No space left" in str(error)
        filler.unlink()
        assert (disk / "x.kg").read_bytes() == before
        assert sorted(disk.rglob("*")) == listing
        failed += 1
        free += 24
    assert failed > 5
    assert sound(disk / "x.kg") > 1000


def test_a_full_disk_at_export_leaves_no_half_file(small_disk, old: Path, process) -> None:
    disk = small_disk("disk", "size=8k")
    (disk / "filler").write_bytes(bytes(4096))
    (old.parent / "many.nt").write_text(MANY)
    kgpath.build([old.parent / "many.nt"], old)
    done = process("export", old, "-o", disk / "x.nt")
    assert done.code == 1
    assert done.err.startswith("kgpath: No space left while writing ")  # and no traceback
    assert [path.name for path in disk.iterdir()] == ["filler"]


def test_a_build_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "bad.nt").write_text('<http://x/a> <http://x/height> "180" .\n')
    with pytest.raises(kgpath.errors.BadSource):
        kgpath.build([tmp_path / "bad.nt"], tmp_path / "x.kg")
    assert [path.name for path in tmp_path.iterdir()] == ["bad.nt"]


def test_a_rebuild_of_the_same_content_changes_nothing_but_the_story(old: Path, cli) -> None:
    with kgpath.open(old) as kg:
        before = kg.fingerprint
    done = cli("build", "old.nt", "-o", "x.kg", "--json")
    assert json.loads(done.out)["fingerprint"] == before
    assert sound(old) == 5
