"""Past failures in indexes and models: one change each, checksums made right, by name."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable

import numpy as np
from fuzz.mutators.model_folder import with_checksums, with_tree_sizes
from fuzz.seeds import Files

Alter = Callable[[Files], Files]


def _array(name: str, change: Callable[[np.ndarray], np.ndarray]) -> Alter:
    """Another array in the place of the one of that name."""

    def alter(files: Files) -> Files:
        place = next(file for file in files if file.endswith(f"/{name}.npy"))
        stream = io.BytesIO()
        np.save(stream, change(np.load(io.BytesIO(files[place])).copy()))
        return {**files, place: stream.getvalue()}

    return alter


def _header(name: str, text: str) -> Alter:
    """Another header before the numbers."""

    def alter(files: Files) -> Files:
        place = next(file for file in files if file.endswith(f"/{name}.npy"))
        head = text.encode() + b"\n"
        start = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head
        return {**files, place: start + files[place][128:]}

    return alter


def _set(at: int, value: int) -> Callable[[np.ndarray], np.ndarray]:
    def change(array: np.ndarray) -> np.ndarray:
        array[at] = value
        return array

    return change


INDEX: dict[str, Alter] = {
    "neighbours-far-off": _array("neighbours", _set(5, 2**31 - 1)),
    "neighbours-all-far-off": _array("neighbours", lambda a: np.full_like(a, 2**31 - 1)),
    "neighbours-negative": _array("neighbours", lambda a: -1 - a),
    "hop-codes-shifted": _array("hop_codes", lambda a: np.roll(a, 1)),
    "hop-codes-far-off": _array("hop_codes", lambda a: a + 2**30),
    "same-hops-far-off": _array("same_hops", lambda a: a + 2**30),
    "same-hops-of-no-group": _array("same_hops", lambda a: np.roll(a, 1)),
    "same-hops-too-short": _array("same_hops", lambda a: a[:2]),
    "offsets-fall": _array("offsets", lambda a: a[::-1].copy()),
    "offsets-beyond-the-end": _array("offsets", lambda a: a + 2**40),
    "hop-offsets-fall": _array("hop_offsets", lambda a: a[::-1].copy()),
    "names-of-other-entities": _array("name_entities", lambda a: np.roll(a, 1)),
    "words-of-far-off-names": _array("word_rows", lambda a: a + 2**30),
    "neighbours-too-short": _array("neighbours", lambda a: a[:3]),
    "neighbours-of-64-bits": _array("neighbours", lambda a: a.astype(np.int64)),
    "objects": _header("neighbours", "{'descr': '|O', 'fortran_order': False, 'shape': (4,)}"),
    "header-of-64-gigabytes": _header(
        "neighbours", "{'descr': '<i4', 'fortran_order': False, 'shape': (17179869184,)}"
    ),
}


def _trees(pattern: bytes, new: bytes) -> Alter:
    """A line of LightGBM's text in the first file that has it."""

    def alter(files: Files) -> Files:
        name = next(n for n in sorted(files) if n.endswith(".txt") and b"Tree=" in files[n])
        text = re.sub(pattern, new, files[name], count=1, flags=re.MULTILINE)
        plain = {file.removeprefix("m/"): data for file, data in files.items()}
        plain[name.removeprefix("m/")] = with_tree_sizes(text)
        return {f"m/{file}": data for file, data in with_checksums(plain).items()}

    return alter


def _manifest(change: Callable[[dict], object]) -> Alter:
    def alter(files: Files) -> Files:
        about = json.loads(files["m/model.json"])
        change(about)
        return {**files, "m/model.json": json.dumps(about).encode()}

    return alter


TREES: dict[str, Alter] = {
    "split-feature-9999": _trees(rb"^split_feature=\d+", b"split_feature=9999"),
    "split-feature-negative": _trees(rb"^split_feature=\d+", b"split_feature=-7"),
    "child-of-itself": _trees(rb"^left_child=\S+", b"left_child=0"),
    "child-far-off": _trees(rb"^right_child=\S+", b"right_child=2147483647"),
    "leaf-far-off": _trees(rb"^left_child=\S+", b"left_child=-99999"),
    "too-many-leaves": _trees(rb"^num_leaves=\d+", b"num_leaves=100000000"),
    "categories-without-any": _trees(rb"^num_cat=\d+", b"num_cat=1000000"),
    "decision-by-category": _trees(rb"^decision_type=\d+", b"decision_type=1"),
    "features-9999": _trees(rb"^max_feature_idx=\d+", b"max_feature_idx=9999"),
    "no-trees": _trees(rb"^Tree=0$", b"Three=0"),
}
MANIFEST: dict[str, Alter] = {
    "file-outside": _manifest(lambda a: a["files"].update({"../kept/notes.txt": "0" * 64})),
    "vectors-of-the-user": _manifest(
        lambda a: a.update(ranker="avg-cosine(vectors=kept/notes.txt)")
    ),
    "model-of-another-folder": _manifest(
        lambda a: a.update(ranker="kgpath-ltr(encoder=minilm(model=kept))")
    ),
    "files-is-a-list": _manifest(lambda a: a.update(files=["model.json"])),
    "needs-is-a-number": _manifest(lambda a: a.update(needs=7)),
    "ranker-is-a-list": _manifest(lambda a: a.update(ranker=[])),
    "versions-is-a-number": _manifest(lambda a: a.update(versions=7)),
    "extra-file": lambda files: {**files, "m/extra.txt": b"stray"},
}
ALTERED: dict[str, dict[str, Alter]] = {
    "index": INDEX,
    "index, compiled walks": INDEX,
    "model kgpath-ltr": {**TREES, **MANIFEST},
    "model score-ltr": {**TREES, **MANIFEST},
    "model xendcg": TREES,
}
