"""Hop codes: a relation and the direction it is walked in as one whole number.

``2 · relation``, plus 1 where the hop goes against the relation; -1 pads rows of codes. Every
function takes a number or an array of them. How a code is made is known here alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kgpath.types import Hop, Relation

Code = TypeVar("Code", int, NDArray[np.integer[Any]])


def code_of(relation: Code, backward: Any) -> Code:
    """The code of a relation that is walked forwards, or ``backward``.

    >>> code_of(7, backward=True)
    15
    """
    return 2 * relation + backward  # type: ignore[no-any-return]


def relation_of(code: Code) -> Code:
    """The id of the relation; -1 for padding."""
    return code >> 1


def is_backward(code: Code) -> Any:
    """Whether the hop goes against its relation."""
    return code & 1 == 1


def for_both_directions(values: NDArray[Any]) -> NDArray[Any]:
    """A value of each relation at the place of each of its two codes.

    >>> for_both_directions(np.array([5, 7])).tolist()
    [5, 5, 7, 7]
    """
    return np.repeat(values, 2, axis=0)


def inverse(code: Code) -> Code:
    """The same relation, walked the other way."""
    return code ^ 1


def hops_of(codes: Iterable[int], relations: Sequence[Relation]) -> tuple[Hop, ...]:
    """Codes as hops; ``relations`` holds every relation at the place of its id."""
    return tuple(Hop(relations[relation_of(code)], not is_backward(code)) for code in codes)


def codes_of(hops: Iterable[Hop]) -> list[int]:
    """Hops as codes."""
    return [code_of(hop.relation.id, not hop.forward) for hop in hops]


def code_of_iri(name: str, relations: Mapping[str, int]) -> int | None:
    """The code of a relation by IRI, backwards with ``^`` in front; None if it is not known.

    >>> code_of_iri("^http://example.org/director", {"http://example.org/director": 3})
    7
    """
    relation = relations.get(name.removeprefix("^"))
    return None if relation is None else code_of(relation, name.startswith("^"))
