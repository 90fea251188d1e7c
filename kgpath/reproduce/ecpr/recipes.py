"""The tables of the paper as data: which rows they have, and what the paper prints for them."""

from __future__ import annotations

from typing import NamedTuple

from kgpath.reproduce.ecpr import printed
from kgpath.reproduce.ecpr.cells import Cell
from kgpath.reproduce.ecpr.printed import Figures, Key
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
    """A row: a context encoder or a baseline, the range it reads, and which kind of ranker."""

    name: str
    range: str = ""
    ranker: str = ""

    @property
    def model(self) -> str:
        """What the paper calls it."""
        if self.ranker == "ours":
            return "beyond the paper"
        return MODELS.get(self.name, "Baseline")

    def cell(self, settings: Settings) -> Cell | None:
        """What is measured for this row; None if the settings leave it out."""
        if self.range and not settings.wants("ranges", self.range):
            return None
        if self.name in BASELINES:
            if not settings.wants("rankers", "baselines"):
                return None
            return Cell(self._baseline(settings))
        context = None if self.name == OURS else settings.context(self.name)
        if self.ranker == "ours" and settings.wants("rankers", self.ranker):
            said = {} if self.name == OURS else {"encoder": context}
            return None if None in said.values() else Cell(with_options(settings.ours, **said))
        if context is None or not settings.wants("rankers", self.ranker):
            return None
        context = with_options(context, scope=self.range) if self.range else context
        return Cell(getattr(settings, self.ranker), context, settings.path)

    def _baseline(self, settings: Settings) -> str:
        said = {"range": self.range} if self.range else {}
        if self.name.startswith("avg-") and settings.vectors:
            said["vectors"] = settings.vectors
        choice = BASELINES[self.name]
        if "{}" not in choice:
            return with_options(choice, **said)
        inside = ", ".join(f"{key}={value}" for key, value in said.items())
        return choice.format(f"({inside})" if inside else "")


class Recipe(NamedTuple):
    """A table: its rows, and the figures that the paper prints for each, by dataset."""

    name: str
    title: str
    lines: tuple[Line, ...]
    paper: dict[str, dict[Key, Figures]]


def _lines(table: dict[str, dict[Key, Figures]], *more: Line) -> tuple[Line, ...]:
    """The rows of a printed table, and further ones."""
    return (*(Line(*key) for key in next(iter(table.values()))), *more)


_BEYOND = (Line("minilm", _CW, "ltr"), Line("minilm", _WD, "ltr"))

#: One of each family, to see what becomes of the labels as LightGBM reads them.
_TRUNCATED = ("tfidf", "avg-wiki2vec", "fused-inout", "minilm", "kepler")

_CONTEXTUAL = ("minilm", "bert", "kg-bert", "k-bert", "kepler")

RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "ecpr-t3",
            "Table 3. Averaged embeddings as context (PathVAE, LTR, window)",
            _lines(printed.TABLE_3),
            printed.TABLE_3,
        ),
        Recipe(
            "ecpr-t4",
            "Table 4. Context-fused entity embeddings (PathVAE, LTR)",
            _lines(printed.TABLE_4),
            printed.TABLE_4,
        ),
        Recipe(
            "ecpr-t5",
            "Table 5. Contextualized embeddings (PathVAE, LTR, window)",
            _lines(printed.TABLE_5, _BEYOND[0]),
            printed.TABLE_5,
        ),
        Recipe(
            "ecpr-t6",
            "Table 6. Binary classification and learning to rank (PathVAE, window)",
            _lines(
                printed.TABLE_6,
                *(
                    Line(name, "" if name.startswith("fused") else _CW, ranker)
                    for name in MODELS
                    for ranker in ("binary", "ltr", "truncated", "listwise")
                    if Line(name, _CW, ranker) not in _lines(printed.TABLE_6)
                    and (ranker != "truncated" or name in _TRUNCATED)
                ),
            ),
            printed.TABLE_6,
        ),
        Recipe(
            "ecpr-t7",
            "Table 7. All models; the paper's figures are those on Wiki-film",
            _lines(printed.TABLE_7, *_BEYOND),
            printed.TABLE_7,
        ),
        Recipe(
            "ecpr-t8",
            "Table 8. All models; the paper's figures are those on Wiki-music",
            _lines(printed.TABLE_8, *_BEYOND),
            printed.TABLE_8,
        ),
        Recipe(
            "ecpr-t9",
            "Table 9. All models; the paper's figures are those on Synthetic (L)",
            _lines(printed.TABLE_9, *_BEYOND),
            printed.TABLE_9,
        ),
        Recipe(
            "ecpr-ours",
            "Beyond the paper. Our ranker, reading with each contextualized encoder",
            (Line(OURS, "", "ours"), *(Line(name, "", "ours") for name in _CONTEXTUAL)),
            {},
        ),
    )
}
