"""How path-VAE learns: the evidence lower bound, and what keeps the latent vector in use.

An auto-regressive decoder likes to ignore the latent vector ("posterior collapse"); then all
paths are alike. Against it: the KL term grows from 0 in cycles (arXiv 1903.10145), costs nothing
below some free bits, and the decoder misses part of what it has decoded before.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from kgpath.encoders.checkpoint import Checkpoint, State
from kgpath.encoders.path.path_rows import Ids, by_length, reversed_rows
from kgpath.encoders.path.vae_elements import Elements, Others, scales_of
from kgpath.encoders.path.vae_network import Network, cross_entropy, kl_by_dimension
from kgpath.encoders.vectors.embedding import Embedding
from kgpath.io.one_thread import one_thread
from kgpath.io.progress import Steps, note, tell
from kgpath.paths.path_arrays import PathArrays

#: A state is written after an epoch when so many seconds are over.
EVERY = 3.0
#: A dimension is in use if the means of paths vary by more than this (Burda et al., 2016).
ACTIVE = 0.01
BATCH = 128
# Attention collapses with the steps that LSTMs like.
_RATES = {"lstm": 7e-3, "bilstm": 7e-3, "transformer": 2e-3}
_GRADIENT = 5.0


@dataclass(frozen=True)
class Settings:
    """What can be chosen about network and training: :class:`kgpath.encoders.path.vae.PathVAE`."""

    hidden: int
    latent: int
    cell: str
    beta: float
    cycles: int
    free_bits: float
    dropout: float
    epochs: int
    seed: int
    budget: float


def train(
    paths: PathArrays,
    validation: PathArrays,
    embedding: Embedding,
    settings: Settings,
    checkpoint: Checkpoint,
) -> tuple[Network, dict[str, Any]]:
    """A network that has learned from paths, and a report on paths that it has not seen."""
    elements = Elements(embedding, scales_of(embedding))
    rng = np.random.default_rng(settings.seed)
    with one_thread(), torch.random.fork_rng(devices=[]):
        torch.manual_seed(settings.seed)
        network = Network(embedding.size, settings.hidden, settings.latent, settings.cell)
        state = _learn(network, paths, elements, settings, rng, checkpoint)
        network.eval()
        tell("measuring path-vae")
        report = reconstruction(network, validation, elements, settings.seed)
    report |= {
        "paths": len(paths.lengths),
        "epochs": state.step,
        "minutes": round(state.seconds / 60, 2),
    }
    return network, report


def _learn(
    network: Network,
    paths: PathArrays,
    elements: Elements,
    settings: Settings,
    rng: np.random.Generator,
    checkpoint: Checkpoint,
) -> State:
    """Train in place, for as many epochs as the time allows for."""
    rate = _RATES[settings.cell]
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    parameters = dict(network.named_parameters())
    state = checkpoint.read(parameters, optimizer, rng) or State()
    if state.step:
        note(f"path-vae: goes on after epoch {state.step:,} of {settings.epochs:,}")
    in_epoch = sum(1 for _ in _batches(paths, np.random.default_rng(0)))
    step, steps = state.step * in_epoch, settings.epochs * in_epoch
    written, began = state.seconds, time.monotonic() - state.seconds
    left = 60 * settings.budget - state.seconds
    progress = Steps("training path-vae", steps, done=step, most=left)
    for epoch in range(state.step, settings.epochs):
        for vertices, codes in _batches(paths, rng):
            progress.at(step)
            for group in optimizer.param_groups:  # ever smaller steps, to settle
                group["lr"] = rate * max(0.05, 1 - step / steps)
            loss = _loss(
                network, vertices, codes, elements, settings, beta_at(step, steps, settings), rng
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), _GRADIENT)
            optimizer.step()
            step += 1
            state.seconds = time.monotonic() - began
            if state.seconds > 60 * settings.budget:
                return state
        state.step = epoch + 1
        if state.seconds - written > EVERY:
            checkpoint.write(state, parameters, optimizer, rng)
            written = state.seconds
    return state


def beta_at(step: int, steps: int, settings: Settings) -> float:
    """The weight of the KL term: from 0 to beta in the first half of each cycle, then beta."""
    if not settings.cycles:
        return settings.beta
    part = (step * settings.cycles / max(steps, 1)) % 1
    return settings.beta * min(1.0, 2 * part)


def _batches(paths: PathArrays, rng: np.random.Generator) -> Iterator[tuple[Ids, Ids]]:
    """All paths in random batches of one length, each in one of its two readings."""
    chunks = []
    for length, rows in by_length(paths.lengths):
        rows = rng.permutation(rows)
        chunks += [(length, rows[at : at + BATCH]) for at in range(0, len(rows), BATCH)]
    for place in rng.permutation(len(chunks)).tolist():
        length, rows = chunks[place]
        vertices, codes = paths.vertices[rows, : length + 1], paths.hop_codes[rows, :length]
        back = rng.random(len(rows)) < 0.5
        vertices[back], codes[back] = reversed_rows(vertices[back], codes[back])
        yield vertices, codes


def _loss(
    network: Network,
    vertices: Ids,
    codes: Ids,
    elements: Elements,
    settings: Settings,
    beta: float,
    rng: np.random.Generator,
) -> Tensor:
    """The negative evidence lower bound of a batch (equation 2, which prints its sign wrongly)."""
    mean, log_variance = network.posterior(*elements.read(vertices, codes))
    one = elements.of(vertices, codes)
    z = mean + (log_variance / 2).exp() * torch.randn_like(mean)
    dropped = torch.rand(one.shape[:2]) < settings.dropout
    guesses = network.decode(z, one, dropped)
    others = Others.drawn(vertices, codes, elements, rng)
    nats = torch.zeros(())
    for place in (0, 1):
        logits = others.logits(guesses[:, place::2], one[:, place::2], place)
        nats = nats + cross_entropy(logits)
    # Free bits count for the mean over the batch: single paths may need less of a dimension.
    kl = kl_by_dimension(mean, log_variance).mean(dim=0).clamp(min=settings.free_bits).sum()
    return nats / len(vertices) + beta * kl


@torch.no_grad()
def reconstruction(
    network: Network, paths: PathArrays, elements: Elements, seed: int
) -> dict[str, Any]:
    """What the latent vectors of paths hold, and whether the decoder needs them.

    Decoded is without the true elements: each step goes on from the one that was ranked first.
    """
    rng = np.random.default_rng(seed)
    means, kls, right, shuffled, places = [], [], 0.0, 0.0, 0
    for vertices, codes in _batches(paths, rng):
        mean, log_variance = network.posterior(*elements.read(vertices, codes))
        one = elements.of(vertices, codes)
        others = Others.drawn(vertices, codes, elements, rng)
        right += _ranked_first(network, mean, one, others)
        # By one place: nobody keeps its own.
        shuffled += _ranked_first(network, mean.roll(1, dims=0), one, others)
        places += one.shape[0] * one.shape[1]
        means.append(mean)
        kls.append(kl_by_dimension(mean, log_variance))
    if not means:
        return {}
    kl = torch.cat(kls).mean(dim=0)
    active = int((torch.cat(means).var(dim=0) > ACTIVE).sum())
    return {
        "validation": len(paths.lengths),
        "active": active,
        "latent": len(kl),
        "kl": round(float(kl.sum()), 4),
        "kl_least": round(float(kl.min()), 4),
        "kl_median": round(float(kl.median()), 4),
        "kl_most": round(float(kl.max()), 4),
        "reconstructed": round(right / places, 4),
        "reconstructed_shuffled": round(shuffled / places, 4),
    }


def _ranked_first(network: Network, z: Tensor, true: Tensor, others: Others) -> float:
    """How many elements are ranked before all others, decoded from nothing but z."""
    right, before, state = 0.0, None, None
    for place in range(true.shape[1]):
        guess, state = network.step(z, before, place, state)
        best = others.logits_at(guess, true[:, place], place).argmax(dim=1)
        right += float((best == 0).sum())
        chosen = others.vectors[place % 2][(best - 1).clamp(min=0)]
        before = torch.where((best == 0)[:, None], true[:, place], chosen)
    return right
