"""Path-VAE on the sample: its latent vectors are used, and alike paths are close (section 9.1)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import kgpath
import kgpath.encoders
from kgpath.datasets.sample_files import sample_files
from kgpath.encoders.path import vae as path_vae
from kgpath.encoders.path.random_paths import random_paths
from kgpath.encoders.path.vae import CELLS, PathVAE
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.errors import BadOption, BadStore, MissingExtra
from kgpath.paths.path_arrays import PathArrays
from kgpath.plugins import PATH_ENCODERS
from kgpath.storage.hop_codes import inverse

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not find_spec("torch"), reason="needs torch"),
]

SMALL: dict[str, Any] = {"hidden": 64, "latent": 16, "paths": 4000, "epochs": 8}
TINY: dict[str, Any] = {"hidden": 8, "latent": 4, "paths": 300, "epochs": 1}
# Section 9.1 of the paper; F was not learned from.
COPPOLA = "dbr:Francis_Ford_Coppola"
PATHS = {
    "A": ("film director", "dbr:The_Godfather"),
    "B": ("film director", "dbr:The_Godfather_Part_II"),
    "C": ("film director", "dbr:Apocalypse_Now"),
    "D": ("child", "dbr:Sofia_Coppola"),
    "E": ("film director", "dbr:The_Godfather_(film_series)"),
    "F": ("film director", "dbr:The_Godfather_Saga"),
}


def small_transe(graph: kgpath.Graph, size: int = 32, epochs: int = 120) -> Embedding:
    """TransE in a few lines: quick, and good enough for a graph of this size."""
    import torch
    from torch.nn.functional import normalize, relu

    edges = torch.from_numpy(graph.store.edges().astype(np.int64))
    head, relation, tail = edges.T
    with torch.random.fork_rng():
        torch.manual_seed(0)
        entities = torch.nn.Parameter(torch.randn(len(graph), size))
        relations = torch.nn.Parameter(torch.randn(len(graph.store.relations), size) / size)
        optimizer = torch.optim.Adam([entities, relations], lr=0.05)
        for _ in range(epochs):
            units, hops = normalize(entities, dim=1), relations[relation]
            true = (units[head] + hops - units[tail]).norm(dim=1)
            heads, tails = (torch.randint(len(graph), (len(edges),)) for _ in range(2))
            false = torch.stack(
                [units[heads] + hops - units[tail], units[head] + hops - units[tails]]
            )
            optimizer.zero_grad()
            relu(1 + true - false.norm(dim=2)).mean().backward()
            optimizer.step()
    return Embedding(normalize(entities, dim=1).detach().numpy(), relations.detach().numpy())


@pytest.fixture(scope="module")
def kg(tmp_path_factory: pytest.TempPathFactory) -> Iterator[kgpath.Graph]:
    """The sample with TransE vectors."""
    import torch

    path = tmp_path_factory.mktemp("sample") / "film.kg"
    kgpath.build(sample_files(), path)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    with kgpath.open(path) as graph:
        small_transe(graph).save(folder_of(graph), graph.fingerprint)
        yield graph
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def learned(kg: kgpath.Graph) -> PathVAE:
    """A model that has met neither path F nor its film."""
    saga = kg.entity("dbr:The_Godfather_Saga").id

    def without_saga(*args: Any) -> PathArrays:
        rows = random_paths(*args)
        return rows.take(np.flatnonzero((rows.vertices != saga).all(axis=1)))

    model = PathVAE(**SMALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(path_vae, "random_paths", without_saga)
        model.fit(kg, [])
    return model


@pytest.fixture(scope="module")
def tiny(kg: kgpath.Graph) -> PathVAE:
    model = PathVAE(**TINY)
    model.fit(kg, [])
    return model


def some(kg: kgpath.Graph) -> PathArrays:
    rows = random_paths(kg.index, 100, seed=3)
    return rows.bound(kg, kg.entity(0), kg.entity(1))


def test_latent_vectors_are_in_use_and_the_decoder_needs_them(learned: PathVAE) -> None:
    report = learned.report_
    assert report["latent"] == 16
    assert report["active"] >= 8
    assert 0 < report["kl_least"] <= report["kl_median"] <= report["kl_most"] < report["kl"]
    assert report["reconstructed"] > 0.1  # of 256 elements each, with nothing but z
    assert report["reconstructed_shuffled"] < 0.4 * report["reconstructed"]


def test_a_collapse_shows_in_the_report(kg: kgpath.Graph) -> None:
    model = PathVAE(**{**SMALL, "epochs": 2}, beta=100, free_bits=0, cycles=0)
    model.fit(kg, [])
    report = model.report_
    assert report["active"] == 0
    assert report["kl"] < 0.1
    assert report["reconstructed_shuffled"] > 0.8 * report["reconstructed"]


def test_alike_paths_are_close_and_others_apart(kg: kgpath.Graph, learned: PathVAE) -> None:
    paths = []
    for relation, end in PATHS.values():
        found = kg.paths(COPPOLA, end, max_hops=1)
        paths += [path for path in found if path.hops[0].relation.label == relation]
    rows = learned.of_paths(kg)(paths).astype(np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    cosine = dict(zip(PATHS, rows, strict=True))

    def apart(pair: str) -> float:
        return 1 - float(cosine[pair[0]] @ cosine[pair[1]])

    assert apart("AB") < apart("AC")
    directed = max(map(apart, ("AB", "AC", "BC", "AE", "BE", "CE")))
    child = min(map(apart, ("AD", "BD", "CD", "DE")))
    assert directed < child / 2
    # F is new, and near A and B.
    assert max(apart("AF"), apart("BF")) < min(apart("CF"), apart("AC"), apart("DF") / 2)


def test_relations_and_their_directions_count(kg: kgpath.Graph, learned: PathVAE) -> None:
    paths = some(kg)
    rows = learned.encode(paths)
    for codes in (inverse(paths.hop_codes), (paths.hop_codes + 2) % (2 * len(kg.store.relations))):
        other = learned.encode(replace(paths, hop_codes=codes.astype(np.int32)))
        assert np.abs(rows - other).max(axis=1).min() > 0.01


def test_the_kl_term_comes_in_cycles() -> None:
    from kgpath.encoders.path.vae_training import Settings, beta_at

    options = {
        name: value for name, value in PathVAE(beta=0.4).options().items() if name != "paths"
    }
    settings = Settings(**{**options, "cycles": 2})
    weights = [beta_at(step, 16, settings) for step in range(16)]
    assert weights == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.4, 0.4, 0.4] * 2)
    assert beta_at(0, 16, Settings(**{**options, "cycles": 0})) == 0.4


def test_candidates_are_learned_from_too(kg: kgpath.Graph, tiny: PathVAE) -> None:
    model = PathVAE(**TINY)
    model.fit(kg, [some(kg), PathArrays.from_paths(kg, [])])
    assert not np.array_equal(model.encode(some(kg)), tiny.encode(some(kg)))
    assert 200 < model.report_["paths"] + model.report_["validation"] <= 300


@pytest.mark.parametrize("cell", CELLS)
def test_every_cell_learns_and_comes_back(kg: kgpath.Graph, cell: str, tmp_path: Path) -> None:
    model = PathVAE(**TINY, cell=cell)
    model.fit(kg, [])
    model.save(tmp_path)
    again = PathVAE(**model.options())
    again.load(tmp_path)
    rows = again.encode(some(kg))
    assert np.array_equal(rows, model.encode(some(kg)))
    assert rows.shape == (len(some(kg)), 4)
    assert again.report_ == model.report_


def test_the_seed_decides(kg: kgpath.Graph, tiny: PathVAE) -> None:
    import torch

    torch.manual_seed(5)  # what others draw does not count, and they go on as if nobody had
    expected = torch.rand(1)
    torch.manual_seed(5)
    same, other = PathVAE(**TINY), PathVAE(**TINY, seed=1)
    same.fit(kg, [])
    assert torch.equal(torch.rand(1), expected)
    other.fit(kg, [])
    assert np.array_equal(same.encode(some(kg)), tiny.encode(some(kg)))
    assert not np.allclose(other.encode(some(kg)), tiny.encode(some(kg)))


def test_training_stops_when_its_time_is_over(kg: kgpath.Graph, monkeypatch) -> None:
    from kgpath.encoders.path import vae_training

    clock = SimpleNamespace(monotonic=count(step=20).__next__)  # looked at after each batch
    monkeypatch.setattr(vae_training, "time", clock)
    learned, usual = [], vae_training._learn
    monkeypatch.setattr(
        vae_training, "_learn", lambda *args: learned.append(args[1]) or usual(*args)
    )
    model = PathVAE(**{**TINY, "epochs": 10_000}, budget=2)
    model.fit(kg, [])
    # The seventh batch ends after more than two minutes.
    assert model.report_["minutes"] == 2.33
    batches = sum(1 for _ in vae_training._batches(learned[0], np.random.default_rng(0)))
    assert batches > 1 and model.report_["epochs"] == 6 // batches


def test_what_the_time_stopped_is_not_cached(
    kg: kgpath.Graph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path))
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    stopped = PathVAE(**{**TINY, "epochs": 2}, budget=1e-9)
    stopped.fit(kg, [])
    assert stopped.report_["epochs"] < 2 and not list(tmp_path.glob("learned/*"))
    whole = PathVAE(**{**TINY, "epochs": 2})
    whole.fit(kg, [])
    assert whole.report_["epochs"] == 2 and len(list(tmp_path.glob("learned/*"))) == 1


def test_an_interrupted_training_leaves_what_was_learned_before(
    kg: kgpath.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kgpath.encoders.path import vae_training as path_vae_training

    model = PathVAE(**TINY)
    model.fit(kg, [])
    before, report = model.encode(some(kg)), model.report_

    def interrupt(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(path_vae_training, "_loss", interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.fit(kg, [])
    assert np.array_equal(model.encode(some(kg)), before)
    assert model.report_ is report


def test_an_interrupted_save_leaves_the_old_model_whole(
    kg: kgpath.Graph, tiny: PathVAE, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny.save(tmp_path)
    files = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def interrupt(*args: object) -> None:
        raise KeyboardInterrupt

    for target in ("replace", "write_bytes"):
        with monkeypatch.context() as patch:
            patch.setattr(os if target == "replace" else Path, target, interrupt)
            with pytest.raises(KeyboardInterrupt):
                tiny.save(tmp_path)
            with pytest.raises(KeyboardInterrupt):
                tiny.save(tmp_path / target)
        assert {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()} == files
        assert not any((tmp_path / target).iterdir())


def test_models_that_cannot_be_read_say_so(tiny: PathVAE, tmp_path: Path) -> None:
    with pytest.raises(BadStore, match="is missing: the model is not whole"):
        PathVAE(**TINY).load(tmp_path)
    tiny.save(tmp_path)
    with pytest.raises(BadStore, match="cannot be read") as raised:
        PathVAE(**{**TINY, "hidden": 16}).load(tmp_path)
    assert "\n" not in str(raised.value)
    whole = (tmp_path / "path_vae.safetensors").read_bytes()
    for damaged in (whole[:100], b"", whole[:-400] + b"\xff" * 400):
        (tmp_path / "path_vae.safetensors").write_bytes(damaged)
        with pytest.raises(BadStore, match="Train the model again"):
            PathVAE(**TINY).load(tmp_path)


def test_other_vectors_than_those_learned_from_are_refused(tiny: PathVAE, tmp_path: Path) -> None:
    kgpath.build(sample_files(), tmp_path / "other.kg")
    with kgpath.open(tmp_path / "other.kg") as other:
        entities, relations = (
            np.random.default_rng(n).normal(size=(n, 32)).astype(np.float32)
            for n in (len(other), len(other.store.relations))
        )
        Embedding(entities, relations).save(folder_of(other), other.fingerprint)
        with pytest.raises(BadStore, match="other TransE vectors"):
            tiny.encode(some(other))


def test_who_has_not_learned_says_so(kg: kgpath.Graph, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="has not learned yet"):
        PathVAE().encode(some(kg))
    with pytest.raises(BadOption, match="has not learned yet"):
        PathVAE().save(tmp_path)


def test_without_torch_it_says_what_to_install(
    kg: kgpath.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("vae_elements", "vae_network", "vae_training"):
        monkeypatch.delitem(sys.modules, f"kgpath.encoders.path.{name}", raising=False)
        monkeypatch.delattr(kgpath.encoders.path, name, raising=False)
    with pytest.raises(MissingExtra, match=r'needs torch.*pip install "kgpath\[neural\]"'):
        PATH_ENCODERS.make("path-vae").fit(kg, [])


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        ("cell=gru", "cell is 'gru'; it can be lstm, bilstm, transformer."),
        ("hidden=10", "hidden is 10; it can be a multiple of 4."),
        ("latent=0", "latent is 0; it can be 1 or more."),
        ("epochs=1.5", "epochs is 1.5; it can be a whole number."),
        ("beta=-1", "beta is -1; it can be 0 or more."),
        ("dropout=1", "dropout is 1; it can be from 0 to under 1."),
        ("budget=0", "budget is 0; it can be a number of minutes above 0."),
    ],
)
def test_options_that_make_no_sense_are_refused(option: str, complaint: str) -> None:
    with pytest.raises(BadOption, match=complaint):
        PATH_ENCODERS.make(f"path-vae({option})")


def test_an_interrupted_training_goes_on_and_ends_as_one_in_one_go(
    kg: kgpath.Graph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys
) -> None:
    from kgpath.encoders.path import vae_training

    options = {**TINY, "epochs": 4}
    whole = PathVAE(**options)
    whole.fit(kg, [])
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path))
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    monkeypatch.setattr(vae_training, "EVERY", -1.0)  # a state is written after every epoch
    usual, epochs = vae_training._batches, count()

    def batches(*args: Any) -> Any:
        if next(epochs) == 3:  # the first call counts the batches
            raise KeyboardInterrupt
        return usual(*args)

    with monkeypatch.context() as patch:
        patch.setattr(vae_training, "_batches", batches)
        with pytest.raises(KeyboardInterrupt):
            PathVAE(**options).fit(kg, [])
    (state,) = tmp_path.glob("tuning/*/*.safetensors")
    assert b"pickle" not in state.read_bytes()
    resumed = PathVAE(**options)
    resumed.fit(kg, [])
    assert "path-vae: goes on after epoch 2 of 4" in capsys.readouterr().err
    assert np.array_equal(resumed.encode(some(kg)), whole.encode(some(kg)))
    times = {"minutes": 0}
    assert resumed.report_ | times == whole.report_ | times
    assert not list(tmp_path.glob("tuning/*")) and len(list(tmp_path.glob("learned/*"))) == 1


def test_a_damaged_state_begins_again(
    kg: kgpath.Graph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys
) -> None:
    from safetensors import safe_open
    from safetensors.torch import save_file

    from kgpath.encoders.path import vae_training

    options = {**TINY, "epochs": 2}
    whole = PathVAE(**options)
    whole.fit(kg, [])
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path))
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    monkeypatch.setattr(vae_training, "EVERY", -1.0)
    with monkeypatch.context() as patch:
        patch.setattr(vae_training, "reconstruction", _interrupt)
        with pytest.raises(KeyboardInterrupt):
            PathVAE(**options).fit(kg, [])
    (state,) = tmp_path.glob("tuning/*/*.safetensors")
    with safe_open(state, "pt") as file:
        weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        told = json.loads(file.metadata()["state"])
    told["draws"]["torch"] = "00"
    save_file(weights, state, {"state": json.dumps(told)})
    again = PathVAE(**options)
    again.fit(kg, [])
    assert "goes on" not in capsys.readouterr().err
    assert np.array_equal(again.encode(some(kg)), whole.encode(some(kg)))


def test_the_paths_of_a_small_graph_are_its_share(kg: kgpath.Graph) -> None:
    # 100,000 · 2,822 / 40,000, of which some are drawn twice.
    drawn = PathVAE()._paths(kg, [])
    assert len(drawn.lengths) == len(PathVAE(paths=7055)._paths(kg, []).lengths)
    assert 6000 < len(drawn.lengths) < 7055


def _interrupt(*args: Any) -> Any:
    raise KeyboardInterrupt
