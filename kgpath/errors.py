"""The few exceptions kgpath raises; the command line turns each into one message."""

from __future__ import annotations

from collections.abc import Sequence


class KgpathError(Exception):
    """Something a user can mend; the text says what happened and what to do next."""


class BadSource(KgpathError):
    """A source file cannot be read, or holds no graph."""


class BadStore(KgpathError):
    """A graph file is missing, is not one, or has a version this kgpath cannot use."""


class NotWritable(KgpathError):
    """A place cannot be written: read-only, full, or in use by another build."""


class UnknownName(KgpathError):
    """A plug-in, relation, class or option value that does not exist; lists those that do."""


class BadOption(KgpathError):
    """An option has a value that makes no sense; says which values do."""


class SameEntity(KgpathError):
    """Both ends of a query are the same entity."""


class MissingExtra(KgpathError):
    """A part needs an optional dependency; says what to install."""


class UnknownEntity(KgpathError):
    """No entity has this IRI, label or alias; ``closest`` holds similar labels."""

    def __init__(self, name: str, closest: Sequence[str] = (), where: str = "") -> None:
        self.name = name
        self.closest = tuple(closest)
        text = f"No entity {name!r}."
        if self.closest:
            text += " Closest: " + ", ".join(self.closest) + "."
        if where:
            text += f" See: kgpath find {where} {name!r}"
        super().__init__(text)


class AmbiguousEntity(KgpathError):
    """Several entities share this name; ``choices`` holds (label, types, IRI) of each."""

    def __init__(self, name: str, choices: Sequence[tuple[str, str, str]]) -> None:
        self.name = name
        self.choices = tuple(choices)
        lines = [f"{name!r} names {len(choices)} entities. Say which by its IRI:"]
        lines += [
            f"  {iri}  ({label}, {types})" if types else f"  {iri}  ({label})"
            for label, types, iri in choices
        ]
        super().__init__("\n".join(lines))
