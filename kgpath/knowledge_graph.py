"""A graph that answers: why are these two related, in this text?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

from kgpath.answer import Answers
from kgpath.context import Context
from kgpath.errors import AmbiguousEntity
from kgpath.graph import Graph
from kgpath.mentions import Link
from kgpath.store import Store
from kgpath.types import Entity

if TYPE_CHECKING:
    from kgpath.rankers.ranker import Ranker
    from kgpath.retriever import Pair, Retriever


def open_graph(
    path: str | FilePath, tracer: Callable[[str], object] | None = None
) -> KnowledgeGraph:
    """Open a graph file for reading. ``tracer=print`` shows every SQL statement."""
    return KnowledgeGraph(Store(path, tracer))


class KnowledgeGraph(Graph):
    """An open graph file: look around, find paths, ask with a text."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self._retrievers: dict[Any, Retriever] = {}

    def query(
        self,
        head: str | int | Entity,
        tail: str | int | Entity,
        context: str | Context,
        k: int = 5,
        *,
        ranker: str | Ranker = "",
        limit: int = 0,
        links: Iterable[Link] = (),
        **options: Any,
    ) -> Answers:
        """The ``k`` paths that best explain, in this text, how two entities are related.

        ``ranker`` is a name (``kgpath ls rankers``) or an object, ``limit`` how many paths are
        ranked; ``max_hops`` and the filters are those of :class:`kgpath.finder.PathOptions`.

        >>> kg.query("Roger Moore", "Daniel Craig", context=article)[0]  # doctest: +SKIP
        Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig
        """
        retriever = self.retriever(ranker, limit, **options)
        text = self.context(context, links)
        return retriever.query(self.entity_in(text, head), self.entity_in(text, tail), text, k)

    def entity_in(self, context: Context, name: str | int | Entity) -> Entity:
        """The entity of this name; of several with it, the one that the text means."""
        try:
            return self.entity(name)
        except AmbiguousEntity as error:
            choices = {self.entity(iri).id: iri for _, _, iri in error.choices}
            meant = {mention.entity for mention in context.mentions()} & choices.keys()
            if len(meant) != 1:
                raise
            return self.entity(choices[meant.pop()])

    def retriever(self, ranker: str | Ranker = "", limit: int = 0, **options: Any) -> Retriever:
        """What answers queries: kept for the next one with the same ranker and options."""
        from kgpath.candidates import LIMIT
        from kgpath.finder import PathOptions
        from kgpath.retriever import DEFAULT, Retriever

        chosen = PathOptions(**options)
        key = (ranker or DEFAULT, limit, repr(chosen))
        if key not in self._retrievers:
            if len(self._retrievers) > 8:
                self._retrievers.clear()
            self._retrievers[key] = Retriever(self, ranker or DEFAULT, chosen, limit or LIMIT)
        return self._retrievers[key]

    def context(self, text: str | Context, links: Iterable[Link] = ()) -> Context:
        """A text prepared for several questions."""
        return text if isinstance(text, Context) else Context(self, text, links)

    def pairs(
        self, text: str | Context, given: Iterable[str | int | Entity] = (), **options: Any
    ) -> list[Pair]:
        """The pairs in a text that can be asked about: mentioned in it, connected in the graph."""
        from kgpath.finder import PathOptions
        from kgpath.retriever import propose_pairs

        context = self.context(text)
        entities = [self.entity_in(context, name) for name in given]
        return propose_pairs(context, entities, PathOptions(**options))
