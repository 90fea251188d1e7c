"""No input makes kgpath crash, hang, eat the memory, do harm or answer wrongly; a minute of it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import corpus
from fuzz.target import Target
from fuzz.targets import GROUPS, TARGETS

from kgpath.dialogue.formats import opendialkg
from kgpath.dialogue.loading import FORMATS
from kgpath.plugins import ARTICLE_FORMATS, DATASETS, RANKERS, SOURCES, SPARQL_PRESETS
from kgpath.rankers.ranker import TrainableRanker

RUN = Path(__file__).with_name("run.py")
#: Groups that share a process, and how many inputs they get: starting one takes seconds.
BATCHES = {
    "sources articles": 26,
    "questions dialogues annotation endpoint": 36,
    "graphs": 14,
    "models": 14,
}


def test_every_group_is_in_a_batch() -> None:
    assert sorted(" ".join(BATCHES).split()) == sorted(GROUPS)


@pytest.mark.slow
@pytest.mark.parametrize("batch", BATCHES)
def test_past_failures_and_new_inputs_find_nothing(batch: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable, RUN, "--target", *batch.split(), "--inputs", str(BATCHES[batch]),
            "--seed", "0", "--jobs", "1", "--corpus", "one", "--seeds", "one",
            "--findings", tmp_path / "findings",
        ],
        capture_output=True,
        text=True,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_the_names_of_targets_tell_them_apart() -> None:
    names = [corpus.folder_of(target).name for target in TARGETS]
    assert len(set(names)) == len(names)


def test_every_reader_in_a_registry_has_a_target() -> None:
    covered = {entry for target in TARGETS for entry in target.covers}
    dialogues = {f"dialogues:{one.NAME}" for one in (*FORMATS, opendialkg)}
    registered = {
        f"{registry.kind}:{entry.name}"
        for registry in (SOURCES, ARTICLE_FORMATS, DATASETS, SPARQL_PRESETS)
        for entry in registry
    }
    assert covered - trained() == registered | dialogues


def test_every_ranker_that_learns_has_a_target() -> None:
    covered = {entry for target in TARGETS for entry in target.covers}
    assert trained() <= covered


def trained() -> set[str]:
    return {
        f"rankers:{entry.name}"
        for entry in RANKERS
        if issubclass(RANKERS.load(entry.name), TrainableRanker)
    }


def test_every_past_failure_belongs_to_a_target() -> None:
    assert corpus.unknown_folders() == set()
    names = {target.name for target in TARGETS}
    assert (corpus.BIG.keys() | corpus.ALTERED.keys()) - names == set()


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_the_memory_of_a_reader_is_bounded(target: Target) -> None:
    # Those that load trees, networks or compiled walks have more.
    assert target.ceiling <= (2048 if target.group == "models" else 1024)
