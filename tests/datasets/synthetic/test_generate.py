"""Synthetic datasets: what is written is true of the graph, and the same for the same seed."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kgpath
from kgpath.datasets.synthetic import generate as synthetic
from kgpath.datasets.synthetic.generate import Generated, generate
from kgpath.datasets.synthetic.paths import PathSampler, count_paths, sub_paths, walk_graph_of
from kgpath.datasets.synthetic.recipe import Recipe, read_recipe, recipe_of
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.errors import BadOption, BadStore, NotWritable, UnknownName
from kgpath.io.queries import QueryFile
from kgpath.metrics.ped import unit_vectors
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import PATH_ENCODERS

Record = dict[str, Any]
Make = Callable[..., tuple[Generated, list[Record]]]


def recipe(**knobs: Any) -> Recipe:
    small = {"name": "test", "documents": 40, "pairs": 100, "candidate_hops": 4}
    return recipe_of({**small, **knobs})


def records(folder: Path, *splits: str) -> list[Record]:
    names = splits or ("train", "dev", "test")
    lines = (line for name in names for line in (folder / f"{name}.jsonl").open(encoding="utf-8"))
    return list(map(json.loads, lines))


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def make(sample: kgpath.Graph, tmp_path: Path) -> Make:
    """Generates from the sample."""

    def run(output: str = "out", graph: kgpath.Graph = sample, **knobs: Any) -> Any:
        made = generate(graph, recipe(**knobs), tmp_path / output)
        return made, records(tmp_path / output)

    return run


@pytest.fixture(scope="module")
def plain(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with every default; to be read only."""
    output = tmp_path_factory.mktemp("plain") / "out"
    with kgpath.open(sample_path) as kg:
        generate(kg, recipe(), output)
    return output


# What is in a record


def test_as_many_documents_and_pairs_as_asked_for(plain: Path) -> None:
    made = records(plain)
    assert len(made) == 100
    assert len({record["document"] for record in made}) == 40
    assert len({record["id"] for record in made}) == 100
    by_split = {
        name: {record["document"] for record in records(plain, name)}
        for name in ("train", "dev", "test")
    }
    assert {name: len(some) for name, some in by_split.items()} == {
        "train": 32,
        "dev": 4,
        "test": 4,
    }
    assert by_split["train"].isdisjoint(by_split["dev"] | by_split["test"])


def test_paths_are_in_the_graph_and_the_true_one_is_among_the_candidates(
    plain: Path, sample: kgpath.Graph
) -> None:
    facts = {(h, r, t) for h, t, r in sample.to_networkx().edges(keys=True)}
    for record in records(plain):
        assert record["path"] in record["candidates"]
        assert 1 <= len(record["candidates"]) <= 11
        assert len(set(map(tuple, record["candidates"]))) == len(record["candidates"])
        ordered = sorted(record["candidates"], key=lambda path: (len(path), path))
        assert ordered == record["candidates"]
        for path in record["candidates"]:
            assert (path[0], path[-1]) == (record["head"], record["tail"])
            assert len(set(path[::2])) == len(path[::2]) <= 7
            for one, relation, other in zip(path[::2], path[1::2], path[2::2], strict=False):
                fact = (other, relation[1:], one) if relation[0] == "^" else (one, relation, other)
                assert fact in facts


def test_links_stand_where_they_say_and_both_ends_are_named(
    plain: Path, sample: kgpath.Graph
) -> None:
    for record in records(plain):
        linked = set()
        last = 0
        for link in record["links"]:
            assert record["document"][link["start"] : link["end"]] == link["words"]
            names = [sample.entity(link["entity"]).label, *sample.aliases(link["entity"])]
            assert any(name.startswith(link["words"]) for name in names)
            assert link["start"] >= last
            last = link["end"]
            linked.add(link["entity"])
        assert {record["head"], record["tail"]} <= linked
        assert record["named"] is (set(record["path"][::2]) <= linked)


def test_the_first_pair_of_a_document_is_its_path_and_the_others_are_parts_of_it(
    plain: Path,
) -> None:
    whole: Record = {}
    paths = set()
    for record in records(plain):
        number = int(record["id"].rpartition("-")[2])
        assert record["document_hops"] >= len(record["path"]) // 2
        if number == 1:
            whole = record
            assert record["document_hops"] == len(record["path"]) // 2
            paths.add(tuple(record["path"]))
            paths.add(tuple(reversed(record["path"])))
        else:
            text = " ".join(record["path"])
            assert record["document"] == whole["document"]
            assert text in " ".join(whole["path"])
            assert len(record["path"]) < len(whole["path"])
    assert len(paths) == 80  # no path twice, not even from its other end


def test_every_sentence_has_a_source(plain: Path) -> None:
    asked = {"pair", "introduction", "rest", "end"}
    for record in records(plain):
        assert 1 <= len(record["sources"]) <= 20 + 2 * 3
        assert {source.partition(">")[0] for source in record["sources"]} <= asked
        told = {source.endswith("fact") for source in record["sources"]}
        kind = {frozenset({True}): "facts", frozenset({False}): "articles"}
        assert record["text_kind"] == kind.get(frozenset(told), "mixed")


def test_what_is_generated_reads_as_queries(plain: Path) -> None:
    file = QueryFile(plain / "train.jsonl")
    assert not file.problems
    assert not file.ignored
    assert all(query.paths[0] in query.candidates for query in file.queries)


def test_hugging_face_reads_it(plain: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="Hugging Face datasets is not installed")
    files = {"train": str(plain / "train.jsonl"), "test": str(plain / "test.jsonl")}
    loaded = datasets.load_dataset("json", data_files=files, cache_dir=str(tmp_path))
    assert loaded["train"].num_rows == len(records(plain, "train"))
    assert loaded["train"][0] == records(plain, "train")[0]


# The same, whoever makes it


def test_the_same_bytes_whatever_the_number_of_workers(
    plain: Path, sample: kgpath.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synthetic, "_CHUNK", 7)
    made = generate(sample, recipe(), tmp_path / "two", workers=2)
    assert made.resumed == 0
    assert content(tmp_path / "two") == content(plain)


def test_another_seed_gives_another_dataset(make: Make, plain: Path) -> None:
    _, other = make(seed=1)
    assert {r["document"] for r in other}.isdisjoint(r["document"] for r in records(plain))


def test_a_resolved_recipe_makes_the_same_again(
    plain: Path, sample: kgpath.Graph, tmp_path: Path
) -> None:
    generate(sample, read_recipe(plain / "recipe.toml"), tmp_path / "again")
    assert content(tmp_path / "again") == content(plain)


def test_it_goes_on_after_an_interruption_without_a_seam(
    plain: Path, sample: kgpath.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synthetic, "_CHUNK", 7)

    def stop_after(what: str, done: int, total: int) -> None:
        if what == "making documents" and done >= 20:
            raise KeyboardInterrupt

    output = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        generate(sample, recipe(), output, progress=stop_after)
    assert not output.exists()
    # A part that lost its end, and one without a note, are not done.
    torn = tmp_path / "out.part" / "00-00000.train.jsonl"
    torn.write_bytes(torn.read_bytes()[:-10])
    (tmp_path / "out.part" / "00-00001.json").unlink()
    made = generate(sample, recipe(), output)
    assert made.resumed == 7
    assert content(output) == content(plain)
    assert not (tmp_path / "out.part").exists()


# Kills itself when the first chunk is done, and leaves a list of its workers.
KILL = """
import os, signal
from pathlib import Path
from kgpath.datasets.synthetic import generate
make_chunks = generate.make_chunks
def then_stop(*given):
    for chunk in make_chunks(*given):
        workers = Path(f"/proc/self/task/{os.getpid()}/children")
        Path("workers").write_text(workers.read_text() if workers.exists() else "")
        os.kill(os.getpid(), signal.SIGKILL)
        yield chunk
generate.make_chunks = then_stop
"""


@pytest.mark.slow
def test_killed_in_the_middle(
    sample_path: Path,
    tmp_path: Path,
    command_after: Callable[[str], list[str]],
    cli: Callable[..., Any],
) -> None:
    (tmp_path / "r.toml").write_text('documents = 2400\npairs = 2400\ncandidates = "none"\n')
    args = ["generate", "r.toml", "--graph", str(sample_path), "-o", "out", "--workers", "2"]
    killed = subprocess.run([*command_after(KILL), *args], cwd=tmp_path)
    assert killed.returncode == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    for child in (tmp_path / "workers").read_text().split():  # they end with their parent
        deadline = time.monotonic() + 600
        while Path(f"/proc/{child}").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not Path(f"/proc/{child}").exists()
    done = cli(*args)
    assert done.code == 0, done.err
    assert "documents were there from an earlier run" in done.err
    assert not (tmp_path / "out.part").exists()
    assert len(records(tmp_path / "out")) == 2400


def test_parts_of_another_request_are_not_mixed_in(sample: kgpath.Graph, tmp_path: Path) -> None:
    def stop(what: str, done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(sample, recipe(), tmp_path / "out", progress=stop)
    with pytest.raises(BadOption, match=r"parts of another recipe.*rm -r"):
        generate(sample, recipe(seed=1), tmp_path / "out")


def test_a_folder_of_the_user_is_not_taken_for_parts(sample: kgpath.Graph, tmp_path: Path) -> None:
    mine = tmp_path / "out.part" / "thesis.txt"
    mine.parent.mkdir()
    mine.write_text("years of work")
    with pytest.raises(NotWritable, match=r"out\.part is there already and holds no parts"):
        generate(sample, recipe(), tmp_path / "out")
    assert mine.read_text() == "years of work"
    assert [path.name for path in mine.parent.iterdir()] == ["thesis.txt"]


def test_nothing_of_the_user_goes_with_the_parts(sample: kgpath.Graph, tmp_path: Path) -> None:
    def stop(step: str, done: int, total: int) -> None:
        if step == "writing splits":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate(sample, recipe(), tmp_path / "out", progress=stop)
    mine = tmp_path / "out.part" / "thesis.txt"
    mine.write_text("years of work")
    with pytest.raises(NotWritable, match=r"out\.part is there already and holds no parts"):
        generate(sample, recipe(), tmp_path / "out")
    assert mine.read_text() == "years of work"
    mine.unlink()
    assert generate(sample, recipe(), tmp_path / "out").resumed
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_not_taken_for_parts(sample: kgpath.Graph, tmp_path: Path, there: bool) -> None:
    if there:
        (tmp_path / "mine").mkdir()
    (tmp_path / "out.part").symlink_to("mine")
    with pytest.raises(NotWritable, match=r"out\.part is there already and holds no parts"):
        generate(sample, recipe(), tmp_path / "out")
    assert (tmp_path / "out.part").is_symlink()
    assert (tmp_path / "mine").exists() is there


def test_the_output_must_be_new(make: Make, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    make()  # an empty folder will do
    with pytest.raises(NotWritable, match="not empty"):
        make()
    (tmp_path / "file").write_text("")
    with pytest.raises(NotWritable, match="is a file"):
        make("file")


# Knobs


def test_a_walk_that_comes_back_still_gives_pairs_with_two_ends(make: Make) -> None:
    _, made = make(repeat=True)
    assert all(record["head"] != record["tail"] for record in made)
    assert any(len(set(record["path"][::2])) < len(record["path"][::2]) for record in made)


def test_hops_types_and_relations_can_be_bounded(make: Make, sample: kgpath.Graph) -> None:
    _, made = make(
        documents=10, pairs=10, min_hops=2, max_hops=3, keep=["starring", "director"],
        types=["Film", "Person"], candidate_hops=4,
    )  # fmt: skip
    for record in made:
        assert 5 <= len(record["path"]) <= 7
        for path in record["candidates"]:
            relations = {relation.rpartition("/")[2] for relation in path[1::2]}
            assert relations <= {"starring", "director"}
            assert len(path) <= 9


def test_a_hub_cap_keeps_hubs_out(make: Make, sample: kgpath.Graph) -> None:
    _, made = make(hub_cap=12)
    entities = {iri for record in made for iri in record["path"][::2]}
    assert max(sample.entity(iri).degree for iri in entities) <= 12


def test_starts_can_be_weighted_by_degree(sample: kgpath.Graph) -> None:
    def mean_degree(start: str) -> float:
        paths = PathSampler(sample, recipe(start=start, documents=500, pairs=500)).take(500)
        return sum(sample.entity(vertices[0]).degree for vertices, _ in paths) / 500

    assert mean_degree("degree") > 1.5 * mean_degree("uniform")


def test_any_part_or_the_long_ones(make: Make) -> None:
    _, some = make("any", sub_paths="any", documents=20, pairs=60, min_hops=4)
    _, long = make("long", documents=20, pairs=60, min_hops=4)
    assert sum(len(r["path"]) for r in some) < sum(len(r["path"]) for r in long)


@pytest.mark.parametrize("strategy", ["shortest", "sample", "top", "all"])
def test_candidates_by_other_strategies(make: Make, strategy: str) -> None:
    _, made = make(documents=5, pairs=8, candidates=strategy, candidate_limit=4, candidate_hops=3)
    for record in made:
        assert record["path"] in record["candidates"]
        assert len(record["candidates"]) <= 5


def test_without_candidates(make: Make) -> None:
    made, some = make(documents=5, pairs=8, candidates="none")
    assert all(record["candidates"] == [] and record["distance"] is None for record in some)
    assert "candidates" not in made.figures["all"]


def test_hard_negatives_are_more_like_the_true_path(make: Make) -> None:
    def distance_to_true(made: list[Record]) -> float:
        from kgpath.datasets.synthetic.candidates import apart

        values = [
            apart(path, record["path"])
            for record in made
            for path in record["candidates"]
            if path != record["path"]
        ]
        return sum(values) / len(values)

    _, easy = make("easy", documents=15, pairs=30)
    _, hard = make("hard", documents=15, pairs=30, hard_negatives=10)
    assert distance_to_true(hard) < 0.8 * distance_to_true(easy)
    assert all(len(record["candidates"]) <= 11 for record in hard)


def test_pairs_with_few_candidates_are_replaced(
    build_graph: Callable[..., kgpath.Graph], make: Make
) -> None:
    # Only pairs within the triangle have two paths; the tail has one to everything.
    graph = build_graph("ex:a ex:r ex:b, ex:c . ex:b ex:r ex:c . ex:c ex:s ex:d . ex:d ex:s ex:e .")
    made, some = make(graph=graph, documents=4, pairs=4, min_candidates=2)
    assert all(len(record["candidates"]) >= 2 for record in some)
    assert made.counted["pairs left out: too few candidates"] > 0
    assert len(some) == 4
    with pytest.raises(BadOption, match="No pair of the recipe can be asked about"):
        make("none", graph=graph, documents=4, pairs=4, min_candidates=8)


def test_fewer_pairs_than_asked_for_are_said(
    build_graph: Callable[..., kgpath.Graph], make: Make
) -> None:
    graph = build_graph("ex:a ex:r ex:b, ex:c . ex:b ex:r ex:c . ex:c ex:s ex:d .")
    every = 11
    made, some = make(graph=graph, documents=every, pairs=every, min_candidates=2)
    assert 0 < len(some) < every
    assert any(
        note.startswith(f"{len(some)} pairs of the {every} asked for") for note in made.notes
    )
    readme = (made.path / "README.md").read_text()
    assert made.notes[0] in readme


# Strata


def test_strata_hold_what_they_promise(make: Make, tmp_path: Path) -> None:
    _, some = make(
        strata={
            "long": {"min_hops": 5, "queries": 10},
            "short": {"max_hops": 2, "queries": 8},
            "alike": {"below": 0.3, "queries": 12},
            "apart": {"above": 0.5, "queries": 12},
            "unnamed": {"named": False, "queries": 500},
        }
    )
    strata = {
        path.stem: list(map(json.loads, path.open(encoding="utf-8")))
        for path in (tmp_path / "out" / "strata").iterdir()
    }
    assert len(strata["long"]) == 10
    assert all(len(record["path"]) >= 11 for record in strata["long"])
    assert all(len(record["path"]) <= 5 for record in strata["short"])
    assert not any(record["named"] for record in strata["unnamed"])
    distances = sorted(r["distance"] for r in some if r["distance"] is not None)
    assert sorted(r["distance"] for r in strata["alike"]) == distances[:12]
    assert sorted(r["distance"] for r in strata["apart"]) == distances[-12:]
    about = json.loads((tmp_path / "out" / "about.json").read_text())["strata"]
    assert "lie below 0.3; taken up to" in about["alike"]["note"]
    ids = [record["id"] for record in some]
    for stratum in strata.values():
        assert all(record in some for record in stratum)
        assert [r["id"] for r in stratum] == sorted((r["id"] for r in stratum), key=ids.index)


def test_strata_by_a_path_encoder(sample_path: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(sample_path.parent, tmp_path / "graph")
    asked = {"strata": {"alike": {"below": 0.3, "queries": 5}}, "distance_by": "path-mean"}
    with kgpath.open(tmp_path / "graph" / "film.kg") as kg:
        with pytest.raises(BadStore, match="kgpath embed"):
            generate(kg, recipe(**asked), tmp_path / "out")
        with pytest.raises(UnknownName, match="No 'path-mena' among the path_encoders"):
            generate(kg, recipe(distance_by="path-mena"), tmp_path / "out")
        rng = np.random.default_rng(0)
        sizes = len(kg), len(kg.store.relations)
        vectors = (rng.normal(size=(n, 8)).astype(np.float32) for n in sizes)
        Embedding(*vectors).save(folder_of(kg), kg.fingerprint)
        generate(kg, recipe(**asked), tmp_path / "out")
        encoder = PATH_ENCODERS.make("path-mean")
        distances = {}
        for record in records(tmp_path / "out"):
            found = PathArrays.from_iris(kg, record["candidates"])
            rows = unit_vectors(encoder.of_paths(kg), list(found))
            pairs = [(1 - a @ b) / 2 for a, b in combinations(rows, 2)]
            if pairs:
                distances[record["id"]] = sum(pairs) / len(pairs)
    alike = [json.loads(line)["id"] for line in (tmp_path / "out/strata/alike.jsonl").open()]
    within = {name for name, distance in distances.items() if distance < 0.3}
    if len(within) >= 5:
        assert set(alike) <= within
    else:
        assert set(alike) == set(sorted(distances, key=distances.__getitem__)[:5])


# As many paths as there are


def test_more_documents_than_paths_are_refused_with_their_number(
    build_graph: Callable[..., kgpath.Graph], make: Make
) -> None:
    # a–b twice, b–c: a–b (2), b–c (1), a–b–c (2).
    graph = build_graph("ex:a ex:r ex:b ; ex:s ex:b . ex:b ex:r ex:c .")
    with pytest.raises(BadOption, match=r"asks for 6 documents.*graph has 5 different paths of 1"):
        make(graph=graph, documents=6, pairs=6)
    _, some = make(graph=graph, documents=5, pairs=5)
    assert len({tuple(record["path"]) for record in some}) == 5
    with pytest.raises(BadOption, match=r"2 different paths of 2 to 6 hops"):
        make("two", graph=graph, documents=6, pairs=6, min_hops=2)


def test_more_pairs_than_parts_are_refused(
    build_graph: Callable[..., kgpath.Graph], make: Make
) -> None:
    graph = build_graph("ex:a ex:r ex:b . ex:b ex:r ex:c .")
    with pytest.raises(BadOption, match=r"asks for 6 pairs, but its 3 documents have only 5"):
        make(graph=graph, documents=3, pairs=6)


def test_walks_with_repetition_are_counted_too(
    build_graph: Callable[..., kgpath.Graph],
) -> None:
    graph = build_graph("ex:a ex:r ex:b .")
    # a–b, a–b–a, b–a–b, a–b–a–b: those of odd length read backwards are each other's reverse.
    asked = recipe(repeat=True, max_hops=3)
    assert count_paths(walk_graph_of(graph, asked), asked, 99) == 4
    seen = PathSampler(graph, recipe(repeat=True, max_hops=3, documents=4, pairs=4)).take(4)
    assert len(seen) == 4


def test_nothing_to_walk_on(build_graph: Callable[..., kgpath.Graph], make: Make) -> None:
    graph = build_graph("ex:a ex:r ex:b . ex:b ex:s ex:c ; a ex:Kind .")
    with pytest.raises(BadOption, match="nothing is left of the graph"):
        make(graph=graph, documents=1, pairs=1, types=["Kind"])


def test_pairs_of_a_path() -> None:
    assert sub_paths((4, 5, 6)) == [(0, 2), (0, 1), (1, 2)]
    assert sub_paths((4, 5, 4)) == [(0, 1)]  # the whole leads back; 5–4 is 4–5
    assert Counter(map(len, map(sub_paths, [(1, 2), (1, 2, 3, 4)]))) == {1: 1, 6: 1}
