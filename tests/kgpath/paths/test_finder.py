"""Many searches of one finder: filters hold for all of them."""

from __future__ import annotations

from kgpath.paths.finder import PathFinder, PathOptions


def test_hops_between_obeys_the_filters_of_the_finder(film) -> None:
    ids = [film.entity(name).id for name in ("Roger Moore", "Daniel Craig", "London")]
    assert film.derived(PathFinder).hops_between(ids, PathOptions(max_hops=2)).tolist() == [
        [0, 2, 1], [2, 0, 0], [1, 0, 0]
    ]  # fmt: skip
    some = film.derived(PathFinder).hops_between(ids, PathOptions(max_hops=2, drop=("portrayer",)))
    assert some.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
