"""Many texts at once: every text, its pairs, ranked answers with verdicts, as lines in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from kgpath.errors import AmbiguousEntity, BadOption, BadStore, KgpathError
from kgpath.graph import Graph
from kgpath.io.growing_lines import write_growing
from kgpath.io.processes import in_order, worker_processes
from kgpath.io.progress import Progress, silent
from kgpath.io.texts import GivenText
from kgpath.linking.context import Context
from kgpath.plugins import DEFAULT_RANKER, RANKERS
from kgpath.rankers.ranker import Ranker
from kgpath.types import Entity

#: Of the pairs that a text proposes so many are asked about, the closest first.
CLOSEST = 10


@dataclass(frozen=True)
class TextQuestions:
    """What is asked of every text that does not say itself which pair it is about.

    ``pairs`` are (head, tail) to be asked wherever a text names both; without any, a text proposes
    its own: ``proposed`` of them, the closest in graph and text first, or all (None). ``options``
    are those of :meth:`Graph.query`, but for the ranker.
    """

    k: int = 1
    pairs: tuple[tuple[str, str], ...] = ()
    proposed: int | None = CLOSEST
    options: dict[str, Any] = field(default_factory=dict)


#: A ranker by name, or what makes one for a graph: it has to be picklable for several processes.
MakesRanker = str | Callable[[Graph], Ranker]


def answer_texts(
    graph: Graph,
    texts: Sequence[GivenText],
    questions: TextQuestions | None = None,
    *,
    ranker: MakesRanker = DEFAULT_RANKER,
    name: str | None = None,
    workers: int = 1,
) -> Iterator[dict[str, Any]]:
    """A record for each text, in order: its ``answers``, or an ``error`` in words.

    The records are the same whatever the number of workers. ``name`` is what the ranker is called.
    """
    questions = questions or TextQuestions()
    if workers < 1:
        raise BadOption(f"workers is {workers}; it can be 1 or more.")
    answering = _Answering(graph, questions, ranker, name)
    if workers == 1 or len(texts) < 2:
        yield from map(answering.record, texts)
        return
    given = (graph.path, graph.fingerprint, questions, ranker, name)
    with worker_processes(min(workers, len(texts)), _begin, *given) as pool:
        yield from in_order(pool, _record, texts, workers)


def write_answers(
    graph: Graph,
    texts: Sequence[GivenText],
    output: Path,
    questions: TextQuestions | None = None,
    *,
    ranker: MakesRanker = DEFAULT_RANKER,
    name: str | None = None,
    content: str = "",
    workers: int = 1,
    progress: Progress = silent,
) -> int:
    """Write a JSON line for each text; returns for how many an earlier run had.

    An interrupted run goes on where it was when it is started again; ``content`` tells apart what
    was called by the same ``name`` then, such as a model that has been trained anew since.
    """
    questions = questions or TextQuestions()

    def lines(done: int) -> Iterator[str]:
        records = answer_texts(
            graph, texts[done:], questions, ranker=ranker, name=name, workers=workers
        )
        for number, record in enumerate(records, done + 1):
            yield json.dumps(record, ensure_ascii=False)
            progress("answering", number, len(texts))

    request = {
        "texts": _digest(texts),
        "options": asdict(questions),
        "ranker": [name or (ranker if isinstance(ranker, str) else repr(ranker)), content],
        "graph": graph.fingerprint,
    }
    return write_growing(output, request, "kgpath query --texts", lines)


class _Answering:
    """Answers texts over one graph, with one ranker."""

    def __init__(
        self, graph: Graph, questions: TextQuestions, ranker: MakesRanker, name: str | None
    ) -> None:
        self.graph, self.questions = graph, questions
        made = RANKERS.make(ranker) if isinstance(ranker, str) else ranker(graph)
        self.retriever = graph.retriever(made, **questions.options)
        self.name = name or (ranker if isinstance(ranker, str) else self.retriever.name)
        for end in chain.from_iterable(questions.pairs):
            with suppress(AmbiguousEntity):  # which one is meant, each text says
                graph.entity(end)

    def record(self, given: GivenText) -> dict[str, Any]:
        """What is found in a text."""
        try:
            context = Context(self.graph, given.text)
            pairs = list(self._pairs(context, given))
        except KgpathError as error:
            return {"id": given.id, "error": str(error)}
        return {"id": given.id, "answers": [self._answer(context, *pair) for pair in pairs]}

    def _pairs(self, context: Context, given: GivenText) -> Iterable[tuple[Entity, Entity]]:
        if given.head is not None and given.tail is not None:
            return [(context.entity(given.head), context.entity(given.tail))]
        if self.questions.pairs:
            return self._named(context)
        wanted = {k: v for k, v in self.questions.options.items() if k not in ("limit", "through")}
        found = self.graph.pairs(context, **wanted)
        return [(pair.head, pair.tail) for pair in found[: self.questions.proposed]]

    def _named(self, context: Context) -> Iterator[tuple[Entity, Entity]]:
        """The pairs that were asked for and that this text names."""
        for head, tail in self.questions.pairs:
            try:
                ends = context.entity(head), context.entity(tail)
            except AmbiguousEntity:  # a text that does not say which one names neither
                continue
            named = {mention.entity for mention in context.mentions([end.id for end in ends])}
            if {end.id for end in ends} <= named:
                yield ends

    def _answer(self, context: Context, head: Entity, tail: Entity) -> dict[str, Any]:
        try:
            answers = self.retriever.query(head, tail, context, self.questions.k)
        except KgpathError as error:  # the same entity twice, say: the other pairs go on
            return {"head": head.iri, "tail": tail.iri, "error": str(error)}
        return {**answers.to_json(), "ranker": self.name}


def _digest(texts: Sequence[GivenText]) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for text in texts:
        digest.update(json.dumps(asdict(text)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


_answering: _Answering | None = None  # of a worker process


def _begin(
    path: Path, fingerprint: str, questions: TextQuestions, ranker: MakesRanker, name: str | None
) -> None:
    """Prepare a worker process."""
    global _answering
    graph = Graph(path)
    if graph.fingerprint != fingerprint:
        raise BadStore(f"{path} was replaced while it was open. Start again.")
    _answering = _Answering(graph, questions, ranker, name)


def _record(given: GivenText) -> dict[str, Any]:
    assert _answering is not None
    return _answering.record(given)
