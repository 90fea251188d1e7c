"""What a model may name: plug-ins, words, numbers; never a file of the machine it is loaded on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import kgpath
from kgpath.errors import BadOption, BadStore, KgpathError
from kgpath.io.queries import Query
from kgpath.learning.models import load_model
from kgpath.learning.stored_choice import chosen_again, to_store
from kgpath.learning.train import Trained, train

MINILM = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.mark.parametrize(
    ("choice", "stored"),
    [
        ("shortest", "shortest"),
        ("kgpath-ltr(trees=5, dropout=0.2)", "kgpath-ltr(trees=5, dropout=0.2)"),
        ("avg-cosine(vectors=/home/me/glove.txt)", "avg-cosine(vectors=<vectors>)"),
        ("xendcg(vectors=glove.txt, similar=False)", "xendcg(vectors=<vectors>, similar=False)"),
        (
            "kgpath-ltr(encoder=word-vectors(path=../w.bin), trees=1)",
            "kgpath-ltr(encoder=word-vectors(path=<vectors>), trees=1)",
        ),
        (
            "binary(context_encoder=bert(base=/models/tiny, pooling=cls), path_encoder=path-mean)",
            "binary(context_encoder=bert(base=<base>, pooling=cls), path_encoder=path-mean)",
        ),
        (
            f"binary(context_encoder=minilm(encoder=minilm(model={MINILM})))",
            f"binary(context_encoder=minilm(encoder=minilm(model={MINILM})))",
        ),
    ],
)
def test_a_model_keeps_no_names_of_files(choice: str, stored: str) -> None:
    assert to_store(choice) == stored
    given = {"vectors": "v.txt", "base": "b"}
    again = stored.replace("<vectors>", "v.txt").replace("<base>", "b")
    assert chosen_again(stored, "m", given) == again


def test_a_folder_here_is_not_a_name_of_the_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    choice = "binary(context_encoder=bert(base=models/tiny))"
    assert to_store(choice) == choice == chosen_again(choice, "m", {})
    (tmp_path / "models" / "tiny").mkdir(parents=True)
    assert to_store(choice) == "binary(context_encoder=bert(base=<base>))"
    with pytest.raises(BadStore, match="trained with the folder of a language model"):
        chosen_again(choice, "m", {})


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (
            "avg-cosine(vectors=/etc/passwd)",
            "m was trained with a file of word vectors, which is not part of it. Give it again: "
            "--vectors VECTORS",
        ),
        (
            "xendcg(context_encoder=bert(base=/tmp/evil))",
            "m was trained with the folder of a language model, which is not part of it. Give it "
            "again: --base BASE",
        ),
        ("shortest(x=/etc/passwd)", "m names '/etc/passwd', which no model may. Train it again."),
        ("random(x=a;b)", "m names 'a;b', which no model may. Train it again."),
        ("os.system(x=1, y='rm')", "m names \"'rm'\", which no model may. Train it again."),
        ("xendcg(context_encoder=tfidf(x=~))", "m names '~', which no model may. Train it again."),
    ],
)
def test_a_model_that_names_a_file_is_refused(choice: str, message: str) -> None:
    with pytest.raises(BadStore) as raised:
        chosen_again(choice, "m", {})
    assert str(raised.value) == message


def test_what_is_given_again_cannot_bring_options_along() -> None:
    with pytest.raises(BadOption) as raised:
        chosen_again("avg-cosine(vectors=<vectors>)", "m", {"vectors": "a, alpha=1"})
    assert str(raised.value) == "'a, alpha=1' has brackets or commas in its name. Rename it."


@pytest.mark.parametrize(
    "ranker",
    [
        "builtins:eval", "os.system", "kgpath-ltr(encoder=posix(x=1))", "(" * 5_000 + ")" * 5_000,
        "binary(" * 5_000 + ")" * 5_000, "kgpath-ltr(trees=1000000000000)", "", "kgpath-ltr(trees",
        "xendcg(context_encoder=path-vae)", "xendcg(context_encoder=true)",
        "xendcg(path_encoder=0)", "kgpath-ltr(encoder=5)", "score-ltr(of=1.5)",
        "score-ltr(of=score-ltr)", "kgpath-ltr(seed=x)",
    ],
)  # fmt: skip
def test_any_other_ranker_of_a_stranger_is_one_message(
    sample: kgpath.Graph, trained: Trained, tmp_path: Path, ranker: str
) -> None:
    folder = Path(shutil.copytree(trained.path, tmp_path / "m"))
    about = json.loads((folder / "model.json").read_text())
    (folder / "model.json").write_text(json.dumps({**about, "ranker": ranker}))
    with pytest.raises(KgpathError) as raised:
        load_model(folder, sample)
    assert len(str(raised.value)) < 600 and "\n" not in str(raised.value)


def test_a_model_over_word_vectors_takes_them_again(
    sample: kgpath.Graph, queries: list[Query], tmp_path: Path
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("bond 1 0\nfilm 0 1\n")
    made = train(
        sample, queries[:3], tmp_path / "m", limit=20,
        ranker=f"score-ltr(of=avg-cosine(vectors={words}), trees=2)",
    )  # fmt: skip
    assert str(tmp_path) not in (made.path / "model.json").read_text()
    load_model(made.path, sample, vectors=str(words))
    with pytest.raises(BadStore) as raised:
        load_model(made.path, sample)
    assert str(raised.value) == (
        f"{made.path} was trained with a file of word vectors, which is not part of it. Give it "
        "again: --vectors VECTORS"
    )


def test_an_option_that_names_a_file_is_refused_before_training(
    sample: kgpath.Graph, queries: list[Query], tmp_path: Path
) -> None:
    with pytest.raises(BadOption, match=r"a model holds no names of files\. Train with a plain"):
        train(sample, queries, tmp_path / "m", ranker="kgpath-ltr(encoder=/home/me/minilm)")
