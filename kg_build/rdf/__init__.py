"""RDF files: N-Triples, N-Quads, Turtle, RDF/XML, and what their predicates mean to a graph.

Here: parsing with line numbers, and the vocabulary of labels, types and ontologies.
Not here: RDF from an endpoint (``sparql``), or Wikidata's own vocabulary (``wikidata``).
"""
