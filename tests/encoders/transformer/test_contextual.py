"""Contextualised encoders: what is read, what is pooled, and what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.datasets.sample_files import sample_queries
from kgpath.encoders.transformer.bert import Bert
from kgpath.encoders.transformer.contextual import Contextual
from kgpath.encoders.transformer.k_bert import KBert
from kgpath.encoders.transformer.kepler import Kepler
from kgpath.encoders.transformer.kg_bert import KgBert
from kgpath.encoders.transformer.sentence_transformer import packaged
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.errors import BadOption, BadSource, BadStore
from kgpath.io.queries import QueryFile
from kgpath.learning.examples import QuerySet
from kgpath.learning.models import load_model
from kgpath.learning.train import train
from kgpath.linking.context import Context

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from kgpath.encoders.transformer.base_model import load_base  # noqa: E402
from kgpath.encoders.transformer.hidden_states import (  # noqa: E402
    chunks_of,
    hidden_states,
    overlapping,
    read_text,
)

TEXT = "Daniel Craig has played James Bond."
QUICK = {"steps": 2, "batch": 4, "layers": 1}


@pytest.fixture
def bert(tiny_bert: str) -> Bert:
    return Bert(base=tiny_bert)


def quick(kind: type[Contextual], base: str, **options: object) -> Contextual:
    return kind(base=base, **{**QUICK, **options})  # type: ignore[arg-type,call-arg]


# Pooling


def test_the_vector_is_the_mean_of_the_words_states(bert, film) -> None:
    context = Context(film, TEXT)
    craig = film.entity("Daniel Craig").id
    network = bert.network
    (chunk,) = chunks_of(network, TEXT)
    words = network.tokenizer.convert_ids_to_tokens(chunk.ids)
    assert words == ["[CLS]", "daniel", "craig", "has", "played", "james", "bond", ".", "[SEP]"]
    with torch.inference_mode():
        states = network.model(input_ids=torch.tensor([chunk.ids])).last_hidden_state[0].numpy()
    assert bert.encode(context, craig) == pytest.approx(states[1:-1].mean(axis=0), abs=1e-5)
    mention = Bert(base=bert.base, pooling="mention")
    assert mention.encode(context, craig) == pytest.approx(states[1:3].mean(axis=0), abs=1e-5)
    bond = film.entity("James Bond").id
    assert mention.encode(context, bond) == pytest.approx(states[5:7].mean(axis=0), abs=1e-5)
    london = film.entity("London").id  # not named: all of the text
    assert mention.encode(context, london) == pytest.approx(states[1:-1].mean(axis=0), abs=1e-5)
    first = Bert(base=bert.base, pooling="cls")
    assert first.encode(context, craig) == pytest.approx(states[0], abs=1e-5)


def test_a_window_is_read_alone(bert, film) -> None:
    filler = " ".join(["the"] * 30)
    context = Context(film, f"Daniel Craig {filler} London {filler} Daniel Craig")
    craig = film.entity("Daniel Craig").id
    with torch.inference_mode():
        rows = [
            hidden_states(bert.network, chunks_of(bert.network, text))[0, 1:-1].numpy()
            for text in ("Daniel Craig" + " the" * 15, "the " * 15 + "Daniel Craig")
        ]
    assert bert.encode(context, craig) == pytest.approx(np.concatenate(rows).mean(axis=0), abs=1e-5)


def test_long_texts_are_read_in_chunks_that_overlap(bert, film) -> None:
    text = " ".join(f"x{number:03}" for number in range(60))  # 240 tokens, 62 at a time
    chunks = chunks_of(bert.network, text)
    assert len(chunks) > 3 and all(len(chunk.ids) <= 64 for chunk in chunks)
    places = [tuple(place) for chunk in chunks for place in chunk.places[1:-1].tolist()]
    assert len(set(places)) == 240 < len(places)
    states, found, firsts = read_text(bert.network, chunks)
    assert len(states) == len(found) == 240 and len(firsts) == len(chunks)
    # A token that two chunks have is that of the one where it stands further inside.
    with torch.inference_mode():
        one, two = (hidden_states(bert.network, [chunk])[0].numpy() for chunk in chunks[:2])
    first = {tuple(p): row for p, row in zip(chunks[0].places.tolist(), one, strict=True)}
    second = {tuple(p): row for p, row in zip(chunks[1].places.tolist(), two, strict=True)}
    shared = sorted(set(first) & set(second) - {(-1, -1)})
    at = {tuple(place): row for place, row in zip(found.tolist(), states, strict=True)}
    assert np.array_equal(at[shared[0]], first[shared[0]])
    assert np.array_equal(at[shared[-1]], second[shared[-1]])


@pytest.mark.parametrize("text", ["", " \n", "\x00\x01", "… !", "東京", "a\ud800b", "x" * 3000])
def test_any_text_has_a_vector(text: str, tiny_bert: str, film) -> None:
    for encoder in (Bert(base=tiny_bert), quick(KBert, tiny_bert)):
        encoder.set_tuned({})
        found = encoder.encode(Context(film, text), 0)
        assert found.shape == (16,) and np.isfinite(found).all()
        assert found.any() == bool(text.strip("\x00\x01 \n"))


@pytest.mark.parametrize(("length", "size"), [(0, 5), (1, 5), (5, 5), (6, 5), (500, 62), (9, 1)])
def test_chunks_cover_everything(length: int, size: int) -> None:
    spans = list(overlapping(length, size))
    assert {at for first, last in spans for at in range(first, last)} == set(range(length))
    assert all(last - first <= size for first, last in spans)


# Learning


@pytest.mark.parametrize("kind", [KgBert, KBert, Kepler])
def test_only_the_last_layers_change(kind, tiny_bert, film, tmp_path) -> None:
    encoder = quick(kind, tiny_bert)
    before = {name: weight.clone() for name, weight in encoder.network.model.state_dict().items()}
    encoder.fit(film)
    after = encoder.network.model.state_dict()
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert changed and all(name.startswith("encoder.layer.1.") for name in changed)
    encoder.save(tmp_path)
    assert (tmp_path / "tuned.safetensors").stat().st_size < 20_000  # not the whole model
    report = json.loads((tmp_path / "learned.json").read_text())
    assert report["steps"] == 2 and report["stopped by"] == "steps"


@pytest.mark.parametrize("kind", [KgBert, KBert, Kepler])
def test_the_same_again(kind, tiny_bert, film) -> None:
    def vector(**options: object) -> np.ndarray:
        encoder = quick(kind, tiny_bert, **options)
        encoder.fit(film)
        return encoder.encode(Context(film, TEXT), film.entity("Daniel Craig").id)

    assert np.array_equal(vector(), vector())
    assert not np.array_equal(vector(), vector(seed=1))
    assert not np.array_equal(vector(), vector(steps=3))


@pytest.mark.parametrize("kind", [Bert, KgBert, KBert, Kepler])
def test_the_papers_configuration_starts_from_scratch(kind, tiny_bert, film) -> None:
    options = {**QUICK, "steps": 1, "configuration": "paper", "base": tiny_bert}
    if kind is Bert:
        del options["layers"]
    encoder = kind(**options)
    model = encoder.network.model
    assert model.config.num_hidden_layers == 3 and model.config.hidden_size == 512
    words = model.get_input_embeddings().weight.clone()
    encoder.fit(film)
    assert not torch.equal(words, model.get_input_embeddings().weight)
    assert "masked" in encoder.report_["learned from"]
    assert encoder.encode(Context(film, TEXT), 0).shape == (512,)


def test_what_was_learned_is_cached_for_both_scopes(tiny_bert, film, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path))
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    first = quick(KgBert, tiny_bert)
    first.fit(film)
    (cached,) = (tmp_path / "tuned").iterdir()
    assert not [path for path in (tmp_path / "tuning").iterdir() if path.is_dir()]
    monkeypatch.setattr(KgBert, "objective", lambda *_: pytest.fail("trained again"))
    again = quick(KgBert, tiny_bert, scope="document", pooling="cls", minutes=3)
    again.fit(film)
    assert again.identity == first.identity
    # What is damaged is learned again.
    (cached / "tuned.safetensors").write_bytes(b"no")
    with pytest.raises(pytest.fail.Exception, match="trained again"):
        quick(KgBert, tiny_bert).fit(film)


# What is refused


def test_options_that_make_no_sense(tiny_bert) -> None:
    for said, message in (
        ({"pooling": "max"}, "pooling is 'max'; it can be scope, mention, cls"),
        ({"configuration": "large"}, "configuration is 'large'; it can be paper"),
        ({"layers": -1}, "layers is -1"),
        ({"steps": -1}, "steps is -1; it can be 0 or more"),
        ({"batch": 1}, "batch is 1; it can be 2 or more"),
        ({"minutes": 0}, "minutes is 0"),
        ({"entity": "max"}, "entity is 'max'; it can be mean or cls"),
    ):
        with pytest.raises(BadOption, match=message):
            Kepler(**said)
    with pytest.raises(BadOption, match="facts is -1"):
        KBert(facts=-1)


def test_a_folder_that_is_no_model(
    tmp_path: Path, tiny_bert: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(BadOption, match=r"not the folder of a model: it has no config\.json"):
        load_base(str(tmp_path))
    with pytest.raises(BadOption, match=r"'nobody/nothing' cannot be loaded .*or go online once"):
        load_base("nobody/nothing")
    folder = tmp_path / "copy"
    shutil.copytree(tiny_bert, folder)
    (folder / "model.safetensors").write_bytes(b"not a model")
    with pytest.raises(BadOption, match="cannot be loaded"):
        load_base(str(folder))
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(b"cos\nsystem\n")  # would run code
    with pytest.raises(BadOption, match="with safetensors"):
        load_base(str(folder))


@pytest.mark.parametrize("kind", [KBert, Kepler])
def test_a_graph_without_descriptions(kind, tiny_bert, build_graph: Callable[..., object]) -> None:
    bare = build_graph("ex:a ex:knows ex:b . ex:b ex:knows ex:c .")
    with pytest.raises(BadSource, match=r"describes no entity.*--articles FILE; or use kg-bert"):
        quick(kind, tiny_bert).fit(bare)  # type: ignore[arg-type]
    with pytest.raises(BadSource, match="describes no entity"):  # before the questions are read
        quick(kind, tiny_bert).check_requirements(bare)  # type: ignore[arg-type]
    known = quick(KgBert, tiny_bert)
    known.fit(bare)  # type: ignore[arg-type]
    assert known.encode(Context(bare, "ex"), 0).any()  # type: ignore[arg-type]


def test_the_command_refuses_before_the_work(tiny_bert, build_graph, cli, tmp_path) -> None:
    build_graph("ex:a ex:knows ex:b . ex:b ex:knows ex:c .")
    path = [f"http://example.org/{name}" for name in ("a", "knows", "b")]
    query = {"document": "a b", "head": path[0], "tail": path[2], "path": path}
    (tmp_path / "q.jsonl").write_text(json.dumps(query))
    for said, message in (
        (f"kepler(base={tiny_bert})", "graph.kg describes no entity, and kepler learns from"),
        (f"kg-bert(base={tmp_path})", "is not the folder of a model: it has no config.json"),
    ):
        done = cli(
            "train", "graph.kg", "q.jsonl", "-o", "model", "--ranker",
            f"kgpath-ltr(encoder={said})",
        )  # fmt: skip
        assert done.code == 1 and not done.out
        assert message in " ".join(done.err.split()) and "Traceback" not in done.err
        assert not (tmp_path / "model").exists()


def test_kepler_learns_from_facts_between_what_is_described(tiny_bert, build_graph) -> None:
    described = 'ex:a rdfs:comment "One thing."@en . ex:b rdfs:comment "Two things."@en . '
    fact = "ex:a ex:knows ex:b . "
    for facts, learned in (("", "1 facts"), ("ex:b ex:knows ex:c . ", "1 facts")):
        kg = build_graph(described + fact + facts, output=f"{len(facts)}.kg")
        encoder = quick(Kepler, tiny_bert)
        encoder.fit(kg)
        assert f"of {learned} of described entities" in encoder.report_["learned from"]
    half = build_graph('ex:a rdfs:comment "A thing."@en . ' + fact, output="half.kg")
    quick(Kepler, tiny_bert).fit(half)  # b is read by its name
    apart = build_graph('ex:d rdfs:comment "A thing."@en . ex:d a ex:C . ' + fact, output="no.kg")
    if "d" in {one.label for one in map(apart.entity, range(len(apart)))}:
        with pytest.raises(BadSource, match="no fact of an entity that is described"):
            quick(Kepler, tiny_bert).fit(apart)


def test_what_has_not_learned_says_so(tiny_bert, film, tmp_path) -> None:
    encoder = quick(Kepler, tiny_bert)
    with pytest.raises(BadStore, match="kepler has no tuned layers yet"):
        encoder.encode(Context(film, TEXT), 0)
    with pytest.raises(BadStore, match=r"tuned\.safetensors is missing"):
        encoder.load(tmp_path)
    (tmp_path / "tuned.safetensors").write_bytes(b"no")
    with pytest.raises(BadStore, match=r"tuned\.safetensors cannot be read"):
        encoder.load(tmp_path)


def test_layers_of_another_base_are_refused(tiny_bert, film, tmp_path) -> None:
    encoder = quick(KgBert, tiny_bert)
    encoder.fit(film)
    encoder.save(tmp_path)
    other = quick(KgBert, tiny_bert, configuration="paper")
    with pytest.raises(BadStore, match="it belongs to another base model"):
        other.load(tmp_path)
    assert other.check_requirements(film) != encoder.check_requirements(film)
    with pytest.raises(BadStore, match="its layers are not those"):
        quick(KgBert, tiny_bert, layers=2).load(tmp_path)


# Other models


@pytest.mark.parametrize("kind", ["roberta", "distilbert", "electra"])
def test_other_kinds_of_models(kind: str, tiny_bert: str, film, tmp_path) -> None:
    from transformers import AutoConfig, AutoModel

    shutil.copytree(tiny_bert, tmp_path / kind)
    own = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32} if kind == "distilbert" else {
        "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 32,
    }  # fmt: skip
    more = {"embedding_size": 8} if kind == "electra" else {}
    places = 66 if kind == "roberta" else 64
    config = AutoConfig.for_model(
        kind, **own, **more, vocab_size=100, max_position_embeddings=places
    )
    AutoModel.from_config(config).save_pretrained(tmp_path / kind)
    base = str(tmp_path / kind)
    context = Context(film, TEXT)
    craig = film.entity("Daniel Craig").id
    for encoder in (quick(KgBert, base), quick(Kepler, base), quick(KBert, base)):
        encoder.fit(film)
        assert encoder.encode(context, craig).shape == (16,)
    # With no facts, positions of its own must be those that the model takes by itself.
    bare = quick(KBert, base, facts=0)
    bare.set_tuned({})
    assert bare.encode(context, craig) == pytest.approx(
        Bert(base=base).encode(context, craig), abs=1e-5
    )


# A trained ranker


def test_a_model_has_the_tuned_layers_in_its_folder(
    tiny_bert: str, sample_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with kgpath.open(shutil.copy(sample_path, tmp_path)) as kg:
        rng = np.random.default_rng(0)
        sizes = len(kg), len(kg.store.relations)
        Embedding(*(rng.normal(size=(n, 8)).astype(np.float32) for n in sizes)).save(
            folder_of(kg), kg.fingerprint
        )
        queries = QueryFile(sample_queries()).queries[:6]
        encoder = f"kepler(base={tiny_bert}, steps=2, batch=4, layers=1)"
        trained = train(
            kg, queries, tmp_path / "model", ranker="binary(epochs=1)", limit=20,
            context_encoder=encoder, path_encoder="path-mean",
        )  # fmt: skip
        assert "link MRR" in str(trained.report["context encoder"])
        folder = tmp_path / "model" / "context_encoder"
        assert {path.name for path in folder.iterdir()} == {"learned.json", "tuned.safetensors"}
        capsys.readouterr()
        ranker = load_model(tmp_path / "model", kg, base=tiny_bert)
        assert capsys.readouterr().err == ""  # no note: the same graph and the same version
        features = next(iter(QuerySet(kg, queries, limit=20).examples([0]))).features
        again = load_model(tmp_path / "model", kg, base=tiny_bert)
        scores = ranker.score(features).total
        assert np.isfinite(scores).all() and np.array_equal(scores, again.score(features).total)
        # With another base model all would be noise.
        about = json.loads((tmp_path / "model" / "model.json").read_text())
        about["needs"]["base model of kepler"] = "another"
        (tmp_path / "model" / "model.json").write_text(json.dumps(about))
        with pytest.raises(BadStore, match="trained with other base model of kepler"):
            load_model(tmp_path / "model", kg, base=tiny_bert)


# The model that is installed


@pytest.fixture(scope="module")
def minilm() -> Iterator[Bert]:
    from kgpath.encoders.transformer.sentence_transformer import MINILM

    if not packaged(MINILM):
        pytest.skip("the package with MiniLM is not installed")
    yield Bert()


def test_the_installed_model_knows_what_a_text_is_about(minilm: Bert, film) -> None:
    def vector(text: str) -> np.ndarray:
        found = minilm.encode(Context(film, text), film.entity("London").id)
        return found / np.linalg.norm(found)

    film_text, other_film = "An actor stars in a film.", "The movie features a performer."
    assert vector(film_text).shape == (384,)
    assert vector(film_text) @ vector(other_film) > vector(film_text) @ vector(
        "Rain fell on hills."
    )
