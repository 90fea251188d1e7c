"""A recipe says what dataset to generate: a TOML file of knobs, every one of them checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from kgpath.errors import BadOption, BadSource
from kgpath.io.lines import read_text
from kgpath.io.plain_data import from_toml
from kgpath.io.streams import MissingFile
from kgpath.paths.finder import STRATEGIES, PathOptions
from kgpath.paths.random_walks import STOP
from kgpath.paths.scratch import MOST_HOPS

FOLDER = Path(__file__).parent.parent / "recipes"
STARTS = ("uniform", "degree")
TEXTS = ("auto", "required", "facts")
SUB_PATHS = ("long", "any")
#: More than these is a slip of the hand: nobody could wait for it.
_MOST = 10**9
_MOST_IN_ONE = 10**6
SPLITS = {"train": 0.8, "dev": 0.1, "test": 0.1}


@dataclass(frozen=True)
class Stratum:
    """A part of the queries for a comparison, as in Tables 10 to 12 of Lo & Lim (2023).

    ``named`` asks that the document names every entity of the true path, or not every one.
    ``below`` and ``above`` bound how far apart the candidates are on average; where too few
    queries are, the nearest ones to the bound are taken.
    """

    queries: int = 300
    min_hops: int = 1
    max_hops: int = MOST_HOPS
    min_candidates: int = 0
    max_candidates: int | None = None
    named: bool | None = None
    below: float | None = None
    above: float | None = None


@dataclass(frozen=True)
class Recipe:
    """The knobs of a synthetic dataset; the defaults are the paper's where it states them.

    Paths (Algorithm 2): ``start`` at any entity alike or by ``degree``, ``stop`` after a hop with
    this probability, from ``min_hops`` to ``max_hops``; ``repeat`` lets a path come back to an
    entity, as printed. ``keep`` and ``drop`` choose relations, ``types`` and ``hub_cap`` entities.
    Every path gives a document and a pair, its two ends; further pairs are the ends of parts of
    it, ``sub_paths``: the ``long`` ones first, or ``any`` alike.

    Texts (Algorithm 3): ``sentences`` is a number or a range of them; ``p_sent`` is the share from
    paragraphs naming both ends of a hop, ``p_intro`` that from introductions. ``text`` is ``auto``
    (articles, and facts in words where there are none), ``required`` (articles only, and paths
    through entities that have one) or ``facts`` (facts in words only).

    Candidates: up to ``candidate_limit`` found by a strategy of ``kgpath paths`` (or ``none``),
    of at most ``candidate_hops``, and the true path. ``hard_negatives`` of them are those most
    like the true one; a pair with fewer than ``min_candidates`` in all is left out.

    ``distance_by`` is how strata measure how far apart candidates are: by ``overlap``, or by the
    vectors of a path encoder (PED, as in the paper): ``path-vae``.
    """

    name: str
    documents: int
    pairs: int
    seed: int = 0
    start: str = "uniform"
    stop: float = STOP
    min_hops: int = 1
    max_hops: int = MOST_HOPS
    repeat: bool = False
    sub_paths: str = "long"
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    hub_cap: int = 0
    text: str = "auto"
    sentences: tuple[int, int] = (10, 20)
    p_sent: float = 0.6
    p_intro: float = 0.3
    candidates: str = "random-walk"
    candidate_limit: int = 10
    candidate_hops: int = MOST_HOPS
    min_candidates: int = 1
    hard_negatives: int = 0
    distance_by: str = "overlap"
    licence: str = ""
    splits: Mapping[str, float] = field(default_factory=lambda: dict(SPLITS))
    strata: Mapping[str, Stratum] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _one_of("start", self.start, STARTS)
        _one_of("text", self.text, TEXTS)
        _one_of("sub_paths", self.sub_paths, SUB_PATHS)
        _one_of("candidates", self.candidates, ("none", *STRATEGIES))
        _between("documents", self.documents, 1, _MOST)
        _between("pairs", self.pairs, self.documents, _MOST)
        _between("seed", self.seed, 0, 2**63 - 1)
        for name in ("stop", "p_sent", "p_intro"):
            _between(name, getattr(self, name), 0, 1)
        _between("p_sent + p_intro", round(self.p_sent + self.p_intro, 9), 0, 1)
        _between("max_hops", self.max_hops, 1, MOST_HOPS)
        _between("min_hops", self.min_hops, 1, self.max_hops)
        _between("hub_cap", self.hub_cap, 0, _MOST)
        _between("sentences", self.sentences[0], 1, _MOST_IN_ONE)
        _between("sentences", self.sentences[1], self.sentences[0], _MOST_IN_ONE)
        _between("candidate_limit", self.candidate_limit, 1, _MOST_IN_ONE)
        _between("candidate_hops", self.candidate_hops, 1, MOST_HOPS)
        _between("min_candidates", self.min_candidates, 1, self.candidate_limit + 1)
        _between("hard_negatives", self.hard_negatives, 0, self.candidate_limit)
        self._check_splits()
        if self.candidates == "none" and (self.hard_negatives or self.min_candidates > 1):
            raise BadOption("hard_negatives and min_candidates need candidates other than none.")

    def _check_splits(self) -> None:
        for name, share in self.splits.items():
            _between(f"splits.{name}", share, 0, 1)
            if not name.replace("-", "").replace("_", "").isalnum():
                raise BadOption(f"splits.{name}: a split is called by letters and digits.")
        if not self.splits or abs(sum(self.splits.values()) - 1) > 1e-9:
            raise BadOption(
                f"The shares of splits add up to {sum(self.splits.values()):g}, not to 1."
            )

    def path_options(self, seed: int = 0, times: int = 1) -> PathOptions:
        """What to look for between the two ends of a pair, or ``times`` as many."""
        return PathOptions(
            max_hops=self.candidate_hops,
            strategy="random-walk" if self.candidates == "none" else self.candidates,
            limit=times * self.candidate_limit,
            seed=seed,
            keep=self.keep,
            drop=self.drop,
            types=self.types,
            hub_cap=self.hub_cap,
        )

    def to_json(self) -> dict[str, Any]:
        """Every knob with its value, as plain data."""
        return {one.name: _plain(getattr(self, one.name)) for one in fields(self)}

    def to_toml(self) -> str:
        """The recipe with every knob stated; reading it gives the same recipe."""
        data = self.to_json()
        strata = data.pop("strata")
        splits = data.pop("splits")
        lines = [f"{key} = {_toml(value)}" for key, value in data.items()]
        for title, table in (("splits", splits), *((f"strata.{k}", v) for k, v in strata.items())):
            lines += [
                "",
                f"[{title}]",
                *(f"{key} = {_toml(value)}" for key, value in table.items()),
            ]
        return "\n".join(lines) + "\n"


def read_recipe(source: str | Path, **changes: Any) -> Recipe:
    """A recipe from a TOML file, or one that ships, by its name; ``changes`` take precedence."""
    path = Path(source)
    shipped = FOLDER / f"{path.name.removesuffix('.toml')}.toml"
    if not path.exists() and path.name == str(source) and shipped.exists():
        path = shipped
    try:
        data = from_toml(read_text(path))
    except MissingFile:
        known = ", ".join(sorted(one.stem for one in FOLDER.glob("*.toml")))
        raise BadSource(f"There is no recipe {source}. Those that ship: {known}.") from None
    except IsADirectoryError:
        raise BadSource(f"{source} is a folder, not a recipe.") from None
    except ValueError as error:
        raise BadSource(f"{source} is not TOML: {error}.") from error
    try:
        return recipe_of({"name": path.stem, **data, **changes})
    except BadOption as error:
        raise BadOption(f"{path.name}: {error}") from None


def recipe_of(data: Mapping[str, Any]) -> Recipe:
    """A recipe from plain data; every knob is known and possible."""
    given = dict(data)
    known = {one.name: one for one in fields(Recipe)}
    _known(given, known, "knob")
    for needed in ("documents", "pairs"):
        if needed not in given:
            raise BadOption(f"it does not say how many {needed}: {needed} = 2000")
    if "sentences" in given and isinstance(given["sentences"], int):
        given["sentences"] = [given["sentences"]] * 2
    if "strata" in given:
        given["strata"] = {
            name: _stratum(name, table) for name, table in _table("strata", given["strata"]).items()
        }
    if "splits" in given:
        given["splits"] = {
            name: _typed(f"splits.{name}", share, "float")
            for name, share in _table("splits", given["splits"]).items()
        }
    for name, value in given.items():
        if name not in ("strata", "splits"):
            given[name] = _typed(name, value, str(known[name].type))
    return Recipe(**given)


def _stratum(name: str, table: Any) -> Stratum:
    known = {one.name: one for one in fields(Stratum)}
    given = _table(f"strata.{name}", table)
    _known(given, known, f"knob in strata.{name}")
    if not name.replace("-", "").replace("_", "").isalnum():
        raise BadOption(f"strata.{name}: a stratum is called by letters, digits and hyphens.")
    typed = {
        key: _typed(f"strata.{name}.{key}", value, str(known[key].type).removesuffix(" | None"))
        for key, value in given.items()
    }
    made = Stratum(**typed)
    _between(f"strata.{name}.queries", made.queries, 1, _MOST)
    for key in ("min_hops", "max_hops", "min_candidates", "max_candidates"):
        _between(f"strata.{name}.{key}", typed.get(key, 0), 0, _MOST)
    for key in ("below", "above"):
        _between(f"strata.{name}.{key}", typed.get(key, 0), -_MOST, _MOST)
    if made.min_hops > made.max_hops or (
        made.max_candidates is not None and made.min_candidates > made.max_candidates
    ):
        raise BadOption(f"strata.{name} can hold no query: its least is above its most.")
    return made


def _known(given: Iterable[str], known: Iterable[str], what: str) -> None:
    for name in given:
        if name not in known:
            raise BadOption(f"there is no {what} {name!r}. Known: {', '.join(known)}.")


def _table(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise BadOption(f"{name} is {value!r:.100}; it is a table: [{name}]")
    return dict(value)


def _typed(name: str, value: Any, kind: str) -> Any:
    """A value of the kind that a knob has; BadOption if it is another."""
    if kind == "float" and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind in ("int", "bool", "str") and type(value).__name__ == kind:
        return value
    if kind.startswith("tuple") and isinstance(value, list | tuple):
        inner = "int" if "int" in kind else "str"
        if all(type(one).__name__ == inner for one in value) and (
            inner == "str" or len(value) == 2
        ):
            return tuple(value)
    wanted = {"float": "a number", "int": "a whole number", "bool": "true or false"}
    wanted |= {"str": "a text in quotes", "tuple[int, int]": "a number or a range such as [10, 20]"}
    raise BadOption(
        f"{name} is {value!r:.100}; it is {wanted.get(kind, 'a list of texts in quotes')}."
    )


def _one_of(name: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise BadOption(f"{name} is {value!r:.100}; it can be {', '.join(known)}.")


def _between(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        # An open end is not worth a number of ten digits in a message.
        most = "or more" if value < low and high >= _MOST_IN_ONE else f"to {_shown(high)}"
        raise BadOption(f"{name} is {_shown(value)}; it can be {_shown(low)} {most}.")


def _shown(value: float) -> str:
    """A number for a message: no more digits than a person reads."""
    if isinstance(value, int) and abs(value) >= 10**15:
        return "a number of over 15 digits"
    return f"{value:,}" if isinstance(value, int) and abs(value) > 9_999 else f"{value:g}"


def _plain(value: Any) -> Any:
    if isinstance(value, Stratum):
        made = {one.name: getattr(value, one.name) for one in fields(value)}
        return {key: one for key, one in made.items() if one is not None}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
