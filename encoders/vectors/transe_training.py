"""The training of TransE itself: PyKEEN's model and loop, an epoch at a time."""

from __future__ import annotations

import ctypes
import gc
import logging
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from kgpath.encoders.vectors.transe_checkpoint import Checkpoint, State
from kgpath.encoders.vectors.triple_split import Split
from kgpath.extras import require
from kgpath.io.progress import Steps, tell

if TYPE_CHECKING:
    from pykeen.models import TransE
    from pykeen.stoppers.early_stopping import EarlyStoppingLogic
    from pykeen.training import SLCWATrainingLoop

    from kgpath.graph import Graph

#: A small graph gets smaller batches, so that an epoch has so many steps.
_FEWEST_STEPS = 20
#: So much of the time may be spent on writing checkpoints.
_WRITING = 0.05


@dataclass(frozen=True)
class Configuration:
    """How to train. ``every`` so many epochs it is validated, for early stopping."""

    dimensions: int = 64
    learning_rate: float = 1e-3
    batch: int = 8192
    negatives: int = 4
    margin: float = 1.0
    norm: int = 2
    epochs: int = 200
    minutes: float | None = 20.0
    every: int = 10
    patience: int = 3
    least_gain: float = 0.005
    validation: int = 250
    test: int = 2000


class Training:
    """A PyKEEN model and training loop, an epoch at a time."""

    def __init__(self, graph: Graph, parts: Split, chosen: Configuration, seed: int) -> None:
        require("torch pykeen", "neural", "TransE")
        import torch
        from pykeen.losses import MarginRankingLoss
        from pykeen.models import TransE
        from pykeen.stoppers.early_stopping import EarlyStoppingLogic
        from pykeen.training import SLCWATrainingLoop
        from pykeen.triples import CoreTriplesFactory
        from pykeen.utils import NoRandomSeedNecessary

        self.parts, self.chosen, self.seed = parts, chosen, seed
        self.stopped_by = "epochs"
        self.state = State()
        self.factory = CoreTriplesFactory(
            torch.from_numpy(parts.train.astype(np.int64)),
            num_entities=len(graph),
            num_relations=len(graph.store.relations),
        )
        with torch.random.fork_rng(devices=()):
            self.model: TransE = TransE(
                triples_factory=self.factory,
                embedding_dim=chosen.dimensions,
                scoring_fct_norm=chosen.norm,
                loss=MarginRankingLoss(margin=chosen.margin),
                random_seed=NoRandomSeedNecessary,
            )
        self.stopper: EarlyStoppingLogic = EarlyStoppingLogic(
            patience=chosen.patience, relative_delta=chosen.least_gain
        )
        # Dense Adam: a large batch with its negatives touches most entities anyway.
        self.loop: SLCWATrainingLoop = SLCWATrainingLoop(
            model=self.model,
            triples_factory=self.factory,
            optimizer=torch.optim.Adam(self.model.parameters(), lr=chosen.learning_rate),
            negative_sampler="basic",
            negative_sampler_kwargs={"num_negs_per_pos": chosen.negatives},
            automatic_memory_optimization=False,
        )
        self._epochs_here = 0

    def run(self, checkpoint: Checkpoint) -> None:
        """Train until validation gets no better, or an end is set by epochs or time."""
        import torch

        if (state := checkpoint.read(self._vectors())) is not None:
            self._resume(state)
        before, start, written = self.state.seconds, time.monotonic(), 0.0
        with torch.random.fork_rng(devices=()), TemporaryDirectory() as scratch:
            left = max(60 * (self.chosen.minutes or 0) - before, 0)
            steps = Steps(
                "training TransE", self.chosen.epochs, "epochs at most",
                done=self.state.epoch, most=left,
            )  # fmt: skip
            while self._goes_on():
                steps.at(self.state.epoch)
                self._epoch(scratch)
                if self.state.epoch % self.chosen.every == 0:
                    self._validate()
                self.state.seconds = before + time.monotonic() - start
                if time.monotonic() - start >= written / _WRITING:
                    self._export()
                    written += checkpoint.write(self.state)
        if self.state.epoch != self.state.asked_epoch:
            self._validate()
        if self.state.best is None:  # nothing to validate on
            self._keep_best(None)
        self._restore_best()

    def _goes_on(self) -> bool:
        state = self.state
        if state.stopped:
            self.stopped_by = "validation"
            return False
        if state.epoch >= self.chosen.epochs:
            self.stopped_by = "epochs"
            return False
        # Another epoch must fit, as long as those before it.
        needed = state.seconds * (1 + 1 / state.epoch) if state.epoch else 0
        if self.chosen.minutes is not None and needed > 60 * self.chosen.minutes:
            self.stopped_by = "time"
            return False
        return True

    def _epoch(self, scratch: str) -> None:
        import torch

        # A seed for each epoch: a training that was interrupted draws what it would have drawn.
        torch.manual_seed(1_000_003 * self.seed + self.state.epoch)
        self._epochs_here += 1
        with memory_kept():
            losses = self.loop.train(
                self.factory,
                num_epochs=self._epochs_here,
                batch_size=min(self.chosen.batch, max(1, len(self.parts.train) // _FEWEST_STEPS)),
                continue_training=self.state.epoch > 0,
                use_tqdm=False,
                pin_memory=False,
                checkpoint_directory=scratch,  # PyKEEN makes it, and puts nothing in
            )
        assert losses is not None
        self.state.loss = float(losses[-1])
        self.state.epoch += 1

    def _validate(self) -> None:
        figures = self.measure(self.parts.validation)
        state = self.state
        state.asked_epoch = state.epoch
        if figures is None:
            return
        state.stopped = self.stopper.report_result(figures["MRR"], state.epoch)
        state.patience = self.stopper.remaining_patience
        if self.stopper.best_epoch == state.epoch:
            self._keep_best(figures)

    def _keep_best(self, figures: dict[str, float] | None) -> None:
        self.state.best = self._vectors()
        self.state.best_epoch = self.state.epoch
        self.state.best_figures = figures

    def _vectors(self) -> tuple[Any, Any]:
        """Copies of the entities' and the relations' vectors."""
        both = (self.model.entity_representations[0], self.model.relation_representations[0])
        entities, relations = (some(indices=None).detach().numpy().copy() for some in both)
        return entities, relations

    def _restore_best(self) -> None:
        assert self.state.best is not None
        self._load(*self.state.best)

    def _load(self, *arrays: np.ndarray[Any, Any]) -> None:
        import torch

        for parameter, array in zip(self.model.parameters(), arrays, strict=True):
            parameter.data = torch.from_numpy(array.copy())

    def _export(self) -> None:
        """Put what the next epoch depends on into the state."""
        self.state.vectors = self._vectors()
        optimizer = self.loop.optimizer
        self.state.adam = [
            {name: value.numpy() for name, value in optimizer.state[parameter].items()}
            for parameter in self.model.parameters()
        ]

    def _resume(self, state: State) -> None:
        import torch

        self.state = state
        self._load(*state.vectors)
        for parameter, arrays in zip(self.model.parameters(), state.adam, strict=True):
            self.loop.optimizer.state[parameter] = {
                name: torch.from_numpy(array.copy()) for name, array in arrays.items()
            }
        if state.best_figures is not None:
            self.stopper.best_metric = state.best_figures["MRR"]
            self.stopper.best_epoch = state.best_epoch
            self.stopper.remaining_patience = state.patience

    def measure(self, triples: np.ndarray[Any, Any], what: str = "") -> dict[str, float] | None:
        """Filtered figures of ranking both ends of facts among all entities; ties by the mean."""
        import torch
        from pykeen.evaluation import RankBasedEvaluator

        if not len(triples):
            return None
        if what:
            tell(what)
        found = RankBasedEvaluator(filtered=True).evaluate(
            model=self.model,
            mapped_triples=torch.from_numpy(triples.astype(np.int64)),
            additional_filter_triples=torch.from_numpy(self.parts.every.astype(np.int64)),
            batch_size=16,
            use_tqdm=False,
        )
        names = {
            "MRR": "inverse_harmonic_mean_rank",
            "Hits@1": "hits_at_1",
            "Hits@10": "hits_at_10",
        }
        return {
            "facts": len(triples),
            **{k: float(found.get_metric(f"both.realistic.{name}")) for k, name in names.items()},
        }


@contextmanager
def quiet() -> Iterator[None]:
    """Without what PyKEEN tells its developers."""
    loggers = [logging.getLogger(name) for name in ("pykeen", "torch_max_mem")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


@contextmanager
def memory_kept() -> Iterator[None]:
    """Keep freed memory for the next step, and spare what is here from the garbage collector.

    Every step makes and frees arrays as large as all vectors; asking the system for fresh memory
    each time takes longer than the arithmetic. PyKEEN collects garbage after every epoch, which
    without this looks at all modules that are loaded. Only for training: the arrays of measuring
    are many times as large, and what stays of them would fill the memory.
    """
    trim, mmap_max = -1, -4  # malloc.h
    mallopt: Callable[[int, int], Any]
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # not the GNU library

        def mallopt(option: int, value: int) -> None: ...

    mallopt(mmap_max, 0)
    mallopt(trim, 2**31 - 1)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        mallopt(mmap_max, 65536)
        mallopt(trim, 128 * 1024)
