"""The same seed gives the same inputs, and those that are meant to be harmful are."""

from __future__ import annotations

import io
import json
import sqlite3
from random import Random

import numpy as np
import pytest
from fuzz.mutators import json_text, lines, model_folder, packed, raw, sqlite_file

GOOD = b'{"a": [1, "b"], "c": {"d": null}}\n{"a": [2]}\n'


@pytest.mark.parametrize("mutate", [raw.mutated, lines.mutated, json_text.mutated])
def test_the_same_seed_gives_the_same_bytes(mutate) -> None:
    one, other = ([mutate(Random(seed), GOOD) for seed in range(200)] for _ in range(2))
    assert one == other
    assert len(set(one)) > 40


def test_what_was_spoiled_before_can_be_spoiled_again() -> None:
    stream = io.BytesIO()
    np.save(stream, np.arange(6, dtype=np.int32))
    tree = b"tree\ntree_sizes=9\n\nTree=0\nleft_child=1 -2\nsplit_feature=3 4\n\nend of trees\n"
    tensors = (2).to_bytes(8, "little") + b"{}" + bytes(8)
    good = {"a.npy": stream.getvalue(), "b.txt": tree, "c.safetensors": tensors, "d.json": b"{}"}
    good = model_folder.with_checksums({"model.json": b"{}", **good})
    for seed in range(300):
        rng, files = Random(seed), dict(good)
        for _ in range(4):
            made, _ = model_folder.mutated(rng, {**files, "model.json": good["model.json"]})
            files = {**good, **made}


def test_packed_files_have_the_name_of_packed_files() -> None:
    names = {packed.mutated(Random(seed), "x.nt", GOOD)[0] for seed in range(50)}
    assert names == {"x.nt.gz", "x.nt.bz2"}


def test_statements_change_a_database() -> None:
    db = sqlite3.connect(":memory:")
    db.executescript(
        "CREATE TABLE edge (head, tail); INSERT INTO edge VALUES (1, 2), (3, 4);"
        "CREATE TABLE meta (key, value); INSERT INTO meta VALUES ('fingerprint', 'x');"
    )
    good = db.serialize()
    made = {sqlite_file.mutated(Random(seed), good) for seed in range(100)}
    assert len(made) > 50


def test_altered_models_have_checksums_that_fit_unless_it_says_so() -> None:
    good = model_folder.with_checksums({"model.json": b"{}", "a.txt": b"Tree=0\nx=1 2\n"})
    for seed in range(100):
        files, fits = model_folder.mutated(Random(seed), good)
        if files["model.json"] != good["model.json"] and files["a.txt"] != good["a.txt"]:
            assert fits
            assert json.loads(model_folder.with_checksums(files)["model.json"]) == json.loads(
                files["model.json"]
            )


def test_the_sizes_of_trees_are_put_right() -> None:
    text = b"tree\ntree_sizes=9 9\n\nTree=0\na=1\n\n\nTree=1\nb=22\n\n\nend of trees\n"
    assert b"tree_sizes=13 14\n" in model_folder.with_tree_sizes(text)
