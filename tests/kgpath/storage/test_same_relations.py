"""Relations that say the same are found by names and facts, and kept as groups of hop codes."""

from __future__ import annotations

from kgpath.storage.same_relations import SameRelations

EDGES = "\n".join(
    f"ex:book{n} dbo:author ex:p{n} ; dbo:writer ex:p{n} . ex:p{n} dbo:child ex:c{n} ."
    f" ex:c{n} dbo:parent ex:p{n} ; dbo:birthPlace ex:town{n} ; dbo:deathPlace ex:town{n} ."
    for n in range(6)
)


def test_what_joins_the_same_and_is_called_alike_is_the_same(build_graph) -> None:
    kg = build_graph(EDGES)
    same = kg.derived(SameRelations)
    code = {relation.iri.rpartition("/")[2]: 2 * relation.id for relation in kg.store.relations}
    assert same.same(code["author"], code["writer"])
    assert same.same(code["author"] + 1, code["writer"] + 1)
    assert not same.same(code["author"], code["writer"] + 1)
    assert not same.same(code["author"], code["child"])
