"""Many pairs: in order, whatever the threads; resumed without a seam."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgpath.errors import BadOption, BadSource, NotWritable
from kgpath.paths.batch import many, read_pairs, write_many
from kgpath.paths.finder import PathOptions

PAIRS = [
    ("Roger Moore", "Daniel Craig"),
    ("Nobody At All", "Daniel Craig"),
    ("Emma Stone", "Andrew Garfield"),
    ("Adele", "Adele"),
    ("The Beatles", "Queen"),
] * 4


def test_order_is_kept_and_a_bad_pair_costs_only_itself(sample) -> None:
    options = PathOptions(limit=3)
    one = list(many(sample, PAIRS, options, workers=1))
    assert one == list(many(sample, PAIRS, options, workers=4))
    assert one[0]["head"].endswith("Roger_Moore") and len(one[0]["paths"]) == 3
    assert "No entity 'Nobody At All'" in one[1]["error"]
    assert "Both ends" in one[3]["error"]


def test_an_interrupted_run_goes_on_without_a_seam(sample, tmp_path: Path) -> None:
    options = PathOptions(limit=3)
    write_many(sample, PAIRS, options, tmp_path / "whole.jsonl")

    def stop_at_seven(step: str, done: int, total: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    output = tmp_path / "out.jsonl"
    with pytest.raises(KeyboardInterrupt):
        write_many(sample, PAIRS, options, output, progress=stop_at_seven)
    assert not output.exists()
    part = tmp_path / "out.jsonl.part"
    part.write_bytes(part.read_bytes() + b'{"head": "http://dbp')  # killed within a line
    with pytest.raises(BadOption, match="another run"):
        write_many(sample, PAIRS, PathOptions(limit=4), output)
    assert write_many(sample, PAIRS, options, output) == 7
    assert output.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "whole.jsonl"]


def test_pairs_are_read_from_tabs_or_json_and_bad_lines_are_named() -> None:
    lines = ["a b\tc\n", "\n", json.dumps({"head": "x", "tail": "y", "more": 1})]
    assert read_pairs(lines, "p.tsv") == [("a b", "c"), ("x", "y")]
    for bad, word in (
        (["a\tb", "only one"], "p.tsv:2"),
        (['{"head": "x"}'], "p.tsv:1"),
        (["{broken"], "p.tsv:1"),
        ([], "holds no pair"),
    ):
        with pytest.raises(BadSource, match=word):
            read_pairs(bad, "p.tsv")


def test_a_second_run_into_one_file_is_refused(sample, tmp_path: Path) -> None:
    def again(step: str, done: int, total: int) -> None:
        with pytest.raises(NotWritable, match="being written by another kgpath"):
            write_many(sample, PAIRS, PathOptions(max_hops=2), tmp_path / "out.jsonl")

    write_many(sample, PAIRS, PathOptions(max_hops=2), tmp_path / "out.jsonl", 1, again)
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_file_of_the_user_beside_the_output_is_not_lost(sample, tmp_path: Path) -> None:
    mine = tmp_path / "out.jsonl.part.json"
    for text in ('{"graph": "mine"}', "not JSON at all", "[1]", ""):
        mine.write_text(text)
        with pytest.raises(NotWritable) as refused:
            write_many(sample, PAIRS[:1], PathOptions(limit=3), tmp_path / "out.jsonl")
        assert str(refused.value) == (
            f"{mine} is there already and is not from a run of kgpath paths. Move it, or choose "
            "another -o."
        )
        assert mine.read_text() == text
        assert [path.name for path in tmp_path.iterdir()] == [mine.name]


def test_a_link_in_the_place_of_the_part_is_not_followed(sample, tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious\n")
    (tmp_path / "out.jsonl.part").symlink_to("precious")
    with pytest.raises(NotWritable, match="is a symbolic link where a lock belongs"):
        write_many(sample, PAIRS[:1], PathOptions(limit=3), tmp_path / "out.jsonl")
    assert (tmp_path / "precious").read_text() == "precious\n"


def test_a_run_that_fails_before_its_first_line_leaves_nothing(
    sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kgpath.paths.batch.many", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_many(sample, PAIRS[:1], PathOptions(), tmp_path / "out.jsonl")
    assert list(tmp_path.iterdir()) == []
