"""The files of a study, and every selector's run on each, made once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kgpath.dialogue.evaluation import Run, run
from kgpath.dialogue.loading import DialogueFile
from kgpath.dialogue.records import Dialogue, Turn
from kgpath.dialogue.selectors.choices import make_selector
from kgpath.errors import BadOption
from kgpath.plugins import SELECTORS
from kgpath.registry import parse_choice
from kgpath.reproduce.wikipath.published_figures import DATA, published_split
from kgpath.reproduction import Reproduction, Request, Table

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: The methods of the paper's main tables, by the names it gives them.
METHODS = {
    "Random": "random",
    "BM25": "bm25",
    "BM25+Continuity": "bm25+continuity",
    "BM25+WikiPath": "wikipath",
}


#: The option that names a trained detector.
DETECTOR = "detector"


class Split(NamedTuple):
    """The dialogues of one file, under the name that the tables give it."""

    name: str
    dialogues: Sequence[Dialogue]

    @property
    def turns(self) -> list[Turn]:
        """All turns, in order."""
        return [turn for dialogue in self.dialogues for turn in dialogue.turns]

    @property
    def published(self) -> str:
        """Which of the paper's splits this is; empty if it is another, or a part of one."""
        known = published_split(self.name)
        return known if known and DATA[known][1] == len(self.turns) else ""


class Study:
    """Runs over the files of a request, which closes the graph at its end."""

    def __init__(self, request: Request) -> None:
        if not request.files:
            raise BadOption("Name the files of dialogues: kgpath reproduce wikipath-t5 FILE…")
        self.request = request
        self.options = _selector_options(request.options)
        self.splits = [_split(text) for text in request.files]
        self._runs: dict[tuple[str, str], Run] = {}
        self.graph: Graph | None = None
        if request.graph:
            from kgpath.graph import open_graph

            self.graph = request.closing.enter_context(open_graph(request.graph))

    def run(self, split: Split, selector: str) -> Run:
        """What a selector does on a split; options given to the request count for all."""
        key = split.name, selector
        if key not in self._runs:
            if not any(turn.candidates for turn in split.turns):
                raise BadOption(f"{split.name} has no candidates: there is nothing to select from.")
            made = make_selector(selector, self.graph, seed=self.request.seed, **self.options)
            self._runs[key] = run(selector, made, split.dialogues, progress=self.request.progress)
        return self._runs[key]

    def detected(self, split: Split, selector: str) -> Run | None:
        """The same after the detector given as an option; None without one."""
        path = self.request.options.get(DETECTOR)
        if not path:
            return None
        made = make_selector(
            selector, self.graph, detector=path, seed=self.request.seed, **self.options
        )
        return run(f"detector, {selector}", made, split.dialogues)


def study_of(request: Request) -> Study:
    """The study of a request, the same one for all of its tables."""
    return request.shared("wikipath", lambda: Study(request))


Rows = Iterable[tuple[object, ...]]


def table_of_each_split(
    number: str, title: str, columns: tuple[str, ...]
) -> Callable[[Callable[[Study, Split], Rows]], Reproduction]:
    """Makes a reproduction of a function that gives the rows of a table for one split.

    ``title`` has ``{}`` where the name of the split stands.
    """

    def reproduction(rows_of: Callable[[Study, Split], Rows]) -> Reproduction:
        def make(request: Request) -> Iterator[Table]:
            study = study_of(request)
            for split in study.splits:
                name = f"wikipath-{number}-{split.name}"
                yield Table(name, title.format(split.name), columns, tuple(rows_of(study, split)))

        return make

    return reproduction


def _split(text: str) -> Split:
    """A file, or ``NAME=FILE``."""
    name, equals, path = text.partition("=")
    if not equals or Path(text).exists():
        name, path = Path(text).name.split(".")[0], text
    return Split(name, DialogueFile(path).dialogues)


def _selector_options(given: dict[str, str]) -> dict[str, Any]:
    """The options that go to selectors; one that none of them has is refused."""
    known = {
        name
        for entry in SELECTORS
        for name in inspect.signature(SELECTORS.load(entry.name)).parameters
    } - {"graph", "edges", "seed"}
    for name in given:
        if name not in known and name != DETECTOR:
            options = ", ".join(sorted({*known, DETECTOR}))
            raise BadOption(f"No option {name!r} here. There are: {options}.")
    said = (f"{name}={value}" for name, value in given.items() if name != DETECTOR)
    return parse_choice(f"options({', '.join(said)})")[1]
