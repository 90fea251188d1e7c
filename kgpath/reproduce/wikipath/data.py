"""Tables 1 to 3: the data, the metrics, the settings."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence

import numpy as np

from kgpath.dialogue.words import words
from kgpath.reproduce.wikipath.published_figures import DATA
from kgpath.reproduce.wikipath.study import study_of
from kgpath.reproduction import Request, Table


def table_1(request: Request) -> Iterator[Table]:
    """Sizes of the splits, and how they spread."""
    rows: list[tuple[object, ...]] = []
    notes = []
    study = study_of(request)
    for split in study.splits:
        turns = split.turns
        candidates = [len(turn.candidates) for turn in turns]
        query = [len(words(turn.query)) for turn in turns]
        response = [len(words(turn.response)) for turn in turns]
        number = len(split.dialogues)
        means = (float(np.mean(sizes)) for sizes in (candidates, query, response))
        rows.append((split.name, number, len(turns), len(turns) / number, *means))
        if known := split.published:
            dialogues, all_turns, *others = DATA[known]
            rows.append((f"{known}, the paper", int(dialogues), int(all_turns), *others))
        for what, sizes in (
            ("candidates", candidates), ("query tokens", query), ("response tokens", response)
        ):  # fmt: skip
            notes.append(f"{split.name}: {what} {_spread(sizes)}.")
    columns = ("split", "dialogues", "turns", "turns per dialogue", "candidates", "query tokens")
    yield Table(
        "wikipath-t1", "Table 1. The data", (*columns, "response tokens"), tuple(rows), (*notes,)
    )


def _spread(sizes: Sequence[int]) -> str:
    median, most = np.median(sizes), np.percentile(sizes, 95)
    return f"{min(sizes)} to {max(sizes)}, median {median:g}, 95th percentile {most:g}"


def table_2(request: Request) -> Iterator[Table]:
    """What is measured, and how."""
    rows = (
        ("KnowAcc", "the true sentence was chosen", "same candidate, or a copy of it"),
        ("KnowF1", "overlap of the chosen and the true sentence", "F1 of tokens as multisets"),
        ("EntityAcc", "the right page was chosen", "same title"),
        ("RespGroundF1", "how much the sentence supports the response", "F1 of tokens"),
        ("BLEU-4", "overlap of the made and the true response", "sacrebleu, corpus, lower case"),
        ("ROUGE-L", "the same, by longest common subsequence", "F1, beta 1, no stemming"),
        ("UserScore", "stand-in for a user's opinion", "(ROUGE-L + RespGroundF1) / 2"),
        ("path length", "steps of the chain from source to title", "0 to 6, else NoPath"),
    )
    columns = ("metric", "what it measures", "computation")
    yield Table("wikipath-t2", "Table 2. Tasks and metrics", columns, rows)


def table_3(request: Request) -> Iterator[Table]:
    """Every setting, as the selectors really have it."""
    from kgpath.dialogue.selectors.continuity import Continuity
    from kgpath.dialogue.selectors.random import RandomChoice
    from kgpath.dialogue.selectors.wikipath import WikiPath

    rows: list[tuple[object, ...]] = [
        ("tokeniser", "[a-z0-9]+, lower case; no stop words in titles", "all"),
        ("nodes", "different titles of the candidates, and the source", "wikipath"),
        ("generator", "copies the chosen sentence", "all"),
        ("tie", "the first candidate", "all"),
    ]
    for selector in (RandomChoice, Continuity, WikiPath):
        # First what is its own, then what it has of BM25.
        options = inspect.signature(selector).parameters.values()
        for option in sorted(options, key=lambda one: one.name not in selector.__annotations__):
            if option.default is not None:
                rows.append((option.name, str(option.default), selector.name))
    columns = ("component", "setting", "used in")
    yield Table("wikipath-t3", "Table 3. Settings", columns, tuple(rows))
