"""Good inputs, small and written by hand: what mutations start from."""

from __future__ import annotations

import json
import struct
from typing import Any

Files = dict[str, bytes]

_R = "http://dbpedia.org/resource/"
_O = "http://dbpedia.org/ontology/"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TEXT = (
    "The studio behind The Amazing Spider-Man confirmed that Emma Stone will play Gwen Stacy, "
    "opposite Andrew Garfield in the title role. He said: “It's Mr. Webb's film.” She agreed."
)
ENDS = ("Emma Stone", "Andrew Garfield")

TURTLE = f"""\
@prefix dbr: <{_R}> .
@prefix dbo: <{_O}> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
dbr:Roger_Moore a dbo:Actor ; rdfs:label "Roger Moore"@en ; skos:altLabel "Sir Roger"@en ;
    rdfs:comment "An English actor. He was born in London."@en ; dbo:birthPlace dbr:London .
dbr:Daniel_Craig a dbo:Actor ; rdfs:label "Daniel Craig"@en ; dbo:birthPlace dbr:Chester ;
    dbo:abstract \"\"\"Daniel Craig is an English actor.
He has played James Bond.\"\"\"@en .
dbr:James_Bond rdfs:label "James Bond"@en ; dbo:portrayer dbr:Roger_Moore, dbr:Daniel_Craig ;
    dbo:creator [ rdfs:label "Ian Fleming"@en ] ; dbo:list ( dbr:London dbr:Chester ) .
dbo:Actor a owl:Class ; rdfs:subClassOf dbo:Person ; rdfs:label "actor"@en .
dbo:portrayer rdfs:subPropertyOf dbo:participant ; rdfs:label "portrayer"@en .
"""

NTRIPLES = "".join(
    f"<{_R}{head}> <{_O}{relation}> <{_R}{tail}> .\n"
    for head, relation, tail in (
        ("Roger_Moore", "birthPlace", "London"),
        ("Daniel_Craig", "birthPlace", "Chester"),
        ("James_Bond", "portrayer", "Roger_Moore"),
        ("James_Bond", "portrayer", "Daniel_Craig"),
    )
) + (
    f'<{_R}James_Bond> <{_LABEL}> "James Bond"@en .\n'
    f'<{_R}London> <{_LABEL}> "Lond\\u00F6n \\"city\\""@en .\n'
    f"_:b <{_O}knows> <{_R}London> .\n"
    f'<{_R}London> <{_O}population> "9000000"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
)

RDFXML = f"""\
<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:dbo="{_O}" xml:base="{_R}">
  <dbo:Actor rdf:about="{_R}Roger_Moore"><rdfs:label xml:lang="en">Roger Moore</rdfs:label>
    <dbo:birthPlace rdf:resource="{_R}London"/></dbo:Actor>
  <rdf:Description rdf:about="James_Bond"><dbo:portrayer rdf:resource="{_R}Roger_Moore"/>
    <dbo:creator rdf:parseType="Resource"><rdfs:label>Ian &amp; Fleming</rdfs:label></dbo:creator>
    <dbo:list rdf:parseType="Collection"><rdf:Description rdf:about="London"/></dbo:list>
  </rdf:Description>
</rdf:RDF>
"""

TSV = "Roger Moore\tbirth place\tLondon\nJames Bond\tportrayer\tRoger Moore\nDaniel\tknows\tRoger\n"
CSV = 'head,relation,tail\n"Moore, Roger",birth place,London\nJames Bond,portrayer,"A ""B"" C"\n'


def _item(name: str, label: str, *facts: tuple[str, str]) -> str:
    claims: dict[str, list[object]] = {}
    for relation, value in facts:
        entity = {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": value}}
        snak = {"snaktype": "value", "property": relation, "datavalue": entity}
        claims.setdefault(relation, []).append({"mainsnak": snak, "rank": "normal"})
    data = {
        "id": name, "type": "item", "claims": claims,
        "labels": {"en": {"language": "en", "value": label}},
        "descriptions": {"en": {"language": "en", "value": f"about {label}"}},
        "aliases": {"en": [{"language": "en", "value": f"{label}!"}]},
        "sitelinks": {"enwiki": {"site": "enwiki", "title": label}},
    }  # fmt: skip
    return json.dumps(data)


_ITEMS = (
    _item("Q1", "Roger Moore", ("P19", "Q3"), ("P31", "Q5")),
    _item("Q2", "James Bond", ("P175", "Q1"), ("P31", "Q4")),
    _item("Q3", "London", ("P31", "Q6")),
)
WIKIDATA = "[\n" + ",\n".join(_ITEMS) + "\n]\n"
_WD, _WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
WIKIDATA_NT = (
    f"<{_WD}Q1> <{_WDT}P19> <{_WD}Q3> .\n<{_WD}Q2> <{_WDT}P175> <{_WD}Q1> .\n"
    f'<{_WD}Q1> <{_LABEL}> "Roger Moore"@en .\n<{_WD}Q1> <{_WDT}P31> <{_WD}Q5> .\n'
    f"<https://en.wikipedia.org/wiki/London> <http://schema.org/about> <{_WD}Q3> .\n"
)
CODEX: Files = {
    "codex/triples.txt": b"Q1\tP19\tQ3\nQ2\tP175\tQ1\nQ3\tP31\tQ6\n",
    "codex/entities.json": json.dumps(
        {"Q1": {"label": "Roger Moore", "description": "actor"}, "Q3": {"label": "London"}}
    ).encode(),
    "codex/types.json": json.dumps({"Q1": ["Q5"], "Q3": ["Q6", "Q7"]}).encode(),
    "codex/texts.tsv": (
        b"qid\tname\tdescription\textract\nQ1\tRoger Moore\tactor\tHe was born.He acted. Well.\n"
        b'Q3\tLondon\tcity\t"London is ""big""."\n'
    ),
}

ARTICLES_JSONL = "".join(
    json.dumps(one) + "\n"
    for one in (
        {"title": "Roger Moore", "text": "He acted.\n\n== Life ==\nHe was born in London."},
        {"title": "London", "paragraphs": ["London is a city.", "It is large."], "lang": "en"},
        {"iri": f"{_R}James_Bond", "sections": [["A spy."], ["He was played by Roger Moore."]]},
        {"title": "Bond", "redirect": "James Bond"},
    )
)
ARTICLES_TSV = 'title\ttext\nRoger Moore\tHe acted.\\nWell.\nLondon\tA "city".\n'
MEDIAWIKI = """\
<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" xml:lang="en">
  <siteinfo><sitename>Wikinews</sitename></siteinfo>
  <page><title>Roger Moore</title><ns>0</ns><id>1</id><revision><id>2</id>
    <text xml:space="preserve">'''Roger Moore''' {{born|[[London]]|{{age|1927}}}} was an
[[actor|English actor]].&lt;ref name="x"&gt;A book&lt;/ref&gt; He was [[James Bond]].

== Life ==
* Born in [[London]], [[w:England|England]].
{| class="wikitable"
| a || b
|}
[[File:x.jpg|thumb|A [[London]] picture]] The end.</text></revision></page>
  <page><title>Moore</title><ns>0</ns><redirect title="Roger Moore" /><revision>
    <text>#REDIRECT [[Roger Moore]]</text></revision></page>
</mediawiki>
"""

_STARRING = [f"{_R}Emma_Stone", f"^{_O}starring", f"{_R}The_Amazing_Spider-Man_(2012_film)",
             f"{_O}starring", f"{_R}Andrew_Garfield"]  # fmt: skip


def queries(sample: str) -> Files:
    """Three queries of the sample, one that is untold, one with everything a line may have."""
    lines = sample.splitlines()[:3]
    first = json.loads(lines[1])
    ends = {"head": first["head"], "tail": first["tail"], "document": first["document"]}
    path = first.get("path") or first["paths"][0]
    rich = {
        "id": "rich", **ends, "paths": [path], "title": "A title",
        "links": [{"entity": first["head"], "words": "Emma Stone"}],
        "candidates": [path, _STARRING], "named": True, "document_hops": 2, **_marked(first),
    }  # fmt: skip
    untold = {**ends, "paths": []}
    return {"queries.jsonl": "\n".join([*lines, *map(json.dumps, (untold, rich)), ""]).encode()}


def _marked(query: dict[str, Any]) -> dict[str, Any]:
    """Sentences that say the first fact of a query's path."""
    one, relation, other = (query.get("path") or query["paths"][0])[:3]
    head, tail = (other, one) if relation.startswith("^") else (one, other)
    fact = {"head": head, "relation": relation.removeprefix("^"), "tail": tail}
    return {"evidence": [{**fact, "sentences": [0]}], "sentence_starts": [0, 40]}


def untold(sample: str) -> Files:
    """A pair whose text tells no path."""
    first = json.loads(sample.splitlines()[1])
    pair = {name: first[name] for name in ("document", "head", "tail")}
    return {"untold.jsonl": (json.dumps(pair) + "\n").encode()}


def evidence(sample: str) -> Files:
    """A text with the sentences of its facts, and one with kgpath's own sentences."""
    first = json.loads(sample.splitlines()[1])
    marked = _marked(first)
    text = {"id": "e", "document": first["document"], "facts": marked["evidence"]}
    starts = {**text, "sentence_starts": marked["sentence_starts"]}
    return {"evidence.jsonl": f"{json.dumps(text)}\n{json.dumps(starts)}\n".encode()}


def given_queries(sample: str) -> Files:
    """Queries that bring their candidates."""
    last = queries(sample)["queries.jsonl"].splitlines()[-1]
    return {"queries.jsonl": last + b"\n" + last.replace(b'"rich"', b'"richer"') + b"\n"}


TEXTS = (
    '{"id": "a", "text": "Roger Moore was James Bond before Daniel Craig."}\n'
    '{"text": "Emma Stone was in La La Land.", "head": "Emma Stone", "tail": "La La Land"}\n'
)
PAIRS = "Emma Stone\tAndrew Garfield\nRoger Moore\tdbr:Daniel_Craig\nEmma Stone\tLondon\n"

_SENTENCES = ["no_passages_used __knowledge__ no_passages_used",
              "Roger Moore __knowledge__ Roger Moore was in it.",
              "London __knowledge__ London is large."]  # fmt: skip
DIALOGUES: dict[str, bytes] = {
    "single": json.dumps(
        [{"post": "Who was in it?", "response": "Moore.", "knowledge": _SENTENCES, "labels": 1,
          "topic": "James Bond", "history": ["Hello.", "Hi!"], "source": "London"},
         {"post": "Thanks!", "response": "Bye.", "knowledge": _SENTENCES, "labels": 0}]
    ).encode(),
    "collected": json.dumps(
        [{"post": ["James Bond\nWho was in it?", "Where?"], "response": ["Moore.", "There."],
          "knowledge": [_SENTENCES, _SENTENCES], "labels": [1, [0]], "topic": "James Bond"}]
    ).encode(),
    "parlai": json.dumps(
        [{"chosen_topic": "London", "chosen_topic_passage": ["London is large.", "It rains."],
          "persona": "I like cities.",
          "dialog": [
              {"speaker": "0_Apprentice", "text": "Is it large?",
               "retrieved_passages": [{"Paris": ["Paris is large."]}]},
              {"speaker": "1_Wizard", "text": "It is.",
               "checked_sentence": {"chosen_London_0": "London is large."},
               "checked_passage": {"chosen_topic": "London"}, "retrieved_passages": []},
              {"speaker": "0_Apprentice", "text": "Thanks!"},
              {"speaker": "1_Wizard", "text": "Bye.", "checked_sentence": {}}]}]
    ).encode(),
    "gold": json.dumps(
        [{"meta": [["London is large."], []], "dialogue": [["Big?", "Yes!"], ["Sure?", "I am."]]},
         {"meta": [["It rains."]], "dialogue": [["Does it rain?", "It does, often."]]}]
    ).encode(),
}  # fmt: skip
# Of two dialogues in a file, one is left as it is.
DIALOGUES = {name: b"[" + data[1:-1] + b",\n" + data[1:] for name, data in DIALOGUES.items()}
CHAT = json.dumps(
    {"query": "Who was in it?", "topic": "James Bond", "id": "t",
     "candidates": [["Roger Moore", "Roger Moore was in it."], ["London", "London is large."]]}
) + "\n"  # fmt: skip

_STEP = ["Emma Stone", "~starring", "La La Land"]
_MESSAGES = [
    {"type": "chat", "sender": "user", "message": "Do you know Emma Stone?"},
    {"type": "action", "sender": "assistant", "action_id": "kgwalk/choose_path",
     "metadata": {"path": [0.9, [_STEP], "x"]}},
    {"type": "chat", "sender": "assistant", "message": "She was in La La Land."},
]  # fmt: skip
OPENDIALKG_CSV = "Messages,User Rating,Assistant Rating\r\n" + (
    '"' + json.dumps(_MESSAGES).replace('"', '""') + '",5,4\r\n'
)
OPENDIALKG_JSONL = json.dumps(
    {"n": 1, "turns": [
        {"sender": "user", "text": "Do you know Emma Stone?", "gold_paths": []},
        {"sender": "assistant", "text": "She was in it.", "gold_paths": [{"triples": [_STEP]}]},
        {"sender": "user", "text": "Who else?"}]}
) + "\n"  # fmt: skip

WIKINEWS = json.dumps(
    {"title": "News", "wikiTitle": "News_1", "docId": 7, "paragraphs": [TEXT, "It rained."],
     "entities": [{"title": "Emma_Stone", "spots": ["Emma Stone, Stone"]},
                  {"title": "Andrew Garfield", "spots": ["Andrew Garfield"]}]}
) + "\n"  # fmt: skip


def _task(number: int) -> dict[str, object]:
    ends = {
        end: {"iri": f"{_R}{name.replace(' ', '_')}", "label": name, "page": "", "places": [[0, 4]]}
        for end, name in zip(("head", "tail"), ENDS, strict=True)
    }
    return {
        "id": f"News_1#one-hop-{number}", "kind": "one-hop", "document_id": "News_1",
        "title": "News", "document": TEXT, "sentences": [[0, 10]], **ends, "question": "Why?",
        "path": _STARRING[:3], "path_text": "…", "choices": ["yes", "no"],
    }  # fmt: skip


TASKS: Files = {
    "one-hop.jsonl": "".join(json.dumps(_task(number)) + "\n" for number in (1, 2)).encode(),
    "answers.jsonl": "".join(
        json.dumps({"task": f"News_1#one-hop-{task}", "annotator": f"a{person}", "answer": "yes"})
        + "\n"
        for task in (1, 2)
        for person in (1, 2, 3)
    ).encode(),
}

RECIPE = """\
documents = 3
pairs = 5
seed = 1
max_hops = 3
min_hops = 2
stop = 0.3
sentences = [3, 5]
text = "facts"
candidate_limit = 10
start = "degree"

[strata.long]
min_hops = 2
queries = 3
below = 0.3
named = true
"""

VECTORS = "4 3\n" + "".join(
    f"{word} {n}.5 -{n} 1e-{n}\n" for n, word in enumerate("emma stone film role".split(), 1)
)
VECTORS_BIN = b"4 3\n" + b"".join(
    word.encode() + b" " + struct.pack("<3f", n, -n, n / 2) + b"\n"
    for n, word in enumerate("emma stone film role".split(), 1)
)

CHOICES = (
    "zero-shot", "tfidf-cosine", "shortest()", "score-ltr(of=shortest, trees=5, seed=1)",
    "kgpath-ltr(trees=5, dropout=0.2, rounds=1)", "random",
)  # fmt: skip
METRICS = ("MRR", "Hits@3", "NGEO(Ent)", "NGEO(full)", "Recall")
OTHER_CHOICES = ("lexical", "full", "wikipath", "bm25+continuity", "rankers", "metrics")
COSTS = ("degree", "degree + 0.5*mention", "rarity", "2*rarity + mention")

_ROW = {
    name: {"type": "uri", "value": value}
    for name, value in (("s", f"{_R}Roger_Moore"), ("p", f"{_O}birthPlace"), ("o", f"{_R}London"))
}
SPARQL_ROWS = json.dumps({"head": {"vars": ["s", "p", "o"]}, "results": {"bindings": [_ROW]}})
SPARQL_COUNT = json.dumps(
    {"head": {"vars": ["n"]},
     "results": {"bindings": [{"n": {"type": "literal", "value": "1", "datatype":
                                     "http://www.w3.org/2001/XMLSchema#integer"}}]}}
)  # fmt: skip
SPARQL_EACH = json.dumps(
    {"head": {"vars": ["s", "n"]},
     "results": {"bindings": [{"s": {"type": "uri", "value": f"{_R}{name}"},
                               "n": {"type": "literal", "value": "1"}}
                              for name in ("Roger_Moore", "London")]}}
)  # fmt: skip
SPARQL_LISTED = json.dumps(
    {"head": {"vars": ["s"]}, "results": {"bindings": [{"s": _ROW["s"]}]}}
)  # fmt: skip
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
SPARQL_STATEMENTS = f"<{_R}Roger_Moore> <{_O}birthPlace> <{_R}London> .\n" + "".join(
    f"<{_R}{name}> <{_TYPE}> <{_O}Actor> .\n" for name in ("Roger_Moore", "London")
)
SPARQL_XML = f"""\
<?xml version="1.0"?>
<sparql xmlns="http://www.w3.org/2005/sparql-results#">
<head><variable name="s"/><variable name="p"/><variable name="o"/></head>
<results><result><binding name="s"><uri>{_R}Roger_Moore</uri></binding>
<binding name="p"><uri>{_O}birthPlace</uri></binding>
<binding name="o"><uri>{_R}London</uri></binding>
</result></results></sparql>
"""
SPARQL_QUERY = "SELECT ?s ?p ?o WHERE { ?s ?p ?o FILTER(isIRI(?o)) }"


def large_graph() -> bytes:
    """N-Triples with over 20,000 pairs of neighbours: from there on the compiled kernels run."""
    lines = []
    for one in range(2600):
        for relation, step in enumerate((1, 7, 53, 411, 977)):
            other = (one * (relation + 2) + step) % 2600
            lines.append(f"<{_R}E{one}> <{_O}r{relation}> <{_R}E{other}> .\n")
    return "".join(lines).encode()
