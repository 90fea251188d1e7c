"""The namespaces of RDF that kgpath knows by heart."""

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
PROV = "http://www.w3.org/ns/prov#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
DBO = "http://dbpedia.org/ontology/"
DCT = "http://purl.org/dc/terms/"
SCHEMA = "http://schema.org/"

#: Prefixes that every graph file knows; those a source declares win over these.
PREFIXES = {
    "dbr": "http://dbpedia.org/resource/",
    "dbo": DBO,
    "dbp": "http://dbpedia.org/property/",
    "dbc": "http://dbpedia.org/resource/Category:",
    "dct": DCT,
    "foaf": "http://xmlns.com/foaf/0.1/",
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "schema": SCHEMA,
    "skos": SKOS,
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "yago": "http://yago-knowledge.org/resource/",
}
