"""Many texts by one process and by two: python tests/bench/texts.py --graph film.kg

The texts are those of ../shared/data/wikinews unless others are named. What counts is the ratio.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

import kgpath
from kgpath.io.lines import read_lines
from kgpath.io.texts import GivenText, TextFiles
from kgpath.many_texts import TextQuestions, write_answers

NEWS = Path(__file__).parents[3] / "shared" / "data" / "wikinews" / "articles.jsonl.gz"


def news() -> list[GivenText]:
    """The Wikinews articles, which have paragraphs in place of a text."""
    articles = map(json.loads, read_lines(NEWS))
    return [GivenText(one["title"], "\n\n".join(one["paragraphs"])) for one in articles]


def main() -> None:
    """Write all answers with one process and with two, and compare bytes and times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", required=True)
    parser.add_argument("--texts", help="a folder or JSON lines")
    parser.add_argument("--pairs", type=int, default=10, help="of each text, the closest")
    options = parser.parse_args()
    texts = TextFiles(options.texts).texts if options.texts else news()
    questions = TextQuestions(proposed=options.pairs)
    seconds, written = {}, {}
    with kgpath.open(options.graph) as graph, tempfile.TemporaryDirectory() as folder:
        write_answers(graph, texts[:5], Path(folder) / "warm.jsonl", questions)
        for workers in (1, 2):
            output = Path(folder) / f"{workers}.jsonl"
            began = time.perf_counter()
            write_answers(graph, texts, output, questions, workers=workers)
            seconds[workers] = time.perf_counter() - began
            written[workers] = output.read_bytes()
    records = [json.loads(line) for line in written[1].splitlines()]
    answers = [one for record in records for one in record.get("answers", ())]
    relevant = sum(one.get("verdict") == "relevant" for one in answers)
    print(f"{len(texts):,} texts, {len(answers):,} pairs, {relevant:,} of them relevant")
    print(
        f"one process / two {seconds[1] / seconds[2]:.2f} ({seconds[1]:.1f} and {seconds[2]:.1f} s)"
    )
    print(f"same bytes: {written[1] == written[2]}")


if __name__ == "__main__":
    main()
