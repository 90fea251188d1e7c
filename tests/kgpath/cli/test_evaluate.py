"""kgpath evaluate, as a person and as a program use it."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kgpath.datasets.sample_files import FOLDER

LINES = (FOLDER / "documents.jsonl").read_text(encoding="utf-8").splitlines()
QUICK = ("--limit", "40")


@pytest.fixture
def graph(sample_path: Path) -> Path:
    return sample_path


@pytest.fixture
def queries(tmp_path: Path) -> Callable[..., str]:
    """Writes lines, by default three of the sample, to a file in the test's folder."""

    def write(*lines: str) -> str:
        (tmp_path / "q.jsonl").write_text("\n".join(lines or LINES[:3]), encoding="utf-8")
        return "q.jsonl"

    return write


def changed(line: str, **fields: object) -> str:
    return json.dumps({**json.loads(line), **fields})


@pytest.mark.slow
def test_people_read_tables(cli, graph: Path) -> None:
    done = cli("evaluate", graph, FOLDER / "documents.jsonl")
    assert done.code == 0
    figures, sure = (part.splitlines() for part in done.out.split("\n\n"))
    assert figures[0].split()[:5] == ["ranker", "MRR", "Hits@1", "Hits@3", "Hits@5"]
    assert figures[0].endswith("entities MRR  entities Hits@1")
    rows = {line.split()[0]: [float(cell) for cell in line.split()[1:]] for line in figures[1:]}
    assert list(rows) == ["random", "shortest", "tfidf-cosine", "zero-shot"]
    assert all(len(row) == 9 and 0 <= min(row) <= max(row) <= 1 for row in rows.values())
    assert rows["zero-shot"][0] == max(row[0] for row in rows.values()) > 0.8
    assert rows["random"][0] == 0.0209  # chance among 300: 1/300 · (1 + 1/2 + … + 1/300)
    assert "95 %" in sure[0] and "difference to the best" in sure[0]
    assert sure[-1].split()[0] == "zero-shot" and sure[-1].endswith("best")
    assert " p 0.000" in sure[1]
    assert "Queries: 18 over 14 documents, with 300.0 candidates on average" in done.err
    assert "left out" not in done.err and "missed" not in done.err


def test_programs_read_json(cli, graph: Path, queries) -> None:
    data = json.loads(cli("evaluate", graph, queries(), *QUICK, "--ranker", "random", "--json").out)
    assert set(data) == {
        "asked", "queries", "untold", "documents", "candidates", "single", "rankers", "problems",
        "notes",
    }  # fmt: skip
    assert (data["queries"], data["documents"], data["single"]) == (3, 3, 0)
    (row,) = data["rankers"]
    assert set(row) == {
        "ranker", "all", "with_choice", "entities", "interval", "verdicts", "support",
        "difference",
    }  # fmt: skip
    chance = sum(1 / n for n in range(1, 41)) / 40
    assert row["all"]["MRR"] == pytest.approx(chance)
    assert row["interval"]["MRR"] == pytest.approx([chance, chance])
    assert row["difference"] is None


def test_a_line_for_every_query_and_ranker(cli, graph: Path, queries, tmp_path: Path) -> None:
    done = cli(
        "evaluate", graph, queries(), *QUICK, "--ranker", "shortest", "--ranker",
        "tfidf-cosine(scope=window)", "--metric", "MRR", "-o", "rows.jsonl", "--json",
    )  # fmt: skip
    assert done.code == 0 and "rows.jsonl written" in done.err
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert [(row["ranker"], row["query"]) for row in rows] == [
        (ranker, f"sample-0{n}")
        for ranker in ("shortest", "tfidf-cosine(scope=window)")
        for n in (1, 2, 3)
    ]
    for row in rows:
        assert set(row) == {
            "ranker", "query", "group", "candidates", "MRR", "entities MRR", "entities Hits@1",
            "told", "verdict", "support", "first",
        }  # fmt: skip
    means = [row["all"]["MRR"] for row in json.loads(done.out)["rankers"]]
    assert means == pytest.approx(
        [sum(row["MRR"] for row in rows[at : at + 3]) / 3 for at in (0, 3)]
    )


def test_relations_that_mean_the_same_count_as_one_beside_the_exact_figures(
    cli, graph: Path, queries, tmp_path: Path
) -> None:
    common = ("evaluate", graph, queries(), *QUICK, "--ranker", "shortest", "--metric", "MRR")
    exact = cli(*common, "--json")
    also = cli(*common, "--same-relations", "--json", "-o", "rows.jsonl")
    row, beside = (json.loads(done.out)["rankers"][0] for done in (exact, also))
    same = beside.pop("same")
    assert beside == row and set(same) == {"MRR", "Hits@1"} and same["MRR"] >= row["all"]["MRR"]
    assert json.loads(also.out)["asked"]["same_relations"] is True
    assert "same_relations" not in json.loads(exact.out)["asked"]
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert sum(row["same MRR"] for row in rows) / 3 == pytest.approx(same["MRR"])
    table = cli(*common, "--same-relations")
    assert table.out.splitlines()[0].endswith("entities Hits@1  same MRR  same Hits@1")
    assert "'same': relations that mean the same count as one" in table.err


def test_a_broken_line_is_named_and_the_rest_is_done(cli, graph: Path, queries) -> None:
    lines = (LINES[0], "{", changed(LINES[1], mood="good"), changed(LINES[2], path=[]))
    name = queries(*lines)
    done = cli("evaluate", graph, name, *QUICK, "--ranker", "shortest")
    assert done.code == 0
    assert done.err.startswith("Lines left out: 2\n  q.jsonl:2: ")
    assert "  q.jsonl:4: no path" in done.err
    assert "Fields without a meaning here: mood." in done.err
    assert "Queries: 2 over 2 documents" in done.err
    data = json.loads(cli("evaluate", graph, name, *QUICK, "--ranker", "shortest", "--json").out)
    assert (data["queries"], len(data["problems"]), data["notes"]) == (2, 2, [])


def test_many_problems_are_not_all_shown(cli, graph: Path, queries) -> None:
    done = cli("evaluate", graph, queries(LINES[0], *["{"] * 9), *QUICK, "--ranker", "random")
    assert done.err.startswith("Lines left out: 9\n")
    assert done.err.count("  q.jsonl:") == 5 and "  … and 4 more\n" in done.err


def test_what_the_graph_does_not_have_is_noted_and_counts(cli, graph: Path, queries) -> None:
    nobody = "http://example.org/nobody"
    path = json.loads(LINES[1])["path"]
    unknown = changed(LINES[1], head=nobody, path=[nobody, *path[1:]])
    done = cli("evaluate", graph, queries(LINES[0], unknown), *QUICK, "--ranker", "zero-shot")
    assert done.code == 0
    assert done.err.startswith("Not counted in full: 1\n  sample-02 (line 2): No entity ")
    row = done.out.splitlines()[1].split()
    assert (row[0], row[1], row[2]) == ("zero-shot", "0.5000", "0.5000")


def test_queries_from_a_pipe_and_compressed(cli, graph: Path, queries, tmp_path: Path) -> None:
    common = (*QUICK, "--ranker", "zero-shot", "--json")

    def figures(*args: object, **options: bytes) -> dict[str, object]:
        data = json.loads(cli("evaluate", graph, *args, *common, **options).out)
        data["asked"].pop("file")
        return data

    plain = figures(queries())
    with (tmp_path / "q.jsonl").open("rb") as file, gzip.open(tmp_path / "q.gz", "wb") as packed:
        shutil.copyfileobj(file, packed)
    assert plain["queries"] == 3
    assert figures("q.gz") == plain
    piped = (tmp_path / "q.jsonl").read_bytes()
    assert figures("-", stdin=piped) == plain
    done = cli("evaluate", graph, "-", *common, stdin=b'{"document": "\xff"}')
    assert done.code == 1 and "is not UTF-8 text" in done.err


def test_word_vectors_go_to_the_ranker_that_wants_them(
    cli, graph: Path, queries, tmp_path: Path
) -> None:
    (tmp_path / "v.txt").write_text("film 1 0\nactor 0 1\naward 1 1\n")
    done = cli(
        "evaluate", graph, queries(), *QUICK, "--ranker", "avg-cosine", "--ranker", "random",
        "--vectors", "v.txt", "--json",
    )  # fmt: skip
    assert [row["ranker"] for row in json.loads(done.out)["rankers"]] == ["avg-cosine", "random"]


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("--ranker", "random", "--ranker", "random"), 1, "The ranker random is named twice"),
        (("--ranker", "best"), 1, "No 'best' among the rankers. Known: avg-cosine, binary,"),
        (("--ranker", ""), 1, "Write it like: name(option=value"),
        (("--ranker", "avg-cosine"), 1, "avg-cosine needs word vectors: --vectors FILE"),
        (("--ranker", "avg-cosine", "--vectors", "no.txt"), 1, "no file no.txt of word vectors"),
        (("--ranker", "tfidf-cosine(bogus=1)"), 1, "no option 'bogus'; it has: scope, alpha"),
        (("--ranker", "tfidf-cosine(scope=page)"), 1, "it can be window or document"),
        (("--ranker", "zero-shot-minilm(best=0)"), 1, "best is 0; it can be 1 or more"),
        (("--metric", "PED"), 1, "PED needs a path encoder"),
        (("--metric", "F1"), 1, "Known: Evidence(F1), Evidence(P), Evidence(R), Hits@k, MRR"),
        (("--metric", "Hits@0"), 1, "k is 1 or more"),
        (("--ranker", "random", "-o", "nowhere/rows.jsonl"), 1, "There is no folder nowhere"),
        (("--folds", "1"), 2, "--folds"),
        (("--max-hops", "0"), 2, "--max-hops"),
    ],
)
def test_bad_input_is_one_message(
    cli, graph: Path, queries, arguments, code: int, word: str
) -> None:
    done = cli("evaluate", graph, queries(), *QUICK, *arguments)
    assert (done.code, done.out) == (code, "")
    assert word in " ".join(done.err.split())
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "q.jsonl holds no query. Write one JSON object a line"),
        (b"{\n", "First problem: q.jsonl:1: "),
        ('{"document": "Beyoncé"}'.encode("cp1252"), "is not UTF-8 text"),
        (None, "There is no file q.jsonl"),
    ],
)
def test_files_without_a_query_say_so(
    cli, graph: Path, tmp_path: Path, content: bytes | None, word: str
) -> None:
    if content is not None:
        (tmp_path / "q.jsonl").write_bytes(content)
    done = cli("evaluate", graph, "q.jsonl")
    assert (done.code, done.out) == (1, "")
    assert word in done.err and "Traceback" not in done.err


def test_nothing_is_left_where_writing_fails(cli, graph: Path, queries, small_disk) -> None:
    disk = small_disk("full", "size=4k")
    (disk / "filler").write_bytes(b"x" * 4096)
    done = cli(
        "evaluate", graph, queries(), *QUICK, "--ranker", "random", "-o", disk / "rows.jsonl"
    )
    assert done.code == 1 and "No space left while writing" in done.err
    assert [entry.name for entry in disk.iterdir()] == ["filler"]


def test_ped_needs_a_path_encoder_and_takes_one_by_name_or_from_a_model(
    cli, graph: Path, queries, tmp_path: Path
) -> None:
    asked = ("evaluate", graph, queries(), *QUICK, "--metric", "MRR", "--metric", "PED", "--json")
    done = cli(*asked, "--ranker", "shortest")
    assert done.code == 1 and "PED needs a path encoder: --path-encoder NAME" in done.err
    done = cli(*asked, "--ranker", "shortest", "--path-encoder", "path-vee")
    assert done.code == 1 and "No 'path-vee' among the path_encoders" in done.err
    (tmp_path / "v.txt").write_text("film 1 0\nactor 0 1\naward 1 1\nstarring 0 2\n")
    encoder = "path-text(encoder=word-vectors(path=v.txt))"
    named = cli(*asked, "--ranker", "shortest", "--path-encoder", encoder)
    assert named.code == 0, named.err
    (row,) = json.loads(named.out)["rankers"]
    assert set(row["all"]) == {"MRR", "PED"} and 0 < row["all"]["PED"] < 1
    done = cli(
        "train", graph, "q.jsonl", "-o", "m", "--ranker", "xendcg(trees=5)", "--path-encoder",
        encoder, *QUICK,
    )  # fmt: skip
    assert done.code == 0, done.err
    given = ("--path-encoder", "m", "--vectors", "v.txt")
    from_model = cli(*asked, "--ranker", "shortest", *given)
    assert json.loads(from_model.out) == json.loads(named.out)
    train = ("train", graph, "q.jsonl", "-o", "ltr", "--ranker", "kgpath-ltr(trees=3, hop_trees=3)")
    assert cli(*train, *QUICK).code == 0
    done = cli(*asked, "--ranker", "shortest", "--path-encoder", "ltr")
    assert done.code == 1 and "a model without a path encoder" in done.err


def test_ped_of_a_true_path_that_the_graph_does_not_have(
    cli, graph: Path, queries, tmp_path: Path
) -> None:
    (tmp_path / "v.txt").write_text("film 1 0\nactor 0 1\naward 1 1\nstarring 0 2\n")
    path = json.loads(LINES[1])["path"]
    unknown = changed(LINES[1], path=[path[0], "http://example.org/nothing", path[-1]])
    done = cli(
        "evaluate", graph, queries(unknown), *QUICK, "--metric", "PED", "--ranker", "shortest",
        "--path-encoder", "path-text(encoder=word-vectors(path=v.txt))", "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    # Zeros have a right angle to everything.
    assert json.loads(done.out)["rankers"][0]["all"]["PED"] == 0.5


# Verdicts and evidence


@pytest.fixture
def untold(tmp_path: Path) -> str:
    """A file with two pairs about which nothing is told: texts of the sample about others."""
    one, other = (json.loads(line) for line in LINES[:2])
    pairs = [
        {"id": f"u{n}", "document": text["document"], "head": ends["head"], "tail": ends["tail"]}
        for n, (text, ends) in enumerate([(one, other), (other, one)])
    ]
    (tmp_path / "u.jsonl").write_text("\n".join(map(json.dumps, pairs)), encoding="utf-8")
    return "u.jsonl"


def test_verdicts_have_a_table_of_their_own_where_there_are_untold_questions(
    cli, graph: Path, queries, untold: str
) -> None:
    asked = ("evaluate", graph, queries(), *QUICK, "--ranker", "zero-shot", "--ranker", "random")
    plain, done = cli(*asked), cli(*asked, "--untold", untold)
    assert done.code == 0
    assert done.out.startswith(plain.out + "\n")
    header, *rows = done.out.split("\n\n")[2].splitlines()
    assert header == (
        "ranker        AUC        AUC, 95 %  calibration error  told: relevant  untold: relevant  "
        "untold: doubtful  untold at 90 % of told"
    )
    assert [row.split()[0] for row in rows] == ["zero-shot", "random"]
    assert rows[0].split()[1] == "1.0000"
    assert "Untold: 2 questions whose text tells no path. AUC: how often a told one" in done.err
    assert "Untold" not in plain.err and "calibration" not in plain.out


def test_programs_get_the_figures_of_verdicts_and_a_row_for_untold_questions(
    cli, graph: Path, queries, untold: str, tmp_path: Path
) -> None:
    asked = ("evaluate", graph, queries(), *QUICK, "--ranker", "zero-shot", "--json", "-o", "r")
    data = json.loads(cli(*asked, "--untold", untold, "--untold", untold).out)
    assert (data["queries"], data["untold"], data["asked"]["untold"]) == (3, 4, [untold, untold])
    support = data["rankers"][0]["support"]
    assert set(support) == {
        "AUC", "AUC_interval", "calibration_error", "told_relevant", "untold_relevant",
        "untold_doubtful", "threshold", "untold_kept",
    }  # fmt: skip
    assert (support["AUC"], support["AUC_interval"]) == (1, [1, 1])
    rows = [json.loads(line) for line in (tmp_path / "r").read_text().splitlines()]
    assert [row["told"] for row in rows] == [True] * 3 + [False] * 4
    assert set(rows[-1]) == {
        "ranker", "query", "group", "candidates", "told", "verdict", "support", "first",
    }  # fmt: skip
    # Without untold questions the calibration error is there, and nothing that needs them.
    (row,) = json.loads(cli(*asked).out)["rankers"]
    assert row["support"]["calibration_error"] is not None and row["support"]["AUC"] is None


def test_untold_questions_only_are_measured_as_far_as_that_goes(cli, graph: Path, queries) -> None:
    asked = ("evaluate", graph, queries(changed(LINES[0], path=None, paths=[])), *QUICK)
    done = cli(*asked, "--ranker", "zero-shot")
    assert done.code == 0
    header, row = done.out.splitlines()
    assert header.split()[:2] == ["ranker", "AUC"] and row.split()[:3] == ["zero-shot", "–", "–"]
    assert done.err == (
        "Untold: 1 question whose text tells no path. None is told: there is nothing to rank, and "
        "AUC is not defined.\n"
    )
    data = json.loads(cli(*asked, "--ranker", "zero-shot", "--json").out)
    assert (data["queries"], data["untold"]) == (0, 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "",
            "kgpath: u.jsonl holds no untold question. Write one JSON object a line, with "
            "document, head and tail.\n",
        ),
        (
            LINES[0],
            "kgpath: u.jsonl holds no untold question. Write one JSON object a line, with "
            "document, head and tail. First problem: u.jsonl:1: it has a true path, so it is not "
            "untold: it belongs to the queries\n",
        ),
    ],
)
def test_a_file_without_an_untold_question_says_so(
    cli, graph: Path, queries, tmp_path: Path, content: str, said: str
) -> None:
    (tmp_path / "u.jsonl").write_text(content, encoding="utf-8")
    done = cli("evaluate", graph, queries(), "--ranker", "shortest", "--untold", "u.jsonl")
    assert (done.code, done.out, done.err) == (1, "", said)


def test_a_broken_line_among_untold_ones_is_named(
    cli, graph: Path, queries, untold: str, tmp_path: Path
) -> None:
    with (tmp_path / untold).open("a", encoding="utf-8") as file:
        file.write(f"\n{LINES[0]}\n[]\n")
    done = cli("evaluate", graph, queries(), *QUICK, "--ranker", "shortest", "--untold", untold)
    assert done.code == 0
    assert done.err.startswith(
        "Lines left out: 2\n"
        "  u.jsonl:3: it has a true path, so it is not untold: it belongs to the queries\n"
        "  u.jsonl:4: not a JSON object\n"
    )


def test_evidence_of_marked_texts_has_a_table_and_says_what_is_left_out(
    cli, graph: Path, queries, tmp_path: Path
) -> None:
    one = json.loads(LINES[0])
    first, relation, second = one["path"][:3]
    head, tail = (second, first) if relation[0] == "^" else (first, second)
    known = {"head": head, "relation": relation.lstrip("^"), "tail": tail, "sentences": [0]}
    unknown = {**known, "relation": "http://example.org/nothing"}
    lines = [
        {"document": one["document"], "facts": [known, unknown]},
        {"document": one["document"], "facts": [{**known, "sentences": [99]}]},
        {**one, "facts": [{**known, "sentences": [2]}], "sentence_starts": [0]},
    ]
    (tmp_path / "e.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    asked = ("evaluate", graph, queries(), *QUICK, "--ranker", "shortest", "--evidence", "e.jsonl")
    done = cli(*asked)
    assert done.code == 0
    header, row = done.out.split("\n\n")[-1].splitlines()
    assert " ".join(header.split()) == "ranker evidence P evidence R evidence F1 F1, 95 %"
    assert row.split()[0] == "shortest" and 0 <= float(row.split()[1]) <= 1
    assert "  e.jsonl:3: a fact names sentence 2, but the document has only 0\n" in done.err
    assert "Evidence left out: 1\n  line 2: a fact names sentence 99, but" in done.err
    assert "Evidence: 1 fact of 1 text; left out: 1 not in the graph." in done.err
    data = json.loads(cli(*asked, "--json").out)
    assert data["evidence"]["facts"] == 1
    assert set(data["rankers"][0]["evidence"]) == {"P", "R", "F1", "F1_interval"}


def test_a_picture_is_refused_before_the_work_and_never_over_what_is_read(
    cli, graph: Path, queries, untold: str, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    asked = ("evaluate", graph, queries(), *QUICK, "--ranker", "zero-shot", "--untold", untold)
    done = cli(*asked, "--picture", "sure.svg")
    assert done.code == 0 and "sure.svg written" in done.err
    assert "zero-shot" in (tmp_path / "sure.svg").read_text()
    for name, said in {
        "sure.word": "sure.word should end in the name of a format",
        "no/sure.png": "There is no folder no: mkdir -p no",
        untold: f"{untold} is read by this command and would be lost. Choose another --picture.",
    }.items():
        done = cli(*asked, "--picture", name)
        assert (done.code, done.out) == (1, "") and said in done.err
