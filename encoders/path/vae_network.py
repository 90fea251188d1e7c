"""The network of path-VAE: two readings of a path in, a Gaussian out, and a path decoded from it.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

import math
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

# The logarithm of a variance stays between these: exp() of more is of no use.
_LOG_VARIANCE = (-10.0, 4.0)
_HEADS = 4
# Logits are dot products with unit vectors: to be sure of one, they must be large from the start.
_SHARPNESS = 8.0


class Network(nn.Module):
    """Section 5 of Lo & Lim (2023). Batches hold paths of one length: nothing is padded.

    Elements are entity, relation, entity, …: even places are entities, odd ones relations.
    """

    def __init__(self, size: int, hidden: int, latent: int, cell: str) -> None:
        super().__init__()
        self.reader = _reader(size + 1, hidden, cell)
        self.mean = nn.Linear(2 * hidden, latent)
        self.log_variance = nn.Linear(2 * hidden, latent)
        self.decoder = nn.LSTM(size + latent, hidden, batch_first=True)
        self.begin = nn.Linear(latent, hidden)
        self.entity = nn.Linear(hidden + latent, size)
        self.relation = nn.Linear(hidden + latent, size)
        #: What the decoder reads before the first element, and in place of a dropped one.
        self.blank = nn.Parameter(torch.zeros(size))

    def posterior(self, one: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and log variance of a path's latent vector, from both of its readings.

        They have a number more than an element: 1 for a relation walked forward, -1 backward.
        """
        # "Covariance matrix" and "+ σ² ⊙ ε" in the paper: a diagonal, and σ is meant.
        read = (self._read(one) + self._read(other)) / 2
        return self.mean(read), self.log_variance(read).clamp(*_LOG_VARIANCE)

    def decode(self, z: Tensor, elements: Tensor, dropped: Tensor) -> Tensor:
        """A vector for each element of a reading, given those before it that are not dropped."""
        blank = self.blank.expand(len(z), 1, -1)
        before = torch.cat([blank, elements[:, :-1]], dim=1)
        before = torch.where(dropped[..., None], self.blank, before)
        every_step = z[:, None].expand(-1, before.shape[1], -1)
        states, _ = self.decoder(torch.cat([before, every_step], dim=2), self._first_state(z))
        return self._heads(torch.cat([states, every_step], dim=2), 0)

    def step(
        self, z: Tensor, before: Tensor | None, place: int, state: tuple[Tensor, Tensor] | None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """One element more, for decoding without the true ones."""
        last = self.blank.expand(len(z), -1) if before is None else before
        state = state or self._first_state(z)
        states, state = self.decoder(torch.cat([last, z], dim=1)[:, None], state)
        return self._heads(torch.cat([states, z[:, None]], dim=2), place)[:, 0], state

    def _first_state(self, z: Tensor) -> tuple[Tensor, Tensor]:
        cell = self.begin(z)[None]
        return cell.tanh(), cell

    def _heads(self, states: Tensor, place: int) -> Tensor:
        entities, relations = self.entity(states), self.relation(states)
        odd = (torch.arange(states.shape[1]) + place) % 2 == 1
        return torch.where(odd[:, None], relations, entities) * _SHARPNESS

    def _read(self, elements: Tensor) -> Tensor:
        # Mean and last state: from the last alone, LSTM encoders lose early elements, and the
        # latent vector is then ignored (arXiv 1911.03976).
        states = self.reader(elements)
        return torch.cat([states.mean(dim=1), states[:, -1]], dim=1)


class _Recurrent(nn.Module):
    def __init__(self, size: int, hidden: int, both: bool) -> None:
        super().__init__()
        width = hidden // 2 if both else hidden
        self.lstm = nn.LSTM(size, width, batch_first=True, bidirectional=both)

    def forward(self, elements: Tensor) -> Tensor:
        return cast(Tensor, self.lstm(elements)[0])


class _Attentive(nn.Module):
    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.widen = nn.Linear(size, hidden)
        layer = nn.TransformerEncoderLayer(
            hidden, _HEADS, 2 * hidden, dropout=0.0, batch_first=True
        )
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)

    def forward(self, elements: Tensor) -> Tensor:
        wide = self.widen(elements)
        return cast(Tensor, self.layers(wide + _positions(wide.shape[1], wide.shape[2])))


def _positions(length: int, width: int) -> Tensor:
    """Sines and cosines of many wavelengths, so that paths of any length have places."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(1000.0) / width))
    angles = torch.arange(length)[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=1)


def _reader(size: int, hidden: int, cell: str) -> nn.Module:
    if cell == "transformer":
        return _Attentive(size, hidden)
    return _Recurrent(size, hidden, both=cell == "bilstm")


def kl_by_dimension(mean: Tensor, log_variance: Tensor) -> Tensor:
    """KL divergence from the standard normal of each path (rows) and dimension, in nats."""
    return 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance)


def true_against_others(guess: Tensor, true: Tensor, others: Tensor, same: Tensor) -> Tensor:
    """Logits by dot product: the true element in column 0, then the others less what is the same.

    ``guess`` and ``true`` are (…, size), ``others`` (n, size), ``same`` (…, n).
    """
    right = (guess * true).sum(dim=-1, keepdim=True)
    wrong = (guess @ others.T).masked_fill(same, -torch.inf)
    return torch.cat([right, wrong], dim=-1)


def cross_entropy(logits: Tensor) -> Tensor:
    """Nats for column 0."""
    target = torch.zeros(logits.shape[:-1], dtype=torch.long)
    return functional.cross_entropy(logits.flatten(0, -2), target.flatten(), reduction="sum")
