"""What to take from the sources: relations, types, languages, and how large a hub may be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from kgpath.errors import UnknownName
from kgpath.lexicon.text import local_name
from kgpath.storage.namespaces import DBO, PREFIXES

#: Named sets of types. ``film`` is the one of Lo & Lim (2023), section 7.2.1.
TYPE_PRESETS = {
    "film": tuple(
        DBO + name
        for name in (
            "Artist", "Work", "MovieDirector", "TelevisionDirector", "TheatreDirector", "Writer",
            "Person", "Film",
        )
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Filters:
    """What a build takes. Empty means everything.

    ``keep`` and ``drop`` name relations and ``types`` names classes: by IRI, as ``dbo:starring``,
    or by last part alone, ``*`` allowed. An entity passes ``types`` if it has one of them or a
    subclass. ``hub_cap`` leaves out entities with more facts than that.
    """

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ("en",)
    hub_cap: int = 0

    def language_rank(self) -> Callable[[str], int | None]:
        """How welcome a language tag is: 0 the most, None not at all; no tag comes last."""
        ranks = {language.lower(): rank for rank, language in enumerate(self.languages)}
        last = len(ranks)

        def rank(tag: str) -> int | None:
            if not tag:
                return last
            primary = tag.lower().partition("-")[0]
            found = ranks.get(primary)
            return found if found is not None or ranks else last + 1

        return rank


def languages_of(text: str) -> tuple[str, ...]:
    """The languages that a text lists, the preferred first; ``all`` is any.

    >>> languages_of("en, de"), languages_of("all")
    (('en', 'de'), ())
    """
    return () if text == "all" else tuple(part.strip() for part in text.split(",") if part)


def matcher(patterns: Iterable[str], prefixes: Mapping[str, str]) -> Callable[[str], bool]:
    """A test whether an IRI is meant by one of the patterns."""
    by_iri, by_name = [], []
    for pattern in patterns:
        prefix, colon, local = pattern.partition(":")
        if colon and prefix in prefixes:
            by_iri.append(prefixes[prefix] + local)
        elif colon:
            by_iri.append(pattern)
        else:
            by_name.append(pattern)

    def matches(iri: str) -> bool:
        return any(fnmatchcase(iri, pattern) for pattern in by_iri) or any(
            fnmatchcase(local_name(iri), pattern) for pattern in by_name
        )

    return matches


def wanted_classes(
    names: Iterable[str], classes: Iterable[str], prefixes: Mapping[str, str]
) -> set[str]:
    """The classes that type names stand for; presets are expanded.

    A class of a preset may be absent from the data, one that the user typed may not.
    """
    known = list(classes)
    wanted: set[str] = set()
    for name in names:
        preset = TYPE_PRESETS.get(name)
        is_meant = matcher(preset or (name,), {**PREFIXES, **prefixes})
        found = {iri for iri in known if is_meant(iri)}
        if not found and not preset:
            raise UnknownName(unknown_class(name, known))
        wanted |= found
    return wanted


def unknown_class(name: str, known: Iterable[str]) -> str:
    """What to say of a class that is not among the known ones."""
    from rapidfuzz import process

    names = sorted({local_name(iri) for iri in known})
    close = [match[0] for match in process.extract(name, names, limit=3, score_cutoff=60)]
    hint = f" Closest: {', '.join(close)}." if close else ""
    return (
        f"No class {name!r} in the sources.{hint} Types come from rdf:type statements; "
        f"presets: {', '.join(TYPE_PRESETS)}."
    )
