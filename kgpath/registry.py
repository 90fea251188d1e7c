"""Plug-ins by name: a table of built-ins plus what other packages announce as entry points.

Listing imports nothing: an entry is a name, one line for the user and the place of the
object, which is imported on first use. Another package adds its own with, for example::

    [project.entry-points."kgpath.sources"]
    neo4j = "my_package.neo4j:read"
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from kgpath.errors import BadOption, MissingExtra, UnknownName

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgpath.graph import Graph


@dataclass(frozen=True)
class Entry:
    """One plug-in: where it lives, the line that helps a user choose, the extra it needs."""

    name: str
    target: str
    line: str = ""
    extra: str = ""
    also: tuple[str, ...] = ()


class Registry:
    """All plug-ins of one kind, by name."""

    def __init__(self, kind: str, *builtin: Entry) -> None:
        self.kind = kind
        self.group = f"kgpath.{kind}"
        self._builtin = builtin
        self._entries: dict[str, Entry] | None = None

    def __iter__(self) -> Iterator[Entry]:
        """Every entry once, by name."""
        entries = self._all()
        return (entry for name, entry in sorted(entries.items()) if name == entry.name)

    def __contains__(self, name: str) -> bool:
        return name in self._all()

    def entry(self, name: str) -> Entry:
        """The entry of that name; an unknown name is answered with the known ones."""
        try:
            return self._all()[name]
        except KeyError:
            known = ", ".join(entry.name for entry in self)
            raise UnknownName(f"No {name!r} among the {self.kind}. Known: {known}.") from None

    def load(self, name: str) -> Any:
        """Import and return the object behind a name."""
        entry = self.entry(name)
        module, _, attribute = entry.target.partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ImportError as error:
            if not entry.extra:
                raise
            raise MissingExtra(
                f"{name!r} needs {error.name}, which is not installed: "
                f'pip install "kgpath[{entry.extra}]"'
            ) from error

    def make(self, choice: Any, **options: Any) -> Any:
        """A plug-in from a name, a class or an instance; a name may bring options in brackets.

        ``make("tfidf-cosine(range=window)")``; ``options`` count only where the plug-in has them
        and the name does not say otherwise.
        """
        if isinstance(choice, str):
            name, said = parse_choice(choice)
            choice = self.load(name)
        elif not isinstance(choice, type):
            return choice
        else:
            name, said = choice.__name__, {}
        known = _parameters(choice)
        for option in said:
            if option not in known:
                has = f"it has: {', '.join(known)}" if known else "it has none"
                raise BadOption(f"{name} has no option {option!r}; {has}.")
        given = {k: v for k, v in options.items() if k in known} | said
        needed = [option for option in known if known[option] and option not in given]
        if needed:
            raise BadOption(f"{name} needs {', '.join(needed)}: {name}({needed[0]}=…)")
        return choice(**given)

    def _all(self) -> dict[str, Entry]:
        if self._entries is None:
            entries: dict[str, Entry] = {}
            for entry in self._builtin:
                self._put(entries, entry)
            for point in entry_points(group=self.group):
                origin = point.dist.name if point.dist else "another package"
                self._put(entries, Entry(point.name, point.value, f"from {origin}"))
            self._entries = entries
        return self._entries

    def _put(self, entries: dict[str, Entry], entry: Entry) -> None:
        for name in (entry.name, *entry.also):
            if name in entries:
                raise UnknownName(
                    f"Two {self.kind} are called {name!r}: {entries[name].target} and "
                    f"{entry.target}. Uninstall one of the two packages."
                )
            entries[name] = entry


def parse_choice(text: str) -> tuple[str, dict[str, Any]]:
    """The name of a plug-in and the options behind it.

    >>> parse_choice("avg-cosine(vectors=glove.txt, alpha=0.3)")
    ('avg-cosine', {'vectors': 'glove.txt', 'alpha': 0.3})
    """
    match = re.fullmatch(r"\s*([^()]+?)\s*(?:\((.*)\)\s*)?", text, re.DOTALL)
    if not match:
        raise BadOption(f"Cannot read {text!r}. Write it like: name(option=value, option=value)")
    options: dict[str, Any] = {}
    for part in filter(None, map(str.strip, _split(match.group(2) or ""))):
        key, equals, value = part.partition("=")
        if not equals:
            raise BadOption(f"Cannot read {part!r} in {text!r}. Write it like: option=value")
        options[key.strip()] = _value(value.strip())
    return match.group(1), options


def _split(text: str) -> Iterator[str]:
    """At commas, but not within brackets: an option may be a plug-in with options of its own."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)


def _parameters(factory: Any) -> dict[str, bool]:
    """The options of a plug-in, and whether it cannot do without."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = inspect.signature(factory).parameters.values()
    return {p.name: p.default is p.empty for p in parameters if p.kind in kinds}


class TextEncoder(Protocol):
    """Turns texts into vectors. ``identity`` names all that its vectors depend on."""

    @property
    def identity(self) -> str: ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text."""


@runtime_checkable
class GraphReader(TextEncoder, Protocol):
    """A text encoder that has to know the graph whose texts it reads."""

    def of(self, graph: Graph) -> TextEncoder:
        """The encoder of the texts of a graph."""


SOURCES = Registry(
    "sources",
    Entry("nt", "kgpath.kg_build.ntriples:read_ntriples", "N-Triples, one fact a line"),
    Entry("nq", "kgpath.kg_build.ntriples:read_nquads", "N-Quads; graph names are ignored"),
    Entry("ttl", "kgpath.kg_build.rdf:read_turtle", "Turtle", also=("turtle", "n3")),
    Entry(
        "rdf",
        "kgpath.kg_build.rdf:read_rdfxml",
        "RDF/XML, the usual form of ontologies",
        also=("owl", "xml"),
    ),
    Entry(
        "tsv", "kgpath.kg_build.delimited:read_tsv", "head, relation, tail by tabs", also=("txt",)
    ),
    Entry("csv", "kgpath.kg_build.delimited:read_csv", "head, relation, tail by commas"),
    Entry(
        "wikidata",
        "kgpath.kg_build.wikidata:read_wikidata",
        "JSON dump of Wikidata, one entity a line",
    ),
    Entry(
        "wikidata-nt",
        "kgpath.kg_build.wikidata_vocabulary:read_truthy",
        "truthy N-Triples of Wikidata",
    ),
    Entry("codex", "kgpath.kg_build.codex:read_codex", "files of CoDEx (Wikidata), with texts"),
)

SPARQL_PRESETS = Registry(
    "sparql_presets",
    Entry("dbpedia", "kgpath.kg_build.sparql_presets:DBPEDIA", "DBpedia, without its page links"),
    Entry("wikidata", "kgpath.kg_build.sparql_presets:WIKIDATA", "Wikidata: best ranks, P31, P279"),
    Entry(
        "rdf",
        "kgpath.kg_build.sparql_presets:RDF_PRESET",
        "any other endpoint: RDFS names",
    ),
)

ARTICLE_FORMATS = Registry(
    "article_formats",
    Entry(
        "mediawiki",
        "kgpath.kg_build.mediawiki:MEDIAWIKI",
        "XML dump of Wikipedia or another MediaWiki",
        also=("xml",),
    ),
    Entry(
        "jsonl",
        "kgpath.kg_build.article_tables:JSONL",
        "JSON lines with title and text, extract, paragraphs or sections",
        also=("json", "ndjson"),
    ),
    Entry("tsv", "kgpath.kg_build.article_tables:TSV", "title and text by a tab", also=("txt",)),
)

COSTS = Registry(
    "costs",
    Entry("degree", "kgpath.costs:degree", "hubs are dear"),
    Entry("rarity", "kgpath.costs:rarity", "common relations are dear"),
    Entry("mention", "kgpath.costs:mention", "entities that the text names are free"),
)

METRICS = Registry(
    "metrics",
    Entry("MRR", "kgpath.metrics.mrr:MRR", "1 / rank of the first true path"),
    Entry("Hits@k", "kgpath.metrics.hits:Hits", "whether a true path is among the first k"),
    Entry("Recall", "kgpath.metrics.recall:Recall", "share of true paths among the candidates"),
    Entry("NGEO(Ent)", "kgpath.metrics.ngeo:NGEO", "edits from the first path's entities to true"),
    Entry("NGEO(Rel)", "kgpath.metrics.ngeo:NGEO", "edits from the first path's relations to true"),
    Entry("NGEO(full)", "kgpath.metrics.ngeo:NGEO", "edits from the first path to the true one"),
    Entry("PED", "kgpath.metrics.ped:PED", "distance of path vectors, first path to the true one"),
)

RANKERS = Registry(
    "rankers",
    Entry(
        "zero-shot",
        "kgpath.rankers.zero_shot:ZeroShot",
        "what the text tells of a path, weights set by hand; the default",
    ),
    Entry(
        "zero-shot-minilm",
        "kgpath.rankers.zero_shot_text:ZeroShotText",
        "the same, with a sentence encoder reading the best paths",
        extra="neural",
    ),
    Entry(
        "kgpath-ltr",
        "kgpath.rankers.kgpath_ltr:KgpathLTR",
        "trained: is each hop told in the text, and which path is told best",
        extra="learn",
    ),
    Entry(
        "xendcg",
        "kgpath.rankers.xendcg:XendcgRanker",
        "trained, as in the paper: trees over context and path vectors, listwise",
        extra="learn",
    ),
    Entry(
        "binary",
        "kgpath.rankers.binary:Binary",
        "trained, as in the paper: a network over context and path vectors",
        extra="neural",
    ),
    Entry(
        "listwise",
        "kgpath.rankers.listwise:Listwise",
        "trained, beyond the paper: the network of binary, learned over lists",
        extra="neural",
    ),
    Entry("shortest", "kgpath.rankers.shortest:Shortest", "fewer hops are better"),
    Entry(
        "tfidf-cosine",
        "kgpath.rankers.tfidf_cosine:TfidfCosine",
        "baseline: word overlap with the articles along a path",
    ),
    Entry(
        "avg-cosine",
        "kgpath.rankers.avg_cosine:AvgCosine",
        "baseline: mean word vectors of the articles along a path; needs --vectors",
    ),
    Entry(
        "score-ltr",
        "kgpath.rankers.score_ltr:ScoreLTR",
        "baseline, trained: trees over the score of another ranker",
        extra="learn",
    ),
    Entry("random", "kgpath.rankers.random:RandomGuess", "chance: all paths tie"),
)

TEXT_ENCODERS = Registry(
    "text_encoders",
    Entry(
        "minilm",
        "kgpath.encoders.sentence_transformer:sentence_encoder",
        "sentence vectors from MiniLM, or another sentence-transformers model",
        extra="neural",
    ),
    Entry(
        "word-vectors",
        "kgpath.encoders.word_vectors:WordVectors",
        "mean word vectors from a file of word2vec or GloVe",
    ),
    Entry(
        "contextual",
        "kgpath.encoders.contextual_sentences:ContextualSentences",
        "mean hidden states of bert, kg-bert, k-bert or kepler; for kgpath-ltr",
        extra="neural",
    ),
)


CONTEXT_ENCODERS = Registry(
    "context_encoders",
    Entry("tfidf", "kgpath.encoders.tfidf:Tfidf", "words of names and the weightiest of the texts"),
    Entry(
        "avg-transe",
        "kgpath.encoders.avg_transe:AvgTransE",
        "mean TransE vector of the entities in range; needs kgpath embed",
    ),
    Entry(
        "avg-word",
        "kgpath.encoders.avg_word:AvgWord",
        "mean word vector; from a file, or trained on the graph's texts",
        extra="neural",
    ),
    Entry(
        "avg-wiki2vec",
        "kgpath.encoders.avg_wiki2vec:AvgWiki2vec",
        "mean vector of words and entities in one space",
        extra="neural",
    ),
    Entry(
        "fused-none",
        "kgpath.encoders.fused:FusedNone",
        "the entity's own TransE vector, whatever the text; needs kgpath embed",
    ),
    Entry(
        "fused-in",
        "kgpath.encoders.fused:FusedIn",
        "TransE drawn to the entities of the text; needs kgpath embed",
    ),
    Entry(
        "fused-inout",
        "kgpath.encoders.fused:FusedInOut",
        "the same, and pushed from neighbours outside it; needs kgpath embed",
    ),
    Entry(
        "minilm",
        "kgpath.encoders.context_sentences:ContextSentences",
        "sentence vector of the text in range",
        extra="neural",
    ),
    Entry(
        "bert",
        "kgpath.encoders.bert:Bert",
        "hidden states of a language model that reads the text in range",
        extra="neural",
    ),
    Entry(
        "kg-bert",
        "kgpath.encoders.kg_bert:KgBert",
        "a language model that has learned which facts of the graph are true",
        extra="neural",
    ),
    Entry(
        "k-bert",
        "kgpath.encoders.k_bert:KBert",
        "a language model that reads some facts along with each entity of the text",
        extra="neural",
    ),
    Entry(
        "kepler",
        "kgpath.encoders.kepler:Kepler",
        "a language model that has learned descriptions and the facts between them",
        extra="neural",
    ),
)

PATH_ENCODERS = Registry(
    "path_encoders",
    Entry(
        "path-vae",
        "kgpath.encoders.path_vae:PathVAE",
        "variational auto-encoder over TransE vectors; needs kgpath embed",
        extra="neural",
    ),
    Entry(
        "path-mean",
        "kgpath.encoders.path_mean:PathMean",
        "mean TransE vectors of entities and relations; needs kgpath embed",
    ),
    Entry(
        "path-text",
        "kgpath.encoders.path_text:PathText",
        "the path in words through a sentence encoder",
        extra="neural",
    ),
)

DATASETS = Registry(
    "datasets",
    Entry("cpr", "kgpath.datasets.cpr:Cpr", "contextual path queries as JSON lines, checked"),
    Entry(
        "opendialkg",
        "kgpath.datasets.opendialkg_queries:OpenDialKG",
        "dialogue turns with the graph path each rests on",
    ),
)

EDGE_RULES = Registry(
    "edge_rules",
    Entry("lexical", "kgpath.dialogue.edges.lexical:lexical", "titles that share a word"),
    Entry("mention", "kgpath.dialogue.edges.mention:mention", "a title named on the other's page"),
    Entry("full", "kgpath.dialogue.edges.full:full", "lexical and mention"),
    Entry("none", "kgpath.dialogue.edges.none:none", "no edges: staying alone counts"),
    Entry(
        "typed",
        "kgpath.dialogue.edges.typed:Typed",
        "titles that a path of the graph connects; needs --graph",
    ),
    Entry(
        "typed+lexical",
        "kgpath.dialogue.edges.typed_lexical:TypedLexical",
        "typed, and lexical between titles that it leaves apart; needs --graph",
    ),
)

SELECTORS = Registry(
    "selectors",
    Entry("random", "kgpath.dialogue.selectors.random:RandomChoice", "chance, by seed"),
    Entry("bm25", "kgpath.dialogue.selectors.bm25:BM25Choice", "retrieval alone"),
    Entry(
        "bm25+continuity",
        "kgpath.dialogue.selectors.continuity:Continuity",
        "a bonus for staying at a title",
    ),
    Entry(
        "wikipath",
        "kgpath.dialogue.selectors.wikipath:WikiPath",
        "a bonus for titles near the last one, by an edge rule",
    ),
)

REPRODUCTIONS = Registry(
    "reproductions",
    *(
        Entry(f"wikipath-{number}", f"kgpath.dialogue.paper.{target}", f"WikiPath: {line}")
        for number, target, line in (
            ("t1", "data:table_1", "the data"),
            ("t2", "data:table_2", "tasks and metrics"),
            ("t3", "data:table_3", "settings"),
            ("t4", "results:table_4", "validation results"),
            ("t5", "results:table_5", "test results"),
            ("t6", "results:table_6", "bootstrap intervals"),
            ("t7", "results:table_7", "ablation of edge rules"),
            ("t8", "analysis:table_8", "errors"),
            ("t9", "analysis:table_9", "turns without a passage"),
            ("t10", "analysis:table_10", "a case"),
            ("t11", "analysis:table_11", "time of a turn"),
            ("t12", "analysis:table_12", "diversity and user score"),
            ("t13", "analysis:table_13", "turns by path length"),
            ("p1", "pictures:picture_1", "picture: the stages"),
            ("p2", "pictures:picture_2", "picture: candidates"),
            ("p3", "pictures:picture_3", "picture: methods"),
            ("p4", "pictures:picture_4", "picture: diversity"),
            ("p5", "pictures:picture_5", "picture: path lengths"),
            ("p6", "pictures:picture_6", "picture: score by path length"),
        )
    ),
    *(
        Entry(f"ecpr-{number}", f"kgpath.experiments.{target}", f"ECPR: {line}; needs --graph")
        for number, target, line in (
            ("t2", "data_tables:table_2", "the data"),
            ("t3", "result_tables:table_3", "averaged embeddings as context"),
            ("t4", "result_tables:table_4", "context-fused entity embeddings"),
            ("t5", "result_tables:table_5", "contextualized embeddings"),
            ("t6", "result_tables:table_6", "binary classification and learning to rank"),
            ("t7", "result_tables:table_7", "all models, beside Wiki-film"),
            ("t8", "result_tables:table_8", "all models, beside Wiki-music"),
            ("t9", "result_tables:table_9", "all models, beside Synthetic (L)"),
            ("t10", "strata_tables:table_10", "candidates alike and apart"),
            ("t11", "strata_tables:table_11", "many candidates and few"),
            ("t12", "strata_tables:table_12", "long and short true paths"),
            ("f4", "path_picture:figure_4", "picture: path vectors and clusters"),
            ("s9", "data_tables:lengths_and_time", "lengths of paths, and time"),
            ("ours", "result_tables:ours", "our ranker with contextualized encoders"),
            ("findings", "findings:findings", "which of the paper's claims hold"),
        )
    ),
    Entry(
        "wikipath-coverage",
        "kgpath.dialogue.coverage_tables:tables",
        "WikiPath: titles that a graph knows and connects; needs --graph",
    ),
    Entry(
        "opendialkg-paths",
        "kgpath.dialogue.path_recall:table",
        "OpenDialKG: true paths among the first k; needs --graph",
    ),
)

REGISTRIES = {
    registry.kind: registry
    for registry in (
        RANKERS, CONTEXT_ENCODERS, PATH_ENCODERS, TEXT_ENCODERS, SOURCES, SPARQL_PRESETS,
        ARTICLE_FORMATS,        DATASETS, COSTS, METRICS, EDGE_RULES, SELECTORS, REPRODUCTIONS,
    )
}  # fmt: skip


def text_encoder(choice: Any) -> Any:
    """A text encoder; a contextualised encoder, such as kepler, reads texts too."""
    if isinstance(choice, str):
        name, _ = parse_choice(choice)
        if name not in TEXT_ENCODERS and name in CONTEXT_ENCODERS:
            return TEXT_ENCODERS.make("contextual", encoder=choice)
    return TEXT_ENCODERS.make(choice)
