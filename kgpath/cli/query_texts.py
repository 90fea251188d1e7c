"""kgpath query --texts: every text of a folder or file, its pairs, and what explains them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from kgpath.cli.output import interruptible, note, progress, resumable, show_problems

if TYPE_CHECKING:
    from kgpath.graph import Graph
    from kgpath.many_texts import TextQuestions
    from kgpath.rankers.ranker import Ranker


@dataclass(frozen=True)
class RankerChoice:
    """A ranker as the command line names it: one of the known, or a trained model."""

    ranker: str
    model: str | None
    vectors: str
    base: str

    @property
    def name(self) -> str:
        return self.model or self.ranker

    def content(self) -> str:
        """What a model of this name is made of, to know it again; empty without one."""
        from kgpath.learning.models import read_about

        return "" if self.model is None else json.dumps(read_about(self.model)["files"])

    def __call__(self, graph: Graph) -> Ranker:
        from kgpath.learning.models import load_model
        from kgpath.plugins import RANKERS

        if self.model is not None:
            return load_model(self.model, graph, vectors=self.vectors, base=self.base)
        made: Ranker = RANKERS.make(self.ranker, vectors=self.vectors)
        return made


@dataclass(frozen=True)
class Wanted:
    """What is asked of each text: one pair, those of a file, all it proposes, or the closest."""

    head: str | None
    tail: str | None
    pairs: str | None
    k: int
    options: dict[str, Any]

    def questions(self) -> TextQuestions:
        from kgpath.io.lines import read_lines
        from kgpath.many_texts import TextQuestions
        from kgpath.paths.batch import read_pairs

        if (self.head is None) != (self.tail is None):
            raise typer.BadParameter("with --texts, name a HEAD and a TAIL, or neither")
        if self.head is not None and self.tail is not None:
            if self.pairs is not None:
                raise typer.BadParameter("--pairs stands in place of a HEAD and a TAIL")
            return TextQuestions(self.k, ((self.head, self.tail),), options=self.options)
        if self.pairs == "all":
            return TextQuestions(self.k, proposed=None, options=self.options)
        if self.pairs is None:
            return TextQuestions(self.k, options=self.options)
        named = read_pairs(read_lines(self.pairs), Path(self.pairs).name)
        return TextQuestions(self.k, tuple(named), options=self.options)


def write(
    graph: str,
    texts: str,
    output: str | None,
    *,
    decode: Callable[[bytes, str], str],
    wanted: Wanted,
    ranker: RankerChoice,
    workers: int,
) -> None:
    """Write a JSON line for every text, to a file or standard output."""
    import kgpath
    from kgpath.io.texts import TextFiles
    from kgpath.many_texts import answer_texts, write_answers

    questions = wanted.questions()
    given = TextFiles(texts, decode)
    show_problems("Texts that were left out", given.problems)
    with kgpath.open(graph) as kg:
        if output is None:
            for record in answer_texts(
                kg, given.texts, questions, ranker=ranker, name=ranker.name, workers=workers
            ):
                print(json.dumps(record, ensure_ascii=False), flush=True)
            return
        with interruptible(resumable(output)), progress("texts") as report:
            earlier = write_answers(
                kg, given.texts, Path(output), questions,
                ranker=ranker, name=ranker.name, content=ranker.content(), workers=workers,
                progress=report,
            )  # fmt: skip
    resumed = f", {earlier:,} of them by an earlier run" if earlier else ""
    count = "1 text" if len(given.texts) == 1 else f"{len(given.texts):,} texts"
    note(f"{output}: {count}{resumed}")
