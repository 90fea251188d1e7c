"""Locks: one process at a time, refused or in turn."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kgpath.errors import NotWritable
from kgpath.io.lock import lock, locked, locked_folder, locked_in_turn


def test_a_second_one_is_refused_until_the_first_is_done(tmp_path: Path) -> None:
    with (
        locked(tmp_path / "lock", "busy"),
        pytest.raises(NotWritable, match="someone else is here"),
        locked(tmp_path / "lock", "someone else is here"),
    ):
        pass
    with locked(tmp_path / "lock", "busy"):
        pass


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    code = "import sys; from pathlib import Path; from kgpath.io.lock import lock\n"
    code += "lock(Path(sys.argv[1])); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code, tmp_path / "lock"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert lock(tmp_path / "lock") is None
        other.kill()
        other.wait()
        with locked(tmp_path / "lock", "busy"):
            pass


def test_who_waits_its_turn_says_so_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "new").mkdir()
    held = lock(tmp_path / "new" / "lock")
    assert held is not None
    entered = threading.Event()

    def second() -> None:
        with locked_in_turn(tmp_path / "new" / "lock", "waiting for it"):
            entered.set()

    thread = threading.Thread(target=second)
    thread.start()
    thread.join(0.2)
    assert not entered.is_set()
    os.close(held)
    thread.join()
    assert entered.is_set()
    assert capsys.readouterr().err == "kgpath: waiting for it\n"


def test_where_nothing_can_be_written_nobody_waits(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = False
    with locked_in_turn(tmp_path / "file" / "lock", "waiting"):
        ran = True
    assert ran


def test_a_lock_on_a_file_that_was_renamed_meanwhile_is_not_taken_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, opened = tmp_path / "lock", []
    really = os.open

    def renamed_once(name: Path, *rest: int) -> int:
        descriptor = really(name, *rest)
        if not opened:
            os.replace(path, tmp_path / "output")
        opened.append(descriptor)
        return descriptor

    monkeypatch.setattr(os, "open", renamed_once)
    descriptor = lock(path)
    monkeypatch.undo()
    assert descriptor is not None
    assert len(opened) == 2
    assert os.path.samestat(os.fstat(descriptor), path.stat())
    os.close(descriptor)


def test_folders_too(tmp_path: Path) -> None:
    with locked_folder(tmp_path) as first, locked_folder(tmp_path) as second:
        assert (first, second) == (True, False)
    with locked_folder(tmp_path / "not there") as held:
        assert not held
    assert list(tmp_path.iterdir()) == []


def test_a_link_in_the_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to("elsewhere")
    with (
        pytest.raises(NotWritable, match="is a symbolic link where a lock belongs"),
        locked(tmp_path / "lock", "busy"),
    ):
        pass
    assert not (tmp_path / "elsewhere").exists()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    with locked_folder(tmp_path / "link") as held:
        assert not held
