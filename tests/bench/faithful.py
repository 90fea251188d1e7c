"""The encoders and rankers of Lo & Lim (2023) on the same questions, as one table.

    python tests/bench/faithful.py --graph FILE.kg --vectors GLOVE.txt --work FOLDER [--on folds]

Every row is trained on the training questions and measured on dev; with --on folds, on a fifth of
the training texts after learning from the others. A row that is in the work folder is not made
again, so the command can be stopped and resumed; --only PATTERN makes some rows, --show none.
Needs ../shared/data, the graph of DBpedia with webnlg-facts, and kgpath embed on it.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from common import DATA

import kgpath
from kgpath.context import Context
from kgpath.evaluate import Evaluator, Question
from kgpath.features import PathFeatures
from kgpath.folds import fold_of
from kgpath.metrics import Evaluation, compare, parse
from kgpath.models import path_encoder_of
from kgpath.queries import Query, QueryFile
from kgpath.rankers.ranker import Example, Learner
from kgpath.registry import RANKERS

METRICS = ("MRR", "Hits@1", "Hits@3", "Hits@5", "NGEO(Ent)", "NGEO(Rel)", "PED")
BASELINES = ("random", "shortest", "tfidf-cosine", "avg-cosine")
# In the order of the paper, from worst to best.
CONTEXTS = (
    "tfidf", "avg-transe", "avg-word", "avg-wiki2vec", "fused-none", "fused-in", "fused-inout",
    "minilm",
)  # fmt: skip
LEARNERS = ("binary", "xendcg")
LISTWISE = ("xendcg", "listwise")
FUSED = (("in", "none"), ("inout", "in"))
#: About a third of the usual training, which is enough to be in use and leaves time for the rest.
PATHS = "path-vae(paths=50000, epochs=8, budget=600)"
OTHER_PATHS = (("avg-transe", "path-mean"), ("minilm", "path-mean"), ("minilm", "path-text"))
LABELS = ", labels=truncated"
#: PED by an encoder that no row was trained with: else it rewards what it was made of.
PED_ENCODER = "path-vae(seed=1, paths=20000, epochs=6, budget=600)"
FOLDS = 5


@dataclass(frozen=True)
class Row:
    """A line of the table: a ranker with its options."""

    group: str
    choice: str

    @property
    def file(self) -> str:
        return re.sub(r"[^A-Za-z0-9.=-]+", "_", self.choice).strip("_") + ".json"


def rows() -> list[Row]:
    """Everything that is measured."""
    made = [Row("baselines", name) for name in BASELINES]
    made += [Row("faithful", learned(ranker, c)) for c in CONTEXTS for ranker in LEARNERS]
    made += [Row("beyond", learned("listwise", c)) for c in CONTEXTS]
    made += [Row("other labels", learned("xendcg", c, PATHS, LABELS)) for c in CONTEXTS]
    for context, path in OTHER_PATHS:
        made += [Row("other paths", learned(r, context, path)) for r in (*LEARNERS, "listwise")]
        made += [Row("other paths", learned("xendcg", context, path, LABELS))]
    similar = f"{LABELS}, similar=true"
    return [*made, Row("beyond", learned("xendcg", "minilm", "path-text", similar))]


def learned(ranker: str, context: str, path: str = PATHS, options: str = "") -> str:
    return f"{ranker}(context_encoder={context}, path_encoder={path}{options})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    parser.add_argument("--vectors", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--on", default="dev", choices=("dev", "folds"))
    parser.add_argument("--only", default="", help="rows that match this pattern")
    parser.add_argument("--show", action="store_true", help="only what is there")
    args = parser.parse_args()
    folder = args.work / args.on
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [row for row in rows() if re.search(args.only, row.choice)]
    missing = [row for row in wanted if not (folder / row.file).exists()]
    if missing and not args.show:
        measure(missing, folder, args)
    show([row for row in wanted if (folder / row.file).exists()], folder)


def measure(missing: list[Row], folder: Path, args: Any) -> None:
    """Make rows; candidates are found once for all of them."""
    train, test = split(args.on)
    with kgpath.open(args.graph) as kg:
        examples = learned_from(kg, train)
        encoder = path_encoder_of(PED_ENCODER, kg)
        evaluator = OnceOnly(kg, test, metrics=METRICS, path_encoder=encoder)
        for row in missing:
            # Not for avg-wiki2vec, which learns words and entities from the graph.
            of_words = re.search("avg-word|avg-cosine", row.choice)
            ranker = RANKERS.make(row.choice, vectors=args.vectors if of_words else "")
            began = time.monotonic()
            if isinstance(ranker, Learner):
                ranker.fit(examples)
            fitted = time.monotonic()
            (run,) = evaluator.run({}, {row.choice: ranker})
            data = {
                "choice": row.choice,
                "fit": round(fitted - began, 1),
                "score": round(time.monotonic() - fitted, 1),
                "report": ranker.report(),
                "queries": run.paths.queries,
                "groups": run.paths.groups,
                "candidates": run.paths.candidates,
                "values": {str(metric): values for metric, values in run.paths.values.items()},
                "entities": {str(m): values for m, values in run.entities.values.items()},
            }
            (folder / row.file).write_text(json.dumps(data))
            means = ", ".join(f"{k} {v:.4f}" for k, v in run.paths.means().items())
            print(f"{row.choice}: {means}; fit {data['fit']} s", flush=True)


class OnceOnly(Evaluator):
    """Works out the candidates of a question and what is known of them once, for all rows."""

    def features(self, question: Question) -> PathFeatures | None:
        known = self.__dict__.setdefault("known", {})
        if question.query.id not in known:
            known[question.query.id] = super().features(question)
        found: PathFeatures | None = known[question.query.id]
        return found


def split(on: str) -> tuple[list[Query], list[Query]]:
    """The questions to learn from and those to measure on."""
    train = QueryFile(DATA / "cpr/webnlg-train.jsonl.gz").queries
    if on == "dev":
        return train, QueryFile(DATA / "cpr/webnlg-dev.jsonl.gz").queries
    fold = fold_of([query.document for query in train], FOLDS)
    kept, tested = (
        [q for q, own in zip(train, fold, strict=True) if (own == 0) is is_test]
        for is_test in (False, True)
    )
    return kept, tested


def learned_from(kg: kgpath.Graph, queries: list[Query]) -> list[Example]:
    """All questions with their candidates, without what a context works out for the whole graph."""
    evaluator = Evaluator(kg, queries)
    texts: dict[str, Context] = {}
    examples = []
    for features, true, group in evaluator.examples(range(len(queries))):
        context = texts.setdefault(group, Context(kg, features.context.text))
        examples.append(Example(PathFeatures(context, features.candidates), true, group))
    return examples


def show(done: list[Row], folder: Path) -> None:
    """The table, and how sure the differences are."""
    data = {row.choice: json.loads((folder / row.file).read_text()) for row in done}
    found = {choice: evaluation(one) for choice, one in data.items()}
    print("\n| ranker | " + " | ".join(METRICS) + " | entities MRR | seconds to fit |")
    print("|---" * (len(METRICS) + 3) + "|")
    for row in done:
        means = [f"{np.mean(data[row.choice]['values'][name]):.4f}" for name in METRICS]
        entities = np.mean(data[row.choice]["entities"]["MRR"])
        print(
            f"| {row.choice} | {' | '.join(means)} | {entities:.4f} | {data[row.choice]['fit']} |"
        )
    print("\n| MRR of | minus that of | difference | 95 % | p |\n|---|---|---|---|---|")
    for one, other in compared():
        if one in found and other in found:
            result = compare(found[one], found[other], "MRR", by_group=True)
            gap = result.difference
            print(
                f"| {one} | {other} | {gap.mean:+.4f} | {gap.low:+.4f} to {gap.high:+.4f} "
                f"| {result.p:.4f} |"
            )


def compared() -> list[tuple[str, str]]:
    """The paper's claims: listwise above pairwise, and each family of encoders above the last."""
    pairs = [(learned(ranker, c), learned("binary", c)) for c in CONTEXTS for ranker in LISTWISE]
    steps = []
    for ranker in ("binary", *LISTWISE):
        best = [learned(ranker, name) for name in ("tfidf", "avg-word", "fused-inout", "minilm")]
        steps += [*zip(best[1:], best, strict=False)]
        steps += [(learned(ranker, f"fused-{a}"), learned(ranker, f"fused-{b}")) for a, b in FUSED]
        steps += [(choice, other) for choice in best for other in ("tfidf-cosine", "shortest")]
    return [*pairs, *steps]


def evaluation(data: dict[str, Any]) -> Evaluation:
    return Evaluation(
        tuple(data["queries"]),
        tuple(data["groups"]),
        tuple(data["candidates"]),
        {parse(name): tuple(values) for name, values in data["values"].items()},
    )


if __name__ == "__main__":
    main()
