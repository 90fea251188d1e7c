"""Our own ranker: trees that score the hops of a path, then trees over whole paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Component, TextEncoder, Versioned, kinds_of
from kgpath.errors import BadOption, BadStore
from kgpath.features.feature_table import FeatureTable
from kgpath.features.path_features import PathFeatures
from kgpath.io.progress import counted
from kgpath.plugins import text_encoder
from kgpath.rankers.ltr.counting import count_relations
from kgpath.rankers.ltr.fact_examples import (
    FactExample,
    expressed_masks,
    fact_example,
    fact_examples,
)
from kgpath.rankers.ltr.fact_table import fact_table
from kgpath.rankers.ltr.folded_examples import (
    FOLDS,
    FoldedExample,
    StatisticsDropout,
    folded_examples,
)
from kgpath.rankers.ltr.hop_scores import HopExample, hop_example, learn_scores
from kgpath.rankers.ltr.path_table import hop_scores, path_table
from kgpath.rankers.ltr.relation_statistics import RelationStatistics
from kgpath.rankers.ltr.trees import lightgbm, of_data, predicted, read_model, write_model
from kgpath.rankers.ranker import Example, Scores, TrainableRanker

if TYPE_CHECKING:
    from lightgbm import Booster

    from kgpath.graph import Graph

Numbers = NDArray[np.float64]

#: Of each query so many paths are learned from: the best of zero-shot, and the true ones.
LEARNED_FROM = 60


class _Learned(NamedTuple):
    """What a ranker knew before it went on."""

    statistics: RelationStatistics
    hops: list[Booster]
    paths: list[Booster]


class KgpathLTR(TrainableRanker):
    """Trees over what text and graph say of each hop, with statistics of words and relations.

    With an ``encoder`` (``minilm``; ``bert``, ``kg-bert``, ``k-bert``, ``kepler``) the facts of
    the best paths are also read by it; without one it needs no torch, knows less, and is faster.

    Texts are put into five folds. In each of the ``rounds``, five models score hops, each learned
    from all folds but one; its scores of that fold are what the trees over paths learn from, and
    the mean of all models is what a query is answered with. ``dropout`` is the share of the
    relations of a text of which a model is not shown the statistics, so that it also knows what
    to do with relations that were never met.
    """

    version: ClassVar[int] = 2  # see Component
    learns_from_graphs: ClassVar[bool] = True
    goes_on: ClassVar[bool] = True
    LIMITS: ClassVar[dict[str, int]] = {"trees": 100_000, "hop_trees": 100_000, "rounds": 1000}

    def __init__(
        self,
        encoder: str | TextEncoder = "",
        trees: int = 300,
        hop_trees: int = 300,
        rounds: int = 4,
        dropout: float = 0.2,
        seed: int = 0,
    ) -> None:
        for name, value in (("trees", trees), ("hop_trees", hop_trees), ("rounds", rounds)):
            if value < 1:
                raise BadOption(f"{name} is {value}; it can be 1 or more.")
        if not 0 <= dropout < 1:
            raise BadOption(f"dropout is {dropout}; it can be 0 or more, but less than 1.")
        self.encoder = encoder
        self.trees = trees
        self.hop_trees = hop_trees
        self.rounds = rounds
        self.dropout = dropout
        self.seed = seed
        self.statistics_: RelationStatistics | None = None
        self.hop_models_: list[Booster] = []
        self.path_models_: list[Booster] = []

    @cached_property
    def reader(self) -> TextEncoder | None:
        """The sentence encoder, if one was asked for."""
        return text_encoder(self.encoder) if self.encoder else None

    # Learning

    def fit(self, examples: Iterable[Example]) -> None:
        """Learn from queries with known answers."""
        self.learn(fact_examples(examples, self.reader))

    def go_on(self, examples: Iterable[Example]) -> None:
        """Add counts to those it has, and to its trees a third as many, learned from these alone.

        So what it knew stays a part of every score.
        """
        before = self._learned
        self.learn(fact_examples(examples, self.reader), before)
        if before is not None:
            self.hop_trees += _further(self.hop_trees)
            self.trees += _further(self.trees)

    def learn(self, examples: Sequence[FactExample], before: _Learned | None = None) -> None:
        """Learn hops and paths, every statistic and every hop score from the other folds."""
        expressed = list(zip(examples, expressed_masks(examples), strict=True))
        counts = None if before is None else before.statistics
        folded = folded_examples(expressed, self.seed, counts)
        self.statistics_ = count_relations(expressed, counts)
        dropout = StatisticsDropout(folded, self.dropout, self.seed)
        tables = dropout.tables(self.rounds * FOLDS)
        scores = self._learn_hops(folded, tables, dropout, before)
        self._learn_paths(folded, tables, scores, before)

    @property
    def _learned(self) -> _Learned | None:
        """What it knows by now."""
        if self.statistics_ is None:
            return None
        return _Learned(self.statistics_, self.hop_models_, self.path_models_)

    def _learn_hops(
        self,
        examples: Sequence[FoldedExample],
        tables: Sequence[FeatureTable],
        dropout: StatisticsDropout,
        before: _Learned | None,
    ) -> list[Numbers]:
        """Fit the models of hops; gives the scores of all facts, by the models of other folds."""
        folds = max(one.fold for one in examples) + 1
        totals = [np.zeros(len(table)) for table in tables]
        self.hop_models_ = []
        for number in counted(range(self.rounds * folds), "learning hops", "models"):
            left_out = number % folds
            taught = [
                _hop_example(one.example, table)
                for one, table in zip(examples, dropout.tables(number), strict=True)
                if one.fold != left_out
            ]
            model = self._hop_model(taught, number, before)
            self.hop_models_.append(model)
            for one, table, total in zip(examples, tables, totals, strict=True):
                if one.fold == left_out:
                    total += predicted(model, table.values)
        return [total / self.rounds for total in totals]

    def _learn_paths(
        self,
        examples: Sequence[FoldedExample],
        tables: Sequence[FeatureTable],
        scores: Sequence[Numbers],
        before: _Learned | None,
    ) -> None:
        """Fit the models of whole paths."""
        rows, relevance = [], []
        for one, facts, of_facts in zip(examples, tables, scores, strict=True):
            table = path_table(one.example, facts, of_facts, one.pair_odds)
            chosen, true = _learned_paths(one.example)
            rows.append(table.values[chosen])
            relevance.append(true)
        rounds = counted(range(self.rounds), "learning paths", "models")
        self.path_models_ = [self._path_model(rows, relevance, no, before) for no in rounds]

    def _hop_model(
        self, examples: Sequence[HopExample], number: int, before: _Learned | None
    ) -> Booster:
        rows = sum(len(example.rows) for example in examples)
        settings = self._settings(rows, number, 0.1, 0.3)
        if before is None:
            return learn_scores(examples, self.hop_trees, settings)
        start = before.hops[number % len(before.hops)]
        return learn_scores(examples, _further(self.hop_trees), settings, start)

    def _path_model(
        self,
        rows: list[NDArray[np.float32]],
        relevance: list[NDArray[np.bool_]],
        number: int,
        before: _Learned | None,
    ) -> Booster:
        settings = self._settings(sum(map(len, rows)), number, 0.06, 0.4)
        data = lightgbm().Dataset(
            np.concatenate(rows), np.concatenate(relevance).astype(np.int64),
            group=[len(some) for some in relevance],
            params=of_data(settings),
        )  # fmt: skip
        settings |= {"objective": "lambdarank", "label_gain": [0, 1]}
        start = None if before is None else before.paths[number % len(before.paths)]
        trees = self.trees if before is None else _further(self.trees)
        model: Booster = lightgbm().train(settings, data, trees, init_model=start)
        return model

    def _settings(self, rows: int, number: int, rate: float, columns: float) -> dict[str, Any]:
        return {
            "learning_rate": rate, "feature_fraction": columns, "bagging_fraction": 0.6,
            "bagging_freq": 1, "num_leaves": 15, "min_data_in_leaf": max(1, min(30, rows // 20)),
            "max_bin": 63, "feature_pre_filter": False, "verbose": -1,
            "seed": 1000 * self.seed + number, "deterministic": True, "force_row_wise": True,
            "num_threads": 1,  # with two, lambdarank grows other trees
        }  # fmt: skip

    # Ranking

    def score(self, features: PathFeatures) -> Scores:
        """The score of each path: the sum over its hops, and what the path as a whole adds."""
        if self.statistics_ is None:
            raise BadOption(
                "kgpath-ltr has to be trained first: kgpath train GRAPH QUERIES -o MODEL"
            )
        if not len(features.candidates):
            return Scores(np.zeros(0), {"hop 1": np.zeros(0)})
        return self.score_example(fact_example(features, encoder=self.reader))

    def score_example(self, example: FactExample) -> Scores:
        """The scores of all paths of a query."""
        assert self.statistics_ is not None
        facts = fact_table(example, self.statistics_)
        of_facts = np.mean([predicted(model, facts.values) for model in self.hop_models_], axis=0)
        pair_odds = self.statistics_.pair_odds(example.relation_pairs)
        table = path_table(example, facts, of_facts, pair_odds)
        total = np.mean([predicted(model, table.values) for model in self.path_models_], axis=0)
        by_hop = hop_scores(example, of_facts)
        longest = int(example.lengths.max())
        parts = {f"hop {at + 1}": by_hop[:, at] for at in range(longest)}
        return Scores(total, {**parts, "whole path": total - by_hop.sum(axis=1)})

    # Keeping

    def save(self, folder: Path) -> None:
        """Write all models as LightGBM text and the statistics as JSON."""
        if self.statistics_ is None:
            raise BadOption("kgpath-ltr has learned nothing yet, so there is nothing to save.")
        folder.mkdir(parents=True, exist_ok=True)
        self.statistics_.save(folder / "statistics.json")
        for name, models in (("hops", self.hop_models_), ("paths", self.path_models_)):
            for number, model in enumerate(models):
                write_model(folder / f"{name}-{number}.txt", model)
        if isinstance(self.reader, Component):
            self.reader.save(folder / "encoder")

    def load(self, folder: Path) -> None:
        """Read what was saved."""
        self.statistics_ = RelationStatistics.load(folder / "statistics.json")
        self.hop_models_, self.path_models_ = (
            [
                read_model(folder / f"{name}-{number}.txt", trees)
                for number in range(_count(folder, name, most))
            ]
            for name, trees, most in (
                ("hops", self.hop_trees, self.rounds * FOLDS), ("paths", self.trees, self.rounds)
            )
        )  # fmt: skip
        if isinstance(self.reader, Component):
            self.reader.load(folder / "encoder")

    def made_of(self) -> Iterable[type[Versioned]]:
        return kinds_of(self.reader)

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return self.reader.check_requirements(graph) if isinstance(self.reader, Component) else {}

    def report(self) -> dict[str, Any]:
        return {"encoder": self.reader.report()} if isinstance(self.reader, Component) else {}


def _further(trees: int) -> int:
    """How many trees are added to so many when learning goes on."""
    return max(1, trees // 3)


def _hop_example(example: FactExample, table: FeatureTable) -> HopExample:
    chosen, true = _learned_paths(example)
    return hop_example(table.values, example.facts_along[chosen], true)


def _learned_paths(example: FactExample) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The paths to learn from, and which of them are true."""
    best = np.argsort(-example.zero_shot, kind="stable")[:LEARNED_FROM]
    chosen = np.union1d(best, example.true).astype(np.int64)
    return chosen, np.isin(chosen, example.true)


def _count(folder: Path, name: str, most: int) -> int:
    """How many models of a kind there are."""
    found = len(list(folder.glob(f"{name}-*.txt")))
    if found > most:
        raise BadStore(f"{folder} has {found} models of {name}, not {most}. Train it again.")
    return max(1, found)
