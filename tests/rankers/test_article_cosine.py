"""The cosine baselines against the formula of the paper, worked out word by word."""

from __future__ import annotations

from collections import Counter
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.errors import BadOption
from kgpath.features.path_features import PathFeatures
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for
from kgpath.rankers.article_cosine import ArticleCosine
from kgpath.rankers.avg_cosine import AvgCosine
from kgpath.rankers.ranker import Ranker
from kgpath.rankers.tfidf_cosine import TfidfCosine
from kgpath.types import Path as GraphPath

# Four entities; Dora has no article and goes by her name.
TOWN = """
ex:anna rdfs:label "Anna"@en ; rdfs:comment "Anna paints red boats."@en ;
    ex:oldFriend ex:bert ; ex:teacher ex:dora .
ex:bert rdfs:label "Bert"@en ; rdfs:comment "Bert sells boats, red boats."@en ; ex:pupil ex:carl .
ex:carl rdfs:label "Carl"@en ; rdfs:comment "Carl keeps bees."@en .
ex:dora rdfs:label "Dora"@en ; ex:pupil ex:carl .
ex:oldFriend rdfs:label "old friend"@en .
"""
ARTICLES = {
    "Anna": "anna paints red boats",
    "Bert": "bert sells boats red boats",
    "Carl": "carl keeps bees",
    "Dora": "dora",
}
TEXT = "Anna and Carl keep red boats with an old friend, and bees."
WORDS = "anna and carl keep red boats with an old friend and bees".split()

Vector = dict[str, float]


def weight(word: str) -> float:
    """ln((1 + N) / (1 + n)) + 1 over the three articles."""
    texts = [text.split() for name, text in ARTICLES.items() if name != "Dora"]
    return log(4 / (1 + sum(word in text for text in texts))) + 1


def tfidf(words: list[str]) -> Vector:
    return {word: n * weight(word) / len(words) for word, n in Counter(words).items()}


def mean(vectors: list[Vector], times: float) -> Counter[str]:
    summed: Counter[str] = Counter()
    for vector in vectors:
        for word, value in vector.items():
            summed[word] += times * value / len(vectors)  # type: ignore[assignment]
    return summed


def cosine(one: Vector, other: Vector) -> float:
    dot = sum(value * other.get(word, 0) for word, value in one.items())
    lengths = [sqrt(sum(value * value for value in vector.values())) for vector in (one, other)]
    return dot / (lengths[0] * lengths[1])


def by_hand(path: GraphPath, words: list[str], alpha: float) -> float:
    """C1.8: α · mean article + (1 − α) · mean relation name, by cosine with the text."""
    articles = [tfidf(ARTICLES[node.label].split()) for node in path.nodes]
    names = [tfidf(hop.relation.label.split()) for hop in path.hops]
    whole = mean(articles, alpha)
    for word, value in mean(names, 1 - alpha).items():
        whole[word] += value
    return cosine(whole, tfidf(words))


def features_of(
    kg: kgpath.Graph, text: str, head: str = "Anna", tail: str = "Carl"
) -> PathFeatures:
    context = Context(kg, text)
    return PathFeatures(context, candidates_for(context, kg.entity(head), kg.entity(tail)))


def scores(ranker: Ranker, features: PathFeatures) -> dict[str, float]:
    total = ranker.score(features).total.tolist()
    return dict(zip(map(str, features.candidates), total, strict=True))


@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
def test_tfidf_cosine_is_the_formula_of_the_paper(build_graph, alpha: float) -> None:
    features = features_of(build_graph(TOWN), TEXT)
    expected = {str(path): by_hand(path, WORDS, alpha) for path in features.candidates}
    assert set(expected) == {
        "Anna –old friend→ Bert –pupil→ Carl",
        "Anna –teacher→ Dora –pupil→ Carl",
    }
    # To the 32 bits in which a graph keeps its weights.
    assert scores(TfidfCosine(alpha=alpha), features) == pytest.approx(expected, abs=1e-6)
    assert expected["Anna –old friend→ Bert –pupil→ Carl"] > 0.1


def test_without_articles_the_names_are_all_there_is(build_graph) -> None:
    features = features_of(
        build_graph("ex:ann ex:likes ex:bob . ex:bob ex:likes ex:cy ."), "cy", *AC
    )
    # Three names, each word in one of them; the text is the word "cy" alone.
    rare = log(4 / 2) + 1
    path = np.array([0.5 * rare / 3] * 3 + [0.5 * (log(4) + 1)])
    found = scores(TfidfCosine(), features)
    assert found == {"ann –likes→ bob –likes→ cy": pytest.approx(path[0] / np.linalg.norm(path))}


AC = ("ann", "cy")


def test_a_window_leaves_out_what_stands_far_from_the_ends(build_graph) -> None:
    kg = build_graph(TOWN)
    far = "Red boats are sold by an old friend. " + "Nothing much happens here today. " * 8
    text = far + "Anna met Carl and his bees."
    features = features_of(kg, text)
    everything = text.lower().replace(".", "").split()
    window = everything[everything.index("anna") - 15 :]  # the text ends sooner than the window
    assert "boats" in everything and "boats" not in window
    for where, words in (("document", everything), ("window", window)):
        expected = {str(path): by_hand(path, words, 0.5) for path in features.candidates}
        found = scores(TfidfCosine(scope=where), features)
        assert found == pytest.approx(expected, abs=1e-6)


def test_where_the_text_names_neither_end_the_window_is_the_text(build_graph) -> None:
    features = features_of(build_graph(TOWN), "Some red boats and their old friend.")
    assert scores(TfidfCosine("window"), features) == scores(TfidfCosine("document"), features)


VECTORS = """\
anna 1 0
paints 0 2
boats 0 4
sells 2 0
bees 3 3
old 1 1
friend -1 1
teacher 1 -1
"""


def test_avg_cosine_is_the_formula_of_the_paper(build_graph, tmp_path: Path) -> None:
    (tmp_path / "vectors.txt").write_text(VECTORS)
    features = features_of(build_graph(TOWN), "Anna has bees; bees!")
    # The words with a vector, and their means: the text is ((1, 0) + 2 · (3, 3)) / 3.
    text = np.array([7, 6]) / 3
    anna, bert, carl = np.array([1, 6]) / 3, np.array([2, 8]) / 3, np.array([3, 3])
    friend, teacher, none = np.array([0, 2]) / 2, np.array([1, -1]), np.zeros(2)
    for alpha in (0.0, 0.4, 1.0):
        paths = {
            "Anna –old friend→ Bert –pupil→ Carl": alpha * (anna + bert + carl) / 3
            + (1 - alpha) * (friend + none) / 2,
            "Anna –teacher→ Dora –pupil→ Carl": alpha * (anna + none + carl) / 3
            + (1 - alpha) * (teacher + none) / 2,
        }
        expected = {
            name: float(v @ text / np.linalg.norm(v) / np.linalg.norm(text))
            for name, v in paths.items()
        }
        ranker = AvgCosine(vectors=str(tmp_path / "vectors.txt"), alpha=alpha)
        assert scores(ranker, features) == pytest.approx(expected, abs=1e-6)


def test_avg_cosine_of_words_it_does_not_know_is_nothing(build_graph, tmp_path: Path) -> None:
    (tmp_path / "vectors.txt").write_text("sun 1 0\nmoon 0 1\n")
    ranker = AvgCosine(str(tmp_path / "vectors.txt"))
    assert set(scores(ranker, features_of(build_graph(TOWN), TEXT)).values()) == {0.0}


def test_a_file_of_vectors_may_be_called_like_a_number(
    build_graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "300").write_text(VECTORS)
    monkeypatch.chdir(tmp_path)
    features = features_of(build_graph(TOWN), TEXT)
    assert scores(AvgCosine(vectors=300), features) == scores(AvgCosine("300"), features)  # type: ignore[arg-type]


@pytest.mark.parametrize("baseline", [TfidfCosine, AvgCosine])
def test_bad_options_say_which_are_good(baseline: type[ArticleCosine]) -> None:
    with pytest.raises(BadOption, match="scope is 'page'; it can be window or document"):
        baseline(scope="page")
    for alpha in (-0.1, 1.1, float("nan"), "half"):
        with pytest.raises(BadOption, match=f"alpha is {alpha!r}; it lies between 0 and 1"):
            baseline(alpha=alpha)  # type: ignore[arg-type]


def test_word_vectors_are_asked_for_when_they_are_needed(build_graph) -> None:
    features = features_of(build_graph(TOWN), TEXT)
    with pytest.raises(BadOption, match="avg-cosine needs word vectors: --vectors FILE"):
        AvgCosine().score(features)
