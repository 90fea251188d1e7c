"""AVG-Wikipedia2vec of Lo & Lim (2023), section 4.2.3: words and entities in one space."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kgpath.encoders.averaged.learned_space import LearnedSpace
from kgpath.encoders.context_scope import entities_in_scope
from kgpath.encoders.vectors.word_space import Space, passages, word2vec
from kgpath.encoders.vectors.word_vectors import cached_space
from kgpath.errors import BadSource
from kgpath.io.progress import counted
from kgpath.lexicon.text import entity_label, fold, tokenize
from kgpath.linking.context import Context
from kgpath.linking.mentions import find_mentions

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: How Wikipedia2vec marks an entity among the words of its file.
ENTITY = "ENTITY/"
#: Of so many texts and, for every entity, neighbours is learned: minutes, whatever the graph.
_MOST_TEXTS = 20_000
_MOST_LINKED = 200_000
_NEIGHBOURS = 4


class AvgWiki2vec(LearnedSpace):
    """The mean vector of the words and of the entities in scope, as both lie in one space.

    ``vectors`` is a file of Wikipedia2vec in text form, in which entities are lines that begin with
    ``ENTITY/Title_With_Underscores``. Without one, vectors of ``dim`` dimensions are trained on the
    graph: on its texts, each mention followed by its entity, and on entities beside neighbours.
    """

    name = "avg-wiki2vec"

    def encode(self, context: Context, entity: int) -> NDArray[np.float32]:
        entities = entities_in_scope(context, entity, self.scope)
        return self.space.mean([*self.words(context, entity), *_titles(context.graph, entities)])

    def read(self, path: Path) -> Space:
        space = cached_space(path, _words_and_entities, self.versions())
        if not any(key.startswith(ENTITY) for key in space.rows):
            raise BadSource(
                f"{path} has no lines that begin with {ENTITY}: it holds words without entities. "
                "Use it with avg-word."
            )
        return space

    def train(self, graph: Graph) -> Space:
        draw = np.random.default_rng(self.seed)
        sentences = [*_texts_with_entities(graph, draw), *_linked(graph, draw)]
        if not any(not word.startswith(ENTITY) for sentence in sentences for word in sentence):
            raise BadSource(
                f"{graph.path} holds no texts to train vectors of words on. Give a file with "
                "--vectors, or use tfidf or avg-transe."
            )
        return word2vec(sentences, self.dim, window=10, negative=5, seed=self.seed)


def _words_and_entities(words: Iterable[str]) -> dict[str, int]:
    """The first row of every word and of every entity."""
    rows: dict[str, int] = {}
    for row, word in enumerate(words):
        key = word if word.startswith(ENTITY) else fold(word)
        if key and " " not in key:
            rows.setdefault(key, row)
    return rows


def _titles(graph: Graph, entities: Iterable[int]) -> list[str]:
    """The keys of entities: the titles of their articles."""
    ids = list(entities)
    found = graph.store.entities(ids)
    return [ENTITY + entity_label(found[one].iri).replace(" ", "_") for one in ids]


def _texts_with_entities(graph: Graph, draw: np.random.Generator) -> Iterator[list[str]]:
    """The graph's texts, each mention followed by its entity."""
    texts = passages(graph)
    for at in counted(_some(len(texts), _MOST_TEXTS, draw), "reading texts", "texts"):
        about, text = texts[at]
        words = tokenize(text).words
        mentions = find_mentions(graph, text, expected=[about])
        titles = _titles(graph, [mention.entity for mention in mentions])
        for mention, title in reversed(list(zip(mentions, titles, strict=True))):
            words.insert(mention.last, title)
        yield words


def _linked(graph: Graph, draw: np.random.Generator) -> Iterator[list[str]]:
    """Entities, each beside some of its neighbours."""
    index = graph.index
    chosen = _some(index.entities, _MOST_LINKED, draw)
    titles = _titles(graph, range(index.entities))
    for entity in chosen:
        around = index.neighbours[index.offsets[entity] : index.offsets[entity + 1]]
        some = [titles[int(around[at])] for at in _some(len(around), _NEIGHBOURS, draw)]
        if some:
            yield [titles[entity], *some]


def _some(count: int, most: int, draw: np.random.Generator) -> list[int]:
    """All places, or so many of them drawn at random, in ascending order."""
    if count <= most:
        return list(range(count))
    chosen: list[int] = np.sort(draw.choice(count, most, replace=False)).tolist()
    return chosen
