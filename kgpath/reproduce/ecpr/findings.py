"""What the paper concludes, claim by claim: holds here, or not, with an interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kgpath.metrics import compare
from kgpath.reproduce.ecpr.experiments import Failed
from kgpath.reproduce.ecpr.published_figures import (
    FILM,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    Key,
)
from kgpath.reproduce.ecpr.result_tables import about
from kgpath.reproduce.ecpr.study import study_of
from kgpath.reproduce.ecpr.table_definitions import OURS, Line
from kgpath.reproduction import Request, Table

_CW, _WD = "window", "document"


class Claim(NamedTuple):
    """One model is better than another."""

    said: str
    better: Line
    worse: Line


def _ltr(name: str, scope: str = _CW) -> Line:
    return Line(name, "" if name.startswith("fused") else scope, "ltr")


def _ours(name: str) -> Line:
    return Line(name, "", "ours")


CLAIMS = (
    Claim("contextualized > fused", _ltr("kepler"), _ltr("fused-inout")),
    Claim("contextualized > fused", _ltr("minilm"), _ltr("fused-inout")),
    Claim("fused > averaged", _ltr("fused-inout"), _ltr("avg-wiki2vec")),
    Claim("fused > TF-IDF", _ltr("fused-inout"), _ltr("tfidf")),
    *(
        Claim(f"{said} > baselines", _ltr(name), Line(*baseline))
        for said, name in (("averaged", "avg-wiki2vec"), ("TF-IDF", "tfidf"))
        for baseline in (("random",), ("shortest",), ("tfidf-cosine", _CW), ("avg-cosine", _CW))
    ),
    Claim("Wikipedia2vec > words", _ltr("avg-wiki2vec"), _ltr("avg-word")),
    Claim("words > TransE", _ltr("avg-word"), _ltr("avg-transe")),
    Claim("Retrofit (I+O) > Retrofit (I)", _ltr("fused-inout"), _ltr("fused-in")),
    Claim("Retrofit (I) > No Retrofit", _ltr("fused-in"), _ltr("fused-none")),
    *(
        Claim("descriptions > structure alone", _ltr(one), _ltr(other))
        for one in ("kepler", "k-bert")
        for other in ("kg-bert", "bert")
    ),
    Claim("KEPLER > K-BERT", _ltr("kepler"), _ltr("k-bert")),
    *(
        Claim("window > whole", _ltr(name), _ltr(name, _WD))
        for name in ("tfidf", "avg-wiki2vec", "k-bert", "kepler", "minilm")
    ),
    *(
        Claim(said, _ltr(name)._replace(ranker=ranker), _ltr(name)._replace(ranker="binary"))
        for said, ranker in (
            ("LTR > binary", "ltr"),
            ("LTR > binary: relevance as LightGBM truncates it", "truncated"),
            ("LTR > binary: a network over lists", "listwise"),
        )
        for name in ("kepler", "tfidf", "avg-wiki2vec", "fused-inout", "minilm")
    ),
    *(
        Claim("our ranker gains by it over MiniLM", _ours(name), _ours("minilm"))
        for name in ("kepler", "k-bert")
    ),
    Claim("our ranker gains by MiniLM", _ours("minilm"), _ours(OURS)),
)
_PAPER: dict[Key, float] = {
    key: figures[0]
    for table in (TABLE_3, TABLE_4, TABLE_5, TABLE_6, TABLE_7)
    for key, figures in table[FILM].items()
}


def findings(request: Request) -> Iterator[Table]:
    """The paper's order of models, pair by pair."""
    benchmark = study_of(request).benchmark()
    settings = benchmark.study.settings
    claims = [
        (claim, one, other)
        for claim in CLAIMS
        if (one := claim.better.experiment(settings))
        and (other := claim.worse.experiment(settings))
    ]
    wanted = (experiment for _, one, other in claims for experiment in (one, other))
    results = benchmark.results(wanted, "ecpr-findings")
    rows: list[tuple[object, ...]] = []
    for claim, *experiments in claims:
        head = (
            claim.said,
            " ".join(filter(None, claim.better)),
            " ".join(filter(None, claim.worse)),
        )
        paper = _paper(claim)
        first, second = (results[experiment] for experiment in experiments)
        if isinstance(first, Failed) or isinstance(second, Failed):
            failed = first if isinstance(first, Failed) else second
            assert isinstance(failed, Failed)
            rows.append((*head, *[""] * 6, failed.why, paper))
            continue
        found = compare(
            first.evaluation, second.evaluation, "MRR", by_group=True, seed=request.seed
        )
        gap = found.difference
        verdict = {"first": "holds", "second": "does not hold: the reverse does"}.get(
            found.winner, "does not hold: not told apart"
        )
        rows.append((*head, found.first, found.second, *gap, found.p, verdict, paper))
    columns = ("claim", "first", "second", "first: MRR", "second: MRR", "difference", "low", "high",
               "p", "here", "paper, Wiki-film: difference")  # fmt: skip
    notes = (
        "Differences of MRR, paired; interval 95 % (bootstrap) and p (randomisation test) by "
        "document. A claim holds if its whole interval lies above 0.",
        *about(benchmark),
    )
    yield Table("ecpr-findings", "The paper's findings", columns, tuple(rows), notes)


def _paper(claim: Claim) -> object:
    known = [_PAPER.get(line) for line in (claim.better, claim.worse)]
    if known[0] is None or known[1] is None:
        return ""
    return round(known[0] - known[1], 4)
