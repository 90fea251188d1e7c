"""How plug-ins are found by name: built-ins from a table, others announced as entry points.

Listing imports nothing: an entry is a name, one line for the user and the place of the
object, which is imported on first use. Another package adds its own with, for example::

    [project.entry-points."kgpath.sources"]
    neo4j = "my_package.neo4j:read"
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any

from kgpath.errors import BadOption, MissingExtra, UnknownName


@dataclass(frozen=True)
class Entry:
    """One plug-in: where it lives, the line that helps a user choose, the extra it needs."""

    name: str
    target: str
    line: str = ""
    extra: str = ""
    also: tuple[str, ...] = ()
    #: Options that name a file or folder of the user, and what it is: never kept in a model.
    places: tuple[tuple[str, str], ...] = ()


class Registry:
    """All plug-ins of one kind, by name."""

    def __init__(self, kind: str, *builtin: Entry) -> None:
        self.kind = kind
        self.group = f"kgpath.{kind}"
        self._builtin = builtin
        self._entries: dict[str, Entry] | None = None

    def __iter__(self) -> Iterator[Entry]:
        """Every entry once, by name."""
        entries = self._all()
        return (entry for name, entry in sorted(entries.items()) if name == entry.name)

    def __contains__(self, name: str) -> bool:
        return name in self._all()

    def entry(self, name: str) -> Entry:
        """The entry of that name; an unknown name is answered with the known ones."""
        try:
            return self._all()[name]
        except KeyError:
            known = ", ".join(entry.name for entry in self)
            raise UnknownName(f"No {_shown(name)} among the {self.kind}. Known: {known}.") from None

    def load(self, name: str) -> Any:
        """Import and return the object behind a name."""
        entry = self.entry(name)
        module, _, attribute = entry.target.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ImportError as error:
            if not entry.extra:
                raise
            raise MissingExtra(
                f"{name!r} needs {error.name}, which is not installed: "
                f'pip install "kgpath[{entry.extra}]"'
            ) from error

    def make(self, choice: Any, **options: Any) -> Any:
        """A plug-in from a name, a class or an instance; a name may bring options in brackets.

        ``make("tfidf-cosine(scope=window)")``; ``options`` count only where the plug-in has them
        and the name does not say otherwise. A plug-in whose options were renamed has the old names
        in ``RENAMED_OPTIONS``: they work for one more release, with a notice. The most that an
        option may be stands in ``LIMITS``.
        """
        if isinstance(choice, str | int | float):  # a name such as 5 or true was read as a value
            name, said = parse_choice(str(choice))
            choice = self.load(name)
        elif not isinstance(choice, type):
            return choice
        else:
            name, said = choice.__name__, {}
        known = _parameters(choice)
        renamed = getattr(choice, "RENAMED_OPTIONS", {})
        # A subclass may not have the option at all: then nobody is sent to its new name.
        said = _renamed(said, {old: new for old, new in renamed.items() if new in known})
        for option in said:
            if option not in known:
                has = f"it has: {', '.join(known)}" if known else "it has none"
                raise BadOption(f"{name} has no option {_shown(option)}; {has}.")
        given = {k: v for k, v in options.items() if k in known} | _checked(said, choice)
        needed = [option for option in known if known[option] and option not in given]
        if needed:
            raise BadOption(f"{name} needs {', '.join(needed)}: {name}({needed[0]}=…)")
        return choice(**given)

    def _all(self) -> dict[str, Entry]:
        if self._entries is None:
            entries: dict[str, Entry] = {}
            for entry in self._builtin:
                self._put(entries, entry)
            for point in entry_points(group=self.group):
                origin = point.dist.name if point.dist else "another package"
                self._put(entries, Entry(point.name, point.value, f"from {origin}"))
            self._entries = entries
        return self._entries

    def _put(self, entries: dict[str, Entry], entry: Entry) -> None:
        for name in (entry.name, *entry.also):
            if name in entries:
                raise UnknownName(
                    f"Two {self.kind} are called {name!r}: {entries[name].target} and "
                    f"{entry.target}. Uninstall one of the two packages."
                )
            entries[name] = entry


def parse_choice(text: str) -> tuple[str, dict[str, Any]]:
    """The name of a plug-in and the options behind it.

    >>> parse_choice("avg-cosine(vectors=glove.txt, alpha=0.3)")
    ('avg-cosine', {'vectors': 'glove.txt', 'alpha': 0.3})
    """
    name, bracket, rest = text.partition("(")
    name, rest = name.strip(), rest.rstrip()
    if len(text) > _LONGEST or _depth(text) > _DEEPEST:
        raise BadOption(
            f"Cannot read {text[:40]!r}…: it is longer than {_LONGEST:,} letters, or nested more "
            f"than {_DEEPEST} deep."
        )
    if not name or ")" in name or (bracket and not rest.endswith(")")):
        raise BadOption(
            f"Cannot read {_shown(text)}. Write it like: name(option=value, option=value)"
        )
    options: dict[str, Any] = {}
    for part in filter(None, map(str.strip, _split(rest[:-1]))):
        key, equals, value = part.partition("=")
        if not equals:
            raise BadOption(
                f"Cannot read {_shown(part)} in {_shown(text)}. Write it like: option=value"
            )
        options[key.strip()] = _value(value.strip())
    return name, options


def _shown(value: Any) -> str:
    """What was given, as it can stand in a message."""
    text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]}…"


#: No choice that anybody means is longer, or nested deeper.
_LONGEST, _DEEPEST = 20_000, 10


def _depth(text: str) -> int:
    """How deep the brackets of a text are nested."""
    depth = deepest = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        deepest = max(deepest, depth)
    return deepest


def _split(text: str) -> Iterator[str]:
    """At commas, but not within brackets: an option may be a plug-in with options of its own."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)


#: A whole number beyond these makes no sense for any option that does not say otherwise.
_MOST = 2**31 - 1


def _checked(said: dict[str, Any], factory: Any) -> dict[str, Any]:
    """The options of a choice, by the types of the plug-in's parameters and by its LIMITS."""
    kinds = {
        name: getattr(parameter.annotation, "__name__", parameter.annotation)
        for name, parameter in inspect.signature(factory).parameters.items()
    }
    limits: dict[str, int] = {}
    for kind in reversed(getattr(factory, "__mro__", ())):
        limits |= vars(kind).get("LIMITS", {})
    return {
        option: _typed(option, value, kinds[option], limits.get(option, _MOST))
        for option, value in said.items()
    }


def _typed(option: str, value: Any, kind: str, most: int) -> Any:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and abs(value) > most:
        raise BadOption(f"{option} is {value}; it can be at most {most:,}.")
    if kind == "int" and (not number or isinstance(value, float)):
        raise BadOption(f"{option} is {_shown(value)}; it can be a whole number.")
    if kind == "float" and not number:
        raise BadOption(f"{option} is {_shown(value)}; it can be a number.")
    if kind == "bool" and value not in (True, False):
        raise BadOption(f"{option} is {_shown(value)}; it can be true or false.")
    # A file called 300 was read as a number.
    return str(value) if str(kind).startswith("str") else value


def _renamed(options: dict[str, Any], new_names: dict[str, str]) -> dict[str, Any]:
    """The options by their new names; an old one is answered with a notice."""
    for old in options.keys() & new_names.keys():
        renamed_notice(f"{old}=", f"{new_names[old]}=")
    return {new_names.get(option, option): value for option, value in options.items()}


def renamed_notice(old: str, new: str) -> None:
    """Tell the user, once, that an option has another name now."""
    if old not in _NOTICED and not _SILENT.get():
        _NOTICED.add(old)
        print(
            f"kgpath: {old} is called {new} now; the old name goes with the next release",
            file=sys.stderr,
        )


@contextmanager
def without_notices() -> Iterator[None]:
    """Within the block old names are taken without a word: nobody can change a saved model's."""
    token = _SILENT.set(True)
    try:
        yield
    finally:
        _SILENT.reset(token)


_NOTICED: set[str] = set()
_SILENT: ContextVar[bool] = ContextVar("_SILENT", default=False)


def _parameters(factory: Any) -> dict[str, bool]:
    """The options of a plug-in, and whether it cannot do without."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(factory).parameters.values()
    return {p.name: p.default is p.empty for p in parameters if p.kind in kinds}
