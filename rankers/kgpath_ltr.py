"""Our own ranker: trees that score the hops of a path, then trees over whole paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Component, TextEncoder
from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.plugins import text_encoder
from kgpath.rankers.ltr.expressed_facts import (
    Fact,
    Material,
    expressed_masks,
    material_of,
    materials_of,
)
from kgpath.rankers.ltr.fact_table import fact_table, unlearned
from kgpath.rankers.ltr.hop_scores import Choice, choice_of, learn_scores
from kgpath.rankers.ltr.path_table import hop_scores, path_table
from kgpath.rankers.ltr.relation_statistics import RelationStatistics
from kgpath.rankers.ltr.trees import lightgbm, of_data, read_model, write_model
from kgpath.rankers.ranker import Example, Scores, TrainableRanker

if TYPE_CHECKING:
    from lightgbm import Booster

    from kgpath.graph import Graph

Numbers = NDArray[np.float64]

#: Questions are learned from in so many parts, so that nothing is judged by what it taught.
PARTS = 5
#: Of each question so many paths are learned from: the best of zero-shot, and the true ones.
LEARNED_FROM = 60
#: Facts whose two ends the text names at least so clearly are counted, told or not.
NAMED = 0.5


class KgpathLTR(TrainableRanker):
    """Trees over what text and graph say of each hop, with statistics of words and relations.

    With an ``encoder`` (``minilm``; ``bert``, ``kg-bert``, ``k-bert``, ``kepler``) the facts of
    the best paths are also read by it; without one it needs no torch, knows less, and is faster.

    Texts are put into five parts. In each of the ``rounds``, five models score hops, each learned
    from all parts but one; its scores of that part are what the trees over paths learn from, and
    the mean of all models is what a question is answered with. ``dropout`` is the share of the
    relations of a text of which a model is not shown the statistics, so that it also knows what
    to do with relations that were never met.
    """

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
        """Learn from questions with known answers."""
        self.learn(materials_of(examples, self.reader))

    def learn(self, materials: list[Material]) -> None:
        """Learn hops and paths, every statistic and every hop score out of its own part."""
        usable = [at for at, m in enumerate(materials) if m.true and len(m.lengths) > 1]
        if not usable:
            raise BadOption(
                "No question to learn from: none has its true path among several candidates."
            )
        if len({materials[at].group for at in usable}) < 2:
            raise BadOption(
                "All questions to learn from are over one text; kgpath-ltr needs at least two, to "
                "learn what holds for another text."
            )
        part = _parts(materials, usable, np.random.default_rng(self.seed))
        told = expressed_masks(materials)
        tables: dict[int, NDArray[np.float32]] = {}
        joints: dict[int, Numbers] = {}
        for p in range(max(part) + 1):
            known = _statistics(materials, told, [at for at, own in enumerate(part) if own != p])
            for at in (at for at in usable if part[at] == p):
                tables[at] = fact_table(materials[at], known)
                joints[at] = known.of_joints(materials[at].joints)
        self.statistics_ = _statistics(materials, told, range(len(materials)))
        self.hop_models_ = []
        judged = self._shown(materials, tables, self.rounds * PARTS)
        sums: dict[int, Numbers] = {at: np.zeros(len(tables[at])) for at in usable}
        for number in range(self.rounds * (max(part) + 1)):
            left_out = number % (max(part) + 1)
            shown = self._shown(materials, tables, number)
            choices = [_choice(materials[at], shown[at]) for at in usable if part[at] != left_out]
            model = self._hop_model(choices, number)
            self.hop_models_.append(model)
            for at in (at for at in usable if part[at] == left_out):
                sums[at] += _predicted(model, judged[at])
        rows, labels = [], []
        for at in usable:
            table = path_table(materials[at], judged[at], sums[at] / self.rounds, joints[at])
            chosen, true = _kept_paths(materials[at])
            rows.append(table[chosen])
            labels.append(true)
        self.path_models_ = [self._path_model(rows, labels, n) for n in range(self.rounds)]

    def _shown(
        self, materials: list[Material], tables: dict[int, NDArray[np.float32]], number: int
    ) -> dict[int, NDArray[np.float32]]:
        """The tables as one model sees them: in each text some relations are as if new."""
        relations = sorted({s.relation for at in tables for s in materials[at].stretches})
        code = {relation: place for place, relation in enumerate(relations)}
        texts = sorted({materials[at].group for at in tables})
        number_of = {text: place for place, text in enumerate(texts)}
        shown = {}
        for at, table in tables.items():
            rng = np.random.default_rng([self.seed, number, number_of[materials[at].group]])
            hidden = rng.random(len(relations)) < self.dropout
            own = [code[stretch.relation] for stretch in materials[at].stretches]
            shown[at] = unlearned(table, hidden[own])
        return shown

    def _hop_model(self, choices: Sequence[Choice], number: int) -> Booster:
        rows = sum(len(choice.rows) for choice in choices)
        return learn_scores(choices, self.hop_trees, self._settings(rows, number, 0.1, 0.3))

    def _path_model(
        self, rows: list[NDArray[np.float32]], labels: list[NDArray[np.bool_]], number: int
    ) -> Booster:
        settings = self._settings(sum(map(len, rows)), number, 0.06, 0.4)
        data = lightgbm().Dataset(
            np.concatenate(rows), np.concatenate(labels).astype(np.int64),
            group=[len(some) for some in labels],
            params=of_data(settings),
        )  # fmt: skip
        settings |= {"objective": "lambdarank", "label_gain": [0, 1]}
        model: Booster = lightgbm().train(settings, data, self.trees)
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
        return self.judge(material_of(features, encoder=self.reader))

    def judge(self, material: Material) -> Scores:
        """The scores of all paths of a question."""
        assert self.statistics_ is not None
        facts = fact_table(material, self.statistics_)
        of_facts = np.mean([_predicted(model, facts) for model in self.hop_models_], axis=0)
        joints = self.statistics_.of_joints(material.joints)
        table = path_table(material, facts, of_facts, joints)
        total = np.mean([_predicted(model, table) for model in self.path_models_], axis=0)
        by_hop = hop_scores(material, of_facts)
        longest = int(material.lengths.max())
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
            [read_model(folder / f"{name}-{n}.txt") for n in range(_count(folder, name))]
            for name in ("hops", "paths")
        )
        if isinstance(self.reader, Component):
            self.reader.load(folder / "encoder")

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return self.reader.check_requirements(graph) if isinstance(self.reader, Component) else {}

    def report(self) -> dict[str, Any]:
        return {"encoder": self.reader.report()} if isinstance(self.reader, Component) else {}


def _parts(materials: list[Material], usable: Sequence[int], rng: np.random.Generator) -> list[int]:
    """The part of each question; those of a text are in one, and every part has usable ones."""
    taught = sorted({materials[at].group for at in usable})
    count = min(PARTS, len(taught))
    others = sorted({material.group for material in materials} - set(taught))
    part: dict[str, int] = {}
    for groups in (taught, others):
        part |= dict(zip(groups, (rng.permutation(len(groups)) % count).tolist(), strict=True))
    return [part[material.group] for material in materials]


def _statistics(
    materials: list[Material], told: list[NDArray[np.bool_]], places: Iterable[int]
) -> RelationStatistics:
    """Counts over facts whose ends the text names, each once for a text."""
    made = RelationStatistics()
    counted: set[tuple[str, Fact]] = set()
    counted_joints: set[tuple[str, Fact, Fact]] = set()
    for at in places:
        material, tells = materials[at], told[at]
        named = material.hops[:, 0] > NAMED
        for fact in np.flatnonzero(named | tells).tolist():
            key = material.group, material.facts[fact]
            if key not in counted:
                counted.add(key)
                stretch = material.stretches[fact]
                parallel = np.flatnonzero((material.pair == material.pair[fact]) & ~tells)
                rivals = {material.stretches[rival].relation for rival in parallel.tolist()}
                made.add(stretch, bool(tells[fact]), rivals)
        _count_joints(made, material, tells, named, counted_joints)
    return made


def _count_joints(
    made: RelationStatistics,
    material: Material,
    told: NDArray[np.bool_],
    named: NDArray[np.bool_],
    counted: set[tuple[str, Fact, Fact]],
) -> None:
    """Count each meeting of two facts that the text may tell, once for a text."""
    rows, hops = np.nonzero(material.joint_of >= 0)
    one, other = material.of[rows, hops], material.of[rows, hops + 1]
    joint = material.joint_of[rows, hops]
    likely = (named | told)[one] & (named | told)[other]
    for a, b, number in np.unique(
        np.stack([np.minimum(one, other), np.maximum(one, other), joint])[:, likely], axis=1
    ).T.tolist():
        key = material.group, material.facts[a], material.facts[b]
        if key not in counted:
            counted.add(key)
            made.add_joint(material.joints[number], bool(told[a] and told[b]))


def _choice(material: Material, table: NDArray[np.float32]) -> Choice:
    chosen, true = _kept_paths(material)
    return choice_of(table, material.of[chosen], true)


def _kept_paths(material: Material) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    best = np.argsort(-material.zero_shot, kind="stable")[:LEARNED_FROM]
    chosen = np.union1d(best, material.true).astype(np.int64)
    return chosen, np.isin(chosen, material.true)


def _predicted(model: Booster, rows: NDArray[np.float32]) -> Numbers:
    return np.asarray(model.predict(rows, raw_score=True, num_threads=1), dtype=np.float64)


def _count(folder: Path, name: str) -> int:
    return max(1, len(list(folder.glob(f"{name}-*.txt"))))
