"""Documents that tell the truth: their commands and their Python are run, their output compared.

``console`` blocks: lines that begin with ``$ kgpath`` are run, one after the other in one folder;
the lines below are what they print, ``…`` alone on a line standing for any lines. ``python``
blocks run in the same folder and share their names; a ``text`` block below one holds what it
prints. A ``python`` block whose first line is ``# name.py`` is written to that file instead, and a
``toml`` block announces what is in such files, as a package would that pip has installed.
"""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kgpath.plugins import REGISTRIES

NOT_RUN = ("$ make", "$ git", "$ pip", "$ cd")


class Block(NamedTuple):
    line: int
    language: str
    text: str


def blocks(markdown: str) -> list[Block]:
    found = []
    lines = iter(enumerate(markdown.splitlines(), 1))
    for number, line in lines:
        fence = re.match(r"(`{3,}|~{3,})\s*(\w*)", line)
        if fence:
            inside = []
            for _, text in lines:
                if text.startswith(fence[1]):
                    break
                inside.append(text)
            found.append(Block(number, fence[2], "\n".join(inside)))
    return found


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Each command of a console block, with the lines it should print."""
    current: str | None = None
    expected: list[str] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            if current:
                yield current, expected
            current, expected = line, []
        elif current and current.endswith("\\"):
            current = current[:-1] + line.strip()
        else:
            expected.append(line)
    if current:
        yield current, expected


def fits(expected: list[str], printed: str) -> bool:
    """Whether the output is as promised; trailing blanks and blank ends do not count."""
    pattern = ""
    for line in "\n".join(expected).strip("\n").splitlines():
        pattern += r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line.rstrip()) + r"\n"
    plain = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())
    return re.fullmatch(pattern, plain + "\n" if plain else "") is not None


class Document:
    """A Markdown file whose blocks are run in a folder, which becomes the current one."""

    def __init__(
        self, path: Path, cli: Callable[..., Any], folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.blocks = blocks(path.read_text(encoding="utf-8"))
        self._name, self._cli, self._folder = path.name, cli, folder
        self._names: dict[str, object] = {"__name__": path.stem}
        self._patch = monkeypatch
        self._announced: dict[str, dict[str, str]] = {}

    def run(self) -> Counter[str]:
        """Run every block; how many of each kind there were, and of modules."""
        self._patch.chdir(self._folder)
        kinds: Counter[str] = Counter()
        for block, following in zip(self.blocks, [*self.blocks[1:], None], strict=True):
            kind = block.language
            if kind == "console":
                self._run_commands(block)
            elif kind == "python" and (name := re.match(r"# (\w+\.py)\n", block.text)):
                (self._folder / name[1]).write_text(block.text + "\n", encoding="utf-8")
                kind = "module"
            elif kind == "python":
                shown = following.text if following and following.language == "text" else None
                self._run_python(block, shown)
            elif kind == "toml":
                self._announce(tomllib.loads(block.text)["project"]["entry-points"])
            kinds[kind] += 1
        return kinds

    def _run_commands(self, block: Block) -> None:
        for line, expected in commands(block):
            where = f"{self._name}:{block.line}: {line}"
            if not line.startswith("$ kgpath"):
                assert line.startswith(NOT_RUN), f"{where}: nobody runs it"
                continue
            done = self._cli(*shlex.split(line.removeprefix("$ kgpath")), cwd=self._folder)
            assert done.code == 0, f"{where}\n{done.err}"
            assert fits(expected, done.out), f"{where} prints\n{done.out}"

    def _run_python(self, block: Block, shown: str | None) -> None:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile("\n" * block.line + block.text, self._name, "exec"), self._names)
        printed = out.getvalue()
        where = f"{self._name}:{block.line}"
        assert shown is None or fits(shown.splitlines(), printed), f"{where} prints\n{printed}"

    def _announce(self, groups: dict[str, dict[str, str]]) -> None:
        """Install a package with entry points: its modules lie in the folder."""
        for group, points in groups.items():
            self._announced.setdefault(group, {}).update(points)
        info = self._folder / "example-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: example\nVersion: 1.0\n")
        lines = [
            line
            for group, points in self._announced.items()
            for line in (f"[{group}]", *(f"{name} = {place}" for name, place in points.items()))
        ]
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
        self._patch.syspath_prepend(str(self._folder))
        for registry in REGISTRIES.values():  # they know it from the next look on
            self._patch.setattr(registry, "_entries", None)
