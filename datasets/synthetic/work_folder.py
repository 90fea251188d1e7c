"""A place for unfinished work beside the output: whole parts count, everything else is redone."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kgpath.errors import BadOption, NotWritable
from kgpath.io.atomic import being_written, explained, replacing_folder, write_whole
from kgpath.io.lock import locked

_REQUEST = "request.json"
# What this process or a killed one writes: the request, parts by number, and files on their way.
_OWN = re.compile(r"request\.json|lock|\d+-\d+\.(.+\.)?jsonl?|\..+\.kgpath-[0-9a-f]{16}", re.DOTALL)


class WorkFolder:
    """Parts of a request, each of some files and a note that is written last."""

    def __init__(self, output: Path) -> None:
        self.output = output
        self.path = output.with_name(output.name + ".part")

    @contextmanager
    def opened(self, request: Mapping[str, Any]) -> Iterator[None]:
        """Hold the folder for one process; the parts of another request are refused."""
        refuse_filled(self.output)
        with explained(self.output):
            self.output.parent.mkdir(parents=True, exist_ok=True)
            self._refuse_other_folder()
            self.path.mkdir(exist_ok=True)
            with locked(self.path / "lock", being_written(self.output)):
                try:
                    self._claim(dict(request))
                    yield
                except BaseException:
                    if not self._has_parts():
                        shutil.rmtree(self.path, ignore_errors=True)
                    raise

    def _refuse_other_folder(self) -> None:
        """The folder is deleted in the end: one that is not ours must not be taken for it."""
        if not os.path.lexists(self.path):
            return
        folder = self.path.is_dir() and not self.path.is_symlink()
        names = {path.name for path in self.path.iterdir()} if folder else set()
        ours = all(map(_OWN.fullmatch, names)) and (_REQUEST in names or names <= {"lock"})
        if not folder or not ours:
            raise NotWritable(
                f"{self.path} is there already and holds no parts of a dataset. Move it, or choose "
                "another -o."
            )

    def _has_parts(self) -> bool:
        return any(path.name != _REQUEST for path in self.path.glob("*.json"))

    def _claim(self, request: dict[str, Any]) -> None:
        file = self.path / _REQUEST
        plain = json.loads(json.dumps(request))
        try:
            earlier = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            earlier = plain
        except ValueError:
            earlier = None
        if earlier != plain and self._has_parts():
            raise BadOption(
                f"{self.path} holds the parts of another recipe, seed, graph or kgpath. "
                f"Delete it to start again: rm -r {self.path}"
            )
        write_whole(file, json.dumps(plain, indent=2) + "\n")

    def file(self, name: str) -> Path:
        """Where a file of a part belongs."""
        return self.path / name

    def note(self, part: str) -> dict[str, Any] | None:
        """What was noted of a finished part; None if it is not there or not whole."""
        try:
            noted: dict[str, Any] = json.loads(self.file(f"{part}.json").read_text("utf-8"))
            sizes = {name: self.file(name).stat().st_size for name in noted["files"]}
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return noted if sizes == noted["files"] else None

    def finish(self, part: str, texts: Mapping[str, str], noted: Mapping[str, Any]) -> None:
        """Write the files of a part, and only then its note."""
        sizes = {}
        for name, text in texts.items():
            sizes[name] = write_whole(self.file(name), text)
        write_whole(self.file(f"{part}.json"), json.dumps({**noted, "files": sizes}) + "\n")

    @contextmanager
    def dataset(self) -> Iterator[Path]:
        """A folder to fill; it becomes the output when the block ends well, and the parts go."""
        with replacing_folder(self.output, durable=True) as made:
            yield made
            write_checksums(made)
            refuse_filled(self.output)
        shutil.rmtree(self.path)


def refuse_filled(output: Path) -> None:
    """A dataset goes to a new or an empty folder."""
    if output.is_file() or (output.is_dir() and any(output.iterdir())):
        what = "a file" if output.is_file() else "not empty"
        raise NotWritable(f"{output} is {what}. Name a new folder with -o.")


CHECKSUMS = "SHA256SUMS"


def write_checksums(folder: Path) -> None:
    """A line for each file of a folder, as sha256sum reads them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CHECKSUMS)
    lines = []
    for path in files:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        lines.append(f"{digest}  {path.relative_to(folder).as_posix()}\n")
    write_whole(folder / CHECKSUMS, "".join(lines))
