"""Queries over a graph of five entities, small enough to rank by hand."""

from __future__ import annotations

from kgpath.io.queries import Query

EX = "http://example.org/"
# From a to b: two parallel relations, one way over c, one over d and e.
SQUARE = """
ex:a ex:r ex:b . ex:a ex:s ex:b .
ex:a ex:p ex:c . ex:c ex:p ex:b .
ex:d ex:p ex:a . ex:d ex:p ex:e . ex:e ex:p ex:b .
"""
DIRECT, OVER_C, OVER_D = "a r b", "a p c p b", "a ^p d p e p b"


def iris(path: str) -> tuple[str, ...]:
    return tuple(f"^{EX}{part[1:]}" if part[0] == "^" else EX + part for part in path.split())


def query(*paths: str, name: str = "q", text: str = "A text.", line: int = 0) -> Query:
    made = tuple(map(iris, paths))
    return Query(name, made[0][0], made[0][-1], text, made, line=line)


def given(*candidates: str, true: str = OVER_C) -> Query:
    made = tuple(map(iris, candidates))
    return Query("q", EX + "a", EX + "b", "A text.", (iris(true),), (), 3, made)
