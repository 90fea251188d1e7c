"""A graph with vectors, a dataset with strata, and what makes a table of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import kgpath
from kgpath.datasets.synthetic.generate import generate
from kgpath.datasets.synthetic.recipe import read_recipe
from kgpath.encoders.vectors.embedding import Embedding, folder_of
from kgpath.plugins import REPRODUCTIONS
from kgpath.reproduction import Picture, Request, Table


@pytest.fixture(scope="session")
def graph(sample_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample with vectors beside it."""
    copy = Path(shutil.copy(sample_path, tmp_path_factory.mktemp("ecpr")))
    rng = np.random.default_rng(0)
    with kgpath.open(copy) as kg:
        sizes = len(kg), len(kg.store.relations)
        Embedding(*(rng.normal(size=(n, 8)).astype(np.float32) for n in sizes)).save(
            folder_of(kg), kg.fingerprint
        )
    return copy


@pytest.fixture(scope="session")
def synthetic(graph: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset with splits, candidates and strata."""
    folder = tmp_path_factory.mktemp("data") / "tiny"
    (folder.parent / "tiny.toml").write_text(
        "documents = 40\npairs = 90\n[strata.long]\nmin_hops = 4\n[strata.short]\nmax_hops = 2\n"
    )
    with kgpath.open(graph) as kg:
        generate(kg, read_recipe(str(folder.parent / "tiny.toml")), str(folder), workers=1)
    return folder


@pytest.fixture
def reproduce(graph: Path) -> Iterator[Callable[..., SimpleNamespace]]:
    """Makes a table in this process; tables and pictures, and what was done on the way."""

    def make(
        name: str, *files: str | Path, output: Path | None = None, **options: str
    ) -> SimpleNamespace:
        steps: list[str] = []
        with Request(
            tuple(map(str, files)), str(graph), 42, options,
            lambda what, done, total: steps.append(what),
            str(output) if output else None, True,
        ) as request:  # fmt: skip
            made = list(REPRODUCTIONS.load(name)(request))
            for one in made:
                if isinstance(one, Picture) and output:
                    one.draw(output / f"{one.name}.png")
        tables = [one for one in made if isinstance(one, Table)]
        return SimpleNamespace(table=tables[0], made=made, steps=steps)

    yield make
