"""Sources to graph files: readers of RDF and tables, filters, and the builder."""
