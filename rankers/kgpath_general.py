"""Our ranker for every graph: is each hop told here, and so, how surely the path? Ships trained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from kgpath.component import Component, GraphReader, TextEncoder, Versioned, kinds_of
from kgpath.errors import BadOption, BadStore
from kgpath.features.path_features import PathFeatures
from kgpath.io.progress import note
from kgpath.plugins import text_encoder
from kgpath.rankers.general.learned_words import CountedFacts, LearnedWords
from kgpath.rankers.general.model import ToldModel, is_saved_in, load_shipped
from kgpath.rankers.general.told_example import told_example, told_examples
from kgpath.rankers.general.told_paths import hop_log_chances
from kgpath.rankers.ltr.fact_examples import fact_examples
from kgpath.rankers.ranker import Example, Scores, TrainableRanker
from kgpath.rankers.zero_shot import ZeroShot

if TYPE_CHECKING:
    from kgpath.graph import Graph

#: Where the counts of words are, in the folder of a model.
_WORDS = "words.json"


class KgpathGeneral(TrainableRanker):
    """Trees that read how a text tells a fact, whichever graph and relation; they ship trained.

    Every hop of a path gets a probability that the text tells it, the path as a whole gets one, and
    rank and verdict are that one number. Nothing is learned about single relations, so that what
    was learned on one graph holds on another. With an ``encoder`` (``minilm``) the facts of the
    best paths are also read by it; how much that counts is set by hand.

    Trained anew (``kgpath train``), or with ``shipped=false``, it learns from your questions alone,
    untold ones too. What it has learned of words (``kgpath train --texts``) moves its odds between
    the paths of a question.
    """

    version: ClassVar[int] = 2  # see Component
    learns_from_untold: ClassVar[bool] = True
    learns_from_graphs: ClassVar[bool] = True
    goes_on: ClassVar[bool] = True
    LIMITS: ClassVar[dict[str, int]] = {"trees": 1000, "fact_trees": 1000}

    def __init__(
        self,
        encoder: str | TextEncoder = "",
        shipped: bool = True,
        trees: int = 120,
        fact_trees: int = 150,
        seed: int = 0,
    ) -> None:
        for name, value in (("trees", trees), ("fact_trees", fact_trees)):
            if value < 1:
                raise BadOption(f"{name} is {value}; it can be 1 or more.")
        self.encoder = encoder
        self.shipped = shipped
        self.trees = trees
        self.fact_trees = fact_trees
        self.seed = seed
        self.model_: ToldModel | None = None
        self.words_: LearnedWords | None = None

    @property
    def ready(self) -> bool:
        return self.shipped or self.model_ is not None

    @cached_property
    def reader(self) -> TextEncoder | None:
        """The sentence encoder, if one was asked for."""
        return text_encoder(self.encoder) if self.encoder else None

    @cached_property
    def _shipped(self) -> ToldModel | None:
        """The model that ships; None, and a note, where it cannot be used."""
        try:
            return load_shipped()
        except BadStore as error:
            note(
                f"the model that ships with kgpath cannot be used: {error}. zero-shot answers in "
                "its place. Install kgpath again to mend it."
            )
            return None

    @property
    def _model(self) -> ToldModel | None:
        if self.model_ is None and not self.shipped:
            raise BadOption(
                "kgpath-general(shipped=false) has to be trained first: "
                "kgpath train GRAPH QUERIES --ranker kgpath-general -o MODEL"
            )
        return self.model_ or self._shipped

    def fit(self, examples: Iterable[Example]) -> None:
        """Learn from queries with known answers, told and untold."""
        from kgpath.rankers.general.learning import Settings, learn

        settings = Settings(self.fact_trees, self.trees, self.seed)
        self.model_ = learn(told_examples(self._with_reader(examples)), settings)

    def _with_reader(self, examples: Iterable[Example]) -> Iterator[Example]:
        """The same; an encoder that has to learn does so from the graph of the first."""
        for example in examples:
            if isinstance(self.reader, GraphReader):
                self.reader.of(example.features.context.graph)
            yield example

    def go_on(self, examples: Iterable[Example]) -> None:
        """Learn from further questions which words mean which relation; the trees stay."""
        known = fact_examples(example for example in examples if example.true)
        before = None if self.words_ is None else self.words_.statistics
        self.words_ = LearnedWords.counted(known, before)

    def score(self, features: PathFeatures) -> Scores:
        """The log odds of each path: the log chances of its hops, and what the whole adds."""
        model = self._model
        if model is None:
            return ZeroShot().score(features)
        if not len(features.candidates):
            return Scores(np.zeros(0), {"hop 1": np.zeros(0)}, np.zeros(0))
        example = told_example(features, self.reader)
        odds = model.fact_odds(example)
        total = model.path_odds(example, odds)
        by_hop = hop_log_chances(example.along, odds)
        longest = int((example.along >= 0).sum(axis=1).max())
        parts = {f"hop {at + 1}": by_hop[:, at] for at in range(longest)}
        if self.reader is not None:
            parts["read"] = example.reading
        if self.words_ is not None:
            facts = CountedFacts.of_features(features, example.entity_pair)
            parts["learned words"] = self.words_.moved(facts, total)
            total = total + parts["learned words"]
        parts["whole path"] = total - sum(parts.values())
        return Scores(total, parts, 1 / (1 + np.exp(-np.clip(total, -50, 50))))

    def evidence(
        self, features: PathFeatures, asked: NDArray[np.int64] | None = None
    ) -> list[tuple[int, ...]]:
        """The sentences that tell each fact, with those that say who "he" is, as annotators do."""
        model = self._model
        if model is not None and model.sentences is None:  # questions do not teach sentences
            model = self._shipped
        if model is None or model.sentences is None:
            return super().evidence(features, asked)
        places = np.arange(len(features.facts.heads)) if asked is None else asked
        shown: list[tuple[int, ...]] = [()] * len(features.facts.heads)
        for place, sentences in zip(places.tolist(), model.shown(features, places), strict=True):
            shown[place] = sentences
        return shown

    def save(self, folder: Path) -> None:
        """Write what was learned: trees as arrays, the rest as JSON; not the model that ships."""
        if self.model_ is None and self.words_ is None:
            raise BadOption("kgpath-general has learned nothing yet, so there is nothing to save.")
        folder.mkdir(parents=True, exist_ok=True)
        if self.model_ is not None:
            self.model_.save(folder)
        if self.words_ is not None:
            self.words_.save(folder / _WORDS)
        if isinstance(self.reader, Component):
            self.reader.save(folder / "encoder")

    def load(self, folder: Path) -> None:
        """Read what was saved."""
        if (folder / _WORDS).exists():
            self.words_ = LearnedWords.load(folder / _WORDS)
        if self.words_ is None or is_saved_in(folder):
            self.model_ = ToldModel.load(folder)
        if isinstance(self.reader, Component):
            self.reader.load(folder / "encoder")

    def made_of(self) -> Iterable[type[Versioned]]:
        return kinds_of(self.reader)

    def check_requirements(self, graph: Graph) -> dict[str, str]:
        return self.reader.check_requirements(graph) if isinstance(self.reader, Component) else {}
