"""PED with vectors made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.metrics import PathVectors, evaluate, judge
from kgpath.types import Path

MakePath = Callable[..., Path]
VECTORS = {"east": (2, 0), "north": (0, 5), "west": (-1, 0), "both": (3, 3), "nil": (0, 0)}


def encode(paths: Sequence[Path]) -> NDArray[np.float64]:
    return np.array([VECTORS[path.nodes[0].iri] for path in paths], dtype=np.float64)


def ped(encoder: PathVectors, first: Sequence[Path], *truths: Path) -> float:
    judged = judge("q", first, [1] * len(first), truths)
    return evaluate([judged], ["PED"], encoder=encoder)["PED"][0]


@pytest.mark.parametrize(
    ("first", "expected"),
    [("east", 0), ("north", 0.5), ("west", 1), ("both", (1 - 0.5**0.5) / 2), ("nil", 0.5)],
)
def test_by_hand(path: MakePath, first: str, expected: float) -> None:
    assert ped(encode, [path(first)], path("east")) == pytest.approx(expected)


def test_the_same_path_is_at_distance_0_even_without_a_vector(path: MakePath) -> None:
    assert ped(encode, [path("nil")], path("nil")) == 0


def test_ties_are_averaged_and_the_closest_truth_counts(path: MakePath) -> None:
    assert ped(encode, [path("north"), path("west")], path("east")) == pytest.approx(0.75)
    assert ped(encode, [path("both")], path("west"), path("both")) == 0


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_tiny_and_huge_vectors_keep_their_angle(path: MakePath, scale: float) -> None:
    assert ped(lambda paths: encode(paths) * scale, [path("both")], path("east")) == pytest.approx(
        (1 - 0.5**0.5) / 2
    )


def test_the_encoder_is_asked_once_for_each_path_needed(path: MakePath) -> None:
    asked: list[list[str]] = []

    def listen(paths: Sequence[Path]) -> NDArray[np.float64]:
        asked.append([str(path) for path in paths])
        return encode(paths)

    run = [
        judge("1", [path("east"), path("west")], [1, 2], [path("north")]),
        judge("2", [path("west"), path("both")], [2, 1], [path("north")]),
        judge("3", [], [], [path("north")]),
    ]
    assert evaluate(run, ["PED"], encoder=listen)["PED"] == pytest.approx((0.5, 0.5, 1))
    assert [sorted(paths) for paths in asked] == [["north", "west"]]


@pytest.mark.parametrize(
    "rows",
    [np.zeros(2), np.zeros((1, 2)), np.array([[0, 1], [np.nan, 1]]), np.full((2, 1), np.inf)],
)
def test_an_encoder_that_gives_something_else_is_named(
    path: MakePath, rows: NDArray[np.float64]
) -> None:
    with pytest.raises(BadOption, match=r"shape .* for 2 paths; it should be \(2, dimensions\)"):
        ped(lambda paths: rows, [path("east")], path("north"))


def test_without_an_encoder_it_says_so(path: MakePath) -> None:
    with pytest.raises(BadOption, match="PED needs a path encoder"):
        evaluate([judge("q", [path("east")], [1], [path("east")])], ["PED"])
