"""The index of names: every form of a name, by its hash."""

from __future__ import annotations

import numpy as np

from kgpath.lexicon.name_index import name_index
from kgpath.lexicon.text import BEFORE_COMMA, PLAIN, forms, short_forms


def test_the_table_holds_every_form_of_a_name() -> None:
    assert forms("Abilene, Texas") == ["abilene texas", "abilene"]
    assert forms("Prime (film)") == ["prime film", "prime"]
    assert forms("(untitled)") == ["untitled"]
    assert list(short_forms("Prime, Ohio (film)", "prime ohio film")) == [
        (PLAIN, "prime ohio"),
        (BEFORE_COMMA, "prime"),
    ]
    table = name_index([(7, "Prime (film)", "prime film"), (3, "Prime", "prime")])
    assert table.hashes.tolist() == sorted(table.hashes.tolist())
    both = np.flatnonzero(np.diff(table.hashes.astype(object)) == 0)
    assert table.entities[[*both, *(both + 1)]].tolist() == [3, 7]
