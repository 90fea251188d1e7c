"""Sets of queries by how hard they are."""

from __future__ import annotations

from kgpath.reproduce.ecpr.strata import stratum


def test_strata_by_the_papers_bounds_or_the_nearest_to_them() -> None:
    statistics = {
        "hops": [1, 2, 3, 4] * 25,
        "candidates": list(range(2, 102)),
        "named": [True, False] * 50,
        "spread": [at / 200 for at in range(100)],
    }
    ids = [str(at) for at in range(100)]

    def chosen(name: str, **known: frozenset[str]) -> tuple[list[int], str]:
        return stratum(name, ids, known, statistics)

    assert chosen("long") == (
        [at for at in range(100) if at % 4 == 3],
        "true path of 4 hops or more",
    )
    assert chosen("short")[1] == "true path of 3 hops or fewer"
    assert chosen("long-unnamed")[0] == [at for at in range(100) if at % 4 == 3 and at % 2]
    assert chosen("alike")[0] == [at for at in range(100) if at / 200 < 0.3 and at >= 3]
    # None lies above 0.5: the fifth that comes nearest.
    assert chosen("apart") == (
        list(range(81, 100)), "the fifth with the largest PED of candidates",
    )  # fmt: skip
    assert chosen("few-candidates")[0] == list(range(33))
    assert chosen("many-candidates")[0] == list(range(67, 100))
    assert chosen("long", long=frozenset(ids[:30])) == (list(range(30)), "strata/long")
