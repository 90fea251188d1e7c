"""Relevant answers over news, for a person to judge: python tests/bench/news.py --graph film.kg

Pairs of Wikinews articles are drawn by seed; the first answers that are called relevant are printed
with their sentences, at most two an article.
"""

from __future__ import annotations

import argparse
from random import Random

from texts import news

import kgpath
from kgpath.answer import RELEVANT

CLOSEST, TRIED, OF_ONE = 40, 8, 2


def main() -> None:
    """Print the answers, numbered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", required=True)
    parser.add_argument("--answers", type=int, default=25)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    articles = news()
    Random(options.seed).shuffle(articles)
    shown = asked = 0
    with kgpath.open(options.graph) as graph:
        for article in articles:
            pairs = graph.pairs(article.text)[:CLOSEST]
            Random(article.id).shuffle(pairs)
            of_this = 0
            for pair in pairs[:TRIED]:
                asked += 1
                answers = graph.query(pair.head, pair.tail, article.text, k=1)
                if answers.verdict != RELEVANT or of_this == OF_ONE or shown == options.answers:
                    continue
                of_this, shown = of_this + 1, shown + 1
                best = answers[0]
                print(f"{shown}. {best.support:.2f}  {article.id}\n    {best}")
                for quote in best.quotes:
                    print(f"      “{quote.marked('[', ']')}”")
            if shown == options.answers:
                break
    print(f"{shown} relevant answers, of {asked} pairs asked about")


if __name__ == "__main__":
    main()
