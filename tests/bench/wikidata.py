"""Reading a generated Wikidata dump of 200,000 entities: megabytes of JSON a second, and memory.

The dump holds the facts of CoDEx-S a hundred times over, under new numbers, in the form and with
the trimmings of Wikidata's own (ranks, hashes, qualifiers, labels in 40 languages, sitelinks).

python tests/bench/wikidata.py [--entities 200000] [--json]
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from common import DATA, fresh, report

READ = """
import json, resource, sys, time
import kgpath.kg_build.wikidata.dump as wikidata
from kgpath.kg_build.report import Report
if sys.argv[2] == "1":
    wikidata._MOST_WORKERS = 1
report = Report("dump", languages=("en",))
started, busy = time.perf_counter(), time.process_time()
count = 0
with open(sys.argv[1], "rb") as stream:
    size = 0
    for statement in wikidata.read_wikidata(stream, report):
        count += 1
    size = stream.tell()
print(json.dumps({
    "seconds": time.perf_counter() - started, "cpu": time.process_time() - busy,
    "megabytes": size / 1e6, "statements": count, "entities": report.statements,
    "malformed": report.malformed,
    "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""
_LANGUAGES = (
    "en de fr es it nl pl pt ru sv ja zh ar fi cs da no hu ro tr uk ca he id ko vi fa el bg sk sl "
    "hr sr lt lv et eu gl cy ga"
).split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=200_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not (DATA / "wikidata-codex-s").exists():
        sys.exit(f"This benchmark reads the real data in {DATA}, which is not there. Skipped.")
    folder = Path(tempfile.mkdtemp(prefix="kgpath-bench-"))
    try:
        dump, part = folder / "dump.json", folder / "part.json"
        _write(dump, options.entities)
        _write(part, options.entities // 10)
        one = fresh(READ, dump, 1)
        less = fresh(READ, part, 1)
        many = fresh(READ, dump, 0)
    finally:
        shutil.rmtree(folder)
    # What the process itself was given: others may be using the machine.
    rate = one["megabytes"] / one["cpu"]
    result = {"one_process": one, "a_tenth": less, "all_cores": many}
    rows = [
        ("entities", f"{one['entities']:,}", ""),
        ("statements", f"{one['statements']:,}", ""),
        ("megabytes of JSON", f"{one['megabytes']:,.0f}", ""),
        ("megabytes a second of one core", f"{rate:.0f}", "at least 20"),
        ("the same by the clock", f"{one['megabytes'] / one['seconds']:.0f}", ""),
        ("by the clock, all cores", f"{many['megabytes'] / many['seconds']:.0f}", ""),
        ("peak memory", f"{one['peak_mb']:,.0f} MB", ""),
        ("peak memory, a tenth of the dump", f"{less['peak_mb']:,.0f} MB", "about the same"),
    ]
    report(result, rows, options.json)


def _write(path: Path, entities: int) -> None:
    facts: dict[str, list[tuple[str, str]]] = {}
    for name in ("train", "valid", "test"):
        with gzip.open(DATA / "wikidata-codex-s" / f"{name}.txt.gz", "rt") as lines:
            for line in lines:
                head, relation, tail = line.split()
                facts.setdefault(head, []).append((relation, tail))
                facts.setdefault(tail, [])
    with path.open("w", encoding="utf-8") as out:
        for number, entity in enumerate(_entities(facts, entities)):
            out.write((",\n" if number else "[\n") + entity)
        out.write("\n]\n")


def _entities(facts: dict[str, list[tuple[str, str]]], entities: int) -> Iterator[str]:
    names = list(facts)
    number = {name: at for at, name in enumerate(names)}
    for at in range(entities):
        copy, place = divmod(at, len(names))

        def numbered(name: str, copy: int = copy) -> str:
            return f"Q{1 + copy * len(names) + number[name]}"

        name = names[place]
        me = numbered(name)
        claims: dict[str, list[dict]] = {}
        for relation, tail in facts[name]:
            claims.setdefault(relation, []).append(_claim(me, relation, numbered(tail)))
        claims["P31"] = [_claim(me, "P31", "Q5")]
        words = f"{name} the {copy}th"
        yield json.dumps(
            {
                "type": "item",
                "id": me,
                "labels": {x: {"language": x, "value": f"{words} ({x})"} for x in _LANGUAGES},
                "descriptions": {
                    x: {"language": x, "value": f"one of many things in {x}"} for x in _LANGUAGES
                },
                "aliases": {"en": [{"language": "en", "value": f"{words}, Esq."}]},
                "claims": claims,
                "sitelinks": {
                    f"{x}wiki": {"site": f"{x}wiki", "title": f"{words} ({x})", "badges": []}
                    for x in _LANGUAGES[:20]
                },
                "lastrevid": 1,
            },
            separators=(",", ":"),
        )


def _claim(subject: str, relation: str, value: str) -> dict:
    digest = hashlib.md5(f"{subject} {relation} {value}".encode()).hexdigest()
    return {
        "mainsnak": {
            "snaktype": "value",
            "property": relation,
            "hash": digest,
            "datavalue": {
                "value": {"entity-type": "item", "numeric-id": int(value[1:]), "id": value},
                "type": "wikibase-entityid",
            },
            "datatype": "wikibase-item",
        },
        "type": "statement",
        "id": f"{subject}${digest}",
        "rank": "normal",
    }


if __name__ == "__main__":
    main()
