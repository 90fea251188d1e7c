"""Paths as arrays: rows taken, reversed, joined and turned into objects, nothing lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgpath
from kgpath.paths.path_arrays import PathArrays, joined
from kgpath.storage.hop_codes import inverse

Row = tuple[list[int], list[int]]


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """Vertices and hop codes of some paths, each of its own length."""
    made = []
    for length in draw(st.lists(st.integers(1, 4), max_size=6)):
        numbers = st.integers(0, 5)
        vertices = draw(st.lists(numbers, min_size=length + 1, max_size=length + 1))
        made.append((vertices, draw(st.lists(numbers, min_size=length, max_size=length))))
    return made


def arrays_of(made: list[Row], most_hops: int = 4) -> PathArrays:
    vertices = np.full((len(made), most_hops + 1), -1, dtype=np.int32)
    codes = np.full((len(made), most_hops), -1, dtype=np.int32)
    for at, (nodes, hops) in enumerate(made):
        vertices[at, : len(nodes)], codes[at, : len(hops)] = nodes, hops
    lengths = np.array([len(hops) for _, hops in made], dtype=np.int32)
    return PathArrays(vertices, lengths, codes)


def rows_of(paths: PathArrays) -> list[Row]:
    return [
        (
            paths.vertices[at, : length + 1].tolist(),
            paths.hop_codes[at, :length].tolist(),
        )
        for at, length in enumerate(paths.lengths.tolist())
    ]


def turned(row: Row) -> Row:
    return row[0][::-1], [inverse(code) for code in row[1][::-1]]


@given(rows())
def test_reversed_twice_is_the_same(made: list[Row]) -> None:
    paths = arrays_of(made)
    assert rows_of(paths.reversed()) == [turned(row) for row in made]
    assert rows_of(paths.reversed().reversed()) == made
    assert (paths.reversed().vertices >= 0).sum() == (paths.vertices >= 0).sum()


@given(rows())
def test_read_from_the_lower_end_both_readings_are_one(made: list[Row]) -> None:
    paths = arrays_of(made)
    lower = rows_of(paths.from_lower_end())
    assert lower == [min(row, turned(row)) for row in made]
    assert lower == rows_of(paths.reversed().from_lower_end())


@given(rows())
def test_sorted_by_length_then_ids(made: list[Row]) -> None:
    expected = sorted(made, key=lambda row: (len(row[1]), *row))
    assert rows_of(arrays_of(made).sorted()) == expected


@given(rows(), rows())
def test_joined_and_distinct(one: list[Row], other: list[Row]) -> None:
    both = joined([arrays_of(one), arrays_of(other, most_hops=6)])
    assert rows_of(both) == one + other
    assert both.vertices.shape[1] == 7
    first = np.sort(both.distinct())
    unique = list({repr(row): row for row in [*reversed(one + other)]}.values())
    assert sorted(rows_of(both.take(first))) == sorted(unique)


def test_rows_become_paths_of_a_graph_and_back(film: kgpath.Graph) -> None:
    paths = list(film.paths("Roger Moore", "Daniel Craig"))
    arrays = PathArrays.from_paths(film, paths)
    assert list(arrays) == paths
    assert (arrays.head, arrays.tail) == (paths[0].nodes[0], paths[0].nodes[-1])
    assert list(arrays.reversed()) == [path.reversed() for path in paths]
    assert arrays.reversed().head == arrays.tail
    assert list(PathArrays.from_iris(film, [path.iris() for path in paths])) == paths
    assert arrays.take(slice(1))[0] == paths[0]


def test_a_path_that_the_graph_does_not_have_is_left_out(film: kgpath.Graph) -> None:
    (first, *_) = film.paths("Roger Moore", "Daniel Craig")
    iris = first.iris()
    for at in range(len(iris)):
        assert len(PathArrays.from_iris(film, [[*iris[:at], "x:nobody", *iris[at + 1 :]]])) == 0


def test_rows_without_relations_say_so() -> None:
    untyped = PathArrays.untyped(np.zeros((2, 3), np.int32), np.full(2, 2, np.int32), "limit")
    assert (untyped.typed, len(untyped), untyped.truncated) == (False, 2, "limit")
    assert not untyped.reversed().typed
    assert PathArrays.nothing(3).typed


def test_a_place_that_is_not_there(film: kgpath.Graph) -> None:
    arrays = PathArrays.from_paths(film, list(film.paths("Roger Moore", "Daniel Craig")))
    with pytest.raises(IndexError, match="path 99 of"):
        arrays[99]
