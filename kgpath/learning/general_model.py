"""Make the model that ships with kgpath-general again: ``make model``, where the data is.

It learns from Re-DocRED's development texts (MIT; questions that a text tells, questions that it
does not, and one fact of every sixth text asked by itself) and from texts that kgpath writes over
DBpedia's facts. Which sentences tell a fact it learns from Re-DocRED's marked sentences.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import kgpath
from kgpath.datasets.told_texts.questions import told_questions
from kgpath.errors import NotWritable
from kgpath.features.feature_table import FeatureTable
from kgpath.graph import Graph
from kgpath.io.atomic import replacing_folder
from kgpath.io.evidence import EvidenceFile, MarkedText
from kgpath.io.progress import note
from kgpath.io.queries import Query, QueryFile, UntoldFile
from kgpath.learning.evidence import EvidenceSet
from kgpath.learning.examples import QuerySet
from kgpath.learning.sentence_examples import sentence_examples
from kgpath.paths.finder import PathOptions
from kgpath.rankers.general.learning import Settings, learn, learn_sentences
from kgpath.rankers.general.model import SHIPPED, ToldModel, is_part_of_a_model, write_checksums
from kgpath.rankers.general.told_example import ToldExample, told_examples
from kgpath.rankers.kgpath_general import KgpathGeneral

#: Texts that are written over DBpedia.
TEXTS = 1500
#: One of so many texts of Re-DocRED is also asked about one of its facts alone.
EVERY = 6
#: Re-DocRED's true paths have no more.
REDOCRED_HOPS = 3


class Data(NamedTuple):
    """What is learned from, as it lies in a folder of data."""

    graph: Path
    questions: Path
    untold: Path
    evidence: Path
    dbpedia: tuple[Path, ...]

    @classmethod
    def of(cls, folder: Path) -> Data:
        """The files of a folder; SystemExit says which one is missing."""
        own = folder / "redocred"
        names = ("graph.nt.gz", "questions.jsonl.gz", "untold.jsonl.gz", "evidence.jsonl.gz")
        graph, questions, untold, evidence = (own / name for name in names)
        dbpedia = tuple(sorted((folder / "dbpedia").glob("*")))
        data = cls(graph, questions, untold, evidence, dbpedia)
        missing = [path for path in data[:4] if not path.exists()]
        if missing or not data.dbpedia:
            sys.exit(f"{missing[0] if missing else folder / 'dbpedia'} is not there: no model.")
        return data


def make_model(data: Data, folder: Path) -> ToldModel:
    """Learn everything and write it to a folder; the same data give the same bytes.

    A folder that is there and holds anything but such a model is refused, before the work.
    """
    others = [path.name for path in sorted(folder.glob("*")) if not is_part_of_a_model(path)]
    if others:
        raise NotWritable(f"{folder} holds {others[0]}, which is no part of a model. Name another.")
    ranker = KgpathGeneral()
    with tempfile.TemporaryDirectory() as work:
        redocred, dbpedia = Path(work) / "redocred.kg", Path(work) / "dbpedia.kg"
        kgpath.build([data.graph], redocred)
        with kgpath.open(redocred) as graph:
            texts = EvidenceFile(data.evidence).texts
            asked = [*QueryFile(data.questions).queries, *UntoldFile(data.untold).queries]
            examples = _examples(graph, [*asked, *one_hop_questions(texts)], REDOCRED_HOPS)
            note(f"Re-DocRED: {len(examples):,} questions")
            rows = list(_sentence_rows(EvidenceSet(graph, texts)))
        kgpath.build(data.dbpedia, dbpedia)
        with kgpath.open(dbpedia) as graph:
            examples += _examples(graph, list(told_questions(graph, TEXTS)), 4)
    note(f"with DBpedia: {len(examples):,} questions")
    model = learn(examples, Settings(ranker.fact_trees, ranker.trees, ranker.seed))
    model = learn_sentences(model, rows, ranker.seed)
    with replacing_folder(folder) as building:
        model.save(building)
        write_checksums(building)
    return model


def one_hop_questions(texts: Sequence[MarkedText], every: int = EVERY) -> Iterator[Query]:
    """One marked fact of every so many texts, asked about by its two ends."""
    for text in sorted(texts, key=lambda text: text.id)[::every]:
        ends = sorted({(fact.head, fact.tail) for fact in text.facts if fact.head != fact.tail})
        if not ends:
            continue
        # One of the middle, by no property of its own; asked from either end in turn.
        head, tail = ends[len(ends) // 2]
        head, tail = (tail, head) if len(ends) % 2 else (head, tail)
        paths = sorted(
            (head, fact.relation if fact.head == head else f"^{fact.relation}", tail)
            for fact in text.facts
            if {fact.head, fact.tail} == {head, tail}
        )
        yield Query(f"{text.id}-one", head, tail, text.document, tuple(dict.fromkeys(paths)))


def _examples(graph: Graph, queries: Sequence[Query], hops: int) -> list[ToldExample]:
    query_set = QuerySet(graph, queries, options=PathOptions(max_hops=hops))
    return told_examples(query_set.examples(untold=True))


def _sentence_rows(texts: EvidenceSet) -> Iterator[tuple[FeatureTable, NDArray[np.int8]]]:
    for place in range(len(texts)):
        rows, told = sentence_examples(texts.features(place), texts.marked(place))
        yield rows.table, told


def main() -> None:
    """Read the folder of data that is named, and write the model that ships."""
    folder = next(islice(sys.argv, 1, None), "../shared/data")
    make_model(Data.of(Path(folder)), SHIPPED)
    size = sum(path.stat().st_size for path in SHIPPED.iterdir())
    note(f"{SHIPPED}: {size:,} bytes")


if __name__ == "__main__":
    main()
