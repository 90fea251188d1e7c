"""Zero-shot: the cases of Lo & Lim (2023) and the texts of the sample, each with its own answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import FOLDER
from kgpath.encoders.vectors.word_vectors import WordVectors
from kgpath.errors import BadOption
from kgpath.features.path_features import PATH_FEATURES, PathFeatures
from kgpath.rankers.ranker import Ranker
from kgpath.rankers.zero_shot import WEIGHTS, ZeroShot
from kgpath.rankers.zero_shot_text import ZeroShotText

# Cases 1 to 4 of the paper are 02, 04, 05 and 06.
PAPER = ["sample-01", "sample-02", "sample-04", "sample-05", "sample-06"]


@pytest.fixture(scope="module")
def documents() -> dict[str, dict]:
    lines = (FOLDER / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["id"]: record for record in map(json.loads, lines)}


@pytest.fixture(scope="module")
def kg(sample_path: Path) -> Iterator[kgpath.Graph]:
    with kgpath.open(sample_path) as graph:
        yield graph


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZeroShotText]:
    """Reads with the MiniLM of the installed package; loaded once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KGPATH_CACHE", str(tmp_path_factory.mktemp("vectors")))
        yield ZeroShotText(best=10)


def first(kg: kgpath.Graph, record: dict, ranker: str | Ranker = "zero-shot") -> list[str]:
    answers = kg.query(record["head"], record["tail"], record["document"], k=1, ranker=ranker)
    return answers[0].path.iris()


def features_of(kg: kgpath.Graph, record: dict) -> PathFeatures:
    context = kg.context(record["document"])
    ends = kg.entity(record["head"]), kg.entity(record["tail"])
    return PathFeatures(context, kg.retriever().candidates(context, *ends))


@pytest.mark.parametrize("name", PAPER)
def test_the_path_that_the_text_tells_comes_first(name: str, kg, documents) -> None:
    assert first(kg, documents[name]) == documents[name]["path"]


@pytest.mark.parametrize(("one", "other"), [("sample-02", "sample-03"), ("sample-06", "sample-08")])
def test_the_same_pair_has_another_answer_in_another_text(
    one: str, other: str, kg, documents
) -> None:
    here, there = documents[one], documents[other]
    assert (here["head"], here["tail"]) == (there["head"], there["tail"])
    assert here["path"] != there["path"]
    assert [first(kg, here), first(kg, there)] == [here["path"], there["path"]]


def test_its_parts_are_weighed_features(kg, documents) -> None:
    features = features_of(kg, documents["sample-05"])
    parts = ZeroShot().score(features).parts
    assert list(parts) == list(WEIGHTS)
    assert set(WEIGHTS) <= set(PATH_FEATURES)
    for name, weight in WEIGHTS.items():
        assert parts[name].tolist() == (weight * features[name]).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sample-02", "sample-05"])
def test_with_a_reader_the_path_comes_first_as_well(name: str, kg, documents, reader) -> None:
    assert first(kg, documents[name], reader) == documents[name]["path"]


def read_and_not(ranker: ZeroShotText, features: PathFeatures) -> tuple[list[float], list[float]]:
    total, parts, _ = ranker.score(features)
    read = parts["not read"] == 0
    return total[read].tolist(), total[~read].tolist()


@pytest.mark.slow
def test_what_is_not_read_comes_after_all_that_is(kg, documents, reader) -> None:
    features = features_of(kg, documents["sample-04"])
    read, others = read_and_not(reader, features)
    assert (len(read), len(others)) == (10, 290)
    assert min(read) > max(others)
    # Those read are the best of zero-shot, and the rest keeps its order.
    plain, total = ZeroShot().score(features).total, reader.score(features).total
    assert set(np.argsort(-plain)[:10]) == set(np.argsort(-total)[:10])
    behind = np.argsort(-plain, kind="stable")[10:]
    assert (np.diff(total[behind]) <= 0).all()


class Contrary:
    """A text encoder to which every fact is the opposite of every sentence."""

    identity = "contrary"

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[1.0 if text.endswith(".") else -1.0] for text in texts], dtype=np.float32)


def test_also_where_no_sentence_says_anything_alike(kg, documents) -> None:
    features = features_of(kg, documents["sample-04"])
    contrary = ZeroShotText(Contrary(), best=10)
    read, others = read_and_not(contrary, features)
    assert (len(read), len(others)) == (10, 290)
    assert min(read) > max(others)
    plain = ZeroShot().score(features).total
    assert contrary.score(features).total == pytest.approx(plain - 18)  # 6, 4 and 8, all against


@pytest.mark.slow
def test_ties_are_all_read(build_graph, reader) -> None:
    # Eleven paths that the text does not tell apart, and a longer one.
    facts = [f"ex:a ex:p ex:x{n} . ex:x{n} ex:p ex:b ." for n in range(11)]
    kg = build_graph("\n".join([*facts, "ex:x0 ex:p ex:x1 ."]))
    context = kg.context("Quite another matter.")
    found = kg.retriever(max_hops=3).candidates(context, kg.entity("a"), kg.entity("b"))
    plain = ZeroShot().score(PathFeatures(context, found)).total
    tied = plain >= np.sort(plain)[-10]
    read, others = read_and_not(reader, PathFeatures(context, found))
    assert (len(read), len(others)) == (int(tied.sum()), int((~tied).sum()))
    assert len(read) > 10 and others


def test_vectors_of_any_length_are_compared_by_their_direction(
    kg, documents, tmp_path: Path
) -> None:
    features = features_of(kg, documents["sample-05"])
    words = sorted(set(features.context.tokens.words) | {"birth", "place", "country"})
    numbers = np.random.default_rng(0).normal(size=(len(words), 3))
    for name, times in (("short", 0.01), ("long", 1000)):
        rows = (
            f"{w} {' '.join(map(str, r))}\n" for w, r in zip(words, numbers * times, strict=True)
        )
        (tmp_path / name).write_text("".join(rows))
    short, long = (
        ZeroShotText(WordVectors(tmp_path / name), best=10) for name in ("short", "long")
    )
    total = short.score(features).total
    assert long.score(features).total == pytest.approx(total, abs=1e-4)
    read, others = read_and_not(long, features)
    assert min(read) > max(others)


@pytest.mark.parametrize("best", [0, -1, 2.5, "ten"])
def test_how_many_are_read_is_one_or_more(best: object) -> None:
    with pytest.raises(BadOption, match=f"best is {best!r}; it can be 1 or more"):
        ZeroShotText(best=best)  # type: ignore[arg-type]
