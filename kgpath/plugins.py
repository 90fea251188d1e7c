"""Every built-in plug-in by kind and name: where it lives, one line to choose by, its extra.

A name may stand in several kinds; ``kgpath ls`` prints these tables. How a name becomes an object
is in :mod:`kgpath.registry`.
"""

from __future__ import annotations

from typing import Any

from kgpath.registry import Entry, Registry, parse_choice

SOURCES = Registry(
    "sources",
    Entry("nt", "kgpath.kg_build.rdf.ntriples:read_ntriples", "N-Triples, one fact a line"),
    Entry("nq", "kgpath.kg_build.rdf.ntriples:read_nquads", "N-Quads; graph names are ignored"),
    Entry("ttl", "kgpath.kg_build.rdf.documents:read_turtle", "Turtle", also=("turtle", "n3")),
    Entry(
        "rdf",
        "kgpath.kg_build.rdf.documents:read_rdfxml",
        "RDF/XML, the usual form of ontologies",
        also=("owl", "xml"),
    ),
    Entry(
        "tsv", "kgpath.kg_build.delimited:read_tsv", "head, relation, tail by tabs", also=("txt",)
    ),
    Entry("csv", "kgpath.kg_build.delimited:read_csv", "head, relation, tail by commas"),
    Entry(
        "wikidata",
        "kgpath.kg_build.wikidata.dump:read_wikidata",
        "JSON dump of Wikidata, one entity a line",
    ),
    Entry(
        "wikidata-nt",
        "kgpath.kg_build.wikidata.vocabulary:read_truthy",
        "truthy N-Triples of Wikidata",
    ),
    Entry(
        "codex",
        "kgpath.kg_build.wikidata.codex:read_codex",
        "files of CoDEx (Wikidata), with texts",
    ),
)

SPARQL_PRESETS = Registry(
    "sparql_presets",
    Entry("dbpedia", "kgpath.kg_build.sparql.presets:DBPEDIA", "DBpedia, without its page links"),
    Entry("wikidata", "kgpath.kg_build.sparql.presets:WIKIDATA", "Wikidata: best ranks, P31, P279"),
    Entry(
        "rdf",
        "kgpath.kg_build.sparql.presets:RDF_PRESET",
        "any other endpoint: RDFS names",
    ),
)

ARTICLE_FORMATS = Registry(
    "article_formats",
    Entry(
        "mediawiki",
        "kgpath.kg_build.wikimedia.mediawiki:MEDIAWIKI",
        "XML dump of Wikipedia or another MediaWiki",
        also=("xml",),
    ),
    Entry(
        "jsonl",
        "kgpath.kg_build.wikimedia.article_tables:JSONL",
        "JSON lines with title and text, extract, paragraphs or sections",
        also=("json", "ndjson"),
    ),
    Entry(
        "tsv",
        "kgpath.kg_build.wikimedia.article_tables:TSV",
        "title and text by a tab",
        also=("txt",),
    ),
)

COSTS = Registry(
    "costs",
    Entry("degree", "kgpath.paths.costs:degree", "hubs are expensive"),
    Entry("rarity", "kgpath.paths.costs:rarity", "common relations are expensive"),
    Entry("mention", "kgpath.paths.costs:mention", "entities that the text names are free"),
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
    Entry(
        "Evidence(P)",
        "kgpath.metrics.evidence:Evidence",
        "share of the sentences shown for the first path that people marked",
    ),
    Entry(
        "Evidence(R)",
        "kgpath.metrics.evidence:Evidence",
        "share of the sentences marked for the first path that are shown",
    ),
    Entry(
        "Evidence(F1)",
        "kgpath.metrics.evidence:Evidence",
        "sentences shown for the first path against the marked ones",
    ),
)

DEFAULT_RANKER = "kgpath-general"
RANKERS = Registry(
    "rankers",
    Entry(
        "kgpath-general",
        "kgpath.rankers.kgpath_general:KgpathGeneral",
        "is each hop told here, and the path? Trained for every graph; the default",
    ),
    Entry(
        "zero-shot",
        "kgpath.rankers.zero_shot:ZeroShot",
        "what the text expresses of a path, weights set by hand",
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
        "trained: is each hop expressed in the text, and which path best",
        extra="learn",
    ),
    Entry(
        "xendcg",
        "kgpath.rankers.xendcg:XendcgRanker",
        "trained, as in the paper: trees over context and path vectors, listwise",
        extra="learn",
        places=(("vectors", "vectors"),),
    ),
    Entry(
        "binary",
        "kgpath.rankers.binary:Binary",
        "trained, as in the paper: a network over context and path vectors",
        extra="neural",
        places=(("vectors", "vectors"),),
    ),
    Entry(
        "listwise",
        "kgpath.rankers.listwise:Listwise",
        "trained, beyond the paper: the network of binary, learned over lists",
        extra="neural",
        places=(("vectors", "vectors"),),
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
        places=(("vectors", "vectors"),),
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
        "kgpath.encoders.transformer.sentence_transformer:sentence_encoder",
        "sentence vectors from MiniLM, or another sentence-transformers model",
        extra="neural",
        places=(("model", "base"),),
    ),
    Entry(
        "word-vectors",
        "kgpath.encoders.vectors.word_vectors:WordVectors",
        "mean word vectors from a file of word2vec or GloVe",
        places=(("path", "vectors"),),
    ),
    Entry(
        "contextual",
        "kgpath.encoders.transformer.contextual_sentences:ContextualSentences",
        "mean hidden states of bert, kg-bert, k-bert or kepler; for kgpath-ltr",
        extra="neural",
    ),
)


CONTEXT_ENCODERS = Registry(
    "context_encoders",
    Entry("tfidf", "kgpath.encoders.tfidf:Tfidf", "words of names and the weightiest of the texts"),
    Entry(
        "avg-transe",
        "kgpath.encoders.averaged.avg_transe:AvgTransE",
        "mean TransE vector of the entities in scope; needs kgpath embed",
    ),
    Entry(
        "avg-word",
        "kgpath.encoders.averaged.avg_word:AvgWord",
        "mean word vector; from a file, or trained on the graph's texts",
        extra="neural",
        places=(("vectors", "vectors"),),
    ),
    Entry(
        "avg-wiki2vec",
        "kgpath.encoders.averaged.avg_wiki2vec:AvgWiki2vec",
        "mean vector of words and entities in one space",
        extra="neural",
        places=(("vectors", "vectors"),),
    ),
    Entry(
        "fused-none",
        "kgpath.encoders.fused.fused:FusedNone",
        "the entity's own TransE vector, whatever the text; needs kgpath embed",
    ),
    Entry(
        "fused-in",
        "kgpath.encoders.fused.fused:FusedIn",
        "TransE drawn to the entities of the text; needs kgpath embed",
    ),
    Entry(
        "fused-inout",
        "kgpath.encoders.fused.fused:FusedInOut",
        "the same, and pushed from neighbours outside it; needs kgpath embed",
    ),
    Entry(
        "minilm",
        "kgpath.encoders.transformer.context_sentences:ContextSentences",
        "sentence vector of the text in scope",
        extra="neural",
    ),
    Entry(
        "bert",
        "kgpath.encoders.transformer.bert:Bert",
        "hidden states of a language model that reads the text in scope",
        extra="neural",
        places=(("base", "base"),),
    ),
    Entry(
        "kg-bert",
        "kgpath.encoders.transformer.kg_bert:KgBert",
        "a language model that has learned which facts of the graph are true",
        extra="neural",
        places=(("base", "base"),),
    ),
    Entry(
        "k-bert",
        "kgpath.encoders.transformer.k_bert:KBert",
        "a language model that reads some facts along with each entity of the text",
        extra="neural",
        places=(("base", "base"),),
    ),
    Entry(
        "kepler",
        "kgpath.encoders.transformer.kepler:Kepler",
        "a language model that has learned descriptions and the facts between them",
        extra="neural",
        places=(("base", "base"),),
    ),
)

PATH_ENCODERS = Registry(
    "path_encoders",
    Entry(
        "path-vae",
        "kgpath.encoders.path.vae:PathVAE",
        "variational auto-encoder over TransE vectors; needs kgpath embed",
        extra="neural",
    ),
    Entry(
        "path-mean",
        "kgpath.encoders.path.mean:PathMean",
        "mean TransE vectors of entities and relations; needs kgpath embed",
    ),
    Entry(
        "path-text",
        "kgpath.encoders.path.text:PathText",
        "the path in words through a sentence encoder",
        extra="neural",
    ),
)

DATASETS = Registry(
    "datasets",
    Entry("cpr", "kgpath.datasets.cpr:Cpr", "contextual path queries as JSON lines, checked"),
    Entry(
        "opendialkg",
        "kgpath.datasets.opendialkg.queries:OpenDialKG",
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
        Entry(f"wikipath-{number}", f"kgpath.reproduce.wikipath.{target}", f"WikiPath: {line}")
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
        Entry(f"ecpr-{number}", f"kgpath.reproduce.ecpr.{target}", f"ECPR: {line}; needs --graph")
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
        "kgpath.reproduce.wikipath.coverage_tables:tables",
        "WikiPath: titles that a graph knows and connects; needs --graph",
    ),
    Entry(
        "opendialkg-paths",
        "kgpath.reproduce.wikipath.path_recall:table",
        "OpenDialKG: true paths among the first k; needs --graph",
    ),
)

REGISTRIES = {
    registry.kind: registry
    for registry in (
        RANKERS, CONTEXT_ENCODERS, PATH_ENCODERS, TEXT_ENCODERS, SOURCES, SPARQL_PRESETS,
        ARTICLE_FORMATS, DATASETS, COSTS, METRICS, EDGE_RULES, SELECTORS, REPRODUCTIONS,
    )
}  # fmt: skip


def text_encoder(choice: Any) -> Any:
    """A text encoder; a contextualised encoder, such as kepler, reads texts too."""
    if isinstance(choice, str):
        name, _ = parse_choice(choice)
        if name not in TEXT_ENCODERS and name in CONTEXT_ENCODERS:
            return TEXT_ENCODERS.make("contextual", encoder=choice)
    return TEXT_ENCODERS.make(choice)
