"""Contextual path queries as they are, checked: lines that cannot be used are named, not used."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from kgpath.datasets.conversion import Conversion
from kgpath.io.queries import Query, QueryFile


class Cpr:
    """Queries in kgpath's own JSON lines, with nothing else in them."""

    def convert(self, path: str | Path) -> Conversion:
        """The queries of a file; fields without a meaning are dropped and counted."""
        file = QueryFile(path)
        left_out = Counter({f"field {name}": count for name, count in file.ignored.items()})
        return Conversion(
            "cpr", [_record(query) for query in file.queries], file.problems, left_out
        )


def _record(query: Query) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": query.id, "document": query.document, "head": query.head, "tail": query.tail,
    }  # fmt: skip
    if len(query.paths) == 1:
        record["path"] = list(query.paths[0])
    else:
        record["paths"] = [list(path) for path in query.paths]
    if query.links:
        record["links"] = [{"entity": entity, "words": words} for entity, words in query.links]
    if query.evidence:
        record["evidence"] = [
            {**fact._asdict(), "sentences": list(fact.sentences)} for fact in query.evidence
        ]
    if query.sentence_starts:
        record["sentence_starts"] = list(query.sentence_starts)
    return record
