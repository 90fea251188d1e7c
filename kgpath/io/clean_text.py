r"""Text of strangers for terminals and files: what could do harm there is shown as ``\uXXXX``.

Control characters and escape sequences can rewrite a screen, and bidirectional overrides turn
words round. ``\uXXXX`` tells a person what is there, and within a JSON string it means the same
character: so one form serves both. Lone surrogates, and what the encoding of a stream cannot hold,
come out in the same way.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from typing import Any, TextIO, cast

# All C0 but tab and newline, DEL and C1; separators of lines and paragraphs; bidirectional
# embeddings, overrides and isolates; surrogates.
_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", re.UNICODE
)

#: For ``open(…, errors=ESCAPED)``: nothing that we write fails because of its characters.
ESCAPED = "kgpath.escaped"


def clean(text: str) -> str:
    r"""The text with everything harmful as ``\uXXXX``.

    >>> print(clean("red \x1b[31m, turned \u202e round"))
    red \u001b[31m, turned \u202e round
    """
    return _HARMFUL.sub(lambda found: _escape(found[0]), text)


def _escape(text: str) -> str:
    """Every character as JSON escapes it, those past U+FFFF as two."""
    units = text.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _escape_unencodable(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return _escape(error.object[error.start : error.end]), error.end


codecs.register_error(ESCAPED, _escape_unencodable)


class Stream:
    """A text stream in front of another one."""

    def __init__(self, stream: TextIO | Stream) -> None:
        self.behind = cast(TextIO, stream)

    def write(self, text: str) -> int:
        return self.behind.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        self.behind.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.behind, name)


class CleanStream(Stream):
    """A text stream that lets nothing harmful through."""

    def write(self, text: str) -> int:
        self.behind.write(clean(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        # Without the bytes below, nobody can make a stream of their own past this one.
        if name in ("buffer", "detach", "reconfigure"):
            raise AttributeError(name)
        return super().__getattr__(name)


def unescaped(stream: TextIO) -> TextIO:
    """The stream behind a clean one, for whoever cleaned every text and adds our own colours."""
    return stream.behind if isinstance(stream, CleanStream) else stream


def displayed(text: str, stream: TextIO) -> str:
    """The text as this stream will show it, so that its width is known."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return clean(text).encode(encoding, ESCAPED).decode(encoding)
