"""Our own ranker: a hop classifier ("is this fact told in this text?"), then trees over paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kgpath.errors import BadOption
from kgpath.features import PathFeatures
from kgpath.hop_features import HOP_FEATURES
from kgpath.rankers.ranker import Example, Learner, Scores
from kgpath.rankers.relation_statistics import LEARNED, RelationStatistics
from kgpath.rankers.told_facts import Material, material_of, materials_of, told_masks
from kgpath.rankers.trees import lightgbm, read_model, threads, write_model
from kgpath.registry import TEXT_ENCODERS, TextEncoder

if TYPE_CHECKING:
    from lightgbm import Booster

Numbers = NDArray[np.float64]

#: Questions are learned from in so many parts, so that no statistic is used on its own text.
PARTS = 4
#: Of each question so many paths are learned from: the best of zero-shot, and the true ones.
LEARNED_FROM = 80
#: Facts with an end that the text hardly names: this share of them is learned from.
UNNAMED_SHARE = 0.15
NAMED = 0.3
#: What is aggregated over the hops of a path, as mean, least and most.
AGGREGATED = (
    "least named", "gap", "together", "relation words", "relation near", "frequency", "parallels",
    "labelled", "frequency behind", "labelled behind", "first order", "order apart", "told",
    *LEARNED, *(f"{name} behind" for name in LEARNED),
)  # fmt: skip


class KgpathLTR(Learner):
    """Trees over what text and graph say of each hop, with statistics of words and relations.

    With an ``encoder`` (``minilm``) the facts of the best paths are also read by it; without one
    it needs no torch, knows less, and is faster.

    ``dropout`` is the share of questions on which the statistics are hidden while learning, so
    that the trees also know what to do with relations they never met.
    """

    def __init__(
        self,
        encoder: str | TextEncoder = "",
        trees: int = 250,
        hop_trees: int = 300,
        dropout: float = 0.1,
        seed: int = 0,
    ) -> None:
        if trees < 1 or hop_trees < 1:
            raise BadOption(f"trees is {trees} and hop_trees {hop_trees}; each can be 1 or more.")
        if not 0 <= dropout < 1:
            raise BadOption(f"dropout is {dropout}; it can be 0 or more, but less than 1.")
        self.encoder = encoder
        self.trees = trees
        self.hop_trees = hop_trees
        self.dropout = dropout
        self.seed = seed
        self.statistics_: RelationStatistics | None = None
        self.hop_model_: Booster | None = None
        self.path_model_: Booster | None = None

    @cached_property
    def reader(self) -> TextEncoder | None:
        """The sentence encoder, if one was asked for."""
        return TEXT_ENCODERS.make(self.encoder) if self.encoder else None

    def fit(self, examples: Iterable[Example]) -> None:
        """Learn from questions with known answers."""
        self.learn(materials_of(examples, self.reader))

    def learn(self, materials: list[Material]) -> None:
        """Learn hops and paths, every statistic and every hop score out of its own part."""
        told = told_masks(materials)
        usable = [at for at, m in enumerate(materials) if m.true and len(m.lengths) > 1]
        if not usable:
            raise BadOption(
                "No question to learn from: none has its true path among several candidates."
            )
        if len({m.group for m in materials}) < 2:
            raise BadOption(
                "All questions are over one text; kgpath-ltr needs at least two, to learn what "
                "holds for another text."
            )
        rng = np.random.default_rng(self.seed)
        part = _parts([m.group for m in materials], rng)
        statistics = [_statistics(materials, told, np.flatnonzero(part != p)) for p in range(PARTS)]
        hidden = rng.random(len(materials)) < self.dropout
        hops = [
            _hop_table(m, None if hidden[at] else statistics[part[at]])
            for at, m in enumerate(materials)
        ]
        keep = [_kept_facts(m, told[at], rng) for at, m in enumerate(materials)]
        rows: list[NDArray[np.float32]] = []
        labels: list[NDArray[np.int64]] = []
        for p in sorted(set(part.tolist())):
            model = self._hop_model([a for a in range(len(hops)) if part[a] != p], hops, told, keep)
            for at in (at for at in usable if part[at] == p):
                table = _path_table(materials[at], hops[at], _logits(model, hops[at]))
                chosen, truth = _kept_paths(materials[at])
                rows.append(table[chosen])
                labels.append(truth)
        self.path_model_ = self._path_model(rows, labels)
        self.hop_model_ = self._hop_model(list(range(len(hops))), hops, told, keep)
        self.statistics_ = _statistics(materials, told, range(len(materials)))

    def score(self, features: PathFeatures) -> Scores:
        """The score of each path: the logarithms of its hops' chances, and the path as a whole."""
        if self.statistics_ is None or self.hop_model_ is None or self.path_model_ is None:
            raise BadOption(
                "kgpath-ltr has to be trained first: kgpath train GRAPH QUERIES -o MODEL"
            )
        if not len(features.candidates):
            return Scores(np.zeros(0), {"hops": np.zeros(0)})
        return self.judge(material_of(features, encoder=self.reader))

    def judge(self, material: Material) -> Scores:
        """The scores of all paths of a question."""
        assert self.statistics_ and self.hop_model_ and self.path_model_
        hops = _hop_table(material, self.statistics_)
        logits = _logits(self.hop_model_, hops)
        table = _path_table(material, hops, logits)
        total = np.asarray(self.path_model_.predict(table, num_threads=1), dtype=np.float64)
        chance = -np.logaddexp(0, -logits)
        there = material.of >= 0
        by_hop = np.where(there, chance[material.of], 0)
        parts = {f"hop {at + 1}": by_hop[:, at] for at in range(int(there.any(axis=0).sum()))}
        return Scores(total, {**parts, "whole path": total - by_hop.sum(axis=1)})

    def save(self, folder: Path) -> None:
        """Write both models as LightGBM text and the statistics as JSON."""
        if self.statistics_ is None or self.hop_model_ is None or self.path_model_ is None:
            raise BadOption("kgpath-ltr has learned nothing yet, so there is nothing to save.")
        folder.mkdir(parents=True, exist_ok=True)
        self.statistics_.save(folder / "statistics.json")
        for name, model in (("hops", self.hop_model_), ("paths", self.path_model_)):
            write_model(folder / f"{name}.txt", model)

    def load(self, folder: Path) -> None:
        """Read what was saved."""
        self.statistics_ = RelationStatistics.load(folder / "statistics.json")
        self.hop_model_ = read_model(folder / "hops.txt")
        self.path_model_ = read_model(folder / "paths.txt")

    # Models

    def _hop_model(
        self,
        places: Sequence[int],
        hops: list[Numbers],
        told: list[NDArray[np.bool_]],
        keep: list[NDArray[np.bool_]],
    ) -> Booster:
        rows = np.concatenate([hops[at][keep[at]] for at in places])
        labels = np.concatenate([told[at][keep[at]] for at in places])
        data = lightgbm().Dataset(rows, labels.astype(np.int64), params={"verbose": -1})
        settings = self._settings(
            len(rows), objective="binary", learning_rate=0.1, feature_fraction=0.5
        )
        model: Booster = lightgbm().train(settings, data, self.hop_trees)
        return model

    def _path_model(
        self, rows: list[NDArray[np.float32]], labels: list[NDArray[np.int64]]
    ) -> Booster:
        data = lightgbm().Dataset(
            np.concatenate(rows), np.concatenate(labels), group=[len(some) for some in labels],
            params={"verbose": -1},
        )  # fmt: skip
        settings = self._settings(
            sum(map(len, rows)), objective="lambdarank", learning_rate=0.06, feature_fraction=0.4,
            label_gain=[0, 1],
        )  # fmt: skip
        model: Booster = lightgbm().train(settings, data, self.trees)
        return model

    def _settings(self, rows: int, **own: Any) -> dict[str, Any]:
        return {
            "num_leaves": 15, "min_data_in_leaf": 30, "verbose": -1, "seed": self.seed,
            "deterministic": True, "force_row_wise": True, "num_threads": threads(rows), **own,
        }  # fmt: skip


def _parts(groups: Sequence[str], rng: np.random.Generator) -> NDArray[np.int64]:
    """The part of each question; those of a text are in one part."""
    names = sorted(set(groups))
    part = dict(zip(names, (rng.permutation(len(names)) % PARTS).tolist(), strict=True))
    return np.array([part[group] for group in groups], dtype=np.int64)


def _statistics(
    materials: list[Material], told: list[NDArray[np.bool_]], places: Iterable[int]
) -> RelationStatistics:
    """Counts over facts whose ends the text names, each once for a text."""
    made = RelationStatistics()
    counted: set[tuple[str, tuple[str, str, str]]] = set()
    for at in places:
        material = materials[at]
        named = material.hops[:, 0] > 0.5
        for fact in np.flatnonzero(named | told[at]).tolist():
            key = material.group, material.facts[fact]
            if key not in counted:
                counted.add(key)
                made.add([material.stretches[fact]], [bool(told[at][fact])])
    return made


def _hop_table(material: Material, statistics: RelationStatistics | None) -> Numbers:
    """Hop features, learned features, and how far these are behind the best parallel relation."""
    shape = len(material.facts), len(LEARNED)
    learned = (
        np.full(shape, np.nan) if statistics is None else statistics.features(material.stretches)
    )
    best = np.full((int(material.pair.max(initial=-1)) + 1, len(LEARNED)), -np.inf)
    known = np.where(np.isnan(learned), -np.inf, learned)
    np.maximum.at(best, material.pair, known)
    with np.errstate(invalid="ignore"):
        behind = learned - best[material.pair]
    return np.column_stack([material.hops, learned, behind, *_with_behind(material)])


def _with_behind(material: Material) -> list[Numbers]:
    """What was read of each fact, and how far that is behind the best parallel relation."""
    columns = []
    for column in material.read.astype(np.float64).T:
        best = np.full(int(material.pair.max(initial=-1)) + 1, -np.inf)
        np.maximum.at(best, material.pair, np.where(np.isnan(column), -np.inf, column))
        with np.errstate(invalid="ignore"):
            columns += [column, column - best[material.pair]]
    return columns


def _kept_facts(
    material: Material, told: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.bool_]:
    named = material.hops[:, 0] > NAMED
    return np.asarray(named | told | (rng.random(len(told)) < UNNAMED_SHARE))


def _kept_paths(material: Material) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    best = np.argsort(-material.zero_shot, kind="stable")[:LEARNED_FROM]
    chosen = np.union1d(best, material.true).astype(np.int64)
    return chosen, np.isin(chosen, material.true).astype(np.int64)


def _logits(model: Booster, hops: Numbers) -> Numbers:
    return np.asarray(model.predict(hops, raw_score=True, num_threads=1), dtype=np.float64)


def _path_table(material: Material, hops: Numbers, logits: Numbers) -> NDArray[np.float32]:
    """What the trees see of each path."""
    there = material.of >= 0
    lengths = np.maximum(material.lengths, 1)
    chance = np.where(there, -np.logaddexp(0, -logits)[material.of], 0).sum(axis=1)
    tree = _spanning_tree(material, logits)
    in_tree = np.where(there, tree[material.of], 0).sum(axis=1)
    read = _READ_COLUMNS if material.read.shape[1] else ()
    columns = dict(zip((*_HOP_COLUMNS, *read), hops.T, strict=True)) | {"told": logits}
    parts: list[Numbers] = [
        material.paths.astype(np.float64),
        material.paths - material.paths.max(axis=0),
        np.column_stack([chance, chance - chance.max(), in_tree / lengths, lengths - in_tree]),
    ]
    for name in (*AGGREGATED, *read):
        values = np.where(there, columns[name][material.of], np.nan)
        known = ~np.isnan(values)
        count = np.maximum(known.sum(axis=1), 1)
        any_known = known.any(axis=1)
        parts.append(
            np.column_stack(
                [
                    np.where(any_known, np.where(known, values, 0).sum(axis=1) / count, np.nan),
                    np.where(any_known, np.where(known, values, np.inf).min(axis=1), np.nan),
                    np.where(any_known, np.where(known, values, -np.inf).max(axis=1), np.nan),
                ]
            )
        )
    return np.column_stack(parts).astype(np.float32)


_HOP_COLUMNS = (*HOP_FEATURES, *LEARNED, *(f"{name} behind" for name in LEARNED))
_READ_COLUMNS = ("hop read", "hop read behind", "relation read", "relation read behind")


def _spanning_tree(material: Material, logits: Numbers) -> Numbers:
    """1 for the facts of the likeliest tree over the entities that the text names.

    A short text tells few facts more than it takes to connect what it names: of several ways to
    connect two entities, those on the tree need no others.
    """
    root = list(range(int(material.ends.max(initial=-1)) + 1))

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    chosen = np.zeros(len(logits))
    named = material.hops[:, 0] > NAMED
    heads, tails = material.ends.tolist()
    for fact in np.argsort(-logits, kind="stable").tolist():
        one, other = find(heads[fact]), find(tails[fact])
        if named[fact] and one != other:
            root[one] = other
            chosen[fact] = 1
    return chosen
