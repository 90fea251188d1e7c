"""The graph as arrays: sorted neighbours of every entity and the relations on each pair.

The arrays lie beside the graph file in ``film.kg.index/<fingerprint>/`` and are memory-mapped.
The folder is named by the content of the graph, so an index is never stale, only missing:
it is then made again, in the user's cache folder where the place is read-only, in memory where
nothing can be written at all. So is one that this user's kgpath did not write, or that was changed:
compiled code follows its numbers unchecked.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kgpath.io.arrays import write_array
from kgpath.io.atomic import replacing_folder
from kgpath.io.cache import cache_folder
from kgpath.io.known_files import FileMark
from kgpath.lexicon.idf import IdfTable, idf_table
from kgpath.lexicon.name_index import NameIndex, name_index
from kgpath.lexicon.word_index import WordIndex, word_index
from kgpath.storage.fingerprint import read_edges
from kgpath.storage.hop_codes import code_of, inverse, relation_of
from kgpath.storage.relation_groups import same_hops

#: Raised whenever an array changes, or what it is made from: every index is then made again.
FORMAT = 9
_ABOUT = "index.json"
_KEY_LENGTH = 16
_KEY = re.compile(f"[0-9a-f]{{{_KEY_LENGTH}}}")


@dataclass(frozen=True)
class Index:
    """Arrays of a graph with n entities, m ordered pairs of neighbours and e facts.

    Neighbours of entity v are ``neighbours[offsets[v]:offsets[v + 1]]``, ascending. The facts
    on the pair at position p of that array are ``hop_codes[hop_offsets[p]:hop_offsets[p + 1]]``,
    see :mod:`kgpath.storage.hop_codes`; a hop is backward where the fact points to v.
    """

    offsets: NDArray[np.int64]  # n + 1
    neighbours: NDArray[np.int32]  # m
    hop_offsets: NDArray[np.int64]  # m + 1
    hop_codes: NDArray[np.int32]  # 2 e
    same_hops: NDArray[np.int32]  # of every hop code: kgpath.storage.same_relations
    name_hashes: NDArray[np.uint64]  # of every name, ascending: kgpath.lexicon.name_index
    name_entities: NDArray[np.int32]
    name_forms: NDArray[np.int8]
    word_keys: NDArray[np.uint64]  # of the words in names, ascending: kgpath.lexicon.word_index
    word_offsets: NDArray[np.int64]
    word_rows: NDArray[np.int32]
    word_weights: NDArray[np.float32]
    word_entities: NDArray[np.int32]
    word_totals: NDArray[np.float32]
    term_keys: NDArray[np.uint64]  # of the words in texts, ascending: kgpath.lexicon.idf
    term_weights: NDArray[np.float32]

    def __post_init__(self) -> None:
        # All read-only, mapped or not: the compiled walker then has one version, not two.
        for field in fields(self):
            getattr(self, field.name).flags.writeable = False

    @cached_property
    def entities(self) -> int:
        """How many there are."""
        return len(self.offsets) - 1

    @classmethod
    def from_store(cls, db: sqlite3.Connection, edges: NDArray[np.int32] | None = None) -> Index:
        """The index of a graph file; its edges may be given if they are at hand."""
        (entities,) = db.execute("SELECT count(*) FROM entity").fetchone()
        names = db.execute("SELECT entity, text, folded FROM name ORDER BY id")
        texts = (text for (text,) in db.execute("SELECT text FROM passage"))
        edges = read_edges(db) if edges is None else edges
        index = cls.from_edges(edges, entities, names, texts)
        same = same_hops(db, index.offsets, index.hop_offsets, index.hop_codes)
        return replace(index, same_hops=same)

    @classmethod
    def from_edges(
        cls,
        edges: NDArray[np.int32],
        entities: int,
        names: Iterable[tuple[int, str, str]] = (),
        texts: Iterable[str] = (),
    ) -> Index:
        """Both directions of every fact, grouped by entity and by neighbour.

        No two relations are the same: edges alone do not say what they are called.
        """
        names = list(names)
        terms, labels = idf_table(texts), (name for _, name, _ in names)
        head, relation, tail = (
            edges.astype(np.int64).T if len(edges) else np.zeros((3, 0), np.int64)
        )
        start = np.concatenate([head, tail])
        end = np.concatenate([tail, head])
        code = np.concatenate([code_of(relation, False), code_of(relation, True)])
        order = np.lexsort((code, end, start))
        start, end, code = start[order], end[order], code[order]
        first = np.ones(len(start), dtype=bool)
        first[1:] = (start[1:] != start[:-1]) | (end[1:] != end[:-1])
        positions = np.flatnonzero(first)
        return cls(
            offsets=np.searchsorted(start[positions], np.arange(entities + 1)).astype(np.int64),
            neighbours=end[positions].astype(np.int32),
            hop_offsets=np.append(positions, len(start)).astype(np.int64),
            hop_codes=code.astype(np.int32),
            same_hops=np.arange(2 * (int(relation.max(initial=-1)) + 1), dtype=np.int32),
            **_prefixed("name", name_index(names)),
            **_prefixed("word", word_index(names)),
            **_prefixed("term", terms if len(terms.keys) > 1 else idf_table(labels)),
        )

    def codes_between(self, one: int, other: int) -> NDArray[np.int32]:
        """The hop codes from one entity to the other; empty if no fact joins them."""
        start, stop = self.offsets[one], self.offsets[one + 1]
        place = start + np.searchsorted(self.neighbours[start:stop], other)
        if place == stop or self.neighbours[place] != other:
            return self.hop_codes[:0]
        return self.hop_codes[self.hop_offsets[place] : self.hop_offsets[place + 1]]

    def only(self, wanted: NDArray[np.bool_]) -> Index:
        """The index of the facts whose relation is wanted; entities keep their ids."""
        keep = wanted[relation_of(self.hop_codes)]
        kept_before = np.concatenate([[0], np.cumsum(keep)])
        kept_at_pair = kept_before[self.hop_offsets]
        pairs = np.diff(kept_at_pair) > 0
        starts = np.repeat(np.arange(self.entities), np.diff(self.offsets))[pairs]
        return Index(
            offsets=np.searchsorted(starts, np.arange(self.entities + 1)).astype(np.int64),
            neighbours=self.neighbours[pairs],
            hop_offsets=np.append(kept_at_pair[:-1][pairs], kept_at_pair[-1]).astype(np.int64),
            hop_codes=self.hop_codes[keep],
            **{
                field.name: getattr(self, field.name)
                for field in fields(self)
                if field.name.startswith(("same_", "name_", "word_", "term_"))
            },
        )

    def facts(self, entity: int) -> int:
        """How many facts touch an entity."""
        first, stop = self.offsets[entity], self.offsets[entity + 1]
        return int(self.hop_offsets[stop] - self.hop_offsets[first])

    def degrees(self) -> NDArray[np.int64]:
        """How many facts touch each entity."""
        return np.diff(self.hop_offsets[self.offsets])

    @classmethod
    def load(cls, folder: Path) -> Index:
        """Memory-map a written index."""
        about = json.loads((folder / _ABOUT).read_text())
        if about["format"] != FORMAT:
            raise ValueError(f"index format {about['format']}, expected {FORMAT}")
        arrays = {
            # A plain array over the mapping: numba is slow to recognise the subclass.
            field.name: np.asarray(
                np.load(folder / f"{field.name}.npy", mmap_mode="r", allow_pickle=False)
            )
            for field in fields(cls)
        }
        index = cls(**arrays)
        if index.entities != about["entities"]:
            raise ValueError(f"{index.entities} entities, expected {about['entities']}")
        index.refuse_unfit()
        return index

    def refuse_unfit(self) -> None:
        """Raise ValueError where a number leads out of an array: nobody checks it later."""
        for field in fields(self):
            array, wanted = getattr(self, field.name), _DTYPES[field.name]
            if array.dtype != wanted or array.ndim != 1:
                raise ValueError(f"{field.name} is not a row of {wanted}")
        pairs, entities = len(self.neighbours), range(self.entities)
        names, words = len(self.name_hashes), range(len(self.word_entities))
        sound = (
            _lead_into(self.offsets, pairs)
            and _lead_into(self.hop_offsets, len(self.hop_codes))
            and _lead_into(self.word_offsets, len(self.word_rows))
            and len(self.hop_offsets) == pairs + 1
            and len(self.name_entities) == len(self.name_forms) == names
            and len(self.word_offsets) == len(self.word_keys) + 1
            and len(self.word_weights) == len(self.word_rows)
            and len(self.word_totals) == len(self.word_entities)
            and len(self.term_keys) == len(self.term_weights) > 0
            and _within(self.neighbours, entities)
            and _within(self.hop_codes, range(len(self.same_hops)))
            and _are_groups(self.same_hops)
            and _within(self.name_entities, entities)
            and _within(self.word_rows, words)
            and _within(self.word_entities, entities)
        )
        if not sound:
            raise ValueError("numbers of the index do not fit together")

    def equals(self, other: Index) -> bool:
        """Whether two indexes hold the same arrays."""
        return all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        )

    def write(self, folder: Path, fingerprint: str) -> None:
        """Write the arrays so that ``folder`` appears whole or not at all."""
        about = {"format": FORMAT, "fingerprint": fingerprint, "entities": self.entities}
        if folder.exists() and not _is_index(folder):
            raise FileExistsError(f"{folder} is there already and is no index")
        with replacing_folder(folder) as building:
            for field in fields(self):
                write_array(building, field.name, getattr(self, field.name))
            (building / _ABOUT).write_text(json.dumps(about) + "\n")
            mark = _mark(building, folder, fingerprint)
        mark.remember()


_DTYPES = {
    field.name: np.dtype(getattr(np, re.sub(r".*np\.(\w+).*", r"\1", str(field.type))))
    for field in fields(Index)
}


def _lead_into(offsets: NDArray[np.int64], size: int) -> bool:
    """Whether offsets cut a row of this size into parts, from its begin to its end."""
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != size:
        return False
    return bool((offsets[1:] >= offsets[:-1]).all())


def _within(numbers: NDArray[Any], allowed: range) -> bool:
    if not len(numbers):
        return True
    return bool(numbers.min() >= allowed.start and numbers.max() < allowed.stop)


def _are_groups(same: NDArray[np.int32]) -> bool:
    """Whether each code has the first of its group, and inverses are grouped alike."""
    codes = np.arange(len(same), dtype=np.int32)
    if len(same) % 2 or not _within(same, range(len(same))) or (same > codes).any():
        return False
    return bool((same[same] == same).all() and (same[inverse(same)] == same[inverse(codes)]).all())


def _mark(folder: Path, place: Path, fingerprint: str) -> FileMark:
    """Stands for the files of an index as they are now, and for what they are the index of."""
    files = sorted(folder / f"{field.name}.npy" for field in fields(Index))
    return FileMark.of([*files, folder / _ABOUT], place, "index", FORMAT, fingerprint)


def _prefixed(prefix: str, table: NameIndex | WordIndex | IdfTable) -> dict[str, NDArray[Any]]:
    return {f"{prefix}_{column}": values for column, values in table._asdict().items()}


def folder_beside(store: Path, fingerprint: str) -> Path:
    """Where the index of this content belongs."""
    return store.with_name(store.name + ".index") / fingerprint[:_KEY_LENGTH]


def remove_others(folder: Path) -> None:
    """Delete the indexes of former contents beside this one, and nothing else that lies there."""
    for other in [] if folder.parent.is_symlink() else list(folder.parent.iterdir()):
        if other != folder and _is_index(other):
            shutil.rmtree(other, ignore_errors=True)


def _is_index(folder: Path) -> bool:
    """Whether a folder holds what an index has, of this version or another, and nothing else."""
    if folder.is_symlink() or not folder.is_dir() or not _KEY.fullmatch(folder.name):
        return False
    files = list(folder.iterdir())
    return all(file.is_file() and (file.suffix == ".npy" or file.name == _ABOUT) for file in files)


def find_index(store: Path, fingerprint: str) -> Index | None:
    """The index that was written here for this content, beside the file or in the cache."""
    for folder in _places(store, fingerprint):
        try:
            if _mark(folder, folder, fingerprint).is_known():
                return Index.load(folder)
        except (OSError, ValueError, KeyError, TypeError, EOFError):
            continue  # missing or damaged: made again
    return None


def write_index(index: Index, store: Path, fingerprint: str) -> None:
    """Write an index where it belongs; OSError says why it cannot be."""
    index.write(next(_places(store, fingerprint)), fingerprint)


def save_index(index: Index, store: Path, fingerprint: str) -> Path | None:
    """Write an index to the first place that can be written; None if there is none."""
    for folder in _places(store, fingerprint):
        try:
            index.write(folder, fingerprint)
        except OSError:
            continue
        return folder
    return None


def _places(store: Path, fingerprint: str) -> Iterator[Path]:
    beside = folder_beside(store, fingerprint)
    if not beside.parent.is_symlink() and _is_ours(beside):
        yield beside
    yield cache_folder() / "index" / fingerprint[:_KEY_LENGTH]


def _is_ours(folder: Path) -> bool:
    """Whether nobody else keeps an index there; two users would overwrite each other's for ever."""
    try:
        return folder.lstat().st_uid == os.getuid()
    except (OSError, AttributeError):  # not there, or a system without owners
        return True
