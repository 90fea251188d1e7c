"""A graph in numbers: counts, degrees, the commonest relations and types, and its sources."""

from __future__ import annotations

from typing import Any

from kgpath.storage.store import Store


def summary(store: Store, top: int = 10) -> dict[str, Any]:
    """Everything ``kgpath info`` shows, as plain data."""
    counts = {
        name: store.one(f"SELECT count(*) FROM {table}")[0]
        for name, table in (
            ("entities", "entity"),
            ("edges", "edge"),
            ("relations", "relation WHERE edges > 0"),
            ("classes", "class"),
            ("names", "name"),
            ("passages", "passage WHERE section >= 0"),
            ("entities_with_text", "(SELECT DISTINCT entity FROM passage)"),
            ("typed_entities", "(SELECT DISTINCT entity FROM entity_type)"),
        )
    }
    return {
        "path": str(store.path),
        "bytes": store.path.stat().st_size,
        "fingerprint": store.fingerprint,
        "languages": [part for part in store.meta("languages").split(",") if part],
        **counts,
        "degree": _degrees(store, counts["entities"]),
        "hubs": _rows(
            store, "label, iri, degree", "entity ORDER BY degree DESC, iri", top, "degree"
        ),
        "top_relations": _rows(
            store, "label, iri, edges", "relation WHERE edges > 0 ORDER BY edges DESC, iri", top,
            "edges",
        ),
        "top_types": _rows(
            store, "label, iri, entities", "class WHERE entities > 0 ORDER BY entities DESC, iri",
            top, "entities",
        ),
        "sources": [source._asdict() for source in store.sources()],
    }  # fmt: skip


def _degrees(store: Store, entities: int) -> dict[str, float]:
    mean, least, most = store.one("SELECT avg(degree), min(degree), max(degree) FROM entity")

    def quantile(share: float) -> int:
        place = min(entities - 1, int(share * entities))
        return int(
            store.one("SELECT degree FROM entity ORDER BY degree LIMIT 1 OFFSET ?", place)[0]
        )

    return {
        "mean": round(mean, 2),
        "min": least,
        "median": quantile(0.5),
        "p99": quantile(0.99),
        "max": most,
    }


def _rows(store: Store, columns: str, rest: str, top: int, count: str) -> list[dict[str, Any]]:
    rows = store.db.execute(f"SELECT {columns} FROM {rest} LIMIT ?", (top,))
    return [{"label": label, "iri": iri, count: number} for label, iri, number in rows]
