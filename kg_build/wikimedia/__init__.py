"""Articles: MediaWiki dumps, their markup, and tables of texts, joined to entities.

Here: from dumps and markup to the passages of an entity.
Not here: facts (``rdf``, ``wikidata``), or news to annotate (``datasets.annotation``).
"""
