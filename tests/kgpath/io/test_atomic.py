"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kgpath.errors import NotWritable
from kgpath.io.atomic import replacing, replacing_folder, write_whole


def fill(folder: Path, text: str) -> None:
    with replacing_folder(folder) as building:
        assert list(building.iterdir()) == []
        (building / "a.txt").write_text(text)


def test_a_folder_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "out"
    fill(folder, "first")
    (folder / "more.txt").write_text("")
    fill(folder, "second")
    assert [path.name for path in folder.iterdir()] == ["a.txt"]
    assert (folder / "a.txt").read_text() == "second"
    assert [path.name for path in folder.parent.iterdir()] == ["out"]
    assert folder.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("error", [OSError(28, "No space left"), KeyboardInterrupt(), ValueError()])
def test_a_block_that_fails_leaves_the_old_folder(tmp_path: Path, error: BaseException) -> None:
    fill(tmp_path / "out", "old")
    with pytest.raises(type(error)), replacing_folder(tmp_path / "out") as building:
        (building / "a.txt").write_text("new")
        raise error
    assert (tmp_path / "out" / "a.txt").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_full_disk_leaves_the_old_folder(small_disk: Callable[..., Path]) -> None:
    disk = small_disk()
    fill(disk / "out", "old")
    with pytest.raises(OSError, match="No space"), replacing_folder(disk / "out") as building:
        (building / "large").write_bytes(bytes(100_000_000))
    assert (disk / "out" / "a.txt").read_text() == "old"
    assert [path.name for path in disk.iterdir()] == ["out"]


KILLED = """
import sys
from pathlib import Path
from kgpath.io.atomic import replacing_folder
with replacing_folder(Path(sys.argv[1])) as building:
    (building / "half").write_text("")
    print("writing", flush=True)
    sys.stdin.read()
"""


def test_the_leftover_of_a_killed_process_goes_but_not_that_of_a_running_one(
    tmp_path: Path,
) -> None:
    fill(tmp_path / "out", "old")
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, tmp_path / "out"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline() == b"writing\n"
        fill(tmp_path / "another", "mine")
        assert len(list(tmp_path.iterdir())) == 3  # the running one keeps its folder
        other.kill()
        other.wait()
    assert (tmp_path / "out" / "a.txt").read_text() == "old"
    fill(tmp_path / "out", "new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["another", "out"]


def test_where_another_process_was_faster_its_folder_stays(tmp_path: Path) -> None:
    with replacing_folder(tmp_path / "out") as building:
        (building / "a.txt").write_text("slow")
        really = Path.rename

        def outrun(path: Path, target: Path) -> Path:
            if path == building:
                (tmp_path / "out").mkdir()
                (tmp_path / "out" / "a.txt").write_text("fast")
            return really(path, target)

        patch = pytest.MonkeyPatch()
        patch.setattr(Path, "rename", outrun)
    patch.undo()
    assert (tmp_path / "out" / "a.txt").read_text() == "fast"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_file_in_the_way_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(OSError), replacing_folder(tmp_path / "out"):
        pass
    assert (tmp_path / "out").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_small_file_is_there_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert write_whole(tmp_path / "a", "näh") == 4
    assert write_whole(tmp_path / "a", b"\xff") == 1

    def interrupted(*paths: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a", "new")
    assert (tmp_path / "a").read_bytes() == b"\xff"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_second_writer_of_a_file_is_refused(tmp_path: Path) -> None:
    with (
        replacing(tmp_path / "a") as temporary,
        pytest.raises(NotWritable, match="a is being written by another kgpath"),
        replacing(tmp_path / "a"),
    ):
        pass
    assert not temporary.exists()


def test_an_old_folder_is_swapped_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "out", "old")
    monkeypatch.setattr(Path, "rename", None)  # two renames would leave a moment without a folder
    fill(tmp_path / "out", "new")
    assert (tmp_path / "out" / "a.txt").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_killed_between_two_renames_the_old_folder_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where folders cannot be swapped in one step.
    monkeypatch.setattr("kgpath.io.atomic._exchange", lambda one, other: False)
    fill(tmp_path / "out", "old")
    fill(tmp_path / "out", "older")
    really = Path.rename

    def killed(path: Path, target: Path) -> Path:
        if path.name == "out":
            return really(path, target)
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", killed)
        patch.setattr("shutil.rmtree", lambda *arguments, **options: None)
        with pytest.raises(SystemExit):
            fill(tmp_path / "out", "new")
    assert not (tmp_path / "out").exists()
    fill(tmp_path / "another", "mine")
    assert (tmp_path / "out" / "a.txt").read_text() == "older"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["another", "out"]


def test_a_file_to_be_changed_has_no_other_place(tmp_path: Path) -> None:
    with (
        replacing(tmp_path / "a"),
        pytest.raises(NotWritable, match=r"being written by another kgpath. Wait for it\.$"),
        replacing(tmp_path / "a", given=True),
    ):
        pass
