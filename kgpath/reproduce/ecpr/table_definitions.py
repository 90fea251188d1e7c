"""The tables of the paper as data: which rows they have, and what the paper prints for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kgpath.reproduce.ecpr import published_figures as published
from kgpath.reproduce.ecpr.experiments import Experiment
from kgpath.reproduce.ecpr.published_figures import Figures, Key
from kgpath.reproduce.ecpr.settings import Settings, with_options

_CW, _WD = "window", "document"

#: Of which family the paper counts an encoder.
MODELS = {
    "tfidf": "ECPR-TF-IDF",
    "avg-transe": "ECPR-AVG Emb",
    "avg-word": "ECPR-AVG Emb",
    "avg-wiki2vec": "ECPR-AVG Emb",
    "fused-none": "ECPR-Cxt-fused",
    "fused-in": "ECPR-Cxt-fused",
    "fused-inout": "ECPR-Cxt-fused",
    "minilm": "beyond the paper",
    "bert": "ECPR-BERT",
    "kg-bert": "ECPR-Cxt Emb",
    "k-bert": "ECPR-Cxt Emb",
    "kepler": "ECPR-Cxt Emb",
}
#: Baselines, and the ranker that each is.
BASELINES = {
    "random": "random",
    "shortest": "shortest",
    "tfidf-cosine": "tfidf-cosine",
    "avg-cosine": "avg-cosine",
    "tfidf-ltr": "score-ltr(of=tfidf-cosine{})",
    "avg-ltr": "score-ltr(of=avg-cosine{})",
}


#: What our own ranker is called where it reads with no encoder.
OURS = "words"


class Line(NamedTuple):
    """A row: a context encoder or a baseline, the scope it reads, and which kind of ranker."""

    name: str
    scope: str = ""
    ranker: str = ""

    @property
    def model(self) -> str:
        """What the paper calls it."""
        if self.ranker == "ours":
            return "beyond the paper"
        return MODELS.get(self.name, "Baseline")

    def experiment(self, settings: Settings) -> Experiment | None:
        """What is measured for this row; None if the settings leave it out."""
        if self.scope and not settings.wants("scopes", self.scope):
            return None
        if self.name in BASELINES:
            if not settings.wants("rankers", "baselines"):
                return None
            return Experiment(self._baseline(settings))
        context = None if self.name == OURS else settings.context(self.name)
        if self.ranker == "ours" and settings.wants("rankers", self.ranker):
            said = {} if self.name == OURS else {"encoder": context}
            return (
                None if None in said.values() else Experiment(with_options(settings.ours, **said))
            )
        if context is None or not settings.wants("rankers", self.ranker):
            return None
        context = with_options(context, scope=self.scope) if self.scope else context
        return Experiment(getattr(settings, self.ranker), context, settings.path)

    def _baseline(self, settings: Settings) -> str:
        said = {"scope": self.scope} if self.scope else {}
        if self.name.startswith("avg-") and settings.vectors:
            said["vectors"] = settings.vectors
        choice = BASELINES[self.name]
        if "{}" not in choice:
            return with_options(choice, **said)
        inside = ", ".join(f"{key}={value}" for key, value in said.items())
        return choice.format(f"({inside})" if inside else "")


class TableDefinition(NamedTuple):
    """A table: its rows, and the figures that the paper prints for each, by dataset."""

    name: str
    title: str
    lines: tuple[Line, ...]
    paper: dict[str, dict[Key, Figures]]


def experiments_of(lines: Iterable[Line], settings: Settings) -> dict[Line, Experiment]:
    """What is measured for each row, less what the settings leave out."""
    found = {line: line.experiment(settings) for line in lines}
    return {line: experiment for line, experiment in found.items() if experiment is not None}


def _lines(table: dict[str, dict[Key, Figures]], *more: Line) -> tuple[Line, ...]:
    """The rows of a printed table, and further ones."""
    return (*(Line(*key) for key in next(iter(table.values()))), *more)


_BEYOND = (Line("minilm", _CW, "ltr"), Line("minilm", _WD, "ltr"))

#: One of each family, to see what becomes of the relevance as LightGBM reads it.
_TRUNCATED = ("tfidf", "avg-wiki2vec", "fused-inout", "minilm", "kepler")

_CONTEXTUAL = ("minilm", "bert", "kg-bert", "k-bert", "kepler")

TABLES = {
    table.name: table
    for table in (
        TableDefinition(
            "ecpr-t3",
            "Table 3. Averaged embeddings as context (PathVAE, LTR, window)",
            _lines(published.TABLE_3),
            published.TABLE_3,
        ),
        TableDefinition(
            "ecpr-t4",
            "Table 4. Context-fused entity embeddings (PathVAE, LTR)",
            _lines(published.TABLE_4),
            published.TABLE_4,
        ),
        TableDefinition(
            "ecpr-t5",
            "Table 5. Contextualized embeddings (PathVAE, LTR, window)",
            _lines(published.TABLE_5, _BEYOND[0]),
            published.TABLE_5,
        ),
        TableDefinition(
            "ecpr-t6",
            "Table 6. Binary classification and learning to rank (PathVAE, window)",
            _lines(
                published.TABLE_6,
                *(
                    Line(name, "" if name.startswith("fused") else _CW, ranker)
                    for name in MODELS
                    for ranker in ("binary", "ltr", "truncated", "listwise")
                    if Line(name, _CW, ranker) not in _lines(published.TABLE_6)
                    and (ranker != "truncated" or name in _TRUNCATED)
                ),
            ),
            published.TABLE_6,
        ),
        TableDefinition(
            "ecpr-t7",
            "Table 7. All models; the paper's figures are those on Wiki-film",
            _lines(published.TABLE_7, *_BEYOND),
            published.TABLE_7,
        ),
        TableDefinition(
            "ecpr-t8",
            "Table 8. All models; the paper's figures are those on Wiki-music",
            _lines(published.TABLE_8, *_BEYOND),
            published.TABLE_8,
        ),
        TableDefinition(
            "ecpr-t9",
            "Table 9. All models; the paper's figures are those on Synthetic (L)",
            _lines(published.TABLE_9, *_BEYOND),
            published.TABLE_9,
        ),
        TableDefinition(
            "ecpr-ours",
            "Beyond the paper. Our ranker, reading with each contextualized encoder",
            (Line(OURS, "", "ours"), *(Line(name, "", "ours") for name in _CONTEXTUAL)),
            {},
        ),
    )
}
