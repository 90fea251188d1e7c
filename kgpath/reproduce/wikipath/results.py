"""Tables 4 to 7: the main results, their intervals, and the ablation."""

from __future__ import annotations

from collections.abc import Iterator

from kgpath.dialogue.evaluation import difference
from kgpath.dialogue.report import bleu_of
from kgpath.dialogue.run_analysis import diversity
from kgpath.metrics.comparison import Interval
from kgpath.reproduce.wikipath.published_figures import ABLATION, RESULTS
from kgpath.reproduce.wikipath.study import METHODS, study_of
from kgpath.reproduction import Request, Table

MAIN = ("KnowF1", "KnowAcc", "EntityAcc", "RespGroundF1", "UserScore")


def table_4(request: Request) -> Iterator[Table]:
    """Validation results: the same table as t5, on the files given."""
    yield from _main(request, "wikipath-t4", "Table 4. Validation results (mean over turns)")


def table_5(request: Request) -> Iterator[Table]:
    """Test results: selectors by split."""
    yield from _main(request, "wikipath-t5", "Table 5. Test results (mean over turns)")


def _main(request: Request, name: str, title: str) -> Iterator[Table]:
    rows: list[tuple[object, ...]] = []
    notes = []
    study = study_of(request)
    methods = dict(METHODS)
    if study.graph is not None:
        methods["WikiPath (typed)"] = "wikipath(edges=typed)"
    for split in study.splits:
        known = split.published
        for method, selector in methods.items():
            made = study.run(split, selector)
            values = tuple(made.mean(metric) for metric in MAIN)
            bleu, said = bleu_of(made)
            shown = "" if bleu is None else bleu
            rows.append((split.name, method, *values, made.mean("ROUGE-L"), shown))
            if (known, method) in RESULTS:
                paper = RESULTS[known, method]
                rows.append((f"{known}, the paper", method, *paper, "", ""))
        missing = sum(turn.gold is None for turn in split.turns)
        notes.append(
            f"{split.name}: {len(split.turns):,} turns; {missing:,} "
            "whose true sentence is not among the candidates are left out of KnowAcc and "
            "EntityAcc."
        )
    notes.append(f"ROUGE-L: F1, no stemming. {said}")
    yield Table(
        name, title, ("split", "method", *MAIN, "ROUGE-L", "BLEU-4"), tuple(rows), (*notes,)
    )


def table_6(request: Request) -> Iterator[Table]:
    """Bootstrap intervals of BM25, WikiPath and their difference; over turns, over dialogues."""
    study = study_of(request)
    for split in study.splits:
        one, other = study.run(split, "wikipath"), study.run(split, "bm25")
        for by_dialogue in (False, True):
            rows = [
                (
                    metric,
                    _said(other.interval(metric, by_dialogue, seed=request.seed)),
                    _said(one.interval(metric, by_dialogue, seed=request.seed)),
                    _said(
                        difference(one, other, metric, by_dialogue, seed=request.seed),
                        signed=True,
                    ),
                )
                for metric in ("KnowF1", "EntityAcc", "RespGroundF1", "UserScore")
            ]
            unit = "dialogues" if by_dialogue else "turns"
            yield Table(
                f"wikipath-t6-{split.name}-{unit}",
                f"Table 6. Bootstrap 95 % intervals on {split.name}, 1,000 resamples of {unit}",
                ("metric", "BM25", "WikiPath", "WikiPath − BM25"),
                tuple(rows),
            )


def _said(interval: Interval | None, signed: bool = False) -> str:
    if interval is None:
        return "–"
    sign = "+" if signed else ""
    return "{:{s}.4f} [{:{s}.4f}, {:{s}.4f}]".format(*interval, s=sign)


def table_7(request: Request) -> Iterator[Table]:
    """Ablation: edge rules, continuity, a bonus for new titles; typed rules with --graph."""
    variants = {
        "WikiPath (lexical)": "wikipath(edges=lexical)",
        "WikiPath (mention)": "wikipath(edges=mention)",
        "WikiPath (full)": "wikipath(edges=full)",
        "WikiPath (none)": "wikipath(edges=none)",
        "BM25+Continuity": "bm25+continuity",
        "WikiPath (full), beta .2": "wikipath(edges=full, beta=0.2)",
        "BM25": "bm25",
    }
    metrics = ("KnowF1", "EntityAcc", "RespGroundF1", "UserScore")
    study = study_of(request)
    if study.graph is not None:
        variants |= {
            "WikiPath (typed)": "wikipath(edges=typed)",
            "WikiPath (typed+lexical)": "wikipath(edges=typed+lexical)",
        }
    for split in study.splits:
        rows: list[tuple[object, ...]] = []
        for variant, selector in variants.items():
            made = study.run(split, selector)
            values = (made.mean(metric) for metric in metrics)
            rows.append((variant, *values, diversity(made).distinct, made.mean("NoPath")))
            if split.published == "test-seen" and variant in ABLATION:
                rows.append((f"{variant}, the paper", *ABLATION[variant], ""))
        yield Table(
            f"wikipath-t7-{split.name}",
            f"Table 7. Ablation on {split.name}",
            ("variant", *metrics, "DistinctRatio", "NoPath"),
            tuple(rows),
        )
