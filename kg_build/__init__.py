"""Sources to graph files: readers of RDF, tables and articles, filters, and the builder."""
