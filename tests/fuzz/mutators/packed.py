"""Files packed by gzip or bzip2: whole, cut off, damaged, in several parts, or only by name."""

from __future__ import annotations

import bz2
import gzip
from random import Random

from fuzz.mutators.raw import flip_bits


def mutated(rng: Random, name: str, data: bytes) -> tuple[str, bytes]:
    """The file under a name that says how it is packed; that may be a lie."""
    ending = rng.choice((".gz", ".gz", ".bz2"))
    pack = gzip_bytes if ending == ".gz" else bz2.compress
    packed = pack(data)
    match rng.randrange(6):
        case 0:
            packed = packed[: rng.randint(0, len(packed))]
        case 1:
            packed = flip_bits(rng, packed)
        case 2:
            packed += pack(data)
        case 3:
            packed += rng.choice((b"\0" * 100, b"not packed", packed[:10]))
        case 4:
            packed = data
    return name + ending, packed


def gzip_bytes(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)
