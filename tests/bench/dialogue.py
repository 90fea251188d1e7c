"""Grounding a turn against rank_bm25's scoring of the same turn, in one run.

    python tests/bench/dialogue.py [--graph FILE.kg] [--times 15] [--json]

Needs ../shared/data. Turns of the whole dialogues with 50 or more candidates (70 on average).
rank_bm25 gets its candidates ready as tokens; kgpath starts from the text. "ready" leaves out the
time in which rank_bm25 counts the words of the turn, which it must do anew for every turn.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Callable

from common import DATA, report
from rank_bm25 import BM25Okapi

import kgpath
from kgpath.dialogue import Candidate, DialogueFile, Turn, WikiPath
from kgpath.dialogue.bm25 import BM25

TOKEN = re.compile("[a-z0-9]+")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", help="a graph file, for the typed rule")
    parser.add_argument("--times", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    file = DialogueFile(DATA / "dialogue/wow/sample-dialogues.json.gz")
    turns = [turn for turn in file.turns if len(turn.candidates) >= 50]
    tokens = {
        turn.id: [TOKEN.findall(candidate.sentence.lower()) for candidate in turn.candidates]
        for turn in turns
    }
    asked = {turn.id: TOKEN.findall(turn.query.lower()) for turn in turns}
    ready = {turn.id: BM25Okapi(tokens[turn.id], k1=1.2, b=0.75) for turn in turns}
    lexical, scores = WikiPath(), BM25()
    jobs: dict[str, Callable[[Turn], object]] = {
        "rank_bm25": lambda t: BM25Okapi(tokens[t.id], k1=1.2, b=0.75).get_scores(asked[t.id]),
        "rank_bm25 ready": lambda t: ready[t.id].get_scores(asked[t.id]),
        "kgpath BM25": lambda t: scores.scores(t.query, [c.sentence for c in t.candidates]),
        "lexical graph": lambda t: lexical.bonus(lexical.graph_of(t, t.topic), ()),
        "wikipath": lexical.select,
    }
    if options.graph:
        kg = kgpath.open(options.graph)
        typed = WikiPath(edges="typed", graph=kg)
        jobs["typed graph"] = lambda t: typed.bonus(typed.graph_of(t, t.topic), ())
        jobs["wikipath typed"] = lambda t: typed.select(t).chain
    microseconds = measure(jobs, turns, options.times)
    if options.graph:
        hard = {"typed graph, 60 known titles": jobs["typed graph"]}
        microseconds |= measure(hard, [known_titles(kg)], options.times)
    result = {
        "turns": len(turns),
        "candidates": statistics.mean(len(turn.candidates) for turn in turns),
        "microseconds": microseconds,
        "wikipath / rank_bm25": microseconds["wikipath"] / microseconds["rank_bm25"],
        "wikipath / rank_bm25 ready": microseconds["wikipath"] / microseconds["rank_bm25 ready"],
        "lexical graph / rank_bm25": microseconds["lexical graph"] / microseconds["rank_bm25"],
        "lexical graph / rank_bm25 ready": (
            microseconds["lexical graph"] / microseconds["rank_bm25 ready"]
        ),
    }
    wanted = {"wikipath / rank_bm25": "under 1", "lexical graph / rank_bm25": "at most .25"}
    rows = [(name, f"{value:,.0f} µs", "") for name, value in microseconds.items()]
    rows += [
        (name, f"{value:.3f}", wanted.get(name.removesuffix(" ready"), ""))
        for name, value in result.items()
        if "/" in name and isinstance(value, float)
    ]
    if options.graph:
        for name in ("typed graph", "typed graph, 60 known titles"):
            rows.append((name, f"{microseconds[name] / 1000:.2f} ms", "at most 5 ms"))
    report(result, rows, options.json)


def known_titles(kg: kgpath.Graph) -> Turn:
    """The hardest turn: 60 candidates, each of another title that the graph knows well."""
    rows = kg.store.db.execute(
        "SELECT label FROM entity WHERE degree > 30 GROUP BY label ORDER BY label"
    ).fetchall()
    labels = [label for (label,) in rows[:: max(len(rows) // 60, 1)]][:60]
    return Turn("?", tuple(Candidate(label, f"About {label}.") for label in labels), labels[0])


def measure(
    jobs: dict[str, Callable[[Turn], object]], turns: list[Turn], times: int
) -> dict[str, float]:
    """The median time of a turn, the jobs in turn so that a slow second hits all of them."""
    spent: dict[str, list[float]] = {name: [] for name in jobs}
    for number in range(times + 1):
        for name, job in jobs.items():
            start = time.perf_counter()
            for turn in turns:
                job(turn)
            if number:  # the first round warms up
                spent[name].append((time.perf_counter() - start) / len(turns) * 1e6)
    return {name: statistics.median(values) for name, values in spent.items()}


if __name__ == "__main__":
    main()
