"""Terms as they stand in a query: escaped, or refused. Nothing said can change the query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from kgpath.errors import BadOption, BadSource

# What the grammar allows between < and >, and a scheme in front: never a relative IRI.
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\\ud800-\udfff]*\Z")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile(r'["\\\n\r\t]')
_REFUSED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
# Servers may expand \u0022 before they read the query, even behind a backslash.
_CODE_POINT = re.compile(r"(?<=\\)(?=[uU])")


def is_iri(text: str) -> bool:
    """Whether a text can stand as an IRI in a query."""
    return bool(_IRI.match(text))


def iri(text: str) -> str:
    """An IRI for a query.

    >>> iri("http://dbpedia.org/resource/Roger_Moore")
    '<http://dbpedia.org/resource/Roger_Moore>'
    """
    if not is_iri(text):
        raise BadSource(f"Not an IRI that can be asked for: {text[:200]!r}")
    return f"<{text}>"


def iris(texts: Iterable[str]) -> str:
    """Several, for VALUES."""
    return " ".join(map(iri, texts))


def iri_list(texts: Iterable[str]) -> str:
    """Several, for IN."""
    return ", ".join(map(iri, texts))


def text(value: str) -> str:
    """An expression for a text: mostly a literal in quotes.

    >>> text('The "Heroes"')
    '"The \\\\"Heroes\\\\""'
    """
    if _REFUSED.search(value):
        raise BadSource(f"A text with control characters cannot be asked for: {value[:200]!r}")
    parts = [f'"{_ESCAPED.sub(_escape, part)}"' for part in _CODE_POINT.split(value)]
    return parts[0] if len(parts) == 1 else f"CONCAT({', '.join(parts)})"


def literal(value: str, lang: str = "") -> str:
    """A literal, for places where an expression may not stand."""
    written = text(value)
    if not written.startswith('"'):
        raise BadSource(f"A name with {chr(92)}u in it cannot be asked for: {value[:200]!r}")
    return f"{written}@{language(lang)}" if lang else written


def language(tag: str) -> str:
    """A language tag for a query."""
    if not _LANGUAGE.match(tag):
        raise BadOption(f"{tag!r} is not a language. Write it like: --lang en,de")
    return tag.lower()


def resource(name: str, prefixes: Mapping[str, str]) -> str | None:
    """The IRI that a user means: ``<IRI>``, an IRI or ``dbr:Name``; None if it is none of them."""
    if name[:1] in ("'", '"') or re.match(r'.*"(@|\^\^)', name):
        raise BadOption(
            f"{name} is a literal, not a thing. Name a thing by its IRI, such as "
            "dbr:Roger_Moore, or by its name without quotes."
        )
    if name.startswith("<") and name.endswith(">"):
        name = name[1:-1]
    else:
        prefix, colon, local = name.partition(":")
        if colon and prefix in prefixes:
            name = prefixes[prefix] + local
        elif not re.match(r"(https?://|urn:)", name):
            return None
    if not is_iri(name):
        raise BadOption(f"Not an IRI: {name[:200]!r}")
    return name


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES[match.group()]
