"""Records: how a path with several relations at one step is shown and turned round."""

from kgpath.types import Entity, Hop, Path, Relation

AUTHOR, WRITER, WORKS = (Relation(n, f"ex:{name}", name) for n, name in enumerate("awn"))
BOOK, ANN = Entity(0, "ex:book", "Book"), Entity(1, "ex:ann", "Ann")
STEP = Hop(AUTHOR, True, also=(Hop(WRITER, True), Hop(WORKS, False)))


def test_relations_shown_with_another_stand_behind_it_and_those_of_the_other_way_have_a_mark():
    assert str(Path((BOOK, ANN), (STEP,))) == "Book –a, w, ^n→ Ann"


def test_a_step_with_several_relations_is_turned_round_as_a_whole():
    turned = Path((BOOK, ANN), (STEP,)).reversed()
    assert str(turned) == "Ann ←a, w, ^n– Book"
    assert turned.reversed() == Path((BOOK, ANN), (STEP,))


def test_other_relations_of_a_step_are_plain_data_only_where_there_are_some():
    assert Hop(AUTHOR, True).to_json() == {"iri": "ex:a", "forward": True}
    assert STEP.to_json() == {
        "iri": "ex:a",
        "forward": True,
        "also": [{"iri": "ex:w", "forward": True}, {"iri": "ex:n", "forward": False}],
    }
