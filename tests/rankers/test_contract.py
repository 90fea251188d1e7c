"""What holds for every ranker: a finite number a path, whose parts add up, whatever the order."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_files, sample_queries, sample_text
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.features.path_features import PathFeatures
from kgpath.io.queries import QueryFile
from kgpath.learning.examples import QuerySet
from kgpath.lexicon.text import tokenize
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for
from kgpath.paths.finder import PathOptions
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import RANKERS
from kgpath.rankers.ranker import Ranker, Scores, TrainableRanker
from kgpath.registry import Entry

# Each registered ranker, as it is chosen here; {vectors} is a file of word vectors.
CASES = {
    "kgpath-general": "kgpath-general",
    "zero-shot": "zero-shot",
    "zero-shot-minilm": "zero-shot-minilm(best=10)",
    "shortest": "shortest",
    "tfidf-cosine": "tfidf-cosine",
    "avg-cosine": "avg-cosine(vectors={vectors})",
    "random": "random",
    "kgpath-ltr": "kgpath-ltr(trees=10, hop_trees=10)",
    "xendcg": "xendcg(trees=10)",
    "binary": "binary(epochs=2)",
    "listwise": "listwise(epochs=2)",
    "score-ltr": "score-ltr(of=tfidf-cosine, trees=10)",
}
# These use vectors of the graph's entities, and have learned how rare a word is among all names.
BOUND_TO_THE_GRAPH = (
    "zero-shot", "zero-shot-minilm", "kgpath-ltr", "kgpath-general", "xendcg", "binary", "listwise",
)  # fmt: skip
TEXT = sample_text("sample-02")
HEAD, TAIL = "Emma Stone", "Andrew Garfield"
every_ranker = pytest.mark.parametrize("name", CASES)


@pytest.fixture(scope="module")
def kg(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[kgpath.Graph]:
    """A copy of its own: vectors are put beside it."""
    copy = shutil.copy(sample_path, tmp_path_factory.mktemp("contract"))
    with kgpath.open(copy) as graph:
        yield graph


@pytest.fixture(scope="module")
def rankers(
    kg: kgpath.Graph, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Ranker]]:
    """All of them, made once: some have a model to load, some have to learn."""
    folder = tmp_path_factory.mktemp("rankers")
    words = sorted(set(tokenize(TEXT).words))
    numbers = np.random.default_rng(0).normal(size=(len(words), 4)).round(3)
    lines = (f"{w} {' '.join(map(str, row))}\n" for w, row in zip(words, numbers, strict=True))
    (folder / "vectors.txt").write_text("".join(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KGPATH_CACHE", str(folder))
        made = {
            name: RANKERS.make(choice.format(vectors=folder / "vectors.txt"))
            for name, choice in CASES.items()
        }
        rng = np.random.default_rng(0)
        sizes = len(kg), len(kg.store.relations)
        Embedding(*(rng.normal(size=(n, 8)).astype(np.float32) for n in sizes)).save(
            folder_of(kg), kg.fingerprint
        )
        query_set = QuerySet(kg, QueryFile(sample_queries()).queries, limit=40)
        learned = list(query_set.examples(range(6)))
        for ranker in made.values():
            if isinstance(ranker, TrainableRanker):
                ranker.fit(learned)
        yield made


def features_of(
    kg: kgpath.Graph, text: str = TEXT, swap: bool = False, max_hops: int = 4
) -> PathFeatures:
    """Everything made again, so that nothing worked out before is used again."""
    context = Context(kg, text)
    ends = [kg.entity(HEAD), kg.entity(TAIL)][:: -1 if swap else 1]
    return PathFeatures(context, candidates_for(context, *ends, PathOptions(max_hops), 80))


def by_path(candidates: PathArrays, scores: Scores) -> dict[tuple[str, ...], float]:
    return {
        tuple(path.iris()): score
        for path, score in zip(candidates, scores.total.tolist(), strict=True)
    }


def test_every_registered_ranker_is_tested_here() -> None:
    assert {entry.name for entry in RANKERS if entry.target.startswith("kgpath.")} == set(CASES)


@pytest.mark.parametrize("entry", list(RANKERS), ids=lambda entry: entry.name)
def test_every_ranker_has_a_line_for_the_user_and_is_made_without_work(entry: Entry) -> None:
    assert entry.line
    assert RANKERS.load(entry.name).__doc__
    assert isinstance(RANKERS.make(entry.name), Ranker)  # also without a file or a model


@every_ranker
def test_every_path_has_a_finite_score_that_is_the_sum_of_its_parts(
    name: str, kg: kgpath.Graph, rankers: dict[str, Ranker]
) -> None:
    features = features_of(kg)
    total, parts, probability = rankers[name].score(features)
    assert len(features.candidates) == 80
    assert total.shape == (80,)
    assert np.isfinite(total).all()
    assert parts and all(part.shape == (80,) for part in parts.values())
    assert np.sum(list(parts.values()), axis=0) == pytest.approx(total, abs=1e-12)
    if probability is not None:
        assert probability.shape == (80,)
        assert (probability >= 0).all() and (probability <= 1).all()


@every_ranker
def test_the_same_query_has_the_same_scores(
    name: str, kg: kgpath.Graph, rankers: dict[str, Ranker]
) -> None:
    first, again = (rankers[name].score(features_of(kg)).total for _ in range(2))
    assert first.tolist() == again.tolist()


@every_ranker
def test_the_order_of_the_candidates_makes_no_difference(
    name: str, kg: kgpath.Graph, rankers: dict[str, Ranker]
) -> None:
    features = features_of(kg)
    found = features.candidates
    order = np.random.default_rng(1).permutation(len(found))
    shuffled = found.take(order)
    assert shuffled[0].iris() != found[0].iris()
    moved = rankers[name].score(PathFeatures(features.context, shuffled))
    assert by_path(shuffled, moved) == pytest.approx(
        by_path(found, rankers[name].score(features)), abs=1e-9
    )


@every_ranker
def test_it_makes_no_difference_from_which_end_a_path_is_read(
    name: str, kg: kgpath.Graph, rankers: dict[str, Ranker]
) -> None:
    there, back = features_of(kg), features_of(kg, swap=True)
    assert back.candidates.head.label == TAIL
    reversed_scores = {
        tuple(path.reversed().iris()): score
        for path, score in zip(back.candidates, rankers[name].score(back).total, strict=True)
    }
    assert reversed_scores == pytest.approx(
        by_path(there.candidates, rankers[name].score(there)), abs=1e-9
    )


@every_ranker
def test_without_candidates_there_are_no_scores(
    name: str, kg: kgpath.Graph, rankers: dict[str, Ranker]
) -> None:
    none = features_of(kg, max_hops=1)
    assert len(none.candidates) == 0
    assert rankers[name].score(none).total.shape == (0,)


@every_ranker
def test_one_candidate_will_do(name: str, kg: kgpath.Graph, rankers: dict[str, Ranker]) -> None:
    features = features_of(kg)
    found = features.candidates
    one = found.take(slice(1))
    total = rankers[name].score(PathFeatures(features.context, one)).total
    assert total.shape == (1,) and np.isfinite(total).all()


@every_ranker
@pytest.mark.parametrize("text", ["Zzyzx qwrtpl vbnmk.", "… !", "東京", "x" * 5000])
def test_a_text_without_any_known_word_works(
    name: str, text: str, kg: kgpath.Graph, rankers: dict[str, Ranker]
) -> None:
    total = rankers[name].score(features_of(kg, text)).total
    assert len(total) == 80 and np.isfinite(total).all()


@pytest.mark.parametrize("name", [name for name in CASES if name not in BOUND_TO_THE_GRAPH])
def test_the_numbers_of_entities_make_no_difference(
    name: str, kg: kgpath.Graph, rankers: dict[str, Ranker], tmp_path: Path
) -> None:
    fact = "<http://a.example/0> <http://a.example/p> <http://a.example/1> .\n"
    (tmp_path / "first.nt").write_text(fact)  # comes first by its IRIs
    kgpath.build([tmp_path / "first.nt", *sample_files()[::-1]], tmp_path / "other.kg")
    with kgpath.open(tmp_path / "other.kg") as other:
        assert other.entity(HEAD).id != kg.entity(HEAD).id
        here, there = features_of(kg), features_of(other)
        assert by_path(there.candidates, rankers[name].score(there)) == pytest.approx(
            by_path(here.candidates, rankers[name].score(here)), abs=1e-9
        )


@every_ranker
def test_its_evidence_is_sentences_of_the_text_for_every_fact(
    kg: kgpath.Graph, rankers: dict[str, Ranker], name: str
) -> None:
    features = features_of(kg)
    shown = rankers[name].evidence(features)
    assert len(shown) == len(features.facts.heads)
    assert {number for numbers in shown for number in numbers} <= set(
        range(len(features.context.sentences))
    )
    assert any(shown)
