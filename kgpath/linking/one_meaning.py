"""One span of a text supports one entity of a path: "Queen" is the band or the album, not both.

Of several entities that a span may show by the very same words, the one that the query asks about
has it, else the one that the text means there as far as mentions can tell, else the one that fits
best what the text names for certain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kgpath.linking.disambiguation import meant_of

if TYPE_CHECKING:
    from kgpath.linking.context import Context

Span = tuple[int, int]


def with_one_meaning(
    context: Context, claims: Mapping[int, Sequence[Span]], ends: set[int]
) -> dict[int, list[Span]]:
    """The spans that each entity keeps of those where its name stands; ``ends`` win."""
    claimed: dict[Span, list[int]] = {}
    for entity, spans in claims.items():
        for span in set(spans):
            claimed.setdefault(span, []).append(entity)
    shared = {span: entities for span, entities in claimed.items() if len(entities) > 1}
    if not shared:
        return {entity: list(spans) for entity, spans in claims.items()}
    mentions = context.mentions(sorted(ends))
    settled = {(m.first, m.last): m.entity for m in mentions}
    certain = ends | {m.entity for m in mentions}
    best: dict[tuple[int, ...], int] = {}
    lost: set[tuple[int, Span]] = set()
    for span, entities in shared.items():
        # Who asks about two homonyms means both of them.
        keepers = ends.intersection(entities) or {settled.get(span, -1)}.intersection(entities)
        if not keepers:
            key = tuple(sorted(entities))
            if key not in best:
                best[key] = meant_of(context.graph, key, certain)
            keepers = {best[key]}
        lost |= {(entity, span) for entity in entities if entity not in keepers}
    return {
        entity: [span for span in spans if (entity, span) not in lost]
        for entity, spans in claims.items()
    }
