"""What a user may set: which experiments to make, with which parts, on which queries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from kgpath.encoders.context_scope import SCOPES
from kgpath.errors import BadOption
from kgpath.learning.examples import CANDIDATES
from kgpath.paths import DEFAULT_LIMIT
from kgpath.registry import parse_choice, renamed_notice

#: A third of the usual training, in use after that; no limit of time, so that it comes out again.
PATH = "path-vae(paths=50000, epochs=8, budget=600)"
#: PED by an encoder that no ranker learned with: else it rewards what it was made of.
PED = "path-vae(seed=1, paths=20000, epochs=6, budget=600)"

#: Context encoders that tune a transformer.
TRANSFORMERS = ("bert", "kg-bert", "k-bert", "kepler")
#: For --quick, where a part has such an option: of encoders of texts, of paths, of rankers.
QUICK_TRANSFORMER = {"steps": 2, "minutes": 0.2}
QUICK_CONTEXT = {"dim": 16}
QUICK_PATH = {"paths": 1000, "epochs": 2, "hidden": 16, "latent": 8}
QUICK_RANKER = {"epochs": 2, "trees": 10, "hop_trees": 10, "rounds": 1}
#: And so many queries to learn from and to measure on.
QUICK_QUERIES = 60


#: Kinds of rankers: two of the paper, two more readings of learning to rank, the others.
RANKERS = ("ltr", "binary", "truncated", "listwise", "baselines", "ours")
#: Options by their old names, which work for one more release.
RENAMED = {"ranges": "scopes"}


@dataclass(frozen=True)
class Settings:
    """The options of ``--set``.

    ``contexts`` narrows and configures the encoders (``tfidf, kepler(minutes=60)``), ``scopes`` and
    ``rankers`` narrow the rest; ``ltr`` and ``binary`` are the two rankers of the paper,
    ``truncated`` and ``listwise`` other readings of learning to rank, ``ours`` the one beyond it;
    ``path`` is the path encoder, ``ped`` the one that PED and the distance of candidates go by.
    ``train`` is a file to learn from instead of the data's own, ``test`` the split to measure on,
    ``folds`` asks for cross-validation over everything. ``queries`` is how many to measure on at
    most.
    """

    contexts: str = ""
    scopes: str = ""
    rankers: str = ""
    path: str = PATH
    ltr: str = "xendcg"
    binary: str = "binary"
    truncated: str = "xendcg(relevance=truncated)"
    listwise: str = "listwise"
    ours: str = "kgpath-ltr"
    ped: str = PED
    train: str = ""
    test: str = ""
    folds: int = 0
    candidates: str = ""
    max_hops: int = 4
    limit: int = DEFAULT_LIMIT
    vectors: str = ""
    queries: int = 0
    seed: int = 0
    quick: bool = False

    @classmethod
    def of(cls, given: Mapping[str, str], quick: bool) -> Settings:
        """Read the options; one that is not known is answered with those that are."""
        known = {field.name: field for field in fields(cls) if field.name != "quick"}
        values: dict[str, Any] = {"quick": quick}
        for given_name, text in given.items():
            name = RENAMED.get(given_name, given_name)
            if name != given_name:
                renamed_notice(f"{given_name}=", f"{name}=")
            if name not in known:
                raise BadOption(f"No option {name!r} here. There are: {', '.join(known)}.")
            if isinstance(known[name].default, int):
                if not re.fullmatch(r"\d+", text):
                    raise BadOption(f"{name} is {text!r}; it can be a whole number.")
                values[name] = int(text)
            else:
                values[name] = text
        made = cls(**values)
        made.check()
        return made

    def check(self) -> None:
        """Refuse values that make no sense, before the work."""
        for name, known in (
            ("scopes", SCOPES),
            ("rankers", RANKERS),
        ):
            for value in names_in(getattr(self, name)):
                if value not in known:
                    raise BadOption(f"{name} has {value!r}; it can be {', '.join(known)}.")
        if self.candidates not in ("", *CANDIDATES):
            raise BadOption(
                f"candidates is {self.candidates!r}; it can be {' or '.join(CANDIDATES)}."
            )
        if self.folds == 1 or not 1 <= self.max_hops <= 6 or self.limit < 1:
            raise BadOption(
                f"folds is {self.folds}, max_hops {self.max_hops}, limit {self.limit}: 2 folds or "
                "more, 1 to 6 hops, a limit of 1 or more."
            )

    def context(self, name: str) -> str | None:
        """An encoder with the options given for it; None if it was left out."""
        wanted = {parse_choice(choice)[0]: choice for choice in names_in(self.contexts)}
        choice = wanted.get(name) if wanted else name
        if choice and self.quick and name in TRANSFORMERS:
            return with_options(choice, **QUICK_TRANSFORMER)
        return choice

    def wants(self, name: str, value: str) -> bool:
        """Whether ``scopes`` or ``rankers`` leave this one in."""
        wanted = names_in(getattr(self, name))
        return not wanted or value in wanted


def names_in(text: str) -> list[str]:
    """Choices by commas, each with its options in brackets.

    >>> names_in("tfidf, kepler(minutes=60, seed=1)")
    ['tfidf', 'kepler(minutes=60, seed=1)']
    """
    return [part.strip() for part in re.split(r",(?![^()]*\))", text) if part.strip()]


def with_options(choice: str, **options: object) -> str:
    """A choice with further options, unless it says otherwise.

    >>> with_options("kepler(minutes=60)", scope="window")
    'kepler(minutes=60, scope=window)'
    """
    name, said = parse_choice(choice)
    every = {**said, **{key: value for key, value in options.items() if key not in said}}
    inside = ", ".join(f"{key}={value}" for key, value in every.items())
    return f"{name}({inside})" if inside else name
