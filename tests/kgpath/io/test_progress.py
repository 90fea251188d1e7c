"""Long work says how far it is: to whoever shows it, or in a note now and then."""

from __future__ import annotations

import threading

import pytest

from kgpath.io import progress
from kgpath.io.progress import Steps, counted, in_words, reporting, tell

Seen = list[tuple[str, int, int]]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which is what a test says it is."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_unwatched_work_tells_how_far_it_is_in_notes(clock, capsys) -> None:
    assert list(counted("abc", "reading")) == ["a", "b", "c"]
    assert not capsys.readouterr().err  # what takes less than 15 s is done in silence
    for _ in counted("abc", "reading"):
        clock[0] += 40
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "kgpath: reading: 1 of 3, about 80 s left", "kgpath: reading: 2 of 3, about 40 s left"
    ]  # fmt: skip


def test_a_cost_is_said_after_the_first_steps(clock, capsys) -> None:
    seen: Seen = []
    with reporting(lambda *what: seen.append(what)):
        for step in counted(range(100), "training path-vae"):
            clock[0] += 0.1 if step else 0.9  # the first one warms up
    assert seen[:5] == [
        *(("training path-vae", done, 100) for done in range(4)),
        ("training path-vae: 100 steps, about 10 s", 4, 100),
    ]
    assert {what for what, *_ in seen[4:]} == {"training path-vae: 100 steps, about 10 s"}
    assert [done for _, done, _ in seen] == list(range(100))
    assert not capsys.readouterr().err


def test_long_steps_are_estimated_from_the_first_one(clock) -> None:
    seen: Seen = []
    with reporting(lambda *what: seen.append(what)):
        for _ in counted("abcde", "choosing weights", "settings"):
            clock[0] += 60
    assert seen[1] == ("choosing weights: 5 settings, about 5 min", 1, 5)


def test_work_that_goes_on_says_what_is_left_and_no_more_than_it_may_take(clock) -> None:
    seen: Seen = []
    with reporting(lambda *what: seen.append(what)):
        for most in (0, 30):
            steps = Steps("tuning", 100, done=90, most=most)
            clock[0] += 8
            steps.at(92)
    assert seen == [
        ("tuning: 100 steps, about 40 s", 92, 100), ("tuning: 100 steps, about 30 s", 92, 100)
    ]  # fmt: skip


def test_what_is_told_reaches_who_shows_it_within_the_block_and_from_threads(clock) -> None:
    outer: Seen = []
    inner: Seen = []
    tell("before")
    with reporting(lambda *what: outer.append(what)):
        tell("outside")
        with reporting(lambda *what: inner.append(what)):
            steps = Steps("training word vectors", 9)
            clock[0] += 3
            thread = threading.Thread(target=steps.at, args=(3,))
            thread.start()
            thread.join()
        tell("outside again")
    tell("after")
    assert outer == [("outside", 0, 0), ("outside again", 0, 0)]
    assert inner == [("training word vectors: 9 steps, about 9 s", 3, 9)]


def test_times_in_words() -> None:
    assert [in_words(seconds) for seconds in (0, 0.4, 12.3, 90, 91, 3600)] == [
        "1 s", "1 s", "12 s", "90 s", "2 min", "60 min"
    ]  # fmt: skip
