"""Live SPARQL endpoints: a polite client, paging, presets, and graphs extracted through them.

Here: asking an endpoint, its errors, the cache of its pages, and what to ask for a graph.
Not here: RDF in files (``rdf``).
"""
