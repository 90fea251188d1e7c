"""Settings of an encoder chosen by what ranks best, on nothing but the queries learned from."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries
from kgpath.encoders.context_encoder import ContextEncoder
from kgpath.encoders.fused.fused import FusedIn, FusedInOut
from kgpath.encoders.path_encoder import PathEncoder
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.errors import BadOption, BadStore
from kgpath.io.queries import Query, QueryFile
from kgpath.learning.evaluate import Evaluator
from kgpath.learning.models import load_model
from kgpath.learning.train import train
from kgpath.linking.context import Context
from kgpath.paths.path_arrays import PathArrays
from kgpath.rankers.binary import Binary
from kgpath.rankers.encoded import tuning
from kgpath.rankers.encoded.encoded_examples import TextExample
from kgpath.rankers.encoded.tuning import choose_setting
from kgpath.rankers.xendcg import XendcgRanker

pytestmark = pytest.mark.slow


class Hints(ContextEncoder):
    """Tells which path of a query is true, but only with the right setting."""

    def __init__(self, answers: dict[str, float]) -> None:
        self.answers, self.right = answers, False
        self.read: set[str] = set()

    def choices(self) -> list[dict[str, float]]:
        return [{"right": 0.0}, {"right": 1.0}, {"right": 0.5}]

    def choose(self, setting: dict[str, float]) -> None:
        self.right = setting["right"] == 1

    def encode(self, context: Context, entity: int) -> np.ndarray:
        self.read.add(context.text)
        return np.array([self.answers[context.text] if self.right else 0.0], dtype=np.float32)


class Sides(PathEncoder):
    """Two kinds of paths: by whether their first label is even."""

    def encode(self, candidates: PathArrays) -> np.ndarray:
        return 1.0 - 2 * (candidates.hop_codes[:, :1] % 2).astype(np.float32)


def examples(kg: kgpath.Graph, texts: int) -> tuple[list[TextExample], dict[str, float]]:
    """Queries whose true path is on the side that only the text's answer tells."""
    made, answers = [], {}
    for number in range(texts):
        text = f"text {number}"
        side = answers[text] = float(number % 2 or -1)
        codes = np.array([[0], [1], [2], [3]], dtype=np.int32)
        found = PathArrays(np.zeros((4, 2), np.int32), np.ones(4, np.int32), codes)
        found = found.bound(kg, kg.entity(0), kg.entity(1))
        true = (0, 2) if side > 0 else (1, 3)
        made.append(TextExample(Context(kg, text), found, true, text))
    return made, answers


def test_the_setting_that_ranks_best_is_taken(film: kgpath.Graph) -> None:
    made, answers = examples(film, 60)
    hints = Hints(answers)
    # A network: trees over single numbers do not see that two signs must agree.
    choose_setting(Binary(hints, Sides(), epochs=20, rate=1e-2), made)
    assert hints.right


def test_only_some_texts_are_tried_and_always_the_same(
    film: kgpath.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tuning, "TEXTS", 20)
    made, answers = examples(film, 60)
    read = []
    for order in (made, made[::-1]):
        hints = Hints(answers)
        choose_setting(XendcgRanker(hints, Sides(), trees=5), order)
        read.append(hints.read)
    assert len(read[0]) == 20 and read[0] == read[1]


def test_one_text_leaves_nothing_to_compare(film: kgpath.Graph) -> None:
    made, answers = examples(film, 1)
    hints = Hints(answers)
    choose_setting(XendcgRanker(hints, Sides(), trees=5), made)
    assert not hints.right and not hints.read


def test_the_grid_of_the_fused_encoders() -> None:
    assert FusedIn().choices() == [] == FusedInOut().choices()  # as printed, unless asked for
    for encoder, count in ((FusedIn(weights="grid"), 14), (FusedInOut(weights="grid"), 12)):
        given, *others = encoder.choices()
        assert given == {k: v for k, v in encoder.options().items() if k.startswith("w_")}
        assert len(others) == count - 1 == len({tuple(o.values()) for o in others})
        for setting in (given, *others):
            assert sum(setting.values()) == pytest.approx(1)
            assert setting["w_cna"] > setting["w_sda"]
            assert setting.get("w_ncr", 1) > 0
    with pytest.raises(BadOption, match="weights is 'best'; it can be given or grid"):
        FusedIn(weights="best")


@pytest.fixture
def kg(sample_path: Path, tmp_path: Path) -> Iterator[kgpath.Graph]:
    with kgpath.open(shutil.copy(sample_path, tmp_path)) as graph:
        rng = np.random.default_rng(0)
        sizes = len(graph), len(graph.store.relations)
        Embedding(*(rng.normal(size=(n, 8)).astype(np.float32) for n in sizes)).save(
            folder_of(graph), graph.fingerprint
        )
        yield graph


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[dict[str, float]]]:
    """A grid of three, to be quick."""
    grid = FusedIn.choices

    def three(self: FusedIn) -> list[dict[str, float]]:
        return grid(self)[:3]

    monkeypatch.setattr(FusedIn, "choices", three)
    return FusedIn(weights="grid").choices


def test_the_chosen_weights_are_part_of_the_model(
    kg: kgpath.Graph, few: Callable[[], list[dict[str, float]]], tmp_path: Path
) -> None:
    queries: list[Query] = QueryFile(sample_queries()).queries
    choice = "xendcg(trees=5, context_encoder=fused-in(weights=grid))"
    made = train(kg, queries, tmp_path / "m", ranker=choice, limit=30)
    weights = json.loads((made.path / "context_encoder" / "weights.json").read_text())
    assert weights in few() and made.report["context encoder"] == weights
    ranker: Any = load_model(made.path, kg)
    assert ranker.fitted_context_encoder.chosen == weights
    (run,) = Evaluator(kg, queries[:3], limit=30).run({}, {"model": ranker})
    assert len(run.paths) == 3
    ranker.fitted_context_encoder.load(made.path / "context_encoder")
    for damage in ("{}", "{", '{"w_cna": "much"}'):
        (made.path / "context_encoder" / "weights.json").write_text(damage)
        with pytest.raises(BadStore, match=r"weights\.json cannot be read"):
            ranker.fitted_context_encoder.load(made.path / "context_encoder")


def test_cross_validation_never_tunes_on_what_it_tests(
    kg: kgpath.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = QueryFile(sample_queries()).queries[:8]
    tuned: list[set[str]] = []

    def spied(ranker: XendcgRanker, examples: list[TextExample]) -> None:
        tuned.append({one.context.text for one in examples})

    monkeypatch.setattr("kgpath.rankers.encoded.encoded_ranker.choose_setting", spied)
    Evaluator(kg, queries, limit=20).run({"x": XendcgRanker("fused-in(weights=grid)")}, folds=4)
    texts = {query.document for query in queries}
    left_out = [texts - some for some in tuned]
    assert len(tuned) == 4 and all(left_out)
    assert sorted(text for some in left_out for text in some) == sorted(texts)  # each once
