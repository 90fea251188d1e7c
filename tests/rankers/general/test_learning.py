"""How kgpath-general learns: the line that calibrates, folds by text, a problem it must solve."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example as case
from hypothesis import given
from hypothesis import strategies as st
from told_examples_by_hand import told

from kgpath.errors import BadOption
from kgpath.features.fact_sentences import SENTENCE_FEATURES, sentence_table
from kgpath.features.feature_table import FeatureTable
from kgpath.features.path_features import PathFeatures
from kgpath.features.told_features import TOLD_FEATURES
from kgpath.linking.context import Context
from kgpath.paths.candidates import candidates_for
from kgpath.rankers.general import learning
from kgpath.rankers.general.learning import (
    FOLDS,
    SENTENCE_TREES,
    SHOWN_FROM,
    Settings,
    folds_of,
    learn,
    learn_sentences,
    logistic_line,
)
from kgpath.rankers.general.model import ToldModel
from kgpath.rankers.general.told_example import PATHS, ToldExample
from kgpath.rankers.general.told_paths import told_paths
from kgpath.rankers.general.tree_arrays import TreeArrays

SCORES = st.lists(st.tuples(st.floats(-40, 40), st.booleans()), min_size=1, max_size=30)


def platt_targets(right: np.ndarray) -> np.ndarray:
    yes, no = right.sum(), len(right) - right.sum()
    return np.where(right > 0, (yes + 1) / (yes + 2), 1 / (no + 2))


@given(SCORES)
@case([(-34.5, False)] * 5)  # whole steps of Newton's method led to a slope of 1,480
@case([(score, score < 0) for score in (8.0, 7.0, -8.0, -7.0) * 20])
def test_the_line_has_the_least_loss_of_all_with_a_positive_slope(pairs) -> None:
    scores, right = (np.array(side, dtype=np.float64) for side in zip(*pairs, strict=True))
    slope, shift = logistic_line(scores, right)
    logits = slope * scores + shift
    apart = np.exp(-np.logaddexp(0, -logits)) - platt_targets(right)
    by_slope = apart @ scores + 0.1 * (slope - 1)
    by_shift = apart.sum() + 0.1 * shift
    assert by_shift == pytest.approx(0, abs=1e-6)
    assert slope >= 0.05
    # At the least slope, less would be better; above it, neither more nor less.
    assert by_slope >= -1e-6 if slope == 0.05 else by_slope == pytest.approx(0, abs=1e-6)


def test_the_line_is_that_of_scikit_learn() -> None:
    linear_model = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(3)
    scores = rng.normal(1, 3, 2000)
    right = (rng.random(2000) < 1 / (1 + np.exp(1 - 0.6 * scores))).astype(np.float64)
    target = platt_targets(right)
    # A target between yes and no is both, as often as it says.
    theirs = linear_model.LogisticRegression(C=np.inf, tol=1e-10).fit(
        np.tile(scores, 2)[:, None],
        np.repeat([1, 0], 2000),
        sample_weight=np.concatenate([target, 1 - target]),
    )
    # Ours is drawn a little to slope 1 and shift 0, which 2,000 scores hardly leave it to be.
    expected = (float(theirs.coef_[0, 0]), float(theirs.intercept_[0]))
    assert logistic_line(scores, right) == pytest.approx(expected, abs=2e-3)
    assert expected == pytest.approx((0.6, -1), abs=0.15)


def test_scores_that_say_nothing_get_the_share_of_true_ones() -> None:
    rng = np.random.default_rng(0)
    scores, right = rng.normal(0, 10, 200), np.array([0.0, 1.0, 1.0, 1.0] * 50)
    slope, shift = logistic_line(scores, right)
    assert slope == 0.05  # once 8,654
    chances = 1 / (1 + np.exp(-(slope * scores + shift)))
    assert chances.mean() == pytest.approx(0.75, abs=0.01)


def test_a_sample_of_one_kind_alone_is_no_proof_of_certainty() -> None:
    for right in (0.0, 1.0):
        slope, shift = logistic_line(np.array([2.0, 3.0]), np.full(2, right))
        chance = 1 / (1 + np.exp(-(slope * 2 + shift)))
        assert 0.1 < chance < 0.9


@given(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=20), st.integers(0, 9))
def test_all_queries_over_one_text_are_in_one_fold(texts: list[str], seed: int) -> None:
    if len(set(texts)) == 1:
        return
    folds = folds_of(texts, seed)
    fold_of = dict(zip(texts, folds, strict=True))
    assert [fold_of[text] for text in texts] == folds
    counts = np.bincount(list(fold_of.values()))
    assert len(counts) == min(FOLDS, len(fold_of)) and counts.max() - counts.min() <= 1
    turned = folds_of(texts[::-1], seed)
    assert turned[::-1] == folds  # whatever the order of the queries


def test_one_text_alone_is_refused() -> None:
    with pytest.raises(BadOption) as raised:
        folds_of(["text", "text"], 0)
    assert str(raised.value) == (
        "All queries to learn from are over one text; kgpath-general needs at least two, to learn "
        "what holds for another text."
    )


def test_what_never_makes_a_fact_less_likely_is_a_feature_there_is() -> None:
    facts = {name: [0.0] for name in TOLD_FEATURES}
    paths = {name: [0.0] for name in PATHS}
    known = {*facts, *told_paths(told(facts, paths, [[0]], [0], [0]), np.zeros(1)).names}
    assert known >= learning._RISING
    assert known >= learning._FALLING
    assert not learning._RISING & learning._FALLING


def query(number: int, is_told: bool) -> ToldExample:
    """Two facts join the ends of a pair; of the told one, words near it mean its relation."""
    rng = np.random.default_rng([number, is_told])
    near = rng.uniform(0, 0.4, 4)
    right = int(rng.integers(4))
    if is_told:
        near[right] = rng.uniform(0.6, 1)
    return told(
        facts={"meant near": near, "gap": rng.uniform(0, 3, 4), "relation share": rng.random(4)},
        paths={"length": np.ones(4)},
        along=[[0], [1], [2], [3]],
        entity_pair=[0, 0, 1, 1],
        zero_shot=rng.normal(size=4),
        true=[right] if is_told else [],
        names=[("a", f"r{fact}", f"b{number}") for fact in range(4)],
        group=f"text {number // 2}",
    )


SETTINGS = Settings(fact_trees=30, path_trees=20, seed=0)


@pytest.fixture(scope="module")
def taught() -> ToldModel:
    pytest.importorskip("lightgbm")
    return learn([query(number, number % 3 > 0) for number in range(120)], SETTINGS)


def path_chances(model: ToldModel, example: ToldExample) -> np.ndarray:
    return 1 / (1 + np.exp(-model.path_odds(example, model.fact_odds(example))))


def test_it_learns_that_told_facts_are_those_that_words_near_them_mean(taught) -> None:
    best = []
    for number in range(1000, 1040):
        example = query(number, is_told=True)
        odds, chances = taught.fact_odds(example), path_chances(taught, example)
        assert odds.argmax() == chances.argmax() == np.flatnonzero(example.true)[0]
        best.append(chances.max())
    assert np.mean(best) > 0.7
    assert np.mean([chance > 0.5 for chance in best]) > 0.9


def test_it_learns_when_nothing_is_told(taught) -> None:
    best = [path_chances(taught, query(number, False)).max() for number in range(900, 940)]
    assert np.mean(best) < 0.3
    assert np.mean([chance < 0.5 for chance in best]) > 0.9


def test_more_words_near_a_fact_never_make_it_less_likely(taught) -> None:
    assert taught.slope > 0
    rows = np.tile(query(7, True).facts.values[:1], (50, 1))
    rows[:, taught.fact_names.index("meant near")] = np.linspace(-1, 2, 50)
    odds = taught.facts.scores(rows)
    assert (np.diff(odds) >= 0).all() and odds[-1] - odds[0] > 2


def test_the_model_says_what_its_trees_read(taught) -> None:
    assert taught.fact_names == query(0, True).facts.names
    assert taught.paths.features == len(taught.path_names)
    assert taught.sentences is None and taught.sentence_names == ()
    # LightGBM drops a tree for which it finds no split.
    assert 0 < len(taught.facts.leaves) <= FOLDS * SETTINGS.fact_trees


def flat(model: ToldModel) -> list[object]:
    arrays = [*model.facts.arrays().values(), *model.paths.arrays().values()]
    return [model.slope, model.shift, *(array.tolist() for array in arrays)]


def test_learning_twice_gives_the_same_model() -> None:
    pytest.importorskip("lightgbm")
    examples = [query(number, number % 3 > 0) for number in range(30)]
    small = Settings(fact_trees=3, path_trees=3, seed=5)
    assert flat(learn(examples, small)) == flat(learn(examples, small))
    assert flat(learn(examples, small)) != flat(learn(examples, small._replace(seed=6)))


@pytest.mark.parametrize("is_told", [True, False])
def test_texts_that_all_tell_or_all_tell_nothing_are_learned_from(is_told: bool) -> None:
    pytest.importorskip("lightgbm")
    examples = [query(number, is_told) for number in range(20)]
    model = learn(examples, Settings(fact_trees=3, path_trees=3, seed=0))
    best = np.mean([path_chances(model, example).max() for example in examples])
    assert np.isfinite(flat(model)[:2]).all()
    assert bool(best > 0.5) is is_told
    assert 0.02 < best < 0.98


def test_two_texts_are_enough() -> None:
    pytest.importorskip("lightgbm")
    model = learn([query(0, True), query(2, False)], Settings(fact_trees=2, path_trees=2, seed=0))
    assert np.isfinite(path_chances(model, query(4, True))).all()


def constant(score: float, width: int) -> TreeArrays:
    """A tree without a node."""
    none, leaves = np.zeros(0, np.int32), np.full((1, 16), score, np.float32)
    return TreeArrays(width, none, none, none.astype("f4"), none.astype("u2"), leaves)


def test_nothing_is_judged_by_what_it_taught(monkeypatch) -> None:
    examples = [query(number, number % 3 > 0) for number in range(40)]
    fold = folds_of([example.group for example in examples], 3)
    taught: dict[str, list[list[int]]] = {"facts": [], "paths": []}
    seen = []

    def fact_trees(examples, told, places, settings, number):
        taught["facts"].append(list(places))
        return constant(100 + number, examples[0].facts.values.shape[1])

    def path_trees(examples, tables, places, settings, number):
        taught["paths"].append(list(places))
        return constant(number, tables[0].values.shape[1])

    def paths(example, odds):
        seen.append(odds.tolist())
        return told_paths(example, odds)

    monkeypatch.setattr(learning, "_fact_trees", fact_trees)
    monkeypatch.setattr(learning, "_path_trees", path_trees)
    monkeypatch.setattr(learning, "told_paths", paths)
    learn(examples, Settings(fact_trees=1, path_trees=1, seed=3))
    others = [[at for at in range(40) if fold[at] != number] for number in range(FOLDS)]
    assert taught == {"facts": others, "paths": others}
    # What the trees over paths see of a text comes from the trees that never saw it.
    assert seen == [[100.0 + number] * 4 for number in fold]


def test_a_query_counts_by_the_root_of_the_number_of_its_rows(monkeypatch) -> None:
    class Library:
        """Keeps what it is given, and learns nothing."""

        def Dataset(self, rows, target, weight, params):
            self.rows, self.weight = rows, weight

        def train(self, *given):
            raise InterruptedError

    library = Library()
    monkeypatch.setattr(learning, "lightgbm", lambda: library)
    tables = [query(number, True).facts for number in range(2)]
    tables[1] = FeatureTable(tables[1].names, np.tile(tables[1].values, (4, 1)))
    parts = [(table, np.arange(len(table)) == 0) for table in tables]
    with pytest.raises(InterruptedError):
        learning._grown(parts.__getitem__, [0, 1], 1, 0)
    assert library.weight.tolist() == [0.5] * 4 + [0.25] * 16
    assert len(library.rows) == 20


# Which sentences tell a fact

TOWNS = ("Ulm", "Rome", "Oslo", "Bern", "Kiel", "Lyon")
PAINTERS = ("Astrid Lind", "Peter Moss", "Clara Voss", "Hugo Stern", "Nora Falk", "Emil Brandt")


@pytest.fixture
def painters(build_graph):
    """Six people, each born in a town."""
    facts = [
        f'ex:p{at} rdfs:label "{painter}" ; ex:birthPlace ex:t{at} . ex:t{at} rdfs:label "{town}" .'
        for at, (painter, town) in enumerate(zip(PAINTERS, TOWNS, strict=True))
    ]
    return build_graph("\n".join(facts))


def born(graph, at: int, text: str) -> PathFeatures:
    """The one fact that joins a painter and a town, in a text that is about both."""
    painter, town = PAINTERS[at], TOWNS[at]
    context = Context(graph, text.format(painter=painter, town=town))
    return PathFeatures(context, candidates_for(context, graph.entity(painter), graph.entity(town)))


BORN = "{painter} was born in {town}."
#: Of these texts one sentence tells the birth, wherever it stands.
LONG = [
    (f"{BORN} {{painter}} paints. Rain fell. {{town}} is old.", 0),
    (f"{{painter}} paints. {BORN} {{town}} is old. Rain fell.", 1),
    (f"{{town}} is old. Rain fell. {BORN} {{painter}} paints.", 2),
    (f"Rain fell. {{town}} is old. {{painter}} paints. {BORN}", 3),
]


def marked(graph) -> list[tuple[FeatureTable, np.ndarray]]:
    """The rows of all sentences that may tell a birth, and 1 for the one that does."""
    made = []
    for at in range(5):
        for text, telling in LONG:
            rows = sentence_table(born(graph, at, text), np.array([0]))
            made.append((rows.table, (rows.sentence == telling).astype(np.int64)))
    return made


def test_it_learns_which_sentences_tell_a_fact(painters, taught) -> None:
    model = learn_sentences(taught, marked(painters), 0)
    for text, telling in LONG:
        assert model.shown(born(painters, 5, text), np.array([0])) == [(telling,)]
    both = f"{BORN} Rain fell. {BORN}"
    assert model.shown(born(painters, 5, both), np.array([0])) == [(0, 2)]


def test_a_model_that_knows_sentences_is_otherwise_the_same(painters, taught, tmp_path) -> None:
    model = learn_sentences(taught, marked(painters), 0)
    assert flat(model) == flat(taught)
    assert (model.fact_names, model.path_names) == (taught.fact_names, taught.path_names)
    assert model.sentences is not None and taught.sentences is None
    assert model.sentence_names == tuple(SENTENCE_FEATURES)
    assert model.sentences.features == len(SENTENCE_FEATURES)
    assert 0 < len(model.sentences.leaves) <= SENTENCE_TREES
    assert model.threshold == SHOWN_FROM
    model.save(tmp_path / "model")
    loaded = ToldModel.load(tmp_path / "model")
    features = born(painters, 5, LONG[1][0])
    assert loaded.shown(features, np.array([0])) == model.shown(features, np.array([0]))
    assert loaded.threshold == SHOWN_FROM


def test_learning_sentences_twice_gives_the_same_trees(painters, taught) -> None:
    texts = marked(painters)

    def trees(seed: int) -> list[object]:
        sentences = learn_sentences(taught, texts, seed).sentences
        assert sentences is not None
        return [array.tolist() for array in sentences.arrays().values()]

    assert trees(4) == trees(4) != trees(5)
