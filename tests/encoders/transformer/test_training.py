"""Tuning a transformer: interrupted, resumed, out of time and out of memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kgpath
from kgpath.encoders.transformer.contextual import Contextual
from kgpath.encoders.transformer.kepler import Kepler
from kgpath.encoders.transformer.kg_bert import KgBert
from kgpath.errors import BadOption
from kgpath.io.progress import reporting

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from kgpath.encoders.transformer import training as transformer_training  # noqa: E402
from kgpath.encoders.transformer.joint_objective import Joint  # noqa: E402
from kgpath.encoders.transformer.training import _pace, is_out_of_memory  # noqa: E402


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cache folder of this test; a state is written after every step."""
    monkeypatch.setenv("KGPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    monkeypatch.setattr(transformer_training, "EVERY", -1.0)
    monkeypatch.setattr(transformer_training, "_WRITING", float("inf"))
    return tmp_path / "cache"


def made(base: str, kind: type[Contextual] = KgBert, **options: object) -> Contextual:
    chosen = {"base": base, "layers": 1, "steps": 6, "batch": 4, **options}
    return kind(**chosen)  # type: ignore[arg-type,call-arg]


def weights(encoder: Contextual) -> dict[str, np.ndarray]:
    return {name: weight.detach().numpy().copy() for name, weight in encoder.tuned().items()}


def same(one: Contextual, other: Contextual) -> bool:
    mine, theirs = weights(one), weights(other)
    return all(np.array_equal(mine[name], theirs[name]) for name in mine)


@pytest.mark.parametrize("kind", [KgBert, Kepler])
def test_a_resumed_training_ends_as_one_in_one_go(
    kind, tiny_bert: str, film: kgpath.Graph, cache: Path, monkeypatch, capsys
) -> None:
    whole = made(tiny_bert, kind)
    monkeypatch.setenv("KGPATH_USE_CACHE", "0")
    whole.fit(film)
    monkeypatch.setenv("KGPATH_USE_CACHE", "1")
    broken = made(tiny_bert, kind)
    with monkeypatch.context() as patch:
        _interrupt(patch, after=3)
        with pytest.raises(KeyboardInterrupt):
            broken.fit(film)
    assert not broken.has_learned and not list((cache / "tuned").glob("*"))
    (state,) = cache.glob("tuning/*/*.safetensors")
    assert b"pickle" not in state.read_bytes()
    resumed = made(tiny_bert, kind)
    resumed.fit(film)
    assert f"{kind.name}: goes on after step 3 of 6" in capsys.readouterr().err
    assert same(whole, resumed)
    assert not list(cache.glob("tuning/*/*")) and len(list((cache / "tuned").iterdir())) == 1


def _interrupt(patch: pytest.MonkeyPatch, after: int) -> None:
    calls = []
    usual = Joint.sample

    def sample(self, rng, size):
        calls.append(1)
        if len(calls) > after:
            raise KeyboardInterrupt
        return usual(self, rng, size)

    patch.setattr(Joint, "sample", sample)


@pytest.mark.slow
def test_a_killed_process_leaves_a_state_to_go_on_from(
    tiny_bert: str, film_path: Path, film: kgpath.Graph, cache: Path, capsys
) -> None:
    code = f"""
import os, signal
import kgpath
from kgpath.encoders.transformer import training as transformer_training
from kgpath.encoders.transformer.kg_bert import KgBert
transformer_training.EVERY, transformer_training._WRITING = -1.0, float('inf')
usual = transformer_training.Tuning._step
def step(self, number):
    if number == 4:
        os.kill(os.getpid(), signal.SIGKILL)
    usual(self, number)
transformer_training.Tuning._step = step
KgBert(base={tiny_bert!r}, layers=1, steps=6, batch=4).fit(kgpath.open({str(film_path)!r}))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=600)
    assert done.returncode == -9, done.stderr.decode()
    resumed = made(tiny_bert)
    resumed.fit(film)
    assert "goes on after step 4 of 6" in capsys.readouterr().err
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KGPATH_USE_CACHE", "0")
        whole = made(tiny_bert)
        whole.fit(film)
    assert same(whole, resumed)


def test_a_damaged_state_begins_again(tiny_bert, film, cache, monkeypatch, capsys) -> None:
    with monkeypatch.context() as patch:
        _interrupt(patch, after=2)
        with pytest.raises(KeyboardInterrupt):
            made(tiny_bert).fit(film)
    (state,) = cache.glob("tuning/*/*.safetensors")
    state.write_bytes(state.read_bytes()[:1000])
    encoder = made(tiny_bert)
    encoder.fit(film)
    assert encoder.report_["steps"] == 6
    assert "goes on" not in capsys.readouterr().err


def test_time_ends_a_training_and_more_time_goes_on(
    tiny_bert, film, cache, monkeypatch, capsys
) -> None:
    clock = iter(float(second) for second in range(10_000))
    monkeypatch.setattr(transformer_training.time, "monotonic", lambda: next(clock))
    short = made(tiny_bert, steps=500, minutes=0.5)
    short.fit(film)
    assert short.report_["stopped by"] == "time" and 0 < short.report_["steps"] < 50
    printed = capsys.readouterr().err
    assert "for up to 0.5 minutes; longer: kg-bert(steps=…, minutes=…)" in printed
    again = made(tiny_bert, steps=500, minutes=0.5)
    again.fit(film)
    assert again.report_ == short.report_ and same(again, short)
    longer = made(tiny_bert, steps=500, minutes=1)
    longer.fit(film)
    assert longer.report_["steps"] > short.report_["steps"]
    assert f"goes on after step {short.report_['steps']}" in capsys.readouterr().err


def test_out_of_memory_halves_the_batch(tiny_bert, film, monkeypatch, capsys) -> None:
    usual = Joint.losses
    seen = []

    def losses(self, examples):
        seen.append(len(examples))
        if len(examples) > 2:
            torch.empty(10**16)  # asks for more than any machine has
        return usual(self, examples)

    monkeypatch.setattr(Joint, "losses", losses)
    encoder = made(tiny_bert, batch=8, steps=2)
    encoder.fit(film)
    printed = capsys.readouterr().err
    assert "kg-bert: out of memory; the batch is halved, to 4 at once" in printed
    assert "the batch is halved, to 2 at once" in printed
    assert seen == [8, 4, *[2] * 4, *[2] * 4]
    monkeypatch.setattr(Joint, "losses", usual)
    large = made(tiny_bert, batch=8, steps=2)
    large.fit(film)
    halved, full = weights(encoder), weights(large)
    assert all(np.allclose(halved[name], full[name], atol=2e-3) for name in full)


def test_what_does_not_fit_at_all_says_so(tiny_bert, film, monkeypatch) -> None:
    monkeypatch.setattr(Joint, "losses", lambda *_: torch.empty(10**16))
    with pytest.raises(BadOption, match=r"does not fit into memory.*smaller base model"):
        made(tiny_bert).fit(film)


def test_other_errors_are_not_taken_for_it() -> None:
    assert is_out_of_memory(MemoryError())
    assert is_out_of_memory(torch.OutOfMemoryError("CUDA out of memory. Tried to allocate"))
    assert not is_out_of_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))


def test_the_pace_grows_then_shrinks() -> None:
    paces = [_pace(part) for part in np.linspace(0.001, 1, 200)]
    top = int(np.argmax(paces))
    assert paces[0] < 0.05 and max(paces) == pytest.approx(1, abs=0.02)
    assert paces[: top + 1] == sorted(paces[: top + 1])
    assert paces[top:] == sorted(paces[top:], reverse=True) and paces[-1] == 0.05


def test_progress_is_reported(tiny_bert, film, cache, capsys) -> None:
    seen: list[tuple[str, int, int]] = []
    with reporting(lambda *what: seen.append(what)):
        made(tiny_bert).fit(film)
    assert seen[0] == seen[-1] == ("measuring kg-bert", 0, 0)
    tuning = seen[1:-1]
    assert [how_far for _, *how_far in tuning] == [[done, 6] for done in range(6)]
    assert tuning[0][0] == "tuning kg-bert"
    assert tuning[-1][0].startswith("tuning kg-bert: 6 steps, about ")
    printed = capsys.readouterr()
    assert not printed.out
    assert "kg-bert: tunes the last 1 of 2 layers" in printed.err
    assert "true and false facts from 11" in printed.err
    assert "stopped by steps" in printed.err
