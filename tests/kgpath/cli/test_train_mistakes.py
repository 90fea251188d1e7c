"""What can go wrong with training, and with what was trained: one message, nothing half-written."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries
from kgpath.encoders.vectors.embedding import Embedding, folder_of

LINES = sample_queries().read_text(encoding="utf-8").splitlines()
QUICK = {
    "kgpath-ltr": "kgpath-ltr(trees=5, hop_trees=5)",
    "xendcg": "xendcg(trees=5)",
    "binary": "binary(epochs=1)",
    "listwise": "listwise(epochs=1)",
}
LIMIT = ("--limit", "30")
# A graph of names and facts, without texts, types or labels, and queries over it.
PLAIN = """\
Ann knows Bob
Bob likes Cleo
Ann meets Cleo
Cleo knows Dan
Dan likes Eve
Bob knows Eve
Ann knows Eve
Eve meets Finn
Finn knows Ann
Finn likes Bob
Dan meets Finn
""".replace(" ", "\t")
PLAIN_QUESTIONS = [
    ("Ann knows Bob, and Bob likes Cleo.", "Ann knows Bob likes Cleo"),
    ("Cleo knows Dan, who likes Eve.", "Cleo knows Dan likes Eve"),
]


def embed(path: Path) -> Path:
    """Vectors beside a graph, by chance; where they lie."""
    rng = np.random.default_rng(0)
    with kgpath.open(path) as kg:
        sizes = len(kg), len(kg.store.relations)
        rows = (rng.normal(size=(size, 6)).astype(np.float32) for size in sizes)
        Embedding(*rows).save(folder_of(kg), kg.fingerprint)
        assert kg.index  # made now, so that it is not made later
        return folder_of(kg)


@pytest.fixture
def graph(sample_path: Path, tmp_path: Path) -> Path:
    """The sample in the test's own folder, with vectors."""
    path = Path(shutil.copy(sample_path, tmp_path))
    embed(path)
    return path


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    (tmp_path / "plain.tsv").write_text(PLAIN)
    kgpath.build([tmp_path / "plain.tsv"], tmp_path / "plain.kg")
    embed(tmp_path / "plain.kg")
    lines = []
    for text, path in PLAIN_QUESTIONS:
        names = [f"urn:kg:{name}" for name in path.split()]
        question = {"document": text, "head": names[0], "tail": names[-1], "path": names}
        lines.append(json.dumps(question))
    (tmp_path / "plain.jsonl").write_text("\n".join(lines))
    return tmp_path / "plain.kg"


@pytest.fixture(autouse=True)
def in_its_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def queries(folder: Path, *lines: str) -> str:
    (folder / "q.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "q.jsonl"


@pytest.mark.parametrize("name", QUICK)
def test_queries_without_a_usable_path(run, graph: Path, tmp_path: Path, name: str) -> None:
    record = json.loads(LINES[0])
    nowhere = [record["path"][0], "http://example.org/nothing", record["path"][-1]]
    unknown = json.dumps({**record, "path": nowhere})
    done = run("train", graph, queries(tmp_path, unknown), "-o", "m", "--ranker", QUICK[name])
    assert done.code == 1
    assert "No query to learn from" in done.err
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("name", QUICK)
def test_one_question_only(run, graph: Path, tmp_path: Path, name: str) -> None:
    file = queries(tmp_path, LINES[0])
    done = run("train", graph, file, "-o", "m", "--ranker", QUICK[name], *LIMIT)
    if name == "kgpath-ltr":  # it learns what holds for another text
        assert done.code == 1 and "needs at least two" in done.err
        assert not (tmp_path / "m").exists()
    else:
        assert done.code == 0 and "from 1 of 1 queries" in done.out
        again = run("evaluate", graph, file, "--model", "m", "--metric", "MRR", *LIMIT)
        assert again.code == 0
    done = run("evaluate", graph, file, "--ranker", QUICK[name])
    assert done.code == 1 and "at least two documents" in done.err


@pytest.mark.parametrize("encoder", ["avg-word", "avg-wiki2vec"])
def test_a_graph_without_texts_is_too_little_for_words(
    run, plain: Path, tmp_path: Path, encoder: str
) -> None:
    asked = ("train", plain, "plain.jsonl", "-o", "m", "--ranker", "xendcg(trees=2)")
    done = run(*asked, "--context-encoder", encoder)
    assert done.code == 1
    assert "holds no texts" in done.err and "--vectors, or use tfidf or avg-transe" in done.err
    assert not (tmp_path / "m").exists()
    if encoder == "avg-word":
        (tmp_path / "v.txt").write_text("knows 1 0\nlikes 0 1\n")
        done = run(*asked, "--context-encoder", encoder, "--vectors", "v.txt")
        assert done.code == 0
        (tmp_path / "v.txt").write_text("knows 1 0\nlikes 0 2\n")
        done = run("evaluate", plain, "plain.jsonl", "--model", "m", "--vectors", "v.txt")
        assert done.code == 1 and "trained with other word vectors" in done.err
        (tmp_path / "v.txt").unlink()
        done = run("evaluate", plain, "plain.jsonl", "--model", "m", "--vectors", "v.txt")
        assert done.code == 1 and "There is no file v.txt of word vectors" in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "choice",
    [
        *(f"xendcg(trees=2, context_encoder={name})" for name in
          ("tfidf", "avg-transe", "fused-none", "fused-in", "fused-inout", "minilm")),
        "xendcg(trees=2, path_encoder=path-vae(hidden=8, latent=4, epochs=1, paths=50))",
        "binary(epochs=1, path_encoder=path-text)",
        "kgpath-ltr(trees=2, hop_trees=2)",
    ],
)  # fmt: skip
def test_a_graph_without_texts_and_types_is_enough_for_others(run, plain: Path, choice) -> None:
    done = run("train", plain, "plain.jsonl", "-o", "m", "--ranker", choice)
    assert done.code == 0, done.err
    done = run("evaluate", plain, "plain.jsonl", "--model", "m", "--ranker", "tfidf-cosine")
    assert done.code == 0, done.err


@pytest.mark.parametrize("damage", ["missing", "altered"])
@pytest.mark.parametrize("name", ["xendcg", "binary"])
def test_a_damaged_model_is_reported(
    run, graph: Path, tmp_path: Path, name: str, damage: str
) -> None:
    file = queries(tmp_path, *LINES[:3])
    assert run("train", graph, file, "-o", "m", "--ranker", QUICK[name], *LIMIT).code == 0
    parts = sorted(p for p in (tmp_path / "m").rglob("*") if p.is_file())
    assert len(parts) == 4  # model.json, what ranks, words and their weights
    for part in parts:
        before = part.read_bytes()
        if damage == "missing":
            part.unlink()
        else:
            part.write_bytes(before[:-9] + b"?")
        for asked in (
            ("evaluate", graph, file, "--model", "m"),
            ("query", graph, "Roger Moore", "Daniel Craig", "--text", "Bond", "--model", "m"),
        ):
            done = run(*asked)
            assert done.code == 1 and ("Train it again" in done.err or "Make one" in done.err)
        part.write_bytes(before)
    assert run("evaluate", graph, file, "--model", "m").code == 0


@pytest.mark.parametrize("name", ["entities", "relations"])
@pytest.mark.parametrize("damage", ["nan", "cut", "missing"])
def test_damaged_vectors_beside_the_graph_are_reported(
    run, graph: Path, tmp_path: Path, name: str, damage: str
) -> None:
    path = folder_of_file(graph) / f"{name}.npy"
    if damage == "nan":
        rows = np.load(path)
        rows[1, 1] = np.nan
        np.save(path, rows)
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-5])
    else:
        path.unlink()
    file = queries(tmp_path, *LINES[:3])
    done = run("train", graph, file, "-o", "m", "--ranker", QUICK["xendcg"])
    assert done.code == 1
    assert str(path.name) in done.err and "kgpath embed GRAPH" in done.err
    assert not (tmp_path / "m").exists()


def folder_of_file(graph: Path) -> Path:
    return graph.with_name(graph.name + ".transe")


def test_an_encoder_that_gives_no_numbers_is_reported(
    run, graph: Path, tmp_path: Path, monkeypatch
):
    from kgpath.encoders.path.mean import PathMean

    file = queries(tmp_path, *LINES[:3])
    assert run("train", graph, file, "-o", "m", "--ranker", QUICK["xendcg"], *LIMIT).code == 0
    monkeypatch.setattr(PathMean, "encode", lambda self, found: np.full((len(found), 3), np.nan))
    for asked in (
        ("train", graph, file, "-o", "n", "--ranker", QUICK["binary"], *LIMIT),
        ("evaluate", graph, file, "--model", "m", *LIMIT),
    ):
        done = run(*asked)
        assert done.code == 1 and "path_encoder=path-mean gives numbers that are not" in done.err
    assert not (tmp_path / "n").exists()


def interrupted(command: list[str], folder: Path, *args: str | Path) -> tuple[int, str]:
    """Exit code and stderr of a command that is stopped once it has begun its work."""
    process = subprocess.Popen(
        [*command, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
    )
    assert process.stderr is not None
    first = process.stderr.readline()  # it works: it says how far it is
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=600)  # after that it hangs
    return process.returncode, (first + err).decode()


@pytest.mark.slow
def test_an_interrupted_training_leaves_nothing_and_says_what_to_do(
    talking_command: list[str], graph: Path, tmp_path: Path
) -> None:
    repeated = [
        json.dumps({**json.loads(line), "id": f"{number}-{at}"})
        for at in range(40)
        for number, line in enumerate(LINES)
    ]
    file = queries(tmp_path, *repeated)
    before = sorted(path.name for path in tmp_path.iterdir())
    code, err = interrupted(talking_command, tmp_path, "train", graph, file, "-o", "m")
    assert code == 130
    assert "Interrupted. m was not written. The same command begins again" in err
    assert "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    code, err = interrupted(
        talking_command,
        tmp_path,
        "evaluate",
        graph,
        file,
        "--ranker",
        "zero-shot",
        "-o",
        "rows.jsonl",
    )
    assert code == 130 and "Interrupted. Nothing was measured to the end" in err
    assert "Traceback" not in err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.slow
def test_an_older_model_survives_an_interrupted_training(
    run, talking_command: list[str], graph: Path, tmp_path: Path
) -> None:
    file = queries(tmp_path, *LINES[:4])
    done = run("train", graph, file, "-o", "m", "--ranker", QUICK["kgpath-ltr"], *LIMIT)
    assert done.code == 0
    before = {path: path.read_bytes() for path in (tmp_path / "m").iterdir()}
    long = queries(tmp_path, *LINES * 40)
    code, _ = interrupted(talking_command, tmp_path, "train", graph, long, "-o", "m")
    assert code == 130
    assert {path: path.read_bytes() for path in (tmp_path / "m").iterdir()} == before
