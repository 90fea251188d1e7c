"""How kgpath-general learns: trees over facts, then over paths, then how sure the best path is.

Nothing is judged by what it taught: what the trees over paths see of a fact comes from trees over
facts that were learned from other texts, and so does what calibration sees of a path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.features.feature_table import FeatureTable
from kgpath.io.progress import counted
from kgpath.rankers.general.model import ToldModel
from kgpath.rankers.general.parallels import chosen_among_parallels
from kgpath.rankers.general.told_example import ToldExample, told_masks
from kgpath.rankers.general.told_paths import told_paths
from kgpath.rankers.general.tree_arrays import TreeArrays
from kgpath.rankers.ltr.trees import lightgbm, of_data

Numbers = NDArray[np.float64]

#: Texts are put into so many folds, so that nothing is judged by what it taught.
FOLDS = 5
#: Trees that say which sentences tell a fact, and how surely one does that is shown.
SENTENCE_TREES, SHOWN_FROM = 100, 0.45
#: More of these never makes a fact or a path less likely to be told, whatever data say by chance.
_RISING = frozenset(
    "least named,best named,head named,tail named,together,relation words,relation near,"
    "words behind,near behind,words elsewhere,meant near,best meant near,meant in sentence,"
    "meant between,meant near behind,meant in sentence behind,best meant behind,meant elsewhere,"
    "said,log p,odds,least odds,mean odds,log p behind,odds behind,least odds behind,"
    "mean odds behind,log p beyond the second,least named behind,zero-shot behind,least said,"
    "mean said".split(",")
)
_FALLING = frozenset("gap,sentences apart,better paths,zero-shot better".split(","))

#: No slope of a calibrated score is less; the line that is right where scores are log odds.
_LEAST_SLOPE = 0.05
_EVEN = np.array([1.0, 0.0])


#: Rows, and which of them are true.
_Part = tuple[FeatureTable, NDArray[np.bool_]]


class Settings(NamedTuple):
    """How many trees are grown, and how."""

    fact_trees: int
    path_trees: int
    seed: int


def learn(examples: Sequence[ToldExample], settings: Settings) -> ToldModel:
    """Learn from queries with known answers, told and untold."""
    fold = folds_of([example.group for example in examples], settings.seed)
    told = told_masks(examples)
    facts: list[TreeArrays] = []
    odds: list[Numbers] = [np.zeros(0)] * len(examples)
    for number in counted(range(max(fold) + 1), "learning facts", "models"):
        own = [at for at, one in enumerate(fold) if one == number]
        others = [at for at, one in enumerate(fold) if one != number]
        trees = _fact_trees(examples, told, others, settings, number)
        facts.append(trees)
        for at in own:
            odds[at] = trees.scores(examples[at].facts.values)
    tables = [told_paths(one, known) for one, known in zip(examples, odds, strict=True)]
    paths, slope, shift = _paths_and_line(examples, tables, fold, settings)
    return ToldModel(
        facts=TreeArrays.mean_of(facts),
        paths=TreeArrays.mean_of(paths),
        sentences=None,
        slope=slope,
        shift=shift,
        threshold=0.5,
        fact_names=examples[0].facts.names,
        path_names=tables[0].names,
        sentence_names=(),
    )


def folds_of(groups: Sequence[str], seed: int) -> list[int]:
    """The fold of each example; those of one text are in one."""
    known = sorted(set(groups))
    if len(known) < 2:
        raise BadOption(
            "All queries to learn from are over one text; kgpath-general needs at least two, to "
            "learn what holds for another text."
        )
    numbers = np.random.default_rng(seed).permutation(len(known)) % min(FOLDS, len(known))
    fold = dict(zip(known, numbers.tolist(), strict=True))
    return [fold[group] for group in groups]


def learn_sentences(
    model: ToldModel, texts: Sequence[tuple[FeatureTable, NDArray[np.integer]]], seed: int
) -> ToldModel:
    """The same model, which also knows which sentences tell a fact.

    ``texts`` have a row for each fact and sentence, and 1 where the sentence tells the fact.
    """
    rows = np.concatenate([table.values for table, _ in texts])
    told = np.concatenate([told for _, told in texts])
    chosen = _settings(len(rows), seed) | {"feature_fraction": 0.7, "bagging_fraction": 0.8}
    data = lightgbm().Dataset(rows, told, params=of_data(chosen))
    dump = lightgbm().train(chosen, data, SENTENCE_TREES).dump_model()
    return replace(
        model,
        sentences=TreeArrays.from_lightgbm(dump),
        threshold=SHOWN_FROM,
        sentence_names=texts[0][0].names,
    )


def _fact_trees(
    examples: Sequence[ToldExample],
    told: Sequence[NDArray[np.bool_]],
    places: Sequence[int],
    settings: Settings,
    number: int,
) -> TreeArrays:
    def part(at: int) -> _Part:
        return examples[at].facts, told[at]

    return _grown(part, places, settings.fact_trees, settings.seed + number)


def _path_trees(
    examples: Sequence[ToldExample],
    tables: Sequence[FeatureTable],
    places: Sequence[int],
    settings: Settings,
    number: int,
) -> TreeArrays:
    def part(at: int) -> _Part:
        return tables[at], examples[at].true

    return _grown(part, places, settings.path_trees, settings.seed + number)


def _grown(
    part: Callable[[int], _Part],
    places: Sequence[int],
    trees: int,
    seed: int,
) -> TreeArrays:
    """Trees for a yes or no; a query counts by the root of its rows' number."""
    parts = [part(at) for at in places]
    names = parts[0][0].names
    rows = np.concatenate([table.values for table, _ in parts])
    target = np.concatenate([true for _, true in parts]).astype(np.float64)
    weight = np.concatenate([np.full(len(true), len(true) ** -0.5) for _, true in parts])
    rising = [(name in _RISING) - (name in _FALLING) for name in names]
    chosen = _settings(len(rows), seed) | {"monotone_constraints": rising}
    data = lightgbm().Dataset(rows, target, weight=weight, params=of_data(chosen))
    return TreeArrays.from_lightgbm(lightgbm().train(chosen, data, trees).dump_model())


def _settings(rows: int, seed: int) -> dict[str, Any]:
    return {
        "objective": "binary", "learning_rate": 0.08, "num_leaves": 15,
        "min_data_in_leaf": max(1, min(40, rows // 20)), "feature_fraction": 0.4,
        "bagging_fraction": 0.6, "bagging_freq": 1, "max_bin": 63, "feature_pre_filter": False,
        "verbose": -1, "seed": seed, "deterministic": True, "force_row_wise": True,
        "num_threads": 1, "use_missing": False,
    }  # fmt: skip


def _paths_and_line(
    examples: Sequence[ToldExample],
    tables: Sequence[FeatureTable],
    fold: Sequence[int],
    settings: Settings,
) -> tuple[list[TreeArrays], float, float]:
    """Trees over paths, and the line from the score of the best path to its log odds."""
    every, scores, right = [], [], []
    for number in counted(range(max(fold) + 1), "learning paths", "models"):
        others = [at for at, one in enumerate(fold) if one != number]
        trees = _path_trees(examples, tables, others, settings, number)
        every.append(trees)
        for at in (at for at, one in enumerate(fold) if one == number):
            found = chosen_among_parallels(examples[at], trees.scores(tables[at].values))
            best = int(found.argmax())
            scores.append(float(found[best]))
            right.append(float(examples[at].true[best]))
    return every, *logistic_line(np.array(scores), np.array(right))


def logistic_line(scores: Numbers, right: Numbers) -> tuple[float, float]:
    """Slope and shift of Platt's logistic regression, by Newton's method.

    The slope stays above 0, so that a calibrated probability never contradicts a ranking.
    """
    # Platt's targets: a sample of one kind alone is no proof of certainty.
    yes, no = right.sum(), len(right) - right.sum()
    target = np.where(right > 0, (yes + 1) / (yes + 2), 1 / (no + 2))
    line = _lowest(scores, target, _EVEN, [True, True])
    if line[0] < _LEAST_SLOPE:  # the best shift for another slope is none for this one
        line = _lowest(scores, target, np.array([_LEAST_SLOPE, 0.0]), [False, True])
    return float(line[0]), float(line[1])


def _lowest(scores: Numbers, target: Numbers, line: Numbers, free: list[bool]) -> Numbers:
    """The line with the least loss, from this one on; what is not free stays as it is."""
    rows = np.stack([scores, np.ones(len(scores))], axis=1)

    def loss(line: Numbers) -> float:
        logits = rows @ line
        # A little ridge around slope 1 and shift 0 holds where there is little to learn from.
        ridge = 0.05 * ((line - _EVEN) ** 2).sum()
        return float(np.logaddexp(0, logits).sum() - target @ logits + ridge)

    for _ in range(100):
        chance = np.exp(-np.logaddexp(0, -(rows @ line)))
        gradient = rows.T @ (chance - target) + 0.1 * (line - _EVEN)
        hessian = (rows * (chance * (1 - chance))[:, None]).T @ rows + 0.1 * np.eye(2)
        step = np.zeros(2)
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        # Where the loss is nearly straight a whole step leads far beyond the lowest place.
        now = loss(line)
        while loss(line - step) > now + 1e-12 * now:
            step /= 2
        line = line - step
    return line
