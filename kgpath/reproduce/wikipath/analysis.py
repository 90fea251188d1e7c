"""Tables 8 to 13: errors, no-passage turns, a case, time, diversity, path lengths."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator

from kgpath.dialogue.evaluation import Outcome
from kgpath.dialogue.run_analysis import buckets, diversity, errors, no_passage
from kgpath.dialogue.selectors.choices import make_selector
from kgpath.reproduce.wikipath.published_figures import BUCKETS, ERRORS
from kgpath.reproduce.wikipath.study import Rows, Split, Study, study_of, table_of_each_split
from kgpath.reproduction import Request, Table

PAIR = {"BM25": "bm25", "BM25+WikiPath": "wikipath"}
_TIMED = 200  # dialogues, as in the paper
_TIMES = 5


@table_of_each_split(
    "t8", "Table 8. Errors on {}, in percent",
    (
        "method", "turns", "correct sentence", "wrong sentence, right title", "wrong title",
        "wrong title with overlap", "KnowF1 (wrong title)",
    ),
)  # fmt: skip
def table_8(study: Study, split: Split) -> Rows:
    """Errors: wrong sentence of the right title, or wrong title; in percent."""
    for method, selector in PAIR.items():
        found = errors(study.run(split, selector))
        shares = (f"{100 * share:.2f}" for share in found[1:5])
        yield method, found.turns, *shares, found.wrong_know_f1
        if split.published == "test-seen":
            paper = (f"{share:.2f}" for share in ERRORS[method])
            yield f"{method}, the paper", 3865, *paper, ""


@table_of_each_split(
    "t9", "Table 9. Turns without a passage on {}",
    (
        "method", "true", "said", "rightly said", "true rate", "said rate", "precision", "recall",
    ),
)  # fmt: skip
def table_9(study: Study, split: Split) -> Rows:
    """Turns that used no passage: how often that is said, and rightly; with a detector too."""
    runs = {method: study.run(split, selector) for method, selector in PAIR.items()}
    if detected := study.detected(split, "wikipath"):
        runs["detector, BM25+WikiPath"] = detected
    for method, made in runs.items():
        found = no_passage(made)
        rates = (number / max(found.turns, 1) for number in (found.gold, found.predicted))
        counts = found.gold, found.predicted, found.correct
        yield method, *counts, *rates, found.precision, found.recall


def table_10(request: Request) -> Iterator[Table]:
    """A case: WikiPath finds the right title over a chain where BM25 does not."""
    study = study_of(request)
    selectors = ["wikipath"] + ["wikipath(edges=typed)"] * (study.graph is not None)
    for split in study.splits:
        rows = []
        for selector in selectors:
            pairs = zip(
                study.run(split, selector).outcomes,
                study.run(split, "bm25").outcomes,
                strict=True,
            )
            found = next((pair for pair in pairs if _is_case(*pair)), None)
            if found:
                rows.append((selector, *_case(*found)))
        notes = () if rows else ("No turn of this kind in these dialogues.",)
        yield Table(
            f"wikipath-t10-{split.name}",
            f"Table 10. A case from {split.name}",
            (
                "selector", "query", "true title", "BM25 title", "title", "sentence", "chain",
                "path length",
            ),
            tuple(rows),
            notes,
        )  # fmt: skip


def _is_case(one: Outcome, other: Outcome) -> bool:
    return bool(one.entity_acc == 1 and other.entity_acc == 0 and one.selection.path_length)


def _case(one: Outcome, other: Outcome) -> tuple[object, ...]:
    selection = one.selection
    return (
        selection.turn.query,
        selection.turn.gold_title,
        other.selection.title,
        selection.title,
        selection.sentence,
        str(selection.chain),
        selection.path_length,
    )


@table_of_each_split(
    "t11", "Table 11. Time on {}, one core", ("method", "runs", "turns", "seconds", "ms per turn")
)
def table_11(study: Study, split: Split) -> Rows:
    """Time of a turn, over a sample of 200 dialogues, five times."""
    drawn = random.Random(study.request.seed).sample(
        range(len(split.dialogues)), min(_TIMED, len(split.dialogues))
    )
    dialogues = [split.dialogues[at] for at in sorted(drawn)]
    turns = sum(len(dialogue.turns) for dialogue in dialogues)
    for method, selector in PAIR.items():
        made = make_selector(selector, study.graph)
        seconds = []
        for _ in range(_TIMES):
            start = time.perf_counter()
            for dialogue in dialogues:
                made.select_all(dialogue)
            seconds.append(time.perf_counter() - start)
        mean, spread = statistics.mean(seconds), statistics.stdev(seconds)
        yield method, _TIMES, turns, f"{mean:.3f} ± {spread:.3f}", 1e3 * mean / turns


@table_of_each_split(
    "t12", "Table 12. Diversity of titles and the user score on {}",
    (
        "method", "distinct ratio", "new-entity rate", "Pearson (distinct)", "Spearman (distinct)",
        "Pearson (new)", "Spearman (new)",
    ),
)  # fmt: skip
def table_12(study: Study, split: Split) -> Rows:
    """How dialogues move between titles, and how that goes with the user score."""
    for method, selector in PAIR.items():
        yield method, *diversity(study.run(split, selector))


def table_13(request: Request) -> Iterator[Table]:
    """Turns by the length of their chain."""
    study = study_of(request)
    selectors = ["wikipath"] + ["wikipath(edges=typed)"] * (study.graph is not None)
    for split in study.splits:
        for selector in selectors:
            rows: list[tuple[object, ...]] = []
            for bucket in buckets(study.run(split, selector)):
                name = "NoPath" if bucket.length is None else str(bucket.length)
                rows.append((name, *bucket[1:5]))
                paper = BUCKETS.get(bucket.length)
                if split.published == "test-seen" and paper:
                    rows.append((f"{name}, the paper", int(paper[0]), *paper[1:]))
            yield Table(
                f"wikipath-t13-{split.name}" + ("-typed" if "typed" in selector else ""),
                f"Table 13. Turns of {split.name} by the length of their chain, {selector}",
                ("path length", "turns", "UserScore", "KnowF1", "EntityAcc"),
                tuple(rows),
            )
