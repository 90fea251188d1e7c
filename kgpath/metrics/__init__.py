"""How good is a ranking of paths? Metrics as values, per-query results, comparison of two runs.

>>> from kgpath.metrics import JudgedRanking, evaluate
>>> one = JudgedRanking("q1", scores=(0.9, 0.4, 0.1), true=(0,))
>>> other = JudgedRanking("q2", scores=(0.5, 0.5), true=(1,))
>>> results = evaluate([one, other], ["MRR", "Hits@1", "Recall"])
>>> results.means()
{'MRR': 0.875, 'Hits@1': 0.75, 'Recall': 1.0}
>>> results["MRR"]
(1.0, 0.75)

Every query counts: without candidates, or without the true path among them, it has the worst
value. Tied candidates are taken in every order, each equally likely, and the values averaged.

Here: metrics, one file each, and what is needed to compute and compare them.
Not here: the metrics of dialogues (``kgpath.dialogue.scores``), or running rankers
(``kgpath.learning``).
"""

from kgpath.metrics.auc import auc
from kgpath.metrics.calibration import expected_calibration_error, reliability
from kgpath.metrics.comparison import (
    Comparison,
    Interval,
    bootstrap,
    bootstrap_ratio,
    compare,
    randomisation_test,
)
from kgpath.metrics.evaluation import Evaluation, RunningEvaluation, evaluate
from kgpath.metrics.evidence import Evidence
from kgpath.metrics.first_rank import FirstRank
from kgpath.metrics.hits import Hits
from kgpath.metrics.judged_ranking import JudgedRanking, by_chance, judge, whole_path
from kgpath.metrics.metric import Metric, PathVectors, Tools, parse
from kgpath.metrics.mrr import MRR
from kgpath.metrics.ngeo import NGEO, geo, ngeo
from kgpath.metrics.ontology_paths import OntologyPaths
from kgpath.metrics.overlap import Overlap
from kgpath.metrics.ped import PED
from kgpath.metrics.recall import Recall
from kgpath.metrics.verdicts import JudgedVerdict, VerdictFigures

__all__ = [
    "MRR",
    "NGEO",
    "PED",
    "Comparison",
    "Evaluation",
    "Evidence",
    "FirstRank",
    "Hits",
    "Interval",
    "JudgedRanking",
    "JudgedVerdict",
    "Metric",
    "OntologyPaths",
    "Overlap",
    "PathVectors",
    "Recall",
    "RunningEvaluation",
    "Tools",
    "VerdictFigures",
    "auc",
    "bootstrap",
    "bootstrap_ratio",
    "by_chance",
    "compare",
    "evaluate",
    "expected_calibration_error",
    "geo",
    "judge",
    "ngeo",
    "parse",
    "randomisation_test",
    "reliability",
    "whole_path",
]
