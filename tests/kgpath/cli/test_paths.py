"""kgpath paths, as a person and as a program use it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest


@pytest.fixture
def graph(sample_path: Path) -> Path:
    return sample_path


def test_people_read_lines_and_the_rest_is_on_stderr(cli, graph: Path) -> None:
    done = cli("paths", graph, "Roger Moore", "Daniel Craig", "--limit", "3")
    assert done.code == 0
    assert done.out.splitlines() == [
        "Roger Moore ←portrayer– James Bond –portrayer→ Daniel Craig",
        "Roger Moore –subject→ English male film actors ←subject– Daniel Craig",
        "Roger Moore –nationality→ United Kingdom ←nationality– Daniel Craig",
    ]
    assert done.err == "3 of 836 paths of at most 4 hops; --limit shows more\n"


def test_programs_read_json(cli, graph: Path) -> None:
    done = cli("paths", graph, "Roger Moore", "Daniel Craig", "--max-hops", "2", "--json")
    data = json.loads(done.out)
    assert (data["count"], data["count_exact"], data["truncated"]) == (4, True, False)
    bond = data["paths"][0]
    assert bond["length"] == 2
    assert [relation["forward"] for relation in bond["relations"]] == [False, True]
    assert bond["nodes"][1] == "http://dbpedia.org/resource/James_Bond_(literary_character)"


def test_paths_over_the_same_entities_are_one_line_everywhere(cli, graph: Path) -> None:
    said = "Bradley Cooper ←film director, writer, producer, starring– A Star Is Born –starring→"
    common = ("paths", graph, "Bradley Cooper", "Lady Gaga", "--limit", "2")
    lines = cli(*common)
    assert len(lines.out.splitlines()) == 2 and said in lines.out
    assert lines.err == "2 of 472 paths of at most 4 hops; --limit shows more\n"
    assert said in cli(*common, "--table").out
    assert cli(*common, "--dot").out.count("->") == 9
    data = json.loads(cli(*common, "--json").out)
    (record,) = map(
        json.loads,
        cli(
            *common[:2], "--pairs", "-", "--limit", "2", stdin="Bradley Cooper\tLady Gaga\n"
        ).out.splitlines(),
    )
    assert record == data
    assert (len(data["paths"]), data["count"]) == (2, 472)
    assert len(data["paths"][1]["relations"][0]["also"]) == 3


def test_table_and_dot(cli, graph: Path) -> None:
    common = ("paths", graph, "Roger Moore", "Daniel Craig", "--max-hops", "2")
    table = cli(*common, "--table", "--strategy", "top").out.splitlines()
    assert table[0].split() == ["hops", "cost", "path"]
    assert "James Bond" in table[1]
    assert cli(*common, "--dot").out.startswith("digraph paths {")
    assert cli(*common, "--dot", "--table").code == 2


def test_no_path_is_no_error(cli, graph: Path) -> None:
    done = cli("paths", graph, "Roger Moore", "Daniel Craig", "--max-hops", "1")
    assert (done.code, done.out) == (0, "")
    assert "No path of at most 1 hop" in done.err and "--max-hops 6" in done.err
    data = json.loads(
        cli("paths", graph, "Roger Moore", "Daniel Craig", "--max-hops", "1", "--json").out
    )
    assert (data["paths"], data["count"], data["truncated"]) == ([], 0, False)


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("Roger Moore", "Roger Moore"), 1, "Both ends are Roger Moore"),
        (("Roger Moore", "Danil Crag"), 1, "Closest: Daniel Craig"),
        (("Casino Royale", "Daniel Craig"), 1, "names 3 entities"),
        (("Roger Moore", "Daniel Craig", "--max-hops", "0"), 2, "--max-hops"),
        (("Roger Moore", "Daniel Craig", "--max-hops", "7"), 2, "--max-hops"),
        (("Roger Moore", "Daniel Craig", "--max-hops", "two"), 2, "--max-hops"),
        (("Roger Moore", "Daniel Craig", "--limit", "-3"), 2, "--limit"),
        (("Roger Moore", "Daniel Craig", "--strategy", "longest"), 1, "Known: shortest"),
        (("Roger Moore",), 2, "HEAD and a TAIL"),
        (("--pairs", "nowhere.tsv"), 1, "no file nowhere.tsv"),
    ],
)
def test_bad_input_is_one_message(cli, graph: Path, arguments, code: int, word: str) -> None:
    done = cli("paths", graph, *arguments)
    assert done.code == code
    assert word in " ".join(done.err.split())
    assert "Traceback" not in done.err


def test_many_pairs_from_stdin_and_to_a_file(cli, graph: Path, tmp_path: Path) -> None:
    pairs = "Roger Moore\tDaniel Craig\nNobody\tAdele\n"
    streamed = cli("paths", graph, "--pairs", "-", "--limit", "2", stdin=pairs)
    assert streamed.code == 0
    written = cli("paths", graph, "--pairs", "-", "--limit", "2", "-o", "out.jsonl", stdin=pairs)
    assert written.code == 0
    assert (tmp_path / "out.jsonl").read_text() == streamed.out
    first, second = map(json.loads, streamed.out.splitlines())
    assert len(first["paths"]) == 2 and "No entity 'Nobody'" in second["error"]


def test_ctrl_c_in_a_long_batch_keeps_what_is_done(command, graph: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text("Roger Moore\tDaniel Craig\n" * 50_000)
    arguments = ["paths", graph, "--pairs", "pairs.tsv", "-o", "out.jsonl", "--limit", "5"]
    running = subprocess.Popen(
        [*command, *arguments], cwd=tmp_path, stderr=subprocess.PIPE, env=dict(os.environ)
    )
    part = tmp_path / "out.jsonl.part"
    end = time.monotonic() + 600
    while not part.exists() or not part.stat().st_size:
        assert running.poll() is None
        assert time.monotonic() < end, "waited ten minutes in vain"
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate()
    assert running.returncode == 130
    assert b"goes on where it stopped" in err and b"Traceback" not in err
    assert part.exists() and not (tmp_path / "out.jsonl").exists()
    json.loads(part.read_text().splitlines()[-1])
