"""Entities found in texts against those that people found: Wikinews and Re-DocRED, and how fast.

    python tests/bench/mentions.py --graph FILM.kg [--redocred REDOCRED.kg]

Needs ../shared/data. FILM.kg is the graph of its DBpedia dumps; in Wikinews, a link of the editors
counts if its title is an entity of the graph. Editors link a title once or not at all, so true
mentions that they left out count against precision here. REDOCRED.kg is the graph of
redocred/graph.nt.gz; there people marked all entities of each text. ``--half first`` and ``--half
second`` read half of the texts: what is worked out on one is tried on the other.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import time
from collections.abc import Iterable
from typing import Any

from common import DATA

import kgpath

HALVES = {"all": (0, 2), "first": (0, 1), "second": (1, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--redocred")
    parser.add_argument("--half", choices=HALVES, default="all")
    args = parser.parse_args()
    with kgpath.open(args.graph) as kg:
        articles = read("wikinews/articles.jsonl.gz", args.half)
        texts = [html.unescape("\n\n".join(article["paragraphs"])) for article in articles]
        rows = kg.store.db.execute("SELECT id, iri FROM entity")
        ids = {iri.rpartition("/")[2]: number for number, iri in rows}
        linked = ({link["title"] for link in article["entities"]} for article in articles)
        kg.mentions(texts[0])
        start = time.perf_counter()
        found = [{mention.entity for mention in kg.mentions(text)} for text in texts]
        seconds = time.perf_counter() - start
        figures("Wikinews", found, [{ids[t] for t in titles if t in ids} for titles in linked])
        speed(kg, texts, seconds)
    if args.redocred:
        with kgpath.open(args.redocred) as kg:
            documents = read("redocred/mentions.jsonl.gz", args.half)
            ids = dict(kg.store.db.execute("SELECT iri, id FROM entity"))
            found = [{m.entity for m in kg.mentions(row["document"])} for row in documents]
            figures(
                "Re-DocRED",
                found,
                [{ids[i] for i in row["entities"] if i in ids} for row in documents],
            )


def read(path: str, half: str) -> list[Any]:
    with gzip.open(DATA / path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    first, last = (part * len(rows) // 2 for part in HALVES[half])
    return rows[first:last]


def figures(what: str, found: Iterable[set[int]], wanted: Iterable[set[int]]) -> None:
    """Over the sets of entities, text by text."""
    pairs = list(zip(found, wanted, strict=True))
    right = sum(len(some & gold) for some, gold in pairs)
    all_found, all_wanted = (sum(map(len, column)) for column in zip(*pairs, strict=True))
    precision, recall = right / all_found, right / all_wanted
    print(f"{what}: {len(pairs)} texts, {all_wanted:,} entities wanted, {all_found:,} found")
    print(
        f"precision {precision:.3f}, recall {recall:.3f},"
        f" F1 {2 * precision * recall / (precision + recall):.3f}"
    )


def speed(kg: kgpath.Graph, texts: list[str], seconds: float) -> None:
    start = time.perf_counter()
    for text in texts:
        kg.mentions(text)
    again = time.perf_counter() - start  # words and entities are known from the first time
    long = "\n\n".join(texts)
    start = time.perf_counter()
    kg.mentions(long)
    whole = time.perf_counter() - start
    size = len(long.encode()) / 1e6
    print(
        f"{size / seconds:.2f} MB/s article by article, {size / again:.2f} when read again,"
        f" {size / whole:.2f} MB/s as one text"
    )


if __name__ == "__main__":
    main()
