"""Entities found in Wikinews articles against the editors' links, and how fast.

    python tests/bench/mentions.py --graph FILE.kg

Needs ../shared/data. A link counts if its title is an entity of the graph. Editors link a title
once or not at all, so true mentions that they left out count against precision here.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import time

from common import DATA

import kgpath


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    args = parser.parse_args()
    with gzip.open(DATA / "wikinews/articles.jsonl.gz", "rt", encoding="utf-8") as file:
        articles = [json.loads(line) for line in file]
    texts = [html.unescape("\n\n".join(article["paragraphs"])) for article in articles]
    right = found = wanted = 0
    with kgpath.open(args.graph) as kg:
        rows = kg.store.db.execute("SELECT id, iri FROM entity").fetchall()
        ids = {iri.rpartition("/")[2]: number for number, iri in rows}
        kg.mentions(texts[0])
        start = time.perf_counter()
        results = [kg.mentions(text) for text in texts]
        seconds = time.perf_counter() - start
        for article, mentions in zip(articles, results, strict=True):
            titles = {link["title"] for link in article["entities"] if link["title"]}
            gold = {ids[title] for title in titles if title in ids}
            entities = {mention.entity for mention in mentions}
            right, found, wanted = (
                right + len(gold & entities), found + len(entities), wanted + len(gold)
            )  # fmt: skip
        precision, recall = right / found, right / wanted
        print(f"{len(articles)} articles, {wanted:,} linked titles in the graph, {found:,} found")
        print(
            f"precision {precision:.3f}, recall {recall:.3f},"
            f" F1 {2 * precision * recall / (precision + recall):.3f}"
        )
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
