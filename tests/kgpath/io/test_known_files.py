"""A file is known as it was remembered, and in no other place or state."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from kgpath.io import known_files
from kgpath.io.known_files import FileMark

pytestmark = pytest.mark.usefixtures("page_cache")


def mark(path: Path, *about: object) -> FileMark:
    return FileMark.of([path], path, *about)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    return path


def test_a_file_is_known_once_it_is_remembered(file: Path) -> None:
    assert not mark(file).is_known()
    mark(file).remember()
    assert mark(file).is_known()
    assert not mark(file, "for something else").is_known()


def test_a_changed_file_is_not_known_even_with_its_old_size_and_time(file: Path) -> None:
    for content in (b"two", b"six") * 20:  # right after it was remembered, too
        mark(file).remember()
        before = file.stat()
        file.write_bytes(content)
        assert not mark(file).is_known()
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert not mark(file).is_known()


def test_a_copy_a_renamed_file_and_one_in_its_place_are_not_known(file: Path) -> None:
    mark(file).remember()
    copy = Path(shutil.copy2(file, file.with_name("copy")))
    assert not mark(copy).is_known()
    os.replace(copy, file)
    assert not mark(file).is_known()
    mark(file).remember()
    assert not mark(file.rename(file.with_name("renamed"))).is_known()


def test_a_link_to_a_known_file_is_not_the_file(file: Path) -> None:
    mark(file).remember()
    moved = file.rename(file.with_name("moved"))
    file.symlink_to(moved)
    assert not mark(file).is_known()


def test_the_oldest_marks_go(tmp_path: Path, page_cache: Path, monkeypatch) -> None:
    monkeypatch.setattr(known_files, "MOST", 4)
    marks = [FileMark.of([], tmp_path, number) for number in range(5)]
    for number, one in enumerate(marks):
        one.remember()
        os.utime(page_cache / "checked" / one.name, ns=(number, number))
    assert [one.is_known() for one in marks] == [False, False, True, True, True]


def test_where_nothing_can_be_written_nothing_is_known(file: Path, page_cache: Path) -> None:
    page_cache.write_text("a file where the folder should be")
    mark(file).remember()
    assert not mark(file).is_known()
