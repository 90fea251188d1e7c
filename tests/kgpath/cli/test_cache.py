"""kgpath cache: what is there is counted, and deleted without harm to a running training."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from kgpath.cli import app
from kgpath.encoders.cached import CachedEncoder
from kgpath.encoders.transformer.cached_tuning import tune_cached
from kgpath.errors import BadOption, NotWritable, UnknownName
from kgpath.io.cache_contents import KINDS
from kgpath.io.disk_cache import cached_array
from kgpath.io.known_files import FileMark
from kgpath.io.lock import lock
from kgpath.io.model_cache import cached_folder, save_cached
from kgpath.kg_build.sparql.page_cache import PageCache, Reply


class Ones:
    identity = "ones"

    def encode(self, texts: list[str]) -> np.ndarray:
        return np.ones((len(texts), 3), dtype=np.float32)


@pytest.fixture
def filled(cache_folder: Path) -> Path:
    """A cache with something of most kinds, written by those that write it, and a strange file."""
    CachedEncoder(Ones()).encode(["a", "b"])
    cached_array("00" * 20, (4,), lambda: np.ones(4, np.float32))
    for kind in ("learned", "tuned"):
        save_cached(cached_folder(kind, kind), lambda to: (to / "weights").write_bytes(b"0" * 1000))
    PageCache("http://localhost/sparql").put("ASK {}", Reply("text/plain", b"yes"))
    FileMark.of([], cache_folder).remember()
    unfinished = cache_folder / "tuning" / ("ab" * 20)
    unfinished.mkdir(parents=True)
    (unfinished / "training.safetensors").write_bytes(b"0" * 500)
    unfinished.with_suffix(".lock").touch()
    (cache_folder / "learned" / "mine.txt").write_text("not of kgpath")
    return cache_folder


def run(*args: str) -> dict:
    done = CliRunner().invoke(app, ["cache", *args, "--json"], catch_exceptions=False)
    assert done.exit_code == 0
    found: dict = json.loads(done.stdout)
    return found


def test_all_kinds_are_counted(filled: Path) -> None:
    found = run("info")
    counts = {name: kind["entries"] for name, kind in found["kinds"].items()}
    assert counts == {
        "vectors": 2, "arrays": 1, "words": 0, "learned": 1, "tuned": 1, "tuning": 1, "index": 0,
        "checked": 1, "sparql": 1,
    }  # fmt: skip
    assert found["folder"] == str(filled) and found["enabled"]
    assert found["kinds"]["tuned"]["bytes"] == 1000
    assert found["bytes"] == sum(kind["bytes"] for kind in found["kinds"].values())


def test_people_read_a_table(filled: Path, cli) -> None:
    done = cli("cache", "info")
    first, head, *rows = done.out.splitlines()
    assert first.startswith(f"{filled}: ") and first.endswith("kB")
    assert head.split() == ["kind", "entries", "size", "what", "it", "is"]
    assert [row.split()[0] for row in rows] == [
        "vectors", "arrays", "learned", "tuned", "tuning", "checked", "sparql",
    ]  # fmt: skip
    assert "KGPATH_USE_CACHE" not in done.err
    assert "KGPATH_USE_CACHE is 0" in cli("cache", "info", env={"KGPATH_USE_CACHE": "0"}).err


def test_clear_deletes_what_kgpath_wrote_and_nothing_else(filled: Path, cli) -> None:
    before = run("info")["bytes"]
    done = cli("cache", "clear")
    assert done.code == 0
    assert done.out.startswith(f"{filled}: freed ") and "tuned 1.0 kB" in done.out
    left = [path for path in filled.rglob("*") if path.is_file()]
    assert left == [filled / "learned" / "mine.txt"]
    assert before > 0 and run("info")["bytes"] == 0
    assert run("clear")["bytes"] == 0


def test_some_kinds_alone(filled: Path) -> None:
    assert run("clear", "--kind", "tuned", "--kind", "arrays")["kinds"].keys() == {
        "tuned", "arrays",
    }  # fmt: skip
    counts = {name: kind["entries"] for name, kind in run("info")["kinds"].items()}
    assert counts["tuned"] == counts["arrays"] == 0 and counts["vectors"] == 2
    with pytest.raises(UnknownName, match=r"No kind 'pages'.*vectors, arrays"):
        run("clear", "--kind", "pages")


def test_what_is_cleared_is_made_again(filled: Path) -> None:
    run("clear")
    assert cached_array("00" * 20, (4,), lambda: np.zeros(4, np.float32)).sum() in (0, 4)
    assert CachedEncoder(Ones()).encode(["a"]).tolist() == [[1, 1, 1]]
    assert run("info")["kinds"]["vectors"]["entries"] == 1


def test_a_running_training_is_left_alone(filled: Path, cli) -> None:
    held = lock(filled / "tuning" / f"{'ab' * 20}.lock")
    assert held is not None
    try:
        done = cli("cache", "clear", "--kind", "tuning")
    finally:
        os.close(held)
    assert "Left alone, as it is being trained now: 1" in done.err
    assert (filled / "tuning" / ("ab" * 20) / "training.safetensors").exists()
    assert run("clear", "--kind", "tuning")["bytes"] == 500


def test_the_lock_is_that_of_a_real_training(cache_folder, film, tiny_bert, monkeypatch) -> None:
    pytest.importorskip("transformers")
    from kgpath.encoders.transformer.kg_bert import KgBert
    from kgpath.encoders.transformer.training import Tuning

    usual = Tuning.run
    seen = []

    def cleared(self: Tuning) -> dict:
        seen.append(run("clear")["in_use"])
        return usual(self)

    monkeypatch.setattr(Tuning, "run", cleared)
    tune_cached(KgBert(base=tiny_bert, steps=1, batch=2, layers=1), film)
    assert seen == [1]


def test_no_folder_yet(cache_folder: Path, cli) -> None:
    for command in ("info", "clear"):
        done = cli("cache", command)
        assert done.code == 0
        assert f"There is no folder {cache_folder} yet: nothing is cached." in done.err
        assert "kind" not in done.out
    assert not cache_folder.exists()


def test_a_file_where_the_folder_should_be(cache_folder: Path) -> None:
    cache_folder.write_text("")
    with pytest.raises(BadOption, match="which is a file: set KGPATH_CACHE"):
        run("info")


def test_a_folder_that_cannot_be_written(filled: Path, small_disk, monkeypatch) -> None:
    import shutil
    import subprocess

    disk = small_disk("read-only", "size=2m")
    shutil.copytree(filled, disk / "cache")
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    monkeypatch.setenv("KGPATH_CACHE", str(disk / "cache"))
    assert run("info")["kinds"]["tuned"]["entries"] == 1
    for kind in ("tuned", "tuning", "vectors"):
        with pytest.raises(NotWritable, match=r"Cannot delete .*: Read-only file system"):
            run("clear", "--kind", kind)


def test_a_damaged_database_is_counted_as_empty_and_deleted(cache_folder: Path) -> None:
    cache_folder.mkdir()
    (cache_folder / "vectors.sqlite").write_bytes(b"no database " * 100)
    assert run("info")["kinds"]["vectors"] == {"entries": 0, "bytes": 1200}
    assert run("clear")["bytes"] == 1200


def test_links_are_not_followed(cache_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").write_text("x" * 99)
    (cache_folder / "tuned").mkdir(parents=True)
    (cache_folder / "tuned" / ("cd" * 20)).symlink_to(tmp_path / "precious")
    run("clear")
    assert (tmp_path / "precious" / "file").exists()
    assert not (cache_folder / "tuned" / ("cd" * 20)).is_symlink()


def test_every_kind_has_a_line_for_the_user() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert all(kind.line for kind in KINDS)
