"""Folders of trained models: a file altered by its kind, and checksums that fit all the same."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from itertools import pairwise
from random import Random

from fuzz.mutators import arrays, json_text, raw

MANIFEST = "model.json"
Files = dict[str, bytes]
_RANKERS = (
    "shortest", "kgpath-ltr", "binary(context_encoder=avg-word(vectors=/etc/passwd))", "random()",
    "kgpath-ltr(encoder=minilm(model=/tmp))", "xendcg(" * 3000, "score-ltr(ranker=score-ltr)",
    "binary(hidden=99999999999)", "kgpath-ltr(trees=1e999)", "os:system", "", "a" * 100_000,
)  # fmt: skip
_NAMES = ("../outside.txt", "/etc/passwd", "", ".", "a/../../b", "model.json", "x\x00y", "\ud800")
_LINE = re.compile(rb"^(\w+)=(.+)$", re.MULTILINE)


def mutated(rng: Random, files: Mapping[str, bytes]) -> tuple[Files, bool]:
    """The altered files, and whether the checksums fit them."""
    changed = dict(files)
    kind = rng.randrange(10)
    if kind == 0:
        changed[MANIFEST] = _manifest(rng, files[MANIFEST])
        return changed, True
    if kind == 1:
        name = rng.choice(sorted(changed.keys() - {MANIFEST}))
        if rng.random() < 0.5:
            del changed[name]
        else:
            changed[rng.choice(("extra.txt", "more/extra.npy", ".hidden"))] = b"stray"
        return changed, False
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice(sorted(changed.keys() - {MANIFEST}))
        changed[name] = _file(rng, name, changed[name])
    if kind == 2 and changed != dict(files):
        return changed, False
    return with_checksums(changed), True


def with_checksums(files: Mapping[str, bytes]) -> Files:
    """The same files with a manifest that has their checksums."""
    about = json.loads(files[MANIFEST])
    others = sorted(files.keys() - {MANIFEST})
    about["files"] = {name: hashlib.sha256(files[name]).hexdigest() for name in others}
    return {**files, MANIFEST: json.dumps(about).encode()}


def _manifest(rng: Random, data: bytes) -> bytes:
    about = json.loads(data)
    match rng.randrange(4):
        case 0:
            about["ranker"] = rng.choice(_RANKERS)
        case 1:
            name = rng.choice(sorted(about["files"]))
            about["files"][rng.choice(_NAMES)] = about["files"].pop(name)
        case 2:
            about["files"][rng.choice(_NAMES)] = "0" * 64
        case _:
            return json_text.mutated(rng, data) or b""
    return json.dumps(about).encode()


def _file(rng: Random, name: str, data: bytes) -> bytes:
    if name.endswith(".npy"):
        return arrays.mutated(rng, data)
    if name.endswith(".json"):
        return json_text.mutated(rng, data) or raw.mutated(rng, data)
    if name.endswith(".safetensors"):
        return _safetensors(rng, data)
    return _trees(rng, data) if b"Tree=" in data and rng.random() < 0.8 else raw.mutated(rng, data)


def _trees(rng: Random, data: bytes) -> bytes:
    """A number, or a line, of LightGBM's text: indices, counts and sizes."""
    for _ in range(rng.choice((1, 1, 3))):
        found = list(_LINE.finditer(data))
        if not found:
            break
        line = rng.choice(found)
        values = line.group(2).split()
        at = rng.randrange(len(values))
        match rng.randrange(5):
            case 0 | 1 | 2:
                values[at] = rng.choice((*raw.NUMBERS, b"7", b"-2", b"-9", b"300"))
            case 3:
                del values[at]
            case 4:
                values += values[at:] * rng.choice((1, 50))
        new = line.group(1) + b"=" + b" ".join(values)
        if rng.random() < 0.1:
            new = b""
        data = data[: line.start()] + new + data[line.end() :]
    return with_tree_sizes(data) if rng.random() < 0.7 else data


def with_tree_sizes(data: bytes) -> bytes:
    """The text with the sizes of its trees as they are now: else it is given up at the first."""
    end = data.find(b"end of trees") % (len(data) + 1)  # the end of all, where it is missing
    starts = [match.start() for match in re.finditer(rb"^Tree=", data[:end], re.MULTILINE)]
    sizes = [b - a for a, b in pairwise([*starts, end])]
    line = b"tree_sizes=" + b" ".join(b"%d" % size for size in sizes)
    return re.sub(rb"^tree_sizes=.*$", line, data, count=1, flags=re.MULTILINE)


def _safetensors(rng: Random, data: bytes) -> bytes:
    length = int.from_bytes(data[:8], "little")
    header, body = data[8 : 8 + length], data[8 + length :]
    match rng.randrange(4):
        case 0:
            header = json_text.mutated(rng, header) or header
        case 1:
            size = rng.choice((0, 1, length - 1, length + 8, 2**31, 2**62, 2**64 - 1))
            return size.to_bytes(8, "little") + header + body
        case 2:
            body = raw.mutated(rng, body)
        case 3:
            header = raw.change_number(rng, header)
    return len(header).to_bytes(8, "little") + header + body
