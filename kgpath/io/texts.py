"""Texts of a folder, or of a file of JSON lines, to be asked about one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgpath.errors import BadSource
from kgpath.io.lines import read_lines
from kgpath.io.plain_data import from_json
from kgpath.io.streams import read_whole

#: What a text in a folder is called at its end.
ENDINGS = (".txt", ".text", ".md")
#: Fields of a line that mean something; others are left alone.
FIELDS = ("id", "text", "document", "head", "tail")

#: Makes a text of the bytes of a file of this name; BadSource says what is wrong with them.
Decode = Callable[[bytes, str], str]


@dataclass(frozen=True)
class GivenText:
    """A text, what it is called, and the entities that are asked about, where it says so."""

    id: str
    text: str
    head: str | None = None
    tail: str | None = None


class TextFiles:
    """The texts of a folder or a file. ``problems`` names those that could not be used, and why.

    A line of a file has ``text`` (or ``document``), and perhaps ``id``, ``head`` and ``tail``. Of a
    folder every file that ends in ``.txt``, ``.text`` or ``.md`` is a text, called by its path.
    """

    def __init__(self, path: str | Path, decode: Decode | None = None) -> None:
        self.path = path
        self.problems: list[str] = []
        self._decode = decode or _utf8
        name = "standard input" if str(path) == "-" else Path(path).name
        is_folder = str(path) != "-" and Path(path).is_dir()
        self.texts = list(self._of_folder(Path(path)) if is_folder else self._of_lines(name))
        if not self.texts:
            first = f" First problem: {self.problems[0]}" if self.problems else ""
            wanted = (
                f"It needs files that end in {', '.join(ENDINGS)}."
                if is_folder
                else "Write one JSON object a line, with text and, if you like, id, head and tail."
            )
            raise BadSource(f"{name} holds no text. {wanted}{first}")

    def _of_folder(self, folder: Path) -> Iterator[GivenText]:
        files = (path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS)
        for path in sorted(path for path in files if path.is_file()):
            name = path.relative_to(folder).as_posix()
            try:
                text = self._decode(read_whole(path), name)
            except (BadSource, OSError) as error:
                self.problems.append(str(error))
                continue
            if text.strip():
                yield GivenText(name, text)
            else:
                self.problems.append(f"{name}: it is empty")

    def _of_lines(self, name: str) -> Iterator[GivenText]:
        def bad(number: int, reason: str) -> None:
            self.problems.append(f"{name}:{number}: {reason}")

        for number, line in enumerate(read_lines(self.path, bad), 1):
            if not line.strip():
                continue
            try:
                yield text_of(from_json(line), number)
            except ValueError as error:
                bad(number, str(error))


def text_of(data: Any, line: int) -> GivenText:
    """A text from plain data; ValueError says what is wrong with it."""
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    text = data.get("text", data.get("document"))
    if not isinstance(text, str) or not text.strip():
        raise ValueError("no text")
    ends = [data.get("head"), data.get("tail")]
    for end in ends:
        if end is not None and (not isinstance(end, str) or not end.strip()):
            raise ValueError("head and tail are names or IRIs")
    if None in ends and ends != [None, None]:
        raise ValueError("it names one entity: give head and tail, or neither")
    name = data.get("id")
    return GivenText(f"line {line}" if name in (None, "") else str(name), text, *ends)


def _utf8(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadSource(f"{name} is not utf-8 text (byte {error.start:,})") from error
