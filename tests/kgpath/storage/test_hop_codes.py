"""Hop codes: relation and direction there and back, for numbers and for arrays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kgpath
from kgpath.storage.hop_codes import (
    code_of,
    code_of_iri,
    codes_of,
    hops_of,
    inverse,
    is_backward,
    relation_of,
)


@given(st.integers(0, 2**30 - 1), st.booleans())
def test_a_code_is_its_relation_and_its_direction(relation: int, backward: bool) -> None:
    code = code_of(relation, backward)
    assert (relation_of(code), is_backward(code)) == (relation, backward)
    assert (relation_of(inverse(code)), is_backward(inverse(code))) == (relation, not backward)
    assert inverse(inverse(code)) == code


def test_arrays_are_coded_like_numbers() -> None:
    relations, backward = np.array([0, 3, 7], dtype=np.int32), np.array([True, False, True])
    codes = code_of(relations, backward)
    assert codes.tolist() == [1, 6, 15]
    assert relation_of(codes).tolist() == [0, 3, 7]
    assert is_backward(codes).tolist() == [True, False, True]
    assert inverse(codes).tolist() == [0, 7, 14]


def test_padding_stays_below_every_relation() -> None:
    assert relation_of(np.array([-1])).tolist() == [-1]


def test_hops_there_and_back(film: kgpath.Graph) -> None:
    relations = film.store.relations
    codes = [1, 0, 2 * (len(relations) - 1)]
    hops = hops_of(codes, relations)
    assert [hop.forward for hop in hops] == [False, True, True]
    assert hops[0].relation == hops[1].relation == relations[0]
    assert codes_of(hops) == codes


@pytest.mark.parametrize(("name", "code"), [("a", 6), ("^a", 7), ("b", None), ("^b", None)])
def test_codes_by_iri(name: str, code: int | None) -> None:
    assert code_of_iri(name, {"a": 3}) == code
