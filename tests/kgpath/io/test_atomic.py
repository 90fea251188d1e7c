"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kgpath.errors import NotWritable
from kgpath.io.atomic import open_text, replacing, replacing_folder, write_whole


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


def killed_at(step: int, folder: Path, work: Callable[[], None]) -> bool:
    """Do some work in a process that is killed just before its n-th step on files of a folder.

    Returns whether there was such a step.
    """
    child = os.fork()
    if not child:
        seen = 0

        def count(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal seen
            if event in STEPS and any(str(folder) in str(a) for a in arguments):
                seen += 1
                if seen == step:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        try:
            work()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


STEPS = {
    "open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.listdir",
    "os.scandir", "shutil.rmtree", "pathlib.Path.glob",
}  # fmt: skip


@pytest.mark.parametrize("there", [True, False])
def test_killed_at_any_step_a_file_is_the_old_one_or_the_new_one(
    tmp_path: Path, there: bool
) -> None:
    def write(text: str = "new") -> None:
        with replacing(tmp_path / "a") as temporary:
            temporary.write_text(text)

    step = 1
    while True:
        if there:
            write("old")
        else:
            (tmp_path / "a").unlink(missing_ok=True)
        if not killed_at(step, tmp_path, write):
            break
        left = (tmp_path / "a").read_text() if (tmp_path / "a").exists() else "none"
        assert left in ("old" if there else "none", "new")
        write("next")
        assert [path.name for path in tmp_path.iterdir()] == ["a"]
        step += 1
        assert step < 500
    assert step > 5


@pytest.mark.parametrize("swap", [True, False])
def test_killed_at_any_step_a_folder_is_the_old_one_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, swap: bool
) -> None:
    if not swap:
        monkeypatch.setattr("kgpath.io.atomic._exchange", lambda one, other: False)
    folder = tmp_path / "out"
    step = 1
    while True:
        fill(folder, "old")
        if not killed_at(step, tmp_path, lambda: fill(folder, "new")):
            break
        if swap or folder.exists():
            assert (folder / "a.txt").read_text() in ("old", "new")
        # Without a swap, what was set aside comes back with the next work there.
        fill(tmp_path / "another", "mine")
        assert (folder / "a.txt").read_text() in ("old", "new")
        fill(folder, "next")
        assert sorted(path.name for path in tmp_path.iterdir()) == ["another", "out"]
        step += 1
        assert step < 500
    assert step > 8


def test_what_is_written_is_new_and_hard_to_guess(tmp_path: Path) -> None:
    names = set()
    for _ in range(3):
        with replacing(tmp_path / "a") as temporary:
            assert temporary.read_bytes() == b""
            assert temporary.stat().st_nlink == 1
            names.add(temporary.name)
    assert len(names) == 3
    assert all(re.fullmatch(r"\.a\.kgpath-[0-9a-f]{16}", name) for name in names)


def test_leftovers_of_others_and_links_are_not_swept(tmp_path: Path) -> None:
    keep = [".a.kgpath-mine", ".b.kgpath-0123456789abcdef", ".ab.kgpath-0123456789abcdef"]
    for name in (*keep, ".a.kgpath-0123456789abcdef", ".a.kgpath-0123456789abcdee-journal"):
        (tmp_path / name).write_text("")
    (tmp_path / ".a.kgpath-fedcba9876543210").symlink_to("somewhere")
    with replacing(tmp_path / "a") as temporary:
        temporary.write_text("new")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["a", *keep, ".a.kgpath-fedcba9876543210"]
    )


def test_a_link_among_leftovers_of_folders_stays(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "x").write_text("")
    (tmp_path / ".kgpath-building-1").symlink_to("mine")
    fill(tmp_path / "out", "new")
    assert (tmp_path / "mine" / "x").exists() and (tmp_path / ".kgpath-building-1").is_symlink()


def test_a_private_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o400)
    with replacing(tmp_path / "a") as temporary:
        assert temporary.stat().st_mode & 0o777 == 0o600
        temporary.write_text("new")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o400
    assert (tmp_path / "a").read_text() == "new"


def test_a_small_file_replaces_a_link_and_not_what_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "a").symlink_to("mine")
    write_whole(tmp_path / "a", "new")
    assert (tmp_path / "mine").read_text() == "mine"
    assert not (tmp_path / "a").is_symlink()


def test_only_a_database_may_take_the_place_of_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"SQLite format 3\0 and more")
    with (
        pytest.raises(NotWritable, match="a is a database, such as a graph file; it stays"),
        replacing(tmp_path / "a"),
    ):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    with replacing(tmp_path / "a", database=True) as temporary:
        temporary.write_text("new")
    assert (tmp_path / "a").read_text() == "new"


def test_text_with_a_lone_surrogate_can_be_written(tmp_path: Path) -> None:
    with open_text(tmp_path / "a") as file:
        file.write("é\ud800\n")
    assert (tmp_path / "a").read_bytes() == "é\\ud800\n".encode()
    assert write_whole(tmp_path / "b", "\ud800") == 6


def test_a_new_folder_that_was_taken_for_a_leftover_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, really = [], Path.mkdir

    def swept_once(path: Path, *arguments: object, **options: object) -> None:
        really(path, *arguments, **options)  # type: ignore[arg-type]
        if path.name.startswith(".kgpath-building-"):
            made.append(path)
            if len(made) == 1:
                path.rmdir()

    monkeypatch.setattr(Path, "mkdir", swept_once)
    fill(tmp_path / "out", "new")
    assert len(made) == 2
    assert (tmp_path / "out" / "a.txt").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
