"""RDF files: N-Triples, N-Quads, Turtle, RDF/XML, and what their predicates mean to a graph."""
