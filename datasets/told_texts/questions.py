"""Questions with their true answer over generated texts: what a general ranker learns from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, product
from typing import TypeAlias

import numpy as np

from kgpath.datasets.told_texts.patterns import is_mirrored, wordings
from kgpath.datasets.told_texts.text import Writer, draw_style
from kgpath.datasets.told_texts.things import Things
from kgpath.datasets.told_texts.tree import Fact, Trees
from kgpath.errors import BadSource
from kgpath.graph import Graph
from kgpath.io.queries import Query

_MOST_HOPS = 4
_MOST_TOLD = _MOST_UNTOLD = 2  # questions on a text
#: How many hops a question is about, told or not: its length must not give the answer away.
_LENGTHS = np.array([0.3, 0.3, 0.25, 0.15])
_LEAVES_OUT, _ALONE_UNTOLD = 0.7, 0.3  # of texts; of those about one fact alone
_MOST_TRIES = 200  # in a row, on graphs with hardly a usable fact

#: Two entities, and the facts that lead from one to the other.
_Pair: TypeAlias = tuple[int, int, list[Fact]]


def told_questions(graph: Graph, count: int, seed: int = 0) -> Iterator[Query]:
    """Questions on ``count`` texts: up to two that a text answers, and up to two that it does not.

    The true paths of a question are all over facts that its text tells, of at most four hops; a
    question without any is about two things that only an untold fact joins.
    """
    things = Things(graph)
    trees = Trees(graph, things)
    if not trees.can_draw():
        raise BadSource(f"{graph.path} has no relation that a sentence could tell.")
    for number in range(count):
        # Each text has its own numbers: a longer run begins with the texts of a shorter one.
        yield from _TextQuestions(trees, np.random.default_rng([seed, number]), number).all()


class _TextQuestions:
    """One text, and what is asked about it."""

    def __init__(self, trees: Trees, rng: np.random.Generator, number: int) -> None:
        self.things, self.rng, self.number = trees.things, rng, number
        style = draw_style(rng)
        tree = _drawn(trees, rng, style.own_words)
        left_out = self._left_out(tree)
        self.told = [fact for fact in tree if fact not in left_out]
        self.tree = tree
        writer = Writer(self.things, rng, style, partial(_needs_label, trees))
        self.text = writer.write(self.told, left_out)
        self.facts = set(self.told)
        for fact in self.told:  # who is married to whom is told both ways
            if is_mirrored(self.things.relation_labels[fact.relation]):
                mirrored = Fact(fact.tail, fact.relation, fact.head)
                self.facts.update({mirrored} & set(trees.parallels(fact)))

    def all(self) -> Iterator[Query]:
        entities = sorted({end for fact in self.tree for end in (fact.head, fact.tail)})
        told: dict[int, list[_Pair]] = {}
        untold: dict[int, list[_Pair]] = {}
        for head, tail in combinations(entities, 2):
            walk = _walk(self.tree, head, tail)
            if len(walk) <= _MOST_HOPS:
                kind = told if all(fact in self.facts for fact in walk) else untold
                kind.setdefault(len(walk), []).append((head, tail, walk))
        asked = [*self._drawn(told, _MOST_TOLD), *self._drawn(untold, _MOST_UNTOLD)]
        for at, (head, tail, walk) in enumerate(asked):
            yield self._query(at, head, tail, walk)

    def _drawn(self, pairs: dict[int, list[_Pair]], most: int) -> Iterator[_Pair]:
        """Up to so many pairs, none of them twice; each of a length that is drawn first."""
        for _ in range(most):
            lengths = sorted(length for length, among in pairs.items() if among)
            if lengths:
                weights = _LENGTHS[np.array(lengths) - 1]
                length = int(self.rng.choice(lengths, p=weights / weights.sum()))
                yield pairs[length].pop(int(self.rng.integers(len(pairs[length]))))

    def _left_out(self, tree: Sequence[Fact]) -> list[Fact]:
        """One or two facts of the tree, none that a name gives away."""
        secret = [fact for fact in tree if not self._is_in_a_name(fact)]
        if not secret or self.rng.random() > (_LEAVES_OUT if len(tree) > 1 else _ALONE_UNTOLD):
            return []
        # A single fact may be untold, too: two names alone must not mean that a text relates them.
        most = min(2, len(secret), max(len(tree) - 1, 1))
        number = 1 + int(self.rng.integers(most))
        chosen = self.rng.choice(len(secret), number, replace=False)
        return [secret[at] for at in sorted(chosen.tolist())]

    def _is_in_a_name(self, fact: Fact) -> bool:
        """Whether one name holds the other: "Austin, Texas" says where it lies."""
        one, other = self.things.name(fact.head), self.things.name(fact.tail)
        return one in other or other in one

    def _query(self, at: int, head: int, tail: int, walk: list[Fact]) -> Query:
        if self.rng.random() < 0.5:
            head, tail, walk = tail, head, walk[::-1]
        told = all(fact in self.facts for fact in walk)
        return Query(
            f"told-{self.number}-{at}",
            self.things.entity(head).iri,
            self.things.entity(tail).iri,
            self.text,
            tuple(self._paths(head, walk)) if told else (),
        )

    def _paths(self, head: int, walk: list[Fact]) -> Iterator[tuple[str, ...]]:
        """The walk by every told fact on each of its hops."""
        choices = []
        for fact in walk:
            same = {one for one in self.facts if {one.head, one.tail} == {fact.head, fact.tail}}
            choices.append(sorted(same))
        for facts in product(*choices):
            at, iris = head, [self.things.entity(head).iri]
            for fact in facts:
                relation = self.things.graph.store.relations[fact.relation].iri
                iris.append(relation if fact.head == at else f"^{relation}")
                at = fact.other(at)
                iris.append(self.things.entity(at).iri)
            yield tuple(iris)


def _drawn(trees: Trees, rng: np.random.Generator, own_words: bool) -> list[Fact]:
    for _ in range(_MOST_TRIES):
        tree = trees.draw(rng, own_words)
        if tree:
            return tree
    raise BadSource("Hardly a fact of this graph has names that a sentence could hold.")


def _needs_label(trees: Trees, fact: Fact) -> bool:
    """Whether only the label's words tell a fact from a parallel one with the same wordings."""
    labels = trees.things.relation_labels
    found = wordings(labels[fact.relation])
    return any(
        trees.edges[other.relation] > trees.edges[fact.relation]
        and any(one in found for one in wordings(labels[other.relation]))
        for other in trees.parallels(fact)
        if other.head == fact.head and other.relation != fact.relation
    )


def _walk(tree: Sequence[Fact], head: int, tail: int) -> list[Fact]:
    """The facts of a tree that lead from one entity to another."""
    ways: dict[int, list[Fact]] = {head: []}
    waiting = [head]
    while waiting:
        at = waiting.pop()
        for fact in tree:
            if at in (fact.head, fact.tail) and fact.other(at) not in ways:
                ways[fact.other(at)] = [*ways[at], fact]
                waiting.append(fact.other(at))
    return ways[tail]
