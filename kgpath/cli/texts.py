"""The text of a query, from the command line, a file or a pipe."""

from __future__ import annotations

from typing import Annotated

import typer

from kgpath.cli.own_input import READS

ContextFile = Annotated[
    str | None, typer.Option("--context", help="A text: a file, or - for standard input."), READS
]
Text = Annotated[str | None, typer.Option("--text", help="A text itself.")]
Encoding = Annotated[str, typer.Option(help="Encoding of the --context file.")]


def read_text(context: str | None, text: str | None, encoding: str) -> str | None:
    """What was given as ``--text`` or ``--context``; None if neither was."""
    if context is not None and text is not None:
        raise typer.BadParameter("--text and --context exclude each other")
    if context is None:
        return None if text is None else text.encode("utf-8", "replace").decode()
    return decoded(_bytes(context), "standard input" if context == "-" else context, encoding)


def decoded(data: bytes, name: str, encoding: str) -> str:
    """Bytes as text, or an error that says which encoding they may be in."""
    from kgpath.errors import BadOption, BadSource

    try:
        "".encode(encoding)
    except (LookupError, UnicodeError):
        raise BadOption(
            f"There is no encoding {encoding!r}. Common: utf-8, cp1252, utf-16."
        ) from None
    try:
        # A mark at the beginning belongs to the encoding, not to the text.
        return data.decode("utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding)
    except UnicodeDecodeError as error:
        raise BadSource(
            f"{name} is not {encoding} text (byte {error.start:,}). It may be {_guess(data)}: "
            f"--encoding {_guess(data)}"
        ) from error


def _bytes(name: str) -> bytes:
    from kgpath.errors import BadSource
    from kgpath.io.streams import MissingFile, read_whole

    try:
        return read_whole(name)
    except MissingFile as error:
        raise BadSource(f"{error} To give the text itself: --text") from None
    except IsADirectoryError:
        raise BadSource(f"{name} is a folder, not a text.") from None


def _guess(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "utf-16"
    return "cp1252" if b"\x00" not in data else "utf-16-le"
