"""The turns of OpenDialKG as queries: which path links the two entities, in this dialogue?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kgpath.datasets.conversion import Conversion
from kgpath.datasets.opendialkg.dialogues import Dialogue, OpenDialKGFile, Turn
from kgpath.errors import BadOption
from kgpath.kg_build.delimited import name_iri

#: What the relations of the paths are called in ``kg_triples.tsv``.
IN_KG_TRIPLES = {
    "written_by": "writer",
    "starred_actors": "actor",
    "has_genre": "genre",
    "release_year": "year",
    "directed_by": "director",
    "in_language": "language",
}


class OpenDialKG:
    """Every turn with a path becomes a query; its document is the dialogue up to that turn.

    ``relations`` says how they are named: ``kg_triples`` as in that graph, ``stated`` as they are.
    """

    def __init__(self, relations: str = "kg_triples") -> None:
        if relations not in ("kg_triples", "stated"):
            raise BadOption(f"No relations={relations!r} in opendialkg. Known: kg_triples, stated.")
        self.relations = relations

    def convert(self, path: str | Path) -> Conversion:
        """The queries of a file."""
        file = OpenDialKGFile(path)
        renamed = IN_KG_TRIPLES if self.relations == "kg_triples" else {}
        records: list[dict[str, Any]] = []
        left_out: Counter[str] = Counter()
        for dialogue in file.dialogues:
            for place, turn in enumerate(dialogue.turns):
                if not turn.path:
                    continue
                if len(set(turn.entities)) < len(turn.entities):
                    left_out["paths that visit an entity twice"] += 1
                    continue
                records.append(_query(dialogue, place, renamed))
        return Conversion("opendialkg", records, file.problems, left_out)


def path_iris(turn: Turn, renamed: Mapping[str, str] | None = None) -> list[str]:
    """The path of a turn by IRI, as a graph built from a table of the same names has them."""
    renamed = renamed or {}
    iris = [name_iri(name) for name in turn.entities]
    path = iris[:1]
    for step, entity in zip(turn.path, iris[1:], strict=True):
        backwards = "^" if step.relation.startswith("^") else ""
        relation = step.relation.removeprefix("^")
        path += [backwards + name_iri(renamed.get(relation, relation)), entity]
    return path


def _query(dialogue: Dialogue, place: int, renamed: Mapping[str, str]) -> dict[str, Any]:
    path = path_iris(dialogue.turns[place], renamed)
    return {
        "id": f"{dialogue.id}-{place + 1}",
        "document": "\n\n".join(turn.text for turn in dialogue.turns[: place + 1]),
        "head": path[0],
        "tail": path[-1],
        "path": path,
    }
