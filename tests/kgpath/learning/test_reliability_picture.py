"""Pictures of how sure and how right rankers are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from square_queries import EX, OVER_C, SQUARE, query

from kgpath.errors import BadOption, MissingExtra, NotWritable
from kgpath.io.queries import Query
from kgpath.learning.evaluate import Evaluator, make_rankers
from kgpath.learning.reliability_picture import ReliabilityPicture


def test_a_curve_for_each_ranker_and_the_same_bytes_every_time(build_graph, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    untold = [Query("u", EX + "a", EX + "b", "A text.")]
    evaluator = Evaluator(build_graph(SQUARE), [query(OVER_C)], untold=untold)
    runs = evaluator.run(make_rankers(["zero-shot", "shortest", "random"]))
    for name in ("one.svg", "two.svg", "one.png"):
        ReliabilityPicture(tmp_path / name).draw(runs)
    drawn = (tmp_path / "one.svg").read_text()
    assert (tmp_path / "two.svg").read_text() == drawn
    texts = re.findall("<!-- (.+?) -->", drawn)
    for said in ("zero-shot", "shortest", "random", "as sure as right"):
        assert said in texts
    assert "First paths of 1 told and 1 untold questions" in texts
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")


def test_a_place_for_it_is_looked_at_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(BadOption, match=r"sure\.word should end in the name of a format: "):
        ReliabilityPicture(tmp_path / "sure.word")
    with pytest.raises(NotWritable) as refused:
        ReliabilityPicture(tmp_path / "no" / "sure.png")
    assert str(refused.value) == f"There is no folder {tmp_path}/no: mkdir -p {tmp_path}/no"
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(MissingExtra) as missing:
        ReliabilityPicture(tmp_path / "sure.png")
    assert str(missing.value) == (
        'A picture needs matplotlib: pip install "kgpath[plot]", or leave out --picture'
    )
