"""The parts of the rankers that learn: told facts, the tree of a text, labels and gradients."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from kgpath.errors import BadOption
from kgpath.io.progress import with_notes
from kgpath.rankers.encoded.encoded_questions import Encoded
from kgpath.rankers.kgpath_ltr import KgpathLTR, _parts
from kgpath.rankers.listwise import Listwise
from kgpath.rankers.ltr.expressed_facts import Material, expressed_masks
from kgpath.rankers.ltr.relation_statistics import Stretch
from kgpath.rankers.xendcg import LABELS, TOP_GRADE, XendcgRanker, real_xendcg


def material(facts: list[tuple[str, str, str]], paths: list[list[int]], **more) -> Material:
    """A question over named facts; all of them named by the text."""
    names = sorted({end for h, _, t in facts for end in (h, t)})
    ends = [[names.index(fact[side]) for fact in facts] for side in (0, 2)]
    width = max(map(len, paths))
    of = np.array([path + [-1] * (width - len(path)) for path in paths])
    return Material(
        hops=np.ones((len(facts), 3), np.float32), paths=np.zeros((len(paths), 2), np.float32),
        of=of, pair=np.arange(len(facts)), ends=np.array(ends),
        stretches=tuple(Stretch(r, frozenset(), frozenset()) for _, r, _ in facts),
        facts=tuple(facts), zero_shot=np.zeros(len(paths)),
        joints=(), joint_of=np.full((len(paths), width - 1), -1),
        read=np.zeros((len(facts), 0), np.float32), **more,
    )  # fmt: skip


AB, BC, AC = ("a", "r", "b"), ("b", "r", "c"), ("a", "s", "c")


def test_a_text_tells_what_lies_on_a_true_path_of_any_of_its_questions() -> None:
    one = material([AB, BC, AC], [[2], [0, 1]], true=(1,), group="text")
    other = material([AC, AB], [[0], [1]], true=(1,), group="text")
    elsewhere = material([AB, AC], [[0], [1]], true=(1,), group="another text")
    masks = [mask.tolist() for mask in expressed_masks([one, other, elsewhere])]
    assert masks == [[True, True, False], [False, True], [False, True]]


def test_every_part_has_a_text_to_learn_from() -> None:
    texts = [material([AB], [[0]], group=f"text {n}") for n in range(9)]
    usable = [0, 4, 8]
    part = _parts([*texts, texts[4]], usable, np.random.default_rng(0))
    assert sorted(part[at] for at in usable) == [0, 1, 2] and set(part) == {0, 1, 2}
    assert part[9] == part[4]  # a question over the same text


def test_only_the_true_path_has_the_top_label() -> None:
    rows = np.array([[1, 0], [1, 0], [0, 1], [-1, 0]], dtype=np.float32)
    graded = XendcgRanker().labels_of(rows, (0,))
    # Its double has the next grade, a right angle half of the top, the opposite none.
    assert graded.tolist() == [TOP_GRADE, TOP_GRADE - 1, TOP_GRADE / 2, 0]
    assert XendcgRanker(labels="truncated").labels_of(rows, (0,)).tolist() == [1, 0, 0, 0]
    real = XendcgRanker(labels="real").labels_of(rows, (0,))
    assert real[0] == 1 and real[1] < 1 and real.tolist() == pytest.approx([1, 1, 0.5, 0], abs=1e-5)


def test_the_real_gradient_begins_with_that_of_the_cross_entropy() -> None:
    scores, labels = np.array([0.3, -0.2, 0.1]), np.array([1.0, 0.5, 0.0])
    data = SimpleNamespace(get_label=lambda: labels, get_group=lambda: [3])

    def loss(values: np.ndarray) -> float:
        weights = np.exp2(labels) / np.exp2(labels).sum()
        return float(-(weights * (values - np.log(np.exp(values).sum()))).sum())

    first = np.array(
        [(loss(scores + step) - loss(scores - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    )
    rho = np.exp(scores) / np.exp(scores).sum()
    second = first / (1 - rho)
    second = rho * (second.sum() - second)
    third = second / (1 - rho)
    third = rho * (third.sum() - third)
    gradient, hessian = real_xendcg(scores, data)
    assert gradient == pytest.approx(first + second + third, abs=1e-5)
    assert hessian == pytest.approx(rho * (1 - rho))


def questions(count: int) -> list[Encoded]:
    """The true path is the one whose first number is positive, wherever it stands."""
    rng = np.random.default_rng(0)
    made = []
    for _ in range(count):
        rows = rng.normal(size=(6, 4)).astype(np.float32)
        rows[:, 0] = -np.abs(rows[:, 0])
        true = int(rng.integers(6))
        rows[true, 0] *= -1
        made.append(Encoded(np.zeros(2, np.float32), rows, (true,)))
    return made


@pytest.mark.parametrize("labels", LABELS)
def test_xendcg_learns_what_tells_the_true_path(labels: str) -> None:
    ranker = XendcgRanker(labels=labels, trees=60)
    ranker.learn(questions(150))
    hits = [int(ranker.judge(one.rows()).argmax()) in one.true for one in questions(200)[150:]]
    assert np.mean(hits) > 0.8


def test_a_network_over_lists_learns_what_is_spread_over_a_vector() -> None:
    rng = np.random.default_rng(1)
    axis = rng.normal(size=40).astype(np.float32)
    made = []
    for _ in range(250):
        rows = rng.normal(size=(6, 40)).astype(np.float32)
        made.append(Encoded(np.zeros(2, np.float32), rows, (int((rows @ axis).argmax()),)))
    hits = {}
    for ranker in (Listwise(epochs=10), XendcgRanker(trees=60)):
        ranker.learn(made[:200])
        found = [int(ranker.judge(one.rows()).argmax()) in one.true for one in made[200:]]
        hits[type(ranker)] = float(np.mean(found))
    assert hits[Listwise] > 0.8 > hits[XendcgRanker] + 0.1


def test_the_loss_of_lists_is_the_mean_of_theirs() -> None:
    torch = pytest.importorskip("torch")
    scores = [[0.3, -1.0], [2.0, 0.0, 1.0]]
    true = [[1.0, 0.0], [0.0, 1.0, 1.0]]
    own = [
        -sum(t * (s - np.log(np.exp(ss).sum())) for s, t in zip(ss, tt, strict=True)) / sum(tt)
        for ss, tt in zip(scores, true, strict=True)
    ]
    loss = Listwise().loss(
        torch.tensor([*scores[0], *scores[1]]),
        torch.tensor([*true[0], *true[1]]),
        torch.tensor([7, 7, 3, 3, 3]),
    )
    assert float(loss) == pytest.approx(np.mean(own), abs=1e-6)


def test_long_work_tells_how_far_it_is(capsys, monkeypatch) -> None:
    monkeypatch.setattr("kgpath.io.progress.EVERY", -1.0)
    assert list(with_notes("abc", "reading")) == ["a", "b", "c"]
    said = capsys.readouterr().err.splitlines()
    assert said[-1] == "kgpath: reading: 2 of 3, about 0 min left"
    monkeypatch.undo()
    assert list(with_notes("abc", "reading")) == ["a", "b", "c"] and not capsys.readouterr().err


def test_options_that_make_no_sense_are_refused() -> None:
    for wrong in (
        lambda: XendcgRanker(labels="rank"),
        lambda: XendcgRanker(sample=1),
        lambda: Listwise(epochs=0),
        lambda: Listwise(sample=0),
        lambda: KgpathLTR(trees=0),
        lambda: KgpathLTR(dropout=1),
        lambda: KgpathLTR(rounds=0),
        lambda: KgpathLTR().learn([]),
    ):
        with pytest.raises(BadOption):
            wrong()


def test_similar_tells_what_vectors_side_by_side_do_not() -> None:
    rng = np.random.default_rng(0)
    made = []
    for _ in range(200):
        rows = rng.normal(size=(6, 40)).astype(np.float32)
        true = int(rng.integers(6))
        near = rows[true] + rng.normal(size=40)
        made.append(Encoded(np.concatenate([near, near]).astype(np.float32), rows, (true,)))
    hits = {}
    for similar in (False, True):
        asked = [one.with_similar() if similar else one for one in made]
        ranker = XendcgRanker(trees=40)
        ranker.learn(asked[:150])
        found = [int(ranker.judge(one.rows()).argmax()) in one.true for one in asked[150:]]
        hits[similar] = float(np.mean(found))
    assert hits[True] > 0.9 > 0.6 > hits[False]
    taken = made[0].with_similar().take(np.array([made[0].true[0], 5]))
    assert taken.rows().shape == (2, 80 + 40 + 2) and taken.similar[0].min() > 0.4
    with pytest.raises(BadOption, match=r"3 and 40 dimensions\. Take minilm with path-text"):
        Encoded(np.zeros(6, np.float32), made[0].paths).with_similar()
