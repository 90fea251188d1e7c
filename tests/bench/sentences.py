"""Which sentences tell a fact: those shown by trees of other texts against marked ones, by folds.

    python tests/bench/sentences.py --graph REDOCRED.kg

Needs ../shared/data and the graph of Re-DocRED. The sentences that ``kgpath evaluate --evidence``
judges come from the trees that ship, which learned from these texts; here nothing is shown by what
it taught. Facts are asked for all at once and one by one.
"""

from __future__ import annotations

import argparse

import numpy as np
from common import DATA

import kgpath
from kgpath.features.path_features import PathFeatures
from kgpath.io.evidence import EvidenceFile
from kgpath.learning.evidence import EvidenceSet
from kgpath.learning.sentence_examples import sentence_examples
from kgpath.linking.context import Context
from kgpath.metrics import Overlap
from kgpath.rankers.general.learning import folds_of, learn_sentences
from kgpath.rankers.general.model import ToldModel, load_shipped


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", required=True)
    args = parser.parse_args()
    with kgpath.open(args.graph) as kg:
        texts = EvidenceSet(kg, EvidenceFile(DATA / "redocred/evidence.jsonl.gz").texts)
        every = range(len(texts))
        read = [texts.features(place) for place in every]
        rows = [sentence_examples(read[place], texts.marked(place)) for place in every]
        fold = folds_of([texts.group(place) for place in every], seed=0)
        at_once, singly = [], []
        for number in range(max(fold) + 1):
            taught = [
                (known.table, told)
                for (known, told), own in zip(rows, fold, strict=True)
                if own != number
            ]
            model = learn_sentences(load_shipped(), taught, seed=0)
            for place in (place for place in every if fold[place] == number):
                at_once.append(_overlap(model, texts, place, read[place]))
                singly += [_overlap(model, texts, place, one) for one in _one_by_one(read[place])]
    print(f"{len(texts)} texts, {texts.facts:,} facts, {max(fold) + 1} folds by document")
    for name, found in (("all at once", at_once), ("one by one", singly)):
        whole = Overlap.sum(found)
        print(f"{name:12} P {whole.precision:.3f}  R {whole.recall:.3f}  F1 {whole.f1:.3f}")


def _overlap(model: ToldModel, texts: EvidenceSet, place: int, features: PathFeatures) -> Overlap:
    facts = np.arange(len(features.facts.heads))
    return texts.marked(place).overlap(features, model.shown(features, facts), facts.tolist())


def _one_by_one(features: PathFeatures) -> list[PathFeatures]:
    """The same facts, each as if it were asked for alone."""
    context, paths = features.context, features.candidates
    rows = (paths.take(np.array([row])) for row in range(len(paths)))
    return [PathFeatures(Context(context.graph, context.text), row) for row in rows]


if __name__ == "__main__":
    main()
