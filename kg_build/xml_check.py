"""XML before it is parsed: how deep its elements are, how long its texts, what it declares.

Ontologies declare short names for namespaces (``<!ENTITY owl "http://www.w3.org/2002/07/owl#">``);
these are allowed. An entity made of other entities can grow without end, and one from another file
would be fetched: both are refused. Nothing is ever fetched.
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from kgpath.errors import BadSource
from kgpath.io.limits import limits, too_much

_MOST_ENTITIES = 1_000
_LONGEST_ENTITY = 200  # characters: with three to refer to it, no file grows to 100 times its size


class XmlCheck:
    """A check for streams of XML, in UTF-8; see :mod:`kgpath.kg_build.checked`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._limits = limits()
        self._entities = self._depth = self._read = self._last = 0
        # Whatever encoding the file says it has, the parser behind us reads UTF-8: so do we.
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = self._entity

    def __call__(self, data: bytes, ended: bool) -> int:
        if b"\0" in data or (not self._read and data[:2] in (b"\xff\xfe", b"\xfe\xff")):
            # Parsers may guess another encoding by these, each its own.
            raise BadSource(f"{self._name} cannot be read: it is not XML in UTF-8.")
        try:
            # Blanks before the first line are common, and parsers of RDF forgive them.
            self._parser.Parse(data if self._read else data.lstrip(), ended)
        except expat.ExpatError as error:
            raise BadSource(
                f"{self._name} cannot be read: it is not whole XML ({error}). Fetch it again, or "
                "unpack it fully first."
            ) from error
        self._read += len(data)
        if self._read - self._last > self._limits.line:
            raise too_much("a text of", "line", self._name)
        return len(data)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._last = self._parser.CurrentByteIndex
        if self._depth > self._limits.nesting:
            raise too_much("elements nested", "nesting", self._name)

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._last = self._parser.CurrentByteIndex

    def _entity(self, name: str, parameter: bool, value: str | None, *_: Any) -> None:
        self._entities += 1
        plain = value is not None and not parameter and not set(value) & set("&%<")
        if not plain or len(value or "") > _LONGEST_ENTITY or self._entities > _MOST_ENTITIES:
            raise BadSource(
                f"{self._name} declares the entity {name[:60]!r} in a way that is not safe to "
                "read: allowed are up to 1,000 short texts without other entities in them. If you "
                f"trust the file, write them out first: xmllint --noent {self._name}"
            )
