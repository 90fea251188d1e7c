"""Sources to graph files: readers of RDF, tables and articles, filters, and the builder.

Here: everything that turns a source into statements, and statements into a graph file.
Not here: the graph file itself (``kgpath.storage``), or reading queries (``kgpath.io``).
"""
