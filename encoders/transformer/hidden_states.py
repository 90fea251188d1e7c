"""From words to hidden states: what a transformer is given, and what it makes of it.

Needs torch; imported only where a model is trained or used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kgpath.encoders.transformer.base_model import Base
from kgpath.io.one_thread import one_thread

Places = NDArray[np.int64]
#: A text is read in chunks of at most so many tokens, each with so many of the one before.
CHUNK, OVERLAP = 256, 64


class Chunk(NamedTuple):
    """What a model reads at once: token ids, and for each where in the text it stands.

    ``places`` has the first and last character of each token, -1 for what is not of the text.
    ``types`` tell parts of a sequence apart; ``positions`` and ``visible`` (which token sees
    which) are as usual where they are not given.
    """

    ids: list[int]
    places: Places
    types: list[int] | None = None
    positions: list[int] | None = None
    visible: NDArray[np.bool_] | None = None


def framed(base: Base, *parts: Sequence[int]) -> Chunk:
    """[CLS] part [SEP] part [SEP] …, with the parts of two kinds by turns."""
    ids, types = [base.tokenizer.cls_token_id], [0]
    for number, part in enumerate(parts):
        ids += [*part, base.tokenizer.sep_token_id]
        types += [number % 2] * (len(part) + 1)
    return Chunk(ids, np.full((len(ids), 2), -1), types)


def chunks_of(base: Base, text: str) -> list[Chunk]:
    """A text as a model reads it; a long one in chunks that overlap."""
    ids, places = tokens_of(base, text)
    return [
        Chunk(
            [base.tokenizer.cls_token_id, *ids[first:last], base.tokenizer.sep_token_id],
            np.pad(places[first:last], ((1, 1), (0, 0)), constant_values=-1),
        )
        for first, last in overlapping(len(ids), min(CHUNK, base.longest) - 2)
    ]


def tokens_of(base: Base, text: str) -> tuple[list[int], Places]:
    """The token ids of a text, and where each token begins and ends in it."""
    found = base.tokenizer(
        # Half of a character that a damaged text may have is no text for tokenizers.
        text.encode("utf-8", "replace").decode(),
        add_special_tokens=False,
        return_offsets_mapping=True,
        verbose=False,
    )
    return list(found["input_ids"]), np.array(found["offset_mapping"], np.int64).reshape(-1, 2)


def overlapping(length: int, size: int) -> Iterator[tuple[int, int]]:
    """Spans of a sequence such that each has part of the one before.

    >>> list(overlapping(10, 300)), list(overlapping(300, 150))
    ([(0, 10)], [(0, 150), (113, 263), (226, 300)])
    """
    step = max(1, size - min(OVERLAP, size // 4))
    first = 0
    while True:
        yield first, min(first + size, length)
        if first + size >= length:
            return
        first += step


def hidden_states(base: Base, chunks: Sequence[Chunk]) -> Tensor:
    """The last hidden states, of shape (chunks, longest, dimensions); padded at the end."""
    length = max(len(chunk.ids) for chunk in chunks)
    padding = base.tokenizer.pad_token_id
    ids = [chunk.ids + [padding] * (length - len(chunk.ids)) for chunk in chunks]
    given = {"input_ids": torch.tensor(ids), "attention_mask": _mask(chunks, length)}
    if any(chunk.types for chunk in chunks) and "token_type_ids" in base.takes:
        kinds = getattr(base.model.config, "type_vocab_size", 1)
        types = [[min(kind, kinds - 1) for kind in chunk.types or ()] for chunk in chunks]
        given["token_type_ids"] = _padded(types, length)
    if any(chunk.positions is not None for chunk in chunks):
        usual = range(length)
        rows = [usual[: len(p.ids)] if p.positions is None else p.positions for p in chunks]
        given["position_ids"] = _padded(rows, length) + base.first_position
    states: Tensor = base.model(**given).last_hidden_state
    return states


class TextStates(NamedTuple):
    """The states of a text's tokens, where each stands, and the first state of each chunk."""

    states: NDArray[np.float32]
    places: Places
    first: NDArray[np.float32]


def read_text(base: Base, chunks: Sequence[Chunk]) -> TextStates:
    """The states of a text that is read in chunks.

    A token that is in two of them has the state of the one in which it stands further inside.
    """
    found: dict[tuple[int, int], tuple[int, NDArray[np.float32]]] = {}
    firsts = []
    with one_thread(), torch.inference_mode():
        # One by one: in company the same chunk would have other last digits.
        for chunk in chunks:
            states = hidden_states(base, [chunk])[0].numpy()
            firsts.append(states[0])
            of_text = np.flatnonzero(chunk.places[:, 0] >= 0).tolist()
            for number, at in enumerate(of_text):
                inside = min(number, len(of_text) - 1 - number)
                start, end = chunk.places[at].tolist()
                if (start, end) not in found or found[start, end][0] < inside:
                    found[start, end] = inside, states[at]
    places = sorted(found)
    return TextStates(
        np.array([found[place][1] for place in places], np.float32).reshape(-1, base.size),
        np.array(places, np.int64).reshape(-1, 2),
        np.array(firsts, np.float32).reshape(-1, base.size),
    )


def lengths_of(chunks: Sequence[Chunk]) -> Tensor:
    """True for the tokens, False for the padding."""
    lengths = torch.tensor([len(chunk.ids) for chunk in chunks])
    return torch.arange(int(lengths.max()))[None] < lengths[:, None]


def means(base: Base, chunks: Sequence[Chunk]) -> Tensor:
    """The mean over all tokens of each chunk."""
    states = hidden_states(base, chunks)
    real = lengths_of(chunks)[..., None].to(states.dtype)
    return (states * real).sum(dim=1) / real.sum(dim=1)


def _mask(chunks: Sequence[Chunk], length: int) -> Tensor:
    """Which tokens are seen: by all, or of each by each where a chunk says so."""
    if all(chunk.visible is None for chunk in chunks):
        return lengths_of(chunks).long()
    mask = np.zeros((len(chunks), 1, length, length), dtype=np.bool_)
    for row, chunk in zip(mask, chunks, strict=True):
        size = len(chunk.ids)
        row[0, :size, :size] = True if chunk.visible is None else chunk.visible
        # Padding sees itself: a token that sees nothing would have no number.
        row[0, range(size, length), range(size, length)] = True
    return torch.from_numpy(mask)


def _padded(rows: Sequence[Sequence[int]], length: int) -> Tensor:
    return torch.tensor([[*row, *[0] * (length - len(row))] for row in rows])


def by_size(chunks: Sequence[Chunk], batch: int) -> Iterator[list[int]]:
    """The places of chunks in batches of about one length, so that little is padded."""
    order = sorted(range(len(chunks)), key=lambda at: (len(chunks[at].ids), at))
    for at in range(0, len(order), batch):
        yield order[at : at + batch]
